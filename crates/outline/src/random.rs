//! Random sketches, for tests: bodies from structured ones to those with jumps anywhere.
//!
//! What C allows is allowed here, and what the 2025-04 text forbids is not: a jump into a `noconvergent` statement.

use std::fmt::Write;

/// Which jumps there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// No `goto`, and each `case` directly in its `switch`.
    Structured,
    /// `goto` goes to labels that come after it, from wherever to wherever.
    Forward,
    /// Anything.
    Any,
}

/// A random sketch of about `size` statements. `below(n)` draws a number less than `n`.
pub fn sketch(size: usize, shape: Shape, below: &mut dyn FnMut(usize) -> usize) -> String {
    let mut writer = Writer {
        below,
        shape,
        left: size,
        pieces: vec![Piece::Text(String::new())],
        scope: Vec::new(),
        names: 0,
        loops: 0,
        switches: Vec::new(),
        breakable: 0,
    };
    while writer.left > 0 {
        writer.statement(0);
    }
    writer.finish()
}

enum Piece {
    Text(String),
    Label { number: usize, scope: Vec<usize> },
    Goto { scope: Vec<usize> },
}

struct Writer<'a> {
    below: &'a mut dyn FnMut(usize) -> usize,
    shape: Shape,
    left: usize,
    pieces: Vec<Piece>,
    /// The `noconvergent` statements that are open.
    scope: Vec<usize>,
    names: usize,
    loops: usize,
    /// For each open `switch`: how many labels it has, its number of open `noconvergent` statements, whether it has a default.
    switches: Vec<(usize, usize, bool)>,
    breakable: usize,
}

