//! Runs an operation on random sets and operands, and compares with a reference.

use reconverge_testing::rounds::seeds;

use half::{bf16, f16};
use reconverge_exec::operations::{Call, Crosslane, GpuFunction, recognise};
use reconverge_exec::value::{Mask, Scalar, Shape, Slot, WIDTH, component_count, lanes_of, low_bits};

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

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }
}

/// A function, the random operands that it gets, and what it is to do.
pub(crate) struct Case {
    /// Its name, without sigil.
    pub(crate) name: String,
    /// Result and operands, as in `i32 (i32, <2 x float>)`.
    pub(crate) signature: &'static str,
    /// How each operand comes about: `r` random, `u` random and the same in all lanes, `b` 0 or 1, `f` few different
    /// values, `n` the number of a lane, `N` the same for all, `s` below 4, `m` the mask of the set, a number.
    pub(crate) operands: &'static str,
    /// What a lane gets, for each component; `None` is poison.
    pub(crate) reference: Reference,
}

/// What a lane gets.
pub(crate) type Reference = Box<dyn Fn(&World, usize) -> Vec<Option<u64>>>;

/// An execution.
pub(crate) struct World {
    pub(crate) set: Mask,
    pub(crate) base: usize,
    pub(crate) size: usize,
    pub(crate) arguments: Vec<Vec<Slot>>,
    pub(crate) shapes: Vec<Shape>,
}

impl World {
    /// The lanes of the set, ascending.
    pub(crate) fn lanes(&self) -> Vec<usize> {
        lanes_of(self.set).collect()
    }

    /// The first component of an operand.
    pub(crate) fn at(&self, argument: usize, lane: usize) -> u64 {
        self.arguments[argument][0].bits[lane]
    }

    /// All components of an operand in a lane of the subgroup, by its number; poison if it is not there.
    pub(crate) fn from(&self, argument: usize, number: i64) -> Vec<Option<u64>> {
        let there = (0..self.size as i64).contains(&number) && self.set >> (self.base + number as usize) & 1 == 1;
        let get = |slot: &Slot| there.then(|| slot.bits[self.base + number as usize]);
        self.arguments[argument].iter().map(get).collect()
    }

    /// The number of a lane in its subgroup.
    pub(crate) fn number(&self, lane: usize) -> i64 {
        (lane - self.base) as i64
    }

    /// The set, with bit 0 for the first lane of the subgroup.
    pub(crate) fn mask(&self) -> u64 {
        self.set >> self.base
    }

    /// The lanes of the set for which an operand is not zero, as [`World::mask`].
    pub(crate) fn ballot(&self, argument: usize) -> u64 {
        self.lanes().into_iter().filter(|&lane| self.at(argument, lane) != 0).fold(0, |mask, lane| mask | 1 << lane)
            >> self.base
    }

    pub(crate) fn first(&self) -> usize {
        self.set.trailing_zeros() as usize
    }
}

/// Reads `i32 (i32, <4 x float>, {i32, i1})`; `void` is nothing.
pub(crate) fn signature(text: &str) -> (Shape, Vec<Shape>) {
    let (result, arguments) = text.split_once(" (").expect("a signature has operands in parentheses");
    let arguments = arguments.strip_suffix(')').expect("which close");
    let mut shapes = Vec::new();
    let (mut depth, mut start) = (0, 0);
    for (index, byte) in arguments.bytes().enumerate() {
        match byte {
            b'{' | b'<' => depth += 1,
            b'}' | b'>' => depth -= 1,
            b',' if depth == 0 => {
                shapes.push(shape(&arguments[start..index]));
                start = index + 1;
            }
            _ => {}
        }
    }
    if !arguments.is_empty() {
        shapes.push(shape(&arguments[start..]));
    }
    (shape(result), shapes)
}

