//! Parts of other modules, calls, and instructions from a list.

use super::control::is_terminator;
use super::module::{Body, Line, Token, tokens};
use super::mutate::Change;

/// Instructions by their texts: `$T` is a value of the type `T`, as a name or a constant; what stands before `=` is the type of the result. What they call
/// follows after a bar.
const TEMPLATES: &[&str] = &[
    "i32 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x() | declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()",
    "i32 = call i32 @llvm.amdgcn.workitem.id.x() | declare i32 @llvm.amdgcn.workitem.id.x()",
    "i64 = call spir_func i64 @_Z12get_local_idj(i32 0) | declare spir_func i64 @_Z12get_local_idj(i32)",
    "i32 = call i32 @llvm.amdgcn.readfirstlane.i32(i32 $i32) | declare i32 @llvm.amdgcn.readfirstlane.i32(i32) convergent",
    "i64 = call i64 @llvm.amdgcn.ballot.i64(i1 $i1) | declare i64 @llvm.amdgcn.ballot.i64(i1) convergent",
    "void = call void @llvm.amdgcn.s.barrier() | declare void @llvm.amdgcn.s.barrier() convergent",
    "void = call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 $i32) | declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) convergent",
    "i32 = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 $i32, i32 $i32, i32 $i32, i32 31) | declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32) convergent",
    "i32 = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 $i1) | declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1) convergent",
    "void = call spir_func void @_Z7barrierj(i32 1) | declare spir_func void @_Z7barrierj(i32) convergent",
    "i32 = call spir_func i32 @_Z20sub_group_reduce_addi(i32 $i32) | declare spir_func i32 @_Z20sub_group_reduce_addi(i32) convergent",
    "i32 = call i32 @llvm.smax.i32(i32 $i32, i32 $i32) | declare i32 @llvm.smax.i32(i32, i32)",
    "i32 = call i32 @llvm.fshl.i32(i32 $i32, i32 $i32, i32 $i32) | declare i32 @llvm.fshl.i32(i32, i32, i32)",
    "i32 = call i32 @llvm.ctlz.i32(i32 $i32, i1 true) | declare i32 @llvm.ctlz.i32(i32, i1 immarg)",
    "i32 = call i32 @llvm.abs.i32(i32 $i32, i1 true) | declare i32 @llvm.abs.i32(i32, i1 immarg)",
    "{ i32, i1 } = call { i32, i1 } @llvm.smul.with.overflow.i32(i32 $i32, i32 $i32) | declare { i32, i1 } @llvm.smul.with.overflow.i32(i32, i32)",
    "i32 = call i32 @llvm.sadd.sat.i32(i32 $i32, i32 $i32) | declare i32 @llvm.sadd.sat.i32(i32, i32)",
    "float = call float @llvm.fma.f32(float $float, float $float, float $float) | declare float @llvm.fma.f32(float, float, float)",
    "float = call float @llvm.sqrt.f32(float $float) | declare float @llvm.sqrt.f32(float)",
    "float = call float @llvm.powi.f32.i32(float $float, i32 $i32) | declare float @llvm.powi.f32.i32(float, i32)",
    "float = call float @llvm.ldexp.f32.i32(float $float, i32 $i32) | declare float @llvm.ldexp.f32.i32(float, i32)",
    "i32 = call i32 @llvm.fptosi.sat.i32.f32(float $float) | declare i32 @llvm.fptosi.sat.i32.f32(float)",
    "i1 = call i1 @llvm.is.fpclass.f32(float $float, i32 1023) | declare i1 @llvm.is.fpclass.f32(float, i32 immarg)",
    "void = call void @llvm.assume(i1 $i1) | declare void @llvm.assume(i1)",
    "void = call void @llvm.trap() | declare void @llvm.trap()",
    "void = call void @llvm.memset.p0.i64(ptr $ptr, i8 0, i64 $i64, i1 false) | declare void @llvm.memset.p0.i64(ptr, i8, i64, i1 immarg)",
    "void = call void @llvm.memcpy.p0.p0.i64(ptr $ptr, ptr $ptr, i64 $i64, i1 false) | declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1 immarg)",
    "void = call void @llvm.memmove.p1.p1.i32(ptr addrspace(1) $ptr addrspace(1), ptr addrspace(1) $ptr addrspace(1), i32 $i32, i1 true) | declare void @llvm.memmove.p1.p1.i32(ptr addrspace(1), ptr addrspace(1), i32, i1 immarg)",
    "void = call void @llvm.lifetime.start.p0(i64 4, ptr $ptr) | declare void @llvm.lifetime.start.p0(i64 immarg, ptr)",
    "ptr = call ptr @llvm.stacksave.p0() | declare ptr @llvm.stacksave.p0()",
    "i32 = call i32 (ptr, ...) @printf(ptr $ptr, i32 $i32, double $double) | declare i32 @printf(ptr, ...)",
    "i32 = call i32 asm sideeffect convergent \"bar.sync 0;\", \"=r,r\"(i32 $i32)",
    "i32 = call i32 $ptr(i32 $i32) convergent",
    "ptr = alloca i32, align 4",
    "ptr = alloca i32, i32 $i32",
    "ptr = alloca [1000000 x i64], align 8",
    "ptr addrspace(5) = alloca { i8, i64 }, align 16, addrspace(5)",
    "i32 = load i32, ptr $ptr, align 4",
    "i32 = load volatile i32, ptr addrspace(1) $ptr addrspace(1), align 4",
    "i32 = load atomic i32, ptr addrspace(3) $ptr addrspace(3) syncscope(\"workgroup\") acquire, align 4",
    "void = store i32 $i32, ptr $ptr, align 4",
    "void = store i64 $i64, ptr addrspace(1) $ptr addrspace(1), align 1",
    "void = store <4 x float> $<4 x float>, ptr addrspace(3) $ptr addrspace(3)",
    "i32 = atomicrmw add ptr addrspace(1) $ptr addrspace(1), i32 $i32 monotonic",
    "i32 = atomicrmw xchg ptr $ptr, i32 $i32 syncscope(\"agent\") acq_rel",
    "float = atomicrmw fadd ptr addrspace(3) $ptr addrspace(3), float $float seq_cst",
    "{ i32, i1 } = cmpxchg ptr addrspace(1) $ptr addrspace(1), i32 $i32, i32 $i32 acquire monotonic",
    "void = fence syncscope(\"workgroup\") release",
    "ptr = getelementptr i32, ptr $ptr, i64 $i64",
    "ptr addrspace(1) = getelementptr inbounds { i8, [4 x i64] }, ptr addrspace(1) $ptr addrspace(1), i32 $i32, i32 1, i64 $i64",
    "<4 x ptr> = getelementptr i8, ptr $ptr, <4 x i64> $<4 x i64>",
    "ptr = addrspacecast ptr addrspace(1) $ptr addrspace(1) to ptr",
    "ptr addrspace(3) = addrspacecast ptr $ptr to ptr addrspace(3)",
    "i64 = ptrtoint ptr $ptr to i64",
    "ptr = inttoptr i64 $i64 to ptr",
    "i32 = trunc i64 $i64 to i32",
    "i64 = sext i32 $i32 to i64",
    "i128 = zext i32 $i32 to i128",
    "float = uitofp i32 $i32 to float",
    "i32 = fptosi float $float to i32",
    "i32 = bitcast float $float to i32",
    "<2 x i16> = bitcast i32 $i32 to <2 x i16>",
    "i1 = icmp slt i32 $i32, $i32",
    "i1 = icmp eq ptr $ptr, $ptr",
    "i1 = fcmp olt float $float, $float",
    "i32 = select i1 $i1, i32 $i32, i32 $i32",
    "<4 x float> = select i1 $i1, <4 x float> $<4 x float>, <4 x float> $<4 x float>",
    "i32 = freeze i32 $i32",
    "float = fneg float $float",
    "<4 x i32> = insertelement <4 x i32> $<4 x i32>, i32 $i32, i32 $i32",
    "i32 = extractelement <4 x i32> $<4 x i32>, i32 $i32",
    "<4 x i32> = shufflevector <4 x i32> $<4 x i32>, <4 x i32> $<4 x i32>, <4 x i32> <i32 7, i32 0, i32 poison, i32 3>",
    "{ i32, float } = insertvalue { i32, float } $<{ i32, float }>, i32 $i32, 0",
    "i32 = extractvalue { i32, i1 } $<{ i32, i1 }>, 0",
    "i32 = sdiv i32 $i32, $i32",
    "i128 = urem i128 $i128, $i128",
    "i32 = shl nuw nsw i32 $i32, $i32",
    "float = frem float $float, $float",
    "i32 = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> $<4 x i32>) | declare i32 @llvm.vector.reduce.add.v4i32(<4 x i32>)",
    "i32 = va_arg ptr $ptr, i32",
];

