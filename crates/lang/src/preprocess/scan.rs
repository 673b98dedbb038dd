//! From bytes to lexemes: the kind of the next token and where it begins and ends, nothing looked up.
//!
//! **Invariant.** The text is UTF-8, a lexeme begins and ends at characters, and every call looks at each byte of what it passes
//! a bounded number of times. A backslash at the end of a line joins two lines anywhere, also inside a token; a lexeme in which
//! that happens is marked, and [`unsplice`] gives its spelling.

use std::ops::Range;

use super::pp_token::{LINE, SPACE};
use super::punctuator::Punctuator;
use crate::options::Dialect;

/// What kind of token the preprocessor sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Kind {
    /// A name or a keyword.
    Identifier,
    /// A number of the preprocessor, which need not be one of the language.
    Number,
    /// A character constant.
    Character,
    /// A string.
    String,
    /// An operator or punctuator.
    Punctuator,
    /// A character that begins no token: `@`, a backquote, a backslash.
    Other,
    /// A string or character constant that the line ends, or a raw string that the file ends.
    Unterminated,
    /// A comment that the file ends.
    OpenComment,
    /// The end of the line, where that was asked for.
    EndOfLine,
    /// The end of the file, or of an argument.
    End,
    /// A pragma; the spelling is what it says.
    Pragma,
    /// In the body of a macro: a parameter, by number.
    Parameter,
    /// In the body of a macro: `__VA_OPT__`.
    VariadicOption,
    /// While an invocation is replaced: an empty operand of `##`.
    Placemarker,
}

/// A token as a part of a text, which is shorter than 4 GB. 12 bytes, so that it is passed in registers.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lexeme {
    pub(super) kind: Kind,
    /// For [`Kind::Punctuator`], which one.
    pub(super) punctuator: Punctuator,
    /// [`SPACE`] and [`LINE`]: what stands before it.
    pub(super) flags: u8,
    /// Whether lines are joined in it.
    pub(super) spliced: bool,
    pub(super) start: u32,
    pub(super) end: u32,
}

impl Lexeme {
    /// The bytes of the text that it is.
    pub(super) fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// How far a text is read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cursor {
    /// The next byte.
    pub(super) offset: usize,
    /// [`LINE`] if nothing but white space was read on this line.
    pub(super) line: u8,
}

impl Cursor {
    /// At the beginning of a text.
    pub(super) const START: Cursor = Cursor { offset: 0, line: LINE };
}

/// What depends on the language.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rules {
    /// `u"…"`, `U"…"`, `u8"…"`, and raw strings.
    unicode: bool,
    /// `1'000`; and `<::` is `<` and `::` where no `:` or `>` follows.
    cpp: bool,
}

impl Rules {
    /// The rules of a language.
    pub(super) fn new(dialect: Dialect) -> Rules {
        Rules { unicode: dialect != Dialect::OpenCl, cpp: dialect.is_cpp() }
    }
}

const WHITE: u8 = 1;
const NAME: u8 = 2;
const DIGIT: u8 = 4;
const NAME_OR_DIGIT: u8 = NAME | DIGIT;
/// A punctuator that is no beginning of another one.
const SINGLE: u8 = 8;
/// What comes after a byte of a punctuator and makes it a longer one, or joins lines.
const PROLONGS: u8 = 16;

/// What a byte can be.
const CLASS: [u8; 256] = {
    let mut class = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        class[byte] = match byte as u8 {
            b' ' | b'\t' | b'\r' | 0x0b | 0x0c | 0 => WHITE,
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' => NAME,
            b'0'..=b'9' => DIGIT,
            b'\\' | b'.' => PROLONGS,
            byte if prolongs(byte) => PROLONGS,
            _ => 0,
        };
        if let Some(punctuator) = Punctuator::of_byte(byte as u8)
            && is_single(punctuator)
        {
            class[byte] |= SINGLE;
        }
        byte += 1;
    }
    class
};

/// Whether some punctuator and a byte are another one.
const fn prolongs(byte: u8) -> bool {
    let mut index = 0;
    while index < Punctuator::ALL.len() {
        if Punctuator::ALL[index].and(byte).is_some() {
            return true;
        }
        index += 1;
    }
    false
}

/// Whether no punctuator begins with this one, and is longer.
const fn is_single(punctuator: Punctuator) -> bool {
    let mut byte = 0;
    while byte < 128 {
        if punctuator.and(byte).is_some() {
            return false;
        }
        byte += 1;
    }
    true
}

/// The next token. With `in_line`, the end of the line is one, and is not passed.
pub(super) fn scan(text: &str, cursor: &mut Cursor, rules: Rules, in_line: bool) -> Lexeme {
    Scanner { text, bytes: text.as_bytes(), rules }.scan(cursor, in_line)
}

