//! Paths as URIs, and back.

use std::path::PathBuf;

/// A path as a relative reference or, when it is absolute, a `file:` URI.
pub(crate) fn of_path(path: &str) -> String {
    let mut uri = if path.starts_with('/') { "file://".to_owned() } else { String::new() };
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' | b'/' => uri.push(byte as char),
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

/// The file that a `file:` URI names on this machine; for a document that is in no file yet (`untitled:`), the name that its editor gives it.
pub(crate) fn to_path(uri: &str) -> Option<PathBuf> {
    let (scheme, rest) = uri.split_once(':')?;
    let name = match scheme {
        "file" => {
            let (host, path) = rest.strip_prefix("//")?.split_once('/')?;
            matches!(host, "" | "localhost").then(|| decoded(&format!("/{path}")))??
        }
        "untitled" => decoded(rest)?,
        _ => return None,
    };
    // `/c:/a` is `c:/a` where drives have letters.
    let name = if cfg!(windows) { name.strip_prefix('/').unwrap_or(&name).to_owned() } else { name };
    (!name.is_empty() && !name.contains('\0')).then(|| PathBuf::from(name))
}

/// What stands for itself, with `%41` as the byte that it says.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, behind)) = rest.split_first() {
        rest = behind;
        bytes.push(match byte {
            b'%' => {
                let digit = |at: usize| char::from(*rest.get(at)?).to_digit(16);
                let value = digit(0)? * 16 + digit(1)?;
                rest = &rest[2..];
                value as u8
            }
            _ => byte,
        });
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back() {
        for path in ["/a/b.cu", "/with space/%41/ä+\u{1f600}.cl", "/"] {
            assert_eq!(to_path(&of_path(path)), Some(PathBuf::from(path)), "{path}");
        }
    }

    #[test]
    fn what_editors_write() {
        let path = |uri| to_path(uri).map(|path| path.display().to_string());
        assert_eq!(path("file:///a%20b.cu").as_deref(), Some("/a b.cu"));
        assert_eq!(path("file://localhost/a").as_deref(), Some("/a"));
        assert_eq!(path("untitled:Untitled-1").as_deref(), Some("Untitled-1"));
        for other in [
            "file://elsewhere/a",
            "git:/a",
            "a.cu",
            "file:///%",
            "file:///%zz",
            "file:///%+1",
            "file:///%ff",
            "file:///%00",
            "untitled:",
            "",
        ] {
            assert_eq!(path(other), None, "{other}");
        }
    }
}
