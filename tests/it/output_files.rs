//! What is written: `-o` and what it finds in its place, and text that cannot be trusted on a terminal.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::{read, reconverge};
use expect_test::expect;
use serde_json::Value;
use tempfile::TempDir;

const KERNEL: &str = "kernel void k(global int *out) { out[0] = 1; }\n";

fn folder() -> TempDir {
    TempDir::new().expect("a folder")
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("it can be listed");
    let name = |entry: fs::DirEntry| entry.file_name().into_string().expect("a plain name");
    let mut names: Vec<String> = entries.map(|entry| name(entry.expect("it can be listed"))).collect();
    names.sort();
    names
}

#[test]
fn a_file_keeps_its_mode() {
    let folder = folder();
    let output = folder.path().join("out.ll");
    let source = folder.path().join("k.cl");
    fs::write(&source, KERNEL).expect("it can be written");
    for mode in [0o600, 0o640, 0o755, 0o666] {
        fs::write(&output, "old").expect("it can be written");
        fs::set_permissions(&output, fs::Permissions::from_mode(mode)).expect("it has a mode");
        let run = reconverge(&[Path::new("lower"), &source, Path::new("-o"), &output], b"");
        assert_eq!((run.status, run.stderr.as_str()), (0, ""));
        assert_eq!(fs::metadata(&output).expect("it is there").mode() & 0o7777, mode);
        assert!(fs::read_to_string(&output).expect("text").contains("define "));
    }
    assert_eq!(names(folder.path()), ["k.cl", "out.ll"]);
    // Its other names are names of the same file.
    let other = folder.path().join("other.ll");
    fs::write(&output, "old").expect("it can be written");
    fs::hard_link(&output, &other).expect("a name");
    assert_eq!(reconverge(&[Path::new("lower"), &source, Path::new("-o"), &output], b"").status, 0);
    assert!(fs::read_to_string(&other).expect("text").contains("define "));
}

#[test]
fn inputs_are_not_written_over() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("k.cl"), format!("#include \"part.h\"\n{KERNEL}")).expect("it can be written");
    fs::write(at("part.h"), "typedef int number;\n").expect("it can be written");
    fs::write(at("k.ll"), "define void @f() {\n  ret void\n}\n").expect("it can be written");
    fs::write(at("mine.toml"), "extends = \"spirv\"\n").expect("it can be written");
    for name in ["k.cl", "part.h", "k.ll", "mine.toml"] {
        symlink(name, at(&format!("link-{name}"))).expect("a link");
        fs::hard_link(at(name), at(&format!("name-{name}"))).expect("a name");
    }
    let refused = |arguments: &[&str], output: &str, kept: &str| {
        let before = fs::read(at(kept)).expect("it is there");
        let mut command = Command::new(env!("CARGO_BIN_EXE_reconverge"));
        command.args(arguments).args(["-o", output]).current_dir(folder.path());
        let run = command.stdin(fs::File::open(at("k.ll")).expect("it is there")).output().expect("the binary runs");
        let stderr = String::from_utf8_lossy(&run.stderr).into_owned();
        assert_eq!(run.status.code(), Some(2), "{arguments:?} {output}: {stderr}");
        let expected = format!("reconverge: {output} cannot be written: it is ");
        assert!(stderr.lines().any(|line| line.starts_with(&expected)), "{arguments:?} {output}: {stderr}");
        assert_eq!(fs::read(at(kept)).expect("it is there"), before);
    };
    for start in ["", "./", "link-", "name-"] {
        refused(&["lower", "k.cl"], &format!("{start}k.cl"), "k.cl");
        refused(&["lower", "k.cl"], &format!("{start}part.h"), "part.h");
        refused(&["lower", "k.cl", "--target", "./mine.toml"], &format!("{start}mine.toml"), "mine.toml");
        refused(&["transform", "infer-tokens", "k.ll"], &format!("{start}k.ll"), "k.ll");
        refused(&["transform", "infer-tokens", "-"], &format!("{start}k.ll"), "k.ll");
        refused(&["transform", "infer-tokens", "k.cl"], &format!("{start}part.h"), "part.h");
    }
    fs::create_dir(at("reconverge-bisect")).expect("a folder");
    fs::hard_link(at("k.ll"), at("reconverge-bisect/bisect-after.ll")).expect("a name");
    let mut command = Command::new(env!("CARGO_BIN_EXE_reconverge"));
    let run =
        command.args(["bisect", "k.ll", "--passes", "sroa"]).current_dir(folder.path()).output().expect("it runs");
    let expected = "reconverge: reconverge-bisect/bisect-after.ll cannot be written: it is k.ll, which is read; \
                    expected another name for the output\n";
    assert_eq!((run.status.code(), String::from_utf8_lossy(&run.stderr).as_ref()), (Some(2), expected));
}

