//! From a launch to arguments in registers and buffers in memory.

use std::sync::Arc;

use reconverge_ir::module::ParameterData;
use reconverge_ir::types::Type;
use rustc_hash::FxHashMap;

use super::{Bound, Buffers, Flows};
use crate::launch::{Argument, Contents, Element, Launch, Model};
use crate::layout::{flatten, shape};
use crate::literal::{read_element, read_value};
use crate::machine::random::Random;
use crate::memory::{Address, GlobalMemory, Initial, Segment};
use crate::module::LaunchError;
use crate::operations::{LaunchShape, dispatch_packet, implicit_arguments};
use crate::parameters::{PassedMember, by_members, in_memory, passed};
use crate::program::flow::Flow;
use crate::program::resources::{Binding, Resource};
use crate::program::{Executable, LOCAL_SPACE};
use crate::value::{Scalar, Slot, WIDTH};

pub(super) fn bind(
    program: &Executable<'_>,
    flows: Arc<Flows>,
    launch: &Launch,
    global: &mut GlobalMemory,
) -> Result<(Bound, Buffers, Buffers), LaunchError> {
    let shape = launch_shape(launch)?;
    let memory = |error: crate::memory::OutOfMemory| LaunchError::new(error.to_string());
    let variables = program.allocate(global).map_err(memory)?;
    program.relocate(global, &variables);
    let images = program.outside_workgroups().zip(&variables);
    let images = images.filter(|(variable, _)| variable.segment == Segment::Private).map(|(_, &image)| image).collect();
    let mut binder = Binder { program, global, arguments: Vec::new(), buffers: Vec::new(), local: Vec::new() };
    let (dynamic, mut used) = binder.dynamic(launch)?;
    let named = program.resource_arguments(launch);
    used.extend(named.iter().map(|(name, _)| (*name).clone()));
    binder.parameters(launch, &used, &dynamic)?;
    let resources = binder.resources(launch, &named)?;
    let Binder { arguments, buffers, local, .. } = binder;
    let mut data = [0; 4];
    let kernel_arguments: Vec<u8> = arguments.iter().flatten().flat_map(|slot| slot.bits[0].to_le_bytes()).collect();
    let contents = [dispatch_packet(&shape), implicit_arguments(&shape), kernel_arguments, vec![0; 256]];
    let names = ["dispatch packet", "implicit arguments", "kernel arguments", "queue"];
    for ((address, bytes), name) in data.iter_mut().zip(&contents).zip(names) {
        *address = global.allocate(name, bytes.len() as u64, Initial::Bytes(bytes), true).map_err(memory)?.0;
    }
    let bound = Bound {
        wave: WIDTH as u32 / launch.subgroup * launch.subgroup,
        shape,
        arguments,
        flows,
        model: launch.model,
        schedule: launch.schedule,
        anchors: launch.anchors,
        entry: launch.entry,
        masks: launch.masks,
        limits: launch.limits,
        races: launch.races,
        max_events: launch.max_events,
        dynamic,
        local_buffers: local,
        images,
        resources,
        data,
    };
    let visible = program.outside_workgroups().zip(variables).filter(|(variable, _)| variable.visible);
    let visible = visible.map(|(variable, address)| (variable.name.clone(), Element::U8, address)).collect();
    Ok((bound, Buffers(buffers), Buffers(visible)))
}

/// What a model makes of the functions of a kernel; `hierarchy`: in which choice of cycle hierarchies, where functions without tokens are among others.
pub(crate) fn flows(program: &Executable<'_>, model: Model, hierarchy: usize) -> Result<Flows, LaunchError> {
    let number = match model {
        Model::Maximal { hierarchy } => hierarchy,
        Model::Controlled => hierarchy,
        Model::ImmediatePostDominator | Model::Statements(_) => 0,
    };
    let chosen = program.hierarchy(number).map_err(|count| {
        let has = if count == 1 { "1 cycle hierarchy".to_string() } else { format!("{count} cycle hierarchies") };
        let name = &program.codes[program.kernel].name;
        LaunchError::new(format!("@{name} has {has}, and number {} is asked for", number + 1))
    })?;
    Ok(program.codes.values().zip(&chosen).map(|(code, forest)| Flow::compute(code, model, forest)).collect())
}

fn launch_shape(launch: &Launch) -> Result<LaunchShape, LaunchError> {
    launch.check_shape().map_err(LaunchError::new)?;
    Ok(LaunchShape::new(launch.grid, launch.block, launch.subgroup))
}

