//! Labels, and what goes to them: `goto`, `case`, `default`.
//!
//! **Definition** ("Thread Convergence" 2025-04, the `noconvergent` statement). A label inside a `noconvergent` statement is only
//! reached from inside: every `goto` and `switch` that transfers control to it is a part of that statement.

use cranelift_entity::EntityRef;

use super::state::{GotoState, LabelState, SwitchState, Target};
use super::written::Written;
use super::{Checker, Operand, Outcome};
use crate::diagnostic::Diagnostic;
use crate::source::Location;
use crate::token::Symbol;
use crate::tree::{Expr, Stmt};
use crate::typed::{Conversion, ExpressionKind, Label, LabelData, Shape, Statement, StatementKind, Type};

impl<'a> Checker<'a> {
    fn innermost_switch(&mut self) -> Option<&mut SwitchState> {
        self.state.targets.iter_mut().rev().find_map(|target| match target {
            Target::Switch(state) => Some(&mut **state),
            Target::Loop => None,
        })
    }

    /// The innermost `noconvergent` statement that a label is a proper part of.
    fn noconvergent_around(&self, label: Statement) -> Option<Statement> {
        self.state.noconvergent.iter().copied().rfind(|&around| around != label)
    }

    /// That a `switch` may go to a label here.
    fn check_switch_into(&mut self, statement: Statement, word: &str, location: Location) -> Outcome<()> {
        let around = self.noconvergent_around(statement);
        let Some(switch) = self.innermost_switch() else {
            return Err(Diagnostic::error(location, format!("`{word}` outside of a `switch`")));
        };
        let (outside, at) = (switch.noconvergent, switch.location);
        let is_switch = |target: &Target| matches!(target, Target::Switch(_));
        let live = self.state.targets.iter().rposition(is_switch).and_then(|index| self.state.live_around.get(index));
        if live.is_some_and(|&live| self.state.live.len() > live) {
            let message = format!("this `{word}` passes over the declaration of an object with a destructor");
            return Err(Diagnostic::error(location, message).with(at, "the `switch` is here"));
        }
        if around == outside {
            return Ok(());
        }
        let mut wrong = Diagnostic::convergence(
            location,
            format!("this `{word}` is inside a `noconvergent` statement, but its `switch` is outside of it"),
        );
        if let Some(around) = around {
            let place = self.state.body.statements[around].location;
            wrong = wrong.with(place, "the `noconvergent` statement begins here");
        }
        Err(wrong.with(at, "the `switch` is here"))
    }

    pub(super) fn case(
        &mut self,
        statement: Statement,
        low: Expr,
        high: Option<Expr>,
        body: Stmt,
        location: Location,
    ) -> Outcome<StatementKind> {
        let mut checked = self.case_values(statement, low, high, location);
        if let Err(wrong) = &checked
            && self.goes_on(wrong)
            && let Some(value) = self.other_value(statement, location)
        {
            self.note_unknown(wrong);
            checked = Ok((value, value));
        }
        // The statement after it is checked even if the label is wrong.
        let body = self.statement(body);
        Ok(StatementKind::Case { values: Box::new(checked?), body })
    }

    fn case_values(
        &mut self,
        statement: Statement,
        low: Expr,
        high: Option<Expr>,
        location: Location,
    ) -> Outcome<(i128, i128)> {
        self.check_switch_into(statement, "case", location)?;
        let low = self.case_value(low)?;
        let high = high.map_or(Ok(low), |high| self.case_value(high))?;
        let Some(switch) = self.innermost_switch() else {
            return Err(Diagnostic::error(location, "`case` outside of a `switch`"));
        };
        if low > high {
            return Err(Diagnostic::error(location, format!("the range {low} ... {high} is empty")));
        }
        let before = switch.values.range(..=high).next_back().map(|(&first, &(last, at))| (first, last, at));
        if let Some((first, last, at)) = before
            && last >= low
        {
            let value = low.max(first);
            let message = format!("the value {value} has two `case` labels in one `switch`");
            return Err(Diagnostic::error(location, message).with(at, "the other one is here"));
        }
        switch.values.insert(low, (high, location));
        switch.labels.push(statement);
        Ok((low, high))
    }

