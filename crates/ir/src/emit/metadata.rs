//! Metadata and attribute groups: what stands at the end of the text, each thing once.

use rustc_hash::FxHashMap;

use super::spelling;

/// The metadata of a module so far.
#[derive(Debug, Default)]
pub struct Metadata {
    text: Vec<u8>,
    count: u32,
}

impl Metadata {
    /// Adds a node, and gives its number.
    pub fn add(&mut self, node: &str) -> u32 {
        self.add_written(|text| text.extend_from_slice(node.as_bytes()))
    }

    /// The same of a node that is written where it stands.
    pub fn add_written(&mut self, write: impl FnOnce(&mut Vec<u8>)) -> u32 {
        self.text.push(b'!');
        spelling::unsigned(&mut self.text, u64::from(self.count));
        self.text.extend_from_slice(b" = ");
        write(&mut self.text);
        self.text.push(b'\n');
        self.count += 1;
        self.count - 1
    }

    /// All nodes as text.
    pub fn text(&self) -> &[u8] {
        &self.text
    }
}

/// Groups of attributes, each with a number.
#[derive(Debug, Default)]
pub struct AttributeGroups {
    numbers: FxHashMap<String, u32>,
    list: Vec<String>,
}

impl AttributeGroups {
    /// The number of a group.
    pub fn group(&mut self, text: &str) -> u32 {
        if let Some(&number) = self.numbers.get(text) {
            return number;
        }
        let number = self.list.len() as u32;
        self.numbers.insert(text.to_owned(), number);
        self.list.push(text.to_owned());
        number
    }

    /// Writes all groups.
    pub fn write(&self, to: &mut Vec<u8>) {
        for (number, text) in self.list.iter().enumerate() {
            to.extend_from_slice(format!("attributes #{number} = {{ {text} }}\n").as_bytes());
        }
    }
}
