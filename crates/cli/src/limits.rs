//! Every limit that `--limit NAME=VALUE` sets, in one table: `docs/limits.md` has a row for each, which a test compares.
//!
//! A limit is a field with a default in a plain structure of the crate that keeps to it. What bounds a run of a kernel has options of its own
//! (`run --max-instructions`, `--max-stack`), as has memory (`--max-memory`).

use reconverge::Limits;
use reconverge_exec::launch::Limits as RunLimits;
use reconverge_lang::options::Limits as SourceLimits;
use reconverge_validate::report::launch_limits;

use crate::near::Near;
use reconverge_exec::launch_grammar::extent;

/// One of them.
pub(crate) struct Limit {
    /// As the command line has it.
    pub(crate) name: &'static str,
    unit: Unit,
    field: fn(&mut Limits) -> &mut usize,
}

/// What a limit counts, which says how it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unit {
    /// Things, by powers of 1000.
    Count,
    /// Bytes, by powers of 1024.
    Bytes,
}

/// In the order of `docs/limits.md`.
pub(crate) const LIMITS: &[Limit] = &[
    Limit { name: "macro-tokens", unit: Unit::Count, field: |limits| &mut limits.source.macro_tokens },
    Limit { name: "macro-nesting", unit: Unit::Count, field: |limits| &mut limits.source.macro_nesting },
    Limit { name: "macro-arguments", unit: Unit::Count, field: |limits| &mut limits.source.macro_arguments },
    Limit { name: "include-depth", unit: Unit::Count, field: |limits| &mut limits.source.include_depth },
    Limit { name: "includes", unit: Unit::Count, field: |limits| &mut limits.source.includes },
    Limit { name: "repeated-bytes", unit: Unit::Bytes, field: |limits| &mut limits.source.repeated_bytes },
    Limit { name: "condition-nesting", unit: Unit::Count, field: |limits| &mut limits.source.condition_nesting },
    Limit { name: "nesting", unit: Unit::Count, field: |limits| &mut limits.source.nesting },
    Limit { name: "statement-nesting", unit: Unit::Count, field: |limits| &mut limits.source.statement_nesting },
    Limit { name: "qualifiers", unit: Unit::Count, field: |limits| &mut limits.source.qualifiers },
    Limit { name: "name-length", unit: Unit::Bytes, field: |limits| &mut limits.source.name_length },
    Limit { name: "array-dimensions", unit: Unit::Count, field: |limits| &mut limits.source.array_dimensions },
    Limit { name: "constant-elements", unit: Unit::Count, field: |limits| &mut limits.source.constant_elements },
    Limit { name: "constant-steps", unit: Unit::Count, field: |limits| &mut limits.source.constant_steps },
    Limit { name: "instances", unit: Unit::Count, field: |limits| &mut limits.source.instances },
    Limit { name: "instance-depth", unit: Unit::Count, field: |limits| &mut limits.source.instance_depth },
    Limit { name: "instance-expressions", unit: Unit::Count, field: |limits| &mut limits.source.instance_expressions },
    Limit { name: "overloads", unit: Unit::Count, field: |limits| &mut limits.source.overloads },
    Limit { name: "pack-elements", unit: Unit::Count, field: |limits| &mut limits.source.pack_elements },
    Limit { name: "region-parts", unit: Unit::Count, field: |limits| &mut limits.region_parts },
    Limit { name: "errors", unit: Unit::Count, field: |limits| &mut limits.source.errors },
    Limit { name: "run-steps", unit: Unit::Count, field: |limits| &mut limits.run.steps },
    Limit { name: "call-depth", unit: Unit::Count, field: |limits| &mut limits.run.calls },
    Limit { name: "call-bytes", unit: Unit::Bytes, field: |limits| &mut limits.run.call_bytes },
    Limit { name: "run-records", unit: Unit::Count, field: |limits| &mut limits.run.records },
    Limit { name: "printf-bytes", unit: Unit::Bytes, field: |limits| &mut limits.run.printf_bytes },
    Limit { name: "events", unit: Unit::Count, field: |limits| &mut limits.events },
];

/// Limits that cannot be more than the machine has: of the stack, here.
const HIGHEST: &[(&str, usize)] =
    &[("nesting", SourceLimits::MOST_NESTING), ("statement-nesting", SourceLimits::MOST_STATEMENT_NESTING)];

/// `NAME=VALUE` of `--limit`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Setting {
    field: fn(&mut Limits) -> &mut usize,
    value: usize,
}

