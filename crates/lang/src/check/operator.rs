//! Operators: arithmetic, comparisons, assignments, `?:`, addresses.
//!
//! **Invariant.** A chain of operators to the left (`a + b + c`, `a, b, c`) is followed in a loop, so that its length costs no stack.

use smallvec::SmallVec;

use super::state::This;
use super::written::{FormKind, Written};
use super::{Checker, Operand, Outcome};
use crate::diagnostic::Diagnostic;
use crate::source::Location;
use crate::tree::{BinaryOperator, Expr, ExprKind, LargeKind, UnaryOperator};
use crate::typed::{AddressSpace, Conversion, Expression, ExpressionKind, Shape, operator_text};

impl<'a> Checker<'a> {
    /// A comparison is an `int` in C.
    pub(super) fn truth(&mut self, made: Expression) -> Operand {
        let of = self.build().shape_of(made);
        let made = match !self.is_cpp() && of == Shape::Bool {
            true => {
                let int = self.program.types.integer(32, true);
                self.build().convert_to(Conversion::Arithmetic, made, int)
            }
            false => made,
        };
        self.plain(made)
    }

    /// Operators whose left operand is again one: from the innermost outwards.
    pub(super) fn chain(&mut self, expr: Expr) -> Outcome<Operand> {
        let tree = self.tree;
        let mut rest: SmallVec<[(BinaryOperator, Expr, Location); 4]> = SmallVec::new();
        let mut at = expr;
        while let ExprKind::Binary(operator, left, right) = tree.expressions[at].kind {
            rest.push((operator, right, tree.expressions[at].location));
            at = left;
        }
        let mut left = self.operand(at)?;
        while let Some((operator, right, location)) = rest.pop() {
            let made = self.state.temporaries.len();
            let right = self.operand(right)?;
            if matches!(operator, BinaryOperator::LogicalAnd | BinaryOperator::LogicalOr) {
                self.check_unconditional(made, location)?;
            }
            left = match self.binary(operator, left, right, location) {
                Err(wrong) if self.goes_on(&wrong) => self.unknown_operation(&wrong, &[left, right], location),
                made => made?,
            };
        }
        Ok(left)
    }

    pub(super) fn binary(
        &mut self,
        operator: BinaryOperator,
        left: Operand,
        right: Operand,
        location: Location,
    ) -> Outcome<Operand> {
        use BinaryOperator::{
            Add, Equal, Greater, GreaterEqual, Less, LessEqual, LogicalAnd, LogicalOr, NotEqual, Subtract,
        };
        if let Some(made) = self.overloaded(operator_text(operator), &[left, right], location) {
            return made;
        }
        if self.is_member_pointer(left.written) || self.is_member_pointer(right.written) {
            return self.member_pointer_operator(operator, left, right, location);
        }
        let is_for_condition =
            |operand: Operand| self.is_unknown(operand.written) || self.class_of(operand.written).is_some();
        if matches!(operator, LogicalAnd | LogicalOr) && (is_for_condition(left) || is_for_condition(right)) {
            let (left, right) = (self.condition(left)?, self.condition(right)?);
            let made = self.build().binary(operator, left, right, location)?;
            return Ok(self.truth(made));
        }
        let is_comparison = matches!(operator, Less | Greater | LessEqual | GreaterEqual | Equal | NotEqual);
        if is_comparison && left.written.form == right.written.form && self.is_enum_class(left.written) {
            let (left, right) = (self.value(left), self.value(right));
            let made = self.build().compare(operator, left.expression, right.expression, location)?;
            return Ok(self.truth(made));
        }
        let left = self.as_number(left, location)?;
        let right = self.as_number(right, location)?;
        if self.is_cpp() && (self.is_struct(left.written) || self.is_struct(right.written)) {
            return match self.vector_operator(operator, left, right, location) {
                Some(made) => made,
                None => Err(self.struct_operator(operator, left, right, location)),
            };
        }
        let (a, b) = (self.arithmetic_value(left)?, self.arithmetic_value(right)?);
        let made = self.build().binary(operator, a, b, location)?;
        if is_comparison || matches!(operator, LogicalAnd | LogicalOr) {
            return Ok(self.truth(made));
        }
        // A pointer keeps what is written about its pointee.
        if matches!(operator, Add | Subtract) && matches!(self.build().kind(made), ExpressionKind::PointerOffset(..)) {
            let (left, right) = (self.pointer_of(left.written), self.pointer_of(right.written));
            if let Some(written) = left.or(right) {
                return Ok(Operand { expression: made, written });
            }
        }
        Ok(self.plain(made))
    }

