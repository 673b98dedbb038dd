//! Values that have to be known when a program is translated, with the calls in them.

use super::template::Pending;
use super::{Checker, Outcome};
use crate::source::Location;
use crate::typed::{Constant, Expression, Function, WithCalls, as_integer, value_with_calls};

impl Checker<'_> {
    /// The value of an expression; none where it is not known. The functions that it calls are looked at first.
    ///
    /// # Errors
    /// When it takes too long.
    pub(super) fn known_value(&mut self, expression: Expression, location: Location) -> Outcome<Option<Constant>> {
        if let Some(value) = self.build().constant_value(expression) {
            return Ok(Some(value));
        }
        loop {
            let left = self.limits().constant_steps.saturating_sub(self.spent.constant_steps);
            match value_with_calls(&self.program, &self.state.body, expression, left) {
                WithCalls::Value(value, spent) => {
                    self.spent.constant_steps += spent;
                    return Ok(Some(value));
                }
                WithCalls::Unknown(spent) => {
                    self.spent.constant_steps += spent;
                    return Ok(None);
                }
                WithCalls::Missing(function) => {
                    if !self.look_at(function) {
                        return Ok(None);
                    }
                }
                WithCalls::TooLong => {
                    let most = self.limits().constant_steps;
                    let message = format!("a constant for which functions execute more than {most} steps");
                    return Err(self.limit_of_function(message, "constant-steps", location));
                }
            }
        }
    }

    /// The same for an integer or bool, with its sign.
    pub(super) fn known_integer(&mut self, expression: Expression, location: Location) -> Outcome<Option<i128>> {
        let value = self.known_value(expression, location)?;
        let of = self.build().shape_of(expression);
        Ok(value.and_then(|value| as_integer(value, of)))
    }

    /// Looks at the body of a function that would be looked at later; false if there is none.
    fn look_at(&mut self, function: Function) -> bool {
        let is_meant = |pending: &Pending, checker: &Self| match pending {
            Pending::Instance { set, template, arguments, .. } => {
                checker.instance_function(*set, *template, arguments) == Some(function)
            }
            Pending::Member { set, index, .. } => checker.sets[*set].candidates[*index].function == Some(function),
        };
        let Some(index) = self.pending.iter().position(|pending| is_meant(pending, self)) else { return false };
        let pending = self.pending.remove(index);
        self.check_wanted(pending);
        self.program.functions[function].body.is_some()
    }
}
