//! Pairs of programs, accepted and refused: one for each rule.

use reconverge_exec::Program;
use reconverge_exec::launch::{Argument, Contents, Element};
use reconverge_validate::{Comparison, Difference, Model, Options, Verdict, Witness, compare, compare_all};

/// What kernels of these tests call.
const DECLARATIONS: &str = r#"target triple = "amdgcn-amd-amdhsa"
declare token @llvm.experimental.convergence.entry() convergent
declare token @llvm.experimental.convergence.anchor() convergent
declare token @llvm.experimental.convergence.loop() convergent
declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.readfirstlane.i32(i32) convergent nounwind willreturn memory(none)
declare i32 @llvm.amdgcn.wave.reduce.add.i32(i32, i32 immarg) convergent nounwind willreturn memory(none)
declare i64 @llvm.amdgcn.ballot.i64(i1) convergent nounwind willreturn memory(none)
declare void @llvm.amdgcn.s.barrier() convergent nounwind willreturn
declare void @meet(i32) convergent
@lds = internal addrspace(3) global [64 x i32] poison
"#;

const KERNEL: &str = "define amdgpu_kernel void @k(ptr addrspace(1) %out, i32 %n) convergent {
entry:
  %tid = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr i32, ptr addrspace(1) %out, i32 %tid
";

fn options(models: &[Model]) -> Options {
    Options {
        models: models.to_vec(),
        runs: 60,
        seed: 1,
        arguments: Vec::new(),
        grid: None,
        block: None,
        subgroup: None,
        limits: reconverge_validate::launch_limits(1_000_000),
        hierarchy: None,
        minimise: true,
    }
}

fn comparison(before: &str, after: &str, options: &Options) -> Comparison {
    let [before, after] = [before, after].map(|body| match body.contains("define") {
        true => format!("{DECLARATIONS}{body}"),
        false => format!("{DECLARATIONS}{KERNEL}{body}}}\n"),
    });
    let [one, other] = [(&before, "before.ll"), (&after, "after.ll")]
        .map(|(text, path)| Program::prepare(text.as_bytes(), path, None).expect("it is IR"));
    let comparison = compare(&one, &other, "k", options, &|_| {});
    assert!(!matches!(comparison.verdict, Verdict::NotCompared(_)), "{comparison:?}");
    comparison
}

fn is_kept(model: Model, before: &str, after: &str) {
    let comparison = comparison(before, after, &options(&[model]));
    assert!(matches!(comparison.verdict, Verdict::Equal | Verdict::Proved { .. }), "{comparison:#?}");
}

fn witness(model: Model, before: &str, after: &str) -> Witness {
    match comparison(before, after, &options(&[model])).verdict {
        Verdict::Different(witness) => *witness,
        verdict => panic!("{verdict:?}"),
    }
}

fn difference(model: Model, before: &str, after: &str) -> Difference {
    witness(model, before, after).difference
}

#[test]
fn a_reduction_is_hoisted_out_of_a_divergent_branch() {
    let before = "  %c = icmp ult i32 %tid, %n
  br i1 %c, label %then, label %end
then:
  %r = call i32 @llvm.amdgcn.wave.reduce.add.i32(i32 1, i32 0)
  store i32 %r, ptr addrspace(1) %p
  br label %end
end:
  ret void
";
    let after = "  %c = icmp ult i32 %tid, %n
  %r = call i32 @llvm.amdgcn.wave.reduce.add.i32(i32 1, i32 0)
  br i1 %c, label %then, label %end
then:
  store i32 %r, ptr addrspace(1) %p
  br label %end
end:
  ret void
";
    let witness = witness(Model::Maximal, before, after);
    let Difference::Threads { operation, before, after, .. } = &witness.difference else { panic!("{witness:#?}") };
    assert!(operation.contains("reduce.add"));
    // No smaller launch shows it.
    assert_eq!((&before[..], &after[..]), (&[0][..], &[0, 1][..]));
    assert_eq!((witness.launch.block, witness.launch.grid), ([2, 1, 1], [1, 1, 1]));
    let [one, other] = [&witness.before, &witness.after].map(|side| &side.steps[side.first_different]);
    assert_eq!((&one.threads[..], &one.results[..]), (&[0][..], &["1".to_owned()][..]));
    assert_eq!((&other.threads[..], &other.results[..]), (&[0, 1][..], &["2".to_owned(), "2".to_owned()][..]));
    assert_eq!((&one.block[..], &other.block[..]), ("then", "entry"));
}

