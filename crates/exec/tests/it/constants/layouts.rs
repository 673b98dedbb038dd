//! Sizes, alignments and places of random types: LLVM folds `getelementptr` of null, and so do we.

use std::fmt::Write;

use reconverge_exec::constants::Component;
use reconverge_exec::layout::{flatten, shape};
use reconverge_ir::layout::DataLayout;
use reconverge_ir::types::TypeData;
use reconverge_testing::llvm;
use reconverge_testing::rounds::seeds;

use crate::constants::random_types::{Maker, Type};
use crate::constants::{LAYOUTS, random, read, returned};

/// Indices into a random part of a type, behind the first.
fn path(maker: &mut Maker, ty: &Type, indices: &mut String) {
    let random = &mut maker.random;
    let index = |random: &mut reconverge_testing::random::SplitMix64| random.below(40) as i64 - 10;
    let inner = match ty {
        Type::Array(_, element) => {
            let _infallible = write!(indices, ", {} {}", ["i64", "i32", "i8"][random.below(3)], index(random));
            element
        }
        Type::Vector(_, element) if matches!(**element, Type::Integer(8 | 16 | 32 | 64) | Type::Float(..)) => {
            let _infallible = write!(indices, ", i64 {}", index(random));
            element
        }
        Type::Struct(_, elements) if !elements.is_empty() => {
            let index = random.below(elements.len());
            let _infallible = write!(indices, ", i32 {index}");
            &elements[index]
        }
        Type::Named(_, body) => return path(maker, body, indices),
        _ => return,
    };
    if maker.random.percent(85) {
        path(maker, inner, indices);
    }
}

#[test]
fn sizes_and_places_are_those_of_llvm() {
    let Some(tools) = llvm::tools() else { return };
    for seed in seeds(12) {
        let layout = LAYOUTS[seed as usize % LAYOUTS.len()];
        let mut maker = Maker::new(random(seed), &[0, 0, 1, 3, 5, 7, 270]);
        let mut functions = String::new();
        for number in 0..60 {
            let ty = maker.ty(3);
            let mut indices = format!(", i64 {}", maker.random.below(20) as i64 - 5);
            path(&mut maker, &ty, &mut indices);
            let questions = [
                format!("{ty}, ptr null, i64 1"),
                format!("{{i8, {ty}}}, ptr null, i64 0, i32 1"),
                format!("{{{ty}, i8}}, ptr null, i64 0, i32 1"),
                format!("{ty}, ptr null{indices}"),
            ];
            for (which, question) in questions.iter().enumerate() {
                functions += &format!(
                    "define i64 @f{number}.{which}() {{\n  ret i64 ptrtoint (ptr getelementptr ({question}) to i64)\n}}\n"
                );
            }
        }
        let text = format!("target datalayout = \"{layout}\"\n{}{functions}", maker.definitions);
        let folded = tools.transform(&text, "instcombine").unwrap();
        let (ours, theirs) = (returned(&read(&text)), returned(&read(&folded)));
        assert_eq!(ours.len(), 240);
        for (name, their) in &theirs {
            assert!(matches!(their.as_deref(), Ok([Component::Bits(_)])), "seed {seed}: {name}: {their:?}");
            assert_eq!(&ours[name], their, "seed {seed}: @{name}\n{text}");
        }
    }
}

/// The scalars of a type lie where the sizes say: in order, apart, and inside.
#[test]
fn places_ascend_and_fit() {
    for seed in seeds(200) {
        let mut maker = Maker::new(random(seed), &[0, 1, 3, 5]);
        let types: Vec<Type> = (0..20).map(|_| maker.ty(3)).collect();
        let globals: String =
            types.iter().enumerate().map(|(index, ty)| format!("@g{index} = external global {ty}\n")).collect();
        let layout = LAYOUTS[seed as usize % LAYOUTS.len()];
        let text = format!("target datalayout = \"{layout}\"\n{}{globals}", maker.definitions);
        let module = read(&text);
        let layout = DataLayout::of(&module).unwrap();
        for symbol in module.variable_symbols() {
            let ty = module.variable(symbol).unwrap().unwrap().ty;
            let places = flatten(&module, &layout, ty).unwrap();
            let size = layout.alloc_size(&module, ty).unwrap();
            assert_eq!(size % layout.alignment(&module, ty).unwrap(), 0, "seed {seed}");
            let mut end = 0;
            for place in &places {
                assert!(place.bit_offset >= end, "seed {seed}: {places:?}");
                end = place.bit_offset + u64::from(place.bits);
            }
            assert!(end <= size * 8, "seed {seed}: {places:?} in {size} bytes");
            assert_eq!(shape(&module, &layout, ty).unwrap().len(), places.len());
        }
    }
}

