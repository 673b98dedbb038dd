//! Textures and surfaces of CUDA and HIP.
//!
//! **Definition.** A read of a texture or surface is a function of its operands: threads with equal operands get the same. What a texture holds is not part of a launch, so such a
//! function is analysed for everything that it may hold ([`FunctionData::open`](crate::typed::FunctionData::open)), and not executed.

use super::names::{Meaning, NameSpace};
use super::written::FormKind;
use super::{Checker, Operand, Outcome};
use crate::diagnostic::Diagnostic;
use crate::source::Location;
use crate::tree::{Expr, ExprKind, TemplateArgument};
use crate::typed::Unknown;

/// What a name does, if it is that of a function on textures or surfaces. True: it writes.
fn writes(name: &str) -> Option<bool> {
    let (is_surface, rest) = match (name.strip_prefix("tex"), name.strip_prefix("surf")) {
        (Some(rest), _) => (false, rest),
        (_, Some(rest)) => (true, rest),
        _ => return None,
    };
    let shapes = ["1D", "2D", "3D", "Cubemap"];
    let rest = shapes.iter().find_map(|shape| rest.strip_prefix(shape))?;
    let rest = rest.strip_prefix("Layered").unwrap_or(rest);
    match (is_surface, rest) {
        (false, "" | "fetch" | "Lod" | "Grad" | "gather") | (true, "read") => Some(false),
        (true, "write") => Some(true),
        _ => None,
    }
}

impl<'a> Checker<'a> {
    /// A call of a function on textures or surfaces; none for other functions.
    pub(super) fn texture_call(
        &mut self,
        name: &str,
        explicit: Option<&'a [TemplateArgument]>,
        arguments: &'a [Expr],
        location: Location,
    ) -> Option<Outcome<Operand>> {
        if !self.dialect().has_host() || !self.is_cpp() || !self.is_tolerant() {
            return None;
        }
        let writes = writes(name)?;
        let message = format!("`{name}` is about a texture or surface, which is not executed");
        let reason = Unknown::new(Diagnostic::unsupported(location, message));
        if self.state.open.is_empty() {
            self.state.open.push(reason);
        }
        Some(self.texture_access(writes, explicit, arguments, location))
    }

    fn texture_access(
        &mut self,
        writes: bool,
        explicit: Option<&'a [TemplateArgument]>,
        arguments: &'a [Expr],
        location: Location,
    ) -> Outcome<Operand> {
        let mut operands = Vec::with_capacity(arguments.len());
        for &argument in arguments {
            if !self.is_texture_of_host(argument) {
                operands.push(self.operand(argument)?);
            }
        }
        let written = match explicit {
            Some([TemplateArgument::Type(of), ..]) => self.type_name(of)?.unqualified(),
            _ => self.unknown_type(),
        };
        if writes {
            let void = self.program.types.void();
            let made = self.computed(&operands, location);
            let expression = self.build().convert_to(crate::typed::Conversion::Discard, made.expression, void);
            return Ok(self.plain(expression));
        }
        // `tex2D(&x, texture, u, v)` says by the pointer what is read.
        if explicit.is_none()
            && let Some(&first) = operands.first()
        {
            let pointer = self.value(first);
            if let FormKind::Pointer(to) = *self.form(pointer.written) {
                let place = self.dereference(pointer, location)?;
                let of = self.type_of(to);
                let values = self.values_of(&operands[1..]);
                let value = self.build().computed(&values, of, location);
                let expression = self.push_assign(place.expression, value, location);
                return Ok(Operand { expression, written: to.unqualified() });
            }
        }
        let of = self.type_of(written);
        let values = self.values_of(&operands);
        let expression = self.build().computed(&values, of, location);
        Ok(Operand { expression, written })
    }

    fn values_of(&mut self, operands: &[Operand]) -> Vec<crate::typed::Expression> {
        operands.iter().map(|&operand| self.value(operand).expression).collect()
    }

    /// Whether something is the name of a texture that is declared as a variable of the file.
    fn is_texture_of_host(&self, argument: Expr) -> bool {
        let ExprKind::Name(name) = self.tree.expressions[argument].kind else { return false };
        match self.find(name, NameSpace::Ordinary) {
            Some((&Meaning::Host(number), _)) => self.has_unknown(self.hosts[number].of),
            Some((Meaning::Broken, _)) => true,
            _ => false,
        }
    }
}
