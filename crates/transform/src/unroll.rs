//! `unroll`: several iterations of a loop, one behind the other.
//!
//! With the factor `N`, a loop is unrolled in the first of these ways that is right for it ("Loop unrolling examples"):
//!
//! 1. *full*: it is known to have `T ≤ N` iterations. `T` copies stand in a line, and there is no loop. Its heart is gone, and what
//!    used the heart's token uses the one that the heart was on.
//! 2. *exact*: the number of iterations, modulo `N`, is known. The loop has `N` copies of its body, of which one has the test. The heart is not copied.
//! 3. *tested*, if that is asked for: `N` copies, each with its test. This needs to know nothing.
//! 4. *remainder*: a main loop of `N` copies without tests, which runs as often as all of them would pass, and then the original.
//!
//! A loop that allows none is refused, with the rule and the place. [`Legality`] has the rules about convergence, and why they are the right ones; [`count`] what is known of
//! the number of iterations; [`shape`] which cycles are loops.
//!
//! By default these are the innermost loops; others, by the names of their headers. Copies have the debug locations of what they are copies of; the loop's metadata stays at the
//! latch that goes back to the original header, and is gone with the loop.
//!
//! **Rounds.** What is done to one loop may change the neighbours of another. Loops that share no block that matters are unrolled together; then the text is read again for the others.

mod copies;
mod count;
mod guard;
mod leaving;
mod low_bits;
mod pieces;
mod rewrite;
mod shape;

use reconverge_analysis::target::Target;
use reconverge_graph::{Cycle, CycleData};
use reconverge_ir::function::{Inst, LocalName};
use reconverge_ir::{Function, FunctionId, Module, ReadError, Span};
use reconverge_valid::read_functions;
use rustc_hash::{FxHashMap, FxHashSet};

use self::copies::{Context, block_operand, counts_numbers};
use self::count::{Counted, counted_exits};
use self::pieces::Pieces;
use self::rewrite::{Plan, Rewriter};
use self::shape::{Flow, Loop, Objection};
use crate::legality::{Candidate, Convergence, Legality, Location, Obstacle, Unrolling, Verdict};
use crate::names::Names;
use crate::{Edits, Refusal, Transformed};

/// What to unroll, and how.
#[derive(Debug, Clone, Default)]
pub struct UnrollOptions<'a> {
    /// The target; that of the triple where there is none.
    pub target: Option<&'a Target>,
    /// How many iterations to put together; loops of up to that many are unrolled fully. At least 2.
    pub factor: u32,
    /// Whether to keep the tests of all copies where the number of iterations is not known, rather than to have a remainder.
    pub keep_tests: bool,
    /// The functions, with sigil or without; all if there are none.
    pub functions: Vec<String>,
    /// The loops, by the names of their headers with sigil or without; the innermost if there are none.
    pub loops: Vec<String>,
    /// For tests of what catches broken passes: loops get remainders whatever becomes of their convergent operations.
    #[doc(hidden)]
    pub breaks_convergence: bool,
}

/// In which way a loop was unrolled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// There is no loop any more.
    Full,
    /// One copy has the test.
    Exact,
    /// All copies have their tests.
    Tested,
    /// A loop without tests, and the original behind it.
    Remainder,
}

/// What was done, and to which loops.
#[derive(Debug, Clone, Default)]
pub struct Unrolled {
    /// The changes, and what was refused: loop by loop.
    pub transformed: Transformed,
    /// The loops that were unrolled: the function with its sigil, the header with its sigil, the way.
    pub loops: Vec<(String, String, Kind)>,
}