/// `%a` and `%b` under a token, and a use of both in some threads; the lines that are sunk to it come behind.
fn pair(token: &str, in_front: &[&str], behind: &[&str]) -> String {
    let lines = |names: &[&str]| -> String {
        let line = |name: &&str| match *name {
            "t" => format!("  %t = call token @llvm.experimental.convergence.{token}()\n"),
            "a" => {
                "  %a = call i32 @llvm.amdgcn.wave.reduce.add.i32(i32 %tid, i32 0) [ \"convergencectrl\"(token %t) ]\n"
                    .to_owned()
            }
            _ => "  %b = call i64 @llvm.amdgcn.ballot.i64(i1 true) [ \"convergencectrl\"(token %t) ]\n".to_owned(),
        };
        names.iter().map(line).collect()
    };
    let start = if in_front.is_empty() {
        "  %c = icmp ult i32 %tid, %n\n".to_owned()
    } else {
        format!("{}  %c = icmp ult i32 %tid, %n\n", lines(in_front))
    };
    let body = format!(
        "{start}  br i1 %c, label %then, label %end
then:
{}  %w = trunc i64 %b to i32
  %s = add i32 %a, %w
  store i32 %s, ptr addrspace(1) %p
  br label %end
end:
  ret void
",
        lines(behind)
    );
    // An entry is the first thing of a kernel.
    if token == "entry" {
        let whole = format!("{KERNEL}{body}}}\n");
        let line = "  %t = call token @llvm.experimental.convergence.entry()\n";
        return whole.replace(line, "").replace("entry:\n", &format!("entry:\n{line}"));
    }
    body
}

// conformance: operations/58, 58a
#[test]
fn operations_sink_with_their_anchor_and_not_alone() {
    let before = pair("anchor", &["t", "a", "b"], &[]);
    is_kept(Model::Controlled, &before, &pair("anchor", &[], &["t", "a", "b"]));
    for after in [pair("anchor", &["t", "a"], &["b"]), pair("anchor", &["t", "b"], &["a"])] {
        let found = difference(Model::Controlled, &before, &after);
        assert!(matches!(found, Difference::Threads { .. }), "{found:?}");
    }
    let before = pair("entry", &["t", "a", "b"], &[]);
    let found = difference(Model::Controlled, &before, &pair("entry", &["t"], &["a", "b"]));
    assert!(matches!(found, Difference::Threads { .. }), "{found:?}");
}

/// A loop of so many rounds as its thread has, unrolled twice with a remainder or not; the operations' token is made inside of the loop
/// or comes from outside.
fn counted_loop(inside: bool, unrolled: bool) -> String {
    let heart = |name: &str, parent: &str| {
        if inside {
            format!("  %{name} = call token @llvm.experimental.convergence.anchor()\n")
        } else {
            format!(
                "  %{name} = call token @llvm.experimental.convergence.loop() [ \"convergencectrl\"(token %{parent}) ]\n"
            )
        }
    };
    let operation = |token: &str| format!("  call void @meet(i32 %n) [ \"convergencectrl\"(token %{token}) ]\n");
    let outside = if inside { "" } else { "  %outside = call token @llvm.experimental.convergence.anchor()\n" };
    let (step, body) =
        if unrolled { (2, format!("{}{}", operation("t"), operation("t"))) } else { (1, operation("t")) };
    let remainder = if unrolled {
        format!(
            "end:
  %odd = icmp eq i32 %left, 1
  br i1 %odd, label %rest, label %done
rest:
{}{}  br label %done
done:
  ret void
",
            heart("u", "outside"),
            operation("u")
        )
    } else {
        "end:\n  ret void\n".to_owned()
    };
    format!(
        "{outside}  %rounds = and i32 %tid, 7
  br label %loop
loop:
  %left = phi i32 [ %rounds, %entry ], [ %less, %body ]
{}  %more = icmp uge i32 %left, {step}
  br i1 %more, label %body, label %end
body:
{body}  %less = sub i32 %left, {step}
  br label %loop
{remainder}",
        heart("t", "outside")
    )
}

