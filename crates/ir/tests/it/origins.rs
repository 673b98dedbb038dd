//! Origins: the table that front ends write, and what debug information says where there is none.

use std::fmt::Write;
use std::sync::Arc;

use cranelift_entity::packed_option::PackedOption;
use expect_test::{Expect, expect};
use reconverge_ir::function::Inst;
use reconverge_ir::origin::{Extent, FunctionOrigins, Origin, Origins, Place, Record, SourceFile, What};
use reconverge_ir::{BodyEnds, FunctionReader, Module, Span};

fn place(place: &Place) -> String {
    let (line, column) = place.line().expect("a line");
    format!("{}:{line}:{column}", place.file.path.display())
}

fn shown(origin: &Origin) -> String {
    let mut text = format!("{:?} at {}", origin.what, place(&origin.place));
    for call in &origin.inlined_at {
        write!(text, ", inlined at {}", place(call)).unwrap();
    }
    text
}

/// What debug information says of the functions of a module, of their parameters, and of their instructions, by lines.
fn debug_table(text: &str) -> String {
    let module = Module::read(text.as_bytes(), BodyEnds::AtLineStart).expect("the fixture reads");
    let mut table = String::new();
    let mut line = |what: &str, origin: Option<Origin>| {
        writeln!(table, "{what}: {}", origin.as_ref().map_or("nothing".to_string(), shown)).unwrap();
    };
    for (id, data) in &module.functions {
        line(&module.function_name(id), module.function_origin(id, None));
        if data.body.is_none() {
            continue;
        }
        let function = FunctionReader::new(&module).read(id).expect("the body reads");
        let origins = FunctionOrigins::new(&module, id, &function, None);
        for index in 0..function.parameters.len() {
            line(&format!("  parameter {index}"), origins.of_parameter(index));
            assert_eq!(origins.of_value(function.parameters[index]), origins.of_parameter(index));
        }
        for (inst, data) in &function.instructions {
            let text = String::from_utf8_lossy(data.span.of(module.text)).into_owned();
            line(&format!("  {}", text.split(", !dbg").next().unwrap_or_default()), origins.of_instruction(inst));
            if let Some(value) = data.result.expand() {
                assert_eq!(origins.of_value(value), origins.of_instruction(inst));
            }
        }
    }
    table
}

fn says(text: &str, expected: Expect) {
    expected.assert_eq(&debug_table(text));
}

const METADATA: &str = r#"
!llvm.dbg.cu = !{!0}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "k, (1).cl", directory: "/src")
!2 = distinct !DISubprogram(name: "k<int>", linkageName: "_Z1kIiEvv", scope: !1, file: !1, line: 3, unit: !0, spFlags: DISPFlagDefinition)
!3 = !DILocalVariable(name: "n", arg: 1, scope: !2, file: !1, line: 3)
!4 = !DILocalVariable(name: "i", scope: !5, file: !1, line: 4)
!5 = distinct !DILexicalBlock(scope: !2, file: !1, line: 4, column: 3)
!6 = !DILocation(line: 4, column: 7, scope: !5)
!7 = !DILocation(line: 5, column: 11, scope: !5)
!8 = !DILocation(line: 0, scope: !2)
!9 = !DILocation(line: 21, column: 5, scope: !10, inlinedAt: !7)
!10 = distinct !DISubprogram(name: "helper", scope: !1, file: !1, line: 20, unit: !0, spFlags: DISPFlagDefinition)
!11 = !DISubprogram(name: "sync", scope: !1, file: !1, line: 1)
!12 = !DILocalVariable(name: "pair", scope: !2, file: !1, line: 6)
"#;

