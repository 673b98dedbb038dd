//! All cases of operations that threads do together, and the test that runs them.

use reconverge_testing::rounds::seeds;

use reconverge_exec::value::{Slot, component_count, lanes_of, low_bits};

use super::world::{Case, Random, Reference, World, check, crosslane, random_set};
use super::{amd, folds, votes};

/// Every case.
pub(crate) fn all() -> Vec<Case> {
    let mut cases = shuffles();
    cases.extend(votes::cases());
    cases.extend(folds::cases());
    cases.extend(amd::cases());
    cases
}

#[test]
fn every_operation_is_what_its_reference_says() {
    for case in all() {
        check(&case);
    }
}

/// Whatever operands hold, an operation has some result, and says only of threads of the set that something is wrong.
#[test]
fn no_operand_is_too_strange() {
    for case in all() {
        let operation = crosslane(&case.name, case.signature, case.operands);
        for seed in seeds(10) {
            let mut random = Random(seed);
            let (set, _, size) = random_set(&mut random);
            let operand = |random: &mut Random| {
                let mut slot = Slot::default();
                slot.bits.fill_with(|| random.next() >> random.below(64));
                if random.below(3) == 0 {
                    slot.poison = random.next() & random.next();
                    slot.undefined = Some(Box::new(std::array::from_fn(|_| random.next() >> random.below(64))));
                }
                slot
            };
            let mut arguments: Vec<Vec<Slot>> = Vec::new();
            for shape in &operation.arguments {
                let mut slots = Vec::new();
                for scalar in shape {
                    let mut slot = operand(&mut random);
                    slot.bits.iter_mut().for_each(|bits| *bits &= low_bits(scalar.bits()));
                    slots.push(slot);
                }
                arguments.push(slots);
            }
            let arguments: Vec<&[Slot]> = arguments.iter().map(Vec::as_slice).collect();
            let mut out = vec![Slot::default(); component_count(&operation.result)];
            for violation in operation.perform(set, size as u32, &arguments, &mut out) {
                let lanes = violation.lanes;
                assert!(lanes != 0 && lanes & !set == 0, "{}, seed {seed}: {violation:?} in {set:#x}", case.name);
            }
            for (slot, scalar) in out.iter().zip(&operation.result) {
                let clean = lanes_of(set).all(|lane| slot.bits[lane] & !low_bits(scalar.bits()) == 0);
                assert!(clean, "{}, seed {seed}: bits above the width of the result", case.name);
            }
        }
    }
}

/// A case with a reference.
pub(crate) fn case(
    name: &str,
    signature: &'static str,
    operands: &'static str,
    reference: impl Fn(&World, usize) -> Vec<Option<u64>> + 'static,
) -> Case {
    Case { name: name.to_owned(), signature, operands, reference: Box::new(reference) as Reference }
}

/// A shuffle within segments, as the PTX manual has it: `None` where the thread would leave its segment.
fn segment_source(mode: &str, number: i64, operand: i64, width: i64) -> Option<i64> {
    let start = number / width * width;
    let source = match mode {
        "idx" => start + operand % width,
        "up" => number - operand % 32,
        "down" => number + operand % 32,
        _ => number ^ (operand % 32),
    };
    // A butterfly may reach into segments below.
    let inside = match mode {
        "bfly" => source < start + width,
        _ => (start..start + width).contains(&source),
    };
    inside.then_some(source)
}

