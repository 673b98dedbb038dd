//! Which keywords may stand behind which opcode.

use reconverge_ir::opcode::{Flags, Opcode};

const fn all(flags: &[Flags]) -> Flags {
    let mut all = Flags::NONE;
    let mut index = 0;
    while index < flags.len() {
        all = all.union(flags[index]);
        index += 1;
    }
    all
}

const WRAPPING: Flags = all(&[Flags::NUW, Flags::NSW]);
/// The fast-math flags.
pub(crate) const FAST_MATH: Flags =
    all(&[Flags::REASSOC, Flags::NNAN, Flags::NINF, Flags::NSZ, Flags::ARCP, Flags::CONTRACT, Flags::AFN, Flags::FAST]);
const TAIL: Flags = all(&[Flags::TAIL, Flags::MUSTTAIL, Flags::NOTAIL]);
const ADDRESS: Flags = all(&[Flags::INBOUNDS, Flags::NUSW, Flags::NUW]);

/// The flags that an instruction may have.
pub(crate) fn allowed(opcode: Opcode) -> Flags {
    use Opcode::*;
    match opcode {
        Add | Sub | Mul | Shl | Trunc => WRAPPING,
        UDiv | SDiv | LShr | AShr => Flags::EXACT,
        Or => Flags::DISJOINT,
        FAdd | FSub | FMul | FDiv | FRem | FNeg | FCmp | FPTrunc | FPExt | Select | Phi => FAST_MATH,
        ICmp => Flags::SAMESIGN,
        ZExt | UIToFP => Flags::NNEG,
        GetElementPtr => ADDRESS,
        Call => all(&[FAST_MATH, TAIL]),
        Load | Store => all(&[Flags::ATOMIC, Flags::VOLATILE]),
        CmpXchg => all(&[Flags::WEAK, Flags::VOLATILE]),
        AtomicRmw => Flags::VOLATILE,
        Alloca => all(&[Flags::INALLOCA, Flags::SWIFTERROR]),
        LandingPad => Flags::CLEANUP,
        _ => Flags::NONE,
    }
}
