//! Reads the built-in targets (`targets/*.toml`) with the reader that users' files go through, and writes them as
//! the tables that `target::built_in` includes.

// The crate uses what is not used here.
#![allow(dead_code, unreachable_pub)]

#[path = "src/target/calls.rs"]
mod calls;
#[path = "src/target/data.rs"]
mod data;
#[path = "src/target/file.rs"]
mod file;

use std::borrow::Cow;
use std::error::Error;
use std::fmt::Write;
use std::path::Path;

use calls::{CallTable, Names};
use data::Target;
use reconverge_operations::facts::{CallFacts, LoadFacts};

/// The last builds on nothing, and the others on it.
const TARGETS: [&str; 5] = ["amdgpu", "nvptx", "spirv", "dxil", "generic"];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=../../targets");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/target");
    let read = |name: &str, bases: &[Target]| {
        let path = Path::new("../../targets").join(name).with_extension("toml");
        Ok::<Target, Box<dyn Error>>(file::parse(&path, &std::fs::read_to_string(&path)?, bases)?)
    };
    let [others @ .., generic] = TARGETS;
    let generic = read(generic, &[])?;
    let mut targets = String::new();
    for name in others {
        let target = read(name, std::slice::from_ref(&generic))?;
        let same = target.calls.rows().eq(generic.calls.rows());
        assert!(same, "{name}.toml: built-in targets have one table of calls, that of generic.toml");
        writeln!(targets, "    {},", target_of(&target))?;
    }
    writeln!(targets, "    {},", target_of(&generic))?;
    let text = format!(
        "const CALLS: CallTable = {};\n\npub(super) static TARGETS: [Target; {}] = [\n{targets}];\n",
        table(&generic.calls),
        TARGETS.len()
    );
    std::fs::write(Path::new(&std::env::var("OUT_DIR")?).join("built_in.rs"), text)?;
    Ok(())
}

fn target_of(target: &Target) -> String {
    let Target { name, triples, subgroup_size, kernel_conventions, kernel_attributes, kernel_parameters, .. } = target;
    format!(
        "Target {{ name: Cow::Borrowed({name:?}), triples: {}, subgroup_size: {subgroup_size:?}, kernel_conventions: {}, \
         kernel_attributes: {}, kernel_parameters: {kernel_parameters:?}, parameter_attributes: {}, \
         uniform_registers: {}, memory: {}, other_memory: {:?}, calls: CALLS }}",
        words(triples),
        words(kernel_conventions),
        words(kernel_attributes),
        list(&target.parameter_attributes, |(name, scope)| format!("({}, {scope:?})", word(name))),
        words(&target.uniform_registers),
        list(&target.memory, |row: &(u32, LoadFacts)| format!("{row:?}")),
        target.other_memory,
    )
}

fn table(calls: &CallTable) -> String {
    format!(
        "CallTable {{ exact: {}, prefixes: {}, facts: {} }}",
        names(&calls.exact),
        names(&calls.prefixes),
        list(&calls.facts, facts)
    )
}

fn names(names: &Names) -> String {
    let rows = list(&names.rows, |row| format!("{row:?}"));
    format!("Names {{ text: Cow::Borrowed({:?}), rows: {rows} }}", names.text)
}

fn facts(facts: &CallFacts) -> String {
    let CallFacts { result, operation, partial, mask_operand, scope_operand, motion, agree, meeting } = facts;
    format!(
        "CallFacts {{ result: {result:?}, operation: Operation::{operation:?}, partial: {partial}, \
         mask_operand: {mask_operand:?}, scope_operand: {scope_operand:?}, motion: {motion:?}, agree: {agree:?}, \
         meeting: Meeting::{meeting:?} }}"
    )
}

fn words(words: &[Cow<str>]) -> String {
    list(words, |one| word(one))
}

fn list<T>(items: &[T], item: impl Fn(&T) -> String) -> String {
    format!("Cow::Borrowed(&[{}])", items.iter().map(item).collect::<Vec<String>>().join(", "))
}

fn word(word: &str) -> String {
    format!("Cow::Borrowed({word:?})")
}
