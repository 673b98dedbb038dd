//! Specifiers and declarators as types.

use std::rc::Rc;

use super::names::{Meaning, NameSpace};
use super::pack::Expansion;
use super::written::{FormKind, FunctionForm, Length, Spelling, Written};
use super::{Checker, Outcome};
use crate::diagnostic::Diagnostic;
use crate::source::Location;
use crate::token::Symbol;
use crate::tree::{
    Attribute, BuiltinType, Declarator, DeclaratorData, Expr, ExprKind, InitDeclarator, Name, Parameter, Scalar,
    Specifiers, TypeName, TypeSpecifier,
};
use crate::typed::{AddressSpace, FloatKind, Layout, Shape, Type, TypeKind};

impl<'a> Checker<'a> {
    /// The type that specifiers give; in OpenCL with the address space, which is part of it there.
    pub(super) fn specified(&mut self, specifiers: &'a Specifiers) -> Outcome<Written> {
        let of = self.specified_without_attributes(specifiers)?;
        self.with_lanes(of, &specifiers.attributes)
    }

    /// A vector of a type, where attributes say so: `ext_vector_type(4)` has so many elements, `vector_size(16)` so many bytes (Clang Language Extensions, "Vectors and Extended Vectors").
    pub(super) fn with_lanes(&mut self, of: Written, attributes: &'a [Attribute]) -> Outcome<Written> {
        let find = |attribute: &&Attribute| {
            matches!(self.symbols.text(attribute.name), "ext_vector_type" | "vector_size" | "__vector_size__")
        };
        let Some(attribute) = attributes.iter().find(find) else { return Ok(of) };
        let location = attribute.location;
        let Some(&count) = attribute.arguments.first() else { return Ok(of) };
        let operand = self.operand(count)?;
        let element = self.type_of(of);
        let is_number = matches!(self.build().shape(element), Shape::Integer { .. } | Shape::Float(_));
        let Some(count) = self.known_integer(operand.expression, location)?.filter(|_| is_number) else {
            return match self.is_tolerant() {
                true => Ok(self.unknown_type()),
                false => Err(Diagnostic::error(location, "a vector has a known number of elements, which are numbers")),
            };
        };
        let size = match self.symbols.text(attribute.name) {
            "ext_vector_type" => 1,
            _ => Layout { types: &self.program.types, target: self.program.target }.size(element),
        };
        let lanes = u8::try_from(count / i128::from(size)).ok().filter(|&lanes| lanes > 0);
        let message = "a vector has 1 to 255 elements";
        let lanes = lanes.ok_or_else(|| Diagnostic::unsupported(location, message))?;
        let vector = self.program.types.vector(element, lanes);
        Ok(Written { form: self.written_of(vector).form, ..of })
    }

    fn specified_without_attributes(&mut self, specifiers: &'a Specifiers) -> Outcome<Written> {
        let location = specifiers.location;
        let of = match &specifiers.of {
            None => return Err(Diagnostic::error(location, "a declaration needs a type")),
            // What it is a pipe of is only between the host and the packets.
            Some(_) if self.has(&specifiers.attributes, "pipe") => {
                let of = self.program.types.intern(TypeKind::Opaque("pipe".into()));
                self.written_of(of)
            }
            Some(TypeSpecifier::Builtin(BuiltinType::Opaque(name))) => self.opaque_type(*name, specifiers),
            Some(TypeSpecifier::Builtin(builtin)) => self.builtin_type(*builtin),
            Some(TypeSpecifier::Named(name, location)) => {
                let found = self.named_type(*name, *location);
                self.type_or_unknown(found)?
            }
            Some(TypeSpecifier::Record(record)) => {
                let made = self.record(record);
                if made.is_err() {
                    self.forget_record(record);
                }
                self.type_or_unknown(made)?
            }
            Some(TypeSpecifier::Enum(of)) => {
                let made = self.enumeration(of);
                self.type_or_unknown(made)?
            }
            Some(TypeSpecifier::Unknown(name, location)) => {
                // It may be a type of a class that the parser did not know.
                self.require_owners(*name)?;
                if let Some((&Meaning::Type(of), _)) = self.find(*name, NameSpace::Ordinary) {
                    return Ok(self.qualified(of, specifiers));
                }
                self.note_of_host(*name, *location);
                if self.is_open_name(*name) {
                    let of = self.unknown_type();
                    return Ok(self.qualified(of, specifiers));
                }
                let reason = self.unknown_type_named(*name, *location);
                self.note_unknown(&reason);
                self.unknown_type()
            }
            Some(TypeSpecifier::Auto) if self.is_tolerant() => self.unknown_type(),
            Some(TypeSpecifier::Auto) => {
                return Err(Diagnostic::error(location, "`auto` needs a variable with an initialiser here"));
            }
            Some(TypeSpecifier::TypeOf(of)) => {
                let operand = self.expression(*of)?;
                Written { space: None, ..operand.written }
            }
            Some(TypeSpecifier::TypeOfType(of)) => self.type_name(of)?,
            Some(
                of @ (TypeSpecifier::Template(..) | TypeSpecifier::Member(..) | TypeSpecifier::MemberTemplate(..)),
            ) => {
                let found = self.written_specifier(of);
                self.type_or_unknown(found)?
            }
        };
        Ok(self.qualified(of, specifiers))
    }

