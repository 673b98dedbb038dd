//! Globals and what they start with.
//!
//! **Invariant.** A constant is written with its type. Where a union has a value, the types around it are written out with that value's type, so
//! that the bytes lie where they lie in the union: what is at an address has no type of its own.

use std::borrow::Cow;

use reconverge_ir::emit::{ModuleText, spelling};

use super::expression::{float, sampler};
use super::origins::Declared;
use super::types;
use super::writer::Operand;
use super::{Context, Tables, names, target};
use crate::typed::{AddressSpace, Constant, Global, GlobalData, Type, TypeKind};

/// Writes all globals.
pub(super) fn write_globals(context: &Context<'_>, tables: &mut Tables, out: &mut ModuleText) {
    for data in context.program.globals.values() {
        if sampler(context, data).is_none() {
            let table = tables.origins.as_mut();
            let origin = table.and_then(|table| table.of_declared(Declared::Global(data), context, &mut out.origins));
            out.bytes.push(b'@');
            if let Some(origin) = origin {
                out.mark(origin);
            }
            write_global(context, data, &mut out.bytes);
        }
    }
    out.bytes.push(b'\n');
}

/// Writes a global, from its name behind the `@`.
fn write_global(context: &Context<'_>, data: &GlobalData, out: &mut Vec<u8>) {
    let put = |out: &mut Vec<u8>, text: &str| out.extend_from_slice(text.as_bytes());
    spelling::name(out, &data.name);
    // Local memory whose size the launch says has a length of 0, and is no variable of this module alone.
    let is_sized_later = data.space == AddressSpace::Local
        && matches!(context.program.types.kind(data.of), TypeKind::Array { length: 0, .. });
    let is_external = data.is_external || is_sized_later;
    put(
        out,
        if is_external {
            " = external"
        } else if data.is_internal {
            " = internal"
        } else {
            " ="
        },
    );
    let space = target::space(context.program.target, data.space);
    if space != 0 {
        put(out, &format!(" addrspace({space})"));
    }
    put(out, if data.is_constant { " constant " } else { " global " });
    if is_external {
        out.extend_from_slice(&context.types[data.of].memory);
    } else if let Some(constant) = &data.initializer {
        write_constant(context, data.of, constant, out);
    } else {
        out.extend_from_slice(&context.types[data.of].memory);
        let is_local = data.space == AddressSpace::Local;
        put(out, if is_local { " undef" } else { " zeroinitializer" });
    }
    let alignment = context.types[data.of].alignment.max(u64::from(data.alignment.unwrap_or(1)));
    put(out, &format!(", align {alignment}\n"));
}

/// A constant as text, with the text of its type.
struct Written<'a> {
    of: Cow<'a, [u8]>,
    value: Vec<u8>,
}

/// Writes a constant behind its type.
fn write_constant(context: &Context<'_>, of: Type, constant: &Constant, out: &mut Vec<u8>) {
    let written = written(context, of, constant);
    out.extend_from_slice(&written.of);
    out.push(b' ');
    out.extend_from_slice(&written.value);
}

fn written<'a>(context: &'a Context<'_>, of: Type, constant: &Constant) -> Written<'a> {
    match constant {
        Constant::Aggregate(parts) if !parts.is_empty() => aggregate(context, of, parts),
        Constant::Aggregate(_) => plain(context, of, &Constant::Zero),
        _ => plain(context, of, constant),
    }
}

fn plain<'a>(context: &'a Context<'_>, of: Type, constant: &Constant) -> Written<'a> {
    let mut value = Vec::new();
    write_scalar(context, of, constant, &mut value);
    Written { of: Cow::Borrowed(&context.types[of].memory), value }
}

