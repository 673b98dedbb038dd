//! What bounds a run, through the binary; and that commands do the same each time, whatever `-j` says.

use reconverge_testing::rounds::times;

use crate::common::reconverge;

/// Each work-item stores a number.
const STORE: &str = "kernel void k(global int *o, int n) { o[get_global_id(0)] = n; }";
/// Who has the lock leaves the loop, and waits for the others behind it.
const LOCK: &str = "__global__ void k(int *lock, int *count) {\n  while (atomicCAS(lock, 0, 1) != 0) {}\n  \
                    *count = *count + 1;\n  atomicExch(lock, 0);\n}";
const REDUCTION: &str = "examples/run-block-reduction.ll";

/// Each call needs another one.
const RECURSION: &str = "__device__ int f(int n) { return n == 0 ? 0 : 1 + f(n - 1); }\n\
                         __global__ void k(int *o) { o[0] = f(20); }";
/// An operation at which nobody waits, in each round.
const ROUNDS: &str = "target triple = \"nvptx64-nvidia-cuda\"\n\
    declare void @operation() convergent\n\
    define ptx_kernel void @k(ptr addrspace(1) %o) convergent {\nentry:\n  br label %again\nagain:\n  \
    %i = phi i32 [ 0, %entry ], [ %next, %again ]\n  call void @operation() convergent\n  \
    %next = add i32 %i, 1\n  %more = icmp ult i32 %next, 10\n  br i1 %more, label %again, label %end\nend:\n  ret void\n}\n";

/// A kernel that passes a limit which is set to a small value.
struct Case {
    limit: &'static str,
    value: &'static str,
    arguments: &'static [&'static str],
    text: &'static str,
    /// What is said of it.
    message: &'static str,
}

const CASES: &[Case] = &[
    Case {
        limit: "run-steps",
        value: "100",
        arguments: &["--input-format", "cuda"],
        text: RECURSION,
        message: "error[RC0509]: the limit of 100 steps is reached ",
    },
    Case {
        limit: "call-depth",
        value: "5",
        arguments: &["--input-format", "cuda"],
        text: RECURSION,
        message: "error[RC0509]: more than 5 calls in one another ",
    },
    Case {
        limit: "call-bytes",
        value: "20K",
        arguments: &["--input-format", "cuda"],
        text: RECURSION,
        message: "error[RC0509]: calls in one another need more than 20480 bytes ",
    },
    Case {
        limit: "run-records",
        value: "5",
        arguments: &["--model", "maximal"],
        text: ROUNDS,
        message: "error[RC0509]: more than 5 executions that other threads may still join ",
    },
];

#[test]
fn every_limit_is_named_where_it_is_passed() {
    for case in CASES {
        let setting = format!("{}={}", case.limit, case.value);
        let arguments = [&["run", "-", "--block", "4", "--no-races", "--arg", "o=u32[1]"], case.arguments].concat();
        let run = reconverge(&[&arguments[..], &["--limit", &setting]].concat(), case.text.as_bytes());
        assert_eq!(run.status, 1, "{}: {run:?}", case.limit);
        let said = format!("{}(--limit {}=N raises this)", case.message, case.limit);
        assert!(run.stdout.contains(&said), "{}: {run:?}", case.limit);
        // With the default nobody is stopped.
        let run = reconverge(&arguments, case.text.as_bytes());
        assert_eq!(run.status, 0, "{}: {run:?}", case.limit);
    }
}

/// Who asks for more events than may be kept is told before anything runs.
#[test]
fn events_that_are_kept() {
    let asked = Case {
        limit: "events",
        value: "3",
        arguments: &["--model", "maximal", "--events", "4"],
        text: ROUNDS,
        message: "--events 4: at most 3 executions are kept ",
    };
    let arguments = [&["run", "-", "--arg", "o=u32[1]"], asked.arguments].concat();
    let setting = format!("{}={}", asked.limit, asked.value);
    let run = reconverge(&[&arguments[..], &["--limit", &setting]].concat(), asked.text.as_bytes());
    assert_eq!((run.status, &run.stdout[..]), (2, ""), "{run:?}");
    let said = format!("{}(--limit {}=N raises this)", asked.message, asked.limit);
    assert!(run.stderr.contains(&said), "{run:?}");
    let run = reconverge(&arguments, asked.text.as_bytes());
    assert_eq!(run.status, 0, "{run:?}");
    // JSON has 1000 of them where nobody says how many, and no more than may be kept.
    let json = ["run", "-", "--arg", "o=u32[1]", "--model", "maximal", "--format", "json", "--limit", &setting];
    let run = reconverge(&json, asked.text.as_bytes());
    let json: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
    assert_eq!(json["events"].as_array().map(Vec::len), Some(3), "{run:?}");
}

