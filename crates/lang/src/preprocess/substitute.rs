//! Putting arguments into the body of a macro: `#`, `##` and `__VA_OPT__`.

use std::ops::Range;
use std::rc::Rc;

use super::Preprocessor;
use super::define::{MacroId, MacroKind, variadic_option};
use super::expand::Arguments;
use super::pp_token::{FROM_MACRO, LINE, PpToken, SPACE};
use super::punctuator::Punctuator;
use super::scan::{self, Cursor, Kind};
use crate::options::Dialect;
use crate::source::Location;

/// An invocation whose body is being filled.
struct Use {
    id: MacroId,
    location: Location,
    /// The number of the parameter that takes the rest, if there is one.
    variadic: Option<usize>,
    /// Whether `, ## __VA_ARGS__` loses its comma: the variable arguments are left out, and not only empty. (`f()` leaves them out
    /// where they are the only parameter, except in OpenCL, whose C is without the extensions of GNU.)
    drops_comma: bool,
}

impl Preprocessor<'_> {
    /// The body of a macro with the arguments in it; all tokens are at the place of use. Also whether white space is left over at
    /// its end, from something empty there.
    pub(super) fn substitute(&mut self, name: PpToken, id: MacroId, arguments: &mut Arguments) -> (Vec<PpToken>, u8) {
        let mut result = self.take_vector();
        let body = Rc::clone(&self.definitions[id].body);
        let (is_function, parameters, is_variadic) = match &self.definitions[id].kind {
            MacroKind::Function { parameters, is_variadic } => (true, parameters.len(), *is_variadic),
            _ => (false, 0, false),
        };
        let of = Use {
            id,
            location: name.location,
            variadic: is_variadic.then(|| parameters - 1),
            drops_comma: arguments.lacks_rest && (self.options.dialect != Dialect::OpenCl || parameters > 1),
        };
        let space_after = self.fill(&of, &body, is_function, arguments, &mut result);
        let mut carried = 0;
        result.retain_mut(|token| {
            if token.kind == Kind::Placemarker {
                carried |= token.flags & SPACE;
                return false;
            }
            token.flags |= carried | FROM_MACRO;
            token.location = of.location;
            carried = 0;
            true
        });
        (result, space_after)
    }

    /// Gives the white space that is left over at the end.
    fn fill(
        &mut self,
        of: &Use,
        body: &[PpToken],
        is_function: bool,
        arguments: &mut Arguments,
        result: &mut Vec<PpToken>,
    ) -> u8 {
        let mut index = 0;
        let mut pastes = false;
        let mut carried = 0;
        // White space after `##` means nothing.
        let mut is_after_paste = false;
        while let Some(&token) = body.get(index) {
            if token.is(Punctuator::HashHash) {
                (pastes, is_after_paste, index) = (true, true, index + 1);
                continue;
            }
            let start = result.len();
            let mut end = index + 1;
            let mut space_inside = 0;
            let is_pasted = |end: usize| pastes || body.get(end).is_some_and(|next| next.is(Punctuator::HashHash));
            match token.kind {
                Kind::Punctuator if is_function && token.is(Punctuator::Hash) => {
                    end = self.stringify_operand(of, body, index, arguments, result);
                }
                Kind::Parameter => {
                    let number = usize::from(token.which);
                    let raw = arguments.ranges[number].clone();
                    let is_empty = raw.is_empty();
                    let after_comma =
                        pastes && of.variadic == Some(number) && result.last().is_some_and(|t| t.is(Punctuator::Comma));
                    if after_comma && (!is_empty || of.drops_comma) {
                        pastes = false;
                        if is_empty {
                            result.pop();
                        }
                        result.extend_from_slice(&arguments.tokens[raw]);
                    } else if is_pasted(end) {
                        result.extend_from_slice(&arguments.tokens[raw]);
                        self.mark_if_empty(token, start, result);
                    } else {
                        let range = self.replaced_argument(arguments, number, of.location);
                        result.extend_from_slice(&arguments.replaced[range]);
                    }
                }
                Kind::VariadicOption => {
                    let inside = variadic_option(body, index).unwrap_or(end..end);
                    end = inside.end + 1;
                    space_inside = self.fill_option(of, &body[inside], is_function, arguments, result);
                    if is_pasted(end) {
                        self.mark_if_empty(token, start, result);
                    }
                }
                _ => result.push(token),
            }
            if !self.count(result.len().saturating_sub(start), of.location) {
                return 0;
            }
            match result.get_mut(start) {
                Some(first) => {
                    if !is_after_paste {
                        *first = first.spaced_as(token);
                    }
                    first.flags |= carried;
                    carried = space_inside;
                }
                None if is_after_paste => carried |= space_inside,
                None => carried |= token.flags & SPACE | space_inside,
            }
            is_after_paste = false;
            if pastes {
                self.paste_at(of, start, result);
                pastes = false;
            }
            index = end;
        }
        carried
    }

    /// What stands in `__VA_OPT__`, if there are variable arguments.
    fn fill_option(
        &mut self,
        of: &Use,
        inside: &[PpToken],
        is_function: bool,
        arguments: &mut Arguments,
        result: &mut Vec<PpToken>,
    ) -> u8 {
        match of.variadic {
            Some(variadic) if !self.replaced_argument(arguments, variadic, of.location).is_empty() => {
                self.fill(of, inside, is_function, arguments, result)
            }
            _ => 0,
        }
    }

    fn mark_if_empty(&self, at: PpToken, start: usize, result: &mut Vec<PpToken>) {
        if result.len() == start {
            result.push(PpToken { kind: Kind::Placemarker, ..at });
        }
    }

    /// `#` at an index with its operand; gives the index after it.
    fn stringify_operand(
        &mut self,
        of: &Use,
        body: &[PpToken],
        index: usize,
        arguments: &mut Arguments,
        result: &mut Vec<PpToken>,
    ) -> usize {
        let operand = body[index + 1];
        let (text, end) = if operand.kind == Kind::VariadicOption {
            let inside = variadic_option(body, index + 1).unwrap_or(index..index);
            let end = inside.end + 1;
            let mut tokens = self.take_vector();
            self.fill_option(of, &body[inside], true, arguments, &mut tokens);
            let text = self.stringify(&tokens, of);
            self.give_back(tokens);
            (text, end)
        } else {
            let range: Range<usize> = arguments.ranges[usize::from(operand.which)].clone();
            (self.stringify(&arguments.tokens[range], of), index + 2)
        };
        let symbol = self.symbols.intern(&text);
        result.push(PpToken { kind: Kind::String, symbol, which: 0, ..body[index] });
        end
    }

    /// The spelling of a string that holds the spellings of tokens.
    fn stringify(&mut self, tokens: &[PpToken], of: &Use) -> String {
        let length: usize = tokens.iter().map(|&token| self.text(token).len() + 1).sum();
        if !self.count(length / 8, of.location) {
            return "\"\"".to_owned();
        }
        let mut text = String::from("\"");
        let mut is_first = true;
        for &token in tokens.iter().filter(|token| token.kind != Kind::Placemarker) {
            if !is_first && token.has(SPACE | LINE) {
                text.push(' ');
            }
            is_first = false;
            let spelling = self.text(token);
            if matches!(token.kind, Kind::String | Kind::Character | Kind::Unterminated) {
                for character in spelling.chars() {
                    match character {
                        '"' | '\\' => text.extend(['\\', character]),
                        '\n' => text.push_str("\\n"),
                        _ => text.push(character),
                    }
                }
            } else {
                text.push_str(spelling);
            }
        }
        let backslashes = text.bytes().rev().take_while(|&byte| byte == b'\\').count();
        if backslashes % 2 == 1 {
            text.pop();
            self.warning(of.location, "the string that `#` makes ends with a backslash: it is left out");
        }
        text.push('"');
        text
    }

    /// Pastes the token before an index and the one at it.
    fn paste_at(&mut self, of: &Use, index: usize, result: &mut Vec<PpToken>) {
        if index == 0 || index >= result.len() {
            return;
        }
        let (left, right) = (result[index - 1], result[index]);
        let pasted = match (left.kind, right.kind) {
            (_, Kind::Placemarker) => Some(left),
            (Kind::Placemarker, _) => Some(right.spaced_as(left)),
            _ => self.paste(of, left, right),
        };
        match pasted {
            Some(pasted) => {
                result[index - 1] = pasted;
                result.remove(index);
            }
            // A literal with a suffix, which the scanner has as two tokens, too.
            None if self.is_suffixed(left, right) => {}
            None => {
                let message = format!("`##` makes `{}{}`, which is not one token", self.text(left), self.text(right));
                self.macro_error(of.id, of.location, message);
            }
        }
    }

    /// Whether two tokens are a literal of C++ whose suffix has a meaning of the program's own: `"x"_suffix`.
    fn is_suffixed(&self, left: PpToken, right: PpToken) -> bool {
        self.options.dialect.is_cpp()
            && matches!(left.kind, Kind::String | Kind::Character)
            && right.kind == Kind::Identifier
    }

    /// The token whose spelling is that of two; none if there is no such token.
    fn paste(&mut self, of: &Use, left: PpToken, right: PpToken) -> Option<PpToken> {
        let mut text = self.text(left).to_owned();
        text.push_str(self.text(right));
        if !self.count(text.len() / 8, of.location) {
            return Some(left);
        }
        let mut cursor = Cursor { offset: 0, line: 0 };
        let lexeme = scan::scan(&text, &mut cursor, self.rules, false);
        let is_token = !matches!(lexeme.kind, Kind::Other | Kind::Unterminated | Kind::OpenComment | Kind::End);
        if !is_token || lexeme.range() != (0..text.len()) {
            return None;
        }
        let token = super::token(self.symbols, &self.punctuators, lexeme, &text, of.location);
        Some(token.spaced_as(left))
    }
}
