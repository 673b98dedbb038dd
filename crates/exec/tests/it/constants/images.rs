//! Contents of variables: random ones against what LLVM writes into an object file, and the forms by hand.

use std::process::Command;

use reconverge_exec::constants::{Address, Component, Image, Relocation, image};
use reconverge_exec::layout::flatten;
use reconverge_ir::layout::DataLayout;
use reconverge_testing::llvm;
use reconverge_testing::rounds::seeds;

use crate::constants::random_types::{Maker, Type};
use crate::constants::{LAYOUTS, Numbered, elf, random, read};

/// The images of all variables of a module, by the order of the text.
fn images(text: &str) -> Vec<Result<Image, String>> {
    let module = read(text);
    let layout = DataLayout::of(&module).unwrap();
    let of = |symbol| {
        let variable = module.variable(symbol).unwrap().unwrap();
        image(&module, &layout, &variable).map_err(|error| error.to_string())
    };
    module.variable_symbols().into_iter().map(of).collect()
}

fn only(text: &str) -> Image {
    images(text).pop().unwrap().unwrap()
}

#[test]
fn images_are_what_llvm_writes() {
    let Some(tools) = llvm::tools() else { return };
    let folder = tempfile::tempdir().unwrap();
    let (source, object) = (folder.path().join("t.ll"), folder.path().join("t.o"));
    for seed in seeds(25) {
        let mut maker = Maker::new(random(seed), &[0]);
        maker.symbols = vec!["@t0".to_string(), "@t1".to_string(), "@f".to_string()];
        let elements: Vec<Type> = (0..40).map(|_| maker.ty(3)).collect();
        let ty = Type::Struct(false, elements);
        let Type::Struct(_, elements) = &ty else { unreachable!() };
        let constants: Vec<String> =
            elements.iter().map(|element| format!("{element} {}", maker.constant(element))).collect();
        let text = format!(
            "target datalayout = \"{}\"\ntarget triple = \"x86_64-unknown-linux-gnu\"\n{}
             @t0 = external global [64 x i8]\n@t1 = external global i32\ndeclare void @f()\n
             @blob = global {ty} {{{}}}, section \"img\"\n",
            LAYOUTS[0],
            maker.definitions,
            constants.join(", ")
        );
        std::fs::write(&source, &text).unwrap();
        let mut clang = Command::new(&tools.clang);
        clang.args(["-Wno-override-module", "-c", "-x", "ir"]).arg(&source).arg("-o").arg(&object);
        let run = llvm::output(&clang).unwrap();
        assert!(run.status.success(), "seed {seed}: {}\n{text}", String::from_utf8_lossy(&run.stderr));
        let section = elf::section(&std::fs::read(&object).unwrap(), "img").unwrap();
        let module = read(&text);
        let image = only(&text);
        assert_eq!(image.bytes.len(), section.bytes.len(), "seed {seed}\n{text}");
        // LLVM may fill padding with anything, and what is undefined as well.
        let mut known = vec![false; image.bytes.len() * 8];
        let ty = module.variable(module.symbol_named(b"blob").unwrap()).unwrap().unwrap().ty;
        for place in flatten(&module, &DataLayout::of(&module).unwrap(), ty).unwrap() {
            known[place.bit_offset as usize..][..place.bits as usize].fill(true);
        }
        for range in image.undefined.iter().chain(&image.poison) {
            known[range.start as usize..range.end as usize].fill(false);
        }
        for (at, (&ours, &theirs)) in image.bytes.iter().zip(&section.bytes).enumerate() {
            let known = (0..8).filter(|bit| known[at * 8 + bit]).fold(0, |mask, bit| mask | 1u8 << bit);
            assert_eq!(ours & known, theirs & known, "seed {seed}: byte {at}\n{text}");
            assert_eq!(ours & !known, 0, "seed {seed}: byte {at}");
        }
        let relocations: Vec<(u64, String, i64)> = image
            .relocations
            .iter()
            .map(|relocation| {
                let Component::Address(address) = relocation.value else { panic!("seed {seed}: {relocation:?}") };
                assert_eq!((relocation.bits, address.bits, address.space), (64, 64, 0));
                let name = String::from_utf8(module.symbol_name(address.symbol).into_owned()).unwrap();
                (relocation.offset, name, address.offset)
            })
            .collect();
        assert_eq!(relocations, section.relocations, "seed {seed}\n{text}");
    }
}

