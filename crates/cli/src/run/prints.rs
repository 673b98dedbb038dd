//! `--print`: which buffers, and how much of them.

use std::collections::HashSet;

use reconverge::launches::{Argument, KernelInfo};

use crate::input::Problem;

/// The names of the buffers to print, with how many elements.
///
/// # Errors
/// When a name is that of no buffer, or a count is no number.
pub(super) fn prints(
    kernel: &KernelInfo,
    arguments: &[(String, Argument)],
    asked: &[String],
    path: &str,
) -> Result<Vec<(String, usize)>, Problem> {
    let buffers: Vec<&str> = arguments
        .iter()
        .zip(&kernel.parameters)
        .filter(|((_, argument), info)| matches!(argument, Argument::Buffer { .. }) && !info.is_local)
        .map(|((name, _), _)| name.as_str())
        .collect();
    let problem = |message| Problem::new(path, message);
    let mut seen = HashSet::new();
    let mut prints = Vec::new();
    for text in asked {
        let (name, count) = text.split_once('=').map_or((text.as_str(), None), |(name, count)| (name, Some(count)));
        let name = name.strip_prefix('%').unwrap_or(name);
        let position =
            || name.parse::<usize>().ok().and_then(|index| arguments.get(index)).map(|(name, _)| name.as_str());
        let Some(name) = buffers.iter().copied().find(|&buffer| buffer == name || Some(buffer) == position()) else {
            let known = if buffers.is_empty() { "none".to_owned() } else { buffers.join(", ") };
            return Err(problem(format!("--print {text}: expected the name of a buffer; there are: {known}")));
        };
        let count = match count.map(str::parse) {
            None => usize::MAX,
            Some(Ok(count)) => count,
            Some(Err(_)) => {
                return Err(problem(format!("--print {text}: expected a number of elements after the =")));
            }
        };
        if seen.insert(name) {
            prints.push((name.to_owned(), count));
        }
    }
    Ok(prints)
}
