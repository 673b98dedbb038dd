//! Memory as kernels see it.
//!
//! An [`Address`] leads to a byte of an *object*: a buffer or variable in [`GlobalMemory`], which the workgroups of a launch share; an
//! object in the local memory of a workgroup; or what an `alloca` made on the stack of a thread. [`Memory`] is all that the
//! threads of one workgroup see. Accesses are those of a wave: each lane of a mask has an address of its own.
//!
//! What a byte holds is eight bits, of which any may be `undef`, or poison, or *unwritten*: nothing was ever stored there, and a
//! load finds `undef`. A load of a component with a poison byte is poison. Copies take all of this along.
//!
//! Invariants:
//! - An access outside the bounds of the object that its address is in or next to touches nothing. It is reported, as is all else
//!   that is wrong with an access, for the lanes that made it ([`Faults`]); the others go on.
//! - Lanes are done in ascending order: of two that store to one place, the upper one wins.
//! - Nothing here orders accesses of different workgroups. Atomic accesses are indivisible among each other where they have the same size and
//!   place.

mod access;
mod address;
mod atomic;
mod bulk;
mod chunk;
mod fault;
mod global;
mod heap;
mod layout;
mod local;
mod object;
mod private;
mod races;
mod rmw;
mod state;
mod text;
mod waves;

use reconverge_ir::opcode::Ordering;

pub use address::{Address, Segment};
pub use fault::{Fault, FaultKind, Faults, ObjectPlace, OutOfMemory, Race, Site, Touch};
pub use global::{GlobalMemory, Initial};
pub use layout::{Layout, Part};
pub use rmw::read_modify_write;
pub use state::{Contents, PrivateState};
pub use text::{NoText, Text};

use local::LocalMemory;
use private::PrivateMemory;
use races::Races;

use crate::value::{Lanes, Mask};

/// What memory has to know of a workgroup.
#[derive(Debug, Clone, Copy)]
pub struct Workgroup {
    /// Its number in the launch.
    pub number: u64,
    /// How many threads it has.
    pub threads: u32,
    /// How many threads a wave has, except perhaps the last.
    pub wave: u32,
    /// How many threads a subgroup has, except perhaps the last.
    pub subgroup: u32,
    /// How many bytes of private memory a thread may have.
    pub stack: u64,
    /// How many bytes of local memory there may be.
    pub local: u64,
    /// Whether to look for data races.
    pub races: bool,
}

/// How an instruction accesses memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Access {
    /// What names the instruction in reports.
    pub site: Site,
    /// What it orders, if it is atomic.
    pub atomic: Option<Synchronisation>,
}

impl Access {
    /// An access that is not atomic.
    pub fn plain(site: Site) -> Access {
        Access { site, atomic: None }
    }

    /// An atomic access.
    pub fn atomic(site: Site, ordering: Ordering) -> Access {
        Access { site, atomic: Some(Synchronisation::of(ordering)) }
    }
}

/// What an atomic access or a fence orders.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Synchronisation {
    /// What the thread does after it comes after what was released.
    pub acquire: bool,
    /// What the thread did before it is released to whoever acquires it.
    pub release: bool,
}

impl Synchronisation {
    /// What this ordering does.
    pub fn of(ordering: Ordering) -> Synchronisation {
        let all = matches!(ordering, Ordering::AcqRel | Ordering::SeqCst);
        Synchronisation { acquire: all || ordering == Ordering::Acquire, release: all || ordering == Ordering::Release }
    }
}

/// The segments in which a barrier orders accesses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ordered {
    /// Those to global memory.
    pub global: bool,
    /// Those to local memory.
    pub local: bool,
}

/// The memory of a workgroup.
pub struct Memory<'a> {
    /// The number of the workgroup, as addresses of its heap have it.
    workgroup: u32,
    global: &'a GlobalMemory,
    /// And what its threads have asked for.
    local: LocalMemory,
    /// The stacks of each wave.
    private: Vec<PrivateMemory>,
    races: Option<Races>,
}

