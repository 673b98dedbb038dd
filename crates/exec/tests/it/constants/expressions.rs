//! Constant expressions, folded: random ones against LLVM, and addresses by hand.

use reconverge_exec::constants::Resolved;
use reconverge_testing::llvm;
use reconverge_testing::rounds::seeds;

use crate::constants::{Numbered, random, read, returned};

/// An integer expression of some bits, of operations that LLVM 22 has in constants.
fn integer(random: &mut reconverge_testing::random::SplitMix64, bits: u32, depth: u32) -> String {
    let inner = |random: &mut _, bits| integer(random, bits, depth - 1);
    match if depth == 0 { 0 } else { random.below(7) } {
        1..=3 => {
            let (left, right) = (inner(random, bits), inner(random, bits));
            format!("{} (i{bits} {left}, i{bits} {right})", ["add", "sub", "xor"][random.below(3)])
        }
        4 if bits < 128 => {
            let wider = bits + 1 + random.below(40.min(128 - bits as usize)) as u32;
            format!("trunc (i{wider} {} to i{bits})", inner(random, wider))
        }
        5 => format!("ptrtoint (ptr inttoptr (i{bits} {} to ptr) to i{bits})", inner(random, bits)),
        6 => {
            let width = 1 + random.below(64) as u32;
            format!("ptrtoint (ptr getelementptr (i8, ptr null, i{width} {}) to i{bits})", inner(random, width))
        }
        _ => {
            let number =
                (u128::from(random.next_u64()) << 64 | u128::from(random.next_u64())) >> (128 - bits.min(128) / 2 - 1);
            format!("{}{number}", if random.percent(30) { "-" } else { "" })
        }
    }
}

#[test]
fn folded_as_llvm_folds() {
    let Some(tools) = llvm::tools() else { return };
    for seed in seeds(4) {
        let mut random = random(seed);
        let mut text = String::new();
        for number in 0..300 {
            let bits = if random.percent(50) { 64 } else { 1 + random.below(127) as u32 };
            let expression = integer(&mut random, bits, 4);
            text += &format!("define i{bits} @f{number}() {{\n  ret i{bits} {expression}\n}}\n");
        }
        let folded = tools.transform(&text, "instcombine").unwrap();
        let (ours, theirs) = (returned(&read(&text)), returned(&read(&folded)));
        for (name, their) in &theirs {
            assert_eq!(&ours[name], their, "seed {seed}: @{name}\n{text}");
        }
    }
}

#[test]
fn vectors_of_addresses_and_bits_cut_anew() {
    let text = "@x = global [4 x i32] zeroinitializer
define <2 x ptr> @f0() {
  ret <2 x ptr> getelementptr ([4 x i32], ptr @x, <2 x i64> splat (i64 0), <2 x i64> <i64 1, i64 -1>)
}
define i64 @f1() {
  ret i64 bitcast (<2 x i32> <i32 1, i32 2> to i64)
}
define <4 x i4> @f2() {
  ret <4 x i4> bitcast (half 0xH3C05 to <4 x i4>)
}
define i128 @f3() {
  ret i128 add (i128 18446744073709551615, i128 1)
}
define <2 x i16> @f4() {
  ret <2 x i16> bitcast (<4 x i8> <i8 1, i8 2, i8 undef, i8 undef> to <2 x i16>)
}
define i64 @f5() {
  ret i64 sub (i64 ptrtoint (ptr getelementptr (i32, ptr @x, i64 3) to i64), i64 ptrtoint (ptr @x to i64))
}
define i8 @f6() {
  ret i8 shl (i8 1, i8 9)
}
define ptr @f7() {
  ret ptr blockaddress(@f6, %0)
}
define i64 @f8() {
  ret i64 mul (i64 ptrtoint (ptr @x to i64), i64 3)
}
define {i8, [2 x float]} @f9() {
  ret {i8, [2 x float]} {i8 poison, [2 x float] [float 1.0, float undef]}
}
";
    let module = read(text);
    let mut lines: Vec<String> = returned(&module)
        .into_iter()
        .map(|(name, components)| match components {
            Ok(components) => {
                let resolved: Vec<_> = components.iter().map(|component| component.resolve(&Numbered)).collect();
                let one = |one: &Resolved| match one {
                    Resolved { poison: true, .. } => "poison".to_string(),
                    Resolved { undefined: 0, bits, .. } => format!("{bits:#x}"),
                    Resolved { undefined, bits, .. } => format!("{bits:#x} undef {undefined:#x}"),
                };
                format!("{name}: {}", resolved.iter().map(one).collect::<Vec<_>>().join(", "))
            }
            Err(error) => format!("{name}: {error}"),
        })
        .collect();
    lines.sort();
    expect_test::expect![[r#"
        [
            "f0: 0x1004, 0xffc",
            "f1: 0x200000001",
            "f2: 0x5, 0x0, 0xc, 0x3",
            "f3: 0x0, 0x1",
            "f4: 0x201, 0x0 undef 0xffff",
            "f5: 0xc",
            "f6: poison",
            "f7: 0x8008",
            "f8: 0x3000",
            "f9: poison, 0x3f800000, 0x0 undef 0xffffffff",
        ]
    "#]]
    .assert_debug_eq(&lines);
}
