//! Activations and fragments of a wave.
//!
//! A [`Frame`] is one activation of a function, for all threads of a wave that entered it by converged calls: they share its
//! registers, each in its lane. A [`Fragment`] is a set of lanes that are at one place of one frame with one [`Context`], and run
//! on together. How threads are bundled into fragments does not matter to what they do; it only makes it fast.
//!
//! Invariants: each living lane of a wave is in exactly one fragment; the lanes of a frame are those of the fragments in it and
//! in the frames called from it; frames with the same activation key, in one wave, are one frame.

use reconverge_outline::dynamics::Position;
use rustc_hash::FxHashMap;

use crate::program::code::{Code, CodeId, Registers};
use crate::program::flow::Context;
use crate::value::{Lanes, Mask, Slot, WIDTH};

/// The place of a frame in [`Wave::frames`].
pub(super) type FrameIndex = u32;

/// One activation.
#[derive(Debug)]
pub(super) struct Frame {
    pub(super) code: CodeId,
    /// Where its threads go on after it; nothing for the kernel.
    pub(super) caller: Option<Caller>,
    /// The fingerprint of the activation: of the dynamic instance of the call that began it.
    pub(super) key: u64,
    /// The registers.
    pub(super) registers: Vec<Slot>,
    /// The lanes that are in it, or in what it called.
    pub(super) lanes: Mask,
    /// Where the stack of each lane was when it came.
    pub(super) stack: Box<Lanes>,
    /// How many frames are below it.
    pub(super) depth: u32,
    /// For each heart of the function, and each lane: the last token operand, and how often it was executed with it.
    pub(super) hearts: Vec<HeartLanes>,
    /// The dynamic instances that tokens in its registers stand for.
    pub(super) tokens: FxHashMap<u64, TokenInstance>,
}

/// Where threads go on after a call.
#[derive(Debug, Clone)]
pub(super) struct Caller {
    pub(super) frame: FrameIndex,
    pub(super) block: u32,
    /// The call.
    pub(super) op: u32,
    pub(super) context: Context,
    /// Where lanes were in statements: those that are converged at the call may have come there by different choices of the implementation, which they remember.
    pub(super) positions: Vec<(Mask, Position)>,
    pub(super) out: Registers,
}

/// What a heart remembers of each lane.
#[derive(Debug, Clone)]
pub(super) struct HeartLanes {
    pub(super) token: Box<Lanes>,
    pub(super) count: Box<Lanes>,
}

impl Default for HeartLanes {
    fn default() -> HeartLanes {
        HeartLanes { token: Box::new([0; WIDTH]), count: Box::new([0; WIDTH]) }
    }
}

/// The dynamic instance of a token definition.
#[derive(Debug, Clone)]
pub(super) struct TokenInstance {
    /// The token operand; 0 for `entry` and `anchor`.
    pub(super) parent: u64,
    /// A heart: how often it was executed with that operand.
    pub(super) count: u64,
    pub(super) context: Context,
    /// Whether no other thread can ever execute a converged instance.
    pub(super) alone: bool,
}

/// Lanes that run together.
#[derive(Debug, Clone)]
pub(super) struct Fragment {
    pub(super) frame: FrameIndex,
    pub(super) block: u32,
    /// The next operation.
    pub(super) op: u32,
    pub(super) mask: Mask,
    pub(super) context: Context,
    /// Whether it waits for others at `op`, with which instance key.
    pub(super) waits: Option<Waits>,
    /// When it ran last.
    pub(super) turn: u64,
}

/// What a fragment waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Waits {
    /// The instance key of the operation; all lanes of the fragment have it.
    pub(super) key: u64,
    /// The value of the token operand, where it is a controlled operation under a model that looks at tokens.
    pub(super) token: Option<u64>,
    /// The mask operand of the operation, where it has one.
    pub(super) mask: Option<u64>,
    /// How many executions the workgroup's [`Log`](super::log::Log) had counted when it came.
    pub(super) since: u64,
}

/// The exceptions of a wave's threads.
#[derive(Debug, Default)]
pub(super) struct Exceptions {
    /// Which one each lane throws, from there to the pad.
    pub(super) thrown: FxHashMap<usize, u64>,
    /// The type of each, by lane and exception.
    pub(super) types: FxHashMap<(usize, u64), u64>,
}

