//! Launches to look at: shapes of the workgroup, and what threads get from outside.

use std::hash::{Hash, Hasher};
use std::ops::Range;

use reconverge_ir::constant::ConstantData;
use reconverge_ir::function::{Definition, Extra, Inst, InstData};
use reconverge_ir::opcode::Opcode;
use reconverge_ir::{Function, FunctionId, FunctionReader};
use reconverge_operations::{Axis, Does, Item};
use rustc_hash::{FxHashSet, FxHasher};
use smallvec::SmallVec;

use super::Place;
use super::code::{constant, operation};

/// The most threads of a workgroup: larger ones, which no GPU has, are not looked at.
pub(super) const MOST_THREADS: u32 = 1024;

/// The size of a workgroup, and how it is divided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Shape {
    pub(super) extents: [u32; 3],
    /// The number of threads of a subgroup.
    pub(super) subgroup: usize,
    /// Whether it is one of those that a kernel is written for, not a small one.
    pub(super) is_full: bool,
}

impl Shape {
    pub(super) fn threads(&self) -> usize {
        self.extents.iter().fold(1, |all: usize, &extent| all.saturating_mul(extent as usize))
    }

    pub(super) fn is_one_row(&self) -> bool {
        self.extents[1..] == [1; 2]
    }

    /// The numbers that a thread has, from its linear one.
    pub(super) fn id_of(&self, thread: usize) -> [u32; 3] {
        let [x, y, _] = self.extents.map(|extent| extent as usize);
        [thread % x, thread / x % y, thread / (x * y)].map(|id| id as u32)
    }
}

/// What all launches of a function have in common.
pub(super) struct Limits {
    pub(super) extents: [Option<u32>; 3],
    /// The sizes of full workgroups.
    full: Vec<u32>,
    /// Sizes of workgroups that masks are for: those of the first lanes.
    named: Vec<u32>,
    /// The dimensions that are read.
    pub(super) read: [bool; 3],
    subgroups: Vec<usize>,
    /// Numbers that the function compares with, or computes with.
    pub(super) constants: Vec<u64>,
    /// Numbers that it multiplies with, which may be the size of a row of the workgroup.
    pub(super) factors: Vec<u32>,
}

impl Limits {
    /// The dimensions that are read.
    pub(super) fn dimensions(&self) -> impl Iterator<Item = u8> + '_ {
        (0..3u8).filter(|&dimension| self.read[usize::from(dimension)])
    }

    pub(super) fn new(place: Place<'_, '_>) -> Limits {
        let Place { module, facts, id, function, .. } = place;
        let launch = facts.launch(module, id);
        let read = match facts.is_body_of_kernel(module, id) {
            true => dimensions_read(place),
            // Who calls it may read more.
            false if facts.reads_x_only(module) => [true, false, false],
            false => [true; 3],
        };
        let full =
            launch.workgroup_limit().map_or_else(|| vec![256, MOST_THREADS], |most| vec![most.min(MOST_THREADS)]);
        let subgroups = launch.subgroup.map_or_else(|| vec![32, 8], |size| vec![size as usize]);
        let (constants, factors) = (constants_of(function), factors_of(function));
        Limits { extents: launch.extents, full, named: Vec::new(), read, subgroups, constants, factors }
    }

    /// The threads of a full workgroup that has one row.
    pub(super) fn full_extent(&self) -> u32 {
        self.extents[0].or(self.full.first().copied()).unwrap_or(1).min(MOST_THREADS)
    }

    /// A mask of the first lanes is for workgroups of so many threads, too: these are not small for it.
    pub(super) fn add_named(&mut self, lanes: u64) {
        let count = lanes.trailing_ones();
        if count > 0 && count == lanes.count_ones() && !self.named.contains(&count) {
            self.named.push(count);
            self.constants.push(count.into());
            self.constants.sort_unstable();
            self.constants.dedup();
        }
    }
}

/// The dimensions whose sizes or numbers of threads a function reads, or what it calls; the first one always.
fn dimensions_read(place: Place<'_, '_>) -> [bool; 3] {
    let module = place.module;
    let mut read = [true, false, false];
    let mut seen = FxHashSet::from_iter([place.id]);
    let mut stack = Vec::new();
    let mut scan = |function: &Function, stack: &mut Vec<FunctionId>| {
        for (inst, data) in &function.instructions {
            let Extra::Call(call) = data.extra else { continue };
            let Some(callee) = function.calls[call].callee.expand() else { continue };
            if let Some(id) = module.function_of(callee)
                && module.functions[id].body.is_some()
            {
                stack.push(id);
                continue;
            }
            match operation(module, callee) {
                Some(Does::Query(Item::LocalId | Item::LocalSize | Item::GlobalId, Axis::Fixed(dimension @ 0..3))) => {
                    read[usize::from(dimension)] = true;
                }
                Some(Does::Query(Item::LocalId | Item::LocalSize | Item::GlobalId, Axis::Operand)) => {
                    match constant(function, function.operands(inst).first().copied()) {
                        Some(dimension @ 0..3) => read[dimension as usize] = true,
                        _ => read = [true; 3],
                    }
                }
                Some(Does::Query(Item::LocalLinearId | Item::GlobalLinearId, _)) => read = [true; 3],
                _ => {}
            }
        }
    };
    scan(place.function, &mut stack);
    let mut reader = FunctionReader::new(module);
    while let Some(id) = stack.pop() {
        if seen.insert(id)
            && let Ok(function) = reader.read(id)
        {
            scan(&function, &mut stack);
        }
    }
    read
}

