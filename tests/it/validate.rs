//! `reconverge validate`, through the binary: what can be asked, what is refused, and what is printed.

use std::path::PathBuf;

use crate::common::{read, reconverge};
use serde_json::Value;

const BEFORE: &str = "examples/change-before.ll";
const AFTER: &str = "examples/change-after.ll";

/// A folder with programs.
struct Programs(tempfile::TempDir);

impl Programs {
    fn new() -> Programs {
        Programs(tempfile::tempdir().expect("there is room"))
    }

    fn write(&self, name: &str, text: &str) -> String {
        let path: PathBuf = self.0.path().join(name);
        std::fs::write(&path, text).expect("there is room");
        path.display().to_string()
    }
}

fn json(arguments: &[&str], status: i32) -> Value {
    let all = [&["validate", "--format", "json"], arguments].concat();
    let run = reconverge(&all, b"");
    assert_eq!(run.status, status, "{arguments:?}: {}\n{}", run.stdout, run.stderr);
    serde_json::from_str(&run.stdout).expect("JSON")
}

/// What standard error says where nothing is compared.
fn refusal(arguments: &[&str], input: &str) -> String {
    let all = [&["validate"], arguments].concat();
    let run = reconverge(&all, input.as_bytes());
    assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{arguments:?}: {}", run.stderr);
    run.stderr
}

/// The words of a command, as a shell takes them apart.
fn words(command: &str) -> Vec<String> {
    let unquoted = |word: &str| word.trim_matches('\'').to_owned();
    command.split(' ').skip(1).map(unquoted).collect()
}

#[test]
fn a_program_is_equal_to_itself() {
    let run = reconverge(&["validate", BEFORE, BEFORE], b"");
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    assert!(
        run.stdout.starts_with("@votes: proved: ") || run.stdout.starts_with("@votes: equal in "),
        "{}",
        run.stdout
    );
    let quiet = reconverge(&["validate", BEFORE, BEFORE, "-q"], b"");
    assert_eq!((quiet.status, quiet.stdout.as_str()), (0, ""));
}

/// A change that keeps everything, but is more than other names.
#[test]
fn equal_programs_are_counted() {
    let programs = Programs::new();
    let changed = read(BEFORE).replace("%few = icmp ult i32 %id, 3", "%few = icmp ule i32 %id, 2");
    let after = programs.write("after.ll", &changed);
    let report = json(&[BEFORE, &after, "--runs", "30"], 0);
    assert_eq!(report["verdict"], "equal-in-30-runs");
    assert_eq!((&report["runs"], &report["witness"]), (&30.into(), &Value::Null));
    let run = reconverge(&["validate", BEFORE, &after, "--runs", "30"], b"");
    assert_eq!(run.stdout, "@votes: equal in 30 runs\n");
    // The other program is on standard input.
    let run = reconverge(&["validate", BEFORE, "-", "--runs", "30"], changed.as_bytes());
    assert_eq!((run.status, run.stdout.as_str()), (0, "@votes: equal in 30 runs\n"), "{}", run.stderr);
}

#[test]
fn a_difference_is_shown_side_by_side() {
    let run = reconverge(&["validate", BEFORE, AFTER], b"");
    assert_eq!((run.status, run.stderr.as_str()), (1, ""));
    let text = &run.stdout;
    assert!(text.starts_with("@votes: different"), "{text}");
    assert!(text.contains("error[RC0601]: ") && text.contains(&format!("--> {AFTER}:17:3")), "{text}");
    let marked: Vec<&str> = text.lines().filter(|line| line.starts_with("→ ")).collect();
    assert!(marked.len() == 1 && marked[0].matches("@llvm.amdgcn.ballot.i64").count() == 2, "{text}");
    let quiet = reconverge(&["validate", BEFORE, AFTER, "-q"], b"");
    assert!(quiet.status == 1 && quiet.stdout.starts_with("error[RC0601]"), "{}", quiet.stdout);
}

