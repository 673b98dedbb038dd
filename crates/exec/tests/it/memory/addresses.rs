//! Pointers as integers, bounds, and limits.

use reconverge_exec::memory::{
    Access, Address, FaultKind, GlobalMemory, Initial, Layout, Memory, ObjectPlace, Part, Segment, Workgroup,
};
use reconverge_exec::value::{Mask, Slot};

use crate::memory::model::WORKGROUP;

/// A place in an object, in short.
fn shown(place: &ObjectPlace) -> String {
    format!("{} ({} bytes) + {}", place.name, place.bytes, place.offset)
}

#[test]
fn a_pointer_survives_as_an_integer() {
    let mut global = GlobalMemory::new(1 << 20, true);
    let buffers: Vec<Address> = [100, 1, 5000]
        .map(|bytes| global.allocate("buffer", bytes, Initial::Zero, false).expect("there is room"))
        .to_vec();
    let mut memory = Memory::new(&global, &WORKGROUP);
    let local = memory.allocate_local("tile", 64, 4).expect("there is room");
    let private = memory.allocate_private(0, 1, 16, 4, 0).expect("there is room");
    let mut addresses = vec![Address::NULL, local, private, Address::function(0), Address::function(77)];
    addresses.extend(buffers.iter().copied());
    // Pointers to the end, and a little before the start.
    addresses
        .extend([local.0 + 64, private.0 + 16, buffers[0].0 + 100, buffers[2].0 + 5000, buffers[1].0 - 4].map(Address));
    for address in addresses {
        for bits in [32, 64] {
            let integer = global.to_integer(address.0, bits);
            assert!(bits == 64 || integer <= u32::MAX.into());
            assert_eq!(global.from_integer(integer, bits), address.0, "{address:x?} as i{bits}");
        }
    }
    assert_eq!(Address::function(77).as_function(), Some(77));
    assert_eq!(local.as_function(), None);
    assert_eq!(local.segment(), Some(Segment::Local));
    assert_eq!(private.segment(), Some(Segment::Private));
    assert_eq!(buffers[1].segment(), Some(Segment::Global));
    assert_eq!(Address::NULL.segment(), None);
}

#[test]
fn a_narrow_pointer_in_memory_is_the_whole_one_in_a_register() {
    let mut global = GlobalMemory::new(1 << 20, true);
    let buffer = global.allocate("buffer", 64, Initial::Zero, false).expect("there is room");
    let mut memory = Memory::new(&global, &WORKGROUP);
    let tile = memory.allocate_local("tile", 64, 4).expect("there is room");
    let layout = Layout::new(vec![Part { component: 0, offset: 0, bits: 32, pointer: true }], 4);
    for pointer in [tile.0 + 12, buffer.0 + 8, 0] {
        let at = Slot::splat(buffer.0 + 60);
        assert!(memory.store(0, &layout, &at, &[Slot::splat(pointer)], 1, Access::plain(0)).is_empty());
        let mut out = [Slot::default()];
        assert!(memory.load(0, &layout, &at, 1, Access::plain(0), &mut out).is_empty());
        assert_eq!(out[0].bits[0], pointer);
    }
}

#[test]
fn what_is_wrong_is_said_with_the_object() {
    let mut global = GlobalMemory::new(1 << 20, true);
    let input = global.allocate("in", 64, Initial::Zero, true).expect("there is room");
    global.allocate("next", 64, Initial::Zero, false).expect("there is room");
    let mut memory = Memory::new(&global, &WORKGROUP);
    let tile = memory.allocate_local("tile", 16, 4).expect("there is room");
    let layout = Layout::scalar(32, 4);
    let mut address = Slot::splat(input.0);
    address.bits[1] = input.0 + 64;
    address.bits[2] = input.0 - 4;
    address.bits[3] = input.0 + 62;
    address.bits[4] = 4;
    address.bits[5] = tile.0 + 16;
    address.bits[6] = tile.0 + 1;
    address.bits[7] = Address::function(1).0;
    let mut out = [Slot::default()];
    let faults = memory.load(0, &layout, &address, 0xff, Access::plain(0), &mut out);
    let told: Vec<(FaultKind, Mask, String)> = faults
        .faults
        .iter()
        .map(|fault| (fault.kind, fault.lanes, fault.place.as_ref().map(shown).unwrap_or_default()))
        .collect();
    assert_eq!(
        told,
        [
            (FaultKind::OutOfBounds, 0b1110, "in (64 bytes) + 64".to_owned()),
            (FaultKind::Null, 0b1_0000, String::new()),
            (FaultKind::OutOfBounds, 0b10_0000, "tile (16 bytes) + 16".to_owned()),
            (FaultKind::Misaligned, 0b100_0000, "tile (16 bytes) + 1".to_owned()),
            (FaultKind::Uninitialised, 0b100_0000, "tile (16 bytes) + 1".to_owned()),
            (FaultKind::NotMemory, 0b1000_0000, String::new()),
        ]
    );
    assert_eq!(faults.prevented(), 0b1011_1110);
    let faults = memory.store(0, &layout, &address, &out, 0b101, Access::plain(0));
    let told: Vec<(FaultKind, String)> =
        faults.faults.iter().map(|fault| (fault.kind, fault.place.as_ref().map(shown).unwrap_or_default())).collect();
    assert_eq!(
        told,
        [
            (FaultKind::Constant, "in (64 bytes) + 0".to_owned()),
            (FaultKind::OutOfBounds, "in (64 bytes) + -4".to_owned()),
        ]
    );
}

