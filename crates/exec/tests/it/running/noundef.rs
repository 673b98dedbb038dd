//! Arguments and results that are `noundef`.

use reconverge_findings::run::{Noundef, What};

use crate::running::{codes, execute, first, launch, words};

/// A kernel in which `%x` is undef, partly, poison, or known, and something is done with it.
fn kernel(x: &str, body: &str) -> String {
    format!(
        r#"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32) convergent
declare void @needs(i32, i32 noundef) convergent
define i32 @same(i32 %n) {{
  ret i32 %n
}}
define noundef i32 @known(i32 %n) {{
  ret i32 %n
}}
define i32 @takes(i32 noundef %n) {{
  ret i32 0
}}
define ptx_kernel void @kernel(ptr addrspace(1) %out) convergent {{
start:
  %id = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp eq i32 %id, 0
  br i1 %first, label %one, label %join
one:
  br label %join
join:
  %x = phi i32 [ 7, %one ], [ {x}, %start ]
  {body}
  ret void
}}"#
    )
}

/// What is found in threads 1 to 3.
fn found(x: &str, body: &str) -> Option<Noundef> {
    let outcome = execute(&kernel(x, body), &launch(4, &[("out", words(4))]));
    if codes(&outcome).is_empty() {
        return None;
    }
    assert_eq!(codes(&outcome), ["RC0506"], "{body}");
    assert_eq!(first(&outcome).threads, [1, 2, 3], "{body}");
    let What::Noundef(what) = first(&outcome).what else { panic!("{:?}", outcome.findings) };
    Some(what)
}

#[test]
fn what_is_noundef_is_known() {
    let cases = [
        (
            "%r = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 noundef %x, i32 0, i32 31)",
            Some(Noundef::Argument(1)),
        ),
        ("%r = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %x, i32 0, i32 31)", None),
        ("call void @needs(i32 %x, i32 %id)", None),
        ("call void @needs(i32 %id, i32 %x)", Some(Noundef::Argument(1))),
        ("%r = call i32 @takes(i32 %x)", Some(Noundef::Argument(0))),
        ("%r = call i32 @same(i32 %x)", None),
        ("%r = call noundef i32 @same(i32 %x)", Some(Noundef::Result)),
        ("%r = call i32 @known(i32 %x)", Some(Noundef::Returned)),
        ("%r = call noundef i32 @known(i32 %x)", Some(Noundef::Returned)),
        ("%y = freeze i32 %x\n  %r = call i32 @takes(i32 %y)", None),
    ];
    for (body, expected) in cases {
        assert_eq!(found("undef", body), expected, "{body}");
        assert_eq!(found("poison", body), expected, "{body}");
        assert_eq!(found("3", body), None, "{body}");
    }
}

/// What is looked at for an instruction is none of its own.
#[test]
fn noundef_counts_no_instructions() {
    let body = "%r = call i32 @same(i32 %x)";
    let count = |text: &str| execute(text, &launch(4, &[("out", words(4))])).instructions;
    let plain = kernel("3", body);
    assert_eq!(
        count(&plain),
        count(&plain.replace("call i32 @same(i32 %x)", "call noundef i32 @same(i32 noundef %x)"))
    );
}
