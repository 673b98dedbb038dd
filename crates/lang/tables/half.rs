//! The functions of CUDA and HIP on numbers of 16 bits (`__half`, `__nv_bfloat16`): one line for each, made into a recipe for each of the two types.
//! What takes two of them at once is in the header `half2.h`.
//!
//! **Definition.** Conversions and operations round to the nearest, ties to even, unless the name says otherwise (`_rz`, `_ru`, `_rd`). A function of
//! mathematics is that of `float`, rounded.

use std::fmt::Write as _;

/// Binary operators.
const OPERATORS: &[(&str, &str)] = &[("add", "+"), ("sub", "-"), ("mul", "*"), ("div", "/")];
/// Comparisons that are false where an operand is no number; with `u` at the end they are true there.
const COMPARISONS: &[(&str, &str)] = &[("eq", "=="), ("lt", "<"), ("le", "<="), ("gt", ">"), ("ge", ">=")];
/// Functions of mathematics: the name and that of the function of `float`.
const FUNCTIONS: &[(&str, &str)] = &[
    ("hsqrt", "sqrtf"),
    ("hrsqrt", "rsqrtf"),
    ("hexp", "expf"),
    ("hexp2", "exp2f"),
    ("hexp10", "exp10f"),
    ("hlog", "logf"),
    ("hlog2", "log2f"),
    ("hlog10", "log10f"),
    ("hsin", "sinf"),
    ("hcos", "cosf"),
    ("htanh", "tanhf"),
    ("hceil", "ceilf"),
    ("hfloor", "floorf"),
    ("htrunc", "truncf"),
    ("hrint", "rintf"),
];
/// Integers by their names in conversions.
const INTEGERS: &[(&str, &str)] =
    &[("short", "short"), ("ushort", "ushort"), ("int", "int"), ("uint", "uint"), ("ll", "long"), ("ull", "ulong")];
/// How conversions to integers round, by the end of their names.
const ROUNDINGS: &[(&str, &str)] = &[("rn", "rintf"), ("rz", "truncf"), ("ru", "ceilf"), ("rd", "floorf")];

/// The lines of recipes for all of them.
pub(crate) fn lines() -> String {
    let mut text = String::new();
    // The type, its name in conversions, and that in intrinsics.
    numbers(&mut text, "half", "half", "f16");
    numbers(&mut text, "bfloat", "bfloat16", "bf16");
    text
}

