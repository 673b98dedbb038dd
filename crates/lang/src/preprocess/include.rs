//! `#include`: which file is meant, and reading it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use reconverge_files::{Kind as FileKind, NamedBy};

use super::Preprocessor;
use super::headers;
use super::pp_token::PpToken;
use super::punctuator::Punctuator;
use super::scan::Kind;
use super::special::destringize;
use crate::diagnostic::{Diagnostic, Ground};
use crate::options::Dialect;
use crate::source::Location;

/// The name of a header as it is asked for.
struct HeaderName {
    name: String,
    /// `<…>`: the folder of the including file is not searched.
    is_angled: bool,
    location: Location,
}

/// What a name leads to.
enum Found {
    File(PathBuf),
    BuiltIn(&'static str),
}

impl Found {
    /// The name under which the text is kept and printed.
    fn path(&self, name: &str) -> PathBuf {
        match self {
            Found::File(path) => path.clone(),
            Found::BuiltIn(_) => Path::new(headers::FOLDER).join(name),
        }
    }
}

impl Preprocessor<'_> {
    /// After `#include`.
    pub(super) fn include(&mut self) {
        if self.collecting > 0 {
            let here = self.here();
            self.error(here, "`#include` stands in the arguments of a macro");
            return self.skip_line();
        }
        let result = self.header_name().and_then(|header| match header {
            Some(header) => self.include_header(&header),
            None => Ok(()),
        });
        if let Err(diagnostic) = result {
            self.report(diagnostic);
        }
    }

    /// Reads the line after `#include`; none where a macro that nothing defines would name the file, which is noted.
    fn header_name(&mut self) -> Result<Option<HeaderName>, Diagnostic> {
        if let Some(header) = self.written_header_name() {
            self.expect_end_of_line("#include");
            return Ok(Some(header));
        }
        let location = self.here();
        let tokens = self.replaced_line(None);
        let place = tokens.first().map_or(location, |first| first.location);
        match self.header_of_tokens(&tokens) {
            Some((header, used)) => {
                if let Some(extra) = tokens.get(used) {
                    self.warning(extra.location, "text after `#include` is not read");
                }
                Ok(Some(header))
            }
            None if tokens.first().is_some_and(|first| first.kind == Kind::Identifier) => {
                self.miss_macro(self.spell(&tokens), place).map(|()| None)
            }
            None => Err(Diagnostic::error(place, "`#include` needs `\"file\"` or `<file>`")),
        }
    }

    /// A name that stands in the text: up to the closing quote or bracket, no character being special.
    fn written_header_name(&mut self) -> Option<HeaderName> {
        let mut cursor = self.frames.last()?.cursor;
        let frame = self.frames.last()?;
        let first = super::scan::scan(&frame.text, &mut cursor, self.rules, true);
        let start = first.range().start;
        let closing = match frame.text.as_bytes().get(start)? {
            b'<' => b'>',
            b'"' => b'"',
            _ => return None,
        };
        let rest = &frame.text[start + 1..];
        let line = memchr::memchr2(b'\n', closing, rest.as_bytes())?;
        if rest.as_bytes()[line] != closing {
            return None;
        }
        let location = Location(frame.start + first.start);
        let name = rest[..line].to_owned();
        let offset = start + 1 + line + 1;
        self.frames.last_mut()?.cursor.offset = offset;
        self.frames.last_mut()?.cursor.line = 0;
        Some(HeaderName { name, is_angled: closing == b'>', location })
    }

    /// A name that macros make, and how many tokens it is.
    fn header_of_tokens(&self, tokens: &[PpToken]) -> Option<(HeaderName, usize)> {
        let first = *tokens.first()?;
        let location = first.location;
        if first.kind == Kind::String {
            return Some((HeaderName { name: destringize(self.text(first)), is_angled: false, location }, 1));
        }
        if !first.is(Punctuator::Less) {
            return None;
        }
        let close = tokens.iter().position(|token| token.is(Punctuator::Greater))?;
        let name = self.spell(&tokens[1..close]);
        Some((HeaderName { name, is_angled: true, location }, close + 1))
    }

