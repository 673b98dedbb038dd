//! What is said of thirty kernels of CUDA, HIP and OpenCL, word for word: beside each file in `tests/findings` stands what `check` prints of it.
//!
//! `UPDATE_EXPECT=1` writes what it prints today. Who does that reads each of them: it is what users read.

use expect_test::expect_file;

use crate::common::{read, reconverge, root};
use crate::words::prose;

#[test]
fn findings_are_said_in_these_words() {
    let mut kernels = 0;
    let mut files: Vec<_> = std::fs::read_dir(root().join("tests/findings"))
        .expect("the folder")
        .map(|entry| entry.expect("it can be listed").file_name().into_string().expect("a plain name"))
        .filter(|name| !name.ends_with(".txt"))
        .collect();
    files.sort();
    for name in files {
        let path = format!("tests/findings/{name}");
        let text = read(&path);
        kernels += text.lines().filter(|line| line.contains("__global__") || line.starts_with("kernel ")).count();
        let run = reconverge(&["check", "--frontend", "builtin", &path], b"");
        assert_eq!(run.status, 1, "{run:?}");
        let said = run.stdout + &run.stderr;
        // Excerpts are the user's own text.
        let is_excerpt =
            |line: &&str| line.split_once('|').is_some_and(|(number, _)| number.trim().parse::<u32>().is_ok());
        for line in said.lines().filter(|line| !is_excerpt(line)) {
            let said = prose(line);
            assert!(
                !["%", "@", "llvm."].iter().any(|of_ir| said.contains(of_ir)) && !line.contains("_Z"),
                "{path}: {line}"
            );
        }
        expect_file![root().join(format!("{path}.txt"))].assert_eq(&said);
    }
    assert!(kernels >= 30, "{kernels} kernels");
}
