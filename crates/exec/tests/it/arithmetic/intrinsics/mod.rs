//! A reference for each intrinsic that can be recognised.

mod examples;
mod folds;
mod integer;
mod nvvm;
mod real;

use reconverge_exec::arithmetic::{Intrinsic, intrinsics::names, recognise};
use reconverge_exec::value::{Scalar, Shape, Slot, component_count};

/// The type that a letter stands for.
pub(crate) fn scalar_of(letter: char) -> Scalar {
    match letter {
        'b' => Scalar::Integer(1),
        'y' => Scalar::Integer(8),
        's' => Scalar::Integer(16),
        'i' => Scalar::Integer(32),
        'l' => Scalar::Integer(64),
        'h' => Scalar::Half,
        'k' => Scalar::BFloat,
        'f' => Scalar::Float,
        'd' => Scalar::Double,
        'p' => Scalar::Pointer(0),
        _ => panic!("no type is {letter}"),
    }
}

/// The intrinsic with this name for these types.
pub(crate) fn known(name: &str, result: &[Scalar], operands: &[Shape]) -> Option<Intrinsic> {
    recognise(&format!("llvm.{name}"), result, operands)
}

/// Computes an intrinsic of scalars of at most 64 bits in one lane.
pub(crate) fn call(name: &str, types: &str, operands: &[u64]) -> Vec<u64> {
    let (from, to) = types.split_once('=').expect("types have a result");
    let from: Vec<Shape> = from.chars().map(|letter| vec![scalar_of(letter)]).collect();
    let to: Shape = to.chars().map(scalar_of).collect();
    let intrinsic = known(name, &to, &from).unwrap_or_else(|| panic!("{name} is not recognised for {types}"));
    let operands: Vec<Vec<Slot>> = operands.iter().map(|&bits| vec![Slot::splat(bits)]).collect();
    let operands: Vec<&[Slot]> = operands.iter().map(Vec::as_slice).collect();
    let mut out = vec![Slot::default(); component_count(&to)];
    assert_eq!(intrinsic.apply(&operands, 1, &mut out), 0, "{name}");
    assert!(out.iter().all(|slot| slot.poison & 1 == 0), "{name} {operands:x?}");
    out.iter().map(|slot| slot.bits[0]).collect()
}

#[test]
fn every_intrinsic_computes_what_its_reference_does() {
    let mut names: Vec<&str> = names().collect();
    names.sort_unstable();
    assert!(names.len() > 500);
    for name in names {
        let checks = [integer::check, real::check, nvvm::check, folds::check, examples::check];
        assert!(checks.map(|check| check(name)).contains(&true), "{name} has no reference");
    }
}

#[test]
fn names_have_types_behind_them() {
    let i32s = [Scalar::Integer(32)];
    let pair = || vec![i32s.to_vec(), i32s.to_vec()];
    assert!(known("smax.i32", &i32s, &pair()).is_some());
    assert!(known("smax", &i32s, &pair()).is_some());
    assert!(known("smax.v4i32", &i32s.repeat(4), &[i32s.repeat(4), i32s.repeat(4)]).is_some());
    for name in ["smax.max", "smax.i32.", "unknown.i32", "", "i32", "amdgcn.readlane.i32", "nvvm.fma.rn"] {
        assert!(known(name, &i32s, &pair()).is_none(), "{name}");
    }
    assert!(recognise("smax.i32", &i32s, &pair()).is_none());
    // Types that do not belong together.
    assert!(known("smax.i32", &i32s, &pair()[..1]).is_none());
    assert!(known("smax.i32", &[Scalar::Integer(16)], &pair()).is_none());
    assert!(known("smax.i32", &[], &pair()).is_none());
    assert!(known("smax.i32", &i32s, &[i32s.to_vec(), vec![]]).is_none());
    assert!(known("smax.v4i32", &i32s.repeat(4), &[i32s.repeat(4), i32s.repeat(3)]).is_none());
    assert!(known("smax.f32", &[Scalar::Float], &[vec![Scalar::Float], vec![Scalar::Float]]).is_none());
    assert!(known("sqrt.i32", &i32s, &[i32s.to_vec()]).is_none());
    assert!(known("bswap.i24", &[Scalar::Integer(24)], &[vec![Scalar::Integer(24)]]).is_none());
    assert!(known("sadd.with.overflow.i32", &i32s, &pair()).is_none());
    assert!(known("ucmp.i1.i32", &[Scalar::Integer(1)], &pair()).is_none());
}

#[test]
fn vectors_are_computed_element_by_element() {
    let i8s = |count| vec![Scalar::Integer(8); count];
    // Results with several parts come one part after the other.
    let result = [i8s(3), vec![Scalar::Integer(1); 3]].concat();
    let intrinsic = known("uadd.with.overflow.v3i8", &result, &[i8s(3), i8s(3)]).expect("is known");
    let vector = |numbers: [u64; 3]| numbers.map(Slot::splat).to_vec();
    let mut out = vec![Slot::default(); 6];
    let faults = intrinsic.apply(&[&vector([1, 200, 255]), &vector([2, 100, 1])], u64::MAX, &mut out);
    assert_eq!((faults, out.iter().map(|slot| slot.bits[63]).collect::<Vec<_>>()), (0, vec![3, 44, 0, 0, 1, 1]));
    // An operand may be one for all.
    let intrinsic = known("abs.v3i8", &i8s(3), &[i8s(3), vec![Scalar::Integer(1)]]).expect("is known");
    let mut out = vec![Slot::default(); 3];
    intrinsic.apply(&[&vector([1, 0x80, 0xff]), &[Slot::splat(1)]], 0b11, &mut out);
    assert_eq!((out[0].bits[0], out[1].poison & 0b11, out[2].bits[0]), (1, 0b11, 1));
    // Elements of two components each.
    let wide = |count| vec![Scalar::Integer(100); count];
    let intrinsic = known("umax.v2i100", &wide(2), &[wide(2), wide(2)]).expect("is known");
    let mut out = vec![Slot::default(); 4];
    let operands = [[1, 2, 3, 4], [5, 1, 1, 9]].map(|numbers| numbers.map(Slot::splat));
    intrinsic.apply(&[&operands[0], &operands[1]], 1, &mut out);
    assert_eq!(out.iter().map(|slot| slot.bits[0]).collect::<Vec<_>>(), [1, 2, 1, 9]);
    // A vector to a struct of a number and an integer.
    let f32s = vec![Scalar::Float; 2];
    let intrinsic = known("frexp.v2f32.v2i32", &[f32s.clone(), vec![Scalar::Integer(32); 2]].concat(), &[f32s]);
    let mut out = vec![Slot::default(); 4];
    let operands = [8.0f32, -0.75].map(|value| Slot::splat(value.to_bits().into()));
    intrinsic.expect("is known").apply(&[&operands], 1, &mut out);
    let expected = [0.5f32, -0.75].map(|value| u64::from(value.to_bits()));
    assert_eq!(out.iter().map(|slot| slot.bits[0]).collect::<Vec<_>>(), [expected[0], expected[1], 4, 0]);
}
