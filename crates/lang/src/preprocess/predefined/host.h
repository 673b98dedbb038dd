// C and C++, and what is built on them.

#define __LONG_LONG_MAX__ 9223372036854775807LL
#define __LLONG_WIDTH__ 64
#define __SIZEOF_LONG_LONG__ 8
#define __INTMAX_TYPE__ long int
#define __UINTMAX_TYPE__ long unsigned int
#define __INTMAX_MAX__ 9223372036854775807L
#define __UINTMAX_MAX__ 18446744073709551615UL
#define __INTMAX_WIDTH__ 64
#define __UINTMAX_WIDTH__ 64
#define __INTMAX_C(c) c##L
#define __UINTMAX_C(c) c##UL
#define __SIZEOF_INT128__ 16
