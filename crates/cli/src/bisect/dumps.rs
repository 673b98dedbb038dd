//! What `opt -print-after-all -print-module-scope -opt-bisect-limit=-1` writes to standard error, taken apart into the modules behind
//! each pass.
//!
//! ```text
//! BISECT: running pass (6) simplifycfg on f              only of passes that may be left out
//! ; *** IR Dump After SimplifyCFGPass on f ***           perhaps with (invalidated) behind the unit
//! ; ModuleID = 'kernel.ll'
//! …                                                      the module, up to the next line of these
//! ```
//!
//! Between the modules stands whatever opt says besides: warnings, remarks, what the verifier finds. Outside of bodies, lines of a module
//! begin in a few ways only; everything else is a message. One module is held at a time.

use std::io::{self, BufRead, Read};

/// A module behind a pass.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Dump {
    pub(super) pass: PassRun,
    /// The text.
    pub(super) module: Vec<u8>,
}

/// One execution of a pass.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PassRun {
    /// The name of its class, such as `SimplifyCFGPass`.
    pub(super) class: String,
    /// How pipelines call it, such as `simplifycfg`, where opt says that.
    pub(super) name: Option<String>,
    /// What it ran on: `f`, `loop %l in function f`, `(f, g)`, `[module]`.
    pub(super) unit: String,
    /// Its number for `-opt-bisect-limit`; passes that cannot be left out have none.
    pub(super) number: Option<u64>,
}

impl PassRun {
    /// `SimplifyCFGPass on f`
    pub(super) fn describe(&self) -> String {
        format!("{} on {}", self.class, self.unit)
    }

    /// The function that it ran on, where it is one.
    pub(super) fn function(&self) -> Option<&str> {
        if let Some((_, function)) = self.unit.split_once(" in function ") {
            return Some(function);
        }
        let inner = self.unit.strip_prefix('(').and_then(|unit| unit.strip_suffix(')')).unwrap_or(&self.unit);
        Some(inner).filter(|inner| !inner.starts_with('[') && !inner.contains([',', ' ']))
    }
}

/// The dumps, as they come.
pub(super) struct Dumps<R> {
    input: R,
    /// How many bytes a module may have.
    most: u64,
    /// The header that ended the last dump.
    next: Option<PassRun>,
    /// What the last line about bisection says.
    announced: Option<(u64, String)>,
    messages: Vec<String>,
}

/// No more messages than these are kept, the last ones.
const MOST_MESSAGES: usize = 200;

const HEADER: &[u8] = b"; *** IR Dump After ";
const ANNOUNCEMENT: &[u8] = b"BISECT: ";

impl<R: BufRead> Dumps<R> {
    pub(super) fn new(input: R, most: u64) -> Dumps<R> {
        Dumps { input, most, next: None, announced: None, messages: Vec::new() }
    }

    /// What opt has said so far that is no module.
    pub(super) fn messages(&self) -> &[String] {
        &self.messages
    }

    /// The next module; none at the end of the output.
    ///
    /// # Errors
    /// When the output cannot be read.
    pub(super) fn next(&mut self) -> io::Result<Option<Dump>> {
        let mut module = Vec::new();
        let mut line = Vec::new();
        let mut in_body = false;
        loop {
            line.clear();
            let left = self.most.saturating_sub(module.len() as u64);
            let read = self.input.by_ref().take(left.saturating_add(1)).read_until(b'\n', &mut line)?;
            if read as u64 > left {
                let message = format!("a module has more than {} bytes; --max-memory SIZE allows more", self.most);
                return Err(io::Error::other(message));
            }
            if read == 0 {
                return Ok(self.next.take().map(|pass| Dump { pass, module }));
            }
            if let Some(header) = header(&line) {
                let (number, name) = self.announced.take().unzip();
                let (class, unit) = header;
                let pass = PassRun { class, name, unit, number };
                if let Some(pass) = self.next.replace(pass) {
                    return Ok(Some(Dump { pass, module }));
                }
                module.clear();
            } else if line.starts_with(ANNOUNCEMENT) {
                self.announced = announcement(&line);
            } else if self.next.is_some() && (in_body || is_of_module(&line)) {
                if in_body {
                    in_body = !line.starts_with(b"}");
                } else {
                    in_body = line.starts_with(b"define ");
                }
                module.extend_from_slice(&line);
            } else {
                self.note(&line);
            }
        }
    }

    fn note(&mut self, line: &[u8]) {
        let line = String::from_utf8_lossy(line.trim_ascii_end());
        if line.is_empty() {
            return;
        }
        if self.messages.len() >= MOST_MESSAGES {
            // The last ones say why it ended.
            self.messages.drain(..MOST_MESSAGES / 2);
        }
        self.messages.push(line.into_owned());
    }
}

/// The class of the pass and what it ran on.
fn header(line: &[u8]) -> Option<(String, String)> {
    let line = String::from_utf8_lossy(line.strip_prefix(HEADER)?.trim_ascii_end());
    let line = line.strip_suffix(" ***")?;
    let line = line.strip_suffix(" (invalidated)").unwrap_or(line);
    let (class, unit) = line.split_once(" on ")?;
    Some((class.to_owned(), unit.to_owned()))
}

