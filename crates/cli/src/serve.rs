//! `reconverge serve`: the live page, and what it asks.
//!
//! `guard` says which requests are answered at all, `server` reads and answers them, `clients` ends what is not wanted any more. The page and the answers are `reconverge_page`'s.

mod clients;
mod guard;
mod server;

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, anyhow};
use reconverge::{Error, ErrorKind, InMemory, Input, NamedBy, Settings, ValidateOptions};
use reconverge_page::Question;

use crate::arguments::{Global, InputFormat, Serve};
use crate::config;
use crate::exit::Status;
use crate::input::Problem;
use crate::limits::limits_of_launches;
use crate::output;
use crate::session::Session;
use guard::Guard;
use server::Server;

/// The longest program, in bytes: it is edited, and sent with every edit.
const MOST_BYTES: u64 = 1 << 20;

/// A file that is shown first, and watched.
struct Watched {
    path: PathBuf,
    format: Option<InputFormat>,
    settings: Settings,
}

impl Watched {
    /// The file as it is now, as a question.
    fn question(&self) -> Result<Question, Error> {
        let input = Input::read(&self.path, self.format.map(Into::into), NamedBy::User, &self.settings)?;
        let (name, language) = (input.name(), Question::language_of(input.format()).to_owned());
        let text = String::from_utf8(input.into_bytes())
            .map_err(|_| Error::new(ErrorKind::Encoding, name.clone(), "is no text in UTF-8, which could be edited"))?;
        Ok(Question { name, language, text, ..Question::default() })
    }
}

pub(crate) fn run(global: &mut Global, arguments: &Serve) -> anyhow::Result<Status> {
    let config = config::load(global, arguments.input.as_deref()).map_err(|problem| anyhow!("{problem}"))?;
    let mut threads = rayon::ThreadPoolBuilder::new();
    if let Some(count) = global.threads {
        threads = threads.num_threads(count.into());
    }
    let session = Session::new(global, config, &[])?;
    let mut settings = session.settings.clone();
    settings.limits.input_bytes = settings.limits.input_bytes.min(MOST_BYTES);
    let watched = arguments.input.clone().map(|path| Watched {
        path,
        format: arguments.input_format,
        settings: settings.clone(),
    });
    if let Some(Err(error)) = watched.as_ref().map(Watched::question) {
        output::complain(&Problem::from(error).to_string());
        return Ok(Status::Unusable);
    }
    // A program of nobody's file includes nothing of this machine.
    if watched.is_none() {
        settings.files = Arc::new(InMemory::default());
    }
    let default = ValidateOptions::default();
    let launch =
        ValidateOptions { limits: limits_of_launches(default.limits.instructions, &session.global.limit), ..default };
    let http = tiny_http::Server::http(("127.0.0.1", arguments.port))
        .map_err(|error| anyhow!("127.0.0.1:{} cannot be listened to: {error}", arguments.port))?;
    let port = http.server_addr().to_ip().map(|address| address.port()).context("the port is not known")?;
    let guard = Guard::new(port)?;
    let mut out = std::io::stdout().lock();
    writeln!(out, "{}", guard.address())?;
    out.flush()?;
    drop(out);
    Server::new(guard, settings, launch, watched, threads.build()?).serve(&http);
    Ok(Status::Clean)
}
