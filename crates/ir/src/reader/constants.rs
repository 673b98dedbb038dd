//! Reading operands: local names and constants.

use cranelift_entity::EntityRef;

use super::error::Result;
use super::locals::Local;
use super::scope::Scope;
use super::{MentionedBlock, Reader};
use crate::constant::{ConstantData, ExpressionData, ExpressionKind};
use crate::function::{Block, Definition, LocalName, Value, ValueData};
use crate::opcode::{Flags, Opcode, Predicate};
use crate::text::Span;
use crate::types::{Type, TypeData};

impl<'t, S: Scope<'t>> Reader<'_, 't, S> {
    /// Reads a type, then an operand of it.
    pub(crate) fn typed_operand(&mut self) -> Result<(Type, Value)> {
        let ty = self.value_type()?;
        Ok((ty, self.operand(ty)?))
    }

    /// Reads the type of a value: `void` has none, and within operands it stands for a type that is not spelled.
    #[inline]
    pub(crate) fn value_type(&mut self) -> Result<Type> {
        let ty = self.ty()?;
        if ty == Type::VOID {
            return Err(self.cursor.error_at(self.cursor.position, "a value cannot be of type 'void'".to_string()));
        }
        Ok(ty)
    }

    /// Reads an operand of a known type.
    #[inline]
    pub(crate) fn operand(&mut self, ty: Type) -> Result<Value> {
        if self.cursor.peek() == b'%' {
            let start = self.cursor.position;
            if !S::HAS_LOCALS {
                return Err(self.cursor.error_at(start, "a local value outside of a function".to_string()));
            }
            let name = self.local_name()?;
            return self.local_value(name, ty, start);
        }
        let constant = self.constant(ty)?;
        Ok(self.out.values.push(ValueData { ty, definition: Definition::Constant(constant) }))
    }

    /// Reads `%name`.
    #[inline]
    pub(crate) fn local_name(&mut self) -> Result<LocalName> {
        self.cursor.expect(b'%')?;
        let name = self.cursor.name()?;
        Ok(self.classify(name))
    }

    /// Numbers are names of their own kind: `%07` is `%7`.
    #[inline]
    pub(crate) fn classify(&self, name: Span) -> LocalName {
        let mut number = 0u32;
        for &byte in self.cursor.slice(name) {
            let digit = byte.wrapping_sub(b'0');
            match number.checked_mul(10).and_then(|number| number.checked_add(digit.into())) {
                Some(next) if digit < 10 => number = next,
                _ => return LocalName::Text(name),
            }
        }
        LocalName::Number(number)
    }

    /// The value with a local name, which may be defined later. A use as `void` fits every type.
    #[inline]
    fn local_value(&mut self, name: LocalName, ty: Type, start: usize) -> Result<Value> {
        let local = self.state.locals.entry(&self.cursor, name);
        match *local {
            Local::Value(value) => {
                let known = &mut self.out.values[value];
                if known.ty != ty && ty != Type::VOID {
                    if known.ty == Type::VOID {
                        known.ty = ty;
                    } else {
                        let known = known.ty;
                        return Err(self.type_mismatch(name, known, ty, start));
                    }
                }
                Ok(value)
            }
            Local::Unknown => {
                let place = Span::new(start, self.cursor.position);
                let value = self.out.values.push(ValueData { ty, definition: Definition::Pending(place) });
                *local = Local::Value(value);
                self.state.pending += 1;
                Ok(value)
            }
            Local::Block(_) => Err(self.cursor.error_at(start, "this is a block, not a value".to_string())),
        }
    }

    #[cold]
    pub(crate) fn type_mismatch(&self, name: LocalName, defined: Type, used: Type, at: usize) -> super::ReadError {
        let (defined, used) = (self.type_name(defined), self.type_name(used));
        let name = self.spelled(name);
        self.cursor.error_at(at, format!("'%{name}' is defined with type '{defined}' but used with type '{used}'"))
    }

    pub(crate) fn spelled(&self, name: LocalName) -> String {
        match name {
            LocalName::Text(span) => crate::text::display(self.cursor.slice(span)),
            LocalName::Number(number) => number.to_string(),
        }
    }

    /// Reads `%name` of a block; the result is the place in the list of mentions.
    pub(crate) fn block(&mut self) -> Result<Block> {
        self.cursor.peek();
        let start = self.cursor.position;
        let name = self.local_name()?;
        self.mention_block(name, start)
    }

    /// Reads `label %name`.
    pub(crate) fn label(&mut self) -> Result<Block> {
        self.cursor.expect_word("label")?;
        self.block()
    }

