pub(crate) mod code;
pub(crate) mod flow;
pub(crate) mod order;
