//! `--target`: a name or a file.

use std::borrow::Cow;
use std::path::Path;

use reconverge_analysis::target::Target;
use reconverge_files::{NamedBy, read};

use crate::{input, output};

/// The target that an argument means; of a file, at most `most` bytes are read. What looks like a file is one; a name that is not known stands for `generic`, with a
/// warning.
///
/// # Errors
/// When a file cannot be read or is not as it has to be.
pub(crate) fn find(argument: &str, most: u64) -> anyhow::Result<Cow<'static, Target>> {
    let path = Path::new(argument);
    if path.extension().is_some_and(|extension| extension == "toml") || path.components().count() > 1 {
        let unreadable = |message: String| anyhow::anyhow!("cannot read the target file {}: {message}", path.display());
        let bytes = read(path, NamedBy::User, most).map_err(|refusal| unreadable(input::reason(&refusal)))?;
        let bytes = input::without_mark(bytes).map_err(unreadable)?;
        let text = String::from_utf8(bytes).map_err(|_| unreadable("this is not UTF-8".to_owned()))?;
        return Ok(Cow::Owned(Target::parse(path, &text)?));
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
