//! Cooperative groups and collectives of CUB: what they compute, and how findings in them are said.

use crate::common::reconverge;
use expect_test::expect;

/// What a kernel of some threads writes to `out`, an array of integers.
fn written(language: &str, text: &str, block: &str, count: usize) -> String {
    let (out, all) = (format!("out=i32[{count}]"), format!("out={count}"));
    let arguments = ["run", "-", "--input-format", language, "--block", block, "--arg", &out, "--print", &all];
    let run = reconverge(&arguments, text.as_bytes());
    assert_eq!(run.status, 0, "{}{}", run.stderr, run.stdout);
    run.stdout.lines().find(|line| line.starts_with("out")).expect("the buffer").to_owned()
}

/// The same, all of them.
fn all_written(language: &str, text: &str, block: &str, count: usize) -> Vec<String> {
    let (out, print) = (format!("out=i32[{count}]"), format!("out={count}"));
    let arguments = ["run", "-", "--input-format", language, "--block", block, "--arg", &out, "--print", &print];
    let run = reconverge(&arguments, text.as_bytes());
    assert_eq!(run.status, 0, "{}{}", run.stderr, run.stdout);
    let line = run.stdout.lines().find(|line| line.starts_with("out")).expect("the buffer");
    let (_, values) = line.split_once('{').expect("what it holds");
    values.trim_end_matches('}').split(", ").map(str::to_owned).collect()
}

const GROUPS: &str =
    "#include <cooperative_groups.h>\n#include <cooperative_groups/reduce.h>\n#include <cooperative_groups/scan.h>
    #include <cooperative_groups/memcpy_async.h>\nnamespace cg = cooperative_groups;\n";

#[test]
fn threads_know_their_places_in_groups() {
    let text = format!(
        "{GROUPS} __global__ void k(int *out) {{
          cg::thread_block b = cg::this_thread_block(); auto t32 = cg::tiled_partition<32>(b); cg::thread_block_tile<8> t8 = cg::tiled_partition<8>(t32);
          cg::thread_block_tile<4> t4 = cg::tiled_partition<4>(b); cg::thread_group p = cg::tiled_partition(b, 16); cg::thread_group g = t8;
          if (b.thread_rank() != 45) return;
          out[0] = b.thread_index().x; out[1] = b.thread_index().y; out[2] = b.size(); out[3] = b.group_dim().y; out[4] = t32.thread_rank();
          out[5] = t32.meta_group_rank(); out[6] = t32.meta_group_size(); out[7] = t8.thread_rank(); out[8] = t8.meta_group_rank();
          out[9] = t8.meta_group_size(); out[10] = t4.meta_group_rank(); out[11] = p.thread_rank(); out[12] = p.size(); out[13] = cg::group_size(p);
          out[14] = g.thread_rank(); out[15] = g.size(); }}"
    );
    assert_eq!(
        written("cuda", &text, "16,4", 16),
        "out = i32[16]{13, 2, 64, 4, 13, 1, 2, 5, 1, 4, 11, 13, 16, 16, 5, 8}"
    );
}

#[test]
fn tiles_shuffle_vote_reduce_and_scan_in_themselves() {
    let text = format!(
        "{GROUPS} __global__ void k(int *out) {{
          auto t = cg::tiled_partition<8>(cg::this_thread_block()); int i = threadIdx.x; int v = i + 1;
          int down = t.shfl_down(v, 2), up = t.shfl_up(v, 1), other = t.shfl_xor(v, 4), third = t.shfl(v, 3);
          unsigned bits = t.ballot(i % 3 == 0); int any = t.any(i == 13), all = t.all(i > 7);
          int sum = cg::reduce(t, v, cg::plus<int>()), most = cg::reduce(t, v, cg::greater<int>());
          int in = cg::inclusive_scan(t, v, cg::plus<int>()), before = cg::exclusive_scan(t, v);
          if (i == 11) {{ out[0] = down; out[1] = up; out[2] = other; out[3] = third; out[4] = bits; out[5] = any; out[6] = all; out[7] = sum; out[8] = most;
            out[9] = in; out[10] = before; }} }}"
    );
    assert_eq!(written("cuda", &text, "32", 11), "out = i32[11]{14, 11, 16, 12, 146, 1, 1, 100, 16, 42, 30}");
}

#[test]
fn tiles_of_several_warps_wait_and_reduce_as_a_whole() {
    let text = format!(
        "{GROUPS} __global__ void k(int *out) {{
          __shared__ cg::block_tile_memory<256> memory; auto b = cg::this_thread_block(memory);
          auto t = cg::tiled_partition<128>(b); int i = threadIdx.x;
          int sum = cg::reduce(t, i, cg::plus<int>()), most = cg::reduce(t, i, cg::greater<int>()); t.sync();
          if (t.thread_rank() == 77) {{ int at = t.meta_group_rank() * 3; out[at] = sum; out[at + 1] = most; out[at + 2] = t.size() + t.meta_group_size(); }} }}"
    );
    assert_eq!(written("cuda", &text, "256", 6), "out = i32[6]{8128, 127, 130, 24512, 255, 130}");
    let text = format!(
        "{GROUPS} __global__ void k() {{ auto t = cg::tiled_partition<64>(cg::this_thread_block());
          t.sync(); if (threadIdx.x % 64 < 40) t.sync(); }}
        template <int N> __global__ void any() {{ auto t = cg::tiled_partition<N>(cg::this_thread_block()); t.sync(); }}"
    );
    let found = reconverge(&["check", "-", "--input-format", "cuda", "--short"], text.as_bytes());
    assert_eq!(found.stdout.matches("[RC0").count(), 1, "{}", found.stdout);
    assert!(
        found.stdout.contains("`sync` in divergent control flow if `blockDim.x` is greater than 63: threads of a warp"),
        "{}",
        found.stdout
    );
}

