//! Buffers that a kernel finds by their bindings, and variables of which each thread has one.

use super::{codes, execute, launch, numbers, words};
use reconverge_exec::launch::{Argument, Contents, Element};
use reconverge_exec::{Binding, Control, NeedKind, Program, run};

fn iota(length: u64) -> Argument {
    Argument::Buffer { element: Element::U32, length, contents: Contents::Iota }
}

/// `Out[id] = In[id + first] + 1` with resources of a type.
fn copies(triple: &str, family: &str, handle: &str, first: u32) -> String {
    let space = if family == "spv" { " addrspace(11)" } else { "" };
    format!(
        "target triple = \"{triple}\"
@Out.str = private constant [4 x i8] c\"Out\\00\"
declare {handle} @llvm.{family}.resource.handlefrombinding(i32, i32, i32, i32, ptr)
declare ptr{space} @llvm.{family}.resource.getpointer({handle}, i32)
declare i32 @llvm.{family}.flattened.thread.id.in.group()
define void @kernel() \"hlsl.shader\"=\"compute\" {{
  %out = call {handle} @llvm.{family}.resource.handlefrombinding(i32 0, i32 0, i32 1, i32 0, ptr @Out.str)
  %in = call {handle} @llvm.{family}.resource.handlefrombinding(i32 2, i32 1, i32 1, i32 0, ptr null)
  %id = call i32 @llvm.{family}.flattened.thread.id.in.group()
  %from = add i32 %id, {first}
  %a = call ptr{space} @llvm.{family}.resource.getpointer({handle} %in, i32 %from)
  %x = load i32, ptr{space} %a
  %y = add i32 %x, 1
  %b = call ptr{space} @llvm.{family}.resource.getpointer({handle} %out, i32 %id)
  store i32 %y, ptr{space} %b
  ret void
}}
"
    )
}

const SPIRV: &str = "spirv-unknown-vulkan1.3-compute";
const DXIL: &str = "dxil-unknown-shadermodel6.7-compute";

/// Handles of elements of 4 bytes.
const HANDLES: [(&str, &str, &str); 5] = [
    (SPIRV, "spv", "target(\"spirv.SignedImage\", i32, 5, 2, 0, 0, 2, 24)"),
    (SPIRV, "spv", "target(\"spirv.Image\", i32, 5, 2, 0, 0, 2, 33)"),
    (SPIRV, "spv", "target(\"spirv.VulkanBuffer\", [0 x i32], 12, 1)"),
    (DXIL, "dx", "target(\"dx.TypedBuffer\", i32, 1, 0, 1)"),
    (DXIL, "dx", "target(\"dx.RawBuffer\", i32, 1, 0)"),
];

#[test]
fn buffers_are_found_by_their_bindings() {
    for (triple, family, handle) in HANDLES {
        let text = copies(triple, family, handle, 3);
        let outcome = execute(&text, &launch(5, &[("set2.binding1", iota(8)), ("Out", words(5))]));
        assert_eq!(codes(&outcome), [""; 0], "{handle}");
        assert_eq!(outcome.buffers.iter().map(|buffer| &buffer.name[..]).collect::<Vec<_>>(), ["set2.binding1", "Out"]);
        assert_eq!(numbers(&outcome, 1), [4, 5, 6, 7, 8], "{handle}");
    }
}

#[test]
fn elements_beyond_the_end_are_out_of_bounds() {
    for (triple, family, handle) in HANDLES {
        for first in [4, 0x4000_0000, u32::MAX - 8] {
            let text = copies(triple, family, handle, first);
            let outcome = execute(&text, &launch(5, &[("Out", words(5)), ("set2.binding1", iota(8))]));
            assert_eq!(codes(&outcome), ["RC0505"], "{handle} from {first}");
        }
    }
}