    /// `A<int>`, `A<int>::type`, and what else the name of a class can be.
    pub(super) fn written_specifier(&mut self, of: &'a TypeSpecifier) -> Outcome<Written> {
        match of {
            TypeSpecifier::Named(name, location) => self.named_type(*name, *location),
            TypeSpecifier::Template(named, location) => self.class_instance(named.0, &named.1, *location),
            TypeSpecifier::Member(of, name, location) => {
                let of = self.written_specifier(of)?;
                self.member_type_named(of, *name, *location)
            }
            TypeSpecifier::MemberTemplate(of, location) => {
                let (of, name, arguments) = &**of;
                let class = self.written_specifier(of)?;
                self.member_instance(class, *name, arguments, *location)
            }
            TypeSpecifier::TypeOf(of) => Ok(self.expression(*of)?.written.unqualified()),
            _ => Err(Diagnostic::unsupported(Location::NONE, "a type of this form is not supported here")),
        }
    }

    /// A type with the qualifiers beside it.
    fn qualified(&self, of: Written, specifiers: &Specifiers) -> Written {
        let space = if self.is_opencl() { specifiers.space } else { None };
        Written {
            form: of.form,
            is_const: of.is_const || specifiers.is_const,
            is_volatile: of.is_volatile || specifiers.is_volatile,
            space: space.or(of.space),
        }
    }

    /// A type without a name being declared.
    pub(super) fn type_name(&mut self, of: &'a TypeName) -> Outcome<Written> {
        let base = self.specified(&of.specifiers)?;
        self.declared(base, &of.declarator, of.specifiers.location)
    }

    /// A base with what a declarator puts around it.
    pub(super) fn declared(
        &mut self,
        base: Written,
        declarator: &'a Declarator,
        location: Location,
    ) -> Outcome<Written> {
        self.deeper(location)?;
        let result = self.declared_inside(base, declarator, location);
        self.state.depth -= 1;
        result
    }

    /// The type of a variable: with `constexpr`, it is constant, and not what it points at.
    pub(super) fn declared_variable(
        &mut self,
        specifiers: &Specifiers,
        base: Written,
        declarator: &'a InitDeclarator,
    ) -> Outcome<Written> {
        let DeclaratorData { declarator, location, attributes, .. } = &declarator.declarator;
        let base = self.with_lanes(base, attributes)?;
        let of = self.declared(base, declarator, *location)?;
        Ok(if specifiers.is_constexpr { of.constant() } else { of })
    }

    fn declared_inside(&mut self, base: Written, declarator: &'a Declarator, location: Location) -> Outcome<Written> {
        Ok(match declarator {
            Declarator::Base => base,
            Declarator::Pointer(inner, qualifiers) => {
                let to = self.declared(base, inner, location)?;
                if let FormKind::Reference(..) = self.form(to) {
                    return Err(Diagnostic::error(location, "there are no pointers to references"));
                }
                let pointer = self.written.pointer(&mut self.program.types, to);
                Written {
                    is_const: qualifiers.is_const,
                    is_volatile: qualifiers.is_volatile,
                    space: qualifiers.space,
                    ..pointer
                }
            }
            Declarator::Reference(inner, is_rvalue) => {
                let to = self.declared(base, inner, location)?;
                let of = self.written.type_of(to.form);
                if of.is_some_and(|of| *self.program.types.kind(of) == TypeKind::Void) {
                    return Err(Diagnostic::error(location, "a reference cannot be of `void`"));
                }
                self.written.reference(&mut self.program.types, to, *is_rvalue)
            }
            Declarator::Member(member) => {
                let of = self.declared(base, &member.of, location)?;
                let class = self.written_specifier(&member.class);
                let class = self.type_or_unknown(class)?;
                let pointer = self.member_pointer(of, class, member.is_const_function, location)?;
                let qualifiers = member.qualifiers;
                Written { is_const: qualifiers.is_const, is_volatile: qualifiers.is_volatile, ..pointer }
            }
            Declarator::Array(inner, length) => {
                let element = self.declared(base, inner, location)?;
                match self.form(element) {
                    FormKind::Function(_) | FormKind::Reference(..) => {
                        return Err(Diagnostic::error(location, "there are no arrays of functions or references"));
                    }
                    FormKind::Plain(of, _) if *self.program.types.kind(*of) == TypeKind::Void => {
                        return Err(Diagnostic::error(location, "there are no arrays of void"));
                    }
                    _ => {}
                }
                self.check_dimensions(element, location)?;
                let length = length.map_or(Ok(Length::Unknown), |length| self.array_length(length))?;
                let array = self.written.array(&mut self.program.types, element, length);
                if let Some(of) = self.written.type_of(array.form) {
                    self.check_size(of, location)?;
                }
                array
            }
            Declarator::Function(inner, parameters, variadic) => {
                let result = self.declared(base, inner, location)?;
                let wrong = match self.form(result) {
                    FormKind::Function(_) => Some("a function"),
                    FormKind::Array(..) => Some("an array"),
                    _ => None,
                };
                if let Some(wrong) = wrong {
                    return Err(Diagnostic::error(location, format!("a function does not return {wrong}")));
                }
                let ends_in_pack = self.ends_in_pack(parameters);
                let parameters = self.parameter_types(parameters)?;
                let variadic = *variadic;
                let function = FunctionForm { result, parameters, variadic, is_const: false, ends_in_pack };
                Written::bare(self.intern(FormKind::Function(function)))
            }
        })
    }

