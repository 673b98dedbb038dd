//! Types as they are written: with `const`, references, enumerations, and the parameters of templates.
//!
//! **Invariant.** Shapes are interned: equal types are equal numbers. Every form without template parameters has a [`Type`] of the program, in which
//! qualifiers are forgotten, references are pointers and enumerations are integers. The space of a pointee is always known.

use std::rc::Rc;

use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{PrimaryMap, SecondaryMap, entity_impl};
use rustc_hash::FxHashMap;

use crate::source::Location;
use crate::tree::Name;
use crate::typed::{AddressSpace, Struct, Type, TypeKind, Types};

/// A type without qualifiers of its own.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Form(u32);
entity_impl!(Form, "form");

/// An enumeration.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Enum(u32);
entity_impl!(Enum, "enum");

/// A type with its qualifiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Written {
    pub(crate) form: Form,
    pub(crate) is_const: bool,
    pub(crate) is_volatile: bool,
    /// Where the thing is, as far as the type says it; always known for what a pointer points at.
    pub(crate) space: Option<AddressSpace>,
}

/// Types that are different only in their names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Spelling {
    /// The usual name.
    Usual,
    /// `char`, which is another type than `signed char` in C++.
    Char,
    /// `long long`, which is another type than `long`.
    LongLong,
}

/// How long an array is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Length {
    Known(u64),
    Unknown,
    /// The value parameter of a template with that number.
    Parameter(u16),
}

/// What a form is.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum FormKind {
    /// Void, bool, integers, floats, vectors, opaque types.
    Plain(Type, Spelling),
    Enum(Enum),
    Pointer(Written),
    /// `&`, or `&&` where it says so.
    Reference(Written, bool),
    Array(Written, Length),
    Struct(Struct),
    Function(FunctionForm),
    /// A pointer to a member of a class: what the member is, and the class.
    MemberPointer(Written, Form),
    /// The type parameter of a template with that number.
    Parameter(u16),
    /// An instance of a template of classes, by its number, for arguments that depend on a template's parameters.
    Instance(usize, Rc<[Argument]>),
}

/// The type of a function.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct FunctionForm {
    pub(crate) result: Written,
    pub(crate) parameters: Rc<[Written]>,
    pub(crate) variadic: bool,
    /// Whether it is one for objects that it does not change: `int (A::*)() const`. Never so for what a function takes that has its object among its parameters.
    pub(crate) is_const: bool,
    /// Whether the last parameter is one for each of what a pack of a template stands for, of which that is still to be found.
    pub(crate) ends_in_pack: bool,
}

/// An enumeration.
#[derive(Debug)]
pub(crate) struct EnumData {
    /// The name, that of a `typedef` where it has none of its own.
    pub(crate) name: Option<Name>,
    /// Its names need `E::` and it does not become an integer by itself.
    pub(crate) is_class: bool,
    pub(crate) underlying: Type,
    /// What it becomes in arithmetic.
    pub(crate) promoted: Type,
    /// Whether it is defined, with names in it.
    pub(crate) has_members: bool,
    pub(crate) location: Location,
}

/// All written types of a file.
#[derive(Debug, Default)]
pub(crate) struct WrittenTypes {
    kinds: PrimaryMap<Form, (FormKind, Option<Type>)>,
    numbers: FxHashMap<FormKind, Form>,
    /// What [`WrittenTypes::written_of`] found before.
    usual: SecondaryMap<Type, PackedOption<Form>>,
    pub(crate) enums: PrimaryMap<Enum, EnumData>,
    /// The names of structs that are declared in the file, those of `typedef`s where they have none of their own.
    pub(crate) names: SecondaryMap<Struct, Option<Name>>,
    /// The arguments of structs that are instances of templates.
    pub(crate) arguments: FxHashMap<Struct, Rc<[Argument]>>,
    /// The classes around those that are declared in an instance of a template.
    pub(crate) around: FxHashMap<Struct, Struct>,
    /// The names of templates of classes, by their numbers.
    pub(crate) templates: Vec<Name>,
    packs: Vec<Rc<[Argument]>>,
    pack_numbers: FxHashMap<Rc<[Argument]>, Pack>,
}