    fn include_header(&mut self, header: &HeaderName) -> Result<(), Diagnostic> {
        if header.name.is_empty() {
            return Err(Diagnostic::error(header.location, "`#include` needs the name of a file"));
        }
        let Some(found) = self.search(header) else { return self.miss(header) };
        if matches!(found, Found::BuiltIn(_)) && headers::is_of_runtime(&header.name) {
            self.include_implied(header)?;
        }
        let path = found.path(&header.name);
        if self.is_read_already(&path) {
            return Ok(());
        }
        if self.frames.len() > self.limits.include_depth {
            let diagnostic = self.too_deep(header);
            self.fatal(diagnostic);
            return Ok(());
        }
        self.files.includes += 1;
        if self.files.includes > self.limits.includes {
            let message = format!("more than {} files are included: the rest is not read", self.limits.includes);
            self.fatal(Diagnostic::limit(header.location, message).raised_by("includes"));
            return Ok(());
        }
        if let Some(index) = self.load(&found, path, header)? {
            self.enter(index);
        }
        Ok(())
    }

    /// Adds the text of a file to the sources; none when everything is over.
    fn load(&mut self, found: &Found, path: PathBuf, header: &HeaderName) -> Result<Option<usize>, Diagnostic> {
        if let Some(text) = self.files.texts.get(&path) {
            let text = Arc::clone(text);
            self.files.repeated_bytes += text.len();
            if self.files.repeated_bytes > self.limits.repeated_bytes {
                let limit = self.limits.repeated_bytes;
                let message =
                    format!("files that were included before make more than {limit} bytes: the rest is not read");
                self.fatal(Diagnostic::limit(header.location, message).raised_by("repeated-bytes"));
                return Ok(None);
            }
            return Ok(self.add_text(path, text, header.location));
        }
        let text = match found {
            Found::BuiltIn(text) => text.as_bytes().to_vec(),
            Found::File(path) => {
                let read = self.options.files.read(path, NamedBy::Input, self.limits.file_bytes);
                read.map_err(|refusal| {
                    let message = format!("the file `{}` cannot be read: {refusal}", path.display());
                    let diagnostic = Diagnostic::error(header.location, message);
                    if refusal.is_limit() { diagnostic.as_limit() } else { diagnostic }
                })?
            }
        };
        let index = self.add_file(path.clone(), text, header.location);
        if let Some(index) = index {
            self.files.texts.insert(path, Arc::clone(&self.sources.files()[index].text));
        }
        Ok(index)
    }

    /// `#pragma once`.
    pub(super) fn include_once(&mut self) {
        let path = self.options.files.canonical(self.current_path());
        self.files.once.insert(path);
    }

    fn is_read_already(&self, path: &Path) -> bool {
        let is_guarded = self.files.guards.get(path).is_some_and(|&guard| self.definitions.find(guard).is_some());
        is_guarded || !self.files.once.is_empty() && self.files.once.contains(&self.options.files.canonical(path))
    }

    fn search(&self, header: &HeaderName) -> Option<Found> {
        if Path::new(&header.name).is_absolute() {
            let path = PathBuf::from(&header.name);
            return self.options.files.kind(&path).is_ok().then_some(Found::File(path));
        }
        let in_folder = |folder: PathBuf| {
            let path = folder.join(&header.name);
            (self.options.files.kind(&path).ok() == Some(FileKind::File)).then_some(Found::File(path))
        };
        let built_in = || headers::find(&header.name, self.options.dialect).map(Found::BuiltIn);
        let of_project = || self.header_of_project(header).map(Found::File);
        self.folders(header).into_iter().find_map(in_folder).or_else(built_in).or_else(of_project)
    }

    /// The header of the project that the file at hand is part of, if the name is none of a system.
    fn header_of_project(&self, header: &HeaderName) -> Option<PathBuf> {
        let own = self.current_path();
        // What kernels there are is in no file of the host.
        let has_kernels = !matches!(self.options.dialect, Dialect::C | Dialect::Cpp);
        let may_be = has_kernels
            && !own.starts_with(headers::FOLDER)
            && !(header.is_angled && headers::is_of_system(&header.name));
        may_be.then(|| self.options.files.header_of_project(own, &header.name)).flatten()
    }

    /// The folders that are searched. Headers of the front end lie in none.
    fn folders(&self, header: &HeaderName) -> Vec<PathBuf> {
        let own = self.current_path();
        let searches_own = !header.is_angled && !own.starts_with(headers::FOLDER);
        let own = searches_own.then(|| own.parent().unwrap_or(Path::new("")).to_owned());
        own.into_iter().chain(self.options.include.iter().cloned()).collect()
    }

