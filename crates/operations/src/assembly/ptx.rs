//! The instructions of PTX as functions of [recipes](crate::recipe).
//!
//! **Invariant.** What is said of caches changes nothing that a program can see, so no recipe has it: it is [left out](without_hints) before one is looked for.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::sync::LazyLock;

use super::instructions::PREFIX;
use super::template::{Instruction, Operand};

/// Types of PTX: how they end a mnemonic, in C, and how many bits they have.
const INTEGERS: &[(&str, &str, u32)] = &[
    ("u16", "ushort", 16),
    ("s16", "short", 16),
    ("u32", "uint", 32),
    ("s32", "int", 32),
    ("u64", "ulong", 64),
    ("s64", "long", 64),
];
const BITS: &[(&str, &str, u32)] = &[("b16", "ushort", 16), ("b32", "uint", 32), ("b64", "ulong", 64)];
const FLOATS: &[(&str, &str, &str)] = &[("f32", "float", "f"), ("f64", "double", "")];

/// Special registers, with the ends of the intrinsics that read them.
const SPECIAL: &str = "tid.x tid.y tid.z ntid.x ntid.y ntid.z ctaid.x ctaid.y ctaid.z nctaid.x nctaid.y nctaid.z laneid warpid nwarpid smid nsmid gridid
lanemask_eq=lanemask.eq lanemask_le=lanemask.le lanemask_lt=lanemask.lt lanemask_ge=lanemask.ge lanemask_gt=lanemask.gt clock clusterid.x clusterid.y clusterid.z nclusterid.x nclusterid.y nclusterid.z
cluster_ctaid.x=cluster.ctaid.x cluster_ctaid.y=cluster.ctaid.y cluster_ctaid.z=cluster.ctaid.z cluster_ctarank=cluster.ctarank
cluster_nctaid.x=cluster.nctaid.x cluster_nctaid.y=cluster.nctaid.y cluster_nctaid.z=cluster.nctaid.z cluster_nctarank=cluster.nctarank";

