//! Findings as JUnit XML, which build servers show as tests: a suite for each file, a case for each finding that counts.
//!
//! Findings that decide the exit status are failures, others are skipped, and an input that could not be used is an error.

use std::borrow::Cow;

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use reconverge::severity_name;
use reconverge_findings::{Diagnostic, Severity};

use crate::input::Problem;
use crate::lines::Lines;
use crate::render::inputs;

/// A report that is being written.
pub(crate) struct JUnit {
    suites: Vec<TestSuite>,
    /// Whether warnings are failures.
    strict: bool,
}

impl JUnit {
    pub(crate) fn new(strict: bool) -> JUnit {
        JUnit { suites: Vec::new(), strict }
    }

    fn suite(&mut self, path: &str) -> &mut TestSuite {
        let known = self.suites.iter().position(|suite| suite.name.as_str() == path);
        let at = known.unwrap_or_else(|| {
            self.suites.push(TestSuite::new(path));
            self.suites.len() - 1
        });
        &mut self.suites[at]
    }

    /// Adds a finding that counts.
    pub(crate) fn add(&mut self, path: &str, lines: &Lines<'_>, diagnostic: &Diagnostic) {
        let fails = match diagnostic.severity {
            Severity::Error => true,
            Severity::Warning => self.strict,
            Severity::Hint => false,
        };
        let place = lines.position(diagnostic.span.start);
        let at = format!("{path}:{}:{}", place.line, place.column);
        let mut status = match fails {
            true => TestCaseStatus::non_success(NonSuccessKind::Failure),
            false => TestCaseStatus::skipped(),
        };
        status.set_type(severity_name(diagnostic.severity)).set_message(diagnostic.message.as_str());
        let notes = diagnostic.lines_after().map(Cow::into_owned).chain(inputs(diagnostic));
        let notes = notes.map(|note| format!("\n{note}"));
        status.set_description(format!("{at}: {}{}", diagnostic.message, notes.collect::<String>()));
        let title = diagnostic.code.title();
        let mut case = TestCase::new(format!("{}: {title} ({at})", diagnostic.code.name()), status);
        case.set_classname(path);
        self.suite(path).add_test_case(case);
    }

    /// An input is done: one without findings passes.
    pub(crate) fn end_input(&mut self, path: &str) {
        let suite = self.suite(path);
        if suite.test_cases.is_empty() {
            let mut case = TestCase::new("check", TestCaseStatus::success());
            case.set_classname(path);
            suite.add_test_case(case);
        }
    }

    /// Adds an input that could not be used.
    pub(crate) fn add_problem(&mut self, problem: &Problem) {
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
        status.set_type("input").set_message(problem.message.as_str()).set_description(problem.to_string());
        let mut case = TestCase::new("check", status);
        case.set_classname(problem.path.as_str());
        self.suite(&problem.path).add_test_case(case);
    }

    /// The whole report.
    ///
    /// # Errors
    /// When XML cannot hold it.
    pub(crate) fn finish(self) -> anyhow::Result<String> {
        let mut report = Report::new("reconverge");
        report.add_test_suites(self.suites);
        Ok(report.to_string()?)
    }
}
