//! `reconverge run`, through the binary: what can be asked, what is refused, and what is printed.

mod refusals;

use crate::common::{read, reconverge, root};
use expect_test::expect;
use serde_json::Value;

const REDUCTION: &str = "examples/run-block-reduction.ll";
const LOOP: &str = "examples/run-loop-with-break.ll";
const APPEND: &str = "examples/run-append.ll";
const SPIN: &str = "examples/run-spin-lock.ll";

/// What standard error says of a launch that is refused; nothing ran.
fn refusal(arguments: &[&str], input: &str) -> String {
    let all = [&["run"], arguments].concat();
    let run = reconverge(&all, input.as_bytes());
    assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{arguments:?}: {}", run.stderr);
    run.stderr
}

fn json(arguments: &[&str], input: &str) -> Value {
    let all = [&["run", "--format", "json"], arguments].concat();
    let run = reconverge(&all, input.as_bytes());
    assert!(run.status < 2, "{arguments:?}: {}", run.stderr);
    serde_json::from_str(&run.stdout).expect("JSON")
}

fn numbers(value: &Value) -> Vec<u64> {
    value.as_array().expect("a list").iter().map(|number| number.as_u64().expect("a number")).collect()
}

/// A kernel that leaves everything to its arguments.
fn kernel(parameters: &str, body: &str) -> String {
    format!(
        "target triple = \"nvptx64-nvidia-cuda\"\n\
         declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n\
         define ptx_kernel void @k({parameters}) {{\n{body}  ret void\n}}\n"
    )
}

#[test]
fn sums_of_workgroups() {
    let arguments = [REDUCTION, "--grid", "4", "--arg", "in=u32[256]{iota}", "--arg", "out=u32[4]"];
    let report = json(&arguments, "");
    let sum = |group: u64| (group * 64..(group + 1) * 64).sum::<u64>();
    assert_eq!(numbers(&report["buffers"]["out"]), (0..4).map(sum).collect::<Vec<_>>());
    assert_eq!((&report["kernel"], &report["model"]), (&"@sums".into(), &"maximal".into()));
    assert_eq!((&report["block"], &report["grid"]), (&serde_json::json!([64, 1, 1]), &serde_json::json!([4, 1, 1])));
    assert_eq!((&report["subgroup"], &report["completed"]), (&32.into(), &true.into()));
    assert!(report["instructions"].as_u64() > Some(256 * 30));
    let barrier = "@llvm.nvvm.barrier.cta.sync.aligned.all";
    let profile = report["profile"].as_array().expect("a list");
    let runs: Vec<u64> = profile.iter().map(|row| row["executions"].as_u64().expect("a number")).collect();
    assert_eq!(runs, [4, 4 * 6]);
    assert!(profile.iter().all(|row| row["op"] == barrier && row["fewest"] == 64 && row["most"] == 64));
    let events = report["events"].as_array().expect("a list");
    assert_eq!(events.len(), 28);
    assert_eq!(numbers(&events[0]["threads"]), (0..64).collect::<Vec<_>>());
    assert_eq!((&events[0]["function"], &events[0]["block"]), (&"@sums".into(), &"entry".into()));
    let cut = json(&[&arguments[..], &["--events", "3"]].concat(), "");
    assert_eq!(cut["events"].as_array().map(Vec::len), Some(3));
}

// conformance: operations/11, 11a
#[test]
fn three_models_of_one_loop() {
    let report = json(&[LOOP, "--block", "4", "--arg", "n=4", "--arg", "out=u64[4]", "--model", "all"], "");
    let results = |model: &str| numbers(&report["models"][model]["buffers"]["out"]);
    assert_eq!(results("controlled"), [3, 3, 12, 12]);
    assert_eq!(results("maximal"), [15, 15, 15, 15]);
    assert_eq!(results("ipdom"), [1, 2, 4, 8]);
    assert_eq!((&report["same_sets"], &report["same_results"]), (&false.into(), &false.into()));
    let alone = json(&[LOOP, "--block", "4", "--arg", "n=4", "--arg", "out=u64[4]"], "");
    assert_eq!((&alone["model"], numbers(&alone["buffers"]["out"])), (&"controlled".into(), vec![3, 3, 12, 12]));
    let text = reconverge(&["run", LOOP, "--block=4", "--arg=n=4", "--arg=out=u64[4]", "--model=all"], b"");
    assert_eq!(text.status, 0);
    assert!(text.stdout.contains("controlled  maximal"), "{}", text.stdout);
    assert!(text.stdout.contains("out differs from element 0 on: 3 under controlled, 15 under maximal, 1 under ipdom"));
}