/// What needs no list of types.
const ONCE: &str = "
ulong %clock64() = ulong:llvm.nvvm.read.ptx.sreg.clock64()
ulong %globaltimer() = ulong:llvm.nvvm.read.ptx.sreg.globaltimer()
uint activemask.b32() = uint:llvm.nvvm.activemask()
void bar.sync(uint id) = void:llvm.nvvm.barrier.cta.sync.aligned.all(id)
void bar.sync(uint id, uint count) = void:llvm.nvvm.barrier.cta.sync.aligned.count(id, count)
void barrier.sync(uint id) = void:llvm.nvvm.barrier.cta.sync.all(id)
void barrier.sync(uint id, uint count) = void:llvm.nvvm.barrier.cta.sync.count(id, count)
void bar.arrive(uint id, uint count) = void:llvm.nvvm.barrier.cta.arrive.aligned.count(id, count)
void barrier.arrive(uint id, uint count) = void:llvm.nvvm.barrier.cta.arrive.count(id, count)
void barrier.cluster.arrive() = void:llvm.nvvm.barrier.cluster.arrive()
void barrier.cluster.arrive.release() = void:llvm.nvvm.barrier.cluster.arrive()
void barrier.cluster.arrive.relaxed() = void:llvm.nvvm.barrier.cluster.arrive.relaxed()
void barrier.cluster.arrive.aligned() = void:llvm.nvvm.barrier.cluster.arrive.aligned()
void barrier.cluster.arrive.release.aligned() = void:llvm.nvvm.barrier.cluster.arrive.aligned()
void barrier.cluster.arrive.relaxed.aligned() = void:llvm.nvvm.barrier.cluster.arrive.relaxed.aligned()
void barrier.cluster.wait() = void:llvm.nvvm.barrier.cluster.wait()
void barrier.cluster.wait.acquire() = void:llvm.nvvm.barrier.cluster.wait()
void barrier.cluster.wait.aligned() = void:llvm.nvvm.barrier.cluster.wait.aligned()
void barrier.cluster.wait.acquire.aligned() = void:llvm.nvvm.barrier.cluster.wait.aligned()
void bar.warp.sync(uint mask) = void:llvm.nvvm.bar.warp.sync(mask)
bool bar.red.and.pred(uint id, bool x) = bool:llvm.nvvm.barrier.cta.red.and.aligned.all(id, x)
bool bar.red.or.pred(uint id, bool x) = bool:llvm.nvvm.barrier.cta.red.or.aligned.all(id, x)
uint bar.red.popc.u32(uint id, bool x) = uint:llvm.nvvm.barrier.cta.red.popc.aligned.all(id, x)
void membar.cta() = void:llvm.nvvm.membar.cta()
void membar.gl() = void:llvm.nvvm.membar.gl()
void membar.sys() = void:llvm.nvvm.membar.sys()
void fence.acq_rel.cta() = fence.acq_rel.block()
void fence.acq_rel.gpu() = fence.acq_rel.device()
void fence.acq_rel.sys() = fence.acq_rel.system()
void fence.sc.cta() = fence.seq_cst.block()
void fence.sc.gpu() = fence.seq_cst.device()
void fence.sc.sys() = fence.seq_cst.system()
void nanosleep.u32(uint time) = void:llvm.nvvm.nanosleep(time)
void trap() = void:llvm.trap()
uint vote.sync.ballot.b32(bool x, uint mask) = uint:llvm.nvvm.vote.ballot.sync(mask, x)
bool vote.sync.all.pred(bool x, uint mask) = bool:llvm.nvvm.vote.all.sync(mask, x)
bool vote.sync.any.pred(bool x, uint mask) = bool:llvm.nvvm.vote.any.sync(mask, x)
bool vote.sync.uni.pred(bool x, uint mask) = bool:llvm.nvvm.vote.uni.sync(mask, x)
uint match.any.sync.b32(uint x, uint mask) = uint:llvm.nvvm.match.any.sync.i32(mask, x)
uint match.any.sync.b64(ulong x, uint mask) = uint:llvm.nvvm.match.any.sync.i64(mask, x)
uint redux.sync.add.u32(uint x, uint mask) = uint:llvm.nvvm.redux.sync.add(x, mask)
uint redux.sync.add.s32(uint x, uint mask) = uint:llvm.nvvm.redux.sync.add(x, mask)
uint redux.sync.min.u32(uint x, uint mask) = uint:llvm.nvvm.redux.sync.umin(x, mask)
uint redux.sync.max.u32(uint x, uint mask) = uint:llvm.nvvm.redux.sync.umax(x, mask)
int redux.sync.min.s32(int x, uint mask) = int:llvm.nvvm.redux.sync.min(x, mask)
int redux.sync.max.s32(int x, uint mask) = int:llvm.nvvm.redux.sync.max(x, mask)
uint redux.sync.and.b32(uint x, uint mask) = uint:llvm.nvvm.redux.sync.and(x, mask)
uint redux.sync.or.b32(uint x, uint mask) = uint:llvm.nvvm.redux.sync.or(x, mask)
uint redux.sync.xor.b32(uint x, uint mask) = uint:llvm.nvvm.redux.sync.xor(x, mask)
uint popc.b32(uint x) = uint:llvm.ctpop.i32(x)
uint popc.b64(ulong x) = uint(ulong:llvm.ctpop.i64(x))
uint clz.b32(uint x) = uint:llvm.ctlz.i32(x, false)
uint clz.b64(ulong x) = uint(ulong:llvm.ctlz.i64(x, false))
uint brev.b32(uint x) = uint:llvm.bitreverse.i32(x)
ulong brev.b64(ulong x) = ulong:llvm.bitreverse.i64(x)
uint bits.below(uint count) = count < 32u ? (1u << count) - 1u : 0xffffffffu
uint bfe.u32(uint x, uint at, uint count) = (at & 255u) < 32u ? x >> (at & 255u) & asm.bits.below(count & 255u) : 0u
ulong bits.below.long(uint count) = count < 64u ? (1ul << count) - 1ul : 0xfffffffffffffffful
ulong bfe.u64(ulong x, uint at, uint count) = (at & 255u) < 64u ? x >> (at & 255u) & asm.bits.below.long(count & 255u) : 0ul
uint bfi.b32(uint x, uint into, uint at, uint count) = (at & 255u) < 32u ? into & ~(asm.bits.below(count & 255u) << (at & 255u)) | (x & asm.bits.below(count & 255u)) << (at & 255u) : into
uint lop3.b32(uint a, uint b, uint c, uint table) = -(table & 1u) & ~a & ~b & ~c | -(table >> 1 & 1u) & ~a & ~b & c | -(table >> 2 & 1u) & ~a & b & ~c | -(table >> 3 & 1u) & ~a & b & c | -(table >> 4 & 1u) & a & ~b & ~c | -(table >> 5 & 1u) & a & ~b & c | -(table >> 6 & 1u) & a & b & ~c | -(table >> 7 & 1u) & a & b & c
uint prmt.byte(ulong of, uint which) = uint(of >> (ulong(which & 7u) * 8ul)) & 255u
uint prmt.one(uint byte, uint which) = (which & 8u) != 0u ? -(byte >> 7 & 1u) & 255u : byte
uint prmt.b32(uint a, uint b, uint which) = asm.prmt.one(asm.prmt.byte(ulong(b) << 32 | ulong(a), which), which) | asm.prmt.one(asm.prmt.byte(ulong(b) << 32 | ulong(a), which >> 4), which >> 4) << 8 | asm.prmt.one(asm.prmt.byte(ulong(b) << 32 | ulong(a), which >> 8), which >> 8) << 16 | asm.prmt.one(asm.prmt.byte(ulong(b) << 32 | ulong(a), which >> 12), which >> 12) << 24
uint shf.l.wrap.b32(uint low, uint high, uint by) = uint:llvm.fshl.i32(high, low, by)
uint shf.r.wrap.b32(uint low, uint high, uint by) = uint:llvm.fshr.i32(high, low, by)
float ex2.approx.f32(float x) = exp2f(x)
float ex2.approx.ftz.f32(float x) = exp2f(x)
float lg2.approx.f32(float x) = log2f(x)
float lg2.approx.ftz.f32(float x) = log2f(x)
float rcp.approx.f32(float x) = 1.0f / x
float rcp.approx.ftz.f32(float x) = 1.0f / x
float rcp.rn.f32(float x) = 1.0f / x
float sqrt.approx.f32(float x) = sqrtf(x)
float sqrt.approx.ftz.f32(float x) = sqrtf(x)
float sqrt.rn.f32(float x) = sqrtf(x)
float rsqrt.approx.f32(float x) = rsqrtf(x)
float rsqrt.approx.ftz.f32(float x) = rsqrtf(x)
float sin.approx.f32(float x) = sinf(x)
float cos.approx.f32(float x) = cosf(x)
float tanh.approx.f32(float x) = tanhf(x)
float div.approx.f32(float x, float y) = x / y
float div.full.f32(float x, float y) = x / y
";

