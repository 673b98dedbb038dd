//! Resources of HLSL: buffers that a kernel has not as parameters, but by the number of their binding.
//!
//! `llvm.spv.resource.handlefrombinding` (`llvm.dx.…`) gives a handle to one, `getpointer` an address of one of its elements. Which bindings a kernel uses is known
//! before it runs: they are constants where the handle is made, or in all calls of the function that makes it, by way of parameters
//! and of variables that are stored to once, as in what Clang does not optimise.

use cranelift_entity::PrimaryMap;
use reconverge_ir::constant::ConstantData;
use reconverge_ir::function::{Definition, Extra, Inst, Value};
use reconverge_ir::layout::DataLayout;
use reconverge_ir::opcode::Opcode;
use reconverge_ir::types::{Type, TypeData};
use reconverge_ir::{Function, Module, Symbol};
use rustc_hash::FxHashMap;

use super::code::{Callee, Code, CodeId, Op, Registers};
use super::decode::{Decoder, Result, Unsupported};
use super::link::Executable;
use crate::constants::image;
use crate::launch::{Element, Launch};
use crate::layout::element_of;

/// A buffer that a kernel finds by its binding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Resource {
    /// As in the source; else that of the binding.
    pub(crate) name: String,
    pub(crate) binding: Binding,
    /// The type of its handles.
    pub(crate) ty: Type,
    /// What it seems to hold.
    pub(crate) element: Element,
}

/// Where a launch puts a buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Binding {
    /// The descriptor set, which HLSL calls space.
    pub set: u32,
    /// The number in it, which is that of the register.
    pub number: u32,
}

impl std::fmt::Display for Binding {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "set{}.binding{}", self.set, self.number)
    }
}

impl std::str::FromStr for Binding {
    type Err = ();

    /// Reads what [`Display`](std::fmt::Display) writes.
    fn from_str(text: &str) -> Result<Binding, ()> {
        let (set, number) = text.strip_prefix("set").and_then(|rest| rest.split_once(".binding")).ok_or(())?;
        Ok(Binding { set: set.parse().map_err(drop)?, number: number.parse().map_err(drop)? })
    }
}

impl Decoder<'_, '_, '_> {
    /// A call of an intrinsic about resources.
    pub(super) fn about_resources(
        &mut self,
        name: &str,
        arguments: &[Value],
        out: Registers,
        result: Type,
    ) -> Result<Option<Op>> {
        let name = name.strip_prefix("llvm.spv.resource.").or_else(|| name.strip_prefix("llvm.dx.resource."));
        let stem = name.map(|name| name.split('.').next().unwrap_or_default());
        Ok(match (stem, arguments) {
            (Some("handlefrombinding"), &[set, binding, _, index, _]) => {
                self.bytes_of_element(result)?;
                let (set, binding, index) = (self.operand(set)?, self.operand(binding)?, self.operand(index)?);
                Some(Op::Handle { set, binding, index, out })
            }
            (Some("getpointer"), &[handle, index]) => {
                let bytes = self.bytes_of_element(self.ty(handle))?;
                Some(Op::Element { handle: self.operand(handle)?, index: self.operand(index)?, bytes, out })
            }
            _ => None,
        })
    }

    /// How many bytes an element of a resource has, by the type of its handles.
    fn bytes_of_element(&self, handle: Type) -> Result<u64> {
        let unsupported = || format!("a resource of type '{}' is not supported", self.module.display_type(handle));
        let TypeData::Target { inner, parameter: Some(held) } = &self.module.types[handle] else {
            return Err(unsupported());
        };
        let size = |ty: Type| self.linker.layout.alloc_size(self.module, ty).map_err(|error| error.to_string());
        let mut words = inner.split(|&byte| byte == b',').map(<[u8]>::trim_ascii);
        match (words.next(), &self.module.types[*held]) {
            (Some(b"\"spirv.VulkanBuffer\""), &TypeData::Array { length: 0, element }) => size(element),
            (Some(b"\"spirv.Image\"" | b"\"spirv.SignedImage\""), TypeData::Integer(32) | TypeData::Float) => {
                // A buffer of texels is an image of dimension 5 (`Buffer`); the format says how many numbers a texel has.
                let (dimension, format) = (words.nth(1), words.next_back());
                let numbers = match format.filter(|_| dimension == Some(b"5")) {
                    Some(b"3" | b"24" | b"33") => 1,
                    Some(b"6" | b"25" | b"35") => 2,
                    Some(b"1" | b"21" | b"30") => 4,
                    _ => return Err(unsupported()),
                };
                Ok(4 * numbers)
            }
            (Some(b"\"dx.TypedBuffer\""), &TypeData::Vector { length, element, .. }) => Ok(length * size(element)?),
            (Some(b"\"dx.TypedBuffer\"" | b"\"dx.RawBuffer\""), _) => size(*held),
            _ => Err(unsupported()),
        }
    }
}

