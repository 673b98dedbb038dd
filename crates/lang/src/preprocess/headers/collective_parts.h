// What the collectives of CUB, hipCUB and rocPRIM are made of. A collective that keeps values in shared memory writes them, waits, and reads them: who uses the
// memory again has to wait first.
#pragma once

#define __expand __device__ __attribute__((expanded))
#ifdef __HIP__
#define __lane_mask unsigned long long
#define __all_lanes 0xffffffffffffffffull
#define __warp_lanes 64
#else
#define __lane_mask unsigned
#define __all_lanes 0xffffffffu
#define __warp_lanes 32
#endif

namespace __collective {

// Where values would be, if there were some.
struct __none {};

// The shared memory of a collective that is given none.
template <typename __s, int __use = 0> __device__ __s& __own() {
  __shared__ __s __kept;
  return __kept;
}

__expand int __rank() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }

// The values from one on, together.
template <typename __t, typename __f> __device__ __t __fold(const __t* __data, int __count, __f __op) {
  __t __made = __data[0];
  for (int __i = 1; __i < __count; __i++) __made = __op(__made, __data[__i]);
  return __made;
}
template <typename __t, typename __f> __device__ __t __fold_from(__t __made, const __t* __data, int __count, __f __op) {
  for (int __i = 0; __i < __count; __i++) __made = __op(__made, __data[__i]);
  return __made;
}
template <typename __t, int __n, typename __f>
__device__ void __scan(bool __is_inclusive, bool __has_start, __t __made, __t (&__in)[__n], __t (&__out)[__n], __f __op) {
  for (int __i = 0; __i < __n; __i++) {
    __t __value = __in[__i];
    if (!__is_inclusive && __has_start) __out[__i] = __made;
    __made = __has_start ? __op(__made, __value) : __value;
    __has_start = true;
    if (__is_inclusive) __out[__i] = __made;
  }
}
template <typename __t, int __n, typename __p>
__device__ void __load(__p __from, __t (&__items)[__n], int __first, int __step, int __valid) {
  for (int __i = 0; __i < __n; __i++)
    if (__first + __i * __step < __valid) __items[__i] = __from[__first + __i * __step];
}
template <typename __t, int __n, typename __p>
__device__ void __store(__p __to, __t (&__items)[__n], int __first, int __step, int __valid) {
  for (int __i = 0; __i < __n; __i++)
    if (__first + __i * __step < __valid) __to[__first + __i * __step] = __items[__i];
}
template <typename __t, int __n> __device__ void __fill(__t (&__items)[__n], __t __value) {
  for (int __i = 0; __i < __n; __i++) __items[__i] = __value;
}
template <typename __t, int __n> __device__ void __fill_from(__t (&__items)[__n], __t __value, int __first) {
  for (int __i = 0; __i < __n; __i++)
    if (__i >= __first) __items[__i] = __value;
}
template <typename __t, int __n, typename __r>
__device__ void __scatter(__t* __to, const __t (&__items)[__n], const __r (&__ranks)[__n]) {
  for (int __i = 0; __i < __n; __i++) __to[__ranks[__i]] = __items[__i];
}
template <typename __t, int __n, typename __r>
__device__ void __scatter_guarded(__t* __to, const __t (&__items)[__n], const __r (&__ranks)[__n]) {
  for (int __i = 0; __i < __n; __i++)
    if (__ranks[__i] >= 0) __to[__ranks[__i]] = __items[__i];
}
template <typename __t, int __n, typename __r, typename __f>
__device__ void __scatter_flagged(__t* __to, const __t (&__items)[__n], const __r (&__ranks)[__n], const __f (&__is)[__n]) {
  for (int __i = 0; __i < __n; __i++)
    if (__is[__i]) __to[__ranks[__i]] = __items[__i];
}
template <typename __t, int __n, typename __u, typename __r>
__device__ void __gather(const __t* __from, __u (&__items)[__n], const __r (&__ranks)[__n]) {
  for (int __i = 0; __i < __n; __i++) __items[__i] = __from[__ranks[__i]];
}

