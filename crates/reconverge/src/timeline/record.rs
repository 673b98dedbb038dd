//! A timeline of a run: what an observer saw, put into columns.

use reconverge_analysis::target::{Operation, Target};
use reconverge_exec::launch::{Event, Launch, Outcome};
use reconverge_exec::{Control as ExecControl, Execution, Linked, Marked, Observer, Reached};
use reconverge_ir::function::{Block, Inst};
use reconverge_ir::origin::FunctionOrigins;
use reconverge_ir::{FunctionId, FunctionReader};
use reconverge_lang::builtins::mangle::as_written;
use reconverge_semantics::{ConvergenceOrder, Key};
use rustc_hash::{FxHashMap, FxHashSet};

use super::picture::Picture;
use super::{
    MOST_COLUMNS, MOST_LINES, MOST_ROWS, MOST_SINGLE, Sets, Timeline, TimelineColumn, TimelineRow, command_of, ranges,
};
use crate::launch::refuse;
use crate::lines::Lines;
use crate::{Error, Module, Prepared, Run};

/// How much is remembered of a run: executions of blocks and operations, each by a thread.
const MOST_REMEMBERED: usize = 200_000;
/// How many events.
const MOST_EVENTS: usize = 20_000;

/// What threads execute together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum What {
    Block(FunctionId, Block),
    /// A statement or full expression, by its marker.
    Statement(FunctionId, Inst),
    Event(usize),
}

impl What {
    /// The function of code; none of an operation.
    fn function(self) -> Option<FunctionId> {
        match self {
            What::Block(function, _) | What::Statement(function, _) => Some(function),
            What::Event(_) => None,
        }
    }
}

/// Watches the first workgroup.
#[derive(Default)]
struct Watcher {
    /// Whether statements say who is together, and not blocks: these have parts of several statements in them.
    by_statements: bool,
    numbers: FxHashMap<u64, u32>,
    /// By number of a key.
    what: Vec<What>,
    /// By thread of the workgroup.
    keys: Vec<Vec<Key>>,
    remembered: usize,
    /// What was not remembered, of threads' executions.
    missed: u64,
}

impl Watcher {
    fn add(&mut self, key: u64, what: What, threads: &[u64]) {
        if self.missed > 0 || self.remembered + threads.len() > MOST_REMEMBERED {
            self.missed += threads.len() as u64;
            return;
        }
        self.remembered += threads.len();
        let next = self.what.len() as u32;
        let number = *self.numbers.entry(key).or_insert(next);
        if number == next {
            self.what.push(what);
        }
        for &thread in threads {
            if let Some(keys) = self.keys.get_mut(thread as usize) {
                // Those who pass an operation that nobody waits at come one by one, and a set is told of once.
                keys.push(Key(number));
            }
        }
    }
}

