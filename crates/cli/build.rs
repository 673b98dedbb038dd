//! Says which version this is: of a release with the commit that it is built from, where git knows it.
//!
//! Other builds do not say it: they would be linked anew after each commit.

use std::env;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is_release = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    let commit = is_release.then(|| git(&["rev-parse", "--short=12", "HEAD"])).flatten();
    let version = env!("CARGO_PKG_VERSION");
    let version = match (commit, git(&["rev-parse", "--git-path", "logs/HEAD"])) {
        (Some(commit), Some(log)) => {
            println!("cargo::rerun-if-changed={log}");
            format!("{version} ({commit})")
        }
        _ => version.to_owned(),
    };
    println!("cargo::rustc-env=RECONVERGE_VERSION={version}");
}

/// What git prints, in one line.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok().filter(|output| output.status.success())?;
    let text = String::from_utf8(output.stdout).ok()?;
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}
