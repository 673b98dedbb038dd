// Functions that are called when the program is translated.
constexpr __device__ int log2_of(int n, int p = 0) { return n <= 1 ? p : log2_of(n / 2, p + 1); }
template <typename T> constexpr __device__ T power(T n, T by) { return by > 0 ? n * power(n, by - 1) : 1; }
template <typename T> constexpr __device__ bool is_power_of_2(T v) { return (v && !(v & (v - 1))); }
template <typename U, typename V> constexpr __device__ auto divided(U a, V b) -> decltype(a + b) { return (a / b); }
template <typename U, typename V> constexpr __device__ auto rounded(U a, V b) -> decltype(a + b) { return divided(a + b - 1, b) * b; }
constexpr __device__ int fibonacci(int n) {
    int a = 0, b = 1;
    for (int i = 0; i < n; ++i) {
        int next = a + b;
        a = b;
        b = next;
    }
    return a;
}
constexpr __device__ int chosen(int n) {
    switch (n) {
    case 1:
    case 2: return 10;
    case 3: n += 4; break;
    case 4 ... 6: n *= 2;
    default: n = -n;
    }
    return n;
}
constexpr __device__ int table(int n) {
    int values[4] = {1, 3, 5, 7}, sum = 0;
    values[2] += 1;
    for (int x : values) sum += x;
    while (true) {
        if (sum > 50) break;
        if (++sum % 7) continue;
        sum += 3;
    }
    do sum--; while (sum > 40);
    return values[n] * 100 + sum;
}
struct Area {
    int x, y;
    constexpr __device__ int size() const { return x * y; }
    constexpr __device__ Area turned() const { return Area{y, x + 1}; }
};
constexpr __device__ Area made(int a) { return Area{a, a + 1}; }
constexpr __device__ void increase(int &x, const int &by) { x += by; }
constexpr __device__ int increased(int n) {
    increase(n, 5);
    return n;
}
constexpr __device__ const int &larger(const int &a, const int &b) { return a < b ? b : a; }
constexpr __device__ unsigned char narrow(int n) { return n; }
constexpr __device__ float half_of(int n) { return n / 2.0f; }
template <int N> struct Values {
    static constexpr int value = fibonacci(N);
    static constexpr __device__ int half() { return N / 2; }
};
enum Named { first = fibonacci(7), second };
static constexpr int seventh = larger(fibonacci(7), 4);
template <int N, bool IsPower> struct Step {
    static __device__ int step() { return N; }
};
template <int N> struct Step<N, false> {
    static __device__ int step() { return -N; }
};
template <int A> __device__ int number() {
    static_assert(A > -100000, "");
    if constexpr (is_power_of_2(A)) return A;
    else return A + 100000;
}

__device__ void constants(int *out, long n) {
    int list[fibonacci(6)];
    out[0] = number<log2_of(256)>() * 10 + sizeof(list) / sizeof(list[0]);
    out[1] = number<power(2, 5)>();
    out[2] = number<chosen(2)>() + number<chosen(3)>() + number<chosen(5)>() + number<chosen(9)>();
    out[3] = number<table(2)>();
    out[4] = number<made(3).size()>() + number<made(3).turned().size()>();
    out[5] = number<increased(3)>() + number<larger(3, 9)>();
    out[6] = Values<9>::value * 100 + number<Values<10>::half()>();
    out[7] = first * 100 + second;
    out[8] = number<seventh>();
    out[9] = Step<6, is_power_of_2(6)>::step() * 10 + Step<8, is_power_of_2(8)>::step();
    out[10] = rounded(n, 32) * 100 + rounded(7, 4);
    constexpr int eleventh = fibonacci(11);
    out[11] = number<eleventh>() + number<narrow(300)>() + number<int(half_of(9) * 2)>();
    switch (n) {
    case fibonacci(12): out[12] = 12; break;
    case chosen(9): out[12] = 9; break;
    default: out[12] = 0;
    }
    static_assert(fibonacci(10) == 55, "");
}
