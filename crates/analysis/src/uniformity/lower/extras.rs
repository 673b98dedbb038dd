//! Values of a problem besides those of the function: what the function returns, and what it passes at calls of functions
//! that have a summary.
//!
//! Invariant: they come behind all values of the function, and none of those depends on them.

use cranelift_entity::EntityRef;
use reconverge_graph::Node;
use reconverge_ir::FunctionId;
use reconverge_ir::function::{Block, Inst, Value};
use reconverge_ir::opcode::Opcode;

use super::instructions::{address_space, call_of};
use super::phis::Ssa;
use super::summaries::{Argument, PassedArguments};
use super::{Builder, Input, NONE, Origin};
use crate::target::Scope;
use crate::uniformity::{Rule, ValueIndex};

/// A call of a function that has a summary.
pub(super) struct SummarizedCall {
    pub(super) callee: FunctionId,
    pub(super) arguments: Vec<PassedArgument>,
}

/// An argument of such a call.
pub(super) struct PassedArgument {
    /// A copy of it.
    pub(super) copy: ValueIndex,
    pub(super) points_to: Option<Scope>,
    /// What the variable holds that it is the address of, where that is known.
    pub(super) content: Option<ValueIndex>,
}

/// Values that are there besides those of the function.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Extras {
    None,
    Returned,
    Arguments,
}

impl<'a> Builder<'a> {
    /// The phi of what is returned, in a node of its own.
    pub(super) fn returned(&mut self) -> Option<ValueIndex> {
        let function = self.context.input.function;
        let mut pairs: Vec<(Ssa, Block)> = Vec::new();
        for block in function.blocks.keys() {
            let inst = function.terminator(block);
            if function.instructions[inst].opcode == Opcode::Ret {
                pairs.extend(function.operands(inst).iter().map(|&value| (self.promotion.resolve(value), block)));
            }
        }
        if pairs.is_empty() {
            return None;
        }
        self.origins.push(Origin::Returned);
        self.phi_of(&pairs, NONE, Node::new(self.node_count()));
        Some(self.values.len() as ValueIndex - 1)
    }

    /// What the function leaves where its parameters point to: a phi for each that it writes through, in the node of what it returns.
    pub(super) fn left(&mut self) -> Vec<(u32, Option<ValueIndex>)> {
        let context = self.context;
        let function = context.input.function;
        let mut left = Vec::new();
        if !context.options.shared_pointees {
            return left;
        }
        for (index, &parameter) in function.parameters.iter().enumerate() {
            let is_pointer = address_space(context.input.module, function.values[parameter].ty).is_some();
            if !is_pointer || !self.variables.uses(&context, parameter).is_written() {
                continue;
            }
            let variable = self.contents.variables.iter().position(|&variable| variable == parameter);
            let content = variable.map(|variable| {
                let returns = function.blocks.keys().filter_map(|block| {
                    let inst = function.terminator(block);
                    Some((self.contents.before(inst, variable as u32)?, block))
                });
                let pairs: Vec<(Ssa, Block)> = returns.collect();
                self.origins.push(Origin::Pointee(parameter));
                self.phi_of(&pairs, NONE, Node::new(self.node_count()));
                self.values.len() as ValueIndex - 1
            });
            left.push((index as u32, content));
        }
        left
    }

    /// The calls of closed functions, with the callee and the arguments.
    fn summarized_calls(&self) -> impl Iterator<Item = (Inst, FunctionId, &'a [Value])> + use<'a> {
        let Input { module, function, summaries, .. } = self.context.input;
        function.instructions.keys().filter_map(move |inst| {
            let call = call_of(function, inst)?;
            let callee = module.function_of(call.callee.expand()?)?;
            summaries.of(callee).filter(|summary| !summary.parameters.is_empty())?;
            Some((inst, callee, &function.operands(inst)[..call.argument_count as usize]))
        })
    }

    pub(super) fn points_to(&mut self, value: Value) -> Option<Scope> {
        let context = self.context;
        address_space(context.input.module, context.input.function.values[value].ty)?;
        if context.options.refinements.provenance {
            self.provenance.of(&context, self.promotion, self.variables, value)
        } else {
            None
        }
    }

    /// What a variable holds whose address is an argument of a call.
    fn content(&mut self, call: Inst, address: Value) -> Option<ValueIndex> {
        let context = self.context;
        let is_pointer = address_space(context.input.module, context.input.function.values[address].ty).is_some();
        let read = if is_pointer { self.passed_content(call, address)? } else { return None };
        let (node, from) = (self.node_of(call), self.operands.len());
        for value in read {
            self.operand(value, node);
        }
        self.origins.push(Origin::Argument(call));
        Some(self.push(Some(node), Rule::Varying, from))
    }

    pub(super) fn pointers_passed(mut self) -> Vec<PassedArguments> {
        let calls = self.summarized_calls();
        calls
            .map(|(_, callee, values)| {
                let argument = |&value: &Value| Argument { uniform: false, points_to: self.points_to(value) };
                PassedArguments { callee, arguments: values.iter().map(argument).collect() }
            })
            .collect()
    }

    /// Copies of arguments.
    pub(super) fn arguments(&mut self) -> Vec<SummarizedCall> {
        let mut calls = Vec::new();
        for (inst, callee, values) in self.summarized_calls() {
            let node = self.node_of(inst);
            let mut arguments = Vec::with_capacity(values.len());
            for &value in values {
                let from = self.operands.len();
                self.operand(self.promotion.resolve(value), node);
                self.origins.push(Origin::Argument(inst));
                let copy = self.push(Some(node), Rule::Pure, from);
                let points_to = self.points_to(value);
                let content = self.content(inst, value);
                arguments.push(PassedArgument { copy, points_to, content });
            }
            calls.push(SummarizedCall { callee, arguments });
        }
        calls
    }
}
