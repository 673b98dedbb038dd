//! Convergence tokens: fingerprints of the dynamic instances that define them.
//!
//! A token is made of the activation, the definition, and what tells instances of the definition apart: for a heart the token
//! operand and how often the thread executed it with that, for an anchor what its policy says; and likewise for the entry of a function that was called by a call that is not convergent. So threads have equal tokens iff
//! they executed converged instances of the definition, and nobody has to wait to get one.

use super::frame::{Fragment, TokenInstance};
use super::workgroup::Workgroup;
use crate::launch::{AnchorPolicy, STEPS};
use crate::program::code::{Callee, Code, Op};
use crate::program::flow::mix;
use crate::value::lanes_of;

impl Workgroup<'_> {
    /// Executes a convergence control intrinsic.
    pub(super) fn define_token(&mut self, wave: usize, fragment: &Fragment, code: &Code, op: &Op) {
        let (frame, at) = (fragment.frame, fragment.op);
        let Some(register) = code.token_register(at) else { return };
        let mut tokens: Vec<(usize, u64, TokenInstance)> = Vec::new();
        self.spent.steps += STEPS.token * u64::from(fragment.mask.count_ones());
        let instance = |parent, count, alone| TokenInstance { parent, count, context: fragment.context.clone(), alone };
        match op {
            Op::Heart { token, heart, .. } => {
                let data = &mut self.waves[wave].frames[frame as usize];
                let key = mix(data.key, u64::from(at));
                let hearts = &mut data.hearts[*heart as usize];
                let operand = &data.registers[token.token as usize];
                for lane in lanes_of(fragment.mask) {
                    let parent = operand.bits[lane];
                    let count = if hearts.token[lane] == parent { hearts.count[lane] + 1 } else { 1 };
                    (hearts.token[lane], hearts.count[lane]) = (parent, count);
                    tokens.push((lane, mix(mix(key, parent), count), instance(parent, count, false)));
                }
            }
            Op::Anchor { .. } => {
                for (mask, key) in self.instance_keys(wave, fragment, at, None) {
                    for lane in lanes_of(mask) {
                        let (token, alone) = self.chosen_key(self.bound.anchors, key, wave, lane);
                        tokens.push((lane, token, instance(0, 0, alone)));
                    }
                }
            }
            _ => {
                let key = mix(self.waves[wave].frames[frame as usize].key, u64::from(at));
                let policy = if self.is_start_open(wave, frame) { self.bound.anchors } else { AnchorPolicy::Maximal };
                for lane in lanes_of(fragment.mask) {
                    let (token, alone) = self.chosen_key(policy, key, wave, lane);
                    tokens.push((lane, token, instance(0, 0, alone)));
                }
            }
        }
        let mut last = None;
        for (lane, token, instance) in tokens {
            // Zero means that there is no token.
            let token = token.max(1);
            self.waves[wave].frames[frame as usize].registers[register as usize].bits[lane] = token;
            if last != Some(token) && self.is_controlled() {
                if self.recorder.is_some() {
                    self.record_token(wave, frame, op, token, instance.parent);
                }
                self.remember_token(wave, frame, token, instance);
                last = Some(token);
            }
        }
    }

    /// Whether the call that began an activation is not convergent, so that the implementation chooses who executes `entry` together.
    pub(super) fn is_start_open(&self, wave: usize, frame: u32) -> bool {
        self.waves[wave].frames[frame as usize].caller.as_ref().is_some_and(|caller| {
            let call = &self.code(wave, caller.frame).ops[caller.op as usize];
            matches!(call, Op::Call { callee: Callee::Indirect { is_convergent: false, .. }, .. })
        })
    }

    /// The fingerprint of what a thread executes where the implementation chooses with whom, by what key it would be with as many as can be; and whether nobody else can ever have it.
    pub(super) fn chosen_key(&self, policy: AnchorPolicy, key: u64, wave: usize, lane: usize) -> (u64, bool) {
        let first = self.number * self.bound.shape.threads() + u64::from(self.waves[wave].first);
        match policy {
            AnchorPolicy::Maximal => (key, false),
            AnchorPolicy::Solo => (mix(key, first + lane as u64 + 1), true),
            AnchorPolicy::Split(seed) => {
                let part = mix(mix(key, seed), first + lane as u64) >> 32 & 1;
                (mix(key, part + 1), false)
            }
            AnchorPolicy::Active => (mix(key, mix(first, mix(self.turn, self.spent.instructions))), true),
        }
    }

    /// Remembers what a token stands for, and forgets those that no thread has any more.
    fn remember_token(&mut self, wave: usize, frame: u32, token: u64, instance: TokenInstance) {
        let code = self.code(wave, frame);
        let frame = &mut self.waves[wave].frames[frame as usize];
        frame.tokens.insert(token, instance);
        let definitions = code.token_definitions.len();
        if frame.tokens.len() > 2 * 64 * definitions.max(1) {
            let registers = &frame.registers;
            let held = |token: u64| {
                code.token_definitions
                    .iter()
                    .filter_map(|&definition| code.token_register(definition))
                    .any(|register| registers[register as usize].bits.contains(&token))
            };
            frame.tokens.retain(|&token, _| held(token));
        }
    }
}
