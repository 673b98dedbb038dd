//! What stands at the top of a file: functions, declarations, namespaces, `extern "C"`.

use thin_vec::ThinVec;

use super::declarators::Naming;
use super::names::Kind;
use super::words::Word;
use super::{Parse, Parser, push_one};
use crate::diagnostic::{Diagnostic, LeftOut, Severity};
use crate::source::Location;
use crate::tree::{
    AddressSpace, Attribute, Body, Declaration, Declarator, DeclaratorData, FunctionItem, InitDeclarator, Item,
    NameKind, Specifiers, TemplateParameter, VariableTemplate,
};

/// A `{` of a namespace or of `extern "C"`.
struct OpenBrace {
    location: Location,
    /// How many namespaces it opened.
    namespaces: usize,
    is_extern_c: bool,
}

/// A kernel that was tried by itself.
struct LoneKernel {
    /// The token behind its specifiers.
    specified: usize,
    /// The token behind it; none where it is not understood.
    end: Option<usize>,
}

impl Parser<'_> {
    /// The whole file.
    pub(super) fn file(&mut self) {
        let mut braces: Vec<OpenBrace> = Vec::new();
        loop {
            match self.word() {
                Word::End => break,
                Word::Semicolon => self.advance(),
                Word::RightBrace => self.close_brace(&mut braces),
                _ => {
                    let begin = self.checkpoint();
                    let location = self.location();
                    match self.item(&mut braces) {
                        Ok(()) => {
                            let first = self.first_understood.get_or_insert(location);
                            *first = location.min(*first);
                        }
                        Err(_) => self.leave_item(&begin),
                    }
                    self.check_names();
                }
            }
        }
        if let Some(brace) = braces.pop().filter(|_| !self.has_given_up) {
            self.error(brace.location, "this `{` is not closed");
            self.report();
        }
    }

    fn close_brace(&mut self, braces: &mut Vec<OpenBrace>) {
        match braces.pop() {
            Some(brace) => {
                (0..brace.namespaces).for_each(|_| self.names.leave());
                self.extern_c -= u32::from(brace.is_extern_c);
            }
            None => {
                self.error(self.location(), "this `}` closes nothing");
                self.report();
            }
        }
        self.advance();
    }

    /// After an item that cannot be understood. What it would have declared is remembered as outside of the subset.
    fn leave_item(&mut self, begin: &super::recovery::Checkpoint) {
        self.abandon(begin);
        let is_unsupported = self.failed_as_unsupported() || self.is_tolerant;
        if let Some(name) = self.declared.take().filter(|_| is_unsupported)
            && self.names.meaning(name).kind == Kind::Unknown
        {
            self.declare_unsupported(Some(name));
        }
        let is_typedef = self.words[begin.at()] == Word::Typedef;
        match self.is_tolerant {
            true => self.pass_over_item(begin),
            false => {
                self.report();
                self.skip_broken(begin);
            }
        }
        if is_unsupported && is_typedef && self.words[self.at - 1] == Word::Semicolon {
            let before = self.at - 2;
            if self.words[before] == Word::Name {
                let name = self.names.qualify(self.tokens[before].symbol, self.symbols);
                self.declare_unsupported(Some(name));
            }
        }
        if self.at == begin.at() {
            self.advance();
        }
    }

    /// Goes behind an item that is not understood, or to the function or namespace that begins in it: before that may stand a macro of a header
    /// that is not there. Functions of the device that are passed over are left out; nothing else of the item is missed until somebody uses it.
    fn pass_over_item(&mut self, begin: &super::recovery::Checkpoint) {
        let Some(reason) = self.take_failure() else { return };
        self.skip_broken(begin);
        let (mut depth, mut at) = (0usize, begin.at());
        // Where the specifiers end that the latest kernel began with: one that has its specifier twice is one kernel.
        let mut specified = at;
        let before = self.left_out.len();
        let end = self.at;
        while at < end {
            let word = self.words[at];
            match word {
                Word::LeftBrace | Word::LeftParen => depth += 1,
                Word::RightBrace | Word::RightParen => depth = depth.saturating_sub(1),
                Word::Kernel if at < specified => {}
                Word::Kernel => {
                    let kernel = self.lone_kernel(at, end);
                    specified = kernel.specified;
                    at = match kernel.end {
                        Some(end) => end,
                        None => self.leave_out_function(at, specified, true, &reason),
                    };
                    continue;
                }
                Word::Device if depth == 0 => {
                    at = self.leave_out_function(at, specified, false, &reason);
                    continue;
                }
                // All functions of OpenCL C are the device's.
                Word::Name if depth == 0 && !self.is_cpp && self.are_parameters_of_definition(at + 1) => {
                    self.leave_out_named(Some(at), at, false, &reason);
                }
                _ => {}
            }
            at += 1;
        }
        if self.left_out.len() == before || reason.is_limit() {
            self.fail(reason);
            self.report();
        }
    }

    /// Takes a kernel in an item that is not understood, which ends before a token, by itself. What the item declares around it is not known there.
    fn lone_kernel(&mut self, kernel: usize, end: usize) -> LoneKernel {
        self.at = kernel;
        let begin = self.checkpoint();
        let items = self.tree.items.len();
        let _ = self.specifiers();
        let specified = self.at;
        self.failure = None;
        self.abandon(&begin);
        self.at = kernel;
        let is_whole = self.declaration_or_function(None, false).is_ok() && self.at > kernel && self.at <= end;
        if !is_whole {
            self.failure = None;
            self.tree.items.truncate(items);
            self.abandon(&begin);
        }
        let behind = std::mem::replace(&mut self.at, end);
        LoneKernel { specified, end: is_whole.then_some(behind) }
    }

    /// Leaves out the function that has a specifier at a token, and all of them before another; gives the token before its parameters. What has no
    /// parameters is a variable.
    fn leave_out_function(
        &mut self,
        specifier: usize,
        specified: usize,
        is_kernel: bool,
        reason: &Diagnostic,
    ) -> usize {
        let is_end = |at: &usize| match self.words[*at] {
            Word::LeftBrace | Word::Semicolon | Word::End => true,
            Word::Kernel => *at >= specified,
            _ => false,
        };
        let is_name = |at: &usize| self.words[*at] == Word::Name && self.words[*at + 1] == Word::LeftParen;
        let end = (specifier + 1..).find(|at| is_end(at) || is_name(at)).expect("the file ends");
        let name = Some(end).filter(is_name);
        if name.is_some() || is_kernel {
            self.leave_out_named(name, specifier, is_kernel, reason);
        }
        end
    }

    /// Leaves out the function whose name is a token, if it has one, and that begins at another.
    fn leave_out_named(&mut self, name: Option<usize>, begin: usize, is_kernel: bool, reason: &Diagnostic) {
        let text = name.map_or("", |name| self.symbols.text(self.tokens[name].symbol));
        let location = self.tokens[name.unwrap_or(begin)].location;
        self.left_out.push(LeftOut::new(text, is_kernel, location, reason.clone()));
    }

    fn item(&mut self, braces: &mut Vec<OpenBrace>) -> Parse<()> {
        self.declared = None;
        self.declared_arguments = None;
        self.declared_class_arguments = None;
        match self.word() {
            Word::Namespace => self.namespace(braces),
            Word::Inline if self.ahead(1) == Word::Namespace => {
                self.advance();
                self.advance();
                self.expect_name("the name of a namespace")?;
                self.open_brace(braces, 0, false)
            }
            Word::Using => {
                if let Some(declaration) = self.using()? {
                    self.tree.items.push(Item::Declaration(declaration));
                }
                Ok(())
            }
            Word::Template => self.template(),
            // The instance is elsewhere: nothing is made here, and nothing declared.
            Word::Extern if self.ahead(1) == Word::Template => {
                while !matches!(self.word(), Word::Semicolon | Word::LeftBrace | Word::End) {
                    self.advance();
                }
                self.expect_semicolon("after `extern template`")
            }
            Word::Extern if self.ahead(1) == Word::String && self.ahead(2) == Word::LeftBrace => {
                self.advance();
                let is_c = self.symbols.text(self.symbol()) == "\"C\"";
                self.advance();
                self.open_brace(braces, 0, is_c)
            }
            Word::StaticAssert => {
                let (condition, location) = self.static_assert()?;
                self.tree.items.push(Item::StaticAssert(condition, location));
                Ok(())
            }
            Word::Unsupported if self.symbols.text(self.symbol()).contains("asm") => {
                Err(self.unsupported(self.location(), "inline assembly"))
            }
            Word::Unsupported | Word::Operator => Err(self.unsupported_keyword()),
            Word::Else => Err(self.expected("a declaration or a function")),
            word if word >= Word::If && word <= Word::Return => Err(self.expected("a declaration or a function")),
            _ => self.declaration_or_function(None, false),
        }
    }

    fn open_brace(&mut self, braces: &mut Vec<OpenBrace>, namespaces: usize, is_extern_c: bool) -> Parse<()> {
        let location = self.location();
        self.expect(Word::LeftBrace, "{", "to open a namespace or `extern \"C\"`")?;
        self.extern_c += u32::from(is_extern_c);
        braces.push(OpenBrace { location, namespaces, is_extern_c });
        Ok(())
    }

    fn namespace(&mut self, braces: &mut Vec<OpenBrace>) -> Parse<()> {
        self.advance();
        let mut ignored = ThinVec::new();
        self.attributes(&mut ignored)?;
        if self.word() == Word::Name && self.ahead(1) == Word::Equal {
            return self.namespace_alias();
        }
        let mut count = 0;
        while self.word() == Word::Name {
            let (name, _) = self.expect_name("the name of a namespace")?;
            self.names.enter_namespace(name, self.symbols);
            count += 1;
            if !self.eat(Word::Scope) {
                break;
            }
            self.eat(Word::Inline);
        }
        self.open_brace(braces, count, false)
    }

    /// Goes to the end of a deduction guide (`P(T) -> P<T>;`), if one stands here. It has no code.
    fn skip_deduction_guide(&mut self) -> bool {
        let may_begin = |at: &usize| {
            matches!(
                self.words[*at],
                Word::Device | Word::Host | Word::Inline | Word::ForceInline | Word::Constexpr | Word::Explicit
            )
        };
        let name = (self.at..).find(|at| !may_begin(at)).expect("the file ends");
        if self.words[name] != Word::Name || self.words[name + 1] != Word::LeftParen {
            return false;
        }
        let Some(arrow) = self.end_of_parentheses(name + 1) else { return false };
        let is_guide = self.words[arrow] == Word::Arrow && self.tokens[arrow + 1].symbol == self.tokens[name].symbol;
        while is_guide && !matches!(self.word(), Word::Semicolon | Word::End) {
            self.advance();
        }
        is_guide
    }

    /// Variables, types, a function.
    pub(super) fn declaration_or_function(
        &mut self,
        mut template: Option<Vec<TemplateParameter>>,
        is_instantiation: bool,
    ) -> Parse<()> {
        let location = self.location();
        if self.skip_deduction_guide() {
            return self.expect_semicolon("after a deduction guide");
        }
        let mut specifiers = self.specifiers()?;
        specifiers.is_extern_c |= self.extern_c > 0;
        if specifiers.is_virtual {
            return Err(self.unsupported(location, "`virtual` outside of a class"));
        }
        let mut declarators = Vec::new();
        if let Some(class) = self.outside_special(&specifiers) {
            return self.special_outside(class, specifiers, template);
        }
        if self.ends_as_type(&specifiers) {
            self.tree.items.push(Item::Declaration(Declaration { specifiers, declarators, location }));
            return Ok(());
        }
        self.require_type(&specifiers)?;
        loop {
            self.declared = None;
            self.declared_arguments = None;
            let mut data = self.declarator(Naming::Named)?;
            self.trailing_result(&mut specifiers, &mut data)?;
            if matches!(data.declarator, Declarator::Function(..)) && !specifiers.is_typedef {
                let is_last = self.function(&specifiers, data, template.take(), is_instantiation)?;
                if is_last {
                    return Ok(());
                }
                if self.is_tolerant && !matches!(self.word(), Word::Semicolon | Word::Comma) {
                    // Its body may be what is not understood.
                    return Err(self.expected("`;` or `{` after the parameters"));
                }
            } else if let Some(parameters) = template.take() {
                return self.variable_template(parameters, specifiers, data);
            } else if is_instantiation {
                return Err(self.unsupported(data.location, "an instantiation of a variable"));
            } else {
                if specifiers.is_device && specifiers.space.is_none() {
                    specifiers.space = Some(AddressSpace::Global);
                }
                push_one(&mut declarators, self.finish_declarator(&specifiers, data)?);
            }
            if !self.eat(Word::Comma) {
                break;
            }
        }
        self.expect_semicolon("after the declaration")?;
        if !declarators.is_empty() {
            self.tree.items.push(Item::Declaration(Declaration { specifiers, declarators, location }));
        }
        Ok(())
    }

    /// `n = …;` of a template of variables.
    fn variable_template(
        &mut self,
        parameters: Vec<TemplateParameter>,
        mut specifiers: Specifiers,
        mut data: DeclaratorData,
    ) -> Parse<()> {
        let is_member = data.name.is_some_and(|name| matches!(name.kind(), NameKind::Member(_)));
        if is_member || specifiers.is_typedef {
            return Err(self.unsupported(data.location, "a template of a variable in another scope"));
        }
        let arguments = self.declared_arguments.take();
        data.name = self.declared;
        if specifiers.is_device && specifiers.space.is_none() {
            specifiers.space = Some(AddressSpace::Global);
        }
        let initializer = self.initializer_of_variable()?;
        self.expect_semicolon("after the declaration")?;
        if let Some(name) = data.name {
            self.names.declare_qualified(name, Kind::Template);
        }
        let location = specifiers.location;
        let declarators = vec![InitDeclarator { declarator: data, initializer, bits: None, bindings: ThinVec::new() }];
        let declaration = Declaration { specifiers, declarators, location };
        let template = VariableTemplate { parameters, arguments, declaration };
        self.tree.items.push(Item::VariableTemplate(Box::new(template)));
        Ok(())
    }

    /// A function from behind its parameters; whether it has a body.
    fn function(
        &mut self,
        specifiers: &Specifiers,
        mut data: DeclaratorData,
        template: Option<Vec<TemplateParameter>>,
        is_instantiation: bool,
    ) -> Parse<bool> {
        data.name = self.declared;
        if let Some(name) = data.name {
            let was_template = self.names.meaning(name).kind == Kind::Template;
            let is_template = was_template || template.as_ref().is_some_and(|parameters| !parameters.is_empty());
            self.names.declare_qualified(name, if is_template { Kind::Template } else { Kind::Value });
        }
        let class_arguments =
            self.declared_class_arguments.take().filter(|_| template.as_ref().is_some_and(Vec::is_empty));
        let arguments = self.declared_arguments.take();
        let arguments = if is_instantiation { Some(arguments.unwrap_or_default()) } else { arguments };
        let spelling = self.spelling(template.as_deref());
        let has_body = self.word() == Word::LeftBrace;
        let mut launches = Vec::new();
        let body = match self.word() {
            Word::LeftBrace if self.is_of_host(specifiers, &data) => {
                let before = self.tree.items.len();
                self.host_body();
                if template.is_some() {
                    let own = |item| if let Item::Launch(launch) = item { Some(launch) } else { None };
                    launches.extend(self.tree.items.drain(before..).filter_map(own));
                }
                Body::Host
            }
            Word::LeftBrace => {
                let is_elsewhere = data.name.is_some_and(|name| self.names.enter_scope_of(name));
                let body = self.function_body(&data.declarator);
                if is_elsewhere {
                    self.names.leave();
                }
                body
            }
            Word::Colon => return Err(self.unsupported(self.location(), "a constructor")),
            Word::Equal if self.symbols.text(self.tokens[self.at + 1].symbol) == "delete" => {
                // It takes part where functions are chosen, and what chooses it is no program.
                self.advance();
                self.advance();
                Body::Deleted
            }
            Word::Equal => return Err(self.unsupported(self.location(), "`=` after the parameters of a function")),
            Word::Unsupported => return Err(self.unsupported_keyword()),
            _ => Body::None,
        };
        let specifiers = specifiers.clone();
        let function = FunctionItem::new(specifiers, data, body);
        let item = FunctionItem { template, spelling, arguments, class_arguments, launches, ..function };
        self.tree.items.push(Item::Function(Box::new(item)));
        Ok(has_body)
    }

    /// Whether only the host executes a function.
    pub(super) fn is_of_host(&self, specifiers: &Specifiers, data: &DeclaratorData) -> bool {
        let is_device = |attribute: &Attribute| matches!(self.symbols.text(attribute.name), "global" | "device");
        let of_device = specifiers.is_kernel || specifiers.is_device || specifiers.is_constexpr;
        self.has_host && !of_device && !specifiers.attributes.iter().chain(&data.attributes).any(is_device)
    }

    /// Goes from the `{` of a function of the host behind its `}`. No kernel may be lost in it.
    pub(super) fn host_body(&mut self) {
        let open = self.at;
        let is_closed = self.skip_braces_until(Word::Kernel);
        if self.is_tolerant {
            self.note_launches(open);
        }
        if !is_closed && self.word() == Word::Kernel {
            let reason = Diagnostic::error(self.tokens[open].location, "this `{` is not closed");
            self.fail(reason.with(self.location(), "a kernel begins here"));
            self.report();
        }
    }

    pub(super) fn function_body(&mut self, declarator: &Declarator) -> Body {
        let open = self.at;
        let begin = self.checkpoint();
        let scope = self.names.open();
        if let Declarator::Function(_, parameters, _) = declarator {
            for name in parameters.iter().filter_map(|parameter| parameter.declarator.name) {
                self.names.declare_local(name, Kind::Value);
            }
        }
        let was_in_body = std::mem::replace(&mut self.is_in_body, true);
        let around = std::mem::replace(&mut self.function, self.declared);
        let outer = self.names.enter_body();
        let block = self.block();
        self.names.leave_body(outer);
        self.is_in_body = was_in_body;
        self.function = around;
        if !was_in_body {
            self.end_lambdas();
        }
        match block {
            Ok(body) => {
                self.names.close(scope);
                Body::Statement(body)
            }
            Err(super::Stop) => {
                self.abandon(&begin);
                let reason = self.take_failure().expect("what stops has a reason");
                assert_eq!(reason.severity, Severity::Unsupported);
                self.at = open;
                self.skip_braces_until(Word::Kernel);
                Body::Unsupported(reason)
            }
        }
    }
}
