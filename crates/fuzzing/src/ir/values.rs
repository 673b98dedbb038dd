//! Changes of what instructions compute: operands, opcodes, types, numbers.

use super::module::{Token, tokens};
use super::mutate::Change;

/// A name becomes another one of the same type.
pub(super) fn other_operand(change: &mut Change<'_>) -> bool {
    replace_operand(change, false)
}

/// A name becomes another one, whatever its type.
pub(super) fn operand_of_another_type(change: &mut Change<'_>) -> bool {
    replace_operand(change, true)
}

fn replace_operand(change: &mut Change<'_>, any_type: bool) -> bool {
    let Some(place) = change.place() else { return false };
    let types = change.tree.bodies[place.0].types();
    let line = &change.tree.bodies[place.0].blocks[place.1].lines[place.2];
    let uses = line.uses().into_iter().filter_map(|range| {
        let ty = types.get(&line.text[range.clone()])?;
        Some((range, (*ty).to_owned()))
    });
    let uses: Vec<_> = uses.collect();
    let all: Vec<String> = types.keys().map(|name| (*name).to_owned()).collect();
    let Some((range, ty)) = change.rng.pick(&uses).cloned() else { return false };
    let mut all = all;
    all.sort();
    let new = match any_type {
        true => change.rng.pick(&all).cloned().unwrap_or_default(),
        false => change.value_of(&ty, place),
    };
    change.line(place).replace(range, &new);
    true
}

/// A name becomes `poison` or `undef`.
pub(super) fn poison_operand(change: &mut Change<'_>) -> bool {
    let Some(place) = change.place() else { return false };
    let types = change.tree.bodies[place.0].types();
    let line = &change.tree.bodies[place.0].blocks[place.1].lines[place.2];
    let uses =
        line.uses().into_iter().filter(|range| types.get(&line.text[range.clone()]).is_some_and(|ty| *ty != "token"));
    let uses: Vec<_> = uses.collect();
    let Some(range) = change.rng.pick(&uses).cloned() else { return false };
    let new = ["poison", "undef"][change.rng.below(2)];
    change.line(place).replace(range, new);
    true
}

