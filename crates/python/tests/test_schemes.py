"""ML-KEM, ML-DSA, X-Wing and the research schemes: known answers, other implementations, hostile arguments, threads."""

from __future__ import annotations

import array
import doctest
import hashlib
import importlib
import json
import pickle
import random
import signal
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import mldsa, mlkem
from hypothesis import given, settings
from hypothesis import strategies as st
from kyber_py.ml_kem import ML_KEM_512, ML_KEM_768, ML_KEM_1024

import ringwork
from ringwork import KEM, MLDSA, MLDSA44, MLDSA65, MLDSA87, MLKEM512, MLKEM768, MLKEM1024, XWing, research
from ringwork import CiphertextError, CommitmentError, KeyFormatError, RingworkError, SignatureError

VECTORS = Path(__file__).parents[3] / "vectors"
MLKEMS = [MLKEM512, MLKEM768, MLKEM1024]
KEMS = [*MLKEMS, XWing]
SIGNATURES = [MLDSA44, MLDSA65, MLDSA87]
NAMED = {kem.name: kem for kem in MLKEMS}
SIGNERS = {signer.name: signer for signer in SIGNATURES}

each_kem = pytest.mark.parametrize("kem", KEMS, ids=lambda kem: kem.name)
each_mlkem = pytest.mark.parametrize("kem", MLKEMS, ids=lambda kem: kem.name)
each_signer = pytest.mark.parametrize("signer", SIGNATURES, ids=lambda signer: signer.name)


def vectors(path: str) -> Any:
    return json.loads((VECTORS / path).read_text())


def unhex(test: dict[str, Any], *names: str) -> list[bytes]:
    return [bytes.fromhex(test[name]) for name in names]


def flipped(data: bytes, bit: int) -> bytes:
    changed = bytearray(data)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


# Known answers


def test_mlkem_keygen_is_that_of_acvp() -> None:
    tests = 0
    for group in vectors("acvp/mlkem-keygen.json")["testGroups"]:
        kem = NAMED[group["parameterSet"]]
        for test in group["tests"]:
            d, z, ek, dk = unhex(test, "d", "z", "ek", "dk")
            assert kem.keygen(d + z) == (ek, dk)
            tests += 1
    assert tests == 39


def test_mlkem_encaps_and_decaps_are_those_of_acvp() -> None:
    made = opened = rejected = 0
    for group in vectors("acvp/mlkem-encapdecap.json")["testGroups"]:
        kem = NAMED[group["parameterSet"]]
        for test in group["tests"]:
            c, k = unhex(test, "c", "k")
            if group["function"] == "encapsulation":
                ek, dk, m = unhex(test, "ek", "dk", "m")
                assert kem.encaps(ek, m=m) == (k, c)
                made += 1
            else:
                [dk] = unhex(group, "dk")
                rejected += test["reason"] == "modify ciphertext"
            assert kem.decaps(dk, c) == k
            assert kem.decaps_many([dk], [c]) == [k]
            opened += 1
    assert (made, opened) == (39, 54) and rejected > 0


@each_mlkem
def test_mlkem_with_many_rejections_is_that_of_cctv(kem: KEM) -> None:
    lines = (VECTORS / f"cctv/{kem.name}.unlucky.txt").read_text().splitlines()
    # Its d is that of the draft of 2023, whose key generation hashes d alone.
    ek, dk, m, shared, c = unhex(dict(line.split(" = ") for line in lines), "ek", "dk", "m", "K", "c")
    assert kem.encaps(ek, m=m) == (shared, c)
    assert kem.decaps(dk, c) == shared


@each_mlkem
def test_comparison_does_not_end_at_a_zero_byte(kem: KEM) -> None:
    lines = (VECTORS / f"cctv/{kem.name}.strcmp.txt").read_text().splitlines()
    dk, c, shared = unhex(dict(line.split(" = ") for line in lines), "dk", "c", "K")
    assert kem.decaps(dk, c) == shared


