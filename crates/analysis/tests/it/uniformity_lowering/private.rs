//! Memory that each thread has its own copy of: what it holds, where its addresses go, and what that says of other memory; and what depends on the processor.

use reconverge_analysis::target::Scope;
use reconverge_analysis::uniformity::lower::LoweringOptions;
use reconverge_analysis::uniformity::{Options, analyze};

use crate::uniformity_lowering::common::{Case, amdgpu, nvptx};

/// The instructions of `@f` whose results are uniform in a workgroup, in the order of the text.
fn uniform(text: &str) -> String {
    uniform_in(text, Scope::Workgroup)
}

fn uniform_in(text: &str, scope: Scope) -> String {
    let case = Case::new(text, "f", LoweringOptions::new(scope));
    let lowered = case.lower();
    let uniformity = analyze(&lowered.problem, &Options::default());
    let values = (0..).zip(lowered.problem.values.iter().zip(&uniformity.values));
    let uniform = values.filter(|(_, (value, cause))| value.node.is_some() && cause.is_none());
    let names = uniform.map(|(index, _)| case.name(&lowered, index)).filter(|name| name.starts_with('%'));
    names.collect::<Vec<_>>().join(" ")
}

const PAIR: &str = "%pair = type { i32, i32 }\n";

#[test]
fn structures_hold_what_is_stored() {
    let text = |first: &str, second: &str| {
        nvptx(&format!(
            "{PAIR}define ptx_kernel void @f(i32 %n, ptr addrspace(1) %out) {{
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp ult i32 %tid, 7
  %pair = alloca %pair
  {first}
  br i1 %c, label %some, label %end
some:
  {second}
  br label %end
end:
  %p = getelementptr inbounds %pair, ptr %pair, i32 0, i32 0
  %x = load float, ptr %p
  ret void
}}
"
        ))
    };
    // What is read as another type stays in memory.
    let store = |value: &str| format!("store i32 {value}, ptr %pair");
    assert_eq!(uniform(&text(&store("%n"), "")), "%pair %p %x");
    assert_eq!(uniform(&text(&store("%tid"), "")), "%pair %p");
    assert_eq!(uniform(&text(&store("%n"), &store("0"))), "%pair %p", "some threads store there");
    let elsewhere = "%e = getelementptr inbounds %pair, ptr %pair, i32 0, i32 %tid\n  store i32 %n, ptr %e";
    assert_eq!(uniform(&text(elsewhere, "")), "%pair %p", "each thread stores at a place of its own");
    let escapes = "store ptr %pair, ptr addrspace(1) %out";
    assert_eq!(uniform(&text(escapes, "")), "%pair %p");
}

#[test]
fn a_store_in_a_loop_that_threads_leave_at_different_times() {
    let text = |stored: &str| {
        nvptx(&format!(
            "{PAIR}define ptx_kernel void @f(i32 %n) {{
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %pair = alloca %pair
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  store i32 {stored}, ptr %pair
  %next = add i32 %i, 1
  %c = icmp ult i32 %next, %tid
  br i1 %c, label %loop, label %end
end:
  %x = load i32, ptr %pair
  ret void
}}
"
        ))
    };
    assert_eq!(uniform(&text("%i")), "%pair %i %next");
    assert_eq!(uniform(&text("%n")), "%pair %i %next %x");
}

#[test]
fn pointers_that_are_read_from_memory() {
    let text = |other: &str| {
        nvptx(&format!(
            "define ptx_kernel void @f(ptr %rows) {{
  %row = load ptr, ptr %rows
  %x = load i32, ptr %row
  ret void
}}
define ptx_kernel void @other(ptr %rows) {{
  %variable = alloca i32
  %cell = alloca ptr
  {other}
  ret void
}}
"
        ))
    };
    assert_eq!(uniform(&text("store ptr %variable, ptr %cell\n  %y = load ptr, ptr %cell")), "%row %x");
    assert_eq!(uniform(&text("store ptr %variable, ptr %rows")), "%row");
    assert_eq!(uniform(&text("%bits = ptrtoint ptr %variable to i64")), "%row");
    assert_eq!(
        uniform(&text("store ptr %variable, ptr %cell\n  %y = load ptr, ptr %cell\n  store ptr %y, ptr %rows")),
        "%row"
    );
}

#[test]
fn structures_that_are_passed_by_value() {
    let text = |more: &str| {
        nvptx(&format!(
            "{PAIR}define internal i32 @sum(ptr %of) {{
  %a = load i32, ptr %of
  %p = getelementptr inbounds %pair, ptr %of, i32 0, i32 1
  %b = load i32, ptr %p
  %c = add i32 %a, %b
  ret i32 %c
}}
define internal void @set(ptr %of) {{
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  store i32 %tid, ptr %of
  ret void
}}
define ptx_kernel void @f(ptr byval(%pair) %pair) {{
  %x = load i32, ptr %pair
  {more}
  ret void
}}
"
        ))
    };
    assert_eq!(uniform(&text("")), "%x");
    assert_eq!(uniform(&text("%y = call i32 @sum(ptr %pair)")), "%x %y");
    assert_eq!(uniform(&text("call void @set(ptr %pair)")), "");
    assert_eq!(uniform(&text("store i32 1, ptr %pair")), "");
}