    /// The text of types in IR is as long as the number of dimensions, in each mention.
    fn check_dimensions(&self, mut of: Written, location: Location) -> Outcome<()> {
        let limit = self.limits().array_dimensions;
        for _ in 1..limit {
            let FormKind::Array(element, _) = *self.form(of) else { return Ok(()) };
            of = element;
        }
        let message = format!("arrays of more than {limit} dimensions are not supported");
        Err(Diagnostic::unsupported(location, message).as_limit().raised_by("array-dimensions"))
    }

    /// The types of parameters; `(void)` has none.
    pub(super) fn parameter_types(&mut self, parameters: &'a [Parameter]) -> Outcome<Rc<[Written]>> {
        if let [only] = parameters
            && only.declarator.name.is_none()
            && matches!(only.declarator.declarator, Declarator::Base)
            && let Some(TypeSpecifier::Builtin(BuiltinType::Void)) = only.specifiers.of
        {
            return Ok(Rc::default());
        }
        let mut types = Vec::with_capacity(parameters.len());
        for parameter in parameters {
            let is_pack = parameter.declarator.is_pack;
            match is_pack.then(|| self.expansion(&parameter.packs, parameter.declarator.location)).transpose()? {
                Some(Expansion::Elements(elements)) => {
                    let each = |checker: &mut Self| checker.parameter_type(parameter);
                    types.extend(self.for_each_element(&elements, each)?);
                }
                _ => types.push(self.parameter_type(parameter)?),
            }
        }
        Ok(types.into())
    }

    /// Whether the last of some parameters is a pack of which it is still to be found what it stands for.
    pub(super) fn ends_in_pack(&self, parameters: &[Parameter]) -> bool {
        parameters.last().is_some_and(|last| last.declarator.is_pack && self.is_pattern(&last.packs))
    }

    /// The type of a parameter: arrays and functions are pointers there.
    pub(super) fn parameter_type(&mut self, parameter: &'a Parameter) -> Outcome<Written> {
        let location = parameter.declarator.location;
        let base = self.specified(&parameter.specifiers)?;
        let of = self.declared(base, &parameter.declarator.declarator, location)?;
        match *self.form(of) {
            FormKind::Array(element, _) => {
                let element = element.within(of);
                Ok(self.written.pointer(&mut self.program.types, element))
            }
            FormKind::Function(_) => Ok(self.written.pointer(&mut self.program.types, of)),
            FormKind::Plain(plain, _) if *self.program.types.kind(plain) == TypeKind::Void => {
                Err(Diagnostic::error(location, "a parameter cannot be `void`"))
            }
            _ => Ok(of),
        }
    }

    fn array_length(&mut self, length: Expr) -> Outcome<Length> {
        let location = self.tree.expressions[length].location;
        if let ExprKind::Name(name) = self.tree.expressions[length].kind
            && let Some((&Meaning::TemplateValue(number, _), _)) = self.find(name, NameSpace::Ordinary)
        {
            return Ok(Length::Parameter(number));
        }
        let operand = self.operand(length)?;
        let value = self.build().rvalue(operand.expression);
        match self.known_integer(value, location)? {
            // Nothing that is analysed depends on how long an array is.
            None if self.is_tolerant() => Ok(Length::Known(1)),
            Some(value) if value < 0 => {
                Err(Diagnostic::error(location, format!("an array cannot have {value} elements")))
            }
            Some(value) if value > i128::from(u32::MAX) => {
                Err(Diagnostic::error(location, format!("an array cannot have as many as {value} elements")))
            }
            Some(value) => Ok(Length::Known(value as u64)),
            None => {
                let of = self.type_of(operand.written);
                match self.program.types.kind(of) {
                    TypeKind::Integer { .. } | TypeKind::Bool => Err(Diagnostic::unsupported(
                        location,
                        "arrays whose length is not a constant are not supported",
                    )),
                    _ => {
                        let name = self.name_of(operand.written);
                        Err(Diagnostic::error(location, format!("the length of an array is an integer, not `{name}`")))
                    }
                }
            }
        }
    }