/// What is known of an operand of `handlefrombinding`.
#[derive(Debug, Clone, Copy)]
enum Known {
    Number(u64),
    /// A pointer to a variable, or to nothing.
    Name(Option<Symbol>),
    /// A parameter of the function that is looked at, or a value of its caller.
    Open(Value),
}

/// The resources of a kernel that reaches these functions, by their bindings.
pub(super) fn resources(
    module: &Module<'_>,
    layout: &DataLayout,
    codes: &PrimaryMap<CodeId, Code>,
) -> Result<Vec<Resource>, Unsupported> {
    let mut search = Search { module, codes, callers: FxHashMap::default(), found: Vec::new() };
    let ops =
        || codes.iter().flat_map(|(id, code)| code.ops.iter().zip(&code.insts).map(move |(op, &inst)| (id, op, inst)));
    if !ops().any(|(_, op, _)| matches!(op, Op::Handle { .. })) {
        return Ok(Vec::new());
    }
    for (caller, op, inst) in ops() {
        if let Op::Call { callee: Callee::Direct(callee), .. } = op {
            search.callers.entry(*callee).or_default().push((caller, inst));
        }
    }
    let mut resources: Vec<Resource> = Vec::new();
    for (id, op, inst) in ops() {
        let Op::Handle { .. } = op else { continue };
        let data = &codes[id].ir.instructions[inst];
        let error = |reason: &str| Unsupported::new(data.span.start as usize, reason);
        let operands = codes[id].ir.operands(inst);
        if !search.follow(id, std::array::from_fn(|index| Known::Open(operands[index])), 0) {
            return Err(error("the binding of this resource is not known before the kernel runs"));
        }
        for [set, number, size, _, name] in search.found.drain(..) {
            let (Known::Number(set), Known::Number(number), Known::Number(1)) = (set, number, size) else {
                return Err(error("an array of resources is not supported"));
            };
            let binding = Binding { set: set as u32, number: number as u32 };
            if resources.iter().any(|known| known.binding == binding) {
                continue;
            }
            let own = if let Known::Name(Some(symbol)) = name { string(module, layout, symbol) } else { None };
            let own = own.filter(|own| !own.is_empty() && resources.iter().all(|known| known.name != *own));
            let held = if let TypeData::Target { parameter, .. } = module.types[data.ty] { parameter } else { None };
            let element = held.and_then(|held| element_of(module, held)).unwrap_or(Element::U32);
            resources.push(Resource {
                name: own.unwrap_or_else(|| binding.to_string()),
                binding,
                ty: data.ty,
                element,
            });
        }
    }
    resources.sort_by_key(|resource| resource.binding);
    Ok(resources)
}

impl Executable<'_> {
    /// The arguments that are buffers at bindings. A launch may also have some that the kernel does not use.
    pub(crate) fn resource_arguments<'l>(&self, launch: &'l Launch) -> Vec<(&'l String, Binding)> {
        let binding = |name: &String| {
            let own = self.resources.iter().find(|resource| resource.name == *name);
            own.map(|resource| resource.binding).or_else(|| name.parse().ok())
        };
        launch.arguments.iter().filter_map(|(name, _)| Some((name, binding(name)?))).collect()
    }
}

