//! Names of functions, without what overloading adds to them.
//!
//! An intrinsic has the types of its overload behind it (`llvm.amdgcn.readlane.i32`), a function of a C-family language is
//! mangled by the Itanium ABI (`_Z13get_global_idj`), which also says whether integers have a sign.

/// The name of a function, taken apart.
#[derive(Debug, Clone, Copy)]
pub(super) struct Name<'n> {
    /// What it is called in the source.
    pub(super) plain: &'n str,
    /// The types of its parameters, mangled; empty where that is not known.
    parameters: &'n str,
}

impl<'n> Name<'n> {
    /// Takes a name apart.
    pub(super) fn of(name: &'n str) -> Name<'n> {
        if name.starts_with("llvm.") {
            return Name { plain: without_types(name), parameters: "" };
        }
        let Some((plain, rest)) = unmangled(name) else { return Name { plain: name, parameters: "" } };
        // The arguments of a template are between `I` and `E`; the result's type follows.
        let parameters = match rest.strip_prefix('I') {
            Some(arguments) => arguments,
            None => rest,
        };
        Name { plain, parameters }
    }

    /// Whether a parameter is known to be an integer without a sign.
    pub(super) fn is_unsigned(&self, parameter: usize) -> bool {
        let mut rest = self.parameters;
        for _ in 0..parameter {
            rest = after_type(rest);
        }
        matches!(element(rest).bytes().next(), Some(b'h' | b't' | b'j' | b'm' | b'y'))
    }
}

fn unmangled(name: &str) -> Option<(&str, &str)> {
    let rest = name.strip_prefix("_Z")?;
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let length: usize = rest[..digits].parse().ok()?;
    let end = digits.checked_add(length)?;
    Some((rest.get(digits..end)?, rest.get(end..)?))
}

/// The mangled element of a vector, or the type as it is.
fn element(mangled: &str) -> &str {
    match mangled.strip_prefix("Dv").and_then(|vector| vector.split_once('_')) {
        Some((_, element)) => element,
        None => mangled,
    }
}

/// What follows the first of some mangled types, where it is a simple one.
fn after_type(mangled: &str) -> &str {
    let rest = element(mangled);
    let length = match rest.as_bytes() {
        [b'D', ..] => 2,
        [] => 0,
        _ => 1,
    };
    rest.get(length..).unwrap_or("")
}

/// The name of an intrinsic without the types at its end.
fn without_types(name: &str) -> &str {
    let mut name = name;
    while let Some((rest, last)) = name.rsplit_once('.') {
        if !is_type(last) {
            break;
        }
        name = rest;
    }
    name
}

/// Whether this is how the name of an intrinsic spells a type.
fn is_type(text: &str) -> bool {
    let number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if matches!(text, "f16" | "bf16" | "f32" | "f64" | "f128") {
        return true;
    }
    if let Some(rest) = text.strip_prefix(['i', 'p']) {
        return number(rest);
    }
    if let Some(rest) = text.strip_prefix(['v', 'a']) {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        return digits > 0 && is_type(&rest[digits..]);
    }
    text.len() > 3
        && text.starts_with("s")
        && text.ends_with('s')
        && (text.starts_with("s_") || text.starts_with("sl_"))
}
