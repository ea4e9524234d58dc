/* Ringwork: number-theoretic transforms and exact products of polynomials; ML-KEM, ML-DSA and X-Wing.
 *
 * Every function may be called from several threads at once, on the same plan or ring as well. No function keeps a
 * pointer that it was given. Faults of the library itself are the status RINGWORK_FAULT; if memory runs out, the program
 * ends. What functions write is written only if they return RINGWORK_OK, and may not overlap anything else that they are
 * given.
 *
 * C99, C11 and C++17. The functions are those of ABI RINGWORK_ABI: numbers and layouts of one ABI never change.
 */
#ifndef RINGWORK_H
#define RINGWORK_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RINGWORK_ABI 1u

/* The ABI and the version of the library that runs. */
uint32_t ringwork_abi(void);
const char *ringwork_version(void);

/* ---- Errors ---- */

typedef int32_t ringwork_status;
enum {
  RINGWORK_OK = 0,
  RINGWORK_NULL = 1,       /* A pointer is NULL. */
  RINGWORK_PLAN = 2,       /* There is no such plan, ring or scheme. */
  RINGWORK_LENGTH = 3,     /* A length or a count is wrong. */
  RINGWORK_RANGE = 4,      /* A coefficient is out of range. */
  RINGWORK_WORD = 5,       /* The plan has other words. */
  RINGWORK_OVERLAP = 6,    /* What is written overlaps what is read. */
  RINGWORK_FAULT = 7,      /* A fault of the library: please report it. */
  RINGWORK_KEY = 8,        /* These bytes are no key. */
  RINGWORK_CIPHERTEXT = 9, /* These bytes are no ciphertext. */
  RINGWORK_SIGNATURE = 10, /* This is no signature of the message by the owner of the key. */
  RINGWORK_RANDOM = 11,    /* The operating system gives no random bytes. */
  RINGWORK_ALIGNMENT = 12  /* A pointer to words is not aligned. */
};

/* What was wrong in the last call of this thread that failed, and what would work. Valid until the next call of this
 * thread that fails. */
const char *ringwork_error_message(void);

/* ---- Plans ---- */

/* A ring, and how products in it are computed. */
typedef struct ringwork_plan ringwork_plan;

enum {
  RINGWORK_NEGACYCLIC = 0, /* modulo X^n + 1 */
  RINGWORK_CYCLIC = 1,     /* modulo X^n - 1 */
  RINGWORK_TRINOMIAL = 2   /* modulo X^n - X^(n/2) + 1 */
};

/* The order of transformed polynomials. */
enum {
  RINGWORK_NATURAL = 0,      /* word i is the value at root^(2i + 1), in a cyclic ring at root^i */
  RINGWORK_BIT_REVERSED = 1, /* as layers split slots, and as in FIPS 203 */
  RINGWORK_NATIVE = 2        /* that of this machine's vectors, and the fastest */
};

/* What a plan is to be. Zeros stand for defaults. */
typedef struct ringwork_request {
  size_t size;    /* sizeof(ringwork_request) */
  size_t n;       /* degree */
  uint64_t q;     /* modulus */
  uint32_t ring;  /* RINGWORK_NEGACYCLIC, ... */
  uint32_t order; /* RINGWORK_NATURAL, ... */
  uint32_t bits;  /* of a word: 16, 32 or 64; 0 for the fastest by estimate */
  uint32_t depth; /* layers that split residues in two; 0 for as many as there are roots for */
  uint64_t root;  /* root of unity; 0 for the smallest */
  uint64_t shift; /* transforms evaluate at multiples of this by roots of unity; 0 for none */
} ringwork_request;

/* The plan of a request, in *plan. RINGWORK_PLAN says what would work. */
ringwork_status ringwork_plan_new(const ringwork_request *request, ringwork_plan **plan);
/* NULL is nothing. */
void ringwork_plan_free(ringwork_plan *plan);

