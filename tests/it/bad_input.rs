//! Whatever the input is, there is a result, or an error with a place in the text; never a panic.

use reconverge_testing::rounds::{first_seed, stride, times};

use crate::common::{examples, read, reconverge};
use rayon::prelude::*;
use reconverge_analysis::check::{CheckOptions, check};
use reconverge_analysis::target::Scope;
use reconverge_analysis::uniformity::Element;
use reconverge_analysis::uniformity::refinements::Settings;
use reconverge_analysis::uniformity::report::{ReportOptions, analyze_functions};
use reconverge_analysis::uniformity::story::{tell, why};
use reconverge_findings::words::ChainWords;
use reconverge_findings::{IrVoice, Scene};
use tempfile::TempDir;

/// Bytes that mean something to a reader, and some that mean nothing.
const BYTES: [u8; 12] = [0, b'\n', b' ', b'"', b'%', b'(', b')', b',', b'9', b'@', b'}', 0xff];

/// Analyses a text and tells why whatever is divergent in it is; all places lie inside.
fn explain_anything(text: &[u8]) {
    let options = ReportOptions { target: None, scopes: &[Scope::Workgroup] };
    let result = analyze_functions(
        text,
        &options,
        |_, _| true,
        |subject, lowerer| {
            let analysis = subject.analyze(lowerer, Scope::Workgroup, &Settings::refined());
            let values = (0..analysis.uniformity.values.len()).map(|value| Element::Value(value as u32));
            let branches = analysis.lowered.problem.graph.nodes().map(Element::Branch);
            for element in values.chain(branches) {
                let steps = tell(&analysis, element);
                assert_eq!(why(&analysis, element).is_none(), steps.is_empty());
                let scene = Scene { module: subject.module, id: subject.id, function: subject.function };
                let words = ChainWords { scene, voice: &IrVoice };
                for step in steps {
                    let span = step.at.span.range();
                    assert!(span.start <= span.end && span.end <= text.len(), "{step:?}");
                    assert!(!words.why(&step).is_empty() && !words.subject(step.subject).is_empty(), "{step:?}");
                }
            }
            analysis.answer();
        },
    );
    if let Err(error) = result {
        assert!(error.offset <= text.len(), "{error:?}");
    }
}

/// Checks a text and that every place that is reported lies inside it.
fn check_anything(text: &[u8]) {
    explain_anything(text);
    match check(text, &CheckOptions { hints: true, ..CheckOptions::default() }) {
        Ok(report) => {
            for diagnostic in &report.diagnostics() {
                let related = diagnostic.related.iter().map(|related| &related.span);
                for span in related.chain([&diagnostic.span]) {
                    assert!(span.start <= span.end && span.end <= text.len(), "{span:?}");
                }
            }
        }
        Err(error) => {
            assert!(error.offset <= text.len(), "{error:?}");
            assert!(!error.message.is_empty() && !error.message.contains('\n'), "{error:?}");
        }
    }
}

