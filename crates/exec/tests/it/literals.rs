//! Numbers as users write and read them.

use reconverge_exec::launch::Element;
use reconverge_exec::literal::{read_element, read_scalar, read_value, show};
use reconverge_exec::value::Scalar;

#[test]
fn integers() {
    let byte = Scalar::Integer(8);
    for (text, bits) in [("0", 0), ("255", 255), ("-128", 128), ("-1", 255), ("+7", 7), ("0xF_f", 255), ("0b10", 2)] {
        assert_eq!(read_scalar(text, byte), Ok(bits), "{text}");
    }
    for text in ["", "-", "256", "-129", "0x", "0x-1", "_1", "--1", "1.0", "1e2", "0b2", "é1"] {
        assert!(read_scalar(text, byte).is_err(), "{text}");
    }
    assert_eq!(read_scalar("-1", Scalar::Integer(128)), Ok(u128::MAX));
    assert_eq!(read_scalar("true", Scalar::Integer(1)), Ok(1));
    assert_eq!(read_element("-1", Element::I16), Ok(0xffff));
    assert_eq!(read_element("-1", Element::U16), Err("expected an integer from 0 to 65535".to_owned()));
    assert_eq!(read_element("128", Element::I8), Err("expected an integer from -128 to 127".to_owned()));
    assert_eq!(read_element("-9223372036854775808", Element::I64), Ok(1 << 63));
}

#[test]
fn values_of_several_scalars() {
    let shape = [Scalar::Integer(8), Scalar::Integer(128), Scalar::Float];
    assert_eq!(read_value("{1, {2, 0.5}}", &shape), Ok(vec![1, 2, 0, 0x3f00_0000]));
    assert_eq!(read_value("{1,2}", &shape), Err("expected 3 numbers, such as {0,0,0}, not 2".to_owned()));
    assert!(read_value("1", &shape).is_err());
    assert_eq!(read_value(" 1 ", &shape[..1]), Ok(vec![1]));
    assert_eq!(read_value("{1}", &shape[..1]), Ok(vec![1]));
}

/// Every number of 16 bits reads as itself from what is shown of it.
#[test]
fn small_floats_come_back() {
    for element in [Element::F16, Element::BF16] {
        for bits in 0..=u16::MAX {
            let number = show(element, &bits.to_le_bytes()).next().expect("one element").to_string();
            let back = read_element(&number, element).expect("what is shown is a number");
            assert!(back == u64::from(bits) || number == "nan", "{element:?} {bits:#x} {number} {back:#x}");
        }
    }
}

/// The definition of rounding: of the two neighbours the nearer one, of two that are as near the even one.
#[test]
fn small_floats_round_to_nearest() {
    let f16_of = |bits: u16| half::f16::from_bits(bits).to_f64();
    let bf16_of = |bits: u16| half::bf16::from_bits(bits).to_f64();
    rounds(Element::F16, 0x7bff, f16_of);
    rounds(Element::BF16, 0x7f7f, bf16_of);
    for (text, bits) in [("65519.9", 0x7bff), ("65520.0", 0x7c00), ("1e300", 0x7c00), ("-1e-300", 0x8000)] {
        assert_eq!(read_element(text, Element::F16), Ok(bits), "{text}");
    }
}

fn rounds(element: Element, largest: u16, of: impl Fn(u16) -> f64) {
    let read = |number: f64| read_element(&format!("{number:e}"), element);
    for bits in 0..largest {
        let middle = f64::midpoint(of(bits), of(bits + 1));
        assert_eq!(read(middle), Ok(u64::from(bits + (bits & 1))), "{middle}");
        assert_eq!(read(middle.next_down()), Ok(bits.into()), "{middle}");
        assert_eq!(read(middle.next_up()), Ok(u64::from(bits + 1)), "{middle}");
    }
}
