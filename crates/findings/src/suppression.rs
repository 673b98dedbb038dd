//! Why a finding does not count.

/// Why a finding does not count: it is no reason to fail, and people are not shown it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Suppression {
    /// A comment in the program allows it.
    Comment {
        /// What the comment gives as the reason.
        reason: String,
    },
    /// A baseline lists it: it was known before.
    Baseline,
    /// Settings turn it off.
    Settings {
        /// Which sort of setting.
        reason: &'static str,
    },
}

impl Suppression {
    /// Why, in the words of who wrote it where there are some.
    pub fn reason(&self) -> &str {
        match self {
            Suppression::Comment { reason } => reason,
            Suppression::Baseline => "listed in the baseline",
            Suppression::Settings { reason } => reason,
        }
    }

    /// Whether the program itself says it.
    pub fn is_in_source(&self) -> bool {
        matches!(self, Suppression::Comment { .. })
    }
}
