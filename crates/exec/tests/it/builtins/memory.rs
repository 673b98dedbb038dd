//! What is said about functions that touch memory.

use reconverge_exec::builtins::{
    AtomicOperand, AtomicOperation, Builtin, GroupCopy, MemoryBuiltin, MemoryOrder, MemoryScope, Modification,
    ResultStore, VectorAccess, recognise,
};
use reconverge_exec::value::{Mask, Scalar, Shape, Slot};

const FLOAT: Scalar = Scalar::Float;
const WORD: Scalar = Scalar::Integer(32);
const LONG: Scalar = Scalar::Integer(64);
const GLOBAL: Scalar = Scalar::Pointer(1);
const LOCAL: Scalar = Scalar::Pointer(3);
const GENERIC: Scalar = Scalar::Pointer(4);

fn memory(name: &str, result: &[Scalar], arguments: &[Shape]) -> MemoryBuiltin {
    match recognise(name, result, arguments) {
        Some(Builtin::Memory(memory)) => memory,
        other => panic!("{name}: {other:?}"),
    }
}

fn layout(access: &VectorAccess) -> (Scalar, usize, u64, u64) {
    (access.element, access.count, access.stride, access.alignment)
}

#[test]
fn vector_loads_and_stores() {
    let load = |name: &str, result: &[Scalar]| match memory(name, result, &[vec![LONG], vec![GLOBAL]]) {
        MemoryBuiltin::Load(access) => access,
        other => panic!("{name}: {other:?}"),
    };
    let access = load("_Z6vload3mPU3AS1Kf", &[FLOAT; 3]);
    assert_eq!(layout(&access), (FLOAT, 3, 12, 4));
    assert!(access.conversion.is_none());
    let (offsets, pointers) = ([Slot::splat(5)], [Slot { poison: 1, ..Slot::splat(1000) }]);
    let address = access.address(&[&offsets, &pointers]);
    assert_eq!((address.bits[9], address.poison), (1060, 1));
    assert_eq!(layout(&load("_Z11vload_half3mPU3AS1KDh", &[FLOAT; 3])), (Scalar::Half, 3, 6, 2));
    let access = load("_Z12vloada_half3mPU3AS1KDh", &[FLOAT; 3]);
    assert_eq!(layout(&access), (Scalar::Half, 3, 8, 8));
    let mut out = vec![Slot::default(); 3];
    access.conversion.unwrap().apply(
        &[&[Slot::splat(0x3c00), Slot::splat(0xc000), Slot::splat(1)]],
        Mask::MAX,
        &mut out,
    );
    let numbers: Vec<f32> = out.iter().map(|slot| f32::from_bits(slot.bits[0] as u32)).collect();
    assert_eq!(numbers, [1.0, -2.0, 2f32.powi(-24)]);

    let arguments = [vec![FLOAT; 2], vec![LONG], vec![GENERIC]];
    let MemoryBuiltin::Store { value: 0, access } = memory("_Z16vstore_half2_rtzDv2_fmPU3AS4Dh", &[], &arguments)
    else {
        panic!("no store");
    };
    assert_eq!((access.pointer, access.offset, layout(&access)), (2, Some(1), (Scalar::Half, 2, 4, 2)));
    let mut out = vec![Slot::default(); 2];
    let values = [1.0f32, 1.9995].map(|x| Slot::splat(u64::from(x.to_bits())));
    access.conversion.unwrap().apply(&[&values], Mask::MAX, &mut out);
    assert_eq!([out[0].bits[0], out[1].bits[0]], [0x3c00, 0x3fff]);
    assert!(recognise("_Z7vstore2Dv2_fmPU3AS4d", &[], &arguments).is_none());
}

