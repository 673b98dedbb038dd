//! What buffers hold before a launch, as the command line writes it, and whether what they hold afterwards is the same.
//!
//! `u32[4]` is four zeroes, `u32[4]{1,2,3,4}` these, `u32[64]{iota}` 0, 1, 2, …, `f32[64]{random:7}` random numbers from a seed: any
//! integer, or a floating-point number in [0, 1). Elements can be repeated: `u32[6]{4*1,2*9}`.

use anyhow::{Context, Result, bail, ensure};
use reconverge_exec::launch::Element;

use reconverge_testing::random::SplitMix64;

/// How far two floating-point numbers may be apart. Integers are always compared exactly.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Tolerance {
    /// Not at all; but one NaN is as good as another.
    Exact,
    /// This many steps from one number to the next.
    Ulp(u64),
    /// This much.
    Absolute(f64),
}

/// Reads the text of a buffer: the type of its elements, and its bytes.
///
/// # Errors
///
/// When the text is not of the form above.
pub fn buffer(text: &str) -> Result<(Element, Vec<u8>)> {
    let (head, contents) = match text.split_once('{') {
        Some((head, rest)) => (head, Some(rest.strip_suffix('}').context("no } at the end")?)),
        None => (text, None),
    };
    let (name, length) = match head.split_once('[') {
        Some((name, length)) => (name, Some(length.strip_suffix(']').context("no ] behind the length")?.parse()?)),
        None => (head, None),
    };
    let found = Element::ALL.iter().find(|(_, known)| *known == name);
    let &(element, _) = found.with_context(|| format!("no type of elements: {name}"))?;
    let mut bytes = Vec::new();
    let given = || length.context("no length");
    match contents {
        None => bytes = vec![0; given()? * size(element)],
        Some("iota") => {
            for index in 0..given()? {
                push(&mut bytes, element, &index.to_string())?;
            }
        }
        Some(random) if random.starts_with("random") => {
            let seed =
                random["random".len()..].strip_prefix(':').context("random numbers want a seed, as in random:7")?;
            let mut numbers = SplitMix64::new(seed.parse()?);
            (0..given()?).for_each(|_| push_random(&mut bytes, element, &mut numbers));
        }
        Some(list) => {
            for item in list.split(',') {
                let (times, number) = item.split_once('*').unwrap_or(("1", item));
                for _ in 0..times.parse()? {
                    push(&mut bytes, element, number)?;
                }
            }
            let count = bytes.len() / size(element);
            ensure!(length.is_none_or(|length| length == count), "{count} elements are given");
        }
    }
    Ok((element, bytes))
}

fn push(bytes: &mut Vec<u8>, element: Element, number: &str) -> Result<()> {
    match element {
        Element::F32 => bytes.extend(number.parse::<f32>()?.to_le_bytes()),
        Element::F64 => bytes.extend(number.parse::<f64>()?.to_le_bytes()),
        Element::F16 | Element::BF16 => bail!("elements of this type are given as u16"),
        integer => {
            let value = match number.strip_prefix("0x") {
                Some(digits) => i128::from_str_radix(digits, 16)?,
                None => number.parse()?,
            };
            bytes.extend(&value.to_le_bytes()[..size(integer)]);
        }
    }
    Ok(())
}

fn push_random(bytes: &mut Vec<u8>, element: Element, numbers: &mut SplitMix64) {
    let number = numbers.next_u64();
    match element {
        Element::F32 => bytes.extend(((number >> 40) as f32 / (1u32 << 24) as f32).to_le_bytes()),
        Element::F64 => bytes.extend(((number >> 11) as f64 / (1u64 << 53) as f64).to_le_bytes()),
        _ => bytes.extend(&number.to_le_bytes()[..size(element)]),
    }
}

fn size(element: Element) -> usize {
    element.size() as usize
}

/// The first element in which two buffers differ by more than they may, in words.
pub fn difference(element: Element, tolerance: Tolerance, expected: &[u8], found: &[u8]) -> Option<String> {
    if expected.len() != found.len() {
        return Some(format!("{} bytes instead of {}", found.len(), expected.len()));
    }
    let pairs = expected.chunks(size(element)).zip(found.chunks(size(element)));
    let different = pairs.enumerate().filter(|(_, (a, b))| !agree(element, tolerance, a, b));
    let mut count = 0;
    let mut first = None;
    for (index, (a, b)) in different {
        count += 1;
        first.get_or_insert_with(|| format!("[{index}] is {} instead of {}", show(element, b), show(element, a)));
    }
    first.map(|first| format!("{first}; {count} elements differ"))
}

