//! Tokens put in and taken out.

use expect_test::expect;
use reconverge_analysis::check::{CheckOptions, check};
use reconverge_testing::random::{self, Options};
use reconverge_transform::{infer_tokens, strip_tokens};

fn environment(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().map_or(default, |value| value.parse().expect("a number"))
}

fn seeds(count: u64) -> std::ops::Range<u64> {
    let first = environment("RECONVERGE_SEED", 1);
    first..first + count * environment("RECONVERGE_ROUNDS", 1)
}

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
        let found = check(&inferred, &CheckOptions::default()).expect("it is IR").diagnostics;
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
    assert!(changed > 100 && reduced > 0);
}
