//! The paths in a source file, with groups written out and `self` and `super` resolved.

use super::source::Token;

/// `["crate", "ring", "Poly"]`, `["lanes", "Backend"]`; a glob ends in `*`.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Path {
    pub(super) segments: Vec<String>,
    pub(super) line: usize,
    /// The module in which it stands.
    pub(super) module: Vec<String>,
}

/// All paths of a file that is `module`: those in `use` and `extern crate`, and elsewhere those with `::`.
pub(super) fn paths(tokens: &[Token<'_>], module: &[String]) -> Vec<Path> {
    let mut reader = Reader { tokens, at: 0, module: module.to_vec(), found: Vec::new() };
    reader.items();
    reader.found
}

struct Reader<'a> {
    tokens: &'a [Token<'a>],
    at: usize,
    module: Vec<String>,
    found: Vec<Path>,
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
                    self.at += if self.text(0) == "use" { 1 } else { 2 };
                    self.tree(&[]);
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
            let segments = self.resolved(segments);
            self.found.push(Path { segments, line, module: self.module.clone() });
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
        paths(&tokens(source), &module).iter().map(|path| path.segments.join("::")).collect()
    }

    #[test]
    fn groups_are_written_out() {
        let source = "pub use a::{self, b::{c as d, e}, f::*}; use {g, ::h::i};";
        assert_eq!(shown(source, &[]), ["a::self", "a::b::c", "a::b::e", "a::f::*", "g", "h::i"]);
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
}