    /// An operator of C++ that somebody may have defined for structs.
    fn struct_operator(
        &mut self,
        operator: BinaryOperator,
        left: Operand,
        right: Operand,
        location: Location,
    ) -> Diagnostic {
        let (left, right) = (self.name_of(left.written), self.name_of(right.written));
        let operator = operator_text(operator);
        let message = format!("`{operator}` of `{left}` and `{right}`: operators of structs are not supported");
        Diagnostic::unsupported(location, message)
    }

    /// The pointer that something is, or becomes as a value.
    fn pointer_of(&mut self, of: Written) -> Option<Written> {
        match *self.form(of) {
            FormKind::Pointer(_) => Some(of.unqualified()),
            FormKind::Array(element, _) => {
                let element = element.within(of);
                let space = of.space.unwrap_or(AddressSpace::Private);
                Some(self.written.pointer(&mut self.program.types, element.in_space(space)))
            }
            _ => None,
        }
    }

    pub(super) fn is_enum_class(&self, of: Written) -> bool {
        matches!(*self.form(of), FormKind::Enum(number) if self.written.enums[number].is_class)
    }

    /// `a, b, c`: the place or value is the last one's.
    pub(super) fn commas(&mut self, expr: Expr) -> Outcome<Operand> {
        let tree = self.tree;
        let mut rest: SmallVec<[(Expr, Location); 4]> = SmallVec::new();
        let mut at = expr;
        while let ExprKind::Comma(first, last) = tree.expressions[at].kind {
            rest.push((last, tree.expressions[at].location));
            at = first;
        }
        let mut parts = vec![self.expression(at)?.expression];
        let mut written = None;
        while let Some((last, _)) = rest.pop() {
            let mut operand = self.expression(last)?;
            if rest.is_empty() {
                if !self.is_cpp() {
                    operand = self.value(operand);
                }
                written = Some(operand.written);
            }
            parts.push(operand.expression);
        }
        let location = tree.expressions[expr].location;
        let expression = self.sequence(&parts, location);
        Ok(Operand { expression, written: written.expect("a comma has two sides") })
    }

    /// Expressions one after the other, as a tree of commas that is not deep. There is at least one.
    pub(super) fn sequence(&mut self, parts: &[Expression], location: Location) -> Expression {
        match parts {
            [only] => *only,
            _ => {
                let (first, last) = parts.split_at(parts.len() / 2);
                let (first, last) = (self.sequence(first, location), self.sequence(last, location));
                self.build().comma(first, last, location)
            }
        }
    }

