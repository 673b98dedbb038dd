//! One thread of a launch, followed from the start of a function to its end.

use std::sync::Arc;

use reconverge_ir::FunctionId;
use reconverge_ir::function::{Inst, Value};
use reconverge_operations::{Axis, Item};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::Place;
use super::code::{Asked, Code, Range, Register, Site, To, What};
use super::launches::{Launch, mixed};
use super::questions::Questions;
use super::races::Accesses;
use crate::integers::{binary, compare, mask, signed};

/// So many instructions are executed by one thread; fewer where accesses to memory are followed, so that there are many launches in which loops are short: so many that two tiles of 32 x 32 are
/// multiplied where they are to be few, and two of 256 added.
const MOST_STEPS: usize = 4000;
const MOST_STEPS_OF_ACCESSES: usize = 1200;
const MOST_STEPS_OF_TILES: usize = 4000;
const MOST_STEPS_OF_ROWS: usize = 160_000;

/// Calls are followed so deep.
const DEPTH: usize = 8;

/// How often an operation was executed, and with which arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Visits {
    pub(super) count: u32,
    arguments: u64,
    /// Something open that a deciding branch, or the argument, depends on.
    open: Option<Inst>,
}

impl Visits {
    /// What threads that do the same agree on.
    pub(super) fn executed(self) -> (u32, u64) {
        (self.count, self.arguments)
    }

    pub(super) fn open(self) -> Option<Inst> {
        self.open
    }
}

/// What a thread did after it executed a call that names lanes, before it executed that again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Round {
    /// Whether the call named it.
    pub(super) is_named: bool,
    /// How often it executed the operation.
    pub(super) times: u32,
}

/// What the threads of a launch did, one after the other.
#[derive(Default)]
pub(super) struct Followed {
    /// By thread, by question.
    visits: Vec<Visits>,
    /// The same, of questions about lanes that a call names: what was done after each execution of that.
    rounds: Vec<Vec<Round>>,
    /// By thread, by value that questions compare with: the first one.
    compared: Vec<Option<i64>>,
    /// Of the thread that is followed, by deciding block: something open that it depended on.
    opened: Vec<Option<Inst>>,
    /// Whether all that decided where threads go is known, or the same in all threads.
    pub(super) is_exact: bool,
}

/// A value of a thread.
#[derive(Debug, Clone, Copy, Default)]
struct Word {
    bits: u64,
    /// Where it comes from, if other threads may have another one in a way that is not known: an instruction of the function that is asked about.
    open: Option<Inst>,
}

impl Word {
    /// Bits that follow from this word and another one.
    fn with(self, other: Word, bits: u64) -> Word {
        Word { bits, open: self.open.or(other.open) }
    }
}

/// The leaves of a value.
type Leaves = SmallVec<[Word; 2]>;

/// Why following ended early: the launch says nothing.
struct Unclear;

/// A function that was called.
struct Linked {
    code: Arc<Code>,
    /// The registers at the start, in this launch.
    frame: Vec<Word>,
    /// Where its sites are among all.
    first_site: usize,
}

/// Follows threads of one function.
pub(super) struct Threads<'a, 't> {
    place: Place<'a, 't>,
    questions: &'a Questions<'a>,
    /// The first is the function itself.
    linked: Vec<Linked>,
    of: FxHashMap<FunctionId, Option<usize>>,
    /// By site: how often something was made up there.
    occurrences: Vec<u32>,
    /// Frames that are free.
    free: Vec<Vec<Word>>,
    pub(super) followed: Followed,
    /// Accesses to memory, if they are followed.
    pub(super) accesses: Option<Accesses>,
}

impl<'a, 't> Threads<'a, 't> {
    pub(super) fn new(
        place: Place<'a, 't>,
        questions: &'a Questions<'a>,
        differs: &'a dyn Fn(Value) -> bool,
        accesses: Option<Accesses>,
    ) -> Threads<'a, 't> {
        let asked = Asked { questions, differs };
        let code = Arc::new(Code::new(place, Some(&asked), accesses.is_some()));
        let mut threads = Threads {
            place,
            questions,
            linked: Vec::new(),
            of: FxHashMap::default(),
            occurrences: Vec::new(),
            free: Vec::new(),
            followed: Followed::default(),
            accesses,
        };
        threads.link(code);
        threads
    }

