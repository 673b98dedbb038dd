//! Writing a body: registers, blocks, room on the stack.
//!
//! **Invariants.** The text is written once, from the first statement to the last. What belongs into the entry block (tokens of the body, room
//! of variables) is written beside it, and both are put together at the end. Instructions behind a jump get a block that nothing goes to, which is
//! left out.

use cranelift_entity::SecondaryMap;

use super::blocks::{Blocks, Terminator, Text};
use super::origins::{INDENT, Mark, Subject};
use super::writer::{Block, Operand, Piece, Pointer, Stored, Writer};
use super::{Context, FunctionPlan, Tables, names, target};
use crate::outline::{Node, TokenSource};
use crate::source::Location;
use crate::typed::{AddressSpace, Body, Function, FunctionData, Label, Statement, Type, TypeKind, Variable};

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
    pub(super) data: &'c FunctionData,
    pub(super) body: &'c Body,
    /// The tokens of the body; none for a body without.
    pub(super) plan: Option<&'c FunctionPlan>,
    pub(super) writer: Writer<'c>,
    pub(super) blocks: Blocks,
    /// What stands at the start of the entry block, behind the token of the body.
    entry: Vec<u8>,
    registers: u32,
    slots: u32,
    /// Where the instructions are that are being written.
    pub(super) location: Location,
    /// What they belong to.
    pub(super) subject: Subject,
    /// The subjects of the instructions so far; of those at the start of the entry block, too.
    pub(super) marks: Vec<Mark>,
    entry_marks: Vec<Mark>,
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
    /// Writes a function with a body as it is for launches (`is_launched`, kernels only) or for callers, behind what `out` holds.
    pub(super) fn write(
        context: &'c Context<'c>,
        tables: &'c mut Tables,
        function: Function,
        is_launched: bool,
        out: &mut Vec<u8>,
    ) {
        let data = &context.program.functions[function];
        let Some(body) = &data.body else { return };
        let plan = context.plans[function].as_ref().filter(|_| context.options.tokens || context.options.markers);
        let mut scratch = std::mem::take(&mut tables.scratch);
        scratch.clear();
        let mut blocks = std::mem::take(&mut tables.blocks);
        blocks.clear();
        let mut marks = std::mem::take(&mut tables.marks);
        marks.clear();
        let writer = Writer {
            bytes: scratch,
            program: context.program,
            types: &context.types,
            variables: names::variables(body),
        };
        let text = FunctionText {
            context,
            tables,
            function,
            data,
            body,
            plan,
            writer,
            blocks,
            entry: Vec::new(),
            registers: 0,
            slots: 0,
            location: data.location,
            subject: Subject::None,
            marks,
            entry_marks: Vec::new(),
            token: TokenSource::Body,
            marker_anchors: SecondaryMap::new(),
            uses_body_token: false,
            labels: SecondaryMap::new(),
            cases: SecondaryMap::new(),
            exits: Vec::new(),
        };
        text.run(is_launched, out);
    }

    fn run(mut self, is_launched: bool, out: &mut Vec<u8>) {
        let subprogram = self.tables.start_function(self.data);
        self.find_marker_anchors();
        let entry = self.blocks.create("entry");
        self.blocks.open(entry, 0);
        self.variables(is_launched);
        if let Some(root) = self.body.root {
            self.statement(root);
        }
        self.subject = Subject::None;
        self.location = self.body.root.map_or(self.data.location, |root| self.body.statements[root].end);
        self.finish_body();
        if !self.context.options.tokens {
            self.blocks.skip_empty();
        }
        let text = std::mem::replace(&mut self.writer.bytes, std::mem::take(out));
        self.header(is_launched, subprogram);
        let token = self.body_token();
        let entry = Text { bytes: &self.entry, marks: &self.entry_marks };
        let body = Text { bytes: &text, marks: &self.marks };
        let mut last = Vec::new();
        self.blocks.write(&token, entry, body, &mut self.writer, &mut last);
        if let Some(origins) = &mut self.tables.origins {
            last.into_iter().for_each(|mark| origins.mark(mark, self.context, self.body));
        }
        self.writer.put("}\n\n");
        *out = std::mem::take(&mut self.writer.bytes);
        self.tables.scratch = text;
        self.tables.blocks = self.blocks;
        self.tables.marks = self.marks;
    }

    /// Ends the last block.
    fn finish_body(&mut self) {
        let terminator = match self.context.result_of(self.data) {
            Some(result) => Terminator::Return(result, Operand::Poison),
            None => Terminator::ReturnVoid,
        };
        self.close(terminator);
    }

    /// Writes a piece.
    pub(super) fn put(&mut self, piece: impl Piece) {
        piece.put(&mut self.writer);
    }

    /// Starts an instruction.
    pub(super) fn start(&mut self) {
        self.need_block();
        self.mark();
        self.put("  ");
    }

    /// Starts an instruction with a result.
    pub(super) fn define(&mut self) -> Operand {
        let result = Operand::Register(self.registers);
        self.registers += 1;
        self.start();
        self.put(result);
        self.put(" = ");
        result
    }

    /// Ends an instruction.
    pub(super) fn end(&mut self) {
        if let Some(number) = self.tables.location(self.location) {
            self.put(", !dbg !");
            self.put(number);
        }
        self.put("\n");
    }

    /// Behind a jump, opens a block that nothing goes to.
    fn need_block(&mut self) {
        if self.blocks.current.is_none() {
            let block = self.blocks.create("dead.code");
            self.blocks.open(block, self.writer.bytes.len());
        }
    }

    /// The block that is being written.
    pub(super) fn current(&mut self) -> Block {
        self.need_block();
        self.blocks.current.unwrap_or(Block(0))
    }

    /// Ends the block.
    pub(super) fn close(&mut self, terminator: Terminator) {
        self.decide(terminator, Subject::None);
    }

    /// Ends the block with a decision.
    pub(super) fn decide(&mut self, terminator: Terminator, subject: Subject) {
        let location = self.tables.location(self.location);
        self.blocks.close(terminator, self.writer.bytes.len(), location, subject);
    }

    /// Ends the block, and goes on to another one.
    pub(super) fn branch_to(&mut self, to: Block) {
        self.close(Terminator::Branch(to));
    }

    /// Goes on to a block, and opens it.
    pub(super) fn enter(&mut self, block: Block) {
        self.branch_to(block);
        self.blocks.open(block, self.writer.bytes.len());
    }

    /// Makes room on the stack, for the time of the call.
    pub(super) fn slot(&mut self, of: Type) -> Operand {
        let slot = Operand::Slot(self.slots);
        self.slots += 1;
        let alignment = self.context.types[of].alignment;
        self.room(slot, of, alignment);
        slot
    }

    /// Makes room on the stack for a pointer to a function.
    pub(super) fn slot_for_pointer(&mut self) -> Operand {
        let slot = Operand::Slot(self.slots);
        self.slots += 1;
        self.room_for(slot, "ptr", 8);
        slot
    }

    fn room(&mut self, name: Operand, of: Type, alignment: u64) {
        self.room_for(name, Stored(of), alignment);
    }

    /// Writes the `alloca` of a place.
    fn room_for(&mut self, name: Operand, of: impl Piece, alignment: u64) {
        let space = self.stack();
        if self.subject != Subject::None {
            self.entry_marks.push(Mark { at: self.entry.len() + INDENT, subject: self.subject });
        }
        let body = std::mem::replace(&mut self.writer.bytes, std::mem::take(&mut self.entry));
        self.put("  ");
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
        self.put("\n");
        self.entry = std::mem::replace(&mut self.writer.bytes, body);
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
            self.subject = self.declared(variable);
            self.room(Operand::Variable(variable), data.of, self.variable_alignment(variable));
        }
        for &parameter in &self.body.parameters {
            if is_launched && self.is_copied_argument(parameter) {
                // The argument is a pointer to a copy of one's own: that is the room.
                let mut name = Vec::new();
                names::argument(&mut name, &self.writer.variables[parameter]);
                self.writer.variables[parameter] = name.into_boxed_slice();
                continue;
            }
            self.subject = self.declared(parameter);
            let mut name = Vec::new();
            names::argument(&mut name, &self.writer.variables[parameter]);
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
                Operand::Variable(parameter),
                ", align ",
                self.variable_alignment(parameter)
            );
        }
        self.subject = Subject::None;
    }

    /// A variable as the subject of what is done for its declaration.
    pub(super) fn declared(&self, variable: Variable) -> Subject {
        if self.tables.origins.is_some() { Subject::Variable(variable) } else { Subject::None }
    }

    /// An argument as it is in memory.
    fn stored_form(&mut self, of: Type, name: &[u8]) -> Vec<u8> {
        let types = &self.context.types;
        if types[of].value == types[of].memory {
            return name.to_vec();
        }
        let wide = result!(self, "zext ", super::writer::Of(of), " ", name, " to ", Stored(of));
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
    fn header(&mut self, is_launched: bool, subprogram: Option<u32>) {
        let program = self.context.program;
        let start = self.writer.bytes.len();
        if let Some(origins) = &mut self.tables.origins {
            origins.start_function(start, self.data, self.context);
        }
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
            names::launched(&mut self.writer.bytes, self.data);
        } else {
            names::called(&mut self.writer.bytes, self.data);
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
            } else {
                self.put(super::writer::Of(of));
            }
            self.put(" ");
            if let Some(origins) = &mut self.tables.origins {
                let mark = Mark { at: self.writer.bytes.len() + 1, subject: Subject::Variable(parameter) };
                origins.mark(mark, self.context, self.body);
            }
            let room = self.writer.variables[parameter].clone();
            names::argument(&mut self.writer.bytes, &room);
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
        self.put(" {\n");
    }
}