    pub(super) fn unary(&mut self, operator: UnaryOperator, operand: Expr, location: Location) -> Outcome<Operand> {
        match operator {
            UnaryOperator::AddressOf => {
                let operand = self.expression(operand)?;
                let mut operand = self.place_of_choice(operand);
                if let Some(This::Value(..)) = self.state.this
                    && !self.build().is_place(operand.expression)
                {
                    // A member of a copy of a lambda's object.
                    operand = self.object_place(operand, location);
                }
                let expression = self.build().address_of(operand.expression, location)?;
                if let FormKind::Pointer(_) = *self.form(operand.written)
                    && matches!(self.build().kind(expression), ExpressionKind::Function(_))
                {
                    return Ok(Operand { expression, written: operand.written });
                }
                let (space, _) = self.build().space_of_place(operand.expression);
                let to = operand.written.in_space(space);
                let written = self.written.pointer(&mut self.program.types, to);
                Ok(Operand { expression, written })
            }
            UnaryOperator::Dereference => {
                let operand = self.expression(operand)?;
                if let Some(made) = self.overloaded("*", &[operand], location) {
                    return made;
                }
                let operand = self.as_number(operand, location)?;
                let operand = self.value(operand);
                self.dereference(operand, location)
            }
            UnaryOperator::Not => {
                let operand = self.operand(operand)?;
                if let Some(made) = self.overloaded("!", &[operand], location) {
                    return made;
                }
                let is_object = self.class_of(operand.written).is_some();
                let operand = if is_object { operand } else { self.as_number(operand, location)? };
                let value = match is_object || self.is_member_pointer(operand.written) {
                    true => self.condition(operand)?,
                    false => self.arithmetic_value(operand)?,
                };
                let made = self.build().not(value, location)?;
                Ok(self.truth(made))
            }
            UnaryOperator::Plus => {
                let operand = self.operand(operand)?;
                if let Some(made) = self.overloaded("+", &[operand], location) {
                    return made;
                }
                let operand = self.as_number(operand, location)?;
                if matches!(self.form(operand.written), FormKind::Pointer(_) | FormKind::Array(..)) && self.is_cpp() {
                    return Ok(self.value(operand));
                }
                let value = self.arithmetic_value(operand)?;
                if let Shape::Pointer { .. } = self.build().shape_of(value) {
                    let name = self.name_of(operand.written);
                    return Err(Diagnostic::error(location, format!("`+` does not take `{name}`")));
                }
                let made = self.build().plus(value, location)?;
                Ok(self.plain(made))
            }
            UnaryOperator::Minus => {
                let operand = self.operand(operand)?;
                if let Some(made) = self.overloaded("-", &[operand], location) {
                    return made;
                }
                if let Some(made) = self.negated_vector(operand, location) {
                    return made;
                }
                let operand = self.as_number(operand, location)?;
                let value = self.arithmetic_value(operand)?;
                let made = self.build().negate(value, location)?;
                Ok(self.plain(made))
            }
            UnaryOperator::Complement => {
                let operand = self.operand(operand)?;
                if let Some(made) = self.overloaded("~", &[operand], location) {
                    return made;
                }
                let operand = self.as_number(operand, location)?;
                let value = self.arithmetic_value(operand)?;
                let made = self.build().complement(value, location)?;
                Ok(self.plain(made))
            }
        }
    }

    /// `*x`: the place.
    pub(super) fn dereference(&mut self, pointer: Operand, location: Location) -> Outcome<Operand> {
        let FormKind::Pointer(to) = *self.form(pointer.written) else {
            let name = self.name_of(pointer.written);
            return Err(Diagnostic::error(location, format!("`*` does not take `{name}`")));
        };
        if let FormKind::Function(_) = *self.form(to) {
            return Ok(pointer);
        }
        let expression = self.build().dereference(pointer.expression, location)?;
        Ok(Operand { expression, written: to })
    }

    /// That a place may be written.
    fn check_writable(&mut self, place: Operand, location: Location) -> Outcome<()> {
        let is_constant_space = place.written.space == Some(AddressSpace::Constant) && self.is_opencl();
        if place.written.is_const || is_constant_space && self.build().is_place(place.expression) {
            let name = self.name_of(place.written);
            return Err(Diagnostic::error(location, format!("a `const {name}` cannot be assigned to")));
        }
        Ok(())
    }

    pub(super) fn assign(&mut self, place: Expr, value: Expr, location: Location) -> Outcome<Operand> {
        let place = self.expression(place)?;
        let place = self.place_of_choice(place);
        let value = self.operand_for(place.written, value)?;
        if let Some(made) = self.overloaded("=", &[place, value], location) {
            return made;
        }
        self.check_writable(place, location)?;
        self.check_passed_whole(place.written, location)?;
        let value = self.converted(value, place.written, location)?;
        let expression = self.build().assign(place.expression, value, location)?;
        self.assigned(place, expression, location)
    }

    /// What an assignment is afterwards: its place in C++, a value in C.
    fn assigned(&mut self, place: Operand, expression: Expression, _location: Location) -> Outcome<Operand> {
        Ok(Operand { expression, written: place.written.unqualified() })
    }

