//! The mathematics of CUDA and HIP: one line for each function, made into one recipe for each target and type. On NVPTX they are functions of libdevice
//! (`__nv_*`), on AMDGPU of OCML (`__ocml_*`), on SPIR-V those of OpenCL C.

use std::fmt::Write as _;

/// Name, number of arguments, and names elsewhere, as the file says.
const FUNCTIONS: &str = include_str!("../src/builtins/device/mathematics.txt");

/// Fast functions of CUDA (`__sinf`): the name, the number of arguments, and those of libdevice, OCML and OpenCL C.
const FAST: &str = "
__sinf 1 fast_sinf native_sin_f32 native_sin; __cosf 1 fast_cosf native_cos_f32 native_cos; __tanf 1 fast_tanf tan_f32 native_tan
__expf 1 fast_expf native_exp_f32 native_exp; __exp10f 1 fast_exp10f native_exp10_f32 native_exp10; __logf 1 fast_logf native_log_f32 native_log
__log2f 1 fast_log2f native_log2_f32 native_log2; __log10f 1 fast_log10f native_log10_f32 native_log10; __powf 2 fast_powf pow_f32 native_powr
__frsqrt_rn 1 frsqrt_rn native_rsqrt_f32 rsqrt
";

/// Arithmetic whose rounding is in its name (`__fadd_rz`, `__dsqrt_rn`): the name, the number of arguments, that of OCML, and what it is rounded to nearest.
const ROUNDED: [(&str, usize, &str, &str); 7] = [
    ("add", 2, "add", "x + y"),
    ("sub", 2, "sub", "x - y"),
    ("mul", 2, "mul", "x * y"),
    ("div", 2, "div", "x / y"),
    ("fma", 3, "fma", "cl.fma(x, y, z)"),
    ("rcp", 1, "", "1 / x"),
    ("sqrt", 1, "sqrt", "cl.sqrt(x)"),
];

/// How roundings are called in CUDA, in OCML and in OpenCL C: to nearest, to zero, up and down.
const ROUNDINGS: [(&str, &str); 4] = [("rn", "rte"), ("rz", "rtz"), ("ru", "rtp"), ("rd", "rtn")];

/// Conversions to floats whose rounding is in its name (`__int2float_rz`): the name, from what and to what.
const CONVERSIONS: [(&str, &str, &str); 7] = [
    ("int2float", "int", "float"),
    ("uint2float", "uint", "float"),
    ("ll2float", "long", "float"),
    ("ull2float", "ulong", "float"),
    ("ll2double", "long", "double"),
    ("ull2double", "ulong", "double"),
    ("double2float", "double", "float"),
];

/// The lines of recipes for all of them.
pub(crate) fn lines() -> String {
    let mut text = String::new();
    each(FUNCTIONS, |words| ordinary(words, &mut text));
    each(FAST, |words| fast(words, &mut text));
    rounded(&mut text);
    with_pointers(&mut text);
    text
}

/// The words of each entry of a table.
fn each(table: &str, mut take: impl FnMut(&[&str])) {
    let lines = table.lines().filter(|line| !line.starts_with('#'));
    for entry in lines.flat_map(|line| line.split(';')).map(str::trim).filter(|entry| !entry.is_empty()) {
        take(&entry.split_whitespace().collect::<Vec<_>>());
    }
}

/// The parameters of so many arguments of a type, and the arguments.
fn parameters(of: &str, count: usize) -> (String, String) {
    let names = &["x", "y", "z", "w"][..count];
    (names.iter().map(|name| format!("{of} {name}")).collect::<Vec<_>>().join(", "), names.join(", "))
}

