// Broken twin of stream-compaction: only those that keep their element ask for a place.
kernel void compact(global const int *in, global int *out, global volatile int *count) {
  int i = get_global_id(0);
  int x = in[i]; // CAUSE
  int place = 0;
  if (x % 3 == 0)
    place = sub_group_scan_exclusive_add(1); // EXPECT: RC0204 warning
  atomic_add(count, 1);
  out[i] = place;
}
