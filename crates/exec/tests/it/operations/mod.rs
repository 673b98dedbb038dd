//! Functions of GPUs against references that are written down lane by lane.

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