/// Fragments of every size, in both orders of memory, as a matrix times a matrix plus a third one.
#[test]
fn matrices_of_a_warp_are_multiplied() {
    let at = |column_major: bool, row: u64, column: u64, rows: u64, columns: u64| {
        if column_major { column * rows + row } else { row * columns + column }
    };
    let cases = [
        ("cuda", "mma.h", "nvcuda::wmma", "half", (16, 16, 16), false, true, 32),
        ("cuda", "mma.h", "nvcuda::wmma", "half", (32, 8, 16), true, true, 32),
        ("cuda", "mma.h", "nvcuda::wmma", "signed char", (8, 32, 16), false, false, 32),
        ("cuda", "mma.h", "nvcuda::wmma", "double", (8, 8, 4), true, false, 32),
        ("hip", "rocwmma/rocwmma.hpp", "rocwmma", "half", (16, 16, 16), false, false, 64),
    ];
    for (language, header, namespace, of, (m, n, k), a_is_turned, b_is_turned, warp) in cases {
        let order = |is_turned| if is_turned { "w::col_major" } else { "w::row_major" };
        let sum = match of {
            "half" => "float",
            "double" => "double",
            _ => "int",
        };
        let text = format!(
            "#include <{header}>\nnamespace w = {namespace};
            __global__ void k(int *out) {{
              __shared__ {of} a[{m} * {k}], b[{k} * {n}]; __shared__ {sum} c[{m} * {n}]; int t = threadIdx.x;
              for (int i = t; i < {m} * {k}; i += {warp}) a[i] = ({of})(i % 7 - 3);
              for (int i = t; i < {k} * {n}; i += {warp}) b[i] = ({of})(i % 5);
              for (int i = t; i < {m} * {n}; i += {warp}) c[i] = ({sum})i;
              __syncthreads();
              w::fragment<w::matrix_a, {m}, {n}, {k}, {of}, {}> fa; w::fragment<w::matrix_b, {m}, {n}, {k}, {of}, {}> fb;
              w::fragment<w::accumulator, {m}, {n}, {k}, {sum}> fc, fd; w::fill_fragment(fd, ({sum})1);
              w::load_matrix_sync(fa, a, {}); w::load_matrix_sync(fb, b, {}); w::load_matrix_sync(fc, c, {n}, w::mem_row_major);
              for (int i = 0; i < fc.num_elements; i++) fc.x[i] += fd.x[i];
              w::mma_sync(fd, fa, fb, fc); w::store_matrix_sync(c, fd, {m}, w::mem_col_major);
              __syncthreads();
              for (int i = t; i < {m} * {n}; i += {warp}) out[i] = (int)c[i]; }}",
            order(a_is_turned),
            order(b_is_turned),
            if a_is_turned { m } else { k },
            if b_is_turned { k } else { n },
        );
        let mut expected = vec![0i64; (m * n) as usize];
        for row in 0..m {
            for column in 0..n {
                let product = |step: u64| {
                    let a = at(a_is_turned, row, step, m, k) % 7;
                    let b = at(b_is_turned, step, column, k, n) % 5;
                    (a as i64 - 3) * b as i64
                };
                let sum = (0..k).map(product).sum::<i64>() + (row * n + column) as i64 + 1;
                expected[at(true, row, column, m, n) as usize] = sum;
            }
        }
        let expected: Vec<String> = expected.iter().map(i64::to_string).collect();
        let made = all_written(language, &text, &warp.to_string(), expected.len());
        assert_eq!(made, expected, "{language} {of} {m}x{n}x{k}");
    }
}

#[test]
fn a_matrix_in_a_branch_is_said_once() {
    let text = "#include <mma.h>\nusing namespace nvcuda;
        __global__ void k(const half *a, float *d) {
          wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> f;
          wmma::fragment<wmma::accumulator, 16, 16, 16, float> s; wmma::fill_fragment(s, 0.0f);
          wmma::load_matrix_sync(f, a, 16);
          if (threadIdx.x < 16) { wmma::store_matrix_sync(d, s, 16, wmma::mem_row_major); } }";
    let found = reconverge(&["check", "-", "--input-format", "cuda", "--short"], text.as_bytes());
    assert!(!found.stderr.contains("unknown"), "{}", found.stderr);
    assert_eq!(found.stdout.matches("[RC0").count(), 1, "{}", found.stdout);
    assert!(
        found.stdout.contains("`nvcuda::wmma::store_matrix_sync` in divergent control flow: threads of a warp"),
        "{}",
        found.stdout
    );
}

