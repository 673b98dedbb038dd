//! What is known of functions that only have a name: whether threads communicate in them, and what they do to memory. For intrinsics, as LLVM
//! defines them.

use crate::typed::MemoryEffects;

/// Intrinsics of GPUs in which threads communicate, by how their names begin.
const CONVERGENT: [&str; 32] = [
    "llvm.nvvm.nanosleep",
    "llvm.amdgcn.endpgm",
    "llvm.nvvm.barrier",
    "llvm.nvvm.bar.",
    "llvm.nvvm.shfl.",
    "llvm.nvvm.vote.",
    "llvm.nvvm.match.",
    "llvm.nvvm.redux.",
    "llvm.nvvm.activemask",
    "llvm.nvvm.elect",
    "llvm.amdgcn.s.barrier",
    "llvm.amdgcn.wave.barrier",
    "llvm.amdgcn.ballot",
    "llvm.amdgcn.inverse.ballot",
    "llvm.amdgcn.icmp",
    "llvm.amdgcn.fcmp",
    "llvm.amdgcn.read",
    "llvm.amdgcn.writelane",
    "llvm.amdgcn.ds.bpermute",
    "llvm.amdgcn.ds.permute",
    "llvm.amdgcn.ds.swizzle",
    "llvm.amdgcn.mov.dpp",
    "llvm.amdgcn.update.dpp",
    "llvm.amdgcn.perm",
    "llvm.amdgcn.wave.reduce",
    "llvm.amdgcn.wqm",
    "llvm.amdgcn.softwqm",
    "llvm.amdgcn.strict",
    "llvm.amdgcn.set.inactive",
    "__ockl_wf",
    "__ockl_wg",
    "__ockl_activelane",
];

/// Those among them, or of other GPU operations, that read and write nothing. (The others of NVIDIA's touch memory that nothing else sees.)
const PURE: [&str; 19] = [
    "llvm.nvvm.read.ptx.sreg.",
    "llvm.nvvm.fns",
    "llvm.nvvm.ex2",
    "llvm.nvvm.lg2",
    "llvm.nvvm.sin",
    "llvm.nvvm.cos",
    "llvm.nvvm.rcp",
    "llvm.nvvm.rsqrt",
    "llvm.nvvm.sqrt",
    "llvm.nvvm.prmt",
    "llvm.nvvm.mul",
    "llvm.nvvm.sad",
    "llvm.amdgcn.",
    "__nv_",
    "__ocml_",
    "__ockl_get_",
    "__ockl_lane",
    "__ockl_mul",
    "__ockl_sad",
];

/// Those whose names begin like pure ones, and that are not.
const IMPURE: [&str; 8] = [
    "llvm.nvvm.read.ptx.sreg.clock",
    "llvm.nvvm.read.ptx.sreg.globaltimer",
    "llvm.amdgcn.s.",
    "llvm.amdgcn.wave.barrier",
    "llvm.amdgcn.ds.gws",
    "llvm.amdgcn.fence",
    "llvm.amdgcn.endpgm",
    "llvm.amdgcn.sched",
];

/// Other intrinsics with an effect.
const EFFECTS: [&str; 6] =
    ["llvm.trap", "llvm.debugtrap", "llvm.mem", "llvm.assume", "llvm.ubsantrap", "llvm.readcyclecounter"];

/// Whether threads communicate in a declared function, and what it does to memory. `has_pointers`: a function of a library of mathematics that is given
/// a pointer writes there.
pub fn effects(name: &str, has_pointers: bool) -> (bool, MemoryEffects) {
    let begins = |list: &[&str]| list.iter().any(|start| name.starts_with(start));
    // A byte permutation moves no lanes.
    let is_convergent =
        begins(&CONVERGENT) && name != "llvm.amdgcn.perm" && !name.starts_with("llvm.amdgcn.readcyclecounter");
    let is_library = !name.starts_with("llvm.");
    let is_gpu = name.starts_with("llvm.nvvm.") || name.starts_with("llvm.amdgcn.");
    let is_pure = if is_library || is_gpu { begins(&PURE) && !begins(&IMPURE) } else { !begins(&EFFECTS) };
    let memory = match is_pure && !(is_library && has_pointers) {
        true => MemoryEffects::None,
        false => MemoryEffects::Unknown,
    };
    (is_convergent, memory)
}