#[test]
fn atomics() {
    let atomic = |name: &str, result: &[Scalar], arguments: &[Scalar]| {
        let shapes: Vec<Shape> = arguments.iter().map(|&scalar| vec![scalar]).collect();
        match memory(name, result, &shapes) {
            MemoryBuiltin::Atomic(atomic) => (atomic.operation, atomic.element, atomic.order, atomic.scope),
            other => panic!("{name}: {other:?}"),
        }
    };
    let modify = |modification| AtomicOperation::Modify(modification, AtomicOperand::Argument(1));
    let (relaxed, device) = (MemoryOrder::Relaxed, MemoryScope::Device);
    assert_eq!(
        atomic("_Z10atomic_maxPU3AS1Vii", &[WORD], &[GLOBAL, WORD]),
        (modify(Modification::SignedMaximum), WORD, relaxed, device)
    );
    assert_eq!(atomic("_Z10atomic_maxPU3AS1Vjj", &[WORD], &[GLOBAL, WORD]).0, modify(Modification::UnsignedMaximum));
    assert_eq!(atomic("_Z11atomic_xchgPU3AS3Vff", &[FLOAT], &[LOCAL, FLOAT]).0, modify(Modification::Exchange));
    assert_eq!(
        atomic("_Z8atom_decPU3AS1Vm", &[LONG], &[GLOBAL]).0,
        AtomicOperation::Modify(Modification::Subtract, AtomicOperand::One)
    );
    assert_eq!(
        atomic("_Z14atomic_cmpxchgPU3AS3Vjjj", &[WORD], &[LOCAL, WORD, WORD]).0,
        AtomicOperation::CompareExchange { expected: 1, desired: 2 }
    );
    let sequential = MemoryOrder::SequentiallyConsistent;
    assert_eq!(
        atomic("_Z16atomic_fetch_addPU3AS4VU7_Atomicff", &[FLOAT], &[GENERIC, FLOAT]),
        (modify(Modification::FloatAdd), FLOAT, sequential, device)
    );
    assert_eq!(
        atomic(
            "_Z20atomic_load_explicitPU3AS4VU7_Atomicj12memory_order12memory_scope",
            &[WORD],
            &[GENERIC, WORD, WORD]
        ),
        (AtomicOperation::Load, WORD, MemoryOrder::Argument(1), MemoryScope::Argument(2))
    );
    let name = "_Z39atomic_compare_exchange_strong_explicitPU3AS4VU7_AtomiciPU3AS4ii12memory_orderS4_12memory_scope";
    assert_eq!(
        atomic(name, &[Scalar::Integer(1)], &[GENERIC, GENERIC, WORD, WORD, WORD, WORD]),
        (
            AtomicOperation::CompareExchangeThrough { expected: 1, desired: 2 },
            WORD,
            MemoryOrder::Argument(3),
            MemoryScope::Argument(5)
        )
    );
    let flag = atomic("_Z24atomic_flag_test_and_setPU3AS4VU7_Atomici", &[Scalar::Integer(1)], &[GENERIC]);
    assert_eq!((flag.0, flag.1), (AtomicOperation::TestAndSet, WORD));
    let spirv = atomic("_Z18__spirv_AtomicUMinPU3AS1jjjj", &[WORD], &[GLOBAL, WORD, WORD, WORD]);
    let operation = AtomicOperation::Modify(Modification::UnsignedMinimum, AtomicOperand::Argument(3));
    assert_eq!(spirv, (operation, WORD, MemoryOrder::Semantics(2), MemoryScope::SpirvArgument(1)));
    let spirv =
        atomic("_Z29__spirv_AtomicCompareExchangePU3AS1jjjjjj", &[WORD], &[GLOBAL, WORD, WORD, WORD, WORD, WORD]);
    assert_eq!(spirv.0, AtomicOperation::CompareExchange { expected: 5, desired: 4 });
}

