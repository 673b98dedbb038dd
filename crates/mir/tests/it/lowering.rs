//! Machine functions as problems of uniformity: what is refused, and what is said.

use std::path::Path;

use reconverge_analysis::target::Target;
use reconverge_analysis::uniformity::{Options, analyze};
use reconverge_mir::{File, Machine, lower};
use reconverge_testing::random::SplitMix64;
use reconverge_testing::rounds::{is_one_seed, seeds};

/// The divergent registers and branches of the only function of a text, or why there are none.
fn divergent(body: &str) -> Result<String, String> {
    let text = format!("---\nname: f\nbody: |\n{body}...\n");
    let file = File::read(&text).map_err(|error| error.message)?;
    let function = file.documents[0].read().map_err(|error| error.message)?;
    let machine = Machine::find("amdgpu", None).expect("it is built in");
    let target = Target::named("amdgpu").expect("it is built in");
    let lowered = lower(&function, machine, target, false).map_err(|error| error.message)?;
    let found = analyze(&lowered.problem, &Options::default());
    let values = lowered.definitions.iter().filter(|one| found.values[one.value as usize].is_some());
    let mut said: Vec<String> = values.map(|one| function.register_name(one.register)).collect();
    let branches = (0..lowered.blocks).filter(|&block| found.branches[block].is_some());
    said.extend(branches.map(|block| function.block_name(block as u32)));
    Ok(said.join(" "))
}

#[test]
fn what_is_no_ssa_is_refused() {
    for (body, expected) in [
        (
            "  bb.0:\n    %0:vgpr_32 = X\n    %0:vgpr_32 = X\n",
            "%0 is defined a second time; uniformity is for functions in SSA form",
        ),
        (
            "  bb.0:\n    undef %0.sub0:vreg_64 = X\n",
            "a part of %0 is written; uniformity is for functions in SSA form",
        ),
        ("  bb.0:\n    X %0:vgpr_32\n", "nothing defines %0"),
        ("  bb.0:\n    X %0:vgpr_32\n    %0 = X\n", "%0 is not defined on every path to this use"),
        (
            "  bb.0:\n    successors: %bb.1, %bb.2\n  bb.1:\n    %0:vgpr_32 = X\n  bb.2:\n    X %0\n",
            "%0 is not defined on every path to this use",
        ),
        ("  bb.0:\n    %0:gr32 = X\n", "%0 is of register class `gr32`, which is not known for amdgpu"),
        (
            "  bb.0:\n    %0:vgpr_32 = PHI %0\n",
            "expected a register that is defined, and pairs of a register and a block",
        ),
        (
            "  bb.0:\n    %0:vgpr_32 = PHI $vgpr0, %bb.0\n",
            "expected a virtual register, and the block that it comes from",
        ),
        (
            "  bb.0:\n    %1:vgpr_32 = X\n  bb.1:\n    %0:vgpr_32 = PHI %1, %bb.0, %1, %bb.1\n",
            "this phi has an operand for bb.1, which is no predecessor of its block",
        ),
        (
            "  bb.0:\n    %1:vgpr_32 = X\n  bb.1:\n    %0:vgpr_32 = PHI %1, %bb.0, %1, %bb.0\n",
            "this phi has a second operand for bb.0",
        ),
        (
            "  bb.0:\n    %1:vgpr_32 = X\n  bb.1:\n    successors: %bb.1\n    %0:vgpr_32 = PHI %1, %bb.0\n",
            "operands of this phi: 1; predecessors of its block: 2",
        ),
    ] {
        assert_eq!(divergent(body), Err(expected.to_owned()), "{body}");
    }
}

/// Where a name in a table has a `*` at its beginning and its end, too.
#[test]
fn names_in_tables_stand_for_others() {
    let of = |instruction: &str| divergent(&format!("  bb.0:\n    %0:_(s32) = {instruction}\n"));
    for instruction in [
        "G_ATOMICRMW_ADD 1",
        "G_AMDGPU_ATOMIC_CMPXCHG 1",
        "DS_ADD_RTN_U32_gfx9 1",
        "GLOBAL_LOAD_DWORD_ADDTID 1",
        "V_MBCNT_HI_U32_B32_e64 1",
    ] {
        assert_eq!(of(instruction), Ok("%0".to_owned()), "{instruction}");
    }
    for instruction in ["G_CONSTANT 1", "DS_RTN 1", "V_MOV_B32_e32 1", "XV_MBCNT_HI 1"] {
        assert_eq!(of(instruction), Ok(String::new()), "{instruction}");
    }
}

