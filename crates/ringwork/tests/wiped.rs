//! Secrets are wiped: nothing that the library allocates for an exchange keeps one of them.
//!
//! The exchange runs in a child process, this test again, with known noise. It stops while its
//! secrets are alive, or after they are gone; meanwhile the parent reads all memory that the child
//! can write, stacks and freed blocks included, from `/proc/<pid>/mem`, and looks for what it knows
//! the secrets to be. So the searcher's own copies cannot be found, and nothing here needs
//! `unsafe`.
//!
//! | stop | is found |
//! |---|---|
//! | `started` | Alice's transformed secret, which she keeps; of noise and seeds, nothing in allocated memory |
//! | `careless` | noise in a block that was freed without a wipe, and its seed: the search sees freed memory |
//! | `gone` | nothing in allocated memory |
//!
//! Stacks are searched as well, and two things may be there until another call overwrites them: the
//! shared key, an array that is handed to the caller by value, since in Rust the place that a value
//! was moved from stays as it was; and blocks of noise bytes, in what were the local variables of
//! the ChaCha20 that made them. No seed, no secret.
//!
//! NTTRU stops as `nttru started`, where its transformed f is found and nothing else, and as
//! `nttru gone`. On its stacks there may be more: what AES keeps in local variables that nobody
//! else can reach, which are round keys, whose first two are the seed, and blocks of its stream. No
//! f, no message, no transform.
//!
//! What this cannot see: registers, and copies of which no whole window is left.

#![cfg(target_os = "linux")]
#![forbid(unsafe_code)]

use core::{convert::Infallible, hint::black_box};
use rand_core::{CryptoRng, TryCryptoRng, TryRng};
use ringwork::{
    Backend,
    bits::unpack,
    kem::{Encryption, Kem, Scheme},
    ring::{self, Ring},
    sample::Ternary,
    schemes::{
        bdlop::{BDLOP_1024, CommitmentKey, Statement},
        lwe::{LWE_768, Lwe, MLWE_256},
        newhope::{NewHope, NewHopeRing, SEED_BYTES, USENIX2016},
        ntru::{NTRU_1024, Ntru},
        nttru::{Nttru, NttruRing},
        rlwe::{P2, Rlwe},
    },
    xof,
};
use std::{
    collections::{BTreeSet, HashMap},
    env, fs,
    io::{BufRead, BufReader, Read, Seek, SeekFrom, Write, stdin, stdout},
    process::{Command, Stdio},
    thread,
};
use zeroize::Zeroizing;

const STOP: &str = "RINGWORK_WIPED_STOP";
const BACKEND: &str = "RINGWORK_WIPED_BACKEND";
const STOPPED: &str = "stopped";
/// Bytes of the stack of the exchange, by which its region is known.
const STACK: usize = 5 << 20;

/// SplitMix64 as a generator of known "random" bytes, which it keeps nowhere.
struct Known(u64);

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

const ALICE: Known = Known(12289);
const BOB: Known = Known(3329);

fn draw(rng: &mut impl CryptoRng) -> [u8; SEED_BYTES] {
    let mut seed = [0; SEED_BYTES];
    rng.fill_bytes(&mut seed);
    seed
}

/// The bytes that the noise polynomials of a seed are made of, one after the other in the same
/// place.
fn noise(seed: &[u8; SEED_BYTES]) -> [Vec<u8>; 3] {
    [0, 1, 2].map(|index| {
        let mut bytes = vec![0; 4096];
        xof::chacha20(seed, [index, 0, 0, 0, 0, 0, 0, 0], &mut bytes);
        bytes
    })
}

fn stop() {
    println!("{STOPPED}");
    stdout().flush().expect("a pipe");
    stdin().read_line(&mut String::new()).expect("a pipe");
}

