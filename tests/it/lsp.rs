//! `lsp`, driven by a scripted editor: it says what the other verbs say, of text that nobody has saved.

mod client;

use serde_json::{Value, json};

use crate::common::{Folder, Random, reconverge, root};
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
fn a_misspelt_operation_is_a_warning() {
    let mut client = Client::initialized(&[]);
    let uri = "untitled:k.cu";
    client.open(uri, "cuda", "__global__ void k(int *a) {\n  __synchthreads();\n  a[0] = 1;\n}\n");
    let found = client.diagnostics(uri, Some(1));
    let message = found[0]["message"].as_str().expect("text");
    assert_eq!((found.len(), short(&found[0]).1, &found[0]["severity"]), (1, 2, &json!(2)), "{found:?}");
    assert!(message.ends_with("did you mean `__syncthreads`?"), "{message}");
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

/// The first message that is a request of the server's.
fn refreshes(client: &mut Client, method: &str) {
    client.wait(|message| message["method"] == method && !message["id"].is_null());
}

/// Where something stands first in a text that is ASCII.
fn position_of(text: &str, wanted: &str) -> Value {
    let at = text.find(wanted).unwrap_or_else(|| panic!("no {wanted:?}"));
    let line = text[..at].matches('\n').count();
    let column = at - text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    json!({ "line": line, "character": column })
}

fn asked(uri: &str, position: Value) -> Value {
    json!({ "textDocument": { "uri": uri }, "position": position })
}

fn hover(client: &mut Client, uri: &str, text: &str, wanted: &str) -> String {
    let answer = client.request("textDocument/hover", asked(uri, position_of(text, wanted)));
    assert!(answer["error"].is_null(), "{answer}");
    answer["result"]["contents"]["value"].as_str().unwrap_or_default().to_owned()
}

/// A value of each width, in CUDA and OpenCL C; in IR, the first of these translated.
const WIDTHS: [(&str, &str); 2] = [
    (
        "w.cu",
        "__global__ void k(int *a, int n) {
  int i = threadIdx.x;
  int b = blockIdx.x;
  int w = i / 32;
  if (i < n)
    a[i] = n * 3;
  if (b < n)
    a[b] = w;
  if (n > 4)
    a[0] = 7;
}
",
    ),
    (
        "w.cl",
        "kernel void k(global int *a, int n) {
  int i = get_local_id(0);
  int b = get_group_id(0);
  if (i < n)
    a[i] = n * 3;
  if (b < n)
    a[b] = 7;
  if (n > 4)
    a[0] = 7;
}
",
    ),
];

#[test]
fn hover_says_how_far_a_value_is_uniform_and_why_not() {
    let mut client = Client::initialized(&[]);
    let (name, text) = WIDTHS[0];
    let uri = format!("untitled:{name}");
    client.open(&uri, "cuda-cpp", text);
    assert_eq!(hover(&mut client, &uri, text, "n * 3"), "`n` is uniform in the grid\n");
    assert_eq!(hover(&mut client, &uri, text, "* 3"), "`n * 3` is uniform in the grid\n");
    let of_block = hover(&mut client, &uri, text, "b < n");
    assert!(
        of_block
            .starts_with("`b` is divergent: it may differ between the threads of the grid, but not of a thread block"),
        "{of_block}"
    );
    let of_thread = hover(&mut client, &uri, text, "< n)");
    assert!(of_thread.starts_with("the condition `i < n` is divergent"), "{of_thread}");
    assert!(of_thread.contains("[line 2](<untitled:w.cu#L2>)") && of_thread.contains("threadIdx.x"), "{of_thread}");
    // A declaration tells of what is read.
    let declared = hover(&mut client, &uri, text, "i = threadIdx");
    assert!(declared.starts_with("`i`, read in [line 4](<untitled:w.cu#L4>), is divergent"), "{declared}");
    assert_eq!(hover(&mut client, &uri, text, "__global__"), "");
    let (name, text) = WIDTHS[1];
    let uri = format!("untitled:{name}");
    client.open(&uri, "opencl", text);
    assert!(hover(&mut client, &uri, text, "i < n").contains("the threads of a sub-group"));
    let text = read("examples/divergent-branch.ll");
    let uri = "untitled:d.ll";
    client.open(uri, "llvm", &text);
    // The same value where it is defined and where it is used.
    let explained =
        reconverge(&["uniformity", "examples/divergent-branch.ll", "--format", "json", "--explain", "%result"], b"");
    let explained: Value = serde_json::from_str(&explained.stdout).expect("JSON");
    let chain = explained["files"][0]["explanations"][0]["chain"].as_array().expect("a chain");
    for place in ["%result =", "%result, ptr"] {
        let told = hover(&mut client, uri, &text, place);
        assert!(told.starts_with("`%result` is divergent"), "{told}");
        assert_eq!(told.matches("\n- ").count(), chain.len(), "{told}");
    }
    assert_eq!(client.end(), 0);
}

