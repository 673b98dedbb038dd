//! Cycles and how they nest.
//!
//! **Definition** (Havlak; LLVM's *cycle terminology*; section 2 of the design). In the part of a digraph that the
//! entry reaches, a *top-level cycle* is a maximal strongly connected set of nodes with at least one internal
//! edge. An *entry* of a cycle is a node of it that the graph's entry reaches without passing another node of
//! it. With respect to one depth-first search, the *header* is the entry that the search reaches first. The
//! children of a cycle `C` with header `H` are the cycles of the subgraph induced on `C − H`. A cycle is
//! *reducible* when it has one entry. When all are, every search gives the same forest; otherwise see
//! [`hierarchies`](crate::hierarchies()).
//!
//! **Invariants.** A cycle has a smaller index than its descendants, which are contiguous; siblings are in the
//! order in which the search reaches their headers. All nodes of a cycle are contiguous in one array, header
//! first, then the nodes that are in no child, then the children's.
//!
//! **Algorithm.** Havlak, *Nesting of reducible and irreducible loops* (1997), in the almost linear form of
//! Ramalingam, *Identifying loops in almost linear time* (1999). Candidates `h` are taken in reverse preorder. The
//! cycle with header `h` is the set of nodes of the search's subtree at `h` from which the sources of the back edges
//! into `h` are reached inside the subtree; it is collapsed into `h` by union-find, so that an outer cycle sees
//! it as one node. What keeps Havlak's search from being linear is that edges into the middle of a cycle are met again
//! at every level; so an edge is given to the search only once both its ends lie in the subtree, at their
//! lowest common ancestor, and is then walked exactly once. The lowest common ancestors come from one sweep
//! with another union-find.
//!
//! That one time an edge `p → x` is walked, at `h`, is also when it is known of which cycles `x` is an entry
//! because of it: those that contain `x` and lie strictly inside the cycle of `h`. They are a chain that starts at the
//! innermost cycle of `x`, so one number per node, the outermost cycle of which it is an entry, holds all of them.
//!
//! **Cost.** O((nodes + edges) · log nodes) in the worst case and almost linear in practice, plus the total
//! length of the lists of entries, which is the size of what is returned. That last part is the number of cycles
//! when all are reducible. Nothing recurses.

use std::ops::Range;

use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap, entity_impl};
use smallvec::SmallVec;

use crate::{DepthFirst, Digraph, Node, SuccessorOrder};

/// A cycle of a [`CycleForest`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cycle(u32);
entity_impl!(Cycle, "c");

/// One cycle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CycleData {
    /// The entry that the search reaches first.
    pub header: Node,
    /// All entries: the header first, the others in index order.
    pub entries: SmallVec<[Node; 2]>,
    /// The smallest cycle that properly contains this one.
    pub parent: Option<Cycle>,
    /// The number of cycles that contain this one, itself included: 1 at top level.
    pub depth: u32,
    /// Its nodes, as a range of positions in the forest's array of nodes.
    positions: Range<u32>,
    /// The index after its last descendant.
    descendants_end: u32,
}

impl CycleData {
    /// The number of nodes in the cycle, those of its descendants included.
    pub fn node_count(&self) -> usize {
        self.positions.len()
    }
}

/// All cycles with respect to one depth-first search, and how they nest.
///
/// ```
/// use cranelift_entity::EntityRef;
/// use reconverge_graph::{CycleForest, Digraph, Node, SuccessorOrder};
///
/// let node = Node::new;
/// // for (…) { while (…) {} }: n1 is the header of the outer cycle, n2 of the inner one.
/// let edges = [(0, 1), (1, 2), (2, 2), (2, 1), (1, 3)].map(|(from, to)| (node(from), node(to)));
/// let graph = Digraph::from_edges(4, node(0), &edges);
/// let forest = CycleForest::compute(&graph, SuccessorOrder::Forward);
/// let outer = forest.top_level().next().expect("there is a cycle");
/// let inner = forest.innermost(node(2)).expect("n2 is in a cycle");
/// assert_eq!(forest.nodes(outer), [node(1), node(2)]);
/// assert_eq!(forest.cycles[inner].parent, Some(outer));
/// assert!(forest.is_reducible(outer) && !forest.contains(outer, node(3)));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct CycleForest {
    /// The cycles, each before its descendants.
    pub cycles: PrimaryMap<Cycle, CycleData>,
    /// The nodes that are in a cycle; those of one cycle are contiguous.
    nodes: Vec<Node>,
    places: SecondaryMap<Node, Place>,
}

/// Where a node stands in the forest.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Place {
    innermost: PackedOption<Cycle>,
    /// The position in `CycleForest::nodes`.
    position: u32,
    /// The node is an entry of the cycles that contain it down from this depth.
    entry_depth: u32,
}