/// The file that was asked for is what errors are about, and nothing is left behind.
#[test]
fn what_cannot_be_written() {
    let folder = folder();
    let source = folder.path().join("k.cl");
    fs::write(&source, KERNEL).expect("it can be written");
    let inside = folder.path().join("inside");
    fs::create_dir(&inside).expect("a folder");
    let in_nowhere = folder.path().join("nowhere/out.ll");
    let in_file = source.join("out.ll");
    for output in [inside.as_path(), &in_nowhere, &in_file, Path::new("/dev/full")] {
        let run = reconverge(&[Path::new("lower"), &source, Path::new("-o"), output], b"");
        let expected = format!("reconverge: {} cannot be written: ", output.display());
        assert_eq!(run.status, 2);
        assert!(run.stderr.starts_with(&expected) && run.stderr.lines().count() == 1, "{run:?}");
        let reason = run.stderr.strip_prefix(&expected).unwrap_or_default();
        assert!(!reason.contains(".reconverge-") && !reason.contains('/'), "{run:?}");
    }
    assert_eq!(names(folder.path()), ["inside", "k.cl"]);
}

/// As somebody who is not root, whom modes stop: `setpriv` makes one.
fn as_nobody(arguments: &[&Path]) -> Option<std::process::Output> {
    let is_root = Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout == b"0\n");
    let binary = env!("CARGO_BIN_EXE_reconverge");
    let mut command = match is_root {
        true => {
            let mut command = Command::new("setpriv");
            command.args(["--reuid", "65534", "--regid", "65534", "--clear-groups", binary]);
            command
        }
        false => Command::new(binary),
    };
    let mut try_out = Command::new(command.get_program());
    let runs = try_out.args(command.get_args()).arg("--version").output().is_ok_and(|output| output.status.success());
    if !runs {
        eprintln!("skipped: {binary} cannot be run as another user with setpriv");
        return None;
    }
    Some(command.args(arguments).output().expect("it runs"))
}

#[test]
fn a_file_in_a_folder_that_takes_no_new_one() {
    let folder = folder();
    let locked = folder.path().join("locked");
    fs::create_dir(&locked).expect("a folder");
    let (source, output, missing) = (folder.path().join("k.cl"), locked.join("out.ll"), locked.join("new.ll"));
    fs::write(&source, KERNEL).expect("it can be written");
    fs::write(&output, "old").expect("it can be written");
    let set = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("it has a mode");
    set(folder.path(), 0o755);
    set(&output, 0o666);
    set(&locked, 0o555);
    let lower = |output: &Path| as_nobody(&[Path::new("lower"), &source, Path::new("-o"), output]);
    if let Some(run) = lower(&output) {
        assert!(run.status.success(), "{run:?}");
        assert!(fs::read_to_string(&output).expect("text").contains("define "));
        assert_eq!(fs::metadata(&output).expect("it is there").mode() & 0o7777, 0o666);
        // One that is not there has no place.
        let run = lower(&missing).expect("it ran");
        let stderr = String::from_utf8_lossy(&run.stderr).into_owned();
        assert_eq!(run.status.code(), Some(2), "{stderr}");
        assert_eq!(stderr, format!("reconverge: {} cannot be written: permission denied\n", missing.display()));
        // One that must not be written stays what it is, though its folder would let it be replaced.
        set(&output, 0o444);
        set(&locked, 0o777);
        let run = lower(&output).expect("it ran");
        assert_eq!(run.status.code(), Some(2), "{run:?}");
        assert_eq!(names(&locked), ["out.ll"]);
    }
    set(&locked, 0o755);
}

