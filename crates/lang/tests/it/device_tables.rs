//! The tables of CUDA, HIP and C: each function is called with variables of exactly its types, on each target. What is made keeps the invariants of typed
//! expressions, LLVM accepts the intrinsics with these types and knows the same of them, and NVIDIA's builtins are what clang makes of them.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use reconverge_lang::builtins::{self, device, overload, signature};
use reconverge_lang::options::{Dialect, LowerTarget};
use reconverge_lang::source::Location;
use reconverge_lang::typed::{
    AddressSpace, Body, Builder, Conversion, Expression, ExpressionKind, FloatKind, MemoryEffects, Program, Shape,
    Type, TypeKind, VariableData,
};
use reconverge_operations::recipe;

const DIALECTS: [Dialect; 5] = [Dialect::OpenCl, Dialect::Cuda, Dialect::Hip, Dialect::C, Dialect::Cpp];
const TARGETS: [LowerTarget; 4] = [LowerTarget::Spirv, LowerTarget::Amdgpu, LowerTarget::Nvptx, LowerTarget::Generic];

/// A call of a recipe's function in a program of its own.
struct Called {
    program: Program,
    body: Body,
    result: Expression,
}

/// Functions whose operands are numbers in the instruction.
const OF_NUMBERS: [&str; 2] = ["__builtin_amdgcn_s_sleep", "__builtin_amdgcn_s_waitcnt"];

/// Calls a function with variables of the types of an overload, or with numbers where it takes no others.
fn call(dialect: Dialect, target: LowerTarget, name: &str, parameters: &[signature::Ty]) -> Called {
    let (mut program, mut body) = (Program::new(dialect, target), Body::default());
    let mut build = Builder { program: &mut program, body: &mut body };
    let arguments: Vec<Expression> = parameters
        .iter()
        .enumerate()
        .map(|(index, &of)| {
            let of = overload::program_type(&mut build, of);
            if OF_NUMBERS.contains(&name) {
                return build.integer(1, of, Location(1));
            }
            let data = VariableData { name: format!("a{index}"), of, alignment: None, location: Location(1) };
            let variable = build.body.variables.push(data);
            build.variable(variable, Location(1))
        })
        .collect();
    let result = builtins::call(&mut build, name, &arguments, Location(1));
    let result = result.unwrap_or_else(|| panic!("{name} is unknown")).unwrap_or_else(|problem| {
        panic!("{dialect:?} {target:?} {name}({parameters:?}): {}", problem.message);
    });
    Called { program, body, result }
}

