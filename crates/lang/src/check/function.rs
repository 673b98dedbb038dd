//! Functions: declarations, definitions, and their bodies.

use std::rc::Rc;

use super::facts::Facts;
use super::names::{Meaning, NameSpace};
use super::state::State;
use super::template::Template;
use super::written::{Argument, FormKind, FunctionForm, Written};
use super::{Checker, Operand, Outcome, mangle};
use crate::diagnostic::{Diagnostic, Ground, LeftOut, Severity};
use crate::source::Location;
use crate::tree::{
    self, Declarator, DeclaratorData, Expr, FunctionItem, FunctionKind, MemberInitializer, Name, Parameter, Scope,
    ScopeKind, Specifiers, StmtKind, TypeSpecifier,
};
use crate::typed::{Body, Function, FunctionData, MemoryEffects, StatementKind, Struct};

/// The attribute of functions in our own headers: they are part of the program once something calls them.
const LIBRARY: &str = "reconverge_library";

/// The functions and templates of a name.
#[derive(Debug)]
pub(super) struct FunctionSet<'a> {
    pub(super) name: Name,
    pub(super) kind: FunctionKind,
    /// The class that they are members of.
    pub(super) class: Option<Struct>,
    pub(super) candidates: Vec<Candidate<'a>>,
    pub(super) templates: Vec<Template<'a>>,
}

/// A function that is no template.
#[derive(Debug, Clone)]
pub(super) struct Candidate<'a> {
    pub(super) of: FunctionForm,
    /// Its number in the program, once it is mentioned.
    pub(super) function: Option<Function>,
    pub(super) facts: Facts,
    pub(super) defaults: Rc<[Option<Expr>]>,
    pub(super) has_body: bool,
    /// A function whose body is looked at when it is called: a member of a class, or a function of a header of our own.
    pub(super) item: Option<&'a FunctionItem>,
    /// Whether that is so.
    pub(super) is_wanted: bool,
    /// Whether its body was looked at.
    pub(super) is_checked: bool,
    /// Whether its first parameter is the object that it is called with.
    pub(super) has_object: bool,
    pub(super) location: Location,
}

impl Candidate<'_> {
    pub(super) fn new(of: FunctionForm, facts: Facts, location: Location) -> Self {
        Candidate {
            of,
            function: None,
            facts,
            defaults: Rc::default(),
            has_body: true,
            item: None,
            is_wanted: false,
            is_checked: false,
            has_object: false,
            location,
        }
    }
}

/// What is written of a function.
pub(super) struct Signature<'a> {
    pub(super) of: FunctionForm,
    pub(super) parameters: &'a [Parameter],
}

/// A body to be checked.
pub(super) struct Definition<'a> {
    pub(super) function: Function,
    pub(super) of: FunctionForm,
    pub(super) parameters: &'a [Parameter],
    pub(super) body: &'a tree::Body,
    pub(super) facts: Facts,
    /// The arguments of a template, by the names of its parameters.
    pub(super) arguments: Vec<(Name, Argument)>,
    pub(super) name: Name,
    pub(super) instance_depth: usize,
    /// The class that it is a member of.
    pub(super) class: Option<Struct>,
    /// Whether its first parameter is the object that it is called with.
    pub(super) has_object: bool,
    pub(super) kind: FunctionKind,
    /// The macros before it that nothing defines.
    pub(super) macros: &'a [(Name, Location)],
    /// What a constructor starts members with.
    pub(super) initializers: &'a [MemberInitializer],
}