/// A signal at any time, also while the output is written.
#[test]
fn signals_leave_no_temporary_file() {
    let folder = folder();
    let source = folder.path().join("k.cl");
    let mut text = String::new();
    for number in 0..4_000 {
        text.push_str(&format!("kernel void k{number}(global int *out) {{ out[{number}] += {number}; }}\n"));
    }
    fs::write(&source, text).expect("it can be written");
    let output = folder.path().join("out.ll");
    for delay in (0..40).map(|step| Duration::from_millis(20 * step)) {
        let mut child = Command::new(env!("CARGO_BIN_EXE_reconverge"))
            .args([Path::new("lower"), &source, Path::new("-o"), &output])
            .stderr(Stdio::null())
            .spawn()
            .expect("the binary runs");
        let start = Instant::now();
        while start.elapsed() < delay && child.try_wait().expect("it can be asked").is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        let was_over = child.try_wait().expect("it can be asked").is_some();
        let _ = Command::new("kill").args(["-TERM", &child.id().to_string()]).stderr(Stdio::null()).status();
        child.wait().expect("it ends");
        let left: Vec<String> = names(folder.path()).into_iter().filter(|name| name.starts_with('.')).collect();
        assert!(left.is_empty(), "{left:?} after {delay:?}");
        if was_over {
            break;
        }
    }
}

/// Turned-round text, a colour, and a name that is all of that.
const HIDDEN: &str = "kernel void k(global int *o) { int x\u{202e}=1; /*\u{202e}*/ o[0]=zzz; \"\u{1b}[31mhey\"; }\n";

