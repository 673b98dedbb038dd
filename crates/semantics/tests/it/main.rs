//! The tables of the documents, and keys against the definitions on random graphs and paths.

mod blocks;
mod documents;
mod oracle;
mod random;
