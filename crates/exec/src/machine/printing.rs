//! Calls of `printf`: the format is read from memory and compared with the arguments. Nothing is printed.
//!
//! Lanes whose format is at one place outside of private memory are looked at together; what a `%s` or `*` gets is looked at for each.

use reconverge_findings::Severity;
use reconverge_findings::run::{Piece, Sentence};
use rustc_hash::FxHashMap;

use super::compute::Active;
use super::findings::Seen;
use super::frame::Fragment;
use super::workgroup::Workgroup;
use crate::launch::STEPS;
use crate::memory::{Access, Address, Faults, Layout, NoText, ObjectPlace, Part, Segment, Text};
use crate::print::{Defect, Dialect, MOST_CHARACTERS, call_defects, list_layout, shown, wide};
use crate::program::code::{Code, Operand, Print, Registers};
use crate::value::{Mask, Scalar, Slot, lanes_of, low_bits};

/// What is wrong with a call for some lanes.
struct Found {
    lanes: Mask,
    defect: Defect,
    /// The format, where there is one.
    format: Option<String>,
}

/// One execution of a call.
struct Call<'c> {
    wave: usize,
    print: &'c Print,
    arguments: &'c [Vec<Slot>],
    access: Access,
    faults: Faults,
    found: Vec<Found>,
    /// Bytes of text that were looked at.
    bytes: u64,
}

impl Call<'_> {
    fn add(&mut self, lanes: Mask, defect: Defect, format: Option<&[u8]>) {
        match self.found.iter_mut().find(|found| found.defect == defect) {
            Some(found) => found.lanes |= lanes,
            None => self.found.push(Found { lanes, defect, format: format.map(shown) }),
        }
    }
}

impl<'r> Workgroup<'r> {
    /// Executes a call of `printf` or `vprintf`.
    pub(super) fn print(
        &mut self,
        wave: usize,
        fragment: &Fragment,
        active: &Active,
        code: &'r Code,
        print: &Print,
        out: Registers,
    ) {
        let slots = |operand: Operand| -> Vec<Slot> {
            operand.of(&self.waves[wave].frames[fragment.frame as usize].registers, &code.constants).to_vec()
        };
        let format = slots(print.format);
        let arguments: Vec<Vec<Slot>> = print.arguments.iter().map(|(operand, _)| slots(*operand)).collect();
        let Some(format) = format.into_iter().next() else { return };
        let mask = self.known_lanes(wave, fragment, &format);
        let access = Access::plain(code.first_site + fragment.op);
        let (faults, found, bytes) = (Faults::default(), Vec::new(), 0);
        let mut call = Call { wave, print, arguments: &arguments, access, faults, found, bytes };
        let mut result = Slot::default();
        for (lanes, lane) in together(&format, mask) {
            let taken = self.print_format(&mut call, lanes, lane, format.bits[lane]);
            for lane in lanes_of(lanes) {
                result.bits[lane] = taken & low_bits(print.result_bits);
            }
        }
        let Call { faults, found, bytes, .. } = call;
        self.spent.steps += bytes / STEPS.bytes;
        if print.dialect != Dialect::Cuda {
            let wrong = found.iter().filter(|found| found.defect.severity == Severity::Error);
            for lane in lanes_of(wrong.fold(0, |lanes, found| lanes | found.lanes)) {
                result.bits[lane] = low_bits(print.result_bits);
            }
        }
        if out.count == 1 {
            self.set(wave, fragment, active, code, out, &[result]);
        }
        self.report_faults(wave, fragment, faults);
        self.report_print(wave, fragment, found);
    }

