//! Anchors and operations hoisted and sunk: the examples of "Hoisting and sinking", as other programs.

mod anchors;
mod operations;

use expect_test::Expect;
use reconverge_analysis::target::Target;
use reconverge_ir::ReadError;
use reconverge_transform::{Transformed, Verdict};

pub(crate) const HEAD: &str = r#"target triple = "spirv64-unknown-unknown"

declare token @llvm.experimental.convergence.entry() convergent
declare token @llvm.experimental.convergence.anchor() convergent
declare token @llvm.experimental.convergence.loop() convergent
declare i32 @_Z17sub_group_shuffleij(i32, i32) convergent
declare i32 @_Z20sub_group_reduce_addi(i32) convergent
declare i32 @_Z32sub_group_non_uniform_reduce_addi(i32) convergent
declare void @publish(i32) convergent
declare i64 @_Z12get_local_idj(i32)

"#;

pub(crate) type Pass = fn(&[u8], Option<&Target>) -> Result<Transformed, ReadError>;

/// The function after a pass, and the verdict on each candidate.
pub(crate) fn show(pass: Pass, body: &str) -> String {
    let text = format!("{HEAD}{body}");
    let transformed = pass(text.as_bytes(), None).expect("it is IR");
    let refused = transformed.candidates.iter().filter(|candidate| !candidate.verdict.is_yes()).count();
    assert_eq!(transformed.refusals.len(), refused);
    let mut shown = String::new();
    for candidate in &transformed.candidates {
        let line = |span: reconverge_ir::Span| text[HEAD.len()..span.range().start].matches('\n').count();
        shown.push_str(&format!("; line {}: {}\n", line(candidate.span), candidate.what));
        match &candidate.verdict {
            Verdict::Yes { why } => shown.push_str(&format!(";   yes: {why}\n")),
            Verdict::No { rule, section, locations } => {
                shown.push_str(&format!(";   no: {rule} [{section}]\n"));
                for location in locations {
                    shown.push_str(&format!(";     line {}: {}\n", line(location.span), location.what));
                }
            }
        }
    }
    let changed = transformed.edits.apply(text.as_bytes());
    // What was taken out and put in, nothing else, is text of instructions.
    let changed = String::from_utf8(changed).expect("it is text");
    if changed == text {
        assert_eq!(transformed.functions, 0);
        return shown + "; nothing changes\n";
    }
    assert_eq!(transformed.functions, 1);
    shown + changed.strip_prefix(HEAD).expect("declarations stay")
}

pub(crate) fn check(pass: Pass, body: &str, expected: &Expect) {
    expected.assert_eq(&show(pass, body));
}

pub(crate) const SHUFFLE: &str = r#"define spir_kernel void @swap(i32 %data, i32 %id, ptr %out) convergent {
start:
  %all = call token @llvm.experimental.convergence.entry()
  %thread = call i64 @_Z12get_local_idj(i32 0)
  %odd = trunc i64 %thread to i1
  br i1 %odd, label %left, label %right

left:
  %from.left = call i32 @_Z17sub_group_shuffleij(i32 %data, i32 %id) [ "convergencectrl"(token %all) ]
  store i32 %from.left, ptr %out
  br label %end

right:
  %from.right = call i32 @_Z17sub_group_shuffleij(i32 %data, i32 %id) [ "convergencectrl"(token %all) ]
  %sum = add i32 %from.right, 1
  store i32 %sum, ptr %out
  br label %end

end:
  ret void
}
"#;
