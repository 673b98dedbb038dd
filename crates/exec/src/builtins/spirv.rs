//! Names of SPIR-V instructions in the form that translators give them in LLVM IR: `__spirv_` and the instruction, or
//! `__spirv_ocl_` and the one of the OpenCL extended instruction set.

use std::borrow::Cow;

use super::demangle::{Number, ParameterType, demangle};
use super::memory::{
    AtomicBuiltin, AtomicOperand, AtomicOperation, MemoryBuiltin, MemoryOrder, MemoryScope, Modification,
};
use crate::value::{Scalar, Shape};

/// The name in OpenCL C of what follows `__spirv_`. Where the name says the sign of the integers, the parameters get it.
pub(super) fn canonical<'a>(
    name: &'a str,
    parameters: &mut [ParameterType],
    result: &[Scalar],
) -> Option<Cow<'a, str>> {
    if let Some(name) = name.strip_prefix("ocl_") {
        return Some(extended(name, parameters, result));
    }
    if let Some(conversion) = conversion(name, parameters, result) {
        return Some(conversion.into());
    }
    let name = match name {
        "IsNan" => "isnan",
        "IsInf" => "isinf",
        "IsFinite" => "isfinite",
        "IsNormal" => "isnormal",
        "SignBitSet" => "signbit",
        "Ordered" => "isordered",
        "Unordered" => "isunordered",
        "LessOrGreater" => "islessgreater",
        "FOrdEqual" => "isequal",
        "FUnordNotEqual" => "isnotequal",
        "FOrdLessThan" => "isless",
        "FOrdLessThanEqual" => "islessequal",
        "FOrdGreaterThan" => "isgreater",
        "FOrdGreaterThanEqual" => "isgreaterequal",
        "Any" => "any",
        "All" => "all",
        "Dot" => "dot",
        "BitCount" => "popcount",
        "BitReverse" => "bit_reverse",
        "FRem" => "fmod",
        _ => return None,
    };
    Some(name.into())
}

/// An instruction of the OpenCL extended instruction set.
fn extended<'a>(name: &'a str, parameters: &mut [ParameterType], result: &[Scalar]) -> Cow<'a, str> {
    if name.starts_with("vloadn_R") {
        return format!("vload{}", result.len()).into();
    }
    if name.starts_with("vload_halfn_R") {
        return format!("vload_half{}", result.len()).into();
    }
    if let ("vstoren", [ParameterType::Vector(_, count), ..]) = (name, &*parameters) {
        return format!("vstore{count}").into();
    }
    if let ("vstore_halfn", [ParameterType::Vector(_, count), ..]) = (name, &*parameters) {
        return format!("vstore_half{count}").into();
    }
    let (name, signed) = match (name.strip_prefix("s_"), name.strip_prefix("u_")) {
        (Some(name), _) => (name, true),
        (_, Some(name)) => (name, false),
        _ => {
            let name = match name {
                "fmax_common" => "max",
                "fmin_common" => "min",
                "fclamp" => "clamp",
                _ => name,
            };
            return name.into();
        }
    };
    give_sign(parameters, signed);
    name.into()
}

fn give_sign(parameters: &mut [ParameterType], signed: bool) {
    for parameter in parameters {
        if let ParameterType::Number(number) | ParameterType::Vector(number, _) = parameter {
            *number = match *number {
                Number::Signed(bits) | Number::Unsigned(bits) if signed => Number::Signed(bits),
                Number::Signed(bits) => Number::Unsigned(bits),
                other => other,
            };
        }
    }
}

