//! What a complete set of threads does together.

use super::compute::{Active, compute};
use super::findings::Seen;
use super::frame::{Fragment, FrameIndex};
use super::log::Kept;
use super::meeting::Member;
use super::observer::Execution;
use super::recorder::Part;
use super::workgroup::{Stopped, Workgroup};
use crate::launch::{MaskReading, STEPS};
use crate::memory::{Access, Ordered};
use crate::operations::{self, Barrier, Crosslane, Reduction, Scope, ViolationKind};
use crate::program::code::{CodeId, Op, Registers};
use crate::program::flow::mix;
use crate::value::{Mask, Slot, WIDTH, lanes_of};
use reconverge_findings::run::{Limit, What};

/// Tells keys of executions apart from those of blocks.
const EXECUTION: u64 = 0x6578_6563;

/// The part of a set that is at one place of one frame.
struct Group {
    wave: usize,
    frame: FrameIndex,
    /// Threads that a mask brings together, and those at barriers with the same number, may be at several operations.
    op: u32,
    mask: Mask,
}

impl<'r> Workgroup<'r> {
    /// The members of a set execute their operation and go on. `only`: these lanes.
    pub(super) fn meet(&mut self, members: &[Member], only: Option<Mask>) -> Result<(), Stopped> {
        self.spent.steps += STEPS.communication;
        if self.together.is_some() {
            self.spinning.change();
        }
        let place = |member: &Member| {
            let fragment = &self.waves[member.wave].fragments[member.fragment];
            (self.waves[member.wave].frames[fragment.frame as usize].code, fragment.op)
        };
        // Where they are at several places, the first of the text stands for all.
        let first = *members.iter().min_by_key(|member| place(member)).unwrap_or(&members[0]);
        let (fragment, code_id, op) = {
            let fragment = self.waves[first.wave].fragments[first.fragment].clone();
            let code = self.waves[first.wave].frames[fragment.frame as usize].code;
            let op: &'r Op = &self.program.codes[code].ops[fragment.op as usize];
            (fragment, code, op)
        };
        let mut groups: Vec<Group> = Vec::new();
        for member in members {
            let other = &self.waves[member.wave].fragments[member.fragment];
            let mask = other.mask & only.unwrap_or(Mask::MAX);
            let at = (member.wave, other.frame, other.op);
            match groups.iter_mut().find(|group| (group.wave, group.frame, group.op) == at) {
                Some(group) => group.mask |= mask,
                None if mask != 0 => {
                    groups.push(Group { wave: member.wave, frame: other.frame, op: other.op, mask });
                }
                None => {}
            }
        }
        match op {
            Op::Barrier { barrier, tolerant, ordered, .. } => {
                self.check_barrier(members, &groups, barrier, *tolerant, only)?;
                if let Some((reduction, predicate)) = barrier.reduction {
                    self.reduce(&groups, predicate, reduction);
                }
                let mut masks = vec![0; self.waves.len()];
                for group in &groups {
                    masks[group.wave] |= group.mask;
                }
                // Threads that have ended are as good as there, where all are waited for.
                let waits_for_all = barrier.scope != Scope::Subgroup && barrier.count.is_none();
                for (mask, wave) in masks.iter_mut().zip(&self.waves).filter(|_| waits_for_all) {
                    *mask |= !wave.lanes & self.bound.lanes_of_wave(wave.first);
                }
                if barrier.orders_memory {
                    self.memory.barrier(&masks, *ordered);
                    self.memory.learn_of_arrivals(self.barrier_number(first.wave, &fragment), &masks, *ordered);
                } else {
                    self.memory.meet(&masks);
                }
            }
            Op::Crosslane { operation, .. } => {
                self.check_all_there(&groups, &fragment, first.wave, operation.scope, operation.partial, only);
                let violations = if operation.scope == Scope::Subgroup {
                    self.crosslane(&groups, operation)
                } else {
                    self.crosslane_workgroup(&mut groups, operation)
                };
                if let (MaskReading::Partition, Some(mask)) =
                    (self.bound.masks, fragment.waits.and_then(|waits| waits.mask))
                {
                    let set = groups.iter().fold(0, |set, group| set | group.mask);
                    self.note_mask(first.wave, set, mask, &fragment);
                }
                for (wave, mut violation) in violations {
                    if self.bound.masks == MaskReading::Partition
                        && matches!(violation.kind, ViolationKind::MaskNamesOthers { .. })
                    {
                        continue;
                    }
                    if let ViolationKind::MaskNamesOthers { missing } = &mut violation.kind {
                        // A full mask in a workgroup that does not fill its last subgroup names nobody.
                        *missing &= self.bound.lanes_of_wave(self.waves[wave].first);
                        if *missing == 0 {
                            continue;
                        }
                    }
                    // What comes of a value that was taken from nobody decides whether that is wrong.
                    let is_passed_on = matches!(violation.kind, ViolationKind::Indeterminate { is_poison: true, .. });
                    if !is_passed_on || self.taken.is_empty() {
                        self.report(wave, &fragment, violation.lanes, Seen::Violation(violation));
                    }
                }
            }
            Op::GroupCopy { copy, .. } => {
                // The copy is neither before what threads did until now nor behind what they do when they have waited for it.
                self.spinning.change();
                let everybody: Vec<Mask> = self.waves.iter().map(|wave| self.bound.lanes_of_wave(wave.first)).collect();
                self.memory.barrier(&everybody, Ordered { global: true, local: true });
                if let Some(copy) = copy {
                    self.copy_together(&groups, &fragment, copy);
                }
                for group in &groups {
                    self.give_event(group, copy.as_ref().map(|copy| copy.event));
                }
            }
            _ => unreachable!("only communication waits"),
        }
        if self.recorder.is_some() {
            self.record_members(members, only);
        } else {
            let event = self.log_execution(&groups, (members, only), code_id, fragment.op);
            self.observe_execution(&groups, event);
        }
        self.go_on(members, only);
        Ok(())
    }

