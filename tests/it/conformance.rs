//! `docs/conformance.md`: what the documents on convergence state, and what shows that it holds here.
//!
//! `tests/conformance/*.toml` has the rows, a file for each document. A *row* is one statement. It is
//!
//! - *shown*: a command and what that has to print, which `commands_show_what_rows_say` asserts;
//! - *open*: `open` says what is missing. No test may name it;
//! - *informative*: there is nothing to hold or break.
//!
//! A test that would fail, too, if a row did not hold has a *marker* above it: `// conformance: clang-2025-04/12, 13; operations/4`. A case that
//! a test reads from a folder has its marker in a comment of its own ([`CASE_FOLDERS`]). The page is made of rows and markers;
//! `UPDATE_EXPECT=1` writes it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};

use crate::common::{installed, read, reconverge, root, words};
use expect_test::expect;
use rayon::prelude::*;
use serde::Deserialize;

const PAGE: &str = "docs/conformance.md";

/// The documents, by the names that rows begin with.
const DOCUMENTS: [(&str, &str); 5] = [
    ("clang-2025-04", "Clang: *Thread Convergence*, April 2025"),
    ("operations", "LLVM: *Convergent Operation Semantics*"),
    ("uniformity", "LLVM: *Convergence and Uniformity*"),
    ("tangles-2024-10", "Clang: *Thread Convergence* (tangles), October 2024"),
    ("clang-2025-08", "Clang: *Language Specification for Convergence Control*, August 2025"),
];

/// Folders of cases, what marks a comment in them, and the test that reads them.
const CASE_FOLDERS: [(&str, &str, &str, &str); 2] = [
    ("tests/cases/source", "// ", "crates/lang/tests/it/claims.rs", "the_examples_are_as_the_documents_say"),
    ("tests/cases/transforms", "# ", "tests/it/transforms.rs", "each_verdict_is_that_of_the_document"),
];

/// The rows of a document.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    /// Commands by the names that rows have for them.
    commands: BTreeMap<String, Command>,
    section: Vec<Section>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Command {
    /// What follows `reconverge`.
    run: String,
    #[serde(default)]
    exit: i32,
    /// A program that it starts.
    needs: Option<String>,
}

/// A section of the document.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Section {
    title: String,
    row: Vec<Row>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    /// Where a statement of the document is several rows, a letter follows the number.
    number: String,
    says: String,
    /// The name of the command that shows it.
    by: Option<String>,
    /// Parts of what that command prints. Runs of spaces count as one.
    #[serde(default)]
    shows: Vec<String>,
    /// What is missing.
    open: Option<String>,
    #[serde(default)]
    informative: bool,
}

/// A test that names a row.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Test {
    file: String,
    name: String,
}

type Tables = BTreeMap<&'static str, Table>;
/// A marker: its place, what it says, and the test that it is about, if it is above one.
type Marker = (String, String, Option<Test>);
/// The tests that name a row, by document and number.
type Tests = BTreeMap<(String, String), Vec<Test>>;

/// The tables of the documents that have one.
fn tables() -> Tables {
    let mut tables = Tables::new();
    for (document, _) in DOCUMENTS {
        let path = root().join(format!("tests/conformance/{document}.toml"));
        if path.exists() {
            let table = toml::from_str(&read(&path)).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            tables.insert(document, table);
        }
    }
    tables
}

impl Table {
    fn rows(&self) -> impl Iterator<Item = &Row> {
        self.section.iter().flat_map(|section| &section.row)
    }
}

/// The files below a folder, sorted.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten() {
            let path = entry.expect("it can be listed").path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    files
}

/// The rows that a marker names: `document/number`, then numbers alone for more of the same document.
fn named(marker: &str) -> Result<Vec<(String, String)>, String> {
    let mut rows = Vec::new();
    let mut document = None;
    for part in marker.split([',', ';', ' ']).filter(|part| !part.is_empty()) {
        let (of, number) = part.rsplit_once('/').map_or((document, part), |(of, number)| (Some(of), number));
        rows.push((of.ok_or(format!("{part} is a row of no document"))?.to_owned(), number.to_owned()));
        document = of;
    }
    Ok(rows)
}

