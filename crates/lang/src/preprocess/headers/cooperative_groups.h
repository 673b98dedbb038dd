// Cooperative groups: what groups of threads are, and what their threads do together. A group of a warp is a set of lanes.
#pragma once
#ifndef __HIP__
#include <cuda_runtime.h>
#endif

#define __cg __device__ __attribute__((expanded))
#ifdef __HIP__
#define __cg_mask unsigned long long
#define __cg_all 0xffffffffffffffffull
#define __cg_warp 64
#define __cg_count __popcll
#else
#define __cg_mask unsigned
#define __cg_all 0xffffffffu
#define __cg_warp 32
#define __cg_count __popc
#endif
#define __cg_lanes 1000

namespace cooperative_groups {

namespace __details {
__cg unsigned __rank() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }
__cg unsigned __size() { return blockDim.x * blockDim.y * blockDim.z; }
__cg unsigned __block() { return blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z); }
__cg unsigned __blocks() { return gridDim.x * gridDim.y * gridDim.z; }
__cg __cg_mask __before() { return ((__cg_mask)1 << __lane_id()) - 1; }
// The lanes of the tile of a size that this thread is in.
__cg __cg_mask __tile(unsigned __n) {
  return __n >= __cg_warp ? __cg_all : (((__cg_mask)1 << __n) - 1) << (__lane_id() & ~(__n - 1));
}
__cg void __wait_block(__cg_mask) { __syncthreads(); }
__cg void __wait_lanes(__cg_mask __lanes) { __syncwarp(__lanes); }
// The lane of the thread of a rank, and the rank of a lane.
__cg unsigned __lane_of(__cg_mask __lanes, unsigned __at) {
  for (unsigned __lane = 0; __lane < __cg_warp; __lane++)
    if (__lanes >> __lane & 1) {
      if (__at == 0) return __lane;
      __at--;
    }
  return __lane_id();
}
// The bits of some lanes, one behind the other.
__cg __cg_mask __packed(__cg_mask __lanes, __cg_mask __bits) {
  __cg_mask __made = 0;
  unsigned __at = 0;
  for (unsigned __lane = 0; __lane < __cg_warp; __lane++)
    if (__lanes >> __lane & 1) {
      __made |= (__bits >> __lane & 1) << __at;
      __at++;
    }
  return __made;
}
}  // namespace __details

enum class thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread };

// A block, a tile or other threads of a warp, by its kind: 0, the size of the tile, or what says that the lanes are listed.
struct thread_group {
  unsigned __kind;
  __cg_mask __some;
  __cg __cg_mask __lanes() const { return __kind == __cg_lanes ? __some : __details::__tile(__kind); }
  // By a pointer: where the kind is not known, neither is who has to be there.
  __cg void sync() const {
    void (*__wait)(__cg_mask) = __kind == 0 ? __details::__wait_block : __details::__wait_lanes;
    __wait(__lanes());
  }
  __cg unsigned long long thread_rank() const {
    return __kind == 0 ? __details::__rank() : (unsigned long long)__cg_count(__lanes() & __details::__before());
  }
  __cg unsigned long long size() const {
    return __kind == 0            ? __details::__size()
           : __kind == __cg_lanes ? __cg_count(__some)
                                  : (unsigned long long)__kind;
  }
  __cg unsigned long long num_threads() const { return size(); }
  __cg bool is_valid() const { return true; }
};

struct thread_block {
  struct arrival_token {};
  __cg operator thread_group() const { return thread_group(0, 0); }
  __cg static void sync() { __syncthreads(); }
  __cg static arrival_token barrier_arrive() { return arrival_token(); }
  __cg static void barrier_wait(arrival_token) { __syncthreads(); }
  __cg static unsigned thread_rank() { return __details::__rank(); }
  __cg static unsigned size() { return __details::__size(); }
  __cg static unsigned num_threads() { return __details::__size(); }
  __cg static bool is_valid() { return true; }
  __cg static dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  __cg static dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
  __cg static dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
  __cg static dim3 dim_threads() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
};
__cg thread_block this_thread_block() { return thread_block(); }
// Memory for what warps of a block tell each other, which is somewhere else here.
template <unsigned __threads = 1024> struct block_tile_memory {
  char __unused;
};
template <unsigned __threads> __cg thread_block this_thread_block(block_tile_memory<__threads>&) { return thread_block(); }

