//! Whatever the bytes are, reading them as LLVM IR and checking what was read ends, without a panic, in findings or in an
//! error, and both point into the text.
#![no_main]

use libfuzzer_sys::fuzz_target;
use reconverge_analysis::check::{CheckOptions, check};

fuzz_target!(|text: &[u8]| {
    match check(text, &CheckOptions { hints: true }) {
        Ok(report) => {
            for diagnostic in &report.diagnostics {
                let related = diagnostic.related.iter().map(|related| &related.span);
                for span in related.chain([&diagnostic.span]) {
                    assert!(span.start <= span.end && span.end <= text.len(), "{span:?} of {}", text.len());
                }
            }
        }
        Err(error) => {
            assert!(error.offset <= text.len());
            assert!(!error.message.is_empty() && !error.message.contains('\n'), "{:?}", error.message);
        }
    }
});
