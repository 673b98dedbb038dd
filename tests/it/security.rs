//! Files of strangers: none makes the tool run code, block, read what is no file, or leave a program behind.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::common::{Run, installed, reconverge, runs, until, write_program};
use tempfile::TempDir;

/// Is read by every front end.
const KERNEL: &str = "void barrier(int) __attribute__((convergent));\nvoid k(int n) { if (n) barrier(0); }\n";
/// The built-in front end does not read all of it, so clang is asked.
const FOR_CLANG: &str = "struct s { int a, b; };\nint f() { return __builtin_offsetof(s, b); } // convergent\n";
const MODULE: &str = "define void @f() {\n  ret void\n}\n";

/// A folder with files, and a fake tool that writes down what it is given.
struct Place {
    folder: TempDir,
}

impl Place {
    fn new() -> Place {
        Place { folder: TempDir::new().expect("a folder") }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn text(&self, name: &str) -> String {
        self.path(name).display().to_string()
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("it is in a folder")).expect("it can be made");
        fs::write(path, content).expect("it can be written");
    }

    /// A program for `sh`.
    fn program(&self, name: &str, script: &str) -> String {
        write_program(&self.path(name), script);
        self.text(name)
    }

    fn make_pipe(&self, name: &str) {
        let made = Command::new("mkfifo").arg(self.path(name)).status().expect("there is a mkfifo");
        assert!(made.success());
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_reconverge"));
        command.args(arguments).current_dir(self.folder.path()).stdin(Stdio::null());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Runs the binary in the folder. It has a minute, so that what blocks fails.
    fn run(&self, arguments: &[&str]) -> Run {
        let child = self.command(arguments).spawn().expect("the binary runs");
        let id = child.id().to_string();
        let (done, waiting) = std::sync::mpsc::channel::<()>();
        let watchdog = std::thread::spawn(move || {
            if waiting.recv_timeout(Duration::from_secs(60)) == Err(std::sync::mpsc::RecvTimeoutError::Timeout) {
                let _ = Command::new("kill").args(["-KILL", &id]).status();
            }
        });
        let output = child.wait_with_output().expect("the binary ends");
        drop(done);
        watchdog.join().expect("no panic");
        let run = Run {
            status: output.status.code().unwrap_or_else(|| panic!("{arguments:?}: {output:?}")),
            stdout: String::from_utf8(output.stdout).expect("text"),
            stderr: String::from_utf8(output.stderr).expect("text"),
        };
        assert!(!run.stderr.contains("panicked"), "{run:?}");
        run
    }
}

/// Writes all arguments of a call that has source to read, one a line.
const RECORDING: &str =
    "case $1 in --version) echo 'LLVM version 22.1.0'; exit 0;; esac\nprintf '%s\\n' \"$@\" >> arguments\nexit 1";

/// What no argument of ours may look like to a tool.
fn assert_harmless(arguments: &str, names: &[&str]) {
    for argument in arguments.lines() {
        assert!(!argument.starts_with('@'), "{argument} is a file of arguments");
        assert!(!names.contains(&argument), "{argument} is an option");
    }
}

#[test]
fn names_are_no_arguments_of_clang() {
    let place = Place::new();
    let clang = place.program("fake-clang", RECORDING);
    let names = ["@resp.cpp", "-fplugin=p.so.cpp", "--config.cpp", "-.cpp", "@src/a.cpp", "-o.cpp"];
    for name in names {
        place.write(name, FOR_CLANG);
    }
    place.write("resp.cpp", "-fplugin=./p.so");
    let arguments = ["check", "--clang", &clang, "--frontend", "clang", "-I", "@src", "-I-foo", "-I@resp.cpp"];
    let all = [&arguments[..], &["."]].concat();
    assert_eq!(place.run(&all).status, 2, "the fake clang fails");
    let recorded = fs::read_to_string(place.path("arguments")).expect("it was called");
    assert_harmless(&recorded, &names);
    assert!(recorded.contains("-I./@src\n") && recorded.contains("-I./-foo\n"), "{recorded}");
    // By name: a shell makes these of `*.cpp` and `@src`.
    fs::remove_file(place.path("arguments")).expect("it is there");
    for input in ["@resp.cpp", "@src", "@src/a.cpp"] {
        let all = [&arguments[..], &[input]].concat();
        assert_eq!(place.run(&all).status, 2, "{input}");
    }
    let recorded = fs::read_to_string(place.path("arguments")).expect("it was called");
    assert_harmless(&recorded, &names);
    assert!(recorded.contains("\n./@src/a.cpp\n") && recorded.contains("\n-iquote.\n-\n"), "{recorded}");
    // A macro is an argument of its own to the compiler that clang runs.
    let run = place.run(&[&arguments[..], &["-D", "@resp.cpp", "@src"]].concat());
    let expected = "reconverge: @src/a.cpp: -D @resp.cpp: expected NAME, NAME=VALUE or NAME(X)=VALUE\n";
    assert!(run.status == 2 && run.stderr.contains(expected), "{run:?}");
}

/// A shell makes of `check *` whatever the files are called. What stands after a file `--` is taken for flags.
#[test]
fn names_of_files_are_no_flags() {
    let place = Place::new();
    let clang = place.program("fake-clang", RECORDING);
    for name in ["!.cpp", "--", "@resp", "-D@resp", "resp"] {
        place.write(name, FOR_CLANG);
    }
    for flags in [&["@resp", "resp"][..], &["-D@resp"]] {
        let run = place.run(&[&["check", "--clang", &clang, "!.cpp", "--"], flags].concat());
        let expected = format!("reconverge: !.cpp: {}: files of flags are not taken; ", flags[0]);
        assert!(run.status == 2 && run.stderr.contains(&expected), "{run:?}");
        assert!(!place.path("arguments").exists());
    }
    place.run(&["check", "--clang", &clang, "!.cpp", "--", "-DX=1"]);
    assert!(fs::read_to_string(place.path("arguments")).expect("it was called").contains("-DX=1\n"));
}

/// With a real clang: what a file of arguments says would be seen. Clang gives the name of a file, without its folder, to the compiler that it runs, which looks
/// for files of arguments again.
#[test]
fn clang_reads_no_arguments_from_inputs() {
    if !installed("clang-22") {
        return;
    }
    let place = Place::new();
    place.write("@resp.cpp", FOR_CLANG);
    place.write("resp.cpp", "-o OWNED -fplugin=./no-such-plugin.so @resp.cpp");
    place.write("@src/a.cpp", FOR_CLANG);
    place.write("src/a.cpp", "-o OWNED ./@src/a.cpp");
    place.write("src2", "-o OWNED");
    for inputs in [&["@resp.cpp"][..], &["@src"], &["@src/a.cpp"], &["@src/a.cpp", "-I", "@src2"], &["."]] {
        let run = place.run(&[&["check", "--clang", "clang-22"], inputs].concat());
        assert!(!place.path("OWNED").exists(), "{inputs:?}: {run:?}");
        assert!(!run.stderr.contains("unable to load plugin"), "{inputs:?}: {run:?}");
        let read = run.stderr.contains("read by clang-22");
        assert!(read, "{inputs:?}: {run:?}");
    }
}

#[test]
fn opt_reads_no_arguments_from_inputs() {
    let place = Place::new();
    let fake = place.program("fake-opt", RECORDING);
    for name in ["@x.ll", "-load=x.ll"] {
        place.write(name, MODULE);
        place.run(&["bisect", &format!("./{name}"), "--passes", "sroa", "--opt", &fake]);
    }
    place.run(&["bisect", "@x.ll", "--passes", "sroa", "--opt", &fake]);
    let recorded = fs::read_to_string(place.path("arguments")).expect("it was called");
    assert_harmless(&recorded, &["-load=x.ll"]);
    assert!(!recorded.contains(".ll"), "it reads its standard input: {recorded}");
    if !installed("opt-22") {
        return;
    }
    place.write("x.ll", "-load=./no-such-plugin.so ./@x.ll");
    let run = place.run(&["bisect", "@x.ll", "--passes", "sroa", "--opt", "opt-22"]);
    assert_eq!(
        (run.status, run.stderr.as_str()),
        (0, "note: there are no kernels here, so every function is compared as if it were one\n")
    );
}

/// What is too large for our front end is not given to clang, which would be busy without end.
#[test]
fn clang_is_not_asked_about_limits() {
    let place = Place::new();
    let clang = place.program("fake-clang", RECORDING);
    let mut text = String::from("struct s0 { int a; };\n");
    for number in 1..71 {
        text.push_str(&format!("struct s{number} {{ struct s{} a, b; }};\n", number - 1));
    }
    place.write("sizes.cl", text + "kernel void k(global int *o) { struct s70 x; o[0] = sizeof(x); }\n");
    let run = place.run(&["check", "sizes.cl", "--clang", &clang]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("this type is larger than memory can be"), "{run:?}");
    assert!(!place.path("arguments").exists(), "{run:?}");
}

/// Sleeps, and so does what it has started; says who they are.
const SLEEPING: &str = "case $1 in --version) echo 'LLVM version 22.1.0'; exit 0;; esac\n\
     sleep 1000 &\necho $$ $! > ids.new && mv ids.new ids\nwait";

fn ids(place: &Place) -> Vec<String> {
    let ids = fs::read_to_string(place.path("ids")).expect("they were written");
    ids.split_whitespace().map(str::to_owned).collect()
}

#[test]
fn tools_have_a_time_limit() {
    let place = Place::new();
    let tool = place.program("slow", SLEEPING);
    place.write("a.cpp", FOR_CLANG);
    place.write("a.ll", MODULE);
    let clang = ["check", "a.cpp", "--clang", &tool, "--tool-timeout", "1"];
    let opt = ["bisect", "a.ll", "--passes", "sroa", "--opt", &tool, "--tool-timeout", "1"];
    let opt = &opt[..];
    for (arguments, file) in
        [(&clang[..], "a.cpp"), (&[&clang[..], &["--frontend", "clang"]].concat(), "a.cpp"), (opt, "a.ll")]
    {
        let run = place.run(arguments);
        assert_eq!(run.status, 2, "{run:?}");
        let expected =
            format!("{tool} was ended after 1 s without an answer; --tool-timeout SECONDS gives it longer\n");
        let line = run.stderr.split_inclusive('\n').find(|line| line.contains("was ended")).unwrap_or_default();
        assert!(line.starts_with(&format!("reconverge: {file}: ")) && line.ends_with(&expected), "{run:?}");
        for id in ids(&place) {
            until("it is gone", || !runs(&id));
        }
    }
    // A tool that does not even say who it is.
    let mute = place.program("mute", "sleep 1000");
    let run = place.run(&["check", "a.cpp", "--clang", &mute, "--tool-timeout", "1", "--frontend", "clang"]);
    assert!(run.status == 2 && run.stderr.contains(&format!("{mute} --version was ended after 1 s")), "{run:?}");
}

/// A run that is over, and by which signal.
fn ended_by(mut child: Child) -> Option<i32> {
    use std::os::unix::process::ExitStatusExt;
    child.wait().expect("it ends").signal()
}

/// Whether this process, and so what it starts, ignores a signal.
fn is_ignored(number: i32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask >> (number - 1) & 1 == 1)
}

