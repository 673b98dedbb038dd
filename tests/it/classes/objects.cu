// What classes and lambdas do, a number for each thing: clang computes the same.
struct g { int *at; __device__ g(int *p) : at(p) { *at += 1; } __device__ g(const g &o) : at(o.at) { *at += 10; } __device__ ~g(); };
__device__ g::~g() { *at += 100; }
struct d { int x; __device__ d() : x(7) {} __device__ d(int y) : x(y) {} };
struct agg { d one; int n = 3; d two[2]; };
template <class F> __device__ int twice(F f, int x) { return f(f(x)); }
template <class F> __device__ int each(int n, F &&f) { int s = 0; for (int i = 0; i < n; i++) s += f(i); return s; }
struct range { int n; struct it { int at; __device__ int operator*() const { return at * at; } __device__ it &operator++() { ++at; return *this; } __device__ bool operator!=(const it &o) const { return at != o.at; } };
  __device__ it begin() const { return {0}; } __device__ it end() const { return {n}; } };
struct span { int *p; int n; __device__ int *begin() { return p; } __device__ int *end() { return p + n; } };
struct holder { int f; __device__ int run(int x) { auto l = [=](int y) { f += y; return f * x; }; auto m = [*this](int y) { return f + y; }; int r = l(2); return r * 1000 + m(1); } };
struct A { int x = 1; __device__ virtual int f(int a) { return a + x; } __device__ virtual int g() { return 3; } int y = 9; };
struct B : A { int z = 5; __device__ int g() override { return z; } };
struct C : B { __device__ int f(int a) override { return A::f(a) * 10; } __device__ int g() override { return B::g() + 100; } __device__ virtual int h() { return g() * 2; } };
__device__ int call(A &a, int n) { return a.f(n) * 1000 + a.g(); }
__device__ void change(int &x) { x += 5; }
struct copied { int *at; int n; __device__ copied(int *p, int n) : at(p), n(n) {} __device__ copied(const copied &o) : at(o.at), n(o.n + 1) { *at += 1; } };
__device__ int taken(copied c) { return c.n; }
__device__ copied passed(const copied &c) { return c; }
__device__ void all(int *out, int n) {
  int cnt = 0; int *c = &cnt;
  { g all[2] = {c, c}; g one(c); g two[2] = {one, {c}}; auto l = [one] { return *one.at; }; out[0] = l(); }
  out[1] = cnt;
  agg a = {4}; agg b[2] = {{{1}, 2, {3}}, {}}; out[2] = a.one.x + a.n * 10 + a.two[0].x * 100 + a.two[1].x * 1000; out[3] = b[0].one.x + b[0].n * 10 + b[0].two[0].x * 100 + b[0].two[1].x * 1000 + (b[1].one.x + b[1].n * 10 + b[1].two[0].x * 100 + b[1].two[1].x * 1000) * 10000;
  int m = n, w = 2; auto f = [&](int x) { m += x; return m * w; }; out[4] = f(1) + f(2) * 100; w = 3; out[5] = f(1); out[6] = m;
  out[7] = twice([n](int x) { return x * 2 + n; }, 3); out[8] = each(n, [&](auto i) { return i * w; }); { auto mk = [](int k) { return [=](int i) { return k * i; }; }; auto made = mk(n); out[9] = each(3, made) + mk(2)(5); }
  auto mut = [v = 1]() mutable { return v *= 3; }; mut(); auto mut2 = mut; out[10] = mut() + mut2() * 100;
  int s = 0; for (auto x : range{4}) s += x; out[11] = s; int arr[3] = {1, 2, 3}; for (int &x : span{arr, 3}) x *= 2; out[12] = arr[0] + arr[1] * 10 + arr[2] * 100;
  auto [p, q, r] = arr; arr[0] = 50; auto &[p2, q2, r2] = arr; p2 += 1; out[13] = p + q * 10 + r * 100 + arr[0] * 1000;
  holder h{5}; out[14] = h.run(n); out[15] = h.f;
  out[16] = ({ int t = n; if (t > 3) { t -= 1; change(t); } else t = 1; t * 2; }) + 1;
  A aa; B bb; C cc; A &ra = cc; B *pb = &cc; A sliced = cc; out[17] = call(aa, 1); out[18] = call(bb, 2); out[19] = call(ra, 3); out[20] = call(sliced, 4) + pb->g() + cc.h(); C copy = cc; out[21] = call(copy, 1);
  int (*fp)(int) = [](int x) { return x + 40; }; out[22] = fp(2);
  auto rec = [&](auto &self, int x) -> int { return x < 2 ? 1 : x * self(self, x - 1); }; out[23] = rec(rec, 5);
  const int size = 3; auto con = [] { int z[size] = {1, 2, 3}; return z[2] + size; }; out[24] = con();
  int late = 1; auto cap = [&] { return late; }; late = 2; out[25] = cap(); int *pl = &late; *pl = 3; out[26] = cap();
  { int copies = 0; copied one(&copies, 1); auto two = one; auto three = copied(&copies, 5); copied four = two; copied all[2] = {four, copied(&copies, 7)};
    out[27] = taken(four) + taken(copied(&copies, 9)) * 10 + three.n * 100 + all[0].n * 1000 + all[1].n * 10000; out[28] = copies; copied five = passed(one); out[29] = five.n * 100 + copies; }
}