/// Unrolls loops. O(text) for each round, plus what is looked at of each loop and printed.
///
/// # Errors
/// When the text is not LLVM IR.
pub fn unroll(text: &[u8], options: &UnrollOptions<'_>) -> Result<Unrolled, ReadError> {
    let mut pieces = Pieces::new(text.len());
    let mut unrolled = Unrolled::default();
    let mut changed: FxHashSet<String> = FxHashSet::default();
    let mut current = text.to_vec();
    let mut wanted: Option<FxHashMap<String, Vec<String>>> = None;
    loop {
        let block_addresses = memchr::memmem::find(&current, b"blockaddress").is_some();
        let (module, functions) = read_functions(&current, |module, id, function| {
            let name = module.function_name(id);
            let headers = match &wanted {
                Some(wanted) => wanted.get(&name)?,
                None => &options.loops,
            };
            let is_named = |wanted: &String| name[1..] == *wanted.trim_start_matches('@');
            if wanted.is_none() && !options.functions.is_empty() && !options.functions.iter().any(is_named) {
                return None;
            }
            let mut round = Round { module, id, function, options, block_addresses, name, answer: Answer::default() };
            round.run(headers);
            (!round.answer.is_empty()).then_some((round.name, round.answer))
        })?;
        if wanted.is_none() {
            let found: Vec<&str> = functions.iter().flatten().flat_map(|(_, answer)| answer.headers()).collect();
            let missing = options.loops.iter().filter(|wanted| !found.iter().any(|header| is_header(wanted, header)));
            let name = |wanted: &String| format!("the loop at %{}", wanted.trim_start_matches('%'));
            let rule = "no loop has this block as its header";
            let refusals = &mut unrolled.transformed.refusals;
            refusals.extend(Refusal::of_missing(&module, &options.functions));
            refusals.extend(missing.map(|wanted| Refusal::of_whole(name(wanted), rule)));
        }
        let mut edits = Edits::default();
        let mut deferred: FxHashMap<String, Vec<String>> = FxHashMap::default();
        for (name, answer) in functions.into_iter().flatten() {
            let original = |span: &mut Span| {
                let (start, end) = (pieces.original(span.range().start), pieces.original(span.range().end));
                *span = Span { start: start as u32, end: end.max(start) as u32 };
            };
            for (header, mut candidate) in answer.candidates {
                original(&mut candidate.span);
                if let Verdict::No { rule, locations, .. } = &mut candidate.verdict {
                    locations.iter_mut().for_each(|location| original(&mut location.span));
                    let (rule, span) = (rule.clone(), locations[0].span);
                    let function = format!("the loop at {header} of {name}");
                    unrolled.transformed.refusals.push(Refusal { function, rule, span });
                }
                unrolled.transformed.candidates.push(candidate);
            }
            if !answer.edits.is_empty() && changed.insert(name.clone()) {
                unrolled.transformed.functions += 1;
            }
            unrolled.loops.extend(answer.done.into_iter().map(|(header, kind)| (name.clone(), header, kind)));
            edits.extend(answer.edits);
            if !answer.deferred.is_empty() {
                deferred.insert(name, answer.deferred);
            }
        }
        pieces.edit(&edits);
        if deferred.is_empty() {
            unrolled.transformed.edits = pieces.edits();
            return Ok(unrolled);
        }
        current = edits.apply(&current);
        wanted = Some(deferred);
    }
}

/// Whether a block, by its name with the sigil, is the one that is asked for with the sigil or without.
fn is_header(wanted: &str, header: &str) -> bool {
    header[1..] == *wanted.trim_start_matches('%')
}

/// Why a loop stays as it is.
enum Refused {
    Shape(Objection),
    Convergence(Obstacle),
}

impl From<Objection> for Refused {
    fn from(objection: Objection) -> Refused {
        Refused::Shape(objection)
    }
}

impl From<Obstacle> for Refused {
    fn from(obstacle: Obstacle) -> Refused {
        Refused::Convergence(obstacle)
    }
}

/// What a round does to a function.
#[derive(Default)]
struct Answer {
    edits: Edits,
    done: Vec<(String, Kind)>,
    /// What was asked of each loop that is done or refused, its header, and the answer.
    candidates: Vec<(String, Candidate)>,
    /// The headers of the loops that wait for the next round, with their sigils.
    deferred: Vec<String>,
}

impl Answer {
    /// The headers of the loops that it is about.
    fn headers(&self) -> impl Iterator<Item = &str> {
        self.candidates.iter().map(|(header, _)| header).chain(&self.deferred).map(String::as_str)
    }

    fn is_empty(&self) -> bool {
        self.candidates.is_empty() && self.deferred.is_empty()
    }
}

