//! Intrinsics that compute a result from their operands and nothing else.
//!
//! A row of a table says of a name, without `llvm.` and without the types at its end, which types it takes and what it
//! computes. Types are written one letter for each operand, `=`, and one letter for each result (`matches_letters`). A function of
//! scalars is one of vectors of them, element by element; an operand that is a scalar where others are vectors is the same
//! for each element.
//!
//! What is only specified up to an error (`sin`, `rcp`, every `…​.approx`) is computed as exactly as `libm` can.

mod amdgcn;
mod general;
mod graphics;
mod integer;
mod nvvm;

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use reconverge_ir::opcode::{Flags, Opcode};

use super::binary::binary;
use super::float::{decode, encode, extreme, fma, fma32, sign_bit};
use super::integer::{Integer, with_width};
use super::lanes::{load, map, poison, set_poison, set_undefined, store, undefined, zip, zip3};
use crate::value::{Lanes, Mask, Scalar, Shape, Slot, component_count, lanes_of, low_bits};

use integer::Failure;

/// A name, its types, and what it computes.
type Row = (&'static str, &'static str, Function);

/// The types of one element of each operand, and of each result.
struct Types {
    operands: Vec<Scalar>,
    results: Vec<Scalar>,
}

impl Types {
    fn operand(&self) -> Scalar {
        self.operands[0]
    }

    fn result(&self) -> Scalar {
        self.results[0]
    }
}

/// What an intrinsic computes. Numbers of up to 64 bits are passed as their bits.
#[derive(Clone, Copy)]
enum Function {
    /// A number, from doubles.
    Real1(fn(f64) -> f64),
    Real2(fn(f64, f64) -> f64),
    Real3(fn(f64, f64, f64) -> f64),
    /// A number, from one element of each operand.
    Bits(fn(&Types, &[u64]) -> u64),
    /// Two numbers, from one element of each operand.
    Pair(fn(&Types, &[u64]) -> [u64; 2]),
    /// All numbers of the result, from all of all operands.
    Whole(fn(&Types, &[&[u64]], &mut [u64])),
    /// An operation on integers of one type.
    Integers(integer::Operation),
    /// −1, 0 or 1.
    Compare {
        signed: bool,
    },
    /// A fused multiply-add.
    Fma,
    /// The first operand without its sign bit.
    Absolute,
    /// The larger or smaller of two floating-point numbers.
    Extreme {
        largest: bool,
        propagates: bool,
    },
    /// The first operand.
    First,
    /// `false`, whatever the operand.
    False,
    /// An operation of NVPTX with its modifiers.
    Nvvm(nvvm::Operation),
    /// All elements of the last operand, one after the other, to the first operand or the first element.
    Fold(Opcode),
    /// All elements of a vector, by a function of two.
    FoldBy(&'static Function),
}

/// An intrinsic with its types.
pub struct Intrinsic {
    function: Function,
    /// How many elements each operand and each result has.
    operands: Vec<usize>,
    elements: usize,
    types: Types,
}

impl std::fmt::Debug for Intrinsic {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Intrinsic")
            .field("operands", &self.types.operands)
            .field("results", &self.types.results)
            .finish()
    }
}

static TABLE: LazyLock<FxHashMap<String, (String, Function)>> = LazyLock::new(|| {
    let tables = [general::ROWS, amdgcn::ROWS, nvvm::ROWS, graphics::ROWS];
    let fixed =
        tables.into_iter().flatten().map(|&(name, types, function)| (name.to_string(), (types.to_string(), function)));
    fixed.chain(nvvm::generated()).collect()
});

/// The names of all intrinsics that can be recognised, without `llvm.` and without overloaded types, in no order.
pub fn names() -> impl Iterator<Item = &'static str> {
    TABLE.keys().map(String::as_str)
}

