//! Clang as an oracle: the same tokens for our kernels, and for random programs of macros.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use reconverge_lang::options::{Dialect, Options};
use reconverge_testing::corpus;
use reconverge_testing::llvm::{self, Tools};
use reconverge_testing::random::SplitMix64;
use reconverge_testing::rounds::{first_seed, is_part, times};

use crate::preprocess::random::program;
use crate::preprocess::support::spellings;

/// The output and the messages of `clang -E -P`.
fn clang(tools: &Tools, arguments: &[&str], file: &Path) -> (String, String) {
    let mut command = Command::new(&tools.clang);
    command.args(["-E", "-P", "-ferror-limit=0", "-fno-caret-diagnostics", "-fno-diagnostics-show-note-include-stack"]);
    let output = llvm::output(command.args(arguments).arg(file)).expect("clang runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("clang prints UTF-8");
    (text(output.stdout), text(output.stderr))
}

/// Fails at the first token that differs, and shows some before and after it.
fn assert_same(tokens: &[String], expected: &[String], what: &str) {
    let Some(at) = (0..tokens.len().max(expected.len())).find(|&at| tokens.get(at) != expected.get(at)) else { return };
    let around =
        |tokens: &[String]| tokens[at.saturating_sub(20).min(tokens.len())..tokens.len().min(at + 10)].join(" ");
    panic!("{what}\ntoken {at}\n ours: {}\nclang: {}", around(tokens), around(expected));
}

fn predefined(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/preprocess/predefined").join(name)
}

/// Every kernel gives the tokens that clang gives, when clang is told our macros.
#[test]
fn kernels() {
    let Some(tools) = llvm::tools() else { return };
    let mut files = Vec::new();
    for (folder, extension) in [("opencl", "cl"), ("run", "cl"), ("cuda", "cu")] {
        files.extend(corpus::cases(folder, extension).unwrap());
    }
    assert!(files.len() > 100);
    for file in files {
        let is_open_cl = file.extension().is_some_and(|extension| extension == "cl");
        let dialect = if is_open_cl { Dialect::OpenCl } else { Dialect::Cuda };
        let mut arguments = match dialect {
            Dialect::OpenCl => vec!["-x", "cl", "-cl-std=CL3.0", "-cl-no-stdinc", "-target", "spirv64"],
            _ => vec!["-x", "cuda", "--cuda-device-only", "-nocudainc", "-nocudalib", "--cuda-gpu-arch=sm_70"],
        };
        let open_cl = predefined("opencl.h");
        if is_open_cl {
            arguments.extend(["-include", open_cl.to_str().unwrap()]);
        }
        let (expected, _) = clang(tools, &arguments, &file);
        assert!(!expected.is_empty(), "{}", file.display());
        let options = Options::new(dialect);
        let (expected, _) = spellings(Path::new("expected"), &expected, &options);
        let text = std::fs::read_to_string(&file).unwrap();
        let (tokens, is_wrong) = spellings(&file, &text, &options);
        assert!(!is_wrong, "{}", file.display());
        assert_same(&tokens, &expected, &file.display().to_string());
    }
}

/// Thousands of random programs of macros, in batches: the same tokens, and errors in the same programs.
#[test]
fn random_macros() {
    let Some(tools) = llvm::tools() else { return };
    let first = first_seed();
    const BATCHES: u64 = 3;
    const PROGRAMS: u64 = 500;
    let folder = tempfile::tempdir().unwrap();
    let (mut right, mut wrong) = (0, 0);
    for batch in 0..times(BATCHES) {
        let seeds: Vec<u64> = (0..PROGRAMS).map(|index| first + batch * PROGRAMS + index).collect();
        let mut whole = String::new();
        let programs: Vec<String> = seeds.iter().map(|&seed| program(&mut SplitMix64::new(seed))).collect();
        for (index, (text, names)) in
            programs.iter().zip(std::iter::repeat(crate::preprocess::random::NAMES)).enumerate()
        {
            writeln!(whole, "MARK\n#line 1 \"p{index}\"\n{text}").unwrap();
            names.iter().for_each(|name| writeln!(whole, "#undef {name}").unwrap());
        }
        let file = folder.path().join("batch.c");
        std::fs::write(&file, &whole).unwrap();
        let (output, messages) = clang(tools, &["-x", "c", "-w"], &file);
        let sections: Vec<&str> = output.split("MARK").skip(1).collect();
        assert_eq!(sections.len(), programs.len(), "first seed {}\n{messages}", seeds[0]);
        for (index, (text, section)) in programs.iter().zip(sections).enumerate() {
            let options = Options::new(Dialect::C);
            let is_wrong_there = messages.contains(&format!("p{index}:"));
            let (tokens, is_wrong) = spellings(Path::new(&format!("p{index}")), text, &options);
            assert_eq!(is_wrong, is_wrong_there, "seed {}:\n{text}\n{messages}", seeds[index]);
            if is_wrong {
                wrong += 1;
                continue;
            }
            right += 1;
            let (expected, _) = spellings(Path::new("expected"), section, &options);
            assert_same(&tokens, &expected, &format!("seed {}:\n{text}", seeds[index]));
        }
    }
    println!("{right} programs with the same tokens, {wrong} with errors in both, from seed {first}");
    assert!(is_part() || right > wrong, "{right} right, {wrong} wrong");
}
