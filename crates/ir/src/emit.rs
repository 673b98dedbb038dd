//! Writing IR as text, for front ends: numbers and names, operands, blocks, attributes, metadata, lines, and the origins of all that.
//!
//! A front end says how its names and types are spelled ([`Language`]), and writes each function as a [`Body`]: instructions are pieces, one behind the other
//! ([`Piece`]), blocks are created, opened and closed with a [`Terminator`]. What comes out is text and [`Origins`], never an instruction as data: the
//! reader is the only way into the analyses.
//!
//! **Invariants.** The text of a body is written once, from its first block to its last; what belongs before it (the header, room on the stack) is a [`Part`] of its own.
//! Results are numbered in the order in which they are written. Everything is linear in the text.
//!
//! ```
//! use reconverge_ir::emit::{Body, Language, ModuleText, Operand, Part, Room, Terminator};
//!
//! /// Functions of integers: parameters are named by a letter, and all types are one.
//! struct Integers;
//! impl Language for Integers {
//!     type Name = char;
//!     type Type = ();
//!     fn put_name(&self, name: char, to: &mut Vec<u8>) {
//!         to.extend_from_slice(format!("%{name}").as_bytes());
//!     }
//!     fn put_type(&self, (): (), to: &mut Vec<u8>) {
//!         to.extend_from_slice(b"i32");
//!     }
//! }
//!
//! let mut body = Body::new(Integers, Room::default());
//! let entry = body.create("entry");
//! body.open(entry);
//! let sum = body.define();
//! body.put("add i32 ");
//! body.put(Operand::Named('a'));
//! body.put(", ");
//! body.put(Operand::Integer(1));
//! body.end(None);
//! body.close(Terminator::Return((), sum), None, None);
//! body.turn_to(Part::Header);
//! body.put("define i32 @f(i32 %a)");
//! let mut module = ModuleText::default();
//! body.finish(&mut module);
//! assert_eq!(module.bytes, b"define i32 @f(i32 %a) {\nentry:\n  %0 = add i32 %a, 1\n  ret i32 %0\n}\n\n");
//! ```

use crate::origin::{OriginId, Origins};

mod blocks;
mod body;
mod lines;
mod metadata;
mod operand;
pub mod spelling;

pub use blocks::{Block, BlockName, Terminator};
pub use body::{Body, Part, Room};
pub use lines::DebugLines;
pub use metadata::{AttributeGroups, Metadata};
pub use operand::{Operand, Piece, Pointer, Writer};

/// How the names and types of a front end are spelled.
pub trait Language {
    /// A name of a value: `%x`, `@f`.
    type Name: Copy;
    /// A type of values.
    type Type: Copy;
    /// Writes a name with its sigil.
    fn put_name(&self, name: Self::Name, to: &mut Vec<u8>);
    /// Writes a type.
    fn put_type(&self, of: Self::Type, to: &mut Vec<u8>);
}

/// The text of a module as far as it is written, and what is in the source what is there.
#[derive(Debug, Default)]
pub struct ModuleText {
    /// The text.
    pub bytes: Vec<u8>,
    /// The origins of what is in it.
    pub origins: Origins,
}

impl ModuleText {
    /// Says what begins where the text ends.
    pub fn mark(&mut self, origin: OriginId) {
        mark(&mut self.origins, self.bytes.len(), origin);
    }
}

/// The reader takes texts below 4 GiB: what begins behind that is not asked for.
fn mark(origins: &mut Origins, at: usize, origin: OriginId) {
    if let Ok(at) = u32::try_from(at) {
        origins.mark(at, origin);
    }
}
