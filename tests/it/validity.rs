//! Programs that are not valid LLVM IR: `check` reports them, everything else refuses them with place and reason.

use crate::common::reconverge;

/// A kernel for NVIDIA with this body.
fn kernel(declarations: &str, parameters: &str, body: &str) -> String {
    format!(
        "target triple = \"nvptx64-nvidia-cuda\"\n{declarations}define ptx_kernel void @k({parameters}) {{\n{body}\n}}\n"
    )
}

/// `check` finds this code in this line, and every other command refuses the text.
fn assert_refused(text: &str, code: &str, line: usize) {
    let run = reconverge(&["check", "-"], text.as_bytes());
    assert_eq!(run.status, 1, "{run:?}\n{text}");
    assert!(run.stdout.contains(&format!("error[{code}]")), "{run:?}\n{text}");
    assert!(run.stdout.contains(&format!("<stdin>:{line}:")), "{run:?}\n{text}");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("k.ll");
    std::fs::write(&path, text).expect("the file is written");
    let file = path.to_str().expect("a name");
    let commands: [&[&str]; 10] = [
        &["run", file, "--block", "4", "--arg", "o=u32[64]"],
        &["validate", file, file],
        &["transform", "infer-tokens", file, "-o", "-"],
        &["transform", "inline", file, "-o", "-"],
        &["transform", "unroll=2", file, "-o", "-"],
        &["transform", "reduce-cycles", file, "-o", "-"],
        &["trace", file, "--function", "k", "--thread", "0"],
        &["uniformity", file],
        &["cycles", file],
        &["regions", file],
    ];
    for command in commands {
        let run = reconverge(command, b"");
        assert_eq!(run.status, 2, "{command:?} {run:?}\n{text}");
        let place = format!("k.ll:{line}:");
        assert!(run.stderr.contains(&place) && run.stderr.contains(code), "{command:?} {run:?}\n{text}");
        assert!(run.stdout.is_empty(), "{command:?} {run:?}\n{text}");
    }
}

#[test]
fn an_instruction_that_is_its_own_operand() {
    assert_refused(&kernel("", "ptr %o", "  %x = add i32 %x, 1\n  ret void"), "RC0002", 3);
    assert_refused(&kernel("", "ptr %o", "  %x = getelementptr i8, ptr %x, i64 4\n  ret void"), "RC0002", 3);
}

#[test]
fn a_use_before_the_definition() {
    let body = "  %x = mul i32 %y, 3\n  %y = add i32 %x, 1\n  store i32 %y, ptr %o\n  ret void";
    assert_refused(&kernel("", "ptr %o", body), "RC0002", 3);
}

#[test]
fn a_use_that_is_reached_without_the_definition() {
    let body = "  br i1 %c, label %then, label %end\nthen:\n  %x = add i32 %n, 2\n  br label %end\nend:\n  store i32 %x, ptr %o\n  ret void";
    assert_refused(&kernel("", "ptr %o, i32 %n, i1 %c", body), "RC0002", 8);
}

#[test]
fn arithmetic_on_another_type() {
    assert_refused(
        &kernel("", "ptr %o, i32 %n", "  %x = fmul i32 %n, 3\n  store i32 %x, ptr %o\n  ret void"),
        "RC0001",
        3,
    );
    assert_refused(
        &kernel("", "ptr %o, float %n", "  %x = xor float %n, %n\n  store float %x, ptr %o\n  ret void"),
        "RC0001",
        3,
    );
}

#[test]
fn a_cast_to_what_it_cannot_make() {
    assert_refused(&kernel("", "ptr %o", "  %x = addrspacecast ptr %o to { i64, i64 }\n  ret void"), "RC0001", 3);
}

#[test]
fn a_switch_on_a_pointer() {
    let body = "  switch ptr %o, label %end [ ptr null, label %end ]\nend:\n  ret void";
    assert_refused(&kernel("", "ptr %o", body), "RC0001", 3);
}

#[test]
fn an_intrinsic_with_other_parameters() {
    let declaration = "declare <2 x ptr> @llvm.memset.p0.i64(<2 x ptr>, <2 x ptr>)\n";
    let body = "  %x = call <2 x ptr> @llvm.memset.p0.i64(<2 x ptr> poison, <2 x ptr> undef)\n  ret void";
    assert_refused(&kernel(declaration, "ptr %o", body), "RC0003", 4);
    let declaration = "declare i32 @llvm.umax.i32(i32)\n";
    let body = "  %x = call i32 @llvm.umax.i32(i32 7)\n  store i32 %x, ptr %o\n  ret void";
    assert_refused(&kernel(declaration, "ptr %o", body), "RC0003", 4);
}

#[test]
fn a_type_that_contains_itself() {
    let types = "%a = type { i32, [2 x %b] }\n%b = type { %a }\n";
    let text = kernel(types, "ptr %o", "  %x = load %a, ptr %o\n  ret void");
    let run = reconverge(&["check", "-"], text.as_bytes());
    assert!(run.status == 1 && run.stdout.contains("error[RC0004]"), "{run:?}");
    let run = reconverge(&["run", "-", "--arg", "o=u32[64]"], text.as_bytes());
    assert!(run.status == 2 && run.stderr.contains("RC0004"), "{run:?}");
}

