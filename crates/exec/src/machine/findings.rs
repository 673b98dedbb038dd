//! What is wrong with an execution, in words.
//!
//! Each kind of trouble is said once for each instruction, for the first workgroup and threads that had it.

use reconverge_analysis::codes::Code as Rule;
use reconverge_analysis::diagnostic::{Diagnostic, Related, Severity};
use rustc_hash::FxHashMap;

use super::frame::Fragment;
use super::meeting::{Member, Target};
use super::workgroup::{Spent, Workgroup};
use crate::memory::{Fault, FaultKind, ObjectPlace, Race, Segment, Touch};
use crate::operations::{Scope, Stop, Violation, ViolationKind};
use crate::program::Executable;
use crate::program::code::{CodeId, Op};
use crate::value::Mask;

/// What is wrong.
#[derive(Debug, Clone)]
pub(super) enum Trouble {
    /// A branch on a value that is not known.
    UnknownBranch,
    /// An access, or a call, through an address that is not known.
    UnknownAddress,
    /// An indirect call of something that is no function, or one with other parameters.
    NoFunction,
    Unreachable,
    Stop(Stop),
    /// Division by zero and the like.
    Arithmetic,
    /// A false `llvm.assume`.
    Assumption,
    /// Too many calls in one another.
    Depth(usize),
    /// Too much private memory, in bytes.
    Stack(u64),
    /// Too many steps.
    Steps(usize),
    /// Too many bytes of registers.
    CallBytes(usize),
    /// Too many executions that are not over.
    Records(usize),
    Fault(Fault),
    Race(Race),
    Violation(Violation),
    /// A call of `printf`.
    Print {
        severity: Severity,
        message: String,
        notes: Vec<String>,
    },
    /// An operation of a whole group, without these threads.
    NotAllThere(Vec<u64>),
}

/// Something that was found.
#[derive(Debug, Clone)]
pub(crate) struct Finding {
    pub(crate) rule: Rule,
    pub(crate) severity: Severity,
    pub(crate) code: CodeId,
    pub(crate) op: u32,
    pub(crate) message: String,
    pub(crate) label: String,
    /// Other places: operations of functions.
    pub(crate) related: Vec<(CodeId, u32, String)>,
    pub(crate) notes: Vec<String>,
    /// How many workgroups have it.
    pub(crate) workgroups: u64,
    /// The first of them.
    pub(crate) first: u64,
}

/// What was found in a workgroup.
#[derive(Debug, Default)]
pub(crate) struct Findings(FxHashMap<(Rule, CodeId, u32), Finding>);

impl Findings {
    fn add(&mut self, finding: Finding) {
        match self.0.entry((finding.rule, finding.code, finding.op)) {
            std::collections::hash_map::Entry::Vacant(entry) => {
                entry.insert(finding);
            }
            // A warning does not hide an error.
            std::collections::hash_map::Entry::Occupied(mut entry) if entry.get().severity < finding.severity => {
                entry.insert(finding);
            }
            std::collections::hash_map::Entry::Occupied(_) => {}
        }
    }

    /// Takes over what another workgroup found. Of the same finding, the worst is told, and of those that of the lowest workgroup.
    pub(crate) fn join(&mut self, others: Findings) {
        for (key, finding) in others.0 {
            match self.0.entry(key) {
                std::collections::hash_map::Entry::Vacant(entry) => {
                    entry.insert(finding);
                }
                std::collections::hash_map::Entry::Occupied(mut entry) => {
                    let workgroups = entry.get().workgroups + finding.workgroups;
                    let rank = |finding: &Finding| (std::cmp::Reverse(finding.severity), finding.first);
                    if rank(&finding) < rank(entry.get()) {
                        entry.insert(finding);
                    }
                    entry.get_mut().workgroups = workgroups;
                }
            }
        }
    }