impl Default for Place {
    fn default() -> Place {
        Place { innermost: None.into(), position: NONE, entry_depth: NONE }
    }
}

impl CycleForest {
    /// The cycles of `graph` with respect to the search that visits successors in `order`. See the head of
    /// this module's source for the cost: almost linear.
    pub fn compute(graph: &Digraph, order: SuccessorOrder) -> CycleForest {
        CycleForest::from_depth_first(graph, &DepthFirst::compute(graph, order))
    }

    /// The cycles of `graph` with respect to a search that the caller already has.
    pub fn from_depth_first(graph: &Digraph, search: &DepthFirst) -> CycleForest {
        if !has_back_edge(graph, search) {
            return CycleForest { cycles: PrimaryMap::new(), nodes: Vec::new(), places: SecondaryMap::new() };
        }
        assemble(search, &Nesting::compute(graph, search))
    }

    /// The smallest cycle that contains `node`.
    pub fn innermost(&self, node: Node) -> Option<Cycle> {
        self.places[node].innermost.expand()
    }

    /// Whether `node` is in `cycle` or one of its descendants; O(1).
    pub fn contains(&self, cycle: Cycle, node: Node) -> bool {
        self.cycles[cycle].positions.contains(&self.places[node].position)
    }

    /// Whether `inner` is `outer` or one of its descendants; O(1).
    pub fn contains_cycle(&self, outer: Cycle, inner: Cycle) -> bool {
        outer <= inner && inner.as_u32() < self.cycles[outer].descendants_end
    }

    /// All nodes of `cycle`: its header, then its nodes that are in no child, then those of its children.
    pub fn nodes(&self, cycle: Cycle) -> &[Node] {
        let Range { start, end } = self.cycles[cycle].positions;
        &self.nodes[start as usize..end as usize]
    }

    /// The cycles whose parent is `cycle`.
    pub fn children(&self, cycle: Cycle) -> impl Iterator<Item = Cycle> {
        self.siblings(cycle.as_u32() + 1, self.cycles[cycle].descendants_end)
    }

    /// The cycles that are in no other.
    pub fn top_level(&self) -> impl Iterator<Item = Cycle> {
        self.siblings(0, self.cycles.len() as u32)
    }

    /// `cycle`, its parent, and so on outwards.
    pub fn ancestors(&self, cycle: Cycle) -> impl Iterator<Item = Cycle> {
        std::iter::successors(Some(cycle), |&cycle| self.cycles[cycle].parent)
    }

    /// The cycles that contain `node`, innermost first.
    pub fn containing(&self, node: Node) -> impl Iterator<Item = Cycle> {
        std::iter::successors(self.innermost(node), |&cycle| self.cycles[cycle].parent)
    }

    /// The number of cycles that contain `node`.
    pub fn depth(&self, node: Node) -> u32 {
        self.innermost(node).map_or(0, |cycle| self.cycles[cycle].depth)
    }

    /// Whether `cycle` has a single entry, its header.
    pub fn is_reducible(&self, cycle: Cycle) -> bool {
        self.cycles[cycle].entries.len() == 1
    }

    /// Whether `node` is an entry of `cycle`; O(1).
    pub fn is_entry(&self, cycle: Cycle, node: Node) -> bool {
        self.contains(cycle, node) && self.places[node].entry_depth <= self.cycles[cycle].depth
    }

    /// Whether `node` is the header of a cycle: then of its innermost one. O(1).
    pub fn is_header(&self, node: Node) -> bool {
        self.innermost(node).is_some_and(|cycle| self.cycles[cycle].header == node)
    }

    fn siblings(&self, first: u32, end: u32) -> impl Iterator<Item = Cycle> {
        let following = move |cycle: Cycle| (cycle.as_u32() < end).then_some(cycle);
        std::iter::successors(following(Cycle::from_u32(first)), move |&cycle| {
            following(Cycle::from_u32(self.cycles[cycle].descendants_end))
        })
    }
}

const NONE: u32 = u32::MAX;

fn has_back_edge(graph: &Digraph, search: &DepthFirst) -> bool {
    search
        .preorder
        .iter()
        .any(|&node| graph.successors(node).iter().any(|&successor| search.is_ancestor(successor, node)))
}

/// An edge between preorder numbers, in a linked list.
#[derive(Clone, Copy)]
struct Edge {
    source: u32,
    target: u32,
    next: u32,
}

/// The cycles, before they are numbered and laid out. Nodes are preorder numbers, a cycle is its header.
struct Nesting {
    is_header: Vec<bool>,
    /// The innermost cycle that contains the number and has another header, or `NONE`.
    outer: Vec<u32>,
    /// The outermost cycle of which the number is an entry without being its header, or `NONE`. It is then an
    /// entry of all cycles from there inwards.
    entered: Vec<u32>,
}

