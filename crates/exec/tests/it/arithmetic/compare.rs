use reconverge_exec::arithmetic::{fcmp, float, freeze, icmp, nonzero_lanes, select};
use reconverge_exec::value::{Scalar, Slot, WIDTH};
use reconverge_ir::opcode::{Flags, Predicate};

use crate::arithmetic::bits;
use crate::arithmetic::harness::{
    FORMATS, WIDTHS, full_wave, numbers, random_float, random_limbs, randomly, to_bits, with_lanes,
};

const INTEGER: [Predicate; 10] = [
    Predicate::Eq,
    Predicate::Ne,
    Predicate::Ugt,
    Predicate::Uge,
    Predicate::Ult,
    Predicate::Ule,
    Predicate::Sgt,
    Predicate::Sge,
    Predicate::Slt,
    Predicate::Sle,
];

fn compare_scalars(scalar: Scalar, a: &[Vec<u64>], b: &[Vec<u64>]) {
    let width = scalar.bits() as usize;
    let (left, right) = (with_lanes(scalar, a), with_lanes(scalar, b));
    for predicate in INTEGER {
        for flags in [Flags::default(), Flags::SAMESIGN] {
            let mut out = Slot::splat(77);
            icmp(predicate, flags, scalar, &left, &right, &mut out);
            for lane in 0..a.len() {
                let (x, y) = (to_bits(&a[lane], width), to_bits(&b[lane], width));
                let unsigned = bits::less(&x, &y);
                let signed = match (bits::negative(&x), bits::negative(&y)) {
                    (true, false) => true,
                    (false, true) => false,
                    _ => unsigned,
                };
                let expected = match predicate {
                    Predicate::Eq => x == y,
                    Predicate::Ne => x != y,
                    Predicate::Ugt => !unsigned && x != y,
                    Predicate::Uge => !unsigned,
                    Predicate::Ult => unsigned,
                    Predicate::Ule => unsigned || x == y,
                    Predicate::Sgt => !signed && x != y,
                    Predicate::Sge => !signed,
                    Predicate::Slt => signed,
                    _ => signed || x == y,
                };
                let poison = !flags.is_empty() && bits::negative(&x) != bits::negative(&y);
                assert_eq!(out.poison >> lane & 1 != 0, poison);
                assert_eq!(
                    out.bits[lane],
                    u64::from(expected),
                    "{predicate:?} {scalar:?} {:x?}, {:x?}",
                    a[lane],
                    b[lane]
                );
            }
        }
    }
}

pub(crate) fn integers() {
    for width in 1..=3 {
        let pairs = (0..1u64 << width).flat_map(|a| (0..1u64 << width).map(move |b| (vec![a], vec![b])));
        let (a, b): (Vec<_>, Vec<_>) = pairs.unzip();
        compare_scalars(Scalar::Integer(width), &a, &b);
    }
    randomly(3, |random| {
        let pointers = [Scalar::Pointer(0), Scalar::Pointer(3)];
        for scalar in WIDTHS.map(Scalar::Integer).into_iter().chain(pointers) {
            let a = full_wave(|| random_limbs(random, scalar.bits()));
            let b = (0..WIDTH).map(|lane| match random.below(4) {
                0 => a[lane].clone(),
                _ => random_limbs(random, scalar.bits()),
            });
            let b: Vec<_> = b.collect();
            compare_scalars(scalar, &a, &b);
        }
    });
}

/// Which of less, equal, greater and unordered a predicate means.
fn orderings(predicate: Predicate) -> Option<[bool; 4]> {
    let (l, e, g, u) = (0, 1, 2, 3);
    let set: &[usize] = match predicate {
        Predicate::False => &[],
        Predicate::Oeq => &[e],
        Predicate::Ogt => &[g],
        Predicate::Oge => &[g, e],
        Predicate::Olt => &[l],
        Predicate::Ole => &[l, e],
        Predicate::One => &[l, g],
        Predicate::Ord => &[l, e, g],
        Predicate::Uno => &[u],
        Predicate::Ueq => &[u, e],
        Predicate::Ugt => &[u, g],
        Predicate::Uge => &[u, g, e],
        Predicate::Ult => &[u, l],
        Predicate::Ule => &[u, l, e],
        Predicate::Une => &[u, l, g],
        Predicate::True => &[l, e, g, u],
        _ => return None,
    };
    Some([l, e, g, u].map(|ordering| set.contains(&ordering)))
}