#[test]
fn loops_with_anchors_inside_can_be_unrolled_with_a_remainder() {
    is_kept(Model::Controlled, &counted_loop(true, false), &counted_loop(true, true));
    let found = difference(Model::Controlled, &counted_loop(false, false), &counted_loop(false, true));
    assert!(matches!(found, Difference::Threads { .. }), "{found:?}");
}

#[test]
fn operations_with_effects_are_there_and_others_need_not_be() {
    let with = "  call void @llvm.amdgcn.s.barrier()\n  store i32 1, ptr addrspace(1) %p\n  ret void\n";
    let without = "  store i32 1, ptr addrspace(1) %p\n  ret void\n";
    for (before, after) in [(with, without), (without, with)] {
        let found = difference(Model::Maximal, before, after);
        assert!(matches!(&found, Difference::Threads { operation, .. } if operation.contains("barrier")), "{found:?}");
    }
    let unused = format!("  %b = call i64 @llvm.amdgcn.ballot.i64(i1 true)\n{without}");
    is_kept(Model::Maximal, &unused, without);
    // Twice the same is the same, and what may be speculated may be there where it was not; an unknown operation may not.
    let used = "  %b = call i64 @llvm.amdgcn.ballot.i64(i1 true)\n  %w = trunc i64 %b to i32\n  \
                store i32 %w, ptr addrspace(1) %p\n  ret void\n";
    for operand in ["true", "false"] {
        let more = format!("  %again = call i64 @llvm.amdgcn.ballot.i64(i1 {operand})\n{used}");
        is_kept(Model::Maximal, used, &more);
    }
    let once = format!("  call void @meet(i32 %n)\n{used}");
    let found = difference(Model::Maximal, &once, &format!("  call void @meet(i32 %n)\n{once}"));
    assert!(matches!(&found, Difference::Threads { before, .. } if before.is_empty()), "{found:?}");
}

#[test]
fn some_threads_cannot_leave_an_operation_out() {
    let sum = "call i32 @llvm.amdgcn.wave.reduce.add.i32(i32 %tid, i32 0)";
    let before = format!(
        "  %r = {sum}\n  %c = icmp ult i32 %tid, %n\n  br i1 %c, label %then, label %end\nthen:\n  store i32 %r, ptr addrspace(1) %p\n  \
         br label %end\nend:\n  ret void\n"
    );
    let after = format!(
        "  %c = icmp ult i32 %tid, %n\n  br i1 %c, label %then, label %end\nthen:\n  %r = {sum}\n  store i32 %r, ptr addrspace(1) %p\n  \
         br label %end\nend:\n  ret void\n"
    );
    let found = difference(Model::Maximal, &before, &after);
    assert!(matches!(found, Difference::Threads { .. }), "{found:?}");
}

// conformance: operations/7
#[test]
fn the_reductions_of_both_arms_are_not_one() {
    let sum = |name: &str| format!("  %{name} = call i32 @llvm.amdgcn.wave.reduce.add.i32(i32 %tid, i32 0)\n");
    let before = format!(
        "  %c = icmp ult i32 %tid, %n\n  br i1 %c, label %then, label %else\nthen:\n{}  br label %end\nelse:\n{}  br label %end\nend:\n  \
         %r = phi i32 [ %a, %then ], [ %b, %else ]\n  store i32 %r, ptr addrspace(1) %p\n  ret void\n",
        sum("a"),
        sum("b")
    );
    let after = format!("{}  store i32 %r, ptr addrspace(1) %p\n  ret void\n", sum("r"));
    for model in [Model::Maximal, Model::ImmediatePostDominator, Model::Controlled] {
        let found = difference(model, &before, &after);
        assert!(matches!(found, Difference::Threads { .. }), "{found:?}");
    }
}

