//! Operations of a whole workgroup, against one loop over all its threads.

use reconverge_testing::rounds::seeds;

use reconverge_exec::operations::{LaunchShape, Part, ViolationKind, Wave};
use reconverge_exec::value::{Scalar, Slot};

use super::folds::{OPERATIONS, folded};
use super::world::{Random, crosslane, random_value};

/// The operands and the results of the threads of a workgroup, in waves of 64.
struct Group {
    threads: usize,
    arguments: Vec<Vec<Slot>>,
    out: Vec<Vec<Slot>>,
}

impl Group {
    fn new(threads: usize, arguments: &[Vec<u64>]) -> Group {
        let waves = threads.div_ceil(64);
        let wave_slot = |wave: usize, values: &Vec<u64>| {
            let mut slot = Slot::default();
            for lane in 0..64 {
                slot.bits[lane] = values.get(64 * wave + lane).copied().unwrap_or(0xdead);
            }
            slot
        };
        let arguments =
            (0..waves).map(|wave| arguments.iter().map(|values| wave_slot(wave, values)).collect()).collect();
        Group { threads, arguments, out: vec![vec![Slot::default()]; waves] }
    }

    /// Runs an operation; the threads' results, and the kinds of what is wrong.
    fn run(
        &mut self,
        name: &str,
        signature: &str,
        kinds: &str,
        block: [u32; 3],
    ) -> (Vec<Option<u64>>, Vec<ViolationKind>) {
        let operation = crosslane(name, signature, kinds);
        let shape = LaunchShape::new([1; 3], block, 32);
        let threads = self.threads;
        let arguments: Vec<Vec<&[Slot]>> =
            self.arguments.iter().map(|wave| wave.iter().map(std::slice::from_ref).collect()).collect();
        let mut parts: Vec<Part> = self
            .out
            .iter_mut()
            .enumerate()
            .map(|(wave, out)| Part {
                wave: Wave { group: [0; 3], first: 64 * wave as u32 },
                set: if threads >= 64 * (wave + 1) { u64::MAX } else { (1 << (threads % 64)) - 1 },
                arguments: &arguments[wave],
                out,
            })
            .collect();
        let violations = operation.perform_workgroup(&shape, &mut parts);
        let result = |thread: usize| {
            let slot = &self.out[thread / 64][0];
            (slot.poison >> (thread % 64) & 1 == 0).then_some(slot.bits[thread % 64])
        };
        ((0..threads).map(result).collect(), violations.into_iter().map(|(_, violation)| violation.kind).collect())
    }
}

/// Reductions and scans: names, operations, extents, types and signatures.
pub(crate) fn folds() -> Vec<(String, &'static str, &'static str, Scalar, &'static str)> {
    let integer = Scalar::Integer(32);
    let mut folds = vec![
        ("_Z21work_group_reduce_addf".to_owned(), "add", "reduce", Scalar::Float, "float (float)"),
        ("_Z21work_group_reduce_minj".to_owned(), "umin", "reduce", integer, "i32 (i32)"),
        ("_Z21work_group_reduce_maxl".to_owned(), "max", "reduce", Scalar::Integer(64), "i64 (i64)"),
        ("_Z29work_group_scan_inclusive_addf".to_owned(), "add", "inclusive", Scalar::Float, "float (float)"),
        ("__ockl_wgred_xor_u32".to_owned(), "xor", "reduce", integer, "i32 (i32)"),
    ];
    for operation in OPERATIONS {
        for (extent, middle) in [("reduce", "reduce"), ("inclusive", "scan_inclusive"), ("exclusive", "scan_exclusive")]
        {
            let name = format!("work_group_{middle}_{operation}");
            folds.push((format!("_Z{}{name}i", name.len()), operation, extent, integer, "i32 (i32)"));
        }
    }
    folds
}