/// `ConvertFToS_Rint4_sat_rte` and its like, as `convert_int4_sat_rte`.
fn conversion(name: &str, parameters: &mut [ParameterType], result: &[Scalar]) -> Option<String> {
    let (instruction, rest) = name.split_once("_R")?;
    let (from_signed, to_signed, saturate) = match instruction {
        "ConvertFToS" => (false, true, ""),
        "ConvertFToU" => (false, false, ""),
        "ConvertSToF" | "SConvert" => (true, true, ""),
        "ConvertUToF" | "UConvert" => (false, false, ""),
        "FConvert" => (false, false, ""),
        "SatConvertSToU" => (true, false, "_sat"),
        "SatConvertUToS" => (false, true, "_sat"),
        _ => return None,
    };
    give_sign(parameters, from_signed);
    let unsigned = if to_signed { "" } else { "u" };
    let element = match result.first()? {
        Scalar::Integer(8) => format!("{unsigned}char"),
        Scalar::Integer(16) => format!("{unsigned}short"),
        Scalar::Integer(32) => format!("{unsigned}int"),
        Scalar::Integer(64) => format!("{unsigned}long"),
        Scalar::Half => "half".to_owned(),
        Scalar::Float => "float".to_owned(),
        Scalar::Double => "double".to_owned(),
        _ => return None,
    };
    let count = if result.len() == 1 { String::new() } else { result.len().to_string() };
    let modes = rest.split_once('_').map_or(String::new(), |(_, modes)| format!("_{modes}"));
    Some(format!("convert_{element}{count}{saturate}{modes}"))
}

/// Atomic instructions and memory barriers, whose operands are in the order of SPIR-V.
pub(super) fn atomic(name: &str, result: &[Scalar], arguments: &[Shape]) -> Option<MemoryBuiltin> {
    let (name, _) = demangle(name)?;
    let name = name.strip_prefix("__spirv_")?;
    if name == "MemoryBarrier" && arguments.len() == 2 {
        return Some(MemoryBuiltin::Fence { order: MemoryOrder::Semantics(1), scope: MemoryScope::SpirvArgument(0) });
    }
    let modify = |modification| AtomicOperation::Modify(modification, AtomicOperand::Argument(3));
    let (operation, value) = match name.strip_prefix("Atomic")? {
        "Load" => (AtomicOperation::Load, None),
        "Store" => (AtomicOperation::Store(3), Some(3)),
        "Exchange" => (modify(Modification::Exchange), Some(3)),
        "CompareExchange" | "CompareExchangeWeak" => {
            (AtomicOperation::CompareExchange { expected: 5, desired: 4 }, Some(4))
        }
        "IIncrement" => (AtomicOperation::Modify(Modification::Add, AtomicOperand::One), None),
        "IDecrement" => (AtomicOperation::Modify(Modification::Subtract, AtomicOperand::One), None),
        "IAdd" => (modify(Modification::Add), Some(3)),
        "ISub" => (modify(Modification::Subtract), Some(3)),
        "SMin" => (modify(Modification::SignedMinimum), Some(3)),
        "UMin" => (modify(Modification::UnsignedMinimum), Some(3)),
        "SMax" => (modify(Modification::SignedMaximum), Some(3)),
        "UMax" => (modify(Modification::UnsignedMaximum), Some(3)),
        "And" => (modify(Modification::And), Some(3)),
        "Or" => (modify(Modification::Or), Some(3)),
        "Xor" => (modify(Modification::Xor), Some(3)),
        "FAddEXT" => (modify(Modification::FloatAdd), Some(3)),
        "FMinEXT" => (modify(Modification::FloatMinimum), Some(3)),
        "FMaxEXT" => (modify(Modification::FloatMaximum), Some(3)),
        "FlagTestAndSet" => (AtomicOperation::TestAndSet, None),
        "FlagClear" => (AtomicOperation::Clear, None),
        _ => return None,
    };
    let element = match (operation, value) {
        (AtomicOperation::TestAndSet | AtomicOperation::Clear, _) => Scalar::Integer(32),
        (_, Some(value)) => *arguments.get(value)?.first()?,
        (_, None) => *result.first()?,
    };
    let expected = match operation {
        AtomicOperation::CompareExchange { .. } => 6,
        _ => 3 + usize::from(value.is_some()),
    };
    let pointer = matches!(arguments.first().map(Vec::as_slice), Some([Scalar::Pointer(_)]));
    let fits = pointer && arguments.len() == expected && arguments.iter().all(|shape| shape.len() == 1);
    let (order, scope) = (MemoryOrder::Semantics(2), MemoryScope::SpirvArgument(1));
    fits.then_some(MemoryBuiltin::Atomic(AtomicBuiltin { pointer: 0, element, operation, order, scope }))
}
