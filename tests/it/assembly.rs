//! Inline assembly of source: what it computes, who takes part, and what is said of what is not understood.

use crate::common::reconverge;
use serde_json::Value;

const FILE: &str = "tests/cases/source/inline-assembly.cu";

#[test]
fn instructions_compute_what_ptx_says() {
    let (a, b, c) = (0x1234_5678u32, 0x9abc_def0u32, 0x0f0f_3c3cu32);
    let numbers = format!("in=u32[3]{{{a},{b},{c}}}");
    let arguments =
        ["run", FILE, "--kernel", "instructions", "--block", "32", "--arg", &numbers, "--arg", "out=u32[7]", "--arg"];
    let run = reconverge(&[&arguments[..], &["sums=f32[32]", "--format", "json"]].concat(), b"");
    assert_eq!(run.status, 0, "{}", run.stderr);
    let found: Value = serde_json::from_str(&run.stdout).expect("JSON");
    let list = |name: &str| -> Vec<f64> {
        let values = found["buffers"][name].as_array().expect("a list");
        values.iter().map(|value| value.as_f64().expect("a number")).collect()
    };
    let sum = a.wrapping_add(b);
    let expected = [
        a >> 8 & 0xfff,
        b & !0xff0 | (a & 0xff) << 4,
        a & b | a & c | b & c,
        // The bytes 0 and 4, the sign of byte 2, and byte 7 of both words.
        0x9a00_f078,
        sum,
        b.wrapping_mul(c).wrapping_add(sum),
        0,
    ];
    assert_eq!(list("out"), expected.map(f64::from));
    let sums: Vec<f64> = (0..32).map(|lane| f64::from(if lane < 16 { 2 * lane + 16 } else { lane })).collect();
    assert_eq!(list("sums"), sums);
}

#[test]
fn a_barrier_in_assembly_is_one() {
    let found = reconverge(&["check", FILE], b"");
    assert_eq!(found.status, 0, "{}", found.stderr);
    assert_eq!(found.stdout.matches("warning[RC02").count(), 1, "{}", found.stdout);
    assert!(
        found.stdout.contains("threadIdx.x < n") && found.stdout.contains("inline-assembly.cu:49"),
        "{}",
        found.stdout
    );
    let whole = reconverge(&["uniformity", FILE, "--quiet"], b"");
    assert!(!whole.stderr.contains("unknown"), "{}", whole.stderr);
}

#[test]
fn what_no_table_has_is_named() {
    let text = "__global__ void k(int *p) { int x; asm(\"mma.sync.sparse %0;\" : \"=r\"(x)); p[0] = x; }";
    let run = reconverge(&["run", "-", "--input-format", "cuda", "--arg", "p=i32[1]"], text.as_bytes());
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("`mma.sync.sparse` in inline assembly"), "{}", run.stderr);
    let check = reconverge(&["check", "-", "--input-format", "cuda"], text.as_bytes());
    assert_eq!(check.status, 0, "{}", check.stderr);
    assert!(check.stderr.contains("mma.sync.sparse"), "{}", check.stderr);
}
