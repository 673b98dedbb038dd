//! Which attributes fit which types (LangRef, "Parameter Attributes").

mod arguments;

use reconverge_ir::attributes::Attribute;
use reconverge_ir::opcode::Flags;
use reconverge_ir::types::{Type, TypeData};
use reconverge_ir::{Module, Span};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use crate::Facts;
use crate::conventions::Convention;
use crate::types::{Class, bits, class, is_floating, lanes, scalar_class};

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
/// Invariant: `fitting` has the number of a text with each [`Use`] that it was found to fit in the module of these facts, and no other.
#[derive(Debug, Default)]
pub(crate) struct Memo {
    /// The number of the facts; another module has other types.
    facts: u64,
    texts: FxHashMap<Box<[u8]>, Met>,
    fitting: FxHashSet<(u32, Use)>,
}

/// A text in its memo.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Met {
    number: u32,
    pub(crate) words: Words,
}

/// What a text has of the words that are about more than its own type.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Words {
    pub(crate) sret: bool,
    pub(crate) returned: bool,
    pub(crate) nest: bool,
    /// The calling convention, where it is one that has rules.
    pub(crate) convention: Option<Convention>,
}

/// Where a text of attributes is met.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Use {
    ty: Type,
    /// The type of the result, where the text is about it.
    result: Option<Type>,
    place: Place,
}

impl Memo {
    /// Looks a text up; nothing for one that fits everywhere.
    #[inline]
    pub(crate) fn meet(&mut self, facts: &Facts, module: &Module<'_>, span: Span) -> Option<Met> {
        let text = module.spelling(span);
        if matches!(text, b"" | b"noundef") {
            return None;
        }
        if self.facts != facts.number {
            *self = Memo { facts: facts.number, ..Memo::default() };
        }
        if let Some(&met) = self.texts.get(text) {
            return Some(met);
        }
        let mut words = Words::default();
        for attribute in module.attributes(span) {
            let Attribute::Word { name, argument } = attribute else { continue };
            match name {
                b"sret" => words.sret = true,
                b"returned" => words.returned = true,
                b"nest" => words.nest = true,
                _ => words.convention = words.convention.or_else(|| Convention::named(name, module.spelling(argument))),
            }
        }
        let met = Met { number: self.texts.len() as u32, words };
        self.texts.insert(text.into(), met);
        Some(met)
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
        let here = (met.number, Use { ty, result: met.words.returned.then_some(result), place });
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
    let words: SmallVec<[(&[u8], Span); 8]> = module
        .attributes(span)
        .filter_map(|attribute| match attribute {
            Attribute::Word { name, argument } => Some((name, argument)),
            _ => None,
        })
        .collect();
    let has = |wanted: &[u8]| words.iter().any(|&(name, _)| name == wanted);
    let is_result = matches!(place, Place::Result | Place::Call);
    // `weak` is a linkage, too.
    let is_flag = |name: &[u8]| Flags::from_keyword(name).is_some() && (place == Place::Call || name != b"weak");
    if is_result && let Some((name, _)) = words.iter().find(|(name, _)| is_flag(name)) {
        let what = if place == Place::Call { "call" } else { "function" };
        return Some(format!("a {what} takes no '{}'", String::from_utf8_lossy(name)));
    }
    if !is_result && words.len() > 1 {
        let apart = APART.iter().find_map(|line| {
            let mut both = line.iter().filter(|wanted| has(wanted));
            both.next().zip(both.next())
        });
        if let Some((one, other)) = apart {
            let [one, other] = [one, other].map(|name| String::from_utf8_lossy(name));
            return Some(format!("'{one}' beside '{other}'"));
        }
        if has(b"immarg") && words.iter().any(|(name, _)| !matches!(*name, b"immarg" | b"range")) {
            return Some("'immarg' beside another attribute".to_string());
        }
    }
    words.iter().enumerate().find_map(|(position, &(name, argument))| {
        // Of several with one name, LLVM takes the last.
        if words[position + 1..].iter().any(|&(other, _)| other == name) {
            return None;
        }
        if !arguments::is_argument(name, module.spelling(argument).trim_ascii()) {
            return Some(no_argument(name));
        }
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
            | b"allocptr"
            | b"swifterror"
            | b"writable"
            | b"dead_on_unwind"
            | b"initializes"
            | b"dead_on_return" => is_pointer,
            b"nocapture" | b"captures" | b"readonly" | b"readnone" | b"writeonly" => is_pointer,
            b"elementtype" => scalar_class(module, ty) == Class::Pointer,
            // Behind the arguments' attributes, the alignment of pointers; on the stack, of anything.
            b"align" => scalar_class(module, ty) == Class::Pointer,
            b"zeroext" | b"signext" => class(module, ty) == Class::Integer,
            b"range" => {
                let spelled = module.spelling(argument).trim_ascii();
                let at = memchr::memchr(b' ', spelled).unwrap_or(spelled.len());
                let (word, bounds) = spelled.split_at(at);
                scalar_class(module, ty) == Class::Integer
                    && module.display_type(module.types.scalar(ty)).as_bytes() == word
                    && bounds.split(|&byte| byte == b',').all(is_number)
            }
            b"nofpclass" => is_floating(module, ty) || scalar_class(module, ty) == Class::Float,
            b"immarg" if place == Place::Parameter => {
                return Some("'immarg' belongs to immediates of intrinsics".to_string());
            }
            b"immarg" => true,
            b"returned" => is_same_or_of_one_size(module, ty, result),
            b"noundef" | b"inreg" => !matches!(module.types[ty], TypeData::Void),
            _ => return None,
        };
        let is_here = match place {
            Place::Result | Place::Call => OF_RESULTS.contains(&name),
            Place::Variadic => name != b"sret",
            Place::Parameter | Place::Immediate => true,
        };
        if !is_here {
            let place = if is_result { "a result" } else { "an argument after the parameters" };
            return Some(format!("'{}' on {place}", String::from_utf8_lossy(name)));
        }
        let name = String::from_utf8_lossy(name);
        (!fits).then(|| format!("'{name}' on a value of type '{}'", module.display_type(ty)))
    })
}

