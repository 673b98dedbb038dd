//! What instructions are in the source: small programs with what is expected of each instruction, and what holds for every kernel of the cases.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use expect_test::{Expect, expect};
use rayon::prelude::*;
use reconverge_ir::function::{Definition, Inst, LocalName};
use reconverge_ir::opcode::Opcode;
use reconverge_ir::origin::{Extent, FunctionOrigins, Origin, Origins, What};
use reconverge_ir::text::unquote;
use reconverge_ir::{BodyEnds, FunctionReader, Module};
use reconverge_lang::lower::{LowerOptions, Lowered};
use reconverge_lang::options::{Dialect, Options, SourceModel};
use reconverge_lang::preprocess::preprocess;
use reconverge_lang::token::Symbols;
use reconverge_lang::translate::{Translation, translate};
use reconverge_testing::random::source::SourceKernel;
use reconverge_testing::rounds::seeds;

use super::support::{kernels, targets, translated, wrong};

const OPTIONS: LowerOptions = LowerOptions { tokens: true, markers: false, debug: false, origins: true, nsw: false };

fn lowered(translation: &Translation) -> Lowered {
    translation.lower(&OPTIONS).unwrap_or_else(|| panic!("a program: {}", wrong(translation)))
}

/// `what text`, as a table shows it.
fn shown(origins: &Origins, offset: u32) -> Option<String> {
    let origin = origins.at(offset)?;
    assert_eq!(origin.inlined_at, []);
    let (line, column) = origin.place.line().expect("a place in a file that is known");
    let what = match &origin.what {
        What::Variable(name) => format!("variable {name}"),
        What::Function(name) => format!("function {name}"),
        What::Expression => "expression".to_string(),
        What::Call(name) => format!("call of {name}"),
        What::Condition(condition) => format!("condition of {condition:?}"),
    };
    Some(format!("{line}:{column} {what}: {}", origin.place.text().expect("a part of the file")))
}

/// For each line of the IR of the functions with a body that has an origin, and each parameter, what it is in the source.
fn table(dialect: Dialect, text: &str) -> String {
    let translation = translated(dialect, text);
    assert_eq!(wrong(&translation), "");
    let Lowered { text, origins } = lowered(&translation);
    let text = String::from_utf8(text).expect("UTF-8");
    let mut table = String::new();
    for offset in origins.offsets() {
        let (before, behind) = text.split_at(offset as usize);
        let end = match before.bytes().last() {
            Some(b'%' | b'@') => behind.find([',', ')', ' ']),
            _ if behind.starts_with("define") => behind.find('('),
            _ => behind.find('\n'),
        };
        let (start, is_declaration) =
            (before.len() - usize::from(before.ends_with(['%', '@'])), behind.starts_with("declare"));
        if !is_declaration {
            let said = shown(&origins, offset).expect("an origin at the place of an origin");
            writeln!(table, "{:60} {said}", &text[start..before.len() + end.expect("an end")]).unwrap();
        }
    }
    table
}

fn shows(dialect: Dialect, text: &str, expected: Expect) {
    expected.assert_eq(&table(dialect, text));
}

/// [`shows`] from the line behind the one that begins with a text on, which leaves out the parameters.
fn shows_behind(line: &str, dialect: Dialect, text: &str, expected: Expect) {
    let table = table(dialect, text);
    let (_, behind) = table.split_once(&format!("\n{line}")).expect("the line");
    expected.assert_eq(behind.split_once('\n').expect("a line behind it").1);
}

