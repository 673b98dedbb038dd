//! Virtual functions.
//!
//! **Definition.** A class with virtual functions has a *table*: an array of pointers to functions, one for each of them, those of its base first, and its own or inherited ones
//! in the places of those that they override. Its objects have the address of the table; it is set by what makes an object, after the bases and before the members, and where its
//! destructor begins. A call by an object of which only the address is known is one through the table, with the place of the function in that of its class. Every other
//! call means the function of the object's own class.
//!
//! **Invariant.** The base whose table a class extends is at the beginning of its objects, so that their address is that of the base.

use smallvec::SmallVec;

use super::names::{Meaning, NameSpace};
use super::overload::Chosen;
use super::written::{FormKind, FunctionForm, Written};
use super::{Checker, Operand, Outcome};
use crate::diagnostic::Diagnostic;
use crate::source::Location;
use crate::token::Symbol;
use crate::tree::{Expr, FunctionItem, Name, NameKind, Record, RecordMember};
use crate::typed::{
    AddressSpace, Constant, Conversion, Expression, ExpressionKind, Field, Global, GlobalData, Struct, Type, TypeKind,
};

/// A virtual function.
#[derive(Debug, Clone)]
pub(super) struct Virtual {
    name: Symbol,
    /// What it takes beside the object.
    parameters: Vec<Written>,
    is_const: bool,
    /// The function that is meant in the class: the set that it is in, and its number there.
    function: (usize, usize),
}

impl Virtual {
    /// Whether it is the function of a set with a number.
    pub(super) fn is(&self, set: usize, index: usize) -> bool {
        self.function == (set, index)
    }
}

/// Where objects of a class have the address of its table.
#[derive(Debug, Clone, Copy)]
pub(super) enum TableAt {
    /// In a member, by its index.
    Member(u32),
    /// In a base.
    Base(Struct),
}

impl<'a> Checker<'a> {
    /// Whether objects of a type have the address of a table.
    pub(super) fn has_table(&self, of: Written) -> bool {
        let class = self.class_of(of).and_then(|class| self.classes.get(&class));
        class.is_some_and(|class| class.table_at.is_some())
    }

    /// That objects of a type may be assigned as a whole.
    pub(super) fn check_passed_whole(&mut self, of: Written, location: Location) -> Outcome<()> {
        if !self.has_table(of) {
            return Ok(());
        }
        let message = format!("an object of `{}`, which has virtual functions, is assigned to", self.name_of(of));
        Err(Diagnostic::unsupported(location, message))
    }

    /// Gives a class whose bases are known a table, if it has virtual functions.
    pub(super) fn open_table(&mut self, number: Struct, record: &'a Record, fields: &mut Vec<Field>) -> Outcome<()> {
        let bases = self.classes.get(&number).map_or_else(Vec::new, |class| class.bases.clone());
        let has_table = |base: Struct| self.classes.get(&base).is_some_and(|base| base.table_at.is_some());
        let mut tables = bases.iter().filter(|base| has_table(base.of));
        let (table_at, virtuals) = match (tables.next(), tables.next()) {
            (Some(base), None) if base.field == Some(0) => {
                let virtuals = self.classes.get(&base.of).map_or_else(Vec::new, |base| base.virtuals.clone());
                (TableAt::Base(base.of), virtuals)
            }
            (Some(_), _) => {
                let message = "a base with virtual functions beside or after another base is not supported";
                let refusal = Diagnostic::unsupported(record.location, message);
                self.refused.entry(number).or_insert(refusal);
                return Ok(());
            }
            (None, _) => {
                let is_virtual = |member: &RecordMember| matches!(member, RecordMember::Function(item) if item.specifiers.is_virtual);
                if !record.members.iter().flatten().any(is_virtual) {
                    return Ok(());
                }
                let of = self.table_pointer();
                fields.push(Field { name: String::new(), of });
                (TableAt::Member(fields.len() as u32 - 1), Vec::new())
            }
        };
        if let Some(class) = self.classes.get_mut(&number) {
            (class.table_at, class.virtuals) = (Some(table_at), virtuals);
        }
        Ok(())
    }

