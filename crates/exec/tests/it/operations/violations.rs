//! What is wrong with an execution, one small example for each kind.

use reconverge_exec::operations::{GpuFunction, Violation, ViolationKind, mask_partition, named_lanes};
use reconverge_exec::value::{Mask, Slot, WIDTH};

use super::world::{crosslane, recognised};

/// A slot with these numbers in its first lanes.
fn slot(bits: &[u64]) -> Vec<Slot> {
    let mut slot = Slot::default();
    slot.bits[..bits.len()].copy_from_slice(bits);
    vec![slot]
}

/// Runs an operation, on subgroups of four lanes; the result's slot, and what is wrong.
fn run(name: &str, signature: &str, set: Mask, operands: &[Vec<Slot>]) -> (Slot, Vec<Violation>) {
    let kinds = vec!["r"; operands.len()].join(" ");
    let operation = crosslane(name, signature, &kinds);
    let arguments: Vec<&[Slot]> = operands.iter().map(Vec::as_slice).collect();
    let mut out = vec![Slot::default(); 4];
    let violations = operation.perform(set, 4, &arguments, &mut out);
    (out.swap_remove(0), violations)
}

fn one(lanes: Mask, kind: ViolationKind) -> Vec<Violation> {
    vec![Violation { lanes, kind }]
}

#[test]
fn a_value_of_a_thread_outside() {
    let operands = [slot(&[10, 11, 12, 13]), slot(&[1, 2, 0, 0])];
    let (out, violations) = run("_Z17sub_group_shuffleij", "i32 (i32, i32)", 0b0011, &operands);
    assert_eq!(out.bits[0], 11);
    assert_eq!(out.poison, 0b0010);
    assert_eq!(violations, one(0b0010, ViolationKind::Outside { source: 2 }));
}

#[test]
fn a_thread_that_there_is_not() {
    let operands = [slot(&[10, 11, 12, 13]), slot(&[1, 0, 7, 3])];
    let (out, violations) = run("_Z17sub_group_shuffleij", "i32 (i32, i32)", 0b1111, &operands);
    assert_eq!(out.bits[..2], [11, 10]);
    assert_eq!(out.poison, 0b0100);
    assert_eq!(violations, one(0b0100, ViolationKind::OutOfRange { index: 7 }));
}

#[test]
fn lanes_are_those_of_the_wave_and_numbers_those_of_the_subgroup() {
    // The second subgroup: lanes 4 to 7, of which 6 is not there.
    let operands = [slot(&[0, 0, 0, 0, 14, 15, 16, 17]), slot(&[0, 0, 0, 0, 3, 2, 0, 0])];
    let (out, violations) = run("_Z17sub_group_shuffleij", "i32 (i32, i32)", 0b1011_0000, &operands);
    assert_eq!([out.bits[4], out.bits[7]], [17, 14]);
    assert_eq!(violations, one(0b0010_0000, ViolationKind::Outside { source: 6 }));
}

#[test]
fn an_operand_that_differs() {
    let operands = [slot(&[10, 11, 12, 13]), slot(&[2, 2, 1, 2])];
    let (out, violations) = run("llvm.amdgcn.readlane.i32", "i32 (i32, i32)", 0b1111, &operands);
    assert_eq!(out.bits[..4], [12; 4]);
    assert_eq!(violations, one(0b0100, ViolationKind::NotUniform { argument: 1 }));
}

#[test]
fn a_mask_that_names_others_or_not_oneself() {
    let vote = |mask: u64, set: Mask| {
        run("llvm.nvvm.vote.any.sync", "i1 (i32, i1)", set, &[vec![Slot::splat(mask)], slot(&[1, 0, 0, 0])]).1
    };
    assert_eq!(vote(0b0011, 0b0011), []);
    assert_eq!(vote(0xffff_ffff, 0b1111), []);
    assert_eq!(vote(0b0111, 0b0011), one(0b0011, ViolationKind::MaskNamesOthers { missing: 0b0100 }));
    assert_eq!(vote(0b0001, 0b0011), one(0b0010, ViolationKind::MaskWithoutSelf { mask: 0b0001 }));
}

