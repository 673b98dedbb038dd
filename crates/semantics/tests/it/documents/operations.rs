//! The listings and examples of *Convergent Operation Semantics*; see `main.rs` for the list.

use cranelift_entity::EntityRef;
use reconverge_analysis::lower::lower;
use reconverge_analysis::rules;
use reconverge_analysis::skeleton::skeleton;
use reconverge_graph::{CycleForest, Node, PostDominators, SuccessorOrder};
use reconverge_ir::function::Extra;
use reconverge_ir::read_functions;
use reconverge_semantics::{
    AnchorPolicy, Contradiction, ConvergenceOrder, Extent, Key, Model, Place, Skeleton, Trace, check_paths,
};

/// A function, and what its blocks and operations are called.
struct Program {
    skeleton: Skeleton,
    blocks: Vec<String>,
    operations: Vec<String>,
    /// Whether it keeps the static rules.
    is_valid: bool,
}

/// Some threads that execute a program.
struct Run<'p> {
    program: &'p Program,
    trace: Trace,
}

#[derive(Debug, Clone, Copy)]
enum Rule {
    Maximal,
    Controlled(AnchorPolicy),
    ImmediatePostDominator,
}

const CONTROLLED: Rule = Rule::Controlled(AnchorPolicy::Maximal);

impl Program {
    /// The function with this body.
    fn new(body: &str) -> Program {
        let text = format!(
            "declare token @llvm.experimental.convergence.entry()
declare token @llvm.experimental.convergence.loop()
declare token @llvm.experimental.convergence.anchor()
declare void @op() convergent
declare void @op1() convergent
declare void @op2() convergent
define void @f(i1 %c) convergent {{
{}}}
",
            body.replace("entry()", "call token @llvm.experimental.convergence.entry()")
                .replace("anchor()", "call token @llvm.experimental.convergence.anchor()")
                .replace("loop(", "call token @llvm.experimental.convergence.loop() [\"convergencectrl\"(token ")
                .replace("use(", "[\"convergencectrl\"(token ")
                .replace(");", ")]")
        );
        let read = read_functions(text.as_bytes(), |module, id, function| {
            let lowered = lower(module, id, function);
            let name = |&inst: &reconverge_ir::function::Inst| {
                let data = &function.instructions[inst];
                let Extra::Call(call) = data.extra else { panic!("operations are calls") };
                let callee = function.calls[call].callee.expand().expect("calls are direct");
                match data.result.is_none() {
                    true => format!("@{}", reconverge_ir::text::display(&module.symbol_name(callee))),
                    false => format!("%{}", module.local_name(data.name)),
                }
            };
            Program {
                skeleton: skeleton(&lowered.flow),
                blocks: function.blocks.values().map(|block| module.local_name(block.name)).collect(),
                operations: lowered.instructions.iter().map(name).collect(),
                is_valid: rules::check(&lowered.flow).is_empty(),
            }
        });
        let (_, mut programs) = read.unwrap_or_else(|error| panic!("{error:?}\n{text}"));
        programs.remove(0)
    }

    /// Threads that execute these blocks.
    fn run(&self, rule: Rule, paths: &[&str]) -> Run<'_> {
        let block = |name: &str| self.blocks.iter().position(|block| block == name).expect("a block");
        let paths: Vec<Vec<Node>> =
            paths.iter().map(|path| path.split_whitespace().map(|name| Node::new(block(name))).collect()).collect();
        check_paths(&self.skeleton.graph, &paths, Extent::Whole).expect("threads can execute this");
        let forest = CycleForest::compute(&self.skeleton.graph, SuccessorOrder::Forward);
        let post_dominators = PostDominators::compute(&self.skeleton.graph);
        let model = match rule {
            Rule::Maximal => Model::Maximal(&forest),
            Rule::Controlled(anchors) => Model::Controlled(&forest, anchors),
            Rule::ImmediatePostDominator => Model::ImmediatePostDominator(&post_dominators),
        };
        Run { program: self, trace: Trace::compute(&self.skeleton, model, &paths) }
    }
}

impl Run<'_> {
    /// The keys of what a thread (counted from 1) executes of a block or operation.
    fn keys(&self, thread: usize, name: &str) -> Vec<Key> {
        let program = self.program;
        let name_of = |instance| match program.skeleton.operation(instance) {
            Some(operation) => &program.operations[operation as usize],
            None => &program.blocks[instance.index()],
        };
        let executed = self.trace.threads[thread - 1].iter().filter(|one| name_of(one.instance) == name);
        executed.map(|one| one.key).collect()
    }

    fn order(&self) -> Result<ConvergenceOrder, Contradiction> {
        ConvergenceOrder::new(&self.trace.keys())
    }
}

