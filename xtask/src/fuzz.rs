//! `cargo xtask fuzz`: every verb on inputs that are made up. `fuzz/README.md` says how to work with it.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use reconverge_fuzzing::campaign::{Bounds, Campaign, distinct, tally};
use reconverge_fuzzing::input::{Input, Kind};
use reconverge_fuzzing::minimise::{Runner, minimise};
use reconverge_fuzzing::seeds::hash;
use reconverge_fuzzing::summary::{Found, Summary};
use reconverge_fuzzing::{Seeds, Verb, generate};
use reconverge_testing::corpus::workspace;
use serde_json::{Value, json};

/// The input of each verb and seed is the same each time, as long as the files of the corpus are. Failing inputs are made small and written to
/// `fuzz/found`.
#[derive(Debug, Args)]
pub(crate) struct Fuzz {
    /// What to drive: check, uniformity, cycles, regions, trace, run, lower, transform, validate, explain, target, launch, command, bisect [default: all]
    #[arg(value_name = "VERB")]
    verbs: Vec<Verb>,
    /// How many inputs
    #[arg(long, default_value_t = 10_000)]
    inputs: u64,
    /// The seed of the first
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many processes [default: as many as there are cores]
    #[arg(long)]
    jobs: Option<usize>,
    /// Stop after so many seconds
    #[arg(long)]
    seconds: Option<u64>,
    /// The profile that the workers and the binary are built with: fuzz is fast, with all assertions; dev is what tests have built already
    #[arg(long, default_value = "fuzz")]
    profile: String,
    /// Build nothing: the folder has the worker and the binary
    #[arg(long, value_name = "FOLDER")]
    programs: Option<PathBuf>,
    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
    /// Leave failing inputs as they are
    #[arg(long)]
    no_minimise: bool,
    /// The most seconds to make one input small
    #[arg(long, default_value_t = 20)]
    minimise_seconds: u64,
    /// Write inputs that show something new to `fuzz/corpus`, at most so many
    #[arg(long, value_name = "N")]
    keep: Option<usize>,
    /// Print the most frequent reasons for which inputs were refused, so many
    #[arg(long, value_name = "N", default_value_t = 0)]
    reasons: usize,
    /// Run the input of a file of `fuzz/found` again
    #[arg(long, value_name = "FILE.json")]
    replay: Option<PathBuf>,
    /// Print the input of the first seed, and do not run it
    #[arg(long)]
    print: bool,
}

impl Fuzz {
    pub(crate) fn run(&self) -> Result<()> {
        let root = workspace();
        let verbs = if self.verbs.is_empty() { Verb::ALL.map(|(verb, ..)| verb).to_vec() } else { self.verbs.clone() };
        if self.print {
            return print(&generate(verbs[0], self.seed, &Seeds::read(&root)?));
        }
        let (worker, binary) = self.build(&root)?;
        let campaign = Campaign {
            root: root.clone(),
            worker,
            binary: Some(binary),
            verbs,
            inputs: self.inputs,
            seed: self.seed,
            jobs: self.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from)).max(1),
            until: self.seconds.map(|seconds| Instant::now() + Duration::from_secs(seconds)),
            bounds: Bounds::default(),
        };
        if let Some(file) = &self.replay {
            return replay(&campaign, file);
        }
        let (start, told) = (Instant::now(), AtomicUsize::new(0));
        let summary = campaign.run(&|summary| self.progress(summary, start, &told))?;
        let seconds = start.elapsed().as_secs_f64();
        let seeds = Seeds::read(&root)?;
        if self.json {
            println!("{:#}", summary.json(seconds));
        } else {
            println!("{}", summary.table(seconds));
            println!(
                "{} kinds of codes, messages and opcodes seen; the corpus is {:016x}",
                summary.features.len(),
                seeds.fingerprint
            );
        }
        for (verb, reason, count) in summary.most_frequent_reasons(self.reasons) {
            println!("{count:8} {verb:11} {reason}");
        }
        if let Some(most) = self.keep {
            keep(&root, &seeds, &summary, most)?;
        }
        let distinct = distinct(&summary.found);
        let counts = tally(&summary.found);
        for found in &distinct {
            let count = counts.get(&(found.verb, found.failure.key())).copied().unwrap_or(1);
            self.write(&campaign, &seeds, found, count)?;
        }
        if !distinct.is_empty() {
            eprintln!("{} inputs fail, for {} causes", summary.found.len(), distinct.len());
            std::process::exit(1);
        }
        Ok(())
    }

    /// Builds the worker and the binary.
    fn build(&self, root: &Path) -> Result<(PathBuf, PathBuf)> {
        if let Some(folder) = &self.programs {
            let folder = folder.canonicalize().with_context(|| folder.display().to_string())?;
            return Ok((folder.join("reconverge-fuzz-worker"), folder.join("reconverge")));
        }
        let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
        let mut command = Command::new(cargo);
        command.current_dir(root).args([
            "build",
            "--profile",
            &self.profile,
            "--package",
            "reconverge-fuzzing",
            "--package",
            "reconverge-cli",
        ]);
        command.args(["--message-format", "json-render-diagnostics"]).stderr(std::process::Stdio::inherit());
        let output = command.output().context("cargo cannot be started")?;
        ensure!(output.status.success(), "the workers cannot be built");
        let built = |name: &str| {
            let messages = output
                .stdout
                .split(|&byte| byte == b'\n')
                .filter_map(|line| serde_json::from_slice::<Value>(line).ok());
            let mut programs = messages
                .filter(|message| message["target"]["name"] == name)
                .filter_map(|message| message["executable"].as_str().map(PathBuf::from));
            programs.next().with_context(|| format!("cargo did not say where {name} is"))
        };
        Ok((built("reconverge-fuzz-worker")?, built("reconverge")?))
    }

    /// Says how far it is, and which inputs have failed since it was last said.
    fn progress(&self, summary: &Summary, start: Instant, told: &AtomicUsize) {
        for Found { verb, seed, failure } in &summary.found[told.swap(summary.found.len(), Ordering::Relaxed)..] {
            let what = failure.message.lines().next().unwrap_or_default();
            eprintln!("{verb} --seed {seed} --inputs 1: {:?} {}: {what}", failure.nature, failure.location);
        }
        if !self.json {
            let seconds = start.elapsed().as_secs_f64();
            let (inputs, failures) = (summary.inputs(), summary.found.len());
            eprintln!("{inputs} inputs, {failures} failures, {:.0} a second", inputs as f64 / seconds.max(1e-9));
        }
    }

    /// Makes a failing input small and writes it.
    fn write(&self, campaign: &Campaign, seeds: &Seeds, found: &Found, count: usize) -> Result<()> {
        let key = found.failure.key();
        let mut input = generate(found.verb, found.seed, seeds);
        let folder = tempfile::tempdir()?;
        if !self.no_minimise {
            let mut runner = Runner::new(campaign, folder.path());
            match minimise(&mut runner, &input, &key, Duration::from_secs(self.minimise_seconds)) {
                Ok(small) => input = small,
                Err(error) => eprintln!("{} {}: {error}", found.verb, found.seed),
            }
        }
        let found_folder = campaign.root.join("fuzz/found");
        std::fs::create_dir_all(&found_folder)?;
        let name = format!("{}-{:08x}", found.verb, hash(key.as_bytes()) as u32);
        let path = found_folder.join(&name);
        let text = path.with_extension(input.kind.extension());
        if std::fs::metadata(&text).is_ok_and(|known| known.len() < input.text.len() as u64) {
            println!(
                "\n{:?} of {} ({count} times), as fuzz/found/{name}.json: seed {}",
                found.failure.nature, found.verb, found.seed
            );
            return Ok(());
        }
        std::fs::write(text, &input.text)?;
        if let Some(second) = &input.second {
            std::fs::write(path.with_extension("second"), second)?;
        }
        let note = json!({
            "verb": found.verb.name(), "choices": input.choices, "extension": input.kind.extension(), "has_second": input.second.is_some(),
            "seed": found.seed, "failure": found.failure, "key": key,
        });
        std::fs::write(path.with_extension("json"), format!("{note:#}\n"))?;
        let failure = &found.failure;
        println!(
            "\n{:?} of {} ({count} times) {}\n  {}",
            failure.nature,
            found.verb,
            failure.location,
            failure.message.lines().next().unwrap_or_default()
        );
        println!("  fuzz/found/{name}.{}: {} bytes", input.kind.extension(), input.text.len());
        println!(
            "  repeat: cargo xtask fuzz {} --seed {} --inputs 1, or cargo xtask fuzz --replay fuzz/found/{name}.json",
            found.verb, found.seed
        );
        Ok(())
    }
}

