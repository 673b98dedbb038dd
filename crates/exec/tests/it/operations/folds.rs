//! Reductions and scans.

use half::{bf16, f16};
use reconverge_exec::value::{Scalar, low_bits};

use super::cases::case;
use super::world::{Case, World};

/// Two values made one, as Rust does it.
pub(crate) fn join(operation: &str, scalar: Scalar, one: u64, other: u64) -> u64 {
    match scalar {
        Scalar::Half => {
            let float = |bits: u64| f16::from_bits(bits as u16).to_f64();
            u64::from(f16::from_f32(join_floats(operation, float(one), float(other)) as f32).to_bits())
        }
        Scalar::BFloat => {
            let float = |bits: u64| bf16::from_bits(bits as u16).to_f64();
            u64::from(bf16::from_f32(join_floats(operation, float(one), float(other)) as f32).to_bits())
        }
        Scalar::Float => {
            let (one, other) = (f32::from_bits(one as u32), f32::from_bits(other as u32));
            let result = match operation {
                "add" => one + other,
                "mul" => one * other,
                _ => join_floats(operation, f64::from(one), f64::from(other)) as f32,
            };
            u64::from(result.to_bits())
        }
        Scalar::Double => join_floats(operation, f64::from_bits(one), f64::from_bits(other)).to_bits(),
        _ => join_integers(operation, scalar.bits(), one, other),
    }
}

fn join_floats(operation: &str, one: f64, other: f64) -> f64 {
    match operation {
        "add" => one + other,
        "mul" => one * other,
        "min" if one.is_nan() => other,
        "max" if one.is_nan() => other,
        "min" if other < one || other == one && other.is_sign_negative() => other,
        "max" if other > one || other == one && other.is_sign_positive() => other,
        _ => one,
    }
}

fn join_integers(operation: &str, width: u32, one: u64, other: u64) -> u64 {
    let signed = |bits: u64| i128::from(bits) - if bits >> (width - 1) & 1 == 1 { 1 << width } else { 0 };
    let logical = |one: bool| u64::from(one);
    match operation {
        "add" => one.wrapping_add(other) & low_bits(width),
        "mul" => one.wrapping_mul(other) & low_bits(width),
        "min" => {
            if signed(one) < signed(other) {
                one
            } else {
                other
            }
        }
        "max" => {
            if signed(one) > signed(other) {
                one
            } else {
                other
            }
        }
        "umin" => one.min(other),
        "umax" => one.max(other),
        "and" => one & other,
        "or" => one | other,
        "xor" => one ^ other,
        "logical_and" => logical(one != 0 && other != 0),
        "logical_or" => logical(one != 0 || other != 0),
        "logical_xor" => logical((one != 0) != (other != 0)),
        _ => panic!("no such operation: {operation}"),
    }
}

/// What an exclusive scan begins with.
pub(crate) fn neutral(operation: &str, scalar: Scalar) -> u64 {
    let float = |number: f32| match scalar {
        Scalar::Half => u64::from(f16::from_f32(number).to_bits()),
        Scalar::BFloat => u64::from(bf16::from_f32(number).to_bits()),
        Scalar::Float => u64::from(number.to_bits()),
        _ => f64::from(number).to_bits(),
    };
    match operation {
        "mul" if scalar.is_float() => float(1.0),
        "min" if scalar.is_float() => float(f32::INFINITY),
        "max" if scalar.is_float() => float(f32::NEG_INFINITY),
        "min" => low_bits(scalar.bits() - 1),
        "max" => 1 << (scalar.bits() - 1),
        "umin" | "and" => low_bits(scalar.bits()),
        "mul" | "logical_and" => 1,
        _ => 0,
    }
}

/// The result for one of several threads, whose values are given in order.
pub(crate) fn folded(operation: &str, extent: &str, scalar: Scalar, values: &[u64], own: usize) -> u64 {
    let logical = operation.starts_with("logical");
    let value = |index: usize| if logical { u64::from(values[index] != 0) } else { values[index] };
    let (mut sum, range) = match extent {
        "reduce" => (value(0), 1..values.len()),
        "inclusive" => (value(0), 1..own + 1),
        _ => (neutral(operation, scalar), 0..own),
    };
    for index in range {
        sum = join(operation, scalar, sum, value(index));
    }
    sum
}

