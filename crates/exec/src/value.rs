//! What registers hold: scalars of many threads side by side.
//!
//! A *lane* is the place of a thread in its *wave* of [`WIDTH`] threads. A value of any first-class type is flattened into
//! scalars (the elements of vectors, arrays and structs, in order), and a scalar into *components* of at most 64 bits: one,
//! unless it is an integer of more than 64 bits, which has one for each 64 bits, lowest first. A [`Slot`] is one component of
//! all lanes of a wave, so an operation on a register is one loop over contiguous numbers.
//!
//! Invariant: bits above the width of a component are zero. Floating-point numbers are their bits, pointers their address.
//! Which lanes of a slot mean anything is known to whoever uses it; the others hold whatever they hold.

/// How many threads a wave has room for.
pub const WIDTH: usize = 64;

/// One number for each lane.
pub type Lanes = [u64; WIDTH];

/// A set of lanes: bit *i* is lane *i*.
pub type Mask = u64;

/// The lanes of a set, in ascending order.
pub fn lanes_of(mut mask: Mask) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = mask.trailing_zeros() as usize;
        (mask != 0).then(|| {
            mask &= mask - 1;
            lane
        })
    })
}

/// For each lane of a set all bits, for the others none.
pub(crate) fn selection(mask: Mask) -> Lanes {
    const OF_BYTE: [[u64; 8]; 256] = {
        let mut table = [[0; 8]; 256];
        let mut byte = 0;
        while byte < 256 {
            let mut lane = 0;
            while lane < 8 {
                table[byte][lane] = if byte >> lane & 1 != 0 { u64::MAX } else { 0 };
                lane += 1;
            }
            byte += 1;
        }
        table
    };
    static TABLE: [[u64; 8]; 256] = OF_BYTE;
    let mut lanes = [0; WIDTH];
    for (eight, byte) in lanes.chunks_exact_mut(8).zip(mask.to_le_bytes()) {
        eight.copy_from_slice(&TABLE[usize::from(byte)]);
    }
    lanes
}

/// The type of a scalar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scalar {
    /// An integer of this many bits, at least 1.
    Integer(u32),
    /// IEEE 754 binary16.
    Half,
    /// The upper half of a binary32.
    BFloat,
    /// IEEE 754 binary32.
    Float,
    /// IEEE 754 binary64.
    Double,
    /// A pointer into an address space, as the IR numbers it.
    Pointer(u32),
    /// A convergence token: the fingerprint of the dynamic instance that it stands for.
    Token,
}

impl Scalar {
    /// How many bits a register of this type has. A pointer has 64, whatever it has in memory.
    pub fn bits(self) -> u32 {
        match self {
            Scalar::Integer(bits) => bits,
            Scalar::Half | Scalar::BFloat => 16,
            Scalar::Float => 32,
            Scalar::Double | Scalar::Pointer(_) | Scalar::Token => 64,
        }
    }

    /// How many components it has.
    pub fn components(self) -> usize {
        self.bits().div_ceil(64) as usize
    }

    /// Whether this is a floating-point type.
    pub fn is_float(self) -> bool {
        matches!(self, Scalar::Half | Scalar::BFloat | Scalar::Float | Scalar::Double)
    }
}

/// A type, flattened: its scalars in order. Empty for `void`.
pub type Shape = Vec<Scalar>;

/// How many components a value of a flattened type has.
pub fn component_count(shape: &[Scalar]) -> usize {
    shape.iter().map(|scalar| scalar.components()).sum()
}

/// The bits that a component of `bits` bits can have set.
pub fn low_bits(bits: u32) -> u64 {
    if bits >= 64 { u64::MAX } else { (1 << bits) - 1 }
}

/// One component of all lanes of a wave.
#[derive(Debug, Clone, PartialEq)]
pub struct Slot {
    /// The numbers.
    pub bits: Lanes,
    /// The lanes that are poison. Their numbers mean nothing.
    pub poison: Mask,
    /// For each lane its bits that are `undef`: of which each use may see another choice. They are zero in `bits`. `None`: no
    /// lane has any.
    pub undefined: Option<Box<Lanes>>,
}

impl Default for Slot {
    fn default() -> Slot {
        Slot { bits: [0; WIDTH], poison: 0, undefined: None }
    }
}

impl Slot {
    /// The same number in each lane.
    pub fn splat(bits: u64) -> Slot {
        Slot { bits: [bits; WIDTH], ..Slot::default() }
    }

    /// The bits of a lane that are `undef`.
    pub fn undefined_bits(&self, lane: usize) -> u64 {
        self.undefined.as_ref().map_or(0, |undefined| undefined[lane])
    }

    /// The lanes with at least one bit that is `undef`.
    pub fn undefined_lanes(&self) -> Mask {
        let Some(undefined) = &self.undefined else { return 0 };
        undefined.iter().enumerate().fold(0, |mask, (lane, &bits)| mask | Mask::from(bits != 0) << lane)
    }

    /// The lanes of which not all is known: poison, or some bits `undef`.
    pub fn indeterminate_lanes(&self) -> Mask {
        self.poison | self.undefined_lanes()
    }

    /// Takes over the lanes of `mask` from another slot and leaves the others as they are.
    pub fn merge(&mut self, from: &Slot, mask: Mask) {
        if mask == Mask::MAX {
            self.bits = from.bits;
            self.merge_unknown(from, mask);
        } else {
            self.merge_selected(from, mask, &selection(mask));
        }
    }

    /// The same, with the [`selection`] of `mask`.
    #[inline]
    pub(crate) fn merge_selected(&mut self, from: &Slot, mask: Mask, select: &Lanes) {
        for ((to, &bits), &take) in self.bits.iter_mut().zip(&from.bits).zip(select) {
            *to = *to & !take | bits & take;
        }
        self.merge_unknown(from, mask);
    }

    #[inline]
    fn merge_unknown(&mut self, from: &Slot, mask: Mask) {
        self.poison = self.poison & !mask | from.poison & mask;
        if self.undefined.is_some() || from.undefined.is_some() {
            let mut undefined = self.undefined.take().unwrap_or_else(|| Box::new([0; WIDTH]));
            for lane in lanes_of(mask) {
                undefined[lane] = from.undefined_bits(lane);
            }
            self.undefined = undefined.iter().any(|&bits| bits != 0).then_some(undefined);
        }
    }
}
