//! What the live page asks, and the answer.
//!
//! **Invariant.** An answer is a function of the question and of what the settings have: nothing of one question is there when the next one is answered.

use std::str::FromStr;

use reconverge::{
    Error, ErrorKind, Format, Input, Module, NamedBy, Pass, Reading, Report, ReportOptions, SOURCE_MODELS, Settings,
    SourceModel, SourceSettings, Target, ValidateOptions, extent, find_target, report, source_model_name,
};
use serde::{Deserialize, Serialize};

use crate::examples::{Example, examples};

/// What the live page starts with.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct Live {
    /// Who answers.
    pub transport: Transport,
    /// The program that is shown first.
    pub question: Question,
    /// Whether that is a file, which is watched.
    pub watched: bool,
    /// What the menu has.
    pub examples: Vec<Example>,
    /// The targets.
    pub targets: Vec<&'static str>,
    /// The texts that define convergence of source, the default one first.
    pub models: Vec<&'static str>,
    /// The passes.
    pub passes: Vec<&'static str>,
}

/// Who answers the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Transport {
    /// `reconverge serve`.
    Server,
    /// A worker of the browser, with the library in WebAssembly.
    Worker,
}

impl Live {
    /// With a program to show first; the first example, where there is none.
    pub fn new(transport: Transport, question: Option<Question>) -> Live {
        let examples = examples();
        let watched = question.is_some();
        let question = question.unwrap_or_else(|| examples[0].question.clone());
        let models = SOURCE_MODELS.map(source_model_name).to_vec();
        let (targets, passes) = (Target::names().collect(), Pass::NAMED.map(|(name, _)| name).to_vec());
        Live { transport, question, watched, examples, targets, models, passes }
    }
}

/// What languages are called in questions: as `--input-format` has them.
const LANGUAGES: [(&str, Format); 5] =
    [("cuda", Format::Cuda), ("hip", Format::Hip), ("cl", Format::Cl), ("c++", Format::Cxx), ("ll", Format::Ll)];

/// A program, and what is to be known of it. An empty text says nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Question {
    /// What the program is called.
    pub name: String,
    /// Its language: `cuda`, `hip`, `cl`, `c++` or `ll`.
    pub language: String,
    /// The program.
    pub text: String,
    /// The target.
    pub target: String,
    /// The text that defines convergence, of source.
    pub model: String,
    /// Passes that are run over its IR first, as [`Pass::pipeline`] has them.
    pub passes: String,
    /// The kernel whose run is shown.
    pub kernel: String,
    /// How many workgroups there are: `X[,Y[,Z]]`.
    pub grid: String,
    /// How many threads a workgroup has: `X[,Y[,Z]]`.
    pub block: String,
    /// How many threads a subgroup has.
    pub subgroup: String,
    /// What parameters get, as `NAME=VALUE`.
    pub arguments: Vec<String>,
}

impl Question {
    /// What a format is called in questions.
    pub fn language_of(format: Format) -> &'static str {
        LANGUAGES.iter().find(|(_, known)| *known == format).map_or("", |(name, _)| name)
    }
}

/// An answer to the page, or why there is none.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    /// What is known of the program.
    Report(Box<Report>),
    /// The page of a report.
    Page(String),
    /// What is wrong with the program, or with what is asked of it.
    Error(Error),
}

fn said(text: &str) -> Option<&str> {
    Some(text.trim()).filter(|text| !text.is_empty())
}

/// Something of the question that means nothing.
fn wrong(what: &str, text: &str, expected: &str) -> Error {
    Error::new(ErrorKind::Options, "", format!("{what} `{text}`: {expected}"))
}

