//! Comparisons, choices, permutations, geometric functions, and what poison and `undef` do.

use reconverge_exec::value::{Mask, Scalar, Slot, WIDTH};

use crate::builtins::common::{Random, Scalars, pure, vector_call};

const FLOAT: Scalar = Scalar::Float;
const WORD: Scalar = Scalar::Integer(32);
const BYTE: Scalar = Scalar::Integer(8);

fn bits(elements: &[f32]) -> Vec<u64> {
    elements.iter().map(|x| u64::from(x.to_bits())).collect()
}

fn floats(elements: &[u64]) -> Vec<f32> {
    elements.iter().map(|&bits| f32::from_bits(bits as u32)).collect()
}

#[test]
fn comparisons() {
    let values = [1.0, 2.0, -0.0, 0.0, f32::NAN, f32::INFINITY, 1e-40, -1.0];
    type Relation = fn(f32, f32) -> bool;
    let relations: [(&str, Relation); 9] = [
        ("isequal", |a, b| a == b),
        ("isnotequal", |a, b| a != b),
        ("isgreater", |a, b| a > b),
        ("isgreaterequal", |a, b| a >= b),
        ("isless", |a, b| a < b),
        ("islessequal", |a, b| a <= b),
        ("islessgreater", |a, b| a < b || b < a),
        ("isordered", |a, b| a.partial_cmp(&b).is_some()),
        ("isunordered", |a, b| a.partial_cmp(&b).is_none()),
    ];
    for (name, relation) in relations {
        let scalar = Scalars::new(&format!("_Z{}{name}ff", name.len()), WORD, &[FLOAT; 2]);
        for a in values {
            for b in values {
                let result = scalar.call([u64::from(a.to_bits()), u64::from(b.to_bits())]);
                assert_eq!(result, u64::from(relation(a, b)), "{name} {a} {b}");
                let (x, y) = (bits(&[a, b]), bits(&[b, b]));
                let vector = format!("_Z{}{name}Dv2_fS_", name.len());
                let truth = |holds| if holds { 0xffff_ffff } else { 0 };
                assert_eq!(
                    vector_call(&vector, &[WORD; 2], &[(FLOAT, &x), (FLOAT, &y)]),
                    [truth(relation(a, b)), truth(relation(b, b))],
                    "{name} {a} {b}"
                );
            }
        }
    }
    type Class = fn(f32) -> bool;
    let classes: [(&str, Class); 5] = [
        ("isnan", f32::is_nan),
        ("isinf", f32::is_infinite),
        ("isfinite", f32::is_finite),
        ("isnormal", f32::is_normal),
        ("signbit", f32::is_sign_negative),
    ];
    for (name, class) in classes {
        let scalar = Scalars::new(&format!("_Z{}{name}f", name.len()), WORD, &[FLOAT]);
        for a in values {
            assert_eq!(scalar.call([u64::from(a.to_bits())]), u64::from(class(a)), "{name} {a}");
        }
    }
    let normal = Scalars::new("_Z8isnormalDh", WORD, &[Scalar::Half]);
    assert_eq!([0x3ff, 0x400, 0x7c00, 0x8000, 0xc000].map(|half| normal.call([half])), [0, 1, 0, 0, 1]);
    let doubles = [1.0f64, f64::NAN].map(f64::to_bits);
    assert_eq!(vector_call("_Z5isnanDv2_d", &[Scalar::Integer(64); 2], &[(Scalar::Double, &doubles)]), [0, u64::MAX]);
    assert_eq!(vector_call("_Z13__spirv_IsNanDv2_d", &[Scalar::Integer(1); 2], &[(Scalar::Double, &doubles)]), [0, 1]);
}

#[test]
fn choices() {
    assert_eq!(vector_call("_Z6selectffi", &[FLOAT], &[(FLOAT, &[1]), (FLOAT, &[2]), (WORD, &[1])]), [2]);
    assert_eq!(vector_call("_Z6selectffi", &[FLOAT], &[(FLOAT, &[1]), (FLOAT, &[2]), (WORD, &[0])]), [1]);
    let mask = [1, 0x8000_0000];
    assert_eq!(
        vector_call("_Z6selectDv2_fS_Dv2_i", &[FLOAT; 2], &[(FLOAT, &[1, 2]), (FLOAT, &[3, 4]), (WORD, &mask)]),
        [1, 4]
    );
    assert_eq!(
        vector_call(
            "_Z9bitselectDv2_jS_S_",
            &[WORD; 2],
            &[(WORD, &[0, 0xff]), (WORD, &[0xff, 0]), (WORD, &[0x0f, 0xf0])]
        ),
        [0x0f, 0x0f]
    );
    for (elements, any, all) in [([1, 2], 0, 0), ([0x80, 1], 1, 0), ([0xff, 0x80], 1, 1)] {
        assert_eq!(vector_call("_Z3anyDv2_c", &[WORD], &[(BYTE, &elements)]), [any], "{elements:?}");
        assert_eq!(vector_call("_Z3allDv2_c", &[WORD], &[(BYTE, &elements)]), [all], "{elements:?}");
    }
}

