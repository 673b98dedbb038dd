//! Structs, unions and enumerations.

use smallvec::{SmallVec, smallvec};

use super::class::Mention;
use super::names::{Meaning, NameSpace};
use super::written::{EnumData, FormKind, Spelling, Written};
use super::{Checker, Outcome};
use crate::diagnostic::Diagnostic;
use crate::source::Location;
use crate::token::Symbol;
use crate::tree::{Attribute, EnumSpecifier, Name, Record, RecordMember, TypeSpecifier};
use crate::typed::{Constant, Field, Layout, Struct, StructData, Type, TypeKind};

/// Where a member of a struct is.
#[derive(Debug, Clone)]
pub(super) struct Member {
    /// The indices on the way: more than one for a member of an unnamed struct in it.
    pub(super) path: SmallVec<[u32; 2]>,
    pub(super) of: Written,
}

impl<'a> Checker<'a> {
    /// `struct S`, with or without members.
    pub(super) fn record(&mut self, record: &'a Record) -> Outcome<Written> {
        let known = record.name.and_then(|name| match record.members {
            Some(_) => self.find_tag_here(name),
            None => match self.find(name, NameSpace::Tag) {
                Some((&Meaning::Type(of), _)) => Some(of),
                _ => None,
            },
        });
        let of = match known {
            Some(of) => of,
            None => self.new_record(record),
        };
        let FormKind::Struct(number) = *self.form(of) else {
            let name = self.name_text(record.name);
            return Err(Diagnostic::error(record.location, format!("`{name}` is not a struct or union")));
        };
        let data = &self.program.types.structs[number];
        if data.is_union != record.is_union {
            let (is, not) = if data.is_union { ("union", "struct") } else { ("struct", "union") };
            let message = format!("`{}` is a {is}, not a {not}", data.name);
            return Err(Diagnostic::error(record.location, message));
        }
        if record.members.is_some() {
            self.define_record(record, number)?;
        }
        Ok(of)
    }

    fn find_tag_here(&self, name: Name) -> Option<Written> {
        match self.names_here().find_here(name, NameSpace::Tag) {
            Some((&Meaning::Type(of), _)) => Some(of),
            _ => None,
        }
    }

    fn new_record(&mut self, record: &'a Record) -> Written {
        let count = self.program.types.structs.len();
        let name = record.name.map_or_else(|| format!("anon{count}"), |name| self.name_text(name).to_string());
        let number = self.program.types.structs.push(StructData {
            name,
            is_union: record.is_union,
            is_packed: false,
            alignment: None,
            fields: Vec::new(),
            is_complete: false,
            layout: Default::default(),
        });
        self.written.names[number] = record.name;
        let of = Written::bare(self.intern(FormKind::Struct(number)));
        if let Some(name) = record.name {
            self.declare_name(name, NameSpace::Tag, Meaning::Type(of), record.location);
        }
        of
    }

    /// Declares a name in the innermost scope.
    pub(super) fn declare_name(&mut self, name: Name, space: NameSpace, meaning: Meaning, location: Location) {
        self.names_here_mut().declare(name, space, meaning, location);
    }

    pub(super) fn define_record(&mut self, record: &'a Record, number: Struct) -> Outcome<()> {
        if let Some(&before) = self.struct_places.get(&number) {
            let message = format!("`{}` is defined twice", self.program.types.structs[number].name);
            return Err(Diagnostic::error(record.location, message).with(before, "defined here before"));
        }
        self.struct_places.insert(number, record.location);
        if record.is_partial {
            self.partial.insert(number);
        }
        if !self.is_cpp() || record.name.is_none() {
            return self.define_members(record, number);
        }
        self.while_open(number, |checker| {
            let outer = checker.open_class(number);
            let defined = checker.define_members(record, number);
            checker.close_class(number, record, outer);
            defined
        })
    }

    fn define_members(&mut self, record: &'a Record, number: Struct) -> Outcome<()> {
        let mut fields = Vec::new();
        for base in &record.bases {
            self.derive(number, base, &mut fields)?;
        }
        self.open_table(number, record, &mut fields)?;
        for member in record.members.iter().flatten() {
            match self.define_member(number, member, &mut fields) {
                Err(wrong) if self.is_tolerant() && !wrong.is_limit() => {
                    // It costs that member.
                    self.partial.insert(number);
                    self.pass_over(wrong);
                }
                defined => defined?,
            }
        }
        let is_packed = self.has(&record.attributes, "packed");
        let alignment = self.alignment(&record.attributes)?;
        let data = &mut self.program.types.structs[number];
        (data.fields, data.is_packed, data.alignment, data.is_complete) = (fields, is_packed, alignment, true);
        let of = self.program.types.intern(TypeKind::Struct(number));
        self.check_size(of, record.location)?;
        for member in record.members.iter().flatten() {
            if let RecordMember::Function(item) = member
                && let Err(wrong) = self.by_mention(Mention::Signature, |checker| checker.declare_member(number, item))
            {
                if !self.is_tolerant() || wrong.is_limit() {
                    return Err(wrong);
                }
                self.forget_member(number, item, wrong);
            }
        }
        let is_started = self.has_start(number);
        if let Some(class) = self.classes.get_mut(&number) {
            class.is_started = is_started;
        }
        Ok(())
    }

