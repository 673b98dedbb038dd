//! Which parameter gets which argument.
//!
//! Invariant: what is bound has one argument for each parameter of the kernel; pointers get buffers, everything else numbers that
//! fit its type, as far as the text of the type says what fits.

use std::path::Path;

use reconverge_exec::launch::{Argument, Contents, Element};
use reconverge_exec::launch_grammar::{self, Given, Kind};
use reconverge_exec::literal;
use reconverge_exec::value::Scalar;
use reconverge_exec::{KernelInfo, ParameterInfo, Program};
use reconverge_files::{FileSystem, NamedBy, Refusal as Unread};
use reconverge_ir::{Module, SymbolKind};

use super::{refuse, said};
use crate::Error;
use crate::near::Near;

/// The arguments of a kernel, by the names of its parameters or, where these have none, their positions.
///
/// `memory` is how many bytes all buffers may have; `threads` are those of the launch and of a workgroup, for suggestions.
///
/// # Errors
/// When an argument is not of the grammar, names no parameter, is of another kind than the parameter, or is given twice; when
/// parameters are left without one.
pub(crate) fn bind(
    program: &Program<'_>,
    kernel: &KernelInfo,
    arguments: &[String],
    memory: u64,
    threads: (u64, u64),
    files: &dyn FileSystem,
) -> Result<Vec<(String, Argument)>, Error> {
    let Bound { bound, variables } = bind_given(program.module(), kernel, arguments, memory, files)?;
    let missing: Vec<(u32, &ParameterInfo)> =
        (0..).zip(&kernel.parameters).zip(&bound).filter(|(_, bound)| bound.is_none()).map(|(info, _)| info).collect();
    if !missing.is_empty() {
        let elements = program.elements(&kernel.name);
        let list: Vec<String> = missing.iter().map(|(_, info)| describe(info)).collect();
        let paste: Vec<String> =
            missing.iter().map(|(index, info)| suggest(info, elements.get(index).copied(), threads)).collect();
        return Err(refuse(format!(
            "{} needs arguments for {}; for example: {}; --launches 100 makes them up",
            super::said(&kernel.name),
            list.join(", "),
            paste.join(" ")
        )));
    }
    let bound = kernel.parameters.iter().zip(bound).filter_map(|(info, bound)| Some((info.name.clone(), bound?)));
    Ok(bound.chain(variables).collect())
}

/// The same where parameters may be left without an argument.
///
/// # Errors
/// When an argument is not of the grammar, names no parameter, is of another kind than the parameter, or is given twice.
pub(crate) fn bind_some(
    module: &Module<'_>,
    kernel: &KernelInfo,
    arguments: &[String],
    memory: u64,
    files: &dyn FileSystem,
) -> Result<Vec<(String, Argument)>, Error> {
    let Bound { bound, variables } = bind_given(module, kernel, arguments, memory, files)?;
    let bound = kernel.parameters.iter().zip(bound).filter_map(|(info, bound)| Some((info.name.clone(), bound?)));
    Ok(bound.chain(variables).collect())
}

/// Whether an argument is for this kernel: it has a parameter of that name, or so many of them, or it is a variable of the module.
pub(crate) fn is_for(module: &Module<'_>, kernel: &KernelInfo, argument: &str) -> bool {
    let name = argument.split('=').next().unwrap_or_default();
    let name = name.strip_prefix('%').unwrap_or(name);
    kernel.parameters.iter().any(|info| info.name == name)
        || name.parse().is_ok_and(|index: usize| index < kernel.parameters.len())
        || is_local_variable(module, kernel, name)
}

/// The bytes of a file that an argument names.
fn read_file(files: &dyn FileSystem, path: &Path, most: u64) -> Result<Vec<u8>, String> {
    files.read(path, NamedBy::User, most).map_err(|refusal| match refusal {
        Unread::TooLarge { size, .. } => {
            format!("the file has {size} bytes, expected at most --max-memory ({most} bytes)")
        }
        Unread::Endless { .. } => format!("expected at most --max-memory ({most} bytes) in the file"),
        refusal => format!("the file cannot be read: {refusal}"),
    })
}

/// What parameters and variables get.
struct Bound {
    /// One for each parameter.
    bound: Vec<Option<Argument>>,
    variables: Vec<(String, Argument)>,
}