#[test]
fn variables_on_the_stack() {
    says(
        &format!(
            "declare !dbg !11 void @sync()
define i32 @k(i32 %n, i32 %m) !dbg !2 {{
  %n.addr = alloca i32, align 4
  %i = alloca i32, align 4
  store i32 %n, ptr %n.addr, align 4
    #dbg_declare(ptr %n.addr, !3, !DIExpression(), !8)
    #dbg_declare(ptr %i, !4, !DIExpression(), !6)
  %1 = load i32, ptr %n.addr, align 4, !dbg !7
  %2 = add i32 %1, 1, !dbg !7
  store i32 %2, ptr %i, align 4, !dbg !6
  call void @sync(), !dbg !9
  %3 = load i32, ptr %i, align 4
  ret i32 %3, !dbg !8
}}
{METADATA}"
        ),
        expect![[r#"
            @sync: Function("sync") at /src/k, (1).cl:1:0
            @k: Function("k<int>") at /src/k, (1).cl:3:0
              parameter 0: Variable("n") at /src/k, (1).cl:3:0
              parameter 1: nothing
              %n.addr = alloca i32, align 4: Variable("n") at /src/k, (1).cl:3:0
              %i = alloca i32, align 4: Variable("i") at /src/k, (1).cl:4:7
              store i32 %n, ptr %n.addr, align 4: nothing
              %1 = load i32, ptr %n.addr, align 4: Variable("n") at /src/k, (1).cl:5:11
              %2 = add i32 %1, 1: Expression at /src/k, (1).cl:5:11
              store i32 %2, ptr %i, align 4: Expression at /src/k, (1).cl:4:7
              call void @sync(): Call("sync") at /src/k, (1).cl:21:5, inlined at /src/k, (1).cl:5:11
              %3 = load i32, ptr %i, align 4: Variable("i") at /src/k, (1).cl:4:7
              ret i32 %3: nothing
        "#]],
    );
}

#[test]
fn values_in_registers() {
    says(
        &format!(
            r#"define i32 @k(i32, i32 %"a\22b", %"struct %S" %s) !dbg !2 {{
    #dbg_value(i32 %0, !3, !DIExpression(), !8)
    #dbg_value(%"struct %S" %s, !12, !DIExpression(), !7)
  %4 = add i32 %0, %"a\22b", !dbg !9
    #dbg_value(i32 %4, !4, !DIExpression(), !7)
    #dbg_value(i32 %4, !12, !DIExpression(), !7)
  %"5" = mul i32 %4, %4
    #dbg_value(i32 %"5", !12, !DIExpression(DW_OP_LLVM_fragment, 0, 32), !7)
    #dbg_value(i32 7, !4, !DIExpression(), !7)
    #dbg_value(!DIArgList(i32 %4, i32 %0), !4, !DIExpression(DW_OP_LLVM_arg, 0), !7)
  %5 = sub i32 %4, 1
    #dbg_value(i32 %5, !4, !DIExpression(), !7)
  ret i32 %5
}}
%"struct %S" = type {{ i32 }}
{METADATA}"#
        ),
        expect![[r#"
            @k: Function("k<int>") at /src/k, (1).cl:3:0
              parameter 0: Variable("n") at /src/k, (1).cl:3:0
              parameter 1: nothing
              parameter 2: Variable("pair") at /src/k, (1).cl:5:11
              %4 = add i32 %0, %"a\22b": Variable("i") at /src/k, (1).cl:21:5, inlined at /src/k, (1).cl:5:11
              %"5" = mul i32 %4, %4: nothing
              %5 = sub i32 %4, 1: Variable("i") at /src/k, (1).cl:5:11
              ret i32 %5: nothing
        "#]],
    );
}

#[test]
fn records_as_calls() {
    says(
        &format!(
            "declare void @llvm.dbg.value(metadata, metadata, metadata)
declare void @llvm.dbg.declare(metadata, metadata, metadata)
define i32 @k(i32 %n) section \"a!dbg !10\" !dbg !2 {{
  %i = alloca i32, align 4
  call void @llvm.dbg.value(metadata i32 %n, metadata !3, metadata !DIExpression()), !dbg !7
  call void @llvm.dbg.declare(metadata ptr %i, metadata !4, metadata !DIExpression()), !dbg !6
  %1 = load i32, ptr %i, align 4
  ret i32 %1
}}
{METADATA}"
        ),
        expect![[r#"
            @llvm.dbg.value: nothing
            @llvm.dbg.declare: nothing
            @k: Function("k<int>") at /src/k, (1).cl:3:0
              parameter 0: Variable("n") at /src/k, (1).cl:5:11
              %i = alloca i32, align 4: Variable("i") at /src/k, (1).cl:4:7
              call void @llvm.dbg.value(metadata i32 %n, metadata !3, metadata !DIExpression()): Expression at /src/k, (1).cl:5:11
              call void @llvm.dbg.declare(metadata ptr %i, metadata !4, metadata !DIExpression()): Expression at /src/k, (1).cl:4:7
              %1 = load i32, ptr %i, align 4: Variable("i") at /src/k, (1).cl:4:7
              ret i32 %1: nothing
        "#]],
    );
}

#[test]
fn variables_outside_of_functions() {
    let text = format!(
        "@tile = internal addrspace(3) global [4 x i32] undef, section \"!dbg !2\", align 4, !dbg !20
@part = global i32 0, !dbg !21
@other = global i32 0
define void @f() {{
  ret void
}}
{METADATA}
!20 = !DIGlobalVariableExpression(var: !22, expr: !DIExpression())
!21 = !DIGlobalVariableExpression(var: !22, expr: !DIExpression(DW_OP_LLVM_fragment, 0, 32))
!22 = distinct !DIGlobalVariable(name: \"tile\", linkageName: \"_tile\", scope: !2, file: !1, line: 9, type: !3, isLocal: true)
"
    );
    let module = Module::read(text.as_bytes(), BodyEnds::AtLineStart).expect("the fixture reads");
    let origin = |name: &str| {
        let symbol = module.symbol_named(name.as_bytes()).expect("a symbol");
        module.variable_origin(symbol, None).as_ref().map(shown)
    };
    assert_eq!(origin("tile").as_deref(), Some("Variable(\"tile\") at /src/k, (1).cl:9:0"));
    assert_eq!((origin("part"), origin("other"), origin("f")), (None, None, None));
}

/// Without debug information there is nothing, whatever the names are.
#[test]
fn nothing_is_guessed() {
    says(
        "define i32 @k(i32 %n) {
  %i = alloca i32
  %1 = load i32, ptr %i
  ret i32 %1
}
",
        expect![[r#"
            @k: nothing
              parameter 0: nothing
              %i = alloca i32: nothing
              %1 = load i32, ptr %i: nothing
              ret i32 %1: nothing
        "#]],
    );
}

/// A table answers by where instructions, parameters and functions begin, and what it does not say nobody says.
#[test]
fn a_table_answers_by_places() {
    let source = "void k(int n) {\n  f(n + 1);\n}\n";
    let text = "define void @k(i32 %n) {
  %1 = add i32 %n, 1
  call void @f(i32 %1)
  ret void
}
declare void @f(i32)
";
    let module = Module::read(text.as_bytes(), BodyEnds::AtLineStart).expect("the fixture reads");
    let id = module.definitions().next().expect("a function");
    let function = FunctionReader::new(&module).read(id).expect("the body reads");
    let mut origins = Origins::default();
    assert!(origins.is_empty());
    let file = origins.add_file(SourceFile::new("k.c", Some(Arc::new(source.to_string()))));
    let other = origins.add_file(SourceFile::new("main.c", None));
    let [k, n, f] = ["k", "n", "f"].map(|name| origins.add_name(name));
    let mut add = |what, file, range: std::ops::Range<usize>, call: Option<_>| {
        let range = Span { start: range.start as u32, end: range.end as u32 };
        origins.add(Record { what, file, range, inlined_at: PackedOption::from(call) })
    };
    let outermost = add(What::Call(k), other, 50..51, None);
    let call = add(What::Call(k), other, 70..71, Some(outermost));
    let find = |piece: &str| text.find(piece).expect("a piece of the text") as u32;
    let marks = [
        (0, add(What::Function(k), file, 5..6, None)),
        (find("n) {"), add(What::Variable(n), file, 11..12, None)),
        (find("%1"), add(What::Expression, file, 20..25, Some(call))),
        (find("call"), add(What::Call(f), file, 18..26, None)),
    ];
    marks.into_iter().for_each(|(offset, origin)| origins.mark(offset, origin));
    assert_eq!(origins.offsets().collect::<Vec<_>>(), marks.map(|(offset, _)| offset));

    let said = FunctionOrigins::new(&module, id, &function, Some(&origins));
    let text_of = |origin: Option<Origin>| {
        let origin = origin.expect("an origin");
        (origin.what, origin.place.text().expect("a text").to_string(), origin.place.line().expect("a line"))
    };
    assert_eq!(text_of(said.of_function()), (What::Function("k".into()), "k".to_string(), (1, 6)));
    assert_eq!(text_of(said.of_parameter(0)), (What::Variable("n".into()), "n".to_string(), (1, 12)));
    let [add, call, ret] = [0, 1, 2].map(Inst::from_u32);
    assert_eq!(text_of(said.of_instruction(add)), (What::Expression, "n + 1".to_string(), (2, 5)));
    assert_eq!(text_of(said.of_instruction(call)), (What::Call("f".into()), "f(n + 1)".to_string(), (2, 3)));
    assert_eq!(said.of_instruction(ret), None);
    let inlined: Vec<Extent> =
        said.of_instruction(add).expect("an origin").inlined_at.into_iter().map(|call| call.extent).collect();
    assert_eq!(inlined, [Extent::Bytes(70..71), Extent::Bytes(50..51)]);
    let declared = module.functions.keys().find(|&other| other != id).expect("a declaration");
    assert_eq!(module.function_origin(declared, Some(&origins)), None);
}
