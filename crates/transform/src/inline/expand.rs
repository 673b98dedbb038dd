//! Copies of bodies in the place of calls.
//!
//! The instructions of the callee's entry block follow what is before the call. The other blocks stand behind them under fresh names, and an *exit*
//! block is where all returns go to and where the rest of the caller's block goes on; a callee of one block needs none. The result of the call keeps
//! its name: it is that of the returned instruction where there is only one return, else that of a `phi`. So nothing in the caller
//! changes but the call, and the blocks that a `phi` names.
//!
//! **Invariant.** All names of a copy are made up before its first instruction is printed, since a `phi` can name what follows.

use cranelift_entity::EntityRef;
use reconverge_ir::function::{Block, Definition, Extra, Inst, LocalName, Value};
use reconverge_ir::opcode::{Flags, Opcode};
use reconverge_ir::types::{Type, TypeData};
use reconverge_ir::{ConvergenceIntrinsic, Function, FunctionId, Module, Naming, print_instruction, print_operand};
use rustc_hash::FxHashMap;

use super::facts::{is_about_debugging, local_callee};
use super::locations::{Locations, Place};
use super::plan::Plan;
use super::slots::Slots;
use crate::names::Names;

/// What copies are made from, and the text of one that grows.
pub(super) struct Expansion<'e, 't> {
    pub(super) module: &'e Module<'t>,
    pub(super) bodies: &'e FxHashMap<FunctionId, Function>,
    pub(super) splits: &'e FxHashMap<FunctionId, bool>,
    pub(super) plan: &'e Plan,
    pub(super) names: Names,
    pub(super) locations: &'e mut Locations,
    /// What stands in the place of the call, but for the indent of the first line.
    pub(super) text: String,
    /// What goes to the entry block of the caller.
    pub(super) allocas: Vec<String>,
}

/// A call that a copy takes the place of.
pub(super) struct Site {
    pub(super) callee: FunctionId,
    /// Operands, without types.
    pub(super) arguments: Vec<String>,
    /// The operand of the bundle `convergencectrl`.
    pub(super) token: Option<String>,
    /// The name of the result, with its sigil.
    pub(super) result: Option<String>,
    /// The block where the rest of the caller's block is, without sigil; if it is split.
    pub(super) exit: Option<String>,
    /// The block that the call is in, with its sigil.
    pub(super) block: String,
    /// Whether the call is a `tail` call.
    pub(super) tail: bool,
    pub(super) place: Place,
}

/// The names of a body: of one of the text, or of a copy.
pub(super) struct Frame<'f> {
    pub(super) function: &'f Function,
    /// What stands for parameters and results; values that are missing keep their names.
    pub(super) values: FxHashMap<Value, String>,
    /// Names of blocks, with sigils; empty where they keep theirs.
    pub(super) blocks: Vec<String>,
    /// The block that holds the end of each block.
    pub(super) ends: Vec<String>,
    /// For each inlined call that splits its block, where the rest of that is.
    pub(super) exits: FxHashMap<Inst, String>,
    /// Parameters in memory that a copy does without.
    pub(super) slots: Slots,
}

/// A frame as an instruction sees it.
struct Seen<'f> {
    frame: &'f Frame<'f>,
    /// A `phi` names the ends of blocks, a terminator their beginnings.
    is_phi: bool,
    attachments: Option<String>,
}

impl Naming for Seen<'_> {
    fn value(&self, value: Value) -> Option<String> {
        self.frame.values.get(&value).cloned()
    }

    fn block(&self, block: Block) -> Option<String> {
        let names = if self.is_phi { &self.frame.ends } else { &self.frame.blocks };
        names.get(block.index()).filter(|name| !name.is_empty()).cloned()
    }

    fn attachments(&self, _: Inst) -> Option<String> {
        self.attachments.clone()
    }
}

impl Frame<'_> {
    /// Prints an instruction under these names; its attachments as they are, or others.
    pub(super) fn print(&self, module: &Module<'_>, inst: Inst, attachments: Option<String>) -> String {
        let is_phi = self.function.instructions[inst].opcode == Opcode::Phi;
        print_instruction(module, self.function, inst, &Seen { frame: self, is_phi, attachments })
    }

    fn operand(&self, module: &Module<'_>, value: Value) -> String {
        print_operand(module, self.function, value, &Seen { frame: self, is_phi: false, attachments: None })
    }
}

/// The calls of a function that are inlined.
pub(super) fn inlined_calls(
    module: &Module<'_>,
    plan: &Plan,
    id: FunctionId,
    function: &Function,
) -> Vec<(Inst, FunctionId)> {
    let Some(inlined) = plan.inlined.get(id).filter(|calls| calls.contains(&true)) else { return Vec::new() };
    let local = function.instructions.keys().filter_map(|inst| Some((inst, local_callee(module, function, inst)?)));
    local.zip(inlined).filter(|&(_, &inlined)| inlined).map(|(call, _)| call).collect()
}

