//! What constructs mean: each text with the typed program that it is.

use expect_test::{Expect, expect};
use reconverge_lang::options::Dialect;

use crate::check::support::program_of;

fn is(dialect: Dialect, text: &str, program: Expect) {
    program.assert_eq(&program_of(dialect, text));
}

#[test]
fn a_kernel_of_opencl() {
    is(
        Dialect::OpenCl,
        "kernel __attribute__((reqd_work_group_size(64, 1, 1)))
         void sum(global const float *in, global float *out, const uint n) {
           local float tmp[64];
           size_t i = get_local_id(0);
           tmp[i] = i < n ? in[i] : 0;
           barrier(CLK_LOCAL_MEM_FENCE);
           for (int s = 32; s > 0; s >>= 1) {
             if (i < s)
               tmp[i] += tmp[i + s];
             barrier(CLK_LOCAL_MEM_FENCE);
           }
           if (!i) *out = tmp[0];
         }",
        expect![[r#"
            internal local sum.tmp: float[64]
            kernel convergent sum: void (__global float *, __global float *, uint) block 64,1,1
              {
                ;
                declare i: ulong, (i = _Z12get_local_idj(0:uint))
                (*(@sum.tmp.decay + i.load) = ((i.load < (ulong)n.load) ? *(in.load + i.load).load : 0.0:float))
                _Z7barrierj(1:uint)
                for ; (s.load > 0); (s >>= 1)
                    declare s: int, (s = 32)
                  {
                    if (i.load < (ulong)s.load)
                      (*(@sum.tmp.decay + i.load) += *(@sum.tmp.decay + (i.load + (ulong)s.load)).load)
                    _Z7barrierj(1:uint)
                  }
                if !(bool)i.load
                  (*out.load = *(@sum.tmp.decay + 0:long).load)
              }
            _Z12get_local_idj: ulong (uint)
            convergent _Z7barrierj: void (uint)
        "#]],
    );
}

#[test]
fn vectors_of_opencl() {
    is(
        Dialect::OpenCl,
        "float4 f(float4 v, float s, int4 i, uchar3 u) {
           v.xy = v.wz * s;
           v.lo.y += 2;
           float4 w = (float4)(v.hi, s, 1);
           int4 less = v < w;
           w = less ? v : w;
           i[2] = -i.s3 + (i == 3).x;
           u = (uchar3)(i.x) << 1;
           u++;
           float4 z = {1, 2};
           i.rg = i.odd;
           return s * w + z;
         }",
        expect![[r#"
            convergent f: float4 (float4, float, int4, uchar3)
              {
                (v.s01 = (v.s32.load * float2.splat(s.load)))
                (v.s1 += 2.0:float)
                declare w: float4, (w = float4(v.s23.load, s.load, 1.0:float))
                declare less: int4, (less = (v.load < w.load))
                (w = select(less.load, v.load, w.load))
                (i.lane[2] = (-i.s3.load + (i.load == int4.splat(3)).s0))
                (u = (uchar3.splat((uchar)i.s0.load) << uchar3.splat(1:uchar)))
                ((u += uchar3.splat(1:uchar)) - uchar3.splat(1:uchar))
                declare z: float4, (z = float4(1.0:float, 2.0:float, 0.0:float, 0.0:float))
                (i.s01 = i.s13.load)
                return ((float4.splat(s.load) * w.load) + z.load)
              }
        "#]],
    );
}

#[test]
fn conversions_of_c() {
    is(
        Dialect::C,
        "enum color { red, green = 5, blue };
         typedef struct { char tag; union { int i; float f; }; struct { short a, b[3]; } in; } item;
         long f(unsigned char a, short b, unsigned c, long d, float e, double g, _Bool t, int *p, const char *s, item *q) {
           a + b; a << d; c + b; d + c; a < c; !a; ~a; -t; e * g; e + d; t ? a : e; p + a; p - p; *p++; p < &p[3]; a && e;
           a = 300; b += e; c <<= d; p = 0; t = p; t = e; d = a == b;
           q->f = q->in.b[1] + q->tag + green;
           enum color k = blue;
           k += 1;
           s = \"ab\" \"c\";
           (char)d, (void)e, (int *)d, (long)p;
           return sizeof(item) + sizeof a + sizeof \"xyz\" + _Alignof(double);
         }",
        expect![[r#"
            struct item { char tag; union anon1 ; struct anon2 in }
            union anon1 { int i; float f }
            struct anon2 { short a; short[3] b }
            internal constant global .str: char[4] = "abc\x00"
            internal constant global .str.1: char[4] = "xyz\x00"
            f: long (unsigned char, short, unsigned int, long, float, double, bool, int *, char *, struct item *)
              {
                ((int)a.load + (int)b.load)
                ((int)a.load << (int)d.load)
                (c.load + (unsigned int)b.load)
                (d.load + (long)c.load)
                (int)((unsigned int)a.load < c.load)
                (int)!(bool)a.load
                ~(int)a.load
                -(int)t.load
                ((double)e.load * g.load)
                (e.load + (float)d.load)
                (t.load ? (float)a.load : e.load)
                (p.load + (long)a.load)
                (p.load - p.load)
                *p++
                (int)(p.load < (p.load + 3:long))
                (int)((bool)a.load && (bool)e.load)
                (a = 44:unsigned char)
                (b +=[float] e.load)
                (c <<= (unsigned int)d.load)
                (p = 0:int *)
                (t = (bool)p.load)
                (t = (bool)e.load)
                (d = (long)(int)((int)a.load == (int)b.load))
                (*q.load.1.f = (float)(((int)*(*q.load.in.b.decay + 1:long).load + (int)*q.load.tag.load) + 5))
                declare k: unsigned int, (k = 6:unsigned int)
                (k += 1:unsigned int)
                (s = (char *)@.str.decay)
                (((char)d.load , (void)e) , ((int *)d.load , (long)p.load))
                return (long)(((16:unsigned long + 1:unsigned long) + 4:unsigned long) + 8:unsigned long)
              }
        "#]],
    );
}

#[test]
fn statements() {
    is(
        Dialect::C,
        "int g(int);
         int f(int n) {
           int a = 1, *b = &a;
           static int calls = 3;
           for (int i = 0, j = n; i < j; i++, --j) { if (i == 3) continue; else if (j) break; }
           while (n--) ;
           do { a++; } while (a < 10);
           switch (n) { case 1: case 2 ... 5: a = 1; default: g(n); break; case -7: return 2; }
           if (a) goto out;
           { typedef int t; t n = 2; a = n; }
         out:
           return a + *b;
         }",
        expect![[r#"
            internal global f.calls: int = 3
            f: int (int)
              {
                declare a: int, (a = 1)
                declare b: int *, (b = (int *)&a)
                ;
                for ; (i.load < j.load); (i++ , --j)
                    {
                      declare i: int, (i = 0)
                      declare j: int, (j = n.load)
                    }
                  {
                    if (i.load == 3)
                      continue
                    else
                      if (bool)j.load
                        break
                  }
                while (bool)n--
                  ;
                do
                  {
                    a++
                  }
                while (a.load < 10)
                switch n.load (4 labels)
                  {
                    case 1:
                    case 2 ... 5:
                    (a = 1)
                    default:
                    g(n.load)
                    break
                    case -7:
                    return 2
                  }
                if (bool)a.load
                  goto out
                {
                  ;
                  declare n: int, (n = 2)
                  (a = n.load)
                }
                out:
                return (a.load + *b.load.load)
              }
            g: int (int)
        "#]],
    );
}

#[test]
fn initialisers() {
    is(
        Dialect::C,
        "struct point { int x, y; };
         struct line { struct point from, to; char name[4]; float w[2][2]; };
         struct line table[] = {{{1, 2}, {3}, \"ab\", {{1}, {2, 3}}}, {.to = {.y = 9}, .name = {'x'}}, [3] = {4, 5, 6, 7}};
         int flat[2][3] = {1, 2, 3, 4};
         int *where = &flat[1][2];
         const char text[] = \"hey\";
         const char *words[2] = {\"hey\", text + 1};
         int f(int n) {
           struct point p = {n, n + 1}, q = p;
           int a[] = {1, [4] = n, 3};
           char s[] = \"hi\";
           struct line l = {p, .w[1] = {2}};
           struct point *r = &(struct point){.y = 3};
           return a[n] + s[0] + l.to.x + q.y + r->y;
         }",
        expect![[r#"
            struct point { int x; int y }
            struct line { struct point from; struct point to; char[4] name; float[2][2] w }
            global table: struct line[4] = {{{1, 2}, {3, zero}, "ab\x00\x00", {{1.0, zero}, {2.0, 3.0}}}, {zero, {zero, 9}, {120, zero, zero, zero}, zero}, zero, {{4, 5}, {6, 7}, zero, zero}}
            global flat: int[2][3] = {{1, 2, 3}, {4, zero, zero}}
            global where: int * = &flat+20
            constant global text: char[4] = "hey\x00"
            global words: char *[2] = {&.str, &text+1}
            internal constant global .str: char[4] = "hey\x00"
            internal constant global .str.1: char[3] = "hi\x00"
            f: int (int)
              {
                declare p: struct point, (p.zero , ((p.x = n.load) , (p.y = (n.load + 1))))
                declare q: struct point, (q = p.load)
                declare a: int[6], ((a.zero , (*(a.decay + 0:long) = 1)) , ((*(a.decay + 4:long) = n.load) , (*(a.decay + 5:long) = 3)))
                declare s: char[3], (s.zero , (s = @.str.1.load))
                declare l: struct line, (l.zero , ((l.from = p.load) , (*(*(l.w.decay + 1:long).decay + 0:long) = 2.0:float)))
                declare r: struct point *, (r = (struct point *)&((%7.zero , (%7.y = 3)) , %7))
                return ((((*(a.decay + (long)n.load).load + (int)*(s.decay + 0:long).load) + l.to.x.load) + q.y.load) + *r.load.y.load)
              }
        "#]],
    );
}

#[test]
fn functions_of_cuda() {
    is(
        Dialect::Cuda,
        "template <typename T> __device__ T twice(T x) { return x + x; }
         template <typename T, int N = 2> __device__ T sum(const T (&values)[N]) {
           T result = 0;
           for (const T &value : values) result += value;
           return result;
         }
         template <> __device__ float twice<float>(float x) { return 2 * x; }
         template <int N> __device__ int power(int x) {
           if constexpr (N == 0) return 1; else return x * power<N - 1>(x);
         }
         __device__ int over(int x, int y = 3) { return x + y; }
         __device__ float over(float x) { return x; }
         __device__ void swap(int &a, int &b) { int t = a; a = b; b = t; }
         constexpr int SIZE = 4;
         __constant__ float factors[SIZE];
         __device__ unsigned counter;
         int main() { std::nothing(); }
         extern \"C\" __global__ void __launch_bounds__(128) k(float *out, int n) {
           __shared__ float tile[SIZE][SIZE + 1];
           extern __shared__ int dynamic[];
           int list[3] = {1, 2, 3};
           auto x = twice(n);
           auto &r = list[1];
           swap(r, list[0]);
           r = sum(list) + power<3>(x) + over(1) + over(2.5f);
           tile[0][1] = twice(1.5f) + factors[SIZE - 1];
           if (int q = over(r)) counter = q;
           out[n] = tile[n][n] + dynamic[n] + float(n) + static_cast<float>(x);
         }",
        expect![[r#"
            constant factors: float[4]
            global counter: unsigned int
            internal local k.tile: float[4][5]
            local dynamic: int[]
            convergent twice<float> = _Z5twiceIfET_S0_: float (float)
              {
                return (2.0:float * x.load)
              }
            convergent over = _Z4overii: int (int, int)
              {
                return (x.load + y.load)
              }
            convergent over = _Z4overf: float (float)
              {
                return x.load
              }
            convergent swap = _Z4swapRiS_: void (int *, int *)
              {
                declare t: int, (t = *a.load.load)
                (*a.load = *b.load.load)
                (*b.load = t.load)
              }
            kernel convergent k: void (float *, int) threads 128
              {
                ;
                ;
                declare list: int[3], ((list.zero , (*(list.decay + 0:long) = 1)) , ((*(list.decay + 1:long) = 2) , (*(list.decay + 2:long) = 3)))
                declare x: int, (x = twice<int>(n.load))
                declare r: int *, (r = (list.decay + 1:long))
                swap((int *)r.load, (int *)(list.decay + 0:long))
                (*r.load = (int)((float)((sum<int, 3>((int[3] *)&list) + power<3>(x.load)) + over(1, 3)) + over(2.5:float)))
                (*(*(@k.tile.decay + 0:long).decay + 1:long) = (twice<float>(1.5:float) + *(@factors.decay + (long)(4 - 1)).load))
                {
                  declare q: int, (q = over(*r.load.load, 3))
                  if (bool)q.load
                    (@counter = (unsigned int)q.load)
                }
                (*(out.load + (long)n.load) = (((*(*(@k.tile.decay + (long)n.load).decay + (long)n.load).load + (float)*(@dynamic.decay + (long)n.load).load) + (float)n.load) + (float)x.load))
              }
            convergent twice<int> = _Z5twiceIiET_S0_: int (int)
              {
                return (x.load + x.load)
              }
            convergent sum<int, 3> = _Z3sumIiLi3EET_RAT0__KS0_: int (int[3] *)
              {
                declare result: int, (result = 0)
                {
                  declare %3: int *, (%3 = *values.load.decay)
                  for ; (%2.load < 3:long); ++%2
                      declare %2: long, (%2 = 0:long)
                    {
                      declare value: int *, (value = (%3.load + %2.load))
                      (result += *value.load.load)
                    }
                }
                return result.load
              }
            convergent power<3> = _Z5powerILi3EEii: int (int)
              {
                {
                  return (x.load * power<2>(x.load))
                }
              }
            convergent power<2> = _Z5powerILi2EEii: int (int)
              {
                {
                  return (x.load * power<1>(x.load))
                }
              }
            convergent power<1> = _Z5powerILi1EEii: int (int)
              {
                {
                  return (x.load * power<0>(x.load))
                }
              }
            convergent power<0> = _Z5powerILi0EEii: int (int)
              {
                {
                  return 1
                }
              }
        "#]],
    );
}

#[test]
fn convergence() {
    is(
        Dialect::C,
        "__attribute__((convergent)) void meet(int);
         void plain(int);
         void f(int n) {
           meet(n);
           [[clang::noconvergent]] { meet(1); plain(2); }
         }",
        expect![[r#"
            f: void (int)
              {
                meet(n.load)
                [[noconvergent]]
                {
                  meet(1)
                  plain(2)
                }
              }
            convergent meet: void (int)
            plain: void (int)
        "#]],
    );
}
