//! The end of objects: what destructors do, and where that is done.
//!
//! **Definition.** An object in a variable ends with its block, wherever threads leave that: at its end, by `break`, `continue`, `goto` or `return`. One that
//! nobody named ends with the statement that makes it. Those that began last end first. To end an object is to call its destructor, and then to end
//! its members and its bases, the last one first.
//!
//! **Invariant.** An object that has something to do at its end is in [`State::live`](super::state::State::live) as long as it is in scope, or in `temporaries` up to
//! the end of its expression. Where it would be neither (it is returned, passed by value, made in a part of an expression that only some threads come to) the
//! construct is not supported.

use super::names::{Meaning, NameSpace};
use super::state::{GotoState, Live};
use super::written::{FormKind, Length, Written};
use super::{Checker, Operand, Outcome};
use crate::diagnostic::Diagnostic;
use crate::source::Location;
use crate::tree::{EndObject, Name};
use crate::typed::{Conversion, Expression, ExpressionKind, Shape, Statement, StatementKind, Struct, Variable};

/// An array of more objects is not ended element by element.
pub(super) const MOST_ELEMENTS: u64 = 64;

impl<'a> Checker<'a> {
    /// Whether something is done at the end of an object of a type.
    pub(super) fn has_end(&self, of: Written) -> bool {
        if !self.has_destructors {
            return false;
        }
        match *self.form(of) {
            FormKind::Array(element, _) => self.has_end(element),
            FormKind::Struct(number) => self.class_has_end(number),
            _ => false,
        }
    }

    fn class_has_end(&self, number: Struct) -> bool {
        let Some(class) = self.classes.get(&number) else { return false };
        class.destructor.is_some()
            || class.bases.iter().any(|base| self.class_has_end(base.of))
            || !self.program.types.structs[number].is_union
                && self.data_of(number).iter().any(|&(_, of)| self.has_end(of))
    }

    /// That no object with a destructor or with virtual functions is copied into or out of a call.
    pub(super) fn check_passed(&mut self, of: Written, how: &str, location: Location) -> Outcome<()> {
        let is_virtual = self.has_table(of);
        if !is_virtual && !self.has_end(of) {
            return Ok(());
        }
        let (name, what) = (self.name_of(of), if is_virtual { "virtual functions" } else { "a destructor" });
        Err(Diagnostic::unsupported(location, format!("an object of `{name}`, which has {what}, is {how}")))
    }

    /// Ends the object at a place. None where nothing is done for that.
    pub(super) fn end_at(&mut self, place: Operand, location: Location) -> Outcome<Option<Expression>> {
        let place = Operand { written: Written { is_const: false, ..place.written }, ..place };
        let mut parts = Vec::new();
        match *self.form(place.written) {
            FormKind::Array(element, Length::Known(length)) if self.has_end(element) => {
                if length > MOST_ELEMENTS {
                    let message = format!("an array of more than {MOST_ELEMENTS} objects with destructors");
                    return Err(Diagnostic::unsupported(location, message));
                }
                for number in (0..length).rev() {
                    let part = self.element_of(place, element, number, location)?;
                    parts.extend(self.end_at(part, location)?);
                }
            }
            FormKind::Struct(number) => match self.classes.get(&number).and_then(|class| class.destructor) {
                Some(set) => {
                    let chosen = self.chosen_candidate(set, 0, location)?;
                    parts.push(self.call_chosen(&chosen, Some(place), &[], None, location)?.expression);
                }
                None => {
                    for live in self.parts_that_end(number).into_iter().rev() {
                        let part = self.part_of(place, number, live, location)?;
                        parts.extend(self.end_at(part, location)?);
                    }
                }
            },
            _ => {}
        }
        Ok(if parts.is_empty() { None } else { Some(self.sequence(&parts, location)) })
    }

