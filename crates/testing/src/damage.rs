//! Texts with something wrong in them: what is before the damage is the text that it was.

use std::ops::Range;

use crate::random::SplitMix64;

/// A text that was damaged in one place or two.
#[derive(Debug, Clone)]
pub struct Damaged {
    /// What was done to it.
    pub what: &'static str,
    /// The bytes before this are those of the text as it was.
    pub begin: usize,
    /// The text as it is now.
    pub text: Vec<u8>,
}

/// Flips a bit, swaps, replaces or loses a word, or loses a line. The text is not empty.
pub fn damage(text: &[u8], random: &mut SplitMix64) -> Damaged {
    let words = words(text);
    let word = |random: &mut SplitMix64| words.get(random.below(words.len().max(1))).cloned().unwrap_or(0..0);
    let without = |lost: Range<usize>| [&text[..lost.start], &text[lost.end..]].concat();
    match random.below(5) {
        0 => {
            let begin = random.below(text.len());
            let mut text = text.to_vec();
            text[begin] ^= 1 << random.below(8);
            Damaged { what: "a flipped bit", begin, text }
        }
        1 => {
            let (one, other) = (word(random), word(random));
            let (first, second) = if one.start <= other.start { (one, other) } else { (other, one) };
            let between = first.end..second.start.max(first.end);
            let parts = [&text[..first.start], &text[second.clone()], &text[between], &text[first.clone()]];
            let swapped = if first == second { text.to_vec() } else { [&parts.concat(), &text[second.end..]].concat() };
            Damaged { what: "swapped tokens", begin: first.start, text: swapped }
        }
        2 => {
            let (one, other) = (word(random), word(random));
            let replaced = [&text[..one.start], &text[other], &text[one.end..]].concat();
            Damaged { what: "a token replaced by another", begin: one.start, text: replaced }
        }
        3 => {
            let lost = word(random);
            Damaged { what: "a token lost", begin: lost.start, text: without(lost) }
        }
        _ => {
            let starts = text.split_inclusive(|&byte| byte == b'\n').scan(0, |at, line| {
                let begin = *at;
                *at += line.len();
                Some(begin..*at)
            });
            let lines: Vec<Range<usize>> = starts.collect();
            let lost = lines[random.below(lines.len())].clone();
            Damaged { what: "a line lost", begin: lost.start, text: without(lost) }
        }
    }
}

/// Only the beginning of a text that is not empty.
pub fn cut(text: &[u8], random: &mut SplitMix64) -> Damaged {
    let begin = random.below(text.len());
    Damaged { what: "a beginning", begin, text: text[..begin].to_vec() }
}

/// Names, numbers, and each other character by itself.
fn words(text: &[u8]) -> Vec<Range<usize>> {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let mut found: Vec<Range<usize>> = Vec::new();
    for (at, &byte) in text.iter().enumerate().filter(|(_, byte)| !byte.is_ascii_whitespace()) {
        match found.last_mut() {
            Some(last) if last.end == at && is_part(byte) && is_part(text[at - 1]) => last.end = at + 1,
            _ => found.push(at..at + 1),
        }
    }
    found
}
