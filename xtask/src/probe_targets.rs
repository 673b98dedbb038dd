//! Regenerates the tables of intrinsics in `targets/generated`.
//!
//! What an intrinsic reads comes from LLVM's definitions; whether its result is uniform in a subgroup is asked of
//! `opt`, one call at a time ([`probe`]). `opt` is asked for AMD GPUs only: for NVIDIA's LLVM 22 takes every call for a
//! source of divergence, and for the others everything for uniform. There the definitions decide alone.
//! The calls that were asked are written down beside the table, and a test asks them again.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use clap::Args;
use reconverge_testing::llvm::Tools;
use reconverge_testing::probe::{self, Verdict};
use reconverge_testing::{corpus, llvm};
use serde_json::Value;

use crate::intrinsics::{Definitions, has_property, spelled};

/// A table: its name, what TableGen calls the target, and, if `opt` is asked, the triple.
const TABLES: [(&str, &[&str], Option<&str>); 5] = [
    ("llvm", &[""], Some(AMDGPU)),
    ("amdgcn", &["amdgcn", "r600"], Some(AMDGPU)),
    ("nvvm", &["nvvm"], None),
    ("spv", &["spv"], None),
    ("dx", &["dx"], None),
];

const AMDGPU: &str = "amdgcn-amd-amdhsa";

/// Types to try for a parameter that takes several. A call with other types than its definition has is
/// rejected by `opt`, and the next ones are tried.
const ANY: [(&str, &[&str]); 5] = [
    ("iAny", &["i32", "i64", "i16"]),
    ("fAny", &["float", "half", "double"]),
    ("vAny", &["<4 x i32>", "<4 x float>", "<4 x half>"]),
    ("pAny", &["ptr addrspace(1)", "ptr addrspace(3)", "ptr addrspace(7)"]),
    ("Any", &["i32", "float", "<4 x i32>"]),
];

#[derive(Debug, Args)]
pub(crate) struct ProbeTargets {
    #[command(flatten)]
    definitions: Definitions,
}

/// What a row says of its intrinsics; the text is that of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Row {
    Pure,
    Loads,
    Operands,
    Uniform,
    QuadOperands,
    QuadLoads,
    Source,
}

/// The names of the intrinsics of each row.
type Rows = BTreeMap<Row, BTreeSet<String>>;

impl ProbeTargets {
    pub(crate) fn run(&self) -> Result<()> {
        let tools = Tools::locate()?;
        let (records, names) = self.definitions.read()?;
        let folder = corpus::workspace().join("targets/generated");
        for (table, prefixes, triple) in TABLES {
            let is_here = |name: &&String| {
                records[*name]["TargetPrefix"].as_str().is_some_and(|prefix| prefixes.contains(&prefix))
                    && (has_result(&records[*name]) || is_quad(&records[*name]))
            };
            let intrinsics: Vec<&str> = names.iter().filter(is_here).map(String::as_str).collect();
            let (rows, calls) = classify(&tools, &records, &intrinsics, triple)?;
            let total: usize = rows.values().map(BTreeSet::len).sum();
            ensure!(total > 0, "there is no intrinsic for {table}");
            write(&folder.join(format!("{table}.toml")), &render(&rows, triple))?;
            if triple.is_some() {
                write(
                    &folder.join(format!("{table}.calls")),
                    &calls.iter().map(|call| format!("{call}\n")).collect::<String>(),
                )?;
            }
            println!("{table}: {total} intrinsics, {} of them asked", calls.len());
        }
        Ok(())
    }
}