#[test]
fn a_call_with_another_number_of_arguments() {
    let declaration = "declare void @g(i32)\n";
    assert_refused(&kernel(declaration, "ptr %o", "  call void (i32) @g(i32 1, i32 2)\n  ret void"), "RC0005", 4);
}

#[test]
fn a_phi_without_a_value_for_a_predecessor() {
    let body = "entry:\n  br i1 %c, label %a, label %b\na:\n  br label %b\nb:\n  %x = phi i32 [ 1, %a ]\n  store i32 %x, ptr %o\n  ret void";
    assert_refused(&kernel("", "ptr %o, i1 %c", body), "RC0006", 8);
}

#[test]
fn what_cannot_be_reached_may_use_anything() {
    let body =
        "  ret void\ndead:\n  %x = add i32 %x, %y\n  br label %more\nmore:\n  %y = add i32 %x, 1\n  br label %dead";
    let text = kernel("", "ptr %o", body);
    let run = reconverge(&["check", "-"], text.as_bytes());
    assert_eq!(run.status, 0, "{run:?}");
    let run = reconverge(&["run", "-", "--block", "4", "--arg", "o=u32[4]"], text.as_bytes());
    assert_eq!(run.status, 0, "{run:?}");
}

#[test]
fn values_whose_types_the_reader_compares() {
    for (parameters, body) in [
        ("ptr %o, i64 %n", "  %x = add i32 %n, 2\n  ret void"),
        ("ptr %o, [4 x i32] %n, { i32, float } %s", "  %x = sub <4 x i32> %n, %s\n  ret void"),
    ] {
        let run =
            reconverge(&["run", "-", "--block", "4", "--arg", "o=u32[4]"], kernel("", parameters, body).as_bytes());
        assert!(run.status == 2 && run.stderr.contains("<stdin>:3:"), "{run:?}");
    }
}

#[test]
fn a_call_by_another_type_than_that_of_the_function_is_not_run() {
    let declaration = "define i32 @g(i32 %a, i32 %b) {\n  ret i32 %b\n}\n";
    let text = kernel(declaration, "ptr %o", "  call void @g(ptr %o)\n  ret void");
    let run = reconverge(&["check", "-"], text.as_bytes());
    assert_eq!(run.status, 0, "{run:?}");
    let run = reconverge(&["run", "-", "--block", "4", "--arg", "o=u32[4]"], text.as_bytes());
    assert!(run.status == 2 && run.stderr.contains("<stdin>:6:"), "{run:?}");
}

#[test]
fn explanations_of_functions_that_share_a_line() {
    let text = b"define void @a(){ret void\n}\ndefine i32 @b(i32 %n){\n%x = mul i32 %n, %n\n%y = sub i32 %x, 1\n ret i32 %y\n}define void @c() {\n ret void\n}\n";
    let run = reconverge(&["uniformity", "-", "--explain", "%y"], text);
    assert!(run.status != 2 && run.stdout.contains("%y in @b"), "{run:?}");
    let text = b"define void @a(){ret void}\ndefine i32 @b(i32 %n){\n%x = mul i32 %n, %n\n ret i32 %x\n}define void @c(){\n ret void\n}";
    let run = reconverge(&["uniformity", "-", "--explain", "%x"], text);
    assert!(run.status != 2 && run.stdout.contains("%x in @b"), "{run:?}");
}

/// Of a module of more than 8 MiB, what has no part in convergence is passed over, which is said, and `--every-body` checks it.
#[test]
fn functions_of_a_large_module_are_passed_over_and_counted() {
    let text = format!(
        ";{}
declare void @op() convergent

define void @convergent() {{
  call void @op()
  ret void
}}

define i32 @invalid(i32 %n) {{
  %x = fadd i32 %n, 1
  ret i32 %x
}}
",
        "-".repeat(8 << 20)
    );
    let check = |options: &[&str]| reconverge(&[&["check", "-"], options].concat(), text.as_bytes());
    let quick = check(&[]);
    assert_eq!(quick.status, 0);
    assert!(quick.stdout.contains("warning[RC0401]") && !quick.stdout.contains("RC0001"), "{}", quick.stdout);
    let note =
        "note: <stdin>: 1 function without convergent operations not checked for valid IR (--every-body checks it)";
    assert!(quick.stderr.contains(note), "{}", quick.stderr);
    assert!(check(&["--format", "json"]).stdout.contains(r#""passed_over": 1"#));
    for option in ["--every-body", "--hints"] {
        let whole = check(&[option]);
        assert_eq!(whole.status, 1, "{option}");
        assert!(whole.stdout.contains("error[RC0001]") && whole.stdout.contains("warning[RC0401]"), "{}", whole.stdout);
        assert!(!whole.stderr.contains("--every-body"), "{}", whole.stderr);
    }
}
