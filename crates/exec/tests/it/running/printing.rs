//! `printf`: formats and arguments that do not fit are findings, and all others are silent.

use reconverge_exec::launch::{Launch, Outcome};
use reconverge_exec::{Control, Program, run};
use reconverge_findings::words::in_ir;
use reconverge_findings::{Diagnostic, Severity};

use crate::running::{launch, numbers, words};

/// A kernel of a language that prints once.
#[derive(Clone, Copy)]
enum Language {
    OpenCl,
    Cuda,
    Hip,
}

use Language::{Cuda, Hip, OpenCl};

/// The module: `format` is the text between the quotes of a constant in IR, `arguments` follow it with types.
fn module(language: Language, format: &str, arguments: &str) -> String {
    let (triple, kernel, constant, space) = match language {
        OpenCl => ("spirv64-unknown-unknown", "spir_kernel", 2, " addrspace(2)"),
        Cuda => ("nvptx64-nvidia-cuda", "ptx_kernel", 4, ""),
        Hip => ("amdgcn-amd-amdhsa", "amdgpu_kernel", 4, ""),
    };
    // A backslash and two digits are one byte.
    let escapes = format.matches('\\').count();
    let length = format.len() - 2 * escapes;
    let pass = |name: &str| match language {
        OpenCl => format!("ptr addrspace(2) {name}"),
        Cuda | Hip => format!("ptr addrspacecast (ptr addrspace(4) {name} to ptr)"),
    };
    let arguments = arguments.replace("TEXT", &pass("@text"));
    let comma = if arguments.is_empty() { "" } else { ", " };
    let place = pass("@format");
    format!(
        "target triple = \"{triple}\"\n\
         @format = private addrspace({constant}) constant [{length} x i8] c\"{format}\"\n\
         @text = private addrspace({constant}) constant [4 x i8] c\"abc\\00\"\n\
         @bytes = private addrspace({constant}) constant [3 x i8] c\"abc\"\n\
         declare i32 @printf(ptr{space}, ...)\n\
         define {kernel} void @kernel(ptr addrspace(1) %out) {{\n  \
           %n = call i32 (ptr{space}, ...) @printf({place}{comma}{arguments})\n  \
           store i32 %n, ptr addrspace(1) %out\n  ret void\n}}\n"
    )
}

/// What a kernel did, and what there is to say about it.
struct Ran {
    outcome: Outcome,
    diagnostics: Vec<Diagnostic>,
}

fn execute(text: &str, launch: &Launch) -> Ran {
    let program = Program::prepare(text.as_bytes(), "test.ll", None).expect("the module is read");
    let outcome = run(&program, launch, &Control::default()).expect("the launch fits");
    let diagnostics = in_ir(program.module(), &outcome.findings);
    Ran { outcome, diagnostics }
}

fn outcome(language: Language, format: &str, arguments: &str) -> Ran {
    execute(&module(language, format, arguments), &launch(1, &[("out", words(1))]))
}

/// What is found: severity, message and notes.
fn found(ran: &Ran) -> Vec<(Severity, String)> {
    let diagnostics = ran.diagnostics.iter();
    diagnostics
        .map(|diagnostic| {
            assert_eq!(diagnostic.code.name(), "RC0512");
            (diagnostic.severity, diagnostic.message.clone())
        })
        .collect()
}

