//! Straight-line programs on thread ids, executed.

use reconverge_analysis::target::Scope;
use reconverge_analysis::uniformity::lower::LoweringOptions;
use reconverge_analysis::uniformity::{Options, analyze};
use reconverge_testing::rounds::{is_one_seed, seeds};
use std::fmt::Write;

use crate::uniformity_lowering::common::{Case, amdgpu, nvptx};

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        all[(self.next() % all.len() as u64) as usize]
    }
}

/// An operation on integers; the right operand is a value or a constant.
struct Operation {
    name: &'static str,
    left: usize,
    right: Result<usize, u64>,
    width: u32,
}

fn low(bits: u64, width: u32) -> u64 {
    bits & (u64::MAX >> (64 - width))
}

fn signed(bits: u64, width: u32) -> i64 {
    (bits << (64 - width)).cast_signed() >> (64 - width)
}

impl Operation {
    fn random(random: &mut Random, widths: &[u32]) -> Operation {
        let left = (random.next() % widths.len() as u64) as usize;
        let width = widths[left];
        let name = random.pick(&[
            "lshr", "lshr", "ashr", "udiv", "udiv", "sdiv", "urem", "and", "and", "or", "xor", "add", "add", "sub",
            "mul", "shl", "zext", "sext", "trunc", "icmp ult", "icmp slt", "icmp ugt", "icmp eq", "icmp sge",
        ]);
        let wider: Vec<u32> = [16, 32, 64].into_iter().filter(|&to| to > width).collect();
        let narrower: Vec<u32> = [1, 16, 32].into_iter().filter(|&to| to < width).collect();
        let plain = |name, right| Operation { name, left, right, width };
        match name {
            "zext" | "sext" if !wider.is_empty() => Operation { name, left, right: Err(0), width: random.pick(&wider) },
            "trunc" if !narrower.is_empty() => Operation { name, left, right: Err(0), width: random.pick(&narrower) },
            "zext" | "sext" | "trunc" => plain("xor", Err(0)),
            "lshr" | "ashr" | "shl" => plain(name, Err(random.next() % u64::from(width.min(9)))),
            "udiv" | "sdiv" | "urem" | "mul" if width >= 16 => {
                plain(name, Err(random.pick(&[1, 2, 3, 16, 32, 48, 64, 96, 128, 192, 256])))
            }
            "udiv" | "sdiv" | "urem" => plain("and", Err(1)),
            _ => {
                let same: Vec<usize> = (0..widths.len()).filter(|&other| widths[other] == width).collect();
                let constants = [0, 1, 31, 32, 63, 64, 96, 127, 256, !31, !63, u64::MAX];
                let right = if random.next() & 1 == 0 { Ok(random.pick(&same)) } else { Err(random.pick(&constants)) };
                Operation { name, left, right, width: if name.starts_with("icmp") { 1 } else { width } }
            }
        }
    }

    fn evaluate(&self, values: &[u64], widths: &[u32]) -> u64 {
        let from = widths[self.left];
        let left = values[self.left];
        let right = low(self.right.map_or_else(|constant| constant, |value| values[value]), from);
        let (a, b) = (signed(left, from), signed(right, from));
        let result = match self.name {
            "lshr" => left >> right,
            "ashr" => (a >> right).cast_unsigned(),
            "udiv" => left / right,
            "sdiv" => (a / b).cast_unsigned(),
            "urem" => left % right,
            "and" => left & right,
            "or" => left | right,
            "xor" => left ^ right,
            "add" => left.wrapping_add(right),
            "sub" => left.wrapping_sub(right),
            "mul" => left.wrapping_mul(right),
            "shl" => left << right,
            "zext" | "trunc" => left,
            "sext" => a.cast_unsigned(),
            "icmp ult" => (left < right).into(),
            "icmp slt" => (a < b).into(),
            "icmp ugt" => (left > right).into(),
            "icmp eq" => (left == right).into(),
            "icmp sge" => (a >= b).into(),
            other => panic!("{other}"),
        };
        low(result, self.width)
    }

