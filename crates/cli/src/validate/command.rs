//! The command that runs one side of a difference.

use reconverge::launches::run_command;
use reconverge_exec::launch::{Launch, Limits, Model};
use reconverge_validate::{Difference, InHierarchy, Witness};

use super::Pair;
use crate::limits::settings_of_run;

/// What runs each side.
pub(crate) fn run_commands(pair: &Pair<'_>, witness: &Witness) -> [String; 2] {
    let [before, after] = models(witness);
    [command(pair.before.name, witness, before, pair.given), command(pair.after.name, witness, after, pair.given)]
}

/// The model that each side runs under.
pub(crate) fn models(witness: &Witness) -> [Model; 2] {
    let after = match &witness.hierarchy {
        Some(InHierarchy { number, is_told: true, .. }) => Model::Maximal { hierarchy: number - 1 },
        _ => witness.launch.model,
    };
    [witness.launch.model, after]
}

/// `reconverge run FILE …`, to be pasted into a shell. `given` are arguments as the command line had them. The limit matters only where a
/// program does not end.
fn command(path: &str, witness: &Witness, model: Model, given: &[String]) -> String {
    let launch = Launch { model, ..witness.launch.clone() };
    let mut words = run_command(path, &launch, given);
    if witness.cut || matches!(witness.difference, Difference::Trouble(_)) {
        if launch.limits.instructions != Limits::default().instructions {
            words.extend(["--max-instructions".to_owned(), scaled(launch.limits.instructions)]);
        }
        for setting in settings_of_run(launch.limits) {
            words.extend(["--limit".to_owned(), reconverge::launches::quoted(&setting)]);
        }
    }
    words.join(" ")
}

/// `4M` for 4000000.
fn scaled(number: u64) -> String {
    let units = [(1_000_000_000, "G"), (1_000_000, "M"), (1000, "K")];
    let unit = units.into_iter().find(|(size, _)| number.is_multiple_of(*size) && number > 0);
    unit.map_or_else(|| number.to_string(), |(size, unit)| format!("{}{unit}", number / size))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        assert_eq!([4_000_000, 100_000_000_000, 1001].map(scaled), ["4M", "100G", "1001"]);
    }
}
