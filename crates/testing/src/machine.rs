//! LLVM's verdict on machine code: which virtual registers and branches are divergent, as `llc -run-pass=print-machine-uniformity` prints it.
//!
//! LLVM numbers virtual registers afresh when it reads machine code, so values are known by their place: the n-th definition of a virtual register in the n-th block.
//! Where everything is uniform, LLVM lists nothing.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use anyhow::{Context, Result, bail, ensure};

use crate::llvm::{Input, find, run, skipped};

/// The verdict on a machine function.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MachineVerdict {
    /// The name of the function.
    pub function: String,
    /// The blocks, in the order of the text; none where everything is uniform.
    pub blocks: Vec<MachineBlockVerdict>,
    /// The numbers of the headers of cycles that are assumed to be divergent.
    pub assumed_divergent: Vec<u32>,
    /// The numbers of the headers of the outermost cycles that threads leave in different iterations.
    pub divergent_exits: Vec<u32>,
}

/// The verdict on a basic block.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MachineBlockVerdict {
    /// The number in its name.
    pub number: u32,
    /// The definitions of virtual registers, in the order of the text: whether they are divergent.
    pub values: Vec<bool>,
    /// Whether its terminators are.
    pub terminator: bool,
}

/// The installed `llc`.
#[derive(Debug)]
pub struct Llc {
    path: PathBuf,
}

/// The installed `llc`, or nothing with a line on standard error that says that the test was skipped.
///
/// # Panics
/// When there is none and `RECONVERGE_REQUIRE_LLVM` is `1`.
pub fn llc() -> Option<&'static Llc> {
    static LLC: OnceLock<Result<Llc, String>> = OnceLock::new();
    let found = LLC.get_or_init(|| find("llc").map(|path| Llc { path }).map_err(|error| format!("{error:#}")));
    match found {
        Ok(llc) => Some(llc),
        Err(reason) => skipped(reason),
    }
}

impl Llc {
    /// What LLVM says of each machine function of a text.
    ///
    /// # Errors
    /// When LLVM rejects it, or prints something that is not understood.
    pub fn uniformity(&self, text: &str) -> Result<Vec<MachineVerdict>> {
        parse(&self.printed(text, "mir", &["-run-pass=print-machine-uniformity"])?.1)
    }

    /// The machine code that LLVM makes of LLVM IR, up to a pass; `flags` are further ones.
    ///
    /// # Errors
    /// When LLVM rejects it.
    pub fn machine_code(&self, ir: &str, stop_after: &str, flags: &[&str]) -> Result<String> {
        let stop = format!("-stop-after={stop_after}");
        Ok(self.printed(ir, "ll", &[&[stop.as_str()], flags].concat())?.0)
    }

    /// What is written, and what is printed on standard error.
    fn printed(&self, text: &str, extension: &str, flags: &[&str]) -> Result<(String, String)> {
        let input = Input::new(text.as_bytes())?;
        let path = input.path.with_extension(extension);
        if path != input.path {
            std::fs::write(&path, text)?;
        }
        let output = input.path.with_file_name("output.mir");
        let fixed = ["-mtriple=amdgcn-amd-amdhsa", "-mcpu=gfx900", "-o"].map(Path::new);
        let flags = flags.iter().map(Path::new);
        let arguments = fixed.into_iter().chain([output.as_path(), path.as_path()]).chain(flags);
        let ran = run(&self.path, arguments.map(Path::as_os_str))?;
        let errors = String::from_utf8_lossy(&ran.stderr).into_owned();
        ensure!(ran.status.success(), "llc rejects it: {}", errors.lines().take(40).collect::<Vec<_>>().join("\n"));
        Ok((std::fs::read_to_string(&output).unwrap_or_default(), errors))
    }
}

/// What stands before each definition and each terminator.
const DIVERGENT: &str = "  DIVERGENT: ";
const UNIFORM: &str = "             ";

/// What a list is about.
#[derive(Clone, Copy)]
enum Part {
    Nothing,
    Assumed,
    Exits,
    Definitions,
    Terminators,
}

