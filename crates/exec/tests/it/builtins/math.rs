//! Floating-point functions: the exact ones against exact references, the others against the host's C library, all against the
//! edge cases that OpenCL C demands (7.5.1).

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

use reconverge_exec::value::Scalar;
use reconverge_testing::rounds::{first_seed, times};

use crate::builtins::common::{Random, Scalars};

fn mangled(name: &str, letters: &str) -> String {
    format!("_Z{}{name}{letters}", name.len())
}

fn float(name: &str, operands: usize) -> Scalars {
    Scalars::new(&mangled(name, &"f".repeat(operands)), Scalar::Float, &vec![Scalar::Float; operands])
}

fn double(name: &str, operands: usize) -> Scalars {
    Scalars::new(&mangled(name, &"d".repeat(operands)), Scalar::Double, &vec![Scalar::Double; operands])
}

fn f32_of(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

/// Equal, where all NaNs are.
fn same(a: f32, b: f32) -> bool {
    a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()
}

/// Bits of numbers near 1, special ones, and any.
fn operand(random: &mut Random) -> u64 {
    const SPECIAL: [f32; 12] = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        -1.5,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::NAN,
        f32::MAX,
        f32::MIN_POSITIVE,
        1e-45,
    ];
    let any = random.next();
    u64::from(match any % 4 {
        0 => SPECIAL[(any >> 8) as usize % SPECIAL.len()].to_bits(),
        1 | 2 => ((any >> 40) as f32 / 65536.0 - 128.0).to_bits(),
        _ => (any >> 32) as u32,
    })
}

#[test]
fn exact_functions_of_float() {
    let seed = first_seed();
    let mut random = Random(seed);
    let inputs: Vec<[u64; 3]> = (0..times(20_000)).map(|_| std::array::from_fn(|_| operand(&mut random))).collect();
    type Unary = fn(f32) -> f32;
    let unary: [(&str, Unary); 8] = [
        ("sqrt", f32::sqrt),
        ("floor", f32::floor),
        ("ceil", f32::ceil),
        ("trunc", f32::trunc),
        ("round", f32::round),
        ("rint", f32::round_ties_even),
        ("fabs", f32::abs),
        ("native_recip", f32::recip),
    ];
    for (name, reference) in unary {
        float(name, 1).for_each(inputs.iter().map(|&[a, ..]| [a]), |[a], result| {
            assert!(
                same(f32_of(result), reference(f32_of(a))),
                "{name} {:?}: {:?}, seed {seed}",
                f32_of(a),
                f32_of(result)
            );
        });
    }
    type Binary = fn(f32, f32) -> f32;
    let binary: [(&str, Binary); 6] = [
        ("fmod", |a, b| a % b),
        ("copysign", f32::copysign),
        ("half_divide", |a, b| a / b),
        ("nextafter", |a, b| match a.partial_cmp(&b) {
            None => f32::NAN,
            Some(std::cmp::Ordering::Less) => a.next_up(),
            Some(std::cmp::Ordering::Equal) => b,
            Some(std::cmp::Ordering::Greater) => a.next_down(),
        }),
        ("max", |a, b| if a < b { b } else { a }),
        ("min", |a, b| if b < a { b } else { a }),
    ];
    for (name, reference) in binary {
        float(name, 2).for_each(inputs.iter().map(|&[a, b, _]| [a, b]), |[a, b], result| {
            let (a, b) = (f32_of(a), f32_of(b));
            assert!(same(f32_of(result), reference(a, b)), "{name} {a:?} {b:?}: {:?}, seed {seed}", f32_of(result));
        });
    }
    float("fma", 3).for_each(inputs.iter().copied(), |operands, result| {
        let [a, b, c] = operands.map(f32_of);
        assert!(same(f32_of(result), a.mul_add(b, c)), "fma {a:?} {b:?} {c:?}: {:?}, seed {seed}", f32_of(result));
    });
}