/// Too much happens there for many launches to be tried: that a row of the block is whole warps is enough.
#[test]
fn what_the_size_of_a_row_decides_is_said() {
    let text = "#include <mma.h>\nusing namespace nvcuda;
        __global__ void gemm(const half *a, const half *b, float *c, int m, int n, int k) {
          int across = (blockIdx.x * blockDim.x + threadIdx.x) / warpSize * 16, down = (blockIdx.y * blockDim.y + threadIdx.y) * 16;
          wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> left;
          wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> right;
          wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum; wmma::fill_fragment(sum, 0.0f);
          for (int i = 0; i < k; i += 16)
            if (across < m && i < k && down < n) {
              wmma::load_matrix_sync(left, a + i + across * k, k); wmma::load_matrix_sync(right, b + i + down * k, k);
              wmma::mma_sync(sum, left, right, sum); }
          if (across < m && down < n) wmma::store_matrix_sync(c + down + across * n, sum, n, wmma::mem_row_major); }";
    let found = reconverge(&["check", "-", "--input-format", "cuda", "--short"], text.as_bytes());
    let said = "in divergent control flow if `blockDim.x` is no multiple of 32";
    assert_eq!(found.stdout.matches(said).count(), 2, "{}", found.stdout);
    assert_eq!(found.stdout.matches("[RC0").count(), 2, "{}", found.stdout);
}

#[test]
fn coalesced_threads_are_those_that_are_there() {
    let text = format!(
        "{GROUPS} __global__ void k(int *out) {{
          int i = threadIdx.x;
          if (i % 3 == 1) {{
            cg::coalesced_group g = cg::coalesced_threads();
            int first = g.shfl(i, 0), next = g.shfl_down(i, 1), sum = cg::reduce(g, i, cg::plus<int>());
            unsigned bits = g.ballot(i > 4);
            auto odd = cg::binary_partition(g, i % 2);
            int rank = odd.thread_rank(), size = odd.size();
            if (i == 7) {{ out[0] = g.size(); out[1] = g.thread_rank(); out[2] = first; out[3] = next; out[4] = sum; out[5] = bits; out[6] = rank; out[7] = size; }}
            g.sync();
          }} }}"
    );
    // 1 4 7 10 13
    assert_eq!(written("cuda", &text, "16", 8), "out = i32[8]{5, 2, 1, 10, 35, 28, 1, 3}");
}

#[test]
fn a_group_of_any_kind_waits_as_its_kind_does() {
    let text = format!(
        "{GROUPS} __device__ int sum(cg::thread_group g, int *x, int v) {{
          int rank = g.thread_rank();
          for (int i = g.size() / 2; i > 0; i /= 2) {{ x[rank] = v; g.sync(); if (rank < i) v += x[rank + i]; g.sync(); }}
          return v; }}
        __global__ void k(int *out) {{
          __shared__ int x[64]; auto b = cg::this_thread_block();
          int all = sum(b, x, threadIdx.x); auto t = cg::tiled_partition<16>(b);
          int part = sum(t, x + threadIdx.x / 16 * 16, 1);
          if (threadIdx.x == 0) out[0] = all; if (threadIdx.x == 16) out[1] = part; }}"
    );
    assert_eq!(written("cuda", &text, "64", 2), "out = i32[2]{2016, 16}");
}

#[test]
fn wavefronts_have_tiles_of_64() {
    let text = "#include <hip/hip_runtime.h>\n#include <hip/hip_cooperative_groups.h>
        namespace cg = cooperative_groups;
        __global__ void k(int *out) {
          auto t = cg::tiled_partition<64>(cg::this_thread_block()); auto h = cg::tiled_partition<16>(t);
          int v = t.shfl(threadIdx.x * 10, 40), w = h.shfl_xor(threadIdx.x, 5);
          if (threadIdx.x == 50) { out[0] = v; out[1] = w; out[2] = t.size(); out[3] = h.meta_group_rank(); out[4] = h.thread_rank(); } }";
    assert_eq!(written("hip", text, "64", 5), "out = i32[5]{400, 55, 64, 3, 2}");
}

/// What is wrong in a group is said of what was written, where it was written.
#[test]
fn findings_in_groups_are_those_of_the_caller() {
    let text = format!(
        "{GROUPS}__global__ void k(int *out) {{ cg::thread_block b = cg::this_thread_block(); if (threadIdx.x < 3)\nb.sync(); else out[0] = 1; b.sync(); }}"
    );
    let check = reconverge(&["check", "-", "--input-format", "cuda", "--frontend", "builtin"], text.as_bytes());
    let line = format!("{}:1", text.lines().count());
    assert!(
        check.stdout.contains("error[RC0201]: `sync` in divergent control flow: threads of a thread block"),
        "{}",
        check.stdout
    );
    assert!(check.stdout.contains(&line), "{}", check.stdout);
    assert!(!check.stdout.contains("built-in headers"), "{}", check.stdout);
}

