//! Files of projects as they are: kernels among code of the host, headers that are not there, and constructs that nobody here knows.

use expect_test::expect;
use reconverge_lang::options::Dialect;

use crate::translate::support::{defined, translated, wrong};

#[test]
fn functions_of_the_host_are_not_looked_into() {
    let text = "#define CHECK(x) do { error_t e = (x); if (e) { report(__LINE__); exit(1); } } while (0)
__host__ void declared(int n);
template <typename T> void of_many(T n) { std::vector<T> v{n}; for (auto &x : v) x++; }
namespace a { static int helper(int argc, char **argv) { auto f = [&](int x) { return x + argc; }; return f(1); } }
__host__ __device__ int both(int x) { return x + 1; }
__attribute__((device)) int by_attribute(int x) { return both(x); }
constexpr int known() { return 3; }
__global__ void k(int *p) { p[threadIdx.x] = by_attribute(known()); }
int main() { std::vector<int> v(10); k<<<1, 2>>>(v.data()); CHECK(sync()); try { throw 1; } catch (...) { } return 0; }
";
    for dialect in [Dialect::Cuda, Dialect::Hip] {
        let translation = translated(dialect, text);
        assert_eq!(wrong(&translation), "");
        assert_eq!(defined(&translation), ["both", "by_attribute", "known", "k"]);
    }
}

#[test]
fn no_kernel_is_lost_in_a_function_of_the_host() {
    let text = "void host(int n) { if (n) {\n}\n__global__ void k(int *p) { *p = 1; }\n";
    expect![[r#"
        1:18: error: this `{` is not closed
          3:1: a kernel begins here
    "#]]
    .assert_eq(&wrong(&translated(Dialect::Cuda, text)));
    // Another brace closes what is open.
    let text = format!("namespace a {{ {text} }}");
    expect![[r#"
        1:32: error: this `{` is not closed
          3:1: a kernel begins here
    "#]]
    .assert_eq(&wrong(&translated(Dialect::Cuda, text)));
}
