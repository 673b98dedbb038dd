//! Loads and stores, and finding the object that an address leads to.

use std::sync::MutexGuard;

use super::address::{Address, Parts, Segment};
use super::atomic::{loaded, stored};
use super::chunk::Chunk;
use super::fault::{FaultKind, Faults, ObjectPlace, Touch};
use super::object::Object;
use super::{Access, Layout, Memory};
use crate::value::{Mask, Slot, lanes_of};

/// Where an address leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Global { object: usize, offset: u64 },
    Local { object: usize, offset: u64 },
    Private { low: u32 },
}

impl Place {
    /// So many bytes further.
    pub(super) fn plus(self, bytes: u64) -> Place {
        match self {
            Place::Global { object, offset } => Place::Global { object, offset: offset + bytes },
            Place::Local { object, offset } => Place::Local { object, offset: offset + bytes },
            Place::Private { low } => Place::Private { low: low + bytes as u32 },
        }
    }
}

/// Why an address leads nowhere.
pub(super) type Refusal = (FaultKind, Option<ObjectPlace>);

impl<'a> Memory<'a> {
    /// Loads the components of a layout. Lanes whose access is prevented get 0.
    pub fn load(
        &mut self,
        wave: usize,
        layout: &Layout,
        address: &Slot,
        mask: Mask,
        access: Access,
        out: &mut [Slot],
    ) -> Faults {
        if let Some(faults) = self.load_wave(wave, layout, address, mask, access, out) {
            return faults;
        }
        let mut faults = Faults::default();
        for slot in out.iter_mut() {
            slot.undefined = None;
            slot.poison = 0;
        }
        let touch = if access.atomic.is_some() { Touch::AtomicRead } else { Touch::Read };
        for lane in lanes_of(mask) {
            let at = address.bits[lane];
            let Some(place) = self.locate(wave, lane, at, layout, false, &mut faults) else {
                layout.parts().iter().for_each(|part| out[part.component].bits[lane] = 0);
                continue;
            };
            self.acquire(wave, lane, place, access.atomic);
            let held = self.hold(place, layout, access);
            let mut unwritten = None;
            for part in layout.parts() {
                let chunk = self.read(wave, lane, place.plus(part.offset), part.bytes());
                if chunk.unwritten != 0 && unwritten.is_none() {
                    unwritten = Some(part.offset + u64::from(chunk.unwritten.trailing_zeros()));
                }
                let chunk = loaded(chunk, part, |bits| self.global.from_integer(bits, part.bits));
                chunk.into_lane(&mut out[part.component], lane, if part.pointer { 64 } else { part.bits });
            }
            drop(held);
            if let Some(offset) = unwritten {
                let object = self.describe(wave, lane, at.wrapping_add(offset));
                faults.add(lane, FaultKind::Uninitialised, at, layout.extent(), object);
            }
            self.note(wave, lane, place, layout, touch, access, &mut faults);
        }
        faults
    }

    /// Stores the components of a layout.
    pub fn store(
        &mut self,
        wave: usize,
        layout: &Layout,
        address: &Slot,
        values: &[Slot],
        mask: Mask,
        access: Access,
    ) -> Faults {
        if let Some(faults) = self.store_wave(wave, layout, address, values, mask, access) {
            return faults;
        }
        let mut faults = Faults::default();
        let touch = if access.atomic.is_some() { Touch::AtomicWrite } else { Touch::Write };
        for lane in lanes_of(mask) {
            let at = address.bits[lane];
            let Some(place) = self.locate(wave, lane, at, layout, true, &mut faults) else { continue };
            let held = self.hold(place, layout, access);
            for part in layout.parts() {
                let chunk = stored(&values[part.component], lane, part, |bits| self.global.to_integer(bits, part.bits));
                self.write(wave, lane, place.plus(part.offset), part.bytes(), chunk);
            }
            drop(held);
            self.note(wave, lane, place, layout, touch, access, &mut faults);
            self.release(wave, lane, place, access.atomic, false);
        }
        faults
    }

