//! `c`: the C library as users install it: its symbols, its header in C and C++, its tests under memcheck and
//! sanitizers, and programs that find it by pkg-config and CMake. `c install PREFIX` installs it.

use crate::{
    cargo::{capture, program, root, run as succeed},
    programs,
    python::starts,
    release,
    skips::COMPILER_MISSING,
    step::Stop,
    tally::Tally,
    workspace::Workspace,
};
use serde_json::Value;
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

const CRATE: &str = "crates/c";
const SYMBOLS: &str = "crates/c/symbols.txt";
const WARNINGS: [&str; 4] = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"];
const KNOWN_ANSWERS: &str = "known-answers.txt";
/// The number in the name of the shared library: that of the ABI.
const ABI: &str = "1";

pub(crate) fn run(tally: &mut Tally) -> Result<(), Stop> {
    if !starts("cc", "--version") {
        return Err(Stop::Skipped(COMPILER_MISSING.to_owned()));
    }
    let prefix = Workspace::read()?.target_directory.join("c");
    let _ = fs::remove_dir_all(&prefix);
    install(&prefix)?;
    let library = Library { prefix };
    library.symbols()?;
    known_answers(&library.path(KNOWN_ANSWERS))?;
    let compilers: Vec<&str> = ["gcc", "clang"].into_iter().filter(|name| starts(name, "--version")).collect();
    let compilers = if compilers.is_empty() { vec!["cc"] } else { compilers };
    for compiler in &compilers {
        for standard in ["-std=c99", "-std=c11"] {
            for test in sources("tests", "c")? {
                library.compile(compiler, &test, &[standard, "-D_POSIX_C_SOURCE=200809L"], "shared")?;
                succeed(&mut library.program())?;
                tally.passed += 1;
            }
        }
    }
    library.examples(&compilers, tally)?;
    library.checked(tally)?;
    library.found(tally)?;
    Ok(())
}

/// Files of a folder of the crate.
fn sources(folder: &str, extension: &str) -> Result<Vec<PathBuf>, String> {
    let folder = root().join(CRATE).join(folder);
    let entries = fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let mut found: Vec<PathBuf> = paths.filter(|path| path.extension().is_some_and(|it| it == extension)).collect();
    found.sort();
    Ok(found)
}

/// Known answers of `vectors/` as lines, which a program in C reads without a library.
fn known_answers(path: &Path) -> Result<(), String> {
    let read = |name: &str| {
        let path = root().join("vectors").join(name);
        let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        serde_json::from_str::<Value>(&text).map_err(|error| format!("{}: {error}", path.display()))
    };
    let items = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let mut lines = String::new();
    let mut line = |what: &str, name: &Value, words: &[&Value]| {
        let words: Vec<&str> = [name].iter().chain(words).filter_map(|word| word.as_str()).collect();
        lines.push_str(&format!("{what} {}\n", words.join(" ")));
    };
    for group in items(&read("acvp/mlkem-keygen.json")?["testGroups"]) {
        for test in items(&group["tests"]) {
            let seed = [&test["d"], &test["z"]].map(|half| half.as_str().unwrap_or_default()).concat();
            line("keygen", &group["parameterSet"], &[&Value::String(seed), &test["ek"], &test["dk"]]);
        }
    }
    for group in items(&read("acvp/mlkem-encapdecap.json")?["testGroups"]) {
        for test in items(&group["tests"]) {
            let set = &group["parameterSet"];
            match group["function"].as_str() {
                Some("encapsulation") => line("encaps", set, &[&test["ek"], &test["m"], &test["c"], &test["k"]]),
                _ => line("decaps", set, &[&group["dk"], &test["c"], &test["k"]]),
            }
        }
    }
    let xwing = Value::String("X-Wing".to_owned());
    for test in items(&read("xwing/xwing.json")?) {
        line("keygen", &xwing, &[&test["seed"], &test["pk"], &test["sk"]]);
        line("encaps", &xwing, &[&test["pk"], &test["eseed"], &test["ct"], &test["ss"]]);
        line("decaps", &xwing, &[&test["sk"], &test["ct"], &test["ss"]]);
    }
    for test in items(&read("standards/mldsa-keygen.json")?["tests"]) {
        line("keygen", &test["set"], &[&test["seed"], &test["public_key"], &test["secret_key"]]);
    }
    fs::write(path, lines).map_err(|error| format!("{}: {error}", path.display()))
}

