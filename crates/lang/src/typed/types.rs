//! Types, interned.

use std::sync::OnceLock;

use cranelift_entity::{EntityRef, PrimaryMap};
use rustc_hash::FxHashMap;

use super::{AddressSpace, Struct, Type};

/// A type.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum TypeKind {
    /// `void`.
    Void,
    /// `bool`: one bit as a value, a byte in memory.
    Bool,
    /// 8, 16, 32, 64 or 128 bits. Enumerations are their underlying type.
    Integer {
        /** How many bits. */
        bits: u8,
        /** Whether it has a sign. */
        signed: bool,
    },
    /// A float.
    Float(FloatKind),
    /// A vector; of 3 it takes the room of 4. The element is an integer, bool or float.
    Vector {
        /** What each lane is. */
        element: Type,
        /** How many lanes. */
        lanes: u8,
    },
    /// A pointer. References are pointers here.
    Pointer {
        /** What it points at; void for `void *`. */
        pointee: Type,
        /** In which space that is. */
        space: AddressSpace,
        /** Whether what it points at may change behind one's back. */
        is_volatile: bool,
    },
    /// An array; length 0 for one whose length is not known.
    Array {
        /** What each element is. */
        element: Type,
        /** How many. */
        length: u64,
    },
    /// A struct or union.
    Struct(Struct),
    /// A function.
    Function {
        /** What it returns. */
        result: Type,
        /** What it takes. */
        parameters: Vec<Type>,
        /** Whether it takes more. */
        variadic: bool,
    },
    /// A type of the language that can only be passed on (`sampler_t`, `image2d_t`): its name.
    Opaque(String),
    /// A type of which nothing is known: see [`Unknown`](super::Unknown).
    Unknown,
}

/// A float type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum FloatKind {
    Half,
    BFloat,
    Single,
    Double,
}

/// A struct or union.
#[derive(Debug, Clone)]
pub struct StructData {
    /// The tag; `anon` with a number where there is none.
    pub name: String,
    /// Whether the members share memory.
    pub is_union: bool,
    /// Whether there are no gaps.
    pub is_packed: bool,
    /// `aligned(n)`, in bytes.
    pub alignment: Option<u32>,
    /// The members in order; empty until it is defined. Members of unnamed unions and structs are reached through a member without a name.
    pub fields: Vec<Field>,
    /// Whether it is defined.
    pub is_complete: bool,
    /// Where its members lie, once somebody asked for that ([`Layout`](super::Layout)).
    pub layout: OnceLock<StructLayout>,
}

/// Where the members of a struct lie.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StructLayout {
    /// The bytes before each member.
    pub offsets: Box<[u64]>,
    /// Its size in bytes, a multiple of the alignment.
    pub size: u64,
    /// Its alignment in bytes, a power of two.
    pub alignment: u64,
}

/// A member.
#[derive(Debug, Clone)]
pub struct Field {
    /// Its name; empty for an unnamed struct or union.
    pub name: String,
    /// Its type.
    pub of: Type,
}

/// How many powers of two there are among numbers of 8 bits.
const INTEGER_WIDTHS: usize = 8;

/// All types of a program.
#[derive(Debug, Default)]
pub struct Types {
    kinds: PrimaryMap<Type, TypeKind>,
    numbers: FxHashMap<TypeKind, Type>,
    /// The types that are asked for most, once they are there: `void`, `bool`, integers by their slots, floats by their kinds.
    void: Option<Type>,
    bool: Option<Type>,
    integers: [Option<Type>; 2 * INTEGER_WIDTHS],
    floats: [Option<Type>; 4],
    /// The structs that the dialect itself has (`float4` and `dim3` of CUDA), by their names.
    own_structs: FxHashMap<String, Type>,
    /// The structs and unions.
    pub structs: PrimaryMap<Struct, StructData>,
}

impl Types {
    /// The number of a type.
    pub fn intern(&mut self, kind: TypeKind) -> Type {
        if let Some(&number) = self.numbers.get(&kind) {
            return number;
        }
        let number = self.kinds.push(kind.clone());
        self.numbers.insert(kind, number);
        number
    }

    /// What a type is.
    pub fn kind(&self, of: Type) -> &TypeKind {
        &self.kinds[of]
    }

    /// How many types there are: their numbers are below.
    pub fn count(&self) -> usize {
        self.kinds.len()
    }

    /// All types, parts before wholes (but for structs).
    pub fn all(&self) -> impl Iterator<Item = Type> + use<> {
        (0..self.kinds.len()).map(Type::new)
    }

    /// `void`.
    pub fn void(&mut self) -> Type {
        self.void.unwrap_or_else(|| {
            let of = self.intern(TypeKind::Void);
            *self.void.insert(of)
        })
    }

