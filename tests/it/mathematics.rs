//! What CUDA's functions of integers and floats compute, against definitions of them that are written down here once more.

use crate::common::{Random, reconverge};

/// What a kernel writes to `out`.
fn written(text: &str, arguments: &[String], count: usize) -> Vec<i64> {
    let out = format!("out=i32[{count}]");
    let mut command = vec!["run", "-", "--input-format", "cuda", "--block", "1", "--format", "json", "--arg", &out];
    arguments.iter().for_each(|argument| command.extend(["--arg", argument]));
    let run = reconverge(&command, text.as_bytes());
    assert_eq!(run.status, 0, "{}{}", run.stderr, run.stdout);
    let json: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
    let list = json["buffers"]["out"].as_array().expect("the buffer");
    list.iter().map(|number| number.as_i64().expect("a number")).collect()
}

/// The functions of the parts of a word, without the number of parts.
const IN_WORDS: [&str; 41] = [
    "vabs",
    "vabsss",
    "vneg",
    "vnegss",
    "vabsdiffs",
    "vabsdiffu",
    "vadd",
    "vaddss",
    "vaddus",
    "vsub",
    "vsubss",
    "vsubus",
    "vavgs",
    "vavgu",
    "vhaddu",
    "vmaxs",
    "vmaxu",
    "vmins",
    "vminu",
    "vsads",
    "vsadu",
    "vseteq",
    "vsetne",
    "vsetges",
    "vsetgeu",
    "vsetgts",
    "vsetgtu",
    "vsetles",
    "vsetleu",
    "vsetlts",
    "vsetltu",
    "vcmpeq",
    "vcmpne",
    "vcmpges",
    "vcmpgeu",
    "vcmpgts",
    "vcmpgtu",
    "vcmples",
    "vcmpleu",
    "vcmplts",
    "vcmpltu",
];

/// What a function makes of two parts: CUDA Math API, "SIMD Intrinsics". The average of signed numbers is rounded as PTX's `vavrg2`.
fn of_parts(name: &str, bits: u32, a: u32, b: u32) -> i64 {
    let signed = |part: u32| i64::from((part << (32 - bits)) as i32 >> (32 - bits));
    let (a, b, is_signed) = match name.strip_prefix('v').expect("a name") {
        "abs" | "absss" | "neg" | "negss" => (signed(a), signed(b), true),
        rest if rest.ends_with('s') && !rest.ends_with("us") => (signed(a), signed(b), true),
        _ => (i64::from(a), i64::from(b), false),
    };
    let most = if is_signed { (1 << (bits - 1)) - 1 } else { (1 << bits) - 1 };
    let least = if is_signed { -(1 << (bits - 1)) } else { 0 };
    let held = |value: i64| value.clamp(least, most);
    let comparison = name.strip_prefix("vset").or(name.strip_prefix("vcmp"));
    if let Some(comparison) = comparison {
        let holds = match comparison.get(..2).expect("an operator") {
            "eq" => a == b,
            "ne" => a != b,
            "ge" => a >= b,
            "gt" => a > b,
            "le" => a <= b,
            _ => a < b,
        };
        let yes = if name.starts_with("vset") { 1 } else { (1 << bits) - 1 };
        return if holds { yes } else { 0 };
    }
    match name {
        "vabs" => a.abs(),
        "vabsss" => held(a.abs()),
        "vneg" => -a,
        "vnegss" => held(-a),
        "vabsdiffs" | "vabsdiffu" | "vsads" | "vsadu" => (a - b).abs(),
        "vadd" => a + b,
        "vaddss" | "vaddus" => held(a + b),
        "vsub" => a - b,
        "vsubss" | "vsubus" => held(a - b),
        "vavgs" if a + b < 0 => (a + b) >> 1,
        "vavgs" | "vavgu" => (a + b + 1) >> 1,
        "vhaddu" => (a + b) >> 1,
        "vmaxs" | "vmaxu" => a.max(b),
        _ => a.min(b),
    }
}

