//! Scripts that tell `llvm-reduce` whether a smaller module still shows what was found.
//!
//! **Definition.** A module is interesting iff the same command finds the same in it: for `bisect`, that the same pass is the first offending one; for `validate`, that the
//! change, which is a command, still makes a program that differs. In both, the findings have the same code. Options for launches are those of the command line; what was made
//! up is made up again from the same seed, because parameters may be gone.

use std::path::Path;

use reconverge_findings::Finding;

use crate::arguments::Compared;
use crate::comparing;
use crate::output;
use reconverge::launches::{file, quoted};

/// What has to be found again.
pub(crate) struct Sought<'a> {
    /// What the comment of the script says is interesting.
    pub(crate) what: String,
    /// Lines of the JSON.
    pub(crate) expected: Vec<String>,
    /// The findings, of which the first one's code has to be found again.
    pub(crate) findings: &'a [Finding],
}

/// Writes the script for a command, which has `"$1"` for the module and `"$folder"` for a folder of its own.
pub(crate) fn write(path: &Path, command: &str, sought: &Sought<'_>) -> anyhow::Result<()> {
    let program = std::env::current_exe().map_or_else(|_| "reconverge".to_owned(), |path| path.display().to_string());
    let mut expected = sought.expected.clone();
    expected.extend(sought.findings.first().map(|finding| format!("\"code\": \"{}\"", finding.code.name())));
    let tests: String =
        expected.iter().map(|line| format!("grep -qF {} \"$folder/answer.json\" || exit 1\n", quoted(line))).collect();
    let script = format!(
        "#!/bin/sh\n\
         # Interesting: {}.\n\
         # Use: llvm-reduce --test={} MODULE.ll\n\
         set -u\n\
         reconverge=${{RECONVERGE:-{}}}\n\
         folder=$(mktemp -d) || exit 1\n\
         trap 'rm -rf \"$folder\"' EXIT\n\
         {command} >\"$folder/answer.json\" 2>/dev/null\n\
         [ $? -eq 1 ] || exit 1\n\
         {tests}exit 0\n",
        sought.what.replace(char::is_control, " "),
        script(path),
        quoted(&program)
    );
    output::write_whole(path, script.as_bytes())?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(path)?.permissions().mode();
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode | 0o111))?;
    }
    Ok(())
}

/// The path of a script as a word for a shell, that is no name of a command.
pub(crate) fn script(path: &Path) -> String {
    match path.components().count() {
        1 => file(&format!("./{}", path.display())),
        _ => file(&path.display().to_string()),
    }
}

/// The options of a comparison, as they were given; one launch that differs is enough.
pub(crate) fn options(compared: &Compared, runs: u64) -> String {
    let mut words: Vec<String> = ["--format", "json", "--no-minimise", "--runs"].map(str::to_owned).to_vec();
    words.push(runs.to_string());
    words.extend(["--seed".to_owned(), compared.seed.to_string()]);
    words.extend(["--max-instructions".to_owned(), compared.max_instructions.to_string()]);
    words.extend(comparing::words(compared));
    words.join(" ")
}
