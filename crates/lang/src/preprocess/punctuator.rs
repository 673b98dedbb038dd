//! Operators and punctuation: their spellings, and the longest one at a place.

/// Makes the enumeration and the table of spellings from one list.
macro_rules! punctuators {
    ($($name:ident $spelling:literal,)*) => {
        /// An operator or a punctuator, digraphs apart from what they stand for.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[repr(u8)]
        pub(super) enum Punctuator {
            $($name,)*
        }

        impl Punctuator {
            /// All of them, by number.
            pub(super) const ALL: &[Punctuator] = &[$(Punctuator::$name,)*];

            /// How it is written.
            pub(super) fn spelling(self) -> &'static str {
                match self {
                    $(Punctuator::$name => $spelling,)*
                }
            }
        }
    };
}

punctuators! {
    LeftBrace "{", RightBrace "}", LeftBracket "[", RightBracket "]", LeftParen "(", RightParen ")",
    Dot ".", DotStar ".*", Ellipsis "...", Comma ",", Semicolon ";", Colon ":", Scope "::", Question "?",
    Plus "+", PlusPlus "++", PlusEqual "+=", Minus "-", MinusMinus "--", MinusEqual "-=", Arrow "->", ArrowStar "->*",
    Star "*", StarEqual "*=", Slash "/", SlashEqual "/=", Percent "%", PercentEqual "%=",
    Caret "^", CaretEqual "^=", And "&", AndAnd "&&", AndEqual "&=", Or "|", OrOr "||", OrEqual "|=",
    Tilde "~", Not "!", NotEqual "!=", Equal "=", EqualEqual "==",
    Less "<", LessEqual "<=", ShiftLeft "<<", ShiftLeftEqual "<<=",
    Greater ">", GreaterEqual ">=", ShiftRight ">>", ShiftRightEqual ">>=",
    Hash "#", HashHash "##",
    DigraphLeftBracket "<:", DigraphRightBracket ":>", DigraphLeftBrace "<%", DigraphRightBrace "%>",
    DigraphHash "%:", DigraphHashHash "%:%:",
}

use Punctuator::*;

impl Punctuator {
    /// [`Punctuator::of_byte`] as a table; a semicolon where there is none.
    pub(super) const BY_BYTE: [Punctuator; 256] = {
        let mut table = [Semicolon; 256];
        let mut byte = 0;
        while byte < table.len() {
            if let Some(punctuator) = Punctuator::of_byte(byte as u8) {
                table[byte] = punctuator;
            }
            byte += 1;
        }
        table
    };

    /// The one that starts with a byte and may be followed by more.
    pub(super) const fn of_byte(byte: u8) -> Option<Punctuator> {
        Some(match byte {
            b'{' => LeftBrace,
            b'}' => RightBrace,
            b'[' => LeftBracket,
            b']' => RightBracket,
            b'(' => LeftParen,
            b')' => RightParen,
            b'.' => Dot,
            b',' => Comma,
            b';' => Semicolon,
            b':' => Colon,
            b'?' => Question,
            b'+' => Plus,
            b'-' => Minus,
            b'*' => Star,
            b'/' => Slash,
            b'%' => Percent,
            b'^' => Caret,
            b'&' => And,
            b'|' => Or,
            b'~' => Tilde,
            b'!' => Not,
            b'=' => Equal,
            b'<' => Less,
            b'>' => Greater,
            b'#' => Hash,
            _ => return None,
        })
    }

    /// The one that is this one and a byte. (`...` and `%:%:` are two bytes more than their beginnings: see the scanner.)
    pub(super) const fn and(self, byte: u8) -> Option<Punctuator> {
        Some(match (self, byte) {
            (Dot, b'*') => DotStar,
            (Colon, b':') => Scope,
            (Colon, b'>') => DigraphRightBracket,
            (Plus, b'+') => PlusPlus,
            (Plus, b'=') => PlusEqual,
            (Minus, b'-') => MinusMinus,
            (Minus, b'=') => MinusEqual,
            (Minus, b'>') => Arrow,
            (Arrow, b'*') => ArrowStar,
            (Star, b'=') => StarEqual,
            (Slash, b'=') => SlashEqual,
            (Percent, b'=') => PercentEqual,
            (Percent, b'>') => DigraphRightBrace,
            (Percent, b':') => DigraphHash,
            (Caret, b'=') => CaretEqual,
            (And, b'&') => AndAnd,
            (And, b'=') => AndEqual,
            (Or, b'|') => OrOr,
            (Or, b'=') => OrEqual,
            (Not, b'=') => NotEqual,
            (Equal, b'=') => EqualEqual,
            (Less, b'=') => LessEqual,
            (Less, b'<') => ShiftLeft,
            (Less, b':') => DigraphLeftBracket,
            (Less, b'%') => DigraphLeftBrace,
            (ShiftLeft, b'=') => ShiftLeftEqual,
            (Greater, b'=') => GreaterEqual,
            (Greater, b'>') => ShiftRight,
            (ShiftRight, b'=') => ShiftRightEqual,
            (Hash, b'#') => HashHash,
            _ => return None,
        })
    }

    /// What a digraph stands for; every other one is itself.
    pub(super) fn meaning(self) -> Punctuator {
        match self {
            DigraphLeftBracket => LeftBracket,
            DigraphRightBracket => RightBracket,
            DigraphLeftBrace => LeftBrace,
            DigraphRightBrace => RightBrace,
            DigraphHash => Hash,
            DigraphHashHash => HashHash,
            other => other,
        }
    }

    /// Whether another one is meant.
    pub(super) fn is_digraph(self) -> bool {
        self as u8 >= DigraphLeftBracket as u8
    }

    /// The one that a C++ word stands for (`and`, `not_eq`).
    pub(super) fn of_word(word: &str) -> Option<Punctuator> {
        WORDS.iter().find(|&&(written, _)| written == word).map(|&(_, punctuator)| punctuator)
    }
}

/// The words that are operators in C++.
pub(super) const WORDS: [(&str, Punctuator); 11] = [
    ("and", AndAnd),
    ("and_eq", AndEqual),
    ("bitand", And),
    ("bitor", Or),
    ("compl", Tilde),
    ("not", Not),
    ("not_eq", NotEqual),
    ("or", OrOr),
    ("or_eq", OrEqual),
    ("xor", Caret),
    ("xor_eq", CaretEqual),
];