/// Lenses and hints are what `uniformity` counts and lists.
#[test]
fn lenses_and_hints_are_those_of_uniformity() {
    let mut client = Client::initialized(&[]);
    let input = "examples/divergent-branch.ll";
    let text = read(input);
    let uri = "untitled:d.ll";
    client.open(uri, "llvm", &text);
    let run = reconverge(&["uniformity", "--format", "json", input], b"");
    let listed: Value = serde_json::from_str(&run.stdout).expect("JSON");
    let function = &listed["files"][0]["functions"][0];
    let total = |what: &str, which: &str| function[what][which].as_u64().expect("a number");
    let divergent = |what: &str| function[what]["divergent"].as_array().map(|list| list.len() as u64).expect("a list");
    let all = total("values", "total") + total("parameters", "total") + total("terminators", "branches");
    let uniform = all - divergent("values") - divergent("parameters") - divergent("terminators");
    let text_document = json!({ "textDocument": { "uri": uri } });
    let lenses = client.request("textDocument/codeLens", text_document.clone());
    assert_eq!(
        lenses["result"][0]["command"]["title"],
        format!("uniform in a subgroup: {uniform} of {all}"),
        "{lenses}"
    );
    let hints = |client: &mut Client, uri: &str| {
        let asked = json!({ "textDocument": { "uri": uri }, "range": range((0, 0), (1000, 0)) });
        let answer = client.request("textDocument/inlayHint", asked);
        let hints = answer["result"].as_array().cloned().expect("a list");
        let line = |hint: &Value| hint["position"]["line"].as_u64().expect("a number") + 1;
        hints.iter().map(|hint| (line(hint), hint["label"].as_str().expect("text").to_owned())).collect::<Vec<_>>()
    };
    assert_eq!(hints(&mut client, uri).len() as u64, divergent("terminators"));
    for (name, text) in WIDTHS {
        let uri = format!("untitled:{name}");
        client.open(&uri, "", text);
        let line = position_of(text, "i < n")["line"].as_u64().expect("a number") + 1;
        assert_eq!(hints(&mut client, &uri), [(line, "divergent".to_owned())], "{name}");
        let lenses = client.request("textDocument/codeLens", json!({ "textDocument": { "uri": uri } }));
        let position = position_of(text, "k(");
        assert_eq!(lenses["result"][0]["range"]["start"], position, "{lenses}");
        assert_eq!(lenses["result"].as_array().map(Vec::len), Some(1));
    }
    assert_eq!(client.end(), 0);
}