    /// A member that is no function.
    fn define_member(&mut self, number: Struct, member: &'a RecordMember, fields: &mut Vec<Field>) -> Outcome<()> {
        let declaration = match member {
            RecordMember::Declaration(declaration) => declaration,
            RecordMember::ClassTemplate(template) => {
                return self.declare_class_template(template);
            }
            RecordMember::AliasTemplate(template) => {
                self.declare_alias_template(template);
                return Ok(());
            }
            RecordMember::Function(_) => return Ok(()),
        };
        if declaration.specifiers.is_static {
            return self.static_member(number, declaration);
        }
        let base = self.specified(&declaration.specifiers)?;
        if declaration.specifiers.is_typedef {
            for declarator in &declaration.declarators {
                let location = declarator.declarator.location;
                let base = self.with_lanes(base, &declarator.declarator.attributes)?;
                let of = self.declared(base, &declarator.declarator.declarator, location)?;
                if let Some(name) = declarator.declarator.name {
                    self.declare_type(name, of, location)?;
                }
            }
            return Ok(());
        }
        if declaration.declarators.is_empty()
            && is_unnamed(declaration.specifiers.of.as_ref())
            && let FormKind::Struct(inner) = *self.form(base)
        {
            self.check_member_type(base, number, declaration.location)?;
            self.adopt(number, inner, fields.len() as u32, base);
            let of = self.type_of(base);
            fields.push(Field { name: String::new(), of });
        }
        for declarator in &declaration.declarators {
            let location = declarator.declarator.location;
            let of = self.declared(base, &declarator.declarator.declarator, location)?;
            self.check_member_type(of, number, location)?;
            let refusal = match () {
                () if declarator.bits.is_some() => Some("bit-fields are not supported"),
                () if declarator.initializer.is_some() && !self.classes.contains_key(&number) => {
                    Some("members that start with something in a structure without a name are not supported")
                }
                () => None,
            };
            if let Some(refusal) = refusal {
                self.refused.entry(number).or_insert(Diagnostic::unsupported(location, refusal));
            }
            let name = declarator.declarator.name.map(|name| self.tree.scopes.spelling(name));
            if let Some(name) = name {
                let member = Member { path: smallvec![fields.len() as u32], of };
                let before = self.members.insert((number, name), member);
                self.declare_in_class(number, name, Meaning::Field(name), location);
                if let Some(initializer) = &declarator.initializer
                    && let Some(class) = self.classes.get_mut(&number)
                {
                    class.starts.push((name, initializer));
                }
                // Members of bases are hidden.
                if before.is_some_and(|before| before.path.len() == 1) {
                    let message = format!("there is a member `{}` already", self.text(name));
                    return Err(Diagnostic::error(location, message));
                }
            }
            let of = self.type_of(of);
            fields.push(Field { name: name.map_or(String::new(), |name| self.text(name).to_string()), of });
        }
        Ok(())
    }

    /// Whether an object of a class starts with more than zeros by itself, as is known of its bases and members.
    fn has_start(&self, number: Struct) -> bool {
        let Some(class) = self.classes.get(&number) else { return false };
        let is_base_started =
            |base: &super::class::Base| self.classes.get(&base.of).is_some_and(|base| base.is_started);
        class.constructors.is_some()
            || class.table_at.is_some()
            || !class.starts.is_empty()
            || class.bases.iter().any(is_base_started)
            || self.data_of(number).iter().any(|&(_, of)| self.is_started(of))
    }

    /// Objects have at most 2^63 - 1 bytes.
    pub(super) fn check_size(&self, of: Type, location: Location) -> Outcome<()> {
        let layout = Layout { types: &self.program.types, target: self.program.target };
        match i64::try_from(layout.size(of)) {
            Ok(_) => Ok(()),
            Err(_) => Err(Diagnostic::limit(location, "this type is larger than memory can be")),
        }
    }

