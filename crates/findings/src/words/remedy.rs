//! What to do about a finding: one sentence, of which the page of its code says more.

use reconverge_ir::opcode::Opcode;
use reconverge_operations::Scope;

use super::Words;
use crate::codes::Code;
use crate::control::{Between, Hazard, HazardBreach, RequirementKind};
use crate::finding::{AttributeBreach, Finding, Kind};
use crate::run::{Trouble, What};
use crate::scene::Scene;

impl Words<'_, '_> {
    /// Nothing where it depends on more than the kind of the finding.
    pub(super) fn remedy(&self, finding: &Finding, scene: Option<Scene<'_, '_>>) -> Option<String> {
        match &finding.kind {
            Kind::Hazard(hazard) => {
                let scene = scene?;
                let callee = finding.at.inst.and_then(|inst| self.voice.callee(&scene, inst));
                self.of_hazard(finding.code, hazard, &callee.unwrap_or_else(|| "it".to_owned()))
            }
            Kind::Attribute(breach) => Some(of_attribute(*breach).to_owned()),
            Kind::Run(Trouble { what: What::Race { object, scope, between, .. }, .. }) => {
                let memory = if object.is_local { Scope::Workgroup } else { Scope::Grid };
                let where_to = self.place_of_barrier(Scope::Workgroup, memory, *between);
                let enough = match scope {
                    Scope::Subgroup => {
                        let [barrier, group] =
                            [self.voice.barrier(*scope, memory), self.voice.group(*scope).to_owned()];
                        format!(" ({barrier} is enough where only {}s of one {group} race)", self.voice.thread())
                    }
                    _ => String::new(),
                };
                let lock = match scene.is_some_and(updates_atomically) {
                    true => {
                        let fence = self.voice.fence(memory);
                        format!(
                            "; if a lock or a flag is to order the two: {fence} before it is set, and after it is seen"
                        )
                    }
                    false => String::new(),
                };
                Some(format!("{where_to}{enough}, or use atomic operations{lock}"))
            }
            Kind::Run(Trouble { what: What::NotAllThere(_), .. }) => {
                Some(format!("let all {}s of its group execute it, such as before the branch", self.voice.thread()))
            }
            Kind::Run(Trouble { what: What::TooFew { .. }, .. }) => Some(format!(
                "let as many {}s reach it as its count says: those that wait and those that arrive, in whole {}s",
                self.voice.thread(),
                self.voice.group(Scope::Subgroup)
            )),
            _ => self.of_code(finding.code),
        }
    }

    /// Where a barrier has to be put that orders two accesses to memory that a set of threads shares.
    fn place_of_barrier(&self, scope: Scope, memory: Scope, between: Between) -> String {
        let barrier = self.voice.barrier(scope, memory);
        let all = format!("where all {}s of the {} reach it", self.voice.thread(), self.voice.group(scope));
        match between {
            Between::Path => format!("put {barrier} between the two, {all}"),
            Between::Sides => format!("divide the branch in two, and put {barrier} between them, {all}"),
            Between::Iterations { .. } => format!("put {barrier} at the end of the loop body, too, {all}"),
        }
    }

    fn of_hazard(&self, code: Code, hazard: &Hazard, callee: &str) -> Option<String> {
        let (set, thread) = (self.voice.set(hazard.scope), self.voice.thread());
        let is_argument = matches!(hazard.breach, HazardBreach::Argument(_));
        let is_parameter =
            hazard.requirement.as_ref().is_some_and(|one| matches!(one.kind, RequirementKind::Parameter(_)));
        Some(match (hazard.breach, code) {
            (_, Code::RC0213) => {
                "mark the index as one that may differ (`NonUniformResourceIndex`), or choose by something that is the same in all of them".to_owned()
            }
            (HazardBreach::Mask(_), _) => {
                format!("let only the {thread}s that the mask names execute it, or name those that do")
            }
            (HazardBreach::MaskOf(_), _) => {
                format!("make the mask where only the {thread}s that execute {callee} are left, or with a ballot on the condition that chooses them")
            }
            (HazardBreach::OtherMask { .. }, _) => "keep the first mask, and use it for both".to_owned(),
            (HazardBreach::Unordered { barrier, between, .. }, _) => {
                let where_to = self.place_of_barrier(barrier, Scope::Workgroup, between);
                let also = match hazard.scope < barrier {
                    true => format!("; {thread}s of several {}s race, too", self.voice.group(hazard.scope)),
                    false => String::new(),
                };
                format!("{where_to}{also}")
            }
            _ if hazard.after_exit.is_some() => {
                format!("let no {thread} of {set} end before {callee}: skip the work in a branch instead, and leave {callee} outside of it")
            }
            _ if is_argument || is_parameter => {
                format!("pass a value that is the same in all {thread}s of {set}")
            }
            (HazardBreach::Iterations(_), _) => {
                format!("let all {thread}s of {set} execute equally many iterations, and skip the work in those that a {thread} does not need")
            }
            (_, Code::RC0205 | Code::RC0206) => {
                "compute it before the branch, or say the level or the gradients yourself".to_owned()
            }
            (_, Code::RC0203 | Code::RC0204) if callee.ends_with("_sync`") => {
                format!("move {callee} to where all {thread}s of {set} reach it, before or after the branch; or give it a mask of those that do, from `__ballot_sync` of the condition before the branch, and read only from lanes that are in it")
            }
            (_, Code::RC0203 | Code::RC0204) => {
                format!("move {callee} to where all {thread}s of {set} reach it, before or after the branch")
            }
            _ => format!("move {callee} to where all {thread}s of {set} reach it, and leave in the branch only what some of them do"),
        })
    }

    /// Of what a run or the rules of a text show, where one sentence fits all.
    fn of_code(&self, code: Code) -> Option<String> {
        let (group, thread) = (self.voice.group(Scope::Workgroup), self.voice.thread());
        Some(match code {
            Code::RC0501 | Code::RC0504 => format!("let all {thread}s of the {group} reach the same barrier"),
            Code::RC0503 => format!("read only from lanes whose {thread}s execute the call"),
            Code::RC0510 => format!("let only the {thread}s that the mask names execute it, or name those that do"),
            _ => return None,
        })
    }
}

fn of_attribute(breach: AttributeBreach) -> &'static str {
    match breach {
        AttributeBreach::Missing { .. } => "add `convergent` to the function",
        AttributeBreach::Droppable | AttributeBreach::DroppableFromCall | AttributeBreach::OnCpu => {
            "leave `convergent` out: passes may then move and merge the calls"
        }
        AttributeBreach::Speculatable => "leave `speculatable` out",
        AttributeBreach::MissingOnAssembly => "add `convergent` to the call",
    }
}

/// Whether a function updates memory atomically.
fn updates_atomically(scene: Scene<'_, '_>) -> bool {
    let instructions = scene.function.instructions.values();
    instructions.into_iter().any(|data| matches!(data.opcode, Opcode::AtomicRmw | Opcode::CmpXchg))
}