/// The spelling of a lexeme in which lines are joined.
pub(super) fn unsplice(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut spelling = String::with_capacity(text.len());
    let mut copied = 0;
    for backslash in memchr::memchr_iter(b'\\', bytes) {
        if backslash < copied {
            continue;
        }
        if let Some(after) = splice(bytes, backslash) {
            spelling.push_str(&text[copied..backslash]);
            copied = after;
        }
    }
    spelling.push_str(&text[copied..]);
    spelling
}

/// Where the text goes on if the backslash at a byte joins two lines.
fn splice(bytes: &[u8], backslash: usize) -> Option<usize> {
    let rest = &bytes[backslash + 1..];
    let blank = rest.iter().position(|byte| !matches!(byte, b' ' | b'\t' | b'\r' | 0x0b | 0x0c))?;
    (rest[blank] == b'\n').then_some(backslash + 1 + blank + 1)
}

/// A line without the white space at its end.
fn trim_blanks(line: &[u8]) -> &[u8] {
    let end = line.iter().rposition(|&byte| CLASS[usize::from(byte)] != WHITE || byte == 0);
    &line[..end.map_or(0, |last| last + 1)]
}

struct Scanner<'t> {
    text: &'t str,
    bytes: &'t [u8],
    rules: Rules,
}

