// A tree walk with an explicit stack, and a recursive helper.
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))

static __device__ int thread() { return __nvvm_read_ptx_sreg_tid_x(); }
static __device__ int block() { return __nvvm_read_ptx_sreg_ctaid_x(); }
static __device__ int block_size() { return __nvvm_read_ptx_sreg_ntid_x(); }
static __device__ int global_thread() { return block() * block_size() + thread(); }

struct node {
  int value;
  node *left, *right;
};

static __device__ int depth(const node *n) {
  if (!n)
    return 0;
  int l = depth(n->left), r = depth(n->right);
  return 1 + (l > r ? l : r);
}

__global__ void walk(node **roots, int *out) {
  node *stack[32];
  int top = 0, sum = 0, i = global_thread();
  stack[top++] = roots[i];
  while (top > 0) {
    node *n = stack[--top];
    if (!n)
      continue;
    sum += n->value;
    if (top + 2 > 32)
      break;
    stack[top++] = n->left;
    stack[top++] = n->right;
  }
  out[i] = sum + depth(roots[i]);
}
