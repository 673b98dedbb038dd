//! Data layout: how large types are in memory, and where their parts lie (LangRef, "Data Layout").
//!
//! The *size* of a type is a number of bits. Its *store size* is that in bytes, rounded up: what a store writes. Its
//! *alloc size* is the store size rounded up to the alignment of the type: the distance of two elements of an array. A vector has no
//! gaps between its elements, in bits. What a module does not say is as LLVM 22 takes it to be.
//!
//! Invariants: bytes are little-endian (another order is an error); alignments are powers of two, in bytes. No arithmetic
//! wraps: a type of 2^64 bits or more is an error, and so is one that has no size.

use rustc_hash::FxHashMap;

use crate::module::Module;
use crate::text;
use crate::types::{Type, TypeData};

/// How deep types may nest through names: a struct that contains itself ends here.
const MAX_DEPTH: u32 = 200;

/// Why there is no layout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LayoutError(pub String);

impl std::fmt::Display for LayoutError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for LayoutError {}

type Result<T, E = LayoutError> = std::result::Result<T, E>;

/// Pointers into one address space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PointerLayout {
    /// How many bits a pointer has in memory.
    pub bits: u32,
    /// The alignment in bytes.
    pub alignment: u64,
    /// How many bits the arithmetic of addresses has.
    pub index_bits: u32,
}

/// The parts of a struct in memory, in bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StructLayout {
    /// The types of the elements.
    pub elements: Box<[Type]>,
    /// Where each begins.
    pub offsets: Vec<u64>,
    /// The size, with the padding at the end.
    pub size: u64,
    /// The alignment that the elements need.
    pub alignment: u64,
}

/// How large types are in memory, and where their parts lie.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataLayout {
    /// By address space, ascending; the first is address space 0, and stands for all that are not here.
    pointers: Vec<(u32, PointerLayout)>,
    /// Alignments by width in bits, ascending.
    integers: Vec<(u32, u64)>,
    floats: Vec<(u32, u64)>,
    vectors: Vec<(u32, u64)>,
    /// The least alignment of a struct that is not packed.
    aggregates: u64,
    /// The address space of what `alloca` makes: `A`.
    pub alloca_space: u32,
    /// The address space of functions: `P`.
    pub program_space: u32,
    /// The address space in which compilers put variables: `G`.
    pub globals_space: u32,
}

impl Default for DataLayout {
    fn default() -> DataLayout {
        DataLayout {
            pointers: vec![(0, PointerLayout { bits: 64, alignment: 8, index_bits: 64 })],
            integers: vec![(1, 1), (8, 1), (16, 2), (32, 4), (64, 4)],
            floats: vec![(16, 2), (32, 4), (64, 8), (128, 16)],
            vectors: vec![(64, 8), (128, 16)],
            aggregates: 1,
            alloca_space: 0,
            program_space: 0,
            globals_space: 0,
        }
    }
}

/// The size of a type in bits, and its alignment in bytes.
#[derive(Debug, Clone, Copy)]
struct Measure {
    bits: u64,
    alignment: u64,
}

impl Measure {
    fn store_size(self) -> u64 {
        self.bits.div_ceil(8)
    }

    fn alloc_size(self) -> Option<u64> {
        self.store_size().checked_next_multiple_of(self.alignment)
    }
}

/// The structs that were measured for one question, so that types that share parts take no more time than text.
struct Question<'m, 't> {
    module: &'m Module<'t>,
    known: FxHashMap<Type, Measure>,
    depth: u32,
}

impl DataLayout {
    /// The layout that a module says.
    ///
    /// # Errors
    /// As [`DataLayout::parse`].
    pub fn of(module: &Module<'_>) -> Result<DataLayout> {
        match module.data_layout {
            Some(span) => DataLayout::parse(&text::unquote(span.of(module.text))),
            None => Ok(DataLayout::default()),
        }
    }