/// A new instruction.
pub(super) fn template(change: &mut Change<'_>) -> bool {
    let Some(place) = change.gap() else { return false };
    let template = TEMPLATES[change.rng.below(TEMPLATES.len())];
    let (template, declaration) =
        template.split_once(" | ").map_or((template, None), |(text, needs)| (text, Some(needs)));
    let Some((ty, text)) = template.split_once(" = ") else { return false };
    if let Some(declaration) = declaration {
        let name = declaration.split(['@', '(']).nth(1).unwrap_or_default();
        let is_known = |line: &String| line.contains(&format!("@{name}("));
        let is_defined = change.tree.bodies.iter().any(|body| body.name[1..] == *name);
        if !is_defined && !change.tree.top.iter().any(is_known) {
            change.tree.top.push(declaration.to_owned());
        }
    }
    let mut filled = String::new();
    let mut parts = text.split('$');
    filled.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let end = type_length(part);
        let of = part[..end].strip_prefix("<{").map_or(&part[..end], |_| &part[1..end - 1]);
        filled.push_str(&change.value_of(of, place));
        filled.push_str(&part[end..]);
    }
    let result = (ty != "void").then(|| (format!("%{}", change.name("t")), ty.to_owned()));
    let text = result.as_ref().map_or(filled.clone(), |(name, _)| format!("{name} = {filled}"));
    change.tree.bodies[place.0].blocks[place.1].lines.insert(place.2, Line::new(text, result));
    true
}