/// The report that answers a question. `launch` has what holds for every launch.
///
/// # Errors
/// When the program cannot be read, or what is asked of it means nothing.
///
/// ```
/// use reconverge::{Settings, ValidateOptions};
/// use reconverge_page::{Question, answer};
/// let text = "__global__ void k(int *a) { if (threadIdx.x < 7) __syncthreads(); }";
/// let question = Question { name: "k.cu".into(), language: "cuda".into(), text: text.into(), ..Question::default() };
/// let report = answer(&question, &Settings::default(), &ValidateOptions::default())?;
/// assert_eq!(report.check.diagnostics[0].code, "RC0209");
/// # Ok::<(), reconverge::Error>(())
/// ```
pub fn answer(question: &Question, settings: &Settings, launch: &ValidateOptions) -> Result<Report, Error> {
    answered(question, settings, launch, false)
}

/// The report of the page that can be downloaded: of source, it has the runs by all texts that define convergence, as that of `report` has.
///
/// # Errors
/// As [`answer`].
pub fn whole_answer(question: &Question, settings: &Settings, launch: &ValidateOptions) -> Result<Report, Error> {
    answered(question, settings, launch, true)
}

fn answered(
    question: &Question,
    settings: &Settings,
    launch: &ValidateOptions,
    has_all_texts: bool,
) -> Result<Report, Error> {
    let format = said(&question.language).map(|language| {
        let known = LANGUAGES.iter().find(|(name, _)| *name == language);
        known.map(|(_, format)| *format).ok_or_else(|| wrong("language", language, "expected cuda, hip, cl, c++ or ll"))
    });
    let model = said(&question.model).map(|model| {
        let known = SOURCE_MODELS.into_iter().find(|&known| source_model_name(known) == model);
        known.ok_or_else(|| wrong("model", model, "expected clang-2025-04, clang-2025-08 or tangles-2024-10"))
    });
    let model = model.transpose()?.unwrap_or_default();
    let pipeline = said(&question.passes).map(|text| Pass::pipeline(text).map_err(|why| wrong("passes", text, &why)));
    let passes = pipeline.transpose()?.unwrap_or_default();
    let mut settings = settings.clone();
    if let Some(target) = said(&question.target) {
        // A name, not a file: a link is no reason to read one.
        let known = Target::names().find(|name| *name == target);
        let known = known.ok_or_else(|| wrong("target", target, "there is no such target"))?;
        settings.target = Some(find_target(known, NamedBy::Input, &settings)?);
    }
    let sizes =
        |what, text| said(text).map(|text| extent(text).map_err(|expected| wrong(what, text, &expected))).transpose();
    let subgroup = said(&question.subgroup).map(|text| {
        let size = u32::from_str(text).ok().filter(|size| (1..=64).contains(size));
        size.ok_or_else(|| wrong("subgroup", text, "expected a number from 1 to 64"))
    });
    let launch = ValidateOptions {
        kernel: said(&question.kernel).map(str::to_owned),
        grid: sizes("grid", &question.grid)?,
        block: sizes("block", &question.block)?,
        subgroup: subgroup.transpose()?,
        arguments: question.arguments.clone(),
        ..launch.clone()
    };
    let name = if question.name.is_empty() { "kernel" } else { &question.name };
    let input = Input::new(name, question.text.as_bytes(), format.transpose()?)?;
    let is_changed = !passes.is_empty();
    if is_changed && input.dialect().is_some() && model != SourceModel::default() {
        let expected = format!("they change tokens, which `{}` has none of", source_model_name(model));
        return Err(wrong("passes", question.passes.trim(), &expected));
    }
    let read = |model| reconverge::open_after(input.clone(), &passes, &by_text(model, &settings));
    let module = read(model)?;
    let is_wanted = |&other: &SourceModel| has_all_texts && !is_changed && other != model && module.source().is_some();
    let others: Vec<Module> =
        SOURCE_MODELS.into_iter().filter(is_wanted).filter_map(|other| read(other).ok()).collect();
    report(&module, &ReportOptions { launch, readings: others.iter().collect(), ..ReportOptions::default() })
}

