//! `--target`: a name or a file.

use std::borrow::Cow;
use std::path::Path;

use reconverge_analysis::target::Target;

use crate::output;

/// The target that an argument means. What looks like a file is one; a name that is not known stands for `generic`, with a
/// warning.
///
/// # Errors
/// When a file cannot be read or is not as it has to be.
pub(crate) fn find(argument: &str) -> anyhow::Result<Cow<'static, Target>> {
    let path = Path::new(argument);
    if path.extension().is_some_and(|extension| extension == "toml") || path.components().count() > 1 {
        return Ok(Cow::Owned(Target::load(path)?));
    }
    if let Some(target) = Target::named(argument) {
        return Ok(Cow::Borrowed(target));
    }
    let names: Vec<&str> = Target::names().collect();
    output::say(&format!(
        "warning: there is no target `{argument}`, only {} or a .toml file; going on as `generic`",
        names.join(", ")
    ));
    Ok(Cow::Borrowed(Target::for_triple(b"")))
}
