//! Types of functions as tables write them.
//!
//! ```text
//! type ::= [space] [const] [volatile] [atomic] base [*]
//! base ::= g | s | u | i | m | r | w | x | g2 … g16 | a name (`uint4`, `memory_scope`, …)
//! ```
//!
//! A set of types says which ones `g` goes through. From it follow `s` (its element), `u` and `m` (unsigned and signed integers of its widths), `i` (`int`
//! in each lane), `r` (what comparisons give: `int`, of vectors `m`), `w` (integers twice as wide), `x` (vectors of its element, of every length) and
//! `g4` (its element in 4 lanes). A pointer without a space is a generic one.

/// What a type is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Base {
    Void,
    Bool,
    Char,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    Half,
    BFloat,
    Float,
    Double,
    /// `memory_order`, an `int`.
    Order,
    /// `memory_scope`, an `int`.
    Scope,
    Event,
    Sampler,
    Pipe,
    /// `reserve_id_t`
    Reservation,
    /// An image, by its place in [`IMAGES`], and how it is accessed.
    Image(u8, Access),
    /// Any other type: fits nothing.
    Other,
}

/// How an image is accessed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Access {
    Read,
    Write,
    Both,
}

/// The images that functions take, without `_t`.
pub const IMAGES: [&str; 6] = ["image1d", "image2d", "image3d", "image1d_array", "image2d_array", "image1d_buffer"];

impl Base {
    /// An integer of so many bits.
    pub fn integer(bits: u8, signed: bool) -> Base {
        match (bits, signed) {
            (8, true) => Base::Char,
            (8, false) => Base::UChar,
            (16, true) => Base::Short,
            (16, false) => Base::UShort,
            (32, true) => Base::Int,
            (32, false) => Base::UInt,
            (64, true) => Base::Long,
            (64, false) => Base::ULong,
            _ => Base::Other,
        }
    }

    /// How many bits a number has; 0 for what is none.
    pub fn bits(self) -> u8 {
        match self {
            Base::Char | Base::UChar => 8,
            Base::Short | Base::UShort | Base::Half | Base::BFloat => 16,
            Base::Int | Base::UInt | Base::Float | Base::Order | Base::Scope => 32,
            Base::Long | Base::ULong | Base::Double => 64,
            _ => 0,
        }
    }

    /// Whether it is a float.
    pub fn is_float(self) -> bool {
        matches!(self, Base::Half | Base::BFloat | Base::Float | Base::Double)
    }

    /// Whether it is an integer with a sign.
    pub fn is_signed(self) -> bool {
        matches!(self, Base::Char | Base::Short | Base::Int | Base::Long | Base::Order | Base::Scope)
    }

    /// Whether it is an integer.
    pub fn is_integer(self) -> bool {
        self.bits() != 0 && !self.is_float()
    }

    /// The base that a name in OpenCL C says (`float`, `uchar`).
    pub fn named(name: &str) -> Option<Base> {
        Some(match name {
            "void" => Base::Void,
            "bool" => Base::Bool,
            "char" => Base::Char,
            "uchar" => Base::UChar,
            "short" => Base::Short,
            "ushort" => Base::UShort,
            "int" => Base::Int,
            "uint" => Base::UInt,
            "long" => Base::Long,
            "ulong" => Base::ULong,
            "half" => Base::Half,
            "bfloat" => Base::BFloat,
            "float" => Base::Float,
            "double" => Base::Double,
            "memory_order" => Base::Order,
            "memory_scope" => Base::Scope,
            "event_t" => Base::Event,
            "sampler_t" => Base::Sampler,
            "pipe" => Base::Pipe,
            "reserve_id_t" => Base::Reservation,
            _ => return image_named(name),
        })
    }

