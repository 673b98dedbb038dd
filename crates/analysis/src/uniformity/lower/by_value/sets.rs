//! The sets of a points-to analysis, and what follows when one of them gets a place.
//!
//! **Invariant.** Once no work is left, the sets are the least ones that keep all relations, in whatever order places and relations were added.

use rustc_hash::FxHashSet;

/// How many places one set has before their offsets are no longer told apart.
const MOST_OFFSETS: usize = 64;

pub(super) type Node = u32;
pub(super) type Object = u32;

/// All that is outside of the threads' own memory.
pub(super) const OUTSIDE: Object = 0;
/// The set of what is outside.
pub(super) const OUT: Node = 0;
/// The set of all that has escaped.
pub(super) const ESCAPED: Node = 1;

/// Somewhere in an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Place {
    pub(super) object: Object,
    /// In bytes; none for any.
    pub(super) at: Option<i64>,
}

/// How far something is moved; none for anywhere.
pub(super) type Shift = Option<i64>;

#[derive(Debug, Default)]
pub(super) struct Set {
    pub(super) places: FxHashSet<Place>,
    /// The sets that have what this one has, that much further.
    pub(super) copies: Vec<(Node, Shift)>,
    /// The sets that get what is read through its pointers, and those that are stored through them.
    pub(super) reads: Vec<Node>,
    pub(super) stores: Vec<Node>,
    /// Objects that are read from there as a whole, and those that are stored there.
    pub(super) read_whole: Vec<Object>,
    pub(super) stored_whole: Vec<Object>,
    /// Whether something is written there.
    pub(super) is_written: bool,
}

#[derive(Debug)]
pub(super) struct ObjectData {
    /// In bytes, where it is known.
    pub(super) size: Option<i64>,
    /// The sets of pointers by offset. That for any offset is the first.
    pub(super) cells: Vec<(Option<i64>, Node)>,
    /// The sets that have what is in all of its cells.
    pub(super) readers: Vec<Node>,
    /// The objects that have its cells, that much further.
    pub(super) copies: Vec<(Object, Shift)>,
    pub(super) is_written: bool,
    /// Whether nobody may write there: what escapes is read only.
    pub(super) is_constant: bool,
}

/// All sets and objects.
#[derive(Debug, Default)]
pub(super) struct Sets {
    pub(super) sets: Vec<Set>,
    pub(super) objects: Vec<ObjectData>,
    edges: FxHashSet<(Node, Node, Shift)>,
    pub(super) work: Vec<(Node, Place)>,
    /// How many places all sets have together.
    pub(super) count: usize,
}

impl Sets {
    /// Those of what is outside and of what has escaped.
    pub(super) fn new() -> Sets {
        let mut sets = Sets { sets: vec![Set::default(), Set::default()], ..Sets::default() };
        let outside = sets.object(None);
        assert_eq!(outside, OUTSIDE);
        let place = Place { object: OUTSIDE, at: None };
        sets.add(OUT, place);
        // What is outside points outside, and to what has escaped.
        let any = sets.cell(OUTSIDE, None);
        sets.add(any, place);
        sets.edge(ESCAPED, any, Some(0));
        sets
    }

    pub(super) fn set(&mut self) -> Node {
        self.sets.push(Set::default());
        self.sets.len() as Node - 1
    }

    pub(super) fn object(&mut self, size: Option<i64>) -> Object {
        let any = self.set();
        let cells = vec![(None, any)];
        self.objects.push(ObjectData {
            size,
            cells,
            readers: Vec::new(),
            copies: Vec::new(),
            is_written: false,
            is_constant: false,
        });
        self.objects.len() as Object - 1
    }

    /// The set of pointers at an offset.
    pub(super) fn cell(&mut self, object: Object, at: Option<i64>) -> Node {
        // Of what is outside, nothing is told apart.
        let at = if object == OUTSIDE { None } else { at };
        if let Some(&(_, cell)) = self.objects[object as usize].cells.iter().find(|(known, _)| *known == at) {
            return cell;
        }
        let cell = self.set();
        self.objects[object as usize].cells.push((at, cell));
        for reader in self.objects[object as usize].readers.clone() {
            self.edge(cell, reader, Some(0));
        }
        for (to, shift) in self.objects[object as usize].copies.clone() {
            self.copy_cell(at, cell, to, shift);
        }
        cell
    }

