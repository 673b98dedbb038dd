//! Mangled names, and names that are not for this module.

use reconverge_exec::builtins::{Builtin, Number, ParameterType, demangle, recognise};
use reconverge_exec::value::Scalar;

fn number(number: Number) -> ParameterType {
    ParameterType::Number(number)
}

fn pointer(pointee: ParameterType, space: &str) -> ParameterType {
    let space = (!space.is_empty()).then(|| space.to_owned());
    ParameterType::Pointer { pointee: Box::new(pointee), space }
}

#[test]
fn names_as_clang_writes_them() {
    use Number::{Double, Float, Half, Signed, Unsigned};
    let order = ParameterType::Named("memory_order".into());
    let int = || number(Signed(32));
    let cases = [
        ("_Z3sinf", "sin", vec![number(Float)]),
        ("_Z13get_global_idj", "get_global_id", vec![number(Unsigned(32))]),
        ("_Z15get_global_sizev", "get_global_size", vec![]),
        ("_Z6vload4jPU3AS1Kf", "vload4", vec![number(Unsigned(32)), pointer(number(Float), "AS1")]),
        ("_Z6vload4mPKDh", "vload4", vec![number(Unsigned(64)), pointer(number(Half), "")]),
        (
            "_Z10atomic_addPU8CLglobalVjj",
            "atomic_add",
            vec![pointer(number(Unsigned(32)), "CLglobal"), number(Unsigned(32))],
        ),
        (
            "_Z6selectDv4_dS_Dv4_l",
            "select",
            vec![
                ParameterType::Vector(Double, 4),
                ParameterType::Vector(Double, 4),
                ParameterType::Vector(Signed(64), 4),
            ],
        ),
        (
            "_Z5fractDv2_fPU3AS4S_",
            "fract",
            vec![ParameterType::Vector(Float, 2), pointer(ParameterType::Vector(Float, 2), "AS4")],
        ),
        (
            "_Z39atomic_compare_exchange_strong_explicitPU3AS4VU7_AtomiciPU3AS4ii12memory_orderS4_",
            "atomic_compare_exchange_strong_explicit",
            vec![
                pointer(ParameterType::Atomic(Box::new(int())), "AS4"),
                pointer(int(), "AS4"),
                int(),
                order.clone(),
                order.clone(),
            ],
        ),
        (
            "_Z37atomic_compare_exchange_weak_explicitPVU7_AtomiciPii12memory_orderS4_",
            "atomic_compare_exchange_weak_explicit",
            vec![pointer(ParameterType::Atomic(Box::new(int())), ""), pointer(int(), ""), int(), order.clone(), order],
        ),
        (
            "_Z17wait_group_eventsiPU3AS49ocl_event",
            "wait_group_events",
            vec![int(), pointer(ParameterType::Named("ocl_event".into()), "AS4")],
        ),
    ];
    for (name, identifier, parameters) in cases {
        assert_eq!(demangle(name), Some((identifier, parameters)), "{name}");
    }
}

#[test]
fn what_is_not_a_name_is_refused_whole() {
    let nested = format!("_Z1f{}i", "P".repeat(1000));
    for name in [
        "",
        "_Z",
        "_Z3",
        "_Z3si",
        "_Z3sin",
        "_Z3sin!",
        "_Z3sinS_",
        "_Z3sinDv",
        "_Z3sinDv4_",
        "_Z3sinP",
        "_Z999999999999999999999f",
        "_Z3sinfX",
        "_Z1fS0_",
        "_Z1\u{e9}f",
        &nested,
        "sinf",
    ] {
        assert_eq!(demangle(name), None, "{name}");
    }
    // Every prefix of a name is another name or none.
    let name = "_Z39atomic_compare_exchange_strong_explicitPU3AS4VU7_AtomiciPU3AS4ii12memory_orderS4_";
    for end in 0..name.len() {
        let _ = demangle(&name[..end]);
    }
}

#[test]
fn types_that_do_not_fit_are_not_recognised() {
    let (word, float) = (Scalar::Integer(32), Scalar::Float);
    assert!(recognise("_Z3maxii", &[word], &[vec![word], vec![word]]).is_some());
    assert!(recognise("_Z3maxii", &[word], &[vec![word]]).is_none());
    assert!(recognise("_Z3maxii", &[word], &[vec![word], vec![Scalar::Integer(64)]]).is_none());
    assert!(recognise("_Z3maxii", &[], &[vec![word], vec![word]]).is_none());
    assert!(recognise("_Z3sinDv4_f", &[float; 4], &[vec![float; 3]]).is_none());
    assert!(recognise("_Z3sinDv4_f", &[float; 3], &[vec![float; 4]]).is_none());
    assert!(recognise("sin", &[float], &[vec![float]]).is_none());
    assert!(recognise("step", &[float], &[vec![float], vec![float]]).is_none());
    assert!(recognise("_Z13get_global_idj", &[Scalar::Integer(64)], &[vec![word]]).is_none());
    assert!(recognise("_Z7barrierj", &[], &[vec![word]]).is_none());
}

#[test]
fn effects_that_are_not_modelled() {
    let pointer = Scalar::Pointer(2);
    let printf = recognise("printf", &[Scalar::Integer(32)], &[vec![pointer], vec![Scalar::Double]]);
    assert!(matches!(printf, Some(Builtin::Ignored)));
    let prefetch = recognise("_Z8prefetchPU3AS1Kfm", &[], &[vec![Scalar::Pointer(1)], vec![Scalar::Integer(64)]]);
    assert!(matches!(prefetch, Some(Builtin::Ignored)));
}
