//! Intrinsics that have examples: operands and what comes out, by hand or from their manuals.

use reconverge_exec::arithmetic::float::{decode, encode};
use reconverge_exec::value::{Scalar, Slot};

use super::{call, known, scalar_of};

const fn f(value: f32) -> u64 {
    value.to_bits() as u64
}

const fn d(value: f64) -> u64 {
    value.to_bits()
}

const NAN: u64 = f(f32::NAN);
const INFINITY: u64 = f(f32::INFINITY);
/// The smallest number.
const TINY: u64 = 1;

/// A name, its types, its operands, and its results.
type Example = (&'static str, &'static str, &'static [u64], &'static [u64]);

const EXAMPLES: &[Example] = &[
    ("scmp.i8.i32", "ii=y", &[5, 0xffff_ffff], &[1]),
    ("scmp.i8.i32", "ii=y", &[0xffff_ffff, 0], &[0xff]),
    ("scmp", "bb=y", &[1, 0], &[0xff]),
    ("ucmp.i8.i32", "ii=y", &[5, 0xffff_ffff], &[0xff]),
    ("ucmp.i8.i32", "ii=y", &[7, 7], &[0]),
    ("ucmp", "bb=y", &[1, 0], &[1]),
    ("powi.f32.i32", "fi=f", &[f(1.5), 3], &[f(3.375)]),
    ("powi.f32.i32", "fi=f", &[f(2.0), 0xffff_fffe], &[f(0.25)]),
    ("powi.f64.i32", "di=d", &[d(-3.0), 5], &[d(-243.0)]),
    ("ldexp.f32.i32", "fi=f", &[f(1.5), 4], &[f(24.0)]),
    ("ldexp.f32.i32", "fi=f", &[f(1.0), 0xffff_ff6b], &[TINY]),
    ("ldexp.f32.i32", "fi=f", &[f(1.5), 0xffff_ff6a], &[TINY]),
    ("ldexp.f32.i32", "fi=f", &[f(1.0), 128], &[INFINITY]),
    ("ldexp.f64.i64", "dl=d", &[d(1.0), 1 << 40], &[d(f64::INFINITY)]),
    ("amdgcn.ldexp.f32", "fi=f", &[f(-3.0), 0xffff_ffff], &[f(-1.5)]),
    ("frexp.f32.i32", "f=fi", &[f(10.0)], &[f(0.625), 4]),
    ("frexp.f32.i32", "f=fi", &[f(-0.0)], &[f(-0.0), 0]),
    ("frexp.f32.i16", "f=fs", &[TINY], &[f(0.5), 0xff6c]),
    ("frexp.f32.i32", "f=fi", &[INFINITY], &[INFINITY, 0]),
    ("amdgcn.frexp.exp.i32.f32", "f=i", &[f(10.0)], &[4]),
    ("amdgcn.frexp.exp.i16.f32", "f=s", &[f(0.125)], &[0xfffe]),
    ("amdgcn.frexp.exp.i32.f32", "f=i", &[NAN], &[0]),
    ("modf.f32", "f=ff", &[f(-3.75)], &[f(-0.75), f(-3.0)]),
    ("modf.f32", "f=ff", &[f(f32::NEG_INFINITY)], &[f(-0.0), f(f32::NEG_INFINITY)]),
    ("sincos.f32", "f=ff", &[f(0.5)], &[f(0.479_425_54), f(0.877_582_55)]),
    ("sincospi.f32", "f=ff", &[f(0.5)], &[f(1.0), f(0.0)]),
    ("sincospi.f32", "f=ff", &[f(1.25)], &[f(-std::f32::consts::FRAC_1_SQRT_2), f(-std::f32::consts::FRAC_1_SQRT_2)]),
    ("amdgcn.sin.f32", "f=f", &[f(0.25)], &[f(1.0)]),
    ("amdgcn.sin.f32", "f=f", &[f(-3.0)], &[f(-0.0)]),
    ("amdgcn.sin.f32", "f=f", &[f(1000.125)], &[f(std::f32::consts::FRAC_1_SQRT_2)]),
    ("amdgcn.sin.f32", "f=f", &[f(-0.375)], &[f(-std::f32::consts::FRAC_1_SQRT_2)]),
    ("amdgcn.cos.f32", "f=f", &[f(0.5)], &[f(-1.0)]),
    ("amdgcn.cos.f32", "f=f", &[f(-7.875)], &[f(std::f32::consts::FRAC_1_SQRT_2)]),
    ("amdgcn.cos.f32", "f=f", &[f(0.625)], &[f(-std::f32::consts::FRAC_1_SQRT_2)]),
    (
        "fma.f32",
        "fff=f",
        &[f(1.0 + f32::EPSILON), f(1.0 + f32::EPSILON), f(-1.0)],
        &[f(2.0 * f32::EPSILON + f32::EPSILON * f32::EPSILON)],
    ),
    ("fma.f64", "ddd=d", &[d(3.0), d(4.0), d(5.0)], &[d(17.0)]),
    ("fma.f16", "hhh=h", &[0x3c03, 0x3c03, 0xbc00], &[0x1e02]),
    (
        "fmuladd.f32",
        "fff=f",
        &[f(1.0 + f32::EPSILON), f(1.0 + f32::EPSILON), f(-1.0)],
        &[f(2.0 * f32::EPSILON + f32::EPSILON * f32::EPSILON)],
    ),
    ("fmuladd.bf16", "kkk=k", &[0x3f80, 0x4000, 0x4040], &[0x40a0]),
    ("lround.i32.f32", "f=i", &[f(-2.5)], &[0xffff_fffd]),
    ("lround.i32.f32", "f=i", &[f(3e9)], &[0x8000_0000]),
    ("llround.i64.f64", "d=l", &[d(0.5)], &[1]),
    ("lrint.i32.f32", "f=i", &[f(-2.5)], &[0xffff_fffe]),
    ("llrint.i64.f64", "d=l", &[d(0.5)], &[0]),
    ("is.fpclass.f32", "fi=b", &[NAN, 0b10], &[1]),
    ("is.fpclass.f32", "fi=b", &[NAN, 0b11_1111_1101], &[0]),
    ("is.fpclass.f64", "di=b", &[d(-0.0), 1 << 5], &[1]),
    ("amdgcn.class.f32", "fi=b", &[TINY, 1 << 7], &[1]),
    ("amdgcn.class.f32", "fi=b", &[f(1.0), 1 << 7], &[0]),
    ("fptosi.sat.i8.f32", "f=y", &[f(-1000.0)], &[0x80]),
    ("fptosi.sat.i8.f32", "f=y", &[f(127.9)], &[0x7f]),
    ("fptosi.sat.i32.f32", "f=i", &[NAN], &[0]),
    ("fptosi.sat.i64.f64", "d=l", &[d(1e300)], &[i64::MAX as u64]),
    ("fptoui.sat.i8.f32", "f=y", &[f(-1000.0)], &[0]),
    ("fptoui.sat.i32.f32", "f=i", &[INFINITY], &[0xffff_ffff]),
    ("fptoui.sat.i8.f32", "f=y", &[f(3.99)], &[3]),
    ("convert.to.fp16.f32", "f=s", &[f(1.5)], &[0x3e00]),
    ("convert.from.fp16.f64", "s=d", &[0xc000], &[d(-2.0)]),
    ("is.constant.i32", "i=b", &[7], &[0]),
    ("expect.i32", "ii=i", &[7, 8], &[7]),
    ("expect.with.probability.i1", "bbd=b", &[1, 0, d(0.5)], &[1]),
    ("spv.expect.i32", "ii=i", &[7, 8], &[7]),
    ("ssa.copy.f32", "f=f", &[NAN | 1], &[NAN | 1]),
    ("launder.invariant.group.p0", "p=p", &[1 << 40], &[1 << 40]),
    ("strip.invariant.group.p0", "p=p", &[1 << 40], &[1 << 40]),
    ("ptrmask.p0.i64", "pl=p", &[0x1_2345_6789, !0xff], &[0x1_2345_6700]),
    ("ptrmask.p0.i32", "pi=p", &[0x1_2345_6789, 0xffff_ff00], &[0x1_2345_6700]),
    // AMDGPU.
    ("amdgcn.rsq.clamp.f32", "f=f", &[0], &[f(f32::MAX)]),
    ("amdgcn.rsq.clamp.f64", "d=d", &[d(4.0)], &[d(0.5)]),
    ("r600.recipsqrt.clamped.f32", "f=f", &[f(-0.0)], &[f(f32::MIN)]),
    ("amdgcn.log.clamp.f32", "f=f", &[0], &[f(f32::MIN)]),
    ("amdgcn.log.clamp.f32", "f=f", &[f(8.0)], &[f(3.0)]),
    ("amdgcn.fract.f32", "f=f", &[f(-1.25)], &[f(0.75)]),
    ("amdgcn.fract.f32", "f=f", &[f(-1e-30)], &[f(1.0 - f32::EPSILON / 2.0)]),
    ("amdgcn.fma.legacy", "fff=f", &[INFINITY, f(0.0), f(3.0)], &[f(3.0)]),
    ("amdgcn.fma.legacy", "fff=f", &[f(2.0), f(5.0), f(3.0)], &[f(13.0)]),
    ("amdgcn.fmed3.f32", "fff=f", &[f(3.0), f(1.0), f(2.0)], &[f(2.0)]),
    ("amdgcn.fmed3.f32", "fff=f", &[f(3.0), NAN, f(2.0)], &[f(2.0)]),
    ("amdgcn.cvt.pkrtz", "ff=hh", &[f(65535.0), f(-1.000_99)], &[0x7bff, 0xbc01]),
    ("amdgcn.cvt.pkrtz", "ff=hh", &[INFINITY, f(1e-30)], &[0x7c00, 0]),
    ("amdgcn.cvt.pknorm.i16", "ff=ss", &[f(-2.0), f(0.5)], &[0x8001, 16384]),
    ("amdgcn.cvt.pknorm.u16", "ff=ss", &[f(-2.0), f(1.0)], &[0, 0xffff]),
    ("amdgcn.cvt.pk.i16", "ii=ss", &[0xffff_0000, 40000], &[0x8000, 0x7fff]),
    ("amdgcn.cvt.pk.u16", "ii=ss", &[0xffff_ffff, 7], &[0xffff, 7]),
    ("amdgcn.cvt.pk.u8.f32", "fii=i", &[f(200.7), 2, 0x1122_3344], &[0x11c8_3344]),
    ("amdgcn.cvt.pk.u8.f32", "fii=i", &[f(-5.0), 0, 0x1122_3344], &[0x1122_3300]),
    ("amdgcn.ubfe.i32", "iii=i", &[0xabcd_ef12, 8, 12], &[0xdef]),
    ("amdgcn.ubfe.i32", "iii=i", &[0xabcd_ef12, 24, 16], &[0xab]),
    ("amdgcn.ubfe.i64", "lii=l", &[u64::MAX, 60, 8], &[0xf]),
    ("amdgcn.ubfe.i32", "iii=i", &[0xabcd_ef12, 5, 32], &[0]),
    ("amdgcn.sbfe.i32", "iii=i", &[0xabcd_ef12, 8, 12], &[0xffff_fdef]),
    ("amdgcn.sbfe.i32", "iii=i", &[0xabcd_ef12, 28, 16], &[0xffff_fffa]),
    ("amdgcn.alignbyte", "iii=i", &[0x1122_3344, 0x5566_7788, 1], &[0x4455_6677]),
    ("amdgcn.perm", "iii=i", &[0x1122_3344, 0x8566_7788, 0x0c00_0704], &[0x0088_1144]),
    ("amdgcn.perm", "iii=i", &[0x1122_3344, 0x8566_7788, 0x0d0b_0908], &[0xff00_ff00]),
    ("amdgcn.lerp", "iii=i", &[0x0000_ff01, 0x0000_ff02, 0x0000_0001], &[0x0000_ff02]),
    ("amdgcn.lerp", "iii=i", &[0x0400_0001, 0x0800_0002, 0], &[0x0600_0001]),
    ("amdgcn.sad.u8", "iii=i", &[0x0102_0304, 0x0401_0300, 10], &[18]),
    ("amdgcn.sad.hi.u8", "iii=i", &[0x0102_0304, 0x0401_0300, 10], &[8 << 16 | 10]),
    ("amdgcn.msad.u8", "iii=i", &[0x0102_0304, 0x0401_0300, 10], &[14]),
    ("amdgcn.sad.u16", "iii=i", &[0x0001_ffff, 0x0003_0000, 0xffff_ffff], &[0x1_0000]),
    ("amdgcn.mul.i24", "ii=i", &[0xff80_0000, 2], &[0xff00_0000]),
    ("amdgcn.mul.i24.i64", "ii=l", &[0x0080_0000, 0x0080_0000], &[1 << 46]),
    ("amdgcn.mul.u24", "ii=i", &[0xff80_0000, 2], &[0x0100_0000]),
    ("amdgcn.mul.u24.i64", "ii=l", &[0x00ff_ffff, 0x00ff_ffff], &[0xffff_fe00_0001]),
    ("amdgcn.mulhi.i24", "ii=i", &[0x0080_0000, 0x007f_ffff], &[0xffff_c000]),
    ("amdgcn.mulhi.u24", "ii=i", &[0x00ff_ffff, 0x00ff_ffff], &[0xffff]),
    ("amdgcn.sffbh.i32", "i=i", &[0x0000_ffff], &[16]),
    ("amdgcn.sffbh.i32", "i=i", &[0xffff_0000], &[16]),
    ("amdgcn.sffbh.i32", "i=i", &[0], &[0xffff_ffff]),
    ("amdgcn.bitreplicate", "i=l", &[0b1001], &[0b1100_0011]),
    ("amdgcn.div.scale.f32", "ffb=fb", &[f(3.0), f(2.0), 0], &[f(2.0), 0]),
    ("amdgcn.div.scale.f32", "ffb=fb", &[f(3.0), f(2.0), 1], &[f(3.0), 0]),
    ("amdgcn.div.scale.f32", "ffb=fb", &[f(1e30), f(1e-10), 0], &[f(1e-10 * 18_446_744_073_709_551_616.0), 1]),
    ("amdgcn.div.scale.f32", "ffb=fb", &[f(1e30), f(1e-10), 1], &[f(1e30), 1]),
    ("amdgcn.div.scale.f32", "ffb=fb", &[f(1.0), TINY, 0], &[0x1500_0000, 1]),
    ("amdgcn.div.scale.f32", "ffb=fb", &[TINY, TINY, 0], &[0x1500_0000, 0]),
    ("amdgcn.div.fmas.f32", "fffb=f", &[f(2.0), f(3.0), f(4.0), 0], &[f(10.0)]),
    ("amdgcn.div.fmas.f32", "fffb=f", &[f(2.0), f(3.0), f(4.0), 1], &[f(10.0 * 18_446_744_073_709_551_616.0)]),
    ("amdgcn.div.fmas.f32", "fffb=f", &[f(2.0), f(3.0), f(0.5), 1], &[f(6.5 / 18_446_744_073_709_551_616.0)]),
    ("amdgcn.div.fixup.f32", "fff=f", &[f(1.5), f(2.0), f(-3.0)], &[f(-1.5)]),
    ("amdgcn.div.fixup.f32", "fff=f", &[NAN, f(0.0), f(-3.0)], &[f(f32::NEG_INFINITY)]),
    ("amdgcn.div.fixup.f32", "fff=f", &[NAN, INFINITY, f(3.0)], &[f(0.0)]),
    ("amdgcn.trig.preop.f64", "di=d", &[d(1.0), 0], &[0x3fe4_5f30_6dc9_c882]),
    ("amdgcn.trig.preop.f64", "di=d", &[d(1.0), 1], &[0x3c94_a7f0_9d5f_47d4]),
    ("amdgcn.sdot4", "iiib=i", &[0x7f80_01ff, 0x7f02_0302, 100, 0], &[16129 - 256 + 3 - 2 + 100]),
    ("amdgcn.udot4", "iiib=i", &[0x0200_01ff, 0x0302_0302, 100, 0], &[6 + 3 + 510 + 100]),
    ("amdgcn.sdot4", "iiib=i", &[0x7f7f_7f7f, 0x7f7f_7f7f, 0x7fff_ffff, 1], &[0x7fff_ffff]),
    ("amdgcn.udot4", "iiib=i", &[1, 2, 0xffff_ffff, 0], &[1]),
    ("amdgcn.sdot8", "iiib=i", &[0x7000_008f, 0x7000_0022, 0, 0], &[49 - 16 - 2]),
    ("amdgcn.udot8", "iiib=i", &[0x7000_008f, 0x7000_0022, 1, 0], &[49 + 16 + 30 + 1]),
    // NVPTX.
    ("nvvm.ff2f16x2.rn", "ff=hh", &[f(1.0), f(-2.0)], &[0xc000, 0x3c00]),
    ("nvvm.ff2f16x2.rn", "ff=hh", &[f(65535.0), f(1.000_9)], &[0x3c01, 0x7c00]),
    ("nvvm.ff2f16x2.rz", "ff=hh", &[f(65535.0), f(1.000_9)], &[0x3c00, 0x7bff]),
    ("nvvm.ff2f16x2.rn.relu", "ff=hh", &[f(1.0), f(-2.0)], &[0, 0x3c00]),
    ("nvvm.ff2f16x2.rz.relu", "ff=hh", &[f(-1.0), f(2.0)], &[0x4000, 0]),
    ("nvvm.ff2bf16x2.rn", "ff=kk", &[f(1.0), f(1.006)], &[0x3f81, 0x3f80]),
    ("nvvm.ff2bf16x2.rz", "ff=kk", &[f(1.0), f(1.006)], &[0x3f80, 0x3f80]),
    ("nvvm.ff2bf16x2.rn.relu", "ff=kk", &[f(-1.0), f(1.006)], &[0x3f81, 0]),
    ("nvvm.ff2bf16x2.rz.relu", "ff=kk", &[f(1.0), f(-1.006)], &[0, 0x3f80]),
    ("nvvm.lohi.i2d", "ii=d", &[0x9abc_def0, 0x1234_5678], &[0x1234_5678_9abc_def0]),
    ("nvvm.d2i.lo", "d=i", &[0x1234_5678_9abc_def0], &[0x9abc_def0]),
    ("nvvm.d2i.hi", "d=i", &[0x1234_5678_9abc_def0], &[0x1234_5678]),
    ("nvvm.bitcast.f2i", "f=i", &[f(1.0)], &[0x3f80_0000]),
    ("nvvm.bitcast.i2f", "i=f", &[0x3f80_0000], &[f(1.0)]),
    ("nvvm.bitcast.d2ll", "d=l", &[d(1.0)], &[0x3ff0 << 48]),
    ("nvvm.bitcast.ll2d", "l=d", &[0x3ff0 << 48], &[d(1.0)]),
    ("nvvm.move.i16", "s=s", &[7], &[7]),
    ("nvvm.move.i32", "i=i", &[7], &[7]),
    ("nvvm.move.i64", "l=l", &[7], &[7]),
    ("nvvm.move.float", "f=f", &[f(7.0)], &[f(7.0)]),
    ("nvvm.move.double", "d=d", &[d(7.0)], &[d(7.0)]),
    ("nvvm.mul24.i", "ii=i", &[0x0180_0000, 2], &[0xff00_0000]),
    ("nvvm.mul24.ui", "ii=i", &[0xff80_0000, 3], &[0x0180_0000]),
    ("nvvm.popc.i", "i=i", &[0xf0f0_0001], &[9]),
    ("nvvm.popc.ll", "l=i", &[u64::MAX], &[64]),
    ("nvvm.clz.i", "i=i", &[0x0000_8000], &[16]),
    ("nvvm.clz.ll", "l=i", &[0], &[64]),
    ("nvvm.rotate.b32", "ii=i", &[0x8000_0001, 33], &[3]),
    ("nvvm.rotate.b64", "li=l", &[1 << 63, 1], &[1]),
    ("nvvm.rotate.right.b64", "li=l", &[1, 1], &[1 << 63]),
    ("nvvm.fshl.clamp.i32", "iii=i", &[0x1234_5678, 0x9abc_def0, 8], &[0x3456_789a]),
    ("nvvm.fshl.clamp.i32", "iii=i", &[0x1234_5678, 0x9abc_def0, 40], &[0x9abc_def0]),
    ("nvvm.fshr.clamp.i32", "iii=i", &[0x1234_5678, 0x9abc_def0, 8], &[0x789a_bcde]),
    ("nvvm.fshr.clamp.i32", "iii=i", &[0x1234_5678, 0x9abc_def0, 99], &[0x1234_5678]),
    ("nvvm.prmt", "iii=i", &[0x3322_11f0, 0x7766_5544, 0x7410], &[0x7744_11f0]),
    ("nvvm.prmt", "iii=i", &[0x3322_11f0, 0x7766_5544, 0x0008], &[0xf0f0_f0ff]),
    ("nvvm.idp4a.s.s", "iii=i", &[0xff01_0203, 0x0201_ff01, 100], &[100 - 2 + 1 - 2 + 3]),
    ("nvvm.idp4a.s.u", "iii=i", &[0xff01_0203, 0x0201_ff01, 100], &[100 - 2 + 1 + 510 + 3]),
    ("nvvm.idp4a.u.s", "iii=i", &[0xff01_0203, 0x0201_ff01, 100], &[100 + 510 + 1 - 2 + 3]),
    ("nvvm.idp4a.u.u", "iii=i", &[0xff01_0203, 0x0201_ff01, 0], &[510 + 1 + 510 + 3]),
    ("nvvm.idp2a.s.s", "iibi=i", &[0xffff_0002, 0x04ff_0203, 0, 10], &[10 + 6 - 2]),
    ("nvvm.idp2a.s.s", "iibi=i", &[0xffff_0002, 0x04ff_0203, 1, 10], &[10 - 2 - 4]),
    ("nvvm.idp2a.s.u", "iibi=i", &[0xffff_0002, 0x04ff_0203, 1, 10], &[10 + 510 - 4]),
    ("nvvm.idp2a.u.s", "iibi=i", &[0xffff_0002, 0x04ff_0203, 1, 10], &[10 - 2 + 4 * 65535]),
    ("nvvm.idp2a.u.u", "iibi=i", &[0xffff_0002, 0x04ff_0203, 1, 10], &[10 + 510 + 4 * 65535]),
    ("nvvm.fns", "iii=i", &[0b1011_0100, 2, 0], &[2]),
    ("nvvm.fns", "iii=i", &[0b1011_0100, 3, 0], &[0xffff_ffff]),
    ("nvvm.fns", "iii=i", &[0b1011_0100, 3, 2], &[5]),
    ("nvvm.fns", "iii=i", &[0b1011_0100, 4, 0xffff_fffe], &[2]),
    ("nvvm.flo.s.i32", "ib=i", &[0xffff_0000, 0], &[15]),
    ("nvvm.flo.s.i32", "ib=i", &[0xffff_ffff, 0], &[0xffff_ffff]),
    ("nvvm.flo.u.i64", "lb=i", &[1 << 40, 0], &[40]),
    ("nvvm.flo.u.i32", "ib=i", &[0x0000_8000, 1], &[16]),
    ("nvvm.sext.wrap", "ii=i", &[0x14, 36], &[4]),
    ("nvvm.sext.wrap", "ii=i", &[0x18, 37], &[0xffff_fff8]),
    ("nvvm.sext.clamp", "ii=i", &[0x8000_0000, 99], &[0x8000_0000]),
    ("nvvm.zext.wrap", "ii=i", &[0x1f8, 36], &[8]),
    ("nvvm.zext.clamp", "ii=i", &[0xffff_ffff, 99], &[0xffff_ffff]),
    ("nvvm.bmsk.wrap", "ii=i", &[33, 3], &[0b1110]),
    ("nvvm.bmsk.clamp", "ii=i", &[30, 99], &[0xc000_0000]),
    ("nvvm.bmsk.clamp", "ii=i", &[40, 3], &[0]),
    // DirectX and SPIR-V.
    ("dx.nclamp.f32", "fff=f", &[f(5.0), f(1.0), f(3.0)], &[f(3.0)]),
    ("dx.nclamp.f32", "fff=f", &[NAN, f(1.0), f(3.0)], &[f(1.0)]),
    ("spv.nclamp.f32", "fff=f", &[f(-5.0), f(1.0), f(3.0)], &[f(1.0)]),
    ("dx.isinf.f32", "f=b", &[f(f32::NEG_INFINITY)], &[1]),
    ("spv.isinf.f32", "f=b", &[NAN], &[0]),
    ("dx.isnan.f32", "f=b", &[NAN], &[1]),
    ("spv.isnan.f32", "f=b", &[INFINITY], &[0]),
    ("spv.isfinite.f32", "f=b", &[f(f32::MAX)], &[1]),
    ("spv.isfinite.f32", "f=b", &[INFINITY], &[0]),
    ("spv.isnormal.f32", "f=b", &[f(-1.0)], &[1]),
    ("spv.isnormal.f32", "f=b", &[TINY], &[0]),
    ("spv.smoothstep.f32", "fff=f", &[f(1.0), f(3.0), f(1.5)], &[f(0.15625)]),
    ("dx.sign.i32", "i=i", &[0x8000_0000], &[0xffff_ffff]),
    ("dx.sign.f32", "f=i", &[f(0.5)], &[1]),
    ("spv.sign.f32", "f=i", &[f(-0.0)], &[0]),
    ("dx.firstbituhigh.i32", "i=i", &[0x0000_8001], &[15]),
    ("spv.firstbituhigh.i64", "l=i", &[0], &[0xffff_ffff]),
    ("dx.firstbitshigh.i32", "i=i", &[0xffff_7fff], &[15]),
    ("spv.firstbitshigh.i32", "i=i", &[0xffff_ffff], &[0xffff_ffff]),
    ("dx.firstbitlow.i32", "i=i", &[0x0000_8010], &[4]),
    ("spv.firstbitlow.i32", "i=i", &[0], &[0xffff_ffff]),
    ("dx.legacyf16tof32.i32", "i=f", &[0x1234_3c00], &[f(1.0)]),
    ("dx.legacyf32tof16.f32", "f=i", &[f(-2.0)], &[0xc000]),
    ("dx.asdouble.i32", "ii=d", &[0, 0x3ff0_0000], &[d(1.0)]),
    ("dx.splitdouble", "d=ii", &[0x1234_5678_9abc_def0], &[0x9abc_def0, 0x1234_5678]),
    ("dx.dot2.f32", "ffff=f", &[f(1.0), f(2.0), f(3.0), f(4.0)], &[f(11.0)]),
    ("dx.dot3.f32", "ffffff=f", &[f(1.0), f(2.0), f(3.0), f(4.0), f(5.0), f(6.0)], &[f(32.0)]),
    ("dx.dot4.f32", "ffffffff=f", &[f(1.0), f(2.0), f(3.0), f(4.0), f(5.0), f(6.0), f(7.0), f(8.0)], &[f(70.0)]),
    ("dx.dot2add", "fhhhh=f", &[f(0.5), 0x3c00, 0x4000, 0x4200, 0x4400], &[f(11.5)]),
    ("dx.dot4add.i8packed", "iii=i", &[0xff01_0203, 0x0201_ff01, 100], &[100 - 2 + 1 - 2 + 3]),
    ("spv.dot4add.i8packed", "iii=i", &[0xff01_0203, 0x0201_ff01, 0], &[0]),
    ("dx.dot4add.u8packed", "iii=i", &[0xff01_0203, 0x0201_ff01, 0xffff_ffff], &[510 + 1 + 510 + 3 - 1]),
    ("spv.dot4add.u8packed", "iii=i", &[0xff01_0203, 0x0201_ff01, 0], &[510 + 1 + 510 + 3]),
];

