//! A timeline for a terminal: time runs down the page, a line for each step, a letter for each thread.
//!
//! Threads with the letter of a set execute the step together. Without colour it says the same.

use std::fmt::Write;

use reconverge::{Timeline, TimelineColumn};

use crate::output::printable;
use crate::validate::tables::Style;

/// The most letters of what a step executes.
const WIDEST: usize = 34;
/// The colours of sets, as numbers of 256: those of the pictures, as near as they come. Text on them is black, or white.
const COLOURS: [(u8, u8); 8] = [(25, 15), (214, 16), (36, 16), (175, 16), (117, 16), (166, 15), (227, 16), (246, 16)];

/// The timeline: a title, a line for each step, what the letters mean.
pub(super) fn describe(timeline: &Timeline, style: Style) -> String {
    let mut text = format!("{} under {}, step by step:\n", printable(&timeline.function), timeline.model);
    let names: Vec<String> = timeline.columns.iter().map(|column| name(timeline, column)).collect();
    let widest = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let digits = timeline.columns.len().to_string().len().max(4);
    // Where there is room, threads stand apart.
    let room = style.width.saturating_sub(widest + digits + 24);
    let apart = if timeline.rows.len() * 3 <= room { 3 } else { 1 };
    let shown = timeline.rows.len().min((style.width.saturating_sub(widest + digits + 6) / apart).max(8));
    let mut heads = String::new();
    if timeline.rows[..shown].iter().all(|row| row.name.chars().count() < apart) {
        timeline.rows[..shown].iter().for_each(|row| heads.push_str(&format!("{:^apart$}", row.name)));
    } else {
        let (first, last) = (timeline.rows.first(), timeline.rows.get(shown.saturating_sub(1)));
        let name = |row: Option<&reconverge::TimelineRow>| row.map_or(String::new(), |row| row.name.clone());
        heads = format!("{} … {}", name(first), name(last));
    }
    let width = (shown * apart).max(heads.chars().count());
    let _ = writeln!(text, "  {:>digits$}  {:widest$}  {}", "step", "", heads.trim_end());
    for (number, (column, name)) in timeline.columns.iter().zip(&names).enumerate() {
        let _ = write!(text, "  {:>digits$}  {name:widest$}  ", number + 1);
        let set = &timeline.sets[column.set];
        for row in &timeline.rows[..shown] {
            let state = row.states.as_bytes().get(number).copied().unwrap_or(b'?');
            text.push_str(&cell(state, &set.letter, column, apart, style.color));
        }
        let fill = width - shown * apart;
        let _ = writeln!(text, "{:fill$}  {} {{{}}}", "", set.letter, set.name);
    }
    if timeline.rows.iter().any(|row| row.states.ends_with('h')) {
        let _ = write!(text, "  {:>digits$}  {:widest$}  ", "end", "");
        for row in &timeline.rows[..shown] {
            let is_held = row.states.ends_with('h');
            text.push_str(&format!("{:^apart$}", if is_held { "!" } else { " " }));
        }
        while text.ends_with(' ') {
            text.pop();
        }
        text.push('\n');
    }
    let hidden = timeline.rows.len() - shown;
    if hidden > 0 {
        let _ = writeln!(text, "  {hidden} more rows do not fit in {} columns", style.width);
    }
    text.push_str(&legend(timeline));
    timeline.notes.iter().for_each(|note| text.push_str(&format!("  {}\n", printable(note))));
    if let Some([column, _]) = timeline.difference {
        let _ = writeln!(text, "  It first differs from the first model at step {}.", column + 1);
    }
    text.push('\n');
    text
}

/// What a step executes: its line, block or operation.
fn name(timeline: &Timeline, column: &TimelineColumn) -> String {
    let is_elsewhere = column.function != timeline.function && !column.function.is_empty();
    let of = if is_elsewhere { format!("{}: ", column.function) } else { String::new() };
    let name = match (column.kind, column.lines.first()) {
        ("code", Some(_)) if column.name.contains('–') => format!("{of}lines {}", column.name),
        ("code", Some(_)) => format!("{of}line {}", column.name),
        ("code", None) => format!("{of}{}", column.name),
        (_, Some(line)) => format!("{of}line {line}: {}", column.name),
        (_, None) => format!("{of}{}", column.name),
    };
    let name = printable(&name).into_owned();
    match name.char_indices().nth(WIDEST) {
        None => name,
        Some((end, _)) => format!("{}…", &name[..end]),
    }
}

/// What a thread does in a step.
fn cell(state: u8, letter: &str, column: &TimelineColumn, apart: usize, has_color: bool) -> String {
    let last = letter.chars().next_back().unwrap_or('?').to_string();
    let shown = match state {
        b'r' if column.kind == "barrier" && apart > 2 => format!("|{last}|"),
        b'r' => format!("{last:^apart$}"),
        b'w' => format!("{:^apart$}", ":"),
        b'h' => format!("{:^apart$}", "!"),
        b'x' => " ".repeat(apart),
        _ => format!("{:^apart$}", "·"),
    };
    if !has_color {
        return shown;
    }
    match state {
        b'r' => {
            let (paper, ink) = COLOURS[column.set % COLOURS.len()];
            let bold = if column.kind == "code" { "" } else { "1;" };
            format!("\u{1b}[{bold}48;5;{paper};38;5;{ink}m{shown}\u{1b}[0m")
        }
        b'h' => format!("\u{1b}[1;31m{shown}\u{1b}[0m"),
        _ => format!("\u{1b}[2m{shown}\u{1b}[0m"),
    }
}

/// The signs that are used.
fn legend(timeline: &Timeline) -> String {
    let is_used = |state: char| timeline.rows.iter().any(|row| row.states.contains(state));
    let signs = [
        ('w', ": waits for others"),
        ('o', "· is elsewhere"),
        ('x', "blank has ended"),
        ('h', "! still waits when the run ends"),
    ];
    let used: Vec<&str> = signs.iter().filter(|(state, _)| is_used(*state)).map(|&(_, text)| text).collect();
    let letters = "  a letter: executed together by the threads with that letter";
    std::iter::once(letters).chain(used).collect::<Vec<_>>().join("; ") + "\n"
}
