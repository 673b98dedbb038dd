//! Types as text, and how they lie in memory.
//!
//! **Invariants.** A type has two texts: that of its values (`i1` for bool) and that of its place in memory (`i8`). Values of structs and arrays
//! have the text of memory. Sizes, alignments and offsets are those of C; where LLVM would put the members of a struct elsewhere,
//! the struct is packed and its gaps are members, so the two always agree.

use cranelift_entity::{EntityRef, SecondaryMap};
use reconverge_ir::emit::spelling;
use rustc_hash::FxHashSet;

use super::target;
use crate::options::LowerTarget;
use crate::typed::{FloatKind, Program, Struct, Type, TypeKind};

/// What is known of a type.
#[derive(Debug, Clone, Default)]
pub(super) struct TypeText {
    /// The type of values.
    pub(super) value: Vec<u8>,
    /// The type of what is in memory.
    pub(super) memory: Vec<u8>,
    /// Bytes in memory, with the gap at the end.
    pub(super) size: u64,
    /// In bytes.
    pub(super) alignment: u64,
    /// What LLVM takes the alignment to be.
    llvm_alignment: u64,
    is_known: bool,
}

/// What is known of a struct.
#[derive(Debug, Clone, Default)]
pub(super) struct StructText {
    /// `%struct.S`.
    name: Vec<u8>,
    /// Bytes in memory.
    size: u64,
    /// Where each member begins.
    pub(super) offsets: Vec<u64>,
    /// Which element of LLVM's struct each member is. Of a union there is only the whole.
    pub(super) elements: Vec<u32>,
    /// The gaps before each element, and at the end, if they are elements of a packed struct.
    gaps: Option<Vec<u64>>,
}

/// All types of a program.
#[derive(Debug)]
pub(super) struct TypeTexts {
    types: Vec<TypeText>,
    /// The structs and unions.
    pub(super) structs: SecondaryMap<Struct, StructText>,
}

impl std::ops::Index<Type> for TypeTexts {
    type Output = TypeText;

    fn index(&self, of: Type) -> &TypeText {
        &self.types[of.index()]
    }
}

impl TypeTexts {
    /// Looks at each type once.
    pub(super) fn new(program: &Program) -> TypeTexts {
        let mut texts =
            TypeTexts { types: vec![TypeText::default(); program.types.count()], structs: SecondaryMap::new() };
        texts.name_structs(program);
        for of in program.types.all() {
            texts.measure(program, of);
        }
        texts
    }

    fn name_structs(&mut self, program: &Program) {
        let mut known = FxHashSet::default();
        for (number, data) in &program.types.structs {
            let kind = if data.is_union { "union" } else { "struct" };
            let mut name = format!("{kind}.{}", data.name);
            if !known.insert(name.clone()) {
                name = format!("{name}.{}", number.index());
                known.insert(name.clone());
            }
            let mut quoted = vec![b'%'];
            spelling::name(&mut quoted, &name);
            self.structs[number].name = quoted;
        }
    }

    /// Fills in what is known of a type. Only members of structs can be later types.
    fn measure(&mut self, program: &Program, of: Type) {
        if self[of].is_known {
            return;
        }
        self.types[of.index()].is_known = true;
        let text = match program.types.kind(of) {
            TypeKind::Void => plain("void", 0),
            TypeKind::Bool => TypeText { memory: b"i8".to_vec(), ..plain("i1", 1) },
            &TypeKind::Integer { bits, .. } => {
                let size = u64::from(bits) / 8;
                let wide = if bits > 64 { target::wide_integer_alignment(program.target) } else { size };
                TypeText { llvm_alignment: wide, ..plain(&format!("i{bits}"), size) }
            }
            TypeKind::Float(FloatKind::Half) => plain("half", 2),
            TypeKind::Float(FloatKind::BFloat) => plain("bfloat", 2),
            TypeKind::Float(FloatKind::Single) => plain("float", 4),
            TypeKind::Float(FloatKind::Double) => plain("double", 8),
            &TypeKind::Vector { element, lanes } => self.vector(program, element, lanes),
            &TypeKind::Pointer { pointee, space, .. } => {
                let space = pointer_space(program, pointee, space);
                plain(&pointer(space), target::pointer_size(program.target, space))
            }
            &TypeKind::Array { element, length } => self.array(program, element, length),
            &TypeKind::Struct(number) => self.structure(program, number),
            TypeKind::Function { .. } => plain("ptr", 0),
            TypeKind::Opaque(name) => plain(&opaque(program.target, name), 8),
            TypeKind::Unknown => plain("i64", 8),
        };
        self.types[of.index()] = TypeText { is_known: true, ..text };
    }

