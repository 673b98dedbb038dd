//! Tokens put in and taken out.

use expect_test::expect;
use reconverge_analysis::check::{CheckOptions, check};
use reconverge_testing::random::{self, Options};
use reconverge_testing::rounds::{is_one_seed, seeds};
use reconverge_transform::{Transformed, infer_noconvergent, infer_tokens, strip_tokens};

const NEST: &str = r#"declare void @op() convergent

define void @nest(i1 %c) convergent {
entry:
  call void @op()
  br label %outer

outer:
  %i = phi i32 [ 0, %entry ], [ 1, %latch ]
  br label %inner

inner:
  call void @op() [ "deopt"(i32 %i) ]
  br i1 %c, label %inner, label %latch

latch:
  br i1 %c, label %outer, label %exit

exit:
  call void @op() #0, !dbg !0
  ret void
}

attributes #0 = { nounwind }
!0 = !{}
"#;

// conformance: operations/27, 28, 29
#[test]
fn inferred_tokens_follow_the_cycles() {
    let transformed = infer_tokens(NEST.as_bytes()).expect("it is IR");
    assert_eq!((transformed.functions, &transformed.refusals[..]), (1, &[][..]));
    let text = String::from_utf8(transformed.edits.apply(NEST.as_bytes())).expect("it is text");
    expect![[r#"
        declare void @op() convergent

        define void @nest(i1 %c) convergent {
        entry:
          %convergence.entry = call token @llvm.experimental.convergence.entry()
          call void @op() [ "convergencectrl"(token %convergence.entry) ]
          br label %outer

        outer:
          %i = phi i32 [ 0, %entry ], [ 1, %latch ]
          %convergence.loop = call token @llvm.experimental.convergence.loop() [ "convergencectrl"(token %convergence.entry) ]
          br label %inner

        inner:
          %convergence.loop.1 = call token @llvm.experimental.convergence.loop() [ "convergencectrl"(token %convergence.loop) ]
          call void @op() [ "deopt"(i32 %i), "convergencectrl"(token %convergence.loop.1) ]
          br i1 %c, label %inner, label %latch

        latch:
          br i1 %c, label %outer, label %exit

        exit:
          call void @op() #0 [ "convergencectrl"(token %convergence.entry) ], !dbg !0
          ret void
        }

        attributes #0 = { nounwind }
        !0 = !{}

        declare token @llvm.experimental.convergence.entry() convergent nocallback nofree nosync nounwind willreturn memory(none)

        declare token @llvm.experimental.convergence.loop() convergent nocallback nofree nosync nounwind willreturn memory(none)
    "#]].assert_eq(&text);
    let back = strip_tokens(text.as_bytes()).expect("it is IR").edits.apply(text.as_bytes());
    let declarations = text.find("\ndeclare token").expect("intrinsics are declared");
    assert_eq!(String::from_utf8_lossy(&back), format!("{NEST}{}", &text[declarations..]));
}

/// Caller and callee of either kind, in both directions, and one function of both kinds.
#[test]
fn functions_with_tokens_stay_beside_those_that_get_some() {
    let text = "declare void @op() convergent
declare token @llvm.experimental.convergence.entry() convergent
declare token @llvm.experimental.convergence.anchor() convergent

define void @controlled() convergent {
  %t = call token @llvm.experimental.convergence.entry()
  call void @uncontrolled() [ \"convergencectrl\"(token %t) ]
  ret void
}

define void @uncontrolled() convergent {
  call void @op()
  ret void
}

define void @calls_controlled(i1 %c) convergent {
e:
  br i1 %c, label %a, label %b

a:
  call void @controlled()
  br label %b

b:
  call void @anchored()
  br i1 %c, label %a, label %x

x:
  ret void
}

define void @anchored() {
  %t = call token @llvm.experimental.convergence.anchor()
  call void @op() [ \"convergencectrl\"(token %t) ]
  ret void
}

define void @both() convergent {
  %t = call token @llvm.experimental.convergence.entry()
  call void @op() [ \"convergencectrl\"(token %t) ]
  call void @op()
  ret void
}
";
    let transformed = infer_tokens(text.as_bytes()).expect("it is IR");
    assert_eq!(transformed.functions, 2);
    let [refusal] = &transformed.refusals[..] else { panic!("{:?}", transformed.refusals) };
    assert_eq!(refusal.function, "@both");
    expect!["a function has either controlled or uncontrolled convergent operations, and this one has both"]
        .assert_eq(&refusal.rule);
    let after = String::from_utf8(transformed.edits.apply(text.as_bytes())).expect("it is text");
    let body = |text: &str, name: &str| {
        let start = text.find(&format!("define void @{name}(")).expect("it is defined");
        let end = text[start..].find("\n}").expect("a body ends");
        text[start..start + end].to_owned()
    };
    for name in ["controlled", "anchored", "both"] {
        assert_eq!(body(text, name), body(&after, name));
    }
    expect![[r#"
        define void @uncontrolled() convergent {
          %convergence.entry = call token @llvm.experimental.convergence.entry()
          call void @op() [ "convergencectrl"(token %convergence.entry) ]
          ret void

        define void @calls_controlled(i1 %c) convergent {
        e:
          %convergence.entry = call token @llvm.experimental.convergence.entry()
          br i1 %c, label %e.forward, label %e.forward.1

        e.forward:
          br label %a.dispatch

        e.forward.1:
          br label %a.dispatch

        a.dispatch:
          %a.entry = phi i1 [ false, %e.forward ], [ true, %e.forward.1 ], [ false, %b ]
          %convergence.loop = call token @llvm.experimental.convergence.loop() [ "convergencectrl"(token %convergence.entry) ]
          br i1 %a.entry, label %b, label %a

        a:
          call void @controlled() [ "convergencectrl"(token %convergence.loop) ]
          br label %b

        b:
          call void @anchored()
          br i1 %c, label %a.dispatch, label %x

        x:
          ret void"#]].assert_eq(&format!("{}\n\n{}", body(&after, "uncontrolled"), body(&after, "calls_controlled")));
    let errors = check(after.as_bytes(), &CheckOptions::default()).expect("it is IR").diagnostics();
    let errors: Vec<_> = errors.iter().map(|found| (found.code.name(), found.function.as_deref())).collect();
    expect![[r#"[("RC0112", Some("@both"))]"#]].assert_eq(&format!("{errors:?}"));
}

/// Random functions, their own tokens taken out: what is inferred breaks no rule, and taken out again leaves what was there, but for
/// cycles that had to get one header.
#[test]
fn inferred_tokens_break_no_rule() {
    let options = Options { broken_percent: 0, ..Options::default() };
    let (mut changed, mut reduced) = (0, 0);
    for seed in seeds(40) {
        let tokened = random::module_with(seed, 40, &options);
        let plain = strip_tokens(tokened.as_bytes()).expect("it is IR").edits.apply(tokened.as_bytes());
        let transformed = infer_tokens(&plain).expect("it is IR");
        changed += transformed.functions;
        assert_eq!(transformed.refusals, [], "seed {seed}");
        let inferred = transformed.edits.apply(&plain);
        let found = check(&inferred, &CheckOptions::default()).expect("it is IR").findings;
        let rules: Vec<_> = found.iter().filter(|found| found.code.name().starts_with("RC01")).collect();
        assert!(rules.is_empty(), "seed {seed}: {rules:?}\n{}", String::from_utf8_lossy(&inferred));
        let again = strip_tokens(&inferred).expect("it is IR").edits.apply(&inferred);
        let [again, plain] = [again, plain].map(|text| String::from_utf8_lossy(&text).into_owned());
        let bodies = again.split("\ndefine ").zip(plain.split("\ndefine "));
        for (again, plain) in bodies {
            let was_reduced = again.contains(".dispatch:");
            reduced += usize::from(was_reduced);
            assert!(was_reduced || again == plain, "seed {seed}:\n{again}\n{plain}");
        }
    }
    println!("{changed} functions got tokens, {reduced} of them had irreducible cycles");
    assert!(is_one_seed() || changed > 100 && reduced > 0);
}

/// Without the anchor there would be nothing to freeze, or to pass in the other bundle.
#[test]
fn tokens_with_other_uses_are_not_stripped() {
    for other_use in ["%u = freeze token %t", "call void @f() [ \"deopt\"(token %t), \"convergencectrl\"(token %t) ]"] {
        let text = format!(
            "declare token @llvm.experimental.convergence.anchor()
declare void @f() convergent
define void @uses() convergent {{
  %t = call token @llvm.experimental.convergence.anchor()
  {other_use}
  ret void
}}
"
        );
        // Nothing convergent is called: all tokens could go.
        let text_of_plain_calls = text.replace("@f() convergent", "@f()");
        for (text, transform) in
            [(&text, strip_tokens as fn(&[u8]) -> _), (&text_of_plain_calls, |text| infer_noconvergent(text, false))]
        {
            let transformed: Transformed = transform(text.as_bytes()).expect("it is IR");
            assert_eq!(transformed.functions, 0);
            assert_eq!(transformed.refusals.len(), 1, "{:?}", transformed.refusals);
            assert_eq!(transformed.refusals[0].function, "@uses");
            assert_eq!(transformed.edits.apply(text.as_bytes()), text.as_bytes());
        }
    }
}