impl Observer for Watcher {
    fn defined(&mut self, _: reconverge_exec::Definition<'_>) {}

    fn wants_values(&self) -> bool {
        false
    }

    fn reached(&mut self, block: Reached<'_>) {
        if block.workgroup == 0 && !self.by_statements {
            self.add(block.key, What::Block(block.function, block.block), block.threads);
        }
    }

    fn marked(&mut self, marker: Marked<'_>) {
        if marker.workgroup == 0 && self.by_statements {
            self.add(marker.key, What::Statement(marker.function, marker.inst), marker.threads);
        }
    }

    fn executed(&mut self, execution: Execution<'_>) {
        if execution.workgroup == 0 {
            match execution.event {
                Some(event) => self.add(execution.key, What::Event(event), execution.threads),
                None => self.missed += execution.threads.len() as u64,
            }
        }
    }
}

/// Runs a kernel, and says who is together in its first workgroup, step by step. `title` is what the model is called, and `given` are the arguments as they were given.
///
/// # Errors
/// As [`run`](crate::run()).
///
/// ```
/// use reconverge::{Input, RunOptions, Settings, prepare, timeline_of_run};
/// let kernel = "kernel void k(global int *a) { if (get_local_id(0) < 2) a[0] = 1; barrier(1); }";
/// let module = reconverge::open(Input::new("k.cl", kernel, None)?, &Settings::default())?;
/// let options = RunOptions { block: Some([4, 1, 1]), arguments: vec!["a=i32[1]".to_owned()], races: false, ..RunOptions::default() };
/// let prepared = prepare(&module, &options)?;
/// let timeline = timeline_of_run(&prepared, "controlled", prepared.launch(), &options.arguments)?;
/// let sets: Vec<&str> = timeline.columns.iter().map(|column| timeline.sets[column.set].name.as_str()).collect();
/// assert_eq!(sets, ["0-3", "0,1", "0-3", "0-3"]);
/// assert_eq!(timeline.columns.last().map(|column| column.kind), Some("barrier"));
/// # Ok::<(), reconverge::Error>(())
/// ```
pub fn timeline_of_run(
    prepared: &Prepared<'_>,
    title: &str,
    launch: &Launch,
    given: &[String],
) -> Result<Timeline, Error> {
    let linked = linked(prepared)?;
    Watched::new(prepared, &linked, launch)?.timeline(prepared, title, launch, given)
}

/// The kernel with all that it needs: what several launches of it share.
pub(super) fn linked<'p>(prepared: &'p Prepared<'_>) -> Result<Linked<'p>, Error> {
    let (program, module) = (prepared.program(), prepared.module());
    program.link(&prepared.kernel().name).map_err(|error| refuse(error.to_string()).in_file(module.name()))
}

/// A run, and what was seen of its first workgroup.
pub(super) struct Watched {
    /// What came of it.
    pub(super) run: Run,
    watcher: Watcher,
    steps: Steps,
}

impl Watched {
    /// O(what the run does).
    pub(super) fn new(prepared: &Prepared<'_>, linked: &Linked<'_>, launch: &Launch) -> Result<Watched, Error> {
        let module = prepared.module();
        launch.check_shape().map_err(|error| refuse(error).in_file(module.name()))?;
        let threads = launch.threads_in_workgroup() as usize;
        let by_statements = prepared.program().has_statements();
        let mut watcher = Watcher { by_statements, keys: vec![Vec::new(); threads], ..Watcher::default() };
        let watched = Launch { max_events: MOST_EVENTS.min(module.limits.events), ..launch.clone() };
        let control = ExecControl { cancel: module.control.flag(), ..ExecControl::default() };
        let outcome = linked
            .run_observed(&watched, &control, &mut watcher)
            .map_err(|error| refuse(error.to_string()).in_file(module.name()))?;
        let run = prepared.worded("", launch, outcome);
        let steps = Steps::new(&watcher);
        Ok(Watched { run, watcher, steps })
    }

    /// Whether something is executed by other threads than what is before it.
    pub(super) fn has_diverged(&self) -> bool {
        self.steps.columns.windows(2).any(|pair| pair[0].threads != pair[1].threads)
    }

