//! Built-in functions that touch memory, as data.
//!
//! A [`MemoryBuiltin`] says which accesses a call makes, in terms of its arguments; whoever runs threads turns it into the loads,
//! stores and atomic operations that it has anyway, so bounds, initialisation and races are looked at in one place. Numbers
//! of arguments count from 0. Elements are those in memory; where registers hold another type, a [`Pure`] function converts.

use super::Pure;
use crate::value::{Scalar, Slot, WIDTH};

/// What a built-in function does to memory.
#[derive(Debug, Clone)]
pub enum MemoryBuiltin {
    /// `vloadN`, `vload_half…`, `vloada_half…`: the result is what is read.
    Load(VectorAccess),
    /// `vstoreN`, `vstore_half…`, `vstorea_half…`: no result.
    Store {
        /// The argument that is stored.
        value: usize,
        /// Where to.
        access: VectorAccess,
    },
    /// An atomic operation on one object.
    Atomic(AtomicBuiltin),
    /// `mem_fence`, `atomic_work_item_fence`, …: orders the accesses of one thread, no result.
    Fence {
        /// In which order.
        order: MemoryOrder,
        /// For which threads.
        scope: MemoryScope,
    },
    /// `fract`, `frexp`, `sincos`, …: a computation of which some results go to memory.
    Results {
        /// Takes the arguments of the call, pointers included, and computes the components of the result of the call, followed by
        /// those of each store.
        values: Pure,
        /// What is stored, in order.
        stores: Vec<ResultStore>,
    },
    /// `malloc`, `operator new`: each thread gets memory of the heap of so many bytes.
    Allocate,
    /// `free`, `operator delete`: gives it back.
    Free,
    /// `async_work_group_copy`: all threads of a workgroup call it with the same arguments, and together copy once.
    /// The result is the event argument where it is not 0, else any other event.
    Copy(GroupCopy),
    /// `wait_group_events`: all threads of a workgroup wait until the copies of these events are done. No result.
    WaitEvents {
        /// The argument with the number of events.
        count: usize,
        /// The argument that points to them.
        events: usize,
    },
}

/// Where consecutive elements are read or written.
#[derive(Debug, Clone)]
pub struct VectorAccess {
    /// The argument that is the pointer.
    pub pointer: usize,
    /// The argument with the offset, in steps; it has no sign.
    pub offset: Option<usize>,
    /// How many bytes a step of the offset is.
    pub stride: u64,
    /// The type of an element in memory.
    pub element: Scalar,
    /// How many elements.
    pub count: usize,
    /// What the address has to be a multiple of.
    pub alignment: u64,
    /// Makes registers of the elements that were read, or elements of the registers to be written, all at once. None where
    /// they are the same.
    pub conversion: Option<Pure>,
}

impl VectorAccess {
    /// The addresses of the first element, from the arguments of the call.
    pub fn address(&self, arguments: &[&[Slot]]) -> Slot {
        let pointer = &arguments[self.pointer][0];
        let Some(offset) = self.offset.map(|offset| &arguments[offset][0]) else { return pointer.clone() };
        let mut address = Slot { poison: pointer.poison | offset.poison, ..Slot::default() };
        for lane in 0..WIDTH {
            address.bits[lane] = pointer.bits[lane].wrapping_add(offset.bits[lane].wrapping_mul(self.stride));
        }
        if pointer.undefined.is_some() || offset.undefined.is_some() {
            let unknown = |lane| pointer.undefined_bits(lane) | offset.undefined_bits(lane) != 0;
            address.undefined = Some(Box::new(std::array::from_fn(|lane| if unknown(lane) { u64::MAX } else { 0 })));
        }
        address
    }
}

/// An atomic operation on one object in memory.
#[derive(Debug, Clone)]
pub struct AtomicBuiltin {
    /// The argument that points to the object.
    pub pointer: usize,
    /// The type of the object.
    pub element: Scalar,
    /// What is done.
    pub operation: AtomicOperation,
    /// In which order; of a compare-exchange, when it succeeds.
    pub order: MemoryOrder,
    /// For which threads.
    pub scope: MemoryScope,
}

