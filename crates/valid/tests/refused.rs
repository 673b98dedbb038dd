//! Texts that LLVM 22 refuses, each beside one like it that it accepts: [`Checked::read`] says the same.

use reconverge_valid::Checked;

/// The first text is refused with a message that has this part, the second is accepted.
fn assert_apart(refused: &str, message: &str, accepted: &str) {
    match Checked::read(refused.as_bytes()) {
        Ok(_) => panic!("accepted:\n{refused}"),
        Err(error) => assert!(error.message.contains(message), "{error}\n{refused}"),
    }
    if let Err(error) = Checked::read(accepted.as_bytes()) {
        panic!("{error}\n{accepted}");
    }
}

/// The same of bodies of a function `@f` behind some lines.
fn assert_bodies_apart(before: &str, parameters: &str, refused: &str, message: &str, accepted: &str) {
    let text = |body: &str| format!("{before}define void @f({parameters}) {{\n  {body}\n  ret void\n}}\n");
    assert_apart(&text(refused), message, &text(accepted));
}

#[test]
fn callees_in_another_address_space() {
    let local = "but used with type 'ptr addrspace(3)'";
    assert_bodies_apart("", "ptr %p", "call addrspace(3) void %p()", local, "call void %p()");
    assert_bodies_apart(
        "",
        "ptr addrspace(3) %p",
        "call void %p()",
        "but used with type 'ptr'",
        "call addrspace(3) void %p()",
    );
    let layout = "target datalayout = \"e-P1\"\ndeclare void @g()\n";
    assert_bodies_apart(layout, "ptr %p", "call void %p()", "'ptr addrspace(1)'", "call addrspace(0) void %p()");
    assert_bodies_apart(layout, "", "call addrspace(0) void @g()", "'ptr addrspace(1)'", "call void @g()");
    assert_bodies_apart(
        layout,
        "ptr %p",
        "store ptr @g, ptr %p",
        "'ptr addrspace(1)'",
        "store ptr addrspace(1) @g, ptr %p",
    );
    let spelled = "declare void @g() addrspace(3)\n";
    assert_bodies_apart(spelled, "", "call void @g()", "'ptr addrspace(3)'", "call addrspace(3) void @g()");
}

#[test]
fn branching_calls() {
    let text = |call: &str, end: &str| {
        format!(
            "declare void @llvm.amdgcn.kill(i1)\ndeclare void @g()\ndefine void @f(i1 %c, ptr %p) {{\n  callbr void {call}\n\
             a:\n  ret void\nb:\n  {end}\n}}\n"
        )
    };
    let kill = |labels: &str, end: &str| text(&format!("@llvm.amdgcn.kill(i1 %c) to label %a [{labels}]"), end);
    let accepted = kill("label %b", "unreachable");
    let ends = "goes on in one block, or in one that is 'unreachable'";
    assert_apart(&kill("label %b, label %b", "unreachable"), ends, &accepted);
    assert_apart(&kill("", "unreachable"), ends, &accepted);
    assert_apart(&kill("label %b", "ret void"), ends, &accepted);
    assert_apart(&kill("label %b", "call void @g()\n  unreachable"), ends, &accepted);
    let other = "is one of inline assembly or of @llvm.amdgcn.kill";
    assert_apart(
        &text("@g() to label %a [label %b]", "ret void"),
        other,
        &text("asm \"\", \"!i\"() to label %a [label %b]", "ret void"),
    );
    assert_apart(&text("%p() to label %a [label %b]", "ret void"), other, &accepted);
}

#[test]
fn casts_to_another_address_space_than_the_one_that_is_expected() {
    let (declaration, cast) = ("declare void @g()\n", "addrspacecast (ptr @g to ptr addrspace(3))");
    assert_bodies_apart(
        declaration,
        "ptr %p",
        &format!("store ptr {cast}, ptr %p"),
        "is cast to 'ptr addrspace(3)'",
        &format!("store ptr addrspace(3) {cast}, ptr %p"),
    );
    let calls = [format!("call void {cast}()"), format!("call addrspace(3) void {cast}()")];
    assert_bodies_apart(declaration, "", &calls[0], "is cast to 'ptr addrspace(3)'", &calls[1]);
}

