//! Reads the mangled names that Clang gives overloaded built-in functions.
//!
//! ```text
//! name      ::= _Z <length> <identifier> <type>+
//! type      ::= <builtin> | Dv <count> _ <type> | P <type> | <qualifiers> <type> | <length> <identifier> | S [<base 36>] _
//! qualifiers::= (U <length> <identifier>)* V? K?
//! ```
//!
//! This is the part of the Itanium C++ ABI in which built-in functions of OpenCL C, SPIR-V and CUDA are written. `S_` stands
//! for the first type of the name that is neither a builtin nor itself a substitution, `S0_` for the second, and so on,
//! components before what they are part of. The integers of IR have no sign, so the types read here are the only place
//! where the sign of an operand is written.
//!
//! Where the generic address space of OpenCL C has the number 0, as on AMDGPU, `Pf` is a pointer to a qualified type whose qualifier
//! is not written, and which is one more component. So a name in which a substitution is missing is read again in that way.
//!
//! Invariant: a name is either read to its last character or not at all.

use crate::value::Scalar;

/// How deep types may nest in a name; what Clang writes for built-in functions needs four levels.
const MAX_DEPTH: usize = 16;

/// A number type of C, with its sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Number {
    /// `bool`.
    Bool,
    /// A signed integer of this many bits.
    Signed(u32),
    /// An unsigned integer of this many bits.
    Unsigned(u32),
    /// IEEE 754 binary16.
    Half,
    /// The upper half of a binary32.
    BFloat,
    /// IEEE 754 binary32.
    Float,
    /// IEEE 754 binary64.
    Double,
}

impl Number {
    /// How many bits a value of this type has in a register.
    pub fn bits(self) -> u32 {
        match self {
            Number::Bool => 1,
            Number::Signed(bits) | Number::Unsigned(bits) => bits,
            Number::Half | Number::BFloat => 16,
            Number::Float => 32,
            Number::Double => 64,
        }
    }

    /// The type of a number in memory.
    pub(super) fn scalar(self) -> Scalar {
        match self {
            Number::Bool => Scalar::Integer(8),
            Number::Signed(bits) | Number::Unsigned(bits) => Scalar::Integer(bits),
            Number::Half => Scalar::Half,
            Number::BFloat => Scalar::BFloat,
            Number::Float => Scalar::Float,
            Number::Double => Scalar::Double,
        }
    }

    /// The same for floating-point numbers only.
    pub(super) fn float(self) -> Option<Scalar> {
        Some(self.scalar()).filter(|scalar| scalar.is_float())
    }
}

/// The type of a parameter, as a mangled name says it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ParameterType {
    /// `void`, as the only parameter or behind a pointer.
    Void,
    /// `...`.
    Variadic,
    /// A number.
    Number(Number),
    /// A vector of numbers.
    Vector(Number, usize),
    /// A pointer.
    Pointer {
        /// What it points to.
        pointee: Box<ParameterType>,
        /// The qualifier that names the address space: `AS1`, `CLglobal`, …; none for the default one.
        space: Option<String>,
    },
    /// An `_Atomic` type.
    Atomic(Box<ParameterType>),
    /// An enumeration, or a type of OpenCL C without a representation in C: `memory_order`, `ocl_event`, …
    Named(String),
}

/// The identifier and the parameter types of a mangled name; `None` where it is not one, or has types other than those above.
///
/// ```
/// use reconverge_exec::builtins::{Number, ParameterType, demangle};
/// let (name, parameters) = demangle("_Z3maxDv4_jS_").unwrap();
/// assert_eq!(name, "max");
/// assert_eq!(parameters, [ParameterType::Vector(Number::Unsigned(32), 4), ParameterType::Vector(Number::Unsigned(32), 4)]);
/// ```
pub fn demangle(name: &str) -> Option<(&str, Vec<ParameterType>)> {
    let encoding = name.strip_prefix("_Z")?;
    read(encoding, false).or_else(|| read(encoding, true))
}

fn read(encoding: &str, generic: bool) -> Option<(&str, Vec<ParameterType>)> {
    let mut reader = Reader { rest: encoding, substitutions: Vec::new(), generic };
    let identifier = reader.identifier()?;
    let mut parameters = Vec::new();
    while !reader.rest.is_empty() {
        parameters.push(reader.parameter(0)?);
    }
    match parameters.as_slice() {
        [] => None,
        [ParameterType::Void] => Some((identifier, Vec::new())),
        _ => Some((identifier, parameters)),
    }
}

struct Reader<'a> {
    rest: &'a str,
    substitutions: Vec<ParameterType>,
    /// Whether what a pointer of the default address space points to is qualified, though nothing is written.
    generic: bool,
}