#[test]
fn what_fits_is_silent() {
    for (language, format, arguments) in [
        (OpenCl, "plain\\0A\\00", ""),
        (OpenCl, "\\00", ""),
        (OpenCl, "100%%\\00", ""),
        (OpenCl, "%d %i %u %x %X %o\\00", "i32 1, i32 2, i32 3, i32 4, i32 5, i32 6"),
        (OpenCl, "%hhd %hd %c\\00", "i32 1, i32 2, i32 65"),
        (OpenCl, "%ld %-08lx %+lu\\00", "i64 1, i64 2, i64 3"),
        (OpenCl, "%5.2f %e %G %a %lf %.f\\00", "double 1.0, float 1.0, double 1.0, double 1.0, double 1.0, double 1.0"),
        (OpenCl, "%p\\00", "ptr addrspace(1) %out"),
        (OpenCl, "%s and %10s\\00", "TEXT, TEXT"),
        (OpenCl, "%v4hld %2.2v4hlf\\00", "<4 x i32> zeroinitializer, <4 x float> zeroinitializer"),
        (OpenCl, "%#v16hhx %v2ld\\00", "<16 x i8> zeroinitializer, <2 x i64> zeroinitializer"),
        (OpenCl, "%v3hd %v3hlf\\00", "<3 x i16> zeroinitializer, <4 x float> zeroinitializer"),
        (OpenCl, "%v8hf %v2lf\\00", "<8 x half> zeroinitializer, <2 x double> zeroinitializer"),
        (OpenCl, "%4095d %.4095f\\00", "i32 1, double 1.0"),
        (Cuda, "%d %ld %lld %5.2f %% %s %p %c\\00", "i32 1, i64 2, i64 3, double 4.0, TEXT, ptr null, i32 65"),
        (Cuda, "%*d %.*f %-*.*f\\00", "i32 5, i32 1, i32 2, double 1.0, i32 -3, i32 4, double 1.0"),
        (Cuda, "%hd % d %#x %-08lx\\00", "i32 5, i32 1, i32 2, i64 1"),
        (Hip, "%d %zu %jd %td %hhu %F\\00", "i32 1, i64 2, i64 3, i64 4, i32 5, double 6.0"),
        (Hip, "%*d %s %%\\00", "i32 5, i32 1, TEXT"),
    ] {
        let outcome = outcome(language, format, arguments);
        assert_eq!(found(&outcome), [], "{format} with {arguments}");
    }
}

