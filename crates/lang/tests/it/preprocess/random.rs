//! Random programs of macros: objects and functions that use each other, `#`, `##`, variable arguments, conditionals.

use std::fmt::Write as _;

use reconverge_testing::random::SplitMix64;

/// The names that programs define.
pub(crate) const NAMES: [&str; 8] = ["A", "B", "C", "D", "E", "F", "G", "H"];
const PARAMETERS: [&str; 3] = ["x", "y", "z"];
const PLAIN: [&str; 14] =
    ["1", "2u", "a", "b", "\"s\\n\"", "'c'", "+", "-", "<", "...", ".5e", "->", "__LINE__", "__LINE_"];

/// What a name is in a program.
#[derive(Clone)]
enum Shape {
    Object,
    Function { parameters: usize, variadic: Option<&'static str> },
}

struct Writer<'r> {
    random: &'r mut SplitMix64,
    shapes: Vec<Shape>,
    text: String,
}

/// A program of some definitions and some uses.
pub(crate) fn program(random: &mut SplitMix64) -> String {
    let shapes = NAMES.iter().map(|_| shape(random)).collect();
    let mut writer = Writer { random, shapes, text: String::new() };
    for index in 0..NAMES.len() {
        writer.definition(index);
    }
    for _ in 0..writer.pick(4) + 2 {
        writer.use_line();
    }
    writer.text
}

fn shape(random: &mut SplitMix64) -> Shape {
    match random.below(7) {
        0 | 1 => Shape::Object,
        2..=4 => Shape::Function { parameters: random.below(4), variadic: None },
        5 => Shape::Function { parameters: random.below(3), variadic: Some("__VA_ARGS__") },
        _ => Shape::Function { parameters: random.below(3), variadic: Some("rest") },
    }
}

impl Writer<'_> {
    fn pick(&mut self, count: usize) -> usize {
        self.random.below(count)
    }

    fn space(&mut self) {
        let space = [" ", " ", "", "  ", "/**/"][self.pick(5)];
        // Nothing between two tokens may glue them: a space stands wherever the last one may go on.
        let glues =
            self.text.chars().next_back().is_some_and(|last| !matches!(last, '(' | ')' | ',' | ' ' | '\n' | '/'));
        self.text.push_str(if space.is_empty() && glues { " " } else { space });
    }

    fn definition(&mut self, index: usize) {
        let name = NAMES[index];
        match self.shapes[index].clone() {
            Shape::Object => {
                write!(self.text, "#define {name} ").unwrap();
                self.body(&[], None);
            }
            Shape::Function { parameters, variadic } => {
                let mut names: Vec<&str> = PARAMETERS[..parameters].to_vec();
                let mut list = names.join(", ");
                if let Some(rest) = variadic {
                    let separator = if list.is_empty() { "" } else { ", " };
                    let written = if rest == "__VA_ARGS__" { "..." } else { "rest..." };
                    write!(list, "{separator}{written}").unwrap();
                    names.push(rest);
                }
                write!(self.text, "#define {name}({list}) ").unwrap();
                self.body(&names, variadic);
            }
        }
        self.text.push('\n');
    }

    fn body(&mut self, parameters: &[&str], variadic: Option<&str>) {
        for _ in 0..self.pick(7) {
            match self.pick(14) {
                0 if !parameters.is_empty() => {
                    let operand = parameters[self.pick(parameters.len())];
                    write!(self.text, "#{operand}").unwrap();
                }
                1 | 2 => {
                    let left = self.pasted(parameters);
                    let right = self.pasted(parameters);
                    write!(self.text, "{left} ## {right}").unwrap();
                    if self.pick(4) == 0 {
                        let third = self.pasted(parameters);
                        write!(self.text, "##{third}").unwrap();
                    }
                }
                3 if variadic.is_some() => write!(self.text, ", ## {}", variadic.unwrap_or_default()).unwrap(),
                4 if variadic.is_some() => {
                    let inside = parameters[self.pick(parameters.len())];
                    write!(self.text, "__VA_OPT__({inside} + , {inside})").unwrap();
                }
                5..=8 if !parameters.is_empty() => {
                    let parameter = parameters[self.pick(parameters.len())];
                    self.text.push_str(parameter);
                }
                9 | 10 => self.invocation(parameters, 2),
                _ => self.plain(),
            }
            self.space();
        }
    }

    /// An operand of `##` that mostly makes a token.
    fn pasted(&mut self, parameters: &[&str]) -> String {
        match self.pick(4) {
            0 | 1 if !parameters.is_empty() => parameters[self.pick(parameters.len())].to_owned(),
            2 => NAMES[self.pick(NAMES.len())].to_owned(),
            _ => ["a", "b1", "_"][self.pick(3)].to_owned(),
        }
    }

    fn plain(&mut self) {
        let token = PLAIN[self.pick(PLAIN.len())];
        self.text.push_str(token);
    }

    /// A name, with arguments if it takes some (and now and then if not, or the other way round).
    fn invocation(&mut self, parameters: &[&str], depth: usize) {
        let index = self.pick(NAMES.len());
        self.text.push_str(NAMES[index]);
        let shape = self.shapes[index].clone();
        let count = match shape {
            Shape::Object if self.pick(8) > 0 => return,
            Shape::Object => 1,
            Shape::Function { .. } if self.pick(8) == 0 => return,
            Shape::Function { parameters, variadic: None } => parameters.max(1),
            Shape::Function { parameters, variadic: Some(_) } => (parameters + self.pick(3)).max(1),
        };
        let takes_none = matches!(shape, Shape::Function { parameters: 0, variadic: None });
        let open = [" (", "("][self.pick(2)];
        self.text.push_str(open);
        for argument in 0..count {
            if argument > 0 {
                self.text.push(',');
            }
            for _ in 0..if takes_none { 0 } else { self.pick(3) } {
                match self.pick(5) {
                    0 | 1 if depth > 0 => self.invocation(parameters, depth - 1),
                    2 if !parameters.is_empty() => {
                        let parameter = parameters[self.pick(parameters.len())];
                        self.text.push_str(parameter);
                    }
                    3 => self.text.push_str("(1, 2)"),
                    _ => self.plain(),
                }
                self.space();
            }
        }
        self.text.push(')');
    }

    fn use_line(&mut self) {
        if self.pick(4) == 0 {
            let name = NAMES[self.pick(NAMES.len())];
            let directive = ["#ifdef", "#ifndef", "#if 1 - 1 || !defined"][self.pick(3)];
            writeln!(self.text, "{directive} {name}x\nyes\n#else\nno\n#endif").unwrap();
        }
        for _ in 0..self.pick(3) + 1 {
            self.invocation(&[], 3);
            let space = [" ", "\n", " ; "][self.pick(3)];
            self.text.push_str(space);
        }
        self.text.push('\n');
    }
}