// Equal keys stay in order.
template <typename __k, typename __v, typename __f>
__device__ void __sort(__k* __keys, __v* __values, int __count, __f __is_before) {
  for (int __i = 1; __i < __count; __i++) {
    __k __key = __keys[__i];
    __v __value = __values[__i];
    int __at = __i;
    while (__at > 0 && __is_before(__key, __keys[__at - 1])) {
      __keys[__at] = __keys[__at - 1];
      __values[__at] = __values[__at - 1];
      __at--;
    }
    __keys[__at] = __key;
    __values[__at] = __value;
  }
}
template <typename __k, typename __f> __device__ void __sort(__k* __keys, int __count, __f __is_before) {
  for (int __i = 1; __i < __count; __i++) {
    __k __key = __keys[__i];
    int __at = __i;
    while (__at > 0 && __is_before(__key, __keys[__at - 1])) {
      __keys[__at] = __keys[__at - 1];
      __at--;
    }
    __keys[__at] = __key;
  }
}

// A key as a number whose order is that of the keys.
template <typename __k> __expand unsigned long long __bits(const __k& __key) { return __key; }
__expand unsigned long long __bits(const signed char& __key) { return (unsigned char)(__key ^ 0x80); }
__expand unsigned long long __bits(const short& __key) { return (unsigned short)(__key ^ 0x8000); }
__expand unsigned long long __bits(const int& __key) { return (unsigned)__key ^ 0x80000000u; }
__expand unsigned long long __bits(const long& __key) { return __key ^ 0x8000000000000000ull; }
__expand unsigned long long __bits(const long long& __key) { return __key ^ 0x8000000000000000ull; }
__expand unsigned long long __bits(const char& __key) { return (unsigned char)(__key ^ 0x80); }
__expand unsigned long long __bits(const float& __key) {
  unsigned __word = __float_as_uint(__key);
  return __word ^ (__word >> 31 ? 0xffffffffu : 0x80000000u);
}
__expand unsigned long long __bits(const double& __key) {
  unsigned long long __word = __double_as_longlong(__key);
  return __word ^ (__word >> 63 ? 0xffffffffffffffffull : 0x8000000000000000ull);
}
// The order of radix sorts, which look at some of the bits.
template <typename __k> struct __radix_order {
  bool __is_descending;
  int __begin, __end;
  __device__ unsigned long long __digits(const __k& __key) const {
    return __bits(__key) << (64 - __end) >> (64 - __end) >> __begin;
  }
  __device__ bool operator()(const __k& __a, const __k& __b) const {
    if (__end - __begin >= 8 * sizeof(__k)) return __is_descending ? __b < __a : __a < __b;
    return __is_descending ? __digits(__b) < __digits(__a) : __digits(__a) < __digits(__b);
  }
};

template <typename __g, typename __t, int __n, typename __f>
__device__ void __flag_heads(__g (&__flags)[__n], const __t (&__in)[__n], __f __op, bool __is_first, const __t& __before) {
  for (int __i = 0; __i < __n; __i++) {
    if (__i > 0) __flags[__i] = __op(__in[__i - 1], __in[__i]);
    else __flags[0] = __is_first ? __g(1) : __g(__op(__before, __in[0]));
  }
}
template <typename __g, typename __t, int __n, typename __f>
__device__ void __flag_tails(__g (&__flags)[__n], const __t (&__in)[__n], __f __op, bool __is_last, const __t& __after) {
  for (int __i = 0; __i < __n; __i++) {
    if (__i < __n - 1) __flags[__i] = __op(__in[__i], __in[__i + 1]);
    else __flags[__i] = __is_last ? __g(1) : __g(__op(__in[__i], __after));
  }
}
// Those that are left out stay what they are.
template <typename __t, typename __u, int __n, typename __f>
__device__ void __differ_left(const __t (&__in)[__n], __u (&__out)[__n], __f __op, bool __is_first, __t __before, int __valid) {
  for (int __i = 0; __i < __n; __i++) {
    __t __value = __in[__i];
    if (__i < __valid && (__i > 0 || !__is_first)) __out[__i] = __op(__value, __before);
    else __out[__i] = __value;
    __before = __value;
  }
}
template <typename __t, typename __u, int __n, typename __f>
__device__ void __differ_right(const __t (&__in)[__n], __u (&__out)[__n], __f __op, bool __is_last, __t __after, int __valid) {
  for (int __i = __n - 1; __i >= 0; __i--) {
    __t __value = __in[__i];
    if (__i + 1 < __valid && (__i + 1 < __n || !__is_last)) __out[__i] = __op(__value, __after);
    else __out[__i] = __value;
    __after = __value;
  }
}
template <typename __t, int __n> __device__ void __shift_up(const __t (&__in)[__n], __t (&__out)[__n]) {
  for (int __i = __n - 1; __i > 0; __i--) __out[__i] = __in[__i - 1];
}
template <typename __t, int __n> __device__ void __shift_down(const __t (&__in)[__n], __t (&__out)[__n]) {
  for (int __i = 0; __i < __n - 1; __i++) __out[__i] = __in[__i + 1];
}

