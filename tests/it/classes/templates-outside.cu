// Templates of templates: parameters that are templates, members that are defined outside of their class, defaults of other declarations, and instances that mention each other.
template <typename T> struct Restricted { typedef T *__restrict__ Pointer; };
template <typename T> struct Plain { typedef T *Pointer; };

template <typename T, int Dim, template <typename U> class Traits = Plain> struct Tensor;
template <typename Of, int Sub, template <typename U> class Traits> struct Part;

template <typename Of, template <typename U> class Traits> struct Part<Of, 0, Traits> {
    typename Of::Pointer at;
    __device__ Part(Of &, typename Of::Pointer p) : at(p) {}
    __device__ typename Of::Pointer data() const { return at; }
    __device__ operator typename Of::Value &() { return *at; }
    __device__ operator const typename Of::Value &() const { return *at; }
    __device__ Part &operator=(typename Of::Value x) {
        *at = x;
        return *this;
    }
};

template <typename Of, int Sub, template <typename U> class Traits> struct Part {
    Of &of;
    typename Of::Pointer at;
    __device__ Part(Of &of, typename Of::Pointer p) : of(of), at(p) {}
    __device__ Part<Of, Sub - 1, Traits> operator[](int i) {
        return Part<Of, Sub - 1, Traits>(of, at + i * of.stride[Of::dim - Sub]);
    }
};

template <typename T, int Dim, template <typename U> class Traits> struct Tensor {
    enum { dim = Dim };
    typedef T Value;
    typedef typename Traits<T>::Pointer Pointer;
    typedef Tensor<T, Dim, Traits> Self;
    Pointer data;
    int size[Dim], stride[Dim];
    __device__ Tensor(Pointer data, const int (&sizes)[Dim]);
    __device__ Part<Self, Dim - 1, Traits> operator[](int i);
    template <typename Other, int OtherDim> __device__ bool same(const Tensor<Other, OtherDim, Traits> &other) const;
    template <int NewDim> __device__ Tensor<T, NewDim, Traits> upcast();
    __device__ void set(int value);
    __device__ void set(Pointer value);
    __device__ void set(int value, bool twice);
    __device__ int count() const;
};

template <typename T, int Dim, template <typename U> class Traits>
__device__ Tensor<T, Dim, Traits>::Tensor(Pointer data, const int (&sizes)[Dim]) : data(data) {
    for (int i = Dim - 1, s = 1; i >= 0; s *= sizes[i--]) {
        size[i] = sizes[i];
        stride[i] = s;
    }
}

template <typename T, int Dim, template <typename U> class Traits>
__device__ Part<Tensor<T, Dim, Traits>, Dim - 1, Traits> Tensor<T, Dim, Traits>::operator[](int i) {
    return Part<Self, Dim - 1, Traits>(*this, data + i * stride[0]);
}

template <typename T, int Dim, template <typename U> class Traits>
template <typename Other, int OtherDim>
__device__ bool Tensor<T, Dim, Traits>::same(const Tensor<Other, OtherDim, Traits> &other) const {
    if (Dim != OtherDim) return false;
    for (int i = 0; i < Dim; ++i)
        if (size[i] != other.size[i]) return false;
    return true;
}

template <typename A, int B, template <typename V> class C>
template <int NewDim>
__device__ Tensor<A, NewDim, C> Tensor<A, B, C>::upcast() {
    int sizes[NewDim];
    for (int i = 0; i < NewDim; ++i) sizes[i] = i < NewDim - B ? 1 : size[i - (NewDim - B)];
    return Tensor<A, NewDim, C>(data, sizes);
}

template <typename T, int Dim, template <typename U> class Traits> __device__ void Tensor<T, Dim, Traits>::set(int value) { data[0] = value; }
template <typename T, int Dim, template <typename U> class Traits> __device__ void Tensor<T, Dim, Traits>::set(Pointer value) { data = value; }
template <typename T, int Dim, template <typename U> class Traits>
__device__ void Tensor<T, Dim, Traits>::set(int value, bool twice) {
    set(twice ? value * 2 : value);
}
template <typename T, int Dim, template <typename U> class Traits> __device__ int Tensor<T, Dim, Traits>::count() const {
    int all = 1;
    for (int i = 0; i < Dim; ++i) all *= size[i];
    return all;
}