/* 0 for NULL. */
size_t ringwork_plan_n(const ringwork_plan *plan);
uint64_t ringwork_plan_q(const ringwork_plan *plan);
/* Words of a transformed polynomial: n, or more if products are computed by residue channels, whose words only the plan
 * itself understands. In native order a plan may have no transform modulo q, if products are faster so; in the others
 * it has one wherever there are roots. */
size_t ringwork_plan_words(const ringwork_plan *plan);
/* Bits of a word, and whether words are signed: they say which functions take the plan. */
uint32_t ringwork_plan_bits(const ringwork_plan *plan);
int32_t ringwork_plan_is_signed(const ringwork_plan *plan);
/* The root of unity of the transform; 0 if the plan has none. */
uint64_t ringwork_plan_root(const ringwork_plan *plan);

/* `count` polynomials, one after the other.
 *
 * multiply: c = a b, of n words each, in natural order; c may not overlap a or b.
 * forward, inverse: in place, of ringwork_plan_words() words each, of which coefficients are the first n.
 * pointwise: c = a b for transformed polynomials; c may not overlap a or b.
 * add, subtract: a = a + b, a = a - b, of n words each; they may be transformed unless there are residue channels.
 *
 * Coefficients and slots are given between -q and q (from 0 in unsigned words), and come out from 0 to below q. Time
 * does not depend on them, unless one is out of range. */
#define RINGWORK_VERBS(suffix, word)                                                                                   \
  ringwork_status ringwork_multiply_##suffix(const ringwork_plan *plan, word *c, const word *a, const word *b,        \
                                             size_t count);                                                            \
  ringwork_status ringwork_forward_##suffix(const ringwork_plan *plan, word *a, size_t count);                         \
  ringwork_status ringwork_inverse_##suffix(const ringwork_plan *plan, word *a, size_t count);                         \
  ringwork_status ringwork_pointwise_##suffix(const ringwork_plan *plan, word *c, const word *a, const word *b,       \
                                              size_t count);                                                           \
  ringwork_status ringwork_add_##suffix(const ringwork_plan *plan, word *a, const word *b, size_t count);              \
  ringwork_status ringwork_subtract_##suffix(const ringwork_plan *plan, word *a, const word *b, size_t count);         \
  /* Word k of polynomial i is at a[i distance + k stride]. Either all words of a polynomial lie before the next    \
   * one, or all polynomials start before the second word of the first. Words in between are left as they are, but   \
   * no other thread may use them meanwhile. */                                                                       \
  ringwork_status ringwork_forward_batch_##suffix(const ringwork_plan *plan, word *a, size_t count, size_t distance,  \
                                                  size_t stride);                                                      \
  ringwork_status ringwork_inverse_batch_##suffix(const ringwork_plan *plan, word *a, size_t count, size_t distance,  \
                                                  size_t stride);

RINGWORK_VERBS(i16, int16_t)
RINGWORK_VERBS(i32, int32_t)
RINGWORK_VERBS(i64, int64_t)
RINGWORK_VERBS(u32, uint32_t)
RINGWORK_VERBS(u64, uint64_t)

/* ---- Residue number systems ---- */

/* A ring modulo a product of primes. */
typedef struct ringwork_rns ringwork_rns;

/* The ring of degree n with these primes, different and below 2^62; or, if `primes` is NULL, with the fewest whose
 * product is at least 2^bits. */
ringwork_status ringwork_rns_new(size_t n, uint32_t ring, const uint64_t *primes, size_t count, uint32_t bits,
                                 ringwork_rns **rns);
void ringwork_rns_free(ringwork_rns *rns);
size_t ringwork_rns_n(const ringwork_rns *rns);
size_t ringwork_rns_primes(const ringwork_rns *rns);
/* 0 if there is no such prime. */
uint64_t ringwork_rns_prime(const ringwork_rns *rns, size_t index);
/* Limbs of the product of all primes. */
size_t ringwork_rns_limbs(const ringwork_rns *rns);

