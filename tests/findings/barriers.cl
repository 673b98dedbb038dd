// Barriers and sub-group operations of OpenCL C.

// 1: half of the work-group.
kernel void half_group(global float *x) {
    if (get_local_id(0) < 8) {
        x[get_global_id(0)] *= 2.0f;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

// 2: an early return.
kernel void returns_early(global float *x, int n) {
    int i = get_global_id(0);
    if (i >= n)
        return;
    x[i] += 1.0f;
    barrier(CLK_GLOBAL_MEM_FENCE);
}

// 3: rounds that depend on data.
kernel void rounds(global const int *count, global int *out) {
    int sum = 0;
    for (int r = 0; r < count[get_local_id(0)]; r++) {
        sum += r;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = sum;
}

// 4: a reduction of a sub-group in a branch.
kernel void reduces(global const int *x, global int *out) {
    int v = x[get_global_id(0)];
    if (v > 0)
        out[get_global_id(0)] = sub_group_reduce_add(v);
}

// 5: a broadcast of a work-group in a branch.
kernel void broadcasts(global int *x) {
    if (get_local_id(0) != 0)
        x[get_global_id(0)] = work_group_broadcast(x[0], 0);
}

// 6: a helper.
void publish(global int *slot, int value) {
    *slot = value;
    barrier(CLK_GLOBAL_MEM_FENCE);
}

kernel void through_a_helper(global int *slots) {
    if (get_local_id(0) % 2)
        publish(slots + get_local_id(0), 1);
}

// 7: a loop that work-items leave by break.
kernel void leaves(global const int *x, global int *out) {
    int i = 0;
    for (;;) {
        if (x[get_global_id(0) + i] == 0)
            break;
        work_group_barrier(CLK_GLOBAL_MEM_FENCE);
        i++;
    }
    out[get_global_id(0)] = i;
}

// 8: two dimensions.
kernel void corner(global float *x, local float *tile) {
    size_t i = get_local_id(0), j = get_local_id(1);
    if (i == 0 || j == 0)
        barrier(CLK_LOCAL_MEM_FENCE);
    x[i + j] = tile[i];
}

// 9: a conditional expression.
kernel void conditional(global int *x) {
    int v = x[get_global_id(0)];
    x[get_global_id(0)] = v > 3 ? sub_group_scan_inclusive_add(v) : 0;
}

// 10: a vote of a work-group after some have gone.
kernel void vote(global int *x, int n) {
    if (get_global_id(0) > n)
        return;
    x[get_global_id(0)] = work_group_all(x[get_global_id(0)] > 0);
}
