//! Text from inputs on a terminal and in logs: nothing in it changes how the rest looks.
//!
//! A character is *hidden* when it is a control character other than a tab, or of the Unicode categories Cf, Zl or Zp: it has no shape of its own, and may
//! move, reorder or hide others (U+202E turns text around, ESC begins a command to the terminal). It is written as `\u{202E}`.
//! What writes JSON escapes it as JSON does it ([`escaped`]), so data stays what it is.

use std::borrow::Cow;
use std::fmt::Write as _;

use unicode_general_category::{GeneralCategory, get_general_category};

/// Whether a character has no shape of its own.
pub fn is_hidden(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_control() && c != '\t';
    }
    use GeneralCategory::{Control, Format, LineSeparator, ParagraphSeparator};
    matches!(get_general_category(c), Control | Format | LineSeparator | ParagraphSeparator)
}

/// A text on one line, with what is hidden escaped. O(text).
pub fn visible(text: &str) -> Cow<'_, str> {
    escaped(text, |rest| rest.chars().next().filter(|&c| is_hidden(c)), write_number)
}

/// A text of several lines, with what is hidden escaped. Where there are colours, they stay. O(text).
pub fn visible_lines(text: &str, has_color: bool) -> Cow<'_, str> {
    let hidden = |rest: &str| {
        let c = rest.chars().next().filter(|&c| c != '\n' && is_hidden(c))?;
        (!has_color || color(rest) == 0).then_some(c)
    };
    escaped(text, hidden, write_number)
}

fn write_number(c: char, output: &mut String) {
    let _ = write!(output, "\\u{{{:X}}}", u32::from(c));
}

/// How long the change of colour is that a text begins with: `ESC [ 1 ; 31 m`.
fn color(text: &str) -> usize {
    let Some(rest) = text.strip_prefix("\u{1b}[") else { return 0 };
    let parameters = rest.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b';').count();
    if rest.as_bytes().get(parameters) == Some(&b'm') { parameters + 3 } else { 0 }
}

/// A text in which each character that `hidden` finds at the start of a rest is written by `write`.
pub fn escaped<'t>(
    text: &'t str,
    hidden: impl Fn(&str) -> Option<char>,
    write: impl Fn(char, &mut String),
) -> Cow<'t, str> {
    let mut output = String::new();
    let mut copied = 0;
    for (at, byte) in text.bytes().enumerate() {
        // Most bytes are plain; those inside of a character begin none.
        if matches!(byte, b' '..=b'~' | b'\t' | 0x80..0xc0) {
            continue;
        }
        if let Some(c) = hidden(&text[at..]) {
            output.push_str(&text[copied..at]);
            write(c, &mut output);
            copied = at + c.len_utf8();
        }
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    output.push_str(&text[copied..]);
    Cow::Owned(output)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_hidden() {
        for (text, shown) in [
            ("plain\ttext → ü 漢 👩", "plain\ttext → ü 漢 👩"),
            ("", ""),
            ("int x\u{202e}=1", "int x\\u{202E}=1"),
            ("\u{1b}[31mred", "\\u{1B}[31mred"),
            ("a\nb\r\u{7f}\u{9b}", "a\\u{A}b\\u{D}\\u{7F}\\u{9B}"),
            (
                "\u{feff}\u{200b}\u{2066}\u{2028}\u{2029}\u{ad}\u{e0001}",
                "\\u{FEFF}\\u{200B}\\u{2066}\\u{2028}\\u{2029}\\u{AD}\\u{E0001}",
            ),
        ] {
            assert_eq!(visible(text), shown);
        }
    }

    #[test]
    fn lines_and_colours() {
        let text = "\u{1b}[1;31mred\u{1b}[0m\n\u{1b}[2Jgone\u{202e}\n";
        assert_eq!(visible_lines(text, true), "\u{1b}[1;31mred\u{1b}[0m\n\\u{1B}[2Jgone\\u{202E}\n");
        assert_eq!(visible_lines(text, false), "\\u{1B}[1;31mred\\u{1B}[0m\n\\u{1B}[2Jgone\\u{202E}\n");
    }
}