/// A call of a member is named and marked as it is written, also behind a constructor.
#[test]
fn calls_of_members_are_named_by_the_member() {
    let text = "#include <cub/cub.cuh>
__global__ void k(int *out) {
  using BlockReduce = cub::BlockReduce<int, 128>;
  __shared__ typename BlockReduce::TempStorage temp;
  __shared__ typename cub::WarpReduce<int>::TempStorage warp;
  if (threadIdx.x < 40) {
    out[0] = BlockReduce(temp).Sum(out[1]);
    out[1] = cub::BlockReduce<int, 128>(temp).Reduce(out[2], cub::Max());
    out[2] = cub::WarpReduce<int>(warp).Sum(out[3]);
  }
}
";
    let check = reconverge(&["check", "-", "--input-format", "cuda", "--frontend", "builtin"], text.as_bytes());
    expect![[r#"
        warning[RC0209]: `Sum` in divergent control flow if `blockDim.x` is greater than 40: threads of a thread block exit without reaching it
         --> <stdin>:7:14
          |
        6 |   if (threadIdx.x < 40) {
          |       ----------------
          |       |
          |       `threadIdx.x < 40`: is computed from `threadIdx.x`
          |       `threadIdx.x`: differs between the threads of a thread block
        7 |     out[0] = BlockReduce(temp).Sum(out[1]);
          |              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ needs all threads of the thread block
        8 |     out[1] = cub::BlockReduce<int, 128>(temp).Reduce(out[2], cub::Max());
          |              ----------------------------------------------------------- the same goes for `Reduce`
          |
          = note: CUDA's barrier waits for the threads of the block that have not exited; other languages leave this undefined
          = help: let no thread of a thread block end before `Sum`: skip the work in a branch instead, and leave `Sum` outside of it
          = help: in `k`; `reconverge explain RC0209` says more

        warning[RC0204]: `Sum` in divergent control flow if `blockDim.x` is greater than 40: threads of a warp do not all reach it
         --> <stdin>:9:14
          |
        6 |   if (threadIdx.x < 40) {
          |       ----------------
          |       |
          |       `threadIdx.x < 40`: is computed from `threadIdx.x`
          |       `threadIdx.x`: differs between the threads of a warp
        ...
        9 |     out[2] = cub::WarpReduce<int>(warp).Sum(out[3]);
          |              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ needs all threads of the warp
          |
          = help: move `Sum` to where all threads of a warp reach it, before or after the branch
          = help: in `k`; `reconverge explain RC0204` says more

    "#]].assert_eq(&check.stdout);
}

/// Nothing of a header is part of a program that does not use it.
#[test]
fn a_header_adds_no_functions() {
    let text = format!("{GROUPS}__global__ void k(int *out) {{ cg::this_thread_block().sync(); out[0] = 1; }}");
    let check = reconverge(&["check", "-", "--input-format", "cuda", "--frontend", "builtin"], text.as_bytes());
    assert!(check.stderr.contains("no findings in 1 function"), "{}{}", check.stdout, check.stderr);
}

/// All workgroups wait for each other: nothing else can say what comes of that.
#[test]
fn a_grid_that_waits_is_not_run() {
    let text = format!("{GROUPS}__global__ void k(int *out) {{ cg::this_grid().sync(); out[0] = 1; }}");
    let run = reconverge(&["run", "-", "--input-format", "cuda", "--arg", "out=i32[1]"], text.as_bytes());
    assert_eq!(run.status, 2, "{}{}", run.stderr, run.stdout);
    assert!(run.stderr.contains("a barrier of the whole grid"), "{}", run.stderr);
}

/// What is executed has clusters of one block.
#[test]
fn a_block_is_a_cluster_where_nothing_says_more() {
    let text = format!(
        "{GROUPS} __global__ void BOUNDS k(int *out) {{
          auto c = cg::this_cluster(); auto token = c.barrier_arrive();
          int here = c.num_blocks() * 1000 + c.block_rank() * 100 + c.thread_index().y * 10 + c.dim_blocks().x;
          c.barrier_wait(static_cast<decltype(token)&&>(token)); c.sync(); out[c.thread_rank()] = here + c.size(); }}"
    );
    for bounds in ["", "__cluster_dims__(1)", "__cluster_dims__(1, 1, 1)"] {
        assert_eq!(written("cuda", &text.replace("BOUNDS", bounds), "2,2", 4), "out = i32[4]{1005, 1005, 1015, 1015}");
    }
    let larger = text.replace("BOUNDS", "__cluster_dims__(2, 1, 1)");
    let run = reconverge(&["run", "-", "--input-format", "cuda", "--arg", "out=i32[2]"], larger.as_bytes());
    assert_eq!(
        (run.status, &*run.stderr),
        (2, "reconverge: <stdin>: clusters of 2x1x1 are not supported, only those of 1x1x1\n")
    );
}

#[test]
fn blocks_and_warps_reduce_and_scan_with_cub() {
    let text = "#include <cub/cub.cuh>
        __global__ void k(int *out) {
          typedef cub::BlockReduce<int, 64> reduce; typedef cub::BlockScan<int, 64> scan;
          __shared__ union { typename reduce::TempStorage r; typename scan::TempStorage s; } temp;
          __shared__ typename cub::WarpReduce<int>::TempStorage warps[2];
          int i = threadIdx.x, before, upto, all;
          int sum = reduce(temp.r).Sum(i); __syncthreads();
          int most = reduce(temp.r).Reduce(i * 7 % 64, cub::Max()); __syncthreads();
          int some = reduce(temp.r).Sum(i, 10); __syncthreads();
          scan(temp.s).ExclusiveSum(i, before, all); __syncthreads();
          scan(temp.s).InclusiveScan(i, upto, cub::Max());
          int warp = cub::WarpReduce<int>(warps[i / 32]).Sum(i), in;
          cub::WarpScan<int>::TempStorage none; cub::WarpScan<int>(none).InclusiveSum(i, in);
          if (i == 0) { out[0] = sum; out[1] = most; out[2] = some; } if (i == 40) { out[3] = before; out[4] = upto; out[5] = all; out[6] = in; }
          if (i == 32) out[7] = warp; }";
    assert_eq!(written("cuda", text, "64", 8), "out = i32[8]{2016, 63, 45, 780, 40, 2016, 324, 1520}");
}

#[test]
fn blocks_load_exchange_sort_and_store_with_cub() {
    let text = "#include <cub/block/block_load.cuh>\n#include <cub/block/block_radix_sort.cuh>
        __global__ void k(int *out) {
          __shared__ cub::BlockLoad<int, 4, 2, cub::BLOCK_LOAD_TRANSPOSE>::TempStorage load; __shared__ cub::BlockRadixSort<int, 4, 2>::TempStorage sort;
          __shared__ cub::BlockScan<int, 4>::TempStorage scan;
          int items[2]; cub::BlockLoad<int, 4, 2, cub::BLOCK_LOAD_TRANSPOSE>(load).Load(out, items);
          items[0] = 20 - 3 * threadIdx.x; items[1] = threadIdx.x;
          cub::BlockRadixSort<int, 4, 2>(sort).Sort(items);
          cub::BlockStore<int, 4, 2>().Store(out, items);
          cub::BlockScan<int, 4>(scan).ExclusiveSum(items, items);
          cub::BlockStore<int, 4, 2, cub::BLOCK_STORE_STRIPED>().Store(out + 8, items); }";
    assert_eq!(written("cuda", text, "4", 16), "out = i32[16]{0, 1, 2, 3, 11, 14, 17, 20, 0, 1, 6, 31, 0, 3, 17, 48}");
}

/// What CUB has beside reductions, scans and sorts by digits.
#[test]
fn blocks_and_warps_compare_neighbours_and_merge_with_cub() {
    let text = "#include <cub/cub.cuh>
        struct Before { template <class T> __device__ bool operator()(const T &a, const T &b) const { return a < b; } };
        __global__ void k(int *out) {
          typedef cub::BlockMergeSort<int, 4, 2> sort; typedef cub::BlockDiscontinuity<int, 4> flag; typedef cub::BlockAdjacentDifference<int, 4> difference;
          typedef cub::BlockShuffle<int, 4> shuffle; typedef cub::BlockHistogram<unsigned char, 4, 2, 4> histogram; typedef cub::BlockRunLengthDecode<int, 4, 1, 2> runs;
          __shared__ union { sort::TempStorage s; flag::TempStorage f; difference::TempStorage d; shuffle::TempStorage h; histogram::TempStorage g; runs::TempStorage r; } t;
          int i = threadIdx.x, items[2] = {5 - i, i}, heads[2], tails[2], steps[2], moved[2], decoded[2], within[2], next = 0;
          sort(t.s).Sort(items, Before()); __syncthreads();
          cub::StoreDirectBlocked(i, out, items);
          flag(t.f).FlagHeadsAndTails(heads, tails, 5, items, cub::Inequality()); __syncthreads();
          out[8 + i] = heads[0] * 1000 + heads[1] * 100 + tails[0] * 10 + tails[1];
          difference(t.d).SubtractRight(items, steps, cub::Difference(), 7); __syncthreads();
          out[12 + i] = steps[0] * 10 + steps[1];
          shuffle(t.h).Up(items, moved); __syncthreads(); shuffle(t.h).Offset(i, next, 1); __syncthreads();
          out[16 + i] = moved[1] * 10 + next;
          __shared__ unsigned counts[4]; unsigned char bins[2] = {(unsigned char)i, 1};
          histogram(t.g).Histogram(bins, counts); __syncthreads();
          out[20 + i] = counts[i];
          int value[1] = {10 * i}, length[1] = {i}, all; runs decode(t.r, value, length, all);
          decode.RunLengthDecode(decoded, within);
          if (2 * i < all) { out[24 + i] = decoded[0] + within[0]; out[28 + i] = decoded[1] + within[1]; } }";
    let sorted = "0, 1, 2, 2, 3, 3, 4, 5";
    let neighbours = "1111, 1001, 1001, 1110, -11, -1, -1, -12";
    let others = "1, 22, 33, 40, 1, 5, 1, 1, 10, 21, 31, 0, 20, 30, 32, 0";
    assert_eq!(written("cuda", text, "4", 32), format!("out = i32[32]{{{sorted}, {neighbours}, {others}}}"));
    let text = "#include <cub/cub.cuh>
        struct Before { template <class T> __device__ bool operator()(const T &a, const T &b) const { return a < b; } };
        __global__ void k(int *out) {
          __shared__ cub::WarpExchange<int, 2, 4>::TempStorage t[8]; __shared__ cub::WarpMergeSort<int, 2, 4, char>::TempStorage s[8];
          __shared__ cub::WarpReduce<int>::TempStorage r;
          int i = threadIdx.x, w = i / 4, items[2]; cub::WarpLoad<int, 2, cub::WARP_LOAD_STRIPED, 4>().Load(out, items, 6, 9); __syncthreads();
          items[0] = 2 * i; items[1] += 2 * i + 1; cub::WarpExchange<int, 2, 4>(t[w]).BlockedToStriped(items, items);
          int sum = cub::WarpReduce<int>(r).HeadSegmentedSum(i, i % 5 == 0);
          int keys[2] = {i % 3, 7 - i}; char values[2] = {1, 2}; cub::WarpMergeSort<int, 2, 4, char>(s[w]).Sort(keys, values, Before());
          if (i < 4) { out[i] = items[0]; out[4 + i] = items[1]; out[8 + i] = keys[0] * 10 + values[0]; out[12 + i] = keys[1] * 10 + values[1]; }
          if (i % 5 == 0) out[16 + i / 5] = sum;
          unsigned less = cub::Traits<float>::TwiddleIn(__float_as_uint(-2.f)), more = cub::Traits<float>::TwiddleIn(__float_as_uint(1.f));
          if (i == 0) out[23] = (less < more) + cub::Traits<int>::Max() % 10; }";
    let expected = "0, 1, 2, 3, 4, 14, 6, 16, 1, 11, 42, 62, 1, 21, 52, 72, 10, 35, 60, 85, 110, 135, 61, 8";
    assert_eq!(written("cuda", text, "32", 24), format!("out = i32[24]{{{expected}}}"));
}

#[test]
fn blocks_and_warps_reduce_scan_and_sort_with_rocprim() {
    let text = "#include <rocprim/rocprim.hpp>
        __global__ void k(int *out) {
          using reduce = rocprim::block_reduce<int, 128, rocprim::block_reduce_algorithm::raking_reduce>; using scan = rocprim::block_scan<int, 128>;
          __shared__ union { reduce::storage_type r; scan::storage_type s; } t;
          int i = rocprim::flat_block_thread_id<128, 1, 1>(), sum, most, some, before, upto, all, warp, part, pair[2] = {i, 1}, sums[2];
          reduce().reduce(i, sum, t.r); rocprim::syncthreads();
          reduce().reduce(i * 7 % 128, most, t.r, rocprim::maximum<int>()); rocprim::syncthreads();
          reduce().reduce(i, some, 10, t.r); rocprim::syncthreads();
          scan().exclusive_scan(i, before, 100, all, t.s); rocprim::syncthreads();
          scan().inclusive_scan(i, upto, t.s, rocprim::maximum<>()); rocprim::syncthreads();
          scan().inclusive_scan(pair, sums);
          rocprim::warp_reduce<int>::storage_type w; rocprim::warp_reduce<int>().reduce(i, warp, w);
          rocprim::warp_scan<int, 32>().inclusive_scan(i, part, w);
          if (i == 0) { out[0] = sum; out[1] = most; out[2] = some; }
          if (i == 100) { out[3] = before; out[4] = upto; out[5] = all; out[6] = part; out[7] = sums[0]; out[8] = sums[1]; }
          if (i == 64) out[9] = warp; }";
    let expected = "8128, 127, 45, 5050, 100, 8128, 490, 5150, 5151, 6112";
    assert_eq!(written("hip", text, "128", 10), format!("out = i32[10]{{{expected}}}"));
    let text = "#include <rocprim/block/block_radix_sort.hpp>\n#include <rocprim/block/block_store.hpp>
        namespace rp = rocprim;
        __global__ void k(int *out) {
          int i = threadIdx.x, items[2] = {20 - 3 * i, i}, moved[2]; float key = i % 2; int value = i;
          rp::block_load<int, 4, 2, rp::block_load_method::block_load_transpose>().load(out, moved);
          rp::block_radix_sort<int, 4, 2>().sort(items); rp::block_store<int, 4, 2>().store(out, items);
          rp::block_sort<float, 4, 1, int>().sort(key, value, rp::greater<float>()); out[8 + i] = value;
          rp::block_exchange<int, 4, 2>().blocked_to_striped(items, moved); rp::block_store_direct_striped<4>(i, out + 12, moved); }";
    let expected = "0, 1, 2, 3, 11, 14, 17, 20, 1, 3, 0, 2, 0, 1, 2, 3, 11, 14, 17, 20";
    assert_eq!(written("hip", text, "4", 20), format!("out = i32[20]{{{expected}}}"));
}

#[test]
fn blocks_and_warps_compare_neighbours_with_rocprim() {
    let text = "#include <rocprim/rocprim.hpp>
        namespace rp = rocprim;
        __global__ void k(int *out) {
          __shared__ rp::block_discontinuity<int, 4>::storage_type f; __shared__ rp::block_adjacent_difference<int, 4>::storage_type d;
          __shared__ unsigned counts[4], same[4]; unsigned char bins[2] = {(unsigned char)threadIdx.x, 1};
          int i = threadIdx.x, items[2] = {i / 2, i}, heads[2], tails[2], steps[2], next = 9, turned;
          rp::block_discontinuity<int, 4>().flag_heads_and_tails(heads, 0, tails, items, rp::not_equal_to<int>(), f);
          out[i] = heads[0] * 1000 + heads[1] * 100 + tails[0] * 10 + tails[1];
          rp::block_adjacent_difference<int, 4>().subtract_left(items, steps, rp::minus<int>(), d); out[4 + i] = steps[0] * 10 + steps[1];
          rp::block_shuffle<int, 4>().offset(i, next, 2); rp::syncthreads(); rp::block_shuffle<int, 4>().rotate(i, turned, 3); out[8 + i] = next * 10 + turned;
          rp::block_histogram<unsigned char, 4, 2, 4>().histogram(bins, counts);
          rp::block_histogram<unsigned char, 4, 2, 4, rp::block_histogram_algorithm::using_sort>().histogram(bins, same); rp::syncthreads();
          out[12 + i] = counts[i] * 10 + same[i]; }";
    let expected = "0, 110, 111, 1111, 0, 1, 1, -8, 23, 30, 91, 92, 11, 55, 11, 11";
    assert_eq!(written("hip", text, "4", 16), format!("out = i32[16]{{{expected}}}"));
    let text = "#include <rocprim/warp/warp_sort.hpp>
        __global__ void k(int *out) {
          __shared__ rocprim::warp_exchange<int, 2, 8>::storage_type t[8]; int i = threadIdx.x, items[2] = {2 * i, 2 * i + 1}, key = 63 - i, pair[2] = {100 - i, i};
          rocprim::warp_exchange<int, 2, 8>().blocked_to_striped(items, items, t[i / 8]);
          rocprim::warp_sort<int>().sort(key); rocprim::warp_sort<int, 8>().sort(pair);
          rocprim::lane_mask_type odd = rocprim::ballot(i % 2); int from = rocprim::warp_shuffle(i, 5);
          if (i >= 56 && i < 60) { out[i - 56] = items[0]; out[i - 52] = items[1]; out[i - 48] = key; out[i - 44] = pair[0] * 1000 + pair[1]; }
          if (i == 40) { out[16] = rocprim::masked_bit_count(odd); out[17] = from; } }";
    let expected = "112, 113, 114, 115, 120, 121, 122, 123, 56, 57, 58, 59, 37038, 39040, 41042, 43044, 20, 5";
    assert_eq!(written("hip", text, "64", 18), format!("out = i32[18]{{{expected}}}"));
}

/// A collective of rocPRIM is named by its own name, with and without storage.
#[test]
fn collectives_of_rocprim_need_all_threads() {
    let text = "#include <rocprim/rocprim.hpp>
        __global__ void k(int *out) {
          using block_reduce = rocprim::block_reduce<int, 128>; __shared__ block_reduce::storage_type storage; int sum = 0;
          if (threadIdx.x < 32) block_reduce().reduce(out[threadIdx.x], sum, storage);
          rocprim::syncthreads(); out[0] = sum; }
        __global__ void l(int *out) {
          int sum = 0; if (out[threadIdx.x] < 32) rocprim::block_scan<int, 128>().inclusive_scan(1, sum);
          out[threadIdx.x] = sum; }";
    let check = reconverge(&["check", "-", "--input-format", "hip", "--frontend", "builtin"], text.as_bytes());
    assert!(check.stdout.contains("`reduce` in divergent control flow"), "{}{}", check.stdout, check.stderr);
    assert!(check.stdout.contains("`inclusive_scan` in divergent control flow"), "{}", check.stdout);
    assert!(check.stdout.contains("<stdin>:4:33") && check.stdout.contains("<stdin>:7:51"), "{}", check.stdout);
    assert!(!check.stderr.contains("unknown"), "{}", check.stderr);
}

/// What orders memory at a barrier of a wave are the fences around it, which `__syncwarp` has.
#[test]
fn a_barrier_of_a_wave_orders_what_fences_release() {
    let kernel = |barrier: &str| {
        format!(
            "__global__ void k(int *out) {{
              __shared__ int s[64]; int i = threadIdx.x; s[i] = i; {barrier}; if (i % 16 == 0) for (int j = 1; j < 16; j++) s[i + j] += s[i + j - 1];
              {barrier}; if (i < 2) out[i] = s[63 - i]; }}"
        )
    };
    let fenced = "__threadfence_block(); __builtin_amdgcn_wave_barrier(); __threadfence_block()";
    for barrier in ["__syncwarp()", fenced] {
        assert_eq!(written("hip", &kernel(barrier), "64", 2), "out = i32[2]{888, 825}");
    }
    let bare = kernel("__builtin_amdgcn_wave_barrier()");
    let run =
        reconverge(&["run", "-", "--input-format", "hip", "--block", "64", "--arg", "out=i32[2]"], bare.as_bytes());
    assert!(run.stdout.contains("RC0507"), "{}{}", run.stderr, run.stdout);
}

