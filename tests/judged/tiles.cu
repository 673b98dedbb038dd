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

// What threads do after a branch on data is not known, and what they did before is.
__global__ void t10(int *a) { __shared__ int s[256]; int i = threadIdx.x; s[i] = a[i]; int v = s[i ^ 1]; if (v < 0) a[i] = v; } // warning RC0212
__global__ void t11(int *a) { __shared__ int s[256]; int i = threadIdx.x; s[i] = a[i]; __syncthreads(); int v = s[i ^ 1]; if (v < 0) a[i] = v; }

// A tile that is filled in two ways.
__global__ void t12(int *a, int n) { __shared__ int s[32][33]; int x = threadIdx.x, y = threadIdx.y, sum = 0; for (int t = 0; t < n; t += 32) { if (t + y < n && x < n) s[y][x] = a[y * 32 + x]; else s[y][x] = 0; __syncthreads(); for (int k = 0; k < 32; k++) sum += s[k][x]; } a[1024 + y * 32 + x] = sum; } // warning RC0212

// The first barrier of a sum.
__global__ void t15(int *a) { __shared__ int s[256]; int i = threadIdx.x; s[i] = a[i]; for (int h = blockDim.x / 2; h > 0; h /= 2) { if (i < h) s[i] += s[i + h]; __syncthreads(); } a[i] = s[0]; } // warning RC0212
__global__ void t16(int *a) { __shared__ int s[256]; int i = threadIdx.x; s[i] = a[i]; __syncthreads(); for (int h = blockDim.x / 2; h > 0; h /= 2) { if (i < h) s[i] += s[i + h]; __syncthreads(); } a[i] = s[0]; }

// A tile of structs, which are copied as a whole and read as such or by their members.
struct P { int x, y, z, w; };
__global__ void t17(int *a, int n) { __shared__ P s[256]; P *p = (P *)a; int i = threadIdx.x, sum = 0; for (int t = 0; t < n / 256; t++) { s[i] = p[i]; __syncthreads(); for (int k = 0; k < 256; k++) sum += s[k].w; } a[1024 + i] = sum; } // warning RC0212
__global__ void t18(int *a, int n) { __shared__ P s[256]; P *p = (P *)a; int i = threadIdx.x, sum = 0; for (int t = 0; t < n / 256; t++) { s[i] = p[i]; __syncthreads(); for (int k = 0; k < 256; k++) sum += s[k].w; __syncthreads(); } a[1024 + i] = sum; }
__global__ void t19(int *a) { __shared__ P s[256]; P *p = (P *)a; int i = threadIdx.x; s[i] = p[i]; P other = s[i ^ 1]; a[1024 + i] = other.x + other.w; } // warning RC0212
__global__ void t20(int *a) { __shared__ P s[256]; P *p = (P *)a; int i = threadIdx.x; s[i] = p[i]; __syncthreads(); P other = s[i ^ 1]; a[1024 + i] = other.x + other.w; }
__global__ void t21(int *a) { __shared__ P s[256]; P *p = (P *)a; int i = threadIdx.x; s[i].x = a[i]; s[i].w = a[i]; p[i] = s[i ^ 1]; } // warning RC0212
__global__ void t22(int *a) { __shared__ P s[256]; int i = threadIdx.x; s[i].x = a[i]; s[i ^ 1].y = a[i]; __syncthreads(); a[i] = s[i].x + s[i ^ 1].y; }
