//! How many launches of a kernel of 200 instructions and 64 threads are compared in a minute: `cargo xtask bench validate`.

use std::fmt::Write;
use std::time::Instant;

use reconverge_exec::Program;
use reconverge_validate::{Model, Options, Verdict, compare};

/// A kernel that mixes numbers, asks others for theirs now and then, branches, and has a loop.
fn kernel() -> String {
    let mut text = String::from(
        "target triple = \"amdgcn-amd-amdhsa\"
declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.readfirstlane.i32(i32) convergent nounwind willreturn memory(none)
declare i64 @llvm.amdgcn.ballot.i64(i1) convergent nounwind willreturn memory(none)
define amdgpu_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) convergent {
entry:
  %tid = call i32 @llvm.amdgcn.workitem.id.x()
  %from = getelementptr i32, ptr addrspace(1) %in, i32 %tid
  %x0 = load i32, ptr addrspace(1) %from
  br label %b0
",
    );
    let blocks = 11;
    for block in 0..blocks {
        let x = 10 * block;
        let _ = write!(
            text,
            "b{block}:
  %c{block} = icmp ult i32 %x{x}, %n
  %s{block} = call i64 @llvm.amdgcn.ballot.i64(i1 %c{block})
  %w{block} = trunc i64 %s{block} to i32
  br i1 %c{block}, label %t{block}, label %e{block}
t{block}:
  %f{block} = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %x{x})
  br label %e{block}
e{block}:
  %x{} = phi i32 [ %w{block}, %b{block} ], [ %f{block}, %t{block} ]
",
            x + 1
        );
        for step in 1..10 {
            let _ = writeln!(
                text,
                "  %x{} = {} i32 %x{}, {}",
                x + step + 1,
                ["mul", "add", "xor"][step % 3],
                x + step,
                2 * step + 1
            );
        }
        let _ = writeln!(text, "  br label %b{}", block + 1);
    }
    let _ = write!(
        text,
        "b{blocks}:
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %tid
  store i32 %x{}, ptr addrspace(1) %to
  ret void
}}
",
        10 * blocks
    );
    text
}

fn main() {
    let argument =
        |index: usize, default: u64| std::env::args().nth(index).and_then(|text| text.parse().ok()).unwrap_or(default);
    let (count, times) = (argument(1, 20_000), argument(2, 3));
    let after = kernel();
    // Another operation, of which nothing comes: so that nothing is proved.
    let before = after.replace("  ret void\n", "  %unused = call i64 @llvm.amdgcn.ballot.i64(i1 true)\n  ret void\n");
    let [one, other] =
        [&before, &after].map(|text| Program::prepare(text.as_bytes(), "kernel.ll", None).expect("it is IR"));
    let options = Options {
        models: vec![Model::Maximal],
        runs: count,
        seed: 1,
        arguments: Vec::new(),
        grid: Some([1, 1, 1]),
        block: Some([64, 1, 1]),
        subgroup: Some(64),
        limits: reconverge_validate::launch_limits(1_000_000),
        hierarchy: None,
        minimise: false,
    };
    let mut best = f64::INFINITY;
    for _ in 0..times.max(1) {
        let start = Instant::now();
        let comparison = compare(&one, &other, "k", &options, &|_| {});
        best = best.min(start.elapsed().as_secs_f64());
        assert!(matches!(comparison.verdict, Verdict::Equal) && comparison.runs == count, "{comparison:?}");
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let a_minute = count as f64 / best * 60.0;
    println!(
        "{count} launches of 64 threads and 200 instructions in {best:.2} s on {cores} cores: {a_minute:.0} a minute (at least 20000)"
    );
}