#[test]
fn results_of_functions_that_nothing_returns_to() {
    for convention in ["amdgpu_kernel", "spir_kernel", "amdgpu_cs_chain", "amdgpu_cs_chain_preserve", "cc 91", "cc 104"]
    {
        assert_apart(
            &format!("declare {convention} i32 @f()\n"),
            "has no result",
            &format!("declare {convention} void @f()\n"),
        );
    }
    assert_apart("declare cc 91 i32 @f()\n", "has no result", "declare cc 100 i32 @f()\n");
}

#[test]
fn parameters_that_a_calling_convention_does_not_have() {
    let first = "is an 'i1' without 'inreg'";
    let whole_wave = |parameters: &str| format!("declare amdgpu_gfx_whole_wave void @f({parameters})\n");
    for refused in ["", "i32", "i1 inreg", "..."] {
        assert_apart(&whole_wave(refused), first, &whole_wave("i1, ptr byval(i32)"));
    }
    for convention in ["amdgpu_kernel", "amdgpu_vs", "cc 88", "fastcc", "ptx_device", "amdgpu_gfx_whole_wave"] {
        let declaration = |more: &str| format!("declare {convention} void @f(i1{more})\n");
        assert_apart(&declaration(", ..."), "a fixed number of parameters", &declaration(""));
    }
    let kernel = |parameter: &str| format!("declare amdgpu_kernel void @f({parameter})\n");
    let message = "'amdgpu_kernel' passes nothing by 'byref'";
    assert_apart(&kernel("ptr byref(i32)"), message, &kernel("ptr addrspace(4) byref(i32)"));
    let layout = |parameter: &str| format!("target datalayout = \"A5\"\n{}", kernel(parameter));
    assert_apart(&layout("ptr addrspace(5) byref(i32)"), message, &layout("ptr byref(i32)"));
    let shader = |convention: &str| format!("declare {convention} void @f(ptr byval(i32))\n");
    assert_apart(&shader("amdgpu_hs"), "'amdgpu_hs' passes nothing by 'byval'", &shader("amdgpu_ls"));
}

#[test]
fn arguments_of_attributes() {
    let message = "with an argument that it cannot have";
    let result = |attribute: &str| format!("declare {attribute} ptr @f()\n");
    for refused in ["align()", "align(3)", "dereferenceable(0)", "dereferenceable()", "align(8589934592)"] {
        assert_apart(&result(refused), message, &result("align(4294967296) dereferenceable(4)"));
    }
    let parameter = |attribute: &str| format!("declare void @f(ptr {attribute})\n");
    for (refused, accepted) in [
        ("captures()", "captures(none)"),
        ("captures(address, none)", "captures(address, read_provenance)"),
        ("captures(ret: address, ret: none)", "captures(none, ret: address, provenance)"),
        ("initializes((0, 4), (4, 12))", "initializes((-4, 4), (8, 12))"),
        ("initializes((4, 4))", "initializes((4,5))"),
    ] {
        assert_apart(&parameter(refused), message, &parameter(accepted));
    }
    let function = |attribute: &str| format!("declare void @f(i32) {attribute}\n");
    let group = |attribute: &str| format!("declare void @f(i32) #0\nattributes #0 = {{ nounwind {attribute} }}\n");
    for (refused, accepted) in [
        ("memory()", "memory(none)"),
        ("memory(argmem: read, write)", "memory(write, argmem: read)"),
        ("allockind(\"x\")", "allockind(\"alloc,zeroed\")"),
        ("allocsize()", "allocsize(0)"),
        ("vscale_range(3)", "vscale_range(1,16)"),
        ("uwtable(1)", "uwtable(sync)"),
    ] {
        assert_apart(&function(refused), message, &function(accepted));
        assert_apart(&group(refused), message, &group(accepted));
    }
    let float = |attribute: &str| format!("declare void @f(float {attribute})\n");
    for refused in ["nofpclass()", "nofpclass(1024)", "nofpclass(nan,inf)", "nofpclass(none)"] {
        assert_apart(&float(refused), message, &float("nofpclass(nan inf)"));
    }
}

