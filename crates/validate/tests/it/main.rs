//! Pairs of programs: what is found, what is the same, and passes that are broken on purpose.

mod anchors;
mod broken;
mod pairs;
mod same;
