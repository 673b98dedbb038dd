//! The `reconverge` command.
fn main() {}
