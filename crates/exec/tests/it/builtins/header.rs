//! Every function that Clang's `opencl-c.h` declares, called once: is what Clang leaves of the call recognised?
//!
//! Needs Clang 22; see `reconverge_testing::llvm` for what happens without.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use reconverge_exec::builtins::{Builtin, recognise};
use reconverge_exec::value::{Scalar, Shape};
use reconverge_testing::llvm;

/// Functions that are no business of this module, by the beginning of their names, and why.
const ELSEWHERE: [(&str, &str); 31] = [
    ("sub_group", "operations of subgroups and workgroups"),
    ("work_group_", "operations of subgroups and workgroups"),
    ("barrier", "operations of subgroups and workgroups"),
    ("get_work_dim", "queries of threads"),
    ("get_global_", "queries of threads"),
    ("get_local_", "queries of threads"),
    ("get_num_groups", "queries of threads"),
    ("get_group_id", "queries of threads"),
    ("get_enqueued_", "queries of threads"),
    ("get_sub_group", "queries of threads"),
    ("get_num_sub_groups", "queries of threads"),
    ("get_max_sub_group_size", "queries of threads"),
    ("read_image", "images"),
    ("write_image", "images"),
    ("get_image", "images"),
    ("clock_read", "clocks"),
    ("get_fence", "address spaces at run time"),
    ("is_valid_reserve_id", "pipes"),
    ("ndrange_", "device queues"),
    ("enqueue_", "device queues"),
    ("retain_event", "device queues"),
    ("release_event", "device queues"),
    ("create_user_event", "device queues"),
    ("is_valid_event", "device queues"),
    ("set_user_event_status", "device queues"),
    ("capture_event_profiling_info", "device queues"),
    ("get_default_queue", "device queues"),
    ("amd_", "media operations of AMD"),
    ("arm_", "an extension of ARM"),
    ("intel_", "extensions of Intel, mostly operations of subgroups"),
    ("printf", "variadic, tested apart"),
];

#[test]
fn calls_of_every_declared_function_are_recognised() {
    let Some(tools) = llvm::tools() else { return };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut calls = BTreeMap::new();
    let mut elsewhere: BTreeMap<&str, usize> = BTreeMap::new();
    for target in ["spir64", "amdgcn-amd-amdhsa"] {
        let declarations = declarations(&tools.clang, target);
        assert!(declarations.len() > 10_000, "only {} declarations were understood", declarations.len());
        elsewhere.clear();
        let mut lines = vec!["#pragma OPENCL EXTENSION cl_khr_fp16 : enable".to_owned()];
        for declaration in declarations {
            match ELSEWHERE.iter().find(|(start, _)| declaration.name.starts_with(start)) {
                Some((_, reason)) => *elsewhere.entry(reason).or_default() += 1,
                None => lines.push(caller(lines.len(), &declaration)),
            }
        }
        calls.extend(leftover_calls(&tools.clang, target, &lines, folder.path()));
    }
    assert!(calls.len() > 10_000, "only {} calls were left over", calls.len());
    let mut kinds = BTreeMap::new();
    let mut unknown = Vec::new();
    for (name, (result, arguments)) in &calls {
        let kind = match recognise(name, result, arguments) {
            Some(Builtin::Pure(function)) => {
                assert_eq!(function.components(), result.len(), "{name}");
                "pure"
            }
            Some(Builtin::Memory(_)) => "memory",
            Some(Builtin::Ignored) => "ignored",
            None => {
                unknown.push(name.as_str());
                "not recognised"
            }
        };
        *kinds.entry(kind).or_insert(0usize) += 1;
    }
    println!("{} calls: {kinds:?}; declarations that are no business of this module: {elsewhere:?}", calls.len());
    assert!(unknown.is_empty(), "{} not recognised: {unknown:#?}", unknown.len());
}

/// Functions of CUDA's libdevice and of OCML that are not here, and why.
const LEFT_OUT: [&str; 9] = [
    // These read a string, or an array.
    "__nv_nan",
    "__nv_nanf",
    "__nv_norm",
    "__nv_normf",
    "__nv_rnorm",
    "__nv_rnormf",
    // An approximation whose error depends on the hardware.
    "__nv_rcp64h",
    // These mix types.
    "__ocml_pown_2f16",
    "__ockl_fdot2",
];

