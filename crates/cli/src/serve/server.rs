//! Requests, read and answered.
//!
//! **Invariant.** Nothing is kept of a request but the control that ends it. A body is read up to [`MOST_OF_BODY`] bytes.

use std::io::{Cursor, Read};

use rayon::ThreadPool;
use reconverge::{Error, ErrorKind, Report, Settings, ValidateOptions};
use reconverge_page::{Answer, Live, Question, Transport, answer, whole_answer};
use serde::Serialize;
use tiny_http::{Header, Method, Request, Response};

use super::clients::Clients;
use super::guard::{Guard, Said};
use super::{MOST_BYTES, Watched};
use crate::bug;

/// The most bytes of a body: a program in JSON, where a byte may take six, and what is asked of it.
const MOST_OF_BODY: u64 = 6 * MOST_BYTES + 65536;

/// What is sent back.
type Sent = Response<Cursor<Vec<u8>>>;

pub(super) struct Server {
    guard: Guard,
    settings: Settings,
    launch: ValidateOptions,
    watched: Option<Watched>,
    threads: ThreadPool,
    clients: Clients,
}

impl Server {
    pub(super) fn new(
        guard: Guard,
        settings: Settings,
        launch: ValidateOptions,
        watched: Option<Watched>,
        threads: ThreadPool,
    ) -> Server {
        Server { guard, settings, launch, watched, threads, clients: Clients::default() }
    }

    /// Answers requests until the program is ended. Each has a thread of its own: a newer one can end an older one.
    pub(super) fn serve(&self, http: &tiny_http::Server) {
        std::thread::scope(|scope| {
            for mut request in http.incoming_requests() {
                scope.spawn(move || {
                    let sent = bug::contained(|| self.respond(&mut request)).unwrap_or_else(|| {
                        refusal(500, "an internal error, which the server has said; please report it")
                    });
                    // Who does not wait for the answer any more has no use for it.
                    let _gone = request.respond(sent);
                });
            }
        });
    }

    fn respond(&self, request: &mut Request) -> Sent {
        let headers = |name: &'static str| -> Vec<String> {
            let named = request.headers().iter().filter(|header| header.field.equiv(name));
            named.map(|header| header.value.as_str().to_owned()).collect()
        };
        let (hosts, origins) = (headers("Host"), headers("Origin"));
        let hosts: Vec<&str> = hosts.iter().map(String::as_str).collect();
        let origins: Vec<&str> = origins.iter().map(String::as_str).collect();
        let url = request.url().to_owned();
        let Some(asked) = self.guard.admit(Said { url: &url, hosts: &hosts, origins: &origins }) else {
            return refusal(403, "the address is not that which reconverge serve has printed");
        };
        let (asked, query) = asked.split_once('?').unwrap_or((asked, ""));
        let client = query.strip_prefix("client=").unwrap_or_default();
        match (request.method(), asked) {
            (Method::Get, "") => self.page(),
            (Method::Post, "answer") => match question(request) {
                Ok(question) => self.answer(client, &question),
                Err(refused) => refused,
            },
            (Method::Post, "page") => match question(request) {
                Ok(question) => self.report(client, &question),
                Err(refused) => refused,
            },
            (Method::Post, "stop") => {
                self.clients.stop(client);
                json(&serde_json::json!({}))
            }
            (Method::Post, "file") => match self.watched.as_ref().map(Watched::question) {
                Some(Ok(question)) => json(&serde_json::json!({ "text": question.text })),
                Some(Err(error)) => json(&serde_json::json!({ "error": error })),
                None => refusal(404, "no file is watched"),
            },
            _ => refusal(404, "there is nothing here"),
        }
    }

    /// The live page, with the file as it is now.
    fn page(&self) -> Sent {
        match self.watched.as_ref().map(Watched::question).transpose() {
            Ok(question) => html(reconverge_page::live(&Live::new(Transport::Server, question))),
            Err(error) => refusal(500, &error.to_string()),
        }
    }

    fn asked(&self, client: &str, question: &Question, answer: Answering) -> Option<Answer> {
        let running = self.clients.ask(client)?;
        let settings = Settings { control: running.control.clone(), ..self.settings.clone() };
        let report = self.threads.install(|| answer(question, &settings, &self.launch));
        Some(match report {
            Ok(_) if running.control.is_cancelled() => {
                Answer::Error(Error::new(ErrorKind::Cancelled, question.name.clone(), "cancelled"))
            }
            Ok(report) => Answer::Report(Box::new(report)),
            Err(error) => Answer::Error(error),
        })
    }

    fn answer(&self, client: &str, question: &Question) -> Sent {
        self.asked(client, question, answer).map_or_else(busy, |answer| json(&answer))
    }

    /// The page that `report` would write.
    fn report(&self, client: &str, question: &Question) -> Sent {
        // It ends nothing that the client has asked.
        match self.asked(&format!("{client}/page"), question, whole_answer) {
            None => busy(),
            Some(Answer::Report(report)) => html(reconverge_page::of(&report)),
            Some(error) => json(&error),
        }
    }
}

/// How a question is answered.
type Answering = fn(&Question, &Settings, &ValidateOptions) -> Result<Report, Error>;

/// The question in a request.
fn question(request: &mut Request) -> Result<Question, Sent> {
    let mut body = Vec::new();
    let read = request.as_reader().take(MOST_OF_BODY + 1).read_to_end(&mut body);
    if read.is_err() {
        return Err(refusal(400, "the question did not arrive"));
    }
    if body.len() as u64 > MOST_OF_BODY {
        return Err(refusal(413, "the question is too long"));
    }
    let question: Question =
        serde_json::from_slice(&body).map_err(|error| refusal(400, &format!("this is no question: {error}")))?;
    if question.text.len() as u64 > MOST_BYTES {
        return Err(refusal(413, "the program is longer than 1 MB"));
    }
    Ok(question)
}

fn busy() -> Sent {
    refusal(503, "too many programs are being analysed")
}

fn refusal(status: u16, message: &str) -> Sent {
    sent("text/plain; charset=utf-8", message.into()).with_status_code(status)
}

fn json(value: &impl Serialize) -> Sent {
    match serde_json::to_vec(value) {
        Ok(text) => sent("application/json", text),
        Err(error) => refusal(500, &error.to_string()),
    }
}

fn html(page: std::io::Result<String>) -> Sent {
    match page {
        Ok(page) => sent("text/html; charset=utf-8", page.into_bytes()),
        Err(error) => refusal(500, &error.to_string()),
    }
}

/// With what browsers have to know: it is for this page only, and for now.
fn sent(kind: &str, body: Vec<u8>) -> Sent {
    let headers = [
        ("Content-Type", kind),
        ("Cache-Control", "no-store"),
        ("X-Content-Type-Options", "nosniff"),
        ("Referrer-Policy", "no-referrer"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
        ("Cross-Origin-Opener-Policy", "same-origin"),
        ("Content-Security-Policy", "frame-ancestors 'none'"),
    ];
    let headers = headers.iter().filter_map(|(name, value)| Header::from_bytes(*name, *value).ok());
    headers.fold(Response::from_data(body), Response::with_header)
}