    /// Members of an unnamed struct are members of the one around it.
    pub(super) fn adopt(&mut self, outer: Struct, inner: Struct, index: u32, whole: Written) {
        let adopted: Vec<(Symbol, Member)> = self
            .program
            .types
            .structs
            .get(inner)
            .map(|data| data.fields.iter().filter_map(|field| self.symbols.find(&field.name)).collect::<Vec<_>>())
            .unwrap_or_default()
            .into_iter()
            .chain(self.adopted.get(&inner).into_iter().flatten().copied())
            .filter_map(|name| Some((name, self.members.get(&(inner, name))?.clone())))
            .collect();
        for (name, mut member) in adopted {
            member.path.insert(0, index);
            member.of = member.of.within(whole);
            self.members.insert((outer, name), member);
            self.adopted.entry(outer).or_default().push(name);
        }
        if let Some(refusal) = self.refused.get(&inner).cloned() {
            self.refused.entry(outer).or_insert(refusal);
        }
    }

    fn check_member_type(&mut self, of: Written, whole: Struct, location: Location) -> Outcome<()> {
        let mut part = of;
        while let FormKind::Array(element, _) = *self.form(part) {
            part = element;
        }
        let form = self.form(part).clone();
        let refused = match form {
            FormKind::Struct(number) => {
                self.require(number)?;
                if let Some(refusal) = self.refused.get(&number).cloned() {
                    self.refused.entry(whole).or_insert(refusal);
                }
                !self.program.types.structs[number].is_complete
            }
            FormKind::Function(_) => true,
            FormKind::Plain(of, _) => *self.program.types.kind(of) == TypeKind::Void,
            _ => false,
        };
        match refused {
            true => {
                let name = self.name_of(part);
                Err(Diagnostic::error(location, format!("a member cannot be of the incomplete type `{name}`")))
            }
            false => Ok(()),
        }
    }

    /// `aligned(n)` among attributes.
    pub(super) fn alignment(&mut self, attributes: &'a [Attribute]) -> Outcome<Option<u32>> {
        let mut largest = None;
        for attribute in attributes {
            let name = self.text(attribute.name);
            if !matches!(name, "aligned" | "align" | "alignas" | "_Alignas") {
                continue;
            }
            let bytes = match attribute.arguments.first() {
                None => 16,
                Some(&argument) => {
                    let operand = self.operand(argument)?;
                    let value = self.known_integer(operand.expression, attribute.location)?;
                    let value =
                        value.filter(|&value| (1..=1 << 20).contains(&value) && (value as u32).is_power_of_two());
                    if value.is_none() && self.is_tolerant() {
                        continue;
                    }
                    let message = "an alignment is a constant power of two";
                    value.ok_or_else(|| Diagnostic::error(attribute.location, message))? as u32
                }
            };
            largest = largest.max(Some(bytes));
        }
        Ok(largest)
    }

    /// `enum E { A, B = 3 }`.
    pub(super) fn enumeration(&mut self, of: &'a EnumSpecifier) -> Outcome<Written> {
        let Some(members) = &of.members else {
            let name = of.name.ok_or_else(|| Diagnostic::error(of.location, "an enumeration needs names"))?;
            return match self.find(name, NameSpace::Tag) {
                Some((&Meaning::Type(found), _)) => Ok(found),
                _ if of.is_class || of.underlying.is_some() => self.define_enum(of, &[]),
                _ => Err(Diagnostic::error(of.location, format!("`{}` is not declared", self.name_text(name)))),
            };
        };
        if let Some(name) = of.name
            && let Some(found) = self.find_tag_here(name)
            && let FormKind::Enum(number) = *self.form(found)
            && self.written.enums[number].has_members
        {
            let message = format!("`{}` is defined twice", self.name_text(name));
            let before = self.written.enums[number].location;
            return Err(Diagnostic::error(of.location, message).with(before, "defined here before"));
        }
        self.define_enum(of, members)
    }