/// Writes a constant without parts.
fn write_scalar(context: &Context<'_>, of: Type, constant: &Constant, out: &mut Vec<u8>) {
    let put = |out: &mut Vec<u8>, text: &str| out.extend_from_slice(text.as_bytes());
    match (constant, context.program.types.kind(of)) {
        (Constant::Zero, TypeKind::Pointer { .. }) | (Constant::Integer(0), TypeKind::Pointer { .. }) => {
            let space = space_of(context, of);
            if target::has_other_null(context.program.target, space) {
                put(out, &format!("addrspacecast (ptr null to ptr addrspace({space}))"));
            } else {
                put(out, "null");
            }
        }
        (Constant::Integer(bits), TypeKind::Pointer { .. }) => {
            put(out, &format!("inttoptr (i64 {} to {})", *bits as i64, types::pointer(space_of(context, of))));
        }
        (Constant::Zero, _) => put(out, "zeroinitializer"),
        (Constant::Integer(bits), TypeKind::Bool) => put(out, if bits & 1 == 0 { "0" } else { "1" }),
        (Constant::Integer(bits), &TypeKind::Integer { bits: width, .. }) => {
            let shift = 128 - u32::from(width.clamp(1, 128));
            spelling::signed(out, (*bits as i128) << shift >> shift);
        }
        (Constant::Integer(bits), &TypeKind::Float(kind)) => write_float(kind, *bits as f64, out),
        (Constant::Integer(_), _) => put(out, "zeroinitializer"),
        (Constant::Float(value), &TypeKind::Float(kind)) => write_float(kind, *value, out),
        (Constant::Float(_), _) => put(out, "zeroinitializer"),
        (Constant::Bytes(bytes), kind) => write_bytes(bytes, kind, out),
        (&Constant::Address(global, offset), _) => write_address(context, of, global, offset, out),
        (&Constant::Function(function), _) => {
            // What is not known may be in another space than functions.
            let space = space_of(context, of);
            if space == 0 {
                return names::called(out, &context.program.functions[function]);
            }
            put(out, "addrspacecast (ptr ");
            names::called(out, &context.program.functions[function]);
            put(out, &format!(" to {})", types::pointer(space)));
        }
        (&Constant::Label(function, label), _) => {
            names::label_in_space(out, &context.program.functions[function], false, label, space_of(context, of));
        }
        (Constant::Aggregate(_), _) => {}
    }
}

fn write_float(kind: crate::typed::FloatKind, value: f64, out: &mut Vec<u8>) {
    match float(kind, value) {
        Operand::Half(bits) => spelling::hexadecimal(out, "H", u64::from(bits), 4),
        Operand::BFloat(bits) => spelling::hexadecimal(out, "R", u64::from(bits), 4),
        Operand::Float(bits) => spelling::hexadecimal(out, "", bits, 16),
        _ => {}
    }
}

/// A string, with zeros behind it up to the length of the array.
fn write_bytes(bytes: &[u8], kind: &TypeKind, out: &mut Vec<u8>) {
    let length = match *kind {
        TypeKind::Array { length, .. } => usize::try_from(length).unwrap_or(bytes.len()),
        _ => bytes.len(),
    };
    let mut bytes = bytes.to_vec();
    bytes.resize(length, 0);
    out.push(b'c');
    spelling::string(out, &bytes);
}

fn space_of(context: &Context<'_>, of: Type) -> u32 {
    match *context.program.types.kind(of) {
        TypeKind::Pointer { pointee, space, .. } => types::pointer_space(context.program, pointee, space),
        _ => 0,
    }
}

/// The address of a global as a pointer of a type.
fn write_address(context: &Context<'_>, of: Type, global: Global, offset: i64, out: &mut Vec<u8>) {
    let put = |out: &mut Vec<u8>, text: &str| out.extend_from_slice(text.as_bytes());
    let data = &context.program.globals[global];
    let from = target::space(context.program.target, data.space);
    let to = space_of(context, of);
    if from != to {
        put(out, &format!("addrspacecast ({} ", types::pointer(from)));
    }
    if offset != 0 {
        put(out, &format!("getelementptr (i8, {} ", types::pointer(from)));
    }
    out.push(b'@');
    spelling::name(out, &data.name);
    if offset != 0 {
        put(out, &format!(", i64 {offset})"));
    }
    if from != to {
        put(out, &format!(" to {})", types::pointer(to)));
    }
}