@each_mlkem
def test_encapsulation_keys_that_are_not_canonical_are_refused(kem: KEM) -> None:
    good = bytes.fromhex((VECTORS / f"cctv/{kem.name}.modulus.hex").read_text())
    assert len(kem.encaps(good)) == 2
    places = (len(good) - 32) // 3 * 2
    for place in {0, 1, 255, 256, places // 2, places - 1}:
        for value in (3329, 4095):
            pair = place // 2 * 3
            three = int.from_bytes(good[pair : pair + 3], "little")
            three = three & 0xFFF000 | value if place % 2 == 0 else three & 0xFFF | value << 12
            bad = good[:pair] + three.to_bytes(3, "little") + good[pair + 3 :]
            with pytest.raises(KeyFormatError, match=f"number {place} is {value}, not below 3329"):
                kem.encaps(bad)
            with pytest.raises(KeyFormatError, match=f"item 2: .*number {place} is {value}"):
                kem.encaps_many([good, good, bad, good])


@pytest.mark.parametrize("scheme", [*MLKEMS, *SIGNATURES], ids=lambda scheme: scheme.name)
def test_seeds_make_the_public_keys_of_the_examples_in_rfcs(scheme: KEM | MLDSA) -> None:
    name = scheme.name
    seed = bytes.fromhex((VECTORS / f"der/{name}.pkcs8-seed.hex").read_text())[-scheme.seed_bytes :]
    public = bytes.fromhex((VECTORS / f"der/{name}.spki.hex").read_text())
    made, _ = scheme.keygen(seed)
    assert public.endswith(made)


def test_xwing_is_that_of_the_draft() -> None:
    tests = vectors("xwing/xwing.json")
    assert len(tests) == 2
    for test in tests:
        seed, eseed, shared, pk, c = unhex(test, "seed", "eseed", "ss", "pk", "ct")
        assert XWing.keygen(seed) == (pk, seed)
        assert XWing.encaps(pk, m=eseed) == (shared, c)
        assert XWing.decaps(seed, c) == shared


def test_mldsa_keygen_is_that_of_acvp() -> None:
    tests = vectors("standards/mldsa-keygen.json")["tests"]
    assert len(tests) == 15
    for test in tests:
        seed, pk, sk = unhex(test, "seed", "public_key", "secret_key")
        assert SIGNERS[test["set"]].keygen(seed) == (pk, sk)


def mu_of(tr: bytes, message: bytes) -> bytes:
    """The representative of M' as the internal functions take it, by `hashlib`."""
    return hashlib.shake_256(tr + message).digest(64)


def test_mldsa_signatures_are_those_of_acvp() -> None:
    tests, deterministic = vectors("standards/mldsa-siggen.json")["tests"], 0
    assert len(tests) == 18
    for test in tests:
        sk, message, rnd, sig = unhex(test, "secret_key", "message", "randomness", "signature")
        signer, mu = SIGNERS[test["set"]], mu_of(sk[64:128], message)
        assert signer.sign_mu(sk, mu, rnd=rnd) == sig
        if rnd == bytes(32):
            assert signer.sign_mu(sk, mu, deterministic=True) == sig
            deterministic += 1
    assert 0 < deterministic < 18


def test_mldsa_verification_is_that_of_acvp() -> None:
    tests = vectors("standards/mldsa-sigver.json")["tests"]
    assert len(tests) == 24 and {test["valid"] for test in tests} == {True, False}
    for test in tests:
        pk, message, sig = unhex(test, "public_key", "message", "signature")
        mu = mu_of(hashlib.shake_256(pk).digest(64), message)
        assert SIGNERS[test["set"]].verify_mu(pk, mu, sig) == test["valid"], test["reason"]


# Other implementations


@pytest.mark.parametrize(
    ("kem", "theirs"), [(MLKEM512, ML_KEM_512), (MLKEM768, ML_KEM_768), (MLKEM1024, ML_KEM_1024)], ids=lambda x: str(x)
)
def test_mlkem_agrees_with_kyber_py(kem: KEM, theirs: Any) -> None:
    ek, dk = kem.keygen()
    shared, c = theirs.encaps(ek)
    assert kem.decaps(dk, c) == shared
    ek, dk = theirs.keygen()
    shared, c = kem.encaps(ek)
    assert theirs.decaps(dk, c) == kem.decaps(dk, c) == shared
    rejected = flipped(c, 77)
    assert theirs.decaps(dk, rejected) == kem.decaps(dk, rejected) != shared


@pytest.mark.parametrize(
    ("kem", "private_key", "public_key"),
    [
        (MLKEM768, mlkem.MLKEM768PrivateKey, mlkem.MLKEM768PublicKey),
        (MLKEM1024, mlkem.MLKEM1024PrivateKey, mlkem.MLKEM1024PublicKey),
    ],
)
def test_mlkem_agrees_with_cryptography(kem: KEM, private_key: Any, public_key: Any) -> None:
    theirs = private_key.generate()
    seed = theirs.private_bytes_raw()
    ek, dk = kem.keygen(seed)
    assert ek == theirs.public_key().public_bytes_raw()
    shared, c = public_key.from_public_bytes(ek).encapsulate()
    assert kem.decaps(dk, c) == kem.decaps(seed, c) == shared
    for (shared, c), bit in zip(kem.encaps_many([ek] * 5), range(5)):
        assert theirs.decapsulate(c) == shared
        assert theirs.decapsulate(flipped(c, bit)) == kem.decaps(dk, flipped(c, bit)) != shared


@pytest.mark.parametrize(
    ("signer", "private_key", "public_key"),
    [
        (MLDSA44, mldsa.MLDSA44PrivateKey, mldsa.MLDSA44PublicKey),
        (MLDSA65, mldsa.MLDSA65PrivateKey, mldsa.MLDSA65PublicKey),
        (MLDSA87, mldsa.MLDSA87PrivateKey, mldsa.MLDSA87PublicKey),
    ],
)
def test_mldsa_agrees_with_cryptography(signer: MLDSA, private_key: Any, public_key: Any) -> None:
    seed = random.randbytes(32)
    theirs = private_key.from_seed_bytes(seed)
    pk, sk = signer.keygen(seed)
    assert pk == theirs.public_key().public_bytes_raw()
    for key in (seed, sk):
        for message, ctx in [(b"", b""), (b"a message", b"a context"), (bytes(1000), bytes(255))]:
            sig = signer.sign(key, message, ctx)
            theirs.public_key().verify(sig, message, ctx)
            with pytest.raises(InvalidSignature):
                theirs.public_key().verify(sig, message, ctx + b"x" if len(ctx) < 255 else b"")
            sig = theirs.sign(message, ctx)
            assert signer.verify(pk, message, sig, ctx)
            assert not signer.verify(pk, message + b"x", sig, ctx)
    mu = signer.mu(pk, b"a message", b"a context")
    theirs.public_key().verify_mu(signer.sign_mu(sk, mu), mu)
    assert signer.verify(pk, b"a message", theirs.sign_mu(mu), b"a context")


HASHES = {
    "sha256": (1, 32),
    "sha384": (2, 48),
    "sha512": (3, 64),
    "sha224": (4, 28),
    "sha512_224": (5, 28),
    "sha512_256": (6, 32),
    "sha3_224": (7, 28),
    "sha3_256": (8, 32),
    "sha3_384": (9, 48),
    "sha3_512": (10, 64),
    "shake_128": (11, 32),
    "shake_256": (12, 64),
}


@pytest.mark.parametrize("name", HASHES)
def test_hash_mldsa_signs_digests_of_hashlib(name: str) -> None:
    number, length = HASHES[name]
    message, ctx = b"a message", b"a context"
    state = hashlib.new(name, message)
    digest = state.digest(length) if name.startswith("shake") else state.digest()  # type: ignore[call-arg]
    oid = bytes.fromhex("06096086480165030402") + bytes([number])
    pk, sk = MLDSA44.keygen()
    expected = mu_of(hashlib.shake_256(pk).digest(64), bytes([1, len(ctx)]) + ctx + oid + digest)
    assert MLDSA44.mu(pk, message, ctx, prehash=name) == expected
    sig = MLDSA44.sign(sk, message, ctx, prehash=name)
    assert MLDSA44.verify(pk, message, sig, ctx, prehash=name)
    assert MLDSA44.verify_mu(pk, expected, sig)
    assert not MLDSA44.verify(pk, message, sig, ctx)
    assert not MLDSA44.verify(pk, digest, sig, ctx)
    assert not any(MLDSA44.verify(pk, message, sig, ctx, prehash=other) for other in HASHES if other != name)


# Round trips


@each_kem
def test_both_sides_get_one_key(kem: KEM) -> None:
    ek, dk = kem.keygen()
    shared, c = kem.encaps(ek)
    assert [len(x) for x in (ek, dk, c, shared)] == [kem.ek_bytes, kem.dk_bytes, kem.c_bytes, kem.k_bytes]
    assert kem.decaps(dk, c) == shared
    seed = random.randbytes(kem.seed_bytes)
    ek, dk = kem.keygen(seed)
    assert (ek, dk) == kem.keygen(seed) and (ek, dk) != kem.keygen(flipped(seed, 0))
    shared, c = kem.encaps(ek)
    assert kem.decaps(seed, c) == kem.decaps(dk, c) == shared


@each_kem
def test_randomness_is_fresh_and_not_that_of_python(kem: KEM) -> None:
    random.seed(1)
    first = kem.keygen()
    random.seed(1)
    assert kem.keygen() != first
    ek, _ = first
    assert kem.encaps(ek) != kem.encaps(ek)
    answers = kem.keygen_many(9) + kem.encaps_many([ek] * 9)
    assert len({x for pair in answers for x in pair}) == 36


@each_kem
def test_batches_are_single_operations(kem: KEM) -> None:
    count = 300 if kem is MLKEM512 else 5
    pairs = kem.keygen_many(count)
    assert len(pairs) == count and len({ek for ek, _ in pairs}) == count
    sent = kem.encaps_many([ek for ek, _ in pairs])
    assert kem.decaps_many([dk for _, dk in pairs], [c for _, c in sent]) == [shared for shared, _ in sent]
    assert [kem.decaps(dk, c) for (_, dk), (_, c) in zip(pairs, sent)] == [shared for shared, _ in sent]
    ek, dk = pairs[0]
    sent = kem.encaps_many([ek] * count)
    shared = [shared for shared, _ in sent]
    assert kem.decaps_many([dk] * count, [c for _, c in sent]) == shared
    # Equal keys at different places, and runs of different keys.
    assert kem.decaps_many([bytearray(dk)] * count, [c for _, c in sent]) == shared
    _, other = pairs[1]
    mixed = kem.decaps_many([dk, dk, other, dk], [sent[0][1], sent[1][1], sent[1][1], sent[2][1]])
    assert [*mixed[:2], mixed[3]] == shared[:3] and mixed[2] not in shared
    assert [kem.keygen_many(0), kem.encaps_many([]), kem.decaps_many([], [])] == [[], [], []]


@each_signer
def test_signatures_verify(signer: MLDSA) -> None:
    pk, sk = signer.keygen()
    message, ctx = b"a message", b"a context"
    sig = signer.sign(sk, message, ctx)
    assert [len(x) for x in (pk, sk, sig)] == [signer.pk_bytes, signer.sk_bytes, signer.sig_bytes]
    assert signer.verify(pk, message, sig, ctx)
    assert signer.sign(sk, message, ctx) != sig
    assert not signer.verify(pk, message, sig)
    assert not signer.verify(pk, ctx, sig, message)
    assert not signer.verify(signer.keygen()[0], message, sig, ctx)
    once = signer.sign(sk, message, ctx, deterministic=True)
    assert once == signer.sign(sk, message, ctx, True) == signer.sign(sk, message, ctx, rnd=bytes(32))
    assert signer.verify(pk, message, once, ctx)
    rnd = random.randbytes(32)
    assert signer.sign(sk, message, rnd=rnd) == signer.sign(sk, message, rnd=rnd) != signer.sign(sk, message)
    signer.check(pk, message, sig, ctx)
    with pytest.raises(SignatureError, match="was not made for this message, context and key"):
        signer.check(pk, message, sig)


def test_sets_are_values() -> None:
    schemes: list[KEM | MLDSA] = [*KEMS, *SIGNATURES]
    for scheme in schemes:
        again = pickle.loads(pickle.dumps(scheme))
        assert again == scheme and hash(again) == hash(scheme) and again is not scheme
        assert eval(repr(scheme)) == scheme
        assert scheme != scheme.name
    assert len(set(schemes)) == 7
    assert (XWing.seed_bytes, XWing.m_bytes, MLKEM512.seed_bytes, MLKEM512.m_bytes) == (32, 64, 64, 32)
    for bad in ("ML-KEM-511", "", "ML-DSA-65"):
        with pytest.raises(RingworkError, match="is none of ML-KEM-512, ML-KEM-768, ML-KEM-1024, X-Wing"):
            KEM(bad)
    with pytest.raises(RingworkError, match="is none of ML-DSA-44, ML-DSA-65, ML-DSA-87"):
        MLDSA("ML-KEM-768")


# Hostile arguments


def around(length: int) -> list[int]:
    """Some lengths: small ones, those close to this one, and all the way up."""
    return sorted({*range(70), *range(max(0, length - 70), length + 70), *range(0, 2 * length, 97)} - {length})


@each_kem
def test_other_lengths_of_keys_and_ciphertexts_is_refused(kem: KEM) -> None:
    ek, dk = kem.keygen()
    _, c = kem.encaps(ek)
    for length in around(kem.ek_bytes):
        with pytest.raises(KeyFormatError, match=f"{kem.ek_bytes} bytes, this has {length}$"):
            kem.encaps(bytes(length))
    for length in set(around(kem.dk_bytes)) - {kem.seed_bytes}:
        with pytest.raises(KeyFormatError, match=f"this has {length}$"):
            kem.decaps(bytes(length), c)
    for length in around(kem.c_bytes):
        with pytest.raises(CiphertextError, match=f"{kem.c_bytes} bytes, this has {length}$"):
            kem.decaps(dk, bytes(length))
    for length in {0, 1, 31, 32, 33, 63, 64, 65, 96} - {kem.seed_bytes}:
        with pytest.raises(RingworkError, match=f"a seed has {kem.seed_bytes} bytes, this has {length}$"):
            kem.keygen(bytes(length))
    for length in {0, 1, 31, 32, 33, 63, 64, 65, 96} - {kem.m_bytes}:
        with pytest.raises(RingworkError, match=f"m has {kem.m_bytes} bytes, this has {length}$"):
            kem.encaps(ek, m=bytes(length))


@each_signer
def test_other_lengths_of_keys_and_signatures_is_refused(signer: MLDSA) -> None:
    pk, sk = signer.keygen()
    sig = signer.sign(sk, b"")
    for length in around(signer.pk_bytes):
        with pytest.raises(KeyFormatError, match=f"{signer.pk_bytes} bytes, this has {length}$"):
            signer.verify(bytes(length), b"", sig)
    for length in set(around(signer.sk_bytes)) - {signer.seed_bytes}:
        with pytest.raises(KeyFormatError, match=f"this has {length}$"):
            signer.sign(bytes(length), b"")
    assert signer.verify(pk, b"", sig)
    for length in around(signer.sig_bytes)[::3]:
        assert not signer.verify(pk, b"", (sig + bytes(signer.sig_bytes))[:length])
    with pytest.raises(SignatureError, match=f"{signer.sig_bytes} bytes, this has 3$"):
        signer.check(pk, b"", b"abc")
    for length in (0, 31, 33, 64):
        with pytest.raises(RingworkError, match=f"this has {length}$"):
            signer.keygen(bytes(length))
        with pytest.raises(RingworkError, match=f"rnd has 32 bytes, this has {length}$"):
            signer.sign(sk, b"", rnd=bytes(length))
    for length in (0, 63, 65):
        with pytest.raises(RingworkError, match=f"mu has 64 bytes, this has {length}$"):
            signer.sign_mu(sk, bytes(length))
        with pytest.raises(RingworkError, match=f"mu has 64 bytes, this has {length}$"):
            signer.verify_mu(pk, bytes(length), sig)


@each_kem
def test_a_flipped_bit_of_a_ciphertext_gives_another_key(kem: KEM) -> None:
    ek, dk = kem.keygen()
    shared, c = kem.encaps(ek)
    bits = random.sample(range(8 * len(c)), 40)
    answers = kem.decaps_many([dk] * 40, [flipped(c, bit) for bit in bits])
    # The curve's functions ignore the highest bit of X25519's share, but X-Wing hashes the share.
    assert shared not in answers and len(set(answers)) == 40


@each_mlkem
def test_a_damaged_decapsulation_key_is_refused_without_its_bytes(kem: KEM) -> None:
    ek, dk = kem.keygen()
    _, c = kem.encaps(ek)
    start = len(dk) - 96 - len(ek) + 32
    for bit in [*random.sample(range(8 * start, 8 * (len(dk) - 32)), 20), 8 * (len(dk) - 32) - 1]:
        with pytest.raises(KeyFormatError):
            kem.decaps(flipped(dk, bit), c)
    # A coefficient of the secret that is not below q: no text tells which, or what it is.
    bad = b"\xff\xff\xff" + dk[3:]
    with pytest.raises(KeyFormatError, match="^a decapsulation key is damaged: no key or message is saved like that$"):
        kem.decaps(bad, c)
    with pytest.raises(KeyFormatError, match="do not belong together"):
        kem.decaps(dk[: len(dk) - 64] + bytes(32) + dk[len(dk) - 32 :], c)


@each_signer
def test_flipped_bits_of_signatures_and_keys_are_noticed(signer: MLDSA) -> None:
    pk, sk = signer.keygen()
    sig = signer.sign(sk, b"a message", b"a context")
    for bit in random.sample(range(8 * len(sig)), 40):
        assert not signer.verify(pk, b"a message", flipped(sig, bit), b"a context")
    for bit in random.sample(range(8 * len(pk)), 10):
        assert not signer.verify(flipped(pk, bit), b"a message", sig, b"a context")
    # ρ, tr, s1 and s2, t0: the parts of a key belong together. K, which is bytes 32 to 63, makes signatures alone.
    for bit in [*random.sample(range(256), 5), *random.sample(range(512, 8 * len(sk)), 20)]:
        with pytest.raises(KeyFormatError):
            signer.sign(flipped(sk, bit), b"a message")
    other = flipped(sk, 300)
    assert signer.verify(pk, b"a message", signer.sign(other, b"a message"))


def test_contexts_and_hash_functions_are_checked() -> None:
    pk, sk = MLDSA44.keygen()
    sig = MLDSA44.sign(sk, b"", bytes(255))
    assert MLDSA44.verify(pk, b"", sig, bytes(255))
    calls: list[Callable[..., object]] = [
        lambda **more: MLDSA44.sign(sk, b"", **more),
        lambda **more: MLDSA44.verify(pk, b"", sig, **more),
        lambda **more: MLDSA44.check(pk, b"", sig, **more),
        lambda **more: MLDSA44.mu(pk, b"", **more),
    ]
    for call in calls:
        with pytest.raises(RingworkError, match="at most 255 bytes, this has 256") as raised:
            call(ctx=bytes(256))
        assert not isinstance(raised.value, SignatureError)
        with pytest.raises(RingworkError, match="'md5' is no hash function|\"md5\" is no hash function"):
            call(prehash="md5")
    with pytest.raises(RingworkError, match="leave out rnd or deterministic"):
        MLDSA44.sign(sk, b"", deterministic=True, rnd=bytes(32))


@pytest.mark.parametrize(
    "make", [bytearray, memoryview, lambda data: array.array("B", data)], ids=["bytearray", "memoryview", "array"]
)
def test_every_bytes_like_object_is_taken(make: Callable[[bytes], Any]) -> None:
    seed = random.randbytes(64)
    ek, dk = MLKEM768.keygen(seed)
    given_seed = make(seed)
    assert MLKEM768.keygen(given_seed) == (ek, dk)
    assert bytes(given_seed) == seed
    m = random.randbytes(32)
    shared, c = MLKEM768.encaps(ek, m=m)
    assert MLKEM768.encaps(make(ek), m=make(m)) == (shared, c)
    assert MLKEM768.decaps(make(dk), make(c)) == MLKEM768.decaps(make(seed), c) == shared
    assert MLKEM768.decaps_many((make(dk), dk), [c, make(c)]) == [shared, shared]
    assert len(MLKEM768.encaps_many([make(ek)])) == 1
    pk, sk = MLDSA44.keygen(make(seed[:32]))
    assert (pk, sk) == MLDSA44.keygen(seed[:32])
    sig = MLDSA44.sign(make(sk), make(b"a message"), make(b"a context"), rnd=make(m))
    assert sig == MLDSA44.sign(sk, b"a message", b"a context", rnd=m)
    assert MLDSA44.verify(make(pk), make(b"a message"), make(sig), make(b"a context"))


def test_a_view_with_gaps_is_its_bytes() -> None:
    seed = random.randbytes(64)
    gaps = memoryview(bytes(byte for pair in zip(seed, bytes(64)) for byte in pair))[::2]
    assert MLKEM512.keygen(gaps) == MLKEM512.keygen(seed)


@pytest.mark.parametrize(
    "bad", ["x" * 1184, 1184, 0, [0] * 1184, (0,) * 1184, object(), 1.5, {}], ids=lambda bad: type(bad).__name__
)
def test_other_types_are_type_errors(bad: Any) -> None:
    ek, dk = MLKEM768.keygen()
    _, c = MLKEM768.encaps(ek)
    pk, sk = MLDSA44.keygen()
    sig = MLDSA44.sign(sk, b"")
    calls: list[Callable[[], object]] = [
        lambda: MLKEM768.keygen(bad),
        lambda: MLKEM768.encaps(bad),
        lambda: MLKEM768.encaps(ek, m=bad),
        lambda: MLKEM768.decaps(bad, c),
        lambda: MLKEM768.decaps(dk, bad),
        lambda: MLKEM768.encaps_many([bad]),
        lambda: MLKEM768.decaps_many([dk], [bad]),
        lambda: MLDSA44.keygen(bad),
        lambda: MLDSA44.sign(bad, b""),
        lambda: MLDSA44.sign(sk, bad),
        lambda: MLDSA44.sign(sk, b"", bad),
        lambda: MLDSA44.sign(sk, b"", rnd=bad),
        lambda: MLDSA44.verify(bad, b"", sig),
        lambda: MLDSA44.verify(pk, bad, sig),
        lambda: MLDSA44.verify(pk, b"", bad),
        lambda: MLDSA44.verify(pk, b"", sig, bad),
        lambda: MLDSA44.sign_mu(sk, bad),
        lambda: MLDSA44.verify_mu(pk, bad, sig),
        lambda: MLDSA44.mu(bad, b""),
    ]
    for call in calls:
        with pytest.raises(TypeError):
            call()


def test_none_is_no_key_and_bytes_are_no_batch() -> None:
    ek, dk = MLKEM512.keygen()
    absent: Any = None
    calls: list[Callable[[], object]] = [
        lambda: MLKEM512.encaps(absent),
        lambda: MLKEM512.decaps(dk, absent),
        lambda: MLDSA44.sign(absent, b""),
    ]
    for call in calls:
        with pytest.raises(TypeError):
            call()
    mistaken: Any = ek
    with pytest.raises(TypeError):
        MLKEM512.encaps_many(mistaken)
    with pytest.raises(RingworkError, match="2 keys and 1 ciphertexts"):
        MLKEM512.decaps_many([dk, dk], [bytes(768)])
    with pytest.raises(CiphertextError, match="^item 1: a ciphertext has 768 bytes, this has 0$"):
        MLKEM512.decaps_many([dk, dk], [bytes(768), b""])
    with pytest.raises(KeyFormatError, match="^item 299: .* has 1632 bytes, or 64 as a seed; this has 1$"):
        MLKEM512.decaps_many([dk] * 299 + [b"x"], [bytes(768)] * 300)
    with pytest.raises(RingworkError, match="-1 keys"):
        MLKEM512.keygen_many(-1)


@given(st.data())
@settings(max_examples=100, deadline=None)
def test_no_bytes_raise_anything_but_a_ringwork_error(data: st.DataObject) -> None:
    lengths = st.sampled_from([0, 31, 32, 33, 64, 255, 256, 768, 800, 1312, 1632, 2420, 2560])
    long = st.builds(lambda length, byte: bytes([byte]) * length, lengths, st.integers(0, 255))
    some = st.one_of(st.binary(max_size=100), long)
    a, b, c, d = (data.draw(some) for _ in range(4))
    calls: list[Callable[[], object]] = [
        lambda: MLKEM512.keygen(a),
        lambda: MLKEM512.encaps(a, m=b),
        lambda: MLKEM512.decaps(a, b),
        lambda: MLKEM512.decaps_many([a, b], [c, d]),
        lambda: MLDSA44.sign(a, b, c),
        lambda: MLDSA44.sign_mu(a, b, rnd=c),
        lambda: MLDSA44.verify(a, b, c, d),
        lambda: MLDSA44.check(a, b, c, d),
        lambda: XWing.decaps(a, b),
        lambda: research.exchange("newhope-usenix2016").finish(a, b),
        lambda: research.exchange("newhope-usenix2016").respond(a),
    ]
    call = data.draw(st.sampled_from(calls))
    try:
        call()
    except RingworkError as error:
        assert str(error)


def test_errors_are_value_errors_and_have_their_names() -> None:
    for name in ("KeyFormatError", "CiphertextError", "SignatureError", "CommitmentError"):
        error = getattr(ringwork, name)
        assert issubclass(error, RingworkError) and error.__module__ == "ringwork" and error.__doc__
        assert pickle.loads(pickle.dumps(error("why"))).args == ("why",)
    assert issubclass(RingworkError, ValueError)


# Threads and signals


@each_kem
def test_eight_threads_use_one_key(kem: KEM) -> None:
    ek, dk = kem.keygen()
    start = threading.Barrier(8)

    def work(_: int) -> list[bytes]:
        start.wait()
        sent = [kem.encaps(ek) for _ in range(10)] + kem.encaps_many([ek] * 10)
        assert [kem.decaps(dk, c) for _, c in sent] == [shared for shared, _ in sent]
        return [shared for shared, _ in sent]

    with ThreadPoolExecutor(8) as pool:
        shared = [key for keys in pool.map(work, range(8)) for key in keys]
    assert len(set(shared)) == 160


def test_eight_threads_sign_with_one_key() -> None:
    pk, sk = MLDSA65.keygen()
    start = threading.Barrier(8)

    def work(thread: int) -> bool:
        start.wait()
        message = bytes([thread])
        signatures = [MLDSA65.sign(sk, message) for _ in range(3)]
        return all(MLDSA65.verify(pk, message, sig) for sig in signatures)

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(work, range(8))) == [True] * 8