struct grid_group {
  __cg static void sync() { __grid_sync(); }
  __cg static bool is_valid() { return true; }
  __cg static unsigned long long thread_rank() {
    return (unsigned long long)__details::__block() * __details::__size() + __details::__rank();
  }
  __cg static unsigned long long size() { return (unsigned long long)__details::__blocks() * __details::__size(); }
  __cg static unsigned long long num_threads() { return (unsigned long long)__details::__blocks() * __details::__size(); }
  __cg static unsigned long long block_rank() { return __details::__block(); }
  __cg static unsigned long long num_blocks() { return __details::__blocks(); }
  __cg static dim3 group_dim() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
  __cg static dim3 dim_blocks() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
  __cg static dim3 block_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
};
__cg grid_group this_grid() { return grid_group(); }

#ifndef __HIP__
// Blocks that run at the same time and reach each other's shared memory.
struct cluster_group {
  struct arrival_token {};
  __cg static void sync() {
    __cluster_barrier_arrive();
    __cluster_barrier_wait();
  }
  __cg static arrival_token barrier_arrive() {
    __cluster_barrier_arrive();
    return arrival_token();
  }
  __cg static void barrier_wait() { __cluster_barrier_wait(); }
  __cg static void barrier_wait(arrival_token) { __cluster_barrier_wait(); }
  __cg static bool is_valid() { return true; }
  __cg static unsigned query_shared_rank(const void* __at) { return __cluster_query_shared_rank(__at); }
  template <typename __t> __cg static __t* map_shared_rank(__t* __at, int __rank) {
    return (__t*)__cluster_map_shared_rank(__at, __rank);
  }
  __cg static unsigned block_rank() { return __clusterRelativeBlockRank(); }
  __cg static unsigned num_blocks() { return __clusterSizeInBlocks(); }
  __cg static dim3 block_index() { return __clusterRelativeBlockIdx(); }
  __cg static dim3 dim_blocks() { return __clusterDim(); }
  __cg static unsigned thread_rank() { return block_rank() * __details::__size() + __details::__rank(); }
  __cg static unsigned num_threads() { return num_blocks() * __details::__size(); }
  __cg static unsigned size() { return num_threads(); }
  __cg static dim3 dim_threads() {
    dim3 __blocks = __clusterDim();
    return dim3(__blocks.x * blockDim.x, __blocks.y * blockDim.y, __blocks.z * blockDim.z);
  }
  __cg static dim3 thread_index() {
    dim3 __block = __clusterRelativeBlockIdx();
    return dim3(__block.x * blockDim.x + threadIdx.x, __block.y * blockDim.y + threadIdx.y,
                __block.z * blockDim.z + threadIdx.z);
  }
};
__cg cluster_group this_cluster() { return cluster_group(); }
#endif

struct multi_grid_group {
  __cg static void sync() { __grid_sync(); }
  __cg static bool is_valid() { return true; }
  __cg static unsigned grid_rank() { return 0; }
  __cg static unsigned num_grids() { return 1; }
  __cg static unsigned long long thread_rank() { return grid_group::thread_rank(); }
  __cg static unsigned long long size() { return grid_group::size(); }
  __cg static unsigned long long num_threads() { return grid_group::size(); }
};
__cg multi_grid_group this_multi_grid() { return multi_grid_group(); }