    fn write(&self, out: &mut String, index: usize, widths: &[u32]) {
        let Operation { name, left, .. } = self;
        let from = widths[*left];
        write!(out, "  %v{index} = {name} i{from} %v{left}").unwrap();
        match (*name, self.right) {
            ("zext" | "sext" | "trunc", _) => writeln!(out, " to i{}", self.width),
            (_, Ok(right)) => writeln!(out, ", %v{right}"),
            (_, Err(constant)) => writeln!(out, ", {}", signed(low(constant, from), from)),
        }
        .unwrap();
    }
}

/// Straight-line programs on thread ids, executed by all threads of a workgroup: what is called uniform is the same.
#[test]
fn thread_ids_by_execution() {
    let mut refined = 0;
    for seed in seeds(1000) {
        let mut random = Random(seed);
        let extents = [[1, 2, 3, 4, 8, 16, 32, 64, 96, 128, 256].as_slice(), &[1, 1, 1, 2, 3, 4], &[1, 1, 2, 4]]
            .map(|extents| random.pick(extents));
        let (cpu, size) = random.pick(&[("gfx900", 64), ("gfx1030", 32)]);
        let mut widths = vec![32; 4];
        let operations: Vec<Operation> = (0..12)
            .map(|_| {
                let operation = Operation::random(&mut random, &widths);
                widths.push(operation.width);
                operation
            })
            .collect();
        let mut body = String::new();
        for (index, operation) in operations.iter().enumerate() {
            operation.write(&mut body, index + 4, &widths);
        }
        let [x, y, z] = extents;
        let text = amdgpu(&format!(
            "define amdgpu_kernel void @f(i32 %v3) \"target-cpu\"=\"{cpu}\" !reqd_work_group_size !0 {{
  %v0 = call i32 @llvm.amdgcn.workitem.id.x()
  %v1 = call i32 @llvm.amdgcn.workitem.id.y()
  %v2 = call i32 @llvm.amdgcn.workitem.id.z()
{body}  ret void
}}
!0 = !{{i32 {x}, i32 {y}, i32 {z}}}
"
        ));
        let argument = low(random.pick(&[random.0, 0, 1, 64, 1 << 31]), 32);
        let threads: Vec<Vec<u64>> = (0..x * y * z)
            .map(|number| {
                let mut values = vec![number % x, number / x % y, number / (x * y), argument];
                for operation in &operations {
                    values.push(operation.evaluate(&values, &widths));
                }
                values
            })
            .collect();
        for (scope, size) in [(Scope::Subgroup, size), (Scope::Workgroup, x * y * z)] {
            let case = Case::new(&text, "f", LoweringOptions::new(scope));
            let lowered = case.lower();
            let uniformity = analyze(&lowered.problem, &Options::default());
            refined += lowered.refined.len();
            for (index, cause) in (0..).zip(&uniformity.values) {
                let name = case.name(&lowered, index);
                let Some(value) = name.strip_prefix("%v").filter(|_| cause.is_none()) else { continue };
                let value: usize = value.parse().unwrap();
                for group in threads.chunks(size as usize) {
                    let same = group.iter().all(|thread| thread[value] == group[0][value]);
                    assert!(same, "seed {seed}, {scope:?}: {name} differs, in groups of {size} threads of\n{text}");
                }
            }
        }
    }
    assert!(is_one_seed() || refined > 1000, "{refined}");
}

