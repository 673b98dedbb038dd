//! `reconverge lsp`: what the library says of a text while it is typed, in the Language Server Protocol.
//!
//! The library answers, and this translates: `documents` has the texts that are open, laid over the disk, `positions` their places, `analysis` what is known of one,
//! `diagnostics` what of it is published, `requests` what is asked of it: `hover`, `lenses`, `hints`, `actions`. `server` keeps the order of things. Nothing is written to standard output but messages.

#![allow(clippy::mutable_key_type, reason = "a URI keeps what it has looked up of itself, and is ordered by its text")]

mod actions;
mod analysis;
mod diagnostics;
mod documents;
mod hints;
mod hover;
mod lenses;
mod positions;
mod requests;
mod server;

use anyhow::Context;
use lsp_server::Connection;

use crate::arguments::{Global, Lsp};
use crate::ending;
use crate::exit::Status;
use crate::output;
use server::Server;

pub(crate) fn run(global: &Global, arguments: &Lsp) -> anyhow::Result<Status> {
    let mut threads = rayon::ThreadPoolBuilder::new();
    if let Some(count) = global.threads {
        threads = threads.num_threads(count.into());
    }
    let threads = threads.build()?;
    // What has to be said about a file is a diagnostic.
    let global = Global { quiet: true, ..global.clone() };
    let (connection, io) = Connection::stdio();
    let status = Server::new(global, arguments.hints, connection.sender, threads).serve(&connection.receiver);
    // What a save has started does not outlive the server.
    let _last = ending::end_everything();
    // The server is gone, and with it what keeps the threads of input and output busy.
    if let Err(error) = io.join().context("the editor's messages") {
        output::complain(&format!("{error:#}"));
    }
    Ok(status)
}