/// Running the commands that the report gives executes the steps that it shows.
#[test]
fn commands_do_what_the_tables_show() {
    let report = json(&[BEFORE, AFTER], 1);
    assert_eq!(report["verdict"], "different");
    let witness = &report["witness"];
    assert_eq!(witness["difference"]["kind"], "threads");
    let first = |side: &str| witness[side]["first_different"].as_u64().expect("a number") as usize;
    assert_ne!(
        witness["before"]["steps"][first("before")]["threads"],
        witness["after"]["steps"][first("after")]["threads"]
    );
    for side in ["before", "after"] {
        let command = witness[side]["command"].as_str().expect("a command");
        let run = reconverge(&[words(command), vec!["--format=json".to_owned()]].concat(), b"");
        assert_eq!(run.status, 0, "{command}: {}", run.stderr);
        let events: Value = serde_json::from_str(&run.stdout).expect("JSON");
        let sets = |steps: &Value| {
            let steps = steps.as_array().expect("a list").iter();
            let mut sets: Vec<String> = steps.map(|step| format!("{} {}", step["op"], step["threads"])).collect();
            sets.sort();
            sets
        };
        assert_eq!(sets(&events["events"]), sets(&witness[side]["steps"]), "{command}");
    }
}

#[test]
fn answers_depend_on_the_seed_only() {
    let all =
        |more: &[&str]| reconverge(&[&["validate", BEFORE, AFTER, "--format", "json"], more].concat(), b"").stdout;
    assert_eq!(all(&["-j", "1"]), all(&["-j", "4"]));
    assert_eq!(all(&["--seed", "7"]), all(&["--seed", "7"]));
    let large: Value =
        serde_json::from_str(&all(&["--no-minimise", "--block", "16", "--subgroup", "8"])).expect("JSON");
    assert_eq!(
        (&large["witness"]["block"], &large["witness"]["subgroup"]),
        (&serde_json::json!([16, 1, 1]), &8.into())
    );
}

/// Two arms that are joined before a branch on what is known in each of them: with a stack of immediate post-dominators, skipping that
/// branch makes other threads meet; with maximal convergence all meet anyway.
#[test]
fn models_are_compared_under_as_asked() {
    let program = |first: &str, second: &str, known: &str| {
        format!(
            "target triple = \"amdgcn-amd-amdhsa\"\ndeclare i32 @llvm.amdgcn.workitem.id.x()\n\
             declare i64 @llvm.amdgcn.ballot.i64(i1) convergent\n\
             define amdgpu_kernel void @k(ptr addrspace(1) %out) convergent {{\nentry:\n\
             %id = call i32 @llvm.amdgcn.workitem.id.x()\n\
             %place = getelementptr i64, ptr addrspace(1) %out, i32 %id\n\
             %low = icmp ult i32 %id, 2\n%some = icmp ult i32 %id, 3\nbr i1 %low, label %a, label %c\n\
             a:\nstore i64 7, ptr addrspace(1) %place\nbr {first}\n\
             c:\nstore i64 8, ptr addrspace(1) %place\nbr {second}\n{known}\
             b:\n%set = call i64 @llvm.amdgcn.ballot.i64(i1 true)\nstore i64 %set, ptr addrspace(1) %place\nbr label %end\n\
             end:\nret void\n}}\n"
        )
    };
    let join = "x:\n%both = phi i1 [ true, %a ], [ %some, %c ]\nbr i1 %both, label %b, label %end\n";
    let programs = Programs::new();
    let before = programs.write("before.ll", &program("label %x", "label %x", join));
    let after = programs.write("after.ll", &program("label %b", "i1 %some, label %b, label %end", ""));
    let verdict = &json(&[&before, &after], 0)["verdict"];
    assert!(verdict.as_str().is_some_and(|verdict| verdict.starts_with("equal-in-")), "{verdict}");
    for model in ["ipdom", "all"] {
        let report = json(&[&before, &after, "--model", model], 1);
        assert_eq!(report["witness"]["model"], "ipdom", "{model}");
    }
}

const TWO: &str = "target triple = \"amdgcn-amd-amdhsa\"\n\
    define amdgpu_kernel void @one(ptr addrspace(1) %out) {\n  store i32 1, ptr addrspace(1) %out\n  ret void\n}\n\
    define amdgpu_kernel void @two(ptr addrspace(1) %out, i32 %n) {\n  store i32 %n, ptr addrspace(1) %out\n  ret void\n}\n";

