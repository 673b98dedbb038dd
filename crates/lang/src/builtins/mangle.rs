//! The names in IR of overloaded functions: the part of the Itanium C++ ABI that OpenCL C needs ("Mangling", 5.1).
//!
//! **Invariants.** A type that is no builtin and was written before is `S_`, `S0_`, `S1_`, … in the order in which the types were first complete,
//! parts before wholes. A pointee with all its qualifiers is one type (but `_Atomic` makes one of its own), and that is so for a qualifier
//! that is not written too: the address space 0 of a target.

use std::borrow::Cow;

use cpp_demangle::{DemangleOptions, Symbol};

use super::signature::{Access, Base, IMAGES, Ty};
use crate::options::LowerTarget;
use crate::typed::AddressSpace;

/// A part of a name that can be referred to: a type without its pointer or qualifiers, or with them.
type Part = (Ty, Stage);

/// How much of a type a part is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// The vector or named type.
    Bare,
    /// With `_Atomic`.
    Atomic,
    /// With all qualifiers.
    Qualified,
    /// With the pointer.
    Pointer,
}

/// How the names of bodies begin that clang gives kernels of OpenCL, for calls of them by other kernels.
pub const BODY_OF_KERNEL: &str = "__clang_ocl_kern_imp_";

/// The name of a function without its parameters, that of a kernel's [body](BODY_OF_KERNEL) like that of the kernel: `_Z7barrierj` is written `barrier`, `_ZN1n3addIiEEiT_` is `n::add<int>`, and `_ZNK8lambda.1clEi`, the function of a lambda,
/// `lambda.1`. Names that are not mangled stay as they are.
pub fn as_written(name: &str) -> Cow<'_, str> {
    let name = name.strip_prefix(BODY_OF_KERNEL).unwrap_or(name);
    if !name.starts_with("_Z") {
        return Cow::Borrowed(name);
    }
    let options = DemangleOptions::new().no_params().no_return_type();
    let written = Symbol::new(name).ok().and_then(|symbol| symbol.demangle_with_options(&options).ok());
    let Some(mut written) = written else { return Cow::Borrowed(name) };
    if let Some(of) = written.strip_suffix("::operator()")
        && is_of_lambda(of)
    {
        written.truncate(of.len());
    }
    Cow::Owned(written)
}

/// A function in a sentence, from its name in IR without sigil: as it is written, in backticks. A lambda has no name.
pub fn in_words(name: &str) -> String {
    let written = as_written(name);
    if is_of_lambda(&written) { "a lambda".to_owned() } else { format!("`{written}`") }
}

/// Whether the name of a class, as it is written, is that of a lambda.
pub fn is_of_lambda(class: &str) -> bool {
    class.rsplit("::").next().is_some_and(|own| own.starts_with("lambda."))
}

/// The name in IR of a function with these parameters.
pub fn mangle(name: &str, parameters: &[Ty], target: LowerTarget) -> String {
    let mut mangling = Mangling { text: format!("_Z{}{name}", name.len()), parts: Vec::new(), target };
    for &of in parameters {
        mangling.parameter(of);
    }
    if parameters.is_empty() {
        mangling.text.push('v');
    }
    mangling.text
}

/// A name being written.
struct Mangling {
    text: String,
    parts: Vec<Part>,
    target: LowerTarget,
}

impl Mangling {
    /// Writes a parameter.
    fn parameter(&mut self, of: Ty) {
        let Some(space) = of.pointer else { return self.bare(of) };
        if self.refers((of, Stage::Pointer)) {
            return;
        }
        self.text.push('P');
        self.pointee(of, space);
        self.parts.push((of, Stage::Pointer));
    }