impl<'a> Reader<'a> {
    fn accept(&mut self, prefix: &str) -> bool {
        self.rest.strip_prefix(prefix).map(|rest| self.rest = rest).is_some()
    }

    fn number(&mut self) -> Option<usize> {
        let digits = self.rest.bytes().take_while(u8::is_ascii_digit).count();
        let (number, rest) = self.rest.split_at(digits);
        self.rest = rest;
        number.parse().ok()
    }

    fn identifier(&mut self) -> Option<&'a str> {
        let length = self.number()?;
        let (identifier, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(identifier)
    }

    fn parameter(&mut self, depth: usize) -> Option<ParameterType> {
        if depth > MAX_DEPTH {
            return None;
        }
        if self.accept("S") {
            return self.substitution();
        }
        if self.rest.starts_with(['U', 'V', 'K']) {
            return self.qualified(depth);
        }
        if self.accept("P") {
            let before = self.rest;
            let pointee = Box::new(self.parameter(depth + 1)?);
            let space = Reader { rest: before, substitutions: Vec::new(), generic: false }.space();
            if self.generic && !before.starts_with(['U', 'V', 'K', 'S']) {
                self.substitutions.push((*pointee).clone());
            }
            return self.remember(ParameterType::Pointer { pointee, space });
        }
        if self.accept("Dv") {
            let count = self.number()?;
            let (true, ParameterType::Number(element)) = (self.accept("_"), self.parameter(depth + 1)?) else {
                return None;
            };
            return self.remember(ParameterType::Vector(element, count));
        }
        if self.rest.starts_with(|first: char| first.is_ascii_digit()) {
            let name = self.identifier()?;
            let named = ParameterType::Named(name.to_owned());
            // The opaque types of OpenCL C count as builtin.
            return if name.starts_with("ocl_") { Some(named) } else { self.remember(named) };
        }
        self.builtin()
    }

    fn remember(&mut self, parameter: ParameterType) -> Option<ParameterType> {
        self.substitutions.push(parameter.clone());
        Some(parameter)
    }

    fn substitution(&mut self) -> Option<ParameterType> {
        let (number, rest) = self.rest.split_once('_')?;
        self.rest = rest;
        let index = if number.is_empty() { 0 } else { usize::from_str_radix(number, 36).ok()?.checked_add(1)? };
        self.substitutions.get(index).cloned()
    }

    /// A type with qualifiers. All of them together are one component, except that `_Atomic` makes a type of its own.
    fn qualified(&mut self, depth: usize) -> Option<ParameterType> {
        let mut qualifiers = 0;
        loop {
            if self.accept("U") {
                if self.identifier()? == "_Atomic" {
                    let inner = Box::new(self.parameter(depth + 1)?);
                    let atomic = self.remember(ParameterType::Atomic(inner))?;
                    return if qualifiers == 0 { Some(atomic) } else { self.remember(atomic) };
                }
            } else if !self.accept("V") && !self.accept("K") {
                break;
            }
            qualifiers += 1;
        }
        let inner = self.parameter(depth + 1)?;
        self.remember(inner)
    }

    /// The address space among the qualifiers that stand here.
    fn space(&mut self) -> Option<String> {
        while self.accept("U") {
            let qualifier = self.identifier()?;
            if qualifier.starts_with("AS") || qualifier.starts_with("CL") {
                return Some(qualifier.to_owned());
            }
        }
        None
    }

    fn builtin(&mut self) -> Option<ParameterType> {
        const TWO: [(&str, Number); 3] = [("Dh", Number::Half), ("DF16_", Number::Half), ("DF16b", Number::BFloat)];
        if let Some(&(_, number)) = TWO.iter().find(|(code, _)| self.rest.starts_with(code)) {
            let length = if self.rest.starts_with("Dh") { 2 } else { 5 };
            self.rest = &self.rest[length..];
            return Some(ParameterType::Number(number));
        }
        let first = self.rest.chars().next()?;
        let number = match first {
            'v' => {
                self.rest = &self.rest[1..];
                return Some(ParameterType::Void);
            }
            'z' => {
                self.rest = &self.rest[1..];
                return Some(ParameterType::Variadic);
            }
            'b' => Number::Bool,
            'c' | 'a' => Number::Signed(8),
            'h' => Number::Unsigned(8),
            's' => Number::Signed(16),
            't' => Number::Unsigned(16),
            'i' => Number::Signed(32),
            'j' => Number::Unsigned(32),
            'l' | 'x' => Number::Signed(64),
            'm' | 'y' => Number::Unsigned(64),
            'f' => Number::Float,
            'd' => Number::Double,
            _ => return None,
        };
        self.rest = &self.rest[1..];
        Some(ParameterType::Number(number))
    }
}
