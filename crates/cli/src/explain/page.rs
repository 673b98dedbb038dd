//! A page as a terminal shows it: headings bold, programs indented and in colour, names in code without their backticks, paragraphs as wide as fits.

const BOLD: &str = "\u{1b}[1m";
const CODE: &str = "\u{1b}[36m";
const PLAIN: &str = "\u{1b}[0m";

/// Lines longer than this are hard to read.
const WIDEST: usize = 100;

/// How wide the terminal is, up to what is readable.
pub(super) fn width() -> usize {
    let columns = console::Term::stdout().size_checked().map_or(80, |(_, columns)| usize::from(columns));
    columns.clamp(40, WIDEST)
}

/// A page in Markdown, of which it has headings, paragraphs, lists and fenced programs. O(page).
pub(super) fn rendered(page: &str, width: usize) -> String {
    let mut output = String::new();
    let mut in_program = false;
    for line in page.trim_end().lines() {
        if line.starts_with("```") {
            in_program = !in_program;
        } else if in_program {
            output.push_str(&format!("    {CODE}{line}{PLAIN}\n"));
        } else if let Some(heading) = line.strip_prefix('#') {
            output.push_str(&format!("{BOLD}{}{PLAIN}\n", heading.trim_start_matches('#').trim()));
        } else {
            paragraph(line, width, &mut output);
        }
    }
    output.trim_end().to_owned()
}

/// A paragraph or the entry of a list, over as many lines as it takes.
fn paragraph(line: &str, width: usize, output: &mut String) {
    let indent = if line.starts_with("- ") { "  " } else { "" };
    let mut column = 0;
    let mut in_code = false;
    for word in line.split_whitespace() {
        let letters = word.chars().filter(|&letter| letter != '`').count();
        if column > 0 && column + 1 + letters > width {
            output.push('\n');
            output.push_str(indent);
            column = indent.len();
        } else if column > 0 {
            output.push(' ');
            column += 1;
        }
        for letter in word.chars() {
            match letter {
                '`' => {
                    in_code = !in_code;
                    output.push_str(if in_code { CODE } else { PLAIN });
                }
                _ => output.push(letter),
            }
        }
        column += letters;
    }
    output.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_programs_and_names_have_styles() {
        let page = "# RC1: title\n\nA `name` and more words.\n\n```cuda\nint x; // `y`\n```\n";
        let expected = format!(
            "{BOLD}RC1: title{PLAIN}\n\nA {CODE}name{PLAIN} and\nmore words.\n\n    {CODE}int x; // `y`{PLAIN}"
        );
        assert_eq!(rendered(page, 12), expected);
    }
}