/// How long the type at the start of a text is.
fn type_length(text: &str) -> usize {
    if text.starts_with('<') {
        return text.find('>').map_or(text.len(), |end| end + 1);
    }
    let word = text.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(text.len());
    match text[word..].strip_prefix(" addrspace(") {
        Some(rest) => word + 11 + rest.find(')').map_or(0, |end| end + 1),
        None => word,
    }
}

/// A call of a function of the module: another one, or this one.
pub(super) fn call(change: &mut Change<'_>) -> bool {
    let Some(place) = change.gap() else { return false };
    let callee = change.rng.below(change.tree.bodies.len());
    let Body { name, result, parameters, prefix, .. } = change.tree.bodies[callee].clone();
    let convention =
        ["amdgpu_kernel", "ptx_kernel", "spir_kernel", "spir_func"].into_iter().find(|word| prefix.contains(word));
    let arguments: Vec<String> =
        parameters.iter().map(|[ty, _, _]| format!("{ty} {}", change.value_of(ty, place))).collect();
    let convention = convention.map_or(String::new(), |word| format!("{word} "));
    let text = format!("call {convention}{result} {name}({})", arguments.join(", "));
    let defined = (result != "void").then(|| (format!("%{}", change.name("called")), result));
    let text = defined.as_ref().map_or(text.clone(), |(name, _)| format!("{name} = {text}"));
    change.tree.bodies[place.0].blocks[place.1].lines.insert(place.2, Line::new(text, defined));
    true
}

/// A function of another module comes in, with what it names; something calls it.
pub(super) fn function(change: &mut Change<'_>) -> bool {
    let Some(other) = change.rng.pick(change.others) else { return false };
    let Some(body) = change.rng.pick(&other.bodies) else { return false };
    let mut body = body.clone();
    let name = format!("@{}", change.name("spliced"));
    let own = body.name.clone();
    for line in body.blocks.iter_mut().flat_map(|block| &mut block.lines) {
        line.rename(&own, &name);
        if let Some(at) = line.text.find(", !") {
            line.text.truncate(at);
        }
        line.text = without_groups(&line.text);
    }
    body.name = name;
    body.suffix = if body.suffix.contains("convergent") || change.rng.percent(40) {
        "convergent".to_owned()
    } else {
        String::new()
    };
    let mut wanted: Vec<String> = Vec::new();
    for line in body.blocks.iter().flat_map(|block| &block.lines) {
        let named = tokens(&line.text).into_iter().filter(|(token, _)| matches!(token, Token::Global | Token::Local));
        wanted.extend(named.map(|(_, range)| line.text[range].to_owned()));
    }
    wanted.extend(body.parameters.iter().map(|[ty, _, _]| ty.clone()));
    for name in wanted {
        bring(change, other, &name);
    }
    change.tree.bodies.push(body);
    true
}

/// Brings what a name of another module means into this one, where that has nothing with the name.
fn bring(change: &mut Change<'_>, other: &super::Tree, name: &str) {
    let defines = |line: &&String| {
        line.strip_prefix(name).is_some_and(|rest| rest.starts_with(" ="))
            || line.starts_with("declare") && line.contains(&format!("{name}("))
    };
    if change.tree.top.iter().any(|line| defines(&line)) || change.tree.bodies.iter().any(|body| body.name == name) {
        return;
    }
    if let Some(line) = other.top.iter().find(defines) {
        let is_convergent = other.top.iter().any(|group| {
            group.starts_with("attributes #")
                && group.contains("convergent")
                && line.ends_with(group.split(' ').nth(1).unwrap_or("?"))
        });
        let mut line = without_groups(line);
        if is_convergent {
            line.push_str(" convergent");
        }
        change.tree.top.push(line);
    } else if let Some(body) = other.bodies.iter().find(|body| body.name == name) {
        let types: Vec<&str> = body.parameters.iter().map(|[ty, _, _]| ty.as_str()).collect();
        change.tree.top.push(format!("declare {} {name}({}) convergent", body.result, types.join(", ")));
    }
}

