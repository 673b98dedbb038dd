//! Changes of a module that keep most of it well formed.
//!
//! Each change is one step that a compiler, a person or an attacker could have done. Most keep types and dominance; some break them on
//! purpose, so that what looks for that has something to find.

use reconverge_testing::random::SplitMix64;

use super::module::{Block, Body, Line, Token, Tree, index_of, tokens};
use super::{attributes, control, splice, values};

/// What a change works on.
pub(super) struct Change<'c> {
    /// What is drawn.
    pub rng: &'c mut SplitMix64,
    /// The module.
    pub tree: &'c mut Tree,
    /// Other modules, to take parts from.
    pub others: &'c [Tree],
    /// Numbers new names.
    pub fresh: u32,
}

/// A change; whether it found something to change.
type Step = fn(&mut Change<'_>) -> bool;

/// Each change, and how often it is chosen.
const STEPS: &[(u32, Step)] = &[
    (14, values::other_operand),
    (3, values::operand_of_another_type),
    (8, values::other_opcode),
    (4, values::other_flags),
    (4, values::other_type_everywhere),
    (2, values::other_type_once),
    (8, values::extreme_number),
    (3, values::poison_operand),
    (6, control::twice),
    (5, control::without),
    (3, control::without_definition),
    (4, control::swapped),
    (3, control::moved),
    (6, control::other_target),
    (5, control::branch_added),
    (3, control::block_split),
    (3, control::loop_around),
    (3, control::ends_here),
    (2, control::switch_added),
    (4, attributes::token_defined),
    (5, attributes::token_used),
    (3, attributes::bundle_removed),
    (4, attributes::of_function),
    (3, attributes::of_call),
    (2, attributes::of_parameter),
    (3, attributes::top_level),
    (2, attributes::target),
    (8, splice::template),
    (4, splice::call),
    (4, splice::function),
    (4, splice::instructions),
    (1, splice::nested),
    (1, splice::many),
];

/// Changes a module some times, mostly a few; gives the text.
pub fn mutate(seed: u64, tree: &Tree, others: &[Tree]) -> Vec<u8> {
    let times = [1, 1, 1, 1, 2, 2, 3, 7][SplitMix64::new(seed ^ 0x71).below(8)];
    mutate_times(seed, times, tree, others)
}

/// Changes a module so many times; gives the text.
pub fn mutate_times(seed: u64, times: usize, tree: &Tree, others: &[Tree]) -> Vec<u8> {
    let rng = &mut SplitMix64::new(seed);
    let mut tree = tree.clone();
    let total: u32 = STEPS.iter().map(|(weight, _)| weight).sum();
    let mut change = Change { rng, tree: &mut tree, others, fresh: 0 };
    for _ in 0..times {
        // A step that finds nothing to do is drawn anew.
        for _ in 0..5 {
            let mut drawn = change.rng.below(total as usize) as u32;
            let step = STEPS.iter().find(|(weight, _)| {
                let found = drawn < *weight;
                drawn = drawn.saturating_sub(*weight);
                found
            });
            if step.is_some_and(|(_, step)| step(&mut change)) {
                break;
            }
        }
    }
    let text = tree.print();
    match rng.below(60) {
        0 => one_line(&text),
        1 => damaged(rng, text),
        _ => text,
    }
}

/// Functions, and sometimes all of the text, on one line.
fn one_line(text: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(text);
    text.replace("}\n\ndefine", "} define").into_bytes()
}

/// A few bytes are others.
fn damaged(rng: &mut SplitMix64, mut text: Vec<u8>) -> Vec<u8> {
    for _ in 0..1 + rng.below(3) {
        if text.is_empty() {
            break;
        }
        let at = rng.below(text.len());
        text[at] = b"\0\n\"%@{}(!09\xff,[]<>*="[rng.below(19)];
    }
    text
}

impl Change<'_> {
    /// A function.
    pub(super) fn body(&mut self) -> Option<usize> {
        (!self.tree.bodies.is_empty()).then(|| self.rng.below(self.tree.bodies.len()))
    }

    /// A place of an instruction: function, block, line.
    pub(super) fn place(&mut self) -> Option<(usize, usize, usize)> {
        let body = self.body()?;
        let blocks = &self.tree.bodies[body].blocks;
        let count: usize = blocks.iter().map(|block| block.lines.len()).sum();
        if count == 0 {
            return None;
        }
        let mut drawn = self.rng.below(count);
        for (index, block) in blocks.iter().enumerate() {
            if drawn < block.lines.len() {
                return Some((body, index, drawn));
            }
            drawn -= block.lines.len();
        }
        None
    }

    /// A place of an instruction for which something holds.
    pub(super) fn place_where(&mut self, holds: impl Fn(&Line) -> bool) -> Option<(usize, usize, usize)> {
        let body = self.body()?;
        let places = self.tree.bodies[body].blocks.iter().enumerate().flat_map(|(block, data)| {
            let lines = data.lines.iter().enumerate();
            lines.filter(|(_, line)| holds(line)).map(move |(line, _)| (body, block, line))
        });
        let places: Vec<_> = places.collect();
        self.rng.pick(&places).copied()
    }

    /// A block of a function, and a place in it for a new instruction: behind its phis.
    pub(super) fn gap(&mut self) -> Option<(usize, usize, usize)> {
        let body = self.body()?;
        let block = self.rng.below(self.tree.bodies[body].blocks.len().max(1));
        let lines = &self.tree.bodies[body].blocks.get(block)?.lines;
        let first = lines.iter().take_while(|line| line.is("phi")).count();
        let last = lines.len().saturating_sub(1).max(first);
        Some((body, block, first + self.rng.below(last - first + 1)))
    }

    /// The instruction at a place.
    pub(super) fn line(&mut self, (body, block, line): (usize, usize, usize)) -> &mut Line {
        &mut self.tree.bodies[body].blocks[block].lines[line]
    }

    /// A name, without sigil, that nothing has.
    pub(super) fn name(&mut self, kind: &str) -> String {
        self.fresh += 1;
        format!("{kind}.new.{}.{}", self.fresh, self.rng.below(1000))
    }

    /// Something of a type that can be used at a place: a name, or a constant. Mostly it dominates the place.
    pub(super) fn value_of(&mut self, ty: &str, (body, block, line): (usize, usize, usize)) -> String {
        let anywhere = self.rng.percent(6);
        let data = &self.tree.bodies[body];
        let parameters = data.parameters.iter().filter(|[of, _, _]| of == ty).map(|[_, _, name]| name);
        let before = data.blocks.iter().enumerate().flat_map(|(index, other)| {
            let until = match index {
                _ if anywhere => other.lines.len(),
                index if index == block => line,
                0 => other.lines.len(),
                _ => 0,
            };
            let results = other.lines[..until.min(other.lines.len())].iter().filter_map(|line| line.result.as_ref());
            results.filter(|(_, of)| of == ty).map(|(name, _)| name)
        });
        let names: Vec<&String> = parameters.chain(before).collect();
        if !names.is_empty() && !self.rng.percent(20) {
            return names[self.rng.below(names.len())].clone();
        }
        self.constant_of(ty)
    }

    /// A constant of a type, often an extreme one.
    pub(super) fn constant_of(&mut self, ty: &str) -> String {
        let pick = |rng: &mut SplitMix64, of: &[&str]| of[rng.below(of.len())].to_owned();
        match ty {
            "i1" => pick(self.rng, &["true", "false", "poison", "undef"]),
            "float" | "double" | "half" | "bfloat" => pick(self.rng, &["0.0", "1.0", "-2.0", "poison", "undef", "0.5"]),
            "token" => "none".to_owned(),
            "metadata" => "!{}".to_owned(),
            _ if ty.starts_with('i') => self.integer(),
            _ if ty.starts_with("ptr") => {
                let globals: Vec<String> = self.tree.top.iter().filter_map(|line| global_of(line, ty)).collect();
                let global = self.rng.pick(&globals).cloned();
                global.filter(|_| !self.rng.percent(30)).unwrap_or_else(|| pick(self.rng, &["null", "poison", "undef"]))
            }
            _ => pick(self.rng, &["zeroinitializer", "poison", "undef"]),
        }
    }

    /// A number, mostly small or at a limit of some width.
    pub(super) fn integer(&mut self) -> String {
        const EXTREMES: [i128; 22] = [
            0,
            1,
            -1,
            2,
            3,
            7,
            8,
            31,
            32,
            63,
            64,
            127,
            -128,
            255,
            65535,
            65536,
            0x7fff_ffff,
            -0x8000_0000,
            0xffff_ffff,
            0x7fff_ffff_ffff_ffff,
            -0x8000_0000_0000_0000,
            0xffff_ffff_ffff_ffff,
        ];
        match self.rng.below(4) {
            0 => self.rng.below(1000).to_string(),
            1 => EXTREMES[self.rng.below(EXTREMES.len())].to_string(),
            _ => EXTREMES[self.rng.below(8)].to_string(),
        }
    }
}