#[test]
fn parts_of_words_are_those_of_the_definition() {
    let mut random = Random(7);
    let mut word = || match random.below(4) {
        0 => [0, 0x8000_8080, 0x7fff_7f7f, u32::MAX, 0x0001_0100][random.below(5) as usize],
        _ => random.below(1 << 32) as u32,
    };
    let words: Vec<[u32; 2]> = (0..40).map(|_| [word(), word()]).collect();
    let list = |which: usize| {
        let numbers: Vec<String> = words.iter().map(|pair| (pair[which] as i32).to_string()).collect();
        format!("{}=i32[{}]{{{}}}", ["a", "b"][which], words.len(), numbers.join(","))
    };
    for parts in [2u32, 4] {
        let bits = 32 / parts;
        let calls: Vec<String> = IN_WORDS
            .iter()
            .enumerate()
            .map(|(at, name)| {
                let has_one = ["vabs", "vabsss", "vneg", "vnegss"].contains(name);
                let arguments = if has_one { "a[i]" } else { "a[i], b[i]" };
                format!("out[i * {} + {at}] = __{name}{parts}({arguments});", IN_WORDS.len())
            })
            .collect();
        let text = format!(
            "__global__ void k(unsigned *out, const unsigned *a, const unsigned *b) {{ for (int i = 0; i < {}; i++) {{ {} }} }}",
            words.len(),
            calls.join("\n")
        );
        let found = written(&text, &[list(0), list(1)], words.len() * IN_WORDS.len());
        for (pair, found) in words.iter().zip(found.chunks(IN_WORDS.len())) {
            for (name, &found) in IN_WORDS.iter().zip(found) {
                let part = |word: u32, at: u32| word >> (at * bits) & ((1 << bits) - 1);
                let of = |at| of_parts(name, bits, part(pair[0], at), part(pair[1], at));
                let expected = match name.starts_with("vsad") {
                    true => (0..parts).map(of).sum::<i64>() as u32,
                    false => (0..parts)
                        .map(|at| (of(at) as u32 & ((1 << bits) - 1)) << (at * bits))
                        .fold(0, |all, part| all | part),
                };
                assert_eq!(found as u32, expected, "__{name}{parts}({:#x}, {:#x})", pair[0], pair[1]);
            }
        }
    }
}

#[test]
fn integers_of_64_bits_and_bytes() {
    let text = "__global__ void k(int *out) { unsigned long long x = 0xfedcba9876543210ull; long long y = -3; int n; float s, c;
        out[0] = (int)(__umul64hi(x, x) >> 32); out[1] = (int)__mul64hi(y, 7); out[2] = (int)__mul64hi(0x4000000000000000ll, 12);
        out[3] = __dp2a_lo(0x00030002, 0x04030205, 100); out[4] = __dp2a_hi(0x00030002, 0x04030205, 100); out[5] = __dp2a_lo(-65533, 0x000000ff, 0);
        out[6] = (int)scalbnf(3.0f, 4); out[7] = (int)scalbln(3.0, 3l); out[8] = (int)powif(2.0f, 10); out[9] = (int)(remquof(17.0f, 5.0f, &n) * 10); out[10] = n;
        sincospif(0.5f, &s, &c); out[11] = (int)s * 10 + (int)c; out[12] = (int)fdividef(9.0f, 2.0f); out[13] = (int)fdivide(9.0, 4.0); }";
    let expected = [
        ((0xfedc_ba98_7654_3210u128 * 0xfedc_ba98_7654_3210) >> 96) as i32,
        -1,
        3,
        100 + 2 * 5 + 3 * 2,
        100 + 2 * 3 + 3 * 4,
        -3,
        48,
        24,
        1024,
        20,
        3,
        10,
        4,
        2,
    ];
    assert_eq!(written(text, &[], expected.len()), expected.map(i64::from));
}