/// The intrinsic with a name such as `llvm.smax.v4i32`, if it is one of those that are computed here, and for these types.
pub fn recognise(name: &str, result: &[Scalar], arguments: &[Shape]) -> Option<Intrinsic> {
    let mut rest = name.strip_prefix("llvm.")?;
    let (signature, function) = loop {
        if let Some(found) = TABLE.get(rest) {
            break found;
        }
        let (shorter, last) = rest.rsplit_once('.')?;
        if !is_type(last) {
            return None;
        }
        rest = shorter;
    };
    let (operand_letters, result_letters) = signature.split_once('=')?;
    if operand_letters.len() != arguments.len() || arguments.iter().any(Vec::is_empty) {
        return None;
    }
    let whole = matches!(function, Function::Whole(_) | Function::Fold(_) | Function::FoldBy(_) | Function::False);
    let elements = if whole { 1 } else { arguments.iter().map(Vec::len).max().unwrap_or(1) };
    let results: Vec<Scalar> = if whole {
        vec![*result.first()?]
    } else {
        (0..result_letters.len()).map(|index| result.get(index * elements).copied()).collect::<Option<_>>()?
    };
    let mut types = Types { operands: arguments.iter().map(|shape| shape[0]).collect(), results };
    let fits = |scalars: &[Scalar], scalar: Scalar, count: usize| {
        scalars.len() == count && scalars.iter().all(|&other| other == scalar)
    };
    let lengths_fit = if whole {
        arguments.iter().zip(&types.operands).all(|(shape, &scalar)| fits(shape, scalar, shape.len()))
            && fits(result, types.result(), result.len())
    } else {
        let length = |shape: &Shape| if shape.len() == 1 { 1 } else { elements };
        arguments.iter().zip(&types.operands).all(|(shape, &scalar)| fits(shape, scalar, length(shape)))
            && result.len() == elements * types.results.len()
            && types.results.iter().zip(result.chunks(elements)).all(|(&scalar, chunk)| fits(chunk, scalar, elements))
    };
    let letters = operand_letters.chars().chain(result_letters.chars());
    let scalars = types.operands.iter().chain(&types.results).copied();
    if !lengths_fit || !matches_letters(letters, scalars) || !function.accepts(&types, arguments, result) {
        return None;
    }
    if let Function::FoldBy(_) = function {
        // Each step has two.
        types.operands.push(types.operand());
    }
    Some(Intrinsic { function: *function, operands: arguments.iter().map(Vec::len).collect(), elements, types })
}

/// Whether this part of a name is a type, such as `v4f32`.
fn is_type(part: &str) -> bool {
    let part = part.strip_prefix("nx").unwrap_or(part);
    let part = match part.strip_prefix('v') {
        Some(rest) => rest.trim_start_matches(|c: char| c.is_ascii_digit()),
        None => part,
    };
    let number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    ["i", "f", "bf", "p"].iter().any(|prefix| part.strip_prefix(prefix).is_some_and(number))
        || part.starts_with("s_")
        || part.starts_with("sl_")
}

/// Whether scalars are what letters say.
///
/// `N`, `n` and `m` are integers, the latter two of at most 64 bits; `F` and `G` floating-point types; all that have the same
/// of these letters are of one type. `b`, `y`, `s`, `i` and `l` are integers of 1, 8, 16, 32 and 64 bits, `h`, `k`, `f` and
/// `d` are `half`, `bfloat`, `float` and `double`, `p` is a pointer, and `*` anything.
fn matches_letters(letters: impl Iterator<Item = char>, scalars: impl Iterator<Item = Scalar>) -> bool {
    let mut bound: Vec<(char, Scalar)> = Vec::new();
    letters.zip(scalars).all(|(letter, scalar)| {
        let bits = if let Scalar::Integer(bits) = scalar { bits } else { 0 };
        let fits = match letter {
            'N' => bits > 0,
            'n' | 'm' => (1..=64).contains(&bits),
            'F' | 'G' => scalar.is_float(),
            'b' => bits == 1,
            'y' => bits == 8,
            's' => bits == 16,
            'i' => bits == 32,
            'l' => bits == 64,
            'h' => scalar == Scalar::Half,
            'k' => scalar == Scalar::BFloat,
            'f' => scalar == Scalar::Float,
            'd' => scalar == Scalar::Double,
            'p' => matches!(scalar, Scalar::Pointer(_)),
            _ => return true,
        };
        if "NnmFGp".contains(letter) {
            let (_, first) = *bound.iter().find(|(other, _)| *other == letter).unwrap_or(&(letter, scalar));
            bound.push((letter, scalar));
            return fits && first == scalar;
        }
        fits
    })
}

impl Function {
    /// Whether a function that has to do with more than scalars can take these.
    fn accepts(self, types: &Types, arguments: &[Shape], result: &[Scalar]) -> bool {
        let narrow = |shape: &[Scalar]| shape.iter().all(|scalar| scalar.components() == 1);
        match self {
            Function::Integers(integer::Operation::ByteSwap) => types.operand().bits().is_multiple_of(16),
            Function::Integers(_) => types.operands.iter().all(|scalar| matches!(scalar, Scalar::Integer(_))),
            Function::First => types.operand() == types.result(),
            Function::False => result.len() == 1,
            Function::Fold(opcode) => {
                opcode.is_binary()
                    && result.len() == 1
                    && types.operands.iter().all(|&scalar| scalar == types.result())
                    && (arguments.len() == 1 || arguments[0].len() == 1)
            }
            Function::FoldBy(_) => arguments.len() == 1 && result.len() == 1 && types.operand() == types.result(),
            Function::Whole(_) => {
                arguments.iter().all(|shape| narrow(shape))
                    && narrow(result)
                    && arguments.iter().all(|shape| shape.len() == arguments[0].len() || shape.len() == 1)
                    && (result.len() == 1 || result.len() == arguments[0].len())
            }
            Function::Compare { .. } => types.result().components() == 1 && types.result().bits() >= 2,
            _ => arguments.iter().all(|shape| narrow(shape)) && narrow(result),
        }
    }
}

