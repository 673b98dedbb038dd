//! Conversions of scalars, and `bitcast` of anything. Conversions of pointers are not here.

use reconverge_ir::opcode::{Flags, Opcode};

use crate::value::{Lanes, Mask, Scalar, Slot, WIDTH, low_bits};

use super::binary::finish_float;
use super::float::{Rounding, decode, encode, round};
use super::integer::{Integer, Narrow, with_width};
use super::lanes::{load, map, poison, set_poison, set_undefined, store, undefined, violations};

/// Converts a scalar: `trunc`, `zext`, `sext`, `fptrunc`, `fpext`, `fptoui`, `fptosi`, `uitofp` and `sitofp`.
///
/// A number that is out of range of the integer type is poison, and so is one that breaks what `nuw`, `nsw` or `nneg`
/// promises.
pub fn cast(opcode: Opcode, flags: Flags, from: Scalar, to: Scalar, a: &[Slot], out: &mut [Slot]) {
    match opcode {
        Opcode::Trunc | Opcode::ZExt | Opcode::SExt => return resize(opcode, flags, from.bits(), to.bits(), a, out),
        Opcode::FPTrunc | Opcode::FPExt => {
            match (from, to) {
                (Scalar::Float, Scalar::Double) => {
                    map(&mut out[0].bits, &a[0].bits, |bits| f64::from(f32::from_bits(bits as u32)).to_bits());
                }
                (_, Scalar::Half) => map(&mut out[0].bits, &a[0].bits, |bits| encode(Scalar::Half, decode(from, bits))),
                (Scalar::Half, _) => map(&mut out[0].bits, &a[0].bits, |bits| encode(to, decode(Scalar::Half, bits))),
                _ => map(&mut out[0].bits, &a[0].bits, |bits| encode(to, decode(from, bits))),
            }
            return finish_float(flags, from, &[&a[0]], to, &mut out[0]);
        }
        _ => {}
    }
    let open = undefined(a);
    set_poison(out, poison(a));
    match opcode {
        Opcode::FPToUI | Opcode::FPToSI => {
            let (signed, width) = (opcode == Opcode::FPToSI, to.bits());
            if width <= 64 {
                out[0].poison |= to_narrow_integers(from, width, signed, &a[0].bits, &mut out[0].bits) & !open;
                return set_undefined(out, width, open);
            }
            with_width!(to.bits(), I => for lane in 0..WIDTH {
                match integer_from_float::<I>(decode(from, a[0].bits[lane]), to.bits(), signed) {
                    Some(number) => store(out, lane, &number),
                    None => out.iter_mut().for_each(|slot| slot.poison |= 1 << lane),
                }
            });
        }
        _ => {
            let signed = opcode == Opcode::SIToFP;
            let width = from.bits();
            if flags.contains(Flags::NNEG) {
                out[0].poison |= negative_lanes(width, a) & !open;
            }
            if let (..=64, Scalar::Float | Scalar::Double) = (width, to) {
                let above = 64 - width;
                let extended = |bits: u64| (bits << above) as i64 >> above;
                match (signed, to) {
                    (true, Scalar::Float) => {
                        map(&mut out[0].bits, &a[0].bits, |bits| (extended(bits) as f32).to_bits().into())
                    }
                    (true, _) => map(&mut out[0].bits, &a[0].bits, |bits| (extended(bits) as f64).to_bits()),
                    (false, Scalar::Float) => map(&mut out[0].bits, &a[0].bits, |bits| (bits as f32).to_bits().into()),
                    (false, _) => map(&mut out[0].bits, &a[0].bits, |bits| (bits as f64).to_bits()),
                }
            } else {
                with_width!(width, I => for lane in 0..WIDTH {
                    out[0].bits[lane] = float_from_integer(&load::<I>(a, width, lane), signed, to);
                });
            }
        }
    }
    set_undefined(out, to.bits(), open);
}

