//! `lsp`, driven by a scripted editor: it says what the other verbs say, of text that nobody has saved.

mod client;

use serde_json::{Value, json};

use crate::common::{Folder, reconverge, root};
use client::Client;

fn uri(path: &std::path::Path) -> String {
    format!("file://{}", path.display())
}

fn read(input: &str) -> String {
    std::fs::read_to_string(root().join(input)).expect("it is there")
}

/// The code, the line from 1, and the message without notes.
fn short(diagnostic: &Value) -> (String, u64, String) {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let message = text(&diagnostic["message"]).lines().next().unwrap_or_default().to_owned();
    (text(&diagnostic["code"]), diagnostic["range"]["start"]["line"].as_u64().expect("a number") + 1, message)
}

/// Programs with findings: in CUDA, OpenCL C and IR, and one without.
const INPUTS: [&str; 5] = [
    "examples/barrier-in-branch.cu",
    "examples/retry.cl",
    "examples/barrier-in-branch.ll",
    "examples/broken-two-hearts.ll",
    "examples/valid-loop-heart.ll",
];

#[test]
fn findings_are_those_of_check_in_text_that_is_not_saved() {
    let folder = Folder::with(&[]);
    let mut client = Client::initialized(&[]);
    for input in INPUTS {
        let run = reconverge(&["check", "--format", "json", input], b"");
        let checked: Value = serde_json::from_str(&run.stdout).expect("JSON");
        let checked = checked["files"][0]["diagnostics"].as_array().expect("findings");
        // There is no such file.
        let name = input.rsplit('/').next().expect("a name");
        let uri = uri(&folder.path(name));
        client.open(&uri, "", &read(input));
        let found = client.diagnostics(&uri, Some(1));
        assert_eq!(checked.len(), found.len(), "{input}: {found:?}");
        for (checked, found) in checked.iter().zip(&found) {
            let expected = (
                checked["code"].as_str().expect("a code").to_owned(),
                checked["line"].as_u64().expect("a line"),
                checked["message"].as_str().expect("a message").to_owned(),
            );
            assert_eq!(short(found), expected, "{input}");
            // These files are ASCII.
            assert_eq!(
                found["range"]["start"]["character"].as_u64().map(|column| column + 1),
                checked["column"].as_u64()
            );
            let places = |list: &Value| list.as_array().cloned().unwrap_or_default();
            let related = [places(&checked["related"]), places(&checked["also"])].concat();
            let links = places(&found["relatedInformation"]);
            let expected: Vec<_> =
                related.iter().map(|place| (place["line"].as_u64(), place["message"].clone())).collect();
            let line = |link: &Value| link["location"]["range"]["start"]["line"].as_u64().map(|line| line + 1);
            let linked: Vec<_> = links.iter().map(|link| (line(link), link["message"].clone())).collect();
            assert_eq!(linked, expected, "{input}");
            assert!(links.iter().all(|link| link["location"]["uri"] == *uri));
        }
        client.close(&uri);
        assert_eq!(client.diagnostics(&uri, None), [Value::Null; 0]);
    }
    assert_eq!(client.end(), 0);
}

/// A barrier that half of a workgroup reaches; the comment is not ASCII.
const HALF: &str = "kernel void k(global int *a) {
  if (get_local_id(0) < 16)
    /* \u{1f600}\u{e4} */ barrier(CLK_LOCAL_MEM_FENCE);
  a[0] = 1;
}
";

fn range(start: (u32, u32), end: (u32, u32)) -> Value {
    let position = |(line, character)| json!({ "line": line, "character": character });
    json!({ "start": position(start), "end": position(end) })
}

fn codes(diagnostics: &[Value]) -> Vec<(String, u64)> {
    diagnostics.iter().map(short).map(|(code, line, _)| (code, line)).collect()
}

#[test]
fn edits_change_what_is_found() {
    let mut client = Client::initialized(&[]);
    let uri = "untitled:k.cl";
    client.open(uri, "opencl", HALF);
    let found = client.diagnostics(uri, Some(1));
    assert_eq!(codes(&found), [("RC0201".to_owned(), 3)]);
    // Columns are UTF-16: the face is two units.
    assert_eq!(found[0]["range"], range((2, 14), (2, 42)), "{found:?}");
    // Without the condition, threads are together.
    client.edit(uri, 2, Some(range((1, 2), (1, 27))), "");
    assert_eq!(codes(&client.diagnostics(uri, Some(2))), []);
    // What is no program says where.
    client.edit(uri, 3, Some(range((3, 9), (3, 10))), "nothing");
    let found = client.diagnostics(uri, Some(3));
    assert_eq!(short(&found[0]).1, 4, "{found:?}");
    assert_eq!(found[0]["severity"], 1);
    // Of many edits at once, the last one counts.
    for version in 4..40 {
        client.edit(uri, version, None, &HALF.replace("16", &version.to_string()));
    }
    let found = client.diagnostics(uri, Some(39));
    assert_eq!(codes(&found), [("RC0201".to_owned(), 3)]);
    assert_eq!(client.end(), 0);
}