    /// The findings as diagnostics, in the order of the text.
    pub(crate) fn diagnostics(self, program: &Executable<'_>) -> Vec<Diagnostic> {
        let mut diagnostics: Vec<Diagnostic> =
            self.0.into_values().map(|finding| finding.diagnostic(program)).collect();
        diagnostics.sort_by_key(|a| (a.span.start, a.code));
        diagnostics
    }
}

impl Finding {
    fn diagnostic(self, program: &Executable<'_>) -> Diagnostic {
        let (span, source) = program.place(self.code, self.op);
        let code = &program.codes[self.code];
        let inst = &code.ir.instructions[code.insts[self.op as usize]];
        let related = self.related.into_iter().map(|(code, op, message)| {
            let (span, source) = program.place(code, op);
            Related { span, message, source }
        });
        let mut notes = self.notes;
        if self.workgroups > 1 {
            notes.push(format!("workgroup {} and {} more have this", self.first, self.workgroups - 1));
        }
        Diagnostic {
            code: self.rule,
            severity: self.severity,
            message: self.message,
            function: Some(format!("@{}", code.name)),
            instances: Vec::new(),
            block: Some(program.module.local_name(code.ir.blocks[inst.block].name)),
            span,
            label: self.label,
            source,
            related: related.collect(),
            notes,
        }
    }
}

/// Numbers in ascending order, in words: "threads 0-3, 8".
pub(crate) fn list_threads(threads: &[u64]) -> String {
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
    let noun = if threads.len() == 1 { "thread" } else { "threads" };
    format!("{noun} {}{more}", shown.join(", "))
}

fn touched(touch: Touch) -> &'static str {
    match touch {
        Touch::Read => "reads",
        Touch::Write => "writes",
        Touch::AtomicRead => "reads atomically",
        Touch::AtomicWrite => "writes atomically",
    }
}

fn has(threads: &str) -> &'static str {
    if threads.starts_with("thread ") { "has" } else { "have" }
}

