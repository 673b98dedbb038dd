//! What a thread can ask about itself, its groups and the launch.
//!
//! Threads of a workgroup are numbered x fastest; thread *t* is lane `t % subgroup` of subgroup `t / subgroup`. A wave holds
//! whole subgroups, so both follow from the number of the wave's first thread.

pub use reconverge_operations::{Comparison, Item};

use super::Scope;
use crate::launch::count;
use crate::value::{Scalar, Slot, WIDTH, low_bits};

/// The numbers of a launch that do not depend on the thread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LaunchShape {
    /// How many workgroups, in x, y and z.
    pub grid: [u32; 3],
    /// How many threads a workgroup has, in x, y and z.
    pub block: [u32; 3],
    /// How many threads a subgroup has, the last one of a workgroup aside.
    pub subgroup: u32,
    /// What is added to a global id, in x, y and z.
    pub offset: [u64; 3],
    /// Bytes of the kernel's own local memory.
    pub static_local_memory: u32,
    /// Bytes of local memory that the launch adds.
    pub dynamic_local_memory: u32,
}

/// Where a wave is in the launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wave {
    /// The workgroup, in x, y and z.
    pub group: [u32; 3],
    /// The number of the first lane's thread in the workgroup: a multiple of the size of a subgroup.
    pub first: u32,
}

impl LaunchShape {
    /// A launch without offset and local memory.
    pub fn new(grid: [u32; 3], block: [u32; 3], subgroup: u32) -> LaunchShape {
        LaunchShape { grid, block, subgroup, offset: [0; 3], static_local_memory: 0, dynamic_local_memory: 0 }
    }

    /// How many threads a workgroup has.
    pub fn threads(&self) -> u64 {
        count(&self.block)
    }

    /// How many subgroups a workgroup has.
    pub fn subgroups(&self) -> u64 {
        self.threads().div_ceil(u64::from(self.subgroup))
    }

    /// In how many dimensions it has more than one thread, counted up to the last of them; at least 1.
    pub fn dimensions(&self) -> u32 {
        (0..3).rev().find(|&axis| self.grid[axis] > 1 || self.block[axis] > 1).map_or(1, |axis| axis as u32 + 1)
    }
}

/// A function without effect whose result depends on the thread, its groups or the launch, and perhaps on operands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    /// What is asked.
    pub item: Item,
    /// Which dimension of it; nothing for what has none.
    pub axis: Axis,
    /// The type of the result: one scalar, or as many as there are dimensions or words.
    pub result: Vec<Scalar>,
}

/// Which of the three dimensions a query is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Axis {
    /// It has none, or all of them are the result, as a vector.
    None,
    /// This one.
    Fixed(u8),
    /// What this operand says. OpenCL has a value for what is no dimension: 0 for an id, 1 for a size.
    Operand(u8),
}

impl Query {
    /// Computes the result for all lanes of a wave, those that have no thread included: their numbers go on.
    ///
    /// `arguments` are the operands of the call, one list of components each; `out` has the components of the result.
    pub fn evaluate(&self, shape: &LaunchShape, wave: &Wave, arguments: &[&[Slot]], out: &mut [Slot]) {
        for slot in out.iter_mut() {
            (slot.poison, slot.undefined) = (0, None);
        }
        match (self.axis, out) {
            (Axis::Operand(operand), [out]) => {
                let dimension = &arguments[usize::from(operand)][0];
                // Nearly always it is a constant.
                let is_same = dimension.bits.iter().all(|&axis| axis == dimension.bits[0]);
                self.each_lane(shape, wave, arguments, out, is_same, |lane| dimension.bits[lane]);
                out.poison |= dimension.indeterminate_lanes();
            }
            (Axis::Fixed(axis), [out]) => self.each_lane(shape, wave, arguments, out, true, |_| u64::from(axis)),
            (_, out) => {
                for (part, out) in out.iter_mut().enumerate() {
                    self.each_lane(shape, wave, arguments, out, true, |_| part as u64);
                }
            }
        }
    }

