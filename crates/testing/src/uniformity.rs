//! LLVM's verdict on the uniformity of each value and branch, and the comparison of another verdict with it.
//!
//! The verdict is read from what `print<uniformity>` prints. Values are known by their place (the n-th result in the n-th block),
//! not by name: LLVM numbers unnamed values afresh and prints the names of blocks unescaped. What LLVM prints for each value
//! costs time in proportion to the function and to the number of functions in the module, so a large module has to be fed in
//! parts; `tests/it/uniformity.rs` does that.
//!
//! LLVM is no oracle for soundness. Where it calls a value uniform and we do not, one of the two is wrong, and [`compare`]
//! names the place.

use std::collections::{BTreeSet, VecDeque};
use std::ops::AddAssign;

use anyhow::{Context, Result, bail, ensure};

use crate::llvm::Tools;

/// Which values and branches of a function are divergent.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Verdict {
    /// The names of the divergent parameters, without sigil, quotes or escapes; an unnamed one has its number.
    pub arguments: BTreeSet<String>,
    /// The blocks, in the order of the text. LLVM lists none when everything is uniform.
    pub blocks: Vec<BlockVerdict>,
}

/// Which values of a block are divergent.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BlockVerdict {
    /// The results of its instructions but the terminator, in the order of the text: whether they are divergent.
    pub values: Vec<bool>,
    /// Whether its terminator is divergent. LLVM also marks a `ret` of a divergent value.
    pub terminator: bool,
}

/// The verdict on one function of a module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FunctionVerdict {
    /// The name as LLVM prints it: without sigil, quotes or escapes; empty for a function that has only a number.
    pub function: String,
    /// The verdict.
    pub verdict: Verdict,
}

/// The parameter of this function is divergent iff LLVM knows divergence on the module's target at all.
const PROBE: &str = "\ndefine void @\"reconverge.probe\"(i32 %x) {\n  ret void\n}\n";

impl Tools {
    /// LLVM's verdict on each function definition of a module, in the order of the text. `None` when LLVM knows no
    /// divergence on the target of the module, where it says that everything is uniform.
    ///
    /// # Errors
    ///
    /// When LLVM rejects the module, or prints something that is not understood.
    pub fn uniformity(&self, module: &str) -> Result<Option<Vec<FunctionVerdict>>> {
        let output = self.print_of("print<uniformity>", &format!("{module}{PROBE}"))?;
        let mut functions = parse(&output)?;
        let probe = functions.pop().context("opt printed nothing")?;
        ensure!(probe.function == "reconverge.probe", "the last function is {}", probe.function);
        Ok((!probe.verdict.arguments.is_empty()).then_some(functions))
    }
}

/// What stands before each value and each terminator. What follows is the instruction as LLVM prints it, indented by two.
const DIVERGENT: &str = "  DIVERGENT:   ";
const UNIFORM: &str = "               ";

/// Reads the output of `print<uniformity>`.
fn parse(text: &str) -> Result<Vec<FunctionVerdict>> {
    let mut lines: VecDeque<&str> = text.lines().collect();
    let mut functions = Vec::new();
    while let Some(line) = lines.pop_front() {
        let name = line.strip_prefix("UniformityInfo for function '").and_then(|rest| rest.strip_suffix("':"));
        let function = name.with_context(|| format!("not the beginning of a function: {line}"))?.to_owned();
        let verdict = parse_function(&mut lines).with_context(|| format!("in function {function}"))?;
        functions.push(FunctionVerdict { function, verdict });
    }
    Ok(functions)
}

/// Reads up to the next function.
fn parse_function(lines: &mut VecDeque<&str>) -> Result<Verdict> {
    let mut verdict = Verdict::default();
    while lines.front().is_some_and(|line| !line.starts_with("UniformityInfo for function '")) {
        let line = lines.pop_front().expect("there is one");
        if line.starts_with("BLOCK ") {
            verdict.blocks.push(parse_block(lines)?);
        } else if let Some(argument) = line.strip_prefix("  DIVERGENT: ") {
            verdict.arguments.insert(local_name(argument)?);
        }
        // The lists of cycles and of temporal divergence say why, not what.
    }
    Ok(verdict)
}

