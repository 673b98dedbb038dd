//! What a function's header says about launches: the size of workgroups and of subgroups.
//!
//! Everything here is a promise by whoever wrote the header: threads of other launches do not execute the function.

use reconverge_ir::attributes::{Attribute, numbers, workgroup_size_of_attribute, workgroup_size_of_node};
use reconverge_ir::module::FunctionData;
use reconverge_ir::{Module, Span};
use rustc_hash::FxHashMap;

/// What is known of the launches of a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Launch {
    /// The size of the workgroup in each dimension.
    pub extents: [Option<u32>; 3],
    /// The most threads that a workgroup has.
    pub most_threads: Option<u32>,
    /// The number of threads of a subgroup; they have consecutive numbers in the workgroup, and the first of them is
    /// divisible by this.
    pub subgroup: Option<u32>,
    /// Whether memory of a thread has an address in the generic address space that differs from thread to thread.
    pub private_addresses_differ: bool,
    /// Whether an operation in which each lane names the one that it reads works across the whole wave (`ds.bpermute`): with waves
    /// of 64 lanes, some processors do so in each half.
    pub permutes_whole_wave: bool,
}

/// What somebody knows of the launches of kernels that do not say it themselves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct StatedLaunch {
    /// The size of the workgroup in each dimension.
    pub block: Option<[u32; 3]>,
    /// The number of threads of a subgroup.
    pub subgroup: Option<u32>,
}

impl Launch {
    /// The most threads that a workgroup has, from all that is known.
    pub fn workgroup_limit(&self) -> Option<u32> {
        let product = match self.extents {
            [Some(x), Some(y), Some(z)] => x.checked_mul(y).and_then(|area| area.checked_mul(z)),
            _ => None,
        };
        match (product, self.most_threads) {
            (Some(product), Some(most)) => Some(product.min(most)),
            (product, most) => product.or(most),
        }
    }

    /// Whether a workgroup has one thread, so that all sets of threads that are asked about but the grid have.
    pub fn is_single_thread(&self) -> bool {
        self.workgroup_limit() == Some(1)
    }

    /// Whether a workgroup is part of one subgroup.
    pub fn is_single_subgroup(&self) -> bool {
        self.is_single_thread()
            || matches!((self.workgroup_limit(), self.subgroup), (Some(most), Some(size)) if most <= size)
    }

    /// The largest number that a thread has in a dimension.
    pub fn largest_id(&self, dimension: usize) -> Option<u32> {
        match (self.extents[dimension], self.workgroup_limit()) {
            (Some(extent), Some(limit)) => Some(extent.min(limit)),
            (extent, limit) => extent.or(limit),
        }
        .map(|count| count.saturating_sub(1))
    }
}

/// What attributes say, of a function or of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Attributes {
    extents: Option<[u32; 3]>,
    most_threads: Option<u32>,
    wave: Option<u32>,
    generation: Option<u32>,
    private_addresses_differ: bool,
    pub(super) nounwind: bool,
    /// The result of a call is uniform when its operands are.
    pub(super) no_divergence_source: bool,
}

impl Attributes {
    /// What stands in `span`; groups are looked up in `groups`.
    pub(super) fn read(module: &Module<'_>, span: Span, groups: &FxHashMap<u32, Attributes>) -> Attributes {
        let mut attributes = Attributes::default();
        for attribute in module.attributes(span) {
            match attribute {
                Attribute::Word { name: b"nounwind", .. } => attributes.nounwind = true,
                Attribute::Word { name: b"nodivergencesource", .. } => attributes.no_divergence_source = true,
                Attribute::Group(number) => {
                    if let Some(group) = groups.get(&number) {
                        attributes.add(group);
                    }
                }
                Attribute::Text { name, value } => attributes.pair(name, value),
                _ => {}
            }
        }
        attributes
    }

