//! Changes of control flow, and of the order of instructions.

use super::module::{Block, Line, index_of};
use super::mutate::Change;

/// An instruction stands there twice; the second one has a new result.
pub(super) fn twice(change: &mut Change<'_>) -> bool {
    let Some((body, block, line)) = change.place() else { return false };
    let mut copy = change.line((body, block, line)).clone();
    if is_terminator(&copy) {
        return false;
    }
    if let Some((name, ty)) = copy.result.take() {
        let new = format!("%{}", change.name("twice"));
        // Uses of the result are left: a phi of itself stays one.
        copy.text = copy.text.replacen(&name, &new, 1);
        copy.result = Some((new, ty));
    }
    change.tree.bodies[body].blocks[block].lines.insert(line + 1, copy);
    true
}

/// An instruction is gone; its uses are of something else of its type.
pub(super) fn without(change: &mut Change<'_>) -> bool {
    remove(change, true)
}

/// An instruction is gone; its uses are not.
pub(super) fn without_definition(change: &mut Change<'_>) -> bool {
    remove(change, false)
}

fn remove(change: &mut Change<'_>, replaced: bool) -> bool {
    let Some((body, block, line)) = change.place_where(|line| !is_terminator(line)) else { return false };
    let removed = change.tree.bodies[body].blocks[block].lines.remove(line);
    if let (Some((name, ty)), true) = (removed.result, replaced) {
        if ty == "token" {
            return true;
        }
        let new = change.value_of(&ty, (body, block, line));
        let lines = change.tree.bodies[body].blocks.iter_mut().flat_map(|block| &mut block.lines);
        lines.for_each(|line| line.rename(&name, &new));
    }
    true
}

/// Two neighbours change places.
pub(super) fn swapped(change: &mut Change<'_>) -> bool {
    let Some((body, block, line)) = change.place_where(|line| !is_terminator(line)) else { return false };
    let lines = &mut change.tree.bodies[body].blocks[block].lines;
    if line + 2 >= lines.len() {
        return false;
    }
    lines.swap(line, line + 1);
    true
}

/// An instruction stands elsewhere.
pub(super) fn moved(change: &mut Change<'_>) -> bool {
    let Some((body, block, line)) = change.place_where(|line| !is_terminator(line) && !line.is("phi")) else {
        return false;
    };
    let Some((_, to, at)) = change.gap().filter(|gap| gap.0 == body && gap.1 != block) else { return false };
    let moved = change.tree.bodies[body].blocks[block].lines.remove(line);
    change.tree.bodies[body].blocks[to].lines.insert(at, moved);
    true
}

/// A branch goes to another block; the phis of both know.
pub(super) fn other_target(change: &mut Change<'_>) -> bool {
    let Some((body, block, line)) = change.place_where(|line| line.text.contains("label %")) else { return false };
    let data = &mut change.tree.bodies[body];
    let (from, targets) = (data.blocks[block].name.clone(), data.blocks[block].targets());
    if line + 1 != data.blocks[block].lines.len() {
        return false;
    }
    let Some(old) = change.rng.pick(&targets).cloned() else { return false };
    // The entry has no predecessors.
    let first = usize::from(data.blocks.len() > 1 && !change.rng.percent(3));
    let new = data.blocks[first + change.rng.below(data.blocks.len() - first)].name.clone();
    let last = &mut data.blocks[block].lines[line];
    last.text = last.text.replacen(&format!("label %{old}"), &format!("label %{new}"), 1);
    if old != new {
        if !data.blocks[block].targets().contains(&old) {
            data.forget_edge(&from, &old);
        }
        data.add_edge(&from, &new);
    }
    true
}

/// A jump becomes a branch with a second way.
pub(super) fn branch_added(change: &mut Change<'_>) -> bool {
    let is_jump = |line: &Line| line.text.starts_with("br label %");
    let Some((body, block, line)) = change.place_where(is_jump) else { return false };
    let condition = change.value_of("i1", (body, block, line));
    let data = &mut change.tree.bodies[body];
    let from = data.blocks[block].name.clone();
    let first = usize::from(data.blocks.len() > 1);
    let other = data.blocks[first + change.rng.below(data.blocks.len() - first)].name.clone();
    let Some(target) = data.blocks[block].targets().pop() else { return false };
    data.blocks[block].lines[line].text = format!("br i1 {condition}, label %{target}, label %{other}");
    data.add_edge(&from, &other);
    true
}

