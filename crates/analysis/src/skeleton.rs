//! From convergent operations to what the definitions of dynamic instances see.
//!
//! Operations keep their index. A call without a convergence token is plain. Where rules are broken: a loop intrinsic without a
//! token counts as an anchor, and of several tokens the first one counts.

use reconverge_semantics as semantics;
use semantics::{Regions, Skeleton};

use crate::flow::{ConvergentOperation, FlowFunction, OperationKind};
use crate::regions::{RegionEnd, RegionStart, convergence_regions};

/// The skeleton of a function; as expensive as [`convergence_regions`].
pub fn skeleton(flow: &FlowFunction) -> Skeleton {
    let mut block_regions = vec![Regions::new(); flow.graph.node_count()];
    let mut operations: Vec<semantics::Operation> = flow
        .operations
        .iter()
        .map(|operation| semantics::Operation {
            block: operation.block,
            kind: kind(flow, operation),
            regions: Regions::new(),
        })
        .collect();
    let mut first = vec![0; flow.graph.node_count() + 1];
    for operation in &operations {
        first[operation.block.as_u32() as usize + 1] += 1;
    }
    for block in 1..first.len() {
        first[block] += first[block - 1];
    }
    for region in convergence_regions(flow) {
        for part in &region.blocks {
            let block = part.block.as_u32() as usize;
            let start = match part.start {
                RegionStart::Block => {
                    block_regions[block].push(region.definition);
                    first[block]
                }
                RegionStart::Definition => region.definition as usize + 1,
            };
            let end = match part.end {
                RegionEnd::Block => first[block + 1],
                RegionEnd::Use(operation) => operation as usize + 1,
            };
            operations[start..end].iter_mut().for_each(|operation| operation.regions.push(region.definition));
        }
    }
    Skeleton::new(flow.graph.clone(), operations, block_regions)
}

fn kind(flow: &FlowFunction, operation: &ConvergentOperation) -> semantics::OperationKind {
    let mut sources = operation.bundles.iter().flatten();
    let token = sources.find_map(|&source| flow.token_definition(source));
    match (operation.kind, token) {
        (OperationKind::Entry, _) => semantics::OperationKind::Entry,
        (OperationKind::Anchor, _) | (OperationKind::Loop, None) => semantics::OperationKind::Anchor,
        (OperationKind::Loop, Some(token)) => semantics::OperationKind::Loop { token },
        (OperationKind::Call, Some(token)) => semantics::OperationKind::Controlled { token },
        (OperationKind::Call, None) => semantics::OperationKind::Plain,
    }
}