/// An instruction without what it says of caches: none where that is all that it does. A policy for caches is the number 0.
pub(super) fn without_hints(instruction: &Instruction) -> Option<Cow<'_, Instruction>> {
    let name = instruction.mnemonic.as_str();
    match (name.split('.').next(), &instruction.operands[..]) {
        (Some("prefetch" | "prefetchu"), _) => None,
        (Some("createpolicy"), [policy, ..]) => {
            let operands = vec![policy.clone(), Operand::Integer(0)];
            Some(Cow::Owned(Instruction { mnemonic: "mov.b64".to_owned(), operands, ..instruction.clone() }))
        }
        (Some("ld" | "st"), operands) if name.split('.').any(is_hint) => {
            let words: Vec<&str> = name.split('.').filter(|word| !is_hint(word)).collect();
            let has_policy = name.split('.').any(|word| word == "L2::cache_hint");
            let kept = operands.len().saturating_sub(usize::from(has_policy));
            let operands = operands[..kept].to_vec();
            Some(Cow::Owned(Instruction { mnemonic: words.join("."), operands, ..instruction.clone() }))
        }
        _ => Some(Cow::Borrowed(instruction)),
    }
}

/// Instructions that are a function of their operands and of memory, by the first words of their names.
const FUNCTIONS: &[&str] = &[
    "abs",
    "add",
    "addc",
    "and",
    "applypriority",
    "bfe",
    "bfi",
    "bfind",
    "bra",
    "brev",
    "clusterlaunchcontrol",
    "clz",
    "cnot",
    "copysign",
    "cos",
    "cp.async",
    "createpolicy",
    "cvt",
    "cvta",
    "discard",
    "div",
    "dp2a",
    "dp4a",
    "ex2",
    "fence",
    "fma",
    "fns",
    "getctarank",
    "griddepcontrol",
    "isspacep",
    "ld",
    "ldu",
    "lg2",
    "lop3",
    "mad",
    "madc",
    "mapa",
    "max",
    "mbarrier.expect_tx",
    "mbarrier.init",
    "mbarrier.inval",
    "membar",
    "min",
    "mov",
    "mul",
    "mul24",
    "nanosleep",
    "neg",
    "not",
    "or",
    "popc",
    "prefetch",
    "prefetchu",
    "prmt",
    "rcp",
    "red",
    "rem",
    "rsqrt",
    "sad",
    "selp",
    "set",
    "setp",
    "shf",
    "shl",
    "shr",
    "sin",
    "slct",
    "sqrt",
    "st",
    "sub",
    "subc",
    "szext",
    "tanh",
    "tensormap",
    "testp",
    "trap",
    "xor",
];