/// A name, the types of elements, the numbers of each operand, and those of the result: doubles, or integers as they are.
type VectorExample = (&'static str, &'static str, &'static [&'static [f64]], &'static [f64]);

const VECTOR_EXAMPLES: &[VectorExample] = &[
    ("amdgcn.fdot2", "hhfb=f", &[&[1.0, 2.0], &[3.0, 4.0], &[0.5], &[0.0]], &[11.5]),
    ("amdgcn.fdot2", "hhfb=f", &[&[1.0, 2.0], &[3.0, 4.0], &[0.5], &[1.0]], &[1.0]),
    ("amdgcn.sdot2", "ssib=i", &[&[65535.0, 2.0], &[3.0, 4.0], &[10.0], &[0.0]], &[15.0]),
    ("amdgcn.udot2", "ssib=i", &[&[65535.0, 2.0], &[3.0, 4.0], &[10.0], &[0.0]], &[196_623.0]),
    ("amdgcn.udot2", "ssib=i", &[&[65535.0, 65535.0], &[65535.0, 65535.0], &[0.0], &[1.0]], &[4_294_967_295.0]),
    ("dx.fdot.v3f32", "ff=f", &[&[1.0, 2.0, 3.0], &[4.0, 5.0, 6.0]], &[32.0]),
    ("spv.fdot.v2f64", "dd=d", &[&[1.0, 2.0], &[4.0, 5.0]], &[14.0]),
    ("dx.sdot.v2i32", "ii=i", &[&[4_294_967_295.0, 2.0], &[3.0, 4.0]], &[5.0]),
    ("spv.sdot.v2i32", "ii=i", &[&[1.0, 2.0], &[3.0, 4.0]], &[11.0]),
    ("dx.udot.v2i16", "ss=s", &[&[65535.0, 2.0], &[3.0, 4.0]], &[5.0]),
    ("spv.udot.v2i32", "ii=i", &[&[1.0, 2.0], &[3.0, 4.0]], &[11.0]),
    ("dx.any.v3f32", "f=b", &[&[0.0, -0.0, 1.0]], &[1.0]),
    ("spv.any.v3i32", "i=b", &[&[0.0, 0.0, 0.0]], &[0.0]),
    ("dx.all.v3f32", "f=b", &[&[2.0, -0.0, 1.0]], &[0.0]),
    ("spv.all.v3i32", "i=b", &[&[1.0, 2.0, 3.0]], &[1.0]),
    ("dx.length.v2f32", "f=f", &[&[3.0, 4.0]], &[5.0]),
    ("spv.length.v3f32", "f=f", &[&[2.0, 3.0, 6.0]], &[7.0]),
    ("spv.distance.v2f32", "ff=f", &[&[4.0, 6.0], &[1.0, 2.0]], &[5.0]),
    ("dx.normalize.v2f32", "f=f", &[&[0.0, -4.0]], &[0.0, -1.0]),
    ("spv.normalize.v4f32", "f=f", &[&[1.0, 1.0, 1.0, 1.0]], &[0.5, 0.5, 0.5, 0.5]),
    ("dx.cross.v3f32", "ff=f", &[&[1.0, 2.0, 3.0], &[4.0, 5.0, 7.0]], &[-1.0, 5.0, -3.0]),
    ("spv.cross.v3f32", "ff=f", &[&[1.0, 0.0, 0.0], &[0.0, 1.0, 0.0]], &[0.0, 0.0, 1.0]),
    ("spv.reflect.v2f32", "ff=f", &[&[1.0, -2.0], &[0.0, 1.0]], &[1.0, 2.0]),
    ("spv.refract.v2f32", "fff=f", &[&[0.0, -1.0], &[0.0, 1.0], &[0.5]], &[0.0, -1.0]),
    ("spv.refract.v2f32", "fff=f", &[&[0.8, -0.6], &[0.0, 1.0], &[2.0]], &[0.0, 0.0]),
    ("spv.faceforward.v2f32", "fff=f", &[&[1.0, 2.0], &[1.0, 0.0], &[-1.0, 0.0]], &[1.0, 2.0]),
    ("spv.faceforward.v2f32", "fff=f", &[&[1.0, 2.0], &[1.0, 0.0], &[1.0, 0.0]], &[-1.0, -2.0]),
];