#[test]
fn tools_end_with_us() {
    let place = Place::new();
    let tool = place.program("slow", SLEEPING);
    place.write("a.cpp", FOR_CLANG);
    place.write("a.ll", MODULE);
    let clang = ["check", "a.cpp", "--clang", &tool];
    let opt = ["bisect", "a.ll", "--passes", "sroa", "--opt", &tool];
    // Whoever runs the tests may have them ignored, as `nohup` does, and what is ignored stays so.
    for (signal, number) in
        [("-TERM", 15), ("-HUP", 1), ("-INT", 2)].into_iter().filter(|&(_, number)| !is_ignored(number))
    {
        for arguments in [&clang[..], &opt[..]] {
            let _ = fs::remove_file(place.path("ids"));
            let child = place.command(arguments).spawn().expect("the binary runs");
            until("the tool runs", || place.path("ids").exists());
            let kill = Command::new("kill").args([signal, &child.id().to_string()]).status().expect("there is a kill");
            assert!(kill.success());
            assert_eq!(ended_by(child), Some(number), "{signal}");
            for id in ids(&place) {
                until("it is gone", || !runs(&id));
            }
        }
    }
}

/// Large inputs are mapped, and the pages of a file that is cut are gone.
#[test]
fn a_file_that_is_cut_while_it_is_read() {
    let place = Place::new();
    let function =
        |number: u32| format!("define i32 @f{number}(i32 %x) {{\n  %y = add i32 %x, {number}\n  ret i32 %y\n}}\n");
    let text: String = (0..300_000).map(function).collect();
    let mut statuses = std::collections::BTreeSet::new();
    for delay in (0..30).map(|step| std::time::Duration::from_millis(5 * step)) {
        place.write("a.ll", &text);
        let mut command = place.command(&["check", "a.ll"]);
        let child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("the binary runs");
        std::thread::sleep(delay);
        fs::File::options()
            .write(true)
            .open(place.path("a.ll"))
            .and_then(|file| file.set_len(100))
            .expect("it can be cut");
        let output = child.wait_with_output().expect("it ends");
        let said = String::from_utf8_lossy(&output.stderr);
        let is_said = said.contains("made smaller while it was read") || said.contains("a.ll:");
        // Before it is opened it is a short text, and after the end nothing is read.
        assert!(output.status.code() == Some(0) || output.status.code() == Some(2) && is_said, "{delay:?}: {output:?}");
        statuses.insert(output.status.code());
    }
    assert!(statuses.contains(&Some(2)), "{statuses:?}");
}

