//! Where copies of instructions come from: metadata of debug locations.
//!
//! A location `L` of the callee becomes a node that says `L`, inlined at a *distinct* copy of the call's own location, so that two calls on one line
//! are two. What was inlined before keeps its chain, with the new place at its end.
//!
//! On request all copies are at the call itself, as if it were one instruction.

use cranelift_entity::EntityRef;
use reconverge_ir::attributes::{Attribute, node_elements};
use reconverge_ir::function::Inst;
use reconverge_ir::function::MetadataNumber;
use reconverge_ir::{Function, FunctionId, Module};
use rustc_hash::FxHashMap;

/// The nodes that a pass adds to a module.
pub(super) struct Locations {
    next: usize,
    /// Copies are at the call.
    pub(super) at_call: bool,
    /// Their definitions, a line each.
    pub(super) nodes: String,
}

/// A call that is being inlined.
#[derive(Debug, Default, Clone)]
pub(super) struct Place {
    /// The location of the call, as an operand of `!dbg`; nothing where the function has no debug information.
    reference: Option<String>,
    /// The same, spelled out.
    fields: String,
    /// The distinct copy of it, once it is needed.
    inlined_at: Option<String>,
    /// The nodes that are there already, by the callee's.
    known: FxHashMap<String, (String, String)>,
}

const KIND: &str = "!DILocation(";

impl Locations {
    pub(super) fn new(module: &Module<'_>, at_call: bool) -> Locations {
        let next = module.metadata.keys().map(|number| number.index() + 1).max().unwrap_or(0);
        Locations { next, at_call, nodes: String::new() }
    }

    fn define(&mut self, prefix: &str, fields: &str) -> String {
        let name = format!("!{}", self.next);
        self.next += 1;
        self.nodes.push_str(&format!("{name} = {prefix}{fields}\n"));
        name
    }

    /// The place of a call in a function of the text.
    pub(super) fn place(&mut self, module: &Module<'_>, id: FunctionId, function: &Function, inst: Inst) -> Place {
        let Some(subprogram) = subprogram(module, id) else { return Place::default() };
        let node = attachments(module, function, inst).find(|(name, _)| name == "dbg").map(|(_, node)| node);
        let (reference, fields) = match node.and_then(|node| Some((spelled(module, &node)?, node))) {
            Some((fields, node)) => (node, fields),
            // A call in a function with debug information has to have a place.
            None => {
                let fields = format!("{KIND}line: 0, scope: {subprogram})");
                (self.define("", &fields), fields)
            }
        };
        Place { reference: Some(reference), fields, ..Place::default() }
    }

    /// The place of a call in a copy.
    pub(super) fn nested(&mut self, module: &Module<'_>, function: &Function, inst: Inst, at: &mut Place) -> Place {
        let Some(reference) = at.reference.clone() else { return Place::default() };
        let fields = at.fields.clone();
        let node = attachments(module, function, inst).find(|(name, _)| name == "dbg").map(|(_, node)| node);
        let (reference, fields) = node.and_then(|node| self.inlined(module, at, &node)).unwrap_or((reference, fields));
        Place { reference: Some(reference), fields, ..Place::default() }
    }

    /// A location of the callee, as one of the caller: an operand of `!dbg`, and spelled out.
    fn inlined(&mut self, module: &Module<'_>, at: &mut Place, node: &str) -> Option<(String, String)> {
        if self.at_call {
            return at.reference.clone().map(|reference| (reference, at.fields.clone()));
        }
        let mut chain = Vec::new();
        let mut next = Some(node.to_owned());
        let mut outer = None;
        while let Some(node) = next {
            if let Some(known) = at.known.get(&node) {
                outer = Some(known.clone());
                break;
            }
            let fields = spelled(module, &node)?;
            next = field(&fields).map(|range| fields[range].to_owned());
            if chain.iter().any(|(other, _)| *other == node) {
                return None;
            }
            chain.push((node, fields));
        }
        let mut outer = match outer {
            Some((reference, _)) => reference,
            None => match &at.inlined_at {
                Some(node) => node.clone(),
                None => {
                    let node = self.define("distinct ", &at.fields);
                    at.inlined_at = Some(node.clone());
                    node
                }
            },
        };
        for (index, (node, fields)) in chain.into_iter().enumerate().rev() {
            let fields = match field(&fields) {
                Some(range) => format!("{}{outer}{}", &fields[..range.start], &fields[range.end..]),
                None => format!("{}, inlinedAt: {outer})", fields.strip_suffix(')').unwrap_or(&fields)),
            };
            // All but the first are calls.
            outer = self.define(if index > 0 { "distinct " } else { "" }, &fields);
            at.known.insert(node, (outer.clone(), fields));
        }
        at.known.get(node).cloned()
    }