#[test]
fn permutations() {
    let source: Vec<u64> = (10..26).collect();
    let mut random = Random(1);
    for (letters, from, to) in [("Dv2_cDv4_h", 2, 4), ("Dv16_cDv8_h", 16, 8), ("Dv4_cDv2_h", 4, 2)] {
        for _ in 0..50 {
            let mask: Vec<u64> = (0..to).map(|_| random.next() & 0xff).collect();
            let expected: Vec<u64> = mask.iter().map(|index| source[*index as usize % from]).collect();
            let name = format!("_Z7shuffle{letters}");
            assert_eq!(vector_call(&name, &vec![BYTE; to], &[(BYTE, &source[..from]), (BYTE, &mask)]), expected);
        }
    }
    let second = [50, 51, 52, 53];
    let name = "_Z8shuffle2Dv4_hS_Dv8_h";
    let mask = [0, 4, 7, 3, 12, 8, 1, 255];
    assert_eq!(
        vector_call(name, &[BYTE; 8], &[(BYTE, &source[..4]), (BYTE, &second), (BYTE, &mask)]),
        [10, 50, 53, 13, 50, 10, 11, 53]
    );
}

#[test]
fn the_same_bits_as_another_type() {
    assert_eq!(vector_call("_Z6as_intf", &[WORD], &[(FLOAT, &[0x3f80_0000])]), [0x3f80_0000]);
    assert_eq!(vector_call("_Z9as_uchar4j", &[BYTE; 4], &[(WORD, &[0x0403_0201])]), [1, 2, 3, 4]);
    assert_eq!(
        vector_call("_Z8as_ulongDv4_s", &[Scalar::Integer(64)], &[(Scalar::Integer(16), &[1, 2, 3, 4])]),
        [0x4_0003_0002_0001]
    );
    assert_eq!(vector_call("_Z8as_uint3Dv4_f", &[WORD; 3], &[(FLOAT, &[7, 8, 9, 10])]), [7, 8, 9]);
    let function = pure("_Z7as_int2Dv4_s", &[WORD; 2], &[vec![Scalar::Integer(16); 4]]);
    let mut source = vec![Slot::splat(0x11); 4];
    source[1].poison = 0b01;
    let mut undefined = [0; WIDTH];
    undefined[1] = 0xf000;
    source[3].undefined = Some(Box::new(undefined));
    let mut out = [Slot::default(), Slot::default()];
    function.apply(&[&source], Mask::MAX, &mut out);
    assert_eq!([out[0].poison, out[1].poison], [0b01, 0]);
    assert_eq!([out[0].undefined_bits(1), out[1].undefined_bits(1), out[1].undefined_bits(0)], [0, 0xf000_0000, 0]);
    assert_eq!(out[1].bits[1], 0x0011_0011);
}

