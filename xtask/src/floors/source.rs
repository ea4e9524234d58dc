//! Rust source as tokens: enough of the lexical grammar to tell code from comments and literals.

/// An identifier, keyword, `::` or single character; a literal is `"`, whatever it holds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token<'a> {
    pub(crate) text: &'a str,
    pub(crate) line: usize,
}

impl Token<'_> {
    pub(crate) fn is_name(&self) -> bool {
        self.text.starts_with(|c: char| c == '_' || c.is_alphabetic())
    }
}

/// The tokens of a source text, without comments and lifetimes.
pub(crate) fn tokens(source: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let (mut rest, mut line) = (source, 1);
    while let Some(first) = rest.chars().next() {
        let (length, text) = token(rest, first);
        if let Some(text) = text {
            found.push(Token { text, line });
        }
        line += rest[..length].matches('\n').count();
        rest = &rest[length..];
    }
    found
}

/// How far the next token reaches, and its text if it is one to keep.
fn token(rest: &str, first: char) -> (usize, Option<&str>) {
    if first.is_whitespace() {
        return (first.len_utf8(), None);
    }
    if rest.starts_with("//") {
        return (rest.find('\n').unwrap_or(rest.len()), None);
    }
    if rest.starts_with("/*") {
        return (block_comment(rest), None);
    }
    if let Some(length) = string(rest) {
        return (length, Some("\""));
    }
    if first == '\'' {
        return match character(rest) {
            Some(length) => (length, Some("\"")),
            None => (1 + word(&rest[1..]), None),
        };
    }
    if first.is_ascii_digit() {
        return (word(rest), Some("\""));
    }
    if first == '_' || first.is_alphabetic() {
        let raw = if rest.starts_with("r#") { 2 } else { 0 };
        let length = raw + word(&rest[raw..]);
        return (length, Some(&rest[raw..length]));
    }
    let length = if rest.starts_with("::") { 2 } else { first.len_utf8() };
    (length, Some(&rest[..length]))
}

fn word(rest: &str) -> usize {
    rest.find(|c: char| c != '_' && !c.is_alphanumeric()).unwrap_or(rest.len())
}

/// Block comments nest.
fn block_comment(rest: &str) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < rest.len() {
        let tail = &rest.as_bytes()[at..];
        match tail {
            [b'/', b'*', ..] => (depth, at) = (depth + 1, at + 2),
            [b'*', b'/', ..] => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            break;
        }
    }
    at
}

/// `"…"`, `b"…"`, `c"…"`, and the raw forms with any number of `#`.
fn string(rest: &str) -> Option<usize> {
    let prefix = ["br", "cr", "r", "b", "c", ""].into_iter().find(|prefix| {
        let after = rest.strip_prefix(prefix);
        after.is_some_and(|after| {
            after.trim_start_matches('#').starts_with('"') && (is_raw(prefix) || !after.starts_with('#'))
        })
    })?;
    let hashes = rest[prefix.len()..].bytes().take_while(|&byte| byte == b'#').count();
    let start = prefix.len() + hashes + 1;
    if is_raw(prefix) {
        let end = format!("\"{}", "#".repeat(hashes));
        return Some(rest[start..].find(&end).map_or(rest.len(), |at| start + at + end.len()));
    }
    Some(start + closing(&rest[start..], '"'))
}

fn is_raw(prefix: &str) -> bool {
    prefix.ends_with('r')
}

/// `'a'` and `'\n'`, but not the lifetime `'a`.
fn character(rest: &str) -> Option<usize> {
    let mut inside = rest[1..].chars();
    let first = inside.next()?;
    if first == '\\' {
        return Some(1 + closing(&rest[1..], '\''));
    }
    (inside.next() == Some('\'')).then(|| first.len_utf8() + 2)
}

/// Just behind the next `quote` that no backslash protects.
fn closing(text: &str, quote: char) -> usize {
    let mut protected = false;
    for (at, c) in text.char_indices() {
        if c == quote && !protected {
            return at + 1;
        }
        protected = c == '\\' && !protected;
    }
    text.len()
}