    /// The attachments of a copy of an instruction.
    pub(super) fn attachments(
        &mut self,
        module: &Module<'_>,
        id: FunctionId,
        function: &Function,
        inst: Inst,
        at: &mut Place,
    ) -> String {
        // Scopes of aliases are those of one execution of the callee; the others are identities of one instruction.
        const LEFT_OUT: [&str; 5] = ["alias.scope", "noalias", "DIAssignID", "memprof", "callsite"];
        let mut kept: Vec<String> = Vec::new();
        let mut has_place = false;
        for (name, node) in attachments(module, function, inst) {
            if name == "dbg" {
                if let Some((reference, _)) = at.reference.is_some().then(|| self.inlined(module, at, &node)).flatten()
                {
                    kept.push(format!("!dbg {reference}"));
                    has_place = true;
                }
            } else if !(LEFT_OUT.contains(&&*name) || name == "llvm.loop" && names_places(module, &node)) {
                kept.push(format!("!{name} {node}"));
            }
        }
        let is_call = function.instructions[inst].opcode.is_call_site();
        if let Some(reference) =
            at.reference.as_ref().filter(|_| !has_place && (is_call || subprogram(module, id).is_none()))
        {
            kept.push(format!("!dbg {reference}"));
        }
        kept.join(", ")
    }
}

/// The node that describes a function, if it has debug information.
fn subprogram(module: &Module<'_>, id: FunctionId) -> Option<String> {
    module.attributes(module.functions[id].suffix).find_map(|attribute| match attribute {
        Attribute::Attachment { name: b"dbg", node } => {
            Some(String::from_utf8_lossy(node.of(module.text)).into_owned())
        }
        _ => None,
    })
}

fn attachments<'m>(
    module: &'m Module<'_>,
    function: &Function,
    inst: Inst,
) -> impl Iterator<Item = (String, String)> + use<'m> {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    module.attributes(function.instructions[inst].attachments).filter_map(move |attribute| match attribute {
        Attribute::Attachment { name, node } => Some((text(name), text(node.of(module.text)))),
        _ => None,
    })
}

/// A location spelled out; nothing if the node is not one.
fn spelled(module: &Module<'_>, node: &str) -> Option<String> {
    let fields = match numbered(module, node) {
        Some(text) => text,
        None => node.to_owned(),
    };
    fields.trim().starts_with(KIND).then(|| fields.trim().to_owned())
}

/// Where the value of `inlinedAt` stands.
fn field(fields: &str) -> Option<std::ops::Range<usize>> {
    const NAME: &str = "inlinedAt:";
    let start = fields.find(NAME)? + NAME.len();
    let start = start + fields[start..].len() - fields[start..].trim_start().len();
    let end = start + fields[start..].find([',', ')'])?;
    Some(start..end)
}

/// Whether a node about a loop says where it is in the source.
fn names_places(module: &Module<'_>, node: &str) -> bool {
    let text = numbered(module, node).unwrap_or_else(|| node.to_owned());
    let elements = node_elements(text.as_bytes()).unwrap_or_default();
    elements.iter().any(|element| spelled(module, &String::from_utf8_lossy(element)).is_some())
}

/// The text of the node that a number names.
fn numbered(module: &Module<'_>, node: &str) -> Option<String> {
    let number: u32 = node.strip_prefix('!')?.parse().ok()?;
    let span = module.metadata.get(&MetadataNumber::from_u32((number < u32::MAX).then_some(number)?))?;
    Some(String::from_utf8_lossy(span.of(module.text)).into_owned())
}
