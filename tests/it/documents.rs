//! What the documents show is true: every example and every program in the pages of the codes gives the findings that
//! it says it gives, and commands print what the documents say they print.
//!
//! Each `console` block of a document is one command and its output, first standard output, then standard error.
//! `UPDATE_EXPECT=1` writes the output of today into the documents.

use crate::common::{examples, read, reconverge, root, words};
use serde_json::Value;

const DOCUMENTS: [&str; 4] = ["README.md", "docs/using.md", "docs/running.md", "docs/source.md"];
const OPEN: &str = "```console\n$ reconverge ";

/// The codes that `check` reports about a text, sorted.
fn codes_of(text: &str) -> Vec<String> {
    codes_of_check(&["--hints"], text)
}

fn codes_of_check(arguments: &[&str], text: &str) -> Vec<String> {
    let run = reconverge(&[&["check", "--format", "json", "-"], arguments].concat(), text.as_bytes());
    assert_ne!(run.status, 2, "{}\n{text}", run.stderr);
    let report: Value = serde_json::from_str(&run.stdout).expect("JSON");
    let diagnostics = report["files"][0]["diagnostics"].as_array().expect("a list");
    let mut codes: Vec<String> =
        diagnostics.iter().map(|diagnostic| diagnostic["code"].as_str().expect("a code").to_owned()).collect();
    codes.sort();
    codes
}

/// The codes that `run` reports about a text, sorted.
fn codes_of_run(arguments: &[String], text: &str) -> Vec<String> {
    let mut all = vec!["run".to_owned(), "--format=json".to_owned()];
    all.extend_from_slice(arguments);
    let run = reconverge(&all, text.as_bytes());
    assert_ne!(run.status, 2, "{arguments:?}: {}\n{text}", run.stderr);
    let report: Value = serde_json::from_str(&run.stdout).expect("JSON");
    let of_models = report["models"].as_object().into_iter().flat_map(|models| models.values());
    let reports = of_models.chain((!report["models"].is_object()).then_some(&report));
    let diagnostics = reports.flat_map(|report| report["diagnostics"].as_array().expect("a list"));
    let mut codes: Vec<String> =
        diagnostics.map(|diagnostic| diagnostic["code"].as_str().expect("a code").to_owned()).collect();
    codes.sort();
    codes.dedup();
    codes
}

/// A program in a page: LLVM IR, or OpenCL C. With how it is run, where the page says it: as the one before it unless there is a
/// command of its own.
struct Program {
    text: String,
    is_source: bool,
    arguments: Option<Vec<String>>,
}

impl Program {
    fn codes(&self) -> Vec<String> {
        match &self.arguments {
            Some(arguments) => codes_of_run(arguments, &self.text),
            None if self.is_source => {
                let more =
                    self.text.lines().next().and_then(|line| line.strip_prefix("// check: ")).unwrap_or_default();
                let arguments = ["--input-format", "cl", "--frontend", "builtin"].into_iter();
                codes_of_check(&arguments.chain(more.split_whitespace()).collect::<Vec<_>>(), &self.text)
            }
            None => codes_of(&self.text),
        }
    }
}

/// The programs in a page, in order: blocks of LLVM IR; in a page about source, blocks of OpenCL C.
fn programs(page: &str) -> Vec<Program> {
    const COMMAND: &str = "`reconverge run kernel.ll ";
    let mut arguments = None;
    let is_source = !page.contains("```llvm\n");
    let mut parts = page.split(if is_source { "```c\n" } else { "```llvm\n" });
    let mut before = parts.next().unwrap_or_default();
    parts
        .map(|part| {
            let command = before.split_once(COMMAND).and_then(|(_, rest)| rest.split('`').next());
            if let Some(command) = command {
                arguments = Some([vec!["-".to_owned()], words(command)].concat());
            }
            let (text, after) = part.split_once("```").unwrap_or((part, ""));
            before = after;
            Program { text: text.to_owned(), is_source, arguments: arguments.clone() }
        })
        .collect()
}

#[test]
fn examples_give_exactly_what_they_expect() {
    for path in examples() {
        let text = read(&path);
        let mut expected: Vec<&str> =
            text.lines().filter_map(|line| line.strip_prefix("; EXPECT:")).map(str::trim).collect();
        assert!(!expected.is_empty(), "{} has no EXPECT comment", path.display());
        expected.retain(|&code| code != "none");
        expected.sort_unstable();
        let mut codes = codes_of(&text);
        // Examples are about what is wrong; what could be shorter is not.
        codes.retain(|code| {
            !["RC0402", "RC0403", "RC0404", "RC0405"].contains(&code.as_str()) || expected.contains(&&**code)
        });
        assert_eq!(codes, expected, "{}", path.display());
    }
}

