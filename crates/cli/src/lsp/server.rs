//! The order of things: messages come in, texts change, analyses are made one at a time, and requests are answered from the analysis of the text that they are about.
//!
//! **Invariants.** Every request has one answer: from the analysis of the version that was open when it came; or, where the text has changed since, that it has. Diagnostics are of a version
//! that was open, and those of the last one are published. An edit ends the analysis of the text before it, and the next one begins after a [`PAUSE`].

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, after, never, select, unbounded};
use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types as lsp;
use lsp_types::notification::Notification as _;
use lsp_types::request::Request as _;
use reconverge::Control;
use reconverge_files::Projects;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::analysis::{Analysis, Job, analyse, failed};
use super::diagnostics::{Board, Published};
use super::documents::{Document, Overlay, key};
use super::positions::Positions;
use super::requests::{Question, View};
use crate::VERSION;
use crate::arguments::Global;
use crate::bug;
use crate::ending;
use crate::exit::Status;

/// An edit waits for the next one: this part of the time that it took to find what is wrong the last time.
const PAUSE: u32 = 4;
/// The longest that an edit waits for the next one.
const LONGEST_PAUSE: Duration = Duration::from_millis(300);

/// How far the conversation is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// Before `initialize`.
    New,
    /// Between that and `shutdown`.
    Running,
    /// After `shutdown`.
    ShutDown,
}

/// What the client asks for again when it is told to.
#[derive(Debug, Clone, Copy, Default)]
struct Refreshes {
    lenses: bool,
    hints: bool,
}

impl Refreshes {
    fn of(params: &Value) -> Refreshes {
        let supports = |what: &str| params["capabilities"]["workspace"][what]["refreshSupport"] == true;
        Refreshes { lenses: supports("codeLens"), hints: supports("inlayHint") }
    }
}

/// A text that is open, and what is known of it.
#[derive(Debug)]
struct Text {
    document: Document,
    analysis: Option<Analysis>,
    /// When it is to be analysed.
    due: Option<Instant>,
    /// Whether a compiler may read it then.
    with_compiler: bool,
    /// How long the last analysis took to find what is wrong.
    took: Duration,
    /// The version whose diagnostics are published.
    published: Option<i32>,
    /// What waits for it.
    waiting: Vec<Request>,
}

/// The analysis that is being made.
#[derive(Debug)]
struct Running {
    uri: lsp::Uri,
    control: Control,
}

/// What is told of an analysis.
enum Told {
    /// What is wrong with a version of a text, and how long it took to find it.
    Found { uri: lsp::Uri, version: i32, took: Duration, published: Published },
    /// That it is over, and what came of it, unless it was ended early.
    Finished { uri: lsp::Uri, analysis: Option<Box<Analysis>> },
}

/// The server.
pub(crate) struct Server {
    global: Arc<Global>,
    hints: bool,
    client: Sender<Message>,
    threads: rayon::ThreadPool,
    texts: BTreeMap<lsp::Uri, Text>,
    /// Where headers are, as of when the last text was opened.
    projects: Arc<Projects>,
    board: Board,
    running: Option<Running>,
    told: (Sender<Told>, Receiver<Told>),
    phase: Phase,
    refreshes: Refreshes,
    /// How many requests the client was sent.
    sent: i32,
}

/// What an answer is: a value, or why there is none.
type Answer = Result<Value, (ErrorCode, String)>;

impl Server {
    pub(crate) fn new(global: Global, hints: bool, client: Sender<Message>, threads: rayon::ThreadPool) -> Server {
        Server {
            global: Arc::new(global),
            hints,
            client,
            threads,
            texts: BTreeMap::new(),
            projects: Arc::default(),
            board: Board::default(),
            running: None,
            told: unbounded(),
            phase: Phase::New,
            refreshes: Refreshes::default(),
            sent: 0,
        }
    }

    /// Serves until the client says that it is enough or goes away.
    pub(crate) fn serve(mut self, messages: &Receiver<Message>) -> Status {
        let told = self.told.1.clone();
        loop {
            let next = self.texts.values().filter_map(|text| text.due).min().filter(|_| self.running.is_none());
            let timer = next.map_or_else(never, |at| after(at.saturating_duration_since(Instant::now())));
            let flow = select! {
                recv(messages) -> message => match message {
                    Ok(message) => self.message(message),
                    Err(_) => ControlFlow::Break(Status::Abandoned),
                },
                recv(told) -> told => {
                    told.into_iter().for_each(|told| self.told(told));
                    ControlFlow::Continue(())
                }
                recv(timer) -> _ => ControlFlow::Continue(()),
            };
            if let ControlFlow::Break(status) = flow {
                self.running.iter().for_each(|running| running.control.cancel());
                return status;
            }
            self.start();
        }
    }

