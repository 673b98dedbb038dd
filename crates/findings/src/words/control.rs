//! Divergence in words: operations that need threads which may not be there, and chains of causes.

use reconverge_ir::function::{Block, Definition};
use reconverge_operations::Scope;
use reconverge_operations::facts::Degree;

use super::{Said, Words, up_to_implementation};
use crate::anchor::Anchor;
use crate::codes::Severity;
use crate::control::{
    Assumption, Between, Called, Example, GivenUp, Hazard, HazardBreach, Hierarchies, LoadSource, Measure, Relation,
    Requirement, RequirementKind, Source, Step, Subject, Update, Why,
};
use crate::diagnostic::Related;
use crate::finding::Finding;
use crate::scene::{Scene, describe_location};
use crate::voice::Voice;

/// What a function requires of its callers.
pub fn requirement(words: &Words<'_, '_>, function: &str, requirement: &Requirement) -> String {
    let set = words.voice.set(requirement.scope);
    let reason = words.reason(requirement);
    let thread = words.voice.thread();
    let condition = requirement.full_mask.map(|index| format!("where its argument {} names all lanes, ", index + 1));
    let condition = condition.unwrap_or_default();
    match requirement.kind {
        RequirementKind::Entry => {
            format!("{condition}{function} has to be called by all {thread}s of {set} together, for {reason}")
        }
        RequirementKind::Parameter(index) => {
            format!(
                "{condition}{function} requires that its argument {} is the same in all {thread}s of {set}, for {reason}",
                index + 1
            )
        }
    }
}

impl Words<'_, '_> {
    /// The operation that is behind a requirement.
    fn reason(&self, requirement: &Requirement) -> String {
        let function = requirement.at.function.map(|id| self.symbol(self.module.functions[id].symbol));
        let written = self.there(requirement.at, |scene| self.voice.callee(&scene, requirement.at.inst?)).flatten();
        let operation = written.unwrap_or_else(|| match &requirement.operation {
            Called::Function(symbol) => self.symbol(*symbol),
            Called::Instruction(name) => name.clone(),
        });
        let place = self.place(requirement.at);
        format!("{operation} in {} ({place})", function.unwrap_or_default())
    }

    /// A call and its place.
    fn called(&self, at: Anchor) -> String {
        let written = self.there(at, |scene| self.voice.callee(&scene, at.inst?)).flatten();
        let place = self.place(at);
        written.map_or_else(|| format!("the call at {place}"), |written| format!("{written} ({place})"))
    }

