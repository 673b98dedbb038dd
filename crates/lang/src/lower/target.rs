//! What differs between targets in the text: the triple, the data layout, numbers of address spaces, calling conventions, scopes.
//!
//! Triples and data layouts are those of clang 22, so that sizes and alignments are the ones that other compilers take. Without a triple
//! (`generic`) everything else is as for SPIR-V.

use crate::options::LowerTarget;
use crate::typed::{AddressSpace, MemoryOrder, MemoryScope};

const SPIRV_LAYOUT: &str =
    "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1";
const AMDGPU_LAYOUT: &str = "e-m:e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-\
     p8:128:128:128:48-p9:192:256:256:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-\
     v2048:2048-n32:64-S32-A5-G1-ni:7:8:9";
const NVPTX_LAYOUT: &str = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64";

/// The triple, if there is one.
pub(super) fn triple(target: LowerTarget) -> Option<&'static str> {
    match target {
        LowerTarget::Spirv => Some("spirv64-unknown-unknown"),
        LowerTarget::Amdgpu => Some("amdgcn-amd-amdhsa"),
        LowerTarget::Nvptx => Some("nvptx64-nvidia-cuda"),
        LowerTarget::Generic => None,
    }
}

/// The data layout.
pub(super) fn data_layout(target: LowerTarget) -> &'static str {
    match target {
        LowerTarget::Spirv | LowerTarget::Generic => SPIRV_LAYOUT,
        LowerTarget::Amdgpu => AMDGPU_LAYOUT,
        LowerTarget::Nvptx => NVPTX_LAYOUT,
    }
}

/// The number of an address space. That of private memory is where `alloca` makes room.
pub(super) fn space(target: LowerTarget, space: AddressSpace) -> u32 {
    match (target, space) {
        (_, AddressSpace::Global) => 1,
        (_, AddressSpace::Local) => 3,
        (LowerTarget::Amdgpu, AddressSpace::Private) => 5,
        (_, AddressSpace::Private) => 0,
        (LowerTarget::Amdgpu | LowerTarget::Nvptx, AddressSpace::Constant) => 4,
        (LowerTarget::Spirv | LowerTarget::Generic, AddressSpace::Constant) => 2,
        (LowerTarget::Amdgpu | LowerTarget::Nvptx, AddressSpace::Generic) => 0,
        (LowerTarget::Spirv | LowerTarget::Generic, AddressSpace::Generic) => 4,
    }
}

/// Whether the null pointer of an address space has other bits than zero: it is what a cast of the generic one gives.
pub(super) fn has_other_null(target: LowerTarget, space: u32) -> bool {
    target == LowerTarget::Amdgpu && matches!(space, 3 | 5)
}

/// How many bytes a pointer into an address space takes.
pub(super) fn pointer_size(target: LowerTarget, space: u32) -> u64 {
    match (target, space) {
        (LowerTarget::Amdgpu, 3 | 5) => 4,
        _ => 8,
    }
}

/// The alignment that LLVM gives integers of 128 bits; C has 16 everywhere.
pub(super) fn wide_integer_alignment(target: LowerTarget) -> u64 {
    if target == LowerTarget::Nvptx { 16 } else { 8 }
}

/// The calling convention of functions that are not kernels, with a blank behind it.
pub(super) fn function_convention(target: LowerTarget) -> &'static str {
    match target {
        LowerTarget::Spirv | LowerTarget::Generic => "spir_func ",
        LowerTarget::Amdgpu | LowerTarget::Nvptx => "",
    }
}

/// The calling convention of kernels, with a blank behind it.
pub(super) fn kernel_convention(target: LowerTarget) -> &'static str {
    match target {
        LowerTarget::Spirv | LowerTarget::Generic => "spir_kernel ",
        LowerTarget::Amdgpu => "amdgpu_kernel ",
        LowerTarget::Nvptx => "ptx_kernel ",
    }
}

/// Whether kernels take structs as a pointer to a copy (`byval`), else as values.
pub(super) fn kernels_take_copies(target: LowerTarget) -> bool {
    target != LowerTarget::Amdgpu
}

/// The `syncscope` of a scope, with blanks around; nothing for the whole system.
pub(super) fn scope(target: LowerTarget, scope: MemoryScope) -> &'static str {
    match (target, scope) {
        (_, MemoryScope::System) => " ",
        (LowerTarget::Amdgpu, MemoryScope::Subgroup) => " syncscope(\"wavefront\") ",
        (LowerTarget::Amdgpu, MemoryScope::Device) => " syncscope(\"agent\") ",
        // A warp has no scope of its own there: the block is the next larger.
        (LowerTarget::Nvptx, MemoryScope::Subgroup | MemoryScope::Workgroup) => " syncscope(\"block\") ",
        (_, MemoryScope::Subgroup) => " syncscope(\"subgroup\") ",
        (_, MemoryScope::Workgroup) => " syncscope(\"workgroup\") ",
        (_, MemoryScope::Device) => " syncscope(\"device\") ",
    }
}

/// The name of an order.
pub(super) fn order(order: MemoryOrder) -> &'static str {
    match order {
        MemoryOrder::Relaxed => "monotonic",
        MemoryOrder::Acquire => "acquire",
        MemoryOrder::Release => "release",
        MemoryOrder::AcquireRelease => "acq_rel",
        MemoryOrder::SequentiallyConsistent => "seq_cst",
    }
}

/// The part of an order that a read can have.
pub(super) fn reading(order: MemoryOrder) -> MemoryOrder {
    match order {
        MemoryOrder::Release => MemoryOrder::Relaxed,
        MemoryOrder::AcquireRelease => MemoryOrder::Acquire,
        other => other,
    }
}

/// The part of an order that a write can have.
pub(super) fn writing(order: MemoryOrder) -> MemoryOrder {
    match order {
        MemoryOrder::Acquire => MemoryOrder::Relaxed,
        MemoryOrder::AcquireRelease => MemoryOrder::Release,
        other => other,
    }
}