#[test]
fn settings_and_comments_hold_as_in_check() {
    let allowed = HALF.replace("fence", "").replacen("  if", "  // reconverge: allow(RC0201) on purpose\n  if", 1);
    let folder = Folder::with(&[
        ("p/reconverge.toml", "exclude = [\"out\"]\n[severity]\nRC0201 = \"hint\"\n"),
        ("q/reconverge.toml", "[severity]\nRC0201 = \"loud\"\n"),
    ]);
    let mut client = Client::initialized(&[]);
    let mut found = |name: &str, text: &str| {
        let uri = uri(&folder.path(name));
        client.open(&uri, "", text);
        client.diagnostics(&uri, Some(1))
    };
    assert_eq!(found("k.cl", HALF)[0]["severity"], 1);
    assert_eq!(found("p/k.cl", HALF)[0]["severity"], 4);
    assert_eq!(codes(&found("p/out/k.cl", HALF)), []);
    // The comment is for the line of the `if`, where nothing is found.
    assert_eq!(codes(&found("l.cl", &allowed)), [("RC0701".to_owned(), 2), ("RC0201".to_owned(), 4)]);
    let allowed = HALF.replacen("    /*", "    // reconverge: allow(RC0201) on purpose\n    /*", 1);
    assert_eq!(codes(&found("m.cl", &allowed)), []);
    let refused = found("q/k.cl", HALF);
    assert!(short(&refused[0]).2.starts_with("not analysed: "), "{refused:?}");
    let toml = client.diagnostics(&uri(&folder.path("q/reconverge.toml")), None);
    assert_eq!(short(&toml[0]).1, 2, "{toml:?}");
    // What is changed on the disk holds once the editor says so.
    folder.write("q/reconverge.toml", "");
    client.notify("workspace/didChangeWatchedFiles", json!({ "changes": [] }));
    let uri = uri(&folder.path("q/k.cl"));
    assert_eq!(codes(&client.diagnostics(&uri, Some(1))), [("RC0201".to_owned(), 3)]);
    assert_eq!(client.end(), 0);
}

#[test]
fn headers_are_read_as_they_are_typed() {
    let folder = Folder::with(&[("limit.h", "#define LIMIT 16\n")]);
    let [kernel, header] = ["k.cl", "limit.h"].map(|name| uri(&folder.path(name)));
    let mut client = Client::initialized(&[]);
    client.open(&kernel, "", &format!("#include \"limit.h\"\n{}", HALF.replace("16", "LIMIT")));
    assert_eq!(codes(&client.diagnostics(&kernel, Some(1))), [("RC0201".to_owned(), 4)]);
    // All threads of any workgroup are below this.
    client.open(&header, "", "#define LIMIT 100000000\n");
    assert_eq!(codes(&client.diagnostics(&kernel, Some(1))), []);
    client.edit(&header, 2, None, "#define LIMIT 8\n");
    assert_eq!(codes(&client.diagnostics(&kernel, Some(1))), [("RC0201".to_owned(), 4)]);
    client.edit(&header, 3, None, "#define LIMIT 100000000\n");
    assert_eq!(codes(&client.diagnostics(&kernel, Some(1))), []);
    client.close(&header);
    assert_eq!(codes(&client.diagnostics(&kernel, Some(1))), [("RC0201".to_owned(), 4)]);
    assert_eq!(client.end(), 0);
}

#[test]
fn what_cannot_be_answered_is_an_error_answer() {
    let mut client = Client::start(&[]);
    let code = |answer: Value| answer["error"]["code"].as_i64().expect("an error");
    assert_eq!(code(client.request("textDocument/hover", json!({}))), -32002);
    client.request("initialize", json!({ "capabilities": {} }));
    assert_eq!(code(client.request("textDocument/nonsense", json!({}))), -32601);
    // Of notifications, an error is in the log.
    client.close("file:///no/such.cu");
    let log = client.wait(|message| message["method"] == "window/logMessage");
    assert!(log["params"]["message"].as_str().is_some_and(|text| text.contains("/no/such.cu is not open")), "{log}");
    client.notify("textDocument/didOpen", json!({ "textDocument": 7 }));
    client.wait(|message| message["method"] == "window/logMessage");
    client.notify("$/unknown", json!({}));
    client.open("https://example.com/k.cl", "opencl", HALF);
    client.open("file:///k.txt", "plaintext", HALF);
    client.request("shutdown", Value::Null);
    assert_eq!(code(client.request("textDocument/hover", json!({}))), -32600);
    assert_eq!(client.unread().filter(|message| message["method"] == "textDocument/publishDiagnostics").count(), 0);
    client.notify("exit", Value::Null);
    assert_eq!(client.status(), 0);
}

#[test]
fn it_ends_with_its_editor() {
    assert_eq!(Client::initialized(&[]).status(), 1);
    let mut client = Client::initialized(&[]);
    client.notify("exit", Value::Null);
    assert_eq!(client.status(), 1);
    let mut client = Client::initialized(&[]);
    client.send_text("{ this is no message");
    assert_eq!(client.status(), 1);
    // It ends while it works, too.
    let mut client = Client::initialized(&["--stdio"]);
    client.open("untitled:k.cl", "opencl", &HALF.repeat(2000));
    assert_eq!(client.status(), 1);
}