impl Nesting {
    fn compute(graph: &Digraph, search: &DepthFirst) -> Nesting {
        let reached = search.preorder.len();
        let mut edges = Vec::new();
        // For each number, the list of the cross edges whose lowest common ancestor it is.
        let crossing = cross_edges_by_ancestor(graph, search, &mut edges);
        // For each number that is not collapsed into another, the list of the edges into what is collapsed in it.
        let mut entering = vec![NONE; reached];
        let mut collapsed: Vec<u32> = (0..reached as u32).collect();
        let mut nesting =
            Nesting { is_header: vec![false; reached], outer: vec![NONE; reached], entered: vec![NONE; reached] };
        let mut worklist = Vec::new();

        for header in (0..reached as u32).rev() {
            let node = search.preorder[header as usize];

            // The edges that now have both ends in the subtree, except those back to the header.
            for &successor in graph.successors(node) {
                let target = search.raw_number(successor);
                if target > header {
                    let list = &mut entering[find(&mut collapsed, target) as usize];
                    edges.push(Edge { source: header, target, next: *list });
                    *list = edges.len() as u32 - 1;
                }
            }
            let mut edge = crossing.get(header as usize).copied().unwrap_or(NONE);
            while edge != NONE {
                let Edge { target, next, .. } = edges[edge as usize];
                let list = &mut entering[find(&mut collapsed, target) as usize];
                edges[edge as usize].next = *list;
                *list = edge;
                edge = next;
            }

            for &predecessor in graph.predecessors(node) {
                if search.is_ancestor(node, predecessor) {
                    nesting.is_header[header as usize] = true;
                    let source = find(&mut collapsed, search.raw_number(predecessor));
                    if source != header {
                        collapsed[source as usize] = header;
                        worklist.push(source);
                    }
                }
            }
            while let Some(part) = worklist.pop() {
                nesting.outer[part as usize] = header;
                let mut edge = std::mem::replace(&mut entering[part as usize], NONE);
                while edge != NONE {
                    let Edge { source, target, next } = edges[edge as usize];
                    if nesting.is_header[part as usize] {
                        nesting.entered[target as usize] = part;
                    }
                    let source = find(&mut collapsed, source);
                    if source != header {
                        collapsed[source as usize] = header;
                        worklist.push(source);
                    }
                    edge = next;
                }
            }
        }

        // What is left are the edges into top-level cycles, and into nodes that are in none.
        for (part, &list) in entering.iter().enumerate() {
            let mut edge = if nesting.is_header[part] { list } else { NONE };
            while edge != NONE {
                nesting.entered[edges[edge as usize].target as usize] = part as u32;
                edge = edges[edge as usize].next;
            }
        }
        nesting
    }
}

/// The number into which `number` is collapsed; halves the path to it.
fn find(collapsed: &mut [u32], mut number: u32) -> u32 {
    loop {
        let above = collapsed[number as usize];
        if above == number {
            return number;
        }
        let further = collapsed[above as usize];
        collapsed[number as usize] = further;
        number = further;
    }
}

/// Appends to `edges` those of which neither end is an ancestor of the other. Returns for each number the list of those
/// whose lowest common ancestor it is; nothing at all when there are no such edges.
///
/// The sweep is in preorder, with each number that the search has left collapsed into its parent. The source of a cross
/// edge is reached after its target was left, so at that time the target is collapsed into the lowest of its
/// ancestors that was not left, which are the ancestors of the source.
fn cross_edges_by_ancestor(graph: &Digraph, search: &DepthFirst, edges: &mut Vec<Edge>) -> Vec<u32> {
    let mut lists = Vec::new();
    let mut collapsed = Vec::new();
    // Numbers below `swept` that were left are collapsed; there is nothing to do before the first cross edge.
    let mut swept = 0;
    let parent = |number: u32| {
        let parent = search.parent[search.preorder[number as usize]];
        search.raw_number(parent.expect("only the entry has no parent, and it is never left"))
    };
    for (source, &node) in search.preorder.iter().enumerate() {
        let source = source as u32;
        for &successor in graph.successors(node) {
            let target = search.raw_number(successor);
            if target >= source || search.is_ancestor(successor, node) {
                continue;
            }
            if lists.is_empty() {
                lists = vec![NONE; search.preorder.len()];
                collapsed = (0..search.preorder.len() as u32).collect();
            }
            while swept < source {
                let reached_next = parent(swept + 1);
                let mut left = swept;
                while left != reached_next {
                    let above = parent(left);
                    collapsed[left as usize] = above;
                    left = above;
                }
                swept += 1;
            }
            let list = &mut lists[find(&mut collapsed, target) as usize];
            edges.push(Edge { source, target, next: *list });
            *list = edges.len() as u32 - 1;
        }
    }
    lists
}