#[test]
fn constants_in_brackets_of_another_type() {
    let body = |list: &str| format!("%x = add <2 x i32> {list}, zeroinitializer");
    let message = "'<2 x i32>' does not begin like this";
    assert_bodies_apart("", "", &body("[i32 1, i32 2]"), message, &body("<i32 1, i32 2>"));
}

#[test]
fn addresses_that_are_no_pointers() {
    let body = |ty: &str| format!("store {ty} @f, ptr %p");
    assert_bodies_apart("", "ptr %p", &body("i64"), "an address cannot be of type 'i64'", &body("ptr"));
}

#[test]
fn keywords_that_are_written_twice() {
    assert_bodies_apart("", "i32 %n", "%x = add nsw nsw i32 %n, 1", "nsw", "%x = add nsw nuw i32 %n, 1");
    let twice = "%x = getelementptr inbounds nuw inbounds nuw i8, ptr %p, i64 1";
    assert_bodies_apart("", "ptr %p, i32 %n", "%x = udiv exact exact i32 %n, 3", "exact", twice);
    assert_bodies_apart(
        "",
        "float %n",
        "%x = fptoui nneg float %n to i32",
        "nneg",
        "%x = fadd nnan nnan float %n, 1.0",
    );
}

#[test]
fn values_without_a_type() {
    assert_bodies_apart("", "i32 %n", "%x = icmp eq void %n, %n", "void", "%x = icmp eq i32 %n, %n");
}

#[test]
fn indices_of_constant_addresses() {
    let body = |indices: &str| format!("store ptr getelementptr ([3 x {{ i8, i16 }}], ptr @f, {indices}), ptr %p");
    let message = "its operands do not fit its operation";
    assert_bodies_apart("", "ptr %p", &body("i64 0, i64 0, i32 2"), message, &body("i64 0, i64 7, i32 1"));
    assert_bodies_apart("", "ptr %p", &body("i64 0, i64 0, i32 1, i64 0"), message, &body("i64 1"));
}

#[test]
fn attributes_of_parameters() {
    let range = |bounds: &str| format!("declare void @f(i32 range(i32 {bounds}))\n");
    assert_apart(&range("readonly -5, 5"), "'range'", &range("-5, 5"));
    let returned = |ty: &str| format!("declare <4 x i32> @f({ty} returned)\n");
    assert_apart(&returned("<4 x i64>"), "'returned'", &returned("<4 x float>"));
    let types = "%opaque = type opaque\n%pair = type { i32, i32 }\n";
    let by = |one: &str, other: &str| format!("{types}declare void @f(ptr byval({one}) byval({other}))\n");
    assert_apart(&by("%pair", "%opaque"), "'byval'", &by("%opaque", "%pair"));
    let lifetime = "declare void @llvm.lifetime.start.p0(i64, ptr)\ndeclare void @g(i64, ptr)\n";
    let call = |name: &str| format!("call void @{name}(i64 immarg 4, ptr %p)");
    assert_bodies_apart(lifetime, "ptr %p", &call("g"), "'immarg'", &call("llvm.lifetime.start.p0"));
}

#[test]
fn instructions_before_a_body() {
    assert_apart("define void @f()\n  ret void\n{\n  ret void\n}\n", "'{'", "define void @f()\n{\n  ret void\n}\n");
}

