//! The overloads that C++ adds to functions of mathematics.

use super::overload::Argument;
use super::signature::{Base, Overload, Ty};
use crate::options::Dialect;

/// Of which the first word of each entry is the name.
const FUNCTIONS: &str = include_str!("device/mathematics.txt");

/// The overload of a function of mathematics that C++ adds for numbers of any types ("cmath.syn"): that for `double`s, but for `float`s where none of the arguments
/// is an integer or a `double`. None for other functions, and other arguments.
pub(super) fn promoted(dialect: Dialect, name: &str, overloads: &[Overload], arguments: &[Argument]) -> Option<usize> {
    let is_known = || FUNCTIONS.split([';', '\n']).any(|entry| entry.split_whitespace().next() == Some(name));
    let is_number = |argument: &Argument| {
        let Ty { base, lanes, pointer, .. } = argument.of;
        (base.bits() != 0 || base == Base::Bool) && lanes == 1 && pointer.is_none()
    };
    if !dialect.is_cpp() || !is_known() || !arguments.iter().all(is_number) {
        return None;
    }
    let is_short = |argument: &Argument| matches!(argument.of.base, Base::Half | Base::BFloat | Base::Float);
    let wanted = if arguments.iter().all(is_short) { Base::Float } else { Base::Double };
    overloads.iter().position(|overload| {
        overload.parameters.len() == arguments.len() && overload.parameters.iter().all(|of| of.base == wanted)
    })
}
