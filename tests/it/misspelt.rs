//! Calls of functions that nothing declares, and that are spelled nearly like operations of several threads.

use serde_json::Value;

use crate::common::{Folder, Run};

const KERNEL: &str = "__global__ void k(int *a) {
  __shared__ int s[32];
  s[threadIdx.x] = a[threadIdx.x];
  __synchthreads();
  a[threadIdx.x] = s[31 - threadIdx.x];
}
";

const TOLD: &str = "k.cu:4:3: warning: the function `__synchthreads` is not declared; did you mean `__syncthreads`?";

fn check(folder: &Folder, arguments: &[&str]) -> Run {
    folder.run(&[&["check", "--frontend", "builtin"], arguments].concat())
}

fn tells(run: &Run) -> usize {
    run.stderr.matches("did you mean").count()
}

/// It is told of one file, and of one among many.
#[test]
fn a_misspelt_barrier_is_told() {
    let folder = Folder::with(&[("k.cu", KERNEL), ("other.cu", "__global__ void f() { unknown(1); }\n")]);
    for inputs in [&["DIR/k.cu"][..], &["DIR"]] {
        let run = check(&folder, inputs);
        assert!(run.stderr.lines().any(|line| line == TOLD), "{run:?}");
        assert_eq!((tells(&run), run.status), (1, 0), "{run:?}");
        assert!(run.stderr.contains("analysed with unknowns"), "{run:?}");
    }
    let json = check(&folder, &["DIR/k.cu", "--format", "json"]);
    let found: Value = serde_json::from_str(&json.stdout).expect("JSON");
    let unknown = &found["files"][0]["coverage"]["unknown"][0];
    assert_eq!((&unknown["name"], &unknown["meant"]), (&"__synchthreads".into(), &"__syncthreads".into()));
    // In a header, once for all files that include it.
    let shared = KERNEL.replace("__global__ void k", "__device__ void helper");
    let user = "#include \"k.cuh\"\n__global__ void k(int *a) { helper(a); }\n";
    let folder = Folder::with(&[("k.cuh", &shared), ("one.cu", user), ("two.cu", user)]);
    let run = check(&folder, &["DIR"]);
    assert_eq!(tells(&run), 1, "{run:?}");
}

#[test]
fn other_operations() {
    for (call, meant) in [
        ("__shlf_sync(~0u, 1, 0)", "__shfl_sync"),
        ("__balot_sync(~0u, 1)", "__ballot_sync"),
        ("__syncwarps()", "__syncwarp"),
        ("syncthreads()", "__syncthreads"),
    ] {
        let text = KERNEL.replace("__synchthreads()", call);
        let run = check(&Folder::with(&[("k.cu", &text)]), &["DIR"]);
        assert!(run.stderr.contains(&format!("did you mean `{meant}`?")), "{call}: {run:?}");
    }
}

/// Names that headers may declare which are not there, and those that are like functions of one thread, are listed with `-v` only.
#[test]
fn no_noise() {
    let many = |text: &str| {
        let folder = Folder::with(&[("k.cu", text), ("l.cu", "__global__ void f() {}\n")]);
        check(&folder, &["DIR"])
    };
    for call in ["unknown(1)", "reduce_sum(a)", "cosff(1)", "my_sync(a)"] {
        let run = many(&KERNEL.replace("__synchthreads()", call));
        assert_eq!(tells(&run), 0, "{call}: {run:?}");
    }
    let included = format!("#include <project/sync.h>\n{KERNEL}");
    let own = many(&included.replace("__synchthreads", "syncthreads"));
    assert_eq!(tells(&own), 0, "{own:?}");
    // A project has no such names.
    assert_eq!(tells(&many(&included)), 1);
    // What the file declares is what is meant.
    let declared = KERNEL
        .replace("__synchthreads", "_syncthreads")
        .replace("__global__", "__device__ void syncthreads_();\n__global__");
    assert!(!many(&declared).stderr.contains("`__syncthreads`?"), "{declared}");
}
