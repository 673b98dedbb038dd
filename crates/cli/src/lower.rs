//! `reconverge lower`: source to IR with tokens.

use crate::arguments::Lower;
use crate::exit::Status;
use crate::input::{Candidate, Problem};
use crate::output;
use crate::session::{Session, counted};
use crate::source::{self, Wanted};

pub(crate) fn run(session: &mut Session<'_>, arguments: &Lower) -> anyhow::Result<Status> {
    let candidate = Candidate::File { path: arguments.input.clone(), format: arguments.input_format };
    let result = candidate.bytes().and_then(|(text, kind)| {
        if source::dialect(&arguments.input, kind).is_none() {
            return Err(Problem::new(candidate.name(), "this is LLVM IR already; expected a source file"));
        }
        let wanted = Wanted {
            model: arguments.model,
            without_tokens: arguments.no_tokens,
            markers: arguments.markers,
            without_debug: arguments.no_debug,
            translation: false,
        };
        source::translate_bytes(session, &candidate, text, kind, &[], wanted)
    });
    let content = match result {
        Ok(content) => content,
        Err(problem) => {
            session.complain(&problem);
            return Ok(Status::Unusable);
        }
    };
    if arguments.output.as_os_str() == "-" {
        session.print(&String::from_utf8_lossy(&content.ir))?;
    } else {
        output::write_whole(&arguments.output, &content.ir)?;
        let size = content.ir.len() / 1000;
        session.detail(|| format!("{}: {}", arguments.output.display(), counted(size, "kilobyte")));
    }
    let is_partial = content.origin.is_some_and(|origin| origin.is_partial);
    Ok(if is_partial { Status::Unusable } else { Status::Clean })
}
