//! The paths in a source file, with groups written out and `self` and `super` resolved.

use super::source::Token;
use std::collections::BTreeSet;

/// `["crate", "ring", "Poly"]`, `["lanes", "Backend"]`; a glob ends in `*`.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Path {
    pub(super) segments: Vec<String>,
    pub(super) line: usize,
    /// The module in which it stands.
    pub(super) module: Vec<String>,
    /// What it is called here, if it stands in a `use`.
    pub(super) import: Option<Import>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Import {
    /// `*` for a glob.
    pub(super) name: String,
    pub(super) public: bool,
}

/// The names in a source file.
#[derive(Default)]
pub(super) struct Names {
    /// Those in `use` and `extern crate`, and elsewhere those with `::`.
    pub(super) paths: Vec<Path>,
    /// What is defined here, methods and locals included.
    pub(super) defined: BTreeSet<String>,
    /// Every name outside of `use`, or the first one of a path.
    pub(super) mentioned: BTreeSet<String>,
}

/// The names of a file that is `module`.
pub(super) fn names(tokens: &[Token<'_>], module: &[String]) -> Names {
    let mut reader = Reader { tokens, at: 0, module: module.to_vec(), public: None, found: Names::default() };
    reader.items();
    reader.found
}

const DEFINING: [&str; 10] =
    ["fn", "struct", "enum", "trait", "type", "const", "static", "union", "mod", "macro_rules"];

struct Reader<'a> {
    tokens: &'a [Token<'a>],
    at: usize,
    module: Vec<String>,
    /// Within `use`: whether it is `pub`.
    public: Option<bool>,
    found: Names,
}

