//! A program does what it does: comparing random kernels with themselves, and with what keeps their convergence, finds nothing.

use std::path::Path;

use reconverge_exec::Program;
use reconverge_findings::words::in_ir;
use reconverge_testing::llvm;
use reconverge_testing::random::kernels::Kernel;
use reconverge_testing::rounds::seeds;
use reconverge_transform::{infer_tokens, strip_tokens};
use reconverge_trials::launches;
use reconverge_validate::{Comparison, Model, Options, Verdict, compare_by_running};

const ALL: [Model; 3] = [Model::Controlled, Model::Maximal, Model::ImmediatePostDominator];

/// What a random kernel runs on.
fn options(kernel: &Kernel, seed: u64, models: &[Model], runs: u64) -> Options {
    let [x, y] = kernel.shape.block;
    let threads = u64::from(x * y);
    Options {
        models: models.to_vec(),
        runs,
        seed,
        arguments: launches::given(kernel, kernel.shape.block, 2),
        grid: Some([1 + (seed % 2) as u32, 1, 1]),
        block: Some([x, y, 1]),
        subgroup: Some(kernel.shape.subgroup),
        limits: reconverge_validate::launch_limits(1_000 + 300 * threads),
        hierarchy: None,
        minimise: false,
    }
}

fn compare_texts(before: &[u8], after: &[u8], options: &Options) -> Comparison {
    let [before, after] = [(before, "before.ll"), (after, "after.ll")]
        .map(|(text, path)| Program::prepare(text, path, None).expect("it is IR"));
    compare_by_running(&before, &after, "k", options, &|_| {})
}

/// How many launches were compared; panics where a difference was found.
fn nothing_differs(what: &str, seed: u64, before: &[u8], after: &[u8], options: &Options) -> u64 {
    let comparison = compare_texts(before, after, options);
    if let Verdict::Different(witness) = &comparison.verdict {
        let [before, after] = [before, after].map(String::from_utf8_lossy);
        panic!("{what}, seed {seed}: {witness:#?}\n{before}\n=====\n{after}");
    }
    comparison.runs
}

#[test]
fn a_kernel_is_equal_to_itself() {
    let mut runs = 0;
    for seed in seeds(150) {
        let kernel = Kernel::random(seed);
        let text = kernel.text.as_bytes();
        runs += nothing_differs("itself", seed, text, text, &options(&kernel, seed, &ALL, 6));
    }
    println!("{runs} launches compared");
    assert!(runs > 0);
}

/// What tokens are inferred for behaves without them as it did under maximal convergence, and with them under what they say.
#[test]
fn tokens_put_in_and_taken_out_change_nothing() {
    let (mut runs, mut inferred) = (0, 0);
    for seed in seeds(100) {
        let kernel = Kernel::random(seed);
        let text = kernel.text.as_bytes();
        let stripped = strip_tokens(text).expect("it is IR").edits.apply(text);
        let uncontrolled = [Model::Maximal, Model::ImmediatePostDominator];
        runs += nothing_differs("stripped", seed, text, &stripped, &options(&kernel, seed, &uncontrolled, 4));
        let transformed = infer_tokens(&stripped).expect("it is IR");
        if transformed.refusals.is_empty() && transformed.functions > 0 {
            let tokened = transformed.edits.apply(&stripped);
            inferred += 1;
            runs += nothing_differs("inferred", seed, &stripped, &tokened, &options(&kernel, seed, &ALL, 4));
        }
    }
    println!("{runs} launches compared, {inferred} kernels got tokens");
    assert!(runs > 0 && inferred > 0);
}

/// What `opt` makes of a text.
fn optimised(tools: &llvm::Tools, folder: &Path, text: &str, passes: &str) -> Option<Vec<u8>> {
    let (from, to) = (folder.join("from.ll"), folder.join("to.ll"));
    std::fs::write(&from, text).expect("it is written");
    let mut opt = std::process::Command::new(&tools.opt);
    opt.arg(format!("-passes={passes}")).args(["-S", "-o"]).arg(&to).arg(&from);
    let done = llvm::output(&opt).expect("opt runs");
    done.status.success().then(|| std::fs::read(&to).expect("it was written"))
}

/// Passes that change neither control flow nor convergent operations. The first one only reads and prints, which gives blocks and values
/// other numbers.
const HARMLESS: [&str; 6] = ["verify", "instcombine", "mem2reg", "sroa,early-cse", "reassociate,gvn", "adce,dse"];

#[test]
fn passes_that_leave_control_flow_alone_change_nothing() {
    let Some(tools) = llvm::tools() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    for passes in HARMLESS {
        let mut runs = 0;
        for seed in seeds(25) {
            let kernel = Kernel::random(seed);
            // LLVM 22 takes the sum of a constant over a wave for the constant, so it is right to find something there.
            if kernel.text.contains("call i32 @llvm.amdgcn.wave.reduce.add") {
                continue;
            }
            let Some(after) = optimised(tools, folder.path(), &kernel.text, passes) else { continue };
            let models = if kernel.tokens { &ALL[..] } else { &ALL[1..] };
            runs += nothing_differs(passes, seed, kernel.text.as_bytes(), &after, &options(&kernel, seed, models, 4));
        }
        println!("{passes}: {runs} launches compared");
        assert!(runs > 0, "{passes}");
    }
}

#[test]
fn the_same_seed_gives_the_same_answer() {
    for seed in seeds(20) {
        let (kernel, other) = (Kernel::random(seed), Kernel::random(seed + 1));
        let options = options(&kernel, seed, &ALL, 10);
        let ask = || format!("{:?}", compare_texts(kernel.text.as_bytes(), other.text.as_bytes(), &options));
        assert_eq!(ask(), ask(), "seed {seed}");
    }
}

/// The name of a kernel may have anything in it.
#[test]
fn a_message_is_one_line() {
    let [before, after] =
        [b"define void @\"a\\0Ab\"(i32 %x) {\n  ret void\n}\n", b"define void @\"a\\0Ab\"(i64 %x) {\n  ret void\n}\n"]
            .map(|text| Program::prepare(text, "kernel.ll", None).expect("it is IR"));
    let options = options(&Kernel::random(1), 1, &ALL, 1);
    let comparison = compare_by_running(&before, &after, "a\nb", &options, &|_| {});
    let diagnostics = in_ir(after.module(), &comparison.findings);
    let messages: Vec<&str> = diagnostics.iter().map(|found| found.message.as_str()).collect();
    assert_eq!(messages, ["@a?b cannot be compared: its parameters changed, from (i32) to (i64)"]);
}
