//! Who communicates: sets of converged threads at an operation, and when they are complete.
//!
//! **Set.** The threads that wait at one static instance with equal instance keys, in one group of the operation's scope.
//!
//! **Complete** is a set that no other living thread of the group can join: no thread has a way from where it is to a dynamic
//! instance that is converged with those of the set. Looked at from the outermost activation inwards: as long as a thread is in the
//! same activations as the set, the question is that of the next one; in the last common activation the thread has to come to
//! the instruction that the set is at (the operation, or a call on the way to it), in an instance that is converged with the set's:
//!
//! - *uncontrolled*: in the same iterations of the cycles around it (the [context](crate::program::flow::Context)), and, where it
//!   is in the region of a token, with that token;
//! - *controlled*: with the same token. The thread has it already and gets there without a new one, or it can still come
//!   to the instance that defines it, by the same question asked of the definition;
//! - *by statements*: at an evaluation that is converged by the rules of a text, where the program is run by these ([`statements`](super::statements)).
//!
//! Where masks are read as those of independent threads ([`MaskReading::Concurrent`]), the set of an operation that has one are the threads that wait at the same operation with
//! the same mask, in whichever instance and at whichever place of the text; it is complete when all living threads that the mask names are there.
//!
//! Nothing waits but operations that communicate: `entry`, `anchor` and `loop` do not, nor calls.

use std::cell::OnceCell;

use super::frame::{Fragment, Place, Waits};
use super::workgroup::{Stopped, Workgroup};
use crate::launch::{MaskReading, Model, STEPS};
use crate::operations::Scope;
use crate::program::code::{Code, Op, TokenUse};
use crate::program::flow::{mix, reaches};
use crate::value::{Mask, lanes_of};

/// A fragment of a workgroup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Member {
    pub(super) wave: usize,
    pub(super) fragment: usize,
}

/// The dynamic instance that a set is at, as others may come to it.
pub(super) struct Target<'w> {
    member: Member,
    /// One for each activation, the kernel's first; made when somebody asks.
    levels: OnceCell<Vec<Level<'w>>>,
}

impl Target<'_> {
    /// Where the set is that a fragment waits in.
    pub(super) fn of(member: Member) -> Self {
        Target { member, levels: OnceCell::new() }
    }
}

struct Level<'w> {
    /// The wave that the set is in.
    wave: usize,
    place: Place<'w>,
    /// The tokens that an instance has to have been executed with, by their definitions.
    tokens: Vec<(u32, u64)>,
    /// Whether the token alone decides.
    controlled: bool,
}

/// How threads are told apart by the value of a register.
pub(super) fn split_by(mask: Mask, key: impl Fn(usize) -> u64) -> Vec<(Mask, u64)> {
    let mut parts: Vec<(Mask, u64)> = Vec::new();
    for lane in lanes_of(mask) {
        let value = key(lane);
        match parts.iter_mut().find(|part| part.1 == value) {
            Some(part) => part.0 |= 1 << lane,
            None => parts.push((1 << lane, value)),
        }
    }
    parts
}

