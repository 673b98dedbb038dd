//! What front ends write: the text, that it reads, and where its origins are.

use std::path::Path;
use std::sync::Arc;

use cranelift_entity::packed_option::PackedOption;
use expect_test::expect;
use reconverge_ir::emit::{
    AttributeGroups, Body, DebugLines, Language, Metadata, ModuleText, Operand, Part, Pointer, Room, Terminator,
};
use reconverge_ir::origin::{FunctionOrigins, OriginId, Record, SourceFile, What};
use reconverge_ir::{BodyEnds, FunctionReader, Module, Span};

/// A language whose names are words and whose types are integers of some bits.
struct Words;

impl Language for Words {
    type Name = &'static str;
    type Type = u32;

    fn put_name(&self, name: &'static str, to: &mut Vec<u8>) {
        to.push(b'%');
        reconverge_ir::emit::spelling::name(to, name);
    }

    fn put_type(&self, bits: u32, to: &mut Vec<u8>) {
        to.extend_from_slice(format!("i{bits}").as_bytes());
    }
}

type Text = Body<Words>;

fn add(body: &mut Text, operand: Operand<&'static str>, number: i128, location: Option<u32>) -> Operand<&'static str> {
    let result = body.define();
    body.put("add i32 ");
    body.put(operand);
    body.put(", ");
    body.put(number);
    body.end(location);
    result
}

#[test]
fn a_function_with_all_kinds_of_blocks() {
    let mut metadata = Metadata::default();
    let mut groups = AttributeGroups::default();
    let files = [Path::new("a \"b\".c"), Path::new("c.h")];
    let mut lines = DebugLines::new(files, "DW_LANG_C11", &mut metadata).expect("there are files");
    let function = lines.start_function(("f", "f"), (0, 3), &mut metadata);
    let here = lines.location(0, 4, 70000, &mut metadata);
    let there = lines.location(1, 5, 1, &mut metadata);
    assert_eq!(lines.location(0, 4, 70000, &mut metadata), here);

    let mut module = ModuleText::default();
    module.bytes.extend_from_slice(b"; a module\n");
    let text = Arc::new("int f(int n) { sum + 1; sum + 2; }".to_string());
    let file = module.origins.add_file(SourceFile::new("a.c", Some(text.clone())));
    let mut origin = |piece: &str| -> OriginId {
        let start = text.find(piece).expect("a piece of the text") as u32;
        let range = Span { start, end: start + piece.len() as u32 };
        module.origins.add(Record { what: What::Expression, file, range, inlined_at: PackedOption::default() })
    };
    let [whole, parameter, first, second] = ["f(int n)", "n)", "sum + 1", "sum + 2"].map(&mut origin);

    let mut body = Text::new(Words, Room::default());
    let [entry, again, inside, leave, case] = ["entry", "loop", "loop", "end", "case"].map(|word| body.create(word));
    body.open(entry);
    body.close(Terminator::Branch(again), None, None);
    body.open(again);
    assert_eq!(body.current(), again);
    body.origin = Some(first);
    let sum = add(&mut body, Operand::Named("n n"), 1, Some(here));
    assert!(!body.is_referenced(leave));
    body.close(Terminator::Conditional(Operand::Bool(true), inside, leave), Some(there), Some(second));
    assert!(body.is_referenced(leave));
    // Behind a jump.
    add(&mut body, sum, 7, None);
    body.close(Terminator::ReturnVoid, None, None);
    body.open(inside);
    let cases = body.cases([(4, case), (-5, again)]);
    body.close(Terminator::Switch(sum, 32, leave, cases), None, None);
    body.open(case);
    body.origin = Some(second);
    let more = add(&mut body, sum, 2, None);
    body.origin = None;
    body.turn_to(Part::Room);
    body.start();
    body.put("%room = alloca i32, align 4");
    body.end(None);
    body.turn_to(Part::Blocks);
    let from = body.name_for_phi(case);
    body.close(Terminator::Branch(leave), None, None);
    body.open(leave);
    let joined = body.define();
    for piece in ["phi i32 [ ", "0"] {
        body.put(piece);
    }
    body.put(", %");
    let others = [again, inside].map(|block| body.name_for_phi(block));
    body.put(others[0]);
    body.put(" ], [ 0, %");
    body.put(others[1]);
    body.put(" ], [ ");
    body.put(more);
    body.put(", %");
    body.put(from);
    body.put(" ]");
    body.end(None);
    body.close(Terminator::Return(32, joined), None, None);
    body.turn_to(Part::Header);
    body.origin = Some(whole);
    body.mark(0);
    body.put("define i32 @f(i32 ");
    body.origin = Some(parameter);
    body.mark(1);
    body.put(Operand::Named("n n"));
    body.put(") #");
    body.put(groups.group("nounwind"));
    body.put(" !dbg !");
    body.put(function);
    body.origin = None;
    body.turn_to(Part::First);
    body.start();
    body.put("%null = getelementptr i8, ");
    body.put(Pointer(3));
    body.put(Operand::NullOf(3));
    body.put(", i64 0");
    body.end(None);
    let room = body.finish(&mut module);

    // The memory of one is that of the next.
    let mut body = Text::new(Words, room);
    let start = body.create("entry");
    let next = body.create("next");
    let last = body.create("last");
    body.open(start);
    body.close(Terminator::Branch(next), None, None);
    body.open(next);
    body.close(Terminator::Branch(last), None, None);
    body.open(last);
    body.close(Terminator::ReturnVoid, None, None);
    body.skip_empty_blocks();
    body.turn_to(Part::Header);
    body.put("define void @g() #");
    body.put(groups.group("nounwind"));
    body.finish(&mut module);

    groups.write(&mut module.bytes);
    module.bytes.extend_from_slice(format!("!llvm.dbg.cu = !{{!{}}}\n", lines.unit()).as_bytes());
    module.bytes.extend_from_slice(metadata.text());
    expect![[r#"
        ; a module
        define i32 @f(i32 %"n n") #0 !dbg !5 {
        entry:
          %null = getelementptr i8, ptr addrspace(3) addrspacecast (ptr null to ptr addrspace(3)), i64 0
          %room = alloca i32, align 4
          br label %loop

        loop:
          %0 = add i32 %"n n", 1, !dbg !7
          br i1 true, label %loop.1, label %end, !dbg !9

        loop.1:
          switch i32 %0, label %end [
            i32 4, label %case
            i32 -5, label %loop
          ]

        case:
          %2 = add i32 %0, 2
          br label %end

        end:
          %3 = phi i32 [ 0, %loop ], [ 0, %loop.1 ], [ %2, %case ]
          ret i32 %3
        }

        define void @g() #0 {
        entry:
          br label %last

        last:
          ret void
        }

        attributes #0 = { nounwind }
        !llvm.dbg.cu = !{!2}
        !0 = !DIFile(filename: "a \22b\22.c", directory: "")
        !1 = !DIFile(filename: "c.h", directory: "")
        !2 = distinct !DICompileUnit(language: DW_LANG_C11, file: !0, producer: "reconverge", isOptimized: false, runtimeVersion: 0, emissionKind: LineTablesOnly)
        !3 = !{}
        !4 = !DISubroutineType(types: !3)
        !5 = distinct !DISubprogram(name: "f", linkageName: "f", scope: !0, file: !0, line: 3, type: !4, scopeLine: 3, spFlags: DISPFlagDefinition, unit: !2)
        !6 = !DILocation(line: 3, scope: !5)
        !7 = !DILocation(line: 4, column: 65535, scope: !5)
        !8 = !DILexicalBlockFile(scope: !5, file: !1, discriminator: 0)
        !9 = !DILocation(line: 5, column: 1, scope: !8)
    "#]].assert_eq(std::str::from_utf8(&module.bytes).expect("UTF-8"));

    let read = Module::read(&module.bytes, BodyEnds::AtLineStart).expect("what is written reads");
    let mut said = Vec::new();
    for id in read.definitions() {
        let function = FunctionReader::new(&read).read(id).expect("the body reads");
        let origins = FunctionOrigins::new(&read, id, &function, Some(&module.origins));
        let mut say = |what: &[u8], origin: Option<reconverge_ir::origin::Origin>| {
            let Some(origin) = origin else { return };
            let what = String::from_utf8_lossy(what);
            said.push(format!("{what}: {}", origin.place.text().expect("a text")));
        };
        say(read.function_name(id).as_bytes(), origins.of_function());
        (0..function.parameters.len()).for_each(|index| say(b"parameter", origins.of_parameter(index)));
        for (inst, data) in &function.instructions {
            say(data.span.of(read.text), origins.of_instruction(inst));
        }
    }
    expect![[r#"
        @f: f(int n)
        parameter: n)
        %0 = add i32 %"n n", 1, !dbg !7: sum + 1
        br i1 true, label %loop.1, label %end, !dbg !9: sum + 2
        %2 = add i32 %0, 2: sum + 2"#]]
    .assert_eq(&said.join("\n"));
    assert_eq!(module.origins.offsets().len(), said.len());
}
