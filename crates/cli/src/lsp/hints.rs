//! Behind each branch at which threads of a workgroup may diverge: in which set they do not.

use std::collections::BTreeMap;

use lsp_types as lsp;
use reconverge::{FunctionPoints, Point, Scope};

use super::requests::View;

/// A branch that is uniform in all of a workgroup needs none.
const ENOUGH: Option<Scope> = Some(Scope::Workgroup);

pub(crate) fn hints(view: &View<'_>, range: lsp::Range) -> Vec<lsp::InlayHint> {
    let (start, end) = (view.positions.offset(range.start), view.positions.offset(range.end));
    let mut branches: BTreeMap<usize, (&FunctionPoints, &Point)> = BTreeMap::new();
    for (function, point, bytes) in view.points() {
        let is_wanted = point.is_branch && start <= bytes.end && bytes.end <= end;
        if is_wanted && point.uniform_in < ENOUGH {
            let known = branches.entry(bytes.end).or_insert((function, point));
            // Of instances of a template, the one that is uniform least widely.
            if point.uniform_in < known.1.uniform_in {
                *known = (function, point);
            }
        }
    }
    branches.into_iter().map(|(end, (function, point))| hint(view.positions.position(end), function, point)).collect()
}

fn hint(position: lsp::Position, function: &FunctionPoints, point: &Point) -> lsp::InlayHint {
    let [subgroup, workgroup, _] = &function.sets;
    let (label, tooltip) = match point.uniform_in {
        None => ("divergent".to_owned(), format!("{} may differ between the threads of {subgroup}", point.name)),
        Some(_) => (
            format!("uniform in {subgroup} only"),
            format!("{} may differ between the threads of {workgroup}, but not of {subgroup}", point.name),
        ),
    };
    lsp::InlayHint {
        position,
        label: lsp::InlayHintLabel::String(label),
        kind: None,
        text_edits: None,
        tooltip: Some(lsp::InlayHintTooltip::String(tooltip)),
        padding_left: Some(true),
        padding_right: None,
        data: None,
    }
}
