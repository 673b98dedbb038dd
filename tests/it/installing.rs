//! What is installed beside the command, and what is said of what else is there.

use crate::common::{Folder, reconverge};

/// Options and commands are those of the command line, so a new one is completed and described.
#[test]
fn completions_know_every_command_and_option() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let run = reconverge(&["completions", shell], b"");
        assert_eq!((run.status, run.stderr.as_str()), (0, ""), "{shell}");
        for word in ["uniformity", "write-baseline", "no-config"] {
            assert!(run.stdout.contains(word), "{shell} lacks {word}");
        }
    }
    assert_eq!(reconverge(&["completions", "cmd"], b"").status, 2);
}

#[cfg(unix)]
#[test]
fn bash_completes() {
    let script = reconverge(&["completions", "bash"], b"").stdout;
    let asked = "COMP_WORDS=(reconverge check --max-f); COMP_CWORD=2; _reconverge reconverge --max-f check; echo ${COMPREPLY[@]}";
    let bash = std::process::Command::new("bash").args(["-c", &format!("{script}\n{asked}")]).output();
    let Ok(output) = bash else { return };
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), "--max-findings", "{output:?}");
}

#[test]
fn manual_pages() {
    let folder = Folder::with(&[]);
    let run = folder.run(&["man", "-o", "DIR/man1"]);
    assert_eq!(run.status, 0, "{run:?}");
    let mut names: Vec<String> = std::fs::read_dir(folder.path("man1"))
        .expect("it was made")
        .map(|entry| entry.expect("it can be listed").file_name().into_string().expect("a plain name"))
        .collect();
    names.sort();
    assert_eq!(run.stderr, format!("{} pages written to man1\n", names.len()));
    for name in ["reconverge.1", "reconverge-check.1", "reconverge-transform.1"] {
        assert!(names.iter().any(|there| there == name), "{names:?}");
    }
    let page = folder.read("man1/reconverge-check.1");
    assert!(
        page.starts_with(".ie") && page.contains(".TH reconverge-check 1") && page.contains("write\\-baseline"),
        "{page}"
    );
    assert_eq!(reconverge(&["man"], b"").stdout, folder.read("man1/reconverge.1"));
}

#[test]
fn the_version_has_a_commit_or_none() {
    let version = reconverge(&["--version"], b"").stdout;
    let number = format!("reconverge {}", env!("CARGO_PKG_VERSION"));
    let rest = version.trim_end().strip_prefix(&number).expect("the number");
    let is_commit = |text: &str| text.len() == 12 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    assert!(
        rest.is_empty() || rest.strip_prefix(" (").and_then(|rest| rest.strip_suffix(')')).is_some_and(is_commit),
        "{version}"
    );
}

#[cfg(unix)]
#[test]
fn the_doctor_names_what_is_found() {
    use crate::common::write_program;
    let folder = Folder::with(&[("cuda/include/cuda_runtime.h", "")]);
    write_program(&folder.path("clang"), "echo 'Some clang version 22.1.3'");
    write_program(&folder.path("opt"), "echo LLVM; echo '  LLVM version 14.0.1'");
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_reconverge"))
        .arg("doctor")
        .env_clear()
        .env("PATH", folder.path(""))
        .env("CUDA_HOME", folder.path("cuda"))
        .env("ROCM_PATH", folder.path("rocm"))
        .output()
        .expect("the binary runs");
    assert_eq!(output.status.code(), Some(0), "what is missing is not needed");
    let text = String::from_utf8(output.stdout).expect("text");
    let expected = |line: String| assert!(text.contains(&line), "{line}\n{text}");
    expected(format!("clang  {} (Some clang version 22.1.3)\n", folder.path("clang").display()));
    expected("opt    not found: opt is of LLVM 14".to_owned());
    expected(format!("CUDA   {}\n", folder.path("cuda").display()));
    expected(
        "ROCm   not found: neither ROCM_PATH, HIP_PATH nor /opt/rocm is a folder with include/hip/hip_runtime.h"
            .to_owned(),
    );
}
