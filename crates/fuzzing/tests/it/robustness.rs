//! No text makes the libraries panic, hang, or point outside of it.
//!
//! Texts are damaged in every way that takes one step, and random ones are made up. By default the larger files are
//! damaged at a sample of their places; with `RECONVERGE_ROUNDS` of 10 or more, at every one. `RECONVERGE_SEED` starts the
//! random texts elsewhere.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};

use rayon::prelude::*;
use reconverge_findings::Code;
use reconverge_fuzzing::targets::reader::survives;
use reconverge_testing::corpus;
use reconverge_testing::random::SplitMix64;
use reconverge_testing::rounds::{first_seed, is_long, seeds, times};

/// The examples, the assembly files, and the programs of the pages, each with a name.
fn texts() -> Vec<(String, Vec<u8>)> {
    let mut files = corpus::examples().expect("the examples are there");
    files.extend(corpus::cases("ir", "ll").expect("the cases are there"));
    let read = |path: &std::path::PathBuf| (path.display().to_string(), fs::read(path).expect("the file reads"));
    let mut texts: Vec<(String, Vec<u8>)> = files.iter().map(read).collect();
    for code in Code::ALL {
        let programs = code.page().split("```llvm\n").skip(1).filter_map(|rest| rest.split("```").next());
        texts.extend(programs.map(|program| (format!("the page of {}", code.name()), program.into())));
    }
    texts
}

/// Fails with the text if it is one that the libraries do not survive.
fn assert_survives(name: &str, text: &[u8]) -> bool {
    catch_unwind(AssertUnwindSafe(|| survives(text)))
        .unwrap_or_else(|_| panic!("see above; this was {name}:\n{}", text.escape_ascii()))
}

/// About how many places of a file are damaged.
const PLACES: u64 = 12;

/// The places of a text that are damaged: all, or a sample.
fn places(text: &[u8]) -> Vec<usize> {
    let places = times(PLACES) as usize;
    let everything = is_long() || text.len() <= 2 * places;
    let stride = if everything { 1 } else { text.len() / places };
    let mut rng = SplitMix64::new(first_seed());
    (0..text.len()).step_by(stride).map(|place| (place + rng.below(stride)).min(text.len() - 1)).collect()
}

#[test]
fn truncated_texts() {
    let jobs: Vec<(String, Vec<u8>)> = texts();
    let jobs = jobs.iter().flat_map(|(name, text)| places(text).into_iter().map(move |place| (name, text, place)));
    let jobs: Vec<_> = jobs.collect();
    jobs.par_iter().for_each(|(name, text, place)| {
        assert_survives(&format!("{name}, cut at {place}"), &text[..*place]);
        assert_survives(&format!("{name} from {place}"), &text[*place..]);
    });
}

#[test]
fn texts_with_another_byte() {
    let texts = texts();
    let jobs = texts.iter().flat_map(|(name, text)| places(text).into_iter().map(move |place| (name, text, place)));
    let jobs: Vec<_> = jobs.collect();
    let reading: usize = jobs
        .par_iter()
        .map(|(name, text, place)| {
            let mut damaged = text.to_vec();
            let mut reading = 0;
            for byte in [b"\0\n\"%@{}(!09\xFF".as_slice(), &[text[*place] ^ 1]].concat() {
                damaged[*place] = byte;
                reading += usize::from(assert_survives(&format!("{name} with {byte} at {place}"), &damaged));
            }
            reading
        })
        .sum();
    println!("{} places, {reading} of the damaged texts read", jobs.len());
}

#[test]
fn texts_without_a_line_or_with_one_twice() {
    texts().par_iter().for_each(|(name, text)| {
        let lines: Vec<&[u8]> = text.split_inclusive(|&byte| byte == b'\n').collect();
        let sample = if is_long() { 1 } else { lines.len().div_ceil(times(6) as usize) };
        for at in (0..lines.len()).step_by(sample) {
            assert_survives(&format!("{name} without line {at}"), &[&lines[..at], &lines[at + 1..]].concat().concat());
            assert_survives(&format!("{name} with line {at} twice"), &[&lines[..=at], &lines[at..]].concat().concat());
        }
    });
}

