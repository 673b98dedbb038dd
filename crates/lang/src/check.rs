//! What a text means: names, types, conversions, constants, instances of templates; from the tree to the typed program.
//!
//! Each declaration at the top is checked in order, with the names declared before it (C's rule, and what C++ templates need in practice). A
//! function's body is checked once for each instance. Types are followed twice: as `written`](written::Written), with `const`, references and enumerations, for
//! overloads, templates and names in IR; and as types of the program, which every expression has.
//!
//! **Invariants.** A body with an error is not part of the program; an error never hides errors in other statements. Everything takes time linear in the
//! text and in the number of instances. Statements and expressions are followed by recursion: a caller gives a stack of some
//! kilobytes for each level of nesting, at most [`Limits::MOST_STATEMENT_NESTING`].

use std::borrow::Cow;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::diagnostic::{Diagnostic, LeftOut, Severity};
use crate::options::{Dialect, Limits, Options};
use crate::source::Location;
use crate::token::{Symbol, Symbols};
use crate::tree::{Attribute, DeclaratorData, Expr, Item, Large, Name, NameKind, Scope, Tree};
use crate::typed::{Body, Builder, Checked, Expression, Global, Program, Struct, Type};

mod access;
mod assembly;
mod binding;
mod call;
mod cast;
mod class;
mod construct;
mod declarator;
mod deduce;
mod destroy;
mod expanded;
mod expression;
mod facts;
mod function;
mod global;
mod initializer;
mod inside;
mod jumps;
mod known;
mod lambda;
pub mod literal;
mod local;
mod mangle;
mod member_conversion;
mod member_pointer;
mod names;
mod new_object;
mod object;
mod operator;
mod outside;
mod overload;
mod pack;
mod parameter;
mod range;
mod record;
mod specialisation;
mod state;
mod statement;
mod template;
mod texture;
mod unknown;
mod variable_template;
mod vector;
mod virtuals;
mod written;

use function::FunctionSet;
use names::{Meaning, NameSpace, Names};
use state::State;
use written::{Form, FormKind, Written, WrittenTypes};

/// How many wrong names near ones are looked for: that takes long.
const MOST_SUGGESTIONS: u32 = 20;

/// A result, or what is wrong.
type Outcome<T> = Result<T, Diagnostic>;

/// An expression with its type as written: qualified as the place is, where it is one.
#[derive(Debug, Clone, Copy)]
struct Operand {
    expression: Expression,
    written: Written,
}

/// Checks a file. The thread's stack must hold the nesting of the text: see [`Limits::statement_nesting`].
pub fn check(tree: &Tree, symbols: &Symbols, options: &Options) -> Checked {
    let mut checker = Checker::new(tree, symbols, options);
    for item in &tree.items {
        checker.item(item);
        if checker.has_given_up {
            break;
        }
    }
    checker.analyse_templates();
    checker.drop_expanded();
    let mut diagnostics = checker.diagnostics;
    diagnostics.sort_by_key(|diagnostic| diagnostic.location);
    // Each instance of a template says the same, but for other places.
    diagnostics.dedup_by(|next, kept| {
        let is_same = (next.location, next.severity, &next.message) == (kept.location, kept.severity, &kept.message);
        if is_same {
            let new = next.related.drain(..).filter(|related| !kept.related.contains(related)).collect::<Vec<_>>();
            kept.related.extend(new);
        }
        is_same
    });
    let Checker { program, mut left_out, passed_over, .. } = checker;
    // Nor is a template left out once for each instance.
    left_out.sort_by(|one, other| (one.location, &one.name).cmp(&(other.location, &other.name)));
    left_out.dedup_by(|one, other| (one.location, &one.name) == (other.location, &other.name));
    Checked { program, diagnostics, left_out, passed_over }
}

