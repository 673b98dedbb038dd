//! Votes, ballots, matches, and functions of masks.

use std::cmp::Ordering;

use super::cases::case;
use super::world::{Case, World};

pub(crate) fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    // Ballots, by the widths of their words.
    for (name, signature, operands, value) in [
        ("_Z16sub_group_balloti", "<4 x i32> (i32)", "b", 0),
        ("_Z29__spirv_GroupNonUniformBallotjb", "<4 x i32> (i32, i1)", "3 b", 1),
        ("__spirv_GroupNonUniformBallot_Rint4", "<4 x i32> (i32, i1)", "3 b", 1),
        ("__spirv_SubgroupBallotKHR", "<4 x i32> (i1)", "b", 0),
        ("llvm.spv.wave.ballot", "<4 x i32> (i1)", "b", 0),
        ("llvm.spv.subgroup.ballot", "<4 x i32> (i1)", "b", 0),
        ("llvm.dx.wave.ballot.i32", "{i32, i32, i32, i32} (i1)", "b", 0),
        ("dx.op.waveActiveBallot", "{i32, i32, i32, i32} (i32, i1)", "116 b", 1),
        ("subgroupBallot", "i64 (i1)", "b", 0),
        ("llvm.nvvm.vote.ballot", "i32 (i1)", "b", 0),
        ("llvm.nvvm.vote.ballot.sync", "i32 (i32, i1)", "m b", 1),
        ("_Z8__balloti", "i64 (i32)", "b", 0),
        ("_Z13__ballot_syncji", "i32 (i32, i32)", "m b", 1),
        ("llvm.amdgcn.ballot.i64", "i64 (i1)", "b", 0),
        ("llvm.amdgcn.ballot.i32", "i32 (i1)", "b", 0),
    ] {
        cases.push(case(name, signature, operands, move |world, _| words(world.ballot(value), signature)));
    }
    for name in ["llvm.nvvm.activemask", "_Z12__activemaskv"] {
        cases.push(case(name, "i32 ()", "", |world, _| words(world.mask(), "i32 ")));
    }
    comparisons(&mut cases);
    // All, any, the same.
    type Vote = fn(usize, usize) -> bool;
    let all: Vote = |holds, of| holds == of;
    let any: Vote = |holds, _| holds != 0;
    let same: Vote = |holds, of| holds == of || holds == 0;
    for (name, signature, operands, value, vote) in [
        ("_Z13sub_group_alli", "i32 (i32)", "b", 0, all),
        ("_Z13sub_group_anyi", "i32 (i32)", "b", 0, any),
        ("_Z25sub_group_non_uniform_alli", "i32 (i32)", "b", 0, all),
        ("_Z25sub_group_non_uniform_anyi", "i32 (i32)", "b", 0, any),
        ("_Z16__spirv_GroupAllib", "i1 (i32, i1)", "3 b", 1, all),
        ("_Z16__spirv_GroupAnyib", "i1 (i32, i1)", "3 b", 1, any),
        ("__spirv_GroupNonUniformAll", "i1 (i32, i1)", "3 b", 1, all),
        ("__spirv_GroupNonUniformAny", "i1 (i32, i1)", "3 b", 1, any),
        ("__spirv_SubgroupAllKHR", "i1 (i1)", "b", 0, all),
        ("__spirv_SubgroupAnyKHR", "i1 (i1)", "b", 0, any),
        ("__spirv_SubgroupAllEqualKHR", "i1 (i1)", "b", 0, same),
        ("llvm.spv.wave.all", "i1 (i1)", "b", 0, all),
        ("llvm.spv.wave.any", "i1 (i1)", "b", 0, any),
        ("llvm.dx.wave.any", "i1 (i1)", "b", 0, any),
        ("llvm.dx.wave.all", "i1 (i1)", "b", 0, all),
        ("dx.op.waveAnyTrue", "i1 (i32, i1)", "113 b", 1, any),
        ("dx.op.waveAllTrue", "i1 (i32, i1)", "114 b", 1, all),
        ("subgroupAll", "i1 (i1)", "b", 0, all),
        ("subgroupAny", "i1 (i1)", "b", 0, any),
        ("llvm.nvvm.vote.all", "i1 (i1)", "b", 0, all),
        ("llvm.nvvm.vote.any", "i1 (i1)", "b", 0, any),
        ("llvm.nvvm.vote.uni", "i1 (i1)", "b", 0, same),
        ("llvm.nvvm.vote.all.sync", "i1 (i32, i1)", "m b", 1, all),
        ("llvm.nvvm.vote.any.sync", "i1 (i32, i1)", "m b", 1, any),
        ("llvm.nvvm.vote.uni.sync", "i1 (i32, i1)", "m b", 1, same),
        ("_Z5__alli", "i32 (i32)", "b", 0, all),
        ("_Z5__anyi", "i32 (i32)", "b", 0, any),
        ("__all_sync", "i32 (i32, i32)", "m b", 1, all),
        ("__any_sync", "i32 (i32, i32)", "m b", 1, any),
        ("__uni_sync", "i32 (i32, i32)", "m b", 1, same),
        ("__ockl_wfany_i32", "i32 (i32)", "b", 0, any),
        ("__ockl_wfall_i32", "i32 (i32)", "b", 0, all),
        ("__ockl_wfsame_i32", "i32 (i32)", "b", 0, same),
    ] {
        cases.push(case(name, signature, operands, move |world, _| {
            let holds = world.lanes().into_iter().filter(|&lane| world.at(value, lane) != 0).count();
            vec![Some(u64::from(vote(holds, world.lanes().len())))]
        }));
    }
    // Counts: of all, of those before.
    for (name, signature, operands, value) in [
        ("llvm.spv.wave.active.countbits", "i32 (i1)", "b", 0),
        ("llvm.dx.wave.active.countbits", "i32 (i1)", "b", 0),
        ("dx.op.waveAllOp", "i32 (i32, i1)", "135 b", 1),
    ] {
        cases.push(case(name, signature, operands, move |world, _| {
            vec![Some(u64::from(world.ballot(value).count_ones()))]
        }));
    }
    for (name, signature, operands, value) in [
        ("llvm.spv.subgroup.prefix.bit.count", "i32 (i1)", "b", 0),
        ("llvm.spv.wave.prefix.bit.count", "i32 (i1)", "b", 0),
        ("llvm.dx.wave.prefix.bit.count", "i32 (i1)", "b", 0),
        ("dx.op.wavePrefixOp", "i32 (i32, i1)", "136 b", 1),
    ] {
        cases.push(case(name, signature, operands, move |world, lane| {
            let before = world.lanes().into_iter().filter(|&other| other < lane && world.at(value, other) != 0);
            vec![Some(before.count() as u64)]
        }));
    }
    cases.push(case("__ockl_activelane_u32", "i32 ()", "", |world, lane| {
        vec![Some(world.lanes().into_iter().filter(|&other| other < lane).count() as u64)]
    }));
    // The first one.
    for (name, signature, operands) in [
        ("_Z15sub_group_electv", "i32 ()", ""),
        ("_Z28__spirv_GroupNonUniformElecti", "i1 (i32)", "3"),
        ("llvm.spv.wave.is.first.lane", "i1 ()", ""),
        ("llvm.dx.wave.is.first.lane", "i1 ()", ""),
        ("dx.op.waveIsFirstLane", "i1 (i32)", "110"),
        ("subgroupElect", "i1 ()", ""),
    ] {
        cases.push(case(name, signature, operands, |world, lane| vec![Some(u64::from(lane == world.lanes()[0]))]));
    }
    cases.push(case("llvm.nvvm.elect.sync", "{i32, i1} (i32)", "m", |world, lane| {
        let first = world.lanes()[0];
        vec![Some(world.number(first) as u64), Some(u64::from(lane == first))]
    }));
    equalities(&mut cases);
    masks(&mut cases);
    quads(&mut cases);
    cases
}

