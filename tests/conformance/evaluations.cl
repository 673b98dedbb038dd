// Operations in initialisers, commas, conditional operands and arguments.
uint twice(uint value) { return value + value; }

kernel void evaluations(global uint *out) {
  uint id = get_local_id(0);
  uint first = sub_group_reduce_add(1u);
  uint second = (first++, sub_group_reduce_add(1u));
  uint third = id < 1 ? sub_group_reduce_add(1u) : 0;
  uint fourth = id < 2 && sub_group_reduce_add(1u) == 2;
  out[id] = first + 10 * second + 100 * third + 1000 * fourth + 10000 * twice(sub_group_reduce_add(1u));
}
