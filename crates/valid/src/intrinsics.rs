//! The types of intrinsics: the generic ones and those of GPU targets, as LLVM 22 defines them.
//!
//! The table has a line for each: its name without types, the type of the result, and those of the parameters. It comes from LLVM's
//! own definitions (`cargo xtask intrinsics`). A type is one of
//!
//! | word | what fits |
//! |---|---|
//! | `i32`, `half`, `float`, `<4xi32>`, `ptr`, `ptr3`, `token`, `metadata`, `void` | that type; `ptr3` points into address space 3 |
//! | `any`, `anyint`, `anyfloat`, `anyvector`, `anyptr` | a type of the kind: the next *overload* |
//! | `=0` | the type of overload 0 |
//! | `element0` | the element of overload 0, a vector |
//! | `shaped0:i1` | `i1`, or a vector of `i1` with as many elements as overload 0 |
//! | `part0:4` | a vector with a fourth of the elements of overload 0 |
//! | `pointers0` | a vector of pointers with as many elements as overload 0: an overload, too |
//! | `...` | any number of more arguments |
//!
//! A result `a+b` is a struct; `!` behind a parameter says that it is an immediate. An intrinsic whose name is not in the table is not
//! checked, as LLVM does with those; nor is a form of an older LLVM that newer ones read and upgrade.

use reconverge_ir::Module;
use reconverge_ir::types::{Type, TypeData};

use crate::types::{Class, class, lanes, scalar_class};

/// The table. Lines are in the order of the names, and looked for in the text: a list of them would take longer to make than a module has names.
const TABLE: &str = include_str!("intrinsics.txt");

/// The types of an intrinsic: its line of the table, behind the name.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Signature {
    name: &'static str,
    types: &'static str,
}

/// The intrinsic that a name is of, perhaps with types behind it; O(log of the table), for each part of the name.
pub(crate) fn lookup(name: &[u8]) -> Option<Signature> {
    let mut stem = name;
    loop {
        let found = line_up_to(stem)?;
        if found.name.as_bytes() == stem && (stem.len() == name.len() || found.is_overloaded()) {
            return Some(found);
        }
        // A line whose name the stem begins with stands between the stem and what was found, which so begins with it, too.
        let alike = stem.iter().zip(found.name.as_bytes()).take_while(|(one, other)| one == other).count();
        let end = memchr::memrchr(b'.', &stem[..stem.len().min(alike + 1)])?;
        stem = &stem[..end];
    }
}

/// The last line of the table whose name does not come behind this one. O(log of the table).
fn line_up_to(name: &[u8]) -> Option<Signature> {
    // No line before `low` comes behind the name, and each from `high` on does; both are where lines begin.
    let (mut low, mut high, mut found) = (0, TABLE.len(), None);
    while low < high {
        let middle = low.midpoint(high);
        let begin = memchr::memrchr(b'\n', &TABLE.as_bytes()[low..middle]).map_or(low, |newline| low + newline + 1);
        let end = memchr::memchr(b'\n', &TABLE.as_bytes()[middle..high]).map_or(high, |newline| middle + newline);
        match TABLE[begin..end].split_once(' ') {
            Some((known, types)) if known.as_bytes() <= name => {
                found = Some(Signature { name: known, types });
                low = end + 1;
            }
            _ => high = begin,
        }
    }
    found
}

impl Signature {
    fn is_overloaded(self) -> bool {
        self.types.contains("any")
    }

