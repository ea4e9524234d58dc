//! `dist`: what a release consists of beside crates: static programs for two machines, packed with their pages and
//! completions, packages of Debian, bills of materials, checksums of all of them, and with `--sign` a signature of these.
//!
//! The same commit gives the same bytes: programs are built from nothing, paths are mapped away, times are that of the
//! commit, and hash maps of the compiler and of macros are in one order (`ordered.c`, on Linux): `i18n-embed-fl` 0.9, by
//! which the crate `age` compiles its messages, takes their arguments from such a map. `--twice` builds once more, in a
//! clone in another folder, and compares. `--draft` compiles no kernels of the engine, which then interprets plans:
//! minutes less, and programs that are slow, which are not signed.

mod archive;
mod bill;
mod debian;
mod notices;

use crate::{
    cargo::{capture, cargo, program, root, run as succeed, shown},
    cross::{has_target, starts},
    skips::{AARCH64_MUSL_TARGET_MISSING, CLANG_MISSING, QEMU_MISSING, X86_64_MUSL_TARGET_MISSING},
    step::{Stop, unless_skipped},
    workspace::Workspace,
};
use archive::File;
use std::{
    collections::BTreeMap,
    ffi::OsString,
    fs,
    io::ErrorKind,
    path::{Path, PathBuf},
    process::Command,
};

const PACKAGE: &str = "ringwork-workbench";
const PROGRAMS: [&str; 3] = ["ringwork", "age-plugin-ringwork", "age-plugin-pq"];
const VERSION: &str = env!("CARGO_PKG_VERSION");
/// Its name is not that of the folder of what is packed, in which cargo would build for this machine.
const PROFILE: &str = "static";
/// `dist/ordered.c`, compiled.
const ORDERED: &str = "libordered.so";
/// What shells look for by these names.
const COMPLETIONS: [(&str, &str); 3] = [("bash", "ringwork"), ("fish", "ringwork.fish"), ("zsh", "_ringwork")];

/// A machine that programs are made for.
struct Machine {
    target: &'static str,
    architecture: &'static str,
    debian: &'static str,
    emulator: &'static str,
    /// The reason to leave it out.
    missing: &'static str,
}

const MACHINES: [Machine; 2] = [
    Machine {
        target: "x86_64-unknown-linux-musl",
        architecture: "x86_64",
        debian: "amd64",
        emulator: "qemu-x86_64",
        missing: X86_64_MUSL_TARGET_MISSING,
    },
    Machine {
        target: "aarch64-unknown-linux-musl",
        architecture: "aarch64",
        debian: "arm64",
        emulator: "qemu-aarch64",
        missing: AARCH64_MUSL_TARGET_MISSING,
    },
];

/// What the command line asks for.
#[derive(Default)]
pub(crate) struct Request<'a> {
    draft: bool,
    twice: bool,
    /// One machine alone, by its target.
    target: Option<&'a str>,
    /// A private key of `ringwork sign`.
    key: Option<&'a str>,
}

impl<'a> Request<'a> {
    /// `[--draft] [--twice] [--target TARGET] [--sign KEY]`, but no signed draft.
    pub(crate) fn parse(mut arguments: &[&'a str]) -> Option<Self> {
        let mut request = Self::default();
        loop {
            arguments = match arguments {
                [] => return (!request.draft || request.key.is_none()).then_some(request),
                ["--draft", rest @ ..] => {
                    request.draft = true;
                    rest
                }
                ["--twice", rest @ ..] => {
                    request.twice = true;
                    rest
                }
                ["--target", target, rest @ ..] if MACHINES.iter().any(|machine| machine.target == *target) => {
                    request.target = Some(target);
                    rest
                }
                ["--sign", key, rest @ ..] if !key.starts_with('-') => {
                    request.key = Some(key);
                    rest
                }
                _ => return None,
            };
        }
    }

    fn machines(&self) -> impl Iterator<Item = &'static Machine> {
        MACHINES.iter().filter(|machine| self.target.is_none_or(|target| target == machine.target))
    }