    fn message(&mut self, message: Message) -> ControlFlow<Status> {
        match message {
            Message::Request(request) => self.request(request),
            Message::Notification(notification) if notification.method == lsp::notification::Exit::METHOD => {
                let is_expected = self.phase == Phase::ShutDown;
                return ControlFlow::Break(if is_expected { Status::Clean } else { Status::Abandoned });
            }
            Message::Notification(notification) if self.phase == Phase::Running => self.notification(notification),
            Message::Notification(_) | Message::Response(_) => {}
        }
        ControlFlow::Continue(())
    }

    fn send(&self, message: impl Into<Message>) {
        // A client that is gone is noticed where its messages end.
        let _ = self.client.send(message.into());
    }

    fn notify<N: lsp::notification::Notification>(&self, params: N::Params) {
        self.send(Notification::new(N::METHOD.to_owned(), params));
    }

    fn answer(&self, id: RequestId, answer: Answer) {
        self.send(match answer {
            Ok(value) => Response { id, result: Some(value), error: None },
            Err((code, message)) => Response::new_err(id, code as i32, message),
        });
    }

    fn request(&mut self, request: Request) {
        let refuse = |code, message: &str| Err((code, message.to_owned()));
        let answer = match (self.phase, &*request.method) {
            (Phase::New, lsp::request::Initialize::METHOD) => {
                self.phase = Phase::Running;
                self.refreshes = Refreshes::of(&request.params);
                Ok(
                    json!({ "capabilities": capabilities(), "serverInfo": { "name": "reconverge", "version": VERSION } }),
                )
            }
            (Phase::New, _) => refuse(ErrorCode::ServerNotInitialized, "expected `initialize` first"),
            (Phase::ShutDown, _) => refuse(ErrorCode::InvalidRequest, "expected `exit` after `shutdown`"),
            (Phase::Running, lsp::request::Shutdown::METHOD) => {
                self.phase = Phase::ShutDown;
                for request in
                    self.texts.values_mut().flat_map(|text| std::mem::take(&mut text.waiting)).collect::<Vec<_>>()
                {
                    self.answer(request.id, Err((ErrorCode::RequestCanceled, "the server shuts down".to_owned())));
                }
                Ok(Value::Null)
            }
            (Phase::Running, _) => return self.ask(request),
        };
        self.answer(request.id, answer);
    }

    /// A request about a text: answered once that is analysed.
    fn ask(&mut self, request: Request) {
        let question = match Question::of(&request) {
            Ok(question) => question,
            Err(refusal) => return self.answer(request.id, Err(refusal)),
        };
        let uri = question.uri();
        let Some(text) = self.texts.get_mut(uri) else {
            return self.answer(request.id, Err((ErrorCode::InvalidParams, not_open(uri))));
        };
        let document = &text.document;
        let answer = match text.analysis.as_ref().filter(|analysis| analysis.version == document.version) {
            Some(analysis) => {
                let (positions, diagnostics) = (Positions::new(document.text.as_bytes()), self.board.of(uri));
                let view = View { document, positions, analysis, diagnostics };
                bug::contained(|| self.threads.install(|| question.answer(&view)))
                    .ok_or_else(|| (ErrorCode::InternalError, "an internal error, which standard error has".to_owned()))
            }
            None if document.is_read => return text.waiting.push(request),
            None => Ok(Value::Null),
        };
        self.answer(request.id, answer);
    }

    fn notification(&mut self, notification: Notification) {
        use lsp::notification as n;
        let Notification { method, params } = notification;
        match &*method {
            n::DidOpenTextDocument::METHOD => self.with(&method, params, Server::open),
            n::DidChangeTextDocument::METHOD => self.with(&method, params, Server::change),
            n::DidSaveTextDocument::METHOD => self.with(&method, params, Server::save),
            n::DidCloseTextDocument::METHOD => self.with(&method, params, Server::close),
            n::DidChangeWatchedFiles::METHOD => self.with(&method, params, Server::files_changed),
            n::Cancel::METHOD => self.with(&method, params, Server::cancel),
            // What is not known may be left out, as may what is not understood of the rest.
            _ => {}
        }
    }

    /// Does something with what a notification says; it has no answer, so an error is said in the client's log.
    fn with<P: DeserializeOwned>(
        &mut self,
        method: &str,
        params: Value,
        act: impl FnOnce(&mut Server, P) -> Result<(), String>,
    ) {
        let params = serde_json::from_value(params).map_err(|error| error.to_string());
        if let Err(message) = params.and_then(|params| act(self, params)) {
            let message = format!("{method}: {message}");
            self.notify::<lsp::notification::LogMessage>(lsp::LogMessageParams {
                typ: lsp::MessageType::ERROR,
                message,
            });
        }
    }

