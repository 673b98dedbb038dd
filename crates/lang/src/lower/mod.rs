//! From a typed program to LLVM IR as text (`.ll`, LLVM 22), with convergence control tokens where a [`TokenPlan`] puts them.
//!
//! The text is simple, as from a compiler that does not optimise: every variable has room on the stack, and conditions are branches.
//!
//! - **Tokens** ([`LowerOptions::tokens`]). The token of a body is `%body.token`, an `entry` in convergent functions and an `anchor` in others; it is left out
//!   where nothing uses it. Hearts and anchors stand where the plan says, used or not: the heart of an iteration statement is the first instruction of the block in which each iteration
//!   starts, which is the only header of its cycle. Every convergent call has the token of the full expression that it is in, wherever its block is.
//!   A function without a plan has no tokens at all.
//! - **Without tokens** the graph is the same but for blocks that only go on to another one: they are not there. So two loops that start at one place share
//!   a header, and what the source says of their iterations cannot be seen any more.
//! - **Markers** ([`LowerOptions::markers`]): `@reconverge.marker(i32 FUNCTION, i32 NODE)`, a convergent function, is called where the execution of a node starts, with the node's token.
//!   Nodes of kind Compound and Simple have none: they start where their first part does, or are empty. Of the evaluations in a full expression behind the first one, those with a convergent operation
//!   have one, right before it ([`has_marker`]). The marker of an iteration statement comes before the loop, with the
//!   parent token of its heart; those of its condition, step and body are executed in each iteration. FUNCTION is the number of [`Function`].
//! - **Debug information** ([`LowerOptions::debug`]): line tables.
//! - **Origins** ([`LowerOptions::origins`]): beside the text, which part of the source each instruction is (`origins`).
//! - **Structs by value** are values in calls. Kernels take a pointer to a copy (`byval`), but those for AMDGPU take values, too.
//! - A **kernel that is also called** by a function is there twice: calls are of `@name.called`.

use cranelift_entity::{EntityRef, SecondaryMap};
use reconverge_ir::emit::{AttributeGroups, Metadata, ModuleText, spelling};
use reconverge_ir::origin::Origins;
use reconverge_outline::{Node, NodeKind, Outline, TokenPlan};
use rustc_hash::FxHashSet;

use crate::options::{Dialect, LowerTarget};
use crate::outline::OutlineMap;
use crate::source::{Location, Sources};
use crate::tree::ExtentTable;
use crate::typed::{Function, FunctionData, MemoryEffects, Program, Type, TypeKind};
use function::FunctionText;
use lines::Lines;
use origins::{Declared, OriginTable};
use types::TypeTexts;
use writer::Room;

mod arithmetic;
mod atomics;
mod calls;
mod constants;
mod conversions;
mod expression;
mod function;
mod lines;
mod memory;
mod names;
mod origins;
mod place;
mod statement;
mod switch;
mod target;
mod tokens;
mod types;
mod vectors;
mod writer;

/// What is known of a function's convergence: its outline, which nodes the parts of its body are, and its tokens.
#[derive(Debug, Clone, Default)]
pub struct FunctionPlan {
    /// The statements and full expressions.
    pub outline: Outline,
    /// Which nodes the parts of the body are.
    pub map: OutlineMap,
    /// Where tokens come from.
    pub plan: TokenPlan,
}

/// What is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LowerOptions {
    /// Convergence control tokens.
    pub tokens: bool,
    /// Calls that tell which node is executed.
    pub markers: bool,
    /// Line tables.
    pub debug: bool,
    /// What each instruction is in the source: [`Lowered::origins`] is empty otherwise.
    pub origins: bool,
    /// An overflow of a signed integer is undefined, as C and C++ have it: sums, differences and products have `nsw`. Otherwise it wraps around, as it does on devices.
    pub nsw: bool,
}

/// What is written of a program.
#[derive(Debug)]
pub struct Lowered {
    /// The IR.
    pub text: Vec<u8>,
    /// What its instructions, parameters and functions are in the source.
    pub origins: Origins,
}

pub use reconverge_outline::MARKER;

/// Whether a marker is called where the execution of a node starts.
pub fn has_marker(outline: &Outline, node: Node) -> bool {
    match outline.kind(node) {
        NodeKind::Compound | NodeKind::Simple(_) => false,
        NodeKind::Evaluation => outline.operation(node).is_some(),
        // Those of a computed `goto`, which threads leave for the label at once.
        NodeKind::Case(body) => !is_computed(outline, node, body),
        NodeKind::Goto(_) => !outline.parent(node).is_some_and(|parent| is_computed(outline, parent, node)),
        _ => true,
    }
}

