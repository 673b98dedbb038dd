//! Number literals of every spelling: LLVM prints their bits as integers.

use std::fmt::Write;

use reconverge_exec::constants::Component;
use reconverge_ir::literal::{float_bits, integer_words};
use reconverge_ir::types::TypeData;
use reconverge_testing::llvm;
use reconverge_testing::rounds::seeds;

use crate::constants::{random, read, returned};

/// The double that is a number of another format.
fn widened(bits: u64, exponent_bits: u32, fraction_bits: u32) -> f64 {
    let fraction = bits & ((1 << fraction_bits) - 1);
    let exponent = bits >> fraction_bits & ((1 << exponent_bits) - 1);
    let bias = (1i32 << (exponent_bits - 1)) - 1;
    let scale = |power: i32| 2f64.powi(power);
    let magnitude = match exponent {
        0 => fraction as f64 * scale(1 - bias - fraction_bits as i32),
        _ => ((1 << fraction_bits) + fraction) as f64 * scale(exponent as i32 - bias - fraction_bits as i32),
    };
    if bits >> (exponent_bits + fraction_bits) & 1 == 1 { -magnitude } else { magnitude }
}

#[test]
fn every_half_and_bfloat_is_read_from_every_spelling() {
    for (ty, letter, exponent, fraction) in [(TypeData::Half, 'H', 5, 10), (TypeData::BFloat, 'R', 8, 7)] {
        for bits in 0..=u64::from(u16::MAX) {
            assert_eq!(float_bits(format!("0x{letter}{bits:04X}").as_bytes(), &ty), Ok(bits));
            let special = bits >> fraction & ((1 << exponent) - 1) == (1 << exponent) - 1;
            let double = if special {
                // Infinities and NaNs keep their fraction in the upper bits.
                let sign = bits >> 15 << 63;
                sign | 0x7FF << 52 | (bits & ((1 << fraction) - 1)) << (52 - fraction)
            } else {
                let number = widened(bits, exponent, fraction);
                assert_eq!(float_bits(format!("{number:.60e}").as_bytes(), &ty), Ok(bits), "{number:e}");
                number.to_bits()
            };
            assert_eq!(float_bits(format!("0x{double:016X}").as_bytes(), &ty), Ok(bits));
        }
    }
}

#[test]
fn what_a_type_cannot_hold_is_refused() {
    let wrong = [
        (TypeData::Half, "65536.0"),
        (TypeData::Half, "0.1"),
        (TypeData::Half, "0x0000000000000001"),
        (TypeData::Half, "0xR3F80"),
        (TypeData::Half, "0xH13C00"),
        (TypeData::Half, "0x3E50000000000000"),
        (TypeData::Float, "0x3FF0000000000001"),
        (TypeData::Float, "0x7FF0000000000001"),
        (TypeData::Float, "1.0e300"),
        (TypeData::Float, "0x3FF00000000000001"),
        (TypeData::BFloat, "1.1"),
        (TypeData::Double, "0xK3FFF8000000000000000"),
        (TypeData::X86Fp80, "0xK3FFF8000000000000000"),
        (TypeData::Float, "0x"),
    ];
    for (ty, spelling) in wrong {
        assert!(float_bits(spelling.as_bytes(), &ty).is_err(), "{spelling}");
    }
    assert_eq!(float_bits(b"5.9604644775390625e-8", &TypeData::Half), Ok(1));
    assert!(integer_words(b"12a", 32).is_err());
    assert_eq!(integer_words(b"", 32), Ok(vec![0]));
}

#[test]
fn literals_mean_what_llvm_says() {
    let Some(tools) = llvm::tools() else { return };
    for seed in seeds(2) {
        let mut random = random(seed);
        let mut text = String::new();
        for number in 0..2000 {
            let bits = random.next_u64();
            let (ty, width, literal) = match random.below(8) {
                0 => ("half", 16, format!("0xH{:04X}", bits as u16)),
                1 => ("bfloat", 16, format!("0xR{:04X}", bits as u16)),
                2 => ("float", 32, format!("0x{:016X}", f64::from(f32::from_bits(bits as u32)).to_bits())),
                // Signalling and quiet NaNs with a payload that a float has.
                3 => (
                    "float",
                    32,
                    format!("0x{:016X}", bits >> 63 << 63 | 0x7FF << 52 | (bits as u32 as u64 >> 10 | 1) << 29),
                ),
                4 => ("double", 64, format!("0x{bits:X}")),
                5 => ("double", 64, format!("{:e}", f64::from_bits(bits % (0x7FF << 52))).replacen('e', ".0e", 1)),
                6 => ("double", 64, format!("-{}.{}e{}", bits >> 40, bits as u32, bits % 300)),
                _ => ("half", 16, format!("0x{:016X}", (widened(bits & 0x7BFF, 5, 10)).to_bits())),
            };
            let literal = if literal.matches('.').count() == 2 { literal.replacen(".0e", "e", 1) } else { literal };
            let _infallible = writeln!(
                text,
                "define i{width} @f{number}() {{\n  ret i{width} bitcast ({ty} {literal} to i{width})\n}}"
            );
        }
        for number in 2000..2500 {
            let bits = 1 + random.below(200) as u32;
            let digits: String = (0..1 + random.below(50)).map(|_| format!("{:X}", random.below(16))).collect();
            let prefix = ["u0x", "s0x"][random.below(2)];
            let _infallible = writeln!(text, "define i{bits} @f{number}() {{\n  ret i{bits} {prefix}{digits}\n}}");
        }
        let printed = tools.transform(&text, "instcombine").unwrap();
        let (ours, theirs) = (returned(&read(&text)), returned(&read(&printed)));
        assert_eq!(ours.len(), 2500);
        for (name, their) in &theirs {
            assert!(
                their.iter().flatten().all(|component| matches!(component, Component::Bits(_))),
                "{name}: {their:?}"
            );
            assert_eq!(&ours[name], their, "seed {seed}: @{name}");
        }
    }
}
