//! Numbers of threads, and what is known of the workgroups that they are in.

use expect_test::expect;
use reconverge_analysis::target::Scope;
use reconverge_analysis::uniformity::lower::LoweringOptions;
use reconverge_analysis::uniformity::{Options, analyze};

use crate::uniformity_lowering::common::{Case, amdgpu, check, check_with, nvptx, without};

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
    assert_eq!(uniform(&by_function(""), subgroup), "%first.warp");
    assert_eq!(uniform(&by_function("weak"), subgroup), "");
    // The module reads another number of a thread.
    for (declaration, call, is_other) in [
        ("declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()", "", true),
        ("declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()", "", false),
        ("declare i32 @llvm.nvvm.read.ptx.sreg.laneid()", "", false),
        ("declare i64 @_Z12get_local_idj(i32 noundef)", "%1 = call i64 @_Z12get_local_idj(i32 noundef 0)", false),
        ("declare i64 @_Z12get_local_idj(i32 noundef)", "%1 = call i64 @_Z12get_local_idj(i32 noundef 1)", true),
        ("declare i64 @_Z12get_local_idj(i32 noundef)", "%1 = call i64 @_Z12get_local_idj(i32 %n)", true),
        (
            "declare i64 @_Z12get_local_idj(i32 noundef)",
            "%1 = call i64 @_Z12get_local_idj(i32 noundef range(i32 -1, 0) 2)",
            true,
        ),
        ("declare i64 @_Z13get_global_idj(i32)", "%1 = call i64 @_Z13get_global_idj(i32 10)", true),
        ("declare i64 @_Z20get_global_linear_idv()", "%1 = call i64 @_Z20get_global_linear_idv()", true),
        ("@__spirv_BuiltInGlobalInvocationId = external addrspace(7) global <3 x i64>", "", true),
    ] {
        let text = text(declaration, &format!("{call}\n  "));
        assert_eq!(!uniform(&text, subgroup).contains("%first.warp"), is_other, "{text}");
    }
}
