//! Rules of the code that no type states (ARCHITECTURE.md, "Invariants").

use std::path::{Path, PathBuf};

/// The sources of a crate.
fn sources(package: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(package).join("src")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder of sources") {
            let path = entry.expect("an entry").path();
            match path.is_dir() {
                true => folders.push(path),
                false => files.push(path),
            }
        }
    }
    files
}

/// The text of a module is read by `ir`, which decodes it, and by `transform`, which edits it; others ask `ir`.
#[test]
fn the_text_of_a_module_is_read_in_two_places() {
    let mut seen = 0;
    for package in ["analysis", "cli", "exec", "findings", "valid", "validate"] {
        for path in sources(package) {
            let text = std::fs::read_to_string(&path).expect("a source");
            for (number, line) in (1..).zip(text.lines()) {
                let uses = ["module.text", "module().text"];
                let is_use = uses.iter().any(|used| line.contains(used)) && !line.trim_start().starts_with("//");
                // A program hands its text to those who read it anew.
                let is_whole = path.ends_with("exec/src/module.rs") && line.trim() == "self.module.text";
                assert!(!is_use || is_whole, "{}:{number}: {line}", path.display());
                seen += usize::from(is_whole);
            }
        }
    }
    assert_eq!(seen, 1, "the exception is there");
}

/// What the compiler cannot check is in two places, which say why it is right.
#[test]
fn two_places_are_unsafe() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let packages = std::fs::read_dir(crates).expect("the crates").map(|entry| entry.expect("an entry").file_name());
    let mut found = Vec::new();
    for path in packages.flat_map(|package| sources(&package.to_string_lossy())) {
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let uses = text.lines().filter(|line| {
            let line = line.trim_start();
            !line.starts_with("//")
                && !line.contains("forbid(")
                && (line.contains("unsafe {") || line.contains("unsafe_code"))
        });
        found.extend(uses.map(|_| path.file_name().unwrap_or_default().to_string_lossy().into_owned()));
    }
    found.sort_unstable();
    found.dedup();
    assert_eq!(found, ["contents.rs", "ending.rs"]);
}

/// The front end writes IR and reads none: of `ir` it uses what writes text and says where things come from.
#[test]
fn the_front_end_reads_no_ir() {
    let written = ["emit", "origin", "Span"];
    let mut seen = 0;
    for path in sources("lang") {
        let text = std::fs::read_to_string(&path).expect("a source");
        // Tests look at what was written.
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        for (number, line) in (1..).zip(code.lines()) {
            for used in line.split("reconverge_ir::").skip(1) {
                let is_known = written.iter().any(|known| used.starts_with(known));
                assert!(is_known || line.trim_start().starts_with("//"), "{}:{number}: {line}", path.display());
                seen += usize::from(is_known);
            }
        }
    }
    assert!(seen > 5, "the lines that are looked at are there");
}