/// A mask in as many words as a type has.
fn words(mask: u64, signature: &str) -> Vec<Option<u64>> {
    let word = |index: u32| Some(mask.checked_shr(32 * index).unwrap_or(0) & 0xffff_ffff);
    match signature {
        _ if signature.starts_with("i64") => vec![Some(mask)],
        _ if signature.starts_with("i32 ") => vec![word(0)],
        _ => (0..4).map(word).collect(),
    }
}

fn comparisons(cases: &mut Vec<Case>) {
    type Integer = fn(u32, u32) -> bool;
    let integers: [(&'static str, Integer); 10] = [
        ("f f 32", |a, b| a == b),
        ("f f 33", |a, b| a != b),
        ("r r 34", |a, b| a > b),
        ("r r 35", |a, b| a >= b),
        ("r r 36", |a, b| a < b),
        ("f f 37", |a, b| a <= b),
        ("r r 38", |a, b| a as i32 > b as i32),
        ("f f 39", |a, b| a as i32 >= b as i32),
        ("r r 40", |a, b| (a as i32) < b as i32),
        ("f f 41", |a, b| a as i32 <= b as i32),
    ];
    for (operands, compare) in integers {
        cases.push(case("llvm.amdgcn.icmp.i64.i32", "i64 (i32, i32, i32)", operands, move |world, _| {
            let holds = |lane: &usize| compare(world.at(0, *lane) as u32, world.at(1, *lane) as u32);
            vec![Some(collect(world, holds))]
        }));
    }
    type Floating = fn(f32, f32) -> bool;
    let floats: [(&'static str, Floating); 20] = [
        ("r r 0", |_, _| false),
        ("f f 1", |a, b| a == b),
        ("r r 2", |a, b| a > b),
        ("r r 3", |a, b| a >= b),
        ("r r 4", |a, b| a < b),
        ("f f 5", |a, b| a <= b),
        ("f f 6", |a, b| a.partial_cmp(&b).is_some_and(Ordering::is_ne)),
        ("r 2143289344 6", |_, _| false),
        ("r r 7", |a, b| !a.is_nan() && !b.is_nan()),
        ("r 2143289344 8", |a, b| a.is_nan() || b.is_nan()),
        ("f f 9", |a, b| !a.partial_cmp(&b).is_some_and(Ordering::is_ne)),
        ("r 2143289344 9", |_, _| true),
        ("r 2143289344 7", |_, _| false),
        ("r 2143289344 1", |_, _| false),
        ("r r 10", |a, b| !matches!(a.partial_cmp(&b), Some(Ordering::Less | Ordering::Equal))),
        ("r 2143289344 11", |a, b| a.is_nan() || b.is_nan() || a >= b),
        ("r 2143289344 12", |a, b| a.is_nan() || b.is_nan() || a < b),
        ("f f 13", |a, b| a.is_nan() || b.is_nan() || a <= b),
        ("f f 14", |a, b| a != b),
        ("r r 15", |_, _| true),
    ];
    for (operands, compare) in floats {
        cases.push(case("llvm.amdgcn.fcmp.i64.f32", "i64 (float, float, i32)", operands, move |world, _| {
            let float = |argument: usize, lane: usize| f32::from_bits(world.at(argument, lane) as u32);
            vec![Some(collect(world, |&lane| compare(float(0, lane), float(1, lane))))]
        }));
    }
}

/// The lanes for which something holds, as a mask.
fn collect(world: &World, holds: impl Fn(&usize) -> bool) -> u64 {
    world.lanes().iter().filter(|&lane| holds(lane)).map(|&lane| 1 << world.number(lane)).sum()
}

fn equalities(cases: &mut Vec<Case>) {
    for (name, signature, operands, value) in [
        ("_Z31sub_group_non_uniform_all_equali", "i32 (i32)", "f", 0),
        ("__spirv_GroupNonUniformAllEqual", "i1 (i32, <2 x i64>)", "3 f", 1),
        ("llvm.spv.wave.all.equal.i1", "i1 (i32)", "f", 0),
        ("dx.op.waveActiveAllEqual.i32", "i1 (i32, i32)", "115 f", 1),
        ("subgroupAllEqual", "i1 (i32)", "f", 0),
    ] {
        cases.push(case(name, signature, operands, move |world, _| {
            let first = world.from(value, world.number(world.first()));
            let equal = world.lanes().into_iter().all(|lane| world.from(value, world.number(lane)) == first);
            vec![Some(u64::from(equal))]
        }));
    }
    cases.push(case("llvm.dx.wave.all.equal.v2i1", "<2 x i1> (<2 x float>)", "f", |world, _| {
        let equal = |component: usize| {
            let number = |lane: usize| f32::from_bits(world.arguments[0][component].bits[lane] as u32);
            world.lanes().into_iter().all(|lane| number(lane) == number(world.first()))
        };
        vec![Some(u64::from(equal(0))), Some(u64::from(equal(1)))]
    }));
    for (name, signature) in [
        ("llvm.nvvm.match.any.sync.i32", "i32 (i32, i32)"),
        ("llvm.nvvm.match.any.sync.i64", "i32 (i32, i64)"),
        ("_Z16__match_any_syncji", "i32 (i32, i32)"),
    ] {
        cases.push(case(name, signature, "m f", |world, lane| {
            vec![Some(collect(world, |&other| world.at(1, other) == world.at(1, lane)))]
        }));
    }
    for (name, signature) in [
        ("llvm.nvvm.match.all.sync.i32p", "{i32, i1} (i32, i32)"),
        ("llvm.nvvm.match.all.sync.i64p", "{i32, i1} (i32, i64)"),
    ] {
        cases.push(case(name, signature, "m f", |world, _| {
            let all = world.lanes().into_iter().all(|lane| world.at(1, lane) == world.at(1, world.first()));
            vec![Some(if all { world.mask() } else { 0 }), Some(u64::from(all))]
        }));
    }
}

/// The bits of a mask operand that are of threads of the subgroup.
fn bits(world: &World, argument: usize, lane: usize) -> Vec<bool> {
    let slots = &world.arguments[argument];
    let width = if slots.len() == 1 { 64 } else { 32 };
    (0..world.size).map(|bit| slots[bit / width].bits[lane] >> (bit % width) & 1 == 1).collect()
}

fn masks(cases: &mut Vec<Case>) {
    type Function = fn(&[bool], usize, usize) -> Option<u64>;
    let count: Function = |bits, _, _| Some(bits.iter().filter(|&&bit| bit).count() as u64);
    let up_to: Function = |bits, number, _| Some(bits[..=number].iter().filter(|&&bit| bit).count() as u64);
    let before: Function = |bits, number, _| Some(bits[..number].iter().filter(|&&bit| bit).count() as u64);
    let lowest: Function = |bits, _, _| bits.iter().position(|&bit| bit).map(|place| place as u64);
    let highest: Function = |bits, _, _| bits.iter().rposition(|&bit| bit).map(|place| place as u64);
    let own: Function = |bits, number, _| Some(u64::from(bits[number]));
    let one: Function = |bits, _, index| Some(u64::from(bits[index]));
    for (name, signature, operands, mask, index, function) in [
        ("_Z24sub_group_inverse_ballotDv4_j", "i32 (<4 x i32>)", "r", 0, 0, own),
        ("_Z28sub_group_ballot_bit_extractDv4_jj", "i32 (<4 x i32>, i32)", "r n", 0, 1, one),
        ("_Z26sub_group_ballot_bit_countDv4_j", "i32 (<4 x i32>)", "r", 0, 0, count),
        ("_Z31sub_group_ballot_inclusive_scanDv4_j", "i32 (<4 x i32>)", "r", 0, 0, up_to),
        ("_Z31sub_group_ballot_exclusive_scanDv4_j", "i32 (<4 x i32>)", "r", 0, 0, before),
        ("_Z25sub_group_ballot_find_lsbDv4_j", "i32 (<4 x i32>)", "r", 0, 0, lowest),
        ("_Z25sub_group_ballot_find_msbDv4_j", "i32 (<4 x i32>)", "r", 0, 0, highest),
        ("__spirv_GroupNonUniformInverseBallot", "i1 (i32, <4 x i32>)", "3 r", 1, 0, own),
        ("__spirv_GroupNonUniformBallotBitExtract", "i1 (i32, <4 x i32>, i32)", "3 r n", 1, 2, one),
        ("__spirv_GroupNonUniformBallotBitCount", "i32 (i32, i32, <4 x i32>)", "3 0 r", 2, 0, count),
        ("__spirv_GroupNonUniformBallotBitCount", "i32 (i32, i32, <4 x i32>)", "3 1 r", 2, 0, up_to),
        ("__spirv_GroupNonUniformBallotBitCount", "i32 (i32, i32, <4 x i32>)", "3 2 r", 2, 0, before),
        ("__spirv_GroupNonUniformBallotFindLSB", "i32 (i32, <4 x i32>)", "3 r", 1, 0, lowest),
        ("__spirv_GroupNonUniformBallotFindMSB", "i32 (i32, <4 x i32>)", "3 r", 1, 0, highest),
        ("subgroupInverseBallot", "i1 (i64)", "r", 0, 0, own),
        ("subgroupBallotBitExtract", "i1 (i64, i32)", "r n", 0, 1, one),
        ("subgroupBallotBitCount", "i32 (i64)", "r", 0, 0, count),
        ("subgroupBallotInclusiveBitCount", "i32 (<4 x i32>)", "r", 0, 0, up_to),
        ("subgroupBallotExclusiveBitCount", "i32 (<4 x i32>)", "r", 0, 0, before),
        ("subgroupBallotFindLSB", "i32 (i64)", "r", 0, 0, lowest),
        ("subgroupBallotFindMSB", "i32 (i64)", "r", 0, 0, highest),
        ("llvm.amdgcn.inverse.ballot.i64", "i1 (i64)", "u", 0, 0, own),
    ] {
        cases.push(case(name, signature, operands, move |world, lane| {
            let index = world.at(index, lane) as usize;
            vec![function(&bits(world, mask, lane), world.number(lane) as usize, index)]
        }));
    }
}

fn quads(cases: &mut Vec<Case>) {
    for (name, signature, all) in [
        ("llvm.amdgcn.wqm.vote", "i1 (i1)", false),
        ("__spirv_GroupNonUniformQuadAnyKHR", "i1 (i1)", false),
        ("__spirv_GroupNonUniformQuadAllKHR", "i1 (i1)", true),
    ] {
        cases.push(case(name, signature, "b", move |world, lane| {
            let quad = |other: &usize| world.number(*other) / 4 == world.number(lane) / 4;
            let mut holds = world.lanes().into_iter().filter(quad).map(|other| world.at(0, other) != 0);
            vec![Some(u64::from(if all { holds.all(|holds| holds) } else { holds.any(|holds| holds) }))]
        }));
    }
    // Threads 0 and 1 are above 2 and 3. Pairs: from one to the other, for each of the four.
    let fine_x = [(0, 1), (0, 1), (2, 3), (2, 3)];
    let fine_y = [(0, 2), (1, 3), (0, 2), (1, 3)];
    let (coarse_x, coarse_y) = ([(0, 1); 4], [(0, 2); 4]);
    let none: [(i64, i64); 4] = [(0, 0); 4];
    for (name, signature, operands, pairs, more) in [
        ("llvm.spv.ddx.f32", "float (float)", "r", fine_x, none),
        ("llvm.spv.ddy.f32", "float (float)", "r", fine_y, none),
        ("llvm.spv.ddx.fine.f32", "float (float)", "r", fine_x, none),
        ("llvm.spv.ddy.fine.f32", "float (float)", "r", fine_y, none),
        ("llvm.dx.ddx.coarse.f32", "float (float)", "r", coarse_x, none),
        ("llvm.dx.ddy.coarse.f32", "float (float)", "r", coarse_y, none),
        ("llvm.spv.fwidth.f32", "float (float)", "r", fine_x, fine_y),
        ("__spirv_DPdx", "float (float)", "r", fine_x, none),
        ("__spirv_DPdyFine", "float (float)", "r", fine_y, none),
        ("__spirv_DPdxCoarse", "float (float)", "r", coarse_x, none),
        ("__spirv_Fwidth", "float (float)", "r", fine_x, fine_y),
        ("__spirv_FwidthCoarse", "float (float)", "r", coarse_x, coarse_y),
        ("dx.op.derivCoarseX.f32", "float (i32, float)", "83 r", coarse_x, none),
        ("dx.op.derivCoarseY.f32", "float (i32, float)", "84 r", coarse_y, none),
        ("dx.op.derivFineX.f32", "float (i32, float)", "85 r", fine_x, none),
        ("dx.op.derivFineY.f32", "float (i32, float)", "86 r", fine_y, none),
    ] {
        let value = if name.starts_with("dx") { 1 } else { 0 };
        let width = name.contains("idth");
        cases.push(case(name, signature, operands, move |world, lane| {
            let number = world.number(lane);
            let float = |place: i64| {
                let bits = world.from(value, number / 4 * 4 + place)[0]?;
                Some(f32::from_bits(bits as u32))
            };
            let difference = |pairs: [(i64, i64); 4]| {
                let (from, to) = pairs[number as usize % 4];
                Some(float(to)? - float(from)?)
            };
            let result = match width {
                true => difference(pairs).zip(difference(more)).map(|(x, y)| x.abs() + y.abs()),
                false => difference(pairs),
            };
            vec![result.map(|result| u64::from(result.to_bits()))]
        }));
    }
}
