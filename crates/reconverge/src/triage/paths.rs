//! Paths that can be compared, without asking a disk.

use std::path::{Component, Path, PathBuf};

/// A path from the root, without `.` and `..` as far as that can be told from the names alone; links are not followed. Relative ones begin in `folder`.
pub fn absolute(path: &Path, folder: Option<&Path>) -> PathBuf {
    let mut absolute = PathBuf::new();
    for component in folder.unwrap_or(Path::new("")).join(path).components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir if matches!(absolute.components().next_back(), Some(Component::Normal(_))) => {
                absolute.pop();
            }
            component => absolute.push(component),
        }
    }
    absolute
}

/// How a file is called from a folder, both absolute; with `/` on every system.
pub(super) fn from_folder(folder: &Path, path: &Path) -> String {
    let shared = folder.components().zip(path.components()).take_while(|(one, other)| one == other).count();
    let up = folder.components().skip(shared).map(|_| "..".into());
    let down = path.components().skip(shared).map(|component| component.as_os_str().to_string_lossy());
    up.chain(down).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_one_file() {
        let from = |path: &str| absolute(Path::new(path), Some(Path::new("/a/b")));
        for path in ["c/d", "./c/d", "../b/c/./d", "/a/b/c/d", "c/e/../d"] {
            assert_eq!(from(path), Path::new("/a/b/c/d"), "{path}");
        }
        assert_eq!(absolute(Path::new("../x"), None), Path::new("../x"));
        assert_eq!(absolute(Path::new("../../x/../.."), None), Path::new("../../.."));
    }

    #[test]
    fn names_from_a_folder() {
        let name = |folder: &str, path: &str| from_folder(Path::new(folder), Path::new(path));
        assert_eq!(name("/a/b", "/a/b/c/d"), "c/d");
        assert_eq!(name("/a/b", "/a/c"), "../c");
        assert_eq!(name("/", "/a"), "a");
    }
}
