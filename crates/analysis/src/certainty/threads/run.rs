//! Threads that are followed together.
//!
//! **Invariant.** What a thread does depends on the launch and its own number, never on which others are followed with it: a step is done for all threads that are at it, one after the other,
//! and of threads at several steps those at the first one in the code go on, until they come to others.

use std::cell::Cell;

use reconverge_ir::FunctionId;
use reconverge_ir::function::Inst;
use reconverge_ir::opcode::{Opcode, Predicate};
use reconverge_operations::{Axis, Item};
use smallvec::SmallVec;

use super::frame::{Frame, Lanes};
use super::{DEPTH, Linked, Round, Threads};
use crate::certainty::code::{Access, Code, Range, Register, Site, To, What};
use crate::certainty::launches::{Launch, mixed};
use crate::integers::{binary, compare, mask, signed};

/// Why following ended early: the launch says nothing.
pub(super) struct Unclear;

/// Threads on their way.
pub(super) struct Run<'r, 'a, 't> {
    pub(super) threads: &'r mut Threads<'a, 't>,
    pub(super) launch: &'r Launch<'r>,
    /// Their linear numbers, and the ones in each dimension.
    pub(super) numbers: &'r [usize],
    pub(super) ids: Vec<[u32; 3]>,
    /// The instructions that each may execute, and all together.
    pub(super) left: Vec<i32>,
    pub(super) left_together: usize,
    /// The thread that the first of them is, of all of the launch.
    pub(super) first: usize,
    /// The questions about what is inside the call that is followed.
    pub(super) active: SmallVec<[usize; 2]>,
    /// The call, in the function that is asked about, that is followed.
    pub(super) outer: Option<Inst>,
    /// The call of a function of a built-in header that is followed, in one that is not of such a header.
    pub(super) built_in: Option<(FunctionId, Inst)>,
    /// Those of which nobody knows what they do from here on.
    pub(super) stopped: Vec<bool>,
    pub(super) are_some_stopped: bool,
}

/// Threads of one activation that are at several steps.
struct Waiting {
    /// By step. None is at the same one as another.
    groups: SmallVec<[(u32, Lanes); 4]>,
}

impl Waiting {
    /// Adds threads at a step.
    fn add(&mut self, step: u32, lanes: Lanes) {
        if lanes.len() == 0 {
            return;
        }
        match self.groups.iter_mut().find(|(known, _)| *known == step) {
            Some((_, group)) => {
                let mut all = group.those(|_| true);
                lanes.each(|lane| all.push(lane as u32));
                all.sort_unstable();
                let is_first = all.last().is_some_and(|&last| last as usize + 1 == all.len());
                *group = if is_first { Lanes::First(all.len()) } else { Lanes::These(all) };
            }
            None => self.groups.push((step, lanes)),
        }
    }

    /// Those at the first step.
    fn next(&mut self) -> Option<(u32, Lanes)> {
        let at = (0..self.groups.len()).min_by_key(|&at| self.groups[at].0)?;
        Some(self.groups.swap_remove(at))
    }
}

