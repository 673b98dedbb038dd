//! Regenerates the tables of convergent intrinsics, and of the types of intrinsics, from LLVM's own definitions.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use clap::Args;
use reconverge_testing::corpus;
use serde_json::Value;

/// The intrinsics of an LLVM, as its TableGen prints them.
#[derive(Debug, Args)]
pub(crate) struct Definitions {
    /// The TableGen of the LLVM to ask
    #[arg(long, default_value = "llvm-tblgen-22")]
    tblgen: PathBuf,
    /// The folder with `llvm/IR/Intrinsics.td` (Debian: package `llvm-22-dev`)
    #[arg(long, default_value = "/usr/lib/llvm-22/include")]
    include: PathBuf,
}

impl Definitions {
    /// All records, and the names of those that are intrinsics.
    pub(crate) fn read(&self) -> Result<(Value, Vec<String>)> {
        let definitions = self.include.join("llvm/IR/Intrinsics.td");
        let output = Command::new(&self.tblgen)
            .arg("--dump-json")
            .arg("-I")
            .arg(&self.include)
            .arg(&definitions)
            .output()
            .with_context(|| format!("cannot run {}", self.tblgen.display()))?;
        ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let records: Value = serde_json::from_slice(&output.stdout).context("TableGen printed no JSON")?;
        let names = records["!instanceof"]["Intrinsic"].as_array().context("there are no intrinsics")?;
        let names = names.iter().filter_map(Value::as_str).map(str::to_string).collect();
        Ok((records, names))
    }
}

#[derive(Debug, Args)]
pub(crate) struct Intrinsics {
    #[command(flatten)]
    definitions: Definitions,
}

impl Intrinsics {
    pub(crate) fn run(&self) -> Result<()> {
        let (records, names) = self.definitions.read()?;
        let convergent = names.iter().filter(|&name| has_property(&records[name], "IntrConvergent"));
        let lines: BTreeSet<String> = convergent.map(|name| line(&records, name)).collect();
        ensure!(!lines.is_empty(), "no intrinsic is convergent");
        let no_memory = names.iter().filter(|&name| is_looked_at(&records[name]) && touches_no_memory(&records[name]));
        let no_memory: BTreeSet<String> = no_memory.map(|name| line(&records, name)).collect();
        let tables = corpus::workspace().join("crates/operations/src/llvm");
        let text: String = no_memory.iter().map(|line| format!("{line}\n")).collect();
        std::fs::write(tables.join("no_memory.txt"), text)?;
        let table = tables.join("convergent.txt");
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        let fresh = table.with_extension("txt.new");
        std::fs::write(&fresh, text)?;
        std::fs::rename(&fresh, &table)?;
        println!("{} convergent intrinsics written to {}", lines.len(), table.display());
        let lines = names.iter().filter(|&name| is_looked_at(&records[name])).map(|name| signature(&records, name));
        let lines = lines.collect::<Result<BTreeSet<String>>>()?;
        let table = corpus::workspace().join("crates/valid/src/intrinsics.txt");
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        std::fs::write(&table, text)?;
        println!("the types of {} intrinsics written to {}", lines.len(), table.display());
        Ok(())
    }
}

/// Whether an intrinsic has a property that has a name.
pub(crate) fn has_property(record: &Value, name: &str) -> bool {
    record["IntrProperties"].as_array().into_iter().flatten().any(|property| property["def"] == name)
}

/// Whether it is `memory(none)`: LLVM takes that back where it also says that there are side effects.
fn touches_no_memory(record: &Value) -> bool {
    has_property(record, "IntrNoMem") && !has_property(record, "IntrHasSideEffects")
}

/// The name of an intrinsic, without types.
pub(crate) fn spelled(record: &Value, name: &str) -> String {
    let spelled = record["LLVMName"].as_str().filter(|spelled| !spelled.is_empty());
    spelled.map_or_else(|| format!("llvm.{}", name.trim_start_matches("int_").replace('_', ".")), str::to_string)
}

/// The name of an intrinsic, with `.*` behind it if types are part of its name.
fn line(records: &Value, name: &str) -> String {
    let record = &records[name];
    let spelled = spelled(record, name);
    let types = ["RetTypes", "ParamTypes"].into_iter().filter_map(|list| record[list].as_array()).flatten();
    let is_any = |ty: &Value| ty["def"].as_str().is_some_and(|ty| records[ty]["isAny"] == 1);
    if types.into_iter().any(is_any) { format!("{spelled}.*") } else { spelled }
}

