//! Types, interned: two types are the same iff their [`Type`] indices are equal.
//!
//! A [`TypeTable`] only grows, and can be shared by threads that read functions in parallel. Looking a
//! type up is one load; interning takes a lock, so each reader keeps a cache in front of it.

use std::fmt::Write;
use std::sync::{Mutex, PoisonError};

use cranelift_entity::{EntityRef, entity_impl};
use rustc_hash::FxHashMap;

use crate::text;

/// An interned type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Type(u32);
entity_impl!(Type, "ty");

/// A struct type with a name: `%T`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NamedType(u32);
entity_impl!(NamedType, "named");

/// What a type is made of.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are LLVM's")]
pub enum TypeData {
    Void,
    Label,
    Metadata,
    Token,
    Half,
    BFloat,
    Float,
    Double,
    X86Fp80,
    Fp128,
    PpcFp128,
    X86Amx,
    X86Mmx,
    /// An integer of this many bits.
    Integer(u32),
    /// An opaque pointer.
    Pointer {
        address_space: u32,
    },
    /// A pointer into an address space that the data layout names: `ptr addrspace("A")`.
    PointerIn(Box<[u8]>),
    Vector {
        length: u64,
        scalable: bool,
        element: Type,
    },
    Array {
        length: u64,
        element: Type,
    },
    Struct {
        packed: bool,
        elements: Box<[Type]>,
    },
    Function {
        result: Type,
        parameters: Box<[Type]>,
        variadic: bool,
    },
    /// A struct identified by its name; its body is in the module.
    Named(NamedType),
    /// `target("name", …)`
    Target {
        /// What stands between the parentheses.
        inner: Box<[u8]>,
        /// The first parameter, where it is a type.
        parameter: Option<Type>,
    },
}

macro_rules! fixed_types {
    ($($name:ident = $index:literal $data:expr;)*) => {
        impl Type { $(#[doc = concat!("`", stringify!($name), "`")] pub const $name: Type = Type($index);)* }
        const FIXED: &[TypeData] = &[$($data),*];
    };
}

fixed_types! {
    VOID = 0 TypeData::Void;
    LABEL = 1 TypeData::Label;
    METADATA = 2 TypeData::Metadata;
    TOKEN = 3 TypeData::Token;
    HALF = 4 TypeData::Half;
    BFLOAT = 5 TypeData::BFloat;
    FLOAT = 6 TypeData::Float;
    DOUBLE = 7 TypeData::Double;
    X86_FP80 = 8 TypeData::X86Fp80;
    FP128 = 9 TypeData::Fp128;
    PPC_FP128 = 10 TypeData::PpcFp128;
    X86_AMX = 11 TypeData::X86Amx;
    X86_MMX = 12 TypeData::X86Mmx;
    I1 = 13 TypeData::Integer(1);
    I8 = 14 TypeData::Integer(8);
    I16 = 15 TypeData::Integer(16);
    I32 = 16 TypeData::Integer(32);
    I64 = 17 TypeData::Integer(64);
    PTR = 18 TypeData::Pointer { address_space: 0 };
}

/// Every type of a module.
#[derive(Debug)]
pub struct TypeTable {
    data: boxcar::Vec<TypeData>,
    index: Mutex<FxHashMap<TypeData, Type>>,
}

impl Default for TypeTable {
    fn default() -> TypeTable {
        let index = FIXED.iter().enumerate().map(|(index, data)| (data.clone(), Type::new(index))).collect();
        TypeTable { data: FIXED.iter().cloned().collect(), index: Mutex::new(index) }
    }
}

impl std::ops::Index<Type> for TypeTable {
    type Output = TypeData;

    fn index(&self, ty: Type) -> &TypeData {
        &self.data[ty.index()]
    }
}

impl TypeTable {
    /// The index of a type; O(size of `data`).
    pub fn intern(&self, data: TypeData) -> Type {
        let mut index = self.index.lock().unwrap_or_else(PoisonError::into_inner);
        *index.entry(data).or_insert_with_key(|data| Type::new(self.data.push(data.clone())))
    }

    /// The element of a vector, or the type itself.
    pub fn scalar(&self, ty: Type) -> Type {
        match self[ty] {
            TypeData::Vector { element, .. } => element,
            _ => ty,
        }
    }

    /// `element`, in a vector of the shape of `like` if that is a vector.
    pub fn with_shape(&self, element: Type, like: Type) -> Type {
        match self[like] {
            TypeData::Vector { length, scalable, .. } => self.intern(TypeData::Vector { length, scalable, element }),
            _ => element,
        }
    }

    /// The spelling of a type; `names` gives that of named types, with the sigil.
    pub fn display(&self, ty: Type, names: &dyn Fn(NamedType) -> String) -> String {
        let mut out = String::new();
        self.write(&mut out, ty, names);
        out
    }

    fn write(&self, out: &mut String, ty: Type, names: &dyn Fn(NamedType) -> String) {
        let list = |out: &mut String, types: &[Type]| {
            for (index, &element) in types.iter().enumerate() {
                if index > 0 {
                    out.push_str(", ");
                }
                self.write(out, element, names);
            }
        };
        let _infallible = match &self[ty] {
            TypeData::Void => write!(out, "void"),
            TypeData::Label => write!(out, "label"),
            TypeData::Metadata => write!(out, "metadata"),
            TypeData::Token => write!(out, "token"),
            TypeData::Half => write!(out, "half"),
            TypeData::BFloat => write!(out, "bfloat"),
            TypeData::Float => write!(out, "float"),
            TypeData::Double => write!(out, "double"),
            TypeData::X86Fp80 => write!(out, "x86_fp80"),
            TypeData::Fp128 => write!(out, "fp128"),
            TypeData::PpcFp128 => write!(out, "ppc_fp128"),
            TypeData::X86Amx => write!(out, "x86_amx"),
            TypeData::X86Mmx => write!(out, "x86_mmx"),
            TypeData::Integer(bits) => write!(out, "i{bits}"),
            TypeData::Pointer { address_space: 0 } => write!(out, "ptr"),
            TypeData::Pointer { address_space } => write!(out, "ptr addrspace({address_space})"),
            TypeData::PointerIn(space) => write!(out, "ptr addrspace({})", text::display(space)),
            TypeData::Vector { length, scalable, element } => {
                let scale = if *scalable { "vscale x " } else { "" };
                let _infallible = write!(out, "<{scale}{length} x ");
                self.write(out, *element, names);
                write!(out, ">")
            }
            TypeData::Array { length, element } => {
                let _infallible = write!(out, "[{length} x ");
                self.write(out, *element, names);
                write!(out, "]")
            }
            TypeData::Struct { packed, elements } => {
                let (open, close) = match (packed, elements.is_empty()) {
                    (false, true) => ("{", "}"),
                    (false, false) => ("{ ", " }"),
                    (true, true) => ("<{", "}>"),
                    (true, false) => ("<{ ", " }>"),
                };
                out.push_str(open);
                list(out, elements);
                write!(out, "{close}")
            }
            TypeData::Function { result, parameters, variadic } => {
                self.write(out, *result, names);
                out.push_str(" (");
                list(out, parameters);
                let dots = match (variadic, parameters.is_empty()) {
                    (false, _) => "",
                    (true, true) => "...",
                    (true, false) => ", ...",
                };
                write!(out, "{dots})")
            }
            TypeData::Named(name) => write!(out, "{}", names(*name)),
            TypeData::Target { inner, .. } => write!(out, "target({})", text::display(inner)),
        };
    }
}