impl Scanner<'_> {
    fn scan(&self, cursor: &mut Cursor, in_line: bool) -> Lexeme {
        let mut at = cursor.offset;
        let mut flags = cursor.line;
        let lexeme = loop {
            let byte = self.byte(at);
            let class = CLASS[usize::from(byte)];
            if class == WHITE {
                if at >= self.bytes.len() {
                    break self.lexeme(if in_line { Kind::EndOfLine } else { Kind::End }, self.bytes.len(), at);
                }
                at += 1;
                // Lines begin with many.
                while self.byte(at) == b' ' {
                    at += 1;
                }
                flags |= SPACE;
            } else if byte == b'\n' {
                if in_line {
                    break self.lexeme(Kind::EndOfLine, at, at);
                }
                at += 1;
                flags |= LINE | SPACE;
            } else if class == NAME {
                break self.name(at, at + 1, false);
            } else if class & SINGLE != 0 {
                break self.punctuator_of(Punctuator::BY_BYTE[usize::from(byte)], at, at + 1);
            } else if class == DIGIT {
                break self.number(at);
            } else if byte == b'/' {
                match self.comment(at) {
                    Comment::None => break self.punctuator(at),
                    Comment::Until(end) => at = end,
                    Comment::Open => {
                        cursor.line = flags;
                        break self.lexeme(Kind::OpenComment, at, self.bytes.len());
                    }
                }
                flags |= SPACE;
            } else if byte == b'\\' {
                match splice(self.bytes, at) {
                    Some(after) => at = after,
                    None => break self.lexeme(Kind::Other, at, at + 1),
                }
            } else {
                break self.other(at, byte);
            }
        };
        cursor.offset = lexeme.end as usize;
        cursor.line = if matches!(lexeme.kind, Kind::EndOfLine | Kind::End) { flags & LINE } else { 0 };
        Lexeme { flags, ..lexeme }
    }

    /// What begins with a byte that is not white space, a letter, a digit, `/` or a backslash.
    fn other(&self, at: usize, byte: u8) -> Lexeme {
        match byte {
            b'"' | b'\'' => self.quoted(at, at, false),
            b'.' if self.peek(at + 1).0.is_ascii_digit() => self.number(at),
            0x80.. => {
                let character = self.character(at);
                if character.is_alphabetic() {
                    self.name(at, at + character.len_utf8(), false)
                } else {
                    self.lexeme(Kind::Other, at, at + character.len_utf8())
                }
            }
            _ if Punctuator::of_byte(byte).is_some() => self.punctuator(at),
            _ => self.lexeme(Kind::Other, at, at + 1),
        }
    }

    /// A name whose first character is read; with a quote right after it, it may be the prefix of a literal.
    fn name(&self, start: usize, mut at: usize, mut spliced: bool) -> Lexeme {
        loop {
            while CLASS[usize::from(self.byte(at))] & NAME_OR_DIGIT != 0 {
                at += 1;
            }
            if !matches!(self.byte(at), b'\\' | 0x80..) {
                break;
            }
            match self.more_of_a_name(at) {
                Some((after, joined)) => (at, spliced) = (after, spliced | joined),
                None => break,
            }
        }
        if matches!(self.byte(at), b'"' | b'\'') && at - start <= 3 && !spliced {
            match (&self.bytes[start..at], self.byte(at)) {
                (b"L", _) => return self.quoted(start, at, false),
                (b"u" | b"U" | b"u8", _) if self.rules.unicode => return self.quoted(start, at, false),
                (b"R" | b"LR" | b"uR" | b"UR" | b"u8R", b'"') if self.rules.unicode => return self.raw(start, at),
                _ => {}
            }
        }
        Lexeme { spliced, ..self.lexeme(Kind::Identifier, start, at) }
    }

    /// A letter that is not ASCII, or joined lines within a name: where it goes on.
    fn more_of_a_name(&self, at: usize) -> Option<(usize, bool)> {
        match self.byte(at) {
            b'\\' => {
                let after = self.after_splices(at);
                let byte = self.byte(after);
                let goes_on = CLASS[usize::from(byte)] & NAME_OR_DIGIT != 0
                    || byte >= 0x80 && self.character(after).is_alphanumeric();
                (after > at && goes_on).then_some((after, true))
            }
            0x80.. => {
                let character = self.character(at);
                character.is_alphanumeric().then_some((at + character.len_utf8(), false))
            }
            _ => None,
        }
    }

    fn number(&self, start: usize) -> Lexeme {
        let mut at = start;
        // Most numbers are nothing but digits.
        while CLASS[usize::from(self.byte(at))] == DIGIT {
            at += 1;
        }
        let mut spliced = false;
        let mut last = 0;
        loop {
            let byte = self.byte(at);
            let goes_on = match byte {
                b'.' => true,
                b'+' | b'-' => matches!(last, b'e' | b'E' | b'p' | b'P'),
                b'\'' => self.rules.cpp && CLASS[usize::from(self.peek(at + 1).0)] & NAME_OR_DIGIT != 0,
                b'$' => false,
                _ => CLASS[usize::from(byte)] & NAME_OR_DIGIT != 0,
            };
            if goes_on {
                last = byte;
                at += 1;
            } else if let Some((after, joined)) = self.more_of_a_number(at, last) {
                (at, spliced) = (after, spliced | joined);
                last = if joined { last } else { 0 };
            } else {
                return Lexeme { spliced, ..self.lexeme(Kind::Number, start, at) };
            }
        }
    }

    /// As [`Scanner::more_of_a_name`]; after joined lines a number may also go on with `.`, a sign or a separator.
    fn more_of_a_number(&self, at: usize, last: u8) -> Option<(usize, bool)> {
        if let Some(more) = self.more_of_a_name(at) {
            return Some(more);
        }
        let after = self.after_splices(at);
        let goes_on = match self.byte(after) {
            b'.' => true,
            b'+' | b'-' => matches!(last, b'e' | b'E' | b'p' | b'P'),
            b'\'' => self.rules.cpp && CLASS[usize::from(self.peek(after + 1).0)] & NAME_OR_DIGIT != 0,
            _ => false,
        };
        (after > at && goes_on).then_some((after, true))
    }

    /// A string or character constant whose opening quote is at `quote`.
    fn quoted(&self, start: usize, quote: usize, mut spliced: bool) -> Lexeme {
        let closing = self.bytes[quote];
        let mut at = quote + 1;
        let kind = if closing == b'"' { Kind::String } else { Kind::Character };
        loop {
            let Some(found) = memchr::memchr3(closing, b'\\', b'\n', &self.bytes[at..]) else {
                at = self.bytes.len();
                return Lexeme { spliced, ..self.lexeme(Kind::Unterminated, start, at) };
            };
            at += found;
            match self.bytes[at] {
                b'\n' => {
                    let end = if self.bytes[at - 1] == b'\r' { at - 1 } else { at };
                    return Lexeme { spliced, ..self.lexeme(Kind::Unterminated, start, end) };
                }
                b'\\' => {
                    let escaped = self.after_splices(at);
                    if escaped > at {
                        (at, spliced) = (escaped, true);
                        continue;
                    }
                    let escaped = self.after_splices(at + 1);
                    spliced |= escaped > at + 1;
                    // A line that ends after the backslash is found by the next search.
                    at = if matches!(self.byte(escaped), b'\n' | b'\r' | 0x80..) { escaped } else { escaped + 1 };
                    at = at.min(self.bytes.len());
                }
                _ => return Lexeme { spliced, ..self.lexeme(kind, start, at + 1) },
            }
        }
    }

    /// `R"delimiter(…)delimiter"`, in which nothing is an escape and lines are not joined.
    fn raw(&self, start: usize, quote: usize) -> Lexeme {
        const LONGEST_DELIMITER: usize = 16;
        let rest = &self.bytes[quote + 1..];
        let limit = rest.len().min(LONGEST_DELIMITER + 1);
        let open = rest[..limit].iter().position(|byte| matches!(byte, b'(' | b')' | b'\\' | b' ' | b'\t' | b'\n'));
        let Some(open) = open.filter(|&open| rest[open] == b'(') else {
            let line = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
            return self.lexeme(Kind::Unterminated, start, quote + 1 + line);
        };
        let closing: Vec<u8> = [b")", &rest[..open], b"\""].concat();
        match memchr::memmem::find(&rest[open + 1..], &closing) {
            Some(found) => self.lexeme(Kind::String, start, quote + 1 + open + 1 + found + closing.len()),
            None => self.lexeme(Kind::Unterminated, start, self.bytes.len()),
        }
    }

    fn comment(&self, at: usize) -> Comment {
        let (byte, body) = self.peek(at + 1);
        match byte {
            b'/' => Comment::Until(self.end_of_line(body)),
            b'*' => self.end_of_comment(body),
            _ => Comment::None,
        }
    }

    /// The newline that ends a line that may be joined with those after it.
    fn end_of_line(&self, mut at: usize) -> usize {
        loop {
            let Some(found) = memchr::memchr(b'\n', &self.bytes[at..]) else { return self.bytes.len() };
            let newline = at + found;
            let line = trim_blanks(&self.bytes[at..newline]);
            if line.last() != Some(&b'\\') {
                return newline;
            }
            at = newline + 1;
        }
    }

    fn end_of_comment(&self, body: usize) -> Comment {
        for found in memchr::memchr_iter(b'/', &self.bytes[body..]) {
            let slash = body + found;
            if self.star_before(body, slash) {
                return Comment::Until(slash + 1);
            }
        }
        Comment::Open
    }

    /// Whether a `*` stands before a byte, joined lines between them left out.
    fn star_before(&self, body: usize, mut at: usize) -> bool {
        while at > body && self.bytes[at - 1] == b'\n' {
            let line = trim_blanks(&self.bytes[body..at - 1]);
            if line.last() != Some(&b'\\') {
                return false;
            }
            at = body + line.len() - 1;
        }
        at > body && self.bytes[at - 1] == b'*'
    }

    fn punctuator(&self, start: usize) -> Lexeme {
        let mut punctuator = Punctuator::BY_BYTE[usize::from(self.bytes[start])];
        let mut end = start + 1;
        if CLASS[usize::from(self.byte(end))] & PROLONGS == 0 {
            return self.punctuator_of(punctuator, start, end);
        }
        loop {
            let (byte, after) = self.peek(end);
            let Some(longer) = punctuator.and(byte) else { break };
            if longer == Punctuator::DigraphLeftBracket && self.rules.cpp && self.is_less_and_scope(after) {
                break;
            }
            (punctuator, end) = (longer, after);
        }
        for (beginning, rest, whole) in [
            (Punctuator::Dot, b"..", Punctuator::Ellipsis),
            (Punctuator::DigraphHash, b"%:", Punctuator::DigraphHashHash),
        ] {
            if punctuator == beginning {
                let (first, middle) = self.peek(end);
                let (second, after) = self.peek(middle);
                if [first, second] == *rest {
                    (punctuator, end) = (whole, after);
                }
            }
        }
        let spliced = end - start != punctuator.spelling().len();
        Lexeme { spliced, ..self.punctuator_of(punctuator, start, end) }
    }

    fn punctuator_of(&self, punctuator: Punctuator, start: usize, end: usize) -> Lexeme {
        Lexeme { punctuator, ..self.lexeme(Kind::Punctuator, start, end) }
    }

    /// After `<:`: whether this is `<::` and neither `<:::` nor `<::>`.
    fn is_less_and_scope(&self, at: usize) -> bool {
        let (byte, after) = self.peek(at);
        byte == b':' && !matches!(self.peek(after).0, b':' | b'>')
    }

    /// The byte that comes next, over joined lines, and where it ends; 0 at the end.
    fn peek(&self, at: usize) -> (u8, usize) {
        let at = self.after_splices(at);
        (self.byte(at), at + 1)
    }

    fn after_splices(&self, mut at: usize) -> usize {
        while self.byte(at) == b'\\' {
            match splice(self.bytes, at) {
                Some(after) => at = after,
                None => break,
            }
        }
        at
    }

    fn byte(&self, at: usize) -> u8 {
        self.bytes.get(at).copied().unwrap_or(0)
    }

    fn character(&self, at: usize) -> char {
        self.text[at..].chars().next().unwrap_or('\0')
    }

    fn lexeme(&self, kind: Kind, start: usize, end: usize) -> Lexeme {
        Lexeme {
            kind,
            punctuator: Punctuator::Semicolon,
            flags: 0,
            spliced: false,
            start: start as u32,
            end: end as u32,
        }
    }
}

/// What a slash begins.
enum Comment {
    None,
    Until(usize),
    Open,
}
