//! Votes and ballots: which threads are there, and for which of them something holds.

use crate::Does::*;
use crate::Role::{Lane, Mask, Other, Value};
use crate::together::Result::{DiffersCertainly, Same, SameIf, SameIfOperandsAre};
use crate::{MaskFunction, Row, Scope, Together};

use super::row;

/// Of whom a vote is; they all get its result.
const GROUP: Together = Together::all(Scope::Workgroup).gives(Same).result_only();
const OF_ALL: Together = Together::all(Scope::Subgroup).gives(Same).result_only();
const OF_ACTIVE: Together = Together::active().gives(Same).result_only().speculate();
/// Converged threads may name different masks, so the result is as uniform as the mask. The named threads wait for each other.
const OF_NAMED: Together = Together::named().gives(SameIf(&[Mask])).hoist();
/// As uniform as the value.
const MATCH: Together = Together::named().gives(SameIfOperandsAre).hoist();
/// Something of the thread, among those that are there.
const EACH: Together = Together::active().gives(DiffersCertainly).result_only().speculate();
/// Functions of a ballot that was taken, and of the size of the subgroup.
const OF_BALLOT: Together = SCAN_OF_BALLOT.gives(SameIfOperandsAre);
/// Functions of a ballot that was taken, and of the thread's own number.
const SCAN_OF_BALLOT: Together = Together::active().result_only().hoist().sink().speculate();
/// The same, of a ballot that has to be the same in all threads that are there.
const BIT: Together = Together::active().result_only().sink();

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    row(Ballot, &[
        OF_ACTIVE.opencl("sub_group_ballot", &[Value], "once | uint4(int)"),
        OF_ACTIVE.name("llvm.amdgcn.ballot", &[Value]),
        OF_ACTIVE.name("llvm.nvvm.vote.ballot", &[Value]),
        OF_ACTIVE.name("llvm.spv.wave.ballot", &[Value]),
        OF_ACTIVE.name("llvm.spv.subgroup.ballot", &[Value]),
        OF_ACTIVE.name("llvm.dx.wave.ballot", &[Value]),
        OF_ACTIVE.name("__ballot", &[Value]),
        OF_NAMED.name("llvm.nvvm.vote.ballot.sync", &[Mask, Value]),
        OF_NAMED.name("__ballot_sync", &[Mask, Value]),
    ]),
    row(BallotOfComparison, &[
        OF_ACTIVE.name("llvm.amdgcn.icmp", &[Value, Value, Other]),
        OF_ACTIVE.name("llvm.amdgcn.fcmp", &[Value, Value, Other]),
    ]),
    row(ActiveMask, &[
        OF_ACTIVE.name("llvm.nvvm.activemask", &[]),
        OF_ACTIVE.name("__activemask", &[]),
    ]),
    row(Count, &[
        OF_ACTIVE.name("llvm.spv.wave.active.countbits", &[Value]),
        OF_ACTIVE.name("llvm.dx.wave.active.countbits", &[Value]),
    ]),
    row(CountBefore, &[
        EACH.name("llvm.spv.wave.prefix.bit.count", &[Value]),
        EACH.name("llvm.spv.subgroup.prefix.bit.count", &[Value]),
        EACH.name("llvm.dx.wave.prefix.bit.count", &[Value]),
    ]),
    row(All, &[
        GROUP.opencl("work_group_all", &[Value], "once | int(int)"),
        OF_ALL.opencl("sub_group_all", &[Value], "once | int(int)"),
        OF_ACTIVE.opencl("sub_group_non_uniform_all", &[Value], "once | int(int)"),
        OF_ACTIVE.name("llvm.nvvm.vote.all", &[Value]),
        OF_ACTIVE.name("llvm.spv.wave.all", &[Value]),
        OF_ACTIVE.name("llvm.dx.wave.all", &[Value]),
        OF_ACTIVE.name("__all", &[Value]),
        OF_NAMED.name("llvm.nvvm.vote.all.sync", &[Mask, Value]),
        OF_NAMED.name("__all_sync", &[Mask, Value]),
    ]),
    row(Any, &[
        GROUP.opencl("work_group_any", &[Value], "once | int(int)"),
        OF_ALL.opencl("sub_group_any", &[Value], "once | int(int)"),
        OF_ACTIVE.opencl("sub_group_non_uniform_any", &[Value], "once | int(int)"),
        OF_ACTIVE.name("llvm.nvvm.vote.any", &[Value]),
        OF_ACTIVE.name("llvm.spv.wave.any", &[Value]),
        OF_ACTIVE.name("llvm.dx.wave.any", &[Value]),
        OF_ACTIVE.name("__any", &[Value]),
        OF_NAMED.name("llvm.nvvm.vote.any.sync", &[Mask, Value]),
        OF_NAMED.name("__any_sync", &[Mask, Value]),
    ]),
    row(Uniform, &[
        OF_ACTIVE.name("llvm.nvvm.vote.uni", &[Value]),
        OF_NAMED.name("llvm.nvvm.vote.uni.sync", &[Mask, Value]),
        OF_NAMED.name("__uni_sync", &[Mask, Value]),
    ]),
    row(AllEqual, &[
        OF_ACTIVE.opencl("sub_group_non_uniform_all_equal", &[Value], "scalars | int(g)"),
        OF_ACTIVE.name("llvm.spv.wave.all.equal", &[Value]),
        OF_ACTIVE.name("llvm.dx.wave.all.equal", &[Value]),
    ]),
    row(MatchAny, &[
        MATCH.name("llvm.nvvm.match.any.sync.i32", &[Mask, Value]),
        MATCH.name("llvm.nvvm.match.any.sync.i64", &[Mask, Value]),
        MATCH.name("__match_any_sync", &[Mask, Value]),
    ]),
    row(MatchAll, &[
        OF_NAMED.name("llvm.nvvm.match.all.sync.i32p", &[Mask, Value]),
        OF_NAMED.name("llvm.nvvm.match.all.sync.i64p", &[Mask, Value]),
    ]),
    row(IsFirst, &[
        EACH.opencl("sub_group_elect", &[], "once | int()"),
        EACH.name("llvm.spv.wave.is.first.lane", &[]),
        EACH.name("llvm.dx.wave.is.first.lane", &[]),
    ]),
    row(Elect, &[
        Together::named().gives(DiffersCertainly).name("llvm.nvvm.elect.sync", &[Mask]),
    ]),
    row(InverseBallot(true), &[
        BIT.name("llvm.amdgcn.inverse.ballot", &[Value]),
    ]),
    row(InverseBallot(false), &[
        BIT.opencl("sub_group_inverse_ballot", &[Value], "once | none | int(uint4)"),
    ]),
    row(OfMask(MaskFunction::Bit), &[
        OF_BALLOT.opencl("sub_group_ballot_bit_extract", &[Value, Lane], "once | none | int(uint4, uint)"),
    ]),
    row(OfMask(MaskFunction::Count), &[
        OF_BALLOT.opencl("sub_group_ballot_bit_count", &[Value], "once | none | uint(uint4)"),
    ]),
    row(OfMask(MaskFunction::CountUpTo), &[
        SCAN_OF_BALLOT.opencl("sub_group_ballot_inclusive_scan", &[Value], "once | uint(uint4)"),
    ]),
    row(OfMask(MaskFunction::CountBefore), &[
        SCAN_OF_BALLOT.opencl("sub_group_ballot_exclusive_scan", &[Value], "once | uint(uint4)"),
    ]),
    row(OfMask(MaskFunction::Lowest), &[
        OF_BALLOT.opencl("sub_group_ballot_find_lsb", &[Value], "once | uint(uint4)"),
    ]),
    row(OfMask(MaskFunction::Highest), &[
        OF_BALLOT.opencl("sub_group_ballot_find_msb", &[Value], "once | uint(uint4)"),
    ]),
];