/// A kernel that one of two sources has alone is shown there, at its line.
#[test]
fn a_kernel_of_one_source_is_shown_there() {
    let programs = Programs::new();
    let before =
        programs.write("before.cl", "kernel void k(global int *a) { a[0] = 1; }\nkernel void gone(int n) {}\n");
    let after =
        programs.write("after.cl", "kernel void k(global int *a) { a[0] = 1; }\n\nkernel void more(int n) {}\n");
    let run = reconverge(&["validate", &before, &after], b"");
    for shown in
        ["before.cl:2:1\n  |\n2 | kernel void gone(int n) {}\n", "after.cl:3:1\n  |\n3 | kernel void more(int n) {}\n"]
    {
        assert!(run.stdout.contains(shown), "{shown}: {}", run.stdout);
    }
    assert!(!run.stdout.contains("define") && !run.stdout.contains('@'), "{}", run.stdout);
    let report = json(&[&before, &after], 0);
    let [gone, more] = [&report["diagnostics"][0], &report["diagnostics"][1]];
    assert_eq!(
        (&gone["path"], &gone["line"], &more["path"], &more["line"]),
        (&before.as_str().into(), &2.into(), &Value::Null, &3.into())
    );
}

#[test]
fn what_can_be_compared_is_compared() {
    let programs = Programs::new();
    let before = programs.write("before.ll", TWO);
    let only_one = programs.write("one.ll", TWO.split("define amdgpu_kernel void @two").next().expect("a part"));
    let report = json(&[&before, &only_one], 0);
    let verdicts: Vec<&str> = report["kernels"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|one| one["verdict"].as_str().expect("a word"))
        .collect();
    assert!(verdicts[0] != "not-compared" && verdicts[1] == "not-compared", "{verdicts:?}");
    assert_eq!(report["diagnostics"][0]["code"], "RC0606");
    // The other way round, and counted as a finding.
    let report = json(&[&only_one, &before, "--strict"], 1);
    assert_eq!(report["kernels"][1]["kernel"], "@two");
    assert_eq!(json(&[&before, &only_one, "--kernel", "two"], 2)["verdict"], "not-compared");
    let other = programs.write("other.ll", &TWO.replace("i32 %n) {", "i32 %n, i32 %more) {"));
    let report = json(&[&before, &other, "--kernel", "@two"], 2);
    let because = report["kernels"][0]["because"].as_str().expect("a reason");
    assert!(because.contains("parameters changed"), "{because}");
}

/// Arguments go to the kernels that have such a parameter.
#[test]
fn arguments_are_for_those_who_have_them() {
    let programs = Programs::new();
    let before = programs.write("before.ll", TWO);
    let after = programs.write("after.ll", &TWO.replace("store i32 %n,", "%m = or i32 %n, 1\n  store i32 %m,"));
    let report = json(&[&before, &after, "--arg", "n=4", "--arg", "out=u32[2]"], 1);
    assert_eq!(report["witness"]["arguments"], serde_json::json!({ "n": "4", "out": "u32[2]" }));
    assert_eq!(report["witness"]["difference"]["kind"], "memory");
    assert_eq!(json(&[&before, &after, "--arg", "n=5"], 0)["diagnostics"], serde_json::json!([]));
    for (argument, expected) in [("m=4", "has no parameter m"), ("n=u32[4]", "expected a number"), ("n", "NAME=VALUE")]
    {
        let message = refusal(&[&before, &after, "--kernel", "two", "--arg", argument], "");
        assert!(message.contains(expected) && message.contains("before.ll"), "{argument}: {message}");
    }
}