/// The tokens without items under `#[cfg(test)]`, and the names of the test modules among these
/// that are files.
pub(crate) fn without_tests<'a>(tokens: &[Token<'a>]) -> (Vec<Token<'a>>, Vec<&'a str>) {
    let (mut kept, mut modules) = (Vec::new(), Vec::new());
    let mut rest = tokens;
    while let [first, ..] = rest {
        let attribute = attribute(rest);
        let texts: Vec<&str> = rest[..attribute].iter().map(|token| token.text).collect();
        if texts.get(2) == Some(&"cfg") && texts.contains(&"test") && !texts.contains(&"not") {
            rest = &rest[attribute..];
            while self::attribute(rest) > 0 {
                rest = &rest[self::attribute(rest)..];
            }
            let (item, after) = rest.split_at(item(rest));
            let texts: Vec<&str> = item.iter().map(|token| token.text).collect();
            if let [.., "mod", name, ";"] = texts[..] {
                modules.push(name);
            }
            rest = after;
        } else {
            kept.push(*first);
            rest = &rest[1..];
        }
    }
    (kept, modules)
}

/// The length of the attribute at the beginning, 0 if there is none.
fn attribute(tokens: &[Token<'_>]) -> usize {
    if !matches!(tokens, [hash, bracket, ..] if hash.text == "#" && bracket.text == "[") {
        return 0;
    }
    1 + balanced(&tokens[1..])
}

/// How far the group reaches that opens with the first token.
fn balanced(tokens: &[Token<'_>]) -> usize {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate() {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at + 1;
        }
    }
    tokens.len()
}

/// The length of an item: to its semicolon or the end of its block.
fn item(tokens: &[Token<'_>]) -> usize {
    let mut at = 0;
    while at < tokens.len() {
        let length = balanced(&tokens[at..]);
        let ends =
            tokens[at].text == ";" || tokens[at].text == "{" && tokens.get(at + length).is_none_or(|t| t.text != ";");
        at += length;
        if ends {
            break;
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use super::{tokens, without_tests};

    fn texts(source: &str) -> Vec<&str> {
        tokens(source).iter().map(|token| token.text).collect()
    }

    #[test]
    fn code_is_told_from_comments_and_literals() {
        assert_eq!(texts("a // unsafe\nb /* unsafe /* unsafe */ unsafe */ c"), ["a", "b", "c"]);
        assert_eq!(texts(r##"f("unsafe \" x", b"unsafe", r#"un"safe"#, 'u', b'\'')"##).concat(), "f(\",\",\",\",b\")");
        assert_eq!(
            texts("fn f<'a>(x: &'a str) -> crate::Y"),
            ["fn", "f", "<", ">", "(", "x", ":", "&", "str", ")", "-", ">", "crate", "::", "Y"]
        );
        assert_eq!(texts("r#unsafe rb b'x' 0x1f_u8 é"), ["unsafe", "rb", "b", "\"", "\"", "é"]);
    }

    #[test]
    fn lines_are_counted_through_everything() {
        let lines: Vec<usize> = tokens("a\n/*\n*/ b \"x\ny\" c\n\nd").iter().map(|token| token.line).collect();
        assert_eq!(lines, [1, 3, 3, 4, 6]);
    }

    #[test]
    fn what_is_for_tests_is_left_out() {
        let source = "use a; #[cfg(test)] use b::{c, d}; #[cfg(test)] #[expect(x)] mod e { f } #[cfg(test)] mod g; \
                      #[cfg(test)] fn h(x: [u8; 4]) { i } #[cfg(not(test))] mod j; k";
        let tokens = tokens(source);
        let (kept, modules) = without_tests(&tokens);
        let kept: Vec<&str> =
            kept.iter().map(|token| token.text).filter(|text| text.len() == 1 && *text > "a").collect();
        assert_eq!(kept, ["j", "k"]);
        assert_eq!(modules, ["g"]);
    }
}