/// Elements of several numbers: the second number of element 1 is that far from the start.
#[test]
fn elements_have_the_size_of_their_type() {
    let cases = [
        (SPIRV, "spv", "target(\"spirv.Image\", float, 5, 2, 0, 0, 2, 6)", 2),
        (SPIRV, "spv", "target(\"spirv.Image\", float, 5, 2, 0, 0, 2, 1)", 4),
        (SPIRV, "spv", "target(\"spirv.VulkanBuffer\", [0 x { i32, i32, i32 }], 12, 1)", 3),
        (DXIL, "dx", "target(\"dx.TypedBuffer\", <4 x float>, 1, 0, 0)", 4),
        (DXIL, "dx", "target(\"dx.TypedBuffer\", <3 x i32>, 1, 0, 0)", 3),
        (DXIL, "dx", "target(\"dx.RawBuffer\", { i32, i32 }, 1, 0)", 2),
    ];
    for (triple, family, handle, words_of_element) in cases {
        let text = copies(triple, family, handle, 0);
        let arguments = [("Out", words(16)), ("set2.binding1", iota(16))];
        let outcome = execute(&text, &launch(3, &arguments));
        let mut expected = [0; 16];
        for id in 0..3 {
            expected[id * words_of_element] = (id * words_of_element) as u32 + 1;
        }
        assert_eq!(numbers(&outcome, 0), expected, "{handle}");
    }
}

/// As Clang emits it: a function makes the handles from its parameters, which it keeps in variables, and variables of the module keep the handles.
#[test]
fn bindings_are_followed_through_calls() {
    let text = r#"
target triple = "spirv-unknown-vulkan1.3-compute"
%B = type { target("spirv.VulkanBuffer", [0 x i32], 12, 1) }
@A = internal global %B poison
@C = internal global %B poison
@A.str = private constant [2 x i8] c"A\00"
@C.str = private constant [2 x i8] c"C\00"
declare target("spirv.VulkanBuffer", [0 x i32], 12, 1) @llvm.spv.resource.handlefrombinding(i32, i32, i32, i32, ptr)
declare ptr addrspace(11) @llvm.spv.resource.getpointer(target("spirv.VulkanBuffer", [0 x i32], 12, 1), i32)
declare i32 @llvm.spv.flattened.thread.id.in.group()
define void @make(ptr %result, i32 %number, i32 %set, i32 %range, i32 %index, ptr %name) {
  %n.addr = alloca i32
  %s.addr = alloca i32
  %name.addr = alloca ptr
  store i32 %number, ptr %n.addr
  store i32 %set, ptr %s.addr
  store ptr %name, ptr %name.addr
  %n = load i32, ptr %n.addr
  %s = load i32, ptr %s.addr
  %string = load ptr, ptr %name.addr
  %h = call target("spirv.VulkanBuffer", [0 x i32], 12, 1) @llvm.spv.resource.handlefrombinding(i32 %s, i32 %n, i32 %range, i32 %index, ptr %string)
  store target("spirv.VulkanBuffer", [0 x i32], 12, 1) %h, ptr %result
  ret void
}
define void @kernel() "hlsl.shader"="compute" {
  call void @make(ptr @A, i32 7, i32 1, i32 1, i32 0, ptr @A.str)
  call void @make(ptr @C, i32 8, i32 1, i32 1, i32 0, ptr @C.str)
  %id = call i32 @llvm.spv.flattened.thread.id.in.group()
  %a = load target("spirv.VulkanBuffer", [0 x i32], 12, 1), ptr @A
  %c = load target("spirv.VulkanBuffer", [0 x i32], 12, 1), ptr @C
  %from = call ptr addrspace(11) @llvm.spv.resource.getpointer(target("spirv.VulkanBuffer", [0 x i32], 12, 1) %a, i32 %id)
  %to = call ptr addrspace(11) @llvm.spv.resource.getpointer(target("spirv.VulkanBuffer", [0 x i32], 12, 1) %c, i32 %id)
  %x = load i32, ptr addrspace(11) %from
  store i32 %x, ptr addrspace(11) %to
  ret void
}
"#;
    let program = Program::prepare(text.as_bytes(), "test.ll", None).expect("the module is read");
    let needs = program.link("kernel").expect("it can be run").needs();
    let binding = |number| Binding { set: 1, number };
    let resource = |number| NeedKind::Resource { binding: binding(number), element: Element::U32 };
    let found: Vec<_> = needs.into_iter().map(|need| (need.name, need.kind)).collect();
    assert_eq!(found, [("A".to_owned(), resource(7)), ("C".to_owned(), resource(8))]);
    let outcome = execute(text, &launch(4, &[("A", iota(4)), ("C", words(4))]));
    assert_eq!((codes(&outcome), numbers(&outcome, 1)), (vec![], vec![0, 1, 2, 3]));
}

