//! What must not stay when a signal ends the command: files under a passing name, and a terminal that shows nothing.

use std::{
    io,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

static MADE: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Makes the file of that name; from then on a signal removes it, until it has its own name.
pub(super) fn made<T>(path: &Path, make: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
    watch();
    let mut made = locked(&MADE);
    let file = make()?;
    made.push(path.into());
    Ok(file)
}

/// Removes them; no other one is made while the guard lives.
pub(super) fn remove() -> MutexGuard<'static, Vec<PathBuf>> {
    let mut made = locked(&MADE);
    made.drain(..).for_each(|path| drop(std::fs::remove_file(path)));
    made
}

fn locked<T>(mutex: &'static Mutex<T>) -> MutexGuard<'static, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(unix)]
use on_unix::watch;
#[cfg(unix)]
pub(crate) use on_unix::with_terminal;

#[cfg(unix)]
mod on_unix {
    use super::{locked, remove};
    use rustix::termios::{OptionalActions, Termios, tcgetattr, tcsetattr};
    use signal_hook::{consts, iterator::Signals, low_level::emulate_default_handler};
    use std::{
        fs::File,
        sync::{Mutex, Once},
    };

    /// The terminal, and how it was before it was asked.
    static TERMINAL: Mutex<Option<(File, Termios)>> = Mutex::new(None);

    /// Asks something on the terminal, which a signal leaves as it was before.
    pub(crate) fn with_terminal<T>(ask: impl FnOnce() -> T) -> T {
        watch();
        *locked(&TERMINAL) = File::open("/dev/tty").ok().and_then(|terminal| {
            let before = tcgetattr(&terminal).ok()?;
            Some((terminal, before))
        });
        let answer = ask();
        *locked(&TERMINAL) = None;
        answer
    }

    pub(super) fn watch() {
        static WATCH: Once = Once::new();
        WATCH.call_once(|| {
            let signals = [consts::TERM_SIGNALS, &[consts::SIGHUP]].concat();
            let Ok(mut signals) = Signals::new(signals) else { return };
            std::thread::spawn(move || {
                for signal in signals.forever() {
                    let _made = remove();
                    if let Some((terminal, before)) = &*locked(&TERMINAL) {
                        let _ = tcsetattr(terminal, OptionalActions::Now, before);
                    }
                    let _ = emulate_default_handler(signal);
                }
            });
        });
    }
}

#[cfg(not(unix))]
fn watch() {}

/// Asks something on the terminal.
#[cfg(not(unix))]
pub(crate) fn with_terminal<T>(ask: impl FnOnce() -> T) -> T {
    ask()
}