    /// `a.~T()`: what ends an object, and nothing for what has no destructor.
    pub(super) fn ended_object(&mut self, end: &'a EndObject, location: Location) -> Outcome<Operand> {
        let object = self.object(end.base, end.arrow, "~", location)?;
        let of = self.written_specifier(&end.of)?;
        if self.is_unknown(object.written) || self.is_unknown(of) {
            return Ok(self.called("a destructor", &[object], location));
        }
        if object.written.form != of.form {
            let (named, is) = (self.name_of(of), self.name_of(object.written));
            let message = format!("the destructor of `{named}` called for a `{is}`");
            return Err(Diagnostic::unsupported(location, message));
        }
        let object = self.object_place(object, location);
        let set = self.class_of(of).and_then(|class| self.classes.get(&class)?.destructor);
        if set.is_some_and(|set| self.sets[set].candidates[0].item.is_some_and(|item| item.specifiers.is_virtual)) {
            let message = format!("the virtual destructor of `{}` called by its name", self.name_of(of));
            return Err(Diagnostic::unsupported(location, message));
        }
        let void = self.program.types.void();
        let expression = match self.end_at(object, location)? {
            Some(made) if self.build().shape_of(made) == Shape::Void => made,
            Some(made) => self.build().convert_to(Conversion::Discard, made, void),
            None => self.build().convert_to(Conversion::Discard, object.expression, void),
        };
        Ok(self.plain(expression))
    }

    /// An element of an array at a place.
    pub(super) fn element_of(
        &mut self,
        array: Operand,
        element: Written,
        number: u64,
        location: Location,
    ) -> Outcome<Operand> {
        let index = self.program.types.integer(64, true);
        let index = self.build().integer(i128::from(number), index, location);
        let expression = self.build().index(array.expression, index, location)?;
        Ok(Operand { expression, written: element.within(array.written) })
    }

    /// The bases and members of a class that have something to do at their ends, in order.
    pub(super) fn parts_that_end(&self, number: Struct) -> Vec<Live> {
        let mut parts = Vec::new();
        if let Some(class) = self.classes.get(&number) {
            let bases = class.bases.iter().filter(|base| self.class_has_end(base.of));
            parts.extend(bases.map(|base| Live::Base(base.of)));
        }
        if !self.program.types.structs[number].is_union {
            let members = self.data_of(number).into_iter().filter(|&(_, of)| self.has_end(of));
            parts.extend(members.map(|(name, _)| Live::Member(name)));
        }
        parts
    }

    fn part_of(&mut self, object: Operand, class: Struct, part: Live, location: Location) -> Outcome<Operand> {
        match part {
            Live::Base(base) => self.base_part(object, base, location),
            Live::Member(name) => {
                let member = self.member(class, name, location)?;
                Ok(self.member_of(object, &member, location))
            }
            Live::Variable(variable, written) => {
                Ok(Operand { expression: self.build().variable(variable, location), written })
            }
        }
    }

    /// Ends an object that is in scope.
    fn end_live(&mut self, live: Live, location: Location) -> Outcome<Option<Expression>> {
        let place = match live {
            Live::Variable(variable, written) => {
                Operand { expression: self.build().variable(variable, location), written }
            }
            Live::Base(_) | Live::Member(_) => {
                let object = self.this_object(location).filter(|object| self.class_of(object.written).is_some());
                let Some(object) = object else { return Ok(None) };
                let Some(class) = self.class_of(object.written) else { return Ok(None) };
                self.part_of(object, class, live, location)?
            }
        };
        self.end_at(place, location)
    }

    /// The statements that end objects, the last one first.
    fn end_all(&mut self, ended: &[Live], location: Location, into: &mut Vec<Statement>) {
        for &live in ended.iter().rev() {
            self.state.finished.clear();
            let made = self.end_live(live, location);
            let kind = match self.reported(made) {
                Ok(None) => continue,
                Ok(Some(made)) => StatementKind::Expression(made),
                Err(wrong) if self.goes_on(&wrong) => self.unknown_statement(&wrong, location),
                Err(_) => continue,
            };
            let statement = self.new_statement(location, location);
            self.set(statement, kind);
            into.push(statement);
        }
    }