    /// What an atomic load or store holds back meanwhile, if it is wider than a word.
    fn hold(&self, place: Place, layout: &Layout, access: Access) -> Option<MutexGuard<'a, ()>> {
        match place {
            Place::Global { object, offset } if access.atomic.is_some() && offset % 4 + layout.extent() > 4 => {
                self.global.lock(object, offset)
            }
            _ => None,
        }
    }

    /// Where the bytes of a layout are for a lane; notes what is wrong with that.
    pub(super) fn locate(
        &self,
        wave: usize,
        lane: usize,
        address: u64,
        layout: &Layout,
        write: bool,
        faults: &mut Faults,
    ) -> Option<Place> {
        match self.resolve(wave, lane, address, layout.extent(), write) {
            Ok(place) => {
                if address & (layout.alignment() - 1) != 0 {
                    let object = self.describe(wave, lane, address);
                    faults.add(lane, FaultKind::Misaligned, address, layout.extent(), object);
                }
                Some(place)
            }
            Err((kind, object)) => {
                faults.add(lane, kind, address, layout.extent(), object);
                None
            }
        }
    }

    /// Where so many bytes at an address are, for a lane.
    pub(super) fn resolve(
        &self,
        wave: usize,
        lane: usize,
        address: u64,
        bytes: u64,
        write: bool,
    ) -> Result<Place, Refusal> {
        let inside = |object: &Object, offset: i64| {
            let offset = u64::try_from(offset).ok()?;
            (offset.checked_add(bytes)? <= object.bytes).then_some(offset)
        };
        match Address(address).parts() {
            Parts::Null => Err((FaultKind::Null, None)),
            Parts::Function(_) | Parts::Nowhere => Err((FaultKind::NotMemory, None)),
            Parts::Global { object: index, offset } => {
                let Some(object) = self.global.objects.get(index) else { return Err((FaultKind::NotMemory, None)) };
                match inside(object, offset) {
                    Some(_) if write && object.constant => {
                        Err((FaultKind::Constant, self.describe(wave, lane, address)))
                    }
                    Some(offset) => Ok(Place::Global { object: index, offset }),
                    None => Err((FaultKind::OutOfBounds, self.describe(wave, lane, address))),
                }
            }
            Parts::Heap { workgroup, .. } if workgroup != self.workgroup => Err((FaultKind::OfAnotherWorkgroup, None)),
            Parts::Local(low) | Parts::Heap { low, .. } => match self.nearest_local(address, low) {
                Some((object, offset)) => match inside(&self.local.objects[object], offset) {
                    Some(offset) => Ok(Place::Local { object, offset }),
                    None => Err((FaultKind::OutOfBounds, self.describe(wave, lane, address))),
                },
                None => Err((FaultKind::Unallocated, None)),
            },
            Parts::Private(low) => {
                if self.private[wave].lanes_inside(low, bytes, 1 << lane) != 0 {
                    return Ok(Place::Private { low });
                }
                match self.private[wave].nearest(low, lane) {
                    Some(found) if found.holds(low, bytes) => Ok(Place::Private { low }),
                    Some(found) if found.is_near(low) => {
                        Err((FaultKind::OutOfBounds, self.describe(wave, lane, address)))
                    }
                    _ => Err((FaultKind::Unallocated, None)),
                }
            }
        }
    }

    /// The object that an address is in or nearest to, for a lane.
    pub fn describe(&self, wave: usize, lane: usize, address: u64) -> Option<ObjectPlace> {
        let place = |segment, object: &Object, offset| ObjectPlace {
            segment,
            name: object.name.clone(),
            site: None,
            bytes: object.bytes,
            offset,
        };
        match Address(address).parts() {
            Parts::Global { object, offset } => Some(place(Segment::Global, self.global.objects.get(object)?, offset)),
            Parts::Heap { workgroup, .. } if workgroup != self.workgroup => None,
            Parts::Local(low) | Parts::Heap { low, .. } => {
                let (object, offset) = self.nearest_local(address, low)?;
                Some(place(Address(address).segment()?, &self.local.objects[object], offset))
            }
            Parts::Private(low) => {
                let found = self.private[wave].nearest(low, lane).filter(|found| found.is_near(low))?;
                Some(ObjectPlace {
                    segment: Segment::Private,
                    name: String::new(),
                    site: Some(found.site),
                    bytes: u64::from(found.bytes),
                    offset: i64::from(low) - i64::from(found.start),
                })
            }
            Parts::Null | Parts::Function(_) | Parts::Nowhere => None,
        }
    }

    /// One to eight bytes that are known to be there.
    pub(super) fn read(&self, wave: usize, lane: usize, place: Place, bytes: u32) -> Chunk {
        match place {
            Place::Global { object, offset } => self.global.objects[object].read(offset, bytes),
            Place::Local { object, offset } => self.local.objects[object].read(offset, bytes),
            Place::Private { low } => self.private[wave].read(low, lane, bytes),
        }
    }

    /// Stores one to eight bytes that are known to be there.
    pub(super) fn write(&mut self, wave: usize, lane: usize, place: Place, bytes: u32, chunk: Chunk) {
        match place {
            Place::Global { object, offset } => self.global.objects[object].write(offset, bytes, chunk),
            Place::Local { object, offset } => self.local.objects[object].write(offset, bytes, chunk),
            Place::Private { low } => self.private[wave].write(low, lane, bytes, chunk),
        }
    }

    /// Tells the race detector of an access.
    #[allow(clippy::too_many_arguments, reason = "all of it is what an access is")]
    pub(super) fn note(
        &mut self,
        wave: usize,
        lane: usize,
        place: Place,
        layout: &Layout,
        touch: Touch,
        access: Access,
        faults: &mut Faults,
    ) {
        for &(start, length) in layout.spans() {
            self.note_bytes(wave, lane, place.plus(start), length, touch, access, faults);
        }
    }
}