/// Workgroups that tell each other something by volatile or atomic accesses run in order, whatever `-j` says.
#[test]
fn volatile_accesses_are_in_order() {
    for (load, store) in [
        ("load volatile i32, ptr addrspace(1) %o", "store volatile i32 %more, ptr addrspace(1) %o"),
        ("load atomic i32, ptr addrspace(1) %o monotonic, align 4", "store i32 %more, ptr addrspace(1) %o"),
        ("load i32, ptr addrspace(1) %o", "store atomic i32 %more, ptr addrspace(1) %o monotonic, align 4"),
    ] {
        let text = format!(
            "target triple = \"nvptx64-nvidia-cuda\"\n\
             define ptx_kernel void @k(ptr addrspace(1) %o) {{\n  %old = {load}\n  \
             %more = add i32 %old, 1\n  {store}\n  ret void\n}}\n"
        );
        let arguments = ["run", "-", "--grid", "20000", "--arg", "o=u32[1]", "-j", "2"];
        let run = reconverge(&arguments, text.as_bytes());
        assert_eq!(run.status, 0, "{load}: {run:?}");
        assert!(run.stdout.contains("{20000}"), "{load}: {run:?}");
    }
}

#[test]
fn a_grid_is_cut_at_the_limit() {
    for grid in ["1000000", "4294967295", "65536,16777215"] {
        let arguments =
            ["run", "-", "--input-format", "cl", "--max-instructions", "100K", "--grid", grid, "--arg", "n=1"];
        let run = reconverge(&[&arguments[..], &["--arg", "o=u32[1000000]"]].concat(), STORE.as_bytes());
        assert_eq!(run.status, 1, "{}", run.stderr);
        assert!(run.stdout.contains("error[RC0509]") && run.stdout.contains(" ran to the end"), "{}", run.stdout);
    }
}

#[test]
fn a_lock_inside_a_subgroup_is_livelock_under_every_model() {
    for model in ["clang-2025-04", "clang-2025-08", "tangles-2024-10", "maximal", "ipdom", "all"] {
        let arguments = ["run", "-", "--input-format", "cuda", "--block", "32", "--model", model];
        let buffers = ["--arg", "lock=u32[1]", "--arg", "count=u32[1]"];
        for (arch, severity, status) in [("sm_60", "error", 1), ("sm_70", "warning", 0)] {
            let run = reconverge(&[&arguments[..], &buffers, &["--arch", arch]].concat(), LOCK.as_bytes());
            assert_eq!(run.status, status, "{model}: {}", run.stderr);
            assert!(run.stdout.contains(&format!("{severity}[RC0502]")), "{model}: {}", run.stdout);
        }
    }
}

#[test]
fn the_models_share_a_limit() {
    let arguments = ["run", REDUCTION, "--block", "64", "--arg", "in=u32[64]{iota}", "--arg", "out=u32[1]"];
    let with = |limit: &str| {
        let limited = ["--model", "all", "--max-instructions", limit, "--format", "json"];
        let run = reconverge(&[&arguments[..], &limited].concat(), b"");
        let json: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
        let models = json["models"].as_object().expect("models").values().cloned().collect::<Vec<_>>();
        let sum: u64 = models.iter().map(|model| model["instructions"].as_u64().expect("a number")).sum();
        (run.status, sum, models.iter().all(|model| model["completed"] == true))
    };
    let (status, all, completed) = with("1G");
    assert!(status == 0 && completed);
    let (status, some, completed) = with("300");
    assert!(status == 1 && some < all && !completed, "{some} of {all}");
}