    /// Writes what a pointer points at.
    fn pointee(&mut self, of: Ty, space: AddressSpace) {
        let number = space_number(space, self.target);
        let is_qualified = number.is_some() || of.is_const || of.is_volatile;
        if is_qualified && self.refers((of, Stage::Qualified)) {
            return;
        }
        if let Some(number) = number.filter(|&number| number != 0) {
            self.text.push_str(&format!("U3AS{number}"));
        }
        self.text.push_str(if of.is_volatile { "V" } else { "" });
        self.text.push_str(if of.is_const { "K" } else { "" });
        if of.is_atomic {
            if !self.refers((of, Stage::Atomic)) {
                self.text.push_str("U7_Atomic");
                self.bare(of);
                self.parts.push((of, Stage::Atomic));
            }
        } else {
            self.bare(of);
        }
        if is_qualified {
            self.parts.push((of, Stage::Qualified));
        }
    }

    /// Writes a type without qualifiers and pointer.
    fn bare(&mut self, of: Ty) {
        // Those of OpenCL C are builtin types that count as named ones.
        let is_named = matches!(
            of.base,
            Base::Order | Base::Scope | Base::Event | Base::Sampler | Base::Pipe | Base::Reservation | Base::Image(..)
        );
        let is_builtin = of.lanes == 1 && !is_named;
        if !is_builtin && self.refers((of, Stage::Bare)) {
            return;
        }
        if of.lanes > 1 {
            self.text.push_str(&format!("Dv{}_", of.lanes));
        }
        self.text.push_str(&base_code(of.base));
        if !is_builtin {
            self.parts.push((of, Stage::Bare));
        }
    }

    /// Writes a reference to a part that was written before, if it was.
    fn refers(&mut self, part: Part) -> bool {
        let same = |other: &Part| part.1 == other.1 && strip(part) == strip(*other);
        let Some(index) = self.parts.iter().position(same) else { return false };
        match index {
            0 => self.text.push_str("S_"),
            index => self.text.push_str(&format!("S{}_", base_36(index - 1))),
        }
        true
    }
}

/// What of a type says which part it is.
fn strip((of, stage): Part) -> Ty {
    match stage {
        Stage::Bare => Ty::new(of.base, of.lanes),
        Stage::Atomic => Ty { is_atomic: true, ..Ty::new(of.base, of.lanes) },
        Stage::Qualified | Stage::Pointer => of,
    }
}

/// A number in digits and capital letters.
fn base_36(number: usize) -> String {
    let digit = |number: usize| char::from(b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[number % 36]);
    if number < 36 { digit(number).to_string() } else { format!("{}{}", base_36(number / 36), digit(number)) }
}

/// The number of an address space on a target; none for the one that is not a qualifier.
fn space_number(space: AddressSpace, target: LowerTarget) -> Option<u32> {
    let spirv = matches!(target, LowerTarget::Spirv | LowerTarget::Generic);
    Some(match (space, target) {
        (AddressSpace::Private, LowerTarget::Amdgpu) => 5,
        (AddressSpace::Private, _) => return None,
        (AddressSpace::Global, _) => 1,
        (AddressSpace::Constant, _) if spirv => 2,
        (AddressSpace::Constant, _) => 4,
        (AddressSpace::Local, _) => 3,
        (AddressSpace::Generic, _) if spirv => 4,
        (AddressSpace::Generic, _) => 0,
    })
}

/// The code of a scalar or named type.
fn base_code(base: Base) -> String {
    let code = match base {
        Base::Void => "v",
        Base::Bool => "b",
        Base::Char => "c",
        Base::UChar => "h",
        Base::Short => "s",
        Base::UShort => "t",
        Base::Int => "i",
        Base::UInt => "j",
        Base::Long => "l",
        Base::ULong => "m",
        Base::Half => "Dh",
        Base::BFloat => "DF16b",
        Base::Float => "f",
        Base::Double => "d",
        Base::Order => "12memory_order",
        Base::Scope => "12memory_scope",
        Base::Event => "9ocl_event",
        Base::Sampler => "11ocl_sampler",
        Base::Pipe => "8ocl_pipe",
        Base::Reservation => "13ocl_reserveid",
        Base::Other => "z",
        Base::Image(image, access) => {
            let access = match access {
                Access::Read => "ro",
                Access::Write => "wo",
                Access::Both => "rw",
            };
            let name = format!("ocl_{}_{access}", IMAGES[usize::from(image)]);
            return format!("{}{name}", name.len());
        }
    };
    code.to_string()
}
