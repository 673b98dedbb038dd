//! Ways to break a module that keep most of its structure: the text stays one that a reader gets far into.

use reconverge_testing::random::SplitMix64;

const TYPES: &[&str] = &[
    "i1",
    "i8",
    "i16",
    "i32",
    "i64",
    "i128",
    "half",
    "float",
    "double",
    "ptr",
    "ptr addrspace(3)",
    "ptr addrspace(1)",
    "<2 x i32>",
    "<4 x i32>",
    "<4 x float>",
    "<4 x i1>",
    "<2 x ptr>",
    "[4 x i32]",
    "{ i32, float }",
    "{ i32, i1 }",
    "token",
    "label",
    "void",
    "metadata",
    "i24",
    "<2 x half>",
];
const FLAGS: &[&str] =
    &["nuw", "nsw", "exact", "disjoint", "nneg", "samesign", "inbounds", "fast", "nnan", "volatile", "atomic", "nusw"];
const OPCODES: &[&[&str]] = &[
    &["add", "sub", "mul", "udiv", "srem", "shl", "lshr", "and", "or", "xor", "fadd", "fsub", "fmul", "fdiv", "frem"],
    &[
        "trunc",
        "zext",
        "sext",
        "fptrunc",
        "fpext",
        "fptoui",
        "sitofp",
        "uitofp",
        "ptrtoint",
        "inttoptr",
        "bitcast",
        "addrspacecast",
    ],
    &["icmp", "fcmp"],
    &["fneg", "freeze"],
];
const PREDICATES: &[&str] = &["eq", "ne", "slt", "ult", "uge", "olt", "oeq", "uno", "one", "une", "ord"];
const ORDERINGS: &[&str] = &["unordered", "monotonic", "acquire", "release", "acq_rel", "seq_cst"];
const CONSTANTS: &[&str] = &[
    "undef",
    "poison",
    "zeroinitializer",
    "null",
    "1",
    "0",
    "-1",
    "1.0",
    "true",
    "300",
    "0.1",
    "none",
    "<i32 1, i32 2>",
    "[i32 1, i32 2]",
];
const ATTRIBUTES: &[&str] = &[
    "noundef",
    "noalias",
    "zeroext",
    "signext",
    "nonnull",
    "byval(i32)",
    "sret(i32)",
    "align 4",
    "nocapture",
    "readonly",
    "dereferenceable(4)",
    "inreg",
    "range(i32 0, 4)",
    "nofpclass(nan)",
    "immarg",
    "returned",
    "byval(%hidden)",
];

/// A module broken in one step, sometimes two, and by what.
pub(crate) fn broken(text: &str, rng: &mut SplitMix64) -> (&'static str, String) {
    let (kind, broken) = once(text, rng);
    if rng.percent(15) { (kind, once(&broken, rng).1) } else { (kind, broken) }
}

/// A way to break a module; nothing where it has no place for it.
type Breaking = fn(&str, &mut SplitMix64) -> Option<String>;

fn once(text: &str, rng: &mut SplitMix64) -> (&'static str, String) {
    const KINDS: &[(&str, Breaking)] = &[
        ("another type", another_type),
        ("another type in a whole function", type_of_function),
        ("another operand", another_operand),
        ("a constant operand", constant_operand),
        ("lines swapped", swapped),
        ("a line moved", moved),
        ("a line left out", left_out),
        ("a line twice", doubled),
        ("another opcode", another_opcode),
        ("another word", another_word),
        ("another number", another_number),
        ("another flag", another_flag),
        ("another block", another_block),
        ("another list", another_list),
        ("another declaration", another_declaration),
        ("another callee", another_callee),
        ("another attribute", another_attribute),
        ("operands swapped", operands_swapped),
    ];
    for _ in 0..20 {
        let (name, kind) = KINDS[rng.below(KINDS.len())];
        if let Some(broken) = kind(text, rng).filter(|broken| broken != text) {
            return (name, broken);
        }
    }
    ("nothing", text.to_string())
}

