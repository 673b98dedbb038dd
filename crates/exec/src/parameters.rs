//! What a launch gives a kernel by its parameters: one argument for each, and for a struct that has pointers one for each member.
//!
//! **Names.** A member is called as the source calls it (`p.data`, `p.inner.n`, `p.sizes[2]`), where [`Members`] say that; what has no name there is padding, which nobody gives. Otherwise it has its number among
//! the scalars that the struct consists of (`p.0`).

use reconverge_ir::layout::DataLayout;
use reconverge_ir::module::ParameterData;
use reconverge_ir::types::{Type, TypeData};
use reconverge_ir::{FunctionId, Module};
use rustc_hash::FxHashMap;

use crate::launch::Element;
use crate::layout::{Place, flatten};
use crate::value::Scalar;

/// What members of structs are called: by the name of the function without sigil, then by the number of its parameter.
pub type Members = FxHashMap<String, FxHashMap<usize, Vec<Member>>>;

/// A member of a struct, as the source calls it. Of an array, each element is one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// The bytes before it.
    pub offset: u64,
    /// Behind the name of the parameter: `.data`, `.sizes[2]`.
    pub name: String,
    /// Of a pointer: what it points to, where that is an element of a buffer.
    pub points_to: Option<Element>,
}

/// More members than these nobody writes on a command line.
const MOST_MEMBERS: usize = 256;

/// Something that a launch gives a kernel by a parameter.
#[derive(Debug, Clone)]
pub(crate) struct Passed {
    /// The number of the parameter.
    pub(crate) parameter: usize,
    /// The name, without sigil; the number of a parameter that has none.
    pub(crate) name: String,
    /// Of a struct that is given by its members: which one.
    pub(crate) member: Option<PassedMember>,
}

/// A member of a struct that is given by its members.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PassedMember {
    /// Its number among the scalars of the struct.
    pub(crate) number: usize,
    pub(crate) scalar: Scalar,
    pub(crate) points_to: Option<Element>,
}

impl PassedMember {
    /// Its type, as the text of IR has it.
    pub(crate) fn ty(self) -> String {
        match self.scalar {
            Scalar::Integer(bits) => format!("i{bits}"),
            Scalar::Half => "half".to_owned(),
            Scalar::BFloat => "bfloat".to_owned(),
            Scalar::Float => "float".to_owned(),
            Scalar::Double => "double".to_owned(),
            Scalar::Pointer(0) => "ptr".to_owned(),
            Scalar::Pointer(space) => format!("ptr addrspace({space})"),
            Scalar::Token => "token".to_owned(),
        }
    }
}

/// The type of a struct that a parameter passes in memory: a copy of it, or the launch's own.
pub(crate) fn in_memory(module: &Module<'_>, parameter: &ParameterData) -> Option<Type> {
    let attribute = |name: &[u8]| module.type_attribute(parameter.attributes, name).ok().flatten();
    attribute(b"byval").or_else(|| attribute(b"byref"))
}

/// What a launch gives a function, in order.
pub(crate) fn passed(
    module: &Module<'_>,
    layout: &DataLayout,
    members: Option<&Members>,
    id: FunctionId,
) -> Vec<Passed> {
    let function = &module.functions[id];
    let named =
        members.and_then(|members| members.get(&*String::from_utf8_lossy(&module.symbol_name(function.symbol))));
    let of_one = |(index, parameter): (usize, &ParameterData)| {
        let name = parameter.name.map_or_else(|| index.to_string(), |name| module.local_name(name));
        let places = by_members(module, layout, parameter);
        if places.is_empty() {
            return vec![Passed { parameter: index, name, member: None }];
        }
        let named = named.and_then(|named| named.get(&index));
        let member = |(number, place): (usize, &Place)| {
            let known = named.map(|known| known.iter().find(|member| member.offset == place.byte_offset()));
            let (behind, points_to) = match known {
                Some(known) => known.map(|member| (member.name.clone(), member.points_to))?,
                None => (format!(".{number}"), None),
            };
            let member = PassedMember { number, scalar: place.scalar, points_to };
            Some(Passed { parameter: index, name: format!("{name}{behind}"), member: Some(member) })
        };
        places.iter().enumerate().filter_map(member).collect()
    };
    function.parameters.iter().enumerate().flat_map(of_one).collect()
}

/// The scalars of a struct that is given by its members: it is passed by value, and has a pointer. Else none.
pub(crate) fn by_members(module: &Module<'_>, layout: &DataLayout, parameter: &ParameterData) -> Vec<Place> {
    let ty = in_memory(module, parameter).unwrap_or(parameter.ty);
    let is_struct = matches!(module.types[ty], TypeData::Struct { .. } | TypeData::Named(_) | TypeData::Array { .. });
    let places = if is_struct { flatten(module, layout, ty).unwrap_or_default() } else { Vec::new() };
    let has_pointer = places.iter().any(|place| matches!(place.scalar, Scalar::Pointer(_)));
    if has_pointer && places.len() <= MOST_MEMBERS { places } else { Vec::new() }
}
