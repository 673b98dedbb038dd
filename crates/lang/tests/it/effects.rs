//! What the front end takes for operations of several threads is what the analyses take for them.

use std::collections::BTreeSet;

use reconverge_analysis::target::{Operation, Target};
use reconverge_lang::builtins::{device, effects, opencl};
use reconverge_lang::options::{Dialect, LowerTarget};
use reconverge_operations::Does;
use reconverge_operations::recipe::Body;

/// The functions that a body calls by name, without being a function of a dialect.
fn declared(body: &Body, names: &mut BTreeSet<String>) {
    match body {
        Body::Integer(..) | Body::Float(..) | Body::Parameter(_) => {}
        Body::Unary(_, part) | Body::Convert(_, part) | Body::Bits(_, part) => declared(part, names),
        Body::Binary(_, left, right) => [left, right].into_iter().for_each(|part| declared(part, names)),
        Body::Conditional(condition, then, otherwise) => {
            [condition, then, otherwise].into_iter().for_each(|part| declared(part, names));
        }
        Body::Declared(_, name, parts) => {
            names.insert(name.clone());
            parts.iter().for_each(|part| declared(part, names));
        }
        Body::Named(_, parts) => parts.iter().for_each(|part| declared(part, names)),
    }
}

/// All functions that are called for those of CUDA, HIP and C.
fn called() -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for dialect in [Dialect::Cuda, Dialect::Hip, Dialect::C] {
        for target in [LowerTarget::Nvptx, LowerTarget::Amdgpu, LowerTarget::Spirv] {
            for name in device::names(dialect) {
                let recipes = device::recipes(dialect, target, name).into_iter().flatten();
                recipes.for_each(|recipe| declared(&recipe.body, &mut names));
            }
        }
    }
    names
}

/// Whether a function is an operation of several threads, by the tables of the analyses.
fn is_operation(name: &str) -> bool {
    let generic = Target::named("generic").expect("it is built in");
    let facts = generic.call(name.as_bytes());
    // What a thread computes of a mask that it has, it computes alone.
    let is_alone = reconverge_operations::find(name).is_some_and(|operation| !operation.communicates());
    facts.is_some_and(|facts| facts.operation != Operation::None) && !is_alone
}

#[test]
fn functions_that_are_called_are_convergent_where_threads_communicate() {
    let names = called();
    assert!(names.contains("llvm.nvvm.redux.sync.add") && names.contains("__ockl_wgred_add_i32"));
    for name in names {
        let (is_convergent, _) = effects(&name, false);
        // LLVM has some intrinsics convergent only so that they stay where they are.
        let stays = name.starts_with("llvm.") && is_convergent;
        assert_eq!(is_convergent, is_operation(&name) || stays, "{name}");
    }
}

#[test]
fn functions_of_opencl_are_convergent_where_threads_communicate() {
    for name in opencl::names() {
        for overload in opencl::overloads(name).expect("it has a name") {
            assert_eq!(overload.is_convergent, is_operation(name), "{name}");
        }
    }
}

/// What threads communicate in is said of every function of the tables, though many of them are made of each other: `min` of `min` for other types.
#[test]
fn every_function_of_the_tables_is_known_to_communicate_or_not() {
    let communicating = |dialect| {
        let names = device::names(dialect);
        names.filter(|name| device::communicates(dialect, name)).collect::<BTreeSet<&str>>()
    };
    for dialect in [Dialect::Cuda, Dialect::Hip, Dialect::C] {
        let names = communicating(dialect);
        for alone in ["min", "max", "sqrt", "__popc"] {
            assert!(!names.contains(alone), "{dialect:?}: {alone}");
        }
        for together in ["__syncthreads", "__shfl_xor_sync", "__ballot", "__any_sync"] {
            let is_known = device::names(dialect).any(|known| known == together);
            assert_eq!(names.contains(together), is_known, "{dialect:?}: {together}");
        }
    }
}

/// The lists of LLVM's definitions and the table of operations agree where both know a name.
#[test]
fn operations_are_convergent_intrinsics() {
    let known = include_str!("../../../valid/src/intrinsics.txt").lines();
    let known: BTreeSet<&str> = known.filter_map(|line| line.split(' ').next()).collect();
    let mut count = 0;
    for operation in reconverge_operations::spellings() {
        let name = operation.spelling.name;
        if known.contains(name) {
            let (is_convergent, _) = effects(name, false);
            // LLVM has the number of a lane convergent in DXIL, so that it stays where it is.
            let stays = is_convergent && matches!(operation.does, Does::Query(..));
            assert_eq!(is_convergent, operation.communicates() || stays, "{name}");
            count += 1;
        }
    }
    assert!(count > 100, "only {count} of the table's names are LLVM's");
}
