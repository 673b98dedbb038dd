//! What the members of structs are called that kernels are given by value.

use reconverge_exec::launch::Element;
use reconverge_exec::{Member, Members};
use reconverge_lang::typed::{FloatKind, Layout, Program, Struct, Type, TypeKind};
use rustc_hash::FxHashMap;

/// More members than these of one parameter are not listed.
const MOST: usize = 256;

/// Those of the structs that have pointers, by the names of kernels in IR. Structs with unions have none: who shares memory with whom has no one name.
pub(super) fn members(program: &Program) -> Members {
    let layout = Layout { types: &program.types, target: program.target };
    let kernels = program.functions.values().filter(|data| data.is_kernel);
    let of_kernel = kernels.filter_map(|data| {
        let body = data.body.as_ref()?;
        let parameters = body.parameters.iter().map(|&parameter| body.variables[parameter].of).enumerate();
        let of_one = |(index, of): (usize, Type)| {
            let TypeKind::Struct(number) = *program.types.kind(of) else { return None };
            let mut found = Found { layout, members: Vec::new(), has_pointer: false };
            found.members_of(number, 0, "")?;
            found.has_pointer.then_some((index, found.members))
        };
        let structs: FxHashMap<usize, Vec<Member>> = parameters.filter_map(of_one).collect();
        (!structs.is_empty()).then(|| (data.linkage_name.clone(), structs))
    });
    of_kernel.collect()
}

struct Found<'a> {
    layout: Layout<'a>,
    members: Vec<Member>,
    has_pointer: bool,
}

impl Found<'_> {
    /// The members of a struct that begins at a byte; nothing where one cannot be named.
    fn members_of(&mut self, number: Struct, start: u64, before: &str) -> Option<()> {
        let layout = self.layout;
        let data = &layout.types.structs[number];
        if data.is_union || !data.is_complete {
            return None;
        }
        for (field, index) in data.fields.iter().zip(0..) {
            let offset = start + layout.offset(number, index);
            // A base class has no name.
            match field.name.as_str() {
                "" => self.add(field.of, offset, before)?,
                name => self.add(field.of, offset, &format!("{before}.{name}"))?,
            }
        }
        Some(())
    }

    fn add(&mut self, of: Type, offset: u64, name: &str) -> Option<()> {
        let types = self.layout.types;
        let points_to = match *types.kind(of) {
            TypeKind::Struct(number) => return self.members_of(number, offset, name),
            TypeKind::Array { element, length } => {
                let size = self.layout.size(element);
                return (0..length)
                    .try_for_each(|index| self.add(element, offset + index * size, &format!("{name}[{index}]")));
            }
            TypeKind::Vector { element, lanes } => {
                const LANES: [&str; 4] = ["x", "y", "z", "w"];
                let size = self.layout.size(element);
                let lane = |index: u64| match LANES.get(index as usize).filter(|_| lanes <= 4) {
                    Some(lane) => format!("{name}.{lane}"),
                    None => format!("{name}[{index}]"),
                };
                return (0..u64::from(lanes))
                    .try_for_each(|index| self.add(element, offset + index * size, &lane(index)));
            }
            TypeKind::Pointer { pointee, .. } => {
                self.has_pointer = true;
                element_of(types.kind(pointee))
            }
            _ => None,
        };
        self.members.push(Member { offset, name: name.to_owned(), points_to });
        (self.members.len() <= MOST).then_some(())
    }
}

/// The element of a buffer that has values of a type.
fn element_of(kind: &TypeKind) -> Option<Element> {
    Some(match *kind {
        TypeKind::Bool => Element::U8,
        TypeKind::Integer { bits: 8, signed } => {
            if signed {
                Element::I8
            } else {
                Element::U8
            }
        }
        TypeKind::Integer { bits: 16, signed } => {
            if signed {
                Element::I16
            } else {
                Element::U16
            }
        }
        TypeKind::Integer { bits: 32, signed } => {
            if signed {
                Element::I32
            } else {
                Element::U32
            }
        }
        TypeKind::Integer { bits: 64, signed } => {
            if signed {
                Element::I64
            } else {
                Element::U64
            }
        }
        TypeKind::Float(FloatKind::Half) => Element::F16,
        TypeKind::Float(FloatKind::BFloat) => Element::BF16,
        TypeKind::Float(FloatKind::Single) => Element::F32,
        TypeKind::Float(FloatKind::Double) => Element::F64,
        _ => return None,
    })
}
