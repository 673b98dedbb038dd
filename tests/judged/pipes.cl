// Pipes: packets of a work-item, and reservations that a group makes together.

__kernel void p0(__global int *a, write_only pipe int p) { int x = a[get_global_id(0)]; write_pipe(p, &x); }
__kernel void p1(__global int *a, read_only pipe int p) { int x = 0; if (get_local_id(0) < 5) read_pipe(p, &x); a[get_global_id(0)] = x; }
__kernel void p2(__global int *a, read_only pipe int p) { reserve_id_t id = work_group_reserve_read_pipe(p, get_local_size(0)); if (is_valid_reserve_id(id)) { int x; read_pipe(p, id, get_local_id(0), &x); a[get_global_id(0)] = x; work_group_commit_read_pipe(p, id); } }
__kernel void p3(__global int *a, read_only pipe int4 p) { if (get_local_id(0) < 5) { reserve_id_t id = work_group_reserve_read_pipe(p, 5); work_group_commit_read_pipe(p, id); } a[0] = 1; barrier(CLK_LOCAL_MEM_FENCE); } // error RC0201
__kernel void p4(__global int *a, write_only pipe float p) { reserve_id_t id = work_group_reserve_write_pipe(p, get_local_id(0)); work_group_commit_write_pipe(p, id); } // error RC0210
__kernel void p5(__global int *a, write_only pipe float p) { reserve_id_t id = reserve_write_pipe(p, 2); if (is_valid_reserve_id(id)) { float x = 1; write_pipe(p, id, 0, &x); commit_write_pipe(p, id); } a[0] = 1; barrier(CLK_LOCAL_MEM_FENCE); }
__kernel void p6(__global int *a, read_only pipe int p, int n) { if (get_pipe_num_packets(p) > n) barrier(CLK_LOCAL_MEM_FENCE); a[get_global_id(0)] = get_pipe_max_packets(p); }
