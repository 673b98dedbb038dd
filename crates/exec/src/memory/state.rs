//! What memory holds, to be compared with what it holds later.

use super::access::Place;
use super::chunk::Chunk;
use super::{Layout, Memory};
use crate::value::{Mask, Slot, lanes_of};

pub use super::private::PrivateState;

/// What is in places that several threads see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contents(Vec<Chunk>);

impl Memory<'_> {
    /// What lanes would find. Private memory, and what is no memory, is left out.
    pub fn shared_contents(&self, wave: usize, layout: &Layout, address: &Slot, mask: Mask) -> Contents {
        let mut chunks = Vec::new();
        for lane in lanes_of(mask) {
            for part in layout.parts() {
                let at = address.bits[lane].wrapping_add(part.offset);
                match self.resolve(wave, lane, at, u64::from(part.bytes()), false) {
                    Ok(place @ (Place::Global { .. } | Place::Local { .. })) => {
                        chunks.push(self.read(wave, lane, place, part.bytes()));
                    }
                    Ok(Place::Private { .. }) | Err(_) => {}
                }
            }
        }
        Contents(chunks)
    }

    /// The private memory of a wave, unless it is large.
    pub fn private_state(&self, wave: usize) -> Option<PrivateState> {
        self.private[wave].state()
    }

    /// Whether the private memory of a wave is as it was.
    pub fn is_private_state(&self, wave: usize, state: &PrivateState) -> bool {
        self.private[wave].is(state)
    }

    /// Gives back what the workgroup has for itself, when it has ended.
    pub fn give_back(&mut self) {
        self.local = super::LocalMemory::new(0);
        self.private = Vec::new();
        self.races = None;
    }
}
