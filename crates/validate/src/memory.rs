//! What is left when a kernel is over: buffers, variables that others can see, and what it returned to its threads.
//!
//! Elements are compared by their bits, where the program before determines them. Of a NaN it does not determine more than that it is one: which sign and which
//! payload it has is left open ("LLVM Language Reference Manual", "Behavior of Floating-Point NaN values").

use reconverge_exec::launch::{Buffer, Outcome};
use reconverge_exec::literal::Number;
use reconverge_exec::{Linked, Recording};
use reconverge_findings::change::Difference;

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
        .find_map(|(one, other)| element(one, other, before.0.computes_floats()))
        .or_else(|| returned((before.0, before.2), (after.0, after.2)))
}

/// The first element of a buffer that differs.
fn element(one: &Buffer, other: &Buffer, floats: [bool; 3]) -> Option<Difference> {
    let is_known = |number: &Number| !matches!(number, Number::Poison | Number::Undefined);
    if one.bytes == other.bytes && other.indeterminate.is_empty() {
        return None;
    }
    let size = one.element.size() as usize;
    let bytes = one.bytes.chunks_exact(size).zip(other.bytes.chunks_exact(size));
    let mut elements = (0..).zip(one.elements().zip(other.elements()).zip(bytes));
    let are_nan = |index: u64, bits: &[u8]| {
        let start = index as usize * size;
        let both_nan = |width: usize| {
            let from = start / width * width;
            let of = |buffer: &Buffer| buffer.bytes.get(from..from + width).is_some_and(is_nan);
            of(one) && of(other)
        };
        // A part of a NaN may be anything.
        (0..3).any(|power| floats[power] && 2 << power >= bits.len() && both_nan(2 << power))
    };
    let differ = elements.find(|(index, ((a, b), (bits, others)))| {
        is_known(a) && (!is_known(b) || bits != others && !are_nan(*index, bits))
    });
    let (element, ((a, b), _)) = differ?;
    Some(Difference::Memory { buffer: one.name.clone(), element, before: a.to_string(), after: b.to_string() })
}

/// Whether bytes are those of a NaN of binary16, binary32 or binary64.
fn is_nan(bytes: &[u8]) -> bool {
    match *bytes {
        [a, b] => u16::from_le_bytes([a, b]) & 0x7fff > 0x7c00,
        [a, b, c, d] => f32::from_le_bytes([a, b, c, d]).is_nan(),
        _ => <[u8; 8]>::try_from(bytes).is_ok_and(|bytes| f64::from_le_bytes(bytes).is_nan()),
    }
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
