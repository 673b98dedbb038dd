//! What is wrong with an execution.
//!
//! Each kind of trouble is said once for each instruction, for the first workgroup and threads that had it. The words are made by
//! `reconverge_findings`.

use reconverge_analysis::between::between;
use reconverge_findings::control::Between;
use reconverge_findings::run::{
    Doing, Everywhere, FaultKind, Limit, Object, OperationBreach, Progress, RunLimit, Sentence, Spinning, Standing,
    Trouble, What,
};
use reconverge_findings::{Anchor, Code as Rule, Finding, Kind, Severity};
use rustc_hash::FxHashMap;

use super::frame::{Caller, Fragment};
use super::meeting::{Member, Target};
use super::workgroup::{Spent, Workgroup};
use crate::memory::{Fault, ObjectPlace, Race, Segment};
use crate::operations::{Scope, Violation, ViolationKind};
use crate::program::Executable;
use crate::program::code::{CodeId, Op};
use crate::value::Mask;

/// Places at which threads are, and pairs of groups that wait for each other, beyond this many are not told.
const MOST_PLACES: usize = 16;

/// Calls in each other beyond this many are not told.
const MOST_CALLS: usize = 6;

/// What is wrong, as whoever sees it knows it.
#[derive(Debug, Clone)]
pub(super) enum Seen {
    /// Nothing more is to be known.
    What(What),
    Fault(Fault),
    Race(Race),
    Violation(Violation),
    /// A call of `printf`.
    Print {
        severity: Severity,
        message: Sentence,
        format: Option<String>,
        advice: &'static str,
        also: Vec<Sentence>,
    },
}

impl From<What> for Seen {
    fn from(what: What) -> Seen {
        Seen::What(what)
    }
}

impl From<Limit> for Seen {
    fn from(limit: Limit) -> Seen {
        Seen::What(What::Limit(limit))
    }
}

/// Something that was found at an operation.
#[derive(Debug, Clone)]
pub(crate) struct Found {
    severity: Severity,
    trouble: Trouble,
}

/// What was found in a workgroup.
#[derive(Debug, Default)]
pub(crate) struct Findings(FxHashMap<(Rule, CodeId, u32), Found>);

impl Findings {
    fn add(&mut self, key: (Rule, CodeId, u32), found: Found) {
        match self.0.entry(key) {
            std::collections::hash_map::Entry::Vacant(entry) => {
                entry.insert(found);
            }
            // A warning does not hide an error.
            std::collections::hash_map::Entry::Occupied(mut entry) if entry.get().severity < found.severity => {
                entry.insert(found);
            }
            std::collections::hash_map::Entry::Occupied(_) => {}
        }
    }

