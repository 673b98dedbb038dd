//! Inline assembly that no table has, handed on as it is.
//!
//! **Definition.** The statement is a call of its template in LLVM IR, as clang writes it: it takes the inputs, the values of outputs that are read, too
//! (`+r`), last, and returns the outputs, as a struct if there are several. What the template does is for those to say who read the IR.
//!
//! **Invariant.** An operand is evaluated as often as in a template that is understood; one that IR cannot hand on (memory, a struct, a `bool`) is an error,
//! and nothing is made.

use std::fmt::Write as _;

use reconverge_operations::assembly::template;
use thin_vec::ThinVec;

use crate::builtins::device;
use crate::diagnostic::Diagnostic;
use crate::source::Location;
use crate::typed::{
    Builder, Conversion, Expression, Function, FunctionData, MemoryEffects, Shape, Type, TypeKind, VariableData,
};

/// How the names of functions begin that are inline assembly.
const ASSEMBLY: &str = "asm ";

/// A statement of inline assembly.
pub struct Statement<'a> {
    /// The template, in which `\n` and its like are what they stand for, and names of operands are numbers.
    pub template: &'a str,
    /// Places that it writes, with their constraints (`=r`).
    pub outputs: &'a [(String, Expression)],
    /// Values that it reads, with their constraints.
    pub inputs: &'a [(String, Expression)],
    /// What it changes beside its outputs.
    pub clobbers: &'a [String],
    /// Whether it is executed even if nobody uses its outputs.
    pub is_volatile: bool,
    /// Where it stands.
    pub location: Location,
}

impl FunctionData {
    /// Whether a call of it is inline assembly; its name in IR is what stands there in the place of a name.
    pub fn is_assembly(&self) -> bool {
        self.linkage_name.starts_with(ASSEMBLY)
    }
}

/// A call of a template whose instructions are not known.
///
/// # Errors
///
/// When an operand is none that a register holds, or the target has no language of its own.
pub fn opaque(build: &mut Builder, statement: &Statement<'_>) -> Result<Expression, Diagnostic> {
    let location = statement.location;
    let Some(language) = device::language(build.program.target) else {
        return Err(unsupported("an instruction", location));
    };
    let mut parts = Vec::with_capacity(statement.outputs.len());
    let (mut constraints, mut arguments, mut tied) = (Vec::new(), ThinVec::new(), Vec::new());
    for (number, (constraint, place)) in statement.outputs.iter().enumerate() {
        let is_read = constraint.starts_with('+');
        let registers = constraint.strip_prefix(['=', '+']).unwrap_or_default();
        constraints.push(format!("={}", in_registers(registers, location)?));
        parts.push(held(build, *place, location)?);
        if is_read {
            tied.push((number.to_string(), build.rvalue(*place)));
        }
    }
    for (constraint, value) in statement.inputs {
        let value = build.rvalue(*value);
        held(build, value, location)?;
        let is_constant = constraint.chars().all(|letter| "in".contains(letter));
        let value = match build.constant_integer(value).filter(|_| is_constant) {
            Some(constant) => {
                let of = build.type_of(value);
                build.integer(constant, of, location)
            }
            None if is_constant => return Err(unsupported("a constant that is not known", location)),
            None => value,
        };
        constraints.push(in_registers(constraint, location)?.to_owned());
        arguments.push(value);
    }
    for (constraint, value) in tied {
        constraints.push(constraint);
        arguments.push(value);
    }
    let is_name = |letter: char| letter.is_ascii_alphanumeric() || "_.:[]$".contains(letter);
    if !statement.clobbers.iter().all(|changed| changed.chars().all(is_name)) {
        return Err(unsupported("what is no register", location));
    }
    constraints.extend(statement.clobbers.iter().map(|changed| format!("~{{{changed}}}")));
    let result = match parts[..] {
        [] => build.program.types.void(),
        [one] => one,
        _ => build.program.types.several(&parts),
    };
    let has_effects = statement.is_volatile || parts.is_empty();
    let text = template::in_ir(statement.template).ok_or_else(|| unsupported("a percent sign", location))?;
    let callee = format!(
        "{ASSEMBLY}{}\"{}\", \"{}\"",
        if has_effects { "sideeffect " } else { "" },
        escaped(&text),
        constraints.join(",")
    );
    let is_pure = !has_effects && statement.clobbers.iter().all(|changed| changed != "memory");
    let mnemonic = template::name_of(statement.template, language);
    let function = declared(build, callee, &mnemonic, &arguments, result, is_pure);
    let first = build.body.calls.len();
    let call = build.call(function, arguments, location);
    build.name_calls(first, &mnemonic, true);
    stored(build, call, &parts, statement)
}

