//! Findings in a kernel that is a string.

use reconverge::{CheckOptions, Error, Input, Settings, check};

fn main() -> Result<(), Error> {
    let kernel = "__kernel void k(__global int *a) {
        if (get_local_id(0) < 7)
            barrier(CLK_LOCAL_MEM_FENCE);
    }";
    let module = reconverge::open(Input::new("k.cl", kernel, None)?, &Settings::default())?;
    let found = check(&module, &CheckOptions::default())?.report(&module);
    for finding in &found.diagnostics {
        println!("k.cl:{}: {} [{}]", finding.line, finding.message, finding.code);
    }
    assert_eq!((found.diagnostics[0].code, found.diagnostics[0].line), ("RC0209", 3));
    deep()
}

/// As deep as texts may nest: in WebAssembly, too, there is stack for that, and what is deeper is an error.
fn deep() -> Result<(), Error> {
    let nested = |depth: usize| {
        let (open, close) = ("if (a[0]) { ".repeat(depth), " }".repeat(depth));
        let (left, right) = ("(".repeat(depth), ")".repeat(depth));
        let kernel = format!("__kernel void k(__global int *a) {{ {open}a[1] = {left}a[2]{right};{close} }}");
        let module = reconverge::open(Input::new("k.cl", kernel, None)?, &Settings::default())?;
        check(&module, &CheckOptions::default())
    };
    assert!(nested(90)?.findings().next().is_none());
    assert_eq!(nested(200_000).unwrap_err().kind, reconverge::ErrorKind::Limit);
    Ok(())
}

#[test]
fn runs() -> Result<(), Error> {
    main()
}