    /// Reads a specification: parts such as `e`, `p3:32:32` or `i64:64`, with a `-` between them.
    ///
    /// # Errors
    /// When a part is not as LangRef says; when the order of bytes is big-endian.
    pub fn parse(specification: &[u8]) -> Result<DataLayout> {
        let mut layout = DataLayout::default();
        let specification = text::display(specification);
        for part in specification.split('-').filter(|_| !specification.is_empty()) {
            layout.part(part).map_err(|reason| LayoutError(format!("data layout: '{part}': {reason}")))?;
        }
        Ok(layout)
    }

    fn part(&mut self, part: &str) -> Result<(), &'static str> {
        let kind = part.chars().next().ok_or("an empty part")?;
        let rest = &part[kind.len_utf8()..];
        let fields: Vec<&str> = rest.split(':').collect();
        match kind {
            'e' if rest.is_empty() => {}
            'E' if rest.is_empty() => return Err("big-endian memory is not supported"),
            'p' => self.pointer_part(&fields)?,
            'i' | 'f' | 'v' => {
                let (&[bits, alignment] | &[bits, alignment, _]) = fields.as_slice() else {
                    return Err("expected a size and an alignment");
                };
                let (bits, alignment) = (width(bits)?, self::alignment(alignment)?);
                if kind == 'i' && bits == 8 && alignment != 1 {
                    return Err("i8 is aligned to 8 bits");
                }
                let table = match kind {
                    'i' => &mut self.integers,
                    'f' => &mut self.floats,
                    _ => &mut self.vectors,
                };
                set(table, bits, alignment);
            }
            'a' => {
                let (&["" | "0", abi] | &["" | "0", abi, _]) = fields.as_slice() else {
                    return Err("expected an alignment");
                };
                self.aggregates = if abi == "0" { 1 } else { alignment(abi)? };
            }
            'A' => self.alloca_space = address_space(rest)?,
            'P' => self.program_space = address_space(rest)?,
            'G' => self.globals_space = address_space(rest)?,
            // The stack, names, function pointers, native integers and non-integral spaces change no offset.
            'S' | 'F' | 'm' | 'n' | 's' => {}
            _ => return Err("unknown"),
        }
        Ok(())
    }

    /// `p[flags][space][(name)]:size:abi[:preferred[:index]]`, behind the `p`.
    fn pointer_part(&mut self, fields: &[&str]) -> Result<(), &'static str> {
        let (space, bits, abi, index) = match *fields {
            [space, bits, abi] | [space, bits, abi, _] => (space, bits, abi, bits),
            [space, bits, abi, _, index] => (space, bits, abi, index),
            _ => return Err("expected a size and an alignment"),
        };
        let space = space.trim_start_matches(['e', 'u']).split('(').next().unwrap_or("");
        let space = if space.is_empty() { 0 } else { address_space(space)? };
        let pointer = PointerLayout { bits: width(bits)?, alignment: alignment(abi)?, index_bits: width(index)? };
        if pointer.index_bits > pointer.bits {
            return Err("the index is wider than the pointer");
        }
        set(&mut self.pointers, space, pointer);
        Ok(())
    }

    /// Pointers into an address space.
    pub fn pointer(&self, address_space: u32) -> PointerLayout {
        let found = self.pointers.iter().find(|(space, _)| *space == address_space);
        found.unwrap_or(&self.pointers[0]).1
    }

    /// The address space of a pointer type, also where it is given by a name; nothing for other types.
    pub fn address_space(&self, data: &TypeData) -> Option<u32> {
        match data {
            TypeData::Pointer { address_space } => Some(*address_space),
            TypeData::PointerIn(name) => match &**name {
                b"\"A\"" => Some(self.alloca_space),
                b"\"G\"" => Some(self.globals_space),
                b"\"P\"" => Some(self.program_space),
                _ => None,
            },
            _ => None,
        }
    }

    /// The size of a type in bits.
    ///
    /// # Errors
    /// When the type has no size, or too large a one; the same for all that follow.
    pub fn size_in_bits(&self, module: &Module<'_>, ty: Type) -> Result<u64> {
        Ok(self.measure(&mut Question::about(module), ty)?.bits)
    }

    /// How many bytes a store of the type writes.
    ///
    /// # Errors
    /// As [`DataLayout::size_in_bits`].
    pub fn store_size(&self, module: &Module<'_>, ty: Type) -> Result<u64> {
        Ok(self.measure(&mut Question::about(module), ty)?.store_size())
    }

    /// The distance in bytes of two elements of this type in an array.
    ///
    /// # Errors
    /// As [`DataLayout::size_in_bits`].
    pub fn alloc_size(&self, module: &Module<'_>, ty: Type) -> Result<u64> {
        let mut question = Question::about(module);
        let measure = self.measure(&mut question, ty)?;
        measure.alloc_size().ok_or_else(|| question.too_large(ty))
    }

    /// The alignment of a type in bytes: the one that the ABI requires.
    ///
    /// # Errors
    /// As [`DataLayout::size_in_bits`].
    pub fn alignment(&self, module: &Module<'_>, ty: Type) -> Result<u64> {
        Ok(self.measure(&mut Question::about(module), ty)?.alignment)
    }

    /// Where the elements of a struct lie.
    ///
    /// # Errors
    /// When the type is not a struct; otherwise as [`DataLayout::size_in_bits`].
    pub fn struct_layout(&self, module: &Module<'_>, ty: Type) -> Result<StructLayout> {
        let mut question = Question::about(module);
        let body = question.body_of(ty)?;
        match &module.types[body] {
            TypeData::Struct { packed, elements } => self.place(&mut question, ty, *packed, elements),
            _ => Err(question.error(ty, "is not a struct")),
        }
    }

    /// The type of an element of an array, vector or struct, and its place in bytes. Indices of arrays and
    /// vectors may be beyond their length, as those of `getelementptr` may.
    ///
    /// # Errors
    /// When there is no such element, or a vector's element is not a number of bytes; otherwise as
    /// [`DataLayout::size_in_bits`].
    pub fn element(&self, module: &Module<'_>, ty: Type, index: u64) -> Result<(Type, u64)> {
        let mut question = Question::about(module);
        if let Some((element, stride)) = self.sequence(module, ty)? {
            let offset = stride.checked_mul(index).ok_or_else(|| question.too_large(ty))?;
            return Ok((element, offset));
        }
        let body = question.body_of(ty)?;
        let TypeData::Struct { packed, elements } = &module.types[body] else {
            return Err(question.error(ty, "has no elements"));
        };
        let at = usize::try_from(index).ok().filter(|&at| at < elements.len());
        let at = at.ok_or_else(|| question.error(ty, &format!("has no element {index}")))?;
        let placed = self.place(&mut question, ty, *packed, elements)?;
        Ok((elements[at], placed.offsets[at]))
    }

    /// The element of an array or vector, and the distance of two in bytes; nothing for other types.
    ///
    /// # Errors
    /// As [`DataLayout::element`].
    pub fn sequence(&self, module: &Module<'_>, ty: Type) -> Result<Option<(Type, u64)>> {
        Ok(match module.types[ty] {
            TypeData::Array { element, .. } => Some((element, self.alloc_size(module, element)?)),
            TypeData::Vector { element, .. } => match self.size_in_bits(module, element)? {
                bits if bits.is_multiple_of(8) => Some((element, bits / 8)),
                _ => return Err(Question::about(module).error(ty, "has elements that are not whole bytes")),
            },
            _ => None,
        })
    }

    fn measure(&self, question: &mut Question<'_, '_>, ty: Type) -> Result<Measure> {
        let module = question.module;
        let simple = |bits: u64, alignment: u64| Ok(Measure { bits, alignment });
        match &module.types[ty] {
            TypeData::Integer(bits) => simple((*bits).into(), self.integer_alignment(*bits)),
            TypeData::Half | TypeData::BFloat => simple(16, self.float_alignment(16)),
            TypeData::Float => simple(32, self.float_alignment(32)),
            TypeData::Double => simple(64, self.float_alignment(64)),
            TypeData::X86Fp80 => simple(80, self.float_alignment(80)),
            TypeData::Fp128 | TypeData::PpcFp128 => simple(128, self.float_alignment(128)),
            TypeData::X86Amx => simple(8192, 64),
            TypeData::X86Mmx => simple(64, self.vector_alignment(64)),
            data if is_handle(data) => {
                let PointerLayout { bits, alignment, .. } = self.pointer(0);
                simple(bits.into(), alignment)
            }
            data @ (TypeData::Pointer { .. } | TypeData::PointerIn(_)) => {
                let space = self.address_space(data);
                let space = space.ok_or_else(|| question.error(ty, "is in an address space that has no number"))?;
                let PointerLayout { bits, alignment, .. } = self.pointer(space);
                simple(bits.into(), alignment)
            }
            TypeData::Vector { scalable: true, .. } => Err(question.error(ty, "has no fixed size")),
            TypeData::Vector { length, element, .. } => {
                let element = question.nested(ty, |question| self.measure(question, *element))?;
                let bits = element.bits.checked_mul(*length).ok_or_else(|| question.too_large(ty))?;
                let alignment = self.vector_alignment(bits);
                simple(bits, alignment)
            }
            TypeData::Array { length, element } => {
                let element = question.nested(ty, |question| self.measure(question, *element))?;
                let bytes = element.alloc_size().and_then(|size| size.checked_mul(*length));
                let bits = bytes.and_then(|bytes| bytes.checked_mul(8)).ok_or_else(|| question.too_large(ty))?;
                simple(bits, element.alignment)
            }
            TypeData::Struct { packed, elements } => {
                if let Some(&known) = question.known.get(&ty) {
                    return Ok(known);
                }
                let placed = question.nested(ty, |question| self.place(question, ty, *packed, elements))?;
                let bits = placed.size.checked_mul(8).ok_or_else(|| question.too_large(ty))?;
                let alignment = if *packed { 1 } else { placed.alignment.max(self.aggregates) };
                question.known.insert(ty, Measure { bits, alignment });
                simple(bits, alignment)
            }
            TypeData::Named(_) => {
                let body = question.body_of(ty)?;
                question.nested(ty, |question| self.measure(question, body))
            }
            TypeData::Void
            | TypeData::Label
            | TypeData::Metadata
            | TypeData::Token
            | TypeData::Function { .. }
            | TypeData::Target { .. } => Err(question.error(ty, "has no size")),
        }
    }

    fn place(
        &self,
        question: &mut Question<'_, '_>,
        ty: Type,
        packed: bool,
        elements: &[Type],
    ) -> Result<StructLayout> {
        let mut placed = StructLayout {
            elements: elements.into(),
            offsets: Vec::with_capacity(elements.len()),
            size: 0,
            alignment: 1,
        };
        for &element in elements {
            let measure = self.measure(question, element)?;
            let alignment = if packed { 1 } else { measure.alignment };
            let offset = placed.size.checked_next_multiple_of(alignment).ok_or_else(|| question.too_large(ty))?;
            let end = measure.alloc_size().and_then(|size| size.checked_add(offset));
            placed.size = end.ok_or_else(|| question.too_large(ty))?;
            placed.offsets.push(offset);
            placed.alignment = placed.alignment.max(alignment);
        }
        let size = placed.size.checked_next_multiple_of(placed.alignment);
        placed.size = size.ok_or_else(|| question.too_large(ty))?;
        Ok(placed)
    }

    /// That of the next larger width with an entry, else of the largest.
    fn integer_alignment(&self, bits: u32) -> u64 {
        let at = self.integers.partition_point(|&(width, _)| width < bits).min(self.integers.len() - 1);
        self.integers[at].1
    }

    fn float_alignment(&self, bits: u32) -> u64 {
        let found = self.floats.iter().find(|&&(width, _)| width == bits);
        found.map_or_else(|| u64::from(bits / 8).next_power_of_two(), |&(_, alignment)| alignment)
    }

    fn vector_alignment(&self, bits: u64) -> u64 {
        let found = self.vectors.iter().find(|&&(width, _)| u64::from(width) == bits);
        // Fewer than 2^61 bytes, so the next power of two is one.
        found.map_or_else(|| bits.div_ceil(8).next_power_of_two(), |&(_, alignment)| alignment)
    }
}

