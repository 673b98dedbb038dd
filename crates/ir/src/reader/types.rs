//! Reading types.

use rustc_hash::FxHashMap;

use super::Reader;
use super::cursor::is_word;
use super::error::Result;
use super::scope::Scope;
use crate::types::{Type, TypeData, TypeTable};

/// How deep types and constants may nest: far beyond any program, far below the end of a stack.
pub(crate) const MAX_DEPTH: u32 = 200;

/// Types that this reader has already interned, so that it need not take the table's lock again.
#[derive(Debug, Default)]
pub(crate) struct TypeCache {
    known: FxHashMap<TypeData, Type>,
}

impl TypeCache {
    pub(crate) fn intern(&mut self, table: &TypeTable, data: TypeData) -> Type {
        if let Some(&ty) = self.known.get(&data) {
            return ty;
        }
        let ty = table.intern(data.clone());
        self.known.insert(data, ty);
        ty
    }
}

impl<'t, S: Scope<'t>> Reader<'_, 't, S> {
    pub(crate) fn intern(&mut self, data: TypeData) -> Type {
        self.cache.intern(self.types, data)
    }

    /// The integer type of this many bits.
    #[inline]
    pub(crate) fn integer(&mut self, bits: u32) -> Type {
        match bits {
            1 => Type::I1,
            8 => Type::I8,
            16 => Type::I16,
            32 => Type::I32,
            64 => Type::I64,
            _ => self.intern(TypeData::Integer(bits)),
        }
    }

    /// Reads a type, function types included.
    #[inline]
    pub(crate) fn ty(&mut self) -> Result<Type> {
        // The common scalars, in a few comparisons.
        let byte = self.cursor.peek();
        let (second, third, fourth) = (self.cursor.byte_at(1), self.cursor.byte_at(2), self.cursor.byte_at(3));
        let fast = match (byte, second, third) {
            (b'i', b'3', b'2') if !is_word(fourth) => Some((Type::I32, 3)),
            (b'i', b'6', b'4') if !is_word(fourth) => Some((Type::I64, 3)),
            (b'i', b'1', _) if !is_word(third) => Some((Type::I1, 2)),
            (b'i', b'8', _) if !is_word(third) => Some((Type::I8, 2)),
            (b'i', b'1', b'6') if !is_word(fourth) => Some((Type::I16, 3)),
            _ => None,
        };
        let mut ty = match fast {
            Some((ty, length)) => {
                self.cursor.position += length;
                ty
            }
            None => self.first_class_type()?,
        };
        // `i32 (…)` is a function type. The only other thing that can follow a type and begins with a
        // parenthesis is nothing at all, so this needs no more context.
        if self.cursor.byte() == b'(' || (self.cursor.byte() == b' ' && self.cursor.byte_at(1) == b'(') {
            ty = self.function_type(ty)?;
        }
        // Only a pointer of LLVM before version 17 has a star, or its address space behind the type that it points to.
        if self.cursor.byte() == b'*' || self.cursor.byte() == b' ' && self.cursor.byte_at(1) == b'a' {
            ty = self.typed_pointer(ty)?;
        }
        Ok(ty)
    }

    /// A pointer as it was written when pointers had types (`i32 addrspace(1)**`), behind the type that it points to: that type says nothing, so it
    /// is a pointer without. A function of such a pointer may follow.
    #[cold]
    fn typed_pointer(&mut self, mut ty: Type) -> Result<Type> {
        loop {
            let start = self.cursor.position;
            let pointer = if self.cursor.byte() == b'*' { Type::PTR } else { self.pointer()? };
            if self.cursor.byte() != b'*' {
                // No address space, or that of something else.
                self.cursor.position = start;
                break;
            }
            self.cursor.position += 1;
            ty = pointer;
        }
        if self.cursor.byte() == b' ' && self.cursor.byte_at(1) == b'(' {
            ty = self.function_type(ty)?;
            if self.cursor.byte() == b'*' {
                return self.typed_pointer(ty);
            }
        }
        Ok(ty)
    }