    fn open(&mut self, params: lsp::DidOpenTextDocumentParams) -> Result<(), String> {
        // What is in no file of this machine, as an older version of one, is not looked at.
        let Some(document) = Document::open(params.text_document) else { return Ok(()) };
        let (due, took) = (document.is_read.then(Instant::now), Duration::ZERO);
        let opened = document.clone();
        let (analysis, published, waiting) = (None, None, Vec::new());
        let text = Text { document, analysis, due, with_compiler: false, took, published, waiting };
        if let Some(before) = self.texts.insert(opened.uri.clone(), text) {
            self.is_outdated(before.waiting);
        }
        self.projects = Arc::default();
        self.renew_readers(&opened);
        Ok(())
    }

    fn change(&mut self, params: lsp::DidChangeTextDocumentParams) -> Result<(), String> {
        let lsp::VersionedTextDocumentIdentifier { uri, version } = params.text_document;
        let text = self.texts.get_mut(&uri).ok_or_else(|| not_open(&uri))?;
        text.document.change(version, params.content_changes);
        text.with_compiler = false;
        let (waiting, changed) = (std::mem::take(&mut text.waiting), text.document.clone());
        self.is_outdated(waiting);
        self.renew(&uri);
        self.renew_readers(&changed);
        Ok(())
    }

    fn save(&mut self, params: lsp::DidSaveTextDocumentParams) -> Result<(), String> {
        let uri = params.text_document.uri;
        let text = self.texts.get_mut(&uri).ok_or_else(|| not_open(&uri))?;
        text.with_compiler = true;
        self.renew(&uri);
        Ok(())
    }

    fn close(&mut self, params: lsp::DidCloseTextDocumentParams) -> Result<(), String> {
        let uri = params.text_document.uri;
        let text = self.texts.remove(&uri).ok_or_else(|| not_open(&uri))?;
        self.end_analysis_of(&uri);
        self.is_outdated(text.waiting);
        for file in self.board.remove(&uri) {
            self.publish(&file);
        }
        // Others see what is on the disk now.
        self.renew_readers(&text.document);
        Ok(())
    }

    /// Files have changed on the disk: perhaps the settings of a project, perhaps what a text includes.
    fn files_changed(&mut self, _: lsp::DidChangeWatchedFilesParams) -> Result<(), String> {
        let all: Vec<lsp::Uri> = self.texts.keys().cloned().collect();
        all.iter().for_each(|uri| self.renew(uri));
        Ok(())
    }

    /// A request that nobody waits for any more is answered at once: the protocol wants an answer to each.
    fn cancel(&mut self, params: lsp::CancelParams) -> Result<(), String> {
        let id = match params.id {
            lsp::NumberOrString::Number(number) => RequestId::from(number),
            lsp::NumberOrString::String(text) => RequestId::from(text),
        };
        let is_waiting = self.texts.values_mut().any(|text| {
            let before = text.waiting.len();
            text.waiting.retain(|request| request.id != id);
            text.waiting.len() < before
        });
        // All others have their answer.
        if is_waiting {
            self.answer(id, Err((ErrorCode::RequestCanceled, "cancelled".to_owned())));
        }
        Ok(())
    }

    /// Has a text analysed soon, and not as it was.
    fn renew(&mut self, uri: &lsp::Uri) {
        self.end_analysis_of(uri);
        if let Some(text) = self.texts.get_mut(uri).filter(|text| text.document.is_read) {
            text.due = Some(Instant::now() + (text.took / PAUSE).min(LONGEST_PAUSE));
        }
    }

    fn end_analysis_of(&self, uri: &lsp::Uri) {
        for running in self.running.iter().filter(|running| running.uri == *uri) {
            running.control.cancel();
            // There is one analysis at a time: the compiler that runs is its own.
            ending::end_children();
        }
    }

    /// Has all analysed that depends on a text.
    fn renew_readers(&mut self, document: &Document) {
        let changed = key(&document.path);
        let is_reader = |text: &Text| {
            let reads = text.analysis.as_ref().and_then(|analysis| analysis.reads.as_ref());
            text.document.uri != document.uri && reads.is_none_or(|reads| reads.contains(&changed))
        };
        let readers = self.texts.values().filter(|text| is_reader(text)).map(|text| text.document.uri.clone());
        readers.collect::<Vec<_>>().iter().for_each(|uri| self.renew(uri));
    }

    /// Answers what was asked about a text that is another by now.
    fn is_outdated(&self, waiting: Vec<Request>) {
        for request in waiting {
            self.answer(request.id, Err((ErrorCode::ContentModified, "the text has changed".to_owned())));
        }
    }