// What is set when a group is made of several threads of a warp: lanes, in the order of their ranks.
struct coalesced_group {
  __cg_mask __lanes;
  unsigned __meta_rank, __meta_size;
  __cg operator thread_group() const { return thread_group(__cg_lanes, __lanes); }
  __cg void sync() const { __syncwarp(__lanes); }
  __cg unsigned thread_rank() const { return __cg_count(__lanes & __details::__before()); }
  __cg unsigned size() const { return __cg_count(__lanes); }
  __cg unsigned num_threads() const { return __cg_count(__lanes); }
  __cg unsigned meta_group_rank() const { return __meta_rank; }
  __cg unsigned meta_group_size() const { return __meta_size; }
  __cg bool is_valid() const { return true; }
  template <typename __t> __cg __t shfl(__t __v, unsigned __from) const {
    return __shfl_sync(__lanes, __v, __details::__lane_of(__lanes, __from));
  }
  template <typename __t> __cg __t shfl_up(__t __v, int __by) const {
    unsigned __at = __cg_count(__lanes & __details::__before());
    return __shfl_sync(__lanes, __v, __at < __by ? __lane_id() : __details::__lane_of(__lanes, __at - __by));
  }
  template <typename __t> __cg __t shfl_down(__t __v, unsigned __by) const {
    return __shfl_sync(__lanes, __v, __details::__lane_of(__lanes, __cg_count(__lanes & __details::__before()) + __by));
  }
  __cg int any(int __p) const { return (__ballot_sync(__lanes, __p) & __lanes) != 0; }
  __cg int all(int __p) const { return (__ballot_sync(__lanes, __p) & __lanes) == __lanes; }
  __cg __cg_mask ballot(int __p) const { return __details::__packed(__lanes, __ballot_sync(__lanes, __p)); }
  template <typename __t> __cg __cg_mask match_any(__t __v) const {
    return __details::__packed(__lanes, __match_any_sync(__lanes, __v));
  }
  template <typename __t> __cg __cg_mask match_all(__t __v, int& __same) const {
    return __details::__packed(__lanes, __match_all_sync(__lanes, __v, &__same));
  }
};
__cg coalesced_group coalesced_threads() {
  return coalesced_group(__activemask(), 0, 1);
}

// A part of a block whose threads are neighbours, of a size that is a power of two. What only a tile of a warp has, one of several warps should not be asked for.
template <unsigned __n> struct __details_tile {
  __cg static __cg_mask __lanes() {
    return __details::__tile(__n);
  }
#ifdef __HIP__
  __cg static void sync() { __syncwarp(__lanes()); }
#else
  // A tile of several warps waits at a barrier of its own.
  __cg static void sync() {
    if constexpr (__n > __cg_warp)
      asm volatile("barrier.sync %0, %1;" : : "r"(__details::__rank() / __cg_warp / (__n / __cg_warp) + 1), "r"(__n) : "memory");
    else
      __syncwarp(__lanes());
  }
#endif
  __cg static unsigned thread_rank() { return __details::__rank() & (__n - 1); }
  __cg static constexpr unsigned size() { return __n; }
  __cg static constexpr unsigned num_threads() { return __n; }
  __cg static bool is_valid() { return true; }
  template <typename __t> __cg static __t shfl(__t __v, int __from) { return __shfl_sync(__lanes(), __v, __from, __n); }
  template <typename __t> __cg static __t shfl_up(__t __v, unsigned __by) {
    return __shfl_up_sync(__lanes(), __v, __by, __n);
  }
  template <typename __t> __cg static __t shfl_down(__t __v, unsigned __by) {
    return __shfl_down_sync(__lanes(), __v, __by, __n);
  }
  template <typename __t> __cg static __t shfl_xor(__t __v, unsigned __by) {
    return __shfl_xor_sync(__lanes(), __v, __by, __n);
  }
  __cg static __cg_mask __own(__cg_mask __bits) {
    return __n == __cg_warp ? __bits : __bits >> (__lane_id() & ~(__n - 1)) & (((__cg_mask)1 << __n % __cg_warp) - 1);
  }
  __cg static int any(int __p) { return __n == __cg_warp ? __any_sync(__cg_all, __p) : __own(__ballot_sync(__lanes(), __p)) != 0; }
  __cg static int all(int __p) {
    return __n == __cg_warp ? __all_sync(__cg_all, __p) : __own(~__ballot_sync(__lanes(), __p)) == 0;
  }
  __cg static __cg_mask ballot(int __p) { return __own(__ballot_sync(__lanes(), __p)); }
  template <typename __t> __cg static __cg_mask match_any(__t __v) { return __own(__match_any_sync(__lanes(), __v)); }
  template <typename __t> __cg static __cg_mask match_all(__t __v, int& __same) {
    return __own(__match_all_sync(__lanes(), __v, &__same));
  }
};

