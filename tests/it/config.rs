//! `reconverge.toml`: where it is found, what it sets, and that it is as little trusted as the programs that it comes with.

use crate::common::{Folder, Run};
use expect_test::expect;

/// A barrier that half of a workgroup reaches.
const HALF: &str = "kernel void k(void) {
  if (get_local_id(0) < 16)
    barrier(CLK_LOCAL_MEM_FENCE);
  barrier(CLK_LOCAL_MEM_FENCE);
}
";

fn check(folder: &Folder, arguments: &[&str]) -> Run {
    folder.run(&[&["check", "--short"], arguments].concat())
}

#[test]
fn the_nearest_file_from_the_first_input_upwards_holds() {
    let folder = Folder::with(&[
        ("reconverge.toml", "[severity]\nRC0201 = \"off\"\n"),
        ("src/deep/k.cl", HALF),
        ("own/reconverge.toml", "[severity]\nRC0201 = \"warning\"\n"),
        ("own/k.cl", HALF),
    ]);
    let status_of = |arguments: &[&str]| {
        let run = check(&folder, arguments);
        (run.status, run.stdout.matches("warning[RC0201]").count())
    };
    assert_eq!(status_of(&["DIR/src/deep/k.cl"]), (0, 0));
    assert_eq!(status_of(&["DIR/src"]), (0, 0));
    assert_eq!(status_of(&["DIR/own/k.cl", "DIR/src"]), (0, 2), "that of the first input holds for all");
    assert_eq!(status_of(&["DIR/own"]), (0, 1));
    assert_eq!(status_of(&["DIR/own", "--no-config"]), (1, 0));
    assert_eq!(status_of(&["DIR/own", "--config", "DIR/reconverge.toml"]), (0, 0));
    assert_eq!(status_of(&["DIR/own", "--severity", "RC0201=error"]), (1, 0), "the command line is over it");
    assert!(check(&folder, &["-v", "DIR/own"]).stderr.contains("settings of the project: own/reconverge.toml\n"));
}

#[test]
fn severities_of_folders_and_excluded_folders() {
    let folder = Folder::with(&[
        (
            "reconverge.toml",
            "exclude = [\"out\", \"lib\"]\n[[folder]]\npath = \"tests\"\nseverity = { RC0201 = \"hint\" }\n\
             [[folder]]\npath = \"tests/hard\"\nseverity = { RC0201 = \"error\" }\n",
        ),
        ("k.cl", HALF),
        ("tests/k.cl", HALF),
        ("tests/hard/k.cl", HALF),
        ("tests2/k.cl", HALF),
        ("out/k.cl", HALF),
        ("lib/k.h", HALF),
        ("uses.cl", "#include \"lib/k.h\"\n"),
    ]);
    let run = check(&folder, &["DIR"]);
    let found: Vec<&str> =
        run.stdout.lines().filter_map(|line| line.split_once("[RC0201]")).map(|(at, _)| at).collect();
    assert_eq!(
        found,
        ["k.cl:3:5: error", "tests/hard/k.cl:3:5: error", "tests/k.cl:3:5: hint", "tests2/k.cl:3:5: error"],
        "{run:?}"
    );
    assert!(run.last_line().ends_with("of 5 files; suppressed: 1 by settings"), "{run:?}");
    let named = check(&folder, &["DIR/out/k.cl"]);
    assert_eq!(named.status, 1, "a file that is named is looked at: {named:?}");
    let folder =
        Folder::with(&[("reconverge.toml", "exclude = [\"out\"]\n"), ("src/out/k.cl", HALF), ("out/k.cl", HALF)]);
    assert_eq!(check(&folder, &["DIR/src"]).status, 1);
    folder.write("reconverge.toml", "exclude = [\"src/out\"]\n");
    let none = check(&folder, &["DIR/src"]);
    assert_eq!(none.status, 2);
    assert!(none.stderr.contains("files that are not excluded"), "{none:?}");
}

#[test]
fn options() {
    let kernel = "#include \"sizes.h\"\nkernel void k(void) { if (get_local_id(0) < N) barrier(CLK_LOCAL_MEM_FENCE); barrier(CLK_LOCAL_MEM_FENCE); }\n";
    let folder = Folder::with(&[
        ("reconverge.toml", "target = \"nvptx\"\ninclude = [\"include\"]\ndefine = [\"N=SIZE\"]\n"),
        ("include/sizes.h", "#define SIZE 7\n"),
        ("src/k.cl", kernel),
        ("f.ll", "declare void @op() convergent\ndefine void @f() {\n  call void @op()\n  ret void\n}\n"),
    ]);
    let found = check(&folder, &["DIR/src/k.cl"]);
    assert_eq!((found.status, found.stdout.matches("[RC0201]").count()), (1, 1), "{found:?}");
    assert_eq!(check(&folder, &["DIR/src/k.cl", "-D", "N=0"]).status, 0, "the command line is over it");
    let lowered = |more: &[&str]| folder.run(&[&["lower", "DIR/src/k.cl", "-o", "-"], more].concat()).stdout;
    assert!(lowered(&[]).contains("nvptx64") && lowered(&["--target", "amdgpu"]).contains("amdgcn"));
    assert_eq!(check(&folder, &["DIR/f.ll"]).status, 0);
    folder.write("reconverge.toml", "strict = true\nhints = true\n");
    assert_eq!(check(&folder, &["DIR/f.ll"]).status, 1);
    folder.write("f.ll", "define void @f() convergent {\n  ret void\n}\n");
    assert!(check(&folder, &["DIR/f.ll"]).stdout.contains("RC0402"));
}