template <typename __c> __device__ void __clear(__c* __counts, int __bins, int __threads) {
  for (int __i = __rank(); __i < __bins; __i += __threads) __counts[__i] = 0;
}
template <typename __t, int __n, typename __c> __device__ void __count_each(const __t (&__items)[__n], __c* __counts) {
  for (int __i = 0; __i < __n; __i++) atomicAdd(__counts + __items[__i], __c(1));
}
template <typename __t, typename __c>
__device__ void __count_all(const __t* __data, int __count, __c* __counts, int __bins, int __threads) {
  for (int __i = __rank(); __i < __bins; __i += __threads)
    for (int __j = 0; __j < __count; __j++)
      if (int(__data[__j]) == __i) __counts[__i] = __counts[__i] + 1;
}

template <typename __l, int __n, typename __r>
__device__ __r __begins_of(const __l (&__lengths)[__n], __r (&__begins)[__n], __r __at) {
  for (int __i = 0; __i < __n; __i++) {
    __begins[__i] = __at;
    __at += __lengths[__i];
  }
  return __at;
}
template <typename __r> __device__ __r __sum_of(const __r* __data, int __count) {
  __r __sum = 0;
  for (int __i = 0; __i < __count; __i++) __sum += __data[__i];
  return __sum;
}
// The run that an item is of is the last one that begins before it.
template <typename __r> __device__ int __run_of(const __r* __begins, int __runs, __r __at) {
  int __found = 0;
  for (int __i = 1; __i < __runs; __i++)
    if (__begins[__i] <= __at) __found = __i;
  return __found;
}
template <typename __t, typename __r, int __n, typename __o>
__device__ void __decode(const __t* __values, const __r* __begins, int __runs, __t (&__items)[__n], __o (&__within)[__n],
    __r __first) {
  for (int __i = 0; __i < __n; __i++) {
    int __run = __run_of(__begins, __runs, __r(__first + __i));
    __items[__i] = __values[__run];
    __within[__i] = __first + __i - __begins[__run];
  }
}
template <typename __t, typename __r, int __n>
__device__ void __decode(const __t* __values, const __r* __begins, int __runs, __t (&__items)[__n], __r __first) {
  for (int __i = 0; __i < __n; __i++) __items[__i] = __values[__run_of(__begins, __runs, __r(__first + __i))];
}

// All threads see what each of them has.
template <typename __t> __expand void __put(__t* __data, const __t& __v) {
  __data[__rank()] = __v;
  __syncthreads();
}
template <typename __t, typename __f> __expand void __reduce(__t* __data, const __t& __v, __t& __out, int __valid, __f __op) {
  __put(__data, __v);
  if (__rank() == 0) __out = __fold(__data, __valid, __op);
}
template <typename __t, typename __f> __expand void __inclusive(__t* __data, const __t& __in, __t& __out, __f __op) {
  __put(__data, __in);
  __out = __fold(__data, __rank() + 1, __op);
}
template <typename __t, typename __f>
__expand void __exclusive(__t* __data, const __t& __in, __t& __out, const __t& __start, __f __op) {
  __put(__data, __in);
  __out = __fold_from(__start, __data, __rank(), __op);
}
template <typename __t, typename __f> __expand void __exclusive(__t* __data, const __t& __in, __t& __out, __f __op) {
  __put(__data, __in);
  if (__rank() > 0) __out = __fold(__data, __rank(), __op);
}
template <typename __t, int __n, typename __f>
__expand void __inclusive_of(__t* __data, __t (&__in)[__n], __t (&__out)[__n], __f __op) {
  __put(__data, __fold(__in, __n, __op));
  int __at = __rank();
  __t __start = __at > 0 ? __fold(__data, __at, __op) : __in[0];
  __scan(true, __at > 0, __start, __in, __out, __op);
}
template <typename __t, int __n, typename __f>
__expand void __exclusive_of(__t* __data, __t (&__in)[__n], __t (&__out)[__n], __t __start, __f __op) {
  __put(__data, __fold(__in, __n, __op));
  __start = __fold_from(__start, __data, __rank(), __op);
  __scan(false, true, __start, __in, __out, __op);
}
template <typename __t, int __n, typename __f>
__expand void __exclusive_of(__t* __data, __t (&__in)[__n], __t (&__out)[__n], __f __op) {
  __put(__data, __fold(__in, __n, __op));
  int __at = __rank();
  __t __start = __at > 0 ? __fold(__data, __at, __op) : __in[0];
  __scan(false, __at > 0, __start, __in, __out, __op);
}
// What the first warp says that comes before the block, in all threads.
template <typename __t, typename __f> __expand __t __prefix(__t& __kept, const __t& __sum, __f& __prefix_of) {
  if (__rank() < __warp_lanes) {
    __t __made = __prefix_of(__sum);
    if (__rank() == 0) __kept = __made;
  }
  __syncthreads();
  return __kept;
}

