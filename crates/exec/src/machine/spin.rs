//! Threads that spin while those that they wait for do not run: livelock, proved.
//!
//! **Claim.** The threads of a wave *spin* if the wave was twice in the same state, while nothing changed that other threads see. What a thread
//! does follows from its registers, its private memory, what it reads, and whom it communicates with; so these threads do for
//! ever what they did between the two times. When each wave spins or waits, nothing will ever change: the workgroup does not end.
//!
//! **State.** Where each fragment is; the registers of its activations; its private memory. Tokens, and how often the headers
//! of cycles were executed, grow for ever: of these the state has what decides who is converged with whom, which is how they differ between
//! threads. Memory that others see is not compared but watched: a store of what is already there is no change, nor is an atomic
//! operation that finds what it leaves.
//!
//! **Standing.** Fragments that did not run between the two times are no part of the proof if they never will: under the lock-step schedule, if
//! they are further down than those that ran, and stay so however often these go round. Under the fair one everybody runs. Under
//! the random one nothing is proved, nor with anchors that divide threads anew each time. Where statements say who is converged, positions in these grow for ever, too, and are no part of the state: so nothing is proved
//! while a thread waits for others, and an execution of an operation by several is a change.
//!
//! What spins is not seen where memory changes and changes back, and where a state takes very long to come again. Then the
//! limits of the run end it.
//!
//! The search (Brent's: a state is kept, and the next one twice as long) begins when nothing was stored for a while. Whether a store
//! changes anything is looked at now and then only, until one does, and never of private memory, which is part of the state.

use smallvec::SmallVec;

use super::frame::{Fragment, FrameIndex, Place};
use super::workgroup::Workgroup;
use crate::launch::{AnchorPolicy, Schedule};
use crate::memory::{Address, Contents, Layout, PrivateState};
use crate::program::code::CodeId;
use crate::program::flow::Context;
use crate::value::{Lanes, Mask, Slot, WIDTH, lanes_of};

/// So many steps after stores were last looked at, they are again.
const GAP: u64 = 1 << 18;
/// So many steps without a change are suspicious.
const QUIET: u64 = 1 << 16;
/// How many scheduling decisions the first state is kept for, and the most.
const FIRST_PERIOD: u32 = 64;
const LONGEST_PERIOD: u32 = 1 << 20;
/// How many blocks a lone fragment runs between two looks at it: prime, so that each block of a cycle has its turn.
pub(super) const LOOK: u32 = 61;
/// Larger states are not kept.
const MOST_FRAMES: usize = 256;

/// What is known of who spins in a workgroup.
#[derive(Debug)]
pub(super) struct Spinning {
    /// Counts what changed memory that several threads see; what may have, where stores are not looked at.
    changes: u64,
    /// Since when each store is looked at, in steps.
    looking: Option<u64>,
    /// When that begins.
    next: u64,
    /// How often memory had changed when it was looked at last.
    seen: u64,
    waves: Vec<Wave>,
}

#[derive(Debug, Default)]
struct Wave {
    snapshot: Option<Box<Snapshot>>,
    period: u32,
    /// That it spins as long as memory has changed so often, and which lanes do.
    spins: Option<(u64, Mask)>,
}

/// A wave as it was.
#[derive(Debug)]
struct Snapshot {
    turn: u64,
    /// How many times it is still compared with.
    left: u32,
    /// Where the fragment was that was about to run.
    at: (FrameIndex, u32, Mask),
    fragments: Vec<Spot>,
    frames: Vec<Activation>,
    private: PrivateState,
}

/// Where a fragment is.
#[derive(Debug)]
struct Spot {
    mask: Mask,
    turn: u64,
    waits: bool,
    /// In each of its activations, the kernel's first.
    places: Vec<(FrameIndex, u32, u32, Context)>,
}

impl Spot {
    fn places(&self) -> Vec<Place<'_>> {
        let place = |(frame, block, op, context)| Place { frame, block, op, context };
        self.places.iter().map(|(frame, block, op, context)| place((*frame, *block, *op, context))).collect()
    }
}

#[derive(Debug)]
struct Activation {
    index: usize,
    code: CodeId,
    lanes: Mask,
    stack: Lanes,
    registers: Vec<Slot>,
    /// For each token how the lanes differ in it.
    tokens: Vec<[u64; WIDTH]>,
    /// For each heart how they differ in its operand, and how often they executed it.
    hearts: Vec<([u64; WIDTH], Lanes)>,
}

