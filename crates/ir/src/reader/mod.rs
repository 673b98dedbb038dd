//! The `.ll` reader.
//!
//! A module is read in two steps. Indexing finds the top-level entities and their names, and skips the bodies of
//! functions: a body ends at the first line that begins with `}`, which [`memchr`] finds at the speed of
//! memory. Then any number of threads read bodies, each into tables of its own. Where a text is laid out otherwise,
//! the body's reader notices that the body does not end where it should, and [`read_functions`] starts over with an index that
//! counts brackets.

mod attributes;
mod body;
mod calls;
mod constants;
mod cursor;
mod error;
mod exceptions;
mod functions;
mod glance;
mod globals;
mod index;
mod instructions;
mod locals;
mod memory;
mod metadata;
mod scope;
mod types;

use crate::function::{Block, Function, List, Value};
use crate::types::{Type, TypeTable};
use cursor::Cursor;
use locals::Locals;
use scope::Scope;
use types::TypeCache;

pub use body::FunctionReader;
pub use error::ReadError;
pub use functions::{read_functions, read_functions_unless, read_functions_with};
pub use glance::Glance;
pub use index::BodyEnds;

/// Everything that reading needs at hand: a place in the text, the names, and the tables being filled.
struct Reader<'r, 't, S> {
    cursor: Cursor<'t>,
    types: &'r TypeTable,
    cache: &'r mut TypeCache,
    scope: S,
    out: &'r mut Function,
    state: &'r mut State,
    depth: u32,
}

/// Memory that is kept from one function to the next.
#[derive(Debug, Default)]
struct State {
    locals: Locals,
    /// The blocks, by order of first mention.
    mentioned_blocks: Vec<MentionedBlock>,
    /// Stacks of lists that are being read; a list moves to its pool when it is complete.
    values: Vec<Value>,
    blocks: Vec<Block>,
    spans: Vec<crate::text::Span>,
    /// Attribute groups that were named.
    groups: Vec<u32>,
    /// How many values were used and are not defined yet.
    pending: usize,
}

/// A block that was named, and where it stands once that is known.
#[derive(Debug, Clone, Copy)]
struct MentionedBlock {
    name: crate::function::LocalName,
    /// Where it was first mentioned.
    offset: u32,
    block: Option<Block>,
}

impl<'t, S: Scope<'t>> Reader<'_, 't, S> {
    /// Moves the values stacked since `base` to the pool.
    fn finish_values(&mut self, base: usize) -> List {
        let start = self.out.operand_pool.len();
        self.out.operand_pool.extend(self.state.values.drain(base..));
        list(start, self.out.operand_pool.len())
    }

    /// Puts a short list of values into the pool.
    #[inline]
    fn value_list(&mut self, values: &[Value]) -> List {
        let start = self.out.operand_pool.len();
        self.out.operand_pool.extend_from_slice(values);
        list(start, self.out.operand_pool.len())
    }

    #[inline]
    fn block_list(&mut self, blocks: &[Block]) -> List {
        let start = self.out.block_pool.len();
        self.out.block_pool.extend_from_slice(blocks);
        list(start, self.out.block_pool.len())
    }

    /// The spelling of a type, for messages.
    fn type_name(&self, ty: Type) -> String {
        self.types.display(ty, &|named| format!("%{}", cranelift_entity::EntityRef::index(named)))
    }
}

/// The list `start..end` of a pool. Pools have fewer than 2^32 elements: each takes at least a byte of text.
fn list(start: usize, end: usize) -> List {
    List { start: start as u32, length: (end - start) as u32 }
}
