//! The pages of codes, and target files.

use reconverge_analysis::check::{CheckOptions, check};
use reconverge_analysis::target::Target;
use reconverge_findings::Code;
use reconverge_testing::random::SplitMix64;

use super::{Outcome, Place};
use crate::input::Input;

pub(super) fn explain(rng: &mut SplitMix64) -> Outcome {
    let code = Code::ALL[rng.below(Code::ALL.len())];
    let mut name = code.name().to_owned();
    if rng.percent(50) {
        let at = rng.below(name.len() + 1);
        name.insert(at, ['0', 'R', 'é', ' ', '\0'][rng.below(5)]);
    }
    let found = Code::from_name(&name);
    assert_eq!(found.is_some(), name == code.name() || found.is_some_and(|found| found.name() == name), "{name}");
    Outcome {
        past_reader: true,
        findings: usize::from(found.is_some_and(|code| !code.page().is_empty())),
        ..Outcome::default()
    }
}

/// A module whose calls, variables and attributes the targets know.
const MODULE: &[u8] = b"declare i32 @llvm.amdgcn.workitem.id.x()
declare void @llvm.amdgcn.s.barrier() convergent
define amdgpu_kernel void @k(ptr addrspace(1) inreg %p) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %c = icmp eq i32 %t, 0
  br i1 %c, label %a, label %b
a:
  call void @llvm.amdgcn.s.barrier()
  %v = load i32, ptr addrspace(1) %p
  br label %b
b:
  ret void
}
";

pub(super) fn target(input: &Input, place: &Place<'_>) -> Outcome {
    let path = place.folder.join("fuzz.toml");
    std::fs::write(&path, &input.text).expect("the folder of the worker can be written");
    let mut outcome = Outcome::default();
    match Target::load(&path) {
        Err(error) => {
            let message = error.to_string();
            assert!(!message.is_empty(), "an empty message");
            outcome.saw(&message.replace(&path.display().to_string(), ""));
        }
        Ok(target) => {
            outcome.past_reader = true;
            let report = check(MODULE, &CheckOptions { target: Some(&target), hints: true, ..CheckOptions::default() })
                .expect("it reads");
            outcome.finds(&report.diagnostics());
            let calls: Vec<String> = target.calls().map(|(name, _)| name).collect();
            outcome.findings += calls.len();
            outcome.findings += calls.iter().filter(|name| target.call(name.as_bytes()).is_some()).count();
        }
    }
    outcome
}
