//! Kernels with verdicts: what `check` says of each line of `tests/judged`.
//!
//! A line is a kernel. It ends in what has to be reported there, such as `// error RC0201`; a line without that is right in all launches.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use reconverge_testing::llvm;

use crate::common::{Random, installed, reconverge, root};

/// What is said of a kernel: the severity, and the code.
type Verdict = Option<(String, String)>;

/// The verdicts of a text, by line.
fn marks(text: &str) -> Vec<Verdict> {
    let mark = |line: &str| {
        let (_, mark) = line.rsplit_once("// ")?;
        let (severity, code) = mark.split_once(' ')?;
        ["error", "warning"].contains(&severity).then(|| (severity.to_owned(), code.to_owned()))
    };
    text.lines().map(mark).collect()
}

#[test]
fn kernels_get_the_verdicts_that_a_reader_would_give() {
    let mut confusion = Confusion::default();
    let (mut wrong, mut kernels) = (Vec::new(), 0);
    for path in files() {
        let name = path.to_str().expect("a name in UTF-8");
        let text = std::fs::read_to_string(&path).expect("it can be read");
        let run = reconverge(&["check", "--frontend", "builtin", "--format", "json", name], b"");
        let report: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
        let mut found: BTreeMap<u64, Vec<(String, String)>> = BTreeMap::new();
        for one in report["files"][0]["diagnostics"].as_array().expect("a list") {
            let text = |key: &str| one[key].as_str().expect("a text").to_owned();
            found.entry(one["line"].as_u64().expect("a number")).or_default().push((text("severity"), text("code")));
        }
        for ((number, line), expected) in (1..).zip(text.lines()).zip(marks(&text)) {
            let said = found.remove(&number).unwrap_or_default();
            if !is_kernel(line) {
                assert!(said.is_empty(), "{name}:{number}: {said:?}");
                continue;
            }
            kernels += 1;
            confusion.add(expected.as_ref().map(|one| &*one.0), said.first().map(|one| &*one.0));
            if said != Vec::from_iter(expected.clone()) {
                wrong.push(format!("{name}:{number}: {said:?} and not {expected:?}: {line}"));
            }
        }
    }
    confusion.print("built-in");
    assert!(kernels >= 290, "{kernels} kernels");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// How often kernels with one verdict are reported with another.
#[derive(Default)]
struct Confusion(BTreeMap<[String; 2], usize>);

impl Confusion {
    fn add(&mut self, expected: Option<&str>, said: Option<&str>) {
        let name = |severity: Option<&str>| severity.unwrap_or("nothing").to_owned();
        *self.0.entry([name(expected), name(said)]).or_default() += 1;
    }

    fn print(&self, reading: &str) {
        for ([expected, said], count) in &self.0 {
            println!("{reading:12} {expected:8} reported as {said:8} {count}");
        }
    }
}

/// The files with kernels, by name.
fn files() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root().join("tests/judged")).expect("it is there");
    let mut paths: Vec<PathBuf> =
        entries.map(|entry| entry.expect("a file").path()).filter(|path| path.is_file()).collect();
    paths.sort();
    paths
}

fn is_kernel(line: &str) -> bool {
    line.contains("__global__ void") || line.contains("__kernel")
}

/// Whether kernels are about what clang's IR does not say: that a lambda has no more than a copy of a constant object, what a load in inline assembly reads, and
/// which expression a load is of in which a function is called.
fn is_more_than_ir(path: &Path) -> bool {
    ["lambdas.cu", "assembly.cu", "views.cu"].iter().any(|name| path.ends_with(name))
}

/// Whether kernels are templates, which no compiler has code of where the file does not use them.
fn has_templates(text: &str) -> bool {
    text.contains("> __global__")
}

/// The name of a kernel, from its line: the word before the parameters, which start with a type.
fn name_of(line: &str) -> Option<&str> {
    let starts = ["(int", "(__global", "(Box", "(unsigned"];
    let end = starts.iter().filter_map(|start| line.find(start)).min()?;
    line[..end].rsplit(' ').next()
}

/// What clang is told, by the end of a file's name: for each target that the language is compiled for.
fn readings(extension: &str) -> Vec<(&'static str, String)> {
    let folder = root().join("tests/judged/clang");
    match extension {
        "cu" => vec![(
            "nvptx",
            format!(
                "-x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_70 -Xclang -target-feature -Xclang +ptx70 -include {0}/cuda.h -I{0}",
                folder.display()
            ),
        )],
        "cl" => [
            ("amdgpu", "-target amdgcn-amd-amdhsa -mcpu=gfx900 -nogpulib"),
            ("spirv", "-target spirv64"),
            ("nvptx", "-target nvptx64-nvidia-cuda"),
        ]
        .map(|(target, flags)| {
            let flags = format!("-x cl -cl-std=CL3.0 -Xclang -finclude-default-header -Xclang -cl-ext=+all {flags}");
            (target, flags)
        })
        .to_vec(),
        _ => Vec::new(),
    }
}

