//! Breaks a rule, or tries to.

use super::{Call, Copying, Function, Kind, Options, SplitMix64, Token};

/// Changes one thing about the function that usually makes its convergence control invalid.
pub(super) fn breach(function: &mut Function, rng: &mut SplitMix64, options: &Options) {
    if function.tokens == 0 {
        insert_start(function, rng, Kind::Anchor);
    }
    match rng.below(if options.token_selects { 21 } else { 20 }) {
        0 | 1 => retarget_use(function, rng),
        2 | 3 => move_use(function, rng),
        4 | 5 => insert_use(function, rng, Kind::Op),
        6..=8 => insert_loop(function, rng),
        9 => drop_bundle(function, rng),
        10 => insert_uncontrolled(function, rng),
        11 => entry_outside(function, rng),
        12 => second_entry(function, rng),
        13 => entry_without_convergent(function, rng),
        14 => bundle_on_definition(function, rng),
        15 => foreign_token(function, rng),
        16 => bundle_shape(function, rng),
        17 => loop_without_bundle(function, rng),
        18 => swap_in_block(function, rng),
        19 => copied_token(function, rng, Copying::Freeze),
        _ => copied_token(function, rng, Copying::Select),
    }
}

/// Every call with a bundle, as block and position.
fn uses(function: &Function) -> Vec<(usize, usize)> {
    let in_block = |(block, calls): (usize, &Vec<Call>)| {
        calls
            .iter()
            .enumerate()
            .filter(|(_, call)| !call.bundles.is_empty())
            .map(move |(at, _)| (block, at))
            .collect::<Vec<_>>()
    };
    function.calls.iter().enumerate().flat_map(in_block).collect()
}

fn pick_use(function: &Function, rng: &mut SplitMix64) -> Option<(usize, usize)> {
    rng.pick(&uses(function)).copied()
}

/// A use gets some other token.
fn retarget_use(function: &mut Function, rng: &mut SplitMix64) {
    if let Some((block, at)) = pick_use(function, rng) {
        let token = rng.below(function.tokens);
        function.calls[block][at].bundles = vec![vec![Token::Defined(token)]];
    }
}

/// A controlled operation that defines nothing moves to another block.
fn move_use(function: &mut Function, rng: &mut SplitMix64) {
    let movable: Vec<(usize, usize)> = uses(function)
        .into_iter()
        .filter(|&(block, at)| {
            let call = &function.calls[block][at];
            call.defines().is_none() && call.kind != Kind::Callbr
        })
        .collect();
    if let Some(&(block, at)) = rng.pick(&movable) {
        let call = function.calls[block].remove(at);
        insert_anywhere(function, rng, call);
    }
}

fn insert_use(function: &mut Function, rng: &mut SplitMix64, kind: Kind) {
    let token = rng.below(function.tokens);
    insert_anywhere(function, rng, Call::using(kind, token));
}

fn insert_uncontrolled(function: &mut Function, rng: &mut SplitMix64) {
    let kind = [Kind::Op, Kind::Value, Kind::Assembly][rng.below(3)];
    insert_anywhere(function, rng, Call::new(kind));
}

fn insert_anywhere(function: &mut Function, rng: &mut SplitMix64, call: Call) {
    let block = rng.below(function.calls.len());
    insert_in(function, rng, block, call);
}

/// Inserts at a random place of a block, before a `callbr` that ends it.
fn insert_in(function: &mut Function, rng: &mut SplitMix64, block: usize, call: Call) {
    let calls = &mut function.calls[block];
    let places = calls.len() + usize::from(calls.last().is_none_or(|last| last.kind != Kind::Callbr));
    calls.insert(rng.below(places), call);
}

fn insert_start(function: &mut Function, rng: &mut SplitMix64, kind: fn(usize) -> Kind) {
    let token = function.new_token();
    let block = rng.below(function.calls.len());
    function.calls[block].insert(0, Call::new(kind(token)));
}