/// Whether nodes are a `case` and its `goto` that stand at one place, as those of a computed `goto` do.
fn is_computed(outline: &Outline, case: Node, goto: Node) -> bool {
    matches!((outline.kind(case), outline.kind(goto)), (NodeKind::Case(_), NodeKind::Goto(_)))
        && outline.nodes[case].location == outline.nodes[goto].location
}

/// What does not change while a program is written.
pub(crate) struct Context<'a> {
    program: &'a Program,
    sources: &'a Sources,
    plans: &'a SecondaryMap<Function, Option<FunctionPlan>>,
    options: LowerOptions,
    types: TypeTexts,
    /// From where to where expressions are written, if origins are asked for.
    extents: Option<ExtentTable<'a>>,
}

/// What is gathered for the end of the text, and memory that is used again.
#[derive(Default)]
pub(crate) struct Tables {
    attributes: AttributeGroups,
    metadata: Metadata,
    lines: Option<Lines>,
    origins: Option<OriginTable>,
    /// Declarations of LLVM's functions that were called, without `declare` and attributes.
    intrinsics: FxHashSet<&'static str>,
    copies: FxHashSet<(u32, u32)>,
    fills: FxHashSet<u32>,
    uses_samplers: bool,
    /// Kernels that were called, in the order of their first calls.
    called: Vec<Function>,
    is_called: FxHashSet<Function>,
    room: Room,
}

/// The text of a program. `plans` says of each function with a body how it uses tokens; those of functions without one are not looked at.
///
/// O(size of the program); expressions and statements that are nested need stack for each level.
pub fn lower(
    program: &Program,
    sources: &Sources,
    plans: &SecondaryMap<Function, Option<FunctionPlan>>,
    options: &LowerOptions,
) -> Lowered {
    let extents = options.origins.then(|| ExtentTable::new(&program.extents, &program.scopes, &program.symbols));
    let context = Context { program, sources, plans, options: *options, types: TypeTexts::new(program), extents };
    let (mut tables, mut out) = (Tables::default(), ModuleText::default());
    if options.debug {
        tables.lines = Lines::new(sources, program.dialect.is_cpp(), &mut tables.metadata);
    }
    if options.origins {
        tables.origins = Some(OriginTable::new(sources, &mut out.origins));
    }
    context.head(&mut out.bytes);
    constants::write_globals(&context, &mut tables, &mut out);
    for (function, data) in &program.functions {
        if data.body.is_some() {
            FunctionText::write(&context, &mut tables, function, data.is_kernel, &mut out);
        }
    }
    let mut next = 0;
    while let Some(&kernel) = tables.called.get(next) {
        next += 1;
        FunctionText::write(&context, &mut tables, kernel, false, &mut out);
    }
    context.declarations(&mut tables, &mut out);
    context.end(&mut tables, &mut out.bytes);
    Lowered { text: out.bytes, origins: out.origins }
}