/// What threads communicate is compared up to the limit where a program does not end. That of two threads who are apart is seen, and so is another operand.
#[test]
fn programs_that_do_not_end_are_compared_up_to_the_limit() {
    let programs = Programs::new();
    let program = |body: &str| {
        format!(
            "target triple = \"amdgcn-amd-amdhsa\"\ndeclare i32 @llvm.amdgcn.workitem.id.x()\ndeclare i64 @llvm.amdgcn.ballot.i64(i1) convergent\n\
             define amdgpu_kernel void @k(ptr addrspace(1) %out) convergent {{\nentry:\n  %id = call i32 @llvm.amdgcn.workitem.id.x()\n  \
             %odd = trunc i32 %id to i1\n  %place = getelementptr i64, ptr addrspace(1) %out, i32 %id\n  br label %loop\nloop:\n  \
             %i = phi i64 [ 0, %entry ], [ %next, %latch ]\n  {body}\nlatch:\n  %sum = add i64 %votes, %i\n  \
             store volatile i64 %sum, ptr addrspace(1) %place\n  br label %loop\n}}\n"
        )
    };
    let next = "%next = add i64 %i, 1";
    let together = format!("{next}\n  %votes = call i64 @llvm.amdgcn.ballot.i64(i1 true)\n  br label %latch");
    let before = programs.write("before.ll", &program(&together));
    let compare = |name: &str, body: &str, status: i32| {
        let after = programs.write(name, &program(body));
        json(&[&before, &after, "--runs", "4", "--max-instructions", "10K", "--subgroup", "4", "--block", "4"], status)
    };
    let same = compare("same.ll", &together.replace("add i64 %i, 1", "sub i64 %i, -1"), 0);
    assert_eq!((&same["runs"], &same["kernels"][0]["unended"]), (&0.into(), &4.into()));
    let apart = format!(
        "{next}\n  br i1 %odd, label %one, label %other\none:\n  %mine = call i64 @llvm.amdgcn.ballot.i64(i1 true)\n  br label %latch\nother:\n  \
         %theirs = call i64 @llvm.amdgcn.ballot.i64(i1 true)\n  br label %latch"
    );
    let apart =
        program(&apart).replace("latch:\n", "latch:\n  %votes = phi i64 [ %mine, %one ], [ %theirs, %other ]\n");
    let apart = programs.write("apart.ll", &apart);
    let run = reconverge(
        &["validate", &before, &apart, "--runs", "4", "--max-instructions", "10K", "--subgroup", "4", "--block", "4"],
        b"",
    );
    assert_eq!(run.status, 1, "{}{}", run.stdout, run.stderr);
    assert!(run.stdout.contains("error[RC0601]"), "{}", run.stdout);
    let other = compare("other.ll", &together.replace("i1 true", "i1 %odd"), 1);
    assert_eq!(other["witness"]["difference"]["operand"], 0, "{other}");
}

/// Where nobody communicates, a launch that does not end says nothing; where none does, there is no answer.
#[test]
fn programs_that_do_not_end_are_not_compared() {
    let programs = Programs::new();
    let text = "target triple = \"amdgcn-amd-amdhsa\"\ndefine amdgpu_kernel void @k(ptr addrspace(1) %out) {\nentry:\n  br label %loop\n\
        loop:\n  %i = phi i32 [ 0, %entry ], [ %next, %loop ]\n  %next = add i32 %i, STEP\n  store volatile i32 %i, ptr addrspace(1) %out\n  \
        br label %loop\n}\n";
    let before = programs.write("before.ll", &text.replace("STEP", "1"));
    let after = programs.write("after.ll", &text.replace("STEP", "2"));
    let report = json(&[&before, &after, "--runs", "4", "--max-instructions", "10K"], 2);
    assert_eq!((&report["verdict"], &report["runs"]), (&"not-compared".into(), &0.into()));
    assert_eq!(report["kernels"][0]["skipped"][0]["runs"], 4);
}

#[test]
fn source_is_compared_as_it_is_translated() {
    const SOURCE: &str = "tests/cases/run/sub-group-functions.cl";
    let run = reconverge(&["validate", SOURCE, SOURCE, "-D", "TYPE=int", "--runs", "5"], b"");
    assert_eq!(run.status, 0, "{}{}", run.stdout, run.stderr);
    let programs = Programs::new();
    let kernel = |vote: &str| {
        format!(
            "kernel void votes(global uint *out) {{\n  uint id = get_local_id(0);\n  uint all = 0;\n  {vote}\n  if (id < 3)\n    \
             out[id] = all;\n}}\n"
        )
    };
    let before = programs.write("before.cl", &kernel("all = sub_group_reduce_add(1u);"));
    let after = programs.write("after.cl", &kernel("if (id < 3) all = sub_group_reduce_add(1u);"));
    let run = reconverge(&["validate", &before, &after, "--frontend", "builtin"], b"");
    assert_eq!(run.status, 1, "{}{}", run.stdout, run.stderr);
    let text = &run.stdout;
    assert!(text.contains("after.cl:4:") && text.contains("line  operation"), "{text}");
    assert!(text.contains("`votes`: different") && text.contains(" sub_group_reduce_add "), "{text}");
    assert!(!text.contains('@') && !text.contains("_Z"), "{text}");
}