def test_other_threads_run_while_a_function_computes() -> None:
    pk, _ = MLDSA44.keygen()
    message = bytes(1 << 20)
    begin = end = 0.0

    def work() -> None:
        nonlocal message, begin, end
        while end - begin < 0.3:
            message += message
            begin = time.perf_counter()
            MLDSA44.mu(pk, message)
            end = time.perf_counter()

    thread = threading.Thread(target=work)
    thread.start()
    moments = []
    while thread.is_alive():
        moments.append(time.perf_counter())
        time.sleep(0.001)
    third = (end - begin) / 3
    assert any(begin + third < moment < end - third for moment in moments)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timers here")
def test_a_signal_ends_a_batch() -> None:
    def stop(_number: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, stop)
    try:
        # Again and again: an exception in a callback of the garbage collector, as hypothesis has one, is lost.
        signal.setitimer(signal.ITIMER_REAL, 0.2, 0.2)
        with pytest.raises(KeyboardInterrupt):
            MLKEM512.keygen_many(100_000)  # seconds, and no more memory than there is, if nothing ends it
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


# Research schemes

WEAK = {"rlwe-p1", "rlwe-p2"}


@pytest.mark.parametrize("name", research.kems())
def test_research_kems_give_both_sides_one_key(name: str) -> None:
    why = ""
    if name in WEAK:
        with pytest.raises(RingworkError, match=f"^{name} loses a file .* insecure=True overrides this$") as refused:
            research.kem(name)
        why = str(refused.value)
    kem = research.kem(name, insecure=name in WEAK)
    assert (kem.name, repr(kem)) == (name, f"ResearchKEM({name!r})")
    assert (kem.classical_bits >= 128) == (name not in WEAK)
    if name not in WEAK:
        assert kem.weakness is None and kem.failure_log2 <= -128
    ek, dk = kem.keygen()
    shared, c = kem.encaps(ek)
    assert kem.decaps(dk, c) == shared and (len(shared), len(c)) == (32, kem.c_bytes)
    if name == "rlwe-p2":
        assert why == f"{kem.weakness}; insecure=True overrides this"
    assert kem.encaps(ek) != (shared, c)
    for bad in (b"", ek[1:], ek + b"x"):
        with pytest.raises(KeyFormatError):
            kem.encaps(bad)
    for bad in (b"", dk[1:], dk + b"x", flipped(dk, 8 * len(dk) - 1)):
        with pytest.raises(KeyFormatError):
            kem.decaps(bad, c)
    for bad in (b"", c[1:], c + b"x"):
        with pytest.raises(CiphertextError):
            kem.decaps(dk, bad)
    try:
        assert kem.decaps(dk, flipped(c, 0)) != shared
    except CiphertextError:
        assert name == "nttru-768"