/// Ten commands: bytes and status.
#[test]
fn commands_do_the_same_each_time() {
    let limited =
        ["run", "-", "--input-format", "cl", "--max-instructions", "50K", "--grid", "100000", "--arg", "n=1", "--arg"];
    let limited = [&limited[..], &["o=u32[100000]"]].concat();
    let racing = "target triple = \"nvptx64-nvidia-cuda\"\n\
         declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n\
         define ptx_kernel void @k(ptr addrspace(1) %out) {\n  \
         %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n  store i32 %tid, ptr addrspace(1) %out\n  ret void\n}\n";
    let commands: [(&[&str], &str); 11] = [
        (&["check", "examples", "tests/cases"], ""),
        (&["check", "examples", "--format", "json"], ""),
        (&["uniformity", "examples", "--format", "json"], ""),
        (&limited, STORE),
        (&["run", "-", "--block", "64", "--arg", "out=u32[1]"], racing),
        (&["validate", "examples/change-before.ll", "examples/change-after.ll", "--format", "json"], ""),
        (&["transform", "infer-tokens", REDUCTION, "-o", "-"], ""),
        (&["trace", "examples/valid-loop-heart.ll", "--function", "f", "--thread", "entry"], ""),
        (&["cycles", "examples", "--all-hierarchies"], ""),
        (&["regions", "examples"], ""),
        (&["lower", "examples/retry.cl", "-o", "-"], ""),
    ];
    for (arguments, input) in commands {
        let run = |threads: &str| {
            let run = reconverge(&[arguments, &["-j", threads]].concat(), input.as_bytes());
            (run.status, run.stdout, run.stderr)
        };
        let first = run("1");
        for number in 1..times(2).max(2) {
            let threads = ["1", "2"][number as usize % 2];
            assert_eq!(run(threads), first, "{arguments:?} -j {threads}");
        }
    }
}

/// A text for `printf` that ends further on than the limit.
#[test]
fn text_for_printf_is_looked_at_up_to_a_limit() {
    struct Case {
        limit: &'static str,
        source: &'static str,
    }
    let case =
        Case { limit: "printf-bytes", source: "__global__ void k(const char *text) {\n  printf(\"%s\\n\", text);\n}" };
    let run = |value: &str| {
        let limit = format!("{}={value}", case.limit);
        let arguments =
            ["run", "-", "--input-format", "cuda", "--arg", "text=u8[8]{97,97,97,97,97,97,97,0}", "--limit", &limit];
        reconverge(&arguments, case.source.as_bytes())
    };
    let ended = run("7");
    assert_eq!(ended.status, 1, "{}", ended.stderr);
    let message = "argument 1 for `%s` has no zero in its first 7 bytes (--limit printf-bytes)";
    assert!(ended.stdout.contains(&format!("error[RC0512]: {message}\n --> <stdin>:2:3")), "{}", ended.stdout);
    let ended = run("8");
    assert_eq!((ended.status, ended.stdout.contains("RC0512")), (0, false), "{}", ended.stdout);
}

/// As many elements as no memory has: the copy leaves its buffer, and nothing overflows.
#[test]
fn a_copy_of_more_than_there_is_leaves_its_buffer() {
    let text = "__kernel void k(__global int *a, ulong n, ulong step) {
      __local int s[64];
      wait_group_events(1, (event_t[]){step == 1 ? async_work_group_copy(s, a, n, 0) : async_work_group_strided_copy(s, a, n, step, 0)});
      a[0] = s[0];
    }";
    for step in ["1", "0", "3", "18446744073709551615"] {
        let step = format!("step={step}");
        let arguments = ["run", "-", "--input-format", "cl", "--frontend", "builtin", "--block", "4"];
        let launch = ["--arg", "a=i32[64]", "--arg", "n=18446744073709551615", "--arg", &step];
        let run = crate::common::reconverge(&[&arguments[..], &launch].concat(), text.as_bytes());
        assert!(run.status == 1 && run.stdout.contains("[RC0505]"), "{step}: {run:?}");
    }
}