impl Run<'_, '_, '_> {
    /// Executes a function: what it returns.
    pub(super) fn call(
        &mut self,
        at: usize,
        lanes: Lanes,
        arguments: (&Frame, &[Register]),
        depth: usize,
    ) -> Result<Frame, Unclear> {
        let Linked { code, frame: start, first_site } = &self.threads.linked[at];
        let (code, first_site) = (code.clone(), *first_site);
        let mut frame = self.threads.free.pop().unwrap_or_default();
        frame.reset(start.len(), self.numbers.len());
        for (register, &bits) in (0..).zip(start) {
            frame.fill(&lanes, register, bits);
        }
        for &(index, register, width) in &code.parameters {
            if let Some(&argument) = arguments.1.get(index) {
                frame.copy(&lanes, To { register, width }, arguments.0, argument);
            }
        }
        let mut returned = self.threads.free.pop().unwrap_or_default();
        returned.reset(0, self.numbers.len());
        self.execute(&code, &frame, &mut returned, lanes, first_site, depth)?;
        self.threads.free.push(frame);
        Ok(returned)
    }

    fn execute(
        &mut self,
        code: &Code,
        frame: &Frame,
        returned: &mut Frame,
        mut lanes: Lanes,
        first_site: usize,
        depth: usize,
    ) -> Result<(), Unclear> {
        let mut waiting = Waiting { groups: SmallVec::new() };
        let (mut next, mut cost) = (0, 0);
        loop {
            let step = code.steps.get(next as usize).ok_or(Unclear)?;
            next += 1;
            cost += step.cost;
            match step.what {
                What::Move(to, from) => frame.copy(&lanes, to, frame, from),
                What::SignExtend(to, from, width) => {
                    let row = frame.row(from);
                    frame.set(&lanes, to, &[from], |lane| signed(row[lane].get(), width).cast_unsigned());
                }
                What::Select(to, from) => select(frame, &lanes, to, from),
                What::Compare(to, from, predicate, width, site) => {
                    if let Some(undefined) = relate(frame, &lanes, to, from, predicate, width) {
                        self.make_up(code, frame, &undefined, to, first_site, site);
                    }
                }
                What::Binary(to, from, opcode, site) => {
                    if let Some(undefined) = compute(frame, &lanes, to, from, opcode) {
                        self.make_up(code, frame, &undefined, to, first_site, site);
                    }
                }
                What::Overflow(to, from, overflow, width) => {
                    let [a, b] = from.map(|register| frame.row(register));
                    let is_out = |lane: usize| overflow.is_out_of_range(a[lane].get(), b[lane].get(), width);
                    frame.set(&lanes, to, &from, |lane| is_out(lane).into());
                }
                What::Address(to, from, width, bytes) => {
                    let [base, index] = from.map(|register| frame.row(register));
                    let offset = |lane: usize| signed(index[lane].get(), width).cast_unsigned().wrapping_mul(bytes);
                    frame.set(&lanes, to, &from, |lane| base[lane].get().wrapping_add(offset(lane)));
                }
                What::Divisor(of) => {
                    let row = frame.row(of);
                    if !lanes.those(|lane| row[lane].get() == 0).is_empty() {
                        return Err(Unclear);
                    }
                }
                What::Shift(to, base, bytes) => {
                    let row = frame.row(base);
                    frame.set(&lanes, to, &[base], |lane| row[lane].get().wrapping_add(bytes));
                }
                What::MakeUp(to, site) => self.make_up(code, frame, &lanes, to, first_site, site),
                What::Query(to, item, axis, ref arguments, site) => {
                    let arguments = registers(code, arguments);
                    let row = frame.row(to.register);
                    let unknown = lanes.those(|lane| {
                        let found = self.query(item, axis, lane, frame, arguments);
                        found.map(|bits| row[lane].set(bits & mask(to.width))).is_none()
                    });
                    frame.set(&lanes, to, arguments, |lane| row[lane].get());
                    if !unknown.is_empty() {
                        self.make_up(code, frame, &Lanes::These(unknown), to, first_site, site);
                    }
                }
                What::Intrinsic(to, intrinsic, ref arguments) => {
                    let arguments = registers(code, arguments);
                    let rows = [0, 1].map(|index| arguments.get(index).map(|&register| frame.row(register)));
                    let operand = |row: Option<&[Cell<u64>]>, lane: usize| row.map_or(0, |row| row[lane].get());
                    let of = |lane: usize| intrinsic.of(rows.map(|row| operand(row, lane)), to.width);
                    frame.set(&lanes, to, arguments, of);
                }
                What::Call(to, id, ref arguments, site) => {
                    self.spend(&lanes, std::mem::take(&mut cost))?;
                    let arguments = registers(code, arguments);
                    if depth == 0 {
                        self.outer = Some(code.sites[site.index as usize]);
                    }
                    let (first, count) = to.unwrap_or_default();
                    let results = (0..count).map(|leaf| To { register: first + leaf, width: 64 });
                    match self.linked(id, arguments.len()) {
                        Some(_) if depth >= DEPTH => return Err(Unclear),
                        Some(at) => {
                            let around = self.built_in;
                            if self.threads.linked[at].code.is_built_in && !code.is_built_in {
                                self.built_in = Some((code.id, code.sites[site.index as usize]));
                            }
                            let leaves = self.call(at, lanes.clone(), (frame, arguments), depth + 1)?;
                            self.built_in = around;
                            self.leave_stopped(&mut lanes);
                            if lanes.len() > 0 && leaves.registers() < count as usize {
                                return Err(Unclear);
                            }
                            for (to, leaf) in results.zip(0..).filter(|_| lanes.len() > 0) {
                                frame.copy(&lanes, to, &leaves, leaf);
                                // What is open in the function may be known to be the same for this call.
                                if !site.is_open {
                                    frame.close(&lanes, to.register);
                                }
                            }
                            self.threads.free.push(leaves);
                        }
                        // What is asked about is in there.
                        None if !self.active.is_empty() => return Err(Unclear),
                        None => {
                            for (to, leaf) in results.zip(0..) {
                                self.make_up(code, frame, &lanes, to, first_site, Site { leaf, ..site });
                            }
                        }
                    }
                    if depth == 0 {
                        self.outer = None;
                        self.active.clear();
                    }
                    if lanes.len() == 0 {
                        let Some(group) = waiting.next() else { return Ok(()) };
                        (next, lanes) = group;
                    }
                }
                What::Visit(question, argument) => self.visit(question as usize, &lanes, frame, argument),
                What::Name(question, condition) => self.name(question as usize, &lanes, frame, condition),
                What::Pass(inst, ref agreed) => self.pass((code.id, inst), &lanes, frame, registers(code, agreed)),
                What::Arrive => {
                    let arrivals = &mut self.threads.followed.arrivals[self.first..];
                    lanes.each(|lane| arrivals[lane] += 1);
                }
                What::Access { inst, address, access, pieces } => {
                    if let Some(accesses) = &mut self.threads.accesses {
                        let (row, at) = (frame.row(address), self.built_in.unwrap_or((code.id, inst)));
                        // That threads update the same place is why it is atomic: there is a launch in which all do that come here.
                        let is_any = access == Access::Update;
                        lanes.each(|lane| {
                            if is_any || frame.open(address, lane).is_none() {
                                accesses.access(self.first + lane, at, row[lane].get(), access, pieces);
                            }
                        });
                    }
                }
                What::Order(order) => {
                    let accesses = &mut self.threads.accesses;
                    accesses
                        .iter_mut()
                        .for_each(|accesses| lanes.each(|lane| accesses.order(self.first + lane, order)));
                }
                What::Note(slot, register, width) => {
                    let row = frame.row(register);
                    let count = self.threads.questions.compared.items.len();
                    let compared = &mut self.threads.followed.compared[self.first * count..];
                    lanes.each(|lane| {
                        compared[lane * count + slot as usize].get_or_insert(signed(row[lane].get(), width));
                    });
                }
                What::Return(ref values) => {
                    self.spend(&lanes, std::mem::take(&mut cost))?;
                    let values = registers(code, values);
                    returned.extend_to(values.len());
                    for (register, &from) in (0..).zip(values) {
                        returned.copy(&lanes, To { register, width: 64 }, frame, from);
                    }
                    let Some(group) = waiting.next() else { return Ok(()) };
                    (next, lanes) = group;
                }
                What::Unclear => return Err(Unclear),
                What::Jump(edge) => {
                    self.spend(&lanes, std::mem::take(&mut cost))?;
                    next = self.take(code, frame, &lanes, edge)?;
                    (next, lanes) = onward(&mut waiting, next, lanes);
                }
                What::Branch(condition, [yes, no], decides) => {
                    self.spend(&lanes, std::mem::take(&mut cost))?;
                    self.decide(&mut lanes, frame, condition, decides);
                    let row = frame.row(condition);
                    let mut count = 0;
                    lanes.each(|lane| count += (row[lane].get() & 1) as usize);
                    if lanes.len() > 0 && (count == 0 || count == lanes.len()) {
                        next = self.take(code, frame, &lanes, if count == 0 { no } else { yes })?;
                        (next, lanes) = onward(&mut waiting, next, lanes);
                        continue;
                    }
                    for (edge, bit) in [(yes, 1), (no, 0)] {
                        let lanes = Lanes::These(lanes.those(|lane| row[lane].get() & 1 == bit));
                        if lanes.len() > 0 {
                            waiting.add(self.take(code, frame, &lanes, edge)?, lanes);
                        }
                    }
                    let Some(group) = waiting.next() else { return Ok(()) };
                    (next, lanes) = group;
                }
                What::Switch(on, other, ref cases, decides) => {
                    self.spend(&lanes, std::mem::take(&mut cost))?;
                    self.decide(&mut lanes, frame, on, decides);
                    let cases = &code.cases[cases.start as usize..cases.end as usize];
                    let row = frame.row(on);
                    let edge = |lane: usize| {
                        let bits = row[lane].get();
                        cases.iter().find(|&&(case, _)| case == bits).map_or(other, |&(_, edge)| edge)
                    };
                    let mut edges: SmallVec<[u32; 4]> = SmallVec::new();
                    lanes.each(|lane| edges.push(edge(lane)));
                    edges.sort_unstable();
                    edges.dedup();
                    for taken in edges {
                        let lanes = Lanes::These(lanes.those(|lane| edge(lane) == taken));
                        waiting.add(self.take(code, frame, &lanes, taken)?, lanes);
                    }
                    let Some(group) = waiting.next() else { return Ok(()) };
                    (next, lanes) = group;
                }
            }
        }
    }

    /// Counts instructions that each of these threads executes.
    fn spend(&mut self, lanes: &Lanes, cost: usize) -> Result<(), Unclear> {
        if cost == 0 {
            return Ok(());
        }
        let together = self.left_together.checked_sub(cost * lanes.len());
        self.left_together = together.unwrap_or(0);
        let (cost, mut least) = (cost as i32, 0);
        let left = &mut self.left[..self.numbers.len()];
        lanes.each(|lane| {
            left[lane] -= cost;
            least = least.min(left[lane]);
        });
        together.filter(|_| least >= 0).map(|_| ()).ok_or(Unclear)
    }

    /// Goes along an edge, to a step.
    fn take(&mut self, code: &Code, frame: &Frame, lanes: &Lanes, edge: u32) -> Result<u32, Unclear> {
        let edge = &code.edges[edge as usize];
        self.spend(lanes, edge.cost)?;
        let moves = &code.moves[edge.moves.start as usize..edge.moves.end as usize];
        let to = |register: Register| To { register, width: 64 };
        if edge.is_ordered {
            moves.iter().for_each(|&(target, from)| frame.copy(lanes, to(target), frame, from));
        } else {
            let mut taken = self.threads.free.pop().unwrap_or_default();
            taken.reset(moves.len(), self.numbers.len());
            (0..).zip(moves).for_each(|(place, &(_, from))| taken.copy(lanes, to(place), frame, from));
            (0..).zip(moves).for_each(|(place, &(target, _))| frame.copy(lanes, to(target), &taken, place));
            self.threads.free.push(taken);
        }
        Ok(edge.target)
    }

    /// A function that a call is followed into; nothing where it does not take so many arguments.
    fn linked(&mut self, id: FunctionId, arguments: usize) -> Option<usize> {
        let at = match self.threads.of.get(&id) {
            Some(&known) => known,
            None => {
                let place = self.threads.place;
                let code = place.codes.get(place.module, place.facts, id, self.threads.accesses.is_some());
                let at = code.map(|code| self.threads.link(code));
                if let Some(at) = at {
                    self.threads.linked[at].begin(self.launch);
                }
                self.threads.of.insert(id, at);
                at
            }
        };
        at.filter(|&at| self.threads.linked[at].code.parameter_count == arguments)
    }

    /// Notes what decides where threads go. Those of which nobody knows it from here on are not among them any more.
    fn decide(&mut self, lanes: &mut Lanes, frame: &Frame, on: Register, block: Option<u32>) {
        if !frame.may_be_open(on) {
            return;
        }
        let open = lanes.those(|lane| frame.open(on, lane).is_some());
        let questions = self.threads.questions;
        let followed = &mut self.threads.followed;
        followed.is_exact &= open.is_empty();
        for lane in open.into_iter().map(|lane| lane as usize) {
            let because = frame.open(on, lane);
            if let Some(block) = block {
                followed.opened[lane * questions.deciding.items.len() + block as usize] = because;
            }
            for &question in &self.active {
                followed.visits[(self.first + lane) * questions.all.len() + question].open = because;
            }
            if self.threads.accesses.is_some() {
                // It counts as if it had executed all that it may.
                self.left_together = self.left_together.saturating_sub(std::mem::take(&mut self.left[lane]) as usize);
                self.stopped[lane] = true;
                self.are_some_stopped = true;
            }
        }
        self.leave_stopped(lanes);
    }

    fn leave_stopped(&self, lanes: &mut Lanes) {
        if self.are_some_stopped {
            *lanes = Lanes::These(lanes.those(|lane| !self.stopped[lane]));
        }
    }

    /// A value that is not known: the same in all threads that come here as often.
    fn make_up(&mut self, code: &Code, frame: &Frame, lanes: &Lanes, to: To, first_site: usize, site: Site) {
        let first = (first_site + site.index as usize) * self.numbers.len();
        let occurrences = &mut self.threads.occurrences[first..][..self.numbers.len()];
        let inst = code.sites[site.index as usize];
        let (row, mask) = (frame.row(to.register), mask(to.width));
        let mut known: Option<(u32, u64)> = None;
        lanes.each(|lane| {
            occurrences[lane] += 1;
            let occurrence = occurrences[lane];
            let bits = match known.filter(|(of, _)| *of == occurrence) {
                Some((_, bits)) => bits,
                None => self.launch.value_of((2u8, code.id, inst, occurrence | site.leaf << 24)),
            };
            known = Some((occurrence, bits));
            row[lane].set(bits & mask);
        });
        match site.is_open {
            true => frame.set_open(lanes, to.register, |_| self.outer.unwrap_or(inst).into()),
            false => frame.close(lanes, to.register),
        }
    }

    /// An operation inside a call that is followed.
    fn pass(&mut self, operation: (FunctionId, Inst), lanes: &Lanes, frame: &Frame, agreed: &[Register]) {
        let questions = self.threads.questions;
        for &question in self.active.iter().filter(|&&question| questions.all[question].inside == Some(operation)) {
            lanes.each(|lane| {
                let at = (self.first + lane) * questions.all.len() + question;
                let visits = &mut self.threads.followed.visits[at];
                visits.count += 1;
                for &register in agreed {
                    visits.arguments = mixed(visits.arguments ^ frame.row(register)[lane].get());
                    visits.open = visits.open.or(frame.open(register, lane));
                }
            });
        }
    }

    fn visit(&mut self, question: usize, lanes: &Lanes, frame: &Frame, argument: Option<Register>) {
        let questions = self.threads.questions;
        if questions.all[question].inside.is_some() {
            self.active.push(question);
            return;
        }
        let followed = &mut self.threads.followed;
        lanes.each(|lane| {
            let thread = self.first + lane;
            let open = argument.and_then(|argument| frame.open(argument, lane));
            followed.is_exact &= open.is_none();
            if let Some(round) = questions.round_of[question] {
                let rounds = &mut followed.rounds[thread * questions.round_count + round];
                rounds.last_mut().into_iter().for_each(|round| round.times += 1);
            }
            let visits = &mut followed.visits[thread * questions.all.len() + question];
            visits.count += 1;
            visits.open = visits.open.or(open);
            let bits = argument.map_or(0, |argument| frame.row(argument)[lane].get());
            visits.arguments = mixed(visits.arguments ^ bits);
        });
    }

    /// A call that names a thread's lane, where a condition holds.
    fn name(&mut self, question: usize, lanes: &Lanes, frame: &Frame, condition: Option<Register>) {
        let questions = self.threads.questions;
        let followed = &mut self.threads.followed;
        lanes.each(|lane| {
            let thread = self.first + lane;
            let open = condition.and_then(|condition| frame.open(condition, lane));
            followed.is_exact &= open.is_none();
            let visits = &mut followed.visits[thread * questions.all.len() + question];
            visits.open = visits.open.or(open);
            if let Some(round) = questions.round_of[question] {
                let is_named = condition.is_none_or(|condition| frame.row(condition)[lane].get() != 0);
                followed.rounds[thread * questions.round_count + round].push(Round { is_named, times: 0 });
            }
        });
    }

    /// What a thread is told of itself, its groups and the launch.
    fn query(&self, item: Item, axis: Axis, lane: usize, frame: &Frame, arguments: &[Register]) -> Option<u64> {
        let shape = self.launch.shape;
        let argument = |index: usize| arguments.get(index).map(|&register| frame.row(register)[lane].get());
        let dimension = match axis {
            Axis::Fixed(dimension) => usize::from(dimension),
            Axis::Operand => argument(0)? as usize,
            Axis::None => 0,
        };
        let in_shape = |of: [u32; 3], beyond: u64| of.get(dimension).map_or(beyond, |&number| number.into());
        let group = |dimension: usize| self.launch.group(dimension);
        let groups = |dimension: usize| group(dimension) + 1 + self.launch.value_of((4u8, dimension)) % 64;
        let (thread, size, count) = (self.numbers[lane] as u64, shape.subgroup as u64, shape.threads() as u64);
        let (id, lane) = (self.ids[lane], thread % size);
        Some(match item {
            Item::LocalId => in_shape(id, 0),
            Item::LocalSize => in_shape(shape.extents, 1),
            Item::GroupId => group(dimension),
            Item::GroupCount => groups(dimension),
            Item::GlobalId => group(dimension) * in_shape(shape.extents, 1) + in_shape(id, 0),
            Item::GlobalSize => groups(dimension) * in_shape(shape.extents, 1),
            Item::GlobalOffset => 0,
            Item::LocalLinearId => thread,
            Item::GroupLinearId => group(0),
            Item::GlobalLinearId => group(0) * count + thread,
            Item::Lane => lane,
            Item::SubgroupId => thread / size,
            Item::SubgroupMaxSize => size,
            Item::SubgroupSize => size.min(count - thread / size * size),
            Item::SubgroupCount => count.div_ceil(size),
            Item::MaskedCount { from } => {
                let below = mask_below(lane.saturating_sub(from.into()).min(32));
                u64::from((argument(0)? & below).count_ones()) + argument(1)?
            }
            _ => return None,
        })
    }
}