    /// Takes over what the same workgroup found.
    fn take(&mut self, others: &mut Findings) {
        for (key, found) in others.0.drain() {
            self.add(key, found);
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Takes over what another workgroup found. Of the same finding, the worst is told, and of those that of the lowest workgroup.
    pub(crate) fn join(&mut self, others: Findings) {
        for (key, found) in others.0 {
            match self.0.entry(key) {
                std::collections::hash_map::Entry::Vacant(entry) => {
                    entry.insert(found);
                }
                std::collections::hash_map::Entry::Occupied(mut entry) => {
                    let workgroups = entry.get().trouble.workgroups + found.trouble.workgroups;
                    let rank = |found: &Found| (std::cmp::Reverse(found.severity), found.trouble.first);
                    if rank(&found) < rank(entry.get()) {
                        entry.insert(found);
                    }
                    entry.get_mut().trouble.workgroups = workgroups;
                }
            }
        }
    }

    /// The findings, in the order of the text.
    pub(crate) fn in_order(self, program: &Executable<'_>) -> Vec<Finding> {
        let finding = |((rule, code, op), Found { severity, mut trouble })| {
            let at = program.anchor(code, op);
            if let (What::Race { scope, between: found, .. }, [other]) = (&mut trouble.what, &trouble.others[..]) {
                *found = between(program.module, program.target, [at, other.at], *scope);
            }
            Finding { severity, ..Finding::new(rule, at, Kind::Run(trouble)) }
        };
        let mut findings: Vec<Finding> = self.0.into_iter().map(finding).collect();
        findings.sort_by_key(|finding| (finding.at.span.start, finding.code));
        findings
    }
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

    /// Notes what lanes of a fragment have with its operation.
    pub(super) fn report(&mut self, wave: usize, fragment: &Fragment, lanes: Mask, seen: impl Into<Seen>) {
        let (code, op) = self.site(wave, fragment);
        let threads = self.threads(wave, lanes);
        let mut others = Vec::new();
        let mut printed = None;
        let what = match seen.into() {
            Seen::What(what) => what,
            Seen::Fault(Fault { kind, bytes, place, .. }) => {
                What::Fault { kind, bytes, object: place.map(|place| self.object(&place)) }
            }
            Seen::Violation(violation) => What::Operation(self.breach(wave, fragment, violation)),
            Seen::Print { severity, message, format, advice, also } => {
                printed = Some(severity);
                What::Print { message, format, advice, also }
            }
            Seen::Race(race) => {
                let first = self.number * self.bound.shape.threads();
                let (thread, other) = (first + u64::from(race.thread), first + u64::from(race.other_thread));
                let (other_code, other_op) = self.site_of(race.other_site);
                let (at, doing) = (self.program.anchor(other_code, other_op), Doing::Touching(race.other_touch));
                others.push(Standing { threads: vec![other], at, doing });
                let [one_of, other_of] =
                    [race.thread, race.other_thread].map(|thread| thread / self.bound.shape.subgroup);
                let is_in_subgroup = one_of == other_of;
                What::Race {
                    one: (thread, race.touch),
                    other: (other, race.other_touch),
                    object: self.object(&race.place),
                    scope: if is_in_subgroup { Scope::Subgroup } else { Scope::Workgroup },
                    between: Between::Path,
                }
            }
        };
        let rule = rule(&what);
        let severity = printed.or_else(|| what.severity()).unwrap_or(rule.severity());
        let everywhere = match what {
            What::Limit(Limit::Calls(_) | Limit::CallBytes(_) | Limit::Records(_)) => Some(self.where_all_are()),
            _ => None,
        };
        let calls = self.calls(wave, fragment);
        self.add(severity, (code, op), Trouble { others, calls, everywhere, ..self.trouble(what, threads) });
    }

    /// The calls that led a fragment to where it is, the last one first.
    fn calls(&self, wave: usize, fragment: &Fragment) -> Vec<Anchor> {
        let frames = &self.waves[wave].frames;
        let callers = std::iter::successors(frames[fragment.frame as usize].caller.as_ref(), |caller| {
            frames[caller.frame as usize].caller.as_ref()
        });
        let call = |caller: &Caller| self.program.anchor(frames[caller.frame as usize].code, caller.op);
        callers.take(MOST_CALLS).map(call).collect()
    }

    fn calls_of(&self, member: Member) -> Vec<Anchor> {
        self.calls(member.wave, &self.waves[member.wave].fragments[member.fragment])
    }

    pub(super) fn trouble(&self, what: What, threads: Vec<u64>) -> Trouble {
        Trouble {
            what,
            threads,
            others: Vec::new(),
            calls: Vec::new(),
            everywhere: None,
            workgroups: 1,
            first: self.number,
        }
    }

    pub(super) fn add(&mut self, severity: Severity, (code, op): (CodeId, u32), trouble: Trouble) {
        let rule = rule(&trouble.what);
        match rule {
            Rule::RC0503 => return self.taken.add((rule, code, op), Found { severity, trouble }),
            // Here a value matters that is not known.
            Rule::RC0506 | Rule::RC0508 | Rule::RC0512 => self.findings.take(&mut self.taken),
            _ => {}
        }
        self.findings.add((rule, code, op), Found { severity, trouble });
    }

    /// A place in memory, as the program knows it.
    pub(super) fn object(&self, place: &ObjectPlace) -> Object {
        let variable = place.site.filter(|_| place.segment == Segment::Private).map(|site| {
            let (code, op) = self.site_of(site);
            self.program.anchor(code, op)
        });
        let is_local = place.segment == Segment::Local;
        Object { name: place.name.clone(), variable, is_local, bytes: place.bytes, offset: place.offset }
    }

    fn breach(&self, wave: usize, fragment: &Fragment, violation: Violation) -> OperationBreach {
        let thread =
            |lane: usize| self.number * self.bound.shape.threads() + u64::from(self.waves[wave].first) + lane as u64;
        let group = self.code(wave, fragment.frame).ops[fragment.op as usize].scope().unwrap_or(Scope::Subgroup);
        match violation.kind {
            ViolationKind::Outside { source } => OperationBreach::Outside { source: thread(source) },
            ViolationKind::OutOfRange { index } => OperationBreach::OutOfRange { index: index.cast_signed(), group },
            ViolationKind::NotUniform { argument } => OperationBreach::NotUniform { argument },
            ViolationKind::MaskWithoutSelf { mask } => {
                OperationBreach::MaskWithoutSelf { mask, reading: self.bound.masks }
            }
            ViolationKind::MaskNamesOthers { missing } => {
                OperationBreach::MaskNamesOthers { missing: self.threads(wave, missing), reading: self.bound.masks }
            }
            ViolationKind::Indeterminate { argument, sources, .. } => {
                OperationBreach::Indeterminate { argument, sources: self.threads(wave, sources) }
            }
            ViolationKind::Meaningless { argument, value, expected } => {
                OperationBreach::Meaningless { argument, value, expected }
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

    /// The places where threads are.
    fn where_all_are(&self) -> Everywhere {
        let members = self.all_members();
        let shown = members.iter().take(MOST_PLACES);
        let groups: Vec<(Vec<u64>, Anchor)> = shown
            .map(|&member| {
                let (threads, code, op) = self.standing(member);
                (threads, self.program.anchor(code, op))
            })
            .collect();
        Everywhere { more: members.len() - groups.len(), groups }
    }

    /// Threads of a fragment, where they are.
    fn doing(&self, (threads, code, op): (Vec<u64>, CodeId, u32), doing: Doing) -> Standing {
        Standing { threads, at: self.program.anchor(code, op), doing }
    }

    /// Notes that a limit of the run is reached, where threads run; `finished` workgroups came to their end.
    pub(super) fn report_limit(&mut self, limits: Spent, finished: u64) {
        // What is left of either limit is less than a workgroup may spend; more of the other one would not help.
        let of = match limits.steps > 0 && self.budget.is_nothing()
            || u128::from(self.budget.steps) * u128::from(self.spent.instructions)
                >= u128::from(self.budget.instructions) * u128::from(self.spent.steps)
        {
            true => RunLimit::Instructions(limits.instructions),
            false => RunLimit::Steps(limits.steps as usize),
        };
        let limit = Limit::Run { of, shared: false, finished, workgroups: self.of, number: self.number };
        let members = self.all_members();
        let turn = |member: &&Member| self.waves[member.wave].fragments[member.fragment].turn;
        let (place, threads) = match members.iter().max_by_key(turn) {
            Some(&member) => {
                let (threads, code, op) = self.standing(member);
                ((code, op), threads)
            }
            None => ((self.program.kernel, 0), Vec::new()),
        };
        let trouble = self.trouble(What::Limit(limit), threads);
        let everywhere = Some(self.where_all_are());
        self.add(Rule::RC0509.severity(), place, Trouble { everywhere, ..trouble });
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
            Some(Scope::Subgroup) => Scope::Subgroup,
            _ => Scope::Workgroup,
        };
        let mut others = Vec::new();
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
            accounted.extend(&threads);
            let doing = if at_barrier { Doing::WaitingAtBarrier } else { Doing::Here };
            others.push(self.doing((threads, other_code, other_op), doing));
        }
        let ended: Vec<u64> = absent.iter().copied().filter(|thread| !accounted.contains(thread)).collect();
        let what = match elsewhere {
            true => What::OtherBarriers { scope, ended },
            false => What::Barrier { scope, missing: absent, ended },
        };
        let severity = match self.program.codes[code].ops[op as usize] {
            Op::Barrier { after_exit, .. } if after_exit_only(&what) => after_exit,
            _ if goes_on => Severity::Warning,
            _ => rule(&what).severity(),
        };
        let trouble = self.trouble(what, who);
        let calls = self.calls_of(member);
        self.add(severity, (code, op), Trouble { others, calls, ..trouble });
    }

    /// Notes that threads of a subgroup are at different barriers.
    pub(super) fn report_mixed_barriers(&mut self, one: Member, other: Member) {
        let ((threads, code, op), other) = (self.standing(one), self.standing(other));
        let others = vec![self.doing(other, Doing::Waiting)];
        let trouble = self.trouble(What::OtherBarriers { scope: Scope::Subgroup, ended: Vec::new() }, threads);
        let calls = self.calls_of(one);
        self.add(Rule::RC0504.severity(), (code, op), Trouble { others, calls, ..trouble });
    }

    /// Notes that threads wait for each other for ever.
    pub(super) fn report_deadlock(&mut self) {
        let members = self.all_members();
        let Some(&first) = members.first() else { return };
        let (waiting, code, op) = self.standing(first);
        let mut others = Vec::new();
        let mut able = Vec::new();
        for &member in &members {
            let standing = self.standing(member);
            let target = Target::of(member);
            for &other in &members {
                if other != member && self.can_join(other, &target, None) {
                    able.push((self.standing(other).0, standing.0.clone()));
                }
            }
            if member != first {
                others.push(self.doing(standing, Doing::Waiting));
            }
        }
        able.truncate(MOST_PLACES);
        let fragments = self.waves.iter().flat_map(|wave| &wave.fragments);
        let has_mask = fragments.filter_map(|fragment| fragment.waits).any(|waits| waits.mask.is_some());
        let masks = has_mask.then_some(self.bound.masks);
        let trouble = self.trouble(What::Deadlock { able, masks }, waiting);
        let calls = self.calls_of(first);
        self.add(Rule::RC0502.severity(), (code, op), Trouble { others, calls, ..trouble });
    }

    /// Notes that nobody does anything any more.
    pub(super) fn report_standstill(&mut self) {
        match self.spinning.any() {
            true => self.report_spinning(),
            false if self.report_too_few() => {}
            false => self.report_deadlock(),
        }
    }

    /// Notes barriers to which fewer threads come than complete them, each once; whether there are any.
    fn report_too_few(&mut self) -> bool {
        let mut reported: Vec<u64> = Vec::new();
        for member in self.all_members() {
            let Some(wanted) = self.wanted_at(member) else { continue };
            let number = self.barrier_number(member.wave, &self.waves[member.wave].fragments[member.fragment]);
            if reported.contains(&number) {
                continue;
            }
            reported.push(number);
            let members = self.members(member, true);
            let come = self.come_to(&members, number);
            let (_, code, op) = self.standing(member);
            let who = members.iter().flat_map(|&member| self.standing(member).0).collect();
            let others = self.all_members().into_iter().filter(|other| !members.contains(other));
            let others =
                others.take(MOST_PLACES).map(|other| self.doing(self.standing(other), Doing::Waiting)).collect();
            let trouble = self.trouble(What::TooFew { number, wanted, come }, who);
            self.add(Rule::RC0501.severity(), (code, op), Trouble { others, ..trouble });
        }
        !reported.is_empty()
    }

    /// Notes that threads spin, and that nobody else runs.
    fn report_spinning(&mut self) {
        let (mut spinners, mut standing, mut waiting) = (Vec::new(), Vec::new(), Vec::new());
        for member in self.all_members() {
            let fragment = &self.waves[member.wave].fragments[member.fragment];
            let spins = self.spinning_lanes(member.wave).is_some_and(|lanes| fragment.mask & lanes != 0);
            match (spins, fragment.waits.is_some()) {
                (true, _) => spinners.push((self.standing(member), member)),
                (false, false) => standing.push(self.standing(member)),
                (false, true) => waiting.push(self.standing(member)),
            }
        }
        spinners.sort_by(|(one, _), (other, _)| one.cmp(other));
        let mut spinners = spinners.into_iter();
        let Some(((threads, code, op), first)) = spinners.next() else { return };
        let because = match (standing.is_empty(), waiting.is_empty()) {
            (false, _) => Spinning::HoldsOthers,
            (true, false) => Spinning::IsWaitedFor,
            (true, true) => Spinning::Alone,
        };
        let all = spinners.map(|(one, _)| (one, Doing::Spinning));
        let all = all.chain(standing.into_iter().map(|one| (one, Doing::StandingStill)));
        let all = all.chain(waiting.into_iter().map(|one| (one, Doing::Waiting)));
        let others = all.take(MOST_PLACES).map(|(one, doing)| self.doing(one, doing)).collect();
        let one_after_the_other = self.program.shares && self.of > 1;
        let trouble =
            self.trouble(What::Spinning { because, one_after_the_other, progress: Progress::Unsaid }, threads);
        let calls = self.calls_of(first);
        self.add(Rule::RC0502.severity(), (code, op), Trouble { others, calls, ..trouble });
    }
}

/// Whether all threads that a barrier of the workgroup misses have ended.
fn after_exit_only(what: &What) -> bool {
    matches!(what, What::Barrier { scope: Scope::Workgroup, missing, ended } if missing.len() == ended.len())
}

/// The rule that trouble breaks.
fn rule(what: &What) -> Rule {
    match what {
        What::UnknownBranch | What::UnknownAddress | What::Noundef(_) => Rule::RC0506,
        What::NoFunction
        | What::NoBlock
        | What::Uncaught
        | What::Unreachable
        | What::Assertion
        | What::Trap
        | What::Arithmetic
        | What::Assumption => Rule::RC0508,
        What::Limit(_) => Rule::RC0509,
        What::Fault { kind, .. } => match kind {
            FaultKind::Null
            | FaultKind::OutOfBounds
            | FaultKind::Unallocated
            | FaultKind::NotMemory
            | FaultKind::NotAllocated => Rule::RC0505,
            FaultKind::OfAnotherWorkgroup => Rule::RC0509,
            FaultKind::Constant | FaultKind::Misaligned => Rule::RC0508,
            FaultKind::Uninitialised => Rule::RC0506,
        },
        What::Race { .. } => Rule::RC0507,
        What::Operation(breach) => match breach {
            OperationBreach::Outside { .. } | OperationBreach::OutOfRange { .. } => Rule::RC0503,
            OperationBreach::NotUniform { .. } => Rule::RC0511,
            OperationBreach::MaskWithoutSelf { .. } | OperationBreach::MaskNamesOthers { .. } => Rule::RC0510,
            OperationBreach::Indeterminate { .. } => Rule::RC0506,
            OperationBreach::Meaningless { .. } => Rule::RC0508,
        },
        What::Print { .. } => Rule::RC0512,
        What::NotAllThere(_) | What::Barrier { .. } | What::TooFew { .. } => Rule::RC0501,
        What::OtherBarriers { .. } => Rule::RC0504,
        What::Deadlock { .. } | What::Spinning { .. } => Rule::RC0502,
    }
}