#[test]
fn operands_results_and_memory_are_what_they_were() {
    let body = |operand: &str, stored: &str| {
        format!(
            "  %a = call i32 @llvm.amdgcn.readfirstlane.i32(i32 {operand})\n  %b = add i32 %a, {stored}\n  \
             store i32 %b, ptr addrspace(1) %p\n  ret void\n"
        )
    };
    let before = body("%n", "1");
    let found = difference(Model::Maximal, &before, &body("%tid", "1"));
    let Difference::Value { operand, .. } = &found else { panic!("{found:?}") };
    assert_eq!(*operand, Some(0));
    let found = difference(Model::Maximal, &before, &body("%n", "2"));
    let Difference::Memory { buffer, before: one, after: other, .. } = &found else { panic!("{found:?}") };
    assert_eq!((&buffer[..], &one[..], &other[..]), ("out", "1", "2"));
    // What was not determined may be anything; what was may not become that.
    is_kept(Model::Maximal, &body("undef", "1").replace("%a,", "undef,"), &body("7", "1").replace("%a,", "3,"));
    let found = difference(Model::Maximal, &body("%n", "1"), &body("%n", "undef"));
    assert!(matches!(&found, Difference::Memory { after, .. } if after == "undef"), "{found:?}");
}

#[test]
fn a_program_that_ended_does_not_hang() {
    let before = "  call void @llvm.amdgcn.s.barrier()\n  ret void\n";
    let after = "  %c = icmp eq i32 %tid, 0
  br i1 %c, label %wait, label %end
wait:
  call void @llvm.amdgcn.s.barrier()
  br label %end
end:
  ret void
";
    let spins = "  call void @llvm.amdgcn.s.barrier()\n  br label %on\non:\n  br label %on\n";
    for after in [after, spins] {
        let found = difference(Model::Maximal, before, after);
        assert!(matches!(found, Difference::Trouble { .. } | Difference::Threads { .. }), "{found:?}");
    }
    let found = difference(Model::Maximal, before, spins);
    assert!(matches!(&found, Difference::Trouble(finding) if finding.code.name() == "RC0509"), "{found:?}");
}

#[test]
fn an_anchor_may_become_something_else_and_nothing_else_an_anchor() {
    let sum = "  %r = call i32 @llvm.amdgcn.wave.reduce.add.i32(i32 %tid, i32 0)";
    let end = "\n  store i32 %r, ptr addrspace(1) %p\n  ret void\n";
    let under = |token: &str| {
        let define = format!("  %t = call token @llvm.experimental.convergence.{token}()\n");
        let body = format!("{sum} [ \"convergencectrl\"(token %t) ]{end}");
        match token {
            "entry" => format!("{}{body}}}\n", KERNEL.replace("entry:\n", &format!("entry:\n{define}"))),
            _ => format!("{define}{body}"),
        }
    };
    let plain = format!("{sum}{end}");
    let (anchor, entry) = (under("anchor"), under("entry"));
    for other in [&plain, &entry] {
        is_kept(Model::Controlled, &anchor, other);
        let found = difference(Model::Controlled, other, &anchor);
        assert!(matches!(found, Difference::Threads { .. }), "{found:?}");
    }
    is_kept(Model::Controlled, &plain, &entry);
    is_kept(Model::Controlled, &entry, &plain);
    is_kept(Model::Maximal, &plain, &anchor);
}

#[test]
fn inlining_and_outlining_keep_communication() {
    let inlined = "  %r = call i32 @llvm.amdgcn.wave.reduce.add.i32(i32 %tid, i32 0)\n  store i32 %r, ptr addrspace(1) %p\n  ret void\n";
    let called = format!(
        "define internal i32 @sum(i32 %x) convergent {{\n  %r = call i32 @llvm.amdgcn.wave.reduce.add.i32(i32 %x, i32 0)\n  ret i32 %r\n}}\n\
         {KERNEL}  %r = call i32 @sum(i32 %tid)\n  store i32 %r, ptr addrspace(1) %p\n  ret void\n}}\n"
    );
    is_kept(Model::Maximal, &called, inlined);
    is_kept(Model::Maximal, inlined, &called);
}

#[test]
fn what_a_function_returns_counts() {
    let text = |number: u32| {
        format!(
            "define i32 @k(i32 %n) {{\n  %tid = call i32 @llvm.amdgcn.workitem.id.x()\n  %r = add i32 %tid, {number}\n  ret i32 %r\n}}\n"
        )
    };
    let found = difference(Model::Maximal, &text(1), &text(2));
    let Difference::Memory { buffer, .. } = &found else { panic!("{found:?}") };
    assert_eq!(buffer, "return value");
}

