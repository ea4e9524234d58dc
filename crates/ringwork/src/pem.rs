//! PEM as people have it: copied out of mail, edited on Windows, wrapped by other programs.

use alloc::string::String;
use zeroize::Zeroizing;

/// Characters of a line of Base64.
const LINE: usize = 64;

/// The block with that label as RFC 7468 writes it, Base64 in lines of 64 characters, without blanks and whatever stands
/// around it, other blocks included; if there is none, the first block, of which the strict decoder says what it is;
/// nothing, if there is no block.
pub fn tidied(text: &str, label: &str) -> Zeroizing<String> {
    let text = block(text, label).unwrap_or_default();
    // As long as it can get, so that it does not move: an end for every line of Base64.
    let mut tidy = Zeroizing::new(String::with_capacity(text.len() + (text.len() >> LINE.ilog2()) + 2));
    let mut column = None;
    for line in text.lines().map(bare).filter(|line| !line.is_empty()) {
        if let Some(filled) = &mut column
            && !line.starts_with('-')
        {
            for character in line.chars().filter(|character| !character.is_whitespace()) {
                if *filled == LINE {
                    tidy.push('\n');
                    *filled = 0;
                }
                tidy.push(character);
                *filled += 1;
            }
            continue;
        }
        if column.is_some_and(|filled| filled > 0) {
            tidy.push('\n');
        }
        column = line.starts_with("-----BEGIN ").then_some(0);
        tidy.push_str(line);
        tidy.push('\n');
    }
    tidy
}

/// The lines of the first block of that label, or else of the first of any.
///
/// Line by line: whatever searches faster skips by what stands there.
fn block<'a>(text: &'a str, label: &str) -> Option<&'a str> {
    let (mut end, mut open, mut first) = (0, None, None);
    for line in text.split_inclusive('\n') {
        let start = end;
        end += line.len();
        let line = bare(line);
        if let Some(rest) = line.strip_prefix("-----BEGIN ") {
            open = Some((start, rest.strip_suffix("-----") == Some(label)));
        } else if line.starts_with("-----END ")
            && let Some((start, is_wanted)) = open.take()
        {
            let block = &text[start..end];
            if is_wanted {
                return Some(block);
            }
            first = first.or(Some(block));
        }
    }
    first.or_else(|| open.map(|(start, _)| &text[start..]))
}

/// Without blanks around it, and without the marks that joined files leave.
fn bare(line: &str) -> &str {
    line.trim_start_matches('\u{feff}').trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TIDY: &str =
        "-----BEGIN X-----\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\nBBBB\n-----END X-----\n";

    #[test]
    fn what_people_have_becomes_what_is_written() {
        let base64 = TIDY.lines().nth(1).unwrap();
        let wide = format!("-----BEGIN X-----\n{base64}BBBB\n-----END X-----");
        let narrow = format!("-----BEGIN X-----\n{}\n{}\nBBBB\n-----END X-----\n", &base64[..10], &base64[10..]);
        let mangled = [
            TIDY.replace('\n', "\r\n"),
            TIDY.replace('\n', "  \n"),
            TIDY.replace('\n', "\n\n \t\n"),
            format!("\u{feff}{TIDY}\n\n"),
            TIDY.replace("\n-", "\n   -").replace("\nB", "\n\tB"),
            wide,
            narrow,
            TIDY.to_owned(),
        ];
        for text in mangled {
            assert_eq!(*tidied(&text, "X"), TIDY, "{text:?}");
        }
    }

    #[test]
    fn what_stands_around_it_goes() {
        let other = "-----BEGIN Y-----\nYYYY\n-----END Y-----\n";
        for text in [
            format!("a note\n{TIDY}more\n"),
            format!("{other}{TIDY}"),
            format!("\u{feff}{TIDY}\u{feff}{other}"),
            format!("-----BEGIN Y-----\n{TIDY}"),
            TIDY.replace("BBBB", "B B\tBB"),
        ] {
            assert_eq!(*tidied(&text, "X"), TIDY, "{text:?}");
        }
        assert_eq!(*tidied(&format!("{other}{TIDY}"), "Z"), other);
        assert_eq!(*tidied("-----BEGIN X-----\nAAAA", "X"), "-----BEGIN X-----\nAAAA");
        assert_eq!(*tidied("no PEM\n-----END X-----\n", "X"), "");
    }

    #[test]
    fn nothing_outgrows_its_place() {
        for text in [TIDY.to_owned(), "A".repeat(1000), format!("-----BEGIN X-----\n{}", "A\n".repeat(1000))] {
            assert!(tidied(&text, "X").len() <= text.len() + (text.len() >> LINE.ilog2()) + 2);
        }
    }
}
