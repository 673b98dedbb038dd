//! One section of an object file for x86-64: its bytes and relocations.

/// The bytes of a section, and for each relocation the offset, the symbol and the addend.
#[derive(Debug)]
pub(crate) struct Section {
    pub(crate) bytes: Vec<u8>,
    pub(crate) relocations: Vec<(u64, String, i64)>,
}

/// Reads a section by name; nothing if there is none.
pub(crate) fn section(file: &[u8], name: &str) -> Option<Section> {
    let number = |at: usize, size: usize| {
        file[at..at + size].iter().rev().fold(0u64, |number, &byte| number << 8 | u64::from(byte))
    };
    let table = number(0x28, 8) as usize;
    let count = number(0x3C, 2) as usize;
    let header = |index: usize| table + 64 * index;
    let content = |index: usize| {
        let (start, size) = (number(header(index) + 0x18, 8) as usize, number(header(index) + 0x20, 8) as usize);
        start..start + size
    };
    let string = |strings: usize, at: usize| {
        let text = &file[content(strings)][at..];
        String::from_utf8_lossy(&text[..text.iter().position(|&byte| byte == 0).unwrap()]).into_owned()
    };
    let names = number(0x3E, 2) as usize;
    let named = |wanted: &str| (0..count).find(|&index| string(names, number(header(index), 4) as usize) == wanted);
    let mut relocations = Vec::new();
    if let Some(table) = named(&format!(".rela{name}")) {
        let symbols = number(header(table) + 0x28, 4) as usize;
        let strings = number(header(symbols) + 0x28, 4) as usize;
        for entry in content(table).step_by(24) {
            let symbol = content(symbols).start + 24 * (number(entry + 12, 4) as usize);
            let name = string(strings, number(symbol, 4) as usize);
            relocations.push((number(entry, 8), name, number(entry + 16, 8).cast_signed()));
        }
    }
    Some(Section { bytes: file[content(named(name)?)].to_vec(), relocations })
}
