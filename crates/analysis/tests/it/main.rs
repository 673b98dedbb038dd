//! Rules, regions, lints, targets and uniformity: against definitions, and on small modules.

mod common;
mod fixtures;
mod hazards;
mod large;
mod lints;
mod oracle;
mod passed_over;
mod random;
mod targets;
mod uniformity;
mod uniformity_lowering;