#[test]
fn inputs_that_cannot_be_used() {
    assert!(refusal(&["nowhere.ll", AFTER], "").contains("nowhere.ll: cannot be read"));
    assert!(refusal(&[BEFORE, "examples"], "").contains("examples: expected one file, not a folder"));
    assert!(refusal(&["-", "-"], "").contains("only one of the two programs"));
    assert!(refusal(&[BEFORE, "-"], "define foo\n").contains("<stdin>:"));
    assert!(
        refusal(&[BEFORE, AFTER, "--kernel", "vote"], "")
            .contains("no function @vote has a body here; did you mean @votes?")
    );
    assert!(refusal(&[BEFORE, AFTER, "--runs", "0"], "").contains("--runs"));
    assert!(refusal(&[BEFORE, AFTER, "--subgroup", "65"], "").contains("--subgroup"));
    let bitcode = refusal(&[BEFORE, "-", "--input-format", "bc"], "BC");
    assert!(bitcode.contains("llvm-dis"), "{bitcode}");
}

/// A module without kernels: its functions stand for them.
#[test]
fn functions_stand_for_kernels_where_there_are_none() {
    let programs = Programs::new();
    let before = programs.write("before.ll", "define i32 @f(i32 %x) {\n  %y = add i32 %x, 1\n  ret i32 %y\n}\n");
    let after = programs.write("after.ll", "define i32 @f(i32 %x) {\n  %y = add i32 %x, 2\n  ret i32 %y\n}\n");
    let run = reconverge(&["validate", &before, &after], b"");
    assert_eq!(run.status, 1, "{}", run.stderr);
    assert!(run.stderr.contains("no kernels") && run.stdout.contains("RC0603"), "{}{}", run.stdout, run.stderr);
    let empty = programs.write("empty.ll", "declare void @f()\n");
    assert!(refusal(&[&empty, &empty], "").contains("no function with a body"));
}

/// Calls in one another, as deep as `n` says up to 255.
const RECURSION: &str = "int f(int n) { return n == 0 ? get_local_id(0) : f(n - 1) + 1; }\n\
                         kernel void k(global int *o, int n) { o[get_global_id(0)] = sub_group_reduce_add(f(n & 255 | 2)); }\n";
/// The same, with more variables.
const VARIABLES: &str = "kernel void k(global int *o, int n) { local int a[8000]; a[get_local_id(0)] = n; \
                         o[get_global_id(0)] = sub_group_reduce_add(a[get_local_id(0)]); }\n";

/// Limits of a run are those of each launch. One that is reached says nothing, and its command has it.
#[test]
fn limits_of_launches() {
    let programs = Programs::new();
    for (before, option, limit) in [
        (RECURSION, "--limit", "call-depth=1"),
        (RECURSION, "--limit", "run-steps=3"),
        (RECURSION, "--max-instructions", "3"),
        (VARIABLES, "--max-memory", "128K"),
    ] {
        let after = before.replace("reduce_add", "reduce_max");
        let (before, after) = (programs.write("before.cl", before), programs.write("after.cl", &after));
        let run = reconverge(&["validate", &before, &after, option, limit], b"");
        assert_eq!(run.status, 2, "{limit}: {run:?}");
        assert!(run.stdout.contains("all launches were inconclusive"), "{limit}: {run:?}");
        let run = reconverge(&["validate", &before, &after], b"");
        assert_eq!(run.status, 1, "without {limit}: {run:?}");
    }
    let (before, after) = (programs.write("a.cl", RECURSION), programs.write("b.cl", &RECURSION.replace("n - 1", "n")));
    let run = reconverge(&["validate", &before, &after, "--limit", "call-depth=20"], b"");
    assert_eq!(run.status, 1, "{run:?}");
    assert!(run.stdout.contains(" --limit call-depth=20"), "{run:?}");
}

