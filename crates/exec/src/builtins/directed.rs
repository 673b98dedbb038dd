//! Arithmetic with a rounding mode in its name: CUDA's `__fadd_rz`, OCML's `add_rtz_f32`.

use super::call::Call;
use super::conversion::rounding_named;
use super::pure::{Pure, costly};
use crate::arithmetic::exact;
use crate::arithmetic::float::{encode, sign_bit};

/// The function that a call means.
pub(super) fn recognise(call: &Call) -> Option<Pure> {
    let (name, mode) = call.name.rsplit_once('_')?;
    let (number, _) = call.first()?;
    let (mode, format) = (rounding_named(mode)?, number.float()?);
    let same = (1..call.operands.len()).all(|operand| call.value(operand) == call.value(0));
    let function = match (name, call.operands.len()) {
        ("add", 2) => costly(move |[a, b]| exact::add(format, mode, a, b)),
        ("sub", 2) => costly(move |[a, b]| exact::add(format, mode, a, b ^ sign_bit(format))),
        ("mul", 2) => costly(move |[a, b]| exact::mul(format, mode, a, b)),
        ("divide", 2) => costly(move |[a, b]| exact::div(format, mode, a, b)),
        ("recip", 1) => costly(move |[a]| exact::div(format, mode, encode(format, 1.0), a)),
        ("sqrt", 1) => costly(move |[a]| exact::sqrt(format, mode, a)),
        ("fma", 3) => costly(move |[a, b, c]| exact::fma(format, mode, a, b, c)),
        _ => return None,
    };
    same.then(|| call.elementwise(format.bits(), call.result.len(), function))?
}