    /// What the name of a type means.
    pub(super) fn named_type(&mut self, name: Name, location: Location) -> Outcome<Written> {
        self.require_owners(name)?;
        match self.find(name, NameSpace::Ordinary) {
            Some((&Meaning::Type(of), _)) => return Ok(of),
            Some((&Meaning::ClassTemplate(template), _)) => match self.injected(template) {
                Some(class) => return Ok(Written::bare(self.intern(FormKind::Struct(class)))),
                None => return self.class_instance(name, &[], location),
            },
            _ => {}
        }
        if self.is_cpp()
            && let Some((&Meaning::Type(of), _)) = self.find(name, NameSpace::Tag)
        {
            return Ok(of);
        }
        let suggestion = self.suggestion(name);
        let mut wrong = Diagnostic::error(location, format!("`{}` is not a type{suggestion}", self.name_text(name)));
        if suggestion.is_empty() {
            // Of OpenCL C, the parser knows it: what it is made of is for the host to give.
            wrong.ground = self.ground_of_type(name);
        }
        Err(wrong)
    }

    pub(super) fn builtin_type(&mut self, builtin: BuiltinType) -> Written {
        let types = &mut self.program.types;
        let mut spelling = Spelling::Usual;
        let of = match builtin {
            BuiltinType::Void => types.void(),
            BuiltinType::Bool => types.bool(),
            BuiltinType::Integer { bits, signed } => types.integer(bits, signed),
            BuiltinType::Char => {
                spelling = Spelling::Char;
                types.integer(8, true)
            }
            BuiltinType::LongLong { signed } => {
                spelling = Spelling::LongLong;
                types.integer(64, signed)
            }
            BuiltinType::Half => types.float(FloatKind::Half),
            BuiltinType::BFloat => types.float(FloatKind::BFloat),
            BuiltinType::Float => types.float(FloatKind::Single),
            BuiltinType::Double => types.float(FloatKind::Double),
            BuiltinType::Vector { element, lanes, cuda } => {
                let element = self.scalar_type(element);
                let types = &mut self.program.types;
                match cuda {
                    true => types.cuda_vector(element, lanes),
                    false => types.vector(element, lanes),
                }
            }
            BuiltinType::Dim3 => types.dim3(),
            BuiltinType::Opaque(name) => types.intern(TypeKind::Opaque(self.symbols.text(name).to_string())),
        };
        match *self.program.types.kind(of) {
            TypeKind::Struct(_) => self.written_of(of),
            _ => self.written.plain(&mut self.program.types, of, spelling),
        }
    }

    /// A type that is only passed on. Images are different types by what may be done with them.
    fn opaque_type(&mut self, name: Symbol, specifiers: &Specifiers) -> Written {
        let text = self.text(name);
        if !text.starts_with("image") {
            return self.builtin_type(BuiltinType::Opaque(name));
        }
        let words = ["write_only", "read_write"];
        let access = words.into_iter().find(|word| self.has(&specifiers.attributes, word)).unwrap_or("read_only");
        let of = self.program.types.intern(TypeKind::Opaque(format!("{access} {text}")));
        self.written_of(of)
    }

    fn scalar_type(&mut self, scalar: Scalar) -> Type {
        let types = &mut self.program.types;
        match scalar {
            Scalar::Bool => types.bool(),
            Scalar::Integer { bits, signed } => types.integer(bits, signed),
            Scalar::Half => types.float(FloatKind::Half),
            Scalar::BFloat => types.float(FloatKind::BFloat),
            Scalar::Float => types.float(FloatKind::Single),
            Scalar::Double => types.float(FloatKind::Double),
        }
    }

    /// Where specifiers put a variable: the address space, also where it is written as an attribute.
    pub(super) fn storage_space(&self, specifiers: &Specifiers) -> Option<AddressSpace> {
        let attribute = || {
            let spaces = [
                ("shared", AddressSpace::Local),
                ("constant", AddressSpace::Constant),
                ("device", AddressSpace::Global),
            ];
            spaces.iter().find(|(name, _)| self.has(&specifiers.attributes, name)).map(|&(_, space)| space)
        };
        let device = (specifiers.is_device && !self.is_opencl()).then_some(AddressSpace::Global);
        specifiers.space.or_else(attribute).or(device)
    }
}
