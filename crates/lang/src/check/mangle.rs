//! Names of functions in IR: the Itanium C++ ABI, as far as functions of the subset need it.
//!
//! **Invariant.** A component that was spelled once is spelled `S_`, `S0_`, … afterwards. Components that would be spelled the same without
//! substitutions have one [`Key`]; the spellings themselves can be exponentially long.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::written::{Argument, FormKind, FunctionForm, Length, Written, WrittenTypes};
use crate::options::LowerTarget;
use crate::token::Symbols;
use crate::tree::{FunctionKind, Name, NameKind, Scopes};
use crate::typed::{AddressSpace, FloatKind, Struct, Type, TypeKind, Types};

/// What is not known, in a name: a type or an argument of a template.
const UNKNOWN: &str = "7unknown";

/// What a name is made from.
pub(crate) struct Mangler<'a> {
    types: &'a Types,
    written: &'a WrittenTypes,
    scopes: &'a Scopes,
    symbols: &'a Symbols,
    /// Whether the spaces of pointees are part of names, and their numbers.
    target: Option<LowerTarget>,
    result: String,
    /// The number of each component that was written.
    seen: FxHashMap<Key, usize>,
    keys: FxHashMap<Spelled, Key>,
    known: FxHashMap<Written, Key>,
}

/// The number of a spelling.
type Key = usize;

/// A spelling, made of others.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Spelled {
    /// Any number of types like one.
    Expansion(Key),
    /// A letter, or a name of the unit.
    Text(String),
    /// A name after those of the scopes around it.
    Member(Name),
    /// An instance of a template, or a class in one.
    Instance(Struct),
    /// A template in an instance of another one.
    MemberOf(Struct, Name),
    /// The same for arguments that depend on another template.
    Dependent(usize, Rc<[Argument]>),
    Plain(Type),
    Qualified(String, Key),
    Pointer(Key),
    Reference(Key, bool),
    Array(Key, Length),
    /// What it returns, what it takes, whether more, and whether it is `const`.
    Function(Key, Box<[Key]>, bool, bool),
    MemberPointer(Key, Key),
}

/// What is mangled.
pub(crate) struct Subject<'a> {
    pub(crate) name: Name,
    /// For an instance of a template, with the template's parameters in it.
    pub(crate) of: &'a FunctionForm,
    /// For an instance of a template.
    pub(crate) arguments: Option<&'a [Argument]>,
    /// The target where the spaces of pointees are part of the name (OpenCL).
    pub(crate) spaces: Option<LowerTarget>,
    /// `static`: an `L` before the name.
    pub(crate) is_internal: bool,
    /// The class of a member.
    pub(crate) class: Option<Class>,
    /// Whether the last parameter is a pack.
    pub(crate) ends_in_pack: bool,
}

/// What the name of a member says of its class.
pub(crate) struct Class {
    pub(crate) of: Struct,
    pub(crate) kind: FunctionKind,
    /// Whether the first parameter is the object.
    pub(crate) has_object: bool,
    /// Whether the object does not change.
    pub(crate) is_const: bool,
}

/// The name in IR of a function of C++.
pub(crate) fn function(
    types: &Types,
    written: &WrittenTypes,
    scopes: &Scopes,
    symbols: &Symbols,
    subject: &Subject,
) -> String {
    let mut mangler = Mangler {
        types,
        written,
        scopes,
        symbols,
        target: subject.spaces,
        result: "_Z".into(),
        seen: FxHashMap::default(),
        keys: FxHashMap::default(),
        known: FxHashMap::default(),
    };
    mangler.function_name(subject);
    if subject.arguments.is_some() && !matches!(&subject.class, Some(class) if class.kind != FunctionKind::Named) {
        mangler.of(subject.of.result);
    }
    let objects = subject.class.as_ref().map_or(0, |class| usize::from(class.has_object));
    let parameters = subject.of.parameters.get(objects..).unwrap_or(&[]);
    if parameters.is_empty() && !subject.of.variadic {
        mangler.result.push('v');
    }
    for (index, &parameter) in parameters.iter().enumerate() {
        match subject.ends_in_pack && index + 1 == parameters.len() {
            true => mangler.expansion(parameter.unqualified()),
            false => mangler.of(parameter.unqualified()),
        }
    }
    if subject.of.variadic {
        mangler.result.push('z');
    }
    mangler.result
}

