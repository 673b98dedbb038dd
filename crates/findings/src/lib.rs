//! What is wrong with a program, as data, and the words for it.
//!
//! A [`Finding`] is what an analysis, the executor or a comparison found: a [`Code`], a place, what is wrong ([`Kind`]) and the [`Step`](control::Step)s of the
//! chain that explains it. [`Words`] makes a [`Diagnostic`] of it, which is what is printed as text, JSON or SARIF.
//!
//! Invariant: a finding names functions, instructions, values and blocks by number, and [`words`] is the only place where sentences are made. What
//! the parts of a program are called there is up to a [`Voice`]: by their names in the IR, or as the source writes them.

mod anchor;
pub mod change;
pub mod codes;
pub mod control;
pub mod diagnostic;
mod finding;
mod fingerprint;
pub mod run;
mod scene;
mod suppression;
mod voice;
pub mod words;

pub use anchor::Anchor;
pub use codes::{Code, Severity};
pub use control::{Requirement, RequirementKind};
pub use diagnostic::{Diagnostic, Related};
pub use finding::{AttributeBreach, Breach, Finding, Kind, Statement, TokenBreach};
pub use fingerprint::{Fingerprint, number};
pub use scene::{Scene, describe_location};
pub use suppression::Suppression;
pub use voice::{IrVoice, Voice};
pub use words::Words;