    /// Records what a set did.
    fn record_members(&mut self, members: &[Member], only: Option<Mask>) {
        let parts = members.iter().map(|member| {
            let fragment = &self.waves[member.wave].fragments[member.fragment];
            let mask = fragment.mask & only.unwrap_or(Mask::MAX);
            Part { wave: member.wave, frame: fragment.frame, mask, op: fragment.op }
        });
        let parts: Vec<Part> = parts.filter(|part| part.mask != 0).collect();
        self.record_set(&parts);
    }

    /// Remembers that a set executed an operation; the answer is the number of the event, if it is kept.
    fn log_execution(
        &mut self,
        groups: &[Group],
        (members, only): (&[Member], Option<Mask>),
        code: CodeId,
        op: u32,
    ) -> Option<usize> {
        let mut threads: Vec<u64> = groups.iter().flat_map(|group| self.threads(group.wave, group.mask)).collect();
        threads.sort_unstable();
        if !self.log.has_room() {
            return self.log.add(code, op, threads, Kept::default);
        }
        let kept = Kept {
            results: self.shown_results(groups, code, op),
            since: self.arrivals(members, only),
            from: self.sources(groups),
        };
        self.log.add(code, op, threads, || kept)
    }

    /// What each thread of a set got.
    fn shown_results(&self, groups: &[Group], code: CodeId, op: u32) -> Vec<String> {
        let shape = self.program.result_shape(code, op);
        let mut results: Vec<((usize, usize), String)> = Vec::new();
        for group in groups {
            let Some(out) = Some(self.out_of(group)).filter(|out| out.count > 0) else { return Vec::new() };
            let slots = &self.waves[group.wave].frames[group.frame as usize].registers[out.range()];
            let shown = |lane| ((group.wave, lane), crate::literal::show_value(&shape, slots, lane));
            results.extend(lanes_of(group.mask).map(shown));
        }
        results.sort_unstable();
        results.into_iter().map(|(_, shown)| shown).collect()
    }

    /// Since when each thread of a set has waited.
    fn arrivals(&self, members: &[Member], only: Option<Mask>) -> Vec<u64> {
        let mut arrivals: Vec<((usize, usize), u64)> = Vec::new();
        for member in members {
            let fragment = &self.waves[member.wave].fragments[member.fragment];
            let since = fragment.waits.map_or(0, |waits| waits.since);
            let lanes = fragment.mask & only.unwrap_or(Mask::MAX);
            arrivals.extend(lanes_of(lanes).map(|lane| ((member.wave, lane), since)));
        }
        arrivals.sort_unstable();
        arrivals.into_iter().map(|(_, since)| since).collect()
    }

