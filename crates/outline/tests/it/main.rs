//! Which threads are together where, by definitions and by ours.

mod convergence;
mod dynamics;
mod models;
