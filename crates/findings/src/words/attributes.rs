//! What is wrong about `convergent` attributes, in words.

use super::{Said, Words};
use crate::finding::{AttributeBreach, Finding};
use crate::scene::Scene;

impl Words<'_, '_> {
    pub(super) fn attribute(&self, finding: &Finding, breach: AttributeBreach, scene: Scene<'_, '_>) -> Said {
        let data = &self.module.functions[scene.id];
        let name = self.symbol(data.symbol);
        let can_go = |reason: &str| {
            Said::new(format!("{name} need not be convergent: it {reason}"), "convergent can be dropped")
        };
        match breach {
            AttributeBreach::Missing { more } => {
                let message = format!("{name} is not convergent but contains an uncontrolled convergent operation");
                let mut said = Said::new(message, "depends on the threads that entered the function");
                let mut header = self.related(finding.at, "lacks the convergent attribute");
                header.span = self.module.header_line(scene.id).range();
                (header.source, header.extent) = (None, None);
                said.related.push(header);
                if more > 0 {
                    said.notes.push(format!("{more} more such operations in this function"));
                }
                said
            }
            AttributeBreach::Droppable => can_go("contains no operation that depends on the threads that enter it"),
            AttributeBreach::OnCpu => can_go("runs on a CPU, where threads never communicate convergently"),
            AttributeBreach::Speculatable => Said::new(
                format!("{name} is convergent, so calls of it are not speculated, though it is speculatable"),
                "speculatable has no effect here",
            ),
            AttributeBreach::MissingOnAssembly => {
                let operation = finding.at.inst.and_then(|inst| scene.assembly_operation(inst)).unwrap_or_default();
                let message = format!("threads communicate in {operation}, but the inline assembly is not convergent");
                Said::new(message, "a compiler may move or copy it; add the convergent attribute to this call")
            }
            AttributeBreach::DroppableFromCall => {
                let callee = finding.at.inst.and_then(|inst| self.voice.callee(&scene, inst));
                let message = format!("this call is convergent, but {} is not", callee.unwrap_or_default());
                Said::new(message, "convergent and convergencectrl can be dropped here")
            }
        }
    }
}
