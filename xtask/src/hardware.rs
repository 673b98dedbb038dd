//! Whether a GPU and its compiler do what a text of Clang says: a program in CUDA that asks them.
//!
//! `cargo xtask hardware -o ask.cu`, then `nvcc ask.cu -o ask && ./ask` on a machine with a GPU. The program holds random kernels, whose operations are
//! `__activemask()`, so that the result of a thread says with whom it was at each of them; and for each kernel what `reconverge run` has by each of the texts.
//! It prints how many kernels agree. Where a text leaves a choice that changes the result, the kernel is not counted for that text.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use clap::Args;
use reconverge_testing::random::source::{SourceKernel, Structure};

use crate::bisect_corpus::build;

#[derive(Debug, Args)]
pub(crate) struct Hardware {
    /// The file to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// How many kernels
    #[arg(long, value_name = "N", default_value_t = 400)]
    kernels: u64,
    /// The seed of the first kernel
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// With `goto`, and with `case` inside of other statements
    #[arg(long)]
    jumps: bool,
    /// The binary [default: built for this]
    #[arg(long, value_name = "PATH")]
    binary: Option<PathBuf>,
}

const TEXTS: [&str; 3] = ["clang-2025-04", "tangles-2024-10", "clang-2025-08"];

/// In front of the kernels. An operation says who executes it.
const HEAD: &str = "\
#include <cstdio>

#define ASK(n) (x = x * 1664525u + 1013904223u, (x >> 16) % n != 0)
#define MORE(n) (fuel != 0 && (fuel--, ASK(n)))
#define op(n) (__activemask() * 33u + (n))

";

/// Behind the kernels and their cases.
const MAIN: &str = r#"
int main(int count, char **) {
  const int cases = sizeof(kernels) / sizeof(kernels[0]);
  int defined[3] = {}, same[3] = {}, none = 0;
  unsigned *data, *out;
  if (cudaMalloc(&data, 32 * sizeof(unsigned)) != cudaSuccess || cudaMalloc(&out, 32 * sizeof(unsigned)) != cudaSuccess) {
    puts("there is no GPU");
    return 2;
  }
  for (const Case &it : kernels) {
    unsigned got[MOST] = {};
    cudaMemcpy(data, it.data, it.threads * sizeof(unsigned), cudaMemcpyHostToDevice);
    it.kernel<<<1, it.threads>>>(data, out);
    cudaError_t error = cudaMemcpy(got, out, it.threads * sizeof(unsigned), cudaMemcpyDeviceToHost);
    if (error != cudaSuccess) {
      printf("seed %llu: %s\n", it.seed, cudaGetErrorString(error));
      return 2;
    }
    bool any = false, is_defined = false;
    for (int text = 0; text < 3; text++) {
      if (!it.defined[text]) continue;
      bool equal = true;
      for (int thread = 0; thread < it.threads; thread++) equal = equal && got[thread] == it.expected[text][thread];
      defined[text]++;
      same[text] += equal;
      any = any || equal;
      is_defined = true;
      if (count > 1 && !equal) printf("seed %llu is not %s\n", it.seed, names[text]);
    }
    none += is_defined && !any;
  }
  printf("%d kernels; %d of them as none of the texts says\n", cases, none);
  for (int text = 0; text < 3; text++)
    printf("%-16s %4d of %4d as it says (%.1f %%)\n", names[text], same[text], defined[text], 100.0 * same[text] / defined[text]);
}
"#;

/// The most threads of a kernel.
const MOST: usize = 8;

