//! The binary, as a child: any verb with any arguments, several inputs, folders, standard input, wrong things.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use reconverge_testing::random::SplitMix64;

use super::{Outcome, Place};
use crate::input::{Input, Kind};
use crate::seeds::hash;

/// The longest that a command may take.
const LONGEST: Duration = Duration::from_secs(10);

/// What a command answered.
struct Answer {
    status: Option<i32>,
    output: Vec<u8>,
    messages: String,
}

pub(super) fn command(input: &Input, place: &Place<'_>, rng: &mut SplitMix64) -> Outcome {
    let Some(binary) = place.binary else { return Outcome::default() };
    let work = fresh(place.folder);
    let extension = input.kind.extension();
    let first = format!("{}.{extension}", ["a", "b c", "é", "-x", "@y"][[0, 0, 0, 0, 1, 2, 3, 4][rng.below(8)]]);
    fs::write(work.join(&first), &input.text).expect("the folder of the worker can be written");
    if let Some(second) = &input.second {
        fs::create_dir_all(work.join("folder")).expect("the folder of the worker can be written");
        fs::write(work.join("folder/second.ll"), second).expect("the folder of the worker can be written");
    }
    let before = listing(&work);
    let (mut arguments, written) = arguments(input, &first, rng);
    if first.starts_with('-') && !rng.percent(20) {
        arguments.iter_mut().filter(|one| **one == first).for_each(|one| *one = format!("./{first}"));
    }
    let standard_input = arguments.iter().any(|one| one == "-").then_some(&input.text[..]);
    let answer = start(binary, &work, &arguments, standard_input);
    let outcome = judge(&arguments, &answer);
    let mut after = listing(&work);
    after.retain(|(name, _)| !written.contains(name));
    let mut before = before;
    before.retain(|(name, _)| !written.contains(name));
    assert_eq!(before, after, "files changed\n{arguments:?}");
    if rng.percent(15) && !arguments.iter().any(|one| one == "-v" || one == "--verbose" || one == "-o") {
        let with = |threads: &str| {
            let mut arguments = arguments.clone();
            arguments.splice(0..0, ["-j".to_owned(), threads.to_owned()]);
            let answer = start(binary, &work, &arguments, standard_input);
            (answer.status, String::from_utf8_lossy(&answer.output).into_owned(), answer.messages)
        };
        if !arguments.iter().any(|one| one.starts_with("-j") || one == "--threads") {
            assert_eq!(with("1"), with("2"), "one thread and two\n{arguments:?}");
        }
    }
    outcome
}

/// A folder with nothing in it.
fn fresh(folder: &Path) -> std::path::PathBuf {
    let work = folder.join("work");
    let _ = fs::remove_dir_all(&work);
    fs::create_dir_all(&work).expect("the folder of the worker can be written");
    work
}

/// The files below a folder, with fingerprints.
fn listing(folder: &Path) -> Vec<(String, u64)> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap_or(&path).display().to_string();
                files.push((name, fs::read(&path).map_or(0, |bytes| hash(&bytes))));
            }
        }
    }
    files.sort();
    files
}

