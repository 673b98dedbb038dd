//! Changes of a source text that keep most of it a program.

use reconverge_testing::random::SplitMix64;

use super::tree::{Node, Tree, statements};

/// What a change works on.
struct Change<'c> {
    rng: &'c mut SplitMix64,
    others: &'c [Tree],
    /// The words of the text that are no keywords.
    words: Vec<String>,
    fresh: u32,
}

type Step = fn(&mut Change<'_>, &mut Tree) -> bool;

const STEPS: &[(u32, Step)] = &[
    (10, other_word),
    (14, number),
    (12, operator),
    (10, twice),
    (6, without),
    (6, swapped),
    (10, wrapped),
    (4, inserted),
    (4, expression),
    (3, other_type),
    (2, spliced),
    (2, qualifier),
    (3, macros),
    (3, declaration),
    (1, other_bracket),
    (1, nested),
    (1, token),
];

/// Changes a text some times.
pub fn mutate(seed: u64, tree: &Tree, others: &[Tree]) -> Vec<u8> {
    let rng = &mut SplitMix64::new(seed);
    let mut tree = tree.clone();
    let mut words = Vec::new();
    each(&tree.nodes, &mut |node| {
        if let Node::Word(word) = node
            && !is_keyword(word)
        {
            words.push(word.clone());
        }
    });
    words.sort();
    words.dedup();
    let times = [1, 1, 1, 1, 2, 2, 3, 6][rng.below(8)];
    let total: u32 = STEPS.iter().map(|(weight, _)| weight).sum();
    let mut change = Change { rng, others, words, fresh: 0 };
    for _ in 0..times {
        for _ in 0..5 {
            let mut drawn = change.rng.below(total as usize) as u32;
            let step = STEPS.iter().find(|(weight, _)| {
                let found = drawn < *weight;
                drawn = drawn.saturating_sub(*weight);
                found
            });
            if step.is_some_and(|(_, step)| step(&mut change, &mut tree)) {
                break;
            }
        }
    }
    let mut text = tree.print().into_bytes();
    if rng.percent(1) && !text.is_empty() {
        let at = rng.below(text.len());
        text[at] = b"\0\n\"(){}#\\\xff"[rng.below(10)];
    }
    text
}

const TYPES: [&str; 16] = [
    "int", "uint", "unsigned", "float", "double", "long", "ulong", "short", "char", "uchar", "bool", "int4", "float2",
    "half", "size_t", "uchar16",
];

fn is_keyword(word: &str) -> bool {
    TYPES.contains(&word)
        || matches!(
            word,
            "if" | "else"
                | "for"
                | "while"
                | "do"
                | "switch"
                | "case"
                | "default"
                | "break"
                | "continue"
                | "return"
                | "goto"
                | "struct"
                | "union"
                | "enum"
                | "typedef"
                | "template"
                | "typename"
                | "class"
                | "const"
                | "void"
                | "static"
                | "kernel"
                | "__kernel"
                | "global"
                | "__global"
                | "local"
                | "__local"
                | "__global__"
                | "__device__"
                | "__shared__"
                | "volatile"
                | "restrict"
                | "__restrict__"
                | "sizeof"
                | "extern"
                | "inline"
                | "auto"
                | "namespace"
                | "using"
                | "operator"
                | "__attribute__"
                | "constant"
                | "__constant"
                | "signed"
                | "true"
                | "false"
                | "constexpr"
                | "__host__"
                | "private"
                | "__private"
        )
}

fn each(nodes: &[Node], visit: &mut impl FnMut(&Node)) {
    for node in nodes {
        visit(node);
        if let Node::Group(_, inner) = node {
            each(inner, visit);
        }
    }
}

/// Visits every list of nodes: the text's, and those in brackets.
fn each_list(kind: char, nodes: &mut Vec<Node>, visit: &mut impl FnMut(char, &mut Vec<Node>)) {
    visit(kind, nodes);
    for node in nodes {
        if let Node::Group(kind, inner) = node {
            each_list(*kind, inner, visit);
        }
    }
}

/// Does something with one of the lists for which something holds.
fn with_list(
    change: &mut Change<'_>,
    tree: &mut Tree,
    holds: impl Fn(char, &[Node]) -> bool,
    work: impl FnOnce(&mut Change<'_>, &mut Vec<Node>) -> bool,
) -> bool {
    let mut count = 0;
    each_list(' ', &mut tree.nodes, &mut |kind, list| count += usize::from(holds(kind, list)));
    if count == 0 {
        return false;
    }
    let mut drawn = change.rng.below(count) as isize;
    let mut work = Some(work);
    let mut done = false;
    each_list(' ', &mut tree.nodes, &mut |kind, list| {
        if drawn >= 0 && holds(kind, list) {
            if drawn == 0
                && let Some(work) = work.take()
            {
                done = work(change, list);
            }
            drawn -= 1;
        }
    });
    done
}

/// Does something with one of the nodes for which something holds.
fn with_node(
    change: &mut Change<'_>,
    tree: &mut Tree,
    holds: impl Fn(&Node) -> bool,
    work: impl FnOnce(&mut Change<'_>, &mut Node),
) -> bool {
    let mut count = 0;
    each(&tree.nodes, &mut |node| count += usize::from(holds(node)));
    if count == 0 {
        return false;
    }
    let mut drawn = change.rng.below(count) as isize;
    let mut work = Some(work);
    each_list(' ', &mut tree.nodes, &mut |_, list| {
        for node in list {
            if holds(node) {
                if drawn == 0
                    && let Some(work) = work.take()
                {
                    work(change, node);
                    return;
                }
                drawn -= 1;
            }
        }
    });
    true
}

/// Whether a list is the body of a function or of a statement in it.
fn is_body(kind: char, list: &[Node]) -> bool {
    let has_code = || {
        list.iter().any(|node| matches!(node, Node::Group('(', _)))
            || list.iter().any(|node| *node == Node::Other("=".into()))
    };
    kind == '{' && list.iter().any(|node| *node == Node::Other(";".into())) && has_code()
}

fn parse(text: &str) -> Vec<Node> {
    Tree::read(text).nodes
}

/// A name becomes another one that the same body uses in the same way: called or not.
fn other_word(change: &mut Change<'_>, tree: &mut Tree) -> bool {
    let anywhere = change.rng.percent(10);
    let words = change.words.clone();
    with_list(change, tree, is_body, |change, list| {
        let mut known: [Vec<String>; 2] = Default::default();
        each_word(list, &mut |word, called| known[usize::from(called)].push(word.clone()));
        let count = known[0].len() + known[1].len();
        if count == 0 {
            return false;
        }
        let mut drawn = change.rng.below(count) as isize;
        let mut done = false;
        each_word(list, &mut |word, called| {
            if drawn == 0 {
                let from = if anywhere { &words } else { &known[usize::from(called)] };
                if let Some(new) = change.rng.pick(from) {
                    done = new != word;
                    *word = new.clone();
                }
            }
            drawn -= 1;
        });
        done
    })
}

/// Visits the names in a list, and whether each is called; not those of members.
fn each_word(nodes: &mut [Node], visit: &mut dyn FnMut(&mut String, bool)) {
    for index in 0..nodes.len() {
        let called = matches!(nodes.get(index + 1), Some(Node::Group('(', _)));
        let is_member =
            index > 0 && matches!(&nodes[index - 1], Node::Other(text) if matches!(text.as_str(), "." | "->" | "::"));
        match &mut nodes[index] {
            Node::Word(word) if !is_keyword(word) && !is_member => visit(word, called),
            Node::Group(_, inner) => each_word(inner, visit),
            _ => {}
        }
    }
}

fn number(change: &mut Change<'_>, tree: &mut Tree) -> bool {
    const NUMBERS: [&str; 24] = [
        "0",
        "1",
        "2",
        "3",
        "31",
        "32",
        "33",
        "64",
        "-1",
        "255",
        "256",
        "65536",
        "0x7fffffff",
        "0x80000000",
        "0xffffffffu",
        "4294967296",
        "0x7fffffffffffffff",
        "18446744073709551615u",
        "1.5f",
        "1e38f",
        "0.0",
        "1e999",
        "'a'",
        "1000000",
    ];
    with_node(
        change,
        tree,
        |node| matches!(node, Node::Number(_)),
        |change, node| {
            let most = if change.rng.percent(70) { 8 } else { NUMBERS.len() };
            *node = Node::Number(NUMBERS[change.rng.below(most)].to_owned());
        },
    )
}

fn operator(change: &mut Change<'_>, tree: &mut Tree) -> bool {
    const FAMILIES: [&[&str]; 5] = [
        &["+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^"],
        &["<", ">", "<=", ">=", "==", "!="],
        &["&&", "||"],
        &["=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "<<=", ">>="],
        &["++", "--"],
    ];
    let family = |text: &str| FAMILIES.iter().find(|family| family.contains(&text));
    with_node(
        change,
        tree,
        |node| matches!(node, Node::Other(text) if family(text).is_some()),
        |change, node| {
            let Node::Other(text) = node else { return };
            let Some(new) = family(text).and_then(|family| change.rng.pick(family)) else { return };
            *text = (*new).to_owned();
        },
    )
}

fn twice(change: &mut Change<'_>, tree: &mut Tree) -> bool {
    with_list(change, tree, is_body, |change, list| {
        let ranges = statements(list);
        let Some(range) = change.rng.pick(&ranges).cloned() else { return false };
        // In braces, so that what it declares is not declared twice.
        let copy = Node::Group('{', list[range.clone()].to_vec());
        list.insert(range.end, copy);
        true
    })
}

fn without(change: &mut Change<'_>, tree: &mut Tree) -> bool {
    with_list(change, tree, is_body, |change, list| {
        let ranges = statements(list);
        let Some(range) = change.rng.pick(&ranges).cloned() else { return false };
        list.drain(range);
        true
    })
}

fn swapped(change: &mut Change<'_>, tree: &mut Tree) -> bool {
    with_list(change, tree, is_body, |change, list| {
        let ranges = statements(list);
        if ranges.len() < 2 {
            return false;
        }
        let first = change.rng.below(ranges.len() - 1);
        let (one, two) = (ranges[first].clone(), ranges[first + 1].clone());
        list[one.start..two.end].rotate_left(one.len());
        true
    })
}

/// A statement becomes a part of another one.
fn wrapped(change: &mut Change<'_>, tree: &mut Tree) -> bool {
    const WRAPS: [&str; 14] = [
        "if (W > 0) {B}",
        "if (W) {B} else {B}",
        "for (int fz = 0; fz < 3; fz++) {B}",
        "while (W) {B break;}",
        "do {B} while (0);",
        "do {B if (W) continue; } while (W < 1);",
        "switch (W) { case 0: {B} break; case 1: default: {B} }",
        "for (;;) {B if (W) break; }",
        "{B}",
        "if (W) return;",
        "switch (W) { case 1: while (W) { case 2: {B} break; } }",
        "{ goto fzN; fzN:; {B} }",
        "__attribute__((noconvergent)) {B}",
        "if (W && W) { {B} if (W) { {B} } }",
    ];
    let words = change.words.clone();
    with_list(change, tree, is_body, |change, list| {
        let ranges = statements(list);
        let Some(range) = change.rng.pick(&ranges).cloned() else { return false };
        change.fresh += 1;
        let template = WRAPS[change.rng.below(WRAPS.len())];
        let template = template.replace("{B", "{BODY;").replace("fzN", &format!("fz{}", change.fresh));
        let mut nodes = parse(&template);
        let body = list[range.clone()].to_vec();
        fill(&mut nodes, &body, &words, change.rng);
        list.splice(range, nodes);
        true
    })
}

fn fill(nodes: &mut Vec<Node>, body: &[Node], words: &[String], rng: &mut SplitMix64) {
    let mut index = 0;
    while index < nodes.len() {
        match &mut nodes[index] {
            Node::Word(word) if word == "BODY" => {
                nodes.splice(index..(index + 2).min(nodes.len()), body.iter().cloned());
                index += body.len();
                continue;
            }
            Node::Word(word) if word == "W" => {
                // Names that are short are mostly variables.
                let short: Vec<&String> = words.iter().filter(|word| word.len() <= 4).collect();
                *word = rng.pick(&short).map_or_else(|| "1".to_owned(), |word| (*word).clone());
            }
            Node::Group(_, inner) => fill(inner, body, words, rng),
            _ => {}
        }
        index += 1;
    }
}

/// A statement from a list.
fn inserted(change: &mut Change<'_>, tree: &mut Tree) -> bool {
    const STATEMENTS: [&str; 26] = [
        "barrier(CLK_LOCAL_MEM_FENCE);",
        "__syncthreads();",
        "__syncwarp();",
        "sub_group_barrier(1);",
        "int fzN = get_local_id(0);",
        "int fzN = threadIdx.x;",
        "W = sub_group_reduce_add(W);",
        "W = __shfl_sync(0xffffffff, W, 0);",
        "W = __ballot_sync(~0u, W > 1);",
        "W++;",
        "W = W ? W : W;",
        "W += W * W;",
        "return;",
        "break;",
        "continue;",
        "int fzN[4] = {1, 2, 3};",
        "struct { int a; float b; } fzN = {1, 2.0f}; (void)fzN.a;",
        "printf(\"%d %s %f\\n\", W);",
        "atomic_add(&W, 1);",
        "atomicAdd(&W, 1);",
        "__attribute__((convergent)) void fzN(void); fzN();",
        "auto fzN = [&](int a) { return a + W; }; W = fzN(1);",
        "asm volatile(\"bar.sync 0;\");",
        "if (get_local_id(0) == 0) barrier(1);",
        "if (threadIdx.x < 16) __syncthreads();",
        "static_assert(sizeof(int) == 4, \"\");",
    ];
    let words = change.words.clone();
    with_list(change, tree, is_body, |change, list| {
        change.fresh += 1;
        let mut nodes =
            parse(&STATEMENTS[change.rng.below(STATEMENTS.len())].replace("fzN", &format!("fz{}", change.fresh)));
        fill(&mut nodes, &[], &words, change.rng);
        let ends: Vec<usize> = statements(list).into_iter().map(|range| range.end).collect();
        let at = change.rng.pick(&ends).copied().unwrap_or(0);
        list.splice(at..at, nodes);
        true
    })
}

/// What stands in parentheses becomes something else.
fn expression(change: &mut Change<'_>, tree: &mut Tree) -> bool {
    let mut groups: Vec<Vec<Node>> = Vec::new();
    let is_expression = |inner: &[Node]| {
        !inner.is_empty()
            && inner.len() < 12
            && inner.iter().all(|node| !matches!(node, Node::Other(text) if text == ";" || text == ","))
    };
    each(&tree.nodes, &mut |node| {
        if let Node::Group('(', inner) = node
            && is_expression(inner)
        {
            groups.push(inner.clone());
        }
    });
    with_node(
        change,
        tree,
        |node| matches!(node, Node::Group('(', inner) if is_expression(inner)),
        |change, node| {
            let Node::Group(_, inner) = node else { return };
            let other = change.rng.pick(&groups).cloned().unwrap_or_default();
            *inner = match change.rng.below(6) {
                0 => vec![Node::Other("-".into()), Node::Group('(', inner.clone())],
                1 => vec![Node::Other("!".into()), Node::Group('(', inner.clone())],
                2 => [vec![Node::Group('(', inner.clone())], parse("+ 1")].concat(),
                3 => [vec![Node::Group('(', parse("int"))], vec![Node::Group('(', inner.clone())]].concat(),
                4 => [vec![Node::Group('(', inner.clone())], parse("&&"), vec![Node::Group('(', other)]].concat(),
                _ => other,
            };
        },
    )
}

fn other_type(change: &mut Change<'_>, tree: &mut Tree) -> bool {
    with_node(
        change,
        tree,
        |node| matches!(node, Node::Word(word) if TYPES.contains(&word.as_str())),
        |change, node| {
            *node = Node::Word(TYPES[change.rng.below(TYPES.len())].to_owned());
        },
    )
}

/// A statement, or a declaration, of another text.
fn spliced(change: &mut Change<'_>, tree: &mut Tree) -> bool {
    let Some(other) = change.rng.pick(change.others) else { return false };
    if change.rng.percent(50) {
        let ranges = statements(&other.nodes);
        let Some(range) = change.rng.pick(&ranges).cloned() else { return false };
        tree.nodes.extend(other.nodes[range].iter().cloned());
        return true;
    }
    let mut found: Vec<Vec<Node>> = Vec::new();
    let mut copy = other.clone();
    each_list(' ', &mut copy.nodes, &mut |kind, list| {
        if is_body(kind, list) {
            found.extend(statements(list).into_iter().map(|range| list[range].to_vec()));
        }
    });
    let Some(mut nodes) = change.rng.pick(&found).cloned() else { return false };
    let words = change.words.clone();
    rename(&mut nodes, &words, change.rng);
    with_list(change, tree, is_body, |change, list| {
        let ends: Vec<usize> = statements(list).into_iter().map(|range| range.end).collect();
        let at = change.rng.pick(&ends).copied().unwrap_or(0);
        list.insert(at, Node::Group('{', nodes));
        true
    })
}

/// Names that a text does not have become some that it has.
fn rename(nodes: &mut [Node], words: &[String], rng: &mut SplitMix64) {
    for index in 0..nodes.len() {
        let is_called = matches!(nodes.get(index + 1), Some(Node::Group('(', _)));
        match &mut nodes[index] {
            Node::Word(word) if !is_called && !is_keyword(word) && !words.contains(word) => {
                if let Some(other) = rng.pick(words) {
                    *word = other.clone();
                }
            }
            Node::Group(_, inner) => rename(inner, words, rng),
            _ => {}
        }
    }
}

fn qualifier(change: &mut Change<'_>, tree: &mut Tree) -> bool {
    const WORDS: [&str; 16] = [
        "const",
        "volatile",
        "static",
        "local",
        "__local",
        "global",
        "__global",
        "__shared__",
        "__device__",
        "__global__",
        "unsigned",
        "inline",
        "kernel",
        "__attribute__((convergent))",
        "__attribute__((reqd_work_group_size(8,1,1)))",
        "extern",
    ];
    with_list(
        change,
        tree,
        |kind, list| matches!(kind, ' ' | '{') && !statements(list).is_empty(),
        |change, list| {
            let starts: Vec<usize> = statements(list).into_iter().map(|range| range.start).collect();
            let Some(&at) = change.rng.pick(&starts) else { return false };
            list.splice(at..at, parse(WORDS[change.rng.below(WORDS.len())]));
            true
        },
    )
}

fn macros(change: &mut Change<'_>, tree: &mut Tree) -> bool {
    const LINES: [&str; 16] = [
        "#define FZ(x) ((x) + 1)",
        "#define FZ(x, ...) x __VA_ARGS__",
        "#define FZ(x) #x",
        "#define FZ(x, y) x##y",
        "#if 0\n#else\n#endif",
        "#ifdef FZ\n#elif 1 > 0\n#endif",
        "#if (1 << 40) / 0\n#endif",
        "#include \"fuzz.h\"",
        "#include __FILE__",
        "#pragma unroll",
        "#undef FZ",
        "#line 7 \"x\"",
        "#define A0 A1 A1\n#define A1 A2 A2\n#define A2 A3 A3\n#define A3 1 +",
        "#error no",
        "#define int long",
        "#if defined(FZ) && FZ(1, 2) == 12\n#endif",
    ];
    let at = change.rng.below(tree.nodes.len() + 1);
    let line = LINES[change.rng.below(LINES.len())];
    tree.nodes.insert(at, Node::Directive(format!("{line}\n")));
    let words = change.words.clone();
    with_node(
        change,
        tree,
        |node| matches!(node, Node::Number(_)),
        |change, node| {
            if line.contains("FZ(x)") {
                *node = Node::Word(format!("FZ({})", change.rng.pick(&words).map_or("1", |word| word)));
            }
        },
    );
    true
}

fn declaration(change: &mut Change<'_>, tree: &mut Tree) -> bool {
    const TEXTS: [&str; 16] = [
        "template<class T> __device__ T fzN(T a) { return a + 1; }",
        "template<int N> struct fzN { static const int v = N + fzN<N - 1>::v; }; template<> struct fzN<0> { static const int v = 0; };",
        "template<class... T> __device__ int fzN(T... a) { return sizeof...(a); }",
        "struct fzN { int a[4]; float4 b; struct { char c; } d; };",
        "union fzN { int a; float b; };",
        "enum fzN { FA = 1, FB = 0x7fffffff, FC };",
        "typedef int fzN[16];",
        "__device__ int fzN(int a) { return a ? fzN(a - 1) : 0; }",
        "int fzN(int a) { while (a) { a >>= 1; if (a == 3) continue; } return a; }",
        "__constant int fzN[2] = {1, 2};",
        "__shared__ int fzN[32];",
        "__attribute__((convergent)) int fzN(int);",
        "void fzN(void) { goto a; a: goto b; b: goto a; }",
        "namespace fzN { int v; namespace { int w; } }",
        "class fzN { public: fzN(int a) : v(a) {} __device__ int operator()(int b) const { return v + b; } private: int v; };",
        "__device__ void fzN(int *p, int n) { switch (n) { case 0: do { *p++ = 1; case 1: *p++ = 2; } while (--n > 0); } }",
    ];
    change.fresh += 1;
    let text = TEXTS[change.rng.below(TEXTS.len())].replace("fzN", &format!("fz{}", change.fresh));
    let ends: Vec<usize> = statements(&tree.nodes).into_iter().map(|range| range.end).collect();
    let at = change.rng.pick(&ends).copied().unwrap_or(0);
    tree.nodes.splice(at..at, parse(&text));
    true
}

fn other_bracket(change: &mut Change<'_>, tree: &mut Tree) -> bool {
    with_node(
        change,
        tree,
        |node| matches!(node, Node::Group(..)),
        |change, node| {
            let Node::Group(kind, inner) = node else { return };
            match change.rng.below(3) {
                0 => *kind = ['(', '[', '{'][change.rng.below(3)],
                1 => inner.clear(),
                _ => {
                    let copy = inner.clone();
                    inner.extend(copy);
                }
            }
        },
    )
}

/// A group many times in itself.
fn nested(change: &mut Change<'_>, tree: &mut Tree) -> bool {
    let depth = [3, 30, 150, 300, 1500][change.rng.below(5)];
    with_node(
        change,
        tree,
        |node| matches!(node, Node::Group(..)),
        |_, node| {
            let Node::Group(kind, inner) = node else { return };
            for _ in 0..depth {
                *inner = vec![Node::Group(*kind, std::mem::take(inner))];
            }
        },
    )
}

fn token(change: &mut Change<'_>, tree: &mut Tree) -> bool {
    with_list(
        change,
        tree,
        |_, list| !list.is_empty(),
        |change, list| {
            let at = change.rng.below(list.len());
            match change.rng.below(3) {
                0 => drop(list.remove(at)),
                1 => {
                    let copy = list[at].clone();
                    list.insert(at, copy);
                }
                _ => {
                    let to = change.rng.below(list.len());
                    list.swap(at, to);
                }
            }
            true
        },
    )
}
