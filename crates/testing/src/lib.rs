//! For tests and chores only.
