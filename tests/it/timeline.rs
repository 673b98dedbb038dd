//! Timelines: what `report` and `run --timeline` show is what `run` and `trace` print.

use std::collections::BTreeSet;

use expect_test::expect;
use serde_json::Value;

use crate::common::{Folder, read, reconverge, root, words};

/// A loop that threads leave one by one, an exchange, a branch, a ballot, a barrier, and a thread that ends early.
const KERNEL: &str = "__global__ void step(int *out, int n) {
    int i = threadIdx.x;
    int sum = i;
    for (int k = 0; k < i % 3; ++k)
        sum += __shfl_xor_sync(__activemask(), sum, 1);
    if (i < n) {
        sum += 2;
    } else {
        sum -= 1;
    }
    unsigned all = __ballot_sync(__activemask(), sum > 2);
    __syncthreads();
    out[i] = sum + all;
    if (i == 3) return;
    out[i] += __shfl_down_sync(__activemask(), sum, 1);
}
";

/// A barrier that only some threads reach, while the others end.
const STUCK: &str = "kernel void stuck(global int *out) {
    if (get_local_id(0) < 2)
        barrier(CLK_LOCAL_MEM_FENCE);
    else
        out[get_local_id(0)] = 1;
}
";

fn json(arguments: &[&str]) -> Value {
    let run = reconverge(arguments, b"");
    serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {}", run.stderr))
}