#[test]
fn variables_that_others_see_count() {
    let text = |linkage: &str, number: u32| {
        let body = format!("  store i32 {number}, ptr addrspace(1) @seen\n  ret void\n");
        format!("@seen = {linkage}addrspace(1) global i32 0\n{KERNEL}{body}}}\n")
            .replace("i32 %tid\n  store", "i32 0\n  store")
    };
    let mut options = options(&[Model::Maximal]);
    options.block = Some([1, 1, 1]);
    options.grid = Some([1, 1, 1]);
    let found = comparison(&text("", 1), &text("", 2), &options).verdict;
    let Verdict::Different(witness) = found else { panic!("{found:?}") };
    let Difference::Memory { buffer, element, .. } = &witness.difference else { panic!("{witness:?}") };
    assert_eq!((&buffer[..], *element), ("seen", 0));
    let found = comparison(&text("internal ", 1), &text("internal ", 2), &options).verdict;
    assert!(matches!(found, Verdict::Equal), "{found:?}");
}

/// A cycle with two entries: which of them is the header is a choice.
#[test]
fn an_irreducible_cycle_may_be_seen_either_way() {
    let text = |first: &str, second: &str| {
        format!(
            "  %c = icmp ult i32 %tid, 1
  br i1 %c, label %{first}, label %{second}
a:
  %i = phi i32 [ 0, %entry ], [ %k, %b ]
  %x = call i64 @llvm.amdgcn.ballot.i64(i1 true)
  %j = add i32 %i, 1
  br label %b
b:
  %m = phi i32 [ 0, %entry ], [ %j, %a ]
  %y = call i32 @llvm.amdgcn.wave.reduce.add.i32(i32 1, i32 0)
  store i32 %y, ptr addrspace(1) %p
  %k = add i32 %m, 1
  %more = icmp ult i32 %k, 3
  br i1 %more, label %a, label %end
end:
  ret void
"
        )
    };
    // The same program, whose search meets the blocks in another order.
    let swapped = text("b", "a").replace("icmp ult i32 %tid, 1", "icmp uge i32 %tid, 1");
    is_kept(Model::Maximal, &text("a", "b"), &swapped);
    let found = difference(Model::Maximal, &text("a", "b"), &text("b", "a"));
    assert!(matches!(found, Difference::Threads { .. } | Difference::Memory { .. }), "{found:?}");
}

#[test]
fn the_same_in_other_words_is_proved() {
    let before = "  %c = icmp ult i32 %tid, %n
  %x = add i32 %tid, 1
  %y = mul i32 %n, 3
  br i1 %c, label %then, label %end
then:
  %r = call i32 @llvm.amdgcn.wave.reduce.add.i32(i32 %x, i32 0)
  store i32 %r, ptr addrspace(1) %p
  br label %end
end:
  %f = phi i32 [ %y, %entry ], [ %r, %then ]
  store i32 %f, ptr addrspace(1) %p
  ret void
";
    let after = "  %mul = mul i32 %n, 3
  %add = add i32 %tid, 1
  %unused = xor i32 %add, %mul
  %less = icmp ult i32 %tid, %n
  br i1 %less, label %yes, label %done
done:
  %f = phi i32 [ %sum, %yes ], [ %mul, %entry ]
  store i32 %f, ptr addrspace(1) %p
  ret void
yes:
  %sum = tail call i32 @llvm.amdgcn.wave.reduce.add.i32(i32 %add, i32 0), !annotation !0
  store i32 %sum, ptr addrspace(1) %p
  br label %done
";
    let options = options(&[Model::Maximal]);
    let verdict = comparison(before, after, &options).verdict;
    assert!(matches!(verdict, Verdict::Proved { .. }), "{verdict:?}");
    for (from, to) in
        [("%n, 3", "%n, 4"), ("label %yes, label %done", "label %done, label %yes"), ("%add, i32 0", "%tid, i32 0")]
    {
        let other = after.replacen(from, to, 1);
        assert_ne!(after, other);
        // A phi whose sources change places is a phi of others.
        let verdict = comparison(before, &other, &options).verdict;
        assert!(!matches!(verdict, Verdict::Proved { .. }), "{from}: {verdict:?}");
    }
}

