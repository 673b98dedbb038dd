//! Views for people who write passes: a module with its verdicts as comments, two versions compared, and LLVM's analysis compared with this one.

use std::fmt::Write;
use std::path::Path;

use reconverge::{
    Against, Change, Disagreement, FunctionAgainst, FunctionDiff, Judgement, Module, UniformityDiff, UniformityOptions,
    against, annotate, uniformity_diff,
};
use serde::Serialize;

use super::Manner;
use super::explain::Teller;
use super::listing::Paint;
use crate::arguments::{Format, Uniformity};
use crate::bisect::find_opt;
use crate::exit::Status;
use crate::input::{Candidate, Problem};
use crate::json::Files;
use crate::output::{self, printable};
use crate::session::{Session, counted};
use crate::source::Wanted;

/// What a view says: of the text that printing has got, or in JSON.
pub(super) fn run(session: &Session<'_>, arguments: &Uniformity) -> Option<anyhow::Result<Status>> {
    if arguments.annotate {
        Some(write_annotated(session, arguments))
    } else if arguments.diff {
        Some(compare_versions(session, arguments))
    } else {
        arguments.against.as_deref().map(|opt| compare_with_llvm(session, arguments, opt))
    }
}

fn options(arguments: &Uniformity) -> UniformityOptions {
    UniformityOptions {
        scope: arguments.scope.into(),
        function: arguments.function.clone(),
        ..UniformityOptions::default()
    }
}

/// The inputs, which have to be so many.
fn inputs(session: &Session<'_>, arguments: &Uniformity, count: usize, view: &str) -> anyhow::Result<Vec<Candidate>> {
    let found = session.candidates(&arguments.inputs);
    match found.len() == count {
        true => Ok(found),
        false => {
            anyhow::bail!("{view} takes {}, and there are {}", counted(count, "input"), found.len())
        }
    }
}

/// Whether a function that was asked for is in one of the modules; says so if not.
fn has_function(session: &Session<'_>, arguments: &Uniformity, modules: &[&Module]) -> bool {
    let Some(asked) = &arguments.function else { return true };
    let found = modules.iter().any(|module| module.has_function(asked));
    if !found {
        let mut near = crate::near::Near::default();
        modules.iter().for_each(|module| near.merge(asked, module.functions_near(asked)));
        crate::session::complain_missing(session, asked, &near, &arguments.inputs);
    }
    found
}

fn write_annotated(session: &Session<'_>, arguments: &Uniformity) -> anyhow::Result<Status> {
    if arguments.format == Format::Json {
        anyhow::bail!("--annotate writes LLVM IR; `uniformity --format json` has the verdicts as JSON");
    }
    let candidates = inputs(session, arguments, 1, "--annotate")?;
    let options = options(arguments);
    let found = session.with_content(&candidates[0], &arguments.inputs, Wanted::analysis(), |content| {
        session.note_unknown_triple(&candidates[0].name(), content.unknown_triple());
        Ok(match has_function(session, arguments, &[content]) {
            true => Some(annotate(content, &options)?),
            false => None,
        })
    });
    let Ok(Some(text)) = found else { return Ok(Status::Unusable) };
    match arguments.output.as_deref().filter(|path| path.as_os_str() != "-") {
        None => session.print_as_it_is(&text)?,
        Some(path) => {
            output::refuse_input(path, arguments.inputs.inputs.iter().map(std::path::PathBuf::as_path))?;
            output::write_whole(path, &text)?;
        }
    }
    Ok(Status::Clean)
}

fn compare_versions(session: &Session<'_>, arguments: &Uniformity) -> anyhow::Result<Status> {
    let candidates = inputs(session, arguments, 2, "--diff")?;
    let names = [candidates[0].name(), candidates[1].name()];
    let options = options(arguments);
    let wanted = Wanted { origins: true, ..Wanted::analysis() };
    // Both are open at once.
    let found = session.with_content(&candidates[0], &arguments.inputs, wanted, |before| {
        let after = candidates[1].read(session, &arguments.inputs.clang_flags, wanted)?;
        if !has_function(session, arguments, &[before, &after]) {
            return Ok(None);
        }
        Ok(Some(uniformity_diff(before, &after, &options)?))
    });
    let Ok(Some(diff)) = found else { return Ok(Status::Unusable) };
    if arguments.format == Format::Json {
        session.print_json(&diff)?;
        return Ok(Status::Clean);
    }
    let paint = Paint { color: session.has_color() };
    let text: String = diff.functions.iter().map(|function| tell_diff(function, &names, paint)).collect();
    session.print(&text)?;
    session.flush()?;
    session.note(&summary(&diff, &names));
    Ok(Status::Clean)
}