/// Where the library is installed.
struct Library {
    prefix: PathBuf,
}

impl Library {
    fn path(&self, name: &str) -> PathBuf {
        self.prefix.join(name)
    }

    /// What the last compilation made, with the shared library in its way.
    fn program(&self) -> Command {
        let mut command = program(self.path("program"));
        command.env("LD_LIBRARY_PATH", self.path("lib")).arg(self.path(KNOWN_ANSWERS));
        command
    }

    fn compile(&self, compiler: &str, source: &Path, options: &[&str], kind: &str) -> Result<(), String> {
        let mut command = program(compiler);
        command.args(WARNINGS).args(options).arg("-I").arg(self.path("include")).arg(source);
        match kind {
            "static" => command.arg(self.path("lib/libringwork.a")).args(STATIC),
            _ => command.arg("-L").arg(self.path("lib")).args(["-lringwork", "-lpthread"]),
        };
        succeed(command.arg("-o").arg(self.path("program")))
    }

    /// Functions of the header, symbols of the library and those that are recorded are the same.
    fn symbols(&self) -> Result<(), String> {
        let listed = capture(program("nm").args(["-D", "--defined-only"]).arg(self.path("lib/libringwork.so")))?;
        let exported: BTreeSet<&str> = listed.lines().filter_map(|line| line.split_whitespace().nth(2)).collect();
        let header = capture(program("cc").args(["-E", "-P"]).arg(self.path("include/ringwork.h")))?;
        let declared: BTreeSet<&str> = functions(&header).collect();
        let recorded = fs::read_to_string(root().join(SYMBOLS)).map_err(|error| format!("{SYMBOLS}: {error}"))?;
        let recorded: BTreeSet<&str> = recorded.lines().collect();
        for (one, name, other, of) in [
            (&exported, "the library", &declared, "the header"),
            (&declared, "the header", &recorded, SYMBOLS),
            (&recorded, SYMBOLS, &exported, "the library"),
        ] {
            let more: Vec<&str> = one.difference(other).copied().collect();
            if !more.is_empty() {
                return Err(format!("{name} has functions that {of} lacks: {}", more.join(", ")));
            }
        }
        println!("{} functions, as recorded", exported.len());
        Ok(())
    }

    fn examples(&self, compilers: &[&str], tally: &mut Tally) -> Result<(), String> {
        for compiler in compilers {
            for example in sources("examples", "c")? {
                for kind in ["shared", "static"] {
                    self.compile(compiler, &example, &["-std=c99"], kind)?;
                    succeed(&mut self.program())?;
                    tally.passed += 1;
                }
            }
        }
        for compiler in ["g++", "clang++"].into_iter().filter(|name| starts(name, "--version")) {
            for example in sources("examples", "cpp")? {
                self.compile(compiler, &example, &["-std=c++17"], "shared")?;
                succeed(&mut self.program())?;
                tally.passed += 1;
            }
        }
        Ok(())
    }

    /// Tests under memcheck, and with the sanitizers of the compiler.
    fn checked(&self, tally: &mut Tally) -> Result<(), String> {
        let valgrind = starts("valgrind", "--version");
        if !valgrind {
            println!("without memcheck: `apt install valgrind`");
        }
        for test in sources("tests", "c")? {
            let posix = "-D_POSIX_C_SOURCE=200809L";
            if valgrind {
                self.compile("cc", &test, &["-std=c11", "-g", posix], "shared")?;
                let mut command = program("valgrind");
                command.args(["--quiet", "--error-exitcode=9", "--leak-check=full"]).arg(self.path("program"));
                command.arg(self.path(KNOWN_ANSWERS));
                succeed(command.env("LD_LIBRARY_PATH", self.path("lib")))?;
                tally.passed += 1;
            }
            self.compile("cc", &test, &["-std=c11", "-g", "-fsanitize=address,undefined", posix], "shared")?;
            // Leaks are looked for above: here that needs rights which containers may lack.
            succeed(self.program().env("ASAN_OPTIONS", "detect_leaks=0"))?;
            tally.passed += 1;
        }
        Ok(())
    }