/// `nohup` stays what it is.
#[test]
fn signals_that_were_ignored_stay_ignored() {
    let place = Place::new();
    let tool = place.program("slow", SLEEPING);
    place.write("a.cpp", FOR_CLANG);
    let mut command = Command::new("sh");
    command.current_dir(place.folder.path()).args(["-c", "trap '' HUP; exec \"$@\"", "sh"]);
    command.args([env!("CARGO_BIN_EXE_reconverge"), "check", "a.cpp", "--clang", &tool, "--tool-timeout", "3"]);
    let child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("it runs");
    until("the tool runs", || place.path("ids").exists());
    assert!(Command::new("kill").args(["-HUP", &child.id().to_string()]).status().expect("there is a kill").success());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}

#[test]
fn what_a_tool_prints_is_bounded() {
    let place = Place::new();
    let endless = "case $1 in --version) echo 'LLVM version 22.1.0'; exit 0;; esac\nyes";
    let tool = place.program("endless", endless);
    place.write("a.cpp", FOR_CLANG);
    place.write("a.ll", MODULE);
    for arguments in [
        &["check", "a.cpp", "--clang", &tool, "--max-memory", "1M"][..],
        &["bisect", "a.ll", "--passes", "sroa", "--opt", &tool, "--max-memory", "1M"],
    ] {
        let run = place.run(arguments);
        let expected = format!("{tool} was ended after printing 1048576 bytes; --max-memory SIZE lets it print more");
        assert!(run.status == 2 && run.stderr.contains(&expected), "{run:?}");
    }
}

