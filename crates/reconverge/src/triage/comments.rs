//! Comments that allow findings: `reconverge: allow(CODE, …) reason`.
//!
//! A comment after code is for the line that it stands on; one before code, for the next line that has some. It allows the findings of that line with one of its
//! codes. Comments are found as the languages have them, so none is in a string.

use std::ops::Range;

use reconverge_findings::words::CommentBreach;
use reconverge_findings::{Code, Diagnostic, Severity, Suppression};

use crate::lines::Lines;
use crate::near::Near;

/// How comments are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Syntax {
    /// `;` in LLVM IR.
    Ir,
    /// `//` and `/* */` in languages like C.
    Source,
}

/// What the comments of one text allow.
#[derive(Debug, Default)]
pub(super) struct Comments {
    /// The offsets of the lines of the text.
    starts: Vec<usize>,
    allowed: Vec<Allowed>,
    unreadable: Vec<(Range<usize>, CommentBreach)>,
}

/// One code that a comment allows.
#[derive(Debug)]
struct Allowed {
    code: Code,
    reason: String,
    /// Where the code is written.
    span: Range<usize>,
    /// The line that it is for, counted from 0; none where no code follows.
    line: Option<usize>,
    /// Whether it is between `#if` and `#endif`, so that it may be for other settings.
    is_conditional: bool,
    is_needed: bool,
}

/// What every such comment begins with.
const NAME: &[u8] = b"reconverge:";

/// Whether some comment may be one, or is nearly one.
fn may_have_comments(text: &[u8]) -> bool {
    const BEGIN: &[u8] = b"rec";
    let is_name = |at: usize| at >= BEGIN.len() && text[at - BEGIN.len()..at].eq_ignore_ascii_case(BEGIN);
    [&b"onverge"[..], b"ONVERGE"].iter().any(|part| memchr::memmem::find_iter(text, part).any(is_name))
}

impl Comments {
    /// Reads those of a text. O(text), and at the speed of memory where there are none.
    pub(super) fn of(text: &[u8], syntax: Syntax) -> Comments {
        if !may_have_comments(text) {
            return Comments::default();
        }
        let lines = Lines::new(text);
        let mut scan = Scan {
            text,
            lines: &lines,
            found: Comments::default(),
            waiting: 0,
            code: None,
            line_end: 0,
            conditions: 0,
        };
        scan.run(syntax);
        Comments { starts: Lines::starts(text), ..scan.found }
    }

    /// Marks the findings that they allow. Of one with several places, the first decides; others that are allowed are no longer listed.
    pub(super) fn allow(&mut self, diagnostics: &mut [Diagnostic]) {
        for diagnostic in diagnostics {
            let code = diagnostic.code;
            if let Some(reason) = self.reason(code, diagnostic.span.start) {
                diagnostic.suppression = Some(Suppression::Comment { reason: reason.to_owned() });
            }
            diagnostic.also.retain(|place| self.reason(code, place.span.start).is_none());
        }
    }

    /// The same of findings that are shown in another file, by their lines in this one, which is IR.
    pub(super) fn allow_in_ir(&mut self, diagnostics: &mut [Diagnostic]) {
        for diagnostic in diagnostics {
            let line = diagnostic.ir.map(|at| at.line - 1);
            if let Some(reason) = line.and_then(|line| self.reason_in(diagnostic.code, line)) {
                diagnostic.suppression = Some(Suppression::Comment { reason: reason.to_owned() });
            }
        }
    }

    /// Why a code is allowed at a place, if it is: then the comment is needed.
    fn reason(&mut self, code: Code, offset: usize) -> Option<&str> {
        let line = self.starts.partition_point(|&start| start <= offset).checked_sub(1)?;
        self.reason_in(code, line)
    }

    fn reason_in(&mut self, code: Code, line: usize) -> Option<&str> {
        let allowed = self.allowed.iter_mut().find(|allowed| allowed.code == code && allowed.line == Some(line))?;
        allowed.is_needed = true;
        Some(&allowed.reason)
    }

