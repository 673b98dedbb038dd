//! Instructions' opcodes, and the small enumerations that go with them.

macro_rules! spelled {
    ($(#[$outer:meta])* $name:ident { $($variant:ident = $text:literal),* $(,)? }) => {
        $(#[$outer])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[allow(missing_docs, reason = "the names are LLVM's")]
        pub enum $name { $($variant),* }

        impl $name {
            /// Every one, in the order of the declaration.
            pub const ALL: &'static [$name] = &[$($name::$variant),*];

            /// The keyword.
            pub fn keyword(self) -> &'static str {
                match self { $($name::$variant => $text),* }
            }

            /// The one with this keyword.
            #[inline]
            pub fn from_keyword(keyword: &[u8]) -> Option<$name> {
                // One integer comparison settles almost all of it: keywords that agree in eight bytes are rare.
                #[allow(non_upper_case_globals)]
                mod prefix {
                    $(pub(super) const $variant: u64 = super::prefix_of($text.as_bytes());)*
                }
                match prefix_of(keyword) {
                    $(prefix::$variant if keyword == $text.as_bytes() => Some($name::$variant),)*
                    _ => None,
                }
            }
        }
    };
}

/// The first eight bytes, zero-extended, as an integer.
const fn prefix_of(word: &[u8]) -> u64 {
    let mut prefix = 0;
    let mut index = 0;
    while index < word.len() && index < 8 {
        prefix |= (word[index] as u64) << (8 * index);
        index += 1;
    }
    prefix
}

spelled! {
    /// What an instruction does. A call's tail marker is in its flags, not here.
    Opcode {
        Select = "select", Br = "br", BitCast = "bitcast", FMul = "fmul", ICmp = "icmp", FAdd = "fadd", And = "and",
        ExtractElement = "extractelement", FCmp = "fcmp", Or = "or", Add = "add", FSub = "fsub", LShr = "lshr",
        GetElementPtr = "getelementptr", ZExt = "zext", Load = "load", InsertElement = "insertelement", Shl = "shl",
        Call = "call", Store = "store", Ret = "ret", Phi = "phi", FDiv = "fdiv", FNeg = "fneg", Trunc = "trunc", Sub = "sub",
        Xor = "xor", SIToFP = "sitofp", Switch = "switch", AtomicRmw = "atomicrmw", Mul = "mul", CmpXchg = "cmpxchg",
        FPTrunc = "fptrunc", FPToSI = "fptosi", AShr = "ashr", SExt = "sext", UIToFP = "uitofp", FPExt = "fpext",
        FPToUI = "fptoui", ShuffleVector = "shufflevector", Alloca = "alloca", UDiv = "udiv", SDiv = "sdiv", URem = "urem",
        SRem = "srem", FRem = "frem", PtrToInt = "ptrtoint", PtrToAddr = "ptrtoaddr", IntToPtr = "inttoptr",
        AddrSpaceCast = "addrspacecast", ExtractValue = "extractvalue", InsertValue = "insertvalue", Freeze = "freeze",
        Fence = "fence", Unreachable = "unreachable", Invoke = "invoke", CallBr = "callbr", IndirectBr = "indirectbr",
        Resume = "resume", LandingPad = "landingpad", CatchSwitch = "catchswitch", CatchPad = "catchpad",
        CleanupPad = "cleanuppad", CatchRet = "catchret", CleanupRet = "cleanupret", VAArg = "va_arg",
    }
}

impl Opcode {
    /// Whether the instruction ends its block.
    pub fn is_terminator(self) -> bool {
        use Opcode::*;
        matches!(
            self,
            Ret | Br
                | Switch
                | IndirectBr
                | Invoke
                | CallBr
                | Resume
                | Unreachable
                | CatchSwitch
                | CatchRet
                | CleanupRet
        )
    }

    /// Whether this is a `call`, `invoke` or `callbr`: what the LLVM document calls a call-site.
    pub fn is_call_site(self) -> bool {
        matches!(self, Opcode::Call | Opcode::Invoke | Opcode::CallBr)
    }

    /// Whether this converts one operand to another type: `zext … to …`.
    pub fn is_cast(self) -> bool {
        use Opcode::*;
        matches!(
            self,
            Trunc
                | ZExt
                | SExt
                | FPTrunc
                | FPExt
                | FPToUI
                | FPToSI
                | UIToFP
                | SIToFP
                | PtrToInt
                | PtrToAddr
                | IntToPtr
                | BitCast
                | AddrSpaceCast
        )
    }

    /// Whether this takes two operands of one type and gives a result of that type.
    pub fn is_binary(self) -> bool {
        use Opcode::*;
        matches!(
            self,
            Add | FAdd
                | Sub
                | FSub
                | Mul
                | FMul
                | UDiv
                | SDiv
                | FDiv
                | URem
                | SRem
                | FRem
                | Shl
                | LShr
                | AShr
                | And
                | Or
                | Xor
        )
    }
}

spelled! {
    /// The condition of an `icmp` or `fcmp`.
    Predicate {
        Eq = "eq", Ne = "ne", Ugt = "ugt", Uge = "uge", Ult = "ult", Ule = "ule", Sgt = "sgt", Sge = "sge", Slt = "slt",
        Sle = "sle", Oeq = "oeq", Ogt = "ogt", Oge = "oge", Olt = "olt", Ole = "ole", One = "one", Ord = "ord", Uno = "uno",
        Ueq = "ueq", Une = "une", False = "false", True = "true",
    }
}

spelled! {
    /// The ordering of an atomic access.
    Ordering {
        Unordered = "unordered", Monotonic = "monotonic", Acquire = "acquire", Release = "release", AcqRel = "acq_rel",
        SeqCst = "seq_cst",
    }
}

spelled! {
    /// The operation of an `atomicrmw`.
    RmwOperation {
        Xchg = "xchg", Add = "add", Sub = "sub", And = "and", Nand = "nand", Or = "or", Xor = "xor", Max = "max", Min = "min",
        UMax = "umax", UMin = "umin", FAdd = "fadd", FSub = "fsub", FMax = "fmax", FMin = "fmin", FMaximum = "fmaximum",
        FMinimum = "fminimum", UIncWrap = "uinc_wrap", UDecWrap = "udec_wrap", USubCond = "usub_cond", USubSat = "usub_sat",
    }
}

spelled! {
    /// Who can see a function or a variable, and which of several definitions counts.
    Linkage {
        Private = "private", Internal = "internal", External = "external", ExternWeak = "extern_weak", Weak = "weak",
        WeakOdr = "weak_odr", LinkOnce = "linkonce", LinkOnceOdr = "linkonce_odr", Common = "common",
        Appending = "appending", AvailableExternally = "available_externally", Default = "",
    }
}

impl Linkage {
    /// The linkage that stands in front of a type, among other words.
    pub(crate) fn among<'w>(words: impl Iterator<Item = &'w [u8]>) -> Linkage {
        words.filter(|word| !word.is_empty()).find_map(Linkage::from_keyword).unwrap_or(Linkage::Default)
    }

    /// Whether a variable with this linkage is one of another module, and has no initializer.
    pub fn is_declaration(self) -> bool {
        matches!(self, Linkage::External | Linkage::ExternWeak)
    }

    /// Whether only this module can name it.
    pub fn is_local(self) -> bool {
        matches!(self, Linkage::Private | Linkage::Internal)
    }

    /// Whether the linker may put another definition in the place of this one, of another meaning.
    pub fn is_interposable(self) -> bool {
        matches!(self, Linkage::Weak | Linkage::LinkOnce | Linkage::ExternWeak | Linkage::Common)
    }

    /// Whether the linker may choose another definition, be it one of the same meaning that was optimised less.
    pub fn is_replaceable(self) -> bool {
        self.is_interposable() || matches!(self, Linkage::WeakOdr | Linkage::LinkOnceOdr | Linkage::AvailableExternally)
    }
}