/// A program whose threads pass an undefined value where `noundef` is asked for has no meaning to keep.
#[test]
fn a_change_of_a_program_that_passes_undef_to_noundef_is_no_difference() {
    let kernel = |other: &str, attribute: &str| {
        format!(
            "target triple = \"nvptx64-nvidia-cuda\"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32) convergent
define ptx_kernel void @k(ptr addrspace(1) %out) convergent {{
start:
  %id = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %place = getelementptr i32, ptr addrspace(1) %out, i32 %id
  %first = icmp eq i32 %id, 0
  br i1 %first, label %one, label %join
one:
  br label %join
join:
  %x = phi i32 [ 7, %one ], [ {other}, %start ]
  %r = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 {attribute} %x, i32 0, i32 31)
  %sum = add i32 %r, %id
  store i32 %sum, ptr addrspace(1) %place
  ret void
}}
"
        )
    };
    let programs = Programs::new();
    let statuses = ["", "noundef"].map(|attribute| {
        let before = programs.write("before.ll", &kernel("undef", attribute));
        // Another value for the threads that had none.
        let after = programs.write("after.ll", &kernel("7", attribute).replace("add i32 %r", "sub i32 %r"));
        reconverge(&["validate", &before, &after, "--block", "4", "--arg", "out=u32[4]"], b"").status
    });
    // Without a launch that is defined before, nothing is compared.
    assert_eq!(statuses, [1, 2]);
}

/// Threads 0 and 1 execute the operation together; after the change that depends on which of `p` and `q` is the header of a cycle that no thread goes round.
// conformance: uniformity/10
#[test]
fn a_difference_in_one_cycle_hierarchy_names_it() {
    let programs = Programs::new();
    let kernel = |head: &str, behind: &str, prefix: &str| {
        format!(
            "target triple = \"nvptx64-nvidia-cuda\"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.activemask() convergent
{head}
start:
  %id = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp eq i32 %id, 0
  %never = icmp ugt i32 %id, 1000
  br i1 %first, label %p, label %q
p:
  br label %q
q:
  %mask = call i32 @llvm.nvvm.activemask()
  {behind}
end:
  {prefix}
}}
"
        )
    };
    let head = "define ptx_kernel void @k(ptr addrspace(1) %out) convergent {";
    let store = "%place = getelementptr i32, ptr addrspace(1) %out, i32 %id
  store i32 %mask, ptr addrspace(1) %place
  ret void";
    let before = programs.write("before.ll", &kernel(head, "br label %end", store));
    let after = programs.write("after.ll", &kernel(head, "br i1 %never, label %p, label %end", store));
    let arguments = ["validate", &before, &after, "--block", "4", "--subgroup", "4", "--arg", "out=u32[4]"];
    let run = reconverge(&arguments, b"");
    assert_eq!(run.status, 1, "{}", run.stdout);
    assert!(run.stdout.contains("in cycle hierarchy 2 of 2 after the change; equal in 1"), "{}", run.stdout);
    let command =
        run.stdout.lines().find(|line| line.contains("run ") && line.contains("after.ll")).expect("a command");
    assert!(command.contains("--model maximal --hierarchy 2"), "{command}");
    let report = json(&arguments[1..], 1);
    assert_eq!(report["witness"]["hierarchy"], serde_json::json!({"number": 2, "of": 2, "equal_in": [1]}));
    let in_one = |number: &str| reconverge(&[&arguments[..], &["--hierarchy", number]].concat(), b"");
    assert_eq!(in_one("all").stdout, run.stdout);
    assert_eq!(in_one("1").status, 0, "{}", in_one("1").stdout);
    let second = in_one("2");
    assert_eq!(second.status, 1, "{}", second.stdout);
    assert!(second.stdout.contains("(model maximal), in cycle hierarchy 2\n"), "{}", second.stdout);
    assert!(in_one("3").stdout.contains("there is no cycle hierarchy 3; the program has 2"), "{}", in_one("3").stdout);

    // The same in a function that the kernel calls.
    let caller = |text: String| {
        text + "define ptx_kernel void @k(ptr addrspace(1) %out) convergent {
  %mask = call i32 @f()
  %id = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %place = getelementptr i32, ptr addrspace(1) %out, i32 %id
  store i32 %mask, ptr addrspace(1) %place
  ret void
}
"
    };
    let head = "define i32 @f() convergent {";
    let before = programs.write("called-before.ll", &caller(kernel(head, "br label %end", "ret i32 %mask")));
    let cycle = kernel(head, "br i1 %never, label %p, label %end", "ret i32 %mask");
    let after = programs.write("called-after.ll", &caller(cycle.clone()));
    let arguments = ["validate", &before, &after, "--block", "4", "--subgroup", "4", "--arg", "out=u32[4]"];
    let run = reconverge(&arguments, b"");
    assert!(run.stdout.contains("in cycle hierarchy 2 of 2 after the change; equal in 1"), "{}", run.stdout);
    // What is wrong in each hierarchy is found where both programs have several.
    let wrong = caller(cycle.replace("ret i32 %mask", "%other = add i32 %mask, 1\n  ret i32 %other"));
    let wrong = programs.write("wrong.ll", &wrong);
    let run = reconverge(&["validate", &after, &wrong, "--block", "4", "--subgroup", "4", "--arg", "out=u32[4]"], b"");
    assert_eq!(run.status, 1, "{}", run.stdout);

    // Also where the kernel has tokens and the function with several hierarchies has none; who is together there is a choice, and no difference.
    let controlled = |text: &str| {
        text.replace(
            "%mask = call i32 @f()",
            "%all = call token @llvm.experimental.convergence.entry()\n  %mask = call i32 @f() [ \"convergencectrl\"(token %all) ]",
        ) + "declare token @llvm.experimental.convergence.entry()\n"
    };
    let [one, other] =
        [caller(cycle.clone()), caller(cycle.replace("ret i32 %mask", "%more = add i32 %mask, 1\n  ret i32 %more"))]
            .map(|text| controlled(&text));
    let before = programs.write("controlled.ll", &one);
    let compare = |name: &str, text: &str, status: i32| {
        let after = programs.write(name, text);
        let run = reconverge(&["validate", &before, &after, "--block", "4", "--subgroup", "4"], b"");
        assert_eq!(run.status, status, "{name}: {}{}", run.stdout, run.stderr);
    };
    compare("controlled-wrong.ll", &other, 1);
    compare("controlled-same.ll", &one.replace("icmp eq i32 %id, 0", "icmp ult i32 %id, 1"), 0);
}

