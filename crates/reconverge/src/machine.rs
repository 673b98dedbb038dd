//! Machine IR (`.mir`) as an input: the uniformity and the cycles of machine functions, as the same answers that are given of LLVM IR.
//!
//! **Invariant.** What is not understood of a function leaves that function out, with an error at its place ([`MachineAnswer::left_out`]), and none of the others. All is about
//! the threads of a subgroup: register classes say nothing of larger sets.

mod cycles;
mod uniformity;

use std::borrow::Cow;

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use reconverge_analysis::target::Target;
use reconverge_mir::{Document, File, Function, Machine, ReadError};

use crate::lines::Lines;
use crate::module::is_called;
use crate::near::Near;
use crate::{Control, Error, ErrorKind, Format, Input, Position, Progress, Settings};

pub use cycles::machine_cycles;
pub use uniformity::machine_uniformity;

/// A text of machine IR. **Invariant.** Its target is that of the settings, else that of the triple in its LLVM IR, else `amdgpu`, and does not change.
#[derive(Debug)]
pub struct MachineModule {
    name: String,
    text: String,
    target: Cow<'static, Target>,
    triple: Option<String>,
    control: Control,
}

/// What a verb says of machine IR.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct MachineAnswer<T> {
    /// The answer, of the functions that are understood.
    pub found: T,
    /// Why others are left out, in the order of the text.
    pub left_out: Vec<Error>,
}

/// The target of machine IR that does not name one.
const DEFAULT_TARGET: &str = "amdgpu";

/// Opens an input that is machine IR; O(text).
///
/// # Errors
/// When it is something else, or its YAML documents are not understood.
///
/// ```
/// use reconverge::{Input, Settings, UniformityOptions, machine_uniformity, open_machine};
/// let text = "---
/// name: f
/// body: |
///   bb.0:
///     liveins: $vgpr0, $sgpr0
///     %0:vgpr_32 = COPY $vgpr0
///     %1:sgpr_32 = COPY $sgpr0
///     S_ENDPGM 0
/// ...
/// ";
/// let module = open_machine(Input::new("f.mir", text, None)?, &Settings::default())?;
/// let answer = machine_uniformity(&module, &UniformityOptions::default())?;
/// assert_eq!(answer.found.functions[0].values.divergent, ["%0"]);
/// # Ok::<(), reconverge::Error>(())
/// ```
pub fn open_machine(input: Input, settings: &Settings) -> Result<MachineModule, Error> {
    let name = input.name();
    if input.format() != Format::Mir {
        return Err(Error::new(ErrorKind::Unsupported, name, "this is no machine IR"));
    }
    let text = String::from_utf8(input.into_bytes()).map_err(|error| {
        let offset = error.utf8_error().valid_up_to();
        at(&name, &Lines::new(error.as_bytes()), ErrorKind::Encoding, offset, "this is not UTF-8")
    })?;
    let file = File::read(&text)
        .map_err(|error| at(&name, &Lines::new(text.as_bytes()), ErrorKind::Ir, error.offset, &error.message))?;
    let triple = file.triple().map(str::to_owned);
    let target = match (&settings.target, &triple) {
        (Some(target), _) => target.clone(),
        (None, Some(triple)) => Cow::Borrowed(Target::for_triple(triple.as_bytes())),
        (None, None) => Cow::Borrowed(Target::named(DEFAULT_TARGET).expect("it is built in")),
    };
    Ok(MachineModule { name, text, target, triple, control: settings.control.clone() })
}

/// That a verb does not read machine IR.
pub(crate) fn refused(name: String) -> Error {
    Error::new(
        ErrorKind::Unsupported,
        name,
        "this is machine IR (.mir), which `uniformity` and `cycles` read and other commands do not",
    )
}

/// Whether a text begins as machine IR does: with a YAML document that holds LLVM IR, or a function.
pub(crate) fn begins_like_machine_ir(content: &[u8]) -> bool {
    let lines = content.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii_end);
    let mut said = lines.take(1000).filter(|line| !line.trim_ascii_start().is_empty() && !line.starts_with(b"#"));
    match said.next() {
        Some(b"---") => said.next().is_some_and(|line| line.starts_with(b"name:")),
        Some(line) => line.strip_prefix(b"---").is_some_and(|rest| rest.trim_ascii_start().starts_with(b"|")),
        None => false,
    }
}

fn at(name: &str, lines: &Lines<'_>, kind: ErrorKind, offset: usize, message: &str) -> Error {
    let position = lines.position(offset);
    Error::new(kind, name, message).at(Position { line: position.line, column: position.column })
}

impl MachineModule {
    /// What the input is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The target that all questions are answered for.
    pub fn target(&self) -> &Target {
        &self.target
    }

    /// What is known of the machine code of the target.
    fn machine(&self) -> Option<&'static Machine> {
        Machine::find(self.target.name(), self.triple.as_deref())
    }

    /// The functions that a name may mean. O(text).
    pub fn functions_near(&self, asked: &str) -> Near {
        let asked = asked.strip_prefix('@').unwrap_or(asked);
        let documents = File::read(&self.text).map(|file| file.documents).unwrap_or_default();
        let mut near = Near::default();
        documents.iter().filter_map(|document| document.name().ok()).for_each(|name| near.consider(asked, name));
        near
    }

    /// What `work` makes of each function that is asked for, on the threads of the current `rayon` pool.
    fn each<R: Send>(
        &self,
        asked: Option<&str>,
        work: impl Fn(&Function<'_>, &Lines<'_>) -> Result<R, ReadError> + Sync,
    ) -> Result<MachineAnswer<Vec<R>>, Error> {
        let lines = Lines::new(self.text.as_bytes());
        let error = |error: ReadError| at(&self.name, &lines, ErrorKind::Ir, error.offset, &error.message);
        let file = File::read(&self.text).map_err(error)?;
        let one = |document: &Document<'_>| {
            if self.control.is_cancelled() {
                return None;
            }
            let is_meant = |name: &str| asked.is_none_or(|asked| is_called(name.as_bytes(), asked));
            if asked.is_some() && !document.name().is_ok_and(is_meant) {
                return None;
            }
            let done = document.read().and_then(|function| work(&function, &lines));
            self.control.tell(Progress::Function);
            Some(done)
        };
        let done: Vec<Option<Result<R, ReadError>>> = file.documents.par_iter().map(one).collect();
        if self.control.is_cancelled() {
            return Err(Error::cancelled(&self.name));
        }
        let mut answer = MachineAnswer { found: Vec::new(), left_out: Vec::new() };
        for result in done.into_iter().flatten() {
            match result {
                Ok(found) => answer.found.push(found),
                Err(read) => answer.left_out.push(error(read)),
            }
        }
        Ok(answer)
    }
}

/// How a function is called, with its sigil.
fn function_name(function: &Function<'_>) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '$' | '.' | '_');
    match function.name.chars().all(is_plain) {
        true => format!("@{}", function.name),
        false => format!("@\"{}\"", function.name),
    }
}