struct Search<'c> {
    module: &'c Module<'c>,
    codes: &'c PrimaryMap<CodeId, Code>,
    callers: FxHashMap<CodeId, Vec<(CodeId, Inst)>>,
    found: Vec<[Known; 5]>,
}

impl Search<'_> {
    /// Finds what the operands are in each call of a function; whether they are constants everywhere. The last one, the name, need not be.
    fn follow(&mut self, id: CodeId, operands: [Known; 5], depth: u32) -> bool {
        /// Functions that make handles for others are not deeper than this.
        const DEEPEST: u32 = 8;
        let function = &self.codes[id].ir;
        let mut operands = operands;
        for (index, operand) in operands.iter_mut().enumerate() {
            match (known(self.module, function, *operand), index) {
                (Some(known), _) => *operand = known,
                (None, 4) => *operand = Known::Name(None),
                (None, _) => return false,
            }
        }
        if !operands.iter().any(|operand| matches!(operand, Known::Open(_))) {
            self.found.push(operands);
            return true;
        }
        let callers = self.callers.get(&id).cloned().unwrap_or_default();
        depth < DEEPEST
            && !callers.is_empty()
            && callers.into_iter().all(|(caller, inst)| {
                let arguments = self.codes[caller].ir.operands(inst);
                let passed = operands.map(|operand| match operand {
                    Known::Open(value) => match function.values[value].definition {
                        Definition::Parameter(index) => Known::Open(arguments[index as usize]),
                        _ => operand,
                    },
                    constant => constant,
                });
                self.follow(caller, passed, depth + 1)
            })
    }
}

/// A value as a constant or a parameter.
fn known(module: &Module<'_>, function: &Function, operand: Known) -> Option<Known> {
    let Known::Open(mut value) = operand else { return Some(operand) };
    loop {
        match function.values[value].definition {
            Definition::Parameter(_) => return Some(Known::Open(value)),
            Definition::Constant(ConstantData::Integer(number)) => {
                return Some(Known::Number(u64::from(number as u32)));
            }
            Definition::Constant(ConstantData::Zero) => return Some(Known::Number(0)),
            Definition::Constant(ConstantData::Null) => return Some(Known::Name(None)),
            Definition::Constant(ConstantData::Global(symbol)) => return Some(Known::Name(Some(symbol))),
            Definition::Instruction(load) if function.instructions[load].opcode == Opcode::Load => {
                value = only_stored(module, function, function.operands(load)[0])?;
            }
            _ => return None,
        }
    }
}

/// What is in a variable of the function that is stored to once, and used for nothing but loads and stores.
fn only_stored(module: &Module<'_>, function: &Function, pointer: Value) -> Option<Value> {
    let Definition::Instruction(alloca) = function.values[pointer].definition else { return None };
    if function.instructions[alloca].opcode != Opcode::Alloca {
        return None;
    }
    let mut stored = None;
    for (inst, data) in &function.instructions {
        let is_used = function.operands(inst).contains(&pointer);
        match data.opcode {
            Opcode::Store if function.operands(inst)[0] == pointer || is_used && stored.is_some() => return None,
            Opcode::Store if is_used => stored = Some(function.operands(inst)[0]),
            Opcode::Load => {}
            Opcode::Call if is_used && is_lifetime(module, function, data.extra) => {}
            _ if is_used => return None,
            _ => {}
        }
    }
    // A variable that holds its own address or its own content ends nowhere.
    stored.filter(|&stored| !matches!(function.values[stored].definition, Definition::Instruction(_)))
}

fn is_lifetime(module: &Module<'_>, function: &Function, extra: Extra) -> bool {
    let Extra::Call(call) = extra else { return false };
    let callee = function.calls[call].callee.expand();
    callee.is_some_and(|callee| module.symbol_name(callee).starts_with(b"llvm.lifetime."))
}

/// The text of a string that ends with a zero.
fn string(module: &Module<'_>, layout: &DataLayout, symbol: Symbol) -> Option<String> {
    let variable = module.variable(symbol).ok()??;
    let bytes = image(module, layout, &variable).ok()?.bytes;
    let text = bytes.split(|&byte| byte == 0).next()?;
    Some(String::from_utf8_lossy(text).into_owned())
}
