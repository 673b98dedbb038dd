//! A kernel that is linked once and runs many launches.

mod steering;

use std::ops::Range;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use reconverge_analysis::target::Target;
use reconverge_findings::Anchor;
use reconverge_ir::DebugLocation;
use reconverge_ir::layout::is_handle;
use reconverge_ir::types::TypeData;
use reconverge_outline::Node;
use rustc_hash::FxHashMap;

use crate::launch::{AnchorPolicy, Element, Launch, Model, Outcome};
use crate::layout::shape;
use crate::literal;
use crate::machine::observer::Observer;
use crate::machine::recorder::{Component, Recording, Site};
use crate::machine::{self, Flows, Watch};
use crate::memory::Segment;
use crate::module::{Control, LaunchError};
use crate::operations::Axis;
use crate::parameters::{in_memory, passed};
use crate::program::code::{Code, Op};
use crate::program::resources::Binding;
use crate::program::{Executable, LOCAL_SPACE};
use crate::value::{Scalar, Shape, component_count};

/// Something that a launch has to give a kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Need {
    /// The name, without sigil; the number of a parameter that has none.
    pub name: String,
    /// The type, as in the text.
    pub ty: String,
    /// What it has to be.
    pub kind: NeedKind,
}

/// What a kernel needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NeedKind {
    /// Numbers of these types: one, or in braces as many as there are.
    Value(Shape),
    /// A buffer.
    Buffer,
    /// A buffer at a binding.
    Resource {
        /// Which one.
        binding: Binding,
        /// What it seems to hold.
        element: Element,
    },
    /// A buffer of which only the size counts: local memory.
    Local,
    /// Something that only a user can know.
    Unknown,
}

/// A kernel with all that it needs, decoded: runs any number of launches, several at the same time.
#[derive(Debug)]
pub struct Linked<'p> {
    executable: Executable<'p>,
    /// Whether the static rules are kept.
    tokens: Result<(), LaunchError>,
    /// What models make of the functions, kept for the next launch.
    flows: RwLock<FxHashMap<(Model, usize), Arc<Flows>>>,
    sites: OnceLock<FxHashMap<u32, Site>>,
}

impl<'p> Linked<'p> {
    pub(crate) fn new(executable: Executable<'p>, tokens: Result<(), LaunchError>) -> Linked<'p> {
        Linked { executable, tokens, flows: RwLock::default(), sites: OnceLock::new() }
    }

    /// Runs a launch; its kernel is this one, whatever its name says.
    ///
    /// # Errors
    /// When the launch does not fit the kernel.
    pub fn run(&self, launch: &Launch, control: &Control) -> Result<Outcome, LaunchError> {
        self.run_watched(launch, control, Watch::Nobody)
    }

    /// Runs a launch, its workgroups one after the other, and tells an observer what threads compute.
    ///
    /// # Errors
    /// When the launch does not fit the kernel.
    pub fn run_observed(
        &self,
        launch: &Launch,
        control: &Control,
        observer: &mut dyn Observer,
    ) -> Result<Outcome, LaunchError> {
        self.run_watched(launch, control, Watch::Observer(observer))
    }

    /// Runs a launch, its workgroups one after the other, and records what threads communicate. The outcome has
    /// neither events nor a profile.
    ///
    /// # Errors
    /// When the launch does not fit the kernel.
    pub fn run_recorded(&self, launch: &Launch, control: &Control) -> Result<(Outcome, Recording), LaunchError> {
        self.run_recorded_in(launch, 0, control)
    }

    /// [`run_recorded`](Linked::run_recorded) in a choice of cycle hierarchies, by its number as in [`Model::Maximal`], which has one itself: for functions without tokens, where tokens elsewhere make the model the controlled one.
    ///
    /// # Errors
    /// When the launch does not fit the kernel, or there are not so many hierarchies.
    pub fn run_recorded_in(
        &self,
        launch: &Launch,
        hierarchy: usize,
        control: &Control,
    ) -> Result<(Outcome, Recording), LaunchError> {
        let mut recording = Recording::default();
        let outcome = self.run_watched_in(launch, hierarchy, control, Watch::Recording(&mut recording))?;
        Ok((outcome, recording))
    }

    fn run_watched(&self, launch: &Launch, control: &Control, watch: Watch<'_>) -> Result<Outcome, LaunchError> {
        self.run_watched_in(launch, 0, control, watch)
    }

    fn run_watched_in(
        &self,
        launch: &Launch,
        hierarchy: usize,
        control: &Control,
        watch: Watch<'_>,
    ) -> Result<Outcome, LaunchError> {
        if launch.model == Model::Controlled {
            self.tokens.clone()?;
        }
        if let Model::Statements(_) = launch.model {
            if self.executable.statements.is_none() {
                return Err(LaunchError::new("the statements that the program was made from are not known"));
            }
            if !matches!(launch.anchors, AnchorPolicy::Maximal | AnchorPolicy::Solo) {
                let message = "where statements say which threads are converged, --anchor is maximal or solo: the other choices are those at tokens";
                return Err(LaunchError::new(message));
            }
        }
        machine::run(&self.executable, self.flows(launch.model, hierarchy)?, launch, control, watch)
    }

    fn flows(&self, model: Model, hierarchy: usize) -> Result<Arc<Flows>, LaunchError> {
        let key = (model, hierarchy);
        let known = self.flows.read().unwrap_or_else(PoisonError::into_inner).get(&key).cloned();
        if let Some(flows) = known {
            return Ok(flows);
        }
        let flows = Arc::new(machine::flows(&self.executable, model, hierarchy)?);
        self.flows.write().unwrap_or_else(PoisonError::into_inner).insert(key, Arc::clone(&flows));
        Ok(flows)
    }

    /// How many cycle hierarchies there are, each a choice of one for the kernel and for each function that it calls, if these are fewer than `limit`; otherwise `limit`.
    pub fn hierarchies(&self, limit: usize) -> usize {
        self.executable.hierarchies(limit)
    }

    /// Whether the model does not say who is converged in some function: one without tokens that has several hierarchies, where tokens elsewhere make the model
    /// the controlled one. Of these, runs take the first, and [`run_recorded_in`](Linked::run_recorded_in) another one.
    pub fn leaves_hierarchies_open(&self, model: Model) -> bool {
        let is_open = |code: &Code| {
            code.token_definitions.is_empty() && reconverge_graph::hierarchies(&code.graph, 2).take(2).count() > 1
        };
        model == Model::Controlled && self.has_tokens() && self.executable.codes.values().any(is_open)
    }

    /// The target that it is linked for.
    pub fn target(&self) -> &'p Target {
        self.executable.target
    }