def test_parameters_for_measuring_are_always_refused_without_the_word() -> None:
    with pytest.raises(RingworkError, match="is no scheme for key encapsulation: those are mlwe-256, "):
        research.kem("ml-kem-768")
    with pytest.raises(RingworkError):
        research.kem("lwe-for-measuring:nonsense", insecure=True)
    with pytest.raises(RingworkError, match="is no scheme for commitments"):
        research.commitments("bakkebo-1024", insecure=True)
    with pytest.raises(RingworkError, match="is no scheme for key exchange"):
        research.exchange("bdlop-1024")


@pytest.mark.parametrize("name", research.commitment_sets())
def test_commitments_open_for_their_origin_alone(name: str) -> None:
    bids = research.commitments(name)
    assert (bids.name, bids.weakness, repr(bids)) == (name, None, f"Commitments({name!r})")
    assert min(bids.hiding_bits, bids.binding_bits) >= 128
    commitment, opening = bids.commit(b"10 000", b"Alice", b"auction 7")
    assert bids.open(commitment, opening, b"Alice", b"auction 7") == b"10 000"
    assert bids.commit(b"10 000", b"Alice", b"auction 7") != (commitment, opening)
    other, other_opening = bids.commit(b"10 001", b"Alice", b"auction 7")
    refused = [
        ((commitment, opening, b"Bob", b"auction 7"), "was asked for"),
        ((commitment, opening, b"Alice", b"auction 8"), "was asked for"),
        ((commitment, other_opening, b"Alice", b"auction 7"), "does not open this commitment"),
        ((other, opening, b"Alice", b"auction 7"), "does not open this commitment"),
        ((commitment, flipped(opening, 0), b"Alice", b"auction 7"), "does not open this commitment"),
        ((commitment, opening[:40], b"Alice", b"auction 7"), "the opening is damaged"),
        ((commitment[:31], opening, b"Alice", b"auction 7"), "begins with a seed"),
        ((commitment[:-1], opening, b"Alice", b"auction 7"), "bytes"),
    ]
    for arguments, why in refused:
        with pytest.raises(CommitmentError, match=why):
            bids.open(*arguments)
    with pytest.raises(CommitmentError, match=f"{bids.capacity} do"):
        bids.commit(bytes(bids.capacity + 1), b"", b"")
    full = bids.commit(bytes(bids.capacity), b"", b"")
    assert bids.open(*full, b"", b"") == bytes(bids.capacity)


