//! Places of findings as links that terminals open (OSC 8).
//!
//! A place is what follows the arrow in `--> path:line:column`, to the end of the line. Text that is given has been made visible before: nothing of an input is a command to
//! the terminal in it, and a path with a character that had to be escaped is no link.

use std::path::Path;

use crate::uri;

const ARROW: &str = "--> ";

/// A text with its places as links; relative paths are in `folder`.
pub(crate) fn linked(text: &str, folder: &Path) -> String {
    let mut output = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        match place(line) {
            Some((start, end, path)) => {
                let path = folder.join(path).display().to_string();
                output.push_str(&line[..start]);
                output.push_str(&format!("\u{1b}]8;;{}\u{1b}\\", uri::of_path(&path)));
                output.push_str(&line[start..end]);
                output.push_str("\u{1b}]8;;\u{1b}\\");
                output.push_str(&line[end..]);
            }
            None => output.push_str(line),
        }
    }
    output
}

/// Where the place of a line starts and ends, and its path.
fn place(line: &str) -> Option<(usize, usize, &str)> {
    let mut start = line.find(ARROW)? + ARROW.len();
    while let Some(rest) = line[start..].strip_prefix("\u{1b}[") {
        start += 2 + rest.find('m')? + 1;
    }
    let rest = line[start..].trim_end();
    let end = start + rest.find('\u{1b}').unwrap_or(rest.len());
    let mut parts = line[start..end].rsplitn(3, ':');
    let numbers = [parts.next()?, parts.next()?];
    let path = parts.next()?;
    let is_number = |text: &&str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    (numbers.iter().all(is_number) && !path.contains(['\\', '<'])).then_some((start, end, path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_links_and_nothing_else_is() {
        let folder = Path::new("/home/me");
        let text = "\u{1b}[94m --> \u{1b}[0ma b.cu:10:13\n10 | x --> y\n --> <stdin>:1:2\n --> a\\u{202E}.cu:1:2\n";
        let expected = "\u{1b}[94m --> \u{1b}[0m\u{1b}]8;;file:///home/me/a%20b.cu\u{1b}\\a b.cu:10:13\u{1b}]8;;\u{1b}\\\n10 | x --> y\n --> <stdin>:1:2\n --> a\\u{202E}.cu:1:2\n";
        assert_eq!(linked(text, folder), expected);
    }
}
