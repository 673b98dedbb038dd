//! Puts the tables of machine instructions (`targets/machine/*.toml`) into the crate, so that nothing is read when the program runs.

use std::error::Error;
use std::fmt::Write;
use std::path::Path;

/// The keys of a table: all of them lists of names.
const KEYS: [&str; 14] = [
    "triples",
    "scalar_banks",
    "scalar_classes",
    "vector_classes",
    "mask_classes",
    "vector_registers",
    "divergent",
    "divergent_unlike_llvm",
    "uniform",
    "loads",
    "loads_unlike_llvm",
    "terminators",
    "ends",
    "pure",
];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=../../targets/machine");
    println!("cargo::rerun-if-changed=build.rs");
    let folder = Path::new("../../targets/machine");
    let generic = read(&folder.join("generic.toml"))?;
    let amdgpu = read(&folder.join("amdgpu.toml"))?;
    let mut text = format!(
        "impl Machine {{\n    /// What is the same for every target.\n    pub(crate) const GENERIC: Machine = {};\n}}\n\n",
        machine("generic", &[&generic])?
    );
    writeln!(text, "static MACHINES: [Machine; 1] = [{}];", machine("amdgpu", &[&amdgpu, &generic])?)?;
    std::fs::write(Path::new(&std::env::var("OUT_DIR")?).join("machines.rs"), text)?;
    Ok(())
}

fn read(path: &Path) -> Result<toml::Table, Box<dyn Error>> {
    let table: toml::Table = std::fs::read_to_string(path)?.parse()?;
    for key in table.keys() {
        assert!(KEYS.contains(&key.as_str()), "{}: `{key}` is no key", path.display());
    }
    Ok(table)
}

/// A table as Rust; what several have is put together.
fn machine(name: &str, tables: &[&toml::Table]) -> Result<String, Box<dyn Error>> {
    let mut text = format!("Machine {{ name: {name:?}");
    for key in KEYS {
        let lists = tables.iter().filter_map(|table| table.get(key)?.as_array());
        let words: Option<Vec<&str>> = lists.flatten().map(toml::Value::as_str).collect();
        write!(text, ", {key}: &{:?}", words.ok_or_else(|| format!("{name}: {key} is no list of names"))?)?;
    }
    text.push_str(" }");
    Ok(text)
}
