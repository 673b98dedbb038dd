//! Which attributes fit which types (LangRef, "Parameter Attributes").

use reconverge_ir::attributes::Attribute;
use reconverge_ir::opcode::Flags;
use reconverge_ir::types::{Type, TypeData};
use reconverge_ir::{Module, Span};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::Facts;
use crate::types::{Class, class, is_floating, scalar_class};

/// What attributes are about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Place {
    /// The result of a function.
    Result,
    /// The result of a call, with the keywords in front of it.
    Call,
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

/// Texts of attributes that were met before. A module has few different ones, and has them often.
///
/// Invariant: `fitting` has a text with each [`Use`] that it was found to fit in the module of these facts, and no other.
#[derive(Debug, Default)]
pub(crate) struct Memo {
    /// The number of the facts; another module has other types.
    facts: u64,
    numbers: FxHashMap<Box<[u8]>, usize>,
    texts: Vec<Known>,
    fitting: FxHashSet<(usize, Use)>,
}

/// The number of a text in its memo.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Met(usize);

#[derive(Debug)]
struct Known {
    reaches_out: bool,
    names_kernel: bool,
}

/// Where a text of attributes is met.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Use {
    ty: Type,
    /// The type of the result, where the text reaches out.
    result: Option<Type>,
    place: Place,
}

impl Memo {
    /// Looks a text up; nothing for one that fits everywhere.
    #[inline]
    pub(crate) fn meet(&mut self, facts: &Facts, text: &[u8]) -> Option<Met> {
        if matches!(text, b"" | b"noundef") {
            return None;
        }
        if self.facts != facts.number {
            *self = Memo { facts: facts.number, ..Memo::default() };
        }
        if let Some(&number) = self.numbers.get(text) {
            return Some(Met(number));
        }
        let mentions = |word: &[u8]| memchr::memmem::find(text, word).is_some();
        let reaches_out = [&b"sret"[..], b"byval", b"returned", b"nest"].into_iter().any(mentions);
        let names_kernel = mentions(b"kernel") || mentions(b"cc");
        self.numbers.insert(text.into(), self.texts.len());
        self.texts.push(Known { reaches_out, names_kernel });
        Some(Met(self.texts.len() - 1))
    }

    /// Whether `sret`, `byval`, `returned` or `nest`, which are about the rest of the function type, may be in a text.
    pub(crate) fn reaches_out(&self, met: Met) -> bool {
        self.texts[met.0].reaches_out
    }

    /// Whether the calling convention in a text may be that of kernels.
    pub(crate) fn names_kernel(&self, met: Met) -> bool {
        self.texts[met.0].names_kernel
    }

    /// What is wrong with the attributes of a text: one that does not fit its type, its place or another one. `result`: the
    /// type of the function's result.
    pub(crate) fn unfit(
        &mut self,
        facts: &Facts,
        module: &Module<'_>,
        (met, span): (Met, Span),
        ty: Type,
        result: Type,
        place: Place,
    ) -> Option<String> {
        let here = (met.0, Use { ty, result: self.reaches_out(met).then_some(result), place });
        if self.fitting.contains(&here) {
            return None;
        }
        let problem = unfit(facts, module, span, ty, result, place);
        if problem.is_none() {
            self.fitting.insert(here);
        }
        problem
    }
}

/// The attribute among those of a parameter, argument or result that does not fit its type, its place, or another one,
/// with the reason. `result`: the type of the function's result.
fn unfit(facts: &Facts, module: &Module<'_>, span: Span, ty: Type, result: Type, place: Place) -> Option<String> {
    let words = || {
        module.attributes(span).filter_map(|attribute| match attribute {
            Attribute::Word { name, .. } => Some(name),
            _ => None,
        })
    };
    let is_result = matches!(place, Place::Result | Place::Call);
    if place == Place::Call
        && let Some(name) = words().find(|name| Flags::from_keyword(name).is_some())
    {
        return Some(format!("a call takes no '{}'", String::from_utf8_lossy(name)));
    }
    if !is_result && words().nth(1).is_some() {
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
            Place::Result | Place::Call => OF_RESULTS.contains(&name),
            Place::Variadic => name != b"sret",
            Place::Parameter | Place::Immediate => true,
        };
        if !is_here {
            let place = if is_result { "a result" } else { "an argument behind the parameters" };
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
