//! Files that have a passing name, in one test: the list of such names is the process's.

use super::*;

fn entries(folder: &Path) -> Vec<String> {
    fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect()
}

/// U12: where files must have a name from the first, it is a passing one, which a signal removes,
/// and which takes the place of nothing.
#[test]
fn passing_names_go() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("target");
    let output = |force| {
        let place = Place::Named(named(folder.path(), Kind::Verified).unwrap(), target.clone());
        let mut output = Output { path: target.clone(), kind: Kind::Verified, force, place };
        output.write_all(b"some").unwrap();
        output
    };
    let dropped = output(false);
    assert!(entries(folder.path())[0].starts_with(".ringwork-"));
    drop(leftovers::remove());
    assert!(entries(folder.path()).is_empty());
    drop(dropped);
    output(false).finish().unwrap();
    assert!(matches!(output(false).finish(), Err(Fault::Input(why)) if why.contains("there is such a file")));
    output(true).finish().unwrap();
    let secret = Place::Named(named(folder.path(), Kind::Secret).unwrap(), folder.path().join("secret"));
    let (path, kind) = (folder.path().join("secret"), Kind::Secret);
    Output { path: path.clone(), kind, force: false, place: secret }.finish().unwrap();
    let mode = std::os::unix::fs::PermissionsExt::mode(&fs::metadata(path).unwrap().permissions());
    assert_eq!((mode & 0o777, entries(folder.path()).len()), (0o600, 2));

    // Where a file without a name cannot be given one, its bytes are copied.
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("target");
    let held = |bytes: &[u8]| {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(bytes).unwrap();
        file
    };
    copy(held(b"first"), &target, Kind::Binary, false).unwrap();
    let refused = copy(held(b"second"), &target, Kind::Binary, false).unwrap_err();
    assert_eq!((refused.kind(), &*fs::read(&target).unwrap()), (ErrorKind::AlreadyExists, &b"first"[..]));
    copy(held(b"second"), &target, Kind::Binary, true).unwrap();
    assert_eq!((&*fs::read(&target).unwrap(), entries(folder.path()).len()), (&b"second"[..], 1));
}