/// Whether an instruction gives the same to threads of a warp that execute it together with the same operands, whatever it does: no operation of several threads
/// or of one thread after the other, and no load of what may be a thread's own.
pub(super) fn follows_operands(mnemonic: &str) -> bool {
    let is_called =
        |name: &&str| mnemonic.strip_prefix(*name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    let is_load = mnemonic.starts_with("ld");
    let is_of_all = |word: &str| matches!(word.split("::").next(), Some("shared" | "global" | "const" | "param"));
    FUNCTIONS.iter().any(is_called) && (!is_load || mnemonic.split('.').any(is_of_all))
}

/// Whether the threads of a warp have the same in a special register of this name; and whether it is none.
pub(super) fn is_of_warp(register: &str) -> bool {
    !matches!(
        register,
        "tid" | "laneid" | "clock" | "clock_hi" | "clock64" | "globaltimer" | "globaltimer_lo" | "globaltimer_hi"
    ) && !register.starts_with("lanemask")
        && !register.starts_with("pm")
}

/// Whether a word of a load's or store's name is about caches.
fn is_hint(word: &str) -> bool {
    word.starts_with("L1::")
        || word.starts_with("L2::")
        || matches!(word, "nc" | "ca" | "cg" | "cs" | "cv" | "lu" | "wb" | "wt")
}

/// The lines of recipes for all instructions that are known.
pub(super) fn lines() -> &'static str {
    static LINES: LazyLock<String> = LazyLock::new(|| {
        let mut text = String::new();
        for row in ONCE.lines().filter(|row| !row.is_empty()) {
            line(&mut text, row);
        }
        for register in SPECIAL.split_whitespace() {
            let (name, intrinsic) = register.split_once('=').unwrap_or((register, register));
            line(&mut text, &format!("uint %{name}() = uint:llvm.nvvm.read.ptx.sreg.{intrinsic}()"));
        }
        line(&mut text, "uint %warpsize() = uint:llvm.nvvm.read.ptx.sreg.warpsize()");
        integers(&mut text);
        floats(&mut text);
        conversions(&mut text);
        copies(&mut text);
        shuffles(&mut text);
        memory(&mut text);
        text
    });
    &LINES
}