// Items go to where they are in a block, and others come from there.
template <typename __t, int __n, typename __u>
__expand void __exchange(__t* __data, const __t (&__in)[__n], __u (&__out)[__n], int __to, int __to_step, int __from,
                         int __from_step, int __all) {
  __store(__data, __in, __to, __to_step, __all);
  __syncthreads();
  __load(__data, __out, __from, __from_step, __all);
}
// Where the first item of a thread is where those of a warp lie side by side, and how many threads the warp has.
__expand int __in_warps(int __at, int __n) { return __at / __warp_lanes * __warp_lanes * __n + __at % __warp_lanes; }
__expand int __warp_width(int __threads) {
  int __first = __rank() / __warp_lanes * __warp_lanes;
  return __threads - __first < __warp_lanes ? __threads - __first : __warp_lanes;
}

// The first and the last item of each thread, for its neighbours.
template <typename __t, int __threads> struct __ends {
  __t __firsts[__threads];
  __t __lasts[__threads];
  template <int __n> __expand void __put(const __t (&__in)[__n]) {
    __firsts[__rank()] = __in[0];
    __lasts[__rank()] = __in[__n - 1];
    __syncthreads();
  }
  template <int __n, typename __g, typename __f>
  __expand void __heads(__g (&__flags)[__n], const __t (&__in)[__n], __f __op, bool __has_before, __t __before) {
    int __at = __rank();
    if (__at > 0) __before = __lasts[__at - 1];
    __flag_heads(__flags, __in, __op, __at == 0 && !__has_before, __before);
  }
  template <int __n, typename __g, typename __f>
  __expand void __tails(__g (&__flags)[__n], const __t (&__in)[__n], __f __op, bool __has_after, __t __after) {
    int __at = __rank();
    bool __is_last = __at == __threads - 1;
    if (!__is_last) __after = __firsts[__at + 1];
    __flag_tails(__flags, __in, __op, __is_last && !__has_after, __after);
  }
  template <int __n, typename __u, typename __f>
  __expand void __left(const __t (&__in)[__n], __u (&__out)[__n], __f __op, bool __has_before, __t __before, int __valid) {
    int __at = __rank();
    if (__at > 0) __before = __lasts[__at - 1];
    __differ_left(__in, __out, __op, __at == 0 && !__has_before, __before, __valid - __at * __n);
  }
  template <int __n, typename __u, typename __f>
  __expand void __right(const __t (&__in)[__n], __u (&__out)[__n], __f __op, bool __has_after, __t __after, int __valid) {
    int __at = __rank();
    bool __is_last = __at == __threads - 1;
    if (!__is_last) __after = __firsts[__at + 1];
    __differ_right(__in, __out, __op, __is_last && !__has_after, __after, __valid - __at * __n);
  }
  template <int __n> __expand void __up(const __t (&__in)[__n], __t (&__out)[__n]) {
    int __at = __rank();
    __shift_up(__in, __out);
    if (__at > 0) __out[0] = __lasts[__at - 1];
  }
  template <int __n> __expand void __down(const __t (&__in)[__n], __t (&__out)[__n]) {
    int __at = __rank();
    __shift_down(__in, __out);
    if (__at < __threads - 1) __out[__n - 1] = __firsts[__at + 1];
  }
  __expand void __offset(const __t& __in, __t& __out, int __by) {
    __firsts[__rank()] = __in;
    __syncthreads();
    int __from = __rank() + __by;
    if (__from >= 0 && __from < __threads) __out = __firsts[__from];
  }
  __expand void __rotate(const __t& __in, __t& __out, int __by) {
    __firsts[__rank()] = __in;
    __syncthreads();
    __out = __firsts[(__rank() + __by) % __threads];
  }
};

