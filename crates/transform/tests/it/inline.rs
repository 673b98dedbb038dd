//! Calls inlined: what comes out, and what is refused.

use expect_test::{Expect, expect};
use reconverge_testing::llvm;
use reconverge_transform::{InlineOptions, inline};

/// The text with calls inlined, and the refusals.
fn inlined(text: &str, functions: &[&str]) -> (String, Vec<String>) {
    let options = InlineOptions {
        functions: functions.iter().map(|&name| name.to_owned()).collect(),
        ..InlineOptions::default()
    };
    let transformed = inline(text.as_bytes(), &options).expect("it is IR");
    let refusals =
        transformed.refusals.iter().map(|refusal| format!("{}: {}", refusal.function, refusal.rule)).collect();
    (String::from_utf8(transformed.edits.apply(text.as_bytes())).expect("it is text"), refusals)
}

/// The lines that changed: what went, and what came.
fn changes(before: &str, after: &str) -> String {
    let (before, after): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    // Longest common subsequence; the texts are short.
    let mut common = vec![vec![0u32; after.len() + 1]; before.len() + 1];
    for i in (0..before.len()).rev() {
        for j in (0..after.len()).rev() {
            common[i][j] =
                if before[i] == after[j] { common[i + 1][j + 1] + 1 } else { common[i + 1][j].max(common[i][j + 1]) };
        }
    }
    let (mut i, mut j, mut out) = (0, 0, String::new());
    while i < before.len() || j < after.len() {
        if i < before.len() && j < after.len() && before[i] == after[j] {
            (i, j) = (i + 1, j + 1);
        } else if i < before.len() && (j == after.len() || common[i + 1][j] >= common[i][j + 1]) {
            out.push_str(&format!("-{}\n", before[i]));
            i += 1;
        } else {
            out.push_str(&format!("+{}\n", after[j]));
            j += 1;
        }
    }
    out
}

fn check(text: &str, functions: &[&str], expected: &Expect) {
    let (after, refusals) = inlined(text, functions);
    if let Some(tools) = llvm::tools() {
        for text in [text, &after] {
            let verdict = tools.verify(text).expect("opt reads it");
            assert!(verdict.accepted, "{}\n{text}", verdict.output);
        }
    }
    expected.assert_eq(&(changes(text, &after) + &refusals.join("\n")));
}

const INTRINSICS: &str = "declare void @op() convergent\n\
    declare token @llvm.experimental.convergence.entry() convergent\n\
    declare token @llvm.experimental.convergence.anchor() convergent\n\
    declare token @llvm.experimental.convergence.loop() convergent\n";