/// All that is known while a file is checked.
struct Checker<'a> {
    tree: &'a Tree,
    symbols: &'a Symbols,
    options: &'a Options,
    program: Program,
    written: WrittenTypes,
    /// The names of the file.
    file: Names,
    /// The function that is being checked; a place for constant expressions outside of functions.
    state: State,
    /// No names, but room for those of the next function.
    spare_names: Names,
    /// Nothing, but room for the body of the next function.
    spare_body: Body,
    /// The numbers that were read before, by their spellings.
    numbers: FxHashMap<Symbol, literal::Number>,
    sets: Vec<FunctionSet<'a>>,
    /// Instances of templates whose bodies are still to be checked.
    pending: Vec<template::Pending>,
    /// What structs have beside their members (C++).
    classes: FxHashMap<Struct, class::Class<'a>>,
    class_templates: Vec<class::ClassTemplate<'a>>,
    undefined: class::AllUndefined<'a>,
    /// With the classes that they are members of.
    aliases: Vec<(&'a crate::tree::AliasTemplate, Option<Struct>)>,
    variable_templates: Vec<variable_template::VariableTemplate<'a>>,
    /// Functions of classes that are defined outside of them.
    outside: FxHashMap<Name, Vec<&'a crate::tree::FunctionItem>>,
    /// Where the members of structs are.
    members: FxHashMap<(Struct, Symbol), record::Member>,
    /// For each struct, the names of members that it has from unnamed structs inside.
    adopted: FxHashMap<Struct, Vec<Symbol>>,
    /// Structs that are not supported, and why.
    refused: FxHashMap<Struct, Diagnostic>,
    /// Variables of the host that kernels may still use the value of.
    hosts: Vec<global::Host<'a>>,
    /// Structs that have more than their members: what makes one is not known.
    partial: FxHashSet<Struct>,
    /// Whether any class has a destructor that does something.
    has_destructors: bool,
    /// Where structs are defined.
    struct_places: FxHashMap<Struct, Location>,
    /// The strings, with the types of their elements.
    strings: FxHashMap<(Vec<u8>, Type), Global>,
    /// `extern __shared__` arrays of functions.
    dynamic: FxHashMap<Name, Global>,
    /// How many globals there are of a name in IR.
    global_names: FxHashMap<String, u32>,
    diagnostics: Vec<Diagnostic>,
    left_out: Vec<LeftOut>,
    /// The functions that stand for virtual ones where the address of one is taken.
    by_table: FxHashMap<(usize, usize), crate::typed::Function>,
    /// What was not understood and costs nothing until somebody uses it.
    passed_over: Vec<Diagnostic>,
    /// Why declarations are wrong that were passed over.
    broken: FxHashMap<Name, Diagnostic>,
    /// How many of them are errors.
    errors: usize,
    /// Whether nothing more is looked at.
    has_given_up: bool,
    /// Names that are written with those of scopes.
    qualified: FxHashSet<Expr>,
    /// What the `auto` functions return whose bodies are being checked, as far as a `return` has said it.
    deducing: FxHashMap<crate::typed::Function, Option<Written>>,
    /// How many lambdas there are.
    lambdas: usize,
    /// The types of those of the host that are no part of a template.
    host_lambdas: FxHashMap<Large, Written>,
    /// How many names were suggested: looking for them takes long.
    suggestions: u32,
    /// What counts towards limits.
    spent: Spent,
}

/// What counts towards limits that are about the whole file.
#[derive(Debug, Default)]
struct Spent {
    /// See [`Limits::constant_elements`].
    constant_elements: usize,
    /// See [`Limits::constant_steps`].
    constant_steps: usize,
    /// See [`Limits::instances`].
    instances: usize,
    /// See [`Limits::instance_expressions`].
    instance_expressions: usize,
    /// See [`Limits::overloads`].
    overloads: usize,
    /// See [`Limits::pack_elements`].
    pack_elements: usize,
}