#[test]
fn what_does_not_fit_is_refused() {
    let handle = HANDLES[0].2;
    let text = copies(SPIRV, "spv", handle, 0);
    let refused = |text: &str, arguments: &[(&str, Argument)]| {
        let program = Program::prepare(text.as_bytes(), "test.ll", None).expect("the module is read");
        run(&program, &launch(4, arguments), &Control::default()).expect_err("it does not fit").to_string()
    };
    let (out, input) = (("Out", words(4)), ("set2.binding1", words(4)));
    assert!(refused(&text, std::slice::from_ref(&out)).ends_with("needs buffers for its resources: set2.binding1"));
    assert!(refused(&text, &[out.clone(), ("set0.binding0", words(4)), input.clone()]).contains("given twice"));
    let number = ("Out", Argument::Scalar("1".to_owned()));
    assert!(refused(&text, &[number, input.clone()]).contains("expected a buffer"));
    let many = text.replace("i32 2, i32 1, i32 1,", "i32 2, i32 1, i32 4,");
    assert!(refused(&many, &[out.clone(), input.clone()]).contains("an array of resources is not supported"));
    let unknown = text.replace("i32 2, i32 1, i32 1,", "i32 %id, i32 1, i32 1,").replace(
        "define void @kernel() \"hlsl.shader\"=\"compute\" {\n",
        "define void @kernel() \"hlsl.shader\"=\"compute\" {\n  %id = call i32 @llvm.spv.flattened.thread.id.in.group()\n",
    );
    let unknown = unknown.replacen("  %id = call i32 @llvm.spv.flattened.thread.id.in.group()\n  %from", "  %from", 1);
    assert!(refused(&unknown, &[out.clone(), input.clone()]).contains("not known before the kernel runs"));
    let image = text.replace(handle, "target(\"spirv.Image\", float, 1, 2, 0, 0, 1, 0)");
    assert!(refused(&image, &[out, input]).contains("is not supported"));
}

/// A launch may have buffers at bindings that the kernel does not use.
#[test]
fn buffers_that_nobody_uses_stay_as_they_are() {
    let text = copies(SPIRV, "spv", HANDLES[0].2, 0);
    let arguments = [("Out", words(2)), ("set2.binding1", words(2)), ("set3.binding0", iota(3))];
    let outcome = execute(&text, &launch(2, &arguments));
    assert_eq!((numbers(&outcome, 0), numbers(&outcome, 2)), (vec![1, 1], vec![0, 1, 2]));
}

/// A variable outside of functions belongs to each thread where the target says so, and starts with what its initializer says.
#[test]
fn each_thread_has_its_own_variables() {
    for (triple, family, space) in [(SPIRV, "spv", " addrspace(10)"), (SPIRV, "spv", ""), (DXIL, "dx", "")] {
        let handle = if family == "spv" { HANDLES[0].2 } else { HANDLES[3].2 };
        let text = copies(triple, family, handle, 0)
            .replace("define void", &format!("@own = internal{space} global [2 x i32] [i32 3, i32 40]\ndefine void"));
        let text = text.replace(
            "  %y = add i32 %x, 1\n",
            &format!(
                "  %second = getelementptr i32, ptr{space} @own, i32 1
  %old = load i32, ptr{space} %second
  %new = add i32 %old, %x
  store i32 %new, ptr{space} %second
  %again = load i32, ptr{space} %second
  %three = load i32, ptr{space} @own
  %y = add i32 %again, %three\n"
            ),
        );
        let mut launch = launch(12, &[("Out", words(12)), ("set2.binding1", iota(12))]);
        // Each workgroup starts again.
        launch.grid = [2, 1, 1];
        let outcome = execute(&text, &launch);
        // Both workgroups write the same numbers to the same places.
        assert_eq!(codes(&outcome), [""; 0], "{triple}{space}");
        assert_eq!(numbers(&outcome, 0), (43..55).collect::<Vec<_>>(), "{triple}{space}");
    }
}
