//! Changes of tokens and bundles, of attributes, and of what stands outside of bodies.

use super::module::Line;
use super::mutate::Change;

fn declare(change: &mut Change<'_>, name: &str, text: &str) {
    let is_there = |line: &String| line.starts_with("declare") && line.contains(&format!("{name}("));
    if !change.tree.top.iter().any(is_there) {
        change.tree.top.push(text.to_owned());
    }
}

/// A token is defined.
pub(super) fn token_defined(change: &mut Change<'_>) -> bool {
    let kind = change.rng.below(5);
    let Some((body, mut block, mut line)) = change.gap() else { return false };
    if kind == 0 {
        (block, line) = (0, 0);
    }
    let intrinsic = ["entry", "anchor", "anchor", "loop", "loop"][kind];
    let intrinsic = format!("llvm.experimental.convergence.{intrinsic}");
    declare(change, &format!("@{intrinsic}"), &format!("declare token @{intrinsic}() #9999"));
    if !change.tree.top.iter().any(|line| line.starts_with("attributes #9999")) {
        change.tree.top.push("attributes #9999 = { convergent }".to_owned());
    }
    let name = format!("%{}", change.name("token"));
    let mut text = format!("{name} = call token @{intrinsic}()");
    if kind >= 3 && !change.rng.percent(5) {
        let used = change.value_of("token", (body, block, line));
        text.push_str(&format!(" [ \"convergencectrl\"(token {used}) ]"));
    }
    change.tree.bodies[body].blocks[block].lines.insert(line, Line::new(text, Some((name, "token".to_owned()))));
    true
}

/// A call gets a token.
pub(super) fn token_used(change: &mut Change<'_>) -> bool {
    let Some(place) = change.place_where(|line| line.is_call() && !line.text.contains('\n')) else { return false };
    let used = change.value_of("token", place);
    let tag = if change.rng.percent(95) { "convergencectrl" } else { "deopt" };
    let line = change.line(place);
    let end = line.text.find(", !").unwrap_or(line.text.len());
    let without = line.text[..end].find(" [ \"").unwrap_or(end);
    line.text.replace_range(without..end, &format!(" [ \"{tag}\"(token {used}) ]"));
    true
}

/// A call has no bundles any more.
pub(super) fn bundle_removed(change: &mut Change<'_>) -> bool {
    let Some(place) = change.place_where(|line| line.text.contains(" [ \"")) else { return false };
    let line = change.line(place);
    let (Some(start), Some(end)) = (line.text.find(" [ \""), line.text.rfind(" ]")) else { return false };
    line.text.replace_range(start..end + 2, "");
    true
}

/// An attribute of a function comes or goes.
pub(super) fn of_function(change: &mut Change<'_>) -> bool {
    const WORDS: [&str; 17] = [
        "convergent",
        "noinline",
        "alwaysinline",
        "nounwind",
        "noreturn",
        "willreturn",
        "mustprogress",
        "readnone",
        "memory(none)",
        "optnone noinline",
        "\"amdgpu-flat-work-group-size\"=\"1,64\"",
        "\"hlsl.shader\"=\"compute\"",
        "\"hlsl.numthreads\"=\"8,1,1\"",
        "norecurse",
        "speculatable",
        "noduplicate",
        "\"uniform-work-group-size\"=\"true\"",
    ];
    const CONVENTIONS: [&str; 9] = [
        "amdgpu_kernel",
        "ptx_kernel",
        "spir_kernel",
        "spir_func",
        "internal",
        "weak",
        "linkonce_odr",
        "amdgpu_cs",
        "available_externally",
    ];
    let Some(index) = change.body() else { return false };
    let body = &mut change.tree.bodies[index];
    if change.rng.percent(40) {
        let word = CONVENTIONS[change.rng.below(CONVENTIONS.len())];
        let old = CONVENTIONS.iter().find(|old| body.prefix.contains(&format!(" {old} ")));
        body.prefix = match old {
            Some(old) => body.prefix.replacen(&format!(" {old} "), &format!(" {word} "), 1),
            None => body.prefix.replacen("define ", &format!("define {word} "), 1),
        };
        return true;
    }
    let word = WORDS[change.rng.below(WORDS.len())];
    body.suffix = match body.suffix.contains(word) {
        true => body.suffix.replacen(word, "", 1),
        // Sections and the like follow attributes.
        false => format!("{word} {}", body.suffix),
    };
    true
}