/// Appends a function.
fn line(text: &mut String, function: &str) {
    let name = function.find('(').and_then(|open| function[..open].rfind(' ')).map_or(0, |space| space + 1);
    // Writing to a string cannot fail.
    let _ = writeln!(text, "nvptx | once | {}{PREFIX}{}", &function[..name], &function[name..]);
}

fn integers(text: &mut String) {
    for &(end, of, bits) in INTEGERS {
        for (name, operator) in [("add", "+"), ("sub", "-"), ("mul.lo", "*"), ("div", "/"), ("rem", "%")] {
            line(text, &format!("{of} {name}.{end}({of} x, {of} y) = {of}(x {operator} y)"));
        }
        line(text, &format!("{of} mad.lo.{end}({of} x, {of} y, {of} z) = {of}(x * y + z)"));
        line(text, &format!("{of} min.{end}({of} x, {of} y) = x < y ? x : y"));
        line(text, &format!("{of} max.{end}({of} x, {of} y) = x > y ? x : y"));
        if end.starts_with('s') {
            line(text, &format!("{of} neg.{end}({of} x) = {of}(-x)"));
            line(text, &format!("{of} abs.{end}({of} x) = x < {of}(0) ? {of}(-x) : x"));
        }
        // A shift by more bits than there are leaves nothing, or the sign.
        let all = if end.starts_with('s') { format!("x >> {}u", bits - 1) } else { "0".to_owned() };
        line(text, &format!("{of} shr.{end}({of} x, uint by) = by < {bits}u ? {of}(x >> by) : {of}({all})"));
        if bits < 64 {
            let wide = match (bits, end.starts_with('s')) {
                (16, true) => "int",
                (16, false) => "uint",
                (_, true) => "long",
                (_, false) => "ulong",
            };
            line(text, &format!("{wide} mul.wide.{end}({of} x, {of} y) = {wide}(x) * {wide}(y)"));
            line(text, &format!("{wide} mad.wide.{end}({of} x, {of} y, {wide} z) = {wide}(x) * {wide}(y) + z"));
            line(text, &format!("{of} mul.hi.{end}({of} x, {of} y) = {of}({wide}(x) * {wide}(y) >> {bits})"));
        }
    }
    for &(end, of, bits) in BITS {
        for (name, operator) in [("and", "&"), ("or", "|"), ("xor", "^")] {
            line(text, &format!("{of} {name}.{end}({of} x, {of} y) = {of}(x {operator} y)"));
        }
        line(text, &format!("{of} not.{end}({of} x) = {of}(~x)"));
        line(text, &format!("{of} shl.{end}({of} x, uint by) = by < {bits}u ? {of}(x << by) : {of}(0)"));
        line(text, &format!("{of} shr.{end}({of} x, uint by) = by < {bits}u ? {of}(x >> by) : {of}(0)"));
    }
    line(text, "bool and.pred(bool x, bool y) = x ? y : false");
    line(text, "bool or.pred(bool x, bool y) = x ? true : y");
    line(text, "bool xor.pred(bool x, bool y) = x != y");
    line(text, "bool not.pred(bool x) = !x");
    for (end, of, _) in INTEGERS.iter().chain(BITS) {
        line(text, &format!("{of} selp.{end}({of} x, {of} y, bool which) = which ? x : y"));
        for (name, operator) in COMPARISONS {
            line(text, &format!("bool setp.{name}.{end}({of} x, {of} y) = x {operator} y"));
        }
        for (name, operator) in [("lo", "<"), ("ls", "<="), ("hi", ">"), ("hs", ">=")] {
            line(text, &format!("bool setp.{name}.{end}({of} x, {of} y) = x {operator} y"));
        }
    }
}

