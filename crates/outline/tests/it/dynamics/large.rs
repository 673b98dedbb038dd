//! Long walks and deep bodies.

use std::time::Duration;

use cpu_time::ThreadTime;
use reconverge_outline::convergence::analyze;
use reconverge_outline::dynamics::flow::Flow;
use reconverge_outline::dynamics::{Keys, Model, Names, NamesError, Rules};
use reconverge_outline::{Outline, sketch};

/// The time that keys for a walk of so many steps take.
fn time(outline: &Outline, model: Model, steps: usize, choose: impl FnMut(usize) -> usize) -> Duration {
    let walk = Flow::new(outline).walk(steps, choose);
    assert_eq!(walk.len(), steps);
    let analysis = analyze(outline, model.source());
    let rules = Rules::new(outline, &analysis, model);
    let begun = ThreadTime::now();
    Keys::new(&rules).walk(0, &walk);
    begun.elapsed()
}

#[test]
fn a_step_costs_the_same_in_long_walks() {
    let text = "for (;;) { again: a; while (_w) { b; if (_c) continue; in: c; switch (_v) { case 1: d; case 2: e; } } if (_d) goto again; if (_e) goto in; }";
    let outline = sketch::parse(text).expect("a body");
    let long = |model, steps| {
        let mut turn = 0;
        let choose = |ways| {
            turn += 1;
            turn * turn / 3 % ways
        };
        time(&outline, model, steps, choose).as_secs_f64()
    };
    for model in Model::ALL {
        let ratio = |_| long(model, 400_000) / long(model, 100_000);
        let best = (0..3).map(ratio).fold(f64::INFINITY, f64::min);
        assert!(best < 10.0, "{model:?}: four times the steps take {best} times the time");
    }
}

#[test]
fn ten_thousand_statements_in_each_other() {
    let depth = 10_000;
    let text = format!("{} a; {}", "l: while (_c) { if (_d) {".repeat(depth), "} }".repeat(depth));
    let text = {
        let mut number = 0;
        text.split("l:")
            .map(|part| {
                number += 1;
                format!("{part}l{number}:")
            })
            .collect::<String>()
            + " b;"
    };
    let parsed = std::thread::Builder::new().stack_size(1 << 30).spawn(move || sketch::parse(&text).expect("a body"));
    let outline = parsed.expect("a thread").join().expect("a body");
    let begun = ThreadTime::now();
    for model in Model::ALL {
        time(&outline, model, 3 * depth, |_| 0);
        let analysis = analyze(&outline, model.source());
        let names = Names::new(&outline, &analysis, |location| Some((1, location.0)));
        assert!(matches!(names.walk(&["a"]), Err(NamesError::Ambiguous { .. })), "in which iterations?");
        assert!(names.walk(&["b"]).is_ok(), "all loops are over");
    }
    let taken = begun.elapsed();
    assert!(taken < Duration::from_secs(60), "{taken:?}");
}