    #[inline]
    pub(crate) fn mention_block(&mut self, name: LocalName, start: usize) -> Result<Block> {
        let mentioned = &mut self.state.mentioned_blocks;
        let local = self.state.locals.entry(&self.cursor, name);
        match *local {
            Local::Block(index) => Ok(Block::new(index as usize)),
            Local::Unknown => {
                let index = mentioned.len();
                *local = Local::Block(index as u32);
                mentioned.push(MentionedBlock { name, offset: start as u32, block: None });
                Ok(Block::new(index))
            }
            Local::Value(_) => Err(self.cursor.error_at(start, "this is a value, not a block".to_string())),
        }
    }

    /// Reads a constant of a known type.
    fn constant(&mut self, ty: Type) -> Result<ConstantData> {
        match self.cursor.peek() {
            b'0'..=b'9' | b'-' | b'+' => self.number_literal(ty),
            b'@' => {
                let start = self.cursor.position;
                self.cursor.position += 1;
                let name = self.cursor.name()?;
                if ty != Type::PTR && !self.is_pointer(ty) {
                    let ty = self.type_name(ty);
                    return Err(self.cursor.error_at(start, format!("an address cannot be of type '{ty}'")));
                }
                Ok(ConstantData::Global(self.scope.symbol(&self.cursor, name)?))
            }
            b'<' if self.cursor.byte_at(1) == b'{' => {
                self.cursor.position += 1;
                let constant = self.aggregate(ty, b'{', b'}')?;
                self.cursor.expect(b'>')?;
                Ok(constant)
            }
            b'<' => self.aggregate(ty, b'<', b'>'),
            b'[' => self.aggregate(ty, b'[', b']'),
            b'{' => self.aggregate(ty, b'{', b'}'),
            b'c' if self.cursor.byte_at(1) == b'"' => {
                let start = self.cursor.position;
                self.cursor.position += 1;
                let string = self.cursor.string()?;
                Ok(ConstantData::String(Span::new(start, string.end as usize)))
            }
            b'!' if ty == Type::METADATA => self.metadata_node().map(ConstantData::Metadata),
            _ => self.constant_word(ty),
        }
    }

    /// Integers and floating-point numbers.
    fn number_literal(&mut self, ty: Type) -> Result<ConstantData> {
        let start = self.cursor.position;
        let negative = self.cursor.byte() == b'-';
        self.cursor.position += usize::from(negative || self.cursor.byte() == b'+');
        let digits = self.cursor.word();
        // An exponent may have a sign that no word contains.
        if self.cursor.byte() == b'+' && matches!(digits.last(), Some(b'e' | b'E')) {
            self.cursor.position += 1;
            if self.cursor.word().is_empty() {
                return Err(self.cursor.expected("an exponent"));
            }
        }
        let span = Span::new(start, self.cursor.position);
        let is_integer = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
        match self.types[ty] {
            TypeData::Integer(bits) if is_integer => {
                let magnitude = digits
                    .iter()
                    .try_fold(0u64, |value, byte| value.checked_mul(10)?.checked_add(u64::from(byte - b'0')));
                Ok(match magnitude {
                    Some(magnitude) if bits <= 64 || magnitude <= i64::MAX as u64 => {
                        let magnitude = magnitude.cast_signed();
                        ConstantData::Integer(if negative { magnitude.wrapping_neg() } else { magnitude })
                    }
                    _ if bits > 64 => ConstantData::Literal(span),
                    _ => return Err(self.cursor.error_at(start, format!("this integer does not fit i{bits}"))),
                })
            }
            _ if is_integer => {
                let ty = self.type_name(ty);
                Err(self.cursor.error_at(start, format!("an integer cannot be of type '{ty}'")))
            }
            _ if self.is_float(ty) && is_float_literal(self.cursor.slice(span)) => Ok(ConstantData::Literal(span)),
            _ => {
                let ty = self.type_name(ty);
                Err(self.cursor.error_at(start, format!("this number cannot be of type '{ty}'")))
            }
        }
    }

    fn is_float(&self, ty: Type) -> bool {
        (Type::HALF..=Type::PPC_FP128).contains(&ty)
    }

    fn is_pointer(&self, ty: Type) -> bool {
        matches!(self.types[ty], TypeData::Pointer { .. } | TypeData::PointerIn(_))
    }

