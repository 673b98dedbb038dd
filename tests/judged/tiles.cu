// Tiles in shared memory. Nothing says how large a block is in two dimensions but the variable that its threads fill.

// The next iteration writes what is still read.
__global__ void t0(int *a, int n) { __shared__ int s[16][16]; int x = threadIdx.x, y = threadIdx.y, sum = 0; for (int t = 0; t < n / 16; t++) { s[y][x] = a[y * 16 + x]; __syncthreads(); for (int k = 0; k < 16; k++) sum += s[y][k] * a[k * 16 + x]; } a[256 + y * 16 + x] = sum; } // warning RC0212
__global__ void t1(int *a, int n) { __shared__ int s[16][16]; int x = threadIdx.x, y = threadIdx.y, sum = 0; for (int t = 0; t < n / 16; t++) { s[y][x] = a[y * 16 + x]; __syncthreads(); for (int k = 0; k < 16; k++) sum += s[y][k] * a[k * 16 + x]; __syncthreads(); } a[256 + y * 16 + x] = sum; }
__global__ void t2(int *a, int n) { __shared__ int s[32][32]; int x = threadIdx.x, y = threadIdx.y, sum = 0; for (int t = 0; t < n; t += 32) { s[y][x] = a[y * 32 + x]; __syncthreads(); for (int k = 0; k < 32; k++) sum += s[k][x]; } a[1024 + y * 32 + x] = sum; } // warning RC0212
__global__ void t3(int *a, int n) { __shared__ int s[16][17]; int x = threadIdx.x, y = threadIdx.y, sum = 0; for (int t = 0; t < n / 16; t++) { __syncthreads(); s[x][y] = a[x * 16 + y]; __syncthreads(); for (int k = 0; k < 16; k++) sum += s[k][x] * s[y][k]; } a[256 + y * 16 + x] = sum; }

// Transposed.
__global__ void t4(int *a) { __shared__ int s[32][33]; int x = threadIdx.x, y = threadIdx.y; s[y][x] = a[y * 32 + x]; a[1024 + x * 32 + y] = s[x][y]; } // warning RC0212
__global__ void t5(int *a) { __shared__ int s[32][33]; int x = threadIdx.x, y = threadIdx.y; for (int j = 0; j < 32; j += 8) s[y + j][x] = a[(y + j) * 32 + x]; __syncthreads(); for (int j = 0; j < 32; j += 8) a[1024 + (y + j) * 32 + x] = s[x][y + j]; }

// A row for each warp, and a rim around the tile.
__global__ void t6(int *a) { __shared__ int s[8][32]; int x = threadIdx.x, y = threadIdx.y; s[y][x] = a[y * 32 + x]; __syncwarp(); a[y * 32 + x] = s[y][31 - x]; }
__global__ void t7(int *a) { __shared__ int s[18][18]; int x = threadIdx.x + 1, y = threadIdx.y + 1; s[y][x] = a[y * 16 + x]; if (x == 1) s[y][0] = a[y]; if (y == 1) s[0][x] = a[x]; __syncthreads(); a[y * 16 + x] = s[y - 1][x] + s[y][x - 1]; }

// One row, read in a long loop.
__global__ void t8(int *a, int n) { __shared__ int s[256]; int i = threadIdx.x, sum = 0; for (int t = 0; t < n / blockDim.x; t++) { s[i] = a[t * blockDim.x + i]; __syncthreads(); for (int k = 0; k < blockDim.x; k++) sum += s[k]; } a[1024 + i] = sum; } // warning RC0212
__global__ void t9(int *a, int n) { __shared__ int s[256]; int i = threadIdx.x, sum = 0; for (int t = 0; t < n / blockDim.x; t++) { s[i] = a[t * blockDim.x + i]; __syncthreads(); for (int k = 0; k < blockDim.x; k++) sum += s[k]; __syncthreads(); } a[1024 + i] = sum; }
