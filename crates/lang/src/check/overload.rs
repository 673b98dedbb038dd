//! Which function of a name is called.
//!
//! **Definition.** An argument fits a parameter with a *rank*: 0 exactly, 1 when only `const` is added, 2 by promotion, 3 by another conversion of the language, 4 by one of
//! a class, 5 by one of a class and another one. One function is better than another if no argument has a higher rank and one has a lower one, or else if it is no template and the other is one, or if what its
//! parameters can be is less. Whether `const` is added matters between references only. The best of all is called.

use std::rc::Rc;

use super::function::FunctionSet;
use super::object::Callee;
use super::written::{Argument, FormKind, FunctionForm, Written};
use super::{Checker, Operand, Outcome};
use crate::diagnostic::{Diagnostic, Ground};
use crate::source::Location;
use crate::token::Symbol;
use crate::tree::{Expr, FunctionKind, Name};
use crate::typed::{FloatKind, Function, Shape, Struct};

/// The function that is called.
pub(super) struct Chosen {
    pub(super) function: Function,
    /// The set that it is in, and its number there, if it is no instance of a template.
    pub(super) candidate: Option<(usize, usize)>,
    pub(super) of: FunctionForm,
    pub(super) defaults: Rc<[Option<Expr>]>,
    /// The arguments of the template it is an instance of.
    pub(super) arguments: Vec<(Name, Argument)>,
    /// The class that it is a member of.
    pub(super) class: Option<Struct>,
    /// Whether its first parameter is the object that it is called with.
    pub(super) has_object: bool,
    pub(super) name: Name,
    pub(super) location: Location,
}

/// A function that could be called.
struct Viable {
    ranks: Vec<Rank>,
    /// How many arguments are given up to it.
    rvalues: usize,
    which: Which,
}

enum Which {
    Candidate(usize),
    Template(usize, Vec<Argument>),
}

impl<'a> Checker<'a> {
    /// The function that a pointer points at, which nobody knows; by the name of the pointer, if it has one.
    pub(super) fn pointed_at(&self, of: FunctionForm, name: Option<Name>, has_object: bool) -> Chosen {
        Chosen {
            function: cranelift_entity::EntityRef::new(0),
            candidate: None,
            of,
            defaults: Rc::default(),
            arguments: Vec::new(),
            class: None,
            has_object,
            name: name.unwrap_or_else(|| self.symbols.find("").unwrap_or(Symbol(0)).into()),
            location: Location::NONE,
        }
    }

    /// The function of a set that is called with some arguments.
    pub(super) fn choose(&mut self, callee: Callee<'a>, arguments: &[Operand], location: Location) -> Outcome<Chosen> {
        let Callee { set, explicit, .. } = callee;
        if let ([only], [], None) = (&self.sets[set].candidates[..], &self.sets[set].templates[..], explicit)
            && !only.facts.is_host
        {
            return self.chosen_candidate(set, 0, location);
        }
        self.choose_viable(callee, arguments, location)
    }

