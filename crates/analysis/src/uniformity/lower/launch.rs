//! What a function's header says about launches: the size of workgroups and of subgroups.
//!
//! Everything here is a promise by whoever wrote the header: threads of other launches do not execute the function.

use reconverge_ir::function::MetadataNumber;
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
    wave_of_processor: Option<u32>,
    private_addresses_differ: bool,
    pub(super) nounwind: bool,
}

impl Attributes {
    /// What stands in `span`; groups are looked up in `groups`.
    pub(super) fn read(text: &[u8], span: Span, groups: &FxHashMap<u32, Attributes>) -> Attributes {
        let mut attributes = Attributes::default();
        for token in (Tokens { rest: span.of(text) }) {
            match token {
                Token::Word(b"nounwind") => attributes.nounwind = true,
                Token::Word(_) => {}
                Token::Group(number) => {
                    if let Some(group) = groups.get(&number) {
                        attributes.add(group);
                    }
                }
                Token::Pair(key, value) => attributes.pair(key, value),
                Token::Metadata(..) => {}
            }
        }
        attributes
    }

    fn add(&mut self, other: &Attributes) {
        self.extents = other.extents.or(self.extents);
        self.most_threads = other.most_threads.or(self.most_threads);
        self.wave = other.wave.or(self.wave);
        self.wave_of_processor = other.wave_of_processor.or(self.wave_of_processor);
        self.private_addresses_differ |= other.private_addresses_differ;
        self.nounwind |= other.nounwind;
    }

    fn pair(&mut self, key: &[u8], value: &[u8]) {
        match key {
            b"amdgpu-flat-work-group-size" => self.most_threads = numbers(value).get(1).copied(),
            b"nvvm.maxntid" => self.most_threads = product(&numbers(value)),
            b"nvvm.reqntid" | b"hlsl.numthreads" => self.extents = three(&numbers(value)),
            b"target-cpu" => {
                self.wave_of_processor = wave_of_processor(value);
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
    let attributes = Attributes::read(module.text, function.suffix, groups);
    let mut extents = attributes.extents;
    for token in (Tokens { rest: function.suffix.of(module.text) }) {
        if let Token::Metadata(b"reqd_work_group_size", node) = token
            && let Some(required) = node.and_then(|node| module.metadata.get(&node))
        {
            extents = three(&integers_of(required.of(module.text))).or(extents);
        }
    }
    Launch {
        extents: extents.map_or([None; 3], |extents| extents.map(Some)),
        most_threads: attributes.most_threads,
        subgroup: attributes.wave.or(attributes.wave_of_processor).or(subgroup),
        private_addresses_differ: attributes.private_addresses_differ,
    }
}

/// How many threads a subgroup of an AMD processor has by default.
fn wave_of_processor(name: &[u8]) -> Option<u32> {
    let generation = name.strip_prefix(b"gfx")?;
    // `gfx10-1-generic`, `gfx1030`, `gfx90a`: two digits of the generation where there are four characters or a dash.
    let wide = ["10", "11", "12", "13"].iter().any(|prefix| generation.starts_with(prefix.as_bytes()));
    let long = generation.len() >= 4 || generation.get(2) == Some(&b'-');
    Some(if wide && long { 32 } else { 64 })
}

fn three(numbers: &[u32]) -> Option<[u32; 3]> {
    let at = |index: usize| numbers.get(index).copied().unwrap_or(1);
    (!numbers.is_empty()).then(|| [at(0), at(1), at(2)])
}

fn product(numbers: &[u32]) -> Option<u32> {
    (!numbers.is_empty()).then(|| numbers.iter().try_fold(1u32, |product, &number| product.checked_mul(number)))?
}

/// `1,64`; nothing if an element is not a number.
fn numbers(list: &[u8]) -> Vec<u32> {
    let number = |part: &[u8]| std::str::from_utf8(part).ok()?.trim().parse().ok();
    list.split(|&byte| byte == b',').map(number).collect::<Option<Vec<u32>>>().unwrap_or_default()
}

/// `!{i32 16, i32 16, i32 1}`; nothing if an element is not an integer.
fn integers_of(node: &[u8]) -> Vec<u32> {
    let Some(inner) = node.trim_ascii().strip_prefix(b"!{").and_then(|rest| rest.strip_suffix(b"}")) else {
        return Vec::new();
    };
    let number = |part: &[u8]| {
        let part = std::str::from_utf8(part).ok()?.trim();
        part.strip_prefix('i')?.split_once(' ')?.1.trim().parse().ok()
    };
    inner.split(|&byte| byte == b',').map(number).collect::<Option<Vec<u32>>>().unwrap_or_default()
}

enum Token<'t> {
    Word(&'t [u8]),
    Group(u32),
    Pair(&'t [u8], &'t [u8]),
    Metadata(&'t [u8], Option<MetadataNumber>),
}

/// The attributes and attachments in a text that the reader has accepted; what is of no use here comes as words.
struct Tokens<'t> {
    rest: &'t [u8],
}

impl<'t> Tokens<'t> {
    fn take(&mut self, length: usize) -> &'t [u8] {
        let (token, rest) = self.rest.split_at(length.min(self.rest.len()));
        self.rest = rest;
        token
    }

    fn word(&mut self) -> &'t [u8] {
        let length = self.rest.iter().position(|byte| !byte.is_ascii_alphanumeric() && !b"_.-$".contains(byte));
        self.take(length.unwrap_or(self.rest.len()))
    }

    fn string(&mut self) -> &'t [u8] {
        let Some(inner) = self.rest.strip_prefix(b"\"") else { return b"" };
        let length = inner.iter().position(|&byte| byte == b'"').unwrap_or(inner.len());
        self.take(length + 2)
    }
}

impl<'t> Iterator for Tokens<'t> {
    type Item = Token<'t>;

    fn next(&mut self) -> Option<Token<'t>> {
        self.rest = self.rest.trim_ascii_start();
        Some(match *self.rest.first()? {
            b'"' => {
                let key = self.string();
                let mut value: &[u8] = b"";
                if self.rest.first() == Some(&b'=') {
                    self.take(1);
                    value = self.string();
                }
                let inner = |string: &'t [u8]| string.strip_prefix(b"\"").and_then(|rest| rest.strip_suffix(b"\""));
                Token::Pair(inner(key).unwrap_or(b""), inner(value).unwrap_or(b""))
            }
            b'#' => {
                self.take(1);
                let number = std::str::from_utf8(self.word()).ok().and_then(|digits| digits.parse().ok());
                number.map_or(Token::Word(b""), Token::Group)
            }
            b'!' => {
                self.take(1);
                let kind = self.word();
                self.rest = self.rest.trim_ascii_start();
                let node = self.rest.first() == Some(&b'!');
                self.take(usize::from(node));
                let digits = if node { self.word() } else { b"" };
                let number = std::str::from_utf8(digits).ok().and_then(|digits| digits.parse::<u32>().ok());
                Token::Metadata(kind, number.filter(|&number| number != u32::MAX).map(MetadataNumber::from_u32))
            }
            _ => match self.word() {
                b"" => Token::Word(self.take(1)),
                word => Token::Word(word),
            },
        })
    }
}
