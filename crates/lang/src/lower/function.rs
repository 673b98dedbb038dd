//! Writing a body: what is kept while it is written, its variables, its header.
//!
//! **Invariant.** The text is written once, from the first statement to the last. What belongs into the entry block (tokens of the body, room
//! of variables) is a part of its own ([`Part`]). Instructions behind a jump get a block that nothing goes to, which is left out.

use cranelift_entity::SecondaryMap;
use reconverge_ir::emit::{self, ModuleText, Part, Piece};
use reconverge_ir::origin::OriginId;

use super::origins::Declared;
use super::writer::{Block, Name, Names, Of, Operand, Pointer, Stored, Terminator};
use super::{Context, FunctionPlan, Tables, names, target};
use crate::source::Location;
use crate::typed::{AddressSpace, Body, Function, FunctionData, Label, Statement, Type, TypeKind, Variable};
use reconverge_outline::{Node, TokenSource};

/// Where `break` and `continue` go.
#[derive(Debug, Clone, Copy)]
pub(super) struct Exits {
    /// Out of the innermost loop or switch.
    pub(super) leave: Block,
    /// To the next iteration of the innermost loop, if it is that.
    pub(super) again: Option<Block>,
}

/// A body being written.
pub(super) struct FunctionText<'c> {
    pub(super) context: &'c Context<'c>,
    pub(super) tables: &'c mut Tables,
    pub(super) function: Function,
    /// Whether it is written as launches know it.
    pub(super) is_launched: bool,
    pub(super) data: &'c FunctionData,
    pub(super) body: &'c Body,
    /// The tokens of the body; none for a body without.
    pub(super) plan: Option<&'c FunctionPlan>,
    pub(super) text: emit::Body<Names<'c>>,
    /// What the body is written behind.
    pub(super) module: &'c mut ModuleText,
    slots: u32,
    /// Where the instructions are that are being written.
    pub(super) location: Location,
    /// The token of the node that is being written.
    pub(super) token: TokenSource,
    /// Where there are anchors that only markers use.
    pub(super) marker_anchors: SecondaryMap<Node, bool>,
    /// Whether the token of the body is used.
    pub(super) uses_body_token: bool,
    pub(super) labels: SecondaryMap<Label, Option<Block>>,
    pub(super) cases: SecondaryMap<Statement, Option<Block>>,
    pub(super) exits: Vec<Exits>,
}

/// Writes an instruction without a result, from pieces.
macro_rules! instruction {
    ($text:expr, $($piece:expr),+ $(,)?) => {{
        $text.start();
        $( $text.put($piece); )+
        $text.end();
    }};
}

/// Writes an instruction with a result, from the pieces behind ` = `.
macro_rules! result {
    ($text:expr, $($piece:expr),+ $(,)?) => {{
        let result = $text.define();
        $( $text.put($piece); )+
        $text.end();
        result
    }};
}
pub(super) use {instruction, result};

impl<'c> FunctionText<'c> {
    /// Writes a function with a body as it is for launches (`is_launched`, kernels only) or for callers, behind what `module` holds.
    pub(super) fn write(
        context: &'c Context<'c>,
        tables: &'c mut Tables,
        function: Function,
        is_launched: bool,
        module: &'c mut ModuleText,
    ) {
        let data = &context.program.functions[function];
        let Some(body) = &data.body else { return };
        let plan = context.plans[function].as_ref().filter(|_| context.options.tokens || context.options.markers);
        let names = Names { context, variables: names::variables(body) };
        let text = FunctionText {
            context,
            function,
            is_launched,
            data,
            body,
            plan,
            text: emit::Body::new(names, std::mem::take(&mut tables.room)),
            tables,
            module,
            slots: 0,
            location: data.location,
            token: TokenSource::Body,
            marker_anchors: SecondaryMap::new(),
            uses_body_token: false,
            labels: SecondaryMap::new(),
            cases: SecondaryMap::new(),
            exits: Vec::new(),
        };
        text.run(is_launched);
    }

