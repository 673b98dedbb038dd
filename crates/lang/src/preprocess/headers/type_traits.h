// What the standard says of types, as far as kernels ask for it.
#pragma once

namespace std {
template <class __T, __T __v> struct integral_constant {
    typedef __T value_type;
    typedef integral_constant type;
    static constexpr __T value = __v;
    __host__ __device__ constexpr operator __T() const { return __v; }
    __host__ __device__ constexpr __T operator()() const { return __v; }
};
template <bool __b> struct bool_constant {
    typedef bool value_type;
    typedef bool_constant type;
    static constexpr bool value = __b;
    __host__ __device__ constexpr operator bool() const { return __b; }
    __host__ __device__ constexpr bool operator()() const { return __b; }
};
typedef bool_constant<true> true_type;
typedef bool_constant<false> false_type;

template <bool __b, class __T = void> struct enable_if {};
template <class __T> struct enable_if<true, __T> { typedef __T type; };
template <bool __b, class __T = void> using enable_if_t = typename enable_if<__b, __T>::type;

template <bool __b, class __T, class __U> struct conditional { typedef __T type; };
template <class __T, class __U> struct conditional<false, __T, __U> { typedef __U type; };
template <bool __b, class __T, class __U> using conditional_t = typename conditional<__b, __T, __U>::type;

template <class __T> struct remove_const { typedef __T type; };
template <class __T> struct remove_const<const __T> { typedef __T type; };
template <class __T> using remove_const_t = typename remove_const<__T>::type;
template <class __T> struct remove_cv { typedef typename remove_const<__T>::type type; };
template <class __T> using remove_cv_t = typename remove_cv<__T>::type;
template <class __T> struct remove_reference { typedef __T type; };
template <class __T> struct remove_reference<__T &> { typedef __T type; };
template <class __T> struct remove_reference<__T &&> { typedef __T type; };
template <class __T> using remove_reference_t = typename remove_reference<__T>::type;
template <class __T> struct remove_cvref { typedef typename remove_const<typename remove_reference<__T>::type>::type type; };
template <class __T> using remove_cvref_t = typename remove_cvref<__T>::type;
template <class __T> struct decay { typedef typename remove_const<typename remove_reference<__T>::type>::type type; };
template <class __T> using decay_t = typename decay<__T>::type;
template <class __T> __host__ __device__ __T __reconverge_made();
template <class... __T> struct common_type {};
template <class __T> struct common_type<__T> { typedef typename decay<__T>::type type; };
template <class __T, class __U> struct common_type<__T, __U> {
    typedef typename decay<decltype(false ? __reconverge_made<__T>() : __reconverge_made<__U>())>::type type;
};
template <class __T, class __U, class __V> struct common_type<__T, __U, __V> {
    typedef typename common_type<typename common_type<__T, __U>::type, __V>::type type;
};
template <class... __T> using common_type_t = typename common_type<__T...>::type;
template <class __T> struct remove_pointer { typedef __T type; };
template <class __T> struct remove_pointer<__T *> { typedef __T type; };
template <class __T> using remove_pointer_t = typename remove_pointer<__T>::type;

template <class __T, class __U> struct is_same : bool_constant<false> {};
template <class __T> struct is_same<__T, __T> : bool_constant<true> {};
template <class __T, class __U> inline constexpr bool is_same_v = is_same<__T, __U>::value;
template <class __T> struct is_pointer : bool_constant<false> {};
template <class __T> struct is_pointer<__T *> : bool_constant<true> {};
template <class __T> inline constexpr bool is_pointer_v = is_pointer<__T>::value;
template <class __T> struct is_const : bool_constant<false> {};
template <class __T> struct is_const<const __T> : bool_constant<true> {};
template <class __T> inline constexpr bool is_const_v = is_const<__T>::value;

template <class __T> struct is_void : bool_constant<false> {};
template <> struct is_void<void> : bool_constant<true> {};
template <class __T> inline constexpr bool is_void_v = is_void<__T>::value;
template <class __T> struct is_lvalue_reference : bool_constant<false> {};
template <class __T> struct is_lvalue_reference<__T &> : bool_constant<true> {};
template <class __T> inline constexpr bool is_lvalue_reference_v = is_lvalue_reference<__T>::value;
template <class __T> struct is_rvalue_reference : bool_constant<false> {};
template <class __T> struct is_rvalue_reference<__T &&> : bool_constant<true> {};
template <class __T> inline constexpr bool is_rvalue_reference_v = is_rvalue_reference<__T>::value;
template <class __T>
struct is_reference : bool_constant<(is_lvalue_reference<__T>::value || is_rvalue_reference<__T>::value)> {};
template <class __T> inline constexpr bool is_reference_v = is_reference<__T>::value;
template <class... __T> struct __reconverge_void { typedef void type; };
template <class... __T> using void_t = typename __reconverge_void<__T...>::type;
template <class... __T> struct conjunction : bool_constant<(true && ... && (bool)__T::value)> {};
template <class... __T> inline constexpr bool conjunction_v = conjunction<__T...>::value;
template <class... __T> struct disjunction : bool_constant<(false || ... || (bool)__T::value)> {};
template <class... __T> inline constexpr bool disjunction_v = disjunction<__T...>::value;
template <class __T> struct negation : bool_constant<(!__T::value)> {};
template <class __T> inline constexpr bool negation_v = negation<__T>::value;
template <class __T> struct type_identity { typedef __T type; };
template <class __T> using type_identity_t = typename type_identity<__T>::type;
template <class __T> struct add_const { typedef const __T type; };
template <class __T> using add_const_t = typename add_const<__T>::type;
template <class __T> struct add_pointer { typedef __T *type; };
template <class __T> using add_pointer_t = typename add_pointer<__T>::type;

// Without qualifiers.
template <class __T> struct __reconverge_number {
    static constexpr bool is_integer = false;
    static constexpr bool is_float = false;
    static constexpr bool is_signed = false;
};
#define __RECONVERGE_NUMBER(__t, __integer, __sign) \
    template <> struct __reconverge_number<__t> { \
        static constexpr bool is_integer = __integer; \
        static constexpr bool is_float = !__integer; \
        static constexpr bool is_signed = __sign; \
    };
__RECONVERGE_NUMBER(bool, true, false)
__RECONVERGE_NUMBER(char, true, true)
__RECONVERGE_NUMBER(signed char, true, true)
__RECONVERGE_NUMBER(unsigned char, true, false)
__RECONVERGE_NUMBER(short, true, true)
__RECONVERGE_NUMBER(unsigned short, true, false)
__RECONVERGE_NUMBER(int, true, true)
__RECONVERGE_NUMBER(unsigned int, true, false)
__RECONVERGE_NUMBER(long, true, true)
__RECONVERGE_NUMBER(unsigned long, true, false)
__RECONVERGE_NUMBER(long long, true, true)
__RECONVERGE_NUMBER(unsigned long long, true, false)
__RECONVERGE_NUMBER(float, false, true)
__RECONVERGE_NUMBER(double, false, true)
#undef __RECONVERGE_NUMBER

#define __RECONVERGE_QUESTION(__name, __answer) \
    template <class __T> struct __name : bool_constant<(__answer)> {}; \
    template <class __T> inline constexpr bool __name##_v = __answer;
__RECONVERGE_QUESTION(is_integral, __reconverge_number<remove_const_t<__T>>::is_integer)
__RECONVERGE_QUESTION(is_floating_point, __reconverge_number<remove_const_t<__T>>::is_float)
__RECONVERGE_QUESTION(is_signed, __reconverge_number<remove_const_t<__T>>::is_signed)
__RECONVERGE_QUESTION(is_arithmetic, __reconverge_number<remove_const_t<__T>>::is_integer || __reconverge_number<remove_const_t<__T>>::is_float)
__RECONVERGE_QUESTION(is_unsigned, __reconverge_number<remove_const_t<__T>>::is_integer && !__reconverge_number<remove_const_t<__T>>::is_signed)
__RECONVERGE_QUESTION(is_fundamental, is_arithmetic<__T>::value || is_void<remove_const_t<__T>>::value)
#undef __RECONVERGE_QUESTION

template <class __T> struct make_unsigned {};
template <class __T> struct make_signed {};
#define __RECONVERGE_SIGNS(__s, __u) \
    template <> struct make_unsigned<__s> { typedef __u type; }; \
    template <> struct make_unsigned<__u> { typedef __u type; }; \
    template <> struct make_signed<__s> { typedef __s type; }; \
    template <> struct make_signed<__u> { typedef __s type; };
__RECONVERGE_SIGNS(signed char, unsigned char)
__RECONVERGE_SIGNS(short, unsigned short)
__RECONVERGE_SIGNS(int, unsigned int)
__RECONVERGE_SIGNS(long, unsigned long)
__RECONVERGE_SIGNS(long long, unsigned long long)
#undef __RECONVERGE_SIGNS
template <> struct make_unsigned<char> { typedef unsigned char type; };
template <> struct make_signed<char> { typedef signed char type; };
template <class __T> using make_unsigned_t = typename make_unsigned<__T>::type;
template <class __T> using make_signed_t = typename make_signed<__T>::type;
}