    /// For the dimension, or the word of a mask, that `part` gives for each lane; `is_same` if that is one for all.
    fn each_lane(
        &self,
        shape: &LaunchShape,
        wave: &Wave,
        arguments: &[&[Slot]],
        out: &mut Slot,
        is_same: bool,
        part: impl Fn(usize) -> u64,
    ) {
        let keep = low_bits(self.result[0].bits());
        if is_same && self.item.uniform_in() >= Some(Scope::Workgroup) {
            out.bits = [self.of_thread(shape, wave, 0, part(0), [0; 3]) & keep; WIDTH];
            return;
        }
        let mut local = split(u64::from(wave.first), shape.block);
        let block = shape.block.map(u64::from);
        let mut step = move || {
            let before = local;
            local[0] += 1;
            if local[0] == block[0] {
                (local[0], local[1]) = (0, local[1] + 1);
            }
            if local[1] == block[1] {
                (local[1], local[2]) = (0, local[2] + 1);
            }
            before
        };
        // The most frequent ones, which only add something to the local id.
        if is_same
            && matches!(self.item, Item::LocalId | Item::GlobalId)
            && let Ok(axis @ 0..3) = usize::try_from(part(0))
        {
            let start = self.of_thread(shape, wave, 0, axis as u64, [0; 3]);
            out.bits.fill_with(|| start.wrapping_add(step()[axis]) & keep);
            return;
        }
        for lane in 0..WIDTH {
            let local = step();
            out.bits[lane] = match self.item {
                Item::MaskedCount { from } => {
                    let number = (u64::from(wave.first) + lane as u64) % u64::from(shape.subgroup);
                    let below = low_bits(number.saturating_sub(u64::from(from)).min(32) as u32);
                    let (mask, base) = (&arguments[0][0], &arguments[1][0]);
                    u64::from((mask.bits[lane] & below).count_ones()).wrapping_add(base.bits[lane])
                }
                _ => self.of_thread(shape, wave, lane as u64, part(lane), local),
            } & keep;
        }
        if let Item::MaskedCount { .. } = self.item {
            out.poison = arguments.iter().fold(0, |poison, argument| poison | argument[0].indeterminate_lanes());
        }
    }

    /// The answer for a lane whose thread has the local id `local`, for a dimension or the word of a mask.
    fn of_thread(&self, shape: &LaunchShape, wave: &Wave, lane: u64, part: u64, local: [u64; 3]) -> u64 {
        let wide = |sizes: [u32; 3]| sizes.map(u64::from);
        let (grid, block, group) = (wide(shape.grid), wide(shape.block), wide(wave.group));
        let thread = u64::from(wave.first) + lane;
        let subgroup = u64::from(shape.subgroup);
        let number = thread % subgroup;
        let axis = usize::try_from(part).ok().filter(|&axis| axis < 3);
        let along = |numbers: &dyn Fn(usize) -> u64| axis.map_or_else(|| self.item.beyond(), numbers);
        match self.item {
            Item::GlobalId => along(&|axis| {
                shape.offset[axis].wrapping_add(group[axis].wrapping_mul(block[axis])).wrapping_add(local[axis])
            }),
            Item::LocalId => along(&|axis| local[axis]),
            Item::GroupId => along(&|axis| group[axis]),
            Item::GlobalSize => along(&|axis| grid[axis].wrapping_mul(block[axis])),
            Item::LocalSize => along(&|axis| block[axis]),
            Item::GroupCount => along(&|axis| grid[axis]),
            Item::GlobalOffset => along(&|axis| shape.offset[axis]),
            Item::GlobalLinearId => (0..3).rev().fold(0u64, |id, axis| {
                let size = grid[axis].wrapping_mul(block[axis]);
                id.wrapping_mul(size).wrapping_add(group[axis].wrapping_mul(block[axis])).wrapping_add(local[axis])
            }),
            Item::LocalLinearId => thread,
            Item::GroupLinearId => {
                (0..3).rev().fold(0u64, |id, axis| id.wrapping_mul(grid[axis]).wrapping_add(group[axis]))
            }
            Item::Dimensions => u64::from(shape.dimensions()),
            Item::Lane => number,
            Item::SubgroupId => thread / subgroup,
            Item::SubgroupSize => subgroup.min(shape.threads().saturating_sub(thread - number)),
            Item::SubgroupMaxSize => subgroup,
            Item::SubgroupCount => shape.subgroups(),
            Item::LaneMask(comparison) => {
                let below = low_bits(number as u32);
                let all = low_bits(shape.subgroup);
                let mask = match comparison {
                    Comparison::Equal => 1 << number,
                    Comparison::GreaterOrEqual => all & !below,
                    Comparison::Greater => all & !below & !(1 << number),
                    Comparison::LessOrEqual => below | 1 << number,
                    Comparison::Less => below,
                };
                // A vector holds the mask in words.
                match self.result[0].bits() {
                    bits if bits < 64 => mask.checked_shr(bits * part as u32).unwrap_or(0),
                    _ => mask,
                }
            }
            Item::MaskedCount { .. } => 0,
            Item::StaticLocalMemory => u64::from(shape.static_local_memory),
            Item::DynamicLocalMemory => u64::from(shape.dynamic_local_memory),
            Item::LocalMemory => u64::from(shape.static_local_memory) + u64::from(shape.dynamic_local_memory),
            Item::Constant(number) => number,
        }
    }
}