/// What is known of a cycle while the forest is laid out; cycles are in the order of their headers.
struct Outline {
    header: u32,
    /// Its parent in this order.
    parent: u32,
    /// The number of nodes in it and in no child, then where the next of them goes.
    own: u32,
    /// The number of nodes in it.
    size: u32,
    /// The number of its descendants, itself included.
    descendants: u32,
    /// Its index in the forest.
    index: u32,
    /// Where its first child goes that is not laid out yet: index and position of the first node.
    next_index: u32,
    next_position: u32,
}

/// Numbers the cycles and lays out their nodes, in linear time plus the total length of the lists of entries.
fn assemble(search: &DepthFirst, nesting: &Nesting) -> CycleForest {
    let reached = search.preorder.len();
    let mut outlines: Vec<Outline> = Vec::new();
    let mut outline_of = vec![NONE; reached];
    for number in 0..reached {
        let outer = nesting.outer[number];
        let parent = if outer == NONE { NONE } else { outline_of[outer as usize] };
        if nesting.is_header[number] {
            outline_of[number] = outlines.len() as u32;
            outlines.push(Outline {
                header: number as u32,
                parent,
                own: 1,
                size: 1,
                descendants: 1,
                index: 0,
                next_index: 0,
                next_position: 0,
            });
        } else if parent != NONE {
            outline_of[number] = parent;
            outlines[parent as usize].own += 1;
            outlines[parent as usize].size += 1;
        }
    }

    // Sizes flow to the parent, which comes before; places flow from it.
    for place in (0..outlines.len()).rev() {
        let Outline { parent, size, descendants, .. } = outlines[place];
        if parent != NONE {
            outlines[parent as usize].size += size;
            outlines[parent as usize].descendants += descendants;
        }
    }
    let mut by_index = vec![0u32; outlines.len()];
    let (mut next_index, mut next_position) = (0, 0);
    for place in 0..outlines.len() {
        let Outline { parent, own, size, descendants, .. } = outlines[place];
        let (index, position) = match outlines.get_mut(parent as usize) {
            Some(parent) => (&mut parent.next_index, &mut parent.next_position),
            None => (&mut next_index, &mut next_position),
        };
        let (first_index, first_position) = (*index, *position);
        *index += descendants;
        *position += size;
        let outline = &mut outlines[place];
        outline.index = first_index;
        outline.next_index = first_index + 1;
        outline.own = first_position;
        outline.next_position = first_position + own;
        by_index[first_index as usize] = place as u32;
    }

    let mut cycles: PrimaryMap<Cycle, CycleData> = PrimaryMap::with_capacity(outlines.len());
    for &place in &by_index {
        let outline = &outlines[place as usize];
        let parent = outlines.get(outline.parent as usize).map(|parent| Cycle::from_u32(parent.index));
        let header = search.preorder[outline.header as usize];
        cycles.push(CycleData {
            header,
            entries: SmallVec::from_slice(&[header]),
            parent,
            depth: parent.map_or(0, |parent| cycles[parent].depth) + 1,
            positions: outline.own..outline.own + outline.size,
            descendants_end: outline.index + outline.descendants,
        });
    }

    let mut nodes = vec![Node::new(0); next_position as usize];
    let mut places: SecondaryMap<Node, Place> = SecondaryMap::with_capacity(search.parent.len());
    let mut has_other_entries = false;
    for (number, &node) in search.preorder.iter().enumerate() {
        let Some(outline) = outlines.get_mut(outline_of[number] as usize) else { continue };
        let innermost = Cycle::from_u32(outline.index);
        let position = outline.own;
        outline.own += 1;
        nodes[position as usize] = node;
        let mut entry_depth = if nesting.is_header[number] { cycles[innermost].depth } else { NONE };
        let entered = nesting.entered[number];
        if entered != NONE {
            entry_depth = cycles[Cycle::from_u32(outlines[outline_of[entered as usize] as usize].index)].depth;
            has_other_entries |= entered != number as u32;
        }
        places[node] = Place { innermost: innermost.into(), position, entry_depth };
    }
    let mut forest = CycleForest { cycles, nodes, places };
    if has_other_entries {
        list_other_entries(&mut forest, search.parent.keys());
    }
    forest
}

/// Appends to the entries of each cycle those that are not its header.
fn list_other_entries(forest: &mut CycleForest, nodes: impl Iterator<Item = Node>) {
    for node in nodes {
        let Place { innermost, entry_depth, .. } = forest.places[node];
        let mut next = innermost.expand();
        while let Some(cycle) = next {
            let data = &mut forest.cycles[cycle];
            if data.depth < entry_depth {
                break;
            }
            if data.header != node {
                data.entries.push(node);
            }
            next = data.parent;
        }
    }
}
