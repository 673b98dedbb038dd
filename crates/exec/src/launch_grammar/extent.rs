//! Numbers of threads, sizes, schedules: options with a grammar of their own.

use std::str::FromStr;

use crate::launch::{AnchorPolicy, Schedule};

/// `X[,Y[,Z]]`: a number in each of three dimensions, none of them 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extent(
    /// In x, y and z.
    pub [u32; 3],
);

impl FromStr for Extent {
    type Err = String;

    fn from_str(text: &str) -> Result<Extent, String> {
        let wrong = || format!("expected one to three numbers from 1 to {}, such as 16 or 8,8", u32::MAX);
        let mut extent = [1; 3];
        let parts: Vec<&str> = text.split(',').collect();
        if parts.len() > extent.len() {
            return Err(wrong());
        }
        for (place, part) in extent.iter_mut().zip(parts) {
            *place = part.trim().parse().ok().filter(|&number| number > 0).ok_or_else(wrong)?;
        }
        Ok(Extent(extent))
    }
}

impl Extent {
    /// The product of the three.
    pub fn count(self) -> u128 {
        self.0.iter().map(|&number| u128::from(number)).product()
    }
}

impl std::fmt::Display for Extent {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            [x, 1, 1] => write!(formatter, "{x}"),
            [x, y, 1] => write!(formatter, "{x},{y}"),
            [x, y, z] => write!(formatter, "{x},{y},{z}"),
        }
    }
}

/// A number of bytes: `65536`, `64K`, `512M`, `8G`, by powers of 1024.
///
/// # Errors
/// What was expected, in words.
pub fn size(text: &str) -> Result<u64, String> {
    scaled(text, 1024, "a number of bytes above 0, such as 65536, 64K, 512M or 8G")
}

/// A number of things: `5000`, `50k`, `10M`, `2G`, by powers of 1000.
///
/// # Errors
/// What was expected, in words.
pub fn count(text: &str) -> Result<u64, String> {
    scaled(text, 1000, "a number above 0, such as 5000, 50K, 10M or 2G")
}

fn scaled(text: &str, base: u64, expected: &str) -> Result<u64, String> {
    let power = match text.chars().last() {
        Some('k' | 'K') => 1,
        Some('m' | 'M') => 2,
        Some('g' | 'G') => 3,
        Some('t' | 'T') => 4,
        _ => 0,
    };
    let digits = if power == 0 { text } else { &text[..text.len() - 1] };
    let number: Option<u64> = digits.replace('_', "").parse().ok();
    number
        .and_then(|number| number.checked_mul(base.pow(power)))
        .filter(|&number| number > 0)
        .ok_or_else(|| format!("expected {expected}"))
}

/// `lockstep`, `random:SEED`, `fair`.
///
/// # Errors
/// What was expected, in words.
pub fn schedule(text: &str) -> Result<Schedule, String> {
    match (text, text.strip_prefix("random:").map(str::parse)) {
        ("lockstep", _) => Ok(Schedule::Lockstep),
        ("fair", _) => Ok(Schedule::Fair),
        ("random", _) => Ok(Schedule::Random(0)),
        (_, Some(Ok(seed))) => Ok(Schedule::Random(seed)),
        _ => Err("expected lockstep, fair or random:SEED, where SEED is a number".to_owned()),
    }
}

/// `maximal`, `solo`, `active`, `split:SEED`.
///
/// # Errors
/// What was expected, in words.
pub fn anchors(text: &str) -> Result<AnchorPolicy, String> {
    match (text, text.strip_prefix("split:").map(str::parse)) {
        ("maximal", _) => Ok(AnchorPolicy::Maximal),
        ("solo", _) => Ok(AnchorPolicy::Solo),
        ("active", _) => Ok(AnchorPolicy::Active),
        (_, Some(Ok(seed))) => Ok(AnchorPolicy::Split(seed)),
        _ => Err("expected maximal, solo, active or split:SEED, where SEED is a number".to_owned()),
    }
}

/// Threads, numbered through a launch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Threads(pub Vec<u64>);

/// So many threads can be listed.
const MOST_LISTED: u64 = 1024;

/// `threads=0,3,8-11`
///
/// # Errors
/// What was expected, in words.
pub fn threads(text: &str) -> Result<Threads, String> {
    let expected = || "expected threads=LIST, where LIST is numbers and ranges such as 0,3,8-11".to_owned();
    let mut threads = Vec::new();
    for part in text.strip_prefix("threads=").ok_or_else(expected)?.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let [first, last] = [first, last].map(|number| number.trim().parse::<u64>());
        let (Ok(first), Ok(last)) = (first, last) else { return Err(expected()) };
        if last < first || last - first >= MOST_LISTED - threads.len() as u64 {
            return Err(format!(
                "expected ranges from the lesser number to the greater one, of at most {MOST_LISTED} threads"
            ));
        }
        threads.extend(first..=last);
    }
    Ok(Threads(threads))
}
