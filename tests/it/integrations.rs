//! What is there for build systems and code hosts does what it says: formats, and files whose commands are executed as they are.

use std::path::Path;
use std::process::{Command, Output};

use quick_junit::{NonSuccessKind, Report, TestCaseStatus};
use serde_json::Value;
use yaml_rust2::{Yaml, YamlLoader};

use crate::common::{Run, installed, read, reconverge, root};

const BAD: &str = "kernel void k(void) {\n  if (get_local_id(0) < 16)\n    barrier(CLK_LOCAL_MEM_FENCE);\n  barrier(CLK_LOCAL_MEM_FENCE);\n}\n";
/// Only a warning.
const DOUBTFUL: &str = "kernel void k(int n) {\n  if (get_local_id(0) < n)\n    barrier(CLK_LOCAL_MEM_FENCE);\n  barrier(CLK_LOCAL_MEM_FENCE);\n}\n";
const GOOD: &str = "kernel void k(void) {\n  barrier(CLK_LOCAL_MEM_FENCE);\n}\n";

/// A folder with a file of each kind.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in [("bad.cl", BAD), ("doubtful.cl", DOUBTFUL), ("good.cl", GOOD)] {
        std::fs::write(folder.path().join(name), text).expect("it can be written");
    }
    folder
}

fn check(folder: &Path, format: &str, more: &[&str]) -> Run {
    let path = folder.to_str().expect("UTF-8");
    reconverge(&[&["check", "--format", format, path], more].concat(), b"")
}

/// A shell at a folder, with the binary in `PATH`.
fn shell(script: &str, at: &Path, variables: &[(&str, &str)]) -> Output {
    let binary = Path::new(env!("CARGO_BIN_EXE_reconverge")).parent().expect("it is in a folder");
    let path = format!("{}:{}", binary.display(), std::env::var("PATH").unwrap_or_default());
    let mut bash = Command::new("bash");
    bash.args(["--noprofile", "--norc", "-eo", "pipefail", "-c", script]).current_dir(at).env("PATH", path);
    bash.envs(variables.iter().copied()).output().expect("bash runs")
}

fn yaml(path: &str) -> Yaml {
    YamlLoader::load_from_str(&read(path)).expect("YAML").swap_remove(0)
}

#[test]
fn junit_has_a_suite_for_each_file_and_a_case_for_each_finding() {
    let folder = folder();
    std::fs::write(folder.path().join("broken.ll"), "define void @f( {").expect("it can be written");
    let run = check(folder.path(), "junit", &[]);
    assert_eq!(run.status, 2);
    let report = Report::deserialize_from_str(&run.stdout).expect("JUnit XML");
    let counts = (report.tests, report.failures, report.errors, report.test_suites.len());
    assert_eq!(counts, (4, 1, 1, 4), "{}", run.stdout);
    let status = |file: &str| {
        let suite = report.test_suites.iter().find(|suite| suite.name.as_str().ends_with(file)).expect("a suite");
        (suite.test_cases.len(), &suite.test_cases[0].status)
    };
    assert!(matches!(status("good.cl"), (1, TestCaseStatus::Success { .. })));
    assert!(matches!(status("doubtful.cl"), (1, TestCaseStatus::Skipped { .. })));
    assert!(matches!(status("bad.cl"), (1, TestCaseStatus::NonSuccess { kind: NonSuccessKind::Failure, .. })));
    assert!(matches!(status("broken.ll"), (1, TestCaseStatus::NonSuccess { kind: NonSuccessKind::Error, .. })));
    let strict = check(folder.path(), "junit", &["--strict"]);
    let report = Report::deserialize_from_str(&strict.stdout).expect("JUnit XML");
    assert_eq!((report.failures, report.errors), (2, 1));
}

#[test]
fn a_code_quality_report_has_what_gitlab_requires() {
    let folder = folder();
    let run = check(folder.path(), "gitlab", &[]);
    let report: Value = serde_json::from_str(&run.stdout).expect("JSON");
    let findings = report.as_array().expect("a list");
    assert_eq!((run.status, findings.len()), (1, 2), "{}", run.stdout);
    for finding in findings {
        let is_text = |name: &str| finding[name].as_str().is_some_and(|text| !text.is_empty());
        assert!(["description", "check_name", "fingerprint", "severity"].into_iter().all(is_text), "{finding}");
        assert_eq!(finding["location"]["lines"]["begin"], 3);
        assert!(finding["location"]["path"].as_str().is_some_and(|path| path.ends_with(".cl")));
    }
    assert_eq!(findings[0]["severity"], "critical");
    assert_eq!(findings[1]["severity"], "major");
}