/* A polynomial has ringwork_rns_primes() times n residues, prime by prime, each between -p and p when it is given, and
 * from 0 to below p when it comes out. Integers have limbs of 64 bits, the lowest first, coefficient by coefficient.
 *
 * decompose: of n integers of `limbs` limbs each, in two's complement.
 * recompose: n integers of ringwork_rns_limbs() limbs each, from 0 to below the product of primes, or, if `centred` is
 * not 0, in two's complement, around 0. */
ringwork_status ringwork_rns_decompose(const ringwork_rns *rns, int64_t *residues, const uint64_t *integers,
                                       size_t limbs);
ringwork_status ringwork_rns_recompose(const ringwork_rns *rns, uint64_t *integers, const int64_t *residues,
                                       int32_t centred);
/* Native order; the order of ringwork_rns_multiply does not matter. */
ringwork_status ringwork_rns_forward(const ringwork_rns *rns, int64_t *residues);
ringwork_status ringwork_rns_inverse(const ringwork_rns *rns, int64_t *residues);
ringwork_status ringwork_rns_multiply(const ringwork_rns *rns, int64_t *c, const int64_t *a, const int64_t *b);

/* ---- ML-KEM (FIPS 203) and X-Wing ---- */

/* A key encapsulation mechanism: ML-KEM-512, ML-KEM-768, ML-KEM-1024, X-Wing. Never freed. */
typedef struct ringwork_kem ringwork_kem;

size_t ringwork_kem_count(void);
/* NULL if there is none with that index. */
const char *ringwork_kem_name(size_t index);
/* NULL if there is none of that name. */
const ringwork_kem *ringwork_kem_by_name(const char *name);

/* Bytes; 0 for NULL. Secret keys are the decapsulation keys of FIPS 203, expanded; those of X-Wing are seeds. */
size_t ringwork_kem_length_public_key(const ringwork_kem *kem);
size_t ringwork_kem_length_secret_key(const ringwork_kem *kem);
size_t ringwork_kem_length_ciphertext(const ringwork_kem *kem);
size_t ringwork_kem_length_shared_secret(const ringwork_kem *kem);
size_t ringwork_kem_length_keypair_seed(const ringwork_kem *kem);
size_t ringwork_kem_length_encaps_seed(const ringwork_kem *kem);

/* The order of arguments is that of liboqs. Random bytes come from the operating system; in the _derand functions,
 * which are for tests with known answers, from the caller. Time does not depend on secrets. A ciphertext that was not
 * made for the key gives another shared secret, and RINGWORK_OK. */
ringwork_status ringwork_kem_keypair(const ringwork_kem *kem, uint8_t *public_key, uint8_t *secret_key);
ringwork_status ringwork_kem_keypair_derand(const ringwork_kem *kem, uint8_t *public_key, uint8_t *secret_key,
                                            const uint8_t *seed);
/* The public key of a secret key. In an expanded key it stands as it is, and nothing else is read. */
ringwork_status ringwork_kem_public_key(const ringwork_kem *kem, uint8_t *public_key, const uint8_t *secret_key);
ringwork_status ringwork_kem_encaps(const ringwork_kem *kem, uint8_t *ciphertext, uint8_t *shared_secret,
                                    const uint8_t *public_key);
ringwork_status ringwork_kem_encaps_derand(const ringwork_kem *kem, uint8_t *ciphertext, uint8_t *shared_secret,
                                           const uint8_t *public_key, const uint8_t *seed);
ringwork_status ringwork_kem_decaps(const ringwork_kem *kem, uint8_t *shared_secret, const uint8_t *ciphertext,
                                    const uint8_t *secret_key);

/* ---- ML-DSA (FIPS 204) ---- */

/* A signature scheme: ML-DSA-44, ML-DSA-65, ML-DSA-87. Never freed. */
typedef struct ringwork_sig ringwork_sig;

size_t ringwork_sig_count(void);
const char *ringwork_sig_name(size_t index);
const ringwork_sig *ringwork_sig_by_name(const char *name);

