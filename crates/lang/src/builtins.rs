//! The functions, variables and constants that each dialect has without a declaration, resolved for a target.
//!
//! They are data as far as possible: [`signature`] reads tables of overloads with generic types, [`overload`] chooses one, [`mangle`] gives it its
//! name in IR.

use crate::diagnostic::Diagnostic;
use crate::options::Dialect;
use crate::source::Location;
use crate::typed::{Builder, Expression};

mod constants;
pub mod mangle;
pub mod opencl;
pub mod overload;
pub mod signature;

pub use constants::constant;

/// A call of a function that the dialect has without a declaration. None: it has no function of that name. An error names the function and what it takes.
pub fn call(
    build: &mut Builder,
    name: &str,
    arguments: &[Expression],
    location: Location,
) -> Option<Result<Expression, Diagnostic>> {
    match build.dialect() {
        Dialect::OpenCl => opencl::call(build, name, arguments, location),
        _ => None,
    }
}