    /// O(what is shown, and the functions that were executed).
    pub(super) fn timeline(
        self,
        prepared: &Prepared<'_>,
        title: &str,
        launch: &Launch,
        given: &[String],
    ) -> Result<Timeline, Error> {
        let Watched { run, watcher, mut steps } = self;
        let (module, outcome) = (prepared.module(), &run.outcome);
        let places = places(prepared, &watcher.what)?;
        if module.source().is_some() {
            let has_lines = |what: &What| match what {
                What::Event(_) => true,
                code => places.get(code).is_some_and(|place| !place.source.is_empty()),
            };
            steps.keep(|step| step.what.iter().any(has_lines));
        }
        let (threads, by_statements) = (watcher.keys.len(), watcher.by_statements);
        let target = prepared.program().target();
        let mut sets = Sets::default();
        let all = steps.columns.len();
        let shown = all.min(MOST_COLUMNS);
        let columns: Vec<TimelineColumn> = steps.columns[..shown]
            .iter()
            .map(|step| {
                let set = sets.number(&step.threads);
                match step.what[0] {
                    What::Event(event) => of_event(module, target, &outcome.events[event], event, set),
                    What::Block(..) | What::Statement(..) => of_code(&places, &step.what, set),
                }
            })
            .collect();
        let rows = rows(&steps, &columns, outcome, shown, watcher.missed > 0 || all > shown);
        let mut notes = notes(module, outcome);
        if watcher.missed > 0 || all > shown {
            let more = if watcher.missed > 0 { " or more" } else { "" };
            notes.push(format!("The first {shown} of {all}{more} steps are shown."));
        }
        let shown_threads: usize = rows.iter().map(|row| row.threads.len()).sum();
        if shown_threads < threads {
            notes.push(format!("{shown_threads} of {threads} threads are shown."));
        }
        if outcome.workgroups > 1 {
            notes.push(format!("The first of {} workgroups is shown.", outcome.workgroups));
        }
        let function = match module.source() {
            Some(_) => as_written(&launch.kernel).into_owned(),
            None => format!("@{}", launch.kernel),
        };
        let sets = sets.all;
        let picture = Picture::new(&rows, &columns, &sets);
        Ok(Timeline {
            function,
            model: title.to_owned(),
            kind: "run",
            command: command_of(module, launch, given),
            notes,
            findings: run.diagnostics,
            rows,
            sets,
            columns,
            difference: None,
            picture,
            by_statements,
        })
    }
}

/// A column, before it has a name.
struct StepOf {
    threads: Vec<u64>,
    /// Blocks, statements, or one event.
    what: Vec<What>,
}

/// The columns, and in which of them each thread is.
struct Steps {
    columns: Vec<StepOf>,
    /// By thread: columns, ascending.
    of_threads: Vec<Vec<usize>>,
}

impl Steps {
    fn new(watcher: &Watcher) -> Steps {
        // Keys of instances that are converged have an order; what is no relation of that kind is shown as it happened, each execution alone.
        let order = ConvergenceOrder::new(&watcher.keys).or_else(|_| ConvergenceOrder::new(&alone(&watcher.keys)));
        let Ok(ConvergenceOrder { classes, members }) = order else {
            return Steps { columns: Vec::new(), of_threads: vec![Vec::new(); watcher.keys.len()] };
        };
        let what = |class: usize| {
            let place = members[class][0];
            watcher.what[watcher.keys[place.thread][place.position].0 as usize]
        };
        let mut columns: Vec<StepOf> = Vec::new();
        let mut column_of: Vec<usize> = Vec::with_capacity(members.len());
        for (class, places) in members.iter().enumerate() {
            let before = |place: &reconverge_semantics::Place| {
                let position = place.position.checked_sub(1)?;
                Some(classes[place.thread][position] as usize)
            };
            let previous = before(&places[0]).filter(|&previous| {
                places.iter().all(|place| before(place) == Some(previous))
                    && members[previous].len() == places.len()
                    && what(class).function().is_some()
                    && what(previous).function() == what(class).function()
            });
            match previous {
                Some(previous) => {
                    column_of.push(column_of[previous]);
                    columns[column_of[previous]].what.push(what(class));
                }
                None => {
                    column_of.push(columns.len());
                    let threads = places.iter().map(|place| place.thread as u64).collect();
                    columns.push(StepOf { threads, what: vec![what(class)] });
                }
            }
        }
        let of_thread = |classes: &Vec<u32>| {
            let mut all: Vec<usize> = classes.iter().map(|&class| column_of[class as usize]).collect();
            all.dedup();
            all
        };
        let of_threads = classes.iter().map(of_thread).collect();
        Steps { columns, of_threads }
    }

