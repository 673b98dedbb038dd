//! Inline assembly as a list of instructions: PTX, and the instructions of AMD's GPUs.
//!
//! **Definition.** A template is statements that end with `;` or, on AMD's GPUs, a line. A statement is a scope's brace, a
//! declaration of registers (`.reg .pred p, q;`), or an instruction: a predicate (`@!p`), a mnemonic, and operands with
//! commas between them. `//` and `/* */` are comments. What the compiler puts in for the operands of the statement is
//! written `%0` in C and `$0` in LLVM IR, a percent sign `%%` there and `%` here.
//!
//! Nothing here knows what a mnemonic does. What is not of this form (labels, directives), and what is larger than anybody
//! writes, is not read, and nothing of the template is then.

use super::ptx;

/// The most instructions, and registers, of a template that is read.
const MOST: usize = 1000;

/// The most bytes of an operand: so nesting is bounded, too.
const LONGEST_OPERAND: usize = 200;

/// How operands of the statement are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notation {
    /// `%0`, and `%%laneid` for a register: in C.
    C,
    /// `$0`, and `%laneid`: in LLVM IR.
    Llvm,
}

/// What instructions are written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// NVIDIA's PTX.
    Ptx,
    /// The instructions of AMD's GPUs.
    Amdgcn,
}

impl Language {
    /// What ends a statement.
    fn ends(self) -> &'static [char] {
        match self {
            Language::Ptx => &[';', '{', '}'],
            Language::Amdgcn => &[';', '\n'],
        }
    }
}

/// The instructions of a template, and the registers that it declares.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Assembly {
    /// In the order in which they are executed.
    pub instructions: Vec<Instruction>,
    /// Names with their types, such as `p` and `pred`.
    pub registers: Vec<(String, String)>,
}

/// One instruction.
#[derive(Debug, Clone, PartialEq)]
pub struct Instruction {
    /// Executed only where this register is true, or with `true` where it is false.
    pub predicate: Option<(bool, Operand)>,
    /// What it does, with all of its modifiers.
    pub mnemonic: String,
    /// Destinations first.
    pub operands: Vec<Operand>,
}

/// An operand of an instruction.
#[derive(Debug, Clone, PartialEq)]
pub enum Operand {
    /// An operand of the statement, outputs first.
    Argument(usize),
    /// A register that the template declares, or one of the machine: `p`, `%laneid`.
    Register(String),
    /// An integer.
    Integer(i128),
    /// A float, by its bits.
    Float {
        /// Whether it has 64 of them.
        is_double: bool,
        /// The bits.
        bits: u64,
    },
    /// `[a + 4]`.
    Memory(Box<Operand>, i64),
    /// `{a, b}`.
    Vector(Vec<Operand>),
    /// `!p`.
    Not(Box<Operand>),
    /// `d|p`.
    Pair(Box<Operand>, Box<Operand>),
}

impl Assembly {
    /// Reads a template, in which `\n` and its like are already what they stand for; none if it is not of the form. O(template).
    pub fn read(template: &str, notation: Notation, language: Language) -> Option<Assembly> {
        let mut assembly = Assembly::default();
        let text = without_comments(template, language);
        let mut rest = text.as_str();
        while !rest.is_empty() {
            let (statement, behind) = split(rest, language.ends());
            rest = behind;
            let statement = statement.trim();
            if statement.is_empty() {
                continue;
            }
            if let Some(declaration) = statement.strip_prefix(".reg") {
                assembly.declare(declaration)?;
            } else {
                assembly.instructions.push(instruction(statement, notation)?);
            }
            if assembly.instructions.len().max(assembly.registers.len()) > MOST {
                return None;
            }
        }
        Some(assembly)
    }

    /// `.pred p, q` or `.b32 r<3>`, behind `.reg`.
    fn declare(&mut self, text: &str) -> Option<()> {
        let (of, names) = text.trim().strip_prefix('.')?.split_once(char::is_whitespace)?;
        for name in names.split(',').map(str::trim) {
            match name.strip_suffix('>').and_then(|name| name.split_once('<')) {
                Some((name, count)) => {
                    let count: u32 = count.trim().parse().ok().filter(|&count| count <= 64)?;
                    self.registers.extend((0..count).map(|number| (format!("{name}{number}"), of.to_owned())));
                }
                None => self.registers.push((register(name)?, of.to_owned())),
            }
        }
        Some(())
    }
}

