//! Bad texts: the message, and the place.

use expect_test::{Expect, expect};
use reconverge_ir::{Function, FunctionReader, Module, read_functions, read_functions_with};

fn error(text: &str, expected: Expect) {
    let error = read_functions(text.as_bytes(), |_, _, _| ()).map(drop).expect_err("the text is not LLVM IR");
    let position = error.position(text.as_bytes());
    expected.assert_eq(&format!("{}:{}: {error}", position.line, position.column));
}

fn body_error(body: &str, expected: Expect) {
    error(&format!("define void @f(i32 %x, i1 %c) {{\n{body}\n}}\n"), expected);
}

#[test]
fn alignments_are_powers_of_two() {
    let store = "  store i32 %x, ptr null, align 0\n  ret void";
    body_error(store, expect!["2:33: expected an alignment that is a power of two, found 0"]);
    let global = "@x = global i32 0, align 3\n";
    error(global, expect!["1:26: expected an alignment that is a power of two, found 3"]);
}

#[test]
fn names() {
    body_error("  %y = add i32 %x, %z\n  ret void", expect!["2:20: use of undefined value '%z'"]);
    body_error("  br label %nowhere", expect!["2:12: use of undefined block '%nowhere'"]);
    body_error("  call void @g()\n  ret void", expect!["2:13: use of undefined value '@g'"]);
    body_error("  %x = add i32 1, 2\n  ret void", expect!["2:3: '%x' is defined twice"]);
    body_error(
        "  %5 = add i32 1, 2\n  %4 = add i32 1, 2\n  ret void",
        expect!["3:3: expected a number of 6 or more, found '4'"],
    );
    body_error("  br label %x", expect!["2:12: this is a value, not a block"]);
    body_error("  ret void, !dbg 7", expect!["2:18: expected a metadata node, found '7'"]);
    error("%T = type { %U }\n", expect!["1:13: use of undefined type '%U'"]);
    error("@g = global i32 %x\n@h = global i32 %x\n", expect!["1:17: a local value outside of a function"]);
    error("define void @f() {\n  ret void\n}\ndeclare void @f()\n", expect!["4:1: '@f' is defined twice"]);
}

#[test]
fn target_types() {
    body_error("  %y = alloca target(words)\n  ret void", expect!["2:22: expected a string, found 'words'"]);
    body_error("  %y = alloca target(\"a\", 1, i8)\n  ret void", expect!["2:30: expected a number, found 'i8'"]);
}

#[test]
fn types() {
    body_error(
        "  %y = add i64 %x, 1\n  ret void",
        expect!["2:16: '%x' is defined with type 'i32' but used with type 'i64'"],
    );
    body_error(
        "  %y = add i64 %z, 1\n  %z = add i32 %x, 1\n  ret void",
        expect!["2:16: '%z' is defined with type 'i32' but used with type 'i64'"],
    );
    body_error("  %y = add i32 %x, 1.0\n  ret void", expect!["2:20: this number cannot be of type 'i32'"]);
    body_error("  %y = fadd float 1.0, 1\n  ret void", expect!["2:24: an integer cannot be of type 'float'"]);
    body_error(
        "  %y = load i32*, i32** %x\n  ret void",
        expect!["2:25: '%x' is defined with type 'i32' but used with type 'ptr'"],
    );
    body_error("  br i32 %x, label %a, label %a\na:\n  ret void", expect!["2:6: expected type 'i1', found 'i32'"]);
    let deep = format!("{}i8{}, ptr null", "[1 x ".repeat(100_000), "]".repeat(100_000));
    body_error(&format!("  %y = load {deep}"), expect!["2:1017: nested deeper than 200 levels"]);
}

#[test]
fn grammar() {
    error("hello\n", expect!["1:1: expected a top-level entity such as 'define', found 'hello'"]);
    error("define void @f() {\n", expect!["1:18: this body has no closing brace"]);
    error("define void @f() {\n}\n", expect!["2:1: expected an instruction, found '}'"]);
    error("target triple = \"x\n", expect!["1:17: this string has no closing quote"]);
    error("attributes #x = { nounwind }\n", expect!["1:13: expected a number, found 'x'"]);
    body_error("  frobnicate i32 %x\n  ret void", expect!["2:3: expected an instruction, found 'frobnicate'"]);
    body_error("  %y = add i32 %x 1\n  ret void", expect!["2:19: expected ',', found '1'"]);
    body_error("  store i32 %x, ptr null, align\n  ret void", expect!["3:3: expected a number, found 'ret'"]);
    body_error(
        "  %v = store i32 %x, ptr null\n  ret void",
        expect!["2:3: an instruction without a result has no name"],
    );
    body_error("  call void @f(i32 1, i1 true", expect!["3:1: expected ')', found '}'"]);
}

#[test]
fn numbers_do_not_overflow() {
    body_error("  %99999999999 = add i32 1, 2", expect!["3:1: expected an instruction, found '}'"]);
    body_error("  %y = add i99999999999 1, 2", expect!["2:12: expected a type, found 'i99999999999'"]);
    body_error("  %y = extractvalue {i32} undef, 99999999999", expect!["2:34: this number does not fit 32 bits"]);
    body_error("  %y = add i64 1, 99999999999999999999999", expect!["2:19: this integer does not fit i64"]);
}

#[test]
fn the_first_error_is_reported_whatever_was_read_before() {
    let text = b"define void @f() {\n  nonsense\n}\ndefine void @g() {\n  more nonsense\n}\n";
    let later = |module: &Module<'_>| {
        let id = module.definitions().last().expect("there are two");
        FunctionReader::new(module).read_into(id, &mut Function::default())
    };
    let result = read_functions_with(text, later, |_, (), (): &mut (), _, _| ());
    let position = result.map(drop).expect_err("the text is not LLVM IR").position(text);
    assert_eq!((position.line, position.column), (2, 3));
}