    /// Leaves out columns: what a compiler made of no line.
    fn keep(&mut self, is_kept: impl Fn(&StepOf) -> bool) {
        let mut left = 0;
        let number = |step: &StepOf| {
            let number = is_kept(step).then_some(left);
            left += usize::from(number.is_some());
            number
        };
        let numbers: Vec<Option<usize>> = self.columns.iter().map(number).collect();
        let mut all = numbers.iter();
        self.columns.retain(|_| all.next().is_some_and(Option::is_some));
        for columns in &mut self.of_threads {
            *columns = columns.iter().filter_map(|&column| numbers[column]).collect();
        }
    }
}

/// Each execution as an instance of its own.
fn alone(keys: &[Vec<Key>]) -> Vec<Vec<Key>> {
    let mut next = 0..;
    let mut one = |_: &Key| Key(next.next().unwrap_or(u32::MAX));
    keys.iter().map(|row| row.iter().map(&mut one).collect()).collect()
}

/// What is known of a block, or a statement.
#[derive(Debug, Clone, Default)]
struct CodePlace {
    function: String,
    name: String,
    ir: Vec<usize>,
    /// Of source: the lines, with their file.
    source: Vec<(String, usize)>,
}

/// The places of the blocks and statements that were executed. O(the functions that they are in).
fn places(prepared: &Prepared<'_>, what: &[What]) -> Result<FxHashMap<What, CodePlace>, Error> {
    let (module, index) = (prepared.module(), prepared.program().module());
    let wanted: FxHashSet<FunctionId> = what.iter().filter_map(|what| what.function()).collect();
    let statements: FxHashSet<What> = what.iter().copied().filter(|what| matches!(what, What::Statement(..))).collect();
    let lines = Lines::new(module.ir());
    let mut reader = FunctionReader::new(index);
    let mut found = FxHashMap::default();
    for id in wanted {
        let function = reader.read(id).map_err(|error| module.not_ir(&error))?;
        let origins =
            module.source().map(|source| FunctionOrigins::new(index, id, &function, source.words.origins.as_ref()));
        let name = index.function_name(id);
        let of_block = |block: Block| CodePlace {
            function: match module.source() {
                Some(_) => as_written(name.trim_start_matches('@')).into_owned(),
                None => name.to_string(),
            },
            name: crate::visible::visible(&index.local_name(function.blocks[block].name)).into_owned(),
            ..CodePlace::default()
        };
        let mut all: Vec<CodePlace> = function.blocks.keys().map(of_block).collect();
        for (inst, data) in function.instructions.iter() {
            let place = &mut all[data.block.as_u32() as usize];
            let line = lines.line_of(data.span.range().start) + 1;
            place.ir.push(line);
            let origin = origins.as_ref().and_then(|origins| origins.of_instruction(inst));
            let source = origin.and_then(|origin| {
                Some((origin.place.file.path.display().to_string(), origin.place.line()?.0 as usize))
            });
            let what = What::Statement(id, inst);
            if statements.contains(&what) {
                let at = data.debug_location.expand().and_then(|node| index.debug_location(node));
                let source = at.filter(|at| at.line > 0).map(|at| (at.file, at.line as usize)).into_iter().collect();
                let function = place.function.clone();
                found.insert(what, CodePlace { function, ir: vec![line], source, ..CodePlace::default() });
            }
            place.source.extend(source);
        }
        found.extend(function.blocks.keys().zip(all).map(|(block, place)| (What::Block(id, block), place)));
    }
    Ok(found)
}

/// A column of blocks or statements that the same threads execute one after the other.
fn of_code(known: &FxHashMap<What, CodePlace>, what: &[What], set: usize) -> TimelineColumn {
    let mut seen = FxHashSet::default();
    let places: Vec<&CodePlace> =
        what.iter().filter(|&&one| seen.insert(one)).filter_map(|one| known.get(one)).collect();
    let is_blocks = matches!(what, [What::Block(..), _, ..]);
    let sorted = |mut lines: Vec<usize>| {
        lines.sort_unstable();
        lines.dedup();
        lines.truncate(MOST_LINES);
        lines
    };
    let file = places.iter().flat_map(|place| &place.source).map(|(file, _)| file.clone()).next();
    let of_file = places.iter().flat_map(|place| &place.source).filter(|(path, _)| Some(path) == file.as_ref());
    let lines = sorted(of_file.map(|&(_, line)| line).collect());
    // Of each block the first, so that it can be told which blocks these are.
    let mut ir = sorted(places.iter().flat_map(|place| place.ir.iter().copied()).collect());
    ir.extend(places.iter().filter_map(|place| place.ir.first().copied()));
    ir.sort_unstable();
    ir.dedup();
    let first = places.first().map_or("", |place| place.name.as_str());
    let name = match (&lines[..], places.len()) {
        ([one], _) => one.to_string(),
        ([first, .., last], _) => format!("{first}–{last}"),
        ([], 1) => first.to_owned(),
        ([], _) => format!("{first} …"),
    };
    TimelineColumn {
        kind: "code",
        name,
        function: places.first().map_or_else(String::new, |place| place.function.clone()),
        set,
        file,
        lines,
        ir,
        blocks: is_blocks.then_some(what.len()),
        event: None,
        results: Vec::new(),
        from: Vec::new(),
    }
}

/// The column of an operation.
fn of_event(module: &Module, target: &Target, event: &Event, number: usize, set: usize) -> TimelineColumn {
    let facts = target.call(event.operation.as_bytes()).map(|facts| facts.operation);
    let kind = match facts {
        _ if event.since.is_empty() => "call",
        Some(Operation::Barrier(_)) => "barrier",
        _ if event.from.iter().any(Option::is_some) => "exchange",
        _ => "combine",
    };
    let place = event.source.as_ref().filter(|place| place.line > 0 && module.source().is_some());
    let written = || {
        let source = module.source()?;
        Some(source.words.called_at(place?).unwrap_or_else(|| as_written(&event.operation).into_owned()))
    };
    let function = match module.source() {
        Some(_) => as_written(&event.function).into_owned(),
        None => format!("@{}", event.function),
    };
    TimelineColumn {
        kind,
        name: written().unwrap_or_else(|| format!("@{}", event.operation)),
        function,
        set,
        file: place.map(|place| place.file.clone()),
        lines: place.map(|place| place.line as usize).into_iter().collect(),
        ir: vec![event.line as usize],
        blocks: None,
        event: Some(number),
        results: event.results.clone(),
        from: event.from.clone(),
    }
}

/// The rows: a thread each, or, where these are many, those that do the same.
fn rows(steps: &Steps, columns: &[TimelineColumn], outcome: &Outcome, shown: usize, is_cut: bool) -> Vec<TimelineRow> {
    let is_in = |all: Vec<&Vec<u64>>| all.into_iter().flatten().copied().collect::<FxHashSet<u64>>();
    let ended = is_in(outcome.ends.iter().filter(|end| end.workgroup == 0).map(|end| &end.threads).collect());
    let waiting = is_in(outcome.waiting.iter().filter(|one| one.workgroup == 0).map(|one| &one.threads).collect());
    let last = |thread: usize| match thread as u64 {
        _ if is_cut && steps.of_threads[thread].last().is_some_and(|&last| last >= shown) => 'o',
        thread if waiting.contains(&thread) => 'h',
        thread if ended.contains(&thread) => 'x',
        _ => '?',
    };
    let states = |thread: usize| {
        let mine = &steps.of_threads[thread];
        let mut next = 0;
        let mut states = String::new();
        for column in 0..=shown {
            let state = match mine.get(next) {
                Some(&at) if at == column => {
                    next += 1;
                    'r'
                }
                Some(&at) if columns.get(at).is_some_and(|column| !matches!(column.kind, "code" | "call")) => 'w',
                Some(_) => 'o',
                None => last(thread),
            };
            states.push(state);
        }
        states
    };
    let of_thread = |thread: usize| (vec![thread as u64], states(thread));
    let threads = (0..steps.of_threads.len()).map(of_thread);
    let mut rows: Vec<(Vec<u64>, String)> = Vec::new();
    if steps.of_threads.len() <= MOST_SINGLE {
        rows.extend(threads);
    } else {
        let mut known: FxHashMap<String, usize> = FxHashMap::default();
        for (threads, states) in threads {
            let row = *known.entry(states.clone()).or_insert(rows.len());
            match rows.get_mut(row) {
                Some((members, _)) => members.extend(threads),
                None => rows.push((threads, states)),
            }
        }
    }
    rows.truncate(MOST_ROWS);
    let row = |(threads, states): (Vec<u64>, String)| TimelineRow {
        name: ranges(&threads),
        threads,
        states,
        cells: Vec::new(),
    };
    rows.into_iter().map(row).collect()
}

/// How the run ended, where it did not end well.
fn notes(module: &Module, outcome: &Outcome) -> Vec<String> {
    let mut notes = Vec::new();
    for waiting in outcome.waiting.iter().filter(|waiting| waiting.workgroup == 0) {
        let place = waiting.source.as_ref().filter(|place| place.line > 0 && module.source().is_some());
        let name = match (place, module.source()) {
            (Some(place), Some(source)) => {
                source.words.called_at(place).unwrap_or_else(|| as_written(&waiting.operation).into_owned())
            }
            _ => format!("@{}", waiting.operation),
        };
        let line = place.map_or(waiting.line, |place| place.line);
        let (threads, verb) = match waiting.threads.len() {
            1 => ("Thread", "waits"),
            _ => ("Threads", "wait"),
        };
        let names = ranges(&waiting.threads);
        notes.push(format!("{threads} {names} {verb} at `{name}` (line {line}) when the run ends."));
    }
    notes
}