/// How many elements of a buffer are made at once.
const FILLED: usize = 1 << 16;

struct Binder<'b, 'p> {
    program: &'b Executable<'p>,
    global: &'b mut GlobalMemory,
    arguments: Vec<Vec<Slot>>,
    buffers: Vec<(String, Element, Address)>,
    local: Vec<(String, u64)>,
}

type Dynamic = FxHashMap<reconverge_ir::Symbol, u64>;

impl Binder<'_, '_> {
    /// The sizes of local variables that the module gives none, from the arguments with their names; and which arguments these
    /// are.
    fn dynamic(&self, launch: &Launch) -> Result<(Dynamic, Vec<String>), LaunchError> {
        let mut sizes = Dynamic::default();
        let mut used = Vec::new();
        for variable in self.program.variables_in(Segment::Local).filter(|variable| variable.image.bytes.is_empty()) {
            let given = launch.arguments.iter().find(|(name, _)| *name == variable.name);
            let Some((name, Argument::Buffer { element, length, .. })) = given else {
                return Err(LaunchError::new(format!(
                    "the size of `{0}` is up to the launch: give it with --arg {0}=u32[N]",
                    variable.name
                )));
            };
            sizes.insert(variable.symbol, element.size().saturating_mul(*length));
            used.push(name.clone());
        }
        Ok((sizes, used))
    }

    /// Makes the buffers that the kernel finds by their bindings.
    fn resources(
        &mut self,
        launch: &Launch,
        named: &[(&String, Binding)],
    ) -> Result<Vec<(Binding, Address)>, LaunchError> {
        let mut bound: Vec<(Binding, Address)> = Vec::new();
        for &(name, binding) in named {
            let given = launch.arguments.iter().find(|(given, _)| given == name);
            let Some((_, Argument::Buffer { element, length, contents })) = given else {
                return Err(LaunchError::new(format!("argument '{name}': expected a buffer, such as u32[1024]")));
            };
            if bound.iter().any(|(known, _)| *known == binding) {
                return Err(LaunchError::new(format!("resource '{name}' is given twice")));
            }
            let address = self.buffer(name, *element, *length, contents)?;
            self.buffers.push((name.clone(), *element, address));
            bound.push((binding, address));
        }
        let is_missing = |resource: &&Resource| bound.iter().all(|(binding, _)| *binding != resource.binding);
        let missing: Vec<&str> =
            self.program.resources.iter().filter(is_missing).map(|resource| resource.name.as_str()).collect();
        match missing[..] {
            [] => Ok(bound),
            _ => Err(LaunchError::new(format!("the kernel needs buffers for its resources: {}", missing.join(", ")))),
        }
    }

