//! `reconverge lower`: source to IR with tokens.

use std::path::{Path, PathBuf};

use reconverge::{Format, Module, UnsaidOperation};

use crate::arguments::Lower;
use crate::exit::Status;
use crate::input::{Candidate, Problem};
use crate::output;
use crate::session::{Session, counted};
use crate::source::{self, Wanted};

pub(crate) fn run(session: &Session<'_>, arguments: &Lower) -> anyhow::Result<Status> {
    let candidate = Candidate::named(&arguments.input, arguments.input_format);
    let target = session.global.target.as_ref().map(Path::new);
    output::refuse_input(&arguments.output, target.into_iter().chain([arguments.input.as_path()]))?;
    let result = candidate.input(session).and_then(|input| {
        if input.format() == Format::Ll {
            return Err(Problem::new(candidate.name(), "this is LLVM IR already; expected a source file"));
        }
        let wanted = Wanted {
            model: arguments.model,
            without_tokens: arguments.no_tokens,
            matched_tokens: true,
            markers: arguments.markers,
            without_debug: arguments.no_debug,
            ..Wanted::kernels()
        };
        let module = source::open(session, input, candidate.path(), &[], wanted)?;
        match module.source().and_then(|source| source.compiler.as_ref()) {
            Some(compiler) if !arguments.no_tokens => match tokens_of(session, &module, compiler) {
                Err(message) => Err(Problem::new(candidate.name(), message)),
                Ok(()) => Ok(module),
            },
            _ => match module.first_unknown() {
                Some(unknown) => Err(unknown.clone().into()),
                None => Ok(module),
            },
        }
    });
    let result = result.and_then(|module| {
        say_what_is_lost(session, &module).map_err(|message| Problem::new(candidate.name(), message))?;
        Ok(module)
    });
    let content = match result {
        Ok(content) => content,
        Err(problem) => {
            session.complain(&problem);
            return Ok(Status::Unusable);
        }
    };
    if arguments.output.as_os_str() == "-" {
        session.print_as_it_is(content.ir())?;
    } else {
        let included = content.source().into_iter().flat_map(|source| source.words.files.paths());
        let included: Vec<PathBuf> = included.collect();
        output::refuse_input(&arguments.output, included.iter().map(PathBuf::as_path))?;
        output::write_whole(&arguments.output, content.ir())?;
        let size = content.ir().len() / 1000;
        session.detail(|| format!("{}: {}", arguments.output.display(), counted(size, "kilobyte")));
    }
    let is_partial = content.source().is_some_and(|source| source.is_partial);
    Ok(if is_partial { Status::Unusable } else { Status::Clean })
}

/// What is to be said of the tokens of IR that another compiler made; an error where some are not known.
fn tokens_of(session: &Session<'_>, module: &Module, compiler: &str) -> Result<(), String> {
    let source = module.source().filter(|source| source.has_tokens);
    let source = source.ok_or_else(|| {
        format!("nothing says which tokens the IR of {compiler} has to have; --no-tokens writes it as it is")
    })?;
    if let Some(first) = source.unmatched.first() {
        let more = match source.unmatched.len() - 1 {
            0 => String::new(),
            more => format!(", and {more} more"),
        };
        return Err(format!(
            "{}:{}:{}: no token is known for {}{more}: the IR of {compiler} has no operation at this place, or has other loops around it than the source; --no-tokens writes it as it is",
            first.path, first.position.line, first.position.column, first.name
        ));
    }
    for function in &source.unmatched_functions {
        session.note(&format!(
            "{}: the built-in front end does not understand {function}; its tokens let threads meet as the cycles of its IR do",
            module.name()
        ));
    }
    Ok(())
}

/// Notes the choices that tokens make where the text leaves them; an error where they would say something else than the text.
fn say_what_is_lost(session: &Session<'_>, module: &Module) -> Result<(), String> {
    let Some(source) = module.source() else { return Ok(()) };
    let text = reconverge::source_model_name(source.model);
    let place = |one: &UnsaidOperation| format!("{}:{}:{}", one.path, one.position.line, one.position.column);
    let (choices, others): (Vec<_>, Vec<_>) = source.unsaid.iter().partition(|one| one.is_choice);
    if let Some(first) = others.first() {
        let more = match others.len() - 1 {
            0 => String::new(),
            more => format!(" (and {more} more like it)"),
        };
        return Err(format!(
            "{}: no tokens say which threads execute {} together by {text}: an operation has one token for all ways to it, and this text tells ways apart, or leaves a choice elsewhere than tokens can{more}; \
             --no-tokens writes IR without, and run --model {text} follows the text",
            place(first),
            first.name
        ));
    }
    for one in choices {
        session.note(&format!(
            "{}: {text} leaves it open which threads execute {} together; the tokens let all of them that reach it",
            place(one),
            one.name
        ));
    }
    Ok(())
}