    /// Its name in OpenCL C.
    pub fn name(self) -> String {
        let plain = match self {
            Base::Void => "void",
            Base::Bool => "bool",
            Base::Char => "char",
            Base::UChar => "uchar",
            Base::Short => "short",
            Base::UShort => "ushort",
            Base::Int => "int",
            Base::UInt => "uint",
            Base::Long => "long",
            Base::ULong => "ulong",
            Base::Half => "half",
            Base::BFloat => "bfloat",
            Base::Float => "float",
            Base::Double => "double",
            Base::Order => "memory_order",
            Base::Scope => "memory_scope",
            Base::Event => "event_t",
            Base::Sampler => "sampler_t",
            Base::Pipe => "pipe",
            Base::Reservation => "reserve_id_t",
            Base::Other => "…",
            Base::Image(image, access) => {
                let access = match access {
                    Access::Read => "read_only",
                    Access::Write => "write_only",
                    Access::Both => "read_write",
                };
                return format!("{access} {}_t", IMAGES[usize::from(image)]);
            }
        };
        plain.to_string()
    }
}

/// `image2d_ro` and the like.
fn image_named(name: &str) -> Option<Base> {
    let (image, access) = name.rsplit_once('_')?;
    let access = match access {
        "ro" => Access::Read,
        "wo" => Access::Write,
        "rw" => Access::Both,
        _ => return None,
    };
    let index = IMAGES.iter().position(|&known| known == image)?;
    Some(Base::Image(index as u8, access))
}

/// A type of a signature.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ty {
    /// The scalar.
    pub base: Base,
    /// How many lanes: 1 for a scalar.
    pub lanes: u8,
    /// The space, if it is a pointer to that.
    pub pointer: Option<AddressSpace>,
    /// Whether what it points at is only read.
    pub is_const: bool,
    /// Whether what it points at may change behind one's back.
    pub is_volatile: bool,
    /// Whether what it points at is `_Atomic`.
    pub is_atomic: bool,
}

impl Ty {
    /// A value of so many lanes.
    pub fn new(base: Base, lanes: u8) -> Ty {
        Ty { base, lanes, pointer: None, is_const: false, is_volatile: false, is_atomic: false }
    }

    /// As a person writes it in OpenCL C.
    pub fn name(self) -> String {
        let space = match self.pointer {
            Some(AddressSpace::Global) => "__global ",
            Some(AddressSpace::Local) => "__local ",
            Some(AddressSpace::Constant) => "__constant ",
            _ => "",
        };
        let lanes = if self.lanes > 1 { self.lanes.to_string() } else { String::new() };
        let base = match (self.is_atomic, self.base) {
            (true, base) => format!("atomic_{}", base.name()),
            (false, base) => base.name(),
        };
        let qualifier = |is: bool, word: &'static str| if is { word } else { "" };
        let (volatile, constant) = (qualifier(self.is_volatile, "volatile "), qualifier(self.is_const, "const "));
        format!("{space}{volatile}{constant}{base}{lanes}{}", if self.pointer.is_some() { " *" } else { "" })
    }
}

/// An address space of the language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AddressSpace {
    /// A thread's own memory.
    Private,
    /// Memory of the device.
    Global,
    /// Memory of the device that is not written.
    Constant,
    /// A workgroup's memory: `__local`, `__shared__`.
    Local,
    /// Any of private, global and local.
    Generic,
}

/// A function with one set of parameter types.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Overload {
    /// What it returns.
    pub result: Ty,
    /// What it takes.
    pub parameters: Vec<Ty>,
    /// What it does to memory.
    pub memory: MemoryEffects,
    /// Whether threads communicate in it.
    pub is_convergent: bool,
}

/// What is known of a declared function's use of memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MemoryEffects {
    /// Nothing is known.
    Unknown,
    /// It reads and writes nothing (`memory(none)`).
    None,
    /// It reads only.
    Reads,
    /// It touches memory only through its arguments.
    Arguments,
}

