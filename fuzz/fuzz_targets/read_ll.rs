//! Any bytes, read as LLVM IR; what must hold is in `crates/fuzzing/src/targets/reader.rs`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    reconverge_fuzzing::targets::reader::survives(bytes);
});