    /// `bool`.
    pub fn bool(&mut self) -> Type {
        self.bool.unwrap_or_else(|| {
            let of = self.intern(TypeKind::Bool);
            *self.bool.insert(of)
        })
    }

    /// An integer of a width that is a power of two.
    pub fn integer(&mut self, bits: u8, signed: bool) -> Type {
        assert!(bits.is_power_of_two());
        let slot = 2 * bits.trailing_zeros() as usize + usize::from(signed);
        self.integers[slot].unwrap_or_else(|| {
            let of = self.intern(TypeKind::Integer { bits, signed });
            *self.integers[slot].insert(of)
        })
    }

    /// A float.
    pub fn float(&mut self, kind: FloatKind) -> Type {
        self.floats[kind as usize].unwrap_or_else(|| {
            let of = self.intern(TypeKind::Float(kind));
            *self.floats[kind as usize].insert(of)
        })
    }

    /// A vector.
    pub fn vector(&mut self, element: Type, lanes: u8) -> Type {
        self.intern(TypeKind::Vector { element, lanes })
    }

    /// A pointer to something that does not change behind one's back.
    pub fn pointer(&mut self, pointee: Type, space: AddressSpace) -> Type {
        self.intern(TypeKind::Pointer { pointee, space, is_volatile: false })
    }

    /// CUDA's vector type of 1 to 4 elements (`float4`, `uchar2`): a struct of `x`, `y`, `z`, `w`, aligned as a whole where it has 2 or 4.
    pub fn cuda_vector(&mut self, element: Type, lanes: u8) -> Type {
        let (word, bytes) = match *self.kind(element) {
            TypeKind::Integer { bits: 8, signed: true } => ("char", 1),
            TypeKind::Integer { bits: 8, signed: false } => ("uchar", 1),
            TypeKind::Integer { bits: 16, signed: true } => ("short", 2),
            TypeKind::Integer { bits: 16, signed: false } => ("ushort", 2),
            TypeKind::Integer { bits: 32, signed: true } => ("int", 4),
            TypeKind::Integer { bits: 32, signed: false } => ("uint", 4),
            TypeKind::Integer { bits: 64, signed: true } => ("longlong", 8),
            TypeKind::Integer { bits: 64, signed: false } => ("ulonglong", 8),
            TypeKind::Float(FloatKind::Half) => ("half", 2),
            TypeKind::Float(FloatKind::BFloat) => ("bfloat16", 2),
            TypeKind::Float(FloatKind::Double) => ("double", 8),
            _ => ("float", 4),
        };
        let alignment = (lanes == 2 || lanes == 4).then(|| (u32::from(lanes) * bytes).min(16));
        let fields = ["x", "y", "z", "w"].iter().take(usize::from(lanes)).map(|&name| (name, element)).collect();
        self.own_struct(&format!("{word}{lanes}"), alignment, fields)
    }

    /// CUDA's `dim3`: a struct of three unsigned integers.
    pub fn dim3(&mut self) -> Type {
        let element = self.integer(32, false);
        self.own_struct("dim3", None, ["x", "y", "z"].map(|name| (name, element)).to_vec())
    }

    /// A pointer to a function of a class: a function that takes the address of its object first, and what is added to that address.
    pub fn member_function(&mut self) -> Type {
        let void = self.void();
        let function = TypeKind::Function { result: void, parameters: Vec::new(), variadic: false };
        let function = self.intern(function);
        let function = self.pointer(function, super::FUNCTION_SPACE);
        let offset = self.integer(64, true);
        self.own_struct("member_function", None, vec![("function", function), ("offset", offset)])
    }

    /// What inline assembly with several outputs gives.
    pub fn several(&mut self, parts: &[Type]) -> Type {
        let numbers: Vec<String> = parts.iter().map(|part| part.index().to_string()).collect();
        let fields = parts.iter().map(|&part| ("", part)).collect();
        self.own_struct(&format!("asm.{}", numbers.join(".")), None, fields)
    }

    /// A struct of the dialect itself, made when it is asked for first.
    fn own_struct(&mut self, name: &str, alignment: Option<u32>, fields: Vec<(&str, Type)>) -> Type {
        if let Some(&of) = self.own_structs.get(name) {
            return of;
        }
        let fields = fields.into_iter().map(|(name, of)| Field { name: name.to_string(), of }).collect();
        let name = name.to_string();
        let data = StructData {
            name: name.clone(),
            is_union: false,
            is_packed: false,
            alignment,
            fields,
            is_complete: true,
            layout: OnceLock::new(),
        };
        let number = self.structs.push(data);
        let of = self.intern(TypeKind::Struct(number));
        self.own_structs.insert(name, of);
        of
    }
}
