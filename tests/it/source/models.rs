//! Who is together in runs of source files, by the models and by the readings of masks.

use std::collections::BTreeMap;
use std::path::Path;

use expect_test::expect;
use tempfile::TempDir;

use super::{Written, json, run_on, write};
use crate::common::{Run, installed, reconverge, root};

/// For each operation of a run, by its line in the source, the sets of threads that executed it together, in order.
fn sets(file: &str, model: &str, arguments: &[&str]) -> BTreeMap<u64, Vec<Vec<u64>>> {
    let path = format!("tests/cases/source/{file}");
    let run = reconverge(&[&["run", &path, "--format", "json", "--model", model], arguments].concat(), b"");
    assert_eq!(run.status, 0, "{run:?}");
    let mut sets: BTreeMap<u64, Vec<Vec<u64>>> = BTreeMap::new();
    for event in json(&run)["events"].as_array().expect("a list") {
        let threads =
            event["threads"].as_array().expect("a list").iter().map(|thread| thread.as_u64().expect("a number"));
        sets.entry(event["line"].as_u64().expect("a number")).or_default().push(threads.collect());
    }
    sets
}

const TURNS: [&str; 6] = ["--block", "2", "--arg", "turns=u32[2]{2,2}", "--arg", "skips=u32[2]{1,0}"];

// conformance: clang-2025-04/60, 60a, 61, 61a
#[test]
fn two_loops_that_one_thread_cannot_tell_apart() {
    let both = || vec![0, 1];
    for model in ["clang-2025-04", "tangles-2024-10", "clang-2025-08"] {
        // `one` in every turn together; who skips `two` is late for the next.
        let with_continue = sets("ambiguous-continue.cl", model, &TURNS);
        let expected = [(12, vec![both(), both()]), (18, vec![vec![1], both()]), (23, vec![both()])];
        assert_eq!(with_continue, BTreeMap::from(expected), "{model}");
        // Who goes round the inner loop again is waited for.
        let nest = sets("ambiguous-nest.cl", model, &TURNS);
        let one = nest[&12].clone();
        assert_eq!(one[0], both(), "{model}");
        assert_eq!(sorted(one[1..].to_vec()), [vec![0], vec![1]], "{model}");
        assert_eq!(nest[&15], [both(), vec![1]], "{model}");
        assert_eq!(nest[&17], [both()], "{model}");
    }
    // One graph without tokens: the difference is gone.
    let with_continue = sets("ambiguous-continue.cl", "maximal", &TURNS);
    let nest = sets("ambiguous-nest.cl", "maximal", &TURNS);
    assert_eq!(with_continue.into_values().collect::<Vec<_>>(), nest.into_values().collect::<Vec<_>>());
}

fn sorted(mut sets: Vec<Vec<u64>>) -> Vec<Vec<u64>> {
    sets.sort();
    sets
}

// conformance: clang-2025-04/63, 64
#[test]
fn a_loop_that_is_left_from_inside_of_a_condition() {
    let arguments = ["--block", "2", "--arg", "turns=u32[2]{0,1}"];
    for model in ["clang-2025-04", "tangles-2024-10", "clang-2025-08"] {
        let sets = sets("divergent-exit.cl", model, &arguments);
        assert_eq!(sets[&13], [[0, 1]], "{model}: start");
        assert_eq!(sets[&15], [vec![0, 1], vec![1]], "{model}: body");
        assert_eq!(sorted(sets[&17].clone()), [[0], [1]], "{model}: leaving, in different iterations");
        assert_eq!(sets[&21], [[0, 1]], "{model}: last");
    }
    let sets = sets("divergent-exit.cl", "maximal", &arguments);
    assert_eq!(sets[&17], [[0, 1]], "the graph has `leaving` outside of the loop");
    assert_eq!(sets[&21], [[0, 1]]);
}

#[test]
fn all_models_side_by_side() {
    let path = "tests/cases/source/divergent-exit.cl";
    let arguments = ["run", path, "--model", "all", "--block", "2", "--arg", "turns=u32[2]{0,1}"];
    let run = reconverge(&arguments, b"");
    assert_eq!(run.status, 0, "{run:?}");
    let line = run.stdout.lines().find(|line| line.contains("leaving (")).expect("it ran");
    assert_eq!(
        line.split_whitespace().collect::<Vec<_>>(),
        ["≠", "leaving", "(divergent-exit.cl:17)", "{0}", "{0,1}", "{0,1}"]
    );
    let run = reconverge(&[&arguments[..], &["--format", "json"]].concat(), b"");
    let report = json(&run);
    assert_eq!(report["same_sets"], false);
    let models: Vec<&String> = report["models"].as_object().expect("an object").keys().collect();
    assert_eq!(models, ["clang-2025-04", "ipdom", "maximal"]);
}

