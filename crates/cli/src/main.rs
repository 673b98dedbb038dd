//! The `reconverge` command.
//!
//! `arguments` says what can be asked, one module per verb does it with the libraries, `input` finds
//! and reads what it is asked about, `render`, `json` and `sarif` say the answer, `exit` is the status. No
//! analysis happens here.

mod arguments;
mod bisect;
mod bug;
mod cfg;
mod check;
mod comparing;
mod config;
mod cycles;
mod doctor;
mod ending;
mod exit;
mod explain;
mod gitlab;
mod input;
mod inputs;
mod interestingness;
mod json;
mod junit;
mod limits;
mod links;
mod lower;
mod lsp;
mod manual;
mod output;
mod progress;
mod regions;
mod render;
mod report;
mod run;
mod sarif;
mod serve;
mod session;
mod source;
mod summary;
mod target;
mod tool;
mod trace;
mod transform;
mod triage;
mod uniformity;
mod uri;
mod validate;
mod versions;
mod visible;

use std::path::PathBuf;

use anyhow::anyhow;
use clap::Parser;

use arguments::{Arguments, Verb};
use exit::Status;
use reconverge_lang::stack;
use session::Session;

/// The version, with the commit that it was built from where that is known.
pub(crate) const VERSION: &str = env!("RECONVERGE_VERSION");

/// What printing and the library have in common.
pub(crate) use reconverge::{lines, near};

/// Memory in large pages: what is read and made is much larger than any cache, and touched for the first time by whoever works on it.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ! {
    let mut arguments = Arguments::parse();
    ending::watch_signals();
    bug::report_panics();
    let status = match bug::contained(|| run(&mut arguments)) {
        Some(Ok(status)) => status,
        Some(Err(error)) => {
            output::complain(&format!("{error:#}"));
            Status::Unusable
        }
        None => Status::Unusable,
    };
    ending::exit(status)
}

fn run(arguments: &mut Arguments) -> anyhow::Result<Status> {
    if let Verb::Lsp(verb) = &arguments.verb {
        return lsp::run(&arguments.global, verb);
    }
    if let Verb::Serve(verb) = &arguments.verb {
        return serve::run(&mut arguments.global, verb);
    }
    let config = config::load(&mut arguments.global, arguments.verb.inputs().first().map(PathBuf::as_path))
        .map_err(|problem| anyhow!("{problem}"))?;
    // What is translated by one of these threads needs no other.
    let mut threads = rayon::ThreadPoolBuilder::new().stack_size(stack::SIZE).start_handler(|_| stack::is_large());
    if let Some(count) = arguments.global.threads {
        threads = threads.num_threads(count as usize);
    }
    threads.build()?.install(|| {
        let session = Session::new(&arguments.global, config, arguments.verb.inputs())?;
        let status = match &arguments.verb {
            Verb::Check(verb) => check::run(&session, verb),
            Verb::Uniformity(verb) => uniformity::run(&session, verb),
            Verb::Cycles(verb) => cycles::run(&session, verb),
            Verb::Cfg(verb) => cfg::run(&session, verb),
            Verb::Regions(verb) => regions::run(&session, verb),
            Verb::Run(verb) => run::run(&session, verb),
            Verb::Trace(verb) => trace::run(&session, verb),
            Verb::Report(verb) => report::run(&session, verb),
            Verb::Lower(verb) => lower::run(&session, verb),
            Verb::Transform(verb) => transform::run(&session, verb),
            Verb::Validate(verb) => validate::run(&session, verb),
            Verb::Bisect(verb) => bisect::run(&session, verb),
            Verb::Explain(verb) => explain::run(&session, verb),
            Verb::Doctor(verb) => doctor::run(&session, verb),
            Verb::Completions(verb) => manual::completions(&session, verb),
            Verb::Man(verb) => manual::pages(&session, verb),
            Verb::Lsp(_) | Verb::Serve(_) => unreachable!("they have sessions of their own"),
        }?;
        session.finish()?;
        Ok(status)
    })
}
