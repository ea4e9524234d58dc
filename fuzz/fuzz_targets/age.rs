//! Recipients, identities and stanzas of age files. What is accepted is written as it was read.
#![no_main]

use age::Identity;
use age_core::format::Stanza;
use libfuzzer_sys::fuzz_target;
use ringwork_age::{hybrid, research};
use std::sync::LazyLock;

static IDENTITIES: LazyLock<Vec<Box<dyn Identity + Send + Sync>>> = LazyLock::new(|| {
    let mut all: Vec<Box<dyn Identity + Send + Sync>> = vec![Box::new(hybrid::Identity::generate())];
    for scheme in research::schemes() {
        all.push(Box::new(research::Identity::generate(scheme).expect("it is one of them")));
    }
    all
});

fuzz_target!(|data: &[u8]| {
    let Some((choice, bytes)) = data.split_first() else { return };
    if choice & 7 < 4 {
        let Ok(text) = core::str::from_utf8(bytes) else { return };
        let same = |written: String| assert!(written.eq_ignore_ascii_case(text));
        if let Ok(key) = text.parse::<hybrid::Recipient>() {
            same(key.to_string());
        }
        if let Ok(key) = text.parse::<research::Recipient>() {
            same(key.to_string());
        }
        drop(text.parse::<hybrid::Identity>().map(|key| key.to_public()));
        drop(text.parse::<research::Identity>().map(|key| key.to_public()));
    } else if choice & 7 == 4 {
        drop(research::Recipient::from_bytes(bytes));
        drop(research::Identity::from_bytes(bytes));
    } else {
        // Lines: the tag, arguments, and in the last one the body.
        let mut lines = bytes.split(|&byte| byte == b'\n');
        let mut text = || lines.next().map(|line| String::from_utf8_lossy(line).into_owned());
        let Some(tag) = text() else { return };
        let args = text().into_iter().collect();
        let stanza = Stanza { tag, args, body: lines.next_back().unwrap_or_default().to_vec() };
        for identity in IDENTITIES.iter() {
            assert!(!identity.unwrap_stanza(&stanza).is_some_and(|opened| opened.is_ok()), "nobody guesses a stanza");
        }
    }
});
