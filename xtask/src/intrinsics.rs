//! Regenerates the table of convergent intrinsics from LLVM's own definitions.

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
        let names = names.iter().filter(|&name| has_property(&records[name], "IntrConvergent"));
        let lines: BTreeSet<String> = names.map(|name| line(&records, name)).collect();
        ensure!(!lines.is_empty(), "no intrinsic is convergent");
        let table = corpus::workspace().join("crates/ir/src/convergent_intrinsics.txt");
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        let fresh = table.with_extension("txt.new");
        std::fs::write(&fresh, text)?;
        std::fs::rename(&fresh, &table)?;
        println!("{} convergent intrinsics written to {}", lines.len(), table.display());
        Ok(())
    }
}

/// Whether an intrinsic has a property that has a name.
pub(crate) fn has_property(record: &Value, name: &str) -> bool {
    record["IntrProperties"].as_array().into_iter().flatten().any(|property| property["def"] == name)
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