    fn vector(&mut self, program: &Program, element: Type, lanes: u8) -> TypeText {
        self.measure(program, element);
        let part = &self[element];
        let around = |part: &[u8]| [format!("<{lanes} x ").as_bytes(), part, b">"].concat();
        let size = part.size * u64::from(lanes).next_power_of_two();
        TypeText {
            value: around(&part.value),
            memory: around(&part.memory),
            size,
            alignment: size.max(1),
            llvm_alignment: size.max(1),
            is_known: true,
        }
    }

    fn array(&mut self, program: &Program, element: Type, length: u64) -> TypeText {
        self.measure(program, element);
        let part = &self[element];
        let memory = [format!("[{length} x ").as_bytes(), &part.memory, b"]"].concat();
        TypeText {
            value: memory.clone(),
            memory,
            size: part.size.saturating_mul(length),
            alignment: part.alignment,
            llvm_alignment: part.llvm_alignment,
            is_known: true,
        }
    }

    fn structure(&mut self, program: &Program, number: Struct) -> TypeText {
        let data = &program.types.structs[number];
        for field in &data.fields {
            self.measure(program, field.of);
        }
        let mut offsets = Vec::with_capacity(data.fields.len());
        let (mut end, mut alignment, mut llvm_alignment) = (0u64, 1, 1);
        for field in &data.fields {
            let part = &self[field.of];
            let needed = if data.is_packed { 1 } else { part.alignment };
            let offset = if data.is_union { 0 } else { round_up(end, needed) };
            offsets.push(offset);
            end = end.max(offset.saturating_add(part.size));
            alignment = alignment.max(needed);
            llvm_alignment = llvm_alignment.max(part.llvm_alignment);
        }
        alignment = alignment.max(u64::from(data.alignment.unwrap_or(1)));
        let size = round_up(end, alignment);
        let agrees = !data.is_packed && self.llvm_agrees(program, number, &offsets, size, llvm_alignment);
        let (elements, gaps) = if data.is_union {
            llvm_alignment = 1;
            (vec![0; offsets.len()], None)
        } else if agrees {
            ((0..offsets.len() as u32).collect(), None)
        } else {
            llvm_alignment = 1;
            self.gaps(program, number, &offsets, size)
        };
        let name = self.structs[number].name.clone();
        self.structs[number] = StructText { name: name.clone(), size, offsets, elements, gaps };
        TypeText { value: name.clone(), memory: name, size, alignment, llvm_alignment, is_known: true }
    }

    /// Whether LLVM puts the members of a struct where C does, without being told.
    fn llvm_agrees(&self, program: &Program, number: Struct, offsets: &[u64], size: u64, alignment: u64) -> bool {
        let mut end = 0u64;
        for (field, &offset) in program.types.structs[number].fields.iter().zip(offsets) {
            let part = &self[field.of];
            if round_up(end, part.llvm_alignment) != offset {
                return false;
            }
            end = offset.saturating_add(part.size);
        }
        round_up(end, alignment) == size
    }

    /// The elements of a packed struct with gaps as members.
    fn gaps(&self, program: &Program, number: Struct, offsets: &[u64], size: u64) -> (Vec<u32>, Option<Vec<u64>>) {
        let (mut elements, mut gaps, mut end, mut count) = (Vec::new(), Vec::new(), 0u64, 0);
        for (field, &offset) in program.types.structs[number].fields.iter().zip(offsets) {
            gaps.push(offset - end);
            count += u32::from(offset > end);
            elements.push(count);
            count += 1;
            end = offset.saturating_add(self[field.of].size);
        }
        gaps.push(size - end);
        (elements, Some(gaps))
    }

