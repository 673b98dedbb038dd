//! Any bytes, read as an argument of `--arg`, and as each of the other options of a launch.

use std::path::Path;

use reconverge_exec::launch_grammar::extent::{Extent, anchors, count, schedule, size};
use reconverge_exec::launch_grammar::parse;

/// The most bytes of a buffer.
const MOST: u64 = 1 << 16;

/// Reads a text in every way that an option can; gives whether it is something.
///
/// # Panics
/// When what is wrong lies outside of the argument, or a buffer is larger than it may be.
pub fn survives(text: &[u8]) -> bool {
    let text = &String::from_utf8_lossy(text)[..];
    let extent = text.parse::<Extent>();
    if let Ok(extent) = extent {
        assert!(extent.count() > 0 && extent.0.iter().all(|&number| number > 0), "{text}: {extent:?}");
        assert_eq!(extent.to_string().parse(), Ok(extent), "{text}: an extent, printed");
    }
    assert!(size(text) != Ok(0) && count(text) != Ok(0), "{text}: nothing is no limit");
    let is_option = extent.is_ok() || size(text).is_ok() || schedule(text).is_ok() || anchors(text).is_ok();
    // No file is read: any path may be in the text.
    let read = |path: &Path, most: u64| match path.as_os_str().len() {
        length if length as u64 <= most => Ok(vec![7; length]),
        length => Err(format!("the file has {length} bytes")),
    };
    match parse(text, MOST, &read) {
        Ok(given) => {
            assert!(given.text == text && given.value() == &text[given.value.clone()], "{text}: {given:?}");
            let _ = given.name();
            if let reconverge_exec::launch_grammar::Kind::Buffer { element, length, contents } = &given.kind {
                use reconverge_exec::launch::Contents;
                assert!(length * element.size() <= MOST, "{text}: more than there may be");
                match contents {
                    Contents::Elements(elements) => assert_eq!(elements.len() as u64, *length, "{text}"),
                    Contents::Bytes(bytes) => assert_eq!(bytes.len() as u64, length * element.size(), "{text}"),
                    _ => {}
                }
            }
            true
        }
        Err(refusal) => {
            assert!(refusal.argument == text && text.get(refusal.place.clone()).is_some(), "{refusal:?}");
            is_option
        }
    }
}
