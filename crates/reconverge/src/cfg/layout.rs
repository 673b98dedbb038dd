//! Where the blocks of a function stand in a picture: in rows from top to bottom, cycles as boxes in boxes.
//!
//! **Definition.** Each cycle, and the function, is a *container*. Its *items* are the blocks and the containers directly in it, the *ports* at which edges cross its
//! border, and the *bends* of edges that pass a row. Without the edges that lead back to its header, the edges between the items of a container have no cycle, so an
//! item's *row* is the longest path to it, and every edge leads down. The order in a row and the places across are the answer of `rust-sugiyama`; how high a row is, the
//! text in it says, so that whoever draws can fold what is in it.

use rust_sugiyama::configure::{Config, CrossingMinimization, RankingType};
use rust_sugiyama::from_vertices_and_edges;
use rustc_hash::FxHashMap;
use serde::Serialize;

/// The space between items of a row, and around what is in a box.
pub const GAP: f64 = 28.0;

/// Beyond so many items a container is laid out without the search for fewer crossings by exchange of neighbours.
const MOST_EXCHANGED: usize = 400;

/// A picture of a function.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct Layout {
    /// The function, then its cycles in their order.
    pub containers: Vec<Container>,
    /// For each edge of the function, in their order: the items that it goes by in each container on its way.
    pub routes: Vec<Vec<Leg>>,
}

/// A function or a cycle.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct Container {
    /// How wide it is, with the space at its sides.
    pub width: f64,
    /// How many rows it has.
    pub rows: usize,
    /// What is in it.
    pub items: Vec<Item>,
}

/// Something in a container.
#[derive(Debug, Clone, Copy, Serialize)]
#[non_exhaustive]
pub struct Item {
    /// Its middle, from the left side of the container.
    pub x: f64,
    /// Its row, from 0.
    pub row: usize,
    /// Of a block: how wide it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub width: Option<f64>,
    /// The block that it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub block: Option<usize>,
    /// The cycle that it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cycle: Option<usize>,
}

/// A part of an edge.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct Leg {
    /// The container.
    pub container: usize,
    /// The items, from where the edge comes to where it goes.
    pub items: Vec<usize>,
    /// Whether it leads from the bottom of the container back to its header: on a lane of its own at the right side, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lane: Option<usize>,
}

/// What is laid out.
pub(crate) struct Shape<'a> {
    /// The width of each block.
    pub(crate) widths: &'a [f64],
    /// The innermost cycle of each block.
    pub(crate) cycle_of: &'a [Option<usize>],
    /// The cycle around each cycle, which comes before it, and its header.
    pub(crate) cycles: &'a [(Option<usize>, usize)],
    /// From and to.
    pub(crate) edges: &'a [(usize, usize)],
}

/// How wide a lane is.
pub const LANE: f64 = 12.0;
/// How wide the box of a cycle is at least: there is a name on it.
const LEAST_CYCLE: f64 = 170.0;

/// From item to item: a leg of a route.
struct DraftEdge {
    from: usize,
    to: usize,
    /// The route, and the place in it.
    leg: (usize, usize),
}

/// A container while it is filled.
#[derive(Default)]
struct Draft {
    items: Vec<Item>,
    widths: Vec<f64>,
    edges: Vec<DraftEdge>,
    lanes: usize,
}

impl Draft {
    fn add(&mut self, block: Option<usize>, cycle: Option<usize>) -> usize {
        self.items.push(Item { x: 0.0, row: 0, width: None, block, cycle });
        self.widths.push(1.0);
        self.items.len() - 1
    }
}