    /// A variable begins its life: its object ends with the block.
    pub(super) fn begin_variable(&mut self, name: Option<Name>, kind: &StatementKind) {
        let (Some(name), StatementKind::Declare(variable, _)) = (name, kind) else { return };
        if let Some((&Meaning::Variable(of, written), _)) = self.state.names.find_here(name, NameSpace::Ordinary)
            && of == *variable
            && self.has_end(written)
        {
            self.state.live.push(Live::Variable(of, written));
        }
    }

    /// The end of a block: the objects that began in it end.
    pub(super) fn end_block(&mut self, from: usize, location: Location, parts: &mut Vec<Statement>) {
        if self.state.live.len() <= from {
            return;
        }
        let ended = self.state.live.split_off(from);
        if !parts.last().is_some_and(|&last| self.is_jump(last)) {
            self.end_all(&ended, location, parts);
        }
    }

    /// Whether nothing comes behind a statement.
    fn is_jump(&self, statement: Statement) -> bool {
        match &self.state.body.statements[statement].kind {
            StatementKind::Goto(_)
            | StatementKind::ComputedGoto(_)
            | StatementKind::Break
            | StatementKind::Continue
            | StatementKind::Return(_) => true,
            StatementKind::Compound(parts) => parts.last().is_some_and(|&last| self.is_jump(last)),
            _ => false,
        }
    }

    /// The end of a statement in which objects began and that is a block of its own: `if (int x = f()) …`.
    pub(super) fn end_around(
        &mut self,
        from: usize,
        kind: StatementKind,
        location: Location,
        end: Location,
    ) -> Outcome<StatementKind> {
        if self.state.live.len() <= from {
            return Ok(kind);
        }
        let mut parts = match kind {
            StatementKind::Compound(parts) => parts,
            StatementKind::Declare(..) => {
                let inner = self.new_statement(location, end);
                self.set(inner, kind);
                vec![inner]
            }
            _ => {
                self.state.live.truncate(from);
                let message = "an object with a destructor that a loop declares before its body";
                return Err(Diagnostic::unsupported(location, message));
            }
        };
        self.end_block(from, end, &mut parts);
        Ok(StatementKind::Compound(parts))
    }

    /// A jump out of the scopes of all objects from a number on.
    pub(super) fn leaving(
        &mut self,
        from: usize,
        jump: StatementKind,
        location: Location,
        end: Location,
    ) -> StatementKind {
        let ended = self.state.live.get(from..).unwrap_or_default().to_vec();
        if ended.is_empty() {
            return jump;
        }
        let mut parts = Vec::new();
        self.end_all(&ended, location, &mut parts);
        self.closed_by(parts, jump, location, end)
    }

    fn closed_by(
        &mut self,
        mut parts: Vec<Statement>,
        jump: StatementKind,
        location: Location,
        end: Location,
    ) -> StatementKind {
        if parts.is_empty() {
            return jump;
        }
        let last = self.new_statement(location, end);
        self.set(last, jump);
        parts.push(last);
        StatementKind::Compound(parts)
    }

    /// A `return`: its value is computed before objects end.
    pub(super) fn returning(
        &mut self,
        kind: StatementKind,
        location: Location,
        end: Location,
    ) -> Outcome<StatementKind> {
        let StatementKind::Return(value) = kind else { return Ok(kind) };
        if let Some(result) = self.state.result {
            self.check_passed(result, "returned", location)?;
        }
        let mut ended = self.state.live.clone();
        ended.append(&mut self.state.temporaries);
        if ended.is_empty() {
            return Ok(kind);
        }
        let mut parts = Vec::new();
        let value = match value {
            None => None,
            Some(value) => {
                let first = self.new_statement(location, end);
                parts.push(first);
                if self.build().shape_of(value) == Shape::Void {
                    self.set(first, StatementKind::Expression(value));
                    None
                } else {
                    let of = self.build().type_of(value);
                    let kept = self.new_variable("", of, None, location);
                    let place = self.build().variable(kept, location);
                    let filled = self.push_assign(place, value, location);
                    self.set(first, StatementKind::Declare(kept, Some(filled)));
                    let place = self.build().variable(kept, location);
                    Some(self.build().load(place))
                }
            }
        };
        self.end_all(&ended, location, &mut parts);
        Ok(self.closed_by(parts, StatementKind::Return(value), location, end))
    }