// Of what it is a tile is part of its type, or of itself: the size of a tile, 0 for a block.
template <unsigned __n, typename __parent = void> struct thread_block_tile;
template <unsigned __n> struct thread_block_tile<__n, void> : __details_tile<__n> {
  unsigned __of;
  __cg operator thread_group() const { return thread_group(__n, 0); }
  __cg unsigned meta_group_rank() const {
    return (__of == 0 ? __details::__rank() : __details::__rank() & (__of - 1)) / __n;
  }
  __cg unsigned meta_group_size() const { return (__of == 0 ? __details::__size() + __n - 1 : __of) / __n; }
};
template <unsigned __n> struct thread_block_tile<__n, thread_block> : __details_tile<__n> {
  __cg operator thread_group() const { return thread_group(__n, 0); }
  __cg operator thread_block_tile<__n, void>() const { return thread_block_tile<__n, void>(0); }
  __cg static unsigned meta_group_rank() { return __details::__rank() / __n; }
  __cg static unsigned meta_group_size() { return (__details::__size() + __n - 1) / __n; }
};
template <unsigned __n, unsigned __of, typename __p>
struct thread_block_tile<__n, thread_block_tile<__of, __p> > : __details_tile<__n> {
  __cg operator thread_group() const { return thread_group(__n, 0); }
  __cg operator thread_block_tile<__n, void>() const { return thread_block_tile<__n, void>(__of); }
  __cg static unsigned meta_group_rank() { return (__details::__rank() & (__of - 1)) / __n; }
  __cg static unsigned meta_group_size() { return __of / __n; }
};

template <unsigned __n> __cg thread_block_tile<__n, thread_block> tiled_partition(const thread_block&) {
  return thread_block_tile<__n, thread_block>();
}
template <unsigned __n, unsigned __of, typename __p>
__cg thread_block_tile<__n, thread_block_tile<__of, __p> > tiled_partition(const thread_block_tile<__of, __p>&) {
  return thread_block_tile<__n, thread_block_tile<__of, __p> >();
}
// Those of some lanes that have ranks from one on.
__cg __cg_mask __details_lanes_of(__cg_mask __lanes, unsigned __first, unsigned __n) {
  __cg_mask __made = 0;
  unsigned __at = 0;
  for (unsigned __lane = 0; __lane < __cg_warp; __lane++)
    if (__lanes >> __lane & 1) {
      if (__at >= __first && __at < __first + __n) __made |= (__cg_mask)1 << __lane;
      __at++;
    }
  return __made;
}
__cg thread_group tiled_partition(const thread_block&, unsigned __n) { return thread_group(__n, 0); }
__cg thread_group tiled_partition(const thread_group& __g, unsigned __n) {
  unsigned __at = __g.thread_rank();
  return __g.__kind == __cg_lanes ? thread_group(__cg_lanes, __details_lanes_of(__g.__some, __at / __n * __n, __n))
                                  : thread_group(__n, 0);
}
__cg coalesced_group tiled_partition(const coalesced_group& __g, unsigned __n) {
  unsigned __at = __g.thread_rank();
  return coalesced_group(
      __details_lanes_of(__g.__lanes, __at / __n * __n, __n), __at / __n, (__g.size() + __n - 1) / __n);
}
template <unsigned __n> __cg coalesced_group tiled_partition(const coalesced_group& __g) {
  return tiled_partition(__g, __n);
}
template <typename __t> __cg coalesced_group labeled_partition(const coalesced_group& __g, __t __label) {
  return coalesced_group(__match_any_sync(__g.__lanes, __label), 0, 1);
}
template <unsigned __n, typename __p, typename __t>
__cg coalesced_group labeled_partition(const thread_block_tile<__n, __p>& __g, __t __label) {
  return coalesced_group(__match_any_sync(__g.__lanes(), __label), 0, 1);
}
__cg coalesced_group binary_partition(const coalesced_group& __g, bool __p) {
  __cg_mask __bits = __ballot_sync(__g.__lanes, __p) & __g.__lanes;
  return coalesced_group(__p ? __bits : __g.__lanes & ~__bits, __p ? 1 : 0, 2);
}
template <unsigned __n, typename __p>
__cg coalesced_group binary_partition(const thread_block_tile<__n, __p>& __g, bool __b) {
  __cg_mask __all = __g.__lanes();
  __cg_mask __bits = __ballot_sync(__all, __b) & __all;
  return coalesced_group(__b ? __bits : __all & ~__bits, __b ? 1 : 0, 2);
}

template <typename __g> __cg void sync(const __g& __group) { __group.sync(); }
template <typename __g> __cg auto thread_rank(const __g& __group) { return __group.thread_rank(); }
template <typename __g> __cg auto group_size(const __g& __group) { return __group.size(); }

}  // namespace cooperative_groups

#undef __cg
#undef __cg_mask
#undef __cg_all
#undef __cg_warp
#undef __cg_count
#undef __cg_lanes
