//! Launches of random kernels and of cases.

use reconverge_exec::launch::{
    AnchorPolicy, Argument, Contents, Element, Entry, Launch, Limits, MaskReading, Model, Schedule,
};
use reconverge_testing::random::SplitMix64;
use reconverge_testing::random::kernels::Kernel;

use crate::reference::case::{self, Value};

/// What launches of tests begin with: maximal convergence, lock-step, each thread alone at anchors; races are looked for, and all events are kept.
pub fn plain(
    kernel: &str,
    grid: [u32; 3],
    block: [u32; 3],
    subgroup: u32,
    arguments: Vec<(String, Argument)>,
) -> Launch {
    Launch {
        kernel: kernel.to_owned(),
        grid,
        block,
        subgroup,
        arguments,
        model: Model::Maximal { hierarchy: 0 },
        schedule: Schedule::Lockstep,
        anchors: AnchorPolicy::Solo,
        entry: Entry::Converged,
        masks: MaskReading::Partition,
        limits: Limits { instructions: 1 << 22, stack: 1 << 12, memory: 1 << 20, calls: 8, ..Limits::default() },
        threads: 1,
        max_events: usize::MAX,
        races: true,
    }
}

/// The parameters of a random kernel that are not any number, for so many workgroups of a size.
pub fn given(kernel: &Kernel, block: [u32; 2], groups: u32) -> Vec<(String, Argument)> {
    let threads = u64::from(block[0] * block[1]);
    let length = Kernel::OUTPUTS * threads * u64::from(groups);
    assert!(!kernel.shape.promised || block == kernel.shape.block, "the kernel promises another size");
    let arguments = [
        ("out", Argument::Buffer { element: Element::U32, length, contents: Contents::Zero }),
        ("n", Argument::Scalar(threads.to_string())),
        ("nx", Argument::Scalar(block[0].to_string())),
    ];
    arguments.map(|(name, argument)| (name.to_owned(), argument)).to_vec()
}

/// The other parameters of a random kernel.
pub fn data(rng: &mut SplitMix64) -> Vec<(String, Argument)> {
    // Often few different numbers, so that different threads can load the same.
    let most = [2, 5, 1 << 20][rng.below(3)];
    let inputs = (0..Kernel::INPUTS).flat_map(|_| (rng.below(most) as u32).to_le_bytes()).collect();
    let most = [6, 1 << 16][rng.below(2)];
    let arguments = [
        ("in", Argument::Buffer { element: Element::U32, length: Kernel::INPUTS, contents: Contents::Bytes(inputs) }),
        ("a", Argument::Scalar(rng.below(9).to_string())),
        ("b", Argument::Scalar(rng.below(most).to_string())),
    ];
    arguments.map(|(name, argument)| (name.to_owned(), argument)).to_vec()
}

/// A launch of up to three workgroups of a random kernel with random data, of its own shape.
pub fn of_kernel(kernel: &Kernel, rng: &mut SplitMix64) -> Launch {
    let groups = 1 + rng.below(3) as u32;
    of_groups(kernel, rng, kernel.shape.block, groups)
}

/// A launch of so many workgroups of a size.
pub fn of_groups(kernel: &Kernel, rng: &mut SplitMix64, block: [u32; 2], groups: u32) -> Launch {
    let mut arguments = given(kernel, block, groups);
    arguments.extend(data(rng));
    plain("k", [groups, 1, 1], [block[0], block[1], 1], kernel.shape.subgroup, arguments)
}

/// What a case asks for, on all cores, with maximal anchors; no events are kept.
pub fn of_case(case: &case::Launch) -> Launch {
    let argument = |(name, value): &(String, Value)| {
        let argument = match value {
            Value::Number(number) => Argument::Scalar(number.clone()),
            Value::Buffer { element, bytes } => Argument::Buffer {
                element: *element,
                length: bytes.len() as u64 / element.size(),
                contents: Contents::Bytes(bytes.clone()),
            },
        };
        (name.clone(), argument)
    };
    let arguments = case.arguments.iter().map(argument).collect();
    Launch {
        limits: Limits { instructions: 2_000_000_000, ..Limits::default() },
        anchors: AnchorPolicy::Maximal,
        threads: 0,
        max_events: 0,
        ..plain(&case.kernel, case.grid, case.block, case.subgroup, arguments)
    }
}