#[test]
fn excerpts_of_source_hide_nothing() {
    let run = reconverge(&["check", "-", "--input-format", "cl", "--frontend", "builtin"], HIDDEN.as_bytes());
    assert_eq!(run.status, 2);
    expect![[r#"
        reconverge: <stdin>:1:37: the character `\u{202e}` cannot stand here
            1 | kernel void k(global int *o) { int x\u{202E}=1; /*\u{202E}*/ o[0]=zzz; "\u{1B}[31mhey"; }
              |                                     ^
    "#]]
    .assert_eq(&run.stderr);
}

#[test]
fn ends_of_lines_of_windows_are_not_shown() {
    let source = "kernel void k(global int *o) {\r\n  if (get_local_id(0) < 5)\r\n    barrier(CLK_LOCAL_MEM_FENCE);\r\n  o[0] = 1;\r\n}\r\n";
    let check = |source: &str| {
        let arguments = ["check", "-", "--input-format", "cl", "--frontend", "builtin"];
        let lines = reconverge(&arguments, source.as_bytes()).stdout;
        lines.lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
    };
    let shown = check(source);
    assert!(shown.contains("2 |   if (get_local_id(0) < 5)\n"), "{shown}");
    assert_eq!(shown, check(&source.replace('\r', "")));
}

#[test]
fn excerpts_of_ir_hide_nothing() {
    let module = "declare void @\"b\u{202e}\u{1b}[2J\"() convergent ; \u{202e}\n\
                  define void @\"k\u{202e}\"() { call void @\"b\u{202e}\u{1b}[2J\"() ; \u{200b}\u{1b}[1m\n ret void\n}\n";
    for color in ["never", "always"] {
        for arguments in [
            &["check", "-", "--hints", "--strict"][..],
            &["uniformity", "-"],
            &["cycles", "-"],
            &["regions", "-"],
            &["trace", "-", "--function", "k\u{202e}", "--thread", "0"],
        ] {
            let run = reconverge(&[arguments, &["--color", color]].concat(), module.as_bytes());
            for text in [&run.stdout, &run.stderr] {
                let hidden = text.char_indices().find(|&(at, c)| {
                    let is_color = c == '\u{1b}' && color == "always" && text[at..].starts_with("\u{1b}[");
                    c.is_control() && c != '\n' && !is_color || matches!(c, '\u{202e}' | '\u{200b}')
                });
                assert_eq!(hidden, None, "{arguments:?}: {run:?}");
            }
            assert!(!run.stdout.contains("\u{1b}[2J") && !run.stdout.contains("\u{1b}[1m;"), "{run:?}");
        }
    }
    let run = reconverge(&["check", "-", "--color", "never", "--hints", "--strict"], module.as_bytes());
    expect![[r#"
        warning[RC0401]: @"k\u{202E}" is not convergent but contains an uncontrolled convergent operation
         --> <stdin>:2:25
          |
         ::: 
        2 | define void @"k\u{202E}"() { call void @"b\u{202E}\u{1B}[2J"() ; \u{200B}\u{1B}[1m
          | --------------------------   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ depends on the threads that entered the function
          | |
          | lacks the convergent attribute
          |
          = help: add `convergent` to the function
          = help: in @"k\u{202E}", block 0; `reconverge explain RC0401` says more

    "#]]
    .assert_eq(&run.stdout);
    // Data stays data.
    let run = reconverge(&["check", "-", "--format", "json", "--hints"], module.as_bytes());
    assert!(run.stdout.is_ascii() && run.stdout.contains("\\u202E"), "{run:?}");
    let report: Value = serde_json::from_str(&run.stdout).expect("JSON");
    assert_eq!(report["files"][0]["diagnostics"][0]["function"], "@\"k\u{202e}\"");
}

#[test]
fn byte_order_marks() {
    let mark = "\u{feff}";
    let plain = read("examples/broken-two-hearts.ll");
    let json = |text: &str, kind: &str| {
        reconverge(&["check", "-", "--format", "json", "--input-format", kind], text.as_bytes())
    };
    let with_mark = json(&format!("{mark}{plain}"), "ll");
    assert_eq!(with_mark.stdout, json(&plain, "ll").stdout);
    assert_eq!(json(&format!("{mark}{KERNEL}"), "cl").status, 0);
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("a.ll"), format!("{mark}{plain}")).expect("it can be written");
    fs::write(at("b.cl"), format!("{mark}#include \"c.h\"\n{KERNEL}")).expect("it can be written");
    fs::write(at("c.h"), format!("{mark}typedef int number;\n")).expect("it can be written");
    fs::write(at("mine.toml"), format!("{mark}extends = \"spirv\"\n")).expect("it can be written");
    let target = at("mine.toml");
    let run = reconverge(&[Path::new("check"), &at("b.cl"), Path::new("--target"), &target], b"");
    assert_eq!((run.status, run.stderr.as_str()), (0, "no findings in 1 function\n"));
    // Without an extension, what follows the mark says that it is IR.
    fs::write(at("no-extension"), format!("{mark}{plain}")).expect("it can be written");
    assert!(reconverge(&[Path::new("check"), &at("no-extension")], b"").stdout.contains("RC01"));
    // Other encodings are named.
    let utf16 = |text: &str| -> Vec<u8> { format!("{mark}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect() };
    for (name, text) in [("w.ll", &*plain), ("w.cl", KERNEL), ("w.toml", "extends = \"spirv\"\n")] {
        fs::write(at(name), utf16(text)).expect("it can be written");
        let path = at(name);
        let (input, target) = if name == "w.toml" { (at("b.cl"), &path) } else { (path.clone(), &target) };
        let run = reconverge(&[Path::new("check"), &input, Path::new("--target"), target], b"");
        let message = "this is UTF-16, expected UTF-8; iconv -f UTF-16 -t UTF-8 translates it\n";
        let subject = if name == "w.toml" { "cannot read the target file " } else { "" };
        assert_eq!((run.status, run.stderr), (2, format!("reconverge: {subject}{}: {message}", path.display())));
    }
    fs::write(at("c.h"), utf16("typedef int number;\n")).expect("it can be written");
    let run = reconverge(&[Path::new("check"), &at("b.cl"), Path::new("--frontend"), Path::new("builtin")], b"");
    assert!(run.status == 2 && run.stderr.contains("c.h:1:1: the file is UTF-16; expected UTF-8\n"), "{run:?}");
}
