// What the standard says of values that are handed on, as far as kernels ask for it.
#pragma once

#include <type_traits>

namespace std {
template <class __T> __host__ __device__ constexpr remove_reference_t<__T> &&move(__T &&__t) {
    return static_cast<remove_reference_t<__T> &&>(__t);
}
template <class __T> __host__ __device__ constexpr __T &&forward(remove_reference_t<__T> &__t) {
    return static_cast<__T &&>(__t);
}
template <class __T> __host__ __device__ constexpr __T &&forward(remove_reference_t<__T> &&__t) {
    return static_cast<__T &&>(__t);
}
template <class __T, class __U = __T> __host__ __device__ constexpr __T exchange(__T &__t, __U &&__u) {
    __T __old = move(__t);
    __t = forward<__U>(__u);
    return __old;
}
template <class __T> __host__ __device__ constexpr __T &&declval();
template <class __T> __host__ __device__ constexpr void swap(__T &__a, __T &__b) {
    __T __kept = move(__a);
    __a = move(__b);
    __b = move(__kept);
}

template <class __T, class __U> struct pair {
    typedef __T first_type;
    typedef __U second_type;
    __T first;
    __U second;
    __host__ __device__ constexpr pair() : first(), second() {}
    __host__ __device__ constexpr pair(const __T &__a, const __U &__b) : first(__a), second(__b) {}
};
template <class __T, class __U> __host__ __device__ constexpr pair<decay_t<__T>, decay_t<__U>> make_pair(__T &&__a, __U &&__b) {
    return pair<decay_t<__T>, decay_t<__U>>(__a, __b);
}

template <class __T, __T... __n> struct integer_sequence {
    typedef __T value_type;
    __host__ __device__ static constexpr unsigned long size() { return sizeof...(__n); }
};
template <class __T, __T __count, __T... __n> struct __reconverge_counted {
    typedef typename __reconverge_counted<__T, __count - 1, __count - 1, __n...>::type type;
};
template <class __T, __T... __n> struct __reconverge_counted<__T, 0, __n...> {
    typedef integer_sequence<__T, __n...> type;
};
template <unsigned long... __n> using index_sequence = integer_sequence<unsigned long, __n...>;
template <class __T, __T __count> using make_integer_sequence = typename __reconverge_counted<__T, __count>::type;
template <unsigned long __count> using make_index_sequence = make_integer_sequence<unsigned long, __count>;
template <class... __T> using index_sequence_for = make_index_sequence<sizeof...(__T)>;
}
