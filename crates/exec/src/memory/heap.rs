//! The heap: what threads ask for while they run, with `malloc` or `new`.
//!
//! Objects of the heap are beside those of the local memory of the workgroup that asked for them, and end with it at the latest. **Invariant.** An address of either leads to objects of
//! its own kind only: an access that runs over the end of a shared array does not arrive in the heap. What was freed is not given out again, so a use after
//! that is always found.

use super::Memory;
use super::address::{Address, Parts};
use super::fault::{FaultKind, OutOfMemory};
use super::object::Lifetime;

impl Memory<'_> {
    /// Makes an object of the heap, in which nothing was stored. No bytes are an object, too.
    pub fn allocate_heap(&mut self, bytes: u64) -> Result<Address, OutOfMemory> {
        let place = self.local.allocate("", bytes, 16)?;
        if let Some(object) = self.local.objects.last_mut() {
            object.lifetime = Lifetime::Heap;
        }
        Ok(Address::heap(self.workgroup, place.0 as u32))
    }

    /// Gives an object of the heap back; null is none.
    ///
    /// # Errors
    /// When no object of the heap begins there.
    pub fn free(&mut self, address: u64) -> Result<(), FaultKind> {
        if address == Address::NULL.0 {
            return Ok(());
        }
        let Parts::Heap { workgroup, low } = Address(address).parts() else { return Err(FaultKind::NotAllocated) };
        if workgroup != self.workgroup {
            return Err(FaultKind::OfAnotherWorkgroup);
        }
        match self.nearest_local(address, low) {
            Some((object, 0)) => {
                self.local.objects[object].lifetime = Lifetime::Freed;
                Ok(())
            }
            _ => Err(FaultKind::NotAllocated),
        }
    }

    /// The object of local memory, or of the heap, that an address in it is in or nearest to, and the distance from its start.
    pub(super) fn nearest_local(&self, address: u64, low: u32) -> Option<(usize, i64)> {
        let wanted = match Address(address).parts() {
            Parts::Heap { .. } => Lifetime::Heap,
            _ => Lifetime::Whole,
        };
        self.local.nearest(low).filter(|&(object, _)| self.local.objects[object].lifetime == wanted)
    }
}