/// A block becomes two.
pub(super) fn block_split(change: &mut Change<'_>) -> bool {
    let Some((body, block, line)) = change.gap() else { return false };
    let name = change.name("split");
    let data = &mut change.tree.bodies[body];
    let old = data.blocks[block].name.clone();
    let lines = data.blocks[block].lines.split_off(line);
    let new = Block { name: name.clone(), lines };
    for target in new.targets() {
        if let Some(index) = index_of(data, &target) {
            let phis = data.blocks[index].lines.iter_mut().take_while(|line| line.is("phi"));
            phis.for_each(|phi| phi.text = phi.text.replace(&format!(", %{old} ]"), &format!(", %{name} ]")));
        }
    }
    data.blocks[block].lines.push(Line::new(format!("br label %{name}"), None));
    data.blocks.insert(block + 1, new);
    true
}

/// A part of a block becomes the body of a loop: one that ends, or one that may not.
pub(super) fn loop_around(change: &mut Change<'_>) -> bool {
    if !block_split(change) {
        return false;
    }
    let Some(body) =
        change.tree.bodies.iter().position(|body| body.blocks.iter().any(|block| block.name.starts_with("split")))
    else {
        return false;
    };
    let Some(index) = change.tree.bodies[body].blocks.iter().position(|block| block.name.starts_with("split")) else {
        return false;
    };
    let [head, counter, next, test] = ["head", "count", "next", "test"].map(|kind| change.name(kind));
    let condition = change.value_of("i1", (body, 0, 0));
    let limit = change.integer();
    let data = &mut change.tree.bodies[body];
    let before = index.saturating_sub(1);
    let (from, after) = (data.blocks[before].name.clone(), data.blocks[index].name.clone());
    let Some(jump) = data.blocks[before].lines.last_mut() else { return false };
    jump.text = format!("br label %{head}");
    let typed = |name: &str, ty: &str| Some((format!("%{name}"), ty.to_owned()));
    let test_line = match change.rng.percent(70) {
        true => format!("%{test} = icmp ult i32 %{next}, {limit}"),
        false => format!("%{test} = or i1 {condition}, {condition}"),
    };
    let lines = vec![
        Line::new(format!("%{counter} = phi i32 [ 0, %{from} ], [ %{next}, %{head} ]"), typed(&counter, "i32")),
        Line::new(format!("%{next} = add i32 %{counter}, 1"), typed(&next, "i32")),
        Line::new(test_line, typed(&test, "i1")),
        Line::new(format!("br i1 %{test}, label %{head}, label %{after}"), None),
    ];
    data.blocks.insert(index, Block { name: head, lines });
    true
}

/// A block leaves the function.
pub(super) fn ends_here(change: &mut Change<'_>) -> bool {
    let Some((body, block, _)) = change.gap() else { return false };
    let result = change.tree.bodies[body].result.clone();
    let value = if result == "void" {
        String::new()
    } else {
        format!(" {}", change.value_of(&result, (body, block, usize::MAX)))
    };
    let text = if change.rng.percent(60) { format!("ret {result}{value}") } else { "unreachable".to_owned() };
    let data = &mut change.tree.bodies[body];
    let from = data.blocks[block].name.clone();
    for target in data.blocks[block].targets() {
        data.forget_edge(&from, &target);
    }
    let Some(last) = data.blocks[block].lines.last_mut() else { return false };
    *last = Line::new(text, None);
    true
}

/// A jump becomes a switch.
pub(super) fn switch_added(change: &mut Change<'_>) -> bool {
    let is_jump = |line: &Line| line.text.starts_with("br label %");
    let Some((body, block, line)) = change.place_where(is_jump) else { return false };
    let value = change.value_of("i32", (body, block, line));
    let data = &mut change.tree.bodies[body];
    let from = data.blocks[block].name.clone();
    let first = usize::from(data.blocks.len() > 1);
    let Some(target) = data.blocks[block].targets().pop() else { return false };
    let mut cases = String::new();
    for number in 0..1 + change.rng.below(4) {
        let to = data.blocks[first + change.rng.below(data.blocks.len() - first)].name.clone();
        cases.push_str(&format!(" i32 {number}, label %{to}"));
        data.add_edge(&from, &to);
    }
    data.blocks[block].lines[line].text = format!("switch i32 {value}, label %{target} [{cases} ]");
    true
}

/// Whether an instruction ends its block.
pub(super) fn is_terminator(line: &Line) -> bool {
    matches!(
        line.opcode(),
        "br" | "ret"
            | "switch"
            | "unreachable"
            | "indirectbr"
            | "invoke"
            | "callbr"
            | "resume"
            | "catchswitch"
            | "catchret"
            | "cleanupret"
    )
}
