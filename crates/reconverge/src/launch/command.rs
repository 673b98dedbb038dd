//! The command that runs a launch, to be pasted into a shell.

use reconverge_exec::launch::{AnchorPolicy, Argument, Contents, Element, Launch, MaskReading, Model, Schedule};
use reconverge_exec::launch_grammar::extent::Extent;
use reconverge_exec::literal;

use crate::run::source_model_name;

/// The words of `reconverge run FILE …`, each as a shell takes it. `given` are arguments as the command line had them. Limits are not in it.
pub fn run_command(path: &str, launch: &Launch, given: &[String]) -> Vec<String> {
    let mut words = vec!["reconverge".to_owned(), "run".to_owned(), file(path)];
    let mut add = |option: &str, value: String| words.extend([option.to_owned(), quoted(&value)]);
    add("--kernel", launch.kernel.clone());
    if launch.grid != [1; 3] {
        add("--grid", Extent(launch.grid).to_string());
    }
    add("--block", Extent(launch.block).to_string());
    add("--subgroup", launch.subgroup.to_string());
    for (name, argument) in &launch.arguments {
        add("--arg", argument_text(name, argument, given));
    }
    match launch.model {
        Model::Maximal { hierarchy } => {
            add("--model", "maximal".to_owned());
            if hierarchy > 0 {
                add("--hierarchy", (hierarchy + 1).to_string());
            }
        }
        Model::Controlled => add("--model", "controlled".to_owned()),
        Model::ImmediatePostDominator => add("--model", "ipdom".to_owned()),
        Model::Statements(text) => add("--model", source_model_name(text).to_owned()),
    }
    match launch.schedule {
        Schedule::Lockstep => {}
        Schedule::Random(seed) => add("--schedule", format!("random:{seed}")),
        Schedule::Fair => add("--schedule", "fair".to_owned()),
    }
    match launch.anchors {
        AnchorPolicy::Maximal => {}
        AnchorPolicy::Solo => add("--anchor", "solo".to_owned()),
        AnchorPolicy::Active => add("--anchor", "active".to_owned()),
        AnchorPolicy::Split(seed) => add("--anchor", format!("split:{seed}")),
    }
    if launch.masks == MaskReading::Concurrent {
        add("--masks", "concurrent".to_owned());
    }
    words
}

/// An argument of a launch as `--arg` takes it.
pub fn argument_text(name: &str, argument: &Argument, given: &[String]) -> String {
    match argument {
        Argument::Scalar(text) => format!("{name}={text}"),
        Argument::Buffer { element, length, contents } => {
            let contents = match contents {
                Contents::Zero => String::new(),
                Contents::Uninitialised => "{uninit}".to_owned(),
                Contents::Elements(elements) => format!("{{{}}}", elements.join(",")),
                Contents::Iota => "{iota}".to_owned(),
                Contents::Random { seed } => format!("{{random:{seed}}}"),
                Contents::Bytes(bytes) => match from_file(name, given) {
                    Some(text) => return text.clone(),
                    None => format!("{{{}}}", elements(*element, bytes).join(",")),
                },
            };
            format!("{name}={}[{length}]{contents}", element.name())
        }
    }
}

/// What the command line says of a buffer that is read from a file.
fn from_file<'g>(name: &str, given: &'g [String]) -> Option<&'g String> {
    given.iter().find(|text| text.split_once('=').is_some_and(|(known, value)| known == name && value.contains('@')))
}

fn elements(element: Element, bytes: &[u8]) -> Vec<String> {
    literal::show(element, bytes).map(|number| number.to_string()).collect()
}

/// A path as the command line takes it: one that begins with `-` or `@` would be something else, to us or to the tools that get it.
pub fn file(path: &str) -> String {
    match path {
        "<stdin>" => "-".to_owned(),
        path if path.starts_with(['-', '@']) => quoted(&format!("./{path}")),
        path => quoted(path),
    }
}

/// A word for a shell.
pub fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "=._/:,+-%@".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_written_as_they_are_read() {
        let buffer = |contents| Argument::Buffer { element: Element::I32, length: 2, contents };
        let text = |argument: &Argument| argument_text("a", argument, &["a=i32@numbers.bin".to_owned()]);
        for (argument, expected) in [
            (Argument::Scalar("-1".to_owned()), "a=-1"),
            (buffer(Contents::Zero), "a=i32[2]"),
            (buffer(Contents::Uninitialised), "a=i32[2]{uninit}"),
            (buffer(Contents::Elements(vec!["3".to_owned(), "-4".to_owned()])), "a=i32[2]{3,-4}"),
            (buffer(Contents::Random { seed: 9 }), "a=i32[2]{random:9}"),
            (buffer(Contents::Iota), "a=i32[2]{iota}"),
            (buffer(Contents::Bytes(vec![0; 8])), "a=i32@numbers.bin"),
        ] {
            assert_eq!(text(&argument), expected);
        }
        let bytes = buffer(Contents::Bytes(vec![1, 0, 0, 0, 255, 255, 255, 255]));
        assert_eq!(argument_text("b", &bytes, &["a=i32@numbers.bin".to_owned()]), "b=i32[2]{1,-1}");
    }

    #[test]
    fn words_are_quoted_where_a_shell_needs_it() {
        assert_eq!(["out=u32[4]", "n=3", "it's", ""].map(quoted), ["'out=u32[4]'", "n=3", "'it'\\''s'", "''"]);
    }
}
