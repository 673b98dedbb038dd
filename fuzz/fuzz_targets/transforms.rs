//! Any bytes, changed by a pass; what must hold is in `crates/fuzzing/src/targets/transforms.rs`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    reconverge_fuzzing::targets::transforms::survives(bytes);
});
