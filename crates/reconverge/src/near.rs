//! Names that a user may have meant.

use reconverge_findings::Code;

use strsim::levenshtein;

use crate::triage::Level;

/// How many are suggested.
const MOST: usize = 3;

/// The names nearest to another, best first.
#[derive(Debug, Clone, Default)]
pub struct Near {
    found: Vec<(usize, String)>,
    /// Whether they were looked for in source.
    of_source: bool,
}

impl Near {
    /// Looks at a name.
    pub fn consider(&mut self, asked: &str, name: &str) {
        let distance = levenshtein(asked, name);
        if distance <= 1 + asked.chars().count() / 3 && !self.found.iter().any(|(_, found)| found == name) {
            let place = self.found.partition_point(|&(found, _)| found <= distance);
            self.found.insert(place, (distance, name.to_owned()));
            self.found.truncate(MOST);
        }
    }

    /// Those of some names.
    pub fn among<'n>(asked: &str, names: impl IntoIterator<Item = &'n str>) -> Near {
        let mut near = Near::default();
        names.into_iter().for_each(|name| near.consider(asked, name));
        near
    }

    /// The codes of diagnostics.
    pub fn to_code(asked: &str) -> Near {
        Near::among(&asked.to_ascii_uppercase(), Code::ALL.iter().map(|code| code.name()))
    }

    /// That there is nothing with the name that was `asked` for: with those that may be meant or, where there are none, what `else` helps.
    pub fn instead_of(&self, what: &str, asked: &str, otherwise: &str) -> String {
        let meant: Vec<String> = self.names().map(|name| format!("`{name}`")).collect();
        match meant.as_slice() {
            [] => format!("there is no {what} `{asked}`; {otherwise}"),
            meant => format!("there is no {what} `{asked}`; did you mean {}?", meant.join(" or ")),
        }
    }

    /// That no function has the name that was `asked` for, with those that may be meant.
    pub fn instead_of_function(&self, asked: &str) -> String {
        let said = |name: &str| if self.of_source { format!("`{name}`") } else { format!("@{name}") };
        let meant: Vec<String> = self.names().map(said).collect();
        let question = if meant.is_empty() { String::new() } else { format!("; did you mean {}?", meant.join(" or ")) };
        format!("no function {} has a body here{question}", said(asked.trim_start_matches('@')))
    }

    /// The same, of source, which has no sigils.
    pub(crate) fn of_source(self, of_source: bool) -> Near {
        Near { of_source, ..self }
    }

    /// Takes those of another part of the input.
    pub fn merge(&mut self, asked: &str, other: Near) {
        self.of_source |= other.of_source;
        other.found.iter().for_each(|(_, name)| self.consider(asked, name));
    }

    /// The names.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.found.iter().map(|(_, name)| name.as_str())
    }
}

/// The code with a name.
///
/// # Errors
/// When there is none, with the one that may be meant.
pub fn code(name: &str) -> Result<Code, String> {
    let unknown = || Near::to_code(name).instead_of("diagnostic", name, "`reconverge explain` lists all codes");
    Code::from_name(name).ok_or_else(unknown)
}

/// The level with a name.
///
/// # Errors
/// When there is none, with the one that may be meant.
pub fn level(name: &str) -> Result<Level, String> {
    let names = || Level::NAMED.iter().map(|&(name, _)| name);
    let unknown = || {
        let all = format!("expected {}", names().collect::<Vec<_>>().join(", "));
        Near::among(name, names()).instead_of("level", name, &all)
    };
    Level::from_name(name).ok_or_else(unknown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_come_first() {
        let mut near = Near::default();
        for name in ["other", "tidy", "tid.x", "tid", "tid", "tod"] {
            near.consider("tidx", name);
        }
        assert_eq!(near.names().collect::<Vec<_>>(), ["tidy", "tid.x", "tid"]);
    }
}
