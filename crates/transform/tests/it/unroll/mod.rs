//! Loops unrolled: each way, and each reason not to.

mod copies;
mod refusals;
mod ways;

use expect_test::Expect;
use reconverge_analysis::check::{CheckOptions, check};
use reconverge_transform::{Kind, UnrollOptions, Unrolled, unroll};

const DECLARATIONS: &str = "\
declare token @llvm.experimental.convergence.entry() convergent
declare token @llvm.experimental.convergence.loop() convergent
declare token @llvm.experimental.convergence.anchor() convergent
declare void @vote(i32) convergent
declare void @unique(i32) noduplicate

";

pub(crate) fn factor(factor: u32) -> UnrollOptions<'static> {
    UnrollOptions { factor, ..UnrollOptions::default() }
}

/// Unrolls the loops of a function, and checks that the result breaks no rule.
pub(crate) fn run(function: &str, options: &UnrollOptions<'_>) -> (String, Unrolled) {
    let text = format!("{DECLARATIONS}{function}");
    let unrolled = unroll(text.as_bytes(), options).expect("it is IR");
    let result = String::from_utf8(unrolled.transformed.edits.clone().apply(text.as_bytes())).expect("it is text");
    let rules = |text: &str| {
        let found = check(text.as_bytes(), &CheckOptions::default()).unwrap_or_else(|error| panic!("{error}\n{text}"));
        found.findings.into_iter().filter(|found| found.code.name().starts_with("RC01")).count()
    };
    assert_eq!(rules(&result), rules(&text), "{result}");
    (result[DECLARATIONS.len()..].to_owned(), unrolled)
}

pub(crate) fn unrolls(function: &str, options: &UnrollOptions<'_>, kind: Kind, expected: Expect) {
    let (text, unrolled) = run(function, options);
    assert_eq!(unrolled.transformed.refusals, []);
    assert_eq!(unrolled.loops.iter().map(|one| one.2).collect::<Vec<_>>(), [kind]);
    expected.assert_eq(&text);
}

/// What is refused, with the text that the refusal points at.
pub(crate) fn refuses(function: &str, options: &UnrollOptions<'_>, expected: Expect) {
    let (text, unrolled) = run(function, options);
    assert_eq!(text, function, "nothing changes");
    let whole = format!("{DECLARATIONS}{function}");
    let lines: Vec<String> = unrolled
        .transformed
        .refusals
        .iter()
        .map(|refusal| format!("{}: {}\n  {}\n", refusal.function, refusal.rule, &whole[refusal.span.range()]))
        .collect();
    expected.assert_eq(&lines.concat());
}

/// A loop that counts down, on a token from outside; `bound` is how `%n` comes from `%m`.
pub(crate) fn countdown(bound: &str) -> String {
    format!(
        "define void @f(i32 %m) {{
start:
  %n = {bound}
  %outer = call token @llvm.experimental.convergence.anchor()
  br label %while
while:
  %left = phi i32 [ %n, %start ], [ %fewer, %body ]
  %inner = call token @llvm.experimental.convergence.loop() [ \"convergencectrl\"(token %outer) ]
  %go = icmp ugt i32 %left, 0
  br i1 %go, label %body, label %end
body:
  call void @vote(i32 %left) [ \"convergencectrl\"(token %inner) ]
  %fewer = sub i32 %left, 1
  br label %while
end:
  ret void
}}
"
    )
}

/// A loop with something in its body; `%go` says whether it goes on.
pub(crate) fn with_body(body: &str, go: &str) -> String {
    format!(
        "define void @f(i32 %n, ptr %p) {{
start:
  br label %loop
loop:
  %i = phi i32 [ 0, %start ], [ %next, %loop ]
  {body}
  %next = add i32 %i, 1
  {go}
  br i1 %go, label %loop, label %end
end:
  ret void
}}
"
    )
}