const FOR_EVER: &str = "
A:
  %anchor = anchor()
  br label %B
B:
  call void @op() use(%anchor);
  br i1 %c, label %B, label %G
G:
  ret void
";

// conformance: operations/45
#[test]
fn a_use_in_a_loop_without_heart_is_a_contradiction() {
    let program = Program::new(FOR_EVER);
    let run = program.run(CONTROLLED, &["A B B G", "A B B G"]);
    let (i, j) = (run.keys(1, "@op"), run.keys(2, "@op"));
    assert!(i[0] == j[0] && i[0] == j[1] && i[1] == j[0] && i[1] == j[1], "I1 == J1 == I2 == J2");
    let Err(Contradiction::SameThread { first, second }) = run.order() else { panic!("I1 == I2") };
    assert_eq!((first.thread, second.thread), (0, 0));
    assert!(!program.is_valid);
}

// conformance: operations/20, 46
#[test]
fn a_heart_relates_iterations() {
    let with_heart = FOR_EVER.replace("B:\n", "B:\n  %loop = loop(%anchor);\n").replace("use(%anchor)", "use(%loop)");
    let program = Program::new(&with_heart);
    let run = program.run(CONTROLLED, &["A B B G", "A B B G"]);
    let (i, j) = (run.keys(1, "@op"), run.keys(2, "@op"));
    assert!(i[0] == j[0] && i[1] == j[1] && i[0] != j[1] && i[1] != j[0]);
    assert_eq!(run.keys(1, "%loop"), run.keys(2, "%loop"));
    assert!(run.order().is_ok() && program.is_valid);
}

/// Listing 1.
const TWO_ITERATIONS: [&str; 2] = ["A B C D F B D E F G", "A B D E F B C D F G"];

/// The loop with two operations, with these operations in B, C and E.
fn two_operations(b: &str, c: &str, e: &str) -> Program {
    Program::new(&format!(
        "
A:
  %anchor = anchor()
  br label %B
B:
{b}
  br i1 %c, label %C, label %D
C:
{c}
  br label %D
D:
  br i1 %c, label %E, label %F
E:
{e}
  br label %F
F:
  br i1 %c, label %B, label %G
G:
  ret void
"
    ))
}

// conformance: operations/46a
#[test]
fn listing_1_without_hearts_has_no_order() {
    let program = two_operations("", "  call void @op1() use(%anchor);", "  call void @op2() use(%anchor);");
    let run = program.run(CONTROLLED, &TWO_ITERATIONS);
    // Each pair is converged, and the threads execute the pairs in different orders.
    assert_eq!(run.keys(1, "@op1"), run.keys(2, "@op1"));
    assert_eq!(run.keys(1, "@op2"), run.keys(2, "@op2"));
    assert!(matches!(run.order(), Err(Contradiction::Cycle(_))));
    assert!(!program.is_valid);
}

// conformance: operations/46b
#[test]
fn listing_1_with_a_heart_in_the_header() {
    let uses = ["  call void @op1() use(%loop);", "  call void @op2() use(%loop);"];
    let program = two_operations("  %loop = loop(%anchor);", uses[0], uses[1]);
    let run = program.run(CONTROLLED, &TWO_ITERATIONS);
    let hearts = run.keys(1, "%loop");
    assert_eq!(hearts, run.keys(2, "%loop"), "%loop(1;j) == %loop(2;j)");
    assert!(hearts.len() == 2 && hearts[0] != hearts[1], "%loop(i;1) != %loop(i;2)");
    assert_ne!(run.keys(1, "@op1"), run.keys(2, "@op1"));
    assert_ne!(run.keys(1, "@op2"), run.keys(2, "@op2"));
    assert!(run.order().is_ok() && program.is_valid);
}

#[test]
fn listing_2_with_a_heart_in_one_side() {
    let c = "  %loop = loop(%anchor);\n  call void @op1() use(%loop);";
    let e = "  %free = anchor()\n  call void @op2() use(%free);";
    let program = two_operations("", c, e);
    let run = program.run(CONTROLLED, &TWO_ITERATIONS);
    assert_eq!(run.keys(1, "%loop"), run.keys(2, "%loop"));
    assert_eq!(run.keys(1, "@op1"), run.keys(2, "@op1"));
    // Up to the implementation; ours does not hold a thread back for an iteration.
    assert_ne!(run.keys(1, "@op2"), run.keys(2, "@op2"));
    // The operations alone have an order. With the blocks there is none: they are counted by the header B, and by that count
    // op1 is executed in different iterations. That is what static rule 4 is there for.
    let operations: Vec<Vec<Key>> = run
        .trace
        .threads
        .iter()
        .map(|thread| thread.iter().filter(|one| program.skeleton.operation(one.instance).is_some()))
        .map(|operations| operations.map(|one| one.key).collect())
        .collect();
    assert!(ConvergenceOrder::new(&operations).is_ok());
    assert!(matches!(run.order(), Err(Contradiction::Cycle(_))));
    assert!(!program.is_valid);
}

