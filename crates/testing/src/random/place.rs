//! Puts token definitions and uses where the static rules allow them.

use super::graph::Facts;
use super::{Call, Function, Kind, Options, SplitMix64};

/// Fills the blocks of a function, so that its convergence control is valid.
///
/// Blocks are visited in reverse post-order with the stack of the tokens that may still be used there, outermost
/// first: a use of a token takes those above it off the stack, which keeps regions nested; at a join the stack is
/// what all predecessors share. A use is placed only where the closed-path rules hold for it.
///
/// That misses what comes over edges to blocks that were visited before: behind a use of an outer token, such an edge can lead
/// to a use of an inner one. With [`Options::nested_throughout`], uses are also compared along such paths.
pub(super) fn place(function: &mut Function, rng: &mut SplitMix64, options: &Options) {
    if rng.percent(6) {
        return uncontrolled(function, rng);
    }
    let facts = Facts::of(&function.successors);
    let mut placer = Placer {
        defined_in: Vec::new(),
        at_end: vec![None; function.successors.len()],
        uses: options.nested_throughout.then(Vec::new),
        facts,
        rng,
    };
    placer.run(function, options);
}

/// A function that knows no tokens.
fn uncontrolled(function: &mut Function, rng: &mut SplitMix64) {
    function.convergent = rng.percent(70);
    for calls in &mut function.calls {
        for _ in 0..rng.below(3) {
            let kind = [Kind::Op, Kind::Value, Kind::Plain, Kind::Assembly][rng.below(4)];
            calls.push(Call::new(kind));
        }
    }
}

struct Placer<'a> {
    facts: Facts,
    /// The block of each token's definition.
    defined_in: Vec<usize>,
    /// The stack of live tokens at the end of each block that was visited.
    at_end: Vec<Option<Vec<usize>>>,
    /// All uses so far, if they matter.
    uses: Option<Vec<Use>>,
    rng: &'a mut SplitMix64,
}

/// A use of a token.
struct Use {
    block: usize,
    token: usize,
    /// How many tokens were defined before.
    tokens: usize,
}