impl Mangler<'_> {
    fn function_name(&mut self, subject: &Subject) {
        if let Some(class) = &subject.class {
            return self.member_name(subject, class);
        }
        let path = self.scopes.path(subject.name);
        let prefix = &path[..path.len() - 1];
        if !prefix.is_empty() {
            self.result.push('N');
            self.prefix(prefix);
        }
        self.result.push_str(if subject.is_internal { "L" } else { "" });
        self.function_component(subject.name, subject.of.parameters.len());
        if let Some(arguments) = subject.arguments {
            self.remember_name(subject.name);
            self.arguments(arguments);
        }
        if !prefix.is_empty() {
            self.result.push('E');
        }
    }

    /// The name of a member of a class.
    fn member_name(&mut self, subject: &Subject, class: &Class) {
        self.result.push_str(if class.is_const { "NK" } else { "N" });
        self.class_prefix(class.of);
        match class.kind {
            FunctionKind::Named => self.function_component(subject.name, subject.of.parameters.len()),
            FunctionKind::Constructor => self.result.push_str("C1"),
            FunctionKind::Destructor => self.result.push_str("D1"),
            FunctionKind::Conversion => {
                self.result.push_str("cv");
                self.of(subject.of.result);
            }
        }
        if let Some(arguments) = subject.arguments {
            let template = self.number(Spelled::MemberOf(class.of, subject.name));
            self.remember(template);
            self.arguments(arguments);
        }
        self.result.push('E');
    }

    /// Whether a class is an instance of a template, or in one.
    fn is_of_template(&self, of: Struct) -> bool {
        self.written.arguments.contains_key(&of) || self.written.around.contains_key(&of)
    }

    /// A class as what its members are in.
    fn class_prefix(&mut self, of: Struct) {
        let Some(name) = self.written.names[of] else {
            let text = counted(&self.types.structs[of].name);
            return self.result.push_str(&text);
        };
        let path = self.scopes.path(name);
        let arguments = self.written.arguments.get(&of).cloned();
        let around = self.written.around.get(&of).copied();
        if around.is_none() && arguments.is_none() {
            return self.prefix(&path);
        }
        let whole = self.number(Spelled::Instance(of));
        if self.again(whole) {
            return;
        }
        match around {
            Some(around) => {
                let template = self.number(Spelled::MemberOf(around, name));
                if arguments.is_none() || !self.again(template) {
                    self.class_prefix(around);
                    self.component(name);
                    if arguments.is_some() {
                        self.remember(template);
                    }
                }
            }
            None => self.prefix(&path),
        }
        if let Some(arguments) = arguments {
            self.arguments(&arguments);
        }
        self.remember(whole);
    }

    /// An instance of a template of classes.
    fn instance(&mut self, name: Name, arguments: &[Argument]) {
        let path = self.scopes.path(name);
        let is_nested = path.len() > 1;
        self.result.push_str(if is_nested { "N" } else { "" });
        self.prefix(&path);
        self.arguments(arguments);
        self.result.push_str(if is_nested { "E" } else { "" });
    }

    /// A template of classes by itself.
    fn instance_name(&mut self, name: Name) {
        let whole = self.name_key(name);
        if self.again(whole) {
            return;
        }
        let path = self.scopes.path(name);
        let is_nested = path.len() > 1;
        self.result.push_str(if is_nested { "N" } else { "" });
        self.prefix(&path);
        self.result.push_str(if is_nested { "E" } else { "" });
    }

    /// The last part of a function's name, which an operator has a code for; its number of operands matters.
    fn function_component(&mut self, name: Name, operands: usize) {
        match self.spelling(name).strip_prefix("operator").and_then(|text| operator_code(text, operands)) {
            Some(code) => self.result.push_str(code),
            None => self.component(name),
        }
    }

    /// The names before the last, each being a component of its own.
    fn prefix(&mut self, names: &[Name]) {
        if let [only] = *names
            && self.spelling(only) == "std"
        {
            self.result.push_str("St");
            return;
        }
        let mut start = 0;
        for (index, &name) in names.iter().enumerate().rev() {
            let key = self.name_key(name);
            if self.again(key) {
                start = index + 1;
                break;
            }
        }
        for &name in &names[start..] {
            self.component(name);
            self.remember_name(name);
        }
    }

    fn spelling(&self, name: Name) -> &str {
        self.symbols.text(self.scopes.spelling(name))
    }

    /// The last part of a name.
    fn component(&mut self, name: Name) {
        let text = counted(self.spelling(name));
        self.result.push_str(&text);
    }

    fn arguments(&mut self, arguments: &[Argument]) {
        self.result.push('I');
        arguments.iter().for_each(|&argument| self.argument(argument));
        self.result.push('E');
    }

    fn argument(&mut self, argument: Argument) {
        match argument {
            Argument::Type(of) => self.of(of),
            Argument::Unknown(_) => self.result.extend(["XL", UNKNOWN, "EE"]),
            Argument::Parameter(number, of) if self.is_void(of) => self.template_parameter(number),
            Argument::Parameter(number, _) => self.result.push_str(&format!("X{}E", parameter(number))),
            Argument::Template(number) => self.instance_name(self.written.templates[number]),
            Argument::Value(value, of) => {
                self.result.push('L');
                self.of(of.unqualified());
                let sign = if value < 0 { "n" } else { "" };
                self.result.push_str(&format!("{sign}{}E", value.unsigned_abs()));
            }
            Argument::Pack(pack) => {
                self.result.push('J');
                let written = self.written;
                written.elements(pack).iter().for_each(|&element| self.argument(element));
                self.result.push('E');
            }
            Argument::Rest(pattern) => match self.written.elements(pattern)[0] {
                Argument::Type(of) => self.expansion(of),
                element => {
                    self.result.push_str("Dp");
                    self.argument(element);
                }
            },
        }
    }

    /// `T...`.
    fn expansion(&mut self, of: Written) {
        let key = self.key(of);
        let key = self.number(Spelled::Expansion(key));
        if !self.again(key) {
            self.result.push_str("Dp");
            self.of(of);
            self.remember(key);
        }
    }

    fn remember_name(&mut self, name: Name) {
        let key = self.name_key(name);
        self.remember(key);
    }

    fn remember(&mut self, key: Key) {
        let number = self.seen.len();
        self.seen.entry(key).or_insert(number);
    }

    /// Writes the substitution of a component that was written before.
    fn again(&mut self, key: Key) -> bool {
        let Some(&number) = self.seen.get(&key) else { return false };
        self.result.push('S');
        if let Some(mut rest) = number.checked_sub(1) {
            let mut digits = Vec::new();
            loop {
                digits.push(char::from_digit((rest % 36) as u32, 36).unwrap_or('0').to_ascii_uppercase());
                rest /= 36;
                if rest == 0 {
                    break;
                }
            }
            self.result.extend(digits.iter().rev());
        }
        self.result.push('_');
        true
    }

    fn of(&mut self, of: Written) {
        if let FormKind::Array(element, length) = *self.written.kind(of.form) {
            return self.array(element.within(of), length);
        }
        let qualifiers = self.qualifiers(of);
        if qualifiers.is_empty() {
            return self.unqualified(of);
        }
        let key = self.key(of);
        if !self.again(key) {
            self.result.push_str(&qualifiers);
            self.unqualified(of);
            self.remember(key);
        }
    }

    /// `V`, `K` and the space.
    fn qualifiers(&self, of: Written) -> String {
        let space = self.target.and_then(|target| space_number(target, of.space?)).unwrap_or(0);
        let space = if space == 0 { String::new() } else { format!("U3AS{space}") };
        format!("{space}{}{}", if of.is_volatile { "V" } else { "" }, if of.is_const { "K" } else { "" })
    }

    fn unqualified(&mut self, of: Written) {
        if let FormKind::Plain(plain, spelling) = *self.written.kind(of.form)
            && let Some(code) = basic(self.types.kind(plain), spelling)
        {
            return self.result.push_str(code);
        }
        let key = self.key(of.unqualified());
        if self.again(key) {
            return;
        }
        match self.written.kind(of.form).clone() {
            FormKind::Plain(plain, _) => match self.types.kind(plain).clone() {
                TypeKind::Vector { element, lanes } => {
                    self.result.push_str(&format!("Dv{lanes}_"));
                    self.element(element);
                }
                TypeKind::Opaque(name) => self.result.push_str(&opaque(&name)),
                TypeKind::Unknown => self.result.push_str(UNKNOWN),
                _ => self.result.push('v'),
            },
            FormKind::Enum(of) => return self.type_name(self.written.enums[of].name, ""),
            FormKind::Struct(of) if self.written.around.contains_key(&of) => {
                self.result.push('N');
                self.class_prefix(of);
                self.result.push('E');
                return;
            }
            FormKind::Struct(of) => match (self.written.names[of], self.written.arguments.get(&of).cloned()) {
                (Some(name), Some(arguments)) => self.instance(name, &arguments),
                (name, _) => return self.type_name(name, &self.types.structs[of].name),
            },
            FormKind::Instance(number, arguments) => {
                let name = self.written.templates[number];
                self.instance(name, &arguments);
            }
            FormKind::Pointer(to) => {
                self.result.push('P');
                self.of(to);
            }
            FormKind::Reference(to, is_rvalue) => {
                self.result.push(if is_rvalue { 'O' } else { 'R' });
                self.of(to);
            }
            FormKind::Array(element, length) => return self.array(element, length),
            FormKind::MemberPointer(of, class) => {
                self.result.push('M');
                self.of(Written::bare(class));
                self.of(of);
            }
            FormKind::Function(function) => {
                self.result.push_str(if function.is_const { "KF" } else { "F" });
                self.of(function.result);
                for &of in &*function.parameters {
                    self.of(of.unqualified());
                }
                match (function.variadic, function.parameters.is_empty()) {
                    (true, _) => self.result.push('z'),
                    (false, true) => self.result.push('v'),
                    (false, false) => {}
                }
                self.result.push('E');
            }
            FormKind::Parameter(number) => self.result.push_str(&parameter(number)),
        }
        self.remember(key);
    }

    /// A template's parameter that is a template; as a value it would have a type.
    fn template_parameter(&mut self, number: u16) {
        let key = self.number(Spelled::Text(parameter(number)));
        if !self.again(key) {
            self.result.push_str(&parameter(number));
            self.remember(key);
        }
    }

    fn is_void(&self, of: Written) -> bool {
        matches!(*self.written.kind(of.form), FormKind::Plain(of, _) if *self.types.kind(of) == TypeKind::Void)
    }

    /// An array; the qualifiers are those of its elements.
    fn array(&mut self, element: Written, length: Length) {
        let key = self.key(element);
        let key = self.number(Spelled::Array(key, length));
        if self.again(key) {
            return;
        }
        match length {
            Length::Known(length) => self.result.push_str(&format!("A{length}_")),
            Length::Unknown => self.result.push_str("A_"),
            Length::Parameter(number) => self.result.push_str(&format!("A{}_", parameter(number))),
        }
        self.of(element);
        self.remember(key);
    }

    fn element(&mut self, of: Type) {
        let code = basic(self.types.kind(of), super::written::Spelling::Usual);
        self.result.push_str(code.unwrap_or("v"));
    }

    /// The name of a struct or enumeration; the names before the last are components too. One without a name has what stands for it.
    fn type_name(&mut self, name: Option<Name>, stand_in: &str) {
        let Some(name) = name else {
            self.result.push_str(&counted(stand_in));
            let key = self.number(Spelled::Text(counted(stand_in)));
            return self.remember(key);
        };
        let path = self.scopes.path(name);
        let prefix = &path[..path.len() - 1];
        if !prefix.is_empty() {
            self.result.push('N');
            self.prefix(prefix);
        }
        self.component(name);
        self.remember_name(name);
        if !prefix.is_empty() {
            self.result.push('E');
        }
    }

    /// The number of the spelling of a type without substitutions.
    fn key(&mut self, of: Written) -> Key {
        if let Some(&key) = self.known.get(&of) {
            return key;
        }
        let written = self.written;
        let key = match written.kind(of.form) {
            // The qualifiers are those of the elements.
            FormKind::Array(element, length) => {
                let element = self.key(element.within(of));
                self.number(Spelled::Array(element, *length))
            }
            kind => {
                let key = self.unqualified_key(kind);
                let qualifiers = self.qualifiers(of);
                if qualifiers.is_empty() { key } else { self.number(Spelled::Qualified(qualifiers, key)) }
            }
        };
        self.known.insert(of, key);
        key
    }

    fn unqualified_key(&mut self, kind: &FormKind) -> Key {
        let spelled = match kind {
            FormKind::Plain(plain, spelling) => match basic(self.types.kind(*plain), *spelling) {
                Some(code) => Spelled::Text(code.to_string()),
                None => Spelled::Plain(*plain),
            },
            FormKind::Enum(of) => return self.type_name_key(self.written.enums[*of].name, ""),
            FormKind::Struct(of) if self.is_of_template(*of) => Spelled::Instance(*of),
            FormKind::Instance(number, arguments) => Spelled::Dependent(*number, arguments.clone()),
            FormKind::Struct(of) => {
                return self.type_name_key(self.written.names[*of], &self.types.structs[*of].name);
            }
            FormKind::Pointer(to) => Spelled::Pointer(self.key(*to)),
            FormKind::Reference(to, is_rvalue) => Spelled::Reference(self.key(*to), *is_rvalue),
            FormKind::Array(element, length) => Spelled::Array(self.key(*element), *length),
            FormKind::Function(function) => {
                let result = self.key(function.result);
                let parameters = function.parameters.iter().map(|&of| self.key(of.unqualified())).collect();
                Spelled::Function(result, parameters, function.variadic, function.is_const)
            }
            FormKind::MemberPointer(of, class) => {
                let class = self.key(Written::bare(*class));
                Spelled::MemberPointer(class, self.key(*of))
            }
            FormKind::Parameter(number) => Spelled::Text(parameter(*number)),
        };
        self.number(spelled)
    }

    fn type_name_key(&mut self, name: Option<Name>, stand_in: &str) -> Key {
        match name {
            Some(name) => self.name_key(name),
            None => self.number(Spelled::Text(counted(stand_in))),
        }
    }

    /// The number of a name after those of the scopes around it.
    fn name_key(&mut self, name: Name) -> Key {
        let spelled = match name.kind() {
            NameKind::Plain(spelling) => Spelled::Text(counted(self.symbols.text(spelling))),
            NameKind::Member(_) => Spelled::Member(name),
        };
        self.number(spelled)
    }

    fn number(&mut self, spelled: Spelled) -> Key {
        let next = self.keys.len();
        *self.keys.entry(spelled).or_insert(next)
    }
}