/// The same records under each policy and schedule, in some order.
// conformance: operations/10a
#[test]
fn an_append_buffer_keeps_its_records() {
    let expected: Vec<u64> = (0..128).filter(|value| value % 3 == 0).collect();
    for anchor in ["maximal", "solo", "active"] {
        for schedule in ["lockstep", "fair", "random:1", "random:2"] {
            let arguments = [
                APPEND,
                "--block",
                "128",
                "--arg",
                "in=u32[128]{iota}",
                "--arg",
                "out=u32[64]",
                "--arg",
                "count=u32[1]",
                "--anchor",
                anchor,
                "--schedule",
                schedule,
            ];
            let report = json(&arguments, "");
            let count = numbers(&report["buffers"]["count"])[0] as usize;
            let mut kept = numbers(&report["buffers"]["out"])[..count].to_vec();
            kept.sort_unstable();
            assert_eq!(kept, expected, "{anchor} {schedule}");
        }
    }
}

#[test]
fn a_spin_lock_needs_progress() {
    let arguments = [SPIN, "--block", "2", "--arg", "lock=u32[1]", "--arg", "count=u32[1]"];
    let stuck = json(&arguments, "");
    assert_eq!((&stuck["diagnostics"][0]["code"], &stuck["completed"]), (&"RC0502".into(), &false.into()));
    let fair = json(&[&arguments[..], &["--schedule", "fair"]].concat(), "");
    assert_eq!((numbers(&fair["buffers"]["count"]), &fair["completed"]), (vec![2], &true.into()));
    assert_eq!(fair["diagnostics"].as_array().map(Vec::len), Some(0));
}

#[test]
fn what_is_printed() {
    let arguments = ["run", REDUCTION, "--grid", "2", "--arg", "in=u32[128]{iota}", "--arg", "out=u32[2]"];
    let print = |more: &[&str]| {
        let run = reconverge(&[&arguments[..], more].concat(), b"");
        assert_eq!(run.status, 0, "{}", run.stderr);
        run
    };
    let all = print(&[]);
    assert!(
        all.stdout.starts_with("in = u32[128]{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, … 112 more}\n"),
        "{}",
        all.stdout
    );
    assert!(all.stdout.contains("\nout = u32[2]{2016, 6112}\n"), "{}", all.stdout);
    assert!(all.stderr.starts_with("no findings; @sums: 128 threads in 2 workgroups, "), "{}", all.stderr);
    let one = print(&["--print", "out"]).stdout;
    assert!(one.starts_with("out = ") && !one.contains("in = "), "{one}");
    let three = print(&["--print", "in=3"]).stdout;
    assert!(three.starts_with("in = u32[128]{0, 1, 2, … 125 more}\n"), "{three}");
    let events = print(&["--events", "1"]).stdout;
    assert!(
        events.contains("\n  @llvm.nvvm.barrier.cta.sync.aligned.all (run-block-reduction.ll:20) {0-63}\n"),
        "{events}"
    );
    let quiet = print(&["-q"]);
    assert_eq!((quiet.stdout, quiet.stderr), (String::new(), String::new()));
    let verbose = print(&["-v"]);
    assert!(verbose.stderr.contains("model maximal: run in "), "{}", verbose.stderr);
}

