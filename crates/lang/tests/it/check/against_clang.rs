//! Types, constants and names in IR are those of Clang: of random expressions, and of functions of all kinds.
//!
//! A failure prints the expressions.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use reconverge_lang::diagnostic::Severity;
use reconverge_lang::options::{Dialect, Options};
use reconverge_lang::typed::{Constant, FloatKind, Shape, StatementKind, constant_value, shape, type_name};
use reconverge_testing::llvm::{output, tools};
use reconverge_testing::random::SplitMix64;
use reconverge_testing::rounds::seeds;

use crate::check::support::{Result, checked};

/// Runs Clang on a text: what it prints, and what it complains of.
fn clang(text: &str, arguments: &[&str]) -> Option<(String, String)> {
    let tools = tools()?;
    let folder = tempfile::tempdir().expect("a folder can be made");
    let file = folder.path().join("text");
    std::fs::write(&file, text).expect("a file can be written");
    let mut clang = Command::new(&tools.clang);
    let output = output(clang.args(arguments).args(["-w", "-ferror-limit=0", "-o", "-"]).arg(&file));
    let output = output.expect("clang runs");
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Some((text(output.stdout), text(output.stderr)))
}

/// The lines that errors of Clang are about, with what it says.
fn error_lines(complaints: &str) -> Vec<(usize, &str)> {
    let lines = complaints.lines().filter_map(|line| {
        let (place, message) = line.split_once(": error: ")?;
        let number = place.rsplit(':').nth(1)?.parse().ok()?;
        Some((number, message))
    });
    lines.collect()
}

/// The lines that have an error here.
fn wrong_lines(result: &Result) -> BTreeSet<usize> {
    let wrong = result.diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
    wrong.filter_map(|diagnostic| Some(result.sources.position(diagnostic.location)?.line as usize)).collect()
}

const SCALARS: &[&str] = &[
    "_Bool",
    "char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned int",
    "long",
    "unsigned long",
    "float",
    "double",
];

/// What random expressions are made of.
struct Language {
    dialect: Dialect,
    flags: &'static [&'static str],
    variables: Vec<(String, String)>,
    casts: Vec<String>,
    bool_name: &'static str,
}

impl Language {
    fn c() -> Language {
        let mut variables: Vec<(String, String)> =
            SCALARS.iter().enumerate().map(|(index, &of)| (of.to_string(), format!("v{index}"))).collect();
        variables.push(("int *".into(), "p".into()));
        variables.push(("char *".into(), "s".into()));
        variables.push(("enum color".into(), "e".into()));
        variables.push(("struct pair".into(), "t".into()));
        let casts = SCALARS.iter().map(|of| of.to_string()).collect();
        Language { dialect: Dialect::C, flags: &["-x", "c", "-std=gnu17"], variables, casts, bool_name: "_Bool" }
    }

    fn opencl() -> Language {
        let types = [
            "bool", "char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "float", "double", "int4",
            "uint4", "float4", "char4", "uchar4", "long4", "int2", "double2", "short8",
        ];
        let names = types.iter().enumerate().map(|(index, &of)| (of.to_string(), format!("v{index}")));
        let mut variables: Vec<(String, String)> = names.collect();
        variables.push(("global int *".into(), "p".into()));
        variables.push(("local float4 *".into(), "q".into()));
        let casts = types.iter().map(|of| of.to_string()).collect();
        let flags = &["-x", "cl", "-cl-std=CL3.0", "-target", "spirv64", "-Xclang", "-finclude-default-header"];
        Language { dialect: Dialect::OpenCl, flags, variables, casts, bool_name: "bool" }
    }