/// The types that `g` goes through, and the number of lanes of `x` with each.
pub fn set(name: &str) -> Option<Vec<(Ty, u8)>> {
    use Base::{Char, Double, Float, Half, Int, Long, Short, UChar, UInt, ULong, UShort};
    const INTS: [Base; 8] = [Char, UChar, Short, UShort, Int, UInt, Long, ULong];
    const SCALARS: [Base; 11] = [Char, UChar, Short, UShort, Int, UInt, Long, ULong, Half, Float, Double];
    const FLOATS: [Base; 3] = [Half, Float, Double];
    const ANY: [u8; 6] = [1, 2, 3, 4, 8, 16];
    const VECTORS: [u8; 5] = [2, 3, 4, 8, 16];
    let product = |bases: &[Base], lanes: &[u8]| -> Vec<(Ty, u8)> {
        bases.iter().flat_map(|&base| lanes.iter().map(move |&lanes| (Ty::new(base, lanes), 1))).collect()
    };
    Some(match name {
        "once" => vec![(Ty::new(Int, 1), 1)],
        "floats" => product(&FLOATS, &ANY),
        "float_vectors" => product(&FLOATS, &VECTORS),
        "float_34" => product(&FLOATS, &[3, 4]),
        "float_to_4" => product(&FLOATS, &[1, 2, 3, 4]),
        "singles" => product(&[Float], &ANY),
        "single_to_4" => product(&[Float], &[1, 2, 3, 4]),
        "ints" => product(&INTS, &ANY),
        "int_vectors" => product(&INTS, &VECTORS),
        "narrow" => product(&INTS[..6], &ANY),
        "ints32" => product(&[Int, UInt], &ANY),
        "signed_ints" => product(&[Char, Short, Int, Long], &ANY),
        "all" => product(&SCALARS, &ANY),
        "scalars" => product(&SCALARS, &[1]),
        "scalar_ints" => product(&INTS, &[1]),
        "arithmetic" => product(&[Int, UInt, Long, ULong, Half, Float, Double], &[1]),
        "words" => product(&[Int, UInt], &[1]),
        "atomic_ints" => product(&[Int, UInt, Long, ULong], &[1]),
        "atomic_floats" => product(&[Half, Float, Double], &[1]),
        "atomics" => product(&[Int, UInt, Long, ULong, Float, Double], &[1]),
        "shuffled" => {
            let lanes = [2, 4, 8, 16];
            let results = product(&SCALARS, &lanes);
            results.into_iter().flat_map(|(of, _)| lanes.map(|from| (of, from))).collect()
        }
        _ => return None,
    })
}

/// The types that `g` goes through in a set; none for a name that is no set.
pub fn generics(name: &str) -> Option<Vec<Ty>> {
    Some(set(name)?.into_iter().map(|(of, _)| of).collect())
}

/// A type of a line, for one `g`; none where it is not written well, or there is none for this `g`.
pub fn read_type(text: &str, generic: Ty, other_lanes: u8) -> Option<Ty> {
    let (text, is_pointer) = match text.trim().strip_suffix('*') {
        Some(pointee) => (pointee, true),
        None => (text.trim(), false),
    };
    let mut of = Ty::new(Base::Void, 1);
    let mut space = AddressSpace::Generic;
    for word in text.split_whitespace() {
        match word {
            "global" => space = AddressSpace::Global,
            "local" => space = AddressSpace::Local,
            "constant" => space = AddressSpace::Constant,
            "const" => of.is_const = true,
            "volatile" => of.is_volatile = true,
            "atomic" => of.is_atomic = true,
            base => (of.base, of.lanes) = read_base(base, generic, other_lanes)?,
        }
    }
    of.pointer = is_pointer.then_some(space);
    Some(of)
}

/// The scalar and the lanes of a type of a line.
fn read_base(text: &str, generic: Ty, other_lanes: u8) -> Option<(Base, u8)> {
    let (base, lanes) = (generic.base, generic.lanes);
    let integer = |bits: u8, signed: bool| Some(Base::integer(bits, signed)).filter(|&base| base != Base::Other);
    Some(match text {
        "g" => (base, lanes),
        "s" => (base, 1),
        "x" => (base, other_lanes),
        "u" => (integer(base.bits(), false)?, lanes),
        "m" => (integer(base.bits(), true)?, lanes),
        "i" => (Base::Int, lanes),
        "r" if lanes == 1 => (Base::Int, 1),
        "r" => (integer(base.bits(), true)?, lanes),
        "w" => (integer(base.bits() * 2, base.is_signed())?, lanes),
        _ => {
            let (name, count) = text.split_at(text.trim_end_matches(|digit: char| digit.is_ascii_digit()).len());
            let count = if count.is_empty() { 1 } else { count.parse().ok()? };
            (if name == "g" { base } else { Base::named(name)? }, count)
        }
    })
}
