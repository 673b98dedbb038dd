//! IR that was read, in the words of the source that its debug information names.
//!
//! **Definition.** A *unit* is a file that a compiler made IR of. A name of a file means the regular file of that name; where there is none, the one that lies beside the IR by
//! the longest end of the name ([`SourceFiles`]). A function is *known* iff its file is found, has the name of the function in the line where that is declared, and those of at least half of its
//! variables likewise. What an instruction of a known function is, our own front end says where it reads the unit (`compiled`), and its debug information else.
//!
//! Nothing is read before a finding is to be told. A function that is not known is spoken of as IR: so a file of another version, or of another program, says nothing.
//!
//! It can be wrong where a file was changed in a way that leaves names in their lines.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use reconverge_findings::Scene;
use reconverge_ir::debug::CompileUnit;
use reconverge_ir::origin::{FunctionOrigins, Origin, Origins, What};
use reconverge_ir::{BodyEnds, Module as Index};
use reconverge_lang::builtins::mangle::BODY_OF_KERNEL;
use reconverge_lang::options::{Dialect, Reading};
use rustc_hash::FxHashMap;

use super::{SourceFiles, SourceWords, Translated, compiled};
use crate::{Input, Module, Settings, SourceSettings};

/// So many units of one module are read by our front end. A linked program may have thousands; the others have what debug information says.
const MOST_UNITS: usize = 16;

/// The words of IR, once somebody asks for them.
#[derive(Debug)]
pub(crate) struct Debugged {
    settings: Box<SourceSettings>,
    words: OnceLock<Option<SourceWords>>,
}

impl Debugged {
    /// Of IR whose units are read with these settings.
    pub(crate) fn new(settings: &SourceSettings) -> Debugged {
        Debugged { settings: Box::new(settings.clone()), words: OnceLock::new() }
    }

    /// The words; none where there is no debug information. The first time O(text of the module and of its units).
    pub(crate) fn words(&self, module: &Module) -> Option<&SourceWords> {
        self.words.get_or_init(|| read(module, &self.settings)).as_ref()
    }
}

fn read(module: &Module, settings: &SourceSettings) -> Option<SourceWords> {
    memchr::memmem::find(module.ir(), b"!DICompileUnit(")?;
    let index = Index::read(module.ir(), BodyEnds::ByBrackets).ok()?;
    let units = index.compile_units();
    let triple = String::from_utf8_lossy(&index.target_triple()).into_owned();
    let language = units.first().map_or(Dialect::Cpp, |unit| language(unit, &triple));
    let beside = Path::new(module.name()).parent().unwrap_or(Path::new(""));
    let files = SourceFiles::of_ir(beside, language, module.limits.input_bytes, Arc::clone(&module.files));
    let settings = Settings {
        target: Some(std::borrow::Cow::Owned(module.target().clone())),
        source: SourceSettings { reading: Reading::Parts, ..settings.clone() },
        limits: module.limits,
        files: Arc::clone(&module.files),
        control: module.control.clone(),
        threads: module.threads,
    };
    let names: BTreeSet<&str> = units.iter().map(|unit| unit.file.as_str()).take(MOST_UNITS).collect();
    let mut origins: Option<Origins> = None;
    let mut parameters = FxHashMap::default();
    for unit in names.into_iter().filter_map(|name| unit(&files, name, &settings)) {
        parameters.extend(unit.parameters());
        match &mut origins {
            Some(origins) => origins.append(unit.origins()),
            None => origins = Some(unit.origins()),
        }
    }
    let origins = origins.map(|origins| compiled::matched_in(&index, origins, &files));
    let known = KnownFunctions { known: Mutex::default(), parameters };
    Some(SourceWords::of_ir(files, origins, known))
}

/// What the language of a unit is called: its name and its target say it together.
fn language(unit: &CompileUnit, triple: &str) -> Dialect {
    let extension = Path::new(&unit.file).extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    match (extension, triple.split('-').next().unwrap_or_default()) {
        _ if unit.language == "DW_LANG_OpenCL" => Dialect::OpenCl,
        ("cl", _) => Dialect::OpenCl,
        ("hip", _) => Dialect::Hip,
        ("cu", "amdgcn") => Dialect::Hip,
        ("cu", _) => Dialect::Cuda,
        _ => Dialect::Cpp,
    }
}

