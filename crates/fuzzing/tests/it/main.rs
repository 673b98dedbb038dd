//! What has to hold of inputs, on the kept corpus and on a few new ones.

mod corpus;