// conformance: tangles-2024-10/20a, 20b, 21b, 21c
#[test]
fn models_of_source_run_by_their_own_rules() {
    let out = |file: &str, argument: &str, threads: &str, options: &[&str]| {
        let path = format!("tests/conformance/{file}");
        let out = format!("out=u32[{threads}]");
        let launch = ["run", &path, "--block", threads, "--arg", argument, "--arg", &out, "--format", "json"];
        let run = reconverge(&[&launch[..], options].concat(), b"");
        assert_eq!(run.status, 0, "{}", run.stderr);
        json(&run)["buffers"]["out"].to_string()
    };
    let fall = |options: &[&str]| out("fall-through.cl", "way=u32[6]{2,3,2,3,9,3}", "6", options);
    let rounds = |options: &[&str]| out("rounds.cl", "count=u32[4]{1,2,2,3}", "4", options);
    let (united, apart) = ("[105,5,105,5,0,5]", "[102,3,102,3,0,3]");
    for (model, solo) in [("clang-2025-04", united), ("tangles-2024-10", apart), ("clang-2025-08", united)] {
        assert_eq!(fall(&["--model", model]), united, "{model}");
        assert_eq!(fall(&["--model", model, "--anchor", "solo"]), solo, "{model}");
        // Only the text of 2024 says who is together in a round of a label.
        let alone = if model == "tangles-2024-10" { "[4,43,43,431]" } else { "[1,11,11,111]" };
        assert_eq!(rounds(&["--model", model]), "[4,43,43,431]", "{model}");
        assert_eq!(rounds(&["--model", model, "--anchor", "solo"]), alone, "{model}");
    }
    // A choice that divides threads at tokens is no choice of these texts.
    let arguments = ["run", "tests/conformance/rounds.cl", "--model", "tangles-2024-10", "--anchor", "active"];
    let run = reconverge(&[&arguments[..], &["--arg", "count=u32[1]", "--arg", "out=u32[1]"]].concat(), b"");
    assert!(run.status == 2 && run.stderr.contains("--anchor is maximal or solo"), "{}", run.stderr);
}

/// By April 2025 who falls through meets those who jump there, so that a program without the fall-through does the same; by the text of 2024 it need not.
#[test]
fn validate_follows_the_model_of_the_source() {
    let text = "kernel void k(global const uint *in, global uint *out) {\n  uint id = get_local_id(0), sum = 0;\n";
    let operation = "sum += sub_group_non_uniform_reduce_add(1u);";
    let before = write(
        "before.cl",
        format!("{text}  if (in[id] % 2) goto other;\n  sum += 7;\n  other: {operation}\n  out[id] = sum;\n}}\n"),
    );
    let after =
        write("after.cl", format!("{text}  if (!(in[id] % 2)) sum += 7;\n  {operation}\n  out[id] = sum;\n}}\n"));
    let verdict = |model: &str, files: [&Written; 2]| {
        let paths = files.map(|file| file.path.display().to_string());
        reconverge(&["validate", &paths[0], &paths[1], "--model", model, "--block", "4"], b"").status
    };
    assert_eq!(verdict("controlled", [&before, &after]), 0);
    // To unite them is a choice that the text of 2024 leaves before, and takes away afterwards.
    assert_eq!(verdict("tangles-2024-10", [&before, &after]), 0);
    assert_eq!(verdict("tangles-2024-10", [&after, &before]), 1);
    assert_eq!(verdict("clang-2025-08", [&after, &before]), 0);
}

/// What a kernel with masks leaves in `out` under a reading of them, and what is found, with the notes.
fn with_masks(path: &str, kernel: &[&str], reading: &str) -> (i32, String, Vec<String>) {
    let arguments = ["run", path, "--block", "4", "--subgroup", "4", "--arg", "out=u32[4]", "--format", "json"];
    let run = reconverge(&[&arguments[..], kernel, &["--masks", reading]].concat(), b"");
    let report = json(&run);
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    let found = report["diagnostics"].as_array().expect("a list").iter().flat_map(|found| {
        let notes = found["notes"].as_array().into_iter().flatten().map(text);
        [format!("{}: {}", text(&found["code"]), text(&found["message"]))].into_iter().chain(notes)
    });
    (run.status, report["buffers"]["out"].to_string(), found.collect())
}