/// Listing 2 is printed as a table, `.` for a space. It is no maximal convergence of blocks, in any hierarchy: it is what follows
/// when C, where the heart is, separates iterations. The order that it shows is one.
#[test]
fn listing_2_is_an_order() {
    let rows = ["A B . . . . C D F B D E F G", "A B D E F B C D F . . . . G"];
    let mut positions: Vec<Vec<(usize, char)>> = Vec::new();
    let keys: Vec<Vec<Key>> = rows
        .iter()
        .zip(TWO_ITERATIONS)
        .map(|(row, path)| {
            let filled: Vec<(usize, char)> =
                row.split(' ').enumerate().filter_map(|(column, name)| Some((column, name.chars().next()?))).collect();
            let filled: Vec<(usize, char)> = filled.into_iter().filter(|&(_, name)| name != '.').collect();
            let names: Vec<String> = filled.iter().map(|(_, name)| name.to_string()).collect();
            assert_eq!(names.join(" "), path);
            positions.push(filled.clone());
            filled.into_iter().map(|(column, _)| Key(column as u32)).collect()
        })
        .collect();
    let order = ConvergenceOrder::new(&keys).expect("an order");
    let place = |thread: usize, nth: usize, block: char| {
        let mut found = positions[thread].iter().enumerate().filter(|(_, cell)| cell.1 == block);
        Place { thread, position: found.nth(nth).expect("it is executed").0 }
    };
    assert!(order.is_converged_with(place(0, 0, 'C'), place(1, 0, 'C')));
    assert!(
        order.is_convergence_before(place(1, 0, 'E'), place(0, 0, 'E')),
        "op2 of thread 2 is before that of thread 1"
    );
    assert!(order.is_converged_with(place(0, 0, 'B'), place(1, 0, 'B')));
    assert!(!order.is_converged_with(place(0, 1, 'B'), place(1, 1, 'B')), "unlike in maximal convergence");
}

// conformance: operations/20
#[test]
fn listing_3_before_unrolling() {
    let program = Program::new(
        "
A:
  %outer = anchor()
  br label %B
B:
  %inner = loop(%outer);
  call void @op() use(%inner);
  br i1 %c, label %B, label %C
C:
  ret void
",
    );
    let run = program.run(CONTROLLED, &["A B B B C", "A B B B B C"]);
    for name in ["%inner", "@op", "B"] {
        let (one, other) = (run.keys(1, name), run.keys(2, name));
        assert_eq!(one[..], other[..3], "{name}");
        assert!(!one.contains(&other[3]), "{name}");
    }
    assert!(run.order().is_ok() && program.is_valid);
}

// conformance: operations/50b
#[test]
fn listing_4_unrolled_with_a_remainder() {
    let program = Program::new(
        "
A:
  %outer = anchor()
  br i1 %c, label %B, label %C
B:
  %inner = loop(%outer);
  call void @op1() use(%inner);
  call void @op2() use(%inner);
  br i1 %c, label %B, label %C
C:
  br i1 %c, label %D, label %E
D:
  %remainder = loop(%outer);
  call void @op() use(%remainder);
  br label %E
E:
  ret void
",
    );
    let run = program.run(CONTROLLED, &["A B C D E", "A B B C D E"]);
    assert!(run.order().is_ok() && program.is_valid);
    // The first two of the original iterations are the first one here.
    for name in ["%inner", "@op1", "@op2"] {
        assert_eq!(run.keys(1, name)[0], run.keys(2, name)[0]);
    }
    // The third one is in D in one thread, and the first half of B in the other.
    let (third, other_third) = (run.keys(1, "@op")[0], run.keys(2, "@op1")[1]);
    assert_ne!(third, other_third);
    // What the first thread's D meets is the other thread's D, where it executes its fifth.
    assert_eq!(third, run.keys(2, "@op")[0]);
}

