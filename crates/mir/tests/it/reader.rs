//! What is read of a `.mir` text, and what is an error in it.

use cpu_time::ThreadTime;
use expect_test::{Expect, expect};
use reconverge_mir::{File, Machine, What};
use reconverge_testing::rounds::times;

/// Everything that is read of the functions of a text, or why one is not.
fn read(text: &str) -> String {
    let mut said = String::new();
    let file = match File::read(text) {
        Ok(file) => file,
        Err(error) => return place(text, error.offset, &error.message),
    };
    if let Some(triple) = file.triple() {
        said += &format!("triple {triple}\n");
    }
    for document in &file.documents {
        let function = match document.read() {
            Ok(function) => function,
            Err(error) => {
                said += &place(text, error.offset, &error.message);
                continue;
            }
        };
        said += &format!("function {}\n", function.name);
        for register in &function.registers {
            let boolean = if register.is_boolean { " (boolean)" } else { "" };
            said += &format!("  %{}: {}{boolean}\n", register.name, register.class);
        }
        let graph = match function.graph(Machine::find("amdgpu", None)) {
            Ok(graph) => graph.digraph,
            Err(error) => {
                said += &place(text, error.offset, &error.message);
                continue;
            }
        };
        for (index, block) in (0..).zip(&function.blocks) {
            let successors = graph.successors(reconverge_graph::Node::from_u32(index));
            let successors: Vec<String> = successors.iter().map(|node| function.block_name(node.as_u32())).collect();
            said += &format!("  bb.{} {} -> {}\n", block.number, block.name, successors.join(" "));
            for instruction in function.instructions_of(block) {
                said += &format!("    {}", instruction.opcode);
                for operand in function.operands(instruction) {
                    let what = match operand.what {
                        What::Virtual(register) => function.register_name(register),
                        What::Physical(name) => format!("${name}"),
                        What::Block(block) => function.block_name(block),
                        What::Stack => "stack".to_owned(),
                        What::Intrinsic(name) => format!("@{name}"),
                        What::Other => "other".to_owned(),
                    };
                    let part = if operand.is_part { ".part" } else { "" };
                    let how = match (operand.is_definition, operand.is_read) {
                        (true, _) => "def ",
                        (_, true) => "",
                        _ if matches!(operand.what, What::Virtual(_) | What::Physical(_)) => "undef ",
                        _ => "",
                    };
                    said += &format!(" [{how}{what}{part}]");
                }
                for memory in function.memory(instruction) {
                    let what = if memory.loads { "load" } else { "store" };
                    said += &format!(" {what}({})", memory.address_space);
                }
                said.push('\n');
            }
        }
    }
    said
}

fn place(text: &str, offset: usize, message: &str) -> String {
    let before = &text[..offset];
    let column = before.len() - before.rfind('\n').map_or(0, |newline| newline + 1) + 1;
    format!("{}:{column}: {message}\n", before.matches('\n').count() + 1)
}

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&read(text));
}

