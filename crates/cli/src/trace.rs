//! `reconverge trace`: the table of dynamic instances of threads that take given paths.

mod hierarchies;
mod names;
mod paths;
mod report;
mod source;

use anyhow::{Context, bail};
use reconverge_analysis::lower::lower;
use reconverge_analysis::skeleton::skeleton;
use reconverge_graph::{CycleForest, Node, PostDominators};
use reconverge_ir::{Function, FunctionId, Module};
use reconverge_lang::translate::Translation;
use reconverge_semantics::{self as semantics, AnchorPolicy, Skeleton, StaticInstance};
use reconverge_valid::read_functions;
use serde::Serialize;

use crate::arguments::{Model, SourceModel, TableFormat, Trace, TraceAnchor};
use crate::exit::Status;
use crate::input::Problem;
use crate::lines::Lines;
use crate::session::{self, Session};
use crate::source::Wanted;
use hierarchies::{Hierarchies, HierarchyReport, PairsReport};
use names::{InstanceNames, Names};
use report::ModelReport;
use source::SourceReport;

/// The answer, in the format that was asked for.
enum Answer {
    /// Text or Markdown.
    Text(String),
    One(Traced<ModelReport>),
    All(Traced<AllModels<ModelReport>>),
    Pairs(Traced<PairsReport>),
    Source(Traced<SourceReport>),
    AllOfSource(Traced<AllModels<SourceReport>>),
}

#[derive(Serialize)]
struct Traced<T> {
    function: String,
    line: usize,
    #[serde(flatten)]
    answer: T,
}

#[derive(Serialize)]
struct AllModels<R> {
    model: &'static str,
    models: Vec<R>,
}

/// What is asked about.
struct Subject<'a> {
    names: Names<'a>,
    skeleton: &'a Skeleton,
    paths: &'a [Vec<Node>],
    instance_names: InstanceNames,
}

pub(crate) fn run(session: &mut Session<'_>, arguments: &Trace) -> anyhow::Result<Status> {
    let mut status = Status::Clean;
    let mut found = Vec::new();
    for candidate in session.candidates(&arguments.inputs) {
        let name = candidate.name();
        let without_tokens = matches!(arguments.model, Some(Model::Maximal | Model::Ipdom));
        let wanted = Wanted { without_tokens, translation: true, ..Wanted::default() };
        let result = session.with_content(&candidate, &arguments.inputs, wanted, |content| {
            let translation = content.source().and_then(|source| source.statements.as_ref());
            if let (Some(texts), Some(translation)) = (texts(arguments, &name, content)?, translation) {
                return Ok(answer_of_source(arguments, &name, translation, &texts).transpose());
            }
            let text = content.ir();
            let (module, functions) = read_functions(text, |module, id, function| {
                session::is_asked_for(&arguments.function, module, id).then(|| (id, function.clone()))
            })
            .map_err(|error| reconverge::Error::not_ir(&name, text, &error))?;
            let lines = Lines::new(text);
            let function = functions.into_iter().flatten().next();
            Ok(function.map(|(id, function)| answer(arguments, &name, &lines, &module, id, &function)))
        });
        match result {
            Ok(answer) => found.extend(answer),
            Err(_) => status = Status::Unusable,
        }
    }
    let (answer, sound) = match (found.pop(), found.len()) {
        (Some(answer), 0) => answer?,
        (None, _) => {
            if status == Status::Clean {
                session::complain_missing(session, &arguments.function, &arguments.inputs);
            }
            return Ok(Status::Unusable);
        }
        _ => bail!("several inputs have a function @{}: name one of them", arguments.function.trim_start_matches('@')),
    };
    match answer {
        Answer::Text(text) => session.print(&text)?,
        Answer::One(report) => session.print_json(&report)?,
        Answer::All(report) => session.print_json(&report)?,
        Answer::Pairs(report) => session.print_json(&report)?,
        Answer::Source(report) => session.print_json(&report)?,
        Answer::AllOfSource(report) => session.print_json(&report)?,
    }
    Ok(status.max(if sound { Status::Clean } else { Status::Findings }))
}

/// The texts to ask about an input; none where the graph of its IR is to be asked.
fn texts(arguments: &Trace, path: &str, content: &reconverge::Module) -> Result<Option<Vec<SourceModel>>, Problem> {
    use Model::{Clang2025_04, Clang2025_08, Tangles2024_10};
    match (content.source(), arguments.model) {
        (Some(_), model) => Ok(source::texts(model)),
        (None, Some(Clang2025_04 | Tangles2024_10 | Clang2025_08)) => {
            Err(Problem::new(path, "this is IR; expected --model controlled, maximal, ipdom or all"))
        }
        (None, _) => Ok(None),
    }
}