/// The severities that are reported of the kernels of a file as clang compiles it, by name.
fn severities(path: &Path, flags: &str, level: &str, output: &Path) -> BTreeMap<String, String> {
    let mut command = Command::new("clang-22");
    command.args(flags.split(' ')).args(level.split(' ')).args(["-g", "-S", "-emit-llvm", "-w"]);
    let run = llvm::output(command.arg(path).arg("-o").arg(output)).expect("clang starts");
    assert!(run.status.success(), "{}: {}", path.display(), String::from_utf8_lossy(&run.stderr));
    let run = reconverge(&["check", "--format", "json", output.to_str().expect("a name in UTF-8")], b"");
    let report: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
    let mut found: BTreeMap<String, String> = BTreeMap::new();
    for one in report["files"][0]["diagnostics"].as_array().expect("a list") {
        let text = |key: &str| one[key].as_str().unwrap_or_default().to_owned();
        if !text("code").starts_with("RC02") {
            continue;
        }
        let mut functions = vec![text("function")];
        let instances = one["instances"].as_array().into_iter().flatten();
        functions.extend(instances.filter_map(|one| one.as_str().or(one["function"].as_str())).map(str::to_owned));
        for function in functions {
            let function = function.trim_start_matches('@').trim_start_matches("__clang_ocl_kern_imp_");
            let mangled = function.strip_prefix("_Z").map(|rest| rest.trim_start_matches(|c: char| c.is_ascii_digit()));
            let length = function
                .strip_prefix("_Z")
                .and_then(|rest| rest.split(|c: char| !c.is_ascii_digit()).next()?.parse::<usize>().ok());
            let name = mangled.zip(length).and_then(|(rest, length)| rest.get(..length)).unwrap_or(function);
            let severity = found.entry(name.to_owned()).or_insert_with(|| text("severity"));
            if text("severity") == "error" {
                *severity = text("severity");
            }
        }
    }
    found
}

#[test]
fn kernels_that_clang_compiles_get_the_same_severities() {
    if !installed("clang-22") {
        return;
    }
    let mut wrong = Vec::new();
    let output = std::env::temp_dir().join(format!("reconverge-judged-{}.ll", std::process::id()));
    let mut confusions: BTreeMap<String, Confusion> = BTreeMap::new();
    for path in files() {
        let text = std::fs::read_to_string(&path).expect("it can be read");
        // clang has no headers of vendors.
        if text.contains("#include") || has_templates(&text) || is_more_than_ir(&path) {
            continue;
        }
        let extension = path.extension().and_then(|extension| extension.to_str()).expect("an extension");
        for (target, flags) in readings(extension) {
            for level in ["-O0", "-O1"] {
                let said = severities(&path, &flags, level, &output);
                for (line, expected) in text.lines().zip(marks(&text)).filter(|(line, _)| is_kernel(line)) {
                    let name = name_of(line).expect("a kernel has a name");
                    let expected = expected.as_ref().map(|(severity, _)| &**severity);
                    let said = said.get(name).map(|severity| &**severity);
                    confusions.entry(format!("{target} {level}")).or_default().add(expected, said);
                    if said != expected {
                        wrong.push(format!("{target} {level}: {said:?} and not {expected:?}: {line}"));
                    }
                }
            }
        }
    }
    let _ = std::fs::remove_file(&output);
    for (reading, confusion) in &confusions {
        confusion.print(reading);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What is found in a file: where, how severe, what, and in which words.
fn findings(path: &Path, front_end: &str) -> Vec<[String; 5]> {
    let name = path.to_str().expect("a name in UTF-8");
    let run = reconverge(&["check", "--frontend", front_end, "--format", "json", name], b"");
    let report: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
    let file = &report["files"][0];
    assert!(file["error"].is_null(), "{name} by {front_end}: {}", file["error"]);
    let of_one =
        |one: &serde_json::Value| ["line", "column", "severity", "code", "message"].map(|key| one[key].to_string());
    let mut found: Vec<_> = file["diagnostics"].as_array().expect("a list").iter().map(of_one).collect();
    found.sort();
    found
}

#[test]
fn kernels_read_by_clang_get_the_same_findings_in_the_same_words() {
    if !installed("clang-22") {
        return;
    }
    let mut kernels = 0;
    for path in files() {
        let text = std::fs::read_to_string(&path).expect("it can be read");
        // Nobody has the headers of vendors.
        if text.contains("#include <cooperative_groups") || has_templates(&text) || is_more_than_ir(&path) {
            continue;
        }
        kernels += text.lines().filter(|line| is_kernel(line)).count();
        let (ours, of_clang) = (findings(&path, "builtin"), findings(&path, "clang"));
        assert_eq!(of_clang, ours, "{}", path.display());
    }
    println!("{kernels} kernels");
    assert!(kernels >= 190, "{kernels} kernels");
}

/// The block that a kernel of tiles is written for.
fn block_of(kernel: &str) -> &'static str {
    match kernel {
        "t0" | "t1" | "t3" | "t7" => "16,16",
        "t2" | "t4" | "t12" => "32,32",
        "t5" | "t6" => "32,8",
        _ => "256",
    }
}

/// What `run` says of a kernel of a file in a block of 256 threads, or of that which it is written for: the codes.
fn codes_of_run(path: &Path, line: &str) -> Vec<String> {
    let name = path.to_str().expect("a name in UTF-8");
    let kernel = name_of(line).expect("a kernel has a name");
    let mut arguments = vec!["run", name, "--kernel", kernel, "--format", "json"];
    arguments.extend(["--block", block_of(kernel), "--arg", "a=i32[2048]"]);
    if line.contains("int n)") {
        arguments.extend(["--arg", if kernel.starts_with('t') { "n=512" } else { "n=3" }]);
    }
    if line.contains("int *count)") {
        arguments.extend(["--arg", "count=i32[4]"]);
    }
    if line.contains("dynamic") {
        arguments.extend(["--arg", "dynamic=i32[1024]"]);
    }
    let run = reconverge(&arguments, b"");
    let report: serde_json::Value = serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("{}", run.stderr));
    let findings = report["diagnostics"].as_array().expect("a list").iter();
    findings.map(|one| one["code"].as_str().expect("a code").to_owned()).collect()
}