/// The place of a thread of a block by its number.
fn split(thread: u64, block: [u32; 3]) -> [u64; 3] {
    let [width, height, _] = block.map(|size| u64::from(size).max(1));
    [thread % width, thread / width % height, thread / (width * height)]
}

/// What the runtime of AMD GPUs leaves in memory for a kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ConstantData {
    /// The packet that started the launch: [`dispatch_packet`].
    DispatchPacket,
    /// What is behind a kernel's arguments: [`implicit_arguments`].
    ImplicitArguments,
    /// The kernel's arguments, as its parameters lie in memory one behind the other, each aligned as its type.
    KernelArguments,
    /// The queue that the launch was put in, of which a kernel can know nothing: 256 zeroes.
    Queue,
}

/// The 64 bytes of a kernel dispatch packet ("HSA Platform System Architecture Specification", "Kernel dispatch
/// packet"). Addresses in it are null.
pub fn dispatch_packet(shape: &LaunchShape) -> Vec<u8> {
    let mut bytes = vec![0; 64];
    // The type of the packet is 2.
    put(&mut bytes, 0, &2u16.to_le_bytes());
    put(&mut bytes, 2, &(shape.dimensions() as u16).to_le_bytes());
    for axis in 0..3 {
        put(&mut bytes, 4 + 2 * axis, &saturated(shape.block[axis]).to_le_bytes());
        put(&mut bytes, 12 + 4 * axis, &shape.grid[axis].saturating_mul(shape.block[axis]).to_le_bytes());
    }
    put(&mut bytes, 28, &(shape.static_local_memory.saturating_add(shape.dynamic_local_memory)).to_le_bytes());
    bytes
}

/// The 256 bytes of a kernel's hidden arguments, as they are since version 5 of AMD's code objects ("User Guide for AMDGPU
/// Backend", "Code Object V5 Metadata"). Addresses in it are null.
pub fn implicit_arguments(shape: &LaunchShape) -> Vec<u8> {
    let mut bytes = vec![0; 256];
    for axis in 0..3 {
        put(&mut bytes, 4 * axis, &shape.grid[axis].to_le_bytes());
        put(&mut bytes, 12 + 2 * axis, &saturated(shape.block[axis]).to_le_bytes());
        put(&mut bytes, 40 + 8 * axis, &shape.offset[axis].to_le_bytes());
    }
    put(&mut bytes, 64, &(shape.dimensions() as u16).to_le_bytes());
    put(&mut bytes, 120, &shape.dynamic_local_memory.to_le_bytes());
    bytes
}

fn saturated(size: u32) -> u16 {
    u16::try_from(size).unwrap_or(u16::MAX)
}

fn put(bytes: &mut [u8], offset: usize, number: &[u8]) {
    bytes[offset..offset + number.len()].copy_from_slice(number);
}