/// The settings that have source read, and run, by the rules of a text.
fn by_text(model: SourceModel, settings: &Settings) -> Settings {
    let has_tokens = model == SourceModel::Clang2025_04;
    let source = SourceSettings {
        model,
        reading: Reading::Kernels,
        tokens: has_tokens,
        markers: !has_tokens,
        statements: !has_tokens,
        origins: true,
        ..settings.source.clone()
    };
    Settings { source, ..settings.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(change: impl Fn(&mut Question)) -> Result<Report, Error> {
        let mut question = examples()[0].question.clone();
        change(&mut question);
        answer(&question, &Settings::default(), &ValidateOptions::default())
    }

    #[test]
    fn what_is_asked_is_what_is_answered() {
        let report = asked(|question| {
            question.model = "tangles-2024-10".to_owned();
            question.target = "amdgpu".to_owned();
            question.block = " 8 ".to_owned();
            question.subgroup = "4".to_owned();
        })
        .expect("it is answered");
        assert_eq!(report.target, "amdgpu");
        let first = &report.time.all[0];
        assert_eq!(first.model, "tangles-2024-10");
        assert!(first.command.contains("--block 8") && first.command.contains("--subgroup 4"), "{}", first.command);
    }

    #[test]
    fn passes_change_what_is_shown_and_not_where_it_is() {
        let text = "kernel void k(global int *a) {\n  for (int i = 0; i < 4; i++)\n    a[i] = get_local_id(0);\n}\n";
        let of = |passes: &str| {
            asked(|question| {
                question.name = "k.cl".to_owned();
                question.language = "cl".to_owned();
                question.text = text.to_owned();
                question.passes = passes.to_owned();
            })
            .expect("it is answered")
        };
        let (before, after) = (of(""), of("unroll=4,keep-tests"));
        assert!(before.passes.is_empty());
        assert_eq!((after.passes[0].pass.as_str(), after.passes[0].functions), ("unroll=4,keep-tests", 1));
        let stores = |report: &Report| {
            let is_store =
                |line: &&reconverge::ReportLine| line.text.contains("store i32") && line.source == Some((0, 3));
            report.ir.iter().filter(is_store).count()
        };
        assert_eq!((stores(&before), stores(&after)), (1, 4));
        let sets = |report: &Report| report.files[0].lines.iter().map(|line| line.uniform_in).collect::<Vec<_>>();
        assert_eq!(sets(&before)[2], Some("divergent"));
        assert_eq!(sets(&after)[2], Some("divergent"));
    }

    #[test]
    fn what_means_nothing_is_refused() {
        type Change = fn(&mut Question);
        let refusals: [(&str, Change); 8] = [
            ("language `pascal`", |question| question.language = "pascal".to_owned()),
            ("model `newest`", |question| question.model = "newest".to_owned()),
            ("target `/etc/passwd`", |question| question.target = "/etc/passwd".to_owned()),
            ("grid `0`", |question| question.grid = "0".to_owned()),
            ("subgroup `65`", |question| question.subgroup = "65".to_owned()),
            ("did you mean `unroll`", |question| question.passes = "unrol=2".to_owned()),
            ("passes `inline`: they change tokens", |question| {
                question.passes = "inline".to_owned();
                question.model = "clang-2025-08".to_owned();
            }),
            ("`missing`", |question| question.kernel = "missing".to_owned()),
        ];
        for (expected, change) in refusals {
            let error = asked(change).expect_err(expected);
            assert!(error.message.contains(expected), "{expected}: {error}");
        }
    }

    #[test]
    fn what_is_wrong_with_the_program_has_its_place() {
        let line = |error: &Error| error.position.map(|position| position.line);
        let broken = |text: &str, language: &str| {
            asked(|question| {
                question.text = text.to_owned();
                question.language = language.to_owned();
            })
        };
        let report = broken("__global__ void k(int *a) {\n  a[0] = 1 + ;\n}\n", "cuda").expect("the rest is analysed");
        assert_eq!(report.not_understood.first().and_then(line), Some(2), "{:?}", report.not_understood);
        let error = broken("kernel void k() {\n  int = ;\n}\n", "cl").expect_err("it is no program");
        assert_eq!(line(&error), Some(2), "{error}");
    }
}