impl<'e, 't> Expansion<'e, 't> {
    /// The call of a frame, as something to inline.
    pub(super) fn site(
        &self,
        frame: &Frame<'_>,
        inst: Inst,
        callee: FunctionId,
        block: String,
        tail: bool,
        place: Place,
    ) -> Site {
        let function = frame.function;
        let Extra::Call(call) = function.instructions[inst].extra else { unreachable!("calls are inlined") };
        let data = &function.calls[call];
        let arguments = &function.operands(inst)[..data.argument_count as usize];
        let bundle = function.bundles(call).iter().find(|bundle| bundle.is_convergence_control);
        let token = bundle.and_then(|bundle| function.list(bundle.operands).first());
        let result = function.instructions[inst].result.expand();
        Site {
            callee,
            arguments: arguments.iter().map(|&argument| frame.operand(self.module, argument)).collect(),
            token: token.map(|&token| frame.operand(self.module, token)),
            result: result.map(|result| frame.operand(self.module, result)),
            exit: frame.exits.get(&inst).cloned(),
            block,
            tail: tail && function.instructions[inst].flags.contains(Flags::TAIL),
            place,
        }
    }

    /// Puts a copy in the place of a call. O(length of the output).
    pub(super) fn expand(&mut self, mut site: Site) {
        let (module, bodies) = (self.module, self.bodies);
        let Some(function) = bodies.get(&site.callee) else { unreachable!("callees were read") };
        let calls = inlined_calls(module, self.plan, site.callee, function);
        let returned = the_return(function).and_then(|inst| function.operands(inst).first().copied());
        let frame = self.frame(&site, function, &calls, returned);
        let calls: FxHashMap<Inst, FunctionId> = calls.into_iter().collect();
        let mut returns = Vec::new();
        for block in function.blocks.keys() {
            if block.index() > 0 {
                self.label(frame.blocks[block.index()].trim_start_matches('%'));
            }
            let mut current = if block.index() > 0 { frame.blocks[block.index()].clone() } else { site.block.clone() };
            for inst in function.block_instructions(block) {
                let data = &function.instructions[inst];
                if let Some(&callee) = calls.get(&inst) {
                    let place = self.locations.nested(module, function, inst, &mut site.place);
                    let nested = self.site(&frame, inst, callee, current.clone(), site.tail, place);
                    if let Some(exit) = &nested.exit {
                        current = format!("%{exit}");
                    }
                    self.expand(nested);
                } else if data.opcode == Opcode::Ret {
                    returns.push((function.operands(inst).first().copied(), current.clone()));
                    if function.blocks.len() > 1 {
                        let exit = site.exit.clone().unwrap_or_default();
                        self.line(&format!("br label %{exit}"));
                    }
                } else if !frame.slots.left_out.contains(&inst) && !self.is_left_out(function, inst) {
                    self.copy(&mut site, &frame, inst);
                }
            }
        }
        if let (Some(exit), true) = (&site.exit, function.blocks.len() > 1) {
            self.label(exit);
        }
        self.result(&site, &frame, returned, &returns);
    }

