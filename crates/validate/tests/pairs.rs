//! Pairs of programs, accepted and refused: one for each rule.

use reconverge_exec::Program;
use reconverge_validate::{Comparison, Difference, Model, Options, Verdict, compare};

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
        instructions: 1_000_000,
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

fn difference(model: Model, before: &str, after: &str) -> Difference {
    match comparison(before, after, &options(&[model])).verdict {
        Verdict::Different(witness) => witness.difference,
        verdict => panic!("{verdict:?}"),
    }
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
    let found = difference(Model::Maximal, before, after);
    assert!(matches!(&found, Difference::Threads { operation, .. } if operation.contains("reduce.add")), "{found:?}");
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
