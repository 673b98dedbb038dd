//! Walks from names, and what is said of lists that are none.

use reconverge_outline::convergence::analyze;
use reconverge_outline::dynamics::flow::Flow;
use reconverge_outline::dynamics::{Execution, Extent, Model, Names, check_walk, groups};
use reconverge_outline::{Outline, sketch};
use reconverge_testing::rounds::{is_part, seeds};

use crate::dynamics::random::Case;

/// Line and column of a location in a sketch.
fn position(text: &str, location: u32) -> (u32, u32) {
    let before = &text[..location as usize - 1];
    let line = before.matches('\n').count() as u32 + 1;
    (line, (before.len() - before.rfind('\n').map_or(0, |at| at + 1)) as u32 + 1)
}

fn names<'a>(outline: &'a Outline, text: &'a str) -> Names<'a> {
    let analysis = analyze(outline, Model::ALL[0].source());
    Names::new(outline, &analysis, |location| Some(position(text, location.0)))
}

fn walk(text: &str, list: &str) -> String {
    let outline = sketch::parse(text).expect("a body");
    let list: Vec<&str> = if list.is_empty() { Vec::new() } else { list.split(',').collect() };
    match names(&outline, text).walk(&list) {
        Ok(walk) => walk.iter().map(|node| node.to_string()).collect::<Vec<_>>().join(" "),
        Err(error) => error.to_string(),
    }
}

#[test]
fn evaluations_are_named_by_calls_or_lines() {
    let text = "A;\nB; B;\nif (_c)\n  C; else C;\nD;";
    let outline = sketch::parse(text).expect("a body");
    let names = names(&outline, text);
    let all: Vec<&str> = names.all().map(|(_, name)| name).collect();
    assert_eq!(all, ["A", "L2:1", "L2:4", "L4:3", "L4:11", "D"]);
    // A name that several evaluations have stands for the one that can follow.
    let list: Vec<&str> = "A,B,B,C,D".split(',').collect();
    let error = names.walk(&list).expect_err("two of C can follow");
    assert_eq!(error.to_string(), "there are several ways from B to C: by L4:3 or L4:11; name one");
    let walk = names.walk(&["A", "B", "B", "L3", "L4:11", "D"]).expect("a walk");
    assert_eq!(check_walk(&Flow::new(&outline), &walk, Extent::Whole), Ok(()));
}

#[test]
fn what_cannot_follow_is_said_with_what_can() {
    let text = "A;\nwhile (_w)\n{ B; if (_c) break; C; }\nD;";
    assert_eq!(walk(text, "A,B,C,B,D"), "n0 n1 n2 n3 n4 n5 n6 n7 n8 n9 n11 n12 n4 n5 n6 n7 n8 n9 n10 n13 n14");
    assert_eq!(walk(text, "A,C"), "C cannot follow A; what can is B, D");
    assert_eq!(walk(text, "B"), "B cannot follow the start; what can is A");
    assert_eq!(walk(text, "A,D,D"), "D cannot follow D; what can is the end of the function");
    assert_eq!(walk(text, "A,x"), "x: nothing in the body is named so; evaluations are A, B, C, D");
    assert_eq!(walk(text, ""), "n0");
}

#[test]
fn ways_that_matter_have_to_be_said() {
    let text = "A;\nwhile (_w) {\n  if (_c) B;\n  if (_d) C;\n}\nD;";
    // Iterations of the loop that C is in, but not of one that is over.
    assert_eq!(walk(text, "A,C"), "there are several ways from A to C: by L2:8 or C; name one");
    assert!(walk(text, "A,L2,L2,C,L2,D").starts_with("n0 "));
    assert_eq!(walk(text, "A,L2,L2,C,D"), "D cannot follow C; what can is L2:8");
    assert!(walk(text, "A,D").starts_with("n0 "));
    // Whether a `goto` is taken matters to tangles.
    let text = "A;\nif (_c)\n  goto x;\n_b;\nx: C;";
    assert_eq!(walk(text, "A,C"), "there are several ways from A to C: by L3 or C; name one");
    assert!(walk(text, "A,L3,C").starts_with("n0 "));
    assert!(walk(text, "A,L4,C").starts_with("n0 "));
    // Branches do not.
    assert!(walk("A; if (_c) _d; else _e; C;", "A,C").starts_with("n0 "));
}