/// Xorshift: enough to choose places.
fn random(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

/// The places of a text that are damaged: one of so many; every one with as many `RECONVERGE_ROUNDS`. `RECONVERGE_SEED` chooses others.
fn places(text: &[u8], one_of: u64) -> Vec<usize> {
    let stride = stride(one_of);
    (first_seed() as usize % stride..text.len()).step_by(stride).collect()
}

#[test]
fn truncations_of_every_example() {
    for path in examples() {
        let text = read(path).into_bytes();
        places(&text, 7).into_par_iter().for_each(|length| check_anything(&text[..length]));
    }
}

#[test]
fn bytes_of_every_example_changed() {
    for path in examples() {
        let text = read(path).into_bytes();
        places(&text, 31).into_par_iter().for_each_init(
            || text.clone(),
            |changed, place| {
                for byte in BYTES.into_iter().chain([text[place] ^ 1, text[place] ^ 0x20]) {
                    changed[place] = byte;
                    check_anything(changed);
                }
                changed[place] = text[place];
            },
        );
    }
}

#[test]
fn random_bytes() {
    let mut state = 0x9e37_79b9_7f4a_7c15;
    for _ in 0..times(200) {
        let length = random(&mut state) % 300;
        let bytes: Vec<u8> = (0..length).map(|_| random(&mut state) as u8).collect();
        check_anything(&bytes);
        let text = [b"define void @f() {\n", bytes.as_slice(), b"\n}\n"].concat();
        check_anything(&text);
    }
}

#[test]
fn the_binary_survives_changed_examples() {
    let folder = TempDir::new().expect("a folder");
    let mut state = 0x2545_f491_4f6c_dd1d;
    let texts: Vec<Vec<u8>> = examples().into_iter().map(|path| read(path).into_bytes()).collect();
    for index in 0..600 {
        let mut text = texts[index % texts.len()].clone();
        if index % 3 == 0 {
            text.truncate(random(&mut state) as usize % text.len());
        } else {
            let place = random(&mut state) as usize % text.len();
            text[place] = BYTES[random(&mut state) as usize % BYTES.len()];
        }
        std::fs::write(folder.path().join(format!("{index:03}.ll")), text).expect("it can be written");
    }
    let path = folder.path().to_str().expect("a plain name");
    for arguments in [
        ["check", "--hints", "--color=always", path],
        ["check", "--hints", "--format=sarif", path],
        ["check", "--hints", "--format=json", path],
        ["cycles", "--all-hierarchies", "--format=text", path],
        ["uniformity", "--scope=workgroup", "--color=always", path],
        ["uniformity", "--refinements", "--format=json", path],
        ["regions", "-v", "--format=text", path],
    ] {
        let run = reconverge(&arguments, b"");
        assert_eq!(run.status, 2);
        // Each error is one line that begins with the name and a place.
        for line in run.stderr.lines().filter(|line| line.starts_with("reconverge: ")) {
            let rest = line.strip_prefix(&format!("reconverge: {path}/")).expect("names the file");
            let mut parts = rest.splitn(4, ':');
            assert!(parts.next().is_some_and(|name| name.ends_with(".ll")), "{line}");
            for _ in 0..2 {
                let number: usize = parts.next().and_then(|part| part.parse().ok()).expect("a line and a column");
                assert!(number > 0, "{line}");
            }
            assert!(parts.next().is_some_and(|message| !message.trim().is_empty()), "{line}");
        }
    }
}

#[test]
fn far_along_a_line() {
    for column in [100, 5_000, 50_000] {
        let filler = " ".repeat(column - 1);
        let rest = "x".repeat(5_000);
        let text = format!(
            "declare void @op() convergent\r\ndefine void @f() {{\r\n{filler}call void @op() ; {rest}\r\n  ret void\r\n}}\r\n"
        );
        let run = reconverge(&["check", "-"], text.as_bytes());
        assert!(run.stdout.contains(&format!("--> <stdin>:3:{column}\n")), "{}", run.stdout);
        assert!(run.stdout.contains("^^^^^^^^^^^^^^^ depends"), "{}", run.stdout);
        assert!(run.stdout.lines().all(|line| line.chars().count() < 200), "{}", run.stdout);
    }
}

#[test]
fn long_lines_and_bytes_that_are_not_utf8() {
    let padding = "é".repeat(500_000);
    let mut text =
        format!("; {padding}\ndeclare void @op() convergent\ndefine void @f() {{ call void @op() ; {padding}\n")
            .into_bytes();
    text.extend(b"  call void @\"\xff\xfe\x1b[31m\xe2\x82\"() convergent\n  ret void\n}\ndeclare void @\"\xff\xfe\x1b[31m\xe2\x82\"()\n");
    let run = reconverge(&["check", "--strict", "-"], &text);
    assert_eq!(run.status, 1, "{}", run.stderr);
    assert!(run.stdout.len() < 3000, "{} bytes", run.stdout.len());
    let run = reconverge(&["check", "--hints", "--format", "sarif", "-"], &text);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(!run.stdout.contains('\u{1b}'));
}

/// A kernel that has no name is told by its place.
#[test]
fn a_kernel_without_a_name() {
    let text = "__global__ void (int *x) { x[0] = 1; }\n__global__ void k(int *x) { x[0] = 1; }\n";
    let run = reconverge(&["check", "-", "--input-format", "cuda", "--frontend", "builtin"], text.as_bytes());
    assert!(run.stderr.contains("<stdin>:1:1: the kernel that begins here is left out: it has no name\n"), "{run:?}");
    assert!(!run.stderr.contains("``"), "{run:?}");
}