#[test]
fn folders_with_what_is_no_file() {
    let place = Place::new();
    place.write("d/good.ll", MODULE);
    place.make_pipe("d/pipe.ll");
    let _listener = std::os::unix::net::UnixListener::bind(place.path("d/socket.cl")).expect("a socket");
    symlink("/dev/zero", place.path("d/zero.ll")).expect("a link");
    symlink("pipe.ll", place.path("d/also.cu")).expect("a link");
    symlink("/", place.path("d/root.cpp")).expect("a link");
    symlink("good.ll", place.path("d/same.ll")).expect("a link");
    for verb in ["check", "uniformity", "cycles", "regions"] {
        let run = place.run(&[verb, "d", "--format", "json"]);
        assert_eq!(run.status, 0, "{run:?}");
        assert_eq!(
            run.stderr,
            "note: d: 5 are no files and are not read: d/also.cu is a link to a pipe, d/pipe.ll is a pipe, \
             d/root.cpp is a link to a folder, d/socket.cl is a socket, d/zero.ll is a link to a device\n"
        );
        assert!(run.stdout.contains("d/good.ll") && run.stdout.contains("d/same.ll"), "{run:?}");
    }
    let only = Place::new();
    only.make_pipe("pipe.ll");
    let run = only.run(&["check", "."]);
    assert!(run.status == 2 && run.stderr.ends_with(".cpp files\n"), "{run:?}");
}