#[test]
fn the_size_of_workgroups() {
    let kernel = "kernel void k(void) { if (get_local_id(0) < 300) barrier(CLK_LOCAL_MEM_FENCE); barrier(CLK_LOCAL_MEM_FENCE); }\n";
    let folder = Folder::with(&[("reconverge.toml", "block = [16, 16]\nsubgroup = 32\n"), ("k.cl", kernel)]);
    assert_eq!(check(&folder, &["DIR/k.cl"]).stdout, "");
    assert!(check(&folder, &["DIR/k.cl", "--block", "512"]).stdout.contains("error[RC0201]"));
    folder.write("reconverge.toml", "block = [512]\n");
    assert!(check(&folder, &["DIR/k.cl"]).stdout.contains("error[RC0201]"));
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let folder = Folder::with(&[("k.cl", HALF)]);
    let said = |text: &str| {
        folder.write("reconverge.toml", text);
        let run = check(&folder, &["DIR/k.cl"]);
        assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{text}");
        run.stderr
    };
    let said: Vec<String> = [
        "target = \"nvptx\"\ntargt = 1\n",
        "clang = \"./evil\"\n",
        "include = \"include\"\n",
        "strict = \"yes\"\n",
        "[severity]\nRC0201 = \"off\"\nRC0921 = \"off\"\n",
        "[severity]\nRC0201 = \"of\"\n",
        "[[folder]]\nseverity = { RC0201 = \"off\" }\n",
        "strict = \n",
        "target = \"nvptxx\"\n",
        "target = \"none.toml\"\n",
        "block = []\n",
        "block = 256\n",
        "subgroup = 65\n",
    ]
    .map(said)
    .to_vec();
    expect![[r#"
        reconverge: reconverge.toml:2:1: unknown field `targt`, expected one of `target`, `block`, `subgroup`, `include`, `define`, `strict`, `hints`, `exclude`, `severity`, `folder`
        reconverge: reconverge.toml:1:1: unknown field `clang`, expected one of `target`, `block`, `subgroup`, `include`, `define`, `strict`, `hints`, `exclude`, `severity`, `folder`
        reconverge: reconverge.toml:1:11: invalid type: string "include", expected a sequence
        reconverge: reconverge.toml:1:10: invalid type: string "yes", expected a boolean
        reconverge: reconverge.toml:3:1: there is no diagnostic `RC0921`; did you mean `RC0001` or `RC0101` or `RC0111`?
        reconverge: reconverge.toml:2:10: there is no level `of`; did you mean `off`?
        reconverge: reconverge.toml:1:1: missing field `path`
        reconverge: reconverge.toml:1:10: string values must be quoted, expected literal string
        reconverge: reconverge.toml: there is no target `nvptxx`; did you mean `nvptx`?
        reconverge: reconverge.toml: cannot read the target file none.toml: No such file or directory
        reconverge: reconverge.toml:1:9: expected one to three numbers from 1, such as [256] or [16, 16]
        reconverge: reconverge.toml:1:9: invalid type: integer `256`, expected a sequence
        reconverge: reconverge.toml:1:12: expected a number from 1 to 64
    "#]].assert_eq(&said.concat());
}

/// It comes with what is looked at, and nobody waits for it.
#[cfg(unix)]
#[test]
fn only_files_are_read_for_it() {
    let folder =
        Folder::with(&[("k.cl", HALF), ("other/k.cl", HALF), ("other/reconverge.toml", "target = \"pipe.toml\"\n")]);
    for name in ["reconverge.toml", "other/pipe.toml"] {
        let made = std::process::Command::new("mkfifo").arg(folder.path(name)).status().expect("mkfifo runs");
        assert!(made.success());
    }
    for input in ["DIR/k.cl", "DIR/other/k.cl"] {
        let run = check(&folder, &[input]);
        assert_eq!(run.status, 2);
        assert!(run.stderr.contains("it is a pipe, not a regular file"), "{run:?}");
    }
}
