//! Names of functions, without what overloading adds to them.
//!
//! An intrinsic has the types of its overload at its end (`llvm.x.i32.p1` is an overload of `llvm.x`); a function of a
//! C-family language is mangled by the Itanium ABI (`_Z7barrierj` is `barrier`).

/// The names under which a function may be known, the most particular one first: as it is, then an intrinsic without
/// one type after the other, or a function without its mangling.
pub fn candidates(name: &[u8]) -> impl Iterator<Item = &[u8]> {
    let is_intrinsic = name.starts_with(b"llvm.");
    let dots = is_intrinsic.then(|| memchr::memrchr_iter(b'.', name)).into_iter().flatten();
    let mut end = name.len();
    let without_types = dots.filter(move |&dot| {
        let is_type = is_type(&name[dot + 1..end]);
        end = if is_type { dot } else { end };
        is_type
    });
    let plain = if is_intrinsic { None } else { plain(name) };
    std::iter::once(name).chain(without_types.map(|dot| &name[..dot])).chain(plain)
}

/// The name of a function at namespace scope in the Itanium mangling: `_Z`, its length, the name, the parameters.
pub fn plain(name: &[u8]) -> Option<&[u8]> {
    let rest = name.strip_prefix(b"_Z")?;
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let length: usize = std::str::from_utf8(&rest[..digits]).ok()?.parse().ok()?;
    rest.get(digits..digits.checked_add(length)?)
}

/// Whether this is the plain name of a function of OpenCL C that changes a number in memory atomically, and gives what it was: `atomic_add`, `atom_inc`, `atomic_fetch_or_explicit`.
pub fn is_atomic_update(plain: &[u8]) -> bool {
    let Some(name) = plain.strip_prefix(b"atomic_").or(plain.strip_prefix(b"atom_")) else { return false };
    let name = name.strip_suffix(b"_explicit").unwrap_or(name);
    let name = name.strip_prefix(b"fetch_").unwrap_or(name);
    matches!(
        name,
        b"add" | b"sub" | b"inc" | b"dec" | b"min" | b"max" | b"and" | b"or" | b"xor" | b"xchg" | b"exchange"
    )
}

/// Whether this is how the name of an overloaded intrinsic spells a type.
fn is_type(text: &[u8]) -> bool {
    let is_number = |text: &[u8]| !text.is_empty() && text.iter().all(u8::is_ascii_digit);
    let element = |text: &[u8]| {
        let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
        digits > 0 && is_type(&text[digits..])
    };
    match text {
        b"f16" | b"f32" | b"f64" | b"f80" | b"f128" | b"bf16" | b"ppcf128" | b"x86amx" | b"Metadata" | b"isVoid" => {
            true
        }
        [b'i' | b'p', bits @ ..] => is_number(bits),
        [b'n', b'x', b'v', rest @ ..] | [b'v' | b'a', rest @ ..] => element(rest),
        // Structures, with their name or the types in them: `s_node.1s`, `sl_i32f32s`.
        [b's', b'_' | b'l', .., b's'] => true,
        // Types of targets, with their parameters: `tspirv.Image_void_1_0_0_0_0_0_0t`.
        [b't', rest @ .., b't'] => {
            [&b"spirv."[..], b"dx.", b"amdgcn.", b"nvvm."].iter().any(|name| rest.starts_with(name))
        }
        _ => false,
    }
}
