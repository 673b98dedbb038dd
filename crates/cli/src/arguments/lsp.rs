//! The arguments of `lsp`.

use clap::Args;

/// Tell an editor what is found, as text is typed: a server of the Language Server Protocol
///
/// It talks on standard input and output, reads what the editor has not saved, and ends when the editor says so or goes away. Options hold for all
/// files; a reconverge.toml above a file holds for that file. docs/editors.md says how to set up VS Code, Neovim and Helix.
#[derive(Debug, Args)]
#[command(after_help = "Exit status: 0 ended after a `shutdown`; 1 without one.\n\n\
                  Examples:\n  reconverge lsp\n  reconverge lsp --frontend builtin --target nvptx")]
pub(crate) struct Lsp {
    /// Talk on standard input and output, as is done anyway; some editors pass this
    #[arg(long)]
    pub(crate) stdio: bool,
    /// Also report convergent attributes and convergencectrl bundles that can be dropped
    #[arg(long)]
    pub(crate) hints: bool,
}
