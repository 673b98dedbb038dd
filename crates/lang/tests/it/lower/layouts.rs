//! Where members of random structs are, by C's rules for a target and by LLVM's for what is written.

use cranelift_entity::SecondaryMap;
use reconverge_ir::layout::DataLayout;
use reconverge_ir::{BodyEnds, Module};
use reconverge_lang::lower::{LowerOptions, lower};
use reconverge_lang::options::{Dialect, LowerTarget};
use reconverge_lang::source::{Location, Sources};
use reconverge_lang::typed::{AddressSpace, Field, FloatKind, GlobalData, Layout, Program, StructData, Type, TypeKind};
use reconverge_testing::rounds;

/// A program with structs whose members are made from numbers, and a global of each.
fn program(target: LowerTarget, mut below: impl FnMut(usize) -> usize) -> Program {
    let mut program = Program::new(Dialect::OpenCl, target);
    let types = &mut program.types;
    let mut known: Vec<Type> = [8, 16, 32, 64, 128].map(|bits| types.integer(bits, true)).to_vec();
    known.extend([types.bool(), types.float(FloatKind::Half), types.float(FloatKind::Double)]);
    for lanes in [2, 3, 4, 8, 16] {
        let element = known[below(4)];
        known.push(types.vector(element, lanes));
    }
    known.extend([AddressSpace::Local, AddressSpace::Global].map(|space| types.pointer(known[0], space)));
    for number in 0..20 {
        let mut fields = Vec::new();
        for _ in 0..1 + below(5) {
            let mut of = known[below(known.len())];
            if below(4) == 0 {
                of = types.intern(TypeKind::Array { element: of, length: below(4) as u64 });
            }
            fields.push(Field { name: String::new(), of });
        }
        let data = StructData {
            name: format!("s{number}"),
            is_union: below(4) == 0,
            is_packed: below(4) == 0,
            alignment: (below(4) == 0).then(|| 1 << below(7)),
            fields,
            is_complete: true,
            layout: Default::default(),
        };
        let number = types.structs.push(data);
        known.push(types.intern(TypeKind::Struct(number)));
    }
    for (number, of) in known.into_iter().enumerate() {
        program.globals.push(GlobalData {
            name: format!("g{number}"),
            written: String::new(),
            of,
            space: AddressSpace::Global,
            is_constant: false,
            is_external: false,
            is_internal: false,
            initializer: None,
            alignment: None,
            location: Location::NONE,
        });
    }
    program
}

/// What is written lies where C says, also for who reads it by LLVM's rules.
#[test]
fn layouts_are_those_of_c() {
    let seeds = rounds::seeds(50);
    println!("{seeds:?}");
    for seed in seeds {
        let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        let below = move |below: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 33) as usize % below
        };
        let target = [LowerTarget::Spirv, LowerTarget::Amdgpu, LowerTarget::Nvptx][seed as usize % 3];
        let program = program(target, below);
        let plans = SecondaryMap::new();
        let text = lower(&program, &Sources::default(), &plans, &LowerOptions::default()).text;
        let module = Module::read(&text, BodyEnds::ByBrackets).expect("IR");
        let layout = DataLayout::of(&module).expect("a layout");
        let c = Layout { types: &program.types, target };
        for (symbol, global) in module.variable_symbols().into_iter().zip(program.globals.values()) {
            let variable = module.variable(symbol).expect("IR").expect("a variable");
            let place = format!("seed {seed}, {}", global.name);
            assert_eq!(layout.alloc_size(&module, variable.ty), Ok(c.size(global.of)), "{place}");
            assert_eq!(variable.alignment, Some(c.alignment(global.of)), "{place}");
            let TypeKind::Struct(number) = *program.types.kind(global.of) else { continue };
            // A union is bytes, and a struct has bytes where C leaves some out.
            let offsets = layout.struct_layout(&module, variable.ty).expect("a struct").offsets;
            for field in 0..program.types.structs[number].fields.len() as u32 {
                assert!(offsets.contains(&c.offset(number, field)), "{place}, {field}: {offsets:?}");
            }
        }
    }
}
