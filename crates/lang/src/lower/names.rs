//! Names of variables and functions.
//!
//! **Invariant.** Names of a body are unique: those that the translation makes have a dot with a word before and behind it, or a keyword before
//! it, and a variable whose name was used before has a number behind a dot.

use cranelift_entity::PrimaryMap;
use reconverge_ir::emit::spelling;
use rustc_hash::FxHashMap;

use crate::typed::{Body, FunctionData, Variable};

/// The names of the rooms of variables: `%x` for a local variable, `%x.addr` for a parameter, whose own name is that of the argument.
pub(super) fn variables(body: &Body) -> PrimaryMap<Variable, Box<[u8]>> {
    let mut used: FxHashMap<&str, u32> = FxHashMap::default();
    used.insert("entry", 1);
    let mut is_parameter = cranelift_entity::EntitySet::new();
    body.parameters.iter().for_each(|&parameter| {
        is_parameter.insert(parameter);
    });
    let mut names = PrimaryMap::with_capacity(body.variables.len());
    let mut name = String::new();
    for (variable, data) in &body.variables {
        let word = if data.name.is_empty() { "tmp" } else { &data.name };
        let count = used.entry(word).or_default();
        name.clear();
        name.push_str(word);
        if *count > 0 {
            name.push('.');
            name.push_str(&count.to_string());
        }
        *count += 1;
        if is_parameter.contains(variable) {
            name.push_str(".addr");
        }
        let mut bytes = vec![b'%'];
        spelling::name(&mut bytes, &name);
        names.push(bytes.into_boxed_slice());
    }
    names
}

/// Writes the name of an argument: that of its room without `.addr`.
pub(super) fn argument(to: &mut Vec<u8>, room: &[u8]) {
    match room.strip_suffix(b".addr\"") {
        Some(quoted) => {
            to.extend_from_slice(quoted);
            to.push(b'"');
        }
        None => to.extend_from_slice(room.strip_suffix(b".addr").unwrap_or(room)),
    }
}

/// Writes the name of a function as others see it. A kernel's calling convention permits no calls: the function that others call has a name of its own.
pub(super) fn called(to: &mut Vec<u8>, data: &FunctionData) {
    to.push(b'@');
    if data.is_kernel && data.body.is_some() {
        spelling::name(to, &format!("{}.called", data.linkage_name));
    } else {
        spelling::name(to, &data.linkage_name);
    }
}

/// Writes the name under which a launch knows a kernel; that of the other functions.
pub(super) fn launched(to: &mut Vec<u8>, data: &FunctionData) {
    to.push(b'@');
    spelling::name(to, &data.linkage_name);
}