/// The reference of an operation on the threads of a set, or of the clusters of it.
fn reference(
    operation: &'static str,
    extent: &'static str,
    argument: usize,
    cluster: Option<usize>,
) -> impl Fn(&World, usize) -> Vec<Option<u64>> {
    move |world, lane| {
        let cluster = cluster.unwrap_or(world.size) as i64;
        let near = |other: &usize| world.number(*other) / cluster == world.number(lane) / cluster;
        let lanes: Vec<usize> = world.lanes().into_iter().filter(near).collect();
        let own = lanes.iter().position(|&other| other == lane).expect("a lane of the set");
        let elements = world.shapes[argument].iter().zip(&world.arguments[argument]);
        elements
            .map(|(&scalar, slot)| {
                let values: Vec<u64> = lanes.iter().map(|&lane| slot.bits[lane]).collect();
                Some(folded(operation, extent, scalar, &values, own))
            })
            .collect()
    }
}

/// Types by the letter that mangling gives them.
const TYPES: [(&str, &str); 8] = [
    ("i", "i32 (i32)"),
    ("j", "i32 (i32)"),
    ("l", "i64 (i64)"),
    ("m", "i64 (i64)"),
    ("Dh", "half (half)"),
    ("f", "float (float)"),
    ("d", "double (double)"),
    ("s", "i16 (i16)"),
];

pub(crate) const OPERATIONS: [&str; 10] =
    ["add", "mul", "min", "max", "and", "or", "xor", "logical_and", "logical_or", "logical_xor"];

pub(crate) fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    opencl(&mut cases);
    spirv(&mut cases);
    shaders(&mut cases);
    named(&mut cases);
    cases
}

fn opencl(cases: &mut Vec<Case>) {
    for operation in OPERATIONS {
        for (letter, signature) in TYPES {
            let is_float = matches!(letter, "Dh" | "f" | "d");
            if is_float && !["add", "mul", "min", "max"].contains(&operation) {
                continue;
            }
            let meant = match (operation, letter) {
                ("min", "j" | "m") => "umin",
                ("max", "j" | "m") => "umax",
                _ => operation,
            };
            for (extent, middle) in
                [("reduce", "reduce_"), ("inclusive", "scan_inclusive_"), ("exclusive", "scan_exclusive_")]
            {
                for group in ["sub_group_", "sub_group_non_uniform_"] {
                    let name = format!("{group}{middle}{operation}");
                    let mangled = format!("_Z{}{name}{letter}", name.len());
                    let operands = if operation.starts_with("logical") { "b" } else { "r" };
                    cases.push(case(&mangled, signature, operands, reference(meant, extent, 0, None)));
                }
            }
        }
        let name = format!("sub_group_clustered_reduce_{operation}");
        let mangled = format!("_Z{}{name}ij", name.len());
        cases.push(case(&mangled, "i32 (i32, i32)", "r 1", reference(operation, "reduce", 0, Some(1))));
    }
}

fn spirv(cases: &mut Vec<Case>) {
    let instructions = [
        ("IAdd", "add", "i64 (i32, i32, i64)"),
        ("FAdd", "add", "float (i32, i32, float)"),
        ("IMul", "mul", "i32 (i32, i32, i32)"),
        ("FMul", "mul", "double (i32, i32, double)"),
        ("SMin", "min", "i32 (i32, i32, i32)"),
        ("UMin", "umin", "i32 (i32, i32, i32)"),
        ("FMin", "min", "half (i32, i32, half)"),
        ("SMax", "max", "i32 (i32, i32, i32)"),
        ("UMax", "umax", "i32 (i32, i32, i32)"),
        ("FMax", "max", "bfloat (i32, i32, bfloat)"),
        ("BitwiseAnd", "and", "i32 (i32, i32, i32)"),
        ("BitwiseOr", "or", "<2 x i32> (i32, i32, <2 x i32>)"),
        ("BitwiseXor", "xor", "i32 (i32, i32, i32)"),
        ("LogicalAnd", "logical_and", "i1 (i32, i32, i1)"),
        ("LogicalOr", "logical_or", "i1 (i32, i32, i1)"),
        ("LogicalXor", "logical_xor", "i1 (i32, i32, i1)"),
    ];
    for (instruction, operation, signature) in instructions {
        for (kind, extent) in [("3 0 r", "reduce"), ("3 1 r", "inclusive"), ("3 2 r", "exclusive")] {
            let name = format!("__spirv_GroupNonUniform{instruction}");
            cases.push(case(&name, signature, kind, reference(operation, extent, 2, None)));
            let name = format!("__spirv_Group{instruction}");
            let mangled = format!("_Z{}{name}iit", name.len());
            cases.push(case(&mangled, signature, kind, reference(operation, extent, 2, None)));
        }
    }
    let clustered = "__spirv_GroupNonUniformIAdd";
    cases.push(case(clustered, "i32 (i32, i32, i32, i32)", "3 3 r 1", reference("add", "reduce", 2, Some(1))));
}