template <typename T, template <typename> class Traits> __device__ int rank(const Tensor<T, 2, Traits> &) { return 2; }
template <typename T, template <typename> class Traits> __device__ int rank(const Tensor<T, 3, Traits> &) { return 3; }

struct Adder {
    int by;
    template <typename T> __device__ T add(T x) const;
};
template <typename T> __device__ T Adder::add(T x) const { return x + by; }

template <typename T = short, int N = 4> struct Sized;
template <typename U, int M> struct Sized {
    static __device__ int bytes() { return sizeof(U) * M; }
};
template <typename T, int N = 3> __device__ int plus(T x, int y = 2);
template <typename T, int N> __device__ int plus(T x, int y) { return x + y + N; }
template <typename T, typename U = T, int N = sizeof(U)> struct Derived;
template <typename A, typename B, int N> struct Derived { static __device__ int size() { return N; } };

// Functions of a class that have explicit specialisations for its arguments.
template <class R, unsigned D> struct Special {
    R c[D + 1];
    __device__ int of(int) const { return 1; }
    __device__ int of(float) const { return 2; }
    __device__ int declared() const;
    static __device__ int fixed() { return 5; }
    __device__ R smaller(unsigned) const {
        Special<R, D - 1> x;
        x.c[0] = c[0] * 2;
        return x.sum();
    }
    __device__ R sum() const {
        R all = 0;
        for (unsigned i = 0; i < D; i++) all += smaller(i);
        return all;
    }
};
template <> __device__ inline int Special<float, 1>::of(int) const { return 10 + (int)c[0]; }
template <> __device__ inline int Special<float, 2>::of(float) const { return 20; }
template <class R, unsigned D> __device__ int Special<R, D>::declared() const { return 3; }
template <> __device__ inline int Special<int, 1>::declared() const { return 30; }
template <> __device__ inline int Special<int, 1>::fixed() { return 50; }
template <> __device__ inline int Special<int, 1>::sum() const { return c[0] + 7; }

__device__ void specialised(int *out) {
    Special<float, 1> a;
    Special<float, 2> b;
    Special<int, 1> c;
    Special<int, 3> d;
    a.c[0] = 4;
    d.c[0] = 3;
    out[0] = a.of(1) * 100 + a.of(1.0f);
    out[1] = b.of(1) * 100 + b.of(1.0f);
    out[2] = c.declared() * 100 + d.declared();
    out[3] = c.fixed() * 100 + d.fixed();
    out[4] = d.sum();
}

__device__ void outside(int *out, int *memory) {
    int rows[2] = {2, 3};
    Tensor<int, 2> a(memory, rows);
    Tensor<int, 2, Restricted> b(memory + 6, rows);
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 3; ++j) {
            a[i][j] = i * 10 + j;
            b[i][j] = 100 + a[i][j];
        }
    out[0] = a[1][2];
    out[1] = b[0][1] + 1;
    out[2] = *a[1][1].data();
    out[3] = a.same(a) * 10 + a.same(a.upcast<3>());
    Tensor<int, 3> c = a.upcast<3>();
    out[4] = c[0][1][2] * 100 + c.count();
    out[5] = c.size[0] * 100 + c.size[1] * 10 + c.size[2];
    a.set(5);
    out[6] = a[0][0];
    a.set(4, true);
    out[7] = a[0][0];
    a.set(memory + 6);
    out[8] = a[1][0];
    out[9] = rank(a) * 10 + rank(c);
    out[10] = Adder{3}.add(4) * 10 + int(Adder{1}.add(2.5f));
    out[11] = Sized<>::bytes() * 100 + Sized<char>::bytes() * 10 + Sized<int, 1>::bytes();
    out[12] = plus(1) * 10 + plus<int, 0>(1, 1);
    out[13] = Derived<double>::size() * 10 + Derived<int, char>::size();
}