    fn header(&self) -> &'static str {
        match self.dialect {
            Dialect::C => "enum color { red, green = 5 }; struct pair { short x; float y; };",
            _ => "#pragma OPENCL EXTENSION cl_khr_fp64 : enable",
        }
    }

    fn parameters(&self) -> String {
        self.variables.iter().map(|(of, name)| format!("{of} {name}")).collect::<Vec<_>>().join(", ")
    }

    fn leaf(&self, random: &mut SplitMix64) -> String {
        match random.below(10) {
            0 => {
                ["0", "1", "7", "'a'", "2u", "3l", "0xfffffffful", "1.5f", "2.5", "4000000000"][random.below(10)].into()
            }
            1 if self.dialect == Dialect::C => ["t.x", "t.y", "green", "p[1]", "*s", "*p"][random.below(6)].into(),
            1 => ["v11.x", "v13.hi", "v19.even", "p[1]", "*q", "v12[1]", "v14.wzyx"][random.below(7)].into(),
            _ => random.pick(&self.variables).map_or("0".into(), |(_, name)| name.clone()),
        }
    }

    fn expression(&self, depth: u32, random: &mut SplitMix64) -> String {
        if depth == 0 {
            return self.leaf(random);
        }
        let part = |random: &mut SplitMix64| {
            let less = if random.percent(50) { 0 } else { depth - 1 };
            self.expression(less, random)
        };
        match random.below(12) {
            0 => {
                let operator = ["-", "+", "~", "!", "*"][random.below(5)];
                format!("({operator} {})", part(random))
            }
            1 => {
                let cast = &self.casts[random.below(self.casts.len())];
                format!("(({cast}){})", part(random))
            }
            2 => format!("({} ? {} : {})", part(random), part(random), part(random)),
            3 => {
                let operator = ["=", "+=", "-=", "*=", "<<=", "&=", "%="][random.below(7)];
                let place = random.pick(&self.variables).map_or("v0", |(_, name)| name);
                format!("({place} {operator} {})", part(random))
            }
            4 => {
                let place = random.pick(&self.variables).map_or("v0", |(_, name)| name);
                [format!("({place}++)"), format!("(--{place})")][random.below(2)].clone()
            }
            5 => format!("({}, {})", part(random), part(random)),
            _ => {
                let operators = ["+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^", "<", ">=", "==", "!=", "&&", "||"];
                let operator = operators[random.below(operators.len())];
                format!("({} {operator} {})", part(random), part(random))
            }
        }
    }
}

/// The types of random expressions, and which have none.
fn types_agree(language: &Language) {
    if tools().is_none() {
        return;
    }
    for seed in seeds(2) {
        let mut random = SplitMix64::new(seed);
        let count = 1_500;
        let expressions: Vec<String> =
            (0..count).map(|index| language.expression(1 + index % 3, &mut random)).collect();
        let parameters = language.parameters();
        let line = |(index, expression): (usize, &String)| format!("void f{index}({parameters}) {{ {expression}; }}\n");
        let body: String = expressions.iter().enumerate().map(line).collect();
        let text = format!("{}\n{body}", language.header());
        let result = checked(Path::new("text"), &text, &without_limit(language.dialect));
        let ours = wrong_lines(&result);
        let (_, complaints) = clang(&text, &[language.flags, &["-fsyntax-only"]].concat()).expect("clang is there");
        let theirs = error_lines(&complaints);
        let mut different = String::new();
        for (index, expression) in expressions.iter().enumerate() {
            let theirs = theirs.iter().find(|(line, _)| *line == index + 2);
            let is_wrong = ours.contains(&(index + 2));
            // In OpenCL C more is understood here: a scalar of a higher rank beside a vector, a float as the condition of `?:`.
            if is_wrong != theirs.is_some() && (is_wrong || language.dialect == Dialect::C) {
                let why = theirs.map_or("fine".to_string(), |(_, message)| message.to_string());
                let mine = result.wrong();
                let here = format!("{}:", index + 2);
                let mine = mine.lines().find(|line| line.starts_with(&here)).unwrap_or("fine").to_string();
                // Clang only warns of comparisons of pointers with other things, and makes vectors of bools, which OpenCL C does not have.
                if !mine.contains(" *`") && !mine.contains("`bool") {
                    different += &format!("{expression}\n  clang: {why}\n  here: {mine}\n");
                }
            }
        }
        assert!(different.is_empty(), "seed {seed}:\n{different}");
        let rejected: BTreeSet<usize> = theirs.iter().map(|(line, _)| line - 2).collect();
        same_types(language, &expressions, &rejected, &result, seed);
    }
}