/// Lays out a function. Blocks without a path from the entry stand beside the others.
pub(crate) fn lay_out(shape: &Shape<'_>) -> Layout {
    let container = |cycle: Option<usize>| cycle.map_or(0, |cycle| cycle + 1);
    let parent = |container: usize| shape.cycles[container - 1].0.map_or(0, |cycle| cycle + 1);
    let mut drafts: Vec<Draft> = (0..=shape.cycles.len()).map(|_| Draft::default()).collect();
    let item_of_block: Vec<usize> =
        (0..shape.widths.len()).map(|block| drafts[container(shape.cycle_of[block])].add(Some(block), None)).collect();
    let item_of_cycle: Vec<usize> =
        (0..shape.cycles.len()).map(|cycle| drafts[container(shape.cycles[cycle].0)].add(None, Some(cycle))).collect();

    let outwards = |block: usize| {
        let mut chain = vec![container(shape.cycle_of[block])];
        while let Some(&last) = chain.last().filter(|&&last| last != 0) {
            chain.push(parent(last));
        }
        chain
    };
    let mut entries: FxHashMap<(usize, usize), usize> = FxHashMap::default();
    let mut routes: Vec<Vec<Leg>> = Vec::with_capacity(shape.edges.len());
    for (route, &(from, to)) in shape.edges.iter().enumerate() {
        let (up, down) = (outwards(from), outwards(to));
        let shared = up.iter().rev().zip(down.iter().rev()).take_while(|(one, other)| one == other).count();
        let (left, entered) = (&up[..up.len() - shared], &down[..down.len() - shared]);
        let common = up[up.len() - shared];
        let mut legs: Vec<Leg> = Vec::new();
        let mut at = item_of_block[from];
        for &leaving in left {
            let port = drafts[leaving].add(None, None);
            drafts[leaving].edges.push(DraftEdge { from: at, to: port, leg: (route, legs.len()) });
            legs.push(Leg { container: leaving, items: vec![at, port], lane: None });
            at = item_of_cycle[leaving - 1];
        }
        let target = entered.last().map_or(item_of_block[to], |&outermost| item_of_cycle[outermost - 1]);
        let is_back = common != 0 && shape.cycles[common - 1].1 == to && entered.is_empty();
        let mut leg = Leg { container: common, items: vec![at, target], lane: None };
        if is_back {
            leg.lane = Some(drafts[common].lanes);
            drafts[common].lanes += 1;
        } else {
            drafts[common].edges.push(DraftEdge { from: at, to: target, leg: (route, legs.len()) });
        }
        legs.push(leg);
        for (place, &entering) in entered.iter().enumerate().rev() {
            let target = if place == 0 { item_of_block[to] } else { item_of_cycle[entered[place - 1] - 1] };
            let draft = &mut drafts[entering];
            let port = *entries.entry((entering, to)).or_insert_with(|| draft.add(None, None));
            draft.edges.push(DraftEdge { from: port, to: target, leg: (route, legs.len()) });
            legs.push(Leg { container: entering, items: vec![port, target], lane: None });
        }
        routes.push(legs);
    }

    // Inner containers first: how wide they are is asked by those around them.
    let mut widths = vec![0.0; drafts.len()];
    let mut containers: Vec<Container> = Vec::with_capacity(drafts.len());
    for (number, mut draft) in drafts.into_iter().enumerate().rev() {
        for (item, width) in draft.items.iter_mut().zip(&mut draft.widths) {
            item.width = item.block.map(|block| shape.widths[block]);
            *width = match (item.block, item.cycle) {
                (Some(block), _) => shape.widths[block],
                (_, Some(cycle)) => widths[cycle + 1],
                _ => *width,
            };
        }
        let done = place(draft, number != 0, &mut routes);
        widths[number] = done.width;
        containers.push(done);
    }
    containers.reverse();
    Layout { containers, routes }
}