#[test]
fn calls_of_every_function_of_device_libraries_are_recognised() {
    let Some(tools) = llvm::tools() else { return };
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (target, header, expected) in [
        ("nvptx64", "__clang_cuda_libdevice_declares.h", 340),
        ("amdgcn-amd-amdhsa", "__clang_hip_libdevice_declares.h", 200),
    ] {
        let private = "-DPRIVATE=__attribute__((opencl_private))";
        let options = ["-x", "c", "-nogpulib", "-target", target, "-D__device__=", "-D__DEVICE__=", private, "-O0"];
        let clang = |arguments: &[&str], source: &str| {
            let input = folder.path().join("calls.c");
            std::fs::write(&input, source).expect("a temporary file");
            let output =
                Command::new(&tools.clang).args(options).args(arguments).arg(&input).output().expect("clang runs");
            assert!(output.status.success(), "{header}: {}", String::from_utf8_lossy(&output.stderr));
            String::from_utf8_lossy(&output.stdout).into_owned()
        };
        let include = format!("#include <{header}>\n");
        // This attribute is part of the type; the others go.
        let text = clang(&["-E", "-P"], &include).replace("__attribute__((opencl_private))", "PRIVATE");
        let callers = text
            .split(';')
            .filter_map(parse_declaration)
            .filter(|of| of.name.starts_with("__nv_") || of.name.starts_with("__oc"))
            .enumerate()
            .map(|(index, of)| caller(index, &of));
        let source = include.clone() + &callers.collect::<Vec<_>>().join("\n");
        let ir = clang(&["-emit-llvm", "-S", "-o", "-"], &source);
        let calls: Vec<_> = ir.lines().filter_map(declared).collect();
        assert!(calls.len() > expected, "{header}: only {} calls were left over", calls.len());
        let unknown: Vec<&str> = calls
            .iter()
            .filter(|(name, (result, arguments))| recognise(name, result, arguments).is_none())
            .map(|(name, _)| name.as_str())
            .filter(|name| !LEFT_OUT.contains(name))
            .collect();
        println!("{header}: {} calls, {} left out", calls.len(), LEFT_OUT.len());
        assert!(unknown.is_empty(), "{header}: {} of {} not recognised: {unknown:#?}", unknown.len(), calls.len());
    }
}

/// The functions that the header declares for a target.
fn declarations(clang: &Path, target: &str) -> Vec<Declaration> {
    let resources = Command::new(clang).arg("-print-resource-dir").output().expect("clang says where its headers are");
    let header = Path::new(String::from_utf8_lossy(&resources.stdout).trim()).join("include/opencl-c.h");
    let output = Command::new(clang)
        .args(OPTIONS)
        .args(["-target", target, "-E", "-P"])
        .arg(header)
        .output()
        .expect("clang preprocesses its header");
    String::from_utf8_lossy(&output.stdout).split(';').filter_map(parse_declaration).collect()
}

/// All of OpenCL C, without a library.
const OPTIONS: [&str; 6] = ["-x", "cl", "-cl-std=CL3.0", "-nogpulib", "-Xclang", "-cl-ext=+all"];