    /// Where everything goes.
    fn folder(&self, built: &Path) -> PathBuf {
        built.join(if self.draft { "dist-draft" } else { "dist" })
    }
}

pub(crate) fn run(request: &Request<'_>) -> Result<(), String> {
    if !request.draft || request.twice {
        is_that_of_the_commit()?;
    }
    let built = Workspace::read()?.target_directory;
    let commit = capture(program("git").args(["rev-parse", "HEAD"]))?.trim().to_owned();
    let dist = Dist { folder: request.folder(&built), built, time: time(&commit)?, commit, draft: request.draft };
    emptied(&dist.folder)?;
    let (mut made, mut whole) = (Vec::new(), true);
    for machine in request.machines() {
        println!("--- {}", machine.target);
        let outcome = dist.machine(machine);
        whole &= matches!(outcome, Ok(true));
        if unless_skipped(machine.target, outcome.map(|_| ()))? {
            made.push(machine);
        }
    }
    if made.is_empty() || request.key.is_some() && !whole {
        return Err("a release has all of its parts, and some were skipped: see above".into());
    }
    let sums = dist.sums()?;
    print!("{sums}");
    if request.twice {
        dist.compare(request)?;
    }
    request.key.map_or(Ok(()), |key| dist.sign(&made, key))
}

/// **Errors** if a file has changes that are in no commit, or is in none where cargo would find it by itself.
fn is_that_of_the_commit() -> Result<(), String> {
    let changed = ["--no-optional-locks", "status", "--porcelain", "--untracked-files=no"];
    let added = ["ls-files", "--others", "--exclude-standard", "--", ".cargo", "Cargo.toml", "crates", "xtask"];
    for arguments in [&changed[..], &added] {
        let files = capture(program("git").args(arguments))?;
        if !files.is_empty() {
            return Err(format!("a release is that of a commit, and these changes are in none:\n{files}"));
        }
    }
    Ok(())
}

/// When the commit was made, in seconds, unless the environment says otherwise.
fn time(commit: &str) -> Result<u64, String> {
    let given = std::env::var("SOURCE_DATE_EPOCH").ok().map(Ok);
    let text = given.unwrap_or_else(|| capture(program("git").args(["log", "-1", "--format=%ct", commit])))?;
    text.trim().parse().map_err(|error| format!("SOURCE_DATE_EPOCH, or the time of the commit, is {text:?}: {error}"))
}

struct Dist {
    /// That of the build outputs.
    built: PathBuf,
    folder: PathBuf,
    commit: String,
    time: u64,
    draft: bool,
}

impl Dist {
    /// All that is made for a machine: whether nothing of it was skipped.
    fn machine(&self, machine: &Machine) -> Result<bool, Stop> {
        has_target(machine.target, machine.missing)?;
        starts("clang", CLANG_MISSING)?;
        if machine.architecture != std::env::consts::ARCH {
            starts(machine.emulator, QEMU_MISSING)?;
        }
        let programs = self.programs(machine)?;
        succeed(machine.run(&programs[0]).arg("selftest"))?;
        let files = self.files(machine, &programs)?;
        let name = format!("ringwork-{VERSION}-{}", machine.target);
        write(&self.folder.join(format!("{name}.tar.gz")), &archive::packed(&name, &files, self.time)?)?;
        let bill = self.folder.join(format!("{name}.cdx.json"));
        let bill = unless_skipped("the bill of materials", bill::write(self, machine, &bill))?;
        let package = self.folder.join(format!("ringwork_{VERSION}_{}.deb", machine.debian));
        let package = unless_skipped("the package of Debian", debian::write(self, machine, &files, &package))?;
        Ok(bill && package)
    }

    /// Where the programs of a machine are made.
    fn programs_of(&self, machine: &Machine) -> PathBuf {
        self.built.join(machine.target).join(PROFILE)
    }

