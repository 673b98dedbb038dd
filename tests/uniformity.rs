//! `reconverge uniformity`: listings, explanations, targets, and functions that are unlike what compilers make of kernels.

mod common;

use common::{Run, examples, read, reconverge};
use expect_test::{Expect, expect};
use serde_json::Value;
use tempfile::TempDir;

/// Runs `uniformity` on a text.
fn uniformity(arguments: &[&str], text: &str) -> Run {
    let arguments: Vec<&str> = ["uniformity", "-"].iter().chain(arguments).copied().collect();
    reconverge(&arguments, text.as_bytes())
}

fn json(arguments: &[&str], text: &str) -> Value {
    let run = uniformity(&[&["--format", "json"], arguments].concat(), text);
    assert_eq!(run.status, 0, "{run:?}");
    serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {run:?}"))
}

fn strings(value: &Value) -> Vec<&str> {
    value.as_array().expect("a list").iter().map(|item| item.as_str().expect("a string")).collect()
}

/// What `--explain` prints, without the title.
fn explained(arguments: &[&str], text: &str, expected: Expect) {
    let run = uniformity(arguments, text);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""), "{}", run.stdout);
    expected.assert_eq(&run.stdout);
}

/// The rules of the chain of `%x`, and whether threads are certain to differ.
fn chain(text: &str) -> (Vec<String>, String) {
    let report = json(&["--explain", "%x"], text);
    let chain = report["files"][0]["explanations"][0]["chain"].as_array().expect("a chain").clone();
    let last = chain.last().expect("%x is divergent");
    let degree = last["degree"].as_str().expect("a source").to_owned();
    let rules = chain.iter().map(|step| step["rule"].as_str().expect("a rule").to_owned()).collect();
    (rules, degree + ": " + last["message"].as_str().expect("a message"))
}

/// The message of the source of `%x`, which an instruction gives.
fn source(instruction: &str) -> String {
    let text = format!(
        "target triple = \"amdgcn-amd-amdhsa\"
declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @opaque()
define i32 @known() {{
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  ret i32 %id
}}
define amdgpu_kernel void @f(ptr addrspace(1) %global, ptr %flat, ptr addrspace(5) %private, ptr addrspace(3) %shared) {{
  {instruction}
  ret void
}}
"
    );
    chain(&text).1
}

const KERNEL: &str = "target triple = \"nvptx64-nvidia-cuda\"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
define ptx_kernel void @kernel(i32 %n) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, %n
  %more = icmp ult i32 %next, %tid
  br i1 %more, label %loop, label %\"all done\"
\"all done\":
  %last = mul i32 %i, %block
  ret void
}
define i32 @helper(i32 %0) {
  %2 = add i32 %0, 1
  ret i32 %2
}
";