/// Converts to integers of at most 64 bits. The answer is the lanes with a number that is out of range.
fn to_narrow_integers(from: Scalar, width: u32, signed: bool, a: &Lanes, out: &mut Lanes) -> Mask {
    let mask = low_bits(width);
    let end = 2f64.powi(width as i32 - i32::from(signed));
    let start = if signed { -end } else { 0.0 };
    // The integral part is compared, so that what is rounded to a limit counts as that.
    let fits = |value: f64| (value.trunc() >= start) & (value.trunc() < end);
    match signed {
        true => map(out, a, |bits| decode(from, bits) as i64 as u64 & mask),
        false => map(out, a, |bits| decode(from, bits) as u64 & mask),
    }
    violations(a, a, |bits, _| u64::from(!fits(decode(from, bits))))
}

/// The integral part of a number, if an integer of this width can be it.
pub fn integer_from_float<I: Integer>(value: f64, width: u32, signed: bool) -> Option<I> {
    if !value.is_finite() {
        return None;
    }
    let bits = value.to_bits();
    // Subnormal numbers are zero here.
    let (significand, exponent) = (bits & ((1 << 52) - 1) | 1 << 52, (bits >> 52 & 0x7ff) as i32 - 1075);
    let significand =
        if exponent < 0 { significand.checked_shr(exponent.unsigned_abs()).unwrap_or(0) } else { significand };
    let shift = exponent.max(0) as u32;
    let used = if significand == 0 { 0 } else { 64 - significand.leading_zeros() + shift };
    let negative = value.is_sign_negative();
    if used > width || negative && !signed && used > 0 {
        return None;
    }
    let magnitude = I::small(width, significand).shl(shift);
    let number = if negative { magnitude.neg() } else { magnitude };
    (!signed || used == 0 || number.is_negative() == negative).then_some(number)
}

/// The integral part of a number, or the nearest integer of this width; zero for a NaN.
pub fn saturate(width: u32, signed: bool, value: f64) -> u64 {
    let nearest = || match (value.is_nan(), signed, value > 0.0) {
        (true, ..) | (_, false, false) => Narrow::small(width, 0),
        (_, false, true) => Narrow::ones(width),
        (_, true, false) => Narrow::signed_min(width),
        (_, true, true) => Narrow::signed_max(width),
    };
    integer_from_float(value, width, signed).unwrap_or_else(nearest).bits()
}

/// The floating-point number nearest to an integer.
pub fn float_from_integer<I: Integer>(number: &I, signed: bool, to: Scalar) -> u64 {
    let negative = signed && number.is_negative();
    let magnitude = if negative { number.neg() } else { number.clone() };
    let below = (number.width() - magnitude.leading_zeros()).saturating_sub(64);
    let rest = below > 0 && magnitude.trailing_zeros() < below;
    round(to, Rounding::Nearest, negative, magnitude.lshr(below).low() | u64::from(rest), below as i32)
}

/// The lanes in which the sign bit of an integer is set.
fn negative_lanes(width: u32, a: &[Slot]) -> Mask {
    let (top, bits) = ((width - 1) % 64, &a[a.len() - 1].bits);
    violations(bits, bits, |bits, _| bits >> top & 1)
}

fn resize(opcode: Opcode, flags: Flags, from: u32, to: u32, a: &[Slot], out: &mut [Slot]) {
    let signed = opcode == Opcode::SExt;
    set_poison(out, poison(a));
    for (index, slot) in (0..).zip(out.iter_mut()) {
        resized_component(from, to, signed, index, |index| &a[index].bits, &mut slot.bits);
    }
    let open = undefined(a);
    let poison = match opcode {
        Opcode::ZExt if flags.contains(Flags::NNEG) => negative_lanes(from, a),
        Opcode::Trunc if from <= 64 => {
            let bits = &a[0].bits;
            let signed = |bits: u64, width: u32| (bits << (64 - width)) as i64 >> (64 - width);
            let mut poison = 0;
            if flags.contains(Flags::NUW) {
                poison |= violations(bits, bits, |bits, _| bits & !low_bits(to));
            }
            if flags.contains(Flags::NSW) {
                poison |= violations(bits, bits, |bits, _| (signed(bits, from) ^ signed(bits, to)) as u64);
            }
            poison
        }
        Opcode::Trunc => {
            let returns = |signed| {
                with_width!(from, I => (0..WIDTH).fold(0, |mask, lane| {
                    let number: I = load(a, from, lane);
                    mask | Mask::from(number.resize::<I>(to, signed).resize::<I>(from, signed) == number) << lane
                }))
            };
            let mut poison = 0;
            if flags.contains(Flags::NUW) {
                poison |= !returns(false);
            }
            if flags.contains(Flags::NSW) {
                poison |= !returns(true);
            }
            poison
        }
        _ => 0,
    };
    let poison = poison & !open;
    if poison != 0 {
        out.iter_mut().for_each(|slot| slot.poison |= poison);
    }
    if open != 0 {
        const NONE: Lanes = [0; WIDTH];
        for (index, slot) in (0..).zip(out) {
            let mut bits = Box::new(NONE);
            let source = |index: usize| a[index].undefined.as_ref().map_or(&NONE, |bits| bits);
            resized_component(from, to, signed, index, source, &mut bits);
            slot.undefined = Some(bits);
        }
    }
}

