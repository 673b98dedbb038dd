//! Numbers of threads, sizes and schedules.

use reconverge_exec::launch::Schedule;
use reconverge_exec::launch_grammar::extent::{Extent, Threads, count, schedule, size, threads};

#[test]
fn lists_of_threads() {
    assert_eq!(threads("threads=3,0"), Ok(Threads(vec![3, 0])));
    assert_eq!(threads("threads=0, 8-10"), Ok(Threads(vec![0, 8, 9, 10])));
    for wrong in ["0,3", "threads=", "threads=1-", "threads=3-1", "threads=0-18446744073709551615", "threads=x"] {
        assert!(threads(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn extents() {
    for (text, extent) in [("7", [7, 1, 1]), ("8,4", [8, 4, 1]), ("1, 2, 3", [1, 2, 3])] {
        assert_eq!(text.parse(), Ok(Extent(extent)));
    }
    for text in ["", "0", "1,0", "1,2,3,4", "4294967296", "-1", "x", "1,"] {
        assert!(text.parse::<Extent>().is_err(), "{text}");
    }
    assert_eq!(Extent([u32::MAX; 3]).count(), u128::from(u32::MAX).pow(3));
    assert_eq!(Extent([2, 1, 3]).to_string(), "2,1,3");
}

#[test]
fn sizes_and_counts() {
    assert_eq!((size("64K"), count("64k"), size("1_000")), (Ok(65_536), Ok(64_000), Ok(1000)));
    for text in ["", "K", "0", "1.5", "-1", "99999999999G", "1KB", "é"] {
        assert!(size(text).is_err() && count(text).is_err(), "{text}");
    }
}

#[test]
fn schedules() {
    assert_eq!(schedule("random:7"), Ok(Schedule::Random(7)));
    assert_eq!(schedule("fair"), Ok(Schedule::Fair));
    assert!(schedule("random:x").is_err() && schedule("fast").is_err());
}
