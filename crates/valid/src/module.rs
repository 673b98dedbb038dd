//! What is outside of functions: types, variables, declarations.

use memchr::memmem::Finder;
use reconverge_ir::attributes::Attribute;
use reconverge_ir::function::Function;
use reconverge_ir::module::{Symbol, SymbolKind};
use reconverge_ir::types::{Type, TypeData};
use reconverge_ir::{Module, Span};

use crate::attributes::{Memo, malformed};
use crate::calls::header_problems;
use crate::{Breach, Checker, Facts, Rule, Workspace};

/// The breaches outside of bodies, in the order of the text.
pub(crate) fn breaches(facts: &Facts, module: &Module<'_>) -> Vec<Breach> {
    let mut breaches = Vec::new();
    let at = |span: Span, rule: Rule, message: String| Breach { rule, span, inst: None, message, definition: None };
    for (named, data) in &module.named_types {
        if facts.is_recursive(named) {
            let name = reconverge_ir::text::display(module.spelling(data.name));
            breaches.push(at(
                data.name,
                Rule::Unsized,
                format!("the type '%{name}' contains itself, so it has no size"),
            ));
        }
    }
    // Layouts of types that contain themselves have no end.
    if !breaches.is_empty() {
        return breaches;
    }
    let mut memo = Memo::default();
    for (id, function) in &module.functions {
        if function.body.is_none() {
            let problems = header_problems(facts, module, id, &mut memo);
            breaches.extend(problems.into_iter().map(|(rule, message)| at(function.header, rule, message)));
        }
    }
    for group in module.attribute_groups.values() {
        if let Some(problem) = malformed(module, group.span) {
            breaches.push(at(group.span, Rule::Call, format!("an attribute of a group that does not fit: {problem}")));
        }
    }
    for symbol in module.variable_symbols() {
        variable(facts, module, symbol, &mut breaches);
    }
    breaches.sort_by_key(|breach| breach.span.start);
    breaches
}

fn variable(facts: &Facts, module: &Module<'_>, symbol: Symbol, breaches: &mut Vec<Breach>) {
    let span = module.symbols[symbol].name;
    let Ok(Some(variable)) = module.variable(symbol) else { return };
    let breach = |rule, message| Breach { rule, span, inst: None, message, definition: None };
    let ty = module.display_type(variable.ty);
    if matches!(
        module.types[variable.ty],
        TypeData::Void | TypeData::Function { .. } | TypeData::Label | TypeData::Metadata | TypeData::Token
    ) {
        breaches.push(breach(Rule::Types, format!("a variable cannot be of type '{ty}'")));
    } else if !facts.is_sized(module, variable.ty) && variable.initializer.is_some() {
        breaches.push(breach(Rule::Unsized, format!("a variable of type '{ty}', which has no size")));
    }
    constants(facts, module, &variable.tables, span, breaches);
}

/// Looks at the constants of an initializer.
fn constants(facts: &Facts, module: &Module<'_>, tables: &Function, span: Span, breaches: &mut Vec<Breach>) {
    let workspace = &mut Workspace::default();
    let mut checker = Checker {
        facts,
        module,
        function: tables,
        id: None,
        outside: span,
        workspace,
        graph: None,
        dominators: None,
        breaches: Vec::new(),
        here: None,
    };
    checker.constants();
    breaches.append(&mut checker.breaches);
}

/// The type of the address of a symbol; nothing where only the data layout knows. `finder` finds `addrspace` in a text.
pub(crate) fn address_type(module: &Module<'_>, symbol: Symbol, finder: &Finder) -> Option<Type> {
    let data = &module.symbols[symbol];
    match data.kind {
        SymbolKind::Function(id) => {
            let suffix = module.functions[id].suffix;
            if finder.find(module.spelling(suffix)).is_none() {
                return Some(module.program_pointer);
            }
            let space = module.attributes(suffix).find_map(|attribute| match attribute {
                Attribute::Word { name: b"addrspace", argument } => Some(argument),
                _ => None,
            });
            space.map_or(Some(module.program_pointer), |space| pointer_into(module, space))
        }
        SymbolKind::Variable => {
            for attribute in module.words_of_variable(symbol) {
                match attribute {
                    Attribute::Word { name: b"global" | b"constant", .. } => return Some(Type::PTR),
                    Attribute::Word { name: b"addrspace", argument } => return pointer_into(module, argument),
                    _ => {}
                }
            }
            None
        }
        _ => None,
    }
}

/// The type of pointers into an address space; nothing where it is given by a name.
fn pointer_into(module: &Module<'_>, space: Span) -> Option<Type> {
    let address_space = std::str::from_utf8(module.spelling(space)).ok()?.trim().parse().ok()?;
    Some(if address_space == 0 { Type::PTR } else { module.types.intern(TypeData::Pointer { address_space }) })
}