/// Runs the binary.
///
/// # Panics
/// When it takes too long.
fn start(binary: &Path, work: &Path, arguments: &[String], standard_input: Option<&[u8]>) -> Answer {
    let file = |name: &str| work.with_file_name(name);
    let create = |name: &str| File::create(file(name)).expect("the folder of the worker can be written");
    let input = match standard_input {
        Some(text) => {
            fs::write(file("stdin"), text).expect("the folder of the worker can be written");
            Stdio::from(File::open(file("stdin")).expect("it was written"))
        }
        None => Stdio::null(),
    };
    let mut child = Command::new(binary)
        .args(arguments)
        .current_dir(work)
        .env("HOME", work)
        .env("TMPDIR", work.parent().unwrap_or(work))
        .env_remove("RUST_BACKTRACE")
        .stdin(input)
        .stdout(create("stdout"))
        .stderr(create("stderr"))
        .spawn()
        .expect("the binary can be started");
    let began = Instant::now();
    let mut pause = Duration::from_micros(200);
    let status = loop {
        if let Some(status) = child.try_wait().expect("it is our child") {
            break status;
        }
        if began.elapsed() > LONGEST {
            let _ = child.kill();
            let _ = child.wait();
            panic!("timeout: reconverge {}", arguments.join(" "));
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    };
    let messages = String::from_utf8_lossy(&fs::read(file("stderr")).unwrap_or_default()).into_owned();
    Answer { status: status.code(), output: fs::read(file("stdout")).unwrap_or_default(), messages }
}

/// What has to hold of every answer.
fn judge(arguments: &[String], answer: &Answer) -> Outcome {
    let line = arguments.join(" ");
    let last: String = answer.messages.lines().rev().take(6).collect::<Vec<_>>().join("\n");
    // The binary contains a panic: it is one line, which asks to report it.
    let bug = answer.messages.lines().find(|line| line.contains("internal error in ") || line.contains("panicked at"));
    assert!(bug.is_none(), "{}\nreconverge {line}", bug.unwrap_or_default());
    let Some(status) = answer.status else { panic!("ended by a signal: reconverge {line}\n{last}") };
    assert!(
        (0..=2).contains(&status),
        "exit status {status}: {}\nreconverge {line}\n{last}",
        arguments.first().map_or("", String::as_str)
    );
    assert!(
        status != 2 || !answer.messages.trim().is_empty(),
        "exit status 2 without a message: {}\nreconverge {line}",
        arguments.first().map_or("", String::as_str)
    );
    let mut outcome = Outcome { past_reader: status != 2, findings: usize::from(status == 1), ..Outcome::default() };
    let is_json = arguments.windows(2).any(|pair| pair[0] == "--format" && (pair[1] == "json" || pair[1] == "sarif"));
    if is_json && !answer.output.is_empty() {
        let parsed = serde_json::from_slice::<serde_json::Value>(&answer.output);
        assert!(
            parsed.is_ok(),
            "{}: not JSON: reconverge {line}",
            parsed.err().map_or_else(String::new, |error| error.to_string())
        );
    }
    answer.messages.lines().take(1).for_each(|message| outcome.saw(message));
    outcome.saw(&format!("{} {status}", arguments.first().map_or("", String::as_str)));
    outcome
}

/// Arguments, and the files that they write.
fn arguments(input: &Input, first: &str, rng: &mut SplitMix64) -> (Vec<String>, Vec<String>) {
    const VERBS: [&str; 11] = [
        "check",
        "uniformity",
        "cycles",
        "regions",
        "trace",
        "run",
        "lower",
        "transform",
        "validate",
        "explain",
        "check",
    ];
    let verb = VERBS[rng.below(VERBS.len())];
    let mut written = Vec::new();
    let mut line: Vec<String> = vec![verb.to_owned()];
    let push = |line: &mut Vec<String>, words: &[&str]| line.extend(words.iter().map(|word| (*word).to_owned()));
    if verb == "transform" {
        let passes = [
            "infer-tokens",
            "strip-tokens",
            "inline",
            "unroll=4",
            "unroll=2,keep-tests",
            "hoist-anchors",
            "sink-anchors",
            "infer-noconvergent",
            "reduce-cycles",
            "hoist-operations",
            "sink-operations",
            "unroll=0",
            "no-such-pass",
        ];
        push(&mut line, &[passes[rng.below(passes.len())]]);
    }
    if verb == "explain" {
        push(&mut line, &[["RC0113", "RC0201", "RC0509", "RC0001", "rc0113", ""][rng.below(6)]]);
    } else {
        let inputs: &[&str] = match rng.below(30) {
            0 => &["-"],
            1 => &["."],
            2 => &["no-such-file.ll"],
            3 if input.second.is_some() => &["folder"],
            4 => &["/dev/null"],
            _ => &[],
        };
        let inputs = if inputs.is_empty() { vec![first] } else { inputs.to_vec() };
        push(&mut line, &inputs);
        if verb == "validate" {
            let other = if input.second.is_some() { "folder/second.ll" } else { first };
            push(&mut line, &[other, "--runs", "3", "--max-instructions", "20K"]);
        } else if rng.percent(10) && !matches!(verb, "run" | "lower") {
            push(&mut line, &[if input.second.is_some() { "folder/second.ll" } else { first }]);
        }
        if inputs == ["-"] && matches!(input.kind, Kind::Source(_)) {
            let kind = ["cl", "cuda", "hip", "c++", "ll"][rng.below(5)];
            push(&mut line, &["--input-format", kind]);
        }
    }
    if matches!(verb, "lower" | "transform") {
        let out = ["out.ll", "-", "no/such/folder/x.ll", first][[0, 0, 0, 1, 1, 1, 1, 1, 1, 2, 3][rng.below(11)]];
        if out == first || out == "out.ll" {
            written.push(out.to_owned());
        }
        push(&mut line, &["-o", out]);
    }
    if verb == "trace" {
        let text = String::from_utf8_lossy(&input.text);
        let function = match input.kind {
            Kind::Ir => text.split("\ndefine").nth(1).and_then(|rest| rest.split(['@', '(']).nth(1)).unwrap_or("k"),
            _ => "k",
        };
        push(&mut line, &["--function", [function, function, function, function, "main", ""][rng.below(6)]]);
        let labels: Vec<&str> = text.lines().filter_map(|line| line.strip_suffix(':')).take(12).collect();
        for _ in 0..1 + rng.below(2) {
            let first = labels.first().copied().unwrap_or("entry");
            let some = labels[..labels.len().min(1 + rng.below(4))].join(",");
            push(&mut line, &["--thread", [first, first, &some, &some, "", "b.0,,b.1", "\"a", "op"][rng.below(8)]]);
        }
        push(&mut line, &["--model", ["all", "maximal", "controlled", "ipdom", "clang-2025-08"][rng.below(5)]]);
        if rng.percent(70) {
            push(&mut line, &["--partial"]);
        }
    }
    if verb == "run" {
        push(&mut line, &["--max-instructions", "50K", "--max-memory", "16M"]);
        let options: [&[&str]; 14] = [
            &["--grid", "3"],
            &["--block", "8,2"],
            &["--subgroup", "16"],
            &["--model", "all"],
            &["--model", "ipdom"],
            &["--schedule", "fair"],
            &["--schedule", "random:7"],
            &["--anchor", "solo"],
            &["--events", "3"],
            &["--no-races"],
            &["--grid", "4294967295,65535"],
            &["--block", "0"],
            &["--hierarchy", "2"],
            &["--masks", "concurrent"],
        ];
        for _ in 0..rng.below(4) {
            push(&mut line, options[rng.below(options.len())]);
        }
        for argument in [
            "in=u32[16]{iota}",
            "out=u32[4096]",
            "a=3",
            "b=4",
            "n=8",
            "nx=8",
            "0=u32[64]{random}",
            "1=f32[8]{nan}",
            "data=u32[64]",
            "p=null",
        ] {
            if rng.percent(45) {
                push(&mut line, &["--arg", argument]);
            }
        }
    }
    if matches!(verb, "uniformity") && rng.percent(50) {
        push(
            &mut line,
            &[
                "--explain",
                ["a.ll:12", "a.ll:20", "a.ll:9", "%v.0", "entry", "%", ":", "x.cl:1"][rng.below(8)],
                "--scope",
                "workgroup",
            ],
        );
    }
    if verb == "cycles" && rng.percent(50) {
        push(&mut line, &["--all-hierarchies"]);
    }
    if !matches!(verb, "lower" | "transform" | "explain") && rng.percent(60) {
        let formats: &[&str] = if verb == "check" {
            &["json", "sarif", "json", "sarif", "text", "xml"]
        } else {
            &["json", "json", "text"]
        };
        push(&mut line, &["--format", formats[rng.below(formats.len())]]);
    }
    let global: [&[&str]; 12] = [
        &["-q"],
        &["-v"],
        &["--strict"],
        &["--color", "always"],
        &["--target", "amdgpu"],
        &["--target", "nvptx"],
        &["--target", "none.toml"],
        &["--frontend", "builtin"],
        &["-D", "N=4"],
        &["-I", "folder"],
        &["--hints"],
        &["--function", "k"],
    ];
    let most = if rng.percent(90) { 6 } else { global.len() };
    for _ in 0..rng.below(3) {
        push(&mut line, global[rng.below(most)]);
    }
    if rng.percent(95) {
        without_repeats(&mut line);
    }
    // Without clang, which is another program.
    push(&mut line, &["--frontend", "builtin"]);
    if line.iter().filter(|word| *word == "--frontend").count() > 1 {
        line.truncate(line.len() - 2);
    }
    if rng.percent(6) {
        let (at, to) = (rng.below(line.len()), rng.below(line.len()));
        line.swap(at, to);
        written.push(first.to_owned());
        written.push("out.ll".to_owned());
    }
    // What options that were added for no reason ask for is written, too.
    written
        .extend(line.windows(2).filter(|pair| matches!(&pair[0][..], "-o" | "--output")).map(|pair| pair[1].clone()));
    (line, written)
}

/// Options that may be given once are: the first of them stays.
fn without_repeats(line: &mut Vec<String>) {
    const REPEATABLE: [&str; 4] = ["--arg", "--thread", "--explain", "--format"];
    let mut at = 0;
    while at < line.len() {
        let word = &line[at];
        let is_repeated = word.starts_with('-') && word.len() > 1 && line[..at].contains(word);
        if is_repeated && !REPEATABLE.contains(&word.as_str()) {
            let has_value = line.get(at + 1).is_some_and(|next| !next.starts_with('-'));
            line.drain(at..at + 1 + usize::from(has_value));
        } else {
            at += 1;
        }
    }
}

pub(super) fn bisect(input: &Input, place: &Place<'_>, rng: &mut SplitMix64) -> Outcome {
    let Some(binary) = place.binary else { return Outcome::default() };
    let work = fresh(place.folder);
    let write =
        |name: &str, text: &[u8]| fs::write(work.join(name), text).expect("the folder of the worker can be written");
    write("a.ll", &input.text);
    write("dump.txt", input.second.as_deref().unwrap_or_default());
    let status = [0, 0, 0, 1][rng.below(4)];
    write("opt", format!("#!/bin/sh\ncase \"$*\" in *--version*) echo 'LLVM version 22.1.0'; exit 0;; *-passes=verify*) cat a.ll; exit 0;; esac\ncat dump.txt >&2\nexit {status}\n").as_bytes());
    executable(&work.join("opt"));
    let words =
        ["bisect", "a.ll", "--passes", "default<O1>", "--opt", "./opt", "--runs", "2", "--max-instructions", "10K"];
    let mut arguments: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
    if rng.percent(50) {
        arguments.extend(["--format".to_owned(), "json".to_owned()]);
    }
    let answer = start(binary, &work, &arguments, None);
    judge(&arguments, &answer)
}

#[cfg(unix)]
fn executable(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    let _ = fs::set_permissions(path, fs::Permissions::from_mode(0o755));
}

#[cfg(not(unix))]
fn executable(_: &Path) {}