    /// `open ty v, ty v, … close`
    fn aggregate(&mut self, ty: Type, open: u8, close: u8) -> Result<ConstantData> {
        let fits = match self.types[ty] {
            TypeData::Vector { .. } => open == b'<',
            TypeData::Array { .. } => open == b'[',
            _ => open == b'{',
        };
        if !fits {
            let message = format!("a constant of type '{}' does not begin like this", self.type_name(ty));
            return Err(self.cursor.error_at(self.cursor.position, message));
        }
        self.cursor.expect(open)?;
        let base = self.state.values.len();
        if self.cursor.peek() != close {
            loop {
                let (_, element) = self.nested(Self::typed_operand)?;
                self.state.values.push(element);
                if !self.cursor.take(b',') {
                    break;
                }
            }
        }
        self.cursor.expect(close)?;
        let elements = self.finish_values(base);
        Ok(ConstantData::Aggregate(self.out.constants.aggregates.push(elements)))
    }

    fn constant_word(&mut self, ty: Type) -> Result<ConstantData> {
        self.cursor.peek();
        let start = self.cursor.position;
        let word = self.cursor.word();
        let simple = match word {
            b"undef" => ConstantData::Undef,
            b"poison" => ConstantData::Poison,
            b"zeroinitializer" => ConstantData::Zero,
            b"null" => ConstantData::Null,
            b"none" => ConstantData::NoneToken,
            b"true" => ConstantData::Integer(1),
            b"false" => ConstantData::Integer(0),
            _ => return self.expression(ty, word, start),
        };
        let fits = match word {
            b"null" => {
                matches!(self.types[ty], TypeData::Pointer { .. } | TypeData::PointerIn(_) | TypeData::Target { .. })
            }
            b"none" => ty == Type::TOKEN || matches!(self.types[ty], TypeData::Target { .. }),
            b"true" | b"false" => ty == Type::I1,
            _ => !matches!(ty, Type::LABEL | Type::METADATA) && (ty != Type::VOID),
        };
        if fits {
            return Ok(simple);
        }
        let (word, ty) = (crate::text::display(word), self.type_name(ty));
        Err(self.cursor.error_at(start, format!("'{word}' cannot be of type '{ty}'")))
    }

    /// Constants that begin with a word and have operands, or are inline assembly.
    fn expression(&mut self, ty: Type, word: &'t [u8], start: usize) -> Result<ConstantData> {
        let base = self.state.values.len();
        let kind = match word {
            b"asm" => {
                while [&b"sideeffect"[..], b"alignstack", b"inteldialect", b"unwind"]
                    .iter()
                    .any(|word| self.cursor.take_word(word))
                {}
                self.cursor.string()?;
                self.cursor.expect(b',')?;
                let constraints = self.cursor.string()?;
                ExpressionKind::InlineAsm(Span::new(start, constraints.end as usize))
            }
            b"blockaddress" => {
                self.cursor.expect(b'(')?;
                let function = self.operand(Type::PTR)?;
                self.state.values.push(function);
                self.cursor.expect(b',')?;
                let block = self.local_name()?;
                self.cursor.expect(b')')?;
                ExpressionKind::BlockAddress(block)
            }
            b"dso_local_equivalent" | b"no_cfi" => {
                let global = self.operand(ty)?;
                self.state.values.push(global);
                if word == b"no_cfi" { ExpressionKind::NoCfi } else { ExpressionKind::DsoLocalEquivalent }
            }
            b"ptrauth" => {
                self.parenthesised()?;
                ExpressionKind::PtrAuth
            }
            b"splat" => {
                self.parenthesised()?;
                ExpressionKind::Splat
            }
            _ => match hexadecimal(word) {
                Some(value) => {
                    let TypeData::Integer(bits) = self.types[ty] else {
                        let ty = self.type_name(ty);
                        return Err(self.cursor.error_at(start, format!("an integer cannot be of type '{ty}'")));
                    };
                    let span = Span::new(start, self.cursor.position);
                    let small = u64::from_str_radix(value, 16).ok().filter(|_| bits <= 64 && word[0] == b'u');
                    return Ok(
                        small.map_or(ConstantData::Literal(span), |value| ConstantData::Integer(value.cast_signed()))
                    );
                }
                None => self.operation(ty, word, start)?,
            },
        };
        let operands = self.finish_values(base);
        Ok(ConstantData::Expression(self.out.constants.expressions.push(ExpressionData { kind, operands })))
    }

