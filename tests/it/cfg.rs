//! `cfg`: the graph says what `cycles`, `uniformity` and `regions` say, and its pictures are of it.

use serde_json::Value;

use crate::common::{Folder, reconverge, root};

fn json(arguments: &[&str]) -> Value {
    let run = reconverge(arguments, b"");
    assert_eq!(run.status, 0, "{}", run.stderr);
    serde_json::from_str(&run.stdout).expect("JSON")
}

fn names<'v>(graph: &'v Value, blocks: impl IntoIterator<Item = &'v Value>) -> Vec<&'v str> {
    let name = |block: &Value| graph["blocks"][block.as_u64().expect("a number") as usize]["name"].as_str();
    blocks.into_iter().map(|block| name(block).expect("a name")).collect()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// Of every example in IR: cycles, divergent branches and temporal exits are those of the other verbs.
#[test]
fn a_graph_says_what_the_other_verbs_say() {
    let mut graphs = 0;
    let mut temporal = 0;
    for entry in std::fs::read_dir(root().join("examples")).expect("the examples").flatten() {
        let input = format!("examples/{}", entry.file_name().to_string_lossy());
        if !input.ends_with(".ll") || reconverge(&["cfg", &input, "--format", "json"], b"").status != 0 {
            continue;
        }
        let all = json(&["cfg", &input, "--format", "json"]);
        let cycles = json(&["cycles", &input, "--format", "json"]);
        let uniformity = json(&["uniformity", &input, "--format", "json"]);
        let regions = json(&["regions", &input, "--format", "json"]);
        for (number, graph) in list(&all["functions"]).iter().enumerate() {
            let of = |said: &Value| said["files"][0]["functions"][number].clone();
            let (cycles, uniformity) = (of(&cycles), of(&uniformity));
            for (cycle, said) in list(&graph["cycles"]).iter().zip(list(&cycles["cycles"])) {
                assert_eq!(names(graph, [&cycle["header"]]), [said["header"].as_str().expect("a name")], "{input}");
                assert_eq!(names(graph, list(&cycle["entries"])).len(), list(&said["entries"]).len(), "{input}");
                assert_eq!(cycle["parent"], said["parent"], "{input}");
            }
            assert_eq!(list(&graph["cycles"]).len(), list(&cycles["cycles"]).len(), "{input}");
            let divergent: Vec<&Value> = list(&graph["blocks"])
                .iter()
                .filter(|block| block["divergent"] == true)
                .map(|block| &block["name"])
                .collect();
            let said: Vec<&Value> = list(&uniformity["terminators"]["divergent"]).iter().collect();
            assert_eq!(divergent, said, "{input}");
            // Of an irreducible cycle, the other hierarchies have headers of their own.
            let is_open = list(&graph["cycles"]).iter().any(|cycle| cycle["divergent_exit"] == true);
            assert_eq!(is_open, !list(&uniformity["cycles"]["divergent_exit"]).is_empty(), "{input}");
            assert_eq!(graph["regions"]["regions"], of(&regions)["regions"], "{input}");
            temporal += list(&graph["edges"]).iter().filter(|edge| edge["temporal"] == true).count();
            graphs += 1;
        }
    }
    assert!(graphs > 20 && temporal > 0, "{graphs} graphs, {temporal} exits");
}

/// A branch in a branch: each join, and the block where all are together again.
#[test]
fn joins_and_reconvergence_points() {
    let text = "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define void @f() {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp ult i32 %t, 7
  br i1 %c, label %a, label %b
a:
  %d = icmp ult i32 %t, 3
  br i1 %d, label %early, label %m
b:
  br label %m
m:
  br label %end
early:
  br label %end
end:
  ret void
}
";
    let folder = Folder::with(&[("f.ll", text)]);
    let path = folder.path("f.ll");
    let all = json(&["cfg", path.to_str().expect("UTF-8"), "--format", "json"]);
    let graph = &all["functions"][0];
    let marked = |kind: &str, name: &str| {
        let block = list(&graph["blocks"]).iter().find(|block| block["name"] == name).expect("a block");
        names(graph, list(&block[kind])).join(" ")
    };
    assert_eq!((marked("joins", "m"), marked("reconverges", "m")), ("entry".into(), String::new()));
    assert_eq!((marked("joins", "end"), marked("reconverges", "end")), ("entry a".into(), "entry a".into()));
    assert_eq!(graph["joins_complete"], true);
}

#[test]
fn pictures_have_every_block_and_text_stays_text() {
    let text = "define void @\"f<g>&\"(i1 %c) {
\"a\\22<b>\":
  br i1 %c, label %\"x]]>\", label %done
\"x]]>\":
  br label %done
done:
  ret void
}
";
    let folder = Folder::with(&[("f.ll", text)]);
    let svg = folder.run(&["cfg", "DIR/f.ll"]);
    assert_eq!(svg.status, 0, "{}", svg.stderr);
    assert_eq!(svg.stdout.matches("<g>").count(), 3);
    assert!(!svg.stdout.contains("<b>") && !svg.stdout.contains("<g>&"), "{}", svg.stdout);
    for outside in ["href", "url(h", "@import", "<script"] {
        assert!(!svg.stdout.contains(outside), "{outside}");
    }
    let dot = folder.run(&["cfg", "DIR/f.ll", "--format", "dot"]);
    assert_eq!(dot.stdout.matches(" -> ").count(), 3);
    assert_eq!(dot.stdout.lines().last(), Some("}"));
}

#[test]
fn blocks_show_the_source_where_there_is_one() {
    let of = |text: &[&str]| reconverge(&[&["cfg", "examples/barrier-in-branch.cu"], text].concat(), b"").stdout;
    assert!(of(&[]).contains("__syncthreads();") && !of(&[]).contains("getelementptr"));
    assert!(of(&["--text", "ir"]).contains("getelementptr"));
    let dot = of(&["--format", "dot"]);
    assert!(dot.contains("\"lines 7 to 8\\l") && dot.contains("\"lines 2 to 6 (diverges)\\l"), "{dot}");
    assert!(
        dot.contains("label=\"loop at line 12\"")
            && !dot.contains("if.")
            && of(&["--format", "dot", "--text", "ir"]).contains("if."),
        "{dot}"
    );
}

#[test]
fn a_picture_is_of_one_function() {
    let run = reconverge(&["cfg", "tests/conformance/graphs.ll"], b"");
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("--function"), "{}", run.stderr);
    let run = reconverge(&["cfg", "examples/divergent-branch.ll", "--function", "no_such"], b"");
    assert_eq!((run.status, &*run.stdout), (2, ""));
    assert!(run.stderr.contains("no_such"), "{}", run.stderr);
}

#[test]
fn a_graph_goes_to_a_file() {
    let folder = Folder::with(&[(
        "k.cu",
        "__global__ void first(int *x) { x[0] = 1; }\n__global__ void second(int *x) { x[0] = 1; }\n",
    )]);
    let run = folder.run(&["cfg", "DIR/k.cu", "--function", "first", "-o", "DIR/k.svg"]);
    assert_eq!((run.status, &*run.stdout), (0, ""), "{run:?}");
    let printed = folder.run(&["cfg", "DIR/k.cu", "--function", "first", "-o", "-"]).stdout;
    assert!(printed.starts_with("<svg") && printed == folder.read("k.svg"));
    let several = folder.run(&["cfg", "DIR/k.cu"]);
    assert!(several.stderr.ends_with("name it with --function (`first`, `second`)\n"), "{several:?}");
    assert_eq!(folder.run(&["cfg", "DIR/k.cu", "--function", "first", "-o", "DIR/k.cu"]).status, 2);
}
