//! Launches to compare two programs on: what the user gave, and made up what was not.
//!
//! A launch is a function of the seed and its number. The first ones go through small shapes and small numbers; the others
//! are random, of at most [`MOST_THREADS`] threads; among their numbers are the constants of both programs. A *scale* says how large buffers are: those that a kernel runs out of are
//! made larger.

use reconverge_exec::launch::{
    AnchorPolicy, Argument, Contents, Element, Entry, Launch, Limits, MOST_IN_WORKGROUP, MaskReading, Model, Schedule,
    count,
};
use reconverge_exec::literal::element_of_integer;
use reconverge_exec::value::Scalar;
use reconverge_exec::{KernelInfo, Linked, Need, NeedKind, Program};
use reconverge_ir::FunctionReader;
use reconverge_ir::constant::ConstantData;
use reconverge_ir::function::Definition;

use crate::minimise::minimise;
use crate::report::Options;

/// The most threads of a launch.
const MOST_THREADS: u32 = 64;
/// The same of launches as programs make them.
const MOST_USUAL_THREADS: u32 = 256;
/// How many launches are not random.
const ENUMERATED: u64 = 40;
/// The most that a buffer is enlarged.
pub(crate) const SCALES: u32 = 4;

/// What launches of a kernel are made of.
#[derive(Debug)]
pub(crate) struct Inputs {
    kernel: String,
    needs: Vec<Input>,
    grid: Option<[u32; 3]>,
    block: Option<[u32; 3]>,
    /// The most threads of a workgroup.
    most_threads: u32,
    subgroups: Vec<u32>,
    constants: Constants,
    seed: u64,
    limits: Limits,
    /// Of launches as programs make them: in how many dimensions the kernel asks for threads. None where any launch will do.
    usual: Option<u32>,
}

#[derive(Debug)]
struct Input {
    need: Need,
    given: Option<Argument>,
    element: Element,
}

/// Choices that a seed determines (SplitMix64).
pub(crate) struct Choices(u64);

impl Choices {
    pub(crate) fn new(seed: u64) -> Choices {
        Choices(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound.max(1)
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len() as u64) as usize]
    }
}

/// Launches of one program: numbered, the small ones first.
#[derive(Debug)]
pub struct MadeUp(Inputs);

impl MadeUp {
    /// Those of a kernel that is linked. Of the options count what a launch has to have, and the seed.
    ///
    /// # Errors
    /// What a user has to give.
    pub fn new(
        program: &Program<'_>,
        linked: &Linked<'_>,
        kernel: &KernelInfo,
        options: &Options,
    ) -> Result<MadeUp, String> {
        Inputs::new([program; 2], [linked; 2], kernel, options).map(MadeUp)
    }

    /// The same as programs make them: workgroups of whole subgroups, as large as one in each dimension that the kernel does not ask about.
    #[must_use]
    pub fn usual(mut self, linked: &Linked<'_>) -> MadeUp {
        self.0.usual = Some(linked.dimensions());
        self
    }

    /// The launch with a number; of a larger scale, below [`MadeUp::SCALES`], it has larger buffers.
    pub fn launch(&self, number: u64, scale: u32, model: Model) -> Launch {
        self.0.launch(number, scale, model, AnchorPolicy::Maximal)
    }

    /// A launch that shows something, made small; `shows` says whether another one still shows it.
    pub fn minimise(&self, launch: Launch, shows: &mut dyn FnMut(&Launch) -> bool) -> Launch {
        minimise(&self.0, launch, shows)
    }

    /// How many scales there are.
    pub const SCALES: u32 = SCALES;
}