/// The code of an operator with some operands.
fn operator_code(text: &str, operands: usize) -> Option<&'static str> {
    Some(match (text, operands) {
        ("+", 1) => "ps",
        ("-", 1) => "ng",
        ("*", 1) => "de",
        ("&", 1) => "ad",
        ("+", _) => "pl",
        ("-", _) => "mi",
        ("*", _) => "ml",
        ("/", _) => "dv",
        ("%", _) => "rm",
        ("^", _) => "eo",
        ("&", _) => "an",
        ("|", _) => "or",
        ("~", _) => "co",
        ("!", _) => "nt",
        ("=", _) => "aS",
        ("<", _) => "lt",
        (">", _) => "gt",
        ("+=", _) => "pL",
        ("-=", _) => "mI",
        ("*=", _) => "mL",
        ("/=", _) => "dV",
        ("%=", _) => "rM",
        ("^=", _) => "eO",
        ("&=", _) => "aN",
        ("|=", _) => "oR",
        ("<<", _) => "ls",
        (">>", _) => "rs",
        ("<<=", _) => "lS",
        (">>=", _) => "rS",
        ("==", _) => "eq",
        ("!=", _) => "ne",
        ("<=", _) => "le",
        (">=", _) => "ge",
        ("&&", _) => "aa",
        ("||", _) => "oo",
        ("++", _) => "pp",
        ("--", _) => "mm",
        (",", _) => "cm",
        ("->", _) => "pt",
        ("()", _) => "cl",
        ("[]", _) => "ix",
        _ => return None,
    })
}

