//! Tables of threads and dynamic instances, as the LLVM documents show them.
//!
//! **Definition.** A row is a thread, from left to right in the order of execution. Dynamic instances are in one column iff
//! they are converged, and a column is left of another if its instances are convergence-before the other's. Empty
//! cells mean nothing.

use std::fmt::Write;

use rustc_hash::FxHashMap;

use crate::order::{ConvergenceOrder, Place};
use crate::skeleton::StaticInstance;

/// A table; every row has a cell in every column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// By thread and column.
    pub rows: Vec<Vec<Option<String>>>,
    /// By column: the class of its instances in the order that the table was made from.
    pub classes: Vec<u32>,
}

impl Table {
    /// The table of those instances that `name` names; columns without any are left out. O(threads · columns).
    pub fn new(order: &ConvergenceOrder, mut name: impl FnMut(Place) -> Option<String>) -> Table {
        let mut table = Table { rows: vec![Vec::new(); order.classes.len()], classes: Vec::new() };
        for (class, members) in (0..).zip(&order.members) {
            let cells: Vec<(usize, String)> =
                members.iter().filter_map(|&place| Some((place.thread, name(place)?))).collect();
            if !cells.is_empty() {
                table.classes.push(class);
                table.rows.iter_mut().for_each(|row| row.push(None));
                for (thread, text) in cells {
                    table.rows[thread][table.classes.len() - 1] = Some(text);
                }
            }
        }
        table
    }

    /// As aligned text: a line with the numbers of the columns, then one for each thread.
    pub fn text(&self) -> String {
        text_grid(&self.lines())
    }

    /// As a table of Markdown, also aligned.
    pub fn markdown(&self) -> String {
        markdown_grid(&self.lines())
    }

    fn lines(&self) -> Vec<Vec<String>> {
        let mut header = vec![String::new()];
        header.extend((1..=self.classes.len()).map(|column| column.to_string()));
        let rows = (1..).zip(&self.rows).map(|(thread, row)| {
            let cells = row.iter().map(|cell| cell.clone().unwrap_or_default());
            std::iter::once(format!("thread {thread}")).chain(cells).collect()
        });
        std::iter::once(header).chain(rows).collect()
    }
}

/// Lines of cells as aligned text; all lines have as many cells as the first.
pub fn text_grid(lines: &[Vec<String>]) -> String {
    let mut text = String::new();
    for cells in padded(lines) {
        let _ = writeln!(text, "{}", cells.join(" | ").trim_end());
    }
    text
}

/// Lines of cells as an aligned table of Markdown; the first line is its head.
pub fn markdown_grid(lines: &[Vec<String>]) -> String {
    let escaped: Vec<Vec<String>> =
        lines.iter().map(|cells| cells.iter().map(|cell| cell.replace('|', "\\|")).collect()).collect();
    let mut text = String::new();
    for (number, cells) in padded(&escaped).into_iter().enumerate() {
        let _ = writeln!(text, "| {} |", cells.join(" | "));
        if number == 0 {
            let rules: Vec<String> = cells.iter().map(|cell| "-".repeat(cell.chars().count())).collect();
            let _ = writeln!(text, "| {} |", rules.join(" | "));
        }
    }
    text
}

fn padded(lines: &[Vec<String>]) -> Vec<Vec<String>> {
    let mut widths = vec![0; lines.first().map_or(0, Vec::len)];
    for cells in lines {
        cells.iter().zip(&mut widths).for_each(|(cell, width)| *width = cell.chars().count().max(*width));
    }
    let pad = |cells: &Vec<String>| cells.iter().zip(&widths).map(|(cell, &width)| format!("{cell:width$}")).collect();
    lines.iter().map(pad).collect()
}

/// Numbers the executions of each static instance, counted from 1: first those that are the first of their threads, thread by thread, then
/// the second ones, and so on, as in most tables of the documents. O(instances · log instances).
pub fn occurrence_numbers(threads: &[Vec<StaticInstance>]) -> Vec<Vec<u32>> {
    let mut all: Vec<(StaticInstance, u32, usize, usize)> = Vec::new();
    for (thread, instances) in threads.iter().enumerate() {
        let mut executions: FxHashMap<StaticInstance, u32> = FxHashMap::default();
        for (position, &instance) in instances.iter().enumerate() {
            let nth = executions.entry(instance).or_insert(0);
            *nth += 1;
            all.push((instance, *nth, thread, position));
        }
    }
    all.sort_unstable();
    let mut numbers: Vec<Vec<u32>> = threads.iter().map(|thread| vec![0; thread.len()]).collect();
    let mut latest = None;
    let mut number = 0;
    for (instance, _, thread, position) in all {
        number = if latest == Some(instance) { number + 1 } else { 1 };
        latest = Some(instance);
        numbers[thread][position] = number;
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::Key;
    use cranelift_entity::EntityRef;

    #[test]
    fn text_and_markdown_are_aligned() {
        let keys = [[0, 1, 2].map(Key).to_vec(), [0, 3, 2].map(Key).to_vec()];
        let order = ConvergenceOrder::new(&keys).expect("an order");
        let names = [["entry", "left", "é"], ["entry", "no", "é"]];
        let named = |place: Place| Some(names[place.thread][place.position].to_owned()).filter(|name| name != "no");
        let table = Table::new(&order, named);
        assert_eq!(
            table.text(),
            "         | 1     | 2    | 3\nthread 1 | entry | left | é\nthread 2 | entry |      | é\n"
        );
        assert_eq!(
            table.markdown(),
            "|          | 1     | 2    | 3 |\n| -------- | ----- | ---- | - |\n\
             | thread 1 | entry | left | é |\n| thread 2 | entry |      | é |\n"
        );
    }

    #[test]
    fn numbers_go_round_the_threads() {
        let instances = |all: &[usize]| all.iter().map(|&index| StaticInstance::new(index)).collect::<Vec<_>>();
        let numbers = occurrence_numbers(&[instances(&[7, 7, 8]), instances(&[7, 8, 7, 7])]);
        assert_eq!(numbers, [vec![1, 3, 1], vec![2, 2, 4, 5]]);
    }
}