    fn parameters(&mut self, launch: &Launch, used: &[String], dynamic: &Dynamic) -> Result<(), LaunchError> {
        let program = self.program;
        let module = program.module;
        let code = &program.codes[program.kernel];
        let function = &module.functions[code.id];
        let passed = passed(module, &program.layout, program.members, code.id);
        let mut given: Vec<Option<&Argument>> = vec![None; passed.len()];
        let names: Vec<String> = passed.iter().map(|passed| passed.name.clone()).collect();
        for (name, argument) in &launch.arguments {
            if used.contains(name) {
                continue;
            }
            let by_name = names.iter().position(|known| known == name);
            let index = by_name.or_else(|| name.parse().ok().filter(|&index: &usize| index < names.len()));
            let index = index.ok_or_else(|| LaunchError::new(format!("@{} has no parameter '{name}'", code.name)))?;
            if given[index].replace(argument).is_some() {
                return Err(LaunchError::new(format!("parameter '{}' is given twice", names[index])));
            }
        }
        let missing: Vec<&str> =
            names.iter().zip(&given).filter(|(_, given)| given.is_none()).map(|(name, _)| name.as_str()).collect();
        if !missing.is_empty() {
            return Err(LaunchError::new(format!("@{} needs arguments for: {}", code.name, missing.join(", "))));
        }
        // Local buffers come behind the variables of the workgroup.
        let mut scratch = crate::memory::Memory::new(
            self.global,
            &crate::memory::Workgroup {
                number: 0,
                threads: 1,
                wave: 1,
                stack: 0,
                local: launch.limits.memory,
                races: false,
                subgroup: 1,
            },
        );
        let memory = |error: crate::memory::OutOfMemory| LaunchError::new(format!("local memory: {error}"));
        program.allocate_local(&mut scratch, dynamic).map_err(memory)?;
        let mut local_addresses = Vec::new();
        for (passed, argument) in passed.iter().zip(&given) {
            let parameter = &function.parameters[passed.parameter];
            let space = program.layout.address_space(&module.types[parameter.ty]).filter(|_| passed.member.is_none());
            if let (Some(LOCAL_SPACE), Some(Argument::Buffer { element, length, .. })) = (space, argument) {
                let bytes = element.size().saturating_mul(*length);
                local_addresses.push(scratch.allocate_local("", bytes, 16).map_err(memory)?);
            }
        }
        let mut local_addresses = local_addresses.into_iter();
        let mut members: Vec<(PassedMember, Vec<u64>)> = Vec::new();
        let mut left = passed.iter().peekable();
        for (argument, name) in given.into_iter().zip(names) {
            let (Some(argument), Some(passed)) = (argument, left.next()) else { continue };
            let parameter = &function.parameters[passed.parameter];
            if let Some(member) = passed.member {
                members.push((member, self.member(&name, member, argument)?));
                let is_last = left.peek().is_none_or(|next| next.parameter != passed.parameter);
                if is_last {
                    let slots = self.of_members(parameter, std::mem::take(&mut members))?;
                    self.arguments.push(slots);
                }
                continue;
            }
            let space = program.layout.address_space(&module.types[parameter.ty]);
            let wrong = |reason: String| LaunchError::new(format!("argument '{name}': {reason}"));
            let slots = match (argument, space) {
                (Argument::Buffer { element, length, .. }, Some(LOCAL_SPACE)) => {
                    let bytes = element.size().saturating_mul(*length);
                    self.local.push((name, bytes));
                    vec![Slot::splat(local_addresses.next().unwrap_or_default().0)]
                }
                (Argument::Buffer { element, length, contents }, Some(_)) => {
                    let address = self.buffer(&name, *element, *length, contents)?;
                    self.buffers.push((name, *element, address));
                    vec![Slot::splat(address.0)]
                }
                (Argument::Buffer { .. }, None) => {
                    return Err(wrong(format!(
                        "a buffer for a parameter of type {}",
                        module.display_type(parameter.ty)
                    )));
                }
                (Argument::Scalar(text), Some(_)) => match in_memory(module, parameter) {
                    Some(ty) => {
                        let shape = shape(module, &program.layout, ty).map_err(|error| wrong(error.to_string()))?;
                        let components = read_value(text, &shape).map_err(wrong)?;
                        vec![Slot::splat(self.structure(&name, ty, components).map_err(wrong)?.0)]
                    }
                    None if matches!(text.as_str(), "null" | "0") => vec![Slot::splat(0)],
                    None => return Err(wrong("expected a buffer, such as u32[1024], or null".to_string())),
                },
                (Argument::Scalar(text), None) => {
                    let shape =
                        shape(module, &program.layout, parameter.ty).map_err(|error| wrong(error.to_string()))?;
                    read_value(text, &shape).map_err(wrong)?.into_iter().map(Slot::splat).collect()
                }
            };
            self.arguments.push(slots);
        }
        Ok(())
    }

    /// The components of a member of a struct.
    fn member(&mut self, name: &str, member: PassedMember, argument: &Argument) -> Result<Vec<u64>, LaunchError> {
        let wrong = |reason: String| LaunchError::new(format!("argument '{name}': {reason}"));
        match (argument, member.scalar) {
            (Argument::Buffer { element, length, contents }, Scalar::Pointer(_)) => {
                let address = self.buffer(name, *element, *length, contents)?;
                self.buffers.push((name.to_owned(), *element, address));
                Ok(vec![address.0])
            }
            (Argument::Buffer { .. }, _) => Err(wrong(format!("a buffer for a member of type {}", member.ty()))),
            (Argument::Scalar(text), Scalar::Pointer(_)) if matches!(text.as_str(), "null" | "0") => Ok(vec![0]),
            (Argument::Scalar(_), Scalar::Pointer(_)) => {
                Err(wrong("expected a buffer, such as u32[1024], or null".to_string()))
            }
            (Argument::Scalar(text), scalar) => read_value(text, &[scalar]).map_err(wrong),
        }
    }

