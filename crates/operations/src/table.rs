//! The rows, a file for each family of operations.

mod barriers;
mod folds;
mod ids;
mod shuffles;
mod votes;

use crate::{Does, Row, Spelling};

/// All of them.
pub const FAMILIES: [&[Row]; 5] = [barriers::ROWS, folds::ROWS, ids::ROWS, shuffles::ROWS, votes::ROWS];

const fn row(does: Does, spellings: &'static [Spelling]) -> Row {
    Row { does, spellings }
}