    /// Looks at a call for lanes with one format. Gives what it returns where nothing is wrong: how many arguments it took in CUDA, 0
    /// elsewhere.
    fn print_format(&mut self, call: &mut Call<'_>, lanes: Mask, lane: usize, address: u64) -> u64 {
        let dialect = call.print.dialect;
        let most = self.bound.limits.printf_bytes as u64;
        let (looked, text) = self.memory.text(call.wave, lane, address, most, call.access, &mut call.faults);
        call.bytes = call.bytes.saturating_add(looked);
        let Text { bytes: format, constant } = match text {
            Ok(text) => text,
            Err(reason) => {
                let defect = self.no_text("the format", &reason);
                call.add(lanes, defect, None);
                return u64::MAX;
            }
        };
        if dialect == Dialect::OpenCl && !constant {
            let message = "the format is in memory that may change, and OpenCL C wants a string literal".to_owned();
            let advice = "write the format as a literal, and pass what changes as arguments";
            call.add(lanes, Defect::error(message, advice), Some(&format));
        }
        if call.print.list {
            return self.print_list(call, lanes, &format);
        }
        let shapes: Vec<&[Scalar]> = call.print.arguments.iter().map(|(_, shape)| &shape[..]).collect();
        let reading = call_defects(&format, &shapes, dialect);
        for defect in reading.defects {
            call.add(lanes, defect, Some(&format));
        }
        let arguments = call.arguments;
        for (number, conversion) in reading.texts {
            if let Some(slot) = arguments[number].first() {
                self.print_text(call, lanes, slot, number, &conversion, &format);
            }
        }
        for (number, conversion) in reading.fields {
            let Some(slot) = arguments[number].first() else { continue };
            let indeterminate = slot.indeterminate_lanes();
            for lane in lanes_of(lanes & !indeterminate) {
                let value = u64::from((slot.bits[lane] as u32).cast_signed().unsigned_abs());
                if value > MOST_CHARACTERS {
                    call.add(1 << lane, wide(&conversion, value), Some(&format));
                }
            }
        }
        if dialect == Dialect::Cuda { call.arguments.len() as u64 } else { 0 }
    }

    /// Looks at the argument of a `%s`.
    fn print_text(
        &mut self,
        call: &mut Call<'_>,
        lanes: Mask,
        slot: &Slot,
        number: usize,
        conversion: &str,
        format: &[u8],
    ) {
        let what = format!("argument {} for `{conversion}`", number + 1);
        let strange = slot.indeterminate_lanes() & lanes;
        if strange != 0 {
            let message = Sentence(vec![Piece::Text(format!("{what} is ")), Piece::Undefined]);
            call.add(strange, Defect::error(message, "pass a pointer to text"), Some(format));
        }
        let most = self.bound.limits.printf_bytes as u64;
        for (lanes, lane) in together(slot, lanes & !strange) {
            let (looked, text) =
                self.memory.text(call.wave, lane, slot.bits[lane], most, call.access, &mut call.faults);
            call.bytes = call.bytes.saturating_add(looked);
            match text {
                Ok(Text { constant: false, .. }) if call.print.dialect == Dialect::OpenCl => {
                    let message = format!("{what} is in memory that may change, and OpenCL C wants a string literal");
                    let advice = "pass a literal, or print the characters one by one with `%c`";
                    call.add(lanes, Defect::error(message, advice), Some(format));
                }
                Ok(_) => {}
                Err(reason) => {
                    let defect = self.no_text(&what, &reason);
                    call.add(lanes, defect, Some(format));
                }
            }
        }
    }

