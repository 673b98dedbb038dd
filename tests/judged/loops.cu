// Barriers in loops.

__global__ void l0(int *a, int n) { int t = threadIdx.x; for (int s = blockDim.x / 2; s > 0; s /= 2) { if (t < s) a[t] += a[t + s]; __syncthreads(); } a[t] = 1; __syncthreads(); }
__global__ void l1(int *a, int n) { int t = threadIdx.x; for (int s = blockDim.x / 2; s > 0; s >>= 1) { if (t < s) { a[t] += a[t + s]; __syncthreads(); } } a[t] = 1; __syncthreads(); } // error RC0201
__global__ void l2(int *a, int n) { int t = threadIdx.x; for (int s = 1; s < blockDim.x; s *= 2) { if (t % (2 * s) == 0) a[t] += a[t + s]; __syncthreads(); } a[t] = 1; __syncthreads(); }
__global__ void l3(int *a, int n) { int t = threadIdx.x; for (int s = 1; s < blockDim.x; s *= 2) { if (t % (2 * s) == 0) { __syncthreads(); a[t] += a[t + s]; } } a[t] = 1; __syncthreads(); } // error RC0201
__global__ void l4(int *a, int n) { int t = threadIdx.x; for (int i = t; i < n; i += blockDim.x) { a[i] = 1; __syncthreads(); } a[t] = 1; __syncthreads(); } // warning RC0202
__global__ void l5(int *a, int n) { int t = threadIdx.x; for (int i = t; i < n; i += blockDim.x) a[i] = 1; a[t] = 1; __syncthreads(); }
__global__ void l6(int *a, int n) { int t = threadIdx.x; for (int i = t; i < (n + blockDim.x - 1) / blockDim.x * blockDim.x; i += blockDim.x) { if (i < n) a[i] = 1; __syncthreads(); } a[t] = 1; __syncthreads(); }
__global__ void l7(int *a, int n) { int t = threadIdx.x; for (int i = 0; i < n; i += blockDim.x) { if (i + t < n) a[i + t] = 1; __syncthreads(); } a[t] = 1; __syncthreads(); }
__global__ void l8(int *a, int n) { int t = threadIdx.x; for (int i = 0; i < t; i++) __syncthreads(); a[t] = 1; __syncthreads(); } // error RC0201
__global__ void l9(int *a, int n) { int t = threadIdx.x; for (int i = 0; i < n; i++) { if (a[i] == 3) break; __syncthreads(); } a[t] = 1; __syncthreads(); }
__global__ void l10(int *a, int n) { int t = threadIdx.x; for (int i = 0; i < n; i++) { if (t == 5) break; __syncthreads(); } a[t] = 1; __syncthreads(); } // error RC0201
__global__ void l11(int *a, int n) { int t = threadIdx.x; for (int i = 0; i < n; i++) { if (i == 5) break; __syncthreads(); } a[t] = 1; __syncthreads(); }
__global__ void l12(int *a, int n) { int t = threadIdx.x; for (int i = 0; i < n; i++) { if (t < i) continue; __syncthreads(); } a[t] = 1; __syncthreads(); } // warning RC0202
__global__ void l13(int *a, int n) { int t = threadIdx.x; do { a[t]++; __syncthreads(); n--; } while (n > 0); a[t] = 1; __syncthreads(); }
__global__ void l14(int *a, int n) { int t = threadIdx.x; do { a[t]++; __syncthreads(); t += 32; } while (t < 64); a[t] = 1; __syncthreads(); } // error RC0201
__global__ void l15(int *a, int n) { int t = threadIdx.x; for (int i = t; i < 4 * blockDim.x; i += blockDim.x) { a[i] = 1; __syncthreads(); } a[t] = 1; __syncthreads(); }
__global__ void l16(int *a, int n) { int t = threadIdx.x; for (int i = t / 32; i < 8; i += blockDim.x / 32) { a[i] = 1; __syncthreads(); } a[t] = 1; __syncthreads(); } // warning RC0202
__global__ void l17(int *a, int n) { int t = threadIdx.x; while (a[0] < n) { __syncthreads(); } a[t] = 1; __syncthreads(); }
__global__ void l18(int *a, int n) { int t = threadIdx.x; switch (t & 3) { case 0: __syncthreads(); break; default: a[1] = 2; } a[t] = 1; __syncthreads(); } // error RC0201
__global__ void l19(int *a, int n) { int t = threadIdx.x; switch (n & 3) { case 0: __syncthreads(); break; default: a[1] = 2; } a[t] = 1; __syncthreads(); }
__global__ void l20(int *a, int n) { int t = threadIdx.x; if (t < 7) goto done; __syncthreads(); done: a[t] = 1; __syncthreads(); } // error RC0201
__global__ void l21(int *a, int n) { int t = threadIdx.x; bool first = t == 0; if (first && n > 3) __syncthreads(); a[t] = 1; __syncthreads(); } // error RC0201
__global__ void l22(int *a, int n) { int t = threadIdx.x; bool some = n > 2 || t < 3; if (some) __syncthreads(); a[t] = 1; __syncthreads(); } // warning RC0202
__global__ void l23(int *a, int n) { int t = threadIdx.x; int row = t / 16; if (row * 16 + t % 16 == t) __syncthreads(); a[t] = 1; __syncthreads(); }