    /// Writes the definitions of all structs and unions.
    pub(super) fn write_structs(&self, program: &Program, to: &mut Vec<u8>) {
        for (number, data) in &program.types.structs {
            let known = &self.structs[number];
            to.extend_from_slice(&known.name);
            to.extend_from_slice(b" = type ");
            if !data.is_complete {
                // Nobody knows what is in it; a value of it is valid where a program that goes on nevertheless has one.
                to.extend_from_slice(b"{}\n");
                continue;
            }
            let parts: Vec<&[u8]> = data.fields.iter().map(|field| &self[field.of].memory[..]).collect();
            if data.is_union {
                to.extend_from_slice(format!("{{ [{} x i8] }}", known.size).as_bytes());
            } else {
                write_members(to, &parts, known.gaps.as_deref());
            }
            to.push(b'\n');
        }
    }

    /// The gaps before the members of a struct and at its end, if they are members themselves.
    pub(super) fn gaps_of(&self, number: Struct) -> Option<&[u64]> {
        self.structs[number].gaps.as_deref()
    }

    /// Where a member begins, in bytes.
    pub(super) fn offset(&self, number: Struct, field: u32) -> u64 {
        self.structs[number].offsets.get(field as usize).copied().unwrap_or(0)
    }
}

/// Writes `{ parts }`, or `<{ parts and gaps }>`.
pub(super) fn write_members(to: &mut Vec<u8>, parts: &[&[u8]], gaps: Option<&[u64]>) {
    to.extend_from_slice(if gaps.is_some() { b"<{ " } else { b"{ " });
    let mut is_first = true;
    let mut member = |text: &[u8], to: &mut Vec<u8>| {
        if !std::mem::take(&mut is_first) {
            to.extend_from_slice(b", ");
        }
        to.extend_from_slice(text);
    };
    for index in 0..=parts.len() {
        if let Some(gap) = gaps.and_then(|gaps| gaps.get(index)).filter(|&&gap| gap > 0) {
            member(format!("[{gap} x i8]").as_bytes(), to);
        }
        if let Some(part) = parts.get(index) {
            member(part, to);
        }
    }
    to.extend_from_slice(if gaps.is_some() { b" }>" } else { b" }" });
}

/// The number of the address space of a pointer; functions are in space 0.
pub(super) fn pointer_space(program: &Program, pointee: Type, space: crate::typed::AddressSpace) -> u32 {
    match program.types.kind(pointee) {
        TypeKind::Function { .. } => 0,
        _ => target::space(program.target, space),
    }
}

/// `ptr` or `ptr addrspace(n)`.
pub(super) fn pointer(space: u32) -> String {
    if space == 0 { "ptr".to_owned() } else { format!("ptr addrspace({space})") }
}

/// A type whose values and memory are the same, aligned to its size.
fn plain(text: &str, size: u64) -> TypeText {
    let text = text.as_bytes().to_vec();
    TypeText {
        value: text.clone(),
        memory: text,
        size,
        alignment: size.max(1),
        llvm_alignment: size.max(1),
        is_known: true,
    }
}

/// The next multiple.
pub(super) fn round_up(number: u64, of: u64) -> u64 {
    number.checked_next_multiple_of(of).unwrap_or(u64::MAX)
}

/// What stands for a type that can only be passed on.
fn opaque(target: LowerTarget, name: &str) -> String {
    let is_image = name.contains("image");
    match target {
        LowerTarget::Amdgpu if is_image || name == "sampler_t" => "ptr addrspace(4)".to_owned(),
        LowerTarget::Amdgpu | LowerTarget::Nvptx => "ptr".to_owned(),
        LowerTarget::Spirv | LowerTarget::Generic => match name {
            "sampler_t" => "target(\"spirv.Sampler\")".to_owned(),
            "event_t" => "target(\"spirv.Event\")".to_owned(),
            _ if is_image => image(name),
            _ => "ptr".to_owned(),
        },
    }
}

/// SPIR-V's image type of `read_only image2d_t` and the like: sampled type, dimensions, depth, arrayed, multisampled, sampled, format, access.
fn image(name: &str) -> String {
    let dimensions = match () {
        () if name.contains("buffer") => 5,
        () if name.contains("3d") => 2,
        () if name.contains("2d") => 1,
        () => 0,
    };
    let flag = |word: &str| u32::from(name.contains(word));
    let access = match name.split(' ').next() {
        Some("write_only") => 1,
        Some("read_write") => 2,
        _ => 0,
    };
    format!(
        "target(\"spirv.Image\", void, {dimensions}, {}, {}, {}, 0, 0, {access})",
        flag("depth"),
        flag("array"),
        flag("msaa")
    )
}