/// All functions of one type.
fn numbers(text: &mut String, of: &str, name: &str, suffix: &str) {
    let mut line = |signature: &str, body: &str| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "* | once | {signature} = {body}");
    };
    // How one is rounded towards zero, up and down: the nearest one, or the one beside it. Names that programs cannot write.
    line(
        &format!("{of} {of}.rz({of} near, float x)"),
        &format!(
            "float:llvm.fabs.f32(float(near)) > float:llvm.fabs.f32(x) ? as_{of}(ushort(as_ushort(near) - ushort(1))) : near"
        ),
    );
    for (rounding, is_off, negative, positive) in [("ru", "<", "-", "+"), ("rd", ">", "+", "-")] {
        let beside = |sign: &str| format!("as_{of}(ushort(as_ushort(near) {sign} ushort(1)))");
        // A zero has the sign of what it was made of, so it is followed by what has the same sign.
        line(
            &format!("{of} {of}.{rounding}({of} near, float x)"),
            &format!(
                "float(near) {is_off} x ? as_short(near) < short(0) ? {} : {} : near",
                beside(negative),
                beside(positive)
            ),
        );
    }
    line(&format!("float __{name}2float({of} x)"), "float(x)");
    for ending in ["", "_rn"] {
        line(&format!("{of} __float2{name}{ending}(float x)"), &format!("{of}(x)"));
    }
    for rounding in ["rz", "ru", "rd"] {
        line(&format!("{of} __float2{name}_{rounding}(float x)"), &format!("{of}.{rounding}({of}(x), x)"));
    }
    line(&format!("{of} __double2{name}(double x)"), &format!("{of}(x)"));
    for (integer, to) in INTEGERS {
        line(&format!("{of} __{integer}2{name}_rn({to} x)"), &format!("{of}(x)"));
        for (rounding, function) in ROUNDINGS {
            line(&format!("{to} __{name}2{integer}_{rounding}({of} x)"), &format!("{to}({function}(float(x)))"));
        }
    }
    for (word, to) in [("char", "char"), ("uchar", "uchar")] {
        line(&format!("{to} __{name}2{word}_rz({of} x)"), &format!("{to}(int(truncf(float(x))))"));
    }
    for (word, to) in [("short", "short"), ("ushort", "ushort")] {
        line(&format!("{of} __{word}_as_{name}({to} x)"), &format!("as_{of}(x)"));
        line(&format!("{to} __{name}_as_{word}({of} x)"), &format!("as_{to}(x)"));
    }
    for (operation, operator) in OPERATORS {
        let body = format!("x {operator} y");
        line(&format!("{of} __h{operation}({of} x, {of} y)"), &body);
        line(&format!("{of} __h{operation}_rn({of} x, {of} y)"), &body);
        if *operation != "div" {
            let clamped = format!("{of}(__saturatef(float({body})))");
            line(&format!("{of} __h{operation}_sat({of} x, {of} y)"), &clamped);
        }
    }
    line(&format!("{of} hdiv({of} x, {of} y)"), "x / y");
    let fma = format!("{of}:llvm.fma.{suffix}(x, y, z)");
    line(&format!("{of} __hfma({of} x, {of} y, {of} z)"), &fma);
    line(&format!("{of} __hfma_sat({of} x, {of} y, {of} z)"), &format!("{of}(__saturatef(float({fma})))"));
    line(&format!("{of} __hfma_relu({of} x, {of} y, {of} z)"), &format!("__hmax({fma}, {of}(0))"));
    line(&format!("{of} __hneg({of} x)"), "-x");
    line(&format!("{of} __habs({of} x)"), &format!("{of}:llvm.fabs.{suffix}(x)"));
    line(&format!("{of} __hmax({of} x, {of} y)"), &format!("{of}:llvm.maxnum.{suffix}(x, y)"));
    line(&format!("{of} __hmax_nan({of} x, {of} y)"), &format!("{of}:llvm.maximum.{suffix}(x, y)"));
    line(&format!("{of} __hmin_nan({of} x, {of} y)"), &format!("{of}:llvm.minimum.{suffix}(x, y)"));
    line(&format!("{of} __hmin({of} x, {of} y)"), &format!("{of}:llvm.minnum.{suffix}(x, y)"));
    for (comparison, operator) in COMPARISONS {
        line(&format!("bool __h{comparison}({of} x, {of} y)"), &format!("x {operator} y"));
        line(&format!("bool __h{comparison}u({of} x, {of} y)"), &format!("(x {operator} y) | (x != x) | (y != y)"));
    }
    line(&format!("bool __hne({of} x, {of} y)"), "(x < y) | (x > y)");
    line(&format!("bool __hneu({of} x, {of} y)"), "x != y");
    line(&format!("bool __hisnan({of} x)"), "x != x");
    line(&format!("int __hisinf({of} x)"), "__builtin_isinf(float(x)) == 0 ? 0 : float(x) > 0.0f ? 1 : -1");
    for (function, of_float) in FUNCTIONS {
        line(&format!("{of} {function}({of} x)"), &format!("{of}({of_float}(float(x)))"));
    }
    line(&format!("{of} hrcp({of} x)"), &format!("{of}(1.0f / float(x))"));
    let add = format!("once | {of} atomicAdd(volatile {of}* p, {of} x)");
    let _ = writeln!(text, "nvptx spirv | {add} = atomic.add(p, x)");
    let _ = writeln!(text, "amdgpu | {add} = atomic.add.device.relaxed(p, x)");
}
