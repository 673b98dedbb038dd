//! What GPU code is called on each target.

use super::super::SplitMix64;

/// A target that kernels are written for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// AMD GPUs.
    Amdgpu,
    /// NVIDIA GPUs.
    Nvptx,
    /// OpenCL for SPIR-V.
    Spir,
}

impl Dialect {
    /// All of them.
    pub const ALL: [Dialect; 3] = [Dialect::Amdgpu, Dialect::Nvptx, Dialect::Spir];

    pub(super) fn triple(self) -> &'static str {
        match self {
            Dialect::Amdgpu => "amdgcn-amd-amdhsa",
            Dialect::Nvptx => "nvptx64-nvidia-cuda",
            Dialect::Spir => "spir64-unknown-unknown",
        }
    }

    pub(super) fn kernel(self) -> &'static str {
        match self {
            Dialect::Amdgpu => "amdgpu_kernel",
            Dialect::Nvptx => "ptx_kernel",
            Dialect::Spir => "spir_kernel",
        }
    }

    /// The address space of an `alloca`: behind its type, and as a pointer.
    pub(super) fn private(self) -> (&'static str, &'static str) {
        match self {
            Dialect::Amdgpu => (", addrspace(5)", "ptr addrspace(5)"),
            Dialect::Nvptx | Dialect::Spir => ("", "ptr"),
        }
    }

    /// The number of a thread in its workgroup, or of the workgroup, along a dimension, as an `i32` called `name`.
    pub(super) fn number(self, name: &str, of_group: bool, dimension: usize) -> String {
        let axis = ["x", "y", "z"][dimension];
        match (self, of_group) {
            (Dialect::Amdgpu, false) => format!("  %{name} = call i32 @llvm.amdgcn.workitem.id.{axis}()\n"),
            (Dialect::Amdgpu, true) => format!("  %{name} = call i32 @llvm.amdgcn.workgroup.id.{axis}()\n"),
            (Dialect::Nvptx, false) => format!("  %{name} = call i32 @llvm.nvvm.read.ptx.sreg.tid.{axis}()\n"),
            (Dialect::Nvptx, true) => format!("  %{name} = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.{axis}()\n"),
            (Dialect::Spir, _) => {
                let function = if of_group { "_Z12get_group_idj" } else { "_Z12get_local_idj" };
                format!("  %{name}w = call i64 @{function}(i32 {dimension})\n  %{name} = trunc i64 %{name}w to i32\n")
            }
        }
    }

    /// A barrier of the workgroup.
    pub(super) fn barrier(self, bundle: &str) -> String {
        match self {
            Dialect::Amdgpu => format!("  call void @llvm.amdgcn.s.barrier(){bundle}\n"),
            Dialect::Nvptx => format!("  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0){bundle}\n"),
            Dialect::Spir => format!("  call void @_Z7barrierj(i32 1){bundle}\n"),
        }
    }

    /// How many kinds of [communication](Self::communication) there are.
    pub(super) fn communications(self) -> usize {
        match self {
            Dialect::Amdgpu => 6,
            Dialect::Nvptx => 7,
            Dialect::Spir => 6,
        }
    }

    /// Threads that are there together exchange `word` or `bit`; the result is an `i32` called `name`. Each is one convergent
    /// operation, but for those of NVPTX, which first ask who is there.
    pub(super) fn communication(self, kind: usize, name: &str, word: &str, bit: &str, bundle: &str) -> String {
        let call =
            |ty: &str, function: &str, arguments: String| format!("call {ty} @{function}({arguments}){bundle}\n");
        let text = match self {
            Dialect::Amdgpu => match kind {
                0 => call("i64", "llvm.amdgcn.ballot.i64", format!("i1 {bit}")),
                1 => call("i32", "llvm.amdgcn.readfirstlane.i32", format!("i32 {word}")),
                2 => call("i32", "llvm.amdgcn.wave.reduce.umin.i32", format!("i32 {word}, i32 0")),
                3 => call("i32", "llvm.amdgcn.wave.reduce.add.i32", format!("i32 {word}, i32 0")),
                4 => call("i32", "llvm.amdgcn.ballot.i32", format!("i1 {bit}")),
                _ => call("i32", "value", format!("i32 {word}")),
            },
            Dialect::Nvptx => {
                let mask = format!("  %{name}m = {}", call("i32", "llvm.nvvm.activemask", String::new()));
                let there = format!("i32 %{name}m");
                let rest = match kind {
                    0 => call("i32", "llvm.nvvm.vote.ballot.sync", format!("{there}, i1 {bit}")),
                    1 => call("i32", "llvm.nvvm.redux.sync.umin", format!("i32 {word}, {there}")),
                    2 => call("i32", "llvm.nvvm.match.any.sync.i32", format!("{there}, i32 {word}")),
                    3 => call("i1", "llvm.nvvm.vote.any.sync", format!("{there}, i1 {bit}")),
                    4 => {
                        let first = format!("  %{name}l = call i32 @llvm.cttz.i32({there}, i1 false)\n");
                        let shuffle = call(
                            "i32",
                            "llvm.nvvm.shfl.sync.idx.i32",
                            format!("{there}, i32 {word}, i32 %{name}l, i32 31"),
                        );
                        return format!("{mask}{first}  %{name} = {shuffle}");
                    }
                    5 => return format!("  %{name} = {}", call("i32", "llvm.nvvm.activemask", String::new())),
                    _ => return format!("  %{name} = {}", call("i32", "value", format!("i32 {word}"))),
                };
                if kind == 3 {
                    return format!("{mask}  %{name}b = {rest}  %{name} = zext i1 %{name}b to i32\n");
                }
                return format!("{mask}  %{name} = {rest}");
            }
            Dialect::Spir => match kind {
                0 => call("i32", "_Z25sub_group_broadcast_firsti", format!("i32 {word}")),
                1 => call("i32", "_Z32sub_group_non_uniform_reduce_addi", format!("i32 {word}")),
                2 => call("i32", "_Z32sub_group_non_uniform_reduce_mini", format!("i32 {word}")),
                3 => call("i32", "_Z15sub_group_electv", String::new()),
                4 => call("i32", "_Z40sub_group_non_uniform_scan_inclusive_addi", format!("i32 {word}")),
                _ => call("i32", "value", format!("i32 {word}")),
            },
        };
        if self == Dialect::Amdgpu && kind == 0 {
            return format!("  %{name}w = {text}  %{name} = trunc i64 %{name}w to i32\n");
        }
        format!("  %{name} = {text}")
    }

    /// What may be called.
    pub(super) fn declarations(self) -> &'static str {
        match self {
            Dialect::Amdgpu => {
                "declare i32 @llvm.amdgcn.workitem.id.x()\n\
                 declare i32 @llvm.amdgcn.workitem.id.y()\n\
                 declare i32 @llvm.amdgcn.workgroup.id.x()\n\
                 declare i32 @llvm.amdgcn.readfirstlane.i32(i32) convergent\n\
                 declare i32 @llvm.amdgcn.wave.reduce.umin.i32(i32, i32 immarg) convergent\n\
                 declare i32 @llvm.amdgcn.wave.reduce.add.i32(i32, i32 immarg) convergent\n\
                 declare i64 @llvm.amdgcn.ballot.i64(i1) convergent\n\
                 declare i32 @llvm.amdgcn.ballot.i32(i1) convergent\n\
                 declare void @llvm.amdgcn.s.barrier() convergent\n"
            }
            Dialect::Nvptx => {
                "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n\
                 declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()\n\
                 declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n\
                 declare i32 @llvm.nvvm.activemask() convergent\n\
                 declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1) convergent\n\
                 declare i1 @llvm.nvvm.vote.any.sync(i32, i1) convergent\n\
                 declare i32 @llvm.nvvm.redux.sync.umin(i32, i32) convergent\n\
                 declare i32 @llvm.nvvm.match.any.sync.i32(i32, i32) convergent\n\
                 declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32) convergent\n\
                 declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) convergent\n"
            }
            Dialect::Spir => {
                "declare i64 @_Z12get_local_idj(i32)\n\
                 declare i64 @_Z12get_group_idj(i32)\n\
                 declare i32 @_Z25sub_group_broadcast_firsti(i32) convergent\n\
                 declare i32 @_Z32sub_group_non_uniform_reduce_addi(i32) convergent\n\
                 declare i32 @_Z32sub_group_non_uniform_reduce_mini(i32) convergent\n\
                 declare i32 @_Z15sub_group_electv() convergent\n\
                 declare i32 @_Z40sub_group_non_uniform_scan_inclusive_addi(i32) convergent\n\
                 declare void @_Z7barrierj(i32) convergent\n"
            }
        }
    }
}

