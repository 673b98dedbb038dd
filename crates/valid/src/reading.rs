//! Reading that gives out valid functions only, so that nobody who needs that can forget to ask.

use std::ops::Deref;

use reconverge_ir::{Function, FunctionId, Module, ReadError};

use crate::{Breach, Facts, Rule, Workspace, check_function};

/// A module all of whose functions are valid.
#[derive(Debug)]
pub struct Checked<'t>(Module<'t>);

impl<'t> Checked<'t> {
    /// Reads a module and checks it, on the threads of the current `rayon` pool; O(length of the text).
    ///
    /// # Errors
    /// When it is not LLVM IR, or not valid: the first place, and what was expected there.
    pub fn read(text: &'t [u8]) -> Result<Checked<'t>, ReadError> {
        read_functions(text, |_, _, _| ()).map(|(module, _)| Checked(module))
    }
}

impl<'t> Deref for Checked<'t> {
    type Target = Module<'t>;

    fn deref(&self) -> &Module<'t> {
        &self.0
    }
}

impl Breach {
    /// The breach as the reason why a text cannot be used.
    pub fn to_error(&self) -> ReadError {
        let message = format!("not valid LLVM IR: {} ({})", self.message, self.rule.code());
        ReadError { offset: self.span.start as usize, message: one_line(&message) }
    }
}

/// What a message quotes from the text may be anything; a message is one line.
fn one_line(message: &str) -> String {
    const LONGEST: usize = 400;
    let mut line: String = message.chars().take(LONGEST).map(|c| if c.is_control() { '?' } else { c }).collect();
    if message.chars().nth(LONGEST).is_some() {
        line.push('…');
    }
    line
}

/// [`reconverge_ir::read_functions`] for valid modules: `visit` sees valid functions only.
///
/// # Errors
/// When the text is not LLVM IR, or not valid: the first place in the order of the text.
pub fn read_functions<'t, R: Send>(
    text: &'t [u8],
    visit: impl Fn(&Module<'t>, FunctionId, &Function) -> R + Sync,
) -> Result<(Module<'t>, Vec<R>), ReadError> {
    let prepare = |_: &Module<'t>| Ok(());
    read_functions_with(text, prepare, |module, (), (): &mut (), id, function| visit(module, id, function))
}

/// [`reconverge_ir::read_functions_with`] for valid modules.
///
/// # Errors
/// As [`read_functions`], or when `prepare` says so.
pub fn read_functions_with<'t, S: Send + Sync, W: Default, R: Send>(
    text: &'t [u8],
    prepare: impl Fn(&Module<'t>) -> Result<S, ReadError> + Sync,
    visit: impl Fn(&Module<'t>, &S, &mut W, FunctionId, &Function) -> R + Sync,
) -> Result<(Module<'t>, Vec<R>), ReadError> {
    let prepare = |module: &Module<'t>| {
        let facts = Facts::new(module);
        // What is prepared may rely on types and declarations; bodies are looked at first, as their errors come first.
        let shared = if facts.breaches().is_empty() { Some(prepare(module)?) } else { None };
        Ok((facts, shared))
    };
    let visit = |module: &Module<'t>,
                 (facts, shared): &(Facts, Option<S>),
                 (checks, own): &mut (Workspace, W),
                 id,
                 function: &Function| {
        // Uses of tokens are what rules of their own are about, which those who rely on tokens ask.
        let breaches = check_function(facts, module, id, function, checks);
        if let Some(breach) = breaches.iter().find(|breach| breach.rule != Rule::TokenDominance) {
            return Err(breach.to_error());
        }
        match (facts.breaches().first(), shared) {
            (None, Some(shared)) => Ok(visit(module, shared, own, id, function)),
            (breach, _) => {
                Err(breach.map_or(ReadError { offset: 0, message: "not valid LLVM IR".to_string() }, Breach::to_error))
            }
        }
    };
    let (module, results) = reconverge_ir::read_functions_with(text, prepare, visit)?;
    let mut errors: Vec<&ReadError> = results.iter().filter_map(|result| result.as_ref().err()).collect();
    errors.sort_by_key(|error| error.offset);
    if let Some(error) = errors.first() {
        return Err((*error).clone());
    }
    if results.is_empty()
        && let Some(breach) = Facts::new(&module).breaches().first()
    {
        return Err(breach.to_error());
    }
    let results = results.into_iter().collect::<Result<Vec<R>, ReadError>>()?;
    Ok((module, results))
}