#[test]
fn examples_of_source_give_exactly_what_they_expect() {
    let mut count = 0;
    for entry in std::fs::read_dir(root().join("examples")).expect("there are examples") {
        let path = entry.expect("it can be listed").path();
        if path.extension().is_some_and(|extension| extension == "cl") {
            let text = read(&path);
            let mut expected: Vec<&str> =
                text.lines().filter_map(|line| line.strip_prefix("// EXPECT:")).map(str::trim).collect();
            assert!(!expected.is_empty(), "{} has no EXPECT comment", path.display());
            expected.retain(|&code| code != "none");
            let codes = codes_of_check(&["--input-format", "cl", "--frontend", "builtin"], &text);
            assert_eq!(codes, expected, "{}", path.display());
            count += 1;
        }
    }
    assert!(count >= 2);
}

#[test]
fn examples_that_are_run_find_what_they_say() {
    let mut runs = 0;
    for path in examples() {
        let text = read(&path);
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            let Some(command) = line.strip_prefix("; Run: reconverge run ") else { continue };
            let finds = lines.next().and_then(|line| line.strip_prefix("; FINDS: "));
            let mut expected: Vec<&str> =
                finds.unwrap_or_else(|| panic!("{}: {line}", path.display())).split(' ').collect();
            expected.retain(|&code| code != "none");
            let arguments = words(command);
            assert_eq!(arguments[0], path.display().to_string(), "it is about itself");
            assert_eq!(codes_of_run(&arguments, ""), expected, "{line}");
            runs += 1;
        }
    }
    assert!(runs >= 8);
}

/// The codes that `validate` reports about a change, sorted.
fn codes_of_validate(arguments: &[String], before: &str, after: &str) -> Vec<String> {
    let folder = tempfile::tempdir().expect("there is room");
    let paths = [("before.ll", before), ("after.ll", after)].map(|(name, text)| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("there is room");
        path.display().to_string()
    });
    let [before_path, after_path] = paths;
    let mut all = vec!["validate".to_owned(), before_path, after_path, "--format=json".to_owned()];
    all.extend_from_slice(arguments);
    let run = reconverge(&all, b"");
    let report: Value =
        serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {}\n{before}\n{after}", run.stderr));
    let diagnostics = report["diagnostics"].as_array().expect("a list");
    let mut codes: Vec<String> =
        diagnostics.iter().map(|diagnostic| diagnostic["code"].as_str().expect("a code").to_owned()).collect();
    codes.sort();
    codes
}

/// A page about a change has a program before it, a change that is wrong and one that is not.
#[test]
fn pages_about_changes_show_a_breach_and_its_fix() {
    const COMMAND: &str = "`reconverge validate before.ll after.ll";
    let mut pages = 0;
    for number in 1..100 {
        let code = format!("RC06{number:02}");
        let page = reconverge(&["explain", &code], b"");
        if page.status != 0 {
            break;
        }
        let command = page.stdout.split_once(COMMAND).and_then(|(_, rest)| rest.split('`').next());
        let arguments = words(command.unwrap_or_else(|| panic!("{code}: how it is run")));
        let programs = programs(&page.stdout);
        let [before, breach, fix] = &programs[..] else { panic!("{code} has {} programs", programs.len()) };
        assert_eq!(codes_of_validate(&arguments, &before.text, &breach.text), [code.as_str()], "{code}");
        assert_eq!(codes_of_validate(&arguments, &before.text, &fix.text), Vec::<String>::new(), "{code}: the fix");
        pages += 1;
    }
    assert!(pages >= 6);
}

