pub(crate) mod order;