/// What a kernel promises of its launches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// How many threads a workgroup has in x and y.
    pub block: [u32; 2],
    /// How many threads a subgroup has.
    pub subgroup: u32,
    /// Whether the kernel says that workgroups are of this size, and as far as the target can, how large subgroups are.
    pub promised: bool,
}

impl Shape {
    pub(super) fn random(rng: &mut SplitMix64, dialect: Dialect, two_dimensional: bool) -> Shape {
        let promised = rng.percent(35);
        let y = if two_dimensional { 1 + rng.below(3) as u32 } else { 1 };
        let x = [2, 3, 4, 4, 6, 8][rng.below(6)];
        // What is known of subgroups is true: of NVPTX always, of AMD GPUs where it is promised.
        let (subgroup, x) = match dialect {
            Dialect::Nvptx => (32, x * if rng.percent(30) { 8 } else { 1 }),
            Dialect::Amdgpu if promised => (16, x * if rng.percent(50) { 4 } else { 1 }),
            _ => ([2, 3, 4, 4, 8][rng.below(5)], x),
        };
        Shape { block: [x, y], subgroup, promised }
    }

    /// The attributes and the attachment of a kernel of this shape.
    pub(super) fn suffix(self, dialect: Dialect) -> String {
        let [x, y] = self.block;
        match dialect {
            _ if !self.promised => String::new(),
            Dialect::Amdgpu => " \"target-features\"=\"+wavefrontsize16\" !reqd_work_group_size !0".to_owned(),
            Dialect::Nvptx => format!(" \"nvvm.reqntid\"=\"{x},{y},1\""),
            Dialect::Spir => " !reqd_work_group_size !0".to_owned(),
        }
    }
}
