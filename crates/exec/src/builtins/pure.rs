//! Built-in functions of their arguments alone, applied to all lanes of a wave.
//!
//! A [`Pure`] function is a list of parts, each of which computes some components of the result, in order. An *elementwise* part
//! computes element *i* of its result from element *i* of each argument; a scalar argument counts as a vector of equal elements. Any
//! other part sees all elements.
//!
//! Invariant: a result is poison in a lane where an operand of it is; else it is `undef` as a whole where an operand is in
//! part. Lanes that are not active hold anything.

use std::fmt;
use std::sync::Arc;

use smallvec::SmallVec;

use crate::value::{Lanes, Mask, Slot, WIDTH, lanes_of, low_bits};

/// Computes one component in the active lanes.
pub(super) type Elementwise = Arc<dyn Fn(&[&Lanes], Mask, &mut Lanes) + Send + Sync>;

/// Computes some components in the active lanes, poison and `undef` included.
pub(super) type Whole = Arc<dyn Fn(&[&[Slot]], Mask, &mut [Slot]) + Send + Sync>;

/// A function of its arguments alone.
#[derive(Clone)]
pub struct Pure {
    name: String,
    parts: Vec<Part>,
}

/// Some components of a result.
#[derive(Clone)]
pub(super) struct Part {
    /// The arguments that it looks at.
    pub(super) arguments: Vec<usize>,
    /// How many components it computes.
    pub(super) count: usize,
    /// How many bits each has.
    pub(super) bits: u32,
    pub(super) compute: Compute,
}

#[derive(Clone)]
pub(super) enum Compute {
    Elementwise(Elementwise),
    Whole(Whole),
}

impl fmt::Debug for Pure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Pure({}, {} components)", self.name, self.components())
    }
}

impl Pure {
    pub(super) fn new(name: &str, parts: Vec<Part>) -> Pure {
        Pure { name: name.to_owned(), parts }
    }

    /// How many components the result has.
    pub fn components(&self) -> usize {
        self.parts.iter().map(|part| part.count).sum()
    }

    /// Computes the result in the active lanes from the components of each argument of the call. Other lanes get anything.
    /// `out` has [`Pure::components`] slots.
    pub fn apply(&self, arguments: &[&[Slot]], active: Mask, out: &mut [Slot]) {
        let mut rest = out;
        for part in &self.parts {
            let (out, after) = rest.split_at_mut(part.count);
            rest = after;
            match &part.compute {
                Compute::Elementwise(function) => part.apply_elementwise(function, arguments, active, out),
                Compute::Whole(function) => {
                    let arguments: Vec<&[Slot]> = part.arguments.iter().map(|&argument| arguments[argument]).collect();
                    function(&arguments, active, out);
                }
            }
        }
    }
}

impl Part {
    fn apply_elementwise(&self, function: &Elementwise, arguments: &[&[Slot]], active: Mask, out: &mut [Slot]) {
        let mut slots: SmallVec<[&Slot; 4]> = SmallVec::new();
        let mut inputs: SmallVec<[&Lanes; 4]> = SmallVec::new();
        for (element, out) in out.iter_mut().enumerate() {
            slots.clear();
            inputs.clear();
            for &argument in &self.arguments {
                let components = arguments[argument];
                let slot = &components[if components.len() == 1 { 0 } else { element }];
                slots.push(slot);
                inputs.push(&slot.bits);
            }
            function(&inputs, active, &mut out.bits);
            spread(out, slots.iter().copied(), self.bits);
        }
    }
}

/// Makes a result of `bits` bits poison or `undef` where an operand is.
pub(super) fn spread<'a>(out: &mut Slot, operands: impl Iterator<Item = &'a Slot> + Clone, bits: u32) {
    out.poison = operands.clone().fold(0, |poison, operand| poison | operand.poison);
    let undefined = operands.fold(0, |lanes, operand| lanes | operand.undefined_lanes()) & !out.poison;
    out.undefined = None;
    if undefined != 0 {
        let mut lanes = Box::new([0; WIDTH]);
        for lane in lanes_of(undefined) {
            lanes[lane] = low_bits(bits);
            out.bits[lane] = 0;
        }
        out.undefined = Some(lanes);
    }
}

/// An elementwise function that is cheap: computed in all lanes.
pub(super) fn cheap1(function: impl Fn(u64) -> u64 + Send + Sync + 'static) -> Elementwise {
    Arc::new(move |inputs, _, out| {
        for (out, &a) in out.iter_mut().zip(inputs[0]) {
            *out = function(a);
        }
    })
}

/// As [`cheap1`], of two operands.
pub(super) fn cheap2(function: impl Fn(u64, u64) -> u64 + Send + Sync + 'static) -> Elementwise {
    Arc::new(move |inputs, _, out| {
        for ((out, &a), &b) in out.iter_mut().zip(inputs[0]).zip(inputs[1]) {
            *out = function(a, b);
        }
    })
}

/// As [`cheap1`], of three operands.
pub(super) fn cheap3(function: impl Fn(u64, u64, u64) -> u64 + Send + Sync + 'static) -> Elementwise {
    Arc::new(move |inputs, _, out| {
        for (((out, &a), &b), &c) in out.iter_mut().zip(inputs[0]).zip(inputs[1]).zip(inputs[2]) {
            *out = function(a, b, c);
        }
    })
}

/// An elementwise function of any number of operands that takes its time: computed in active lanes.
pub(super) fn costly<const N: usize>(function: impl Fn([u64; N]) -> u64 + Send + Sync + 'static) -> Elementwise {
    Arc::new(move |inputs, active, out| {
        for lane in lanes_of(active) {
            out[lane] = function(std::array::from_fn(|operand| inputs[operand][lane]));
        }
    })
}

/// A part that sees all elements. `function` gets the elements of all arguments of one lane, one after the other, and where to
/// write its results; what is poison or `undef` in any of them is so in all results.
pub(super) fn gather(bits: u32, function: impl Fn(&[u64], &mut [u64]) + Send + Sync + 'static) -> Compute {
    Compute::Whole(Arc::new(move |arguments, active, out| {
        let operands = arguments.iter().flat_map(|components| components.iter());
        let mut elements = Vec::new();
        let mut results = vec![0; out.len()];
        for lane in lanes_of(active) {
            elements.clear();
            elements.extend(operands.clone().map(|slot| slot.bits[lane]));
            function(&elements, &mut results);
            for (out, &result) in out.iter_mut().zip(&results) {
                out.bits[lane] = result;
            }
        }
        for out in out {
            spread(out, operands.clone(), bits);
        }
    }))
}
