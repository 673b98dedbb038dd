//! The language server, as a child: an editor that edits, asks, and does not wait.
//!
//! What has to hold: every request has one answer, ranges are inside of a text that was open, and the server ends when it is told to, without a word of an error of its own.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use reconverge_testing::random::SplitMix64;
use serde_json::{Value, json};

use super::{Outcome, Place};
use crate::input::Input;

/// The longest that a session may take.
const LONGEST: Duration = Duration::from_secs(20);
/// Larger than each line and column of an input.
const FAR: u64 = 1 << 20;

/// A server, and what was asked of it.
struct Session {
    child: Child,
    input: Option<ChildStdin>,
    output: Receiver<Value>,
    /// The requests, and how many answers each has.
    asked: BTreeMap<i64, usize>,
    began: Instant,
    outcome: Outcome,
}

impl Session {
    fn start(binary: &Path, folder: &Path) -> Session {
        let mut child = Command::new(binary)
            .args(["lsp", "--frontend", "builtin"])
            .current_dir(folder)
            .env("HOME", folder)
            .env_remove("RUST_BACKTRACE")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary can be started");
        let mut stdout = BufReader::new(child.stdout.take().expect("a pipe"));
        let (messages, output) = channel();
        std::thread::spawn(move || {
            while let Some(message) = read(&mut stdout) {
                if messages.send(message).is_err() {
                    break;
                }
            }
        });
        let input = child.stdin.take();
        let (asked, outcome) = (BTreeMap::new(), Outcome { past_reader: true, ..Outcome::default() });
        Session { child, input, output, asked, began: Instant::now(), outcome }
    }

    fn send(&mut self, text: &str) {
        // A server that has ended shows when it is waited for.
        if let Some(input) = &mut self.input {
            let _ = write!(input, "Content-Length: {}\r\n\r\n{text}", text.len()).and_then(|()| input.flush());
        }
    }

    fn notify(&mut self, method: &str, params: &Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }).to_string());
    }

    fn ask(&mut self, method: &str, params: &Value) {
        let id = self.asked.len() as i64;
        self.asked.insert(id, 0);
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string());
    }

    /// Takes in what the server has said, until all requests have their answer, or, with `end`, until it has ended.
    fn listen(&mut self, end: bool) {
        while end || self.asked.values().any(|answers| *answers == 0) {
            match self.output.recv_timeout(LONGEST.saturating_sub(self.began.elapsed())) {
                Ok(message) => self.message(&message),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {
                    let _ = self.child.kill();
                    panic!("timeout: no answer to {:?}", self.asked);
                }
            }
        }
    }

    fn message(&mut self, message: &Value) {
        assert_ranges(message);
        if message.get("method").is_none() {
            let id = message["id"].as_i64().unwrap_or(-1);
            let answers = self.asked.get_mut(&id).unwrap_or_else(|| panic!("an answer to nothing: {message}"));
            *answers += 1;
            assert!(*answers == 1, "two answers to one request: {message}");
            assert!(message["error"]["code"] != -32603, "an internal error: {message}");
            self.outcome.refused |= message.get("error").is_some();
        }
        for found in message["params"]["diagnostics"].as_array().into_iter().flatten() {
            self.outcome.findings += 1;
            self.outcome.saw(found["code"].as_str().unwrap_or("no code"));
        }
    }

    /// Ends the server, with what came of it.
    fn end(mut self, politely: bool) -> Outcome {
        if politely {
            self.ask("shutdown", &Value::Null);
            self.notify("exit", &Value::Null);
        }
        self.input = None;
        self.listen(true);
        let status = self.child.wait().expect("it is our child");
        let mut messages = String::new();
        let stderr = self.child.stderr.take().map(|stderr| stderr.take(1 << 16).read_to_string(&mut messages));
        assert!(matches!(stderr, Some(Ok(_))) && messages.is_empty(), "the server says: {messages}");
        assert_eq!(status.code(), Some(i32::from(!politely)), "how the server ends");
        if politely {
            let unanswered: Vec<_> = self.asked.iter().filter(|(_, answers)| **answers == 0).collect();
            assert!(unanswered.is_empty(), "requests without an answer: {unanswered:?}");
        }
        self.outcome
    }
}

