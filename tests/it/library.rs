//! What the command prints as JSON is what the library answers.

use reconverge::{
    CheckOptions, CyclesOptions, Error, Input, Module, RegionsOptions, RunOptions, Settings, TraceOptions,
    UniformityOptions,
};
use serde::Serialize;
use serde_json::{Value, json};

use crate::common::{examples, reconverge as command, root};

fn printed(arguments: &[&str]) -> Value {
    let run = command(&[arguments, &["--format", "json"]].concat(), b"");
    serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{arguments:?}: {error}: {}", run.stderr))
}

/// An answer about one input, with its path.
fn of_file(path: &str, answer: impl Serialize) -> Value {
    let mut file = serde_json::to_value(answer).expect("it is JSON");
    file["path"] = path.into();
    json!({ "files": [file] })
}

fn open(path: &str) -> Result<Module, Error> {
    let text = std::fs::read(root().join(path)).expect("it can be read");
    reconverge::open(Input::new(path, text, None)?, &Settings::default())
}

#[test]
fn of_every_example() -> Result<(), Error> {
    for path in examples() {
        let path = path.to_str().expect("it is text");
        let module = open(path)?;
        let checked = reconverge::check(&module, &CheckOptions::default())?;
        let mut check = printed(&["check", path]);
        // It is of all files.
        assert!(check.as_object_mut().is_some_and(|check| check.remove("summary").is_some()));
        assert_eq!(check, of_file(path, checked.report(&module)));
        let uniformity = reconverge::uniformity(&module, &UniformityOptions::default())?;
        assert_eq!(printed(&["uniformity", path]), of_file(path, uniformity));
        assert_eq!(printed(&["cycles", path]), of_file(path, reconverge::cycles(&module, &CyclesOptions::default())?));
        let regions = reconverge::regions(&module, &RegionsOptions::default())?;
        assert_eq!(printed(&["regions", path]), of_file(path, regions));
    }
    Ok(())
}

/// Points are what is explained when every line is asked about, with the same sets.
#[test]
fn points_are_those_of_all_lines() -> Result<(), Error> {
    let mut seen = 0;
    for path in examples() {
        let path = path.to_str().expect("it is text");
        let module = open(path)?;
        let text = std::fs::read(root().join(path)).expect("it can be read");
        let lines = reconverge::lines::Lines::new(&text);
        let explain = (1..=text.split(|&byte| byte == b'\n').count()).map(|line| format!("{path}:{line}")).collect();
        let options = UniformityOptions { explain, ..UniformityOptions::default() };
        let explained = reconverge::uniformity(&module, &options)?.explanations.unwrap_or_default();
        let explained = explained.into_iter().filter(|one| !one.unreachable);
        let mut explained: Vec<_> = explained
            .map(|one| (one.function, one.name, one.kind == "branch", (one.at.line, one.at.column), one.uniform_in))
            .collect();
        let functions = reconverge::points(&module)?;
        let points = functions.into_iter().flat_map(|function| {
            let name = function.name;
            function.points.into_iter().map(move |point| (name.clone(), point))
        });
        let mut points: Vec<_> = points
            .map(|(function, point)| {
                let place = lines.position(point.span.bytes.start);
                (function, point.name, point.is_branch, (place.line, place.column), point.uniform_in)
            })
            .collect();
        explained.sort();
        points.sort();
        assert_eq!(points, explained, "{path}");
        seen += points.len();
    }
    assert!(seen > 100);
    Ok(())
}

#[test]
fn of_a_run() -> Result<(), Error> {
    let path = "examples/run-loop-with-break.ll";
    let arguments = ["n=4", "out=u64[4]"].map(str::to_owned).to_vec();
    let options = RunOptions { block: Some([4, 1, 1]), arguments, events: 1000, ..RunOptions::default() };
    let run = reconverge::run(&open(path)?, &options)?;
    let printed = printed(&["run", path, "--block", "4", "--arg", "n=4", "--arg", "out=u64[4]"]);
    assert_eq!(printed, serde_json::to_value(run).expect("it is JSON"));
    Ok(())
}

#[test]
fn of_a_trace() -> Result<(), Error> {
    let (path, function) = ("examples/temporal-divergence.ll", "temporal");
    let paths = ["entry,loop,done", "entry,loop,loop,done"];
    let options = TraceOptions {
        function: function.to_owned(),
        paths: paths.map(str::to_owned).to_vec(),
        ..TraceOptions::default()
    };
    let traced = reconverge::trace(&open(path)?, &options)?;
    let printed = printed(&["trace", path, "--function", function, "--thread", paths[0], "--thread", paths[1]]);
    assert_eq!(printed, serde_json::to_value(traced).expect("it is JSON"));
    Ok(())
}