/// Sums of products of ids and extents, of which the number of the thread is one, in launches of which nothing is known beforehand.
#[test]
fn numbers_by_execution() {
    const NAMES: [&str; 6] = ["%x", "%y", "%z", "%X", "%Y", "%Z"];
    const NUMBER: [&[usize]; 3] = [&[0], &[3, 1], &[3, 4, 2]];
    let mut options = LoweringOptions::new(Scope::Subgroup);
    options.refinements.one_dimensional = false;
    let mut uniform = 0;
    for seed in seeds(1000) {
        let mut random = Random(seed);
        let mut products: Vec<Vec<usize>> = NUMBER.iter().map(|product| product.to_vec()).collect();
        // Half of them are the number, others nearly.
        match random.next() % 8 {
            0 => drop(products.remove((random.next() % 3) as usize)),
            1 => {
                let product = (random.next() % 3) as usize;
                let factor = (random.next() % products[product].len() as u64) as usize;
                products[product][factor] = (random.next() % 6) as usize;
            }
            2 => products.push(vec![(random.next() % 6) as usize]),
            3 => products[2].truncate(2),
            _ => {}
        }
        let mut body = String::new();
        let mut count = 0;
        let mut join = |body: &mut String, operation: &str, mut all: Vec<String>, random: &mut Random| {
            while all.len() > 1 {
                let one = all.swap_remove((random.next() % all.len() as u64) as usize);
                let other = all.swap_remove((random.next() % all.len() as u64) as usize);
                writeln!(body, "  %n{count} = {operation} i32 {one}, {other}").unwrap();
                all.push(format!("%n{count}"));
                count += 1;
            }
            all.remove(0)
        };
        // `x + X·(y + Y·z)`, or all multiplied out.
        let shares = random.next().is_multiple_of(2)
            && products.len() == 3
            && products[1].contains(&3)
            && products[2].contains(&3);
        let written = |product: &[usize]| product.iter().map(|&factor| NAMES[factor].to_owned()).collect::<Vec<_>>();
        let number = if shares {
            let rest = |product: &Vec<usize>| {
                let at = product.iter().position(|&factor| factor == 3).unwrap();
                let mut rest = written(product);
                rest.remove(at);
                rest
            };
            let rests = products[1..].iter().map(rest).collect::<Vec<_>>();
            let rests = rests.into_iter().map(|all| if all.is_empty() { vec!["1".to_owned()] } else { all });
            let sum = rests.map(|all| join(&mut body, "mul", all, &mut random)).collect();
            let sum = join(&mut body, "add", sum, &mut random);
            let scaled = join(&mut body, "mul", vec!["%X".to_owned(), sum], &mut random);
            let first = join(&mut body, "mul", written(&products[0]), &mut random);
            join(&mut body, "add", vec![first, scaled], &mut random)
        } else {
            let all = products.iter().map(|product| join(&mut body, "mul", written(product), &mut random)).collect();
            join(&mut body, "add", all, &mut random)
        };
        let (operation, divisor) = random.pick(&[("udiv", 32), ("sdiv", 32), ("udiv", 64), ("udiv", 16), ("udiv", 96)]);
        let text = nvptx(&format!(
            "declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.z()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.z()
define ptx_kernel void @f() {{
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %z = call i32 @llvm.nvvm.read.ptx.sreg.tid.z()
  %X = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %Y = call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %Z = call i32 @llvm.nvvm.read.ptx.sreg.ntid.z()
{body}  %warp = {operation} i32 {number}, {divisor}
  ret void
}}
"
        ));
        let case = Case::new(&text, "f", options);
        let lowered = case.lower();
        let causes = analyze(&lowered.problem, &Options::default()).values;
        let is_uniform =
            (0..).zip(&causes).any(|(index, cause)| cause.is_none() && case.name(&lowered, index) == "%warp");
        uniform += u64::from(is_uniform);
        for _ in 0..8 {
            let [x, y, z] = [[1, 2, 3, 5, 8, 16, 20, 32, 33, 64].as_slice(), &[1, 2, 3, 4, 6], &[1, 2, 3]]
                .map(|extents| random.pick(extents));
            let warp = |number: u64| {
                let values = [number % x, number / x % y, number / (x * y), x, y, z];
                let product = |product: &Vec<usize>| product.iter().map(|&factor| values[factor]).product::<u64>();
                products.iter().map(product).sum::<u64>() / divisor
            };
            let warps: Vec<u64> = (0..x * y * z).map(warp).collect();
            let is_same = warps.chunks(32).all(|lanes| lanes.iter().all(|&lane| lane == lanes[0]));
            assert!(is_same || !is_uniform, "seed {seed}: {x} × {y} × {z} threads of\n{text}");
            assert!(is_uniform || products != NUMBER || divisor % 32 != 0, "seed {seed}: divergent in\n{text}");
        }
    }
    assert!(uniform > 300 || seeds(1000).end - seeds(1000).start < 1000, "{uniform}");
}