#[test]
fn everything_that_llvm_prints() {
    check(
        r#"--- |
  ; ModuleID = 'a.ll'
  target triple = "amdgcn-amd-amdhsa"

  define void @"a b"() {
  entry:
    ret void
  }
...
---
name:            'a b'
alignment:       1
registers:
  - { id: 0, class: vgpr_32, preferred-register: '', flags: [  ] }
  - { id: 1, class: _, preferred-register: '$vgpr1' }
liveins:
  - { reg: '$vgpr0', virtual-reg: '%0' }
machineFunctionInfo:
  argumentInfo:
    workGroupIDX:    { reg: '$sgpr14' }
body:             |
  bb.0.entry (%ir-block.0, align 16):
    successors: %bb.1(0x04000000), %bb.3.last(0x7c000000)
    liveins: $vgpr0, $sgpr8_sgpr9:0x0000000000000003

    %0:vgpr_32 = COPY $vgpr0
    %1:_(s32), %2:vcc(s1) = nsw nuw G_UADDO %0(s32), %0 ; a comment with bb.9:
    early-clobber renamable $vgpr1_vgpr2 = contract nofpexcept V_X killed %0.sub1, undef %1:_(<4 x s32>), implicit-def dead $scc, implicit $exec
    INLINEASM &"v_mov $0, $1; s_nop", 1 /* sideeffect, attdialect */, 1835018 /* regdef:VGPR_32 */, def early-clobber %3:vgpr_32(tied-def 5), 9 /* reguse */, %0
    %4:sreg_64 = SI_IF %2(s1), %bb.3.last, implicit-def dead $exec, debug-location !DILocation(line: 3, scope: !4)
    S_BRANCH %bb.1

  bb.1:
    successors: %bb.3

    BUNDLE implicit-def $vgpr0, implicit $exec, debug-location !12 {
      $vgpr0 = V_MOV_B32_e32 %stack.0.x, implicit $exec :: (volatile "amdgpu-noclobber" load store syncscope("agent") seq_cst (s32) from %ir.addrspace + 4, align 4, !tbaa !2, addrspace 5), (load (<4 x s32>) from @"x, (y")
      V_Y internal $vgpr0, @"g(", target-flags(amdgpu-rel32-lo) @h + 4, 4294967295, float 0x7FF8, $noreg, %subreg.sub0, CustomRegMask($sgpr0,$sgpr1)
    }
    DBG_VALUE $noreg, $noreg, !5, !DIExpression(DW_OP_plus_uconst, 4), debug-location !6

  bb.3.last:
    S_ENDPGM 0, implicit %0
...
"#,
        expect![[r#"
            triple amdgcn-amd-amdhsa
            function a b
              %0: vgpr_32
              %1: _
              %2: vcc (boolean)
              %3: vgpr_32
              %4: sreg_64
              bb.0 entry -> bb.1 bb.3
                COPY [def %0] [$vgpr0]
                G_UADDO [def %1] [def %2] [%0] [%0]
                V_X [def $vgpr1_vgpr2] [%0.part] [undef %1] [def $scc] [$exec]
                INLINEASM [def %3] [%0]
                SI_IF [def %4] [%2] [bb.3] [def $exec]
                S_BRANCH [bb.1]
              bb.1  -> bb.3
                V_MOV_B32_e32 [def $vgpr0] [stack] [$exec] load(5) load(0)
                V_Y [undef $vgpr0]
                DBG_VALUE
              bb.3 last -> 
                S_ENDPGM [%0]
        "#]],
    );
}

#[test]
fn successors_that_no_line_lists() {
    let text = "---
name: f
body: |
  bb.0:
    S_CBRANCH_SCC1 %bb.2, implicit $scc

  bb.1:
    S_BRANCH %bb.0

  bb.2:
  bb.3:
    S_ENDPGM 0
  bb.4:
";
    check(
        text,
        expect![[r#"
            function f
              bb.0  -> bb.2 bb.1
                S_CBRANCH_SCC1 [bb.2] [$scc]
              bb.1  -> bb.0
                S_BRANCH [bb.0]
              bb.2  -> bb.3
              bb.3  -> 
                S_ENDPGM
              bb.4  -> 
        "#]],
    );
    let file = File::read(text).unwrap();
    let function = file.documents[0].read().unwrap();
    let error = function.graph(None).unwrap_err();
    assert_eq!(
        error.message,
        "bb.0 has no `successors:` line, and whether `S_CBRANCH_SCC1` ends it is not known for this target"
    );
}

/// A function that is not understood does not touch the others.
#[test]
fn what_is_wrong_is_said_with_its_place() {
    let function = |body: &str| format!("---\nname: f\nbody: |\n{body}...\n---\nname: good\nbody: |\n  bb.0:\n...\n");
    let said: Vec<String> = [
        "    S_NOP 0\n",
        "  bb.0:\n    = 4\n",
        "  bb.0:\n    %0:vgpr_32, 4 = X\n",
        "  bb.0:\n    %0:vgpr_32 X\n",
        "  bb.0:\n    X %bb.7\n",
        "  bb.0:\n  bb.0:\n",
        "  bb.0\n",
        "  bb.0: X\n",
        "  bb.0:\n    successors: 3\n",
        "  bb.0:\n    successors: %bb.0\n    successors: %bb.0\n",
        "  bb.0:\n    X (3\n",
        "  bb.0:\n    X 3)\n",
        "  bb.0:\n    X \"abc\n",
        "  bb.0:\n    X 1 /* abc\n",
        "  bb.0:\n    }\n",
        "  bb.0:\n    BUNDLE {\n",
        "  bb.0:\n    BUNDLE {\n    BUNDLE {\n",
        "  bb.0:\n    X $\n",
        "  bb.0:\n    X %\n",
        "  bb.0:\n    X %0.\n",
        "  bb.0:\n    X %0:\n",
        "  bb.0:\n    %0:sreg_32 = X\n    X %0:vgpr_32\n",
        "  bb.0:\n    X :: load\n",
        "  bb.0:\n    X :: (load (s32), addrspace x)\n",
        "  bb.0:\n    X :: (load (s32)) X\n",
        "  bb.0:\n    X intrinsic(y)\n",
    ]
    .iter()
    .map(|body| read(&function(body)).replace("function good\n  bb.0  -> \n", "good\n"))
    .collect();
    expect![[r#"
        4:5: expected the label of a block, such as `bb.0:`
        5:5: expected the opcode of an instruction
        5:17: expected a register
        5:16: expected `,` or `=` after a register that is defined
        5:7: there is no block bb.7
        5:3: bb.0 is here a second time
        4:7: expected `:` after the name of a block
        4:9: expected the end of the line after the label of a block
        5:17: expected a block, such as `%bb.1`
        6:22: a second `successors:` line in this block
        5:7: this is not closed in its line
        5:8: `)` closes nothing
        5:7: this string does not end in its line
        5:9: this comment does not end in its line
        5:6: `}` closes nothing
        5:5: this bundle does not end
        6:5: a bundle in a bundle
        5:8: expected the name of a register after `$`
        5:8: expected a register after `%`
        5:10: expected a part of a register after `.`
        5:10: expected a register class or bank after `:`
        6:7: %0 is `vgpr_32` here, and `sreg_32` elsewhere
        5:10: expected `(` before what is read or written
        5:33: expected the number of an address space
        5:23: expected `,` or the end of the line
        5:17: expected `@` before the name of an intrinsic
    "#]]
    .assert_eq(&said.concat().replace("\ngood\n", "\n"));
}

#[test]
fn what_is_wrong_around_functions() {
    let texts = [
        "--- x: y\n",
        "---\nbody: |\n  bb.0:\n",
        "---\nname: f\nname: g\n",
        "---\nname: ''\n",
        "---\nname: f\nbody: x\n",
        "---\nname: f\nbody: |\n  bb.0:\nbody: |\n  bb.0:\n",
        "---\nname: f\n- x\n  y\nz\n",
        "---\n  name: f\n",
        "---\nname: f\nregisters:\n  - { id: x, class: y }\n",
        "---\nname: f\nregisters:\n  - { class: y }\n",
    ];
    let said: Vec<String> = texts.iter().map(|text| read(text)).collect();
    expect![[r#"
        1:1: expected `---`, or `--- |` before LLVM IR
        2:1: this document has no `name:`, so it is not a machine function
        3:1: `name:` is here a second time
        2:1: expected the name of a function
        3:6: expected `body: |`, and the blocks in the lines after it
        5:1: `body:` is here a second time
        5:1: expected `key: value`
        2:1: expected a key at the beginning of the line, such as `name:`
        4:7: expected the number of a register after `id:`
        4:7: expected `{ id: NUMBER, class: NAME }`
    "#]]
    .assert_eq(&said.concat());
}

/// Twice the text takes no more than some three times as long, whatever is repeated.
#[test]
fn nothing_is_read_more_than_once() {
    let of = |count: usize, piece: &str, before: &str, after: &str| {
        format!("---\nname: f\nbody: |\n  bb.0:\n{before}{}{after}...\n", piece.repeat(count))
    };
    let time = |text: &str| {
        let start = ThreadTime::now();
        let _ = File::read(text).unwrap().documents[0].read();
        start.elapsed()
    };
    for (piece, before, after) in [
        ("(", "    X ", "\n"),
        ("\"\"", "    X ", "\n"),
        ("    X\n", "", ""),
        ("%1, ", "    X ", "\n"),
        (" ", "    X", "\n"),
    ] {
        let [small, large] = [100_000, 400_000].map(|count| {
            let text = of(times(count) as usize, piece, before, after);
            (0..5).map(|_| time(&text)).min().unwrap()
        });
        assert!(large < small * 12 + std::time::Duration::from_millis(20), "{piece}: {small:?}, {large:?}");
    }
}
