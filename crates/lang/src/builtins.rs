//! The functions, variables and constants that each dialect has without a declaration, resolved for a target.
//!
//! They are data as far as possible: [`signature`] reads tables of overloads with generic types, [`overload`] chooses one, [`mangle`] gives it its
//! name in IR. What CUDA, HIP and C have is made by [recipes](reconverge_operations::recipe) that [`device`] follows.

use crate::diagnostic::Diagnostic;
use crate::options::Dialect;
use crate::source::Location;
use crate::typed::{Builder, Expression};

mod assembly;
mod constants;
pub mod device;
mod effects;
mod functions;
pub mod mangle;
pub mod opencl;
pub mod overload;
mod promoted;
pub mod signature;
mod special;

pub use assembly::{Statement, assembly, opaque};
pub use constants::constant;
pub use device::{member, variable};
pub use effects::effects;

/// A call of a function that the dialect has without a declaration. None: it has no function of that name. An error names the function and what it takes.
pub fn call(
    build: &mut Builder,
    name: &str,
    arguments: &[Expression],
    location: Location,
) -> Option<Result<Expression, Diagnostic>> {
    let calls = build.body.calls.len();
    let special = match build.dialect() {
        Dialect::OpenCl => opencl::call(build, name, arguments, location),
        Dialect::Cuda | Dialect::Hip => device::make_vector(build, name, arguments, location),
        Dialect::C | Dialect::Cpp => None,
    };
    let made = special
        .or_else(|| special::call(build, name, arguments, location))
        .or_else(|| device::call(build, name, arguments, location));
    build.name_calls(calls, name, false);
    made
}