    pub(super) fn compound_assign(
        &mut self,
        operator: BinaryOperator,
        place: Expr,
        value: Expr,
        location: Location,
    ) -> Outcome<Operand> {
        let place = self.expression(place)?;
        let value = self.operand(value)?;
        if self.may_be_overloaded(&[place, value])
            && let Some(made) = self.overloaded(&format!("{}=", operator_text(operator)), &[place, value], location)
        {
            return made;
        }
        let (place, value) = (self.as_number(place, location)?, self.as_number(value, location)?);
        self.check_writable(place, location)?;
        self.check_counts(place, location)?;
        if self.is_cpp() && self.is_struct(place.written) {
            return match self.vector_assign(operator, place, value, location) {
                Some(made) => made,
                None => Err(self.struct_operator(operator, place, value, location)),
            };
        }
        let value = self.arithmetic_value(value)?;
        if let FormKind::Enum(_) = *self.form(place.written)
            && self.is_cpp()
        {
            let name = self.name_of(place.written);
            let message = format!("a number does not become `{name}` without a cast");
            return Err(Diagnostic::error(location, message));
        }
        let expression = self.build().compound_assign(operator, place.expression, value, location)?;
        self.assigned(place, expression, location)
    }

    pub(super) fn step(&mut self, operand: Expr, up: bool, prefix: bool, location: Location) -> Outcome<Operand> {
        let place = self.expression(operand)?;
        if self.may_be_overloaded(&[place]) {
            let text = if up { "++" } else { "--" };
            // What stands behind its operand takes an `int` more.
            let zero = self.build().int(0, location);
            let operands = [place, self.plain(zero)];
            if let Some(made) = self.overloaded(text, &operands[..2 - usize::from(prefix)], location) {
                return made;
            }
        }
        let place = self.as_number(place, location)?;
        self.check_writable(place, location)?;
        self.check_counts(place, location)?;
        if self.build().shape_of(place.expression) == Shape::Bool {
            return self.step_bool(place, up, prefix, location);
        }
        let expression = self.build().step(place.expression, up, prefix, location)?;
        Ok(Operand { expression, written: place.written.unqualified() })
    }

    /// `++` and `--` of a bool, which C has: one is added or taken away, as for an `int`.
    fn step_bool(&mut self, place: Operand, up: bool, prefix: bool, location: Location) -> Outcome<Operand> {
        if self.is_cpp() {
            let operator = if up { "++" } else { "--" };
            return Err(Diagnostic::error(location, format!("`{operator}` does not take `bool`")));
        }
        let one = self.build().int(1, location);
        let operator = if up { BinaryOperator::Add } else { BinaryOperator::Subtract };
        let written = place.written.unqualified();
        if prefix {
            let expression = self.build().compound_assign(operator, place.expression, one, location)?;
            return Ok(Operand { expression, written });
        }
        // The old value is kept before the place changes; the place is found once.
        let address = self.build().address_of(place.expression, location)?;
        let pointer = self.plain(address);
        let (pointer, at) = (self.temporary(pointer.written, location), address);
        let old = self.temporary(written, location);
        let target = self.build().variable(pointer, location);
        let found = self.push_assign(target, at, location);
        let mut reach = || {
            let pointer = self.build().variable(pointer, location);
            self.build().dereference(pointer, location)
        };
        let (read, changed) = (reach()?, reach()?);
        let value = self.build().load(read);
        let target = self.build().variable(old, location);
        let kept = self.push_assign(target, value, location);
        let changed = self.build().compound_assign(operator, changed, one, location)?;
        let target = self.build().variable(old, location);
        let value = self.build().load(target);
        let expression = self.sequence(&[found, kept, changed, value], location);
        Ok(Operand { expression, written })
    }

    /// Where something is to be written: `a ? b : c` of two places is one of the places.
    pub(super) fn place_of_choice(&mut self, operand: Operand) -> Operand {
        let is_choice = matches!(self.build().kind(operand.expression), ExpressionKind::Conditional(..));
        match is_choice.then(|| self.build().chosen_place(operand.expression)).flatten() {
            Some(expression) => Operand { expression, ..operand },
            None => operand,
        }
    }

