//! An allowance of work for what only faulty functions need.

/// Work left, in steps of about one edge each.
pub(super) struct Effort {
    left: u64,
}

/// Enough to find every breach and witness in any function a person would read, and done in about a second.
const ALLOWANCE: u64 = 1 << 25;

impl Effort {
    pub(super) fn new() -> Effort {
        Effort { left: ALLOWANCE }
    }

    /// Takes `steps` from the allowance; `false`, when it does not have that many.
    pub(super) fn spend(&mut self, steps: usize) -> bool {
        let left = self.left.checked_sub(steps as u64);
        self.left = left.unwrap_or(0);
        left.is_some()
    }
}