impl Placer<'_> {
    fn run(&mut self, function: &mut Function, options: &Options) {
        for at in 0..self.facts.order.len() {
            let block = self.facts.order[at];
            let mut live = self.live_at_start(block);
            if block == 0 {
                self.root(function, &mut live);
            } else {
                self.heart(function, block, &mut live);
            }
            for _ in 0..self.rng.below(3) {
                self.anything(function, block, &mut live);
            }
            if options.callbr && function.successors[block].len() == 1 && self.rng.percent(20) {
                self.operation(function, block, &mut live, Kind::Callbr);
            }
            self.at_end[block] = Some(live);
        }
        for block in 0..function.calls.len() {
            if !self.facts.order.contains(&block) && self.rng.percent(50) && function.tokens > 0 {
                let token = self.rng.below(function.tokens);
                function.calls[block].push(Call::using(Kind::Op, token));
            }
        }
    }

    /// What all visited predecessors have live, as far as it dominates the block.
    fn live_at_start(&self, block: usize) -> Vec<usize> {
        let mut shared: Option<Vec<usize>> = None;
        for &from in &self.facts.order {
            let Some(stack) = &self.at_end[from] else { continue };
            if self.facts.has_edge(from, block) {
                shared = Some(match shared {
                    None => stack.clone(),
                    Some(shared) => shared.into_iter().filter(|token| stack.contains(token)).collect(),
                });
            }
        }
        let mut live = shared.unwrap_or_default();
        live.retain(|&token| self.facts.dominates(self.defined_in[token], block));
        live
    }

    /// The first token: an entry or an anchor, or none yet.
    fn root(&mut self, function: &mut Function, live: &mut Vec<usize>) {
        if self.rng.percent(15) {
            function.calls[0].push(Call::new(Kind::Plain));
        }
        match self.rng.below(100) {
            0..60 => self.define(function, 0, live, Kind::Entry),
            60..92 => {
                function.convergent = self.rng.percent(60);
                self.define(function, 0, live, Kind::Anchor);
            }
            _ => function.convergent = self.rng.percent(60),
        }
    }

    /// A loop intrinsic at the start of the block: mostly where it is the heart of a cycle, rarely elsewhere.
    fn heart(&mut self, function: &mut Function, block: usize, live: &mut Vec<usize>) {
        let fits = |&token: &usize| self.is_heart(block, token) && self.is_nested(block, token);
        let hearts: Vec<usize> = live.iter().copied().filter(fits).collect();
        let token = if self.rng.percent(75) { hearts.last().copied() } else { self.rng.pick(&hearts).copied() };
        if let Some(token) = token.filter(|_| self.rng.percent(75)) {
            return self.use_in_loop(function, block, live, token);
        }
        let fits = |&token: &usize| self.is_free(block, token) && self.is_nested(block, token);
        let free: Vec<usize> = live.iter().copied().filter(fits).collect();
        if let Some(&token) = self.rng.pick(&free).filter(|_| self.rng.below(100) < 7) {
            self.use_in_loop(function, block, live, token);
        }
    }

    fn use_in_loop(&mut self, function: &mut Function, block: usize, live: &mut Vec<usize>, token: usize) {
        self.close_above(block, live, token);
        self.define(function, block, live, Kind::Loop);
        let call = function.calls[block].last_mut().expect("just defined");
        call.bundles = Call::using(Kind::Op, token).bundles;
    }

    fn anything(&mut self, function: &mut Function, block: usize, live: &mut Vec<usize>) {
        match self.rng.below(100) {
            0..18 => self.define(function, block, live, Kind::Anchor),
            18..28 => function.calls[block].push(Call::new(Kind::Plain)),
            28..31 => function.calls[block].push(Call::new(Kind::Indirect { marked: false })),
            other => {
                let kind = match other {
                    31..45 => Kind::Value,
                    45..48 => Kind::Indirect { marked: true },
                    48..51 => Kind::PlainMarked,
                    51..54 => Kind::Assembly,
                    _ => Kind::Op,
                };
                self.operation(function, block, live, kind);
            }
        }
    }

    /// A controlled operation on a token that may be used here, mostly the innermost.
    fn operation(&mut self, function: &mut Function, block: usize, live: &mut Vec<usize>, kind: Kind) {
        let fits = |&token: &usize| self.is_free(block, token) && self.is_nested(block, token);
        let free: Vec<usize> = live.iter().copied().filter(fits).collect();
        let token = if self.rng.percent(60) { free.last().copied() } else { self.rng.pick(&free).copied() };
        if let Some(token) = token {
            self.close_above(block, live, token);
            function.calls[block].push(Call::using(kind, token));
        }
    }

    fn define(&mut self, function: &mut Function, block: usize, live: &mut Vec<usize>, kind: fn(usize) -> Kind) {
        let token = function.new_token();
        self.defined_in.push(block);
        live.push(token);
        function.calls[block].push(Call::new(kind(token)));
    }

    /// Whether no closed path contains the block but not the token's definition.
    fn is_free(&self, block: usize, token: usize) -> bool {
        self.facts.closed_paths(block, self.defined_in[token]) == 0
    }

    /// Whether there are such paths and the block dominates all of their blocks.
    fn is_heart(&self, block: usize, token: usize) -> bool {
        let paths = self.facts.closed_paths(block, self.defined_in[token]);
        let dominated = |other: usize| paths >> other & 1 == 0 || self.facts.dominates(block, other);
        paths != 0 && (0..self.at_end.len()).all(dominated)
    }

    /// Whether, with a use of the token in the block, regions are nested over all paths: no use of an outer token is followed by
    /// one of an inner token that was defined before both. Always, where that does not matter.
    fn is_nested(&self, block: usize, token: usize) -> bool {
        let Some(uses) = &self.uses else { return true };
        let follows = |outer: usize, inner: usize, from: usize, to: usize| {
            outer < inner
                && self.facts.dominates(self.defined_in[inner], from)
                && self.facts.reaches_without(from, to, self.defined_in[inner])
        };
        let breaks = |other: &Use| {
            follows(token, other.token, block, other.block)
                || token < other.tokens && follows(other.token, token, other.block, block)
        };
        !uses.iter().any(breaks)
    }

    /// Takes the tokens above this one, which is used now, off the stack.
    fn close_above(&mut self, block: usize, live: &mut Vec<usize>, token: usize) {
        let at = live.iter().position(|&other| other == token).expect("the token is live");
        live.truncate(at + 1);
        if let Some(uses) = &mut self.uses {
            uses.push(Use { block, token, tokens: self.defined_in.len() });
        }
    }
}
