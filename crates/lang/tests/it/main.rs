//! Source from its bytes to IR, a folder or file for each step.

mod builtins_calls;
mod builtins_run;
mod check;
mod claims;
mod device_tables;
mod effects;
mod launched;
mod lower;
mod opencl_names;
mod outline;
mod preprocess;
mod scopes;
mod sources;
mod syntax;
mod translate;
mod typed_build;
