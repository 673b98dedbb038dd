//! Threads that spin while those that they wait for do not run.
//!
//! Under the lock-step schedule the fragment that is furthest behind runs, and others of its wave stand. If it goes round a cycle and
//! comes to the same point with the same registers, while no memory changed on the way, it will do so for ever: the others
//! would have to do something first, and never will. This is looked for now and then, at rounds that get rarer.

use super::workgroup::{Stopped, Workgroup};
use crate::value::{Lanes, Mask, lanes_of};

/// A fragment as it was.
#[derive(Debug)]
pub(super) struct Snapshot {
    wave: usize,
    frame: u32,
    op: u32,
    mask: Mask,
    registers: Vec<Lanes>,
    changes: u64,
    /// How often it is compared with before another one is taken.
    left: u32,
}

/// How many comparisons a snapshot is for: the longest period that is seen, in scheduling decisions.
const PERIOD: u32 = 256;

impl Workgroup<'_> {
    /// Looks whether the fragment that is about to run only spins.
    pub(super) fn watch_spinning(&mut self, wave: usize, fragment: usize) -> Result<(), Stopped> {
        self.rounds += 1;
        if self.rounds < 1 << 12 {
            return Ok(());
        }
        let at = &self.waves[wave].fragments[fragment];
        match &mut self.snapshot {
            Some(snapshot) if snapshot.left > 0 => {
                snapshot.left -= 1;
                let here = (snapshot.wave, snapshot.frame, snapshot.op, snapshot.mask);
                if here != (wave, at.frame, at.op, at.mask) {
                    return Ok(());
                }
                if snapshot.changes != self.changes {
                    snapshot.left = 0;
                    return Ok(());
                }
                let registers = &self.waves[wave].frames[at.frame as usize].registers;
                let same = registers
                    .iter()
                    .zip(&snapshot.registers)
                    .all(|(now, then)| lanes_of(at.mask).all(|lane| now.bits[lane] == then[lane]));
                if same {
                    self.report_spinning(wave, fragment);
                    return Err(Stopped);
                }
            }
            _ if self.rounds.is_multiple_of(1 << 12) => {
                let registers = &self.waves[wave].frames[at.frame as usize].registers;
                self.snapshot = Some(Snapshot {
                    wave,
                    frame: at.frame,
                    op: at.op,
                    mask: at.mask,
                    registers: registers.iter().map(|slot| slot.bits).collect(),
                    changes: self.changes,
                    left: PERIOD,
                });
            }
            _ => {}
        }
        Ok(())
    }
}
