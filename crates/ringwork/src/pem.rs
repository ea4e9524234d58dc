//! PEM as people have it: copied out of mail, edited on Windows, wrapped by other programs.

use zeroize::Zeroizing;

/// Characters of a line of Base64.
const LINE: usize = 64;

/// The same document as RFC 7468 writes it: no byte order mark, no blanks at the ends of lines, no blank lines, Base64
/// in lines of 64 characters. What is no PEM stays none: the strict decoder refuses it.
pub fn tidied(text: &str) -> Zeroizing<String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    // As long as it can get, so that it does not move: an end for every line of Base64.
    let mut tidy = Zeroizing::new(String::with_capacity(text.len() + (text.len() >> LINE.ilog2()) + 2));
    let mut column = None;
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if let Some(filled) = &mut column
            && !line.starts_with('-')
        {
            for character in line.chars() {
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
            assert_eq!(*tidied(&text), TIDY, "{text:?}");
        }
    }

    #[test]
    fn what_stands_around_it_stays() {
        let around = "a note\n-----BEGIN X-----\nAA AA\n-----END X-----\nmore\n";
        assert_eq!(*tidied(around), around);
        assert_eq!(*tidied("no PEM"), "no PEM\n");
    }

    #[test]
    fn nothing_outgrows_its_place() {
        for text in [TIDY.to_owned(), "A".repeat(1000), format!("-----BEGIN X-----\n{}", "A\n".repeat(1000))] {
            assert!(tidied(&text).len() <= text.len() + (text.len() >> LINE.ilog2()) + 2);
        }
    }
}
