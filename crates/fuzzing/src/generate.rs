//! From a seed to an input.

use reconverge_testing::random::kernels::Kernel;
use reconverge_testing::random::source::SourceKernel;
use reconverge_testing::random::{self, SplitMix64};

use crate::input::{Input, Kind, Verb};
use crate::seeds::Seeds;
use crate::{ir, source};

/// The input of a seed.
pub fn generate(verb: Verb, seed: u64, seeds: &Seeds) -> Input {
    let mut rng = SplitMix64::new(seed.wrapping_mul(31) ^ (verb as u64) << 56 ^ 0xf0_22ed);
    let choices = rng.next_u64();
    let mut second = None;
    let (kind, text) = match verb {
        Verb::Lower => source_text(&mut rng, seeds),
        Verb::Trace | Verb::Command if rng.percent(20) => source_text(&mut rng, seeds),
        Verb::Run if rng.percent(15) => source_text(&mut rng, seeds),
        Verb::Report | Verb::Lsp if rng.percent(65) => source_text(&mut rng, seeds),
        Verb::Validate => {
            let tree = ir_tree(&mut rng, seeds);
            // The program before is mostly one that runs as it is.
            let before = if rng.percent(75) { tree.print() } else { ir::mutate(rng.next_u64(), &tree, &seeds.ir) };
            let times = 1 + rng.below(2);
            second = Some(ir::mutate_times(rng.next_u64(), times, &tree, &seeds.ir));
            (Kind::Ir, before)
        }
        Verb::Explain => (Kind::Plain, Vec::new()),
        Verb::Launch => (Kind::Plain, crate::drive::launch::text(&mut rng).into_bytes()),
        Verb::Target => (Kind::Plain, target(&mut rng, seeds)),
        Verb::Machine => (Kind::Machine, machine(&mut rng, seeds)),
        Verb::Bisect => {
            let (tree, mut dump) = (ir_tree(&mut rng, seeds), Vec::new());
            for number in 0..rng.below(6) {
                let header = [
                    "simplifycfg on f",
                    "LICMPass on loop %l in function f",
                    "x on [module]",
                    "",
                    "GVN on (f, g) (invalidated)",
                ];
                dump.extend(
                    format!(
                        "BISECT: running pass ({number}) p on f\n; *** IR Dump After {} ***\n",
                        header[rng.below(5)]
                    )
                    .bytes(),
                );
                dump.extend(ir::mutate(rng.next_u64(), &tree, &seeds.ir));
            }
            second = Some(dump);
            (Kind::Ir, tree.print())
        }
        // The arguments of these are known.
        Verb::Command if rng.percent(60) => {
            let tree = ir::Tree::read(Kernel::random(rng.next_u64()).text.as_bytes()).unwrap_or_default();
            let times = rng.below(2);
            (Kind::Ir, ir::mutate_times(rng.next_u64(), times, &tree, &seeds.ir))
        }
        _ => ir_text(&mut rng, seeds),
    };
    if verb == Verb::Command && rng.percent(40) {
        second = Some(ir_text(&mut rng, seeds).1);
    }
    Input { verb, kind, text, second, choices }
}

/// A module before changes.
fn ir_tree(rng: &mut SplitMix64, seeds: &Seeds) -> ir::Tree {
    if rng.percent(35) || seeds.ir.is_empty() {
        let text = match rng.below(4) {
            0 => random::module_with(
                rng.next_u64(),
                1 + rng.below(3),
                &random::Options { broken_percent: 20, ..Default::default() },
            ),
            _ => Kernel::random(rng.next_u64()).text,
        };
        return ir::Tree::read(text.as_bytes()).unwrap_or_default();
    }
    rng.pick(&seeds.ir).cloned().unwrap_or_default()
}

fn ir_text(rng: &mut SplitMix64, seeds: &Seeds) -> (Kind, Vec<u8>) {
    let tree = ir_tree(rng, seeds);
    (Kind::Ir, ir::mutate(rng.next_u64(), &tree, &seeds.ir))
}

fn source_text(rng: &mut SplitMix64, seeds: &Seeds) -> (Kind, Vec<u8>) {
    let (extension, tree) = match rng.pick(&seeds.source) {
        Some((extension, tree)) if !rng.percent(20) => (*extension, tree.clone()),
        _ => ("cl", source::Tree::read(&SourceKernel::random(rng.next_u64()).text)),
    };
    // Another language now and then.
    let extension = if rng.percent(3) { ["cl", "cu", "hip", "c", "cpp"][rng.below(5)] } else { extension };
    (Kind::Source(extension), source::mutate(rng.next_u64(), &tree, &seeds.source_trees))
}

/// A target file with other lines, words and numbers.
fn target(rng: &mut SplitMix64, seeds: &Seeds) -> Vec<u8> {
    let values =
        ["-1", "18446744073709551615", "true", "\"workgroup\"", "[]", "{}", "[\"*\"]", "1.5", "\"**\"", "99999"];
    let text = rng.pick(&seeds.targets).map(|text| String::from_utf8_lossy(text).into_owned());
    changed_lines(rng, &text.unwrap_or_default(), &values, &['"', '[', '=', '*', '#', 'é'])
}

/// Machine IR with other lines, operands and registers.
fn machine(rng: &mut SplitMix64, seeds: &Seeds) -> Vec<u8> {
    let values = [
        "COPY $vgpr0",
        "PHI %0, %bb.0, %1, %bb.1",
        "IMPLICIT_DEF",
        "S_CBRANCH_SCC1 %bb.99, implicit $scc",
        "V_READFIRSTLANE_B32 %0, implicit $exec",
        "SI_IF %0, %bb.2, implicit-def $exec",
        "G_PHI",
        "%4294967296:vgpr_32",
        "INLINEASM &\"",
        "undef %0.sub0:vreg_64",
    ];
    let text = rng.pick(&seeds.machine).map(|text| String::from_utf8_lossy(text).into_owned());
    changed_lines(rng, &text.unwrap_or_default(), &values, &['%', ':', '=', '$', '(', 'é', '\''])
}

/// A text with a line or two that are gone, elsewhere, twice, or have another part behind the `=`: that of another line, or one of some values; or another letter.
fn changed_lines(rng: &mut SplitMix64, text: &str, values: &[&str], letters: &[char]) -> Vec<u8> {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for _ in 0..[0, 1, 1, 2][rng.below(4)] {
        if lines.is_empty() {
            break;
        }
        let (at, to) = (rng.below(lines.len()), rng.below(lines.len()));
        match rng.below(6) {
            0 => drop(lines.remove(at)),
            1 => lines.swap(at, to),
            2 => {
                let copy = lines[at].clone();
                lines.insert(to, copy);
            }
            3 => {
                let other = lines[to].split('=').nth(1).unwrap_or("7").to_owned();
                let key = lines[at].split('=').next().unwrap_or_default().to_owned();
                lines[at] = format!("{key}={other}");
            }
            4 => {
                let value = values[rng.below(values.len())];
                let key = lines[at].split('=').next().unwrap_or_default().to_owned();
                lines[at] = format!("{key}= {value}");
            }
            _ => {
                let line = &mut lines[at];
                let place =
                    (0..=line.len()).rev().nth(rng.below(line.len() + 1)).filter(|&at| line.is_char_boundary(at));
                line.insert(place.unwrap_or(0), letters[rng.below(letters.len())]);
            }
        }
    }
    lines.join("\n").into_bytes()
}