    /// The same, where it may be that none of them fits.
    pub(super) fn choose_viable(
        &mut self,
        callee: Callee<'a>,
        arguments: &[Operand],
        location: Location,
    ) -> Outcome<Chosen> {
        let Callee { set, explicit, object, is_implicit, .. } = callee;
        let all: Vec<Operand> = object.into_iter().chain(arguments.iter().copied()).collect();
        // Functions that are called with an object take one more, and none fits where there is none.
        let taken = |has_object: bool| match (has_object, object) {
            (true, Some(_)) => Some(&all[..]),
            (true, None) => None,
            (false, _) => Some(arguments),
        };
        self.spent.overloads += self.sets[set].candidates.len() + self.sets[set].templates.len();
        let limit = self.limits().overloads;
        if self.spent.overloads > limit {
            let name = self.name_text(self.sets[set].name);
            let message = format!("the call of `{name}` is compared with one of more than {limit} functions of a name");
            return Err(self.limit_of_function(message, "overloads", location));
        }
        let mut viable = Vec::new();
        if explicit.is_none() {
            for index in 0..self.sets[set].candidates.len() {
                let candidate = &self.sets[set].candidates[index];
                if candidate.facts.is_host || is_implicit && candidate.facts.is_explicit {
                    continue;
                }
                let (of, defaults) = (candidate.of.clone(), candidate.defaults.clone());
                let Some(arguments) = taken(candidate.has_object) else { continue };
                if self.copies_another(set, &of, arguments) {
                    continue;
                }
                if let Some(ranks) = self.ranks(&of, &defaults, arguments) {
                    viable.push(Viable { ranks, rvalues: self.rvalues(&of), which: Which::Candidate(index) });
                }
            }
        }
        let mut reason = None;
        for index in 0..self.sets[set].templates.len() {
            let Some(arguments) = taken(self.template_has_object(set, index)) else { continue };
            if is_implicit && self.is_explicit_template(set, index) {
                continue;
            }
            let outer = std::mem::replace(&mut self.state.is_substituting, true);
            let deduced = self.deduce(set, index, explicit, arguments, location);
            let typed = deduced.map(|deduced| (self.instance_type(set, index, &deduced), deduced));
            self.state.is_substituting = outer;
            match typed {
                Ok((None, _)) => {}
                Ok((Some((of, defaults)), deduced)) => {
                    if let Some(ranks) = self.ranks(&of, &defaults, arguments) {
                        viable.push(Viable {
                            ranks,
                            rvalues: self.rvalues(&of),
                            which: Which::Template(index, deduced),
                        });
                    }
                }
                Err(mut wrong) => {
                    wrong.ground = if wrong.ground == Ground::Substitution { Ground::Text } else { wrong.ground };
                    reason = Some(wrong);
                }
            }
        }
        let Some(best) = self.best(set, &viable) else {
            return Err(self.none_fits(set, arguments, viable.len(), reason, location));
        };
        match &viable[best].which {
            Which::Candidate(index) => self.chosen_candidate(set, *index, location),
            Which::Template(index, deduced) => self.chosen_instance(set, *index, deduced.clone(), location),
        }
    }

    /// The one that is better than all others.
    fn best(&mut self, set: usize, viable: &[Viable]) -> Option<usize> {
        let mut best = 0;
        for index in 1..viable.len() {
            if !self.is_better(set, &viable[best], &viable[index]) {
                best = index;
            }
        }
        let is_best =
            (0..viable.len()).all(|other| other == best || self.is_better(set, &viable[best], &viable[other]));
        (!viable.is_empty() && is_best).then_some(best)
    }

    fn is_better(&mut self, set: usize, a: &Viable, b: &Viable) -> bool {
        let mut pairs = a.ranks.iter().zip(&b.ranks);
        let no_worse = pairs.clone().all(|(a, b)| !b.is_better(*a));
        let somewhere = pairs.any(|(a, b)| a.is_better(*b));
        no_worse && (somewhere || a.rvalues > b.rvalues || a.rvalues == b.rvalues && self.is_plainer(set, a, b))
    }

    /// Whether a function is no template and the other one is, or takes only what the other takes, too, and not the other way round.
    fn is_plainer(&mut self, set: usize, a: &Viable, b: &Viable) -> bool {
        let (one, other) = match (&a.which, &b.which) {
            (Which::Candidate(_), Which::Template(..)) => return true,
            (Which::Template(one, a), Which::Template(other, b)) if one != other => {
                match (self.takes_all_of(set, *other, *one), self.takes_all_of(set, *one, *other)) {
                    (true, false) => return true,
                    (false, true) => return false,
                    _ => (freedom(a), freedom(b)),
                }
            }
            _ => return false,
        };
        one < other
    }

    /// Whether what a template's parameters can be, the parameters of another one can be, too: `T` can be what `U *` is.
    fn takes_all_of(&mut self, set: usize, this: usize, other: usize) -> bool {
        let (this, other) = (&self.sets[set].templates[this], &self.sets[set].templates[other]);
        let mut found = vec![None; this.parameters.len()];
        let (patterns, actual) = (this.patterns.clone(), other.patterns.clone());
        let plain = patterns.len() - usize::from(this.ends_in_pack);
        let other_plain = actual.len() - usize::from(other.ends_in_pack);
        if other.ends_in_pack && plain > other_plain {
            // The other one takes fewer, too, and any number.
            return false;
        }
        patterns[..plain].iter().zip(&actual[..other_plain]).all(|(&pattern, &actual)| match (pattern, actual) {
            (Some(pattern), Some(actual)) => {
                let (pattern, actual) = (self.written.referred(pattern), self.written.referred(actual));
                match self.written.type_of(pattern.form) {
                    Some(_) => pattern.form == actual.form,
                    None => self.unify(pattern.unqualified(), actual.unqualified(), &mut found),
                }
            }
            _ => false,
        })
    }

