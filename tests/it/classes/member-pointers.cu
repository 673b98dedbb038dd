// What pointers to members, computed gotos and `new` at a place do, a number for each thing: clang computes the same.
struct left { int l = 1; __device__ int f(int x) { return l * 10 + x; } };
struct right { int r = 2; int s = 3; __device__ int g(int x) const { return r * 100 + s * 10 + x; } __device__ virtual int v(int x) { return x; } };
struct both : right, left { int own = 4; __device__ int h(int x) { return own * 1000 + x; } __device__ int v(int x) override { return own + x; } };
struct deep : both { int part[2] = {5, 6}; struct { int inner; }; __device__ int v(int x) override { return both::v(x) * 2; } static int fixed(int x) { return x; } };
typedef int (left::*of_left)(int);
using of_both = int (both::*)(int);
template <class T, class C> __device__ T &get(C &c, T C::*p) { return c.*p; }
template <class R, class C, class A> __device__ R call(C *c, R (C::*f)(A), A a) { return (c->*f)(a); }
template <class R, class C, class A> __device__ R call_const(const C &c, R (C::*f)(A) const, A a) { return (c.*f)(a); }
template <class M, class C> __device__ int any(C &c, M C::*m) { return (c.*m)(1); }
struct entry { int left::*data; of_both function; const char *name; };
__device__ int counted(int *n) { return ++*n; }
__device__ deep *pick(deep *d, int *order) { *order = *order * 10 + 1; return d; }
__device__ of_both which(int *order) { *order = *order * 10 + 2; return &both::h; }
__device__ int third(int *order) { *order = *order * 10 + 3; return 0; }
struct made { int x; int y = 8; __device__ made(int x) : x(x) {} };
struct tick { int *at; __device__ tick(int *at) : at(at) {} __device__ ~tick() { *at += 5; } };
typedef int number;
struct plain { int x; short y; };
struct shape { int k = 1; __device__ virtual int f() { return k; } };
struct square : shape { __device__ square(int n) { k = n; } __device__ int f() override { return k * k; } };
__device__ int steps(int n) {
  static void *const table[] = {&&add, &&twice, &&stop};
  int x = 1, count = 0;
next:
  goto *table[count > 6 ? 2 : (n + count) & 1];
add:
  x += 3;
  ++count;
  goto next;
twice:
  x *= 2;
  ++count;
  goto next;
stop:
  return x * 10 + count;
}
__device__ int chosen(int n) {
  void *to = n > 3 ? &&high : &&low;
  if (n == 7) to = &&none;
  goto *to;
  { low: n += 100; }
  return n;
high:
  n += 200;
none:
  return n;
}
__device__ void all(int *out, int n) {
  deep d; both b; left l; const deep c = {}; const right pure0{};
  int left::*data = &left::l; int deep::*moved = data; int deep::*own = &deep::s;
  out[0] = l.*data + d.*data * 10 + d.*moved * 100 + (&d)->*own * 1000; d.*moved += 40; out[1] = d.l + get(b, &deep::own) * 100;
  int right::*r = &deep::r; int both::*rb = &right::s; out[2] = d.*r + b.*rb * 10 + (c.*own) * 100 + (r == &right::r) * 1000 + (rb == &right::r) * 10000;
  of_left f = &left::f; of_both g = &left::f; int (deep::*k)(int) = g; out[3] = (l.*f)(1) + (d.*f)(2) * 100 + (b.*g)(3) * 10000;
  out[4] = (d.*k)(4); int (right::*kc)(int) const = &right::g; out[5] = (c.*kc)(5) + call_const(pure0, &deep::g, 6) * 1000; out[6] = call(&b, &both::h, 7);
  int (right::*v)(int) = &right::v; right &rd = d, &rb2 = b; right pure; out[7] = (rd.*v)(1) + (rb2.*v)(2) * 100 + (pure.*v)(3) * 10000; of_both w = &right::v, w2 = &both::v; out[8] = (d.*w)(4) + (b.*w2)(5) * 100;
  int left::*none = nullptr; of_left nof = 0; int deep::*still = none; int (deep::*stillf)(int) = nof; left zero = {}; entry table[3] = {{&left::l, &both::h, "a"}, {nullptr, nullptr, "b"}};
  out[9] = (none == nullptr) + (nof == nullptr) * 2 + !still * 4 + !stillf * 8 + (data != none) * 16 + (f != nof) * 32 + (data ? 64 : 0) + (table[1].data == 0) * 128 + !table[2].function * 256 + (still == moved) * 512 + (k == g) * 1024 + (nof || f) * 2048 + (nof && f) * 4096;
  out[10] = (b.*table[0].function)(n) + b.*table[0].data * 10000; int array[2][2] = {{1, 2}, {3, 4}}; int (deep::*part)[2] = &deep::part; out[11] = (d.*part)[1] + d.part[0] * 10; d.inner = 7; int deep::*inner = &deep::inner; out[12] = d.*inner;
  int (left::*back)(int) = static_cast<int (left::*)(int)>(k); int left::*backd = static_cast<int left::*>(moved); out[13] = (l.*back)(6) + l.*backd * 100 + (backd == data) * 1000;
  int order = 0; out[14] = (pick(&d, &order)->*which(&order))(third(&order)); out[15] = order; out[16] = any(b, &both::h); out[17] = sizeof(data) + sizeof(f) * 100 + sizeof(entry) * 10000;
  f = n > 2 ? &left::f : nullptr; data = n > 9 ? nullptr : &left::l; out[18] = (l.*f)(8) + l.*data * 100; auto same = &both::own; out[19] = b.*same; left *pl = &d; out[20] = (pl->*f)(9);
  out[21] = steps(0); out[22] = steps(1); out[23] = chosen(1) + chosen(5) * 1000; out[24] = chosen(7);
  alignas(8) char room[64]; made *m = new (room) made(n); out[25] = m->x + m->y * 10; int *i = new (room) int(5); int *j = ::new (room + 4) int{6}; out[26] = *i + *j * 10; plain *p = new (room) plain{1, 2}; out[27] = p->x + p->y * 10; p = new ((void *)room) plain(); out[28] = p->x + p->y;
  shape *sq = new (room) square(n); out[29] = sq->f() + ((void *)sq == room) * 1000;
  int *ar = new (room) int[4](); ar[1] = 3; out[30] = ar[0] + ar[1] + ar[3]; shape *many = new (room) shape[2]; many[1].k = 9; out[31] = many[0].f() + many[1].f() * 10; int times = 0; float *fl = new (room + 4 * counted(&times)) float(1.5f); out[32] = times + int(*fl * 10) * 10 + ((char *)fl - room) * 1000;
  int ticks = 0; tick *tk = new (room) tick(&ticks); tk->~tick(); (*tk).~tick(); ticks.~number(); out[33] = ticks;
}