/// The rows of a table, and the calls that were asked.
fn classify(
    tools: &Tools,
    records: &Value,
    intrinsics: &[&str],
    triple: Option<&str>,
) -> Result<(Rows, BTreeSet<String>)> {
    let mut said: Vec<Option<Verdict>> = vec![None; intrinsics.len()];
    let mut asked = BTreeSet::new();
    for attempt in 0..ANY[0].1.len() {
        let Some(triple) = triple else { break };
        let pending: Vec<usize> = (0..intrinsics.len()).filter(|&index| said[index].is_none()).collect();
        let calls: Vec<(usize, String)> =
            pending.into_iter().filter_map(|index| Some((index, call(records, intrinsics[index], attempt)?))).collect();
        let texts: Vec<&str> = calls.iter().map(|(_, text)| text.as_str()).collect();
        let verdicts = probe::verdicts(tools, triple, "amdgpu_kernel", &texts)?;
        for ((index, text), verdict) in calls.iter().zip(verdicts) {
            said[*index] = verdict;
            asked.extend(verdict.map(|_| text.clone()));
        }
    }
    let mut rows = Rows::new();
    for (&name, verdict) in intrinsics.iter().zip(said) {
        let record = &records[name];
        rows.entry(row(record, verdict)).or_default().insert(spelled(record, name));
    }
    Ok((rows, asked))
}

/// What is known of an intrinsic from its definition and, where there is one, LLVM's verdict.
fn row(record: &Value, verdict: Option<Verdict>) -> Row {
    let is = |property| has_property(record, property);
    let has_operands = record["ParamTypes"].as_array().is_some_and(|types| !types.is_empty());
    let is_quiet = !is("IntrConvergent") && !is("IntrHasSideEffects");
    match verdict {
        Some(Verdict::Source) => Row::Source,
        Some(Verdict::Uniform) => Row::Uniform,
        _ if is_quad(record) && is("IntrReadMem") => Row::QuadLoads,
        _ if is_quad(record) => Row::QuadOperands,
        _ if is("IntrNoMem") && is_quiet && has_operands => Row::Pure,
        _ if is("IntrReadMem") && is_quiet && has_operands => Row::Loads,
        Some(Verdict::Operands) => Row::Operands,
        None => Row::Source,
    }
}

fn has_result(record: &Value) -> bool {
    record["RetTypes"].as_array().is_some_and(|types| !types.is_empty())
}

/// Whether an intrinsic takes derivatives: the image intrinsics of AMD GPUs are convergent when, and because, they do.
fn is_quad(record: &Value) -> bool {
    has_property(record, "IntrConvergent") && record["!name"].as_str().is_some_and(|name| name.contains("_image_"))
}

/// A call of an intrinsic with the types of an attempt; nothing when it has a parameter that no value stands for
/// (metadata, a token, any number of them).
fn call(records: &Value, name: &str, attempt: usize) -> Option<String> {
    let record = &records[name];
    if !has_result(record) {
        return None;
    }
    let mut overloads = Vec::new();
    let mut types_of = |list: &str| -> Option<Vec<String>> {
        record[list].as_array()?.iter().map(|ty| type_text(records, &ty["def"], &mut overloads, attempt)).collect()
    };
    let results = types_of("RetTypes")?;
    let mut parameters = types_of("ParamTypes")?;
    for property in record["IntrProperties"].as_array().into_iter().flatten() {
        let property = &records[property["def"].as_str()?];
        let is_immediate =
            property["!superclasses"].as_array().is_some_and(|classes| classes.iter().any(|class| class == "ImmArg"));
        let index = property["ArgNo"].as_u64().filter(|_| is_immediate).and_then(|index| index.checked_sub(1));
        if let Some(parameter) = index.and_then(|index| parameters.get_mut(usize::try_from(index).ok()?)) {
            let zero = if parameter.starts_with('i') { "0" } else { "zeroinitializer" };
            *parameter = format!("{parameter} {zero}");
        }
    }
    let result = match results.as_slice() {
        [one] => one.clone(),
        several => format!("{{ {} }}", several.join(", ")),
    };
    Some(format!("{result} @{}({})", spelled(record, name), parameters.join(", ")))
}