/// The child's part. Does nothing unless a parent asks for it.
#[test]
fn in_the_child() {
    let Ok(at) = env::var(STOP) else { return };
    let backend = Backend::by_name(&env::var(BACKEND).expect("a backend")).expect("a backend of this machine");
    let thread = thread::Builder::new().stack_size(STACK).spawn(move || match at.split_once(' ') {
        Some(("nttru", at)) => encapsulation(at, backend),
        Some((_, at)) => drop(others(at, backend)),
        None => exchange(&at, backend),
    });
    thread.expect("a thread").join().expect("an exchange");
}

fn exchange(at: &str, backend: Backend) {
    let newhope = NewHope::with_backend(USENIX2016, backend);
    let (secret, message_a) = newhope.init(&mut black_box(ALICE));
    if at == "started" {
        stop();
    }
    let (message_b, bob) = newhope.respond(&message_a, &mut black_box(BOB)).expect("a good message");
    let alice = newhope.finish(secret, &message_b).expect("a good message");
    assert!(alice == bob);
    drop((alice, bob));
    if at == "careless" {
        let mut rng = black_box(ALICE);
        draw(&mut rng);
        let seed = black_box(Box::new(draw(&mut rng)));
        drop(black_box(noise(&seed)));
    }
    if at == "gone" || at == "careless" {
        stop();
    }
}

/// The same for NTTRU: keys, an encapsulation, a ciphertext that is taken and one that is refused.
fn encapsulation(at: &str, backend: Backend) {
    let nttru = Nttru::with_backend(backend);
    let (secret, public) = nttru.keygen(&mut black_box(ALICE));
    let (mut ciphertext, key) = nttru.encapsulate(&public, &mut black_box(BOB));
    assert!(nttru.decapsulate(&secret, &ciphertext).expect("a good ciphertext") == key);
    ciphertext[0] ^= 1;
    assert!(nttru.decapsulate(&secret, &ciphertext).is_err());
    drop(key);
    if at == "started" {
        stop();
    }
    drop(secret);
    if at == "gone" {
        stop();
    }
}

