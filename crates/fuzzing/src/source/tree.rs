//! A source text as a tree: tokens, groups in brackets, and statements inside of braces.

/// A part of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Node {
    /// Letters, digits and underscores that begin with no digit.
    Word(String),
    /// A number.
    Number(String),
    /// A string, a character, or an operator.
    Other(String),
    /// A line that begins with `#`, with its newline.
    Directive(String),
    /// What stands between brackets, with the opening one: `(`, `[` or `{`.
    Group(char, Vec<Node>),
}

/// A text.
#[derive(Debug, Clone, Default)]
pub struct Tree {
    /// Its parts.
    pub nodes: Vec<Node>,
}

const OPERATORS: [&str; 24] = [
    "<<<", ">>>", "<<=", ">>=", "...", "::", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=",
    "-=", "*=", "/=", "%=", "&=", "|=",
];

impl Tree {
    /// Takes a text apart; comments are left out. Any text is a tree: brackets that do not match are tokens.
    pub fn read(text: &str) -> Tree {
        let mut stack: Vec<(char, Vec<Node>)> = vec![(' ', Vec::new())];
        let mut rest = text;
        let mut at_start = true;
        while let Some(first) = rest.chars().next() {
            let (node, length) = if first.is_whitespace() {
                at_start |= first == '\n';
                rest = &rest[first.len_utf8()..];
                continue;
            } else if rest.starts_with("//") {
                rest = &rest[rest.find('\n').unwrap_or(rest.len())..];
                continue;
            } else if rest.starts_with("/*") {
                rest = &rest[rest.find("*/").map_or(rest.len(), |end| end + 2)..];
                continue;
            } else if first == '#' && at_start {
                let mut end = 0;
                for line in rest.split_inclusive('\n') {
                    end += line.len();
                    if !line.trim_end().ends_with('\\') {
                        break;
                    }
                }
                (Node::Directive(format!("{}\n", rest[..end].trim_end())), end)
            } else {
                token(rest)
            };
            at_start = matches!(node, Node::Directive(_));
            rest = &rest[length..];
            match &node {
                Node::Other(text) if matches!(text.as_str(), "(" | "[" | "{") => stack.push((first, Vec::new())),
                Node::Other(text) if matches!(text.as_str(), ")" | "]" | "}") => {
                    let open = match first {
                        ')' => '(',
                        ']' => '[',
                        _ => '{',
                    };
                    if stack.last().is_some_and(|(kind, _)| *kind == open) && stack.len() > 1 {
                        let (kind, nodes) = stack.pop().expect("it was looked at");
                        stack.last_mut().expect("the text itself").1.push(Node::Group(kind, nodes));
                    } else {
                        stack.last_mut().expect("the text itself is never closed").1.push(node);
                    }
                }
                _ => stack.last_mut().expect("the text itself is never closed").1.push(node),
            }
        }
        while stack.len() > 1 {
            let (kind, nodes) = stack.pop().expect("there are several");
            let around = &mut stack.last_mut().expect("the text itself").1;
            around.push(Node::Other(kind.to_string()));
            around.extend(nodes);
        }
        Tree { nodes: stack.pop().map(|(_, nodes)| nodes).unwrap_or_default() }
    }

    /// The text.
    pub fn print(&self) -> String {
        let mut text = String::new();
        print(&self.nodes, &mut text);
        text
    }
}

/// The token at the start of a text, and its length.
fn token(rest: &str) -> (Node, usize) {
    let first = rest.chars().next().unwrap_or(' ');
    let while_in = |holds: fn(char) -> bool| rest.find(|c| !holds(c)).unwrap_or(rest.len());
    if first.is_alphabetic() || first == '_' {
        let end = while_in(|c| c.is_alphanumeric() || c == '_');
        return (Node::Word(rest[..end].to_owned()), end);
    }
    if first.is_ascii_digit() {
        let end = while_in(|c| c.is_alphanumeric() || c == '.' || c == '_');
        return (Node::Number(rest[..end].to_owned()), end);
    }
    if first == '"' || first == '\'' {
        let mut escaped = false;
        let end = rest[1..].find(|c| {
            let ends = c == '\n' || c == first && !escaped;
            escaped = c == '\\' && !escaped;
            ends
        });
        let end = end.map_or(rest.len(), |end| end + 2);
        return (Node::Other(rest[..end].to_owned()), end);
    }
    let operator = OPERATORS.iter().find(|operator| rest.starts_with(**operator));
    let end = operator.map_or(first.len_utf8(), |operator| operator.len());
    (Node::Other(rest[..end].to_owned()), end)
}

fn print(nodes: &[Node], text: &mut String) {
    for node in nodes {
        match node {
            Node::Word(token) | Node::Number(token) => {
                if text.ends_with(|c: char| c.is_alphanumeric() || c == '_') {
                    text.push(' ');
                }
                text.push_str(token);
            }
            Node::Other(token) => {
                // `+ +` is not `++`.
                if text.ends_with(['+', '-', '&', '|', '<', '=', '>', '*', '/', ':', '!'])
                    && !token.starts_with(['(', ';', ','])
                {
                    text.push(' ');
                }
                text.push_str(token);
                if matches!(token.as_str(), ";" | ":") {
                    text.push('\n');
                }
            }
            Node::Directive(line) => {
                if !text.is_empty() && !text.ends_with('\n') {
                    text.push('\n');
                }
                text.push_str(line);
            }
            Node::Group(open, nodes) => {
                let close = match open {
                    '(' => ')',
                    '[' => ']',
                    _ => '}',
                };
                text.push(*open);
                print(nodes, text);
                text.push(close);
                if close == '}' {
                    text.push('\n');
                }
            }
        }
    }
}

/// The statements, or declarations, of what stands between braces: ranges of nodes.
pub(super) fn statements(nodes: &[Node]) -> Vec<std::ops::Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    for (index, node) in nodes.iter().enumerate() {
        let ends = match node {
            Node::Other(text) => text == ";",
            Node::Directive(_) => true,
            Node::Group('{', _) => {
                let next = nodes.get(index + 1);
                // `do {} while`, `} else`, `} x;` and initialisers go on.
                let goes_on = match next {
                    Some(Node::Word(word)) => matches!(word.as_str(), "else" | "while" | "catch"),
                    Some(Node::Other(text)) => matches!(text.as_str(), ";" | "," | "." | "*"),
                    Some(Node::Group(..)) => true,
                    _ => false,
                };
                !goes_on
            }
            _ => false,
        };
        if ends {
            found.push(start..index + 1);
            start = index + 1;
        }
    }
    found
}
