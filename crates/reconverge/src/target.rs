//! Targets by name, and from files.

use std::borrow::Cow;
use std::path::Path;

use reconverge_analysis::target::Target;
use reconverge_files::NamedBy;

use crate::near::Near;
use crate::{Error, ErrorKind, Settings, input};

/// Whether a name means a file: it ends in `.toml` or has a folder.
pub fn is_target_file(name: &str) -> bool {
    let path = Path::new(name);
    path.extension().is_some_and(|extension| extension == "toml") || path.components().count() > 1
}

/// The target that a name means: one of [`Target::names`], or a file of `settings.files` as `docs/targets.md` describes it, for
/// what [is one](is_target_file).
///
/// # Errors
/// When there is no such target (kind [`Name`](ErrorKind::Name)), or the file cannot be read or is not as it has to be.
pub fn find_target(name: &str, named_by: NamedBy, settings: &Settings) -> Result<Cow<'static, Target>, Error> {
    let path = Path::new(name);
    if is_target_file(name) {
        let unreadable = |kind, message: String| {
            Error::new(kind, "", format!("cannot read the target file {}: {message}", path.display()))
        };
        let bytes = settings.files.read(path, named_by, settings.limits.input_bytes).map_err(|refusal| {
            let kind = if refusal.is_limit() { ErrorKind::TooLarge } else { ErrorKind::Unreadable };
            unreadable(kind, refusal.to_string())
        })?;
        let bytes = input::without_mark(bytes.into()).map_err(|message| unreadable(ErrorKind::Encoding, message))?;
        let text = String::from_utf8(bytes.into_vec())
            .map_err(|_| unreadable(ErrorKind::Encoding, "this is not UTF-8".to_owned()))?;
        let target =
            Target::parse(path, &text).map_err(|error| Error::new(ErrorKind::Target, "", error.to_string()))?;
        return Ok(Cow::Owned(target));
    }
    Target::named(name).map(Cow::Borrowed).ok_or_else(|| {
        let all = format!("expected {} or a .toml file", Target::names().collect::<Vec<_>>().join(", "));
        let message = Near::among(name, Target::names()).instead_of("target", name, &all);
        Error::new(ErrorKind::Name, "", message)
    })
}