fn shuffles() -> Vec<Case> {
    let mut cases = Vec::new();
    // Broadcasts of what the first thread has.
    for (name, signature, operands, value) in [
        ("_Z25sub_group_broadcast_firstj", "i32 (i32)", "r", 0),
        ("_Z25sub_group_broadcast_firstDv4_f", "<4 x float> (<4 x float>)", "r", 0),
        ("__spirv_GroupNonUniformBroadcastFirst", "i64 (i32, i64)", "3 r", 1),
        ("__spirv_SubgroupFirstInvocationKHR", "i32 (i32)", "r", 0),
        ("dx.op.waveReadLaneFirst.f32", "float (i32, float)", "118 r", 1),
        ("subgroupBroadcastFirst", "i32 (i32)", "r", 0),
        ("llvm.amdgcn.readfirstlane.i32", "i32 (i32)", "r", 0),
        ("llvm.amdgcn.readfirstlane.f64", "double (double)", "r", 0),
    ] {
        cases.push(case(name, signature, operands, move |world, _| world.from(value, world.number(world.first()))));
    }
    // The value of the thread with a number.
    for (name, signature, operands, value) in [
        ("_Z19sub_group_broadcastij", "i32 (i32, i32)", "r N", 0),
        ("_Z31sub_group_non_uniform_broadcastdj", "double (double, i32)", "r N", 0),
        ("_Z17sub_group_shufflefj", "float (float, i32)", "r n", 0),
        ("_Z23intel_sub_group_shuffleDv2_ij", "<2 x i32> (<2 x i32>, i32)", "r n", 0),
        ("_Z22__spirv_GroupBroadcastijj", "i32 (i32, i32, i32)", "3 r N", 1),
        ("_Z32__spirv_GroupNonUniformBroadcastijj", "i32 (i32, i32, i32)", "3 r N", 1),
        ("__spirv_GroupNonUniformBroadcast_Rint", "i32 (i32, i32, i32)", "3 r N", 1),
        ("_Z30__spirv_GroupNonUniformShuffleijj", "i32 (i32, i32, i32)", "3 r n", 1),
        ("_Z28__spirv_SubgroupShuffleINTELIiET_S0_j", "i32 (i32, i32)", "r n", 0),
        ("__spirv_SubgroupReadInvocationKHR", "i32 (i32, i32)", "r N", 0),
        ("llvm.spv.wave.readlane.i32", "i32 (i32, i32)", "r n", 0),
        ("llvm.dx.wave.readlane.f32", "float (float, i32)", "r n", 0),
        ("dx.op.waveReadLaneAt.i32", "i32 (i32, i32, i32)", "117 r n", 1),
        ("subgroupBroadcast", "i32 (i32, i32)", "r N", 0),
        ("subgroupShuffle", "i32 (i32, i32)", "r n", 0),
        ("llvm.amdgcn.readlane.i32", "i32 (i32, i32)", "r N", 0),
        ("llvm.amdgcn.wave.shuffle.i32", "i32 (i32, i32)", "r n", 0),
        ("__ockl_wfbcast_u64", "i64 (i64, i32)", "r N", 0),
    ] {
        cases.push(case(name, signature, operands, move |world, lane| {
            world.from(value, world.at(value + 1, lane) as i64)
        }));
    }
    // Exclusive or.
    for (name, signature, operands, value) in [
        ("_Z21sub_group_shuffle_xorij", "i32 (i32, i32)", "r n", 0),
        ("_Z27intel_sub_group_shuffle_xorij", "i32 (i32, i32)", "r n", 0),
        ("__spirv_GroupNonUniformShuffleXor", "i32 (i32, i32, i32)", "3 r n", 1),
        ("__spirv_SubgroupShuffleXorINTEL", "i32 (i32, i32)", "r n", 0),
        ("subgroupShuffleXor", "i32 (i32, i32)", "r n", 0),
    ] {
        cases.push(case(name, signature, operands, move |world, lane| {
            world.from(value, world.number(lane) ^ world.at(value + 1, lane) as i64)
        }));
    }
    // Up and down.
    for (name, signature, operands, value, sign) in [
        ("_Z20sub_group_shuffle_upij", "i32 (i32, i32)", "r n", 0, -1),
        ("_Z22sub_group_shuffle_downij", "i32 (i32, i32)", "r n", 0, 1),
        ("__spirv_GroupNonUniformShuffleUp", "i32 (i32, i32, i32)", "3 r s", 1, -1),
        ("__spirv_GroupNonUniformShuffleDown", "i32 (i32, i32, i32)", "3 r s", 1, 1),
        ("subgroupShuffleUp", "i32 (i32, i32)", "r s", 0, -1),
        ("subgroupShuffleDown", "i32 (i32, i32)", "r s", 0, 1),
    ] {
        cases.push(case(name, signature, operands, move |world, lane| {
            world.from(value, world.number(lane) + sign * world.at(value + 1, lane) as i64)
        }));
    }
    // The same with a second value, which goes on where the first one ends.
    for (name, up) in [
        ("_Z26intel_sub_group_shuffle_upiij", true),
        ("__spirv_SubgroupShuffleUpINTEL", true),
        ("_Z28intel_sub_group_shuffle_downiij", false),
        ("__spirv_SubgroupShuffleDownINTEL", false),
    ] {
        cases.push(case(name, "i32 (i32, i32, i32)", "r r n", move |world, lane| {
            let (size, delta) = (world.size as i64, world.at(2, lane) as i64);
            // Both values side by side, and where the lane is in them.
            let place = if up { size + world.number(lane) - delta } else { world.number(lane) + delta };
            world.from((place / size) as usize, place % size)
        }));
    }
    // Rotations.
    for (name, signature, operands, value) in [
        ("_Z16sub_group_rotateii", "i32 (i32, i32)", "r N", 0),
        ("__spirv_GroupNonUniformRotateKHR", "i32 (i32, i32, i32)", "3 r N", 1),
        ("subgroupRotate", "i32 (i32, i32)", "r N", 0),
    ] {
        cases.push(case(name, signature, operands, move |world, lane| {
            world.from(value, (world.number(lane) + world.at(value + 1, lane) as i64) % world.size as i64)
        }));
    }
    for (name, signature, operands, value) in [
        ("_Z26sub_group_clustered_rotateiij", "i32 (i32, i32, i32)", "r N 1", 0),
        ("__spirv_GroupNonUniformRotateKHR", "i32 (i32, i32, i32, i32)", "3 r N 1", 1),
    ] {
        cases.push(case(name, signature, operands, move |world, lane| world.from(value, world.number(lane))));
    }
    // Quads.
    for (name, signature, operands, value) in [
        ("__spirv_GroupNonUniformQuadBroadcast", "i32 (i32, i32, i32)", "3 r s", 1),
        ("subgroupQuadBroadcast", "i32 (i32, i32)", "r s", 0),
        ("dx.op.quadReadLaneAt.f32", "float (i32, float, i32)", "122 r s", 1),
    ] {
        cases.push(case(name, signature, operands, move |world, lane| {
            world.from(value, world.number(lane) / 4 * 4 + world.at(value + 1, lane) as i64)
        }));
    }
    for (name, signature, operands, value, swap) in [
        ("__spirv_GroupNonUniformQuadSwap", "i32 (i32, i32, i32)", "3 r 0", 1, [1, 0, 3, 2]),
        ("__spirv_GroupNonUniformQuadSwap", "i32 (i32, i32, i32)", "3 r 1", 1, [2, 3, 0, 1]),
        ("__spirv_GroupNonUniformQuadSwap", "i32 (i32, i32, i32)", "3 r 2", 1, [3, 2, 1, 0]),
        ("llvm.spv.quad.read.across.x.i32", "i32 (i32)", "r", 0, [1, 0, 3, 2]),
        ("llvm.spv.quad.read.across.y.i32", "i32 (i32)", "r", 0, [2, 3, 0, 1]),
        ("llvm.dx.quad.read.across.diagonal.i32", "i32 (i32)", "r", 0, [3, 2, 1, 0]),
        ("dx.op.quadOp.i32", "i32 (i32, i32, i8)", "123 r 1", 1, [2, 3, 0, 1]),
        ("subgroupQuadSwapHorizontal", "i32 (i32)", "r", 0, [1, 0, 3, 2]),
        ("subgroupQuadSwapVertical", "i32 (i32)", "r", 0, [2, 3, 0, 1]),
        ("subgroupQuadSwapDiagonal", "i32 (i32)", "r", 0, [3, 2, 1, 0]),
    ] {
        cases.push(case(name, signature, operands, move |world, lane| {
            let number = world.number(lane);
            world.from(value, number / 4 * 4 + swap[number as usize % 4])
        }));
    }
    cases.extend(segments());
    cases
}

