//! What memcheck and the program under it wrote, which share one stream.

use crate::cargo::root;

/// What depends on a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Branch,
    Address,
    /// Memory that a call of the operating system reads, or whatever else memcheck knows.
    Other,
}

impl Kind {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Branch => "branch",
            Self::Address => "address",
            Self::Other => "system call",
        }
    }
}

/// A function on the stack, and where in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Frame {
    pub(super) function: String,
    /// `crates/…/file.rs:7`, or what else memcheck knows of the place.
    pub(super) place: String,
}

/// One report.
#[derive(Debug)]
pub(super) struct Finding {
    /// The first case in which it came up; memcheck does not repeat itself.
    pub(super) case: String,
    pub(super) kind: Kind,
    frames: Vec<Frame>,
}

#[derive(Debug, Default)]
pub(super) struct Log {
    pub(super) findings: Vec<Finding>,
    pub(super) without_secret: Vec<String>,
    /// Cases, with how often memcheck had something to report, repetitions included.
    pub(super) errors: Vec<(String, u64)>,
    /// How many there were, if the program came to its end.
    pub(super) cases: usize,
    /// The last lines.
    pub(super) end: String,
}

impl Log {
    pub(super) fn read(text: &str) -> Self {
        let (mut log, mut case, mut open) = (Self::default(), String::new(), false);
        for line in text.lines() {
            if let Some(note) = line.strip_prefix("### ") {
                open = false;
                if let Some(name) = note.strip_prefix("case ") {
                    case = name.to_owned();
                } else if let Some(count) = note.strip_prefix("errors ") {
                    log.errors.push((case.clone(), count.parse().unwrap_or(u64::MAX)));
                } else if let Some(name) = note.strip_prefix("without a secret: ") {
                    log.without_secret.push(name.to_owned());
                } else if let Some(count) = note.strip_prefix("end of ").and_then(|rest| rest.split(' ').next()) {
                    log.cases = count.parse().unwrap_or(0);
                }
                continue;
            }
            let Some(message) = line.strip_prefix("==").and_then(|rest| Some(rest.split_once("== ")?.1)) else {
                continue;
            };
            let frame = message.trim_start().strip_prefix("at 0x").or(message.trim_start().strip_prefix("by 0x"));
            match (frame, kind(message)) {
                (Some(rest), _) if open => {
                    let finding = log.findings.last_mut().expect("a finding is open");
                    finding.frames.extend(read_frame(rest));
                }
                (None, Some(kind)) => {
                    log.findings.push(Finding { case: case.clone(), kind, frames: Vec::new() });
                    open = true;
                }
                _ => open = false,
            }
        }
        let lines: Vec<&str> = text.lines().collect();
        log.end = lines[lines.len().saturating_sub(8)..].join("\n");
        log
    }
}

fn kind(message: &str) -> Option<Kind> {
    let begins = |start: &str| message.starts_with(start);
    if begins("Conditional jump or move depends on") {
        Some(Kind::Branch)
    } else if begins("Use of uninitialised value") {
        Some(Kind::Address)
    } else {
        (begins("Syscall param") || begins("Invalid ") || begins("Jump to ")).then_some(Kind::Other)
    }
}

/// `1AC034: name (place)`
fn read_frame(rest: &str) -> Option<Frame> {
    let (_, frame) = rest.split_once(": ")?;
    let (function, place) = frame.rsplit_once(" (")?;
    Some(Frame { function: function.to_owned(), place: place.trim_end_matches(')').to_owned() })
}

impl Frame {
    /// Whether it is in a crate of this workspace: by its file, or where lines are not known by its
    /// name.
    fn is_ours(&self) -> bool {
        self.place.starts_with("crates/") || self.place.starts_with("in ") && self.function.contains("ringwork")
    }
}

impl Finding {
    /// The innermost frame that is ours, or the innermost one.
    pub(super) fn site(&self) -> Frame {
        let unknown = Frame { function: "?".into(), place: "?".into() };
        let ours = self.frames.iter().find(|frame| frame.is_ours());
        ours.or(self.frames.first()).cloned().unwrap_or(unknown)
    }

