//! Names of variables and functions.
//!
//! **Invariant.** Names of a body are unique: those that the translation makes have a dot with a word before and behind it, or a keyword before
//! it, and a variable whose name was used before has a number behind a dot.

use cranelift_entity::{EntityRef, PrimaryMap};
use reconverge_ir::emit::spelling;
use rustc_hash::FxHashMap;

use crate::typed::{Body, FunctionData, Label, Variable};

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
        let word = match &*data.name {
            "" if body.object == Some(variable) => "this",
            "" => "tmp",
            name => name,
        };
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

/// The word in the names of blocks of labels.
pub(super) const LABEL: &str = "goto.label";

/// Writes the address of a label in a function, whose labels have their blocks in order. `is_called`: of a kernel, the function that others call.
pub(super) fn label(to: &mut Vec<u8>, data: &FunctionData, is_called: bool, label: Label) {
    to.extend_from_slice(b"blockaddress(");
    if is_called {
        called(to, data)
    } else {
        launched(to, data)
    }
    to.extend_from_slice(b", %");
    to.extend_from_slice(LABEL.as_bytes());
    if label.index() > 0 {
        to.push(b'.');
        spelling::unsigned(to, label.index() as u64);
    }
    to.push(b')');
}

/// The same, as a pointer into an address space.
pub(super) fn label_in_space(to: &mut Vec<u8>, data: &FunctionData, is_called: bool, which: Label, space: u32) {
    if space == 0 {
        return label(to, data, is_called, which);
    }
    to.extend_from_slice(b"addrspacecast (ptr ");
    label(to, data, is_called, which);
    to.extend_from_slice(format!(" to ptr addrspace({space}))").as_bytes());
}

/// Writes the name of a function as others see it. A kernel's calling convention permits no calls: the function that others call has a name of its own.
pub(super) fn called(to: &mut Vec<u8>, data: &FunctionData) {
    if data.is_assembly() {
        to.extend_from_slice(data.linkage_name.as_bytes());
        return;
    }
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