fn agree(element: Element, tolerance: Tolerance, a: &[u8], b: &[u8]) -> bool {
    if a == b {
        return true;
    }
    let (Some(x), Some(y)) = (float(element, a), float(element, b)) else { return false };
    if x.is_nan() || y.is_nan() {
        return x.is_nan() && y.is_nan();
    }
    match tolerance {
        Tolerance::Exact => false,
        Tolerance::Ulp(most) => steps(element, a).abs_diff(steps(element, b)) <= i128::from(most).unsigned_abs(),
        Tolerance::Absolute(most) => (x - y).abs() <= most,
    }
}

/// The number that bytes stand for; `None` for integers, and for types that are compared by their bits.
fn float(element: Element, bytes: &[u8]) -> Option<f64> {
    match element {
        Element::F32 => Some(f64::from(f32::from_bits(integer(bytes) as u32))),
        Element::F64 => Some(f64::from_bits(integer(bytes))),
        _ => None,
    }
}

/// Where a floating-point number stands among all of its type, zero being at 0.
fn steps(element: Element, bytes: &[u8]) -> i128 {
    let bits = i128::from(integer(bytes));
    let sign = 1 << (8 * size(element) - 1);
    if bits < sign { bits } else { sign - bits }
}

fn integer(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

fn show(element: Element, bytes: &[u8]) -> String {
    let number = integer(bytes);
    match element {
        Element::F32 | Element::F64 => format!("{:e} ({number:#x})", float(element, bytes).unwrap_or_default()),
        Element::I8 => (number as i8).to_string(),
        Element::I16 => (number as i16).to_string(),
        Element::I32 => (number as i32).to_string(),
        Element::I64 => (number as i64).to_string(),
        _ => number.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_are_read_as_the_command_line_writes_them() {
        assert_eq!(buffer("u16[3]").unwrap(), (Element::U16, vec![0; 6]));
        assert_eq!(buffer("i8{-1,0x7f,2*3}").unwrap(), (Element::I8, vec![255, 127, 3, 3]));
        assert_eq!(buffer("u32[2]{iota}").unwrap(), (Element::U32, vec![0, 0, 0, 0, 1, 0, 0, 0]));
        assert_eq!(buffer("f32{1.5}").unwrap(), (Element::F32, 1.5f32.to_le_bytes().to_vec()));
        let (_, random) = buffer("f64[100]{random:3}").unwrap();
        assert!(random.chunks(8).all(|bytes| (0.0..1.0).contains(&float(Element::F64, bytes).unwrap())));
        for wrong in ["u32", "u32[2]{1}", "u33[2]", "u32[2", "u32{1", "u32[4]{random}", "u32[2]{x,y}"] {
            assert!(buffer(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn floating_point_numbers_may_differ_by_steps() {
        let of = |number: f32| number.to_le_bytes();
        let next = |number: f32| f32::from_bits(number.to_bits() + 1).to_le_bytes();
        let differ = |tolerance, a: [u8; 4], b: [u8; 4]| difference(Element::F32, tolerance, &a, &b).is_some();
        assert!(differ(Tolerance::Exact, of(1.0), next(1.0)));
        assert!(!differ(Tolerance::Ulp(1), of(1.0), next(1.0)));
        assert!(!differ(Tolerance::Ulp(2), next(-0.0), next(0.0)));
        assert!(differ(Tolerance::Ulp(1), next(-0.0), next(0.0)));
        assert!(differ(Tolerance::Absolute(1.0), of(1.0), of(2.5)));
        assert!(!differ(Tolerance::Exact, of(f32::NAN), next(f32::NAN)));
        assert!(differ(Tolerance::Ulp(1 << 40), of(f32::NAN), of(f32::INFINITY)));
        assert!(difference(Element::U32, Tolerance::Ulp(1), &[1, 0, 0, 0], &[2, 0, 0, 0]).is_some());
    }
}
