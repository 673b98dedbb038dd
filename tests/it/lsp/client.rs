//! A scripted editor: it starts the server and talks to it over pipes.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::{Value, json};

use crate::common::root;

/// No answer takes so long.
const PATIENCE: Duration = Duration::from_secs(60);

/// A server and what it has said.
pub(crate) struct Client {
    child: Child,
    input: Option<ChildStdin>,
    output: Receiver<Value>,
    /// What came while something else was waited for.
    unread: VecDeque<Value>,
    requests: i64,
}

impl Client {
    /// Starts a server, which is not asked to `initialize`.
    pub(crate) fn start(arguments: &[&str]) -> Client {
        let mut child = Command::new(env!("CARGO_BIN_EXE_reconverge"))
            .arg("lsp")
            .args(arguments)
            .current_dir(root())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .expect("the binary runs");
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
        Client { child, input, output, unread: VecDeque::new(), requests: 0 }
    }

    /// Starts a server, and what editors say first.
    pub(crate) fn initialized(arguments: &[&str]) -> Client {
        let mut client = Client::start(arguments);
        let answer = client.request("initialize", json!({ "processId": null, "rootUri": null, "capabilities": {} }));
        assert_eq!(answer["result"]["serverInfo"]["name"], "reconverge", "{answer}");
        client.notify("initialized", json!({}));
        client
    }

    pub(crate) fn send(&mut self, message: &Value) {
        self.send_text(&message.to_string());
    }

    pub(crate) fn send_text(&mut self, text: &str) {
        let input = self.input.as_mut().expect("it was not closed");
        write!(input, "Content-Length: {}\r\n\r\n{text}", text.len()).expect("the server reads");
        input.flush().expect("the server reads");
    }

    pub(crate) fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// Asks something, and does not wait for the answer. Its number.
    pub(crate) fn ask(&mut self, method: &str, params: Value) -> i64 {
        self.requests += 1;
        self.send(&json!({ "jsonrpc": "2.0", "id": self.requests, "method": method, "params": params }));
        self.requests
    }

    /// Asks something: the whole answer.
    pub(crate) fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.ask(method, params);
        self.answer(id)
    }

    /// The answer to a request.
    pub(crate) fn answer(&mut self, id: i64) -> Value {
        self.wait(|message| message["id"] == id && message["method"].is_null())
    }

    /// The next message that is so.
    pub(crate) fn wait(&mut self, is_wanted: impl Fn(&Value) -> bool) -> Value {
        if let Some(at) = self.unread.iter().position(&is_wanted) {
            return self.unread.remove(at).expect("it is there");
        }
        loop {
            let message = self.output.recv_timeout(PATIENCE).expect("the server answers");
            if is_wanted(&message) {
                return message;
            }
            self.unread.push_back(message);
        }
    }

    /// Opens a text.
    pub(crate) fn open(&mut self, uri: &str, language: &str, text: &str) {
        let document = json!({ "uri": uri, "languageId": language, "version": 1, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
    }

    /// Replaces what is at a range, or everything.
    pub(crate) fn edit(&mut self, uri: &str, version: i32, range: Option<Value>, text: &str) {
        let mut change = json!({ "text": text });
        if let Some(range) = range {
            change["range"] = range;
        }
        let document = json!({ "uri": uri, "version": version });
        self.notify("textDocument/didChange", json!({ "textDocument": document, "contentChanges": [change] }));
    }

    pub(crate) fn close(&mut self, uri: &str) {
        self.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
    }

    /// What is published next of a version of a text.
    pub(crate) fn diagnostics(&mut self, uri: &str, version: Option<i32>) -> Vec<Value> {
        let message = self.wait(|message| {
            let params = &message["params"];
            message["method"] == "textDocument/publishDiagnostics"
                && params["uri"] == uri
                && params["version"].as_i64() == version.map(i64::from)
        });
        message["params"]["diagnostics"].as_array().cloned().expect("a list")
    }

    /// What the server has not been asked for and has said so far.
    pub(crate) fn unread(&self) -> impl Iterator<Item = &Value> {
        self.unread.iter()
    }

    /// Says goodbye: the status that the server ends with.
    pub(crate) fn end(mut self) -> i32 {
        assert_eq!(self.request("shutdown", Value::Null)["result"], Value::Null);
        self.notify("exit", Value::Null);
        self.status()
    }

    /// Sends nothing more: the status that the server ends with.
    pub(crate) fn status(mut self) -> i32 {
        drop(self.input.take());
        self.child.wait().expect("it ends").code().expect("it ends by itself")
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // A test that fails leaves it running.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A message; none at the end.
fn read(stream: &mut impl BufRead) -> Option<Value> {
    let mut length = None;
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim_end() {
            "" => break,
            line => length = line.strip_prefix("Content-Length: ").map_or(length, |length| length.parse().ok()),
        }
    }
    let mut bytes = vec![0; length.expect("a length")];
    stream.read_exact(&mut bytes).ok()?;
    Some(serde_json::from_slice(&bytes).expect("JSON"))
}