pub(crate) fn floats() {
    assert_eq!(Predicate::ALL.iter().filter(|&&predicate| orderings(predicate).is_some()).count(), 16);
    randomly(3, |random| {
        for scalar in FORMATS {
            let a: Vec<u64> = (0..WIDTH).map(|_| random_float(random, scalar)).collect();
            let b: Vec<u64> =
                a.iter().map(|&a| if random.percent(20) { a } else { random_float(random, scalar) }).collect();
            for &predicate in Predicate::ALL {
                let Some(holds) = orderings(predicate) else { continue };
                let mut out = Slot::default();
                fcmp(predicate, Flags::default(), scalar, &numbers(&a), &numbers(&b), &mut out);
                for lane in 0..WIDTH {
                    let [x, y] = [a[lane], b[lane]].map(|bits| float::decode(scalar, bits));
                    let ordering = x.partial_cmp(&y).map_or(3, |ordering| ordering as i8 as usize);
                    let index = if ordering == usize::MAX {
                        0
                    } else if ordering == 3 {
                        3
                    } else {
                        ordering + 1
                    };
                    assert_eq!(out.bits[lane] != 0, holds[index], "{predicate:?} {x} {y}");
                }
                assert_eq!(out.poison, 0);
            }
        }
    });
    let (nan, infinity) = (f32::NAN.to_bits().into(), f32::INFINITY.to_bits().into());
    let a = numbers(&[0, nan, infinity]);
    let mut out = Slot::default();
    for (flags, poison) in [(Flags::NNAN, 0b010), (Flags::NINF, 0b100), (Flags::FAST, 0b110), (Flags::NSZ, 0)] {
        fcmp(Predicate::Olt, flags, Scalar::Float, &a, &numbers(&[0; 64]), &mut out);
        assert_eq!(out.poison, poison);
    }
}

pub(crate) fn selects() {
    let scalar = Scalar::Integer(32);
    let condition = {
        let mut slot = numbers(&[1, 0, 1, 0, 1, 0, 0, 0]);
        slot.poison = 0b1000_0000;
        let mut open = [0; WIDTH];
        (open[5], open[6]) = (1, 1);
        slot.undefined = Some(Box::new(open));
        slot
    };
    let mut a = numbers(&[10, 11, 12, 13, 14, 0b1100, 16, 17]);
    let mut b = numbers(&[20, 21, 22, 23, 24, 0b1010, 26, 27]);
    (a.poison, b.poison) = (0b0101_0010, 0b0000_0001);
    let mut open = [0; WIDTH];
    (open[0], open[1], open[3]) = (0b100, 0b100, 0b1000);
    b.bits[1] = 0b10001;
    b.undefined = Some(Box::new(open));
    let mut out = [Slot::default()];
    select(Flags::default(), scalar, &condition, &[a], &[b], &mut out);
    let [out] = out;
    // The chosen one of 0 and 1 is sound, that of 4 is poison; 6 may choose poison; 7 does not know.
    assert_eq!(out.poison & 0xff, 0b1101_0000);
    assert_eq!(out.bits[..4], [10, 0b10001, 12, 23 & !0b1000]);
    let open: Vec<u64> = (0..6).map(|lane| out.undefined_bits(lane)).collect();
    assert_eq!(open, [0, 0b100, 0, 0b1000, 0, 0b0110]);
    assert_eq!(out.bits[5], 0b1000);

    // Several components, and what is not chosen does not break promises.
    let mut out = [Slot::default(), Slot::default()];
    let (x, y) = (
        with_lanes(Scalar::Integer(100), &vec![vec![1, 2]; 2]),
        with_lanes(Scalar::Integer(100), &vec![vec![3, 4]; 2]),
    );
    select(Flags::default(), Scalar::Integer(100), &numbers(&[0, 1]), &x, &y, &mut out);
    assert_eq!([out[0].bits[0], out[1].bits[0], out[0].bits[1], out[1].bits[1]], [3, 4, 1, 2]);
    let nan = [numbers(&[f64::NAN.to_bits(); 2])];
    let mut out = [Slot::default()];
    select(Flags::NNAN, Scalar::Double, &numbers(&[0, 1]), &nan, &[numbers(&[0; 2])], &mut out);
    assert_eq!(out[0].poison, 0b10);
}

pub(crate) fn freezes() {
    let mut slot = numbers(&[5, 6, 7]);
    slot.poison = 0b010;
    let mut open = [0; WIDTH];
    open[2] = 0b1000;
    slot.undefined = Some(Box::new(open));
    let mut out = Slot::splat(9);
    freeze(&slot, &mut out);
    assert_eq!((&out.bits[..3], out.poison, out.undefined.is_none()), (&[5, 0, 7][..], 0, true));
}

#[test]
fn lanes_that_are_not_zero() {
    let mut slot = Slot::default();
    for lane in [0, 3, 17, 63] {
        slot.bits[lane] = 1 << lane;
    }
    assert_eq!(nonzero_lanes(&slot.bits), 1 | 1 << 3 | 1 << 17 | 1 << 63);
}
