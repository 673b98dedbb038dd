// C++17, as far as kernels use it.

#define __cplusplus 201703L
#define __cpp_aggregate_nsdmi 201304L
#define __cpp_alias_templates 200704L
#define __cpp_attributes 200809L
#define __cpp_binary_literals 201304L
#define __cpp_constexpr 201603L
#define __cpp_decltype 200707L
#define __cpp_digit_separators 201309L
#define __cpp_enumerator_attributes 201411L
#define __cpp_hex_float 201603L
#define __cpp_if_constexpr 201606L
#define __cpp_namespace_attributes 201411L
#define __cpp_nested_namespace_definitions 201411L
#define __cpp_static_assert 202306L
#define __cpp_unicode_literals 200710L
#define __cpp_variable_templates 201304L
