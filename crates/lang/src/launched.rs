//! How large the blocks are in which a file launches its own kernels.
//!
//! **Definition.** A *launch* is `k<<<g, b, …>>>` or `hipLaunchKernelGGL(k, g, b, …)`, where `k` may have arguments of a template. The size `b` is *said* iff it is a product of integers, a `dim3`
//! of such products, or a variable with such a value. A variable has a value iff its name is declared once in the function of the launch, with that value, and no other use of it there may change
//! it; or, where the function declares none, once outside of functions, as a constant. A kernel has a *stated block* iff all its launches in the file say the same size, and nothing else in a function may launch it.
//!
//! It is a size with which the kernel is launched, and not the only one: other files may do it otherwise. Kernels are told apart by their names alone. It is read from the tokens, since
//! functions of the host are not parsed. O(tokens), but for the names of variables: for each, its function is gone through once more, up to `MOST_LOOKS` tokens for each of the file.

use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::source::Location;
use crate::token::{Symbol, Symbols, Token, TokenKind};

/// The size of the blocks in which a file launches a kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatedBlock {
    /// The name of the kernel, without namespace and arguments.
    pub kernel: String,
    /// The threads in each dimension.
    pub block: [u32; 3],
    /// Where the first launch is.
    pub location: Location,
}

/// How many times as many tokens as the file has are looked at for variables.
const MOST_LOOKS: usize = 64;
/// How far a bracket is looked for.
const FAR: usize = 1_000;
/// How deep variables are defined by others.
const DEEP: usize = 8;
/// The most threads that a block has.
const MOST_THREADS: u64 = 1024;

const LAUNCHER: &str = "hipLaunchKernelGGL";
/// What may change what stands before it.
const CHANGES: [&str; 13] = ["=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--"];
/// Words before a name that do not declare it.
const NO_TYPES: [&str; 7] = ["return", "else", "case", "sizeof", "throw", "goto", "co_return"];
/// Functions that change no variable that they are given.
const READERS: [&str; 9] = ["printf", "fprintf", "dim3", "min", "max", "if", "while", "switch", LAUNCHER];

/// The stated blocks, in the order of the first launches.
pub fn stated_blocks(tokens: &[Token], symbols: &Symbols) -> Vec<StatedBlock> {
    let [shift, less, launcher] = ["<<", "<", LAUNCHER].map(|text| symbols.find(text));
    let is_arrow = |pair: &[Token]| Some(pair[0].symbol) == shift && Some(pair[1].symbol) == less;
    if launcher.is_none() && (shift.is_none() || !tokens.windows(2).any(is_arrow)) {
        return Vec::new();
    }
    let mut file =
        File { tokens, symbols, bodies: Vec::new(), launches: Vec::new(), values: FxHashMap::default(), looks: 0 };
    file.bodies = file.find_bodies();
    file.launches = file.find_launches();
    let mut stated: FxHashMap<Symbol, Stated> = FxHashMap::default();
    for number in 0..file.launches.len() {
        let size = file.size_of(number);
        let kernel = tokens[file.launches[number].kernel];
        let new = Stated { size, location: kernel.location };
        let known = stated.entry(kernel.symbol).or_insert(new);
        if known.size != size {
            known.size = None;
        }
    }
    file.forget_launched_otherwise(&mut stated);
    let said = stated.into_iter().filter_map(|(kernel, Stated { size, location })| {
        Some(StatedBlock { kernel: symbols.text(kernel).to_owned(), block: size?, location })
    });
    let mut said: Vec<StatedBlock> = said.collect();
    said.sort_by_key(|stated| stated.location);
    said
}

/// What the launches of a kernel say.
#[derive(Debug, Clone, Copy)]
struct Stated {
    size: Option<[u32; 3]>,
    /// Where the first one is.
    location: Location,
}

/// A launch, by its tokens.
struct Launch {
    kernel: usize,
    /// From the first argument of the configuration to behind the last one.
    configuration: Range<usize>,
    /// The size of the block.
    block: Range<usize>,
    /// The function that it is in, if that is known.
    body: Option<usize>,
}

/// How often a name is declared.
enum Declared {
    Never,
    /// Where, and whether it is a constant.
    Once(usize, bool),
    /// More than once, or too much would have to be looked at.
    Unclear,
}

/// What a variable holds.
type Value = Option<[u32; 3]>;

