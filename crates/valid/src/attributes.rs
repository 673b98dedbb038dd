//! Which attributes fit which types (LangRef, "Parameter Attributes").

use reconverge_ir::attributes::Attribute;
use reconverge_ir::types::{Type, TypeData};
use reconverge_ir::{Module, Span};

use crate::Facts;
use crate::types::{Class, class, is_floating, scalar_class};

/// What attributes are about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// The result of a function or a call.
    Result,
    /// A parameter of a function that is no intrinsic, or the argument for one.
    Parameter,
    /// The argument for a parameter that an intrinsic's definition has as an immediate.
    Immediate,
    /// An argument behind those that the function type has parameters for.
    Variadic,
}

/// Of each line, a parameter has the attributes of one word at most; `inreg` may stand beside `sret`.
const APART: &[&[&[u8]]] = &[
    &[b"byval", b"inalloca", b"preallocated", b"sret", b"nest", b"byref"],
    &[b"byval", b"inalloca", b"preallocated", b"inreg", b"nest", b"byref"],
    &[b"sret", b"returned"],
    &[b"zeroext", b"signext"],
    &[b"readnone", b"readonly", b"writeonly"],
    &[b"readnone", b"writable"],
    &[b"readonly", b"writable"],
    &[b"readonly", b"inalloca"],
];

/// The attributes that results may have, of those that this module knows.
const OF_RESULTS: &[&[u8]] = &[
    b"noalias",
    b"nonnull",
    b"dereferenceable",
    b"dereferenceable_or_null",
    b"align",
    b"zeroext",
    b"signext",
    b"range",
    b"nofpclass",
    b"noundef",
    b"inreg",
];

/// The attribute among those of a parameter, argument or result that does not fit its type, its place, or another one,
/// with the reason. `result`: the type of the function's result.
pub(crate) fn unfit(
    facts: &Facts,
    module: &Module<'_>,
    span: Span,
    ty: Type,
    result: Type,
    place: Place,
) -> Option<String> {
    let text = span.of(module.text).trim_ascii();
    if text.is_empty() || text == b"noundef" {
        return None;
    }
    let words = || {
        module.attributes(span).filter_map(|attribute| match attribute {
            Attribute::Word { name, .. } => Some(name),
            _ => None,
        })
    };
    if place != Place::Result && words().nth(1).is_some() {
        let apart = APART.iter().find_map(|line| {
            let mut both = line.iter().filter(|&&wanted| words().any(|word| word == wanted));
            both.next().zip(both.next())
        });
        if let Some((one, other)) = apart {
            let [one, other] = [one, other].map(|name| String::from_utf8_lossy(name));
            return Some(format!("'{one}' beside '{other}'"));
        }
        if words().any(|word| word == b"immarg") && words().any(|word| !matches!(word, b"immarg" | b"range")) {
            return Some("'immarg' beside another attribute".to_string());
        }
    }
    module.attributes(span).find_map(|attribute| {
        let Attribute::Word { name, argument } = attribute else { return None };
        let is_pointer = class(module, ty) == Class::Pointer;
        let fits = match name {
            b"byval" | b"sret" | b"byref" | b"inalloca" | b"preallocated" => {
                let pointee = (!argument.is_empty()).then(|| module.type_at(argument).ok()).flatten();
                is_pointer && pointee.is_some_and(|ty| facts.is_sized(module, ty))
            }
            b"noalias"
            | b"nonnull"
            | b"dereferenceable"
            | b"dereferenceable_or_null"
            | b"nest"
            | b"swifterror"
            | b"writable"
            | b"dead_on_unwind"
            | b"initializes"
            | b"dead_on_return" => is_pointer,
            b"nocapture" | b"captures" | b"readonly" | b"readnone" | b"writeonly" | b"nofree" => is_pointer,
            b"elementtype" => scalar_class(module, ty) == Class::Pointer,
            // Behind the arguments' attributes, the alignment of pointers; on the stack, of anything.
            b"align" => scalar_class(module, ty) == Class::Pointer,
            b"zeroext" | b"signext" => class(module, ty) == Class::Integer,
            b"range" => {
                let spelled = argument.of(module.text).trim_ascii();
                let word = spelled.split(|&byte| byte == b' ').next().unwrap_or(b"");
                scalar_class(module, ty) == Class::Integer
                    && module.display_type(module.types.scalar(ty)).as_bytes() == word
            }
            b"nofpclass" => is_floating(module, ty) || scalar_class(module, ty) == Class::Float,
            b"immarg" if place == Place::Parameter => {
                return Some("'immarg' belongs to immediates of intrinsics".to_string());
            }
            b"immarg" => true,
            b"returned" => ty == result,
            b"noundef" | b"inreg" => !matches!(module.types[ty], TypeData::Void),
            _ => return None,
        };
        let is_here = match place {
            Place::Result => OF_RESULTS.contains(&name),
            Place::Variadic => name != b"sret",
            Place::Parameter | Place::Immediate => true,
        };
        if !is_here {
            let place = if place == Place::Result { "a result" } else { "an argument behind the parameters" };
            return Some(format!("'{}' on {place}", String::from_utf8_lossy(name)));
        }
        let name = String::from_utf8_lossy(name);
        (!fits).then(|| format!("'{name}' on a value of type '{}'", module.display_type(ty)))
    })
}

/// What is wrong with the attributes of all parameters, or of all arguments, together.
pub(crate) fn unfit_together(module: &Module<'_>, parameters: &[Span]) -> Option<String> {
    let mut seen = [0; 3];
    for (position, &span) in parameters.iter().enumerate() {
        let text = span.of(module.text);
        if text.len() < b"nest".len() || text == b"noundef" {
            continue;
        }
        for (name, seen) in ["sret", "returned", "nest"].into_iter().zip(&mut seen) {
            if memchr::memmem::find(text, name.as_bytes()).is_none() || !has(module, span, name.as_bytes()) {
                continue;
            }
            *seen += 1;
            if *seen > 1 {
                return Some(format!("'{name}' more than once"));
            }
            if name == "sret" && position > 1 {
                return Some("'sret' behind the second".to_string());
            }
        }
    }
    None
}

/// Whether some attribute with this name is in a part of the text.
pub(crate) fn has(module: &Module<'_>, span: Span, wanted: &[u8]) -> bool {
    !span.is_empty()
        && module.attributes(span).any(|attribute| matches!(attribute, Attribute::Word { name, .. } if name == wanted))
}
