//! `--explain`: the chain from a divergent value back to its source, and what refinements leave out.

use expect_test::expect;
use serde_json::Value;

use super::{KERNEL, explained, json, strings, uniformity};
use crate::common::reconverge;

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
                join: threads that diverge at the branch of entry meet here with different values
                  one path: entry -> a -> join
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
                temporal: uses %i from the cycle at loop; threads that diverge at the branch of loop leave the cycle over loop -> "all done" in different iterations
                  one path: loop -> loop -> "all done"
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
                assumed-divergent: is in the irreducible cycle at left, which is assumed to be divergent: threads that diverge at the branch of entry enter it at different blocks
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
                assumed-divergent: is in the irreducible cycle at left, which is assumed to be divergent: threads that diverge at the branch of left meet at right, which neither the branch nor the header of a cycle with both strictly dominates
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
            assumed-divergent: is in or after the irreducible cycle at left, which the convergence region of a token of the cycle leaves: what follows is assumed to be divergent

    "#]],
    );
    explained(
        &["--explain", "%right"],
        text,
        expect![[r#"
        the branch of right in @f is divergent: it may differ between the threads of a subgroup
          <stdin>:11:3: br i1 %n, label %left, label %done
            assumed-divergent: is in or after the irreducible cycle at left, which the convergence region of a token of the cycle leaves: what follows is assumed to be divergent

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

const SOURCE: &str = "__device__ float twice(float f) { return f + f; }
__global__ void k(float *x, int n) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  int m = n / 2;
  if (i < m)
    x[i] = twice(x[m]);
}
";

/// What is explained of a source file, in which its folder is not named.
fn explained_in_source(question: &str) -> (i32, String, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("k.cu");
    std::fs::write(&path, SOURCE).expect("it can be written");
    let run = reconverge(&["uniformity", path.to_str().expect("a plain name"), "--explain", question], b"");
    let without = |text: String| text.replace(&format!("{}/", folder.path().display()), "");
    (run.status, without(run.stdout), without(run.stderr))
}

#[test]
fn source_is_explained_in_its_words() {
    let (status, condition, _) = explained_in_source("k.cu:5");
    assert_eq!(status, 0);
    expect![[r#"
        `i` in `k` is divergent: it may differ between the threads of a warp
          k.cu:5:7: if (i < m)
            operand: `i`: was assigned `threadIdx.x + blockIdx.x * blockDim.x`
          k.cu:3:11: int i = threadIdx.x + blockIdx.x * blockDim.x;
            operand: `threadIdx.x + blockIdx.x * blockDim.x`: is computed from `threadIdx.x`
          k.cu:3:11: int i = threadIdx.x + blockIdx.x * blockDim.x;
            source: `threadIdx.x`: differs between the threads of a warp

        `m` in `k` is uniform in the grid
          k.cu:5:11: if (i < m)

        the condition `i < m` in `k` is divergent: it may differ between the threads of a warp
          k.cu:5:7: if (i < m)
            operand: `i < m`: is computed from `i`
          k.cu:5:7: if (i < m)
            operand: `i`: was assigned `threadIdx.x + blockIdx.x * blockDim.x`
          k.cu:3:11: int i = threadIdx.x + blockIdx.x * blockDim.x;
            operand: `threadIdx.x + blockIdx.x * blockDim.x`: is computed from `threadIdx.x`
          k.cu:3:11: int i = threadIdx.x + blockIdx.x * blockDim.x;
            source: `threadIdx.x`: differs between the threads of a warp

    "#]]
    .assert_eq(&condition);
    // A line without its file is one of the input.
    assert_eq!(explained_in_source(":5").1, condition);
    let (_, variable, _) = explained_in_source("m");
    expect![[r#"
        `m` in `k` is uniform in the grid
          k.cu:5:11: if (i < m)

        `m` in `k` is uniform in the grid
          k.cu:6:20: x[i] = twice(x[m]);

    "#]]
    .assert_eq(&variable);
    // Both are read as what they are in the function that is asked about.
    assert!(explained_in_source("f").1.contains("`f` in `twice` is divergent"));
}

#[test]
fn variables_that_source_does_not_have() {
    let (status, _, errors) = explained_in_source("ii");
    assert_eq!(status, 2);
    expect![[r#"
        reconverge: k.cu: there is no variable `ii` in any function here; near names: i
    "#]]
    .assert_eq(&errors);
    // Names of the IR are none of the source.
    assert_eq!(explained_in_source("%0").0, 2);
    assert_eq!(explained_in_source(":1000").0, 2);
}
