//! Any bytes, read as an argument of a launch; what must hold is in `crates/fuzzing/src/targets/launch_grammar.rs`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    reconverge_fuzzing::targets::launch_grammar::survives(bytes);
});