/// What `check` says of masks and of shared memory happens, and where it says nothing it does not, as far as that is what it looks for.
#[test]
fn what_is_said_of_masks_and_shared_memory_happens() {
    let mut kernels = 0;
    for (file, said, happens) in [
        ("races.cu", "RC0212", "RC0507"),
        ("tiles.cu", "RC0212", "RC0507"),
        ("races.cl", "RC0212", "RC0507"),
        ("masks.cu", "error RC0211", "RC0510"),
    ] {
        let path = root().join("tests/judged").join(file);
        let text = std::fs::read_to_string(&path).expect("it can be read");
        for line in text.lines().filter(|line| is_kernel(line)) {
            let codes = codes_of_run(&path, line);
            if line.ends_with(said) {
                kernels += 1;
                assert!(codes.iter().any(|code| code == happens), "{file}: {codes:?}: {line}");
            } else if !line.contains("// ") && !OF_OTHERS.iter().any(|other| line.contains(other)) {
                assert!(codes.iter().all(|code| code != happens), "{file}: {codes:?}: {line}");
            }
        }
    }
    assert!(kernels >= 12, "{kernels} kernels");
}

/// Kernels in which threads write the same place, which `check` does not look at, one that waits for a flag by volatile reads, and one with a mask of all lanes that is not known.
const OF_OTHERS: [&str; 6] = [" r12(", " r14(", " r35(", " m8(", " m15(", " m33("];

/// A condition on numbers without sign: as it is written, and what it is for a thread.
struct Condition {
    written: String,
    holds: Box<dyn Fn(&Thread) -> bool>,
}

/// What a condition is about.
struct Thread {
    id: u32,
    size: u32,
    group: u32,
    n: u32,
}

type Number = (String, Box<dyn Fn(&Thread) -> u32>);