    /// An expression to which a reference is bound: `a ? b : c` is one of two places there.
    pub(super) fn chosen_place(&mut self, expr: Expr) -> Outcome<Operand> {
        let Some(&LargeKind::Conditional(condition, then, otherwise)) = self.tree.large(expr) else {
            return self.expression(expr);
        };
        let location = self.tree.expressions[expr].location;
        let condition = self.operand(condition)?;
        let condition = self.condition(condition)?;
        let (then, otherwise) = (self.chosen_place(then)?, self.chosen_place(otherwise)?);
        if then.written.form != otherwise.written.form {
            return Err(Diagnostic::unsupported(location, "a reference to one of two things of different types"));
        }
        let (a, b) = (
            self.build().address_of(then.expression, location)?,
            self.build().address_of(otherwise.expression, location)?,
        );
        let pointer = self.build().conditional(condition, a, b, location)?;
        let expression = self.build().dereference(pointer, location)?;
        Ok(Operand { expression, written: then.written })
    }

    pub(super) fn conditional(
        &mut self,
        condition: Expr,
        then: Expr,
        otherwise: Expr,
        location: Location,
    ) -> Outcome<Operand> {
        let condition = self.operand(condition)?;
        let mut condition = self.value(condition);
        let is_object = self.class_of(condition.written).is_some();
        if is_object || self.is_unknown(condition.written) || self.is_member_pointer(condition.written) {
            let made = self.condition(condition)?;
            condition = self.plain(made);
        }
        let made = self.state.temporaries.len();
        let (then, otherwise) = (self.operand(then)?, self.operand(otherwise)?);
        self.check_unconditional(made, location)?;
        let (mut then, mut otherwise) = (self.value(then), self.value(otherwise));
        if self.is_member_pointer(then.written) || self.is_member_pointer(otherwise.written) {
            (then, otherwise) = self.same_member_pointers(then, otherwise, location)?;
        }
        if self.is_unknown(then.written) != self.is_unknown(otherwise.written) {
            (then, otherwise) = (self.computed(&[then], location), self.computed(&[otherwise], location));
        }
        if then.written.form != otherwise.written.form {
            (then, otherwise) = (self.as_number(then, location)?, self.as_number(otherwise, location)?);
            (then, otherwise) = (self.value(then), self.value(otherwise));
        }
        let is_same = then.written.form == otherwise.written.form;
        let (mut a, mut b) = match is_same {
            true => (then.expression, otherwise.expression),
            false => (self.arithmetic_value(then)?, self.arithmetic_value(otherwise)?),
        };
        if let Shape::Vector { lanes, .. } = self.build().shape_of(condition.expression) {
            (a, b) = self.scalars_for_lanes(a, b, lanes)?;
        }
        let expression = self.build().conditional(condition.expression, a, b, location)?;
        let of = self.build().type_of(expression);
        for side in [then, otherwise] {
            let is_kept = is_same || matches!(self.form(side.written), FormKind::Pointer(_));
            if is_kept && self.type_of(side.written) == of {
                return Ok(Operand { expression, written: side.written });
            }
        }
        Ok(self.plain(expression))
    }

    /// Two scalars between which the lanes of a vector choose, as vectors of the type of the higher rank: there is no promotion to `int` here.
    fn scalars_for_lanes(&mut self, a: Expression, b: Expression, lanes: u8) -> Outcome<(Expression, Expression)> {
        let (left, right) = (self.build().type_of(a), self.build().type_of(b));
        let (x, y) = (self.build().shape(left), self.build().shape(right));
        if !x.is_scalar() || !y.is_scalar() {
            return Ok((a, b));
        }
        let rank = |of: Shape| match of {
            Shape::Float(kind) => (2, kind as u32, false),
            Shape::Integer { bits, signed } => (1, u32::from(bits), !signed),
            _ => (0, 0, false),
        };
        let element = if rank(x) >= rank(y) { left } else { right };
        let of = self.program.types.vector(element, lanes);
        Ok((self.build().convert_or_say(a, of)?, self.build().convert_or_say(b, of)?))
    }
}