    fn function_type(&mut self, result: Type) -> Result<Type> {
        let mut ty = result;
        while self.cursor.peek() == b'(' {
            self.cursor.position += 1;
            let mut parameters = Vec::new();
            let mut variadic = false;
            while self.cursor.peek() != b')' {
                if self.cursor.take_word(b"...") {
                    variadic = true;
                    break;
                }
                let parameter = self.nested(Self::ty)?;
                if matches!(self.types[parameter], TypeData::Void | TypeData::Label | TypeData::Function { .. }) {
                    return Err(self.cursor.expected("the type of a value before this"));
                }
                parameters.push(parameter);
                if !self.cursor.take(b',') {
                    break;
                }
            }
            self.cursor.expect(b')')?;
            ty = self.intern(TypeData::Function { result: ty, parameters: parameters.into(), variadic });
        }
        Ok(ty)
    }

    /// Runs `read` one level deeper.
    pub(crate) fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.cursor.error_at(self.cursor.position, format!("nested deeper than {MAX_DEPTH} levels")));
        }
        let result = read(self);
        self.depth -= 1;
        result
    }

    fn first_class_type(&mut self) -> Result<Type> {
        let start = self.cursor.position;
        match self.cursor.peek() {
            b'<' => {
                self.cursor.position += 1;
                if self.cursor.peek() == b'{' {
                    let ty = self.struct_type(true)?;
                    self.cursor.expect(b'>')?;
                    return Ok(ty);
                }
                let scalable = self.cursor.take_word(b"vscale");
                if scalable {
                    self.cursor.expect_word("x")?;
                }
                let length = self.cursor.number()?;
                self.cursor.expect_word("x")?;
                let element = self.nested(Self::ty)?;
                self.cursor.expect(b'>')?;
                self.expect_element(start, element, true)?;
                if length == 0 {
                    return Err(self.cursor.error_at(start, "a vector has at least one element".to_string()));
                }
                Ok(self.intern(TypeData::Vector { length, scalable, element }))
            }
            b'[' => {
                self.cursor.position += 1;
                let length = self.cursor.number()?;
                self.cursor.expect_word("x")?;
                let element = self.nested(Self::ty)?;
                self.cursor.expect(b']')?;
                self.expect_element(start, element, false)?;
                Ok(self.intern(TypeData::Array { length, element }))
            }
            b'{' => self.struct_type(false),
            b'%' => {
                self.cursor.position += 1;
                let name = self.cursor.name()?;
                if self.is_pointed_to() {
                    // A structure may have pointers to itself.
                    return Ok(Type::I8);
                }
                self.scope.named_type(self.types, &self.cursor, name)
            }
            _ => self.type_word(),
        }
    }

    /// Whether the type that was just read is what a typed pointer points to.
    fn is_pointed_to(&mut self) -> bool {
        match (self.cursor.byte(), self.cursor.byte_at(1)) {
            (b'*', _) => true,
            (b' ', b'a') => {
                let start = self.cursor.position;
                let is_pointer = self.pointer().is_ok() && self.cursor.byte() == b'*';
                self.cursor.position = start;
                is_pointer
            }
            _ => false,
        }
    }

    fn struct_type(&mut self, packed: bool) -> Result<Type> {
        self.cursor.expect(b'{')?;
        let start = self.cursor.position;
        let mut elements = Vec::new();
        if self.cursor.peek() != b'}' {
            elements.push(self.nested(Self::ty)?);
            while self.cursor.take(b',') {
                elements.push(self.nested(Self::ty)?);
            }
        }
        self.cursor.expect(b'}')?;
        elements.iter().try_for_each(|&element| self.expect_element(start, element, false))?;
        Ok(self.intern(TypeData::Struct { packed, elements: elements.into() }))
    }

    /// What arrays, vectors and structs can have as elements; those of vectors are no aggregates.
    fn expect_element(&self, start: usize, ty: Type, in_vector: bool) -> Result<()> {
        let fits = (Type::HALF..=Type::PTR).contains(&ty)
            || match self.types[ty] {
                TypeData::Void | TypeData::Label | TypeData::Metadata | TypeData::Token | TypeData::Function { .. } => {
                    false
                }
                TypeData::Vector { .. } | TypeData::Array { .. } | TypeData::Struct { .. } => !in_vector,
                _ => true,
            };
        if fits { Ok(()) } else { Err(self.invalid_element(start, ty)) }
    }

    #[cold]
    fn invalid_element(&self, start: usize, ty: Type) -> super::ReadError {
        let ty = self.type_name(ty);
        self.cursor.error_at(start, format!("an element cannot be of type '{ty}'"))
    }

    fn type_word(&mut self) -> Result<Type> {
        let word = self.cursor.peek_word();
        let ty = match word {
            b"ptr" => {
                self.cursor.position += 3;
                return self.pointer();
            }
            b"float" => Type::FLOAT,
            b"double" => Type::DOUBLE,
            b"half" => Type::HALF,
            b"bfloat" => Type::BFLOAT,
            b"void" => Type::VOID,
            b"label" => Type::LABEL,
            b"metadata" => Type::METADATA,
            b"token" => Type::TOKEN,
            b"x86_fp80" => Type::X86_FP80,
            b"fp128" => Type::FP128,
            b"ppc_fp128" => Type::PPC_FP128,
            b"x86_amx" => Type::X86_AMX,
            b"x86_mmx" => Type::X86_MMX,
            b"target" => {
                self.cursor.position += word.len();
                return self.target_type();
            }
            _ => {
                let bits = word.strip_prefix(b"i").and_then(|digits| std::str::from_utf8(digits).ok()?.parse().ok());
                return match bits {
                    Some(bits @ 1..=0x0080_0000) => {
                        self.cursor.position += word.len();
                        Ok(self.integer(bits))
                    }
                    _ => Err(self.cursor.expected("a type")),
                };
            }
        };
        self.cursor.position += word.len();
        Ok(ty)
    }

    /// `("name", types, numbers)`, behind `target`.
    fn target_type(&mut self) -> Result<Type> {
        self.cursor.expect(b'(')?;
        let name = self.cursor.string()?;
        let mut inner = self.cursor.slice(name).to_vec();
        let (mut parameter, mut has_number) = (None, false);
        while self.cursor.take(b',') {
            inner.extend_from_slice(b", ");
            if has_number || self.cursor.peek().is_ascii_digit() {
                has_number = true;
                inner.extend_from_slice(self.cursor.small_number()?.to_string().as_bytes());
            } else {
                let start = self.cursor.position;
                let ty = self.nested(Self::ty)?;
                inner.extend_from_slice(&on_one_line(&self.cursor.text[start..self.cursor.position]));
                parameter.get_or_insert(ty);
            }
        }
        self.cursor.expect(b')')?;
        Ok(self.intern(TypeData::Target { inner: inner.into(), parameter }))
    }

    fn pointer(&mut self) -> Result<Type> {
        if self.cursor.peek() != b'a' || !self.cursor.take_word(b"addrspace") {
            return Ok(Type::PTR);
        }
        self.cursor.expect(b'(')?;
        let ty = if self.cursor.peek() == b'"' {
            let name = self.cursor.string()?;
            let name = self.cursor.slice(name).into();
            self.intern(TypeData::PointerIn(name))
        } else {
            match self.cursor.small_number()? {
                0 => Type::PTR,
                address_space => self.intern(TypeData::Pointer { address_space }),
            }
        };
        self.cursor.expect(b')')?;
        Ok(ty)
    }
}

/// A type as it is spelled, without line breaks and comments.
fn on_one_line(text: &[u8]) -> Vec<u8> {
    let lines =
        text.split(|&byte| byte == b'\n').map(|line| line.split(|&byte| byte == b';').next().unwrap_or_default());
    let words = lines.flat_map(|line| line.split(u8::is_ascii_whitespace)).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(&b' ')
}

/// Whether a word is one that a type can begin with.
pub(crate) fn is_type_word(word: &[u8]) -> bool {
    match word {
        b"ptr" | b"float" | b"double" | b"half" | b"bfloat" | b"void" | b"label" | b"metadata" | b"token"
        | b"x86_fp80" | b"fp128" | b"ppc_fp128" | b"x86_amx" | b"x86_mmx" | b"target" => true,
        [b'i', digits @ ..] => !digits.is_empty() && digits.iter().all(u8::is_ascii_digit),
        _ => false,
    }
}
