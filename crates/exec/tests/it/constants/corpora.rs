//! Every type, constant, address and variable of the kernels in `tests/cases` is understood.

use std::collections::BTreeSet;

use reconverge_exec::constants::{evaluate, image};
use reconverge_exec::layout::{address_terms, flatten, shape};
use reconverge_ir::constant::ConstantData;
use reconverge_ir::function::{Definition, Extra};
use reconverge_ir::layout::DataLayout;
use reconverge_ir::opcode::Opcode;
use reconverge_ir::types::Type;
use reconverge_ir::{Function, Module, read_functions};
use reconverge_testing::corpus::{Corpus, ensure_corpus};
use reconverge_testing::llvm;

/// What is refused in a body.
fn refused(module: &Module<'_>, function: &Function) -> Vec<String> {
    let layout = DataLayout::of(module).unwrap();
    let mut messages = Vec::new();
    for (inst, data) in function.instructions.iter() {
        let operands = function.operands(inst);
        match data.extra {
            Extra::Element(element) => {
                let terms = address_terms(module, &layout, function, element, &operands[1..]);
                messages.extend(terms.err().map(|error| error.to_string()));
            }
            Extra::Memory(memory) if data.opcode != Opcode::Fence => {
                let places = flatten(module, &layout, function.memory[memory].ty);
                messages.extend(places.err().map(|error| error.to_string()));
            }
            _ => {}
        }
        messages.extend(shape(module, &layout, data.ty).err().map(|error| error.to_string()));
        for &operand in operands {
            let value = function.values[operand];
            match value.definition {
                Definition::Constant(ConstantData::Metadata(_)) => {}
                Definition::Constant(_) if value.ty != Type::LABEL => {
                    let result = evaluate(module, &layout, function, operand);
                    messages.extend(result.err().map(|error| error.to_string()));
                }
                _ => {}
            }
        }
    }
    messages
}

#[test]
fn what_kernels_contain_is_understood() {
    let Some(tools) = llvm::tools() else { return };
    let mut messages = BTreeSet::new();
    let (mut variables, mut bytes) = (0, 0);
    for path in ensure_corpus(tools, Corpus::Small).unwrap() {
        let text = std::fs::read(&path).unwrap();
        #[expect(clippy::disallowed_methods, reason = "what is read is not executed")]
        let (module, refusals) = read_functions(&text, |module, _, function| refused(module, function)).unwrap();
        let layout = DataLayout::of(&module).unwrap();
        for symbol in module.variable_symbols() {
            let variable = module.variable(symbol).unwrap().unwrap();
            variables += 1;
            match image(&module, &layout, &variable) {
                Ok(image) => bytes += image.bytes.len(),
                Err(error) => drop(messages.insert(error.to_string())),
            }
        }
        messages.extend(refusals.into_iter().flatten());
    }
    assert!(variables > 100 && bytes > 10_000, "{variables} variables of {bytes} bytes");
    assert_eq!(messages, BTreeSet::new());
}