/// The function that stands for a template.
fn declared(
    build: &mut Builder,
    callee: String,
    mnemonic: &str,
    arguments: &[Expression],
    result: Type,
    is_pure: bool,
) -> Function {
    let parameters = arguments.iter().map(|&argument| build.type_of(argument)).collect();
    let of = build.program.types.intern(TypeKind::Function { result, parameters, variadic: false });
    // The same words may be about operands of other types.
    let key = format!("{callee} {}", cranelift_entity::EntityRef::index(of));
    let memory = if is_pure { MemoryEffects::None } else { MemoryEffects::Unknown };
    let function = build.declare(&key, of, true, memory);
    let data = &mut build.program.functions[function];
    data.linkage_name = callee;
    mnemonic.clone_into(&mut data.name);
    function
}

/// A call, and what it gives at the places of the outputs.
fn stored(
    build: &mut Builder,
    call: Expression,
    parts: &[Type],
    statement: &Statement<'_>,
) -> Result<Expression, Diagnostic> {
    let location = statement.location;
    let mut all = match *statement.outputs {
        [] => call,
        [(_, place)] => build.assign(place, call, location)?,
        ref outputs => {
            let data = VariableData { name: String::new(), of: build.type_of(call), alignment: None, location };
            let kept = build.body.variables.push(data);
            let kept = build.variable(kept, location);
            let mut all = build.assign(kept, call, location)?;
            for (index, &(_, place)) in (0..).zip(outputs) {
                let part = build.field(kept, index, location);
                let part = build.load(part);
                let store = build.assign(place, part, location)?;
                all = build.comma(all, store, location);
            }
            all
        }
    };
    assert_eq!(parts.len(), statement.outputs.len());
    let void = build.program.types.void();
    if build.type_of(all) != void {
        all = build.convert_to(Conversion::Discard, all, void);
    }
    Ok(all)
}

/// The type of an operand that a register can hold.
fn held(build: &Builder, operand: Expression, location: Location) -> Result<Type, Diagnostic> {
    let of = build.type_of(operand);
    match build.shape(of) {
        Shape::Integer { .. } | Shape::Float(_) | Shape::Pointer { .. } | Shape::Vector { .. } => Ok(of),
        _ => Err(unsupported("an operand that no register holds", location)),
    }
}

/// A constraint, which has to be one of registers or constants.
fn in_registers(constraint: &str, location: Location) -> Result<&str, Diagnostic> {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '&';
    match !constraint.is_empty() && constraint.chars().all(is_plain) && !constraint.contains(['m', 'o', 'X', 'g']) {
        true => Ok(constraint),
        false => Err(unsupported("an operand in memory", location)),
    }
}

fn unsupported(what: &str, location: Location) -> Diagnostic {
    let message = format!("{what} in inline assembly is not supported by the built-in front end");
    Diagnostic::unsupported(location, message)
}

/// A text as a string of IR.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'"' | b'\\' | ..0x20 | 0x7f.. => {
                // Writing to a string cannot fail.
                let _ = write!(escaped, "\\{byte:02X}");
            }
            _ => escaped.push(char::from(byte)),
        }
    }
    escaped
}
