//! What variables start with: values, lists with and without designators, strings.
//!
//! **Definition.** An initialiser is a list of *leaves*: a value for a part that is reached by a path of indices. What no leaf reaches is zero, or what its class makes of
//! nothing. On the stack the leaves become assignments and constructions after a fill with zeros; outside of it they become one [`Constant`].

use rustc_hash::FxHashSet;
use thin_vec::ThinVec;

use super::destroy::MOST_ELEMENTS;
use super::written::{FormKind, Length, Written};
use super::{Checker, Operand, Outcome};
use crate::diagnostic::Diagnostic;
use crate::source::Location;
use crate::token::Symbol;
use crate::tree::{Designator, Expr, Initializer, LargeKind};
use crate::typed::{AddressSpace, Constant, Expression, Global, Shape, Struct, Type, TypeKind};

type Item = (ThinVec<Designator>, Initializer);

/// A value for a part.
struct Leaf {
    path: Vec<u32>,
    value: LeafValue,
    location: Location,
}

/// What is said of an object that nothing makes before the program runs.
const MADE: &str = "a variable of the program that a constructor makes is not supported";

enum LeafValue {
    Expression(Expression),
    /// A string as long as the array.
    Bytes(Vec<u8>),
    /// What a constructor of a type makes of values.
    Object(Written, Vec<Operand>),
    /// What something of a type is by itself, where that is not zero.
    Itself(Written),
    /// What a member of an object of a type starts with by itself, where that is not zero: the path is that of the object.
    Member(Written, Struct, Symbol),
}

/// Where in a list the next value is taken from.
struct Cursor<'a> {
    items: &'a [Item],
    next: usize,
    /// The value at `next`, where it was looked at already.
    seen: Option<Operand>,
}

impl<'a> Checker<'a> {
    /// The type of a variable whose array's length is that of what it starts with.
    pub(super) fn sized_by(&mut self, of: Written, initializer: &'a Initializer) -> Outcome<Written> {
        let FormKind::Array(element, Length::Unknown) = *self.form(of) else { return Ok(of) };
        let length = match initializer {
            Initializer::Expression(value) => match self.string_for(of, *value)? {
                Some(bytes) => bytes.len() as u64 + 1,
                None => return Ok(of),
            },
            Initializer::List(items, _) => match items.first() {
                Some((designators, Initializer::Expression(value)))
                    if items.len() == 1 && designators.is_empty() && self.string_for(of, *value)?.is_some() =>
                {
                    self.string_for(of, *value)?.map_or(0, |bytes| bytes.len() as u64 + 1)
                }
                _ => self.list_length(element, items)?,
            },
        };
        let element = element.within(of);
        Ok(self.written.array(&mut self.program.types, element, Length::Known(length)))
    }

    /// How many elements a list has values for.
    fn list_length(&mut self, element: Written, items: &'a [Item]) -> Outcome<u64> {
        let is_flat = items.iter().all(|(designators, item)| {
            let is_string = matches!(item, Initializer::Expression(value) if matches!(self.tree.large(*value), Some(LargeKind::String(_))));
            designators.is_empty() && matches!(item, Initializer::Expression(_)) && !is_string
        });
        if is_flat && matches!(self.form(element), FormKind::Array(..)) {
            return Ok((items.len() as u64).div_ceil(self.scalars(element).max(1)));
        }
        if items.iter().any(|(_, item)| self.is_expansion(item)) {
            return Ok(self.list_values(items)?.len() as u64);
        }
        let (mut next, mut most) = (0u64, 0);
        for (designators, _) in items {
            if let Some(Designator::Index(index)) = designators.first() {
                next = self.designated(*index)?;
            }
            next += 1;
            most = most.max(next);
        }
        Ok(most)
    }

    /// How many numbers an array holds.
    fn scalars(&self, of: Written) -> u64 {
        match *self.form(of) {
            FormKind::Array(element, Length::Known(length)) => length.saturating_mul(self.scalars(element)),
            _ => 1,
        }
    }

    fn designated(&mut self, index: Expr) -> Outcome<u64> {
        let location = self.tree.expressions[index].location;
        let operand = self.operand(index)?;
        let value = self.build().constant_integer(operand.expression).and_then(|value| u32::try_from(value).ok());
        value.map(u64::from).ok_or_else(|| Diagnostic::error(location, "a designator is a constant index"))
    }