/// What an atomic operation does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AtomicOperation {
    /// The result is what the object holds.
    Load,
    /// The argument with this number is stored; no result.
    Store(usize),
    /// `atomic_init`: a store that need not be atomic; no result.
    Initialise(usize),
    /// The object is changed; the result is what it held.
    Modify(Modification, AtomicOperand),
    /// `atomic_cmpxchg`: stores `desired` if the object holds `expected`. The result is what it held.
    CompareExchange {
        /// The argument to compare with.
        expected: usize,
        /// The argument to store.
        desired: usize,
    },
    /// `atomic_compare_exchange_…`: the same, but `expected` points to what to compare with, and is where the value found goes
    /// when the two differ. The result is a boolean: whether they were equal.
    CompareExchangeThrough {
        /// The argument that points to what to compare with.
        expected: usize,
        /// The argument to store.
        desired: usize,
    },
    /// `atomic_flag_test_and_set`: stores 1. The result is a boolean: whether the object held something else than 0.
    TestAndSet,
    /// `atomic_flag_clear`: stores 0; no result.
    Clear,
}

/// How a read-modify-write operation makes the new value from the old one and its operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are those of the operations of `atomicrmw`")]
pub enum Modification {
    Exchange,
    Add,
    Subtract,
    And,
    Or,
    Xor,
    SignedMaximum,
    SignedMinimum,
    UnsignedMaximum,
    UnsignedMinimum,
    FloatAdd,
    FloatSubtract,
    FloatMaximum,
    FloatMinimum,
    /// CUDA's `inc`: 0 where the old value is the operand or more, else one more than it.
    IncrementWrapping,
    /// CUDA's `dec`: the operand where the old value is 0 or more than the operand, else one less than it.
    DecrementWrapping,
}

/// The operand of a read-modify-write operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AtomicOperand {
    /// The argument with this number.
    Argument(usize),
    /// The integer 1.
    One,
}

/// The memory order of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MemoryOrder {
    /// Known from the name.
    Relaxed,
    /// Known from the name.
    SequentiallyConsistent,
    /// The value of an argument, an enumerator of OpenCL C: 0 relaxed, 2 acquire, 3 release, 4 both, 5 sequentially consistent.
    Argument(usize),
    /// The value of an argument, SPIR-V memory semantics: bits 1 acquire, 2 release, 3 both, 4 sequentially consistent.
    Semantics(usize),
}

/// The memory scope of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MemoryScope {
    /// Known from the name.
    Workgroup,
    /// Known from the name.
    Device,
    /// The value of an argument, an enumerator of OpenCL C: 0 work-item, 1 workgroup, 2 device, 3 all devices, 4 subgroup.
    Argument(usize),
    /// The value of an argument, a SPIR-V scope: 0 all devices, 1 device, 2 workgroup, 3 subgroup, 4 invocation.
    SpirvArgument(usize),
}

/// A result that goes to memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResultStore {
    /// The argument that is the pointer.
    pub pointer: usize,
    /// The type of an element.
    pub element: Scalar,
    /// How many elements.
    pub count: usize,
    /// What the address has to be a multiple of.
    pub alignment: u64,
}

/// A copy that the threads of a workgroup make together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupCopy {
    /// The argument that points to where to write.
    pub destination: usize,
    /// The argument that points to where to read.
    pub source: usize,
    /// The argument with the number of elements.
    pub count: usize,
    /// The argument with the event to go on with.
    pub event: usize,
    /// How many bytes an element has.
    pub element_bytes: u64,
    /// The argument with the distance of elements of the source, in elements. None: 1.
    pub source_stride: Option<usize>,
    /// The argument with the distance of elements of the destination, in elements. None: 1.
    pub destination_stride: Option<usize>,
}
