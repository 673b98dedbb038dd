//! Prints random programs: `cargo run -p reconverge-testing --example random -- SEED COUNT` a module of functions, and
//! `… -- kernel SEED` a kernel that runs, with what a launch of it has to be like, `… -- source SEED` one in OpenCL C.

use std::process::ExitCode;

use reconverge_testing::random;
use reconverge_testing::random::kernels::Kernel;
use reconverge_testing::random::source::SourceKernel;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match &arguments[..] {
        [word, seed] if word == "kernel" => {
            let Ok(seed) = seed.parse() else { return usage() };
            let kernel = Kernel::random(seed);
            print!("; {:?}\n{}", kernel.shape, kernel.text);
        }
        [word, seed] if word == "source" => {
            let Ok(seed) = seed.parse() else { return usage() };
            print!("{}", SourceKernel::random(seed).text);
        }
        [seed, count] => {
            let (Ok(seed), Ok(count)) = (seed.parse(), count.parse()) else { return usage() };
            print!("{}", random::module(seed, count));
        }
        _ => return usage(),
    }
    ExitCode::SUCCESS
}

fn usage() -> ExitCode {
    eprintln!("usage: random SEED COUNT | random kernel SEED | random source SEED");
    ExitCode::from(2)
}