    /// Puts a function of a class in the place of the one that it overrides, or in one of its own.
    pub(super) fn note_virtual(&mut self, number: Struct, function: (usize, usize), item: &FunctionItem) {
        let Some(name) = item.declarator.name else { return };
        let name = self.tree.scopes.spelling(name);
        let parameters = self.sets[function.0].candidates[function.1].of.parameters[1..].to_vec();
        let is_const = item.declarator.is_const;
        let Some(class) = self.classes.get_mut(&number).filter(|class| class.table_at.is_some()) else { return };
        let is_same =
            |known: &&mut Virtual| (known.name, known.is_const) == (name, is_const) && known.parameters == parameters;
        match class.virtuals.iter_mut().find(is_same) {
            Some(known) => known.function = function,
            None if item.specifiers.is_virtual => {
                class.virtuals.push(Virtual { name, parameters, is_const, function });
            }
            None => {}
        }
    }

    /// The type of the elements of tables.
    fn table_element(&mut self) -> Type {
        let void = self.program.types.void();
        let result = self.written_of(void);
        let function = FunctionForm {
            result,
            parameters: Default::default(),
            variadic: false,
            is_const: false,
            ends_in_pack: false,
        };
        let function = Written::bare(self.intern(FormKind::Function(function)));
        let pointer = self.written.pointer(&mut self.program.types, function);
        self.type_of(pointer)
    }

    /// The type of the address of a table.
    fn table_pointer(&mut self) -> Type {
        let element = self.table_element();
        self.program.types.pointer(element, AddressSpace::Generic)
    }

    /// The table of a class.
    fn table_of(&mut self, number: Struct, location: Location) -> Outcome<Option<Global>> {
        let Some(class) = self.classes.get(&number).filter(|class| class.table_at.is_some()) else { return Ok(None) };
        if class.table.is_some() {
            return Ok(class.table);
        }
        let virtuals = class.virtuals.clone();
        self.spend_elements(virtuals.len() as u64, location)?;
        let element = self.table_element();
        let length = virtuals.len().max(1);
        let of = self.program.types.intern(TypeKind::Array { element, length: length as u64 });
        let mut functions = Vec::with_capacity(length);
        for Virtual { function: (set, index), .. } in virtuals {
            let is_pure =
                self.sets[set].candidates[index].item.is_some_and(|item| matches!(item.body, crate::tree::Body::Pure));
            functions.push(match is_pure {
                true => Constant::Zero,
                false => {
                    self.want_body(set, index);
                    Constant::Function(self.mention(set, index))
                }
            });
        }
        functions.resize(length, Constant::Zero);
        let name = self.unique_name(".virtuals");
        let table = self.program.globals.push(GlobalData {
            name,
            written: String::new(),
            of,
            space: self.string_space(),
            is_constant: true,
            is_external: false,
            is_internal: true,
            initializer: Some(Constant::Aggregate(functions)),
            alignment: None,
            location,
        });
        if let Some(class) = self.classes.get_mut(&number) {
            class.table = Some(table);
        }
        Ok(Some(table))
    }

    /// The place in an object of a class where the address of its table is.
    fn table_place(&mut self, object: Operand, number: Struct, location: Location) -> Outcome<Option<Expression>> {
        let (mut object, mut number) = (object, number);
        loop {
            match self.classes.get(&number).and_then(|class| class.table_at) {
                Some(TableAt::Member(index)) => {
                    return Ok(Some(self.build().field(object.expression, index, location)));
                }
                Some(TableAt::Base(base)) => {
                    object = self.base_part(object, base, location)?;
                    number = base;
                }
                None => return Ok(None),
            }
        }
    }