impl Reader<'_> {
    fn text(&self, ahead: usize) -> &str {
        self.tokens.get(self.at + ahead).map_or("", |token| token.text)
    }

    fn is_name(&self, ahead: usize) -> bool {
        self.tokens.get(self.at + ahead).is_some_and(Token::is_name)
    }

    /// Reads to the brace that closes this module, or to the end.
    fn items(&mut self) {
        let mut depth = 0;
        while self.at < self.tokens.len() {
            match (self.text(0), self.text(1)) {
                ("mod", _) if self.text(2) == "{" => {
                    let name = self.text(1).to_owned();
                    self.at += 3;
                    self.module.push(name);
                    self.items();
                    self.module.pop();
                    continue;
                }
                ("{", _) => depth += 1,
                ("}", _) if depth == 0 => {
                    self.at += 1;
                    return;
                }
                ("}", _) => depth -= 1,
                ("use", _) | ("extern", "crate") => {
                    // `pub use` or `pub(crate) use`: nothing else ends in `)` before an item.
                    let before = self.at.checked_sub(1).map_or("", |at| self.tokens[at].text);
                    self.public = Some(matches!(before, "pub" | ")"));
                    self.at += if self.text(0) == "use" { 1 } else { 2 };
                    self.tree(&[]);
                    self.public = None;
                    continue;
                }
                (_, "::") if self.is_name(0) => {
                    self.tree(&[]);
                    continue;
                }
                ("::", _) if self.at > 0 && self.text(1) != "<" && self.follows_a_type() => {
                    // `<T>::name::Name`: the head is a type, so nothing here is a crate or module.
                    self.at += 1;
                    while self.is_name(0) && self.text(1) == "::" {
                        self.at += 2;
                    }
                }
                (defining, _) if DEFINING.contains(&defining) => {
                    let name = self.text(if defining == "macro_rules" { 2 } else { 1 }).to_owned();
                    self.found.defined.insert(name);
                }
                (name, _) if self.is_name(0) => {
                    let name = name.to_owned();
                    self.found.mentioned.insert(name);
                }
                _ => {}
            }
            self.at += 1;
        }
    }

    fn follows_a_type(&self) -> bool {
        matches!(self.tokens[self.at - 1].text, ">" | "]" | ")")
    }

    /// Reads one path behind `prefix`, and all of a group if it ends in one.
    fn tree(&mut self, prefix: &[String]) {
        let mut segments = prefix.to_vec();
        if self.text(0) == "::" {
            self.at += 1;
        }
        loop {
            match self.text(0) {
                "{" => return self.group(&segments),
                "*" => {
                    segments.push("*".into());
                    self.at += 1;
                    break;
                }
                name if self.is_name(0) => {
                    segments.push(name.to_owned());
                    self.at += 1;
                }
                _ => break,
            }
            if self.text(0) != "::" || self.text(1) == "<" {
                break;
            }
            self.at += 1;
        }
        if !segments.is_empty() {
            let line = self.tokens[self.at - 1].line;
            if self.public.is_none() {
                self.found.mentioned.insert(segments[0].clone());
            }
            let mut segments = self.resolved(segments);
            if segments.len() > 1 && segments.last().is_some_and(|last| last == "self") {
                segments.pop();
            }
            let name = if self.public.is_some() && self.text(0) == "as" { Some(self.text(1)) } else { None };
            let name = name.or(segments.last().map(String::as_str)).unwrap_or_default().to_owned();
            let import = self.public.map(|public| Import { name, public });
            self.found.paths.push(Path { segments, line, module: self.module.clone(), import });
        }
    }

    fn group(&mut self, prefix: &[String]) {
        self.at += 1;
        while !matches!(self.text(0), "}" | "") {
            self.tree(prefix);
            while !matches!(self.text(0), "," | "}" | "") {
                self.at += 1;
            }
            if self.text(0) == "," {
                self.at += 1;
            }
        }
        self.at += 1;
    }

    /// `self` and `super` replaced by what they mean in this module.
    fn resolved(&self, segments: Vec<String>) -> Vec<String> {
        if !matches!(segments[0].as_str(), "self" | "super") {
            return segments;
        }
        let relative = segments.iter().take_while(|segment| matches!(segment.as_str(), "self" | "super")).count();
        let up = segments[..relative].iter().filter(|segment| *segment == "super").count();
        let kept = self.module.len().saturating_sub(up);
        let head = std::iter::once("crate".to_owned()).chain(self.module[..kept].iter().cloned());
        head.chain(segments[relative..].iter().cloned()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{super::source::tokens, *};

    fn shown(source: &str, module: &[&str]) -> Vec<String> {
        let module: Vec<String> = module.iter().map(|&name| name.into()).collect();
        names(&tokens(source), &module).paths.iter().map(|path| path.segments.join("::")).collect()
    }

    #[test]
    fn groups_are_written_out() {
        let source = "pub use a::{self, b::{c as d, e}, f::*}; use {g, ::h::i};";
        assert_eq!(shown(source, &[]), ["a", "a::b::c", "a::b::e", "a::f::*", "g", "h::i"]);
    }

    #[test]
    fn expressions_and_types_count() {
        let source = "extern crate z; fn f(x: a::B<c::D>) -> E { g::<h::I>(1); let _ = T::new(); <J>::k::l(); m }";
        assert_eq!(shown(source, &[]), ["z", "a::B", "c::D", "g", "h::I", "T::new"]);
    }

    #[test]
    fn relative_heads_are_resolved_also_in_inline_modules() {
        let source = "use super::x; mod tests { use super::*; fn f() { super::super::y::z() } } use self::w;";
        let expected = ["crate::a::x", "crate::a::b::*", "crate::a::y::z", "crate::a::b::w"];
        assert_eq!(shown(source, &["a", "b"]), expected);
    }

    #[test]
    fn imports_have_names_and_the_rest_is_mentioned() {
        let source = "pub(crate) use a::{self, b as c}; use d::*; fn f(x: g::H, y: I) { x.j() }";
        let names = names(&tokens(source), &[]);
        let imports: Vec<_> = names.paths.iter().filter_map(|path| path.import.as_ref()).collect();
        let imports: Vec<_> = imports.iter().map(|import| (import.name.as_str(), import.public)).collect();
        assert_eq!(imports, [("a", true), ("c", true), ("*", false)]);
        assert!(names.defined.contains("f"));
        let mentioned: Vec<&str> = names.mentioned.iter().map(String::as_str).collect();
        assert_eq!(mentioned, ["I", "crate", "f", "g", "j", "pub", "x", "y"]);
    }
}