#[test]
fn what_does_not_fit_is_found() {
    let (error, warning) = (Severity::Error, Severity::Warning);
    let private = "ptr inttoptr (i64 1 to ptr)";
    for (language, format, arguments, severity, message) in [
        (OpenCl, "%\\00", "", error, "the format ends inside of the conversion `%`"),
        (Cuda, "a %5.3\\00", "double 1.0", error, "the format ends inside of the conversion `%5.3`"),
        (Cuda, "%ll\\00", "i64 1", error, "the format ends inside of the conversion `%ll`"),
        (OpenCl, "%v4hl\\00", "i64 1", error, "the format ends inside of the conversion `%v4hl`"),
        (OpenCl, "%q\\00", "i32 1", error, "`%q` is no conversion that printf has in OpenCL C"),
        (Cuda, "%5q %d\\00", "i32 1", error, "`%5q` is no conversion that printf has in CUDA"),
        (Hip, "%1$d\\00", "i32 1", error, "`%1$` is no conversion that printf has in HIP"),
        (OpenCl, "%lld\\00", "i64 1", error, "`%lld` is no conversion that printf has in OpenCL C"),
        (OpenCl, "%zu\\00", "i64 1", error, "`%zu` is no conversion that printf has in OpenCL C"),
        (OpenCl, "%hld\\00", "i32 1", error, "`%hld` is no conversion that printf has in OpenCL C"),
        (OpenCl, "%ls\\00", "TEXT", error, "`%ls` is no conversion that printf has in OpenCL C"),
        (Cuda, "%Lf\\00", "double 1.0", error, "`%Lf` is no conversion that printf has in CUDA"),
        (Cuda, "%v4hlf\\00", "<4 x float> zeroinitializer", error, "`%v` is no conversion that printf has in CUDA"),
        (Hip, "%5%\\00", "", error, "`%5%` is no conversion that printf has in HIP"),
        (OpenCl, "%n\\00", "ptr addrspace(1) %out", error, "`%n` is not supported by printf in OpenCL C"),
        (Cuda, "%n\\00", "ptr null", error, "`%n` is not supported by printf in CUDA"),
        (Hip, "%n\\00", "ptr null", error, "`%n` is not supported by printf in HIP"),
        (
            Cuda,
            "%d of %d\\00",
            "i32 1",
            error,
            "`%d` has no argument: the format takes 2 arguments, and the call passes 1",
        ),
        (Cuda, "%s\\00", "", error, "`%s` has no argument: the format takes 1 argument, and the call passes 0"),
        (Hip, "%*d\\00", "i32 1", error, "`%*d` has no argument: the format takes 2 arguments, and the call passes 1"),
        (
            Cuda,
            "%d\\00",
            "i32 1, i32 2",
            warning,
            "the call passes 2 arguments, and the format takes 1: the others are ignored",
        ),
        (
            OpenCl,
            "\\00",
            "i32 1",
            warning,
            "the call passes 1 argument, and the format takes 0: the others are ignored",
        ),
        (
            Cuda,
            "%d\\00",
            "double 1.0",
            error,
            "`%d` takes an integer of 32 bits, and argument 1 is a floating-point number of 64 bits",
        ),
        (
            Cuda,
            "%f\\00",
            "i32 1",
            error,
            "`%f` takes a floating-point number of 64 bits, and argument 1 is an integer of 32 bits",
        ),
        (
            Cuda,
            "%f\\00",
            "float 1.0",
            error,
            "`%f` takes a floating-point number of 64 bits, and argument 1 is a floating-point number of 32 bits",
        ),
        (
            Cuda,
            "%c%lld\\00",
            "i32 1, i32 2",
            error,
            "`%lld` takes an integer of 64 bits, and argument 2 is an integer of 32 bits",
        ),
        (OpenCl, "%d\\00", "i64 1", error, "`%d` takes an integer of 32 bits, and argument 1 is an integer of 64 bits"),
        (Cuda, "%p\\00", "i64 1", error, "`%p` takes a pointer, and argument 1 is an integer of 64 bits"),
        (Cuda, "%s\\00", "i64 1", error, "`%s` takes a pointer to text, and argument 1 is an integer of 64 bits"),
        (
            Cuda,
            "%*d\\00",
            "i64 1, i32 1",
            error,
            "`%*d` takes an integer of 32 bits for `*`, and argument 1 is an integer of 64 bits",
        ),
        (
            OpenCl,
            "%v4f\\00",
            "<4 x float> zeroinitializer",
            error,
            "`%v4f` is a conversion of a vector without a length, which is undefined",
        ),
        (OpenCl, "%v5hlf\\00", "float 1.0", error, "`%v5hlf` is no conversion that printf has in OpenCL C"),
        (OpenCl, "%vhlf\\00", "float 1.0", error, "`%vhlf` is no conversion that printf has in OpenCL C"),
        (OpenCl, "%v4hhf\\00", "float 1.0", error, "`%v4hhf` is no conversion that printf has in OpenCL C"),
        (OpenCl, "%v4hls\\00", "TEXT", error, "`%v4hls` is no conversion that printf has in OpenCL C"),
        (
            OpenCl,
            "%v4hlf\\00",
            "<2 x float> zeroinitializer",
            error,
            "`%v4hlf` takes a vector of 4 floating-point numbers of 32 bits, and argument 1 is 2 floating-point numbers of 32 bits",
        ),
        (
            OpenCl,
            "%v4hld\\00",
            "<4 x float> zeroinitializer",
            error,
            "`%v4hld` takes a vector of 4 integers of 32 bits, and argument 1 is 4 floating-point numbers of 32 bits",
        ),
        (OpenCl, "%*d\\00", "i32 1, i32 2", error, "`%*d` has a `*`, which printf does not have in OpenCL C"),
        (OpenCl, "%.*f\\00", "i32 1, double 2.0", error, "`%.*f` has a `*`, which printf does not have in OpenCL C"),
        (
            Cuda,
            "%999999999d\\00",
            "i32 1",
            warning,
            "`%999999999d` asks for 999999999 characters, and an implementation need not print more than 4095",
        ),
        (
            OpenCl,
            "%.99999999999999999999999f\\00",
            "double 1.0",
            warning,
            "`%.99999999999999999999999f` asks for 18446744073709551615 characters, and an implementation need not print more than 4095",
        ),
        (
            Cuda,
            "%*d\\00",
            "i32 -2147483648, i32 1",
            warning,
            "`%*d` asks for 2147483648 characters, and an implementation need not print more than 4095",
        ),
        (Cuda, "%zu\\00", "i64 1", warning, "`%zu` is not among the conversions that printf has in CUDA"),
        (Cuda, "%F\\00", "double 1.0", warning, "`%F` is not among the conversions that printf has in CUDA"),
        (Cuda, "%s\\00", "ptr null", error, "argument 1 for `%s` is a null pointer"),
        (Cuda, "%s\\00", "ptr poison", error, "argument 1 for `%s` is poison or undef"),
        (
            Cuda,
            "%s\\00",
            "ptr inttoptr (i64 81985529216486895 to ptr)",
            error,
            "argument 1 for `%s` cannot be read: no object is there",
        ),
        (Cuda, "%d%s\\00", &format!("i32 1, {private}"), error, "argument 2 for `%s` is a null pointer"),
        (
            Cuda,
            "%s\\00",
            "ptr addrspacecast (ptr addrspace(4) @bytes to ptr)",
            error,
            "argument 1 for `%s` has no zero at its end: it begins at offset 0 of `bytes`, which has 3 bytes",
        ),
        (
            Cuda,
            "no end",
            "",
            error,
            "the format has no zero at its end: it begins at offset 0 of `format`, which has 6 bytes",
        ),
    ] {
        let outcome = outcome(language, format, arguments);
        assert_eq!(found(&outcome), [(severity, message.to_owned())], "{format} with {arguments}");
    }
}

