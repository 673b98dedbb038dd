//! The rows, a file for each family of operations.

mod barriers;
mod folds;
mod shuffles;
mod votes;

use crate::{Does, Row, Spelling};

/// All of them.
pub const FAMILIES: [&[Row]; 4] = [barriers::ROWS, folds::ROWS, shuffles::ROWS, votes::ROWS];

const fn row(does: Does, spellings: &'static [Spelling]) -> Row {
    Row { does, spellings }
}