#[test]
fn what_follows_a_tail_call() {
    let text = |returned: &str| {
        format!("declare i32 @g()\ndefine i32 @f() {{\n  %r = musttail call i32 @g()\n  ret i32 {returned}\n}}\n")
    };
    for accepted in ["%r", "undef", "poison"] {
        assert_apart(&text("0"), "'musttail'", &text(accepted));
    }
}

#[test]
fn words_and_commas_too_many() {
    let volatile = "store atomic volatile i32 0, ptr %p seq_cst, align 4";
    assert_bodies_apart(
        "",
        "ptr %p",
        &volatile.replace("atomic", "atomic atomic"),
        "expected a type, found 'atomic'",
        volatile,
    );
    assert_apart("declare void @g(i24, )", "expected another parameter", "declare void @g(i24, ...)");
    assert_apart("declare void @g(i24 allocptr)", "'allocptr'", "declare void @g(ptr allocptr)");
    assert_apart("declare void @g(i24 readonly)", "'readonly'", "declare void @g(i24 nofree)");
}

#[test]
fn addresses_in_calls_that_llvm_makes_anew() {
    let declared = "declare void @llvm.trap()\ndeclare void @llvm.lifetime.start.p0(i64, ptr)\n";
    let (older, store) = ("call void @llvm.lifetime.start.p0(i64 4, ptr @llvm.trap)", "store ptr @llvm.trap, ptr %p");
    assert_bodies_apart(declared, "ptr %p", store, "the address of the intrinsic", older);
}

#[test]
fn addresses_of_intrinsics_in_constants() {
    let declared = "declare void @llvm.trap()\ndeclare void @g()\n";
    for constant in ["getelementptr (i8, ptr @g, i64 1)", "{ ptr @g }"] {
        let text = if constant.starts_with('{') {
            format!("store {{ ptr }} {constant}, ptr %p")
        } else {
            format!("store ptr {constant}, ptr %p")
        };
        assert_bodies_apart(declared, "ptr %p", &text.replace("@g", "@llvm.trap"), "can only be called", &text);
    }
}

#[test]
fn types_of_no_value() {
    let alias = |ty: &str| format!("@g = global i32 0\n@a = alias {ty}, ptr @g\n");
    assert_apart(&alias("void"), "expected the type of a value", &alias("i32"));
    for refused in ["void (label, ...)", "void (void)", "i32 (i32 (), ptr)"] {
        assert_apart(&alias(refused), "expected the type of a value", &alias("void (metadata, ptr, ...)"));
    }
}

#[test]
fn addresses_are_as_wide_as_the_data_layout_says() {
    let body = |ty: &str| format!("%x = ptrtoaddr ptr %p to {ty}");
    assert_bodies_apart("", "ptr %p", &body("i1"), "'ptrtoaddr' cannot make 'i1'", &body("i64"));
    let layout = "target datalayout = \"p:32:32\"\n";
    assert_bodies_apart(layout, "ptr %p", &body("i64"), "'ptrtoaddr' cannot make 'i64'", &body("i32"));
}

#[test]
fn atomic_accesses_of_odd_sizes() {
    let load = |ty: &str| format!("%x = load atomic {ty}, ptr %p acquire, align 16");
    for (refused, size, accepted) in [
        ("i24", "24 bits", "i32"),
        ("<4 x i1>", "4 bits", "<8 x i1>"),
        ("<3 x float>", "96 bits", "<4 x float>"),
        ("<3 x ptr>", "192 bits", "<2 x ptr>"),
        ("x86_fp80", "80 bits", "fp128"),
    ] {
        assert_bodies_apart("", "ptr %p", &load(refused), size, &load(accepted));
    }
}

#[test]
fn variables_of_types_that_no_variable_has() {
    for ty in ["void", "label", "metadata", "token", "void ()"] {
        let message = format!("a variable cannot be of type '{ty}'");
        assert_apart(&format!("@g = external constant {ty}\n"), &message, "@g = external constant i32\n");
    }
}