/// CUDA counts arguments; the others say 0 or -1.
#[test]
fn results() {
    for (language, format, arguments, result) in [
        (Cuda, "%d%d\\00", "i32 1, i32 2", 2),
        (Cuda, "\\00", "", 0),
        (OpenCl, "%d\\00", "i32 1", 0),
        (OpenCl, "%q\\00", "i32 1", u32::MAX),
        (OpenCl, "%d\\00", "i32 1, i32 2", 0),
        (Hip, "%d\\00", "i32 1", 0),
    ] {
        assert_eq!(numbers(&outcome(language, format, arguments).outcome, 0), [result], "{format}");
    }
}

#[test]
fn cuda_takes_32_arguments() {
    let call = |count: usize| outcome(Cuda, &format!("{}\\00", "%d".repeat(count)), &vec!["i32 1"; count].join(", "));
    assert_eq!(found(&call(32)), []);
    let message = "the call passes 33 arguments, and printf takes at most 32 in CUDA";
    assert_eq!(found(&call(33)), [(Severity::Warning, message.to_owned())]);
}

/// Formats at other places than constants: OpenCL C wants literals, CUDA reads what is there.
#[test]
fn formats_in_memory() {
    let with = |triple: &str, kernel: &str, space: &str, cast: &str, store: &str| {
        format!(
            "target triple = \"{triple}\"\n\
             declare i32 @printf(ptr{space}, ...)\n\
             define {kernel} void @kernel() {{\n  %text = alloca [4 x i8]\n{store}  {cast}\n  \
             %n = call i32 (ptr{space}, ...) @printf(ptr{space} %at)\n  ret void\n}}\n"
        )
    };
    let cuda = |store: &str| {
        let cast = "%at = getelementptr i8, ptr %text, i64 0";
        found(&execute(&with("nvptx64-nvidia-cuda", "ptx_kernel", "", cast, store), &launch(1, &[])))
    };
    let error = |message: &str| vec![(Severity::Error, message.to_owned())];
    assert_eq!(cuda("  store i32 25185, ptr %text\n"), []);
    let message = "the format has a byte without a value, at offset 1 of %text, an alloca of 4 bytes";
    assert_eq!(cuda("  store i8 97, ptr %text\n"), error(message));
    let message = "the format has no zero at its end: it begins at offset 0 of %text, an alloca of 4 bytes";
    assert_eq!(cuda("  store i32 1633837924, ptr %text\n"), error(message));
    let opencl = "target triple = \"spirv64-unknown-unknown\"\n\
        declare i32 @printf(ptr addrspace(2), ...)\n\
        define spir_kernel void @kernel(ptr addrspace(2) %text) {\n  \
          %n = call i32 (ptr addrspace(2), ...) @printf(ptr addrspace(2) %text)\n  ret void\n}\n";
    let message = "the format is in memory that may change, and OpenCL C wants a string literal";
    assert_eq!(found(&execute(opencl, &launch(1, &[("text", words(1))]))), error(message));
}

