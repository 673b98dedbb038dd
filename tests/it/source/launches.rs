//! What launches by the host say of kernels that are templates.

use serde_json::Value;

use crate::common::reconverge;

/// What a template of the host launches is known from its calls, through other templates too.
#[test]
fn kernels_are_launched_by_templates_of_the_host() {
    let text = "template <class T, int N> __global__ void k(T *a, int n) { __shared__ T s[N]; s[threadIdx.x % N] = a[0]; __syncthreads(); a[threadIdx.x] = s[n % N]; }
        template <class T> __global__ void scale(T *a) { a[threadIdx.x] = a[threadIdx.x] * 2; }
        template <class T, int N = 4> void launch(T *a, int n) { constexpr int M = N * 2; switch (n) { default: const int part = M / 2; k<T, part * 2><<<1, N>>>(a, n); } scale<<<1, n>>>(a); }
        template <typename Real> void bench(int n) { Real *d; launch<Real>(d, n); launch<Real, 16>(d, n); }
        template <int N> void down() { down<N - 1>(); }
        int main() { float *d; bench<double>(3); launch(d, 8); down<5>(); }";
    let check = reconverge(
        &["check", "-", "--input-format", "cuda", "--frontend", "builtin", "--format", "json"],
        text.as_bytes(),
    );
    assert_eq!(check.status, 0, "{}{}", check.stderr, check.stdout);
    let found: Value = serde_json::from_str(&check.stdout).expect("JSON");
    let coverage = &found["files"][0]["coverage"];
    assert_eq!((&coverage["kernels"], &coverage["kernels_with_unknowns"]), (&Value::from(5), &Value::from(0)));
    // Of one that nobody calls nothing is known.
    let text = text.replace("bench<double>(3); launch(d, 8);", "");
    let check = reconverge(&["check", "-", "--input-format", "cuda", "--frontend", "builtin", "-v"], text.as_bytes());
    let open =
        check.stderr.matches("analysed for all values and types: nothing says what the template's parameter").count();
    assert_eq!(open, 2, "{}", check.stderr);
}

/// A lambda of the host is what a kernel is launched with, or a template that launches one is called with.
#[test]
fn kernels_execute_lambdas_of_the_host() {
    let text = "template <class T, class F> __global__ void fold(T *a, F op) { a[0] = op(a[threadIdx.x], a[threadIdx.x + 1]); }
template <class F> __global__ void each(int n, F f) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) f(i); }
template <class F> void forall(int n, F f) { each<<<(n + 255) / 256, 256>>>(n, f); }
template <class T, int N> void go(T *t) { forall(9, [=] __device__(int i) { T u = t[i]; t[i] = u * N; }); }
int main() {
  unsigned *front; int bound = 7; auto size = 3;
  go<int, 3>(nullptr);
  auto most = [] __device__(unsigned l, unsigned r) { return max(l, r); };
  fold<<<1, 32>>>(front, most);
  hipLaunchKernelGGL(fold, dim3(1), dim3(32), 0, 0, front, most);
  forall(100, [=, s = 2 * size] __device__(int i) { front[i] = s; });
  forall(100, [=] __device__(int i) {
    if (threadIdx.x < bound)
      __syncthreads();
    front[i] = 1;
  });
}
";
    let arguments = ["check", "-", "--input-format", "hip", "--frontend", "builtin"];
    let check = reconverge(&arguments, text.as_bytes());
    let found =
        "in divergent control flow if `bound` is less than `blockDim.x`: threads of a workgroup do not all reach it";
    assert!(check.stdout.contains(found) && check.stdout.contains("<stdin>:14:7"), "{check:?}");
    let json = reconverge(&[&arguments[..], &["--format", "json"]].concat(), text.as_bytes());
    let found: Value = serde_json::from_str(&json.stdout).expect("JSON");
    let coverage = &found["files"][0]["coverage"];
    // `s` alone is something unknown: nothing says what type `size` has.
    assert_eq!((&coverage["kernels"], &coverage["kernels_with_unknowns"]), (&Value::from(4), &Value::from(1)));
    assert_eq!(coverage["unknown"][0]["line"], 11, "{coverage}");
}

/// Variables of the host have the types of templates, too.
#[test]
fn operands_of_launches_have_types_with_arguments() {
    let text = "namespace ops { template <class T, int N> struct times { __device__ void operator()(T *a) const { a[0] *= N; } };
          template <class T> struct named { typedef times<T, 3> type; }; }
        template <class T, class F> __global__ void each(T *a, F f) { f(a + threadIdx.x); }
        template <class T> void go(T *a) { ops::times<T, (1 >> 0)> f; each<<<1, 32>>>(a, f); each<<<1, 32>>>(a, f); const ops::named<ops::times<T, 2>>::type *p; ops::named<T>::type g; each<<<1, 32>>>(a, g); }
        int main() { float *d; go(d); }";
    let check = reconverge(&["check", "-", "--input-format", "cuda", "--format", "json"], text.as_bytes());
    let found: Value = serde_json::from_str(&check.stdout).expect("JSON");
    let coverage = &found["files"][0]["coverage"];
    assert_eq!((&coverage["kernels"], &coverage["kernels_with_unknowns"]), (&Value::from(2), &Value::from(0)));
}