impl Written {
    /// The type without qualifiers.
    pub(crate) fn bare(form: Form) -> Written {
        Written { form, is_const: false, is_volatile: false, space: None }
    }

    pub(crate) fn unqualified(self) -> Written {
        Written::bare(self.form)
    }

    pub(crate) fn constant(self) -> Written {
        Written { is_const: true, ..self }
    }

    pub(crate) fn in_space(self, space: AddressSpace) -> Written {
        Written { space: Some(space), ..self }
    }

    /// This type, with the qualifiers of what it is a part of.
    pub(crate) fn within(self, whole: Written) -> Written {
        Written {
            form: self.form,
            is_const: self.is_const || whole.is_const,
            is_volatile: self.is_volatile || whole.is_volatile,
            space: whole.space.or(self.space),
        }
    }

    fn pointed_at(self) -> Written {
        Written { space: Some(self.space.unwrap_or(AddressSpace::Generic)), ..self }
    }
}

impl WrittenTypes {
    /// The number of a form. The parts of it are there already.
    pub(crate) fn intern(&mut self, types: &mut Types, kind: FormKind) -> Form {
        if let Some(&number) = self.numbers.get(&kind) {
            return number;
        }
        let of = self.type_of_kind(types, &kind);
        let number = self.kinds.push((kind.clone(), of));
        self.numbers.insert(kind, number);
        number
    }

    pub(crate) fn kind(&self, form: Form) -> &FormKind {
        &self.kinds[form].0
    }

    /// A pack of some arguments.
    pub(crate) fn pack(&mut self, arguments: Vec<Argument>) -> Pack {
        let arguments: Rc<[Argument]> = arguments.into();
        *self.pack_numbers.entry(arguments).or_insert_with_key(|arguments| {
            self.packs.push(arguments.clone());
            Pack(self.packs.len() as u32 - 1)
        })
    }

    /// The arguments in a pack.
    pub(crate) fn elements(&self, pack: Pack) -> &Rc<[Argument]> {
        &self.packs[pack.0 as usize]
    }

    /// Whether an argument depends on the parameters of a template.
    pub(crate) fn is_dependent(&self, argument: Argument) -> bool {
        match argument {
            Argument::Type(of) => self.type_of(of.form).is_none(),
            Argument::Parameter(..) | Argument::Rest(_) => true,
            Argument::Pack(pack) => self.elements(pack).iter().any(|&element| self.is_dependent(element)),
            Argument::Value(..) | Argument::Unknown(_) | Argument::Template(_) => false,
        }
    }

    /// The type of the program; none where it depends on a template's parameter.
    pub(crate) fn type_of(&self, form: Form) -> Option<Type> {
        self.kinds[form].1
    }

    fn type_of_kind(&self, types: &mut Types, kind: &FormKind) -> Option<Type> {
        Some(match kind {
            FormKind::Plain(of, _) => *of,
            FormKind::Enum(of) => self.enums[*of].underlying,
            FormKind::Pointer(to) | FormKind::Reference(to, _) => {
                let (pointee, space) = (self.type_of(to.form)?, to.space.unwrap_or(AddressSpace::Generic));
                types.intern(TypeKind::Pointer { pointee, space, is_volatile: to.is_volatile })
            }
            FormKind::Array(element, length) => {
                let element = self.type_of(element.form)?;
                let length = match length {
                    Length::Known(length) => *length,
                    Length::Unknown => 0,
                    Length::Parameter(_) => return None,
                };
                types.intern(TypeKind::Array { element, length })
            }
            FormKind::Struct(of) => types.intern(TypeKind::Struct(*of)),
            FormKind::Function(function) => {
                let result = self.type_of(function.result.form)?;
                let parameter = |of: &Written| self.type_of(of.form);
                let parameters = function.parameters.iter().map(parameter).collect::<Option<Vec<_>>>()?;
                types.intern(TypeKind::Function { result, parameters, variadic: function.variadic })
            }
            FormKind::MemberPointer(of, class) => {
                let (_, _) = (self.type_of(of.form)?, self.type_of(*class)?);
                match self.kind(of.form) {
                    FormKind::Function(_) => types.member_function(),
                    _ => types.integer(64, true),
                }
            }
            FormKind::Parameter(_) | FormKind::Instance(..) => return None,
        })
    }

