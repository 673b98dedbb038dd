//! The pictures of the documents: pages and graphs that the tool writes, as Chromium shows them.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use clap::Args;
use reconverge_testing::corpus::workspace;

#[derive(Debug, Args)]
pub(crate) struct Pictures {
    /// The binary [default: target/debug/reconverge]
    #[arg(long, value_name = "PATH")]
    binary: Option<PathBuf>,
    /// The browser
    #[arg(long, value_name = "PATH", default_value = "chromium")]
    chromium: PathBuf,
}

/// A picture: its name under `docs/pictures`, the input of a report and its options, the state of the page, and how large its window is.
struct Picture {
    name: &'static str,
    input: &'static str,
    options: &'static [&'static str],
    fragment: &'static str,
    size: (u32, u32),
}

const PICTURES: [Picture; 4] = [
    Picture {
        name: "source.png",
        input: "examples/block-sum.cu",
        options: &[],
        fragment: "file=0&line=10",
        size: (1240, 640),
    },
    Picture {
        name: "time.png",
        input: "examples/block-sum.cu",
        options: &["--block", "8", "--arg", "in=f32[8]{1,2,3,4,5,6,7,8}", "--arg", "out=f32[1]"],
        fragment: "view=time&step=5",
        size: (1240, 800),
    },
    Picture {
        name: "control-flow.png",
        input: "examples/block-sum.cu",
        options: &[],
        fragment: "view=graph&line=45",
        size: (1240, 860),
    },
    Picture {
        name: "temporal-divergence.png",
        input: "examples/exit-phi.ll",
        options: &[],
        fragment: "view=graph&line=21",
        size: (1240, 800),
    },
];

impl Pictures {
    pub(crate) fn run(&self) -> Result<()> {
        let root = workspace();
        let binary = self.binary.clone().unwrap_or_else(|| root.join("target/debug/reconverge"));
        let folder = root.join("docs/pictures");
        std::fs::create_dir_all(&folder)?;
        let scratch = tempfile::tempdir()?;
        for picture in &PICTURES {
            let page = scratch.path().join("page.html");
            let status = Command::new(&binary)
                .args(["report", picture.input, "-o"])
                .arg(&page)
                .args(picture.options)
                .current_dir(&root)
                .status()
                .with_context(|| format!("{} does not run", binary.display()))?;
            ensure!(status.success(), "no report of {}", picture.input);
            self.take(picture, &page, &folder.join(picture.name), scratch.path())?;
        }
        Ok(())
    }

    fn take(&self, picture: &Picture, page: &Path, output: &Path, scratch: &Path) -> Result<()> {
        let (width, height) = picture.size;
        let status = Command::new(&self.chromium)
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"])
            .args([
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--hide-scrollbars",
            ])
            .arg(format!("--user-data-dir={}", scratch.join("profile").display()))
            .arg(format!("--window-size={width},{height}"))
            .arg(format!("--screenshot={}", output.display()))
            .arg(format!("file://{}#{}", page.display(), picture.fragment))
            .stderr(Stdio::null())
            .status()
            .with_context(|| format!("{} does not run", self.chromium.display()))?;
        ensure!(status.success() && output.exists(), "no picture {}", picture.name);
        println!("{}", output.display());
        Ok(())
    }
}
