//! What is known of a module before its bodies are looked at: which types have a size, what intrinsics are called like.

use std::sync::atomic::{AtomicU64, Ordering};

use cranelift_entity::SecondaryMap;
use reconverge_ir::module::{Symbol, SymbolKind};
use reconverge_ir::types::{NamedType, Type, TypeData};
use reconverge_ir::{FunctionId, Module};

use crate::Breach;
use crate::intrinsics::{self, Signature};
use crate::module;

/// Facts about a module that all its functions share.
#[derive(Debug)]
pub struct Facts {
    /// No other facts of this process have it.
    pub(crate) number: u64,
    /// Whether a named type has a size.
    named: SecondaryMap<NamedType, Size>,
    /// For each symbol: 0, or one more than the place of its intrinsic.
    symbols: SecondaryMap<Symbol, u32>,
    intrinsics: Vec<Intrinsic>,
    /// For each symbol that has one: the type of its address.
    addresses: SecondaryMap<Symbol, Option<Type>>,
    breaches: Vec<Breach>,
}

/// Whether a named type has a size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Size {
    #[default]
    Unknown,
    Visiting,
    Known,
    Opaque,
    Recursive,
}

/// What is known of an intrinsic.
#[derive(Debug)]
pub(crate) struct Intrinsic {
    pub(crate) declaration: Option<FunctionId>,
    /// The definition; nothing for one that is not in the table.
    pub(crate) signature: Option<Signature>,
    /// The numbers of the parameters that are immediates.
    pub(crate) immediates: Vec<usize>,
    /// Why the declaration is not that of the intrinsic.
    pub(crate) problem: Option<String>,
}

impl Facts {
    /// Looks at a module; O(symbols + named types + variables' initializers).
    pub fn new(module: &Module<'_>) -> Facts {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let mut facts = Facts {
            number: NEXT.fetch_add(1, Ordering::Relaxed),
            named: SecondaryMap::new(),
            symbols: SecondaryMap::new(),
            intrinsics: Vec::new(),
            addresses: SecondaryMap::new(),
            breaches: Vec::new(),
        };
        facts.symbols.resize(module.symbols.len());
        facts.addresses.resize(module.symbols.len());
        module.named_types.keys().for_each(|named| facts.visit(module, named));
        let address_space = memchr::memmem::Finder::new("addrspace");
        for (symbol, data) in &module.symbols {
            facts.addresses[symbol] = module::address_type(module, symbol, &address_space);
            let name = module.spelling(data.name);
            let declaration = match data.kind {
                SymbolKind::Function(id) => Some(id),
                SymbolKind::UndeclaredIntrinsic { .. } => None,
                _ => continue,
            };
            if !name.starts_with(b"llvm.") {
                continue;
            }
            let signature = intrinsics::lookup(name);
            let immediates = signature.into_iter().flat_map(Signature::immediates).collect();
            let problem = declaration.zip(signature).and_then(|(id, signature)| {
                let function = &module.functions[id];
                let parameters: Vec<Type> = function.parameters.iter().map(|parameter| parameter.ty).collect();
                signature.mismatch(module, function.result, &parameters, function.variadic)
            });
            facts.intrinsics.push(Intrinsic { declaration, signature, immediates, problem });
            facts.symbols[symbol] = facts.intrinsics.len() as u32;
        }
        facts.breaches = module::breaches(&facts, module);
        facts
    }

    /// What is wrong outside of functions, in the order of the text.
    pub fn breaches(&self) -> &[Breach] {
        &self.breaches
    }

    /// The intrinsic that a symbol names.
    #[inline]
    pub(crate) fn intrinsic(&self, symbol: Symbol) -> Option<&Intrinsic> {
        self.intrinsics.get((self.symbols[symbol] as usize).checked_sub(1)?)
    }

    /// The type of the address of a symbol, where it is known.
    #[inline]
    pub(crate) fn address(&self, symbol: Symbol) -> Option<Type> {
        self.addresses[symbol]
    }

    /// Whether a named type contains itself.
    pub(crate) fn is_recursive(&self, named: NamedType) -> bool {
        self.named[named] == Size::Recursive
    }

    /// Whether a type has a size.
    #[inline]
    pub(crate) fn is_sized(&self, module: &Module<'_>, ty: Type) -> bool {
        if (Type::HALF..=Type::PTR).contains(&ty) {
            return true;
        }
        match &module.types[ty] {
            TypeData::Void | TypeData::Label | TypeData::Metadata | TypeData::Token | TypeData::Function { .. } => {
                false
            }
            TypeData::Vector { element, .. } | TypeData::Array { element, .. } => self.is_sized(module, *element),
            TypeData::Struct { elements, .. } => elements.iter().all(|&element| self.is_sized(module, element)),
            TypeData::Named(named) => self.named[*named] == Size::Known,
            _ => true,
        }
    }

    /// Finds out whether a named type has a size, and those that it contains. The stack is our own: types may contain
    /// each other a million deep.
    fn visit(&mut self, module: &Module<'_>, named: NamedType) {
        if self.named[named] != Size::Unknown {
            return;
        }
        let mut stack = vec![(named, contained(module, named), 0)];
        self.named[named] = Size::Visiting;
        while let Some((named, parts, next)) = stack.last_mut() {
            let named = *named;
            if let Some(&part) = parts.get(*next) {
                *next += 1;
                match self.named[part] {
                    Size::Unknown => {
                        self.named[part] = Size::Visiting;
                        stack.push((part, contained(module, part), 0));
                    }
                    Size::Visiting => self.named[part] = Size::Recursive,
                    _ => {}
                }
                continue;
            }
            let all_known = parts.iter().all(|&part| self.named[part] == Size::Known);
            if self.named[named] == Size::Visiting {
                let body = module.named_types[named].body;
                let is_sized = all_known && body.is_some_and(|body| self.is_sized(module, body));
                self.named[named] = if is_sized { Size::Known } else { Size::Opaque };
            }
            stack.pop();
        }
    }
}

/// The named types that values of a named type contain.
fn contained(module: &Module<'_>, named: NamedType) -> Vec<NamedType> {
    let mut found = Vec::new();
    let data = &module.named_types[named];
    let mut pending: Vec<Type> = data.body.or(data.alias).into_iter().collect();
    while let Some(ty) = pending.pop() {
        match &module.types[ty] {
            TypeData::Vector { element, .. } | TypeData::Array { element, .. } => pending.push(*element),
            TypeData::Struct { elements, .. } => pending.extend(elements.iter().copied()),
            TypeData::Named(inner) => found.push(*inner),
            _ => {}
        }
    }
    found
}