    /// Starts the next analysis that is due, unless one is being made.
    fn start(&mut self) {
        if self.running.is_some() {
            return;
        }
        let now = Instant::now();
        let due = self.texts.values_mut().filter(|text| text.due.is_some_and(|due| due <= now));
        let Some(text) = due.min_by_key(|text| text.due) else { return };
        text.due = None;
        let (document, with_compiler) = (text.document.clone(), text.with_compiler);
        let (uri, control) = (document.uri.clone(), Control::new());
        let documents = self.texts.values().map(|text| &text.document);
        let files = Arc::new(Overlay::new(documents, Arc::clone(&self.projects)));
        let job = Job { document, files, with_compiler, control: control.clone() };
        self.running = Some(Running { uri: uri.clone(), control });
        let (global, hints, told) = (Arc::clone(&self.global), self.hints, self.told.0.clone());
        self.threads.spawn(move || {
            let start = Instant::now();
            // Where nobody waits for it, the server has ended.
            let found = |published| {
                let (version, took) = (job.document.version, start.elapsed());
                let _ = told.send(Told::Found { uri: uri.clone(), version, took, published });
            };
            let analysis =
                bug::contained(|| analyse(&global, hints, &job, found)).unwrap_or_else(|| Some(failed(&job)));
            let _ = told.send(Told::Finished { uri: uri.clone(), analysis: analysis.map(Box::new) });
        });
    }

    fn told(&mut self, told: Told) {
        match told {
            Told::Found { uri, version, took, published } => {
                self.texts.get_mut(&uri).into_iter().for_each(|text| text.took = took);
                self.found(&uri, version, published);
            }
            Told::Finished { uri, analysis } => {
                self.running = None;
                analysis.into_iter().for_each(|analysis| self.finish(&uri, *analysis));
            }
        }
    }

    /// Publishes what is wrong with a version of a text, unless it is another one by now.
    fn found(&mut self, uri: &lsp::Uri, version: i32, published: Published) {
        let Some(text) = self.texts.get_mut(uri).filter(|text| text.document.version == version) else { return };
        text.published = Some(version);
        for file in self.board.put(uri, published) {
            self.publish(&file);
        }
    }

    fn finish(&mut self, uri: &lsp::Uri, analysis: Analysis) {
        let version = analysis.version;
        let Some(text) = self.texts.get_mut(uri).filter(|text| text.document.version == version) else { return };
        if text.published != Some(version) || !self.board.says(uri, &analysis.published) {
            self.found(uri, version, analysis.published.clone());
        }
        let Some(text) = self.texts.get_mut(uri) else { return };
        let is_known_otherwise = text.analysis.replace(analysis).is_some_and(|before| before.version == version);
        let waiting = std::mem::take(&mut text.waiting);
        waiting.into_iter().for_each(|request| self.ask(request));
        // After an edit, a client asks by itself.
        if is_known_otherwise {
            self.refresh();
        }
    }

    /// Has the client ask again for what it shows.
    fn refresh(&mut self) {
        use lsp::request::{CodeLensRefresh, InlayHintRefreshRequest};
        let Refreshes { lenses, hints } = self.refreshes;
        for (method, is_wanted) in [(CodeLensRefresh::METHOD, lenses), (InlayHintRefreshRequest::METHOD, hints)] {
            if is_wanted {
                self.sent += 1;
                self.send(Request::new(self.sent.into(), method.to_owned(), Value::Null));
            }
        }
    }

    fn publish(&self, uri: &lsp::Uri) {
        let version = self.texts.get(uri).map(|text| text.document.version);
        let diagnostics = self.board.of(uri);
        self.notify::<lsp::notification::PublishDiagnostics>(lsp::PublishDiagnosticsParams {
            uri: uri.clone(),
            diagnostics,
            version,
        });
    }
}

fn not_open(uri: &lsp::Uri) -> String {
    format!("{} is not open", uri.as_str())
}

/// What the server can do.
fn capabilities() -> lsp::ServerCapabilities {
    let sync = lsp::TextDocumentSyncOptions {
        open_close: Some(true),
        change: Some(lsp::TextDocumentSyncKind::INCREMENTAL),
        save: Some(lsp::TextDocumentSyncSaveOptions::Supported(true)),
        ..lsp::TextDocumentSyncOptions::default()
    };
    lsp::ServerCapabilities {
        text_document_sync: Some(lsp::TextDocumentSyncCapability::Options(sync)),
        hover_provider: Some(lsp::HoverProviderCapability::Simple(true)),
        code_lens_provider: Some(lsp::CodeLensOptions { resolve_provider: Some(false) }),
        inlay_hint_provider: Some(lsp::OneOf::Left(true)),
        code_action_provider: Some(lsp::CodeActionProviderCapability::Options(lsp::CodeActionOptions {
            code_action_kinds: Some(vec![lsp::CodeActionKind::QUICKFIX]),
            ..lsp::CodeActionOptions::default()
        })),
        ..lsp::ServerCapabilities::default()
    }
}