/// Places the items of a container, and gives edges that pass rows their bends.
fn place(mut draft: Draft, is_cycle: bool, routes: &mut [Vec<Leg>]) -> Container {
    set_rows(&mut draft);
    let mut bent: Vec<(usize, usize)> = Vec::new();
    for DraftEdge { from, to, leg: (route, place) } in std::mem::take(&mut draft.edges) {
        // Cycles that no path leads to are not among the cycles of the function.
        if draft.items[from].row >= draft.items[to].row {
            continue;
        }
        let mut items = vec![from];
        for row in draft.items[from].row + 1..draft.items[to].row {
            let bend = draft.add(None, None);
            draft.items[bend].row = row;
            items.push(bend);
        }
        items.push(to);
        bent.extend(items.windows(2).map(|pair| (pair[0], pair[1])));
        routes[route][place].items = items;
    }
    bent.sort_unstable();
    bent.dedup();
    let rows = draft.items.iter().map(|item| item.row + 1).max().unwrap_or(0);
    let mut width = across(&mut draft, &bent);
    width += GAP + LANE * draft.lanes as f64;
    if is_cycle && width < LEAST_CYCLE {
        let more = (LEAST_CYCLE - width) / 2.0;
        draft.items.iter_mut().for_each(|item| item.x += more);
        width = LEAST_CYCLE;
    }
    let round = |item: Item| Item { x: (item.x * 10.0).round() / 10.0, ..item };
    Container { width: width.ceil(), rows, items: draft.items.into_iter().map(round).collect() }
}

/// The longest path to each item; ports that lead out stand in the last row.
fn set_rows(draft: &mut Draft) {
    let count = draft.items.len();
    let mut after: Vec<Vec<usize>> = vec![Vec::new(); count];
    let mut open = vec![0_usize; count];
    for &DraftEdge { from, to, .. } in &draft.edges {
        after[from].push(to);
        open[to] += 1;
    }
    let mut ready: Vec<usize> = (0..count).filter(|&item| open[item] == 0).collect();
    while let Some(item) = ready.pop() {
        for &next in &after[item] {
            draft.items[next].row = draft.items[next].row.max(draft.items[item].row + 1);
            open[next] -= 1;
            if open[next] == 0 {
                ready.push(next);
            }
        }
    }
    let last = draft.items.iter().map(|item| item.row).max().unwrap_or(0);
    for (item, after) in draft.items.iter_mut().zip(&after) {
        let is_port = item.block.is_none() && item.cycle.is_none();
        if is_port && after.is_empty() {
            item.row = last;
        }
    }
}

