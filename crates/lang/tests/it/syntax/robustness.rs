//! Damaged files: the parser neither panics nor hangs, and what it says has places.

use reconverge_lang::options::{Dialect, Limits, Options};
use reconverge_lang::syntax::{self, print};
use reconverge_lang::token::{Symbols, Token, TokenKind};
use reconverge_testing::random::SplitMix64;
use reconverge_testing::rounds::{first_seed, times};

use crate::syntax::cases::{kernels, tokens_of};

/// Parses what a damage left; the tree can be printed, and the messages make sense.
fn survive(tokens: &[Token], symbols: &mut Symbols, dialect: Dialect) {
    let parsed = syntax::parse(tokens, symbols, &Options::new(dialect));
    for diagnostic in &parsed.diagnostics {
        assert!(!diagnostic.message.is_empty());
        let is_somewhere = tokens.iter().any(|token| token.location == diagnostic.location);
        assert!(is_somewhere, "{diagnostic:?}");
    }
    assert!(parsed.diagnostics.len() <= Limits::default().errors + tokens.len());
    print::print(&parsed.tree, symbols);
}

#[test]
fn every_beginning_of_a_kernel() {
    for (path, dialect) in kernels() {
        let (preprocessed, mut symbols) = tokens_of(&path, dialect);
        let tokens = preprocessed.tokens;
        let end = *tokens.last().expect("an end");
        for length in (0..tokens.len()).step_by(7) {
            let mut cut = tokens[..length].to_vec();
            cut.push(Token { location: cut.last().map_or(end.location, |token| token.location), ..end });
            survive(&cut, &mut symbols, dialect);
        }
    }
}

#[test]
fn tokens_that_are_lost_doubled_swapped_and_replaced() {
    let seed = first_seed();
    eprintln!("RECONVERGE_SEED={seed}");
    let mut random = SplitMix64::new(seed);
    let kernels: Vec<_> = kernels()
        .into_iter()
        .map(|(path, dialect)| {
            let (preprocessed, symbols) = tokens_of(&path, dialect);
            (preprocessed.tokens, symbols, dialect)
        })
        .collect();
    let mut kernels = kernels;
    let brackets = ["(", ")", "[", "]", "{", "}", ";", ",", "<", ">", ">>", "::", "template", "struct", "typedef", "="];
    for _ in 0..times(3000) {
        let count = kernels.len() as u64;
        let (tokens, symbols, own) = &mut kernels[(random.next_u64() % count) as usize];
        let mut damaged = tokens.clone();
        for _ in 0..1 + random.next_u64() % 4 {
            let length = damaged.len() as u64 - 1;
            let at = (random.next_u64() % length) as usize;
            let other = (random.next_u64() % length) as usize;
            match random.next_u64() % 5 {
                0 if length > 1 => drop(damaged.remove(at)),
                1 => damaged.insert(at, damaged[other]),
                2 => damaged.swap(at, other),
                3 => {
                    let text = brackets[(random.next_u64() % brackets.len() as u64) as usize];
                    let is_word = text.starts_with(|first: char| first.is_alphabetic());
                    damaged[at].kind = if is_word { TokenKind::Identifier } else { TokenKind::Punctuator };
                    damaged[at].symbol = symbols.intern(text);
                }
                _ => damaged[at].symbol = damaged[other].symbol,
            }
        }
        let dialects = [Dialect::OpenCl, Dialect::Cuda, Dialect::Hip, Dialect::C, Dialect::Cpp];
        let dialect =
            if random.next_u64().is_multiple_of(2) { *own } else { dialects[(random.next_u64() % 5) as usize] };
        survive(&damaged, symbols, dialect);
    }
}