/// The example of the document.
// conformance: operations/19b
#[test]
fn the_entry_is_the_token_of_the_call() {
    let text = format!(
        "{INTRINSICS}
define void @callee() convergent {{
  %tok = call token @llvm.experimental.convergence.entry()
  call void @op() [ \"convergencectrl\"(token %tok) ]
  ret void
}}

define void @main(i1 %c) {{
entry:
  %outer = call token @llvm.experimental.convergence.anchor()
  br label %for

for:
  %inner = call token @llvm.experimental.convergence.loop() [ \"convergencectrl\"(token %outer) ]
  call void @callee() [ \"convergencectrl\"(token %inner) ]
  br i1 %c, label %for, label %exit

exit:
  ret void
}}
"
    );
    check(
        &text,
        &[],
        &expect![[r#"
        -  call void @callee() [ "convergencectrl"(token %inner) ]
        +  call void @op() [ "convergencectrl"(token %inner) ]
    "#]],
    );
}

#[test]
fn several_blocks_and_returns() {
    let text = "declare i32 @id() convergent

define internal i32 @pick(i32 %x, ptr %p) convergent {
  %slot = alloca i32, align 4
  store i32 %x, ptr %slot
  %1 = icmp eq i32 %x, 3
  br i1 %1, label %2, label %4

2:
  %3 = call i32 @id()
  ret i32 %3

4:
  %5 = phi i32 [ %x, %0 ], [ %6, %4 ]
  %6 = add i32 %5, 1
  switch i32 %6, label %4 [
    i32 7, label %done
    i32 8, label %done
  ]

done:
  %y = load i32, ptr %slot
  ret i32 %y
}

define i32 @main(i1 %c, ptr %y) convergent {
  br label %2

2:
  %3 = phi i32 [ 5, %0 ], [ %5, %2 ]
  %4 = call i32 @pick(i32 noundef %3, ptr null), !range !0
  %5 = tail call i32 @pick(i32 %4, ptr %y)
  br i1 %c, label %2, label %6

6:
  %7 = phi i32 [ %5, %2 ]
  ret i32 %7
}

!0 = !{i32 0, i32 9}
";
    check(
        text,
        &[],
        &expect![[r#"
        +  %slot = alloca i32, align 4
        +  %slot.1 = alloca i32, align 4
        -  %3 = phi i32 [ 5, %0 ], [ %5, %2 ]
        -  %4 = call i32 @pick(i32 noundef %3, ptr null), !range !0
        -  %5 = tail call i32 @pick(i32 %4, ptr %y)
        +  %3 = phi i32 [ 5, %0 ], [ %5, %pick.exit.1 ]
        +  store i32 %3, ptr %slot
        +  %pick = icmp eq i32 %3, 3
        +  br i1 %pick, label %pick.4, label %pick.5
        +
        +pick.4:
        +  %pick.1 = call i32 @id()
        +  br label %pick.exit
        +
        +pick.5:
        +  %pick.2 = phi i32 [ %3, %2 ], [ %pick.3, %pick.5 ]
        +  %pick.3 = add i32 %pick.2, 1
        +  switch i32 %pick.3, label %pick.5 [
        +    i32 7, label %done
        +    i32 8, label %done
        +  ]
        +
        +done:
        +  %y.1 = load i32, ptr %slot
        +  br label %pick.exit
        +
        +pick.exit:
        +  %4 = phi i32 [ %pick.1, %pick.4 ], [ %y.1, %done ]
        +  store i32 %4, ptr %slot.1
        +  %pick.6 = icmp eq i32 %4, 3
        +  br i1 %pick.6, label %pick.10, label %pick.11
        +
        +pick.10:
        +  %pick.7 = call i32 @id()
        +  br label %pick.exit.1
        +
        +pick.11:
        +  %pick.8 = phi i32 [ %4, %pick.exit ], [ %pick.9, %pick.11 ]
        +  %pick.9 = add i32 %pick.8, 1
        +  switch i32 %pick.9, label %pick.11 [
        +    i32 7, label %done.1
        +    i32 8, label %done.1
        +  ]
        +
        +done.1:
        +  %y.2 = load i32, ptr %slot.1
        +  br label %pick.exit.1
        +
        +pick.exit.1:
        +  %5 = phi i32 [ %pick.7, %pick.10 ], [ %y.2, %done.1 ]
        -  %7 = phi i32 [ %5, %2 ]
        +  %7 = phi i32 [ %5, %pick.exit.1 ]
    "#]],
    );
}

/// A name for what is there already; nothing for nothing; nested calls.
#[test]
fn what_is_returned_keeps_its_name() {
    let text = "define i32 @same(i32 %x) {
  ret i32 %x
}
define { i32, i32 } @pair() {
  ret { i32, i32 } { i32 1, i32 2 }
}
define void @nothing() {
  ret void
}
define i32 @twice(i32 %x) {
  %a = call i32 @same(i32 %x)
  call void @nothing()
  %b = add i32 %a, %x
  ret i32 %b
}
define i32 @branching(i32 %x) {
  %c = icmp eq i32 %x, 0
  br i1 %c, label %zero, label %other
zero:
  br label %other
other:
  %twice = call i32 @twice(i32 %x)
  ret i32 %twice
}
define i32 @main(i32 %x) {
entry:
  %b = call i32 @twice(i32 9)
  %r = call i32 @branching(i32 %b)
  %p = call { i32, i32 } @pair()
  ret i32 %r
}
";
    check(
        text,
        &[],
        &expect![[r#"
        -  %a = call i32 @same(i32 %x)
        -  call void @nothing()
        +  %a = bitcast i32 %x to i32
        -  %twice = call i32 @twice(i32 %x)
        +  %a = bitcast i32 %x to i32
        +  %twice = add i32 %a, %x
        -  %b = call i32 @twice(i32 9)
        -  %r = call i32 @branching(i32 %b)
        -  %p = call { i32, i32 } @pair()
        +  %a = bitcast i32 9 to i32
        +  %b = add i32 %a, 9
        +  %c = icmp eq i32 %b, 0
        +  br i1 %c, label %zero, label %other
        +
        +zero:
        +  br label %other
        +
        +other:
        +  %a.1 = bitcast i32 %b to i32
        +  %r = add i32 %a.1, %b
        +  br label %branching.exit
        +
        +branching.exit:
        +  %p = select i1 true, { i32, i32 } {i32 1, i32 2}, { i32, i32 } {i32 1, i32 2}
    "#]],
    );
}

#[test]
fn both_get_tokens_where_one_has_them() {
    let text = format!(
        "{INTRINSICS}
define void @tokens() convergent {{
  %tok = call token @llvm.experimental.convergence.entry()
  call void @op() [ \"convergencectrl\"(token %tok) ]
  ret void
}}
define void @none() convergent {{
  call void @op()
  ret void
}}
define void @main() convergent {{
  call void @none()
  call void @tokens()
  ret void
}}
define void @other() convergent {{
  call void @op()
  ret void
}}
define void @irreducible(i1 %c) convergent {{
  br i1 %c, label %a, label %b
a:
  call void @op()
  br label %b
b:
  call void @tokens()
  br i1 %c, label %a, label %x
x:
  ret void
}}
"
    );
    check(
        &text,
        &[],
        &expect![[r#"
            -  call void @op()
            +  %convergence.entry = call token @llvm.experimental.convergence.entry()
            +  call void @op() [ "convergencectrl"(token %convergence.entry) ]
            -  call void @none()
            -  call void @tokens()
            +  %convergence.entry = call token @llvm.experimental.convergence.entry()
            +  call void @op() [ "convergencectrl"(token %convergence.entry) ]
            +  call void @op() [ "convergencectrl"(token %convergence.entry) ]
            -  br i1 %c, label %a, label %b
            +  %convergence.entry = call token @llvm.experimental.convergence.entry()
            +  br i1 %c, label %block0.forward, label %block0.forward.1
            +
            +block0.forward:
            +  br label %a.dispatch
            +
            +block0.forward.1:
            +  br label %a.dispatch
            +
            +a.dispatch:
            +  %a.entry = phi i1 [ false, %block0.forward ], [ true, %block0.forward.1 ], [ false, %b ]
            +  %convergence.loop = call token @llvm.experimental.convergence.loop() [ "convergencectrl"(token %convergence.entry) ]
            +  br i1 %a.entry, label %b, label %a
            -  call void @op()
            +  call void @op() [ "convergencectrl"(token %convergence.loop) ]
            -  call void @tokens()
            -  br i1 %c, label %a, label %x
            +  call void @op() [ "convergencectrl"(token %convergence.loop) ]
            +  br i1 %c, label %a.dispatch, label %x
        "#]],
    );
}

#[test]
fn places_of_the_source() {
    let text = "define void @inner() !dbg !5 {
  %v = load i32, ptr null, !dbg !10, !alias.scope !20, !invariant.load !20
  call void @op(), !dbg !10
  br label %loop
loop:
  br i1 true, label %loop, label %end, !llvm.loop !21
end:
  ret void, !dbg !10
}
define void @plain() {
  call void @op()
  call void @inner()
  ret void
}
define void @main() !dbg !6 {
  call void @inner(), !dbg !11
  call void @inner(), !dbg !11
  call void @plain(), !dbg !12
  call void @already(), !dbg !12
  ret void, !dbg !11
}
define void @already() !dbg !7 {
  call void @op(), !dbg !14
  ret void
}
declare void @op()
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: \"a.c\", directory: \"/\")
!2 = !{i32 2, !\"Debug Info Version\", i32 3}
!3 = !DISubroutineType(types: !4)
!4 = !{null}
!5 = distinct !DISubprogram(name: \"inner\", file: !1, line: 1, type: !3, unit: !0)
!6 = distinct !DISubprogram(name: \"main\", file: !1, line: 9, type: !3, unit: !0)
!7 = distinct !DISubprogram(name: \"already\", file: !1, line: 20, type: !3, unit: !0)
!10 = !DILocation(line: 2, column: 1, scope: !5)
!11 = !DILocation(line: 10, column: 1, scope: !6)
!12 = !DILocation(line: 11, column: 1, scope: !6)
!13 = distinct !DILocation(line: 21, scope: !7)
!14 = !DILocation(line: 3, column: 3, scope: !5, inlinedAt: !13)
!20 = !{}
!21 = distinct !{!21, !10}
";
    check(
        text,
        &[],
        &expect![[r#"
        -  call void @inner()
        +  %v = load i32, ptr null, !invariant.load !20
        +  call void @op()
        +  br label %loop
        +
        +loop:
        +  br i1 true, label %loop, label %end
        +
        +end:
        +  br label %inner.exit
        +
        +inner.exit:
        -  call void @inner(), !dbg !11
        -  call void @inner(), !dbg !11
        -  call void @plain(), !dbg !12
        -  call void @already(), !dbg !12
        +  %v = load i32, ptr null, !dbg !23, !invariant.load !20
        +  call void @op(), !dbg !23
        +  br label %loop
        +
        +loop:
        +  br i1 true, label %loop, label %end
        +
        +end:
        +  br label %inner.exit
        +
        +inner.exit:
        +  %v.1 = load i32, ptr null, !dbg !25, !invariant.load !20
        +  call void @op(), !dbg !25
        +  br label %loop.1
        +
        +loop.1:
        +  br i1 true, label %loop.1, label %end.1
        +
        +end.1:
        +  br label %inner.exit.1
        +
        +inner.exit.1:
        +  call void @op(), !dbg !12
        +  %v.2 = load i32, ptr null, !dbg !27, !invariant.load !20
        +  call void @op(), !dbg !27
        +  br label %loop.2
        +
        +loop.2:
        +  br i1 true, label %loop.2, label %end.2
        +
        +end.2:
        +  br label %plain.exit
        +
        +plain.exit:
        +  call void @op(), !dbg !30
        +!22 = distinct !DILocation(line: 10, column: 1, scope: !6)
        +!23 = !DILocation(line: 2, column: 1, scope: !5, inlinedAt: !22)
        +!24 = distinct !DILocation(line: 10, column: 1, scope: !6)
        +!25 = !DILocation(line: 2, column: 1, scope: !5, inlinedAt: !24)
        +!26 = distinct !DILocation(line: 11, column: 1, scope: !6)
        +!27 = !DILocation(line: 2, column: 1, scope: !5, inlinedAt: !26)
        +!28 = distinct !DILocation(line: 11, column: 1, scope: !6)
        +!29 = distinct !DILocation(line: 21, scope: !7, inlinedAt: !28)
        +!30 = !DILocation(line: 3, column: 3, scope: !5, inlinedAt: !29)
    "#]],
    );
}

#[test]
fn what_is_not_inlined() {
    let text = "declare void @op() convergent
declare void @throw()
define weak void @weak() {
  ret void
}
define void @no() noinline {
  ret void
}
define void @self() {
  call void @self()
  ret void
}
define void @ping() {
  call void @pong()
  ret void
}
define void @pong() {
  call void @ping()
  ret void
}
define void @variadic(...) {
  ret void
}
define void @by(ptr byval(i64) %p) {
  ret void
}
define void @stack(i32 %n) {
  %a = alloca i8, i32 %n
  ret void
}
define void @addressed() {
  br label %b
b:
  ret void
}
@table = constant ptr blockaddress(@addressed, %b)
define void @must() {
  musttail call void @throw()
  ret void
}
define void @spin() {
  br label %a
a:
  br label %a
}
define void @catch() personality ptr null {
  invoke void @throw() to label %a unwind label %b
a:
  ret void
b:
  %l = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %l
}
define fastcc void @fast() {
  ret void
}
define void @cpu() \"target-cpu\"=\"gfx90a\" {
  ret void
}
define void @end(i1 %c) convergent {
  br i1 %c, label %a, label %b
a:
  call void @op()
  unreachable
b:
  ret void
}
define void @main(i1 %c) convergent {
  call void @weak()
  call void @no()
  call void @self()
  call void @ping()
  call void (...) @variadic(i32 1)
  call void @by(ptr byval(i64) null)
  call void @stack(i32 1)
  call void @addressed()
  call void @must()
  call void @spin()
  call void @catch()
  call void @fast()
  call void @cpu()
  call i32 @throw()
  br label %loop
loop:
  call void @end(i1 %c)
  br i1 %c, label %loop, label %exit
exit:
  ret void
}
";
    check(
        text,
        &[],
        &expect![[r#"
            @self: @self is not inlined here: it is recursive, and there would be no end to it
            @ping: @pong is not inlined here: it is recursive, and there would be no end to it
            @pong: @ping is not inlined here: it is recursive, and there would be no end to it
            @main: @weak is not inlined here: the linker may put another function in its place
            @main: @no is not inlined here: it is `noinline` (name it with --function if you want it all the same)
            @main: @self is not inlined here: it is recursive, and there would be no end to it
            @main: @ping is not inlined here: it is recursive, and there would be no end to it
            @main: @variadic is not inlined here: it takes a variable number of arguments
            @main: @by is not inlined here: it has a parameter that is `byval`
            @main: @stack is not inlined here: it allocates stack memory anew each time that it reaches an `alloca`
            @main: @addressed is not inlined here: the address of one of its blocks is taken, which a copy would not have
            @main: @must is not inlined here: it has a `musttail` call
            @main: @spin is not inlined here: it never returns, and what follows the call is not to be cut off: the cycles of the caller would be others
            @main: @catch is not inlined here: it handles exceptions
            @main: @fast is not inlined here: the call has another calling convention than the function, which is undefined behaviour
            @main: @cpu is not inlined here: attributes that say what instructions mean, or for which processor they are, are not those of the caller
            @main: @end is not inlined here: the call is in a cycle, and a convergent operation from which the function does not return would not be in it"#]],
    );
    check(
        text,
        &["no", "@missing"],
        &expect![[r#"
        -  call void @no()
        @missing: no function with a body has this name"#]],
    );
}

/// A token that has to come first in its block stays there.
#[test]
fn nothing_gets_before_an_entry() {
    let text = format!(
        "{INTRINSICS}
define void @alone() {{
  %tok = call token @llvm.experimental.convergence.anchor()
  call void @op() [ \"convergencectrl\"(token %tok) ]
  ret void
}}
define void @main() convergent {{
  call void @alone()
  %tok = call token @llvm.experimental.convergence.entry()
  call void @op() [ \"convergencectrl\"(token %tok) ]
  call void @alone()
  ret void
}}
"
    );
    check(
        &text,
        &[],
        &expect![[r#"
        -  call void @alone()
        +  %tok.1 = call token @llvm.experimental.convergence.anchor()
        +  call void @op() [ "convergencectrl"(token %tok.1) ]
        @main: @alone is not inlined here: the call stands before an `entry` or `loop` of convergence, which comes first in its block"#]],
    );
}

/// Where copies would be too long, calls stay.
#[test]
fn growth_has_a_limit() {
    let mut text = "define void @f0() {\n  store i32 0, ptr null\n  ret void\n}\n".to_owned();
    for index in 1..40 {
        let callee = index - 1;
        text.push_str(&format!(
            "define void @f{index}() {{\n  call void @f{callee}()\n  call void @f{callee}()\n  ret void\n}}\n"
        ));
    }
    let (after, refusals) = inlined(&text, &[]);
    println!("{} bytes become {}, {} refusals", text.len(), after.len(), refusals.len());
    assert!(after.len() < 10_000_000 && refusals.len() > 3, "{} bytes, {} refusals", after.len(), refusals.len());
}