/// The timelines of a report.
fn report(arguments: &[&str]) -> Vec<Value> {
    let run = reconverge(&[&["report"], arguments, &["-o", "-"]].concat(), b"");
    assert_eq!(run.status, 0, "{}", run.stderr);
    let (_, behind) = run.stdout.split_once(r#"<script type="application/json" id="data">"#).expect("data");
    let (data, _) = behind.split_once("</script>").expect("the end of the data");
    let data: Value = serde_json::from_str(data).expect("JSON");
    data["time"]["all"].as_array().expect("timelines").clone()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// The threads that a slider shows as running in a column.
fn running(timeline: &Value, column: usize) -> BTreeSet<u64> {
    let runs = |row: &&Value| row["states"].as_str().expect("states").as_bytes()[column] == b'r';
    let rows = list(&timeline["rows"]).iter().filter(runs);
    rows.flat_map(|row| list(&row["threads"])).map(|thread| thread.as_u64().expect("a number")).collect()
}

fn numbers(value: &Value) -> BTreeSet<u64> {
    list(value).iter().map(|number| number.as_u64().expect("a number")).collect()
}

/// The command of a timeline, with JSON in place of text.
fn repeated(timeline: &Value) -> Value {
    let command = words(timeline["command"].as_str().expect("a command"));
    let mut arguments: Vec<&str> = command[1..].iter().map(String::as_str).collect();
    arguments.extend(["--format", "json"]);
    json(&arguments)
}

/// Each step of an operation has the threads, results and sources that `run` printed, and no execution is missing; and this under each model.
#[test]
fn a_step_shows_the_sets_that_run_printed() {
    let folder = Folder::with(&[("step.cu", KERNEL)]);
    let path = folder.path("step.cu").display().to_string();
    let inputs: [&[&str]; 3] = [
        &[&path, "--block", "8", "--arg", "n=4", "--arg", "out=i32[8]"],
        &["examples/run-loop-with-break.ll", "--block", "4", "--arg", "n=4", "--arg", "out=u64[4]"],
        &["examples/block-sum.cu"],
    ];
    for input in inputs {
        let timelines = report(input);
        assert!(timelines.len() >= 2, "{input:?}");
        for timeline in &timelines {
            let run = repeated(timeline);
            let events: Vec<&Value> = list(&run["events"]).iter().filter(|event| event["workgroup"] == 0).collect();
            let mut seen = BTreeSet::new();
            for (number, column) in list(&timeline["columns"]).iter().enumerate() {
                let set = &timeline["sets"][column["set"].as_u64().expect("a set") as usize];
                assert_eq!(running(timeline, number), numbers(&set["threads"]), "{timeline}");
                let Some(event) = column["event"].as_u64() else { continue };
                let said = events[event as usize];
                assert_eq!(running(timeline, number), numbers(&said["threads"]), "{said}");
                let results =
                    |of: &Value| list(of).iter().map(|one| one.to_string().replace('"', "")).collect::<Vec<_>>();
                assert_eq!(results(&column["results"]), results(&said["results"]));
                assert_eq!(column["from"], said["from"]);
                assert!(seen.insert(event), "an execution is one step");
            }
            assert_eq!(seen.len(), events.len(), "{input:?}: {}", timeline["model"]);
            // The timeline of the command itself is the same, but for what is about the IR: that has no tokens under some models.
            let without_ir = |of: &Value| {
                let mut columns = list(&of["columns"]).to_vec();
                for column in columns.iter_mut().filter_map(Value::as_object_mut) {
                    column.retain(|name, _| name != "ir" && name != "blocks");
                }
                columns
            };
            assert_eq!(without_ir(&run["timeline"]), without_ir(timeline));
        }
    }
}

#[test]
fn json_of_a_run_says_who_waited_and_ended_when_and_got_whose_value() {
    let folder = Folder::with(&[("step.cu", KERNEL), ("stuck.cl", STUCK)]);
    let path = folder.path("step.cu").display().to_string();
    let run = json(&["run", &path, "--block", "4", "--arg", "n=2", "--arg", "out=i32[4]", "--format", "json"]);
    let told: Vec<String> = list(&run["events"])
        .iter()
        .map(|event| format!("{} {} since {} from {}", event["line"], event["threads"], event["since"], event["from"]))
        .collect();
    expect![[r#"
        5 [1,2] since [0,0] from null
        5 [1,2] since [1,1] from null
        5 [2] since [2] from null
        5 [2] since [3] from null
        11 [0,1,2,3] since [4,4,4,4] from null
        11 [0,1,2,3] since [5,5,5,5] from null
        12 [0,1,2,3] since [6,6,6,6] from null
        15 [0,1,2] since [7,7,7] from null
        15 [0,1,2] since [8,8,8] from [1,2,null]"#]]
    .assert_eq(&told.join("\n"));
    expect![[r#"[{"after":7,"threads":[3],"workgroup":0},{"after":9,"threads":[0,1,2],"workgroup":0}] []"#]]
        .assert_eq(&format!("{} {}", run["ends"], run["waiting"]));

    let path = folder.path("stuck.cl").display().to_string();
    let run = json(&["run", &path, "--block", "4", "--arg", "out=i32[4]", "--format", "json"]);
    let waiting =
        list(&run["waiting"]).iter().map(|one| format!("{} {} since {}", one["line"], one["threads"], one["since"]));
    expect!["3 [0,1] since 0"].assert_eq(&waiting.collect::<Vec<_>>().join("\n"));
    let timeline = &report(&[&path, "--block", "4", "--arg", "out=i32[4]"])[0];
    let ends: Vec<&str> = list(&timeline["rows"]).iter().map(|row| row["states"].as_str().expect("states")).collect();
    assert!(ends.iter().any(|states| states.ends_with('h')), "{ends:?}");
}

#[test]
fn a_terminal_shows_steps_as_lines() {
    let arguments =
        ["run", "examples/run-loop-with-break.ll", "--block", "4", "--arg", "n=4", "--arg", "out=u64[4]", "--timeline"];
    let plain = reconverge(&arguments, b"").stdout;
    let steps = &plain[plain.find("@find under").expect("a timeline")..];
    expect![[r#"
        @find under controlled, step by step:
          step                            0  1  2  3
             1  entry …                   A  A  A  A   A {0-3}
             2  @llvm.amdgcn.ballot.i64   A  A  A  A   A {0-3}
             3  second                    ·  B  B  B   B {1-3}
             4  found                     C  C  ·  ·   C {0,1}
             5  @llvm.amdgcn.ballot.i64   C  C  ·  ·   C {0,1}
             6  latch …                   ·  ·  D  D   D {2,3}
             7  @llvm.amdgcn.ballot.i64   ·  ·  D  D   D {2,3}
             8  second                    ·  ·  ·  E   E {3}
             9  found                     ·  ·  D  D   D {2,3}
            10  @llvm.amdgcn.ballot.i64   ·  ·  D  D   D {2,3}
            11  done                      A  A  A  A   A {0-3}
          a letter: executed together by the threads with that letter; · is elsewhere; blank has ended

    "#]]
    .assert_eq(steps);
    let coloured = reconverge(&[&arguments[..], &["--color", "always"]].concat(), b"").stdout;
    assert!(coloured.contains("\u{1b}[48;5;"));
    let mut without = String::new();
    let mut rest = coloured.as_str();
    while let Some((before, behind)) = rest.split_once('\u{1b}') {
        without.push_str(before);
        rest = behind.split_once('m').expect("the end of a colour").1;
    }
    assert_eq!(without + rest, plain, "colours add nothing else");
}

/// The cells of the picture of paths are those of the table that `trace` prints.
#[test]
fn paths_have_the_tables_of_the_documents() {
    let text = "define void @f(i1 %c) {\nEntry:\n  br label %H\nH:\n  br i1 %c, label %B, label %L\nB:\n  br label %L\nL:\n  br i1 %c, label %H, label %Exit\nExit:\n  ret void\n}\n";
    let irreducible = "define void @f(i1 %c) {\nEntry:\n  br i1 %c, label %P, label %R\nP:\n  br label %Q\nQ:\n  br i1 %c, label %R, label %S\nR:\n  br label %S\nS:\n  br i1 %c, label %P, label %Exit\nExit:\n  ret void\n}\n";
    let folder = Folder::with(&[("loop.ll", text), ("irreducible.ll", irreducible)]);
    for (file, paths) in [
        ("loop.ll", ["Entry,H,B,L,H,L,Exit", "Entry,H,L,H,B,L,H,B,L,Exit"]),
        ("irreducible.ll", ["Entry,P,Q,S,P,Q,S,Exit", "Entry,R,S,P,Q,R,S,Exit"]),
    ] {
        let path = folder.path(file).display().to_string();
        let asked = [path.as_str(), "--function", "f", "--thread", paths[0], "--thread", paths[1]];
        let timelines = report(&asked);
        let models: Vec<&str> = timelines.iter().map(|timeline| timeline["model"].as_str().expect("a model")).collect();
        assert!(models.len() >= 3, "{models:?}");
        for timeline in &timelines {
            let command = words(timeline["command"].as_str().expect("a command"));
            let printed = reconverge(&command[1..], b"").stdout;
            let rows = printed.lines().filter(|line| line.starts_with("thread "));
            for (row, line) in list(&timeline["rows"]).iter().zip(rows) {
                let cells = list(&row["cells"]).iter().map(|cell| cell.as_str().unwrap_or(""));
                let printed = line.split('|').skip(1).map(str::trim);
                let mut cells: Vec<&str> = cells.collect();
                // The text has no blanks at its end.
                while cells.last() == Some(&"") {
                    cells.pop();
                }
                assert_eq!(cells, printed.collect::<Vec<_>>(), "{}: {line}", timeline["model"]);
            }
        }
        if file == "irreducible.ll" {
            assert!(models.contains(&"maximal, hierarchy 2"), "{models:?}");
            assert!(timelines.iter().any(|timeline| timeline["difference"].is_array()), "hierarchies differ");
        }
        let svg = reconverge(&[&["trace"], &asked[..], &["--format", "svg"]].concat(), b"");
        assert_eq!(svg.status, 0, "{}", svg.stderr);
        assert!(svg.stdout.starts_with("<svg ") && svg.stdout.ends_with("</svg>\n"));
        let cells = list(&timelines[0]["rows"]).iter().flat_map(|row| list(&row["cells"])).filter_map(Value::as_str);
        for cell in cells {
            assert!(svg.stdout.contains(&format!(">{cell}</text>")), "{cell}");
        }
        let opened = svg.stdout.matches("<g").count() + svg.stdout.matches("<text").count();
        let closed = svg.stdout.matches("</g>").count() + svg.stdout.matches("</text>").count();
        assert_eq!(opened, closed);
    }
}

/// The tables of source by the texts about it, too.
#[test]
fn paths_through_source_have_their_tables() {
    let source = "void a(void); void b(void);\nkernel void k(int n) {\n  if (n) a();\n  b();\n}\n";
    let folder = Folder::with(&[("k.cl", source)]);
    let path = folder.path("k.cl").display().to_string();
    let timelines = report(&[&path, "--function", "k", "--thread", "a,b", "--thread", "b"]);
    let models: Vec<&Value> = timelines.iter().map(|timeline| &timeline["model"]).collect();
    assert_eq!(models, ["clang-2025-04", "tangles-2024-10", "clang-2025-08"]);
    assert_eq!(timelines[0]["rows"][0]["states"], "rrx");
    assert_eq!(timelines[0]["rows"][1]["states"], "orx");
    assert_eq!(timelines[0]["columns"][1]["lines"], serde_json::json!([4]));
}

/// A page says what it leaves out, and stays small.
#[test]
fn long_runs_are_cut_and_say_so() {
    let kernel = "__global__ void k(int *a) {\n  for (int i = 0; i < 400; ++i)\n    if ((threadIdx.x + i) % 2) a[threadIdx.x] += i; else a[threadIdx.x] -= i;\n}\n";
    let folder = Folder::with(&[("long.cu", kernel)]);
    let path = folder.path("long.cu").display().to_string();
    let timelines = report(&[&path, "--block", "48"]);
    for timeline in &timelines {
        assert_eq!(list(&timeline["columns"]).len(), 200);
        assert!(
            list(&timeline["notes"])
                .iter()
                .any(|note| note.as_str().is_some_and(|note| note.starts_with("The first 200 of ")))
        );
        // Of 48 threads, those that do the same have one row.
        assert_eq!(list(&timeline["rows"]).len(), 2);
    }
    let page = reconverge(&["report", &path, "--block", "48", "-o", "-"], b"").stdout;
    assert!(page.len() < 2_000_000, "{}", page.len());
}

#[test]
fn every_example_has_a_picture_of_its_run() {
    for name in ["barrier-in-branch.cu", "block-sum.cu", "retry.cl", "divergent-branch.ll", "temporal-divergence.ll"] {
        let path = format!("examples/{name}");
        let timelines = report(&[&path]);
        assert!(timelines.iter().any(|timeline| !list(&timeline["columns"]).is_empty()), "{name}");
        let lines = read(&path).lines().count() as u64;
        for column in timelines.iter().flat_map(|timeline| list(&timeline["columns"])) {
            let of_input = column["file"].as_str().is_none_or(|file| root().join(file) == root().join(&path));
            assert!(
                !of_input || numbers(&column["lines"]).iter().all(|&line| line >= 1 && line <= lines),
                "{name}: {column}"
            );
        }
    }
    // The smallest picture of a barrier that only some threads reach shows it.
    let stuck = &report(&["examples/barrier-in-branch.cu"])[0];
    assert!(!list(&stuck["findings"]).is_empty(), "{stuck}");
}