    pub(super) fn add(&mut self, node: Node, mut place: Place) {
        let set = &mut self.sets[node as usize];
        if set.places.len() > MOST_OFFSETS {
            place.at = None;
        }
        if set.places.insert(place) {
            self.count += 1;
            self.work.push((node, place));
        }
    }

    /// A place further on; anywhere, where that is no place of the object.
    pub(super) fn moved(&self, place: Place, shift: Shift) -> Place {
        let at = place.at.zip(shift).and_then(|(at, shift)| at.checked_add(shift));
        let size = self.objects[place.object as usize].size;
        Place { at: at.filter(|&at| at >= 0 && size.is_none_or(|size| at < size)), ..place }
    }

    pub(super) fn edge(&mut self, from: Node, to: Node, shift: Shift) {
        if from == to && shift == Some(0) || !self.edges.insert((from, to, shift)) {
            return;
        }
        self.sets[from as usize].copies.push((to, shift));
        for place in self.sets[from as usize].places.clone() {
            self.add(to, self.moved(place, shift));
        }
    }

    /// A set gets all pointers that may be read at a place.
    pub(super) fn read(&mut self, place: Place, to: Node) {
        let object = place.object;
        match place.at {
            Some(_) => {
                let (here, any) = (self.cell(object, place.at), self.cell(object, None));
                self.edge(here, to, Some(0));
                self.edge(any, to, Some(0));
            }
            None => {
                let data = &mut self.objects[object as usize];
                if !data.readers.contains(&to) {
                    data.readers.push(to);
                    for (_, cell) in data.cells.clone() {
                        self.edge(cell, to, Some(0));
                    }
                }
            }
        }
    }

    pub(super) fn copy_cell(&mut self, at: Option<i64>, cell: Node, to: Object, shift: Shift) {
        let at = match (at, shift) {
            (Some(at), Some(shift)) => {
                let at = at.saturating_add(shift);
                // What lies before what is copied, or behind it, is not.
                if at < 0 || self.objects[to as usize].size.is_some_and(|size| at >= size) {
                    return;
                }
                Some(at)
            }
            _ => None,
        };
        let other = self.cell(to, at);
        self.edge(cell, other, Some(0));
    }

    pub(super) fn copy_object(&mut self, from: Object, to: Object, shift: Shift) {
        let data = &mut self.objects[from as usize];
        if !data.copies.contains(&(to, shift)) {
            data.copies.push((to, shift));
            for (at, cell) in data.cells.clone() {
                self.copy_cell(at, cell, to, shift);
            }
        }
    }

    /// A set has got a place.
    pub(super) fn place(&mut self, node: Node, place: Place) {
        let Place { object, at } = place;
        if node == ESCAPED && object != OUTSIDE {
            // Others read what is in it, and put there what they know.
            self.read(Place { object, at: None }, ESCAPED);
            if !self.objects[object as usize].is_constant {
                self.objects[object as usize].is_written = true;
                let any = self.cell(object, None);
                self.edge(OUT, any, Some(0));
                self.edge(ESCAPED, any, Some(0));
            }
        }
        let is_constant = self.objects[object as usize].is_constant;
        if self.sets[node as usize].is_written && !is_constant {
            self.objects[object as usize].is_written = true;
        }
        for (to, shift) in self.sets[node as usize].copies.clone() {
            self.add(to, self.moved(place, shift));
        }
        for to in self.sets[node as usize].reads.clone() {
            self.read(place, to);
        }
        for to in self.sets[node as usize].read_whole.clone() {
            self.copy_object(object, to, at.map(|at| -at));
        }
        if is_constant {
            return;
        }
        for from in self.sets[node as usize].stores.clone() {
            let cell = if object == OUTSIDE { ESCAPED } else { self.cell(object, at) };
            self.edge(from, cell, Some(0));
        }
        for from in self.sets[node as usize].stored_whole.clone() {
            match object {
                OUTSIDE => self.read(Place { object: from, at: None }, ESCAPED),
                _ => self.copy_object(from, object, at),
            }
        }
    }

    /// Does something for all places that a set has and gets.
    pub(super) fn with(&mut self, node: Node, change: impl FnOnce(&mut Set)) {
        change(&mut self.sets[node as usize]);
        self.work.extend(self.sets[node as usize].places.iter().map(|&place| (node, place)));
    }
}
