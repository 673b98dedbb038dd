//! What a run did, as JSON.

use reconverge_exec::launch::{Buffer, Ended, Event, OperationProfile, Waiting};
use reconverge_exec::literal::Number;
use reconverge_ir::DebugLocation;
use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Serialize, Serializer};

use super::Run;
use crate::{FindingReport, SourcePlace};

impl Serialize for Run {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Report::new(self).serialize(serializer)
    }
}

/// One run.
#[derive(Serialize)]
struct Report<'o> {
    path: &'o str,
    kernel: String,
    model: &'static str,
    grid: [u32; 3],
    block: [u32; 3],
    subgroup: u32,
    instructions: u64,
    /// Whether every thread came to its end.
    completed: bool,
    /// How many workgroups came to their end, and of how many.
    finished_workgroups: u64,
    workgroups: u64,
    #[serde(serialize_with = "buffers")]
    buffers: &'o [Buffer],
    events: Vec<EventReport<'o>>,
    ends: Vec<EndReport<'o>>,
    waiting: Vec<WaitingReport<'o>>,
    profile: Vec<ProfileReport>,
    diagnostics: &'o [FindingReport],
}

#[derive(Serialize)]
struct EventReport<'o> {
    op: String,
    function: String,
    block: &'o str,
    line: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<SourcePlace>,
    workgroup: u64,
    instance: u64,
    threads: &'o [u64],
    results: Vec<ResultValue<'o>>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    since: &'o [u64],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    from: &'o [Option<u64>],
}

/// Threads that came to their end.
#[derive(Serialize)]
struct EndReport<'o> {
    workgroup: u64,
    after: u64,
    threads: &'o [u64],
}

/// Threads that waited when the run was over.
#[derive(Serialize)]
struct WaitingReport<'o> {
    op: String,
    function: String,
    line: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<SourcePlace>,
    workgroup: u64,
    since: u64,
    threads: &'o [u64],
}

#[derive(Serialize)]
struct ProfileReport {
    op: String,
    function: String,
    line: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<SourcePlace>,
    executions: u64,
    threads: u64,
    fewest: u64,
    most: u64,
}

impl<'o> Report<'o> {
    fn new(run: &'o Run) -> Report<'o> {
        let Run { outcome, is_source, .. } = run;
        Report {
            path: &run.path,
            kernel: format!("@{}", outcome.kernel),
            model: run.model,
            grid: run.grid,
            block: run.block,
            subgroup: run.subgroup,
            instructions: outcome.instructions,
            completed: outcome.completed,
            finished_workgroups: outcome.finished,
            workgroups: outcome.workgroups,
            buffers: &outcome.buffers,
            events: outcome.events.iter().map(|event| EventReport::new(event, *is_source)).collect(),
            ends: outcome.ends.iter().map(EndReport::new).collect(),
            waiting: outcome.waiting.iter().map(|waiting| WaitingReport::new(waiting, *is_source)).collect(),
            profile: outcome.profile.iter().map(|profile| ProfileReport::new(profile, *is_source)).collect(),
            diagnostics: &run.diagnostics,
        }
    }
}

/// The line of an operation: in the source, where that is the input.
fn line_of(line: u32, source: Option<&DebugLocation>, is_source: bool) -> u32 {
    source.filter(|_| is_source).map_or(line, |source| source.line)
}

fn place(source: Option<&DebugLocation>) -> Option<SourcePlace> {
    source.map(SourcePlace::from)
}

impl<'o> EventReport<'o> {
    fn new(event: &'o Event, is_source: bool) -> EventReport<'o> {
        EventReport {
            op: format!("@{}", event.operation),
            function: format!("@{}", event.function),
            block: &event.block,
            line: line_of(event.line, event.source.as_ref(), is_source),
            source: place(event.source.as_ref()),
            workgroup: event.workgroup,
            instance: event.instance,
            threads: &event.threads,
            results: event.results.iter().map(|result| result_value(result)).collect(),
            since: &event.since,
            from: &event.from,
        }
    }
}

impl<'o> EndReport<'o> {
    fn new(ended: &'o Ended) -> EndReport<'o> {
        EndReport { workgroup: ended.workgroup, after: ended.after, threads: &ended.threads }
    }
}

impl<'o> WaitingReport<'o> {
    fn new(waiting: &'o Waiting, is_source: bool) -> WaitingReport<'o> {
        WaitingReport {
            op: format!("@{}", waiting.operation),
            function: format!("@{}", waiting.function),
            line: line_of(waiting.line, waiting.source.as_ref(), is_source),
            source: place(waiting.source.as_ref()),
            workgroup: waiting.workgroup,
            since: waiting.since,
            threads: &waiting.threads,
        }
    }
}

/// A number where the result is one, else its text.
#[derive(Serialize)]
#[serde(untagged)]
enum ResultValue<'o> {
    Unsigned(u64),
    Signed(i64),
    Float(f64),
    Text(&'o str),
}

fn result_value(text: &str) -> ResultValue<'_> {
    if let Ok(value) = text.parse() {
        ResultValue::Unsigned(value)
    } else if let Ok(value) = text.parse() {
        ResultValue::Signed(value)
    } else {
        match text.parse() {
            Ok(value) if f64::is_finite(value) => ResultValue::Float(value),
            _ => ResultValue::Text(text),
        }
    }
}

impl ProfileReport {
    fn new(profile: &OperationProfile, is_source: bool) -> ProfileReport {
        ProfileReport {
            op: format!("@{}", profile.operation),
            function: format!("@{}", profile.function),
            line: line_of(profile.line, profile.source.as_ref(), is_source),
            source: place(profile.source.as_ref()),
            executions: profile.executions,
            threads: profile.threads,
            fewest: profile.fewest,
            most: profile.most,
        }
    }
}

fn buffers<S: Serializer>(buffers: &&[Buffer], serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(buffers.len()))?;
    for buffer in *buffers {
        map.serialize_entry(&buffer.name, &Elements(buffer))?;
    }
    map.end()
}

/// The elements of a buffer: numbers, and what JSON has no number for as text.
struct Elements<'o>(&'o Buffer);

impl Serialize for Elements<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut elements = serializer.serialize_seq(None)?;
        for number in self.0.elements() {
            match number {
                Number::Unsigned(value) => elements.serialize_element(&value),
                Number::Signed(value) => elements.serialize_element(&value),
                Number::Float(value) if value.is_finite() => elements.serialize_element(&value),
                Number::Double(value) if value.is_finite() => elements.serialize_element(&value),
                other => elements.serialize_element(&other.to_string()),
            }?;
        }
        elements.end()
    }
}