/// A random number: of the thread, of its workgroup, or an argument.
fn number(random: &mut Random, depth: u32) -> Number {
    const CONSTANTS: [u32; 9] = [1, 2, 3, 7, 16, 31, 32, 33, 100];
    if depth == 0 {
        return match random.below(6) {
            0 | 1 => ("t".to_owned(), Box::new(|thread| thread.id)),
            2 => ("size".to_owned(), Box::new(|thread| thread.size)),
            3 => ("n".to_owned(), Box::new(|thread| thread.n)),
            4 => ("(group * size + t)".to_owned(), Box::new(|thread| thread.group * thread.size + thread.id)),
            _ => {
                let constant = random.pick(&CONSTANTS);
                (format!("{constant}u"), Box::new(move |_| constant))
            }
        };
    }
    let (left, a) = number(random, depth - 1);
    let constant = random.pick(&CONSTANTS);
    match random.below(8) {
        0 => {
            let (right, b) = number(random, 0);
            (format!("({left} + {right})"), Box::new(move |thread| a(thread).wrapping_add(b(thread))))
        }
        1 => (format!("({left} * {constant}u)"), Box::new(move |thread| a(thread).wrapping_mul(constant))),
        2 => (format!("({left} / {constant}u)"), Box::new(move |thread| a(thread) / constant)),
        3 => (format!("({left} % {constant}u)"), Box::new(move |thread| a(thread) % constant)),
        4 => (format!("({left} & {constant}u)"), Box::new(move |thread| a(thread) & constant)),
        5 => (format!("({left} / size)"), Box::new(move |thread| a(thread) / thread.size)),
        6 => (format!("({left} % size)"), Box::new(move |thread| a(thread) % thread.size)),
        _ => (left, a),
    }
}

fn condition(random: &mut Random) -> Condition {
    let ((left, a), (right, b)) = (number(random, 2), number(random, 1));
    match random.below(3) {
        0 => Condition { written: format!("{left} < {right}"), holds: Box::new(move |thread| a(thread) < b(thread)) },
        1 => Condition { written: format!("{left} == {right}"), holds: Box::new(move |thread| a(thread) == b(thread)) },
        _ => Condition { written: format!("{left} >= {right}"), holds: Box::new(move |thread| a(thread) >= b(thread)) },
    }
}

/// Whether threads are on both sides of a condition in a launch; nothing where it holds for none.
fn diverges(condition: &Condition, size: u32, group: u32, n: u32) -> Option<bool> {
    let holds = |id: &u32| (condition.holds)(&Thread { id: *id, size, group, n });
    let count = (0..size).filter(holds).count();
    (count > 0).then_some(count < size as usize)
}

#[test]
fn what_is_certain_happens_in_all_launches() {
    const SEED: u64 = 0x5eed_2026;
    const KERNELS: usize = 200;
    let mut random = Random(SEED);
    let conditions: Vec<Condition> = (0..KERNELS).map(|_| condition(&mut random)).collect();
    let kernel = |(index, condition): (usize, &Condition)| {
        format!(
            "__global__ void k{index}(unsigned n) {{ unsigned t = threadIdx.x, size = blockDim.x, group = blockIdx.x; if ({}) __syncthreads(); __syncthreads(); }}\n",
            condition.written
        )
    };
    let text: String = conditions.iter().enumerate().map(kernel).collect();
    let arguments = ["check", "--frontend", "builtin", "--input-format", "cuda", "--format", "json", "-"];
    let report: serde_json::Value =
        serde_json::from_str(&reconverge(&arguments, text.as_bytes()).stdout).expect("JSON");
    let found = report["files"][0]["diagnostics"].as_array().expect("a list");
    let said =
        |line: usize| found.iter().find(|one| one["line"] == line).map(|one| one["severity"].as_str().expect("a text"));
    let numbers = (0..80).chain([100, 255, 256, 257, 500, 512, 1000, 1023, 1024, 1025, 2048, 3000, 4096, 100_000]);
    let numbers: Vec<u32> = numbers.collect();
    let (mut certain, mut missed) = (0, Vec::new());
    for (index, condition) in conditions.iter().enumerate() {
        let launches = |sizes: &[u32]| -> Vec<bool> {
            let all = sizes.iter().flat_map(|&size| (0..3).map(move |group| (size, group)));
            all.flat_map(|(size, group)| numbers.iter().filter_map(move |&n| diverges(condition, size, group, n)))
                .collect()
        };
        let full = launches(&[256, 255, 192, 768, 1024]);
        let is_always = !full.is_empty() && full.iter().all(|&diverges| diverges);
        let is_never = !full.iter().chain(&launches(&[2, 7, 32, 33, 64, 128])).any(|&diverges| diverges);
        let context = format!("seed {SEED:#x}, kernel {index}: {}", condition.written);
        match said(index + 1) {
            Some("error") => {
                assert!(is_always, "an error that is not certain: {context}");
                certain += 1;
            }
            None => assert!(is_never, "nothing is said: {context}"),
            _ if is_always => missed.push(context),
            _ => {}
        }
    }
    assert!(certain > KERNELS / 10, "{certain} of {KERNELS} are certain");
    assert!(missed.len() * 20 <= certain, "certain, and not said: {missed:#?}");
}