/// The lines of bodies, as a range of numbers of lines, of a random function.
fn body(lines: &[&str], rng: &mut SplitMix64) -> Option<std::ops::Range<usize>> {
    let starts: Vec<usize> = (0..lines.len()).filter(|&line| lines[line].starts_with("define")).collect();
    let &start = rng.pick(&starts)?;
    let end = (start..lines.len()).find(|&line| lines[line].starts_with('}'))?;
    (end > start + 1).then_some(start + 1..end)
}

/// A line of a body that is an instruction.
fn instruction(lines: &[&str], rng: &mut SplitMix64) -> Option<usize> {
    let range = body(lines, rng)?;
    let found: Vec<usize> = range.filter(|&line| is_instruction(lines[line])).collect();
    rng.pick(&found).copied()
}

fn is_instruction(line: &str) -> bool {
    let line = line.trim_start();
    !line.is_empty() && !line.ends_with(':') && !line.starts_with(';') && !line.starts_with('#')
}

fn joined(lines: &[impl AsRef<str>]) -> String {
    lines.iter().flat_map(|line| [line.as_ref(), "\n"]).collect()
}

fn with_line(lines: &[&str], at: usize, line: &str) -> Option<String> {
    let mut lines = lines.to_vec();
    lines[at] = line;
    Some(joined(&lines))
}

/// The places of words in a line, types with brackets among them.
fn words(line: &str) -> Vec<std::ops::Range<usize>> {
    let mut found = Vec::new();
    let bytes = line.as_bytes();
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || b"._%@$-".contains(&byte);
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] == b'"' {
            at = line[at + 1..].find('"').map_or(bytes.len(), |end| at + end + 2);
            continue;
        }
        let start = at;
        while at < bytes.len() && is_word(bytes[at]) {
            at += 1;
        }
        if at > start {
            found.push(start..at);
        } else {
            at += 1;
        }
    }
    found
}

/// The places of types in a line: words, and what stands in brackets.
fn types(line: &str) -> Vec<std::ops::Range<usize>> {
    let mut found = Vec::new();
    for word in words(line) {
        let text = &line[word.clone()];
        let is_type = matches!(text, "ptr" | "half" | "float" | "double" | "token" | "void" | "metadata")
            || text.strip_prefix('i').is_some_and(|bits| !bits.is_empty() && bits.bytes().all(|b| b.is_ascii_digit()));
        if !is_type {
            continue;
        }
        let before = line[..word.start].trim_end();
        let is_element = before.ends_with(" x") && before.rfind(['<', '[']).is_some();
        let behind = &line[word.end..];
        if is_element && let Some(open) = before.rfind(['<', '[']) {
            let close = if before[open..].starts_with('<') { '>' } else { ']' };
            if let Some(end) = behind.find(close) {
                found.push(open..word.end + end + 1);
                continue;
            }
        }
        if text == "ptr" && behind.starts_with(" addrspace(") {
            let end = behind.find(')').unwrap_or(0);
            found.push(word.start..word.end + end + 1);
        } else {
            found.push(word);
        }
    }
    found
}

fn replaced(line: &str, place: std::ops::Range<usize>, by: &str) -> String {
    format!("{}{by}{}", &line[..place.start], &line[place.end..])
}

/// Replaces one of the places of a line of a body.
fn at_place(
    text: &str,
    rng: &mut SplitMix64,
    places: impl Fn(&str) -> Vec<std::ops::Range<usize>>,
    by: impl FnOnce(&mut SplitMix64, &str) -> Option<String>,
) -> Option<String> {
    let lines: Vec<&str> = text.lines().collect();
    let at = instruction(&lines, rng)?;
    let place = rng.pick(&places(lines[at]))?.clone();
    let by = by(rng, &lines[at][place.clone()])?;
    with_line(&lines, at, &replaced(lines[at], place, &by))
}

fn another_type(text: &str, rng: &mut SplitMix64) -> Option<String> {
    let by = |rng: &mut SplitMix64, _: &str| rng.pick(TYPES).map(|ty| ty.to_string());
    if rng.percent(85) {
        return at_place(text, rng, types, by);
    }
    let lines: Vec<&str> = text.lines().collect();
    let headers: Vec<usize> =
        (0..lines.len()).filter(|&line| !lines[line].starts_with(' ') && !types(lines[line]).is_empty()).collect();
    let &at = rng.pick(&headers)?;
    let place = rng.pick(&types(lines[at]))?.clone();
    let by = by(rng, "")?;
    with_line(&lines, at, &replaced(lines[at], place, &by))
}