    /// The programs, which name no folder of this machine.
    fn programs(&self, machine: &Machine) -> Result<[PathBuf; 3], String> {
        let folder = self.programs_of(machine);
        if !self.draft {
            emptied(&folder)?;
        }
        let mut build = cargo(["build", "--locked", "--profile", PROFILE, "--package", PACKAGE, "--bins"]);
        // `ring` compiles C, and is content with the headers of the compiler.
        let name = machine.target.replace('-', "_");
        build.args(["--target", machine.target]).env(format!("CC_{name}"), "clang");
        build.env(format!("CFLAGS_{name}"), "-ffreestanding -nostdlibinc -DRING_CORE_NOSTDLIBINC=1");
        // `age` takes in files with their times, or with this one, and is not compiled again for another: it is one
        // for all commits.
        build.env("SOURCE_DATE_EPOCH", "0");
        // A daemon of a wrapper would keep `ordered.c`, or know a crate that was compiled without it.
        build.env("RUSTC_WRAPPER", "").env("RUSTC_WORKSPACE_WRAPPER", "");
        if cfg!(target_os = "linux") {
            // The first variable is a list of names with spaces between them, which a path may have too.
            build.env("LD_PRELOAD", ORDERED).env("LD_LIBRARY_PATH", self.without_random_numbers()?);
        }
        let homes = Homes::of_this_machine(&self.built)?;
        // Flags of the environment are meant for this machine.
        let mut flags = homes.mapped();
        flags.extend(["-Clinker=rust-lld", "-Clink-self-contained=yes"].map(String::from));
        if self.draft {
            flags.extend(["--cfg", "mutants"].map(String::from));
        }
        succeed(build.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\x1f")))?;
        let programs = PROGRAMS.map(|name| folder.join(name));
        programs.iter().try_for_each(|program| homes.are_not_in(program))?;
        Ok(programs)
    }

    /// Where the loader shall look for libraries: first in a folder that has `ordered.c`, compiled.
    fn without_random_numbers(&self) -> Result<OsString, String> {
        let folder = self.built.join("ordered");
        if folder.to_string_lossy().contains([':', ';', '$']) {
            return Err(format!("the loader of libraries cuts the path {} at `:`, `;` or `$`", folder.display()));
        }
        emptied(&folder)?;
        let source = root().join("xtask/src/dist/ordered.c");
        succeed(program("clang").args(["-O2", "-shared", "-fPIC", "-o"]).args([&folder.join(ORDERED), &source]))?;
        let others = std::env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
        std::env::join_paths([folder].into_iter().chain(std::env::split_paths(&others)))
            .map_err(|error| error.to_string())
    }

    /// What the archive has, by its names there.
    fn files(&self, machine: &Machine, programs: &[PathBuf; 3]) -> Result<BTreeMap<String, File>, String> {
        let mut files = BTreeMap::new();
        for (name, path) in PROGRAMS.iter().zip(programs) {
            files.insert((*name).to_owned(), File { bytes: read(path)?, executable: true });
        }
        let mut text = |name: &str, bytes| files.insert(name.to_owned(), File { bytes, executable: false });
        text("README.md", read(&root().join("crates/workbench/README.md"))?);
        for name in ["CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT"] {
            text(name, read(&root().join(name))?);
        }
        text("THIRD-PARTY.txt", notices::of(machine.target)?.into_bytes());
        let pages = programs[0].with_file_name("pages");
        emptied(&pages)?;
        capture(machine.run(&programs[0]).args(["man", "--out"]).arg(&pages))?;
        for page in listed(&pages)? {
            text(&format!("man/{page}"), read(&pages.join(&page))?);
        }
        for (shell, name) in COMPLETIONS {
            let script = capture(machine.run(&programs[0]).args(["completions", shell]))?;
            text(&format!("completions/{name}"), script.into_bytes());
        }
        Ok(files)
    }

    /// Checksums of everything that there is, in the form of `sha256sum`; a signature is one of this file.
    fn sums(&self) -> Result<String, String> {
        let mut sums = String::new();
        for name in listed(&self.folder)? {
            sums += &format!("{}  {name}\n", archive::sum(&read(&self.folder.join(&name))?));
        }
        write(&self.folder.join("SHA256SUMS"), sums.as_bytes())?;
        Ok(sums)
    }

    /// Signs the checksums by a program that was just made, and verifies that.
    fn sign(&self, made: &[&Machine], key: &str) -> Result<(), String> {
        let here = |machine: &&&Machine| machine.architecture == std::env::consts::ARCH;
        let machine = made.iter().find(here).or(made.first()).expect("programs of a machine were made");
        let ringwork = self.programs_of(machine).join(PROGRAMS[0]);
        let sums = self.folder.join("SHA256SUMS");
        let comment = format!("Ringwork {VERSION}, commit {}", self.commit);
        succeed(machine.run(&ringwork).args(["sign", "--key", key, "--comment", &comment]).arg(&sums))?;
        let public = self.folder.join("SHA256SUMS.pem");
        write(&public, capture(machine.run(&ringwork).args(["key", "public", key]))?.as_bytes())?;
        succeed(machine.run(&ringwork).arg("verify").arg("--key").arg(&public).arg(&sums))
    }

    /// Builds in another folder, in a clone of the commit, and compares every file.
    fn compare(&self, request: &Request<'_>) -> Result<(), String> {
        let again = self.built.join("again/in a folder of another name");
        let clone = self.cloned(&again)?;
        let mut command = program(std::env::current_exe().map_err(|error| error.to_string())?);
        command.current_dir(&clone).arg("dist").args(request.draft.then_some("--draft"));
        command.args(request.target.iter().flat_map(|target| ["--target", target]));
        let built = again.join("built");
        command.env("CARGO_MANIFEST_DIR", clone.join("xtask")).env("CARGO_TARGET_DIR", &built);
        command.env("SOURCE_DATE_EPOCH", self.time.to_string());
        println!("--- once more, elsewhere: {}", shown(&command));
        succeed(&mut command)?;
        let other = request.folder(&built);
        let (ours, theirs) = (listed(&self.folder)?, listed(&other)?);
        let same = |name: &String| Ok::<_, String>(read(&self.folder.join(name))? == read(&other.join(name))?);
        let mut differ = Vec::new();
        for name in &ours {
            if !theirs.contains(name) || !same(name)? {
                differ.push(name.as_str());
            }
        }
        if differ.is_empty() && ours.len() == theirs.len() {
            println!("{} files are the same, built twice", ours.len());
            return Ok(());
        }
        Err(format!("built twice, these differ: {}; compare with {}", differ.join(", "), other.display()))
    }

    /// A clone of the commit, in a folder that is made for it.
    fn cloned(&self, folder: &Path) -> Result<PathBuf, String> {
        emptied(folder)?;
        let clone = folder.join("ringwork");
        succeed(program("git").args(["clone", "--quiet"]).arg(root()).arg(&clone))?;
        succeed(program("git").current_dir(&clone).args(["checkout", "--quiet", "--detach", &self.commit]))?;
        Ok(clone)
    }
}

impl Machine {
    /// Here, or under an emulator.
    fn run(&self, path: &Path) -> Command {
        if self.architecture == std::env::consts::ARCH {
            return program(path);
        }
        let mut command = program(self.emulator);
        command.arg(path);
        command
    }
}

/// Folders of this machine, and what stands for them in what is compiled.
struct Homes(Vec<(PathBuf, String)>);

impl Homes {
    fn of_this_machine(built: &Path) -> Result<Self, String> {
        let mut homes = vec![(root().to_owned(), String::new()), (built.to_owned(), "target".into())];
        let cargo = std::env::var_os("CARGO_HOME").map(PathBuf::from);
        let cargo = cargo.or_else(|| Some(std::env::home_dir()?.join(".cargo"))).unwrap_or_default();
        // Sources of each registry have a folder, whose name depends on where it was reached; there may be none.
        let registries = cargo.join("registry/src");
        homes.extend(listed(&registries).unwrap_or_default().iter().map(|name| (registries.join(name), String::new())));
        // With its sources at hand the compiler names these for its library, and what it was built from otherwise.
        let says = |arguments: &[&str]| capture(program("rustc").args(arguments));
        let (sysroot, version) = (says(&["--print", "sysroot"])?, says(&["-vV"])?);
        let commit = version.lines().find_map(|line| line.strip_prefix("commit-hash: "));
        let commit = commit.ok_or_else(|| "rustc -vV names no commit".to_owned())?;
        homes.push((Path::new(sysroot.trim()).join("lib/rustlib/src/rust"), format!("/rustc/{commit}")));
        Ok(Self(homes))
    }

