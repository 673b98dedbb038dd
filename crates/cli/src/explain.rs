//! `reconverge explain`: the pages of diagnostics.

use reconverge::{Code, severity_name};

use crate::arguments::Explain;
use crate::exit::Status;
use crate::near;
use crate::session::Session;

pub(crate) fn run(session: &mut Session<'_>, arguments: &Explain) -> anyhow::Result<Status> {
    let Some(name) = &arguments.code else {
        for &code in Code::ALL {
            session.print(&format!("{} {:7} {}\n", code.name(), severity_name(code.severity()), code.title()))?;
        }
        return Ok(Status::Clean);
    };
    let code = near::code(name).map_err(anyhow::Error::msg)?;
    session.print(&format!("{}\n", code.page().trim_end()))?;
    Ok(Status::Clean)
}