/// Keys and messages of ring-LWE, module-LWE, LWE and NTRU; a commitment and a proof. Returns what only
/// its owner may know.
fn others(at: &str, backend: Backend) -> Vec<(&'static str, Vec<u8>)> {
    let mut known = Vec::new();
    let rlwe = Rlwe::<P2>::with_backend(backend).expect("a plan");
    let lwe = Lwe::<i16, _>::by_transform(MLWE_256).expect("a plan");
    let plain = Lwe::<i16, _>::by_schoolbook(LWE_768);
    let of_plain = 768 * 16;
    for (number, names, count) in [
        (0, ["r2 as bits", "r2"], 512),
        (1, ["S as bits", "S"], 768),
        (4, ["S of plain LWE as bits", "S of plain LWE"], of_plain),
    ] {
        let (mut alice, mut bob) = (black_box(Known(number)), black_box(Known(number + 10)));
        let saved = match number {
            0 => round_trip(&Kem::research(rlwe.clone()).expect("long messages"), &mut alice, &mut bob),
            1 => round_trip(&Kem::new(lwe.clone()).expect("no failures"), &mut alice, &mut bob),
            _ => round_trip(&Kem::new(plain.clone()).expect("no failures"), &mut alice, &mut bob),
        };
        if at == "known" {
            let seed = saved.first_chunk().expect("a seed");
            let secret = match number {
                0 => rlwe.secret_key_to_bytes(&rlwe.keys(seed).0),
                1 => lwe.secret_key_to_bytes(&lwe.keys(seed).0),
                _ => plain.secret_key_to_bytes(&plain.keys(seed).0),
            };
            known.push(("the seeds of keys", saved[..64].to_vec()));
            let (bits, offset) = if number == 0 { (1, 0) } else { (3, 2) };
            let packed = &secret[..count * bits as usize / 8];
            let values = unpack("a secret key", packed, bits, count).expect("a secret key");
            let words: Vec<i16> = values.map(|x| x as i16 - offset).collect();
            known.extend([(names[0], packed.to_vec()), (names[1], bytes(&words))]);
            if number == 4 {
                let wide = words.iter().flat_map(|x| i64::from(*x).to_le_bytes()).collect();
                known.push(("S of plain LWE, prepared", wide));
            }
        }
    }
    let ntru = Ntru::with_backend(NTRU_1024, backend).expect("a plan");
    let kem = Kem::new(ntru.clone()).expect("no failures");
    let saved = round_trip(&kem, &mut black_box(Known(5)), &mut black_box(Known(15)));
    if at == "known" {
        let packed =
            ntru.secret_key_to_bytes(&Encryption::keygen_derand(&ntru, saved.first_chunk().expect("a seed")).0);
        let values = unpack("f'", &packed, 2, 1024).expect("a secret key");
        let words = values.flat_map(|x| (x as i32 - 1).to_le_bytes()).collect();
        let mut coins = vec![0; 512];
        black_box(Known(15)).try_fill_bytes(&mut coins).expect("it never fails");
        known.extend([("f' as bits", packed.to_vec()), ("f'", words), ("the coins of a message", coins)]);
        known.push(("the seeds of keys", saved[..64].to_vec()));
    }
    drop((saved, kem, ntru));
    let key = CommitmentKey::<i64>::new(BDLOP_1024, &[1; 32]).expect("a plan");
    let seed = draw(&mut black_box(Known(2)));
    let message = key.message(&[0x0123_4567; 1024]).expect("short");
    let (commitment, opening) = key.commit_derand(message, &seed).expect("of that shape");
    let (commitments, openings) = ([commitment], [opening]);
    let statement = Statement { commitments: &commitments, relation: None, context: b"" };
    let proof = key.prove_derand(&statement, &openings, &draw(&mut black_box(Known(3)))).expect("honest");
    if at == "known" {
        let wide = |words: &[i64]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
        known.push(("the randomness", wide(openings[0].randomness().words())));
        known.push(("the message", wide(openings[0].message().words())));
        drop(proof);
        return known;
    }
    drop((proof, openings));
    stop();
    known
}

fn round_trip<E: Encryption>(kem: &Kem<E>, alice: &mut Known, bob: &mut Known) -> Zeroizing<Vec<u8>> {
    let key = kem.keygen(alice);
    let (ciphertext, shared) = kem.encapsulate(key.public_key(), bob);
    assert!(kem.decapsulate(&key, &ciphertext).expect("a good ciphertext") == shared);
    kem.secret_key_to_bytes(&key)
}

/// What to look for: from the first eight bytes of a window to the window and its secret's name.
struct Secrets {
    windows: HashMap<[u8; 8], Vec<(Vec<u8>, &'static str)>>,
}

/// The plan of a ring in the words of its polynomials.
fn plan_of<P: ring::Parameters>(backend: Backend) -> ntt::Plan<i16> {
    ntt::Plan::with(&Ring::<P>::request().backend(backend).lazy()).expect("a ring")
}

impl Secrets {
    /// Any whole window of its bytes counts, but those that begin with zeros, of which memory is
    /// full.
    fn add(&mut self, name: &'static str, bytes: &[u8], window: usize) {
        for part in bytes.windows(window).step_by(8).filter(|part| part[..8] != [0; 8]) {
            let windows = self.windows.entry(*part.first_chunk().expect("eight bytes")).or_default();
            windows.push((part.to_vec(), name));
        }
    }