/// Opcodes that can stand for each other, and other words.
const FAMILIES: &[&[&str]] = &[
    &["add", "sub", "mul", "udiv", "sdiv", "urem", "srem", "shl", "lshr", "ashr", "and", "or", "xor"],
    &["fadd", "fsub", "fmul", "fdiv", "frem"],
    &["eq", "ne", "ugt", "uge", "ult", "ule", "sgt", "sge", "slt", "sle"],
    &["oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "une", "uno", "false", "true"],
    &["zext", "sext"],
    &["zext", "trunc", "bitcast"],
    &["fptoui", "fptosi"],
    &["uitofp", "sitofp"],
    &["ptrtoint", "ptrtoaddr"],
    &["monotonic", "acquire", "release", "acq_rel", "seq_cst", "unordered"],
    &[
        "xchg",
        "add",
        "sub",
        "and",
        "nand",
        "or",
        "xor",
        "max",
        "min",
        "umax",
        "umin",
        "uinc_wrap",
        "udec_wrap",
        "usub_cond",
        "usub_sat",
        "fadd",
    ],
    &["br", "switch", "ret"],
    &["freeze", "fneg"],
];

/// A word becomes another one of its family.
pub(super) fn other_opcode(change: &mut Change<'_>) -> bool {
    let is_in = |word: &str| FAMILIES.iter().any(|family| family.contains(&word));
    let has_one =
        |text: &str| tokens(text).into_iter().any(|(token, range)| token == Token::Word && is_in(&text[range]));
    let Some(place) = change.place_where(|line| has_one(&line.text)) else { return false };
    let text = change.line(place).text.clone();
    let words = tokens(&text).into_iter().filter(|(token, range)| *token == Token::Word && is_in(&text[range.clone()]));
    let words: Vec<_> = words.map(|(_, range)| range).collect();
    let Some(range) = change.rng.pick(&words).cloned() else { return false };
    let families: Vec<_> = FAMILIES.iter().filter(|family| family.contains(&&text[range.clone()])).collect();
    let Some(new) = change.rng.pick(&families).and_then(|family| change.rng.pick(family)) else { return false };
    change.line(place).replace(range, new);
    true
}

/// Flags that may follow an opcode, right or not.
pub(super) fn other_flags(change: &mut Change<'_>) -> bool {
    const FLAGS: [(&str, &[&str]); 9] = [
        ("add", &["nsw", "nuw", "nuw nsw"]),
        ("sub", &["nsw", "nuw"]),
        ("mul", &["nsw", "nuw"]),
        ("shl", &["nsw", "nuw"]),
        ("udiv", &["exact"]),
        ("lshr", &["exact"]),
        ("or", &["disjoint"]),
        ("getelementptr", &["inbounds", "nusw", "nuw"]),
        ("zext", &["nneg"]),
    ];
    let known = |opcode: &str| FLAGS.iter().find(|(of, _)| *of == opcode);
    let Some(place) = change.place_where(|line| line.opcode().starts_with('f') || known(line.opcode()).is_some())
    else {
        return false;
    };
    let opcode = change.line(place).opcode().to_owned();
    let fast: &[&str] = &["fast", "nnan", "ninf nsz", "contract", "afn", "reassoc"];
    let flags = known(&opcode).map_or(fast, |(_, flags)| flags);
    let Some(flag) = change.rng.pick(flags) else { return false };
    let line = change.line(place);
    line.text = line.text.replacen(&format!("{opcode} "), &format!("{opcode} {flag} "), 1);
    true
}

const TYPES: [&str; 18] = [
    "i32",
    "i64",
    "i8",
    "i16",
    "i1",
    "i7",
    "i128",
    "float",
    "double",
    "half",
    "bfloat",
    "ptr",
    "ptr addrspace(1)",
    "ptr addrspace(3)",
    "<2 x i32>",
    "<4 x float>",
    "[2 x i32]",
    "{ i32, i1 }",
];

/// A type becomes another one in all of a function, so that it stays well formed where only instructions on it are.
pub(super) fn other_type_everywhere(change: &mut Change<'_>) -> bool {
    let Some(index) = change.body() else { return false };
    let (from, to) = [
        ("i32", "i64"),
        ("i32", "i16"),
        ("i32", "i33"),
        ("i64", "i32"),
        ("float", "double"),
        ("float", "half"),
        ("double", "float"),
        ("i8", "i32"),
        ("i32", "i128"),
        ("i16", "i32"),
    ][change.rng.below(10)];
    let body = &mut change.tree.bodies[index];
    let swap = |text: &mut String| {
        let mut found = false;
        for (token, range) in tokens(text).into_iter().rev() {
            if token == Token::Word && &text[range.clone()] == from {
                text.replace_range(range, to);
                found = true;
            }
        }
        found
    };
    let mut found = false;
    for line in body.blocks.iter_mut().flat_map(|block| &mut block.lines) {
        // What is called keeps its type.
        if line.is_call() {
            continue;
        }
        found |= swap(&mut line.text);
        if let Some((_, ty)) = &mut line.result {
            swap(ty);
        }
    }
    found
}

/// A type becomes another one in one place.
pub(super) fn other_type_once(change: &mut Change<'_>) -> bool {
    let is_type = |word: &str| TYPES.contains(&word);
    let has_one =
        |text: &str| tokens(text).into_iter().any(|(token, range)| token == Token::Word && is_type(&text[range]));
    let Some(place) = change.place_where(|line| has_one(&line.text)) else { return false };
    let text = change.line(place).text.clone();
    let words =
        tokens(&text).into_iter().filter(|(token, range)| *token == Token::Word && is_type(&text[range.clone()]));
    let words: Vec<_> = words.map(|(_, range)| range).collect();
    let Some(range) = change.rng.pick(&words).cloned() else { return false };
    let new = TYPES[change.rng.below(TYPES.len())];
    change.line(place).replace(range, new);
    true
}

/// A number becomes another one.
pub(super) fn extreme_number(change: &mut Change<'_>) -> bool {
    let has_one = |text: &str| tokens(text).into_iter().any(|(token, _)| token == Token::Number);
    if change.rng.percent(10) {
        // Sizes of variables, numbers in metadata.
        let lines: Vec<usize> = (0..change.tree.top.len()).filter(|&line| has_one(&change.tree.top[line])).collect();
        let Some(&at) = change.rng.pick(&lines) else { return false };
        let new = change.integer();
        let text = &mut change.tree.top[at];
        let numbers: Vec<_> = tokens(text).into_iter().filter(|(token, _)| *token == Token::Number).collect();
        let Some((_, range)) = change.rng.pick(&numbers).cloned() else { return false };
        text.replace_range(range, &new);
        return true;
    }
    let Some(place) = change.place_where(|line| has_one(&line.text)) else { return false };
    let text = change.line(place).text.clone();
    let numbers: Vec<_> = tokens(&text).into_iter().filter(|(token, _)| *token == Token::Number).collect();
    let Some((_, range)) = change.rng.pick(&numbers).cloned() else { return false };
    let is_float = text[range.clone()].contains(['.', 'x', 'e']);
    let new = match is_float {
        true => ["0.0", "1.0", "-1.0", "0x7FF0000000000000", "0x7FF8000000000000", "0xFFF0000000000000"]
            [change.rng.below(6)]
        .to_owned(),
        false => change.integer(),
    };
    change.line(place).replace(range, &new);
    true
}