    /// Whose value each thread of a set got; none where values of several threads come together in it. The operation has run, and its operands are as they were.
    fn sources(&self, groups: &[Group]) -> Vec<Option<u64>> {
        let [group] = groups else { return Vec::new() };
        let Op::Crosslane { operation, arguments, .. } = self.operation_of(group) else { return Vec::new() };
        if operation.scope != Scope::Subgroup {
            return Vec::new();
        }
        let views: Vec<&[Slot]> =
            arguments.iter().map(|&argument| self.operand(group.wave, group.frame, argument)).collect();
        let sources = operation.sources(group.mask, self.bound.shape.subgroup, &views);
        if sources.is_empty() {
            return Vec::new();
        }
        let first = self.threads(group.wave, 1)[0];
        let source =
            |lane: usize| sources.iter().rev().find(|&&(to, _)| to == lane).map(|&(_, from)| first + from as u64);
        lanes_of(group.mask).map(source).collect()
    }

    /// Tells the observer that a set executed an operation.
    fn observe_execution(&mut self, groups: &[Group], event: Option<usize>) {
        if self.observer.is_none() {
            return;
        }
        let mut threads: Vec<u64> = groups.iter().flat_map(|group| self.threads(group.wave, group.mask)).collect();
        threads.sort_unstable();
        // It happens once: the clock tells it apart from all others.
        let key = mix(self.log.happened(), EXECUTION);
        let workgroup = self.number;
        if let Some(observer) = &mut self.observer {
            observer.executed(Execution { key, workgroup, threads: &threads, event });
        }
    }

    /// Remembers that threads passed an operation that nobody waits at.
    pub(super) fn pass(&mut self, wave: usize, fragment: &Fragment, token: Option<crate::program::code::TokenUse>) {
        self.spent.steps += STEPS.communication;
        if self.recorder.is_some() {
            self.record_pass(wave, fragment, token);
            return;
        }
        let code = self.waves[wave].frames[fragment.frame as usize].code;
        if self.log.open() > self.bound.limits.records {
            self.report(wave, fragment, fragment.mask, Limit::Records(self.bound.limits.records));
            self.halt = true;
        }
        for (mask, key) in self.instance_keys(wave, fragment, fragment.op, token) {
            let threads = self.threads(wave, mask);
            let told = self.observer.is_some().then(|| threads.clone());
            let Workgroup { log, waves, program, .. } = self;
            let operation = &program.codes[code].ops[fragment.op as usize];
            let event = log.pass(code, fragment.op, key, threads, || {
                let Some(out) = operation.out().filter(|out| out.count > 0) else { return Vec::new() };
                let shape = program.result_shape(code, fragment.op);
                let slots = &waves[wave].frames[fragment.frame as usize].registers[out.range()];
                lanes_of(mask).map(|lane| crate::literal::show_value(&shape, slots, lane)).collect()
            });
            let workgroup = self.number;
            if let (Some(observer), Some(threads)) = (&mut self.observer, told) {
                let key = mix(mix(key, u64::from(fragment.op)), EXECUTION);
                observer.executed(Execution { key, workgroup, threads: &threads, event });
            }
        }
    }

    /// The members go on behind their operations.
    fn go_on(&mut self, members: &[Member], only: Option<Mask>) {
        let mut moved: Vec<(usize, Fragment)> = Vec::new();
        let mut gone: Vec<Member> = Vec::new();
        for member in members {
            let fragment = &mut self.waves[member.wave].fragments[member.fragment];
            let mask = fragment.mask & only.unwrap_or(Mask::MAX);
            if mask == 0 {
                continue;
            }
            let next = Fragment { mask, op: fragment.op + 1, waits: None, ..fragment.clone() };
            moved.push((member.wave, next));
            fragment.mask &= !mask;
            if fragment.mask == 0 {
                gone.push(*member);
            }
        }
        gone.sort_by_key(|member| std::cmp::Reverse(member.fragment));
        for member in gone {
            self.waves[member.wave].fragments.swap_remove(member.fragment);
        }
        for (wave, fragment) in moved {
            if self.observer.is_some() {
                let code = self.code(wave, fragment.frame);
                let at = fragment.op - 1;
                if let Some(out) = code.ops[at as usize].out().filter(|out| out.count > 0) {
                    let there = Fragment { op: at, ..fragment.clone() };
                    self.observe(wave, &there, at, code.insts[at as usize], out.range());
                }
            }
            self.place(wave, fragment);
        }
    }

