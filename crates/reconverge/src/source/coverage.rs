//! How much of a source file is understood.

use serde::Serialize;

use crate::Error;

/// What of a source file is analysed, and what is not.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Coverage {
    /// Whether the whole file was passed over, as it is C or C++ in which no word says what is convergent ([`passes_over_host`](crate::SourceSettings::passes_over_host)).
    #[serde(skip_serializing_if = "is_false")]
    pub is_passed_over: bool,
    /// How many functions of the device have a body, with those that are left out. Each instance of a template is one.
    pub functions: usize,
    /// How many of them are kernels.
    pub kernels: usize,
    /// How many kernels are analysed.
    pub analysed_kernels: usize,
    /// What is not, in the order of the text.
    pub left_out: Vec<LeftOutFunction>,
    /// How many of the kernels that are analysed reach something that is not known.
    pub kernels_with_unknowns: usize,
    /// What is not known, in the order of the functions.
    pub unknown: Vec<UnknownThing>,
    /// The names that are taken to be defined, as the file has no kernels without them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub assumed: Vec<AssumedMacro>,
    /// How many kernels stand in groups of the file that conditionals leave out, for a name that nothing defines and without another group in its place.
    #[serde(skip_serializing_if = "is_zero")]
    pub unread_kernels: usize,
    /// The first of these groups.
    #[serde(skip)]
    pub unread: Vec<Error>,
    /// For each kernel that reaches something unknown, by its name in IR, the first thing; where there are no kernels, for each function.
    #[serde(skip)]
    pub first_unknown: Vec<(String, Error)>,
    /// The same for what is analysed for everything that a template's parameter may stand for, with what is said of the first such parameter.
    #[serde(skip)]
    pub first_open: Vec<(String, Error)>,
    /// Calls of functions that nothing declares and that are spelled nearly like an operation of several threads: each is analysed as a call of something unknown. Where
    /// headers are missing that may declare them, only reserved names are here (`__synchthreads`).
    #[serde(skip)]
    pub misspelt: Vec<Error>,
    /// The headers that were not found and passed over ([`Reading::Kernels`](crate::Reading::Kernels)), each once.
    #[serde(skip)]
    pub missing_headers: Vec<Error>,
    /// The first declarations and directives that were not understood and passed over: no function that is analysed needs them.
    #[serde(skip)]
    pub passed_over: Vec<Error>,
    /// How many there are in all.
    #[serde(skip)]
    pub passed_over_count: usize,
    /// Whether a limit was reached: the file is not read whole.
    #[serde(skip)]
    pub has_reached_limit: bool,
}

/// A macro that nothing defines, and that is taken to be 1.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct AssumedMacro {
    /// Its name.
    pub name: String,
    /// The line of the condition that has it; 0 where nobody knows.
    pub line: usize,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "as serde asks")]
fn is_false(value: &bool) -> bool {
    !value
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "as serde asks")]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// A function that is not analysed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct LeftOutFunction {
    /// Its name.
    pub name: String,
    /// Whether it is a kernel.
    pub kernel: bool,
    /// Where it is declared, in its file; 0 where nobody knows.
    pub line: usize,
    /// The first thing that is not understood.
    pub reason: String,
    /// The code of the rule that it breaks, if that is why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<&'static str>,
    /// The name of the limit that it goes beyond, if that is why; [`Settings::limits`](crate::Settings::limits) has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<&'static str>,
}

/// Something in a function that is not known.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct UnknownThing {
    /// The function.
    pub function: String,
    /// The type, name, member or template, or what is not understood.
    pub name: String,
    /// The file that it stands in, where that is not the input.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Where it stands there; 0 where nobody knows.
    pub line: usize,
    /// The operation of several threads that a function which nothing declares is nearly spelled like.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub meant: Option<&'static str>,
}

impl Coverage {
    /// How many kernels are analysed; where there are none, how many functions.
    pub fn analysed(&self) -> usize {
        match self.kernels {
            0 => self.functions - self.left_out.len(),
            _ => self.analysed_kernels,
        }
    }

    /// What [`analysed`](Coverage::analysed) counts, in the singular.
    pub fn counted(&self) -> &'static str {
        if self.kernels == 0 { "function" } else { "kernel" }
    }

    /// Whether there are kernels, and none of them is analysed; where there are none, the same of all functions.
    pub fn is_nothing(&self) -> bool {
        match self.kernels {
            0 => self.functions == self.left_out.len(),
            _ => self.analysed_kernels == 0,
        }
    }

    /// Whether a function breaks a rule, which is a finding of `check`.
    pub fn has_breach(&self) -> bool {
        self.left_out.iter().any(|left_out| left_out.code.is_some())
    }
}
