//! Every file of the kept corpus through every target, and some inputs of every verb.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

use reconverge_fuzzing::drive::Place;
use reconverge_fuzzing::worker::attempt;
use reconverge_fuzzing::{Input, Seeds, Verb, generate, targets};
use reconverge_testing::corpus::workspace;
use reconverge_testing::rounds;

/// The files of the kept corpus.
fn files() -> Vec<PathBuf> {
    let mut folders = vec![workspace().join("fuzz/corpus")];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("the corpus is there") {
            let path = entry.expect("the folder reads").path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    files
}

#[test]
fn kept_files_through_every_target() {
    let files = files();
    assert!(files.len() > 20, "{} files are kept", files.len());
    let mut meaningful = [0; targets::ALL.len()];
    for file in &files {
        let text = std::fs::read(file).expect("the file reads");
        for (index, (name, survives)) in targets::ALL.into_iter().enumerate() {
            // Where the first byte says how, it says the language of the file, and something else for each.
            let extensions = ["cl", "cu", "hip", "c", "cpp"];
            let extension = file.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
            let language = extensions.iter().position(|&known| known == extension).unwrap_or(0) as u8;
            for how in [file.as_os_str().len(), text.len()].map(|length| (length % 50) as u8 * 5 + language) {
                let bytes = if matches!(name, "read_ll" | "launch_grammar") {
                    text.clone()
                } else {
                    [&[how], &text[..]].concat()
                };
                let answer = catch_unwind(AssertUnwindSafe(|| survives(&bytes)));
                let answer =
                    answer.unwrap_or_else(|_| panic!("see above; this was {name} on {how} and {}", file.display()));
                meaningful[index] += usize::from(answer);
            }
        }
    }
    println!("{} files; they mean something to the targets {meaningful:?} times", files.len());
    let [reader, front_end, decoder, transforms, _] = meaningful;
    assert!(reader > 0 && front_end > 0 && decoder > 0 && transforms > 0, "{meaningful:?}");
}

#[test]
fn inputs_of_every_verb() {
    const EACH: u64 = 15;
    let seeds = Seeds::read(&workspace()).expect("the texts read");
    let folder = tempfile::tempdir().expect("a folder for files");
    let place = Place { seeds: &seeds, folder: folder.path(), binary: None };
    // What a panic says is printed, as that of any test: other tests run in this process.
    let (mut inputs, mut past_reader, mut failures) = (0, 0, Vec::new());
    for (verb, ..) in Verb::ALL.into_iter().filter(|(verb, ..)| !verb.needs_binary()) {
        for seed in rounds::seeds(EACH) {
            let input: Input = generate(verb, seed, &seeds);
            let (outcome, failure) = attempt(&input, &place);
            inputs += 1;
            past_reader += usize::from(outcome.past_reader);
            failures.extend(
                failure.map(|failure| format!("cargo xtask fuzz {verb} --seed {seed} --inputs 1: {failure:?}")),
            );
        }
    }
    println!("{inputs} inputs, {past_reader} past the reader");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(past_reader * 2 > inputs, "only {past_reader} of {inputs} inputs get past the reader");
}

/// The same seed is the same input.
#[test]
fn an_input_is_a_function_of_its_seed() {
    let seeds = Seeds::read(&workspace()).expect("the texts read");
    for (verb, ..) in Verb::ALL {
        for seed in 0..5 {
            let (one, two) = (generate(verb, seed, &seeds), generate(verb, seed, &seeds));
            assert_eq!((one.text, one.second, one.choices), (two.text, two.second, two.choices), "{verb} {seed}");
        }
    }
}
