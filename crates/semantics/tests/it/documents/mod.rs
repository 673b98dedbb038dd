//! The tables of LLVM's two documents, each from a graph and paths alone, and what their text says of them.
//!
//! *Convergence and Uniformity* has eight tables (`tables.rs`):
//!
//! 1. a natural loop ("Threads and Dynamic Instances");
//! 2. the order of partial sequences ("Convergence"), for which there is no graph: we give one;
//! 3. the natural loop again ("Maximal Convergence");
//! 4. two nested irreducible cycles ("Dependence on Cycles Headers");
//! 5. a divergent branch inside, when the diverged entry is a header ("Divergent Branch inside a Cycle");
//! 6. the same when it is not;
//! 7. diverged paths from outside, with header P ("Diverged Paths reaching a Cycle");
//! 8. the same with header R.
//!
//! *Convergent Operation Semantics* has no tables but four listings of two threads' blocks (`operations.rs`):
//!
//! 1. two operations in different iterations ("Rationales for Static rules about cycles");
//! 2. the same, aligned at a heart that is not in the header;
//! 3. three and four iterations ("Loop unrolling examples");
//! 4. the same after unrolling with a remainder.
//!
//! The documents number dynamic instances in two ways: tables 1, 3, 5, 6, 7 and 8 take turns between the threads (the first execution
//! by each thread, then the second ones), as [`occurrence_numbers`](reconverge_semantics::occurrence_numbers) does, while table 4 counts from
//! left to right for S. Tables 7 and 8 have S2 twice, for two instances of one thread. So names are compared, too, with
//! the differences listed beside each table.

mod figure;
mod operations;
mod tables;
