//! The values of threads that are followed together: a row for each register, with a place for each thread.

use std::cell::Cell;

use cranelift_entity::packed_option::PackedOption;
use reconverge_ir::function::Inst;
use smallvec::SmallVec;

use super::super::code::{Register, To};
use crate::integers::mask;

/// Threads that do a step together, by their places among those that are followed together.
#[derive(Debug, Clone)]
pub(super) enum Lanes {
    /// The first ones.
    First(usize),
    /// These.
    These(Vec<u32>),
}

impl Lanes {
    pub(super) fn len(&self) -> usize {
        match self {
            Lanes::First(count) => *count,
            Lanes::These(lanes) => lanes.len(),
        }
    }

    /// Does something for each.
    #[inline]
    pub(super) fn each(&self, mut act: impl FnMut(usize)) {
        match self {
            Lanes::First(count) => (0..*count).for_each(act),
            Lanes::These(lanes) => lanes.iter().for_each(|&lane| act(lane as usize)),
        }
    }

    /// Those of which something holds.
    pub(super) fn those(&self, mut holds: impl FnMut(usize) -> bool) -> Vec<u32> {
        let mut found = Vec::with_capacity(self.len());
        self.each(|lane| found.extend(holds(lane).then_some(lane as u32)));
        found
    }
}

/// What an activation of a function knows.
///
/// **Invariant.** A register that is not marked is open in no thread.
#[derive(Debug, Default)]
pub(super) struct Frame {
    /// The places of a row.
    width: usize,
    /// By register, by thread.
    bits: Vec<Cell<u64>>,
    /// Where it comes from, if other threads may have another value in a way that is not known: an instruction of the function that is asked about.
    open: Vec<Cell<PackedOption<Inst>>>,
    /// By register: whether it may be open in some thread.
    is_open: Vec<Cell<bool>>,
}

impl Frame {
    /// Makes place for so many registers of so many threads. Nothing is open; the values are any.
    pub(super) fn reset(&mut self, registers: usize, width: usize) {
        self.width = width;
        self.bits.resize(registers * width, Cell::new(0));
        if self.is_open.iter().any(Cell::get) {
            self.open.clear();
        }
        self.open.resize(registers * width, Cell::new(None.into()));
        self.is_open.clear();
        self.is_open.resize(registers, Cell::new(false));
    }

    pub(super) fn registers(&self) -> usize {
        self.is_open.len()
    }

    /// Has at least so many registers.
    pub(super) fn extend_to(&mut self, registers: usize) {
        if self.registers() < registers {
            self.bits.resize(registers * self.width, Cell::new(0));
            self.open.resize(registers * self.width, Cell::new(None.into()));
            self.is_open.resize(registers, Cell::new(false));
        }
    }

    /// A value for each thread.
    #[inline]
    pub(super) fn row(&self, register: Register) -> &[Cell<u64>] {
        &self.bits[register as usize * self.width..][..self.width]
    }

    fn open_row(&self, register: Register) -> &[Cell<PackedOption<Inst>>] {
        &self.open[register as usize * self.width..][..self.width]
    }

    /// Whether a register may be open in some thread.
    #[inline]
    pub(super) fn may_be_open(&self, register: Register) -> bool {
        self.is_open[register as usize].get()
    }

    /// What makes a value open.
    #[inline]
    pub(super) fn open(&self, register: Register, lane: usize) -> Option<Inst> {
        if self.may_be_open(register) { self.open_row(register)[lane].get().expand() } else { None }
    }

    /// Sets a register to bits that follow from others: it is open for the first of them that is.
    #[inline]
    pub(super) fn set(&self, lanes: &Lanes, to: To, from: &[Register], of: impl Fn(usize) -> u64) {
        let (row, mask) = (self.row(to.register), mask(to.width));
        lanes.each(|lane| row[lane].set(of(lane) & mask));
        let open = from.iter().copied().filter(|&from| self.may_be_open(from));
        let open: SmallVec<[_; 4]> = open.map(|from| self.open_row(from)).collect();
        match open[..] {
            [] => self.close(lanes, to.register),
            [only] => self.set_open(lanes, to.register, |lane| only[lane].get()),
            _ => {
                let first = |lane: usize| open.iter().map(|row| row[lane].get()).find(PackedOption::is_some);
                self.set_open(lanes, to.register, |lane| first(lane).unwrap_or_default());
            }
        }
    }

    /// The same value in all of them.
    pub(super) fn fill(&self, lanes: &Lanes, register: Register, bits: u64) {
        let row = self.row(register);
        lanes.each(|lane| row[lane].set(bits));
        self.close(lanes, register);
    }

    pub(super) fn set_open(&self, lanes: &Lanes, register: Register, of: impl Fn(usize) -> PackedOption<Inst>) {
        let row = self.open_row(register);
        let mut is_any = self.may_be_open(register);
        lanes.each(|lane| {
            let open = of(lane);
            is_any |= open.is_some();
            row[lane].set(open);
        });
        self.is_open[register as usize].set(is_any);
    }

    #[inline]
    pub(super) fn close(&self, lanes: &Lanes, register: Register) {
        if self.may_be_open(register) {
            self.set_open(lanes, register, |_| None.into());
        }
    }

    /// Copies a register of another frame, or of this one.
    pub(super) fn copy(&self, lanes: &Lanes, to: To, other: &Frame, from: Register) {
        let (row, source, mask) = (self.row(to.register), other.row(from), mask(to.width));
        lanes.each(|lane| row[lane].set(source[lane].get() & mask));
        if other.may_be_open(from) {
            let open = other.open_row(from);
            self.set_open(lanes, to.register, |lane| open[lane].get());
        } else {
            self.close(lanes, to.register);
        }
    }
}