#[test]
fn an_object_is_gone_when_its_function_returns() {
    let global = GlobalMemory::new(0, true);
    let mut memory = Memory::new(&global, &WORKGROUP);
    let outer = memory.allocate_private(0, 0b11, 8, 8, 1).expect("there is room");
    let frame = memory.stack_pointers(0);
    let inner = memory.allocate_private(0, 0b11, 8, 8, 2).expect("there is room");
    let layout = Layout::scalar(64, 8);
    let value = [Slot::splat(5)];
    assert!(memory.store(0, &layout, &Slot::splat(inner.0), &value, 0b11, Access::plain(0)).is_empty());
    // One of the two threads returns.
    memory.release_private(0, 0b01, &frame);
    let faults = memory.store(0, &layout, &Slot::splat(inner.0), &value, 0b11, Access::plain(0));
    assert_eq!(faults.prevented(), 0b01);
    // What it allocates then lies where the other's object is, and has nothing to do with it.
    let again = memory.allocate_private(0, 0b01, 8, 8, 3).expect("there is room");
    assert_eq!(again, inner);
    let mut out = [Slot::default()];
    let faults = memory.load(0, &layout, &Slot::splat(inner.0), 0b11, Access::plain(0), &mut out);
    assert_eq!((faults.uninitialised(), out[0].bits[1]), (0b01, 5));
    assert!(memory.store(0, &layout, &Slot::splat(outer.0), &value, 0b11, Access::plain(0)).is_empty());
}

#[test]
fn limits_are_errors() {
    let mut global = GlobalMemory::new(1000, true);
    assert!(global.allocate("a", 600, Initial::Zero, false).is_ok());
    let error = global.allocate("b", 600, Initial::Zero, false).expect_err("too much");
    assert_eq!(error.to_string(), "1200 bytes of memory are wanted, and the limit is 1000 (--max-memory raises this)");
    assert!(global.allocate("c", u64::MAX, Initial::Zero, false).is_err());
    assert!(global.allocate("d", 400, Initial::Uninitialised, false).is_ok());

    let mut memory = Memory::new(&global, &Workgroup { stack: 256, local: 256, ..WORKGROUP });
    assert!(memory.allocate_local("a", 200, 1).is_ok());
    assert!(memory.allocate_local("b", 200, 1).is_err());
    assert!(memory.allocate_local("c", u64::MAX, 1 << 40).is_err());
    assert!(memory.allocate_private(0, 0b1, 100, 4, 0).is_ok());
    assert_eq!(memory.allocate_private(0, 0b11, 200, 4, 0), Err(0b11));
    assert!(memory.allocate_private(0, 0b10, 200, 4, 0).is_ok());
    assert_eq!(memory.allocate_private(0, 0b10, u64::MAX, 1 << 63, 0), Err(0b10));
}

#[test]
fn initialisers_hold_what_they_say() {
    let mut global = GlobalMemory::new(1000, true);
    let table = global.allocate("table", 16, Initial::Bytes(&[1, 2, 3]), true).expect("there is room");
    global.write(Address(table.0 + 4), &7u32.to_le_bytes());
    global.write_undefined(Address(table.0 + 8), &[0xff, 0x0f]);
    global.write_poison(Address(table.0 + 12), 4);
    let mut memory = Memory::new(&global, &WORKGROUP);
    let mut address = Slot::splat(table.0);
    (0..4).for_each(|lane| address.bits[lane] += 4 * lane as u64);
    let mut out = [Slot::default()];
    let faults = memory.load(0, &Layout::scalar(32, 4), &address, 0xf, Access::plain(0), &mut out);
    assert!(faults.is_empty(), "undef is not uninitialised");
    assert_eq!(out[0].bits[..3], [0x30201, 7, 0]);
    assert_eq!((out[0].undefined_bits(1), out[0].undefined_bits(2)), (0, 0xfff));
    assert_eq!(out[0].poison, 0b1000);
    assert_eq!(global.bytes(table), [1, 2, 3, 0, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(global.name(table), Some("table"));
}
