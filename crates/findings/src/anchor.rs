//! Places in a module.

use reconverge_ir::function::{Inst, MetadataNumber};
use reconverge_ir::{Function, FunctionId, Span};

/// A place in a module.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Anchor {
    /// The function; none for what is outside of all.
    pub function: Option<FunctionId>,
    /// The instruction; none for a function as a whole, or a parameter.
    pub inst: Option<Inst>,
    /// The bytes of the module's text.
    pub span: Span,
    /// The place in the source, where the IR says it: a `DILocation`.
    pub location: Option<MetadataNumber>,
}

impl Anchor {
    /// An instruction of a function.
    pub fn inst(id: FunctionId, function: &Function, inst: Inst) -> Anchor {
        let data = &function.instructions[inst];
        Anchor { function: Some(id), inst: Some(inst), span: data.span, location: data.debug_location.expand() }
    }

    /// A part of a function that is no instruction.
    pub fn part(id: FunctionId, span: Span) -> Anchor {
        Anchor { function: Some(id), inst: None, span, location: None }
    }

    /// A part of a module, or of a source file, that is in no function of the module.
    pub fn outside(span: Span) -> Anchor {
        Anchor { function: None, inst: None, span, location: None }
    }
}
