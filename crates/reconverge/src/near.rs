//! Names that a user may have meant.

use strsim::levenshtein;

/// How many are suggested.
const MOST: usize = 3;

/// The names nearest to another, best first.
#[derive(Debug, Clone, Default)]
pub struct Near {
    found: Vec<(usize, String)>,
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

    /// Takes those of another part of the input.
    pub fn merge(&mut self, asked: &str, other: Near) {
        other.found.iter().for_each(|(_, name)| self.consider(asked, name));
    }

    /// The names.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.found.iter().map(|(_, name)| name.as_str())
    }
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