    fn link(&mut self, code: Arc<Code>) -> usize {
        let first_site = self.occurrences.len();
        self.occurrences.resize(first_site + code.sites.len(), 0);
        let frame = code.frame.iter().map(|&bits| Word { bits, open: None }).collect();
        self.linked.push(Linked { code, frame, first_site });
        self.linked.len() - 1
    }

    /// What one launch does with all of these threads; nothing where that is not clear. `steps` is what may be executed, and becomes less.
    pub(super) fn follow(&mut self, launch: &Launch<'_>, threads: &[usize], steps: &mut usize) -> Option<&Followed> {
        self.followed.visits.clear();
        self.followed.rounds.clear();
        self.accesses.iter_mut().for_each(Accesses::clear);
        self.followed.compared.clear();
        self.followed.is_exact = true;
        self.linked.iter_mut().for_each(|linked| linked.begin(launch));
        // What a kernel is given is the same in all threads.
        let Linked { code, frame, .. } = &mut self.linked[0];
        for &(index, register, width) in &code.parameters {
            frame[register as usize] = Word { bits: launch.value_of((0u8, index)) & mask(width), open: None };
        }
        threads.iter().all(|&thread| self.follow_one(launch, thread, steps)).then_some(&self.followed)
    }

    fn follow_one(&mut self, launch: &Launch<'_>, thread: usize, steps: &mut usize) -> bool {
        let Followed { visits, rounds, compared, opened, .. } = &mut self.followed;
        let (first, first_round, first_compared) = (visits.len(), rounds.len(), compared.len());
        visits.resize(first + self.questions.all.len(), Visits::default());
        rounds.resize(first_round + self.questions.round_count, Vec::new());
        compared.resize(first_compared + self.questions.compared.items.len(), None);
        opened.clear();
        opened.resize(self.questions.deciding.items.len(), None);
        self.occurrences.fill(0);
        self.accesses.iter_mut().for_each(|accesses| accesses.begin(thread));
        let most = match self.accesses {
            None => MOST_STEPS,
            Some(_) if !launch.has_few_threads() => MOST_STEPS_OF_ACCESSES,
            Some(_) if launch.shape.is_one_row() => MOST_STEPS_OF_ROWS,
            Some(_) => MOST_STEPS_OF_TILES,
        };
        let most = most.min(*steps);
        let id = launch.shape.id_of(thread);
        let (active, outer) = (SmallVec::new(), None);
        let mut run =
            Run { threads: self, launch, thread, id, left: most, first, first_round, first_compared, active, outer };
        let ended = run.call(0, &[], 0);
        *steps -= most - run.left;
        let Followed { visits, opened, .. } = &mut self.followed;
        for (visits, deciding) in visits[first..].iter_mut().zip(&self.questions.deciding_of) {
            visits.open = visits.open.or_else(|| deciding.iter().find_map(|&block| opened[block as usize]));
        }
        ended.is_ok() || self.accesses.as_ref().is_some_and(Accesses::is_stopped)
    }

    /// What each thread did with a question's operation.
    pub(super) fn visits(&self, question: usize) -> impl Iterator<Item = Visits> + Clone {
        self.followed.visits.iter().skip(question).step_by(self.questions.all.len()).copied()
    }

    /// What each thread did with a question's operation after each execution of the call that names lanes.
    pub(super) fn rounds(&self, question: usize) -> impl Iterator<Item = &[Round]> {
        let count = self.questions.round_count;
        let first = self.questions.round_of[question].unwrap_or(count);
        self.followed.rounds.iter().skip(first).step_by(count.max(1)).map(Vec::as_slice)
    }

    /// What a question compares with, in a thread.
    pub(super) fn compared(&self, question: usize, thread: usize) -> Vec<Option<i64>> {
        let of_thread = &self.followed.compared[thread * self.questions.compared.items.len()..];
        self.questions.compared_of[question].iter().map(|&place| of_thread[place as usize]).collect()
    }
}

impl Linked {
    /// Makes up the constants that are not known.
    fn begin(&mut self, launch: &Launch<'_>) {
        for &(register, value, width) in &self.code.made_up {
            let bits = launch.value_of((1u8, self.code.id, value)) & mask(width);
            self.frame[register as usize] = Word { bits, open: None };
        }
    }
}