/// A function with one form for each float type: `sin` for doubles and, in C++, floats; `sinf` for floats.
fn ordinary(words: &[&str], text: &mut String) {
    let (name, count) = (words[0], words[1].parse().unwrap_or(1));
    let other = |index: usize| words.get(index).copied().unwrap_or(name);
    let (nv, ocml, cl) = (other(2), other(3), other(4));
    for (of, ending, bits, suffix) in [("double", "", "f64", ""), ("float", "f", "f32", "f"), ("float", "", "f32", "f")]
    {
        let (parameters, arguments) = parameters(of, count);
        let head = format!("once | {of} {name}{ending}({parameters})");
        line(text, &format!("nvptx | {head} = {of}:__nv_{nv}{suffix}({arguments})"));
        line(text, &format!("amdgpu | {head} = {of}:__ocml_{ocml}_{bits}({arguments})"));
        if cl != "-" {
            line(text, &format!("spirv | {head} = cl.{cl}({arguments})"));
        }
    }
    // C++ has each of them for integers, too: as doubles.
    let (parameters, arguments) = parameters("int", count);
    let arguments: Vec<String> = arguments.split(", ").map(|name| format!("double({name})")).collect();
    let targets = if cl == "-" { "nvptx amdgpu" } else { "*" };
    line(text, &format!("{targets} | once | double {name}({parameters}) = {name}({})", arguments.join(", ")));
}

/// A fast function of floats.
fn fast(words: &[&str], text: &mut String) {
    let [name, count, nv, ocml, cl] = *words else { return };
    let (parameters, arguments) = parameters("float", count.parse().unwrap_or(1));
    let head = format!("once | float {name}({parameters})");
    line(text, &format!("nvptx | {head} = float:__nv_{nv}({arguments})"));
    line(text, &format!("amdgpu | {head} = float:__ocml_{ocml}({arguments})"));
    line(text, &format!("spirv | {head} = cl.{cl}({arguments})"));
}

/// Arithmetic and conversions with a rounding. HIP has no other conversions than to nearest, whatever they are called.
fn rounded(text: &mut String) {
    for (operation, count, ocml, nearest) in ROUNDED {
        for (of, letter, bits) in [("float", 'f', "f32"), ("double", 'd', "f64")] {
            let (parameters, arguments) = parameters(of, count);
            let name = match (operation, letter) {
                ("fma", 'f') => "fmaf".to_owned(),
                ("fma", _) => "fma".to_owned(),
                _ => format!("{letter}{operation}"),
            };
            for (rounding, of_others) in ROUNDINGS {
                let head = format!("once | {of} __{name}_{rounding}({parameters})");
                line(text, &format!("nvptx | {head} = {of}:__nv_{name}_{rounding}({arguments})"));
                match (operation, rounding) {
                    (_, "rn") => {
                        line(text, &format!("amdgpu spirv | {head} = {}", nearest.replace('1', &format!("{of}(1)"))))
                    }
                    ("rcp", _) => {
                        line(text, &format!("amdgpu | {head} = {of}:__ocml_div_{of_others}_{bits}({of}(1), x)"))
                    }
                    _ => line(text, &format!("amdgpu | {head} = {of}:__ocml_{ocml}_{of_others}_{bits}({arguments})")),
                }
            }
        }
    }
    for (name, from, to) in CONVERSIONS {
        for (rounding, of_others) in ROUNDINGS {
            let head = format!("once | {to} __{name}_{rounding}({from} x)");
            line(text, &format!("nvptx | {head} = {to}:__nv_{name}_{rounding}(x)"));
            line(text, &format!("amdgpu | {head} = {to}(x)"));
            line(text, &format!("spirv | {head} = cl.convert_{to}_{of_others}(x)"));
        }
    }
}