fn tell_diff(function: &FunctionDiff, names: &[String; 2], paint: Paint) -> String {
    let mut text = String::new();
    if function.became_divergent.is_empty() && function.became_uniform.is_empty() {
        return text;
    }
    let _ = writeln!(text, "{}", paint.bold(&printable(&function.name)));
    let mut list = |title: &str, changes: &[Change]| {
        for (number, change) in changes.iter().enumerate() {
            if number == 0 {
                let _ = writeln!(text, "  {title}");
            }
            let place = |name: &str, line: usize| match line {
                0 => printable(name).into_owned(),
                line => format!("{}:{line}", printable(name)),
            };
            let before = place(&names[0], change.line_before);
            let called = match change.name == change.name_before {
                true => String::new(),
                false => format!(", was {}", printable(&change.name_before)),
            };
            let after = place(&names[1], change.line_after);
            let _ = writeln!(text, "    {} ({before} -> {after}{called})", printable(&change.name));
            let _ = writeln!(text, "      {}", printable(&change.reason));
        }
    };
    list("became divergent, because now:", &function.became_divergent);
    list("became uniform, was divergent because:", &function.became_uniform);
    text.push('\n');
    text
}

fn summary(diff: &UniformityDiff, names: &[String; 2]) -> String {
    let sum = |of: fn(&FunctionDiff) -> usize| diff.functions.iter().map(of).sum::<usize>();
    let mut text = format!(
        "{} became divergent, {} uniform, of {} that both have, in {}",
        sum(|function| function.became_divergent.len()),
        sum(|function| function.became_uniform.len()),
        match sum(|function| function.matched) {
            1 => "1 value or branch".to_owned(),
            matched => format!("{matched} values and branches"),
        },
        counted(diff.functions.len(), "function")
    );
    for (count, functions, name) in [
        (sum(|function| function.only_before), &diff.only_before, &names[0]),
        (sum(|function| function.only_after), &diff.only_after, &names[1]),
    ] {
        if count > 0 {
            let _ = write!(text, "; {count} are in {name} only");
        }
        if !functions.is_empty() {
            let _ = write!(text, "; functions of {name} only: {}", functions.join(", "));
        }
    }
    text
}

#[derive(Default, Serialize)]
struct AgainstReport {
    #[serde(flatten)]
    found: Against,
    /// What the opt says of itself.
    opt: String,
}

fn compare_with_llvm(session: &Session<'_>, arguments: &Uniformity, asked: &Path) -> anyhow::Result<Status> {
    let opt = find_opt(Some(asked), session.tool_bounds()).map_err(anyhow::Error::msg)?;
    let mut status = Status::Clean;
    let mut files = Files::new();
    let (mut total, mut judged, mut compared) = (0, [0_usize; 3], false);
    for candidate in session.candidates(&arguments.inputs) {
        let path = candidate.name();
        let manner = Manner { path: &path, color: session.has_color() };
        let wanted = Wanted { origins: true, ..Wanted::analysis() };
        let result = session.with_content(&candidate, &arguments.inputs, wanted, |content| {
            let printed = opt
                .print("print<uniformity>", Against::question(content))
                .map_err(|message| Problem::new(path.clone(), format!("opt does not take it: {message}")))?;
            let found = against(content, &printed)?;
            if !found.knows_divergence {
                session.note(&format!(
                    "{path}: {} has no divergence analysis for the target of this module; compile it for amdgcn or nvptx64 to compare",
                    opt.version
                ));
            }
            let teller = Teller::new(content.source(), manner);
            let text: String = found.functions.iter().map(|function| tell_against(function, &teller)).collect();
            Ok((found, text))
        });
        let result = match result {
            Ok((found, text)) => {
                total += found.compared;
                compared |= found.knows_divergence;
                for difference in found.functions.iter().flat_map(|function| &function.differences) {
                    judged[difference.judgement as usize] += 1;
                }
                if arguments.format == Format::Text {
                    session.print(&text)?;
                }
                Ok(AgainstReport { found, opt: opt.version.clone() })
            }
            Err(problem) => {
                status = Status::Unusable;
                Err(problem)
            }
        };
        files.push(session, path, result);
    }
    match arguments.format {
        Format::Json => session.print_json(&files)?,
        Format::Text if compared => {
            session.flush()?;
            let [finer, missed, open] = judged;
            session.note(&format!(
                "{} of {total} verdicts differ: {finer} where LLVM is more cautious than it has to be, {missed} where LLVM calls uniform what differs, {open} open",
                finer + missed + open
            ));
        }
        Format::Text => {}
    }
    Ok(status)
}

fn tell_against(function: &FunctionAgainst, teller: &Teller<'_>) -> String {
    let mut text = String::new();
    for Disagreement { llvm, judgement, explanation, .. } in &function.differences {
        let who = match judgement {
            Judgement::Finer if explanation.refined.is_some() => {
                "LLVM says divergent, which is safe; it is uniform, by refinements that LLVM does not have"
            }
            Judgement::Finer => "LLVM says divergent, which is safe; it is uniform by LLVM's own criteria, too",
            Judgement::Missed => "LLVM says uniform, which is wrong: threads do differ in what it is computed from",
            Judgement::Open => "LLVM says uniform; this analysis cannot show that, and takes it to be divergent",
        };
        assert!(["divergent", "uniform"].contains(llvm));
        teller.explanation(explanation, &mut text);
        let _ = writeln!(text, "  {who}\n");
    }
    text
}