/// Every type of element comes in as it is written, and goes out as it was.
#[test]
fn elements_come_back() {
    let text = kernel("ptr addrspace(1) %b", "");
    for (argument, expected) in [
        ("b=u8[2]{0,255}", "[0,255]"),
        ("b=i8[2]{-128,127}", "[-128,127]"),
        ("b=u16[1]{0xffff}", "[65535]"),
        ("b=i16[1]{-2}", "[-2]"),
        ("b=u32[1]{4294967295}", "[4294967295]"),
        ("b=i32[1]{-2147483648}", "[-2147483648]"),
        ("b=u64[1]{18446744073709551615}", "[18446744073709551615]"),
        ("b=i64[1]{-9223372036854775808}", "[-9223372036854775808]"),
        ("b=f16[3]{1.5,inf,65520}", "[1.5,\"inf\",\"inf\"]"),
        ("b=bf16[2]{-2,nan}", "[-2.0,\"nan\"]"),
        ("b=f32[2]{0.1,1e-40}", "[0.1,1e-40]"),
        ("b=f64[2]{0.1,-0.0}", "[0.1,-0.0]"),
        ("b=f32[3]{iota}", "[0.0,1.0,2.0]"),
        ("b=u8[0]", "[]"),
    ] {
        let run = reconverge(&["run", "-", "--format=json", "--arg", argument], text.as_bytes());
        let compact: String = run.stdout.split_whitespace().collect();
        assert!(compact.contains(&format!("\"buffers\":{{\"b\":{expected}}}")), "{argument}: {compact} {}", run.stderr);
    }
    let random = |seed: &str| json(&["-", "--arg", &format!("b=f32[100]{{random:{seed}}}")], &text)["buffers"].clone();
    assert_eq!(random("1"), random("1"));
    assert_ne!(random("1"), random("2"));
    let in_range = |value: &Value| value.as_f64().is_some_and(|value| (0.0..1.0).contains(&value));
    assert!(random("3")["b"].as_array().expect("a list").iter().all(in_range));
}

#[test]
fn buffers_from_files() {
    let folder = tempfile::TempDir::new().expect("a folder");
    let path = folder.path().join("data.bin");
    std::fs::write(&path, [1, 0, 0, 0, 2, 1, 0, 0]).expect("it can be written");
    let text = kernel("ptr addrspace(1) %b", "");
    let file = path.display();
    let read = |argument: String| json(&["-", "--arg", &argument], &text)["buffers"]["b"].clone();
    assert_eq!(numbers(&read(format!("b=u32@{file}"))), [1, 258]);
    assert_eq!(numbers(&read(format!("b=@{file}"))), [1, 0, 0, 0, 2, 1, 0, 0]);
    std::fs::write(&path, [0; 7]).expect("it can be written");
    let message = refusal(&["-", "--arg", &format!("b=u32@{file}")], &text);
    assert!(message.contains("expected a multiple of 4 bytes, the file has 7"), "{message}");
    let message = refusal(&["-", "--max-memory", "6", "--arg", &format!("b=@{file}")], &text);
    assert!(message.contains("the file has 7 bytes, expected at most --max-memory (6 bytes)"), "{message}");
}

#[test]
fn scalars_reach_the_kernel() {
    let text = kernel(
        "ptr addrspace(1) %out, i8 %a, <2 x i16> %v, double %d, i1 %c",
        "  %wide = sext i8 %a to i64\n\
         %v1 = extractelement <2 x i16> %v, i32 1\n\
         %w1 = zext i16 %v1 to i64\n\
         %bits = bitcast double %d to i64\n\
         %flag = zext i1 %c to i64\n\
         %p1 = getelementptr i64, ptr addrspace(1) %out, i32 1\n\
         %p2 = getelementptr i64, ptr addrspace(1) %out, i32 2\n\
         %p3 = getelementptr i64, ptr addrspace(1) %out, i32 3\n\
         store i64 %wide, ptr addrspace(1) %out\n\
         store i64 %w1, ptr addrspace(1) %p1\n\
         store i64 %bits, ptr addrspace(1) %p2\n\
         store i64 %flag, ptr addrspace(1) %p3\n",
    );
    let arguments =
        ["--arg", "out=i64[4]", "--arg", "a=-3", "--arg", "v={1,0xffff}", "--arg", "3=1.5", "--arg", "c=true"];
    let report = json(&[&["-"][..], &arguments].concat(), &text);
    assert_eq!(report["buffers"]["out"], serde_json::json!([-3, 65535, 1.5_f64.to_bits(), 1]));
}

