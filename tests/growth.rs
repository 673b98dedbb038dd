//! How much memory a run takes for each byte of its input: the figures of `docs/limits.md`, in proportion to the input.
//!
//! What a run takes is compared for an input and for one that is twice as long, so that what it takes in any case does not count.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use wait4::Wait4;

/// Writes some parts of an input.
type Family = fn(&mut dyn Write, usize) -> std::io::Result<()>;

/// The most memory that a run needed at a time, in bytes. Nothing large may be in the memory of the test itself: it counts until the other
/// program begins.
fn peak(arguments: &[&str], path: &Path) -> i64 {
    let mut child = Command::new(env!("CARGO_BIN_EXE_reconverge"))
        .args(arguments)
        .args(["-j", "1"])
        .arg(path)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the binary runs");
    let used = child.wait4().expect("it ends");
    assert!(used.status.code().is_some_and(|status| status < 2), "{arguments:?} {}: {:?}", path.display(), used.status);
    i64::try_from(used.rusage.maxrss).expect("a size")
}

/// Bytes of memory for each byte of the input.
fn bytes_per_byte(arguments: &[&str], extension: &str, family: Family, count: usize) -> f64 {
    let folder = tempfile::tempdir().expect("a folder");
    let measured: Vec<(i64, i64)> = [count, 2 * count]
        .into_iter()
        .map(|count| {
            let path = folder.path().join(format!("{count}.{extension}"));
            let mut file = BufWriter::new(File::create(&path).expect("a file"));
            family(&mut file, count).expect("it can be written");
            let file = file.into_inner().expect("it can be written");
            let length = file.metadata().expect("it is there").len();
            (i64::try_from(length).expect("a size"), peak(arguments, &path))
        })
        .collect();
    let [(small, least), (large, most)] = measured[..] else { panic!("two sizes") };
    (most - least) as f64 / (large - small) as f64
}

/// Small functions with a barrier each.
fn ordinary_ir(out: &mut dyn Write, count: usize) -> std::io::Result<()> {
    writeln!(out, "target triple = \"amdgcn-amd-amdhsa\"\ndeclare void @llvm.amdgcn.s.barrier() convergent")?;
    for index in 0..count {
        writeln!(
            out,
            "define amdgpu_kernel void @k{index}(ptr addrspace(1) %out, i32 %n) {{\nentry:\n  %c = icmp slt i32 %n, {index}\n\
             \x20 br i1 %c, label %then, label %end\nthen:\n  %s = add i32 %n, 1\n  store i32 %s, ptr addrspace(1) %out\n\
             \x20 br label %end\nend:\n  call void @llvm.amdgcn.s.barrier()\n  ret void\n}}"
        )?;
    }
    Ok(())
}

/// One function of many blocks.
fn one_function(out: &mut dyn Write, count: usize) -> std::io::Result<()> {
    writeln!(
        out,
        "target triple = \"amdgcn-amd-amdhsa\"\ndeclare i32 @llvm.amdgcn.workitem.id.x()\n\
         declare void @llvm.amdgcn.s.barrier() convergent\n\
         define amdgpu_kernel void @k(ptr addrspace(1) %out, i32 %n) {{\nentry:\n\
         \x20 %tid = call i32 @llvm.amdgcn.workitem.id.x()\n  call void @llvm.amdgcn.s.barrier()\n  br label %b0"
    )?;
    for index in 0..count {
        let next = index + 1;
        writeln!(
            out,
            "b{index}:\n  %v{index} = add i32 %tid, {index}\n  %c{index} = icmp eq i32 %v{index}, %n\n\
             \x20 br i1 %c{index}, label %t{index}, label %b{next}\nt{index}:\n  store i32 %v{index}, ptr addrspace(1) %out\n\
             \x20 br label %b{next}"
        )?;
    }
    writeln!(out, "b{count}:\n  ret void\n}}")
}

/// Kernels such as people write them.
fn ordinary_source(out: &mut dyn Write, count: usize) -> std::io::Result<()> {
    for index in 0..count {
        writeln!(
            out,
            "kernel void sum{index}(global int *out, global const int *in, int n, local int *part) {{\n\
             \x20   int id = get_local_id(0); // the place of this work-item\n    part[id] = 0;\n\
             \x20   for (int i = id; i < n; i += get_local_size(0))\n        part[id] += in[i] * {index};\n\
             \x20   barrier(CLK_LOCAL_MEM_FENCE);\n    for (int step = 64; step > 0; step /= 2) {{\n\
             \x20       if (id < step)\n            part[id] += part[id + step];\n        barrier(CLK_LOCAL_MEM_FENCE);\n    }}\n\
             \x20   if (id == 0)\n        out[get_group_id(0)] = part[0];\n}}\n"
        )?;
    }
    Ok(())
}

/// Kernels of which macros make the most.
fn source_with_macros(out: &mut dyn Write, count: usize) -> std::io::Result<()> {
    writeln!(
        out,
        "#define STEP(i) part[id] += part[id + i]; barrier(CLK_LOCAL_MEM_FENCE);\n#define STEPS STEP(8) STEP(4) STEP(2) STEP(1)"
    )?;
    for index in 0..count {
        writeln!(
            out,
            "kernel void sum{index}(global int *out, local int *part) {{ int id = get_local_id(0); STEPS out[id] = part[0]; }}"
        )?;
    }
    Ok(())
}

/// One measurement, and the figure of `docs/limits.md` that it must not exceed.
fn check(arguments: &[&str], extension: &str, family: Family, count: usize, most: f64) {
    let ratio = bytes_per_byte(arguments, extension, family, count);
    println!("{arguments:?} .{extension}: {ratio:.1} bytes of memory for each byte of the input");
    assert!(
        ratio < most,
        "{arguments:?} .{extension}: {ratio:.1} bytes for each byte of the input, expected less than {most}"
    );
}

const VERBS: [&[&str]; 4] = [&["check"], &["uniformity"], &["cycles"], &["regions"]];

#[test]
fn ir_of_many_functions() {
    for verb in VERBS {
        check(verb, "ll", ordinary_ir, 20_000, 25.0);
    }
}

#[test]
fn ir_of_one_function() {
    for verb in VERBS {
        check(verb, "ll", one_function, 20_000, 40.0);
    }
}

#[test]
fn source() {
    for verb in [&["check"][..], &["lower", "-o", "/dev/null"]] {
        let arguments = [verb, &["--frontend", "builtin"]].concat();
        check(&arguments, "cl", ordinary_source, 2_000, 130.0);
        check(&arguments, "cl", source_with_macros, 3_000, 250.0);
    }
}
