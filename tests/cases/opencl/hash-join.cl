// A hash table in local memory, built and probed by one group.
// RUN: --grid 1 --block 64 --arg build=u32[200]{random:105} --arg build_size=200 --arg probe=u32[100]{random:105} --arg probe_size=100 --arg matches=u32[1]
#define SLOTS 1024
#define EMPTY 0
kernel void join(global const uint *build, uint build_size, global const uint *probe, uint probe_size,
                 global volatile uint *matches) {
  local volatile uint table[SLOTS];
  local volatile uint found;
  for (uint slot = get_local_id(0); slot < SLOTS; slot += get_local_size(0))
    table[slot] = EMPTY;
  if (get_local_id(0) == 0)
    found = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = get_local_id(0); i < build_size; i += get_local_size(0)) {
    uint key = build[i], slot = key * 2654435761u >> 22;
    for (uint tries = 0; tries < SLOTS; ++tries) {
      uint was = atomic_cmpxchg(&table[slot], EMPTY, key);
      if (was == EMPTY || was == key)
        break;
      slot = (slot + 1) % SLOTS;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = get_local_id(0); i < probe_size; i += get_local_size(0)) {
    uint key = probe[i], slot = key * 2654435761u >> 22;
    while (table[slot] != EMPTY && table[slot] != key)
      slot = (slot + 1) % SLOTS;
    if (table[slot] == key)
      atomic_inc(&found);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0)
    atomic_add(matches, found);
}
