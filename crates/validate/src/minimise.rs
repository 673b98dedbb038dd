//! A launch that shows something, made small: fewer workgroups, threads, smaller subgroups, numbers and buffers.
//!
//! Invariant: what is answered shows the same as what was given. The search is greedy, each step is kept only if it still
//! shows it, and it ends after [`MOST_LAUNCHES`] launches.

use reconverge_exec::launch::{Argument, Contents, Element, Launch};
use reconverge_exec::literal::{element_of_integer, show};
use reconverge_findings::change::Difference;

use crate::launches::Inputs;
use crate::runs::{Answer, Found, Pair};

/// The most launches that are tried.
const MOST_LAUNCHES: u32 = 600;
/// No launch of two programs is begun after so many [steps](reconverge_exec::launch::Outcome::steps) of all runs.
const MOST_STEPS: u64 = 10_000_000;

/// Makes a difference small.
pub(crate) fn minimise_difference(pair: &Pair<'_>, inputs: &Inputs, mut found: Box<Found>) -> Box<Found> {
    let pair = pair.anew();
    let launch = minimise(inputs, found.launch.clone(), &mut |launch| {
        if pair.steps() >= MOST_STEPS {
            return false;
        }
        match pair.compare(launch) {
            Answer::Different(other) if same_kind(&other.difference, &found.difference) => {
                found = other;
                true
            }
            _ => false,
        }
    });
    found.launch = launch;
    found
}

/// Makes a launch small; `shows` says whether another one still shows the same.
pub(crate) fn minimise(inputs: &Inputs, launch: Launch, shows: &mut dyn FnMut(&Launch) -> bool) -> Launch {
    let mut search = Search { inputs, launch, shows, left: MOST_LAUNCHES };
    search.contents();
    loop {
        let before = search.size();
        search.shape();
        search.scalars();
        search.buffers();
        if search.size() >= before {
            break;
        }
    }
    search.spell_out();
    search.launch
}

struct Search<'s> {
    inputs: &'s Inputs,
    /// The smallest one so far.
    launch: Launch,
    shows: &'s mut dyn FnMut(&Launch) -> bool,
    /// How many launches are left.
    left: u32,
}

