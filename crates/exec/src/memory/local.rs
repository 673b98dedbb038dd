//! Local memory: the objects that the threads of one workgroup see.
//!
//! Objects lie behind each other with gaps, in the order in which they were allocated.

use super::address::{Address, LOCAL_START, PRIVATE_START};
use super::fault::OutOfMemory;
use super::object::Object;

/// The least distance of two objects: what is a little beyond the end of one belongs to no other.
const GAP: u64 = 64;

pub(super) struct LocalMemory {
    pub(super) objects: Vec<Object>,
    /// Where each starts. Ascending.
    pub(super) starts: Vec<u32>,
    limit: u64,
}

impl LocalMemory {
    /// Room for so many bytes.
    pub(super) fn new(limit: u64) -> LocalMemory {
        LocalMemory { objects: Vec::new(), starts: Vec::new(), limit: limit.min((PRIVATE_START - LOCAL_START).into()) }
    }

    pub(super) fn allocate(&mut self, name: &str, bytes: u64, alignment: u64) -> Result<Address, OutOfMemory> {
        let top = match (self.objects.last(), self.starts.last()) {
            (Some(object), Some(&start)) => u64::from(start) + object.bytes + GAP,
            _ => u64::from(LOCAL_START),
        };
        let start = top.checked_next_multiple_of(alignment.max(16)).unwrap_or(u64::MAX);
        let wanted = start.saturating_add(bytes) - u64::from(LOCAL_START);
        let error = OutOfMemory { wanted, limit: self.limit };
        if wanted > self.limit {
            return Err(error);
        }
        let object = Object::new(name, bytes, false, false, true).ok_or(error)?;
        self.objects.push(object);
        self.starts.push(start as u32);
        Ok(Address::local(start as u32))
    }

    /// The object that an address is in or nearest to, and its distance from the start.
    pub(super) fn nearest(&self, low: u32) -> Option<(usize, i64)> {
        let after = self.starts.partition_point(|&start| start <= low);
        let before = after.checked_sub(1).map(|object| (object, i64::from(low) - i64::from(self.starts[object])));
        if let Some((object, offset)) = before {
            // What is nearer to the next object's start than to the end of this one is before that.
            let beyond = offset - self.objects[object].bytes as i64;
            match self.starts.get(after) {
                Some(&next) if beyond > i64::from(next - low) => {}
                _ => return before,
            }
        }
        self.starts.get(after).map(|&start| (after, i64::from(low) - i64::from(start)))
    }

    /// Forgets all that was stored, for the next workgroup.
    pub(super) fn clear(&mut self) {
        self.objects.iter_mut().for_each(Object::clear);
    }
}