/// The types of the expressions that have one are the same for Clang.
fn same_types(language: &Language, expressions: &[String], rejected: &BTreeSet<usize>, result: &Result, seed: u64) {
    let program = &result.program;
    let mut text = format!("{}\n", language.header());
    for (index, expression) in expressions.iter().enumerate() {
        let name = format!("f{index}");
        let function = program.functions.values().find(|function| function.name == name);
        let body = function.and_then(|function| function.body.as_ref());
        let statement = body.filter(|_| !rejected.contains(&index)).and_then(|body| body.statements.values().nth(1));
        let Some(StatementKind::Expression(checked)) = statement.map(|statement| &statement.kind) else {
            text += "\n";
            continue;
        };
        let of = body.expect("it has a statement").expressions[*checked].of;
        let of = type_name(&program.types, of, language.dialect).replace("bool", language.bool_name);
        let parameters = language.parameters();
        text += &format!(
            "void f{index}({parameters}) {{ _Static_assert(__builtin_types_compatible_p(__typeof__({expression}), {of}), \"{of}\"); }}\n"
        );
    }
    let (_, complaints) = clang(&text, &[language.flags, &["-fsyntax-only"]].concat()).expect("clang is there");
    let mut different = String::new();
    for (line, message) in error_lines(&complaints) {
        different += &format!("{}\n  {message}\n", expressions[line - 2]);
    }
    assert!(different.is_empty(), "seed {seed}:\n{different}");
}

/// Options with which all errors are said.
fn without_limit(dialect: Dialect) -> Options {
    let mut options = Options::new(dialect);
    options.limits.errors = usize::MAX;
    options
}

#[test]
fn types_of_c() {
    types_agree(&Language::c());
}

#[test]
fn types_of_opencl() {
    types_agree(&Language::opencl());
}

/// An expression of numbers.
fn constant_expression(depth: u32, random: &mut SplitMix64) -> String {
    let leaves = [
        "0",
        "1",
        "2",
        "7",
        "-1",
        "255",
        "300",
        "65535",
        "0x7fffffff",
        "0x80000000",
        "4000000000",
        "3u",
        "31",
        "'a'",
        "1ul",
        "0xffffffffffffffff",
        "1.5f",
        "0.1f",
        "0.1",
        "2.0",
        "1e10f",
        "16777217.0f",
        "-2.5",
        "3.0e38f",
        "1e-40f",
        "0x1.8p3",
    ];
    if depth == 0 {
        return leaves[random.below(leaves.len())].into();
    }
    let part = |random: &mut SplitMix64| constant_expression(random.below(depth as usize) as u32, random);
    match random.below(10) {
        0 => format!("({} {})", ["-", "+", "~", "!"][random.below(4)], part(random)),
        1 | 2 => format!("(({}){})", SCALARS[random.below(SCALARS.len())], part(random)),
        3 => format!("({} ? {} : {})", part(random), part(random), part(random)),
        4 => format!("sizeof({})", part(random)),
        5 => {
            // A shift by more than the width may be anything.
            format!("({} {} ({} & 31))", part(random), ["<<", ">>"][random.below(2)], part(random))
        }
        _ => {
            let operators = ["+", "-", "*", "/", "%", "&", "|", "^", "<", ">=", "==", "!=", "&&", "||"];
            format!("({} {} {})", part(random), operators[random.below(operators.len())], part(random))
        }
    }
}

