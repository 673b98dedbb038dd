//! Random types and constants, as LLVM assembly.

use std::fmt::{self, Display, Formatter};

use reconverge_testing::random::SplitMix64;

#[derive(Debug, Clone)]
pub(crate) enum Type {
    Integer(u32),
    /// `half` and the like.
    Float(&'static str),
    Pointer(u32),
    Vector(u64, Box<Type>),
    Array(u64, Box<Type>),
    Struct(bool, Vec<Type>),
    /// A name, and what it stands for.
    Named(String, Box<Type>),
}

impl Display for Type {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Type::Integer(bits) => write!(out, "i{bits}"),
            Type::Float(name) => write!(out, "{name}"),
            Type::Pointer(0) => write!(out, "ptr"),
            Type::Pointer(space) => write!(out, "ptr addrspace({space})"),
            Type::Vector(length, element) => write!(out, "<{length} x {element}>"),
            Type::Array(length, element) => write!(out, "[{length} x {element}]"),
            Type::Struct(packed, elements) => {
                let elements: Vec<String> = elements.iter().map(Type::to_string).collect();
                let (open, close) = if *packed { ("<{", "}>") } else { ("{", "}") };
                write!(out, "{open}{}{close}", elements.join(", "))
            }
            Type::Named(name, _) => write!(out, "%{name}"),
        }
    }
}

/// Makes types and constants of them.
pub(crate) struct Maker {
    pub(crate) random: SplitMix64,
    /// The definitions of the named types so far.
    pub(crate) definitions: String,
    names: usize,
    /// Which pointers there may be.
    pub(crate) spaces: &'static [u32],
    /// What addresses there are in address space 0; none: no address is made.
    pub(crate) symbols: Vec<String>,
}

impl Maker {
    pub(crate) fn new(random: SplitMix64, spaces: &'static [u32]) -> Maker {
        Maker { random, definitions: String::new(), names: 0, spaces, symbols: Vec::new() }
    }

    pub(crate) fn scalar(&mut self) -> Type {
        const FLOATS: [&str; 4] = ["half", "bfloat", "float", "double"];
        match self.random.below(10) {
            0..=3 => Type::Integer([8, 16, 32, 64][self.random.below(4)]),
            4 => Type::Integer([1, 1, 128, 24, 48, 65, 5, 17][self.random.below(8)]),
            5 => Type::Integer(1 + self.random.below(140) as u32),
            6..=7 => Type::Float(FLOATS[self.random.below(4)]),
            _ => Type::Pointer(self.spaces[self.random.below(self.spaces.len())]),
        }
    }

    pub(crate) fn ty(&mut self, depth: u32) -> Type {
        match self.random.below(if depth == 0 { 5 } else { 11 }) {
            0..=3 => self.scalar(),
            4 => Type::Vector(1 + self.random.below(9) as u64, Box::new(self.scalar())),
            5..=6 => Type::Array(self.random.below(4) as u64, Box::new(self.ty(depth - 1))),
            7..=9 => {
                let packed = self.random.percent(25);
                Type::Struct(packed, (0..self.random.below(5)).map(|_| self.ty(depth - 1)).collect())
            }
            _ => {
                let elements = (0..1 + self.random.below(4)).map(|_| self.ty(depth - 1)).collect();
                let body = Type::Struct(self.random.percent(20), elements);
                let name = format!("n{}", self.names);
                self.names += 1;
                self.definitions += &format!("%{name} = type {body}\n");
                Type::Named(name, Box::new(body))
            }
        }
    }

    /// A constant, without its type.
    pub(crate) fn constant(&mut self, ty: &Type) -> String {
        match self.random.below(20) {
            0 => return "zeroinitializer".to_string(),
            1 => return "undef".to_string(),
            2 => return "poison".to_string(),
            _ => {}
        }
        match ty {
            Type::Integer(1) => ["true", "false"][self.random.below(2)].to_string(),
            Type::Integer(64) if self.random.percent(20) && !self.symbols.is_empty() => {
                format!("ptrtoint (ptr {} to i64)", self.address())
            }
            Type::Integer(bits) => self.integer(*bits),
            Type::Float("half") => format!("0xH{:04X}", self.random.next_u64() as u16),
            Type::Float("bfloat") => format!("0xR{:04X}", self.random.next_u64() as u16),
            Type::Float("float") => {
                let bits = f64::from(f32::from_bits(self.random.next_u64() as u32)).to_bits();
                format!("0x{bits:016X}")
            }
            Type::Float(..) => format!("0x{:016X}", self.random.next_u64()),
            Type::Pointer(0) if !self.symbols.is_empty() => self.address(),
            Type::Pointer(_) => "null".to_string(),
            Type::Vector(_, element) if self.random.percent(20) => {
                format!("splat ({element} {})", self.scalar_constant(element))
            }
            Type::Vector(length, element) => {
                let elements: Vec<String> =
                    (0..*length).map(|_| format!("{element} {}", self.scalar_constant(element))).collect();
                format!("<{}>", elements.join(", "))
            }
            Type::Array(length, element) => match **element {
                Type::Integer(8) if *length > 0 => {
                    let byte = |byte: u8| match byte {
                        b'"' | b'\\' | 0..32 | 127.. => format!("\\{byte:02X}"),
                        _ => (byte as char).to_string(),
                    };
                    let bytes: String = (0..*length).map(|_| byte(self.random.next_u64() as u8)).collect();
                    format!("c\"{bytes}\"")
                }
                _ => {
                    let elements: Vec<String> =
                        (0..*length).map(|_| format!("{element} {}", self.constant(element))).collect();
                    format!("[{}]", elements.join(", "))
                }
            },
            Type::Struct(packed, elements) => {
                let elements: Vec<String> =
                    elements.iter().map(|element| format!("{element} {}", self.constant(element))).collect();
                let (open, close) = if *packed { ("<{", "}>") } else { ("{", "}") };
                format!("{open}{}{close}", elements.join(", "))
            }
            Type::Named(_, body) => self.constant(body),
        }
    }

    /// An element of a vector: no address, because LLVM writes no relocation into packed bits.
    fn scalar_constant(&mut self, ty: &Type) -> String {
        let symbols = std::mem::take(&mut self.symbols);
        let constant = self.constant(ty);
        self.symbols = symbols;
        constant
    }

    fn integer(&mut self, bits: u32) -> String {
        if self.random.percent(30) {
            let digits = 1 + self.random.below(bits.div_ceil(4) as usize);
            let digits: String = (0..digits).map(|_| format!("{:X}", self.random.below(16))).collect();
            return format!("{}0x{digits}", ["u", "s"][self.random.below(2)]);
        }
        let wide = u128::from(self.random.next_u64()) << 64 | u128::from(self.random.next_u64());
        let number = wide >> (127 - self.random.below(bits.min(127) as usize));
        let sign = if self.random.percent(30) { "-" } else { "" };
        format!("{sign}{number}")
    }

    fn address(&mut self) -> String {
        let symbol = self.symbols[self.random.below(self.symbols.len())].clone();
        match self.random.below(4) {
            0 => format!("getelementptr (i8, ptr {symbol}, i64 {})", self.random.below(64)),
            1 => format!("getelementptr inbounds ([4 x {{i8, i32}}], ptr {symbol}, i64 1, i64 2, i32 1)"),
            _ => symbol,
        }
    }
}
