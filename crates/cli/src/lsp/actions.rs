//! The quick fix of a finding: a comment that allows it, in the line before. The reason is left to the user.

use std::collections::HashMap;

use lsp_types as lsp;
use reconverge::Code;

use super::requests::View;

/// What stands for the reason, which a comment has to have.
const REASON: &str = "TODO: say why";

pub(crate) fn actions(view: &View<'_>, range: lsp::Range) -> Vec<lsp::CodeActionOrCommand> {
    let touches =
        |diagnostic: &&lsp::Diagnostic| diagnostic.range.start <= range.end && range.start <= diagnostic.range.end;
    let mut fixes: Vec<(Code, usize, lsp::Diagnostic)> = Vec::new();
    for diagnostic in view.diagnostics.iter().filter(touches) {
        let Some(code) = allowable(diagnostic) else { continue };
        let line = diagnostic.range.start.line as usize;
        if !fixes.iter().any(|(known, at, _)| (*known, *at) == (code, line)) {
            fixes.push((code, line, diagnostic.clone()));
        }
    }
    fixes.into_iter().filter_map(|(code, line, diagnostic)| action(view, code, line, diagnostic)).collect()
}

/// The code of a finding that a comment can allow.
fn allowable(diagnostic: &lsp::Diagnostic) -> Option<Code> {
    let Some(lsp::NumberOrString::String(name)) = &diagnostic.code else { return None };
    Code::from_name(name).filter(|&code| code.is_allowable())
}

fn action(view: &View<'_>, code: Code, line: usize, diagnostic: lsp::Diagnostic) -> Option<lsp::CodeActionOrCommand> {
    let text = |line| &view.document.text[view.positions.line(line)];
    // A line that goes on in the next one, as in a macro, would go on in the comment.
    if line.checked_sub(1).is_some_and(|before| text(before).ends_with('\\')) {
        return None;
    }
    let own = text(line);
    let indentation = &own[..own.len() - own.trim_start().len()];
    let start = if view.module()?.source().is_some() { "//" } else { ";" };
    let new_text = format!("{indentation}{start} reconverge: allow({}) {REASON}\n", code.name());
    let position = lsp::Position { line: diagnostic.range.start.line, character: 0 };
    let edit = lsp::TextEdit { range: lsp::Range { start: position, end: position }, new_text };
    let changes = HashMap::from([(view.document.uri.clone(), vec![edit])]);
    Some(lsp::CodeActionOrCommand::CodeAction(lsp::CodeAction {
        title: format!("Allow {} here, with a comment", code.name()),
        kind: Some(lsp::CodeActionKind::QUICKFIX),
        diagnostics: Some(vec![diagnostic]),
        edit: Some(lsp::WorkspaceEdit { changes: Some(changes), ..lsp::WorkspaceEdit::default() }),
        ..lsp::CodeAction::default()
    }))
}