/// The values of random constant expressions.
#[test]
fn constants_of_c() {
    if tools().is_none() {
        return;
    }
    for seed in seeds(2) {
        let mut random = SplitMix64::new(seed);
        let expressions: Vec<String> =
            (0..2_000).map(|index| constant_expression(1 + index % 4, &mut random)).collect();
        let line = |(index, expression): (usize, &String)| format!("void f{index}(void) {{ {expression}; }}\n");
        let text: String = expressions.iter().enumerate().map(line).collect();
        let result = checked(Path::new("text"), &text, &without_limit(Dialect::C));
        let (mut asserts, mut known) = (String::new(), 0);
        for (index, expression) in expressions.iter().enumerate() {
            let value = value_of(&result, index);
            known += usize::from(value.is_some());
            let assert = value.map(|value| {
                format!("_Static_assert(({expression}) == ({value}) && sizeof({expression}) == sizeof({value}), \"{value}\");")
            });
            asserts += &(assert.unwrap_or_default() + "\n");
        }
        assert!(known > expressions.len() / 3, "seed {seed}: only {known} have values");
        let flags = ["-x", "c", "-std=gnu17", "-fsyntax-only"];
        let (_, complaints) = clang(&asserts, &flags).expect("clang is there");
        let mut different = String::new();
        for (line, message) in error_lines(&complaints) {
            // What Clang does not see as constant (an overflow) may be anything.
            if message.starts_with("static assertion failed") {
                different += &format!("{}\n  {message}\n", expressions[line - 1]);
            }
        }
        assert!(different.is_empty(), "seed {seed}:\n{different}");
    }
}

/// The value of a function's statement, as a literal of C of its type.
fn value_of(result: &Result, index: usize) -> Option<String> {
    let program = &result.program;
    let name = format!("f{index}");
    let function = program.functions.values().find(|function| function.name == name)?;
    let body = function.body.as_ref()?;
    let StatementKind::Expression(expression) = body.statements.values().nth(1)?.kind else { return None };
    let of = body.expressions[expression].of;
    let name = type_name(&program.types, of, Dialect::C).replace("bool", "_Bool");
    match (constant_value(program, body, expression)?, shape(&program.types, of)) {
        (Constant::Integer(bits), Shape::Integer { bits: width, signed: true }) => {
            let unused = 128 - u32::from(width);
            let value = ((bits << unused) as i128) >> unused;
            Some(format!("({name})({}l - 1)", value + 1))
        }
        (Constant::Integer(bits), _) => Some(format!("({name}){bits}ul")),
        (Constant::Zero, _) => Some(format!("({name})0")),
        (Constant::Float(value), Shape::Float(kind)) if value.is_finite() => {
            let suffix = if kind == FloatKind::Single { "f" } else { "" };
            Some(format!("{value:e}{suffix}"))
        }
        _ => None,
    }
}