template <bool __is_sorted, typename __t, int __n, typename __c>
__expand void __count(__t* __data, const __t (&__items)[__n], __c* __counts, int __bins, int __threads) {
  if (__is_sorted) {
    __store(__data, __items, __rank() * __n, 1, __threads * __n);
    __syncthreads();
    __count_all(__data, __threads * __n, __counts, __bins, __threads);
  } else {
    __count_each(__items, __counts);
  }
}

// Runs of values, each with where it begins.
template <typename __t, typename __r, int __threads, int __runs> struct __runs_of {
  __t __values[__threads * __runs];
  __r __begins[__threads * __runs];
  __r __sums[__threads];
  template <typename __o> __expand void __put(const __t (&__some)[__runs], const __o (&__where)[__runs]) {
    __store(__values, __some, __rank() * __runs, 1, __threads * __runs);
    __store(__begins, __where, __rank() * __runs, 1, __threads * __runs);
    __syncthreads();
  }
  template <typename __l> __expand __r __put_lengths(const __t (&__some)[__runs], const __l (&__lengths)[__runs]) {
    __r __where[__runs];
    __r __sum = __begins_of(__lengths, __where, __r(0));
    __sums[__rank()] = __sum;
    __syncthreads();
    __begins_of(__lengths, __where, __sum_of(__sums, __rank()));
    __put(__some, __where);
    return __sum_of(__sums, __threads);
  }
  template <int __n, typename __o> __expand void __get(__t (&__items)[__n], __o (&__within)[__n], __r __first) {
    __decode(__values, __begins, __threads * __runs, __items, __within, __r(__first + __rank() * __n));
  }
  template <int __n> __expand void __get(__t (&__items)[__n], __r __first) {
    __decode(__values, __begins, __threads * __runs, __items, __r(__first + __rank() * __n));
  }
};

template <typename __k, int __n, typename __f>
__expand void __sort_block(__k* __kept, __k (&__keys)[__n], int __threads, int __valid, bool __is_striped, __f __is_before) {
  int __at = __rank(), __all = __threads * __n;
  __store(__kept, __keys, __at * __n, 1, __all);
  __syncthreads();
  if (__at == 0) __sort(__kept, __valid, __is_before);
  __syncthreads();
  __load(__kept, __keys, __is_striped ? __at : __at * __n, __is_striped ? __threads : 1, __all);
}
template <typename __k, typename __v, int __n, typename __f>
__expand void __sort_block(__k* __kept, __v* __kept_values, __k (&__keys)[__n], __v (&__values)[__n], int __threads, int __valid,
                           bool __is_striped, __f __is_before) {
  int __at = __rank(), __all = __threads * __n;
  __store(__kept, __keys, __at * __n, 1, __all);
  __store(__kept_values, __values, __at * __n, 1, __all);
  __syncthreads();
  if (__at == 0) __sort(__kept, __kept_values, __valid, __is_before);
  __syncthreads();
  __load(__kept, __keys, __is_striped ? __at : __at * __n, __is_striped ? __threads : 1, __all);
  __load(__kept_values, __values, __is_striped ? __at : __at * __n, __is_striped ? __threads : 1, __all);
}

