// Labels of connected pixels: hooking of neighbours' trees, then flattening.
static int root_of(global volatile int *parent, int node) {
  int up = parent[node];
  while (up != node) {
    node = up;
    up = parent[node];
  }
  return node;
}

static void unite(global volatile int *parent, int a, int b) {
  for (;;) {
    a = root_of(parent, a);
    b = root_of(parent, b);
    if (a == b)
      break;
    int low = min(a, b), high = max(a, b);
    int old = atomic_min(&parent[high], low);
    if (old == high)
      break;
    a = old;
    b = low;
  }
}

kernel void merge(global const uchar *image, global volatile int *parent, int width, int height) {
  int x = get_global_id(0), y = get_global_id(1), here = y * width + x;
  if (x >= width || y >= height || !image[here])
    return;
  if (x > 0 && image[here - 1])
    unite(parent, here, here - 1);
  if (y > 0 && image[here - width])
    unite(parent, here, here - width);
}

kernel void flatten(global int *parent, int pixels) {
  int i = get_global_id(0);
  if (i < pixels)
    parent[i] = root_of(parent, i);
}