// conformance: uniformity/21, 31
#[test]
fn a_value_that_is_no_longer_uniform_is_told() {
    let before = "  %u = add i32 %n, 1\n  store i32 %u, ptr addrspace(1) %p\n  ret void\n";
    let after = "  %h = mul i32 %tid, -1640531527\n  %c = icmp eq i32 %h, 12345\n  %m = select i1 %c, i32 7, i32 %n\n  %u = add i32 %m, 1\n  store i32 %u, ptr addrspace(1) %p\n  ret void\n";
    let found = comparison(before, after, &options(&[Model::Maximal]));
    assert!(matches!(found.verdict, Verdict::Equal), "{found:?}");
    let codes: Vec<_> = found.findings.iter().map(|diagnostic| diagnostic.code.name()).collect();
    assert_eq!(codes, ["RC0605"]);
}

/// What threads have from different iterations is divergent where it is used, whether a phi says so or not.
#[test]
fn a_value_of_several_iterations_was_not_uniform_at_its_use() {
    let before = "  br label %loop\nloop:\n  %i = phi i32 [ 0, %entry ], [ %next, %loop ]\n  %next = add i32 %i, 1\n  %go = icmp slt i32 %i, %tid\n  br i1 %go, label %loop, label %exit\nexit:\n  store i32 %i, ptr addrspace(1) %p\n  ret void\n";
    let after = before
        .replace("exit:\n", "exit:\n  %i.lcssa = phi i32 [ %i, %loop ]\n")
        .replace("store i32 %i,", "store i32 %i.lcssa,");
    let found = comparison(before, &after, &options(&[Model::Maximal]));
    assert!(matches!(found.verdict, Verdict::Equal | Verdict::Proved { .. }), "{found:?}");
    assert!(found.findings.is_empty(), "{found:?}");
    // In the loop it is one of an iteration.
    let inside = |value: &str| {
        before
            .replace("  %go =", &format!("  store i32 {value}, ptr addrspace(1) %p\n  %go ="))
            .replace("store i32 %i, ptr addrspace(1) %p\n  ret", "ret")
    };
    let worse = inside("%other").replace("  %next =", "  %other = add i32 %i, %tid\n  %next =");
    let found = comparison(&inside("%i"), &worse, &options(&[Model::Maximal]));
    assert!(found.findings.iter().any(|finding| finding.code.name() == "RC0605"), "{found:?}");
}

#[test]
fn what_cannot_be_compared_says_why() {
    let text = |parameters: &str, name: &str| {
        format!("{DECLARATIONS}define amdgpu_kernel void @{name}({parameters}) {{\n  ret void\n}}\n")
    };
    let ask = |before: &str, after: &str| {
        let [one, other] =
            [before, after].map(|text| Program::prepare(text.as_bytes(), "k.ll", None).expect("it is IR"));
        let all = compare_all(&one, &other, &options(&[Model::Maximal]), &|_| {});
        all.into_iter().map(|comparison| (comparison.kernel, comparison.verdict)).collect::<Vec<_>>()
    };
    let reasons = |all: Vec<(String, Verdict)>| {
        let reason = |(kernel, verdict)| match verdict {
            Verdict::NotCompared(reason) => format!("{kernel}: {reason}"),
            verdict => panic!("{verdict:?}"),
        };
        all.into_iter().map(reason).collect::<Vec<String>>()
    };
    let found = reasons(ask(&text("i32 %a", "k"), &text("i64 %a", "k")));
    assert_eq!(found, ["k: its parameters changed, from (i32) to (i64)"]);
    let found = reasons(ask(&text("i32 %a", "k"), &text("i32 %a", "l")));
    assert_eq!(found.len(), 2);
    assert!(found[0].contains("after the change") && found[1].contains("before the change"), "{found:?}");
    let image = "target(\"spirv.Image\", void, 1, 0, 0, 0, 0, 0, 0) %image";
    let changed = text(image, "k").replace("ret void", "call void @llvm.amdgcn.s.barrier()\n  ret void");
    let found = reasons(ask(&text(image, "k"), &changed));
    assert!(found[0].contains("--arg image="), "{found:?}");
}

