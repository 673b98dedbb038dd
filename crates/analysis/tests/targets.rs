//! The tables of targets: every row is read, names are found, files that are wrong say where.

use reconverge_analysis::target::{CallFacts, Degree, Dependence, Operation, Scope, Target};

fn call(target: &str, name: &str) -> CallFacts {
    let target = Target::named(target).expect("a built-in target");
    *target.call(name.as_bytes()).unwrap_or_else(|| panic!("{} does not know {name}", target.name()))
}

#[test]
fn every_built_in_target_is_read() {
    let names: Vec<&str> = Target::names().collect();
    assert_eq!(names, ["amdgpu", "nvptx", "spirv", "dxil", "generic"]);
    for name in names {
        assert!(Target::named(name).is_some_and(|target| target.calls().count() > 0), "{name}");
    }
}

#[test]
fn names_with_types_and_mangled_names() {
    let id = call("amdgpu", "_Z12get_local_idj");
    assert_eq!(id.result.dependence(Scope::Subgroup), Dependence::Thread(Degree::Certain));
    assert_eq!(call("amdgpu", "llvm.amdgcn.readfirstlane.i32").operation, Operation::Crosslane(Scope::Subgroup));
    assert_eq!(call("amdgpu", "_Z7barrierj"), call("amdgpu", "llvm.amdgcn.s.barrier"));
    let generic = Target::named("generic").expect("it is built in");
    for unknown in ["_Z8get_local_idj", "_Z99barrierj", "_Zbarrier", "llvm.amdgcn.s.barrier.i32x", "f", ""] {
        assert!(generic.call(unknown.as_bytes()).is_none(), "{unknown}");
    }
}
