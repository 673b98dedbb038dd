//! Inline assembly, as the [expressions](crate::builtins::assembly) that its instructions are.

use super::{Checker, Operand, Outcome};
use crate::builtins::Statement;
use crate::diagnostic::{Diagnostic, Ground};
use crate::source::Location;
use crate::tree::{AssemblyOperand, AssemblyParts};
use crate::typed::{Conversion, Expression};

impl<'a> Checker<'a> {
    pub(super) fn assembly(&mut self, parts: &'a AssemblyParts, location: Location) -> Outcome<Operand> {
        let mut places = Vec::with_capacity(parts.outputs.len());
        for output in &parts.outputs {
            places.push(self.expression(output.expr)?);
        }
        let mut values = Vec::with_capacity(parts.inputs.len());
        for input in &parts.inputs {
            let operand = self.operand(input.expr)?;
            let mut value = self.value(operand);
            // `"0"(x)`: the first output begins as `x`.
            let tied = self.text(input.constraint).trim_matches('"').parse::<usize>().ok();
            if let Some(&place) = tied.and_then(|tied| places.get(tied)) {
                value.expression = self.build().assign(place.expression, value.expression, location)?;
            }
            values.push(value);
        }
        if let Some((name, at)) = parts.macro_in_template {
            let message = format!("nothing says what `{}` is in inline assembly", self.text(name));
            let mut wrong = Diagnostic::error(at, message);
            wrong.ground = Ground::Host;
            if !self.goes_on(&wrong) {
                return Err(wrong);
            }
            return Ok(self.unknown_effects(&wrong, "inline assembly", &places, &values, location));
        }
        let template = self.string_bytes(&parts.template, location)?;
        let mut template = String::from_utf8_lossy(&template).into_owned();
        for (number, operand) in parts.outputs.iter().chain(&parts.inputs).enumerate() {
            if let Some(name) = operand.name {
                template = template.replace(&format!("%[{}]", self.text(name)), &format!("%{number}"));
            }
        }
        let made = self.instructions(&template, &places, &values, location);
        let made = made.or_else(|wrong| match self.as_written(parts, &template, &places, &values, location) {
            Ok(made) => Ok(Some(made)),
            Err(_) => Err(wrong),
        });
        match made {
            Ok(made) => {
                let nothing = self.build().int(0, location);
                let void = self.program.types.void();
                let made = made.unwrap_or_else(|| self.build().convert_to(Conversion::Discard, nothing, void));
                Ok(self.plain(made))
            }
            Err(wrong) if self.goes_on(&wrong) => {
                Ok(self.unknown_effects(&wrong, "inline assembly", &places, &values, location))
            }
            Err(wrong) => Err(wrong),
        }
    }

    fn instructions(
        &mut self,
        template: &str,
        places: &[Operand],
        values: &[Operand],
        location: Location,
    ) -> Result<Option<Expression>, Diagnostic> {
        let expressions = |operands: &[Operand]| operands.iter().map(|operand| operand.expression).collect::<Vec<_>>();
        let (places, values) = (expressions(places), expressions(values));
        crate::builtins::assembly(&mut self.build(), template, &places, &values, location)
    }

    /// The statement as it is, where an instruction of it is not known.
    fn as_written(
        &mut self,
        parts: &AssemblyParts,
        template: &str,
        places: &[Operand],
        values: &[Operand],
        location: Location,
    ) -> Result<Expression, Diagnostic> {
        let unquoted = |symbol| self.text(symbol).trim_matches('"').trim().to_owned();
        let with_constraints = |operands: &[AssemblyOperand], made: &[Operand]| {
            let constraints = operands.iter().map(|operand| unquoted(operand.constraint));
            constraints.zip(made.iter().map(|operand| operand.expression)).collect::<Vec<_>>()
        };
        let (outputs, inputs) = (with_constraints(&parts.outputs, places), with_constraints(&parts.inputs, values));
        let clobbers: Vec<String> = parts.clobbers.iter().map(|&clobber| unquoted(clobber)).collect();
        let statement = Statement {
            template,
            outputs: &outputs,
            inputs: &inputs,
            clobbers: &clobbers,
            is_volatile: parts.is_volatile,
            location,
        };
        crate::builtins::opaque(&mut self.build(), &statement)
    }
}