/// A collective needs its block as a barrier does.
#[test]
fn collectives_need_all_threads() {
    let text = "#include <hipcub/hipcub.hpp>
        __global__ void k(float *in, float *out) {
          typedef hipcub::BlockReduce<float, 256> reduce; __shared__ typename reduce::TempStorage temp;
          if (threadIdx.x < 100) { float sum = reduce(temp).Sum(in[threadIdx.x]); if (threadIdx.x == 0) out[0] = sum; }
          __syncthreads(); out[1] = 2; }";
    let check = reconverge(&["check", "-", "--input-format", "hip", "--frontend", "builtin"], text.as_bytes());
    assert!(check.stdout.contains("`Sum` in divergent control flow"), "{}{}", check.stdout, check.stderr);
}

/// Barriers of libcu++ in shared memory, with the two halves apart and together, and what one thread copies.
#[test]
fn barriers_in_memory_order_what_threads_write() {
    let text = "#include <cuda/barrier>\n#include <cuda/pipeline>\n#include <cooperative_groups.h>
        using barrier = cuda::barrier<cuda::thread_scope_block>;
        __global__ void k(int *out) {
          __shared__ barrier bar; __shared__ int s[64]; auto block = cooperative_groups::this_thread_block();
          if (block.thread_rank() == 0) init(&bar, block.size());
          block.sync(); int sum = 0;
          for (int r = 0; r < 3; r++) {
            s[threadIdx.x] = threadIdx.x + r; barrier::arrival_token token = bar.arrive(); bar.wait(std::move(token));
            sum += s[63 - threadIdx.x]; bar.arrive_and_wait();
          }
          cuda::memcpy_async(block, s, s, cuda::aligned_size_t<4>(sizeof(int) * 64), bar); bar.arrive_and_wait();
          auto pipe = cuda::make_pipeline(); int copy; pipe.producer_acquire(); cuda::memcpy_async(&copy, &s[63], sizeof(int), pipe); pipe.producer_commit();
          cuda::pipeline_consumer_wait_prior<0>(pipe); pipe.consumer_release();
          if (threadIdx.x < 2) out[threadIdx.x] = sum * 100 + copy; }";
    assert_eq!(written("cuda", text, "64", 2), "out = i32[2]{19265, 18965}");
    let check = reconverge(&["check", "-", "--input-format", "cuda"], text.as_bytes());
    assert_eq!(check.stdout, "", "{}", check.stderr);
    assert!(check.stderr.contains("no findings") && !check.stderr.contains("unknown"), "{}", check.stderr);
}

