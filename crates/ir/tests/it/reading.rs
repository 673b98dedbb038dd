//! What the reader makes of small texts.

use expect_test::expect;
use reconverge_ir::function::{Block, Inst};
use reconverge_ir::opcode::Flags;
use reconverge_ir::{BodyEnds, Function, FunctionReader, Module, read_functions};

/// The only function of a text.
fn read(text: &str) -> (Module<'_>, Function) {
    let module = Module::read(text.as_bytes(), BodyEnds::AtLineStart).expect("the fixture reads");
    let id = module.definitions().next().expect("the fixture defines a function");
    let function = FunctionReader::new(&module).read(id).expect("the body reads");
    (module, function)
}

fn block_names(module: &Module, function: &Function) -> Vec<String> {
    function.blocks.values().map(|block| module.local_name(block.name)).collect()
}

#[test]
fn blocks_are_numbered_in_the_order_of_the_text() {
    let (module, function) = read(
        "define i32 @f(i1 %c) {
entry:
  br i1 %c, label %late, label %\"early one\"
\"early one\":
  br label %late
late:
  %r = phi i32 [ 1, %entry ], [ 2, %\"early one\" ]
  ret i32 %r
}
",
    );
    assert_eq!(block_names(&module, &function), ["entry", "\"early one\"", "late"]);
    let graph = function.control_flow_graph();
    let edges: Vec<String> = graph.nodes().map(|node| format!("{node}: {:?}", graph.successors(node))).collect();
    expect![[r#"
        [
            "n0: [n2, n1]",
            "n1: [n2]",
            "n2: []",
        ]
    "#]]
    .assert_debug_eq(&edges);
}

#[test]
fn unnamed_values_and_blocks_share_one_counter() {
    let (module, function) = read(
        "define i32 @f(i32, i1 %named, i32) {
  %4 = add i32 %0, %1
  br i1 %named, label %5, label %7

5:
  %6 = mul i32 %4, 2
  br label %7

7:
  %8 = phi i32 [ %4, %2 ], [ %6, %5 ]
  ret i32 %8
}
"
        .replace("%4 = add", "%3 = add")
        .replace("%4", "%3")
        .leak(),
    );
    // The parameters are %0, %named and %1, the entry block is %2.
    assert_eq!(block_names(&module, &function), ["2", "5", "7"]);
    let names: Vec<String> = function.parameter_names.iter().map(|&name| module.local_name(name)).collect();
    assert_eq!(names, ["0", "named", "1"]);
}

#[test]
fn quoted_and_plain_names_are_the_same_name() {
    let (_, function) = read("define i32 @f(i32 %\"x\") {\n  %\"\\79\" = add i32 %x, 1\n  ret i32 %y\n}\n");
    let [x] = function.parameters[..] else { panic!("one parameter") };
    assert_eq!(function.operands(Inst::from_u32(0))[0], x);
    assert_eq!(Some(function.operands(Inst::from_u32(1))[0]), function.instructions[Inst::from_u32(0)].result.expand());
}

#[test]
fn spans_of_instructions_end_with_their_last_token() {
    let text = "define void @f(ptr %p) { ; a comment
  %x = load i32, ptr %p, align 4, !range !0 ; the end
  store i32 %x,
        ptr %p  ; no alignment
  ret void
}
!0 = !{i32 0, i32 7}
";
    let (_, function) = read(text);
    let spans: Vec<&str> = function.instructions.values().map(|inst| &text[inst.span.range()]).collect();
    expect![[r#"
        [
            "%x = load i32, ptr %p, align 4, !range !0",
            "store i32 %x,\n        ptr %p",
            "ret void",
        ]
    "#]]
    .assert_debug_eq(&spans);
}

#[test]
fn attributes_end_with_their_last_token() {
    let text = "declare void @g()
define void @f() {
  call void @g() nounwind \"a\" ; a comment
  ret void
}
";
    let (_, function) = read(text);
    let call = function.calls.values().next().expect("there is a call");
    assert_eq!(&text[call.attributes.range()], "nounwind \"a\"");
}

#[test]
fn the_tail_of_the_next_call_is_no_flag_of_a_landingpad() {
    let (_, function) = read(
        "declare void @g()
define void @f() personality ptr @g {
  invoke void @g() to label %done unwind label %lands
lands:
  %caught = landingpad { ptr, i32 } cleanup
  tail call void @g()
  resume { ptr, i32 } %caught
done:
  ret void
}
",
    );
    let flags: Vec<Flags> = function.instructions.values().map(|inst| inst.flags).collect();
    assert_eq!(flags[1..3], [Flags::CLEANUP, Flags::TAIL]);
}

#[test]
fn named_metadata_may_follow_a_global_with_an_attachment() {
    let text = b"@a = global i32 0, !dbg !0, align 4, !x !1\n\n!llvm.dbg.cu = !{!1}\n!0 = !{}\n!1 = !{}\n";
    let module = Module::read(text, BodyEnds::AtLineStart).expect("it reads");
    assert_eq!(module.metadata.len(), 2);
}

#[test]
fn convergent_comes_from_attributes_and_groups() {
    let text = b"define void @a() convergent {\n  ret void\n}
define void @b() #0 {\n  ret void\n}
define void @c() #1 {\n  ret void\n}
declare void @d() nounwind #0
attributes #0 = { nounwind convergent \"a\"=\"b\" }
attributes #1 = { \"convergent\" }
";
    let module = Module::read(text, BodyEnds::AtLineStart).unwrap();
    let convergent: Vec<bool> = module.functions.values().map(|function| function.convergent).collect();
    assert_eq!(convergent, [true, true, false, true]);
}

#[test]
fn bodies_need_not_end_at_the_start_of_a_line() {
    let text = b"define void @f() { ret void } define i32 @g() {\n ret i32 0 }\n%T = type {\n i32\n}\n";
    let (module, blocks) = read_functions(text, |_, _, function| function.blocks.len()).unwrap();
    assert_eq!(blocks, [1, 1]);
    assert_eq!(module.named_types.len(), 1);
}

#[test]
fn intrinsics_need_no_declaration() {
    let text =
        b"define void @f() convergent {\n  %t = call token @llvm.experimental.convergence.entry()\n  ret void\n}\n";
    let (module, convergent) = read_functions(text, |module, _, function| {
        function.calls.values().all(|call| module.is_convergent(call.callee.expect("a direct call")))
    })
    .unwrap();
    assert_eq!(convergent, [true]);
    assert!(module.has_convergence_control());
}

#[test]
fn debug_locations_name_file_line_and_column() {
    let text = b"define void @f() !dbg !3 {
  ret void, !dbg !5
}
!0 = !DIFile(filename: \"a b.cl\", directory: \"/src\")
!3 = distinct !DISubprogram(name: \"f\", file: !0, line: 1, unit: !1)
!4 = distinct !DILexicalBlock(scope: !3, line: 2)
!5 = !DILocation(line: 3, column: 7, scope: !4, inlinedAt: !6)
!6 = distinct !DILocation(line: 9, column: 1, scope: !3)
";
    let (module, locations) = read_functions(text, |module, _, function| {
        let location = function.instructions[Inst::from_u32(0)].debug_location.expand();
        location.and_then(|node| module.debug_location(node))
    })
    .unwrap();
    drop(module);
    expect![[r#"
        [
            Some(
                DebugLocation {
                    file: "/src/a b.cl",
                    line: 3,
                    column: 7,
                    inlined_at: [
                        DebugLocation {
                            file: "/src/a b.cl",
                            line: 9,
                            column: 1,
                            inlined_at: [],
                        },
                    ],
                },
            ),
        ]
    "#]]
    .assert_debug_eq(&locations);
}

#[test]
fn a_function_can_be_read_into_again() {
    let text = b"define void @f(i1 %c) {\na:\n  br i1 %c, label %a1, label %b1\na1:\n  ret void\nb1:\n  ret void\n}
define i32 @g() {\n  ret i32 7\n}\n";
    let module = Module::read(text, BodyEnds::AtLineStart).unwrap();
    let mut reader = FunctionReader::new(&module);
    let mut function = Function::default();
    for id in module.definitions() {
        reader.read_into(id, &mut function).unwrap();
    }
    assert_eq!(function.blocks.len(), 1);
    assert!(function.successors(Block::from_u32(0)).is_empty());
    assert!(function.parameters.is_empty());
}
