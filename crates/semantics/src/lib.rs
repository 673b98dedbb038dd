//! What the definitions of thread convergence say of given paths: dynamic instances, *converged-with*,
//! *convergence-before*, and the tables in which the LLVM documents show them.