    pub(super) fn hazard(&self, finding: &Finding, hazard: &Hazard, scene: Scene<'_, '_>) -> Said {
        let callee = finding.at.inst.and_then(|inst| self.voice.callee(&scene, inst));
        let callee = callee.unwrap_or_default();
        let function = finding.at.inst.and_then(|inst| scene.module.function_of(scene.callee(inst)?));
        let argument = |index| self.voice.argument(scene.module, function, index);
        let (set, group) = (self.voice.set(hazard.scope), self.voice.group(hazard.scope));
        let thread = self.voice.thread();
        let is_certain = finding.certainty == Degree::Certain;
        let depends = self.assumptions(&hazard.assumptions, scene);
        let may = if is_certain || depends.is_some() { "" } else { "may " };
        let depends = depends.map(|words| format!(" if {words}")).unwrap_or_default();
        let possibly = if may.is_empty() { "" } else { "possibly " };
        let differs = if may.is_empty() { "differs" } else { "may differ" };
        // What a message starts and ends with: where it is, and what then happens to an operation.
        let (place, happens) = match hazard.breach {
            HazardBreach::Iterations(_) => {
                let place = format!("in a loop that {thread}s of {set} {may}leave in different iterations{depends}");
                (place, None)
            }
            _ => {
                let place = format!("in {possibly}divergent control flow{depends}");
                let happens = match (hazard.after_exit.is_some(), may.is_empty()) {
                    (true, _) => format!("{may}exit without reaching"),
                    (false, true) => "do not all reach".to_owned(),
                    (false, false) => "may not all reach".to_owned(),
                };
                (place, Some(format!("{thread}s of {set} {happens}")))
            }
        };
        let (message, label) = match (&hazard.requirement, hazard.breach) {
            (None, HazardBreach::Argument(index)) => {
                let argument = argument(index);
                let message = format!("{argument} of {callee} {differs} between the {thread}s of {set}{depends}");
                (message, format!("{argument} has to be the same in all of them"))
            }
            (None, HazardBreach::Mask(lanes)) => {
                let message = match lanes {
                    0 => format!("the mask of {callee} is 0, and names none of the {thread}s that execute it"),
                    _ => format!(
                        "the mask of {callee} names the lanes {lanes:#x}, which are not the {thread}s of {set} that execute it{depends}"
                    ),
                };
                (message, "the mask does not fit".to_owned())
            }
            (None, HazardBreach::Unordered { variable, between, update, .. }) => {
                // What the source writes there says which element: as a value, or as the address that a copy is made from, or that is updated.
                let read = finding.at.inst.and_then(|inst| {
                    let operands = scene.function.operands(inst);
                    match update {
                        Some(Update::Here) => operands.first().copied(),
                        _ => scene.function.instructions[inst].result.expand().or_else(|| operands.get(1).copied()),
                    }
                });
                let is_constant = |value| matches!(scene.function.values[value].definition, Definition::Constant(_));
                // A function of a built-in header reads what it is given the address of.
                let callee = finding.at.inst.and_then(|inst| scene.callee(inst));
                let is_in_function = callee
                    .and_then(|callee| scene.module.function_of(callee))
                    .is_some_and(|function| scene.module.functions[function].body.is_some());
                let name = match read {
                    _ if self.voice.speaks_ir() => self.symbol(variable),
                    // The variable itself, which the IR names after its function, too.
                    Some(value) if is_constant(value) || is_in_function => {
                        let whole = self.symbol(variable);
                        let own = whole.trim_matches('`').rsplit(['.', ':']).next().unwrap_or_default();
                        format!("`{own}`")
                    }
                    Some(value) => self.voice.value(&scene, value),
                    None => self.symbol(variable),
                };
                let other = format!("another {thread} of the {group}");
                let [here, there, does] = accesses(update);
                let happens = match between {
                    Between::Iterations { first_is_later: true, .. } => {
                        format!("is {here} here in the iteration after the one in which {other} {does} it")
                    }
                    Between::Iterations { first_is_later: false, .. } => {
                        format!("is {here} here and {there} by {other} in the next iteration")
                    }
                    Between::Path | Between::Sides => format!("is {here} here and {there} by {other}"),
                };
                let depends = if depends.is_empty() { depends } else { format!(",{depends}") };
                let message = format!("{name} {happens}, with no barrier in between{depends}");
                (message, format!("{here} here"))
            }
            (None, HazardBreach::MaskOf(by)) => {
                let are = if may.is_empty() { "are not" } else { "may not be" };
                let names = format!("the mask of {callee} names the {thread}s that {} found", self.called(by));
                let message = format!("{names}, which {are} the {thread}s of {set} that execute it{depends}");
                (message, "the mask does not fit".to_owned())
            }
            (None, HazardBreach::OtherMask { of_mask, of_operand }) => {
                let message = format!(
                    "the mask of {callee} is that of {}, and another argument comes from {}, which may have found other {thread}s",
                    self.called(of_mask),
                    self.called(of_operand)
                );
                (message, "two masks are taken to be the same".to_owned())
            }
            (None, _) => {
                let happens = happens.map(|happens| format!(": {happens} it")).unwrap_or_default();
                (format!("{callee} {place}{happens}"), format!("needs all {thread}s of the {group}"))
            }
            (Some(requirement), HazardBreach::Argument(index)) => {
                let argument = argument(index);
                let reason = self.reason(requirement);
                let (differs, depend) = match hazard.is_sure && !may.is_empty() {
                    true => ("differs", "may depend"),
                    false => (differs, "depends"),
                };
                let message = format!(
                    "{argument} of {callee} {differs} between the {thread}s of {set}{depends}: {reason} {depend} on it"
                );
                (message, format!("{argument} has to be the same in all of them"))
            }
            (Some(requirement), _) => {
                let reason = self.reason(requirement);
                let message = match happens {
                    Some(happens) => format!("{callee} called {place}: {happens} {reason}"),
                    None => format!("{callee} called {place}: {reason} needs them all"),
                };
                (message, format!("needs all {thread}s of the {group}"))
            }
        };
        let mut said = Said::new(message, label);
        if let HazardBreach::Iterations(Some(exit)) = hazard.breach {
            let exit = self.related(exit, format!("{thread}s leave the loop here in different iterations"));
            said.related.push(Related { is_step: true, ..exit });
        }
        if let HazardBreach::Unordered { write, between, update, .. } = hazard.breach {
            let [_, there, _] = accesses(update);
            said.related.push(Related { is_step: true, ..self.related(write, format!("{there} here")) });
            said.related.extend(self.barrier_of_iteration(between));
        }
        said.related.extend(self.chain(&finding.chain, scene));
        for &(block, at) in &hazard.others {
            let other = self.related(at, format!("{thread}s may diverge at {}, too", self.voice.branch(&scene, block)));
            // Of `a && b || c`, `b` is a condition twice.
            if !said.related.contains(&other) {
                said.related.push(other);
            }
        }
        said.notes.extend(hazard.example.map(|example| example_words(&example, hazard.breach, &*self.voice)));
        said.notes.extend(hazard.after_exit.map(|severity| after_exit_words(severity, thread)));
        said
    }

