//! What `run` refuses before anything runs, and what it says of it.

use expect_test::expect;

use super::{APPEND, LOOP, SPIN, kernel, refusal};
use crate::common::reconverge;

#[test]
fn arguments_that_are_missing_or_unknown() {
    expect![[r#"
        reconverge: examples/run-loop-with-break.ll: @find needs arguments for out (buffer), n (i32); for example: --arg 'out=u64[12]' --arg n=12; --launches 100 makes them up
    "#]]
    .assert_eq(&refusal(&[LOOP, "--grid", "3", "--block", "4"], ""));
    expect![[r#"
        reconverge: examples/run-loop-with-break.ll: @find needs arguments for n (i32); for example: --arg n=1; --launches 100 makes them up
    "#]]
    .assert_eq(&refusal(&[LOOP, "--arg", "out=u64[4]"], ""));
    expect![[r#"
        reconverge: examples/run-append.ll: --arg cuont=u32[1]: @keep_multiples_of_three has no parameter cuont, but in (buffer), out (buffer), count (buffer); did you mean count?
          cuont=u32[1]
          ^^^^^
    "#]]
    .assert_eq(&refusal(&[APPEND, "--arg", "cuont=u32[1]"], ""));
    expect![[r#"
        reconverge: <stdin>: --arg 0=1: @k has no parameters
          0=1
          ^
    "#]]
    .assert_eq(&refusal(&["-", "--arg", "0=1"], &kernel("", "")));
    expect![[r#"
        reconverge: examples/run-append.ll: --arg %in=u32[4]: in (buffer) is given twice
          %in=u32[4]
          ^^^
    "#]]
    .assert_eq(&refusal(&[APPEND, "--arg", "0=u32[4]", "--arg", "%in=u32[4]"], ""));
}

#[test]
fn arguments_of_the_wrong_kind() {
    expect![[r#"
        reconverge: examples/run-loop-with-break.ll: --arg n=u32[4]: expected a number for n (i32), not a buffer
          n=u32[4]
            ^^^^^^
    "#]]
    .assert_eq(&refusal(&[LOOP, "--arg", "n=u32[4]"], ""));
    expect![[r#"
        reconverge: examples/run-loop-with-break.ll: --arg out=4: expected a buffer for out, such as out=u32[1024], or the values of a struct, such as out={1,2}
          out=4
              ^
    "#]]
    .assert_eq(&refusal(&[LOOP, "--arg", "out=4"], ""));
    expect![[r#"
        reconverge: examples/run-loop-with-break.ll: --arg n=4294967296: expected an integer from -2147483648 to 4294967295 for n (i32)
          n=4294967296
            ^^^^^^^^^^
    "#]]
    .assert_eq(&refusal(&[LOOP, "--arg", "n=4294967296"], ""));
    expect![[r#"
        reconverge: <stdin>: --arg v={1,2,3}: expected 4 numbers, such as {0,0,0,0}, not 3 for v (<4 x float>)
          v={1,2,3}
            ^^^^^^^
    "#]]
    .assert_eq(&refusal(&["-", "--arg", "v={1,2,3}"], &kernel("<4 x float> %v", "")));
    expect![[r#"
        reconverge: examples/run-append.ll: --arg in=u32[4]{1,2,3}: expected as many elements as the buffer is long, 4, not 3
          in=u32[4]{1,2,3}
                   ^^^^^^^
    "#]]
    .assert_eq(&refusal(&[APPEND, "--arg", "in=u32[4]{1,2,3}"], ""));
    expect![[r#"
        reconverge: <stdin>: --arg tile=u32[4]{iota}: expected a size only, such as u32[64]: tile (buffer) points to memory of a workgroup, which no launch fills
          tile=u32[4]{iota}
               ^^^^^^^^^^^^
    "#]]
    .assert_eq(&refusal(&["-", "--arg", "tile=u32[4]{iota}"], &kernel("ptr addrspace(3) %tile", "")));
}

#[test]
fn sizes_that_are_too_large() {
    expect![[r#"
        reconverge: examples/run-append.ll: --arg in=u32[9223372036854775807]: expected at most 2147483648 elements, or a larger --max-memory (now 8589934592 bytes)
          in=u32[9223372036854775807]
                 ^^^^^^^^^^^^^^^^^^^
    "#]]
    .assert_eq(&refusal(&[APPEND, "--arg", "in=u32[9223372036854775807]"], ""));
    expect![[r#"
        reconverge: examples/run-append.ll: --arg out=u8[600]: 600 bytes are more than the 424 that are left of --max-memory
          out=u8[600]
              ^^^^^^^
    "#]]
    .assert_eq(&refusal(&[APPEND, "--max-memory", "1K", "--arg", "in=u8[600]", "--arg", "out=u8[600]"], ""));
    expect![[r#"
        reconverge: examples/run-append.ll: --grid 1073741824 with --block 1024: 1099511627776 threads, expected at most 1099511627775
    "#]]
    .assert_eq(&refusal(&[APPEND, "--grid", "1073741824", "--block", "1024"], ""));
    expect![[r#"
        reconverge: examples/run-append.ll: --grid 1048576 with --block 1048576: 1099511627776 threads, expected at most 1099511627775
    "#]]
    .assert_eq(&refusal(&[APPEND, "--grid", "1048576", "--block", "1048576"], ""));
    for zero in ["0", "1,0", "4,4,4,4", "-1", "4294967296", ""] {
        for option in ["--grid", "--block"] {
            let message = refusal(&[APPEND, &format!("{option}={zero}")], "");
            assert!(message.contains("expected one to three numbers from 1 to 4294967295"), "{message}");
        }
    }
    for size in ["0", "65", "x"] {
        refusal(&[APPEND, "--subgroup", size], "");
    }
}

#[test]
fn kernels_that_are_not_there() {
    let two =
        kernel("", "") + "define ptx_kernel void @other() {\n  ret void\n}\ndefine void @helper() {\n  ret void\n}\n";
    expect![[r#"
        reconverge: <stdin>: there are several kernels, choose one with --kernel: @k, @other
    "#]]
    .assert_eq(&refusal(&["-"], &two));
    expect![[r#"
        reconverge: <stdin>: no function @othr has a body here; did you mean @other? The kernels are @k, @other
    "#]]
    .assert_eq(&refusal(&["-", "--kernel", "othr"], &two));
    expect![[r#"
        reconverge: <stdin>: there is no kernel here; --kernel runs any function with a body as one
    "#]]
    .assert_eq(&refusal(&["-"], ""));
    // Any function can be run as if it were a kernel.
    for name in ["@other", "helper", "\"helper\""] {
        assert_eq!(reconverge(&["run", "-", "--kernel", name], two.as_bytes()).status, 0, "{name}");
    }
}

#[test]
fn inputs_that_are_none() {
    assert!(refusal(&["examples"], "").contains("expected one file, not a folder"));
    assert!(refusal(&["missing.ll"], "").contains("missing.ll: cannot be read"));
    let message = refusal(&["-"], "define ptx_kernel void @f() {\n  nonsense\n}\n");
    assert!(message.starts_with("reconverge: <stdin>:2:3: ") && message.lines().count() == 1, "{message}");
    let options = [["--schedule", "fast"], ["--model", "best"], ["--max-instructions", "0"], ["--max-stack", "1Q"]];
    for [option, value] in options {
        refusal(&[APPEND, option, value], "");
    }
    assert!(
        refusal(&[SPIN, "--print", "x", "--arg", "lock=u32[1]", "--arg", "count=u32[1]"], "")
            .contains("there are: lock, count")
    );
    assert!(
        refusal(&[SPIN, "--model", "ipdom", "--hierarchy", "2", "--arg", "0=u32[1]", "--arg", "1=u32[1]"], "")
            .contains("--hierarchy is for --model maximal")
    );
}

#[test]
fn an_instruction_that_is_not_supported_is_named_before_anything_runs() {
    let text = kernel("", "  %x = call i32 asm \"frobnicate.u32 $0;\", \"=r\"()\n");
    let message = refusal(&["-"], &text);
    assert!(message.starts_with("reconverge: <stdin>:4:3: "), "{message}");
}
