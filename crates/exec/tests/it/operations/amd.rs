//! Moves between the lanes of a wave of AMD's GPUs, against tables written by hand and against arrays as the manuals draw them.

use reconverge_exec::value::{Mask, Slot, low_bits};

use super::cases::case;
use super::world::{Case, World, crosslane};

pub(crate) fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    permutes(&mut cases);
    data_parallel(&mut cases);
    sixteen(&mut cases);
    for name in ["wqm", "softwqm", "wwm", "strict.wwm", "strict.wqm"] {
        let name = format!("llvm.amdgcn.{name}.i32");
        cases.push(case(&name, "i32 (i32)", "r", |world, lane| world.from(0, world.number(lane))));
    }
    for name in ["set.inactive.i32", "set.inactive.chain.arg.i32"] {
        let name = format!("llvm.amdgcn.{name}");
        cases.push(case(&name, "i32 (i32, i32)", "r r", |world, lane| world.from(0, world.number(lane))));
    }
    cases
}

fn permutes(cases: &mut Vec<Case>) {
    cases.push(case("llvm.amdgcn.ds.bpermute", "i32 (i32, i32)", "r r", |world, lane| {
        let source = (world.at(0, lane) / 4 % world.size as u64) as i64;
        world.from(1, source).into_iter().map(|bits| Some(bits.unwrap_or(0))).collect()
    }));
    cases.push(case("llvm.amdgcn.ds.bpermute.fi.b32", "i32 (i32, i32)", "r r", |world, lane| {
        world.from(1, (world.at(0, lane) / 4 % world.size as u64) as i64)
    }));
    cases.push(case("llvm.amdgcn.ds.permute", "i32 (i32, i32)", "r r", |world, lane| {
        // Every lane of the set writes, in order, to an array of zeroes.
        let mut array = [0; 64];
        for source in world.lanes() {
            array[(world.at(0, source) / 4) as usize % world.size] = world.at(1, source);
        }
        vec![Some(array[world.number(lane) as usize])]
    }));
    cases.push(case("llvm.amdgcn.writelane.i32", "i32 (i32, i32, i32)", "u N r", |world, lane| {
        let chosen = world.number(lane) as u64 == world.at(1, lane);
        vec![Some(world.at(if chosen { 0 } else { 2 }, lane))]
    }));
    cases.push(case("llvm.amdgcn.permlane64.i32", "i32 (i32)", "r", |world, lane| {
        let number = world.number(lane);
        world.from(0, if number < 32 { number + 32 } else { number - 32 })
    }));
    for (name, row) in [("llvm.amdgcn.permlane16.swap", 16), ("llvm.amdgcn.permlane32.swap", 32)] {
        for (operands, zero) in [("r r 0 0", false), ("r r 0 1", true)] {
            cases.push(case(name, "{i32, i32} (i32, i32, i1, i1)", operands, move |world, lane| {
                let number = world.number(lane);
                let odd = number / row % 2 == 1;
                let fallback = |own: usize| if zero { Some(0) } else { Some(world.at(own, lane)) };
                let first = match odd {
                    true => world.from(1, number - row)[0].or(fallback(0)),
                    false => Some(world.at(0, lane)),
                };
                let second = match odd {
                    true => Some(world.at(1, lane)),
                    false => world.from(0, number + row)[0].or(fallback(1)),
                };
                vec![first, second]
            }));
        }
    }
}

/// Where a lane gets its value from, by its number and the size of the wave.
type Move = Box<dyn Fn(i64, i64) -> i64>;

/// The control words, and where a lane of a row, or of the wave, gets its value from by them: -1 is nowhere.
fn controls() -> Vec<(u64, Move)> {
    let mut controls: Vec<(u64, Move)> = Vec::new();
    let row = |number: i64, place: i64| if (0..16).contains(&place) { number / 16 * 16 + place } else { -1 };
    for (word, quad) in [(0b00_01_10_11, [3, 2, 1, 0]), (0b11_10_01_00, [0, 1, 2, 3]), (0b10_10_00_00, [0, 0, 2, 2])] {
        controls.push((word, Box::new(move |number, _| number / 4 * 4 + quad[number as usize % 4])));
    }
    for amount in [1, 3, 15] {
        let word = amount as u64;
        controls.push((0x100 + word, Box::new(move |number, _| row(number, number % 16 + amount))));
        controls.push((0x110 + word, Box::new(move |number, _| row(number, number % 16 - amount))));
        controls.push((0x120 + word, Box::new(move |number, _| row(number, (number % 16 - amount).rem_euclid(16)))));
        controls.push((0x150 + word, Box::new(move |number, _| row(number, amount))));
        controls.push((0x160 + word, Box::new(move |number, _| row(number, (number % 16) ^ amount))));
    }
    controls.push((0x130, Box::new(|number, _| number + 1)));
    controls.push((0x134, Box::new(|number, size| (number + 1) % size)));
    controls.push((0x138, Box::new(|number, _| number - 1)));
    controls.push((0x13c, Box::new(|number, size| (number + size - 1) % size)));
    controls.push((0x140, Box::new(move |number, _| row(number, 15 - number % 16))));
    controls.push((0x141, Box::new(|number, _| number / 8 * 8 + 7 - number % 8)));
    controls.push((0x142, Box::new(|number, _| number / 16 * 16 - 1)));
    controls.push((0x143, Box::new(|number, _| if number < 32 { -1 } else { 31 })));
    controls
}