    /// All secrets of the exchange that a public API can tell.
    fn of_the_exchange(backend: Backend) -> Self {
        let mut secrets = Self { windows: HashMap::new() };
        let newhope = NewHope::with_backend(USENIX2016, backend);
        let (secret, message_a) = newhope.init(&mut { ALICE });
        let (_, key) = newhope.respond(&message_a, &mut { BOB }).expect("a good message");
        secrets.add("the shared key", key.as_bytes(), 16);

        let mut rng = ALICE;
        draw(&mut rng); // for the public a
        for (seed, names) in [
            (draw(&mut rng), ["Alice's noise seed", "Alice's noise bytes"]),
            (draw(&mut { BOB }), ["Bob's noise seed", "Bob's noise bytes"]),
        ] {
            secrets.add(names[0], &seed, 16);
            noise(&seed).iter().for_each(|bytes| secrets.add(names[1], bytes, 16));
        }

        let packed = newhope.secret_to_bytes(secret);
        let bit = |i: usize| i16::from(packed[i >> 3] >> (i & 7) & 1);
        let slots: Vec<i16> = (0..1024).map(|i| (0..14).map(|j| bit(14 * i + j) << j).sum()).collect();
        let plan = plan_of::<NewHopeRing>(backend);
        let mut words: Vec<i16> = plan.canonical_order().unwrap().iter().map(|&index| slots[index]).collect();
        secrets.add("Alice's transformed secret, canonical", &bytes(&words), 32);
        secrets.add("Alice's transformed secret in words of 32 bits", &wide_bytes(&words), 32);
        plan.inverse(&mut words);
        plan.canonical(&mut words);
        words.iter_mut().filter(|x| **x > 12289 / 2).for_each(|x| *x -= 12289);
        assert!(words.iter().all(|x| x.abs() <= 16), "noise is small");
        secrets.add("Alice's secret", &bytes(&words), 32);
        secrets.add("Alice's secret in words of 32 bits", &wide_bytes(&words), 32);
        plan.forward(&mut words);
        secrets.add("Alice's transformed secret", &bytes(&words), 32);
        secrets.add("Alice's saved secret", &packed, 32);
        secrets
    }

    /// Those of NTTRU.
    fn of_the_encapsulation(backend: Backend) -> Self {
        let mut secrets = Self { windows: HashMap::new() };
        let nttru = Nttru::with_backend(backend);
        let (secret, public) = nttru.keygen(&mut { ALICE });
        let (_, key) = nttru.encapsulate(&public, &mut { BOB });
        secrets.add("the shared key", key.as_bytes(), 16);
        let (of_keys, of_message) = (draw(&mut { ALICE }), draw(&mut { BOB }));
        secrets.add("the seed of the keys", &of_keys, 16);
        secrets.add("the seed of the message", &of_message, 16);

        let [mut coins, mut message_coins] = [vec![0; 768], vec![0; 384]];
        xof::aes256_ctr(&of_keys, &mut coins);
        xof::aes256_ctr(&of_message, &mut message_coins);
        secrets.add("the coins of the keys", &coins, 16);
        secrets.add("the coins of the message", &message_coins, 16);
        let short = |coins: &[u8], factor| {
            let mut words = vec![0; 768];
            Ternary { factor }.sample(backend, &mut words, coins);
            words
        };
        let message = short(&message_coins, 1);
        secrets.add("the message", &bytes(&message), 32);
        let mut f = short(&coins[..384], 3);
        f[0] += 1;
        secrets.add("f", &bytes(&f), 32);
        secrets.add("f'", &bytes(&short(&coins[..384], 1)), 32);
        let plan = plan_of::<NttruRing>(backend);
        plan.forward(&mut f);
        secrets.add("the transformed f", &bytes(&f), 32);
        plan.canonical(&mut f);
        secrets.add("the transformed f, canonical", &bytes(&f), 32);
        let mut message_hat = message;
        plan.forward(&mut message_hat);
        secrets.add("the transformed message", &bytes(&message_hat), 32);
        secrets.add("the packed f", &nttru.secret_key_to_bytes(&secret)[..1248], 32);
        secrets
    }

