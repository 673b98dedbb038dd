//! A case for each instruction that is computed here.

use reconverge_ir::opcode::Opcode;

use crate::arithmetic::{binary, cast, compare, float};

/// The instructions that other parts of the executor are responsible for.
fn is_elsewhere(opcode: Opcode) -> bool {
    use Opcode::*;
    let control =
        opcode.is_terminator() || opcode.is_call_site() || matches!(opcode, Phi | LandingPad | CatchPad | CleanupPad);
    let memory = matches!(opcode, Load | Store | Alloca | AtomicRmw | CmpXchg | Fence | VAArg | GetElementPtr);
    let addresses = matches!(opcode, PtrToInt | PtrToAddr | IntToPtr | AddrSpaceCast);
    let moves = matches!(opcode, ExtractElement | InsertElement | ShuffleVector | ExtractValue | InsertValue);
    control || memory || addresses || moves
}

fn check(opcode: Opcode) -> bool {
    use Opcode::*;
    match opcode {
        Add | Sub | Mul | UDiv | SDiv | URem | SRem | Shl | LShr | AShr | And | Or | Xor => {
            binary::exhaustively(opcode);
            binary::at_random(opcode);
        }
        FAdd | FSub | FMul | FDiv | FRem => float::binary(opcode),
        FNeg => float::negation(),
        ICmp => compare::integers(),
        FCmp => compare::floats(),
        Select => compare::selects(),
        Freeze => compare::freezes(),
        Trunc | ZExt | SExt => cast::integers(opcode),
        FPTrunc | FPExt => cast::floats(opcode),
        FPToUI | FPToSI => cast::to_integers(opcode),
        UIToFP | SIToFP => cast::from_integers(opcode),
        BitCast => cast::bits(),
        _ => return false,
    }
    true
}

#[test]
fn every_instruction_computes_what_its_definition_says() {
    for &opcode in Opcode::ALL {
        assert!(check(opcode) != is_elsewhere(opcode), "{} has no case", opcode.keyword());
    }
}