    /// The barrier that is between two accesses of one iteration.
    pub(super) fn barrier_of_iteration(&self, between: Between) -> Option<Related> {
        let Between::Iterations { barrier, .. } = between else { return None };
        Some(self.related(barrier, "orders the two in one iteration, and not from one to the next"))
    }

    /// What has to be so for threads to diverge, as words after "if"; nothing where nothing is known of it.
    fn assumptions(&self, assumptions: &[Assumption], scene: Scene<'_, '_>) -> Option<String> {
        let extent = |dimension| self.voice.workgroup_extent(dimension);
        let measure = |of| match of {
            Measure::Number(number) => number.to_string(),
            Measure::Extent(dimension) => extent(dimension),
            Measure::Workgroup => {
                format!("the number of {}s of the {}", self.voice.thread(), self.voice.group(Scope::Workgroup))
            }
        };
        let words = |assumption: &Assumption| match *assumption {
            Assumption::NoMultiple { value, extent: dimension, of } => {
                let what = value.map_or_else(|| extent(dimension), |value| self.voice.value(&scene, value));
                format!("{what} is no multiple of {}", measure(of))
            }
            Assumption::ExtentAbove { extent: dimension, number } => {
                format!("{} is greater than {number}", extent(dimension))
            }
            Assumption::ExtentIsNot { extent: dimension, number } => format!("{} is not {number}", extent(dimension)),
            Assumption::SeveralSubgroups => {
                let (workgroup, subgroup) = (self.voice.group(Scope::Workgroup), self.voice.group(Scope::Subgroup));
                format!("the {workgroup} has more {}s than a {subgroup}", self.voice.thread())
            }
            Assumption::Differs { value } => {
                format!("{} differs between {}s", self.voice.value(&scene, value), self.voice.thread())
            }
            Assumption::Below { value, of } => {
                format!("{} is less than {}", self.voice.value(&scene, value), measure(of))
            }
        };
        let words: Vec<String> = assumptions.iter().map(words).collect();
        (!words.is_empty()).then(|| words.join(" or "))
    }

    pub(super) fn hierarchies(&self, finding: &Finding, hierarchies: &Hierarchies, scene: Scene<'_, '_>) -> Said {
        let callee = finding.at.inst.and_then(|inst| self.voice.callee(&scene, inst));
        let name = |block: Option<Block>| block.map_or_else(String::new, |block| self.voice.block(&scene, block));
        let entries: Vec<String> = hierarchies.entries.iter().map(|&entry| name(Some(entry))).collect();
        let why = format!("it is in a cycle with the entries {}", entries.join(" and "));
        let message = up_to_implementation(&callee.unwrap_or_else(|| "this call".to_owned()), &why);
        let mut said = Said::new(message, "in a cycle that is not m-converged");
        let (branch, thread) = (name(hierarchies.branch), self.voice.thread());
        said.notes.push(match hierarchies.join {
            Some(join) => {
                let join = name(join);
                format!(
                    "{thread}s diverge in {branch} and meet in {join}, which some of them reach past an entry of the cycle"
                )
            }
            None => format!("{thread}s that diverge in {branch} enter the cycle at different entries"),
        });
        said.related = self.chain(&finding.chain, scene);
        said
    }

