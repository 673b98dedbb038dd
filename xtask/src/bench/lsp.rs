//! How long an editor waits: from an edit to its diagnostics, and for an answer to a question.

use std::fmt::Write as _;
use std::io::BufReader;
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use lsp_server::{Message, Notification, Request, Response};
use serde_json::{Value, json};

/// How many lines each file has, at least.
const LINES: usize = 2_000;
/// How long an edit may take in a file of that size.
const WANTED: Duration = Duration::from_millis(100);

/// A kernel that reduces an array, with loops and barriers, and a number for its name.
pub(super) const CUDA: &str = "__global__ void reduceN(const float *in, float *out, int n) {
    __shared__ float scratch[256];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    float sum = 0.0f;
    for (int at = i; at < n; at += gridDim.x * blockDim.x) {
        float value = in[at];
        if (value > 0.0f)
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
        out[blockIdx.x] = scratch[0];
}
";

/// The same in OpenCL C.
const OPENCL: &str = "kernel void reduceN(global const float *in, global float *out, int n) {
    local float scratch[256];
    int t = get_local_id(0);
    int i = get_global_id(0);
    float sum = 0.0f;
    for (int at = i; at < n; at += get_global_size(0)) {
        float value = in[at];
        if (value > 0.0f)
            sum += value;
    }
    scratch[t] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int width = get_local_size(0) / 2; width > 0; width /= 2) {
        if (t < width)
            scratch[t] += scratch[t + width];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (t == 0)
        out[get_group_id(0)] = scratch[0];
}
";

/// What makes the barrier of a kernel one that not all threads reach.
const BROKEN: (&str, &str) = ("scratch[t + width];\n        ", "scratch[t + width],\n        ");

/// Prints how long an editor waits for each language, beside a whole `check` of the same file: where one kernel has a barrier that not all threads reach, and where all have.
pub(super) fn lsp(binary: &Path, runs: usize) -> Result<()> {
    let folder = tempfile::tempdir().context("no folder for the files")?;
    let lower = |source: &str| -> Result<String> {
        let file = folder.path().join("some.cu");
        std::fs::write(&file, source)?;
        let lowered =
            Command::new(binary).args(["lower", "-q", "-o", "-"]).arg(&file).output().context("running lower")?;
        ensure!(lowered.status.success(), "lower refuses the kernels");
        String::from_utf8(lowered.stdout).context("IR is text")
    };
    for findings in [1, usize::MAX] {
        let cuda = |lines| repeated(CUDA, lines, findings);
        let inputs = [
            ("kernel.cu", cuda(LINES), "t < width"),
            ("kernel.cl", repeated(OPENCL, LINES, findings), "t < width"),
            // The IR of some of these kernels has as many lines as all of their source.
            ("kernel.ll", lower(&cuda(LINES / 9))?, "icmp"),
        ];
        for (name, text, place) in inputs {
            let file = folder.path().join(name);
            std::fs::write(&file, &text)?;
            let which = if findings == 1 { "a finding in one kernel" } else { "a finding in each kernel" };
            println!("input: {name}, {} lines, {which}", text.lines().count());
            let checked = check(binary, &file, runs)?;
            let mut editor = Editor::start(binary)?;
            let latencies = editor.drive(&file, &text, place, runs)?;
            editor.end()?;
            latencies.into_iter().for_each(|(what, times)| print(what, times, checked));
        }
    }
    Ok(())
}

fn print(what: &str, mut times: Vec<Duration>, checked: Duration) {
    times.sort_unstable();
    let (median, worst) = (times[times.len() / 2], times[times.len() - 1]);
    let verdict = if worst <= WANTED { "within" } else { "more than" };
    println!(
        "  {what:<28} {:>7.1} ms (median)  {:>7.1} ms (slowest of {}): {verdict} {} ms, {:.2}x the time of a check",
        median.as_secs_f64() * 1e3,
        worst.as_secs_f64() * 1e3,
        times.len(),
        WANTED.as_millis(),
        median.as_secs_f64() / checked.as_secs_f64()
    );
}

/// So many copies of a kernel, each with a name of its own, that there are so many lines; the first `findings` of them broken.
pub(super) fn repeated(kernel: &str, lines: usize, findings: usize) -> String {
    let copies = lines.div_ceil(kernel.lines().count() + 1);
    (0..copies).fold(String::new(), |mut text, number| {
        let own = kernel.replacen('N', &number.to_string(), 1);
        let own = if number < findings { own.replacen(BROKEN.0, BROKEN.1, 1) } else { own };
        let _ = writeln!(text, "{own}");
        text
    })
}