impl Intrinsic {
    /// Computes it. Each operand and the result are the components of a flattened type, as [`recognise`] was told. The
    /// answer is the active lanes with immediate undefined behaviour.
    pub fn apply(&self, arguments: &[&[Slot]], active: Mask, out: &mut [Slot]) -> Mask {
        let mut faults = 0;
        match self.function {
            Function::Whole(function) => self.whole(function, arguments, active, out),
            Function::False => out.fill(Slot::default()),
            Function::Fold(opcode) => {
                let scalar = self.types.result();
                let binary = |a: &[Slot], b: &[Slot], out: &mut [Slot]| {
                    binary(opcode, Flags::default(), scalar, a, b, active, out);
                };
                self.fold(binary, arguments, out);
            }
            Function::FoldBy(function) => {
                let step = |a: &[Slot], b: &[Slot], out: &mut [Slot]| {
                    self.element(*function, &[a, b], active, out);
                };
                self.fold(step, arguments, out);
            }
            _ => {
                // The components of an element of each operand, and of each result.
                let width = |scalar: &Scalar| scalar.components();
                let mut result: Vec<Slot> = vec![Slot::default(); component_count(&self.types.results)];
                for element in 0..self.elements {
                    let operands: smallvec::SmallVec<[&[Slot]; 4]> = (arguments.iter().zip(&self.types.operands))
                        .zip(&self.operands)
                        .map(|((slots, scalar), &count)| {
                            let first = if count == 1 { 0 } else { element * width(scalar) };
                            &slots[first..first + width(scalar)]
                        })
                        .collect();
                    if self.types.results.len() == 1 {
                        let count = width(&self.types.results[0]);
                        let out = &mut out[element * count..][..count];
                        faults |= self.element(self.function, &operands, active, out);
                        continue;
                    }
                    faults |= self.element(self.function, &operands, active, &mut result);
                    // Results are one after the other, each with all its elements.
                    let (mut from, mut to) = (0, 0);
                    for count in self.types.results.iter().map(width) {
                        out[to + element * count..][..count].swap_with_slice(&mut result[from..from + count]);
                        (from, to) = (from + count, to + self.elements * count);
                    }
                }
            }
        }
        faults
    }

    fn fold(&self, step: impl Fn(&[Slot], &[Slot], &mut [Slot]), arguments: &[&[Slot]], out: &mut [Slot]) {
        let count = self.types.result().components();
        let last = arguments[arguments.len() - 1];
        let (start, elements) = if arguments.len() == 1 { last.split_at(count) } else { (arguments[0], last) };
        let mut total = start.to_vec();
        for element in elements.chunks(count) {
            step(&total, element, out);
            total.clone_from_slice(out);
        }
        out.clone_from_slice(&total);
    }

    fn whole(
        &self,
        function: fn(&Types, &[&[u64]], &mut [u64]),
        arguments: &[&[Slot]],
        active: Mask,
        out: &mut [Slot],
    ) {
        let mut numbers: Vec<Vec<u64>> = arguments.iter().map(|slots| vec![0; slots.len()]).collect();
        let mut result = vec![0; out.len()];
        let masks = self.masks();
        for lane in lanes_of(active) {
            for ((numbers, slots), mask) in numbers.iter_mut().zip(arguments).zip(&masks) {
                numbers.iter_mut().zip(*slots).for_each(|(number, slot)| *number = slot.bits[lane] & mask);
            }
            let operands: smallvec::SmallVec<[&[u64]; 4]> = numbers.iter().map(Vec::as_slice).collect();
            function(&self.types, &operands, &mut result);
            out.iter_mut().zip(&result).for_each(|(slot, &bits)| slot.bits[lane] = bits);
        }
        set_poison(out, arguments.iter().fold(0, |mask, slots| mask | poison(slots)));
        let open = arguments.iter().fold(0, |mask, slots| mask | undefined(slots));
        out.iter_mut().for_each(|slot| set_undefined(std::slice::from_mut(slot), self.types.result().bits(), open));
    }

    /// The bits that a number of each operand can have set.
    fn masks(&self) -> smallvec::SmallVec<[u64; 4]> {
        self.types.operands.iter().map(|scalar| low_bits(scalar.bits())).collect()
    }