fn bind_given(
    module: &Module<'_>,
    kernel: &KernelInfo,
    arguments: &[String],
    memory: u64,
    files: &dyn FileSystem,
) -> Result<Bound, Error> {
    let read_file = |path: &Path, most: u64| read_file(files, path, most);
    let mut bound: Vec<Option<Argument>> = vec![None; kernel.parameters.len()];
    let mut variables: Vec<(String, Argument)> = Vec::new();
    let mut left = memory;
    for text in arguments {
        let given = launch_grammar::parse(text, memory, &read_file)?;
        if is_local_variable(module, kernel, given.name()) {
            let name = given.name().to_owned();
            let info = ParameterInfo {
                name: name.clone(),
                ty: "local memory".to_owned(),
                is_pointer: true,
                numbers: None,
                is_local: true,
                is_resource: false,
            };
            if variables.iter().any(|(known, _)| *known == name) {
                return Err(given.refuse_name(format!("{} is given twice", describe(&info))).into());
            }
            variables.push((name, fit(&info, given, &mut left)?));
            continue;
        }
        let index = parameter_named(kernel, &given)?;
        if bound[index].is_some() {
            return Err(given.refuse_name(format!("{} is given twice", describe(&kernel.parameters[index]))).into());
        }
        let argument = fit(&kernel.parameters[index], given, &mut left)?;
        bound[index] = Some(argument);
    }
    Ok(Bound { bound, variables })
}

/// Whether a name is that of a variable, such as one of local memory whose size the launch says, and of no parameter.
fn is_local_variable(module: &Module<'_>, kernel: &KernelInfo, name: &str) -> bool {
    let symbol = module.symbol_named(name.as_bytes());
    let is_variable = symbol.is_some_and(|symbol| matches!(module.symbols[symbol].kind, SymbolKind::Variable));
    is_variable && !kernel.parameters.iter().any(|info| info.name == name)
}

/// The parameter that an argument names: by its name, else by its position.
fn parameter_named(kernel: &KernelInfo, given: &Given) -> Result<usize, Error> {
    let name = given.name();
    if let Some(index) = kernel.parameters.iter().position(|info| info.name == name) {
        return Ok(index);
    }
    if let Some(index) = name.parse().ok().filter(|&index: &usize| index < kernel.parameters.len()) {
        return Ok(index);
    }
    if kernel.parameters.is_empty() {
        return Err(given.refuse_name(format!("{} has no parameters", said(&kernel.name))).into());
    }
    let mut near = Near::default();
    kernel.parameters.iter().for_each(|info| near.consider(name, &info.name));
    let hint = near.names().next().map_or(String::new(), |name| format!("; did you mean {name}?"));
    let known: Vec<String> = kernel.parameters.iter().map(describe).collect();
    let kernel = said(&kernel.name);
    Err(given.refuse_name(format!("{kernel} has no parameter {name}, but {}{hint}", known.join(", "))).into())
}

/// `out (ptr addrspace(1))`
fn describe(info: &ParameterInfo) -> String {
    let what = match info.numbers {
        Some(count) => &format!("{count} numbers in braces"),
        None if info.is_pointer => "buffer",
        None => &info.ty,
    };
    format!("{} ({what})", info.name)
}

/// An argument to paste; of a buffer with these elements, where they are known.
fn suggest(info: &ParameterInfo, element: Option<Element>, (threads, block): (u64, u64)) -> String {
    let name = &info.name;
    let element = element.unwrap_or(Element::U32).name();
    match scalars_of(&info.ty).as_deref() {
        _ if let Some(count) = info.numbers => format!("--arg '{name}={{{}}}'", vec!["0"; count].join(",")),
        _ if info.is_local => format!("--arg '{name}={element}[{block}]'"),
        _ if info.is_pointer => format!("--arg '{name}={element}[{threads}]'"),
        Some([scalar]) if scalar.is_float() => format!("--arg {name}=1.0"),
        Some([Scalar::Integer(1)]) => format!("--arg {name}=true"),
        Some([_]) => format!("--arg {name}={threads}"),
        Some(scalars) => format!("--arg '{name}={{{}}}'", vec!["0"; scalars.len()].join(",")),
        None => format!("--arg '{name}={{…}}'"),
    }
}

