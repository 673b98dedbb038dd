//! What is said of a function beside its type: by specifiers, and by attributes, among them those that bound its launches.

use super::{Checker, Outcome};
use crate::diagnostic::Diagnostic;
use crate::tree::{Attribute, DeclaratorData, Specifiers, TypeSpecifier};
use crate::typed::LaunchBounds;

/// What specifiers and attributes say of a function.
#[derive(Debug, Clone, Default)]
pub(super) struct Facts {
    pub(super) is_kernel: bool,
    pub(super) is_internal: bool,
    pub(super) is_extern_c: bool,
    pub(super) is_convergent: bool,
    pub(super) is_noinline: bool,
    pub(super) is_overloadable: bool,
    /// It is no conversion that nobody writes.
    pub(super) is_explicit: bool,
    /// It only runs on the host.
    pub(super) is_host: bool,
    /// The result is what the first `return` returns.
    pub(super) is_auto: bool,
    /// It is written out where it is called, if it can be.
    pub(super) is_expanded: bool,
    pub(super) bounds: LaunchBounds,
}

impl<'a> Checker<'a> {
    /// What specifiers and attributes say.
    pub(super) fn facts(&mut self, specifiers: &'a Specifiers, declarator: &'a DeclaratorData) -> Outcome<Facts> {
        let has = |name: &str| self.has(&specifiers.attributes, name) || self.has(&declarator.attributes, name);
        let is_cuda = self.options.dialect.has_host();
        let is_kernel = specifiers.is_kernel || is_cuda && has("global");
        let is_device = specifiers.is_device || is_cuda && has("device");
        let is_host = is_cuda && !is_kernel && !is_device && !specifiers.is_constexpr;
        let is_convergent = match self.is_for_gpus() {
            true => !has("noconvergent"),
            false => has("convergent"),
        };
        let mut facts = Facts {
            is_kernel,
            is_internal: specifiers.is_static,
            is_extern_c: specifiers.is_extern_c,
            is_convergent,
            is_noinline: has("noinline"),
            is_overloadable: has("overloadable"),
            is_explicit: specifiers.is_explicit,
            is_host,
            is_auto: matches!(specifiers.of, Some(TypeSpecifier::Auto)),
            is_expanded: is_cuda && has("expanded"),
            bounds: LaunchBounds::default(),
        };
        for attribute in specifiers.attributes.iter().chain(&declarator.attributes) {
            self.launch_bound(attribute, &mut facts.bounds)?;
        }
        Ok(facts)
    }

    /// `reqd_work_group_size(x, y, z)`, `launch_bounds(n)`, `amdgpu_flat_work_group_size(least, most)`, `cluster_dims(x, y, z)`.
    fn launch_bound(&mut self, attribute: &'a Attribute, bounds: &mut LaunchBounds) -> Outcome<()> {
        let name = self.text(attribute.name);
        if !matches!(name, "reqd_work_group_size" | "launch_bounds" | "amdgpu_flat_work_group_size" | "cluster_dims") {
            return Ok(());
        }
        let mut numbers = Vec::new();
        for &argument in &attribute.arguments {
            let operand = self.operand(argument)?;
            let value = self.build().constant_integer(operand.expression).and_then(|value| u32::try_from(value).ok());
            let message = || format!("`{name}` takes constant numbers");
            if value.is_none() && self.is_tolerant() {
                return Ok(());
            }
            numbers.push(value.ok_or_else(|| Diagnostic::error(attribute.location, message()))?);
        }
        match (name, &numbers[..]) {
            ("reqd_work_group_size", &[x, y, z]) => bounds.block = Some([x, y, z]),
            ("launch_bounds", [most, ..]) => bounds.threads = Some(*most),
            ("amdgpu_flat_work_group_size", [_, most]) => bounds.threads = Some(*most),
            ("cluster_dims", &[x, ref rest @ ..]) if rest.len() < 3 => {
                let of = |axis: usize| rest.get(axis).copied().unwrap_or(1);
                bounds.cluster = Some([x, of(0), of(1)]);
            }
            // What is no expression that is read bounds nothing that is known.
            (_, []) if self.is_tolerant() => {}
            _ => {
                let message = format!("`{name}` does not take {} numbers", numbers.len());
                return Err(Diagnostic::error(attribute.location, message));
            }
        }
        Ok(())
    }
}