/// Only so many bytes are looked for a zero.
#[test]
fn long_texts_end_at_a_limit() {
    let format = format!("{}\\00", "a".repeat(100));
    let mut launch = launch(1, &[("out", words(1))]);
    launch.limits.printf_bytes = 100;
    let outcome = execute(&module(Cuda, &format, ""), &launch);
    let message = "the format has no zero in its first 100 bytes (--limit printf-bytes)";
    assert_eq!(found(&outcome), [(Severity::Error, message.to_owned())]);
    launch.limits.printf_bytes = 101;
    assert_eq!(found(&execute(&module(Cuda, &format, ""), &launch)), []);
}

/// What one thread does wrong is told of this one; a warning of others does not hide it.
#[test]
fn a_finding_names_its_threads() {
    let text = "target triple = \"nvptx64-nvidia-cuda\"\n\
        @formats = private addrspace(4) constant [6 x i8] c\"%q\\00ok\\00\"\n\
        declare i32 @printf(ptr, ...)\n\
        declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n\
        define ptx_kernel void @kernel() {\n  \
          %id = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n  \
          %last = icmp eq i32 %id, 7\n  \
          %offset = select i1 %last, i32 0, i32 3\n  \
          %format = getelementptr i8, ptr addrspace(4) @formats, i32 %offset\n  \
          %generic = addrspacecast ptr addrspace(4) %format to ptr\n  \
          %n = call i32 (ptr, ...) @printf(ptr %generic, i32 1)\n  ret void\n}\n";
    let outcome = execute(text, &launch(8, &[]));
    assert_eq!(found(&outcome), [(Severity::Error, "`%q` is no conversion that printf has in CUDA".to_owned())]);
    assert_eq!(outcome.diagnostics[0].label, "thread 7 has this");
    let notes = &outcome.diagnostics[0].notes;
    assert!(notes.iter().any(|note| note.starts_with("also, the call passes 1 argument")), "{notes:?}");
}

/// The list of `vprintf`, as clang makes it.
#[test]
fn lists_of_vprintf() {
    let text = |format: &str, list: &str, stores: &str| {
        let length = format.len() - 2 * format.matches('\\').count();
        format!(
            "target triple = \"nvptx64-nvidia-cuda\"\n\
             @format = private constant [{length} x i8] c\"{format}\"\n\
             @text = private constant [4 x i8] c\"abc\\00\"\n\
             declare i32 @vprintf(ptr, ptr)\n\
             define ptx_kernel void @kernel() {{\n  %list = alloca {list}, align 8\n{stores}  \
             %n = call i32 @vprintf(ptr @format, ptr %list)\n  ret void\n}}\n"
        )
    };
    let store = |index: u32, list: &str, value: &str| {
        format!("  %p{index} = getelementptr {list}, ptr %list, i32 0, i32 {index}\n  store {value}, ptr %p{index}\n")
    };
    let run = |format: &str, list: &str, values: &[&str]| {
        let stores: String = (0..).zip(values).map(|(index, value)| store(index, list, value)).collect();
        found(&execute(&text(format, list, &stores), &launch(1, &[])))
    };
    assert_eq!(
        run("%d %f %s %c\\00", "{ i32, double, ptr, i32 }", &["i32 1", "double 2.0", "ptr @text", "i32 65"]),
        []
    );
    assert_eq!(
        run("%d %f\\00", "{ i32 }", &["i32 1"]),
        [(
            Severity::Error,
            "the conversions of the format take 16 bytes of arguments, and the call passes 4".to_owned()
        )]
    );
    assert_eq!(
        run("%d\\00", "{ double }", &["double 1.0"]),
        [(
            Severity::Warning,
            "the call passes 8 bytes of arguments, and the conversions of the format take 4 bytes".to_owned()
        )]
    );
    assert_eq!(
        run("%d%s\\00", "{ i32, ptr }", &["i32 1", "ptr null"]),
        [(Severity::Error, "argument 1 for `%s` is a null pointer".to_owned())]
    );
    let none = text("plain\\00", "i8", "").replace("ptr %list)", "ptr null)");
    assert_eq!(found(&execute(&none, &launch(1, &[]))), []);
}