#[test]
fn the_github_action_checks_and_fails_where_there_are_errors() {
    let action = yaml("action.yml");
    let step = |name: &str| {
        let steps = action["runs"]["steps"].as_vec().expect("steps");
        let step = steps.iter().find(|step| step["name"].as_str() == Some(name)).expect("a step of that name");
        step["run"].as_str().expect("commands").to_owned()
    };
    for (file, status) in [("bad.cl", 1), ("good.cl", 0), ("missing.cl", 2)] {
        let folder = folder();
        let temp = folder.path().to_str().expect("UTF-8");
        let output = folder.path().join("output");
        let variables = [
            ("SOURCE", "/nowhere"),
            ("PATHS", file),
            ("ARGUMENTS", "--strict --hints"),
            ("RUNNER_TEMP", temp),
            ("GITHUB_OUTPUT", output.to_str().expect("UTF-8")),
        ];
        assert!(shell(&step("Install"), folder.path(), &variables).status.success());
        assert!(shell(&step("Check"), folder.path(), &variables).status.success());
        let outputs = std::fs::read_to_string(&output).expect("outputs");
        assert_eq!(outputs, format!("sarif={temp}/reconverge.sarif\nstatus={status}\n"));
        let log = std::fs::read_to_string(folder.path().join("reconverge.sarif")).expect("a log");
        let log: Value = serde_json::from_str(&log).expect("SARIF");
        assert_eq!(log["runs"][0]["results"].as_array().map(Vec::len), Some(usize::from(status == 1)));
        let status_text = status.to_string();
        let verdict = shell(&step("Verdict"), folder.path(), &[("STATUS", &status_text)]);
        assert_eq!(verdict.status.code(), Some(status));
    }
}

#[test]
fn the_gitlab_job_writes_its_report_and_fails_where_there_are_errors() {
    let template = yaml("integrations/gitlab/reconverge.yml");
    let job = &template["reconverge"];
    let script: Vec<&str> = job["script"].as_vec().expect("commands").iter().filter_map(Yaml::as_str).collect();
    let report = job["artifacts"]["reports"]["codequality"].as_str().expect("a report");
    for (file, status, findings) in [("bad.cl", 1, 1), ("good.cl", 0, 0)] {
        let folder = folder();
        let run = shell(&script.join("\n"), folder.path(), &[("RECONVERGE_PATHS", file)]);
        assert_eq!(run.status.code(), Some(status), "{run:?}");
        let written = std::fs::read_to_string(folder.path().join(report)).expect("a report");
        let written: Value = serde_json::from_str(&written).expect("JSON");
        assert_eq!(written.as_array().map(Vec::len), Some(findings));
    }
}

#[test]
fn the_hook_of_pre_commit_checks_the_files_that_it_is_given() {
    let hooks = yaml(".pre-commit-hooks.yaml");
    let entry = hooks[0]["entry"].as_str().expect("a command");
    let folder = folder();
    let status = |files: &str| shell(&format!("{entry} {files}"), folder.path(), &[]).status.code();
    assert_eq!((status("bad.cl good.cl"), status("good.cl doubtful.cl")), (Some(1), Some(0)));
}

#[test]
fn cmake_has_a_target_that_checks_the_sources_of_another() {
    let folder = folder();
    if !installed("cmake") {
        return;
    }
    let header = "#define LEAVES (get_local_id(0) < LIMIT)\n";
    std::fs::create_dir(folder.path().join("include")).expect("a folder");
    std::fs::write(folder.path().join("include/leaves.h"), header).expect("it can be written");
    let kernel = "#include \"leaves.h\"\nkernel void k(void) {\n  if (LEAVES)\n    barrier(CLK_LOCAL_MEM_FENCE);\n  barrier(CLK_LOCAL_MEM_FENCE);\n}\n";
    std::fs::write(folder.path().join("configured.cl"), kernel).expect("it can be written");
    let cuda = "__global__ void k() {\n  if (threadIdx.x < 3)\n    __syncthreads();\n  __syncthreads();\n}\n";
    std::fs::write(folder.path().join("plain.cu"), cuda).expect("it can be written");
    std::fs::write(folder.path().join("plain.hip"), cuda).expect("it can be written");
    let lists = format!(
        "cmake_minimum_required(VERSION 3.20)\nproject(Kernels NONE)\nlist(APPEND CMAKE_MODULE_PATH {}/integrations/cmake)\ninclude(Reconverge)
add_library(configured INTERFACE configured.cl)
target_include_directories(configured INTERFACE include)
target_compile_definitions(configured INTERFACE LIMIT=16 OTHER)
add_custom_target(good SOURCES good.cl)
add_custom_target(doubtful SOURCES doubtful.cl)
add_custom_target(cuda SOURCES plain.cu)
add_custom_target(hip SOURCES plain.hip)
reconverge_check(configured)
reconverge_check(good ALL)
reconverge_check(doubtful)
reconverge_check(cuda OPTIONS --short)
reconverge_check(hip OPTIONS --short)
add_custom_target(strict SOURCES doubtful.cl)
reconverge_check(strict STRICT)
",
        root().display()
    );
    std::fs::write(folder.path().join("CMakeLists.txt"), lists).expect("it can be written");
    let configured = shell("cmake -S . -B build", folder.path(), &[]);
    assert!(configured.status.success(), "{}", String::from_utf8_lossy(&configured.stderr));
    let build = |target: &str| {
        let output = shell(&format!("cmake --build build --target {target}"), folder.path(), &[]);
        (output.status.success(), format!("{output:?}"))
    };
    for (target, succeeds) in [
        ("all", true),
        ("reconverge_check_good", true),
        ("reconverge_check_doubtful", true),
        ("reconverge_check_strict", false),
        ("reconverge_check_configured", false),
        ("reconverge_check_cuda", false),
        ("reconverge_check_hip", false),
    ] {
        let (succeeded, output) = build(target);
        assert_eq!(succeeded, succeeds, "{target}: {output}");
        assert!(succeeds || output.contains("RC02"), "{target}: {output}");
    }
}
