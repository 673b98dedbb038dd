// A jump into a noconvergent statement, which is not allowed.
kernel void jump(global int *p) {
  if (*p)
    goto inside;
  __attribute__((noconvergent)) {
  inside:
    *p = 1;
  }
}