impl Context<'_> {
    fn head(&self, out: &mut Vec<u8>) {
        if let Some(file) = self.sources.files().first() {
            out.extend_from_slice(b"source_filename = ");
            spelling::string(out, file.path.to_string_lossy().as_bytes());
            out.push(b'\n');
        }
        out.extend_from_slice(
            format!("target datalayout = \"{}\"\n", target::data_layout(self.program.target)).as_bytes(),
        );
        if let Some(triple) = target::triple(self.program.target) {
            out.extend_from_slice(format!("target triple = \"{triple}\"\n").as_bytes());
        }
        out.push(b'\n');
        self.types.write_structs(self.program, out);
        out.push(b'\n');
    }

    /// What a function returns, if it is not void.
    fn result_of(&self, data: &FunctionData) -> Option<Type> {
        let TypeKind::Function { result, .. } = *self.program.types.kind(data.of) else { return None };
        (*self.program.types.kind(result) != TypeKind::Void).then_some(result)
    }

    /// What a function returns, as text.
    fn result_text(&self, data: &FunctionData) -> &[u8] {
        self.result_of(data).map_or(b"void", |result| &self.types[result].value)
    }

    /// Whether the language is one for GPUs, in which calls of unknown functions communicate.
    fn is_for_gpus(&self) -> bool {
        matches!(self.program.dialect, Dialect::OpenCl | Dialect::Cuda | Dialect::Hip)
    }

    /// Functions without a body, and LLVM's own.
    fn declarations(&self, tables: &mut Tables, out: &mut ModuleText) {
        let mut known = FxHashSet::default();
        let defined = self.program.functions.values().filter(|data| data.body.is_some());
        known.extend(defined.map(|data| data.linkage_name.as_str()));
        for data in self
            .program
            .functions
            .values()
            .filter(|data| data.body.is_none() && !data.is_expanded && !data.is_assembly())
        {
            if known.insert(&data.linkage_name) {
                self.declaration(data, tables, out);
            }
        }
        let mut lines: Vec<(String, &str)> = Vec::new();
        for &intrinsic in &tables.intrinsics {
            lines.push((intrinsic.to_owned(), "convergent nocallback nofree nounwind willreturn memory(none)"));
        }
        // The program may call the same by itself.
        let copies = tables.copies.iter().filter(|(to, from)| {
            let name = format!("llvm.memcpy.p{to}.p{from}.i64");
            !self.program.declared.contains_key(&name)
        });
        for &(to, from) in copies {
            let (left, right) = (types::pointer(to), types::pointer(from));
            let attributes = "nocallback nofree nounwind willreturn memory(argmem: readwrite)";
            lines.push((format!("void @llvm.memcpy.p{to}.p{from}.i64({left}, {right}, i64, i1 immarg)"), attributes));
        }
        let fills = tables.fills.iter().filter(|space| {
            let name = format!("llvm.memset.p{space}.i64");
            !self.program.declared.contains_key(&name)
        });
        for &space in fills {
            let attributes = "nocallback nofree nounwind willreturn memory(argmem: write)";
            let pointer = types::pointer(space);
            lines.push((format!("void @llvm.memset.p{space}.i64({pointer}, i8, i64, i1 immarg)"), attributes));
        }
        if tables.uses_samplers {
            let convention = target::function_convention(self.program.target);
            let line = format!("{convention}target(\"spirv.Sampler\") @__translate_sampler_initializer(i32)");
            lines.push((line, "nounwind"));
        }
        if self.options.markers {
            lines.push((format!("void @{MARKER}(i32, i32)"), "convergent nounwind"));
        }
        lines.sort();
        for (line, attributes) in lines {
            let group = tables.attributes.group(attributes);
            out.bytes.extend_from_slice(format!("declare {line} #{group}\n").as_bytes());
        }
        out.bytes.push(b'\n');
    }

    fn declaration(&self, data: &FunctionData, tables: &mut Tables, out: &mut ModuleText) {
        if let Some(origins) = &mut tables.origins
            && let Some(origin) = origins.of_declared(Declared::Function(data), self, &mut out.origins)
        {
            out.mark(origin);
        }
        out.bytes.extend_from_slice(b"declare ");
        out.bytes.extend_from_slice(self.convention(data).as_bytes());
        out.bytes.extend_from_slice(self.result_text(data));
        out.bytes.push(b' ');
        names::called(&mut out.bytes, data);
        out.bytes.push(b'(');
        out.bytes.extend_from_slice(&self.parameters(data.of));
        out.bytes.extend_from_slice(b") #");
        let mut attributes = String::new();
        if data.is_convergent {
            attributes.push_str("convergent ");
        }
        attributes.push_str("nounwind");
        attributes.push_str(match data.memory {
            MemoryEffects::Unknown => "",
            MemoryEffects::None => " willreturn memory(none)",
            MemoryEffects::Reads => " willreturn memory(read)",
            MemoryEffects::Arguments => " memory(argmem: readwrite)",
        });
        let group = tables.attributes.group(&attributes);
        spelling::unsigned(&mut out.bytes, u64::from(group));
        out.bytes.push(b'\n');
    }

    /// The calling convention by which a function is called, with a blank behind it.
    fn convention(&self, data: &FunctionData) -> &'static str {
        if data.linkage_name.starts_with("llvm.") || data.is_assembly() {
            ""
        } else {
            target::function_convention(self.program.target)
        }
    }

    /// The types of the parameters of a function, with `...` where there can be more.
    fn parameters(&self, of: Type) -> Vec<u8> {
        let TypeKind::Function { parameters, variadic, .. } = self.program.types.kind(of) else { return Vec::new() };
        let mut texts: Vec<&[u8]> = parameters.iter().map(|&parameter| &self.types[parameter].value[..]).collect();
        if *variadic {
            texts.push(b"...");
        }
        texts.join(&b", "[..])
    }

    fn end(&self, tables: &mut Tables, out: &mut Vec<u8>) {
        tables.attributes.write(out);
        out.push(b'\n');
        if let Some(lines) = &tables.lines {
            let unit = lines.unit();
            let flag = tables.metadata.add("!{i32 2, !\"Debug Info Version\", i32 3}");
            out.extend_from_slice(
                format!("!llvm.dbg.cu = !{{!{unit}}}\n!llvm.module.flags = !{{!{flag}}}\n").as_bytes(),
            );
        }
        if self.program.dialect == Dialect::OpenCl {
            let version = tables.metadata.add("!{i32 3, i32 0}");
            out.extend_from_slice(format!("!opencl.ocl.version = !{{!{version}}}\n").as_bytes());
        }
        out.extend_from_slice(tables.metadata.text());
    }
}