/// A component of an integer that is truncated or extended.
fn resized_component<'a>(
    from: u32,
    to: u32,
    signed: bool,
    index: u32,
    source: impl Fn(usize) -> &'a Lanes,
    out: &mut Lanes,
) {
    let (highest, sign) = ((from - 1) / 64, (from - 1) % 64);
    let (mask, above) = (low_bits(to - 64 * index), 63 - sign);
    match signed {
        true if index == highest => {
            map(out, source(index as usize), |bits| ((bits << above) as i64 >> above) as u64 & mask);
        }
        true if index > highest => {
            map(out, source(highest as usize), |bits| (bits >> sign & 1).wrapping_neg() & mask);
        }
        false if index > highest => out.fill(0),
        _ => map(out, source(index as usize), |bits| bits & mask),
    }
}

/// `bitcast` between flattened types with the same number of bits, the first element lowest.
///
/// A scalar is poison if any of the scalars is that its bits come from; which bits are `undef` is exact.
pub fn bitcast(from: &[Scalar], to: &[Scalar], a: &[Slot], out: &mut [Slot]) {
    if from.iter().map(|scalar| scalar.bits()).eq(to.iter().map(|scalar| scalar.bits())) {
        out.clone_from_slice(a);
        return;
    }
    let (mut scalar_start, mut first) = (0, 0);
    for scalar in to {
        let count = scalar.components();
        let slots = &mut out[first..first + count];
        let mut poison = 0;
        for (slot, width, start) in placed(slots.iter_mut(), scalar_start, &[*scalar]) {
            slot.bits.fill(0);
            slot.undefined = None;
            for (source, source_width, source_start) in placed(a.iter(), 0, from) {
                if source_start >= start + width || start >= source_start + source_width {
                    continue;
                }
                poison |= source.poison;
                // Where the bits that both have begin in each.
                let (skip, into) = (start.saturating_sub(source_start), source_start.saturating_sub(start));
                let mask = low_bits(width as u32);
                let place = |bits: u64| bits >> skip << into & mask;
                for (out, &bits) in slot.bits.iter_mut().zip(&source.bits) {
                    *out |= place(bits);
                }
                if let Some(open) = &source.undefined {
                    let undefined = slot.undefined.get_or_insert_with(|| Box::new([0; WIDTH]));
                    for (out, &bits) in undefined.iter_mut().zip(open.iter()) {
                        *out |= place(bits);
                    }
                }
            }
        }
        slots.iter_mut().for_each(|slot| slot.poison = poison);
        scalar_start += u64::from(scalar.bits());
        first += count;
    }
}

/// The widths of the components of a flattened type.
fn component_widths(shape: &[Scalar]) -> impl Iterator<Item = u64> {
    shape
        .iter()
        .flat_map(|scalar| (0..scalar.components() as u64).map(|index| (u64::from(scalar.bits()) - 64 * index).min(64)))
}

/// The components of a value, each with its width and the bit of the value at which it starts.
fn placed<T>(slots: impl Iterator<Item = T>, start: u64, shape: &[Scalar]) -> impl Iterator<Item = (T, u64, u64)> {
    slots.zip(component_widths(shape)).scan(start, |start, (slot, width)| {
        let item = (slot, width, *start);
        *start += width;
        Some(item)
    })
}