impl Workgroup<'_> {
    /// Whether the model looks at tokens.
    pub(super) fn is_controlled(&self) -> bool {
        self.bound.model == Model::Controlled
    }

    /// The instance keys of an operation for the lanes of a fragment that is at it: parts of its mask with equal keys.
    pub(super) fn instance_keys(
        &self,
        wave: usize,
        fragment: &Fragment,
        op: u32,
        token: Option<TokenUse>,
    ) -> Vec<(Mask, u64)> {
        let frame = &self.waves[wave].frames[fragment.frame as usize];
        let base = mix(frame.key, u64::from(op));
        let bits = |register: u32, lane: usize| frame.registers[register as usize].bits[lane];
        if let Some(key) = self.position_key(fragment) {
            return vec![(fragment.mask, mix(base, key))];
        }
        match token {
            Some(token) if self.is_controlled() => split_by(fragment.mask, |lane| mix(base, bits(token.token, lane))),
            _ => {
                let key = mix(base, self.flow(wave, fragment.frame).fingerprint(fragment.block, &fragment.context));
                let code = self.code(wave, fragment.frame);
                let regions = &code.regions[op as usize];
                if regions.is_empty() || !self.is_controlled() {
                    return vec![(fragment.mask, key)];
                }
                let token_of = |&definition: &u32| code.token_register(definition).unwrap_or_default();
                split_by(fragment.mask, |lane| {
                    regions.iter().fold(key, |key, definition| mix(key, bits(token_of(definition), lane)))
                })
            }
        }
    }

    /// Lets the threads of a fragment wait at the operation that they are at. They go on when their set is complete.
    pub(super) fn wait(&mut self, wave: usize, fragment: Fragment, token: Option<TokenUse>, mask_operand: Option<u8>) {
        let code = self.code(wave, fragment.frame);
        let op = &code.ops[fragment.op as usize];
        let arguments = op.arguments();
        let since = self.log.happened();
        for (lanes, key) in self.instance_keys(wave, &fragment, fragment.op, token) {
            let registers = &self.waves[wave].frames[fragment.frame as usize].registers;
            let token = token
                .filter(|_| self.is_controlled())
                .and_then(|token| lanes_of(lanes).next().map(|lane| registers[token.token as usize].bits[lane]));
            let masks = match mask_operand.and_then(|operand| arguments.get(usize::from(operand))) {
                Some(operand) => {
                    let slot = &operand.of(registers, &code.constants)[0];
                    split_by(lanes, |lane| slot.bits[lane]).into_iter().map(|(part, mask)| (part, Some(mask))).collect()
                }
                None => vec![(lanes, None)],
            };
            for (part, mask) in masks {
                let waits = Some(Waits { key: mask.map_or(key, |mask| mix(key, mask)), token, mask, since });
                self.waves[wave].fragments.push(Fragment { mask: part, waits, ..fragment.clone() });
            }
        }
    }

    /// Completes a set, in one wave or of the whole workgroup; says whether there was one.
    pub(super) fn release_any(&mut self, only: Option<usize>) -> Result<bool, Stopped> {
        for wave in 0..self.waves.len() {
            if only.is_some_and(|only| only != wave) {
                continue;
            }
            for fragment in 0..self.waves[wave].fragments.len() {
                if self.waves[wave].fragments[fragment].waits.is_some()
                    && self.release(Member { wave, fragment }, only.is_some())?
                {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Completes the set that a fragment is in, if it is complete. `inside`: only what happens inside of one wave.
    fn release(&mut self, member: Member, inside: bool) -> Result<bool, Stopped> {
        let fragment = &self.waves[member.wave].fragments[member.fragment];
        let code = self.code(member.wave, fragment.frame);
        let Some(scope) = code.ops[fragment.op as usize].scope() else { return Ok(false) };
        let places: usize = match scope {
            Scope::Subgroup => self.waves[member.wave].fragments.len(),
            _ => self.waves.iter().map(|wave| wave.fragments.len()).sum(),
        };
        let whole = scope != Scope::Subgroup;
        if whole && inside && self.waves.len() > 1 {
            return Ok(false);
        }
        let members = self.members(member, whole);
        // Each of the others is asked for each group.
        let mask = members.iter().fold(0, |mask, at| mask | self.waves[at.wave].fragments[at.fragment].mask);
        let groups = if whole { 1 } else { self.subgroups(mask).count() };
        self.spent.steps += STEPS.meeting * (places * groups) as u64;
        if let Some(wanted) = self.wanted_at(member) {
            let number = self.barrier_number(member.wave, &self.waves[member.wave].fragments[member.fragment]);
            let going = self.completing(&members, number, wanted);
            if !going.is_empty() {
                self.meet(&going, None)?;
            }
            return Ok(!going.is_empty());
        }
        let target = Target::of(member);
        if whole {
            if self.others(&members, None).any(|other| self.can_join(other, &target, None)) {
                return Ok(false);
            }
            self.meet(&members, None)?;
            return Ok(true);
        }
        for group in self.subgroups(mask) {
            let missing = self
                .others(&members, Some((member.wave, group)))
                .any(|other| self.can_join(other, &target, Some(group)));
            if !missing {
                self.meet(&members, Some(group))?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The fragments that wait at the same operation with the same key as `member`, or that its mask brings together with it, at whichever place they execute the operation.
    pub(super) fn members(&self, member: Member, whole: bool) -> Vec<Member> {
        let first = &self.waves[member.wave].fragments[member.fragment];
        let code = self.waves[member.wave].frames[first.frame as usize].code;
        let op = &self.code(member.wave, first.frame).ops[first.op as usize];
        let is_named = |waits: Waits, here: Waits, its: &Op| {
            self.bound.masks == MaskReading::Concurrent
                && waits.mask.is_some()
                && waits.mask == here.mask
                && its.is_same_operation(op)
        };
        let loose = op.is_loose_barrier();
        let number = |wave: usize, fragment: &Fragment| self.barrier_number(wave, fragment);
        let belongs = |wave: usize, other: &Fragment| {
            let Some(waits) = other.waits else { return false };
            let here = first.waits.unwrap_or(waits);
            let its = &self.code(wave, other.frame).ops[other.op as usize];
            if loose {
                return its.is_loose_barrier() && number(wave, other) == number(member.wave, first);
            }
            let is_same_place = self.waves[wave].frames[other.frame as usize].code == code && other.op == first.op;
            is_same_place && waits.key == here.key || is_named(waits, here, its)
        };
        let waves = if whole { 0..self.waves.len() } else { member.wave..member.wave + 1 };
        waves
            .flat_map(|wave| {
                let fragments = self.waves[wave].fragments.iter().enumerate();
                fragments
                    .filter(move |(_, other)| belongs(wave, other))
                    .map(move |(fragment, _)| Member { wave, fragment })
            })
            .collect()
    }

    /// The fragments that are not members: of the workgroup, or with lanes in a subgroup.
    fn others<'m>(&'m self, members: &'m [Member], group: Option<(usize, Mask)>) -> impl Iterator<Item = Member> {
        let waves = group.map_or(0..self.waves.len(), |(wave, _)| wave..wave + 1);
        waves
            .flat_map(|wave| (0..self.waves[wave].fragments.len()).map(move |fragment| Member { wave, fragment }))
            .filter(move |at| {
                let mask = self.waves[at.wave].fragments[at.fragment].mask;
                !members.contains(at) && group.is_none_or(|(_, group)| mask & group != 0)
            })
    }

    /// Whether a thread of `other` can come to an instance. `group`: only these lanes count.
    pub(super) fn can_join<'w>(&'w self, other: Member, target: &Target<'w>, group: Option<Mask>) -> bool {
        let member = target.member;
        let fragment = &self.waves[other.wave].fragments[other.fragment];
        let set = &self.waves[member.wave].fragments[member.fragment];
        let lanes = fragment.mask & group.unwrap_or(Mask::MAX);
        let op = &self.code(member.wave, set.frame).ops[set.op as usize];
        if op.is_loose_barrier() {
            // Anybody may come to one of those with this number, until they end or wait for others of the workgroup elsewhere.
            let there = &self.code(other.wave, fragment.frame).ops[fragment.op as usize];
            return fragment.waits.is_none() || there.scope() == Some(Scope::Subgroup);
        }
        if let (Some(mask), MaskReading::Concurrent) = (set.waits.and_then(|waits| waits.mask), self.bound.masks) {
            let named = self.subgroups(set.mask).any(|group| mask << group.trailing_zeros() & group & lanes != 0);
            return named;
        }
        let levels = target.levels.get_or_init(|| self.levels(member));
        let wave = &self.waves[other.wave];
        let places = wave.places(fragment);
        let key = |wave: usize, place: &Place<'_>| self.waves[wave].frames[place.frame as usize].key;
        // The activations that both are in.
        let common = places
            .iter()
            .zip(levels)
            .take_while(|(place, level)| key(other.wave, place) == key(level.wave, &level.place))
            .count();
        let Some(last) = common.checked_sub(1) else { return false };
        let (place, level) = (places[last], &levels[last]);
        let called = last + 1 < places.len();
        let at = Walker { wave: other.wave, place, called, waits: fragment.waits.is_some() };
        lanes_of(lanes).any(|lane| self.comes_to(at, lane, level))
    }

    /// The activations of the set of a fragment.
    fn levels(&self, member: Member) -> Vec<Level<'_>> {
        let fragment = &self.waves[member.wave].fragments[member.fragment];
        let lane = fragment.mask.trailing_zeros() as usize;
        let level = |place: Place<'_>| {
            let code = self.code(member.wave, place.frame);
            let registers = &self.waves[member.wave].frames[place.frame as usize].registers;
            let value = |definition: u32| {
                let register = code.token_register(definition).unwrap_or_default();
                (definition, registers[register as usize].bits[lane])
            };
            let token = code.ops[place.op as usize].token().filter(|_| self.is_controlled());
            let tokens = match token {
                Some(token) => vec![value(token.definition)],
                None if self.is_controlled() => code.regions[place.op as usize].iter().map(|&d| value(d)).collect(),
                None => Vec::new(),
            };
            (tokens, token.is_some())
        };
        let places = self.waves[member.wave].places(fragment).into_iter();
        let level = |place| {
            let (tokens, controlled) = level(place);
            Level { wave: member.wave, place, tokens, controlled }
        };
        places.map(level).collect()
    }

    /// Whether a thread that is in the activation of a level comes to its instance.
    fn comes_to(&self, at: Walker<'_>, lane: usize, level: &Level<'_>) -> bool {
        let code = self.code(at.wave, at.place.frame);
        if let Some(wanted) = level.place.context.position {
            return self.comes_by_statements(at, lane, level.place, wanted);
        }
        if level.controlled {
            return level.tokens.iter().all(|&(definition, token)| {
                if self.holds(at, lane, definition, token) {
                    at.reaches(code, level.place.block, level.place.op, definition)
                } else {
                    self.gets_token(at, lane, definition, token, level)
                }
            });
        }
        self.comes_uncontrolled(at, level.place)
            && level.tokens.iter().all(|&(definition, token)| {
                self.holds(at, lane, definition, token) || self.gets_token(at, lane, definition, token, level)
            })
    }

    /// Whether a thread comes to an instance in the context of a place.
    fn comes_uncontrolled(&self, at: Walker<'_>, to: Place<'_>) -> bool {
        if at.place.block == to.block && at.place.context == to.context {
            return at.is_before(to.op);
        }
        let flow = self.flow(at.wave, at.place.frame);
        let code = self.code(at.wave, at.place.frame);
        flow.can_reach(&code.graph, (at.place.block, at.place.context), (to.block, to.context))
    }

    fn holds(&self, at: Walker<'_>, lane: usize, definition: u32, token: u64) -> bool {
        let code = self.code(at.wave, at.place.frame);
        let registers = &self.waves[at.wave].frames[at.place.frame as usize].registers;
        code.token_register(definition).is_some_and(|register| registers[register as usize].bits[lane] == token)
    }

    /// Whether a thread that does not have a token can come to the instance that it stands for.
    fn gets_token(&self, at: Walker<'_>, lane: usize, definition: u32, token: u64, level: &Level<'_>) -> bool {
        let code = self.code(at.wave, at.place.frame);
        let frame = &self.waves[level.wave].frames[level.place.frame as usize];
        let Some(instance) = frame.tokens.get(&token) else { return false };
        if instance.alone {
            return false;
        }
        let block = code.block_of(definition);
        match &code.ops[definition as usize] {
            // It is there once, at the start.
            Op::Entry { .. } => at.place.block == block && at.is_before(definition),
            Op::Heart { token: operand, heart, .. } => {
                let parent = operand.definition;
                if !self.holds(at, lane, parent, instance.parent) {
                    return self.gets_token(at, lane, parent, instance.parent, level);
                }
                let hearts = &self.waves[at.wave].frames[at.place.frame as usize].hearts[*heart as usize];
                let count = if hearts.token[lane] == instance.parent { hearts.count[lane] } else { 0 };
                count < instance.count && at.reaches(code, block, definition, parent)
            }
            _ => {
                let to = Place { frame: at.place.frame, block, op: definition, context: &instance.context };
                self.comes_uncontrolled(at, to)
            }
        }
    }
}

/// A thread on its way through one activation.
#[derive(Clone, Copy)]
pub(super) struct Walker<'w> {
    pub(super) wave: usize,
    pub(super) place: Place<'w>,
    /// Whether it is in a call that it made at `place`, rather than in front of the operation there.
    called: bool,
    /// Whether it waits there.
    waits: bool,
}

impl Walker<'_> {
    /// Whether an operation of the same block is ahead.
    pub(super) fn is_before(&self, op: u32) -> bool {
        self.place.op < op || self.place.op == op && !self.called && !self.waits
    }

    /// Whether it comes to an operation without executing another one before.
    fn reaches(&self, code: &Code, block: u32, op: u32, avoid: u32) -> bool {
        let avoided = code.block_of(avoid);
        if self.place.block == block && self.is_before(op) {
            // Straight ahead, unless the other one is in between.
            return !(avoided == block && avoid < op && self.is_before(avoid));
        }
        if self.place.block == avoided && self.is_before(avoid) {
            return false;
        }
        let successors = code.graph.successors(cranelift_entity::EntityRef::new(self.place.block as usize));
        successors
            .iter()
            .map(|node| cranelift_entity::EntityRef::index(*node) as u32)
            .any(|next| next != avoided && reaches(&code.graph, next, block, |between| between == avoided))
    }
}