impl Hardware {
    pub(crate) fn run(self) -> Result<()> {
        let binary = match &self.binary {
            Some(binary) => binary.clone(),
            None => build()?,
        };
        let folder = tempfile::tempdir()?;
        let structure = if self.jumps { Structure::Any } else { Structure::Structured };
        let (mut kernels, mut cases, mut written) = (String::new(), String::new(), 0);
        for seed in self.seed.. {
            if written == self.kernels {
                break;
            }
            let kernel = SourceKernel::with(seed, structure);
            // Compilers of CUDA do not know the attribute.
            if kernel.text.contains("noconvergent") || !kernel.text.contains("op(") || self.jumps != kernel.jumps {
                continue;
            }
            let data = kernel.data(seed);
            ensure!(data.len() <= MOST, "a kernel has more than {MOST} threads");
            let text = in_cuda(&kernel.text);
            let path = folder.path().join("k.cu");
            std::fs::write(&path, format!("{}{text}", HEAD.replacen("#include <cstdio>\n", "", 1)))?;
            let expected =
                TEXTS.iter().map(|text| expected(&binary, &path, text, &data).with_context(|| format!("seed {seed}")));
            let expected = expected.collect::<Result<Vec<_>>>()?;
            kernels.push_str(&text.replacen("void k(", &format!("void k{seed}("), 1));
            let defined: Vec<String> = expected.iter().map(|it| it.is_some().to_string()).collect();
            let rows: Vec<String> = expected.into_iter().map(|it| row(&it.unwrap_or_default())).collect();
            writeln!(
                cases,
                "  {{{seed}ull, k{seed}, {}, {}, {{{}}}, {{{}}}}},",
                data.len(),
                row(&data),
                defined.join(", "),
                rows.join(", ")
            )?;
            written += 1;
        }
        let names = TEXTS.map(|text| format!("\"{text}\"")).join(", ");
        let text = format!(
            "// Written by `cargo xtask hardware`: random kernels, and who is together in them by the texts of Clang.\n\
             // nvcc ask.cu -o ask && ./ask; with an argument it lists what differs.\n\
             {HEAD}{kernels}\n\
             const int MOST = {MOST};\n\
             static const char *const names[] = {{{names}}};\n\
             struct Case {{\n  unsigned long long seed;\n  void (*kernel)(const unsigned *, unsigned *);\n  int threads;\n  unsigned data[MOST];\n  bool defined[3];\n  unsigned expected[3][MOST];\n}};\n\
             static const Case kernels[] = {{\n{cases}}};\n{MAIN}"
        );
        std::fs::write(&self.output, text).with_context(|| format!("writing {}", self.output.display()))?;
        println!("{written} kernels in {}", self.output.display());
        Ok(())
    }
}

/// A list of C.
fn row(values: &[u32]) -> String {
    let values: Vec<String> = values.iter().map(|value| format!("{value}u")).collect();
    format!("{{{}}}", values.join(", "))
}

/// The kernel without what is in front of it, in CUDA.
fn in_cuda(text: &str) -> String {
    let text = text.split_once("uint op(uint);").map_or(text, |(_, kernel)| kernel).trim_start();
    let changes =
        [("kernel void", "__global__ void"), ("global ", ""), ("uint", "unsigned"), ("get_local_id(0)", "threadIdx.x")];
    changes.iter().fold(text.to_owned(), |text, (from, to)| text.replace(from, to))
}

/// What the threads have by a text; nothing where that is up to the implementation.
fn expected(binary: &Path, path: &Path, text: &str, data: &[u32]) -> Result<Option<Vec<u32>>> {
    let threads = data.len();
    let values: Vec<String> = data.iter().map(u32::to_string).collect();
    let results = ["solo", "maximal"].map(|anchors| {
        let mut command = Command::new(binary);
        command.arg("run").arg(path).args(["--model", text, "--anchor", anchors, "--subgroup", "32", "--no-races"]);
        command.args(["--format", "json", "--no-config", "--block", &threads.to_string()]);
        command.args(["--arg", &format!("data=u32[{threads}]{{{}}}", values.join(","))]);
        let output = command.args(["--arg", &format!("out=u32[{threads}]")]).output().context("running the binary")?;
        let told = || String::from_utf8_lossy(&output.stderr).into_owned();
        let answer: serde_json::Value = serde_json::from_slice(&output.stdout).with_context(told)?;
        let out = answer["buffers"]["out"].as_array().with_context(told)?;
        let out: Option<Vec<u32>> = out.iter().map(|it| u32::try_from(it.as_u64()?).ok()).collect();
        out.context("an element of `out` is no number")
    });
    let [solo, maximal] = results;
    let (solo, maximal) = (solo?, maximal?);
    Ok((solo == maximal).then_some(solo))
}