#[test]
fn results_through_pointers() {
    let results = |name: &str, result: &[Scalar], arguments: &[Shape]| match memory(name, result, arguments) {
        MemoryBuiltin::Results { values, stores } => (values, stores),
        other => panic!("{name}: {other:?}"),
    };
    let apply = |name: &str, result: &[Scalar], inputs: &[f64], stored: Scalar| {
        let mut shapes: Vec<Shape> = inputs.iter().map(|_| vec![Scalar::Double]).collect();
        shapes.push(vec![GENERIC]);
        let (values, stores) = results(name, result, &shapes);
        let store =
            ResultStore { pointer: inputs.len(), element: stored, count: 1, alignment: u64::from(stored.bits() / 8) };
        assert_eq!(stores, [store], "{name}");
        let mut slots: Vec<Slot> = inputs.iter().map(|x| Slot::splat(x.to_bits())).collect();
        slots.push(Slot::splat(0));
        let views: Vec<&[Slot]> = slots.iter().map(std::slice::from_ref).collect();
        let mut out = [Slot::default(), Slot::default()];
        values.apply(&views, Mask::MAX, &mut out);
        (f64::from_bits(out[0].bits[0]), out[1].bits[0])
    };
    let double = [Scalar::Double];
    let to_double = |(value, stored)| (value, f64::from_bits(stored));
    let to_integer = |(value, stored): (f64, u64)| (value, stored as u32 as i32);
    assert_eq!(to_double(apply("_Z5fractdPU3AS4d", &double, &[-1.25], Scalar::Double)), (0.75, -2.0));
    let (fraction, floor) = to_double(apply("_Z5fractdPU3AS4d", &double, &[-1e-30], Scalar::Double));
    assert_eq!((fraction, floor), (1f64.next_down(), -1.0));
    assert_eq!(to_double(apply("_Z4modfdPU3AS4d", &double, &[-1.25], Scalar::Double)), (-0.25, -1.0));
    assert_eq!(to_double(apply("_Z6sincosdPU3AS4d", &double, &[0.0], Scalar::Double)), (0.0, 1.0));
    assert_eq!(to_integer(apply("_Z5frexpdPU3AS4i", &double, &[-12.0], WORD)), (-0.75, 4));
    assert_eq!(to_integer(apply("_Z8lgamma_rdPU3AS4i", &double, &[-0.5], WORD)).1, -1);
    assert_eq!(to_integer(apply("_Z6remquoddPU3AS4i", &double, &[29.0, 3.0], WORD)), (-1.0, 10));
    assert_eq!(to_integer(apply("_Z6remquoddPU3AS4i", &double, &[-1001.0, 2.0], WORD)), (-1.0, -(500 & 0x7f)));
    assert_eq!(to_integer(apply("__nv_frexp", &double, &[3.0], WORD)), (0.75, 2));

    let (_, stores) = results("_Z4modfDv3_fPU3AS4S_", &[FLOAT; 3], &[vec![FLOAT; 3], vec![GENERIC]]);
    assert_eq!(stores, [ResultStore { pointer: 1, element: FLOAT, count: 3, alignment: 16 }]);
    let (values, stores) = results("sincosf", &[], &[vec![FLOAT], vec![GENERIC], vec![GENERIC]]);
    assert_eq!((values.components(), stores[0].pointer, stores[1].pointer), (2, 1, 2));
}

#[test]
fn copies_of_a_workgroup_and_fences() {
    let arguments = [vec![LOCAL], vec![GLOBAL], vec![LONG], vec![LONG], vec![Scalar::Token]];
    let name = "_Z29async_work_group_strided_copyPU3AS3Dv3_fPU3AS1KS_mm9ocl_event";
    let MemoryBuiltin::Copy(copy) = memory(name, &[Scalar::Token], &arguments) else { panic!("no copy") };
    let expected = GroupCopy {
        destination: 0,
        source: 1,
        count: 2,
        event: 4,
        element_bytes: 16,
        source_stride: Some(3),
        destination_stride: None,
    };
    assert_eq!(copy, expected);
    let fence =
        memory("_Z22atomic_work_item_fencej12memory_order12memory_scope", &[], &[vec![WORD], vec![WORD], vec![WORD]]);
    let MemoryBuiltin::Fence { order, scope } = fence else { panic!("no fence") };
    assert_eq!((order, scope), (MemoryOrder::Argument(1), MemoryScope::Argument(2)));
}
