//! The passes, by name.

use std::fmt;
use std::str::FromStr;

use crate::near::Near;

/// A change of IR.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Pass {
    /// Give uncontrolled convergent operations tokens: one heart a cycle.
    InferTokens,
    /// Take all tokens out.
    StripTokens,
    /// Give every cycle with several entries one header, a block that branches to them.
    ReduceCycles,
    /// Move anchors up, before branches.
    HoistAnchors,
    /// Move anchors down, to the side of a branch that needs them, alone or with all operations on their token.
    SinkAnchors,
    /// Make one of identical convergent operations on all sides of a branch.
    HoistOperations,
    /// Move convergent operations down, to the side of a branch that needs them.
    SinkOperations,
    /// Take convergent, bundles and tokens away where they say nothing.
    InferNoconvergent {
        /// Whether threads never diverge, or never communicate, which the triple of a CPU says, too: then all of it says nothing.
        never_diverge: bool,
    },
    /// Put the bodies of functions in the place of their calls.
    Inline {
        /// The functions whose calls are inlined; all that are not `noinline` where there are none.
        functions: Vec<String>,
    },
    /// Unroll loops: several iterations in one; fully where there are no more.
    Unroll {
        /// How many iterations.
        factor: u32,
        /// Whether all copies keep their tests where a remainder would be needed.
        keep_tests: bool,
        /// The functions with the loops; all where there are none.
        functions: Vec<String>,
        /// The headers of the loops; those of all innermost loops where there are none.
        loops: Vec<String>,
    },
}

impl Pass {
    /// Why it changes nothing where it has no candidate and refuses nothing: what it looks for, in a sentence without a full stop.
    pub fn finds_nothing(&self) -> &'static str {
        match self {
            Pass::InferTokens => "no function has convergent operations without tokens",
            Pass::StripTokens => "no function has tokens",
            Pass::ReduceCycles => "no cycle has several entries",
            Pass::HoistAnchors => "no anchor is on one side of a branch, or in the header of a cycle",
            Pass::SinkAnchors => "no anchor has a token that is used on one side of a branch only",
            Pass::HoistOperations => "no convergent operation is on each side of a branch",
            Pass::SinkOperations => "no convergent operation has a result that is used on one side of a branch only",
            Pass::InferNoconvergent { .. } => "whatever is convergent has to be, or is only declared",
            Pass::Inline { .. } => "no call is of a function that may be inlined",
            Pass::Unroll { .. } => "no function has a loop",
        }
    }
}

impl Pass {
    /// How each is written, and what it does.
    pub const NAMED: [(&str, &str); 11] = [
        ("infer-tokens", "Give uncontrolled convergent operations tokens: one heart a cycle"),
        ("strip-tokens", "Take all tokens out"),
        ("reduce-cycles", "Give every cycle with several entries one header, a block that branches to them"),
        ("hoist-anchors", "Move anchors up, before branches"),
        (
            "sink-anchors",
            "Move anchors down, to the side of a branch that needs them, alone or with all operations on their token",
        ),
        ("hoist-operations", "Make one of identical convergent operations on all sides of a branch"),
        ("sink-operations", "Move convergent operations down, to the side of a branch that needs them"),
        ("infer-noconvergent", "Take convergent, bundles and tokens away where they have no effect"),
        ("inline", "Put the bodies of functions in the place of their calls"),
        ("unroll=N", "Unroll loops: N iterations in one; fully where there are no more"),
        ("unroll=N,keep-tests", "The same, all tests kept in place of a loop for the remainder"),
    ];

    /// Several, one after the other: separated by blanks or commas.
    ///
    /// # Errors
    /// As of one, which is [`FromStr`].
    ///
    /// ```
    /// let passes = reconverge::Pass::pipeline("infer-tokens, unroll=2,keep-tests inline").expect("there are such passes");
    /// assert_eq!(passes.len(), 3);
    /// ```
    pub fn pipeline(text: &str) -> Result<Vec<Pass>, String> {
        let mut names: Vec<String> = Vec::new();
        for word in text.split([' ', '\t', '\n', ',']).filter(|word| !word.is_empty()) {
            match names.last_mut() {
                Some(last) if word == KEEP_TESTS && last.starts_with("unroll") => last.push_str(",keep-tests"),
                _ => names.push(word.to_owned()),
            }
        }
        names.iter().map(|name| name.parse()).collect()
    }
}

/// What may follow the number of `unroll`, behind a comma.
const KEEP_TESTS: &str = "keep-tests";

/// A pass of a whole module, as [`Pass::NAMED`] has it.
impl FromStr for Pass {
    /// What is wrong with the name, in a sentence without a full stop; with the names that may be meant.
    type Err = String;

    fn from_str(text: &str) -> Result<Pass, String> {
        let words = [
            Pass::InferTokens,
            Pass::StripTokens,
            Pass::ReduceCycles,
            Pass::HoistAnchors,
            Pass::SinkAnchors,
            Pass::HoistOperations,
            Pass::SinkOperations,
            Pass::InferNoconvergent { never_diverge: false },
            Pass::Inline { functions: Vec::new() },
        ];
        words.into_iter().find(|pass| pass.to_string() == text).map_or_else(|| unroll(text), Ok)
    }
}

/// As it is written: the functions and loops that are asked for are not part of that.
impl fmt::Display for Pass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            Pass::InferTokens => "infer-tokens",
            Pass::StripTokens => "strip-tokens",
            Pass::ReduceCycles => "reduce-cycles",
            Pass::HoistAnchors => "hoist-anchors",
            Pass::SinkAnchors => "sink-anchors",
            Pass::HoistOperations => "hoist-operations",
            Pass::SinkOperations => "sink-operations",
            Pass::InferNoconvergent { .. } => "infer-noconvergent",
            Pass::Inline { .. } => "inline",
            Pass::Unroll { factor, keep_tests, .. } => {
                write!(f, "unroll={factor}")?;
                return if *keep_tests { write!(f, ",{KEEP_TESTS}") } else { Ok(()) };
            }
        };
        f.write_str(name)
    }
}

/// `unroll=N`, perhaps with what follows.
fn unroll(text: &str) -> Result<Pass, String> {
    let rest = text.strip_prefix("unroll").filter(|rest| rest.is_empty() || rest.starts_with('='));
    let Some(rest) = rest.map(|rest| rest.trim_start_matches('=')) else {
        let names = Pass::NAMED.map(|(name, _)| name);
        // What stands behind `=` is not misspelt.
        let word = |name: &'static str| name.split('=').next().unwrap_or_default();
        let mut words = names.map(word).to_vec();
        words.dedup();
        let asked = text.split('=').next().unwrap_or_default();
        return Err(Near::among(asked, words).instead_of("pass", text, &format!("there are {}", names.join(", "))));
    };
    let (number, keep_tests) = match rest.strip_suffix(KEEP_TESTS).and_then(|rest| rest.strip_suffix(',')) {
        Some(number) => (number, true),
        None => (rest, false),
    };
    let factor = number.parse().ok().filter(|factor| (2..=1024).contains(factor));
    let unroll = |factor| Pass::Unroll { factor, keep_tests, functions: Vec::new(), loops: Vec::new() };
    factor
        .map(unroll)
        .ok_or_else(|| format!("{text}: a number of iterations from 2 to 1024 is wanted, such as unroll=4"))
}