impl Writer<'_> {
    fn text(&mut self, text: &str) {
        match self.pieces.last_mut() {
            Some(Piece::Text(last)) => last.push_str(text),
            _ => self.pieces.push(Piece::Text(text.to_owned())),
        }
    }

    fn name(&mut self, prefix: &str) {
        let number = self.names;
        self.names += 1;
        // One in eight does not communicate.
        let quiet = if (self.below)(8) == 0 { "_" } else { "" };
        self.text(&format!("{quiet}{prefix}{number}"));
    }

    /// An expression, whose names begin with `prefix`.
    fn expression(&mut self, prefix: &str) {
        // Most have one evaluation.
        let kind = (self.below)(24);
        if kind > 4 {
            return self.name(prefix);
        }
        self.text(if kind == 0 { "!(" } else { "(" });
        self.expression(prefix);
        let operator = match kind {
            0 | 1 => " && ",
            2 => " || ",
            3 => " ? ",
            _ => [" + ", ", "][(self.below)(2)],
        };
        self.text(operator);
        self.expression(prefix);
        if kind == 3 {
            self.text(" : ");
            self.expression(prefix);
        }
        self.text(")");
    }

    fn percent(&mut self, percent: usize) -> bool {
        (self.below)(100) < percent
    }

    fn compound(&mut self, depth: usize) {
        self.text("{ ");
        for _ in 0..(self.below)(5) {
            self.statement(depth + 1);
        }
        self.text("} ");
    }

    fn nested(&mut self, depth: usize) {
        if self.percent(75) { self.compound(depth) } else { self.statement(depth + 1) }
    }

    fn iteration_body(&mut self, depth: usize) {
        self.loops += 1;
        self.breakable += 1;
        self.nested(depth);
        self.breakable -= 1;
        self.loops -= 1;
    }

    fn labels(&mut self, depth: usize) {
        if self.shape != Shape::Structured && self.percent(22) {
            let scope = self.scope.clone();
            let number = self.names;
            self.names += 1;
            self.pieces.push(Piece::Label { number, scope });
        }
        let anywhere = self.shape == Shape::Any && self.percent(8) || self.shape == Shape::Forward && self.percent(3);
        if anywhere && depth > 0 {
            self.case();
        }
    }

    /// A label of the innermost `switch`, unless a `noconvergent` statement lies between.
    fn case(&mut self) {
        let depth = self.scope.len();
        let Some((count, scope, has_default)) = self.switches.last_mut() else { return };
        if *scope != depth {
            return;
        }
        *count += 1;
        let number = *count;
        if number == 3 && !*has_default {
            *has_default = true;
            self.text("default: ");
        } else {
            self.text(&format!("case {number}: "));
        }
    }

    fn statement(&mut self, depth: usize) {
        self.left = self.left.saturating_sub(1);
        let is_noconvergent = self.percent(4);
        self.labels(depth);
        if is_noconvergent {
            let number = self.names;
            self.names += 1;
            self.scope.push(number);
            self.text("noconvergent ");
        }
        self.unlabelled(depth);
        if is_noconvergent {
            self.scope.pop();
        }
    }

    fn unlabelled(&mut self, depth: usize) {
        let choice = if self.left == 0 || depth > 8 { (self.below)(45) } else { (self.below)(100) };
        match choice {
            0..26 => {
                self.expression("a");
                self.text("; ");
            }
            26..30 if self.loops > 0 => self.text("continue; "),
            30..34 if self.breakable > 0 => self.text("break; "),
            34..36 => self.text("return; "),
            36..45 if self.shape != Shape::Structured => {
                let scope = self.scope.clone();
                self.pieces.push(Piece::Goto { scope });
            }
            45..50 => self.compound(depth),
            50..68 => {
                self.text("if (");
                self.expression("c");
                self.text(") ");
                self.nested(depth);
                if self.percent(40) {
                    self.text("else ");
                    self.nested(depth);
                }
            }
            68..77 => {
                self.text("while (");
                self.expression("w");
                self.text(") ");
                self.iteration_body(depth);
            }
            77..84 => {
                self.text("do ");
                self.iteration_body(depth);
                self.text("while (");
                self.expression("d");
                self.text("); ");
            }
            84..91 => {
                self.text("for (");
                if self.percent(60) {
                    self.expression("i");
                }
                self.text("; ");
                if self.percent(70) {
                    self.expression("f");
                }
                self.text("; ");
                if self.percent(60) {
                    self.expression("s");
                }
                self.text(") ");
                self.iteration_body(depth);
            }
            91..100 => self.switch(depth),
            _ => self.text("; "),
        }
    }

    fn switch(&mut self, depth: usize) {
        self.text("switch (");
        self.expression("v");
        self.text(") { ");
        self.switches.push((0, self.scope.len(), false));
        self.breakable += 1;
        for _ in 0..(self.below)(4) {
            self.case();
            while self.percent(20) {
                self.case();
            }
            self.statement(depth + 1);
            if self.percent(50) {
                self.text("break; ");
            }
        }
        self.breakable -= 1;
        self.switches.pop();
        self.text("} ");
    }

    fn finish(self) -> String {
        let labels: Vec<(usize, usize, &Vec<usize>)> = self
            .pieces
            .iter()
            .enumerate()
            .filter_map(|(index, piece)| match piece {
                Piece::Label { number, scope } => Some((index, *number, scope)),
                _ => None,
            })
            .collect();
        let mut text = String::new();
        for (index, piece) in self.pieces.iter().enumerate() {
            let written = match piece {
                Piece::Text(piece) => write!(text, "{piece}"),
                Piece::Label { number, .. } => write!(text, "l{number}: "),
                Piece::Goto { scope } => {
                    let allowed = |&&(at, _, inside): &&(usize, usize, &Vec<usize>)| {
                        scope.starts_with(inside) && (self.shape == Shape::Any || at > index)
                    };
                    let allowed: Vec<_> = labels.iter().filter(allowed).collect();
                    match allowed.is_empty() {
                        true => write!(text, "; "),
                        false => write!(text, "goto l{}; ", allowed[(self.below)(allowed.len())].1),
                    }
                }
            };
            assert!(written.is_ok(), "a string takes everything");
        }
        text
    }
}