/// Every half is an integer multiple of 2⁻²⁴, so sums and products are exact in 128-bit integers.
#[test]
fn fma_of_half_is_rounded_once() {
    let seed = first_seed();
    let mut random = Random(seed);
    let fma = Scalars::new("_Z3fmaDhDhDh", Scalar::Half, &[Scalar::Half; 3]);
    // Finite numbers of which the product and the summand often overlap.
    let inputs =
        (0..times(50_000)).map(|_| std::array::from_fn(|_| (random.next() % 0x7bff) | ((random.next() % 2) << 15)));
    let units = |bits: u64| {
        let (field, fraction) = ((bits >> 10 & 31) as i128, (bits & 0x3ff) as i128);
        let magnitude = if field == 0 { fraction } else { (fraction | 0x400) << (field - 1) };
        if bits >> 15 == 1 { -magnitude } else { magnitude }
    };
    fma.for_each(inputs, |[a, b, c], result| {
        // In units of 2⁻⁴⁸.
        let exact = units(a) * units(b) + (units(c) << 24);
        let at = |bits: u64| if bits & 0x7fff == 0x7c00 { 1i128 << (16 + 48) } else { (units(bits) << 24).abs() };
        let magnitude = result & 0x7fff;
        let (doubled, even) = (2 * exact.abs(), magnitude % 2 == 0);
        let up = at(magnitude) + at((magnitude + 1).min(0x7c00));
        let down = if magnitude == 0 { -1 } else { at(magnitude) + at(magnitude - 1) };
        let right = (doubled < up || doubled == up && even || magnitude == 0x7c00)
            && (doubled > down || doubled == down && even);
        let sign = exact == 0 || (exact < 0) == (result >> 15 == 1);
        assert!(right && sign, "fma {a:x} {b:x} {c:x}: {result:x}, seed {seed}");
    });
}

