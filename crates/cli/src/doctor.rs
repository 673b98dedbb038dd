//! `reconverge doctor`: what is installed that Reconverge can use, and what it is good for. Nothing of it is needed.

use std::env;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::VERSION;
use crate::arguments::Doctor;
use crate::bisect;
use crate::exit::Status;
use crate::session::Session;

/// Something that may be installed.
struct Tool {
    name: &'static str,
    /// Where it is and which version; or what is missing.
    found: Result<String, String>,
    use_of_it: &'static str,
}

pub(crate) fn run(session: &Session<'_>, arguments: &Doctor) -> anyhow::Result<Status> {
    let clang = session.clang().map(|clang| described(&clang.path, &clang.version)).map_err(str::to_owned);
    let opt = bisect::find_opt(arguments.opt.as_deref(), session.tool_bounds());
    let tools = [
        Tool { name: "clang", found: clang, use_of_it: "reads source that the built-in front end does not understand" },
        Tool {
            name: "opt",
            found: opt.map(|opt| described(&opt.path, &opt.version)),
            use_of_it: "runs the passes that `reconverge bisect` compares",
        },
        Tool {
            name: "CUDA",
            found: sdk(&["CUDA_PATH", "CUDA_HOME"], "/usr/local/cuda", "include/cuda_runtime.h"),
            use_of_it: "its headers, for clang only: reconverge check kernel.cu -- --cuda-path=FOLDER",
        },
        Tool {
            name: "ROCm",
            found: sdk(&["ROCM_PATH", "HIP_PATH"], "/opt/rocm", "include/hip/hip_runtime.h"),
            use_of_it: "its headers, for clang only: reconverge check kernel.hip -- --rocm-path=FOLDER",
        },
    ];
    let mut text = format!("reconverge {}\nNothing below is needed to check, run or translate programs.\n\n", VERSION);
    for Tool { name, found, use_of_it } in tools {
        let found = found.unwrap_or_else(|missing| format!("not found: {missing}"));
        let _ = writeln!(text, "{name:6} {found}\n       {use_of_it}");
    }
    session.print(&text)?;
    Ok(Status::Clean)
}

fn described(path: &Path, version: &str) -> String {
    format!("{} ({version})", on_path(path).display())
}

/// Where a command is that is named without a folder.
fn on_path(command: &Path) -> PathBuf {
    let folders = env::var_os("PATH").filter(|_| command.components().count() == 1).unwrap_or_default();
    let found = env::split_paths(&folders).map(|folder| folder.join(command)).find(|path| path.is_file());
    found.unwrap_or_else(|| command.to_owned())
}

/// The folder of an SDK, which a variable of the environment may name: one with this header.
fn sdk(variables: &[&str], usual: &str, header: &str) -> Result<String, String> {
    let named = variables.iter().filter_map(env::var_os).map(PathBuf::from);
    let folder = named.chain([PathBuf::from(usual)]).find(|folder| folder.join(header).is_file());
    folder
        .map(|folder| folder.display().to_string())
        .ok_or_else(|| format!("neither {} nor {usual} is a folder with {header}", variables.join(", ")))
}