/// Functions with arguments of several types.
fn with_pointers(text: &mut String) {
    for (of, bits, suffix, ending) in [("float", "f32", "f", "f"), ("double", "f64", "", "")] {
        line(text, &format!("nvptx | once | {of} ldexp{ending}({of} x, int n) = {of}:__nv_ldexp{suffix}(x, n)"));
        line(text, &format!("amdgpu | once | {of} ldexp{ending}({of} x, int n) = {of}:__ocml_ldexp_{bits}(x, n)"));
        line(text, &format!("spirv | once | {of} ldexp{ending}({of} x, int n) = cl.ldexp(x, n)"));
        line(text, &format!("nvptx | once | int ilogb{ending}({of} x) = int:__nv_ilogb{suffix}(x)"));
        line(text, &format!("amdgpu | once | int ilogb{ending}({of} x) = int:__ocml_ilogb_{bits}(x)"));
        line(text, &format!("spirv | once | int ilogb{ending}({of} x) = cl.ilogb(x)"));
        line(text, &format!("* | once | {of} scalbn{ending}({of} x, int n) = ldexp{ending}(x, n)"));
        line(text, &format!("* | once | {of} scalbln{ending}({of} x, long n) = ldexp{ending}(x, int(n))"));
        line(text, &format!("nvptx | once | {of} powi{ending}({of} x, int n) = {of}:__nv_powi{suffix}(x, n)"));
        line(text, &format!("amdgpu | once | {of} powi{ending}({of} x, int n) = {of}:__ocml_pown_{bits}(x, n)"));
        line(text, &format!("spirv | once | {of} powi{ending}({of} x, int n) = cl.pown(x, n)"));
        for name in ["jn", "yn"] {
            let head = format!("once | {of} {name}{ending}(int n, {of} x)");
            line(text, &format!("nvptx | {head} = {of}:__nv_{name}{suffix}(n, x)"));
            line(text, &format!("amdgpu | {head} = {of}:__ocml_{name}_{bits}(n, x)"));
        }
        let head = format!("once | {of} remquo{ending}({of} x, {of} y, int* n)");
        line(text, &format!("nvptx | {head} = {of}:__nv_remquo{suffix}(x, y, n)"));
        line(text, &format!("amdgpu | {head} = {of}:__ocml_remquo_{bits}(x, y, n)"));
        line(text, &format!("spirv | {head} = cl.remquo(x, y, n)"));
        let head = format!("once | void sincospi{ending}({of} x, {of}* s, {of}* c)");
        line(text, &format!("nvptx | {head} = void:__nv_sincospi{suffix}(x, s, c)"));
        line(text, &format!("spirv amdgpu | {head} = seq(store(s, sinpi(x)), store(c, cospi(x)), 0)"));
        line(text, &format!("* | once | {of} fdivide{ending}({of} x, {of} y) = x / y"));
        line(
            text,
            &format!(
                "nvptx | once | void sincos{ending}({of} x, {of}* s, {of}* c) = void:__nv_sincos{suffix}(x, s, c)"
            ),
        );
        line(
            text,
            &format!(
                "spirv amdgpu | once | void sincos{ending}({of} x, {of}* s, {of}* c) = seq(store(s, sin(x)), store(c, cos(x)), 0)"
            ),
        );
        line(text, &format!("nvptx | once | {of} frexp{ending}({of} x, int* n) = {of}:__nv_frexp{suffix}(x, n)"));
        line(text, &format!("amdgpu | once | {of} frexp{ending}({of} x, int* n) = {of}:__ocml_frexp_{bits}(x, n)"));
        line(
            text,
            &format!("amdgpu | once | {of} modf{ending}({of} x, {of}* whole) = {of}:__ocml_modf_{bits}(x, whole)"),
        );
        line(text, &format!("spirv | once | {of} frexp{ending}({of} x, int* n) = cl.frexp(x, n)"));
        line(text, &format!("spirv | once | {of} modf{ending}({of} x, {of}* whole) = cl.modf(x, whole)"));
        line(
            text,
            &format!("nvptx | once | {of} modf{ending}({of} x, {of}* whole) = {of}:__nv_modf{suffix}(x, whole)"),
        );
        for (name, rounded) in [("lrint", "rint"), ("llrint", "rint"), ("lround", "round"), ("llround", "round")] {
            line(text, &format!("* | once | long {name}({of} x) = long({rounded}(x))"));
            if !ending.is_empty() {
                line(text, &format!("* | once | long {name}{ending}({of} x) = long({rounded}(x))"));
            }
        }
        line(text, &format!("* | once | {of} max({of} x, {of} y) = fmax(x, y)"));
        line(text, &format!("* | once | {of} min({of} x, {of} y) = fmin(x, y)"));
        line(text, &format!("* | once | {of} abs({of} x) = fabs(x)"));
    }
}

/// Appends a line.
fn line(text: &mut String, line: &str) {
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{line}");
}
