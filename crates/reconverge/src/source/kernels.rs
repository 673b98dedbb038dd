//! Kernels of the source in clang's IR.
//!
//! Of a kernel of OpenCL clang makes two functions: one that a launch enters, which does nothing but call the other one, and that one, for calls by other kernels. Where the kernel is its only caller, it gets its
//! body back; else both stay, as not every target can call a kernel. In IR that was read both are there, and lists have one of them.

use reconverge_analysis::uniformity::lower::{body_of_kernel, kernel_of_body};
use reconverge_ir::module::FunctionData;
use reconverge_ir::{BodyEnds, FunctionId, Module, Span};
use reconverge_lang::builtins::mangle::BODY_OF_KERNEL;
use reconverge_lang::typed;
use reconverge_transform::Edits;

/// Whether clang has made two functions of a kernel, and the other one is to be shown: this one does nothing but call that, or is a copy that the kernel does not call.
pub(crate) fn is_second_kernel(module: &Module<'_>, id: FunctionId) -> bool {
    is_empty_kernel(module, id) || kernel_of_body(module, id).is_some_and(|kernel| !is_empty_kernel(module, kernel))
}

/// How many functions a module has beside those that it is [shown](is_second_kernel) with. O(text), fast where there are none.
pub(crate) fn second_kernels(module: &Module<'_>) -> usize {
    let has_some = memchr::memmem::find(module.text, BODY_OF_KERNEL.as_bytes()).is_some();
    if has_some { module.definitions().filter(|&id| is_second_kernel(module, id)).count() } else { 0 }
}

/// Whether a kernel calls the body that clang has made of it. O(length of the kernel), if there is one.
fn is_empty_kernel(module: &Module<'_>, kernel: FunctionId) -> bool {
    let Some(body) = body_of_kernel(module, kernel) else { return false };
    let text = module.functions[kernel].body.map_or(&[][..], |span| span.of(module.text));
    module.functions[body].body.is_some() && mentions(text, module, body) > 0
}

/// How often a text has the name of a function, with its sigil.
fn mentions(text: &[u8], module: &Module<'_>, function: FunctionId) -> usize {
    let name = [b"@", &*module.symbol_name(module.functions[function].symbol)].concat();
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"-$._".contains(byte);
    let places = memchr::memmem::find_iter(text, &name);
    places.filter(|at| !text.get(at + name.len()).is_some_and(is_part)).count()
}

/// The IR with one function for each kernel that has two and is called by nobody. What is no IR stays as it is: who reads it next says why. O(text), and O(text) for each such kernel.
pub(super) fn with_one_of_each(ir: Vec<u8>) -> Vec<u8> {
    let mut edits = Edits::default();
    let Ok(module) = Module::read(&ir, BodyEnds::ByBrackets) else { return ir };
    for kernel in module.definitions().filter(|&id| is_empty_kernel(&module, id)) {
        let body = body_of_kernel(&module, kernel).expect("an empty kernel has one");
        let (to, from) = (&module.functions[kernel], &module.functions[body]);
        let (Some(old), Some(new)) = (to.body, from.body) else { continue };
        let Ok(text) = str::from_utf8(new.of(&ir)) else { continue };
        if parameters(&module, to) != parameters(&module, from) || mentions(module.text, &module, body) != 2 {
            continue;
        }
        if let (Some(place), Some(attached)) = (debug(to.suffix, &ir), debug(from.suffix, &ir)) {
            edits.replace(place.range(), String::from_utf8_lossy(attached.of(&ir)));
        }
        edits.replace(old.range(), text);
        edits.delete(from.header.range().start..new.range().end);
    }
    edits.apply(&ir)
}

/// Whether IR has the body of a kernel of the source, or of another instance of its template. O(symbols × length of their names).
pub(super) fn is_defined(module: &Module<'_>, data: &typed::FunctionData) -> bool {
    let written = data.name.split('<').next().unwrap_or_default();
    let written = written.rsplit("::").next().unwrap_or_default();
    let mangled = format!("{}{written}", written.len());
    module.definitions().any(|id| {
        let name = module.symbol_name(module.functions[id].symbol);
        *name == *data.linkage_name.as_bytes() || memchr::memmem::find(&name, mangled.as_bytes()).is_some()
    })
}

/// The text from the name of a function to behind its parameters.
fn parameters<'t>(module: &Module<'t>, function: &FunctionData) -> &'t [u8] {
    &module.text[module.symbols[function.symbol].name.range().end..function.suffix.range().start]
}

/// Where `!dbg !7` is in what stands behind the parameters.
fn debug(suffix: Span, text: &[u8]) -> Option<Span> {
    const ATTACHED: &[u8] = b"!dbg !";
    let (start, text) = (suffix.range().start, suffix.of(text));
    let at = memchr::memmem::find(text, ATTACHED)?;
    let digits = text[at + ATTACHED.len()..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    Some(Span { start: (start + at) as u32, end: (start + at + ATTACHED.len() + digits) as u32 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kernel_that_nobody_calls_is_one_function() {
        let ir = "define spir_kernel void @k(i32 %n) #0 !dbg !1 !kernel_arg_type !9 {
  call spir_func void @__clang_ocl_kern_imp_k(i32 %n)
  ret void
}
define spir_func void @__clang_ocl_kern_imp_k(i32 %n) #1 !dbg !2 {
  call void @f(i32 %n)
  ret void
}
define spir_kernel void @other(i32 %n) !dbg !3 {
  call spir_func void @__clang_ocl_kern_imp_other(i32 %n)
  ret void
}
define spir_func void @__clang_ocl_kern_imp_other(i32 %n) !dbg !4 {
  call spir_func void @__clang_ocl_kern_imp_other(i32 %n)
  ret void
}
";
        let expected = "define spir_kernel void @k(i32 %n) #0 !dbg !2 !kernel_arg_type !9 {
  call void @f(i32 %n)
  ret void
}

define spir_kernel void @other(i32 %n) !dbg !3 {
  call spir_func void @__clang_ocl_kern_imp_other(i32 %n)
  ret void
}
define spir_func void @__clang_ocl_kern_imp_other(i32 %n) !dbg !4 {
  call spir_func void @__clang_ocl_kern_imp_other(i32 %n)
  ret void
}
";
        assert_eq!(String::from_utf8(with_one_of_each(ir.into())).as_deref(), Ok(expected));
    }
}