fn data_parallel(cases: &mut Vec<Case>) {
    for (control, source) in controls() {
        let source = std::rc::Rc::new(source);
        for (rows, banks, zero) in [(15, 15, 0), (15, 15, 1), (10, 15, 0), (15, 6, 1)] {
            let enabled = move |number: i64| rows >> (number / 16) & 1 == 1 && banks >> (number % 16 / 4) & 1 == 1;
            let words: &'static str = Box::leak(format!("r r {control} {rows} {banks} {zero}").into_boxed_str());
            let from = source.clone();
            let update = move |world: &World, lane: usize| {
                let number = world.number(lane);
                let old = Some(world.at(0, lane));
                if !enabled(number) {
                    return vec![old];
                }
                let moved = world.from(1, from(number, world.size as i64))[0];
                vec![moved.or(if zero == 1 { Some(0) } else { old })]
            };
            let signature = "i32 (i32, i32, i32, i32, i32, i1)";
            cases.push(case("llvm.amdgcn.update.dpp.i32", signature, words, update));
            // Without an old value, there is none.
            let from = source.clone();
            let moved = move |world: &World, lane: usize| {
                let number = world.number(lane);
                if !enabled(number) {
                    return vec![None];
                }
                vec![world.from(0, from(number, world.size as i64))[0].or((zero == 1).then_some(0))]
            };
            cases.push(case("llvm.amdgcn.mov.dpp.i32", "i32 (i32, i32, i32, i32, i1)", &words[2..], moved));
        }
    }
    // Three bits for each of eight lanes: here 7 down to 0.
    let mirror: u32 = (0..8).map(|lane| (7 - lane) << (3 * lane)).sum();
    let operands: &'static str = Box::leak(format!("r {mirror}").into_boxed_str());
    cases.push(case("llvm.amdgcn.mov.dpp8.i32", "i32 (i32, i32)", operands, |world, lane| {
        let number = world.number(lane);
        vec![Some(world.from(0, number / 8 * 8 + 7 - number % 8)[0].unwrap_or(0))]
    }));
}

fn sixteen(cases: &mut Vec<Case>) {
    // Four bits for each of sixteen lanes: here 15 down to 0.
    let operands =
        [("r r 2309737967 19088743 0 0", 0), ("r r 2309737967 19088743 0 1", 1), ("r r 2309737967 19088743 1 0", 2)];
    for (name, crossed) in [("llvm.amdgcn.permlane16.i32", 0), ("llvm.amdgcn.permlanex16.i32", 16)] {
        for (operands, control) in operands {
            cases.push(case(name, "i32 (i32, i32, i32, i32, i1, i1)", operands, move |world, lane| {
                let number = world.number(lane);
                let source = ((number / 16 * 16) ^ crossed) + 15 - number % 16;
                missing(world, lane, source, control)
            }));
        }
    }
    for (name, crossed) in [("llvm.amdgcn.permlane16.var", 0), ("llvm.amdgcn.permlanex16.var", 16)] {
        for (operands, control) in [("r r r 0 0", 0), ("r r r 0 1", 1), ("r r r 1 0", 2)] {
            cases.push(case(name, "i32 (i32, i32, i32, i1, i1)", operands, move |world, lane| {
                let source = ((world.number(lane) / 16 * 16) ^ crossed) + (world.at(2, lane) % 16) as i64;
                missing(world, lane, source, control)
            }));
        }
    }
}

/// The second operand of a lane, or what there is in place of it: the first operand (0), zero (1), poison (2).
fn missing(world: &World, lane: usize, source: i64, control: u8) -> Vec<Option<u64>> {
    let instead = match control {
        0 => Some(world.at(0, lane)),
        1 => Some(0),
        _ => None,
    };
    vec![world.from(1, source)[0].or(instead)]
}

/// What the lanes of a full wave get whose values are their numbers, for constant operands behind the value.
fn moved(name: &str, signature: &str, size: u32, constants: &[u64]) -> Vec<u64> {
    let text: String = constants.iter().map(|constant| format!(" {constant}")).collect();
    let operation = crosslane(name, signature, &format!("r{text}"));
    let value = Slot { bits: std::array::from_fn(|lane| lane as u64), ..Slot::default() };
    let mut slots = vec![vec![value]];
    slots.extend(constants.iter().map(|&constant| vec![Slot::splat(constant)]));
    let arguments: Vec<&[Slot]> = slots.iter().map(Vec::as_slice).collect();
    let mut out = vec![Slot::default()];
    let set: Mask = low_bits(size);
    assert_eq!(operation.perform(set, size, &arguments, &mut out), []);
    assert_eq!(out[0].poison, 0);
    out[0].bits[..size as usize].to_vec()
}

