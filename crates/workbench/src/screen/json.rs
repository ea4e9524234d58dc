//! How JSON is written: keys in the order in which they were said, arrays of numbers and short
//! objects on one line.
//!
//! Integers beyond 2^53 - 1 are written as strings, because many readers know no number but the
//! double.

use serde_json::{Number, Value};

/// Characters of an object at most that stands on one line.
const SHORT: usize = 100;

/// The largest integer up to which doubles know all.
const EXACT: u64 = (1 << 53) - 1;

/// Indented JSON that ends its line.
pub(crate) fn pretty(value: &Value) -> String {
    let mut text = String::new();
    write(value, 0, &mut text);
    text + "\n"
}

fn write(value: &Value, depth: usize, text: &mut String) {
    match value {
        Value::Number(number) if !is_exact(number) => *text += &format!("\"{number}\""),
        Value::Array(items) if items.iter().any(is_long) => {
            bracketed(['[', ']'], items, depth, text, |item, text| write(item, depth + 1, text));
        }
        Value::Array(items) => {
            text.push('[');
            for (i, item) in items.iter().enumerate() {
                *text += if i == 0 { "" } else { ", " };
                write(item, depth, text);
            }
            text.push(']');
        }
        Value::Object(fields) if !fields.is_empty() => {
            if depth != 0 && !fields.values().any(|value| value.is_object() || value.is_array()) {
                let mut line = String::from("{");
                for (i, (key, value)) in fields.iter().enumerate() {
                    line += &format!("{} {}: ", if i == 0 { "" } else { "," }, Value::String(key.clone()));
                    write(value, depth, &mut line);
                }
                if line.chars().count() < SHORT {
                    *text += &(line + " }");
                    return;
                }
            }
            bracketed(['{', '}'], fields, depth, text, |(key, value), text| {
                *text += &format!("{}: ", Value::String(key.clone()));
                write(value, depth + 1, text);
            });
        }
        value => *text += &value.to_string(),
    }
}

/// Items on lines of their own.
fn bracketed<I: IntoIterator>(
    brackets: [char; 2],
    items: I,
    depth: usize,
    text: &mut String,
    mut write: impl FnMut(I::Item, &mut String),
) {
    text.push(brackets[0]);
    for (i, item) in items.into_iter().enumerate() {
        *text += if i == 0 { "\n" } else { ",\n" };
        *text += &"  ".repeat(depth + 1);
        write(item, text);
    }
    *text += &format!("\n{}{}", "  ".repeat(depth), brackets[1]);
}

/// Whether an item of an array deserves a line of its own.
fn is_long(item: &Value) -> bool {
    matches!(item, Value::Object(_) | Value::Array(_) | Value::String(_))
}

fn is_exact(number: &Number) -> bool {
    match (number.as_u64(), number.as_i64()) {
        (Some(n), _) => n <= EXACT,
        (_, Some(n)) => n.unsigned_abs() <= EXACT,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn arrays_of_numbers_stay_on_a_line_and_keys_in_order() {
        let value =
            json!({ "z": [1, -2, 2.5], "a": [], "b": {}, "rows": [{ "y": null, "x": [[1], [2]] }], "s": ["t"] });
        let expected = "{\n  \"z\": [1, -2, 2.5],\n  \"a\": [],\n  \"b\": {},\n  \"rows\": [\n    {\n      \"y\": null,\n      \
                        \"x\": [\n        [1],\n        [2]\n      ]\n    }\n  ],\n  \"s\": [\n    \"t\"\n  ]\n}\n";
        assert_eq!(pretty(&value), expected);
        assert_eq!(serde_json::from_str::<Value>(expected).unwrap(), value);
    }

    /// U19.
    #[test]
    fn integers_that_doubles_do_not_know_are_strings() {
        let value =
            json!([9007199254740991_u64, 9007199254740992_u64, -9007199254740991_i64, -9007199254740992_i64, 1e300]);
        assert_eq!(
            pretty(&value),
            "[9007199254740991, \"9007199254740992\", -9007199254740991, \"-9007199254740992\", 1e+300]\n"
        );
    }
}
