//! `--target`: a name or a file.

use std::borrow::Cow;

use reconverge::{ErrorKind, Settings, find_target};
use reconverge_analysis::target::Target;

use crate::input::Problem;
use crate::output;

/// The target that an argument means. A name that is not known stands for `generic`, with a warning.
///
/// # Errors
/// When a file cannot be read or is not as it has to be.
pub(crate) fn find(argument: &str, settings: &Settings) -> anyhow::Result<Cow<'static, Target>> {
    match find_target(argument, settings) {
        Ok(target) => Ok(target),
        Err(error) if error.kind == ErrorKind::Name => {
            output::say(&format!("warning: {error}; going on as `generic`"));
            Ok(Cow::Borrowed(Target::for_triple(b"")))
        }
        Err(error) => Err(anyhow::anyhow!(Problem::from(error).message)),
    }
}
