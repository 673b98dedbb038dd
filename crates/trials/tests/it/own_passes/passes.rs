//! The passes of `reconverge transform`, with options as a seed chooses them.

use reconverge_ir::ReadError;
use reconverge_testing::random::SplitMix64;
use reconverge_transform::{
    InlineOptions, Kind, Transformed, UnrollOptions, hoist_anchors, hoist_operations, infer_noconvergent, infer_tokens,
    inline, reduce_cycles, sink_anchors, sink_operations, strip_tokens, unroll,
};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Pass {
    InferTokens,
    StripTokens,
    ReduceCycles,
    Inline,
    Unroll,
    HoistAnchors,
    SinkAnchors,
    HoistOperations,
    SinkOperations,
    InferNoconvergent,
}

impl Pass {
    pub(crate) const ALL: [Pass; 10] = [
        Pass::InferTokens,
        Pass::StripTokens,
        Pass::ReduceCycles,
        Pass::Inline,
        Pass::Unroll,
        Pass::HoistAnchors,
        Pass::SinkAnchors,
        Pass::HoistOperations,
        Pass::SinkOperations,
        Pass::InferNoconvergent,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Pass::InferTokens => "infer-tokens",
            Pass::StripTokens => "strip-tokens",
            Pass::ReduceCycles => "reduce-cycles",
            Pass::Inline => "inline",
            Pass::Unroll => "unroll",
            Pass::HoistAnchors => "hoist-anchors",
            Pass::SinkAnchors => "sink-anchors",
            Pass::HoistOperations => "hoist-operations",
            Pass::SinkOperations => "sink-operations",
            Pass::InferNoconvergent => "infer-noconvergent",
        }
    }

    /// Whether it moves operations or anchors.
    pub(crate) fn moves(self) -> bool {
        self.sinks() || matches!(self, Pass::HoistAnchors | Pass::HoistOperations)
    }

    /// Whether something may be executed less often.
    pub(crate) fn sinks(self) -> bool {
        matches!(self, Pass::SinkAnchors | Pass::SinkOperations)
    }

    /// Runs the pass; of `unroll` also in which ways loops were unrolled. `headers` are those of all loops, where their names are known.
    pub(crate) fn run(
        self,
        text: &[u8],
        headers: &[String],
        rng: &mut SplitMix64,
    ) -> Result<(Transformed, Vec<Kind>), ReadError> {
        let transformed = match self {
            Pass::InferTokens => infer_tokens(text),
            Pass::StripTokens => strip_tokens(text),
            Pass::ReduceCycles => reduce_cycles(text),
            Pass::Inline => inline(text, &InlineOptions::default()),
            Pass::HoistAnchors => hoist_anchors(text, None),
            Pass::SinkAnchors => sink_anchors(text, None),
            Pass::HoistOperations => hoist_operations(text, None),
            Pass::SinkOperations => sink_operations(text, None),
            Pass::InferNoconvergent => infer_noconvergent(text, false),
            Pass::Unroll => {
                let options = UnrollOptions {
                    factor: [2, 2, 3, 4, 4, 5, 8][rng.below(7)],
                    keep_tests: rng.percent(30),
                    loops: if rng.percent(40) { headers.to_vec() } else { Vec::new() },
                    ..UnrollOptions::default()
                };
                let unrolled = unroll(text, &options)?;
                let kinds = unrolled.loops.iter().map(|&(.., kind)| kind).collect();
                return Ok((unrolled.transformed, kinds));
            }
        };
        Ok((transformed?, Vec::new()))
    }
}