/// The name of a variable whose address is of a type.
fn global_of(line: &str, ty: &str) -> Option<String> {
    let name = line.starts_with('@').then(|| line.split(" =").next()).flatten()?;
    let space = line.split_once("addrspace(").and_then(|(_, rest)| rest.split(')').next());
    let of = space.map_or_else(|| "ptr".to_owned(), |space| format!("ptr addrspace({space})"));
    (of == ty && (line.contains(" global ") || line.contains(" constant "))).then(|| name.to_owned())
}

impl Line {
    /// A line of a text, with its result if that has a type.
    pub fn new(text: impl Into<String>, result: Option<(String, String)>) -> Line {
        Line { text: text.into(), result }
    }

    /// The opcode.
    pub fn opcode(&self) -> &str {
        let rest = match (&self.result, self.text.split_once(" = ")) {
            (Some(_), Some((_, rest))) => rest,
            _ => &self.text,
        };
        let mut words = rest.split([' ', '\n']).filter(|word| !matches!(*word, "tail" | "musttail" | "notail"));
        words.next().unwrap_or_default()
    }

    /// Whether it has this opcode.
    pub fn is(&self, opcode: &str) -> bool {
        self.opcode() == opcode
    }

    /// Whether it is a call.
    pub fn is_call(&self) -> bool {
        matches!(self.opcode(), "call" | "invoke" | "callbr")
    }