    fn parameters(self) -> impl Iterator<Item = &'static str> {
        self.types.split(' ').skip(1)
    }

    /// The numbers of the parameters that are immediates.
    pub(crate) fn immediates(self) -> impl Iterator<Item = usize> {
        self.parameters().enumerate().filter(|(_, word)| word.ends_with('!')).map(|(index, _)| index)
    }

    /// Why a function with these types is not this intrinsic, if it is not.
    pub(crate) fn mismatch(
        self,
        module: &Module<'_>,
        result: Type,
        parameters: &[Type],
        variadic: bool,
    ) -> Option<String> {
        if self.is_older_form(module, parameters) {
            return None;
        }
        let words: Vec<&str> = self.parameters().map(|word| word.trim_end_matches('!')).collect();
        let (fixed, takes_more) = match words.split_last() {
            Some((&"...", fixed)) => (fixed, true),
            _ => (&words[..], false),
        };
        if fixed.len() != parameters.len() || takes_more != variadic {
            let more = if takes_more { " and more" } else { "" };
            return Some(format!("takes {} arguments{more}, not {}", fixed.len(), parameters.len()));
        }
        let results: Vec<(&str, Type)> = match self.types.split(' ').next().unwrap_or("void") {
            words if words.contains('+') => {
                let words: Vec<&str> = words.split('+').collect();
                match &module.types[result] {
                    TypeData::Struct { elements, packed: false } if elements.len() == words.len() => {
                        words.into_iter().zip(elements.iter().copied()).collect()
                    }
                    _ => return Some(format!("has a struct of {} elements as its result", words.len())),
                }
            }
            word => vec![(word, result)],
        };
        let all = results.iter().copied().chain(fixed.iter().copied().zip(parameters.iter().copied()));
        let overloads: Vec<Type> = all
            .clone()
            .filter(|(word, _)| word.starts_with("any") || word.starts_with("pointers"))
            .map(|(_, ty)| ty)
            .collect();
        for (index, (word, ty)) in all.enumerate() {
            if !fits(module, word, ty, &overloads) {
                let what = match index.checked_sub(results.len()) {
                    None => "its result".to_string(),
                    Some(parameter) => format!("argument {}", parameter + 1),
                };
                return Some(format!("cannot have {what} of type '{}'", module.display_type(ty)));
            }
        }
        None
    }

    /// Whether a call with this number of arguments is one that LLVM makes anew without a look at what it passes.
    #[inline]
    pub(crate) fn is_older_call(self, count: usize) -> bool {
        count == 2 && matches!(self.name, "llvm.lifetime.start" | "llvm.lifetime.end")
    }

    /// Whether these are the parameters that an older LLVM gave the intrinsic, which newer ones upgrade.
    fn is_older_form(self, module: &Module<'_>, parameters: &[Type]) -> bool {
        let count = parameters.len();
        let is_pointer = |index: usize| parameters.get(index).is_some_and(|&ty| class(module, ty) == Class::Pointer);
        let last = |index: usize, ty: Type| parameters.get(index) == Some(&ty);
        match self.name {
            "llvm.memcpy" | "llvm.memmove" | "llvm.memset" => count == 5 && last(3, Type::I32) && last(4, Type::I1),
            "llvm.ctlz" | "llvm.cttz" => count == 1,
            "llvm.objectsize" => count == 2 || count == 3,
            "llvm.lifetime.start" | "llvm.lifetime.end" => count == 2 && is_pointer(1),
            "llvm.masked.load" | "llvm.masked.gather" => count == 4 && last(1, Type::I32),
            "llvm.masked.store" | "llvm.masked.scatter" => count == 4 && last(2, Type::I32),
            "llvm.ptr.annotation" | "llvm.var.annotation" => count == 4 && last(3, Type::I32),
            "llvm.dbg.value" => count == 4,
            _ => false,
        }
    }
}