fn shape(text: &str) -> Shape {
    let text = text.trim();
    if text == "void" {
        return Shape::new();
    }
    if let Some(vector) = text.strip_prefix('<') {
        let (count, element) = vector.strip_suffix('>').and_then(|vector| vector.split_once(" x ")).expect("a vector");
        return vec![scalar(element); count.parse().expect("a number of elements")];
    }
    if let Some(fields) = text.strip_prefix('{') {
        return fields.trim_end_matches('}').split(',').map(|field| scalar(field.trim())).collect();
    }
    vec![scalar(text)]
}

fn scalar(text: &str) -> Scalar {
    match text {
        "half" => Scalar::Half,
        "bfloat" => Scalar::BFloat,
        "float" => Scalar::Float,
        "double" => Scalar::Double,
        "ptr" => Scalar::Pointer(0),
        _ => Scalar::Integer(text[1..].parse().expect("an integer type")),
    }
}

/// What a function is recognised as, with the operands that are numbers as constants.
pub(crate) fn recognised(name: &str, text: &str, operands: &str) -> Option<GpuFunction> {
    let (result, arguments) = signature(text);
    let constants: Vec<Option<u64>> = operands.split_whitespace().map(|operand| operand.parse().ok()).collect();
    recognise(&Call { name, result: &result, arguments: &arguments, constants: &constants })
}

/// The same, where it is a communication.
pub(crate) fn crosslane(name: &str, text: &str, operands: &str) -> Crosslane {
    match recognised(name, text, operands) {
        Some(GpuFunction::Crosslane(crosslane)) => crosslane,
        other => panic!("{name} is {other:?}"),
    }
}

/// A random value of a type. Of floating-point types: not too large, so that little is lost; sometimes special.
pub(crate) fn random_value(random: &mut Random, scalar: Scalar) -> u64 {
    let special = [0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY];
    let number = match random.below(24) {
        0 => special[random.below(4)],
        _ => (random.next() as i32 as f64) / f64::from(1 << 26),
    };
    match scalar {
        Scalar::Half => u64::from(f16::from_f64(number).to_bits()),
        Scalar::BFloat => u64::from(bf16::from_f64(number).to_bits()),
        Scalar::Float => u64::from((number as f32).to_bits()),
        Scalar::Double => number.to_bits(),
        _ => random.next() & low_bits(scalar.bits()),
    }
}

/// A random set of lanes of one subgroup, with the first lane and the size of that.
pub(crate) fn random_set(random: &mut Random) -> (Mask, usize, usize) {
    let size = [1, 2, 4, 8, 16, 32, 32, 32, 64, 64, 20, 64][random.below(12)];
    let base = random.below(WIDTH / size) * size;
    let all = low_bits(size as u32) << base;
    let set = match random.below(5) {
        0 | 1 => all,
        2 => all & random.next(),
        3 => all & (random.next() | random.next()),
        _ => 1 << (base + random.below(size)),
    };
    (if set == 0 { all } else { set }, base, size)
}

fn random_operand(random: &mut Random, world: &World, kind: &str, shape: &Shape) -> Vec<Slot> {
    let mut slots = vec![Slot::default(); component_count(shape)];
    let few: Vec<Vec<u64>> =
        (0..2).map(|_| shape.iter().map(|&scalar| random_value(random, scalar)).collect()).collect();
    let one: Vec<u64> = shape.iter().map(|&scalar| random_value(random, scalar)).collect();
    let shared = random.below(world.size) as u64;
    let mut choices = [0; WIDTH];
    choices.fill_with(|| random.below(4));
    // Mostly equal, so that votes and matches are not always the same.
    let rare = random.below(2) == 0;
    for (component, (slot, &scalar)) in slots.iter_mut().zip(shape).enumerate() {
        for lane in 0..WIDTH {
            let width = low_bits(scalar.bits());
            slot.bits[lane] = match kind {
                "r" => random_value(random, scalar),
                "u" => one[component],
                "b" => u64::from(if rare { choices[lane] != 3 || lane % 2 == 0 } else { choices[lane] == 0 }),
                "f" => few[usize::from(choices[lane] == 0 && rare)][component],
                "n" => random.below(world.size) as u64,
                "N" => shared,
                "s" => choices[lane] as u64,
                "m" => {
                    if component == 0 {
                        world.mask() & width
                    } else {
                        world.mask() >> 32 & width
                    }
                }
                number => {
                    number.parse::<i64>().unwrap_or_else(|_| panic!("no kind of operand: {number}")) as u64 & width
                }
            };
        }
    }
    slots
}