/// A function in a round.
struct Round<'r, 't> {
    module: &'r Module<'t>,
    id: FunctionId,
    function: &'r Function,
    options: &'r UnrollOptions<'r>,
    block_addresses: bool,
    name: String,
    answer: Answer,
}

impl Round<'_, '_> {
    /// Unrolls the loops with these headers, or the innermost.
    fn run(&mut self, headers: &[String]) {
        let flow = Flow::new(self.function);
        if flow.forest.cycles.is_empty() {
            return;
        }
        let header = |cycle: Cycle| {
            block_operand(
                self.module,
                self.function,
                reconverge_ir::function::Block::new(flow.forest.cycles[cycle].header.index()),
            )
        };
        let is_wanted = |cycle: Cycle| match headers {
            [] => flow.forest.children(cycle).next().is_none(),
            headers => {
                let name = header(cycle);
                headers.iter().any(|wanted| is_header(wanted, &name))
            }
        };
        let mut cycles: Vec<Cycle> = flow.forest.cycles.keys().filter(|&cycle| is_wanted(cycle)).collect();
        // Loops inside others first: after the others they are not the only copy any more.
        cycles.sort_by_key(|&cycle| (std::cmp::Reverse(flow.forest.cycles[cycle].depth), cycle));
        if cycles.is_empty() {
            return;
        }
        let target = self.options.target.unwrap_or_else(|| Target::for_triple(&self.module.target_triple()));
        let legality = Legality::new(self.module, self.id, self.function, target);
        let mut names = Names::new(self.module, self.function);
        let mut taken: FxHashSet<reconverge_ir::function::Block> = FxHashSet::default();
        for cycle in cycles {
            let name = header(cycle);
            if flow
                .forest
                .nodes(cycle)
                .iter()
                .any(|node| taken.contains(&reconverge_ir::function::Block::new(node.index())))
            {
                self.answer.deferred.push(name);
                continue;
            }
            let data = &flow.forest.cycles[cycle];
            match self.one(&flow, &legality, &mut names, cycle) {
                Ok((_, rewritten)) if !taken.is_disjoint(&rewritten.touched) => self.answer.deferred.push(name),
                Ok((kind, rewritten)) => {
                    taken.extend(rewritten.touched);
                    self.answer.edits.extend(rewritten.edits);
                    let (way, unrolling) = match kind {
                        Kind::Full => (" fully", Unrolling::Full),
                        Kind::Exact => (" by a factor that its iterations divide by", Unrolling::Multiple),
                        Kind::Tested => (" with all tests kept", Unrolling::Multiple),
                        Kind::Remainder => (" with a remainder", Unrolling::Remainder),
                    };
                    self.candidate(data, &name, way, legality.may_unroll(cycle, unrolling));
                    self.answer.done.push((name, kind));
                }
                Err(Refused::Convergence(obstacle)) => {
                    self.candidate(data, &name, "", legality.forbids(&obstacle));
                }
                Err(Refused::Shape((inst, rule))) => {
                    let location = Location { span: self.function.instructions[inst].span, what: "here".to_owned() };
                    let verdict = Verdict::No { rule, section: "", locations: vec![location] };
                    self.candidate(data, &name, "", verdict);
                }
            }
        }
        let orders = self.function.use_list_orders;
        if !self.answer.edits.is_empty() && !orders.is_empty() {
            self.answer.edits.delete(orders.range());
        }
    }

    /// Notes what may or may not be done to a loop.
    fn candidate(&mut self, cycle: &CycleData, name: &str, way: &str, verdict: Verdict) {
        let header = self.function.blocks[reconverge_ir::function::Block::new(cycle.header.index())].first;
        let what = format!("unroll the loop at {name}{way}");
        let (function, span) = (self.name.clone(), self.function.instructions[header].span);
        self.answer.candidates.push((name.to_owned(), Candidate { function, what, span, verdict }));
    }