/// A part of a name, after how many bytes it has.
fn counted(part: &str) -> String {
    format!("{}{part}", part.len())
}

fn parameter(number: u16) -> String {
    match number.checked_sub(1) {
        None => "T_".into(),
        Some(rest) => format!("T{rest}_"),
    }
}

/// The types that have a letter; they are never substituted.
fn basic(kind: &TypeKind, spelling: super::written::Spelling) -> Option<&'static str> {
    use super::written::Spelling;
    Some(match *kind {
        TypeKind::Void => "v",
        TypeKind::Bool => "b",
        TypeKind::Integer { bits, signed } => match (bits, signed, spelling) {
            (8, true, Spelling::Char) => "c",
            (8, true, _) => "a",
            (8, false, _) => "h",
            (16, true, _) => "s",
            (16, false, _) => "t",
            (32, true, _) => "i",
            (32, false, _) => "j",
            (64, true, Spelling::LongLong) => "x",
            (64, false, Spelling::LongLong) => "y",
            (64, true, _) => "l",
            (64, false, _) => "m",
            (_, true, _) => "n",
            (_, false, _) => "o",
        },
        TypeKind::Float(FloatKind::Half) => "Dh",
        TypeKind::Float(FloatKind::BFloat) => "DF16b",
        TypeKind::Float(FloatKind::Single) => "f",
        TypeKind::Float(FloatKind::Double) => "d",
        _ => return None,
    })
}

