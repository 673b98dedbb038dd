//! The built-in targets, as the build script has read them from `targets/*.toml`; the last is for everything that is none
//! of the others, and the others build on it.

use std::borrow::Cow;

use super::calls::{CallTable, Names};
use super::data::Target;
use reconverge_operations::facts::{
    CallFacts, Degree::*, LoadFacts, Meeting, MemoryKind::*, MotionFacts, OperandSet, Operation, ResultFacts, Scope::*,
};

include!(concat!(env!("OUT_DIR"), "/built_in.rs"));