/// What is stored to a buffer and is no number is no number there, whatever the size of an element.
#[test]
fn poison_and_undef_in_buffers() {
    let body = "  %p1 = getelementptr i16, ptr addrspace(1) %out, i32 1\n\
                %p2 = getelementptr i16, ptr addrspace(1) %out, i32 2\n\
                %p3 = getelementptr i16, ptr addrspace(1) %out, i32 3\n\
                %some = insertelement <2 x i8> undef, i8 %a, i32 0\n\
                store i16 poison, ptr addrspace(1) %p1\n\
                store i16 7, ptr addrspace(1) %p2\n\
                store <2 x i8> %some, ptr addrspace(1) %p3\n";
    let text = kernel("ptr addrspace(1) %out, i8 %a", body);
    for (out, shown) in [
        ("out=u16[5]", "out = u16[5]{0, poison, 7, undef, 0}\n"),
        ("out=i16[5]{uninit}", "out = i16[5]{undef, poison, 7, undef, undef}\n"),
        ("out=u8[9]", "out = u8[9]{0, 0, poison, poison, 7, 0, 1, undef, 0}\n"),
        ("out=f32[3]", "out = f32[3]{poison, undef, 0.0}\n"),
        ("out=u64[2]", "out = u64[2]{poison, 0}\n"),
    ] {
        let run = reconverge(&["run", "-", "--arg", out, "--arg", "a=1"], text.as_bytes());
        assert!(run.stdout.contains(shown), "{out}: {}{}", run.stdout, run.stderr);
    }
    let report = json(&["-", "--arg", "out=u16[4]", "--arg", "a=1"], &text);
    assert_eq!(report["buffers"]["out"], serde_json::json!([0, "poison", 7, "undef"]));
}

/// A parameter and a variable whose size the launch says.
#[test]
fn local_memory_of_a_size_that_the_launch_says() {
    let text = "target triple = \"nvptx64-nvidia-cuda\"
@dynamic = external addrspace(3) global [0 x i32], align 4
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @k(ptr addrspace(1) %out, ptr addrspace(3) %tile) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %one = getelementptr i32, ptr addrspace(3) @dynamic, i32 %tid
  %other = getelementptr i32, ptr addrspace(3) %tile, i32 %tid
  store i32 %tid, ptr addrspace(3) %one
  store i32 7, ptr addrspace(3) %other
  %a = load i32, ptr addrspace(3) %one
  %b = load i32, ptr addrspace(3) %other
  %sum = add i32 %a, %b
  %place = getelementptr i32, ptr addrspace(1) %out, i32 %tid
  store i32 %sum, ptr addrspace(1) %place
  ret void
}
";
    let arguments = ["-", "--block", "4", "--arg", "out=u32[4]", "--arg", "tile=u32[4]"];
    let report = json(&[&arguments[..], &["--arg", "dynamic=u32[4]"]].concat(), text);
    assert_eq!(numbers(&report["buffers"]["out"]), [7, 8, 9, 10]);
    assert_eq!(report["buffers"].as_object().map(|buffers| buffers.len()), Some(1));
    assert_eq!(report["diagnostics"], serde_json::json!([]));
    let small = json(&[&arguments[..], &["--arg", "dynamic=u32[3]"]].concat(), text);
    assert_eq!(small["diagnostics"][0]["code"], "RC0505");
    assert!(refusal(&arguments, text).contains("--arg dynamic="));
}

#[test]
fn null_pointers_and_structs_behind_pointers() {
    let text = kernel(
        "ptr addrspace(1) %out, ptr addrspace(1) %none, ptr byval({ i32, i64 }) %pair",
        "  %second = getelementptr { i32, i64 }, ptr %pair, i32 0, i32 1\n\
         %value = load i64, ptr %second\n\
         %is_null = icmp eq ptr addrspace(1) %none, null\n\
         %bit = zext i1 %is_null to i64\n\
         %sum = add i64 %value, %bit\n\
         store i64 %sum, ptr addrspace(1) %out\n",
    );
    let report = json(&["-", "--arg", "out=i64[1]", "--arg", "none=null", "--arg", "pair={5,-8}"], &text);
    assert_eq!(report["buffers"]["out"], serde_json::json!([-7]));
    let message = refusal(&["-", "--arg", "out=i64[1]", "--arg", "none=null", "--arg", "pair={5}"], &text);
    assert!(message.contains("expected 2 numbers"), "{message}");
}