    /// A chain as places.
    fn chain(&self, chain: &[Step], scene: Scene<'_, '_>) -> Vec<Related> {
        let words = ChainWords { scene, voice: &*self.voice };
        let related = chain.iter().filter(|step| words.is_told(step)).map(|step| {
            let mut related = Related { is_step: true, ..self.related(step.at, "") };
            // Who reads source sees the place.
            let place = related.source.as_ref().filter(|_| self.voice.speaks_ir());
            let place = place.map(|source| format!(" ({})", describe_location(source)));
            related.message =
                format!("{}: {}{}", words.subject(step.subject), words.why(step), place.unwrap_or_default());
            related
        });
        related.collect()
    }
}

/// What two threads do to memory: what happens at the first access, at the other one, and what the other thread does.
fn accesses(update: Option<Update>) -> [&'static str; 3] {
    match update {
        None => ["read", "written", "writes"],
        Some(Update::Here) => ["updated", "written", "writes"],
        Some(Update::There) => ["read", "updated", "updates"],
    }
}

/// A launch that shows something.
fn example_words(example: &Example, breach: HazardBreach, voice: &dyn Voice) -> String {
    let last = example.extents.iter().rposition(|&extent| extent > 1).unwrap_or(0);
    let list = |numbers: [u32; 3], between: &str| {
        numbers[..=last].iter().map(u32::to_string).collect::<Vec<_>>().join(between)
    };
    let number = |id| if last == 0 { list(id, "") } else { format!("({})", list(id, ", ")) };
    let (with, without) = (number(example.with), number(example.without));
    let (thread, workgroup) = (voice.thread(), voice.group(Scope::Workgroup));
    let happens = match (breach, example.times) {
        (HazardBreach::Unordered { update, .. }, _) => {
            let reads = if update == Some(Update::Here) { "updates" } else { "reads" };
            let [.., writes] = accesses(update);
            format!("{thread} {with} {reads} what {thread} {without} {writes}")
        }
        (HazardBreach::Argument(_), [times, others]) if times == others => {
            format!("{thread}s {with} and {without} pass different arguments")
        }
        (HazardBreach::Mask(_) | HazardBreach::MaskOf(_), _) if example.with == example.without => {
            format!("{thread} {with} executes it, and the mask does not name its lane")
        }
        (HazardBreach::Mask(_) | HazardBreach::MaskOf(_), [_, 0]) => {
            format!("{thread} {with} executes it, and {thread} {without}, which the mask names, does not")
        }
        (_, [_, 0]) => format!("{thread} {with} executes it, and {thread} {without} does not"),
        _ => format!("{thread} {with} executes it more often than {thread} {without}"),
    };
    format!("for example in a {workgroup} of {} {thread}s: {happens}", list(example.extents, " x "))
}

/// What a language says of threads that end before a barrier.
fn after_exit_words(severity: Severity, thread: &str) -> String {
    match severity {
        Severity::Error => format!(
            "the behaviour is undefined: all {thread}s have to execute the barrier, also those that have no more to do"
        ),
        _ => {
            "CUDA's barrier waits for the threads of the block that have not exited; other languages leave this undefined"
                .to_owned()
        }
    }
}

/// The words of chains in one function.
#[derive(Clone, Copy)]
pub struct ChainWords<'a, 't> {
    /// The function.
    pub scene: Scene<'a, 't>,
    /// How things are called.
    pub voice: &'a dyn Voice,
}

impl ChainWords<'_, '_> {
    /// What is divergent: `%x`, `the branch of entry`.
    pub fn subject(&self, subject: Subject) -> String {
        let instruction = |inst| self.voice.instruction(&self.scene, inst);
        match subject {
            Subject::Value(value) => self.voice.value(&self.scene, value),
            Subject::Stored { variable, block } => {
                format!("{} at the start of {}", instruction(variable), self.voice.block(&self.scene, block))
            }
            Subject::Written { variable } => instruction(variable),
            Subject::Branch(Some(block)) => self.voice.branch(&self.scene, block),
            Subject::Branch(None) => "the branch of the end".to_owned(),
            Subject::Returned => "the result".to_owned(),
            Subject::Argument(inst) => format!("an argument of {}", instruction(inst)),
        }
    }

