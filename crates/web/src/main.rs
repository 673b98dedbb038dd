//! What the live page asks, where a browser answers it: a question in JSON on standard input, its answer on standard output.
//!
//! **Invariant.** A question is one run of this program. So nothing is left of one when the next is asked, and a worker that is ended has done no harm. It is built for `wasm32-wasip1`; of
//! what a system has it uses these two streams only, which `crates/page/code/worker.mjs` is.

use std::io::{self, Read, Write};
use std::process::ExitCode;

use reconverge::{Settings, ValidateOptions};
use reconverge_page::{Answer, Question, answer, whole_answer};
use serde::Deserialize;

/// What is asked.
#[derive(Debug, Deserialize)]
struct Asked {
    what: What,
    question: Question,
}

/// What is wanted of the report.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum What {
    /// Its data.
    Answer,
    /// The page that `report` writes.
    Page,
}

fn answered(input: &[u8]) -> io::Result<Vec<u8>> {
    let asked: Asked = serde_json::from_slice(input)?;
    let answering = match asked.what {
        What::Answer => answer,
        What::Page => whole_answer,
    };
    let answer = match (answering(&asked.question, &Settings::default(), &ValidateOptions::default()), asked.what) {
        (Ok(report), What::Answer) => Answer::Report(Box::new(report)),
        (Ok(report), What::Page) => Answer::Page(reconverge_page::of(&report)?),
        (Err(error), _) => Answer::Error(error),
    };
    Ok(serde_json::to_vec(&answer)?)
}

fn main() -> ExitCode {
    let mut input = Vec::new();
    let done = io::stdin().read_to_end(&mut input).and_then(|_| io::stdout().write_all(&answered(&input)?));
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _nobody = writeln!(io::stderr(), "{error}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_has_an_answer_and_a_page() {
        let of = |what: &str, text: &str| {
            let question = serde_json::json!({ "name": "k.cl", "language": "cl", "text": text });
            let asked = serde_json::json!({ "what": what, "question": question });
            let answered = answered(asked.to_string().as_bytes()).expect("an answer");
            serde_json::from_slice::<serde_json::Value>(&answered).expect("JSON")
        };
        let kernel = "kernel void k() { if (get_local_id(0) < 7) barrier(CLK_LOCAL_MEM_FENCE); }";
        assert_eq!(of("answer", kernel)["report"]["check"]["diagnostics"][0]["code"], "RC0209");
        assert!(of("page", kernel)["page"].as_str().is_some_and(|page| page.starts_with("<!doctype html>")));
        assert_eq!(of("answer", "kernel void k( {")["error"]["position"]["line"], 1);
        assert!(answered(b"{}").is_err());
    }
}