#[test]
fn bytes_of_every_form() {
    let bytes = |text: &str| only(&format!("@g = global {text}")).bytes;
    assert_eq!(bytes("i32 -2"), [254, 255, 255, 255]);
    assert_eq!(bytes("i17 -1"), [255, 255, 1, 0]);
    assert_eq!(bytes("i1 true, align 4"), [1]);
    assert_eq!(bytes("float 1.5"), [0, 0, 192, 63]);
    assert_eq!(bytes("half 0xH3C00, section \"a, b\""), [0, 60]);
    assert_eq!(bytes("[4 x i8] c\"a\\22\\\\\\00\""), [b'a', b'"', b'\\', 0]);
    assert_eq!(bytes("{i8, i32} {i8 1, i32 2}"), [1, 0, 0, 0, 2, 0, 0, 0]);
    assert_eq!(bytes("<{i8, i16}> <{i8 1, i16 2}>"), [1, 2, 0]);
    assert_eq!(bytes("<8 x i1> <i1 1, i1 0, i1 0, i1 1, i1 0, i1 0, i1 0, i1 1>"), [0x89]);
    assert_eq!(bytes("<3 x i5> <i5 1, i5 2, i5 4>"), [0x41, 0x10]);
    assert_eq!(bytes("<2 x i16> splat (i16 513)"), [1, 2, 1, 2]);
    assert_eq!(bytes("i128 18446744073709551617"), [1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(bytes("[2 x ptr] zeroinitializer"), [0; 16]);
    assert_eq!(bytes("[0 x i32] []"), []);
}

#[test]
fn undefined_and_poison_bits() {
    let image = only(
        "@g = global {i8, <4 x i4>, [2 x i16], i32} {i8 1, <4 x i4> <i4 undef, i4 1, i4 poison, i4 undef>, \
                      [2 x i16] undef, i32 poison}",
    );
    assert_eq!(image.bytes, [1, 0, 0x10, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(image.undefined, [16..20, 28..64]);
    assert_eq!(image.poison, [24..28, 64..96]);
    let declared = only("@g = external global i32");
    assert_eq!((declared.bytes, &declared.undefined[0]), (vec![0; 4], &(0..32)));
    assert!(images("@g = global [2147483648 x i8] zeroinitializer")[0].as_ref().unwrap_err().contains("larger than"));
}

#[test]
fn addresses_become_relocations() {
    let text = "target datalayout = \"e-p3:32:32-p5:32:32\"
@lds = internal addrspace(3) global [8 x i32] undef
@a = alias i8, getelementptr (i8, ptr @b, i64 3)
@b = alias i8, getelementptr (i8, ptr @x, i64 4)
@x = global i32 7
declare void @f()
@g = global {i8, ptr addrspace(3), ptr, ptr, i32, ptr, i64} {
  i8 1,
  ptr addrspace(3) getelementptr (i32, ptr addrspace(3) @lds, i32 -1),
  ptr @a,
  ptr addrspacecast (ptr addrspace(3) getelementptr ([8 x i32], ptr addrspace(3) @lds, i32 0, i32 2) to ptr),
  i32 trunc (i64 ptrtoint (ptr @x to i64) to i32),
  ptr @f,
  i64 add (i64 sub (i64 ptrtoint (ptr @x to i64), i64 ptrtoint (ptr @f to i64)), i64 1)
}
";
    let module = read(text);
    let symbol = |name: &str| module.symbol_named(name.as_bytes()).unwrap();
    let image = only(text);
    let address =
        |name: &str, offset, space, bits| Component::Address(Address { symbol: symbol(name), offset, space, bits });
    let placed = |offset, bits, value| Relocation { offset, bits, value };
    assert_eq!(
        image.relocations[..5],
        [
            placed(4, 32, address("lds", -4, 3, 32)),
            placed(8, 64, address("x", 7, 0, 64)),
            placed(16, 64, address("lds", 8, 0, 64)),
            placed(24, 32, address("x", 0, 0, 32)),
            placed(32, 64, address("f", 0, 0, 64)),
        ]
    );
    let place = |name: &str, space: u64| (u64::from(symbol(name).as_u32()) + 1) * 4096 + (space << 40);
    let resolved: Vec<u64> =
        image.relocations.iter().map(|relocation| relocation.value.resolve(&Numbered).bits).collect();
    assert_eq!(
        resolved,
        [
            (place("lds", 3) - 4) & 0xFFFF_FFFF,
            place("x", 0) + 7,
            place("lds", 0) + 8,
            place("x", 0) & 0xFFFF_FFFF,
            place("f", 0),
            place("x", 0).wrapping_sub(place("f", 0)) + 1,
        ]
    );
}

#[test]
fn variables_say_what_they_are() {
    let text = "target datalayout = \"A5-G1\"
@0 = private unnamed_addr addrspace(4) constant [2 x i8] c\"x\\00\", align 1
@\"a b\" = thread_local(localdynamic) externally_initialized global i32 5, section \"s 1\", align 16, !dbg !0
@e = extern_weak addrspace(\"G\") global i64
internal global i8 3
@w = weak_odr dso_local local_unnamed_addr constant i8 0, comdat, align 2
$w = comdat any
!0 = !{}
";
    let module = read(text);
    let layout = DataLayout::of(&module).unwrap();
    let lines: Vec<String> = module
        .variable_symbols()
        .into_iter()
        .map(|symbol| {
            let variable = module.variable(symbol).unwrap().unwrap();
            format!(
                "{} {:?} in {:?}{}{}{}{} align {:?} section {:?}",
                String::from_utf8_lossy(&module.symbol_name(symbol)),
                variable.linkage,
                layout.address_space(&module.types[variable.pointer]),
                if variable.constant { " constant" } else { "" },
                if variable.thread_local { " thread_local" } else { "" },
                if variable.externally_initialized { " external" } else { "" },
                if variable.initializer.is_some() { " defined" } else { "" },
                variable.alignment,
                variable.section.map(|section| String::from_utf8_lossy(section.of(text.as_bytes())).into_owned()),
            )
        })
        .collect();
    expect_test::expect![[r#"
        [
            "0 Private in Some(4) constant defined align Some(1) section None",
            "a b Default in Some(0) thread_local external defined align Some(16) section Some(\"\\\"s 1\\\"\")",
            "e ExternWeak in Some(1) align None section None",
            " Internal in Some(0) defined align None section None",
            "w WeakOdr in Some(0) constant defined align Some(2) section None",
        ]
    "#]]
    .assert_debug_eq(&lines);
    assert!(module.variable(module.symbol_named(b"a b").unwrap()).unwrap().is_some());
    assert!(module.alias(module.symbol_named(b"a b").unwrap()).unwrap().is_none());
}
