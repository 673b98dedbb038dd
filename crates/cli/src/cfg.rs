//! `reconverge cfg`: the control-flow graph of a function, as a picture (SVG), for Graphviz (DOT) and as data.

mod dot;
mod geometry;
mod svg;

use reconverge::{CfgOptions, FunctionGraph, Module, cfg};
use reconverge_lang::builtins::mangle::as_written;

use crate::arguments::{Cfg, GraphFormat, GraphText};
use crate::exit::Status;
use crate::input::{Candidate, Problem};
use crate::output;
use crate::session::Session;
use crate::source::{self, Wanted};

pub(crate) fn run(session: &Session<'_>, arguments: &Cfg) -> anyhow::Result<Status> {
    let output = arguments.output.as_deref().filter(|path| path.as_os_str() != "-");
    if let Some(path) = output {
        output::refuse_input(path, [arguments.input.as_path()])?;
    }
    let candidate = Candidate::named(&arguments.input, arguments.input_format);
    let wanted = Wanted { origins: true, ..Wanted::kernels() };
    let options = CfgOptions { function: arguments.function.clone() };
    let result = candidate.input(session).and_then(|input| {
        let module = source::open(session, input, candidate.path(), &arguments.clang_flags, wanted)?;
        let found = cfg(&module, &options)?;
        Ok((module, found))
    });
    let (module, found) = match result {
        Ok(done) => done,
        Err(problem) => {
            session.complain(&problem);
            return Ok(Status::Unusable);
        }
    };
    session.note_unknown_triple(&candidate.name(), module.unknown_triple());
    if let (Some(asked), true) = (&arguments.function, found.functions.is_empty()) {
        let near = module.functions_near(asked);
        session.complain(&Problem::new(candidate.name(), near.instead_of_function(asked)));
        return Ok(Status::Unusable);
    }
    let status = Status::of_coverage(&module, session.global.strict);
    if arguments.format == GraphFormat::Json {
        match output {
            None => session.print_json(&found)?,
            Some(path) => output::write_whole(path, &serde_json::to_vec_pretty(&found)?)?,
        }
        return Ok(status);
    }
    let [function] = &found.functions[..] else {
        let name = |function: &FunctionGraph| match module.source() {
            Some(_) => format!("`{}`", as_written(function.name.trim_start_matches('@'))),
            None => function.name.clone(),
        };
        let names: Vec<String> = found.functions.iter().map(name).take(MOST_NAMED).collect();
        let more = if found.functions.len() > MOST_NAMED { ", …" } else { "" };
        let message = match names.is_empty() {
            true => "no function here has a body".to_owned(),
            false => format!("a picture is of one function: name it with --function ({}{more})", names.join(", ")),
        };
        session.complain(&Problem::new(candidate.name(), message));
        return Ok(Status::Unusable);
    };
    let text = match arguments.format {
        GraphFormat::Dot => dot::of(function, is_source(&module, function, arguments.text)),
        _ => svg::of(function, is_source(&module, function, arguments.text)),
    };
    match output {
        None => session.print_as_it_is(text.as_bytes())?,
        Some(path) => output::write_whole(path, text.as_bytes())?,
    }
    Ok(status)
}

/// How many functions a message names.
const MOST_NAMED: usize = 5;

/// Whether blocks have lines of source in them.
fn is_source(module: &Module, function: &FunctionGraph, asked: Option<GraphText>) -> bool {
    module.source().is_some() && function.source_layout.is_some() && asked != Some(GraphText::Ir)
}

/// A line as long as a picture has space for.
fn shortened(text: &str) -> String {
    let most = reconverge::cfg::MOST_CHARACTERS;
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most - 1).chain(['…']).collect()
}

/// What a cycle is called.
fn cycle_name(function: &FunctionGraph, cycle: usize, is_source: bool) -> String {
    let data = &function.cycles[cycle];
    let what = if is_source { "loop at" } else { "cycle" };
    let mut name = format!("{what} {}", function.blocks[data.header].title(is_source));
    if data.entries.len() > 1 {
        name.push_str(", irreducible");
    }
    if data.divergent_exit {
        name.push_str(", threads leave in different iterations");
    }
    name
}