#[test]
fn pages_show_a_breach_and_its_fix() {
    let list = reconverge(&["explain"], b"");
    for line in list.stdout.lines() {
        let code = line.split_whitespace().next().expect("a code");
        let page = reconverge(&["explain", code], b"");
        assert_eq!(page.status, 0);
        assert_eq!(page.stdout.trim_end(), read(format!("docs/codes/{code}.md")).trim_end());
        assert!(page.stdout.starts_with(&format!("# {code}: ")), "{code} has no title");
        if code.starts_with("RC06") {
            // A test of its own.
            continue;
        }
        let programs = programs(&page.stdout);
        assert!(programs.len() >= 2, "{code} lacks a breach or its fix");
        let (breach, fix) = (&programs[0], &programs[programs.len() - 1]);
        let found = breach.codes();
        assert!(found.iter().any(|found| found == code), "{code}: {found:?}\n{}", breach.text);
        if breach.is_source {
            assert!(found.iter().all(|found| found == code), "{code}: {found:?}\n{}", breach.text);
            assert_eq!(fix.codes(), Vec::<String>::new(), "{code}: the fix\n{}", fix.text);
        }
        let of_run = |found: &str| found.starts_with("RC05");
        assert_eq!(of_run(code), breach.arguments.is_some(), "{code}: how it is run");
        // A fix that breaks another rule is none; what could be dropped from it is beside the point.
        let remaining = fix.codes();
        let is_broken =
            |found: &String| found == code || found.starts_with("RC01") || of_run(found) || found == "RC0401";
        assert!(!remaining.iter().any(is_broken), "{code}: {remaining:?}\n{}", fix.text);
    }
}

#[test]
fn every_page_belongs_to_a_code() {
    let list = reconverge(&["explain"], b"").stdout;
    for entry in std::fs::read_dir(root().join("docs/codes")).expect("there are pages") {
        let name = entry.expect("it can be listed").file_name().into_string().expect("a plain name");
        assert!(list.contains(name.trim_end_matches(".md")), "{name}");
    }
}

#[test]
fn documents_show_what_is_printed() {
    let mut commands = 0;
    for document in DOCUMENTS {
        let text = read(document);
        let mut parts = text.split(OPEN);
        let mut expected = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let (command, rest) = part.split_once('\n').expect("a command");
            let (_, after) = rest.split_once("```\n").expect("the block ends");
            let run = reconverge(&words(command), b"");
            expected.push_str(&format!("{OPEN}{command}\n{}{}```\n{after}", run.stdout, run.stderr));
            commands += 1;
        }
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            std::fs::write(root().join(document), expected).expect("the document can be written");
        } else {
            assert!(text == expected, "{document} shows old output; run this test with UPDATE_EXPECT=1");
        }
    }
    assert!(commands > 0);
}

#[test]
fn links_lead_somewhere() {
    for document in DOCUMENTS {
        let text = read(document);
        let folder = root().join(document).parent().expect("a document is in a folder").to_path_buf();
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let path = link.split('#').next().unwrap_or_default();
            assert!(link.contains("://") || folder.join(path).exists(), "{document} links to {link}");
        }
    }
}

/// Pages show what is wrong, and how it is right, in the languages that have it. HLSL is not read from source.
#[test]
fn pages_show_a_breach_and_its_fix_in_source() {
    let mut pages = 0;
    for entry in std::fs::read_dir(root().join("docs/codes")).expect("there are pages") {
        let name = entry.expect("it can be listed").file_name().into_string().expect("a plain name");
        let code = name.trim_end_matches(".md");
        let page = read(format!("docs/codes/{name}"));
        for (language, kind) in [("cuda", "cuda"), ("hip", "hip"), ("opencl", "cl")] {
            let parts: Vec<&str> = page.split(&format!("```{language}\n")).collect();
            let arguments = ["--input-format", kind, "--frontend", "builtin"];
            // What only a run finds says how it is run, before the breach.
            let command = |part: &str| {
                let (_, command) = part.rsplit_once("`reconverge run kernel.")?;
                let (_, command) = command.split_once("`\n\n")?.0.split_once(' ')?;
                Some([&["-".to_owned()], &arguments.map(str::to_owned)[..], &words(command)].concat())
            };
            let mut run = None;
            for (number, pair) in parts.windows(2).enumerate() {
                let program = pair[1].split("```").next().unwrap_or_default();
                let expected: &[&str] = if number % 2 == 0 { &[code] } else { &[] };
                if number % 2 == 0 && code > "RC05" {
                    run = command(pair[0]);
                }
                let codes = match &run {
                    Some(arguments) => codes_of_run(arguments, program),
                    None => codes_of_check(&arguments, program),
                };
                assert_eq!(codes, expected, "{name}: {program}");
            }
            assert_eq!(parts.len() % 2, 1, "{name}: a breach or a fix is missing");
            pages += usize::from(parts.len() > 1);
        }
    }
    assert!(pages >= 48, "{pages}");
}
