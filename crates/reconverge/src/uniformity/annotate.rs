//! The text of a module with a verdict on each line, as comments.
//!
//! **Invariant.** Only comments are added, each before the end of a line that is outside of strings, so the text is the same module as before.

use reconverge_analysis::target::Scope;
use reconverge_analysis::uniformity::explanation::{Explainer, Point, Question, element, find};
use reconverge_analysis::uniformity::report::{ReportOptions, analyze_functions};
use reconverge_analysis::uniformity::story::why;
use reconverge_findings::words::ChainWords;
use reconverge_findings::{IrVoice, Scene, Voice};
use rustc_hash::FxHashSet;

use crate::module::is_asked_for;
use crate::{Error, Module, Progress, UniformityOptions};

/// Comments begin in this column, where the line is not longer.
const COLUMN: usize = 64;

/// The IR of a module, each line with what is uniform or divergent in it: in the set of threads of the options, and why; or else the widest set that it is uniform in.
/// Almost linear in the text.
///
/// # Errors
/// When the module is not LLVM IR.
///
/// ```
/// use reconverge::{Input, Settings, UniformityOptions, annotate};
/// let text = "define i32 @f(i32 %x) {\n  %y = add i32 %x, 1\n  ret i32 %y\n}\n";
/// let module = reconverge::open(Input::new("f.ll", text, None)?, &Settings::default())?;
/// let annotated = String::from_utf8(annotate(&module, &UniformityOptions::default())?).unwrap();
/// assert!(annotated.lines().nth(1).unwrap().ends_with("; divergent: operand: %x"), "{annotated}");
/// # Ok::<(), reconverge::Error>(())
/// ```
pub fn annotate(module: &Module, options: &UniformityOptions) -> Result<Vec<u8>, Error> {
    let text = module.ir();
    let all = [Scope::Subgroup, Scope::Workgroup, Scope::Grid];
    let settings = ReportOptions { target: Some(module.target()), scopes: &all };
    let wanted = |index: &reconverge_ir::Module<'_>, id| {
        !module.control.is_cancelled() && is_asked_for(options.function.as_deref(), index, id)
    };
    let (_, found) = analyze_functions(text, &settings, wanted, |subject, lowerer| {
        let scene = Scene { module: subject.module, id: subject.id, function: subject.function };
        let words = ChainWords { scene, voice: &IrVoice };
        let mut explainer = Explainer::new(subject, lowerer, options.scope);
        let header = subject.module.functions[subject.id].header.range().end;
        let mut notes: Vec<(usize, String)> = Vec::new();
        let everything = Question::Bytes(0..text.len());
        for point in find(subject.module, subject.id, subject.function, &everything) {
            let verdict = if !explainer.is_reachable(point) {
                "no path leads here".to_owned()
            } else {
                let analysis = explainer.analysis();
                match element(analysis, point).and_then(|element| why(analysis, element)) {
                    Some(step) => format!("divergent: {}", words.reason(&step)),
                    // What is divergent in no narrower set is uniform in the one that was asked about.
                    None => match explainer.widest(lowerer, point) {
                        Some(scope) => format!("uniform in {}", IrVoice.set(scope)),
                        None => continue,
                    },
                }
            };
            let (end, what) = match (point, explainer.instruction(point)) {
                (Point::Value(_), Some(inst)) => (subject.function.instructions[inst].span.range().end, String::new()),
                (Point::Value(value), None) => (header, format!("{}: ", IrVoice.value(&scene, value))),
                (Point::Terminator(block), _) => {
                    let inst = subject.function.terminator(block);
                    (subject.function.instructions[inst].span.range().end, "branch ".to_owned())
                }
            };
            notes.push((end, what + &verdict));
        }
        module.control.tell(Progress::Function);
        notes
    })
    .map_err(|error| module.not_ir(&error))?;
    let mut notes: Vec<(usize, String)> = Vec::new();
    for (end, note) in found.into_iter().flatten().flatten() {
        notes.push((end_of_line(text, end), note));
    }
    notes.sort_by_key(|&(end, _)| end);
    module.unless_cancelled(with_comments(text, &notes))
}

/// Where the line ends that a byte outside of strings and comments is in: at its line break.
fn end_of_line(text: &[u8], from: usize) -> usize {
    let (mut in_string, mut in_comment) = (false, false);
    for (at, &byte) in text.iter().enumerate().skip(from) {
        match byte {
            b'\n' if !in_string => return if at > from && text[at - 1] == b'\r' { at - 1 } else { at },
            b'"' if !in_comment => in_string = !in_string,
            b';' if !in_string => in_comment = true,
            _ => {}
        }
    }
    text.len()
}

/// A text with comments at the ends of lines, which are in order; those of one line are one.
fn with_comments(text: &[u8], notes: &[(usize, String)]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len() + notes.len() * COLUMN);
    let mut done = 0;
    for of_line in notes.chunk_by(|one, other| one.0 == other.0) {
        let end = of_line[0].0;
        out.extend_from_slice(&text[done..end]);
        done = end;
        let line = out.iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
        let width = String::from_utf8_lossy(&out[line..]).chars().count();
        out.resize(out.len() + COLUMN.saturating_sub(width).max(1), b' ');
        out.extend_from_slice(b"; ");
        let mut seen = FxHashSet::default();
        let said: Vec<&str> = of_line.iter().map(|(_, note)| note.as_str()).filter(|note| seen.insert(*note)).collect();
        // A name may hold a line break.
        let plain = said.join("; ").replace(|letter: char| letter.is_control(), " ");
        out.extend_from_slice(plain.as_bytes());
    }
    out.extend_from_slice(&text[done..]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_breaks_in_strings_and_quotes_in_comments_do_not_count() {
        let text = b"%a = x ; \"\n  c\"two\nlines\" ; end\r\nrest";
        let ends = [2, 12, 34].map(|from| end_of_line(text, from));
        assert_eq!(ends, [10, 31, text.len()]);
        let notes = [(10, "one".to_owned()), (10, "one".to_owned()), (31, "two\nlines".to_owned())];
        let out = String::from_utf8(with_comments(text, &notes)).expect("text");
        assert!(out.contains("; \"") && out.contains("; one\n") && out.contains("; two lines\r\nrest"), "{out}");
        assert_eq!(out.matches("; one").count(), 1);
    }
}
