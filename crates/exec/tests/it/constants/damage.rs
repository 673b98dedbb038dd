//! Initializers that are cut off or changed: an error or an answer, never a panic.

use reconverge_exec::constants::{Component, image};
use reconverge_ir::layout::DataLayout;
use reconverge_ir::{BodyEnds, Module};
use reconverge_testing::rounds::seeds;

use crate::constants::random_types::{Maker, Type};
use crate::constants::{Numbered, random};

/// Asks everything of every variable and alias.
fn ask(text: &[u8]) {
    #[expect(clippy::disallowed_methods, reason = "an initializer that is not valid is what this is about")]
    let Ok(module) = Module::read(text, BodyEnds::ByBrackets) else { return };
    let Ok(layout) = DataLayout::of(&module) else { return };
    for symbol in module.symbols.keys() {
        drop(module.alias(symbol));
        let Ok(Some(variable)) = module.variable(symbol) else { continue };
        let Ok(image) = image(&module, &layout, &variable) else { continue };
        for relocation in &image.relocations {
            relocation.value.resolve(&Numbered);
        }
    }
    for function in module.functions.values() {
        module.required_workgroup_size(function);
        module.calling_convention(function);
        module.parameter_metadata(function, b"kernel_arg_name");
        for parameter in &function.parameters {
            drop(module.type_attribute(parameter.attributes, b"byval"));
        }
    }
}

const FORMS: &str = r#"target datalayout = "e-p3:32:32-p5:32:32-i64:64-v96:128-A5"
%S = type { i8, [2 x i16], ptr }
@s = global %S { i8 1, [2 x i16] [i16 2, i16 3], ptr @a }, align 8
@a = alias i8, getelementptr inbounds (%S, ptr @s, i64 0, i32 1, i64 1)
@v = constant <3 x i5> <i5 1, i5 undef, i5 poison>, section "x"
@l = internal addrspace(3) global [4 x float] undef
@c = private constant [5 x i8] c"a\22b\\\00"
@g = global { half, ptr, i128, i64 } { half 0xH3C00, ptr addrspacecast (ptr addrspace(3) @l to ptr), i128 -5, i64 add (i64 ptrtoint (ptr @f to i64), i64 xor (i64 4, i64 u0xFF)) }
@p = global <2 x ptr> getelementptr (i8, <2 x ptr> splat (ptr @s), <2 x i64> <i64 1, i64 2>)
define spir_kernel void @f(ptr byval(%S) align 8 %0, i32 %1) #0 !reqd_work_group_size !0 !kernel_arg_name !1 {
  ret void
}
attributes #0 = { "hlsl.numthreads"="8,4,1" nounwind }
!0 = !{i32 8, i32 4, i32 1}
!1 = !{!"a", !"b"}
"#;

#[test]
fn truncations_and_flips_of_every_form() {
    ask(FORMS.as_bytes());
    for length in 0..FORMS.len() {
        ask(&FORMS.as_bytes()[..length]);
    }
    for seed in seeds(3000) {
        let mut random = random(seed);
        let mut text = FORMS.as_bytes().to_vec();
        for _ in 0..1 + random.below(3) {
            let at = random.below(text.len());
            match random.below(4) {
                0 => text[at] ^= 1 << random.below(8),
                1 => text[at] = *random.pick(b"0123456789ixptr(){}[]<>,@%\"-*").unwrap(),
                2 => drop(text.remove(at)),
                _ => {
                    let from = random.below(text.len());
                    let piece: Vec<u8> = text[from..].iter().copied().take(random.below(20)).collect();
                    text.splice(at..at, piece);
                }
            }
        }
        ask(&text);
    }
}

#[test]
fn flips_of_random_initializers() {
    for seed in seeds(300) {
        let mut maker = Maker::new(random(seed), &[0, 3]);
        maker.symbols = vec!["@t".to_string()];
        let ty: Type = maker.ty(3);
        let constant = maker.constant(&ty);
        let mut text = format!("{}@t = global i32 0\n@g = global {ty} {constant}\n", maker.definitions).into_bytes();
        ask(&text);
        for _ in 0..4 {
            let at = maker.random.below(text.len());
            text[at] = *maker.random.pick(b"0123456789ixptr(){}[]<>,@%\" ").unwrap();
            ask(&text);
        }
    }
}

/// As deep as the reader lets constants nest, and aliases of each other: no end of the stack.
#[test]
fn depth_is_bounded() {
    let deep = (0..197).fold("ptrtoint (ptr @a0 to i64)".to_string(), |inner, _| format!("xor (i64 {inner}, i64 1)"));
    let mut text = format!("@g = global i64 {deep}\n@s = alias i8, ptr @s\n@h = global ptr @s\n@x = global i8 0\n");
    for number in 0..300 {
        let next = if number < 299 { format!("@a{}", number + 1) } else { "@x".to_string() };
        text += &format!("@a{number} = alias i8, getelementptr (i8, ptr {next}, i64 1)\n");
    }
    text += "@i = global ptr @a200\n@j = alias i8, inttoptr (i64 add (i64 ptrtoint (ptr @x to i64), i64 ptrtoint (ptr @x to i64)) to ptr)\n@k = global ptr @j\n";
    let module = crate::constants::read(&text);
    let layout = DataLayout::default();
    let of = |name: &str| {
        let variable = module.variable(module.symbol_named(name.as_bytes()).unwrap()).unwrap().unwrap();
        image(&module, &layout, &variable).map(|image| image.relocations).map_err(|error| error.to_string())
    };
    let too_deep = Err("this constant nests deeper than 250 levels".to_string());
    assert_eq!((of("g"), of("h")), (too_deep.clone(), too_deep));
    let [relocation] = &of("i").unwrap()[..] else { panic!() };
    let Component::Address(address) = relocation.value else { panic!() };
    assert_eq!((address.offset, &*module.symbol_name(address.symbol)), (100, &b"x"[..]));
    assert_eq!(of("k"), Err("an alias stands for one address".to_string()));
}