// Where each digit is in a block that is sorted by digits: how many there are before it in other threads, and of smaller ones.
struct __digit_of {
  unsigned __begin, __width;
  template <typename __k> __device__ unsigned operator()(const __k& __key) const {
    return __bits(__key) >> __begin & (1ull << __width) - 1;
  }
};
template <int __threads, int __radix> struct __digits {
  unsigned short __before[__radix][__threads];
  unsigned __all[__radix];
  template <typename __k, int __n, typename __f>
  __device__ void __count(const __k (&__keys)[__n], unsigned (&__ranks)[__n], __f __digit, int __at) {
    for (int __i = 0; __i < __radix; __i++) __before[__i][__at] = 0;
    for (int __i = 0; __i < __n; __i++) {
      __ranks[__i] = __before[__digit(__keys[__i])][__at];
      __before[__digit(__keys[__i])][__at] = __ranks[__i] + 1;
    }
  }
  __device__ void __add(int __at) {
    for (int __i = __at; __i < __radix; __i += __threads) {
      unsigned __sum = 0;
      for (int __j = 0; __j < __threads; __j++) {
        unsigned __count = __before[__i][__j];
        __before[__i][__j] = __sum;
        __sum += __count;
      }
      __all[__i] = __sum;
    }
  }
  __device__ unsigned __first(unsigned __digit, bool __is_descending) const {
    unsigned __sum = 0;
    for (unsigned __i = 0; __i < __radix; __i++)
      if (__is_descending ? __i > __digit : __i < __digit) __sum += __all[__i];
    return __sum;
  }
  template <typename __k, int __n, typename __f>
  __device__ void __finish(const __k (&__keys)[__n], unsigned (&__ranks)[__n], __f __digit, bool __is_descending, int __at) {
    for (int __i = 0; __i < __n; __i++)
      __ranks[__i] += __before[__digit(__keys[__i])][__at] + __first(__digit(__keys[__i]), __is_descending);
  }
  template <typename __k, int __n, typename __f>
  __expand void __rank(const __k (&__keys)[__n], unsigned (&__ranks)[__n], __f __digit, bool __is_descending) {
    int __at = __collective::__rank();
    __count(__keys, __ranks, __digit, __at);
    __syncthreads();
    __add(__at);
    __syncthreads();
    __finish(__keys, __ranks, __digit, __is_descending, __at);
  }
  template <int __n> __device__ void __sums(unsigned (&__starts)[__n], unsigned (&__counts)[__n], bool __is_descending) const {
    for (int __i = 0; __i < __n; __i++) {
      unsigned __digit = __collective::__rank() * __n + __i;
      if (__is_descending) __digit = __radix - 1 - __digit;
      if (__digit < __radix) {
        __starts[__i] = __first(__digit, __is_descending);
        __counts[__i] = __all[__digit];
      }
    }
  }
};

// The threads of a warp, or as many neighbours as a part of it has.
template <int __n> struct __lanes {
  __expand static __lane_mask __mask() {
    return __n == __warp_lanes ? __all_lanes : (((__lane_mask)1 << __n % __warp_lanes) - 1) << (__lane_id() / __n * __n);
  }
  __expand static int __at() { return __n == __warp_lanes ? __lane_id() : __lane_id() % __n; }
};

