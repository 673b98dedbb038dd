//! A case: a file with kernels, and in comments how to launch them.
//!
//! | comment | says |
//! |---|---|
//! | `// RUN: --grid 4 --block 64 --arg out=u32[256] --arg n=7` | a launch, in the words of `reconverge run`; `--kernel` is needed only where there are several, or names are mangled |
//! | `// EXPECT: out=u32{1,2,3}` | what a buffer holds after the launch above |
//! | `// TOLERANCE: out=4ulp sum=1e-6` | how far floating-point results may be off; 0 where nothing is said |
//! | `// FLAGS: -cl-std=CL3.0` | more arguments for the compiler, on our side |
//! | `// ONLY: pocl because …` | the reference that can run it, where not all can |
//! | `// NO-REFERENCE: reason` | why no reference can; `EXPECT` says what comes out |
//!
//! What has no counterpart in OpenCL C 1.2 (generic pointers, functions of sub-groups and work-groups, CUDA) has a *scalar version* in
//! `tests/cases/reference`, in a folder and file of the same name: kernels of the same names and parameters that compute the same by plain
//! loops. References run that instead.
//!
//! Arguments are separated by spaces and contain none. Data are written as [`super::data`] says.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use reconverge_exec::launch::Element;

use super::Implementation;
use super::data::{self, Tolerance};

/// A file with kernels and launches.
#[derive(Debug, Clone)]
pub struct Case {
    /// The file.
    pub path: PathBuf,
    /// What is in it.
    pub source: String,
    /// The launches, in the order of the text.
    pub launches: Vec<Launch>,
    /// More arguments for the compiler, on our side.
    pub flags: Vec<String>,
    /// How far results may be off, by the name of the buffer.
    pub tolerances: Vec<(String, Tolerance)>,
    /// The only implementation that can run it.
    pub only: Option<Implementation>,
    /// Why no implementation can.
    pub no_reference: Option<String>,
    /// What implementations run instead: plain loops that compute the same.
    pub scalar_version: Option<String>,
}

/// A kernel with data and threads.
#[derive(Debug, Clone)]
pub struct Launch {
    /// The line that says so, from 1.
    pub line: usize,
    /// The kernel.
    pub kernel: String,
    /// How many workgroups, in x, y and z.
    pub grid: [u32; 3],
    /// How many threads a workgroup has, in x, y and z.
    pub block: [u32; 3],
    /// How many threads a subgroup has.
    pub subgroup: u32,
    /// What parameters get.
    pub arguments: Vec<(String, Value)>,
    /// What buffers hold afterwards.
    pub expected: Vec<(String, Vec<u8>)>,
}

/// What a parameter gets.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A number, to be read as the parameter's type says.
    Number(String),
    /// A buffer; of one in local memory only the size matters.
    Buffer {
        /// The type of the elements.
        element: Element,
        /// What is in it before the launch.
        bytes: Vec<u8>,
    },
}

/// How many threads a subgroup has where a launch does not say.
pub const SUBGROUP: u32 = 32;

impl Case {
    /// Reads a file. One without launches is no case.
    ///
    /// # Errors
    ///
    /// When the file cannot be read or a comment is not of the form above.
    pub fn read(path: &Path) -> Result<Option<Case>> {
        let source = fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
        let mut case = parse(path, source).with_context(|| path.display().to_string())?;
        let (folder, name) = (path.parent().context("no folder")?, path.file_stem().context("no name")?);
        let kind = folder.file_name().context("no kind")?;
        let scalar = folder.with_file_name("reference").join(kind).join(name).with_extension("cl");
        if scalar.exists() {
            case.scalar_version = Some(fs::read_to_string(&scalar)?);
        }
        Ok((!case.launches.is_empty()).then_some(case))
    }

    /// How far a buffer may be off.
    pub fn tolerance(&self, buffer: &str) -> Tolerance {
        self.tolerances.iter().find(|(name, _)| name == buffer).map_or(Tolerance::Exact, |&(_, tolerance)| tolerance)
    }

    /// The references that can run it.
    pub fn references(&self, installed: &[Implementation]) -> Vec<Implementation> {
        let wanted = |one: &Implementation| self.no_reference.is_none() && self.only.is_none_or(|only| only == *one);
        installed.iter().copied().filter(wanted).collect()
    }
}