/// `shfl` with all its limits of segments, and CUDA's functions.
fn segments() -> Vec<Case> {
    let mut cases = Vec::new();
    for mode in ["idx", "up", "down", "bfly"] {
        for (packed, width) in [(0x1f, 32), (0x181f, 8), (0x101f, 16), (0x1e1f, 2)] {
            // Up counts down to 0, not up to 31.
            let packed = if mode == "up" { packed & !0x1f } else { packed };
            let operand: &'static str = Box::leak(packed.to_string().into_boxed_str());
            let reference = move |value: usize, flag: bool| {
                move |world: &World, lane: usize| {
                    let number = world.number(lane);
                    let source = segment_source(mode, number, world.at(value + 1, lane) as i64, width);
                    let mut result = world.from(value, source.unwrap_or(number));
                    result.extend(flag.then(|| Some(u64::from(source.is_some()))));
                    result
                }
            };
            let text = |operands: &str| -> &'static str { Box::leak(format!("{operands} {operand}").into_boxed_str()) };
            let name = |kind: &str| format!("llvm.nvvm.shfl.{kind}");
            for (kind, signature, flag) in [
                ("i32", "i32 (i32, i32, i32)", false),
                ("f32", "float (float, i32, i32)", false),
                ("i32p", "{i32, i1} (i32, i32, i32)", true),
                ("f32p", "{float, i1} (float, i32, i32)", true),
            ] {
                cases.push(case(&name(&format!("{mode}.{kind}")), signature, text("r n"), reference(0, flag)));
            }
            let sync = |kind: &str| name(&format!("sync.{mode}.{kind}"));
            for (kind, signature, flag) in [
                ("i32", "i32 (i32, i32, i32, i32)", false),
                ("f32", "float (i32, float, i32, i32)", false),
                ("i32p", "{i32, i1} (i32, i32, i32, i32)", true),
                ("f32p", "{float, i1} (i32, float, i32, i32)", true),
            ] {
                cases.push(case(&sync(kind), signature, text("m r n"), reference(1, flag)));
            }
        }
        let cuda = match mode {
            "idx" => "",
            "bfly" => "_xor",
            other => &format!("_{other}"),
        };
        for width in [1, 4, 16, 32] {
            let reference = move |value: usize| {
                move |world: &World, lane: usize| {
                    let number = world.number(lane);
                    let source = segment_source(mode, number, world.at(value + 1, lane) as i64, width);
                    world.from(value, source.unwrap_or(number))
                }
            };
            let operands = |text: &str| -> &'static str { Box::leak(format!("{text} {width}").into_boxed_str()) };
            let sync = format!("__shfl{cuda}_sync");
            let mangled = format!("_Z{}{sync}jiji", sync.len());
            cases.push(case(&mangled, "i32 (i32, i32, i32, i32)", operands("m r n"), reference(1)));
            cases.push(case(&format!("__shfl{cuda}"), "float (float, i32, i32)", operands("r n"), reference(0)));
            if width == 32 {
                cases.push(case(&sync, "double (i64, double, i32)", "m r n", reference(1)));
                cases.push(case(&format!("__shfl{cuda}"), "i64 (i64, i32)", "r n", reference(0)));
            }
        }
    }
    cases
}