/// Sets the places across, and answers how wide all is, with a gap at the left.
fn across(draft: &mut Draft, edges: &[(usize, usize)]) -> f64 {
    let vertices: Vec<(u32, (f64, f64))> =
        draft.widths.iter().zip(0..).map(|(&width, number)| (number, (width, 1.0))).collect();
    let edges: Vec<(u32, u32)> = edges.iter().map(|&(from, to)| (from as u32, to as u32)).collect();
    let config = Config {
        minimum_length: 1,
        vertex_spacing: GAP,
        dummy_vertices: true,
        ranking_type: RankingType::Up,
        c_minimization: CrossingMinimization::Barycenter,
        transpose: draft.items.len() <= MOST_EXCHANGED,
        ..Config::default()
    };
    // What hangs together is one layout; they stand side by side, in the order of the text.
    let mut parts: Vec<Vec<(usize, f64)>> = Vec::new();
    for (places, _, _) in from_vertices_and_edges(&vertices, &edges, &config) {
        parts.push(places.into_iter().map(|(item, (x, _))| (item, x)).collect());
    }
    parts.sort_by_key(|part| part.iter().map(|&(item, _)| item).min());
    let mut left = GAP;
    for part in parts {
        // The first successor is to stand on the left, and the library begins with it on the right.
        let right_end = |&(item, x): &(usize, f64)| -x + draft.widths[item] / 2.0;
        let left_end = |&(item, x): &(usize, f64)| -x - draft.widths[item] / 2.0;
        let first = part.iter().map(left_end).fold(f64::INFINITY, f64::min);
        let last = part.iter().map(right_end).fold(f64::NEG_INFINITY, f64::max);
        for (item, x) in part {
            draft.items[item].x = left - x - first;
        }
        left += last - first + GAP;
    }
    left - GAP
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Blocks of no cycle, or of the cycle that is named.
    fn layout(cycle_of: &[Option<usize>], cycles: &[(Option<usize>, usize)], edges: &[(usize, usize)]) -> Layout {
        let widths = vec![100.0; cycle_of.len()];
        let layout = lay_out(&Shape { widths: &widths, cycle_of, cycles, edges });
        for (container, number) in layout.containers.iter().zip(0_usize..) {
            for item in &container.items {
                assert!(item.x >= 0.0 && item.x <= container.width, "{number}: {item:?} in {}", container.width);
            }
            // Nothing stands on anything else.
            let mut shown: Vec<&Item> = container.items.iter().filter(|item| item.block.is_some()).collect();
            shown.sort_by(|one, other| (one.row, one.x).partial_cmp(&(other.row, other.x)).expect("numbers"));
            for pair in shown.windows(2).filter(|pair| pair[0].row == pair[1].row) {
                assert!(pair[1].x - pair[0].x >= 100.0, "{pair:?}");
            }
        }
        for leg in layout.routes.iter().flatten().filter(|leg| leg.lane.is_none()) {
            let rows: Vec<usize> =
                leg.items.iter().map(|&item| layout.containers[leg.container].items[item].row).collect();
            assert!(rows.windows(2).all(|pair| pair[0] + 1 == pair[1]), "{leg:?}: {rows:?}");
        }
        layout
    }

    #[test]
    fn a_branch_has_its_first_successor_on_the_left() {
        let layout = layout(&[None; 4], &[], &[(0, 1), (0, 2), (1, 3), (2, 3)]);
        let [entry, left, right, join] = layout.containers[0].items[..] else { panic!("four items") };
        assert_eq!([entry.row, left.row, right.row, join.row], [0, 1, 1, 2]);
        assert!(left.x < entry.x && entry.x < right.x && entry.x == join.x);
    }

    #[test]
    fn cycles_are_boxes_in_boxes_and_lead_back_on_lanes() {
        // entry → outer { header → inner { self } → latch } → exit
        let cycle_of = [None, Some(0), Some(1), Some(0), None];
        let edges = [(0, 1), (1, 2), (2, 2), (2, 3), (3, 1), (3, 4)];
        let layout = layout(&cycle_of, &[(None, 1), (Some(0), 2)], &edges);
        assert_eq!(layout.containers.len(), 3);
        assert_eq!(layout.routes.iter().map(Vec::len).collect::<Vec<_>>(), [2, 2, 1, 2, 1, 2]);
        let lanes: Vec<Option<usize>> = layout.routes.iter().flatten().map(|leg| leg.lane).collect();
        assert_eq!(lanes.iter().flatten().count(), 2);
        assert!(layout.containers[1].width > layout.containers[2].width);
    }

    #[test]
    fn what_no_path_leads_to_stands_beside_the_rest() {
        let layout = layout(&[None, None, None], &[], &[(0, 1), (2, 1)]);
        assert_eq!(layout.containers[0].items.iter().map(|item| item.row).collect::<Vec<_>>(), [0, 1, 0]);
        let alone = self::layout(&[None, None], &[], &[]);
        assert!(alone.containers[0].items[0].x < alone.containers[0].items[1].x);
    }

    #[test]
    fn irreducible_cycles_have_a_port_for_each_entry() {
        // entry → a, b; a ⇄ b: the header is a.
        let layout = layout(&[None, Some(0), Some(0)], &[(None, 1)], &[(0, 1), (0, 2), (1, 2), (2, 1)]);
        let ports = layout.containers[1].items.iter().filter(|item| item.block.is_none() && item.row == 0);
        assert_eq!(ports.count(), 2);
    }

    #[test]
    fn five_thousand_blocks() {
        let count = 1250;
        let edges: Vec<(usize, usize)> = (0..count)
            .flat_map(|n| {
                [
                    (4 * n, 4 * n + 1),
                    (4 * n, 4 * n + 2),
                    (4 * n + 1, 4 * n + 3),
                    (4 * n + 2, 4 * n + 3),
                    (4 * n + 3, 4 * n + 4),
                ]
            })
            .collect();
        let layout = layout(&vec![None; 4 * count + 1], &[], &edges);
        assert_eq!(layout.containers[0].rows, 3 * count + 1);
    }
}