    fn branch(&self, block: Option<Block>) -> String {
        self.subject(Subject::Branch(block))
    }

    fn block(&self, block: Option<Block>) -> String {
        block.map_or_else(|| "the end".to_owned(), |block| self.voice.block(&self.scene, block))
    }

    /// Whether a step says anything in these words: several instructions may be one expression of the source.
    pub fn is_told(&self, step: &Step) -> bool {
        match step.why {
            Why::Operand(relation, operand) if !self.voice.speaks_ir() && relation != Relation::Load => {
                !self.subject(step.subject).ends_with(&self.subject(operand))
            }
            _ => true,
        }
    }

    /// Names of blocks.
    pub fn path(&self, path: &[Block]) -> Vec<String> {
        path.iter().map(|&block| self.voice.block(&self.scene, block)).collect()
    }

    /// Why, as a sentence without a full stop.
    pub fn why(&self, step: &Step) -> String {
        let thread = self.voice.thread();
        match &step.why {
            Why::Source(source) => self.source(source, step.threads),
            Why::Operand(relation, operand) => {
                let operand = self.subject(*operand);
                match relation {
                    // In the source, a value that is loaded and its place have one name.
                    Relation::Load if operand == self.subject(step.subject) => {
                        "is loaded from an address that is divergent".to_owned()
                    }
                    Relation::Condition => format!("depends on {operand}"),
                    Relation::Stored if self.voice.speaks_ir() => format!("holds the value assigned at {operand}"),
                    Relation::Stored => format!("was assigned {operand}"),
                    Relation::Written => format!("is written here with {operand}"),
                    Relation::Phi => format!("may be {operand}"),
                    Relation::Load => format!("loads from {operand}"),
                    Relation::Computed => format!("is computed from {operand}"),
                }
            }
            Why::Join { branch } => {
                format!("{thread}s that diverge at {} meet here with different values", self.branch(*branch))
            }
            Why::Temporal { value, header, branch, exit: [from, to] } => format!(
                "uses {} from the cycle at {}; {thread}s that diverge at {} leave the cycle over {} -> {} in different iterations",
                self.subject(*value),
                self.block(*header),
                self.branch(*branch),
                self.block(*from),
                self.block(*to)
            ),
            Why::AssumedDivergent { header, because: Some(because) } => self.given_up(*header, *because),
            Why::AssumedDivergent { header, because: None } => {
                format!("is in the irreducible cycle at {}, which is assumed to be divergent", self.block(*header))
            }
        }
    }

    /// The same in a few words, for listings.
    pub fn reason(&self, step: &Step) -> String {
        let rule = step.why.rule().name();
        match &step.why {
            Why::Source(source) => format!("{rule}: {}", self.source(source, step.threads)),
            Why::Operand(_, operand) => format!("{rule}: {}", self.subject(*operand)),
            Why::Join { branch } => format!("{rule}: of {}", self.branch(*branch)),
            Why::Temporal { value, header, .. } => {
                format!("{rule}: {} from the cycle at {}", self.subject(*value), self.block(*header))
            }
            Why::AssumedDivergent { header, .. } => format!("{rule}: by the cycle at {}", self.block(*header)),
        }
    }

    fn given_up(&self, header: Option<Block>, because: GivenUp) -> String {
        let (header, thread) = (self.block(header), self.voice.thread());
        let why = match because {
            GivenUp::Region => {
                return format!(
                    "is in or after the irreducible cycle at {header}, which the convergence region of a token of the cycle leaves: what follows is assumed to be divergent"
                );
            }
            GivenUp::Entry { branch, join } => format!(
                "{thread}s that diverge at {} meet at {}, which neither the branch nor the header of a cycle with both strictly dominates",
                self.branch(branch),
                self.block(join)
            ),
            GivenUp::Outside { branch } => {
                format!("{thread}s that diverge at {} enter it at different blocks", self.branch(branch))
            }
            GivenUp::Branch { branch } => format!("{} is divergent", self.branch(branch)),
        };
        format!("is in the irreducible cycle at {header}, which is assumed to be divergent: {why}")
    }

