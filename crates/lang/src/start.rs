//! Who is together where the bodies of functions start.
//!
//! **Definition.** Kernels, and `main` of C, C++, CUDA and HIP, are called from outside of the program: who is together there is what the environment defines. Of others, a call is *convergent* if it is a convergent
//! operation: by `convergent` or `noconvergent` on the call, else by the function's attribute. The start is open if some call in the file is not convergent, or none is there and the function is not convergent; else
//! those who are together at the call are together ("Function body"; see [`reconverge_outline::convergence`]).

use cranelift_entity::SecondaryMap;
use reconverge_outline::Entry;
use reconverge_outline::convergence::Start;

use crate::options::Dialect;
use crate::typed::{ExpressionKind, Function, FunctionData, Program};

/// By function: who is together at its start. `entry` is what the environment defines, where somebody says so. O(functions and calls).
pub fn starts(program: &Program, entry: Option<Entry>) -> SecondaryMap<Function, Start> {
    let mut starts = SecondaryMap::with_capacity(program.functions.len());
    for (function, data) in &program.functions {
        starts[function] = if data.is_convergent { Start::Converged } else { Start::NonconvergentCall };
    }
    let bodies = || program.functions.values().filter_map(|data| data.body.as_ref());
    let calls = || bodies().flat_map(|body| body.calls.iter().map(|&call| &body.expressions[call].kind));
    for is_convergent in [true, false] {
        for kind in calls() {
            if let ExpressionKind::Call { function, convergent, .. } = *kind
                && convergent.unwrap_or(program.functions[function].is_convergent) == is_convergent
            {
                // Those that are not come last, and count.
                starts[function] = if is_convergent { Start::Converged } else { Start::NonconvergentCall };
            }
        }
    }
    for (function, data) in &program.functions {
        if let Some(default) = entered(program.dialect, data) {
            starts[function] = entry.unwrap_or(default).into();
        }
    }
    starts
}

/// What the environment defines of a function that is called from outside of the program, where nobody says something else; none for others.
pub fn entered(dialect: Dialect, data: &FunctionData) -> Option<Entry> {
    if data.is_kernel {
        return Some(Entry::Converged);
    }
    (dialect != Dialect::OpenCl && data.linkage_name == "main").then_some(Entry::Alone)
}