impl<'a> Checker<'a> {
    fn new(tree: &'a Tree, symbols: &'a Symbols, options: &'a Options) -> Checker<'a> {
        // Mostly as many as there will be, so that nothing has to move.
        let functions = tree.items.iter().filter(|item| matches!(item, Item::Function(_))).count();
        let mut program = Program::new(options.dialect, options.target);
        program.functions.reserve(functions);
        program.declared.reserve(functions);
        let mut file = Names::default();
        file.reserve(functions);
        Checker {
            tree,
            symbols,
            options,
            program,
            written: WrittenTypes::default(),
            file,
            state: State::default(),
            spare_names: Names::default(),
            spare_body: Body::default(),
            numbers: FxHashMap::default(),
            sets: Vec::with_capacity(functions),
            pending: Vec::new(),
            classes: FxHashMap::default(),
            class_templates: Vec::new(),
            undefined: class::AllUndefined::default(),
            aliases: Vec::new(),
            variable_templates: Vec::new(),
            outside: FxHashMap::default(),
            members: FxHashMap::default(),
            adopted: FxHashMap::default(),
            refused: FxHashMap::default(),
            hosts: Vec::new(),
            partial: FxHashSet::default(),
            has_destructors: false,
            struct_places: FxHashMap::default(),
            strings: FxHashMap::default(),
            dynamic: FxHashMap::default(),
            global_names: FxHashMap::default(),
            diagnostics: Vec::new(),
            left_out: Vec::new(),
            passed_over: Vec::new(),
            by_table: FxHashMap::default(),
            broken: FxHashMap::default(),
            errors: 0,
            has_given_up: false,
            qualified: tree.extents.qualified.iter().map(|&(name, _)| name).collect(),
            deducing: FxHashMap::default(),
            lambdas: 0,
            host_lambdas: FxHashMap::default(),
            suggestions: 0,
            spent: Spent::default(),
        }
    }

    fn item(&mut self, item: &'a Item) {
        let outcome = match item {
            Item::Function(function) => self.function_item(function),
            Item::Declaration(declaration) => self.file_declaration(declaration),
            Item::StaticAssert(condition, location) => {
                self.state = State::default();
                self.static_assert(*condition, *location)
            }
            Item::ClassTemplate(template) => self.declare_class_template(template),
            Item::AliasTemplate(template) => {
                self.declare_alias_template(template);
                Ok(())
            }
            Item::VariableTemplate(template) => self.declare_variable_template(template),
            Item::Launch(launch) => {
                self.launch(launch, &[]);
                Ok(())
            }
        };
        if let Err(reason) = self.left_out_with(item, outcome) {
            self.declare_broken(item, &reason);
        }
        self.check_pending();
    }

    /// Names whose declarations are wrong are known to be so: their uses are not wrong again.
    fn declare_broken(&mut self, item: &'a Item, reason: &Diagnostic) {
        let declarators: Vec<&DeclaratorData> = match item {
            Item::Function(function) => vec![&function.declarator],
            Item::Declaration(declaration) => declaration.declarators.iter().map(|one| &one.declarator).collect(),
            Item::VariableTemplate(template) => {
                template.declaration.declarators.iter().map(|one| &one.declarator).collect()
            }
            Item::ClassTemplate(_) | Item::AliasTemplate(_) | Item::StaticAssert(..) | Item::Launch(_) => Vec::new(),
        };
        for declarator in declarators {
            self.state.function.clear();
            self.declare_if_new(declarator, reason);
        }
    }

    /// Declares a name whose declaration is wrong, unless it means something already.
    fn declare_if_new(&mut self, declarator: &DeclaratorData, reason: &Diagnostic) {
        let Some(name) = declarator.name else { return };
        if self.is_tolerant() && self.state.function.is_empty() {
            self.broken.entry(name).or_insert_with(|| reason.clone());
        }
        if self.names_here().find_here(name, NameSpace::Ordinary).is_none() {
            self.declare_name(name, NameSpace::Ordinary, Meaning::Broken, declarator.location);
        }
    }

    /// Keeps what is wrong, if anything.
    fn report<T>(&mut self, outcome: Outcome<T>) -> Option<T> {
        self.reported(outcome).ok()
    }

    /// The same; gives what is wrong.
    fn reported<T>(&mut self, outcome: Outcome<T>) -> Outcome<T> {
        if let Err(diagnostic) = &outcome {
            if !self.state.function.is_empty() && self.goes_on(diagnostic) {
                self.note_unknown(diagnostic);
                return outcome;
            }
            self.state.is_broken |= diagnostic.severity >= Severity::Unsupported;
            if !diagnostic.message.is_empty() && !self.has_given_up {
                self.keep(diagnostic.clone());
            }
        }
        outcome
    }

    /// Keeps what is wrong about a declaration. A function of the device is left out where that is enough.
    fn left_out_with(&mut self, item: &'a Item, outcome: Outcome<()>) -> Outcome<()> {
        match (&outcome, item) {
            (Err(reason), Item::Function(function)) if self.is_tolerant() && !reason.ends_the_file() => {
                let (specifiers, declarator) = (&function.specifiers, &function.declarator);
                let has = |name| self.has(&specifiers.attributes, name) || self.has(&declarator.attributes, name);
                let is_kernel = specifiers.is_kernel || has("global");
                if is_kernel || specifiers.is_device || has("device") {
                    let name = self.name_text(declarator.name);
                    self.leave_out(LeftOut::new(&name, is_kernel, declarator.location, reason.clone()));
                    return outcome;
                }
            }
            _ => {}
        }
        self.state.function.clear();
        self.reported(outcome)
    }

    /// A function is no part of the program.
    fn leave_out(&mut self, left_out: LeftOut) {
        self.diagnostics.push(left_out.reason.clone());
        self.left_out.push(left_out);
    }

    /// The error of a use of something whose declaration is wrong. That is not said again, unless it was passed over.
    fn broken_name(&self, name: Name, location: Location) -> Diagnostic {
        match self.broken.get(&name) {
            Some(reason) => {
                let message = format!("the declaration of `{}` is not understood", self.name_text(name));
                Diagnostic::unsupported(location, message).with(reason.location, reason.message.clone())
            }
            None => Diagnostic::unsupported(location, ""),
        }
    }

    fn is_tolerant(&self) -> bool {
        self.options.is_tolerant()
    }

    /// Keeps what costs only what needs it.
    fn pass_over(&mut self, diagnostic: Diagnostic) {
        if self.passed_over.len() < self.limits().errors {
            self.passed_over.push(diagnostic);
        }
    }

    /// Keeps what is wrong; after too many errors, or a limit of the whole file, nothing more is looked at.
    fn keep(&mut self, diagnostic: Diagnostic) {
        if self.is_tolerant() && !diagnostic.is_limit() {
            // What is wrong in a function is its reason to be left out; no number of such functions is too many.
            return match self.state.function.is_empty() {
                true => self.pass_over(diagnostic),
                false => self.diagnostics.push(diagnostic),
            };
        }
        let (location, is_error) = (diagnostic.location, diagnostic.severity == Severity::Error);
        self.has_given_up = diagnostic.ends_the_file();
        self.errors += usize::from(is_error);
        let limit = self.limits().errors;
        if self.errors <= limit {
            self.diagnostics.push(diagnostic);
        } else if is_error {
            self.has_given_up = true;
            let message = format!("more than {limit} errors: the rest is not checked");
            self.diagnostics.push(Diagnostic::error(location, message).raised_by("errors"));
        }
    }

    fn limits(&self) -> &'a Limits {
        &self.options.limits
    }