/// Reads from behind the name of a block, which may hold line breaks, to its end.
fn parse_block(lines: &mut VecDeque<&str>) -> Result<BlockVerdict> {
    let mut block = BlockVerdict::default();
    while lines.pop_front().context("a block ends early")? != "DEFINITIONS" {}
    let mut in_terminators = false;
    loop {
        let line = lines.pop_front().context("a block ends early")?;
        let (divergent, instruction) = match (line.strip_prefix(DIVERGENT), line.strip_prefix(UNIFORM)) {
            (Some(instruction), _) => (true, instruction),
            (_, Some(instruction)) => (false, instruction),
            _ if line == "TERMINATORS" => {
                in_terminators = true;
                continue;
            }
            _ if line == "END BLOCK" => return Ok(block),
            // A `switch`, an `invoke` or a `landingpad` goes on.
            _ if line.starts_with("  ") => continue,
            _ => bail!("not a line of a block: {line}"),
        };
        if in_terminators {
            block.terminator |= divergent;
        } else if instruction.starts_with('%') {
            block.values.push(divergent);
        }
    }
}

/// The name in `ptr addrspace(1) %0`, `i32 %"a b\22"`: without sigil, quotes or escapes.
fn local_name(operand: &str) -> Result<String> {
    if let Some((_, quoted)) = operand.strip_suffix('"').and_then(|operand| operand.split_once("%\"")) {
        let mut parts = quoted.split('\\');
        let mut name = parts.next().expect("there is a first part").as_bytes().to_vec();
        for part in parts {
            let (digits, rest) = part.split_at_checked(2).with_context(|| format!("not an escape: {operand}"))?;
            name.push(u8::from_str_radix(digits, 16)?);
            name.extend(rest.bytes());
        }
        return Ok(String::from_utf8_lossy(&name).into_owned());
    }
    let (_, name) = operand.rsplit_once('%').with_context(|| format!("not a parameter: {operand}"))?;
    Ok(name.to_owned())
}

/// How two verdicts compare, in values (parameters included) and in branches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Functions compared.
    pub functions: usize,
    /// Values, parameters included.
    pub values: Tally,
    /// Terminators with more than one successor.
    pub branches: Tally,
}

/// How two verdicts compare on things of one kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    /// All.
    pub total: usize,
    /// Those that LLVM calls divergent.
    pub divergent_in_llvm: usize,
    /// Those that we call divergent.
    pub divergent_in_ours: usize,
    /// Those that LLVM calls uniform and we divergent.
    pub uniform_in_llvm_only: usize,
    /// Those that LLVM calls divergent and we uniform.
    pub uniform_in_ours_only: usize,
}

impl Tally {
    fn count(&mut self, llvm: bool, ours: bool) {
        self.total += 1;
        self.divergent_in_llvm += usize::from(llvm);
        self.divergent_in_ours += usize::from(ours);
        self.uniform_in_llvm_only += usize::from(!llvm && ours);
        self.uniform_in_ours_only += usize::from(llvm && !ours);
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.total += other.total;
        self.divergent_in_llvm += other.divergent_in_llvm;
        self.divergent_in_ours += other.divergent_in_ours;
        self.uniform_in_llvm_only += other.uniform_in_llvm_only;
        self.uniform_in_ours_only += other.uniform_in_ours_only;
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        self.functions += other.functions;
        self.values += other.values;
        self.branches += other.branches;
    }
}

impl Counts {
    /// The head of a table of [`Counts::row`]s.
    pub const HEAD: &str = "corpus                         functions |   values   LLVM div.  our div.  LLVM only  ours only | \
                            branches   LLVM div.  our div.  LLVM only  ours only";

    /// One row of a table; "only" is what only this one calls uniform.
    pub fn row(&self, name: &str) -> String {
        let tally = |tally: &Tally| {
            let Tally { total, divergent_in_llvm, divergent_in_ours, uniform_in_llvm_only, uniform_in_ours_only } =
                tally;
            format!(
                "{total:8} {divergent_in_llvm:11} {divergent_in_ours:9} {uniform_in_llvm_only:10} {uniform_in_ours_only:10}"
            )
        };
        format!("{name:30} {:9} | {} | {}", self.functions, tally(&self.values), tally(&self.branches))
    }
}

/// Something that LLVM calls uniform and we divergent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// The parameter with this name.
    Argument(String),
    /// A result: the index of its block, and its index among the results of the block.
    Value(usize, usize),
    /// The terminator of the block with this index.
    Terminator(usize),
}

/// What the comparison needs to know of a function, next to the two verdicts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Shape {
    /// The names of all parameters, as in [`Verdict::arguments`].
    pub arguments: Vec<String>,
    /// By block, in the order of the text.
    pub blocks: Vec<BlockShape>,
}

/// What the comparison needs to know of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BlockShape {
    /// Whether it can be reached from the entry. What is in other blocks is not compared.
    pub reachable: bool,
    /// How many instructions but the terminator have a result.
    pub values: usize,
    /// How many successors it has.
    pub successors: usize,
}