// conformance: clang-2025-04/10, 11, 12
#[test]
fn masks_are_read_in_two_ways() {
    // The calls keep threads apart, and each of those that the mask names comes to the operation.
    let path = "tests/cases/source/thread-masks.cu";
    assert_eq!(with_masks(path, &[], "partition"), (0, "[5,10,5,10]".to_owned(), vec![]));
    assert_eq!(with_masks(path, &[], "concurrent"), (0, "[15,15,15,15]".to_owned(), vec![]));
}

// conformance: clang-2025-04/11a, 12b; tangles-2024-10/3a
#[test]
fn masks_bring_threads_together_across_places_of_the_text() {
    let run =
        |kernel: &str, reading: &str| with_masks("tests/conformance/masks-apart.cu", &["--kernel", kernel], reading);
    assert_eq!(run("branches", "partition"), (0, "[5,10,5,10]".to_owned(), vec![]));
    assert_eq!(run("branches", "concurrent"), (0, "[15,15,15,15]".to_owned(), vec![]));
    for reading in ["partition", "concurrent"] {
        let (status, votes, found) = run("half", reading);
        assert_eq!((status, votes.as_str()), (1, "[0,10,0,10]"));
        assert_eq!(found[0], "RC0510: the mask names threads 0, 2, which do not execute the operation");
        assert!(found[1].starts_with(&format!("under --masks {reading}, ")), "{found:?}");
    }
    // A vote is another operation than a ballot: with masks as those of independent threads they wait for each other.
    let (status, _, found) = run("crossed", "concurrent");
    assert!(status == 1 && found[0].starts_with("RC0502: "), "{found:?}");
    assert!(found.iter().any(|line| line.starts_with("under --masks concurrent, ")), "{found:?}");
    let (status, votes, found) = run("crossed", "partition");
    assert_eq!((status, votes.as_str()), (1, "[1,10,1,10]"));
    assert_eq!(found.iter().filter(|line| line.starts_with("RC0510: ")).count(), 2, "{found:?}");
}

/// A program in C++: threads enter `main`; `with` is convergent and called so, `without` is not, and of `both` the calls are not alike.
const STARTS: &str = "\
[[clang::convergent]] int op(int);
[[clang::convergent]] int with(int x) { return op(x); }
int without(int x) { return op(x); }
[[clang::convergent]] int both(int x) { return op(x); }
[[clang::convergent]] int main() {
  op(1);
  with(2);
  without(3);
  both(4);
  int y = __attribute__((noconvergent)) both(5);
  return 0;
}
";