/// Where these threads go on, or others that are at an earlier step.
fn onward(waiting: &mut Waiting, next: u32, lanes: Lanes) -> (u32, Lanes) {
    if waiting.groups.iter().all(|&(step, _)| step > next) {
        return (next, lanes);
    }
    waiting.add(next, lanes);
    waiting.next().expect("some were added")
}

/// The target is none of these registers.
fn select(frame: &Frame, lanes: &Lanes, to: To, from: [Register; 3]) {
    let [condition, yes, no] = from.map(|register| frame.row(register));
    let is_yes = |lane: usize| condition[lane].get() & 1 == 1;
    frame.set(lanes, to, &[], |lane| if is_yes(lane) { yes[lane].get() } else { no[lane].get() });
    if from.iter().any(|&register| frame.may_be_open(register)) {
        let chosen = |lane: usize| if is_yes(lane) { from[1] } else { from[2] };
        let open = |lane: usize| frame.open(chosen(lane), lane).or(frame.open(from[0], lane));
        frame.set_open(lanes, to.register, |lane| open(lane).into());
    }
}

/// Sets a register to the result of an operation, and returns the threads in which there is none, if there are any.
fn compute(frame: &Frame, lanes: &Lanes, to: To, from: [Register; 2], opcode: Opcode) -> Option<Lanes> {
    // One loop for each operation, as the threads of one step all do the same.
    macro_rules! of {
        ($($known:ident)*) => {
            match opcode {
                $(Opcode::$known => each(frame, lanes, to, from, |a, b| binary(Opcode::$known, a, b, to.width)),)*
                _ => each(frame, lanes, to, from, |_, _| None),
            }
        };
    }
    of!(Add Sub Mul And Or Xor Shl LShr AShr UDiv URem SDiv SRem)
}