/// The name of the test that begins here, below attributes and other comments.
fn test_of(lines: &[&str]) -> Option<String> {
    let head = lines.iter().take_while(|line| line.starts_with("#[") || line.starts_with("//")).count();
    let name = lines.get(head)?.strip_prefix("fn ")?.split('(').next()?;
    lines[..head].contains(&"#[test]").then(|| name.to_owned())
}

/// The markers of a source: the line of each, what it says, and the test below it.
fn markers(text: &str) -> Vec<(usize, &str, Option<String>)> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let says = |index: usize| lines[index].strip_prefix("// conformance: ");
    (0..lines.len()).filter_map(|index| Some((index + 1, says(index)?, test_of(&lines[index + 1..])))).collect()
}

/// Whether a source has a test of this name.
fn has_test(text: &str, name: &str) -> bool {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    (0..lines.len()).any(|index| lines[index] == "#[test]" && test_of(&lines[index..]).as_deref() == Some(name))
}

/// Everything that names rows.
fn all_markers() -> Vec<Marker> {
    let mut all = Vec::new();
    let relative = |path: &Path| path.strip_prefix(root()).expect("below the root").display().to_string();
    let sources = [files(&root().join("crates")), files(&root().join("tests/it"))].concat();
    for path in sources.iter().filter(|path| path.extension().is_some_and(|extension| extension == "rs")) {
        let file = relative(path);
        for (line, marker, name) in markers(&read(path)) {
            all.push((format!("{file}:{line}"), marker.to_owned(), name.map(|name| Test { file: file.clone(), name })));
        }
    }
    for (folder, comment, runner, name) in CASE_FOLDERS {
        assert!(has_test(&read(runner), name), "{runner} has no test {name}");
        for path in files(&root().join(folder)) {
            let text = read(&path);
            let says = |line: &'_ str| Some(line.strip_prefix(comment)?.strip_prefix("conformance: ")?.to_owned());
            for marker in text.lines().filter_map(says) {
                let file = relative(&path);
                all.push((file.clone(), marker, Some(Test { file, name: name.to_owned() })));
            }
        }
    }
    all
}

/// The tests that name rows, and what is wrong with markers.
fn tests(tables: &Tables, markers: Vec<Marker>) -> (Tests, Vec<String>) {
    let (mut tests, mut wrong) = (Tests::new(), Vec::new());
    for (place, marker, test) in markers {
        match (named(&marker), test) {
            (Err(error), _) => wrong.push(format!("{place}: {error}")),
            (Ok(_), None) => wrong.push(format!("{place}: this marker is above no test")),
            (Ok(rows), Some(test)) => {
                for row in rows {
                    let (document, number) = (row.0.as_str(), &row.1);
                    let table = tables.get(document);
                    match table.and_then(|table| table.rows().find(|row| row.number == *number)) {
                        None => wrong.push(format!("{place}: there is no row {document}/{number}")),
                        Some(found) if found.by.is_none() => {
                            wrong.push(format!("{place}: {document}/{number} is open or informative"));
                        }
                        Some(_) => tests.entry(row).or_default().push(test.clone()),
                    }
                }
            }
        }
    }
    (tests, wrong)
}

/// What a row is, or what is wrong with it.
fn check_row(table: &Table, row: &Row) -> Result<(), String> {
    match (&row.by, &row.open, row.informative) {
        (Some(name), None, false) if !table.commands.contains_key(name) => Err(format!("there is no command {name}")),
        (Some(_), None, false) if row.shows.is_empty() => Err("nothing is asserted of its command".to_owned()),
        (Some(_), None, false) => Ok(()),
        (None, Some(_), false) | (None, None, true) if row.shows.is_empty() => Ok(()),
        _ => Err("a row is shown by a command, open, or informative".to_owned()),
    }
}