impl Setting {
    /// Reads one.
    ///
    /// # Errors
    /// When there is no such limit, or no such number.
    pub(crate) fn parse(text: &str) -> Result<Setting, String> {
        let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE, such as include-depth=20")?;
        let limit = LIMITS.iter().find(|limit| limit.name == name).ok_or_else(|| unknown(name))?;
        let value = match limit.unit {
            Unit::Count => extent::count(value)?,
            Unit::Bytes => extent::size(value)?,
        };
        let value = usize::try_from(value).map_err(|_| format!("`{value}` is more than this machine can count"))?;
        match HIGHEST.iter().find(|&&(limited, most)| limited == name && value > most) {
            Some((_, most)) => Err(format!("`{name}` can be at most {most}")),
            None => Ok(Setting { field: limit.field, value }),
        }
    }
}

/// The limits of a launch of `validate` or `bisect`, which make many: those of such launches, but for what the command line sets.
pub(crate) fn limits_of_launches(instructions: u64, settings: &[Setting]) -> RunLimits {
    let mut limits = Limits { run: launch_limits(instructions), ..Limits::default() };
    settings.iter().for_each(|setting| *(setting.field)(&mut limits) = setting.value);
    limits.run
}

/// What `--limit` has to be given for a run to have these limits.
pub(crate) fn settings_of_run(run: RunLimits) -> Vec<String> {
    let (mut asked, mut default) = (Limits { run, ..Limits::default() }, Limits::default());
    let of = |limit: &Limit| (*(limit.field)(&mut asked), *(limit.field)(&mut default), limit.name);
    LIMITS
        .iter()
        .map(of)
        .filter(|(asked, default, _)| asked != default)
        .map(|(asked, _, name)| format!("{name}={asked}"))
        .collect()
}

fn unknown(name: &str) -> String {
    let mut near = Near::default();
    LIMITS.iter().for_each(|limit| near.consider(name, limit.name));
    match near.names().next() {
        Some(meant) => format!("there is no limit `{name}`; did you mean `{meant}`?"),
        None => {
            let names: Vec<&str> = LIMITS.iter().map(|limit| limit.name).collect();
            format!("there is no limit `{name}`; the limits are {}", names.join(", "))
        }
    }
}

/// The defaults, but for what the command line sets.
pub(crate) fn of(settings: &[Setting]) -> Limits {
    let mut limits = Limits::default();
    settings.iter().for_each(|setting| *(setting.field)(&mut limits) = setting.value);
    limits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings() {
        let settings = ["include-depth=2", "repeated-bytes=1K", "include-depth=3"];
        let settings: Vec<Setting> = settings.iter().map(|text| Setting::parse(text).expect("it is one")).collect();
        let limits = of(&settings);
        let source = SourceLimits { include_depth: 3, repeated_bytes: 1024, ..SourceLimits::default() };
        assert_eq!(limits, Limits { source, ..Limits::default() });
        for (text, expected) in [
            ("include-dept=2", "there is no limit `include-dept`; did you mean `include-depth`?"),
            ("include-depth=x", "expected a number above 0, such as 5000, 50K, 10M or 2G"),
            ("nesting=1M", "`nesting` can be at most 10000"),
            ("include-depth", "expected NAME=VALUE, such as include-depth=20"),
        ] {
            assert_eq!(Setting::parse(text).map(|_| ()), Err(expected.to_owned()));
        }
    }

    /// `docs/limits.md` has a row `| `name` | default | …` for each limit, and for nothing else.
    #[test]
    fn the_page_has_every_limit_and_its_default() {
        let page = include_str!("../../../docs/limits.md");
        let (_, table) = page.split_once("## Limits that `--limit` sets").expect("the page has this section");
        let table = table.split("\n## ").next().expect("it has an end");
        let rows: Vec<(&str, &str)> = table
            .lines()
            .filter_map(|line| line.strip_prefix("| `"))
            .map(|row| {
                let (name, rest) = row.split_once("` |").expect("a name");
                (name, rest.split('|').next().expect("a default").trim())
            })
            .collect();
        let mut defaults = Limits::default();
        let expected: Vec<(&str, usize)> =
            LIMITS.iter().map(|limit| (limit.name, *(limit.field)(&mut defaults))).collect();
        let read = |(name, text): &(&str, &str)| Setting::parse(&format!("{name}={text}")).expect("a default").value;
        let shown: Vec<(&str, usize)> = rows.iter().map(|row| (row.0, read(row))).collect();
        assert_eq!(shown, expected);
    }
}
