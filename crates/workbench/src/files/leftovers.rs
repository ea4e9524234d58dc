//! Files under a passing name, which go if a signal ends the command.

use std::{
    io,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, Once, PoisonError},
};

static MADE: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Makes the file of that name; from then on a signal removes it, until it has its own name.
pub(super) fn made<T>(path: &Path, make: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
    static WATCH: Once = Once::new();
    WATCH.call_once(watch);
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    let file = make()?;
    made.push(path.into());
    Ok(file)
}

/// Removes them; no other one is made while the guard lives.
pub(super) fn remove() -> MutexGuard<'static, Vec<PathBuf>> {
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    made.drain(..).for_each(|path| drop(std::fs::remove_file(path)));
    made
}

#[cfg(unix)]
fn watch() {
    use signal_hook::{consts::TERM_SIGNALS, iterator::Signals, low_level::emulate_default_handler};
    let signals = [TERM_SIGNALS, &[signal_hook::consts::SIGHUP]].concat();
    let Ok(mut signals) = Signals::new(signals) else { return };
    std::thread::spawn(move || {
        for signal in signals.forever() {
            let _made = remove();
            let _ = emulate_default_handler(signal);
        }
    });
}

#[cfg(not(unix))]
fn watch() {}