/// An attribute of a call comes or goes.
pub(super) fn of_call(change: &mut Change<'_>) -> bool {
    let Some(place) = change.place_where(|line| line.is_call() && line.text.contains(')')) else { return false };
    let word = ["convergent", "noinline", "alwaysinline", "nounwind", "nomerge", "noduplicate"][change.rng.below(6)];
    let line = change.line(place);
    match line.text.find(&format!(" {word}")) {
        Some(at) => line.text.replace_range(at..at + word.len() + 1, ""),
        None => {
            let end = line.text.find(", !").unwrap_or(line.text.len());
            let end = line.text[..end].find(" [ \"").unwrap_or(end);
            line.text.insert_str(end, &format!(" {word}"));
        }
    }
    true
}

/// An attribute of a parameter.
pub(super) fn of_parameter(change: &mut Change<'_>) -> bool {
    let Some(index) = change.body() else { return false };
    let body = &mut change.tree.bodies[index];
    if body.parameters.is_empty() {
        return false;
    }
    let at = change.rng.below(body.parameters.len());
    let [ty, attributes, _] = &mut body.parameters[at];
    let words: &[&str] = match ty.starts_with("ptr") {
        true => &[
            "noundef",
            "byval(i32)",
            "byval({ i32, [4 x i64] })",
            "byref(i64)",
            "noalias",
            "readonly",
            "nonnull",
            "align 64",
            "sret(i32)",
            "inreg",
        ],
        false => &["noundef", "inreg", "zeroext", "signext", "range(i32 0, 7)", "nofpclass(nan)"],
    };
    let word = words[change.rng.below(words.len())];
    *attributes = match attributes.contains(word) {
        true => attributes.replacen(word, "", 1),
        false => format!("{attributes} {word}").trim().to_owned(),
    };
    true
}

/// A line outside of bodies is gone, stands there twice, or is one of another module.
pub(super) fn top_level(change: &mut Change<'_>) -> bool {
    if change.tree.top.is_empty() {
        return false;
    }
    let at = change.rng.below(change.tree.top.len());
    match change.rng.below(10) {
        0 => drop(change.tree.top.remove(at)),
        1 => {
            let line = change.tree.top[at].clone();
            change.tree.top.insert(at, line);
        }
        2 | 3 => {
            let other = change.rng.pick(change.others).and_then(|tree| change.rng.pick(&tree.top)).cloned();
            change.tree.top.extend(other);
        }
        4 => {
            let to = change.rng.below(change.tree.top.len());
            change.tree.top.swap(at, to);
        }
        5 | 6 => {
            let name = change.name("variable");
            let space = [0, 1, 2, 3, 4, 5, 7][change.rng.below(7)];
            let what = [
                "global i32 0",
                "global [64 x i32] zeroinitializer",
                "constant [4 x i32] [i32 1, i32 2, i32 3, i32 4]",
                "global i32 undef",
                "external global [0 x i32]",
                "global { i8, i64 } poison",
                "global [1048576 x i64] zeroinitializer",
                "global ptr null",
                "constant <4 x float> zeroinitializer",
                "global [100000000000 x i8] undef",
                "constant i7 -1",
                "global double 0x7FF8000000000000",
            ][change.rng.below(12)];
            let what = match what.strip_prefix("external ") {
                Some(rest) => format!("@{name} = external addrspace({space}) {rest}"),
                None => format!("@{name} = internal addrspace({space}) {what}"),
            };
            change.tree.top.push(what);
        }
        7 => {
            let old = &change.tree.top[at];
            let new = if old.contains(" convergent") {
                old.replace(" convergent", "")
            } else {
                old.replace("{ ", "{ convergent ")
            };
            change.tree.top[at] = new;
        }
        _ => return false,
    }
    true
}

/// Another triple or data layout.
pub(super) fn target(change: &mut Change<'_>) -> bool {
    const LINES: [&str; 12] = [
        "target triple = \"amdgcn-amd-amdhsa\"",
        "target triple = \"nvptx64-nvidia-cuda\"",
        "target triple = \"spir64-unknown-unknown\"",
        "target triple = \"spirv64-unknown-unknown\"",
        "target triple = \"spirv-unknown-vulkan-compute\"",
        "target triple = \"dxil-pc-shadermodel6.3-compute\"",
        "target triple = \"x86_64-unknown-linux-gnu\"",
        "target triple = \"\"",
        "target datalayout = \"e-p:32:32-i64:64\"",
        "target datalayout = \"E-p:64:64:64-i128:128-n8:16:32:64-A5-G1\"",
        "target datalayout = \"e-p3:16:16-p7:160:256:256:32\"",
        "target datalayout = \"e-i8:4096-p:8388608:8388608\"",
    ];
    let line = LINES[change.rng.below(LINES.len())];
    let kind = &line[..10];
    change.tree.top.retain(|old| !old.starts_with(kind));
    change.tree.top.insert(0, line.to_owned());
    true
}
