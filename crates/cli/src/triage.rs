//! Which findings count: what the command line says of it.

use std::path::{Path, PathBuf};

use anyhow::anyhow;
use reconverge::{Baseline, NewBaseline, Triage, absolute};
use reconverge_files::NamedBy;

use crate::arguments::Check;
use crate::exit::Status;
use crate::output;
use crate::session::{Session, counted};
use crate::summary::Gone;

/// What `check` is asked to leave out.
///
/// # Errors
/// When the baseline cannot be read.
pub(crate) fn of(session: &Session<'_>, arguments: &Check) -> anyhow::Result<Triage> {
    let mut rules = session.config.rules.clone();
    for severity in &arguments.severity {
        rules.set_everywhere(severity.code, severity.level);
    }
    let baseline = arguments.baseline.as_deref().map(|path| read(session, path)).transpose()?;
    if let Some(path) = &arguments.write_baseline {
        output::refuse_input(path, arguments.inputs.inputs.iter().map(PathBuf::as_path))?;
    }
    let new_baseline = arguments.write_baseline.as_deref().map(|path| NewBaseline::new(folder_of(path)));
    Ok(Triage { rules, baseline: baseline.unwrap_or_default(), new_baseline })
}

/// Writes the baseline that was asked for, of all that was found: not where an input could not be used.
///
/// # Errors
/// When it cannot be written.
pub(crate) fn write_baseline(
    session: &Session<'_>,
    arguments: &Check,
    triage: &Triage,
    status: Status,
) -> anyhow::Result<()> {
    let (Some(path), Some(baseline)) = (&arguments.write_baseline, &triage.new_baseline) else { return Ok(()) };
    let shown = path.display();
    if status >= Status::Unusable {
        output::complain(&format!("{shown} is not written: an input could not be used"));
        return Ok(());
    }
    output::write_whole(path, baseline.text().as_bytes())?;
    session.note(&format!("{} written to {shown}", counted(baseline.len(), "finding")));
    Ok(())
}

/// How many findings of the baseline are gone, where there is one and none is made.
pub(crate) fn gone(session: &Session<'_>, arguments: &Check, triage: &Triage) -> Option<Gone> {
    let file = arguments.baseline.as_deref().filter(|_| triage.new_baseline.is_none())?;
    let exists = |path: &Path| session.settings.files.kind(path).is_ok();
    Some(Gone { count: triage.baseline.gone(exists), file: file.display().to_string() })
}

fn read(session: &Session<'_>, path: &Path) -> anyhow::Result<Baseline> {
    let settings = &session.settings;
    let bytes = settings.files.read(path, NamedBy::User, settings.limits.input_bytes);
    let bytes = bytes.map_err(|refusal| format!("cannot be read: {refusal}"));
    let baseline = bytes.and_then(|bytes| Baseline::read(folder_of(path), &bytes));
    baseline.map_err(|message| anyhow!("{}: {message}", path.display()))
}

/// The folder of a file, absolute.
fn folder_of(path: &Path) -> PathBuf {
    let path = absolute(path, std::env::current_dir().ok().as_deref());
    path.parent().map(Path::to_path_buf).unwrap_or_default()
}
