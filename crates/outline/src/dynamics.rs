//! The dynamic semantics of convergence at the source: which evaluations of several threads are converged, by each of the three texts.
//!
//! A thread's way through a body is a *walk*: the statements that it starts and the evaluations that it makes, in order ([`flow`], [`check_walk`]). [`Keys`] gives each step of each walk a key, in O(1)
//! amortised; steps of different threads with equal keys are converged. [`Rules`] has what a [`Model`] says of a body: the rules of a text, and a choice where the text leaves one to the implementation.
//! `reconverge_semantics::ConvergenceOrder` makes *convergence-before* of the keys.
//!
//! - [`Names`] turns what a person writes (`A,B,B,C`) into a walk, and [`table`](table::table) shows walks as the documents do.
//! - [`Positions`] says of threads that run who is together, and who can still come.
//! - [`groups`](groups::groups) takes the markers that threads passed in a run of the lowered program.
//!
//! ```
//! use reconverge_outline::convergence::analyze;
//! use reconverge_outline::dynamics::{Choice, Model, Names, table};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let outline = reconverge_outline::sketch::parse("A; while (_more) { B; if (_last) { C; break; } } D;")?;
//! let model = Model::Clang2025_04(Choice::Solo);
//! let analysis = analyze(&outline, model.source());
//! let names = Names::new(&outline, &analysis, |location| Some((1, location.0)));
//! let walks = [names.walk(&["A", "B", "C", "D"])?, names.walk(&["A", "B", "B", "C", "D"])?];
//! let table = table(&outline, &analysis, model, &names, &walks)?;
//! assert_eq!(table.rows[0].iter().flatten().count(), 4);
//! # Ok(())
//! # }
//! ```

pub mod contexts;
pub mod flow;
mod groups;
mod keys;
mod levels;
mod names;
mod positions;
mod table;
mod tangles;
mod walk;

pub use groups::{Execution, ExecutionError, Group, groups};
pub use keys::{Choice, Keys, Model, Rules, Thread, Unrelated};
pub use names::{Names, NamesError};
pub use positions::{Position, Positions};
pub use table::{table, table_of_keys};
pub use walk::{Extent, WalkError, check_walk};
