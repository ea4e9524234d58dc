//! Runs one transform as often as it is told, and nothing else: for those who count instructions.
//!
//! ```text
//! one_transform N Q WORDS METHOD BACKEND COUNT
//! ```
//!
//! Planning is the same for every count, so the instructions of a transform are the difference of two runs. For AArch64
//! on another machine, by qemu, which names each instruction that it runs:
//!
//! ```text
//! count() {
//!     qemu-aarch64 -L /usr/aarch64-linux-gnu -singlestep -d exec,nochain \
//!         ./one_transform 1024 12289 16 montgomery neon $1 2>&1 | wc -l
//! }
//! echo $(( ($(count 101) - $(count 1)) / 100 ))
//! ```

#![forbid(unsafe_code)]

use ringwork_ntt::{Backend, Method, Plan, Request, SignedWord};
use std::{env, error::Error, hint::black_box};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [n, q, words, method, backend, count] = &arguments[..] else {
        return Err("one_transform N Q WORDS METHOD BACKEND COUNT".into());
    };
    let method = Method::ALL.into_iter().find(|m| m.name() == method).ok_or("no such method")?;
    let backend = Backend::by_name(backend).ok_or("this machine has no such backend")?;
    let request = Request::new(n.parse()?, q.parse()?).method(method).backend(backend).lazy();
    let count = count.parse()?;
    match &words[..] {
        "16" => run(&Plan::<i16>::with(&request)?, count),
        "32" => run(&Plan::<i32>::with(&request)?, count),
        "64" => run(&Plan::<i64>::with(&request)?, count),
        _ => return Err("words have 16, 32 or 64 bits".into()),
    }
    Ok(())
}

fn run<T: SignedWord>(plan: &Plan<T>, count: usize) {
    let mut a = vec![T::default(); plan.n()];
    for _ in 0..count {
        plan.forward(black_box(&mut a));
    }
}
