//! The valid programs that are broken.

use reconverge_findings::Code;
use reconverge_testing::corpus;
use reconverge_testing::random;
use reconverge_testing::random::kernels::Kernel;

/// A module with every instruction, and with what random programs do not have.
const EVERYTHING: &str = include_str!("everything.ll");

/// Programs with their names; not all of the files are valid.
pub(crate) fn all() -> Vec<(String, String)> {
    let mut programs = vec![("everything.ll".to_string(), EVERYTHING.to_string()); 12];
    let mut files = corpus::examples().expect("the examples are there");
    for kind in ["ir", "passes", "transforms"] {
        files.extend(corpus::cases(kind, "ll").unwrap_or_default());
    }
    for path in files {
        if let Ok(text) = std::fs::read_to_string(&path) {
            programs.push((path.file_name().unwrap_or_default().to_string_lossy().into_owned(), text));
        }
    }
    for code in Code::ALL {
        for program in code.page().split("```llvm\n").skip(1).filter_map(|rest| rest.split("```").next()) {
            programs.push((code.name().to_string(), program.to_string()));
        }
    }
    for seed in 0..40 {
        programs.push((format!("kernel {seed}"), Kernel::random(seed).text));
        programs.push((format!("module {seed}"), random::module(seed, 3)));
    }
    programs
}