/// The instructions of a template in the order of the text, whatever their operands are: whether each has a predicate, and its mnemonic. Labels and declarations
/// are none. O(template).
fn mnemonics(text: &str, language: Language) -> Vec<(bool, &str)> {
    let mut rest = text;
    let mut found = Vec::new();
    while !rest.is_empty() {
        let (statement, behind) = split(rest, language.ends());
        rest = behind;
        let mut words = statement.split_whitespace().skip_while(|word| word.ends_with(':')).peekable();
        let is_guarded = words.next_if(|word| word.starts_with('@')).is_some();
        found.extend(words.next().filter(|word| !word.starts_with('.')).map(|mnemonic| (is_guarded, mnemonic)));
    }
    found
}

/// What a template is called that is not understood: its first instruction, or `asm` where it has none. O(template).
pub fn name_of(template: &str, language: Language) -> String {
    let text = without_comments(template, language);
    let first = mnemonics(&text, language).first().map_or("asm", |&(_, mnemonic)| mnemonic);
    let is_mnemonic = first.starts_with(|letter: char| letter.is_ascii_alphabetic());
    if is_mnemonic { first.to_owned() } else { "asm".to_owned() }
}

/// The first instruction of a template that all threads of a warp have to execute together, as it says `.aligned`: matrices, barriers of clusters, loads and
/// stores of a whole warp. None where a predicate or a jump may leave it out, and for AMD's GPUs, whose instructions do not say it. O(template).
pub fn aligned(template: &str, language: Language) -> Option<String> {
    if language != Language::Ptx {
        return None;
    }
    let text = without_comments(template, language);
    let instructions = mnemonics(&text, language);
    if instructions
        .iter()
        .any(|(_, mnemonic)| matches!(mnemonic.split('.').next(), Some("bra" | "brx" | "ret" | "exit")))
    {
        return None;
    }
    let is_aligned = |mnemonic: &str| mnemonic.split('.').any(|word| word == "aligned");
    instructions.iter().find(|&&(guarded, name)| !guarded && is_aligned(name)).map(|&(_, name)| name.to_owned())
}

/// Whether a template that is not understood, in the notation of LLVM IR, gives the same outputs to threads of a warp that execute it together with the same
/// operands: each of its instructions does, and reads no register in which threads differ. What it jumps over is up to its operands then, too. O(template).
pub fn follows_operands(template: &str, language: Language) -> bool {
    if language != Language::Ptx {
        return false;
    }
    let text = without_comments(template, language);
    let instructions = mnemonics(&text, language);
    let mut registers = text.split('%').skip(1).map(|behind| {
        let is_of_name = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '$');
        &behind[..behind.find(|letter| !is_of_name(letter)).unwrap_or(behind.len())]
    });
    instructions.iter().all(|(_, mnemonic)| ptx::follows_operands(mnemonic)) && registers.all(ptx::is_of_warp)
}

/// A template in C's notation, in that of LLVM IR; none if a percent sign in it is no operand, not before a name and not doubled. O(template).
pub fn in_ir(template: &str) -> Option<String> {
    let mut text = String::with_capacity(template.len());
    let mut letters = template.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '$' => text.push_str("$$"),
            '%' if letters.next_if_eq(&'%').is_some() => text.push('%'),
            '%' if letters.next_if_eq(&'=').is_some() => text.push_str("${:uid}"),
            '%' => {
                let modifier = letters.next_if(char::is_ascii_alphabetic);
                let mut number = String::new();
                while let Some(digit) = letters.next_if(char::is_ascii_digit) {
                    number.push(digit);
                }
                text.push_str(&match modifier {
                    Some(letter) if number.is_empty() => format!("%{letter}"),
                    None if number.is_empty() => return None,
                    None => format!("${number}"),
                    Some(modifier) => format!("${{{number}:{modifier}}}"),
                });
            }
            letter => text.push(letter),
        }
    }
    Some(text)
}