/// Words of real texts, and bytes, in random order.
#[test]
fn random_texts() {
    let texts = texts();
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || b"%@!#._".contains(&byte);
    let words: Vec<&[u8]> =
        texts.iter().flat_map(|(_, text)| text.chunk_by(|&a, &b| is_word(a) && is_word(b))).collect();
    seeds(600).into_par_iter().for_each(|seed| {
        let mut rng = SplitMix64::new(seed);
        let bytes: Vec<u8> = (0..rng.below(200)).map(|_| rng.next_u64() as u8).collect();
        assert_survives(&format!("random bytes, seed {seed}"), &bytes);
        let count = rng.below(200);
        let soup: Vec<u8> = (0..count).filter_map(|_| rng.pick(&words)).flat_map(|word| word.to_vec()).collect();
        assert_survives(&format!("random words, seed {seed}"), &soup);
        // A few words of a real text are others.
        let Some((name, text)) = rng.pick(&texts) else { return };
        let mut parts: Vec<&[u8]> = text.chunk_by(|&a, &b| is_word(a) && is_word(b)).collect();
        for _ in 0..1 + rng.below(3) {
            let place = rng.below(parts.len());
            parts[place] = rng.pick(&words).expect("there are words");
        }
        assert_survives(&format!("{name} with other words, seed {seed}"), &parts.concat());
    });
}

/// Behind each opening there would be more.
#[test]
fn deep_nesting() {
    const DEPTH: usize = 100_000;
    let openings = [
        "@x = global [1 x ",
        "@x = global {",
        "@x = global <{",
        "%T = type {",
        "%T = type void (",
        "@x = global ptr getelementptr (",
        "!0 = !{",
        "!0 = !DILocation(",
        "attributes #0 = {",
        "declare void @f(",
        "define void @f() {",
        "define void @f() { call void @f(",
        "define void @f() { call void @f() [",
        "define void @f() { ret i32 (",
        "uselistorder i32 0, {",
        "^0 = module: (",
        "\"",
        "module asm ",
    ];
    let repeated = [
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
        "<",
        ">",
        "[1 x ",
        "<{",
        "{i8,",
        "void (",
        "[[1 x i8] ",
        "<2 x ",
        "ptr (",
        "!{",
        "!DIExpression(",
        "target(\"t\", ",
        "splat (",
        "\"\"",
        "\\",
        "%",
        "@",
        "add (i32 ",
        "asm ",
        "addrspace(",
        ",",
        ";",
        "getelementptr (i8, ptr ",
        "blockaddress(",
        "ptrauth (ptr ",
        "range(",
        "memory(",
        "= ",
    ];
    openings.par_iter().for_each(|opening| {
        for part in repeated {
            let text = format!("{opening}{}", part.repeat(DEPTH));
            assert_survives(&format!("'{opening}' and 100 000 of '{part}'"), text.as_bytes());
        }
    });
    let balanced = format!("@x = global {}i8{} zeroinitializer\n", "[1 x ".repeat(DEPTH), "]".repeat(DEPTH));
    assert!(!survives(balanced.as_bytes()));
}

/// What LLVM accepts has no limit on depth; what we read has one, which is below what a stack bears.
#[test]
fn nesting_at_the_limit() {
    for depth in [10, 150, 190, 195, 198, 199, 200, 201, 250] {
        let (open, close) = ("[1 x ".repeat(depth), "]".repeat(depth));
        let ty = format!("{open}i8{close}");
        let mut value = "i8 1".to_string();
        let mut constant_type = "i8".to_string();
        for _ in 0..depth {
            value = format!("[1 x {constant_type}] [{value}]");
            constant_type = format!("[1 x {constant_type}]");
        }
        let texts = [
            format!("@x = global {ty} zeroinitializer\n"),
            format!("define void @f() {{\n  %x = alloca {ty}\n  ret void\n}}\n"),
            format!("@x = global {value}\n"),
            format!("define void @f(ptr %p) {{\n  store {value}, ptr %p\n  ret void\n}}\n"),
            format!("!0 = {}{}\n", "!{".repeat(depth), "}".repeat(depth)),
        ];
        for text in texts {
            let reads = assert_survives(&format!("depth {depth}"), text.as_bytes());
            assert!(reads || depth > 10 || text.starts_with('!'), "{text}");
        }
    }
}