/// A message; none where the server has ended.
fn read(stdout: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if stdout.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim().split_once(": ") {
            Some(("Content-Length", number)) => length = number.parse().ok()?,
            Some(_) => {}
            None => break,
        }
    }
    let mut text = vec![0; length];
    stdout.read_exact(&mut text).ok()?;
    serde_json::from_slice(&text).ok()
}

/// Ranges begin before they end, and are no wild numbers.
fn assert_ranges(value: &Value) {
    match value {
        Value::Array(values) => values.iter().for_each(assert_ranges),
        Value::Object(fields) => {
            if let (Some(start), Some(end)) = (fields.get("start"), fields.get("end")) {
                let place = |at: &Value| (at["line"].as_u64().unwrap_or(FAR), at["character"].as_u64().unwrap_or(FAR));
                let (start, end) = (place(start), place(end));
                assert!(start <= end && end.0 < FAR && end.1 < FAR, "a range of nothing: {value}");
            }
            fields.values().for_each(assert_ranges);
        }
        _ => {}
    }
}

pub(super) fn lsp(input: &Input, place: &Place<'_>, rng: &mut SplitMix64) -> Outcome {
    let Some(binary) = place.binary else { return Outcome::default() };
    let mut session = Session::start(binary, place.folder);
    session.ask("initialize", &json!({ "processId": null, "rootUri": null, "capabilities": {} }));
    session.notify("initialized", &json!({}));
    let uri = format!("file:///nowhere/a.{}", input.kind.extension());
    let document = json!({ "uri": uri });
    let text = String::from_utf8_lossy(&input.text).into_owned();
    let lines: Vec<&str> = text.lines().collect();
    let open = json!({ "textDocument": { "uri": uri, "languageId": "plaintext", "version": 0, "text": text } });
    session.notify("textDocument/didOpen", &open);
    for version in 1..3 + rng.below(8) {
        let at = json!({ "line": rng.below(lines.len() + 2), "character": rng.below(90) });
        let behind = json!({ "line": rng.below(lines.len() + 2), "character": rng.below(90) });
        let range = json!({ "start": at, "end": behind });
        match rng.below(12) {
            0..=3 => session.ask("textDocument/hover", &json!({ "textDocument": document, "position": at })),
            4 => session.ask("textDocument/codeLens", &json!({ "textDocument": document })),
            5 => session.ask("textDocument/inlayHint", &json!({ "textDocument": document, "range": range })),
            6 => {
                let params = json!({ "textDocument": document, "range": range, "context": { "diagnostics": [] } });
                session.ask("textDocument/codeAction", &params);
            }
            7..=9 => {
                // A line of the text elsewhere, in the place of a few letters or of very many.
                let line = rng.pick(&lines).copied().unwrap_or_default();
                let range = if rng.percent(80) { json!({ "start": at, "end": at }) } else { range };
                let change = json!({ "range": range, "text": format!("{line}\n") });
                let document = json!({ "uri": uri, "version": version });
                let params = json!({ "textDocument": document, "contentChanges": [change] });
                session.notify("textDocument/didChange", &params);
            }
            10 => session.notify("textDocument/didSave", &json!({ "textDocument": document })),
            _ if rng.percent(50) => {
                session.notify("textDocument/didClose", &json!({ "textDocument": document }));
                session.notify("textDocument/didOpen", &open);
            }
            _ => session.ask(["textDocument/rename", "x"][rng.below(2)], &json!({ "textDocument": 7 })),
        }
        if rng.percent(30) {
            session.listen(false);
        }
    }
    if rng.percent(60) {
        session.listen(false);
    }
    session.end(rng.percent(95))
}