impl Tables {
    /// Starts the lines of a function; the number of its node.
    fn start_function(&mut self, data: &FunctionData, sources: &Sources) -> Option<u32> {
        let lines = self.lines.as_mut()?;
        Some(lines.start(data, sources, &mut self.metadata))
    }

    /// The number of a place in the function being written, if places are written.
    fn location(&mut self, location: Location, sources: &Sources) -> Option<u32> {
        let lines = self.lines.as_mut()?;
        Some(lines.location(location, sources, &mut self.metadata))
    }

    /// The attributes of a function with a body.
    fn definition_group(&mut self, context: &Context<'_>, data: &FunctionData, is_launched: bool) -> u32 {
        let mut text = String::new();
        if data.is_convergent {
            text.push_str("convergent ");
        }
        if data.is_noinline {
            text.push_str("noinline ");
        }
        text.push_str("nounwind");
        if is_launched {
            text.push_str(&launch_attributes(context.program, data));
        }
        self.attributes.group(&text)
    }

    /// The metadata that stands on a kernel.
    fn kernel_metadata(
        &mut self,
        context: &Context<'_>,
        data: &FunctionData,
        is_launched: bool,
    ) -> Vec<(&'static str, u32)> {
        let is_nvptx = context.program.target == LowerTarget::Nvptx;
        match data.bounds.block {
            Some([x, y, z]) if is_launched && !is_nvptx => {
                vec![("reqd_work_group_size", self.metadata.add(&format!("!{{i32 {x}, i32 {y}, i32 {z}}}")))]
            }
            _ => Vec::new(),
        }
    }

    /// A kernel is called: it is written once more.
    fn call_kernel(&mut self, kernel: Function) {
        if self.is_called.insert(kernel) {
            self.called.push(kernel);
        }
    }
}

/// How many threads a block of a kernel has, and how many blocks a cluster, as attributes of the target.
fn launch_attributes(program: &Program, data: &FunctionData) -> String {
    let threads = |[x, y, z]: [u32; 3]| u64::from(x) * u64::from(y) * u64::from(z);
    let mut text = String::new();
    match program.target {
        LowerTarget::Amdgpu => {
            let range = match (data.bounds.block, data.bounds.threads) {
                (Some(block), _) => Some((threads(block), threads(block))),
                (None, Some(most)) => Some((1, u64::from(most))),
                (None, None) => (program.dialect == Dialect::Hip).then_some((1, 1024)),
            };
            if let Some((least, most)) = range {
                text.push_str(&format!(" \"amdgpu-flat-work-group-size\"=\"{least},{most}\""));
            }
        }
        LowerTarget::Nvptx => {
            if let Some([x, y, z]) = data.bounds.block {
                text.push_str(&format!(" \"nvvm.reqntid\"=\"{x},{y},{z}\""));
            }
            if let Some(most) = data.bounds.threads {
                text.push_str(&format!(" \"nvvm.maxntid\"=\"{most}\""));
            }
            if let Some([x, y, z]) = data.bounds.cluster {
                text.push_str(&format!(" \"nvvm.cluster_dim\"=\"{x},{y},{z}\""));
            }
        }
        LowerTarget::Spirv | LowerTarget::Generic => {}
    }
    text
}

/// The number of a function in markers.
/// The number of a function in markers.
pub fn marker_number(function: Function) -> u32 {
    function.index() as u32
}