    /// A struct, of these of its members; the others are padding.
    fn of_members(
        &mut self,
        parameter: &ParameterData,
        members: Vec<(PassedMember, Vec<u64>)>,
    ) -> Result<Vec<Slot>, LaunchError> {
        let (module, layout) = (self.program.module, &self.program.layout);
        let mut members = members.into_iter().peekable();
        let mut components = Vec::new();
        for (number, place) in by_members(module, layout, parameter).iter().enumerate() {
            match members.next_if(|(member, _)| member.number == number) {
                Some((_, given)) => components.extend(given),
                None => components.resize(components.len() + place.scalar.components(), 0),
            }
        }
        match in_memory(module, parameter) {
            Some(ty) => {
                let address = self.structure("struct", ty, components).map_err(LaunchError::new)?;
                Ok(vec![Slot::splat(address.0)])
            }
            None => Ok(components.into_iter().map(Slot::splat).collect()),
        }
    }

    /// A struct that is passed by value, in memory.
    fn structure(&mut self, name: &str, ty: Type, components: Vec<u64>) -> Result<Address, String> {
        let (module, layout) = (self.program.module, &self.program.layout);
        let places = flatten(module, layout, ty).map_err(|error| error.to_string())?;
        let mut components = components.into_iter();
        let size = layout.alloc_size(module, ty).map_err(|error| error.to_string())?;
        let mut bytes = vec![0; size as usize];
        for place in places {
            for part in 0..place.scalar.components() {
                let start = place.byte_offset() as usize + 8 * part;
                let value = components.next().unwrap_or(0).to_le_bytes();
                let count = ((place.bits as usize).div_ceil(8) - 8 * part).min(8);
                bytes[start..start + count].copy_from_slice(&value[..count]);
            }
        }
        self.global.allocate(name, size, Initial::Bytes(&bytes), false).map_err(|error| error.to_string())
    }

    fn buffer(
        &mut self,
        name: &str,
        element: Element,
        length: u64,
        contents: &Contents,
    ) -> Result<Address, LaunchError> {
        let error = |reason: String| LaunchError::new(format!("argument '{name}': {reason}"));
        let size = element.size();
        let bytes = size.checked_mul(length).ok_or_else(|| error("a buffer of 2^64 bytes or more".to_string()))?;
        // Before anything of this size is made here.
        if self.global.room() < bytes {
            return Err(error(format!("{bytes} bytes are more than there may be (--max-memory)")));
        }
        let mut random = match contents {
            Contents::Random { seed } => Random::new(*seed),
            _ => Random::new(0),
        };
        let mut all = Vec::new();
        let contents: &[u8] = match contents {
            Contents::Zero => &[],
            Contents::Iota | Contents::Random { .. } => {
                let address =
                    self.global.allocate(name, bytes, Initial::Zero, false).map_err(|e| error(e.to_string()))?;
                // A part at a time: a second buffer of this size would be as large as what the limit of memory allows.
                for start in (0..length).step_by(FILLED) {
                    let part = start..length.min(start + FILLED as u64);
                    all.clear();
                    all.extend(part.flat_map(|index| {
                        let bits = match contents {
                            Contents::Iota => crate::literal::element_of_integer(index, element),
                            _ => crate::literal::random_element(random.next(), element),
                        };
                        bits.to_le_bytes().into_iter().take(size as usize)
                    }));
                    self.global.write(Address(address.0.wrapping_add(start * size)), &all);
                }
                return Ok(address);
            }
            Contents::Uninitialised => {
                return self
                    .global
                    .allocate(name, bytes, Initial::Uninitialised, false)
                    .map_err(|e| error(e.to_string()));
            }
            Contents::Elements(elements) => {
                if elements.len() as u64 != length {
                    return Err(error(format!("{} elements for a buffer of {length}", elements.len())));
                }
                all.reserve(bytes as usize);
                for text in elements {
                    let bits = read_element(text, element).map_err(error)?;
                    all.extend(bits.to_le_bytes().into_iter().take(size as usize));
                }
                &all
            }
            Contents::Bytes(given) => {
                if given.len() as u64 != bytes {
                    return Err(error(format!("{} bytes for a buffer of {bytes}", given.len())));
                }
                given
            }
        };
        let initial = if contents.is_empty() { Initial::Zero } else { Initial::Bytes(contents) };
        self.global.allocate(name, bytes, initial, false).map_err(|e| error(e.to_string()))
    }
}