fn type_of_function(text: &str, rng: &mut SplitMix64) -> Option<String> {
    let lines: Vec<&str> = text.lines().collect();
    let range = body(&lines, rng)?;
    let mut all: Vec<&str> = Vec::new();
    for line in &lines[range.start - 1..range.end] {
        all.extend(types(line).into_iter().map(|place| &line[place]));
    }
    let &from = rng.pick(&all)?;
    let &to = rng.pick(TYPES)?;
    let mut changed: Vec<String> = lines.iter().map(|line| line.to_string()).collect();
    for line in &mut changed[range.start - 1..range.end] {
        let places: Vec<_> = types(line).into_iter().filter(|place| &line[place.clone()] == from).collect();
        for place in places.into_iter().rev() {
            *line = replaced(line, place, to);
        }
    }
    Some(joined(&changed))
}

/// The places of local values in a line, but for the result.
fn locals(line: &str) -> Vec<std::ops::Range<usize>> {
    let behind = line.find(" = ").map_or(0, |at| at + 3);
    let is_local = |word: &std::ops::Range<usize>| {
        word.start >= behind && line[word.clone()].starts_with('%') && !line[..word.start].ends_with("label ")
    };
    words(line).into_iter().filter(is_local).collect()
}

fn another_operand(text: &str, rng: &mut SplitMix64) -> Option<String> {
    let lines: Vec<&str> = text.lines().collect();
    let at = instruction(&lines, rng)?;
    let start = (0..at).rev().find(|&line| lines[line].starts_with("define"))?;
    let end = (at..lines.len()).find(|&line| lines[line].starts_with('}'))?;
    let place = rng.pick(&locals(lines[at]))?.clone();
    // Most often a value of the same type: what is broken then is dominance.
    let ty_before = |line: &str, place: &std::ops::Range<usize>| {
        line[..place.start].trim_end().rsplit([' ', '(']).next().unwrap_or("").to_string()
    };
    let wanted = ty_before(lines[at], &place);
    let mut names: Vec<&str> = Vec::new();
    for line in &lines[start..end] {
        if let Some((name, rest)) = line.trim_start().split_once(" = ")
            && (rng.percent(20) || rest.contains(&format!(" {wanted} ")))
        {
            names.push(name);
        }
        names.extend(
            locals(line).into_iter().filter(|place| ty_before(line, place) == wanted).map(|place| &line[place]),
        );
    }
    let &name = rng.pick(&names)?;
    with_line(&lines, at, &replaced(lines[at], place, name))
}

fn constant_operand(text: &str, rng: &mut SplitMix64) -> Option<String> {
    at_place(text, rng, locals, |rng, _| rng.pick(CONSTANTS).map(|constant| constant.to_string()))
}

fn swapped(text: &str, rng: &mut SplitMix64) -> Option<String> {
    let mut lines: Vec<&str> = text.lines().collect();
    let range = body(&lines, rng)?;
    let (one, other) = (range.start + rng.below(range.len()), range.start + rng.below(range.len()));
    lines.swap(one, other);
    Some(joined(&lines))
}

fn moved(text: &str, rng: &mut SplitMix64) -> Option<String> {
    let mut lines: Vec<&str> = text.lines().collect();
    let range = body(&lines, rng)?;
    let from = instruction(&lines, rng).filter(|at| range.contains(at))?;
    let line = lines.remove(from);
    lines.insert(range.start + rng.below(range.len()), line);
    Some(joined(&lines))
}

fn left_out(text: &str, rng: &mut SplitMix64) -> Option<String> {
    let mut lines: Vec<&str> = text.lines().collect();
    let range = body(&lines, rng)?;
    lines.remove(range.start + rng.below(range.len()));
    Some(joined(&lines))
}