#[test]
fn a_listing() {
    let run = uniformity(&[], KERNEL);
    assert_eq!(run.status, 0);
    expect![[r#"
        @kernel (<stdin>:4): 3 of 6 values and 1 of 1 branch divergent
          cycles that threads leave in different iterations: loop
          entry
            %tid         source: @llvm.nvvm.read.ptx.sreg.tid.x differs between the threads of a subgroup (target nvptx)
          loop
            %more        operand: %tid
            branch       operand: %more
          "all done"
            %last        temporal: %i from the cycle at loop

        @helper (<stdin>:18): 1 of 1 value and 0 of 0 branches divergent
          parameters
            %0           source: a parameter: callers may pass different values to the threads of a subgroup
          1
            %2           operand: %0

    "#]]
    .assert_eq(&run.stdout);
    assert_eq!(run.stderr, "4 of 7 values and 1 of 1 branch divergent in 2 functions\n");
    let one = uniformity(&["--function", "@helper", "-j", "1"], KERNEL);
    assert!(run.stdout.ends_with(&one.stdout) && one.stdout.starts_with("@helper"), "{}", one.stdout);
    let quiet = uniformity(&["-q"], KERNEL);
    assert_eq!(quiet.stdout, "<stdin>: 4 of 7 values and 1 of 1 branch divergent in 2 functions\n");
    assert_eq!(quiet.stderr, "");
    let colored = uniformity(&["--color", "always"], KERNEL);
    assert!(colored.stdout.contains("\u{1b}[1;33msource"));
    assert_eq!(uniformity(&["-j", "1"], KERNEL).stdout, run.stdout);
}

#[test]
fn a_listing_as_json() {
    let report = json(&[], KERNEL);
    let functions = report["files"][0]["functions"].as_array().expect("a list");
    assert_eq!(functions.len(), 2);
    let kernel = &functions[0];
    assert_eq!(kernel["name"], "@kernel");
    assert_eq!((&kernel["target"], &kernel["scope"]), (&"nvptx".into(), &"subgroup".into()));
    assert_eq!(kernel["line"], 4);
    assert_eq!(kernel["values"]["total"], 6);
    assert_eq!(strings(&kernel["values"]["divergent"]), ["%tid", "%more", "%last"]);
    assert_eq!(kernel["parameters"]["total"], 1);
    assert!(strings(&kernel["parameters"]["divergent"]).is_empty());
    assert_eq!((&kernel["terminators"]["total"], &kernel["terminators"]["branches"]), (&3.into(), &1.into()));
    assert_eq!(strings(&kernel["terminators"]["divergent"]), ["loop"]);
    assert!(strings(&kernel["cycles"]["assumed_divergent"]).is_empty());
    assert_eq!(strings(&kernel["cycles"]["divergent_exit"]), ["loop"]);
    assert_eq!(strings(&functions[1]["parameters"]["divergent"]), ["%0"]);
    assert_eq!(strings(&functions[1]["values"]["divergent"]), ["%2"]);
}

#[test]
fn scopes() {
    let divergent = |scope: &str| {
        let report = json(&["--scope", scope, "--function", "kernel"], KERNEL);
        strings(&report["files"][0]["functions"][0]["values"]["divergent"]).join(" ")
    };
    assert_eq!(divergent("subgroup"), "%tid %more %last");
    assert_eq!(divergent("workgroup"), "%tid %more %last");
    assert_eq!(divergent("grid"), "%tid %block %more %last");
    explained(
        &["--explain", "%block", "--scope", "grid"],
        KERNEL,
        expect![[r#"
        %block in @kernel is divergent: it may differ between the threads of the grid, but not of a workgroup
          <stdin>:7:3: %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
            source: @llvm.nvvm.read.ptx.sreg.ctaid.x may differ between the threads of the grid (target nvptx)

    "#]],
    );
    explained(
        &["--explain", "%block"],
        KERNEL,
        expect![[r#"
        %block in @kernel is uniform in a workgroup
          <stdin>:7:3: %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()

    "#]],
    );
}

#[test]
fn operand_join_and_source() {
    explained(
        &["--explain", "%x"],
        "target triple = \"amdgcn-amd-amdhsa\"
define amdgpu_kernel void @f(i1 %n) {
entry:
  %tid = call i32 @llvm.amdgcn.workitem.id.x()
  %c = trunc i32 %tid to i1
  br i1 %c, label %a, label %join
a:
  br i1 %n, label %b, label %join
b:
  br label %join
join:
  %p = phi i32 [ 1, %entry ], [ 2, %a ], [ 2, %b ]
  %x = add i32 %p, 1
  ret void
}
declare i32 @llvm.amdgcn.workitem.id.x()
",
        expect![[r#"
            %x in @f is divergent: it may differ between the threads of a subgroup
              <stdin>:13:3: %x = add i32 %p, 1
                operand: is computed from %p
              <stdin>:12:3: %p = phi i32 [ 1, %entry ], [ 2, %a ], [ 2, %b ]
                join: threads that part at the branch of entry meet here with different values
                  one way: entry -> a -> join
                  another: entry -> join
              <stdin>:6:3: br i1 %c, label %a, label %join
                operand: depends on %c
              <stdin>:5:3: %c = trunc i32 %tid to i1
                operand: is computed from %tid
              <stdin>:4:3: %tid = call i32 @llvm.amdgcn.workitem.id.x()
                source: @llvm.amdgcn.workitem.id.x differs between the threads of a subgroup (target amdgpu)

        "#]],
    );
}

#[test]
fn a_temporal_exit() {
    explained(
        &["--function", "kernel", "--explain", "%last"],
        KERNEL,
        expect![[r#"
            %last in @kernel is divergent: it may differ between the threads of a subgroup
              <stdin>:15:3: %last = mul i32 %i, %block
                temporal: uses %i from the cycle at loop; threads that part at the branch of loop leave the cycle over loop -> "all done" in different iterations
                  one way: loop -> loop -> "all done"
                  another: loop -> "all done"
              <stdin>:13:3: br i1 %more, label %loop, label %"all done"
                operand: depends on %more
              <stdin>:12:3: %more = icmp ult i32 %next, %tid
                operand: is computed from %tid
              <stdin>:6:3: %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
                source: @llvm.nvvm.read.ptx.sreg.tid.x differs between the threads of a subgroup (target nvptx)

        "#]],
    );
}

/// The terminator of a block, by the name of the block, by its line; quoted or not.
#[test]
fn branches_are_named_by_their_blocks() {
    let by_name = uniformity(&["--explain", "%loop"], KERNEL);
    assert!(by_name.stdout.starts_with("the branch of loop in @kernel is divergent"), "{}", by_name.stdout);
    assert_eq!(uniformity(&["--explain", "br %loop"], KERNEL).stdout, by_name.stdout);
    assert_eq!(uniformity(&["--explain", ":13"], KERNEL).stdout, by_name.stdout);
    assert_eq!(uniformity(&["--explain", "<stdin>:13"], KERNEL).stdout, by_name.stdout);
    let quoted = uniformity(&["--explain", "%\"all done\""], KERNEL);
    assert!(quoted.stdout.starts_with("the branch of \"all done\" in @kernel is uniform in the grid"), "{quoted:?}");
    assert_eq!(uniformity(&["--explain", "all done"], KERNEL).stdout, quoted.stdout);
    // The header's line stands for the parameters.
    let parameters = uniformity(&["--explain", ":4"], KERNEL);
    assert!(parameters.stdout.starts_with("%n in @kernel is uniform in the grid\n  <stdin>:4:"), "{parameters:?}");
}

/// Two cycles that LLVM gives up for one criterion each, as its printer says, too.
#[test]
fn cycles_assumed_to_be_divergent_by_the_criteria() {
    explained(
        &["--explain", "%read"],
        "target triple = \"nvptx64-nvidia-cuda\"
define ptx_kernel void @outside(ptr addrspace(1) %p, i1 %n) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp ult i32 %tid, 7
  br i1 %c, label %left, label %right
left:
  %read = load i32, ptr addrspace(1) %p
  br label %right
right:
  br i1 %n, label %left, label %done
done:
  ret void
}
define ptx_kernel void @inside(ptr addrspace(1) %p, i1 %n, i1 %m) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp ult i32 %tid, 7
  br i1 %n, label %left, label %right
left:
  br i1 %c, label %side, label %right
side:
  br label %right
right:
  %read = load i32, ptr addrspace(1) %p
  br i1 %m, label %left, label %done
done:
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
",
        expect![[r#"
            %read in @outside is uniform in the grid
              <stdin>:8:3: %read = load i32, ptr addrspace(1) %p
              by LLVM's criteria it would be divergent in a subgroup; it is uniform there because of: all-hierarchies
                all-hierarchies: the threads of an irreducible cycle agree on it in every cycle hierarchy
              the chain by LLVM's criteria:
              <stdin>:8:3: %read = load i32, ptr addrspace(1) %p
                assumed-divergent: is in the irreducible cycle at left, which is assumed to be divergent: threads that part at the branch of entry enter it at different blocks
              <stdin>:6:3: br i1 %c, label %left, label %right
                operand: depends on %c
              <stdin>:5:3: %c = icmp ult i32 %tid, 7
                operand: is computed from %tid
              <stdin>:4:3: %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
                source: @llvm.nvvm.read.ptx.sreg.tid.x differs between the threads of a subgroup (target nvptx)

            values and branches of @outside that are uniform in a subgroup because of a refinement: all-hierarchies 1

            %read in @inside is uniform in the grid
              <stdin>:25:3: %read = load i32, ptr addrspace(1) %p
              by LLVM's criteria it would be divergent in a subgroup; it is uniform there because of: all-hierarchies
                all-hierarchies: the threads of an irreducible cycle agree on it in every cycle hierarchy
              the chain by LLVM's criteria:
              <stdin>:25:3: %read = load i32, ptr addrspace(1) %p
                assumed-divergent: is in the irreducible cycle at left, which is assumed to be divergent: threads that part at the branch of left meet at right, which neither the branch nor the header of a cycle with both strictly dominates
              <stdin>:21:3: br i1 %c, label %side, label %right
                operand: depends on %c
              <stdin>:18:3: %c = icmp ult i32 %tid, 7
                operand: is computed from %tid
              <stdin>:17:3: %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
                source: @llvm.nvvm.read.ptx.sreg.tid.x differs between the threads of a subgroup (target nvptx)

            values and branches of @inside that are uniform in a subgroup because of a refinement: all-hierarchies 1

        "#]],
    );
}

/// There is no criterion for it, so what follows is given up; the chain ends there.
#[test]
fn a_region_that_leaves_an_irreducible_cycle() {
    let text = "target triple = \"nvptx64-nvidia-cuda\"
define ptx_kernel void @f(ptr addrspace(1) %p, i1 %n) convergent {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp ult i32 %tid, 7
  br i1 %c, label %left, label %right
left:
  br label %right
right:
  %t = call token @llvm.experimental.convergence.anchor()
  br i1 %n, label %left, label %done
done:
  %x = load i32, ptr addrspace(1) %p
  call void @op() [ \"convergencectrl\"(token %t) ]
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare token @llvm.experimental.convergence.anchor()
declare void @op() convergent
";
    explained(
        &["--explain", "%x"],
        text,
        expect![[r#"
        %x in @f is divergent: it may differ between the threads of a subgroup
          <stdin>:13:3: %x = load i32, ptr addrspace(1) %p
            assumed-divergent: is in or behind the irreducible cycle at left, which the convergence region of a token of the cycle leaves: what follows is assumed to be divergent

    "#]],
    );
    explained(
        &["--explain", "%right"],
        text,
        expect![[r#"
        the branch of right in @f is divergent: it may differ between the threads of a subgroup
          <stdin>:11:3: br i1 %n, label %left, label %done
            assumed-divergent: is in or behind the irreducible cycle at left, which the convergence region of a token of the cycle leaves: what follows is assumed to be divergent

    "#]],
    );
    let report = json(&[], text);
    assert_eq!(strings(&report["files"][0]["functions"][0]["cycles"]["assumed_divergent"]), ["left"]);
}

/// Each refinement on something that only it makes uniform.
#[test]
fn refinements() {
    const DECLARATIONS: &str = "declare i32 @llvm.amdgcn.workitem.id.x()
declare token @llvm.experimental.convergence.anchor()
declare token @llvm.experimental.convergence.loop()
declare i32 @op(i32) convergent memory(none)
target triple = \"amdgcn-amd-amdhsa\"
";
    for (refinement, body) in [
        (
            "edge-joins",
            "define amdgpu_kernel void @f(i1 %n) {
entry:
  br i1 %n, label %part, label %join
part:
  %tid = call i32 @llvm.amdgcn.workitem.id.x()
  %c = trunc i32 %tid to i1
  br i1 %c, label %one, label %two
one:
  br label %join
two:
  br label %join
join:
  %x = phi i32 [ 0, %entry ], [ 1, %one ], [ 1, %two ]
  ret void
}",
        ),
        (
            "divergent-exits",
            "define amdgpu_kernel void @f(i32 %n) {
entry:
  %tid = call i32 @llvm.amdgcn.workitem.id.x()
  br label %header
header:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %next = add i32 %i, 1
  %all = icmp eq i32 %i, %n
  br i1 %all, label %together, label %body
body:
  %c = icmp eq i32 %i, %tid
  br i1 %c, label %apart, label %header
together:
  %x = add i32 %i, 1
  ret void
apart:
  ret void
}",
        ),
        (
            "cycle-invariants",
            "define amdgpu_kernel void @f(i32 %n) {
entry:
  %tid = call i32 @llvm.amdgcn.workitem.id.x()
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1
  %same = mul i32 %n, %n
  %c = icmp eq i32 %i, %tid
  br i1 %c, label %done, label %loop
done:
  %x = add i32 %same, 1
  ret void
}",
        ),
        (
            "value-facts",
            "define amdgpu_kernel void @f() {
  %tid = call i32 @llvm.amdgcn.workitem.id.x()
  %x = xor i32 %tid, %tid
  ret void
}",
        ),
        (
            "interprocedural",
            "define amdgpu_kernel void @f(i32 %n) {
  %x = call i32 @local(i32 %n)
  ret void
}
define internal i32 @local(i32 %a) {
  %sum = add i32 %a, 1
  ret i32 %sum
}",
        ),
        (
            "provenance",
            "define amdgpu_kernel void @f(ptr %p) {
  %x = load i32, ptr %p
  ret void
}",
        ),
        (
            "promotable-allocas",
            "define amdgpu_kernel void @f(i32 %n) {
  %variable = alloca i32, addrspace(5)
  store i32 %n, ptr addrspace(5) %variable
  %x = load i32, ptr addrspace(5) %variable
  ret void
}",
        ),
        (
            "convergence-regions",
            "define amdgpu_kernel void @f() convergent {
entry:
  %tid = call i32 @llvm.amdgcn.workitem.id.x()
  %outer = call token @llvm.experimental.convergence.anchor()
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %token = call token @llvm.experimental.convergence.loop() [ \"convergencectrl\"(token %outer) ]
  %next = add i32 %i, 1
  %c = icmp eq i32 %i, %tid
  br i1 %c, label %done, label %loop
done:
  %x = add i32 %i, 1
  %y = call i32 @op(i32 %x) [ \"convergencectrl\"(token %token) ]
  ret void
}",
        ),
    ] {
        let text = format!("{DECLARATIONS}{body}\n");
        let report = json(&["--function", "f", "--explain", "%x"], &text);
        let explanation = &report["files"][0]["explanations"][0];
        assert_eq!(explanation["verdict"], "uniform", "{refinement}: {explanation}");
        let refined = &explanation["refined"];
        assert!(refined.is_object(), "{refinement}: {explanation}");
        assert_eq!(strings(&refined["because"]), [refinement], "{explanation}");
        assert_eq!(refined["chain"].as_array().expect("a chain").last().expect("a step")["rule"], "source");
        let counts = json(&["--function", "f", "--refinements"], &text);
        let counts = &counts["files"][0]["functions"][0]["refinements"];
        assert!(counts[refinement]["values"].as_u64() >= Some(1), "{counts}");
        assert!(counts["all"]["values"].as_u64() >= counts[refinement]["values"].as_u64(), "{counts}");
        let table = uniformity(&["--function", "f", "--refinements"], &text).stdout;
        assert!(table.lines().any(|line| line.trim_start().starts_with(refinement)), "{table}");
    }
}

#[test]
fn sources() {
    for (instruction, expected) in [
        ("%x = call i32 @llvm.amdgcn.workitem.id.x()", "certain: @llvm.amdgcn.workitem.id.x differs"),
        ("%x = call i32 @opaque()", "possible: nothing is known of @opaque"),
        ("%x = call i32 @known()", "possible: what @known returns may differ"),
        ("%x = call i32 %flat()", "possible: the result of a call of an unknown function"),
        ("%x = call i32 asm \"\", \"=v\"()", "possible: inline assembly may differ"),
        ("%x = load i32, ptr addrspace(5) %private", "possible: a load from memory that each thread has its own of"),
        ("%x = atomicrmw add ptr addrspace(1) %global, i32 1 seq_cst", "possible: an atomic operation"),
        ("%x = va_arg ptr %flat, i32", "possible: va_arg may give different results"),
    ] {
        let found = source(instruction);
        assert!(found.starts_with(expected), "{instruction}: {found}");
    }
    let parameter = chain("define void @f(i32 %n) {\n  %x = add i32 %n, 1\n  ret void\n}\n");
    assert_eq!(parameter.0, ["operand", "source"]);
    assert!(parameter.1.starts_with("possible: a parameter"), "{}", parameter.1);
    let load = "%x = load i32, ptr addrspace(3) %shared";
    let text = format!(
        "target triple = \"amdgcn--\"\ndefine void @f(ptr addrspace(3) inreg %shared) {{\n  {load}\n  ret void\n}}\n"
    );
    let grid = uniformity(&["--scope", "grid", "--explain", "%x"], &text);
    assert!(grid.stdout.contains("a load from memory that each workgroup has its own of"), "{}", grid.stdout);
    assert!(uniformity(&["--explain", "%x"], &text).stdout.contains("is uniform in a subgroup"));
    let volatile = text
        .replace("load i32", "load volatile i32")
        .replace("inreg", "")
        .replace("define void", "define amdgpu_kernel void");
    let workgroup = uniformity(&["--scope", "workgroup", "--explain", "%x"], &volatile);
    assert!(workgroup.stdout.contains("source: a volatile load: other threads may write"), "{}", workgroup.stdout);
}

const DEBUG: &str = "target triple = \"amdgcn-amd-amdhsa\"
declare i32 @llvm.amdgcn.workitem.id.x()
define amdgpu_kernel void @f() !dbg !4 {
  %tid = call i32 @llvm.amdgcn.workitem.id.x(), !dbg !7
  %x = add i32 %tid, 1, !dbg !8
  ret void
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: \"kernel.cl\", directory: \"/home/me\")
!3 = !{i32 2, !\"Debug Info Version\", i32 3}
!4 = distinct !DISubprogram(name: \"f\", scope: !1, file: !1, line: 3, unit: !0, spFlags: DISPFlagDefinition)
!7 = !DILocation(line: 5, column: 9, scope: !4)
!8 = !DILocation(line: 7, column: 3, scope: !4)
";

#[test]
fn places_in_the_source() {
    explained(
        &["--explain", "kernel.cl:7"],
        DEBUG,
        expect![[r#"
        %x in @f is divergent: it may differ between the threads of a subgroup
          <stdin>:5:3: %x = add i32 %tid, 1, !dbg !8
            in the source: /home/me/kernel.cl:7:3
            operand: is computed from %tid
          <stdin>:4:3: %tid = call i32 @llvm.amdgcn.workitem.id.x(), !dbg !7
            in the source: /home/me/kernel.cl:5:9
            source: @llvm.amdgcn.workitem.id.x differs between the threads of a subgroup (target amdgpu)

    "#]],
    );
    let report = json(&["--explain", "me/kernel.cl:7"], DEBUG);
    let explanation = &report["files"][0]["explanations"][0];
    assert_eq!(explanation["name"], "%x");
    let place = serde_json::json!({ "file": "/home/me/kernel.cl", "line": 5, "column": 9 });
    assert_eq!(explanation["chain"][1]["source"], place);
    assert_eq!(uniformity(&["--explain", "rnel.cl:7"], DEBUG).status, 2, "the end of a name is no name");
}

#[test]
fn an_explanation_as_json() {
    let report = json(&["--function", "kernel", "--explain", "%last", "--explain", "%n"], KERNEL);
    let explanations = report["files"][0]["explanations"].as_array().expect("a list");
    assert_eq!(explanations.len(), 2);
    let last = &explanations[0];
    assert_eq!(last["function"], "@kernel");
    assert_eq!(
        (&last["name"], &last["kind"], &last["verdict"]),
        (&"%last".into(), &"value".into(), &"divergent".into())
    );
    assert_eq!((&last["line"], &last["column"], &last["uniform_in"]), (&15.into(), &3.into(), &Value::Null));
    let step = &last["chain"][0];
    assert_eq!(
        (&step["rule"], &step["block"], &step["line"]),
        (&"temporal".into(), &"\"all done\"".into(), &15.into())
    );
    let paths: Vec<Vec<&str>> = step["paths"].as_array().expect("paths").iter().map(strings).collect();
    assert_eq!(paths, [vec!["loop", "loop", "\"all done\""], vec!["loop", "\"all done\""]]);
    let source = last["chain"].as_array().and_then(|chain| chain.last()).expect("a chain");
    assert_eq!(
        (&source["rule"], &source["degree"], &source["name"]),
        (&"source".into(), &"certain".into(), &"%tid".into())
    );
    assert_eq!((&explanations[1]["verdict"], &explanations[1]["uniform_in"]), (&"uniform".into(), &"grid".into()));
    assert_eq!(report["files"][0]["functions"].as_array().map(Vec::len), Some(1));
}

#[test]
fn what_is_not_there() {
    let complaint = |arguments: &[&str]| {
        let run = uniformity(arguments, KERNEL);
        assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{run:?}");
        run.stderr
    };
    assert_eq!(complaint(&["--function", "other"]), "reconverge: -: no function @other has a body here\n");
    assert_eq!(
        complaint(&["--explain", "%lasr"]),
        "reconverge: -: there is no value or block %lasr in any function here; near names: %last\n"
    );
    assert_eq!(
        complaint(&["--function", "helper", "--explain", "%3"]),
        "reconverge: -: there is no value or block %3 in @helper; near names: %0, %2, %1\n"
    );
    assert_eq!(
        complaint(&["--explain", ":14"]),
        "reconverge: -: `:14`: line 14 has no value and no branch in any function here\n"
    );
    assert!(complaint(&["--explain", ":99999"]).contains("line 99999 has no value"));
    assert!(complaint(&["--explain", "other.cl:3"]).contains("line 3 has no value"));
    // One question that has an answer does not hide one that has none.
    let run = uniformity(&["--explain", "%tid", "--explain", "%nowhere"], KERNEL);
    assert_eq!(run.status, 2);
    assert!(run.stdout.starts_with("%tid in @kernel") && run.stderr.contains("%nowhere"), "{run:?}");
}

#[test]
fn names_that_many_functions_have() {
    let text: String =
        (0..30).map(|n| format!("define i32 @f{n}(i32 %x) {{\n  %y = add i32 %x, 1\n  ret i32 %y\n}}\n")).collect();
    let run = uniformity(&["--explain", "%y"], &text);
    assert_eq!(run.status, 0);
    assert_eq!(run.stdout.lines().filter(|line| line.starts_with("%y in @f")).count(), 10);
    assert_eq!(run.stderr, "<stdin>: %y is in 20 more functions: choose one with --function\n");
    let one = uniformity(&["--explain", "y", "--function", "f29"], &text);
    assert!(one.stdout.starts_with("%y in @f29 is divergent"), "{}", one.stdout);
}

#[test]
fn targets() {
    let text = KERNEL.replace("target triple = \"nvptx64-nvidia-cuda\"\n", "");
    let target = |run: &Run| {
        let report: Value = serde_json::from_str(&run.stdout).expect("JSON");
        report["files"][0]["functions"][0]["target"].as_str().expect("a name").to_owned()
    };
    let run = uniformity(&["--format", "json"], &text);
    assert_eq!((target(&run).as_str(), run.stderr.as_str()), ("generic", ""));
    let run = uniformity(&["--format", "json", "--target", "amdgpu"], KERNEL);
    assert_eq!((target(&run).as_str(), run.stderr.as_str()), ("amdgpu", ""));
    let run = uniformity(&["--format", "json", "--target", "vax"], KERNEL);
    assert_eq!((run.status, target(&run).as_str()), (0, "generic"));
    assert_eq!(
        run.stderr,
        "warning: there is no target `vax`, only amdgpu, nvptx, spirv, dxil, generic or a .toml file; going on as `generic`\n"
    );
    let other = format!("target triple = \"x86_64-unknown-linux-gnu\"\n{text}");
    let run = uniformity(&["--format", "json"], &other);
    assert_eq!(target(&run), "generic");
    let warning = "warning: <stdin>: nothing is known of target `x86_64-unknown-linux-gnu`; going on as `generic` (see --target)\n";
    assert_eq!(run.stderr, warning);
    assert_eq!(uniformity(&["-q"], &other).stderr, "");
    assert_eq!(uniformity(&["--format", "json", "--target", "generic"], &other).stderr, "");
}

#[test]
fn target_files() {
    let folder = TempDir::new().expect("a folder");
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("it can be written");
        path.to_str().expect("a plain name").to_owned()
    };
    let good = file(
        "mine.toml",
        "name = \"mine\"\nextends = \"nvptx\"\n[[call]]\nnames = [\"llvm.nvvm.read.ptx.sreg.tid.x\"]\nuniform = \"grid\"\n",
    );
    let report = json(&["--target", &good, "--function", "kernel"], KERNEL);
    assert_eq!(report["files"][0]["functions"][0]["target"], "mine");
    assert!(strings(&report["files"][0]["functions"][0]["values"]["divergent"]).is_empty());
    let bad = file("bad.toml", "name = \"bad\"\n[[call]]\nnames = [\"f\"]\nuniform = \"planet\"\n");
    for verb in ["uniformity", "check"] {
        let run = reconverge(&[verb, "-", "--target", &bad], KERNEL.as_bytes());
        assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{run:?}");
        assert!(run.stderr.starts_with(&format!("reconverge: {bad}:4:")), "{}", run.stderr);
        assert!(run.stderr.contains("`call.uniform`") && run.stderr.lines().count() == 1, "{}", run.stderr);
    }
    let run = uniformity(&["--target", "nowhere.toml"], KERNEL);
    assert_eq!(run.status, 2);
    assert!(run.stderr.starts_with("reconverge: cannot read the target file nowhere.toml"), "{}", run.stderr);
}

/// What examples say to try works, and says something about divergence.
#[test]
fn examples_can_be_asked_about() {
    let mut commands = 0;
    for path in examples() {
        for line in read(&path).lines() {
            let Some((_, command)) = line.split_once(": reconverge uniformity ") else { continue };
            assert!(command.starts_with(path.to_str().expect("a plain name")), "{line}");
            let arguments: Vec<&str> = ["uniformity"].into_iter().chain(command.split_whitespace()).collect();
            let run = reconverge(&arguments, b"");
            assert_eq!(run.status, 0, "{run:?}");
            assert!(run.stdout.contains("source: "), "{}", run.stdout);
            commands += 1;
        }
    }
    assert!(commands >= 6);
}

/// Every construct is analysed or taken to be divergent, at every scope, and can be asked about.
#[test]
fn unusual_functions() {
    for (divergent, text) in [
        ("", "define void @f() {\n  ret void\ngone:\n  %x = call i32 @g()\n  br label %gone\n}\ndeclare i32 @g()\n"),
        ("%x", "define void @f() {\n  br label %a\na:\n  %x = call i32 @g()\n  br label %a\n}\ndeclare i32 @g()\n"),
        ("%n", "define void @f(i1 %n) {\n  br i1 %n, label %a, label %b\na:\n  br label %b\nb:\n  br label %a\n}\n"),
        (
            "%to %x",
            "define void @f(ptr %to) {\n  indirectbr ptr %to, [label %a, label %b]\na:\n  br label %b\nb:\n  %x = phi i32 [ 1, %0 ], [ 2, %a ]\n  ret void\n}\n",
        ),
        (
            "%x",
            "define void @f() {\n  callbr void asm sideeffect \"\", \"!i\"() to label %a [label %b]\na:\n  br label %b\nb:\n  %x = phi i32 [ 1, %0 ], [ 2, %a ]\n  ret void\n}\n",
        ),
        (
            "%x %y",
            "declare i32 @g()\ndeclare i32 @p(...)\ndefine void @f() personality ptr @p {\n  %x = invoke i32 @g() to label %a unwind label %b\na:\n  ret void\nb:\n  %y = landingpad { ptr, i32 } cleanup\n  resume { ptr, i32 } %y\n}\n",
        ),
        (
            "%s %c",
            "declare void @g()\ndeclare i32 @p(...)\ndefine void @f() personality ptr @p {\n  invoke void @g() to label %a unwind label %d\na:\n  ret void\nd:\n  %s = catchswitch within none [label %h] unwind to caller\nh:\n  %c = catchpad within %s [ptr null]\n  catchret from %c to label %a\n}\n",
        ),
        (
            "%c",
            "declare void @g()\ndeclare i32 @p(...)\ndefine void @f() personality ptr @p {\n  invoke void @g() to label %a unwind label %d\na:\n  unreachable\nd:\n  %c = cleanuppad within none []\n  cleanupret from %c unwind to caller\n}\n",
        ),
        (
            "%n %m",
            "define void @f(i32 %n) {\n  switch i32 %n, label %a [ i32 1, label %a\n i32 2, label %b ]\na:\n  %m = add i32 %n, 1\n  ret void\nb:\n  ret void\n}\n",
        ),
    ] {
        let report = json(&["--function", "f"], text);
        let function = &report["files"][0]["functions"][0];
        let found = [strings(&function["parameters"]["divergent"]), strings(&function["values"]["divergent"])].concat();
        assert_eq!(found.join(" "), divergent, "{text}");
        let lines: Vec<String> = (1..=text.lines().count()).map(|line| format!("--explain=:{line}")).collect();
        for scope in ["subgroup", "workgroup", "grid"] {
            assert_eq!(uniformity(&["--scope", scope], text).status, 0);
            let mut arguments = vec!["--scope", scope];
            arguments.extend(lines.iter().map(String::as_str));
            let run = uniformity(&arguments, text);
            assert!(run.stdout.contains(" in @f is "), "{run:?}");
        }
    }
    let unreachable = "define void @f() {\n  ret void\ngone:\n  %x = call i32 @g()\n  ret void\n}\ndeclare i32 @g()\n";
    explained(
        &["--explain", "%x"],
        unreachable,
        expect![[r#"
        %x in @f is uniform in the grid
          <stdin>:4:3: %x = call i32 @g()
            no path leads here from the function's entry

    "#]],
    );
}
