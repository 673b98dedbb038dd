//! Functions of GPUs against references that are written down lane by lane.
//!
//! `RECONVERGE_ROUNDS` multiplies the random executions of each function; `RECONVERGE_SEED` sets the first seed, which a
//! failure prints.

mod amd;
mod barriers;
mod cases;
mod coverage;
mod folds;
mod queries;
mod violations;
mod votes;
mod workgroup;
mod world;