    /// What is wrong about them, once they have allowed what they can. What nothing needs is wrong where all of the file `is_whole`, and all `hints` were
    /// looked for if it is one.
    pub(super) fn wrong(self, is_whole: bool, hints: bool) -> Vec<Diagnostic> {
        let unneeded = self.allowed.into_iter().filter(|allowed| {
            is_whole && !allowed.is_needed && !allowed.is_conditional && is_looked_for(allowed.code, hints)
        });
        let unneeded = unneeded.map(|Allowed { code: allowed, span, line, .. }| {
            CommentBreach::Unneeded { allowed, line: line.map(|line| line + 1) }.diagnostic(span)
        });
        let unreadable = self.unreadable.into_iter().map(|(span, breach)| breach.diagnostic(span));
        let mut wrong: Vec<Diagnostic> = unneeded.chain(unreadable).collect();
        wrong.sort_by_key(|diagnostic| diagnostic.span.start);
        wrong
    }
}

/// Whether a check finds all that there is with this code. RC0302 to RC0306 it finds under some models only.
pub(super) fn is_looked_for(code: Code, hints: bool) -> bool {
    let depends_on_model = (Code::RC0302..=Code::RC0306).contains(&code);
    !depends_on_model && (hints || code.severity() != Severity::Hint)
}

/// Goes over a text.
struct Scan<'t> {
    text: &'t [u8],
    lines: &'t Lines<'t>,
    found: Comments,
    /// From here on, what is allowed waits for the next line with code.
    waiting: usize,
    /// The last line with code so far.
    code: Option<usize>,
    /// Where that line ends.
    line_end: usize,
    /// How many `#if` are open.
    conditions: usize,
}

impl Scan<'_> {
    fn run(&mut self, syntax: Syntax) {
        let mut at = 0;
        while let Some(&byte) = self.text.get(at) {
            let rest = &self.text[at..];
            let comment = match (syntax, byte) {
                (Syntax::Ir, b';') => Some(self.end_of_line(at)),
                (Syntax::Source, b'/') if rest.starts_with(b"//") => Some(self.end_of_line(at)),
                (Syntax::Source, b'/') if rest.starts_with(b"/*") => Some(self.after(at + 2, b"*/")),
                _ => None,
            };
            at = match comment {
                Some(end) => {
                    self.comment(at..end);
                    end
                }
                None if byte.is_ascii_whitespace() => at + 1,
                None => {
                    self.code(at);
                    self.end_of_code(at, syntax)
                }
            };
        }
    }

    fn end_of_line(&self, from: usize) -> usize {
        memchr::memchr(b'\n', &self.text[from..]).map_or(self.text.len(), |length| from + length)
    }

    /// Behind the next `end`.
    fn after(&self, from: usize, end: &[u8]) -> usize {
        memchr::memmem::find(&self.text[from..], end).map_or(self.text.len(), |length| from + length + end.len())
    }

    /// There is code at this place.
    fn code(&mut self, at: usize) {
        if at < self.line_end {
            return;
        }
        let line = self.lines.line_of(at);
        self.line_end = self.end_of_line(at);
        self.code = Some(line);
        self.found.allowed[self.waiting..].iter_mut().for_each(|allowed| allowed.line = Some(line));
        self.waiting = self.found.allowed.len();
        let directive = self.text[at..].strip_prefix(b"#").unwrap_or_default().trim_ascii_start();
        if directive.starts_with(b"if") {
            self.conditions += 1;
        } else if directive.starts_with(b"endif") {
            self.conditions = self.conditions.saturating_sub(1);
        }
    }

    /// Where code goes on after a byte, or after the string or character that begins there.
    fn end_of_code(&self, at: usize, syntax: Syntax) -> usize {
        let before = at.checked_sub(1).map_or(b' ', |before| self.text[before]);
        match (syntax, self.text[at]) {
            (Syntax::Ir, b'"') => self.after(at + 1, b"\""),
            (Syntax::Source, b'"') if before == b'R' => {
                let delimiter = self.text[at + 1..].split(|&byte| byte == b'(').next().unwrap_or_default();
                self.after(at + 1, &[b")", delimiter, b"\""].concat())
            }
            // In 1'000 it separates digits.
            (Syntax::Source, b'\'') if before.is_ascii_hexdigit() => at + 1,
            (Syntax::Source, quote @ (b'"' | b'\'')) => self.end_of_literal(at + 1, quote),
            _ => at + 1,
        }
    }

    fn end_of_literal(&self, from: usize, quote: u8) -> usize {
        let mut at = from;
        while let Some(&byte) = self.text.get(at) {
            match byte {
                b'\\' => at += 2,
                b'\n' => return at,
                byte if byte == quote => return at + 1,
                _ => at += 1,
            }
        }
        self.text.len()
    }

    fn comment(&mut self, span: Range<usize>) {
        match read(&self.text[span.clone()], span.start) {
            None => {}
            Some(Err((span, breach))) => self.found.unreadable.push((span, breach)),
            Some(Ok((codes, reason))) => {
                let line = Some(self.lines.line_of(span.start));
                let is_after_code = self.code == line;
                let is_conditional = self.conditions > 0;
                self.found.allowed.extend(codes.into_iter().map(|(code, span)| Allowed {
                    code,
                    reason: reason.clone(),
                    span,
                    line: line.filter(|_| is_after_code),
                    is_conditional,
                    is_needed: false,
                }));
                if is_after_code {
                    self.waiting = self.found.allowed.len();
                }
            }
        }
    }
}