/// Time must grow no faster than the text: a slow one of these is one that never ends.
#[test]
fn long_lines_and_many_declarations() {
    const MANY: usize = 40_000;
    let line = 4 << 20;
    let numbered = |part: &dyn Fn(usize) -> String| (0..MANY).map(part).collect::<String>();
    let long_lines = [
        "x".repeat(line),
        format!("; {}", "x".repeat(line)),
        format!("@\"{}\" = global i8 0", "x".repeat(line)),
        format!("@x = global [{line} x i8] c\"{}\"", "x".repeat(line)),
        format!("define void @f() {{ ret void {}}}", " ".repeat(line)),
        format!("define void @f() {{ ret void }}{}", "}".repeat(line)),
        format!("declare void @f(){}", " nounwind".repeat(line / 9)),
        format!("declare void @f({}i8)", "i8, ".repeat(line / 4)),
        format!("!0 = !{{{}null}}", "null, ".repeat(line / 6)),
        format!("module asm \"{}\"", "\\".repeat(line)),
        format!("%{} = type opaque", "9".repeat(line)),
    ];
    let many = [
        numbered(&|index| format!("declare void @f{index}() convergent\n")),
        numbered(&|index| format!("define void @f{index}() convergent {{\n  ret void\n}}\n")),
        format!(
            "{}define void @f{MANY}() convergent {{\n  ret void\n}}\n",
            numbered(&|index| {
                format!("define void @f{index}() convergent {{\n  call void @f{}()\n  ret void\n}}\n", index + 1)
            })
        ),
        numbered(&|index| format!("%T{index} = type {{ %T{} }}\n", (index + 1) % MANY)),
        numbered(&|index| format!("%T{index} = type {{ %T{}, ptr }}\n", index.saturating_sub(1))),
        numbered(&|index| format!("@g{index} = global ptr @g{}\n", (index * 7) % MANY)),
        numbered(&|index| format!("!{index} = !{{!{}}}\n", (index * 7) % MANY)),
        numbered(&|index| format!("attributes #{index} = {{ convergent }}\n")),
        format!("declare void @f() {}\n{}", numbered(&|index| format!("#{index} ")), "attributes #0 = { nounwind }\n"),
        format!(
            "declare void @op() convergent\ndefine void @f() {{\n{}  ret void\n}}\n",
            "  call void @op()\n".repeat(MANY)
        ),
        format!(
            "declare token @llvm.experimental.convergence.anchor()\ndefine void @f() {{\n{}  ret void\n}}\n",
            numbered(&|index| format!("  %t{index} = call token @llvm.experimental.convergence.anchor()\n"))
        ),
        format!(
            "define void @f() {{\nb0:\n{}  ret void\n}}\n",
            numbered(&|index| format!("  br label %b{0}\nb{0}:\n", index + 1))
        ),
        format!("define void @f(i32 %x) {{\n{}  ret void\n}}\n", "  %y = add i32 %x, 1\n".repeat(MANY)),
        format!("define void @f(i32 %x) {{\n{}  ret void\n}}\n", "  add i32 %x, 1\n".repeat(MANY)),
    ];
    long_lines.par_iter().chain(&many).for_each(|text| {
        survives(text.as_bytes());
    });
}