    /// Lets an object be one of a class. None where the class has no virtual functions.
    pub(super) fn set_table(
        &mut self,
        object: Operand,
        number: Struct,
        location: Location,
    ) -> Outcome<Option<Expression>> {
        let Some(table) = self.table_of(number, location)? else { return Ok(None) };
        let Some(place) = self.table_place(object, number, location)? else { return Ok(None) };
        let table = self.build().global(table, location);
        let address = self.build().rvalue(table);
        let to = self.table_pointer();
        let address = match self.build().type_of(address) == to {
            true => address,
            false => self.build().convert_to(Conversion::Pointer, address, to),
        };
        Ok(Some(self.push_assign(place, address, location)))
    }

    /// The class and the place in its table of a function that is called through the table of an object.
    pub(super) fn virtual_slot(&self, chosen: &Chosen, object: Operand) -> Option<(Struct, usize)> {
        let class = chosen.class?;
        let virtuals = &self.classes.get(&class)?.virtuals;
        let slot = virtuals.iter().position(|known| Some(known.function) == chosen.candidate)?;
        (!self.is_whole_object(object.expression)).then_some((class, slot))
    }

    /// Whether a place is a variable or a member, so that the class of the object there is known.
    fn is_whole_object(&self, place: Expression) -> bool {
        match self.state.body.expressions[place].kind {
            ExpressionKind::Variable(_) | ExpressionKind::Global(_) => true,
            ExpressionKind::Comma(_, last) => self.is_whole_object(last),
            ExpressionKind::Field { base, index } => {
                // Bases are members without names.
                let of = self.state.body.expressions[base].of;
                match *self.program.types.kind(of) {
                    TypeKind::Struct(number) => {
                        !self.program.types.structs[number].fields[index as usize].name.is_empty()
                    }
                    _ => false,
                }
            }
            _ => false,
        }
    }

    /// A call through the table of an object.
    pub(super) fn call_virtual(
        &mut self,
        (class, slot): (Struct, usize),
        chosen: &Chosen,
        object: Operand,
        arguments: &[Operand],
        location: Location,
    ) -> Outcome<Operand> {
        let object = self.base_part(object, class, location)?;
        // The object's place is found once.
        let address = self.build().address_of(object.expression, location)?;
        let of = self.build().type_of(address);
        let kept = self.new_variable("", of, None, location);
        let place = self.build().variable(kept, location);
        let filled = self.push_assign(place, address, location);
        let pointer = self.build().variable(kept, location);
        let pointer = self.build().load(pointer);
        let expression = self.build().dereference(pointer, location)?;
        let object = Operand { expression, ..object };
        let Some(table) = self.table_place(object, class, location)? else {
            return Err(Diagnostic::unsupported(location, "a virtual function of a class without a table"));
        };
        let table = self.build().load(table);
        let index = self.program.types.integer(64, true);
        let index = self.build().integer(slot as i128, index, location);
        let entry = self.build().index(table, index, location)?;
        let entry = self.build().load(entry);
        let function = Written::bare(self.intern(FormKind::Function(chosen.of.clone())));
        let pointer = self.written.pointer(&mut self.program.types, function);
        let pointer = self.type_of(pointer);
        let pointer = self.build().convert_to(Conversion::Pointer, entry, pointer);
        let all: SmallVec<[Operand; 4]> = std::iter::once(object).chain(arguments.iter().copied()).collect();
        let arguments = self.pass(chosen, &all, location)?;
        let made = self.push_call(ExpressionKind::CallPointer { pointer, arguments }, &chosen.of, location);
        let expression = self.build().comma(filled, made.expression, location);
        Ok(Operand { expression, ..made })
    }

    /// Whether a name is written with that of the scope that it is in.
    pub(super) fn is_qualified(&self, name: Expr) -> bool {
        self.qualified.contains(&name)
    }

    /// What a name in an expression means; `::f` is what the file has, whatever the class or function around it does.
    pub(super) fn find_used(&self, name: Name, expr: Expr) -> Option<&Meaning> {
        let is_of_file = matches!(name.kind(), NameKind::Plain(_)) && self.is_qualified(expr);
        let found = match is_of_file {
            true => self.file.find(name, NameSpace::Ordinary),
            false => self.find(name, NameSpace::Ordinary),
        };
        found.map(|(meaning, _)| meaning)
    }
}
