//! The builder of typed expressions: which conversions it puts in, what it refuses, and constants against clang.

use std::process::Command;

use expect_test::{Expect, expect};
use reconverge_lang::options::{Dialect, LowerTarget};
use reconverge_lang::source::Location;
use reconverge_lang::typed::{
    AddressSpace, BinaryOperator, Body, Builder, Constant, Conversion, Expression, ExpressionKind, FloatKind, Program,
    Shape, Type, TypeKind, VariableData,
};
use reconverge_testing::random::SplitMix64;
use reconverge_testing::rounds::{first_seed, times};

const HERE: Location = Location(1);

/// Runs with an empty program of a dialect.
fn with<T>(dialect: Dialect, work: impl FnOnce(&mut Builder) -> T) -> T {
    let (mut program, mut body) = (Program::new(dialect, LowerTarget::Spirv), Body::default());
    work(&mut Builder { program: &mut program, body: &mut body })
}

/// A variable of a type, as a place.
fn place(build: &mut Builder, of: Type) -> Expression {
    let name = format!("v{}", build.body.variables.len());
    let variable = build.body.variables.push(VariableData { name, of, alignment: None, location: HERE });
    build.variable(variable, HERE)
}

/// An expression in words: conversions with their types.
fn show(build: &Builder, expression: Expression) -> String {
    let of = build.type_name(build.type_of(expression));
    let each = |parts: &[Expression]| parts.iter().map(|&part| show(build, part)).collect::<Vec<_>>().join(", ");
    match build.kind(expression) {
        ExpressionKind::Integer(bits) => bits.to_string(),
        ExpressionKind::Float(value) => format!("{value:?}"),
        ExpressionKind::Zero => "zero".into(),
        ExpressionKind::Variable(variable) => build.body.variables[*variable].name.clone(),
        ExpressionKind::Load(inner) => format!("load {}", show(build, *inner)),
        ExpressionKind::Decay(inner) => format!("decay {}", show(build, *inner)),
        ExpressionKind::AddressOf(inner) => format!("&{}", show(build, *inner)),
        ExpressionKind::Dereference(inner) => format!("*({})", show(build, *inner)),
        ExpressionKind::Splat(inner) => format!("{of}: splat({})", show(build, *inner)),
        ExpressionKind::Convert(Conversion::Arithmetic, inner) => format!("{of}({})", show(build, *inner)),
        ExpressionKind::Convert(conversion, inner) => format!("{of}: {conversion:?}({})", show(build, *inner)),
        ExpressionKind::Arithmetic(operator, a, b) => format!("{of}: {operator:?}({})", each(&[*a, *b])),
        ExpressionKind::Compare(operator, a, b) => format!("{of}: {operator:?}({})", each(&[*a, *b])),
        ExpressionKind::PointerOffset(a, b) => format!("offset({})", each(&[*a, *b])),
        ExpressionKind::PointerDifference(a, b) => format!("difference({})", each(&[*a, *b])),
        ExpressionKind::Conditional(a, b, c) => format!("{of}: if({})", each(&[*a, *b, *c])),
        ExpressionKind::Select(a, b, c) => format!("{of}: select({})", each(&[*a, *b, *c])),
        ExpressionKind::And(a, b) => format!("and({})", each(&[*a, *b])),
        ExpressionKind::Assign(a, b) => format!("{} = {}", show(build, *a), show(build, *b)),
        ExpressionKind::CompoundAssign(operator, a, b) => {
            format!("{} {operator:?}= {}", show(build, *a), show(build, *b))
        }
        ExpressionKind::Negate(a) => format!("{of}: -({})", show(build, *a)),
        other => format!("{other:?}"),
    }
}

/// What comes of two variables, one line for each pair of types.
fn table(
    dialect: Dialect,
    types: &[&str],
    work: impl Fn(&mut Builder, Expression, Expression) -> String,
    expected: &Expect,
) {
    let mut text = String::new();
    for left in types {
        for right in types {
            let line = with(dialect, |build| {
                let (a, b) = (read(build, left), read(build, right));
                let (a, b) = (place(build, a), place(build, b));
                work(build, a, b)
            });
            text += &format!("{left}, {right}: {line}\n");
        }
    }
    expected.assert_eq(&text);
}

