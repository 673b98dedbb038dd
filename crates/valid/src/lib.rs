//! The one static check of LLVM IR: before anything is executed or changed.
//!
//! **Definition.** A function of a module is *valid* iff
//!
//! 1. each instruction has operands, a result and flags of the types and forms that LangRef gives its opcode, and each
//!    constant is one of its type ([`Rule::Types`]);
//! 2. the definition of a value dominates its uses: for an operand of a `phi`, the end of the block that it comes from;
//!    for the result of an `invoke`, the edge to its normal destination. A use in a block that cannot be reached is
//!    dominated by everything ([`Rule::Dominance`], LangRef "Well-Formedness");
//! 3. a call of an intrinsic has the type of the intrinsic's definition, an operand that has to be an immediate is one,
//!    and the address of an intrinsic is not taken ([`Rule::Intrinsic`]);
//! 4. what is allocated, loaded, stored or indexed has a size, and no type contains itself ([`Rule::Unsized`]);
//! 5. a call passes the arguments that its function type asks for, and attributes of arguments, parameters and results fit
//!    their types ([`Rule::Call`]);
//! 6. the entry block has no predecessor, a block begins with its phis, each phi has exactly one value for each edge into
//!    its block, and exceptions unwind to landing pads ([`Rule::Structure`]).
//!
//! **What follows.** In a valid function whose reachable blocks are executed in the order of the graph, every operand was
//! written before it is read, has the type that the opcode expects, and as many lanes; every edge gives every phi a value;
//! every index into an aggregate is inside; the operands of an intrinsic are as many, and of the types, that its name says.
//! The executor and the transforms rely on that, so they take [`Checked`] modules, or read with [`read_functions`] of
//! this crate, which give out nothing else.
//!
//! **What is not checked**: metadata and debug records; names of attributes; the nesting of funclets; constraints of
//! inline assembly; bundles other than `convergencectrl`, which has rules of its own (RC0101 to RC0117); what a
//! target asks for; intrinsics of targets that are no GPUs; restrictions of single intrinsics beyond their types. A call
//! whose function type is not that of the callee is valid and has undefined behaviour, as in LLVM.
//!
//! **Cost**: one pass over the instructions and values of a function; dominators only where a use is in another block
//! than its definition, and that is not the entry. What depends on a type or a declaration alone is worked out once.
//!
//! The oracle is LLVM's verifier: `crates/testing/tests/it/validity` breaks valid modules and compares.

mod attributes;
mod calls;
mod constants;
mod conventions;
mod dominance;
mod exceptions;
mod facts;
mod flags;
mod instructions;
mod intrinsics;
mod memory;
mod module;
mod phis;
mod reading;
mod types;

use reconverge_graph::{Digraph, Dominators};
use reconverge_ir::function::{Block, Inst, Value};
use reconverge_ir::types::Type;
use reconverge_ir::{Function, FunctionId, Module, Span};
use rustc_hash::FxHashMap;

pub use facts::Facts;
pub use reading::{Checked, read_functions, read_functions_with};

/// What kind of rule is broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// Types and forms of instructions and constants.
    Types,
    /// A use that its definition does not dominate.
    Dominance,
    /// The same, of a use of a convergence token in a bundle. Rule RC0111 says so, too: readers of this crate leave it to
    /// whoever relies on tokens, as the other rules of tokens.
    TokenDominance,
    /// An intrinsic that is called otherwise than it is defined.
    Intrinsic,
    /// A type without size, or one that contains itself.
    Unsized,
    /// A call that does not fit its function type, or attributes that do not fit their types.
    Call,
    /// Blocks, phis and terminators.
    Structure,
}

impl Rule {
    /// The code of diagnostics about it.
    pub fn code(self) -> &'static str {
        match self {
            Rule::Types => "RC0001",
            Rule::Dominance => "RC0002",
            Rule::TokenDominance => "RC0111",
            Rule::Intrinsic => "RC0003",
            Rule::Unsized => "RC0004",
            Rule::Call => "RC0005",
            Rule::Structure => "RC0006",
        }
    }
}

