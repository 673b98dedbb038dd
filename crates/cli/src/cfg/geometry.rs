//! Where everything of a picture is, in its units: the rows of a layout, stacked as high as what stands in them.
//!
//! `graph.mjs` of the page stacks the same rows, with what is folded taken out.

use reconverge::FunctionGraph;
use reconverge::cfg::layout::{GAP, LANE, Layout, Leg};

pub(super) const TITLE: f64 = 26.0;
pub(super) const LINE: f64 = 18.0;
const BLOCK_END: f64 = 7.0;
/// Between rows.
const ROW: f64 = 42.0;
/// Above the rows of a cycle, where its name is.
pub(super) const HEAD: f64 = 8.0;
const CYCLE_END: f64 = 16.0;

/// A rectangle.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Area {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

/// Where everything is.
pub(super) struct Geometry {
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) blocks: Vec<Area>,
    pub(super) cycles: Vec<Area>,
    /// Of each edge: the data of an SVG path.
    pub(super) edges: Vec<String>,
    /// Of each edge: where it begins.
    pub(super) starts: Vec<(f64, f64)>,
}

/// The heights of a container's rows.
struct Rows {
    /// Top and bottom, from the top of the container.
    spans: Vec<(f64, f64)>,
    height: f64,
}

/// Stacks the rows of a layout.
pub(super) fn of(function: &FunctionGraph, layout: &Layout, is_source: bool) -> Geometry {
    let block_height = |block: usize| {
        let lines = function.blocks[block].lines(is_source).len();
        TITLE + LINE * lines as f64 + if lines == 0 { 0.0 } else { BLOCK_END }
    };
    let mut rows: Vec<Rows> = layout.containers.iter().map(|_| Rows { spans: Vec::new(), height: 0.0 }).collect();
    for (number, container) in layout.containers.iter().enumerate().rev() {
        let mut heights = vec![0.0_f64; container.rows];
        for item in &container.items {
            let height = match (item.block, item.cycle) {
                (Some(block), _) => block_height(block),
                (_, Some(cycle)) => rows[cycle + 1].height,
                _ => 0.0,
            };
            heights[item.row] = heights[item.row].max(height);
        }
        let (start, end) = if number == 0 { (GAP, GAP) } else { (HEAD, CYCLE_END) };
        let mut top = start;
        let spans: Vec<(f64, f64)> = heights
            .into_iter()
            .map(|height| {
                let span = (top, top + height);
                top += height + ROW;
                span
            })
            .collect();
        let bottom = spans.last().map_or(start, |span| span.1);
        rows[number] = Rows { spans, height: bottom + end };
    }
    let mut origins = vec![(0.0, 0.0); layout.containers.len()];
    let mut blocks = vec![Area::default(); function.blocks.len()];
    let mut cycles = vec![Area::default(); function.cycles.len()];
    for (number, container) in layout.containers.iter().enumerate() {
        let (left, top) = origins[number];
        for item in &container.items {
            let y = top + rows[number].spans[item.row].0;
            if let Some(block) = item.block {
                let width = item.width.unwrap_or_default();
                blocks[block] = Area { x: left + item.x - width / 2.0, y, width, height: block_height(block) };
            }
            if let Some(cycle) = item.cycle {
                let width = layout.containers[cycle + 1].width;
                let area = Area { x: left + item.x - width / 2.0, y, width, height: rows[cycle + 1].height };
                origins[cycle + 1] = (area.x, area.y);
                cycles[cycle] = area;
            }
        }
    }
    let router = Router { layout, rows: &rows, origins: &origins, blocks: &blocks };
    let offsets = start_offsets(function, layout, &origins, &blocks);
    let routed: Vec<(String, (f64, f64))> =
        layout.routes.iter().zip(offsets).map(|(route, offset)| router.path(route, offset)).collect();
    let (edges, starts) = routed.into_iter().unzip();
    Geometry { width: layout.containers[0].width + GAP, height: rows[0].height, blocks, cycles, edges, starts }
}

