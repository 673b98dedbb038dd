//! Names that a user may have meant.

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
        let distance = distance(asked, name);
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

/// How many letters have to be added, dropped or replaced to get from one name to the other.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (index, letter) in one.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], index + 1);
        for (column, &facing) in other.iter().enumerate() {
            let replaced = diagonal + usize::from(letter != facing);
            diagonal = row[column + 1];
            row[column + 1] = replaced.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        for (one, other, expected) in [
            ("", "", 0),
            ("", "abc", 3),
            ("abc", "abc", 0),
            ("kitten", "sitting", 3),
            ("tid", "tidx", 1),
            ("ab", "ba", 2),
        ] {
            assert_eq!(distance(one, other), expected, "{one} {other}");
            assert_eq!(distance(other, one), expected, "{other} {one}");
        }
    }

    #[test]
    fn the_best_come_first() {
        let mut near = Near::default();
        for name in ["other", "tidy", "tid.x", "tid", "tid", "tod"] {
            near.consider("tidx", name);
        }
        assert_eq!(near.names().collect::<Vec<_>>(), ["tidy", "tid.x", "tid"]);
    }
}
