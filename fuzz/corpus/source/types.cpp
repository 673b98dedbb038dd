struct Point { int x, y; union { float f; unsigned u; } v; int a[2][3]; };
enum Kind { One = 1, Last = 0x7fffffff };
[[clang::convergent]] int op(int);
int g(Point *p, Kind k) {
  auto add = [&](int b) { return b + p->x; };
  int s = sizeof(Point) + k;
  for (int i = 0; i < 3; ++i) s += p->a[i & 1][i] ? op(add(i)) : -i;
  return s;
}