/// A loop intrinsic, mostly first in its block.
fn insert_loop(function: &mut Function, rng: &mut SplitMix64) {
    let used = rng.below(function.tokens);
    let token = function.new_token();
    let call = Call::using(Kind::Loop(token), used);
    let block = rng.below(function.calls.len());
    if rng.percent(75) {
        function.calls[block].insert(0, call);
    } else {
        insert_in(function, rng, block, call);
    }
}

fn drop_bundle(function: &mut Function, rng: &mut SplitMix64) {
    if let Some((block, at)) = pick_use(function, rng) {
        function.calls[block][at].bundles.clear();
    }
}

fn entry_outside(function: &mut Function, rng: &mut SplitMix64) {
    function.convergent = true;
    insert_start(function, rng, Kind::Entry);
}

fn second_entry(function: &mut Function, rng: &mut SplitMix64) {
    function.convergent = true;
    let token = function.new_token();
    insert_in(function, rng, 0, Call::new(Kind::Entry(token)));
}

fn entry_without_convergent(function: &mut Function, rng: &mut SplitMix64) {
    let has_entry = function.calls.iter().flatten().any(|call| matches!(call.kind, Kind::Entry(_)));
    if !has_entry {
        insert_start(function, rng, Kind::Entry);
    }
    function.convergent = false;
}

fn bundle_on_definition(function: &mut Function, rng: &mut SplitMix64) {
    let used = rng.below(function.tokens);
    let roots =
        function.calls.iter_mut().flatten().filter(|call| matches!(call.kind, Kind::Entry(_) | Kind::Anchor(_)));
    let mut roots: Vec<&mut Call> = roots.collect();
    if !roots.is_empty() {
        let at = rng.below(roots.len());
        roots[at].bundles = vec![vec![Token::Defined(used)]];
    }
}

/// A use gets something that no intrinsic made.
fn foreign_token(function: &mut Function, rng: &mut SplitMix64) {
    let Some((block, at)) = pick_use(function, rng) else { return };
    let token = [Token::Poison, Token::None, Token::Parameter][rng.below(3)];
    function.token_parameter |= token == Token::Parameter;
    function.calls[block][at].bundles = vec![vec![token]];
}

/// A use gets no token, two, one that is none, or two bundles.
fn bundle_shape(function: &mut Function, rng: &mut SplitMix64) {
    let Some((block, at)) = pick_use(function, rng) else { return };
    let other = Token::Defined(rng.below(function.tokens));
    let bundles = &mut function.calls[block][at].bundles;
    match rng.below(5) {
        0 => bundles[0].push(other),
        1 => bundles[0].clear(),
        2 => bundles[0] = vec![Token::Integer],
        _ => bundles.push(vec![other]),
    }
}

fn loop_without_bundle(function: &mut Function, rng: &mut SplitMix64) {
    let mut loops: Vec<&mut Call> =
        function.calls.iter_mut().flatten().filter(|call| matches!(call.kind, Kind::Loop(_))).collect();
    if loops.is_empty() {
        return insert_start(function, rng, Kind::Loop);
    }
    let at = rng.below(loops.len());
    loops[at].bundles.clear();
}

fn swap_in_block(function: &mut Function, rng: &mut SplitMix64) {
    let long: Vec<usize> = (0..function.calls.len()).filter(|&block| function.calls[block].len() > 1).collect();
    if let Some(&block) = rng.pick(&long) {
        let movable = function.calls[block].iter().filter(|call| call.kind != Kind::Callbr).count();
        let (one, other) = (rng.below(movable), rng.below(movable));
        function.calls[block].swap(one, other);
    }
}

/// A use goes through a copy of its token.
fn copied_token(function: &mut Function, rng: &mut SplitMix64, copying: Copying) {
    let Some((block, at)) = pick_use(function, rng) else { return };
    let Some(&Token::Defined(from)) = function.calls[block][at].bundles[0].first() else { return };
    let token = function.new_token();
    function.calls[block][at].bundles = vec![vec![Token::Defined(token)]];
    function.calls[block].insert(at, Call::new(Kind::PhiLike(token, from, copying)));
}
