//! Random bodies and walks.

use reconverge_outline::dynamics::flow::Flow;
use reconverge_outline::{Node, Outline, random, sketch};
use reconverge_testing::random::SplitMix64;

/// A body with some walks through it.
pub(crate) struct Case {
    pub(crate) text: String,
    pub(crate) outline: Outline,
    pub(crate) flow: Flow,
    pub(crate) walks: Vec<Vec<Node>>,
}

impl Case {
    /// The case of a seed, with that many threads. Walks have at most 60 steps.
    pub(crate) fn new(seed: u64, threads: usize) -> Case {
        let mut draw = SplitMix64::new(seed);
        let size = 2 + draw.below(18);
        let shape =
            [random::Shape::Structured, random::Shape::Forward, random::Shape::Any, random::Shape::Any][draw.below(4)];
        let text = random::sketch(size, shape, &mut |bound| draw.below(bound));
        let outline = sketch::parse(&text).unwrap_or_else(|error| panic!("seed {seed}: {error}: {text}"));
        let flow = Flow::new(&outline);
        let walks = (0..threads).map(|_| walk(&mut draw, &flow, 60)).collect();
        Case { text, outline, flow, walks }
    }

    /// For messages.
    pub(crate) fn describe(&self, seed: u64) -> String {
        let walks: Vec<String> = self.walks.iter().map(|walk| format!("{walk:?}")).collect();
        let nodes: Vec<String> =
            self.outline.nodes.keys().map(|node| format!("{node} {:?}", self.outline.kind(node))).collect();
        format!("seed {seed}: {}\n{}\n{}", self.text, nodes.join("\n"), walks.join("\n"))
    }
}

/// A walk of at most `longest` steps.
pub(crate) fn walk(random: &mut SplitMix64, flow: &Flow, longest: usize) -> Vec<Node> {
    let bias = [30, 50, 70, 85][random.below(4)];
    flow.walk(longest, |ways| if random.percent(bias) { 0 } else { random.below(ways) })
}
