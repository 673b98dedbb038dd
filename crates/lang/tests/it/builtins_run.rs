//! Which built-in functions `reconverge-exec` can execute, under the names that they get here: all but those that are listed.

use std::collections::BTreeSet;

use expect_test::expect;
use reconverge_exec::operations::{self, Call};
use reconverge_exec::value::{Scalar, Shape};
use reconverge_lang::builtins::signature::{Base, Ty};
use reconverge_lang::builtins::{self, device, opencl, overload};
use reconverge_lang::options::{Dialect, LowerTarget};
use reconverge_lang::source::Location;
use reconverge_lang::typed::{Body, Builder, FloatKind, FunctionData, Program, Type, TypeKind, VariableData};

/// A type as the interpreter flattens it; none for one that it has no scalars for.
fn flatten(program: &Program, of: Type) -> Option<Shape> {
    let scalar = |of: Type| {
        Some(match *program.types.kind(of) {
            TypeKind::Bool => Scalar::Integer(1),
            TypeKind::Integer { bits, .. } => Scalar::Integer(bits.into()),
            TypeKind::Float(FloatKind::Half) => Scalar::Half,
            TypeKind::Float(FloatKind::BFloat) => Scalar::BFloat,
            TypeKind::Float(FloatKind::Single) => Scalar::Float,
            TypeKind::Float(FloatKind::Double) => Scalar::Double,
            TypeKind::Pointer { space, .. } => Scalar::Pointer(match space {
                reconverge_lang::typed::AddressSpace::Private => 0,
                reconverge_lang::typed::AddressSpace::Global => 1,
                reconverge_lang::typed::AddressSpace::Constant => 2,
                reconverge_lang::typed::AddressSpace::Local => 3,
                reconverge_lang::typed::AddressSpace::Generic => 4,
            }),
            // Events are pointers for the interpreter.
            TypeKind::Opaque(_) => Scalar::Pointer(0),
            _ => return None,
        })
    };
    match *program.types.kind(of) {
        TypeKind::Void => Some(Shape::default()),
        TypeKind::Vector { element, lanes } => Some(std::iter::repeat_n(scalar(element)?, lanes.into()).collect()),
        _ => Some(std::iter::once(scalar(of)?).collect()),
    }
}

/// Whether the interpreter knows a declared function.
fn is_known(program: &Program, function: &FunctionData) -> bool {
    let TypeKind::Function { result, parameters, .. } = program.types.kind(function.of) else { return false };
    let (Some(result), Some(arguments)) =
        (flatten(program, *result), parameters.iter().map(|&of| flatten(program, of)).collect::<Option<Vec<Shape>>>())
    else {
        return false;
    };
    let constants = vec![Some(1); arguments.len()];
    let call = Call { name: &function.linkage_name, result: &result, arguments: &arguments, constants: &constants };
    operations::recognise(&call).is_some()
        || reconverge_exec::builtins::recognise(&function.linkage_name, &result, &arguments).is_some()
        || function.linkage_name.strip_prefix("llvm.").is_some_and(|_| {
            reconverge_exec::arithmetic::recognise(&function.linkage_name, &result, &arguments).is_some()
        })
}

/// The declared functions of calls with these parameters that the interpreter does not know.
fn unknown(dialect: Dialect, target: LowerTarget, name: &str, parameters: &[Ty]) -> Vec<String> {
    let (mut program, mut body) = (Program::new(dialect, target), Body::default());
    let mut build = Builder { program: &mut program, body: &mut body };
    let (mut arguments, mut numbers) = (Vec::new(), Vec::new());
    for &of in parameters {
        let of = overload::program_type(&mut build, of);
        let data = VariableData { name: "a".into(), of, alignment: None, location: Location::NONE };
        let variable = build.body.variables.push(data);
        arguments.push(build.variable(variable, Location::NONE));
        numbers.push(build.integer(1, of, Location::NONE));
    }
    // Some take nothing but constants.
    let made = builtins::call(&mut build, name, &arguments, Location::NONE).unwrap();
    made.or_else(|_| builtins::call(&mut build, name, &numbers, Location::NONE).unwrap()).unwrap();
    let functions = program.functions.values().filter(|function| !is_known(&program, function));
    functions.map(|function| function.linkage_name.clone()).collect()
}

#[test]
fn functions_of_opencl_c_can_be_executed() {
    let (mut missing, mut count) = (BTreeSet::new(), 0);
    let is_image = |of: &Ty| matches!(of.base, Base::Image(..));
    for name in opencl::names() {
        for overload in opencl::overloads(name).unwrap() {
            if overload.parameters.iter().any(is_image) {
                continue;
            }
            count += 1;
            let unknown = unknown(Dialect::OpenCl, LowerTarget::Spirv, name, &overload.parameters);
            if !unknown.is_empty() {
                missing.insert(name);
            }
        }
    }
    assert!(count > 5000);
    let missing: Vec<&str> = missing.into_iter().collect();
    expect!["get_fence"].assert_eq(&missing.join("\n"));
}

#[test]
fn functions_of_cuda_and_hip_can_be_executed() {
    let mut missing = BTreeSet::new();
    let pairs =
        [(Dialect::Cuda, LowerTarget::Nvptx), (Dialect::Hip, LowerTarget::Amdgpu), (Dialect::Cuda, LowerTarget::Spirv)];
    for (dialect, target) in pairs {
        for name in device::names(dialect) {
            for recipe in device::recipes(dialect, target, name).unwrap() {
                missing.extend(unknown(dialect, target, name, &recipe.overload.parameters));
            }
        }
    }
    let missing: Vec<String> = missing.into_iter().collect();
    expect![[r#"
        __nv_cvta_generic_to_constant
        __nv_cvta_generic_to_global
        __nv_cvta_generic_to_local
        __nv_cvta_generic_to_shared
        llvm.assume
        llvm.nvvm.isspacep.const
        llvm.nvvm.isspacep.global
        llvm.nvvm.isspacep.local
        llvm.nvvm.isspacep.shared"#]]
    .assert_eq(&missing.join("\n"));
}
