//! Global memory: the objects that all threads of a launch see.

use std::fmt;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::address::{Address, MAX_OBJECT_BYTES, MAX_OBJECTS, NARROW_START, Parts};
use super::chunk::{Chunk, flags};
use super::fault::OutOfMemory;
use super::object::Object;
use crate::launch::Indeterminate;

/// What an object holds at first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Initial<'a> {
    /// Zeroes.
    Zero,
    /// Nothing that may be read before it is written.
    Uninitialised,
    /// These bytes; zeroes behind them.
    Bytes(&'a [u8]),
}

/// The objects that all threads of a launch see. Made before the launch; then workgroups share it, each on any OS thread.
pub struct GlobalMemory {
    pub(super) objects: Vec<Object>,
    /// Where objects start among addresses of 32 bits, ascending, for the first ones: as many as there is room for.
    narrow: Vec<u32>,
    next_narrow: u64,
    used: u64,
    limit: u64,
    exclusive: bool,
    /// Held during an atomic access of more than a word. Which one depends on the address.
    locks: Box<[Mutex<()>]>,
}

impl fmt::Debug for GlobalMemory {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "GlobalMemory({} objects, {} bytes)", self.objects.len(), self.used)
    }
}

const LOCKS: usize = 64;

/// The least distance of two objects among addresses of 32 bits.
const NARROW_GAP: u64 = 256;

impl GlobalMemory {
    /// Memory of at most `limit` bytes. `exclusive` promises that workgroups run one after the other.
    pub fn new(limit: u64, exclusive: bool) -> GlobalMemory {
        GlobalMemory {
            objects: Vec::new(),
            narrow: Vec::new(),
            next_narrow: u64::from(NARROW_START),
            used: 0,
            limit,
            exclusive,
            locks: (0..LOCKS).map(|_| Mutex::new(())).collect(),
        }
    }

    /// How many bytes there is room for.
    pub fn room(&self) -> u64 {
        self.limit - self.used
    }

    /// Makes an object. Its address is a multiple of any alignment up to 2³⁵ bytes.
    pub fn allocate(
        &mut self,
        name: &str,
        bytes: u64,
        initial: Initial<'_>,
        constant: bool,
    ) -> Result<Address, OutOfMemory> {
        let wanted = self.used.saturating_add(bytes);
        let error = OutOfMemory { wanted, limit: self.limit };
        if wanted > self.limit || bytes > MAX_OBJECT_BYTES || self.objects.len() == MAX_OBJECTS {
            return Err(error);
        }
        let defined = initial != Initial::Uninitialised;
        let object = Object::new(name, bytes, defined, constant, self.exclusive).ok_or(error)?;
        if let Initial::Bytes(contents) = initial {
            store(&object, 0, contents);
        }
        self.used = wanted;
        let end = self.next_narrow + bytes + NARROW_GAP;
        if end <= u64::from(u32::MAX) {
            self.narrow.push(self.next_narrow as u32);
        }
        self.next_narrow = end.next_multiple_of(NARROW_GAP);
        self.objects.push(object);
        Ok(Address::global(self.objects.len() - 1, 0))
    }

    /// Stores bytes from outside the program: initialisers of global variables, which hold addresses that are known only after
    /// everything is allocated. Bytes beyond the end of the object are left out.
    pub fn write(&self, address: Address, bytes: &[u8]) {
        if let Some((object, offset)) = self.find(address) {
            let room = usize::try_from(object.bytes - offset).unwrap_or(usize::MAX);
            store(object, offset, &bytes[..bytes.len().min(room)]);
        }
    }

    /// Makes the bits that are set in a mask `undef`, from this address on, in bytes that were written.
    pub fn write_undefined(&self, address: Address, mask: &[u8]) {
        let Some((object, start)) = self.find(address) else { return };
        for (offset, &mask) in (start..object.bytes).zip(mask) {
            let old = object.read(offset, 1);
            object.write(offset, 1, Chunk { undefined: old.undefined | u64::from(mask), ..old });
        }
    }

    /// Makes so many bytes poison, from this address on.
    pub fn write_poison(&self, address: Address, bytes: u64) {
        let Some((object, start)) = self.find(address) else { return };
        for offset in (start..object.bytes).take(usize::try_from(bytes).unwrap_or(usize::MAX)) {
            object.write(offset, 1, Chunk { poison: flags(1), ..Chunk::default() });
        }
    }

