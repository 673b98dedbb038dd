//! A kernel, run on a buffer.

use reconverge::{Error, Input, RunOptions, Settings, run};

fn main() -> Result<(), Error> {
    let kernel = "__kernel void sum(__global uint *data) { data[get_global_id(0)] = sub_group_reduce_add(data[get_global_id(0)]); }";
    let module = reconverge::open(Input::new("sum.cl", kernel, None)?, &Settings::default())?;
    let arguments = vec!["data=u32[4]{1,2,3,4}".to_owned()];
    let options = RunOptions { block: Some([4, 1, 1]), subgroup: Some(2), arguments, ..RunOptions::default() };
    let run = run(&module, &options)?;
    let data: Vec<String> = run.outcome.buffers[0].elements().map(|number| number.to_string()).collect();
    println!("{}", data.join(" "));
    assert_eq!(data, ["3", "3", "7", "7"]);
    assert!(run.told.is_empty() && run.outcome.completed);
    Ok(())
}

#[test]
fn runs() -> Result<(), Error> {
    main()
}