/// Whether a type is one that a word of the table asks for.
fn fits(module: &Module<'_>, word: &str, ty: Type, overloads: &[Type]) -> bool {
    let data = &module.types[ty];
    let overload = |digits: &str| digits.parse::<usize>().ok().and_then(|index| overloads.get(index).copied());
    let vector_of = |element: Type| match &module.types[element] {
        TypeData::Vector { element, .. } => Some(*element),
        _ => None,
    };
    match word {
        "any" => true,
        "anyint" => scalar_class(module, ty) == Class::Integer,
        "anyfloat" => scalar_class(module, ty) == Class::Float,
        "anyvector" => vector_of(ty).is_some(),
        "anyptr" => class(module, ty) == Class::Pointer,
        "void" => ty == Type::VOID,
        "token" => ty == Type::TOKEN,
        "metadata" => ty == Type::METADATA,
        "half" => ty == Type::HALF,
        "bfloat" => ty == Type::BFLOAT,
        "float" => ty == Type::FLOAT,
        "double" => ty == Type::DOUBLE,
        "ptr" => ty == Type::PTR,
        _ => {
            if let Some(index) = word.strip_prefix('=') {
                return overload(index) == Some(ty);
            }
            if let Some(index) = word.strip_prefix("element") {
                return overload(index).and_then(vector_of) == Some(ty);
            }
            if let Some((index, inner)) = word.strip_prefix("shaped").and_then(|rest| rest.split_once(':')) {
                let Some(like) = overload(index) else { return false };
                let is_alike = lanes(module, like) == lanes(module, ty);
                return is_alike && fits(module, inner, module.types.scalar(ty), overloads);
            }
            if let Some((index, parts)) = word.strip_prefix("part").and_then(|rest| rest.split_once(':')) {
                let (Some(like), Ok(parts)) = (overload(index), parts.parse::<u64>()) else { return false };
                let (whole, part) = (lanes(module, like), lanes(module, ty));
                return whole.zip(part).is_some_and(|((whole, _), (part, _))| part.checked_mul(parts) == Some(whole))
                    && vector_of(like) == vector_of(ty);
            }
            if let Some(index) = word.strip_prefix("pointers") {
                let Some(like) = overload(index) else { return false };
                return lanes(module, like) == lanes(module, ty) && scalar_class(module, ty) == Class::Pointer;
            }
            if let Some(space) = word.strip_prefix("ptr") {
                return matches!(data, TypeData::Pointer { address_space } if space.parse() == Ok(*address_space));
            }
            if let Some((length, element)) = word.strip_prefix('<').and_then(|rest| rest.split_once('x')) {
                let element = element.trim_end_matches('>');
                return matches!(data, TypeData::Vector { length: found, scalable: false, element: inner }
                    if length.parse() == Ok(*found) && fits(module, element, *inner, overloads));
            }
            match word.strip_prefix('i').and_then(|bits| bits.parse::<u32>().ok()) {
                Some(bits) => matches!(data, TypeData::Integer(found) if *found == bits),
                // A type of a processor that is no GPU.
                None => true,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Signature, TABLE, lookup};

    fn signatures() -> impl Iterator<Item = Signature> {
        let lines = TABLE.lines().map(|line| line.split_once(' ').expect("a name and types"));
        lines.map(|(name, types)| Signature { name, types })
    }

    /// The definition: the line of the longest beginning of a name, up to a full stop, that can have types behind it.
    fn defined(name: &[u8]) -> Option<&'static str> {
        let fits = |found: &Signature| {
            let rest = name.strip_prefix(found.name.as_bytes());
            rest.is_some_and(|rest| rest.is_empty() || rest[0] == b'.' && found.is_overloaded())
        };
        signatures().filter(fits).map(|found| found.name).max_by_key(|name| name.len())
    }

    #[test]
    fn lines_are_in_order() {
        assert!(signatures().map(|found| found.name).is_sorted_by(|one, other| one < other));
    }

    #[test]
    fn every_line_is_found_by_its_name() {
        for found in signatures() {
            assert_eq!(lookup(found.name.as_bytes()).map(|found| found.types), Some(found.types), "{}", found.name);
        }
    }

    #[test]
    fn every_name_has_the_line_that_it_is_defined_to_have() {
        for (number, line) in signatures().enumerate() {
            let behind = [&b".v4f32"[..], b".p0.p3.i64", b"z", b".", b".z.i32", b"\xff"][number % 6];
            let name = [line.name.as_bytes(), behind].concat();
            assert_eq!(lookup(&name).map(|found| found.name), defined(&name), "{}", name.escape_ascii());
            let cut = &line.name.as_bytes()[..line.name.len() - 1 - number % 4];
            assert_eq!(lookup(cut).map(|found| found.name), defined(cut), "{}", cut.escape_ascii());
        }
    }

    #[test]
    fn names_with_types_are_those_of_overloaded_intrinsics_only() {
        assert_eq!(lookup(b"llvm.fma.v4f32").map(|found| found.name), Some("llvm.fma"));
        assert_eq!(lookup(b"llvm.memcpy.p0.p3.i64").map(|found| found.name), Some("llvm.memcpy"));
        assert!(lookup(b"llvm.amdgcn.s.barrier.i32").is_none());
        assert!(lookup(b"llvm.nothing.of.the.kind").is_none());
    }
}