def test_commitments_to_digests_are_not_taken_for_messages() -> None:
    bids, message = research.commitments(), bytes(100_000)
    digest = hashlib.sha3_256(message).digest()
    commitment, opening = bids.commit(message, b"Alice", b"", digest=True)
    assert bids.open(commitment, opening, b"Alice", b"", digest=True) == digest
    with pytest.raises(CommitmentError, match="digest=True returns that"):
        bids.open(commitment, opening, b"Alice", b"")
    commitment, opening = bids.commit(digest, b"Alice", b"")
    assert bids.open(commitment, opening, b"Alice", b"") == digest
    with pytest.raises(CommitmentError, match="leave out digest=True"):
        bids.open(commitment, opening, b"Alice", b"", digest=True)


def test_commitment_keys_are_the_default_or_given() -> None:
    bids = research.commitments()
    commitment, _ = bids.commit(b"", b"", b"")
    assert commitment[:32] == hashlib.sha3_256(b"ringwork commitment key 1").digest()
    key = random.randbytes(32)
    commitment, opening = bids.commit(b"yes", b"", b"", key=key)
    assert commitment[:32] == key and bids.open(commitment, opening, b"", b"") == b"yes"
    with pytest.raises(KeyFormatError, match="32 bytes, this has 31"):
        bids.commit(b"", b"", b"", key=key[1:])


