//! Constants that the dialects define by macros in headers nobody includes here.

use crate::options::Dialect;
use crate::source::Location;
use crate::typed::{Builder, Expression, FloatKind};

/// A constant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Value {
    /// An `int`.
    Int(i128),
    /// A `uint`.
    UInt(i128),
    /// A `long`.
    Long(i128),
    /// A `ulong`.
    ULong(i128),
    /// A `float`.
    Float(f64),
    /// A `double`.
    Double(f64),
    /// A `half`.
    Half(f64),
}

/// Those of OpenCL C.
const OPENCL: &[(&str, Value)] = &[
    ("CLK_LOCAL_MEM_FENCE", Value::Int(1)),
    ("CLK_GLOBAL_MEM_FENCE", Value::Int(2)),
    ("CLK_IMAGE_MEM_FENCE", Value::Int(4)),
    ("memory_scope_work_item", Value::Int(0)),
    ("memory_scope_work_group", Value::Int(1)),
    ("memory_scope_device", Value::Int(2)),
    ("memory_scope_all_svm_devices", Value::Int(3)),
    ("memory_scope_all_devices", Value::Int(3)),
    ("memory_scope_sub_group", Value::Int(4)),
    ("memory_order_relaxed", Value::Int(0)),
    ("memory_order_acquire", Value::Int(2)),
    ("memory_order_release", Value::Int(3)),
    ("memory_order_acq_rel", Value::Int(4)),
    ("memory_order_seq_cst", Value::Int(5)),
    ("CLK_ADDRESS_NONE", Value::Int(0)),
    ("CLK_ADDRESS_CLAMP_TO_EDGE", Value::Int(2)),
    ("CLK_ADDRESS_CLAMP", Value::Int(4)),
    ("CLK_ADDRESS_REPEAT", Value::Int(6)),
    ("CLK_ADDRESS_MIRRORED_REPEAT", Value::Int(8)),
    ("CLK_NORMALIZED_COORDS_FALSE", Value::Int(0)),
    ("CLK_NORMALIZED_COORDS_TRUE", Value::Int(1)),
    ("CLK_FILTER_NEAREST", Value::Int(0x10)),
    ("CLK_FILTER_LINEAR", Value::Int(0x20)),
    ("CHAR_BIT", Value::Int(8)),
    ("SCHAR_MAX", Value::Int(127)),
    ("SCHAR_MIN", Value::Int(-128)),
    ("UCHAR_MAX", Value::Int(255)),
    ("CHAR_MAX", Value::Int(127)),
    ("CHAR_MIN", Value::Int(-128)),
    ("USHRT_MAX", Value::Int(65535)),
    ("SHRT_MAX", Value::Int(32767)),
    ("SHRT_MIN", Value::Int(-32768)),
    ("UINT_MAX", Value::UInt(0xffff_ffff)),
    ("INT_MAX", Value::Int(0x7fff_ffff)),
    ("INT_MIN", Value::Int(-0x8000_0000)),
    ("ULONG_MAX", Value::ULong(0xffff_ffff_ffff_ffff)),
    ("LONG_MAX", Value::Long(0x7fff_ffff_ffff_ffff)),
    ("LONG_MIN", Value::Long(-0x8000_0000_0000_0000)),
    ("FLT_MAX", Value::Float(f32::MAX as f64)),
    ("FLT_MIN", Value::Float(f32::MIN_POSITIVE as f64)),
    ("FLT_EPSILON", Value::Float(f32::EPSILON as f64)),
    ("MAXFLOAT", Value::Float(f32::MAX as f64)),
    ("INFINITY", Value::Float(f64::INFINITY)),
    ("NAN", Value::Float(f64::NAN)),
    ("HUGE_VALF", Value::Float(f64::INFINITY)),
    ("HUGE_VAL", Value::Double(f64::INFINITY)),
    ("DBL_MAX", Value::Double(f64::MAX)),
    ("DBL_MIN", Value::Double(f64::MIN_POSITIVE)),
    ("DBL_EPSILON", Value::Double(f64::EPSILON)),
    ("HALF_MAX", Value::Half(65504.0)),
    ("M_PI_F", Value::Float(std::f64::consts::PI)),
    ("M_PI", Value::Double(std::f64::consts::PI)),
    ("M_PI_2_F", Value::Float(std::f64::consts::FRAC_PI_2)),
    ("M_E_F", Value::Float(std::f64::consts::E)),
    ("M_LN2_F", Value::Float(std::f64::consts::LN_2)),
    ("M_LOG2E_F", Value::Float(std::f64::consts::LOG2_E)),
    ("M_SQRT2_F", Value::Float(std::f64::consts::SQRT_2)),
];

/// Those of CUDA and HIP, whose headers are always included: enumerators, and macros of C's headers that they include.
const GPU: &[(&str, Value)] = &[
    ("NULL", Value::Int(0)),
    ("INT8_MAX", Value::Int(i8::MAX as i128)),
    ("INT16_MAX", Value::Int(i16::MAX as i128)),
    ("INT32_MAX", Value::Int(i32::MAX as i128)),
    ("INT32_MIN", Value::Int(i32::MIN as i128)),
    ("INT64_MAX", Value::Long(i64::MAX as i128)),
    ("INT64_MIN", Value::Long(i64::MIN as i128)),
    ("UINT8_MAX", Value::Int(u8::MAX as i128)),
    ("UINT16_MAX", Value::Int(u16::MAX as i128)),
    ("UINT32_MAX", Value::UInt(u32::MAX as i128)),
    ("UINT64_MAX", Value::ULong(u64::MAX as i128)),
    ("cudaBoundaryModeZero", Value::Int(0)),
    ("cudaBoundaryModeClamp", Value::Int(1)),
    ("cudaBoundaryModeTrap", Value::Int(2)),
    ("hipBoundaryModeZero", Value::Int(0)),
    ("hipBoundaryModeTrap", Value::Int(1)),
    ("hipBoundaryModeClamp", Value::Int(2)),
];

/// A constant of a dialect by its name; none if it has none of that name.
pub fn constant(build: &mut Builder, name: &str, location: Location) -> Option<Expression> {
    let is_device_only = name.starts_with("CLK_") || name.starts_with("memory_");
    if is_device_only && build.dialect() != Dialect::OpenCl {
        return None;
    }
    let is_gpu_cpp = matches!(build.dialect(), Dialect::Cuda | Dialect::Hip);
    let own = if is_gpu_cpp { GPU } else { &[] };
    let value = OPENCL.iter().chain(own).find(|(known, _)| *known == name)?.1;
    let types = &mut build.program.types;
    let (integer, float) = match value {
        Value::Int(value) => ((value, types.integer(32, true)), None),
        Value::UInt(value) => ((value, types.integer(32, false)), None),
        Value::Long(value) => ((value, types.integer(64, true)), None),
        Value::ULong(value) => ((value, types.integer(64, false)), None),
        Value::Float(value) => ((0, types.void()), Some((value, types.float(FloatKind::Single)))),
        Value::Double(value) => ((0, types.void()), Some((value, types.float(FloatKind::Double)))),
        Value::Half(value) => ((0, types.void()), Some((value, types.float(FloatKind::Half)))),
    };
    Some(match float {
        Some((value, of)) => build.float(value, of, location),
        None => build.integer(integer.0, integer.1, location),
    })
}