#[test]
fn atomic_objects_are_those_of_all_threads() {
    let text = "#include <cuda/atomic>
        __device__ cuda::atomic<int, cuda::thread_scope_device> total{5};
        __global__ void k(int *out) {
          cuda::atomic_ref<int, cuda::thread_scope_device> most(out[1]);
          total.fetch_add(2, cuda::memory_order_relaxed); ++total; total -= 1; most.fetch_max(threadIdx.x);
          int old = 3; if (threadIdx.x == 0) { while (total.load(cuda::std::memory_order_acquire) < 85) {} }
          __syncthreads();
          if (threadIdx.x == 0) { out[0] = total; out[2] = most.compare_exchange_strong(old, 7); out[3] = old; out[4] = total.exchange(1); out[5] = total++; } }";
    assert_eq!(written("cuda", text, "40", 6), "out = i32[6]{85, 39, 0, 39, 85, 1}");
}

/// The table of a run has the names that are written, of groups, behind macros, and in inline assembly.
#[test]
fn runs_name_operations_as_they_are_written() {
    let text = format!(
        "{GROUPS}#define SYNC() __syncthreads()
        __global__ void k(int *out) {{
          auto t = cg::tiled_partition<8>(cg::this_thread_block()); int v = threadIdx.x;
          v += t.shfl_down(v, 1); SYNC(); unsigned b;
          asm volatile(\"vote.sync.ballot.b32 %0, %1, 0xffffffff;\" : \"=r\"(b) : \"r\"(v));
          v = __reduce_add_sync(0xffffffffu, v); t.sync(); out[threadIdx.x] = v + b; }}"
    );
    let run =
        reconverge(&["run", "-", "--input-format", "cuda", "--block", "32", "--arg", "out=i32[32]"], text.as_bytes());
    assert_eq!(run.status, 0, "{}{}", run.stderr, run.stdout);
    let table =
        run.stdout.lines().skip_while(|line| !line.contains("fewest")).skip(1).take_while(|line| !line.is_empty());
    let names: Vec<&str> = table.filter_map(|line| line.split_whitespace().nth(5)).collect();
    assert_eq!(names, ["shfl_down", "__syncthreads", "vote.sync.ballot.b32", "__reduce_add_sync", "sync"]);
}

/// What is wrong by the rules of uniformity alone, and in no launch, is nothing that a function asks of its parameters.
#[test]
fn sums_of_tiles_of_several_warps_ask_nothing_of_values() {
    let text =
        "#include <cooperative_groups.h>\n#include <cooperative_groups/reduce.h>\nnamespace cg = cooperative_groups;
template <class G> __device__ double sum(double v, G &tile) { return cg::reduce(tile, v, cg::plus<double>()); }
__global__ void k(double *g, int n) {
  auto tile = cg::tiled_partition<256>(cg::this_thread_block());
  double v = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) v += g[i];
  g[threadIdx.x] = sum(v, tile);
}
";
    let run = reconverge(&["check", "-", "--input-format", "cuda", "--frontend", "builtin", "-v"], text.as_bytes());
    assert_eq!((run.status, &*run.stdout), (0, ""), "{run:?}");
    assert!(run.stderr.contains("has to be called by all threads of a subgroup"), "{run:?}");
    assert!(!run.stderr.contains("requires that its argument"), "{run:?}");

    // It asks for what is enough by itself.
    let text = "__device__ void g(int *p, int n) {
  int warps = (threadIdx.x + threadIdx.y * blockDim.x + threadIdx.z * blockDim.x * blockDim.y) / 32 / 32;
  if ((warps < 1) & (n > 0)) p[0] += __shfl_xor_sync(~0u, 3, 1);
}
__global__ void k(int *p) { g(p, threadIdx.x & 1); }
";
    let run =
        reconverge(&["check", "-", "--input-format", "cuda", "--frontend", "builtin", "--short"], text.as_bytes());
    assert!(
        run.stdout.starts_with("<stdin>:5:29: error[RC0207]: argument 2 of `g` differs between the threads"),
        "{run:?}"
    );
}