    /// All bytes of the object at this address; what is not known is 0. Empty where there is none.
    pub fn bytes(&self, address: Address) -> Vec<u8> {
        let Some((object, _)) = self.find(address) else { return Vec::new() };
        let mut bytes = Vec::with_capacity(object.words.len() * 4);
        for offset in (0..object.bytes).step_by(8) {
            bytes.extend(object.read_bits(offset, (object.bytes - offset).min(8) as u32).to_le_bytes());
        }
        bytes.truncate(object.bytes as usize);
        bytes
    }

    /// Whether poison was stored somewhere. O(1) for each object.
    pub fn had_poison(&self) -> bool {
        self.objects.iter().any(Object::had_poison)
    }

    /// Of the elements of the object at this address, each of so many bytes (a power of two, at most eight), those that are
    /// not all known, by number.
    pub fn indeterminate(&self, address: Address, element: u32) -> Vec<(Range<u64>, Indeterminate)> {
        let mut found: Vec<(Range<u64>, Indeterminate)> = Vec::new();
        let Some((object, _)) = self.find(address).filter(|(object, _)| !object.is_plain()) else { return found };
        let count = object.bytes / u64::from(element);
        let mut index = 0;
        while index < count {
            let offset = index * u64::from(element);
            let word = (offset / 4) as usize;
            if element <= 4 && object.word_is_plain(word) {
                index = (word as u64 + 1) * 4 / u64::from(element);
                continue;
            }
            let chunk = object.read(offset, element);
            let what = match (chunk.poison, chunk.undefined) {
                (0, 0) => None,
                (0, _) => Some(Indeterminate::Undefined),
                _ => Some(Indeterminate::Poison),
            };
            match (what, found.last_mut()) {
                (None, _) => {}
                (Some(what), Some((range, before))) if range.end == index && *before == what => range.end += 1,
                (Some(what), _) => found.push((index..index + 1, what)),
            }
            index += 1;
        }
        found
    }

    /// The name of the object at an address, or next to it.
    pub fn name(&self, address: Address) -> Option<&str> {
        match address.parts() {
            Parts::Global { object, .. } => Some(&self.objects.get(object)?.name),
            _ => None,
        }
    }

    /// An address as an integer of so many bits: `ptrtoint`, and what a store of a narrow pointer leaves in memory. 64 bits hold the
    /// address itself; of fewer, the low 32 are enough to find it again, if global memory has less than 3 GiB.
    pub fn to_integer(&self, address: u64, bits: u32) -> u64 {
        if bits >= 64 {
            return address;
        }
        let narrow = match Address(address).parts() {
            Parts::Global { object, offset } => match self.narrow.get(object) {
                Some(&start) => u64::from(start).wrapping_add_signed(offset),
                None => address,
            },
            _ => address,
        };
        narrow & u64::from(u32::MAX) & crate::value::low_bits(bits)
    }

    /// The address for an integer of so many bits: `inttoptr`, and the load of a narrow pointer. An integer that
    /// [`to_integer`](Self::to_integer) did not give becomes an address through which nothing can be accessed, or one of what happens to
    /// be there.
    pub fn from_integer(&self, integer: u64, bits: u32) -> u64 {
        let integer = integer & crate::value::low_bits(bits);
        let Ok(low) = u32::try_from(integer) else { return integer };
        if let Some(address) = Address::from_low(low) {
            return address.0;
        }
        // The object that it is in or behind; what is shortly before the start of one is before that.
        let behind = self.narrow.partition_point(|&start| start <= low.saturating_add(NARROW_GAP as u32 / 2));
        match behind.checked_sub(1) {
            Some(object) => Address::global(object, i64::from(low) - i64::from(self.narrow[object])).0,
            None => integer,
        }
    }

    /// Holds back other atomic accesses of more than a word to this place.
    pub(super) fn lock(&self, object: usize, offset: u64) -> Option<MutexGuard<'_, ()>> {
        let stripe = (offset / 8) as usize ^ object.wrapping_mul(7);
        (!self.exclusive).then(|| self.locks[stripe % LOCKS].lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn find(&self, address: Address) -> Option<(&Object, u64)> {
        match address.parts() {
            Parts::Global { object, offset } => {
                let object = self.objects.get(object)?;
                let offset = u64::try_from(offset).ok().filter(|&offset| offset <= object.bytes)?;
                Some((object, offset))
            }
            _ => None,
        }
    }
}

pub(super) fn store(object: &Object, offset: u64, bytes: &[u8]) {
    for (at, chunk) in (offset..object.bytes).step_by(8).zip(bytes.chunks(8)) {
        let count = (object.bytes - at).min(chunk.len() as u64);
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        object.write(at, count as u32, Chunk::plain(u64::from_le_bytes(word)));
    }
}