impl Launch {
    /// The kernel's name in the source, where that of the launch is mangled as C++ does it for functions outside of classes.
    pub fn plain_name(&self) -> &str {
        let Some(rest) = self.kernel.strip_prefix("_Z") else { return &self.kernel };
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let (length, name) = rest.split_at(digits);
        length.parse().ok().and_then(|length: usize| name.get(..length)).unwrap_or(&self.kernel)
    }

    /// The type of the elements of a buffer.
    pub fn element(&self, buffer: &str) -> Option<Element> {
        self.arguments.iter().find_map(|(name, value)| match value {
            Value::Buffer { element, .. } if name == buffer => Some(*element),
            _ => None,
        })
    }
}

fn parse(path: &Path, source: String) -> Result<Case> {
    let mut case = Case {
        path: path.to_owned(),
        source: String::new(),
        launches: Vec::new(),
        flags: Vec::new(),
        tolerances: Vec::new(),
        only: None,
        no_reference: None,
        scalar_version: None,
    };
    for (line, text) in (1..).zip(source.lines()) {
        let Some((key, rest)) = text.strip_prefix("// ").and_then(|comment| comment.split_once(": ")) else { continue };
        comment(&mut case, &source, line, key, rest).with_context(|| format!("line {line}: {text}"))?;
    }
    for launch in &case.launches {
        let is_checked = case.no_reference.is_none() || !launch.expected.is_empty();
        ensure!(is_checked, "line {}: nothing says what comes out of this launch", launch.line);
    }
    case.source = source;
    Ok(case)
}

fn comment(case: &mut Case, source: &str, line: usize, key: &str, text: &str) -> Result<()> {
    let mut words = text.split_whitespace();
    match key {
        "RUN" => case.launches.push(launch(line, text, source)?),
        "EXPECT" => expect(case, text)?,
        "TOLERANCE" => {
            for word in words {
                case.tolerances.push(tolerance(word)?);
            }
        }
        "FLAGS" => case.flags.extend(words.map(str::to_owned)),
        "ONLY" => {
            let name = words.next();
            let found = Implementation::ALL.into_iter().find(|one| Some(one.name()) == name);
            case.only = Some(found.context("no such implementation")?);
        }
        "NO-REFERENCE" => case.no_reference = Some(text.to_owned()),
        _ => {}
    }
    Ok(())
}

fn launch(line: usize, text: &str, source: &str) -> Result<Launch> {
    let mut launch = Launch {
        line,
        kernel: String::new(),
        grid: [1; 3],
        block: [1; 3],
        subgroup: SUBGROUP,
        arguments: Vec::new(),
        expected: Vec::new(),
    };
    let mut words = text.split_whitespace();
    while let Some(option) = words.next() {
        let value = words.next().with_context(|| format!("nothing behind {option}"))?;
        match option {
            "--kernel" => launch.kernel = value.to_owned(),
            "--grid" => launch.grid = dimensions(value)?,
            "--block" => launch.block = dimensions(value)?,
            "--subgroup" => launch.subgroup = value.parse()?,
            "--arg" => {
                let (name, value) = value.split_once('=').context("no = in an argument")?;
                ensure!(launch.arguments.iter().all(|(known, _)| known != name), "{name} is given twice");
                launch.arguments.push((name.to_owned(), argument(value)?));
            }
            _ => bail!("no such option: {option}"),
        }
    }
    if launch.kernel.is_empty() {
        let [only] = kernels(source)[..] else { bail!("--kernel has to say which of the kernels") };
        launch.kernel = only.to_owned();
    }
    Ok(launch)
}

