//! How long the live page waits: from a question to the whole of its answer.

use std::io::{BufRead, BufReader, Read, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::lsp::{CUDA, repeated};

/// How many lines each program has, at least.
const LINES: usize = 200;
/// How long an answer may take.
const WANTED: Duration = Duration::from_millis(200);

/// A step of a long kernel: a loop that threads leave in different iterations, and a reduction.
const PHASE: &str = "    for (int at = i + N; at < n; at += gridDim.x * blockDim.x) {
        float value = in[at];
        if (value > N.0f)
            sum += value;
    }
    scratch[t] = sum;
    __syncthreads();
    for (int width = blockDim.x / 2; width > 0; width /= 2) {
        if (t < width)
            scratch[t] += scratch[t + width];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x + N] = scratch[0];
    __syncthreads();
";

/// One kernel with so many lines.
fn one_kernel(lines: usize) -> String {
    let phases = lines.div_ceil(PHASE.lines().count());
    let phases: String = (0..phases).map(|number| PHASE.replace('N', &number.to_string())).collect();
    format!(
        "__global__ void phases(const float *in, float *out, int n) {{
    __shared__ float scratch[256];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    float sum = 0.0f;
{phases}}}
"
    )
}

/// Prints how long an edit takes until it is answered: of a file of kernels, and of one long kernel, each without a finding and with one.
pub(super) fn serve(binary: &Path, runs: usize) -> Result<()> {
    let broken = |text: &str| text.replacen("if (t == 0)", "if (t > 7) __syncthreads();\n    if (t == 0)", 1);
    let (many, one) = (repeated(CUDA, LINES, 0), one_kernel(LINES));
    for (name, text) in [("kernels", &many), ("a long kernel", &one)] {
        for (text, which) in [(text.clone(), "nothing wrong"), (broken(text), "a finding")] {
            println!("input: {name}, {} lines, {which}", text.lines().count());
            let server = Server::start(binary)?;
            let (mut times, mut bytes) = (Vec::new(), 0);
            for run in 0..=runs.max(1) {
                // An edit: another number in the middle of the text.
                let text = text.replacen("0.0f", &format!("{run}.5f"), 1);
                let start = Instant::now();
                let answer = server.ask(&text)?;
                times.push(start.elapsed());
                ensure!(answer.starts_with("{\"report\":"), "no report: {answer:.200}");
                bytes = answer.len();
            }
            // The first one finds nothing that is warm.
            print(&mut times[1..], bytes);
        }
    }
    Ok(())
}

fn print(times: &mut [Duration], bytes: usize) {
    times.sort_unstable();
    let (median, worst) = (times[times.len() / 2], times[times.len() - 1]);
    let verdict = if median <= WANTED { "within" } else { "more than" };
    println!(
        "  {:>7.1} ms (median)  {:>7.1} ms (slowest of {}): {verdict} {} ms; {} kB",
        median.as_secs_f64() * 1e3,
        worst.as_secs_f64() * 1e3,
        times.len(),
        WANTED.as_millis(),
        bytes / 1000
    );
}

/// A server of its own.
struct Server {
    child: Child,
    host: String,
    path: String,
}

impl Server {
    fn start(binary: &Path) -> Result<Server> {
        let mut child = Command::new(binary).arg("serve").stdout(Stdio::piped()).spawn().context("running serve")?;
        let mut line = String::new();
        BufReader::new(child.stdout.take().context("no standard output")?).read_line(&mut line)?;
        let address = line.trim().strip_prefix("http://").context("no address")?;
        let (host, path) = address.split_once('/').context("no path")?;
        Ok(Server { child, host: host.to_owned(), path: format!("/{path}") })
    }

    /// What is answered to a program in CUDA.
    fn ask(&self, text: &str) -> Result<String> {
        let question: Value = json!({ "name": "kernel.cu", "language": "cuda", "text": text });
        let body = question.to_string();
        let mut stream = TcpStream::connect(&self.host).context("the server is gone")?;
        let (path, host, length) = (&self.path, &self.host, body.len());
        write!(
            stream,
            "POST {path}answer?client=1 HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}"
        )?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        let (head, body) = answer.split_once("\r\n\r\n").context("no answer")?;
        ensure!(head.starts_with("HTTP/1.1 200"), "refused: {head}");
        ensure!(!head.to_ascii_lowercase().contains("chunked"), "the answer is in pieces");
        Ok(body.to_owned())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It ends in no other way.
        let _gone = self.child.kill();
        let _gone = self.child.wait();
    }
}