def test_proofs_hold_for_their_statement_alone() -> None:
    votes = research.commitments()
    origin = (b"Alice", b"recount")
    (one, of_one), (two, of_two) = (votes.commit(b"yes", b"Alice", count) for count in (b"first", b"second"))
    no, of_no = votes.commit(b"no", b"Alice", b"third")
    proof = votes.prove([one, two], [of_one, of_two], *origin, equal=True)
    votes.check_proof([one, two], proof, *origin, equal=True)
    both = votes.prove([one, no], [of_one, of_no], *origin)
    votes.check_proof([one, no], both, *origin)
    refused: list[Callable[[], None]] = [
        lambda: votes.check_proof([one, no], proof, *origin, equal=True),
        lambda: votes.check_proof([two, one], proof, *origin, equal=True),
        lambda: votes.check_proof([one, two], proof, *origin),
        lambda: votes.check_proof([one, two], proof, b"Bob", b"recount", equal=True),
        lambda: votes.check_proof([one, two], proof, b"Alice", b"another", equal=True),
        lambda: votes.check_proof([one, two], flipped(proof, 1000), *origin, equal=True),
        lambda: votes.check_proof([one, two], proof[:-1], *origin, equal=True),
        lambda: votes.check_proof([one, two], b"", *origin, equal=True),
        lambda: votes.check_proof([], proof, *origin, equal=True),
        lambda: votes.check_proof([one], proof, *origin, equal=True),
        lambda: votes.check_proof([one, two], both, *origin),
    ]
    for call in refused:
        with pytest.raises(CommitmentError):
            call()
    with pytest.raises(CommitmentError):
        votes.prove([one, no], [of_one, of_no], *origin, equal=True)
    with pytest.raises(CommitmentError, match="2 commitments have as many openings, not 1"):
        votes.prove([one, two], [of_one], *origin)