/// A text without ` #7` and attachments.
fn without_groups(text: &str) -> String {
    let mut text = text.to_owned();
    while let Some(at) = text.find(" #") {
        let digits = text[at + 2..].bytes().take_while(u8::is_ascii_digit).count();
        if digits == 0 {
            break;
        }
        text.replace_range(at..at + 2 + digits, "");
    }
    text
}

/// Some instructions of another place, or another module, with names that this function knows.
pub(super) fn instructions(change: &mut Change<'_>) -> bool {
    let Some(place) = change.gap() else { return false };
    let source = match change.rng.percent(50) {
        true => change.rng.pick(change.others).and_then(|tree| change.rng.pick(&tree.bodies)),
        false => change.rng.pick(&change.tree.bodies),
    };
    let Some(source) = source.cloned() else { return false };
    let Some(block) = change.rng.pick(&source.blocks).cloned() else { return false };
    let start = change.rng.below(block.lines.len().max(1));
    let count = 1 + change.rng.below(4);
    let mut at = place.2;
    let types = source.types();
    let mut renamed: Vec<(String, String)> = Vec::new();
    for line in block.lines.iter().skip(start).take(count) {
        // What is called would have to be declared: only intrinsics need no declaration.
        let is_foreign = tokens(&line.text)
            .iter()
            .any(|(token, range)| *token == Token::Global && !line.text[range.clone()].starts_with("@llvm."));
        if is_terminator(line) || line.is("phi") || is_foreign {
            continue;
        }
        let mut line = line.clone();
        if let Some(end) = line.text.find(", !") {
            line.text.truncate(end);
        }
        line.text = without_groups(&line.text);
        for range in line.uses().into_iter().rev() {
            let used = line.text[range.clone()].to_owned();
            let new = match renamed.iter().find(|(old, _)| *old == used) {
                Some((_, new)) => new.clone(),
                None => match types.get(used.as_str()) {
                    Some(ty) => change.value_of(ty, (place.0, place.1, at)),
                    None => continue,
                },
            };
            line.replace(range, &new);
        }
        if let Some((name, ty)) = line.result.clone() {
            let new = format!("%{}", change.name("s"));
            line.text = line.text.replacen(&name, &new, 1);
            line.result = Some((new.clone(), ty));
            renamed.push((name, new));
        }
        change.tree.bodies[place.0].blocks[place.1].lines.insert(at, line);
        at += 1;
    }
    at > place.2
}

/// Types and constants that nest.
pub(super) fn nested(change: &mut Change<'_>) -> bool {
    let depth = [3, 20, 60, 300, 2000][change.rng.below(5)];
    let (open, close) = [("[1 x ", "]"), ("{ ", " }"), ("<{ ", " }>"), ("[2 x ", "]")][change.rng.below(4)];
    let ty = format!("{}i8{}", open.repeat(depth), close.repeat(depth));
    let name = change.name("deep");
    change.tree.top.push(match change.rng.below(3) {
        0 => format!("@{name} = internal global {ty} zeroinitializer"),
        1 => format!("%{name} = type {ty}\n@{name} = external global %{name}"),
        _ => format!("%{name} = type {{ ptr, [2 x %{name}] }}\n@{name} = external global %{name}"),
    });
    let value = match change.rng.percent(50) {
        true => format!("load {ty}, ptr @{name}"),
        false => format!("alloca {ty}"),
    };
    let Some(place) = change.gap() else { return true };
    let result = format!("%{}", change.name("deep"));
    let of = if value.starts_with("load") { ty } else { "ptr".to_owned() };
    let line = Line::new(format!("{result} = {value}"), Some((result, of)));
    change.tree.bodies[place.0].blocks[place.1].lines.insert(place.2, line);
    true
}

/// A block's instructions many times.
pub(super) fn many(change: &mut Change<'_>) -> bool {
    let Some(place) = change.gap() else { return false };
    let times = [10, 100, 1000][change.rng.below(3)];
    for _ in 0..times {
        let name = format!("%{}.{}", change.name("many"), change.fresh);
        let value = change.value_of("i32", place);
        let line = Line::new(format!("{name} = add i32 {value}, 1"), Some((name, "i32".to_owned())));
        change.tree.bodies[place.0].blocks[place.1].lines.insert(place.2, line);
    }
    true
}
