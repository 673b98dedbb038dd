// Work-items that exchange something in local memory, with a barrier in between and without.

__kernel void r0(__global int *a) { __local int s[1024]; size_t t = get_local_id(0); s[t] = a[t]; a[t] = s[t ^ 128]; } // warning RC0212
__kernel void r1(__global int *a) { __local int s[1024]; size_t t = get_local_id(0); s[t] = a[t]; barrier(CLK_LOCAL_MEM_FENCE); a[t] = s[t ^ 1]; }
__kernel void r2(__global int *a) { __local int s[1024]; size_t t = get_local_id(0); s[t] = a[t]; sub_group_barrier(CLK_LOCAL_MEM_FENCE); a[t] = s[t ^ 1]; }

// Atomic functions whose result nobody uses: they order nothing.
__kernel void r30(__global int *a) { __local int n; size_t t = get_local_id(0); if (t == 0) n = 0; atomic_add(&n, a[t]); barrier(CLK_LOCAL_MEM_FENCE); a[t] = n; } // warning RC0212
__kernel void r31(__global int *a) { __local int n; size_t t = get_local_id(0); if (t == 0) n = 0; barrier(CLK_LOCAL_MEM_FENCE); atomic_inc(&n); if (t == 0) a[0] = n; } // warning RC0212
__kernel void r32(__global int *a) { __local int n; size_t t = get_local_id(0); if (t == 0) n = 0; barrier(CLK_LOCAL_MEM_FENCE); atomic_add(&n, a[t]); barrier(CLK_LOCAL_MEM_FENCE); a[t] = n; }
__kernel void r33(__global int *a) { __local int h[64]; size_t t = get_local_id(0); if (t < 64) h[t] = 0; atomic_inc(&h[a[t] & 63]); barrier(CLK_LOCAL_MEM_FENCE); if (t < 64) atomic_add(&a[t], h[t]); } // warning RC0212
__kernel void r34(__global int *a) { __local int h[64]; size_t t = get_local_id(0); if (t < 64) h[t] = 0; barrier(CLK_LOCAL_MEM_FENCE); if (atomic_inc(&h[a[t] & 63]) == 0) a[t] = 1; barrier(CLK_LOCAL_MEM_FENCE); if (t < 64) atomic_add(&a[t], h[t]); }