    /// Computes one element of the result.
    fn element(&self, function: Function, operands: &[&[Slot]], active: Mask, out: &mut [Slot]) -> Mask {
        if let Function::First = function {
            out.clone_from_slice(operands[0]);
            return 0;
        }
        let mut faults = 0;
        set_poison(out, operands.iter().fold(0, |mask, slots| mask | poison(slots)));
        let open = operands.iter().fold(0, |mask, slots| mask | undefined(slots));
        let scalar = self.types.operand();
        match function {
            Function::Absolute => {
                let kept = !sign_bit(scalar);
                map(&mut out[0].bits, &operands[0][0].bits, |bits| bits & kept);
            }
            Function::Extreme { largest, propagates } => {
                let (a, b, out) = (&operands[0][0].bits, &operands[1][0].bits, &mut out[0].bits);
                match scalar {
                    Scalar::Float => zip(out, a, b, |a, b| extreme(Scalar::Float, a, b, largest, propagates)),
                    _ => zip(out, a, b, |a, b| extreme(scalar, a, b, largest, propagates)),
                }
            }
            Function::Fma => fuse(scalar, operands, active, &mut out[0].bits),
            Function::Integers(operation) => faults = self.integers(operation, operands, active & !open, out),
            Function::Compare { signed } => {
                let (width, result) = (scalar.bits(), low_bits(self.types.result().bits()));
                with_width!(width, I => for lane in lanes_of(active) {
                    let (a, b): (I, I) = (load(operands[0], width, lane), load(operands[1], width, lane));
                    let ordering = if signed { a.compare_signed(&b) } else { a.compare(&b) };
                    out[0].bits[lane] = ordering as i8 as u64 & result;
                });
            }
            _ => {
                let mut numbers = [0; 10];
                // Of a lane that is poison, any bits may be set.
                let masks = self.masks();
                for lane in lanes_of(active) {
                    for ((number, slots), &mask) in numbers.iter_mut().zip(operands).zip(&masks) {
                        *number = slots[0].bits[lane] & mask;
                    }
                    let numbers = &numbers[..operands.len()];
                    let real = |index: usize| decode(scalar, numbers[index]);
                    out[0].bits[lane] = match function {
                        Function::Real1(f) => encode(scalar, f(real(0))),
                        Function::Real2(f) => encode(scalar, f(real(0), real(1))),
                        Function::Real3(f) => encode(scalar, f(real(0), real(1), real(2))),
                        Function::Bits(f) => f(&self.types, numbers),
                        Function::Nvvm(operation) => operation.evaluate(&self.types, numbers),
                        Function::Pair(f) => {
                            let [first, second] = f(&self.types, numbers);
                            out[1].bits[lane] = second;
                            first
                        }
                        _ => unreachable!("the other functions are computed above"),
                    };
                }
            }
        }
        if open != 0 {
            let mut from = 0;
            for scalar in &self.types.results {
                set_undefined(&mut out[from..from + scalar.components()], scalar.bits(), open);
                from += scalar.components();
            }
        }
        faults
    }

    fn integers(&self, operation: integer::Operation, operands: &[&[Slot]], lanes: Mask, out: &mut [Slot]) -> Mask {
        let (scalar, width) = (self.types.operand(), self.types.operand().bits());
        // Operands of another type come last.
        let count = self.types.operands.iter().take(3).take_while(|&&other| other == scalar).count();
        let components = scalar.components();
        let mut faults = 0;
        if width <= 64 && operation.evaluate_lanes(width, operands, &mut out[0].bits) {
            return 0;
        }
        with_width!(width, I => for lane in lanes_of(lanes) {
            let number = |index: usize| load::<I>(operands[index.min(count - 1)], width, lane);
            let small = operands.last().map_or(0, |slots| slots[0].bits[lane]);
            match operation.evaluate(&[number(0), number(1), number(2)], small) {
                Ok((number, overflow)) => {
                    store(&mut out[..components], lane, &number);
                    if let Some(slot) = out.get_mut(components) {
                        slot.bits[lane] = u64::from(overflow);
                    }
                }
                Err(Failure::Poison) => out.iter_mut().for_each(|slot| slot.poison |= 1 << lane),
                Err(Failure::UndefinedBehaviour) => faults |= 1 << lane,
            }
        });
        faults
    }
}

fn fuse(scalar: Scalar, operands: &[&[Slot]], active: Mask, out: &mut Lanes) {
    let [a, b, c] = [0, 1, 2].map(|index| &operands[index][0].bits);
    if scalar == Scalar::Float {
        let load = |bits: u64| f32::from_bits(bits as u32);
        return zip3(out, a, b, c, |a, b, c| u64::from(fma32(load(a), load(b), load(c)).to_bits()));
    }
    for lane in lanes_of(active) {
        out[lane] = fma(scalar, a[lane], b[lane], c[lane]);
    }
}