/// OpenCL's own types: `sampler_t` is `11ocl_sampler`, `read_only image2d_t` is `14ocl_image2d_ro`.
fn opaque(name: &str) -> String {
    let known: String = match name {
        "nullptr_t" => return "Dn".into(),
        other => {
            let (access, image) = other.split_once(' ').unwrap_or(("", other));
            let end = match access {
                "read_only" => "_ro",
                "write_only" => "_wo",
                "read_write" => "_rw",
                _ => "",
            };
            format!("ocl_{}{end}", image.strip_suffix("_t").unwrap_or(image))
        }
    };
    counted(&known)
}

/// The number of a space on a target; 0 is not spelled.
fn space_number(target: LowerTarget, space: AddressSpace) -> Option<u32> {
    Some(match (target, space) {
        (_, AddressSpace::Global) => 1,
        (_, AddressSpace::Local) => 3,
        (LowerTarget::Amdgpu | LowerTarget::Nvptx, AddressSpace::Constant) => 4,
        (_, AddressSpace::Constant) => 2,
        (LowerTarget::Amdgpu, AddressSpace::Private) => 5,
        (LowerTarget::Amdgpu | LowerTarget::Nvptx, AddressSpace::Generic) => 0,
        (_, AddressSpace::Generic) => 4,
        (_, AddressSpace::Private) => 0,
    })
}
