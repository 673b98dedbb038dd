//! The tables of OpenCL C against clang: each overload is called with arguments of exactly its types, and what clang declares for the call has to be
//! what the tables say: the name, and what is known of memory; and what communicates by the tables is convergent there.
//!
//! By default some overloads of every function; `RECONVERGE_ROUNDS` takes more of them, 10 all. `RECONVERGE_SEED` says where to begin.

use reconverge_testing::llvm;
use reconverge_testing::rounds::{first_seed, is_long, times};

use std::collections::HashMap;
use std::fmt::Write as _;
use std::process::Command;

use reconverge_lang::builtins::opencl;
use reconverge_lang::builtins::signature::{Overload, text};
use reconverge_lang::options::{Dialect, LowerTarget};
use reconverge_lang::typed::MemoryEffects;

/// A chosen overload, and what it is called in the source that clang reads.
struct Probe {
    name: &'static str,
    overload: &'static Overload,
}

/// The overloads to try, spread over those of each function.
fn probes() -> Vec<Probe> {
    let seed = first_seed() as usize;
    println!("RECONVERGE_SEED={seed}");
    let mut names: Vec<&'static str> = opencl::names().collect();
    names.sort_unstable();
    let mut probes = Vec::new();
    for name in names {
        let overloads = opencl::overloads(name).unwrap();
        assert!(!overloads.is_empty(), "{name}: no line of its tables can be read");
        let count = if is_long() { overloads.len() } else { overloads.len().min(times(2) as usize) };
        let step = overloads.len().div_ceil(count);
        let chosen = (0..count).map(|index| (seed + index * step) % overloads.len());
        probes.extend(chosen.map(|index| Probe { name, overload: &overloads[index] }));
    }
    probes
}

/// OpenCL C that calls each overload once, from a function with its number.
fn source(probes: &[Probe]) -> String {
    let mut text = String::from("#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n");
    for (number, Probe { name, overload }) in probes.iter().enumerate() {
        let types = overload.parameters.iter().enumerate();
        let parameters: Vec<String> = types.map(|(index, of)| format!("{} a{index}", of.name())).collect();
        let arguments: Vec<String> = (0..overload.parameters.len()).map(|index| format!("a{index}")).collect();
        let (result, parameters, arguments) = (overload.result.name(), parameters.join(", "), arguments.join(", "));
        let give = if result == "void" { "" } else { "return " };
        writeln!(text, "{result} probe{number}({parameters}) {{ {give}{name}({arguments}); }}").unwrap();
    }
    text
}

/// What clang makes of a source: for each probe that compiles, the name it calls; and the attributes of each declared function.
struct Compiled {
    called: HashMap<usize, String>,
    attributes: HashMap<String, String>,
    errors: Vec<String>,
}

