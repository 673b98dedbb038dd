//! Scopes as nodes, against what a lookup is when names are texts; and what deep ones cost.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use reconverge_lang::options::{Dialect, Options};
use reconverge_lang::token::Symbols;
use reconverge_lang::tree::{Name, Scope, ScopeKind, Scopes};
use reconverge_testing::random::SplitMix64;

use crate::check::support::checked;

/// The text of the innermost declaration of a spelling, from the scope with a text outwards: parts are cut off behind.
fn innermost(declared: &BTreeSet<String>, scope: &str, spelling: &str) -> Option<String> {
    let mut scope = scope;
    while !scope.is_empty() {
        let name = format!("{scope}::{spelling}");
        if declared.contains(&name) {
            return Some(name);
        }
        scope = scope.rsplit_once("::").map_or("", |(outer, _)| outer);
    }
    declared.contains(spelling).then(|| spelling.to_string())
}

#[test]
fn lookups_are_those_of_texts() {
    let spellings = ["a", "b", "c", "long_name"];
    for seed in 0..200 {
        let mut random = SplitMix64::new(seed);
        let mut symbols = Symbols::default();
        let mut scopes = Scopes::default();
        let mut nodes: Vec<(Scope, String)> = vec![(Scope::UNIT, String::new())];
        let mut names = Vec::new();
        let mut declared = BTreeSet::new();
        for _ in 0..12 {
            let (outer, text) = nodes[random.next_u64() as usize % nodes.len()].clone();
            let spelling = spellings[random.next_u64() as usize % spellings.len()];
            let name = scopes.member(outer, symbols.intern(spelling));
            let text = if text.is_empty() { spelling.to_string() } else { format!("{text}::{spelling}") };
            assert_eq!(scopes.text(name, &symbols), text, "seed {seed}");
            assert_eq!(scopes.text_length(name, &symbols), text.len(), "seed {seed}");
            assert_eq!((scopes.scope(name), scopes.find(outer, symbols.intern(spelling))), (outer, Some(name)));
            if nodes.iter().any(|node| node.1 == text) {
                continue;
            }
            match random.next_u64() % 2 {
                0 => nodes.push((scopes.add(ScopeKind::Namespace, name, outer, &symbols), text)),
                _ => {
                    declared.insert(text);
                    names.push(name);
                }
            }
        }
        for (scope, text) in &nodes {
            for spelling in spellings {
                let meaning = |name: Name| names.contains(&name).then_some(name);
                let found = scopes.innermost(*scope, symbols.intern(spelling), meaning);
                let found = found.map(|name| scopes.text(name, &symbols).into_owned());
                assert_eq!(found, innermost(&declared, text, spelling), "seed {seed}: {spelling} in {text}");
            }
        }
    }
}

#[test]
fn names_after_many_others_take_linear_time() {
    let text = |depth: usize| {
        let path = "outer_scope::".repeat(depth);
        let (open, close) = ("namespace outer_scope { ".repeat(depth), "}".repeat(depth));
        format!("{open} int f(int); {close} int {path}f(int x) {{ return ::{path}f(x); }}")
    };
    let mut options = Options::new(Dialect::Cpp);
    (options.limits.qualifiers, options.limits.name_length) = (usize::MAX, usize::MAX);
    let of = |depth: usize| checked(Path::new("test"), &text(depth), &options);
    let (few, many) = (of(1_000), of(10_000));
    assert_eq!(many.wrong(), "");
    assert_eq!(many.program.functions.len(), 1);
    assert!(many.time < few.time * 40 + Duration::from_millis(200), "{:?} and {:?}", few.time, many.time);
}

/// A function is looked up in the scope that its name says, also where it is defined outside of it; two types of one name in two
/// functions have members of their own.
#[test]
fn names_of_functions_open_their_scopes() {
    let text = "namespace a { namespace b { int f(); } struct s { int x; }; int g(); }
int a::g() { s v; v.x = b::f(); return v.x; }
void h() { struct s { struct t { int y; }; }; s::t v; v.y = 1; }
void i() { struct s { struct t { int z; }; }; s::t v; v.z = 1; }";
    assert_eq!(checked(Path::new("test"), text, &Options::new(Dialect::Cpp)).wrong(), "");
}