fn swizzled(pattern: u64, size: u32) -> Vec<u64> {
    moved("llvm.amdgcn.ds.swizzle", "i32 (i32, i32)", size, &[pattern])
}

#[test]
fn swizzle_by_masks() {
    // Exchange neighbours; take the first of each pair; reverse all 32.
    assert_eq!(swizzled(0x1f | 1 << 10, 32)[..6], [1, 0, 3, 2, 5, 4]);
    assert_eq!(swizzled(0x1e, 32)[..6], [0, 0, 2, 2, 4, 4]);
    assert_eq!(swizzled(0x1f | 31 << 10, 32), (0..32).rev().collect::<Vec<u64>>());
    // All get lane 5 of their half.
    assert_eq!(swizzled(5 << 5, 64), [[5; 32], [37; 32]].concat());
}

#[test]
fn swizzle_of_quads() {
    assert_eq!(swizzled(0x8000 | 0b00_01_10_11, 32)[..8], [3, 2, 1, 0, 7, 6, 5, 4]);
    assert_eq!(swizzled(0x8000 | 0b01_01_01_01, 32)[..8], [1, 1, 1, 1, 5, 5, 5, 5]);
}

#[test]
fn swizzle_rotates() {
    let left: Vec<u64> = (0..32).map(|lane| (lane + 1) % 32).collect();
    let right: Vec<u64> = (0..32).map(|lane| (lane + 31) % 32).collect();
    assert_eq!(swizzled(0xc000 | 1 << 5, 32), left);
    assert_eq!(swizzled(0xc000 | 1 << 10 | 1 << 5, 32), right);
    // The lowest bit stays: pairs rotate.
    assert_eq!(swizzled(0xc000 | 2 << 5 | 1, 32)[..4], [2, 3, 4, 5]);
    assert_eq!(swizzled(0xc000 | 2 << 5 | 1, 32)[28..], [30, 31, 0, 1]);
}

#[test]
fn swizzle_for_a_fourier_transform() {
    // The tables of the manual, which count from 1.
    let all = [
        0x01, 0x11, 0x09, 0x19, 0x05, 0x15, 0x0d, 0x1d, 0x03, 0x13, 0x0b, 0x1b, 0x07, 0x17, 0x0f, 0x1f, 0x02, 0x12,
        0x0a, 0x1a, 0x06, 0x16, 0x0e, 0x1e, 0x04, 0x14, 0x0c, 0x1c, 0x08, 0x18, 0x10, 0x20,
    ];
    let halves = [
        0x01, 0x09, 0x05, 0x0d, 0x03, 0x0b, 0x07, 0x0f, 0x02, 0x0a, 0x06, 0x0e, 0x04, 0x0c, 0x08, 0x10, 0x11, 0x19,
        0x15, 0x1d, 0x13, 0x1b, 0x17, 0x1f, 0x12, 0x1a, 0x16, 0x1e, 0x14, 0x1c, 0x18, 0x20,
    ];
    assert_eq!(swizzled(0xe000, 32), all.map(|lane| lane - 1));
    assert_eq!(swizzled(0xe010, 32), halves.map(|lane| lane - 1));
    assert_eq!(swizzled(0xe01f, 32), (0..32).collect::<Vec<u64>>());
}

#[test]
fn data_parallel_moves_of_a_row() {
    let row = |control: u64| {
        let mut lanes = moved("llvm.amdgcn.mov.dpp.i32", "i32 (i32, i32, i32, i32, i1)", 64, &[control, 15, 15, 1]);
        lanes.truncate(16);
        lanes
    };
    assert_eq!(row(0x101), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0]);
    assert_eq!(row(0x111), [0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]);
    assert_eq!(row(0x121), [15, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]);
    assert_eq!(row(0x140), [15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
    assert_eq!(row(0x141), [7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8]);
    assert_eq!(row(0x155), [5; 16]);
    assert_eq!(row(0x163), [3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12]);
    assert_eq!(row(0b01_00_11_10), [2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13]);
}

#[test]
fn data_parallel_broadcasts_over_rows() {
    let wave =
        |control: u64| moved("llvm.amdgcn.mov.dpp.i32", "i32 (i32, i32, i32, i32, i1)", 64, &[control, 15, 15, 1]);
    assert_eq!(wave(0x142), [[0; 16], [15; 16], [31; 16], [47; 16]].concat());
    assert_eq!(wave(0x143), [[0; 32], [31; 32]].concat());
    assert_eq!(wave(0x134)[62..], [63, 0]);
    assert_eq!(wave(0x13c)[..2], [63, 0]);
}
