//! Prints a module of random functions: `cargo run -p reconverge-testing --example random -- SEED COUNT`.

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<u64> = std::env::args().skip(1).filter_map(|argument| argument.parse().ok()).collect();
    let [seed, count] = arguments[..] else {
        eprintln!("usage: random SEED COUNT");
        return ExitCode::from(2);
    };
    print!("{}", reconverge_testing::random::module(seed, count as usize));
    ExitCode::SUCCESS
}