/// Whether an example is about the intrinsic: nothing stands behind the name but types.
fn is_of(example: &str, name: &str) -> bool {
    let Some(rest) = example.strip_prefix(name) else { return false };
    let is_type = |part: &str| {
        let digits = part.trim_start_matches(|c: char| c.is_ascii_lowercase());
        part.is_empty()
            || part.starts_with(['i', 'f', 'v', 'p', 'b']) && digits.starts_with(|c: char| c.is_ascii_digit())
    };
    rest.is_empty() || rest.starts_with('.') && rest.split('.').all(is_type)
}

pub(super) fn check(name: &str) -> bool {
    let mut count = 0;
    for (example, types, operands, results) in EXAMPLES.iter().filter(|(example, ..)| is_of(example, name)) {
        count += 1;
        assert_eq!(call(example, types, operands), *results, "{example} {operands:x?}");
    }
    for (example, types, operands, results) in VECTOR_EXAMPLES.iter().filter(|(example, ..)| is_of(example, name)) {
        count += 1;
        let (from, to) = types.split_once('=').expect("types have a result");
        let number = |scalar: Scalar, value: f64| if scalar.is_float() { encode(scalar, value) } else { value as u64 };
        let from: Vec<Scalar> = from.chars().map(scalar_of).collect();
        let to = to.chars().map(scalar_of).next().expect("there is a result");
        let shapes: Vec<_> = from.iter().zip(*operands).map(|(&scalar, numbers)| vec![scalar; numbers.len()]).collect();
        let slots: Vec<Vec<Slot>> = (from.iter().zip(*operands))
            .map(|(&scalar, numbers)| numbers.iter().map(|&value| Slot::splat(number(scalar, value))).collect())
            .collect();
        let slots: Vec<&[Slot]> = slots.iter().map(Vec::as_slice).collect();
        let mut out = vec![Slot::default(); results.len()];
        let intrinsic = known(example, &vec![to; results.len()], &shapes);
        intrinsic.unwrap_or_else(|| panic!("{example} is not recognised")).apply(&slots, 1, &mut out);
        for (slot, &expected) in out.iter().zip(*results) {
            assert_eq!(slot.bits[0], number(to, expected), "{example} {operands:?}");
        }
    }
    count > 0
}

