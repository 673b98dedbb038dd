//! JSON in which nothing changes how the rest looks on a terminal.

use std::fmt::Write as _;
use std::io::{self, Write};

use reconverge::visible::{escaped, is_hidden};
pub(crate) use reconverge::visible::{visible, visible_lines};

/// Where JSON is written: characters that are hidden, which stand in strings only, become `\u202E`.
pub(crate) struct JsonWriter<W>(pub(crate) W);

impl<W: Write> Write for JsonWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // Strings come in parts that are text.
        match std::str::from_utf8(bytes) {
            Ok(text) => {
                let hidden = |rest: &str| rest.chars().next().filter(|&c| !matches!(c, '\n' | '\r') && is_hidden(c));
                let write = |c: char, output: &mut String| {
                    let mut units = [0; 2];
                    for unit in c.encode_utf16(&mut units) {
                        let _ = write!(output, "\\u{unit:04X}");
                    }
                };
                self.0.write_all(escaped(text, hidden, write).as_bytes())?;
            }
            Err(_) => self.0.write_all(bytes)?,
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Data is what it was.
    #[test]
    fn json_keeps_data() {
        let data = "\u{202e}\u{1b}\u{7f}\u{9b}\u{e0001}\"\\→\n\u{2028}";
        let mut json = Vec::new();
        serde_json::to_writer_pretty(JsonWriter(&mut json), &[data, "two"]).expect("it is written");
        let text = String::from_utf8(json).expect("text");
        assert_eq!(serde_json::from_str::<Vec<String>>(&text).expect("JSON"), [data, "two"]);
        assert!(!text.chars().any(|c| c != '\n' && is_hidden(c)), "{text}");
        assert!(text.contains("\\u202E") && text.contains("\\uDB40\\uDC01"), "{text}");
    }
}
