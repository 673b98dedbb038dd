// Work-items that exchange something in local memory, with a barrier in between and without.

__kernel void r0(__global int *a) { __local int s[1024]; size_t t = get_local_id(0); s[t] = a[t]; a[t] = s[t ^ 128]; } // warning RC0212
__kernel void r1(__global int *a) { __local int s[1024]; size_t t = get_local_id(0); s[t] = a[t]; barrier(CLK_LOCAL_MEM_FENCE); a[t] = s[t ^ 1]; }
__kernel void r2(__global int *a) { __local int s[1024]; size_t t = get_local_id(0); s[t] = a[t]; sub_group_barrier(CLK_LOCAL_MEM_FENCE); a[t] = s[t ^ 1]; }