    /// Passes a header over that is not there, where that may be.
    fn miss(&mut self, header: &HeaderName) -> Result<(), Diagnostic> {
        if !self.options.is_tolerant() {
            let mut error = self.not_found(header);
            if self.options.host_may_define() {
                error.ground = Ground::Host;
            }
            return Err(error);
        }
        self.note_missing(&header.name, header.location);
        let is_for_device = matches!(self.options.dialect, Dialect::Cuda | Dialect::Hip);
        if is_for_device && header.is_angled || headers::is_standard(&header.name) {
            self.include_implied(header)?;
        }
        Ok(())
    }

    /// Passes over the header that a macro would name.
    fn miss_macro(&mut self, name: String, location: Location) -> Result<(), Diagnostic> {
        if !self.options.is_tolerant() {
            let message = format!("`#include` needs `\"file\"` or `<file>`, and nothing defines `{name}`");
            let mut error = Diagnostic::error(location, message);
            if self.options.host_may_define() {
                error.ground = Ground::Host;
            }
            return Err(error);
        }
        self.note_missing(&name, location);
        Ok(())
    }

    /// Notes a header that is not there.
    fn note_missing(&mut self, name: &str, location: Location) {
        if self.missing_headers.iter().all(|(noted, _)| noted != name) {
            self.missing_headers.push((name.to_owned(), location));
        }
    }

    /// Includes what a header would have included that is not there, or not with all that it has, where the files that are open need that. Each file is looked at once.
    fn include_implied(&mut self, of: &HeaderName) -> Result<(), Diagnostic> {
        let new = self.frames.iter().filter(|frame| self.files.searched.insert(frame.index));
        let texts: Vec<_> = new.map(|frame| Arc::clone(&frame.text)).collect();
        // What is opened last is read first: those that others include. They are read once, though they are not read yet.
        for name in headers::implied(&texts).rev() {
            let open = self.frames.len();
            self.include_header(&HeaderName { name: name.to_owned(), is_angled: true, location: of.location })?;
            if self.frames.len() > open {
                self.include_once();
            }
        }
        Ok(())
    }

    fn not_found(&self, header: &HeaderName) -> Diagnostic {
        if let Some(reason) = headers::refusal(&header.name) {
            return Diagnostic::unsupported(header.location, reason);
        }
        let name = |folder: &PathBuf| match folder.as_os_str().is_empty() {
            true => "`.`".to_owned(),
            false => format!("`{}`", folder.display()),
        };
        let folders: Vec<String> = self.folders(header).iter().map(name).collect();
        let places = match folders.is_empty() {
            true => "no folder is searched, and it is not a built-in header".to_owned(),
            false => format!("searched: {}, and the built-in headers", folders.join(", ")),
        };
        Diagnostic::error(header.location, format!("there is no file `{}`; {places}", header.name))
    }

    /// The chain of files that led here: the last ones and the first ones.
    fn too_deep(&self, header: &HeaderName) -> Diagnostic {
        const LAST: usize = 6;
        const FIRST: usize = 2;
        let limit = self.limits.include_depth;
        let message = format!("files include each other more than {limit} deep: the rest is not read");
        let mut diagnostic = Diagnostic::limit(header.location, message).raised_by("include-depth");
        let count = self.frames.len();
        for (back, frame) in self.frames.iter().rev().enumerate() {
            let file = &self.sources.files()[frame.index];
            if file.included_at == Location::NONE || back >= LAST && back + FIRST + 1 < count {
                continue;
            }
            diagnostic = diagnostic.with(file.included_at, format!("`{}` is included here", file.path.display()));
        }
        diagnostic
    }

    /// `("file")` or `(<file>)` after `__has_include`.
    pub(super) fn has_include(&mut self, name: PpToken) -> Result<bool, Diagnostic> {
        let wrong = || Diagnostic::error(name.location, "`__has_include` needs `(\"file\")` or `(<file>)`");
        if !self.is_paren_next() {
            return Err(wrong());
        }
        self.lex();
        let first = self.next();
        let mut tokens = vec![first];
        if first.is(Punctuator::Less) {
            while !tokens.last().is_some_and(|last| last.is(Punctuator::Greater)) {
                let token = self.lex();
                if token.kind == Kind::End {
                    return Err(wrong());
                }
                tokens.push(token);
            }
        }
        let (header, _) = self.header_of_tokens(&tokens).ok_or_else(wrong)?;
        if !self.lex().is(Punctuator::RightParen) {
            return Err(wrong());
        }
        Ok(self.search(&header).is_some())
    }
}
