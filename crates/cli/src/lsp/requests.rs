//! What is asked about a text, and what it is asked of.

use std::path::Path;

use lsp_server::{ErrorCode, Request};
use lsp_types as lsp;
use lsp_types::request::Request as _;
use reconverge::{FileSpan, FunctionPoints, Module, Point};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::analysis::Analysis;
use super::documents::Document;
use super::positions::Positions;
use super::{actions, hints, hover, lenses};

/// A question about one text.
#[derive(Debug)]
pub(crate) enum Question {
    Hover(lsp::TextDocumentPositionParams),
    Lenses(lsp::TextDocumentIdentifier),
    Hints(lsp::TextDocumentIdentifier, lsp::Range),
    Actions(lsp::TextDocumentIdentifier, lsp::Range),
}

impl Question {
    /// What a request asks.
    ///
    /// # Errors
    /// When nobody knows what that is, or it is not as the protocol has it.
    pub(crate) fn of(request: &Request) -> Result<Question, (ErrorCode, String)> {
        use lsp::request as r;
        match &*request.method {
            r::HoverRequest::METHOD => {
                read(request).map(|params: lsp::HoverParams| Question::Hover(params.text_document_position_params))
            }
            r::CodeLensRequest::METHOD => {
                read(request).map(|params: lsp::CodeLensParams| Question::Lenses(params.text_document))
            }
            r::InlayHintRequest::METHOD => {
                read(request).map(|params: lsp::InlayHintParams| Question::Hints(params.text_document, params.range))
            }
            r::CodeActionRequest::METHOD => {
                read(request).map(|params: lsp::CodeActionParams| Question::Actions(params.text_document, params.range))
            }
            method => Err((ErrorCode::MethodNotFound, format!("`{method}` is not known"))),
        }
    }

    /// The text.
    pub(crate) fn uri(&self) -> &lsp::Uri {
        match self {
            Question::Hover(place) => &place.text_document.uri,
            Question::Lenses(text) | Question::Hints(text, _) | Question::Actions(text, _) => &text.uri,
        }
    }

    /// The answer.
    pub(crate) fn answer(&self, view: &View<'_>) -> Value {
        match self {
            Question::Hover(place) => json!(hover::hover(view, view.positions.offset(place.position))),
            Question::Lenses(_) => json!(lenses::lenses(view)),
            Question::Hints(_, range) => json!(hints::hints(view, *range)),
            Question::Actions(_, range) => json!(actions::actions(view, *range)),
        }
    }
}

fn read<P: DeserializeOwned>(request: &Request) -> Result<P, (ErrorCode, String)> {
    P::deserialize(&request.params).map_err(|error| (ErrorCode::InvalidParams, format!("{}: {error}", request.method)))
}

/// A text, and all that is known of it.
pub(crate) struct View<'a> {
    /// The text.
    pub(crate) document: &'a Document,
    /// Its places.
    pub(crate) positions: Positions<'a>,
    /// What is known.
    pub(crate) analysis: &'a Analysis,
    /// What is wrong in it, whoever says so.
    pub(crate) diagnostics: Vec<lsp::Diagnostic>,
}

impl View<'_> {
    /// The program, where the text is one.
    pub(crate) fn module(&self) -> Option<&Module> {
        self.analysis.module.as_ref()
    }

    /// The bytes of a place, if it is in the text itself.
    pub(crate) fn here<'s>(&self, span: &'s FileSpan) -> Option<&'s std::ops::Range<usize>> {
        let is_here = span.file.as_deref().is_none_or(|file| Path::new(file) == self.document.path);
        (is_here && span.bytes.end <= self.document.text.len()).then_some(&span.bytes)
    }

    /// The points that are in the text itself, with their functions.
    pub(crate) fn points(&self) -> impl Iterator<Item = (&FunctionPoints, &Point, &std::ops::Range<usize>)> {
        let functions = self.analysis.functions.iter();
        let points = functions.flat_map(|function| function.points.iter().map(move |point| (function, point)));
        points.filter_map(|(function, point)| Some((function, point, self.here(&point.span)?)))
    }
}