#[test]
fn packed_bits() {
    let text = "@a = external global {i8, <3 x i5>, i5, <8 x i1>}\n";
    let module = read(text);
    let layout = DataLayout::default();
    let ty = module.variable(module.variable_symbols()[0]).unwrap().unwrap().ty;
    let places: Vec<(u64, u32)> =
        flatten(&module, &layout, ty).unwrap().iter().map(|place| (place.bit_offset, place.bits)).collect();
    let packed: Vec<(u64, u32)> = (0..8).map(|bit| (40 + bit, 1)).collect();
    assert_eq!(places[..5], [(0, 8), (16, 5), (21, 5), (26, 5), (32, 8)]);
    assert_eq!(places[5..], packed);
}

#[test]
fn what_has_no_layout_says_why() {
    let text = "%opaque = type opaque
%loop = type { i32, %loop }
%a = type { %b, %b }
%b = type { [0 x i8], {} }
@g0 = external global %opaque
@g1 = external global <vscale x 4 x i32>
@g2 = external global %loop
@g3 = external global [4294967296 x [4294967296 x i64]]
@g4 = external global target(\"amdgcn.named.barrier\", 0)
@g5 = external global [18446744073709551615 x %a]
@g6 = external global fp128
@g7 = external global [65537 x i8]
@g8 = external global [65536 x i8]
@g9 = external global ptr addrspace(\"lds\")
";
    let module = read(text);
    let layout = DataLayout::of(&module).unwrap();
    let answers: Vec<String> = module
        .variable_symbols()
        .into_iter()
        .map(|symbol| {
            let ty = module.variable(symbol).unwrap().unwrap().ty;
            match flatten(&module, &layout, ty) {
                Ok(places) => format!("{} scalars", places.len()),
                Err(error) => error.to_string(),
            }
        })
        .collect();
    expect_test::expect![[r#"
        [
            "the type '%opaque' is opaque: it has no size",
            "the type '<vscale x 4 x i32>' has no fixed size",
            "the type '%loop' nests deeper than 200 levels",
            "the type '[4294967296 x [4294967296 x i64]]' is too large",
            "the type 'target(\"amdgcn.named.barrier\", 0)' has no size",
            "0 scalars",
            "the type 'fp128' is not supported",
            "the type '[65537 x i8]' has more than 65536 parts",
            "65536 scalars",
            "the type 'ptr addrspace(\"lds\")' is in an address space that has no number",
        ]
    "#]]
    .assert_debug_eq(&answers);
}

#[test]
fn specifications_that_are_wrong_say_where() {
    let message = |text: &str| DataLayout::parse(text.as_bytes()).map_err(|error| error.to_string());
    let messages = ["E", "e--i8:8", "i24:12", "p:64", "p:64:64:64:128", "i8:16", "x", "p:0:64", "A-1", "v64", "é"];
    let messages: Vec<_> = messages.into_iter().map(|text| message(text).unwrap_err()).collect();
    expect_test::expect![[r#"
        [
            "data layout: 'E': big-endian memory is not supported",
            "data layout: '': an empty part",
            "data layout: 'i24:12': an alignment is a power of two of bytes, in bits",
            "data layout: 'p:64': expected a size and an alignment",
            "data layout: 'p:64:64:64:128': the index is wider than the pointer",
            "data layout: 'i8:16': i8 is aligned to 8 bits",
            "data layout: 'x': unknown",
            "data layout: 'p:0:64': a size is a number of bits from 1 to 2^24 - 1",
            "data layout: 'A': an address space is a number below 2^24",
            "data layout: 'v64': expected a size and an alignment",
            "data layout: 'é': unknown",
        ]
    "#]]
    .assert_debug_eq(&messages);
    let amdgpu = DataLayout::parse(LAYOUTS[1].as_bytes()).unwrap();
    assert_eq!((amdgpu.alloca_space, amdgpu.globals_space, amdgpu.program_space), (5, 1, 0));
    let (local, fat) = (amdgpu.pointer(3), amdgpu.pointer(7));
    assert_eq!((local.bits, local.alignment, local.index_bits), (32, 4, 32));
    assert_eq!((fat.bits, fat.alignment, fat.index_bits), (160, 32, 32));
    assert_eq!(amdgpu.pointer(999), amdgpu.pointer(0));
    assert_eq!(amdgpu.address_space(&TypeData::PointerIn(b"\"A\"".as_slice().into())), Some(5));
}