    /// A `goto` of which it is not known yet how many scopes it leaves.
    pub(super) fn leaving_to_label(
        &mut self,
        jump: StatementKind,
        location: Location,
    ) -> (StatementKind, Option<Statement>) {
        if self.state.live.is_empty() {
            return (jump, None);
        }
        let ended = self.new_statement(location, location);
        let last = self.new_statement(location, location);
        self.set(last, jump);
        (StatementKind::Compound(vec![ended, last]), Some(ended))
    }

    /// What a `goto` ends on its way to a label where some objects are in scope.
    pub(super) fn end_of_goto(&mut self, goto: &GotoState, there: &[Live]) -> Outcome<()> {
        if goto.live.len() < there.len() || goto.live[..there.len()] != *there {
            let message = "this `goto` passes over the declaration of an object with a destructor";
            return Err(Diagnostic::error(goto.location, message));
        }
        let mut parts = Vec::new();
        for &live in goto.live[there.len()..].iter().rev() {
            parts.extend(self.end_live(live, goto.location)?);
        }
        if let (Some(ended), false) = (goto.ended, parts.is_empty()) {
            let all = self.sequence(&parts, goto.location);
            self.set(ended, StatementKind::Expression(all));
        }
        Ok(())
    }

    /// An object that nobody named begins.
    pub(super) fn begin_temporary(&mut self, variable: Variable, written: Written) {
        if self.has_end(written) {
            self.state.temporaries.push(Live::Variable(variable, written));
        }
    }

    /// Whether an operand is an object that nobody named, and that something else is made from: it lives on as that.
    pub(super) fn take_temporary(&mut self, value: Expression) -> bool {
        let mut at = value;
        loop {
            match *self.build().kind(at) {
                ExpressionKind::Load(place) => at = place,
                ExpressionKind::Comma(_, last) => at = last,
                ExpressionKind::Variable(variable) => {
                    let is_it = |live: &Live| matches!(*live, Live::Variable(of, _) if of == variable);
                    let Some(index) = self.state.temporaries.iter().position(is_it) else { return false };
                    self.state.temporaries.remove(index);
                    return true;
                }
                _ => return false,
            }
        }
    }

    /// The end of a full expression whose value nobody uses: the objects that it made end.
    pub(super) fn end_expression(&mut self, made: Expression, location: Location) -> Outcome<Expression> {
        let ended = std::mem::take(&mut self.state.temporaries);
        let mut parts = vec![made];
        for live in ended.into_iter().rev() {
            parts.extend(self.end_live(live, location)?);
        }
        Ok(self.sequence(&parts, location))
    }

    /// What a statement does, with the ends of the objects that its expression made; `outer` are those of the statement around it.
    pub(super) fn end_statement(
        &mut self,
        kind: StatementKind,
        outer: Vec<Live>,
        location: Location,
    ) -> Outcome<StatementKind> {
        let made = match kind {
            kind if self.state.temporaries.is_empty() => Ok(kind),
            StatementKind::Expression(made) => self.end_expression(made, location).map(StatementKind::Expression),
            StatementKind::Declare(variable, Some(made)) => {
                let made = self.end_expression(made, location);
                made.map(|made| StatementKind::Declare(variable, Some(made)))
            }
            _ => {
                let message = "an unnamed object with a destructor, made in a condition";
                Err(Diagnostic::unsupported(location, message))
            }
        };
        self.state.temporaries = outer;
        made
    }

    /// That no object was made since, where only some threads come to what makes it.
    pub(super) fn check_unconditional(&self, made: usize, location: Location) -> Outcome<()> {
        match self.state.temporaries.len() > made {
            true => {
                let message = "an object with a destructor that is made in a part of an expression that only some threads evaluate";
                Err(Diagnostic::unsupported(location, message))
            }
            false => Ok(()),
        }
    }
}