impl<'a> Memory<'a> {
    /// The memory of a workgroup at its start.
    pub fn new(global: &'a GlobalMemory, workgroup: &Workgroup) -> Memory<'a> {
        let waves = workgroup.threads.div_ceil(workgroup.wave.max(1));
        Memory {
            workgroup: (workgroup.number % u64::from(address::WORKGROUPS)) as u32,
            global,
            local: LocalMemory::new(workgroup.local),
            private: (0..waves).map(|_| PrivateMemory::new(workgroup.stack)).collect(),
            races: workgroup.races.then(|| Races::new(workgroup)),
        }
    }

    /// Makes it the memory of another workgroup, which starts: local objects stay, but nothing was stored to them, and stacks are empty.
    pub fn restart(&mut self) {
        self.local.clear();
        self.private.iter_mut().for_each(PrivateMemory::clear);
        if let Some(races) = &mut self.races {
            races.restart();
        }
    }

    /// The memory that the workgroup shares with others.
    pub fn global(&self) -> &'a GlobalMemory {
        self.global
    }

    /// Makes an object of local memory, in which nothing was stored. Objects have the same addresses in each workgroup that allocates
    /// the same ones.
    pub fn allocate_local(&mut self, name: &str, bytes: u64, alignment: u64) -> Result<Address, OutOfMemory> {
        self.local.allocate(name, bytes, alignment)
    }

    /// Executes an `alloca` of so many bytes: the most that any of the lanes wants. All lanes get the same address; threads that come at
    /// different times get the same one if they come with the same stack pointer. An error names the lanes whose stack
    /// overflows.
    pub fn allocate_private(
        &mut self,
        wave: usize,
        mask: Mask,
        bytes: u64,
        alignment: u64,
        site: Site,
    ) -> Result<Address, Mask> {
        self.private[wave].allocate(mask, bytes, alignment, site)
    }

    /// The stack pointers of a wave: to be kept where a function is entered, and the result of `llvm.stacksave`.
    pub fn stack_pointers(&self, wave: usize) -> Lanes {
        self.private[wave].stack_pointers()
    }

    /// Gives back all that lanes have allocated since their stack pointers were these: where a function returns, and for
    /// `llvm.stackrestore`.
    pub fn release_private(&mut self, wave: usize, mask: Mask, stack_pointers: &Lanes) {
        self.private[wave].release(mask, stack_pointers);
    }

    /// Threads meet at a barrier, one mask for each wave: what they did before comes before what they do from now on. Threads
    /// that have ended count as there.
    pub fn barrier(&mut self, threads: &[Mask], ordered: Ordered) {
        if let Some(races) = &mut self.races {
            races.barrier(threads, ordered);
        }
    }

    /// Lanes of a wave come to the barrier with this number, and go on: what they did until now comes before what threads do that this barrier lets go on.
    pub fn arrive(&mut self, number: u64, wave: usize, mask: Mask, ordered: Ordered) {
        if let Some(races) = &mut self.races {
            races.arrive(number, wave, mask, ordered);
        }
    }

    /// Threads, one mask for each wave, go on from the barrier with this number.
    pub fn learn_of_arrivals(&mut self, number: u64, threads: &[Mask], ordered: Ordered) {
        if let Some(races) = &mut self.races {
            races.learn_of_arrivals(number, threads, ordered);
        }
    }

    /// Threads meet where only fences before and behind order what they do, one mask for each wave.
    pub fn meet(&mut self, threads: &[Mask]) {
        if let Some(races) = &mut self.races {
            races.meet(threads);
        }
    }

    /// Lanes of a wave execute a fence.
    pub fn fence(&mut self, wave: usize, mask: Mask, synchronisation: Synchronisation) {
        if let Some(races) = &mut self.races {
            races.fence(wave, mask, synchronisation);
        }
    }
}