    fn define_enum(
        &mut self,
        of: &'a EnumSpecifier,
        members: &'a [(Name, Option<crate::tree::Expr>, Location)],
    ) -> Outcome<Written> {
        let int = self.program.types.integer(32, true);
        let fixed = match &of.underlying {
            Some(underlying) => {
                let underlying = self.type_name(underlying)?;
                Some(self.type_of(underlying))
            }
            None => of.is_class.then_some(int),
        };
        let int_written = self.written.plain(&mut self.program.types, int, Spelling::Usual);
        let (mut next, mut least, mut most) = (0i128, 0i128, 0i128);
        let mut values = Vec::new();
        for &(name, value, location) in members {
            if let Some(value) = value {
                let operand = self.operand(value)?;
                let value = self.known_integer(operand.expression, location)?;
                let message = || format!("the value of `{}` is not a constant integer", self.name_text(name));
                next = value.ok_or_else(|| Diagnostic::error(location, message()))?;
            }
            (least, most) = (least.min(next), most.max(next));
            values.push((name, next));
            // Members are integers until all of them are known.
            let constant = Constant::Integer(next as u128 & u128::from(u32::MAX));
            self.declare_name(name, NameSpace::Ordinary, Meaning::Constant(constant, int_written), location);
            next += 1;
        }
        let underlying = fixed.unwrap_or_else(|| self.underlying(least, most));
        let promoted = match fixed {
            Some(of) => self.build().promoted(of),
            None if self.is_cpp() && least >= i128::from(i32::MIN) && most <= i128::from(i32::MAX) => int,
            None => underlying,
        };
        let number = self.written.enums.push(EnumData {
            name: of.name,
            is_class: of.is_class,
            underlying,
            promoted,
            has_members: !values.is_empty(),
            location: of.location,
        });
        let written = Written::bare(self.intern(FormKind::Enum(number)));
        if let Some(name) = of.name {
            self.declare_name(name, NameSpace::Tag, Meaning::Type(written), of.location);
        }
        for (name, value) in values {
            let of = if self.is_cpp() { written } else { self.member_type(value, int_written, underlying) };
            let bits = self.cut(value, of);
            let meaning = Meaning::Constant(Constant::Integer(bits), of);
            self.names_here_mut().redefine(name, NameSpace::Ordinary, meaning);
        }
        Ok(written)
    }

    /// The type of an enumerator in C.
    fn member_type(&mut self, value: i128, int: Written, underlying: Type) -> Written {
        match i32::try_from(value) {
            Ok(_) => int,
            Err(_) => self.written_of(underlying),
        }
    }

    /// The integer type that Clang gives an enumeration with values in a range.
    fn underlying(&mut self, least: i128, most: i128) -> Type {
        let is_wide =
            least < i128::from(i32::MIN) || most > i128::from(u32::MAX) || (least < 0 && most > i128::from(i32::MAX));
        self.program.types.integer(if is_wide { 64 } else { 32 }, least < 0)
    }

    /// The bits of a number in a type.
    pub(super) fn cut(&mut self, value: i128, of: Written) -> u128 {
        let of = self.type_of(of);
        match *self.program.types.kind(of) {
            TypeKind::Bool => u128::from(value != 0),
            TypeKind::Integer { bits: 128, .. } => value as u128,
            TypeKind::Integer { bits, .. } => value as u128 & ((1 << bits) - 1),
            _ => value as u128,
        }
    }

    /// A member of a struct by its name.
    pub(super) fn member(&mut self, number: Struct, name: Symbol, location: Location) -> Outcome<Member> {
        self.check_refused(number, location)?;
        if let Some(member) = self.members.get(&(number, name)) {
            return Ok(member.clone());
        }
        let data = &self.program.types.structs[number];
        let text = self.symbols.text(name);
        if let Some(index) = data.fields.iter().position(|field| field.name == text) {
            let of = data.fields[index].of;
            return Ok(Member { path: smallvec![index as u32], of: self.written_of(of) });
        }
        let near = crate::near::nearest(text, data.fields.iter().map(|field| field.name.as_str()));
        let near = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
        let message = match data.is_complete {
            true => format!("`{}` has no member `{text}`{near}", data.name),
            false => format!("`{}` is declared but not defined, so it has no member `{text}`", data.name),
        };
        Err(Diagnostic::error(location, message))
    }

    /// The types of the members of a struct, in order.
    pub(super) fn member_types(&mut self, number: Struct) -> Vec<Written> {
        let fields: Vec<(String, Type)> =
            self.program.types.structs[number].fields.iter().map(|field| (field.name.clone(), field.of)).collect();
        let written = fields.into_iter().enumerate().map(|(index, (name, of))| {
            let symbol = self.symbols.find(&name);
            match symbol.and_then(|name| self.members.get(&(number, name))) {
                Some(member) if member.path[..] == [index as u32] => member.of,
                _ => self.written_of(of),
            }
        });
        written.collect()
    }

    /// A struct of no name takes that of its `typedef`.
    pub(super) fn name_record(&mut self, of: Written, name: Name) {
        match *self.form(of) {
            FormKind::Struct(number)
                if self.written.names[number].is_none() && self.struct_places.contains_key(&number) =>
            {
                self.written.names[number] = Some(name);
                self.program.types.structs[number].name = self.name_text(name).into_owned();
            }
            FormKind::Enum(number) => {
                self.written.enums[number].name.get_or_insert(name);
            }
            _ => {}
        }
    }
}

/// Whether a type has no name of its own: an unnamed struct whose members are those of the one around it.
fn is_unnamed(of: Option<&TypeSpecifier>) -> bool {
    !matches!(of, Some(TypeSpecifier::Record(record)) if record.name.is_some())
}
