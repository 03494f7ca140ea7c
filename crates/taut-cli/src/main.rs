//! The `taut` command.
fn main() {}