/// Rounding to nearest, to zero, up and down: what lies on the other side of the exact result is the next number.
#[test]
fn results_are_rounded_as_their_names_say() {
    let mut calls = Vec::new();
    let mut expected = Vec::new();
    let mut add = |call: String, nearest: f32, exact_is: std::cmp::Ordering| {
        // `exact_is` compares the exact result with the nearest number.
        for rounding in ["rn", "rz", "ru", "rd"] {
            let is_up = rounding == "ru" || rounding == "rz" && nearest < 0.0;
            let is_down = rounding == "rd" || rounding == "rz" && nearest > 0.0;
            let value = match exact_is {
                std::cmp::Ordering::Greater if is_up => nearest.next_up(),
                std::cmp::Ordering::Less if is_down => nearest.next_down(),
                _ => nearest,
            };
            calls.push(format!("out[{}] = __float_as_int({});", calls.len(), call.replace("RR", rounding)));
            expected.push(i64::from(value.to_bits() as i32));
        }
    };
    for (x, y) in [(0.1f32, 0.7f32), (-1.5, 3.3), (1e10, 0.3), (-7.0, 3.0), (2.0, 3.0), (-0.1, 1e-8)] {
        let (a, b) = (f64::from(x), f64::from(y));
        for (name, exact) in [("add", a + b), ("sub", a - b), ("mul", a * b)] {
            let nearest = exact as f32;
            add(format!("__f{name}_RR({x:?}f, {y:?}f)"), nearest, exact.total_cmp(&f64::from(nearest)));
        }
        let quotient = x / y;
        // Which side of it the exact quotient is on, multiplication says.
        let side = (f64::from(quotient) * b).total_cmp(&a);
        add(format!("__fdiv_RR({x:?}f, {y:?}f)"), quotient, if b > 0.0 { side.reverse() } else { side });
        let root = y.abs().sqrt();
        add(
            format!("__fsqrt_RR({:?}f)", y.abs()),
            root,
            f64::from(y.abs()).total_cmp(&(f64::from(root) * f64::from(root))),
        );
    }
    for number in [16_777_217i32, -16_777_217, 16_777_219, 5] {
        let nearest = number as f32;
        add(format!("__int2float_RR({number})"), nearest, f64::from(number).total_cmp(&f64::from(nearest)));
    }
    let text = format!("__global__ void k(int *out) {{ {} }}", calls.join("\n"));
    let found = written(&text, &[], expected.len());
    for ((call, found), expected) in calls.iter().zip(found).zip(expected) {
        assert_eq!(found, expected, "{call}");
    }
}

/// A shuffle of two halves is one shuffle.
#[test]
fn two_halves_are_shuffled_together() {
    let text = "#include <cuda_fp16.h>
        __global__ void k(int *out) { half2 v = __floats2half2_rn(threadIdx.x, 100 + threadIdx.x); v = __shfl_xor_sync(0xffffffff, v, 1);
          out[threadIdx.x] = (int)__low2float(v) * 1000 + (int)__high2float(v); }";
    let run =
        reconverge(&["run", "-", "--input-format", "cuda", "--block", "32", "--arg", "out=i32[32]"], text.as_bytes());
    assert!(run.stdout.contains("out = i32[32]{1101, 100, 3103, 2102, "), "{}{}", run.stderr, run.stdout);
}

/// Vectors that attributes make: typedefs, aliases and templates of them, in elements and in bytes.
#[test]
fn vectors_by_attributes() {
    let text = "typedef int i4 __attribute__((ext_vector_type(4)));
        using j4 = int __attribute__((ext_vector_type(4)));
        using v4 = __attribute__((__vector_size__(4 * sizeof(int)))) int;
        template <typename T, int N> using lanes = T __attribute__((ext_vector_type(N)));
        __device__ i4 twice(i4 x) { return x + x; }
        __global__ void k(int *out) { i4 x = {1, 2, 3, 4}; i4 y = twice(x) * 10; out[0] = y.x + y[3]; j4 z{5, 6, 7, 8}; z[2] = 70; out[1] = z[2] + z.w;
          v4 b = {0}; b += (v4){1, 2, 3, 4}; out[2] = b[0] * 10 + b[3]; lanes<short, 2> s = {3, 4}; out[3] = sizeof(s) * 10 + s[1]; *(i4 *)(out + 4) = y; }";
    for language in ["hip", "cuda"] {
        let run = reconverge(
            &["run", "-", "--input-format", language, "--block", "1", "--arg", "out=i32[8]"],
            text.as_bytes(),
        );
        assert!(
            run.stdout.contains("out = i32[8]{100, 78, 14, 44, 20, 40, 60, 80}"),
            "{language}: {}{}",
            run.stderr,
            run.stdout
        );
    }
}