    /// Void, a number, a vector: what has no parts that could be qualified.
    pub(crate) fn plain(&mut self, types: &mut Types, of: Type, spelling: Spelling) -> Written {
        Written::bare(self.intern(types, FormKind::Plain(of, spelling)))
    }

    pub(crate) fn pointer(&mut self, types: &mut Types, to: Written) -> Written {
        Written::bare(self.intern(types, FormKind::Pointer(to.pointed_at())))
    }

    /// A pointer to a member of a class.
    pub(crate) fn member_pointer(&mut self, types: &mut Types, of: Written, class: Form) -> Written {
        Written::bare(self.intern(types, FormKind::MemberPointer(Written { space: None, ..of }, class)))
    }

    pub(crate) fn reference(&mut self, types: &mut Types, to: Written, is_rvalue: bool) -> Written {
        match *self.kind(to.form) {
            FormKind::Reference(inner, was_rvalue) if was_rvalue && !is_rvalue => self.reference(types, inner, false),
            FormKind::Reference(..) => to,
            _ => Written::bare(self.intern(types, FormKind::Reference(to.pointed_at(), is_rvalue))),
        }
    }

    /// An array. The qualifiers of its elements are its own, so that arrays of constants differ from others like constants do.
    pub(crate) fn array(&mut self, types: &mut Types, element: Written, length: Length) -> Written {
        let form = self.intern(types, FormKind::Array(element.unqualified(), length));
        Written { form, ..element }
    }

    /// The written type of a type of the program, without `const`.
    pub(crate) fn written_of(&mut self, types: &mut Types, of: Type) -> Written {
        if let Some(form) = self.usual[of].expand() {
            return Written::bare(form);
        }
        let written = self.make_written_of(types, of);
        self.usual[of] = written.form.into();
        written
    }

    fn make_written_of(&mut self, types: &mut Types, of: Type) -> Written {
        match types.kind(of).clone() {
            TypeKind::Pointer { pointee, space, is_volatile } => {
                let pointee = self.written_of(types, pointee);
                self.pointer(types, Written { is_volatile, ..pointee.in_space(space) })
            }
            TypeKind::Array { element, length } => {
                let element = self.written_of(types, element);
                self.array(types, element, Length::Known(length))
            }
            TypeKind::Struct(of) => Written::bare(self.intern(types, FormKind::Struct(of))),
            TypeKind::Function { result, parameters, variadic } => {
                let result = self.written_of(types, result);
                let parameters = parameters.iter().map(|&of| self.written_of(types, of)).collect();
                let function = FunctionForm { result, parameters, variadic, is_const: false, ends_in_pack: false };
                Written::bare(self.intern(types, FormKind::Function(function)))
            }
            _ => self.plain(types, of, Spelling::Usual),
        }
    }

    /// What a reference refers to; other types are themselves.
    pub(crate) fn referred(&self, of: Written) -> Written {
        match self.kind(of.form) {
            FormKind::Reference(to, _) => *to,
            _ => of,
        }
    }
}

/// Some arguments of templates, interned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Pack(u32);

/// What a template's parameter stands for in one instance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Argument {
    Type(Written),
    /// A number with its type.
    Value(i128, Written),
    /// A number of a type that is not known.
    Unknown(Written),
    /// The value parameter of another template with that number, of a type.
    Parameter(u16, Written),
    /// A template of classes, by its number.
    Template(usize),
    /// Any number of arguments.
    Pack(Pack),
    /// In a pack, where it depends on another template's parameters: any number of arguments like the one in this pack.
    Rest(Pack),
}