fn shaders(cases: &mut Vec<Case>) {
    let reductions = [
        ("reduce.sum.i32", "add", "i32 (i32)"),
        ("reduce.sum.v4f32", "add", "<4 x float> (<4 x float>)"),
        ("reduce.usum.i32", "add", "i32 (i32)"),
        ("reduce.max.f32", "max", "float (float)"),
        ("reduce.min.i32", "min", "i32 (i32)"),
        ("reduce.umax.i32", "umax", "i32 (i32)"),
        ("reduce.umin.i32", "umin", "i32 (i32)"),
        ("reduce.or.i32", "or", "i32 (i32)"),
        ("reduce.xor.i32", "xor", "i32 (i32)"),
        ("reduce.and.i32", "and", "i32 (i32)"),
        ("product.i32", "mul", "i32 (i32)"),
        ("uproduct.i32", "mul", "i32 (i32)"),
    ];
    let scans = [
        ("prefix.sum.f32", "add", "float (float)"),
        ("prefix.usum.i32", "add", "i32 (i32)"),
        ("prefix.product.i32", "mul", "i32 (i32)"),
        ("prefix.uproduct.i32", "mul", "i32 (i32)"),
    ];
    for target in ["spv", "dx"] {
        for (name, operation, signature) in reductions {
            let name = format!("llvm.{target}.wave.{name}");
            cases.push(case(&name, signature, "r", reference(operation, "reduce", 0, None)));
        }
        for (name, operation, signature) in scans {
            let name = format!("llvm.{target}.wave.{name}");
            cases.push(case(&name, signature, "r", reference(operation, "exclusive", 0, None)));
        }
    }
    for (operands, operation) in [
        ("119 r 0 0", "add"),
        ("119 r 1 0", "mul"),
        ("119 r 2 0", "min"),
        ("119 r 3 0", "max"),
        ("119 r 2 1", "umin"),
        ("119 r 3 1", "umax"),
    ] {
        let signature = "i32 (i32, i32, i8, i8)";
        cases.push(case("dx.op.waveActiveOp.i32", signature, operands, reference(operation, "reduce", 1, None)));
        cases.push(case("dx.op.wavePrefixOp.i32", signature, operands, reference(operation, "exclusive", 1, None)));
    }
    for (operands, operation) in [("120 r 0", "and"), ("120 r 1", "or"), ("120 r 2", "xor")] {
        let reference = reference(operation, "reduce", 1, None);
        cases.push(case("dx.op.waveActiveBit.i32", "i32 (i32, i32, i8)", operands, reference));
    }
}

