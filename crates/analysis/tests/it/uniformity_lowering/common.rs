//! Lowers a function of a text and describes it.

use std::fmt::Write;

use expect_test::Expect;
use reconverge_analysis::target::{Scope, Target};
use reconverge_analysis::uniformity::lower::{
    Input, Lowered, LoweringOptions, ModuleFacts, Origin, Refinements, Summaries, lower,
};
use reconverge_analysis::uniformity::{Branch, Options, Rule, analyze};
use reconverge_ir::constant::ConstantData;
use reconverge_ir::function::{Block, Definition, Value};
use reconverge_ir::module::FunctionId;
use reconverge_ir::{BodyEnds, Function, FunctionReader, Module};

/// A function that was lowered.
pub(crate) struct Case<'t> {
    pub(crate) module: Module<'t>,
    pub(crate) id: FunctionId,
    pub(crate) function: Function,
    pub(crate) options: LoweringOptions,
}

impl<'t> Case<'t> {
    pub(crate) fn new(text: &'t str, name: &str, options: LoweringOptions) -> Case<'t> {
        let module = Module::read(text.as_bytes(), BodyEnds::AtLineStart).expect("the fixture reads");
        let symbol = module.symbol_named(name.as_bytes()).expect("the fixture has the function");
        let id = module.function_of(symbol).expect("it is a function");
        let function = FunctionReader::new(&module).read(id).expect("the fixture reads");
        Case { module, id, function, options }
    }

    pub(crate) fn lower(&self) -> Lowered {
        let target = Target::for_triple(&self.module.target_triple());
        let facts = ModuleFacts::new(&self.module, target);
        let summaries = Summaries::compute(&self.module, &facts, &self.options, &Options::default());
        let summaries = &summaries.expect("the fixture reads");
        let Case { module, id, function, options } = self;
        lower(Input { module, facts: &facts, id: *id, function, summaries }, options)
    }

    pub(crate) fn name(&self, lowered: &Lowered, index: u32) -> String {
        match lowered.origins[index as usize] {
            Origin::Value(value) => match self.function.name(value) {
                Some(name) => format!("%{}", self.module.local_name(name)),
                None => self.constant(value),
            },
            Origin::Variable { alloca, block } => {
                let name = self.module.local_name(self.function.instructions[alloca].name);
                format!("*%{name} in {}", self.block(block))
            }
            other => format!("{other:?}"),
        }
    }

    pub(crate) fn constant(&self, value: Value) -> String {
        match self.function.values[value].definition {
            Definition::Constant(ConstantData::Integer(number)) => number.to_string(),
            Definition::Constant(ConstantData::Literal(span)) => {
                String::from_utf8_lossy(span.of(self.module.text)).into_owned()
            }
            definition => format!("{definition:?}"),
        }
    }

    pub(crate) fn block(&self, block: Block) -> String {
        format!("%{}", self.module.local_name(self.function.blocks[block].name))
    }

    pub(crate) fn describe(&self) -> String {
        let lowered = self.lower();
        let problem = &lowered.problem;
        let uniformity = analyze(problem, &Options::default());
        let verdict = |divergent: bool| if divergent { "divergent" } else { "uniform" };
        let mut out = String::new();
        for (index, value) in (0..).zip(&problem.values) {
            if value.rule == Rule::Constant && lowered.refinement_of(index).is_none() {
                continue;
            }
            let operands: Vec<String> = problem.operands(index).iter().map(|&one| self.name(&lowered, one)).collect();
            let rule = format!("{:?}", value.rule).to_lowercase();
            let verdict = verdict(uniformity.values[index as usize].is_some());
            write!(out, "{}: {rule}({}) {verdict}", self.name(&lowered, index), operands.join(", ")).unwrap();
            if let Some(refinement) = lowered.refinement_of(index) {
                write!(out, " by {refinement:?}").unwrap();
            }
            out.push('\n');
        }
        for (node, branch) in problem.branches.iter().enumerate() {
            let what = match branch {
                Branch::Uniform => continue,
                Branch::On(value) => format!("on {}", self.name(&lowered, *value)),
                Branch::Source => "source".to_owned(),
            };
            writeln!(out, "branch n{node}: {what} {}", verdict(uniformity.branches[node].is_some())).unwrap();
        }
        for region in &problem.regions {
            writeln!(out, "region of {:?}: {:?}", region.definition, region.nodes).unwrap();
        }
        out
    }
}

/// Describes the function `f` of a module, for subgroups.
pub(crate) fn check(text: &str, expected: Expect) {
    check_with(text, LoweringOptions::new(Scope::Subgroup), expected);
}

pub(crate) fn check_with(text: &str, options: LoweringOptions, expected: Expect) {
    expected.assert_eq(&Case::new(text, "f", options).describe());
}

pub(crate) const AMDGPU: &str = "target triple = \"amdgcn-amd-amdhsa\"
declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.workitem.id.y()
declare i32 @llvm.amdgcn.workitem.id.z()
declare i32 @llvm.amdgcn.workgroup.id.x()
declare i32 @llvm.amdgcn.readfirstlane.i32(i32)
declare i32 @unknown(i32)
";

pub(crate) const NVPTX: &str = "target triple = \"nvptx64-nvidia-cuda\"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @unknown(i32)
";

pub(crate) fn amdgpu(text: &str) -> String {
    format!("{AMDGPU}{text}")
}

pub(crate) fn nvptx(text: &str) -> String {
    format!("{NVPTX}{text}")
}

pub(crate) fn without(change: impl Fn(&mut Refinements)) -> LoweringOptions {
    let mut options = LoweringOptions::new(Scope::Subgroup);
    change(&mut options.refinements);
    options
}