    /// Those of ring-LWE, module-LWE, LWE, NTRU and commitments.
    fn of_the_others(backend: Backend) -> Self {
        let mut secrets = Self { windows: HashMap::new() };
        for (name, bytes) in others("known", backend) {
            // 64 coefficients at least: a few small numbers in a row stand in any memory.
            let window = if name.starts_with("the ") { 512 } else { 128.min(bytes.len()) };
            secrets.add(name, &bytes, window);
        }
        secrets
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

/// Words as they stand in memory when 32 bits are calculated with.
fn wide_bytes(words: &[i16]) -> Vec<u8> {
    words.iter().flat_map(|&word| i32::from(word).to_le_bytes()).collect()
}

fn bytes(words: &[i16]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
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

/// What is in the child's memory when it stops there: names, and whether on the stack.
fn found(at: &str, backend: Backend) -> BTreeSet<(&'static str, bool)> {
    let mut child = Command::new(env::current_exe().expect("this test"))
        .args(["--exact", "in_the_child", "--nocapture"])
        .env(STOP, at)
        .env(BACKEND, backend.name())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("this test again");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    assert!(lines.any(|line| line.expect("a pipe").ends_with(STOPPED)), "the child stops");

    let secrets = match at.split_once(' ') {
        Some(("nttru", _)) => Secrets::of_the_encapsulation(backend),
        Some(_) => Secrets::of_the_others(backend),
        None => Secrets::of_the_exchange(backend),
    };
    let mut found = BTreeSet::new();
    let mut stacks = 0;
    for memory in writable_memory(child.id()) {
        let is_stack = memory.len() == STACK;
        stacks += usize::from(is_stack);
        found.extend(secrets.found_in(&memory).into_iter().map(|name| (name, is_stack)));
    }
    assert_eq!(stacks, 1, "the stack of the exchange");
    drop(child.stdin.take());
    lines.for_each(drop);
    assert!(child.wait().expect("a child").success());
    found
}

/// What may be on the stack, see above.
const ON_STACK: [&str; 7] = [
    "the shared key",
    "Alice's noise bytes",
    "Bob's noise bytes",
    "the seed of the keys",
    "the seed of the message",
    "the coins of the keys",
    "the coins of the message",
];

/// The part of it that is in allocated memory, once it is certain that nothing else is on the
/// stack.
fn allocated(found: BTreeSet<(&'static str, bool)>) -> Vec<&'static str> {
    let (stack, allocated): (Vec<_>, Vec<_>) = found.into_iter().partition(|(_, on_stack)| *on_stack);
    assert!(stack.iter().all(|(name, _)| ON_STACK.contains(name)), "{stack:?}");
    allocated.into_iter().map(|(name, _)| name).collect()
}

#[test]
fn nothing_is_left_of_an_encapsulation() {
    for backend in Backend::machines() {
        assert_eq!(allocated(found("nttru started", backend)), ["the transformed f, canonical"], "{backend}");
        assert_eq!(allocated(found("nttru gone", backend)), [""; 0], "{backend}");
    }
}

#[test]
fn nothing_is_left_of_encryptions_and_commitments() {
    for backend in Backend::machines() {
        assert_eq!(allocated(found("others gone", backend)), [""; 0], "{backend}");
    }
}

#[test]
fn nothing_is_left_of_an_exchange() {
    for backend in Backend::machines() {
        // One word at a time the exchange calculates in words of 32 bits, and keeps canonical ones of 16.
        let kept = ["Alice's transformed secret", "Alice's transformed secret, canonical"];
        let kept = kept[usize::from(backend == Backend::Scalar)];
        assert_eq!(allocated(found("started", backend)), [kept], "{backend}");
        let careless = found("careless", backend);
        for name in ["Alice's noise seed", "Alice's noise bytes"] {
            assert!(careless.contains(&(name, false)), "{backend}: {name} in {careless:?}");
        }
        assert_eq!(allocated(found("gone", backend)), [""; 0], "{backend}");
    }
}