    /// Looks at the list of arguments of `vprintf`.
    fn print_list(&mut self, call: &mut Call<'_>, lanes: Mask, format: &[u8]) -> u64 {
        let list = list_layout(format);
        let arguments = call.arguments;
        let Some(slot) = arguments.first().and_then(|argument| argument.first()) else { return list.count as u64 };
        for defect in list.defects {
            call.add(lanes, defect, Some(format));
        }
        let mut addresses: Vec<(&str, u64, Slot)> = Vec::new();
        for lane in lanes_of(lanes & !slot.indeterminate_lanes()) {
            let address = slot.bits[lane];
            // Null is what a call without arguments passes.
            let place = self.memory.describe(call.wave, lane, address).filter(|_| address != 0);
            let start = place.as_ref().map_or(0, |place| u64::try_from(place.offset).unwrap_or(0));
            let room = place.as_ref().map_or(0, |place| place.bytes.saturating_sub(start));
            if room < list.bytes {
                let message = format!(
                    "the conversions of the format take {} bytes of arguments, and the call passes {room}",
                    list.bytes
                );
                let advice = "pass an argument of the right type for each conversion";
                call.add(1 << lane, Defect::error(message, advice), Some(format));
                continue;
            }
            let of_list = place.is_some_and(|place| place.segment == Segment::Private) && start == 0;
            if list.whole && of_list && room > list.bytes.next_multiple_of(list.alignment) {
                let message = format!(
                    "the call passes {room} bytes of arguments, and the conversions of the format take {} bytes",
                    list.bytes
                );
                let advice = "add conversions or leave arguments out, and use the conversion of each argument's type";
                call.add(1 << lane, Defect::warning(message, advice), Some(format));
                continue;
            }
            for (index, (offset, conversion)) in list.texts.iter().enumerate() {
                if addresses.len() <= index {
                    addresses.push((conversion, *offset, Slot { poison: Mask::MAX, ..Slot::default() }));
                }
                addresses[index].2.poison &= !(1 << lane);
            }
        }
        for (number, (conversion, offset, places)) in addresses.into_iter().enumerate() {
            let there = lanes & !places.poison;
            let part = Part { component: 0, offset: 0, bits: 64, pointer: true };
            let layout = Layout::new(vec![part], 8);
            let mut pointer = Slot::default();
            let mut from = slot.clone();
            from.bits.iter_mut().for_each(|address| *address = address.wrapping_add(offset));
            let faults =
                self.memory.load(call.wave, &layout, &from, there, call.access, std::slice::from_mut(&mut pointer));
            call.faults.faults.extend(faults.faults);
            call.faults.races.extend(faults.races);
            self.print_text(call, there, &pointer, number, conversion, format);
        }
        list.count as u64
    }

    /// Why something is no text.
    fn no_text(&self, what: &str, reason: &NoText) -> Defect {
        let terminated = "end the text with a zero, inside of its object";
        let object = |place: &Option<ObjectPlace>| place.as_ref().map(|place| self.object(place));
        match reason {
            NoText::Fault(crate::memory::FaultKind::Null, _) => {
                Defect::error(format!("{what} is a null pointer"), "pass a pointer to text")
            }
            NoText::Fault(_, Some(place)) => {
                let message =
                    Sentence::from(format!("{what} cannot be read: it is at ")).object(Some(self.object(place)));
                Defect::error(message, "pass a pointer to text")
            }
            NoText::Fault(_, None) => {
                Defect::error(format!("{what} cannot be read: no object is there"), "pass a pointer to text")
            }
            NoText::Unterminated(place) => {
                let message =
                    Sentence::from(format!("{what} has no zero at its end: it begins at ")).object(object(place));
                Defect::error(message, terminated)
            }
            NoText::Unknown(place) => {
                let message = Sentence::from(format!("{what} has a byte without a value, at ")).object(object(place));
                Defect::error(message, "store the text, with a zero at its end, before it is printed")
            }
            NoText::Long => {
                let most = self.bound.limits.printf_bytes;
                Defect::error(
                    format!("{what} has no zero in its first {most} bytes (--limit printf-bytes)"),
                    terminated,
                )
            }
        }
    }

    /// Reports the worst of what was found, with the rest as notes.
    fn report_print(&mut self, wave: usize, fragment: &Fragment, mut found: Vec<Found>) {
        found.sort_by_key(|found| std::cmp::Reverse(found.defect.severity));
        let mut found = found.into_iter();
        let Some(worst) = found.next() else { return };
        let also = found.take(8).map(|other| other.defect.message).collect();
        let Defect { severity, message, advice } = worst.defect;
        self.report(wave, fragment, worst.lanes, Seen::Print { severity, message, format: worst.format, advice, also });
    }
}

/// Lanes with one address: those that are outside of private memory are together, with the first of them.
fn together(slot: &Slot, mask: Mask) -> Vec<(Mask, usize)> {
    let mut groups: Vec<(Mask, usize)> = Vec::new();
    let mut known: FxHashMap<u64, usize> = FxHashMap::default();
    for lane in lanes_of(mask) {
        let address = slot.bits[lane];
        let is_own = Address(address).segment() == Some(Segment::Private);
        match known.get(&address).filter(|_| !is_own) {
            Some(&group) => groups[group].0 |= 1 << lane,
            None => {
                known.insert(address, groups.len());
                groups.push((1 << lane, lane));
            }
        }
    }
    groups
}
