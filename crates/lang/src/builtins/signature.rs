//! Signatures of overloaded functions as data: lines of text with generic types, expanded to all concrete overloads.
//!
//! ```text
//! line   ::= set | effect | result ( parameter, … ) | name name …
//! effect ::= none | reads | - | convergent        (what is known of memory; convergent: the threads communicate)
//! ```
//!
//! The set says which types `g` goes through; [types](reconverge_operations::signature) follow from it.
//!
//! **Invariant.** A line that cannot be read is a mistake in a table, and found by the tests; here it adds nothing.

use reconverge_operations::Known;
pub use reconverge_operations::signature::{Access, Base, IMAGES, Overload, Ty};
use reconverge_operations::signature::{read_type, set};

use crate::options::Dialect;
use crate::typed::MemoryEffects;

/// A type in the words of a dialect.
fn words(of: Ty, dialect: Dialect) -> String {
    let name = of.name();
    let shortened = ["uchar", "ushort", "uint", "ulong"].iter().find(|word| name.contains(**word));
    match (dialect, shortened) {
        (Dialect::OpenCl, _) | (_, None) => name,
        (_, Some(word)) => name.replace(word, &format!("unsigned {}", &word[1..])),
    }
}

/// The signature of a function in the words of a dialect.
pub fn text(overload: &Overload, name: &str, dialect: Dialect) -> String {
    let parameters: Vec<String> = overload.parameters.iter().map(|&of| words(of, dialect)).collect();
    format!("{} {name}({})", words(overload.result, dialect), parameters.join(", "))
}

/// Every overload that a line of a table says, under each of its names, in order. Comments and empty lines say none.
pub fn expand(line: &str, mut add: impl FnMut(&str, Overload)) -> Option<()> {
    let mut parts = line.split('|').map(str::trim);
    let (types, effect) = (parts.next()?, parts.next()?);
    let (signature, names) = (parts.next()?, parts.next()?);
    let memory = match effect {
        "none" => MemoryEffects::None,
        "reads" => MemoryEffects::Reads,
        _ => MemoryEffects::Unknown,
    };
    expand_signature(types, signature, memory, effect == "convergent", |overload| {
        names.split_whitespace().for_each(|name| add(name, overload.clone()));
    })
}

/// Every overload of an operation of the table of operations, which says `set | [none |] result ( parameter, … ) …`, in order.
pub fn expand_operation(operation: &Known, mut add: impl FnMut(Overload)) -> Option<()> {
    let (types, rest) = operation.spelling.signature?.split_once(" | ")?;
    let (memory, signatures) = match rest.strip_prefix("none | ") {
        Some(signatures) => (MemoryEffects::None, signatures),
        None => (MemoryEffects::Unknown, rest),
    };
    let is_convergent = operation.communicates();
    for signature in signatures.split_inclusive(')') {
        expand_signature(types, signature.trim(), memory, is_convergent, &mut add)?;
    }
    Some(())
}

/// The overloads of a signature for the types of a set.
fn expand_signature(
    types: &str,
    signature: &str,
    memory: MemoryEffects,
    is_convergent: bool,
    mut add: impl FnMut(Overload),
) -> Option<()> {
    let (result, parameters) = signature.strip_suffix(')')?.split_once('(')?;
    let parameters: Vec<&str> =
        if parameters.is_empty() { Vec::new() } else { parameters.split(',').map(str::trim).collect() };
    let mut last = None;
    for (generic, lanes) in set(types)? {
        let overload = Overload {
            result: read_type(result, generic, lanes)?,
            parameters: parameters.iter().map(|text| read_type(text, generic, lanes)).collect::<Option<_>>()?,
            memory,
            is_convergent,
        };
        if last.as_ref() == Some(&overload) {
            continue;
        }
        add(overload.clone());
        last = Some(overload);
    }
    Some(())
}
