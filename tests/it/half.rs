//! Numbers of 16 bits in CUDA and HIP: what conversions, operators and functions compute, checked against IEEE 754 by bits.

use crate::common::reconverge;

/// What a kernel writes to `out`, an array of integers.
fn written(language: &str, text: &str, count: usize) -> String {
    let out = format!("out=i32[{count}]");
    let run = reconverge(&["run", "-", "--input-format", language, "--block", "1", "--arg", &out], text.as_bytes());
    assert_eq!(run.status, 0, "{}{}", run.stderr, run.stdout);
    run.stdout.lines().find(|line| line.starts_with("out")).expect("the buffer").to_owned()
}

#[test]
fn conversions_round_as_their_names_say() {
    // 0.1 lies between the halves 0x2e66 and 0x2e67 and is nearer to the first; 65520 and more become infinity, or the greatest half.
    let text = "#include <cuda_fp16.h>
        __global__ void k(int *out) { volatile float x = 0.1f, y = -0.1f, z = 70000.0f;
          out[0] = __half_as_ushort(__float2half(x)); out[1] = __half_as_ushort(__float2half_rz(x)); out[2] = __half_as_ushort(__float2half_ru(x));
          out[3] = __half_as_ushort(__float2half_rd(x)); out[4] = __half_as_ushort(__float2half_rz(y)) - 0x8000; out[5] = __half_as_ushort(__float2half_ru(y)) - 0x8000;
          out[6] = __half_as_ushort(__float2half_rd(y)) - 0x8000; out[7] = __half_as_ushort(__float2half_rn(z)); out[8] = __half_as_ushort(__float2half_rz(z));
          out[9] = __half2int_rz(__float2half(-2.75f)); out[10] = __half2int_rn(__float2half(2.5f)); out[11] = __half2int_ru(__float2half(2.25f));
          out[12] = (int)__half2float(__int2half_rn(2049)); }";
    let expected = "out = i32[13]{11878, 11878, 11879, 11878, 11878, 11878, 11879, 31744, 31743, -2, 2, 3, 2048}";
    assert_eq!(written("cuda", text, 13), expected);
}

#[test]
fn operations_on_halves_round_once() {
    let text = "#include <cuda_fp16.h>
        __global__ void k(int *out) { half a = __float2half(2048.0f), b = __float2half(1.0f), nan = __ushort_as_half(0x7e00);
          out[0] = (int)__half2float(__hadd(a, b)); out[1] = (int)__half2float(a + b + b); out[2] = (int)__half2float(__hfma(a, __float2half(0.5f), b));
          out[3] = __hgt(a, b); out[4] = __hlt(nan, b) + 2 * __hltu(nan, b) + 4 * __hne(nan, nan) + 8 * __hneu(nan, nan) + 16 * __hisnan(nan);
          out[5] = (int)__half2float(hsqrt(__float2half(144.0f))); out[6] = (int)__half2float(__habs(__hneg(a))); out[7] = (int)__half2float(__hmax(a, nan)); }";
    assert_eq!(written("cuda", text, 8), "out = i32[8]{2048, 2048, 1025, 1, 26, 12, 2048, 2048}");
}

#[test]
fn two_at_a_time() {
    let text = "#include <cuda_fp16.h>
        __global__ void k(int *out) { half2 v = __floats2half2_rn(1.0f, 2.0f), w = make_half2(__float2half(3.0f), __float2half(4.0f)), z = __float2half2_rn(0.5f);
          half2 r = __hfma2(v, w, z); float2 f = __half22float2(r); out[0] = (int)(f.x * 10.0f); out[1] = (int)(f.y * 10.0f);
          r = v * w + v; r += w; out[2] = (int)__low2float(r); out[3] = (int)__high2float(r);
          r = -__lowhigh2highlow(v); out[4] = (int)__low2float(r) * 10 + (int)__high2float(r);
          out[5] = __hbgt2(w, v) + 2 * __hbeq2(v, v) + 4 * __hblt2(w, v); out[6] = (int)__low2float(__heq2(v, __low2half2(v))) + 2 * (int)__high2float(__heq2(v, __low2half2(v)));
          out[7] = v == v; out[8] = v != v;
          // As CUDA defines them, comparisons are true where both components are.
          out[9] = v != __low2half2(v); out[10] = (v < w) + 2 * (v >= w); }";
    assert_eq!(written("cuda", text, 11), "out = i32[11]{35, 85, 7, 14, -21, 3, 1, 1, 0, 0, 1}");
}

#[test]
fn bfloats_keep_the_range_of_floats() {
    // 3.14159 is 0x4049 as a bfloat; 1 + 1/256 lies in the middle of two and becomes the even one, 1.
    let text = "#include <cuda_bf16.h>
        __global__ void k(int *out) { volatile float x = 3.14159f, y = 1.00390625f, z = 1e38f; __nv_bfloat16 b = __float2bfloat16(x);
          out[0] = __bfloat16_as_ushort(b); out[1] = __bfloat16_as_ushort(__float2bfloat16_rn(y)); out[2] = __bfloat16_as_ushort(__float2bfloat16_ru(y));
          out[3] = __bfloat162float(__float2bfloat16(z)) > 9e37f; __nv_bfloat162 v = __float22bfloat162_rn(make_float2(2.0f, 3.0f)); v = __hmul2(v, v);
          float2 f = __bfloat1622float2(v); out[4] = (int)f.x * 10 + (int)f.y; out[5] = (int)__bfloat162float(__low2bfloat16(v + v)); }";
    assert_eq!(written("cuda", text, 6), "out = i32[6]{16457, 16256, 16257, 1, 49, 8}");
}

