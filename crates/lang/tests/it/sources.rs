//! Places in files, as lines and columns.

use reconverge_lang::source::{Location, Sources};

/// Counted from the start, for each byte at which a character begins.
#[test]
fn positions_are_those_that_counting_gives() {
    let texts = ["", "a", "\n", "a\nbc\n\nd", "é\nü§x\n", &"äb\n".repeat(900), &"ä".repeat(1500)];
    let mut sources = Sources::default();
    for text in texts {
        sources.add("file".into(), text.to_owned(), Location::NONE).expect("room");
    }
    for (index, text) in texts.iter().enumerate() {
        for offset in (0..=text.len()).filter(|&offset| text.is_char_boundary(offset)) {
            let at = Location(sources.files()[index].start + offset as u32);
            let before = text[..offset].rsplit('\n').next().unwrap_or("");
            let line = text[..offset].matches('\n').count() as u32 + 1;
            let position = sources.position(at).expect("a place in a file");
            let expected = (index, line, before.chars().count() as u32 + 1);
            assert_eq!((position.file, position.line, position.column), expected);
            assert_eq!(sources.line(at), Some((index, line, before.len() as u32 + 1)));
        }
    }
    assert!(sources.position(Location::NONE).is_none() && sources.line(Location::NONE).is_none());
}
