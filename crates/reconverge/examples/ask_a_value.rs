//! Whether a value is the same in all threads of a workgroup, and why not.

use reconverge::{Error, Input, Scope, Settings, UniformityOptions, uniformity};

fn main() -> Result<(), Error> {
    let ir = "target triple = \"nvptx64-nvidia-cuda\"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define void @f() {
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %twice = mul i32 %thread, 2
  ret void
}
";
    let module = reconverge::open(Input::new("f.ll", ir, None)?, &Settings::default())?;
    let explain = vec!["%twice".to_owned()];
    let options = UniformityOptions { scope: Scope::Workgroup, explain, ..UniformityOptions::default() };
    let found = &uniformity(&module, &options)?.explanations.unwrap_or_default()[0];
    for step in &found.chain {
        println!("line {}: {}: {}", step.at.line, step.name, step.message);
    }
    assert_eq!((found.verdict, found.chain[1].name.as_str()), ("divergent", "%thread"));
    Ok(())
}

#[test]
fn runs() -> Result<(), Error> {
    main()
}