fn parse(text: &str) -> Result<Vec<MachineVerdict>> {
    let mut functions: Vec<MachineVerdict> = Vec::new();
    let mut part = Part::Nothing;
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("MachineUniformityInfo for function: @") {
            functions.push(MachineVerdict { function: name.trim().to_owned(), ..MachineVerdict::default() });
            part = Part::Nothing;
            continue;
        }
        let Some(function) = functions.last_mut() else { bail!("not the beginning of a function: {line}") };
        match line {
            "CYCLES ASSUMED DIVERGENT:" => part = Part::Assumed,
            "CYCLES WITH DIVERGENT EXIT:" => part = Part::Exits,
            "DEFINITIONS" => part = Part::Definitions,
            "END BLOCK" | "TEMPORAL DIVERGENCE LIST:" => part = Part::Nothing,
            _ => {
                if let Some(name) = line.strip_prefix("BLOCK ") {
                    let number = number_of(name)?;
                    function.blocks.push(MachineBlockVerdict { number, ..MachineBlockVerdict::default() });
                    continue;
                }
                // Where the last definition is of a physical register, the line goes on.
                let (definitions, ends) = match line.strip_suffix("TERMINATORS") {
                    Some(definitions) => (definitions, true),
                    None => (line, false),
                };
                match part {
                    Part::Assumed | Part::Exits if line.trim_start().starts_with("depth=") => {
                        let (_, entries) = line.split_once("entries(").context("a cycle without entries")?;
                        let list = if matches!(part, Part::Assumed) {
                            &mut function.assumed_divergent
                        } else {
                            &mut function.divergent_exits
                        };
                        list.push(number_of(entries)?);
                    }
                    Part::Definitions => {
                        let block = function.blocks.last_mut().context("a definition in no block")?;
                        block.values.extend(defined(definitions));
                    }
                    Part::Terminators => {
                        let block = function.blocks.last_mut().context("a terminator in no block")?;
                        block.terminator |= line.starts_with(DIVERGENT);
                    }
                    _ => {}
                }
                if ends {
                    part = Part::Terminators;
                }
            }
        }
    }
    Ok(functions)
}

/// The number in `bb.3.loop …`.
fn number_of(name: &str) -> Result<u32> {
    let rest = name.strip_prefix("bb.").with_context(|| format!("not a block: {name}"))?;
    let digits = rest.split(|c: char| !c.is_ascii_digit()).next().unwrap_or_default();
    digits.parse().with_context(|| format!("not a block: {name}"))
}

/// The virtual registers that a line defines: `%3: %3:vgpr_32 = …`, of which physical ones may come first.
fn defined(line: &str) -> Option<bool> {
    let before = &line[..line.find('%')?];
    match (before.ends_with(DIVERGENT), before.ends_with(UNIFORM)) {
        (true, _) => Some(true),
        (false, true) => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRINTED: &str = "MachineUniformityInfo for function: @f
CYCLES WITH DIVERGENT EXIT:
  depth=1: entries(bb.1.loop)

BLOCK bb.0.entry
DEFINITIONS
             %13: %13:sgpr_64(p4) = COPY $sgpr8_sgpr9
  DIVERGENT: %7: %7:vgpr_32(s32) = COPY $vgpr0
TERMINATORS
END BLOCK

BLOCK bb.1.loop
DEFINITIONS
             $scc             %23: %23:sreg_64 = V_CMP_GE_I32_e64 %3:sreg_32, %0:vgpr_32, implicit $exec
             $exec             $sccTERMINATORS
  DIVERGENT: SI_LOOP %4:sreg_64, %bb.1, implicit-def dead $exec, implicit-def dead $scc, implicit $exec
END BLOCK
MachineUniformityInfo for function: @g
ALL VALUES UNIFORM
";

    #[test]
    fn what_llc_prints_is_read() {
        let found = parse(PRINTED).unwrap();
        let block =
            |number, values: &[bool], terminator| MachineBlockVerdict { number, values: values.to_vec(), terminator };
        assert_eq!(found[0].blocks, [block(0, &[false, true], false), block(1, &[false], true)]);
        assert_eq!((found[0].divergent_exits.as_slice(), found[1].blocks.len()), (&[1][..], 0));
    }
}
