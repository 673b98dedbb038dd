//! How fast parsing is: `cargo test --release -p reconverge-lang --test syntax -- --ignored --nocapture speed`.

use std::time::Instant;

use reconverge_lang::options::Dialect;
use reconverge_lang::syntax;
use reconverge_lang::token::Symbols;

use crate::cases::kernels;
use crate::support::tokenize;

#[test]
#[ignore = "measures, and is of use in a release build only"]
fn speed() {
    let mut text = String::new();
    let kernels: Vec<String> = kernels()
        .into_iter()
        .filter(|(_, dialect)| *dialect == Dialect::OpenCl)
        .map(|(path, _)| std::fs::read_to_string(path).expect("a kernel"))
        .map(|text| text.lines().filter(|line| !line.starts_with("//")).map(|line| format!("{line}\n")).collect())
        .collect();
    while text.len() < 20_000_000 {
        kernels.iter().for_each(|kernel| text += kernel);
    }
    let mut symbols = Symbols::default();
    let tokens = tokenize(&text, &mut symbols);
    for _ in 0..3 {
        let begin = Instant::now();
        let parsed = syntax::parse(&tokens, &mut symbols, Dialect::OpenCl);
        let seconds = begin.elapsed().as_secs_f64();
        println!(
            "{:.0} MB/s, {:.0} ns for each of {} tokens, {} expressions, {} messages",
            text.len() as f64 / seconds / 1e6,
            seconds * 1e9 / tokens.len() as f64,
            tokens.len(),
            parsed.tree.expressions.len(),
            parsed.diagnostics.len()
        );
    }
}
