//! The table of a run is the table of the ways that its threads went.
//!
//! Random kernels in C are run under each text, and the table is made of what they executed: by the tokens of the text of April 2025, by the rules of the other two. The names in each row are given to `trace`, which makes a table by the rules of the text. Both have the same
//! cells, and where the text says who takes part, the same columns; without tokens, which have choices of their own, everywhere. Lists that stand for several ways, which `trace` refuses, are left out.

use std::collections::HashMap;

use reconverge::{
    Entry, ErrorKind, Input, RunOptions, Settings, SourceInstance, SourceModel, SourceReport, TraceAnswer, TraceModel,
    TraceOptions, Traced, trace, trace_run,
};
use reconverge_testing::random::source::SourceKernel;
use reconverge_testing::rounds;

use crate::source_models::TEXTS;

const KERNELS: u64 = 100;

fn of_source(traced: Traced) -> SourceReport {
    match traced.answer {
        TraceAnswer::Source(report) => report,
        other => panic!("{other:?}"),
    }
}

/// For each cell that is compared: the first one that is converged with it.
fn columns(report: &SourceReport, text: SourceModel) -> Vec<(usize, usize)> {
    let mut first: HashMap<u32, (usize, usize)> = HashMap::new();
    let mut columns = Vec::new();
    for (thread, row) in report.threads.iter().enumerate() {
        for (place, cell) in
            row.instances.iter().enumerate().filter(|(_, cell)| cell.defined || text != SourceModel::Clang2025_04)
        {
            columns.push(*first.entry(cell.key).or_insert((thread, place)));
        }
    }
    columns
}

/// How many cells were compared, and how many of them were in a column with another one; none where the names stand for several ways.
fn compare(seed: u64, text: SourceModel) -> Option<(usize, usize)> {
    let kernel = SourceKernel::random(seed);
    let mut settings = Settings::default();
    (settings.source.markers, settings.source.statements) = (true, true);
    (settings.source.model, settings.source.tokens) = (text, text == SourceModel::Clang2025_04);
    let input = Input::new("k.cl", kernel.text.clone(), None).expect("source");
    let module = reconverge::open(input, &settings).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
    let data: Vec<String> = kernel.data(seed).iter().map(u32::to_string).collect();
    let arguments =
        vec![format!("data=u32[{}]{{{}}}", kernel.threads, data.join(",")), format!("out=u32[{}]", kernel.threads)];
    let entry = if seed.is_multiple_of(3) { Entry::Alone } else { Entry::Converged };
    let launch =
        RunOptions { block: Some([kernel.threads, 1, 1]), arguments, entry: Some(entry), ..RunOptions::default() };
    let threads: Vec<u64> = (0..u64::from(kernel.threads)).collect();
    let describe = || format!("seed {seed}, {text:?}, {entry:?}\n{}", kernel.text);
    let ran = trace_run(&module, &launch, &threads).unwrap_or_else(|error| panic!("{error}\n{}", describe()));
    let ran = of_source(ran);
    let names = |row: &[SourceInstance]| row.iter().map(|cell| cell.block.clone()).collect::<Vec<_>>().join(",");
    let paths: Vec<String> = ran.threads.iter().map(|row| names(&row.instances)).collect();
    if paths.iter().any(String::is_empty) {
        return None;
    }
    // Behind its last operation a thread may end in many ways.
    let options = TraceOptions {
        function: "k".to_owned(),
        paths: paths.clone(),
        partial: true,
        entry: Some(entry),
        model: Some(TraceModel::Source(text)),
        ..TraceOptions::default()
    };
    let traced = match trace(&module, &options) {
        Ok(traced) => of_source(traced),
        Err(error) => {
            let is_ambiguous = error.kind == ErrorKind::Path && error.message.contains("several ways");
            assert!(is_ambiguous, "{error}\n{}", describe());
            return None;
        }
    };
    let again: Vec<String> = traced.threads.iter().map(|row| names(&row.instances)).collect();
    assert_eq!(again, paths, "{}", describe());
    let (by_run, by_rules) = (columns(&ran, text), columns(&traced, text));
    assert_eq!(by_run, by_rules, "{}", describe());
    let mut sizes: HashMap<(usize, usize), usize> = HashMap::new();
    by_run.iter().for_each(|&first| *sizes.entry(first).or_default() += 1);
    let shared = sizes.values().filter(|&&size| size > 1).sum();
    assert!(entry == Entry::Converged || shared == 0, "{}", describe());
    Some((by_run.len(), shared))
}

#[test]
fn the_table_of_a_run_is_that_of_its_ways() {
    let seeds = rounds::seeds(KERNELS);
    let is_single = seeds.end - seeds.start == 1;
    let kernels = (seeds.end - seeds.start) as usize;
    println!("text             kernels  compared   cells  together");
    for (text, name) in TEXTS {
        let compared: Vec<(usize, usize)> = seeds.clone().filter_map(|seed| compare(seed, text)).collect();
        let (cells, shared) = compared.iter().fold((0, 0), |(cells, shared), one| (cells + one.0, shared + one.1));
        println!("{name:<15}  {kernels:>7}  {:>8}  {cells:>6}  {shared:>8}", compared.len());
        assert!(is_single || compared.len() * 4 > kernels, "{} kernels", compared.len());
        assert!(is_single || shared * 8 > cells, "{shared} of {cells}");
    }
}