/// Compiles for a triple. Probes that clang does not take are left out and listed.
fn compile(clang: &std::path::Path, triple: &str, probes: &[Probe]) -> Compiled {
    let folder = tempfile::tempdir().unwrap();
    let (input, output) = (folder.path().join("probe.cl"), folder.path().join("probe.ll"));
    let mut lines: Vec<String> = source(probes).lines().map(str::to_string).collect();
    let mut errors = Vec::new();
    loop {
        std::fs::write(&input, lines.join("\n")).unwrap();
        let mut command = Command::new(clang);
        command.args(["-x", "cl", "-cl-std=CL3.0", "-Xclang", "-finclude-default-header", "-Xclang", "-cl-ext=+all"]);
        command.args(["-nogpulib", "-S", "-emit-llvm", "-O0", "-w", "-ferror-limit=0", "-fno-color-diagnostics"]);
        command.arg(format!("--target={triple}")).arg(&input).arg("-o").arg(&output);
        let result = llvm::output(&command).unwrap();
        if result.status.success() {
            break;
        }
        let text = String::from_utf8_lossy(&result.stderr).into_owned();
        let mut is_fixed = false;
        for line in text.lines().filter(|line| line.contains(": error:")) {
            let mut parts = line.rsplit("probe.cl:").next().unwrap().split(':');
            let number: usize = parts.next().unwrap().parse().unwrap_or_else(|_| panic!("{line}"));
            if !lines[number - 1].is_empty() {
                errors.push(format!("{}: {line}", lines[number - 1]));
                lines[number - 1].clear();
                is_fixed = true;
            }
        }
        assert!(is_fixed, "clang failed: {text}");
    }
    let text = std::fs::read_to_string(&output).unwrap();
    let (mut called, mut groups, mut declared) = (HashMap::new(), HashMap::new(), Vec::new());
    let mut current = None;
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("define") {
            let name = rest.split_once('@').unwrap().1.split('(').next().unwrap();
            current = name.strip_prefix("probe").and_then(|number| number.parse::<usize>().ok());
        } else if let Some(rest) = line.strip_prefix("declare") {
            let (name, rest) = rest.split_once('@').unwrap().1.split_once('(').unwrap();
            let group = rest.rsplit_once('#').map(|(_, number)| number.split_whitespace().next().unwrap().to_string());
            declared.push((name.to_string(), group));
        } else if let Some(rest) = line.strip_prefix("attributes #") {
            let (number, rest) = rest.split_once(" = ").unwrap();
            groups.insert(number.to_string(), rest.to_string());
        } else if let (Some(number), true) = (current, line.contains(" call ")) {
            let name = line.split_once('@').unwrap().1.split('(').next().unwrap();
            if !name.starts_with("llvm.") {
                called.insert(number, name.to_string());
            }
        }
    }
    let attributes = declared.into_iter().map(|(name, group)| {
        let group = group.and_then(|number| groups.get(&number).cloned()).unwrap_or_default();
        (name, group)
    });
    Compiled { called, attributes: attributes.collect(), errors }
}

/// What attributes say of memory.
fn memory(attributes: &str) -> MemoryEffects {
    if attributes.contains("memory(none)") {
        MemoryEffects::None
    } else if attributes.contains("memory(read)") {
        MemoryEffects::Reads
    } else {
        MemoryEffects::Unknown
    }
}

/// Compares the tables with clang for a target.
fn compare(triple: &str, target: LowerTarget) {
    let Some(tools) = reconverge_testing::llvm::tools() else { return };
    let probes = probes();
    let compiled = compile(&tools.clang, triple, &probes);
    let mut mistakes = Vec::new();
    for (number, probe) in probes.iter().enumerate() {
        let Some(called) = compiled.called.get(&number) else { continue };
        let expected = opencl::linkage_name(probe.name, probe.overload, target);
        let signature = text(probe.overload, probe.name, Dialect::OpenCl);
        if *called != expected {
            mistakes.push(format!("{signature}: `{expected}`, clang calls `{called}`"));
            continue;
        }
        let attributes = &compiled.attributes[called];
        if memory(attributes) != probe.overload.memory {
            mistakes.push(format!("{signature}: {:?}, clang says {attributes}", probe.overload.memory));
        }
        if probe.overload.is_convergent && !attributes.contains("convergent") {
            mistakes.push(format!("{signature}: not convergent for clang"));
        }
    }
    println!("{triple}: {} of {} overloads compiled", compiled.called.len(), probes.len());
    for error in &compiled.errors {
        println!("clang does not take {error}");
    }
    assert!(mistakes.is_empty(), "{triple}: {} mistakes\n{}", mistakes.len(), mistakes.join("\n"));
    assert!(compiled.called.len() * 10 > probes.len() * 9, "clang takes too few overloads");
}

#[test]
fn names_for_spirv_are_those_of_clang() {
    compare("spirv64-unknown-unknown", LowerTarget::Spirv);
}

#[test]
fn names_for_amdgpu_are_those_of_clang() {
    compare("amdgcn-amd-amdhsa", LowerTarget::Amdgpu);
}

#[test]
fn names_for_nvptx_are_those_of_clang() {
    compare("nvptx64-nvidia-cuda", LowerTarget::Nvptx);
}
