//! What numbers, characters and strings are, by their spelling.

use reconverge_lang::check::literal::{Number, bytes, number};
use reconverge_lang::options::Dialect;

fn value_of(text: &str) -> f64 {
    match number(text, Dialect::OpenCl) {
        Ok(Number::Float { value, .. }) => value,
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn floats() {
    for (text, value) in [
        ("1.5", 1.5),
        ("0x1p-3f", 0.125),
        (".5e1", 5.0),
        ("1.5h", 1.5),
        ("1e400", f64::INFINITY),
        ("0x1.fffffffffffffp1023", f64::MAX),
        ("0x1p-1074", 5e-324),
        ("0x1.8p-1075", 5e-324),
        ("0x1p-1075", 0.0),
        ("0x0.8000000000000000000001p0", 0.5),
        ("0x1.00000000000008p0", 1.0),
        ("0x1.000000000000080000000001p0", 1.0 + f64::EPSILON),
        ("16777217.f", 16777216.0),
        ("0x1.0p0F", 1.0),
        ("1e5f", 1e5),
    ] {
        assert_eq!(value_of(text), value, "{text}");
    }
}

#[test]
fn integers() {
    let kind = |text| match number(text, Dialect::Cuda) {
        Ok(Number::Integer { value, bits, signed, .. }) => {
            format!("{value} {}{bits}", if signed { 'i' } else { 'u' })
        }
        Ok(other) => format!("{other:?}"),
        Err(message) => message,
    };
    for (text, expected) in [
        ("0", "0 i32"),
        ("2147483647", "2147483647 i32"),
        ("2147483648", "2147483648 i64"),
        ("0x80000000", "2147483648 u32"),
        ("0xffffffffffffffff", "18446744073709551615 u64"),
        ("017", "15 i32"),
        ("0b101u", "5 u32"),
        ("1'000ull", "1000 u64"),
        ("09", "`09` is not a number"),
        ("1q", "`q` at the end of the number `1q` means nothing"),
        ("0x", "`0x` is not a number"),
        ("99999999999999999999", "the number `99999999999999999999` does not fit in 64 bits"),
    ] {
        assert_eq!(kind(text), expected, "{text}");
    }
}

#[test]
fn strings() {
    assert_eq!(bytes(r#""a\n\x41\101\\""#).unwrap(), b"a\nAA\\");
    assert_eq!(bytes(r#"R"x(a\n)x""#).unwrap(), b"a\\n");
    assert_eq!(bytes("u8\"\u{e4}\"").unwrap(), "\u{e4}".as_bytes());
    assert!(bytes("L'a'").is_err());
}
