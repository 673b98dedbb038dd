//! Each pass: on small modules, on random ones, and what it refuses.

mod edits;
mod inline;
mod legality;
mod motion;
mod motion_random;
mod noconvergent;
mod reduce;
mod reduce_random;
mod tokens;
mod unroll;