const FUNCTIONS: &str = "
namespace geo { struct point { int x; }; enum class kind { a }; namespace deep { struct leaf { int v; }; } }
struct pair { int a, b; };
enum color { red };
typedef int (*operation)(int, pair *);
typedef struct { int z; } named;
int plain(int a, char b, signed char c, unsigned char d, short e, unsigned short f, unsigned g, long h, unsigned long i, long long j, unsigned long long k, bool l, float m, double n) { return 0; }
void none() {}
static int hidden(int a) { return a; }
int uses(int a) { return hidden(a); }
void pointers(const int *a, int *const b, const int *const *c, volatile float *d, const void *e, char **f, const char *g) {}
void again(pair *a, pair *b, const pair *c, pair &d, const pair &e, pair f, const pair *g) {}
void spaces(geo::point a, geo::point *b, geo::kind c, geo::deep::leaf d, geo::deep::leaf *e, const geo::kind &f) {}
void functions(operation a, operation b, void (*c)(), int (*d)(operation)) {}
void arrays(int a[3], int (&b)[4], const int (&c)[4], int (*d)[2][3], named e, color f, color *g) {}
namespace geo { int inside(point a, kind b) { return 0; } namespace deep { void more(leaf *a, point b) {} } }
extern \"C\" int bare(int a) { return a; }
template <typename T> T one(T a) { return a; }
template <typename T, int N> T two(const T *a, T b) { return a[N]; }
template <typename T, typename U> U three(T a, U b, T *c) { return b; }
template <typename T, int N> int four(T (&a)[N]) { return N; }
template <typename T> void five(T *a, const T *b, T &c, const T &d) {}
template <bool B, unsigned N, long M, char C> void six() {}
template <typename T> static T seven(T a) { return a; }
template <typename R, typename A> R eight(R (*f)(A), A a) { return f(a); }
namespace geo { template <typename T> T nine(T a, point b) { return a; } }
template <typename... T> int many(T... a) { return sizeof...(a); }
template <typename F, typename... A> void forwarded(F f, A &&...a) { (f(a), ...); }
template <int... N> int numbers() { return (N + ... + 0); }
template <typename... T> struct listed { int first; };
template <typename... T> int taken(listed<T...> a, const listed<int, T...> *b) { return sizeof...(T); }
void moved(pair &&a, const pair &&b, pair &&c) {}
float helper(int a) { return a; }
void call(pair *p, const pair *q, const int *c) {
  int list[5]; const float table[2] = {1, 2}; geo::point g; int n = 1; const char *s = \"x\";
  one(1); one(1.5f); one('a'); one(1ll); one(*p); one(q); one(&g); one(s); one(true);
  two<int, 3>(c, 1); two<const int, 2>(c, 1); three(1, 2.5, &n); three<long, pair>(1, *p, nullptr);
  four(list); four(table); five(&n, c, n, 3); six<true, 4u, -5, 'c'>(); seven(p); eight(helper, 2); geo::nine(1, g); geo::nine(g, g);
  many(1, 2.5f, 'a'); many(); forwarded(helper, 1, n, list[2]); numbers<1, -2>();
  listed<char, pair> l; listed<int, char, pair> m; taken(l, &m);
}
";

/// The names of the functions that are defined in IR that Clang makes.
fn names_of_clang(text: &str, flags: &[&str]) -> Option<BTreeSet<String>> {
    let (module, complaints) = clang(text, &[flags, &["-S", "-emit-llvm"]].concat())?;
    assert!(!complaints.contains("error:"), "{complaints}");
    let defined = module.lines().filter(|line| line.starts_with("define "));
    let names = defined.filter_map(|line| Some(line.split_once('@')?.1.split_once('(')?.0.to_string()));
    Some(names.collect())
}

fn names_here(text: &str, dialect: Dialect) -> BTreeSet<String> {
    let result = checked(Path::new("text"), text, &Options::new(dialect));
    assert!(result.diagnostics.is_empty(), "{}", result.wrong());
    let defined = result.program.functions.values().filter(|function| function.body.is_some());
    defined.map(|function| function.linkage_name.clone()).collect()
}

#[test]
fn names_of_cpp() {
    let Some(theirs) = names_of_clang(FUNCTIONS, &["-x", "c++", "-std=c++20"]) else { return };
    let ours = names_here(FUNCTIONS, Dialect::Cpp);
    let missing: Vec<_> = theirs.difference(&ours).collect();
    let wrong: Vec<_> = ours.difference(&theirs).collect();
    assert!(missing.is_empty() && wrong.is_empty(), "only clang: {missing:#?}\nonly here: {wrong:#?}");
}