/// Only threads that are told so come to the operation that is gone.
#[test]
fn a_branch_on_a_number_that_is_rare_is_taken() {
    for number in ["4242", "-77", "1000000"] {
        let before = format!(
            "  %c = icmp eq i32 %n, {number}
  br i1 %c, label %then, label %end
then:
  call void @meet(i32 %tid)
  br label %end
end:
  ret void
"
        );
        let after = before.replace("  call void @meet(i32 %tid)\n", "");
        let difference = difference(Model::Maximal, &before, &after);
        assert!(matches!(difference, Difference::Threads { .. }), "{number}: {difference:?}");
    }
}

/// An operation at two places, of which one is under an anchor: the other one has lost none when it is executed more often.
#[test]
fn an_anchor_elsewhere_excuses_nothing() {
    let before = "  %begin = call token @llvm.experimental.convergence.entry()
  %anchor = call token @llvm.experimental.convergence.anchor()
  call void @meet(i32 1) [ \"convergencectrl\"(token %anchor) ]
  %c = icmp ult i32 %tid, 2
  br i1 %c, label %then, label %end
then:
  call void @meet(i32 2) [ \"convergencectrl\"(token %begin) ]
  br label %end
end:
  ret void
";
    let call = "  call void @meet(i32 2) [ \"convergencectrl\"(token %begin) ]\n";
    let after = before.replace(call, "").replace("  br i1 %c", &format!("{call}  br i1 %c"));
    let difference = difference(Model::Controlled, before, &after);
    assert!(matches!(difference, Difference::Threads { .. }), "{difference:?}");
}

#[test]
fn operations_that_wait_or_touch_memory_keep_their_order() {
    let (meet, barrier) = ("  call void @meet(i32 %n)\n", "  call void @llvm.amdgcn.s.barrier()\n");
    let end = "  store i32 1, ptr addrspace(1) %p\n  ret void\n";
    let found = difference(Model::Maximal, &format!("{meet}{barrier}{end}"), &format!("{barrier}{meet}{end}"));
    let Difference::Order { before, after, .. } = &found else { panic!("{found:?}") };
    assert_eq!((&before[..], &after[..]), ("meet", "llvm.amdgcn.s.barrier"));
    // Where it is said what is touched, memory shows what comes of it.
    let reads = "define amdgpu_kernel void @k(ptr addrspace(1) %out, i32 %n) convergent {
  call void @meet(i32 %n) memory(argmem: read)
  call void @llvm.amdgcn.s.barrier()
  ret void
}
";
    let swapped = "define amdgpu_kernel void @k(ptr addrspace(1) %out, i32 %n) convergent {
  call void @llvm.amdgcn.s.barrier()
  call void @meet(i32 %n) memory(argmem: read)
  ret void
}
";
    is_kept(Model::Maximal, reads, swapped);
}

#[test]
fn operations_without_memory_may_change_places() {
    let vote = "  %b = call i64 @llvm.amdgcn.ballot.i64(i1 true)\n";
    let sum = "  %s = call i32 @llvm.amdgcn.wave.reduce.add.i32(i32 %tid, i32 0)\n";
    let end =
        "  %w = trunc i64 %b to i32\n  %both = add i32 %w, %s\n  store i32 %both, ptr addrspace(1) %p\n  ret void\n";
    let [before, after] = [format!("{vote}{sum}{end}"), format!("{sum}{vote}{end}")];
    let comparison_of = |after: &str| comparison(&before, after, &options(&[Model::Maximal]));
    let swapped = comparison_of(&after);
    assert!(matches!(swapped.verdict, Verdict::Equal), "{swapped:#?}");
    let reordered = swapped.reordered.expect("it is told");
    assert_eq!(
        (reordered.thread, &reordered.before[..], &reordered.after[..]),
        (0, "llvm.amdgcn.ballot.i64", "llvm.amdgcn.wave.reduce.add.i32")
    );
    // Two executions of one operation, of which the second was the first.
    let [all, some] = ["  %b = call i64 @llvm.amdgcn.ballot.i64(i1 true)\n", "  %c = icmp ult i32 %tid, 2\n"];
    let one = "  %d = call i64 @llvm.amdgcn.ballot.i64(i1 %c)\n";
    let end = "  %x = add i64 %b, %d\n  %w = trunc i64 %x to i32\n  store i32 %w, ptr addrspace(1) %p\n  ret void\n";
    let [before_votes, after_votes] = [format!("{some}{all}{one}{end}"), format!("{some}{one}{all}{end}")];
    let votes = comparison(&before_votes, &after_votes, &options(&[Model::Maximal]));
    assert!(matches!(votes.verdict, Verdict::Equal), "{votes:#?}");
    assert!(votes.reordered.is_some_and(|swapped| swapped.before == swapped.after), "it is told");
    // Done twice is not in another order.
    let twice = comparison_of(&format!("  %a = call i64 @llvm.amdgcn.ballot.i64(i1 true)\n{before}"));
    assert_eq!((matches!(twice.verdict, Verdict::Equal), twice.reordered), (true, None));
}