    /// The functions with a body that the kernel reaches, without sigil; the kernel comes first.
    pub fn functions(&self) -> Vec<String> {
        self.executable.codes.values().map(|code| code.name.clone()).collect()
    }

    /// Whether a function that the kernel reaches defines a token.
    pub fn has_tokens(&self) -> bool {
        self.executable.codes.values().any(|code| !code.token_definitions.is_empty())
    }

    /// In how many dimensions the kernel asks about threads, groups and sizes, 1 to 3: 1 where it asks about x alone, or nothing that has dimensions.
    pub fn dimensions(&self) -> u32 {
        let of = |code: &Code, op: &Op| match op {
            Op::Query { query, arguments, out } => match query.axis {
                Axis::Fixed(axis) => u32::from(axis) + 1,
                Axis::None if query.item.has_dimensions() => out.count,
                Axis::None => 1,
                Axis::Operand(operand) => match arguments[usize::from(operand)].constant_range() {
                    Some(range) => {
                        code.constants[range].iter().map(|slot| slot.bits[0].min(2) as u32 + 1).max().unwrap_or(1)
                    }
                    None => 3,
                },
            },
            _ => 1,
        };
        let codes = self.executable.codes.values();
        codes.flat_map(|code| code.ops.iter().map(move |op| of(code, op))).max().unwrap_or(1).clamp(1, 3)
    }

    /// In which of binary16, binary32 and binary64 the kernel computes.
    pub fn computes_floats(&self) -> [bool; 3] {
        let module = self.executable.module;
        let instructions = self.executable.codes.values().flat_map(|code| code.ir.instructions.values());
        let mut found = [false; 3];
        for data in instructions {
            match module.types[module.types.scalar(data.ty)] {
                TypeData::Half => found[0] = true,
                TypeData::Float => found[1] = true,
                TypeData::Double => found[2] = true,
                _ => {}
            }
        }
        found
    }

    /// Whether a function that the kernel reaches has an anchor.
    pub fn has_anchors(&self) -> bool {
        self.executable.codes.values().any(|code| code.ops.iter().any(|op| matches!(op, Op::Anchor { .. })))
    }

    /// Whether a function that the kernel reaches has uncontrolled convergent operations, or calls functions that may, without being
    /// `convergent`. Who executes these together is up to the implementation, as at an anchor.
    pub fn has_open_functions(&self) -> bool {
        let communicates = |op: &Op| {
            matches!(
                op,
                Op::Barrier { .. }
                    | Op::Crosslane { .. }
                    | Op::GroupCopy { .. }
                    | Op::Declared { .. }
                    | Op::Call { .. }
            )
        };
        let mut codes = self.executable.codes.values();
        codes.any(|code| self.executable.is_open(code) && code.ops.iter().any(communicates))
    }

