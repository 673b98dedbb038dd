//! Structs with pointers that kernels are given by value: a launch gives them member by member.

use crate::common::{Folder, reconverge};

const PROGRAM: &str = "struct Inner { int n; const int *index; };
struct Params { float *data; Inner inner; char tag; double scale[2]; };
__global__ void k(int first, Params p) {
  int i = first + threadIdx.x;
  if (i < p.inner.n) p.data[i] = p.scale[1] * p.inner.index[i];
}
struct Pair { int a; float b; };
__global__ void pair(Pair s, float *out) { out[threadIdx.x] = s.a * s.b; }
";

fn run(language: &str, more: &[&str]) -> crate::common::Run {
    let arguments = ["run", "-", "--input-format", language, "--frontend", "builtin", "--block", "4", "--kernel"];
    reconverge(&[&arguments, more].concat(), PROGRAM.as_bytes())
}

#[test]
fn members_are_given_one_by_one() {
    for language in ["cuda", "hip"] {
        let given = [
            "k",
            "--arg",
            "first=1",
            "--arg",
            "p.data=f32[8]",
            "--arg",
            "p.inner.n=4",
            "--arg",
            "p.inner.index=i32[8]{iota}",
            "--arg",
            "p.tag=7",
            "--arg",
            "p.scale[0]=0",
            "--arg",
            "p.scale[1]=0.5",
        ];
        let ran = run(language, &given);
        assert_eq!(ran.status, 0, "{ran:?}");
        assert!(ran.stdout.contains("p.data = f32[8]{0.0, 0.5, 1.0, 1.5, 0.0, 0.0, 0.0, 0.0}"), "{ran:?}");
        assert!(ran.stdout.contains("p.inner.index = i32[8]{0, 1, 2,"), "{ran:?}");
    }
}

#[test]
fn what_is_missing_is_named_with_an_example_that_runs() {
    let missing = run("cuda", &["k"]);
    assert_eq!(missing.status, 2, "{missing:?}");
    let said = "`k` needs arguments for first (i32), p.data (buffer), p.inner.n (i32), p.inner.index (buffer), p.tag (i8), p.scale[0] (double), p.scale[1] (double); for example: ";
    assert!(missing.stderr.contains(said), "{missing:?}");
    let example = missing.stderr.split("for example: ").nth(1).and_then(|rest| rest.split("; --launches").next());
    let words = crate::common::words(&format!("reconverge k {}", example.expect("an example")));
    let ran = run("cuda", &words[1..].iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(ran.status, 0, "{words:?}: {ran:?}");

    // A struct of numbers is one argument.
    let missing = run("cuda", &["pair"]);
    assert!(
        missing.stderr.contains("s (2 numbers in braces), out (buffer); for example: --arg 's={0,0}' "),
        "{missing:?}"
    );
    let ran = run("cuda", &["pair", "--arg", "s={2,3.5}", "--arg", "out=f32[4]"]);
    assert!(ran.status == 0 && ran.stdout.contains("out = f32[4]{7.0, 7.0, 7.0, 7.0}"), "{ran:?}");

    for (wrong, said) in [
        ("p.inner.m=1", "did you mean p.inner.n?"),
        ("p.data=1", "expected a buffer for p.data"),
        ("p.tag=u8[1]", "expected a number for p.tag (i8), not a buffer"),
    ] {
        let refused = run("cuda", &["k", "--arg", wrong]);
        assert!(refused.status == 2 && refused.stderr.contains(said), "{refused:?}");
    }
}

#[test]
fn made_up_launches_have_them() {
    let tried = run("cuda", &["k", "--launches", "10"]);
    assert!(tried.stdout.contains("`k`: nothing was found in 10 launches"), "{tried:?}");
    let folder = Folder::with(&[("one.cu", PROGRAM), ("other.cu", &PROGRAM.replace("p.scale[1] *", "p.scale[0] *"))]);
    let different = folder.run(&["validate", "--frontend", "builtin", "--kernel", "k", "DIR/one.cu", "DIR/other.cu"]);
    assert_eq!(different.status, 1, "{different:?}");
    assert!(different.stdout.contains("--arg 'p.data=f32["), "{different:?}");
}

/// Nothing says what members of IR are called: they have numbers.
#[test]
fn members_of_ir_have_numbers() {
    let text = "target triple = \"nvptx64-nvidia-cuda\"
%s = type { ptr, i32, float }
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @k(ptr byval(%s) %p) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %data = load ptr, ptr %p
  %at = getelementptr i8, ptr %p, i64 8
  %n = load i32, ptr %at
  %v = add i32 %i, %n
  %place = getelementptr i32, ptr %data, i32 %i
  store i32 %v, ptr %place
  ret void
}
define ptx_kernel void @q(%s %p, ptr %out) {
  %n = extractvalue %s %p, 1
  store i32 %n, ptr %out
  ret void
}
";
    let run = |more: &[&str]| reconverge(&[&["run", "-", "--block", "4"], more].concat(), text.as_bytes());
    let ran = run(&["--kernel", "k", "--arg", "p.0=i32[4]", "--arg", "p.1=5", "--arg", "p.2=0"]);
    assert!(ran.status == 0 && ran.stdout.contains("p.0 = i32[4]{5, 6, 7, 8}"), "{ran:?}");
    let ran = run(&["--kernel", "q", "--arg", "p.0=null", "--arg", "p.1=5", "--arg", "p.2=0", "--arg", "out=i32[1]"]);
    assert!(ran.status < 2 && ran.stdout.contains("out = i32[1]{5}"), "{ran:?}");
}