    /// The bytes of a string that a `char` array starts with; none for anything else.
    fn string_for(&mut self, of: Written, value: Expr) -> Outcome<Option<Vec<u8>>> {
        let FormKind::Array(element, _) = *self.form(of) else { return Ok(None) };
        let element = self.type_of(element);
        match self.tree.large(value) {
            Some(LargeKind::String(parts))
                if matches!(self.program.types.kind(element), TypeKind::Integer { bits: 8, .. }) =>
            {
                self.string_bytes(&parts.0, self.tree.expressions[value].location).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// An operand where it is known of which type it shall be: that is the type of a list.
    pub(super) fn operand_for(&mut self, of: Written, value: Expr) -> Outcome<Operand> {
        let location = self.tree.expressions[value].location;
        match self.tree.large(value) {
            Some(LargeKind::List(list)) => {
                let of = self.written.referred(of).unqualified().in_space(AddressSpace::Private);
                let variable = self.temporary(of, location);
                let place = Operand { expression: self.build().variable(variable, location), written: of };
                let filled = match self.is_made_unknown(of) {
                    true => self.unknown_initializer(place, Some(list), location),
                    false => self.initialize(place, list, location)?,
                };
                let place = self.build().variable(variable, location);
                Ok(Operand { expression: self.build().comma(filled, place, location), written: of })
            }
            _ => self.operand(value),
        }
    }

    /// The expression that puts into a place what it starts with.
    pub(super) fn initialize(
        &mut self,
        place: Operand,
        initializer: &'a Initializer,
        location: Location,
    ) -> Outcome<Expression> {
        let of = place.written;
        if self.has_constructors(of) {
            return self.initialize_object(place, initializer, location);
        }
        match initializer {
            Initializer::List(items, _) if items.iter().any(|(_, item)| self.is_expansion(item)) => {
                let values = self.list_values(items)?;
                return self.initialize_repeated(place, values, location);
            }
            Initializer::Expression(value) if self.is_expansion(initializer) => {
                let values = self.values(&[*value])?;
                return self.initialize_repeated(place, values, location);
            }
            _ => {}
        }
        let is_aggregate = matches!(self.form(of), FormKind::Array(..) | FormKind::Struct(_));
        if let Initializer::Expression(value) = initializer
            && self.string_for(of, *value)?.is_none()
        {
            let value = self.value_for(of, *value, location)?;
            return self.build().assign(place.expression, value, location);
        }
        if !is_aggregate {
            let value = self.scalar_initializer(of, initializer, location)?;
            return self.build().assign(place.expression, value, location);
        }
        let mut leaves = Vec::new();
        self.leaves(of, initializer, &mut Vec::new(), &mut leaves, location)?;
        let mut parts = vec![self.build().initialize_zero(place.expression, location)];
        for leaf in leaves {
            let mut at = place.expression;
            for &step in &leaf.path {
                at = self.step_into(at, step, leaf.location)?;
            }
            let value = match leaf.value {
                LeafValue::Expression(value) => value,
                LeafValue::Object(of, values) => {
                    let place = Operand { expression: at, written: of.within(place.written) };
                    parts.extend(self.construct_at(place, &values, leaf.location)?);
                    continue;
                }
                LeafValue::Member(of, class, name) => {
                    let object = Operand { expression: at, written: of.within(place.written) };
                    parts.extend(self.start_named(object, class, name, leaf.location)?);
                    continue;
                }
                LeafValue::Itself(of) => {
                    let place = Operand { expression: at, written: of.within(place.written) };
                    parts.extend(self.start(place, leaf.location)?);
                    continue;
                }
                LeafValue::Bytes(bytes) => {
                    let of = self.build().type_of(at);
                    let element = self.build().element(of);
                    let global = self.string_global(bytes, element, leaf.location);
                    let string = self.build().global(global, leaf.location);
                    self.build().load(string)
                }
            };
            parts.push(self.push_assign(at, value, leaf.location));
        }
        Ok(self.sequence(&parts, location))
    }

    /// A part of an array or struct at a place.
    pub(super) fn step_into(&mut self, place: Expression, index: u32, location: Location) -> Outcome<Expression> {
        match self.build().shape_of(place) {
            Shape::Array { .. } => {
                let int = self.program.types.integer(64, true);
                let index = self.build().integer(i128::from(index), int, location);
                self.build().index(place, index, location)
            }
            _ => Ok(self.build().field(place, index, location)),
        }
    }

    /// A value that something of a type starts with.
    fn value_for(&mut self, of: Written, value: Expr, location: Location) -> Outcome<Expression> {
        let operand = self.operand(value)?;
        let at = self.tree.expressions[value].location;
        let at = if at == Location::NONE { location } else { at };
        if let FormKind::Array(..) = *self.form(of) {
            let name = self.name_of(of);
            return Err(Diagnostic::error(at, format!("a `{name}` starts with a list in braces, or a string")));
        }
        self.converted(operand, of, at)
    }

    /// What a number, pointer or vector starts with.
    pub(super) fn scalar_initializer(
        &mut self,
        of: Written,
        initializer: &'a Initializer,
        location: Location,
    ) -> Outcome<Expression> {
        match initializer {
            Initializer::Expression(value) => self.value_for(of, *value, location),
            Initializer::List(items, place) => {
                let to = self.type_of(of);
                if let Some((designators, _)) = items.iter().find(|(designators, _)| !designators.is_empty()) {
                    let at = match designators[0] {
                        Designator::Field(_, at) => at,
                        Designator::Index(index) => self.tree.expressions[index].location,
                    };
                    let name = self.name_of(of);
                    return Err(Diagnostic::error(at, format!("a `{name}` has no parts to be designated")));
                }
                match &items[..] {
                    [] => Ok(self.nothing(to, 0, *place)),
                    [(_, only)] if !matches!(self.build().shape(to), Shape::Vector { .. }) => {
                        self.scalar_initializer(of, only, *place)
                    }
                    _ if matches!(self.build().shape(to), Shape::Vector { .. }) => self.vector_list(of, items, *place),
                    _ => {
                        let name = self.name_of(of);
                        Err(Diagnostic::error(*place, format!("a `{name}` starts with one value, not {}", items.len())))
                    }
                }
            }
        }
    }

    /// `float4 v = {1, 2, 3}`: lanes without a value are zero.
    fn vector_list(&mut self, of: Written, items: &'a [Item], location: Location) -> Outcome<Expression> {
        let to = self.type_of(of);
        let Shape::Vector { element, lanes } = self.build().shape(to) else {
            return Err(Diagnostic::error(location, "a list of lanes is for vectors"));
        };
        let (mut parts, mut count) = (Vec::new(), 0);
        for (_, item) in items {
            let Initializer::Expression(value) = item else {
                return Err(Diagnostic::error(location, "a lane of a vector starts with one value"));
            };
            let operand = self.operand(*value)?;
            count += match self.build().shape_of(operand.expression) {
                Shape::Vector { lanes, .. } => lanes,
                _ => 1,
            };
            parts.push(operand);
        }
        while count < lanes {
            let zero = self.nothing(element, 0, location);
            parts.push(self.plain(zero));
            count += 1;
        }
        if let [only] = parts[..] {
            return self.converted(only, of, location);
        }
        Ok(self.vector_of(of, parts, location)?.expression)
    }

    /// The leaves of an initialiser.
    fn leaves(
        &mut self,
        of: Written,
        initializer: &'a Initializer,
        path: &mut Vec<u32>,
        leaves: &mut Vec<Leaf>,
        location: Location,
    ) -> Outcome<()> {
        if self.has_constructors(of) {
            let values = self.constructor_values(initializer)?;
            leaves.push(Leaf { path: path.clone(), value: LeafValue::Object(of, values), location });
            return Ok(());
        }
        let form = self.form(of).clone();
        let value = match (initializer, form) {
            (Initializer::Expression(value), _) => match self.string_for(of, *value)? {
                Some(bytes) => self.string_leaf(of, bytes, location)?,
                None => LeafValue::Expression(self.value_for(of, *value, location)?),
            },
            (Initializer::List(items, place), FormKind::Array(..) | FormKind::Struct(_)) => {
                if let [(designators, Initializer::Expression(value))] = &items[..]
                    && designators.is_empty()
                    && let Some(bytes) = self.string_for(of, *value)?
                {
                    let value = self.string_leaf(of, bytes, *place)?;
                    leaves.push(Leaf { path: path.clone(), value, location: *place });
                    return Ok(());
                }
                self.deeper(*place)?;
                let mut cursor = Cursor { items, next: 0, seen: None };
                let result = self.list_leaves(of, &mut cursor, true, path, leaves, *place);
                self.state.depth -= 1;
                return result;
            }
            (Initializer::List(..), _) => LeafValue::Expression(self.scalar_initializer(of, initializer, location)?),
        };
        leaves.push(Leaf { path: path.clone(), value, location });
        Ok(())
    }

    fn string_leaf(&mut self, of: Written, mut bytes: Vec<u8>, location: Location) -> Outcome<LeafValue> {
        if let FormKind::Array(_, Length::Known(length)) = *self.form(of) {
            if bytes.len() as u64 > length {
                let message = format!("a string of {} characters does not fit in an array of {length}", bytes.len());
                return Err(Diagnostic::error(location, message));
            }
            self.spend_elements(length, location)?;
            bytes.resize(length as usize, 0);
        }
        Ok(LeafValue::Bytes(bytes))
    }

    /// The types of the parts of an array or struct: how many there are, and that of one.
    fn parts(&mut self, of: Written) -> (u64, Parts) {
        match *self.form(of) {
            FormKind::Array(element, length) => {
                let length = if let Length::Known(length) = length { length } else { 0 };
                (length, Parts::Element(element))
            }
            FormKind::Struct(number) => {
                let members = self.member_types(number);
                let count = members.len() as u64;
                let count = if self.program.types.structs[number].is_union { count.min(1) } else { count };
                (count, Parts::Members(members))
            }
            _ => (0, Parts::Members(Vec::new())),
        }
    }

    /// Takes values from a list for the parts of an array or struct. Without braces of its own it takes as many as it has parts.
    fn list_leaves(
        &mut self,
        of: Written,
        cursor: &mut Cursor<'a>,
        is_braced: bool,
        path: &mut Vec<u32>,
        leaves: &mut Vec<Leaf>,
        location: Location,
    ) -> Outcome<()> {
        self.complete(of, location)?;
        let (count, parts) = self.parts(of);
        let (mut index, first) = (0u64, leaves.len());
        while let Some((designators, item)) = cursor.items.get(cursor.next) {
            if !designators.is_empty() && cursor.seen.is_none() {
                if !is_braced {
                    break;
                }
                cursor.next += 1;
                let depth = path.len();
                let target = self.designate(of, designators, path, location)?;
                index = path.get(depth).map_or(0, |&first| u64::from(first));
                self.leaves(target, item, path, leaves, location)?;
                path.truncate(depth);
                index += 1;
                continue;
            }
            if index >= count {
                if is_braced {
                    let name = self.name_of(of);
                    let message = format!("there are more values than a `{name}` has parts ({count})");
                    return Err(Diagnostic::error(location, message));
                }
                break;
            }
            path.push(index as u32);
            self.next_leaf(parts.of(index), item, cursor, path, leaves, location)?;
            path.pop();
            index += 1;
        }
        self.leaves_of_rest(of, (count, &parts), first, path, leaves, location)
    }

    /// The leaves of the parts that the leaves from a number on do not reach.
    fn leaves_of_rest(
        &mut self,
        whole: Written,
        (count, parts): (u64, &Parts),
        first: usize,
        path: &[u32],
        leaves: &mut Vec<Leaf>,
        location: Location,
    ) -> Outcome<()> {
        if !self.is_started(whole) {
            return Ok(());
        }
        let reached: FxHashSet<u32> =
            leaves[first..].iter().filter_map(|leaf| leaf.path.get(path.len()).copied()).collect();
        let is_array = matches!(parts, Parts::Element(_));
        if is_array && count.saturating_sub(reached.len() as u64) > MOST_ELEMENTS {
            let message = format!("an array of more than {MOST_ELEMENTS} objects with constructors");
            return Err(Diagnostic::unsupported(location, message));
        }
        for index in (0..count).filter(|&index| !reached.contains(&(index as u32))) {
            let of = parts.of(index);
            if let FormKind::Struct(class) = *self.form(whole)
                && let Some(name) = self.member_at(class, index as u32)
            {
                leaves.push(Leaf { path: path.to_vec(), value: LeafValue::Member(whole, class, name), location });
            } else if self.is_started(of) {
                let path = path.iter().copied().chain([index as u32]).collect();
                leaves.push(Leaf { path, value: LeafValue::Itself(of), location });
            }
        }
        Ok(())
    }

    /// The leaves of one part, from the next value of the list.
    fn next_leaf(
        &mut self,
        part: Written,
        item: &'a Initializer,
        cursor: &mut Cursor<'a>,
        path: &mut Vec<u32>,
        leaves: &mut Vec<Leaf>,
        location: Location,
    ) -> Outcome<()> {
        let Initializer::Expression(value) = item else {
            cursor.next += 1;
            return self.leaves(part, item, path, leaves, location);
        };
        if cursor.seen.is_none()
            && let Some(bytes) = self.string_for(part, *value)?
        {
            cursor.next += 1;
            let value = self.string_leaf(part, bytes, location)?;
            leaves.push(Leaf { path: path.clone(), value, location });
            return Ok(());
        }
        let at = self.tree.expressions[*value].location;
        let operand = match cursor.seen.take() {
            Some(operand) => operand,
            None => self.operand(*value)?,
        };
        if self.has_constructors(part) {
            cursor.next += 1;
            leaves.push(Leaf { path: path.clone(), value: LeafValue::Object(part, vec![operand]), location: at });
            return Ok(());
        }
        let is_struct = matches!(self.form(part), FormKind::Struct(_));
        let is_array = matches!(self.form(part), FormKind::Array(..));
        if is_array || is_struct && operand.written.form != part.form {
            // Braces are left out: the parts of the part take the values.
            cursor.seen = Some(operand);
            let before = cursor.next;
            self.deeper(at)?;
            let result = self.list_leaves(part, cursor, false, path, leaves, location);
            self.state.depth -= 1;
            result?;
            if cursor.next == before {
                let name = self.name_of(part);
                return Err(Diagnostic::error(at, format!("a `{name}` has no part for this value")));
            }
            return Ok(());
        }
        cursor.next += 1;
        let of = self.type_of(part);
        if let Shape::Vector { .. } = self.build().shape(of)
            && !matches!(self.build().shape_of(operand.expression), Shape::Vector { .. })
        {
            let message = "lanes of a vector without braces of their own in a list are not supported";
            return Err(Diagnostic::unsupported(at, message));
        }
        let value = LeafValue::Expression(self.converted(operand, part, at)?);
        leaves.push(Leaf { path: path.clone(), value, location: at });
        Ok(())
    }

    /// Follows designators; the path to the part is appended.
    fn designate(
        &mut self,
        of: Written,
        designators: &'a [Designator],
        path: &mut Vec<u32>,
        location: Location,
    ) -> Outcome<Written> {
        let mut at = of;
        for designator in designators {
            match (designator, self.form(at).clone()) {
                (Designator::Index(index), FormKind::Array(element, length)) => {
                    let location = self.tree.expressions[*index].location;
                    let index = self.designated(*index)?;
                    if matches!(length, Length::Known(length) if index >= length) {
                        let message = format!("the designator {index} is beyond the end of the array");
                        return Err(Diagnostic::error(location, message));
                    }
                    path.push(index as u32);
                    at = element;
                }
                (Designator::Field(name, location), FormKind::Struct(number)) => {
                    let member = self.member(number, *name, *location)?;
                    path.extend(&member.path);
                    at = member.of;
                }
                _ => {
                    let name = self.name_of(at);
                    return Err(Diagnostic::error(location, format!("a `{name}` has no part of that kind")));
                }
            }
        }
        Ok(at)
    }

    /// What a variable that is not on the stack starts with.
    pub(super) fn static_initializer(
        &mut self,
        of: Written,
        initializer: &'a Initializer,
        location: Location,
    ) -> Outcome<Constant> {
        let mut leaves = Vec::new();
        self.leaves(of, initializer, &mut Vec::new(), &mut leaves, location)?;
        let root = self.type_of(of);
        let mut result = Constant::Zero;
        for leaf in leaves {
            let value = match leaf.value {
                LeafValue::Bytes(bytes) => Constant::Bytes(bytes),
                LeafValue::Object(of, values) => {
                    let at = leaf.location;
                    self.known_object(of, at, |checker, place| checker.construct_at(place, &values, at))?
                }
                LeafValue::Itself(of) => {
                    self.known_object(of, leaf.location, |checker, place| checker.start(place, leaf.location))?
                }
                LeafValue::Member(..) => return Err(Diagnostic::unsupported(leaf.location, MADE)),
                // Who reads it does not know what it is.
                LeafValue::Expression(expression) if self.build().shape_of(expression) == Shape::Unknown => continue,
                LeafValue::Expression(expression) => {
                    let value = self.known_value(expression, leaf.location)?;
                    let message = "this is not known when the program is translated, so no variable of the program starts with it";
                    value.ok_or_else(|| Diagnostic::error(leaf.location, message))?
                }
            };
            self.put(&mut result, root, &leaf.path, value, leaf.location)?;
        }
        Ok(result)
    }

    /// The object that a constructor makes when the program is translated.
    fn known_object<P: IntoIterator<Item = Expression>>(
        &mut self,
        of: Written,
        location: Location,
        make: impl FnOnce(&mut Self, Operand) -> Outcome<P>,
    ) -> Outcome<Constant> {
        let variable = self.temporary(of, location);
        let place = Operand { expression: self.build().variable(variable, location), written: of.unqualified() };
        let mut parts: Vec<Expression> = make(self, place)?.into_iter().collect();
        let made = self.build().variable(variable, location);
        parts.push(self.build().load(made));
        let whole = self.sequence(&parts, location);
        self.known_value(whole, location)?.ok_or_else(|| Diagnostic::unsupported(location, MADE))
    }

    /// Puts a constant at a path in another one.
    fn put(&mut self, into: &mut Constant, of: Type, path: &[u32], value: Constant, location: Location) -> Outcome<()> {
        let (mut at, mut of) = (into, of);
        for &step in path {
            let (count, part) = match *self.program.types.kind(of) {
                TypeKind::Array { element, length } => (length, element),
                TypeKind::Struct(number) => {
                    let data = &self.program.types.structs[number];
                    if data.is_union && step > 0 {
                        let message = "constant unions that start with another member than the first are not supported";
                        return Err(Diagnostic::unsupported(location, message));
                    }
                    let count = if data.is_union { 1 } else { data.fields.len() as u64 };
                    (count, data.fields[step as usize].of)
                }
                _ => return Err(Diagnostic::error(location, "this has no parts")),
            };
            if *at == Constant::Zero && value.is_zero() && u64::from(step) < count {
                // The part is zero as it is: `{0}` costs nothing, however long the array.
                return Ok(());
            }
            if *at == Constant::Zero {
                self.spend_elements(count, location)?;
                *at = Constant::Aggregate(vec![Constant::Zero; count as usize]);
            }
            let Constant::Aggregate(parts) = at else {
                return Err(Diagnostic::unsupported(location, "a string that is changed in part is not supported"));
            };
            let length = parts.len();
            let message = || format!("there is no part {step} of {length}");
            at = parts.get_mut(step as usize).ok_or_else(|| Diagnostic::error(location, message()))?;
            of = part;
        }
        *at = value;
        Ok(())
    }

    /// Counts elements of a constant: those that the text leaves zero cost as much as the others.
    pub(super) fn spend_elements(&mut self, count: u64, location: Location) -> Outcome<()> {
        let limit = self.limits().constant_elements;
        let spent = &mut self.spent.constant_elements;
        *spent = spent.saturating_add(usize::try_from(count).unwrap_or(usize::MAX));
        if *spent <= limit {
            return Ok(());
        }
        let message = format!("more than {limit} elements of constant arrays and structs are not supported");
        Err(Diagnostic::limit(location, message).raised_by("constant-elements"))
    }

    /// A global that holds bytes; one for equal ones.
    pub(super) fn string_global(&mut self, bytes: Vec<u8>, element: Type, location: Location) -> Global {
        let key = (bytes, element);
        if let Some(&global) = self.strings.get(&key) {
            return global;
        }
        let bytes = &key.0;
        let of = self.program.types.intern(TypeKind::Array { element, length: bytes.len() as u64 });
        let name = self.unique_name(".str");
        let global = self.program.globals.push(crate::typed::GlobalData {
            name,
            written: String::new(),
            of,
            space: self.string_space(),
            is_constant: true,
            is_external: false,
            is_internal: true,
            initializer: Some(Constant::Bytes(bytes.clone())),
            alignment: None,
            location,
        });
        self.strings.insert(key, global);
        global
    }
}

enum Parts {
    Element(Written),
    Members(Vec<Written>),
}

impl Parts {
    /// The type of a part.
    fn of(&self, index: u64) -> Written {
        match self {
            Parts::Element(element) => *element,
            Parts::Members(members) => members[index as usize],
        }
    }
}