#[test]
fn vectors_of_hip_have_operators() {
    let text = "#include <hip/hip_runtime.h>
        __global__ void k(int *out) { float4 a = make_float4(1, 2, 3, 4), b = 2.0f * a; b += a; b = b - a * a; int2 i = make_int2(7, 9); i = i % 4; int n = 0;
          int2 list[2] = {i, i}; list[n++] += i; out[0] = (int)b.x; out[1] = (int)b.w; out[2] = i.x * 10 + i.y; out[3] = list[0].x * 100 + list[1].x * 10 + n; out[4] = (-a).z == -3.0f; out[5] = a == a; }";
    assert_eq!(written("hip", text, 6), "out = i32[6]{2, -4, 31, 631, 1, 1}");
}

/// CUDA has no operators for them; what a program defines is taken.
#[test]
fn a_program_defines_operators_and_overloads_beside_built_in_ones() {
    let text = "inline __device__ float3 operator*(float3 v, float s) { return make_float3(v.x * s, v.y * s, v.z * s + 1.0f); }
        inline __device__ float3 make_float3(float s) { return make_float3(s, s, s); }
        inline __device__ float4 expf(float4 v) { return make_float4(expf(v.x), 0, 0, 0); }
        struct pair { int a, b; };
        __device__ pair swapped(pair p) { return {p.b, p.a}; }
        __global__ void k(int *out) { float3 v = make_float3(2.0f) * 3.0f; pair p; p = {4, 5}; p = swapped(p); out[0] = (int)v.x; out[1] = (int)v.z; out[2] = (int)expf(make_float4(0, 0, 0, 0)).x;
          out[3] = p.a * 10 + p.b; float x = 3.0f; out[4] = (int)pow(x, 2) + (int)pow(2, 3u) + (sizeof(pow(x, x)) == 4) + (sizeof(pow(x, 2)) == 8); }";
    assert_eq!(written("cuda", text, 5), "out = i32[5]{6, 7, 1, 54, 19}");
}

/// Each of the 256 is itself again, but for NaNs; numbers between two go to the nearest one, those above all by what is asked for.
#[test]
fn floats_of_8_bits_are_those_of_cuda() {
    let text = "#include <cuda_fp8.h>\n#include <cuda_fp16.h>
        __global__ void k(unsigned *out, const float *in) {
          int i = threadIdx.x; __nv_fp8_e4m3 a; a.__x = i; __nv_fp8_e5m2 b; b.__x = i;
          if (i == 0x7e) out[0] = (float)a == 448.0f; if (i == 0x81) out[1] = (float)a == -0.001953125f; if (i == 0x7b) out[2] = (float)b == 57344.0f;
          if (i == 1) out[3] = (float)b == 1.52587890625e-5f; if (i == 0xfc) out[4] = (float)b < -3e38f;
          if (__nv_fp8_e4m3((float)a).__x != i && (i & 127) != 127) atomicAdd(&out[5], 1);
          if (__nv_fp8_e5m2((float)b).__x != i && (i & 127) < 0x7c) atomicAdd(&out[6], 1);
          __nv_fp8x4_e4m3 v(make_float4(1, -2, 0.5f, 448)); float4 w = (float4)v; if (i == 0) { out[7] = v.__x; out[8] = w.x + w.y + w.z + w.w; }
          half h = (half)__nv_fp8_e4m3(1.75f); if (i == 0) out[9] = (float)h == 1.75f;
          if (i < 6) out[10 + i] = __nv_cvt_float_to_fp8(in[i], __NV_SATFINITE, __NV_E4M3) | __nv_cvt_float_to_fp8(in[i], __NV_NOSAT, __NV_E5M2) << 8; }";
    let input = "in=f32[6]{17,19,0.0009,500,-1e9,3e-9}";
    let arguments = ["run", "-", "--input-format", "cuda", "--block", "256", "--arg", "out=u32[16]", "--arg", input];
    let run = reconverge(&arguments, text.as_bytes());
    assert_eq!(run.status, 0, "{}{}", run.stderr, run.stdout);
    let line = run.stdout.lines().find(|line| line.starts_with("out")).expect("the buffer");
    let (one, two, three) = (0x4c58, 0x4d5a, 0x1300);
    let (four, five) = (0x607e, 0xfcfe);
    assert_eq!(
        line,
        format!("out = u32[16]{{1, 1, 1, 1, 1, 0, 0, 2117124152, 447, 1, {one}, {two}, {three}, {four}, {five}, 0}}")
    );
}