/// Text with one space in place of several, as tables are aligned.
fn squeezed(text: &str) -> String {
    let line = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

/// The page: for each document its rows, by sections.
fn page(tables: &Tables, tests: &Tests) -> String {
    let mut page = "# Conformance

What Clang's and LLVM's documents on convergence state, statement by statement, and what shows that it holds here. The statements are in our words.

- *Shown by*: a command, run at the root of the repository, and some of what it prints. Each command is run by the tests, and its exit status and what stands here are asserted
  (`cargo test -p reconverge-cli --test it conformance`).
- *Tests*: further tests that fail without it; *this command* where that is the only one.
- **Open**: it does not hold yet, or nothing shows it. **Informative**: it explains and demands nothing.

The page is written from `tests/conformance` and from the tests that name its rows; no hand changes it.
"
    .to_owned();
    let mut push = |line: std::fmt::Arguments| writeln!(page, "{line}").expect("a text has room");
    push(format_args!("\n| document | statements | shown | open | informative |\n|---|---|---|---|---|"));
    for (document, title) in DOCUMENTS {
        match tables.get(document) {
            None => push(format_args!("| {title} | not listed yet | | | |")),
            Some(table) => {
                let count = |is: fn(&&Row) -> bool| table.rows().filter(is).count();
                push(format_args!(
                    "| [{title}](#{document}) | {} | {} | {} | {} |",
                    table.rows().count(),
                    count(|row| row.by.is_some()),
                    count(|row| row.open.is_some()),
                    count(|row| row.informative)
                ));
            }
        }
    }
    for (document, title) in DOCUMENTS {
        let Some(table) = tables.get(document) else { continue };
        push(format_args!("\n<a id=\"{document}\"></a>\n\n## {title}"));
        for section in &table.section {
            push(format_args!("\n### {}\n\n| | statement | shown by | tests |\n|---|---|---|---|", section.title));
            for row in &section.row {
                let tests = tests.get(&(document.to_owned(), row.number.clone())).into_iter().flatten();
                let links: Vec<String> = tests.map(|test| format!("[`{}`](../{})", test.name, test.file)).collect();
                let tested = match (&row.by, links.is_empty()) {
                    (Some(_), true) => "this command".to_owned(),
                    _ => links.join("<br>"),
                };
                let shown = shown(table, row);
                push(format_args!("| `{document}/{}` | {} | {shown} | {tested} |", row.number, row.says));
            }
        }
    }
    page
}

/// What shows a row, or why nothing does.
fn shown(table: &Table, row: &Row) -> String {
    // In a cell a bar is escaped, also within code, and there are no lines.
    let code = |text: &str| format!("`{}`", text.trim().replace('|', "\\|"));
    match (&row.by, &row.open) {
        (Some(name), _) => {
            let command = &table.commands[name];
            let exit = if command.exit == 0 { String::new() } else { format!(" (exit status {})", command.exit) };
            let shows: Vec<String> = row.shows.iter().flat_map(|text| text.trim().lines()).map(code).collect();
            format!("{}{exit}<br>prints {}", code(&format!("reconverge {}", command.run)), shows.join("<br>"))
        }
        (None, Some(open)) => format!("**Open**: {open}"),
        (None, None) => "**Informative**".to_owned(),
    }
}

#[test]
fn commands_show_what_rows_say() {
    let tables = tables();
    let commands: Vec<(&Table, &str, &Command)> = tables
        .values()
        .flat_map(|table| table.commands.iter().map(move |(name, command)| (table, name.as_str(), command)))
        .filter(|(_, _, command)| command.needs.as_deref().is_none_or(installed))
        .collect();
    let wrong: Vec<String> = commands
        .par_iter()
        .flat_map_iter(|(table, name, command)| {
            let run = reconverge(&words(&command.run), b"");
            let printed = squeezed(&format!("{}{}", run.stdout, run.stderr));
            let mut wrong = Vec::new();
            if run.status != command.exit {
                wrong.push(format!("{name}: {} ends with {}", command.run, run.status));
            }
            let rows: Vec<&Row> = table.rows().filter(|row| row.by.as_deref() == Some(name)).collect();
            if rows.is_empty() {
                wrong.push(format!("{name} shows no row"));
            }
            for row in rows {
                let missing = row.shows.iter().filter(|text| !printed.contains(&squeezed(text)));
                wrong.extend(missing.map(|text| format!("{name}: row {}: not printed: {text}\n{printed}", row.number)));
            }
            wrong
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What is wrong with rows.
fn wrong_rows(document: &str, table: &Table) -> Vec<String> {
    let mut numbers = BTreeSet::new();
    let mut wrong = Vec::new();
    for row in table.rows() {
        let place = format!("{document}/{}", row.number);
        wrong.extend(check_row(table, row).err().map(|error| format!("{place}: {error}")));
        if !numbers.insert(&row.number) {
            wrong.push(format!("{place} stands twice"));
        }
    }
    wrong
}

#[test]
fn rows_and_tests_name_each_other_and_the_page_is_current() {
    let tables = tables();
    let (tests, mut wrong) = tests(&tables, all_markers());
    wrong.extend(tables.iter().flat_map(|(document, table)| wrong_rows(document, table)));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let page = page(&tables, &tests);
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(root().join(PAGE), page).expect("the page can be written");
    } else {
        assert!(read(PAGE) == page, "{PAGE} is old; run this test with UPDATE_EXPECT=1");
    }
}

#[test]
fn what_is_wrong_with_rows_and_markers_is_found() {
    let table: Table = toml::from_str(
        "[commands]
now = { run = \"check x.ll\" }
[[section]]
title = \"One\"
row = [
  { number = \"1\", says = \"Shown.\", by = \"now\", shows = [\"x\"] },
  { number = \"1\", says = \"Again.\", open = \"something\" },
  { number = \"2\", says = \"By nothing.\" },
  { number = \"3\", says = \"Nothing is asserted.\", by = \"now\" },
  { number = \"4\", says = \"By what is not there.\", by = \"never\", shows = [\"x\"] },
  { number = \"5\", says = \"Open.\", open = \"something\" },
]",
    )
    .expect("a table");
    expect![[r#"
        a/1 stands twice
        a/2: a row is shown by a command, open, or informative
        a/3: nothing is asserted of its command
        a/4: there is no command never"#]]
    .assert_eq(&wrong_rows("a", &table).join("\n"));
    let test = || Some(Test { file: "a.rs".to_owned(), name: "one".to_owned() });
    let marker = |says: &str, test| ("a.rs:1".to_owned(), says.to_owned(), test);
    let markers = [("a/1", test()), ("a/5", test()), ("a/6; b/1", test()), ("7", test()), ("a/1", None)]
        .map(|(says, test)| marker(says, test));
    let (tests, wrong) = tests(&Tables::from([("a", table)]), markers.to_vec());
    assert_eq!(tests.into_keys().collect::<Vec<_>>(), [("a".to_owned(), "1".to_owned())]);
    expect![[r#"
        a.rs:1: a/5 is open or informative
        a.rs:1: there is no row a/6
        a.rs:1: there is no row b/1
        a.rs:1: 7 is a row of no document
        a.rs:1: this marker is above no test"#]]
    .assert_eq(&wrong.join("\n"));
}

#[test]
fn markers_are_read_as_they_are_meant() {
    let rows = |marker| named(marker).expect("rows");
    let row = |document: &str, number: &str| (document.to_owned(), number.to_owned());
    assert_eq!(rows("a/1, 2b; b/3"), [row("a", "1"), row("a", "2b"), row("b", "3")]);
    assert!(named("12").is_err());
    let text = "    /// What it is about.\n    // conformance: a/1\n    #[test]\n    fn one() {}\n\n// conformance: a/2\nfn other() {}\n";
    assert_eq!(markers(text), [(2, "a/1", Some("one".to_owned())), (6, "a/2", None)]);
}