impl Activation {
    /// Whether it differs from what it was only in how often hearts were executed: by these lanes, as often by each of those with the same
    /// operand, and by no lane that stands more often than by them.
    fn continues(&self, then: &Activation, moved: Mask) -> bool {
        let same = self.lanes == then.lanes
            && self.stack == then.stack
            && self.registers == then.registers
            && self.tokens == then.tokens;
        let pairs = self.hearts.iter().zip(&then.hearts);
        same && self.hearts.len() == then.hearts.len()
            && pairs.into_iter().all(|((operands, counts), (before, earlier))| {
                let alike = |a: usize, b: usize| operands[a] == operands[b];
                operands == before
                    && lanes_of(self.lanes & moved).all(|lane| {
                        let times = counts[lane].wrapping_sub(earlier[lane]);
                        lanes_of(self.lanes).filter(|&other| times != 0 && alike(lane, other)).all(|other| {
                            match moved >> other & 1 {
                                0 => counts[other] <= earlier[lane],
                                _ => counts[other].wrapping_sub(earlier[other]) == times,
                            }
                        })
                    })
            })
    }
}

impl Default for Spinning {
    fn default() -> Spinning {
        // Short runs are not looked at.
        Spinning { changes: 0, looking: None, next: GAP, seen: 0, waves: Vec::new() }
    }
}

impl Spinning {
    /// Whether stores are compared with what was there.
    pub(super) fn is_looking(&self) -> bool {
        self.looking.is_some()
    }

    /// Memory that several threads see is another now.
    pub(super) fn change(&mut self) {
        self.changes += 1;
    }

    /// Whether the lanes of a wave spin.
    fn lanes(&self, wave: usize) -> Option<Mask> {
        self.waves.get(wave)?.spins.filter(|&(changes, _)| changes == self.changes).map(|(_, lanes)| lanes)
    }

    /// Whether any wave does nothing but spin.
    pub(super) fn any(&self) -> bool {
        (0..self.waves.len()).any(|wave| self.lanes(wave).is_some())
    }

    /// Somebody went on who waited.
    pub(super) fn forget(&mut self) {
        self.waves.clear();
    }

    /// Whether nothing has changed for some time.
    pub(super) fn is_quiet(&self, steps: u64) -> bool {
        self.looking.is_some_and(|since| steps - since >= QUIET) && self.changes == self.seen
    }
}