/// A type by its name in OpenCL C; `T*` is a generic pointer, `local T*` one to local memory.
fn read(build: &mut Builder, name: &str) -> Type {
    if let Some(pointee) = name.strip_suffix('*') {
        let (space, pointee) = match pointee.split_once(' ') {
            Some(("local", pointee)) => (AddressSpace::Local, pointee),
            Some(("constant", pointee)) => (AddressSpace::Constant, pointee),
            _ => (AddressSpace::Generic, pointee),
        };
        let pointee = read(build, pointee);
        return build.program.types.pointer(pointee, space);
    }
    let (base, lanes) = name.split_at(name.trim_end_matches(|digit: char| digit.is_ascii_digit()).len());
    let types = &mut build.program.types;
    let of = match base {
        "void" => types.void(),
        "bool" => types.bool(),
        "char" => types.integer(8, true),
        "uchar" => types.integer(8, false),
        "short" => types.integer(16, true),
        "ushort" => types.integer(16, false),
        "int" => types.integer(32, true),
        "uint" => types.integer(32, false),
        "long" => types.integer(64, true),
        "ulong" => types.integer(64, false),
        "half" => types.float(FloatKind::Half),
        "float" => types.float(FloatKind::Single),
        "double" => types.float(FloatKind::Double),
        other => panic!("{other}"),
    };
    if lanes.is_empty() { of } else { types.vector(of, lanes.parse().unwrap()) }
}

/// The result, or what is wrong.
fn outcome(build: &Builder, made: Result<Expression, reconverge_lang::diagnostic::Diagnostic>) -> String {
    made.map_or_else(|problem| problem.message.clone(), |expression| show(build, expression))
}