    /// Whether a constructor that takes an object of its class is given something that only another constructor makes one of: that one is meant.
    fn copies_another(&self, set: usize, of: &FunctionForm, arguments: &[Operand]) -> bool {
        let FunctionSet { class: Some(class), kind: FunctionKind::Constructor, .. } = self.sets[set] else {
            return false;
        };
        arguments.iter().zip(&*of.parameters).skip(1).any(|(argument, &to)| {
            let is_own = self.class_of(self.written.referred(to)) == Some(class);
            let from = self.class_of(argument.written);
            let is_one = from.is_some_and(|from| from == class || self.is_derived(from, class));
            is_own && !is_one && !from.is_some_and(|from| self.converts_itself(from, class))
        })
    }

    /// Whether a class says how to make an object of another one of its objects.
    fn converts_itself(&self, from: Struct, to: Struct) -> bool {
        let conversions = self.classes.get(&from).and_then(|class| class.conversions);
        conversions.is_some_and(|set| {
            let results = self.sets[set].candidates.iter().map(|candidate| candidate.of.result);
            results.into_iter().any(|of| self.class_of(self.written.referred(of)) == Some(to))
        })
    }

    pub(super) fn chosen_candidate(&mut self, set: usize, index: usize, location: Location) -> Outcome<Chosen> {
        let function = self.mention(set, index);
        self.want_body(set, index);
        let (name, candidate) = (self.sets[set].name, &self.sets[set].candidates[index]);
        let mut of = candidate.of.clone();
        if candidate.facts.is_auto {
            let declared = (candidate.location, candidate.is_checked);
            of.result = self.deduced_result(function, of.result, declared, location)?;
        }
        Ok(Chosen {
            function,
            candidate: Some((set, index)),
            of,
            defaults: candidate.defaults.clone(),
            arguments: self.sets[set]
                .class
                .and_then(|class| self.classes.get(&class))
                .map_or_else(Vec::new, |class| class.arguments.clone()),
            class: self.sets[set].class,
            has_object: candidate.has_object,
            name,
            location: candidate.location,
        })
    }

    /// What an `auto` function returns that is called. While its body is checked, that is what a `return` in it has said before.
    pub(super) fn deduced_result(
        &self,
        function: Function,
        result: Written,
        (declared, is_checked): (Location, bool),
        location: Location,
    ) -> Outcome<Written> {
        let known = self.deducing.get(&function).copied();
        match known {
            Some(Some(said)) => Ok(said),
            None if self.program.functions[function].body.is_some() => Ok(result),
            // What is wrong in it is said there.
            None if is_checked => Err(Diagnostic::unsupported(location, "")),
            _ => {
                let name = &self.program.functions[function].name;
                let message = format!("`{name}` is called before it is known what it returns");
                Err(Diagnostic::error(location, message).with(declared, "declared here"))
            }
        }
    }

    /// The error when no function, or no single one, is the best.
    fn none_fits(
        &mut self,
        set: usize,
        arguments: &[Operand],
        count: usize,
        reason: Option<Diagnostic>,
        location: Location,
    ) -> Diagnostic {
        let name = self.name_text(self.sets[set].name);
        let data = &self.sets[set];
        let are_hosts = data.candidates.iter().all(|candidate| candidate.facts.is_host) && data.templates.is_empty();
        if are_hosts {
            let place = data.candidates.first().map_or(Location::NONE, |candidate| candidate.location);
            let message = format!("`{name}` is a function of the host, which threads of a device cannot call");
            return Diagnostic::error(location, message).with(place, "declared here without `__device__`");
        }
        if let (Some(reason), true, 1) = (reason, data.candidates.is_empty(), data.templates.len()) {
            return reason;
        }
        let places: Vec<Location> = data
            .candidates
            .iter()
            .filter(|candidate| !candidate.facts.is_host)
            .map(|candidate| candidate.location)
            .collect();
        let types: Vec<String> = arguments.iter().map(|argument| self.name_of(argument.written)).collect();
        let types = types.join(", ");
        let message = match count {
            0 => format!("no function `{name}` takes ({types})"),
            _ => format!("several functions `{name}` take ({types}) equally well"),
        };
        let mut wrong = Diagnostic::error(location, message);
        for place in places {
            wrong = wrong.with(place, "this one is declared here");
        }
        wrong
    }

    /// How many parameters are references with `&&`.
    fn rvalues(&self, of: &FunctionForm) -> usize {
        of.parameters.iter().filter(|&&of| matches!(self.form(of), FormKind::Reference(_, true))).count()
    }