/// Templates in classes, with specialisations, from inside and outside of instances.
const MEMBER_TEMPLATES: &str = "
template <class T, int N> struct Holder {
  template <int V, int D> struct Part;
  template <int D> struct Part<1, D> { typedef T Value; Value x; Value get() const { return x; } };
  template <int D> struct Part<2, D> { struct Value { T y[N]; }; T put(Value &v) { return v.y[0]; } };
  typedef Part<N, 0> Used;
  typedef typename Used::Value Value;
  template <class U> using Other = Part<N, sizeof(U)>;
  struct Inner { T z; T get(Inner *other, Used used) { return z + other->z; } };
  T more(Inner &inner, Value &v) { Other<double> other; return other.put(reinterpret_cast<typename Other<double>::Value &>(v)) + inner.get(&inner, Used()); }
};
struct Plain { template <class T> struct In { T x; template <class U> U as(In *other) const { return x; } }; In<int> a; In<float> b; };
int nested(Holder<int, 1>::Used a, Holder<float, 2>::Value &b, Holder<int, 1>::Inner c, Holder<float, 2>::Inner *d, Plain::In<float> *e, Plain &f) {
  Holder<float, 2> holder;
  return a.get() + c.get(&c, a) + (int)holder.more(*d, b) + e->as<int>(e) + (int)f.a.as<float>(&f.a);
}
template <class T> struct Keeper { template <int D> struct Part { T x; T get() const { return x; } }; template <class U> using Other = Part<sizeof(U)>; };
int from_outside() { Keeper<float>::Part<2> p; Keeper<float>::Other<int> q; return p.get() + q.get(); }
template <class T> T dependent() { typename Keeper<T>::template Part<4> p; return p.get(); }
int called() { return dependent<int>(); }
struct Deep { int v; template <class T> T add(T x) const; template <class T> static T two(T *x, T *y) { return *x; } };
template <class T> T Deep::add(T x) const { return x + v; }
namespace n {
struct Flat { template <class T> T add(T x, T *y, T *z) { return x; } };
template <class U> struct Wide { template <class T> T add(T x, U *y, T *z) { return x; } template <class T> T out(T x, U y); };
template <class U> template <class T> T Wide<U>::out(T x, U y) { return x + y; }
}
namespace at { template <class T> struct Kept { T *p; }; template <class T, int N, template <class> class Traits, class I> struct Accessor { T *t; I sizes[N]; }; }
int accessors(at::Accessor<float, 3, at::Kept, long> a, at::Accessor<long, 1, at::Kept, long> b, at::Accessor<long, 1, at::Kept, long> c, at::Kept<int> d) { return a.sizes[0] + b.sizes[0] + c.sizes[0]; }
template <unsigned N> int accessor_of(at::Accessor<float, 2, at::Kept, long> a, at::Accessor<long, 2, at::Kept, long> b) { return N + a.sizes[0] + b.sizes[0]; }
int use_accessors(at::Accessor<float, 2, at::Kept, long> a, at::Accessor<long, 2, at::Kept, long> b) { return accessor_of<4>(a, b); }
template <class T, template <class> class Traits = Keeper> struct Traited { Traits<T> *x; T get(Traited *other) const { return 0; } };
int deep(Deep &a, n::Flat &b, n::Wide<float> &c, int *o, float *f, Traited<int> &d) {
  return a.add(3) + Deep::two(o, o) + b.add(1, o, o) + c.add(1, f, o) + c.out(2, 3.0f) + d.get(&d);
}
";

#[test]
fn names_of_templates_in_classes() {
    let Some(theirs) = names_of_clang(MEMBER_TEMPLATES, &["-x", "c++", "-std=c++20"]) else { return };
    assert_eq!(names_here(MEMBER_TEMPLATES, Dialect::Cpp), theirs);
}

#[test]
fn names_of_opencl() {
    let text = "
kernel void k(global int *p) {}
int plain(int a) { return a; }
int __attribute__((overloadable)) f(int a) { return a; }
int __attribute__((overloadable)) f(float4 a, const global int *b, local float *c, int *d, constant char *e, private int *g) { return 0; }
void __attribute__((overloadable)) f(global int *a, global int *b, const global int *c, uchar3 d, uchar3 *e, ulong g, half *h) {}
void __attribute__((overloadable)) f(read_only image2d_t a, write_only image2d_t b, sampler_t c, event_t d) {}
";
    let flags = [
        "-x",
        "cl",
        "-cl-std=CL3.0",
        "-target",
        "spirv64",
        "-Xclang",
        "-finclude-default-header",
        "-Xclang",
        "-disable-llvm-passes",
    ];
    let Some(theirs) = names_of_clang(text, &flags) else { return };
    // Clang keeps what is inside a kernel in a function of its own.
    let theirs: BTreeSet<String> =
        theirs.into_iter().filter(|name| !name.starts_with("__clang_ocl_kern_imp_")).collect();
    assert_eq!(names_here(text, Dialect::OpenCl), theirs);
}