/// Codes, where each is written, and the reason; or what is wrong, and where.
type Comment = Result<(Vec<(Code, Range<usize>)>, String), (Range<usize>, CommentBreach)>;

/// Reads a comment that begins at `start`; none where it is about something else.
fn read(comment: &[u8], start: usize) -> Option<Comment> {
    let body = comment.strip_prefix(b"/*").map_or(comment, |body| body.strip_suffix(b"*/").unwrap_or(body));
    let is_decoration = |byte: &u8| b"/*;!<".contains(byte) || byte.is_ascii_whitespace();
    let body = body.trim_ascii_end();
    let skipped = body.iter().take_while(|byte| is_decoration(byte)).count();
    let Some(said) = body[skipped..].strip_prefix(NAME).map(<[u8]>::trim_ascii_start) else {
        let whole = start + body[skipped..].as_ptr() as usize - comment.as_ptr() as usize;
        let whole = whole..whole + body.len() - skipped;
        return is_nearly(&body[skipped..]).then_some(Err((whole, CommentBreach::Malformed)));
    };
    let place = |part: &[u8]| {
        let offset = part.as_ptr() as usize - comment.as_ptr() as usize;
        start + offset..start + offset + part.len()
    };
    let (word, rest) = said.split_at(said.iter().take_while(|byte| byte.is_ascii_alphabetic()).count());
    let codes = rest.trim_ascii_start().strip_prefix(b"(");
    let whole = place(&body[skipped..]);
    if word != b"allow" && codes.is_none() {
        return is_nearly(&body[skipped..]).then_some(Err((whole, CommentBreach::Malformed)));
    }
    let malformed = || Some(Err((whole.clone(), CommentBreach::Malformed)));
    let parts = codes.and_then(|codes| Some(codes.split_at(memchr::memchr(b')', codes)?)));
    let Some((codes, reason)) = parts.filter(|_| word == b"allow") else { return malformed() };
    let mut allowed = Vec::new();
    for name in codes.split(|&byte| byte == b',').map(<[u8]>::trim_ascii) {
        let text = String::from_utf8_lossy(name);
        match Code::from_name(&text) {
            Some(code) if !code.is_allowable() => return Some(Err((place(name), CommentBreach::NotOfCheck { code }))),
            Some(code) => allowed.push((code, place(name))),
            None if name.is_empty() => return malformed(),
            None => {
                let meant = Near::to_code(&text).names().next().and_then(Code::from_name);
                return Some(Err((place(name), CommentBreach::UnknownCode { name: text.into_owned(), meant })));
            }
        }
    }
    let reason = String::from_utf8_lossy(&reason[1..]);
    let reason = reason.trim_start_matches([':', '-', ' ']).split_whitespace().collect::<Vec<_>>().join(" ");
    Some(if reason.is_empty() { Err((whole, CommentBreach::NoReason)) } else { Ok((allowed, reason)) })
}

