//! Made-up launches have the blocks in which a file launches its own kernels.

use serde_json::Value;

use crate::common::{Run, reconverge};

fn tries(text: &str, more: &[&str]) -> Run {
    let arguments = ["run", "-", "--input-format", "cuda", "--frontend", "builtin", "--launches", "20"];
    reconverge(&[&arguments, more].concat(), text.as_bytes())
}

/// A barrier that all threads of a block of 64 reach, and not those of a larger one.
fn program(host: &str) -> String {
    format!("__global__ void k(int *a) {{ if (threadIdx.x < 64) __syncthreads(); a[0] = 1; }}\n{host}\n")
}

#[test]
fn the_block_of_the_host_is_that_of_made_up_launches() {
    let host = "int main() { int *a; const int threads = 64;\n dim3 block(threads);\n k<<<1, block>>>(a); }";
    let run = tries(&program(host), &[]);
    assert_eq!(run.status, 0, "{run:?}");
    assert!(run.stdout.contains("  with --block 64, as line 4 launches it\n"), "{run:?}");
    // What the user says is what is run.
    let larger = tries(&program(host), &["--block", "128"]);
    assert_eq!((larger.status, larger.stdout.contains("launches it")), (1, false), "{larger:?}");
    // Without a size that is certain, sizes are made up.
    let unknown = tries(&program("void go(int n, int *a) { k<<<1, n>>>(a); }"), &[]);
    assert_eq!((unknown.status, unknown.stdout.contains("launches it")), (1, false), "{unknown:?}");

    let json = tries(&program(host), &["--format", "json"]);
    let found: Value = serde_json::from_str(&json.stdout).expect("JSON");
    let stated = &found["kernels"][0]["stated_block"];
    assert_eq!((&stated["block"], &stated["line"]), (&serde_json::json!([64, 1, 1]), &4.into()));
}

/// Others may launch the kernel otherwise, so `check` relies on no such size.
#[test]
fn check_does_not_rely_on_it() {
    let text = program("void go(int *a) { k<<<1, 64>>>(a); }");
    let run = reconverge(&["check", "-", "--input-format", "cuda", "--frontend", "builtin"], text.as_bytes());
    assert!(run.stdout.contains("RC02"), "{run:?}");
}

/// But what happens in such a block is said: of what threads with numbers in two dimensions do, nothing could be otherwise.
#[test]
fn check_finds_a_race_in_the_block_of_the_host() {
    let text = |barrier: &str, host: &str| {
        format!(
            "__global__ void k(int *a) {{ __shared__ int s[64]; int i = threadIdx.y * 8 + threadIdx.x;
               s[i] = a[i]; {barrier} a[i] = s[63 - i]; }}\n{host}\n"
        )
    };
    let found = |barrier: &str, host: &str| {
        let arguments = ["check", "-", "--input-format", "cuda", "--frontend", "builtin"];
        reconverge(&arguments, text(barrier, host).as_bytes()).stdout.contains("warning[RC0212]")
    };
    let host = "void go(int *a) { k<<<1, dim3(8, 8)>>>(a); }";
    assert!(found("", host));
    assert!(!found("__syncthreads();", host));
    assert!(!found("", ""));
}

#[test]
fn validate_says_so() {
    let text = program("void go(int *a) { k<<<1, 64>>>(a); }");
    let folder = crate::common::Folder::with(&[("one.cu", &text), ("other.cu", &text.replace("a[0] = 1", "a[0] = 2"))]);
    let run = folder.run(&["validate", "--frontend", "builtin", "DIR/one.cu", "DIR/other.cu", "--runs", "2"]);
    assert!(run.stderr.contains("note: `k` has launches with --block 64, as one.cu:2 launches it\n"), "{run:?}");
}
