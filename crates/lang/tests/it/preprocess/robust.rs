//! Cut and changed texts: never a panic.

use std::path::Path;

use reconverge_lang::options::{Dialect, Options};
use reconverge_lang::preprocess::preprocess;
use reconverge_lang::token::{Symbols, TokenKind};
use reconverge_testing::random::SplitMix64;
use reconverge_testing::rounds::seeds;

const TEXTS: [&str; 3] = [
    "#define S(x) #x\n#define P(a, b) a ## b\n#define V(x, ...) f(x __VA_OPT__(,) __VA_ARGS__) , ## __VA_ARGS__\n\
     V(P(a, 1), S(\"\\n\" 'c')) V(1)\n#if defined(S) && (1 ? 2u : -3) << 4 >= 'a' // x\nL\"é\" R\"x(\n)x\"\n#elif 0\n#else\n#endif",
    "#include <stdint.h>\n#include \"no.h\"\n#line 3 \"f\"\n__LINE__ __COUNTER__ /* \\\n */ _Pragma(\"a \\\"b\\\"\") #\n\
     #pragma push_macro(\"A\")\n#pragma once\n%: undef A\n<::> \\\r\n 1e+\\\n5 .. ... \n#error x\n",
    "#define f(a) a*g\n#define g(a) f(a)\nf(2)(9)(f)(g(f)(\n1), f)\n#if __has_include(<x.h>) || __has_builtin(__builtin_x)\n\
     #ifdef A\n#elifdef B\n#elifndef C\nand or not\n#endif\n#endif\n@ ` \\ $x",
];

fn survives(bytes: &[u8], dialect: Dialect) {
    let mut symbols = Symbols::default();
    let result = preprocess(Path::new("main.c"), bytes.to_vec(), &Options::new(dialect), &mut symbols);
    assert_eq!(result.tokens.iter().filter(|token| token.kind == TokenKind::End).count(), 1);
    assert_eq!(result.tokens.last().unwrap().kind, TokenKind::End);
    for token in &result.tokens {
        assert!(result.sources.position(token.location).is_some());
        let may_be_empty = matches!(token.kind, TokenKind::End | TokenKind::Pragma);
        assert!(may_be_empty || !symbols.text(token.symbol).is_empty(), "{token:?}");
    }
}

#[test]
fn cut_texts() {
    for text in TEXTS {
        for end in 0..text.len() {
            survives(&text.as_bytes()[..end], Dialect::Cpp);
            survives(&text.as_bytes()[end..], Dialect::C);
        }
    }
}

#[test]
fn changed_texts() {
    let seeds = seeds(2000);
    println!("seeds {seeds:?}");
    const INTERESTING: &[u8] = b"#()\"'\\\n/*,_aA1.<:%\0\xff";
    for seed in seeds {
        let mut random = SplitMix64::new(seed);
        let mut bytes = TEXTS[random.below(TEXTS.len())].as_bytes().to_vec();
        for _ in 0..=random.below(5) {
            let at = random.below(bytes.len());
            match random.below(4) {
                0 => bytes[at] ^= 1 << random.below(8),
                1 => drop(bytes.remove(at)),
                2 => bytes.insert(at, INTERESTING[random.below(INTERESTING.len())]),
                _ => {
                    let other = random.below(bytes.len());
                    let (start, end) = (at.min(other), at.max(other));
                    let piece = bytes[start..end].to_vec();
                    let to = random.below(bytes.len());
                    bytes.splice(to..to, piece);
                }
            }
        }
        survives(&bytes, [Dialect::C, Dialect::Cuda, Dialect::OpenCl][random.below(3)]);
    }
}