    /// How well arguments fit; none if they do not.
    fn ranks(&mut self, of: &FunctionForm, defaults: &[Option<Expr>], arguments: &[Operand]) -> Option<Vec<Rank>> {
        let wanted = of.parameters.len();
        let has_defaults = |from: usize| (from..wanted).all(|index| matches!(defaults.get(index), Some(Some(_))));
        if arguments.len() > wanted && !of.variadic || arguments.len() < wanted && !has_defaults(arguments.len()) {
            return None;
        }
        let pairs = arguments.iter().zip(&*of.parameters);
        let mut ranks = pairs.map(|(&argument, &to)| self.ranked(argument, to)).collect::<Option<Vec<_>>>()?;
        ranks.resize(arguments.len(), Rank { rank: 6, is_value: true });
        Some(ranks)
    }

    fn ranked(&mut self, argument: Operand, to: Written) -> Option<Rank> {
        let is_value = !matches!(self.form(to), FormKind::Reference(..));
        Some(Rank { rank: self.rank(argument, to)?, is_value })
    }

    /// How well an argument fits a parameter.
    fn rank(&mut self, argument: Operand, to: Written) -> Option<u8> {
        if let FormKind::Reference(to, is_rvalue) = *self.form(to) {
            let is_place = self.is_kept_place(argument);
            if argument.written.form == to.form {
                return match (argument.written.is_const, to.is_const, is_place) {
                    _ if is_rvalue && is_place => None,
                    (true, false, _) => None,
                    (_, false, false) if !is_rvalue => None,
                    _ if argument.written.is_volatile && !to.is_volatile => None,
                    (false, true, true) => Some(1 + u8::from(to.is_volatile && !argument.written.is_volatile)),
                    _ => Some(0),
                };
            }
            if let (Some(from), Some(base)) = (self.class_of(argument.written), self.class_of(to))
                && self.is_derived(from, base)
            {
                // The reference that adds no `const` is the better one.
                let added = u8::from(to.is_const && !argument.written.is_const);
                let fits = match is_rvalue {
                    true => !is_place,
                    false => to.is_const || !argument.written.is_const && is_place,
                };
                return fits.then_some(3 + added);
            }
            return if to.is_const || is_rvalue { self.rank_value(argument, to) } else { None };
        }
        self.rank_value(argument, to)
    }

    fn rank_value(&mut self, argument: Operand, to: Written) -> Option<u8> {
        let value = self.value(argument);
        if value.written.form == to.form {
            return Some(0);
        }
        if self.is_unknown(value.written) || self.is_unknown(to) {
            return Some(3);
        }
        let location = self.build().location(value.expression);
        let wanted = self.type_of(to);
        let promoted = match *self.form(value.written) {
            FormKind::Enum(number) => self.written.enums[number].promoted,
            _ => {
                let of = self.build().type_of(value.expression);
                self.build().promoted(of)
            }
        };
        let from = self.build().shape_of(value.expression);
        self.converted(value, to, location).ok()?;
        if matches!(from, Shape::Struct(_)) != matches!(self.build().shape(wanted), Shape::Struct(_)) {
            // By what a class says: best where it says just that.
            let is_just_that = matches!(from, Shape::Struct(_)) && self.converts_to(value, to);
            return Some(if is_just_that { 4 } else { 5 });
        }
        let is_same = self.build().type_of(value.expression) == wanted;
        let is_half = matches!(self.build().shape(wanted), Shape::Float(FloatKind::Half | FloatKind::BFloat));
        if is_half && !is_same && self.dialect().has_host() {
            // The numbers of 16 bits are classes there.
            return Some(4);
        }
        let is_pointer = matches!(from, Shape::Pointer { .. });
        let widened = matches!(from, Shape::Float(FloatKind::Single | FloatKind::Half))
            && self.build().shape(wanted) == Shape::Float(FloatKind::Double);
        Some(match (is_same, is_pointer) {
            (true, true) => 1,
            _ if promoted == wanted || widened => 2,
            _ => 3,
        })
    }
}

/// How much a template leaves open: any number of arguments is more than each number.
fn freedom(arguments: &[Argument]) -> (bool, usize) {
    (arguments.iter().any(|argument| matches!(argument, Argument::Pack(_))), arguments.len())
}

/// How well an argument fits.
#[derive(Debug, Clone, Copy)]
struct Rank {
    rank: u8,
    /// Whether the parameter is no reference: a copy is as good as a reference that adds `const`.
    is_value: bool,
}

impl Rank {
    fn is_better(self, other: Rank) -> bool {
        let is_same = self.is_value != other.is_value && self.rank <= 1 && other.rank <= 1;
        !is_same && self.rank < other.rank
    }
}
