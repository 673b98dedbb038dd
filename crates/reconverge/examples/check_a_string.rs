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
    assert_eq!((found.diagnostics[0].code, found.diagnostics[0].line), ("RC0201", 3));
    Ok(())
}

#[test]
fn runs() -> Result<(), Error> {
    main()
}