    /// Of several that fit, the compiler takes the last.
    fn mapped(&self) -> Vec<String> {
        let flag = |(path, name): &(PathBuf, String)| format!("--remap-path-prefix={}={name}", path.display());
        self.0.iter().map(flag).collect()
    }

    /// Looks for all of them in a program.
    fn are_not_in(&self, program: &Path) -> Result<(), String> {
        let bytes = read(program)?;
        for (path, _) in &self.0 {
            let path = path.to_string_lossy();
            if archive::contains(&bytes, path.as_bytes()) {
                return Err(format!("{} names the folder {path}", program.display()));
            }
        }
        Ok(())
    }
}

/// A folder that is there and has nothing in it.
fn emptied(folder: &Path) -> Result<(), String> {
    let removed = fs::remove_dir_all(folder);
    let removed = removed.or_else(|error| if error.kind() == ErrorKind::NotFound { Ok(()) } else { Err(error) });
    removed.and_then(|()| fs::create_dir_all(folder)).map_err(|error| format!("{}: {error}", folder.display()))
}

/// The names in a folder, in order.
fn listed(folder: &Path) -> Result<Vec<String>, String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let mut names: Vec<String> = names.collect();
    names.sort();
    Ok(names)
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    fs::read(path).map_err(|error| format!("{}: {error}", path.display()))
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    fs::write(path, bytes).map_err(|error| format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_for_is_understood() {
        let request = Request::parse(&["--twice", "--target", "aarch64-unknown-linux-musl"]).unwrap();
        assert!(request.twice && !request.draft);
        assert_eq!(request.machines().map(|machine| machine.debian).collect::<Vec<_>>(), ["arm64"]);
        assert_eq!(Request::parse(&["--draft"]).unwrap().machines().count(), 2);
        assert_eq!(Request::parse(&["--sign", "signer.pem"]).unwrap().key, Some("signer.pem"));
        assert!(Request::parse(&["--sign"]).is_none() && Request::parse(&["--sign", "--draft"]).is_none());
        assert!(Request::parse(&["--draft", "--sign", "signer.pem"]).is_none());
        assert!(Request::parse(&["--target"]).is_none() && Request::parse(&["--target", "mips"]).is_none());
    }

    #[test]
    fn a_program_with_a_folder_of_this_machine_is_refused() {
        let homes = Homes(vec![("/home/someone/ringwork".into(), "x".into())]);
        assert_eq!(homes.mapped(), ["--remap-path-prefix=/home/someone/ringwork=x"]);
        let program = std::env::temp_dir().join(format!("ringwork-dist-{}", std::process::id()));
        for (bytes, good) in [("a /home/someone/ring b", true), ("a/home/someone/ringwork/src", false)] {
            write(&program, bytes.as_bytes()).unwrap();
            assert_eq!(homes.are_not_in(&program).is_ok(), good, "{bytes}");
        }
        fs::remove_file(program).unwrap();
    }
}