#[test]
fn a_value_that_is_not_known_and_is_received() {
    let mut value = slot(&[10, 11, 12, 13]);
    value[0].poison = 0b0100;
    let operands = [value, slot(&[2, 1, 2, 0])];
    let (out, violations) = run("_Z17sub_group_shuffleij", "i32 (i32, i32)", 0b1111, &operands);
    // Lane 2 has its own value back, which nobody else decides.
    assert_eq!(out.poison, 0b0101);
    assert_eq!(violations, one(0b0001, ViolationKind::Indeterminate { argument: 0, sources: 0b0100, is_poison: true }));
}

#[test]
fn undefined_bits_travel_as_they_are() {
    let mut value = slot(&[0x10, 0x20, 0, 0]);
    let mut undefined = [0; WIDTH];
    undefined[0] = 0x0f;
    value[0].undefined = Some(Box::new(undefined));
    let (out, violations) = run("llvm.amdgcn.readfirstlane.i32", "i32 (i32)", 0b0011, &[value]);
    assert_eq!((out.bits[1], out.undefined_bits(1), out.undefined_bits(0), out.poison), (0x10, 0x0f, 0x0f, 0));
    assert_eq!(
        violations,
        one(0b0010, ViolationKind::Indeterminate { argument: 0, sources: 0b0001, is_poison: false })
    );
}

#[test]
fn a_predicate_that_is_not_known_decides_for_all() {
    let mut predicate = slot(&[1, 1, 1, 1]);
    predicate[0].poison = 0b0010;
    let (out, violations) = run("llvm.amdgcn.ballot.i64", "i64 (i1)", 0b1111, std::slice::from_ref(&predicate));
    assert_eq!(out.poison, 0b1111);
    // Lane 1 is decided by its own only.
    assert_eq!(violations, one(0b1101, ViolationKind::Indeterminate { argument: 0, sources: 0b0010, is_poison: true }));
    let (out, violations) = run("llvm.amdgcn.ballot.i64", "i64 (i1)", 0b0010, &[predicate]);
    assert_eq!((out.poison, violations), (0b0010, vec![]));
}

#[test]
fn a_scan_gets_no_further_than_a_value_that_is_not_known() {
    let mut value = slot(&[1, 2, 3, 4]);
    value[0].poison = 0b0010;
    let scan = "_Z28sub_group_scan_inclusive_addi";
    let (out, violations) = run(scan, "i32 (i32)", 0b1111, std::slice::from_ref(&value));
    assert_eq!((out.bits[0], out.poison), (1, 0b1110));
    assert_eq!(violations, one(0b1100, ViolationKind::Indeterminate { argument: 0, sources: 0b0010, is_poison: true }));
    let (out, _) = run("_Z28sub_group_scan_exclusive_addi", "i32 (i32)", 0b1111, &[value]);
    assert_eq!((out.bits[..2].to_vec(), out.poison), (vec![0, 1], 0b1100));
}

#[test]
fn operands_that_mean_nothing() {
    let cluster = "_Z30sub_group_clustered_reduce_addij";
    let (_, violations) = run(cluster, "i32 (i32, i32)", 0b1111, &[slot(&[1, 2, 3, 4]), vec![Slot::splat(3)]]);
    assert!(matches!(
        violations[..],
        [Violation { kind: ViolationKind::Meaningless { argument: 1, value: 3, .. }, .. }]
    ));
    let (out, violations) =
        run("llvm.amdgcn.ds.swizzle", "i32 (i32, i32)", 0b1111, &[slot(&[1, 2, 3, 4]), vec![Slot::splat(0x1_0000)]]);
    assert!(matches!(violations[..], [Violation { kind: ViolationKind::Meaningless { argument: 1, .. }, .. }]));
    assert_eq!(out.poison, 0b1111);
    let operands = [
        slot(&[1, 2, 3, 4]),
        vec![Slot::splat(0x170)],
        vec![Slot::splat(15)],
        vec![Slot::splat(15)],
        vec![Slot::splat(0)],
    ];
    let (_, violations) = run("llvm.amdgcn.mov.dpp.i32", "i32 (i32, i32, i32, i32, i1)", 0b1111, &operands);
    assert!(matches!(
        violations[..],
        [Violation { kind: ViolationKind::Meaningless { argument: 1, value: 0x170, .. }, .. }]
    ));
}