/// Whether the types of an intrinsic are in the table: generic ones, and those of GPUs.
fn is_looked_at(record: &Value) -> bool {
    matches!(record["TargetPrefix"].as_str(), Some("" | "nvvm" | "amdgcn" | "r600" | "spv" | "dx"))
}

/// The line of an intrinsic in the table of types; what is in it says `crates/valid/src/intrinsics.rs`.
fn signature(records: &Value, name: &str) -> Result<String> {
    let record = &records[name];
    let types = |list: &str| -> Result<Vec<String>> {
        record[list].as_array().into_iter().flatten().map(|ty| type_word(&records[defined(ty)])).collect()
    };
    let properties =
        record["IntrProperties"].as_array().into_iter().flatten().map(|property| &records[defined(property)]);
    // Arguments are counted from 1: 0 is the result.
    let immediates: Vec<u64> = properties
        .filter(|property| last_class(property) == "ImmArg")
        .filter_map(|property| property["ArgNo"].as_u64())
        .collect();
    let results = types("RetTypes")?;
    let mut words =
        vec![spelled(record, name), if results.is_empty() { "void".to_string() } else { results.join("+") }];
    for (index, word) in types("ParamTypes")?.into_iter().enumerate() {
        let mark = if immediates.contains(&(index as u64 + 1)) { "!" } else { "" };
        words.push(format!("{word}{mark}"));
    }
    Ok(words.join(" "))
}

fn defined(reference: &Value) -> &str {
    reference["def"].as_str().unwrap_or_default()
}

fn last_class(record: &Value) -> &str {
    record["!superclasses"].as_array().and_then(|classes| classes.last()).and_then(Value::as_str).unwrap_or_default()
}

/// A type of TableGen as a word of the table.
fn type_word(ty: &Value) -> Result<String> {
    let number = &ty["Number"];
    let encoded: Vec<u64> = ty["Sig"].as_array().into_iter().flatten().filter_map(Value::as_u64).collect();
    let value_type = defined(&ty["VT"]);
    Ok(match last_class(ty) {
        "LLVMType" if value_type == "isVoid" => "...".to_string(),
        "LLVMType" => {
            let vector = value_type.strip_prefix('v').and_then(|rest| {
                let digits = rest.find(|letter: char| !letter.is_ascii_digit()).filter(|&digits| digits > 0)?;
                Some(format!("<{}x{}>", &rest[..digits], scalar_word(&rest[digits..])))
            });
            vector.unwrap_or_else(|| scalar_word(value_type).to_string())
        }
        "LLVMQualPointerType" => encoded.get(1).map_or_else(|| "ptr".to_string(), |space| format!("ptr{space}")),
        "LLVMAnyPointerType" => "anyptr".to_string(),
        "LLVMAnyType" => match value_type {
            "iAny" => "anyint",
            "fAny" => "anyfloat",
            "vAny" => "anyvector",
            _ => "any",
        }
        .to_string(),
        "LLVMMatchType" => format!("={number}"),
        "LLVMVectorElementType" => format!("element{number}"),
        "LLVMVectorOfAnyPointersToElt" => format!("pointers{number}"),
        "LLVMOneNthElementsVectorType" => format!("part{number}:{}", encoded.get(2).context("there is no divisor")?),
        "LLVMScalarOrSameVectorWidth" => {
            let inner = match encoded.get(2..) {
                Some([1]) => "i1",
                Some([4]) => "i32",
                Some([7]) => "float",
                Some([8]) => "double",
                Some([34, _]) => "element0",
                other => anyhow::bail!("a type with an element of an unknown kind: {other:?}"),
            };
            format!("shaped{number}:{inner}")
        }
        class => anyhow::bail!("a type of the unknown class {class}"),
    })
}

fn scalar_word(name: &str) -> &str {
    match name {
        "MetadataVT" => "metadata",
        "f16" => "half",
        "bf16" => "bfloat",
        "f32" => "float",
        "f64" => "double",
        name => name,
    }
}
