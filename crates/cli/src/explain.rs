//! `reconverge explain`: the pages of diagnostics.

use reconverge::{Code, severity_name};
use strsim::levenshtein;

use crate::arguments::Explain;
use crate::exit::Status;
use crate::output;
use crate::session::Session;

pub(crate) fn run(session: &mut Session<'_>, arguments: &Explain) -> anyhow::Result<Status> {
    let Some(name) = &arguments.code else {
        for &code in Code::ALL {
            session.print(&format!("{} {:7} {}\n", code.name(), severity_name(code.severity()), code.title()))?;
        }
        return Ok(Status::Clean);
    };
    match Code::from_name(name) {
        Some(code) => {
            session.print(&format!("{}\n", code.page().trim_end()))?;
            Ok(Status::Clean)
        }
        None => {
            let near = nearest(name);
            let hint = if near.is_empty() {
                "`reconverge explain` lists all codes".to_owned()
            } else {
                format!("did you mean {}?", near.join(" or "))
            };
            output::complain(&format!("there is no diagnostic {name}; {hint}"));
            Ok(Status::Unusable)
        }
    }
}

/// The codes that differ least from `name`, when they differ little.
fn nearest(name: &str) -> Vec<&'static str> {
    let name = name.to_ascii_uppercase();
    let distances: Vec<(usize, &str)> =
        Code::ALL.iter().map(|code| (levenshtein(&name, code.name()), code.name())).collect();
    let least = distances.iter().map(|&(distance, _)| distance).min().unwrap_or(usize::MAX);
    if least > 2 {
        return Vec::new();
    }
    distances.iter().filter(|&&(distance, _)| distance == least).map(|&(_, code)| code).take(3).collect()
}