/// Where the IR says where it is from, so does the table, and the events.
#[test]
fn places_in_the_source() {
    let text = "target triple = \"nvptx64-nvidia-cuda\"
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) convergent
define ptx_kernel void @k() convergent !dbg !4 {
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !6
  ret void, !dbg !6
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: \"wait.cu\", directory: \"/src\")
!2 = !{i32 2, !\"Debug Info Version\", i32 3}
!3 = !DISubroutineType(types: !5)
!4 = distinct !DISubprogram(name: \"k\", file: !1, line: 40, type: !3, unit: !0)
!5 = !{}
!6 = !DILocation(line: 42, column: 3, scope: !4)
";
    let run = reconverge(&["run", "-", "--block", "2", "--events", "5"], text.as_bytes());
    expect![[r#"
        executions, first ones first:
          @llvm.nvvm.barrier.cta.sync.aligned.all (wait.cu:42) {0,1}
        threads that ran convergent operations together:
          runs  fewest  mean  most  of  operation
             1       2   2.0     2   2  @llvm.nvvm.barrier.cta.sync.aligned.all (wait.cu:42)

    "#]]
    .assert_eq(&run.stdout);
    let report = json(&["-", "--block", "2"], text);
    let source = serde_json::json!({ "file": "/src/wait.cu", "line": 42, "column": 3 });
    assert_eq!((&report["profile"][0]["source"], &report["events"][0]["source"]), (&source, &source));
}

/// A function that is only declared and convergent is an operation: it is counted, and gives back what it gets.
#[test]
fn operations_of_ones_own() {
    let text = "declare i32 @meet(i32) convergent
define spir_kernel void @k(ptr addrspace(1) %out, i32 %n) convergent {
  %x = call i32 @meet(i32 %n)
  store i32 %x, ptr addrspace(1) %out
  ret void
}
";
    let arguments = ["-", "--block", "3", "--arg", "n=9", "--arg", "out=u32[1]", "--no-races"];
    let report = json(&arguments, text);
    let event = &report["events"][0];
    assert_eq!((&event["op"], &event["line"]), (&"@meet".into(), &3.into()));
    assert_eq!((numbers(&event["threads"]), numbers(&event["results"])), (vec![0, 1, 2], vec![9, 9, 9]));
    assert_eq!(numbers(&report["buffers"]["out"]), [9]);
}

/// Results of workgroups that run side by side are those of workgroups that run in turn.
#[test]
fn any_number_of_cores() {
    let run = |threads: &str| {
        let arguments =
            ["-j", threads, "run", REDUCTION, "--grid", "40", "--arg=in=u32[2560]{random:3}", "--arg=out=u32[40]"];
        let run = reconverge(&[&arguments[..], &["--format=json", "--events=50"]].concat(), b"");
        assert_eq!(run.status, 0, "{}", run.stderr);
        run.stdout
    };
    let one = run("1");
    assert_eq!(one, run("2"));
    assert_eq!(one, run("7"));
}

#[test]
fn a_run_that_does_not_end_is_ended() {
    let text = kernel(
        "",
        "  br label %for_ever\nfor_ever:\n  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n  br label %for_ever\nnever:\n",
    );
    let run = reconverge(&["run", "-", "--block", "2", "--max-instructions", "1K"], text.as_bytes());
    assert_eq!(run.status, 1, "{}", run.stderr);
    assert!(run.stdout.contains("error[RC0509]"), "{}", run.stdout);
    assert!(run.stderr.contains("ended early"), "{}", run.stderr);
}

/// Ctrl-C: what was known is printed, and the status says what happened.
#[cfg(target_os = "linux")]
#[test]
fn interrupted() {
    use std::io::{BufRead, BufReader, Read, Write};
    use std::process::{Command, Stdio};
    // It counts, so that it is not found to repeat itself.
    let body = "  %n = alloca i32\n  store i32 0, ptr %n\n  store i32 7, ptr addrspace(1) %out\n  br label %for_ever\nfor_ever:\n  \
                %old = load i32, ptr %n\n  %new = add i32 %old, 1\n  store i32 %new, ptr %n\n  br label %for_ever\nnever:\n";
    // Where the tests run in the background, the signal is ignored, and it would stay so.
    let mut child = Command::new("env")
        .args(["--default-signal=INT", env!("CARGO_BIN_EXE_reconverge")])
        .args(["run", "-", "-v", "--arg", "out=u32[1]", "--max-instructions", "100T"])
        .current_dir(root())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let text = kernel("ptr addrspace(1) %out", body);
    child.stdin.take().expect("a pipe").write_all(text.as_bytes()).expect("it is read");
    let mut messages = BufReader::new(child.stderr.take().expect("a pipe"));
    let mut first = String::new();
    messages.read_line(&mut first).expect("a line");
    assert!(first.contains("read and prepared"), "{first}");
    // It runs from now on; before that, the signal would end it without a word.
    std::thread::sleep(std::time::Duration::from_secs(2));
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("there is a kill");
    assert!(kill.success());
    let output = child.wait_with_output().expect("the binary ends");
    let (stdout, mut stderr) = (String::from_utf8_lossy(&output.stdout), String::new());
    messages.read_to_string(&mut stderr).expect("text");
    assert_eq!(output.status.code(), Some(130), "{stderr}");
    assert!(stdout.contains("out = u32[1]{7}"), "{stdout}");
    assert!(stderr.contains("\ninterrupted: ") && stderr.contains("ended early"), "{stderr}");
}

/// Whatever the text is, there is a result or an error; `reconverge` looks for panics.
#[test]
fn changed_examples_are_survived() {
    let examples: Vec<(String, Vec<String>)> = [
        (REDUCTION, &["in=u32[64]{iota}", "out=u32[4]"][..]),
        (LOOP, &["n=4", "out=u64[64]"]),
        (APPEND, &["in=u32[64]{iota}", "out=u32[64]", "count=u32[1]"]),
        (SPIN, &["lock=u32[1]", "count=u32[1]"]),
    ]
    .map(|(path, arguments)| (read(path), arguments.iter().map(|argument| format!("--arg={argument}")).collect()))
    .to_vec();
    // Constants, types and operands are changed into others, which the reader lets pass.
    const CHANGES: [(&str, &str); 16] = [
        ("i32", "i64"),
        ("i32", "i1"),
        ("add", "sdiv"),
        ("add", "shl"),
        ("ult", "sgt"),
        ("i1 true", "i1 undef"),
        ("1", "0"),
        ("0", "-1"),
        ("64", "3"),
        ("addrspace(1)", "addrspace(3)"),
        ("addrspace(3)", "addrspace(5)"),
        ("label %done", "label %latch"),
        ("load i32", "load i128"),
        ("convergent", ""),
        ("monotonic", "seq_cst"),
        ("tid", "place"),
    ];
    let mut state = 0x1357_9bdf_2468_ace0_u64;
    let mut random = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below as u64) as usize
    };
    for round in 0..100 {
        let (text, arguments) = &examples[round % examples.len()];
        let mut text = text.clone();
        for _ in 0..1 + random(3) {
            let (from, to) = CHANGES[random(CHANGES.len())];
            let places: Vec<usize> = text.match_indices(from).map(|(place, _)| place).collect();
            if !places.is_empty() {
                let place = places[random(places.len())];
                text.replace_range(place..place + from.len(), to);
            }
        }
        let mut all = ["run", "-", "--block=64", "--max-instructions=200K", "--model=all"].map(str::to_owned).to_vec();
        all.extend_from_slice(arguments);
        let run = reconverge(&all, text.as_bytes());
        assert!(run.status != 2 || run.stderr.starts_with("reconverge: <stdin>:"), "{}", run.stderr);
    }
}

/// Source in each language: what is wrong with a `printf` is said at its line.
#[test]
fn printf_in_source() {
    let found = |language: &str, call: &str| -> Vec<(String, String)> {
        let kernel = if language == "cl" { "kernel" } else { "__global__" };
        let source = format!("{kernel} void k() {{\n  {call};\n}}\n");
        let report = json(&["-", "--input-format", language, "--frontend", "builtin"], &source);
        let diagnostics = report["diagnostics"].as_array().expect("a list");
        diagnostics
            .iter()
            .map(|diagnostic| {
                assert_eq!((&diagnostic["code"], &diagnostic["source"]["line"]), (&"RC0512".into(), &2.into()));
                let text = |field: &str| diagnostic[field].as_str().expect("text").to_owned();
                (text("severity"), text("message"))
            })
            .collect()
    };
    for (language, call) in [
        ("cl", r#"printf("%5.2f %% %v4hld %-08lx %c\n", 1.5, (int4)(1), 2L, 'c')"#),
        ("cl", r#"printf("%p %s %v2hlf\n", (void *)0, "text", (float2)(1.0f))"#),
        ("cl", r#"printf("%hhd %v3hhd %v8hx", (char)1, (char3)(1), (ushort8)(2))"#),
        ("cuda", r#"printf("%5.2f %% %-08lx %c %lld %*d\n", 1.5f, 2L, 'c', 3ll, 4, 5)"#),
        ("cuda", r#"printf("%p %s\n", (void *)0, "text")"#),
        ("hip", r#"printf("%5.2f %zu %s\n", 1.5f, sizeof(int), "text")"#),
    ] {
        assert_eq!(found(language, call), [], "{call}");
    }
    for (language, call, severity, message) in [
        ("cl", r#"printf("%n", 1)"#, "error", "`%n` is not supported by printf in OpenCL C"),
        (
            "cl",
            r#"printf("%d\n", 1L)"#,
            "error",
            "`%d` takes an integer of 32 bits, and argument 1 is an integer of 64 bits",
        ),
        ("cuda", r#"printf("%d %")"#, "error", "the format ends inside of the conversion `%`"),
        (
            "cuda",
            r#"printf("%d\n", 1, 2)"#,
            "warning",
            "the call passes 2 arguments, and the format takes 1: the others are ignored",
        ),
        ("cuda", r#"printf("%s\n", (char *)0)"#, "error", "argument 1 for `%s` is a null pointer"),
        ("cuda", r#"char text[2] = {'a', 'b'}; printf(text)"#, "error", "the format has no zero at its end"),
        (
            "hip",
            r#"printf("%d\n", 1.5f)"#,
            "error",
            "`%d` takes an integer of 32 bits, and argument 1 is a floating-point number of 64 bits",
        ),
    ] {
        let found = found(language, call);
        assert!(found.len() == 1 && found[0].0 == severity && found[0].1.starts_with(message), "{call}: {found:?}");
    }
}

/// `--target` decides which memory is private, as the triple of a module would.
#[test]
fn the_target_of_an_option_is_that_of_the_run() {
    let text = "@v = internal addrspace(5) global i32 7\n\
                declare i32 @llvm.amdgcn.workitem.id.x()\n\
                define amdgpu_kernel void @k(ptr addrspace(1) %out) {\n\
                \x20 %t = call i32 @llvm.amdgcn.workitem.id.x()\n  %a = load i32, ptr addrspace(5) @v\n\
                \x20 %b = add i32 %a, %t\n  store i32 %b, ptr addrspace(5) @v\n  %c = load i32, ptr addrspace(5) @v\n\
                \x20 %p = getelementptr i32, ptr addrspace(1) %out, i32 %t\n  store i32 %c, ptr addrspace(1) %p\n  ret void\n}\n";
    let arguments = ["-", "--kernel", "k", "--block", "4", "--arg", "out=u32[4]"];
    let by_option = json(&[&arguments[..], &["--target", "amdgpu"]].concat(), text);
    let by_triple = json(&arguments, &format!("target triple = \"amdgcn-amd-amdhsa\"\n{text}"));
    for run in [by_option, by_triple] {
        assert_eq!(numbers(&run["buffers"]["out"]), [7, 8, 9, 10], "{run}");
        assert_eq!(run["diagnostics"], serde_json::json!([]));
    }
}

/// HIP's `__reduce_xor_sync`: threads that are converged, with masks of halves, get what those of their half have.
#[test]
fn a_reduction_of_hip() {
    let source = "__global__ void k(unsigned *out) {\n  \
                  unsigned long long mask = threadIdx.x < 4 ? 0x0f : 0xf0;\n  \
                  out[threadIdx.x] = __reduce_xor_sync(mask, 1u << threadIdx.x);\n}\n";
    let launch = ["--block", "8", "--arg", "out=u32[8]"];
    let hip = [&["-", "--input-format", "hip", "--frontend", "builtin"][..], &launch].concat();
    let report = json(&hip, source);
    assert_eq!(numbers(&report["buffers"]["out"]), [0xf, 0xf, 0xf, 0xf, 0xf0, 0xf0, 0xf0, 0xf0]);
}
