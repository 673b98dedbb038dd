// Objects where the language wants a number, and which of several functions is called for them.
template <typename T> struct Box {
    T *at;
    __device__ operator T &() { return *at; }
    __device__ operator const T &() const { return *at; }
};
struct Number {
    int v;
    __device__ operator int() const { return v; }
};
struct Explicit {
    float v;
    __device__ explicit operator float() const { return v; }
};
enum Colour { red, green };
struct Coloured {
    Colour v;
    __device__ operator Colour() const { return v; }
};
struct Places {
    int *at;
    __device__ operator int *() const { return at; }
};

template <typename K, typename V> struct Pair {
    K k;
    V v;
};
template <typename T> __device__ int which(const T) { return 1; }
template <typename T> __device__ int which(T *const) { return 2; }
template <typename K, typename V> __device__ int which(const Pair<K, V> &) { return 3; }
template <typename T> __device__ int pointed(T) { return 1; }
template <typename T> __device__ int pointed(const T *) { return 2; }
__device__ int pointed(int) { return 3; }
template <typename T, typename U> __device__ int two(T, U) { return 1; }
template <typename T> __device__ int two(T, T) { return 2; }
template <typename T> __device__ int two(T, int) { return 3; }
template <typename... A> __device__ int some(A...) { return 1; }
template <typename T> __device__ int some(T) { return 2; }
template <typename T, typename... A> __device__ int some(T, A...) { return 3; }
__device__ int exact(float) { return 1; }
__device__ int exact(long) { return 2; }
__device__ int exact(Explicit) { return 3; }

__device__ void conversions(int *out, long *a) {
    a[0] = 10;
    a[1] = 20;
    Box<long> b{a};
    const Box<long> c{a + 1};
    Number i{3};
    Explicit f{2.5f};
    Coloured q{green};
    Places p{out};
    out[0] = (int)b * 100 + int(b) + static_cast<int>(b + 3L);
    out[1] = c * 2 + i;
    out[2] = (true ? b : 2) + (i ? 4 : 5);
    out[3] = (int)((float)f * 4) - -i + (i << 2) + ~i + +i;
    out[4] = (b > 4) * 100 + !i * 10 + (i && b);
    out[5] = (q == green) * 10 + (q + 1);
    b += 2;
    b++;
    --b;
    out[6] = b;
    switch (i) {
    case 3: out[7] = 7; break;
    default: out[7] = 8;
    }
    int list[4] = {1, 2, 3, 4};
    out[8] = list[i] * 10 + p[6];
    out[9] = *p;
    Pair<int, float> x{1, 2};
    const Pair<int, float> y{1, 2};
    out[10] = which(x) * 1000 + which(y) * 100 + which(3) * 10 + which(out);
    out[11] = pointed(out) * 100 + pointed(3) * 10 + pointed(3.0f);
    out[12] = two(1, 2.0f) * 100 + two(1.0f, 2.0f) * 10 + two(1.0f, 2);
    out[13] = some() * 100 + some(1) * 10 + some(1, 2);
    out[14] = exact(b) * 10 + exact(f);
}
