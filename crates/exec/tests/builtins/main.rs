//! Built-in functions against exact references, and against the names that Clang gives them.

mod header;
