//! `run` against `oclgrind-kernel`, each on one thread: the same OpenCL C source and the same data.
//!
//! Times are those that the processor worked, since both are on one thread; only scaling is by the clock.
//!
//! Both count instructions of LLVM IR that threads execute: Oclgrind those of its own compiler, Reconverge those of clang at `-O2`. Neither
//! looks for what it does not look for by default: Oclgrind for no data races, Reconverge for all; a row without says what that costs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use reconverge_testing::llvm::Tools;

use super::Runs;
use crate::measure::{Condition, Contender, Measured, measure};

/// A kernel and what to run it on.
struct Input {
    name: &'static str,
    source: &'static str,
    /// Workgroups, and threads of each, in x and y.
    grid: [u32; 2],
    block: [u32; 2],
    /// For each parameter what Oclgrind and Reconverge call it.
    arguments: &'static [(&'static str, &'static str)],
}

const LCG: &str = "kernel void lcg(global uint *out, uint n) {
  uint id = get_global_id(0), x = id + 1; local uint tmp[64];
  for (uint i = 0; i < n; i++) { x = x * 1664525u + 1013904223u; if (x & 1u) x ^= x >> 7; }
  tmp[get_local_id(0)] = x; barrier(CLK_LOCAL_MEM_FENCE); out[id] = tmp[63 - get_local_id(0)];
}
";

/// Threads loop for different numbers of rounds, and go one of two ways in each.
const DIVERGENT: &str = "kernel void divergent(global uint *out, uint n) {
  uint id = get_global_id(0), x = id + 1, turns = n / 2 + id * 2654435761u % n;
  for (uint i = 0; i < turns; i++) {
    x = x * 1664525u + 1013904223u;
    if (x & 0x10000u)
      x ^= x / (id | 1u);
    else
      out[id] = x >> 7;
  }
  out[id] ^= x;
}
";

/// As before, with loops in both arms that end when the data say so: most of the time few threads of a group are at the same place.
const NESTED: &str = "kernel void nested(global uint *out, uint n) {
  uint id = get_global_id(0), x = id * 2654435761u + 1, turns = n / 2 + x % n, sum = 0;
  for (uint i = 0; i < turns; i++) {
    x = x * 1664525u + 1013904223u;
    if (x >> 30 == 0) {
      for (uint y = x; y > 1; y /= 3)
        sum += y & i;
    } else if (x & 0x4000) {
      uint y = x;
      while (!(y & 0x8000))
        y = y * 5 + 1;
      sum ^= y;
    }
  }
  out[id] = sum;
}
";

