//! LLVM's verdict on many modules with few runs of `opt`: modules are joined to one, and halved where that is rejected.
//!
//! Modules are joined by their lines. Definitions get names of their own, declarations and variables that say the same stand there once, and the numbers of metadata
//! are moved apart. Modules that cannot be joined, by target or because they declare something differently, go to different runs.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use reconverge_testing::llvm::Tools;

/// Numbers of metadata of one module.
const NODES: usize = 100_000;

/// Modules in one.
#[derive(Default)]
struct Joined<'t> {
    target: Vec<&'t str>,
    /// Declarations and variables, by name.
    shared: BTreeMap<&'t str, &'t str>,
    bodies: String,
    members: Vec<usize>,
}

/// Those of the modules that LLVM's verifier or its parser rejects, by their places, with what it says.
pub(crate) fn rejected(tools: &Tools, texts: &[&str]) -> Vec<(usize, String)> {
    let mut all: Vec<Joined<'_>> = Vec::new();
    for (index, text) in texts.iter().enumerate() {
        let parts = Parts::of(text);
        let place = all.iter().position(|joined| parts.fit(joined)).unwrap_or_else(|| {
            all.push(Joined { target: parts.target.clone(), ..Joined::default() });
            all.len() - 1
        });
        parts.join(index, &mut all[place]);
    }
    let mut rejected = Vec::new();
    for Joined { target, shared, bodies, members } in all {
        let lines: Vec<&str> = shared.into_values().collect();
        let module = format!("{}\n{}\n{bodies}", target.join("\n"), lines.join("\n"));
        // What does not parse is an error.
        let complaint = match tools.verify(&module) {
            Ok(verdict) if verdict.accepted => continue,
            Ok(verdict) => verdict.output,
            Err(error) => format!("{error:#}"),
        };
        match members[..] {
            [only] => rejected.push((only, complaint)),
            _ => {
                for half in members.chunks(members.len().div_ceil(2)) {
                    let some: Vec<&str> = half.iter().map(|&member| texts[member]).collect();
                    rejected.extend(self::rejected(tools, &some).into_iter().map(|(at, why)| (half[at], why)));
                }
            }
        }
    }
    rejected
}

/// The lines of a module, by what becomes of them.
struct Parts<'t> {
    /// The layout and the triple.
    target: Vec<&'t str>,
    shared: BTreeMap<&'t str, &'t str>,
    /// The functions with a body.
    defined: BTreeSet<&'t str>,
    rest: Vec<&'t str>,
}

impl<'t> Parts<'t> {
    fn of(text: &'t str) -> Parts<'t> {
        let mut parts =
            Parts { target: Vec::new(), shared: BTreeMap::new(), defined: BTreeSet::new(), rest: Vec::new() };
        for line in text.lines() {
            if line.starts_with("target ") {
                parts.target.push(line);
            } else if line.starts_with("declare ") || line.starts_with('@') || line.starts_with("attributes #") {
                // Groups of attributes go by their numbers.
                let at = line.find(['@', '#']).unwrap_or(0);
                parts.shared.insert(name_at(line, at), line);
            } else if !line.starts_with("source_filename") {
                if line.starts_with("define ")
                    && let Some(at) = line.find('@')
                {
                    parts.defined.insert(name_at(line, at));
                }
                parts.rest.push(line);
            }
        }
        parts
    }

    fn fit(&self, joined: &Joined<'_>) -> bool {
        let agrees = |(name, line): (&&str, &&str)| joined.shared.get(name).is_none_or(|other| other == line);
        self.target == joined.target && self.shared.iter().all(agrees)
    }

    fn join(self, index: usize, joined: &mut Joined<'t>) {
        joined.shared.extend(self.shared);
        for line in self.rest {
            let mut rest = line;
            while let Some(at) = rest.find(['@', '!']) {
                let name = name_at(rest, at);
                joined.bodies.push_str(&rest[..at]);
                match name[1..].parse::<usize>() {
                    Ok(number) if name.starts_with('!') => {
                        let _ = write!(joined.bodies, "!{}", number + NODES * index);
                    }
                    _ if self.defined.contains(name) => {
                        let _ = write!(joined.bodies, "{name}.of.{index}");
                    }
                    _ => joined.bodies.push_str(name),
                }
                rest = &rest[at + name.len()..];
            }
            joined.bodies.push_str(rest);
            joined.bodies.push('\n');
        }
        joined.members.push(index);
    }
}

/// A name with its sigil.
fn name_at(line: &str, at: usize) -> &str {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '.' | '_' | '-' | '$');
    let length = line[at + 1..].find(|letter| !is_part(letter)).unwrap_or(line.len() - at - 1);
    &line[at..=at + length]
}
