//! Programs that do the same because they are the same, up to what cannot matter.
//!
//! Kernels with equal [canonical forms](crate::canonical), which call functions with equal forms and mention the same variables, take the
//! same ways with the same values under each model of convergence: the graph, its depth-first search, and the convergent operations
//! with their tokens are the same.

use reconverge_exec::Program;
use reconverge_ir::layout::DataLayout;
use reconverge_ir::{Module, Symbol, SymbolKind};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::canonical::{Interner, form};

/// Why two kernels do the same, if they are the same.
pub(crate) fn proof(before: &Program<'_>, after: &Program<'_>, kernel: &str) -> Option<String> {
    // Equal IR may stem from statements that keep other threads together.
    if before.has_statements() || after.has_statements() {
        return None;
    }
    let (one, other) = (before.module(), after.module());
    let is_same = one.target_triple() == other.target_triple()
        && layout(one)? == layout(other)?
        && before.function(kernel)?.required_block == after.function(kernel)?.required_block
        && same_types(one, other);
    if !is_same {
        return None;
    }
    let mut interner = Interner::default();
    let mut wanted = vec![kernel.to_owned()];
    let mut seen: FxHashSet<String> = wanted.iter().cloned().collect();
    let mut functions = 0;
    while let Some(name) = wanted.pop() {
        let sides = [one, other].map(|module| form(module, &name, &mut interner));
        let [Some(mine), Some(theirs)] = sides else { return None };
        if mine.lines != theirs.lines {
            return None;
        }
        functions += 1;
        for symbol in mine.symbols {
            if seen.insert(symbol.clone()) && !same_symbol(one, other, &symbol, &mut wanted)? {
                return None;
            }
        }
    }
    let what = match functions {
        1 => "the kernel is the same".to_owned(),
        2 => "the kernel and the function that it calls are the same".to_owned(),
        count => format!("the kernel and the {} functions that it calls are the same", count - 1),
    };
    Some(format!(
        "{what}, up to names, debug information, the order of blocks, and the order of instructions that depend on nothing but their operands"
    ))
}

/// The data layout, in words: that of the target where the text has none.
fn layout(module: &Module<'_>) -> Option<String> {
    DataLayout::of(module).ok().map(|layout| format!("{layout:?}"))
}

/// Whether types with one name are one type in both modules.
fn same_types(one: &Module<'_>, other: &Module<'_>) -> bool {
    let bodies = |module: &Module<'_>| -> FxHashMap<Vec<u8>, Option<String>> {
        let types = module.named_types.values();
        types
            .map(|named| {
                let body = named.body.or(named.alias).map(|ty| module.display_type(ty));
                (module.spelling(named.name).to_vec(), body)
            })
            .collect()
    };
    let (one, other) = (bodies(one), bodies(other));
    one.iter().all(|(name, body)| other.get(name).is_none_or(|theirs| theirs == body))
}

/// Whether a symbol means the same in both modules; functions with a body are to be compared then.
fn same_symbol(one: &Module<'_>, other: &Module<'_>, name: &str, wanted: &mut Vec<String>) -> Option<bool> {
    let find =
        |module: &Module<'_>| module.symbol_named(name.as_bytes()).map(|symbol| (symbol, module.symbols[symbol].kind));
    let ((mine, kind), (theirs, kind_after)) = (find(one)?, find(other)?);
    Some(match (kind, kind_after) {
        (SymbolKind::Function(a), SymbolKind::Function(b)) => {
            let bodies = (one.functions[a].body.is_some(), other.functions[b].body.is_some());
            if bodies == (true, true) {
                wanted.push(name.to_owned());
            }
            bodies.0 == bodies.1 && one.functions[a].convergent == other.functions[b].convergent
        }
        (SymbolKind::UndeclaredIntrinsic { .. }, SymbolKind::UndeclaredIntrinsic { .. }) => true,
        (SymbolKind::Variable, SymbolKind::Variable) => {
            let line = |module: &Module<'_>, symbol: Symbol| variable(module, symbol);
            let (a, b) = (line(one, mine), line(other, theirs));
            a.is_some() && a == b
        }
        _ => false,
    })
}

/// What a variable is, where its definition mentions no other symbol.
fn variable(module: &Module<'_>, symbol: Symbol) -> Option<String> {
    let definition = module.definition_of_variable(symbol)?;
    let is_closed = !definition.contains(&b'@')
        && definition.iter().filter(|&&byte| byte == b'{').count()
            == definition.iter().filter(|&&byte| byte == b'}').count();
    is_closed.then(|| String::from_utf8_lossy(definition).into_owned())
}
