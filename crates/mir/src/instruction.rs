//! An instruction: `definitions = flags OPCODE operands :: (memory)`, in one line.
//!
//! Operands that say nothing here (numbers, metadata, symbols, masks) are passed over, whatever they are, but have to be nested and quoted as they should.
//! **Invariant.** Each register and block that an instruction names is an operand of it, in the order of the text, and what it writes is marked so.

use crate::body::Reader;
use crate::cursor::{Cursor, is_name};
use crate::error::ReadError;
use crate::function::{Instruction, MemoryOperand, Operand, What};

/// What may stand before an opcode.
const INSTRUCTION_FLAGS: [&str; 24] = [
    "frame-setup",
    "frame-destroy",
    "nnan",
    "ninf",
    "nsz",
    "arcp",
    "contract",
    "afn",
    "reassoc",
    "nuw",
    "nsw",
    "exact",
    "nofpexcept",
    "nomerge",
    "unpredictable",
    "noconvergent",
    "nneg",
    "disjoint",
    "nusw",
    "samesign",
    "inbounds",
    "lr-split",
    "anchored",
    "noundef",
];

/// The flags of a register.
#[derive(Debug, Clone, Copy, Default)]
struct Flags {
    is_definition: bool,
    is_undefined: bool,
    is_internal: bool,
}

impl<'t> Reader<'t> {
    /// Reads a line with an instruction. Whether it begins a bundle.
    pub(crate) fn instruction(&mut self, mut cursor: Cursor<'t>) -> Result<bool, ReadError> {
        cursor.skip_spaces();
        let offset = cursor.offset();
        let (first_operand, first_memory) = (self.function.operands.len() as u32, self.function.memory.len() as u32);
        if self.begins_with_register(cursor) {
            self.definitions(&mut cursor)?;
        }
        let opcode = loop {
            let start = cursor;
            match cursor.word() {
                "" => return Err(cursor.error("expected the opcode of an instruction")),
                flag if INSTRUCTION_FLAGS.contains(&flag) => {}
                opcode if opcode.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') => break opcode,
                other => {
                    let mut start = start;
                    start.skip_spaces();
                    return Err(start.error(format!("expected the opcode of an instruction, found `{other}`")));
                }
            }
        };
        let begins_bundle = self.uses(&mut cursor)?;
        if begins_bundle && opcode == "BUNDLE" {
            // Its operands are those of the instructions in it.
            self.function.operands.truncate(first_operand as usize);
            self.function.memory.truncate(first_memory as usize);
            return Ok(true);
        }
        let instruction = Instruction {
            opcode,
            offset,
            operands: first_operand..self.function.operands.len() as u32,
            memory: first_memory..self.function.memory.len() as u32,
        };
        self.function.instructions.push(instruction);
        Ok(begins_bundle)
    }

    /// Whether registers come before the opcode.
    fn begins_with_register(&self, mut cursor: Cursor<'t>) -> bool {
        flags(&mut cursor);
        cursor.skip_spaces();
        cursor.rest().starts_with(['%', '$'])
    }

    fn definitions(&mut self, cursor: &mut Cursor<'t>) -> Result<(), ReadError> {
        loop {
            let flags = flags(cursor);
            cursor.skip_spaces();
            if !cursor.rest().starts_with(['%', '$']) {
                return Err(cursor.error("expected a register"));
            }
            self.register_operand(cursor, Flags { is_definition: true, ..flags })?;
            if cursor.skip("=") {
                return Ok(());
            }
            cursor.expect(",", "or `=` after a register that is defined")?;
        }
    }

    /// The operands after the opcode. Whether a bundle begins behind them.
    fn uses(&mut self, cursor: &mut Cursor<'t>) -> Result<bool, ReadError> {
        while !cursor.is_at_end() {
            if cursor.skip("::") {
                return self.memory_operands(cursor);
            }
            if cursor.skip("{") {
                return if cursor.is_at_end() { Ok(true) } else { Err(cursor.error("expected the end of the line")) };
            }
            let flags = flags(cursor);
            cursor.skip_spaces();
            let rest = cursor.rest();
            if rest.starts_with('$') || rest.starts_with('%') {
                self.register_operand(cursor, flags)?;
            } else if cursor.skip_here("intrinsic(") {
                let offset = cursor.offset();
                cursor.expect("@", "before the name of an intrinsic")?;
                let name = cursor.symbol()?;
                cursor.expect(")", "after the name of an intrinsic")?;
                self.push(What::Intrinsic(name), Flags::default(), false, offset);
            }
            // Comments behind registers of inline assembly, offsets of symbols, and operands that say nothing here.
            loop {
                cursor.skip_until(&[',', ':', '{'])?;
                let rest = cursor.rest();
                if rest.is_empty() || rest.starts_with([',', '{']) || rest.starts_with("::") {
                    break;
                }
                cursor.skip_here(":");
            }
            cursor.skip_here(",");
        }
        Ok(false)
    }

