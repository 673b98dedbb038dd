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
];

/// Why there is a difference; nothing if nobody knows.
pub(crate) fn reason(who: Difference, message: &str) -> Option<&'static str> {
    REASONS.iter().find(|(found, part, _)| *found == who && message.contains(part)).map(|&(_, _, reason)| reason)
}
