//! An installed LLVM 22, as something to compare with.
//!
//! Every helper writes its input to a temporary file, runs one tool and captures both of its streams; a tool that says
//! no is a value ([`Verdict`], `Err(message)` inside `Ok`), a tool that could not be run is an error.
//!
//! Policy: a differential test starts with `let Some(tools) = llvm::tools() else { return };`. Without LLVM that prints
//! why the test was skipped; with `RECONVERGE_REQUIRE_LLVM=1` in the environment, as CI sets it, it panics.

mod resident;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use anyhow::{Context, Result, bail, ensure};
use tempfile::TempDir;

pub use resident::output;

/// The major version that the differential tests are written against.
pub const VERSION: u32 = 22;

/// The environment variable that turns a missing LLVM from a skipped test into a failure.
pub const REQUIRE: &str = "RECONVERGE_REQUIRE_LLVM";

/// Paths of the tools of one LLVM installation, all of version [`VERSION`].
#[derive(Debug, Clone)]
pub struct Tools {
    /// `opt`: verifier and analyses.
    pub opt: PathBuf,
    /// `llvm-as`: text to bitcode.
    pub llvm_as: PathBuf,
    /// `llvm-dis`: bitcode to text.
    pub llvm_dis: PathBuf,
    /// `llvm-diff`: structural comparison of two modules.
    pub llvm_diff: PathBuf,
    /// `clang`, the driver.
    pub clang: PathBuf,
}

/// What LLVM's verifier says of a module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// Whether the module was accepted.
    pub accepted: bool,
    /// Everything the verifier printed: per finding a message on its own line, then the values it is about.
    pub output: String,
}

/// The cycles of one function as LLVM's `print<cycles>` lists them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FunctionCycles {
    /// Name of the function, without `@` and unescaped.
    pub function: String,
    /// Its cycles, each before its children.
    pub cycles: Vec<Cycle>,
}

/// One cycle of LLVM's hierarchy. Blocks are named without `%`; an unnamed block has its number.
///
/// LLVM numbers unnamed values afresh when it reads a module, so numbers are those of the text only where the text
/// numbers without gaps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cycle {
    /// 1 for a top-level cycle.
    pub depth: u32,
    /// The header: the first of `entries`.
    pub header: String,
    /// The entries, header first.
    pub entries: Vec<String>,
    /// Every block of the cycle, those of its children included, entries first.
    pub blocks: Vec<String>,
}

/// The installed LLVM, or `None` with a line on standard error that says the test was skipped.
///
/// The search happens once per process: `opt-22` and its siblings on `PATH`, else `opt` when it is of version 22.
///
/// # Panics
///
/// When there is none and `RECONVERGE_REQUIRE_LLVM` is `1`.
pub fn tools() -> Option<&'static Tools> {
    static TOOLS: OnceLock<Result<Tools, String>> = OnceLock::new();
    match TOOLS.get_or_init(|| Tools::locate().map_err(|error| format!("{error:#}"))) {
        Ok(tools) => Some(tools),
        Err(reason) => skipped(reason),
    }
}

/// Says that a test is skipped.
pub(crate) fn skipped<T>(reason: &str) -> Option<T> {
    let required = std::env::var(REQUIRE).is_ok_and(|value| value == "1");
    assert!(!required, "LLVM {VERSION} not found, and {REQUIRE}=1: {reason}");
    eprintln!("skipped: LLVM {VERSION} not found ({reason})");
    None
}

impl Tools {
    /// Finds the tools on `PATH`.
    ///
    /// # Errors
    ///
    /// Names the first tool that is missing or of another version.
    pub fn locate() -> Result<Tools> {
        Ok(Tools {
            opt: find("opt")?,
            llvm_as: find("llvm-as")?,
            llvm_dis: find("llvm-dis")?,
            llvm_diff: find("llvm-diff")?,
            clang: find("clang")?,
        })
    }

    /// Runs LLVM's verifier on the text of a module. It reports on every function, not only the first it rejects.
    ///
    /// # Errors
    ///
    /// When the text does not parse: that is no verdict.
    pub fn verify(&self, module: &str) -> Result<Verdict> {
        let input = Input::new(module.as_bytes())?;
        self.verify_file(&input.path)
    }

    /// [`Tools::verify`] for a module in a file, text or bitcode.
    ///
    /// # Errors
    ///
    /// As [`Tools::verify`].
    pub fn verify_file(&self, path: &Path) -> Result<Verdict> {
        let output = run(&self.opt, ["-passes=verify".as_ref(), "-disable-output".as_ref(), path.as_os_str()])?;
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        if output.status.success() {
            return Ok(Verdict { accepted: true, output: text });
        }
        ensure!(text.contains("input module is broken"), "opt did not get as far as its verifier: {}", head(&text));
        Ok(Verdict { accepted: false, output: text })
    }