// conformance: operations/8, 8a, 8b, 8c, 9
#[test]
fn jump_threading() {
    let original = Program::new(
        "
entry:
  br i1 %c, label %then1, label %mid
then1:
  br label %mid
mid:
  br i1 %c, label %then2, label %end
then2:
  call void @op()
  br label %end
end:
  ret void
",
    );
    let threaded = Program::new(
        "
entry:
  br i1 %c, label %then1, label %then2
then1:
  br i1 %c, label %then2, label %end
then2:
  call void @op()
  br label %end
end:
  ret void
",
    );
    let meets = |program: &Program, rule, paths| {
        let run = program.run(rule, paths);
        assert_eq!(run.keys(1, "end"), run.keys(2, "end"));
        run.keys(1, "@op") == run.keys(2, "@op")
    };
    let before = ["entry then1 mid then2 end", "entry mid then2 end"];
    let after = ["entry then1 then2 end", "entry then2 end"];
    assert!(meets(&original, Rule::Maximal, &before) && meets(&threaded, Rule::Maximal, &after));
    assert!(meets(&original, Rule::ImmediatePostDominator, &before));
    assert!(!meets(&threaded, Rule::ImmediatePostDominator, &after), "there is no post-dominator before end");
}

/// "Divergent Exit from a Loop", with a token or without.
fn divergent_exit(heart: &str, bundle: &str) -> Program {
    Program::new(&format!(
        "
entry:
  {}
  br label %for
for:
  {heart}
  br i1 %c, label %B, label %E
B:
  br i1 %c, label %C, label %D
C:
  call void @op() {bundle}
  br label %E
D:
  br label %for
E:
  ret void
",
        if heart.is_empty() { "" } else { "%start = entry()" }
    ))
}

// conformance: operations/11, 11a
#[test]
fn divergent_exit_from_a_loop() {
    // Two threads leave in the first iteration, one in the second.
    let paths = ["entry for B C E", "entry for B D for B C E", "entry for B C E"];
    let controlled = divergent_exit("%inner = loop(%start);", "use(%inner);");
    assert!(controlled.is_valid);
    let run = controlled.run(CONTROLLED, &paths);
    assert_eq!(run.keys(1, "@op"), run.keys(3, "@op"));
    assert_ne!(run.keys(1, "@op"), run.keys(2, "@op"));
    assert_ne!(run.keys(1, "C"), run.keys(2, "C"), "the cycle is extended to C");
    assert_eq!(run.keys(1, "E"), run.keys(2, "E"));
    assert!(run.order().is_ok());

    let uncontrolled = divergent_exit("", "");
    let run = uncontrolled.run(Rule::Maximal, &paths);
    assert_eq!(run.keys(1, "@op"), run.keys(2, "@op"), "all meet at C");
    assert_eq!(run.keys(1, "@op"), run.keys(3, "@op"));
}

/// Two breaks out of a loop lead to the same block: each model has another answer.
#[test]
fn two_breaks_tell_three_models_apart() {
    let program = Program::new(
        "
entry:
  %start = entry()
  br label %for
for:
  %inner = loop(%start);
  br i1 %c, label %B, label %E
B:
  br i1 %c, label %C, label %D
D:
  br i1 %c, label %C, label %for
C:
  call void @op() use(%inner);
  br label %E
E:
  ret void
",
    );
    let paths = ["entry for B C E", "entry for B D C E", "entry for B D for B C E"];
    let sets = |rule| {
        let run = program.run(rule, &paths);
        assert!(run.order().is_ok());
        assert_eq!(run.keys(1, "E"), run.keys(3, "E"));
        let keys = [1, 2, 3].map(|thread| run.keys(thread, "@op")[0]);
        [keys[0] == keys[1], keys[0] == keys[2], keys[1] == keys[2]]
    };
    assert!(program.is_valid);
    assert_eq!(sets(Rule::Maximal), [true, true, true], "all that leave by a break");
    assert_eq!(sets(CONTROLLED), [true, false, false], "those of one iteration");
    assert_eq!(sets(Rule::ImmediatePostDominator), [false, false, false], "nobody before E");
}

// conformance: operations/10, 10a
#[test]
fn opportunistic_operations_stay_together_under_any_policy() {
    let program = Program::new(
        "
entry:
  %anchor = anchor()
  call void @op1() use(%anchor);
  br i1 %c, label %then, label %end
then:
  br label %end
end:
  call void @op2() use(%anchor);
  ret void
",
    );
    for (anchors, meet) in [(AnchorPolicy::Maximal, true), (AnchorPolicy::Solo, false)] {
        let run = program.run(Rule::Controlled(anchors), &["entry then end", "entry end"]);
        for name in ["%anchor", "@op1", "@op2"] {
            assert_eq!(run.keys(1, name) == run.keys(2, name), meet, "{anchors:?} {name}");
        }
        // then is in the region of the token, its end is behind it.
        assert_eq!(run.keys(1, "end") == run.keys(2, "end"), meet);
        assert!(run.order().is_ok());
    }
}
