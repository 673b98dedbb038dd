//! What the uniformity analysis says of a module, and watching a run contradict it.

use rustc_hash::FxHashMap;

use reconverge_analysis::target::Scope;
use reconverge_analysis::uniformity::refinements::{RefinementKind, Settings};
use reconverge_analysis::uniformity::report::{Analysis, ReportOptions, analyze_functions};
use reconverge_exec::value::lanes_of;
use reconverge_exec::{Definition, Observer, determinate_lanes};
use reconverge_ir::function::Inst;
use reconverge_ir::types::Type;
use reconverge_ir::{Function, FunctionId};

/// The largest set of threads that each value, or each branch, is uniform for; none where it is divergent. By function and
/// instruction; a terminator stands for what it branches on.
pub(crate) type Claims = FxHashMap<FunctionId, Vec<Option<Scope>>>;

const SCOPES: [Scope; 3] = [Scope::Subgroup, Scope::Workgroup, Scope::Grid];

/// All settings: with every refinement, with none, and those with one of them turned on or off. Convergence regions are no
/// refinement where there are tokens: without them, other threads would be converged.
pub(crate) fn all_settings(tokens: bool) -> Vec<(String, Settings)> {
    let mut all = vec![("all".to_owned(), Settings::refined()), ("none".to_owned(), Settings::unrefined())];
    for kind in RefinementKind::ALL {
        all.push((format!("only {}", kind.name()), Settings::unrefined().with(kind, true)));
        all.push((format!("all but {}", kind.name()), Settings::refined().with(kind, false)));
    }
    if tokens {
        all.iter_mut().for_each(|(_, settings)| *settings = settings.with(RefinementKind::Regions, true));
    }
    all
}

/// What any of the settings claims.
pub(crate) fn claims(text: &str, settings: &[Settings]) -> Claims {
    let options = ReportOptions { target: None, scopes: &SCOPES };
    let claimed = analyze_functions(
        text.as_bytes(),
        &options,
        |_, _| true,
        |subject, lowerer| {
            let mut claims = vec![None; subject.function.instructions.len()];
            for settings in settings {
                for scope in SCOPES {
                    let analysis = subject.analyze(lowerer, scope, settings);
                    add(&mut claims, &analysis, subject.function, scope);
                }
            }
            (subject.id, claims)
        },
    );
    claimed.expect("a random kernel can be read").1.into_iter().flatten().collect()
}

fn add(claims: &mut [Option<Scope>], analysis: &Analysis<'_, '_>, function: &Function, scope: Scope) {
    for (inst, data) in &function.instructions {
        let uniform = match data.result.expand() {
            Some(result) => data.ty != Type::TOKEN && !analysis.is_divergent(result),
            None => has_choice(function, inst) && !analysis.has_divergent_branch(data.block),
        };
        let claim = &mut claims[inst.as_u32() as usize];
        if uniform {
            *claim = (*claim).max(Some(scope));
        }
    }
}

/// Whether an instruction is a terminator that can go different ways.
fn has_choice(function: &Function, inst: Inst) -> bool {
    let block = function.instructions[inst].block;
    let successors = function.successors(block);
    inst == function.terminator(block) && successors.iter().any(|&successor| successor != successors[0])
}

/// Two converged instances with different values where the analysis calls it uniform.
#[derive(Debug, Clone)]
pub(crate) struct Violation {
    pub(crate) function: FunctionId,
    pub(crate) inst: Inst,
    pub(crate) scope: Scope,
    pub(crate) threads: [u64; 2],
    pub(crate) values: [u64; 2],
}

/// Compares what threads compute with what is claimed.
pub(crate) struct Watcher<'c> {
    claims: &'c Claims,
    threads_per_group: u64,
    subgroup: u64,
    /// By key, which the static instance is part of, and set of threads: the first value, and whose.
    seen: FxHashMap<(u64, u64), (u64, u64)>,
    /// How many values were compared with another one.
    pub(crate) compared: u64,
    /// The number of definitions, and of those the ones that something is claimed of.
    pub(crate) definitions: [u64; 2],
    pub(crate) violations: Vec<Violation>,
}

impl<'c> Watcher<'c> {
    pub(crate) fn new(claims: &'c Claims, threads_per_group: u64, subgroup: u64) -> Watcher<'c> {
        Watcher {
            claims,
            threads_per_group,
            subgroup,
            seen: FxHashMap::default(),
            compared: 0,
            definitions: [0; 2],
            violations: Vec::new(),
        }
    }

    fn look(&mut self, definition: &Definition<'_>) {
        let Definition { function, inst, key, workgroup, first_thread, lanes, slots } = *definition;
        self.definitions[0] += 1;
        let claims = self.claims.get(&function).and_then(|claims| claims.get(inst.as_u32() as usize));
        let Some(scope) = claims.copied().flatten() else { return };
        self.definitions[1] += 1;
        let mut first: Option<(u64, u64, u64)> = None;
        for lane in lanes_of(determinate_lanes(slots, lanes)) {
            let thread = first_thread + lane as u64;
            let set = match scope {
                Scope::Grid => 0,
                Scope::Workgroup => workgroup,
                Scope::Subgroup => (workgroup << 32) | (thread % self.threads_per_group / self.subgroup),
            };
            let value = match slots {
                [slot] => slot.bits[lane],
                _ => slots.iter().fold(0, |value: u64, slot| {
                    (value.rotate_left(7) ^ slot.bits[lane]).wrapping_mul(0x9e37_79b9_7f4a_7c15)
                }),
            };
            // Lanes of one set are next to each other.
            let (other, whose) = match first {
                Some((known, other, whose)) if known == set => (other, whose),
                _ => *self.seen.entry((key, set)).or_insert((value, thread)),
            };
            first = Some((set, other, whose));
            self.compared += u64::from(whose != thread);
            if other != value {
                let (threads, values) = ([whose, thread], [other, value]);
                self.violations.push(Violation { function, inst, scope, threads, values });
            }
        }
    }
}

impl Observer for Watcher<'_> {
    fn defined(&mut self, value: Definition<'_>) {
        self.look(&value);
    }

    fn branched(&mut self, condition: Definition<'_>) {
        self.look(&condition);
    }
}