    fn run(mut self, is_launched: bool) {
        let subprogram = self.tables.start_function(self.data, self.context.sources);
        let origin = match &mut self.tables.origins {
            Some(origins) => origins.of_declared(Declared::Function(self.data), self.context, &mut self.module.origins),
            None => None,
        };
        self.find_marker_anchors();
        let entry = self.text.create("entry");
        self.text.open(entry);
        self.addressed_labels();
        self.variables(is_launched);
        if let Some(root) = self.body.root {
            self.statement(root);
        }
        self.location = self.body.root.map_or(self.data.location, |root| self.body.statements[root].end);
        self.finish_body();
        if !self.context.options.tokens {
            self.text.skip_empty_blocks();
        }
        self.header(is_launched, subprogram, origin);
        self.body_token();
        self.tables.room = self.text.finish(self.module);
    }

    /// Ends the last block.
    fn finish_body(&mut self) {
        let terminator = match self.context.result_of(self.data) {
            Some(result) => Terminator::Return(Of(result), Operand::Poison),
            None => Terminator::ReturnVoid,
        };
        self.close(terminator);
    }

    /// Writes a piece.
    #[inline]
    pub(super) fn put(&mut self, piece: impl Piece<Names<'c>>) {
        self.text.put(piece);
    }

    /// Starts an instruction.
    #[inline]
    pub(super) fn start(&mut self) {
        self.text.start();
    }

    /// Starts an instruction with a result.
    #[inline]
    pub(super) fn define(&mut self) -> Operand {
        self.text.define()
    }

    /// Ends an instruction.
    #[inline]
    pub(super) fn end(&mut self) {
        self.text.end(self.tables.location(self.location, self.context.sources));
    }

    /// The block that is being written.
    pub(super) fn current(&mut self) -> Block {
        self.text.current()
    }

    /// Ends the block.
    pub(super) fn close(&mut self, terminator: Terminator) {
        self.decide(terminator, None);
    }

    /// Ends the block with a decision.
    pub(super) fn decide(&mut self, terminator: Terminator, decision: Option<OriginId>) {
        let location = self.tables.location(self.location, self.context.sources);
        self.text.close(terminator, location, decision);
    }

    /// Ends the block, and goes on to another one.
    pub(super) fn branch_to(&mut self, to: Block) {
        self.close(Terminator::Branch(to));
    }

    /// Goes on to a block, and opens it.
    pub(super) fn enter(&mut self, block: Block) {
        self.branch_to(block);
        self.text.open(block);
    }

    /// Makes room on the stack, for the time of the call.
    pub(super) fn slot(&mut self, of: Type) -> Operand {
        let slot = Operand::Named(Name::Slot(self.slots));
        self.slots += 1;
        let alignment = self.context.types[of].alignment;
        self.room(slot, of, alignment);
        slot
    }

    /// Makes room on the stack for a pointer to a function.
    pub(super) fn slot_for_pointer(&mut self) -> Operand {
        let slot = Operand::Named(Name::Slot(self.slots));
        self.slots += 1;
        self.room_for(slot, "ptr", 8);
        slot
    }

    fn room(&mut self, name: Operand, of: Type, alignment: u64) {
        self.room_for(name, Stored(of), alignment);
    }

    /// Writes the `alloca` of a place.
    fn room_for(&mut self, name: Operand, of: impl Piece<Names<'c>>, alignment: u64) {
        let space = self.stack();
        let before = self.text.turn_to(Part::Room);
        self.start();
        self.put(name);
        self.put(" = alloca ");
        self.put(of);
        self.put(", align ");
        self.put(alignment);
        if space != 0 {
            self.put(", addrspace(");
            self.put(space);
            self.put(")");
        }
        self.text.end(None);
        self.text.turn_to(before);
    }

    /// The number of the address space in which variables are.
    pub(super) fn stack(&self) -> u32 {
        target::space(self.context.program.target, AddressSpace::Private)
    }

    /// The alignment of a variable.
    pub(super) fn variable_alignment(&self, variable: Variable) -> u64 {
        let data = &self.body.variables[variable];
        self.context.types[data.of].alignment.max(u64::from(data.alignment.unwrap_or(1)))
    }

