//! What is said of thirty kernels of CUDA, HIP and OpenCL, word for word: beside each file in `tests/findings` stands what `check` prints of it.
//!
//! `UPDATE_EXPECT=1` writes what it prints today. Who does that reads each of them: it is what users read.

use expect_test::expect_file;

use crate::common::{read, reconverge, root};
use crate::words::{NOT, is_word, prose};

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
        kernels +=
            read(&path).lines().filter(|line| line.contains("__global__") || line.starts_with("kernel ")).count();
        let run = reconverge(&["check", "--frontend", "builtin", &path], b"");
        // Excerpts are the user's own text, and what lines up with them is in backticks.
        let is_excerpt =
            |line: &&str| line.split_once('|').is_some_and(|(number, _)| number.trim().parse::<u32>().is_ok());
        let said = run.stdout + &run.stderr;
        for line in said.lines().filter(|line| !is_excerpt(line)) {
            let prose = prose(line);
            let is_of_ir = ["%", "@", "llvm."].iter().any(|of_ir| prose.contains(of_ir)) || line.contains("_Z");
            let word = NOT.iter().find(|&&word| is_word(&prose.to_lowercase(), word));
            assert!(!is_of_ir && word.is_none(), "{path}: {word:?}: {line}");
            let is_of_cl = name.ends_with(".cl");
            let other =
                ["thread", "threads", "warp", "thread block"].iter().find(|word| is_of_cl && is_word(&prose, word));
            // Titles of codes are the same in all languages.
            assert!(other.is_none() || line.contains(" × "), "{path}: {other:?}: {line}");
        }
        expect_file![root().join(format!("{path}.txt"))].assert_eq(&said);
    }
    assert!(kernels >= 30, "{kernels} kernels");
}