#[test]
fn geometry() {
    let (a, b) = (bits(&[1.0, 2.0, 3.0]), bits(&[4.0, -5.0, 6.0]));
    let pair: [(Scalar, &[u64]); 2] = [(FLOAT, &a), (FLOAT, &b)];
    assert_eq!(floats(&vector_call("_Z3dotDv3_fS_", &[FLOAT], &pair)), [12.0]);
    assert_eq!(floats(&vector_call("_Z5crossDv3_fS_", &[FLOAT; 3], &pair)), [27.0, 6.0, -13.0]);
    let (a4, b4) = (bits(&[1.0, 2.0, 3.0, 9.0]), bits(&[4.0, -5.0, 6.0, 9.0]));
    assert_eq!(
        floats(&vector_call("_Z5crossDv4_fS_", &[FLOAT; 4], &[(FLOAT, &a4), (FLOAT, &b4)])),
        [27.0, 6.0, -13.0, 0.0]
    );
    let (origin, point) = (bits(&[1.0, 1.0]), bits(&[4.0, 5.0]));
    for name in ["_Z8distanceDv2_fS_", "_Z13fast_distanceDv2_fS_"] {
        assert_eq!(floats(&vector_call(name, &[FLOAT], &[(FLOAT, &origin), (FLOAT, &point)])), [5.0]);
    }
    let length = |elements: &[f32]| floats(&vector_call("_Z6lengthDv2_f", &[FLOAT], &[(FLOAT, &bits(elements))]))[0];
    assert_eq!(
        [length(&[3.0, -4.0]), length(&[0.0, 0.0]), length(&[f32::INFINITY, f32::NAN])],
        [5.0, 0.0, f32::INFINITY]
    );
    assert!(length(&[0.0, f32::NAN]).is_nan());
    let double = |elements: [f64; 2]| {
        vector_call("_Z6lengthDv2_d", &[Scalar::Double], &[(Scalar::Double, &elements.map(f64::to_bits))])[0]
    };
    assert_eq!([double([3e300, 4e300]), double([3e-320, 0.0])], [5e300f64.to_bits(), 3e-320f64.to_bits()]);
    let unit = |elements: &[f32]| floats(&vector_call("_Z9normalizeDv2_f", &[FLOAT; 2], &[(FLOAT, &bits(elements))]));
    assert_eq!(unit(&[3.0, -4.0]), [0.6, -0.8]);
    assert_eq!(unit(&[0.0, -0.0]), [0.0, -0.0]);
    assert_eq!(unit(&[f32::INFINITY, 1.0]), [1.0, 0.0]);
}

#[test]
fn scalars_count_as_vectors_of_equal_elements() {
    let vector = bits(&[-1.0, 0.5, 2.0, 7.0]);
    let (low, high) = (bits(&[0.0]), bits(&[1.0]));
    let clamped = vector_call("_Z5clampDv4_fff", &[FLOAT; 4], &[(FLOAT, &vector), (FLOAT, &low), (FLOAT, &high)]);
    assert_eq!(floats(&clamped), [0.0, 0.5, 1.0, 1.0]);
    let stepped = vector_call("_Z4stepfDv4_f", &[FLOAT; 4], &[(FLOAT, &high), (FLOAT, &vector)]);
    assert_eq!(floats(&stepped), [0.0, 0.0, 1.0, 1.0]);
    let scaled = vector_call("_Z5ldexpDv4_fi", &[FLOAT; 4], &[(FLOAT, &vector), (WORD, &[3])]);
    assert_eq!(floats(&scaled), [-8.0, 4.0, 16.0, 56.0]);
    let greatest = vector_call("_Z3maxDv2_cc", &[BYTE; 2], &[(BYTE, &[0xff, 5]), (BYTE, &[1])]);
    assert_eq!(greatest, [1, 5]);
}

#[test]
fn poison_and_undef_reach_the_elements_that_depend_on_them() {
    let mut a = vec![Slot::splat(7), Slot::splat(9)];
    let b = vec![Slot::splat(3), Slot::splat(4)];
    a[0].poison = 0b10;
    let mut undefined = [0; WIDTH];
    undefined[3] = 1;
    a[1].undefined = Some(Box::new(undefined));
    let run = |name: &str, result: &[Scalar]| {
        let mut out = vec![Slot::splat(0xdead); result.len()];
        pure(name, result, &[vec![WORD; 2], vec![WORD; 2]]).apply(&[&a, &b], Mask::MAX, &mut out);
        out
    };
    let out = run("_Z3maxDv2_jS_", &[WORD; 2]);
    assert_eq!([out[0].poison, out[1].poison], [0b10, 0]);
    assert_eq!([out[0].undefined_lanes(), out[1].undefined_lanes()], [0, 0b1000]);
    assert_eq!([out[0].bits[0], out[1].bits[0], out[1].undefined_bits(3)], [7, 9, 0xffff_ffff]);
    let float = |mask: Mask| {
        let slots = vec![Slot { poison: mask, ..Slot::splat(0) }, Slot::splat(0)];
        let mut out = [Slot::default()];
        pure("_Z6lengthDv2_f", &[FLOAT], &[vec![FLOAT; 2]]).apply(&[&slots], Mask::MAX, &mut out);
        out[0].poison
    };
    assert_eq!(float(0b101), 0b101);
    // A permutation takes over only what it selects.
    let mask = vec![Slot::splat(1), Slot::splat(0)];
    let mut out = vec![Slot::default(); 2];
    pure("_Z7shuffleDv2_jS_", &[WORD; 2], &[vec![WORD; 2], vec![WORD; 2]]).apply(&[&a, &mask], Mask::MAX, &mut out);
    assert_eq!([out[0].poison, out[1].poison, out[0].undefined_bits(3), out[1].undefined_bits(3)], [0, 0b10, 1, 0]);
}