/// What is declared, but not defined, in the IR of a file with these lines.
fn leftover_calls(
    clang: &Path,
    target: &str,
    lines: &[String],
    folder: &Path,
) -> BTreeMap<String, (Shape, Vec<Shape>)> {
    let input = folder.join("calls.cl");
    std::fs::write(&input, lines.join("\n")).expect("a temporary file");
    let output = Command::new(clang)
        .args(OPTIONS)
        .args(["-Xclang", "-finclude-default-header", "-target", target, "-O0", "-emit-llvm", "-S", "-o", "-"])
        .arg(&input)
        .output()
        .expect("clang compiles the calls");
    assert!(output.status.success(), "{target}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).lines().filter_map(declared).collect()
}

struct Declaration {
    result: String,
    name: String,
    parameters: Vec<String>,
}

/// `RESULT NAME(PARAMETERS)`, with attributes anywhere.
fn parse_declaration(text: &str) -> Option<Declaration> {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("__attribute__((") {
        plain.push_str(before);
        // Attributes may have arguments.
        let mut depth = 2;
        let end = after.find(|c: char| {
            depth += i32::from(c == '(') - i32::from(c == ')');
            depth == 0
        })?;
        rest = &after[end + 1..];
    }
    plain.push_str(rest);
    let plain = plain.split_whitespace().collect::<Vec<_>>().join(" ");
    let (head, parameters) = plain.strip_suffix(')')?.split_once('(')?;
    let (result, name) = head.trim().rsplit_once(' ')?;
    let skipped = ["typedef", "enum", "struct", "#", "}", "..."];
    if skipped.iter().any(|word| plain.contains(word)) || result.is_empty() {
        return None;
    }
    let parameters = if matches!(parameters.trim(), "" | "void") {
        Vec::new()
    } else {
        parameters.split(',').map(|parameter| without_name(parameter.trim())).collect()
    };
    Some(Declaration { result: result.to_owned(), name: name.to_owned(), parameters })
}

/// The type of a parameter; the declarations name some.
fn without_name(parameter: &str) -> String {
    const QUALIFIERS: [&str; 15] = [
        "const",
        "volatile",
        "unsigned",
        "__global",
        "__local",
        "__private",
        "__constant",
        "__generic",
        "global",
        "local",
        "read_only",
        "write_only",
        "read_write",
        "__read_only",
        "__write_only",
    ];
    let parameter = parameter.replace("[2]", "*").replace("[3]", "*");
    let last = parameter.rsplit([' ', '*']).next().unwrap_or_default();
    let types = parameter
        .split([' ', '*'])
        .filter(|word| !word.is_empty() && !QUALIFIERS.contains(word) && *word != "__read_write");
    if types.count() > 1 { parameter[..parameter.len() - last.len()].trim_end().to_owned() } else { parameter }
}

fn caller(number: usize, declaration: &Declaration) -> String {
    let Declaration { result, name, parameters } = declaration;
    let typed: Vec<String> = parameters.iter().enumerate().map(|(index, of)| format!("{of} a{index}")).collect();
    let passed: Vec<String> = (0..parameters.len()).map(|index| format!("a{index}")).collect();
    let give = if result == "void" { "" } else { "return " };
    format!("{result} call{number}({}) {{ {give}{name}({}); }}", typed.join(", "), passed.join(", "))
}

/// The name, the result and the parameters of a `declare` of IR.
fn declared(line: &str) -> Option<(String, (Shape, Vec<Shape>))> {
    let (before, after) = line.strip_prefix("declare ")?.split_once('@')?;
    let (name, rest) = after.split_once('(')?;
    let types = rest.rsplit_once(')')?.0;
    if name.starts_with("llvm.") {
        return None;
    }
    let parameters = split_types(types).iter().map(|text| shape(text)).collect();
    Some((name.to_owned(), (shape(before), parameters)))
}

/// Splits at commas outside brackets; what is behind the list of parameters is cut off.
fn split_types(text: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut depth = 0;
    for c in text.chars() {
        match c {
            '(' | '<' | '{' => depth += 1,
            ')' | '>' | '}' => depth -= 1,
            _ => {}
        }
        if depth < 0 {
            break;
        }
        match c {
            ',' if depth == 0 => parts.push(String::new()),
            _ => parts.last_mut().expect("one part at least").push(c),
        }
    }
    parts.retain(|part| !part.trim().is_empty());
    parts
}

/// The flattened type in a text that also has attributes.
fn shape(text: &str) -> Shape {
    if let Some((count, rest)) = text.split_once(" x ").filter(|(before, _)| before.contains('<')) {
        let count: usize = count[count.find('<').expect("just seen") + 1..].parse().expect("a number of elements");
        return shape(&rest.replace('>', " ")).repeat(count);
    }
    for word in text.split_whitespace() {
        let scalar = match word {
            "half" => Scalar::Half,
            "float" => Scalar::Float,
            "double" => Scalar::Double,
            "void" => return Vec::new(),
            "ptr" => Scalar::Pointer(text.split_once("addrspace(").map_or(0, |(_, rest)| {
                rest.split(')').next().and_then(|space| space.parse().ok()).expect("a number of an address space")
            })),
            _ if word.starts_with("target(") => Scalar::Token,
            _ => match word.strip_prefix('i').and_then(|bits| bits.parse().ok()) {
                Some(bits) => Scalar::Integer(bits),
                None => continue,
            },
        };
        return vec![scalar];
    }
    panic!("no type in {text:?}")
}