    /// A program that finds the library by pkg-config, and one by CMake.
    fn found(&self, tally: &mut Tally) -> Result<(), String> {
        let example = root().join(CRATE).join("examples/product.c");
        if starts("pkg-config", "--version") {
            let mut ask = program("pkg-config");
            ask.args(["--cflags", "--libs", "ringwork"]).env("PKG_CONFIG_PATH", self.path("lib/pkgconfig"));
            let answer = capture(&mut ask)?;
            let mut command = program("cc");
            command.arg(&example).args(answer.split_whitespace()).arg("-o").arg(self.path("program"));
            succeed(&mut command)?;
            succeed(&mut self.program())?;
            tally.passed += 1;
        } else {
            println!("without pkg-config: `apt install pkg-config`");
        }
        if starts("cmake", "--version") {
            let (from, to) = (root().join(CRATE).join("tests/cmake"), self.path("cmake-build"));
            let prefix = format!("-DCMAKE_PREFIX_PATH={}", self.prefix.display());
            succeed(program("cmake").arg("-S").arg(from).arg("-B").arg(&to).args([&prefix, "-Wno-dev"]))?;
            succeed(program("cmake").arg("--build").arg(&to))?;
            succeed(&mut program(to.join("product")))?;
            tally.passed += 1;
        } else {
            println!("without CMake: `apt install cmake`");
        }
        Ok(())
    }
}

/// The names of functions that a preprocessed header declares.
fn functions(header: &str) -> impl Iterator<Item = &str> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let words = header.match_indices("ringwork_").filter(move |(at, _)| !header[..*at].ends_with(is_name));
    words.filter_map(move |(at, _)| {
        let rest = &header[at..];
        let end = rest.find(|c| !is_name(c))?;
        rest[end..].trim_start().starts_with('(').then_some(&rest[..end])
    })
}

/// What a program needs besides, if it takes the archive.
const STATIC: [&str; 5] = ["-lgcc_s", "-lutil", "-lpthread", "-lm", "-ldl"];

/// `c install PREFIX`
pub(crate) fn install(prefix: &Path) -> Result<(), String> {
    let built = release::build()?;
    let write = |path: PathBuf, bytes: &[u8]| {
        fs::create_dir_all(path.parent().expect("below the prefix"))
            .and_then(|()| fs::write(&path, bytes))
            .map_err(|error| format!("{}: {error}", path.display()))
    };
    let copy = |from: &Path, to: PathBuf| {
        write(to.clone(), &[])?;
        fs::copy(from, &to).map(drop).map_err(|error| format!("{}: {error}", to.display()))
    };
    let (shared, version) = (format!("libringwork.so.{ABI}"), env!("CARGO_PKG_VERSION"));
    let lib = prefix.join("lib");
    copy(&built.c_library, lib.join(&shared))?;
    if starts("strip", "--version") {
        succeed(program("strip").arg("--strip-debug").arg(lib.join(&shared)))?;
    }
    copy(&built.c_archive, lib.join("libringwork.a"))?;
    let link = lib.join("libringwork.so");
    let _ = fs::remove_file(&link);
    programs::link(&shared, &link).map_err(|error| format!("{}: {error}", link.display()))?;
    for header in sources("include", "h")? {
        copy(&header, prefix.join("include").join(header.file_name().unwrap_or_default()))?;
    }
    let pkg_config = format!(
        "prefix={}\nlibdir=${{prefix}}/lib\nincludedir=${{prefix}}/include\n\nName: ringwork\n\
         Description: Number-theoretic transforms, ML-KEM, ML-DSA and X-Wing\nVersion: {version}\n\
         Libs: -L${{libdir}} -lringwork\nLibs.private: {}\nCflags: -I${{includedir}}\n",
        prefix.display(),
        STATIC.join(" "),
    );
    write(lib.join("pkgconfig/ringwork.pc"), pkg_config.as_bytes())?;
    let cmake = fs::read(root().join(CRATE).join("ringwork-config.cmake")).map_err(|error| error.to_string())?;
    write(lib.join("cmake/ringwork/ringwork-config.cmake"), &cmake)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn functions_of_a_header_are_found() {
        let header = "typedef struct ringwork_plan ringwork_plan; int ringwork_abi(void);\n\
                      ringwork_status ringwork_add_i16 (const ringwork_plan *plan); int my_ringwork_x(void);";
        assert_eq!(super::functions(header).collect::<Vec<_>>(), ["ringwork_abi", "ringwork_add_i16"]);
    }
}