/// Compilers use that an overflow of a signed integer is undefined, so of source it is undefined, too, where their IR is compared with it.
#[test]
fn an_overflow_that_a_compiler_uses_is_no_difference() {
    let programs = Programs::new();
    let source = programs.write(
        "k.cl",
        "kernel void k(global int *p, int n) {
  int i = get_global_id(0);
  if (n * 4 + 1 > n * 4) p[i] = sub_group_reduce_add(n * 4);
}
",
    );
    let ir = |sum: &str| {
        let lines = format!(
            "target triple = \"spirv64\"
declare spir_func i64 @_Z13get_global_idj(i32)
declare spir_func i32 @_Z20sub_group_reduce_addi(i32) convergent
define spir_kernel void @k(ptr addrspace(1) %p, i32 %n) convergent {{
  %i = call spir_func i64 @_Z13get_global_idj(i32 0)
  %m = shl nsw i32 %n, 2
  %r = call spir_func i32 @_Z20sub_group_reduce_addi(i32 {sum})
  %g = getelementptr i32, ptr addrspace(1) %p, i64 %i
  store i32 %r, ptr addrspace(1) %g
  ret void
}}
"
        );
        programs.write("k.ll", &lines)
    };
    let run = reconverge(&["validate", &source, &ir("%m")], b"");
    assert_eq!(run.status, 0, "{run:?}");
    assert!(run.stdout.starts_with("@k: equal in ") || run.stdout.starts_with("`k`: equal in "), "{run:?}");
    let other = reconverge(&["validate", &source, &ir("%n")], b"");
    assert_eq!(other.status, 1, "{other:?}");
}