/// Compares LLVM's verdict on a function with ours, which has to list every block.
///
/// # Errors
///
/// When a verdict is not one on a function of this shape.
pub fn compare(shape: &Shape, llvm: &Verdict, ours: &Verdict) -> Result<(Counts, Vec<Place>)> {
    let (mut counts, mut places) = (Counts { functions: 1, ..Counts::default() }, Vec::new());
    ensure!(ours.blocks.len() == shape.blocks.len(), "we judge {} blocks", ours.blocks.len());
    ensure!(
        llvm.blocks.is_empty() || llvm.blocks.len() == shape.blocks.len(),
        "LLVM lists {} blocks",
        llvm.blocks.len()
    );
    for argument in llvm.arguments.iter().chain(&ours.arguments) {
        ensure!(shape.arguments.contains(argument), "no parameter {argument}");
    }
    for argument in &shape.arguments {
        let (theirs, ours) = (llvm.arguments.contains(argument), ours.arguments.contains(argument));
        counts.values.count(theirs, ours);
        if !theirs && ours {
            places.push(Place::Argument(argument.clone()));
        }
    }
    for (index, block) in shape.blocks.iter().enumerate() {
        let all_uniform = BlockVerdict { values: vec![false; block.values], terminator: false };
        let (llvm, ours) = (llvm.blocks.get(index).unwrap_or(&all_uniform), &ours.blocks[index]);
        ensure!(llvm.values.len() == block.values, "LLVM lists {} results in block {index}", llvm.values.len());
        ensure!(ours.values.len() == block.values, "we judge {} results in block {index}", ours.values.len());
        if !block.reachable {
            continue;
        }
        for (at, (&theirs, &ours)) in llvm.values.iter().zip(&ours.values).enumerate() {
            counts.values.count(theirs, ours);
            if !theirs && ours {
                places.push(Place::Value(index, at));
            }
        }
        if block.successors > 1 {
            counts.branches.count(llvm.terminator, ours.terminator);
            if !llvm.terminator && ours.terminator {
                places.push(Place::Terminator(index));
            }
        }
    }
    Ok((counts, places))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::llvm;

    const ODD: &str = r#"target triple = "amdgcn-amd-amdhsa"
declare i32 @llvm.amdgcn.workitem.id.x()
declare void @use(i32)
declare i32 @__gxx_personality_v0(...)
define amdgpu_kernel void @uniform(i32 %a) {
  %b = add i32 %a, 1
  ret void
}
define void @"a 'b':"(i32 %"x %y\22", i32 inreg %s, i32 %0) personality ptr @__gxx_personality_v0 {
"en try":
  %"t:1" = call i32 @llvm.amdgcn.workitem.id.x()
  %b = add i32 %s, 1
  call void @use(i32 %s)
  %c = icmp slt i32 %"t:1", %"x %y\22"
  br i1 %c, label %"l\0Ap", label %next
"l\0Ap":
  switch i32 %b, label %next [ i32 3, label %next
    i32 4, label %"l\0Ap" ]
next:
  invoke void @use(i32 1) to label %out unwind label %pad
out:
  ret void
pad:
  %l = landingpad { ptr, i32 }
          cleanup
          catch ptr null
  resume { ptr, i32 } %l
}
"#;

    /// Names with spaces, quotes and line breaks; instructions of several lines; blocks without values.
    #[test]
    fn what_opt_prints_is_read() {
        let Some(tools) = llvm::tools() else { return };
        let functions = tools.uniformity(ODD).unwrap().unwrap();
        assert_eq!(functions[0], FunctionVerdict { function: "uniform".into(), verdict: Verdict::default() });
        assert_eq!(functions[1].function, "a 'b':");
        let Verdict { arguments, blocks } = &functions[1].verdict;
        assert_eq!(arguments.iter().collect::<Vec<_>>(), ["0", "x %y\""]);
        let expected = [(&[true, false, true][..], true), (&[], false), (&[], true), (&[], false), (&[false], false)];
        let found: Vec<_> = blocks.iter().map(|block| (block.values.as_slice(), block.terminator)).collect();
        assert_eq!(found, expected);
        assert_eq!(functions.len(), 2);
    }

    #[test]
    fn a_target_without_divergence_has_no_verdict() {
        let Some(tools) = llvm::tools() else { return };
        for triple in ["spirv64", "r600--", "x86_64-linux"] {
            let module = format!("target triple = \"{triple}\"\ndefine i32 @f(i32 %x) {{\n  ret i32 %x\n}}\n");
            assert_eq!(tools.uniformity(&module).unwrap(), None, "{triple}");
        }
        assert!(tools.uniformity("define nonsense").is_err());
    }

    /// With every list that there is.
    const LISTS: &str = "UniformityInfo for function 'f':
DIVERGENT ARGUMENTS:
  DIVERGENT: ptr addrspace(1) %0
CYCLES ASSUMED DIVERGENT:
  depth=1: entries(16 10) 13
CYCLES WITH DIVERGENT EXIT:
  depth=1: entries(16 10) 13

TEMPORAL DIVERGENCE LIST:
Value         :  %11 = phi i32 [ %19, %16 ], [ %7, %2 ]
Used by       :  %23 = add nsw i32 %22, %11
Outside cycle :depth=1: entries(16 10) 13


BLOCK 2
DEFINITIONS
  DIVERGENT:   %3 = tail call i64 @_Z13get_global_idj(i32 noundef 0) #4
               %4 = shl i64 1, 32
  DIVERGENT:   store i32 %20, ptr addrspace(1) %6, align 4, !tbaa !5
TERMINATORS
               switch i8 %19, label %37 [
    i8 0, label %20
  ]
END BLOCK

BLOCK %x
y
DEFINITIONS
TERMINATORS
  DIVERGENT:   switch i8 %19, label %37 [
    i8 0, label %20
  ]
END BLOCK
UniformityInfo for function 'g':
ALL VALUES UNIFORM
";

    #[test]
    fn lists_of_reasons_are_passed_over() {
        let functions = parse(LISTS).unwrap();
        let Verdict { arguments, blocks } = &functions[0].verdict;
        assert_eq!(arguments.iter().collect::<Vec<_>>(), ["0"]);
        let first = BlockVerdict { values: vec![true, false], terminator: false };
        assert_eq!(blocks, &[first, BlockVerdict { values: vec![], terminator: true }]);
        assert_eq!(functions[1].verdict, Verdict::default());
        // Cut anywhere, it is an error or has fewer functions or blocks.
        for lines in 15..LISTS.lines().count() - 2 {
            let cut: String = LISTS.lines().take(lines).map(|line| format!("{line}\n")).collect();
            assert_ne!(parse(&cut).ok(), Some(functions[..1].to_vec()), "{cut}");
        }
    }

    #[test]
    fn names_of_parameters() {
        assert_eq!(local_name("ptr addrspace(1) %0").unwrap(), "0");
        assert_eq!(local_name("%struct.s %a.b").unwrap(), "a.b");
        assert_eq!(local_name(r#"i32 %"a %b\5C\22""#).unwrap(), "a %b\\\"");
        assert!(local_name("i32").is_err());
    }

    #[test]
    fn differences_are_counted_and_named() {
        let block = |values: &[bool], terminator| BlockVerdict { values: values.to_vec(), terminator };
        let verdict = |arguments: &[&str], blocks: &[BlockVerdict]| Verdict {
            arguments: arguments.iter().map(|&name| name.to_owned()).collect(),
            blocks: blocks.to_vec(),
        };
        let llvm = verdict(&["a"], &[block(&[true, true, false], false), block(&[], true), block(&[false], false)]);
        let ours = verdict(&["b"], &[block(&[true, false, true], true), block(&[], false), block(&[true], true)]);
        let shape = Shape {
            arguments: vec!["a".into(), "b".into(), "c".into()],
            blocks: vec![
                BlockShape { reachable: true, values: 3, successors: 2 },
                BlockShape { reachable: true, values: 0, successors: 3 },
                BlockShape { reachable: false, values: 1, successors: 2 },
            ],
        };
        let (counts, places) = compare(&shape, &llvm, &ours).unwrap();
        assert_eq!(places, [Place::Argument("b".into()), Place::Value(0, 2), Place::Terminator(0)]);
        let tally = |total, divergent_in_llvm, divergent_in_ours, uniform_in_llvm_only, uniform_in_ours_only| Tally {
            total,
            divergent_in_llvm,
            divergent_in_ours,
            uniform_in_llvm_only,
            uniform_in_ours_only,
        };
        assert_eq!(counts, Counts { functions: 1, values: tally(6, 3, 3, 2, 2), branches: tally(2, 1, 1, 1, 1) });
        // When all is uniform LLVM lists nothing.
        let (counts, places) = compare(&shape, &Verdict::default(), &ours).unwrap();
        assert_eq!((counts.values.uniform_in_llvm_only, counts.branches.total, places.len()), (3, 2, 4));
        // A verdict on another function.
        assert!(compare(&shape, &llvm, &Verdict::default()).is_err());
        assert!(compare(&shape, &verdict(&["d"], &[]), &ours).is_err());
        assert!(compare(&shape, &verdict(&[], &ours.blocks[..2]), &ours).is_err());
        assert!(
            compare(&shape, &verdict(&[], &[block(&[], true), block(&[], true), block(&[true], true)]), &ours).is_err()
        );
    }
}
