//! Applying a built-in function to numbers, 64 inputs at a time.

use reconverge_exec::builtins::{Builtin, Pure, recognise};
use reconverge_exec::value::{Mask, Scalar, Shape, Slot, WIDTH};

/// SplitMix64.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// Bits of which many are equal: small numbers, numbers near a power of two, and any numbers.
    pub(crate) fn interesting(&mut self, bits: u32) -> u64 {
        let number = match self.next() % 4 {
            0 => (self.next() % 9).wrapping_sub(4),
            1 => (1u64 << (self.next() % 64)).wrapping_add(self.next() % 5).wrapping_sub(2),
            2 => self.next() >> (self.next() % 64),
            _ => self.next(),
        };
        number & low_bits(bits)
    }
}

pub(crate) fn low_bits(bits: u32) -> u64 {
    if bits == 64 { u64::MAX } else { (1 << bits) - 1 }
}

/// The pure function of a name.
pub(crate) fn pure(name: &str, result: &[Scalar], arguments: &[Shape]) -> Pure {
    match recognise(name, result, arguments) {
        Some(Builtin::Pure(function)) => function,
        other => panic!("{name}: {other:?}"),
    }
}

/// A function of scalars, applied to as many inputs as one likes.
pub(crate) struct Scalars {
    name: String,
    function: Pure,
}

impl Scalars {
    pub(crate) fn new(name: &str, result: Scalar, arguments: &[Scalar]) -> Scalars {
        let shapes: Vec<Shape> = arguments.iter().map(|&scalar| vec![scalar]).collect();
        Scalars { name: name.to_owned(), function: pure(name, &[result], &shapes) }
    }

    /// Calls `check` with each input and its result.
    pub(crate) fn for_each<const N: usize>(
        &self,
        inputs: impl Iterator<Item = [u64; N]>,
        mut check: impl FnMut([u64; N], u64),
    ) {
        let mut inputs = inputs.peekable();
        let mut batch = Vec::with_capacity(WIDTH);
        while inputs.peek().is_some() {
            batch.clear();
            batch.extend(inputs.by_ref().take(WIDTH));
            let mut slots: [Slot; N] = std::array::from_fn(|_| Slot::default());
            for (lane, input) in batch.iter().enumerate() {
                for (slot, &bits) in slots.iter_mut().zip(input) {
                    slot.bits[lane] = bits;
                }
            }
            let arguments: Vec<&[Slot]> = slots.iter().map(std::slice::from_ref).collect();
            let mut out = [Slot::default()];
            self.function.apply(&arguments, Mask::MAX, &mut out);
            assert_eq!((out[0].poison, out[0].undefined_lanes()), (0, 0), "{}", self.name);
            for (input, &result) in batch.iter().zip(&out[0].bits) {
                check(*input, result);
            }
        }
    }

    /// The result for one input.
    pub(crate) fn call<const N: usize>(&self, input: [u64; N]) -> u64 {
        let mut answer = 0;
        self.for_each(std::iter::once(input), |_, result| answer = result);
        answer
    }
}

/// The elements of a result in lane 0, of vectors that are the same in each lane.
pub(crate) fn vector_call(name: &str, result: &[Scalar], arguments: &[(Scalar, &[u64])]) -> Vec<u64> {
    let shapes: Vec<Shape> = arguments.iter().map(|(scalar, elements)| vec![*scalar; elements.len()]).collect();
    let slots: Vec<Vec<Slot>> =
        arguments.iter().map(|(_, elements)| elements.iter().map(|&bits| Slot::splat(bits)).collect()).collect();
    let views: Vec<&[Slot]> = slots.iter().map(Vec::as_slice).collect();
    let mut out = vec![Slot::default(); result.len()];
    pure(name, result, &shapes).apply(&views, Mask::MAX, &mut out);
    out.iter().inspect(|slot| assert_eq!(slot.poison, 0, "{name}")).map(|slot| slot.bits[WIDTH - 1]).collect()
}