/// The number and the name in `BISECT: running pass (6) simplifycfg on f`.
fn announcement(line: &[u8]) -> Option<(u64, String)> {
    let line = String::from_utf8_lossy(line);
    let (number, rest) = line.split_once("running pass (")?.1.split_once(") ")?;
    let (name, _) = rest.split_once(" on ")?;
    Some((number.parse().ok()?, name.to_owned()))
}

/// Whether a line outside of bodies is one of a module.
fn is_of_module(line: &[u8]) -> bool {
    const BEGINNINGS: [&[u8]; 15] = [
        b"\n",
        b"; ",
        b"source_filename = ",
        b"target ",
        b"define ",
        b"declare ",
        b"attributes #",
        b"module asm ",
        b"uselistorder",
        b"@",
        b"%",
        b"!",
        b"$",
        b"^",
        b"}",
    ];
    BEGINNINGS.iter().any(|beginning| line.starts_with(beginning))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> (Vec<Dump>, Vec<String>) {
        let mut dumps = Dumps::new(text.as_bytes(), 1 << 20);
        let mut found = Vec::new();
        while let Some(dump) = dumps.next().expect("memory can be read") {
            found.push(dump);
        }
        (found, dumps.messages)
    }

    fn of(dump: &Dump) -> (&str, Option<&str>, &str, Option<u64>) {
        let PassRun { class, name, unit, number } = &dump.pass;
        (class, name.as_deref(), unit, *number)
    }

    #[test]
    fn modules_are_taken_apart() {
        let (dumps, messages) = all("BISECT: running pass (1) loop-simplify on f\n\
             ; *** IR Dump After LoopSimplifyPass on f ***\n\
             ; ModuleID = 'u.ll'\n\ndefine void @f() {\nentry:\n  ret void\n}\n\nattributes #0 = { convergent }\n\
             BISECT: running pass (2) loop-deletion on loop %l in function f\n\
             ; *** IR Dump After LoopDeletionPass on loop %l in function f (invalidated) ***\n\
             ; ModuleID = 'u.ll'\n!0 = !{}\n\
             ; *** IR Dump After InlinerPass on (f, g) ***\n\
             ; ModuleID = 'u.ll'\n");
        assert_eq!(messages, Vec::<String>::new());
        let expected = [
            ("LoopSimplifyPass", Some("loop-simplify"), "f", Some(1)),
            ("LoopDeletionPass", Some("loop-deletion"), "loop %l in function f", Some(2)),
            ("InlinerPass", None, "(f, g)", None),
        ];
        assert!(dumps.iter().map(of).eq(expected), "{dumps:?}");
        let module = String::from_utf8_lossy(&dumps[0].module);
        assert!(module.starts_with("; ModuleID") && module.ends_with("{ convergent }\n"), "{module}");
        assert_eq!(dumps[1].module, b"; ModuleID = 'u.ll'\n!0 = !{}\n");
    }

    /// What the verifier and the optimiser say stands between modules, never in them.
    #[test]
    fn messages_are_no_modules() {
        let (dumps, messages) = all("warning: unknown flag\n\
             ; *** IR Dump After IndVarSimplifyPass on loop %loop in function f ***\n\
             define void @f() {\n  ; a comment\nremark:\n  ret void\n}\n\
             Entry intrinsic can occur only in the entry block.\n  %token = call token @entry()\n\
             remark: <unknown>:0:0: loop not vectorized\n\
             LLVM ERROR: Broken function found after pass \"IndVarSimplifyPass\", compilation aborted!\n");
        assert_eq!(dumps.len(), 1);
        assert_eq!(dumps[0].module, b"define void @f() {\n  ; a comment\nremark:\n  ret void\n}\n");
        let begins = |line: &String| line.split([' ', ':']).next().unwrap_or_default().to_owned();
        let begins: Vec<String> = messages.iter().map(begins).collect();
        assert_eq!(begins, ["warning", "Entry", "", "remark", "LLVM"]);
    }

    #[test]
    fn functions_that_passes_run_on() {
        let function = |unit: &str| {
            let pass = PassRun { class: "P".to_owned(), name: None, unit: unit.to_owned(), number: None };
            pass.function().map(str::to_owned)
        };
        let units = ["f", "loop %l in function f", "(f)", "(f, g)", "[module]"];
        assert_eq!(units.map(|unit| function(unit).is_some()), [true, true, true, false, false]);
        assert_eq!(function("loop %l in function f").as_deref(), Some("f"));
    }

    #[test]
    fn damaged_output_has_no_dumps() {
        for text in
            ["", "opt: unknown pass name 'x'\n", "; *** IR Dump After\n", "; *** IR Dump After X on f\n", "BISECT: \n"]
        {
            assert_eq!(all(text).0, [], "{text}");
        }
        let (dumps, _) = all("; *** IR Dump After X on f ***\nBISECT: running pass (x) y\n");
        assert_eq!(dumps.len(), 1);
    }
}
