//! What [`Legality`] says where no pass asks: speculation, copies, unrolling.

use cranelift_entity::EntityRef;
use expect_test::{Expect, expect};
use reconverge_analysis::target::Target;
use reconverge_graph::Node;
use reconverge_ir::function::{Block, Inst};
use reconverge_ir::opcode::Opcode;
use reconverge_transform::{Legality, Unrolling, Verdict};
use reconverge_valid::read_functions;

const HEAD: &str = r#"target triple = "spirv64-unknown-unknown"

declare token @llvm.experimental.convergence.entry() convergent
declare token @llvm.experimental.convergence.anchor() convergent
declare token @llvm.experimental.convergence.loop() convergent
declare i32 @_Z17sub_group_shuffleij(i32, i32) convergent
declare i32 @__spirv_SubgroupShuffleINTEL(i32, i32) convergent
declare i32 @_Z15sub_group_reduce_addi(i32) convergent
declare i1 @_Z24sub_group_inverse_ballotDv4_j(<4 x i32>) convergent
declare i32 @mean(i32) convergent speculatable memory(none) nounwind willreturn
declare i32 @once(i32) convergent noduplicate
declare void @publish(i32) convergent
declare void @plain()
declare i64 @_Z12get_local_idj(i32)
"#;

/// Asks about the calls of a function, which are named by what they call; blocks are named.
fn ask(
    body: &str,
    question: impl Fn(&Legality<'_>, &dyn Fn(&str) -> Inst, &dyn Fn(&str) -> Block) -> Verdict + Sync,
) -> String {
    let text = format!("{HEAD}{body}");
    let answers = read_functions(text.as_bytes(), |module, id, function| {
        let legality = Legality::new(module, id, function, Target::for_triple(&module.target_triple()));
        let call = |name: &str| {
            let is_it = |inst: &Inst| {
                let data = &function.instructions[*inst];
                data.opcode == Opcode::Call && String::from_utf8_lossy(data.span.of(module.text)).contains(name)
            };
            function.instructions.keys().find(is_it).expect("it is called")
        };
        let block = |name: &str| {
            let is_it = |block: &Block| module.local_name(function.blocks[*block].name) == name;
            function.blocks.keys().find(is_it).expect("there is one")
        };
        match question(&legality, &call, &block) {
            Verdict::Yes { why } => format!("yes: {why}"),
            Verdict::No { rule, section, locations } => {
                let place = |span: reconverge_ir::Span| String::from_utf8_lossy(span.of(module.text)).into_owned();
                let places: Vec<String> = locations
                    .iter()
                    .map(|location| format!("\n  {}: {}", place(location.span), location.what))
                    .collect();
                format!("no: {rule} [{section}]{}", places.concat())
            }
        }
    });
    answers.expect("it is IR").1.remove(0)
}

/// Whether the call in `then` may be executed before the branch; its threads part there, or not.
fn speculate(call: &str, condition: &str, expected: &Expect) {
    let body = format!(
        "define spir_kernel void @f(i32 %data, i32 %id, ptr %out) convergent {{\nstart:\n  %all = call token \
         @llvm.experimental.convergence.entry()\n  %thread = call i64 @_Z12get_local_idj(i32 0)\n  %c = {condition} to i1\n  br i1 \
         %c, label %then, label %end\nthen:\n  %r = call i32 {call} [ \"convergencectrl\"(token %all) ]\n  store i32 %r, ptr \
         %out\n  br label %end\nend:\n  ret void\n}}\n"
    );
    let name = call.split('(').next().expect("a name");
    let answer =
        ask(&body, |legality, call, block| legality.may_speculate(call(&format!("i32 {name}")), block("start")));
    expected.assert_eq(&answer);
}

const DIVERGENT: &str = "trunc i64 %thread";
const UNIFORM: &str = "trunc i32 %data";

#[test]
fn speculation_is_up_to_the_operation() {
    // Its result is undefined where the other thread is not there.
    speculate(
        "@_Z17sub_group_shuffleij(i32 %data, i32 %id)",
        DIVERGENT,
        &expect![
            "yes: its result for a thread stays the same when more threads take part, and it does not harm them (target: hoist, speculate)"
        ],
    );
    // An operand that has to be defined is not, perhaps, in the threads that would be new.
    speculate(
        "@_Z17sub_group_shuffleij(i32 noundef %data, i32 %id)",
        DIVERGENT,
        &expect![[r#"
        no: threads that would not have executed the operation have no operands for it, and it is not known to be harmless then [Hoisting and sinking]
          br i1 %c, label %then, label %end: threads of a subgroup may take different paths here"#]],
    );
    // Nothing is known of what happens then.
    speculate(
        "@__spirv_SubgroupShuffleINTEL(i32 %data, i32 %id)",
        DIVERGENT,
        &expect![[r#"
        no: threads that would not have executed the operation have no operands for it, and it is not known to be harmless then [Hoisting and sinking]
          br i1 %c, label %then, label %end: threads of a subgroup may take different paths here"#]],
    );
    speculate(
        "@__spirv_SubgroupShuffleINTEL(i32 %data, i32 %id)",
        UNIFORM,
        &expect![[r#"
        no: the operation would be executed where it was not, and is not known to be harmless [Hoisting and sinking]
          br i1 %c, label %then, label %end: not every way from here leads to it"#]],
    );
    // `speculatable` is not about which threads are there.
    speculate(
        "@mean(i32 %data)",
        DIVERGENT,
        &expect![[r#"
        no: speculatable does not say which threads execute a convergent operation, and more of them would [Other Interactions]
          br i1 %c, label %then, label %end: threads of the grid may take different paths here"#]],
    );
    speculate("@mean(i32 %data)", UNIFORM, &expect!["yes: all threads of the grid take the same path in between"]);
    speculate(
        "@_Z15sub_group_reduce_addi(i32 %data)",
        UNIFORM,
        &expect![[r#"
        no: the operation would be executed where it was not, and is not known to be harmless [Hoisting and sinking]
          br i1 %c, label %then, label %end: not every way from here leads to it"#]],
    );
}

#[test]
fn copies() {
    let body = "define void @f(i32 %data, <4 x i32> %ballot) convergent {\n  %g = call token @llvm.experimental.convergence.anchor()\n  \
                %s = call i32 @_Z17sub_group_shuffleij(i32 %data, i32 %data) [ \"convergencectrl\"(token %g) ]\n  \
                %b = call i1 @_Z24sub_group_inverse_ballotDv4_j(<4 x i32> %ballot) [ \"convergencectrl\"(token %g) ]\n  \
                %o = call i32 @once(i32 1) [ \"convergencectrl\"(token %g) ]\n  call void @plain()\n  ret void\n}\n";
    let duplicate = |name: &'static str| ask(body, move |legality, call, _| legality.may_duplicate(call(name)));
    let answers = ["anchor", "shuffle", "inverse_ballot", "once", "plain"].map(duplicate);
    expect![[r#"
        yes: which threads execute an anchor together is up to the implementation; the operations on its token go with it
        no: threads that execute different copies do not execute converged instances, so fewer of them take part in each [Dynamic Instances and Convergence Tokens]
          %s = call i32 @_Z17sub_group_shuffleij(i32 %data, i32 %data) [ "convergencectrl"(token %g) ]: the operation
          %g = call token @llvm.experimental.convergence.anchor(): its token is defined here
        yes: its result for a thread stays the same when fewer threads take part (target: sink)
        no: the call forbids it by an attribute of its own [Examples for the Correctness of Program Transforms]
          %o = call i32 @once(i32 1) [ "convergencectrl"(token %g) ]: noduplicate
        yes: it is no convergent operation"#]].assert_eq(&answers.join("\n"));
}

/// What may be done to the one cycle of a function.
fn unroll(body: &str, expected: &Expect) {
    let answer = |kind: Unrolling| {
        let verdict = ask(body, move |legality, _, _| {
            let cycle = legality.cycles().top_level().next().expect("there is a cycle");
            legality.may_unroll(cycle, kind)
        });
        format!("{kind:?}: {verdict}")
    };
    let answers = [Unrolling::Remainder, Unrolling::Multiple, Unrolling::Full].map(answer);
    expected.assert_eq(&answers.join("\n"));
}

const LOOP: &str = "define void @f(i1 %c) convergent {\nstart:\n  %out = call token @llvm.experimental.convergence.anchor()\n  br label \
                    %body\nbody:\n  %in = call token @llvm.experimental.convergence.loop() [ \"convergencectrl\"(token %out) ]\n  \
                    call void @publish(i32 1) [ \"convergencectrl\"(token %in) ]\n  br i1 %c, label %body, label %end\nend:\n  ret \
                    void\n}\n";

#[test]
fn a_loop_of_its_own_anchor_unrolls_in_every_way() {
    let body = LOOP
        .replace("  %out = call token @llvm.experimental.convergence.anchor()\n", "")
        .replace("convergence.loop() [ \"convergencectrl\"(token %out) ]", "convergence.anchor()");
    unroll(
        &body,
        &expect![[r#"
        Remainder: yes: all operations refer back to an anchor inside of the cycle
        Multiple: yes: threads execute each copy in the same iterations, and the heart is not duplicated
        Full: yes: threads execute each copy in the same iterations, and the heart is not duplicated"#]],
    );
}

#[test]
fn a_loop_with_a_heart_unrolls_without_remainder() {
    unroll(
        LOOP,
        &expect![[r#"
            Remainder: no: a token from outside of the loop is used in it: a remainder would let threads of one iteration execute different static instances [Loop unrolling examples]
              %in = call token @llvm.experimental.convergence.loop() [ "convergencectrl"(token %out) ]: the use of the token
              %out = call token @llvm.experimental.convergence.anchor(): the token is defined here
            Multiple: yes: threads execute each copy in the same iterations, and the heart is not duplicated
            Full: yes: threads execute each copy in the same iterations, and the heart is not duplicated"#]],
    );
}

#[test]
fn a_loop_with_uncontrolled_operations_unrolls_without_remainder() {
    let body = "define void @f(i1 %c) convergent {\nstart:\n  br label %body\nbody:\n  call void @publish(i32 1)\n  br i1 %c, label %body, label \
                %end\nend:\n  ret void\n}\n";
    unroll(
        body,
        &expect![[r#"
            Remainder: no: an uncontrolled convergent operation is in the loop: a remainder would let threads of one iteration execute different static instances [Loop unrolling examples]
              call void @publish(i32 1): an uncontrolled convergent operation
            Multiple: yes: threads execute each copy in the same iterations, and the heart is not duplicated
            Full: yes: threads execute each copy in the same iterations, and the heart is not duplicated"#]],
    );
}

#[test]
fn a_token_that_is_used_outside_keeps_a_loop_together() {
    let body = LOOP.replace("end:\n", "end:\n  call void @publish(i32 2) [ \"convergencectrl\"(token %in) ]\n");
    unroll(
        &body,
        &expect![[r#"
            Remainder: no: a token of the loop is used after it, where threads that left from different copies would count as converged [Loop unrolling examples]
              call void @publish(i32 2) [ "convergencectrl"(token %in) ]: the use after the loop
              %in = call token @llvm.experimental.convergence.loop() [ "convergencectrl"(token %out) ]: the token is defined here
            Multiple: yes: threads execute each copy in the same iterations, and the heart is not duplicated
            Full: yes: threads execute each copy in the same iterations, and the heart is not duplicated"#]],
    );
}

#[test]
fn a_cycle_with_two_entries_and_one_without_operations() {
    let body = "define void @f(i1 %c) convergent {\nstart:\n  br i1 %c, label %a, label %b\na:\n  call void @publish(i32 1)\n  br label \
                %b\nb:\n  br i1 %c, label %a, label %end\nend:\n  ret void\n}\n";
    unroll(
        body,
        &expect![[r#"
        Remainder: no: only a natural loop has iterations to speak of [Loop unrolling examples]
          call void @publish(i32 1): one of several entries, %a
        Multiple: no: only a natural loop has iterations to speak of [Loop unrolling examples]
          call void @publish(i32 1): one of several entries, %a
        Full: no: only a natural loop has iterations to speak of [Loop unrolling examples]
          call void @publish(i32 1): one of several entries, %a"#]],
    );
    unroll(
        &body.replace("call void @publish(i32 1)", "call void @plain()"),
        &expect![[r#"
            Remainder: yes: there is no convergent operation in the cycle
            Multiple: yes: there is no convergent operation in the cycle
            Full: yes: there is no convergent operation in the cycle"#]],
    );
}

#[test]
fn a_loop_inside_a_cycle_with_several_entries_counts_for_both() {
    let body = "define void @f(i1 %c) convergent {\nstart:\n  br i1 %c, label %other, label %loop\nloop:\n  br i1 %c, label %loop, label %other\nother:\n  \
                call void @publish(i32 1)\n  br i1 %c, label %loop, label %end\nend:\n  ret void\n}\n";
    let answer = |body: &str| {
        ask(body, |legality, _, block| {
            let cycles = legality.cycles();
            let header = Node::new(block("loop").index());
            let innermost = cycles.innermost(header).expect("there is a cycle");
            legality.may_unroll(innermost, Unrolling::Full)
        })
    };
    expect![[r#"
        no: the loop is inside a cycle with several entries, which may be taken to have the same header, and an uncontrolled convergent operation counts the iterations of both [Loop unrolling examples]
          call void @publish(i32 1): an uncontrolled convergent operation"#]]
    .assert_eq(&answer(body));
    expect!["yes: there is no convergent operation in the cycle"]
        .assert_eq(&answer(&body.replace("call void @publish(i32 1)", "call void @plain()")));
}

#[test]
fn a_function_that_breaks_the_rules_means_nothing() {
    let body = LOOP.replace("(token %in)", "(token %out)");
    let answer = ask(&body, |legality, call, block| legality.may_hoist(call("publish"), block("start")));
    expect![[r#"
        no: the function breaks a static rule as it is (see check), and so means nothing [Static Rules]
          call void @publish(i32 1) [ "convergencectrl"(token %out) ]: the rule is broken here"#]]
    .assert_eq(&answer);
}
