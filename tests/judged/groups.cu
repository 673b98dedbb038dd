// Cooperative groups: what their threads do together, as what the language declares for that.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

__global__ void b0(int *a, int n) { cg::thread_block b = cg::this_thread_block(); a[b.thread_rank()] = 1; b.sync(); a[0] = n; }
__global__ void b1(int *a, int n) { cg::thread_block b = cg::this_thread_block(); if (threadIdx.x < 40) b.sync(); else a[0] = 1; b.sync(); } // error RC0201
__global__ void b2(int *a, int n) { cg::thread_block b = cg::this_thread_block(); if (blockIdx.x < n) b.sync(); a[0] = 1; }
__global__ void b3(int *a, int n) { auto b = cg::this_thread_block(); if (threadIdx.x < n) { a[b.thread_rank()] = 1; cg::sync(b); a[0] = 2; } } // warning RC0209
__global__ void b4(int *a, int n) { auto b = cg::this_thread_block(); if (b.thread_rank() >= n) return; a[b.thread_rank()] = 1; b.sync(); a[0] = 2; } // warning RC0209
__global__ void b5(int *a, int n) { for (int i = threadIdx.x; i < 100; i += 7) { cg::this_thread_block().sync(); a[i] = i; } cg::this_thread_block().sync(); } // error RC0201
__global__ void t0(int *a, int n) { auto t = cg::tiled_partition<32>(cg::this_thread_block()); int v = a[threadIdx.x]; for (int o = t.size() / 2; o > 0; o /= 2) v += t.shfl_down(v, o); a[0] = v; t.sync(); }
__global__ void t1(int *a, int n) { auto t = cg::tiled_partition<32>(cg::this_thread_block()); if (threadIdx.x % 32 < 8) a[0] = t.shfl(a[1], 0); } // error RC0203
__global__ void t2(int *a, int n) { cg::thread_block_tile<32> t = cg::tiled_partition<32>(cg::this_thread_block()); if (threadIdx.x % 32 < 8) t.sync(); } // error RC0203
__global__ void t3(int *a, int n) { auto t = cg::tiled_partition<32>(cg::this_thread_block()); if (t.any(a[threadIdx.x])) t.sync(); }
__global__ void t4(int *a, int n) { auto t = cg::tiled_partition<32>(cg::this_thread_block()); if (a[blockIdx.x]) a[threadIdx.x] = cg::reduce(t, a[threadIdx.x], cg::plus<int>()); }
__global__ void t5(int *a, int n) { auto t = cg::tiled_partition<16>(cg::this_thread_block()); if (threadIdx.x % 32 < 16) a[threadIdx.x] = cg::reduce(t, a[threadIdx.x], cg::plus<int>()); }
__global__ void t6(int *a, int n) { auto b = cg::this_thread_block(); cg::thread_group t = cg::tiled_partition(b, 16); if (threadIdx.x < 16) { a[0] = 1; cg::sync(t); a[1] = t.size(); } b.sync(); }
__global__ void c0(int *a, int n) { if (threadIdx.x % 2) { cg::coalesced_group g = cg::coalesced_threads(); a[threadIdx.x] = g.shfl(a[threadIdx.x], 0) + g.size(); g.sync(); } }
__global__ void g0(int *a, int n) { cg::grid_group g = cg::this_grid(); a[g.thread_rank()] = 1; g.sync(); a[0] = g.size(); }
__global__ void g1(int *a, int n) { cg::grid_group g = cg::this_grid(); if (threadIdx.x < 3) g.sync(); else a[0] = 1; g.sync(); } // error RC0201
__global__ void g2(int *a, int n) { cg::grid_group g = cg::this_grid(); if (blockIdx.x < n) g.sync(); a[0] = 1; } // warning RC0202
__global__ void g3(int *a, int n) { cg::grid_group g = cg::this_grid(); if (threadIdx.x < n) { a[0] = 1; g.sync(); } a[1] = 1; } // warning RC0202
__global__ void g4(int *a, int n) { auto g = cg::this_grid(); while (a[0] < n) { g.sync(); if (g.thread_rank() == 0) a[0]++; g.sync(); } }
__global__ void l0(int *a, int n) { __shared__ int s; cg::cluster_group c = cg::this_cluster(); if (c.thread_rank() == 0) s = n; c.sync(); a[c.thread_rank()] = *c.map_shared_rank(&s, 0); c.sync(); }
__global__ void l1(int *a, int n) { auto c = cg::this_cluster(); if (threadIdx.x < 40) c.sync(); else a[0] = 1; c.sync(); } // error RC0201
__global__ void __cluster_dims__(2, 1, 1) l2(int *a, int n) { auto c = cg::this_cluster(); if (c.num_blocks() > n) c.sync(); a[c.block_rank()] = c.dim_blocks().x; }