#[test]
fn arithmetic_meets_in_a_common_type() {
    let add = |build: &mut Builder, a, b| {
        let made = build.arithmetic(BinaryOperator::Add, a, b, HERE);
        outcome(build, made)
    };
    table(
        Dialect::OpenCl,
        &["bool", "uchar", "int", "uint", "long", "float", "int4", "float4"],
        add,
        &expect![[r#"
            bool, bool: int: Add(int(load v0), int(load v1))
            bool, uchar: int: Add(int(load v0), int(load v1))
            bool, int: int: Add(int(load v0), load v1)
            bool, uint: uint: Add(uint(load v0), load v1)
            bool, long: long: Add(long(load v0), load v1)
            bool, float: float: Add(float(load v0), load v1)
            bool, int4: int4: Add(int4: splat(int(load v0)), load v1)
            bool, float4: float4: Add(float4: splat(float(load v0)), load v1)
            uchar, bool: int: Add(int(load v0), int(load v1))
            uchar, uchar: int: Add(int(load v0), int(load v1))
            uchar, int: int: Add(int(load v0), load v1)
            uchar, uint: uint: Add(uint(load v0), load v1)
            uchar, long: long: Add(long(load v0), load v1)
            uchar, float: float: Add(float(load v0), load v1)
            uchar, int4: int4: Add(int4: splat(int(load v0)), load v1)
            uchar, float4: float4: Add(float4: splat(float(load v0)), load v1)
            int, bool: int: Add(load v0, int(load v1))
            int, uchar: int: Add(load v0, int(load v1))
            int, int: int: Add(load v0, load v1)
            int, uint: uint: Add(uint(load v0), load v1)
            int, long: long: Add(long(load v0), load v1)
            int, float: float: Add(float(load v0), load v1)
            int, int4: int4: Add(int4: splat(load v0), load v1)
            int, float4: float4: Add(float4: splat(float(load v0)), load v1)
            uint, bool: uint: Add(load v0, uint(load v1))
            uint, uchar: uint: Add(load v0, uint(load v1))
            uint, int: uint: Add(load v0, uint(load v1))
            uint, uint: uint: Add(load v0, load v1)
            uint, long: long: Add(long(load v0), load v1)
            uint, float: float: Add(float(load v0), load v1)
            uint, int4: int4: Add(int4: splat(int(load v0)), load v1)
            uint, float4: float4: Add(float4: splat(float(load v0)), load v1)
            long, bool: long: Add(load v0, long(load v1))
            long, uchar: long: Add(load v0, long(load v1))
            long, int: long: Add(load v0, long(load v1))
            long, uint: long: Add(load v0, long(load v1))
            long, long: long: Add(load v0, load v1)
            long, float: float: Add(float(load v0), load v1)
            long, int4: `+` does not take `long` and `int4`
            long, float4: float4: Add(float4: splat(float(load v0)), load v1)
            float, bool: float: Add(load v0, float(load v1))
            float, uchar: float: Add(load v0, float(load v1))
            float, int: float: Add(load v0, float(load v1))
            float, uint: float: Add(load v0, float(load v1))
            float, long: float: Add(load v0, float(load v1))
            float, float: float: Add(load v0, load v1)
            float, int4: `+` does not take `float` and `int4`
            float, float4: float4: Add(float4: splat(load v0), load v1)
            int4, bool: int4: Add(load v0, int4: splat(int(load v1)))
            int4, uchar: int4: Add(load v0, int4: splat(int(load v1)))
            int4, int: int4: Add(load v0, int4: splat(load v1))
            int4, uint: int4: Add(load v0, int4: splat(int(load v1)))
            int4, long: `+` does not take `int4` and `long`
            int4, float: `+` does not take `int4` and `float`
            int4, int4: int4: Add(load v0, load v1)
            int4, float4: `+` does not take `int4` and `float4`
            float4, bool: float4: Add(load v0, float4: splat(float(load v1)))
            float4, uchar: float4: Add(load v0, float4: splat(float(load v1)))
            float4, int: float4: Add(load v0, float4: splat(float(load v1)))
            float4, uint: float4: Add(load v0, float4: splat(float(load v1)))
            float4, long: float4: Add(load v0, float4: splat(float(load v1)))
            float4, float: float4: Add(load v0, float4: splat(load v1))
            float4, int4: `+` does not take `float4` and `int4`
            float4, float4: float4: Add(load v0, load v1)
        "#]],
    );
}

#[test]
fn shifts_keep_the_type_of_the_left_operand() {
    let shift = |build: &mut Builder, a, b| {
        let made = build.arithmetic(BinaryOperator::ShiftLeft, a, b, HERE);
        outcome(build, made)
    };
    table(
        Dialect::OpenCl,
        &["char", "uint", "long", "float", "int4", "uint4"],
        shift,
        &expect![[r#"
        char, char: int: ShiftLeft(int(load v0), int(load v1))
        char, uint: int: ShiftLeft(int(load v0), int(load v1))
        char, long: int: ShiftLeft(int(load v0), int(load v1))
        char, float: `<<` does not take `int` and `float`
        char, int4: `<<` does not take `int` and `int4`
        char, uint4: `<<` does not take `int` and `uint4`
        uint, char: uint: ShiftLeft(load v0, uint(int(load v1)))
        uint, uint: uint: ShiftLeft(load v0, load v1)
        uint, long: uint: ShiftLeft(load v0, uint(load v1))
        uint, float: `<<` does not take `uint` and `float`
        uint, int4: `<<` does not take `uint` and `int4`
        uint, uint4: `<<` does not take `uint` and `uint4`
        long, char: long: ShiftLeft(load v0, long(int(load v1)))
        long, uint: long: ShiftLeft(load v0, long(load v1))
        long, long: long: ShiftLeft(load v0, load v1)
        long, float: `<<` does not take `long` and `float`
        long, int4: `<<` does not take `long` and `int4`
        long, uint4: `<<` does not take `long` and `uint4`
        float, char: `<<` does not take `float` and `int`
        float, uint: `<<` does not take `float` and `uint`
        float, long: `<<` does not take `float` and `long`
        float, float: `<<` does not take `float` and `float`
        float, int4: `<<` does not take `float` and `int4`
        float, uint4: `<<` does not take `float` and `uint4`
        int4, char: int4: ShiftLeft(load v0, int4: splat(int(load v1)))
        int4, uint: int4: ShiftLeft(load v0, int4: splat(int(load v1)))
        int4, long: int4: ShiftLeft(load v0, int4: splat(int(load v1)))
        int4, float: `<<` does not take `int4` and `float`
        int4, int4: int4: ShiftLeft(load v0, load v1)
        int4, uint4: int4: ShiftLeft(load v0, int4(load v1))
        uint4, char: uint4: ShiftLeft(load v0, uint4: splat(uint(int(load v1))))
        uint4, uint: uint4: ShiftLeft(load v0, uint4: splat(load v1))
        uint4, long: uint4: ShiftLeft(load v0, uint4: splat(uint(load v1)))
        uint4, float: `<<` does not take `uint4` and `float`
        uint4, int4: uint4: ShiftLeft(load v0, uint4(load v1))
        uint4, uint4: uint4: ShiftLeft(load v0, load v1)
    "#]],
    );
}

#[test]
fn pointers_are_compared_and_subtracted_in_one_type() {
    let compare = |build: &mut Builder, a, b| {
        let equal = build.compare(BinaryOperator::Equal, a, b, HERE);
        let minus = build.arithmetic(BinaryOperator::Subtract, a, b, HERE);
        format!("{}; {}", outcome(build, equal), outcome(build, minus))
    };
    table(
        Dialect::OpenCl,
        &["int*", "local int*", "constant int*", "void*", "int"],
        compare,
        &expect![[r#"
            int*, int*: bool: Equal(load v0, load v1); difference(load v0, load v1)
            int*, local int*: bool: Equal(load v0, int *: Pointer(load v1)); difference(load v0, int *: Pointer(load v1))
            int*, constant int*: `==` does not take `int *` and `__constant int *`; `-` does not take `int *` and `__constant int *`
            int*, void*: bool: Equal(void *: Pointer(load v0), load v1); `-` does not take `int *` and `void *`
            int*, int: `==` does not take `int *` and `int`; offset(load v0, long: -(long(load v1)))
            local int*, int*: bool: Equal(int *: Pointer(load v0), load v1); difference(int *: Pointer(load v0), load v1)
            local int*, local int*: bool: Equal(load v0, load v1); difference(load v0, load v1)
            local int*, constant int*: `==` does not take `__local int *` and `__constant int *`; `-` does not take `__local int *` and `__constant int *`
            local int*, void*: bool: Equal(void *: Pointer(load v0), load v1); `-` does not take `__local int *` and `void *`
            local int*, int: `==` does not take `__local int *` and `int`; offset(load v0, long: -(long(load v1)))
            constant int*, int*: `==` does not take `__constant int *` and `int *`; `-` does not take `__constant int *` and `int *`
            constant int*, local int*: `==` does not take `__constant int *` and `__local int *`; `-` does not take `__constant int *` and `__local int *`
            constant int*, constant int*: bool: Equal(load v0, load v1); difference(load v0, load v1)
            constant int*, void*: `==` does not take `__constant int *` and `void *`; `-` does not take `__constant int *` and `void *`
            constant int*, int: `==` does not take `__constant int *` and `int`; offset(load v0, long: -(long(load v1)))
            void*, int*: bool: Equal(int *: Pointer(load v0), load v1); `-` does not take `void *` and `int *`
            void*, local int*: bool: Equal(load v0, void *: Pointer(load v1)); `-` does not take `void *` and `__local int *`
            void*, constant int*: `==` does not take `void *` and `__constant int *`; `-` does not take `void *` and `__constant int *`
            void*, void*: bool: Equal(load v0, load v1); difference(char *: Pointer(load v0), char *: Pointer(load v1))
            void*, int: `==` does not take `void *` and `int`; void *: Pointer(offset(char *: Pointer(load v0), long: -(long(load v1))))
            int, int*: `==` does not take `int` and `int *`; `-` does not take `int` and `int *`
            int, local int*: `==` does not take `int` and `__local int *`; `-` does not take `int` and `__local int *`
            int, constant int*: `==` does not take `int` and `__constant int *`; `-` does not take `int` and `__constant int *`
            int, void*: `==` does not take `int` and `void *`; `-` does not take `int` and `void *`
            int, int: bool: Equal(load v0, load v1); int: Subtract(load v0, load v1)
        "#]],
    );
}

#[test]
fn assignments_convert_what_c_converts() {
    let assign = |build: &mut Builder, a, b| {
        let made = build.assign(a, b, HERE);
        outcome(build, made)
    };
    let types = ["bool", "int", "float", "float4", "int*", "uint*", "void*", "local int*"];
    table(
        Dialect::OpenCl,
        &types,
        assign,
        &expect![[r#"
            bool, bool: v0 = load v1
            bool, int: v0 = bool(load v1)
            bool, float: v0 = bool(load v1)
            bool, float4: `float4` cannot be converted to `bool`
            bool, int*: v0 = bool: PointerToBool(load v1)
            bool, uint*: v0 = bool: PointerToBool(load v1)
            bool, void*: v0 = bool: PointerToBool(load v1)
            bool, local int*: v0 = bool: PointerToBool(load v1)
            int, bool: v0 = int(load v1)
            int, int: v0 = load v1
            int, float: v0 = int(load v1)
            int, float4: `float4` cannot be converted to `int`
            int, int*: `int *` is not converted to `int` without a cast
            int, uint*: `uint *` is not converted to `int` without a cast
            int, void*: `void *` is not converted to `int` without a cast
            int, local int*: `__local int *` is not converted to `int` without a cast
            float, bool: v0 = float(load v1)
            float, int: v0 = float(load v1)
            float, float: v0 = load v1
            float, float4: `float4` cannot be converted to `float`
            float, int*: `int *` cannot be converted to `float`
            float, uint*: `uint *` cannot be converted to `float`
            float, void*: `void *` cannot be converted to `float`
            float, local int*: `__local int *` cannot be converted to `float`
            float4, bool: v0 = float4: splat(float(int: -(int(load v1))))
            float4, int: v0 = float4: splat(float(load v1))
            float4, float: v0 = float4: splat(load v1)
            float4, float4: v0 = load v1
            float4, int*: `int *` cannot be converted to `float4`
            float4, uint*: `uint *` cannot be converted to `float4`
            float4, void*: `void *` cannot be converted to `float4`
            float4, local int*: `__local int *` cannot be converted to `float4`
            int*, bool: `bool` cannot be converted to `int *`
            int*, int: `int` is not converted to `int *` without a cast
            int*, float: `float` cannot be converted to `int *`
            int*, float4: `float4` cannot be converted to `int *`
            int*, int*: v0 = load v1
            int*, uint*: v0 = int *: Pointer(load v1)
            int*, void*: v0 = int *: Pointer(load v1)
            int*, local int*: v0 = int *: Pointer(load v1)
            uint*, bool: `bool` cannot be converted to `uint *`
            uint*, int: `int` is not converted to `uint *` without a cast
            uint*, float: `float` cannot be converted to `uint *`
            uint*, float4: `float4` cannot be converted to `uint *`
            uint*, int*: v0 = uint *: Pointer(load v1)
            uint*, uint*: v0 = load v1
            uint*, void*: v0 = uint *: Pointer(load v1)
            uint*, local int*: v0 = uint *: Pointer(load v1)
            void*, bool: `bool` cannot be converted to `void *`
            void*, int: `int` is not converted to `void *` without a cast
            void*, float: `float` cannot be converted to `void *`
            void*, float4: `float4` cannot be converted to `void *`
            void*, int*: v0 = void *: Pointer(load v1)
            void*, uint*: v0 = void *: Pointer(load v1)
            void*, void*: v0 = load v1
            void*, local int*: v0 = void *: Pointer(load v1)
            local int*, bool: `bool` cannot be converted to `__local int *`
            local int*, int: `int` is not converted to `__local int *` without a cast
            local int*, float: `float` cannot be converted to `__local int *`
            local int*, float4: `float4` cannot be converted to `__local int *`
            local int*, int*: a pointer `int *` cannot become `__local int *`: the address spaces do not overlap
            local int*, uint*: a pointer `uint *` cannot become `__local int *`: the address spaces do not overlap
            local int*, void*: a pointer `void *` cannot become `__local int *`: the address spaces do not overlap
            local int*, local int*: v0 = load v1
        "#]],
    );
}

#[test]
fn a_value_is_chosen_in_a_common_type() {
    let choose = |build: &mut Builder, a, b| {
        let condition = build.int(1, HERE);
        let made = build.conditional(condition, a, b, HERE);
        outcome(build, made)
    };
    table(
        Dialect::Cuda,
        &["bool", "char", "int", "float", "int*", "void*"],
        choose,
        &expect![[r#"
        bool, bool: bool: if(1, load v0, load v1)
        bool, char: int: if(1, int(load v0), int(load v1))
        bool, int: int: if(1, int(load v0), load v1)
        bool, float: float: if(1, float(load v0), load v1)
        bool, int*: `?:` cannot choose between `bool` and `int *`
        bool, void*: `?:` cannot choose between `bool` and `void *`
        char, bool: int: if(1, int(load v0), int(load v1))
        char, char: char: if(1, load v0, load v1)
        char, int: int: if(1, int(load v0), load v1)
        char, float: float: if(1, float(load v0), load v1)
        char, int*: `?:` cannot choose between `char` and `int *`
        char, void*: `?:` cannot choose between `char` and `void *`
        int, bool: int: if(1, load v0, int(load v1))
        int, char: int: if(1, load v0, int(load v1))
        int, int: int: if(1, load v0, load v1)
        int, float: float: if(1, float(load v0), load v1)
        int, int*: `?:` cannot choose between `int` and `int *`
        int, void*: `?:` cannot choose between `int` and `void *`
        float, bool: float: if(1, load v0, float(load v1))
        float, char: float: if(1, load v0, float(load v1))
        float, int: float: if(1, load v0, float(load v1))
        float, float: float: if(1, load v0, load v1)
        float, int*: `?:` cannot choose between `float` and `int *`
        float, void*: `?:` cannot choose between `float` and `void *`
        int*, bool: `?:` cannot choose between `int *` and `bool`
        int*, char: `?:` cannot choose between `int *` and `char`
        int*, int: `?:` cannot choose between `int *` and `int`
        int*, float: `?:` cannot choose between `int *` and `float`
        int*, int*: int *: if(1, load v0, load v1)
        int*, void*: void *: if(1, void *: Pointer(load v0), load v1)
        void*, bool: `?:` cannot choose between `void *` and `bool`
        void*, char: `?:` cannot choose between `void *` and `char`
        void*, int: `?:` cannot choose between `void *` and `int`
        void*, float: `?:` cannot choose between `void *` and `float`
        void*, int*: void *: if(1, load v0, void *: Pointer(load v1))
        void*, void*: void *: if(1, load v0, load v1)
    "#]],
    );
}

#[test]
fn null_pointers_arrays_and_conditions() {
    with(Dialect::OpenCl, |build| {
        let int = build.program.types.integer(32, true);
        let pointer = build.program.types.pointer(int, AddressSpace::Global);
        let zero = build.int(0, HERE);
        let null = build.convert(zero, pointer).unwrap();
        assert_eq!((build.kind(null), build.type_of(null)), (&ExpressionKind::Integer(0), pointer));
        let array = build.program.types.intern(TypeKind::Array { element: int, length: 4 });
        let array = place(build, array);
        let one = build.int(1, HERE);
        let element = build.index(array, one, HERE).unwrap();
        assert_eq!(show(build, element), "*(offset(decay v0, 1))");
        let value = build.assign(element, one, HERE).unwrap();
        assert_eq!(show(build, value), "*(offset(decay v0, 1)) = 1");
        let pointer = place(build, pointer);
        let condition = build.condition(pointer).unwrap();
        assert_eq!(show(build, condition), "bool: PointerToBool(load v1)");
        let (a, b) = (build.int(1, HERE), build.int(2, HERE));
        let less = build.compare(BinaryOperator::Less, a, b, HERE).unwrap();
        let number = build.promote(less);
        assert_eq!(show(build, number), "int(bool: Less(1, 2))");
        assert_eq!(build.condition(number), Ok(less), "no detour over the integer");
        assert!(build.assign(one, a, HERE).is_err());
        assert!(build.address_of(one, HERE).is_err());
        assert!(build.assign(array, a, HERE).is_err());
    });
}

#[test]
fn casts() {
    with(Dialect::OpenCl, |build| {
        let (float4, int4, bool) = (read(build, "float4"), read(build, "int4"), build.program.types.bool());
        let vector = place(build, int4);
        assert!(build.explicit_convert(vector, float4).is_err(), "vectors are converted by functions only");
        let flag = place(build, bool);
        let mask = build.explicit_convert(flag, int4).unwrap();
        assert_eq!(show(build, mask), "int4: splat(int: -(int(load v1)))");
        let (local, global) = (read(build, "local int*"), build.program.types.integer(32, true));
        let global = build.program.types.pointer(global, AddressSpace::Global);
        let pointer = place(build, local);
        let problem = build.explicit_convert(pointer, global).unwrap_err();
        expect!["a pointer `__local int *` cannot become `__global int *`: the address spaces do not overlap"]
            .assert_eq(&problem.to_string());
        let long = read(build, "long");
        let number = build.explicit_convert(pointer, long).unwrap();
        assert_eq!(show(build, number), "long: PointerToInteger(load v2)");
    });
}

/// Makes random expressions in two forms at once: typed, and C.
struct Random<'a, 'b> {
    build: &'a mut Builder<'b>,
    random: SplitMix64,
}

impl Random<'_, '_> {
    /// A number below a limit.
    fn below(&mut self, limit: u64) -> u64 {
        self.random.next_u64() % limit
    }

    /// An expression of at most this depth.
    fn expression(&mut self, depth: u32) -> (Expression, String) {
        if depth == 0 || self.below(8) == 0 {
            return self.literal();
        }
        let (a, a_text) = self.expression(depth - 1);
        match self.below(8) {
            0 => self.cast(a, a_text),
            1 => match (self.build.negate(a, HERE), self.below(2)) {
                (Ok(made), 0) => (made, format!("(-{a_text})")),
                _ => match self.build.not(a, HERE) {
                    Ok(made) => (made, format!("(!{a_text})")),
                    Err(_) => (a, a_text),
                },
            },
            2 => {
                let ((b, b_text), (c, c_text)) = (self.expression(depth - 1), self.expression(depth - 1));
                match self.build.conditional(a, b, c, HERE) {
                    Ok(made) => (made, format!("({a_text} ? {b_text} : {c_text})")),
                    Err(_) => (a, a_text),
                }
            }
            _ => {
                use BinaryOperator as O;
                const OPERATORS: [(O, &str); 18] = [
                    (O::Add, "+"),
                    (O::Subtract, "-"),
                    (O::Multiply, "*"),
                    (O::Divide, "/"),
                    (O::Remainder, "%"),
                    (O::ShiftLeft, "<<"),
                    (O::ShiftRight, ">>"),
                    (O::And, "&"),
                    (O::Or, "|"),
                    (O::Xor, "^"),
                    (O::Less, "<"),
                    (O::Greater, ">"),
                    (O::LessEqual, "<="),
                    (O::GreaterEqual, ">="),
                    (O::Equal, "=="),
                    (O::NotEqual, "!="),
                    (O::LogicalAnd, "&&"),
                    (O::LogicalOr, "||"),
                ];
                let (operator, text) = OPERATORS[self.below(18) as usize];
                let (b, b_text) = match operator {
                    O::ShiftLeft | O::ShiftRight => {
                        let amount = self.below(31) as i32;
                        (self.build.int(amount, HERE), amount.to_string())
                    }
                    _ => self.expression(depth - 1),
                };
                match self.build.binary(operator, a, b, HERE) {
                    Ok(made) => (made, format!("({a_text} {text} {b_text})")),
                    Err(_) => (a, a_text),
                }
            }
        }
    }

    /// A number.
    fn literal(&mut self) -> (Expression, String) {
        let bits = self.random.next_u64() >> self.below(64);
        let types = &mut self.build.program.types;
        match bits % 5 {
            0 => {
                let (of, value) = (types.float(FloatKind::Double), (bits >> 8) as f64 / 256.0);
                (self.build.float(value, of, HERE), format!("{value:?}"))
            }
            1 => {
                let (of, value) = (types.float(FloatKind::Single), (bits >> 40) as f32 / 8.0);
                (self.build.float(value.into(), of, HERE), format!("{value:?}f"))
            }
            2 => {
                let (of, value) = (types.integer(64, false), bits);
                (self.build.integer(value.into(), of, HERE), format!("{value}ul"))
            }
            _ => {
                let (of, value) = (types.integer(32, true), (bits >> 4) as i32 & i32::MAX);
                (self.build.integer(value.into(), of, HERE), value.to_string())
            }
        }
    }

    /// A value after a cast.
    fn cast(&mut self, value: Expression, text: String) -> (Expression, String) {
        const NAMES: [(&str, &str); 11] = [
            ("bool", "_Bool"),
            ("char", "signed char"),
            ("uchar", "unsigned char"),
            ("short", "short"),
            ("ushort", "unsigned short"),
            ("int", "int"),
            ("uint", "unsigned"),
            ("long", "long"),
            ("ulong", "unsigned long"),
            ("float", "float"),
            ("double", "double"),
        ];
        let (name, written) = NAMES[self.below(11) as usize];
        let to = read(self.build, name);
        let made = self.build.explicit_convert(value, to).unwrap();
        (made, format!("(({written}){text})"))
    }
}

#[test]
fn constants_are_those_of_clang() {
    let Some(tools) = reconverge_testing::llvm::tools() else { return };
    let seed = first_seed();
    println!("RECONVERGE_SEED={seed}");
    let (mut source, mut expected) = (String::new(), Vec::new());
    for round in 0..times(2000) {
        with(Dialect::C, |build| {
            let mut random = Random { build, random: SplitMix64::new(seed.wrapping_add(round)) };
            let depth = 1 + (round % 4) as u32;
            let (expression, text) = random.expression(depth);
            let Some(value) = build.constant_value(expression) else { return };
            let (of, line) = match (value, build.shape_of(expression)) {
                (Constant::Integer(_), Shape::Integer { signed: false, bits: 64 }) => {
                    ("unsigned long", format!("i64 {}", build.constant_integer(expression).unwrap() as i64))
                }
                (Constant::Integer(_), _) => ("long", format!("i64 {}", build.constant_integer(expression).unwrap())),
                (Constant::Float(value), _) if value.is_nan() => return,
                (Constant::Float(value), _) => ("double", format!("{:016X}", value.to_bits())),
                other => panic!("{other:?}"),
            };
            source += &format!("{of} g{} = {text};\n", expected.len());
            expected.push((line, text));
        });
    }
    let folder = tempfile::tempdir().unwrap();
    let (input, output) = (folder.path().join("constants.c"), folder.path().join("constants.ll"));
    std::fs::write(&input, source).unwrap();
    let mut clang = Command::new(&tools.clang);
    clang.args(["-S", "-emit-llvm", "-O0", "-w", "-fwrapv", "--target=x86_64-linux-gnu"]).arg(&input);
    let result = clang.arg("-o").arg(&output).output().unwrap();
    assert!(result.status.success(), "{}", String::from_utf8_lossy(&result.stderr));
    let mut seen = 0;
    for line in std::fs::read_to_string(&output).unwrap().lines() {
        let Some((number, value)) = line.strip_prefix("@g").and_then(|rest| rest.split_once(" = dso_local global "))
        else {
            continue;
        };
        let (expected, text) = &expected[number.parse::<usize>().unwrap()];
        let value = value.split(',').next().unwrap();
        let value = match value.strip_prefix("double ") {
            Some(hexadecimal) if hexadecimal.starts_with("0x") => hexadecimal[2..].to_string(),
            Some(decimal) => format!("{:016X}", decimal.parse::<f64>().unwrap().to_bits()),
            None => value.to_string(),
        };
        assert_eq!(&value, expected, "{text}");
        seen += 1;
    }
    assert_eq!(seen, expected.len());
    println!("{seen} constants");
}