impl<'m, 't> Question<'m, 't> {
    fn about(module: &'m Module<'t>) -> Question<'m, 't> {
        Question { module, known: FxHashMap::default(), depth: 0 }
    }

    /// The struct that a name stands for, or the type itself.
    fn body_of(&self, ty: Type) -> Result<Type> {
        match self.module.types[ty] {
            TypeData::Named(named) => {
                self.module.named_types[named].body.ok_or_else(|| self.error(ty, "is opaque: it has no size"))
            }
            _ => Ok(ty),
        }
    }

    fn nested<T>(&mut self, ty: Type, ask: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.error(ty, &format!("nests deeper than {MAX_DEPTH} levels")));
        }
        let answer = ask(self)?;
        self.depth -= 1;
        Ok(answer)
    }

    fn error(&self, ty: Type, reason: &str) -> LayoutError {
        type_error(self.module, ty, reason)
    }

    fn too_large(&self, ty: Type) -> LayoutError {
        self.error(ty, "is too large")
    }
}

/// An error that names a type.
pub fn type_error(module: &Module<'_>, ty: Type, reason: &str) -> LayoutError {
    const LONGEST: usize = 200;
    let mut name: String = module.display_type(ty).chars().take(LONGEST + 1).collect();
    if name.chars().count() > LONGEST {
        name = name.chars().take(LONGEST).chain(['…']).collect();
    }
    LayoutError(format!("the type '{name}' {reason}"))
}

