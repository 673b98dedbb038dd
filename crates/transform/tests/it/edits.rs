//! Edits after edits are edits of the first text.

use reconverge_testing::random::SplitMix64;
use reconverge_testing::rounds::first_seed;
use reconverge_transform::Edits;

/// Disjoint edits of a text, in no particular order.
fn edits(rng: &mut SplitMix64, length: usize, letter: char) -> Edits {
    let (mut edits, mut at) = (Vec::new(), 0);
    loop {
        at += rng.below(4);
        if at > length {
            break;
        }
        let end = (at + rng.below(4)).min(length);
        edits.push((at..end, letter.to_string().repeat(rng.below(3))));
        at = end + 1;
    }
    if rng.percent(50) {
        edits.reverse();
    }
    let mut all = Edits::default();
    edits.into_iter().for_each(|(range, text)| all.replace(range, text));
    all
}

#[test]
fn two_after_another_are_one() {
    let seed = first_seed();
    let mut rng = SplitMix64::new(seed);
    for round in 0..20_000 {
        let text: Vec<u8> = (b'a'..=b'z').take(rng.below(20)).collect();
        let first = edits(&mut rng, text.len(), '1');
        let middle = first.clone().apply(&text);
        let second = edits(&mut rng, middle.len(), '2');
        let expected = second.clone().apply(&middle);
        let both = first.clone().then(&middle, second.clone());
        let found = both.apply(&text);
        assert_eq!(
            String::from_utf8_lossy(&found),
            String::from_utf8_lossy(&expected),
            "seed {seed}, round {round}: {text:?}\n{first:?}\n{second:?}"
        );
    }
}