/// Runs a case on random sets and operands.
pub(crate) fn check(case: &Case) {
    let (result, shapes) = signature(case.signature);
    let operation = crosslane(&case.name, case.signature, case.operands);
    let kinds: Vec<&str> = case.operands.split_whitespace().collect();
    assert_eq!(kinds.len(), shapes.len(), "{}: an operand without a kind", case.name);
    for seed in seeds(40) {
        let mut random = Random(seed);
        let (set, base, size) = random_set(&mut random);
        // A number of threads that does not fit into the masks of a function is none of its.
        let narrow = |shape: &Shape| shape.len() == 1 && shape[0].bits() < size as u32;
        let masks = kinds.iter().zip(&shapes).any(|(kind, shape)| *kind == "m" && narrow(shape));
        if masks || case.name.contains("nvvm") && size > 32 || case.name.contains("__shfl") && size > 32 {
            continue;
        }
        let mut world = World { set, base, size, arguments: Vec::new(), shapes: shapes.clone() };
        for (kind, shape) in kinds.iter().zip(&shapes) {
            let operand = random_operand(&mut random, &world, kind, shape);
            world.arguments.push(operand);
        }
        let arguments: Vec<&[Slot]> = world.arguments.iter().map(Vec::as_slice).collect();
        let mut out = vec![Slot::default(); component_count(&result)];
        let violations = operation.perform(set, size as u32, &arguments, &mut out);
        let mut reported = 0;
        for violation in &violations {
            reported |= violation.lanes;
        }
        for lane in lanes_of(set) {
            let expected = (case.reference)(&world, lane);
            let actual: Vec<Option<u64>> =
                out.iter().map(|slot| (slot.poison >> lane & 1 == 0).then_some(slot.bits[lane])).collect();
            let same = expected.iter().zip(&actual).all(|(expected, actual)| is_same(&result, *expected, *actual));
            assert!(
                same && expected.len() == actual.len(),
                "{} {} with `{}`, seed {seed}: lane {lane} of {set:#x}, subgroups of {size}: {actual:x?}, expected {expected:x?}",
                case.name,
                case.signature,
                case.operands
            );
            let poison = expected.iter().any(Option::is_none);
            let silent = case.name.contains("mov.dpp") || case.name.contains("ballot_") || case.name.contains("Ballot");
            // What shuffles shift in at the ends of a subgroup is poison, and nobody's mistake.
            let ends =
                ["shuffle_up", "shuffle_down", "ShuffleUp", "ShuffleDown"].iter().any(|end| case.name.contains(end));
            let reported = reported >> lane & 1 == 1;
            assert!(
                silent || if ends { poison || !reported } else { poison == reported },
                "{}, seed {seed}, lane {lane}: {violations:?}",
                case.name
            );
        }
    }
}

/// Equal bits; NaNs are all the same.
fn is_same(result: &Shape, expected: Option<u64>, actual: Option<u64>) -> bool {
    let is_nan = |bits: u64| match result[0] {
        Scalar::Half => f16::from_bits(bits as u16).is_nan(),
        Scalar::BFloat => bf16::from_bits(bits as u16).is_nan(),
        Scalar::Float => f32::from_bits(bits as u32).is_nan(),
        Scalar::Double => f64::from_bits(bits).is_nan(),
        _ => false,
    };
    expected == actual || matches!((expected, actual), (Some(one), Some(other)) if is_nan(one) && is_nan(other))
}
