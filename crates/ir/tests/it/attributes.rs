//! Attributes of functions and parameters, and what metadata says of kernels.

use reconverge_ir::attributes::Attribute;
use reconverge_ir::{BodyEnds, Module};

const TEXT: &str = r#"
%T = type { i32, [4 x i8] }
define amdgpu_kernel void @a(ptr addrspace(1) noundef align 16 dereferenceable(8) %0, ptr byref(%T) align(4) %1) #0 !reqd_work_group_size !0 !kernel_arg_name !1 !kernel_arg_addr_space !{i32 1, i32 0} {
  ret void
}
define internal fastcc void @b(ptr byval({ i32, <2 x i8> }) %0, ptr sret ([2 x i64]) align 8 %1) local_unnamed_addr addrspace(4) #1 "x"="\22y\5C" align 64 section "s t" ; "z"="1"
  memory(argmem: read, inaccessiblemem: none) {
  ret void
}
declare ptx_kernel void @c(i32 range(i32 0, 8)) #2
declare cc 42 void @d(ptr nocapture)
attributes #0 = { convergent nounwind "amdgpu-flat-work-group-size"="1,256" "uniform-work-group-size" }
attributes #1 = { alignstack=16 "hlsl.numthreads"="8,4,1" "hlsl.shader"="compute" }
attributes #2 = { "nvvm.reqntid"="128" "x"="1" "x"="2" }
!0 = !{i32 16, i32 8, i32 1}
!1 = !{!"in, out", !"a\5Cb"}
"#;

#[test]
fn attributes_are_found_with_their_values() {
    let module = Module::read(TEXT.as_bytes(), BodyEnds::AtLineStart).unwrap();
    let functions: Vec<_> = module.functions.values().collect();
    let [a, b, c, d] = functions[..] else { panic!() };
    let value = |span, name: &str| module.attribute(span, name.as_bytes()).map(|value| value.into_owned());
    let some = |text: &str| Some(text.as_bytes().to_vec());

    assert_eq!(value(a.suffix, "convergent"), some(""));
    assert_eq!(value(a.suffix, "amdgpu-flat-work-group-size"), some("1,256"));
    assert_eq!(value(a.suffix, "uniform-work-group-size"), some(""));
    assert_eq!(value(a.suffix, "nosync"), None);
    assert_eq!(module.number_attribute(a.parameters[0].attributes, b"align"), Some(16));
    assert_eq!(module.number_attribute(a.parameters[0].attributes, b"dereferenceable"), Some(8));
    assert_eq!(module.number_attribute(a.parameters[1].attributes, b"align"), Some(4));

    assert_eq!(value(b.suffix, "x"), some("\"y\\"));
    assert_eq!(value(b.suffix, "z"), None, "in a comment");
    assert_eq!(value(b.suffix, "section"), some("s t"));
    assert_eq!(value(b.suffix, "memory"), some("argmem: read, inaccessiblemem: none"));
    assert_eq!(module.number_attribute(b.suffix, b"align"), Some(64));
    assert_eq!(module.number_attribute(b.suffix, b"addrspace"), Some(4));
    assert_eq!(module.number_attribute(b.suffix, b"alignstack"), Some(16));
    assert_eq!(value(c.suffix, "x"), some("2"), "the later one");
    assert_eq!(value(c.parameters[0].attributes, "range"), some("i32 0, 8"));

    let conventions: Vec<String> = functions
        .iter()
        .map(|function| String::from_utf8(module.calling_convention(function).into_owned()).unwrap())
        .collect();
    assert_eq!(conventions, ["amdgpu_kernel", "fastcc", "ptx_kernel", "cc 42"]);
    assert_eq!(module.attributes(d.parameters[0].attributes).count(), 1);
}

#[test]
fn attributes_with_types() {
    let module = Module::read(TEXT.as_bytes(), BodyEnds::AtLineStart).unwrap();
    let functions: Vec<_> = module.functions.values().collect();
    let ty = |function: usize, parameter: usize, name: &str| {
        let attributes = functions[function].parameters[parameter].attributes;
        module.type_attribute(attributes, name.as_bytes()).unwrap().map(|ty| module.display_type(ty))
    };
    assert_eq!(ty(0, 1, "byref").as_deref(), Some("%T"));
    assert_eq!(ty(0, 0, "byref"), None);
    assert_eq!(ty(1, 0, "byval").as_deref(), Some("{ i32, <2 x i8> }"));
    assert_eq!(ty(1, 1, "sret").as_deref(), Some("[2 x i64]"));
    assert!(module.type_attribute(functions[2].parameters[0].attributes, b"range").is_err());
}

#[test]
fn what_metadata_says_of_kernels() {
    let module = Module::read(TEXT.as_bytes(), BodyEnds::AtLineStart).unwrap();
    let functions: Vec<_> = module.functions.values().collect();
    let sizes: Vec<_> = functions.iter().map(|function| module.required_workgroup_size(function)).collect();
    assert_eq!(sizes, [Some([16, 8, 1]), Some([8, 4, 1]), Some([128, 1, 1]), None]);
    assert_eq!(module.parameter_metadata(functions[0], b"kernel_arg_name").unwrap(), ["in, out", "a\\b"]);
    assert_eq!(module.parameter_metadata(functions[0], b"kernel_arg_addr_space").unwrap(), ["1", "0"]);
    assert_eq!(module.parameter_metadata(functions[0], b"kernel_arg_type"), None);
    let attached = module
        .attributes(functions[0].suffix)
        .filter(|attribute| matches!(attribute, Attribute::Attachment { .. }))
        .count();
    assert_eq!(attached, 3);
}
