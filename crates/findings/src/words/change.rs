//! Differences between two versions of a program, in words.

use super::{Said, Words};
use crate::change::{Change, Difference};
use crate::scene::Scene;

impl Words<'_, '_> {
    pub(super) fn change(&self, change: &Change, scene: Option<Scene<'_, '_>>) -> Said {
        let list = |threads: &[u64]| match threads {
            [] => "no thread".to_owned(),
            all => all.iter().map(u64::to_string).collect::<Vec<_>>().join(", "),
        };
        let message = match change {
            Change::Difference(Difference::Threads { operation, thread, before, after }) => {
                let is = match (&before[..], &after[..]) {
                    ([], after) => format!("which it did not before the change: with {}", list(after)),
                    (before, []) => format!("no longer, which it did with {}", list(before)),
                    (before, after) => format!("with {}; before the change it was with {}", list(after), list(before)),
                };
                format!("thread {thread} executes {} {is}", self.voice.named(operation))
            }
            Change::Difference(Difference::Value { operation, thread, operand, before, after }) => {
                let what = match operand {
                    Some(operand) => {
                        format!("passes {after} as operand {operand} to {}", self.voice.named(operation))
                    }
                    None => format!("gets {after} from {}", self.voice.named(operation)),
                };
                format!("thread {thread} {what}; before the change it was {before}")
            }
            Change::Difference(Difference::Memory { buffer, element, before, after }) => {
                format!("element {element} of '{buffer}' is {after}; without the change it was {before}")
            }
            Change::Difference(Difference::Order { thread, before, after }) => format!(
                "thread {thread} executes {} where it executed {} before the change: in another order",
                self.voice.named(after),
                self.voice.named(before)
            ),
            Change::Difference(Difference::Trouble(trouble)) => {
                let mut said = self.say(trouble, scene);
                said.message.push_str("; the program before the change ends properly");
                return said;
            }
            Change::NoLongerUniform(inst) => {
                let name = scene.map(|scene| self.voice.instruction(&scene, *inst)).unwrap_or_default();
                format!("{name} was uniform in a subgroup before the change, and is divergent now")
            }
            Change::NotCompared { kernel, reason, .. } => {
                format!("{} cannot be compared: {reason}", self.voice.named(kernel))
            }
        };
        // A name may have anything in it; a message is one line.
        let one_line = |letter: char| if letter.is_control() { '?' } else { letter };
        Said::new(message.chars().map(one_line).collect::<String>(), "")
    }
}
