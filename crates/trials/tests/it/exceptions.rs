//! Exceptions and branches to addresses against LLVM: its passes make plain branches of them, which compute the same.

use reconverge_exec::launch::{Argument, Contents, Element};
use reconverge_exec::{Control, Program, run};
use reconverge_testing::llvm;
use reconverge_trials::launches::plain;

/// Threads below 6 throw, of one type or another, through a cleanup.
const THROWS: &str = r#"target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @personality(...)
declare i32 @llvm.eh.typeid.for.p0(ptr)
declare void @__cxa_throw(ptr, ptr, ptr)
@red = external constant ptr
@blue = external constant ptr

define internal i32 @throws(i32 %id) {
start:
  %calm = icmp uge i32 %id, 6
  br i1 %calm, label %end, label %raise
raise:
  %odd = trunc i32 %id to i1
  %type = select i1 %odd, ptr @blue, ptr @red
  call void @__cxa_throw(ptr null, ptr %type, ptr null)
  unreachable
end:
  ret i32 %id
}

define internal i32 @cleans(i32 %id, ptr %log) personality ptr @personality {
start:
  %result = invoke i32 @throws(i32 %id) to label %end unwind label %pad
end:
  ret i32 %result
pad:
  %landing = landingpad { ptr, i32 } cleanup catch ptr @blue
  store i32 1000, ptr %log
  resume { ptr, i32 } %landing
}

define ptx_kernel void @kernel(ptr addrspace(1) %out) personality ptr @personality {
start:
  %log = alloca i32
  store i32 0, ptr %log
  %id = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %result = invoke i32 @cleans(i32 %id, ptr %log) to label %join unwind label %pad
pad:
  %landing = landingpad { ptr, i32 } catch ptr @red catch ptr null
  %selector = extractvalue { ptr, i32 } %landing, 1
  %red = call i32 @llvm.eh.typeid.for.p0(ptr @red)
  %is_red = icmp eq i32 %selector, %red
  %number = select i1 %is_red, i32 5, i32 6
  br label %join
join:
  %value = phi i32 [ %result, %start ], [ %number, %pad ]
  %cleaned = load i32, ptr %log
  %sum = add i32 %value, %cleaned
  %place = getelementptr i32, ptr addrspace(1) %out, i32 %id
  store i32 %sum, ptr addrspace(1) %place
  ret void
}
"#;

/// Threads go to the block whose distance from another one is in a table.
const JUMPS: &str = r#"target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
@table = internal constant [2 x i32] [i32 0, i32 trunc (i64 sub (i64 ptrtoint (ptr blockaddress(@kernel, %two) to i64), i64 ptrtoint (ptr blockaddress(@kernel, %one) to i64)) to i32)]

define ptx_kernel void @kernel(ptr addrspace(1) %out) {
start:
  %id = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %which = urem i32 %id, 2
  %entry = getelementptr i32, ptr @table, i32 %which
  %distance = load i32, ptr %entry
  %to = getelementptr i8, ptr blockaddress(@kernel, %one), i32 %distance
  indirectbr ptr %to, [label %one, label %two]
one:
  br label %join
two:
  br label %join
join:
  %value = phi i32 [ 1, %one ], [ 2, %two ]
  %place = getelementptr i32, ptr addrspace(1) %out, i32 %id
  store i32 %value, ptr addrspace(1) %place
  ret void
}
"#;

/// What each of eight threads leaves in `out`.
fn results(text: &str) -> Vec<u32> {
    let program = Program::prepare(text.as_bytes(), "kernel.ll", None).expect("LLVM prints valid IR");
    let out = Argument::Buffer { element: Element::U32, length: 8, contents: Contents::Zero };
    let launch = plain("kernel", [1; 3], [8, 1, 1], 4, vec![("out".to_owned(), out)]);
    let outcome = run(&program, &launch, &Control::default()).expect("the launch fits");
    assert!(outcome.completed && outcome.findings.is_empty(), "{:?}\n{text}", outcome.findings);
    let words = outcome.buffers[0].bytes.chunks_exact(4);
    words.map(|word| u32::from_le_bytes(word.try_into().expect("four bytes"))).collect()
}

#[test]
fn what_threads_compute_is_what_passes_of_llvm_make_of_it() {
    let cases = [
        (THROWS, [1005, 1006, 1005, 1006, 1005, 1006, 6, 7], &["inline", "inline,simplifycfg", "default<O2>"][..]),
        (JUMPS, [1, 2, 1, 2, 1, 2, 1, 2], &["indirectbr-expand", "default<O2>"]),
    ];
    for (text, expected, passes) in cases {
        assert_eq!(results(text), expected);
        let Some(tools) = llvm::tools() else { continue };
        for pass in passes {
            let changed = tools.transform(text, pass).expect("opt runs");
            assert_eq!(results(&changed), expected, "{pass}:\n{changed}");
        }
    }
}