size_t ringwork_sig_length_public_key(const ringwork_sig *sig);
size_t ringwork_sig_length_secret_key(const ringwork_sig *sig);
size_t ringwork_sig_length_signature(const ringwork_sig *sig);

/* Seeds and random bytes have 32 bytes. Signatures are written whole, and their length is in *signature_len. Contexts
 * have at most 255 bytes. Random bytes come from the operating system; in the _derand functions from the caller, and
 * zeros make signatures deterministic. */
ringwork_status ringwork_sig_keypair(const ringwork_sig *sig, uint8_t *public_key, uint8_t *secret_key);
ringwork_status ringwork_sig_keypair_derand(const ringwork_sig *sig, uint8_t *public_key, uint8_t *secret_key,
                                            const uint8_t *seed);
ringwork_status ringwork_sig_public_key(const ringwork_sig *sig, uint8_t *public_key, const uint8_t *secret_key);
ringwork_status ringwork_sig_sign(const ringwork_sig *sig, uint8_t *signature, size_t *signature_len,
                                  const uint8_t *message, size_t message_len, const uint8_t *secret_key);
ringwork_status ringwork_sig_sign_with_ctx_str(const ringwork_sig *sig, uint8_t *signature, size_t *signature_len,
                                               const uint8_t *message, size_t message_len, const uint8_t *ctx_str,
                                               size_t ctx_str_len, const uint8_t *secret_key);
ringwork_status ringwork_sig_sign_derand(const ringwork_sig *sig, uint8_t *signature, size_t *signature_len,
                                         const uint8_t *message, size_t message_len, const uint8_t *ctx_str,
                                         size_t ctx_str_len, const uint8_t *secret_key, const uint8_t *random);
/* RINGWORK_OK if this is a signature of the message, RINGWORK_SIGNATURE if it is not. */
ringwork_status ringwork_sig_verify(const ringwork_sig *sig, const uint8_t *message, size_t message_len,
                                    const uint8_t *signature, size_t signature_len, const uint8_t *public_key);
ringwork_status ringwork_sig_verify_with_ctx_str(const ringwork_sig *sig, const uint8_t *message, size_t message_len,
                                                 const uint8_t *signature, size_t signature_len,
                                                 const uint8_t *ctx_str, size_t ctx_str_len,
                                                 const uint8_t *public_key);

/* The forms in which FIPS 204 takes a message. */
enum {
  RINGWORK_PURE = 0,     /* the message and a context: ML-DSA.Sign */
  RINGWORK_HASHED = 1,   /* its digest and a context: HashML-DSA.Sign */
  RINGWORK_MU = 2,       /* its representative mu, of 64 bytes, which depends on the public key */
  RINGWORK_FORMATTED = 3 /* what the standard calls M', which has the context inside: ML-DSA.Sign_internal */
};

typedef struct ringwork_message {
  size_t size;   /* sizeof(ringwork_message) */
  uint32_t form; /* RINGWORK_PURE, ... */
  uint32_t hash; /* of a digest: the last number of the identifier 2.16.840.1.101.3.4.2 of its function: 1 for SHA-256,
                    2 for SHA-384, 3 for SHA-512, ... 12 for SHAKE-256 */
  const uint8_t *message;
  size_t message_len;
  const uint8_t *context;
  size_t context_len;
} ringwork_message;

/* `random` has 32 bytes; if it is NULL, the operating system gives them. */
ringwork_status ringwork_sig_sign_message(const ringwork_sig *sig, uint8_t *signature, size_t *signature_len,
                                          const ringwork_message *message, const uint8_t *secret_key,
                                          const uint8_t *random);
ringwork_status ringwork_sig_verify_message(const ringwork_sig *sig, const ringwork_message *message,
                                            const uint8_t *signature, size_t signature_len,
                                            const uint8_t *public_key);

#ifdef __cplusplus
}
#endif

#endif
