//! `--target`: a name or a file.

use std::borrow::Cow;

use reconverge::{Settings, find_target};
use reconverge_analysis::target::Target;
use reconverge_files::NamedBy;

use crate::input::Problem;

/// The target that an argument means.
///
/// # Errors
/// When there is none with this name, or a file cannot be read or is not as it has to be.
pub(crate) fn find(argument: &str, named_by: NamedBy, settings: &Settings) -> anyhow::Result<Cow<'static, Target>> {
    find_target(argument, named_by, settings).map_err(|error| anyhow::anyhow!(Problem::from(error).message))
}