    /// Reports a barrier that some threads of its group do not come to.
    fn check_barrier(
        &mut self,
        members: &[Member],
        groups: &[Group],
        barrier: &Barrier,
        tolerant: bool,
        only: Option<Mask>,
    ) -> Result<(), Stopped> {
        if barrier.textual == Some(Scope::Subgroup) && barrier.scope != Scope::Subgroup {
            self.check_aligned(members)?;
        }
        if barrier.partial || barrier.count.is_some() {
            return Ok(());
        }
        let mut missing: Vec<(usize, Mask)> = Vec::new();
        let mut only_ended = true;
        for wave in 0..self.waves.len() {
            let here = groups.iter().filter(|group| group.wave == wave).fold(0, |mask, group| mask | group.mask);
            let data = &self.waves[wave];
            let all = self.bound.lanes_of_wave(data.first);
            let mut wanted = if tolerant && barrier.textual.is_none() { data.lanes } else { all };
            if barrier.scope == Scope::Subgroup {
                if groups.iter().all(|group| group.wave != wave) {
                    continue;
                }
                wanted &= only.unwrap_or(Mask::MAX);
                if let Some(mask) =
                    self.waves[members[0].wave].fragments[members[0].fragment].waits.and_then(|w| w.mask)
                {
                    let base = only.unwrap_or(1).trailing_zeros();
                    wanted &= mask << base;
                }
            }
            if wanted & !here != 0 {
                missing.push((wave, wanted & !here));
                only_ended &= wanted & !here & data.lanes == 0;
            }
        }
        if missing.is_empty() {
            return Ok(());
        }
        // Processors on which threads that have ended do not count go on.
        let goes_on = tolerant && only_ended;
        let here = groups.iter().map(|group| (group.wave, group.mask)).collect();
        self.report_barrier(members[0], here, missing, goes_on);
        if goes_on { Ok(()) } else { Err(Stopped) }
    }

    /// Reports threads of one subgroup that are at different barriers.
    fn check_aligned(&mut self, members: &[Member]) -> Result<(), Stopped> {
        for (index, &one) in members.iter().enumerate() {
            for &other in &members[..index] {
                let at = |member: Member| &self.waves[member.wave].fragments[member.fragment];
                let together = self.subgroups(at(one).mask).any(|lanes| lanes & at(other).mask != 0);
                let same = self.standing(one).1 == self.standing(other).1 && at(one).op == at(other).op;
                if one.wave == other.wave && together && !same {
                    self.report_mixed_barriers(other, one);
                    return Err(Stopped);
                }
            }
        }
        Ok(())
    }

    /// Reports an operation of a whole group that only some of its threads execute.
    fn check_all_there(
        &mut self,
        groups: &[Group],
        fragment: &Fragment,
        wave: usize,
        scope: Scope,
        partial: bool,
        only: Option<Mask>,
    ) {
        if partial {
            return;
        }
        let mut missing = Vec::new();
        for (index, data) in self.waves.iter().enumerate() {
            let here = groups.iter().filter(|group| group.wave == index).fold(0, |mask, group| mask | group.mask);
            let mut wanted = data.lanes;
            if scope == Scope::Subgroup {
                wanted = if index == wave { wanted & only.unwrap_or(Mask::MAX) } else { 0 };
            }
            if wanted & !here != 0 {
                missing.push((index, wanted & !here));
            }
        }
        if !missing.is_empty() {
            let lanes = groups.iter().filter(|group| group.wave == wave).fold(0, |mask, group| mask | group.mask);
            let missing = missing.into_iter().flat_map(|(wave, mask)| self.threads(wave, mask)).collect();
            self.report(wave, fragment, lanes, What::NotAllThere(missing));
        }
    }