/// A unit, read by our front end.
fn unit(files: &SourceFiles, name: &str, settings: &Settings) -> Option<Translated> {
    let (path, text) = files.found(name)?;
    let input = Input::new(path, text.to_vec(), None).ok().filter(|input| input.dialect().is_some())?;
    Translated::new(input, settings).ok()
}

/// The functions of a module.
#[derive(Debug)]
pub(super) struct KnownFunctions {
    /// Whether they are known, by where their headers are in its text.
    known: Mutex<FxHashMap<u32, bool>>,
    /// The names of their parameters in the units, by their names in IR.
    parameters: FxHashMap<String, Vec<String>>,
}

impl KnownFunctions {
    /// Whether a function is known.
    pub(super) fn has(&self, scene: &Scene<'_, '_>, files: &SourceFiles) -> bool {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let header = scene.module.functions[scene.id].header.start;
        *known.entry(header).or_insert_with(|| {
            let declared = FunctionOrigins::new(scene.module, scene.id, scene.function, None).declarations();
            let Some((function, variables)) = declared.split_first() else { return false };
            let fitting = variables.iter().filter(|variable| is_there(files, variable)).count();
            matches!(function.what, What::Function(_)) && is_there(files, function) && 2 * fitting >= variables.len()
        })
    }

    /// The name of a parameter, where the compiler has made one of each that is written.
    pub(super) fn parameter(&self, scene: &Scene<'_, '_>, index: usize) -> Option<&str> {
        let symbol = scene.module.symbol_name(scene.module.functions[scene.id].symbol);
        let symbol = str::from_utf8(&symbol).ok()?;
        let names = self.parameters.get(symbol.strip_prefix(BODY_OF_KERNEL).unwrap_or(symbol))?;
        let name = names.get(index).filter(|name| !name.is_empty())?;
        (names.len() == scene.function.parameters.len()).then_some(name)
    }
}

/// Whether the line in which something is declared has its name.
fn is_there(files: &SourceFiles, declared: &Origin) -> bool {
    let (What::Variable(name) | What::Function(name), Some((line, _))) = (&declared.what, declared.place.line()) else {
        return false;
    };
    let Some(text) = files.line(&declared.place.file.path.display().to_string(), line as usize) else { return false };
    let name = name.strip_prefix(BODY_OF_KERNEL).unwrap_or(name);
    let is_of_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    // Without the arguments of templates, or what an operator is.
    let word = name.trim_start_matches('~').split(|letter| !is_of_word(letter)).next().unwrap_or_default();
    let is_word = |at: usize| {
        let (before, after) = (&text[..at], &text[at + word.len()..]);
        !before.ends_with(is_of_word) && !after.starts_with(is_of_word)
    };
    let is_lambda = name.starts_with("operator()") && text.contains('[');
    is_lambda || !word.is_empty() && text.match_indices(word).any(|(at, _)| is_word(at))
}

#[cfg(test)]
mod tests {
    use reconverge_files::InMemory;
    use reconverge_ir::origin::{Extent, Place, SourceFile};

    use super::*;

    #[test]
    fn names_are_looked_for_as_words() {
        let text = "void f(int n) {\n  auto g = [](int i) { return i; };\n  T operator+(T a);\n";
        let system = Arc::new(InMemory::new([("here/k.cu", text)]));
        let files = SourceFiles::of_ir(Path::new("here"), Dialect::Cuda, 1000, system);
        let declared = |what, line| {
            let file = Arc::new(SourceFile::new("/elsewhere/k.cu", None));
            Origin { what, place: Place { file, extent: Extent::Line { line, column: 0 } }, inlined_at: Vec::new() }
        };
        let function = |name: &str, line| is_there(&files, &declared(What::Function(name.into()), line));
        assert!(function("f", 1) && function("f<int>", 1) && function("operator()", 2) && function("operator+", 3));
        assert!(!function("f", 2) && !function("f", 9) && !function("operator()", 1) && !function("nt", 1));
        assert!(is_there(&files, &declared(What::Variable("n".into()), 1)));
    }
}