/// A pipe that the command line names is the user's own; a device is a mistake.
#[test]
fn what_the_command_line_names() {
    let place = Place::new();
    symlink("/dev/zero", place.path("zero.ll")).expect("a link");
    for path in ["/dev/zero", "zero.ll"] {
        let run = place.run(&["check", path]);
        assert_eq!(
            (run.status, run.stderr),
            (2, format!("reconverge: {path}: cannot be read: it is a device, not a regular file\n"))
        );
    }
    place.write(
        "k.ll",
        "target triple = \"spirv64\"\ndefine spir_kernel void @k(ptr addrspace(1) %p) {\n  ret void\n}\n",
    );
    let run = place.run(&["run", "k.ll", "--arg", "p=@/dev/zero"]);
    assert!(run.status == 2 && run.stderr.contains("cannot be read: it is a device"), "{run:?}");
    let run = place.run(&["check", "k.ll", "--target", "/dev/zero"]);
    assert!(run.status == 2 && run.stderr.contains("cannot read the target file /dev/zero: it is a device"), "{run:?}");
    // As `<(…)` makes one.
    place.make_pipe("pipe");
    let fill = |text: &'static str| {
        let pipe = place.path("pipe");
        std::thread::spawn(move || fs::write(pipe, text))
    };
    let writer = fill(MODULE);
    let run = place.run(&["check", "pipe", "-v"]);
    assert_eq!(run.status, 0, "{run:?}");
    writer.join().expect("no panic").expect("it is read");
    let writer = fill(FOR_CLANG);
    if installed("clang-22") {
        let run = place.run(&["lower", "pipe", "--input-format", "c++", "--no-tokens", "-o", "-"]);
        assert!(run.status == 0 && run.stdout.contains("define"), "clang gets what was read: {run:?}");
        writer.join().expect("no panic").expect("it is read");
    } else {
        drop(fs::File::open(place.path("pipe")));
    }
}

#[test]
fn files_larger_than_the_limit() {
    let place = Place::new();
    for name in ["large.ll", "large.bin", "large.h", "large.toml"] {
        place.write(name, "");
        let file = fs::File::options().write(true).open(place.path(name)).expect("it can be written");
        // Takes no room.
        file.set_len(3_000_000_000_000).expect("a large file");
    }
    place.write("a.cl", "#include \"large.h\"\nkernel void k(global int *p) {}\n");
    place.write("k.cl", "kernel void k(global char *p) {}\n");
    let said = "it holds 3000000000000 bytes, and at most 2097152 are read";
    for (arguments, expected) in [
        (&["check", "large.ll"][..], format!("large.ll: cannot be read: {said} (--max-memory SIZE raises that)\n")),
        (&["check", "."], format!("./large.ll: cannot be read: {said} (--max-memory SIZE raises that)\n")),
        (&["check", "a.cl"], format!("a.cl:1:10: the file `large.h` cannot be read: {said}\n")),
        (&["check", "k.cl", "--target", "large.toml"], format!("cannot read the target file large.toml: {said}")),
        (&["run", "k.cl", "--arg", "p=@large.bin"], "expected at most --max-memory (2097152 bytes)\n".to_owned()),
    ] {
        for frontend in ["builtin", "auto"] {
            let run = place.run(&[arguments, &["--max-memory", "2M", "--frontend", frontend]].concat());
            assert!(run.status == 2 && run.stderr.contains(&expected), "{arguments:?}: {run:?}");
        }
    }
    // The default is a limit, too.
    let run = place.run(&["check", "large.ll"]);
    assert!(run.status == 2 && run.stderr.contains("at most 8589934592 are read"), "{run:?}");
    // Standard input ends nowhere.
    let mut command = place.command(&["check", "-", "--max-memory", "2M"]);
    let child = command.stdin(fs::File::open("/dev/zero").expect("it is there")).spawn().expect("the binary runs");
    let output = child.wait_with_output().expect("it ends");
    let expected = "reconverge: <stdin>: cannot be read: it holds more than the 2097152 bytes that are read (--max-memory SIZE raises that)\n";
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(2), expected));
}