/// A pointer that a number was made of is one again where that is read, or taken out of a struct.
#[test]
fn addresses_as_numbers() {
    let text = |object: &str, number: &str, reads: &str| {
        nvptx(&format!(
            "define i64 @number(ptr %of) {{
  %n = ptrtoint ptr %of to i64
  ret i64 %n
}}
define ptx_kernel void @f(ptr %memory) {{
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = alloca i32
  %cell = alloca {{i64, i64}}
  store i32 %tid, ptr %own
  %number = call i64 @number(ptr {object})
  store {number}, ptr %cell
  {reads}
  %x = load i32, ptr %p
  ret void
}}
"
        ))
    };
    let as_pointer = "%p = load ptr, ptr %cell";
    let as_part = "%pair = load {ptr, ptr}, ptr %cell\n  %p = extractvalue {ptr, ptr} %pair, 0";
    for number in ["i64 %number", "{i64, i64} {i64 0, i64 0}"] {
        let is_own = number.starts_with("i64");
        for reads in [as_pointer, as_part] {
            let found = uniform(&text("%own", number, reads));
            assert_eq!(found.contains("%x"), !is_own, "{number} {reads}: {found}");
        }
    }
    for reads in [as_pointer, as_part] {
        assert!(uniform(&text("%memory", "i64 %number", reads)).contains("%x"), "{reads}");
    }
}

/// What a function returns points to memory of the thread if it may return that.
#[test]
fn pointers_that_functions_return() {
    let text = |argument: &str, stored: &str| {
        nvptx(&format!(
            "{PAIR}define ptr @held(ptr %of) {{
  %p = load ptr, ptr %of
  ret ptr %p
}}
define ptr @frame() {{
  %p = call ptr @llvm.frameaddress.p0(i32 0)
  ret ptr %p
}}
declare ptr @llvm.frameaddress.p0(i32)
define ptx_kernel void @f(ptr %memory, ptr byval({{ptr, i32}}) %view) {{
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = alloca i32
  store i32 %tid, ptr %own
  %cell = alloca ptr
  store ptr {stored}, ptr %cell
  %p = call ptr {argument}
  %x = load i32, ptr %p
  ret void
}}
"
        ))
    };
    let is_uniform = |argument: &str, stored: &str| uniform(&text(argument, stored)).contains("%x");
    assert!(is_uniform("@held(ptr %view)", "%own"), "nobody writes the argument");
    assert!(is_uniform("@held(ptr %cell)", "%memory"));
    assert!(!is_uniform("@held(ptr %cell)", "%own"));
    assert!(!is_uniform("@frame()", "%memory"));
}

#[test]
fn functions_that_others_may_call_read_through_pointers() {
    let text = nvptx(
        "define i32 @first(ptr %of) {
  %x = load i32, ptr %of
  ret i32 %x
}
define ptx_kernel void @f(ptr %memory) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %variable = alloca i32
  store i32 %tid, ptr %variable
  %shared = call i32 @first(ptr %memory)
  %own = call i32 @first(ptr %variable)
  ret void
}
",
    );
    assert_eq!(uniform(&text), "%variable %shared");
}

#[test]
fn variables_after_one_of_divergent_size() {
    let text = nvptx(
        "define ptx_kernel void @f(i32 %n) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %fixed = alloca i32
  %before = alloca i32, i32 %n
  %own = alloca i32, i32 %tid
  %after = alloca i32, i32 %n
  ret void
}
",
    );
    assert_eq!(uniform(&text), "%fixed %before");
}

#[test]
fn lanes_that_are_read_across_the_wave() {
    let text = |attributes: &str| {
        let declaration = "declare i32 @llvm.amdgcn.ds.bpermute(i32, i32)";
        let body = "%x = call i32 @llvm.amdgcn.ds.bpermute(i32 %lane, i32 %tid)\n  ret void";
        amdgpu(&format!(
            "{declaration}\ndefine amdgpu_kernel void @f(i32 %lane) #9 {{\n  %tid = call i32 @llvm.amdgcn.workitem.id.x()\n  {body}\n}}\nattributes #9 = {{ {attributes} }}\n"
        ))
    };
    let works = |attributes: &str| uniform_in(&text(attributes), Scope::Subgroup) == "%x";
    let cpu = |name: &str| format!("\"target-cpu\"=\"{name}\"");
    for (name, whole) in
        [("gfx900", true), ("gfx90a", true), ("fiji", true), ("gfx1030", true), ("gfx1100", true), ("gfx1201", true)]
    {
        assert_eq!(works(&cpu(name)), whole, "{name}");
    }
    let wide = |name: &str| format!("{} \"target-features\"=\"+wavefrontsize64\"", cpu(name));
    for (name, whole) in [("gfx1030", false), ("gfx1100", false), ("gfx11-generic", false), ("gfx1201", true)] {
        assert_eq!(works(&wide(name)), whole, "{name} with 64 lanes");
    }
    assert!(!works("nounwind"), "the processor is not known");
}

#[test]
fn calls_that_are_no_source_of_divergence() {
    let text = nvptx(
        "declare i32 @known(i32) nodivergencesource
define ptx_kernel void @f(i32 %n) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = call i32 @known(i32 %n)
  %b = call i32 @known(i32 %tid)
  %c = call i32 @unknown(i32 %n)
  %d = call i32 @unknown(i32 %n) nodivergencesource
  ret void
}
",
    );
    assert_eq!(uniform(&text), "%a %d");
}
