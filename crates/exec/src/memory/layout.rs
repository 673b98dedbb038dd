//! What a load or store moves: where the components of a value lie in memory.

use smallvec::SmallVec;

/// Where one component of a value lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// The component: the index of its slot.
    pub component: usize,
    /// How many bytes behind the address it starts.
    pub offset: u64,
    /// How many bits it has, 1 to 64. In memory it takes whole bytes, lowest first.
    pub bits: u32,
    /// Whether it is a pointer. Of these, fewer than 64 bits stand for the whole address.
    pub pointer: bool,
}

impl Part {
    /// How many bytes it takes in memory.
    pub fn bytes(&self) -> u32 {
        self.bits.div_ceil(8)
    }
}

/// What an instruction moves, as bytes behind an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    /// The components, in any order.
    parts: Vec<Part>,
    /// The bytes that they cover, as ranges without gaps between the parts of one: start and length.
    spans: SmallVec<[(u64, u64); 1]>,
    /// How many bytes behind the address the last of them ends.
    extent: u64,
    /// What the address is a multiple of, as the instruction says.
    alignment: u64,
    narrow_pointers: bool,
}

impl Layout {
    /// The layout of these components. The instruction says that the address is a multiple of `alignment`, a power of two; 1: it
    /// says nothing.
    pub fn new(parts: Vec<Part>, alignment: u64) -> Layout {
        let mut ranges: Vec<(u64, u64)> = parts.iter().map(|part| (part.offset, u64::from(part.bytes()))).collect();
        ranges.sort_unstable();
        let mut spans: SmallVec<[(u64, u64); 1]> = SmallVec::new();
        for (start, length) in ranges {
            match spans.last_mut() {
                Some(last) if last.0 + last.1 >= start => last.1 = last.1.max(start + length - last.0),
                _ => spans.push((start, length)),
            }
        }
        let extent = spans.last().map_or(0, |(start, length)| start + length);
        let narrow_pointers = parts.iter().any(|part| part.pointer && part.bits < 64);
        Layout { parts, spans, extent, alignment, narrow_pointers }
    }

    /// The layout of one scalar of at most 64 bits.
    pub fn scalar(bits: u32, alignment: u64) -> Layout {
        Layout::new(vec![Part { component: 0, offset: 0, bits, pointer: false }], alignment)
    }

    /// The components.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// How many bytes behind the address the last component ends.
    pub fn extent(&self) -> u64 {
        self.extent
    }

    /// The ranges of bytes that the components cover.
    pub(super) fn spans(&self) -> &[(u64, u64)] {
        &self.spans
    }

    /// What the address has to be a multiple of.
    pub fn alignment(&self) -> u64 {
        self.alignment
    }

    /// Whether there are pointers of fewer than 64 bits.
    pub(super) fn has_narrow_pointers(&self) -> bool {
        self.narrow_pointers
    }
}
