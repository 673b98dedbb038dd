//! How findings speak of source.

use std::borrow::Cow;

use reconverge_findings::{IrVoice, Scene, Voice};
use reconverge_ir::function::{Block, Value};
use reconverge_lang::builtins::mangle::as_written;

/// Functions are called as the source calls them: `barrier` for `_Z7barrierj`.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct SourceVoice;

impl Voice for SourceVoice {
    fn written<'n>(&self, name: &'n str) -> Cow<'n, str> {
        Cow::Borrowed(as_written(name))
    }

    fn value(&self, scene: &Scene<'_, '_>, value: Value) -> String {
        IrVoice.value(scene, value)
    }

    fn block(&self, scene: &Scene<'_, '_>, block: Block) -> String {
        IrVoice.block(scene, block)
    }

    fn speaks_ir(&self) -> bool {
        false
    }
}