/// What is before the end of a statement, and what is behind it. The braces of a vector do not end one.
fn split<'t>(text: &'t str, ends: &[char]) -> (&'t str, &'t str) {
    let mut depth = 0;
    let mut began = false;
    for (at, letter) in text.char_indices() {
        match letter {
            '{' if began && ends.contains(&'{') => depth += 1,
            '}' if depth > 0 => depth -= 1,
            _ if ends.contains(&letter) && depth == 0 => return (&text[..at], &text[at + letter.len_utf8()..]),
            _ => began |= !letter.is_whitespace(),
        }
    }
    (text, "")
}

/// A text with a space for each comment.
fn without_comments(text: &str, language: Language) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['/', '#']).filter(|_| !rest.is_empty()) {
        kept.push_str(&rest[..at]);
        rest = &rest[at..];
        let end = if rest.starts_with("//") || rest.starts_with('#') && language == Language::Amdgcn {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else {
            kept.push_str(&rest[..1]);
            rest = &rest[1..];
            continue;
        };
        kept.push(' ');
        rest = &rest[end..];
    }
    kept + rest
}

fn instruction(text: &str, notation: Notation) -> Option<Instruction> {
    let (predicate, text) = match text.strip_prefix('@') {
        Some(guarded) => {
            let (guard, rest) = guarded.trim_start().split_once(char::is_whitespace)?;
            let (is_negated, guard) = guard.strip_prefix('!').map_or((false, guard), |guard| (true, guard));
            (Some((is_negated, operand(guard, notation)?)), rest.trim_start())
        }
        None => (None, text),
    };
    let (mnemonic, operands) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let is_mnemonic = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '.' | '_' | ':');
    if !mnemonic.starts_with(|letter: char| letter.is_ascii_alphabetic())
        || !mnemonic.chars().all(is_mnemonic)
        || mnemonic.ends_with(':')
    {
        return None;
    }
    let operands = list(operands, notation)?;
    Some(Instruction { predicate, mnemonic: mnemonic.to_owned(), operands })
}

/// Operands with commas between them.
fn list(text: &str, notation: Notation) -> Option<Vec<Operand>> {
    let mut operands = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let mut depth = 0;
        let end = rest.find(|letter| match letter {
            '{' | '[' => {
                depth += 1;
                false
            }
            '}' | ']' => {
                depth -= 1;
                false
            }
            _ => letter == ',' && depth == 0,
        });
        let (one, behind) = end.map_or((rest, ""), |end| (&rest[..end], &rest[end + 1..]));
        operands.push(operand(one, notation)?);
        rest = behind.trim_start();
    }
    Some(operands)
}

fn operand(text: &str, notation: Notation) -> Option<Operand> {
    let text = text.trim();
    if text.len() > LONGEST_OPERAND {
        return None;
    }
    if let Some(inner) = text.strip_prefix('[') {
        let inner = inner.strip_suffix(']')?;
        let (base, offset) = match inner.split_once('+') {
            Some((base, offset)) => (base, integer(offset.trim())?),
            None => (inner, 0),
        };
        return Some(Operand::Memory(Box::new(operand(base, notation)?), i64::try_from(offset).ok()?));
    }
    if let Some(inner) = text.strip_prefix('{') {
        return Some(Operand::Vector(list(inner.strip_suffix('}')?, notation)?));
    }
    if let Some(inner) = text.strip_prefix('!') {
        return Some(Operand::Not(Box::new(operand(inner, notation)?)));
    }
    if let Some((first, second)) = text.split_once('|') {
        return Some(Operand::Pair(Box::new(operand(first, notation)?), Box::new(operand(second, notation)?)));
    }
    let sign = if notation == Notation::C { '%' } else { '$' };
    if let Some(number) = text.strip_prefix(sign) {
        if number.starts_with(|letter: char| letter.is_ascii_digit()) {
            return number.parse().ok().map(Operand::Argument);
        }
        if notation == Notation::C {
            // CUDA's compiler takes `%laneid` for `%%laneid`.
            return register(number.strip_prefix('%').map_or(text, |_| number)).map(Operand::Register);
        }
        let number = number.strip_prefix('{')?.strip_suffix('}')?;
        return number.parse().ok().map(Operand::Argument);
    }
    if let Some(bits) = text.strip_prefix("0f").or_else(|| text.strip_prefix("0F")) {
        let bits = u32::from_str_radix(bits, 16).ok()?;
        return Some(Operand::Float { is_double: false, bits: bits.into() });
    }
    if let Some(bits) = text.strip_prefix("0d").or_else(|| text.strip_prefix("0D")) {
        return Some(Operand::Float { is_double: true, bits: u64::from_str_radix(bits, 16).ok()? });
    }
    integer(text).map(Operand::Integer).or_else(|| register(text).map(Operand::Register))
}