#[test]
fn variables_conditions_and_calls() {
    shows(
        Dialect::OpenCl,
        "kernel void k(global int *a, int n) {
  int i = get_global_id(0);
  if (i < n && a[i] > 0) {
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}",
        expect![[r#"
            define spir_kernel void @k                                   1:13 function k: k
            %a                                                           1:27 variable a: a
            %n                                                           1:34 variable n: n
            %a.addr = alloca ptr addrspace(1), align 8                   1:27 variable a: a
            %n.addr = alloca i32, align 4                                1:34 variable n: n
            %i = alloca i32, align 4                                     2:7 variable i: i
            store ptr addrspace(1) %a, ptr %a.addr, align 8              1:27 variable a: a
            store i32 %n, ptr %n.addr, align 4                           1:34 variable n: n
            %0 = call spir_func i64 @_Z13get_global_idj(i32 0)           2:11 call of get_global_id: get_global_id(0)
            %1 = trunc i64 %0 to i32                                     2:11 call of get_global_id: get_global_id(0)
            store i32 %1, ptr %i, align 4                                2:7 variable i: i
            %2 = load i32, ptr %i, align 4                               3:7 variable i: i
            %3 = load i32, ptr %n.addr, align 4                          3:11 variable n: n
            %4 = icmp slt i32 %2, %3                                     3:7 expression: i < n
            br i1 %4, label %if.and, label %if.end                       3:7 condition of And: i < n
            %5 = load ptr addrspace(1), ptr %a.addr, align 8             3:16 variable a: a
            %6 = load i32, ptr %i, align 4                               3:18 variable i: i
            %7 = sext i32 %6 to i64                                      3:18 variable i: i
            %8 = getelementptr i32, ptr addrspace(1) %5, i64 %7          3:16 expression: a[i]
            %9 = load i32, ptr addrspace(1) %8, align 4                  3:16 expression: a[i]
            %10 = icmp sgt i32 %9, 0                                     3:16 expression: a[i] > 0
            br i1 %10, label %if.then, label %if.end                     3:16 condition of If: a[i] > 0
            call spir_func void @_Z7barrierj(i32 1) [ "convergencectrl"(token %body.token) ] 4:5 call of barrier: barrier(CLK_LOCAL_MEM_FENCE)
        "#]],
    );
}

#[test]
fn extents_are_those_of_the_text() {
    shows(
        Dialect::Cuda,
        "__shared__ float tile[64];
namespace ns { __device__ int limit; }
struct Pair { int first, second[4]; };
__global__ void k(float *out, Pair *p, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = (p->second[i & 3] + (n)) * 2.0f;
  x += __shfl_down_sync(0xffffffffu, x, 1);
  tile[threadIdx.x] = -x;
  out[(i)]++;
  if (!(i < ns :: limit)) __syncthreads();
}",
        expect![[r#"
            @tile                                                        1:18 variable tile: tile
            @"ns::limit"                                                 2:31 variable ns::limit: limit
            define ptx_kernel void @_Z1kPfP4Pairi                        4:17 function k: k
            %out                                                         4:26 variable out: out
            %p                                                           4:37 variable p: p
            %n                                                           4:44 variable n: n
            %out.addr = alloca ptr, align 8                              4:26 variable out: out
            %p.addr = alloca ptr, align 8                                4:37 variable p: p
            %n.addr = alloca i32, align 4                                4:44 variable n: n
            %i = alloca i32, align 4                                     5:13 variable i: i
            %x = alloca float, align 4                                   6:9 variable x: x
            store ptr %out, ptr %out.addr, align 8                       4:26 variable out: out
            store ptr %p, ptr %p.addr, align 8                           4:37 variable p: p
            store i32 %n, ptr %n.addr, align 4                           4:44 variable n: n
            %0 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()             5:17 expression: blockIdx.x
            %1 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()              5:30 expression: blockDim.x
            %2 = mul i32 %0, %1                                          5:17 expression: blockIdx.x * blockDim.x
            %3 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()               5:43 expression: threadIdx.x
            %4 = add i32 %2, %3                                          5:17 expression: blockIdx.x * blockDim.x + threadIdx.x
            store i32 %4, ptr %i, align 4                                5:13 variable i: i
            %5 = load ptr, ptr %p.addr, align 8                          6:14 variable p: p
            %6 = getelementptr inbounds %struct.Pair, ptr %5, i32 0, i32 1 6:14 expression: p->second
            %7 = load i32, ptr %i, align 4                               6:24 variable i: i
            %8 = and i32 %7, 3                                           6:24 expression: i & 3
            %9 = sext i32 %8 to i64                                      6:24 expression: i & 3
            %10 = getelementptr i32, ptr %6, i64 %9                      6:14 expression: p->second[i & 3]
            %11 = load i32, ptr %10, align 4                             6:14 expression: p->second[i & 3]
            %12 = load i32, ptr %n.addr, align 4                         6:34 variable n: n
            %13 = add i32 %11, %12                                       6:14 expression: p->second[i & 3] + (n)
            %14 = sitofp i32 %13 to float                                6:14 expression: p->second[i & 3] + (n)
            %15 = fmul float %14, 0x4000000000000000                     6:13 expression: (p->second[i & 3] + (n)) * 2.0f
            store float %15, ptr %x, align 4                             6:9 variable x: x
            %16 = load float, ptr %x, align 4                            7:38 variable x: x
            %17 = sub i32 32, 32                                         7:8 call of __shfl_down_sync: __shfl_down_sync(0xffffffffu, x, 1)
            %18 = shl i32 %17, 8                                         7:8 call of __shfl_down_sync: __shfl_down_sync(0xffffffffu, x, 1)
            %19 = or i32 %18, 31                                         7:8 call of __shfl_down_sync: __shfl_down_sync(0xffffffffu, x, 1)
            %20 = call float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %16, i32 1, i32 %19) [ "convergencectrl"(token %body.token) ] 7:8 call of __shfl_down_sync: __shfl_down_sync(0xffffffffu, x, 1)
            %21 = load float, ptr %x, align 4                            7:3 variable x: x
            %22 = fadd float %21, %20                                    7:3 expression: x += __shfl_down_sync(0xffffffffu, x, 1)
            store float %22, ptr %x, align 4                             7:3 expression: x += __shfl_down_sync(0xffffffffu, x, 1)
            %23 = load float, ptr %x, align 4                            8:24 variable x: x
            %24 = fneg float %23                                         8:23 expression: -x
            %25 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()              8:8 expression: threadIdx.x
            %26 = zext i32 %25 to i64                                    8:8 expression: threadIdx.x
            %27 = getelementptr float, ptr addrspace(3) @tile, i64 %26   8:3 expression: tile[threadIdx.x]
            store float %24, ptr addrspace(3) %27, align 4               8:3 expression: tile[threadIdx.x] = -x
            %28 = load ptr, ptr %out.addr, align 8                       9:3 variable out: out
            %29 = load i32, ptr %i, align 4                              9:8 variable i: i
            %30 = sext i32 %29 to i64                                    9:8 variable i: i
            %31 = getelementptr float, ptr %28, i64 %30                  9:3 expression: out[(i)]
            %32 = load float, ptr %31, align 4                           9:3 expression: out[(i)]
            %33 = fadd float %32, 0x3FF0000000000000                     9:3 expression: out[(i)]++
            store float %33, ptr %31, align 4                            9:3 expression: out[(i)]++
            %34 = load i32, ptr %i, align 4                              10:9 variable i: i
            %35 = load i32, ptr addrspace(1) @"ns::limit", align 4       10:13 variable ns::limit: ns :: limit
            %36 = icmp slt i32 %34, %35                                  10:9 expression: i < ns :: limit
            br i1 %36, label %if.end, label %if.then                     10:9 condition of If: i < ns :: limit
            call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0) [ "convergencectrl"(token %body.token) ] 10:27 call of __syncthreads: __syncthreads()
        "#]],
    );
}

#[test]
fn decisions_name_who_asks() {
    shows_behind(
        "store i32 %n,",
        Dialect::OpenCl,
        "int f(int);
kernel void k(global int *a, int n) {
  for (int i = 0; i < n; i++) a[i] = n > 3 ? f(i) : -f(n);
  while (n-- > 0 || f(2)) ;
  do { n = a[0] && n; } while (n);
  switch (a[n]) { case 1: n = 4; break; case 10 ... 1000: n = 5; }
}",
        expect![[r#"
            store i32 0, ptr %i, align 4                                 3:12 variable i: i
            %0 = load i32, ptr %i, align 4                               3:19 variable i: i
            %1 = load i32, ptr %n.addr, align 4                          3:23 variable n: n
            %2 = icmp slt i32 %0, %1                                     3:19 expression: i < n
            br i1 %2, label %for.body, label %for.end                    3:19 condition of For: i < n
            %3 = load i32, ptr %n.addr, align 4                          3:38 variable n: n
            %4 = icmp sgt i32 %3, 3                                      3:38 expression: n > 3
            br i1 %4, label %cond.then, label %cond.else                 3:38 condition of Conditional: n > 3
            %5 = load i32, ptr %i, align 4                               3:48 variable i: i
            %6 = call spir_func i32 @f(i32 %5) [ "convergencectrl"(token %heart.token.1) ] 3:46 call of f: f(i)
            %7 = load i32, ptr %n.addr, align 4                          3:56 variable n: n
            %8 = call spir_func i32 @f(i32 %7) [ "convergencectrl"(token %heart.token.1) ] 3:54 call of f: f(n)
            %9 = sub i32 0, %8                                           3:53 expression: -f(n)
            %10 = phi i32 [ %6, %cond.then ], [ %9, %cond.else ]         3:38 expression: n > 3 ? f(i) : -f(n)
            %11 = load ptr addrspace(1), ptr %a.addr, align 8            3:31 variable a: a
            %12 = load i32, ptr %i, align 4                              3:33 variable i: i
            %13 = sext i32 %12 to i64                                    3:33 variable i: i
            %14 = getelementptr i32, ptr addrspace(1) %11, i64 %13       3:31 expression: a[i]
            store i32 %10, ptr addrspace(1) %14, align 4                 3:31 expression: a[i] = n > 3 ? f(i) : -f(n)
            %15 = load i32, ptr %i, align 4                              3:26 variable i: i
            %16 = add i32 %15, 1                                         3:26 expression: i++
            store i32 %16, ptr %i, align 4                               3:26 expression: i++
            %17 = load i32, ptr %n.addr, align 4                         4:10 variable n: n
            %18 = add i32 %17, -1                                        4:10 expression: n--
            store i32 %18, ptr %n.addr, align 4                          4:10 expression: n--
            %19 = icmp sgt i32 %17, 0                                    4:10 expression: n-- > 0
            br i1 %19, label %while.body, label %if.or                   4:10 condition of Or: n-- > 0
            %20 = call spir_func i32 @f(i32 2) [ "convergencectrl"(token %heart.token.10) ] 4:21 call of f: f(2)
            %21 = icmp ne i32 %20, 0                                     4:21 call of f: f(2)
            br i1 %21, label %while.body, label %while.end               4:21 condition of While: f(2)
            %22 = load ptr addrspace(1), ptr %a.addr, align 8            5:12 variable a: a
            %23 = getelementptr i32, ptr addrspace(1) %22, i64 0         5:12 expression: a[0]
            %24 = load i32, ptr addrspace(1) %23, align 4                5:12 expression: a[0]
            %25 = icmp ne i32 %24, 0                                     5:12 expression: a[0]
            br i1 %25, label %and.second, label %and.end                 5:12 condition of And: a[0]
            %26 = load i32, ptr %n.addr, align 4                         5:20 variable n: n
            %27 = icmp ne i32 %26, 0                                     5:20 variable n: n
            %28 = phi i1 [ false, %do.body ], [ %27, %and.second ]       5:12 expression: a[0] && n
            %29 = zext i1 %28 to i32                                     5:12 expression: a[0] && n
            store i32 %29, ptr %n.addr, align 4                          5:8 expression: n = a[0] && n
            %30 = load i32, ptr %n.addr, align 4                         5:32 variable n: n
            %31 = icmp ne i32 %30, 0                                     5:32 variable n: n
            br i1 %31, label %do.body, label %do.end                     5:32 condition of Do: n
            %32 = load ptr addrspace(1), ptr %a.addr, align 8            6:11 variable a: a
            %33 = load i32, ptr %n.addr, align 4                         6:13 variable n: n
            %34 = sext i32 %33 to i64                                    6:13 variable n: n
            %35 = getelementptr i32, ptr addrspace(1) %32, i64 %34       6:11 expression: a[n]
            %36 = load i32, ptr addrspace(1) %35, align 4                6:11 expression: a[n]
            switch i32 %36, label %switch.range [                        6:11 condition of Switch: a[n]
            %37 = sub i32 %36, 10                                        6:11 condition of Switch: a[n]
            %38 = icmp ule i32 %37, 990                                  6:11 condition of Switch: a[n]
            br i1 %38, label %switch.case.1, label %switch.end           6:11 condition of Switch: a[n]
            store i32 4, ptr %n.addr, align 4                            6:27 expression: n = 4
            store i32 5, ptr %n.addr, align 4                            6:59 expression: n = 5
        "#]],
    );
}

#[test]
fn macros_are_where_they_are_used() {
    shows(
        Dialect::OpenCl,
        "#define SYNC() barrier(CLK_LOCAL_MEM_FENCE)
#define ID get_local_id(0)
#define BELOW(a, b) ((a) < (b))
#define PLUS +
kernel void k(global int *a, int n) {
  if (BELOW( ID, (n) ) && n) SYNC ( );
  *a = ID PLUS n;
}",
        expect![[r#"
            define spir_kernel void @k                                   5:13 function k: k
            %a                                                           5:27 variable a: a
            %n                                                           5:34 variable n: n
            %a.addr = alloca ptr addrspace(1), align 8                   5:27 variable a: a
            %n.addr = alloca i32, align 4                                5:34 variable n: n
            store ptr addrspace(1) %a, ptr %a.addr, align 8              5:27 variable a: a
            store i32 %n, ptr %n.addr, align 4                           5:34 variable n: n
            %0 = call spir_func i64 @_Z12get_local_idj(i32 0)            6:7 call of get_local_id: BELOW( ID, (n) )
            %1 = load i32, ptr %n.addr, align 4                          6:7 variable n: BELOW( ID, (n) )
            %2 = sext i32 %1 to i64                                      6:7 variable n: BELOW( ID, (n) )
            %3 = icmp ult i64 %0, %2                                     6:7 expression: BELOW( ID, (n) )
            br i1 %3, label %if.and, label %if.end                       6:7 condition of And: BELOW( ID, (n) )
            %4 = load i32, ptr %n.addr, align 4                          6:27 variable n: n
            %5 = icmp ne i32 %4, 0                                       6:27 variable n: n
            br i1 %5, label %if.then, label %if.end                      6:27 condition of If: n
            call spir_func void @_Z7barrierj(i32 1) [ "convergencectrl"(token %body.token) ] 6:30 call of barrier: SYNC ( )
            %6 = call spir_func i64 @_Z12get_local_idj(i32 0)            7:8 call of get_local_id: ID
            %7 = load i32, ptr %n.addr, align 4                          7:16 variable n: n
            %8 = sext i32 %7 to i64                                      7:16 variable n: n
            %9 = add i64 %6, %8                                          7:8 expression: ID PLUS n
            %10 = trunc i64 %9 to i32                                    7:8 expression: ID PLUS n
            %11 = load ptr addrspace(1), ptr %a.addr, align 8            7:4 variable a: a
            store i32 %10, ptr addrspace(1) %11, align 4                 7:3 expression: *a = ID PLUS n
        "#]],
    );
}

#[test]
fn templates_references_and_statics() {
    shows(
        Dialect::Cuda,
        "template <typename T> __device__ T twice(const T &x) { static __shared__ T kept; kept = x; return x + kept; }
__device__ void fill(int (&a)[4]) { for (int &x : a) x = atomicAdd(&a[0], 1); }
__global__ void k(float *out, float (*g)(float)) {
  int a[4];
  fill(a);
  out[0] = twice<float>(out[1]) + g(static_cast<float>(a[2]));
}",
        expect![[r#"
            @twice.kept                                                  1:76 variable kept: kept
            define void @_Z4fillRA4_i                                    2:17 function fill: fill
            %a                                                           2:28 variable a: a
            %a.addr = alloca ptr, align 8                                2:28 variable a: a
            %x = alloca ptr, align 8                                     2:47 variable x: x
            store ptr %a, ptr %a.addr, align 8                           2:28 variable a: a
            %0 = load ptr, ptr %a.addr, align 8                          2:51 variable a: a
            br i1 %2, label %for.body, label %for.end                    2:37 condition of For: for
            %3 = load ptr, ptr %tmp.1, align 8                           2:47 variable x: x
            %4 = load i64, ptr %tmp, align 8                             2:47 variable x: x
            %5 = getelementptr i32, ptr %3, i64 %4                       2:47 variable x: x
            store ptr %5, ptr %x, align 8                                2:47 variable x: x
            %6 = load ptr, ptr %a.addr, align 8                          2:69 variable a: a
            %7 = getelementptr i32, ptr %6, i64 0                        2:69 expression: a[0]
            %8 = atomicrmw volatile add ptr %7, i32 1 syncscope("device") monotonic, align 4 2:58 call of atomicAdd: atomicAdd(&a[0], 1)
            %9 = load ptr, ptr %x, align 8                               2:54 variable x: x
            store i32 %8, ptr %9, align 4                                2:54 expression: x = atomicAdd(&a[0], 1)
            define ptx_kernel void @_Z1kPfPFffE                          3:17 function k: k
            %out                                                         3:26 variable out: out
            %g                                                           3:39 variable g: g
            %out.addr = alloca ptr, align 8                              3:26 variable out: out
            %g.addr = alloca ptr, align 8                                3:39 variable g: g
            %a = alloca [4 x i32], align 4                               4:7 variable a: a
            store ptr %out, ptr %out.addr, align 8                       3:26 variable out: out
            store ptr %g, ptr %g.addr, align 8                           3:39 variable g: g
            call void @_Z4fillRA4_i(ptr %a) [ "convergencectrl"(token %body.token) ] 5:3 call of fill: fill(a)
            %0 = load ptr, ptr %out.addr, align 8                        6:25 variable out: out
            %1 = getelementptr float, ptr %0, i64 1                      6:25 expression: out[1]
            %2 = call float @_Z5twiceIfET_RKS0_(ptr %1) [ "convergencectrl"(token %body.token) ] 6:12 call of twice: twice<float>(out[1])
            %3 = load ptr, ptr %g.addr, align 8                          6:35 variable g: g
            %4 = getelementptr i32, ptr %a, i64 2                        6:56 expression: a[2]
            %5 = load i32, ptr %4, align 4                               6:56 expression: a[2]
            %6 = sitofp i32 %5 to float                                  6:56 expression: a[2]
            %7 = call float %3(float %6) #0 [ "convergencectrl"(token %body.token) ] 6:35 call of g: g(static_cast<float>(a[2]))
            %8 = fadd float %2, %7                                       6:12 expression: twice<float>(out[1]) + g(static_cast<float>(a[2]))
            %9 = load ptr, ptr %out.addr, align 8                        6:3 variable out: out
            %10 = getelementptr float, ptr %9, i64 0                     6:3 expression: out[0]
            store float %8, ptr %10, align 4                             6:3 expression: out[0] = twice<float>(out[1]) + g(static_cast<float>(a[2]))
            define float @_Z5twiceIfET_RKS0_                             1:36 function twice<float>: twice
            %x                                                           1:51 variable x: x
            %x.addr = alloca ptr, align 8                                1:51 variable x: x
            store ptr %x, ptr %x.addr, align 8                           1:51 variable x: x
            %0 = load ptr, ptr %x.addr, align 8                          1:89 variable x: x
            %1 = load float, ptr %0, align 4                             1:89 variable x: x
            store float %1, ptr addrspace(3) @twice.kept, align 4        1:82 expression: kept = x
            %2 = load ptr, ptr %x.addr, align 8                          1:99 variable x: x
            %3 = load float, ptr %2, align 4                             1:99 variable x: x
            %4 = load float, ptr addrspace(3) @twice.kept, align 4       1:103 variable kept: kept
            %5 = fadd float %3, %4                                       1:99 expression: x + kept
        "#]],
    );
}

/// Where tokens of the files begin and end that are not out of macros, and where macros are used. In bytes of the space of all files.
struct Tokens {
    starts: BTreeSet<u32>,
    ends: BTreeSet<u32>,
    macros: BTreeSet<u32>,
}

impl Tokens {
    fn of(path: &Path, text: &[u8], options: &Options) -> Tokens {
        let mut symbols = Symbols::default();
        let preprocessed = preprocess(path, text.to_vec(), options, &mut symbols);
        let mut tokens = Tokens { starts: BTreeSet::new(), ends: BTreeSet::new(), macros: BTreeSet::new() };
        for token in &preprocessed.tokens {
            match token.from_macro {
                true => drop(tokens.macros.insert(token.location.0)),
                false => {
                    tokens.starts.insert(token.location.0);
                    tokens.ends.insert(token.location.0 + symbols.text(token.symbol).len() as u32);
                }
            }
        }
        tokens
    }

    /// Whether a part of a file begins and ends with tokens, or uses of macros.
    fn fit(&self, start: u32, text: &str) -> bool {
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let first = self.starts.contains(&start) || self.macros.contains(&start);
        let last = self.ends.contains(&(start + text.len() as u32));
        // The name of a macro, or its arguments up to the parenthesis.
        let word = text.len() - text.trim_end_matches(is_word).len();
        let is_use = |begin: usize| self.macros.contains(&(start + begin as u32));
        let opened = || {
            let mut depth = 0;
            text.char_indices().rev().find_map(|(at, c)| {
                depth += i32::from(c == ')') - i32::from(c == '(');
                (depth == 0).then_some(at)
            })
        };
        let name_before = |at: usize| {
            let head = text[..at].trim_end();
            head.len() - (head.len() - head.trim_end_matches(is_word).len())
        };
        first && (last || word > 0 && is_use(text.len() - word) || opened().is_some_and(|at| is_use(name_before(at))))
    }
}

/// What is wrong with the origins of a translation.
fn wrong_origins(translation: &Translation, tokens: &Tokens) -> Vec<String> {
    let Lowered { text, origins } = lowered(translation);
    let module = Module::read(&text, BodyEnds::AtLineStart).expect("the text reads");
    let mut found = Vec::new();
    let mut places = BTreeSet::new();
    for symbol in module.variable_symbols() {
        places.insert(module.symbols[symbol].name.start);
        // Strings have names of ours, and variables in functions the names of the functions in front of theirs.
        let name = String::from_utf8_lossy(&module.symbol_name(symbol)).into_owned();
        match module.variable_origin(symbol, Some(&origins)) {
            Some(Origin { what: What::Variable(written), .. }) if name.contains(&*written) => {}
            None if name.starts_with(".str") => {}
            other => found.push(format!("global {name}: {other:?}")),
        }
    }
    for (id, data) in &module.functions {
        places.insert(data.header.start);
        if data.body.is_none() {
            continue;
        }
        let function = FunctionReader::new(&module).read(id).expect("the body reads");
        let said = FunctionOrigins::new(&module, id, &function, Some(&origins));
        let line = |inst: Inst| String::from_utf8_lossy(function.instructions[inst].span.of(&text)).into_owned();
        for (index, name) in function.parameter_names.iter().enumerate() {
            let LocalName::Text(name) = name else { continue };
            places.insert(name.start);
            let declared = unquote(name.of(&text));
            match said.of_parameter(index) {
                Some(Origin { what: What::Variable(name), place, .. })
                    if (name.as_bytes() == &*declared && place.text() == Some(&name)) => {}
                Some(other) => found.push(format!("parameter {declared:?}: {other:?}")),
                None if declared.starts_with(b"tmp") || *declared == *b"this" => {}
                None => found.push(format!("parameter {declared:?}: nothing")),
            }
        }
        for (inst, data) in &function.instructions {
            places.insert(data.span.start);
            let origin = said.of_instruction(inst);
            let decides = matches!(data.opcode, Opcode::Br | Opcode::Switch) && function.targets(inst).len() > 1;
            if decides != matches!(origin, Some(Origin { what: What::Condition(_), .. }))
                && data.opcode != Opcode::Sub
                && data.opcode != Opcode::ICmp
            {
                found.push(format!("who asks: {}: {origin:?}", line(inst)));
            }
            // What is read from the room of a variable is the variable, where it is not a part of it.
            if data.opcode == Opcode::Load
                && let Definition::Instruction(room) = function.values[function.operands(inst)[0]].definition
                && function.instructions[room].opcode == Opcode::Alloca
                && let Some(Origin { what: What::Variable(of_room), .. }) = said.of_instruction(room)
            {
                match &origin {
                    Some(Origin { what: What::Variable(name), .. }) if *name == of_room => {}
                    Some(Origin { what: What::Expression, place, .. })
                        if place.text().is_some_and(|text| text.contains(&*of_room)) => {}
                    other => found.push(format!("a load of {of_room}: {}: {other:?}", line(inst))),
                }
            }
        }
    }
    for offset in origins.offsets() {
        if !places.contains(&offset) {
            found.push(format!("nothing begins at {offset}"));
        }
        let Origin { what, place, .. } = origins.at(offset).expect("an origin");
        let Extent::Bytes(range) = &place.extent else { panic!("an extent") };
        let file = translation.sources.files().iter().find(|file| file.path == place.file.path).expect("its file");
        let Some(text) = place.text() else {
            found.push(format!("outside of {:?}: {range:?}", file.path));
            continue;
        };
        if !tokens.fit(file.start + range.start, text) {
            found.push(format!("not from token to token: {text:?}"));
        }
        let is_macro = tokens.macros.contains(&(file.start + range.start));
        let fits = match &what {
            What::Variable(name) => {
                name.ends_with(text) || text.split("::").last().map(str::trim) == name.rsplit("::").next()
            }
            What::Function(name) if name.starts_with("lambda.") => text == "[",
            What::Function(name) => name.ends_with(text) || name.split("::").any(|part| part.starts_with(text)),
            What::Call(name) => {
                text.starts_with(name.split("::").next().unwrap_or_default())
                    || text.contains('(') && text.contains(&**name)
                    || text == "asm" && name.contains('.')
            }
            What::Expression | What::Condition(_) => true,
        };
        if !fits && !is_macro {
            found.push(format!("{what:?} is not {text:?}"));
        }
    }
    found
}

/// Every origin of every kernel of the cases lies in its file, from token to token; parameters have their names, loads of variables theirs; each decision has one who asks for it.
#[test]
fn origins_of_kernels_are_parts_of_their_files() {
    let all = kernels();
    let check = |(path, dialect): &(PathBuf, Dialect)| {
        let text = std::fs::read(path).expect("the case");
        let mut found = Vec::new();
        for &target in targets(*dialect) {
            let options = Options { target, ..Options::new(*dialect) };
            let translation = translate(path, text.clone(), &options, SourceModel::default());
            let tokens = Tokens::of(path, &text, &options);
            found.extend(
                wrong_origins(&translation, &tokens).into_iter().map(|one| format!("{}: {one}", path.display())),
            );
        }
        found
    };
    let found: Vec<String> = all.par_iter().flat_map_iter(check).collect();
    assert!(found.is_empty(), "{} of {} files:\n{}", found.len(), all.len(), found.join("\n"));
}

/// The same for random kernels.
#[test]
fn origins_of_random_kernels_are_parts_of_their_files() {
    for seed in seeds(100) {
        let kernel = SourceKernel::random(seed);
        let options = Options::new(Dialect::OpenCl);
        let path = Path::new("k.cl");
        let translation = translate(path, kernel.text.clone().into_bytes(), &options, SourceModel::default());
        let found = wrong_origins(&translation, &Tokens::of(path, kernel.text.as_bytes(), &options));
        assert!(found.is_empty(), "seed {seed}: {}\n{}", found.join("\n"), kernel.text);
    }
}