const COMPARISONS: [(&str, &str); 6] =
    [("eq", "=="), ("ne", "!="), ("lt", "<"), ("le", "<="), ("gt", ">"), ("ge", ">=")];

fn floats(text: &mut String) {
    for &(end, of, suffix) in FLOATS {
        for (name, operator) in [("add", "+"), ("sub", "-"), ("mul", "*")] {
            for rounding in ["", ".rn", ".ftz", ".rn.ftz"] {
                line(text, &format!("{of} {name}{rounding}.{end}({of} x, {of} y) = x {operator} y"));
            }
        }
        for rounding in [".rn", ".rn.ftz"] {
            line(text, &format!("{of} fma{rounding}.{end}({of} x, {of} y, {of} z) = fma{suffix}(x, y, z)"));
        }
        line(text, &format!("{of} div.rn.{end}({of} x, {of} y) = x / y"));
        line(text, &format!("{of} neg.{end}({of} x) = -x"));
        line(text, &format!("{of} abs.{end}({of} x) = fabs{suffix}(x)"));
        line(text, &format!("{of} min.{end}({of} x, {of} y) = fmin{suffix}(x, y)"));
        line(text, &format!("{of} max.{end}({of} x, {of} y) = fmax{suffix}(x, y)"));
        line(text, &format!("{of} selp.{end}({of} x, {of} y, bool which) = which ? x : y"));
        for (name, operator) in COMPARISONS {
            line(text, &format!("bool setp.{name}.{end}({of} x, {of} y) = x {operator} y"));
        }
    }
}

/// Conversions: between integers, to floats, and to integers by rounding to zero or to the nearest one. Saturated, a number of 8 or 16 bits is one of the registers of 32.
fn conversions(text: &mut String) {
    for (to, of, bits) in INTEGERS {
        for (from, source, _) in INTEGERS {
            line(text, &format!("{of} cvt.{to}.{from}({source} x) = {of}(x)"));
        }
        for &(end, float, _) in FLOATS {
            line(text, &format!("{float} cvt.rn.{end}.{to}({of} x) = {float}(x)"));
            if *bits >= 32 {
                line(text, &format!("{of} cvt.rzi.{to}.{end}({float} x) = {of}(x)"));
            }
        }
        if *bits == 32 {
            for sat in ["", ".sat"] {
                line(text, &format!("{of} cvt.rni{sat}.{to}.f32(float x) = {of}(rintf(x))"));
            }
        }
    }
    for (to, least, most) in [("s8", -128, 127), ("u8", 0, 255), ("s16", -32768, 32767), ("u16", 0, 65535)] {
        let within = format!("fminf(fmaxf(rintf(x), float({least})), float({most}))");
        line(text, &format!("int cvt.rni.sat.{to}.f32(float x) = x == x ? int({within}) : 0"));
        line(text, &format!("int cvt.rni.sat.{to}.f16(ushort x) = asm.cvt.rni.sat.{to}.f32(float(as_half(x)))"));
    }
    line(text, "double cvt.f64.f32(float x) = double(x)");
    line(text, "float cvt.rn.f32.f64(double x) = float(x)");
}

/// `mov` copies bits, also between a whole and its halves.
fn copies(text: &mut String) {
    let integers = INTEGERS.iter().chain(BITS).map(|&(end, of, _)| (end, of));
    let others = FLOATS.iter().map(|&(end, of, _)| (end, of)).chain([("pred", "bool")]);
    for (end, of) in integers.chain(others) {
        line(text, &format!("{of} mov.{end}({of} x) = x"));
    }
    for (end, whole, half, bits) in [("b64", "ulong", "uint", 32), ("b32", "uint", "ushort", 16)] {
        line(text, &format!("{half} mov.low.{end}({whole} x) = {half}(x)"));
        line(text, &format!("{half} mov.high.{end}({whole} x) = {half}(x >> {bits}u)"));
        let packed = format!("{whole}(high) << {bits}u | {whole}(low)");
        line(text, &format!("{whole} mov.pack.{end}({half} low, {half} high) = {packed}"));
    }
}

