//! What can be written for an argument of a kernel, and what is said of the rest.

mod extents;

use std::path::Path;

use reconverge_exec::launch::{Contents, Element};
use reconverge_exec::launch_grammar::{Kind, parse};

fn no_file(_: &Path, _: u64) -> Result<Vec<u8>, String> {
    Err("the file cannot be read: there is none".to_owned())
}

fn kind(text: &str) -> Kind {
    parse(text, 1 << 20, &no_file).unwrap_or_else(|refusal| panic!("{text}: {refusal:?}")).kind
}

fn buffer(element: Element, length: u64, contents: Contents) -> Kind {
    Kind::Buffer { element, length, contents }
}

#[test]
fn what_can_be_given() {
    for text in ["n=2000", "x=-1.5", "m=0xff", "v={1,2,3,4}", "x=nan"] {
        assert_eq!(kind(text), Kind::Scalar, "{text}");
    }
    assert_eq!(kind("o=u32[1_024]"), buffer(Element::U32, 1024, Contents::Zero));
    assert_eq!(kind("o=f64[3]{iota}"), buffer(Element::F64, 3, Contents::Iota));
    assert_eq!(kind("o=u8[3]{uninit}"), buffer(Element::U8, 3, Contents::Uninitialised));
    assert_eq!(kind("o=u8[3]{random}"), buffer(Element::U8, 3, Contents::Random { seed: 0 }));
    assert_eq!(kind("o=u8[3]{random:7}"), buffer(Element::U8, 3, Contents::Random { seed: 7 }));
    let elements = |list: &[&str]| Contents::Elements(list.iter().map(|&text| text.to_owned()).collect());
    assert_eq!(kind("o=i16[2]{-1, 2}"), buffer(Element::I16, 2, elements(&["-1", "2"])));
    assert_eq!(kind("o=i16[0]{}"), buffer(Element::I16, 0, elements(&[])));
    assert_eq!(kind("o=bf16[2]{1e3,inf}"), buffer(Element::BF16, 2, elements(&["1e3", "inf"])));
}

#[test]
fn names_and_values() {
    let given = parse("%out=u32[1]", 100, &no_file).expect("it is an argument");
    assert_eq!((given.name(), given.value()), ("out", "u32[1]"));
    let given = parse("a=b=c", 100, &no_file).expect("it is an argument");
    assert_eq!((given.name(), given.value()), ("a", "b=c"));
}

/// The part that is wrong, and what is said.
#[test]
fn what_is_wrong_and_where() {
    for (text, part, message) in [
        ("n", "n", "expected NAME=VALUE"),
        ("=4", "=4", "expected NAME=VALUE"),
        ("n=", "", "after the ="),
        ("o=uint[4]", "uint", "one of u8, i8, u16"),
        ("o=[4]", "", "one of u8"),
        ("o=u32[4", "[4", "in brackets"),
        ("o=u32[]", "[]", "expected a length"),
        ("o=u32[-1]", "-1", "expected a length"),
        ("o=u32[99999999999999999999]", "99999999999999999999", "expected a length"),
        ("o=u32[4611686018427387905]", "4611686018427387905", "expected at most 262144 elements"),
        ("o=u32[262145]", "262145", "expected at most 262144 elements"),
        ("o=u32[4]x", "x", "expected {…}"),
        ("o=u32[4]1", "1", "is the argument quoted?"),
        ("o=u32[2]{1,x}", "x", "expected an integer from 0 to 4294967295"),
        ("o=u32[2]{iotas}", "iotas", "or iota"),
        ("o=u8[2]{1,256}", "256", "from 0 to 255"),
        ("o=f32[1]{one}", "one", "a number such as 1.5"),
        ("o=u32[4]{1,2,3}", "{1,2,3}", "4, not 3"),
        ("o=u32[1]{}", "{}", "1, not 0"),
        ("o=u32[1]{random:x}", "x", "expected a seed"),
        ("o=@/nowhere/at all", "/nowhere/at all", "the file cannot be read"),
        ("o=int@f", "int", "one of u8"),
    ] {
        let refusal = parse(text, 1 << 20, &no_file).expect_err(text);
        let start =
            if part.is_empty() { text.find(['=']).expect("it has one") + 1 } else { text.rfind(part).expect("a part") };
        assert!(refusal.message.contains(message), "{text}: {refusal:?}");
        assert_eq!((refusal.argument.as_str(), refusal.place), (text, start..start + part.len()), "{text}");
    }
}

/// Whatever is written, there is an answer, and what is wrong is a part of the text.
#[test]
fn anything_can_be_written() {
    const PARTS: [&str; 22] = [
        "n", "=", "u32", "f16", "i8", "[", "]", "{", "}", "@", ",", ":", "random", "iota", "4", "0", "-1", "0x", "1e9",
        " ", "é", "%",
    ];
    let mut state = 0x0123_4567_89ab_cdef_u64;
    for _ in 0..50_000 {
        let mut text = String::from("n=");
        for _ in 0..state % 12 {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            text.push_str(PARTS[(state >> 32) as usize % PARTS.len()]);
        }
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        match parse(&text, 1 << 20, &no_file) {
            Ok(given) => assert!(!given.name().is_empty() || given.text.starts_with('%'), "{text}"),
            Err(refusal) => {
                assert!(refusal.argument == text && text.get(refusal.place).is_some(), "{text}");
            }
        }
    }
}