/// The fix of a finding takes it away, in source and in IR, and leaves the others.
#[test]
fn the_quick_fix_allows_the_finding() {
    let mut client = Client::initialized(&[]);
    for (input, language) in [
        ("examples/block-sum.cu", "cuda-cpp"),
        ("examples/retry.cl", "opencl"),
        ("examples/broken-two-hearts.ll", "llvm"),
    ] {
        let uri = format!("untitled:{}", input.rsplit('/').next().expect("a name"));
        let text = read(input);
        client.open(&uri, language, &text);
        let found = client.diagnostics(&uri, Some(1));
        let place = found[0]["range"].clone();
        let asked = json!({ "textDocument": { "uri": uri }, "range": place, "context": { "diagnostics": [] } });
        let answer = client.request("textDocument/codeAction", asked);
        let actions = answer["result"].as_array().expect("actions");
        assert_eq!(actions.len(), found.len(), "{input}");
        let mut edits: Vec<&Value> = actions.iter().map(|action| &action["edit"]["changes"][&uri][0]).collect();
        edits.sort_by_key(|edit| edit["newText"].to_string());
        for (applied, edit) in (1..).zip(&edits) {
            let version = applied as i32 + 1;
            client.edit(&uri, version, Some(edit["range"].clone()), edit["newText"].as_str().expect("text"));
            assert_eq!(client.diagnostics(&uri, Some(version)).len(), found.len() - applied, "{input}");
        }
        // Elsewhere there is nothing to allow.
        let asked =
            json!({ "textDocument": { "uri": uri }, "range": range((0, 0), (0, 0)), "context": { "diagnostics": [] } });
        assert_eq!(client.request("textDocument/codeAction", asked)["result"], json!([]));
    }
    // Where the line before goes on, a comment would be in the middle of something.
    let text = HALF.replace("16)\n", "16) \\\n");
    let uri = "untitled:m.cl";
    client.open(uri, "opencl", &text);
    let found = client.diagnostics(uri, Some(1));
    assert_eq!(short(&found[0]).1, 3);
    let asked = json!({ "textDocument": { "uri": uri }, "range": found[0]["range"], "context": { "diagnostics": [] } });
    assert_eq!(client.request("textDocument/codeAction", asked)["result"], json!([]));
    assert_eq!(client.end(), 0);
}

#[test]
fn what_is_asked_waits_for_the_text_that_it_is_about() {
    let mut client = Client::start(&[]);
    let workspace = json!({ "codeLens": { "refreshSupport": true }, "inlayHint": { "refreshSupport": true } });
    client.request("initialize", json!({ "capabilities": { "workspace": workspace } }));
    let uri = "untitled:k.cl";
    let code = |answer: Value| answer["error"]["code"].as_i64().expect("an error");
    let at = position_of(HALF, "get_local_id");
    assert_eq!(code(client.request("textDocument/hover", asked(uri, at.clone()))), -32602);
    client.open(uri, "opencl", HALF);
    // Asked before it is analysed, and answered from that.
    assert!(hover(&mut client, uri, HALF, "get_local_id").contains("is divergent"));
    // What was asked about a text that has changed is not answered from another.
    client.edit(uri, 2, None, &HALF.repeat(3_000));
    let lens = client.ask("textDocument/codeLens", json!({ "textDocument": { "uri": uri } }));
    let cancelled = client.ask("textDocument/codeLens", json!({ "textDocument": { "uri": uri } }));
    client.notify("$/cancelRequest", json!({ "id": cancelled }));
    client.edit(uri, 3, None, "kernel void k(void) {}\n");
    assert_eq!(code(client.answer(cancelled)), -32800);
    assert_eq!(code(client.answer(lens)), -32801);
    assert_eq!(client.request("textDocument/hover", asked(uri, at))["result"], Value::Null);
    // What is known otherwise without an edit is asked for again.
    client.notify("textDocument/didSave", json!({ "textDocument": { "uri": uri } }));
    refreshes(&mut client, "workspace/codeLens/refresh");
    refreshes(&mut client, "workspace/inlayHint/refresh");
    assert_eq!(client.end(), 0);
}

/// Says who it is, notes that it was asked more, and then works until it is ended.
#[cfg(unix)]
const BUSY: &str = "case $1 in --version) echo 'clang version 22.1.0'; exit 0;; esac\necho $$ > FOLDER/started.new && mv FOLDER/started.new FOLDER/started\nexec sleep 1000";