/// How far from the middle of its block each edge begins, so that those of a branch can be told apart.
fn start_offsets(function: &FunctionGraph, layout: &Layout, origins: &[(f64, f64)], blocks: &[Area]) -> Vec<f64> {
    let mut offsets = vec![0.0; layout.routes.len()];
    let x_of = |container: usize, item: usize| origins[container].0 + layout.containers[container].items[item].x;
    let first = |edge: usize| match &layout.routes[edge][..] {
        [leg, ..] if leg.lane.is_some() => f64::INFINITY,
        // Into a cycle: the port of the edge.
        [leg, next, ..] if layout.containers[leg.container].items[leg.items[1]].cycle.is_some() => {
            x_of(next.container, next.items[0])
        }
        [leg, ..] => x_of(leg.container, leg.items[1]),
        [] => 0.0,
    };
    let mut leaving: Vec<Vec<usize>> = vec![Vec::new(); blocks.len()];
    function.edges.iter().enumerate().for_each(|(number, edge)| leaving[edge.from].push(number));
    for (mut edges, area) in leaving.into_iter().zip(blocks) {
        let step = (area.width / (edges.len() + 1) as f64).min(64.0);
        edges.sort_by(|&one, &other| first(one).total_cmp(&first(other)));
        let middle = edges.len().saturating_sub(1) as f64 / 2.0;
        edges.iter().enumerate().for_each(|(place, &edge)| offsets[edge] = (place as f64 - middle) * step);
    }
    offsets
}

struct Router<'a> {
    layout: &'a Layout,
    rows: &'a [Rows],
    origins: &'a [(f64, f64)],
    blocks: &'a [Area],
}

impl Router<'_> {
    fn x_of(&self, container: usize, item: usize) -> f64 {
        self.origins[container].0 + self.layout.containers[container].items[item].x
    }

    fn row_of(&self, container: usize, item: usize) -> (f64, f64) {
        let (top, bottom) = self.rows[container].spans[self.layout.containers[container].items[item].row];
        (self.origins[container].1 + top, self.origins[container].1 + bottom)
    }

    /// The data of a path, and where it begins.
    fn path(&self, route: &[Leg], offset: f64) -> (String, (f64, f64)) {
        let first = &route[0];
        let block = self.layout.containers[first.container].items[first.items[0]].block.unwrap_or(0);
        let area = self.blocks[block];
        let start = (self.x_of(first.container, first.items[0]) + offset, area.y + area.height);
        let mut path = Path::new(start);
        for (place, leg) in route.iter().enumerate() {
            let container = leg.container;
            let bottom = self.row_of(container, leg.items[0]).1;
            path.down(bottom);
            if let Some(lane) = leg.lane {
                let width = self.layout.containers[container].width;
                let x = self.origins[container].0 + width - GAP / 2.0 - LANE * lane as f64;
                let header = leg.items[leg.items.len() - 1];
                path.around(bottom + 9.0, x, self.row_of(container, header).0, self.x_of(container, header));
                continue;
            }
            for &item in &leg.items[1..] {
                let data = &self.layout.containers[container].items[item];
                let (top, row_bottom) = self.row_of(container, item);
                // Into a cycle: at the port that is the next leg's first.
                let x = match (data.cycle, route.get(place + 1)) {
                    (Some(_), Some(next)) => self.x_of(next.container, next.items[0]),
                    _ => self.x_of(container, item),
                };
                path.curve(x, top);
                if data.block.is_none() && data.cycle.is_none() {
                    path.down(row_bottom);
                }
            }
            // Out of the container, through its end: those inside have greater numbers.
            if route.get(place + 1).is_some_and(|next| next.container < container) {
                path.down(self.origins[container].1 + self.rows[container].height);
            }
        }
        (path.data, start)
    }
}

/// A line that leads down, and at last back up.
struct Path {
    data: String,
    x: f64,
    y: f64,
}

impl Path {
    fn new((x, y): (f64, f64)) -> Path {
        Path { data: format!("M{x:.1} {y:.1}"), x, y }
    }

    fn down(&mut self, y: f64) {
        if y > self.y {
            self.data.push_str(&format!("V{y:.1}"));
            self.y = y;
        }
    }

    fn curve(&mut self, x: f64, y: f64) {
        let bend = (y - self.y) * 0.7;
        self.data.push_str(&format!("C{:.1} {:.1} {x:.1} {:.1} {x:.1} {y:.1}", self.x, self.y + bend, y - bend));
        (self.x, self.y) = (x, y);
    }

    /// Under a row, up on a lane, and into a header from above.
    fn around(&mut self, under: f64, lane: f64, top: f64, header: f64) {
        const R: f64 = 7.0;
        let over = top - 12.0;
        self.data.push_str(&format!(
            "V{:.1}Q{x:.1} {under:.1} {:.1} {under:.1}H{:.1}Q{lane:.1} {under:.1} {lane:.1} {:.1}V{:.1}Q{lane:.1} {over:.1} {:.1} {over:.1}H{:.1}Q{header:.1} {over:.1} {header:.1} {:.1}V{top:.1}",
            under - R,
            self.x + R,
            lane - R,
            under - R,
            over + R,
            lane - R,
            header + R,
            over + R,
            x = self.x,
        ));
    }
}
