//! Integer functions, against their definitions on 128-bit integers: every pair of 8-bit operands, and random wider ones.

use reconverge_exec::value::Scalar;
use reconverge_testing::rounds::{first_seed, times};

use crate::builtins::common::{Random, Scalars, low_bits};

/// Signed and unsigned types: the letter in mangled names, the number of bits, the sign.
const TYPES: [(char, u32, bool); 8] = [
    ('c', 8, true),
    ('h', 8, false),
    ('s', 16, true),
    ('t', 16, false),
    ('i', 32, true),
    ('j', 32, false),
    ('l', 64, true),
    ('m', 64, false),
];

#[derive(Clone, Copy)]
struct Type {
    bits: u32,
    signed: bool,
}

impl Type {
    fn value(self, bits: u64) -> i128 {
        let negative = self.signed && bits >> (self.bits - 1) & 1 == 1;
        i128::from(bits) - if negative { 1 << self.bits } else { 0 }
    }

    fn least(self) -> i128 {
        if self.signed { -(1 << (self.bits - 1)) } else { 0 }
    }

    fn greatest(self) -> i128 {
        self.least() + (1 << self.bits) - 1
    }

    fn wrap(self, value: i128) -> u64 {
        value as u64 & low_bits(self.bits)
    }
}

type Definition<const N: usize> = fn(Type, [i128; N]) -> i128;

const UNARY: [(&str, Definition<1>); 5] = [
    ("abs", |_, [a]| a.abs()),
    ("clz", |of, [a]| (0..of.bits).rev().take_while(|bit| a >> bit & 1 == 0).count() as i128),
    ("ctz", |of, [a]| (0..of.bits).take_while(|bit| a >> bit & 1 == 0).count() as i128),
    ("popcount", |of, [a]| (0..of.bits).filter(|bit| a >> bit & 1 == 1).count() as i128),
    ("bit_reverse", |of, [a]| (0..of.bits).map(|bit| (a >> bit & 1) << (of.bits - 1 - bit)).sum()),
];

const BINARY: [(&str, Definition<2>); 9] = [
    ("max", |_, [a, b]| a.max(b)),
    ("min", |_, [a, b]| a.min(b)),
    ("abs_diff", |_, [a, b]| (a - b).abs()),
    ("add_sat", |of, [a, b]| (a + b).max(of.least()).min(of.greatest())),
    ("sub_sat", |of, [a, b]| (a - b).max(of.least()).min(of.greatest())),
    ("hadd", |_, [a, b]| (a + b).div_euclid(2)),
    ("rhadd", |_, [a, b]| (a + b + 1).div_euclid(2)),
    ("mul_hi", |of, [a, b]| multiply_high(of, a, b)),
    ("rotate", |of, [a, b]| {
        let (bits, by) = (i128::from(of.bits), b.rem_euclid(i128::from(of.bits)));
        (0..bits).map(|bit| (a >> bit & 1) << ((bit + by) % bits)).sum()
    }),
];

const TERNARY: [(&str, Definition<3>); 3] = [
    ("clamp", |_, [a, low, high]| a.max(low).min(high)),
    ("mad_hi", |of, [a, b, c]| multiply_high(of, a, b) + c),
    ("mad_sat", |of, [a, b, c]| {
        // The product of two unsigned 64-bit integers can exceed what the sum has room for.
        let exact = a.checked_mul(b).and_then(|product| product.checked_add(c));
        exact.map_or(of.greatest(), |exact| exact.max(of.least()).min(of.greatest()))
    }),
];

/// The part of the product above the low bits, rounded down; computed in halves, as 128 bits with a sign are one too few.
fn multiply_high(of: Type, a: i128, b: i128) -> i128 {
    let half = 1 << 32;
    let (high, low) = (b.div_euclid(half), b.rem_euclid(half));
    // a·b = (a·high + ⌊a·low / 2³²⌋)·2³² + …
    if of.bits == 64 {
        (a * high + (a * low).div_euclid(half)).div_euclid(half)
    } else {
        (a * b).div_euclid(1 << of.bits)
    }
}

fn inputs<const N: usize>(of: Type, seed: u64) -> Vec<[u64; N]> {
    if of.bits == 8 && N <= 2 {
        return (0..1u64 << (8 * N)).map(|all| std::array::from_fn(|operand| all >> (8 * operand) & 0xff)).collect();
    }
    let mut random = Random(seed);
    (0..times(20_000)).map(|_| std::array::from_fn(|_| random.interesting(of.bits))).collect()
}

