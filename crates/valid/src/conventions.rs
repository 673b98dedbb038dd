//! What calling conventions ask of functions (LangRef, "Calling Conventions", as LLVM's verifier has it).
//!
//! `amdgpu_ls`, `amdgpu_es` and `amdgpu_gfx` ask nothing.

use reconverge_ir::attributes::Attribute;
use reconverge_ir::layout::DataLayout;
use reconverge_ir::module::FunctionData;
use reconverge_ir::types::Type;
use reconverge_ir::{Module, Span};

/// A convention with rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Convention {
    /// A kernel of SPIR: no result, not even in memory.
    SpirKernel,
    /// A kernel or chain function of AMDGPU: no result, and nothing in memory of the caller.
    Kernel,
    /// A shader of AMDGPU: nothing in memory of the caller.
    Shader,
    /// The first parameter of a whole-wave function says whether the lane was active.
    WholeWave,
    /// One whose only rule is that it has a fixed number of parameters, as those above have.
    Fixed,
}

/// The names and numbers of the conventions with rules.
const CONVENTIONS: &[(&[u8], &[u8], Convention)] = &[
    (b"spir_kernel", b"76", Convention::SpirKernel),
    (b"amdgpu_kernel", b"91", Convention::Kernel),
    (b"amdgpu_cs_chain", b"104", Convention::Kernel),
    (b"amdgpu_cs_chain_preserve", b"105", Convention::Kernel),
    (b"amdgpu_vs", b"87", Convention::Shader),
    (b"amdgpu_gs", b"88", Convention::Shader),
    (b"amdgpu_ps", b"89", Convention::Shader),
    (b"amdgpu_cs", b"90", Convention::Shader),
    (b"amdgpu_hs", b"93", Convention::Shader),
    (b"amdgpu_gfx_whole_wave", b"124", Convention::WholeWave),
    (b"fastcc", b"8", Convention::Fixed),
    (b"coldcc", b"9", Convention::Fixed),
    (b"ptx_kernel", b"71", Convention::Fixed),
    (b"ptx_device", b"72", Convention::Fixed),
    (b"intel_ocl_bicc", b"77", Convention::Fixed),
];

impl Convention {
    /// The convention that a word of a function's prefix names; `number` is what stands behind `cc`.
    pub(crate) fn named(word: &[u8], number: &[u8]) -> Option<Convention> {
        let mut known = CONVENTIONS.iter();
        let found = if word == b"cc" {
            known.find(|(_, value, _)| *value == number)
        } else {
            known.find(|(name, _, _)| *name == word)
        };
        found.map(|&(_, _, convention)| convention)
    }

    /// What is wrong with a function of this convention.
    pub(crate) fn breach(self, module: &Module<'_>, function: &FunctionData) -> Option<String> {
        let name = || String::from_utf8_lossy(&module.calling_convention(function)).into_owned();
        if matches!(self, Convention::SpirKernel | Convention::Kernel) && function.result != Type::VOID {
            return Some(format!("a function of the convention '{}' has no result", name()));
        }
        if self == Convention::WholeWave {
            let first = function.parameters.first();
            let is_in_register = |span| words(module, span).any(|word| word == b"inreg");
            if first.is_none_or(|first| first.ty != Type::I1 || is_in_register(first.attributes)) {
                return Some(format!(
                    "the first parameter of a function of the convention '{}' is an 'i1' without 'inreg'",
                    name()
                ));
            }
        }
        for parameter in &function.parameters {
            let mut words = words(module, parameter.attributes);
            if let Some(word) = words.find(|word| self.forbids(module, word, parameter.ty)) {
                let word = String::from_utf8_lossy(word);
                return Some(format!("'{}' passes nothing by '{word}'", name()));
            }
        }
        function.variadic.then(|| format!("a function of the convention '{}' has a fixed number of parameters", name()))
    }

    /// Whether no parameter of this type has an attribute.
    fn forbids(self, module: &Module<'_>, word: &[u8], ty: Type) -> bool {
        match self {
            Convention::SpirKernel => word == b"sret",
            Convention::Kernel | Convention::Shader => match word {
                b"sret" | b"byval" | b"inalloca" | b"preallocated" => true,
                b"byref" => is_pointer_to_stack(module, ty),
                _ => false,
            },
            Convention::WholeWave | Convention::Fixed => false,
        }
    }
}

/// The words among the attributes in a part of the text.
fn words<'t>(module: &Module<'t>, span: Span) -> impl Iterator<Item = &'t [u8]> {
    module.attributes(span).filter_map(|attribute| match attribute {
        Attribute::Word { name, .. } => Some(name),
        _ => None,
    })
}

/// Whether a type is that of pointers into the address space of the data layout's allocas.
fn is_pointer_to_stack(module: &Module<'_>, ty: Type) -> bool {
    DataLayout::of(module).is_ok_and(|layout| layout.address_space(&module.types[ty]) == Some(layout.alloca_space))
}