/// A thread on its way.
struct Run<'r, 'a, 't> {
    threads: &'r mut Threads<'a, 't>,
    launch: &'r Launch<'r>,
    /// Its linear number, and the ones in each dimension.
    thread: usize,
    id: [u32; 3],
    left: usize,
    /// Where its visits, rounds and compared values start.
    first: usize,
    first_round: usize,
    first_compared: usize,
    /// The questions about what is inside the call that is followed.
    active: SmallVec<[usize; 2]>,
    /// The call, in the function that is asked about, that is followed.
    outer: Option<Inst>,
}

impl Run<'_, '_, '_> {
    /// Executes a function.
    fn call(&mut self, at: usize, arguments: &[Word], depth: usize) -> Result<Leaves, Unclear> {
        let Linked { code, frame: start, first_site } = &self.threads.linked[at];
        let (code, first_site) = (code.clone(), *first_site);
        let mut frame = self.threads.free.pop().unwrap_or_default();
        frame.clear();
        frame.extend_from_slice(start);
        for &(index, register, width) in &code.parameters {
            if let Some(&Word { bits, open }) = arguments.get(index) {
                frame[register as usize] = Word { bits: bits & mask(width), open };
            }
        }
        let returned = self.execute(&code, &mut frame, first_site, depth);
        self.threads.free.push(frame);
        returned
    }

    fn execute(&mut self, code: &Code, frame: &mut [Word], first_site: usize, depth: usize) -> Result<Leaves, Unclear> {
        let mut next = 0;
        loop {
            let step = code.steps.get(next).ok_or(Unclear)?;
            next += 1;
            self.spend(step.cost)?;
            let word = |register: Register| frame[register as usize];
            let (to, result) = match step.what {
                What::Move(to, from) => (to, word(from)),
                What::SignExtend(to, from, width) => {
                    (to, Word { bits: signed(word(from).bits, width).cast_unsigned(), ..word(from) })
                }
                What::Select(to, [condition, yes, no]) => {
                    let condition = word(condition);
                    let chosen = if condition.bits & 1 == 1 { word(yes) } else { word(no) };
                    (to, chosen.with(condition, chosen.bits))
                }
                What::Compare(to, [a, b], predicate, width, site) => {
                    let (a, b) = (word(a), word(b));
                    let found = compare(predicate, a.bits, b.bits, width);
                    let exact = found.map(|holds| a.with(b, holds.into()));
                    (to, exact.unwrap_or_else(|| self.made_up(code, first_site, site)))
                }
                What::Binary(to, [a, b], opcode, site) => {
                    let (a, b) = (word(a), word(b));
                    let found = binary(opcode, a.bits, b.bits, to.width);
                    let exact = found.map(|bits| a.with(b, bits));
                    (to, exact.unwrap_or_else(|| self.made_up(code, first_site, site)))
                }
                What::Overflow(to, [a, b], overflow, width) => {
                    let (a, b) = (word(a), word(b));
                    (to, a.with(b, overflow.is_out_of_range(a.bits, b.bits, width).into()))
                }
                What::Address(to, [base, index], width, bytes) => {
                    let (base, index) = (word(base), word(index));
                    let offset = signed(index.bits, width).cast_unsigned().wrapping_mul(bytes);
                    (to, base.with(index, base.bits.wrapping_add(offset)))
                }
                What::Divisor(of) => match word(of).bits {
                    0 => return Err(Unclear),
                    _ => continue,
                },
                What::Shift(to, base, bytes) => {
                    let base = word(base);
                    (to, Word { bits: base.bits.wrapping_add(bytes), ..base })
                }
                What::MakeUp(to, site) => (to, self.made_up(code, first_site, site)),
                What::Query(to, item, axis, ref arguments, site) => {
                    let found = self.query(item, axis, &words(code, frame, arguments));
                    (to, found.unwrap_or_else(|| self.made_up(code, first_site, site)))
                }
                What::Intrinsic(to, intrinsic, ref arguments) => {
                    let arguments = words(code, frame, arguments);
                    let operands = [0, 1].map(|index| arguments.get(index).map_or(0, |word: &Word| word.bits));
                    let open = arguments.iter().find_map(|argument| argument.open);
                    (to, Word { bits: intrinsic.of(operands, to.width), open })
                }
                What::Call(to, id, ref arguments, site) => {
                    let arguments = words(code, frame, arguments);
                    if depth == 0 {
                        self.outer = Some(code.sites[site.index as usize]);
                    }
                    let (first, count) = to.unwrap_or_default();
                    let leaves = match self.linked(id, arguments.len()) {
                        Some(_) if depth >= DEPTH => return Err(Unclear),
                        Some(at) => self.call(at, &arguments, depth + 1)?,
                        // What is asked about is in there.
                        None if !self.active.is_empty() => return Err(Unclear),
                        None => (0..count).map(|leaf| self.made_up(code, first_site, Site { leaf, ..site })).collect(),
                    };
                    if depth == 0 {
                        self.outer = None;
                        self.active.clear();
                    }
                    if leaves.len() < count as usize {
                        return Err(Unclear);
                    }
                    frame[first as usize..(first + count) as usize].copy_from_slice(&leaves[..count as usize]);
                    continue;
                }
                What::Visit(question, argument) => {
                    self.visit(question as usize, argument.map(word));
                    continue;
                }
                What::Name(question, condition) => {
                    self.name(question as usize, condition.map(word));
                    continue;
                }
                What::Pass(inst, ref agreed) => {
                    let agreed = words(code, frame, agreed);
                    self.pass((code.id, inst), &agreed);
                    continue;
                }
                What::Access(inst, address, writes) => {
                    let address = word(address);
                    if let Some(accesses) = self.threads.accesses.as_mut().filter(|_| address.open.is_none()) {
                        accesses.access((code.id, inst), address.bits, writes);
                    }
                    continue;
                }
                What::Order(order) => {
                    self.threads.accesses.iter_mut().for_each(|accesses| accesses.order(order));
                    continue;
                }
                What::Note(slot, register, width) => {
                    let place = self.first_compared + slot as usize;
                    let first = signed(word(register).bits, width);
                    self.threads.followed.compared[place].get_or_insert(first);
                    continue;
                }
                What::Jump(edge) => {
                    next = self.take(code, frame, edge)?;
                    continue;
                }
                What::Branch(condition, [yes, no], decides) => {
                    let bits = self.decides(word(condition), decides);
                    next = self.take(code, frame, if bits & 1 == 1 { yes } else { no })?;
                    continue;
                }
                What::Switch(on, other, ref cases, decides) => {
                    let bits = self.decides(word(on), decides);
                    let cases = &code.cases[cases.start as usize..cases.end as usize];
                    let edge = cases.iter().find(|&&(case, _)| case == bits).map_or(other, |&(_, edge)| edge);
                    next = self.take(code, frame, edge)?;
                    continue;
                }
                What::Return(ref values) => return Ok(words(code, frame, values).into_iter().collect()),
                What::Unclear => return Err(Unclear),
            };
            frame[to.register as usize] = cut(to, result);
        }
    }

    fn spend(&mut self, cost: usize) -> Result<(), Unclear> {
        let left = self.left.checked_sub(cost);
        self.left = left.unwrap_or(0);
        left.map(|_| ()).ok_or(Unclear)
    }

    /// Goes along an edge, to a step.
    fn take(&mut self, code: &Code, frame: &mut [Word], edge: u32) -> Result<usize, Unclear> {
        let edge = &code.edges[edge as usize];
        self.spend(edge.cost)?;
        let moves = &code.moves[edge.moves.start as usize..edge.moves.end as usize];
        if edge.is_ordered {
            for &(to, from) in moves {
                frame[to as usize] = frame[from as usize];
            }
        } else {
            let taken: Vec<Word> = moves.iter().map(|&(_, from)| frame[from as usize]).collect();
            for (&(to, _), word) in moves.iter().zip(taken) {
                frame[to as usize] = word;
            }
        }
        Ok(edge.target as usize)
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

    /// The value that decides where the thread goes.
    fn decides(&mut self, word: Word, block: Option<u32>) -> u64 {
        if word.open.is_some() {
            if let Some(accesses) = &mut self.threads.accesses {
                // Nobody knows what the thread does from here on.
                accesses.stop();
                self.left = 0;
            }
            let followed = &mut self.threads.followed;
            followed.is_exact = false;
            if let Some(block) = block {
                followed.opened[block as usize] = word.open;
            }
            for &question in &self.active {
                followed.visits[self.first + question].open = word.open;
            }
        }
        word.bits
    }

    /// A value that is not known: the same in all threads that come here as often.
    fn made_up(&mut self, code: &Code, first_site: usize, site: Site) -> Word {
        let occurrence = &mut self.threads.occurrences[first_site + site.index as usize];
        *occurrence += 1;
        let inst = code.sites[site.index as usize];
        let open = site.is_open.then(|| self.outer.unwrap_or(inst));
        Word { bits: self.launch.value_of((2u8, code.id, inst, *occurrence | site.leaf << 24)), open }
    }

    /// An operation inside a call that is followed.
    fn pass(&mut self, operation: (FunctionId, Inst), agreed: &[Word]) {
        for &question in &self.active {
            if self.threads.questions.all[question].inside == Some(operation) {
                let visits = &mut self.threads.followed.visits[self.first + question];
                visits.count += 1;
                for word in agreed {
                    visits.arguments = mixed(visits.arguments ^ word.bits);
                    visits.open = visits.open.or(word.open);
                }
            }
        }
    }

    fn visit(&mut self, question: usize, argument: Option<Word>) {
        if self.threads.questions.all[question].inside.is_some() {
            self.active.push(question);
            return;
        }
        let open = argument.and_then(|argument| argument.open);
        let followed = &mut self.threads.followed;
        followed.is_exact &= open.is_none();
        let at = self.first + question;
        if let Some(round) = self.threads.questions.round_of[question] {
            followed.rounds[self.first_round + round].last_mut().into_iter().for_each(|round| round.times += 1);
        }
        let visits = &mut followed.visits[at];
        visits.count += 1;
        visits.open = visits.open.or(open);
        visits.arguments = mixed(visits.arguments ^ argument.map_or(0, |argument| argument.bits));
    }

    /// A call that names this thread's lane, where a condition holds.
    fn name(&mut self, question: usize, condition: Option<Word>) {
        let followed = &mut self.threads.followed;
        let at = self.first + question;
        let open = condition.and_then(|condition| condition.open);
        followed.is_exact &= open.is_none();
        followed.visits[at].open = followed.visits[at].open.or(open);
        if let Some(round) = self.threads.questions.round_of[question] {
            let is_named = condition.is_none_or(|condition| condition.bits != 0);
            followed.rounds[self.first_round + round].push(Round { is_named, times: 0 });
        }
    }

    /// What a thread is told of itself, its groups and the launch.
    fn query(&self, item: Item, axis: Axis, arguments: &[Word]) -> Option<Word> {
        let shape = self.launch.shape;
        let dimension = match axis {
            Axis::Fixed(dimension) => usize::from(dimension),
            Axis::Operand => arguments.first()?.bits as usize,
            Axis::None => 0,
        };
        let in_shape = |of: [u32; 3], beyond: u64| of.get(dimension).map_or(beyond, |&number| number.into());
        let group = |dimension: usize| self.launch.group(dimension);
        let groups = |dimension: usize| group(dimension) + 1 + self.launch.value_of((4u8, dimension)) % 64;
        let (thread, size, count) = (self.thread as u64, shape.subgroup as u64, shape.threads() as u64);
        let lane = thread % size;
        let bits = match item {
            Item::LocalId => in_shape(self.id, 0),
            Item::LocalSize => in_shape(shape.extents, 1),
            Item::GroupId => group(dimension),
            Item::GroupCount => groups(dimension),
            Item::GlobalId => group(dimension) * in_shape(shape.extents, 1) + in_shape(self.id, 0),
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
                let [of, more] = [arguments.first()?.bits, arguments.get(1)?.bits];
                u64::from((of & below).count_ones()) + more
            }
            _ => return None,
        };
        let open = arguments.iter().find_map(|argument| argument.open);
        Some(Word { bits, open })
    }
}

fn cut(to: To, word: Word) -> Word {
    Word { bits: word.bits & mask(to.width), ..word }
}

/// The arguments of a call.
fn words(code: &Code, frame: &[Word], arguments: &Range) -> SmallVec<[Word; 4]> {
    let registers = &code.arguments[arguments.start as usize..arguments.end as usize];
    registers.iter().map(|&register| frame[register as usize]).collect()
}

/// So many low bits.
fn mask_below(count: u64) -> u64 {
    (1 << count) - 1
}
