//! Kernels with data, run by us and by another implementation of OpenCL.

use std::time::Instant;

use rayon::prelude::*;
use reconverge_testing::corpus;
use reconverge_testing::llvm;
use reconverge_testing::reference::case::{Case, Launch};
use reconverge_testing::reference::{Buffers, Host, Implementation, data, host};

/// The files with kernels and launches.
fn all_cases() -> Vec<Case> {
    let folders = [("run", "cl"), ("opencl", "cl"), ("cuda", "cu")];
    let files =
        folders.iter().flat_map(|(kind, extension)| corpus::cases(kind, extension).expect("the cases are there"));
    files.filter_map(|path| Case::read(&path).expect("a case")).collect()
}

/// Where the buffers of a launch are not what they should be, in words.
fn differences(case: &Case, launch: &Launch, expected: &Buffers, found: &Buffers) -> Vec<String> {
    let mut differences = Vec::new();
    for (name, expected) in expected {
        let element = launch.element(name).expect("what is compared is a buffer");
        let difference = match found.iter().find(|(known, _)| known == name) {
            Some((_, found)) => data::difference(element, case.tolerance(name), expected, found),
            None => Some("is missing".to_owned()),
        };
        differences.extend(difference.map(|words| format!("{}:{}: {name}{words}", case.path.display(), launch.line)));
    }
    differences
}

/// What the references say: the buffers of each launch, by the first that can run it.
fn references(host: &Host, case: &Case) -> Result<Vec<(Implementation, Vec<Buffers>)>, String> {
    let run = |one| host.run(one, case).map(|buffers| (one, buffers)).map_err(|error| format!("{error:#}"));
    case.references(&host.implementations).into_iter().map(run).collect()
}

/// Two independent implementations agree on every case that both can run, and with what the case expects.
#[test]
fn references_agree_with_each_other() {
    let Some(tools) = llvm::tools() else { return };
    let Some(host) = host(tools) else { return };
    let start = Instant::now();
    let cases = all_cases();
    let problems: Vec<String> = cases
        .par_iter()
        .flat_map_iter(|case| {
            let results = match references(host, case) {
                Ok(results) => results,
                Err(error) => return vec![format!("{}: {error}", case.path.display())],
            };
            let mut problems = Vec::new();
            for (implementation, buffers) in &results {
                for (launch, found) in case.launches.iter().zip(buffers) {
                    let expected = differences(case, launch, &launch.expected, found);
                    let first = &results[0].1[launch_number(case, launch)];
                    let agreed = differences(case, launch, first, found);
                    let all = expected.into_iter().chain(agreed);
                    problems.extend(all.map(|words| format!("{words} under {}", implementation.name())));
                    if found.iter().all(|(name, bytes)| is_unchanged(launch, name, bytes)) {
                        problems.push(format!("{}:{}: the launch changes nothing", case.path.display(), launch.line));
                    }
                }
            }
            problems
        })
        .collect();
    println!("{} cases under {:?} in {:.1?}", cases.len(), host.implementations, start.elapsed());
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

fn launch_number(case: &Case, launch: &Launch) -> usize {
    case.launches.iter().position(|other| other.line == launch.line).expect("a launch of the case")
}

fn is_unchanged(launch: &Launch, name: &str, bytes: &[u8]) -> bool {
    use reconverge_testing::reference::case::Value;
    launch
        .arguments
        .iter()
        .any(|(known, value)| known == name && matches!(value, Value::Buffer { bytes: before, .. } if before == bytes))
}
