//! Which name a misspelt one is most like.

/// How many letters a name may differ from what was written.
pub(crate) const MOST_LETTERS: usize = 2;

/// The name among some that is most like a wrong one: one letter inserted, left out, replaced or swapped, or two of six or more; of one letter, that in the other case. None for very long ones.
pub(crate) fn nearest<T: AsRef<str> + Ord>(wrong: &str, names: impl Iterator<Item = T>) -> Option<T> {
    const LONGEST: usize = 64;
    if wrong.len() > LONGEST {
        return None;
    }
    let most = if wrong.len() < 6 { 1 } else { MOST_LETTERS };
    let may_be = |name: &str| match wrong.len() {
        1 => name.eq_ignore_ascii_case(wrong),
        length => name.len().abs_diff(length) <= most && !name.is_empty(),
    };
    let near = names.filter(|name| may_be(name.as_ref()));
    let distances = near.map(|name| (distance(wrong.as_bytes(), name.as_ref().as_bytes()), name));
    distances.filter(|&(distance, _)| distance > 0 && distance <= most).min().map(|(_, name)| name)
}

/// How many letters are inserted, left out, replaced, or swapped with their neighbour; some large number if it is more than two.
fn distance(a: &[u8], b: &[u8]) -> usize {
    const BAND: usize = 2;
    const FAR: usize = BAND + 1;
    let mut before = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        // What is further from the diagonal is further than two letters.
        let mut row = vec![FAR; b.len() + 1];
        row[0] = i;
        for j in i.saturating_sub(BAND).max(1)..=b.len().min(i + BAND) {
            let replaced = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}
