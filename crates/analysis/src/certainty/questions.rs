//! What is asked of a function, in tables that say in constant time what an instruction, a block or a value has to do with it.

use std::hash::Hash;

use reconverge_ir::function::{Block, Inst, Value};
use rustc_hash::FxHashMap;

use super::{Mask, Named, Question};

/// The questions about a function, and what they are about, each once.
pub(super) struct Questions<'q> {
    pub(super) all: &'q [Question],
    pub(super) compared: Table<Value>,
    pub(super) deciding: Table<Block>,
    /// By question: where what it compares with, and the blocks that decide, are in these.
    pub(super) compared_of: Vec<Vec<u32>>,
    pub(super) deciding_of: Vec<Vec<u32>>,
    /// By operation.
    about: FxHashMap<Inst, Vec<u32>>,
    /// By call that names lanes.
    named_by: FxHashMap<Inst, Vec<u32>>,
    /// By question about lanes that a call names: its number among these.
    pub(super) round_of: Vec<Option<usize>>,
    /// How many of these there are.
    pub(super) round_count: usize,
}

/// Items in the order in which they were added, each once.
pub(super) struct Table<T> {
    pub(super) items: Vec<T>,
    places: FxHashMap<T, u32>,
}

impl<T: Copy + Eq + Hash> Table<T> {
    fn new() -> Table<T> {
        Table { items: Vec::new(), places: FxHashMap::default() }
    }

    fn add(&mut self, item: T) -> u32 {
        let next = self.items.len() as u32;
        let place = *self.places.entry(item).or_insert(next);
        if place == next {
            self.items.push(item);
        }
        place
    }

    /// Where an item is.
    pub(super) fn place(&self, item: T) -> Option<u32> {
        self.places.get(&item).copied()
    }
}

impl<'q> Questions<'q> {
    pub(super) fn new(all: &'q [Question]) -> Questions<'q> {
        let mut questions = Questions {
            all,
            compared: Table::new(),
            deciding: Table::new(),
            compared_of: Vec::new(),
            deciding_of: Vec::new(),
            about: FxHashMap::default(),
            named_by: FxHashMap::default(),
            round_of: Vec::new(),
            round_count: 0,
        };
        for (number, question) in (0..).zip(all) {
            let compared = question.compared.iter().map(|&value| questions.compared.add(value));
            questions.compared_of.push(compared.collect());
            let deciding = question.deciding.iter().map(|&block| questions.deciding.add(block));
            questions.deciding_of.push(deciding.collect());
            questions.about.entry(question.inst).or_default().push(number);
            let mut round = None;
            if let Some(Mask { named: Named::By { call, .. }, .. }) = question.mask {
                questions.named_by.entry(call).or_default().push(number);
                round = Some(questions.round_count);
                questions.round_count += 1;
            }
            questions.round_of.push(round);
        }
        questions
    }

    /// The questions about an operation.
    pub(super) fn about(&self, operation: Inst) -> &[u32] {
        self.about.get(&operation).map_or(&[], Vec::as_slice)
    }

    /// The questions about lanes that a call names.
    pub(super) fn named_by(&self, call: Inst) -> &[u32] {
        self.named_by.get(&call).map_or(&[], Vec::as_slice)
    }

    /// Whether threads have to be followed to a call.
    pub(super) fn ask_for(&self, call: Inst) -> bool {
        self.about.contains_key(&call) || self.named_by.contains_key(&call)
    }
}
