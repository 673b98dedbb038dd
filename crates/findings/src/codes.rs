//! The stable codes of diagnostics. Each has a page in `docs/codes/`.

/// How much a finding matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Something that could be better; never changes the exit status.
    Hint,
    /// Probably wrong; counts under `--strict`.
    Warning,
    /// Breaks a rule.
    Error,
}

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident $severity:ident $title:literal)*) => {
        /// A rule that a diagnostic reports the breach of.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code { $(#[doc = $title] $name,)* }

        impl Code {
            /// Every code, in order.
            pub const ALL: &'static [Code] = &[$(Code::$name),*];

            /// The code as users write it, such as `RC0113`.
            pub fn name(self) -> &'static str {
                match self { $(Code::$name => stringify!($name),)* }
            }

            /// The rule in a few words.
            pub fn title(self) -> &'static str {
                match self { $(Code::$name => $title,)* }
            }

            /// How much a breach matters.
            pub fn severity(self) -> Severity {
                match self { $(Code::$name => Severity::$severity,)* }
            }

            /// The page in `docs/codes/`, as Markdown.
            pub fn page(self) -> &'static str {
                match self { $(Code::$name => include_str!(concat!("../../../docs/codes/", stringify!($name), ".md")),)* }
            }

            /// The code with this name, whatever the case of its letters.
            pub fn from_name(name: &str) -> Option<Code> {
                Code::ALL.iter().copied().find(|code| code.name().eq_ignore_ascii_case(name))
            }
        }
    };
}

codes! {
    RC0001 Error "an instruction has operands of the types that it asks for"
    RC0002 Error "the definition of a value dominates its uses"
    RC0003 Error "an intrinsic is called as it is defined"
    RC0004 Error "what is allocated, accessed or indexed has a size"
    RC0005 Error "a call passes what its function type asks for"
    RC0006 Error "blocks, phis and landing pads fit the edges between blocks"
    RC0101 Error "an entry intrinsic occurs only in a convergent function"
    RC0102 Error "an entry intrinsic occurs only in the entry block"
    RC0103 Error "a function has at most one entry intrinsic"
    RC0104 Error "an entry intrinsic precedes every other convergent operation of its block"
    RC0105 Error "a loop intrinsic precedes every other convergent operation of its block"
    RC0106 Error "a loop intrinsic has a convergencectrl bundle"
    RC0107 Error "an entry or anchor intrinsic has no convergencectrl bundle"
    RC0108 Error "a call has at most one convergencectrl bundle, with exactly one token"
    RC0109 Error "a convergence token is produced by a convergence control intrinsic"
    RC0110 Error "a convergence control intrinsic is only ever called directly"
    RC0111 Error "the definition of a convergence token dominates its uses"
    RC0112 Error "controlled and uncontrolled convergent operations do not mix in one function"
    RC0113 Error "closed paths, rule 1: a closed path through a use other than a loop intrinsic contains the definition"
    RC0114 Error "closed paths, rule 2: a closed path through two uses of one token contains its definition"
    RC0115 Error "closed paths, rule 3: a closed path through uses of two tokens contains a definition of one"
    RC0116 Error "closed paths, rule 4: a use dominates every closed path that lacks the definition, so a heart is in the header of a reducible cycle"
    RC0117 Error "convergence regions are well nested"
    RC0201 Error "all threads of a workgroup come to a workgroup barrier together"
    RC0202 Warning "all threads of a workgroup come to a workgroup barrier together, for all that is known"
    RC0203 Error "all threads of a subgroup come to a subgroup operation together"
    RC0204 Warning "all threads of a subgroup come to a subgroup operation together, for all that is known"
    RC0205 Error "neighbouring threads come to a derivative together"
    RC0206 Warning "neighbouring threads come to a derivative together, for all that is known"
    RC0207 Error "a call gives a function what it requires of its callers"
    RC0208 Warning "a call gives a function what it requires of its callers, for all that is known"
    RC0301 Warning "a convergent operation is in cycles that are m-converged"
    RC0302 Warning "a convergent operation is in a cycle made by a backward goto"
    RC0303 Warning "a convergent operation is in a loop that is jumped into"
    RC0304 Warning "a convergent operation is in a statement marked noconvergent"
    RC0305 Warning "unrelated tangles of threads come to a convergent operation"
    RC0306 Warning "a convergent operation is in a function whose start is up to the implementation"
    RC0401 Warning "a function with uncontrolled convergent operations is convergent"
    RC0402 Hint "convergent can be dropped from a function without convergent operations"
    RC0403 Hint "convergent can be dropped from a call of a function that is not convergent"
    RC0404 Hint "convergent can be dropped where threads never communicate"
    RC0405 Hint "speculatable has no effect on a convergent function"
    RC0406 Warning "inline assembly in which threads communicate is convergent"
    RC0501 Error "all threads of its scope come to a barrier"
    RC0502 Error "what threads wait for can happen"
    RC0503 Error "a thread takes a value from a thread that executes the operation with it"
    RC0504 Error "threads that wait for each other are at the same barrier, where the target asks for that"
    RC0505 Error "memory is accessed within its bounds"
    RC0506 Error "what a branch, an address or another thread depends on has a value"
    RC0507 Error "threads of a workgroup do not race for memory"
    RC0508 Error "an instruction is executed only where its behaviour is defined"
    RC0509 Error "a run ends within its limits"
    RC0510 Error "a mask of threads names its caller, and only threads that are there"
    RC0511 Error "an operand that is for all threads of an operation is the same in all of them"
    RC0512 Error "a printf format that is malformed or does not fit its arguments"
    RC0601 Error "threads communicate with those with whom they did before a change"
    RC0602 Error "what threads pass to an operation and get from it is what it was before a change"
    RC0603 Error "memory holds what it held without a change"
    RC0604 Error "a program that ended properly before a change still does"
    RC0605 Warning "a value that was uniform before a change still is"
    RC0606 Warning "a kernel can be compared with what it was before a change"
    RC0607 Error "a thread executes operations in the order in which it did before a change"
}