/// Every overload of every function of the tables, on each target.
fn each(mut visit: impl FnMut(Dialect, LowerTarget, &'static str, &recipe::Recipe)) {
    for dialect in DIALECTS {
        for target in TARGETS {
            let mut names: Vec<_> = device::names(dialect).collect();
            names.sort_unstable();
            for name in names {
                for recipe in device::recipes(dialect, target, name).unwrap() {
                    visit(dialect, target, name, recipe);
                }
            }
        }
    }
}

#[test]
fn every_line_of_the_tables_can_be_read() {
    for dialect in DIALECTS {
        for name in device::names(dialect) {
            let count: usize =
                TARGETS.iter().map(|&target| device::recipes(dialect, target, name).unwrap().len()).sum();
            assert!(count > 0, "{name}");
        }
        for line in device::lines(dialect) {
            assert!(recipe::expand(line).is_some_and(|recipes| !recipes.is_empty()), "{line}");
        }
    }
}

#[test]
fn what_is_made_keeps_the_invariants_of_typed_expressions() {
    let mut count = 0;
    each(|dialect, target, name, recipe| {
        let mut called = call(dialect, target, name, &recipe.overload.parameters);
        let body = std::mem::take(&mut called.body);
        check(&mut called.program, &body, name);
        let mut body = body;
        let mut build = Builder { program: &mut called.program, body: &mut body };
        let wanted = overload::program_type(&mut build, recipe.overload.result);
        assert_eq!(build.type_of(called.result), wanted, "{dialect:?} {target:?} {name}");
        count += 1;
    });
    assert!(count > 1000);
    println!("{count} calls");
}

/// That operands have the types that expressions ask for.
fn check(program: &mut Program, body: &Body, name: &str) {
    let mut body = Body { expressions: body.expressions.clone(), variables: body.variables.clone(), ..Body::default() };
    let all: Vec<Expression> = body.expressions.keys().collect();
    let build = Builder { program, body: &mut body };
    let of = |expression: Expression| build.type_of(expression);
    let is_value = |expression: Expression| !build.is_place(expression);
    for expression in all {
        let result = of(expression);
        match build.kind(expression) {
            ExpressionKind::Arithmetic(_, a, b) => {
                assert!(of(*a) == result && of(*b) == result && is_value(*a) && is_value(*b), "{name}");
            }
            ExpressionKind::Compare(_, a, b) => assert!(of(*a) == of(*b) && is_value(*a) && is_value(*b), "{name}"),
            ExpressionKind::Conditional(c, a, b) => {
                assert!(build.shape_of(*c) == Shape::Bool && of(*a) == result && of(*b) == result, "{name}");
            }
            ExpressionKind::Assign(place, value) => {
                assert!(build.is_place(*place) && of(*place) == of(*value) && is_value(*value), "{name}");
            }
            ExpressionKind::Load(place) => assert!(build.is_place(*place) && of(*place) == result, "{name}"),
            ExpressionKind::Convert(Conversion::Bits, a) => {
                assert!(build.same_bits(of(*a), result), "{name}: {} bits", build.type_name(of(*a)));
            }
            ExpressionKind::Call { function, arguments, .. } => {
                let TypeKind::Function { parameters, variadic, .. } =
                    build.program.types.kind(build.program.functions[*function].of)
                else {
                    panic!("{name}")
                };
                assert!(arguments.len() == parameters.len() || *variadic, "{name}");
                for (argument, parameter) in arguments.iter().zip(parameters) {
                    assert!(of(*argument) == *parameter && is_value(*argument), "{name}");
                }
            }
            _ => {}
        }
    }
}

/// A type in IR.
fn ir_type(program: &Program, of: Type) -> String {
    match program.types.kind(of) {
        TypeKind::Void => "void".into(),
        TypeKind::Bool => "i1".into(),
        TypeKind::Integer { bits, .. } => format!("i{bits}"),
        TypeKind::Float(FloatKind::Half) => "half".into(),
        TypeKind::Float(FloatKind::BFloat) => "bfloat".into(),
        TypeKind::Float(FloatKind::Single) => "float".into(),
        TypeKind::Float(_) => "double".into(),
        TypeKind::Pointer { space: AddressSpace::Generic, .. } => "ptr".into(),
        TypeKind::Vector { element, lanes } => format!("<{lanes} x {}>", ir_type(program, *element)),
        other => panic!("no type of intrinsics: {other:?}"),
    }
}

#[test]
fn llvm_knows_the_same_of_the_intrinsics() {
    let Some(tools) = reconverge_testing::llvm::tools() else { return };
    let mut declared: BTreeMap<String, (String, bool, MemoryEffects)> = BTreeMap::new();
    each(|dialect, target, name, recipe| {
        let called = call(dialect, target, name, &recipe.overload.parameters);
        for function in called.program.functions.values() {
            let TypeKind::Function { result, parameters, .. } = called.program.types.kind(function.of) else {
                panic!()
            };
            if !function.linkage_name.starts_with("llvm.") {
                continue;
            }
            let parameters: Vec<String> = parameters.iter().map(|&of| ir_type(&called.program, of)).collect();
            let result = ir_type(&called.program, *result);
            let line = format!("declare {result} @{}({})", function.linkage_name, parameters.join(", "));
            let known = (line, function.is_convergent, function.memory);
            let before = declared.insert(function.linkage_name.clone(), known.clone());
            assert!(before.is_none_or(|before| before == known), "{known:?}");
        }
    });
    assert!(declared.len() > 80);
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("declared.ll");
    let lines: Vec<&str> = declared.values().map(|(line, ..)| line.as_str()).collect();
    std::fs::write(&input, lines.join("\n")).unwrap();
    let output = Command::new(&tools.opt).args(["-S", "-passes=verify"]).arg(&input).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let groups: BTreeMap<&str, &str> =
        text.lines().filter_map(|line| line.strip_prefix("attributes ")?.split_once(" = ")).collect();
    let mut mistakes = Vec::new();
    let mut seen = BTreeSet::new();
    for line in text.lines().filter(|line| line.starts_with("declare")) {
        let name = line.split_once('@').unwrap().1.split('(').next().unwrap();
        let group = line.rsplit_once(' ').map(|(_, group)| groups.get(group).copied().unwrap_or("")).unwrap_or("");
        let Some((_, is_convergent, memory)) = declared.get(name) else {
            mistakes.push(format!("{name}: another name for LLVM"));
            continue;
        };
        seen.insert(name);
        if *is_convergent != group.contains("convergent") {
            mistakes.push(format!("{name}: convergent {is_convergent}, LLVM: {group}"));
        }
        if (*memory == MemoryEffects::None) != group.contains("memory(none)") {
            mistakes.push(format!("{name}: {memory:?}, LLVM: {group}"));
        }
    }
    assert!(mistakes.is_empty(), "{}", mistakes.join("\n"));
    let unseen: Vec<&String> = declared.keys().filter(|name| !seen.contains(&***name)).collect();
    assert!(unseen.is_empty(), "LLVM has no declaration of {unseen:?}");
}

/// What a body calls and does to memory, in words.
fn operations(called: &Called) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for data in called.body.expressions.values() {
        match &data.kind {
            ExpressionKind::Call { function, .. } => {
                found.insert(called.program.functions[*function].linkage_name.clone());
            }
            ExpressionKind::Atomic(_) => {
                found.insert("atomic".into());
            }
            _ => {}
        }
    }
    found
}