/// The small constants of a function, each once.
fn constants_of(function: &Function) -> Vec<u64> {
    let constants = function.values.values().filter_map(|value| match value.definition {
        Definition::Constant(ConstantData::Integer(number)) => u64::try_from(number).ok(),
        _ => None,
    });
    let mut constants: Vec<u64> = constants.filter(|&number| number > 1 && number <= 1 << 20).collect();
    constants.sort_unstable();
    constants.dedup();
    constants
}

/// The constants that a function multiplies or shifts with, each once.
fn factors_of(function: &Function) -> Vec<u32> {
    const MOST: usize = 4;
    let factor = |(inst, data): (Inst, &InstData)| {
        let operands = function.operands(inst);
        match data.opcode {
            Opcode::Mul => operands.iter().find_map(|&operand| constant(function, Some(operand))),
            Opcode::Shl => 1u64.checked_shl(constant(function, operands.get(1).copied())? as u32),
            _ => None,
        }
    };
    let mut factors: Vec<u32> = Vec::new();
    for factor in function.instructions.iter().filter_map(factor).filter(|factor| (2..=128).contains(factor)) {
        if !factors.contains(&(factor as u32)) && factors.len() < MOST {
            factors.push(factor as u32);
        }
    }
    factors
}

/// Shapes that the limits allow, those with one subgroup size after the other, full ones and small ones mixed.
pub(super) fn shapes(limits: &Limits) -> Vec<Shape> {
    let mut extents: Vec<([u32; 3], bool)> = Vec::new();
    let [_, y, z] = limits.read;
    for &most in &limits.full {
        let full: Vec<[u32; 3]> = match (y, z) {
            (false, false) => {
                [most, most - most / 4, most - most / 43, most.saturating_sub(1)].map(|x| [x.max(1), 1, 1]).to_vec()
            }
            (true, false) => [16, 32, 8, 64, 10, 128, 33].map(|x| [x, most / x, 1]).to_vec(),
            (_, true) => [(8, 8), (4, 8), (8, 4), (32, 4), (4, 16), (16, 4), (10, 5), (64, 2)]
                .map(|(x, y)| [x, y, most / (x * y)])
                .to_vec(),
        };
        extents.extend(full.into_iter().map(|extents| (extents, true)));
        let rows = limits.factors.iter().filter(|&&x| y && x <= most);
        for &x in rows {
            extents.extend((!z).then(|| ([x, most / x, 1], true)));
            let planes = limits.factors.iter().filter(|&&y| z && x * y <= most);
            extents.extend(planes.map(|&y| ([x, y, most / (x * y)], true)));
        }
    }
    let named = limits.named.iter().filter(|_| !y && !z);
    extents.extend(named.flat_map(|&count| [([count, 1, 1], true), ([count + 1, 1, 1], false)]));
    // A tile of the size that the function has a constant for.
    let tiles = limits.constants.iter().filter(|&&side| side.is_power_of_two() && (4..=32).contains(&side));
    extents.extend(tiles.filter(|_| y).map(|&side| ([side as u32, side as u32, 1], true)));
    let small = match (y, z) {
        (false, false) => [[32, 1, 1], [7, 1, 1], [64, 1, 1], [48, 1, 1]],
        (true, false) => [[4, 4, 1], [32, 2, 1], [1, 64, 1], [64, 1, 1]],
        (_, true) => [[2, 2, 2], [32, 2, 2], [1, 1, 64], [64, 1, 1]],
    };
    extents.extend(small.map(|extents| (extents, false)));
    let most = limits.full.iter().copied().max().unwrap_or(1);
    for longer in longer_than_constants(limits, most, &extents) {
        extents.push((longer, false));
    }
    if limits.extents.iter().all(Option::is_some) {
        extents = vec![(limits.extents.map(|extent| extent.unwrap_or(1)), true)];
    }
    let mut shapes: Vec<Shape> = Vec::new();
    for (index, (mut extents, is_full)) in extents.into_iter().enumerate() {
        for (extent, known) in extents.iter_mut().zip(limits.extents) {
            *extent = known.unwrap_or(*extent);
        }
        let subgroup = limits.subgroups[index % limits.subgroups.len()];
        let shape = Shape { extents, subgroup, is_full };
        let has_read =
            |dimension: usize| !limits.read[dimension] || extents[dimension] > 1 || limits.extents[dimension].is_some();
        let is_allowed = (2..=most as usize).contains(&shape.threads()) && (!is_full || (0..3).all(has_read));
        let is_named = limits.named.contains(&extents[0]) && is_full;
        if (is_allowed || is_named) && !shapes.iter().any(|known| known.extents == extents) {
            shapes.push(shape);
        }
    }
    shapes
}