/// What is wrong with attributes of a function, whatever their places: groups are not looked into.
pub(crate) fn malformed(module: &Module<'_>, span: Span) -> Option<String> {
    arguments::malformed(module, span).map(no_argument)
}

fn no_argument(name: &[u8]) -> String {
    format!("'{}' with an argument that it cannot have, or without one", String::from_utf8_lossy(name))
}

/// Whether a text is a decimal integer, or the bits of one.
fn is_number(text: &[u8]) -> bool {
    let text = text.trim_ascii();
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    let bits = text.strip_prefix(b"s0x").or_else(|| text.strip_prefix(b"u0x"));
    let is = |digits: &[u8], of: fn(&u8) -> bool| !digits.is_empty() && digits.iter().all(of);
    is(digits, u8::is_ascii_digit) || bits.is_some_and(|bits| is(bits, u8::is_ascii_hexdigit))
}

/// Whether one type is the other, or both are vectors with as many bits.
fn is_same_or_of_one_size(module: &Module<'_>, one: Type, other: Type) -> bool {
    let scalable = |ty: Type| lanes(module, ty).map(|(_, scalable)| scalable);
    one == other
        || scalable(one).is_some() && scalable(one) == scalable(other) && bits(module, one) == bits(module, other)
}

/// What was met so far at the parameters of a function, or at the arguments of a call, of what only one may have.
#[derive(Debug, Default)]
pub(crate) struct Together {
    sret: bool,
    returned: bool,
    nest: bool,
}

impl Together {
    /// What is wrong with the attributes of one more, the others being what they are.
    pub(crate) fn unfit(&mut self, position: usize, words: Words) -> Option<String> {
        let all = [
            ("sret", words.sret, &mut self.sret),
            ("returned", words.returned, &mut self.returned),
            ("nest", words.nest, &mut self.nest),
        ];
        for (name, is_here, was_met) in all {
            if is_here && std::mem::replace(was_met, true) {
                return Some(format!("'{name}' more than once"));
            }
        }
        (words.sret && position > 1).then(|| "'sret' after the second".to_string())
    }
}

/// Whether some attribute with this name is in a part of the text.
pub(crate) fn has(module: &Module<'_>, span: Span, wanted: &[u8]) -> bool {
    !span.is_empty()
        && module.attributes(span).any(|attribute| matches!(attribute, Attribute::Word { name, .. } if name == wanted))
}
