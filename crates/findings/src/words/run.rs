//! What goes wrong in runs, in words.

use reconverge_operations::Scope;

use super::{Said, Words};
use crate::anchor::Anchor;
use crate::diagnostic::Related;
use crate::run::{
    Doing, Everywhere, FaultKind, Limit, MaskReading, Noundef, Object, OperationBreach, Piece, Progress, RunLimit,
    Sentence, Spinning, Standing, Touch, Trouble, What,
};
use crate::voice::Voice;

impl Words<'_, '_> {
    /// Numbers of threads.
    fn list(&self, threads: &[u64]) -> String {
        list_threads(threads, self.voice.thread())
    }

    pub(super) fn trouble(&self, at: Anchor, trouble: &Trouble) -> Said {
        let thread = self.voice.thread();
        let threads = self.list(&trouble.threads);
        let has = if trouble.threads.len() == 1 { "has" } else { "have" };
        let label = match &trouble.what {
            What::Race { one: (one, touch), .. } => format!("{thread} {one} {} here", touched(*touch)),
            What::Barrier { .. } | What::TooFew { .. } | What::OtherBarriers { .. } | What::Deadlock { .. } => {
                format!("waiting: {threads}")
            }
            What::Spinning { .. } => format!("looping while nothing changes: {threads}"),
            What::Limit(Limit::Run { .. }) if trouble.threads.is_empty() => format!("no {thread} has begun"),
            _ => format!("{threads} {has} this"),
        };
        let mut said = Said::new(self.what(trouble), label);
        said.related = trouble.others.iter().map(|standing| self.standing(standing)).collect();
        let called = std::iter::once(at).chain(trouble.calls.iter().copied());
        said.related.extend(called.zip(&trouble.calls).map(|(called, &call)| self.call(called, call)));
        if let What::Race { between, .. } = trouble.what {
            said.related.extend(self.barrier_of_iteration(between));
        }
        said.notes = self.notes(&trouble.what);
        said.notes.extend(trouble.everywhere.iter().flat_map(|everywhere| self.everywhere(everywhere)));
        if trouble.workgroups > 1 {
            let group = self.voice.group(Scope::Workgroup);
            said.notes.push(format!("{group} {} and {} more have this", trouble.first, trouble.workgroups - 1));
        }
        said
    }

    fn standing(&self, standing: &Standing) -> Related {
        let threads = self.list(&standing.threads);
        let what = match standing.doing {
            Doing::Here => format!("here: {threads}"),
            Doing::Waiting => format!("waiting: {threads}"),
            Doing::WaitingAtBarrier => format!("waiting at another barrier: {threads}"),
            Doing::Spinning => format!("also looping: {threads}"),
            Doing::StandingStill => format!("waiting until the others have left the cycle: {threads}"),
            Doing::Touching(touch) => format!("{threads} {} here", touched(touch)),
        };
        self.related(standing.at, what)
    }

    /// The call of the function that a place is in.
    fn call(&self, at: Anchor, call: Anchor) -> Related {
        let called = at.function.map(|id| self.symbol(self.module.functions[id].symbol));
        let called = called.unwrap_or_else(|| "the function".to_owned());
        self.related(call, format!("{called} is called here"))
    }

    /// A line for each place where threads are.
    fn everywhere(&self, everywhere: &Everywhere) -> Vec<String> {
        let groups = everywhere.groups.iter();
        let mut lines: Vec<String> =
            groups.map(|(threads, at)| format!("{} at {}", self.list(threads), self.statement(*at))).collect();
        if everywhere.more > 0 {
            lines.push(format!("and {} more groups of {}s", everywhere.more, self.voice.thread()));
        }
        lines
    }

    /// An instruction as it is written, with its place.
    fn statement(&self, at: Anchor) -> String {
        let function = at.function.map(|id| self.symbol(self.module.functions[id].symbol)).unwrap_or_default();
        let line = match at.location.and_then(|node| self.module.debug_location(node)) {
            Some(source) => format!("{}:{}", source.file, source.line),
            None => format!("line {}", self.module.position(at.span.start as usize).line),
        };
        // Whoever reads source has not seen the instruction.
        if !self.voice.speaks_ir() {
            return format!("{line} ({function})");
        }
        let text = self.there(at, |scene| {
            let data = at.inst.and_then(|inst| scene.function.instructions.get(inst));
            data.map(|data| self.module.display_instruction(data)).unwrap_or_default()
        });
        format!("`{}` ({function}, {line})", text.unwrap_or_default())
    }