const MATMUL: &str = "#define TILE 8
kernel void matmul(global const float *a, global const float *b, global float *c, uint n) {
  local float left[TILE][TILE], right[TILE][TILE];
  uint x = get_local_id(0), y = get_local_id(1), column = get_global_id(0), row = get_global_id(1);
  float sum = 0.0f;
  for (uint tile = 0; tile < n; tile += TILE) {
    left[y][x] = a[row * n + tile + x];
    right[y][x] = b[(tile + y) * n + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < TILE; ++k)
      sum += left[y][k] * right[k][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * n + column] = sum;
}
";

const INPUTS: [Input; 4] = [
    Input {
        name: "lcg",
        source: LCG,
        grid: [16, 1],
        block: [64, 1],
        arguments: &[("<size=4096 fill=0 uint>", "out=u32[1024]"), ("<size=4 uint>\n20000", "n=20000")],
    },
    Input {
        name: "divergent",
        source: DIVERGENT,
        grid: [16, 1],
        block: [64, 1],
        arguments: &[("<size=4096 fill=0 uint>", "out=u32[1024]"), ("<size=4 uint>\n4000", "n=4000")],
    },
    Input {
        name: "nested",
        source: NESTED,
        grid: [16, 1],
        block: [64, 1],
        arguments: &[("<size=4096 fill=0 uint>", "out=u32[1024]"), ("<size=4 uint>\n1000", "n=1000")],
    },
    Input {
        name: "matmul",
        source: MATMUL,
        grid: [16, 16],
        block: [8, 8],
        arguments: &[
            ("<size=65536 range=0:1:16383 float>", "a=f32[16384]{iota}"),
            ("<size=65536 range=0:1:16383 float>", "b=f32[16384]{iota}"),
            ("<size=65536 fill=0 float>", "c=f32[16384]"),
            ("<size=4 uint>\n128", "n=128"),
        ],
    },
];

/// More groups of the first kernel, and larger ones of the second, which has no memory of the group.
const MORE: Input = Input { grid: [256, 1], arguments: &[("", "out=u32[16384]"), ("", "n=2000")], ..INPUTS[0] };
const LARGER: Input = Input { grid: [1, 1], arguments: &[("", "out=u32[16384]"), ("", "n=20")], ..INPUTS[1] };

pub(super) fn exec(binary: &Path, runs: &Runs) -> Result<()> {
    let (tools, folder) = (Tools::locate()?, tempfile::tempdir()?);
    for input in &INPUTS {
        let files = Files::write(input, &tools, folder.path())?;
        let peer = files.oclgrind(&[]);
        let ours = |more: &[&str]| files.run(binary, input, input.block, &[&["-j", "1"], more].concat());
        let contenders = [peer, ours(&[]), ours(&["--no-races"])];
        let counts = [files.count_of_oclgrind()?, count(&contenders[1])?, count(&contenders[2])?];
        println!("input: {}, {} threads in groups of {}", input.name, threads(input), input.block[0] * input.block[1]);
        let measured = measure(&contenders, runs.runs, Condition::AsItComes)?;
        for ((contender, result), count) in contenders.iter().zip(&measured).zip(counts) {
            let seconds = result.processor_time.as_secs_f64();
            println!(
                "  {:<32} {:>8.1} ms  {:>7.1} M instructions, {:>6.1} M/s   {:>5.1}x the speed, {:>4.2}x the memory of the first",
                contender.name,
                seconds * 1e3,
                count as f64 / 1e6,
                count as f64 / 1e6 / seconds,
                measured[0].processor_time.as_secs_f64() / seconds,
                result.peak_memory as f64 / measured[0].peak_memory as f64,
            );
        }
    }
    scaling(binary, &Files::write(&INPUTS[0], &tools, folder.path())?, runs)?;
    memory(binary, &Files::write(&INPUTS[1], &tools, folder.path())?)
}

/// For each kernel its name, its module, and the words of a command that runs it on one thread.
pub(super) fn commands(tools: &Tools, folder: &Path) -> Result<Vec<(&'static str, String, Vec<String>)>> {
    let command = |input: &Input| {
        let files = Files::write(input, tools, folder)?;
        let words = files.run(Path::new(""), input, input.block, &["-j", "1"]).command;
        Ok((input.name, files.module.display().to_string(), words[1..].to_vec()))
    };
    INPUTS.iter().map(command).collect()
}

/// How much faster two threads of the host are, over many workgroups.
fn scaling(binary: &Path, files: &Files, runs: &Runs) -> Result<()> {
    let on = |jobs: &str| files.run(binary, &MORE, MORE.block, &["-j", jobs]);
    let [one, two]: [Measured; 2] =
        measure(&[on("1"), on("2")], runs.runs, Condition::AsItComes)?.try_into().expect("as many as contenders");
    let [one, two] = [one, two].map(|measured| measured.time.as_secs_f64() * 1e3);
    println!("scaling: lcg in 256 groups, -j 1: {one:.1} ms, -j 2: {two:.1} ms, {:.2}x the speed", one / two);
    Ok(())
}

/// How many threads a group has, at least and at most, where memory for each is measured.
const FEW: u32 = 64;
const MANY: u32 = 16 << 10;

/// How much more memory a run of one large group needs than one of a small group, for each thread.
fn memory(binary: &Path, files: &Files) -> Result<()> {
    let of = |threads: u32| files.run(binary, &LARGER, [threads, 1], &["-j", "1"]);
    let measured = measure(&[of(FEW), of(MANY)], 3, Condition::AsItComes)?;
    let more = measured[1].peak_memory.saturating_sub(measured[0].peak_memory);
    let each = more as f64 / f64::from(MANY - FEW);
    println!("memory: {each:.0} bytes for each thread of a group, registers and results included");
    Ok(())
}

fn threads(input: &Input) -> u32 {
    input.grid.iter().chain(&input.block).product()
}

/// What is on disk of an input: the simulator's description beside the source, and the IR.
struct Files {
    folder: PathBuf,
    simulation: PathBuf,
    module: PathBuf,
}

impl Files {
    fn write(input: &Input, tools: &Tools, folder: &Path) -> Result<Files> {
        let at = |extension: &str| folder.join(input.name).with_extension(extension);
        fs::write(at("cl"), input.source)?;
        let ([gx, gy], [bx, by]) = (input.grid, input.block);
        let mut simulation =
            format!("{}\n{}\n{} {} 1\n{bx} {by} 1\n", at("cl").display(), input.name, gx * bx, gy * by);
        for (argument, _) in input.arguments {
            simulation += &format!("{argument}\n");
        }
        fs::write(at("sim"), simulation)?;
        let flags = "-x cl -cl-std=CL1.2 -Xclang -finclude-default-header -target spir64 -O2 -fno-discard-value-names -emit-llvm -S -o";
        let status = Command::new(&tools.clang).args(flags.split(' ')).arg(at("ll")).arg(at("cl")).status()?;
        ensure!(status.success(), "clang rejects {}", input.name);
        Ok(Files { folder: folder.to_owned(), simulation: at("sim"), module: at("ll") })
    }

    fn oclgrind(&self, more: &[&str]) -> Contender {
        let file = self.simulation.display().to_string();
        let words = [&["oclgrind-kernel", "--num-threads", "1"], more, &[&file]].concat();
        Contender {
            name: "oclgrind-kernel --num-threads 1".to_owned(),
            command: words.iter().map(|word| (*word).to_owned()).collect(),
            accepted: &[0],
        }
    }

    /// How many instructions the simulator executes, by its histogram.
    fn count_of_oclgrind(&self) -> Result<u64> {
        let command = self.oclgrind(&["--inst-counts"]).command;
        let output = Command::new(&command[0]).args(&command[1..]).current_dir(&self.folder).output();
        let output = output.context("cannot run oclgrind-kernel")?;
        let text = String::from_utf8(output.stdout)?;
        let lines = text.lines().filter_map(|line| line.split_once(" - "));
        let count = lines.filter_map(|(count, _)| count.trim().parse::<u64>().ok()).sum();
        ensure!(count > 0, "oclgrind-kernel counts nothing: {text}");
        Ok(count)
    }

    fn run(&self, binary: &Path, input: &Input, block: [u32; 2], more: &[&str]) -> Contender {
        let mut command = vec![binary.display().to_string(), "run".to_owned(), self.module.display().to_string()];
        for (option, [x, y]) in [("--grid", input.grid), ("--block", block)] {
            command.extend([option.to_owned(), format!("{x},{y}")]);
        }
        for (_, argument) in input.arguments {
            command.extend(["--arg".to_owned(), (*argument).to_owned()]);
        }
        command.extend(more.iter().map(|word| (*word).to_owned()));
        Contender { name: format!("reconverge run {}", more.join(" ")), command, accepted: &[0] }
    }
}

/// How many instructions a run of ours executes.
fn count(contender: &Contender) -> Result<u64> {
    let mut command = Command::new(&contender.command[0]);
    let output = command.args(&contender.command[1..]).args(["--format", "json"]).output()?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout)?;
    answer["instructions"].as_u64().context("the answer has no number of instructions")
}