    /// What a launch has to give: the parameters in order (those of structs with pointers member by member), then the buffers at bindings, then the variables in local memory that the module gives no size.
    pub fn needs(&self) -> Vec<Need> {
        let Executable { module, layout, codes, kernel, resources, members, .. } = &self.executable;
        let id = codes[*kernel].id;
        let parameters = passed(module, layout, *members, id).into_iter().map(|passed| {
            let parameter = &module.functions[id].parameters[passed.parameter];
            if let Some(member) = passed.member {
                let kind = match member.scalar {
                    Scalar::Pointer(_) => NeedKind::Buffer,
                    scalar => NeedKind::Value(vec![scalar]),
                };
                return Need { name: passed.name, ty: member.ty(), kind };
            }
            let scalars = |ty| shape(module, layout, ty).ok();
            let kind = match (in_memory(module, parameter), layout.address_space(&module.types[parameter.ty])) {
                (Some(ty), _) => scalars(ty).map_or(NeedKind::Unknown, NeedKind::Value),
                (None, Some(LOCAL_SPACE)) => NeedKind::Local,
                (None, Some(_)) => NeedKind::Buffer,
                // The number of an image or a sampler is nothing that can be made up.
                (None, None) if is_handle(&module.types[parameter.ty]) => NeedKind::Unknown,
                (None, None) => scalars(parameter.ty).map_or(NeedKind::Unknown, NeedKind::Value),
            };
            Need { name: passed.name, ty: module.display_type(parameter.ty), kind }
        });
        let resources = resources.iter().map(|resource| Need {
            name: resource.name.clone(),
            ty: module.display_type(resource.ty),
            kind: NeedKind::Resource { binding: resource.binding, element: resource.element },
        });
        let variables = self.executable.variables_in(Segment::Local);
        let sized = variables.filter(|variable| variable.image.bytes.is_empty());
        let sized = sized.map(|variable| Need {
            name: variable.name.clone(),
            ty: "local memory".to_owned(),
            kind: NeedKind::Local,
        });
        parameters.chain(resources).chain(sized).collect()
    }

    /// The operations at which threads communicate, by the numbers that a recording has.
    pub fn sites(&self) -> &FxHashMap<u32, Site> {
        self.sites.get_or_init(|| Site::all(&self.executable))
    }

    /// Whether the way that a thread goes may depend on results of these operations. A no is certain.
    pub fn is_steered(&self) -> bool {
        steering::is_steered(&self.executable, self.sites().values())
    }

    /// The operation with a number.
    pub fn site(&self, number: u32) -> Option<&Site> {
        self.sites().get(&number)
    }

    /// The numbers in a marker of [statements](crate::statements), of its function and its node, by the number that it has among operations.
    pub fn marker(&self, number: u32) -> Option<(u32, Node)> {
        let codes = &self.executable.codes;
        let (_, code) = codes.iter().rev().find(|(_, code)| code.first_site <= number)?;
        match code.ops.get((number - code.first_site) as usize)? {
            &Op::Marker { function, node, .. } => Some((function, node)),
            _ => None,
        }
    }

    /// The block of an operation, without sigil.
    pub fn block(&self, site: &Site) -> String {
        let code = &self.executable.codes[site.code];
        let inst = &code.ir.instructions[code.insts[site.op as usize]];
        self.executable.module.local_name(code.ir.blocks[inst.block].name)
    }

    /// An operation as a place in the module.
    pub fn anchor(&self, site: &Site) -> Anchor {
        self.executable.anchor(site.code, site.op)
    }

    /// The text of an operation, and its place in the source.
    pub fn place(&self, site: &Site) -> (Range<usize>, Option<DebugLocation>) {
        self.executable.place(site.code, site.op)
    }

    /// What an operation spells.
    pub fn words(&self, site: &Site) -> &[u8] {
        self.executable.module.spelling(self.anchor(site).span)
    }

    /// What a thread passes to an operation, as text, operand by operand.
    pub fn show_operands(&self, site: &Site, operands: &[Component]) -> Vec<String> {
        let shapes = self.executable.operand_shapes(site.code, site.op);
        let mut rest = operands;
        let show = |shape: &Vec<Scalar>| {
            let (here, behind) = rest.split_at(component_count(shape).min(rest.len()));
            rest = behind;
            show_components(shape, here)
        };
        shapes.iter().map(show).collect()
    }

    /// What a thread gets from an operation, as text; nothing where it has no result.
    pub fn show_results(&self, site: &Site, results: &[Component]) -> String {
        show_components(&self.executable.result_shape(site.code, site.op), results)
    }

    /// What the kernel returned to a thread, as text.
    pub fn show_returned(&self, components: &[Component]) -> String {
        show_components(&self.return_shape(), components)
    }

    /// Which components of what the kernel returns are no pointers.
    pub fn returned_data(&self) -> Vec<bool> {
        let is_data = |scalar: &Scalar| !matches!(scalar, Scalar::Pointer(_));
        self.return_shape().iter().flat_map(|one| std::iter::repeat_n(is_data(one), one.components())).collect()
    }

    fn return_shape(&self) -> Shape {
        let Executable { module, layout, codes, kernel, .. } = &self.executable;
        let ty = module.functions[codes[*kernel].id].result;
        shape(module, layout, ty).unwrap_or_default()
    }
}

fn show_components(shape: &[Scalar], components: &[Component]) -> String {
    let fits = !shape.is_empty() && components.len() == component_count(shape);
    if fits { literal::show_value(shape, &Component::slots(components), 0) } else { String::new() }
}
