//! What came of a comparison, as text.

use std::fmt::Write;

use reconverge_exec::launch::Model;
use reconverge_lang::builtins::mangle::as_written;
use reconverge_validate::{Comparison, Counted, InHierarchy, Reordered, Verdict, Witness};

use super::Pair;
use super::command::run_commands;
use super::tables::{Style, tables};
use crate::comparing::model_name;
use crate::output::printable;
use crate::render::Renderer;
use crate::session::counted;

/// What is known of a kernel, in a line.
pub(crate) fn verdict(comparison: &Comparison, of_source: bool) -> String {
    let runs = counted(comparison.runs as usize, "run");
    let said = match &comparison.verdict {
        Verdict::Proved { by } => format!("proved: {by}"),
        Verdict::Equal => {
            format!("equal in {runs}{}{}{}", unended(comparison), skipped(comparison), reordered(comparison, of_source))
        }
        Verdict::Different(witness) => {
            let threads = witness.launch.threads();
            format!(
                "different, shown with {} (model {}){}",
                counted(threads as usize, "thread"),
                model_name(witness.model),
                hierarchy(witness)
            )
        }
        Verdict::NotCompared(reason) => format!("not compared: {reason}"),
    };
    printable(&format!("{}: {said}", named(&comparison.kernel, of_source))).into_owned()
}

/// A function, by its name in IR without sigil: as that, or as it is written.
fn named(name: &str, of_source: bool) -> String {
    if of_source { format!("`{}`", as_written(name)) } else { format!("@{name}") }
}

/// What is uniform in both programs.
pub(crate) fn uniformity(comparison: &Comparison) -> String {
    let of = |Counted { all, uniform, kept }: Counted, what: &str| {
        format!(
            "  {} in both programs; {uniform} uniform in a subgroup before the change, {kept} of them after it\n",
            counted(all as usize, what)
        )
    };
    match (&comparison.verdict, comparison.correspondence) {
        (Verdict::Proved { .. }, _) => "  all values and uses are in both programs\n".to_owned(),
        (_, Some(found)) => of(found.values, "named value") + &of(found.uses, "use"),
        _ => String::new(),
    }
}

/// In which cycle hierarchy there is a difference, if that is not the only one or the default.
fn hierarchy(witness: &Witness) -> String {
    match (&witness.hierarchy, witness.launch.model) {
        (Some(hierarchy), _) => in_hierarchy(hierarchy),
        (None, Model::Maximal { hierarchy }) if hierarchy > 0 => format!(", in cycle hierarchy {}", hierarchy + 1),
        _ => String::new(),
    }
}

/// `; 3 runs do not end, and are equal up to there`
fn unended(comparison: &Comparison) -> String {
    match comparison.unended {
        0 => String::new(),
        1 => "; 1 run does not end, and is equal up to the limit".to_owned(),
        count => format!("; {} do not end, and are equal up to the limit", counted(count as usize, "run")),
    }
}

/// `, in cycle hierarchy 2 of 2 …`
fn in_hierarchy(InHierarchy { number, of, equal_in, .. }: &InHierarchy) -> String {
    let others = match &equal_in[..] {
        [] => "in the others, too".to_owned(),
        equal => format!("equal in {}", equal.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")),
    };
    format!(", in cycle hierarchy {number} of {of} after the change; {others}")
}

/// `; thread 2 executes …`
fn reordered(comparison: &Comparison, of_source: bool) -> String {
    comparison.reordered.as_ref().map_or_else(String::new, |Reordered { thread, before, after, .. }| {
        let what = match before == after {
            true => format!("executions of {}", named(before, of_source)),
            false => format!("{} and {}", named(after, of_source), named(before, of_source)),
        };
        format!(
            "; thread {thread} has {what} in another order, as it may: nothing orders operations that touch no memory"
        )
    })
}

/// `; 12 runs were inconclusive: the program before does not end`
fn skipped(comparison: &Comparison) -> String {
    let total: u64 = comparison.skipped.iter().map(|(_, runs)| runs).sum();
    match comparison.skipped.first() {
        None => String::new(),
        Some((reason, runs)) => {
            let (all, were) = (counted(total as usize, "run"), if total == 1 { "was" } else { "were" });
            let mostly = if *runs == total { "" } else { "mostly because " };
            format!("; {all} {were} inconclusive: {mostly}{reason}")
        }
    }
}

/// Findings, with carets: in the program after the change, unless it does not have what they are about.
pub(crate) fn findings(pair: &Pair<'_>, comparison: &Comparison, color: bool, output: &mut String) {
    let renderer = Renderer::new(color);
    for (told, version) in pair.tell(&comparison.findings) {
        renderer.told(&told, version.name, &version.lines, output);
    }
}

/// The launch, as commands, and who communicated.
pub(crate) fn witness(pair: &Pair<'_>, witness: &Witness, style: Style, output: &mut String) {
    output.push_str("to run it:\n");
    for command in run_commands(pair, witness) {
        let _ = writeln!(output, "  {}", printable(&command));
    }
    if witness.before.steps.is_empty() && witness.after.steps.is_empty() {
        output.push_str("no convergent operations are executed by either program\n");
        return;
    }
    output.push_str("\nexecutions of convergent operations:\n");
    let titles = [format!("before: {}", pair.before.name), format!("after: {}", pair.after.name)];
    output.push_str(&tables(witness, [&titles[0], &titles[1]], style));
}
