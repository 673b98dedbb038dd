//! Uniformity and cycles of machine IR.

use std::borrow::Cow;

use reconverge::{
    CyclesOptions, Detail, Error, ErrorKind, Input as Text, MachineModule, Settings, UniformityOptions, machine_cycles,
    machine_uniformity, open_machine,
};
use reconverge_analysis::target::Target;
use reconverge_testing::random::SplitMix64;
use serde::Serialize;

use super::Outcome;
use crate::input::Input;

pub(super) fn machine(input: &Input, rng: &mut SplitMix64) -> Outcome {
    let mut outcome = Outcome::default();
    let mut settings = Settings::default();
    if rng.percent(80) {
        settings.target = Target::named("amdgpu").map(Cow::Borrowed);
    }
    let text = Text::new("fuzz.mir", input.text.clone(), None).expect("the extension says what it is");
    let module = match open_machine(text, &settings) {
        Ok(module) => module,
        Err(error) => {
            said(&input.text, &error, &mut outcome);
            return outcome;
        }
    };
    outcome.past_reader = true;
    let mut options = UniformityOptions::default();
    options.detail = if rng.percent(50) { Detail::Reasons } else { options.detail };
    match machine_uniformity(&module, &options) {
        Ok(answer) => {
            let divergent = answer.found.functions.iter().map(|function| function.values.divergent.len());
            outcome.findings += divergent.sum::<usize>();
            answers(&module, &answer.found, &answer.left_out, &mut outcome);
        }
        Err(error) => refuses(&module, &error, &mut outcome),
    }
    match machine_cycles(&module, &CyclesOptions::default()) {
        Ok(answer) => answers(&module, &answer.found, &answer.left_out, &mut outcome),
        Err(error) => refuses(&module, &error, &mut outcome),
    }
    outcome
}

fn answers(module: &MachineModule, found: &impl Serialize, left_out: &[Error], outcome: &mut Outcome) {
    left_out.iter().for_each(|error| said(module.text().as_bytes(), error, outcome));
    outcome.answers(&serde_json::to_string(found).expect("answers are data"));
}

fn refuses(module: &MachineModule, error: &Error, outcome: &mut Outcome) {
    outcome.refused = true;
    assert_ne!(error.kind, ErrorKind::Options, "{error:?}");
    said(module.text().as_bytes(), error, outcome);
}

/// Notes a message: one line, about a place of the text.
fn said(text: &[u8], error: &Error, outcome: &mut Outcome) {
    assert!(!error.message.is_empty() && !error.message.contains('\n'), "{error:?}");
    if let Some(position) = error.position {
        let lines = text.iter().filter(|&&byte| byte == b'\n').count() + 1;
        assert!((1..=lines).contains(&position.line) && position.column > 0, "{error:?} of {lines} lines");
    }
    outcome.saw(&error.message);
    outcome.answers(&error.message);
}