/// The same of a comparison.
fn relate(
    frame: &Frame,
    lanes: &Lanes,
    to: To,
    from: [Register; 2],
    predicate: Predicate,
    width: u32,
) -> Option<Lanes> {
    macro_rules! of {
        ($($known:ident)*) => {
            match predicate {
                $(Predicate::$known => each(frame, lanes, to, from, |a, b| {
                    compare(Predicate::$known, a, b, width).map(u64::from)
                }),)*
                _ => each(frame, lanes, to, from, |_, _| None),
            }
        };
    }
    of!(Eq Ne Ult Ule Ugt Uge Slt Sle Sgt Sge)
}

/// Sets a register to what follows from two others. Returns the threads in which nothing does, if there are any.
#[inline]
fn each(
    frame: &Frame,
    lanes: &Lanes,
    to: To,
    from: [Register; 2],
    of: impl Fn(u64, u64) -> Option<u64>,
) -> Option<Lanes> {
    let [a, b] = from.map(|register| frame.row(register));
    let of = |lane: usize| of(a[lane].get(), b[lane].get());
    let is_undefined = Cell::new(false);
    // The target is neither of the two.
    frame.set(lanes, to, &from, |lane| {
        let result = of(lane);
        is_undefined.set(is_undefined.get() | result.is_none());
        result.unwrap_or_default()
    });
    is_undefined.get().then(|| Lanes::These(lanes.those(|lane| of(lane).is_none())))
}

/// The registers of arguments.
fn registers<'c>(code: &'c Code, arguments: &Range) -> &'c [Register] {
    &code.arguments[arguments.start as usize..arguments.end as usize]
}

/// So many low bits.
fn mask_below(count: u64) -> u64 {
    (1 << count) - 1
}