impl<'a> Checker<'a> {
    /// A function at the top of a file.
    pub(super) fn function_item(&mut self, item: &'a FunctionItem) -> Outcome<()> {
        self.state = State::default();
        let name = self.name_of_declarator(&item.declarator)?;
        if self.tree.scopes.kind(self.tree.scopes.scope(name)) == ScopeKind::Class {
            return self.member_definition(item, name);
        }
        match (&item.template, &item.arguments) {
            (Some(parameters), _) if !parameters.is_empty() => return self.declare_template(item, parameters, name),
            (Some(_), arguments) => return self.specialise(item, arguments.as_deref().unwrap_or(&[]), name),
            (None, Some(arguments)) => return self.instantiate_explicitly(item, arguments, name),
            (None, None) => {}
        }
        let facts = self.facts(&item.specifiers, &item.declarator)?;
        if facts.is_host && self.is_host_only(&facts) {
            // Its types may be of the host, too: nothing of it is looked at but the name.
            return self.declare_host_function(name, facts, item.declarator.location);
        }
        self.state.scope = self.tree.scopes.scope(name);
        let signature = self.signature(&item.specifiers, &item.declarator)?;
        let parameters = signature.parameters;
        let has_body = !matches!(item.body, tree::Body::None);
        let is_expanded = facts.is_expanded;
        let (set, index) = self.declare_candidate(name, signature, facts, &item.declarator, has_body)?;
        if !has_body {
            return Ok(());
        }
        if is_expanded || self.has(&item.specifiers.attributes, LIBRARY) {
            // It is looked at when somebody calls it.
            self.sets[set].candidates[index].item = Some(item);
            return Ok(());
        }
        let function = self.mention(set, index);
        let candidate = &self.sets[set].candidates[index];
        let definition = Definition {
            function,
            of: candidate.of.clone(),
            parameters,
            body: &item.body,
            facts: candidate.facts.clone(),
            arguments: Vec::new(),
            name,
            instance_depth: 0,
            class: None,
            has_object: false,
            kind: item.kind,
            macros: &item.specifiers.macros,
            initializers: &[],
        };
        self.program.functions[function].location = item.declarator.location;
        let result = self.define(definition);
        if let Some(result) = result {
            self.sets[set].candidates[index].of.result = result;
        }
        Ok(())
    }

    fn is_host_only(&self, facts: &Facts) -> bool {
        facts.is_host && self.options.dialect.has_host()
    }

    fn declare_host_function(&mut self, name: Name, facts: Facts, location: Location) -> Outcome<()> {
        let void = self.program.types.void();
        let result = self.written_of(void);
        let of =
            FunctionForm { result, parameters: Rc::default(), variadic: true, is_const: false, ends_in_pack: false };
        let set = self.function_set(name, location)?;
        let is_known = self.sets[set].candidates.iter().any(|candidate| candidate.facts.is_host);
        if !is_known {
            let defaults = Rc::default();
            self.sets[set].candidates.push(Candidate { defaults, ..Candidate::new(of, facts, location) });
        }
        Ok(())
    }

