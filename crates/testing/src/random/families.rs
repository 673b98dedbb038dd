//! Kernels for AMD GPUs whose control flow makes the propagation of divergence expensive, branch by branch.

use std::fmt::{Display, Write};

/// A shape with any number of divergent branches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// Ifs inside each other, each with a phi where its arms meet.
    Nested,
    /// Early exits to one block.
    Cascade,
    /// Ifs one after another.
    Sequence,
    /// One loop with many breaks.
    LoopExits,
    /// Loops inside each other, each with an exit of its own.
    Loops,
}

impl Family {
    /// All of them.
    pub const ALL: [Family; 5] = [Family::Nested, Family::Cascade, Family::Sequence, Family::LoopExits, Family::Loops];

    /// What tables call it.
    pub fn name(self) -> &'static str {
        match self {
            Family::Nested => "nested",
            Family::Cascade => "cascade",
            Family::Sequence => "seq",
            Family::LoopExits => "loopexit",
            Family::Loops => "loops",
        }
    }

    /// A module with one kernel of this shape, with `branches` divergent branches, at least one.
    pub fn module(self, branches: usize) -> String {
        let mut text = Text(String::from(
            "target triple = \"amdgcn-amd-amdhsa\"\n\
             declare i32 @llvm.amdgcn.workitem.id.x()\n\
             define amdgpu_kernel void @k(ptr addrspace(1) %out) {\n\
             entry:\n  %tid = call i32 @llvm.amdgcn.workitem.id.x()\n",
        ));
        match self {
            Family::Nested => nested(&mut text, branches),
            Family::Cascade => {
                text.line("  br label %b0");
                for index in 0..branches {
                    let next = index + 1;
                    text.line(format_args!("b{index}:\n  %c{index} = icmp eq i32 %tid, {index}"));
                    text.line(format_args!("  br i1 %c{index}, label %end, label %b{next}"));
                }
                text.line(format_args!("b{branches}:\n  br label %end"));
            }
            Family::Sequence => {
                text.line("  br label %b0");
                for index in 0..branches {
                    let next = index + 1;
                    text.line(format_args!("b{index}:\n  %c{index} = icmp ugt i32 %tid, {index}"));
                    text.line(format_args!("  br i1 %c{index}, label %t{index}, label %b{next}"));
                    text.line(format_args!("t{index}:\n  br label %b{next}"));
                }
                text.line(format_args!("b{branches}:\n  br label %end"));
            }
            Family::LoopExits => loop_exits(&mut text, branches),
            Family::Loops => {
                text.line("  br label %h0");
                for index in 0..branches {
                    let next = index + 1;
                    let out = if index == 0 { "end".to_owned() } else { format!("h{}", index - 1) };
                    text.line(format_args!("h{index}:\n  %c{index} = icmp ugt i32 %tid, {index}"));
                    text.line(format_args!("  br i1 %c{index}, label %h{next}, label %{out}"));
                }
                text.line(format_args!("h{branches}:\n  br label %h{}", branches - 1));
            }
        }
        text.line("end:\n  ret void\n}");
        text.0
    }
}

fn nested(text: &mut Text, branches: usize) {
    text.line("  br label %b0");
    for index in 0..branches {
        let next = index + 1;
        text.line(format_args!("b{index}:\n  %c{index} = icmp ugt i32 %tid, {index}"));
        text.line(format_args!("  br i1 %c{index}, label %b{next}, label %j{index}"));
    }
    let mut inner = format!("b{branches}");
    text.line(format_args!("{inner}:"));
    for index in (0..branches).rev() {
        text.line(format_args!("  br label %j{index}\nj{index}:"));
        text.line(format_args!("  %p{index} = phi i32 [ 1, %{inner} ], [ 0, %b{index} ]"));
        inner = format!("j{index}");
    }
    text.line("  br label %end");
}

fn loop_exits(text: &mut Text, branches: usize) {
    text.line("  br label %h\nh:\n  %i = phi i32 [ 0, %entry ], [ %next, %latch ]");
    text.line("  %next = add i32 %i, 1\n  br label %b0");
    for index in 0..branches {
        let next = index + 1;
        text.line(format_args!("b{index}:\n  %v{index} = add i32 %i, {index}"));
        text.line(format_args!("  %c{index} = icmp eq i32 %tid, %v{index}"));
        text.line(format_args!("  br i1 %c{index}, label %x{index}, label %b{next}"));
    }
    text.line(format_args!("b{branches}:\n  br label %latch\nlatch:\n  br label %h"));
    for index in 0..branches {
        text.line(format_args!("x{index}:\n  store i32 %v{index}, ptr addrspace(1) %out\n  br label %end"));
    }
}

/// A text that grows by lines.
struct Text(String);

impl Text {
    fn line(&mut self, line: impl Display) {
        writeln!(self.0, "{line}").expect("writing to a string succeeds");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::llvm;

    /// Every branch that has two ways to go is divergent.
    #[test]
    fn families_are_valid_and_divergent() {
        let Some(tools) = llvm::tools() else { return };
        for family in Family::ALL {
            for branches in [1, 2, 30] {
                let module = family.module(branches);
                assert!(tools.verify(&module).unwrap().accepted, "{module}");
                let functions = tools.uniformity(&module).unwrap().expect("LLVM knows the target");
                let divergent = functions[0].verdict.blocks.iter().filter(|block| block.terminator).count();
                assert_eq!(divergent, branches, "{module}");
            }
        }
    }
}