/// Whether a comment that is not of the form is meant to be: the name in whatever case, with a colon or without, a word for allowing, and a code
/// or a parenthesis. Else it is prose.
fn is_nearly(said: &[u8]) -> bool {
    const WORDS: [&[u8]; 6] = [b"allow", b"allows", b"ignore", b"disable", b"suppress", b"off"];
    let (name, rest) = said.split_at(said.len().min(NAME.len() - 1));
    if !name.eq_ignore_ascii_case(&NAME[..NAME.len() - 1]) {
        return false;
    }
    let is_between = |byte: &u8| b":-_=([".contains(byte) || byte.is_ascii_whitespace();
    let after = |text: &[u8]| text.iter().take_while(|byte| is_between(byte)).count();
    let rest = &rest[after(rest)..];
    let (word, rest) = rest.split_at(rest.iter().take_while(|byte| byte.is_ascii_alphabetic()).count());
    let code = &rest[after(rest)..];
    let is_code = code.get(..2).is_some_and(|start| start.eq_ignore_ascii_case(b"RC"))
        && code.get(2).is_some_and(u8::is_ascii_digit);
    let is_call = word.eq_ignore_ascii_case(b"allow") && rest.starts_with(b"(");
    is_call || is_code && WORDS.iter().any(|known| word.eq_ignore_ascii_case(known))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &[u8] = b"#if 1\nint a = '\\'';/* reconverge: allow(RC0201, RC0202) why */ R\"x()\" )x\" \"\\\"//\"\n#endif\n// reconverge:allow(RC9)\nb; 1'0;";

    #[test]
    fn strings_and_characters_are_no_comments() {
        let found = Comments::of(TEXT, Syntax::Source);
        let codes: Vec<(Code, Option<usize>, bool)> =
            found.allowed.iter().map(|one| (one.code, one.line, one.is_conditional)).collect();
        assert_eq!(codes, [(Code::RC0201, Some(1), true), (Code::RC0202, Some(1), true)]);
        let [(span, _)] = &found.unreadable[..] else { panic!("{:?}", found.unreadable) };
        assert_eq!(&TEXT[span.clone()], b"RC9");
    }

    /// Every beginning of the text, and every byte replaced by ones that mean something.
    #[test]
    fn whatever_the_text_is() {
        let cut = (0..=TEXT.len()).map(|length| TEXT[..length].to_vec());
        let replaced = (0..TEXT.len()).flat_map(|at| {
            b"/*\"'\\\n;(),:#R\xff".iter().map(move |&byte| {
                let mut text = TEXT.to_vec();
                text[at] = byte;
                text
            })
        });
        for text in cut.chain(replaced) {
            for syntax in [Syntax::Ir, Syntax::Source] {
                let found = Comments::of(&text, syntax);
                let spans =
                    found.allowed.iter().map(|one| &one.span).chain(found.unreadable.iter().map(|(span, _)| span));
                for span in spans {
                    assert!(
                        text.get(span.clone()).is_some_and(|part| !part.is_empty()),
                        "{span:?} {}",
                        text.escape_ascii()
                    );
                }
            }
        }
    }
}