/// A constant of several parts; those that are not given are zeros.
fn aggregate<'a>(context: &'a Context<'_>, of: Type, parts: &[Constant]) -> Written<'a> {
    let size = context.types[of].size;
    match *context.program.types.kind(of) {
        TypeKind::Struct(number) => {
            let data = &context.program.types.structs[number];
            let fields = data.fields.iter().take(if data.is_union { 1 } else { usize::MAX });
            let part = |index: usize| parts.get(index).unwrap_or(&Constant::Zero);
            let members: Vec<Written<'_>> =
                fields.clone().enumerate().map(|(index, field)| written(context, field.of, part(index))).collect();
            let is_usual = fields.clone().zip(&members).all(|(field, member)| is_usual(context, field.of, member));
            if is_usual && !data.is_union {
                let value = with_gaps(&members, context.types.gaps_of(number));
                return Written { of: Cow::Borrowed(&context.types[of].memory), value };
            }
            let sizes = fields.map(|field| context.types[field.of].size);
            let spans: Vec<(u64, u64)> =
                sizes.enumerate().map(|(index, size)| (context.types.offset(number, index as u32), size)).collect();
            packed(members, &spans, size)
        }
        TypeKind::Array { element, length } => {
            let members: Vec<Written<'_>> = parts.iter().map(|part| written(context, element, part)).collect();
            if members.iter().all(|member| is_usual(context, element, member)) {
                return list(context, of, &members, ("[", "]"), (element, length));
            }
            let size_of_one = context.types[element].size;
            let spans: Vec<(u64, u64)> =
                (0..members.len() as u64).map(|index| (index * size_of_one, size_of_one)).collect();
            packed(members, &spans, size)
        }
        TypeKind::Vector { element, lanes } => {
            let members: Vec<Written<'_>> = parts.iter().map(|part| written(context, element, part)).collect();
            list(context, of, &members, ("<", ">"), (element, u64::from(lanes)))
        }
        _ => written(context, of, &parts[0]),
    }
}

/// Whether a constant has the type that its type has in memory.
fn is_usual(context: &Context<'_>, of: Type, member: &Written<'_>) -> bool {
    *member.of == context.types[of].memory
}

/// The elements of an array or vector, with zeros behind those that are given.
fn list<'a>(
    context: &'a Context<'_>,
    of: Type,
    members: &[Written<'_>],
    (open, close): (&str, &str),
    (element, length): (Type, u64),
) -> Written<'a> {
    let zero = plain(context, element, &Constant::Zero);
    let missing = (members.len() as u64..length).map(|_| &zero);
    let mut value = open.as_bytes().to_vec();
    for (index, member) in members.iter().chain(missing).enumerate() {
        value.extend_from_slice(if index == 0 { b"" } else { b", " });
        value.extend_from_slice(&member.of);
        value.push(b' ');
        value.extend_from_slice(&member.value);
    }
    value.extend_from_slice(close.as_bytes());
    Written { of: Cow::Borrowed(&context.types[of].memory), value }
}

/// The members of a struct; gaps that are members are zeros.
fn with_gaps(members: &[Written<'_>], gaps: Option<&[u64]>) -> Vec<u8> {
    let mut parts = Vec::new();
    for index in 0..=members.len() {
        if let Some(gap) = gaps.and_then(|gaps| gaps.get(index)).filter(|&&gap| gap > 0) {
            parts.push(format!("[{gap} x i8] zeroinitializer").into_bytes());
        }
        if let Some(member) = members.get(index) {
            parts.push([&member.of, &b" "[..], &member.value].concat());
        }
    }
    let (open, close) = if gaps.is_some() { ("<{ ", " }>") } else { ("{ ", " }") };
    [open.as_bytes(), &parts.join(&b", "[..]), close.as_bytes()].concat()
}

/// Members as a packed struct with a type of its own, and zeros between them.
fn packed(members: Vec<Written<'_>>, spans: &[(u64, u64)], size: u64) -> Written<'static> {
    let mut types: Vec<Vec<u8>> = Vec::new();
    let mut values: Vec<Vec<u8>> = Vec::new();
    let mut add = |of: &[u8], value: &[u8]| {
        types.push(of.to_vec());
        values.push([of, b" ", value].concat());
    };
    let mut end = 0;
    for (member, &(offset, length)) in members.iter().zip(spans) {
        if offset > end {
            add(format!("[{} x i8]", offset - end).as_bytes(), b"zeroinitializer");
        }
        add(&member.of, &member.value);
        end = offset + length;
    }
    if size > end {
        add(format!("[{} x i8]", size - end).as_bytes(), b"zeroinitializer");
    }
    let around = |parts: &[Vec<u8>]| [&b"<{ "[..], &parts.join(&b", "[..]), b" }>"].concat();
    Written { of: Cow::Owned(around(&types)), value: around(&values) }
}
