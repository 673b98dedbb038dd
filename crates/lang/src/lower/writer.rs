//! How the names and types of a program are spelled in IR.

use cranelift_entity::PrimaryMap;
use reconverge_ir::emit::spelling::{name, unsigned};
use reconverge_ir::emit::{self, Language, Piece, Writer};

use super::{Context, names};
use crate::typed::{Function, Global, Label, Type, Variable};
use reconverge_outline::TokenSource;

pub(super) use reconverge_ir::emit::{Block, Pointer};

/// What has a name.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Name {
    /// The room of a variable on the stack.
    Variable(Variable),
    /// The room of an unnamed value on the stack.
    Slot(u32),
    /// A global.
    Global(Global),
    /// A function, as others call it.
    Function(Function),
    /// The address of a label of a function, and of which form of a kernel, in an address space.
    Label {
        /** Which. */
        label: Label,
        /** Of what. */
        function: Function,
        /** As [`Name::Function`]. */
        is_called: bool,
        /** The number of the space of the pointer. */
        space: u32,
    },
}

/// The type of values.
#[derive(Debug, Clone, Copy)]
pub(super) struct Of(pub(super) Type);

/// The type of what is in memory.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stored(pub(super) Type);

/// What an instruction can take.
pub(super) type Operand = emit::Operand<Name>;

/// How a block ends.
pub(super) type Terminator = emit::Terminator<Name, Of>;

/// Memory of a body that was written.
pub(super) type Room = emit::Room<Name, Of>;

/// The names of a body.
pub(super) struct Names<'c> {
    pub(super) context: &'c Context<'c>,
    /// Those of the rooms of variables, with their `%`.
    pub(super) variables: PrimaryMap<Variable, Box<[u8]>>,
}

impl Language for Names<'_> {
    type Name = Name;
    type Type = Of;

    fn put_name(&self, which: Name, to: &mut Vec<u8>) {
        let program = self.context.program;
        match which {
            Name::Variable(variable) => to.extend_from_slice(&self.variables[variable]),
            Name::Slot(number) => {
                to.extend_from_slice(b"%slot.tmp.");
                unsigned(to, u64::from(number));
            }
            Name::Global(global) => {
                to.push(b'@');
                name(to, &program.globals[global].name);
            }
            Name::Function(function) => names::called(to, &program.functions[function]),
            Name::Label { label, function, is_called, space } => {
                let data = &program.functions[function];
                names::label_in_space(to, data, is_called, label, space);
            }
        }
    }

    fn put_type(&self, of: Of, to: &mut Vec<u8>) {
        to.extend_from_slice(&self.context.types[of.0].value);
    }
}

impl Piece<Names<'_>> for Of {
    fn put(self, to: &mut Writer<Names<'_>>) {
        to.language.put_type(self, &mut to.bytes);
    }
}

impl Piece<Names<'_>> for Stored {
    fn put(self, to: &mut Writer<Names<'_>>) {
        to.bytes.extend_from_slice(&to.language.context.types[self.0].memory);
    }
}

impl Piece<Names<'_>> for TokenSource {
    fn put(self, to: &mut Writer<Names<'_>>) {
        let (word, node) = match self {
            TokenSource::Body => return to.put("%body.token"),
            TokenSource::Heart(node) => ("%heart.token.", node),
            TokenSource::Anchor(node) => ("%anchor.token.", node),
        };
        to.put(word);
        to.put(node.as_u32());
    }
}