/// An integer: decimal, or hexadecimal with `0x`, perhaps with a sign or a `U` behind it.
fn integer(text: &str) -> Option<i128> {
    let (is_negative, digits) = text.strip_prefix('-').map_or((false, text), |digits| (true, digits));
    let digits = digits.strip_suffix(['U', 'u']).unwrap_or(digits);
    let value = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hexadecimal) => u64::from_str_radix(hexadecimal, 16).ok()?,
        None => digits.parse::<u64>().ok()?,
    };
    Some(if is_negative { -i128::from(value) } else { value.into() })
}

/// The name of a register.
fn register(text: &str) -> Option<String> {
    let is_name = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '$' | '.');
    let name = text.strip_prefix('%').unwrap_or(text);
    let begins = name.starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '_');
    (begins && name.chars().all(is_name)).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mnemonics(template: &str, notation: Notation, language: Language) -> Vec<String> {
        let assembly = Assembly::read(template, notation, language).expect("it is of the form");
        assembly.instructions.into_iter().map(|instruction| instruction.mnemonic).collect()
    }

    #[test]
    fn a_scope_declares_registers_and_guards_instructions() {
        let template = "{\n\t.reg .pred p;\n\t.reg .b32 t<2>;\n shfl.sync.down.b32 t0|p, %1, %2, 0x1f, 0xffffffff; // one\n\
                        @!p mov.b32 t1, {%3, t0};\n add.f32 %0, t1, 0f3F800000; }";
        let assembly = Assembly::read(template, Notation::C, Language::Ptx).expect("it is of the form");
        let names: Vec<&str> = assembly.registers.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["p", "t0", "t1"]);
        assert_eq!(assembly.instructions.len(), 3);
        let shuffle = &assembly.instructions[0];
        assert!(matches!(&shuffle.operands[0], Operand::Pair(..)));
        assert_eq!(shuffle.operands[4], Operand::Integer(0xffff_ffff));
        let pack = &assembly.instructions[1];
        assert_eq!(pack.predicate, Some((true, Operand::Register("p".into()))));
        let parts = vec![Operand::Argument(3), Operand::Register("t0".into())];
        assert_eq!(pack.operands[1], Operand::Vector(parts));
        assert_eq!(assembly.instructions[2].operands[2], Operand::Float { is_double: false, bits: 0x3f80_0000 });
    }

    #[test]
    fn both_notations_name_operands_and_registers() {
        let in_c = Assembly::read("mov.u32 %0, %%laneid;", Notation::C, Language::Ptx);
        let in_llvm = Assembly::read("mov.u32 $0, %laneid;", Notation::Llvm, Language::Ptx);
        assert_eq!(in_c, in_llvm);
        let operands = [Operand::Argument(0), Operand::Register("%laneid".into())];
        assert_eq!(in_c.expect("it is of the form").instructions[0].operands, operands);
    }

    #[test]
    fn lines_end_instructions_of_amd() {
        let template = "s_waitcnt lgkmcnt(0)\n\ts_barrier ; v_mov_b32 %0, 1 # last";
        assert_eq!(Assembly::read(template, Notation::C, Language::Amdgcn), None, "counters are not read");
        let names = mnemonics("s_barrier\n v_readfirstlane_b32 %0, %1", Notation::C, Language::Amdgcn);
        assert_eq!(names, ["s_barrier", "v_readfirstlane_b32"]);
    }

    #[test]
    fn what_all_threads_of_a_warp_execute_says_so() {
        let aligned = |template| aligned(template, Language::Ptx);
        let matrix = "{mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1}, {%2}, {%3}, {%4, %5};}";
        assert_eq!(aligned(matrix).as_deref(), Some("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32"));
        let others = [
            "cp.async.commit_group;",
            "@p barrier.cluster.arrive.aligned;",
            "@p bra L; barrier.cluster.arrive.aligned; L: mov.u32 %0, 1;",
            "// ldmatrix.sync.aligned.m8n8.x4.shared.b16\n",
        ];
        for template in others {
            assert_eq!(aligned(template), None, "{template}");
        }
        assert_eq!(
            aligned("// of a warp\nL: stmatrix.sync.aligned.x1 [%0], {%1};").as_deref(),
            Some("stmatrix.sync.aligned.x1")
        );
        assert_eq!(name_of("{ .reg .pred p;\n L: setp.eq.u32 p, %0, 1; @p bra L; }", Language::Ptx), "setp.eq.u32");
        assert_eq!(name_of("", Language::Ptx), "asm");
    }

    #[test]
    fn outputs_follow_operands() {
        let follows = |template| follows_operands(template, Language::Ptx);
        let query = "{ .reg .pred %ok; .reg .b128 h; ld.shared::cta.b128 h, [$1]; clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %ok, h;\n\
                     selp.u32 $0, 1, 0, %ok; @!%ok bra.uni DONE; mov.u32 $0, %nctaid.x; DONE: }";
        assert!(follows(query) && !follows_operands(query, Language::Amdgcn));
        assert!(follows("ld.volatile.global.u32 $0, [$1];") && follows(""));
        for template in [
            "mov.u32 $0, %laneid;",
            "mov.u32 $0, %tid.x;",
            "mov.u32 $0, %lanemask_lt;",
            "ld.u32 $0, [$1];",
            "ld.local.u32 $0, [$1];",
            "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {$0}, [$1];",
            "atom.shared.add.u32 $0, [$1], 1;",
            "{ .reg .pred p; mbarrier.try_wait.shared.b64 p, [$1], 0; selp.u32 $0, 1, 0, p; }",
            "other.unknown.u32 $0, $1;",
        ] {
            assert!(!follows(template), "{template}");
        }
    }

    #[test]
    fn ir_has_other_names_for_operands() {
        let made = in_ir("mov.u32 %0, %%laneid; $x %w1 l%=: %%%2");
        assert_eq!(made.as_deref(), Some("mov.u32 $0, %laneid; $$x ${1:w} l${:uid}: %$2"));
        assert_eq!(in_ir("mov.u32 %0, %laneid;").as_deref(), Some("mov.u32 $0, %laneid;"));
        assert_eq!(in_ir("mov.u32 %0, %;"), None);
        let read = |text: &str, notation| Assembly::read(text, notation, Language::Ptx);
        let template = "{.reg .pred p; setp.ne.b32 p, %2, 0; @p add.u32 %0, %1, %%laneid;}";
        let made = in_ir(template).expect("it is of the form");
        assert_eq!(read(template, Notation::C), read(&made, Notation::Llvm));
    }

    #[test]
    fn what_is_not_of_the_form_or_too_large_is_not_read() {
        let long = "add.u32 %0, %0, 1;".repeat(MOST + 1);
        let deep = format!("mov.b32 %0, {}a", "!".repeat(100_000));
        let wrong = ["L: bra L;", "@p bra L; .align 4;", "mov.u32 %0, ;;@", "ld.global.u32 %0, [%1+x];", &long, &deep];
        for template in wrong {
            assert_eq!(Assembly::read(template, Notation::C, Language::Ptx), None, "{:.40}", template);
        }
    }
}
