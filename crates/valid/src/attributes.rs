//! Which attributes fit which types (LangRef, "Parameter Attributes").

use reconverge_ir::attributes::Attribute;
use reconverge_ir::types::{Type, TypeData};
use reconverge_ir::{Module, Span};

use crate::Facts;
use crate::types::{Class, class, is_floating, scalar_class};

/// The attribute among those of a parameter, argument or result that does not fit its type, with the reason. `result`: the
/// type of the function's result.
pub(crate) fn unfit(facts: &Facts, module: &Module<'_>, span: Span, ty: Type, result: Type) -> Option<String> {
    let text = span.of(module.text).trim_ascii();
    if text.is_empty() || text == b"noundef" {
        return None;
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
            b"immarg" => return Some("'immarg' belongs to declarations of intrinsics".to_string()),
            b"returned" => ty == result,
            b"noundef" | b"inreg" => !matches!(module.types[ty], TypeData::Void),
            _ => true,
        };
        let name = String::from_utf8_lossy(name);
        (!fits).then(|| format!("'{name}' on a value of type '{}'", module.display_type(ty)))
    })
}

/// Whether some attribute with this name is in a part of the text.
pub(crate) fn has(module: &Module<'_>, span: Span, wanted: &[u8]) -> bool {
    !span.is_empty()
        && module.attributes(span).any(|attribute| matches!(attribute, Attribute::Word { name, .. } if name == wanted))
}
