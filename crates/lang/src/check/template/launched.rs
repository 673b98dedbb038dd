//! Which instances of templates the host launches.
//!
//! **Definition.** A launch says the arguments of a kernel that is a template as a call does: those that are written and those that follow from the types of the operands, as far as they are known. A
//! kernel that nobody launches is analysed with arguments of which nothing is known.

use super::super::names::{Meaning, NameSpace};
use super::super::state::State;
use super::super::written::{Argument, Written};
use super::super::{Checker, LeftOut, Outcome};
use crate::source::Location;
use crate::tree::{self, LaunchOperand, Name};

impl<'a> Checker<'a> {
    /// Kernels that are templates of which no instance is part of the program: nothing is known of what their parameters stand for.
    pub(in crate::check) fn analyse_templates(&mut self) {
        if !self.is_tolerant() {
            return;
        }
        let all: Vec<(usize, usize)> = self.templates().collect();
        for &(set, index) in &all {
            let template = &self.sets[set].templates[index];
            if template.of_host.is_empty() {
                let launches = &template.item.launches;
                launches.iter().for_each(|launch| self.launch(launch, &[]));
            }
        }
        for set in 0..self.sets.len() {
            for index in 0..self.sets[set].templates.len() {
                let template = &self.sets[set].templates[index];
                let is_needed = template.facts.is_kernel && template.instances.is_empty();
                if is_needed && !matches!(template.item.body, tree::Body::None | tree::Body::Host) {
                    let none = vec![None; template.parameters.len()];
                    self.instantiate_launched(set, index, &none);
                }
            }
        }
        self.check_pending();
    }

    fn templates(&self) -> impl Iterator<Item = (usize, usize)> {
        self.sets.iter().enumerate().flat_map(|(set, data)| (0..data.templates.len()).map(move |index| (set, index)))
    }

    /// The instances of a template that a launch by the host, or a call there, may mean; `bound` is what the parameters of the template around it stand for.
    pub(in crate::check) fn launch(&mut self, launch: &'a tree::Launch, bound: &[(Name, Argument)]) {
        self.state = State::default();
        let Some((&Meaning::Functions(set), _)) = self.find(launch.name, NameSpace::Ordinary) else { return };
        for index in 0..self.sets[set].templates.len() {
            let template = &self.sets[set].templates[index];
            let (parameters, is_kernel) = (template.parameters, template.facts.is_kernel);
            if !is_kernel && template.item.launches.is_empty() {
                continue;
            }
            self.state = State { arguments: bound.to_vec(), ..State::default() };
            self.state.names.enter();
            self.bind_arguments(bound);
            let mut found = vec![None; parameters.len()];
            let fits = self
                .explicit_arguments(launch.name, parameters, &launch.arguments, &mut found, launch.location)
                .is_ok();
            if !fits {
                continue;
            }
            let patterns = self.sets[set].templates[index].patterns.clone();
            let rest = if self.sets[set].templates[index].ends_in_pack { patterns.len() - 1 } else { patterns.len() };
            for (pattern, operand) in patterns[..rest].iter().zip(&launch.operands) {
                let (Some(pattern), Some(operand)) = (*pattern, operand) else { continue };
                let mut deduced = found.clone();
                if let Ok(of) = self.type_of_operand(operand, bound.is_empty())
                    && !self.has_unknown(of)
                    && self.unify(pattern, of.unqualified(), &mut deduced)
                {
                    found = deduced;
                }
            }
            if let Some(&Some(pattern)) = patterns.get(rest) {
                let operands = launch.operands.get(rest..).unwrap_or_default().iter();
                let types = operands.map(|operand| {
                    let of = self.type_of_operand(operand.as_ref()?, bound.is_empty()).ok();
                    of.map(Written::unqualified)
                });
                let mut deduced = found.clone();
                if let Some(types) = types.collect::<Option<Vec<_>>>()
                    && types.iter().all(|&of| !self.has_unknown(of))
                    && self.unify_rest(pattern, &types, parameters, &mut deduced)
                {
                    found = deduced;
                }
            }
            match is_kernel {
                true => self.instantiate_launched(set, index, &found),
                false => self.launch_from(set, index, found, launch.location),
            }
        }
    }

    /// The type of what something is launched with. A lambda has one, or one for each instance of the template around it.
    fn type_of_operand(&mut self, operand: &'a LaunchOperand, is_alone: bool) -> Outcome<Written> {
        let lambda = match operand {
            LaunchOperand::Of(of) => return self.type_name(of),
            LaunchOperand::Lambda(lambda) => lambda,
        };
        if let Some(&known) = self.host_lambdas.get(&lambda.lambda).filter(|_| is_alone) {
            return Ok(known);
        }
        let of = self.lambda_of_host(lambda)?;
        self.host_lambdas.insert(lambda.lambda, of);
        Ok(of)
    }

    /// What a template of the host launches for these arguments, if all of them are known.
    pub(super) fn launch_from(&mut self, set: usize, index: usize, found: Vec<Option<Argument>>, location: Location) {
        let Ok(arguments) = self.default_arguments(set, index, found, location) else { return };
        if arguments.iter().any(|&argument| self.is_unknown_argument(argument)) {
            return;
        }
        self.spent.instances += 1;
        let name = self.sets[set].name;
        let template = &mut self.sets[set].templates[index];
        let (item, depth) = (template.item, template.of_host.len());
        let is_new = template.of_host.insert(arguments.clone());
        if !is_new || self.check_instances(name, depth, location).is_err() {
            return;
        }
        let bound = self.named(set, index, &arguments);
        item.launches.iter().for_each(|launch| self.launch(launch, &bound));
    }

    /// The instance of a kernel for the arguments that are found; the others are defaults, or unknown.
    fn instantiate_launched(&mut self, set: usize, index: usize, found: &[Option<Argument>]) {
        let (parameters, location) =
            (self.sets[set].templates[index].parameters, self.sets[set].templates[index].location);
        self.state = State { scope: self.tree.scopes.scope(self.sets[set].name), ..State::default() };
        // How many there are of a pack, a default does not say.
        let is_open = parameters.iter().zip(found).any(|(parameter, found)| parameter.is_pack() && found.is_none());
        let arguments = match self.default_arguments(set, index, found.to_vec(), location) {
            Ok(arguments) if !is_open => arguments,
            _ => self.unknown_arguments(parameters, found),
        };
        if let Err(reason) = self.instantiate(set, index, &arguments, location) {
            let name = self.name_text(self.sets[set].name);
            self.leave_out(LeftOut::new(&name, true, location, reason));
        }
    }
}
