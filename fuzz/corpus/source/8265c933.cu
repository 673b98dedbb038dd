#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define thread_x() __nvvm_read_ptx_sreg_tid_x()
#define thread_y() __nvvm_read_ptx_sreg_tid_y()
#define block_x() __nvvm_read_ptx_sreg_ctaid_x()
#define block_y() __nvvm_read_ptx_sreg_ctaid_y()
#define threads_x() __nvvm_read_ptx_sreg_ntid_x()
#define threads_y() __nvvm_read_ptx_sreg_ntid_y()
#define blocks_x() __nvvm_read_ptx_sreg_nctaid_x()
#define lane() __nvvm_read_ptx_sreg_laneid()
#define global_x() (block_x() * threads_x() + thread_x())
#define global_y() (block_y() * threads_y() + thread_y())
#define global_threads() (blocks_x() * threads_x())
#define ALL 0xffffffffu
#define __syncthreads_or(x) __nvvm_bar0_or(x)
#define __syncthreads_and(x) __nvvm_bar0_and(x)
#define __syncthreads_count(x) __nvvm_bar0_popc(x)
#define __syncwarp(mask) __nvvm_bar_warp_sync(mask)
#define __threadfence() __nvvm_membar_gl()
#define __shfl_sync(mask, x, from) __nvvm_shfl_sync_idx_i32(mask, x, from, 31)
#define __shfl_up_sync(mask, x, by) __nvvm_shfl_sync_up_i32(mask, x, by, 0)
#define __shfl_down_sync(mask, x, by) __nvvm_shfl_sync_down_i32(mask, x, by, 31)
#define __shfl_xor_sync(mask, x, by) __nvvm_shfl_sync_bfly_i32(mask, x, by, 31)
#define __shfl_sync_f(mask, x, from) __nvvm_shfl_sync_idx_f32(mask, x, from, 31)
#define __shfl_down_sync_f(mask, x, by) __nvvm_shfl_sync_down_f32(mask, x, by, 31)
#define __shfl_xor_sync_f(mask, x, by) __nvvm_shfl_sync_bfly_f32(mask, x, by, 31)
#define __ballot_sync(mask, x) __nvvm_vote_ballot_sync(mask, x)
#define __any_sync(mask, x) __nvvm_vote_any_sync(mask, x)
#define __all_sync(mask, x) __nvvm_vote_all_sync(mask, x)
#define __match_any_sync(mask, x) __nvvm_match_any_sync_i32(mask, x)
#define __activemask() __nvvm_activemask()
#define __popc(x) __builtin_popcount(x)
#define __ffs(x) __builtin_ffs(x)
#define atomicAdd(at, x) __nvvm_atom_add_gen_i(at, x)
#define atomicAdd_f(at, x) __nvvm_atom_add_gen_f(at, x)
#define atomicMin(at, x) __nvvm_atom_min_gen_i(at, x)
#define atomicMax(at, x) __nvvm_atom_max_gen_i(at, x)
#define atomicExch(at, x) __nvvm_atom_xchg_gen_i(at, x)
#define atomicCAS(at, old, x) __nvvm_atom_cas_gen_i(at, old, x)
#define sqrtf(x) __builtin_sqrtf(x)
#define fabsf(x) __builtin_fabsf(x)
#define fmaxf(x, y) __builtin_fmaxf(x, y)
#define fminf(x, y) __builtin_fminf(x, y)
#define exp2f(x) __nvvm_ex2_approx_f(x)
__global__ void claim(int*slots,int*out,int n){int i=global_x(),slot=i%n;
retry:
__syncthreads();
{retry:
__syncthreads();
{retry:
__syncthreads();
}
}
if(atomicCAS(&slots[slot],0,i)!=0){slot=(slot+0)/n;
printf("%d %s %f\n",out);
goto retry;
{goto retry;
}
}
out[i]=slot;
}
