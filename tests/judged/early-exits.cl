// Threads that end before a barrier: OpenCL leaves it undefined.

__kernel void c0(__global int *a, int n) { if (get_local_id(0) < 7) return; a[0] = 1; barrier(CLK_LOCAL_MEM_FENCE); } // error RC0209
__kernel void c1(__global int *a, int n) { if (get_local_id(0) < 7) { barrier(CLK_LOCAL_MEM_FENCE); } } // error RC0209
__kernel void c2(__global int *a, int n) { if (get_global_id(0) >= n) return; barrier(CLK_LOCAL_MEM_FENCE); } // warning RC0209
__kernel void c3(__global int *a, int n) { if (get_group_id(0) >= n) return; barrier(CLK_LOCAL_MEM_FENCE); }
__kernel void c4(__global int *a, int n) { if (get_local_id(0) < 7) { barrier(CLK_LOCAL_MEM_FENCE); } barrier(CLK_LOCAL_MEM_FENCE); } // error RC0201
__kernel void c5(__global int *a, int n) { if (get_local_id(0) < n) { barrier(CLK_LOCAL_MEM_FENCE); } barrier(CLK_LOCAL_MEM_FENCE); } // warning RC0202
__kernel void c6(__global int *a, int n) { for (int i = get_local_id(0); i < n; i += get_local_size(0)) a[i] = 1; barrier(CLK_LOCAL_MEM_FENCE); }
__kernel __attribute__((reqd_work_group_size(16, 4, 1))) void c7(__global int *a) { if (get_local_id(0) < 16) barrier(CLK_LOCAL_MEM_FENCE); barrier(CLK_LOCAL_MEM_FENCE); }
__kernel __attribute__((reqd_work_group_size(16, 4, 1))) void c8(__global int *a) { if (get_local_id(1) < 2) barrier(CLK_LOCAL_MEM_FENCE); barrier(CLK_LOCAL_MEM_FENCE); } // error RC0201