/// While text is typed no compiler is started; one that a save has started ends with the next edit, and with the server.
#[cfg(unix)]
#[test]
fn a_compiler_is_started_by_a_save_alone() {
    use crate::common::{runs, until, write_program};
    let folder = Folder::with(&[]);
    let [program, started] = ["clang", "started"].map(|name| folder.path(name));
    let name = |path: &std::path::Path| path.display().to_string();
    write_program(&program, &BUSY.replace("FOLDER", &name(program.parent().expect("a folder"))));
    // Our own front end does not read this.
    let text = "struct s { int a, b; };\nint f() { return __builtin_offsetof(s, b); } // convergent\n";
    let uri = uri(&folder.path("a.cpp"));
    let mut client = Client::initialized(&["--clang", &name(&program)]);
    client.open(&uri, "cpp", text);
    assert!(!client.diagnostics(&uri, Some(1)).is_empty());
    client.edit(&uri, 2, None, &format!("\n{text}"));
    client.diagnostics(&uri, Some(2));
    assert!(!started.exists());
    let process = |client: &mut Client| {
        client.notify("textDocument/didSave", json!({ "textDocument": { "uri": uri } }));
        until("it is started", || started.exists());
        let id = folder.read("started").trim().to_owned();
        std::fs::remove_file(&started).expect("it is there");
        id
    };
    let first = process(&mut client);
    client.edit(&uri, 3, None, &format!("\n\n{text}"));
    client.diagnostics(&uri, Some(3));
    until("the edit ends it", || !runs(&first));
    let second = process(&mut client);
    assert_eq!(client.end(), 0);
    until("the server ends it", || !runs(&second));
}

/// A text as an editor keeps it: lines of UTF-16.
fn replaced(text: &str, [start, end]: [(usize, usize); 2], new: &str) -> String {
    let offset = |(line, column): (usize, usize)| {
        let before: usize = text.split('\n').take(line).map(|line| line.encode_utf16().count() + 1).sum();
        before + column
    };
    let units: Vec<u16> = text.encode_utf16().collect();
    let new: Vec<u16> = new.encode_utf16().collect();
    String::from_utf16(&[&units[..offset(start)], &new, &units[offset(end)..]].concat()).expect("no pair is cut")
}

/// Whatever is edited, what is known in the end is what is known of the last text; every request has one answer, and none ends the server.
#[test]
fn many_edits_lead_to_the_same_as_one() {
    const PIECES: [&str; 12] = [
        "",
        "",
        "\n",
        "{",
        "}",
        "if (get_local_id(0) < 7) ",
        "barrier(CLK_LOCAL_MEM_FENCE);",
        "a[0]",
        "/*",
        "*/",
        "\u{1f600}",
        "#define x \\\n",
    ];
    let mut random = Random(7);
    let mut client = Client::initialized(&[]);
    let uri = "untitled:k.cl";
    let mut text = HALF.to_owned();
    client.open(uri, "opencl", &text);
    let mut asked = Vec::new();
    for version in 2..200 {
        // Pairs of UTF-16 are one place.
        let mut place = |text: &str| {
            let lines: Vec<&str> = text.split('\n').collect();
            let line = random.below(lines.len() as u64) as usize;
            let letters = random.below(lines[line].chars().count() as u64 + 1) as usize;
            (line, lines[line].chars().take(letters).map(char::len_utf16).sum())
        };
        let mut places = [place(&text), place(&text)];
        places.sort();
        let new = random.pick(&PIECES);
        // Most edits are small.
        if random.below(8) > 0 {
            places[1] = places[0];
        }
        text = replaced(&text, places, new);
        let [start, end] = places.map(|(line, column)| (line as u32, column as u32));
        client.edit(uri, version, Some(range(start, end)), new);
        let method = random.pick(&["hover", "codeLens", "inlayHint", "codeAction"]);
        let position = json!({ "line": random.below(9), "character": random.below(40) });
        let context = json!({ "diagnostics": [] });
        let of = json!({ "textDocument": { "uri": uri }, "position": position, "range": range((0, 0), (99, 0)), "context": context });
        asked.push(client.ask(&format!("textDocument/{method}"), of));
        if version % 10 == 0 {
            text = HALF.to_owned();
            client.edit(uri, version, None, &text);
        }
    }
    let found = client.diagnostics(uri, Some(199));
    let other = "untitled:other/k.cl";
    client.open(other, "opencl", &text);
    let fresh = client.diagnostics(other, Some(1));
    let places = |found: &[Value]| found.iter().map(|one| (short(one), one["range"].clone())).collect::<Vec<_>>();
    assert_eq!(places(&found), places(&fresh), "{text}");
    for id in asked {
        let answer = client.answer(id);
        assert!(answer["error"].is_null() || answer["error"]["code"] == -32801, "{answer}");
    }
    assert!(client.unread().all(|message| message["method"] == "textDocument/publishDiagnostics"));
    assert_eq!(client.end(), 0);
}
