//! What lowering says of each value of small functions, and what follows: one line for each value that is computed, with its rule,
//! its operands, the verdict, and the refinement that made the rule what it is.

use std::fmt::Write;

use expect_test::{Expect, expect};
use reconverge_analysis::target::{Scope, Target};
use reconverge_analysis::uniformity::lower::{
    Input, Lowered, LoweringOptions, ModuleFacts, Origin, Refinements, Summaries, lower,
};
use reconverge_analysis::uniformity::{Branch, Options, Rule, analyze};
use reconverge_ir::constant::ConstantData;
use reconverge_ir::function::{Block, Definition, Value};
use reconverge_ir::module::FunctionId;
use reconverge_ir::{BodyEnds, Function, FunctionReader, Module};

/// A function that was lowered.
struct Case<'t> {
    module: Module<'t>,
    id: FunctionId,
    function: Function,
    options: LoweringOptions,
}

impl<'t> Case<'t> {
    fn new(text: &'t str, name: &str, options: LoweringOptions) -> Case<'t> {
        let module = Module::read(text.as_bytes(), BodyEnds::AtLineStart).expect("the fixture reads");
        let symbol = module.symbol_named(name.as_bytes()).expect("the fixture has the function");
        let id = module.function_of(symbol).expect("it is a function");
        let function = FunctionReader::new(&module).read(id).expect("the fixture reads");
        Case { module, id, function, options }
    }

    fn lower(&self) -> Lowered {
        let target = Target::for_triple(&self.module.target_triple());
        let facts = ModuleFacts::new(&self.module, target);
        let summaries = Summaries::compute(&self.module, &facts, &self.options, &Options::default());
        let summaries = &summaries.expect("the fixture reads");
        let Case { module, id, function, options } = self;
        lower(Input { module, facts: &facts, id: *id, function, summaries }, options)
    }

    fn name(&self, lowered: &Lowered, index: u32) -> String {
        match lowered.origins[index as usize] {
            Origin::Value(value) => match self.function.name(value) {
                Some(name) => format!("%{}", self.module.local_name(name)),
                None => self.constant(value),
            },
            Origin::Variable { alloca, block } => {
                let name = self.module.local_name(self.function.instructions[alloca].name);
                format!("*%{name} in {}", self.block(block))
            }
            other => format!("{other:?}"),
        }
    }

    fn constant(&self, value: Value) -> String {
        match self.function.values[value].definition {
            Definition::Constant(ConstantData::Integer(number)) => number.to_string(),
            Definition::Constant(ConstantData::Literal(span)) => {
                String::from_utf8_lossy(span.of(self.module.text)).into_owned()
            }
            definition => format!("{definition:?}"),
        }
    }

    fn block(&self, block: Block) -> String {
        format!("%{}", self.module.local_name(self.function.blocks[block].name))
    }

    fn describe(&self) -> String {
        let lowered = self.lower();
        let problem = &lowered.problem;
        let uniformity = analyze(problem, &Options::default());
        let verdict = |divergent: bool| if divergent { "divergent" } else { "uniform" };
        let mut out = String::new();
        for (index, value) in (0..).zip(&problem.values) {
            if value.rule == Rule::Constant && lowered.refinement_of(index).is_none() {
                continue;
            }
            let operands: Vec<String> = problem.operands(index).iter().map(|&one| self.name(&lowered, one)).collect();
            let rule = format!("{:?}", value.rule).to_lowercase();
            let verdict = verdict(uniformity.values[index as usize].is_some());
            write!(out, "{}: {rule}({}) {verdict}", self.name(&lowered, index), operands.join(", ")).unwrap();
            if let Some(refinement) = lowered.refinement_of(index) {
                write!(out, " by {refinement:?}").unwrap();
            }
            out.push('\n');
        }
        for (node, branch) in problem.branches.iter().enumerate() {
            let what = match branch {
                Branch::Uniform => continue,
                Branch::On(value) => format!("on {}", self.name(&lowered, *value)),
                Branch::Source => "source".to_owned(),
            };
            writeln!(out, "branch n{node}: {what} {}", verdict(uniformity.branches[node].is_some())).unwrap();
        }
        for region in &problem.regions {
            writeln!(out, "region of {:?}: {:?}", region.definition, region.nodes).unwrap();
        }
        out
    }
}

/// Describes the function `f` of a module, for subgroups.
fn check(text: &str, expected: Expect) {
    check_with(text, LoweringOptions::new(Scope::Subgroup), expected);
}

fn check_with(text: &str, options: LoweringOptions, expected: Expect) {
    expected.assert_eq(&Case::new(text, "f", options).describe());
}

const AMDGPU: &str = "target triple = \"amdgcn-amd-amdhsa\"
declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.workitem.id.y()
declare i32 @llvm.amdgcn.workitem.id.z()
declare i32 @llvm.amdgcn.workgroup.id.x()
declare i32 @llvm.amdgcn.readfirstlane.i32(i32)
declare i32 @unknown(i32)
";

const NVPTX: &str = "target triple = \"nvptx64-nvidia-cuda\"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @unknown(i32)
";

fn amdgpu(text: &str) -> String {
    format!("{AMDGPU}{text}")
}

fn nvptx(text: &str) -> String {
    format!("{NVPTX}{text}")
}

fn without(change: impl Fn(&mut Refinements)) -> LoweringOptions {
    let mut options = LoweringOptions::new(Scope::Subgroup);
    change(&mut options.refinements);
    options
}

#[test]
fn instructions_on_their_own() {
    let text = amdgpu(
        "define amdgpu_kernel void @f(ptr addrspace(1) %global, ptr addrspace(3) %shared, ptr addrspace(5) %own, i32 %n) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %group = call i32 @llvm.amdgcn.workgroup.id.x()
  %first = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %id)
  %called = call i32 @unknown(i32 0)
  %sum = add i32 %id, %n
  %product = mul i32 %n, 3
  %chosen = select i1 true, i32 %id, i32 %n
  %address = getelementptr i32, ptr addrspace(1) %global, i32 %id
  %a = load i32, ptr addrspace(1) %global
  %b = load i32, ptr addrspace(1) %address
  %c = load i32, ptr addrspace(5) %own
  %d = load volatile i32, ptr addrspace(3) %shared
  %e = atomicrmw add ptr addrspace(1) %global, i32 1 monotonic
  %g = cmpxchg ptr addrspace(1) %global, i32 1, i32 2 monotonic monotonic
  %h = freeze i32 %id
  %i = insertelement <2 x i32> poison, i32 %id, i32 0
  %scalar = call i32 asm \"s_mov_b32 $0, 0\", \"=s\"()
  %vector = call i32 asm \"v_mov_b32 $0, 0\", \"=v\"()
  %both = call { i32, i32 } asm \"\", \"=s,=v\"()
  %both.0 = extractvalue { i32, i32 } %both, 0
  %both.1 = extractvalue { i32, i32 } %both, 1
  ret void
}
",
    );
    check_with(
        &text,
        without(|refinements| *refinements = Refinements::NONE),
        expect![[r#"
        %id: source() divergent
        %group: uniform() uniform
        %first: uniform() uniform
        %called: source() divergent
        %sum: pure(%id, %n) divergent
        %product: pure(%n) uniform
        %chosen: pure(%id, %n) divergent
        %address: pure(%global, %id) divergent
        %a: varying(%global) uniform
        %b: varying(%address) divergent
        %c: source() divergent
        %d: varying(%shared) uniform
        %e: source() divergent
        %g: source() divergent
        %h: pure(%id) divergent
        %i: pure(%id) divergent
        %scalar: uniform() uniform
        %vector: source() divergent
        %both: source() divergent
        %both.0: uniform() uniform
        %both.1: pure(%both) divergent
    "#]],
    );
}

#[test]
fn scopes() {
    let text = amdgpu(
        "define amdgpu_kernel void @f(ptr addrspace(1) %global, ptr addrspace(3) %shared) {
  %group = call i32 @llvm.amdgcn.workgroup.id.x()
  %first = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %group)
  %a = load i32, ptr addrspace(1) %global
  %b = load i32, ptr addrspace(3) %shared
  %c = load atomic i32, ptr addrspace(1) %global monotonic, align 4
  ret void
}
",
    );
    check_with(
        &text,
        LoweringOptions::new(Scope::Subgroup),
        expect![[r#"
        %group: uniform() uniform
        %first: uniform() uniform
        %a: varying(%global) uniform
        %b: varying(%shared) uniform
        %c: varying(%global) uniform
    "#]],
    );
    check_with(
        &text,
        LoweringOptions::new(Scope::Workgroup),
        expect![[r#"
        %group: uniform() uniform
        %first: varying(%group) uniform
        %a: varying(%global) uniform
        %b: varying(%shared) uniform
        %c: source() divergent
    "#]],
    );
    check_with(
        &text,
        LoweringOptions::new(Scope::Grid),
        expect![[r#"
        %group: source() divergent
        %first: varying(%group) divergent
        %a: varying(%global) uniform
        %b: source() divergent
        %c: source() divergent
    "#]],
    );
}

#[test]
fn parameters() {
    let text = amdgpu(
        "define i32 @f(i32 %vector, i32 inreg %scalar) {
  %a = add i32 %vector, %scalar
  ret i32 %a
}
",
    );
    check(
        &text,
        expect![[r#"
        %vector: source() divergent
        %a: pure(%vector, %scalar) divergent
    "#]],
    );
    let uniform = LoweringOptions { uniform_parameters: true, ..LoweringOptions::new(Scope::Subgroup) };
    check_with(
        &text,
        uniform,
        expect![[r#"
        %a: pure(%vector, %scalar) uniform
    "#]],
    );
}

#[test]
fn terminators() {
    let text = amdgpu(
        "declare i32 @personality(...)
define amdgpu_kernel void @f(i32 %n, ptr %target) personality ptr @personality {
entry:
  br i1 false, label %next, label %same
next:
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  br i1 poison, label %same, label %same
same:
  switch i32 %id, label %a [i32 0, label %b  i32 1, label %b]
a:
  indirectbr ptr %target, [label %b, label %invoke]
b:
  switch i32 %n, label %invoke [i32 0, label %quiet]
invoke:
  %x = invoke i32 @unknown(i32 0) to label %quiet unwind label %pad
quiet:
  %y = invoke i32 @unknown(i32 0) nounwind to label %branch unwind label %pad
branch:
  callbr void asm \"\", \"!i\"() to label %end [label %next]
end:
  ret void
pad:
  %caught = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %caught
}
",
    );
    check(
        &text,
        expect![[r#"
        %id: source() divergent
        %x: source() divergent
        %y: source() divergent
        %caught: source() divergent
        branch n2: on %id divergent
        branch n3: on %target uniform
        branch n4: on %n uniform
        branch n5: source divergent
        branch n7: source divergent
    "#]],
    );
}

#[test]
fn operands_of_phis() {
    let text = amdgpu(
        "define amdgpu_kernel void @f(i32 %n, float %x) {
entry:
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %c = icmp slt i32 %id, 3
  br i1 %c, label %a, label %b
a:
  br label %join
b:
  br label %join
join:
  %same = phi i32 [7, %a], [7, %b]
  %other = phi i32 [7, %a], [8, %b]
  %null = phi ptr [null, %a], [zeroinitializer, %b]
  %literal = phi float [1.0, %a], [1.0, %b]
  %aggregate = phi { i32, ptr } [{ i32 1, ptr @unknown }, %a], [{ i32 1, ptr @unknown }, %b]
  %expression = phi ptr [getelementptr (i8, ptr @unknown, i64 4), %a], [getelementptr (i8, ptr @unknown, i64 8), %b]
  %undefined = phi i32 [%n, %a], [undef, %b]
  %poisoned = phi i32 [poison, %a], [undef, %b]
  br label %loop
loop:
  %itself = phi i32 [%n, %join], [%itself, %loop]
  %counter = phi i32 [0, %join], [%more, %loop]
  %more = add i32 %counter, 1
  br i1 %c, label %loop, label %end
end:
  %last = phi i32 [%counter, %loop]
  ret void
}
",
    );
    check(
        &text,
        expect![[r#"
        %id: source() divergent
        %c: pure(%id) divergent
        %same: phi(7, 7) uniform
        %other: phi(7, 8) divergent
        %null: phi(Constant(Null), Constant(Null)) uniform
        %literal: phi(1.0, 1.0) uniform
        %aggregate: phi(Constant(Aggregate(aggregate0)), Constant(Aggregate(aggregate0))) uniform
        %expression: phi(Constant(Expression(expression0)), Constant(Expression(expression1))) divergent
        %undefined: phi(%n) uniform
        %poisoned: phi() uniform
        %itself: phi(%n) uniform
        %counter: phi(0, %more) uniform
        %more: pure(%counter) uniform
        %last: phi(%counter) divergent
        branch n0: on %c divergent
        branch n4: on %c divergent
    "#]],
    );
}

#[test]
fn identities() {
    let text = amdgpu(
        "define amdgpu_kernel void @f(i32 %n, float %x) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %a = xor i32 %id, %id
  %b = sub i32 %id, %id
  %c = and i32 %id, 0
  %d = mul i32 0, %id
  %e = icmp ule i32 %id, %id
  %g = or i32 %id, -1
  %h = urem i32 %id, 1
  %i = select i1 %e, i32 %n, i32 %n
  %j = select i1 false, i32 %id, i32 %n
  %k = shl i32 0, %id
  %y = uitofp i32 %id to float
  %not.a.zero = fsub float %y, %y
  %not.all.ones = or i32 %id, 1
  ret void
}
",
    );
    check(
        &text,
        expect![[r#"
        %id: source() divergent
        %a: pure() uniform by ValueFacts
        %b: pure() uniform by ValueFacts
        %c: pure() uniform by ValueFacts
        %d: pure() uniform by ValueFacts
        %e: pure() uniform by ValueFacts
        %g: pure() uniform by ValueFacts
        %h: pure() uniform by ValueFacts
        %i: pure(%n) uniform by ValueFacts
        %j: pure(%n) uniform by ValueFacts
        %k: pure() uniform by ValueFacts
        %y: pure(%id) divergent
        %not.a.zero: pure(%y, %y) divergent
        %not.all.ones: pure(%id) divergent
    "#]],
    );
}

/// The verdicts of `%…` for a kernel with a required size of workgroups.
fn thread_ids(size: &str, cpu: &str) -> String {
    let text = amdgpu(&format!(
        "define amdgpu_kernel void @f(i32 %n) \"target-cpu\"=\"{cpu}\" !reqd_work_group_size !0 {{
  %x = call i32 @llvm.amdgcn.workitem.id.x()
  %y = call i32 @llvm.amdgcn.workitem.id.y()
  %z = call i32 @llvm.amdgcn.workitem.id.z()
  %x5 = lshr i32 %x, 5
  %x6 = ashr i32 %x, 6
  %div = udiv i32 %x, 192
  %div48 = udiv i32 %x, 48
  %rem48 = urem i32 %x, 48
  %sdiv = sdiv i32 %x, 64
  %mask = and i32 %x, -64
  %low = and i32 %x, 63
  %high.n = shl i32 %n, 6
  %mask.n = and i32 %x, %high.n
  %wide = zext i32 %x to i64
  %wide6 = lshr i64 %wide, 6
  %times = shl i32 %x, 2
  %times8 = lshr i32 %times, 8
  %group = mul i32 %n, 256
  %global = add i32 %group, %x
  %global6 = lshr i32 %global, 6
  %uneven = add i32 %n, %x
  %uneven6 = lshr i32 %uneven, 6
  %y1 = lshr i32 %y, 1
  %inside = icmp ult i32 %x, 256
  ret void
}}
!0 = !{{i32 {size}}}
"
    ));
    let case = Case::new(&text, "f", LoweringOptions::new(Scope::Subgroup));
    let lowered = case.lower();
    let uniformity = analyze(&lowered.problem, &Options::default());
    let uniform = (0..).zip(&uniformity.values).filter(|(_, cause)| cause.is_none());
    let names = uniform
        .map(|(index, _)| case.name(&lowered, index))
        .filter(|name| name != "%n" && !name.ends_with(".n") || name == "%mask.n");
    names.collect::<Vec<_>>().join(" ")
}

#[test]
fn thread_ids_in_known_workgroups() {
    expect!["%y %z %x6 %div %sdiv %mask %mask.n %wide6 %times8 %group %global6 %y1 %inside"]
        .assert_eq(&thread_ids("256, i32 1, i32 1", "gfx900"));
    expect!["%y %z %x5 %x6 %div %sdiv %mask %mask.n %wide6 %times8 %group %global6 %y1 %inside"]
        .assert_eq(&thread_ids("256, i32 1, i32 1", "gfx1030"));
    expect!["%y %z %x6 %div %sdiv %mask %mask.n %wide6 %times8 %group %global6 %y1 %inside"]
        .assert_eq(&thread_ids("256, i32 2, i32 1", "gfx900"));
    expect!["%z %x5 %x6 %div %div48 %sdiv %mask %mask.n %wide6 %times8 %group %global6 %y1 %inside"]
        .assert_eq(&thread_ids("32, i32 4, i32 1", "gfx900"));
    expect!["%x5 %x6 %div %div48 %sdiv %mask %mask.n %wide6 %times8 %group %global6 %inside"]
        .assert_eq(&thread_ids("32, i32 3, i32 2", "gfx900"));
    expect!["%z %div %group %y1 %inside"].assert_eq(&thread_ids("96, i32 2, i32 2", "gfx900"));
    expect!["%y %z %x6 %div %sdiv %mask %mask.n %wide6 %times8 %group %global6 %y1 %inside"]
        .assert_eq(&thread_ids("100, i32 1, i32 1", "gfx900"));
    expect!["%z %div %group %y1 %inside"].assert_eq(&thread_ids("100, i32 2, i32 1", "gfx900"));
    expect!["%x %y %z %x5 %x6 %div %div48 %rem48 %sdiv %mask %low %mask.n %wide %wide6 %times %times8 %group %global %global6 %uneven %uneven6 %y1 %inside"].assert_eq(&thread_ids("1, i32 1, i32 1", "gfx900"));
}

#[test]
fn a_workgroup_of_one_subgroup() {
    let text = |size: &str| {
        amdgpu(&format!(
            "define amdgpu_kernel void @f() \"target-cpu\"=\"gfx900\" \"amdgpu-flat-work-group-size\"=\"1,{size}\" {{
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %first = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %id)
  %called = call i32 @unknown(i32 %id)
  ret void
}}
"
        ))
    };
    check_with(
        &text("65"),
        LoweringOptions::new(Scope::Workgroup),
        expect![[r#"
        %id: source() divergent
        %first: varying(%id) divergent
        %called: source() divergent
    "#]],
    );
    check_with(
        &text("64"),
        LoweringOptions::new(Scope::Workgroup),
        expect![[r#"
        %id: source() divergent
        %first: uniform() uniform
        %called: source() divergent
    "#]],
    );
    check_with(
        &text("1"),
        LoweringOptions::new(Scope::Workgroup),
        expect![[r#"
        %id: pure() uniform by ValueFacts
        %first: uniform() uniform
        %called: uniform() uniform by ValueFacts
    "#]],
    );
    check_with(
        &text("1"),
        LoweringOptions::new(Scope::Grid),
        expect![[r#"
        %id: pure() uniform by ValueFacts
        %first: varying(%id) uniform
        %called: source() divergent
    "#]],
    );
}

#[test]
fn block_sizes_of_cuda() {
    let text = nvptx(
        "define ptx_kernel void @f(i32 %n) #0 {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %warp = lshr i32 %tid, 5
  %inside = icmp slt i32 %tid, 128
  %block = lshr i32 %tid, 7
  %not.inside = icmp slt i32 %tid, 127
  %ranged = call range(i32 0, 32) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %zero = lshr i32 %ranged, 5
  ret void
}
attributes #0 = { \"nvvm.reqntid\"=\"128\" }
",
    );
    check(
        &text,
        expect![[r#"
            %tid: source() divergent
            %warp: pure() uniform by ValueFacts
            %inside: pure() uniform by ValueFacts
            %block: pure() uniform by ValueFacts
            %not.inside: pure(%tid) divergent
            %ranged: source() divergent
            %zero: pure() uniform by ValueFacts
        "#]],
    );
    check_with(
        &text,
        LoweringOptions::new(Scope::Workgroup),
        expect![[r#"
            %tid: source() divergent
            %warp: pure(%tid) divergent
            %inside: pure() uniform by ValueFacts
            %block: pure() uniform by ValueFacts
            %not.inside: pure(%tid) divergent
            %ranged: source() divergent
            %zero: pure() uniform by ValueFacts
        "#]],
    );
}

#[test]
fn where_generic_pointers_come_from() {
    let text = nvptx(
        "@table = addrspace(1) global [4 x ptr] zeroinitializer
@shared = addrspace(3) global i32 0
define ptx_kernel void @f(ptr %argument, ptr byval(i32) %copy, ptr readonly byval({ ptr, i32 }) %fields, ptr addrspace(4) %constant, i1 %c) {
entry:
  %own = alloca i32
  %other = alloca i32
  store ptr %own, ptr %argument
  %a = load i32, ptr %argument
  %b = load i32, ptr %copy
  %field = getelementptr inbounds { ptr, i32 }, ptr %fields, i32 0, i32 0
  %pointer = load ptr, ptr %field
  %through = load i32, ptr %pointer
  %d = load i32, ptr addrspacecast (ptr addrspace(3) @shared to ptr)
  %e = load i32, ptr %own
  %read = load ptr, ptr %argument
  %g = load i32, ptr %read
  %host = load ptr, ptr addrspace(4) %constant
  %h = load i32, ptr %host
  %never.written = load ptr, ptr %argument, !invariant.load !0
  %i = load i32, ptr %never.written
  br label %loop
loop:
  %p = phi ptr [%argument, %entry], [%next, %loop]
  %q = phi ptr [%argument, %entry], [%mixed, %loop]
  %next = getelementptr i32, ptr %p, i64 1
  %mixed = select i1 %c, ptr %q, ptr %other
  %j = load i32, ptr %p
  %k = load i32, ptr %q
  %l = load volatile i32, ptr %p
  br i1 %c, label %loop, label %end
end:
  ret void
}
!0 = !{}
",
    );
    check(
        &text,
        expect![[r#"
            %own: pure() uniform
            %other: pure() uniform
            %a: varying(%argument) uniform by Provenance
            %b: source() divergent
            %field: pure(%fields) uniform
            %pointer: varying(%field) uniform by Provenance
            %through: varying(%pointer) uniform by Provenance
            %d: varying() uniform by Provenance
            %e: source() divergent
            %read: varying(%argument) uniform by Provenance
            %g: source() divergent
            %host: pure(%constant) uniform
            %h: varying(%host) uniform by Provenance
            %never.written: pure(%argument) uniform by Provenance
            %i: varying(%never.written) uniform by Provenance
            %p: phi(%argument, %next) uniform
            %q: phi(%argument, %mixed) uniform
            %next: pure(%p) uniform
            %mixed: pure(%c, %q, %other) uniform
            %j: varying(%p) uniform by Provenance
            %k: source() divergent
            %l: varying(%p) uniform by Provenance
            branch n1: on %c uniform
        "#]],
    );
    check_with(
        &text,
        LoweringOptions::new(Scope::Grid),
        expect![[r#"
            %own: pure() uniform
            %other: pure() uniform
            %a: varying(%argument) uniform by Provenance
            %b: source() divergent
            %field: pure(%fields) uniform
            %pointer: varying(%field) uniform by Provenance
            %through: varying(%pointer) uniform by Provenance
            %d: source() divergent
            %e: source() divergent
            %read: varying(%argument) uniform by Provenance
            %g: source() divergent
            %host: pure(%constant) uniform
            %h: varying(%host) uniform by Provenance
            %never.written: pure(%argument) uniform by Provenance
            %i: varying(%never.written) uniform by Provenance
            %p: phi(%argument, %next) uniform
            %q: phi(%argument, %mixed) uniform
            %next: pure(%p) uniform
            %mixed: pure(%c, %q, %other) uniform
            %j: varying(%p) uniform by Provenance
            %k: source() divergent
            %l: source() divergent
            branch n1: on %c uniform
        "#]],
    );
}

#[test]
fn variables_become_values() {
    // As clang writes it at -O0 for AMD GPUs.
    let text = amdgpu(
        "declare void @llvm.lifetime.start.p5(ptr addrspace(5))
define amdgpu_kernel void @f(i32 %n) {
entry:
  %n.addr = alloca i32, addrspace(5)
  %i = alloca i32, addrspace(5)
  %v = alloca i32, addrspace(5)
  %unset = alloca i32, addrspace(5)
  %n.cast = addrspacecast ptr addrspace(5) %n.addr to ptr
  %i.cast = addrspacecast ptr addrspace(5) %i to ptr
  %v.cast = addrspacecast ptr addrspace(5) %v to ptr
  store i32 %n, ptr %n.cast
  call void @llvm.lifetime.start.p5(ptr addrspace(5) %i)
  store i32 0, ptr %i.cast
  %u = load i32, ptr addrspace(5) %unset
  br label %header
header:
  %a = load i32, ptr %i.cast
  %b = load i32, ptr %n.cast
  %c = icmp slt i32 %a, %b
  br i1 %c, label %body, label %end
body:
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %d = icmp eq i32 %id, 0
  br i1 %d, label %then, label %else
then:
  store i32 1, ptr %v.cast
  br label %join
else:
  store i32 2, ptr %v.cast
  br label %join
join:
  %e = load i32, ptr %v.cast
  %g = load i32, ptr %i.cast
  %h = add i32 %g, 1
  store i32 %h, ptr %i.cast
  br label %header
end:
  %j = load i32, ptr %i.cast
  ret void
dead:
  %k = load i32, ptr %i.cast
  ret void
}
",
    );
    check(
        &text,
        expect![[r#"
        %n.addr: pure() uniform
        %i: pure() uniform
        %v: pure() uniform
        %unset: pure() uniform
        %n.cast: pure(%n.addr) uniform
        %i.cast: pure(%i) uniform
        %v.cast: pure(%v) uniform
        %u: pure() uniform by PromotableAllocas
        *%i in %header: phi(0, %h) uniform by PromotableAllocas
        *%v in %header: phi(*%v in %join) divergent by PromotableAllocas
        %a: pure(*%i in %header) uniform by PromotableAllocas
        %b: pure(%n) uniform by PromotableAllocas
        %c: pure(%a, %b) uniform
        %id: source() divergent
        %d: pure(%id) divergent
        *%v in %join: phi(1, 2) divergent by PromotableAllocas
        %e: pure(*%v in %join) divergent by PromotableAllocas
        %g: pure(*%i in %header) uniform by PromotableAllocas
        %h: pure(%g) uniform
        %j: pure(*%i in %header) uniform by PromotableAllocas
        %k: pure() uniform by PromotableAllocas
        branch n1: on %c uniform
        branch n2: on %d divergent
    "#]],
    );
    check_with(
        &text,
        without(|refinements| refinements.promotable_allocas = false),
        expect![[r#"
        %n.addr: pure() uniform
        %i: pure() uniform
        %v: pure() uniform
        %unset: pure() uniform
        %n.cast: pure(%n.addr) uniform
        %i.cast: pure(%i) uniform
        %v.cast: pure(%v) uniform
        %u: source() divergent
        %a: source() divergent
        %b: source() divergent
        %c: pure(%a, %b) divergent
        %id: source() divergent
        %d: pure(%id) divergent
        %e: source() divergent
        %g: source() divergent
        %h: pure(%g) divergent
        %j: source() divergent
        %k: source() uniform
        branch n1: on %c divergent
        branch n2: on %d divergent
    "#]],
    );
}

#[test]
fn loads_of_one_value_are_one_value() {
    // Both edges into the join carry what the variable holds.
    let text = nvptx(
        "define ptx_kernel void @f(i32 %n) {
entry:
  %x = alloca i32
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %m = mul i32 %n, 3
  store i32 %m, ptr %x
  %c = icmp eq i32 %tid, 0
  br i1 %c, label %a, label %b
a:
  %0 = load i32, ptr %x
  br label %join
b:
  %1 = load i32, ptr %x
  br label %join
join:
  %2 = phi i32 [%0, %a], [%1, %b]
  ret void
}
",
    );
    check(
        &text,
        expect![[r#"
        %x: pure() uniform
        %tid: source() divergent
        %m: pure(%n) uniform
        %c: pure(%tid) divergent
        %0: pure(%m) uniform by PromotableAllocas
        %1: pure(%m) uniform by PromotableAllocas
        %2: phi(%m, %m) uniform
        branch n0: on %c divergent
    "#]],
    );
}

#[test]
fn variables_that_stay_in_memory() {
    let text = nvptx(
        "declare void @escape(ptr)
define ptx_kernel void @f(i32 %n, i1 %c) {
entry:
  %volatile = alloca i32
  %escapes = alloca i32
  %stored = alloca ptr
  %typed = alloca i32
  %indexed = alloca [2 x i32]
  %kept = alloca ptr
  store volatile i32 %n, ptr %volatile
  store i32 %n, ptr %escapes
  call void @escape(ptr %escapes)
  store ptr %stored, ptr %kept
  store i32 %n, ptr %typed
  %a = load i32, ptr %volatile
  %b = load i32, ptr %escapes
  %d = load ptr, ptr %stored
  %e = load float, ptr %typed
  %g = getelementptr i32, ptr %indexed, i32 1
  %h = load i32, ptr %g
  %i = load ptr, ptr %kept
  ret void
}
",
    );
    check(
        &text,
        expect![[r#"
        %volatile: pure() uniform
        %escapes: pure() uniform
        %stored: pure() uniform
        %typed: pure() uniform
        %indexed: pure() uniform
        %kept: pure() uniform
        %a: source() divergent
        %b: source() divergent
        %d: source() divergent
        %e: source() divergent
        %g: pure(%indexed) uniform
        %h: source() divergent
        %i: pure(%stored) uniform by PromotableAllocas
    "#]],
    );
}

#[test]
fn a_region_that_goes_on_in_another() {
    // In the region of `%u`, too, only threads are converged that left the first loop together; behind it all are.
    let text = nvptx(
        "declare token @llvm.experimental.convergence.entry() convergent
declare token @llvm.experimental.convergence.loop() convergent
declare void @op() convergent
define ptx_kernel void @f(i1 %again) convergent {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %s = call token @llvm.experimental.convergence.entry()
  br label %one
one:
  %i = phi i32 [ 0, %entry ], [ %n, %one ]
  %t = call token @llvm.experimental.convergence.loop() [ \"convergencectrl\"(token %s) ]
  %n = add i32 %i, 1
  %c = icmp slt i32 %n, %tid
  br i1 %c, label %one, label %two
two:
  %u = call token @llvm.experimental.convergence.loop() [ \"convergencectrl\"(token %t) ]
  br i1 %again, label %two, label %end
end:
  %inside = add i32 %n, 1
  call void @op() [ \"convergencectrl\"(token %u) ]
  %behind = add i32 %n, 1
  ret void
}
",
    );
    check(
        &text,
        expect![[r#"
            %tid: source() divergent
            %s: uniform() uniform
            %i: phi(0, %n) uniform
            %t: uniform() uniform
            %n: pure(%i) uniform
            %c: pure(%n, %tid) divergent
            %u: uniform() uniform
            %inside: pure(%n) uniform
            %behind: pure(%n) divergent
            branch n1: on %c divergent
            branch n2: on %again uniform
            region of n1: [n2]
            region of n2: [n3]
        "#]],
    );
}

#[test]
fn a_region_that_goes_on_behind_its_definition() {
    // The region of `%t` ends where `%u` is defined, in the middle of a block: what comes behind is in that of `%u`, up to `%v`,
    // and then in that of `%v`.
    let text = nvptx(
        "declare token @llvm.experimental.convergence.entry() convergent
declare token @llvm.experimental.convergence.loop() convergent
declare void @op() convergent
define ptx_kernel void @f() convergent {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %s = call token @llvm.experimental.convergence.entry()
  br label %one
one:
  %i = phi i32 [ 0, %entry ], [ %n, %one ]
  %t = call token @llvm.experimental.convergence.loop() [ \"convergencectrl\"(token %s) ]
  %n = add i32 %i, 1
  %c = icmp slt i32 %n, %tid
  br i1 %c, label %one, label %two
two:
  %u = call token @llvm.experimental.convergence.loop() [ \"convergencectrl\"(token %t) ]
  %x = add i32 %n, 1
  %v = call token @llvm.experimental.convergence.loop() [ \"convergencectrl\"(token %u) ]
  %y = add i32 %n, 2
  br label %three
three:
  %z = add i32 %n, 3
  call void @op() [ \"convergencectrl\"(token %v) ]
  %behind = add i32 %x, 1
  ret void
}
",
    );
    check(
        &text,
        expect![[r#"
        %tid: source() divergent
        %s: uniform() uniform
        %i: phi(0, %n) uniform
        %t: uniform() uniform
        %n: pure(%i) uniform
        %c: pure(%n, %tid) divergent
        %u: uniform() uniform
        %x: pure(%n) uniform
        %v: uniform() uniform
        %y: pure(%n) uniform
        %z: pure(%n) uniform
        %behind: pure(%x) divergent
        branch n1: on %c divergent
        region of n1: [n2]
        region of n2: [n3]
        region of n3: [n4, n5]
    "#]],
    );
}

#[test]
fn a_variable_is_no_constant() {
    // What the variable holds at the start of the loop has no width that could be asked for.
    let text = nvptx(
        "define ptx_kernel void @f(i32 %n) {
entry:
  %i = alloca i32
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  store i32 %tid, ptr %i
  br label %loop
loop:
  %a = load i32, ptr %i
  %b = or i32 %n, %a
  store i32 16, ptr %i
  br label %loop
}
",
    );
    check(
        &text,
        expect![[r#"
        %i: pure() uniform
        %tid: source() divergent
        *%i in %loop: phi(%tid, 16) divergent by PromotableAllocas
        %a: pure(*%i in %loop) divergent by PromotableAllocas
        %b: pure(%n, %a) divergent
    "#]],
    );
}

#[test]
fn a_value_that_begins_as_undef_and_depends_on_itself() {
    let text = nvptx(
        "define ptx_kernel void @f() {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %a = phi i32 [ undef, %entry ], [ %b, %loop ]
  %b = add i32 %a, 1
  %c = icmp slt i32 %b, %tid
  br i1 %c, label %loop, label %end
end:
  %d = add i32 %b, 1
  ret void
}
",
    );
    check(
        &text,
        expect![[r#"
        %tid: source() divergent
        %a: phi(%b) uniform
        %b: pure(%a) uniform
        %c: pure(%b, %tid) divergent
        %d: pure(%b) divergent
        branch n1: on %c divergent
    "#]],
    );
}

#[test]
fn a_value_read_behind_a_divergent_exit() {
    // The variable is uniform in the loop; the load behind it reads it in different iterations.
    let text = nvptx(
        "define ptx_kernel void @f() {
entry:
  %i = alloca i32
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  store i32 0, ptr %i
  br label %loop
loop:
  %a = load i32, ptr %i
  %b = add i32 %a, 1
  store i32 %b, ptr %i
  %c = icmp slt i32 %b, %tid
  br i1 %c, label %loop, label %end
end:
  %d = load i32, ptr %i
  ret void
}
",
    );
    check(
        &text,
        expect![[r#"
        %i: pure() uniform
        %tid: source() divergent
        *%i in %loop: phi(0, %b) uniform by PromotableAllocas
        %a: pure(*%i in %loop) uniform by PromotableAllocas
        %b: pure(%a) uniform
        %c: pure(%b, %tid) divergent
        %d: pure(%b) divergent by PromotableAllocas
        branch n1: on %c divergent
    "#]],
    );
}

#[test]
fn regions_that_leave_their_cycle() {
    let text = "target triple = \"amdgcn-amd-amdhsa\"
declare i32 @llvm.amdgcn.workitem.id.x()
declare token @llvm.experimental.convergence.entry()
declare token @llvm.experimental.convergence.loop()
declare token @llvm.experimental.convergence.anchor()
declare void @op() convergent
define amdgpu_kernel void @f() convergent {
entry:
  %t = call token @llvm.experimental.convergence.entry()
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  br label %loop
loop:
  %i = phi i32 [0, %entry], [%more, %latch]
  %h = call token @llvm.experimental.convergence.loop() [ \"convergencectrl\"(token %t) ]
  %more = add i32 %i, 1
  %found = icmp eq i32 %i, %id
  br i1 %found, label %out, label %latch
latch:
  br i1 false, label %end, label %loop
out:
  %inside = add i32 %i, 1
  call void @op() [ \"convergencectrl\"(token %h) ]
  %outside = add i32 %i, 1
  br label %end
end:
  %last = phi i32 [%i, %out], [0, %latch]
  ret void
}
";
    check(
        text,
        expect![[r#"
        %t: uniform() uniform
        %id: source() divergent
        %i: phi(0, %more) uniform
        %h: uniform() uniform
        %more: pure(%i) uniform
        %found: pure(%i, %id) divergent
        %inside: pure(%i) uniform
        %outside: pure(%i) divergent
        %last: phi(%i, 0) divergent
        branch n1: on %found divergent
        region of n1: [n3]
    "#]],
    );
    check_with(
        text,
        without(|refinements| refinements.regions = false),
        expect![[r#"
        %t: uniform() uniform
        %id: source() divergent
        %i: phi(0, %more) uniform
        %h: uniform() uniform
        %more: pure(%i) uniform
        %found: pure(%i, %id) divergent
        %inside: pure(%i) divergent
        %outside: pure(%i) divergent
        %last: phi(%i, 0) divergent
        branch n1: on %found divergent
    "#]],
    );
    let case = Case::new(text, "f", LoweringOptions::new(Scope::Subgroup));
    let lowered = case.lower();
    for (inst, data) in &case.function.instructions {
        let node = lowered.node_of(&case.function, inst);
        assert_eq!(lowered.block_of(node).expect("it is in a block").0, data.block);
    }
    for (value, data) in lowered.problem.values.iter().zip(&lowered.origins) {
        if let (Some(node), Origin::Value(origin)) = (value.node, *data)
            && let Definition::Instruction(inst) = case.function.values[origin].definition
        {
            assert_eq!(node, lowered.node_of(&case.function, inst));
        }
    }
}

#[test]
fn calls_of_local_functions() {
    let text = nvptx(
        "define internal i32 @square(i32 %x) {
  %y = mul i32 %x, %x
  ret i32 %y
}
define internal i32 @early(i32 %x) {
  %c = icmp eq i32 %x, 0
  br i1 %c, label %a, label %b
a:
  ret i32 1
b:
  ret i32 2
}
define internal i32 @who() {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  ret i32 %tid
}
define internal i32 @recursive(i32 %x) {
  %y = call i32 @recursive(i32 %x)
  ret i32 %y
}
define internal i32 @address(i32 %x) {
  ret i32 %x
}
define internal i32 @addressed() {
  ret i32 0
}
@pointer = global ptr @addressed
define internal i32 @middle(i32 %x) {
  %y = call i32 @square(i32 %x)
  ret i32 %y
}
define internal i32 @block(i32 %x, i32 %unused) {
  %ctaid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %y = add i32 %x, %ctaid
  ret i32 %y
}
define internal i32 @read(ptr %p) {
  %x = load i32, ptr %p
  ret i32 %x
}
define i32 @external(i32 %x) {
  ret i32 %x
}
define ptx_kernel void @f(i32 %n, ptr %p) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = call i32 @square(i32 %n)
  %b = call i32 @square(i32 %tid)
  %c = call i32 @early(i32 %n)
  %d = call i32 @early(i32 %tid)
  %e = call i32 @who()
  %g = call i32 @recursive(i32 %n)
  store ptr @address, ptr %p
  %h = call i32 @address(i32 %n)
  %i = call i32 @addressed()
  %j = call i32 @middle(i32 %n)
  %k = call i32 @external(i32 %n)
  %l = call i32 @block(i32 %n, i32 %tid)
  %m = call i32 @read(ptr %p)
  ret void
}
",
    );
    check(
        &text,
        expect![[r#"
        %tid: source() divergent
        %a: varying(%n) uniform by Interprocedural
        %b: varying(%tid) divergent by Interprocedural
        %c: varying(%n) uniform by Interprocedural
        %d: varying(%tid) divergent by Interprocedural
        %e: source() divergent
        %g: source() divergent
        %h: source() divergent
        %i: source() divergent
        %j: varying(%n) uniform by Interprocedural
        %k: source() divergent
        %l: varying(%n) uniform by Interprocedural
        %m: varying(%p) uniform by Interprocedural
    "#]],
    );
    check_with(
        &text,
        without(|refinements| refinements.interprocedural = false),
        expect![[r#"
        %tid: source() divergent
        %a: source() divergent
        %b: source() divergent
        %c: source() divergent
        %d: source() divergent
        %e: source() divergent
        %g: source() divergent
        %h: source() divergent
        %i: source() divergent
        %j: source() divergent
        %k: source() divergent
        %l: source() divergent
        %m: source() divergent
    "#]],
    );
}

const CALLEE: &str = "define internal i32 @f(i32 %x, i32 %y, ptr %p, i32 %in.loop) {
  %a = add i32 %x, 1
  %b = add i32 %y, 1
  %c = load i32, ptr %p
  ret i32 %c
}
define internal i32 @between(i32 %z, ptr %q) {
  %r = call i32 @f(i32 %z, i32 0, ptr %q, i32 0)
  ret i32 %r
}
define ptx_kernel void @k(i32 %n, ptr %p) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %i = phi i32 [0, %entry], [%more, %loop]
  %more = add i32 %i, 1
  %c = icmp slt i32 %i, %tid
  br i1 %c, label %loop, label %end
end:
  %r = call i32 @f(i32 %n, i32 %tid, ptr %p, i32 %i)
  %s = call i32 @between(i32 %n, ptr %p)
  ret void
}
";

#[test]
fn parameters_of_local_functions() {
    check(
        &nvptx(CALLEE),
        expect![[r#"
        %x: constant() uniform by Interprocedural
        %y: source() divergent
        %p: constant() uniform by Interprocedural
        %in.loop: source() divergent
        %a: pure(%x) uniform
        %b: pure(%y) divergent
        %c: varying(%p) uniform by Provenance
    "#]],
    );
}

#[test]
fn only_what_is_certain() {
    let text = amdgpu(
        "define void @f(ptr addrspace(1) %p, i1 %c) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %a = getelementptr i32, ptr addrspace(1) %p, i32 %id
  %b = load i32, ptr addrspace(1) %a
  %called = call i32 @unknown(i32 %id)
  %e = mul i32 %id, 2
  %g = add i32 %b, %called
  ret void
}
",
    );
    check_with(
        &text,
        LoweringOptions { certain_only: true, ..LoweringOptions::new(Scope::Subgroup) },
        expect![[r#"
        %id: source() divergent
        %a: pure(%p, %id) divergent
        %b: uniform() uniform
        %called: uniform() uniform
        %e: pure(%id) divergent
        %g: pure(%b, %called) uniform
    "#]],
    );
}

#[test]
fn what_llvm_would_not_accept() {
    let text = amdgpu(
        "define void @f(i1 %c) {
entry:
  br i1 %c, label %a, label %b
a:
  br label %b
b:
  %p = phi i32 [0, %entry], [1, %elsewhere]
  ret void
elsewhere:
  %q = add i32 %q, 1
  ret void
}
",
    );
    check(
        &text,
        expect![[r#"
        %c: source() divergent
        %p: source() divergent
        %q: pure(%q) uniform
        branch n0: on %c divergent
    "#]],
    );
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        all[(self.next() % all.len() as u64) as usize]
    }
}

/// An operation on integers; the right operand is a value or a constant.
struct Operation {
    name: &'static str,
    left: usize,
    right: Result<usize, u64>,
    width: u32,
}

fn low(bits: u64, width: u32) -> u64 {
    bits & (u64::MAX >> (64 - width))
}

fn signed(bits: u64, width: u32) -> i64 {
    (bits << (64 - width)).cast_signed() >> (64 - width)
}

impl Operation {
    fn random(random: &mut Random, widths: &[u32]) -> Operation {
        let left = (random.next() % widths.len() as u64) as usize;
        let width = widths[left];
        let name = random.pick(&[
            "lshr", "lshr", "ashr", "udiv", "udiv", "sdiv", "urem", "and", "and", "or", "xor", "add", "add", "sub",
            "mul", "shl", "zext", "sext", "trunc", "icmp ult", "icmp slt", "icmp ugt", "icmp eq", "icmp sge",
        ]);
        let wider: Vec<u32> = [16, 32, 64].into_iter().filter(|&to| to > width).collect();
        let narrower: Vec<u32> = [1, 16, 32].into_iter().filter(|&to| to < width).collect();
        let plain = |name, right| Operation { name, left, right, width };
        match name {
            "zext" | "sext" if !wider.is_empty() => Operation { name, left, right: Err(0), width: random.pick(&wider) },
            "trunc" if !narrower.is_empty() => Operation { name, left, right: Err(0), width: random.pick(&narrower) },
            "zext" | "sext" | "trunc" => plain("xor", Err(0)),
            "lshr" | "ashr" | "shl" => plain(name, Err(random.next() % u64::from(width.min(9)))),
            "udiv" | "sdiv" | "urem" | "mul" if width >= 16 => {
                plain(name, Err(random.pick(&[1, 2, 3, 16, 32, 48, 64, 96, 128, 192, 256])))
            }
            "udiv" | "sdiv" | "urem" => plain("and", Err(1)),
            _ => {
                let same: Vec<usize> = (0..widths.len()).filter(|&other| widths[other] == width).collect();
                let constants = [0, 1, 31, 32, 63, 64, 96, 127, 256, !31, !63, u64::MAX];
                let right = if random.next() & 1 == 0 { Ok(random.pick(&same)) } else { Err(random.pick(&constants)) };
                Operation { name, left, right, width: if name.starts_with("icmp") { 1 } else { width } }
            }
        }
    }

    fn evaluate(&self, values: &[u64], widths: &[u32]) -> u64 {
        let from = widths[self.left];
        let left = values[self.left];
        let right = low(self.right.map_or_else(|constant| constant, |value| values[value]), from);
        let (a, b) = (signed(left, from), signed(right, from));
        let result = match self.name {
            "lshr" => left >> right,
            "ashr" => (a >> right).cast_unsigned(),
            "udiv" => left / right,
            "sdiv" => (a / b).cast_unsigned(),
            "urem" => left % right,
            "and" => left & right,
            "or" => left | right,
            "xor" => left ^ right,
            "add" => left.wrapping_add(right),
            "sub" => left.wrapping_sub(right),
            "mul" => left.wrapping_mul(right),
            "shl" => left << right,
            "zext" | "trunc" => left,
            "sext" => a.cast_unsigned(),
            "icmp ult" => (left < right).into(),
            "icmp slt" => (a < b).into(),
            "icmp ugt" => (left > right).into(),
            "icmp eq" => (left == right).into(),
            "icmp sge" => (a >= b).into(),
            other => panic!("{other}"),
        };
        low(result, self.width)
    }

    fn write(&self, out: &mut String, index: usize, widths: &[u32]) {
        let Operation { name, left, .. } = self;
        let from = widths[*left];
        write!(out, "  %v{index} = {name} i{from} %v{left}").unwrap();
        match (*name, self.right) {
            ("zext" | "sext" | "trunc", _) => writeln!(out, " to i{}", self.width),
            (_, Ok(right)) => writeln!(out, ", %v{right}"),
            (_, Err(constant)) => writeln!(out, ", {}", signed(low(constant, from), from)),
        }
        .unwrap();
    }
}

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(default)
}

/// Straight-line programs on thread ids, executed by all threads of a workgroup: what is called uniform is the same.
/// `RECONVERGE_ROUNDS` multiplies the programs, `RECONVERGE_SEED` sets the first seed.
#[test]
fn thread_ids_by_execution() {
    let seed = setting("RECONVERGE_SEED", 1);
    let mut refined = 0;
    for seed in seed..seed + 1000 * setting("RECONVERGE_ROUNDS", 1) {
        let mut random = Random(seed);
        let extents = [[1, 2, 3, 4, 8, 16, 32, 64, 96, 128, 256].as_slice(), &[1, 1, 1, 2, 3, 4], &[1, 1, 2, 4]]
            .map(|extents| random.pick(extents));
        let (cpu, size) = random.pick(&[("gfx900", 64), ("gfx1030", 32)]);
        let mut widths = vec![32; 4];
        let operations: Vec<Operation> = (0..12)
            .map(|_| {
                let operation = Operation::random(&mut random, &widths);
                widths.push(operation.width);
                operation
            })
            .collect();
        let mut body = String::new();
        for (index, operation) in operations.iter().enumerate() {
            operation.write(&mut body, index + 4, &widths);
        }
        let [x, y, z] = extents;
        let text = amdgpu(&format!(
            "define amdgpu_kernel void @f(i32 %v3) \"target-cpu\"=\"{cpu}\" !reqd_work_group_size !0 {{
  %v0 = call i32 @llvm.amdgcn.workitem.id.x()
  %v1 = call i32 @llvm.amdgcn.workitem.id.y()
  %v2 = call i32 @llvm.amdgcn.workitem.id.z()
{body}  ret void
}}
!0 = !{{i32 {x}, i32 {y}, i32 {z}}}
"
        ));
        let argument = low(random.pick(&[random.0, 0, 1, 64, 1 << 31]), 32);
        let threads: Vec<Vec<u64>> = (0..x * y * z)
            .map(|number| {
                let mut values = vec![number % x, number / x % y, number / (x * y), argument];
                for operation in &operations {
                    values.push(operation.evaluate(&values, &widths));
                }
                values
            })
            .collect();
        for (scope, size) in [(Scope::Subgroup, size), (Scope::Workgroup, x * y * z)] {
            let case = Case::new(&text, "f", LoweringOptions::new(scope));
            let lowered = case.lower();
            let uniformity = analyze(&lowered.problem, &Options::default());
            refined += lowered.refined.len();
            for (index, cause) in (0..).zip(&uniformity.values) {
                let name = case.name(&lowered, index);
                let Some(value) = name.strip_prefix("%v").filter(|_| cause.is_none()) else { continue };
                let value: usize = value.parse().unwrap();
                for group in threads.chunks(size as usize) {
                    let same = group.iter().all(|thread| thread[value] == group[0][value]);
                    assert!(same, "seed {seed}, {scope:?}: {name} differs, in groups of {size} threads of\n{text}");
                }
            }
        }
    }
    assert!(refined > 1000, "{refined}");
}

#[test]
fn operands_of_calls_that_count() {
    let text = nvptx(
        "declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)
define ptx_kernel void @f(i32 %n) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %tid, i32 0, i32 31)
  %nth = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %tid, i32 %n, i32 31)
  %own = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %n, i32 %tid, i32 31)
  %half = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %tid, i32 0, i32 4127)
  %some = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %tid, i32 0, i32 %n)
  %low = icmp eq i32 %tid, 0
  %all = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %low)
  %those = call i32 @llvm.nvvm.vote.ballot.sync(i32 %tid, i1 true)
  ret void
}
",
    );
    check(
        &text,
        expect![[r#"
            %tid: source() divergent
            %first: varying() uniform
            %nth: varying(%n) uniform
            %own: varying(%tid) divergent
            %half: source() divergent
            %some: source() divergent
            %low: pure(%tid) divergent
            %all: varying() uniform
            %those: varying(%tid) divergent
        "#]],
    );
}

#[test]
fn calls_that_read_memory() {
    let text = amdgpu(
        "declare <2 x i32> @llvm.masked.load.v2i32.p5(ptr addrspace(5), <2 x i1>, <2 x i32>)
declare <2 x i32> @llvm.masked.load.v2i32.p3(ptr addrspace(3), <2 x i1>, <2 x i32>)
declare <2 x i32> @llvm.masked.load.v2i32.p0(ptr, <2 x i1>, <2 x i32>)
declare <2 x i32> @llvm.masked.gather.v2i32.v2p1(<2 x ptr addrspace(1)>, <2 x i1>, <2 x i32>)
declare <2 x i32> @llvm.masked.gather.v2i32.v2p5(<2 x ptr addrspace(5)>, <2 x i1>, <2 x i32>)
define amdgpu_kernel void @f(ptr %p, ptr addrspace(3) %shared, <2 x ptr addrspace(1)> %many, <2 x ptr addrspace(5)> %ours) {
  %array = alloca [4 x i32], addrspace(5)
  %own = call <2 x i32> @llvm.masked.load.v2i32.p5(ptr addrspace(5) %array, <2 x i1> splat (i1 true), <2 x i32> zeroinitializer)
  %local = call <2 x i32> @llvm.masked.load.v2i32.p3(ptr addrspace(3) %shared, <2 x i1> splat (i1 true), <2 x i32> zeroinitializer)
  %flat = call <2 x i32> @llvm.masked.load.v2i32.p0(ptr %p, <2 x i1> splat (i1 true), <2 x i32> zeroinitializer)
  %gathered = call <2 x i32> @llvm.masked.gather.v2i32.v2p1(<2 x ptr addrspace(1)> %many, <2 x i1> splat (i1 true), <2 x i32> zeroinitializer)
  %scattered = call <2 x i32> @llvm.masked.gather.v2i32.v2p5(<2 x ptr addrspace(5)> %ours, <2 x i1> splat (i1 true), <2 x i32> zeroinitializer)
  ret void
}
",
    );
    check(
        &text,
        expect![[r#"
        %array: pure() uniform
        %own: source() divergent
        %local: varying(%shared) uniform
        %flat: varying(%p) uniform by Provenance
        %gathered: varying(%many) uniform
        %scattered: source() divergent
    "#]],
    );
    check_with(
        &text,
        LoweringOptions::new(Scope::Grid),
        expect![[r#"
        %array: pure() uniform
        %own: source() divergent
        %local: source() divergent
        %flat: varying(%p) uniform by Provenance
        %gathered: varying(%many) uniform
        %scattered: source() divergent
    "#]],
    );
}

#[test]
fn atomic_loads() {
    let text = amdgpu(
        "define amdgpu_kernel void @f(ptr %p, ptr addrspace(1) %global, ptr addrspace(4) %constant) {
  %flat = load atomic i32, ptr %p monotonic, align 4
  %counter = load atomic i32, ptr addrspace(1) %global monotonic, align 4
  %volatile = load volatile i32, ptr addrspace(1) %global
  %plain = load i32, ptr addrspace(1) %global
  %same = load volatile i32, ptr addrspace(4) %constant
  ret void
}
",
    );
    check(
        &text,
        expect![[r#"
        %flat: varying(%p) uniform by Provenance
        %counter: varying(%global) uniform
        %volatile: varying(%global) uniform
        %plain: varying(%global) uniform
        %same: varying(%constant) uniform
    "#]],
    );
    check_with(
        &text,
        LoweringOptions::new(Scope::Workgroup),
        expect![[r#"
        %flat: source() divergent
        %counter: source() divergent
        %volatile: source() divergent
        %plain: varying(%global) uniform
        %same: varying(%constant) uniform
    "#]],
    );
}

#[test]
fn scopes_and_variables_of_spirv() {
    let text = "target triple = \"spirv64-unknown-unknown\"
@__spirv_BuiltInLocalInvocationId = external addrspace(1) constant <3 x i64>
@__spirv_BuiltInWorkgroupId = external addrspace(1) constant <3 x i64>
@__spirv_BuiltInSubgroupId = external addrspace(1) constant i32
@ordinary = external addrspace(1) constant i32
declare i32 @_Z22__spirv_GroupBroadcastjjj(i32, i32, i32)
declare i32 @_Z17__spirv_GroupIAddjjj(i32, i32, i32)
define spir_kernel void @f(i32 %n) {
  %ids = load <3 x i64>, ptr addrspace(1) @__spirv_BuiltInLocalInvocationId
  %y = load i64, ptr addrspace(1) getelementptr (i8, ptr addrspace(1) @__spirv_BuiltInLocalInvocationId, i64 8)
  %group = load <3 x i64>, ptr addrspace(1) @__spirv_BuiltInWorkgroupId
  %subgroup = load i32, ptr addrspace(1) @__spirv_BuiltInSubgroupId
  %other = load i32, ptr addrspace(1) @ordinary
  %x = extractelement <3 x i64> %ids, i32 0
  %at = getelementptr i64, ptr addrspace(1) @__spirv_BuiltInWorkgroupId, i64 %x
  %mine = load i64, ptr addrspace(1) %at
  %id = trunc i64 %x to i32
  %of.workgroup = call i32 @_Z22__spirv_GroupBroadcastjjj(i32 2, i32 %id, i32 0)
  %of.subgroup = call i32 @_Z22__spirv_GroupBroadcastjjj(i32 3, i32 %id, i32 0)
  %of.either = call i32 @_Z22__spirv_GroupBroadcastjjj(i32 %n, i32 %id, i32 0)
  %sum = call i32 @_Z17__spirv_GroupIAddjjj(i32 2, i32 0, i32 %id)
  %scan = call i32 @_Z17__spirv_GroupIAddjjj(i32 2, i32 1, i32 %id)
  ret void
}
";
    check(
        text,
        expect![[r#"
        %ids: source() divergent
        %y: source() divergent
        %group: pure() uniform
        %subgroup: pure() uniform
        %other: varying() uniform
        %x: pure(%ids) divergent
        %at: pure(%x) divergent
        %mine: pure(%at) divergent
        %id: pure(%x) divergent
        %of.workgroup: uniform() uniform
        %of.subgroup: uniform() uniform
        %of.either: uniform() uniform
        %sum: varying() uniform
        %scan: source() divergent
    "#]],
    );
    check_with(
        text,
        LoweringOptions::new(Scope::Workgroup),
        expect![[r#"
        %ids: source() divergent
        %y: source() divergent
        %group: pure() uniform
        %subgroup: source() divergent
        %other: varying() uniform
        %x: pure(%ids) divergent
        %at: pure(%x) divergent
        %mine: pure(%at) divergent
        %id: pure(%x) divergent
        %of.workgroup: uniform() uniform
        %of.subgroup: source() divergent
        %of.either: source() divergent
        %sum: varying() uniform
        %scan: source() divergent
    "#]],
    );
    check_with(
        text,
        LoweringOptions { certain_only: true, ..LoweringOptions::new(Scope::Workgroup) },
        expect![[r#"
            %ids: source() divergent
            %y: source() divergent
            %group: pure() uniform
            %subgroup: uniform() uniform
            %other: uniform() uniform
            %x: pure(%ids) divergent
            %at: pure(%x) divergent
            %mine: pure(%at) divergent
            %id: pure(%x) divergent
            %of.workgroup: uniform() uniform
            %of.subgroup: uniform() uniform
            %of.either: uniform() uniform
            %sum: uniform() uniform
            %scan: uniform() uniform
        "#]],
    );
}

#[test]
fn workgroups_of_one_dimension() {
    let text = |declarations: &str, more: &str| {
        nvptx(&format!(
            "{declarations}
define ptx_kernel void @f(i32 %n) {{
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %warp = lshr i32 %tid, 5
  %first.warp = icmp ult i32 %tid, 32
  %signed = icmp slt i32 %tid, 64
  %up.to = icmp ugt i32 %tid, 95
  %turned = icmp sle i32 128, %tid
  %whole.warps = shl i32 %n, 5
  %inside = icmp slt i32 %tid, %whole.warps
  %half.warp = icmp ult i32 %tid, 16
  %ragged = icmp ult i32 %tid, %n
  %thread = icmp eq i32 %tid, 32
  {more}ret void
}}
"
        ))
    };
    let uniform = |text: &str, options: LoweringOptions| {
        let case = Case::new(text, "f", options);
        let lowered = case.lower();
        let uniformity = analyze(&lowered.problem, &Options::default());
        let uniform = (0..).zip(&uniformity.values).filter(|(_, cause)| cause.is_none());
        let names = uniform.map(|(index, _)| case.name(&lowered, index)).filter(|name| name.starts_with('%'));
        names.collect::<Vec<_>>().join(" ")
    };
    let subgroup = LoweringOptions::new(Scope::Subgroup);
    let none = "%n %whole.warps";
    expect!["%n %warp %first.warp %signed %up.to %turned %whole.warps %inside"]
        .assert_eq(&uniform(&text("", ""), subgroup));
    assert_eq!(uniform(&text("", ""), LoweringOptions::new(Scope::Workgroup)), none);
    assert_eq!(uniform(&text("", ""), without(|refinements| refinements.one_dimensional = false)), none);
    // Unoptimised code has functions that return the number.
    let by_function = |linkage: &str| {
        let thread = "{\n  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n  ret i32 %tid\n}\n";
        let body = "%tid = call i32 @thread()\n  %first.warp = icmp slt i32 %tid, 32\n  ret void";
        nvptx(&format!("define {linkage} i32 @thread() {thread}define ptx_kernel void @f() {{\n  {body}\n}}\n"))
    };
    assert_eq!(uniform(&by_function("internal"), subgroup), "%first.warp");
    assert_eq!(uniform(&by_function("weak"), subgroup), "");
    // The module reads another number of a thread.
    for (declaration, call, is_other) in [
        ("declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()", "", true),
        ("declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()", "", false),
        ("declare i32 @llvm.nvvm.read.ptx.sreg.laneid()", "", false),
        ("declare i64 @_Z12get_local_idj(i32 noundef)", "%1 = call i64 @_Z12get_local_idj(i32 noundef 0)", false),
        ("declare i64 @_Z12get_local_idj(i32 noundef)", "%1 = call i64 @_Z12get_local_idj(i32 noundef 1)", true),
        ("declare i64 @_Z12get_local_idj(i32 noundef)", "%1 = call i64 @_Z12get_local_idj(i32 %n)", true),
        ("declare i64 @_Z13get_global_idj(i32)", "%1 = call i64 @_Z13get_global_idj(i32 10)", true),
        ("declare i64 @_Z20get_global_linear_idv()", "%1 = call i64 @_Z20get_global_linear_idv()", true),
        ("@__spirv_BuiltInGlobalInvocationId = external addrspace(7) global <3 x i64>", "", true),
    ] {
        let text = text(declaration, &format!("{call}\n  "));
        assert_eq!(!uniform(&text, subgroup).contains("%first.warp"), is_other, "{text}");
    }
}