    /// Assembles text to bitcode. `Ok(Err(message))` when `llvm-as` rejects it; note that it also verifies.
    ///
    /// # Errors
    ///
    /// When the tool cannot be run.
    pub fn assemble(&self, module: &str) -> Result<Result<Vec<u8>, String>> {
        let input = Input::new(module.as_bytes())?;
        let output = run(&self.llvm_as, [input.path.as_os_str(), "-o".as_ref(), "-".as_ref()])?;
        Ok(verdict_of(output))
    }

    /// Prints bitcode as text.
    ///
    /// # Errors
    ///
    /// When the tool cannot be run or rejects the bitcode.
    pub fn disassemble(&self, bitcode: &[u8]) -> Result<String> {
        let input = Input::new(bitcode)?;
        self.disassemble_file(&input.path)
    }

    /// [`Tools::disassemble`] for a file.
    ///
    /// # Errors
    ///
    /// As [`Tools::disassemble`].
    pub fn disassemble_file(&self, path: &Path) -> Result<String> {
        let output = run(&self.llvm_dis, [path.as_os_str(), "-o".as_ref(), "-".as_ref()])?;
        match verdict_of(output) {
            Ok(text) => Ok(String::from_utf8(text).context("llvm-dis printed text that is not UTF-8")?),
            Err(message) => bail!("llvm-dis rejects {}: {}", path.display(), head(&message)),
        }
    }

    /// Compares two modules structurally. `Ok(Err(differences))` when `llvm-diff` finds any.
    ///
    /// # Errors
    ///
    /// When the tool cannot be run.
    pub fn diff(&self, left: &str, right: &str) -> Result<Result<(), String>> {
        let (left, right) = (Input::new(left.as_bytes())?, Input::new(right.as_bytes())?);
        let output = run(&self.llvm_diff, [left.path.as_os_str(), right.path.as_os_str()])?;
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        Ok(if output.status.success() { Ok(()) } else { Err(text) })
    }

    /// The module after some passes, given as to `opt -passes=`.
    ///
    /// # Errors
    ///
    /// When LLVM rejects the module or does not know a pass.
    pub fn transform(&self, module: &str, passes: &str) -> Result<String> {
        let input = Input::new(module.as_bytes())?;
        let passes = format!("-passes={passes}");
        let output = run(&self.opt, ["-S".as_ref(), passes.as_ref(), input.path.as_os_str()])?;
        match verdict_of(output) {
            Ok(text) => Ok(String::from_utf8(text).context("opt printed text that is not UTF-8")?),
            Err(message) => bail!("opt rejects the module: {}", head(&message)),
        }
    }

    /// LLVM's cycle hierarchy of every function definition of a module.
    ///
    /// # Errors
    ///
    /// When LLVM rejects the module, or prints a line that is not understood, as it does for block names that hold a
    /// space or a parenthesis.
    pub fn cycles(&self, module: &str) -> Result<Vec<FunctionCycles>> {
        let input = Input::new(module.as_bytes())?;
        self.cycles_of_file(&input.path)
    }

    /// [`Tools::cycles`] for a file, text or bitcode.
    ///
    /// # Errors
    ///
    /// As [`Tools::cycles`].
    pub fn cycles_of_file(&self, path: &Path) -> Result<Vec<FunctionCycles>> {
        let output = run(&self.opt, ["-passes=print<cycles>".as_ref(), "-disable-output".as_ref(), path.as_os_str()])?;
        let text = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "opt rejects {}: {}", path.display(), head(&text));
        parse_cycles(&text)
    }

    /// What a printing pass prints about the text of a module.
    ///
    /// # Errors
    ///
    /// When LLVM rejects the module.
    pub(crate) fn print_of(&self, pass: &str, module: &str) -> Result<String> {
        let input = Input::new(module.as_bytes())?;
        let pass = format!("-passes={pass}");
        let output = run(&self.opt, [pass.as_ref(), "-disable-output".as_ref(), input.path.as_os_str()])?;
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        ensure!(output.status.success(), "opt rejects the module: {}", head(&text));
        Ok(text)
    }
}

/// Reads the output of `print<cycles>`.
fn parse_cycles(text: &str) -> Result<Vec<FunctionCycles>> {
    let mut functions: Vec<FunctionCycles> = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        if let Some(name) = line.strip_prefix("CycleInfo for function: ") {
            functions.push(FunctionCycles { function: name.to_owned(), cycles: Vec::new() });
            continue;
        }
        let cycle = parse_cycle(line.trim()).with_context(|| format!("not a line of print<cycles>: {line}"))?;
        functions.last_mut().context("a cycle before the first function")?.cycles.push(cycle);
    }
    Ok(functions)
}