    /// `(ty v, ty v, …)`, onto the stack of values.
    fn parenthesised(&mut self) -> Result<()> {
        self.cursor.expect(b'(')?;
        loop {
            // `inrange` before an index is how LLVM 18 and older mark it; it only widens what is undefined.
            self.cursor.take_word(b"inrange");
            let (_, value) = self.nested(Self::typed_operand)?;
            self.state.values.push(value);
            if !self.cursor.take(b',') {
                break;
            }
        }
        self.cursor.expect(b')')
    }

    /// A constant expression that is an instruction's operation.
    fn operation(&mut self, ty: Type, word: &'t [u8], start: usize) -> Result<ExpressionKind> {
        let opcode = Opcode::from_keyword(word);
        let Some(opcode) = opcode else {
            self.cursor.position = start;
            return Err(self.cursor.expected("a value"));
        };
        let mut flags = Flags::default();
        let mut in_range = Span::default();
        match opcode {
            Opcode::ICmp | Opcode::FCmp => {
                let predicate = self.predicate()?;
                self.parenthesised()?;
                return Ok(ExpressionKind::Compare(opcode, predicate));
            }
            Opcode::GetElementPtr => {
                loop {
                    let word = self.cursor.peek_word();
                    if word == b"inrange" {
                        self.cursor.position += word.len();
                        in_range = self.cursor.balanced(b'(')?;
                    } else if !self.take_flag(&mut flags) {
                        break;
                    }
                }
                self.cursor.expect(b'(')?;
                let element = self.ty()?;
                self.list_after_comma()?;
                return Ok(ExpressionKind::GetElementPtr(element, flags, in_range));
            }
            _ if opcode.is_cast() => {
                while self.take_flag(&mut flags) {}
                self.cursor.expect(b'(')?;
                let (_, value) = self.nested(Self::typed_operand)?;
                self.state.values.push(value);
                self.cursor.expect_word("to")?;
                let to = self.ty()?;
                if to != ty {
                    let [ty, to] = [ty, to].map(|ty| self.type_name(ty));
                    return Err(self.cursor.error_at(start, format!("a constant of type '{ty}' is cast to '{to}'")));
                }
                self.cursor.expect(b')')?;
            }
            Opcode::Select | Opcode::ExtractElement | Opcode::InsertElement | Opcode::ShuffleVector | Opcode::FNeg => {
                self.parenthesised()?
            }
            _ if opcode.is_binary() => {
                while self.take_flag(&mut flags) {}
                self.parenthesised()?;
            }
            _ => {
                self.cursor.position = start;
                return Err(self.cursor.expected("a value"));
            }
        }
        Ok(ExpressionKind::Operation(opcode, flags))
    }

    /// `, ty v, ty v, … )`
    fn list_after_comma(&mut self) -> Result<()> {
        while self.cursor.take(b',') {
            self.cursor.take_word(b"inrange");
            let (_, value) = self.nested(Self::typed_operand)?;
            self.state.values.push(value);
        }
        self.cursor.expect(b')')
    }

    /// Takes a flag keyword if there is one.
    #[inline]
    pub(crate) fn take_flag(&mut self, flags: &mut Flags) -> bool {
        let word = self.cursor.peek_word();
        let Some(flag) = Flags::from_keyword(word) else { return false };
        flags.insert(flag);
        self.cursor.position += word.len();
        true
    }

    pub(crate) fn predicate(&mut self) -> Result<Predicate> {
        let word = self.cursor.peek_word();
        match Predicate::from_keyword(word) {
            Some(predicate) => {
                self.cursor.position += word.len();
                Ok(predicate)
            }
            None => Err(self.cursor.expected("a predicate such as 'eq' or 'olt'")),
        }
    }
}

/// The digits of `u0x…` and `s0x…`.
fn hexadecimal(word: &[u8]) -> Option<&str> {
    let digits = word.strip_prefix(b"u0x").or_else(|| word.strip_prefix(b"s0x"))?;
    std::str::from_utf8(digits)
        .ok()
        .filter(|digits| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_hexdigit()))
}

/// Whether a word is a floating-point number: decimal with a point, or hexadecimal bits.
fn is_float_literal(word: &[u8]) -> bool {
    if let Some(digits) = word.strip_prefix(b"0x") {
        let digits = match digits {
            [b'K' | b'L' | b'M' | b'H' | b'R', rest @ ..] => rest,
            _ => digits,
        };
        return !digits.is_empty() && digits.iter().all(u8::is_ascii_hexdigit);
    }
    let text = std::str::from_utf8(word).unwrap_or("");
    text.contains('.')
        && text.bytes().all(|b| b.is_ascii_digit() || b"+-.eE".contains(&b))
        && text.parse::<f64>().is_ok()
}