fn named(cases: &mut Vec<Case>) {
    for (name, operation) in
        [("Add", "add"), ("Mul", "mul"), ("Min", "min"), ("Max", "max"), ("And", "and"), ("Or", "or"), ("Xor", "xor")]
    {
        let signature = "i32 (i32)";
        cases.push(case(&format!("subgroup{name}"), signature, "r", reference(operation, "reduce", 0, None)));
        let inclusive = reference(operation, "inclusive", 0, None);
        cases.push(case(&format!("subgroupInclusive{name}"), signature, "r", inclusive));
        let exclusive = reference(operation, "exclusive", 0, None);
        cases.push(case(&format!("subgroupExclusive{name}"), signature, "r", exclusive));
        let clustered = reference(operation, "reduce", 0, Some(1));
        cases.push(case(&format!("subgroupClustered{name}"), "i32 (i32, i32)", "r 1", clustered));
    }
    for (name, operation, sign) in [
        ("add", "add", "j"),
        ("min", "min", "i"),
        ("min", "umin", "j"),
        ("max", "max", "i"),
        ("max", "umax", "j"),
        ("and", "and", "j"),
        ("or", "or", "j"),
        ("xor", "xor", "j"),
    ] {
        let name = format!("__reduce_{name}_sync");
        let mangled = format!("_Z{}{name}j{sign}", name.len());
        cases.push(case(&mangled, "i32 (i32, i32)", "m r", reference(operation, "reduce", 1, None)));
    }
    for (name, operation) in [
        ("add", "add"),
        ("min", "min"),
        ("umin", "umin"),
        ("max", "max"),
        ("umax", "umax"),
        ("and", "and"),
        ("or", "or"),
        ("xor", "xor"),
    ] {
        let name = format!("llvm.nvvm.redux.sync.{name}");
        cases.push(case(&name, "i32 (i32, i32)", "r m", reference(operation, "reduce", 0, None)));
    }
    for (operation, least) in [("fmin", true), ("fmax", false)] {
        for (suffix, absolute) in [("", false), (".abs", true), (".NaN", false), (".abs.NaN", true)] {
            let name = format!("llvm.nvvm.redux.sync.{operation}{suffix}");
            cases.push(case(&name, "float (float, i32)", "r m", move |world, _| {
                let float = |lane: usize| f32::from_bits(world.at(0, lane) as u32);
                let numbers =
                    world.lanes().into_iter().map(|lane| if absolute { float(lane).abs() } else { float(lane) });
                let order = |one: &f32, other: &f32| one.total_cmp(other);
                let result = if least { numbers.min_by(order) } else { numbers.max_by(order) };
                vec![result.map(|result| u64::from(result.to_bits()))]
            }));
        }
    }
    for (name, operation, signature) in [
        ("add.i32", "add", "i32 (i32, i32)"),
        ("fadd.f32", "add", "float (float, i32)"),
        ("min.i32", "min", "i32 (i32, i32)"),
        ("umin.i32", "umin", "i32 (i32, i32)"),
        ("fmin.f32", "min", "float (float, i32)"),
        ("max.i64", "max", "i64 (i64, i32)"),
        ("umax.i64", "umax", "i64 (i64, i32)"),
        ("fmax.f32", "max", "float (float, i32)"),
        ("and.i32", "and", "i32 (i32, i32)"),
        ("or.i32", "or", "i32 (i32, i32)"),
        ("xor.i32", "xor", "i32 (i32, i32)"),
    ] {
        let name = format!("llvm.amdgcn.wave.reduce.{name}");
        cases.push(case(&name, signature, "r 0", reference(operation, "reduce", 0, None)));
    }
    cases.push(case("llvm.amdgcn.wave.reduce.sub.i32", "i32 (i32, i32)", "r 0", |world, _| {
        let sum = world.lanes().into_iter().fold(0u32, |sum, lane| sum.wrapping_sub(world.at(0, lane) as u32));
        vec![Some(u64::from(sum))]
    }));
    cases.push(case("llvm.amdgcn.wave.reduce.fsub.f32", "float (float, i32)", "r 0", |world, _| {
        let numbers = world.lanes().into_iter().map(|lane| f32::from_bits(world.at(0, lane) as u32));
        let sum = numbers.reduce(|sum, number| sum + number).map(|sum| -sum);
        vec![sum.map(|sum| u64::from(sum.to_bits()))]
    }));
    for (name, operation, signature) in [
        ("add_i32", "add", "i32 (i32)"),
        ("min_u64", "umin", "i64 (i64)"),
        ("max_f32", "max", "float (float)"),
        ("and_u32", "and", "i32 (i32)"),
    ] {
        let reduce = reference(operation, "reduce", 0, None);
        cases.push(case(&format!("__ockl_wfred_{name}"), signature, "r", reduce));
    }
    for (operands, extent) in [("r 1", "inclusive"), ("r 0", "exclusive")] {
        let scan = reference("add", extent, 0, None);
        cases.push(case("__ockl_wfscan_add_u32", "i32 (i32, i1)", operands, scan));
    }
}