#[test]
fn includes_are_files() {
    let place = Place::new();
    place.make_pipe("pipe.h");
    symlink("/dev/zero", place.path("zero.h")).expect("a link");
    let passed_over = (0, "a.cl: 1 header was not found, and passed over");
    let refused = (2, "reconverge: a.cl:1:10: ");
    for (header, (status, said)) in [
        ("\"pipe.h\"", passed_over),
        ("\"zero.h\"", passed_over),
        ("\"/dev/zero\"", refused),
        ("\"/dev/stdin\"", refused),
        ("</dev/tty>", refused),
    ] {
        place.write("a.cl", format!("#include {header}\n{KERNEL}"));
        let run = place.run(&["check", "a.cl", "--frontend", "builtin"]);
        assert!(run.status == status && run.stderr.starts_with(said), "{header}: {run:?}");
    }
    // A name that only a place has leads nowhere else.
    if installed("clang-22") {
        place.write("b.cpp", format!("#line 1 \"{}\"\n{KERNEL}{FOR_CLANG}", place.text("pipe.h")));
        let run = place.run(&["check", "b.cpp", "--strict"]);
        assert!(run.status <= 1, "{run:?}");
    }
}

/// Files that are not what they were, or not there, or not to be read.
#[test]
fn files_that_are_not_there() {
    let place = Place::new();
    for path in ["nowhere.ll", "a/b.ll", "nowhere/", "x\u{1b}[31m.ll"] {
        for verb in ["check", "lower", "run", "cycles"] {
            let output: &[&str] = if verb == "lower" { &["-o", "-"] } else { &[] };
            let run = place.run(&[&[verb, path], output].concat());
            assert!(run.status == 2 && run.stderr.lines().count() == 1, "{verb} {path:?}: {run:?}");
            assert!(!run.stderr.contains('\u{1b}'), "{run:?}");
        }
    }
    fs::create_dir(place.path("locked")).expect("a folder");
    fs::set_permissions(place.path("locked"), fs::Permissions::from_mode(0o000)).expect("it can be locked");
    // Root reads everything.
    if fs::read_dir(place.path("locked")).is_err() {
        let run = place.run(&["check", "."]);
        assert!(run.status == 2 && run.stderr.contains("./locked: cannot be read"), "{run:?}");
    }
    fs::set_permissions(place.path("locked"), fs::Permissions::from_mode(0o700)).expect("it can be opened");
}

/// A file that changes while it is read gives one answer or another, and no panic.
#[test]
fn files_that_change_while_they_are_read() {
    let place = Place::new();
    let texts = [KERNEL.repeat(2000), "x".repeat(100), String::new(), "kernel void k() {}\n".to_owned()];
    place.write("a.cl", &texts[0]);
    let path = place.path("a.cl");
    let is_over = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut index = 0;
            while !is_over.load(std::sync::atomic::Ordering::Relaxed) {
                fs::write(Path::new(&path), &texts[index % texts.len()]).expect("it can be written");
                index += 1;
            }
        });
        for _ in 0..40 {
            let run = place.run(&["check", "a.cl", "--frontend", "builtin"]);
            assert!((0..=2).contains(&run.status), "{run:?}");
        }
        is_over.store(true, std::sync::atomic::Ordering::Relaxed);
    });
}

#[test]
fn the_folder_with_inputs_is_not_searched_for_tools() {
    let place = Place::new();
    for tool in ["clang", "clang-22", "opt", "opt-22"] {
        place.program(tool, "touch OWNED");
    }
    place.write("a.cpp", FOR_CLANG);
    place.write("a.ll", MODULE);
    place.run(&["check", "."]);
    place.run(&["bisect", "a.ll", "--passes", "sroa"]);
    assert!(!place.path("OWNED").exists());
}

/// `reconverge` of the other tests: statuses and panics are looked at there.
#[test]
fn standard_input_is_read() {
    assert_eq!(reconverge(&["check", "-"], MODULE.as_bytes()).status, 0);
    assert_eq!(reconverge(&["check", "/dev/stdin"], MODULE.as_bytes()).status, 0);
}