fn doubled(text: &str, rng: &mut SplitMix64) -> Option<String> {
    let mut lines: Vec<&str> = text.lines().collect();
    let at = instruction(&lines, rng)?;
    let line = match lines[at].split_once(" = ") {
        Some((_, rest)) => format!("  %again{} = {rest}", rng.below(1000)),
        None => lines[at].to_string(),
    };
    let range = body(&lines, rng)?;
    let to = if rng.percent(60) { at + 1 } else { range.start + rng.below(range.len()) };
    lines.insert(to, &line);
    Some(joined(&lines))
}

fn another_opcode(text: &str, rng: &mut SplitMix64) -> Option<String> {
    let family = rng.pick(OPCODES)?;
    let places = |line: &str| words(line).into_iter().filter(|word| family.contains(&&line[word.clone()])).collect();
    for _ in 0..10 {
        if let Some(broken) = at_place(text, rng, places, |rng, _| rng.pick(family).map(|word| word.to_string())) {
            return Some(broken);
        }
    }
    None
}

fn another_word(text: &str, rng: &mut SplitMix64) -> Option<String> {
    let family = if rng.percent(50) { PREDICATES } else { ORDERINGS };
    let places = |line: &str| words(line).into_iter().filter(|word| family.contains(&&line[word.clone()])).collect();
    for _ in 0..20 {
        if let Some(broken) = at_place(text, rng, places, |rng, _| rng.pick(family).map(|word| word.to_string())) {
            return Some(broken);
        }
    }
    None
}

fn another_number(text: &str, rng: &mut SplitMix64) -> Option<String> {
    let places = |line: &str| {
        let is_number = |word: &std::ops::Range<usize>| {
            line[word.clone()].bytes().all(|byte| byte.is_ascii_digit() || byte == b'-')
        };
        words(line).into_iter().filter(is_number).collect()
    };
    at_place(text, rng, places, |rng, _| {
        rng.pick(&["0", "1", "2", "3", "4", "7", "8", "-1", "64", "300", "1.5", "true"]).map(|n| n.to_string())
    })
}

fn another_flag(text: &str, rng: &mut SplitMix64) -> Option<String> {
    let places = |line: &str| {
        let opcode = words(line).into_iter().find(|word| {
            let text = &line[word.clone()];
            text.len() > 1 && text.bytes().all(|byte| byte.is_ascii_lowercase()) && !text.starts_with('%')
        });
        opcode.into_iter().collect()
    };
    at_place(text, rng, places, |rng, opcode| rng.pick(FLAGS).map(|flag| format!("{opcode} {flag}")))
}

/// Another target of a branch, or another block of a phi.
fn another_block(text: &str, rng: &mut SplitMix64) -> Option<String> {
    let lines: Vec<&str> = text.lines().collect();
    let range = body(&lines, rng)?;
    let labels: Vec<String> = lines[range.clone()]
        .iter()
        .filter_map(|line| line.strip_suffix(':').or(line.split_once(':').map(|(name, _)| name)))
        .filter(|name| !name.contains(' '))
        .map(|name| format!("%{name}"))
        .collect();
    let places = |line: &str| -> Vec<std::ops::Range<usize>> {
        let is_block = |word: &std::ops::Range<usize>| labels.iter().any(|label| *label == line[word.clone()]);
        words(line).into_iter().filter(is_block).collect()
    };
    let with_blocks: Vec<usize> = range.filter(|&line| !places(lines[line]).is_empty()).collect();
    let &at = rng.pick(&with_blocks)?;
    let place = rng.pick(&places(lines[at]))?.clone();
    let label = rng.pick(&labels)?;
    with_line(&lines, at, &replaced(lines[at], place, label))
}

/// Leaves out, doubles or moves an element of a list: arguments, indices, values of a phi.
fn another_list(text: &str, rng: &mut SplitMix64) -> Option<String> {
    let lines: Vec<&str> = text.lines().collect();
    let at = instruction(&lines, rng)?;
    let mut parts: Vec<&str> = lines[at].split(", ").collect();
    if parts.len() < 2 {
        return None;
    }
    let which = 1 + rng.below(parts.len() - 1);
    match rng.below(3) {
        0 => drop(parts.remove(which)),
        1 => parts.insert(which, parts[which]),
        _ => {
            let other = 1 + rng.below(parts.len() - 1);
            parts.swap(which, other);
        }
    }
    with_line(&lines, at, &parts.join(", "))
}