/// The answer of texts that define convergence at the source; none where the source has no such function.
fn answer_of_source(
    arguments: &Trace,
    path: &str,
    translation: &Translation,
    texts: &[SourceModel],
) -> anyhow::Result<Option<(Answer, bool)>> {
    let Some((function, line, mut reports)) = source::reports(arguments, translation, texts)? else { return Ok(None) };
    let answer = match (arguments.format, arguments.model) {
        (TableFormat::Json, Some(Model::All)) => {
            Answer::AllOfSource(Traced { function, line, answer: AllModels { model: "all", models: reports } })
        }
        (TableFormat::Json, _) => Answer::Source(Traced { function, line, answer: reports.remove(0) }),
        (format, _) => {
            let place = format!("{function} ({path}:{line})");
            Answer::Text(reports.iter().map(|report| report.describe(&place, format)).collect())
        }
    };
    Ok(Some((answer, true)))
}

/// The answer, and whether the keys have an order.
fn answer(
    arguments: &Trace,
    path: &str,
    lines: &Lines<'_>,
    module: &Module<'_>,
    id: FunctionId,
    function: &Function,
) -> anyhow::Result<(Answer, bool)> {
    let lowered = lower(module, id, function);
    let skeleton = skeleton(&lowered.flow);
    let names = Names::new(lines, module, function, &lowered);
    let threads = paths::parse(&arguments.paths, &names, &skeleton.graph, arguments.partial)
        .with_context(|| format!("@{}", arguments.function.trim_start_matches('@')))?;
    let instance_names = InstanceNames::new(&names, &skeleton, &threads);
    let subject = Subject { names, skeleton: &skeleton, paths: &threads, instance_names };

    let line = lines.position(module.functions[id].header.range().start).line;
    let function = module.function_name(id);
    let default = if skeleton.has_tokens() { Model::Controlled } else { Model::Maximal };
    let model = arguments.model.unwrap_or(default);
    let hierarchies = Hierarchies::find(&skeleton.graph, arguments.max_hierarchies as usize);
    let place = format!("{function} ({path}:{line})");
    if arguments.all_hierarchies {
        let report = PairsReport::new(&subject, &hierarchies, |forest| match model {
            Model::Maximal => Ok(semantics::Model::Maximal(forest)),
            Model::Controlled => Ok(semantics::Model::Controlled(forest, policy(arguments.anchor))),
            _ => bail!("--all-hierarchies takes --model maximal or controlled"),
        })?;
        return Ok(match arguments.format {
            TableFormat::Json => (Answer::Pairs(Traced { function, line, answer: report }), true),
            format => (Answer::Text(report.describe(&place, &subject.names, &hierarchies, format)), true),
        });
    }
    if model == Model::Ipdom && arguments.hierarchy.is_some() {
        bail!("--model ipdom does not depend on cycle hierarchies, and so not on --hierarchy");
    }
    let chosen = hierarchies.choose(arguments.hierarchy)?;
    let models = match model {
        Model::All => vec![Model::Maximal, Model::Controlled, Model::Ipdom],
        one => vec![one],
    };
    let mut reports: Vec<ModelReport> =
        models.into_iter().map(|model| report(&subject, arguments, model, &hierarchies, chosen)).collect();
    let is_sound = reports.iter().all(|report| report.contradiction.is_none());
    let answer = match (arguments.format, model) {
        (TableFormat::Json, Model::All) => {
            Answer::All(Traced { function, line, answer: AllModels { model: "all", models: reports } })
        }
        (TableFormat::Json, _) => Answer::One(Traced { function, line, answer: reports.remove(0) }),
        (format, _) => Answer::Text(reports.iter().map(|report| report.describe(&place, format)).collect()),
    };
    Ok((answer, is_sound))
}

fn report(
    subject: &Subject<'_>,
    arguments: &Trace,
    model: Model,
    hierarchies: &Hierarchies,
    chosen: hierarchies::Chosen<'_>,
) -> ModelReport {
    let forest: &CycleForest = chosen.forest;
    let hierarchy = HierarchyReport::new(&subject.names, hierarchies, chosen);
    match model {
        Model::Ipdom => {
            let post_dominators = PostDominators::compute(&subject.skeleton.graph);
            let model = semantics::Model::ImmediatePostDominator(&post_dominators);
            ModelReport::new(subject, "ipdom", "reconvergence at immediate post-dominators", model, None)
        }
        Model::Controlled => {
            let title = match arguments.anchor {
                TraceAnchor::Maximal => "controlled convergence",
                TraceAnchor::Solo => "controlled convergence, anchors solo",
            };
            let model = semantics::Model::Controlled(forest, policy(arguments.anchor));
            ModelReport::new(subject, "controlled", title, model, Some(hierarchy))
        }
        _ => {
            let model = semantics::Model::Maximal(forest);
            ModelReport::new(subject, "maximal", "maximal convergence", model, Some(hierarchy))
        }
    }
}

fn policy(anchor: TraceAnchor) -> AnchorPolicy {
    match anchor {
        TraceAnchor::Maximal => AnchorPolicy::Maximal,
        TraceAnchor::Solo => AnchorPolicy::Solo,
    }
}

/// Whether it is shown: a block, or an operation that has to do with tokens. What holds for other operations holds for their block.
fn is_shown(skeleton: &Skeleton, instance: StaticInstance) -> bool {
    skeleton
        .operation(instance)
        .is_none_or(|operation| skeleton.operations[operation as usize].kind != semantics::OperationKind::Plain)
}
