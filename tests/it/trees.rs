//! A project's tree as it is: files of a host beside kernels, and a compiler that has not its headers either.
#![cfg(unix)]

use std::fs;

use crate::common::{Folder, reconverge, write_program};

/// A defect, and a type that is not known.
const KERNEL: &str = "#include \"elsewhere.h\"\n__global__ void k(State s, int *p) {\n  if (threadIdx.x < 3) __syncthreads();\n  *p = 1;\n  __syncthreads();\n}\n";
/// What a host's file has that nobody here understands.
const HOST: &str = "#include <vector>\n#include \"elsewhere.h\"\nusing namespace std::literals;\nREGISTER(Main, \"main\")\n\
    int main(int argc, char **argv) try { co_await all(argv); } catch (...) { return 1; }\n";

#[test]
fn files_of_a_host_are_no_errors() {
    let folder = Folder::with(&[("src/k.cu", KERNEL), ("src/main.cpp", HOST), ("src/util.c", "int x = y + ;\n")]);
    let path = folder.path("src").display().to_string();
    let run = reconverge(&["check", &path, "--frontend", "builtin", "--short"], b"");
    assert_eq!(run.status, 1, "{}", run.stderr);
    assert!(run.stdout.contains("RC0201") && run.stdout.contains("k.cu:3"), "{}", run.stdout);
    assert!(!run.stderr.contains("main.cpp") && !run.stderr.contains("util.c"), "{}", run.stderr);

    // Alone it has nothing that could be wrong either.
    let main = folder.path("src/main.cpp").display().to_string();
    let run = reconverge(&["check", &main, "--frontend", "builtin"], b"");
    assert_eq!(run.status, 0, "{}", run.stderr);
    // With a convergent operation it is a program for us, and an error is one.
    fs::write(folder.path("src/main.cpp"), format!("void b() __attribute__((convergent));\n{HOST}")).expect("written");
    let run = reconverge(&["check", &path, "--frontend", "builtin", "--short"], b"");
    assert_eq!(run.status, 2, "{}", run.stderr);
}

#[test]
fn a_compiler_without_the_headers_is_asked_once() {
    let names = ["a.cu", "b.cu", "c.cu"];
    let folder = Folder::with(&names.map(|name| (name, KERNEL)));
    let (clang, log) = (folder.path("fake-clang"), folder.path("log").display().to_string());
    let script = format!(
        "case $1 in --version) echo 'LLVM version 22.1.0'; exit 0;; esac\nprintf '%s ' \"$@\" >> '{log}'\necho >> '{log}'\nexit 1"
    );
    write_program(&clang, &script);
    let path = folder.path(".").display().to_string();
    let clang = clang.display().to_string();
    let run = reconverge(&["check", &path, "--clang", &clang, "--short", "-j", "1", "-v"], b"");
    assert_eq!(run.status, 1, "{}", run.stderr);
    let note = "read by the built-in front end, as ";
    assert_eq!(run.stderr.matches(note).count(), 3, "{}", run.stderr);
    assert_eq!(run.stderr.matches("does not find `elsewhere.h`").count(), 3, "{}", run.stderr);
    let calls = fs::read_to_string(&log).expect("it was asked");
    assert_eq!(calls.lines().count(), 1, "{calls}");
    assert!(names.iter().all(|name| !calls.contains(name)), "{calls}");
}

/// What a header is warned of, and that a compiler is of no help: of a tree that is a line, with `-v` all of them.
#[test]
fn warnings_on_the_text_are_counted() {
    let header = "#define SIZE 1\n#define SIZE 2\nstatic const char *who = \"\u{2014}\";\n";
    let kernel = format!("#include \"more.h\"\n{KERNEL}");
    let folder = Folder::with(&[("more.h", header), ("a.cu", &kernel), ("b.cu", &kernel)]);
    let path = folder.path(".").display().to_string();
    let run = reconverge(&["check", &path, "--short", "--clang", "/nowhere/clang"], b"");
    assert_eq!(run.status, 1, "{run:?}");
    let lines: Vec<&str> = run.stderr.lines().collect();
    assert!(lines[0].starts_with("1 warning on the text of the files"), "{run:?}");
    assert!(lines[1].starts_with("2 files read by the built-in front end alone, as "), "{run:?}");
    assert!(!run.stderr.contains("more.h"), "{run:?}");
    let run = reconverge(&["check", &path, "--short", "--clang", "/nowhere/clang", "-v"], b"");
    let warning = "warning: the macro `SIZE` is defined again, differently";
    assert_eq!(run.stderr.matches(warning).count(), 1, "{run:?}");
}

/// C and C++ in which no word says what is convergent, headers included, is passed over: nothing could be found in it.
#[test]
fn files_in_which_nothing_is_convergent_are_passed_over() {
    let wrong = "#include \"other.h\"\n#error \"of another compiler\"\nint f(int x) { return x + ; }\n";
    let by_header = "#include \"barrier.h\"\nvoid f(int *p) { if (p[0]) meet(); }\n";
    let folder = Folder::with(&[
        ("k.cu", KERNEL),
        ("wrong.cpp", wrong),
        ("plain.c", "namespace asmjit;\n"),
        ("header.cpp", by_header),
        ("assembly.cpp", "int id() { int x; asm volatile(\"cpuid\" : \"=a\"(x)); return x; }\n"),
        ("other.h", "int other(int);\n"),
        ("barrier.h", "void meet() __attribute__((convergent));\n"),
    ]);
    let path = folder.path(".").display().to_string();
    let run = reconverge(&["check", &path, "--frontend", "builtin", "--format", "json"], b"");
    assert_eq!(run.status, 1, "{run:?}");
    let said = "2 files of C and C++ passed over: nothing is marked convergent there (-v lists them)\n";
    assert!(run.stderr.contains(said) && !run.stderr.contains("another compiler"), "{run:?}");
    let found: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
    let of_file = |name: &str| {
        let files = found["files"].as_array().expect("files");
        files.iter().find(|file| file["path"].as_str().is_some_and(|path| path.ends_with(name))).expect(name)
    };
    let is_passed_over = |name: &str| of_file(name)["coverage"]["is_passed_over"] == true;
    assert_eq!(
        ["k.cu", "wrong.cpp", "plain.c", "header.cpp", "assembly.cpp"].map(is_passed_over),
        [false, true, true, false, false]
    );
    assert_eq!(of_file("header.cpp")["functions"], 1);
    let run = reconverge(&["check", &path, "--frontend", "builtin", "-v"], b"");
    assert!(run.stderr.contains("wrong.cpp: passed over: nothing in it is marked convergent"), "{run:?}");

    let named = folder.path("plain.c").display().to_string();
    let run = reconverge(&["check", &named, "--frontend", "builtin"], b"");
    assert_eq!(run.status, 0, "{run:?}");
    assert!(run.stderr.contains("plain.c: passed over: nothing in it is marked convergent"), "{run:?}");
}