/// Who is together where a function starts: by `check` the lines where that is open, by `trace` and `run` the operation in it.
#[test]
fn starts_of_functions() {
    let noconvergent = "kernel void k(global int *a) { a[get_local_id(0)] = __attribute__((noconvergent)) g(1); }";
    let kernel = write("k.cl", format!("int op(int);\nint g(int x) {{ return op(x); }}\n{noconvergent}\n"));
    let file = write("k.cpp", STARTS);
    let open = |file: &Written, arguments: &[&str]| -> Vec<u64> {
        let report = json(&run_on(file, "check", &[&["--format", "json"], arguments].concat()));
        let found = report["files"][0]["diagnostics"].as_array().expect("a list");
        let of_starts = found.iter().filter(|found| found["code"] == "RC0306");
        of_starts.map(|found| found["line"].as_u64().expect("a line")).collect()
    };
    assert_eq!(open(&file, &[]), [3, 4]);
    assert_eq!(open(&file, &["--model", "tangles-2024-10"]), [3, 4]);
    assert_eq!(open(&file, &["--model", "clang-2025-08", "--entry", "converged"]), [3, 4]);
    assert_eq!(open(&file, &["--entry", "implementation"]), [3, 4, 6, 7, 9]);
    assert_eq!(open(&kernel, &["--entry", "alone"]), [2]);

    // Whether two threads that pass the same are together, and whether the text says so.
    let traced = |file: &Written, function: &str, path: &str, arguments: &[&str]| {
        let paths = ["--function", function, "--thread", path, "--thread", path, "--format", "json"];
        let report = json(&run_on(file, "trace", &[&paths, arguments].concat()));
        let first = |thread: usize| report["threads"][thread]["instances"][0].clone();
        (first(0)["key"] == first(1)["key"], first(0)["defined"] == true)
    };
    let main = "op,with,both";
    assert_eq!(traced(&file, "main", main, &[]), (false, true));
    assert_eq!(traced(&file, "main", main, &["--entry", "converged"]), (true, true));
    assert_eq!(traced(&file, "main", main, &["--entry", "implementation"]), (true, false));
    assert_eq!(traced(&file, "main", main, &["--entry", "implementation", "--anchor", "solo"]), (false, false));
    for model in ["clang-2025-04", "tangles-2024-10", "clang-2025-08"] {
        assert_eq!(traced(&file, "with", "op", &["--model", model]), (true, true));
        for function in ["without", "both"] {
            assert_eq!(traced(&file, function, "op", &["--model", model]), (true, false));
            assert_eq!(traced(&file, function, "op", &["--model", model, "--anchor", "solo"]), (false, false));
        }
    }

    // How many threads execute `op` together at each line.
    let ran = |file: &Written, kernel: &str, arguments: &[&str]| -> BTreeMap<u64, Vec<usize>> {
        let launch = ["--kernel", kernel, "--block", "4", "--format", "json"];
        let report = json(&run_on(file, "run", &[&launch, arguments].concat()));
        let mut sets: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
        for event in report["events"].as_array().expect("a list") {
            let line = event["source"]["line"].as_u64().expect("a line");
            sets.entry(line).or_default().push(event["threads"].as_array().expect("a list").len());
        }
        sets
    };
    let alone = ran(&file, "main", &[]);
    assert!(alone.len() == 4 && alone.values().flatten().all(|&threads| threads == 1), "{alone:?}");
    let entry = ["--entry", "converged", "--anchor", "solo"];
    let expected = BTreeMap::from([(2, vec![4]), (3, vec![1; 4]), (4, vec![4, 1, 1, 1, 1]), (6, vec![4])]);
    assert_eq!(ran(&file, "main", &entry), expected);
    let solo = ran(&file, "main", &["--entry", "implementation", "--anchor", "solo"]);
    assert_eq!(solo, alone);
    assert_eq!(ran(&file, "main", &["--entry", "implementation"]).get(&6), Some(&vec![4]));
    assert_eq!(ran(&kernel, "k", &["--arg", "a=i32[4]"]), BTreeMap::from([(2, vec![4])]));
    assert_eq!(ran(&kernel, "k", &["--arg", "a=i32[4]", "--anchor", "solo"]), BTreeMap::from([(2, vec![1; 4])]));
}

