//! Functions too large for a recursive or quadratic algorithm.

use std::fmt::Write;

use super::{DECLARATIONS, SplitMix64};

/// A module with one function: `depth` loops inside each other, each with its heart and an operation, all valid.
///
/// Loop *i* has header `h{i}` and latch `x{i}`; there are `2 * depth + 2` blocks. `depth` is at least 1.
pub fn deep_nest(depth: usize) -> String {
    let mut text = format!("{DECLARATIONS}\ndefine void @nest(i1 %c) convergent {{\nentry:\n");
    text.push_str("  %t0 = call token @llvm.experimental.convergence.entry()\n");
    for level in 1..=depth {
        let outer = level - 1;
        line(&mut text, format_args!("  br label %h{level}\nh{level}:"));
        line(
            &mut text,
            format_args!(
                "  %t{level} = call token @llvm.experimental.convergence.loop() \
                 [ \"convergencectrl\"(token %t{outer}) ]"
            ),
        );
        line(&mut text, format_args!("  call void @op(i32 {level}) [ \"convergencectrl\"(token %t{level}) ]"));
    }
    line(&mut text, format_args!("  br label %x{depth}\nx{depth}:"));
    for level in (1..=depth).rev() {
        let next = if level == 1 { "end".to_owned() } else { format!("x{}", level - 1) };
        line(&mut text, format_args!("  br i1 %c, label %h{level}, label %{next}\n{next}:"));
    }
    text.push_str("  ret void\n}\n");
    text
}

/// A module with one function: `blocks` blocks one after another, each with an operation on the entry token.
pub fn chain(blocks: usize) -> String {
    let mut text = format!("{DECLARATIONS}\ndefine void @chain() convergent {{\nentry:\n");
    text.push_str("  %t = call token @llvm.experimental.convergence.entry()\n");
    for block in 1..blocks {
        line(&mut text, format_args!("  br label %b{block}\nb{block}:"));
        line(&mut text, format_args!("  call void @op(i32 {block}) [ \"convergencectrl\"(token %t) ]"));
    }
    text.push_str("  ret void\n}\n");
    text
}

/// A module with one function of `blocks` blocks and random branches, without tokens: mostly short edges forward, one
/// block in eight with an edge back (short or long), so that cycles nest, overlap and are partly irreducible.
pub fn big_cfg(blocks: usize, seed: u64) -> String {
    let mut rng = SplitMix64::new(seed);
    let mut text = String::from("define void @big(i1 %c) {\nb0:\n");
    for block in 0..blocks {
        if block > 0 {
            line(&mut text, format_args!("b{block}:"));
        }
        let next = block + 1;
        if next >= blocks {
            text.push_str("  ret void\n");
        } else if rng.percent(12) && block > 0 {
            let span = if rng.percent(10) { block } else { block.min(20) };
            let to = (block - rng.below(span)).max(1);
            line(&mut text, format_args!("  br i1 %c, label %b{next}, label %b{to}"));
        } else if rng.percent(50) {
            let to = (next + rng.below(10)).min(blocks - 1);
            line(&mut text, format_args!("  br i1 %c, label %b{next}, label %b{to}"));
        } else {
            line(&mut text, format_args!("  br label %b{next}"));
        }
    }
    text.push_str("}\n");
    text
}

fn line(text: &mut String, content: std::fmt::Arguments<'_>) {
    writeln!(text, "{content}").expect("writing to a string succeeds");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::llvm;

    #[test]
    fn large_shapes_are_valid() {
        let Some(tools) = llvm::tools() else { return };
        for module in [deep_nest(1), deep_nest(40), chain(1), chain(100), big_cfg(1, 1), big_cfg(3000, 9)] {
            let verdict = tools.verify(&module).unwrap();
            assert!(verdict.accepted, "{}\n{module}", verdict.output);
        }
    }

    #[test]
    fn a_nest_is_as_deep_as_asked() {
        let Some(tools) = llvm::tools() else { return };
        let functions = tools.cycles(&deep_nest(30)).unwrap();
        assert_eq!(functions[0].cycles.iter().map(|cycle| cycle.depth).max(), Some(30));
    }

    #[test]
    fn a_big_graph_has_cycles_with_two_entries() {
        let Some(tools) = llvm::tools() else { return };
        let functions = tools.cycles(&big_cfg(2000, 1)).unwrap();
        let cycles = &functions[0].cycles;
        assert!(cycles.iter().any(|cycle| cycle.entries.len() > 1), "{cycles:?}");
        assert!(cycles.iter().any(|cycle| cycle.depth > 2));
    }
}