    /// The operation that threads of a set are at.
    fn operation_of(&self, group: &Group) -> &'r Op {
        &self.code(group.wave, group.frame).ops[group.op as usize]
    }

    /// The registers of its result.
    fn out_of(&self, group: &Group) -> Registers {
        self.operation_of(group).out().unwrap_or_default()
    }

    /// Its operands, copied.
    fn operand_slots(&self, group: &Group) -> Vec<Vec<Slot>> {
        let arguments = self.operation_of(group).arguments().iter();
        arguments.map(|&argument| self.operand(group.wave, group.frame, argument).to_vec()).collect()
    }

    fn crosslane(&mut self, groups: &[Group], operation: &Crosslane) -> Vec<(usize, operations::Violation)> {
        let mut found = Vec::new();
        // Threads that an explicit mask brings together may be in several activations.
        if let [group] = groups {
            let code = self.code(group.wave, group.frame);
            let (arguments, out) = (self.operation_of(group).arguments(), self.out_of(group));
            let active = Active::new(group.mask, false);
            let Workgroup { waves, scratch, bound, .. } = self;
            let registers = &mut waves[group.wave].frames[group.frame as usize].registers[..];
            let violations = compute(registers, &code.constants, scratch, &active, out, |view, out| {
                let arguments: Vec<&[Slot]> = arguments.iter().map(|&argument| view.of(argument)).collect();
                operation.perform(group.mask, bound.shape.subgroup, &arguments, out)
            });
            found.extend(violations.into_iter().map(|violation| (group.wave, violation)));
            return found;
        }
        let set = groups.iter().fold(0, |mask, group| mask | group.mask);
        let mut joined: Vec<Vec<Slot>> = self.operand_slots(&groups[0]);
        for group in &groups[1..] {
            for (to, from) in joined.iter_mut().zip(self.operand_slots(group)) {
                for (to, from) in to.iter_mut().zip(&from) {
                    to.merge(from, group.mask);
                }
            }
        }
        let views: Vec<&[Slot]> = joined.iter().map(Vec::as_slice).collect();
        let mut results = vec![Slot::default(); self.out_of(&groups[0]).count as usize];
        let violations = operation.perform(set, self.bound.shape.subgroup, &views, &mut results);
        for group in groups {
            let out = self.out_of(group);
            let registers = &mut self.waves[group.wave].frames[group.frame as usize].registers;
            for (to, from) in registers[out.range()].iter_mut().zip(&results) {
                to.merge(from, group.mask);
            }
        }
        found.extend(violations.into_iter().map(|violation| (groups[0].wave, violation)));
        found
    }

    fn crosslane_workgroup(
        &mut self,
        groups: &mut [Group],
        operation: &Crosslane,
    ) -> Vec<(usize, operations::Violation)> {
        groups.sort_by_key(|group| group.wave);
        let inputs: Vec<Vec<Vec<Slot>>> = groups.iter().map(|group| self.operand_slots(group)).collect();
        let views: Vec<Vec<&[Slot]>> = inputs.iter().map(|input| input.iter().map(Vec::as_slice).collect()).collect();
        let mut results: Vec<Vec<Slot>> =
            vec![vec![Slot::default(); self.out_of(&groups[0]).count as usize]; groups.len()];
        let mut parts: Vec<operations::Part<'_>> = Vec::new();
        for ((group, views), results) in groups.iter().zip(&views).zip(&mut results) {
            parts.push(operations::Part {
                wave: self.wave_place(group.wave),
                set: group.mask,
                arguments: views,
                out: results,
            });
        }
        let violations = operation.perform_workgroup(&self.bound.shape, &mut parts);
        for (group, results) in groups.iter().zip(&results) {
            let out = self.out_of(group);
            let registers = &mut self.waves[group.wave].frames[group.frame as usize].registers;
            for (to, from) in registers[out.range()].iter_mut().zip(results) {
                to.merge(from, group.mask);
            }
        }
        violations.into_iter().map(|(part, violation)| (groups[part].wave, violation)).collect()
    }

    /// The predicate of a barrier, over all threads that are there.
    fn reduce(&mut self, groups: &[Group], predicate: u8, reduction: Reduction) {
        let (mut all, mut count) = (true, 0u64);
        for group in groups {
            let predicate = self.operation_of(group).arguments()[usize::from(predicate)];
            let slots = self.operand(group.wave, group.frame, predicate);
            for lane in lanes_of(group.mask) {
                let holds = slots[0].bits[lane] != 0;
                all &= holds;
                count += u64::from(holds);
            }
        }
        let result = match reduction {
            Reduction::And => u64::from(all),
            Reduction::Or => u64::from(count > 0),
            Reduction::Count => count,
        };
        for group in groups {
            let out = self.out_of(group);
            let registers = &mut self.waves[group.wave].frames[group.frame as usize].registers;
            for to in &mut registers[out.range()] {
                to.merge(&Slot::splat(result), group.mask);
            }
        }
    }

    /// Copies once what all threads of a group ask to be copied.
    fn copy_together(&mut self, groups: &[Group], fragment: &Fragment, copy: &crate::builtins::GroupCopy) {
        let group = &groups[0];
        let lane = group.mask.trailing_zeros() as usize;
        let values = self.operand_slots(group);
        let value = |argument: usize| values[argument][0].bits[lane];
        let same = groups.iter().all(|other| {
            let others = self.operand_slots(other);
            let same =
                |argument: usize| lanes_of(other.mask).all(|lane| others[argument][0].bits[lane] == value(argument));
            [copy.destination, copy.source, copy.count].into_iter().all(same)
        });
        if !same {
            let kind = ViolationKind::NotUniform { argument: copy.destination };
            let violation = operations::Violation { lanes: group.mask, kind };
            self.report(group.wave, fragment, group.mask, Seen::Violation(violation));
        }
        let site = self.code(group.wave, group.frame).first_site + fragment.op;
        let stride = |argument: Option<usize>| argument.map_or(1, value).wrapping_mul(copy.element_bytes);
        let (to_stride, from_stride) = (stride(copy.destination_stride), stride(copy.source_stride));
        let whole = to_stride == copy.element_bytes && from_stride == copy.element_bytes;
        let (count, bytes) = match value(copy.count) {
            count if whole => (1, count.saturating_mul(copy.element_bytes)),
            // The same element again and again.
            count if to_stride == 0 && from_stride == 0 => (count.min(1), copy.element_bytes),
            // In steps it leaves every buffer at some time.
            count => (count, copy.element_bytes),
        };
        for index in 0..count {
            let place = |base: usize, stride: u64| Slot::splat(value(base).wrapping_add(index.wrapping_mul(stride)));
            let (to, from) = (place(copy.destination, to_stride), place(copy.source, from_stride));
            let faults = self.memory.copy(group.wave, &to, &from, &Slot::splat(bytes), 1 << lane, Access::plain(site));
            let stop = !faults.is_empty();
            for fault in faults.faults {
                self.report(group.wave, fragment, fault.lanes, Seen::Fault(fault));
            }
            if stop {
                break;
            }
        }
    }

    /// The result of `async_work_group_copy`: the event that was passed, else some other.
    fn give_event(&mut self, group: &Group, event: Option<usize>) {
        let op = self.operation_of(group);
        let Some(out) = op.out().filter(|out| out.count > 0) else { return };
        let passed = event
            .and_then(|event| op.arguments().get(event))
            .map(|&operand| self.operand(group.wave, group.frame, operand)[0].clone());
        let mut result = passed.unwrap_or_default();
        for lane in 0..WIDTH {
            if result.bits[lane] == 0 {
                result.bits[lane] = 1;
            }
        }
        (result.poison, result.undefined) = (0, None);
        self.waves[group.wave].frames[group.frame as usize].registers[out.start as usize].merge(&result, group.mask);
    }

    /// The number of the barrier that a fragment is at.
    pub(super) fn barrier_number(&self, wave: usize, fragment: &Fragment) -> u64 {
        let code = self.code(wave, fragment.frame);
        match &code.ops[fragment.op as usize] {
            Op::Barrier { barrier, arguments, .. } => barrier.id.map_or(0, |id| {
                let lane = fragment.mask.trailing_zeros() as usize;
                self.operand(wave, fragment.frame, arguments[usize::from(id)])[0].bits[lane]
            }),
            _ => 0,
        }
    }
}