    /// A register, a block, or something else that begins with `%` or `$`.
    fn register_operand(&mut self, cursor: &mut Cursor<'t>, flags: Flags) -> Result<(), ReadError> {
        let offset = cursor.offset();
        if cursor.skip_here("$") {
            let name = cursor.take_while(|c| is_name(c) || c == '.');
            if name.is_empty() {
                return Err(cursor.error("expected the name of a register after `$`"));
            }
            if name != "noreg" {
                self.push(What::Physical(name), flags, false, offset);
            }
            return self.after_register(cursor).map(|_| ());
        }
        let is_block =
            |rest: &str| rest.strip_prefix("%bb.").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        if is_block(cursor.rest()) {
            let block = self.block(cursor)?;
            self.push(What::Block(block), Flags::default(), false, offset);
            return Ok(());
        }
        for prefix in ["%stack.", "%fixed-stack."] {
            if cursor.skip_here(prefix) {
                cursor.symbol()?;
                self.push(What::Stack, Flags::default(), false, offset);
                return Ok(());
            }
        }
        for prefix in ["%ir.", "%ir-block.", "%const.", "%jump-table.", "%subreg.", "%target-index."] {
            if cursor.skip_here(prefix) {
                cursor.symbol()?;
                return Ok(());
            }
        }
        cursor.skip_here("%");
        let name = cursor.take_while(is_name);
        if name.is_empty() {
            return Err(cursor.error("expected a register after `%`"));
        }
        let register = self.register(name, offset);
        let is_part = cursor.skip_here(".");
        if is_part && cursor.take_while(is_name).is_empty() {
            return Err(cursor.error("expected a part of a register after `.`"));
        }
        let (class, is_boolean) = self.after_register(cursor)?;
        let known = &mut self.function.registers[register as usize];
        if let Some(class) = class.filter(|class| *class != "_") {
            if !matches!(known.class, "" | "_") && known.class != class {
                let known = known.class;
                return Err(ReadError::new(offset, format!("%{name} is `{class}` here, and `{known}` elsewhere")));
            }
            known.class = class;
        }
        known.is_boolean |= is_boolean;
        self.push(What::Virtual(register), flags, is_part, offset);
        Ok(())
    }

    /// What follows a register: its class or bank, its type, and what it is tied to. The class, and whether the type is a boolean.
    fn after_register(&mut self, cursor: &mut Cursor<'t>) -> Result<(Option<&'t str>, bool), ReadError> {
        let mut class = None;
        if cursor.rest().starts_with(':') && !cursor.rest().starts_with("::") {
            cursor.skip_here(":");
            class = Some(cursor.take_while(is_name)).filter(|class| !class.is_empty());
            if class.is_none() {
                return Err(cursor.error("expected a register class or bank after `:`"));
            }
        }
        let mut is_boolean = false;
        loop {
            let mut ahead = *cursor;
            ahead.skip_spaces();
            if !ahead.rest().starts_with('(') {
                return Ok((class, is_boolean));
            }
            is_boolean |= ahead.parenthesised()?.rest() == "s1";
            *cursor = ahead;
        }
    }

    fn push(&mut self, what: What<'t>, flags: Flags, is_part: bool, offset: usize) {
        let Flags { is_definition, is_undefined, is_internal } = flags;
        let is_register = matches!(what, What::Virtual(_) | What::Physical(_));
        let is_read = is_register && !is_definition && !is_undefined && !is_internal;
        self.function.operands.push(Operand { what, is_definition, is_read, is_part, offset });
    }

    /// What follows `::`.
    fn memory_operands(&mut self, cursor: &mut Cursor<'t>) -> Result<bool, ReadError> {
        loop {
            cursor.skip_spaces();
            if !cursor.rest().starts_with('(') {
                return Err(cursor.error("expected `(` before what is read or written"));
            }
            let mut inner = cursor.parenthesised()?;
            let mut memory = MemoryOperand { loads: false, address_space: 0 };
            while !inner.is_at_end() {
                match inner.take_while(|c| is_name(c) || matches!(c, '.' | '%' | '@' | '!')) {
                    "" => {
                        // A size, a type, a string, a comma.
                        let c = inner.rest().chars().next().unwrap_or_default();
                        match c {
                            '(' => drop(inner.parenthesised()?),
                            '"' => drop(inner.symbol()?),
                            _ => inner.take_one(),
                        }
                    }
                    "load" => memory.loads = true,
                    "addrspace" => {
                        inner.skip_spaces();
                        match inner.number() {
                            Some(number) => memory.address_space = number,
                            None => return Err(inner.error("expected the number of an address space")),
                        }
                    }
                    _ => {}
                }
            }
            self.function.memory.push(memory);
            if !cursor.skip(",") {
                break;
            }
        }
        if cursor.skip("{") {
            return Ok(true);
        }
        if cursor.is_at_end() { Ok(false) } else { Err(cursor.error("expected `,` or the end of the line")) }
    }
}

/// The flags of a register operand, passed over.
fn flags(cursor: &mut Cursor<'_>) -> Flags {
    let mut flags = Flags::default();
    loop {
        let mut ahead = *cursor;
        match ahead.word() {
            "def" | "implicit-def" => flags.is_definition = true,
            "undef" => flags.is_undefined = true,
            "internal" => flags.is_internal = true,
            "implicit" | "dead" | "killed" | "early-clobber" | "debug-use" | "renamable" => {}
            _ => return flags,
        }
        *cursor = ahead;
    }
}