    /// Makes room for all variables, and stores the arguments.
    fn variables(&mut self, is_launched: bool) {
        for (variable, data) in &self.body.variables {
            if is_launched && self.is_copied_argument(variable) {
                continue;
            }
            self.text.origin = self.declared(variable);
            self.room(Operand::Named(Name::Variable(variable)), data.of, self.variable_alignment(variable));
        }
        for &parameter in &self.body.parameters {
            if is_launched && self.is_copied_argument(parameter) {
                // The argument is a pointer to a copy of one's own: that is the room.
                let mut name = Vec::new();
                let variables = &mut self.text.language().variables;
                names::argument(&mut name, &variables[parameter]);
                variables[parameter] = name.into_boxed_slice();
                continue;
            }
            self.text.origin = self.declared(parameter);
            let mut name = Vec::new();
            names::argument(&mut name, &self.text.language().variables[parameter]);
            let of = self.body.variables[parameter].of;
            let space = self.stack();
            let value = self.stored_form(of, &name);
            instruction!(
                self,
                "store ",
                Stored(of),
                " ",
                &value[..],
                ", ",
                Pointer(space),
                Operand::Named(Name::Variable(parameter)),
                ", align ",
                self.variable_alignment(parameter)
            );
        }
        self.text.origin = None;
    }

    /// An argument as it is in memory.
    fn stored_form(&mut self, of: Type, name: &[u8]) -> Vec<u8> {
        let types = &self.context.types;
        if types[of].value == types[of].memory {
            return name.to_vec();
        }
        let wide = result!(self, "zext ", Of(of), " ", name, " to ", Stored(of));
        let Operand::Register(number) = wide else { return name.to_vec() };
        format!("%{number}").into_bytes()
    }

    /// Whether a parameter of a kernel is a pointer to a copy.
    fn is_copied_argument(&self, variable: Variable) -> bool {
        let program = self.context.program;
        let of = self.body.variables[variable].of;
        target::kernels_take_copies(program.target)
            && self.body.parameters.contains(&variable)
            && matches!(program.types.kind(of), TypeKind::Struct(_) | TypeKind::Array { .. })
    }

    /// `define … {`
    fn header(&mut self, is_launched: bool, subprogram: Option<u32>, origin: Option<OriginId>) {
        let program = self.context.program;
        let before = self.text.turn_to(Part::Header);
        self.text.origin = origin;
        self.text.mark(0);
        self.put("define ");
        if self.data.is_internal || (self.data.is_kernel && !is_launched) {
            self.put("internal ");
        }
        self.put(if is_launched {
            target::kernel_convention(program.target)
        } else {
            target::function_convention(program.target)
        });
        self.put(self.context.result_text(self.data));
        self.put(" ");
        if is_launched {
            let mut name = Vec::new();
            names::launched(&mut name, self.data);
            self.put(&name[..]);
        } else {
            self.put(Operand::Named(Name::Function(self.function)));
        }
        self.put("(");
        for (index, &parameter) in self.body.parameters.iter().enumerate() {
            if index > 0 {
                self.put(", ");
            }
            let of = self.body.variables[parameter].of;
            if is_launched && self.is_copied_argument(parameter) {
                self.put(Pointer(self.stack()));
                self.put("byval(");
                self.put(Stored(of));
                self.put(") align ");
                self.put(self.variable_alignment(parameter));
                if self.body.constants.contains(&parameter) {
                    self.put(" readonly");
                }
            } else {
                self.put(Of(of));
            }
            self.put(" ");
            self.text.origin = self.declared(parameter);
            // The name behind its sigil.
            self.text.mark(1);
            let mut name = Vec::new();
            names::argument(&mut name, &self.text.language().variables[parameter]);
            self.put(&name[..]);
        }
        self.put(") #");
        let group = self.tables.definition_group(self.context, self.data, is_launched);
        self.put(group);
        for (name, node) in self.tables.kernel_metadata(self.context, self.data, is_launched) {
            self.put(" !");
            self.put(name);
            self.put(" !");
            self.put(node);
        }
        if let Some(subprogram) = subprogram {
            self.put(" !dbg !");
            self.put(subprogram);
        }
        self.text.turn_to(before);
    }
}