fn print(input: &Input) -> Result<()> {
    println!("{}", String::from_utf8_lossy(&input.text));
    if let Some(second) = &input.second {
        println!("----\n{}", String::from_utf8_lossy(second));
    }
    Ok(())
}

/// Runs an input of `fuzz/found` again.
fn replay(campaign: &Campaign, file: &Path) -> Result<()> {
    let note: Value = serde_json::from_slice(&std::fs::read(file)?)?;
    let word = |key: &str| note[key].as_str().with_context(|| format!("{}: no {key}", file.display()));
    let verb: Verb = word("verb")?.parse().map_err(anyhow::Error::msg)?;
    let extension = word("extension")?;
    let second = note["has_second"].as_bool().unwrap_or(false);
    let input = Input {
        verb,
        kind: Kind::of_extension(extension),
        text: std::fs::read(file.with_extension(extension))?,
        second: second.then(|| std::fs::read(file.with_extension("second"))).transpose()?,
        choices: note["choices"].as_u64().context("no choices")?,
    };
    let folder = tempfile::tempdir()?;
    match Runner::new(campaign, folder.path()).run(&input)? {
        Some(failure) => bail!("{:?} {}: {}", failure.nature, failure.location, failure.message),
        None => println!("nothing goes wrong"),
    }
    Ok(())
}

/// Writes inputs that show something that others do not, small ones first, until there are enough.
fn keep(root: &Path, seeds: &Seeds, summary: &Summary, most: usize) -> Result<()> {
    let mut shown: std::collections::BTreeMap<(Verb, u64), usize> = std::collections::BTreeMap::new();
    summary.features.values().for_each(|&input| *shown.entry(input).or_default() += 1);
    let mut inputs: Vec<_> = shown.into_iter().map(|(input, features)| (std::cmp::Reverse(features), input)).collect();
    inputs.sort();
    let folder = root.join("fuzz/corpus");
    let mut written = 0;
    for (_, (verb, seed)) in inputs {
        if written == most {
            break;
        }
        let input = generate(verb, seed, seeds);
        let name = match input.kind {
            Kind::Ir => "ir",
            Kind::Source(_) => "source",
            Kind::Machine | Kind::Plain => continue,
        };
        if input.text.len() > 6_000 {
            continue;
        }
        std::fs::create_dir_all(folder.join(name))?;
        let file = format!("{:08x}.{}", hash(&input.text) as u32, input.kind.extension());
        std::fs::write(folder.join(name).join(file), &input.text)?;
        written += 1;
    }
    println!("{written} inputs written to fuzz/corpus");
    Ok(())
}