impl Workgroup<'_> {
    fn site(&self, wave: usize, fragment: &Fragment) -> (CodeId, u32) {
        (self.waves[wave].frames[fragment.frame as usize].code, fragment.op)
    }

    /// The operation with a number.
    fn site_of(&self, site: u32) -> (CodeId, u32) {
        let codes = &self.program.codes;
        let found = codes.iter().rev().find(|(_, code)| code.first_site <= site);
        found.map_or((self.program.kernel, 0), |(id, code)| (id, site - code.first_site))
    }

    /// Notes trouble that lanes of a fragment have with its operation.
    pub(super) fn report(&mut self, wave: usize, fragment: &Fragment, lanes: Mask, trouble: Trouble) {
        let (code, op) = self.site(wave, fragment);
        let who = self.threads(wave, lanes);
        let threads = list_threads(&who);
        let (rule, message) = match &trouble {
            Trouble::UnknownBranch => (Rule::RC0506, "a branch depends on a value that is poison or undef".to_string()),
            Trouble::UnknownAddress => (Rule::RC0506, "an address is poison or undef".to_string()),
            Trouble::NoFunction => {
                (Rule::RC0508, "a call through a pointer that leads to no function with these parameters".to_string())
            }
            Trouble::Unreachable => (Rule::RC0508, "'unreachable' is reached".to_string()),
            Trouble::Stop(Stop::Assertion) => (Rule::RC0508, "an assertion fails".to_string()),
            Trouble::Stop(_) => (Rule::RC0508, "a trap is executed".to_string()),
            Trouble::Arithmetic => {
                (Rule::RC0508, "undefined behaviour: a division by zero, or one whose result does not fit".to_string())
            }
            Trouble::Assumption => (Rule::RC0508, "what 'llvm.assume' says does not hold".to_string()),
            Trouble::Depth(limit) => {
                (Rule::RC0509, format!("more than {limit} calls in one another (--limit call-depth=N raises this)"))
            }
            Trouble::Stack(limit) => {
                (Rule::RC0509, format!("a thread needs more than {limit} bytes of private memory (--max-stack)"))
            }
            Trouble::Steps(limit) => {
                (Rule::RC0509, format!("the limit of {limit} steps is reached (--limit run-steps=N raises this)"))
            }
            Trouble::CallBytes(limit) => (
                Rule::RC0509,
                format!("calls in one another need more than {limit} bytes (--limit call-bytes=N raises this)"),
            ),
            Trouble::Records(limit) => (
                Rule::RC0509,
                format!(
                    "more than {limit} executions that other threads may still join (--limit run-records=N raises this)"
                ),
            ),
            Trouble::Fault(fault) => self.fault_message(fault),
            Trouble::Race(race) => return self.report_race(code, op, race),
            Trouble::Violation(violation) => self.violation_message(wave, fragment, violation),
            Trouble::Print { message, .. } => (Rule::RC0512, message.clone()),
            Trouble::NotAllThere(missing) => (
                Rule::RC0501,
                format!("an operation of all threads of its group is executed without {}", list_threads(missing)),
            ),
        };
        let severity = match &trouble {
            Trouble::Fault(fault) if fault.kind == FaultKind::Uninitialised => Severity::Warning,
            Trouble::Print { severity, .. } => *severity,
            _ => rule.severity(),
        };
        let label = format!("{threads} {} this", has(&threads));
        let mut notes = Vec::new();
        if let Trouble::Depth(_) | Trouble::CallBytes(_) | Trouble::Records(_) = trouble {
            notes = self.where_all_are();
        }
        if let Trouble::Print { notes: more, .. } = trouble {
            notes = more;
        }
        self.add(rule, severity, (code, op), message, label, Vec::new(), notes);
    }

    #[allow(clippy::too_many_arguments, reason = "all of it is what a finding is")]
    fn add(
        &mut self,
        rule: Rule,
        severity: Severity,
        (code, op): (CodeId, u32),
        message: String,
        label: String,
        related: Vec<(CodeId, u32, String)>,
        notes: Vec<String>,
    ) {
        let first = self.number;
        self.findings.add(Finding { rule, severity, code, op, message, label, related, notes, workgroups: 1, first });
    }

    pub(super) fn object(&self, place: Option<&ObjectPlace>) -> String {
        match place {
            Some(place) => match (place.segment, place.site) {
                (Segment::Private, Some(site)) => {
                    let (code, op) = self.site_of(site);
                    let name = self.program.result_name(code, op);
                    match name {
                        Some(name) => format!("offset {} of %{name}, an alloca of {} bytes", place.offset, place.bytes),
                        None => place.to_string(),
                    }
                }
                _ => place.to_string(),
            },
            None => "a place where nothing is".to_string(),
        }
    }

    fn fault_message(&self, fault: &Fault) -> (Rule, String) {
        let object = self.object(fault.place.as_ref());
        let bytes = match fault.bytes {
            1 => "1 byte".to_string(),
            bytes => format!("{bytes} bytes"),
        };
        match fault.kind {
            FaultKind::Null => (Rule::RC0505, "memory is accessed through a null pointer".to_string()),
            FaultKind::OutOfBounds => (Rule::RC0505, format!("{bytes} are accessed at {object}")),
            FaultKind::Unallocated => (Rule::RC0505, format!("{bytes} are accessed where no object is")),
            FaultKind::NotMemory => (Rule::RC0505, "memory is accessed through what is no address".to_string()),
            FaultKind::Constant => (Rule::RC0508, format!("{bytes} are stored at {object}, which is constant")),
            FaultKind::Misaligned => {
                (Rule::RC0508, format!("{bytes} are accessed at {object}, an address that is less aligned than stated"))
            }
            FaultKind::Uninitialised => {
                (Rule::RC0506, format!("{bytes} are read at {object}, to which nothing was ever stored"))
            }
        }
    }

    fn report_race(&mut self, code: CodeId, op: u32, race: &Race) {
        let first = self.number * self.bound.shape.threads();
        let (one, other) = (first + u64::from(race.thread), first + u64::from(race.other_thread));
        let message = format!(
            "a data race: thread {one} {} what thread {other} {} at {}, and nothing orders the two",
            touched(race.touch),
            touched(race.other_touch),
            self.object(Some(&race.place)),
        );
        let (other_code, other_op) = self.site_of(race.other_site);
        let related = vec![(other_code, other_op, format!("thread {other} {} here", touched(race.other_touch)))];
        let label = format!("thread {one} {} here", touched(race.touch));
        self.add(Rule::RC0507, Rule::RC0507.severity(), (code, op), message, label, related, Vec::new());
    }

    fn violation_message(&self, wave: usize, fragment: &Fragment, violation: &Violation) -> (Rule, String) {
        let lane = |lane: usize| {
            let thread = self.number * self.bound.shape.threads() + u64::from(self.waves[wave].first) + lane as u64;
            format!("thread {thread}")
        };
        let group = match self.code(wave, fragment.frame).ops[fragment.op as usize].scope() {
            Some(Scope::Workgroup) => "workgroup",
            _ => "subgroup",
        };
        match &violation.kind {
            ViolationKind::Outside { source } => (
                Rule::RC0503,
                format!("a value is taken from {}, which does not execute the operation with it", lane(*source)),
            ),
            ViolationKind::OutOfRange { index } => (
                Rule::RC0503,
                format!("a value is taken from number {} of a {group} that has no such thread", index.cast_signed()),
            ),
            ViolationKind::NotUniform { argument } => {
                (Rule::RC0511, format!("operand {} has to be the same in all threads of the operation", argument + 1))
            }
            ViolationKind::MaskWithoutSelf { mask } => {
                (Rule::RC0510, format!("the mask {mask:#x} does not name the thread that passes it"))
            }
            ViolationKind::MaskNamesOthers { missing } => {
                let missing = self.threads(wave, *missing);
                (Rule::RC0510, format!("the mask names {}, not there", list_threads(&missing)))
            }
            ViolationKind::Indeterminate { argument, sources } => {
                let sources = list_threads(&self.threads(wave, *sources));
                let message =
                    format!("operand {} of {sources} is poison or undef and reaches other threads", argument + 1);
                (Rule::RC0506, message)
            }
            ViolationKind::Meaningless { argument, value, expected } => {
                (Rule::RC0508, format!("operand {} is {value}, and must be {expected}", argument + 1))
            }
        }
    }

    /// Where a fragment stands: its threads, and the instruction.
    pub(super) fn standing(&self, member: Member) -> (Vec<u64>, CodeId, u32) {
        let fragment = &self.waves[member.wave].fragments[member.fragment];
        let (code, op) = self.site(member.wave, fragment);
        (self.threads(member.wave, fragment.mask), code, op)
    }

    fn all_members(&self) -> Vec<Member> {
        let waves = self.waves.iter().enumerate();
        waves
            .flat_map(|(wave, data)| (0..data.fragments.len()).map(move |fragment| Member { wave, fragment }))
            .collect()
    }

    /// A line for each place where threads are.
    fn where_all_are(&self) -> Vec<String> {
        let members = self.all_members();
        let mut lines: Vec<String> = members
            .iter()
            .take(16)
            .map(|&member| {
                let (threads, code, op) = self.standing(member);
                format!("{} at {}", list_threads(&threads), self.program.describe(code, op))
            })
            .collect();
        if members.len() > lines.len() {
            lines.push(format!("and {} more groups of threads", members.len() - lines.len()));
        }
        lines
    }

    /// Notes that a limit of the run is reached, where threads run; `finished` workgroups came to their end.
    pub(super) fn report_limit(&mut self, limits: Spent, finished: u64) {
        let (rule, message) = (
            Rule::RC0509,
            // What is left of either limit is less than a workgroup may spend; more of the other one would not help.
            match limits.steps > 0 && self.budget.is_nothing()
                || u128::from(self.budget.steps) * u128::from(self.spent.instructions)
                    >= u128::from(self.budget.instructions) * u128::from(self.spent.steps)
            {
                true => format!("the limit of {} instructions is reached (--max-instructions)", limits.instructions),
                false => format!("the limit of {} steps is reached (--limit run-steps=N raises this)", limits.steps),
            },
        );
        let workgroups = if self.of == 1 { "workgroup" } else { "workgroups" };
        let mut notes =
            vec![format!("{finished} of {} {workgroups} ran to the end; number {} did not", self.of, self.number)];
        notes.extend(self.where_all_are());
        let members = self.all_members();
        let turn = |member: &&Member| self.waves[member.wave].fragments[member.fragment].turn;
        let (place, label) = match members.iter().max_by_key(turn) {
            Some(&member) => {
                let (threads, code, op) = self.standing(member);
                let threads = list_threads(&threads);
                ((code, op), format!("{threads} {} this", has(&threads)))
            }
            None => ((self.program.kernel, 0), "no thread has begun".to_owned()),
        };
        self.add(rule, rule.severity(), place, message, label, Vec::new(), notes);
    }

    /// Notes a barrier to which threads of its group do not come.
    /// `goes_on`: those that wait do not wait for ever.
    pub(super) fn report_barrier(
        &mut self,
        member: Member,
        here: Vec<(usize, Mask)>,
        missing: Vec<(usize, Mask)>,
        goes_on: bool,
    ) {
        let (_, code, op) = self.standing(member);
        let who: Vec<u64> = here.iter().flat_map(|&(wave, mask)| self.threads(wave, mask)).collect();
        let absent: Vec<u64> = missing.iter().flat_map(|&(wave, mask)| self.threads(wave, mask)).collect();
        let scope = match self.program.codes[code].ops[op as usize].scope() {
            Some(Scope::Subgroup) => "subgroup",
            _ => "workgroup",
        };
        let mut related = Vec::new();
        let mut elsewhere = false;
        let mut accounted: Vec<u64> = Vec::new();
        for other in self.all_members() {
            let (threads, other_code, other_op) = self.standing(other);
            let threads: Vec<u64> = threads.into_iter().filter(|thread| absent.contains(thread)).collect();
            if threads.is_empty() {
                continue;
            }
            let at_barrier = matches!(self.program.codes[other_code].ops[other_op as usize], Op::Barrier { .. });
            elsewhere |= at_barrier;
            let verb = if at_barrier { "waiting at another barrier" } else { "here" };
            related.push((other_code, other_op, format!("{verb}: {}", list_threads(&threads))));
            accounted.extend(threads);
        }
        let ended: Vec<u64> = absent.iter().copied().filter(|thread| !accounted.contains(thread)).collect();
        let mut notes = Vec::new();
        if !ended.is_empty() {
            notes.push(format!("{} came to the end of the kernel", list_threads(&ended)));
        }
        let (rule, message) = if elsewhere {
            let message = format!("threads of a {scope} wait for each other at different barriers");
            (Rule::RC0504, message)
        } else {
            (Rule::RC0501, format!("{} of the {scope} never come to this barrier", list_threads(&absent)))
        };
        let label = format!("waiting: {}", list_threads(&who));
        let severity = if goes_on { Severity::Warning } else { rule.severity() };
        self.add(rule, severity, (code, op), message, label, related, notes);
    }

    /// Notes that threads of a subgroup are at different barriers.
    pub(super) fn report_mixed_barriers(&mut self, one: Member, other: Member) {
        let ((threads, code, op), (others, other_code, other_op)) = (self.standing(one), self.standing(other));
        let related = vec![(other_code, other_op, format!("waiting: {}", list_threads(&others)))];
        let message = "threads of a subgroup wait for each other at different barriers".to_string();
        let label = format!("waiting: {}", list_threads(&threads));
        self.add(Rule::RC0504, Rule::RC0504.severity(), (code, op), message, label, related, Vec::new());
    }

    /// Notes that threads wait for each other for ever.
    pub(super) fn report_deadlock(&mut self) {
        let members = self.all_members();
        let Some(&first) = members.first() else { return };
        let (threads, code, op) = self.standing(first);
        let label = format!("waiting: {}", list_threads(&threads));
        let mut related = Vec::new();
        let mut notes = Vec::new();
        for &member in &members {
            let (threads, code, op) = self.standing(member);
            if member != first {
                related.push((code, op, format!("waiting: {}", list_threads(&threads))));
            }
            let target = Target::of(member);
            for &other in &members {
                if other != member && self.can_join(other, &target, None) {
                    let (others, _, _) = self.standing(other);
                    let (a, b) = (list_threads(&threads), list_threads(&others));
                    notes.push(format!("{b}: can still execute the operation of {a}, which so cannot go on"));
                }
            }
        }
        notes.truncate(16);
        let message = "threads wait for each other, and none can go on".to_string();
        self.add(Rule::RC0502, Rule::RC0502.severity(), (code, op), message, label, related, notes);
    }

    /// Notes that nobody does anything any more.
    pub(super) fn report_standstill(&mut self) {
        match self.spinning.any() {
            true => self.report_spinning(),
            false => self.report_deadlock(),
        }
    }

    /// Notes that threads spin, and that nobody else runs.
    fn report_spinning(&mut self) {
        let (mut spinners, mut standing, mut waiting) = (Vec::new(), Vec::new(), Vec::new());
        for member in self.all_members() {
            let fragment = &self.waves[member.wave].fragments[member.fragment];
            let spins = self.spinning_lanes(member.wave).is_some_and(|lanes| fragment.mask & lanes != 0);
            match (spins, fragment.waits.is_some()) {
                (true, _) => spinners.push(self.standing(member)),
                (false, false) => standing.push(self.standing(member)),
                (false, true) => waiting.push(self.standing(member)),
            }
        }
        spinners.sort();
        let Some((first, rest)) = spinners.split_first() else { return };
        let around = |what: &str| {
            let what = what.to_owned();
            move |(threads, code, op): &(Vec<u64>, CodeId, u32)| {
                (*code, *op, format!("{what}: {}", list_threads(threads)))
            }
        };
        let mut related: Vec<(CodeId, u32, String)> = rest.iter().map(around("going round, too")).collect();
        related.extend(standing.iter().map(around("standing until the others have left the cycle")));
        related.extend(waiting.iter().map(around("waiting")));
        related.truncate(16);
        let mut notes = Vec::new();
        let message = if !standing.is_empty() {
            notes.push("under --schedule fair all threads make progress, and these could end the loop".to_owned());
            "threads spin, waiting for threads of their own group that wait for them"
        } else if !waiting.is_empty() {
            notes.push(
                "this holds for each schedule: those that wait cannot go on before the others have left the cycle"
                    .to_owned(),
            );
            "threads spin, and all others of their group wait for them"
        } else {
            notes.push("the same instructions run again and again with the same values, and no thread is left that could change them".to_owned());
            "threads spin, and no thread of their group can end that"
        };
        if self.program.shares && self.of > 1 {
            notes.push(
                "workgroups of this kernel run one after the other here; that others run at the same time, and could end this, is not \
                 guaranteed elsewhere either"
                    .to_owned(),
            );
        }
        let (code, op) = (first.1, first.2);
        let label = format!("going round while nothing changes: {}", list_threads(&first.0));
        self.add(Rule::RC0502, Rule::RC0502.severity(), (code, op), message.to_owned(), label, related, notes);
    }
}
