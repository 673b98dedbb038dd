//! Any bytes, read as LLVM IR, linked and run; what must hold is in `crates/fuzzing/src/targets/decoder.rs`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    reconverge_fuzzing::targets::decoder::survives(bytes);
});