/// Something that makes a module invalid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Breach {
    /// The rule.
    pub rule: Rule,
    /// The text that it is about.
    pub span: Span,
    /// The instruction, where it is in one.
    pub inst: Option<Inst>,
    /// What is wrong, in one line without a full stop.
    pub message: String,
    /// The definition of the value that the message is about, where there is one.
    pub definition: Option<Inst>,
}

/// Memory that is kept from one function to the next.
#[derive(Debug, Default)]
pub struct Workspace {
    phis: phis::Workspace,
    attributes: attributes::Memo,
    /// For a spelling of a floating-point number: a type, with a fixed index, that it was found to be exact in.
    numbers: FxHashMap<Box<[u8]>, Type>,
}

/// How many breaches of one function are reported.
const MOST: usize = 10;

/// Checks a function; the breaches in the order of the text, no more than ten. O(size of the body), with dominators
/// O(edges · log blocks).
///
/// ```
/// use reconverge_ir::{BodyEnds, FunctionReader, Module};
/// use reconverge_valid::{Facts, Rule, Workspace, check_function};
///
/// let text = b"define i32 @f(i32 %n) {\n  %x = fadd i32 %n, 1\n  ret i32 %x\n}\n";
/// let module = Module::read(text, BodyEnds::AtLineStart).unwrap();
/// let facts = Facts::new(&module);
/// let id = module.definitions().next().unwrap();
/// let function = FunctionReader::new(&module).read(id).unwrap();
/// let breaches = check_function(&facts, &module, id, &function, &mut Workspace::default());
/// assert_eq!(breaches[0].rule, Rule::Types);
/// ```
pub fn check_function(
    facts: &Facts,
    module: &Module<'_>,
    id: FunctionId,
    function: &Function,
    workspace: &mut Workspace,
) -> Vec<Breach> {
    let mut checker = Checker {
        facts,
        module,
        function,
        id: Some(id),
        outside: module.functions[id].header,
        workspace,
        graph: None,
        dominators: None,
        breaches: Vec::new(),
        here: None,
    };
    checker.header();
    checker.constants();
    checker.structure();
    checker.instructions();
    let mut breaches = checker.breaches;
    breaches.sort_by_key(|breach| breach.span.start);
    breaches
}

/// One function on its way through the check.
struct Checker<'c, 't> {
    facts: &'c Facts,
    module: &'c Module<'t>,
    function: &'c Function,
    /// The function; nothing for the initializer of a variable.
    id: Option<FunctionId>,
    /// What breaches outside of instructions are about.
    outside: Span,
    workspace: &'c mut Workspace,
    /// The control-flow graph and its dominators, once something asked for them.
    graph: Option<Digraph>,
    dominators: Option<Dominators>,
    breaches: Vec<Breach>,
    /// The instruction that is looked at.
    here: Option<Inst>,
}

impl Checker<'_, '_> {
    /// Notes a breach at the instruction that is looked at.
    #[cold]
    fn breach(&mut self, rule: Rule, message: impl Into<String>) {
        self.breach_about(rule, message, None);
    }

    #[cold]
    fn breach_about(&mut self, rule: Rule, message: impl Into<String>, definition: Option<Inst>) {
        let span = match self.here {
            Some(inst) => self.function.instructions[inst].span,
            None => self.outside,
        };
        if self.breaches.len() < MOST {
            self.breaches.push(Breach { rule, span, inst: self.here, message: message.into(), definition });
        }
    }

    /// Whether there is room for another breach.
    fn is_full(&self) -> bool {
        self.breaches.len() >= MOST
    }

    /// A value as users write it.
    #[cold]
    fn spelled(&self, value: Value) -> String {
        match self.function.name(value) {
            Some(name) => format!("'%{}'", self.module.local_name(name)),
            None => "this constant".to_string(),
        }
    }

    #[cold]
    fn block_name(&self, block: Block) -> String {
        self.module.local_name(self.function.blocks[block].name)
    }
}