/// The fastest check of a file, as a process.
fn check(binary: &Path, file: &Path, runs: usize) -> Result<Duration> {
    let mut best = Duration::MAX;
    for _ in 0..runs.max(1) {
        let start = Instant::now();
        let output = Command::new(binary).args(["check", "-q"]).arg(file).output().context("running check")?;
        ensure!(matches!(output.status.code(), Some(0 | 1)), "check cannot read {}", file.display());
        best = best.min(start.elapsed());
    }
    println!("  {:<28} {:>7.1} ms (fastest)", "reconverge check", best.as_secs_f64() * 1e3);
    Ok(best)
}

/// A scripted editor with a server of its own.
struct Editor {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    requests: i32,
}

impl Editor {
    fn start(binary: &Path) -> Result<Editor> {
        let mut server = Command::new(binary);
        server.arg("lsp").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = server.spawn().context("running lsp")?;
        let input = child.stdin.take().context("no standard input")?;
        let output = BufReader::new(child.stdout.take().context("no standard output")?);
        let mut editor = Editor { child, input, output, requests: 0 };
        editor.ask("initialize", json!({ "capabilities": {} }))?;
        editor.notify("initialized", json!({}))?;
        Ok(editor)
    }

    fn notify(&mut self, method: &str, params: Value) -> Result<()> {
        Message::from(Notification { method: method.to_owned(), params })
            .write(&mut self.input)
            .context("the server is gone")
    }

    fn ask(&mut self, method: &str, params: Value) -> Result<Value> {
        self.requests += 1;
        let request = Request { id: self.requests.into(), method: method.to_owned(), params };
        let id = request.id.clone();
        Message::from(request).write(&mut self.input).context("the server is gone")?;
        loop {
            match self.receive()? {
                Message::Response(Response { id: of, result: Some(result), .. }) if of == id => return Ok(result),
                Message::Response(Response { id: of, error, .. }) if of == id => bail!("{method}: {error:?}"),
                _ => {}
            }
        }
    }

    fn receive(&mut self) -> Result<Message> {
        Message::read(&mut self.output).context("no message")?.context("the server is gone")
    }

    /// Waits for what is published of a version.
    fn published(&mut self, version: usize) -> Result<()> {
        loop {
            if let Message::Notification(Notification { method, params }) = self.receive()?
                && method == "textDocument/publishDiagnostics"
                && params["version"] == version
            {
                return Ok(());
            }
        }
    }

    /// Opens a file, types, and asks at a place in its middle: how long each takes.
    fn drive(
        &mut self,
        file: &Path,
        text: &str,
        place: &str,
        runs: usize,
    ) -> Result<[(&'static str, Vec<Duration>); 4]> {
        let uri = format!("file://{}", file.display());
        let start = Instant::now();
        let document = json!({ "uri": uri, "languageId": "", "version": 1, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }))?;
        self.published(1)?;
        let opened = start.elapsed();
        let middle = text.len() / 2;
        let at =
            middle + text.get(middle..).and_then(|rest| rest.find(place)).context("the place is not in the text")?;
        let line = text[..at].matches('\n').count();
        let column = at - text[..at].rfind('\n').map_or(0, |newline| newline + 1);
        let (mut edits, mut hovers, mut hints) = (Vec::new(), Vec::new(), Vec::new());
        for version in 2..runs.max(1) + 2 {
            // A line more in the middle of the file.
            let position = json!({ "line": line, "character": 0 });
            let change = json!({ "range": { "start": position, "end": position }, "text": "\n" });
            let start = Instant::now();
            let document = json!({ "uri": uri, "version": version });
            self.notify("textDocument/didChange", json!({ "textDocument": document, "contentChanges": [change] }))?;
            self.published(version)?;
            edits.push(start.elapsed());
            let place = json!({ "line": line + version - 1, "character": column });
            let start = Instant::now();
            let told = self.ask("textDocument/hover", json!({ "textDocument": { "uri": uri }, "position": place }))?;
            hovers.push(start.elapsed());
            ensure!(!told.is_null(), "nothing is known of the place");
            let all = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 1_000_000, "character": 0 } });
            let start = Instant::now();
            self.ask("textDocument/inlayHint", json!({ "textDocument": { "uri": uri }, "range": all }))?;
            hints.push(start.elapsed());
        }
        Ok([
            ("opened, until diagnostics", vec![opened]),
            ("edit, until diagnostics", edits),
            ("hover", hovers),
            ("inlay hints", hints),
        ])
    }

    fn end(mut self) -> Result<()> {
        self.ask("shutdown", Value::Null).ok();
        self.notify("exit", Value::Null)?;
        ensure!(self.child.wait().context("waiting for the server")?.success(), "the server did not end well");
        Ok(())
    }
}