/// A run makes the table of what its threads execute, and names that `trace` takes.
#[test]
fn runs_make_tables() {
    let text = "int B(int);\nint C(int);\nvoid a(void);\nvoid b(void);\nkernel void k(global const int *in) {\n  int v = in[get_local_id(0)];\n  int w = v ? B(1) : C(2);\n  \
                while (v && B(w)) { a(); v--; }\n  b();\n}\n";
    let file = write("k.cl", text);
    let launch = ["--block", "4", "--arg", "in=i32[4]{2,0,1,2}"];
    let run = |arguments: &[&str]| run_on(&file, "run", &[&launch, arguments].concat());
    let table = run(&["--trace", "threads=0-2"]);
    assert_eq!(table.status, 0, "{table:?}");
    let table = &table.stdout[table.stdout.find("@k (").expect("a table")..];
    expect![[r#"
        @k (k.cl:5), clang-2025-04 (thread convergence, April 2025)

                 | 1       | 2  | 3       | 4  | 5       | 6  | 7
        thread 1 | L7:15.1 |    | L8:15.1 | a1 | L8:15.3 | a3 | b1
        thread 2 |         | C1 |         |    |         |    | b2
        thread 3 | L7:15.2 |    | L8:15.2 | a2 |         |    | b3

    "#]]
    .assert_eq(table);
    let report = json(&run(&["--trace", "threads=1", "--format", "json"]));
    assert_eq!(report["trace"]["threads"][0]["instances"][0]["block"], "C");
    assert_eq!(report["instructions"], json(&run(&["--format", "json"]))["instructions"]);
    let missing = run(&["--trace", "threads=4"]);
    assert_eq!((missing.status, missing.stderr.contains("there is no thread 4; the launch has 4")), (2, true));
    assert_eq!(run(&["--trace", "threads=0", "--model", "maximal"]).status, 2);
}

/// In IR, too, nobody is with anybody in `main` of a program for a CPU.
#[test]
fn main_of_a_cpu() {
    let text = |triple: &str| format!("target triple = \"{triple}\"\ndefine void @main() {{\nentry:\n  ret void\n}}\n");
    let together = |triple: &str, arguments: &[&str]| {
        let paths = ["trace", "-", "--function", "main", "--thread", "entry", "--thread", "entry", "--format", "json"];
        let report = json(&reconverge(&[&paths, arguments].concat(), text(triple).as_bytes()));
        let key = |thread: usize| report["threads"][thread]["instances"][0]["key"].clone();
        key(0) == key(1)
    };
    assert!(!together("x86_64-unknown-linux-gnu", &[]));
    assert!(together("x86_64-unknown-linux-gnu", &["--entry", "converged"]));
    assert!(together("nvptx64-nvidia-cuda", &[]));
    assert!(!together("nvptx64-nvidia-cuda", &["--entry", "alone"]));
}

/// The tokens of a file as clang compiles it: what is said, and the IR if there is any.
fn lowered_by_clang(path: &Path) -> (Run, Option<Vec<u8>>) {
    let folder = TempDir::new().expect("a folder");
    let output = folder.path().join("out.ll");
    let [name, to] = [path, &output].map(|path| path.to_str().expect("a name in UTF-8"));
    let run = reconverge(&["lower", "--frontend", "clang", "--target", "spirv", name, "-o", to], b"");
    (run, std::fs::read(&output).ok())
}

#[test]
fn the_ir_of_clang_gets_the_tokens_of_the_statements() {
    if !installed("clang-22") {
        return;
    }
    let cases = std::fs::read_dir(root().join("tests/cases/source")).expect("they are there");
    let paths = cases.map(|entry| entry.expect("a file").path());
    let mut paths: Vec<_> = paths.filter(|path| path.extension().is_some_and(|extension| extension == "cl")).collect();
    paths.push(root().join("examples/found-together.cl"));
    paths.sort();
    let mut unmatched = Vec::new();
    for path in &paths {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        match lowered_by_clang(path) {
            (run, Some(ir)) => {
                assert_eq!(run.status, 0, "{name}: {}", run.stderr);
                let check = reconverge(&["check", "--input-format", "ll", "--format", "json", "-"], &ir);
                assert!(!check.stdout.contains("\"RC01"), "{name}: a rule on tokens is broken: {}", check.stdout);
            }
            (run, None) => {
                assert_eq!(
                    (run.status, run.stderr.contains("no token is known for")),
                    (2, true),
                    "{name}: {}",
                    run.stderr
                );
                unmatched.push(name);
            }
        }
    }
    // Loops by `goto` are no statements of the source, and an `anchor` is not in the IR of clang.
    assert_eq!(
        unmatched,
        ["duffs-device", "goto-backward", "jump-into-loop", "noconvergent", "tangles-goto-into-loop"]
    );
}

#[test]
fn who_is_together_by_these_tokens_is_who_was_by_ours() {
    if !installed("clang-22") {
        return;
    }
    let folder = TempDir::new().expect("a folder");
    // What is before the `break` of a loop is in none of the cycles of the IR.
    for case in ["examples/found-together.cl", "tests/cases/source/operands.cl"] {
        let path = root().join(case);
        let (run, ir) = lowered_by_clang(&path);
        let theirs = folder.path().join("theirs.ll");
        std::fs::write(&theirs, ir.unwrap_or_else(|| panic!("{}", run.stderr))).expect("it is written");
        let ours = folder.path().join("ours.ll");
        let [name, ours, theirs] = [&path, &ours, &theirs].map(|path| path.to_str().expect("a name in UTF-8"));
        let run = reconverge(&["lower", name, "-o", ours], b"");
        assert_eq!(run.status, 0, "{}", run.stderr);
        let run = reconverge(&["validate", "--max-instructions", "200K", ours, theirs], b"");
        assert!(run.status == 0 && run.stdout.contains("equal in "), "{case}: {}{}", run.stdout, run.stderr);
    }
}
