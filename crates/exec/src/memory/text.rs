//! Text in memory: bytes up to a zero, as the C library has them.

use super::access::Place;
use super::fault::{FaultKind, Faults, ObjectPlace, Touch};
use super::{Access, Memory};

/// Text, without the zero.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    /// What it consists of.
    pub bytes: Vec<u8>,
    /// Whether it is in an object that never changes.
    pub constant: bool,
}

/// Why there is no text at an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoText {
    /// The address leads nowhere.
    Fault(FaultKind, Option<ObjectPlace>),
    /// The object ends before there is a zero.
    Unterminated(Option<ObjectPlace>),
    /// A byte of it was never written, or is poison.
    Unknown(Option<ObjectPlace>),
    /// There is no zero among so many bytes.
    Long,
}

impl Memory<'_> {
    /// Reads text for a lane, of at most so many bytes; O(its length). The race detector hears of what is read. Gives how many bytes were
    /// looked at.
    pub fn text(
        &mut self,
        wave: usize,
        lane: usize,
        address: u64,
        most: u64,
        access: Access,
        faults: &mut Faults,
    ) -> (u64, Result<Text, NoText>) {
        let place = match self.resolve(wave, lane, address, 1, false) {
            Ok(place) => place,
            Err((kind, object)) => return (0, Err(NoText::Fault(kind, object))),
        };
        let object = self.describe(wave, lane, address);
        let offset = object.as_ref().map_or(0, |object| u64::try_from(object.offset).unwrap_or(0));
        let room = object.as_ref().map_or(0, |object| object.bytes.saturating_sub(offset));
        let constant = match place {
            Place::Global { object, .. } => self.global.objects.get(object).is_some_and(|object| object.constant),
            Place::Local { .. } | Place::Private { .. } => false,
        };
        let mut bytes = Vec::new();
        let mut found = None;
        for start in (0..room.min(most)).step_by(8) {
            let count = (room.min(most) - start).min(8) as u32;
            let chunk = self.read(wave, lane, place.plus(start), count);
            for index in 0..count {
                let byte = (chunk.bits >> (8 * index)) as u8;
                if chunk.poison >> index & 1 != 0 || chunk.undefined >> (8 * index) & 0xff != 0 {
                    found = Some(Err(NoText::Unknown(self.describe(
                        wave,
                        lane,
                        address.wrapping_add(start + u64::from(index)),
                    ))));
                } else if byte == 0 {
                    found = Some(Ok(()));
                } else {
                    bytes.push(byte);
                    continue;
                }
                break;
            }
            if found.is_some() {
                break;
            }
        }
        let length = bytes.len() as u64;
        if !constant && length > 0 {
            self.note_bytes(wave, lane, place, length, Touch::Read, access, faults);
        }
        let text = match found {
            Some(Ok(())) => Ok(Text { bytes, constant }),
            Some(Err(reason)) => Err(reason),
            None if room > most => Err(NoText::Long),
            None => Err(NoText::Unterminated(object)),
        };
        (length, text)
    }
}
