//! The search: a child process works with known secrets and stops, and its parent looks for them in all memory
//! that the child can write.

use core::convert::Infallible;
use rand_core::{TryCryptoRng, TryRng};
use std::{
    collections::{BTreeSet, HashMap},
    env, fs,
    io::{BufRead, BufReader, Lines, Read, Seek, SeekFrom, Write, stdin, stdout},
    process::{Child, ChildStdout, Command, Stdio},
    thread,
};

const CASE: &str = "RINGWORK_WIPED_CASE";
const STOPPED: &str = "stopped";
/// Bytes of the stack of what runs, by which its region is known.
const STACK: usize = 5 << 20;

/// SplitMix64 as a generator of known "random" bytes, which it keeps nowhere.
pub(crate) struct Known(pub(crate) u64);

impl TryRng for Known {
    type Error = Infallible;
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        self.try_next_u64().map(|word| word as u32)
    }
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        Ok(z ^ (z >> 31))
    }
    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        for eight in bytes.as_chunks_mut().0 {
            *eight = self.try_next_u64()?.to_le_bytes();
        }
        Ok(())
    }
}
impl TryCryptoRng for Known {}

/// Waits in the child until its parent has searched it.
pub(crate) fn stop() {
    println!("{STOPPED}");
    stdout().flush().expect("a pipe");
    stdin().read_line(&mut String::new()).expect("a pipe");
}

/// The child's part, on a stack of its own. Does nothing unless a parent asks for it.
pub(crate) fn in_the_child(run: fn(&str)) {
    let Ok(case) = env::var(CASE) else { return };
    let thread = thread::Builder::new().stack_size(STACK).spawn(move || run(&case));
    thread.expect("a thread").join().expect("the case ran");
}

/// What to look for: from the first eight bytes of a window to the window and its secret's name.
#[derive(Default)]
pub(crate) struct Secrets {
    windows: HashMap<[u8; 8], Vec<(Vec<u8>, &'static str)>>,
}

impl Secrets {
    /// Any whole window of its bytes counts, but those that begin with zeros, of which memory is full.
    pub(crate) fn add(&mut self, name: &'static str, bytes: &[u8], window: usize) {
        assert!(bytes.len() >= window, "{name} is too short");
        for part in bytes.windows(window).step_by(8).filter(|part| part[..8] != [0; 8]) {
            let windows = self.windows.entry(*part.first_chunk().expect("eight bytes")).or_default();
            windows.push((part.to_vec(), name));
        }
    }

    /// The names of those in some memory.
    fn found_in(&self, memory: &[u8]) -> BTreeSet<&'static str> {
        let mut found = BTreeSet::new();
        for (at, eight) in memory.windows(8).enumerate() {
            let windows = eight.first_chunk().and_then(|eight| self.windows.get(eight));
            let here = windows.into_iter().flatten().filter(|(window, _)| memory[at..].starts_with(window));
            found.extend(here.map(|(_, name)| *name));
        }
        found
    }
}

/// Everything that a process can write, region by region.
fn writable_memory(pid: u32) -> impl Iterator<Item = Vec<u8>> {
    let maps = fs::read_to_string(format!("/proc/{pid}/maps")).expect("the child's map");
    let mut memory = fs::File::open(format!("/proc/{pid}/mem")).expect("a parent may read its child");
    let regions: Vec<String> = maps.lines().filter(|line| line.contains(" rw")).map(str::to_owned).collect();
    regions.into_iter().map(move |line| {
        let (range, _) = line.split_once(' ').expect("a range");
        let (from, to) = range.split_once('-').expect("a range");
        let [from, to] = [from, to].map(|hex| u64::from_str_radix(hex, 16).expect("an address"));
        let mut bytes = vec![0; (to - from) as usize];
        memory.seek(SeekFrom::Start(from)).expect("an address");
        memory.read_exact(&mut bytes).unwrap_or_else(|e| panic!("{line}: {e}"));
        bytes
    })
}

/// Where secrets were found.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Found {
    /// In allocated or freed memory.
    pub(crate) heap: BTreeSet<&'static str>,
    pub(crate) stack: BTreeSet<&'static str>,
}

/// A child that runs a case, on a stack of its own.
pub(crate) struct Running {
    case: String,
    child: Child,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Running {
    pub(crate) fn start(case: &str) -> Self {
        let mut child = Command::new(env::current_exe().expect("this test"))
            .args(["--exact", "in_the_child", "--nocapture"])
            .env(CASE, case)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("this test again");
        let lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        let mut running = Self { case: case.into(), child, lines };
        running.wait();
        running
    }

    /// Until it stops.
    fn wait(&mut self) {
        let stopped = self.lines.any(|line| line.expect("a pipe").ends_with(STOPPED));
        assert!(stopped, "{}: the child stops", self.case);
    }

    /// Lets it run until it stops again.
    #[allow(dead_code, reason = "not every case stops twice")]
    pub(crate) fn go_on(&mut self) {
        self.child.stdin.as_mut().expect("a pipe").write_all(b"\n").expect("a pipe");
        self.wait();
    }

    /// Everything that it can write now, region by region.
    pub(crate) fn memory(&self) -> impl Iterator<Item = Vec<u8>> {
        writable_memory(self.child.id())
    }

    /// What is in its memory now. Ends it.
    pub(crate) fn found(mut self, secrets: &Secrets) -> Found {
        let (mut found, mut stacks) = (Found::default(), 0);
        for memory in self.memory() {
            let is_stack = memory.len() == STACK;
            stacks += usize::from(is_stack);
            let names = if is_stack { &mut found.stack } else { &mut found.heap };
            names.extend(secrets.found_in(&memory));
        }
        assert_eq!(stacks, 1, "{}: the stack of what ran", self.case);
        drop(self.child.stdin.take());
        self.lines.for_each(drop);
        assert!(self.child.wait().expect("a child").success(), "{}", self.case);
        found
    }
}

/// What is in the memory of a child that runs `case` until it stops. `secrets` is called then.
pub(crate) fn found(case: &str, secrets: impl FnOnce() -> Secrets) -> Found {
    let running = Running::start(case);
    running.found(&secrets())
}
