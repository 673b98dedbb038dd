//! The convergence control intrinsics that a pass needs and the module does not declare yet.

use reconverge_ir::{ConvergenceIntrinsic, Module};

use crate::Edits;

const KINDS: [ConvergenceIntrinsic; 3] =
    [ConvergenceIntrinsic::Entry, ConvergenceIntrinsic::Loop, ConvergenceIntrinsic::Anchor];

/// Which intrinsics are needed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Declarations([bool; 3]);

impl Declarations {
    pub(crate) fn need(&mut self, kind: ConvergenceIntrinsic) {
        let index = KINDS.iter().position(|&known| known == kind);
        index.into_iter().for_each(|index| self.0[index] = true);
    }

    pub(crate) fn add(&mut self, other: Declarations) {
        self.0.iter_mut().zip(other.0).for_each(|(all, one)| *all |= one);
    }

    /// Declares those that are not there yet, at the end of the module.
    pub(crate) fn edit(self, module: &Module<'_>, edits: &mut Edits) {
        let missing = KINDS.into_iter().zip(self.0).filter(|&(_, needed)| needed).map(|(kind, _)| kind.name());
        let mut text = String::new();
        for name in missing.filter(|name| module.symbol_named(name.as_bytes()).is_none()) {
            text.push_str(&format!(
                "\ndeclare token @{name}() convergent nocallback nofree nosync nounwind willreturn memory(none)\n"
            ));
        }
        if !text.is_empty() {
            let newline = if module.text.last() == Some(&b'\n') { "" } else { "\n" };
            edits.insert(module.text.len(), format!("{newline}{text}"));
        }
    }
}