macro_rules! flags {
    ($($(#[$doc:meta])* $name:ident = $bit:literal $text:literal;)*) => {
        /// A set of the keywords that may stand behind an opcode.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
        pub struct Flags(u32);

        impl Flags {
            $($(#[$doc])* #[doc = concat!("`", $text, "`")] pub const $name: Flags = Flags(1 << $bit);)*

            /// No flag.
            pub const NONE: Flags = Flags(0);

            /// Every flag with its keyword, in the order in which a printer may write them.
            pub const ALL: &'static [(Flags, &'static str)] = &[$((Flags::$name, $text)),*];

            /// The flag with this keyword.
            pub fn from_keyword(keyword: &[u8]) -> Option<Flags> {
                #[allow(non_upper_case_globals)]
                mod prefix {
                    $(pub(super) const $name: u64 = super::prefix_of($text.as_bytes());)*
                }
                match prefix_of(keyword) {
                    $(prefix::$name if keyword == $text.as_bytes() => Some(Flags::$name),)*
                    _ => None,
                }
            }

            /// Whether all of `other` is in the set.
            pub fn contains(self, other: Flags) -> bool {
                self.0 & other.0 == other.0
            }

            /// Adds all of `other`.
            pub fn insert(&mut self, other: Flags) {
                self.0 |= other.0;
            }

            /// The flags of both sets.
            pub const fn union(self, other: Flags) -> Flags {
                Flags(self.0 | other.0)
            }

            /// Whether the sets have a flag in common.
            pub fn intersects(self, other: Flags) -> bool {
                self.0 & other.0 != 0
            }

            /// Whether the set is empty.
            pub fn is_empty(self) -> bool {
                self.0 == 0
            }
        }
    };
}

flags! {
    NUW = 0 "nuw";
    NSW = 1 "nsw";
    EXACT = 2 "exact";
    DISJOINT = 3 "disjoint";
    NNEG = 4 "nneg";
    SAMESIGN = 5 "samesign";
    INBOUNDS = 6 "inbounds";
    NUSW = 7 "nusw";
    REASSOC = 8 "reassoc";
    NNAN = 9 "nnan";
    NINF = 10 "ninf";
    NSZ = 11 "nsz";
    ARCP = 12 "arcp";
    CONTRACT = 13 "contract";
    AFN = 14 "afn";
    FAST = 15 "fast";
    ATOMIC = 16 "atomic";
    WEAK = 17 "weak";
    VOLATILE = 18 "volatile";
    INALLOCA = 19 "inalloca";
    SWIFTERROR = 20 "swifterror";
    CLEANUP = 21 "cleanup";
    TAIL = 22 "tail";
    MUSTTAIL = 23 "musttail";
    NOTAIL = 24 "notail";
}
