//! Any bytes, translated as source; what must hold is in `crates/fuzzing/src/targets/front_end.rs`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    reconverge_fuzzing::targets::front_end::survives(bytes);
});