/// Numbers around the limits of every width that a reader may keep them in.
#[test]
fn large_numbers() {
    let powers = [8u32, 16, 23, 24, 31, 32, 63, 64, 128];
    let mut numbers: Vec<String> = vec!["9".repeat(100), format!("{}1", "0".repeat(100)), "-1".into(), "-0".into()];
    for power in powers {
        let Some(number) = 1u128.checked_shl(power) else {
            numbers.extend([u128::MAX.to_string(), "340282366920938463463374607431768211456".to_string()]);
            continue;
        };
        numbers.extend([number - 2, number - 1, number, number + 1].map(|number| number.to_string()));
    }
    let places = [
        "@N = global i8 0",
        "@x = global i8 0\n@y = alias i8, ptr @N",
        "%N = type { i8 }\n@x = global %N zeroinitializer",
        "!N = !{}",
        "!0 = !{!N}\n!named = !{!N}",
        "@x = global i8 0, !dbg !N",
        "attributes #N = { convergent }\ndeclare void @f() #N",
        "declare void @f() #N",
        "@x = addrspace(N) global i8 0",
        "@x = global ptr addrspace(N) null",
        "@x = global iN 0",
        "@x = global i32 N",
        "@x = global i32 u0xN",
        "@x = global double N",
        "@x = global double N.0e+N",
        "@x = global double 0xN",
        "@x = global float 0xK0N",
        "@x = global [N x i8] zeroinitializer",
        "@x = global <N x i8> zeroinitializer",
        "@x = global <vscale x N x i8> zeroinitializer",
        "@x = global target(\"t\", N) zeroinitializer",
        "@x = global i8 0, align N",
        "declare void @f(ptr align N, ptr dereferenceable(N))",
        "declare i32 @f(i32 range(i32 0, N)) alignstack(N)",
        "declare void @f() allocsize(N, N) vscale_range(N, N) uwtable",
        "declare ccN void @f()",
        "^N = module: (path: \"\", hash: (N, N, N, N, N))",
        "uselistorder i32 N, { N, N }",
        "target datalayout = \"N\"",
        "define void @N() {\n  ret void\n}",
        "define void @f(i32 %N) {\n  add i32 %N, %N\n  ret void\n}",
        "define void @f() {\nN:\n  br label %N\n}",
        "define void @f() {\n  %N = add i32 N, N\n  ret void\n}",
        "define void @f(ptr %p) {\n  %x = load i32, ptr %p, align N, !dbg !N\n  ret void\n}",
        "define void @f({ i32 } %s) {\n  %x = extractvalue { i32 } %s, N\n  ret void\n}",
        "define void @f([4 x i32] %s) {\n  %x = insertvalue [4 x i32] %s, i32 0, N\n  ret void\n}",
        "define void @f({ i32, i8 } %s) {\n  %x = getelementptr { i32, i8 }, ptr null, i32 0, i32 N\n  ret void\n}",
        "define void @f(<4 x i32> %s) {\n  %x = shufflevector <4 x i32> %s, <4 x i32> %s, <4 x i32> <i32 N, i32 N, i32 0, i32 0>\n  ret void\n}",
        "define void @f() {\n  %p = alloca i32, i32 N, align N, addrspace(N)\n  ret void\n}",
        "define void @f(i32 %x) {\n  switch i32 %x, label %a [ i32 N, label %a ]\na:\n  ret void\n}",
        "define void @f() !dbg !N {\n  call void @f(), !dbg !0\n  ret void\n}\n!0 = !DILocation(line: N, column: N, scope: !N)",
        "declare void @op() convergent\ndefine void @f() {\n  call void @op() #N, !dbg !N\n  ret void\n}\n!N = !DILocation(line: N, column: N, scope: !1)\n!1 = !DISubprogram(file: !2)\n!2 = !DIFile(filename: \"a\", directory: \"b\")",
    ];
    let read = places.iter().filter(|place| survives(place.replace('N', "0").as_bytes())).count();
    assert!(read * 2 > places.len(), "only {read} of {} read with a small number", places.len());
    places.par_iter().for_each(|place| {
        for number in &numbers {
            assert_survives(place, place.replace('N', number).as_bytes());
        }
    });
}

/// Metadata may refer to itself.
#[test]
fn circular_debug_locations() {
    let nodes = [
        "!0 = !DILocation(line: 1, scope: !1, inlinedAt: !0)\n!1 = !DISubprogram(file: !2)\n!2 = !DIFile(filename: \"a\")",
        "!0 = !DILocation(line: 1, scope: !1, inlinedAt: !3)\n!1 = !DISubprogram(file: !2)\n!2 = !DIFile(filename: \"a\")\n!3 = !DILocation(line: 1, inlinedAt: !3)",
        "!0 = !DILocation(line: 1, scope: !1)\n!1 = !DILexicalBlock(scope: !1)",
        "!0 = !DILocation(line: 1, scope: !0, inlinedAt: !0)",
        "!0 = !DILocation(line: 1, scope: !1)\n!1 = !DISubprogram(file: !1)",
    ];
    for node in nodes {
        let call = "declare void @op() convergent\ndefine void @f() {\n  call void @op(), !dbg !0\n  ret void\n}\n";
        assert!(survives(format!("{call}{node}\n").as_bytes()), "{node}");
    }
}

/// What fuzzing found, made small.
#[test]
fn texts_that_once_failed() {
    let texts: [&[u8]; 2] = [
        b"define void @f(i32 %n) {\n  %many = alloca [4 x i8], i32 %n, addrspace\xFF5)\n  ret void\n}\n",
        b"@x = global ptr @\"a\nb\"\n",
    ];
    for text in texts {
        assert_survives("a text that once failed", text);
    }
}
