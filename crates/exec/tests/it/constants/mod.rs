//! Types in memory and constants, against LLVM: sizes and places, literals, folded expressions, contents of variables.
//!
//! What needs LLVM is skipped without it, unless `RECONVERGE_REQUIRE_LLVM=1`.

mod corpora;
mod damage;
mod elf;
mod expressions;
mod images;
mod layouts;
mod literals;
mod random_types;

use std::collections::HashMap;

use reconverge_exec::constants::{Addresses, BlockAddress, Component, evaluate};
use reconverge_ir::function::Function;
use reconverge_ir::layout::DataLayout;
use reconverge_ir::{BodyEnds, FunctionReader, Module, Symbol};
use reconverge_testing::random::SplitMix64;

/// The data layouts of LLVM 22's targets, and one that no target has.
const LAYOUTS: [&str; 6] = [
    "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128",
    "e-m:e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128:128:48-\
     p9:192:256:256:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-\
     n32:64-S32-A5-G1-ni:7:8:9",
    "e-p3:32:32-p4:32:32-p5:32:32-p6:32:32-p7:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64",
    "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1",
    "",
    "e-p:32:32-p1:64:32:64:48-p3(lds):16:16-pu5:64:64-i1:16-i24:8-i48:64-i64:32-f16:32-f80:128-v96:32-v8:16-a:32:64-A5-P4",
];

fn random(seed: u64) -> SplitMix64 {
    SplitMix64::new(seed.wrapping_mul(0x1_0000_0001).wrapping_add(17))
}

fn read(text: &str) -> Module<'_> {
    #[expect(clippy::disallowed_methods, reason = "what is read is not executed")]
    Module::read(text.as_bytes(), BodyEnds::ByBrackets).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// What each function of a module returns in its first `ret`, by name.
fn returned(module: &Module<'_>) -> HashMap<String, Result<Vec<Component>, String>> {
    let layout = DataLayout::of(module).unwrap();
    let mut reader = FunctionReader::new(module);
    let one = |id| {
        let function: Function = reader.read(id).unwrap();
        let value = function.operands(function.terminator(function.blocks.keys().next()?)).first().copied()?;
        let result = evaluate(module, &layout, &function, value);
        let components = result.map(|value| value.components).map_err(|error| error.to_string());
        Some((module.function_name(id)[1..].to_string(), components))
    };
    module.definitions().filter_map(one).collect()
}

/// Every symbol at its number times 4096; a cast to another address space adds 2^40 times the difference.
struct Numbered;

impl Addresses for Numbered {
    fn address(&self, symbol: Symbol, space: u32) -> u64 {
        (u64::from(symbol.as_u32()) + 1) * 4096 + (u64::from(space) << 40)
    }

    fn block(&self, block: &BlockAddress) -> u64 {
        self.address(block.function, 0) + 8
    }

    fn cast(&self, from: u32, to: u32, address: u64) -> u64 {
        address.wrapping_sub(u64::from(from) << 40).wrapping_add(u64::from(to) << 40)
    }
}
