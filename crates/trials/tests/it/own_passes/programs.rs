//! Random programs for a pass: such that it often finds something to do, and with what a launch of them has to be like.

use reconverge_exec::launch::{Argument, Contents, Element};
use reconverge_testing::llvm;
use reconverge_testing::random::kernels::{Kernel, Wishes};
use reconverge_testing::random::{Loops, SplitMix64, THREADS, loops};
use reconverge_transform::{reduce_cycles, strip_tokens};
use reconverge_trials::launches;
use reconverge_validate::{Model, Options};

use crate::own_passes::passes::Pass;

/// A program, and how to compare it with what a pass makes of it.
pub(crate) struct Program {
    pub(crate) text: String,
    pub(crate) kernel: &'static str,
    /// The headers of loops, where names are known.
    pub(crate) headers: Vec<String>,
    pub(crate) options: Options,
}

/// Which generator a program is from.
#[derive(Clone, Copy)]
enum Source {
    Kernel,
    Candidates,
    Loops,
}

/// How many launches are compared under each model.
const RUNS: u64 = 8;
/// How many programs of a hundred have gone through passes of LLVM.
const IN_OTHER_FORMS: u32 = 2;

/// Passes of LLVM that bring code into other forms.
const FORMS: [&str; 4] = [
    "sroa",
    "sroa,loop-simplify,loop-rotate",
    "sroa,early-cse,simplifycfg,loop-simplify,loop-rotate,instcombine<no-verify-fixpoint>,loop-simplify,indvars",
    "sroa,instnamer,loop-simplify,lcssa",
];

impl Program {
    /// A program for a pass; none where what was drawn is not of the kind that the pass is for.
    pub(crate) fn random(pass: Pass, rng: &mut SplitMix64) -> Option<Program> {
        use Source::{Candidates, Kernel, Loops};
        let tokens = match pass {
            Pass::InferTokens => false,
            Pass::StripTokens => true,
            Pass::ReduceCycles | Pass::Inline | Pass::Unroll => rng.percent(60),
            _ => rng.percent(80),
        };
        let sources: &[Source] = match pass {
            Pass::InferTokens | Pass::StripTokens => &[Kernel, Kernel, Kernel, Candidates, Loops],
            Pass::ReduceCycles | Pass::Inline => &[Kernel],
            Pass::Unroll => &[Loops, Loops, Kernel, Candidates],
            Pass::InferNoconvergent => &[Kernel, Kernel, Candidates],
            _ => &[Candidates, Candidates, Candidates, Kernel],
        };
        let mut program = Program::of(*rng.pick(sources)?, tokens, rng)?;
        if rng.percent(IN_OTHER_FORMS)
            && let Some(tools) = llvm::tools()
            // Some passes break rules about hearts, and what comes out is rejected; then a program stays as it is.
            && let Ok(text) = tools.transform(&program.text, FORMS[rng.below(FORMS.len())])
        {
            program.text = text;
        }
        match pass {
            // Tokens mean nothing to these models, and there are none afterwards.
            Pass::StripTokens => program.options.models = vec![Model::Maximal, Model::ImmediatePostDominator],
            // What tokens are made for is the program whose cycles are reducible ("Inferring Tokens", 1).
            Pass::InferTokens => {
                let reduced = reduce_cycles(program.text.as_bytes()).expect("it is IR").edits;
                program.text = String::from_utf8(reduced.apply(program.text.as_bytes())).expect("it is text");
                program.options.models = vec![Model::Controlled];
            }
            // In a function without tokens the implementation chooses who is converged in an irreducible cycle, and the pass makes the choice:
            // only threads that are alone do what they did.
            Pass::ReduceCycles if !program.all_have_tokens() => program.alone()?,
            _ => {}
        }
        Some(program)
    }

    fn of(source: Source, tokens: bool, rng: &mut SplitMix64) -> Option<Program> {
        let seed = rng.next_u64();
        let (mut text, has_tokens, kernel, headers, mut options) = match source {
            Source::Loops => {
                let Loops { text, headers, .. } = loops(seed, 1);
                let has_tokens = text.contains("convergence.entry()\n  %sum");
                (text, has_tokens, "k0", headers, of_loops())
            }
            Source::Kernel | Source::Candidates => {
                let kernel = match source {
                    Source::Candidates => Kernel::with_candidates(seed),
                    _ => Kernel::with(
                        Wishes { tokens, bounded: true, uniform_control: rng.percent(10), references: false },
                        seed,
                    ),
                };
                let options = of_kernel(&kernel, 1 + rng.below(2) as u32);
                (kernel.text, kernel.tokens, "k", Vec::new(), options)
            }
        };
        if has_tokens && !tokens {
            text = String::from_utf8(strip_tokens(text.as_bytes()).expect("it is IR").edits.apply(text.as_bytes()))
                .expect("it is text");
        }
        options.models = vec![if tokens { Model::Controlled } else { Model::Maximal }];
        (has_tokens || !tokens).then_some(Program { text, kernel, headers, options })
    }

    /// Parameters that the options leave open.
    pub(crate) fn data(&self, rng: &mut SplitMix64) -> Vec<(String, Argument)> {
        match self.kernel {
            "k" => launches::data(rng),
            _ => vec![("n".to_owned(), Argument::Scalar(rng.below(14).to_string()))],
        }
    }

    /// Whether each function with a body has tokens.
    fn all_have_tokens(&self) -> bool {
        self.text.split("\ndefine ").skip(1).all(|function| function.contains("= call token @"))
    }

    /// Launches with one thread in each workgroup; none where another size is promised.
    fn alone(&mut self) -> Option<()> {
        let promises = ["!reqd_work_group_size", "nvvm.reqntid"];
        self.options.block = Some([1, 1, 1]);
        self.options.arguments.retain(|(name, _)| name == "out");
        self.options.arguments.extend(["n", "nx"].map(|name| (name.to_owned(), Argument::Scalar("1".to_owned()))));
        (!promises.iter().any(|promise| self.text.contains(promise))).then_some(())
    }
}

fn options(
    grid: u32,
    block: [u32; 3],
    subgroup: u32,
    arguments: Vec<(String, Argument)>,
    instructions: u64,
) -> Options {
    Options {
        models: Vec::new(),
        runs: RUNS,
        seed: 1,
        arguments,
        grid: Some([grid, 1, 1]),
        block: Some(block),
        subgroup: Some(subgroup),
        limits: reconverge_validate::launch_limits(instructions),
        hierarchy: None,
        minimise: false,
    }
}

fn of_kernel(kernel: &Kernel, groups: u32) -> Options {
    let [x, y] = kernel.shape.block;
    let given = launches::given(kernel, kernel.shape.block, groups);
    options(groups, [x, y, 1], kernel.shape.subgroup, given, 1 << 20)
}

fn of_loops() -> Options {
    let out = Argument::Buffer { element: Element::U32, length: u64::from(2 * THREADS), contents: Contents::Zero };
    options(2, [THREADS, 1, 1], 16, vec![("out".to_owned(), out)], 400_000)
}
