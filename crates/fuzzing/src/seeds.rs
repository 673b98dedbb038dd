//! The texts that inputs are made of.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use reconverge_analysis::target::Target;
use reconverge_lang::lower::LowerOptions;
use reconverge_lang::options::{Dialect, Options, SourceModel};
use reconverge_lang::translate::translate;

use crate::input::Kind;
use crate::{ir, source};

/// Texts, read once.
#[derive(Debug)]
pub struct Seeds {
    /// The root of the workspace.
    pub root: PathBuf,
    /// Modules: files, and what source files are translated to.
    pub ir: Vec<ir::Tree>,
    /// Source texts, each with its extension.
    pub source: Vec<(&'static str, source::Tree)>,
    /// The trees of `source` again, as a list to take parts from.
    pub source_trees: Vec<source::Tree>,
    /// Machine IR.
    pub machine: Vec<Vec<u8>>,
    /// Target files.
    pub targets: Vec<Vec<u8>>,
    /// A number that changes with the texts: inputs of a seed are the same as long as it is.
    pub fingerprint: u64,
}

/// Texts above this size are left out: they would take the time of many smaller ones.
const LONGEST: usize = 12_000;

/// The folders with texts, from the root of the workspace.
const FOLDERS: [&str; 5] = ["crates/mir/tests/programs", "examples", "fuzz/corpus", "targets", "tests/cases"];

impl Seeds {
    /// Reads all texts of the workspace.
    ///
    /// # Errors
    /// When a file or folder cannot be read.
    pub fn read(root: &Path) -> Result<Seeds> {
        let mut files = Vec::new();
        for folder in FOLDERS {
            let folder = root.join(folder);
            if folder.is_dir() {
                collect(&folder, &mut files).with_context(|| folder.display().to_string())?;
            }
        }
        files.sort();
        let mut seeds = Seeds {
            root: root.to_owned(),
            ir: Vec::new(),
            source: Vec::new(),
            source_trees: Vec::new(),
            machine: Vec::new(),
            targets: Vec::new(),
            fingerprint: 0,
        };
        for file in files {
            let text = std::fs::read(&file).with_context(|| file.display().to_string())?;
            if text.len() > LONGEST {
                continue;
            }
            let extension = file.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
            let text = with_header(root, text)?;
            seeds.fingerprint = seeds.fingerprint.rotate_left(5) ^ hash(&text);
            if extension != "toml" || Target::load(&file).is_ok() {
                seeds.add(extension, text);
            }
        }
        Ok(seeds)
    }

    fn add(&mut self, extension: &str, text: Vec<u8>) {
        match Kind::of_extension(extension) {
            Kind::Ir => self.ir.extend(ir::Tree::read(&text).ok().filter(|tree| !tree.bodies.is_empty())),
            Kind::Source(extension) => {
                let tree = source::Tree::read(&String::from_utf8_lossy(&text));
                let options = Options::new(dialect(extension));
                let translation = translate(Path::new("seed"), text, &options, SourceModel::default());
                let lowered = translation.lower(&LowerOptions {
                    tokens: true,
                    markers: false,
                    debug: false,
                    origins: false,
                    nsw: false,
                });
                // What is no program stays none.
                let Some(lowered) = lowered else { return };
                self.source.push((extension, tree.clone()));
                self.source_trees.push(tree);
                let tree = ir::Tree::read(&lowered.text).ok();
                self.ir.extend(tree.filter(|tree| !tree.bodies.is_empty()));
            }
            Kind::Machine => self.machine.push(text),
            Kind::Plain if extension == "toml" => self.targets.push(text),
            Kind::Plain => {}
        }
    }
}

/// A text with the header of the CUDA cases in the place of its include: inputs include nothing.
fn with_header(root: &Path, text: Vec<u8>) -> Result<Vec<u8>> {
    const INCLUDES: [&str; 2] = ["#include \"device.h\"", "#include \"../../cuda/device.h\""];
    let Ok(words) = String::from_utf8(text.clone()) else { return Ok(text) };
    let Some(include) = INCLUDES.into_iter().find(|include| words.contains(include)) else { return Ok(text) };
    let header = std::fs::read_to_string(root.join("tests/cases/cuda/device.h"))?;
    Ok(words.replace(include, &header.replace("#pragma once", "")).into_bytes())
}

/// The language of files with an extension.
pub fn dialect(extension: &str) -> Dialect {
    match extension {
        "cl" => Dialect::OpenCl,
        "cu" => Dialect::Cuda,
        "hip" => Dialect::Hip,
        "c" => Dialect::C,
        _ => Dialect::Cpp,
    }
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}

/// A fingerprint of bytes that is the same on every machine (FNV-1a).
pub fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
