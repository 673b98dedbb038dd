//! `reconverge man` and `reconverge completions`: what a package installs beside the command, made from the grammar of the command line.

use std::path::Path;

use anyhow::Context;
use clap::{Command, CommandFactory};
use clap_mangen::Man;

use crate::arguments::{Arguments, Completions, Manual};
use crate::exit::Status;
use crate::output;
use crate::session::{Session, counted};

/// Prints the page of the command as a whole, or writes all pages.
pub(crate) fn pages(session: &Session<'_>, arguments: &Manual) -> anyhow::Result<Status> {
    let mut command = Arguments::command();
    // This gives commands their full names, `reconverge-check`.
    command.build();
    match &arguments.output {
        None => session.print_as_it_is(&page(&command)?)?,
        Some(folder) => {
            std::fs::create_dir_all(folder).with_context(|| format!("{} cannot be made", folder.display()))?;
            let commands = command.get_subcommands().filter(|verb| verb.get_name() != "help");
            let commands: Vec<&Command> = std::iter::once(&command).chain(commands).collect();
            commands.iter().try_for_each(|command| write(command, folder))?;
            session.note(&format!("{} written to {}", counted(commands.len(), "page"), folder.display()));
        }
    }
    Ok(Status::Clean)
}

fn write(command: &Command, folder: &Path) -> anyhow::Result<()> {
    let name = command.get_display_name().unwrap_or(command.get_name());
    output::write_whole(&folder.join(format!("{name}.1")), &page(command)?)
}

fn page(command: &Command) -> std::io::Result<Vec<u8>> {
    let mut page = Vec::new();
    Man::new(command.clone()).render(&mut page)?;
    Ok(page)
}

/// Prints what a shell reads to complete command lines.
pub(crate) fn completions(session: &Session<'_>, arguments: &Completions) -> anyhow::Result<Status> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "reconverge", &mut script);
    session.print_as_it_is(&script)?;
    Ok(Status::Clean)
}