#[test]
fn a_division_put_together_from_its_parts_is_rounded_correctly() {
    use crate::arithmetic::harness::{random_float, randomly};
    // The sequence that AMDGPU expands a division into.
    let divide = |a: u64, b: u64| {
        let fma = |x, y, z| call("fma.f32", "fff=f", &[x, y, z])[0];
        let negated = |x: u64| x ^ 1 << 31;
        let denominator = call("amdgcn.div.scale.f32", "ffb=fb", &[a, b, 0]);
        let numerator = call("amdgcn.div.scale.f32", "ffb=fb", &[a, b, 1]);
        let (d, n) = (denominator[0], numerator[0]);
        let inverse = call("amdgcn.rcp.f32", "f=f", &[d])[0];
        let error = fma(negated(d), inverse, f(1.0));
        let inverse = fma(error, inverse, inverse);
        let quotient = encode(Scalar::Float, decode(Scalar::Float, n) * decode(Scalar::Float, inverse));
        let error = fma(negated(d), quotient, n);
        let quotient = fma(error, inverse, quotient);
        let error = fma(negated(d), quotient, n);
        let quotient = call("amdgcn.div.fmas.f32", "fffb=f", &[error, inverse, quotient, numerator[1]])[0];
        call("amdgcn.div.fixup.f32", "fff=f", &[quotient, b, a])[0]
    };
    randomly(400, |random| {
        let [a, b] = [0; 2].map(|_| random_float(random, Scalar::Float));
        let expected = f32::from_bits(a as u32) / f32::from_bits(b as u32);
        // A subnormal quotient is rounded twice by this sequence.
        if expected.is_normal() || expected == 0.0 || expected.is_infinite() {
            assert_eq!(divide(a, b), f(expected), "{a:x} / {b:x}");
        }
    });
}

#[test]
fn segments_of_two_over_pi_add_up() {
    let segment = |x: f64, n: u64| f64::from_bits(call("amdgcn.trig.preop.f64", "di=d", &[d(x), n])[0]);
    assert_eq!(segment(1.0, 0) + segment(1.0, 1) + segment(1.0, 2), std::f64::consts::FRAC_2_PI);
    // Of a large number, bits that only make multiples of whole turns are left out.
    for exponent in [60, 120, 300, 700] {
        let x = f64::powi(2.0, exponent);
        let quarters = (0..4).map(|n| (segment(x, n) * x).rem_euclid(4.0)).sum::<f64>();
        let angle = quarters * std::f64::consts::FRAC_PI_2;
        assert!((libm::sin(angle) - libm::sin(x)).abs() < 1e-9, "2^{exponent}: {angle}");
    }
}
