//! How numbers, names and strings are spelled.

/// Writes a number.
pub fn unsigned(to: &mut Vec<u8>, number: u64) {
    to.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
}

/// Writes a number with a sign.
pub fn signed(to: &mut Vec<u8>, number: i128) {
    to.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
}

/// Writes the bits of a float, as `0x` (behind which `kind` can stand) and hexadecimal digits, as many as there are.
pub fn hexadecimal(to: &mut Vec<u8>, kind: &str, bits: u64, digits: u32) {
    to.extend_from_slice(b"0x");
    to.extend_from_slice(kind.as_bytes());
    for digit in (0..digits).rev() {
        to.push(b"0123456789ABCDEF"[(bits >> (4 * digit) & 15) as usize]);
    }
}

/// Whether a name needs no quotes.
fn is_plain(name: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'$' | b'.' | b'_');
    !name.is_empty() && name.bytes().all(plain) && !name.as_bytes()[0].is_ascii_digit()
}

/// Writes a name behind its sigil, in quotes if it needs them.
pub fn name(to: &mut Vec<u8>, name: &str) {
    if is_plain(name) {
        to.extend_from_slice(name.as_bytes());
    } else {
        string(to, name.as_bytes());
    }
}

/// Writes bytes in quotes.
pub fn string(to: &mut Vec<u8>, bytes: &[u8]) {
    to.push(b'"');
    for &byte in bytes {
        if (0x20..0x7f).contains(&byte) && byte != b'"' && byte != b'\\' {
            to.push(byte);
        } else {
            to.push(b'\\');
            to.push(b"0123456789ABCDEF"[usize::from(byte >> 4)]);
            to.push(b"0123456789ABCDEF"[usize::from(byte & 15)]);
        }
    }
    to.push(b'"');
}