@pytest.mark.parametrize("name", research.exchanges())
def test_exchanges_give_both_sides_one_key(name: str) -> None:
    exchange = research.exchange(name)
    assert exchange.name == name and exchange.classical_bits > 100
    secret, offer = exchange.init()
    reply, key = exchange.respond(offer)
    assert exchange.finish(secret, reply) == key
    assert [len(x) for x in (offer, reply, key)] == [exchange.offer_bytes, exchange.reply_bytes, 32]
    other, _ = exchange.init()
    assert exchange.finish(other, reply) != key
    with pytest.raises(KeyFormatError):
        exchange.respond(offer[1:])
    with pytest.raises(KeyFormatError):
        exchange.finish(secret[1:], reply)
    with pytest.raises(CiphertextError):
        exchange.finish(secret, reply[1:])


def test_the_exchange_of_mlkem_is_mlkem() -> None:
    exchange = research.exchange("mlkem-768")
    secret, offer = exchange.init()
    assert MLKEM768.keygen(secret[:64])[0] == offer
    key, c = MLKEM768.encaps(offer)
    assert exchange.finish(secret, c) == key


@pytest.mark.parametrize("name", ["kem", "mlkem", "mldsa", "xwing", "research"])
def test_examples_are_true(name: str) -> None:
    failed, tried = doctest.testmod(importlib.import_module(f"ringwork.{name}"))
    assert tried > 0 and failed == 0