    /// The name of the site's function, without its path: memcheck may know no name of what was inlined, so
    /// that the source is asked first.
    pub(super) fn function(&self) -> String {
        let Frame { function, place } = self.site();
        let of_source = || {
            let (file, line) = place.rsplit_once(':')?;
            let text = std::fs::read_to_string(root().join(file)).ok()?;
            enclosing(&text, line.parse().ok()?)
        };
        of_source().unwrap_or_else(|| last_segment(&function).to_owned())
    }
}

/// Of a path, the name of the function: `<a::B>::f::<u8>::{closure#0}` is `f`.
fn last_segment(path: &str) -> &str {
    let (mut depth, mut start, mut last) = (0_usize, 0, path);
    for (end, c) in path.char_indices().chain([(path.len(), ':')]) {
        match c {
            '<' | '(' | '[' | '{' => depth += 1,
            '>' | ')' | ']' | '}' => depth = depth.saturating_sub(1),
            ':' if depth == 0 => {
                let segment = &path[start..end];
                if segment.starts_with(|c: char| c.is_alphabetic() || c == '_') {
                    last = segment;
                }
                start = end + 1;
            }
            _ => {}
        }
    }
    last
}

/// The name of the function whose body has that line, counted from 1: that of the last `fn` up to
/// it.
fn enclosing(text: &str, line: usize) -> Option<String> {
    let lines: Vec<&str> = text.lines().take(line).collect();
    lines.iter().rev().find_map(|line| {
        let code = line.trim_start();
        let (before, after) = code.split_once("fn ")?;
        let only_words = before.chars().all(|c| c.is_ascii_alphabetic() || " ()".contains(c));
        let name: String = after.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        (only_words && !name.is_empty()).then_some(name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_belong_to_cases() {
        let text = "\
==7== Command: x
### case a: one
==7== Conditional jump or move depends on uninitialised value(s)
==7==    at 0x1AC: get<i16> (/rustc/5980/library/core/src/slice.rs:99)
==7==    by 0x1AC: UnknownInlinedFun (crates/ringwork/src/bits.rs:1)
==7==    by 0x1AD: main (in /target/ringwork-ct)
==7== 
### errors 4
### case b
==7== Use of uninitialised value of size 8
==7==    at 0x2: <ringwork_ntt::jobs::X as f(u8)> (in /target/ringwork-ct)
==7==    by 0x3: later (crates/ringwork/src/bits.rs:1)
### without a secret: b
### end of 2 cases
==7== ERROR SUMMARY: 5 errors
";
        let log = Log::read(text);
        let [first, second] = &log.findings[..] else { panic!("two findings") };
        assert_eq!((first.case.as_str(), first.kind, first.frames.len()), ("a: one", Kind::Branch, 3));
        assert_eq!(first.site().place, "crates/ringwork/src/bits.rs:1");
        assert_eq!((second.case.as_str(), second.kind), ("b", Kind::Address));
        assert_eq!(second.function(), "<ringwork_ntt::jobs::X as f(u8)>");
        assert_eq!(log.errors, [("a: one".to_owned(), 4)]);
        assert_eq!((log.cases, &log.without_secret[..]), (2, &["b".to_owned()][..]));
    }

    #[test]
    fn functions_are_known_by_the_ends_of_their_paths() {
        for (path, name) in [
            ("<ringwork::ring::polynomial::engine::Engine>::invert", "invert"),
            ("ringwork::keys::read::<u8, a::B>::{closure#0}", "read"),
            ("main", "main"),
            ("<ringwork_ntt::jobs::X as f(u8)>", "<ringwork_ntt::jobs::X as f(u8)>"),
        ] {
            assert_eq!(last_segment(path), name);
        }
    }

    #[test]
    fn functions_are_known_by_their_lines() {
        let text = "impl A {\n    pub(super) const fn first(x: u8) {\n        x\n    }\n    fn second<T>() {\n        g(|fn_| 1)\n";
        assert_eq!(enclosing(text, 3).as_deref(), Some("first"));
        assert_eq!(enclosing(text, 6).as_deref(), Some("second"));
        assert_eq!(enclosing(text, 1), None);
    }
}
