//! The grammar of launches.

use reconverge_testing::random::SplitMix64;

use super::Outcome;
use crate::input::Input;
use crate::targets::launch_grammar::survives;

/// Pieces of arguments.
const PIECES: [&str; 40] = [
    "n",
    "out",
    "%",
    "=",
    "=",
    "u32",
    "f16",
    "i8",
    "u64",
    "bf16",
    "[",
    "]",
    "[4]",
    "[1024]",
    "{",
    "}",
    "{iota}",
    "{random}",
    "{random:7}",
    "{uninit}",
    "@",
    "@file.bin",
    ",",
    ":",
    "0",
    "4",
    "-1",
    "1.5",
    "0x7f",
    "1e9",
    "nan",
    "inf",
    "K",
    "G",
    " ",
    "é",
    "\0",
    "_",
    "18446744073709551616",
    "split:",
];

/// Arguments that are right.
const RIGHT: [&str; 14] = [
    "n=2000",
    "out=u32[1024]",
    "in=u32[4]{1,2,3,4}",
    "in=f32[64]{iota}",
    "in=f32[64]{random:3}",
    "x=@file.bin",
    "x=f32@file",
    "v={1,2,3,4}",
    "8,4,2",
    "64K",
    "random:77",
    "split:3",
    "p=null",
    "o=i16[2]{-1, 2}",
];

/// A text for the grammar.
pub(crate) fn text(rng: &mut SplitMix64) -> String {
    let mut text = if rng.percent(80) { RIGHT[rng.below(RIGHT.len())].to_owned() } else { String::new() };
    let changes = if text.is_empty() { 1 + rng.below(10) } else { rng.below(2) };
    for _ in 0..changes {
        let piece = PIECES[rng.below(PIECES.len())];
        let places: Vec<usize> = (0..=text.len()).filter(|&at| text.is_char_boundary(at)).collect();
        let at = places[rng.below(places.len())];
        if rng.percent(70) {
            text.insert_str(at, piece);
        } else {
            text.truncate(at);
        }
    }
    text
}

pub(super) fn launch(input: &Input) -> Outcome {
    let past_reader = survives(&input.text);
    let mut outcome = Outcome { past_reader, ..Outcome::default() };
    outcome.answers(&String::from_utf8_lossy(&input.text));
    outcome
}
