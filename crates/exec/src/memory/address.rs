//! What a pointer is: the address that a register holds.
//!
//! An [`Address`] is 64 bits. Null is 0. The top byte of every other one is a tag that names the [`Segment`]:
//!
//! - *global*: 20 bits for the number of an object, then 36 bits for the distance from its start, plus 2³⁵. Objects are thus 64 GiB
//!   apart and have room on both sides: arithmetic that leaves an object does not arrive in another.
//! - *heap*: 24 bits for the number of the workgroup that asked for it, then 32 bits that say where. It is global to whoever asks, but only the threads of
//!   that workgroup find it.
//! - *local*, *private* and *function*: the low 32 bits say where. Private addresses are relative to the thread: the same
//!   `alloca` has the same address in all of them.
//!
//! Where a program has pointers of 32 bits, or makes an integer of so many, these are the low 32 bits of an address in the last three
//! segments, and a number given by [`GlobalMemory`](super::GlobalMemory::to_integer) for a global one. Each segment has a
//! range of its own, so that they can be told apart again.

/// Where an object lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Segment {
    /// Seen by all threads of a launch: buffers and global variables, constant ones too.
    Global,
    /// Seen by the threads of a workgroup.
    Local,
    /// Seen by one thread: its stack.
    Private,
    /// Code: the targets of indirect calls and branches.
    Function,
}

/// The value of a pointer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Address(pub u64);

const TAG_SHIFT: u32 = 56;
const GLOBAL: u64 = 0x10;
const HEAP: u64 = 0x18;
const LOCAL: u64 = 0x20;
const PRIVATE: u64 = 0x30;
const FUNCTION: u64 = 0x40;

const OFFSET_BITS: u32 = 36;
const ORIGIN: u64 = 1 << (OFFSET_BITS - 1);

/// So many workgroups have heaps that are told apart.
pub(super) const WORKGROUPS: u32 = 1 << (TAG_SHIFT - 32);

/// The largest object of global memory, in bytes.
pub(super) const MAX_OBJECT_BYTES: u64 = ORIGIN;
/// How many objects global memory can have.
pub(super) const MAX_OBJECTS: usize = 1 << (TAG_SHIFT - OFFSET_BITS);

/// Where local memory starts, as a number of 32 bits. What is below is near null.
pub(super) const LOCAL_START: u32 = 0x100;
/// Where private memory starts.
pub(super) const PRIVATE_START: u32 = 0x1000_0000;
/// Where functions start.
pub(super) const FUNCTION_START: u32 = 0x2000_0000;
/// Where the 32-bit numbers of global objects start.
pub(super) const NARROW_START: u32 = 0x3000_0000;
/// The distance of two functions.
const FUNCTION_BYTES: u32 = 16;

/// An address, taken apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Parts {
    /// Null, or so near that it must have been null once.
    Null,
    Global {
        object: usize,
        offset: i64,
    },
    Heap {
        workgroup: u32,
        low: u32,
    },
    Local(u32),
    Private(u32),
    Function(u32),
    /// In no segment.
    Nowhere,
}

impl Address {
    /// The pointer to nothing.
    pub const NULL: Address = Address(0);

    /// A place in an object of global memory.
    pub(super) fn global(object: usize, offset: i64) -> Address {
        Address(GLOBAL << TAG_SHIFT | (object as u64) << OFFSET_BITS | ORIGIN.wrapping_add_signed(offset))
    }

    /// A place in the heap of a workgroup, by the low bits of its number.
    pub(super) fn heap(workgroup: u32, low: u32) -> Address {
        Address(HEAP << TAG_SHIFT | u64::from(workgroup % WORKGROUPS) << 32 | u64::from(low))
    }

    /// A place in local memory.
    pub(super) fn local(low: u32) -> Address {
        Address(LOCAL << TAG_SHIFT | u64::from(low))
    }

    /// A place in private memory.
    pub(super) fn private(low: u32) -> Address {
        Address(PRIVATE << TAG_SHIFT | u64::from(low))
    }

    /// The function with this number, below 2²⁴.
    pub fn function(index: u32) -> Address {
        Address(FUNCTION << TAG_SHIFT | u64::from(FUNCTION_START + FUNCTION_BYTES * index))
    }

    /// The block with this number, below 2²⁴, among those whose address a program takes. It lies where no function does.
    pub(crate) fn block(number: u32) -> Address {
        Address(Address::function(number).0 + u64::from(FUNCTION_BYTES / 2))
    }

    /// The number of the function at this address; `None` where none can be.
    pub fn as_function(self) -> Option<u32> {
        match self.parts() {
            Parts::Function(low) if low >= FUNCTION_START && (low - FUNCTION_START).is_multiple_of(FUNCTION_BYTES) => {
                Some((low - FUNCTION_START) / FUNCTION_BYTES)
            }
            _ => None,
        }
    }

    /// The segment that the address is in. `None` for null and for numbers that no pointer has.
    pub fn segment(self) -> Option<Segment> {
        match self.parts() {
            Parts::Global { .. } | Parts::Heap { .. } => Some(Segment::Global),
            Parts::Local(_) => Some(Segment::Local),
            Parts::Private(_) => Some(Segment::Private),
            Parts::Function(_) => Some(Segment::Function),
            Parts::Null | Parts::Nowhere => None,
        }
    }

    /// Whether all of these are in private memory.
    pub fn are_private(addresses: &[u64]) -> bool {
        const HIGH: u64 = PRIVATE << (TAG_SHIFT - 32);
        addresses.iter().fold(0, |other, address| other | (address >> 32 ^ HIGH)) == 0
    }

    pub(super) fn parts(self) -> Parts {
        let low = self.0 as u32;
        match self.0 >> TAG_SHIFT {
            GLOBAL => Parts::Global {
                object: (self.0 >> OFFSET_BITS) as usize & (MAX_OBJECTS - 1),
                offset: (self.0 & (2 * ORIGIN - 1)).wrapping_sub(ORIGIN) as i64,
            },
            HEAP => Parts::Heap { workgroup: (self.0 >> 32) as u32 % WORKGROUPS, low },
            _ if self.0 < u64::from(LOCAL_START) || self.0.wrapping_neg() < u64::from(LOCAL_START) => Parts::Null,
            tag if self.0 >> 32 != tag << (TAG_SHIFT - 32) => Parts::Nowhere,
            LOCAL => Parts::Local(low),
            PRIVATE => Parts::Private(low),
            FUNCTION => Parts::Function(low),
            _ => Parts::Nowhere,
        }
    }

    /// The address with these low 32 bits in a segment other than global memory; `None` where the number is in none of them.
    pub(super) fn from_low(low: u32) -> Option<Address> {
        match low {
            LOCAL_START..PRIVATE_START => Some(Address::local(low)),
            PRIVATE_START..FUNCTION_START => Some(Address::private(low)),
            FUNCTION_START..NARROW_START => Some(Address(FUNCTION << TAG_SHIFT | u64::from(low))),
            _ => None,
        }
    }
}