#[test]
fn reductions_and_scans() {
    for (name, operation, extent, scalar, signature) in folds() {
        for seed in seeds(10) {
            let mut random = Random(seed);
            let threads = 1 + random.below(300);
            let values: Vec<u64> = (0..threads).map(|_| random_value(&mut random, scalar)).collect();
            let mut group = Group::new(threads, std::slice::from_ref(&values));
            let (results, violations) = group.run(&name, signature, "r", [threads as u32, 1, 1]);
            assert!(violations.is_empty(), "{name}, seed {seed}: {violations:?}");
            for (thread, result) in results.into_iter().enumerate() {
                let expected = folded(operation, extent, scalar, &values, thread);
                let nan = |bits: u64| scalar == Scalar::Float && f32::from_bits(bits as u32).is_nan();
                let same = result.is_some_and(|result| result == expected || nan(result) && nan(expected));
                assert!(same, "{name}, seed {seed}, thread {thread} of {threads}: {result:x?} is not {expected:x}");
            }
        }
    }
}

#[test]
fn votes() {
    for (predicates, all, any) in
        [(vec![1; 70], 1, 1), (vec![0; 70], 0, 0), ((0..70).map(|thread| u64::from(thread == 66)).collect(), 0, 1)]
    {
        let mut group = Group::new(70, &[predicates]);
        assert_eq!(group.run("_Z14work_group_alli", "i32 (i32)", "r", [70, 1, 1]), (vec![Some(all); 70], vec![]));
        assert_eq!(group.run("_Z14work_group_anyi", "i32 (i32)", "r", [70, 1, 1]), (vec![Some(any); 70], vec![]));
    }
}

#[test]
fn broadcasts() {
    let values: Vec<u64> = (0..96).map(|thread| 1000 + thread).collect();
    let constant = |number: u64| vec![number; 96];
    // Thread (1, 2, 1) of 4 × 6 × 4 is number 33; it takes one, two or three coordinates.
    let mut group = Group::new(96, &[values.clone(), constant(1), constant(2), constant(1)]);
    let name = "_Z20work_group_broadcastjmmm";
    let (results, violations) = group.run(name, "i32 (i32, i64, i64, i64)", "r r r r", [4, 6, 4]);
    assert_eq!((results, violations), (vec![Some(1033); 96], vec![]));
    let mut group = Group::new(96, &[values.clone(), constant(70)]);
    let name = "_Z20work_group_broadcastjm";
    let (results, violations) = group.run(name, "i32 (i32, i64)", "r r", [96, 1, 1]);
    assert_eq!((results, violations), (vec![Some(1070); 96], vec![]));
    let mut group = Group::new(96, &[constant(2), values.clone(), constant(95)]);
    let name = "_Z22__spirv_GroupBroadcastijm";
    let (results, violations) = group.run(name, "i32 (i32, i32, i64)", "2 r r", [96, 1, 1]);
    assert_eq!((results, violations), (vec![Some(1095); 96], vec![]));
    // Beyond the workgroup, and not the same for all.
    let mut group = Group::new(96, &[values.clone(), constant(96)]);
    let (results, violations) = group.run("_Z20work_group_broadcastjm", "i32 (i32, i64)", "r r", [96, 1, 1]);
    assert_eq!(results, vec![None; 96]);
    assert!(violations.iter().all(|kind| *kind == ViolationKind::OutOfRange { index: 96 }) && !violations.is_empty());
    let mut group = Group::new(96, &[values, (0..96).map(|thread| u64::from(thread == 95)).collect()]);
    let (_, violations) = group.run("_Z20work_group_broadcastjm", "i32 (i32, i64)", "r r", [96, 1, 1]);
    assert_eq!(violations, [ViolationKind::NotUniform { argument: 1 }]);
}

#[test]
fn a_value_that_is_not_known_in_another_wave() {
    let mut group = Group::new(70, &[vec![1; 70]]);
    group.arguments[1][0].poison = 0b10;
    let (results, violations) = group.run("_Z29work_group_scan_inclusive_addi", "i32 (i32)", "r", [70, 1, 1]);
    assert_eq!(results[..65], (1..=65).map(Some).collect::<Vec<_>>());
    assert_eq!(results[65..], [None; 5]);
    assert_eq!(violations, [ViolationKind::Indeterminate { argument: 0, sources: 0b10, is_poison: false }]);
    let (results, violations) = group.run("_Z14work_group_anyi", "i32 (i32)", "r", [70, 1, 1]);
    assert_eq!(results, vec![None; 70]);
    assert_eq!(violations.len(), 2);
}