/// Reads `depth=1: entries(h1 h2) b3 b4`.
fn parse_cycle(line: &str) -> Option<Cycle> {
    let (depth, rest) = line.strip_prefix("depth=")?.split_once(": entries(")?;
    let (entries, others) = rest.split_once(')')?;
    if others.contains(['(', ')']) {
        return None;
    }
    let entries: Vec<String> = entries.split_whitespace().map(str::to_owned).collect();
    let blocks = entries.iter().cloned().chain(others.split_whitespace().map(str::to_owned)).collect();
    Some(Cycle { depth: depth.parse().ok()?, header: entries.first()?.clone(), entries, blocks })
}

/// The tool as `NAME-22`, or as `NAME` when that is of version 22.
pub(crate) fn find(name: &str) -> Result<PathBuf> {
    let versioned = PathBuf::from(format!("{name}-{VERSION}"));
    for candidate in [versioned, PathBuf::from(name)] {
        let Ok(output) = Command::new(&candidate).arg("--version").output() else { continue };
        if String::from_utf8_lossy(&output.stdout).contains(&format!("version {VERSION}.")) {
            return Ok(candidate);
        }
    }
    bail!("no {name}-{VERSION} on PATH, nor a {name} of version {VERSION}")
}

/// Runs a tool to its end, both streams captured.
pub(crate) fn run<I: IntoIterator<Item = S>, S: AsRef<OsStr>>(tool: &Path, arguments: I) -> Result<Output> {
    output(Command::new(tool).args(arguments)).with_context(|| format!("running {}", tool.display()))
}

/// Standard output of a run that succeeded, else its standard error.
fn verdict_of(output: Output) -> Result<Vec<u8>, String> {
    if output.status.success() { Ok(output.stdout) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) }
}

/// The first lines of a long message.
fn head(text: &str) -> String {
    text.lines().take(5).collect::<Vec<_>>().join("\n")
}

/// A temporary file with the input of a tool, removed when dropped.
pub(crate) struct Input {
    pub(crate) path: PathBuf,
    _folder: TempDir,
}

impl Input {
    pub(crate) fn new(content: &[u8]) -> Result<Input> {
        let folder = TempDir::new().context("a folder for the input of an LLVM tool")?;
        let path = folder.path().join("input.ll");
        std::fs::write(&path, content)?;
        Ok(Input { path, _folder: folder })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO_NESTED: &str = "define void @f(i1 %a) {
  br label %1
1:
  br label %inner
inner:
  br i1 %a, label %inner, label %2
2:
  br i1 %a, label %1, label %exit
exit:
  ret void
}
define void @straight() {
  ret void
}
";

    #[test]
    fn cycles_are_read_from_what_opt_prints() {
        let Some(tools) = tools() else { return };
        let functions = tools.cycles(TWO_NESTED).unwrap();
        assert_eq!(functions.len(), 2);
        assert_eq!(functions[0].function, "f");
        let [outer, inner] = functions[0].cycles.as_slice() else { panic!("{functions:?}") };
        assert_eq!((outer.depth, outer.header.as_str(), outer.blocks.len()), (1, "1", 3));
        assert_eq!((inner.depth, inner.header.as_str(), inner.blocks.len()), (2, "inner", 1));
        assert_eq!(functions[1], FunctionCycles { function: "straight".into(), cycles: vec![] });
    }

    #[test]
    fn an_irreducible_cycle_has_its_header_first() {
        let cycle = parse_cycle("depth=3: entries(q p) x y").unwrap();
        assert_eq!(cycle.header, "q");
        assert_eq!(cycle.entries, ["q", "p"]);
        assert_eq!(cycle.blocks, ["q", "p", "x", "y"]);
        assert_eq!(cycle.depth, 3);
    }

    #[test]
    fn text_survives_assembler_and_disassembler() {
        let Some(tools) = tools() else { return };
        let bitcode = tools.assemble(TWO_NESTED).unwrap().unwrap();
        let text = tools.disassemble(&bitcode).unwrap();
        assert_eq!(tools.diff(TWO_NESTED, &text).unwrap(), Ok(()));
        let changed = text.replacen("br i1 %a, label %inner, label %2", "br i1 %a, label %2, label %inner", 1);
        assert_ne!(changed, text);
        assert!(tools.diff(TWO_NESTED, &changed).unwrap().is_err());
    }

    #[test]
    fn a_verdict_is_not_a_syntax_error() {
        let Some(tools) = tools() else { return };
        assert!(tools.verify(TWO_NESTED).unwrap().accepted);
        let broken = "declare token @llvm.experimental.convergence.entry()
define void @f() {
  %t = call token @llvm.experimental.convergence.entry()
  ret void
}
";
        let verdict = tools.verify(broken).unwrap();
        assert!(!verdict.accepted && verdict.output.contains("convergent function"), "{verdict:?}");
        assert!(tools.verify("define nonsense").is_err());
        assert!(tools.assemble("define nonsense").unwrap().is_err());
    }
}