    fn what(&self, trouble: &Trouble) -> String {
        let thread = self.voice.thread();
        let speaks_ir = self.voice.speaks_ir();
        let undefined = undefined(&*self.voice);
        match &trouble.what {
            What::UnknownBranch => format!("a branch depends on a value that is {undefined}"),
            What::UnknownAddress => format!("an address is {undefined}"),
            What::Noundef(what) => {
                let what = match what {
                    Noundef::Argument(position) => format!("argument {} of this call", position + 1),
                    Noundef::Returned | Noundef::Result => "what is returned".to_owned(),
                };
                let which = if speaks_ir { ", which `noundef` forbids" } else { "" };
                format!("{what} is {undefined}{which}")
            }
            What::NoFunction => "a call through a pointer that leads to no function with these parameters".to_owned(),
            What::NoBlock if !speaks_ir => "a computed `goto` that leads to no label of the function".to_owned(),
            What::NoBlock => "an indirect branch to an address that is none of its blocks".to_owned(),
            What::Uncaught => "an exception leaves the kernel".to_owned(),
            What::Unreachable if !speaks_ir => {
                "threads reach what must not be reached: `__builtin_unreachable()`, or the end of a function that has to return a value".to_owned()
            }
            What::Unreachable => "'unreachable' is reached".to_owned(),
            What::Assertion => "an assertion fails".to_owned(),
            What::Trap => "a trap is executed".to_owned(),
            What::Arithmetic => "undefined behaviour: a division by zero, or one whose result does not fit".to_owned(),
            What::Assumption if !speaks_ir => "what the program asks the compiler to assume does not hold".to_owned(),
            What::Assumption => "what 'llvm.assume' says does not hold".to_owned(),
            What::Limit(limit) => limit_message(limit, thread),
            What::Fault { kind, bytes, object } => self.fault(*kind, *bytes, object.as_ref()),
            What::Race { one: (one, touch), other: (other, other_touch), object, .. } => format!(
                "a data race: {thread} {one} {} what {thread} {other} {} at {}, and nothing orders the two",
                touched(*touch),
                touched(*other_touch),
                self.object(Some(object)),
            ),
            What::Operation(breach) => operation(breach, &*self.voice),
            What::Print { message, .. } => self.sentence(message),
            What::NotAllThere(missing) => {
                let execute = if missing.len() == 1 { "does" } else { "do" };
                format!("this needs all {thread}s of its group, and {} {execute} not execute it", self.list(missing))
            }
            What::Barrier { scope, missing, .. } => {
                let reach = if missing.len() == 1 { "reaches" } else { "reach" };
                let group = self.voice.group(*scope);
                // Threads have their numbers in the launch.
                let of = match (scope, trouble.first) {
                    (Scope::Workgroup, 1..) => format!("{group} {}", trouble.first),
                    _ => format!("the {group}"),
                };
                format!("{} of {of} never {reach} this barrier", self.list(missing))
            }
            What::TooFew { number, wanted, come } => {
                format!("barrier {number} waits for {wanted} {thread}s, and {come} reach it")
            }
            What::OtherBarriers { scope, .. } => {
                format!("{thread}s of a {} wait for each other at different barriers", self.voice.group(*scope))
            }
            What::Deadlock { .. } => format!("{thread}s wait for each other, and none can go on"),
            What::Spinning { because, .. } => match because {
                Spinning::HoldsOthers => {
                    format!("{thread}s spin, waiting for {thread}s of their own group that wait for them")
                }
                Spinning::IsWaitedFor => format!("{thread}s spin, and all others of their group wait for them"),
                Spinning::Alone => format!("{thread}s spin, and no {thread} of their group can end that"),
            },
        }
    }