impl Workgroup<'_> {
    /// What is in the places that are about to be written; nothing where nobody wants to know.
    pub(super) fn before_change(&self, wave: usize, layout: &Layout, address: &Slot, mask: Mask) -> Option<Contents> {
        self.spinning.is_looking().then(|| self.memory.shared_contents(wave, layout, address, mask))
    }

    /// Whether it has to be known what a store to these places changes: where they are private, nobody else sees it.
    pub(super) fn is_watched(&self, address: &Slot, mask: Mask) -> bool {
        self.spinning.is_looking() && !is_private(address, mask)
    }

    /// Notes whether these places hold something else now.
    pub(super) fn after_change(
        &mut self,
        before: Option<Contents>,
        wave: usize,
        layout: &Layout,
        address: &Slot,
        mask: Mask,
    ) {
        if before.is_none_or(|before| before != self.memory.shared_contents(wave, layout, address, mask)) {
            self.spinning.change();
        }
    }

    /// The lanes of a wave that are known to spin.
    pub(super) fn spinning_lanes(&self, wave: usize) -> Option<Mask> {
        self.spinning.lanes(wave)
    }

    /// Whether all that a wave can do is to spin. `picked` is the fragment that is about to run.
    pub(super) fn only_spins(&mut self, wave: usize, picked: usize) -> bool {
        let is_divided_anew = matches!(self.bound.anchors, AnchorPolicy::Split(_));
        if matches!(self.bound.schedule, Schedule::Random(_)) || is_divided_anew {
            return false;
        }
        let waits = || self.waves.iter().flat_map(|wave| &wave.fragments).any(|fragment| fragment.waits.is_some());
        if self.together.is_some() && waits() {
            return false;
        }
        let steps = self.spent.steps;
        let spinning = &mut self.spinning;
        if spinning.looking.is_none() {
            if steps >= spinning.next {
                (spinning.looking, spinning.seen) = (Some(steps), spinning.changes);
                spinning.waves.clear();
            }
            return false;
        }
        if spinning.changes != spinning.seen {
            (spinning.looking, spinning.next) = (None, steps + GAP);
            return false;
        }
        if !spinning.is_quiet(steps) {
            return false;
        }
        if spinning.lanes(wave).is_some() {
            return true;
        }
        spinning.waves.resize_with(self.waves.len(), Wave::default);
        let fragment = &self.waves[wave].fragments[picked];
        let at = (fragment.frame, fragment.op, fragment.mask);
        match &mut self.spinning.waves[wave].snapshot {
            Some(snapshot) if snapshot.left > 0 => {
                snapshot.left -= 1;
                if snapshot.at != at {
                    return false;
                }
            }
            _ => {
                let period = (2 * self.spinning.waves[wave].period).clamp(FIRST_PERIOD, LONGEST_PERIOD);
                let snapshot = self.snapshot(wave, at, period);
                let kept = &mut self.spinning.waves[wave];
                (kept.snapshot, kept.period) = (snapshot, period);
                return false;
            }
        }
        let Some(snapshot) = &self.spinning.waves[wave].snapshot else { return false };
        let Some(lanes) = self.repeats(wave, snapshot) else { return false };
        self.spinning.waves[wave].spins = Some((self.spinning.changes, lanes));
        true
    }

    /// The state of a wave, unless it is large.
    fn snapshot(&self, wave: usize, at: (FrameIndex, u32, Mask), period: u32) -> Option<Box<Snapshot>> {
        let data = &self.waves[wave];
        if data.frames.len() > MOST_FRAMES {
            return None;
        }
        let private = self.memory.private_state(wave)?;
        let mut fragments: Vec<Spot> = data.fragments.iter().map(|fragment| self.spot(wave, fragment)).collect();
        fragments.sort_by_key(|spot| spot.mask);
        let frames = (0..data.frames.len()).filter(|&index| data.frames[index].lanes != 0);
        let frames = frames.map(|index| self.activation_state(wave, index)).collect();
        Some(Box::new(Snapshot { turn: self.turn, left: period, at, fragments, frames, private }))
    }

    fn spot(&self, wave: usize, fragment: &Fragment) -> Spot {
        let places = self.waves[wave].places(fragment).into_iter();
        let places = places.map(|place| (place.frame, place.block, place.op, place.context.clone())).collect();
        Spot { mask: fragment.mask, turn: fragment.turn, waits: fragment.waits.is_some(), places }
    }

    fn activation_state(&self, wave: usize, index: usize) -> Activation {
        let frame = &self.waves[wave].frames[index];
        let code = &self.program.codes[frame.code];
        let mut registers = frame.registers.clone();
        let mut tokens = Vec::new();
        for &definition in &code.token_definitions {
            let Some(register) = code.token_register(definition) else { continue };
            let slot = &mut registers[register as usize];
            tokens.push(partition(&slot.bits, frame.lanes));
            *slot = Slot::default();
        }
        for slot in &mut registers {
            slot.poison &= frame.lanes;
            (0..WIDTH).filter(|lane| frame.lanes >> lane & 1 == 0).for_each(|lane| slot.bits[lane] = 0);
        }
        let hearts = frame.hearts.iter().map(|heart| (partition(&heart.token, frame.lanes), *heart.count)).collect();
        Activation { index, code: frame.code, lanes: frame.lanes, stack: *frame.stack, registers, tokens, hearts }
    }

    /// Whether a wave is in the state that it was in, and will be again and again; answers the lanes that ran meanwhile.
    fn repeats(&self, wave: usize, then: &Snapshot) -> Option<Mask> {
        let data = &self.waves[wave];
        if data.fragments.len() != then.fragments.len() || !self.memory.is_private_state(wave, &then.private) {
            return None;
        }
        let mut living = data.frames.iter().enumerate().filter(|(_, frame)| frame.lanes != 0);
        let same = then.frames.iter().all(|then| {
            living.next().is_some_and(|(index, frame)| {
                (index, frame.code, frame.lanes) == (then.index, then.code, then.lanes)
                    && self.same_registers(wave, then)
            })
        });
        if !same || living.next().is_some() {
            return None;
        }
        let mut now: Vec<Spot> = data.fragments.iter().map(|fragment| self.spot(wave, fragment)).collect();
        now.sort_by_key(|spot| spot.mask);
        let places = |spot: &Spot| -> Vec<(FrameIndex, u32)> { spot.places.iter().map(|at| (at.0, at.2)).collect() };
        let alike = |(now, then): (&Spot, &Spot)| {
            (now.mask, now.waits) == (then.mask, then.waits) && places(now) == places(then)
        };
        if !now.iter().zip(&then.fragments).all(alike) || !self.stays_apart(wave, &now, then) {
            return None;
        }
        let lanes = now.iter().filter(|spot| spot.turn > then.turn).fold(0, |lanes, spot| lanes | spot.mask);
        if !then.frames.iter().all(|then| self.activation_state(wave, then.index).continues(then, lanes)) {
            return None;
        }
        Some(lanes)
    }

    /// Whether the bits of all registers but tokens are the same. Cheap where they are not.
    fn same_registers(&self, wave: usize, then: &Activation) -> bool {
        let frame = &self.waves[wave].frames[then.index];
        let code = &self.program.codes[frame.code];
        let is_token = |register: usize| {
            let mut tokens = code.token_definitions.iter().filter_map(|&definition| code.token_register(definition));
            tokens.any(|token| token as usize == register)
        };
        frame.registers.len() == then.registers.len()
            && frame.registers.iter().zip(&then.registers).enumerate().all(|(register, (now, then))| {
                lanes_of(frame.lanes).all(|lane| now.bits[lane] == then.bits[lane]) || is_token(register)
            })
    }

    /// Whether those who ran meanwhile go on without the others, and as many times round as each other where they are in one cycle.
    fn stays_apart(&self, wave: usize, now: &[Spot], then: &Snapshot) -> bool {
        let fair = self.bound.schedule == Schedule::Fair;
        let rounds: Vec<Rounds> =
            now.iter().zip(&then.fragments).map(|(now, then)| self.rounds(wave, now, then)).collect();
        now.iter().zip(&rounds).all(|(spot, mine)| {
            if spot.turn <= then.turn {
                return !fair || spot.waits;
            }
            let far: Vec<(FrameIndex, u32, u32, Context)> = spot
                .places
                .iter()
                .enumerate()
                .map(|(depth, (frame, block, op, context))| {
                    let mut context = context.clone();
                    for round in mine.iter().filter(|round| round.depth == depth) {
                        context.counts[round.level] = u64::MAX;
                    }
                    (*frame, *block, *op, context)
                })
                .collect();
            let far = Spot {
                places: far,
                ..Spot { mask: spot.mask, turn: spot.turn, waits: spot.waits, places: Vec::new() }
            };
            now.iter().zip(&rounds).all(|(other, theirs)| {
                if other.turn <= then.turn {
                    return self.compare_ways(wave, &far.places(), &other.places()).is_lt();
                }
                let same_cycle = |a: &&Round, b: &Round| {
                    (a.depth, a.level, a.cycle) == (b.depth, b.level, b.cycle)
                        && spot.places[a.depth].0 == other.places[b.depth].0
                };
                theirs.iter().all(|round| {
                    mine.iter().find(|own| same_cycle(own, round)).is_none_or(|own| own.times == round.times)
                })
            })
        })
    }

    /// In which cycles a fragment went round, and how often.
    fn rounds(&self, wave: usize, now: &Spot, then: &Spot) -> Rounds {
        let mut rounds = Rounds::new();
        for (depth, (now, then)) in now.places.iter().zip(&then.places).enumerate() {
            let counts = now.3.counts.iter().zip(&then.3.counts);
            if let Some(level) = counts.clone().position(|(now, then)| now != then) {
                let cycle = self.flow(wave, now.0).order.cycle(now.1, level);
                let times = now.3.counts[level].wrapping_sub(then.3.counts[level]);
                rounds.push(Round { depth, level, cycle, times });
            }
        }
        rounds
    }
}

/// Whether the addresses of all these lanes are in private memory.
fn is_private(address: &Slot, mask: Mask) -> bool {
    // Mostly the lanes are the first ones.
    let first = mask.trailing_ones() as usize;
    Address::are_private(&address.bits[..first])
        && (first == WIDTH || lanes_of(mask >> first << first).all(|lane| Address::are_private(&[address.bits[lane]])))
}

type Rounds = SmallVec<[Round; 2]>;

/// That a fragment went round a cycle.
#[derive(Debug, Clone, Copy)]
struct Round {
    /// In which of its activations.
    depth: usize,
    /// How many cycles are around this one.
    level: usize,
    cycle: Option<u32>,
    times: u64,
}

/// For each lane of a mask the first one with the same value.
fn partition(values: &Lanes, lanes: Mask) -> [u64; WIDTH] {
    let mut first = [0; WIDTH];
    let mut known: SmallVec<[(u64, u64); 8]> = SmallVec::new();
    for lane in lanes_of(lanes) {
        let value = values[lane];
        first[lane] = match known.iter().find(|one| one.0 == value) {
            Some(&(_, lane)) => lane,
            None => {
                known.push((value, lane as u64));
                lane as u64
            }
        };
    }
    first
}