#[test]
fn numbers_of_threads_wrap_where_the_processor_cuts_them_off() {
    let (out, violations) =
        run("llvm.amdgcn.readlane.i32", "i32 (i32, i32)", 0b1111, &[slot(&[1, 2, 3, 4]), vec![Slot::splat(6)]]);
    assert_eq!((out.bits[..4].to_vec(), violations), (vec![3; 4], vec![]));
    let operands = [vec![Slot::splat(9)], vec![Slot::splat(5)], slot(&[1, 2, 3, 4])];
    let (out, violations) = run("llvm.amdgcn.writelane.i32", "i32 (i32, i32, i32)", 0b1111, &operands);
    assert_eq!((out.bits[..4].to_vec(), violations), (vec![1, 9, 3, 4], vec![]));
}

#[test]
fn integers_wider_than_a_component_travel_whole() {
    let operation = crosslane("llvm.amdgcn.readlane.i128", "i128 (i128, i32)", "r r");
    let value = [slot(&[1, 2, 3, 4]).remove(0), slot(&[5, 6, 7, 8]).remove(0)];
    let lane = [Slot::splat(2)];
    let mut out = vec![Slot::default(); 2];
    assert_eq!(operation.perform(0b1111, 4, &[&value, &lane], &mut out), []);
    assert_eq!([out[0].bits[0], out[1].bits[3]], [3, 7]);
}

#[test]
fn not_a_number_in_reductions() {
    let nan = u64::from(f32::NAN.to_bits());
    let number = |number: f32| u64::from(number.to_bits());
    let fold = |name: &str| {
        let value = slot(&[number(2.0), nan, number(-3.0), number(1.0)]);
        let (out, violations) = run(name, "float (float, i32)", 0b1111, &[value, vec![Slot::splat(0b1111)]]);
        assert_eq!(violations, []);
        f32::from_bits(out.bits[0] as u32)
    };
    assert_eq!(fold("llvm.nvvm.redux.sync.fmin"), -3.0);
    assert_eq!(fold("llvm.nvvm.redux.sync.fmin.abs"), 1.0);
    assert_eq!(fold("llvm.nvvm.redux.sync.fmax.abs"), 3.0);
    assert!(fold("llvm.nvvm.redux.sync.fmin.NaN").is_nan());
    assert!(fold("llvm.nvvm.redux.sync.fmax.abs.NaN").is_nan());
}

// conformance: clang-2025-04/11
#[test]
fn the_partition_reading_of_masks() {
    let mut mask = slot(&[0b0101, 0b1010, 0b0101, 0b1010, 0b0101, 0b1111]).remove(0);
    assert_eq!(mask_partition(&mask, 0b0001_1111), [0b0001_0101, 0b0000_1010]);
    assert_eq!(mask_partition(&mask, 0b0010_0010), [0b0000_0010, 0b0010_0000]);
    // A mask that is not known is no other thread's.
    mask.poison = 0b0000_0100;
    assert_eq!(mask_partition(&mask, 0b0001_0101), [0b0001_0001, 0b0000_0100]);
}

// conformance: clang-2025-04/12
#[test]
fn the_concurrent_reading_of_masks() {
    assert_eq!(named_lanes(0b1010, 2, 4), 0b1010);
    assert_eq!(named_lanes(0xffff_ffff, 5, 4), 0b1111_0000);
    assert_eq!(named_lanes(0b1, 63, 32), 1 << 32);
    assert_eq!(named_lanes(u64::MAX, 0, 64), u64::MAX);
}

#[test]
fn masks_of_barriers() {
    let Some(GpuFunction::Barrier(barrier)) = recognised("llvm.nvvm.bar.warp.sync", "void (i32)", "r") else {
        panic!("a barrier of a warp")
    };
    let check = |mask: u64, set: Mask| barrier.check_mask(set, 4, &[&[Slot::splat(mask)]]);
    assert_eq!(check(0b0011, 0b0011_0000), []);
    let missing = 0b1100_0000;
    assert_eq!(check(0b1111, 0b0011_0000), one(0b0011_0000, ViolationKind::MaskNamesOthers { missing }));
}