    /// A function that is declared among variables.
    pub(super) fn declare_function(
        &mut self,
        specifiers: &'a Specifiers,
        declarator: &'a DeclaratorData,
    ) -> Outcome<()> {
        let name = self.name_of_declarator(declarator)?;
        let facts = self.facts(specifiers, declarator)?;
        if self.is_host_only(&facts) {
            return self.declare_host_function(name, facts, declarator.location);
        }
        // The type may be a typedef's.
        let base = self.specified(specifiers)?;
        let of = self.declared(base, &declarator.declarator, declarator.location)?;
        let FormKind::Function(of) = self.form(of).clone() else { return Ok(()) };
        let parameters: &'a [Parameter] = match &declarator.declarator {
            Declarator::Function(_, parameters, _) => parameters,
            _ => &[],
        };
        self.declare_candidate(name, Signature { of, parameters }, facts, declarator, false)?;
        Ok(())
    }

    /// The set of functions of a name; made when it is declared first.
    pub(super) fn function_set(&mut self, name: Name, location: Location) -> Outcome<usize> {
        match self.file.find_here(name, NameSpace::Ordinary) {
            Some((&Meaning::Functions(set), _)) => Ok(set),
            Some((_, before)) => Err(self.declared_twice(name, location, before)),
            None => {
                let set = self.sets.len();
                let (kind, class) = (FunctionKind::Named, None);
                self.sets.push(FunctionSet { name, kind, class, candidates: Vec::new(), templates: Vec::new() });
                self.file.declare(name, NameSpace::Ordinary, Meaning::Functions(set), location);
                Ok(set)
            }
        }
    }

    /// The type of a function; `void` stands for an `auto` result.
    pub(super) fn signature(
        &mut self,
        specifiers: &'a Specifiers,
        declarator: &'a DeclaratorData,
    ) -> Outcome<Signature<'a>> {
        let base = match specifiers.of {
            Some(TypeSpecifier::Auto) => {
                let void = self.program.types.void();
                self.written_of(void)
            }
            Some(ref of) if super::parameter::has_expression(of) => match &declarator.declarator {
                Declarator::Function(_, parameters, _) => {
                    self.among_parameters(parameters, declarator.location, |checker| checker.specified(specifiers))?
                }
                _ => self.specified(specifiers)?,
            },
            _ => self.specified(specifiers)?,
        };
        let base = Written { space: if self.is_opencl() { base.space } else { None }, ..base };
        let of = self.declared(base, &declarator.declarator, declarator.location)?;
        match (self.form(of).clone(), &declarator.declarator) {
            (FormKind::Function(of), Declarator::Function(_, parameters, _)) => Ok(Signature { of, parameters }),
            _ => Err(Diagnostic::unsupported(
                declarator.location,
                "functions declared by a type's name are not supported",
            )),
        }
    }

    /// A kernel has nobody to return something to.
    fn check_kernel_result(&mut self, result: Written, location: Location) -> Outcome<()> {
        let void = self.program.types.void();
        match *self.form(result) {
            FormKind::Plain(of, _) if of == void => Ok(()),
            FormKind::Parameter(_) => Ok(()),
            _ => {
                let name = self.name_of(result);
                Err(Diagnostic::error(location, format!("a kernel returns `void`, not `{name}`")))
            }
        }
    }

    /// Adds a function to the set of its name, or finds the one that was declared before.
    fn declare_candidate(
        &mut self,
        name: Name,
        signature: Signature<'a>,
        facts: Facts,
        declarator: &'a DeclaratorData,
        has_body: bool,
    ) -> Outcome<(usize, usize)> {
        let location = declarator.location;
        if facts.is_kernel {
            self.check_kernel_result(signature.of.result, location)?;
        }
        let set = self.function_set(name, location)?;
        let is_overloaded = self.is_cpp() || facts.is_overloadable;
        let same = self.sets[set].candidates.iter().position(|candidate| {
            !is_overloaded && !candidate.facts.is_overloadable
                || same_parameters(&candidate.of, &signature.of) && !candidate.facts.is_host
        });
        // Parameters of unknown types may be the same or not.
        let is_unknown = signature.of.parameters.iter().any(|&of| self.has_unknown(of));
        let same = same.filter(|&index| !(is_unknown && self.sets[set].candidates[index].has_body && has_body));
        let defaults: Rc<[Option<Expr>]> = signature.parameters.iter().map(|parameter| parameter.default).collect();
        let Some(index) = same else {
            let of = signature.of;
            let candidate = Candidate { defaults, has_body, ..Candidate::new(of, facts, location) };
            let candidates = &mut self.sets[set].candidates;
            if candidates.is_empty() {
                // Mostly it is the only one: it takes no room for more.
                candidates.reserve_exact(1);
            }
            candidates.push(candidate);
            return Ok((set, self.sets[set].candidates.len() - 1));
        };
        let known = &self.sets[set].candidates[index];
        let (before, text) = (known.location, self.name_text(name));
        let is_same_type =
            same_parameters(&known.of, &signature.of) && known.of.result.form == signature.of.result.form;
        let is_unspecified = !self.is_cpp() && (known.of.parameters.is_empty() || signature.of.parameters.is_empty());
        if !is_same_type && !(is_unspecified && !(known.has_body && has_body)) {
            let message = format!("`{text}` is declared with another type than before");
            return Err(Diagnostic::error(location, message).with(before, "declared here before"));
        }
        if known.has_body && has_body {
            let message = format!("the function `{text}` is defined twice");
            return Err(Diagnostic::error(location, message).with(before, "defined here before"));
        }
        let is_gpu = self.is_for_gpus();
        let known = &mut self.sets[set].candidates[index];
        if has_body {
            (known.of, known.location, known.has_body) = (signature.of, location, true);
        }
        for (known, new) in Rc::make_mut(&mut known.defaults).iter_mut().zip(&*defaults) {
            *known = new.or(*known);
        }
        let old = &mut known.facts;
        old.is_kernel |= facts.is_kernel;
        old.is_internal |= facts.is_internal;
        old.is_noinline |= facts.is_noinline;
        old.is_convergent =
            if is_gpu { old.is_convergent && facts.is_convergent } else { old.is_convergent || facts.is_convergent };
        old.bounds = facts.bounds.or(old.bounds);
        if let Some(function) = known.function {
            let (facts, of) = (known.facts.clone(), known.of.clone());
            self.update(function, &facts, &of);
        }
        Ok((set, index))
    }

    /// Tells the program what is known of a function now.
    fn update(&mut self, function: Function, facts: &Facts, of: &FunctionForm) {
        let form = Written::bare(self.intern(FormKind::Function(of.clone())));
        let of = self.type_of(form);
        let data = &mut self.program.functions[function];
        data.of = of;
        data.is_kernel = facts.is_kernel;
        data.is_internal = facts.is_internal;
        data.is_convergent = facts.is_convergent;
        data.is_noinline = facts.is_noinline;
        data.bounds = facts.bounds;
    }

    /// The number of a function in the program.
    pub(super) fn mention(&mut self, set: usize, index: usize) -> Function {
        let candidate = &self.sets[set].candidates[index];
        if let Some(function) = candidate.function {
            return function;
        }
        let candidate_facts = (candidate.has_object, candidate.item);
        let (of, facts, location) = (candidate.of.clone(), candidate.facts.clone(), candidate.location);
        let name = self.sets[set].name;
        let (linkage, text) = match self.member_subject(set, candidate_facts) {
            Some(class) => {
                let text = match class.kind {
                    FunctionKind::Conversion => {
                        let to = self.name_of(of.result);
                        format!("{}::operator {to}", self.program.types.structs[class.of].name)
                    }
                    FunctionKind::Destructor => {
                        let of = &self.program.types.structs[class.of].name;
                        format!("{of}::~{}", self.text(self.tree.scopes.spelling(name)))
                    }
                    _ => self.member_text(class.of, name),
                };
                let (arguments, spaces) = (None, None);
                let class = Some(class);
                let subject = mangle::Subject {
                    name,
                    of: &of,
                    arguments,
                    spaces,
                    is_internal: false,
                    class,
                    ends_in_pack: false,
                };
                (self.mangled(&subject), text)
            }
            None => (self.linkage_name(name, &of, &facts), self.name_text(name).to_string()),
        };
        let function = self.new_function(text, linkage, &of, &facts, location);
        self.sets[set].candidates[index].function = Some(function);
        function
    }

    /// What the name in IR of a member says of its class.
    pub(super) fn member_subject(
        &self,
        set: usize,
        (has_object, item): (bool, Option<&FunctionItem>),
    ) -> Option<mangle::Class> {
        let FunctionSet { class, kind, .. } = &self.sets[set];
        let is_const = has_object && item.is_some_and(|item| item.declarator.is_const);
        Some(mangle::Class { of: (*class)?, kind: *kind, has_object, is_const })
    }

    /// The name of a member as it is written with its class.
    pub(super) fn member_text(&self, class: Struct, name: Name) -> String {
        let of = &self.program.types.structs[class].name;
        format!("{of}::{}", self.text(self.tree.scopes.spelling(name)))
    }

    /// A new function of the program.
    pub(super) fn new_function(
        &mut self,
        name: String,
        linkage_name: String,
        of: &FunctionForm,
        facts: &Facts,
        location: Location,
    ) -> Function {
        let form = Written::bare(self.intern(FormKind::Function(of.clone())));
        let of = self.type_of(form);
        // Types that are not known have one name there, or none, and classes in functions, and in classes that are instances, have no names of their own.
        let linkage_name = match self.program.declared.contains_key(&linkage_name) {
            true => format!("{linkage_name}.{}", self.program.functions.len()),
            false => linkage_name,
        };
        let function = self.program.functions.push(FunctionData {
            name,
            linkage_name: linkage_name.clone(),
            of,
            is_kernel: facts.is_kernel,
            is_internal: facts.is_internal,
            is_convergent: facts.is_convergent,
            memory: MemoryEffects::Unknown,
            bounds: facts.bounds,
            is_noinline: facts.is_noinline,
            is_expanded: false,
            body: None,
            unknown: Vec::new(),
            open: Vec::new(),
            location,
        });
        self.program.declared.insert(linkage_name, function);
        function
    }

    /// The name of a function in IR.
    fn linkage_name(&mut self, name: Name, of: &FunctionForm, facts: &Facts) -> String {
        let text = self.text(self.tree.scopes.spelling(name));
        let is_main = text == "main" && self.tree.scopes.scope(name) == Scope::UNIT;
        let is_mangled = match self.is_cpp() {
            true => !facts.is_extern_c && !is_main,
            false => facts.is_overloadable,
        };
        if !is_mangled {
            return text.to_string();
        }
        let spaces = (!self.is_cpp()).then_some(self.options.target);
        let is_internal = facts.is_internal && self.is_cpp();
        let subject =
            mangle::Subject { name, of, arguments: None, spaces, is_internal, class: None, ends_in_pack: false };
        self.mangled(&subject)
    }

    /// The name in IR of a function of C++.
    pub(super) fn mangled(&self, subject: &mangle::Subject) -> String {
        mangle::function(&self.program.types, &self.written, &self.tree.scopes, self.symbols, subject)
    }

    /// Checks a body. Gives the result's type where that is found out from it.
    pub(super) fn define(&mut self, definition: Definition<'a>) -> Option<Written> {
        let body = match definition.body {
            tree::Body::None | tree::Body::Host | tree::Body::Default | tree::Body::Deleted | tree::Body::Pure => {
                return None;
            }
            tree::Body::Member(_) => return None,
            tree::Body::Unsupported(diagnostic) => {
                let first = self.diagnostics.len();
                self.diagnostics.push(diagnostic.clone());
                self.leave_out_function(definition.function, first);
                return None;
            }
            tree::Body::Statement(body) => *body,
        };
        let state = State {
            function: self.name_text(definition.name).to_string(),
            scope: self.tree.scopes.scope(definition.name),
            class: definition.class,
            arguments: definition.arguments.clone(),
            result: (!definition.facts.is_auto).then_some(definition.of.result),
            instance_depth: definition.instance_depth,
            // An instance that is checked at once needs the stack that is left.
            depth: self.state.depth,
            names: std::mem::take(&mut self.spare_names),
            body: Body { function: Some(definition.function), ..std::mem::take(&mut self.spare_body) },
            ..State::default()
        };
        if definition.facts.is_auto {
            self.deducing.insert(definition.function, None);
        }
        let first = self.diagnostics.len();
        let outer = std::mem::replace(&mut self.state, state);
        self.state.names.enter();
        self.bind_arguments(&definition.arguments);
        self.state.names.enter();
        let outcome = self.define_parameters(&definition);
        self.report(outcome);
        self.note_unknown_signature(&definition);
        self.body_statement(body, &definition);
        self.check_gotos();
        self.note_unknown_values(definition.function);
        let data = &mut self.program.functions[definition.function];
        data.unknown = std::mem::take(&mut self.state.unknown);
        data.open = std::mem::take(&mut self.state.open);
        let mut state = std::mem::replace(&mut self.state, outer);
        state.names.clear();
        self.spare_names = state.names;
        let mut body = state.body.take();
        if definition.instance_depth > 0 {
            self.spent.instance_expressions += body.expressions.len();
        }
        self.spare_body = state.body;
        let (mut found, mut result) = (None, definition.of.result);
        if definition.facts.is_auto {
            self.deducing.remove(&definition.function);
            let void = self.program.types.void();
            result = state.result.unwrap_or_else(|| self.written.written_of(&mut self.program.types, void));
            found = Some(result);
            let of = FunctionForm { result, ..definition.of };
            let form = Written::bare(self.intern(FormKind::Function(of)));
            self.program.functions[definition.function].of = self.type_of(form);
        }
        if definition.facts.is_kernel {
            // What a parameter of a template or `auto` stands for is known now.
            let location = self.program.functions[definition.function].location;
            if let Err(reason) = self.check_kernel_result(result, location) {
                self.diagnostics.push(reason);
                state.is_broken = true;
            }
        }
        if state.is_broken {
            self.leave_out_function(definition.function, first);
        } else {
            body.root = body.statements.keys().next();
            let data = &mut self.program.functions[definition.function];
            data.is_expanded = definition.facts.is_expanded && super::expanded::can_be_expanded(&body);
            data.body = Some(body);
        }
        found
    }

    /// Leaves a function out for the first of the diagnostics from `first` on that is a reason for that. Others are not said where one is enough.
    fn leave_out_function(&mut self, function: Function, first: usize) {
        let is_tolerant = self.is_tolerant();
        let is_reason = |diagnostic: &Diagnostic| match diagnostic.severity {
            Severity::Unsupported => true,
            Severity::Error => is_tolerant && !diagnostic.is_limit(),
            Severity::Warning => false,
        };
        let data = &self.program.functions[function];
        let new = self.diagnostics.split_off(first).into_iter();
        let (breaches, mut others): (Vec<_>, Vec<_>) = new.partition(|one| one.ground == Ground::Convergence);
        if !breaches.is_empty() {
            // Each is said, whatever is understood of the rest.
            let leave_out = |breach| LeftOut::new(&data.name, data.is_kernel, data.location, breach);
            let breaches: Vec<LeftOut> = breaches.into_iter().map(leave_out).collect();
            others.retain(|one| !is_tolerant || !is_reason(one));
            self.diagnostics.extend(others);
            self.diagnostics.extend(breaches.iter().map(|breach| breach.reason.clone()));
            self.left_out.extend(breaches.into_iter().next());
            return;
        }
        self.diagnostics.extend(others);
        let Some(at) = self.diagnostics[first..].iter().position(is_reason) else {
            if is_tolerant {
                let reason = Diagnostic::unsupported(data.location, "it uses something that is not understood");
                self.leave_out(LeftOut::new(&data.name, data.is_kernel, data.location, reason));
            }
            return;
        };
        let reason = self.diagnostics[first + at].clone();
        let left_out = LeftOut::new(&data.name, data.is_kernel, data.location, reason);
        if is_tolerant {
            let kept = self.diagnostics.split_off(first).into_iter().filter(|one| !is_reason(one)).collect::<Vec<_>>();
            self.diagnostics.extend(kept);
            self.diagnostics.push(left_out.reason.clone());
        } else {
            self.diagnostics[first + at] = left_out.reason.clone();
        }
        self.left_out.push(left_out);
    }

    /// The compound statement that is a body; its scope is that of the parameters.
    fn body_statement(&mut self, body: crate::tree::Stmt, definition: &Definition<'a>) {
        let tree = self.tree;
        let data = &tree.statements[body];
        let StmtKind::Compound(parts) = &data.kind else {
            self.statement(body);
            return;
        };
        let statement = self.new_statement(data.location, data.end);
        let first = match definition.kind {
            FunctionKind::Constructor => self.constructor_starts(definition, data.location),
            FunctionKind::Destructor => self.destructor_starts(definition, data.location),
            _ => Vec::new(),
        };
        if let (FunctionKind::Destructor, Some(class)) = (definition.kind, definition.class) {
            // Its members and bases end where it does.
            self.state.live = self.parts_that_end(class);
        }
        let mut kind = self.compound_inside(parts.as_slice(&tree.parts), data.end);
        if let StatementKind::Compound(statements) = &mut kind {
            self.end_block(0, data.end, statements);
            statements.splice(0..0, first);
        }
        self.state.body.statements[statement].kind = kind;
    }

    /// A function's name where a value is wanted; there must be one function of the name.
    pub(super) fn function_value(&mut self, set: usize, location: Location) -> Outcome<Operand> {
        let set_data = &self.sets[set];
        let text = self.name_text(set_data.name);
        match (&set_data.candidates[..], &set_data.templates[..]) {
            ([only], []) if only.has_object => {
                let text =
                    set_data.class.map_or_else(|| text.into_owned(), |class| self.member_text(class, set_data.name));
                let message = format!("`{text}` is called with an object; `&{text}` is a pointer to it");
                Err(Diagnostic::error(location, message))
            }
            ([only], []) if !only.facts.is_host => {
                let function = self.mention(set, 0);
                self.want_body(set, 0);
                Ok(self.function_of(function, set, 0, location))
            }
            ([_], []) => {
                let message = format!("`{text}` is a function of the host, which threads of a device cannot use");
                Err(Diagnostic::error(location, message))
            }
            _ => {
                let message = format!("there are several functions `{text}`, and nothing here says which one is meant");
                Err(Diagnostic::error(location, message))
            }
        }
    }

    pub(super) fn function_of(&mut self, function: Function, set: usize, index: usize, location: Location) -> Operand {
        let of = self.sets[set].candidates[index].of.clone();
        let of = Written::bare(self.intern(FormKind::Function(of)));
        self.function_operand(function, of, location)
    }
}

/// Whether functions take the same.
fn same_parameters(left: &FunctionForm, right: &FunctionForm) -> bool {
    let pairs = left.parameters.iter().zip(&*right.parameters);
    left.parameters.len() == right.parameters.len()
        && left.variadic == right.variadic
        && pairs.into_iter().all(|(left, right)| left.form == right.form)
}
