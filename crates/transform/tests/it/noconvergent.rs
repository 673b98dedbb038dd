//! Attributes, bundles and tokens that say nothing, taken out.

use expect_test::{Expect, expect};
use reconverge_analysis::check::{CheckOptions, check as check_text};
use reconverge_transform::infer_noconvergent;

fn check(text: &str, expected: &Expect) {
    let transformed = infer_noconvergent(text.as_bytes(), false).expect("it is IR");
    let changed = String::from_utf8(transformed.edits.apply(text.as_bytes())).expect("it is text");
    expected.assert_eq(&changed);
    let again = infer_noconvergent(changed.as_bytes(), false).expect("it is IR");
    assert!(again.edits.is_empty(), "one run is enough");
    let options = CheckOptions { hints: true, ..CheckOptions::default() };
    let found = check_text(changed.as_bytes(), &options).expect("it is IR").findings;
    let hints: Vec<_> = found.iter().filter(|found| found.code.name().starts_with("RC04")).collect();
    assert!(hints.is_empty(), "{hints:?}");
}

// conformance: operations/37, 38
#[test]
fn a_chain_of_calls_loses_it_at_once() {
    let text = r#"target triple = "nvptx64-nvidia-cuda"

declare token @llvm.experimental.convergence.entry() convergent
declare token @llvm.experimental.convergence.loop() convergent

define void @kernel(i1 %c) #0 {
start:
  %all = call token @llvm.experimental.convergence.entry()
  br label %body

body:
  %turn = call token @llvm.experimental.convergence.loop() [ "convergencectrl"(token %all) ]
  call void @middle() #1 [ "convergencectrl"(token %turn) ]
  br i1 %c, label %body, label %end

end:
  ret void
}

define void @middle() convergent nounwind {
  call void @leaf() convergent [ "deopt"(i32 7), "convergencectrl"(token none) ]
  ret void
}

define void @leaf() #0 {
  ret void
}

declare void @other() #0

attributes #0 = { convergent nounwind "frame-pointer"="all" }
attributes #1 = { convergent }
"#;
    let text = text.replace(", \"convergencectrl\"(token none)", "");
    check(
        &text,
        &expect![[r#"
            target triple = "nvptx64-nvidia-cuda"

            declare token @llvm.experimental.convergence.entry() convergent
            declare token @llvm.experimental.convergence.loop() convergent

            define void @kernel(i1 %c) #2 {
            start:
              br label %body

            body:
              call void @middle()
              br i1 %c, label %body, label %end

            end:
              ret void
            }

            define void @middle() nounwind {
              call void @leaf() [ "deopt"(i32 7) ]
              ret void
            }

            define void @leaf() #2 {
              ret void
            }

            declare void @other() #0

            attributes #0 = { convergent nounwind "frame-pointer"="all" }
            attributes #1 = { convergent }
            attributes #2 = { nounwind "frame-pointer"="all" }
        "#]],
    );
}

#[test]
fn what_communicates_keeps_it() {
    let text = r#"declare void @op() convergent
declare token @llvm.experimental.convergence.entry() convergent
declare token @llvm.experimental.convergence.anchor() convergent

define void @uncontrolled() convergent {
  call void @op()
  call void @even(i1 false) convergent
  ret void
}

define void @controlled() convergent {
  %all = call token @llvm.experimental.convergence.entry()
  call void @op() [ "convergencectrl"(token %all) ]
  call void @even(i1 false) [ "convergencectrl"(token %all) ]
  ret void
}

define void @anchored() convergent {
  %some = call token @llvm.experimental.convergence.anchor()
  call void @op() [ "convergencectrl"(token %some) ]
  ret void
}

define void @unused() convergent {
  %all = call token @llvm.experimental.convergence.entry()
  ret void
}

define void @even(i1 %c) convergent {
  %all = call token @llvm.experimental.convergence.entry()
  call void @odd(i1 %c) [ "convergencectrl"(token %all) ]
  ret void
}

define void @odd(i1 %c) convergent {
  call void @even(i1 %c)
  ret void
}

define linkonce_odr void @replaceable() convergent {
  ret void
}

define void @calls_replaceable(ptr %p) convergent {
  call void @replaceable()
  ret void
}

define void @indirect(ptr %p) convergent {
  call void %p() convergent
  ret void
}
"#;
    check(
        text,
        &expect![[r#"
            declare void @op() convergent
            declare token @llvm.experimental.convergence.entry() convergent
            declare token @llvm.experimental.convergence.anchor() convergent

            define void @uncontrolled() convergent {
              call void @op()
              call void @even(i1 false)
              ret void
            }

            define void @controlled() convergent {
              %all = call token @llvm.experimental.convergence.entry()
              call void @op() [ "convergencectrl"(token %all) ]
              call void @even(i1 false)
              ret void
            }

            define void @anchored() {
              %some = call token @llvm.experimental.convergence.anchor()
              call void @op() [ "convergencectrl"(token %some) ]
              ret void
            }

            define void @unused() convergent {
              %all = call token @llvm.experimental.convergence.entry()
              ret void
            }

            define void @even(i1 %c) {
              call void @odd(i1 %c)
              ret void
            }

            define void @odd(i1 %c) {
              call void @even(i1 %c)
              ret void
            }

            define linkonce_odr void @replaceable() convergent {
              ret void
            }

            define void @calls_replaceable(ptr %p) convergent {
              call void @replaceable()
              ret void
            }

            define void @indirect(ptr %p) convergent {
              call void %p() convergent
              ret void
            }
        "#]],
    );
}

// conformance: operations/39
#[test]
fn nothing_is_left_for_a_cpu() {
    let text = r#"target triple = "x86_64-unknown-linux-gnu"

declare void @op() #0
declare token @llvm.experimental.convergence.entry() #0

define void @f(ptr %p) #0 {
  %all = call token @llvm.experimental.convergence.entry()
  call void @op() [ "convergencectrl"(token %all) ]
  call void %p() #1 [ "convergencectrl"(token %all) ]
  ret void
}

attributes #0 = { convergent nounwind }
attributes #1 = { convergent }
"#;
    check(
        text,
        &expect![[r#"
            target triple = "x86_64-unknown-linux-gnu"

            declare void @op() #2
            declare token @llvm.experimental.convergence.entry() #0

            define void @f(ptr %p) #2 {
              call void @op()
              call void %p()
              ret void
            }

            attributes #0 = { convergent nounwind }
            attributes #1 = { convergent }
            attributes #2 = { nounwind }
        "#]],
    );
}
