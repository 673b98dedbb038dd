//! The differences between our check and LLVM's that there are on purpose, each with its reason.

/// Who refuses what the other accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Difference {
    /// We accept it.
    LlvmRefuses,
    /// LLVM accepts it.
    WeRefuse,
}

/// For a part of the message of who refuses: why there is the difference.
const REASONS: &[(Difference, &str, &str)] = &[
    (Difference::LlvmRefuses, "Entry intrinsic", TOKENS),
    (Difference::LlvmRefuses, "Entry or anchor intrinsic", TOKENS),
    (Difference::LlvmRefuses, "Loop intrinsic", TOKENS),
    (Difference::LlvmRefuses, "onvergence ", TOKENS),
    (Difference::LlvmRefuses, "Cycle heart", TOKENS),
    (Difference::LlvmRefuses, "convergence token", TOKENS),
    (Difference::LlvmRefuses, "'convergencectrl' bundle requires exactly one token use", TOKENS),
    (Difference::LlvmRefuses, "uselistorder", "orders of uses are kept as text, and mean nothing to what is executed"),
    (
        Difference::LlvmRefuses,
        "value only has one use",
        "orders of uses are kept as text, and mean nothing to what is executed",
    ),
    (Difference::LlvmRefuses, "swifterror", "'swifterror' is an attribute of a calling convention that no GPU has"),
    (
        Difference::LlvmRefuses,
        "preallocated",
        "'preallocated' belongs to a calling convention that no GPU has, and its intrinsics are not executed",
    ),
    (
        Difference::LlvmRefuses,
        "use of undefined comdat",
        "comdats are kept as text: which copies a linker keeps changes nothing of what is executed",
    ),
    (Difference::LlvmRefuses, "elementtype", ASSEMBLY),
    (Difference::LlvmRefuses, "nvalid type for inline asm", ASSEMBLY),
    (
        Difference::LlvmRefuses,
        "use of undefined type named",
        "the type is in an attribute of a declared intrinsic, which has those of its definition",
    ),
    (Difference::LlvmRefuses, "inline asm", ASSEMBLY),
    (Difference::LlvmRefuses, "blockaddress", ADDRESSES),
    (
        Difference::LlvmRefuses,
        "cannot guarantee tail call",
        "whether the frame of the caller is large enough is a matter of the target: it is executed as any call",
    ),
    (Difference::LlvmRefuses, "undle operand", "bundles other than `convergencectrl` are not executed"),
    (Difference::LlvmRefuses, "bundle key operand", "bundles other than `convergencectrl` are not executed"),
    (
        Difference::LlvmRefuses,
        "call with operand bundle \"clang",
        "bundles other than `convergencectrl` are not executed",
    ),
    (Difference::LlvmRefuses, "\"clang.arc.attachedcall\"", "bundles other than `convergencectrl` are not executed"),
    (
        Difference::LlvmRefuses,
        "expected 'to' in invoke",
        "what stands behind the arguments is a list of words to us, and their names are not checked",
    ),
    (
        Difference::LlvmRefuses,
        "LLVM itself failed",
        "LLVM ends with a failure of its own, which says nothing of the module",
    ),
    (Difference::LlvmRefuses, " personality ptr addrspace(", BESIDE),
    (Difference::LlvmRefuses, " prefix {", BESIDE),
    (
        Difference::LlvmRefuses,
        "invalid uses of intrinsic global variable",
        "variables that mean something to LLVM, such as @llvm.used, are variables",
    ),
    (
        Difference::LlvmRefuses,
        "applied to incompatible type!\nptr @llvm.",
        "the declaration of an intrinsic that nothing calls is not looked at",
    ),
    (Difference::LlvmRefuses, "leanup", FUNCLETS),
    (Difference::LlvmRefuses, "atchpad", FUNCLETS),
    (Difference::LlvmRefuses, "atchPad", FUNCLETS),
    (Difference::LlvmRefuses, "funclet", FUNCLETS),
    (Difference::LlvmRefuses, "atchswitch", FUNCLETS),
    (Difference::LlvmRefuses, "atchSwitch", FUNCLETS),
    (Difference::LlvmRefuses, "!dbg", METADATA),
    (Difference::LlvmRefuses, ", !custom !{", METADATA),
    (Difference::LlvmRefuses, "metadata", METADATA),
    (Difference::LlvmRefuses, "DICompileUnit", METADATA),
    (Difference::LlvmRefuses, "DIArgList", METADATA),
    // An operand in a `DIArgList` above; of another instruction the reader says the same.
    (Difference::LlvmRefuses, "instruction forward referenced with type", METADATA),
    (Difference::LlvmRefuses, "Range types must match", METADATA),
    (Difference::LlvmRefuses, "Range pair types must match", METADATA),
    (Difference::LlvmRefuses, "The upper and lower limits cannot be the same value", METADATA),
    (Difference::LlvmRefuses, "module flag", METADATA),
    (Difference::LlvmRefuses, "#dbg record", METADATA),
    (Difference::LlvmRefuses, " !range !{", METADATA),
    // The line at fault is one of metadata.
    (Difference::LlvmRefuses, "\n!", METADATA),
    (Difference::LlvmRefuses, "target(", "the parameters of a target type are kept as text"),
    (
        Difference::WeRefuse,
        "unexpected 'align'",
        "LLVM reads an alignment twice and keeps the last; no printer writes that",
    ),
    (
        Difference::WeRefuse,
        "unexpected 'addrspace'",
        "LLVM reads the address space of an alloca twice and keeps the last; no printer writes that",
    ),
    (
        Difference::WeRefuse,
        "fast-math flags on a result of type",
        "LLVM does not look at the flags of a phi in front of `, !dbg`, and drops them; no printer writes them",
    ),
    (Difference::WeRefuse, "with other types than its declaration has", UPGRADED),
    // `llvm.memcpy` and the others had a number for the alignment.
    (Difference::WeRefuse, " takes 4 arguments, not 5", UPGRADED),
    (
        Difference::WeRefuse,
        "is not declared, and no intrinsic that is known",
        "an intrinsic of an older LLVM, whose declaration LLVM makes up; its printers wrote it",
    ),
];

const ADDRESSES: &str = "addresses of blocks are executed by nothing: `indirectbr` is refused where it is linked";
const TOKENS: &str =
    "the rules of convergence tokens are RC0101 to RC0117: `run` and `validate` ask them of what they link";
const UPGRADED: &str = "an intrinsic of an older LLVM, whose calls LLVM upgrades without a look at the declaration";
const FUNCLETS: &str = "the nesting of funclets is not checked: no GPU has them, and nothing executes them";
const BESIDE: &str =
    "the prefix, prologue and personality of a function are kept as text: nothing that is executed reads them";
const METADATA: &str = "metadata and debug records are not checked: they change nothing of what is executed";
const ASSEMBLY: &str =
    "inline assembly: constraints are not checked, and a call that does not fit them is not executed";

/// Why there is a difference; nothing if nobody knows.
pub(crate) fn reason(who: Difference, message: &str) -> Option<&'static str> {
    REASONS.iter().find(|(found, part, _)| *found == who && message.contains(part)).map(|&(_, _, reason)| reason)
}