/// Whether a type is a handle that memory holds as a pointer: an image, sampler, buffer or the like of SPIR-V or DXIL.
pub fn is_handle(data: &TypeData) -> bool {
    const NO_HANDLES: [&[u8]; 5] =
        [b"\"spirv.Type\"", b"\"spirv.IntegralConstant\"", b"\"spirv.Literal\"", b"\"dx.Layout\"", b"\"dx.Padding\""];
    let TypeData::Target { inner, .. } = data else { return false };
    let is_known = inner.starts_with(b"\"spirv.") || inner.starts_with(b"\"dx.");
    is_known && !NO_HANDLES.iter().any(|name| inner.starts_with(name))
}

/// Replaces the entry with a key, or adds one where it belongs.
fn set<T>(table: &mut Vec<(u32, T)>, key: u32, value: T) {
    match table.binary_search_by_key(&key, |entry| entry.0) {
        Ok(at) => table[at].1 = value,
        Err(at) => table.insert(at, (key, value)),
    }
}

fn width(digits: &str) -> Result<u32, &'static str> {
    let bits = digits.parse().ok().filter(|bits| (1..1 << 24).contains(bits));
    bits.ok_or("a size is a number of bits from 1 to 2^24 - 1")
}

/// An alignment in bits, as a number of bytes.
fn alignment(digits: &str) -> Result<u64, &'static str> {
    let bits: Option<u16> = digits.parse().ok();
    let bytes = bits.filter(|bits| bits.is_multiple_of(8)).map(|bits| bits / 8).filter(|bytes| bytes.is_power_of_two());
    bytes.map(u64::from).ok_or("an alignment is a power of two of bytes, in bits")
}

fn address_space(digits: &str) -> Result<u32, &'static str> {
    let space = digits.parse().ok().filter(|space| *space < 1 << 24);
    space.ok_or("an address space is a number below 2^24")
}
