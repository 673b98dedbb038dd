// EXPECT: none
// Each thread looks for its key; those that find it in the same iteration count each other.
kernel void found_together(global const uint *keys, global const uint *data, global uint *together) {
  uint id = get_local_id(0);
  for (uint i = 0;; i++) {
    if (data[i] == keys[id]) {
      together[id] = sub_group_non_uniform_reduce_add(1u);
      break;
    }
  }
}
