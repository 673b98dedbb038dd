//! Every kernel of the cases, lowered for every target of its dialect: how many are taken whole, and what LLVM and our rules say.

use rayon::prelude::*;
use reconverge_lang::lower::LowerOptions;
use reconverge_lang::options::{Dialect, Options, SourceModel};
use reconverge_lang::translate::translate;
use reconverge_testing::{llvm, rounds};

use crate::translate::support::{kernels, objections, targets, wrong};

#[test]
fn every_kernel_is_lowered_for_every_target() {
    let tools = llvm::tools();
    let all = kernels();
    let is_thorough = rounds::is_thorough();
    let check = |(index, (path, dialect)): (usize, &(std::path::PathBuf, Dialect))| {
        let text = std::fs::read(path).expect("the case");
        let mut found = Vec::new();
        let (mut modules, mut is_whole) = (0, true);
        for (number, &target) in targets(*dialect).iter().enumerate() {
            let options = Options { target, ..Options::new(*dialect) };
            let translation = translate(path, text.clone(), &options, SourceModel::default());
            is_whole &= translation.diagnostics.is_empty();
            if translation.has_errors() {
                found.push(wrong(&translation));
                continue;
            }
            for (place, tokens) in [true, false].into_iter().enumerate() {
                let options = LowerOptions { tokens, markers: false, debug: true, origins: false, nsw: false };
                let ir = crate::translate::support::lowered(&translation, options);
                modules += 1;
                // LLVM looks at some, or all with more rounds.
                let tools = tools.filter(|_| is_thorough || (index + number) % 4 == place);
                found.extend(objections(&ir, tools).into_iter().map(|one| format!("{target:?}, {tokens}: {one}")));
            }
        }
        (path.clone(), is_whole, modules, found)
    };
    let results: Vec<_> = all.par_iter().enumerate().map(check).collect();
    let whole = results.iter().filter(|(_, is_whole, ..)| *is_whole).count();
    let modules: usize = results.iter().map(|(_, _, modules, _)| modules).sum();
    println!("{whole} of {} files are taken whole; {modules} modules", results.len());
    let mut problems = Vec::new();
    for (path, is_whole, _, found) in results {
        if !is_whole {
            problems.push(format!("{}: some functions are left out", path.display()));
        }
        problems.extend(found.into_iter().map(|one| format!("{}: {one}", path.display())));
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
