//! What has to hold of inputs: on the kept corpus, on a few new ones, and on those that once broke something.

mod corpus;
mod robustness;