/// The names of a walk lead to a walk with these names and the same keys, or are said to be ambiguous.
#[test]
fn names_of_walks_lead_back() {
    let mut found = 0;
    for seed in seeds(1500) {
        let mut case = Case::new(seed, 1);
        let outline = case.outline.clone();
        let names = names(&outline, &case.text);
        let original = case.walks.remove(0);
        let Some(last) = original.iter().rposition(|&node| names.name(node).is_some()) else { continue };
        let original = &original[..=last];
        let named = |walk: &[_]| walk.iter().filter(|&&node| names.name(node).is_some()).copied().collect::<Vec<_>>();
        let list: Vec<&str> = original.iter().filter_map(|&node| names.name(node)).collect();
        let Ok(walk) = names.walk(&list) else { continue };
        found += 1;
        check_walk(&case.flow, &walk, Extent::Begin).unwrap_or_else(|error| panic!("{error}\n{}", case.describe(seed)));
        assert_eq!(named(&walk), named(original), "{}", case.describe(seed));
        for model in [Model::ALL[1], Model::ALL[3], Model::ALL[4], Model::ALL[7]] {
            let analysis = analyze(&outline, model.source());
            let both = [&walk[..], original].map(|steps| Execution { activation: 0, steps });
            let both_groups = groups(&outline, &analysis, model, &both).expect("walks");
            let keys: Vec<Vec<_>> = both
                .iter()
                .zip(&both_groups)
                .map(|(execution, groups)| {
                    let all = execution.steps.iter().zip(groups);
                    all.filter(|(node, _)| names.name(**node).is_some()).map(|(_, group)| group.key).collect()
                })
                .collect();
            assert_eq!(keys[0], keys[1], "{model:?} {walk:?}\n{original:?}\n{}", case.describe(seed));
        }
    }
    assert!(is_part() || found > 500, "{found}");
}

#[test]
fn what_is_wrong_with_a_walk_is_said_where() {
    let outline = sketch::parse("if (_c) A; B;").expect("a body");
    let flow = Flow::new(&outline);
    let node = reconverge_outline::Node::from_u32;
    let error = |walk: &[u32], extent| {
        let walk: Vec<_> = walk.iter().map(|&index| node(index)).collect();
        check_walk(&flow, &walk, extent).err().map(|error| error.to_string())
    };
    assert_eq!(error(&[0, 1, 2, 3, 4, 5, 6], Extent::Whole), None);
    assert_eq!(error(&[0, 1, 2], Extent::Begin), None);
    assert_eq!(error(&[], Extent::Begin).as_deref(), Some("the walk is empty"));
    assert_eq!(error(&[1], Extent::Begin).as_deref(), Some("begins at n1, not at the start of the body"));
    assert_eq!(error(&[0, 9], Extent::Begin).as_deref(), Some("step 2: n9 is not in the body"));
    assert_eq!(
        error(&[0, 1, 2, 4], Extent::Begin).as_deref(),
        Some("step 4: n4 does not follow n2: what can follow is n3, n5")
    );
    assert_eq!(
        error(&[0, 1, 2, 5, 6, 0], Extent::Begin).as_deref(),
        Some("step 6: n0 does not follow n6: what can follow is nothing, or the end of the function")
    );
    assert_eq!(error(&[0, 1, 2], Extent::Whole).as_deref(), Some("stops after n2: what can follow is n3, n5"));
    let analysis = analyze(&outline, Model::ALL[0].source());
    let broken = [Execution { activation: 0, steps: &[] }, Execution { activation: 0, steps: &[node(3)] }];
    let error = groups(&outline, &analysis, Model::ALL[0], &broken).expect_err("no walk");
    assert_eq!(error.to_string(), "execution 2: begins at n3, not at the start of the body");
}
