//! Integers as lists of bits, lowest first, with the arithmetic of paper and pencil.

pub(crate) type Bits = Vec<bool>;

pub(crate) fn zero(width: usize) -> Bits {
    vec![false; width]
}

pub(crate) fn not(a: &Bits) -> Bits {
    a.iter().map(|bit| !bit).collect()
}

/// The sum modulo 2^width, and the carry.
pub(crate) fn add(a: &Bits, b: &Bits, mut carry: bool) -> (Bits, bool) {
    let sum = a.iter().zip(b).map(|(&a, &b)| {
        let sum = a ^ b ^ carry;
        carry = a & b | a & carry | b & carry;
        sum
    });
    (sum.collect(), carry)
}

pub(crate) fn sub(a: &Bits, b: &Bits) -> Bits {
    add(a, &not(b), true).0
}

pub(crate) fn neg(a: &Bits) -> Bits {
    sub(&zero(a.len()), a)
}

pub(crate) fn shl(a: &Bits, amount: usize) -> Bits {
    (0..a.len()).map(|bit| bit >= amount && a[bit - amount]).collect()
}

pub(crate) fn shr(a: &Bits, amount: usize, fill: bool) -> Bits {
    (0..a.len()).map(|bit| a.get(bit + amount).copied().unwrap_or(fill)).collect()
}

pub(crate) fn extend(a: &Bits, width: usize, signed: bool) -> Bits {
    let fill = signed && negative(a);
    (0..width).map(|bit| a.get(bit).copied().unwrap_or(fill)).collect()
}

pub(crate) fn mul(a: &Bits, b: &Bits) -> Bits {
    (0..a.len()).filter(|&bit| b[bit]).fold(zero(a.len()), |sum, bit| add(&sum, &shl(a, bit), false).0)
}

pub(crate) fn less(a: &Bits, b: &Bits) -> bool {
    a.iter().rev().lt(b.iter().rev())
}

pub(crate) fn negative(a: &Bits) -> bool {
    a[a.len() - 1]
}

pub(crate) fn is_zero(a: &Bits) -> bool {
    a.iter().all(|bit| !bit)
}

/// Quotient and remainder.
pub(crate) fn divide(a: &Bits, b: &Bits) -> (Bits, Bits) {
    let mut quotient = zero(a.len());
    let mut rest = zero(a.len() + 1);
    let divisor = extend(b, b.len() + 1, false);
    for bit in (0..a.len()).rev() {
        rest = shl(&rest, 1);
        rest[0] = a[bit];
        if !less(&rest, &divisor) {
            rest = sub(&rest, &divisor);
            quotient[bit] = true;
        }
    }
    rest.pop();
    (quotient, rest)
}

/// The amount that a shift is by, if it is below the width.
pub(crate) fn amount(b: &Bits) -> Option<usize> {
    let value = b
        .iter()
        .enumerate()
        .filter(|(_, bit)| **bit)
        .try_fold(0usize, |sum, (bit, _)| (bit < 32).then(|| sum + (1 << bit)))?;
    (value < b.len()).then_some(value)
}