    fn source(&self, source: &Source, threads: Scope) -> String {
        let thread = self.voice.thread();
        let threads = format!("the {thread}s of {}", self.voice.set(threads));
        let symbol = |symbol| self.voice.symbol(self.scene.module, symbol);
        match source {
            Source::Nothing => String::new(),
            Source::Parameter { of_kernel: true } => format!("a kernel's parameter that may differ between {threads}"),
            Source::Parameter { of_kernel: false } => {
                format!("a parameter: callers may pass different values to {threads}")
            }
            Source::Exception => format!("an exception may come out of the call in some of {threads}"),
            Source::AssemblyJump => format!("inline assembly may jump elsewhere in some of {threads}"),
            Source::Terminator(opcode) => format!("{} may take different paths in {threads}", opcode.keyword()),
            Source::Atomic => format!("an atomic operation, which {threads} execute one after the other"),
            Source::PrivateAddress => format!("the address of private memory, which differs between {threads}"),
            Source::StrayPhi => "a phi that does not fit its block".to_owned(),
            Source::Instruction(opcode) => format!("{} may give different results in {threads}", opcode.keyword()),
            Source::Load(load) => match load {
                LoadSource::Nowhere => "a load from an unknown place".to_owned(),
                LoadSource::Atomic => format!("an atomic load: other {thread}s may write in between"),
                LoadSource::Volatile => format!("a volatile load: other {thread}s may write in between"),
                LoadSource::Private => format!("a load from memory that each {thread} has its own of"),
                LoadSource::Shared => {
                    format!("a load from memory that each {} has its own of", self.voice.group(Scope::Workgroup))
                }
                LoadSource::Generic if !self.voice.speaks_ir() => {
                    format!("is read through a pointer, perhaps from memory of one {thread}")
                }
                LoadSource::Generic => format!("a load through a generic pointer, perhaps from memory of one {thread}"),
                LoadSource::Unknown { address_space } => {
                    format!("a load from address space {address_space}, of which nothing is known")
                }
            },
            Source::Assembly => format!("inline assembly may differ between {threads}"),
            Source::IndirectCall => format!("the result of a call of an unknown function may differ between {threads}"),
            Source::Written(callee) => format!("what {} writes to it may differ between {threads}", symbol(*callee)),
            Source::Copied => format!("what is copied to it may differ between {threads}"),
            Source::Returned(callee) => format!("what {} returns may differ between {threads}", symbol(*callee)),
            // The source calls it by the expression that this is about.
            Source::Operation { degree: Some(degree), .. } if !self.voice.speaks_ir() => match degree {
                Degree::Certain => format!("differs between {threads}"),
                Degree::Possible => format!("may differ between {threads}"),
            },
            Source::Operation { symbol: callee, degree, target } => {
                let name = symbol(*callee);
                match degree {
                    Some(Degree::Certain) => format!("{name} differs between {threads} (target {target})"),
                    Some(Degree::Possible) => format!("{name} may differ between {threads} (target {target})"),
                    None if unknown_name(&name).is_some() => {
                        let what = unknown_name(&name).unwrap_or_default();
                        format!("{what} is not known here, and may differ between {threads}")
                    }
                    None => {
                        format!(
                            "nothing is known of {name}, whose result may differ between {threads} (target {target})"
                        )
                    }
                }
            }
        }
    }
}

/// What something is called that a front end does not know, by the name of the function that stands for it: `@reconverge.unknown.found.NAME.12`.
fn unknown_name(symbol: &str) -> Option<&str> {
    let name =
        symbol.strip_prefix('`').and_then(|name| name.strip_suffix('`')).or(symbol.strip_prefix('@')).unwrap_or(symbol);
    let name = name.trim_matches('"').strip_prefix("reconverge.unknown.")?;
    let (_, name) = name.split_once('.')?;
    Some(name.rsplit_once('.').map_or(name, |(name, _)| name))
}

/// Names of blocks, with arrows between them. A long path is shortened in the middle.
pub fn arrows(names: &[String]) -> String {
    const ENDS: usize = 12;
    if names.len() <= 2 * ENDS + 2 {
        return names.join(" -> ");
    }
    let (front, back) = (&names[..ENDS], &names[names.len() - ENDS..]);
    format!("{} -> ({} blocks) -> {}", front.join(" -> "), names.len() - 2 * ENDS, back.join(" -> "))
}