    fn one(
        &self,
        flow: &Flow,
        legality: &Legality<'_>,
        names: &mut Names,
        cycle: Cycle,
    ) -> Result<(Kind, rewrite::Rewritten), Refused> {
        let (module, function) = (self.module, self.function);
        let found = Loop::new(module, legality, function, flow, cycle)?;
        let first = function.blocks[found.header].first;
        if self.block_addresses {
            let rule = "the module takes addresses of blocks, and an address means one block";
            return Err(Refused::Shape((first, rule.into())));
        }
        if let Some(broken) = legality.broken() {
            let rule = "the function breaks rules of convergence control, which `reconverge check` lists";
            return Err(Refused::Shape((broken, rule.into())));
        }
        let convergence = legality.convergence(cycle)?;
        let (plan, counted) = self.plan(flow, &found, &convergence)?;
        let mut context = Context {
            module,
            function,
            found: &found,
            flow,
            counted,
            heart: convergence.heart.map(|(heart, _)| heart),
        };
        if let Plan::Full(_) = plan {
            self.may_vanish(&context)?;
        }
        if let Plan::Tested(_) = plan {
            context.counted = None;
        }
        let parent = convergence.heart.and_then(|(_, parent)| function.instructions[parent].result.expand());
        let rewritten = Rewriter { context: &context, flow, names, parent }.rewrite(plan)?;
        let kind = match plan {
            Plan::Full(_) => Kind::Full,
            Plan::Exact(..) => Kind::Exact,
            Plan::Tested(_) => Kind::Tested,
            Plan::Remainder(_) => Kind::Remainder,
        };
        Ok((kind, rewritten))
    }

    /// The way to unroll a loop.
    fn plan(&self, flow: &Flow, found: &Loop, convergence: &Convergence) -> Result<(Plan, Option<Counted>), Refused> {
        let (module, function, factor) = (self.module, self.function, self.options.factor);
        let exits = counted_exits(module, function, flow, found);
        let is_behind = |block| block != found.header || found.header == found.latch;
        let iterations = |counted: &Counted, passes: u128| passes + u128::from(is_behind(counted.block));
        let full = exits.iter().find_map(|counted| {
            let passes = counted.exact(function, found)?;
            (iterations(counted, passes) <= u128::from(factor)).then(|| (Plan::Full(passes as u32 + 1), Some(*counted)))
        });
        let exact = || {
            exits.iter().find_map(|counted| {
                let leaves = counted.remainder(module, function, flow, found, factor)?;
                Some((Plan::Exact(factor, leaves), Some(*counted)))
            })
        };
        let plan = full.or_else(exact);
        if let Some(behind) = &convergence.used_behind
            && !(plan.is_some() && found.exits.len() == 1)
        {
            return Err(behind.clone().into());
        }
        if let Some(plan) = plan {
            return Ok(plan);
        }
        if self.options.keep_tests {
            return Ok((Plan::Tested(factor), None));
        }
        let Some(counted) = exits.iter().find(|counted| counted.towards().is_some()) else {
            let rule =
                "no test says before the loop how often it runs (unrolling with all tests kept does not need to know)";
            return Err(Refused::Shape((function.blocks[found.header].first, rule.into())));
        };
        match &convergence.no_remainder {
            Some(obstacle) if !self.options.breaks_convergence => Err(obstacle.clone().into()),
            _ => Ok((Plan::Remainder(factor), Some(*counted))),
        }
    }

    /// Whether a loop can be taken away.
    fn may_vanish(&self, context: &Context<'_, '_>) -> Result<(), Objection> {
        let first = self.function.blocks[context.found.header].first;
        let is_never_entered = context.original(copies::Test::Leave).live.len() < context.found.blocks.len();
        if is_never_entered
            && context.counted.and_then(|counted| counted.exact(self.function, context.found)) == Some(0)
        {
            return Err((first, "the first test leaves the loop, so there is no iteration to copy".into()));
        }
        let is_numbered = |heart: Inst| matches!(self.function.instructions[heart].name, LocalName::Number(_));
        if context.heart.is_some_and(is_numbered) && counts_numbers(self.module, self.function) {
            return Err((
                first,
                "the heart has a number, and numbers that are not spelled out would change without it".into(),
            ));
        }
        Ok(())
    }
}

use cranelift_entity::EntityRef;