/// `shfl.sync`, with the predicate that says whether the source is in the segment.
fn shuffles(text: &mut String) {
    let lane = "uint(uint:llvm.nvvm.read.ptx.sreg.laneid())";
    let first = format!("{lane} & (clamp >> 8 & 31u)");
    let last = format!("({first} | clamp & 31u & ~(clamp >> 8 & 31u))");
    for (mode, inside) in [
        ("up", format!("int({lane}) - int(by & 31u) >= int({last})")),
        ("down", format!("{lane} + (by & 31u) <= {last}")),
        ("bfly", format!("({lane} ^ by & 31u) <= {last}")),
        ("idx", format!("({first} | by & 31u & ~(clamp >> 8 & 31u)) <= {last}")),
    ] {
        let parameters = "uint x, uint by, uint clamp, uint mask";
        let shuffled = format!("uint:llvm.nvvm.shfl.sync.{mode}.i32(mask, x, by, clamp)");
        line(text, &format!("uint shfl.sync.{mode}.b32({parameters}) = {shuffled}"));
        line(text, &format!("bool shfl.sync.{mode}.b32|p({parameters}) = {inside}"));
    }
}

/// Loads, stores and atomic operations of memory that is not the workgroup's: an address of that is a number of its own.
fn memory(text: &mut String) {
    let types = INTEGERS.iter().chain(BITS).map(|&(end, of, _)| (end, of));
    for (end, of) in types.chain(FLOATS.iter().map(|&(end, of, _)| (end, of))) {
        for space in ["", ".global"] {
            line(text, &format!("{of} ld{space}.{end}({of}* from) = load(from)"));
            line(text, &format!("void st{space}.{end}({of}* to, {of} x) = store(to, x)"));
        }
    }
    // A byte is in a register of 32 bits.
    for (end, of, register) in [("u8", "uchar", "uint"), ("b8", "uchar", "uint"), ("s8", "char", "int")] {
        for space in ["", ".global"] {
            line(text, &format!("{register} ld{space}.{end}({of}* from) = {register}(load(from))"));
            line(text, &format!("void st{space}.{end}({of}* to, {register} x) = store(to, {of}(x))"));
        }
    }
    for (end, of) in [("u32", "uint"), ("s32", "int"), ("b32", "uint"), ("u64", "ulong"), ("b64", "ulong")] {
        for (order, word) in [("acquire", "acquire"), ("relaxed", "relaxed")] {
            for (scope, group) in [("cta", "block"), ("gpu", "device"), ("sys", "system")] {
                for space in ["", ".global"] {
                    line(
                        text,
                        &format!("{of} ld.{order}.{scope}{space}.{end}({of}* from) = atomic.load.{group}.{word}(from)"),
                    );
                    let (order, word) = if order == "acquire" { ("release", "release") } else { (order, word) };
                    line(
                        text,
                        &format!(
                            "void st.{order}.{scope}{space}.{end}({of}* to, {of} x) = atomic.store.{group}.{word}(to, x)"
                        ),
                    );
                }
            }
        }
        for name in ["add", "min", "max", "and", "or", "xor", "exch"] {
            let operation = if name == "exch" { "xchg" } else { name };
            for space in ["", ".global"] {
                let atomic = format!("atomic.{operation}.device.relaxed(to, x)");
                line(text, &format!("{of} atom{space}.{name}.{end}({of}* to, {of} x) = {atomic}"));
                line(text, &format!("void red{space}.{name}.{end}({of}* to, {of} x) = {atomic}"));
            }
        }
    }
}
