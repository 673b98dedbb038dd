//! What a run did, as JSON: what the library says of it, and the findings.

use reconverge::Run;
use serde::Serialize;

use super::{Input, Ran};
use crate::json::Finding;

/// One run.
#[derive(Serialize)]
pub(super) struct Report<'o> {
    #[serde(flatten)]
    run: &'o Run,
    diagnostics: Vec<Finding>,
}

impl<'o> Report<'o> {
    pub(super) fn new(input: &Input<'_>, ran: &'o Ran) -> Report<'o> {
        Report { run: &ran.run, diagnostics: ran.told.iter().map(|told| told.json(&input.lines)).collect() }
    }
}