fn operands_swapped(text: &str, rng: &mut SplitMix64) -> Option<String> {
    let lines: Vec<&str> = text.lines().collect();
    let at = instruction(&lines, rng)?;
    let places = locals(lines[at]);
    let (one, other) = (rng.pick(&places)?.clone(), rng.pick(&places)?.clone());
    if one.start >= other.start {
        return None;
    }
    let (first, second) = (lines[at][one.clone()].to_string(), lines[at][other.clone()].to_string());
    let line = replaced(lines[at], other, &first);
    with_line(&lines, at, &replaced(&line, one, &second))
}

/// Changes a declaration, and sometimes the calls with it.
fn another_declaration(text: &str, rng: &mut SplitMix64) -> Option<String> {
    let lines: Vec<&str> = text.lines().collect();
    let declared: Vec<usize> = (0..lines.len()).filter(|&line| lines[line].starts_with("declare")).collect();
    let &at = rng.pick(&declared)?;
    let line = lines[at];
    let name = line.split('@').nth(1)?.split('(').next()?;
    if rng.percent(40) {
        let &from = rng.pick(&types(line).into_iter().map(|place| &line[place]).collect::<Vec<&str>>())?;
        let &to = rng.pick(TYPES)?;
        // Everywhere where it is called, too.
        let mut changed: Vec<String> = lines.iter().map(|line| line.to_string()).collect();
        for line in changed.iter_mut().filter(|line| line.contains(&format!("@{name}("))) {
            let places: Vec<_> = types(line).into_iter().filter(|place| &line[place.clone()] == from).collect();
            for place in places.into_iter().rev() {
                *line = replaced(line, place, to);
            }
        }
        return Some(joined(&changed));
    }
    if rng.percent(20) {
        // Without a declaration LLVM makes one up for intrinsics.
        let mut lines = lines;
        lines.remove(at);
        return Some(joined(&lines));
    }
    let open = line.find('(')?;
    let close = line.rfind(')')?;
    let mut parameters: Vec<&str> = line[open + 1..close].split(", ").filter(|part| !part.is_empty()).collect();
    let which = rng.below(parameters.len() + 1);
    match rng.below(3) {
        0 if which < parameters.len() => drop(parameters.remove(which)),
        1 if which < parameters.len() => parameters[which] = rng.pick(TYPES)?,
        _ => parameters.insert(which, rng.pick(TYPES)?),
    }
    with_line(&lines, at, &format!("{}({}){}", &line[..open], parameters.join(", "), &line[close + 1..]))
}

fn another_callee(text: &str, rng: &mut SplitMix64) -> Option<String> {
    let globals: Vec<String> = text
        .lines()
        .filter(|line| !line.starts_with(' '))
        .filter_map(|line| words(line).into_iter().map(|word| &line[word]).find(|word| word.starts_with('@')))
        .map(str::to_string)
        .collect();
    let places =
        |line: &str| words(line).into_iter().filter(|word| line[word.clone()].starts_with(['@', '%'])).collect();
    at_place(text, rng, places, |rng, _| rng.pick(&globals).cloned())
}

fn another_attribute(text: &str, rng: &mut SplitMix64) -> Option<String> {
    let lines: Vec<&str> = text.lines().collect();
    let with: Vec<usize> = (0..lines.len())
        .filter(|&line| {
            lines[line].starts_with("define") || lines[line].contains("call ") || lines[line].starts_with("declare")
        })
        .collect();
    let &at = rng.pick(&with)?;
    let line = lines[at];
    let open = line.find('(')?;
    let places: Vec<_> = types(line).into_iter().filter(|place| place.start > open).collect();
    let place = rng.pick(&places)?.clone();
    let &attribute = rng.pick(ATTRIBUTES)?;
    with_line(&lines, at, &format!("{} {attribute}{}", &line[..place.end], &line[place.end..]))
}