impl Inputs {
    /// What launches of a kernel need.
    ///
    /// # Errors
    /// What a user has to give.
    pub(crate) fn new(
        [program, after]: [&Program<'_>; 2],
        linked: [&Linked<'_>; 2],
        info: &KernelInfo,
        options: &Options,
    ) -> Result<Inputs, String> {
        let mut needs: Vec<Input> = Vec::new();
        let elements = program.elements(&info.name);
        for (index, need) in linked[0].needs().into_iter().enumerate() {
            let is_it = |(name, _): &&(String, Argument)| *name == need.name || name.parse() == Ok(index);
            let given = options.arguments.iter().find(is_it).map(|(_, argument)| argument.clone());
            let is_pointer = |scalar: &Scalar| matches!(scalar, Scalar::Pointer(_) | Scalar::Token);
            let known = match &need.kind {
                NeedKind::Value(shape) => !shape.iter().any(is_pointer),
                NeedKind::Buffer | NeedKind::Resource { .. } | NeedKind::Local => true,
                NeedKind::Unknown => false,
            };
            if !known && given.is_none() {
                return Err(format!(
                    "'{}' is of type {}, for which no value can be made up: give one with --arg {}=…",
                    need.name, need.ty, need.name
                ));
            }
            let element = match need.kind {
                NeedKind::Resource { element, .. } => element,
                _ => elements.get(&(index as u32)).copied().unwrap_or(Element::U32),
            };
            needs.push(Input { need, given, element });
        }
        let knows = |name: &str| {
            needs.iter().any(|input| input.need.name == name)
                || name.parse().is_ok_and(|index: usize| index < needs.len())
        };
        if let Some((name, _)) = options.arguments.iter().find(|(name, _)| !knows(name)) {
            return Err(format!("it has no parameter '{name}'"));
        }
        let block = options.block.or(info.required_block);
        if let Some(threads) = block.as_ref().map(count).filter(|&threads| threads > MOST_IN_WORKGROUP) {
            return Err(format!("a workgroup of {threads} threads is larger than {MOST_IN_WORKGROUP}"));
        }
        let by_target = program.target().subgroup_size();
        let subgroups = match options.subgroup.or(by_target) {
            Some(size) => vec![size],
            None => vec![4, 8, 2, 32, 64],
        };
        Ok(Inputs {
            kernel: info.name.clone(),
            needs,
            grid: options.grid,
            block,
            most_threads: info.most_threads.unwrap_or(u32::MAX),
            subgroups,
            constants: Constants::of([(program, linked[0]), (after, linked[1])]),
            seed: options.seed,
            limits: options.limits,
            usual: None,
        })
    }

    /// The launch with a number.
    pub(crate) fn launch(&self, number: u64, scale: u32, model: Model, anchors: AnchorPolicy) -> Launch {
        let mut choices = Choices::new(self.seed ^ number.wrapping_mul(0xd134_2543_de82_ef95));
        let enumerated = number < ENUMERATED;
        let subgroup = if enumerated {
            self.subgroups[(number / 2) as usize % self.subgroups.len()]
        } else {
            choices.of(&self.subgroups)
        };
        let made_up = |choices: &mut Choices| match self.usual {
            Some(dimensions) => usual_block(dimensions, subgroup, choices),
            None => block(number, choices),
        };
        let block = self.block.unwrap_or_else(|| no_larger(made_up(&mut choices), self.most_threads));
        let threads = count(&block);
        let grid = self.grid.unwrap_or_else(|| {
            let most = if self.usual.is_some() { MOST_USUAL_THREADS } else { MOST_THREADS };
            let room = (u64::from(most) / threads.max(1)).clamp(1, 3) as u32;
            let groups = if enumerated { 1 + (number % 3 / 2) as u32 } else { 1 + choices.below(3) as u32 };
            [groups.min(room), 1, 1]
        });
        let total = threads.saturating_mul(count(&grid));
        let sizes = Sizes { threads, total, length: length(total, scale) };
        let arguments = self.needs.iter().enumerate().map(|(index, input)| {
            let argument = input.given.clone().unwrap_or_else(|| {
                let place = enumerated.then_some(number + 3 * index as u64);
                input.argument(place, &sizes, &self.constants, &mut choices)
            });
            (input.need.name.clone(), argument)
        });
        Launch {
            kernel: self.kernel.clone(),
            grid,
            block,
            subgroup,
            arguments: arguments.collect(),
            model,
            schedule: Schedule::Lockstep,
            anchors,
            entry: Entry::Converged,
            masks: MaskReading::Partition,
            limits: self.limits,
            threads: 1,
            max_events: 0,
            races: true,
        }
    }

    /// What the arguments of a launch are for, in their order.
    pub(crate) fn needs(&self) -> Vec<&Need> {
        self.needs.iter().map(|input| &input.need).collect()
    }

    /// Whether a user gave an argument.
    pub(crate) fn is_given(&self, name: &str) -> bool {
        self.needs.iter().any(|input| input.need.name == name && input.given.is_some())
    }

    /// What a launch may not change: the grid, the block.
    pub(crate) fn fixed(&self) -> (bool, bool) {
        (self.grid.is_some(), self.block.is_some())
    }

    /// Whether a launch is one of those that are made up, as far as its workgroups go.
    pub(crate) fn has_shape(&self, launch: &Launch) -> bool {
        self.usual.is_none()
            || self.block.is_some()
            || launch.threads_in_workgroup().is_multiple_of(launch.subgroup.into())
    }

    /// The sizes of subgroups to choose from.
    pub(crate) fn subgroups(&self) -> &[u32] {
        &self.subgroups
    }
}

fn block(number: u64, choices: &mut Choices) -> [u32; 3] {
    const SMALL: [u32; 8] = [4, 2, 8, 3, 1, 16, 5, 64];
    if number < ENUMERATED {
        return [SMALL[number as usize % SMALL.len()], 1, 1];
    }
    match choices.below(5) {
        0 => {
            let x = 1 + choices.below(8) as u32;
            [x, 1 + choices.below(u64::from(MOST_THREADS / x).min(8)) as u32, 1]
        }
        1 => [choices.of(&[8, 16, 32, 64]), 1, 1],
        _ => [1 + choices.below(u64::from(MOST_THREADS)) as u32, 1, 1],
    }
}

/// Whole subgroups: in x where the kernel asks about nothing else.
fn usual_block(dimensions: u32, subgroup: u32, choices: &mut Choices) -> [u32; 3] {
    let threads = subgroup * choices.of(&[1, 2, 2, 4]);
    let part = |whole: u32, part: u32| if whole.is_multiple_of(part) { part } else { whole };
    let x = if dimensions == 1 { threads } else { part(threads, choices.of(&[4, 8, 16, 32])) };
    let y = if dimensions == 3 { part(threads / x, 2) } else { threads / x };
    [x, y, threads / (x * y)]
}

/// A workgroup that is halved where it is longest, until it has no more threads than it may.
fn no_larger(mut block: [u32; 3], most: u32) -> [u32; 3] {
    while block.iter().product::<u32>() > most.max(1) {
        let longest = block.iter_mut().max().expect("three dimensions");
        *longest = (*longest / 2).max(1);
    }
    block
}

/// How many elements a buffer has.
fn length(threads: u64, scale: u32) -> u64 {
    let (times, least) = match scale {
        0 => (4, 64),
        1 => (16, 256),
        2 => return threads.saturating_mul(64).saturating_add(1024),
        _ => return threads.saturating_mul(256).saturating_add(16_384),
    };
    threads.saturating_mul(times).max(least)
}

struct Sizes {
    threads: u64,
    total: u64,
    length: u64,
}

impl Input {
    /// A value; `place`: which of the small ones.
    fn argument(&self, place: Option<u64>, sizes: &Sizes, constants: &Constants, choices: &mut Choices) -> Argument {
        match &self.need.kind {
            NeedKind::Value(shape) => {
                let numbers: Vec<String> = (0..)
                    .zip(shape)
                    .map(|(index, &scalar)| number(scalar, place.map(|place| place + index), sizes, constants, choices))
                    .collect();
                match &numbers[..] {
                    [one] => Argument::Scalar(one.clone()),
                    all => Argument::Scalar(format!("{{{}}}", all.join(","))),
                }
            }
            NeedKind::Local => {
                Argument::Buffer { element: self.element, length: sizes.length, contents: Contents::Uninitialised }
            }
            NeedKind::Buffer | NeedKind::Resource { .. } | NeedKind::Unknown => {
                let kind = place.unwrap_or_else(|| choices.next()) % 8;
                let (element, length) = (self.element, sizes.length);
                // Each element is one of the constants so often, out of four times.
                let (below, often) = match kind {
                    0 => return Argument::Buffer { element, length, contents: Contents::Iota },
                    1 => (sizes.threads, 0),
                    2 => (2, 0),
                    3 => (sizes.total.min(8), 1),
                    4 => (16, 0),
                    5 => (3, 0),
                    6 => (16, 3),
                    _ => {
                        let contents = Contents::Random { seed: choices.next() };
                        return Argument::Buffer { element, length, contents };
                    }
                };
                let bytes = (0..length).flat_map(|_| {
                    let number = match choices.below(4) < often {
                        true => constants.any(choices),
                        // Numbers below zero are random ones; among floating-point numbers these have none.
                        false if below == 3 && element.is_float() => choices.below(below).wrapping_sub(1),
                        false => choices.below(below),
                    };
                    let bits = element_of_integer(number, element);
                    bits.to_le_bytes().into_iter().take(element.size() as usize)
                });
                Argument::Buffer { element, length, contents: Contents::Bytes(bytes.collect()) }
            }
        }
    }
}

fn number(scalar: Scalar, place: Option<u64>, sizes: &Sizes, constants: &Constants, choices: &mut Choices) -> String {
    if scalar.is_float() {
        const FLOATS: [&str; 8] = ["1", "0", "2", "0.5", "-1", "3", "0.25", "10"];
        return FLOATS[place.unwrap_or_else(|| choices.next()) as usize % FLOATS.len()].to_owned();
    }
    let small = [2, sizes.threads, 1, 3, 0, sizes.total, 4, 5, 8, 7, sizes.length, 16];
    let number = match place {
        Some(place) => {
            let place = place as usize % (small.len() + constants.all.len().min(ENUMERATED as usize - small.len()));
            small.get(place).copied().unwrap_or_else(|| constants.all[place - small.len()])
        }
        // Large ones are rare: they make loops long.
        None => match choices.below(20) {
            0..7 => choices.of(&small),
            7..10 => constants.small(choices),
            10..14 => constants.any(choices),
            14..18 => choices.below(64),
            18 => choices.below(1 << 10),
            _ => choices.next(),
        },
    };
    let bits = scalar.bits().min(64);
    (if bits < 64 { number & ((1 << bits) - 1) } else { number }).to_string()
}

/// The integers in the text of both programs, and those next to them: where a branch asks for one, threads get to both sides of it.
#[derive(Debug)]
struct Constants {
    /// Ascending, so that the small ones come first. Those that every kernel gets are not among them.
    all: Vec<u64>,
    /// How many are small; one at least.
    small: usize,
}

impl Constants {
    /// What is larger makes loops long.
    const SMALL: u64 = 1 << 10;

    fn of(programs: [(&Program<'_>, &Linked<'_>); 2]) -> Constants {
        let mut all = vec![6];
        for (program, linked) in programs {
            let module = program.module();
            let mut reader = FunctionReader::new(module);
            for name in linked.functions() {
                let id = module.symbol_named(name.as_bytes()).and_then(|symbol| module.function_of(symbol));
                let Some(Ok(function)) = id.map(|id| reader.read(id)) else { continue };
                for data in function.values.values() {
                    if let Definition::Constant(ConstantData::Integer(number)) = data.definition {
                        all.extend([-1, 0, 1].map(|step| number.wrapping_add(step) as u64));
                    }
                }
            }
        }
        all.retain(|&number| number == 6 || number > 8);
        all.sort_unstable();
        all.dedup();
        let small = all.partition_point(|&number| number < Constants::SMALL);
        Constants { all, small }
    }

    fn small(&self, choices: &mut Choices) -> u64 {
        choices.of(&self.all[..self.small])
    }

    fn any(&self, choices: &mut Choices) -> u64 {
        choices.of(&self.all)
    }
}