impl Search<'_> {
    /// Keeps a launch if it shows the same.
    fn try_launch(&mut self, launch: Launch) -> bool {
        if self.left == 0 || is_same(&launch, &self.launch) || !self.inputs.has_shape(&launch) {
            return false;
        }
        self.left -= 1;
        let is_kept = (self.shows)(&launch);
        if is_kept {
            self.launch = launch;
        }
        is_kept
    }

    /// What gets smaller: threads above all.
    fn size(&self) -> (u64, u32, u64, u64) {
        let launch = &self.launch;
        let (mut numbers, mut bytes) = (0u64, 0);
        for (_, argument) in &launch.arguments {
            match argument {
                Argument::Scalar(text) => numbers = numbers.saturating_add(weight(text)),
                Argument::Buffer { length, contents, .. } => bytes += length * 8 + complexity(contents),
            }
        }
        (launch.threads(), launch.subgroup, numbers, bytes)
    }

    fn shape(&mut self) {
        let (grid_given, block_given) = self.inputs.fixed();
        for axis in 0..3 {
            for count in 1..if grid_given { 0 } else { self.launch.grid[axis].min(8) } {
                let mut launch = self.launch.clone();
                launch.grid[axis] = count;
                if self.try_launch(launch) {
                    break;
                }
            }
        }
        let threads = u32::try_from(self.launch.threads_in_workgroup()).unwrap_or(u32::MAX);
        for count in 1..if block_given { 0 } else { threads.max(2) } {
            let launch = Launch { block: [count, 1, 1], ..self.launch.clone() };
            if self.try_launch(launch) {
                break;
            }
        }
        let mut sizes: Vec<u32> = self.inputs.subgroups().to_vec();
        sizes.sort_unstable();
        for size in sizes {
            if size < self.launch.subgroup && self.try_launch(Launch { subgroup: size, ..self.launch.clone() }) {
                break;
            }
        }
    }

    /// The arguments that were made up.
    fn free(&self) -> Vec<usize> {
        let arguments = &self.launch.arguments;
        (0..arguments.len()).filter(|&index| !self.inputs.is_given(&arguments[index].0)).collect()
    }

    fn with(&self, index: usize, argument: Argument) -> Launch {
        let mut launch = self.launch.clone();
        launch.arguments[index].1 = argument;
        launch
    }

    fn scalars(&mut self) {
        for index in self.free() {
            let Argument::Scalar(text) = self.launch.arguments[index].1.clone() else { continue };
            let inner = text.trim_matches(['{', '}']);
            let mut numbers: Vec<String> = inner.split(',').map(str::to_owned).collect();
            for place in 0..numbers.len() {
                let Ok(number) = numbers[place].parse::<u64>() else { continue };
                let smaller = (0..number.min(9)).chain([number / 2, number.saturating_sub(1)]);
                for candidate in smaller.filter(|&candidate| candidate < number) {
                    let mut tried = numbers.clone();
                    tried[place] = candidate.to_string();
                    let all = tried.join(",");
                    let text = if text.starts_with('{') { format!("{{{all}}}") } else { all };
                    if self.try_launch(self.with(index, Argument::Scalar(text))) {
                        numbers = tried;
                        break;
                    }
                }
            }
        }
    }

    /// Simple contents, where it does not matter what a buffer holds.
    fn contents(&mut self) {
        for index in self.free() {
            let Argument::Buffer { element, length, contents } = self.launch.arguments[index].1.clone() else {
                continue;
            };
            for simple in [Contents::Zero, Contents::Iota] {
                let is_simpler = simple_rank(&simple) < simple_rank(&contents);
                let simple = Argument::Buffer { element, length, contents: simple };
                if !is_simpler || self.try_launch(self.with(index, simple)) {
                    break;
                }
            }
        }
    }

    fn buffers(&mut self) {
        self.contents();
        for index in self.free() {
            self.shorten(index);
            self.zero_parts(index);
        }
    }

    /// A shorter buffer, as long as nothing goes beyond its end.
    fn shorten(&mut self, index: usize) {
        while let Argument::Buffer { element, length, contents } = self.launch.arguments[index].1.clone() {
            let shorter = |count: u64| {
                let contents = match &contents {
                    Contents::Bytes(bytes) => Contents::Bytes(bytes[..(count * element.size()) as usize].to_vec()),
                    other => other.clone(),
                };
                Argument::Buffer { element, length: count, contents }
            };
            let candidates = [1, length / 8, length / 2, length.saturating_sub(1)];
            let one = candidates
                .into_iter()
                .find(|&count| count > 0 && count < length && self.try_launch(self.with(index, shorter(count))));
            if one.is_none() {
                break;
            }
        }
    }

    /// Zeroes where numbers do not matter: halves first.
    fn zero_parts(&mut self, index: usize) {
        let Argument::Buffer { element, length, contents: Contents::Bytes(_) } = self.launch.arguments[index].1 else {
            return;
        };
        let size = element.size() as usize;
        let mut step = length.div_ceil(2) as usize;
        while step > 0 && length <= 64 {
            for start in (0..length as usize).step_by(step) {
                let Argument::Buffer { contents: Contents::Bytes(bytes), .. } = &self.launch.arguments[index].1 else {
                    return;
                };
                let mut bytes = bytes.clone();
                let end = ((start + step) * size).min(bytes.len());
                bytes[start * size..end].fill(0);
                self.try_launch(
                    self.with(index, Argument::Buffer { element, length, contents: Contents::Bytes(bytes) }),
                );
            }
            step /= 2;
        }
    }

    /// Writes bytes as numbers, as a user would.
    fn spell_out(&mut self) {
        for (_, argument) in &mut self.launch.arguments {
            if let Argument::Buffer { element, contents, .. } = argument
                && let Contents::Bytes(bytes) = contents
            {
                *contents = elements(*element, bytes);
            }
        }
    }
}

/// Bytes as elements: as a sequence that has a name, where it is one.
fn elements(element: Element, bytes: &[u8]) -> Contents {
    let size = element.size() as usize;
    let is = |number: &dyn Fn(u64) -> u64| {
        let mut all = (0..).zip(bytes.chunks_exact(size));
        all.all(|(index, chunk)| *chunk == element_of_integer(number(index), element).to_le_bytes()[..size])
    };
    if is(&|_| 0) {
        Contents::Zero
    } else if is(&|index| index) {
        Contents::Iota
    } else {
        Contents::Elements(show(element, bytes).map(|number| number.to_string()).collect())
    }
}

/// Which contents are simpler.
fn simple_rank(contents: &Contents) -> u32 {
    match contents {
        Contents::Zero | Contents::Uninitialised => 0,
        Contents::Iota => 1,
        _ => 2,
    }
}

fn complexity(contents: &Contents) -> u64 {
    match contents {
        Contents::Bytes(bytes) => 4 + bytes.iter().filter(|&&byte| byte != 0).count() as u64,
        other => u64::from(simple_rank(other)),
    }
}

/// How large the numbers of an argument are.
fn weight(text: &str) -> u64 {
    let numbers = text.trim_matches(['{', '}']).split(',');
    numbers.map(|number| number.parse::<u64>().unwrap_or(0)).fold(0, u64::saturating_add)
}

/// Whether two launches are the same, as far as they are changed here.
fn is_same(one: &Launch, other: &Launch) -> bool {
    (one.grid, one.block, one.subgroup) == (other.grid, other.block, other.subgroup) && one.arguments == other.arguments
}

fn same_kind(one: &Difference, other: &Difference) -> bool {
    match (one, other) {
        (Difference::Trouble(finding), Difference::Trouble(other)) => finding.code == other.code,
        // That threads are together with others than before says more than that they came at all.
        (Difference::Threads { before, after, .. }, Difference::Threads { before: one, after: other, .. }) => {
            (before.is_empty(), after.is_empty()) == (one.is_empty(), other.is_empty())
        }
        _ => std::mem::discriminant(one) == std::mem::discriminant(other),
    }
}