    fn add(&mut self, other: &Attributes) {
        self.extents = other.extents.or(self.extents);
        self.most_threads = other.most_threads.or(self.most_threads);
        self.wave = other.wave.or(self.wave);
        self.generation = other.generation.or(self.generation);
        self.private_addresses_differ |= other.private_addresses_differ;
        self.nounwind |= other.nounwind;
        self.no_divergence_source |= other.no_divergence_source;
    }

    fn pair(&mut self, key: &[u8], value: &[u8]) {
        if let Some(extents) = workgroup_size_of_attribute(key, value) {
            self.extents = Some(extents);
        }
        match key {
            b"amdgpu-flat-work-group-size" => self.most_threads = numbers(value).get(1).copied(),
            b"nvvm.maxntid" => self.most_threads = product(&numbers(value)),
            b"target-cpu" => {
                self.generation = generation_of(value);
                self.private_addresses_differ = value.starts_with(b"gfx125");
            }
            b"target-features" => {
                for feature in value.split(|&byte| byte == b',') {
                    match feature {
                        b"+wavefrontsize32" => self.wave = Some(32),
                        b"+wavefrontsize64" => self.wave = Some(64),
                        b"+wavefrontsize16" => self.wave = Some(16),
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }
}

/// The launches of a function. `subgroup` is the size of subgroups on the target where functions do not say.
pub(super) fn launch_of(
    module: &Module<'_>,
    function: &FunctionData,
    groups: &FxHashMap<u32, Attributes>,
    subgroup: Option<u32>,
) -> Launch {
    let attributes = Attributes::read(module, function.suffix, groups);
    let attached = module.attachment(function.suffix, b"reqd_work_group_size").and_then(workgroup_size_of_node);
    let extents = attached.or(attributes.extents);
    let generation = attributes.generation.or_else(|| generation_of_triple(&module.target_triple()));
    let subgroup = attributes.wave.or(generation.map(wave_of)).or(subgroup);
    let is_whole = generation.is_some_and(|generation| generation <= 9 || generation == 12);
    Launch {
        extents: extents.map_or([None; 3], |extents| extents.map(Some)),
        most_threads: attributes.most_threads,
        subgroup,
        private_addresses_differ: attributes.private_addresses_differ,
        permutes_whole_wave: is_whole || subgroup.is_some_and(|size| size <= 32),
    }
}

/// The generation of an AMD processor: 9 for `gfx90a` and `gfx9-generic`, 10 for `gfx1030` and `gfx10-1-generic`.
fn generation_of(name: &[u8]) -> Option<u32> {
    // Those that have names are of the sixth, seventh and eighth.
    const NAMED: [(&[&str], u32); 3] = [
        (&["tahiti", "pitcairn", "verde", "oland", "hainan"], 6),
        (&["bonaire", "kabini", "kaveri", "hawaii", "mullins"], 7),
        (&["tonga", "iceland", "carrizo", "fiji", "polaris10", "polaris11", "stoney", "tongapro"], 8),
    ];
    let name = std::str::from_utf8(name).ok()?;
    let Some(version) = name.strip_prefix("gfx") else {
        return NAMED.iter().find(|(names, _)| names.contains(&name)).map(|&(_, generation)| generation);
    };
    // The last two characters are the minor version and the stepping.
    let major =
        version.split_once('-').map_or_else(|| version.get(..version.len().checked_sub(2)?), |(major, _)| Some(major));
    major?.parse().ok()
}

/// The generation that a triple names: 11 for `amdgpu11.00-amd-amdhsa`.
fn generation_of_triple(triple: &[u8]) -> Option<u32> {
    let version = std::str::from_utf8(triple.strip_prefix(b"amdgpu")?).ok()?;
    version.split(['.', '-']).next()?.parse().ok()
}

/// How many threads a subgroup of an AMD processor has by default.
fn wave_of(generation: u32) -> u32 {
    if generation >= 10 { 32 } else { 64 }
}

fn product(numbers: &[u32]) -> Option<u32> {
    (!numbers.is_empty()).then(|| numbers.iter().try_fold(1u32, |product, &number| product.checked_mul(number)))?
}