struct File<'t> {
    tokens: &'t [Token],
    symbols: &'t Symbols,
    /// The functions, each from behind the declaration before it to its `}`.
    bodies: Vec<Range<usize>>,
    launches: Vec<Launch>,
    values: FxHashMap<(usize, Symbol), Value>,
    looks: usize,
}

impl File<'_> {
    /// How a token is spelled; empty before the first and behind the last one.
    fn text(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| self.symbols.text(token.symbol))
    }

    fn before(&self, at: usize) -> &str {
        at.checked_sub(1).map_or("", |before| self.text(before))
    }

    fn is_name(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|token| token.kind == TokenKind::Identifier)
    }

    fn find_bodies(&self) -> Vec<Range<usize>> {
        let (mut bodies, mut begin, mut depth) = (Vec::new(), 0, 0usize);
        for at in 0..self.tokens.len() {
            match self.text(at) {
                "{" if depth > 0 => depth += 1,
                "{" if matches!(self.before(at), ")" | "const" | "noexcept" | "override") => depth = 1,
                "}" if depth > 1 => depth -= 1,
                "}" if depth == 1 => {
                    depth = 0;
                    bodies.push(begin..at + 1);
                    begin = at + 1;
                }
                "{" | "}" | ";" if depth == 0 => begin = at + 1,
                _ => {}
            }
        }
        bodies
    }

    fn find_launches(&self) -> Vec<Launch> {
        let mut launches = Vec::new();
        for at in 0..self.tokens.len() {
            let found = match self.text(at) {
                "<<" if self.text(at + 1) == "<" => {
                    self.kernel_before(at).map(|kernel| (kernel, self.arguments(at + 2), 1))
                }
                LAUNCHER if self.text(at + 1) == "(" => {
                    let arguments = self.arguments(at + 2);
                    let first = arguments.first().cloned().unwrap_or(at..at);
                    let is_kernel = |&at: &usize| self.is_name(at) && !matches!(self.text(at + 1), "(" | "::");
                    first.clone().find(is_kernel).map(|kernel| (kernel, arguments, 2))
                }
                _ => None,
            };
            if let Some((kernel, arguments, block)) = found {
                let end = arguments.last().map_or(at, |last| last.end);
                let block = arguments.get(block).cloned().unwrap_or(at..at);
                let body = self.bodies.partition_point(|body| body.end <= at);
                let body = self.bodies.get(body).filter(|range| range.contains(&at)).map(|_| body);
                launches.push(Launch { kernel, configuration: at..end, block, body });
            }
        }
        launches
    }

    /// The name of the kernel before `<<<`, or before the arguments of its template.
    fn kernel_before(&self, at: usize) -> Option<usize> {
        let mut at = at.checked_sub(1)?;
        if matches!(self.text(at), ">" | ">>") {
            let (mut depth, last) = (0, at);
            loop {
                match self.text(at) {
                    ">" => depth += 1,
                    ">>" => depth += 2,
                    "<" => depth -= 1,
                    ";" | "{" | "}" => return None,
                    _ => {}
                }
                at = at.checked_sub(1).filter(|&at| last - at < FAR)?;
                if depth <= 0 {
                    break;
                }
            }
        }
        self.is_name(at).then_some(at)
    }

    /// The arguments from a token on, up to the bracket that closes.
    fn arguments(&self, first: usize) -> Vec<Range<usize>> {
        let (mut arguments, mut begin, mut depth) = (Vec::new(), first, 0usize);
        for at in first..self.tokens.len().min(first + FAR) {
            match self.text(at) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" if depth > 0 => depth -= 1,
                "," if depth == 0 => {
                    arguments.push(begin..at);
                    begin = at + 1;
                }
                ")" | "}" => {
                    arguments.push(begin..at);
                    return arguments;
                }
                ">>" if depth == 0 && self.text(at + 1) == ">" => {
                    arguments.push(begin..at);
                    return arguments;
                }
                ";" | "]" => break,
                _ => {}
            }
        }
        Vec::new()
    }

    /// The size that a launch says.
    fn size_of(&mut self, number: usize) -> Value {
        let Launch { block, body, .. } = &self.launches[number];
        let size = self.extents(block.clone(), (*body)?, DEEP)?;
        let threads = size.iter().try_fold(1u64, |all, &extent| all.checked_mul(extent.into()))?;
        (1..=MOST_THREADS).contains(&threads).then_some(size)
    }

    /// `dim3(…)`, a variable, or a product.
    fn extents(&mut self, range: Range<usize>, body: usize, depth: usize) -> Value {
        let end = range.end;
        if self.text(range.start) == "dim3" && matches!(self.text(range.start + 1), "(" | "{") {
            return self.listed(range.start + 2, end, body, depth);
        }
        if range.len() == 1 && self.is_name(range.start) {
            return self.variable(self.tokens[range.start].symbol, body, depth);
        }
        Some([self.product(range, body, depth)?, 1, 1])
    }

    /// One to three products between brackets that are closed before a token.
    fn listed(&mut self, first: usize, end: usize, body: usize, depth: usize) -> Value {
        let parts = self.arguments(first);
        if parts.last()?.end + 1 != end || parts.len() > 3 {
            return None;
        }
        let mut extents = [1; 3];
        for (extent, part) in extents.iter_mut().zip(parts) {
            *extent = self.product(part, body, depth)?;
        }
        Some(extents)
    }

    /// A product of integers and of variables that are some.
    fn product(&mut self, range: Range<usize>, body: usize, depth: usize) -> Option<u32> {
        let mut product = 1u32;
        for at in range.clone() {
            let is_factor = (at - range.start).is_multiple_of(2);
            let factor = match (is_factor, self.tokens.get(at)?.kind) {
                (true, TokenKind::Number) => integer(self.text(at))?,
                (true, TokenKind::Identifier) => match self.variable(self.tokens[at].symbol, body, depth)? {
                    [number, 1, 1] => number,
                    _ => return None,
                },
                (false, _) if self.text(at) == "*" => continue,
                _ => return None,
            };
            product = product.checked_mul(factor)?;
        }
        (range.len() % 2 == 1).then_some(product)
    }

    /// What a variable holds in a function.
    fn variable(&mut self, name: Symbol, body: usize, depth: usize) -> Value {
        let depth = depth.checked_sub(1)?;
        if let Some(&known) = self.values.get(&(body, name)) {
            return known;
        }
        let range = self.bodies[body].clone();
        let value = match self.declaration(name, std::slice::from_ref(&range)) {
            Declared::Once(at, is_constant) if is_constant || !self.may_change(name, at, range) => {
                self.initial(at, body, depth)
            }
            Declared::Never => match self.declaration(name, &self.outside()) {
                Declared::Once(at, true) => self.initial(at, body, depth),
                _ => None,
            },
            _ => None,
        };
        self.values.insert((body, name), value);
        value
    }

    /// What stands between functions.
    fn outside(&self) -> Vec<Range<usize>> {
        let starts = std::iter::once(0).chain(self.bodies.iter().map(|body| body.end));
        let ends = self.bodies.iter().map(|body| body.start).chain([self.tokens.len()]);
        starts.zip(ends).map(|(start, end)| start..end).collect()
    }

    /// How often a name is declared in some parts of the file.
    fn declaration(&mut self, name: Symbol, ranges: &[Range<usize>]) -> Declared {
        let mut found = Declared::Never;
        for range in ranges {
            self.looks += range.len();
            if self.looks > MOST_LOOKS * self.tokens.len() {
                return Declared::Unclear;
            }
            for at in range.clone() {
                if self.tokens[at].symbol != name || !self.is_name(at) || !self.is_declared(at) {
                    continue;
                }
                if !matches!(found, Declared::Never) {
                    return Declared::Unclear;
                }
                let is_inside = |&at: &usize| !matches!(self.text(at), ";" | "{" | "}" | "(" | ")" | ",");
                let mut specifiers = (at.saturating_sub(FAR)..at).rev().take_while(is_inside);
                let is_constant = specifiers.any(|at| matches!(self.text(at), "const" | "constexpr"));
                found = Declared::Once(at, is_constant);
            }
        }
        found
    }

    /// Whether a name is declared where it stands: after a type.
    fn is_declared(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1) else { return false };
        match self.text(before) {
            // A pointer or reference, or an operand.
            "*" | "&" => before.checked_sub(1).is_some_and(|of| is_type_word(self.text(of))),
            ">" => true,
            word => self.is_name(before) && !NO_TYPES.contains(&word),
        }
    }

    /// What a declaration gives its variable.
    fn initial(&mut self, at: usize, body: usize, depth: usize) -> Value {
        let open = self.text(at + 1).to_owned();
        match &*open {
            "=" => {
                let end = self.arguments_end(at + 2)?;
                self.extents(at + 2..end, body, depth)
            }
            "(" | "{" => {
                let end = self.arguments(at + 2).last()?.end + 1;
                let size = self.listed(at + 2, end, body, depth)?;
                (self.before(at) == "dim3" || is_type_word(self.before(at)) && size[1..] == [1, 1]).then_some(size)
            }
            _ => None,
        }
    }

    /// The `;` or `,` behind a value.
    fn arguments_end(&self, first: usize) -> Option<usize> {
        let mut depth = 0usize;
        for at in first..self.tokens.len().min(first + FAR) {
            match self.text(at) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth = depth.checked_sub(1)?,
                ";" | "," if depth == 0 => return Some(at),
                _ => {}
            }
        }
        None
    }

    /// Whether some use of a name but its declaration may change what it names.
    fn may_change(&self, name: Symbol, declared: usize, range: Range<usize>) -> bool {
        let uses = range.filter(|&at| at != declared && self.tokens[at].symbol == name && self.is_name(at));
        uses.into_iter().any(|at| {
            let (before, after) = (self.before(at), self.text(at + 1));
            if matches!(before, "." | "->" | "::") {
                return false;
            }
            let is_member_changed = after == "." && CHANGES.contains(&self.text(at + 3));
            let is_argument = matches!(before, "(" | "," | "{") && matches!(after, ")" | "," | "}");
            CHANGES.contains(&after)
                || matches!(before, "++" | "--" | "&" | ">>")
                || is_member_changed
                || is_argument && !self.is_in_launch(at) && !self.is_only_read(at)
        })
    }

    fn is_in_launch(&self, at: usize) -> bool {
        let next = self.launches.partition_point(|launch| launch.configuration.start <= at);
        next.checked_sub(1).is_some_and(|last| self.launches[last].configuration.contains(&at))
    }

    /// Whether what is called with an argument only reads it, or nothing is called: a variable is declared, or the brackets are those of an expression.
    fn is_only_read(&self, at: usize) -> bool {
        let Some(called) = self.called_around(at) else { return false };
        !self.is_name(called) || READERS.contains(&self.text(called)) || self.is_declared(called)
    }

    /// The token before the innermost `(` around one.
    fn called_around(&self, at: usize) -> Option<usize> {
        let mut depth = 0usize;
        for open in (at.saturating_sub(FAR)..at).rev() {
            match self.text(open) {
                ")" | "]" | "}" => depth += 1,
                "(" if depth == 0 => return open.checked_sub(1),
                "(" | "[" | "{" => depth = depth.checked_sub(1)?,
                ";" => return None,
                _ => {}
            }
        }
        None
    }

    /// Forgets what is said of kernels that something but the launches that were found may launch: their names stand where they are neither declared, called nor asked about.
    fn forget_launched_otherwise(&self, stated: &mut FxHashMap<Symbol, Stated>) {
        for at in (0..self.tokens.len()).filter(|&at| self.is_name(at)) {
            let Some(known) = stated.get_mut(&self.tokens[at].symbol).filter(|known| known.size.is_some()) else {
                continue;
            };
            let is_launch = || self.launches.binary_search_by_key(&at, |launch| launch.kernel).is_ok();
            let is_asked = |called: usize| ["Func", "Occupancy"].iter().any(|part| self.text(called).contains(part));
            let is_other = matches!(self.before(at), "." | "->") || self.text(at + 1) == "(" || self.is_declared(at);
            if !is_other && !is_launch() && !self.called_around(at).is_some_and(is_asked) {
                known.size = None;
            }
        }
    }
}

fn is_type_word(word: &str) -> bool {
    matches!(
        word,
        "int"
            | "unsigned"
            | "long"
            | "short"
            | "char"
            | "float"
            | "double"
            | "bool"
            | "auto"
            | "size_t"
            | "dim3"
            | "const"
    )
}

/// An integer as it is written.
fn integer(text: &str) -> Option<u32> {
    let digits = text.trim_end_matches(['u', 'U', 'l', 'L']).replace('\'', "");
    match digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
        Some(hexadecimal) => u32::from_str_radix(hexadecimal, 16).ok(),
        None if digits.len() > 1 && digits.starts_with('0') => None,
        None => digits.parse().ok(),
    }
}
