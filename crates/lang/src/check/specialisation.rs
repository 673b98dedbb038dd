//! Which specialisation of a template of classes or variables is meant.
//!
//! **Definition.** A specialisation *fits* arguments if its own parameters can be replaced so that what is written after its name is the arguments. Of two that fit, the one is meant that the
//! other one fits and that does not fit the other one, so that it says more; where that decides nothing, the one with fewer parameters. Where none fits, the template itself is. Where arguments are open it is *undecided* which one is meant if one fits for some of what they may stand for only.

use super::class::by_name;
use super::written::Argument;
use super::{Checker, Outcome};
use crate::source::Location;
use crate::tree::{Name, TemplateArgument, TemplateParameter};

/// A specialisation: its own parameters, what is written after its name, and where.
pub(super) type Specialisation<'a> = (&'a [TemplateParameter], &'a [TemplateArgument], Location);

/// What is meant by a template with arguments.
pub(super) enum Meant {
    /// The template itself, with the arguments by the names of its parameters.
    Template(Vec<(Name, Argument)>),
    /// The specialisation of that number, with what its parameters stand for.
    Specialisation(usize, Vec<(Name, Argument)>),
    /// It depends on what a parameter stands for of which nothing says it.
    Undecided,
}

impl<'a> Checker<'a> {
    /// What is meant by a template with some arguments.
    pub(super) fn meant_specialisation(
        &mut self,
        name: Name,
        parameters: &'a [TemplateParameter],
        specialisations: &[Specialisation<'a>],
        arguments: &[Argument],
    ) -> Meant {
        let is_open = arguments.iter().any(|&argument| self.is_unknown_argument(argument));
        let mut best: Option<(usize, Vec<Argument>, Vec<Argument>)> = None;
        for (index, &(own, explicit, location)) in specialisations.iter().enumerate() {
            let Ok(patterns) = self.patterns_of(name, parameters, (own, explicit, location)) else { continue };
            if let Some(found) = self.fitted(own, &patterns, arguments) {
                let is_better = best.as_ref().is_none_or(|(best, best_patterns, _)| {
                    let of_best = specialisations[*best].0;
                    let says_more = self.fitted(of_best, best_patterns, &patterns).is_some();
                    let says_less = self.fitted(own, &patterns, best_patterns).is_some();
                    if says_more == says_less { own.len() < of_best.len() } else { says_more }
                });
                if is_better {
                    best = Some((index, patterns, found));
                }
            } else if is_open {
                let mut found = vec![None; own.len()];
                let may_fit = patterns.iter().zip(arguments).all(|(&pattern, &actual)| {
                    self.is_unknown_argument(actual) || self.unify_argument(pattern, actual, &mut found)
                });
                if may_fit {
                    return Meant::Undecided;
                }
            }
        }
        match best {
            Some((index, _, found)) => Meant::Specialisation(index, by_name(specialisations[index].0, &found)),
            None => Meant::Template(by_name(parameters, arguments)),
        }
    }

    /// What the parameters of a specialisation stand for where it fits some arguments, which may have parameters of another one in them.
    fn fitted(
        &mut self,
        own: &'a [TemplateParameter],
        patterns: &[Argument],
        arguments: &[Argument],
    ) -> Option<Vec<Argument>> {
        let mut found = vec![None; own.len()];
        let fits = patterns.iter().zip(arguments).all(|(&one, &actual)| self.unify_argument(one, actual, &mut found));
        self.empty_packs(own, &mut found);
        found.into_iter().collect::<Option<Vec<_>>>().filter(|_| fits)
    }

    /// What is written after the name of a specialisation, with its own parameters in it.
    fn patterns_of(
        &mut self,
        name: Name,
        parameters: &'a [TemplateParameter],
        (own, explicit, location): Specialisation<'a>,
    ) -> Outcome<Vec<Argument>> {
        let outer = std::mem::take(&mut self.state);
        let patterns = self.enter_pattern(own, name).and_then(|()| {
            let mut found = vec![None; parameters.len()];
            self.explicit_arguments(name, parameters, explicit, &mut found, location)?;
            self.all_arguments(name, &[parameters], location, found, location)
        });
        self.state = outer;
        patterns
    }
}