/// Name, reference, and the interval of operands.
type Reference = (&'static str, fn(f64) -> f64, f64, f64);

const UNARY: [Reference; 38] = [
    ("acos", f64::acos, -1.0, 1.0),
    ("acosh", f64::acosh, 1.0, 1e4),
    ("acospi", |x| x.acos() / PI, -1.0, 1.0),
    ("asin", f64::asin, -1.0, 1.0),
    ("asinh", f64::asinh, -1e4, 1e4),
    ("asinpi", |x| x.asin() / PI, -1.0, 1.0),
    ("atan", f64::atan, -50.0, 50.0),
    ("atanh", f64::atanh, -0.99, 0.99),
    ("atanpi", |x| x.atan() / PI, -50.0, 50.0),
    ("cbrt", f64::cbrt, -1e6, 1e6),
    ("cos", f64::cos, -100.0, 100.0),
    ("cosh", f64::cosh, -20.0, 20.0),
    ("cospi", |x| (x * PI).cos(), -0.4, 0.4),
    ("exp", f64::exp, -20.0, 20.0),
    ("exp2", f64::exp2, -30.0, 30.0),
    ("exp10", |x| 10f64.powf(x), -10.0, 10.0),
    ("expm1", f64::exp_m1, -5.0, 5.0),
    ("half_cos", f64::cos, -100.0, 100.0),
    ("log", f64::ln, 1e-6, 1e6),
    ("log2", f64::log2, 1e-6, 1e6),
    ("log10", f64::log10, 1e-6, 1e6),
    ("log1p", f64::ln_1p, -0.9, 100.0),
    ("native_exp", f64::exp, -20.0, 20.0),
    ("native_rsqrt", |x| 1.0 / x.sqrt(), 1e-6, 1e6),
    ("rsqrt", |x| 1.0 / x.sqrt(), 1e-6, 1e6),
    ("sin", f64::sin, -100.0, 100.0),
    ("sinh", f64::sinh, -20.0, 20.0),
    ("sinpi", |x| (x * PI).sin(), -0.9, 0.9),
    ("tan", f64::tan, -1.5, 1.5),
    ("tanh", f64::tanh, -5.0, 5.0),
    ("tanpi", |x| (x * PI).tan(), -0.4, 0.4),
    ("degrees", f64::to_degrees, -10.0, 10.0),
    ("radians", f64::to_radians, -1000.0, 1000.0),
    ("tgamma", gamma, 1.0, 3.0),
    ("lgamma", |x| gamma(x).ln(), 2.5, 3.0),
    ("erf", erf, -2.0, 2.0),
    ("erfc", |x| 1.0 - erf(x), -2.0, 1.0),
    ("sign", f64::signum, -5.0, 5.0),
];

/// Γ by its integral at x + 6, where the integrand is smooth.
fn gamma(x: f64) -> f64 {
    let product: f64 = (0..6).map(|n| x + f64::from(n)).product();
    integral(0.0, 80.0, |t| t.powf(x + 5.0) * (-t).exp()) / product
}

fn erf(x: f64) -> f64 {
    2.0 / PI.sqrt() * integral(0.0, x, |t| (-t * t).exp())
}

fn integral(from: f64, to: f64, f: impl Fn(f64) -> f64) -> f64 {
    let steps = 4000;
    let width = (to - from) / f64::from(steps);
    let weight = |step| {
        if step == 0 || step == steps {
            1.0
        } else if step % 2 == 1 {
            4.0
        } else {
            2.0
        }
    };
    (0..=steps).map(|step| weight(step) * f(from + width * f64::from(step))).sum::<f64>() * width / 3.0
}

#[test]
fn functions_of_one_number() {
    let seed = first_seed();
    let mut random = Random(seed);
    for (name, reference, low, high) in UNARY {
        let integral = matches!(name, "tgamma" | "lgamma" | "erf" | "erfc");
        let count = if integral { 30 } else { times(2000) };
        let inputs: Vec<f64> = (0..count)
            .map(|_| f64::from((low + (high - low) * (random.next() >> 11) as f64 / (1u64 << 53) as f64) as f32))
            .collect();
        float(name, 1).for_each(inputs.iter().map(|&x| [u64::from((x as f32).to_bits())]), |[a], result| {
            let (x, result) = (f32_of(a), f32_of(result));
            let exact = reference(f64::from(x));
            // One place in the last bit at most, as double rounding is rare; integrals are less exact than the functions.
            let tolerance = if integral { 1e-5 } else { f64::from(f32::EPSILON) * 0.501 };
            let error = (f64::from(result) - exact).abs();
            assert!(error <= tolerance * exact.abs().max(1e-30), "{name} {x:?}: {result:?}, not {exact}, seed {seed}");
        });
        let close = if integral { 1e-6 } else { 1e-13 };
        double(name, 1).for_each(inputs.iter().map(|&x| [x.to_bits()]), |[a], result| {
            let (x, result) = (f64::from_bits(a), f64::from_bits(result));
            let exact = reference(x);
            assert!((result - exact).abs() <= close * exact.abs().max(0.01), "{name} {x:?}: {result:?}, not {exact}");
        });
    }
}

#[test]
fn functions_of_two_numbers() {
    type Binary = fn(f64, f64) -> f64;
    let binary: [(&str, Binary); 12] = [
        ("atan2", f64::atan2),
        ("atan2pi", |y, x| y.atan2(x) / PI),
        ("hypot", f64::hypot),
        ("pow", f64::powf),
        ("powr", f64::powf),
        ("half_powr", f64::powf),
        ("fdim", |x, y| if x > y { x - y } else { 0.0 }),
        ("maxmag", |x, y| if x.abs() > y.abs() { x } else { y }),
        ("minmag", |x, y| if x.abs() < y.abs() { x } else { y }),
        ("fmax", f64::max),
        ("fmin", f64::min),
        ("remainder", |x, y| x - y * (x / y).round_ties_even()),
    ];
    let mut random = Random(7);
    for (name, reference) in binary {
        let inputs =
            (0..2000).map(|_| std::array::from_fn(|_| u64::from(((random.next() >> 44) as f32 / 65536.0).to_bits())));
        float(name, 2).for_each(inputs, |[a, b], result| {
            let (a, b, result) = (f64::from(f32_of(a)), f64::from(f32_of(b)), f64::from(f32_of(result)));
            let exact = reference(a, b);
            let right = result == exact || (result - exact).abs() <= f64::from(f32::EPSILON) * exact.abs() || b == 0.0;
            assert!(right, "{name} {a:?} {b:?}: {result:?}, not {exact}");
        });
    }
}

#[test]
fn roots_and_powers_with_integers() {
    let root = Scalars::new("_Z5rootndi", Scalar::Double, &[Scalar::Double, Scalar::Integer(32)]);
    let power = Scalars::new("_Z4pownfi", Scalar::Float, &[Scalar::Float, Scalar::Integer(32)]);
    let scale = Scalars::new("_Z5ldexpfi", Scalar::Float, &[Scalar::Float, Scalar::Integer(32)]);
    let mut random = Random(11);
    for n in (-20..=20i32).filter(|&n| n != 0) {
        let word = u64::from(n as u32);
        for _ in 0..50 {
            let x = (random.next() >> 40) as f64 / 1024.0 + 0.001;
            let y = f64::from_bits(root.call([x.to_bits(), word]));
            assert!((y.powi(n) / x - 1.0).abs() < 1e-14, "rootn {x} {n}: {y}");
            let x = ((random.next() >> 40) as f32 / (1 << 22) as f32) - 2.0;
            let exact = (0..n.abs()).fold(1.0, |product, _| product * f64::from(x));
            let exact = if n < 0 { 1.0 / exact } else { exact } as f32;
            let y = f32_of(power.call([u64::from(x.to_bits()), word]));
            assert!(same(y, exact) || (y / exact - 1.0).abs() <= f32::EPSILON, "pown {x} {n}: {y}, not {exact}");
            let y = f32_of(scale.call([u64::from(x.to_bits()), word]));
            assert_eq!(y, x * 2f32.powi(n), "ldexp {x} {n}");
        }
    }
    assert_eq!(f32_of(scale.call([u64::from(1.5f32.to_bits()), -149i32 as u32 as u64])), f32::from_bits(2));
    assert_eq!(f32_of(scale.call([u64::from(1.0f32.to_bits()), i32::MIN as u32 as u64])), 0.0);
}

const INF: f64 = f64::INFINITY;
const NAN: f64 = f64::NAN;

#[test]
fn edge_cases() {
    let unary: [(&str, f64, f64); 39] = [
        ("acospi", 1.0, 0.0),
        ("acospi", 2.0, NAN),
        ("asinpi", -0.0, -0.0),
        ("atanpi", -INF, -0.5),
        ("ceil", -0.5, -0.0),
        ("cospi", 0.0, 1.0),
        ("cospi", 2.5, 0.0),
        ("cospi", -1.0, -1.0),
        ("cospi", INF, NAN),
        ("exp10", -INF, 0.0),
        ("exp10", INF, INF),
        ("logb", 0.0, -INF),
        ("logb", -INF, INF),
        ("logb", 12.0, 3.0),
        ("rint", -0.4, -0.0),
        ("rint", 2.5, 2.0),
        ("round", 2.5, 3.0),
        ("round", -0.4, -0.0),
        ("rsqrt", 0.0, INF),
        ("sinpi", -0.0, -0.0),
        ("sinpi", 3.0, 0.0),
        ("sinpi", -3.0, -0.0),
        ("sinpi", 0.5, 1.0),
        ("sinpi", 1.5, -1.0),
        ("sinpi", -2.5, -1.0),
        ("sinpi", INF, NAN),
        ("tanpi", 2.0, 0.0),
        ("tanpi", 1.0, -0.0),
        ("tanpi", -1.0, 0.0),
        ("tanpi", 0.5, INF),
        ("tanpi", 1.5, -INF),
        ("tanpi", -0.5, -INF),
        ("trunc", -0.9, -0.0),
        ("sign", -0.0, -0.0),
        ("sign", NAN, 0.0),
        ("tgamma", 5.0, 24.0),
        ("lgamma", 2.0, 0.0),
        ("exp2", 1024.0, INF),
        ("sqrt", -1.0, NAN),
    ];
    let check = |name: &str, result: u64, expected: f64| {
        let result = f64::from_bits(result);
        let equal = result.to_bits() == expected.to_bits() || result.is_nan() && expected.is_nan();
        assert!(equal, "{name}: {result:?}, not {expected:?}");
    };
    for (name, x, expected) in unary {
        check(&format!("{name} {x:?}"), double(name, 1).call([x.to_bits()]), expected);
    }
    let binary: [(&str, f64, f64, f64); 34] = [
        ("atan2", 0.0, -0.0, PI),
        ("atan2", -0.0, -1.0, -PI),
        ("atan2", 1.0, -0.0, FRAC_PI_2),
        ("atan2", INF, INF, FRAC_PI_4),
        ("atan2pi", -0.0, -0.0, -1.0),
        ("atan2pi", INF, -INF, 0.75),
        ("fdim", NAN, 1.0, NAN),
        ("fdim", 1.0, 3.0, 0.0),
        ("fmax", NAN, 1.0, 1.0),
        ("fmin", 1.0, NAN, 1.0),
        ("fmod", -0.0, 2.0, -0.0),
        ("fmod", INF, 2.0, NAN),
        ("fmod", 1.0, 0.0, NAN),
        ("fmod", 1.0, INF, 1.0),
        ("hypot", NAN, -INF, INF),
        ("nextafter", -0.0, 1.0, 5e-324),
        ("nextafter", 1.0, NAN, NAN),
        ("nextafter", f64::MAX, INF, INF),
        ("pow", 0.0, -INF, INF),
        ("pow", -1.0, INF, 1.0),
        ("pow", NAN, 0.0, 1.0),
        ("pow", -8.0, 1.0 / 3.0, NAN),
        ("powr", -1.0, 2.0, NAN),
        ("powr", -0.0, -1.0, INF),
        ("powr", 0.0, 0.0, NAN),
        ("powr", INF, 0.0, NAN),
        ("powr", 1.0, INF, NAN),
        ("powr", 2.0, 10.0, 1024.0),
        ("powr", NAN, 0.0, NAN),
        ("remainder", 5.0, 2.0, 1.0),
        ("remainder", 7.0, 2.0, -1.0),
        ("step", 1.0, NAN, 1.0),
        ("step", 1.0, 0.5, 0.0),
        ("maxmag", -3.0, 2.0, -3.0),
    ];
    for (name, x, y, expected) in binary {
        check(&format!("{name} {x:?} {y:?}"), double(name, 2).call([x.to_bits(), y.to_bits()]), expected);
    }
    let integer: [(&str, f64, i32, f64); 12] = [
        ("pown", NAN, 0, 1.0),
        ("pown", -0.0, -3, -INF),
        ("pown", -0.0, -2, INF),
        ("pown", -0.0, 3, -0.0),
        ("pown", -2.0, 3, -8.0),
        ("rootn", -0.0, -3, -INF),
        ("rootn", -0.0, -2, INF),
        ("rootn", -0.0, 3, -0.0),
        ("rootn", -0.0, 2, 0.0),
        ("rootn", -8.0, 2, NAN),
        ("rootn", -32.0, 5, -2.0),
        ("rootn", 4.0, 0, NAN),
    ];
    for (name, x, n, expected) in integer {
        let function = Scalars::new(&mangled(name, "di"), Scalar::Double, &[Scalar::Double, Scalar::Integer(32)]);
        check(&format!("{name} {x:?} {n}"), function.call([x.to_bits(), u64::from(n as u32)]), expected);
    }
    let ilogb = Scalars::new("_Z5ilogbf", Scalar::Integer(32), &[Scalar::Float]);
    for (x, expected) in [(0.0, i32::MIN), (f32::NAN, i32::MAX), (f32::INFINITY, i32::MAX), (1e-45, -149), (-9.0, 3)] {
        assert_eq!(ilogb.call([u64::from(x.to_bits())]) as i32, expected, "ilogb {x:?}");
    }
    let nan = Scalars::new("_Z3nanj", Scalar::Float, &[Scalar::Integer(32)]);
    assert_eq!(nan.call([0x123]), 0x7fc0_0123);
}

#[test]
fn common_functions() {
    let clamp = float("clamp", 3);
    let mix = float("mix", 3);
    let smooth = float("smoothstep", 3);
    let call = |function: &Scalars, operands: [f32; 3]| f32_of(function.call(operands.map(|x| u64::from(x.to_bits()))));
    assert_eq!(
        [call(&clamp, [5.0, 0.0, 1.0]), call(&clamp, [-5.0, 0.0, 1.0]), call(&clamp, [0.5, 0.0, 1.0])],
        [1.0, 0.0, 0.5]
    );
    assert_eq!([call(&mix, [2.0, 6.0, 0.25]), call(&mix, [2.0, 6.0, 1.0])], [3.0, 6.0]);
    assert_eq!(
        [call(&smooth, [0.0, 2.0, 1.0]), call(&smooth, [0.0, 2.0, 0.5]), call(&smooth, [0.0, 2.0, 3.0])],
        [0.5, 0.15625, 1.0]
    );
}

#[test]
fn those_of_cuda_and_hip_and_c() {
    let one =
        |name: &str, x: f64| f64::from_bits(Scalars::new(name, Scalar::Double, &[Scalar::Double]).call([x.to_bits()]));
    let close = |name: &str, x: f64, expected: f64| {
        let result = one(name, x);
        assert!((result - expected).abs() <= 1e-14 * expected.abs(), "{name} {x}: {result}, not {expected}");
    };
    close("__nv_cyl_bessel_i0", 1.0, 1.266_065_877_752_008_3);
    close("__nv_cyl_bessel_i1", -1.0, -0.565_159_103_992_485_1);
    let jn = Scalars::new("__nv_jn", Scalar::Double, &[Scalar::Integer(32), Scalar::Double]);
    assert!((f64::from_bits(jn.call([1, 1f64.to_bits()])) - 0.440_050_585_744_933_5).abs() < 1e-15);
    let norm = Scalars::new("__nv_norm4d", Scalar::Double, &[Scalar::Double; 4]);
    assert_eq!(f64::from_bits(norm.call([1.0, 3.0, 5.0, 1.0].map(f64::to_bits))), 6.0);
    close("__nv_j0", 1.0, 0.765_197_686_557_966_6);
    close("__nv_erfcx", 1.0, 0.427_583_576_155_807_05);
    for x in [9.9, 10.0, 20.0] {
        let exact = 2.0 / PI.sqrt() * integral(0.0, 3.0, |t| (-t * t - 2.0 * x * t).exp());
        let result = one("__nv_erfcx", x);
        assert!((result / exact - 1.0).abs() < 1e-7, "erfcx {x}: {result}, not {exact}");
    }
    close("__nv_normcdf", 0.0, 0.5);
    close("__nv_rcbrt", 8.0, 0.5);
    close("__ocml_sin_f64", 1.0, 1f64.sin());
    close("sin", 1.0, 1f64.sin());
    close("nearbyint", 2.5, 2.0);
    for y in [-0.999, -0.7, -0.3, 1e-9, 0.4, 0.5, 0.6, 0.99999] {
        let x = one("__nv_erfinv", y);
        assert!((one("erf", x) - y).abs() <= 2e-16 + 1e-15 * y.abs(), "erfinv {y}: {x}");
    }
    for y in [1e-300, 1e-20, 0.001, 0.3, 1.0 - 1e-9, 1.7] {
        let x = one("__nv_erfcinv", y);
        assert!((one("erfc", x) / y - 1.0).abs() <= 1e-12, "erfcinv {y}: {x}");
    }
    assert_eq!((one("__nv_erfcinv", 0.0), one("__nv_erfinv", -1.0)), (INF, -INF));
    let single =
        |name: &str, x: f32| f32_of(Scalars::new(name, Scalar::Float, &[Scalar::Float]).call([u64::from(x.to_bits())]));
    assert_eq!(single("__nv_fast_sinf", 0.5), 0.5f64.sin() as f32);
    assert_eq!((single("__nv_saturatef", 3.0), single("__nv_saturatef", f32::NAN)), (1.0, 0.0));
    assert_eq!((single("__ocml_native_exp_f32", 0.0), single("expf", 0.0), single("fabsf", -2.0)), (1.0, 1.0, 2.0));
}

#[test]
fn arithmetic_with_a_rounding_mode() {
    let seed = first_seed();
    let mut random = Random(seed);
    let inputs: Vec<[u64; 2]> = (0..times(5000))
        .map(|_| std::array::from_fn(|_| u64::from(((random.next() >> 40) as f32 / 4096.0 + 0.01).to_bits())))
        .collect();
    // Whether a candidate is above the exact result: for these operands 128-bit integers hold everything.
    let units = |x: f32| (f64::from(x) * 2f64.powi(40)) as i128;
    for (name, compare) in [
        ("add", (|a, b, r| r.cmp(&(a + b))) as fn(i128, i128, i128) -> std::cmp::Ordering),
        ("sub", |a, b, r| r.cmp(&(a - b))),
        ("mul", |a, b, r| (r << 40).cmp(&(a * b))),
        ("div", |a, b, r| (r * b).cmp(&(a << 40))),
    ] {
        let function = |mode: &str| Scalars::new(&format!("__nv_f{name}_{mode}"), Scalar::Float, &[Scalar::Float; 2]);
        let (up, down, zero, nearest) = (function("ru"), function("rd"), function("rz"), function("rn"));
        for &[a, b] in &inputs {
            let (x, y) = (f32_of(a), f32_of(b));
            let [up, down, zero, nearest] = [&up, &down, &zero, &nearest].map(|function| f32_of(function.call([a, b])));
            let reference = match name {
                "add" => x + y,
                "sub" => x - y,
                "mul" => x * y,
                _ => x / y,
            };
            assert_eq!(nearest, reference, "{name} {x} {y}");
            assert_eq!(zero, if nearest < 0.0 { up } else { down }, "{name} {x} {y}, seed {seed}");
            assert!(up == down || up == down.next_up(), "{name} {x} {y}: {down} {up}, seed {seed}");
            assert!(nearest == up || nearest == down, "{name} {x} {y}: {down} {nearest} {up}, seed {seed}");
            // Small results have places below the units that 128 bits hold.
            if nearest.abs() > 0.01 {
                let (above, below) = (compare(units(x), units(y), units(up)), compare(units(x), units(y), units(down)));
                assert!(
                    above.is_ge() && below.is_le() && (above == below) == (up == down),
                    "{name} {x} {y}: {down} {up}, seed {seed}"
                );
            }
        }
    }
}
