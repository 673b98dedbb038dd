//! CUDA's functions of the two halves or four bytes of a word (`__vadd2`, `__vmaxu4`), as recipes: what they do to each part, written down once.

use std::fmt::Write as _;

/// A function: its name without the number of parts, the number of its arguments, and what comes out of each part. `a` and `b` are the parts of the arguments as `int`s, with the sign
/// for `s`, without it for `u`; `L` is the least and `M` the largest number of a part. Only the low bits of what comes out count.
const FUNCTIONS: &str = "
vabs s 1 a < 0 ? 0 - a : a
vabsss s 1 a < 0 ? (a == L ? M : 0 - a) : a
vneg s 1 0 - a
vnegss s 1 a == L ? M : 0 - a
vabsdiffs s 2 a > b ? a - b : b - a
vabsdiffu u 2 a > b ? a - b : b - a
vadd u 2 a + b
vaddss s 2 a + b > M ? M : (a + b < L ? L : a + b)
vaddus u 2 a + b > M ? M : a + b
vsub u 2 a - b
vsubss s 2 a - b > M ? M : (a - b < L ? L : a - b)
vsubus u 2 a > b ? a - b : 0
vavgs s 2 a + b < 0 ? a + b >> 1 : a + b + 1 >> 1
vavgu u 2 a + b + 1 >> 1
vhaddu u 2 a + b >> 1
vmaxs s 2 a > b ? a : b
vmaxu u 2 a > b ? a : b
vmins s 2 a < b ? a : b
vminu u 2 a < b ? a : b
";

/// Comparisons: the end of a name, and the operator. `vset` gives 1, `vcmp` all bits of a part.
const COMPARISONS: [(&str, char, &str); 10] = [
    ("eq", 'u', "=="),
    ("ne", 'u', "!="),
    ("ges", 's', ">="),
    ("geu", 'u', ">="),
    ("gts", 's', ">"),
    ("gtu", 'u', ">"),
    ("les", 's', "<="),
    ("leu", 'u', "<="),
    ("lts", 's', "<"),
    ("ltu", 'u', "<"),
];

/// The lines of recipes for all of them.
pub(crate) fn lines() -> String {
    let mut text = String::new();
    for bits in [16, 8] {
        for function in FUNCTIONS.lines().filter(|line| !line.is_empty()) {
            let mut words = function.splitn(4, ' ');
            let mut word = || words.next().unwrap_or_default();
            let (name, sign, count, body) = (word(), word(), word(), word());
            add(&mut text, name, bits, sign == "s", count == "2", body);
        }
        for (name, sign, operator) in COMPARISONS {
            for (kind, yes) in [("vset", "1"), ("vcmp", "0 - 1")] {
                let body = format!("a {operator} b ? {yes} : 0");
                add(&mut text, &format!("{kind}{name}"), bits, sign == 's', true, &body);
            }
        }
        for sign in ['s', 'u'] {
            let difference = |at| of_part("(a > b ? a - b : b - a)", bits, at, sign == 's');
            let sum: Vec<String> = places(bits).map(difference).collect();
            function(&mut text, &format!("vsad{sign}"), bits, true, &format!("uint({})", sum.join(" + ")));
        }
    }
    text
}

/// Where the parts of a word begin.
fn places(bits: u32) -> impl Iterator<Item = u32> {
    (0..32 / bits).map(move |part| part * bits)
}

/// What is written for a part with its arguments and bounds in place.
fn of_part(body: &str, bits: u32, at: u32, is_signed: bool) -> String {
    let part = |name: char| match (is_signed, bits) {
        (true, 16) => format!("int(short({name} >> {at}))"),
        (true, _) => format!("int(char({name} >> {at}))"),
        (false, _) => format!("int({name} >> {at} & {}u)", (1u32 << bits) - 1),
    };
    let (least, most) =
        if is_signed { (-(1i64 << (bits - 1)), (1i64 << (bits - 1)) - 1) } else { (0, (1i64 << bits) - 1) };
    let of_letter = |letter: char| match letter {
        'a' | 'b' => part(letter),
        'L' => format!("({least})"),
        'M' => most.to_string(),
        other => other.to_string(),
    };
    body.chars().map(of_letter).collect()
}

fn add(text: &mut String, name: &str, bits: u32, is_signed: bool, has_two: bool, body: &str) {
    let mask = (1u32 << bits) - 1;
    let part = |at| format!("(uint({}) & {mask}u) << {at}", of_part(body, bits, at, is_signed));
    let parts: Vec<String> = places(bits).map(part).collect();
    function(text, name, bits, has_two, &parts.join(" | "));
}

fn function(text: &mut String, name: &str, bits: u32, has_two: bool, body: &str) {
    let parameters = if has_two { "uint a, uint b" } else { "uint a" };
    // Writing to a string cannot fail.
    let _ = writeln!(text, "* | once | uint __{name}{}({parameters}) = {body}", 32 / bits);
}