fn check<const N: usize>(functions: &[(&str, Definition<N>)]) {
    let seed = first_seed();
    for (letter, bits, signed) in TYPES {
        let of = Type { bits, signed };
        for (name, definition) in functions {
            let parameters: String = std::iter::repeat_n(letter, N).collect();
            let mangled = format!("_Z{}{name}{parameters}", name.len());
            let function = Scalars::new(&mangled, Scalar::Integer(bits), &[Scalar::Integer(bits); N]);
            function.for_each(inputs::<N>(of, seed).into_iter(), |operands, result| {
                let expected = of.wrap(definition(of, operands.map(|bits| of.value(bits))));
                assert_eq!(result, expected, "{mangled} of {operands:x?}, seed {seed}");
            });
        }
    }
}

#[test]
fn of_one_operand() {
    check(&UNARY);
}

#[test]
fn of_two_operands() {
    check(&BINARY);
}

#[test]
fn of_three_operands() {
    check(&TERNARY);
}

#[test]
fn every_pair_of_bytes_and_some_third_operands() {
    for (letter, signed) in [('c', true), ('h', false)] {
        let of = Type { bits: 8, signed };
        for (name, definition) in TERNARY {
            let function = Scalars::new(
                &format!("_Z{}{name}{letter}{letter}{letter}", name.len()),
                Scalar::Integer(8),
                &[Scalar::Integer(8); 3],
            );
            let inputs = (0..1u64 << 16)
                .flat_map(|ab| [0, 1, 2, 100, 126, 127, 128, 129, 200, 254, 255].map(|c| [ab & 0xff, ab >> 8, c]));
            function.for_each(inputs, |operands, result| {
                let expected = of.wrap(definition(of, operands.map(|bits| of.value(bits))));
                assert_eq!(result, expected, "{name} of {operands:x?}");
            });
        }
    }
}

#[test]
fn products_of_24_bits() {
    let seed = first_seed();
    let mut random = Random(seed);
    for (letter, signed) in [('i', true), ('j', false)] {
        let word = Type { bits: 32, signed };
        let part = Type { bits: 24, signed };
        let function =
            Scalars::new(&format!("_Z5mad24{letter}{letter}{letter}"), Scalar::Integer(32), &[Scalar::Integer(32); 3]);
        let inputs = (0..times(20_000)).map(|_| std::array::from_fn(|_| random.interesting(32)));
        function.for_each(inputs, |[a, b, c], result| {
            let low = |bits: u64| part.value(bits & 0xff_ffff);
            assert_eq!(result, word.wrap(low(a) * low(b) + word.value(c)), "{a:x} {b:x} {c:x}, seed {seed}");
        });
        let function =
            Scalars::new(&format!("_Z5mul24{letter}{letter}"), Scalar::Integer(32), &[Scalar::Integer(32); 2]);
        assert_eq!(function.call([0xff00_0003, 5]), 15);
    }
}

#[test]
fn upsample_joins_two_halves() {
    for (name, bits) in [("_Z8upsamplech", 8), ("_Z8upsamplehh", 8), ("_Z8upsamplest", 16), ("_Z8upsampleij", 32)] {
        let function = Scalars::new(name, Scalar::Integer(2 * bits), &[Scalar::Integer(bits); 2]);
        let mut random = Random(3);
        function.for_each(
            (0..1000).map(|_| std::array::from_fn(|_| random.interesting(bits))),
            |[high, low], result| {
                assert_eq!(u128::from(result), u128::from(high) * (1 << bits) + u128::from(low));
            },
        );
    }
}

#[test]
fn bit_fields() {
    let word = [Scalar::Integer(32); 4];
    let insert = Scalars::new("_Z15bitfield_insertiijj", Scalar::Integer(32), &word);
    let signed = Scalars::new("_Z23bitfield_extract_signedijj", Scalar::Integer(32), &word[..3]);
    let unsigned = Scalars::new("_Z25bitfield_extract_unsignedijj", Scalar::Integer(32), &word[..3]);
    let mut random = Random(5);
    for offset in 0..32u64 {
        for length in 0..=32 - offset {
            let (base, inserted) = (random.next() & 0xffff_ffff, random.next() & 0xffff_ffff);
            let in_field = |bit: u64| bit >= offset && bit < offset + length;
            let field = |bit: u64| if in_field(bit) { inserted >> (bit - offset) & 1 } else { base >> bit & 1 };
            assert_eq!(insert.call([base, inserted, offset, length]), (0..32).map(|bit| field(bit) << bit).sum());
            let bits: u64 = (0..length).map(|bit| (base >> (offset + bit) & 1) << bit).sum();
            assert_eq!(unsigned.call([base, offset, length]), bits);
            let negative = length > 0 && bits >> (length - 1) == 1;
            let expected = bits as i64 - if negative { 1 << length } else { 0 };
            assert_eq!(signed.call([base, offset, length]), expected as u64 & 0xffff_ffff);
        }
    }
}