/// The names of the kernels of a source, without repetition.
fn kernels(source: &str) -> Vec<&str> {
    let mut names = Vec::new();
    for (at, _) in source.match_indices("\nkernel ") {
        // The name is what stands between the type and the parameters.
        let Some((_, behind)) = source[at..].split_once("void") else { continue };
        let name = behind.split('(').next().unwrap_or_default().trim();
        if !name.is_empty() && !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

fn dimensions(text: &str) -> Result<[u32; 3]> {
    let mut sizes = [1; 3];
    ensure!(text.split(',').count() <= 3, "more than three dimensions");
    for (size, number) in sizes.iter_mut().zip(text.split(',')) {
        *size = number.parse()?;
    }
    Ok(sizes)
}

fn argument(text: &str) -> Result<Value> {
    if text.contains(['[', '{']) {
        let (element, bytes) = data::buffer(text)?;
        return Ok(Value::Buffer { element, bytes });
    }
    ensure!(!text.is_empty() && !text.starts_with('@'), "neither a number nor a buffer");
    Ok(Value::Number(text.to_owned()))
}

fn expect(case: &mut Case, text: &str) -> Result<()> {
    let launch = case.launches.last_mut().context("no launch above")?;
    let (name, value) = text.trim().split_once('=').context("no = in an expectation")?;
    let (element, bytes) = data::buffer(value)?;
    ensure!(launch.element(name) == Some(element), "{name} is no buffer of that type");
    launch.expected.push((name.to_owned(), bytes));
    Ok(())
}

fn tolerance(word: &str) -> Result<(String, Tolerance)> {
    let (name, much) = word.split_once('=').context("no = in a tolerance")?;
    let tolerance = match much.strip_suffix("ulp") {
        Some(steps) => Tolerance::Ulp(steps.parse()?),
        None => Tolerance::Absolute(much.parse()?),
    };
    Ok((name.to_owned(), tolerance))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "// Adds.
// RUN: --grid 2,3 --block 64 --subgroup 16 --arg out=u32[2] --arg x=-1.5
// EXPECT: out=u32{1,2}
// TOLERANCE: out=4ulp x=0.5
// FLAGS: -cl-std=CL3.0 -w
// ONLY: pocl because the other one has no such thing
kernel __attribute__((reqd_work_group_size(64, 1, 1))) void
add(global uint *out, float x) {}
";

    #[test]
    fn comments_say_how_to_launch() {
        let case = parse(Path::new("add.cl"), SOURCE.to_owned()).unwrap();
        let [launch] = &case.launches[..] else { panic!("{case:?}") };
        assert_eq!((launch.line, launch.kernel.as_str(), launch.grid, launch.block), (2, "add", [2, 3, 1], [64, 1, 1]));
        assert_eq!(launch.subgroup, 16);
        assert_eq!(launch.arguments[0].1, Value::Buffer { element: Element::U32, bytes: vec![0; 8] });
        assert_eq!(launch.arguments[1], ("x".to_owned(), Value::Number("-1.5".to_owned())));
        assert_eq!(launch.expected, [("out".to_owned(), vec![1, 0, 0, 0, 2, 0, 0, 0])]);
        assert_eq!(case.tolerance("out"), Tolerance::Ulp(4));
        assert_eq!(case.tolerance("x"), Tolerance::Absolute(0.5));
        assert_eq!(case.tolerance("other"), Tolerance::Exact);
        assert_eq!(case.flags, ["-cl-std=CL3.0", "-w"]);
        assert_eq!(case.references(&Implementation::ALL), [Implementation::Pocl]);
    }

    #[test]
    fn references_know_kernels_by_plain_names() {
        let named = |kernel: &str| Launch { kernel: kernel.to_owned(), ..launch(1, "--kernel k", "").unwrap() };
        assert_eq!(named("_Z8matmul16PKfS0_Pfi").plain_name(), "matmul16");
        assert_eq!(named("plain").plain_name(), "plain");
        assert_eq!(named("_ZN1a1bEv").plain_name(), "_ZN1a1bEv");
    }

    #[test]
    fn what_is_not_understood_is_an_error() {
        for (from, to) in [
            ("--grid 2,3", "--grid 2,3,4,5"),
            ("--grid", "--gird"),
            ("out=u32[2]", "out=u32"),
            ("out=u32{1,2}", "put=u32{1,2}"),
            ("out=u32{1,2}", "out=i32{1,2}"),
            ("4ulp", "four"),
            ("ONLY: pocl", "ONLY: another"),
            ("ONLY: pocl", "EXPECT: out=u32"),
            ("add(", "add(global uint *out, uint x) {}\nkernel void sub("),
        ] {
            let changed = SOURCE.replacen(from, to, 1);
            assert_ne!(changed, SOURCE);
            assert!(parse(Path::new("add.cl"), changed).is_err(), "{to}");
        }
    }

    #[test]
    fn a_launch_without_a_reference_says_what_comes_out() {
        let source = SOURCE.replace("ONLY: pocl because", "NO-REFERENCE:").replace("// EXPECT: out=u32{1,2}\n", "");
        assert!(parse(Path::new("add.cl"), source).is_err());
    }
}