    fn notes(&self, what: &What) -> Vec<String> {
        let thread = self.voice.thread();
        match what {
            What::Limit(Limit::Run { finished, workgroups, number, .. }) => {
                let plural = if *workgroups == 1 { "" } else { "s" };
                let group = self.voice.group(Scope::Workgroup);
                vec![format!("{finished} of {workgroups} {group}{plural} ran to the end; number {number} did not")]
            }
            What::Print { format, advice, also, .. } => {
                let format = format.iter().map(|format| format!("the format is \"{format}\""));
                let also = also.iter().map(|other| format!("also, {}", self.sentence(other)));
                format.chain([(*advice).to_owned()]).chain(also).collect()
            }
            What::Barrier { ended, .. } | What::OtherBarriers { ended, .. } if !ended.is_empty() => {
                vec![format!("{} reached the end of the kernel", self.list(ended))]
            }
            What::Deadlock { able, masks } => {
                let note = |(able, of): &(Vec<u64>, Vec<u64>)| {
                    let (able, of) = (self.list(able), self.list(of));
                    format!("{able}: can still execute the operation of {of}, which so cannot go on")
                };
                able.iter().map(note).chain(masks.iter().map(|&reading| reading_of_masks(reading, thread))).collect()
            }
            What::Spinning { because, one_after_the_other, progress } => {
                let why = match because {
                    Spinning::HoldsOthers => &*match progress {
                        Progress::Unsaid => {
                            format!("under --schedule fair all {thread}s make progress, and these could end the loop")
                        }
                        Progress::Together => format!(
                            "before sm_70 this hangs; from sm_70 on, as under --schedule fair, all {thread}s make progress, and these could end the loop"
                        ),
                        Progress::Independent => format!(
                            "before sm_70 this hangs; from sm_70 on, all {thread}s make progress as under --schedule fair, and these could end the loop"
                        ),
                    },
                    Spinning::IsWaitedFor => {
                        "this holds for each schedule: those that wait cannot go on before the others have left the cycle"
                    }
                    Spinning::Alone => &format!(
                        "the same instructions run again and again with the same values, and no {thread} is left that could change them"
                    ),
                };
                let others = "workgroups of this kernel run one after the other here; that others run at the same time, and could end \
                              this, is not guaranteed elsewhere either";
                let others = one_after_the_other.then_some(others);
                [Some(why), others].into_iter().flatten().map(str::to_owned).collect()
            }
            What::Operation(
                OperationBreach::MaskWithoutSelf { reading, .. } | OperationBreach::MaskNamesOthers { reading, .. },
            ) => vec![reading_of_masks(*reading, thread)],
            _ => Vec::new(),
        }
    }

    fn sentence(&self, sentence: &Sentence) -> String {
        let pieces = sentence.0.iter().map(|piece| match piece {
            Piece::Text(text) => text.clone(),
            Piece::Undefined => undefined(&*self.voice).to_owned(),
            Piece::Object(object) => self.object(object.as_ref()),
        });
        pieces.collect()
    }

    fn object(&self, object: Option<&Object>) -> String {
        let Some(Object { name, variable, bytes, offset, .. }) = object else {
            return "memory where no object is".to_owned();
        };
        let variable = variable.and_then(|at| {
            self.there(at, |scene| {
                let result = scene.function.instructions.get(at.inst?)?.result.expand()?;
                Some(self.voice.value(&scene, result))
            })?
        });
        if let Some(variable) = variable {
            let what = if self.voice.speaks_ir() { "an alloca of" } else { "which has" };
            return format!("offset {offset} of {variable}, {what} {bytes} bytes");
        }
        let size = |bytes: u64| format!("{bytes} byte{}", if bytes == 1 { "" } else { "s" });
        let place = match *offset {
            offset if offset < 0 => format!("{} before the start of", size(offset.unsigned_abs())),
            offset => format!("offset {offset} of"),
        };
        match name.as_str() {
            "" => format!("{place} an object of {}", size(*bytes)),
            name => format!("{place} `{name}`, which has {}", size(*bytes)),
        }
    }

    fn fault(&self, kind: FaultKind, bytes: u64, object: Option<&Object>) -> String {
        let object = self.object(object);
        let bytes = match bytes {
            1 => "1 byte".to_owned(),
            bytes => format!("{bytes} bytes"),
        };
        match kind {
            FaultKind::Null => "memory is accessed through a null pointer".to_owned(),
            FaultKind::OutOfBounds => format!("{bytes} are accessed at {object}"),
            FaultKind::Unallocated => format!("{bytes} are accessed where no object is"),
            FaultKind::NotMemory => "memory is accessed through what is no address".to_owned(),
            FaultKind::OfAnotherWorkgroup => {
                let group = self.voice.group(Scope::Workgroup);
                format!("memory is used that another {group} has asked for, and a run keeps it for that one only")
            }
            FaultKind::NotAllocated => "what is freed was not allocated, or was freed before".to_owned(),
            FaultKind::Constant => format!("{bytes} are stored at {object}, which is constant"),
            FaultKind::Misaligned => {
                format!("{bytes} are accessed at {object}, an address that is less aligned than stated")
            }
            FaultKind::Uninitialised => format!("{bytes} at {object} are read but were never written"),
        }
    }
}

