//! Types in the words of the dialect, for messages.

use super::{Shape, shape};
use crate::options::Dialect;
use crate::typed::{AddressSpace, FloatKind, Type, TypeKind, Types};

/// A type as a person would write it in the dialect: `__global float4 *`, `unsigned int`, `int (float, int)`, `struct s`.
pub fn type_name(types: &Types, of: Type, dialect: Dialect) -> String {
    let mut text = String::new();
    write(types, of, dialect, &mut text);
    text
}

/// How many bytes of a name are enough: types of functions, and of templates' instances, can have exponentially long ones.
pub const ENOUGH: usize = 2000;

/// A name, without what is behind its first [`ENOUGH`] bytes.
pub fn shortened(mut name: String) -> String {
    if name.len() > ENOUGH {
        let end = (0..=ENOUGH).rev().find(|&end| name.is_char_boundary(end));
        name.truncate(end.unwrap_or(0));
        name.push('…');
    }
    name
}

/// Appends the name of a type.
fn write(types: &Types, of: Type, dialect: Dialect, text: &mut String) {
    if text.len() > ENOUGH {
        text.push_str(if text.ends_with('…') { "" } else { "…" });
        return;
    }
    match types.kind(of) {
        TypeKind::Void => text.push_str("void"),
        TypeKind::Bool => text.push_str("bool"),
        TypeKind::Integer { bits, signed } => text.push_str(integer(*bits, *signed, dialect)),
        TypeKind::Float(kind) => text.push_str(float(*kind)),
        TypeKind::Vector { element, lanes } => {
            write(types, *element, if dialect == Dialect::OpenCl { dialect } else { Dialect::C }, text);
            match dialect {
                Dialect::OpenCl => text.push_str(&lanes.to_string()),
                _ => text.push_str(&format!(" __attribute__((ext_vector_type({lanes})))")),
            }
        }
        TypeKind::Pointer { pointee, space, is_volatile } => {
            if let Shape::Function { .. } = shape(types, *pointee) {
                return write_function(types, *pointee, " (*)", dialect, text);
            }
            if dialect == Dialect::OpenCl {
                text.push_str(space_word(*space));
            }
            if *is_volatile {
                text.push_str("volatile ");
            }
            write(types, *pointee, dialect, text);
            text.push_str(if text.ends_with('*') { "*" } else { " *" });
        }
        TypeKind::Array { .. } => {
            // The outermost length stands first.
            let (mut element, mut lengths) = (of, String::new());
            while let TypeKind::Array { element: inner, length } = types.kind(element) {
                lengths += &if *length == 0 { "[]".to_string() } else { format!("[{length}]") };
                element = *inner;
            }
            write(types, element, dialect, text);
            text.push_str(&lengths);
        }
        TypeKind::Struct(number) => {
            let data = &types.structs[*number];
            if !dialect.is_cpp() {
                text.push_str(if data.is_union { "union " } else { "struct " });
            }
            text.push_str(&data.name);
        }
        TypeKind::Function { .. } => write_function(types, of, " ", dialect, text),
        TypeKind::Opaque(name) => text.push_str(name),
        TypeKind::Unknown => text.push_str("unknown"),
    }
}

/// Appends a function type; `middle` stands before the parameters.
fn write_function(types: &Types, of: Type, middle: &str, dialect: Dialect, text: &mut String) {
    let TypeKind::Function { result, parameters, variadic } = types.kind(of) else { return };
    write(types, *result, dialect, text);
    text.push_str(middle);
    text.push('(');
    for (index, &parameter) in parameters.iter().enumerate() {
        text.push_str(if index > 0 { ", " } else { "" });
        write(types, parameter, dialect, text);
    }
    match (parameters.is_empty(), variadic) {
        (_, false) => {}
        (true, true) => text.push_str("..."),
        (false, true) => text.push_str(", ..."),
    }
    text.push(')');
}

/// An integer type.
fn integer(bits: u8, signed: bool, dialect: Dialect) -> &'static str {
    match (bits, signed, dialect == Dialect::OpenCl) {
        (8, true, _) => "char",
        (8, false, true) => "uchar",
        (8, false, false) => "unsigned char",
        (16, true, _) => "short",
        (16, false, true) => "ushort",
        (16, false, false) => "unsigned short",
        (32, true, _) => "int",
        (32, false, true) => "uint",
        (32, false, false) => "unsigned int",
        (64, true, _) => "long",
        (64, false, true) => "ulong",
        (64, false, false) => "unsigned long",
        (_, true, _) => "__int128",
        (_, false, _) => "unsigned __int128",
    }
}

/// A float type.
fn float(kind: FloatKind) -> &'static str {
    match kind {
        FloatKind::Half => "half",
        FloatKind::BFloat => "__bf16",
        FloatKind::Single => "float",
        FloatKind::Double => "double",
    }
}

/// An address space of OpenCL C before the pointee.
fn space_word(space: AddressSpace) -> &'static str {
    match space {
        AddressSpace::Private => "__private ",
        AddressSpace::Global => "__global ",
        AddressSpace::Constant => "__constant ",
        AddressSpace::Local => "__local ",
        AddressSpace::Generic => "",
    }
}
