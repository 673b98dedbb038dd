//! Convergence tokens: fingerprints of the dynamic instances that define them.
//!
//! A token is made of the activation, the definition, and what tells instances of the definition apart: for a heart the token
//! operand and how often the thread executed it with that, for an anchor what its policy says. So threads have equal tokens iff
//! they executed converged instances of the definition, and nobody has to wait to get one.

use super::frame::{Fragment, TokenInstance};
use super::workgroup::Workgroup;
use crate::launch::{AnchorPolicy, STEPS};
use crate::program::code::{Code, Op};
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
                        let (token, alone) = self.anchor_key(key, wave, lane);
                        tokens.push((lane, token, instance(0, 0, alone)));
                    }
                }
            }
            _ => {
                let key = mix(self.waves[wave].frames[frame as usize].key, u64::from(at));
                tokens.extend(lanes_of(fragment.mask).map(|lane| (lane, key, instance(0, 0, false))));
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

    /// The fingerprint and the record of a token that a thread gets at a definition.
    fn anchor_key(&mut self, key: u64, wave: usize, lane: usize) -> (u64, bool) {
        let first = self.number * self.bound.shape.threads() + u64::from(self.waves[wave].first);
        match self.bound.anchors {
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