/// Where a function has a constant that no shape is longer than in a dimension that it reads, a shape that is: what is compared with the constant is then on both sides of it.
fn longer_than_constants(limits: &Limits, most: u32, shapes: &[([u32; 3], bool)]) -> Vec<[u32; 3]> {
    const MOST: usize = 4;
    let mut longer: Vec<[u32; 3]> = Vec::new();
    for constant in limits.constants.iter().filter_map(|&constant| u32::try_from(constant).ok()) {
        for dimension in limits.dimensions().map(usize::from) {
            let is_longer = |shape: &[u32; 3]| shape[dimension] > constant;
            let is_tried = shapes.iter().map(|(shape, _)| shape).chain(&longer).any(is_longer);
            if constant < most && !is_tried && longer.len() < MOST {
                let mut shape = [1; 3];
                shape[dimension] = (constant + 1).next_multiple_of(32).min(most);
                longer.push(shape);
            }
        }
    }
    longer
}

/// A launch: a shape, and a value for each thing that is the same in all threads of the workgroup.
#[derive(Debug, Clone)]
pub(super) struct Launch<'l> {
    pub(super) shape: Shape,
    style: Style,
    /// The parameter of the kernel that is [large](LARGE), whatever the style says.
    large: Option<usize>,
    seed: u64,
    constants: &'l [u64],
}

/// More elements than a subgroup has of its own in the memory of a workgroup.
const LARGE: u64 = 1 << 16;

/// How values are made up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Style {
    /// All are this number.
    All(u64),
    /// All are multiples of the size of the workgroup.
    Multiples,
    /// All are one less than a multiple of the size of the workgroup.
    Below,
    /// All are numbers, in the grid, of threads of the workgroup, which is none of the first.
    Within,
    /// All are few times the size of the workgroup in x, or few: loops over tiles take few iterations.
    Rows,
    /// Each is of a kind of its own.
    Mixed,
}

/// Seeds of launches with one shape are so far apart: more than there are shapes.
const SHAPES_APART: u64 = 97;

/// So many launches have one shape, or more where there are few shapes:
const ROUNDS: usize = 24;
/// there are so many in all.
const LAUNCHES: usize = 144;

/// Rounds that are none of [`all`].
const ROUNDS_OF_TILES: Range<u64> = 1_000_000..1_000_028;

/// All launches: each shape in the first round before any in the second.
pub(super) fn all(limits: &Limits) -> impl Iterator<Item = Launch<'_>> {
    let shapes = shapes(limits);
    let rounds = ROUNDS.max(LAUNCHES / shapes.len().max(1));
    (0..rounds).flat_map(move |round| {
        let style = match round {
            0 => Style::All(1),
            1 => Style::Multiples,
            2 => Style::All(0),
            3 => Style::All(1 << 20),
            4 => Style::Within,
            6 => Style::Below,
            round if round % 4 == 1 => Style::Multiples,
            _ => Style::Mixed,
        };
        let launches: Vec<Launch<'_>> = shapes
            .iter()
            .enumerate()
            .map(|(index, &shape)| {
                let seed = round as u64 * SHAPES_APART + index as u64;
                Launch { shape, style, large: None, seed, constants: &limits.constants }
            })
            .collect();
        launches
    })
}

/// Launches in which loops over tiles take few iterations, for what is not followed far.
pub(super) fn over_few_tiles(limits: &Limits) -> impl Iterator<Item = Launch<'_>> {
    let shapes = shapes(limits);
    (ROUNDS_OF_TILES).flat_map(move |round| {
        let launch = |(index, &shape): (usize, &Shape)| {
            let seed = round * SHAPES_APART + index as u64;
            Launch { shape, style: Style::Rows, large: None, seed, constants: &limits.constants }
        };
        shapes.iter().enumerate().map(launch).collect::<Vec<_>>()
    })
}

