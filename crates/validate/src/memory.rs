//! What is left when a kernel is over: buffers, variables that others can see, and what it returned to its threads.
//!
//! Elements are compared by their bits, where the program before determines them.

use reconverge_exec::launch::{Buffer, Outcome};
use reconverge_exec::literal::Number;
use reconverge_exec::{Linked, Recording};

use crate::report::Difference;

/// The first element that differs.
pub(crate) fn difference(
    before: (&Linked<'_>, &Outcome, &Recording),
    after: (&Linked<'_>, &Outcome, &Recording),
) -> Option<Difference> {
    let pairs = before.1.buffers.iter().zip(&after.1.buffers);
    let visible = before.2.variables.iter().filter_map(|one| {
        let other =
            after.2.variables.iter().find(|other| other.name == one.name && other.bytes.len() == one.bytes.len())?;
        Some((one, other))
    });
    pairs
        .chain(visible)
        .find_map(|(one, other)| element(one, other))
        .or_else(|| returned((before.0, before.2), (after.0, after.2)))
}

/// The first element of a buffer that differs.
fn element(one: &Buffer, other: &Buffer) -> Option<Difference> {
    let is_known = |number: &Number| !matches!(number, Number::Poison | Number::Undefined);
    if one.bytes == other.bytes && other.indeterminate.is_empty() {
        return None;
    }
    let size = one.element.size() as usize;
    let bytes = one.bytes.chunks_exact(size).zip(other.bytes.chunks_exact(size));
    let mut elements = (0..).zip(one.elements().zip(other.elements()).zip(bytes));
    let differ = elements.find(|(_, ((a, b), (bits, others)))| is_known(a) && (!is_known(b) || bits != others));
    let (element, ((a, b), _)) = differ?;
    Some(Difference::Memory { buffer: one.name.clone(), element, before: a.to_string(), after: b.to_string() })
}

fn returned(before: (&Linked<'_>, &Recording), after: (&Linked<'_>, &Recording)) -> Option<Difference> {
    let data = before.0.returned_data();
    let mut sides = [before.1, after.1].map(|recording| recording.returned.iter().collect::<Vec<_>>());
    sides.iter_mut().for_each(|side| side.sort_by_key(|(thread, _)| *thread));
    let [one, other] = sides;
    for ((thread, a), (_, b)) in one.into_iter().zip(other) {
        if a.iter().zip(b).zip(&data).any(|((a, b), is_data)| *is_data && !a.allows(b)) {
            return Some(Difference::Memory {
                buffer: "return value".to_owned(),
                element: *thread,
                before: before.0.show_returned(a),
                after: after.0.show_returned(b),
            });
        }
    }
    None
}
