//! `convergent` taken out of lists of attributes.

use std::collections::BTreeMap;
use std::ops::Range;

use reconverge_ir::attributes::{Attribute, Attributes};
use reconverge_ir::{Module, Span};

use crate::Edits;

/// The groups that are needed: those that were, without `convergent`.
pub(super) struct Groups {
    /// New numbers by old ones; none for a group that has nothing else.
    fresh: BTreeMap<u32, Option<u32>>,
    next: u32,
}

impl Groups {
    pub(super) fn new(module: &Module<'_>) -> Groups {
        let last = module.attribute_groups.keys().max();
        Groups { fresh: BTreeMap::new(), next: last.map_or(0, |last| last.saturating_add(1)) }
    }

    /// Takes the attribute out of a list, and out of the groups that the list names.
    pub(super) fn drop_from(&mut self, module: &Module<'_>, list: Span, edits: &mut Edits) {
        for (mut range, attribute) in places(module.text, list) {
            // The space before the first one is not part of the list.
            let is_first = range.start == list.range().start && range.start > 0;
            range.start -=
                usize::from(is_first && module.text[range.start - 1] == b' ' && module.text[range.start] != b' ');
            match attribute {
                Attribute::Word { name: b"convergent", .. } => edits.delete(range),
                Attribute::Group(number)
                    if module.attribute_groups.get(&number).is_some_and(|group| group.convergent) =>
                {
                    let text = self.number(module, number).map_or(String::new(), |number| format!(" #{number}"));
                    edits.replace(range, text);
                }
                _ => {}
            }
        }
    }

    fn number(&mut self, module: &Module<'_>, old: u32) -> Option<u32> {
        if let Some(&known) = self.fresh.get(&old) {
            return known;
        }
        let fresh = (!without(module, old).trim().is_empty()).then_some(self.next);
        self.next += u32::from(fresh.is_some());
        self.fresh.insert(old, fresh);
        fresh
    }

    /// Defines the new groups, at the end of the module.
    pub(super) fn define(&self, module: &Module<'_>, edits: &mut Edits) {
        let needed = self.fresh.iter().filter_map(|(&old, &fresh)| Some((old, fresh?)));
        let mut text: String = needed
            .map(|(old, fresh)| format!("attributes #{fresh} = {{ {} }}\n", without(module, old).trim()))
            .collect();
        if !text.is_empty() {
            if module.text.last() != Some(&b'\n') {
                text.insert(0, '\n');
            }
            edits.insert(module.text.len(), text);
        }
    }
}

/// The text of a group without the attribute.
fn without(module: &Module<'_>, group: u32) -> String {
    let Some(group) = module.attribute_groups.get(&group) else { return String::new() };
    let kept = places(module.text, group.span)
        .filter(|(_, attribute)| !matches!(attribute, Attribute::Word { name: b"convergent", .. }));
    kept.map(|(range, _)| String::from_utf8_lossy(&module.text[range]).into_owned()).collect()
}

/// The attributes of a list, each with its place and the space before it.
fn places(text: &[u8], list: Span) -> impl Iterator<Item = (Range<usize>, Attribute<'_>)> {
    let mut attributes = Attributes::new(text, list);
    std::iter::from_fn(move || {
        let start = attributes.offset();
        let attribute = attributes.next()?;
        Some((start..attributes.offset(), attribute))
    })
}