impl Launch<'_> {
    /// The same, with this parameter of the kernel large.
    pub(super) fn with_large(&self, parameter: usize) -> Self {
        Launch { large: Some(parameter), ..self.clone() }
    }

    /// What a kernel is given as its parameter with this number.
    pub(super) fn parameter(&self, index: usize) -> u64 {
        if self.large == Some(index) { LARGE } else { self.value_of((0u8, index)) }
    }

    /// Which launch with its shape it is.
    pub(super) fn round(&self) -> u64 {
        self.seed / SHAPES_APART
    }

    /// The value of something, by what it is.
    pub(super) fn value_of(&self, what: impl Hash) -> u64 {
        let mut hasher = FxHasher::default();
        (self.seed, what).hash(&mut hasher);
        values(self, mixed(hasher.finish()))
    }

    /// The number of the workgroup in a dimension: mostly one of the first, so that what is compared with it is often larger.
    pub(super) fn group(&self, dimension: usize) -> u64 {
        let random = mixed(self.seed ^ (dimension as u64 + 1) << 32);
        match self.style {
            Style::All(_) | Style::Below | Style::Rows => 0,
            Style::Within => 1 + (random >> 8) % 4,
            _ if random.is_multiple_of(8) => (random >> 8) % 1000,
            _ => (random >> 8) % 4,
        }
    }

    /// The threads to follow, by their linear numbers: all in some launches, else [some](Launch::some_threads).
    pub(super) fn chosen_threads(&self, limits: &Limits) -> Vec<usize> {
        match self.seed.is_multiple_of(7) {
            true => (0..self.shape.threads()).collect(),
            false => self.some_threads(limits),
        }
    }

    /// Whether few threads are followed, and far: each second round of those [`over_few_tiles`].
    pub(super) fn has_few_threads(&self) -> bool {
        self.style == Style::Rows && self.round() % 4 < 2
    }

    /// Those to follow in a launch [`over_few_tiles`]. Where they are few: the first two subgroups, and the first threads of these where a tile is one row, which takes as many steps as there are threads.
    pub(super) fn threads_over_tiles(&self, limits: &Limits) -> Vec<usize> {
        if !self.has_few_threads() {
            return self.some_threads(limits);
        }
        let Shape { subgroup, .. } = self.shape;
        let is_one_row = self.shape.is_one_row();
        (0..self.shape.threads().min(2 * subgroup)).filter(|thread| !is_one_row || thread % subgroup < 2).collect()
    }

    /// Whole subgroups at the beginning, at the end, and around constants of the function, and one thread of a few others.
    pub(super) fn some_threads(&self, limits: &Limits) -> Vec<usize> {
        let (count, size) = (self.shape.threads(), self.shape.subgroup);
        let last = (count - 1) / size;
        let around = limits.constants.iter().map(|&constant| constant as usize / size);
        let around = around.filter(|subgroup| (2..last).contains(subgroup)).take(2);
        let whole: SmallVec<[usize; 5]> = [0, 1, last].into_iter().chain(around).collect();
        let step = size * (last / 8).max(1);
        (0..count).filter(|thread| thread.is_multiple_of(step) || whole.contains(&(thread / size))).collect()
    }
}

/// A number for something: see [`Style`].
fn values(launch: &Launch<'_>, random: u64) -> u64 {
    let [x, y, _] = launch.shape.extents.map(u64::from);
    let size = launch.shape.threads() as u64;
    let number = random >> 8;
    match launch.style {
        Style::All(number) => return number,
        Style::Multiples => return size * (number % 5),
        Style::Below => return size * (1 + number % 4) - 1,
        Style::Within => return first_thread(launch, 0, x) + number % x,
        // The number of tiles, or that of what they consist of.
        Style::Rows if launch.round().is_multiple_of(2) => return x * if number.is_multiple_of(8) { 1 } else { 2 },
        Style::Rows => return if number.is_multiple_of(8) { 1 } else { 2 },
        Style::Mixed => {}
    }
    match random % 9 {
        0 => number % 4,
        1 => number % 41,
        // Around the threads of this workgroup.
        2 => first_thread(launch, 0, x) + number % (2 * x),
        3 => size * (number % 4),
        4 | 5 if !launch.constants.is_empty() => {
            let constant = launch.constants[(number >> 4) as usize % launch.constants.len()];
            constant.wrapping_add(number % 3).wrapping_sub(1)
        }
        6 => (x * (number >> 4 & 7) + number % 3).saturating_sub(1),
        7 => 1 << (number % 13),
        8 if number.is_multiple_of(3) => u64::MAX,
        _ => first_thread(launch, 1, y) + number % (2 * y),
    }
}

/// The first number of the threads of a workgroup in a dimension.
fn first_thread(launch: &Launch<'_>, dimension: usize, extent: u64) -> u64 {
    launch.group(dimension) * extent
}

/// Every bit of the result depends on every bit of the number (the finaliser of SplitMix64).
pub(super) fn mixed(mut number: u64) -> u64 {
    number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}