/// What a parameter gets, if that fits. Takes the bytes of buffers off `left`.
fn fit(info: &ParameterInfo, given: Given, left: &mut u64) -> Result<Argument, Error> {
    let described = describe(info);
    match &given.kind {
        // A null pointer, or a struct behind a pointer, of which the type says nothing.
        Kind::Scalar
            if info.is_pointer && !info.is_local && (given.value() == "null" || given.value().starts_with('{')) =>
        {
            Ok(Argument::Scalar(given.value().to_owned()))
        }
        Kind::Scalar if info.is_pointer => {
            let name = &info.name;
            let or = if info.is_local { "" } else { &format!(", or the values of a struct, such as {name}={{1,2}}") };
            let what = format!("expected a buffer for {name}, such as {name}=u32[1024]{or}");
            Err(given.refuse_value(what).into())
        }
        Kind::Scalar => {
            if let Some(scalars) = scalars_of(&info.ty) {
                let wrong = |expected| given.refuse_value(format!("{expected} for {described}"));
                literal::read_value(given.value(), &scalars).map_err(wrong)?;
            }
            Ok(Argument::Scalar(given.value().to_owned()))
        }
        Kind::Buffer { .. } if !info.is_pointer => {
            Err(given.refuse_value(format!("expected a number for {described}, not a buffer")).into())
        }
        Kind::Buffer { contents, .. }
            if info.is_local && !matches!(contents, Contents::Zero | Contents::Uninitialised) =>
        {
            let what = format!(
                "expected a size only, such as u32[64]: {described} points to memory of a workgroup, which no launch fills"
            );
            Err(given.refuse_value(what).into())
        }
        Kind::Buffer { element, length, .. } => {
            let bytes = length * element.size();
            match left.checked_sub(bytes) {
                Some(rest) => *left = rest,
                None => {
                    let what = format!("{bytes} bytes are more than the {left} that are left of --max-memory");
                    return Err(given.refuse_value(what).into());
                }
            }
            let Kind::Buffer { element, length, contents } = given.kind else { unreachable!("it is a buffer") };
            Ok(Argument::Buffer { element, length, contents })
        }
    }
}

/// More scalars than this are not written on a command line.
const MOST_SCALARS: usize = 4096;

/// The scalars that a type consists of, by its text; nothing where that does not say it.
fn scalars_of(ty: &str) -> Option<Vec<Scalar>> {
    let mut scalars = Vec::new();
    let rest = collect(ty, &mut scalars, 0)?;
    rest.is_empty().then_some(scalars)
}

/// Appends the scalars of the type at the start of a text; what stands behind it.
fn collect<'t>(text: &'t str, scalars: &mut Vec<Scalar>, depth: usize) -> Option<&'t str> {
    /// Types nest no deeper than this where they are written by people.
    const DEEPEST: usize = 16;
    if depth > DEEPEST || scalars.len() > MOST_SCALARS {
        return None;
    }
    let inner = text.strip_prefix("<{").or_else(|| text.strip_prefix('{'));
    if let Some(mut rest) = inner.map(str::trim_start) {
        while !rest.starts_with('}') {
            rest = collect(rest, scalars, depth + 1)?.trim_start();
            rest = rest.strip_prefix(',').unwrap_or(rest).trim_start();
        }
        let behind = &rest[1..];
        return Some(if text.starts_with('<') { behind.strip_prefix('>')? } else { behind });
    }
    if let Some(rest) = text.strip_prefix(['<', '[']) {
        let (count, rest) = rest.split_once(" x ")?;
        let (count, before): (usize, usize) = (count.trim().parse().ok()?, scalars.len());
        let rest = collect(rest, scalars, depth + 1)?;
        let one = scalars.split_off(before);
        if one.len().checked_mul(count)? > MOST_SCALARS {
            return None;
        }
        scalars.extend(std::iter::repeat_n(one, count).flatten());
        return rest.strip_prefix(if text.starts_with('<') { '>' } else { ']' });
    }
    let end = text.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    scalars.push(match word {
        "half" => Scalar::Half,
        "bfloat" => Scalar::BFloat,
        "float" => Scalar::Float,
        "double" => Scalar::Double,
        _ => Scalar::Integer(word.strip_prefix('i')?.parse().ok().filter(|&bits| bits > 0)?),
    });
    Some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scalars_of_types() {
        let shape = |ty| scalars_of(ty).map(|scalars| scalars.iter().map(|scalar| scalar.bits()).collect::<Vec<_>>());
        assert_eq!(shape("i32"), Some(vec![32]));
        assert_eq!(shape("<4 x half>"), Some(vec![16; 4]));
        assert_eq!(shape("[2 x [3 x i8]]"), Some(vec![8; 6]));
        assert_eq!(shape("{ i32, <2 x float>, { double } }"), Some(vec![32, 32, 32, 64]));
        assert_eq!(shape("<{ i1, i128 }>"), Some(vec![1, 128]));
        for ty in [
            "",
            "%struct.S",
            "ptr",
            "ptr addrspace(1)",
            "token",
            "i0",
            "[999999999999 x i8]",
            "{ i32",
            "<4 x i32",
            "x86_fp80",
        ] {
            assert_eq!(shape(ty), None, "{ty}");
        }
    }
}
