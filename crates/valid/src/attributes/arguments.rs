//! The arguments of attributes (LangRef, "Parameter Attributes" and "Function Attributes"): what LLVM's reader takes
//! between the parentheses of those that have some.

use reconverge_ir::attributes::Attribute;
use reconverge_ir::{Module, Span};

/// The name of the first attribute in a part of the text whose argument is missing, or none that it can have.
pub(crate) fn malformed<'t>(module: &Module<'t>, span: Span) -> Option<&'t [u8]> {
    module.attributes(span).find_map(|attribute| match attribute {
        Attribute::Word { name, argument } => {
            (!is_argument(name, module.spelling(argument).trim_ascii())).then_some(name)
        }
        _ => None,
    })
}

/// Whether an attribute can have this argument; empty where there is none.
pub(crate) fn is_argument(name: &[u8], argument: &[u8]) -> bool {
    match name {
        b"align" | b"alignstack" => number(argument).is_some_and(|bytes| bytes.is_power_of_two() && bytes <= 1 << 32),
        b"dereferenceable" | b"dereferenceable_or_null" => {
            !argument.is_empty()
                && argument.iter().all(u8::is_ascii_digit)
                && argument.iter().any(|&digit| digit != b'0')
        }
        b"vscale_range" => {
            let bounds: Option<Vec<u64>> = items(argument, b',').map(number).collect();
            match bounds.as_deref() {
                Some([only]) => *only == 0 || only.is_power_of_two(),
                Some([least, most]) => {
                    (*most == 0 || least <= most && most.is_power_of_two()) && (*least == 0 || least.is_power_of_two())
                }
                _ => false,
            }
        }
        b"allocsize" => {
            let positions: Option<Vec<u64>> = items(argument, b',').map(number).collect();
            positions.is_some_and(|positions| matches!(positions.len(), 1 | 2))
        }
        b"uwtable" => matches!(argument, b"" | b"sync" | b"async"),
        b"allockind" => {
            let kinds = argument.strip_prefix(b"\"").and_then(|rest| rest.strip_suffix(b"\""));
            kinds.is_some_and(|kinds| {
                kinds.split(|&byte| byte == b',').all(|kind| {
                    matches!(kind, b"alloc" | b"realloc" | b"free" | b"uninitialized" | b"zeroed" | b"aligned")
                })
            })
        }
        b"memory" => is_memory(argument),
        b"captures" => is_captures(argument),
        b"initializes" => is_initializes(argument),
        b"nofpclass" => {
            number(argument).is_some_and(|mask| (1..1024).contains(&mask))
                || !argument.is_empty()
                    && argument
                        .split(u8::is_ascii_whitespace)
                        .filter(|class| !class.is_empty())
                        .all(|class| argument == b"all" || CLASSES.contains(&class))
        }
        // Those of which an empty argument, a type or a range, is looked at where their types are.
        _ => true,
    }
}

/// The classes of floating-point numbers.
const CLASSES: &[&[u8]] = &[
    b"nan", b"snan", b"qnan", b"inf", b"ninf", b"pinf", b"norm", b"nnorm", b"pnorm", b"sub", b"nsub", b"psub", b"zero",
    b"nzero", b"pzero",
];

/// `memory(read, argmem: write)`: the access to all that is not named comes first.
fn is_memory(argument: &[u8]) -> bool {
    items(argument, b',').enumerate().all(|(position, item)| {
        let is_access = |access: &[u8]| matches!(access, b"none" | b"read" | b"write" | b"readwrite");
        match split_at_colon(item) {
            Some((location, access)) => {
                let locations: [&[u8]; 5] =
                    [b"argmem", b"inaccessiblemem", b"errnomem", b"target_mem0", b"target_mem1"];
                locations.contains(&location) && is_access(access)
            }
            None => position == 0 && is_access(item),
        }
    })
}

/// `captures(address, ret: address, provenance)`
fn is_captures(argument: &[u8]) -> bool {
    let (mut has_result, mut is_none, mut components) = (false, false, 0);
    for item in items(argument, b',') {
        let component = match split_at_colon(item) {
            Some((b"ret", component)) if !has_result => {
                (has_result, is_none, components) = (true, false, 0);
                component
            }
            Some(_) => return false,
            None => item,
        };
        match component {
            b"none" => is_none = true,
            b"address" | b"address_is_null" | b"provenance" | b"read_provenance" => {}
            _ => return false,
        }
        components += 1;
        if is_none && components > 1 {
            return false;
        }
    }
    true
}

/// `initializes((-4, 0), (8, 12))`: ranges of bytes in their order, with something between them.
fn is_initializes(argument: &[u8]) -> bool {
    let mut rest = argument;
    let mut end = None;
    loop {
        let Some(close) = memchr::memchr(b')', rest) else { return false };
        let (range, behind) = rest.split_at(close);
        let Some(range) = range.trim_ascii().strip_prefix(b"(") else { return false };
        let bounds: Option<Vec<i64>> = items(range, b',').map(signed).collect();
        let Some([lower, upper]) = bounds.as_deref() else { return false };
        if lower >= upper || end.is_some_and(|end| *lower <= end) {
            return false;
        }
        end = Some(*upper);
        rest = behind[1..].trim_ascii();
        match rest {
            [] => return true,
            [b',', behind @ ..] => rest = behind.trim_ascii(),
            _ => return false,
        }
    }
}

fn items(list: &[u8], separator: u8) -> impl Iterator<Item = &[u8]> {
    list.split(move |&byte| byte == separator).map(<[u8]>::trim_ascii)
}

fn split_at_colon(item: &[u8]) -> Option<(&[u8], &[u8])> {
    let colon = memchr::memchr(b':', item)?;
    Some((item[..colon].trim_ascii(), item[colon + 1..].trim_ascii()))
}

fn number(digits: &[u8]) -> Option<u64> {
    std::str::from_utf8(digits).ok().filter(|digits| !digits.starts_with('+'))?.parse().ok()
}

fn signed(digits: &[u8]) -> Option<i64> {
    std::str::from_utf8(digits).ok().filter(|digits| !digits.starts_with('+'))?.parse().ok()
}
