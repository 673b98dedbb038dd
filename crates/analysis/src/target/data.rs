//! A target as data. Everything is borrowed in a built-in target, and owned in one that was read from a user's file.

use std::borrow::Cow;

use super::calls::CallTable;
use reconverge_operations::facts::{LoadFacts, MemoryKind, Scope};

/// Some words; a `*` at the end of one stands for anything where its list says so.
pub(super) type Words = Cow<'static, [Cow<'static, str>]>;

/// What differs between threads, on one kind of GPU.
#[derive(Debug, Clone)]
pub struct Target {
    pub(super) name: Cow<'static, str>,
    pub(super) triples: Words,
    pub(super) subgroup_size: Option<u32>,
    pub(super) kernel_conventions: Words,
    pub(super) kernel_attributes: Words,
    pub(super) kernel_parameters: Option<Scope>,
    pub(super) parameter_attributes: Cow<'static, [(Cow<'static, str>, Scope)]>,
    pub(super) uniform_registers: Words,
    /// By address space.
    pub(super) memory: Cow<'static, [(u32, LoadFacts)]>,
    pub(super) other_memory: LoadFacts,
    pub(super) calls: CallTable,
}

impl Target {
    /// One of which nothing is known.
    pub(super) const NOTHING: Target = Target {
        name: Cow::Borrowed(""),
        triples: Cow::Borrowed(&[]),
        subgroup_size: None,
        kernel_conventions: Cow::Borrowed(&[]),
        kernel_attributes: Cow::Borrowed(&[]),
        kernel_parameters: None,
        parameter_attributes: Cow::Borrowed(&[]),
        uniform_registers: Cow::Borrowed(&[]),
        memory: Cow::Borrowed(&[]),
        other_memory: LoadFacts { kind: MemoryKind::Unknown, uniform: None, atomic: None },
        calls: CallTable::EMPTY,
    };
}