/// Up to [`WIDTH`] threads.
#[derive(Debug)]
pub(super) struct Wave {
    /// The local number of lane 0's thread.
    pub(super) first: u32,
    /// The lanes that have a thread which has not come to its end.
    pub(super) lanes: Mask,
    pub(super) frames: Vec<Frame>,
    /// Frames that are over; their memory is used again.
    free: Vec<FrameIndex>,
    pub(super) fragments: Vec<Fragment>,
    pub(super) exceptions: Exceptions,
}

impl Wave {
    /// A wave of `threads` threads that has not begun.
    pub(super) fn new(first: u32, threads: u32) -> Wave {
        let lanes = if threads as usize >= WIDTH { Mask::MAX } else { (1 << threads) - 1 };
        Wave {
            first,
            lanes,
            frames: Vec::new(),
            free: Vec::new(),
            fragments: Vec::new(),
            exceptions: Exceptions::default(),
        }
    }

    /// Begins an activation.
    pub(super) fn enter(
        &mut self,
        id: CodeId,
        code: &Code,
        caller: Option<Caller>,
        key: u64,
        lanes: Mask,
    ) -> FrameIndex {
        let depth = caller.as_ref().map_or(0, |caller| self.frames[caller.frame as usize].depth + 1);
        let index = self.free.pop().unwrap_or_else(|| {
            self.frames.push(Frame {
                code: id,
                caller: None,
                key,
                registers: Vec::new(),
                lanes: 0,
                stack: Box::new([0; WIDTH]),
                depth,
                hearts: Vec::new(),
                tokens: FxHashMap::default(),
            });
            self.frames.len() as FrameIndex - 1
        });
        let frame = &mut self.frames[index as usize];
        (frame.code, frame.caller, frame.key, frame.lanes) = (id, caller, key, lanes);
        frame.depth = depth;
        frame.registers.resize_with(code.registers as usize, Slot::default);
        for register in &mut frame.registers {
            register.poison = 0;
            register.undefined = None;
        }
        // A lane that has not come to a definition has no token of it.
        for &definition in &code.token_definitions {
            if let Some(out) = code.token_register(definition) {
                frame.registers[out as usize].bits = [0; WIDTH];
            }
        }
        frame.hearts.clear();
        frame.hearts.resize_with(code.hearts as usize, HeartLanes::default);
        frame.tokens.clear();
        index
    }

    /// Takes lanes out of a frame, and out of those below it where they end altogether; frees what nobody is in.
    pub(super) fn leave(&mut self, frame: FrameIndex, lanes: Mask) {
        let left = &mut self.frames[frame as usize];
        left.lanes &= !lanes;
        if left.lanes == 0 {
            left.caller = None;
            self.free.push(frame);
        }
    }

    /// The frame with an activation key that was called from another frame, if lanes are in it.
    pub(super) fn activation(&self, caller: FrameIndex, key: u64) -> Option<FrameIndex> {
        let is_it = |frame: &Frame| {
            frame.lanes != 0 && frame.key == key && frame.caller.as_ref().is_some_and(|below| below.frame == caller)
        };
        self.frames.iter().position(is_it).map(|index| index as FrameIndex)
    }

    /// The places of a fragment in the frames that it is in, the kernel's first.
    pub(super) fn places<'w>(&'w self, fragment: &'w Fragment) -> Vec<Place<'w>> {
        let mut places =
            vec![Place { frame: fragment.frame, block: fragment.block, op: fragment.op, context: &fragment.context }];
        let mut frame = &self.frames[fragment.frame as usize];
        while let Some(caller) = &frame.caller {
            places.push(Place { frame: caller.frame, block: caller.block, op: caller.op, context: &caller.context });
            frame = &self.frames[caller.frame as usize];
        }
        places.reverse();
        places
    }
}

/// Where a thread is in one of its activations.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place<'w> {
    pub(super) frame: FrameIndex,
    pub(super) block: u32,
    /// The next operation; in all but the last frame, the call.
    pub(super) op: u32,
    pub(super) context: &'w Context,
}
