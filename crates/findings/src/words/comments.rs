//! What is wrong about comments that allow findings, in words.

use std::ops::Range;

use crate::codes::Code;
use crate::diagnostic::Diagnostic;
use crate::fingerprint::Fingerprint;

/// What is wrong about a comment that allows findings (RC0701, RC0702).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CommentBreach {
    /// The line that it is for, counted from 1, has no finding with this code; none where no code follows the comment.
    Unneeded {
        /// What is allowed.
        allowed: Code,
        /// The line.
        line: Option<usize>,
    },
    /// There is no such code.
    UnknownCode {
        /// What is written.
        name: String,
        /// The code that may be meant.
        meant: Option<Code>,
    },
    /// Nothing that a check finds in a program has this code.
    NotOfCheck {
        /// What is to be allowed.
        code: Code,
    },
    /// It says not why.
    NoReason,
    /// It cannot be read.
    Malformed,
}

/// How such a comment is written.
const FORM: &str = "`reconverge: allow(RC0201) reason`";

impl CommentBreach {
    fn code(&self) -> Code {
        match self {
            CommentBreach::Unneeded { .. } => Code::RC0701,
            CommentBreach::UnknownCode { .. }
            | CommentBreach::NotOfCheck { .. }
            | CommentBreach::NoReason
            | CommentBreach::Malformed => Code::RC0702,
        }
    }

    fn message(&self) -> String {
        match self {
            CommentBreach::Unneeded { allowed, line } => {
                let allowed = allowed.name();
                match line {
                    Some(line) => format!("this comment allows {allowed}, which line {line} does not have"),
                    None => format!("this comment allows {allowed}, and no code follows it"),
                }
            }
            CommentBreach::UnknownCode { name, meant } => {
                let question = meant.map(|code| format!("; did you mean {}?", code.name())).unwrap_or_default();
                format!("this comment allows nothing: there is no diagnostic {name}{question}")
            }
            CommentBreach::NotOfCheck { code } => {
                let code = code.name();
                format!("this comment allows nothing: `reconverge check` finds no {code} in programs")
            }
            CommentBreach::NoReason => format!("this comment allows nothing: it gives no reason; expected {FORM}"),
            CommentBreach::Malformed => format!("this comment allows nothing: expected {FORM}"),
        }
    }

    /// It in words; `span` is the part of the text that it is about.
    pub fn diagnostic(&self, span: Range<usize>) -> Diagnostic {
        let (code, message) = (self.code(), self.message());
        let (label, fingerprint) = match self {
            // The line changes when lines move.
            CommentBreach::Unneeded { allowed, .. } => ("it can be deleted", allowed.name()),
            _ => ("", message.as_str()),
        };
        Diagnostic {
            code,
            severity: code.severity(),
            fingerprint: Fingerprint::of(&[code.name().as_bytes(), fingerprint.as_bytes()]),
            label: label.to_owned(),
            message,
            function: None,
            instances: Vec::new(),
            inputs: Vec::new(),
            block: None,
            span,
            source: None,
            ir: None,
            extent: None,
            also: Vec::new(),
            related: Vec::new(),
            notes: Vec::new(),
            remedy: None,
            suppression: None,
        }
    }
}
