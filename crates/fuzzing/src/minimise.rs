//! A failing input, made small: lines go, then tokens, as long as it fails in the same way.
//!
//! Every try is run by a worker, so that an input may end its process or never end.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};

use crate::campaign::{Bounds, Campaign, Worker};
use crate::failure::Failure;
use crate::input::Input;
use crate::worker::{GivenInput, Report, Work};

/// Runs inputs on a worker, which is started again when it ends.
#[derive(Debug)]
pub struct Runner<'c> {
    campaign: &'c Campaign,
    folder: &'c Path,
    worker: Option<Worker>,
    bounds: Bounds,
}

impl<'c> Runner<'c> {
    /// A runner with a folder for its files.
    pub fn new(campaign: &'c Campaign, folder: &'c Path) -> Runner<'c> {
        Runner { campaign, folder, worker: None, bounds: campaign.bounds }
    }

    /// What goes wrong with an input; nothing if all is well.
    ///
    /// # Errors
    /// When a worker cannot be started.
    pub fn run(&mut self, input: &Input) -> Result<Option<Failure>> {
        let file = |name: &str| self.folder.join(name);
        let text = file("given").with_extension(input.kind.extension());
        std::fs::write(&text, &input.text)?;
        let second = file("given-second");
        if let Some(text) = &input.second {
            std::fs::write(&second, text)?;
        }
        let given = GivenInput {
            verb: input.verb.name().to_owned(),
            extension: input.kind.extension().to_owned(),
            text,
            second: input.second.is_some().then_some(second),
            choices: input.choices,
        };
        let mut worker = match self.worker.take() {
            Some(worker) => worker,
            None => self.campaign.start(&self.folder.join("worker"), Work::Given)?,
        };
        worker.give(&serde_json::to_string(&given)?)?;
        loop {
            match worker.next(&self.bounds) {
                Ok(Report::Begin(_)) => {}
                Ok(Report::End { failure, .. }) => {
                    self.worker = Some(worker);
                    return Ok(failure);
                }
                Err(failure) => return Ok(Some(failure)),
            }
        }
    }
}

/// Makes an input small that fails with a key ([`Failure::key`]), for at most so long.
///
/// # Errors
/// When it does not fail so, or a worker cannot be started.
pub fn minimise(runner: &mut Runner<'_>, input: &Input, key: &str, at_most: Duration) -> Result<Input> {
    let until = Instant::now() + at_most;
    let fails = |runner: &mut Runner<'_>, input: &Input| -> Result<bool> {
        Ok(runner.run(input)?.is_some_and(|failure| failure.key() == key))
    };
    if !fails(runner, input)? {
        bail!("it does not fail in the same way again");
    }
    let mut best = input.clone();
    for split in [split_lines as fn(&[u8]) -> Vec<&[u8]>, split_tokens] {
        for of_second in [true, false] {
            let parts: Vec<Vec<u8>> = match (of_second, &best.second) {
                (true, None) => continue,
                (true, Some(text)) => split(text).into_iter().map(<[u8]>::to_vec).collect(),
                (false, _) => split(&best.text).into_iter().map(<[u8]>::to_vec).collect(),
            };
            let with = |parts: &[Vec<u8>]| {
                let mut input = best.clone();
                let text = parts.concat();
                if of_second {
                    input.second = Some(text)
                } else {
                    input.text = text
                }
                input
            };
            let parts = smallest(parts, until, &mut |parts| fails(runner, &with(parts)))?;
            best = with(&parts);
        }
    }
    Ok(best)
}

/// Takes parts away as long as `fails`: halves first, then smaller runs (Zeller's delta debugging, of complements only).
fn smallest(
    mut parts: Vec<Vec<u8>>,
    until: Instant,
    fails: &mut dyn FnMut(&[Vec<u8>]) -> Result<bool>,
) -> Result<Vec<Vec<u8>>> {
    let mut size = parts.len().div_ceil(2);
    while size > 0 {
        let mut at = 0;
        let mut changed = false;
        while at < parts.len() {
            if Instant::now() > until {
                return Ok(parts);
            }
            let end = (at + size).min(parts.len());
            let rest: Vec<Vec<u8>> = parts[..at].iter().chain(&parts[end..]).cloned().collect();
            if fails(&rest)? {
                parts = rest;
                changed = true;
            } else {
                at = end;
            }
        }
        if size > 1 {
            size = size.div_ceil(2);
        } else if !changed {
            break;
        }
    }
    Ok(parts)
}

fn split_lines(text: &[u8]) -> Vec<&[u8]> {
    text.split_inclusive(|&byte| byte == b'\n').collect()
}

fn split_tokens(text: &[u8]) -> Vec<&[u8]> {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || b"%@!#._".contains(&byte);
    text.chunk_by(|&a, &b| is_word(a) && is_word(b)).collect()
}