template <int __n, typename __t, typename __f> __expand __t __reduce_lanes(__t __v, __f __op, int __valid) {
  int __at = __lanes<__n>::__at();
  __t __u;
  __u = __shfl_down_sync(__lanes<__n>::__mask(), __v, 1);
  if (__at + 1 < __valid) __v = __op(__v, __u);
  __u = __shfl_down_sync(__lanes<__n>::__mask(), __v, 2);
  if (__at + 2 < __valid) __v = __op(__v, __u);
  __u = __shfl_down_sync(__lanes<__n>::__mask(), __v, 4);
  if (__at + 4 < __valid) __v = __op(__v, __u);
  __u = __shfl_down_sync(__lanes<__n>::__mask(), __v, 8);
  if (__at + 8 < __valid) __v = __op(__v, __u);
  __u = __shfl_down_sync(__lanes<__n>::__mask(), __v, 16);
  if (__at + 16 < __valid) __v = __op(__v, __u);
  if (__n > 32) {
    __u = __shfl_down_sync(__lanes<__n>::__mask(), __v, 32);
    if (__at + 32 < __valid) __v = __op(__v, __u);
  }
  return __v;
}
template <int __n, typename __t, typename __f> __expand __t __scan_lanes(__t __v, __f __op) {
  int __at = __lanes<__n>::__at();
  __t __u;
  __u = __shfl_up_sync(__lanes<__n>::__mask(), __v, 1);
  if (__at >= 1) __v = __op(__u, __v);
  __u = __shfl_up_sync(__lanes<__n>::__mask(), __v, 2);
  if (__at >= 2) __v = __op(__u, __v);
  __u = __shfl_up_sync(__lanes<__n>::__mask(), __v, 4);
  if (__at >= 4) __v = __op(__u, __v);
  __u = __shfl_up_sync(__lanes<__n>::__mask(), __v, 8);
  if (__at >= 8) __v = __op(__u, __v);
  __u = __shfl_up_sync(__lanes<__n>::__mask(), __v, 16);
  if (__at >= 16) __v = __op(__u, __v);
  if (__n > 32) {
    __u = __shfl_up_sync(__lanes<__n>::__mask(), __v, 32);
    if (__at >= 32) __v = __op(__u, __v);
  }
  return __v;
}
// Where the part of a warp ends that a thread is in; a flag says of its first thread, or of its last one, that it is.
__expand int __end_before(__lane_mask __flags, int __at, int __n, bool __is_head) {
  __lane_mask __ahead = __is_head ? __flags >> __at >> 1 : __flags >> __at;
  int __more = __ffsll(__ahead);
  return __more == 0 || __at + __more > __n ? __n : __at + __more;
}
template <int __n, typename __g> __expand int __end_of_segment(__g __flag, bool __is_head) {
  __lane_mask __flags = __ballot_sync(__lanes<__n>::__mask(), __flag) >> (__lane_id() - __lanes<__n>::__at());
  return __end_before(__flags, __lanes<__n>::__at(), __n, __is_head);
}
template <int __n, typename __t> __expand __t __value_before(__t __v) {
  return __shfl_up_sync(__lanes<__n>::__mask(), __v, 1);
}
template <int __n, typename __t> __expand __t __value_of(__t __v, unsigned __from) {
  return __shfl_sync(__lanes<__n>::__mask(), __v, __lane_id() - __lanes<__n>::__at() + __from);
}
template <int __w, typename __t, int __n, typename __u>
__expand void __exchange_lanes(__t* __data, const __t (&__in)[__n], __u (&__out)[__n], bool __is_striped) {
  int __at = __lanes<__w>::__at();
  __store(__data, __in, __is_striped ? __at : __at * __n, __is_striped ? __w : 1, __w * __n);
  __syncwarp(__lanes<__w>::__mask());
  __load(__data, __out, __is_striped ? __at * __n : __at, __is_striped ? 1 : __w, __w * __n);
}
template <int __w, typename __t, int __n, typename __u, typename __r>
__expand void __scatter_lanes(__t* __data, const __t (&__in)[__n], __u (&__out)[__n], const __r (&__ranks)[__n]) {
  __scatter(__data, __in, __ranks);
  __syncwarp(__lanes<__w>::__mask());
  __load(__data, __out, __lanes<__w>::__at(), __w, __w * __n);
}
template <int __w, typename __k, int __n, typename __f>
__expand void __sort_lanes(__k* __kept, __k (&__keys)[__n], int __valid, __f __is_before) {
  int __at = __lanes<__w>::__at();
  __store(__kept, __keys, __at * __n, 1, __w * __n);
  __syncwarp(__lanes<__w>::__mask());
  if (__at == 0) __sort(__kept, __valid, __is_before);
  __syncwarp(__lanes<__w>::__mask());
  __load(__kept, __keys, __at * __n, 1, __w * __n);
}
template <int __w, typename __k, typename __v, int __n, typename __f>
__expand void __sort_lanes(__k* __kept, __v* __kept_values, __k (&__keys)[__n], __v (&__values)[__n], int __valid,
    __f __is_before) {
  int __at = __lanes<__w>::__at();
  __store(__kept, __keys, __at * __n, 1, __w * __n);
  __store(__kept_values, __values, __at * __n, 1, __w * __n);
  __syncwarp(__lanes<__w>::__mask());
  if (__at == 0) __sort(__kept, __kept_values, __valid, __is_before);
  __syncwarp(__lanes<__w>::__mask());
  __load(__kept, __keys, __at * __n, 1, __w * __n);
  __load(__kept_values, __values, __at * __n, 1, __w * __n);
}

}  // namespace __collective
