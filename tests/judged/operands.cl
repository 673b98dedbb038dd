// Operands that all threads of a group have to agree on.

__kernel void n0(__global int *a, __local int *b, int n) { event_t e = async_work_group_copy(b, a, (size_t)n, (event_t)0); wait_group_events(1, &e); a[get_global_id(0)] = b[get_local_id(0)]; }
__kernel void n1(__global int *a, __local int *b, int n) { event_t e = async_work_group_copy(b, a + get_local_id(0), (size_t)n, (event_t)0); wait_group_events(1, &e); a[get_global_id(0)] = b[get_local_id(0)]; } // error RC0210
__kernel void n2(__global int *a, __local int *b, int n) { event_t e = async_work_group_copy(b, a, (size_t)(get_local_id(0) & 1), (event_t)0); wait_group_events(1, &e); a[get_global_id(0)] = b[get_local_id(0)]; } // error RC0210
__kernel void n3(__global int *a, int n) { a[get_global_id(0)] = work_group_broadcast(a[get_global_id(0)], get_local_id(0)); } // error RC0210
__kernel void n4(__global int *a, int n) { a[get_global_id(0)] = work_group_broadcast(a[get_global_id(0)], n); }
__kernel void n5(__global int *a, int n) { a[get_global_id(0)] = sub_group_broadcast(a[get_global_id(0)], get_sub_group_local_id() & 1); } // error RC0210
__kernel void n6(__global int *a, int n) { a[get_global_id(0)] = sub_group_broadcast(a[get_global_id(0)], n & 3); }
__kernel void n7(__global int *a, int n) { a[get_global_id(0)] = work_group_broadcast(a[get_global_id(0)], a[get_local_id(0)]); } // warning RC0210