#[test]
fn dot_products_of_bytes() {
    let seed = first_seed();
    let mut random = Random(seed);
    let types = [('s', true), ('u', false)];
    for (a_letter, a_signed) in types {
        for (b_letter, b_signed) in types {
            let signed = a_signed || b_signed;
            let (result, accumulator) = if signed { ("int", 'i') } else { ("uint", 'j') };
            let name = format!("dot_acc_sat_4x8packed_{a_letter}{b_letter}_{result}");
            let mangled = format!("_Z{}{name}jj{accumulator}", name.len());
            let function = Scalars::new(&mangled, Scalar::Integer(32), &[Scalar::Integer(32); 3]);
            let inputs = (0..times(5000)).map(|_| std::array::from_fn(|_| random.interesting(32)));
            function.for_each(inputs, |[a, b, c], result| {
                let byte = |signed, bits: u64, index: u32| Type { bits: 8, signed }.value(bits >> (8 * index) & 0xff);
                let word = Type { bits: 32, signed };
                let exact = (0..4).map(|index| byte(a_signed, a, index) * byte(b_signed, b, index)).sum::<i128>()
                    + word.value(c);
                let saturated = exact.max(word.least()).min(word.greatest());
                assert_eq!(result, word.wrap(saturated), "{mangled} {a:x} {b:x} {c:x}, seed {seed}");
            });
        }
    }
}

#[test]
fn those_of_cuda() {
    let word = Scalar::Integer(32);
    let unary = |name: &str, a: u64| Scalars::new(name, word, &[word]).call([a]);
    let binary = |name: &str, a: u64, b: u64| Scalars::new(name, word, &[word; 2]).call([a, b]);
    let minus_two = 0xffff_fffe;
    assert_eq!((binary("__nv_max", minus_two, 1), binary("__nv_umax", minus_two, 1)), (1, minus_two));
    assert_eq!((binary("__nv_mulhi", minus_two, 3), binary("__nv_umulhi", minus_two, 3)), (0xffff_ffff, 2));
    assert_eq!((unary("__nv_ffs", 0), unary("__nv_ffs", 0x50), unary("__nv_popc", 0xf0f0)), (0, 5, 8));
    assert_eq!((unary("__nv_brev", 1), unary("__nv_abs", minus_two), unary("abs", minus_two)), (0x8000_0000, 2, 2));
    let long = Scalar::Integer(64);
    assert_eq!(Scalars::new("__nv_clzll", word, &[long]).call([1 << 40]), 23);
    assert_eq!(Scalars::new("__nv_byte_perm", word, &[word; 3]).call([0x3322_1100, 0x7766_5544, 0x7041]), 0x7700_4411);
    assert_eq!(Scalars::new("__nv_usad", word, &[word; 3]).call([3, 10, 100]), 107);
    assert_eq!(Scalars::new("__nv_sad", word, &[word; 3]).call([minus_two, 10, 100]), 112);
    assert_eq!(
        Scalars::new("__nv_hiloint2double", Scalar::Double, &[word; 2]).call([0x3ff8_0000, 5]),
        0x3ff8_0000_0000_0005
    );
    assert_eq!(Scalars::new("__nv_double2hiint", word, &[Scalar::Double]).call([0x3ff8_0000_0000_0005]), 0x3ff8_0000);
    assert_eq!(Scalars::new("__nv_double2loint", word, &[Scalar::Double]).call([0x3ff8_0000_0000_0005]), 5);
    assert_eq!(Scalars::new("__ockl_mul_hi_u32", word, &[word; 2]).call([minus_two, 3]), 2);
    for (name, expected) in [("_Z17__spirv_ocl_s_maxii", 1), ("_Z17__spirv_ocl_u_maxii", minus_two)] {
        assert_eq!(binary(name, minus_two, 1), expected, "{name}");
    }
}