    /// The value of a label, in the type of what the `switch` asks.
    fn case_value(&mut self, label: Expr) -> Outcome<i128> {
        let location = self.tree.expressions[label].location;
        let Some(of) = self.innermost_switch().map(|switch| switch.of) else {
            return Err(Diagnostic::error(location, "`case` outside of a `switch`"));
        };
        let operand = self.operand(label)?;
        let expression = match self.is_enum_class(of) {
            _ if self.is_unknown(operand.written) => None,
            true => Some(self.converted(operand, of, location)?),
            false => {
                let value = self.arithmetic_value(operand)?;
                let to = self.type_of(of);
                Some(self.build().convert_or_say(value, to)?)
            }
        };
        let mut value = match expression {
            Some(expression) => self.known_integer(expression, location)?,
            None => None,
        };
        if value.is_none() && self.is_tolerant() {
            value = self.unused_value();
            if expression.is_some() || !self.is_open_value(label) {
                let reason = Diagnostic::unsupported(location, "the value of a `case` is not known");
                self.note_unknown(&reason);
            }
        }
        value.ok_or_else(|| Diagnostic::error(location, "the value of a `case` is not constant"))
    }

    /// Some value that no label of the innermost `switch` has.
    fn unused_value(&mut self) -> Option<i128> {
        let switch = self.innermost_switch()?;
        let (least, of) = (switch.values.keys().next().copied().unwrap_or(0).min(0), switch.of);
        let of = self.type_of(of);
        let bits = match self.build().shape(of) {
            Shape::Integer { bits, signed: true } => bits - 1,
            _ => 31,
        };
        Some(least - 1).filter(|value| *value > -(1 << bits))
    }

    /// The value of a label of which it is not known: one that no other has, so that what is behind it is part of the program.
    fn other_value(&mut self, statement: Statement, location: Location) -> Option<i128> {
        let value = self.unused_value()?;
        let switch = self.innermost_switch()?;
        switch.values.insert(value, (value, location));
        switch.labels.push(statement);
        Some(value)
    }

    pub(super) fn default(&mut self, statement: Statement, body: Stmt, location: Location) -> Outcome<StatementKind> {
        let checked =
            self.check_switch_into(statement, "default", location).and_then(|()| match self.innermost_switch() {
                Some(switch) => match switch.default.replace(location) {
                    Some(before) => {
                        let wrong = Diagnostic::error(location, "a `switch` has one `default`");
                        Err(wrong.with(before, "the other one is here"))
                    }
                    None => {
                        switch.labels.push(statement);
                        Ok(())
                    }
                },
                None => Ok(()),
            });
        let body = self.statement(body);
        checked.map(|()| StatementKind::Default { body })
    }

    /// The label of a name: made when it is mentioned first.
    fn label_named(&mut self, name: Symbol) -> Label {
        if let Some(known) = self.state.labels.get(&name) {
            return known.label;
        }
        let text = self.text(name).to_string();
        // The statement is known where the label stands; a body with a label that stands nowhere is not kept.
        let label = self.state.body.labels.push(LabelData { name: text, statement: Statement::new(0) });
        self.state.labels.insert(name, LabelState { label, defined: None, live: Vec::new(), noconvergent: None });
        label
    }

    pub(super) fn label(
        &mut self,
        statement: Statement,
        name: Symbol,
        body: Stmt,
        location: Location,
    ) -> Outcome<StatementKind> {
        let label = self.label_named(name);
        let noconvergent = self.noconvergent_around(statement);
        let mut twice = None;
        if let Some(known) = self.state.labels.get_mut(&name) {
            match known.defined {
                Some(before) => twice = Some(before),
                None => {
                    (known.defined, known.noconvergent) = (Some(location), noconvergent);
                    known.live.clone_from(&self.state.live);
                    self.state.body.labels[label].statement = statement;
                }
            }
        }
        let body = self.statement(body);
        match twice {
            Some(before) => {
                let message = format!("the label `{}` stands twice in this function", self.text(name));
                Err(Diagnostic::error(location, message).with(before, "it stands here before"))
            }
            None => Ok(StatementKind::Label { label, body }),
        }
    }

    pub(super) fn goto(&mut self, statement: Statement, name: Symbol, location: Location) -> StatementKind {
        let label = self.label_named(name);
        let (kind, ended) = self.leaving_to_label(StatementKind::Goto(label), location);
        let live = self.state.live.clone();
        self.state.gotos.push(GotoState { name: Some(name), statement, live, ended, location });
        kind
    }

    /// `&&label`.
    pub(super) fn label_address(&mut self, name: Symbol, location: Location) -> Outcome<Operand> {
        if self.state.function.is_empty() {
            return Err(Diagnostic::error(
                location,
                "the address of a label is only known in the function of the label",
            ));
        }
        let label = self.label_named(name);
        self.state.addressed.push((name, location));
        if !self.state.body.addressed.contains(&label) {
            self.state.body.addressed.push(label);
        }
        let (written, of) = self.void_pointer();
        let expression = self.build().push(ExpressionKind::LabelAddress(label), of, location);
        Ok(Operand { expression, written })
    }