/// What a kernel's result stands for may be known late; one that returns something is left out, and costs nothing else.
#[test]
fn kernels_return_nothing() {
    let text = "template <class T> __global__ T k(int *p) { p[0] = 1; return 2; }
        void f() { k<int><<<1, 2>>>(0); }
        auto __global__ a(int *p) { p[0] = 1; return 2; }
        auto __global__ b(int *p) { p[0] = 1; }";
    for language in ["cuda", "hip"] {
        let arguments = ["check", "-", "--input-format", language, "--frontend", "builtin", "--format", "json"];
        let check = reconverge(&arguments, text.as_bytes());
        assert!(check.stderr.contains("a kernel returns `void`, not `int`"), "{check:?}");
        let found: Value = serde_json::from_str(&check.stdout).expect("JSON");
        let coverage = &found["files"][0]["coverage"];
        assert_eq!(
            (&coverage["kernels"], &coverage["analysed_kernels"]),
            (&Value::from(3), &Value::from(1)),
            "{check:?}"
        );
    }
}

/// What is said of the size of workgroups decides what is certain, depends, or never happens: of kernels that do not say it themselves, and of functions where all kernels allow it.
#[test]
fn what_is_said_of_launches_decides() {
    let text = "__global__ void small(int *p) { if (threadIdx.x < 32) __syncthreads(); p[threadIdx.x] = 1; }
__global__ void guard(int *p, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n / blockDim.x * blockDim.x) __syncthreads(); }
__global__ void rows(int *p) { int t = threadIdx.y * blockDim.x + threadIdx.x; if (threadIdx.y < 4) p[t] = __shfl_xor_sync(0xffffffff, p[t], 1); }
__global__ void __launch_bounds__(64) bounded(int *p) { if (threadIdx.x < 64) __syncthreads(); }
__device__ void helper() { if (threadIdx.x < 128) __syncthreads(); }
__global__ void calls(int *p) { helper(); }
";
    let found = |options: &[&str]| {
        let arguments =
            [&["check", "-", "--input-format", "cuda", "--frontend", "builtin", "--short"], options].concat();
        let check = reconverge(&arguments, text.as_bytes());
        let places = check.stdout.lines().filter_map(|line| {
            let (place, rest) = line.strip_prefix("<stdin>:")?.split_once(": ")?;
            Some(format!("{} {}", place.split(':').next()?, rest.split(':').next()?))
        });
        places.collect::<Vec<_>>()
    };
    const SMALL: &str = "1 error[RC0201]";
    const ROWS: &str = "3 warning[RC0204]";
    const HELPER: &str = "5 warning[RC0202]";
    assert_eq!(found(&[]), [SMALL, ROWS, HELPER]);
    assert_eq!(found(&["--block", "32"]), [""; 0]);
    assert_eq!(found(&["--block", "64"]), [SMALL]);
    // `bounded` allows no launch of 256 threads, so nothing is known of those that `helper` is in.
    assert_eq!(found(&["--block", "32,8"]), [HELPER]);
    assert_eq!(found(&["--block", "16,4"]), [""; 0]);
    assert_eq!(found(&["--block", "10,8"]), ["3 error[RC0203]", HELPER]);
    let wrong = reconverge(&["check", "-", "--block", "0"], b"");
    assert!(wrong.status == 2 && wrong.stderr.contains("'--block <X[,Y[,Z]]>'"), "{}", wrong.stderr);
}

/// A kernel that says how it is launched is tried in as many launches as others are.
#[test]
fn guards_of_kernels_with_a_required_size() {
    let text = "__attribute__((reqd_work_group_size(32, 1, 1))) kernel void guard(global int *p, int n) {
  int size = get_local_size(0), i = get_group_id(0) * size + get_local_id(0);
  if (i < n / size * size) barrier(CLK_LOCAL_MEM_FENCE);
}
";
    let check = reconverge(&["check", "-", "--input-format", "cl"], text.as_bytes());
    assert_eq!((check.status, check.stdout.as_str()), (0, ""), "{}", check.stderr);
}

/// What the condition of `if constexpr` is may not be known; it is the same for all threads, and a recursion that it ends is followed so far only.
#[test]
fn conditions_that_nothing_says_are_constants() {
    let text = "template <int Init, typename Pred, typename Step, typename F> __device__ void static_for(F &&f) {
  if constexpr (Pred{}.template operator()<Init>()) {
    f.template operator()<Init>();
    static_for<Step{}.template operator()<Init>(), Pred, Step, F>(static_cast<F &&>(f));
  }
}
template <int J> struct less_than { template <int I> __device__ constexpr bool operator()() { return I < J; } };
template <int J> struct increment { template <int I> __device__ constexpr int operator()() { return I + J; } };
template <int Count> __global__ void k(int *p) {
  static_for<1, less_than<Count>, increment<1>>([&]<int I>() { p[I] = I; __syncthreads(); });
}
";
    let check = reconverge(&["check", "-", "--input-format", "cuda", "--frontend", "builtin"], text.as_bytes());
    assert_eq!((check.status, check.stdout.as_str()), (0, ""), "{}", check.stderr);
    assert!(!check.stderr.contains("instance-depth"), "{}", check.stderr);
}