    /// The places of the names that it uses.
    pub fn uses(&self) -> Vec<std::ops::Range<usize>> {
        let skipped = usize::from(self.result.is_some());
        let names = tokens(&self.text).into_iter().filter(|(token, _)| *token == Token::Local);
        names.map(|(_, range)| range).skip(skipped).collect()
    }

    /// Puts a text in the place of a part.
    pub fn replace(&mut self, range: std::ops::Range<usize>, with: &str) {
        self.text.replace_range(range, with);
    }

    /// Puts one name in the place of another, everywhere.
    pub fn rename(&mut self, from: &str, to: &str) {
        for (_, range) in tokens(&self.text).into_iter().rev() {
            if &self.text[range.clone()] == from {
                self.text.replace_range(range, to);
            }
        }
        if let Some((name, _)) = &mut self.result
            && name == from
        {
            *name = to.to_owned();
        }
    }
}

impl Block {
    /// The names, without sigil, of the blocks that may follow.
    pub fn targets(&self) -> Vec<String> {
        let Some(last) = self.lines.last() else { return Vec::new() };
        let parts = last.text.split("label %").skip(1);
        let end = |part: &str| part.find([',', ' ', ']', '\n']).unwrap_or(part.len());
        parts.map(|part| part[..end(part)].to_owned()).collect()
    }
}

impl Body {
    /// The incoming value of `from` in the phis of `to` is no longer there.
    pub fn forget_edge(&mut self, from: &str, to: &str) {
        let Some(index) = index_of(self, to) else { return };
        for line in self.blocks[index].lines.iter_mut().take_while(|line| line.is("phi")) {
            let Some((head, list)) = line.text.split_once('[') else { continue };
            let tail = format!(", %{from} ]");
            let list = format!("[{list}");
            let entries: Vec<&str> = list.split_inclusive(" ]").map(|entry| entry.trim_start_matches(", ")).collect();
            let kept: Vec<&str> =
                entries.iter().copied().filter(|entry| entry.contains('[') && !entry.ends_with(&tail)).collect();
            if !kept.is_empty() && kept.len() < entries.len() {
                line.text = format!("{head}{}", kept.join(", "));
            }
        }
    }

    /// The phis of `to` get a value for an edge from `from`: that of another edge where it has one, else poison.
    pub fn add_edge(&mut self, from: &str, to: &str) {
        let Some(index) = index_of(self, to) else { return };
        for line in self.blocks[index].lines.iter_mut().take_while(|line| line.is("phi")) {
            let constant = match line.result.as_ref().map(|(_, ty)| ty.as_str()) {
                Some("i1") => "true",
                Some(ty) if ty.starts_with('i') => "1",
                _ => "poison",
            };
            line.text.push_str(&format!(", [ {constant}, %{from} ]"));
        }
    }
}