/// Each value is right for one that is not determined: a compiler may choose another one than a run does, and only that is let go.
#[test]
fn what_is_frozen_may_be_any_value() {
    let with = |line: &str| {
        format!(
            "  %few = icmp ult i32 %n, 4\n  %v = select i1 %few, i32 %n, i32 poison\n  {line}
  %less = icmp ult i32 %tid, %f
  %b = call i64 @llvm.amdgcn.ballot.i64(i1 %less)
  %w = trunc i64 %b to i32
  store i32 %w, ptr addrspace(1) %p
  ret void
"
        )
    };
    let before = with("%f = freeze i32 %v");
    let kept = comparison(&before, &with("%f = select i1 %few, i32 %n, i32 2"), &options(&[Model::Maximal]));
    assert!(matches!(kept.verdict, Verdict::Equal), "{kept:#?}");
    assert!(kept.skipped.iter().any(|(reason, _)| reason.starts_with("it freezes a value")), "{kept:#?}");
    let found = difference(Model::Maximal, &before, &with("%f = select i1 %few, i32 1, i32 2"));
    assert!(matches!(found, Difference::Value { .. }), "{found:?}");
}

/// Which NaN is left does not matter where a program computes numbers of that size ("Behavior of Floating-Point NaN values"); each half of one of 64 bits may be one of 32.
#[test]
fn one_nan_is_as_good_as_another() {
    let leaves = |computes: &str, bits: u64| {
        format!(
            "define amdgpu_kernel void @k(ptr addrspace(1) %out, i32 %n) convergent {{
  {computes}
  store i64 {bits}, ptr addrspace(1) %out
  ret void
}}
"
        )
    };
    let (single, double) = ("%f = uitofp i32 %n to float", "%f = uitofp i32 %n to double");
    let sign = [0x7ff8_0000_0000_0007, 0xfff8_0000_0000_0007];
    let payload = [0x7ff8_0000_0000_0001, 0x7ff8_0000_0000_0002];
    let infinity = [0x7ff0_0000_0000_0000, 0x7ff8_0000_0000_0000];
    let integer = "%i = add i32 %n, 1";
    let words = Argument::Buffer { element: Element::U32, length: 2, contents: Contents::Zero };
    let options = Options { arguments: vec![("out".to_owned(), words)], ..options(&[Model::Maximal]) };
    let is_kept = |computes: &str, bits: [u64; 2]| {
        let [before, after] = bits.map(|bits| leaves(computes, bits));
        match comparison(&before, &after, &options).verdict {
            Verdict::Equal => true,
            Verdict::Different(witness) if matches!(witness.difference, Difference::Memory { .. }) => false,
            verdict => panic!("{computes}: {verdict:?}"),
        }
    };
    for (computes, bits) in [(single, sign), (double, sign), (double, payload)] {
        assert!(is_kept(computes, bits), "{computes}, {bits:x?}");
    }
    for (computes, bits) in [(single, payload), (integer, sign), (integer, payload), (double, infinity)] {
        assert!(!is_kept(computes, bits), "{computes}, {bits:x?}");
    }
}
