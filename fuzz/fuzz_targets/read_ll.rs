//! Any bytes, read as LLVM IR; see `survives.rs` for what must hold.
#![no_main]

#[path = "../survives.rs"]
mod survives;

libfuzzer_sys::fuzz_target!(|text: &[u8]| {
    survives::survives(text);
});