    /// The error where a limit is reached that costs the function at hand, or the whole file where all of it is wanted.
    fn limit_of_function(&self, message: String, limit: &'static str, location: Location) -> Diagnostic {
        let reached = match self.is_tolerant() {
            true => Diagnostic::unsupported(location, message).as_limit(),
            false => Diagnostic::limit(location, message),
        };
        reached.raised_by(limit)
    }

    fn dialect(&self) -> Dialect {
        self.options.dialect
    }

    fn is_cpp(&self) -> bool {
        self.options.dialect.is_cpp()
    }

    fn is_opencl(&self) -> bool {
        self.options.dialect == Dialect::OpenCl
    }

    /// Whether threads run together in this language without anybody saying so.
    fn is_for_gpus(&self) -> bool {
        matches!(self.options.dialect, Dialect::OpenCl | Dialect::Cuda | Dialect::Hip)
    }

    fn build(&mut self) -> Builder<'_> {
        Builder { program: &mut self.program, body: &mut self.state.body }
    }

    fn text(&self, symbol: Symbol) -> &'a str {
        self.symbols.text(symbol)
    }

    /// A name with the scopes around it; nothing where there is none.
    fn name_text(&self, name: impl Into<Option<Name>>) -> Cow<'a, str> {
        name.into().map_or(Cow::Borrowed(""), |name| self.tree.scopes.text(name, self.symbols))
    }

    fn form(&self, of: Written) -> &FormKind {
        self.written.kind(of.form)
    }

    /// The type of the program; void for what still depends on a template's parameter.
    fn type_of(&mut self, of: Written) -> Type {
        match self.written.type_of(of.form) {
            Some(of) => of,
            None => self.program.types.void(),
        }
    }

    fn written_of(&mut self, of: Type) -> Written {
        self.written.written_of(&mut self.program.types, of)
    }

    fn intern(&mut self, kind: FormKind) -> Form {
        self.written.intern(&mut self.program.types, kind)
    }

    /// An expression that the builder made, with the type that it has in the program.
    fn plain(&mut self, expression: Expression) -> Operand {
        let of = self.state.body.expressions[expression].of;
        Operand { expression, written: self.written_of(of) }
    }

    /// A type in the words of the dialect, up to about [`ENOUGH`](crate::typed::ENOUGH) bytes.
    fn name_of(&mut self, of: Written) -> String {
        let name = match *self.form(of) {
            FormKind::Enum(number) => self.name_text(self.written.enums[number].name).into_owned(),
            FormKind::Reference(to, _) => format!("{} &", self.name_of(to)),
            FormKind::MemberPointer(of, class) => self.name_of_member_pointer(of, class),
            _ => {
                let of = self.type_of(of);
                crate::typed::type_name(&self.program.types, of, self.options.dialect)
            }
        };
        crate::typed::shortened(name)
    }

    /// What a name means here: in the function, in the scopes around it, in the file.
    fn find(&self, name: Name, space: NameSpace) -> Option<(&Meaning, Location)> {
        if let Some(found) = self.state.names.find(name, space) {
            return Some(found);
        }
        match name.kind() {
            NameKind::Plain(spelling)
                if self.state.class.is_some() && self.find_in_classes(spelling, space).is_some() =>
            {
                self.find_in_classes(spelling, space)
            }
            NameKind::Member(_) => {
                let captured = self.find_in_lambdas(name, space);
                captured.or_else(|| self.file.find(name, space)).or_else(|| self.find_member_name(name, space))
            }
            // The parser has not seen its declaration, or one further outside: a template's body may use what is declared after it.
            NameKind::Plain(spelling) if self.state.scope != Scope::UNIT => {
                self.tree.scopes.innermost(self.state.scope, spelling, |name| self.file.find(name, space))
            }
            _ => self.file.find(name, space),
        }
    }

    /// The names of the function, or of the file outside of functions.
    fn names_here(&self) -> &Names {
        if self.state.function.is_empty() && !self.state.is_in_class { &self.file } else { &self.state.names }
    }

    fn names_here_mut(&mut self) -> &mut Names {
        if self.state.function.is_empty() && !self.state.is_in_class { &mut self.file } else { &mut self.state.names }
    }

    /// "did you mean …", where a name that is declared is near.
    fn suggestion(&mut self, wrong: Name) -> String {
        self.suggestions += 1;
        if self.suggestions > MOST_SUGGESTIONS {
            return String::new();
        }
        let (scopes, wrong) = (&self.tree.scopes, self.name_text(wrong));
        let names = self.state.names.all().chain(self.file.all());
        // Most are seen to be too long without their texts.
        let short =
            names.filter(|&name| scopes.text_length(name, self.symbols) <= wrong.len() + crate::near::MOST_LETTERS);
        let near = crate::near::nearest(&wrong, short.map(|name| self.name_text(name)));
        near.map_or(String::new(), |near| format!("; did you mean `{near}`?"))
    }

    /// Whether an attribute is there.
    fn has(&self, attributes: &[Attribute], name: &str) -> bool {
        attributes.iter().any(|attribute| self.text(attribute.name) == name)
    }
}