    /// Makes up the names of a copy.
    fn frame<'f>(
        &mut self,
        site: &Site,
        function: &'f Function,
        calls: &[(Inst, FunctionId)],
        returned: Option<Value>,
    ) -> Frame<'f> {
        let stem = self.callee_stem(site.callee);
        let mut values: FxHashMap<Value, String> = FxHashMap::default();
        values.extend(function.parameters.iter().copied().zip(site.arguments.iter().cloned()));
        let slots = if self.locations.at_call { Slots::of(function) } else { Slots::default() };
        let aliased = returned.filter(|value| is_named_in_place(function, &slots, *value));
        for (inst, data) in &function.instructions {
            let Some(result) = data.result.expand() else { continue };
            if let Some(argument) = slots.loaded.get(&result).and_then(|parameter| values.get(parameter)) {
                values.insert(result, argument.clone());
                continue;
            }
            let name = match (&site.result, &site.token) {
                (Some(name), _) if aliased == Some(result) => name.clone(),
                (_, Some(token)) if intrinsic(self.module, function, inst) == Some(ConvergenceIntrinsic::Entry) => {
                    token.clone()
                }
                _ => format!("%{}", self.fresh(data.name, &stem)),
            };
            values.insert(result, name);
        }
        let is_several = function.blocks.len() > 1;
        let mut blocks = vec![site.block.clone()];
        for block in function.blocks.values().skip(1) {
            blocks.push(format!("%{}", self.fresh(block.name, &stem)));
        }
        let mut ends = blocks.clone();
        let mut exits = FxHashMap::default();
        let splitting: Vec<_> = calls.iter().filter(|(_, callee)| self.splits[callee]).collect();
        for (index, &&(inst, callee)) in splitting.iter().enumerate() {
            let exit = match &site.exit {
                Some(exit) if !is_several && index + 1 == splitting.len() => exit.clone(),
                _ => self.exit_of(callee),
            };
            ends[function.instructions[inst].block.index()] = format!("%{exit}");
            exits.insert(inst, exit);
        }
        Frame { function, values, blocks, ends, exits, slots }
    }

    /// A fresh name for the block behind a call.
    pub(super) fn exit_of(&mut self, callee: FunctionId) -> String {
        let stem = self.callee_stem(callee);
        self.names.fresh(&format!("{stem}.exit"))
    }

    /// Defines the result of the call, unless the instruction that is returned has its name.
    fn result(&mut self, site: &Site, frame: &Frame<'_>, returned: Option<Value>, returns: &[(Option<Value>, String)]) {
        let Some(name) = &site.result else { return };
        if returned.is_some_and(|value| is_named_in_place(frame.function, &frame.slots, value)) {
            return;
        }
        let operands: Vec<(String, &String)> =
            returns.iter().filter_map(|(value, block)| Some((frame.operand(self.module, (*value)?), block))).collect();
        let ty = self.module.functions[site.callee].result;
        let spelled = self.module.display_type(ty);
        let text = match &operands[..] {
            // Nothing but a name for what is there already.
            [(value, _)] if frame.function.blocks.len() == 1 && is_aggregate(self.module, ty) => {
                format!("{name} = select i1 true, {spelled} {value}, {spelled} {value}")
            }
            [(value, _)] if frame.function.blocks.len() == 1 => {
                format!("{name} = bitcast {spelled} {value} to {spelled}")
            }
            several => {
                let each: Vec<String> = several.iter().map(|(value, block)| format!("[ {value}, {block} ]")).collect();
                format!("{name} = phi {spelled} {}", each.join(", "))
            }
        };
        self.line(&text);
    }

    /// Whether an instruction of a callee is nowhere in its copy.
    fn is_left_out(&self, function: &Function, inst: Inst) -> bool {
        if intrinsic(self.module, function, inst) == Some(ConvergenceIntrinsic::Entry) {
            return true;
        }
        let Extra::Call(call) = function.instructions[inst].extra else { return false };
        let callee = function.calls[call].callee.expand();
        callee.is_some_and(|callee| is_about_debugging(&self.module.symbol_name(callee)))
    }

    /// Copies an instruction.
    fn copy(&mut self, site: &mut Site, frame: &Frame<'_>, inst: Inst) {
        let data = &frame.function.instructions[inst];
        if data.opcode == Opcode::Alloca {
            self.allocas.push(frame.print(self.module, inst, Some(String::new())));
            return;
        }
        let attachments = self.locations.attachments(self.module, site.callee, frame.function, inst, &mut site.place);
        let mut text = frame.print(self.module, inst, Some(attachments));
        if data.flags.contains(Flags::TAIL) && !site.tail {
            // Its arguments may now be in the stack memory of the function that it is in.
            let result = data.result.expand().and_then(|result| frame.values.get(&result));
            let start = result.map_or(0, |name| name.len() + " = ".len());
            text.replace_range(start..start + "tail ".len(), "");
        }
        self.line(&text);
    }

    fn line(&mut self, text: &str) {
        if !self.text.is_empty() {
            self.text.push_str("\n  ");
        }
        self.text.push_str(text);
    }

    fn label(&mut self, name: &str) {
        self.text.push_str("\n\n");
        self.text.push_str(name);
        self.text.push(':');
    }

    /// A fresh name like one of the callee's; like that of the callee where it has none.
    fn fresh(&mut self, name: LocalName, callee: &str) -> String {
        let stem = match name {
            LocalName::Text(span) => stem(span.of(self.module.text)),
            LocalName::Number(_) => String::new(),
        };
        self.names.fresh(if stem.is_empty() { callee } else { &stem })
    }

    fn callee_stem(&self, callee: FunctionId) -> String {
        let name = stem(&self.module.symbol_name(self.module.functions[callee].symbol));
        if name.is_empty() { "inlined".to_owned() } else { name }
    }
}

/// A name as the start of others; empty if it cannot be one.
fn stem(name: &[u8]) -> String {
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"._$-".contains(byte);
    let plain: String = name.iter().filter(|byte| is_plain(byte)).map(|&byte| char::from(byte)).collect();
    if plain.starts_with(|first: char| first.is_ascii_digit()) { String::new() } else { plain }
}

/// The only `ret` of a function.
fn the_return(function: &Function) -> Option<Inst> {
    let mut returns = function.blocks.keys().map(|block| function.terminator(block));
    let mut returns = returns.by_ref().filter(|&inst| function.instructions[inst].opcode == Opcode::Ret);
    returns.next().filter(|_| returns.next().is_none())
}

fn intrinsic(module: &Module<'_>, function: &Function, inst: Inst) -> Option<ConvergenceIntrinsic> {
    let Extra::Call(call) = function.instructions[inst].extra else { return None };
    module.convergence_intrinsic(function.calls[call].callee.expand()?)
}

/// Whether the copy of the instruction with this result can have the name of the call's: not one that moves to the
/// entry block, where names that are numbers would be out of order.
fn is_named_in_place(function: &Function, slots: &Slots, value: Value) -> bool {
    match function.values[value].definition {
        Definition::Instruction(inst) => {
            function.instructions[inst].opcode != Opcode::Alloca && !slots.left_out.contains(&inst)
        }
        _ => false,
    }
}

fn is_aggregate(module: &Module<'_>, ty: Type) -> bool {
    matches!(module.types[ty], TypeData::Struct { .. } | TypeData::Array { .. } | TypeData::Named(_))
}
