//! Makes the table of the functions that CUDA, HIP and C have without a declaration, in the order of their names: nothing is made or put in order when a program
//! starts. What is in the table is said where it is used, in `src/builtins/functions.rs`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

use reconverge_operations::recipe::head;

#[path = "tables/half.rs"]
mod half;
#[path = "tables/in_words.rs"]
mod in_words;
#[path = "tables/library.rs"]
mod library;

// The bits of dialects, as in `src/builtins/functions.rs`.
const CUDA: u8 = 2;
const HIP: u8 = 4;
const BOTH: u8 = CUDA | HIP;
const ALL: u8 = 1 | BOTH;

fn main() {
    println!("cargo::rerun-if-changed=tables");
    println!("cargo::rerun-if-changed=src/builtins/device");
    let file = |name: &str| {
        let path = Path::new("src/builtins/device").join(name).with_extension("txt");
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    let tables = [
        (file("builtin"), ALL),
        (file("nvvm"), ALL),
        (file("amdgcn"), ALL),
        (file("gpu"), BOTH),
        (file("cuda"), CUDA),
        (file("hip"), HIP),
        (library::lines(), BOTH),
        (half::lines(), BOTH),
        (in_words::lines(), CUDA),
    ];
    let mut functions: BTreeMap<&str, Vec<(&str, u8)>> = BTreeMap::new();
    for (table, dialects) in &tables {
        for line in table.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
            let (_, name) = head(line).unwrap_or_else(|| panic!("no name in: {line}"));
            functions.entry(name).or_default().push((line, *dialects));
        }
    }
    let (mut text, mut names, mut lines, mut count) = (String::new(), String::new(), String::new(), 0);
    for (name, of) in &functions {
        // Writing to a string cannot fail.
        let _ = write!(names, "({}, {}, {count}),", text.len(), name.len());
        text.push_str(name);
        for (line, dialects) in of {
            let _ = write!(lines, "({}, {}, {dialects}),", text.len(), line.len());
            text.push_str(line);
        }
        count += of.len();
    }
    let code = format!(
        "static NAMES: [(u32, u8, u16); {}] = [{names}];\nstatic LINES: [(u32, u16, u8); {count}] = [{lines}];\n",
        functions.len(),
    );
    let folder = env::var_os("OUT_DIR").expect("cargo says where");
    for (name, content) in [("functions.rs", code), ("functions.txt", text)] {
        fs::write(Path::new(&folder).join(name), content).expect("the folder can be written to");
    }
}
