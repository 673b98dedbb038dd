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

            /// The defect in a few words.
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
    RC0001 Error "operand of the wrong type"
    RC0002 Error "value used where its definition does not dominate"
    RC0003 Error "malformed call of an intrinsic"
    RC0004 Error "access to something without a size"
    RC0005 Error "call that does not fit its function type"
    RC0006 Error "phi or landing pad that does not fit the edges of its block"
    RC0101 Error "entry intrinsic in a function that is not convergent"
    RC0102 Error "entry intrinsic outside the entry block"
    RC0103 Error "second entry intrinsic in a function"
    RC0104 Error "entry intrinsic after another convergent operation"
    RC0105 Error "loop intrinsic after another convergent operation of its block"
    RC0106 Error "loop intrinsic without a convergencectrl bundle"
    RC0107 Error "entry or anchor intrinsic with a convergencectrl bundle"
    RC0108 Error "call with several convergencectrl bundles or tokens"
    RC0109 Error "convergence token that no intrinsic defines"
    RC0110 Error "convergence control intrinsic that is not called directly"
    RC0111 Error "convergence token used where its definition does not dominate"
    RC0112 Error "controlled and uncontrolled convergent operations in one function"
    RC0113 Error "token used in a cycle that does not contain its definition"
    RC0114 Error "token used twice in a cycle that does not contain its definition"
    RC0115 Error "two tokens used in a cycle that contains the definition of neither"
    RC0116 Error "heart that does not dominate its cycle"
    RC0117 Error "convergence regions that are not nested"
    RC0201 Error "barrier in divergent control flow"
    RC0202 Warning "barrier in possibly divergent control flow"
    RC0203 Error "subgroup operation in divergent control flow"
    RC0204 Warning "subgroup operation in possibly divergent control flow"
    RC0205 Error "derivative in divergent control flow"
    RC0206 Warning "derivative in possibly divergent control flow"
    RC0207 Error "divergent call of a function with a barrier or subgroup operation"
    RC0208 Warning "possibly divergent call of a function with a barrier or subgroup operation"
    RC0209 Warning "barrier after some threads may have exited"
    RC0210 Error "operand that differs between threads that must agree"
    RC0211 Error "mask that does not name the threads that execute the call"
    RC0212 Warning "shared memory read and written by several threads with no barrier in between"
    RC0213 Error "resource index that differs between threads without the mark for it"
    RC0301 Warning "convergent operation in a cycle that is not m-converged"
    RC0302 Warning "convergent operation in a cycle made by a backward goto"
    RC0303 Warning "convergent operation in a statement that is jumped into"
    RC0304 Warning "convergent operation in a statement marked noconvergent"
    RC0305 Warning "convergent operation reached by unrelated tangles of threads"
    RC0306 Warning "convergent operation in a function that starts with unspecified convergence"
    RC0307 Error "jump into a statement marked noconvergent"
    RC0401 Warning "function with convergent operations that is not convergent"
    RC0402 Hint "convergent on a function without convergent operations"
    RC0403 Hint "convergent on a call of a function that is not convergent"
    RC0404 Hint "convergent where threads never communicate"
    RC0405 Hint "speculatable on a convergent function"
    RC0406 Warning "communication in inline assembly that is not convergent"
    RC0501 Error "barrier that some threads never reach"
    RC0502 Error "deadlock"
    RC0503 Error "value taken from an inactive lane"
    RC0504 Error "threads waiting at different barriers"
    RC0505 Error "access out of bounds"
    RC0506 Error "use of a missing value"
    RC0507 Error "data race"
    RC0508 Error "undefined behaviour"
    RC0509 Error "run stopped at a limit"
    RC0510 Error "mask that does not name the threads that execute the call"
    RC0511 Error "operand that differs between threads that must agree"
    RC0512 Error "printf format that does not fit its arguments"
    RC0601 Error "change in which threads communicate"
    RC0602 Error "change in what threads communicate"
    RC0603 Error "change in what memory holds"
    RC0604 Error "program that no longer ends properly"
    RC0605 Warning "uniform value that became divergent"
    RC0606 Warning "kernel that cannot be compared"
    RC0607 Error "change in the order of operations"
    RC0701 Warning "allow comment without a finding"
    RC0702 Warning "malformed allow comment"
}

impl Code {
    /// Whether it is about a program as it is written: `check` finds it, and a comment can allow it.
    pub fn is_allowable(self) -> bool {
        self < Code::RC0501
    }
}
