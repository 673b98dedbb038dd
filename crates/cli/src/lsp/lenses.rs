//! Above each kernel: how many of its values and branches are uniform in a subgroup.

use lsp_types as lsp;

use super::requests::View;

pub(crate) fn lenses(view: &View<'_>) -> Vec<lsp::CodeLens> {
    let kernels = view.analysis.functions.iter().filter(|function| function.is_kernel);
    let placed: Vec<_> =
        kernels.filter_map(|kernel| Some((kernel, view.here(kernel.span.as_ref()?)?.clone()))).collect();
    let lens = |(kernel, bytes): &(&reconverge::FunctionPoints, std::ops::Range<usize>)| {
        let uniform = kernel.points.iter().filter(|point| point.uniform_in.is_some()).count();
        let title = format!("uniform in {}: {uniform} of {}", kernel.sets[0], kernel.points.len());
        // Instances of a template are told apart.
        let is_alone = placed.iter().filter(|(_, other)| other == bytes).count() == 1;
        let title = if is_alone { title } else { format!("{}: {title}", kernel.written) };
        let command = lsp::Command { title, command: String::new(), arguments: None };
        let start = view.positions.position(bytes.start);
        lsp::CodeLens { range: lsp::Range { start, end: start }, command: Some(command), data: None }
    };
    placed.iter().map(lens).collect()
}