fn limit_message(limit: &Limit, thread: &str) -> String {
    match limit {
        Limit::Calls(limit) => format!("more than {limit} calls in one another (--limit call-depth=N raises this)"),
        Limit::Stack(limit) => format!("a {thread} needs more than {limit} bytes of private memory (--max-stack)"),
        Limit::Heap(limit) => format!("more than {limit} bytes of memory are asked for (--max-memory raises this)"),
        Limit::Steps(limit) => format!("the limit of {limit} steps is reached (--limit run-steps=N raises this)"),
        Limit::CallBytes(limit) => {
            format!("calls in one another need more than {limit} bytes (--limit call-bytes=N raises this)")
        }
        Limit::Records(limit) => format!(
            "more than {limit} executions that other {thread}s may still join (--limit run-records=N raises this)"
        ),
        Limit::Run { of, shared, .. } => {
            let together = if *shared { " for all models together" } else { "" };
            match of {
                RunLimit::Instructions(limit) => {
                    format!("the limit of {limit} instructions{together} is reached (--max-instructions)")
                }
                RunLimit::Steps(limit) => {
                    format!("the limit of {limit} steps{together} is reached (--limit run-steps=N raises this)")
                }
            }
        }
    }
}

/// How masks are read in this run.
fn reading_of_masks(reading: MaskReading, thread: &str) -> String {
    match reading {
        MaskReading::Partition => format!(
            "under --masks partition, converged {thread}s communicate that pass the same mask; the others that it names have to execute the operation, too"
        ),
        MaskReading::Concurrent => format!(
            "under --masks concurrent, the {thread}s that the mask names communicate, wherever each of them executes the operation"
        ),
    }
}

fn operation(breach: &OperationBreach, voice: &dyn Voice) -> String {
    let thread = voice.thread();
    match breach {
        OperationBreach::Outside { source } => {
            format!("a value is taken from {thread} {source}, which does not execute the operation with it")
        }
        OperationBreach::OutOfRange { index, group } => {
            let group = voice.group(*group);
            format!("a value is taken from number {index} of a {group} that has no such {thread}")
        }
        OperationBreach::NotUniform { argument } => {
            format!("operand {} has to be the same in all {thread}s of the operation", argument + 1)
        }
        OperationBreach::MaskWithoutSelf { mask, .. } => {
            format!("the mask {mask:#x} does not name the {thread} that passes it")
        }
        OperationBreach::MaskNamesOthers { missing, .. } => {
            let does = if missing.len() == 1 { "does" } else { "do" };
            format!("the mask names {}, which {does} not execute the operation", list_threads(missing, thread))
        }
        OperationBreach::Indeterminate { argument, sources } => format!(
            "operand {} of {}, which reaches other {thread}s, is {}",
            argument + 1,
            list_threads(sources, thread),
            undefined(voice)
        ),
        OperationBreach::Meaningless { argument, value, expected } => {
            format!("operand {} is {value}, and must be {expected}", argument + 1)
        }
    }
}

/// A value without a defined content.
fn undefined(voice: &dyn Voice) -> &'static str {
    match voice.speaks_ir() {
        true => "poison or undef",
        false => "undefined: a variable that was not initialised, or the result of something undefined",
    }
}

fn touched(touch: Touch) -> &'static str {
    match touch {
        Touch::Read => "reads",
        Touch::Write => "writes",
        Touch::AtomicRead => "reads atomically",
        Touch::AtomicWrite => "writes atomically",
    }
}

/// Numbers in ascending order, in words: "threads 0-3, 8".
fn list_threads(threads: &[u64], thread: &str) -> String {
    let mut ranges: Vec<(u64, u64)> = Vec::new();
    for &thread in threads {
        match ranges.last_mut() {
            Some(last) if last.1 + 1 == thread => last.1 = thread,
            _ => ranges.push((thread, thread)),
        }
    }
    let shown: Vec<String> = ranges
        .iter()
        .take(8)
        .map(|&(first, last)| match last - first {
            0 => first.to_string(),
            1 => format!("{first}, {last}"),
            _ => format!("{first}-{last}"),
        })
        .collect();
    let more = if ranges.len() > 8 { ", …" } else { "" };
    let plural = if threads.len() == 1 { "" } else { "s" };
    format!("{thread}{plural} {}{more}", shown.join(", "))
}