    fn void_pointer(&mut self) -> (Written, Type) {
        let void = self.program.types.void();
        let void = self.written_of(void);
        let written = self.written.pointer(&mut self.program.types, void);
        let of = self.type_of(written);
        (written, of)
    }

    /// `goto *address`.
    pub(super) fn computed_goto(
        &mut self,
        statement: Statement,
        address: Expr,
        location: Location,
    ) -> Outcome<StatementKind> {
        let address = self.operand(address)?;
        let address = self.value(address);
        if !matches!(self.build().shape_of(address.expression), Shape::Pointer { .. }) {
            let name = self.name_of(address.written);
            return Err(Diagnostic::error(location, format!("`goto *` needs the address of a label, not `{name}`")));
        }
        let (_, of) = self.void_pointer();
        let address = match self.build().type_of(address.expression) == of {
            true => address.expression,
            false => self.build().convert_to(Conversion::Pointer, address.expression, of),
        };
        let live = self.state.live.clone();
        self.state.gotos.push(GotoState { name: None, statement, live, ended: None, location });
        Ok(StatementKind::ComputedGoto(address))
    }

    /// When all labels of a function are known: that each `goto` may go where it goes.
    pub(super) fn check_gotos(&mut self) {
        for (name, location) in std::mem::take(&mut self.state.addressed) {
            let outcome = self.defined_label(name, location).map(|_| ());
            self.report(outcome);
        }
        for goto in std::mem::take(&mut self.state.gotos) {
            let outcome = match goto.name {
                Some(name) => {
                    let there = self.state.labels.get(&name).map(|label| label.live.clone()).unwrap_or_default();
                    self.check_goto(&goto, name).and_then(|()| self.end_of_goto(&goto, &there))
                }
                None => self.check_computed_goto(&goto),
            };
            if let Err(wrong) = self.reported(outcome)
                && self.goes_on(&wrong)
            {
                let kind = self.unknown_statement(&wrong, goto.location);
                self.state.body.statements[goto.statement].kind = kind;
            }
        }
    }

    /// Where a label stands, and the innermost `noconvergent` statement around it.
    fn defined_label(&self, name: Symbol, location: Location) -> Outcome<(Location, Option<Statement>)> {
        if let Some(LabelState { defined: Some(defined), noconvergent, .. }) = self.state.labels.get(&name) {
            return Ok((*defined, *noconvergent));
        }
        let text = self.text(name);
        let stand = self.state.labels.iter().filter(|(_, label)| label.defined.is_some());
        let near = crate::near::nearest(text, stand.map(|(&name, _)| self.symbols.text(name)));
        let near = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
        Err(Diagnostic::error(location, format!("there is no label `{text}` in this function{near}")))
    }

    /// That a computed `goto` may go to each label whose address is taken.
    fn check_computed_goto(&mut self, goto: &GotoState) -> Outcome<()> {
        let addressed: Vec<Symbol> = {
            let is_addressed = |label: &LabelState| self.state.body.addressed.contains(&label.label);
            let mut names: Vec<(Label, Symbol)> = Vec::new();
            let labels = self.state.labels.iter().filter(|(_, label)| label.defined.is_some() && is_addressed(label));
            names.extend(labels.map(|(&name, label)| (label.label, name)));
            names.sort_unstable_by_key(|&(label, _)| label);
            names.into_iter().map(|(_, name)| name).collect()
        };
        if self.state.body.addressed.is_empty() {
            let message = "a computed `goto` in a function in which no address of a label is taken";
            return Err(Diagnostic::error(goto.location, message));
        }
        for name in addressed {
            self.check_goto(goto, name)?;
            if self.state.labels.get(&name).is_some_and(|label| label.live != goto.live) {
                let text = self.text(name);
                let message = format!(
                    "a computed `goto` where other objects with destructors are in scope than at the label `{text}`"
                );
                return Err(Diagnostic::unsupported(goto.location, message));
            }
        }
        Ok(())
    }

    fn check_goto(&mut self, goto: &GotoState, name: Symbol) -> Outcome<()> {
        let text = self.text(name);
        let (defined, noconvergent) = self.defined_label(name, goto.location)?;
        let Some(around) = noconvergent else { return Ok(()) };
        let end = self.state.closed.get(&around).copied().unwrap_or(around);
        if goto.statement >= around && goto.statement < end {
            return Ok(());
        }
        let goes = if goto.name.is_some() { "goes" } else { "may go" };
        let message = format!("this `goto` {goes} to `{text}` inside a `noconvergent` statement, and is outside of it");
        let place = self.state.body.statements[around].location;
        let wrong = Diagnostic::convergence(goto.location, message).with(defined, format!("`{text}` stands here"));
        Err(wrong.with(place, "the `noconvergent` statement begins here"))
    }
}