#[test]
fn what_is_undefined_is_no_use() {
    assert_eq!(divergent("  bb.0:\n    %0:_(s32) = G_ADD undef %1:_(s32), undef %1\n"), Ok(String::new()));
    let joins = |first: &str, second: &str| {
        format!(
            "  bb.0:
    successors: %bb.1, %bb.2
    %0:_(s32) = G_INTRINSIC intrinsic(@llvm.amdgcn.workitem.id.x)
    %1:_(s1) = G_TRUNC %0(s32)
    %4:_(s32) = G_IMPLICIT_DEF
    %5:_(s32) = G_CONSTANT i32 1
    %6:_(s32) = G_CONSTANT i32 2
    G_BRCOND %1(s1), %bb.2
  bb.1:
    successors: %bb.2
  bb.2:
    %3:_(s32) = G_PHI {first}, %bb.0, {second}, %bb.1
"
        )
    };
    // What is undefined can be taken to be what comes over the other edge.
    assert_eq!(divergent(&joins("undef %2:_(s32)", "undef %2:_(s32)")), Ok("%0 %1 bb.0".to_owned()));
    assert_eq!(divergent(&joins("%5", "undef %2:_(s32)")), Ok("%0 %1 bb.0".to_owned()));
    assert_eq!(divergent(&joins("%5", "%4")), Ok("%0 %1 bb.0".to_owned()));
    assert_eq!(divergent(&joins("%5", "%6")), Ok("%0 %1 %3 bb.0".to_owned()));
    assert_eq!(divergent(&joins("%0", "undef %2:_(s32)")), Ok("%0 %1 %3 bb.0".to_owned()));
}

/// A loop over the first block: the graph gets an entry of its own.
#[test]
fn a_first_block_that_is_entered_again() {
    let body = "  bb.0:
    successors: %bb.0, %bb.1
    %0:_(s32) = G_INTRINSIC intrinsic(@llvm.amdgcn.workitem.id.x)
    %2:_(s64) = G_READCYCLECOUNTER
    %1:_(s1) = G_TRUNC %0(s32)
    G_BRCOND %1(s1), %bb.0
  bb.1:
    %3:_(s64) = COPY %2
";
    assert_eq!(divergent(body), Ok("%0 %1 %3 bb.0".to_owned()));
}

/// Code without a block, and without an instruction.
#[test]
fn nothing_is_nothing() {
    assert_eq!(divergent(""), Ok(String::new()));
    assert_eq!(divergent("  bb.0:\n"), Ok(String::new()));
}

/// Results that have operands in common do not multiply them.
#[test]
fn many_results_of_many_operands() {
    let count = 20_000;
    let defined: Vec<String> =
        (0..count).map(|index| format!("    %{index}:_(s32) = G_CONSTANT i32 {index}\n")).collect();
    let results: Vec<String> = (count..2 * count).map(|index| format!("%{index}:_(s32)")).collect();
    let operands: Vec<String> = (0..count).map(|index| format!("%{index}")).collect();
    let body = format!("  bb.0:\n{}    {} = G_Y {}\n", defined.concat(), results.join(", "), operands.join(", "));
    assert_eq!(divergent(&body), Ok(String::new()));
}

/// Whatever stands in a text, nothing panics, errors lie in the text, and what is lowered can be analysed.
#[test]
fn changed_programs_are_read_or_refused() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let mut programs: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    programs.sort();
    let texts: Vec<String> = programs.iter().map(|path| std::fs::read_to_string(path).unwrap()).collect();
    let (machine, target) = (Machine::find("amdgpu", None).unwrap(), Target::named("amdgpu").unwrap());
    let (mut read, mut lowered) = (0, 0);
    for seed in seeds(2000) {
        let mut rng = SplitMix64::new(seed);
        let mut lines: Vec<&str> = rng.pick(&texts).unwrap().lines().collect();
        let others: Vec<&str> = rng.pick(&texts).unwrap().lines().collect();
        for _ in 0..=rng.below(4) {
            let (at, from) = (rng.below(lines.len()), rng.below(lines.len()));
            match rng.below(4) {
                0 => drop(lines.remove(at)),
                1 => lines.insert(at, rng.pick(&others).unwrap()),
                2 => lines.swap(at, from),
                _ => lines[at] = lines[at].get(..rng.below(lines[at].len() + 1)).unwrap_or_default(),
            }
        }
        let text = lines.join("\n");
        let file = match File::read(&text) {
            Ok(file) => file,
            Err(error) => {
                assert!(error.offset <= text.len(), "{error}");
                continue;
            }
        };
        for document in &file.documents {
            let done = document.read().and_then(|function| {
                read += 1;
                let lower = lower(&function, machine, target, rng.percent(50))?;
                analyze(&lower.problem, &Options::default());
                lowered += 1;
                Ok(())
            });
            if let Err(error) = done {
                assert!(error.offset <= text.len() && !error.message.contains('\n'), "{error}");
            }
        }
    }
    assert!(is_one_seed() || read > lowered && lowered > 1000, "{read} functions read, {lowered} lowered");
}