/// How a type of TableGen's is written in IR.
fn type_text(records: &Value, name: &Value, overloads: &mut Vec<String>, attempt: usize) -> Option<String> {
    let record = &records[name.as_str()?];
    let is =
        |class: &str| record["!superclasses"].as_array().is_some_and(|classes| classes.iter().any(|one| one == class));
    if is("LLVMMatchType") {
        let other: String = overloads.get(usize::try_from(record["Number"].as_u64()?).ok()?)?.clone();
        let element = || Some(other.trim_end_matches('>').rsplit(" x ").next()?.to_owned());
        return match record["!superclasses"].as_array()?.last()?.as_str()? {
            "LLVMMatchType" => Some(other),
            "LLVMVectorElementType" => element(),
            // As many bits as the other has elements, where it is one of bits: the last number of the signature says so.
            "LLVMScalarOrSameVectorWidth" if record["Sig"].as_array()?.last()? == 1 => {
                let vector = other.split_once(" x ").map(|(count, _)| format!("{count} x i1>"));
                Some(vector.unwrap_or_else(|| "i1".to_owned()))
            }
            _ => None,
        };
    }
    let value = record["VT"]["def"].as_str()?;
    if let Some((_, choices)) = ANY.iter().find(|(any, _)| *any == value) {
        let choice = choices.get(attempt)?;
        overloads.push((*choice).to_owned());
        return Some((*choice).to_owned());
    }
    if is("LLVMQualPointerType") {
        // The signature is the code of a pointer, or of a pointer in an address space and its number.
        return match record["Sig"].as_array()?.as_slice() {
            [_, space] => Some(format!("ptr addrspace({space})")),
            _ => Some("ptr".to_owned()),
        };
    }
    let scalar = |name: &str| match name {
        "f16" => Some("half".to_owned()),
        "bf16" => Some("bfloat".to_owned()),
        "f32" => Some("float".to_owned()),
        "f64" => Some("double".to_owned()),
        _ => name.strip_prefix('i').filter(|bits| bits.parse::<u32>().is_ok()).map(|bits| format!("i{bits}")),
    };
    let vector = || {
        let count = records[value]["nElem"].as_u64()?;
        Some(format!("<{count} x {}>", scalar(records[value]["ElementType"]["def"].as_str()?)?))
    };
    scalar(value).or_else(vector)
}

/// The text of a table.
fn render(rows: &Rows, triple: Option<&str>) -> String {
    let asked = triple.map_or_else(String::new, |triple| format!(", and what its `opt` answers for {triple}"));
    let mut text = format!(
        "# Written by `cargo xtask probe-targets`. Source: the definitions of intrinsics of LLVM {}{asked}.\n",
        llvm::VERSION
    );
    for (row, names) in rows {
        let (comment, keys) = match row {
            Row::Pure => ("Functions of their operands.", "pure = true\n"),
            Row::Loads => ("They read memory and nothing else.", "operands = \"grid\"\nloads = true\n"),
            Row::Operands => ("Uniform when their operands are.", "operands = \"subgroup\"\n"),
            Row::Uniform => ("Always uniform.", "uniform = \"subgroup\"\n"),
            Row::QuadOperands => ("Of quads.", "operands = \"subgroup\"\nquad = true\n"),
            Row::QuadLoads => {
                ("Samples with implicit derivatives.", "operands = \"subgroup\"\nloads = true\nquad = true\n")
            }
            Row::Source => ("May differ, whatever the operands are.", ""),
        };
        let _ = write!(text, "\n# {comment}\n[[call]]\n{keys}names = [\n");
        names.iter().for_each(|name| text.push_str(&format!("    \"{name}\",\n")));
        text.push_str("]\n");
    }
    text
}

/// Writes a file, as a whole or not at all.
fn write(path: &Path, text: &str) -> Result<()> {
    let fresh = path.with_extension("new");
    std::fs::write(&fresh, text).with_context(|| format!("writing {}", fresh.display()))?;
    Ok(std::fs::rename(&fresh, path)?)
}