#[test]
fn builtins_of_nvidia_are_what_clang_makes_of_them() {
    let Some(tools) = reconverge_testing::llvm::tools() else { return };
    let mut source = String::new();
    let mut expected = Vec::new();
    each(|dialect, target, name, recipe| {
        let is_chosen = name.starts_with("__nvvm_") || (name.starts_with("__builtin_") && !name.contains("amdgcn"));
        // Built otherwise, on purpose: the flags and the mask in one; atomic operations of a scope as instructions; comparisons of floats.
        let is_other =
            ["match_all", "_is", "rotate", "expect", "inf", "huge", "parity"].iter().any(|part| name.contains(part));
        if dialect != Dialect::Cuda || target != LowerTarget::Nvptx || !is_chosen || is_other {
            return;
        }
        let called = call(dialect, target, name, &recipe.overload.parameters);
        let types = recipe.overload.parameters.iter().enumerate();
        let parameters: Vec<String> =
            types.map(|(index, of)| format!("{} a{index}", cuda_type(of.name(), name))).collect();
        let arguments: Vec<String> = (0..parameters.len()).map(|index| format!("a{index}")).collect();
        source += &format!(
            "extern \"C\" __attribute__((device)) void probe{}({}) {{ {name}({}); }}\n",
            expected.len(),
            parameters.join(", "),
            arguments.join(", ")
        );
        expected.push((name, operations(&called)));
    });
    let folder = tempfile::tempdir().unwrap();
    let (input, output) = (folder.path().join("probe.cu"), folder.path().join("probe.ll"));
    std::fs::write(&input, source).unwrap();
    let mut clang = Command::new(&tools.clang);
    clang.args(["-x", "cuda", "--cuda-device-only", "-nocudainc", "-nocudalib", "--cuda-gpu-arch=sm_80", "-w"]);
    clang
        .args(["-Xclang", "-target-feature", "-Xclang", "+ptx70", "-S", "-emit-llvm", "-O0", "-ferror-limit=0"])
        .arg(&input);
    let result = clang.arg("-o").arg(&output).output().unwrap();
    assert!(result.status.success(), "{}", String::from_utf8_lossy(&result.stderr));
    let mut made: Vec<BTreeSet<String>> = vec![BTreeSet::new(); expected.len()];
    let mut current = None;
    for line in std::fs::read_to_string(&output).unwrap().lines() {
        if let Some(rest) = line.strip_prefix("define") {
            let name = rest.split_once("@probe").unwrap().1.split('(').next().unwrap();
            current = Some(name.parse::<usize>().unwrap());
        } else if let Some(number) = current {
            if line.contains(" call ") {
                let name = line.split_once('@').unwrap().1.split('(').next().unwrap().to_string();
                // Clang has intrinsics of its own for atomic operations of a scope.
                let is_atomic = name.starts_with("llvm.nvvm.atomic.");
                made[number].insert(if is_atomic { "atomic".into() } else { name });
            } else if line.contains(" atomicrmw ") || line.contains(" cmpxchg ") {
                made[number].insert("atomic".into());
            }
        }
    }
    let mut mistakes = Vec::new();
    for ((name, expected), made) in expected.iter().zip(&made) {
        if expected != made {
            mistakes.push(format!("{name}: {expected:?}, clang: {made:?}"));
        }
    }
    println!("{} builtins", expected.len());
    assert!(mistakes.is_empty(), "{}", mistakes.join("\n"));
}

/// A type of signatures in CUDA.
fn cuda_type(of: String, function: &str) -> String {
    let of = if function.ends_with("ll") { of.replace("long", "long long") } else { of };
    of.replace("ulong", "unsigned long")
        .replace("uint", "unsigned int")
        .replace("ushort", "unsigned short")
        .replace("uchar", "unsigned char")
}
