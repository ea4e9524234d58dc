/* ML-KEM, X-Wing and ML-DSA: known answers, round trips, refusals. The first argument is a file of known answers, a
 * case to a line, which `cargo xtask c` makes of vectors/. */
#include "check.h"
#include "ringwork_oqs.h"

#include <ctype.h>

static size_t of_hex(uint8_t *bytes, const char *hex) {
  const size_t count = strlen(hex) / 2;
  for (size_t i = 0; i < count; i++) {
    unsigned byte;
    CHECK(sscanf(hex + 2 * i, "%2x", &byte) == 1);
    bytes[i] = (uint8_t)byte;
  }
  return count;
}

enum { LARGEST = 8192 };
static uint8_t given[4][LARGEST], made[2][LARGEST];

static void keygen(const char *name, char *const *words) {
  const size_t seed = of_hex(given[0], words[0]), public = of_hex(given[1], words[1]);
  const size_t secret = of_hex(given[2], words[2]);
  const ringwork_kem *kem = ringwork_kem_by_name(name);
  if (kem != NULL) {
    CHECK(ringwork_kem_length_keypair_seed(kem) == seed && ringwork_kem_length_public_key(kem) == public);
    CHECK(ringwork_kem_length_secret_key(kem) == secret);
    CHECK(ringwork_kem_keypair_derand(kem, made[0], made[1], given[0]) == RINGWORK_OK);
  } else {
    const ringwork_sig *sig = ringwork_sig_by_name(name);
    CHECK(sig != NULL && seed == 32 && ringwork_sig_length_public_key(sig) == public);
    CHECK(ringwork_sig_length_secret_key(sig) == secret);
    CHECK(ringwork_sig_keypair_derand(sig, made[0], made[1], given[0]) == RINGWORK_OK);
  }
  CHECK(memcmp(made[0], given[1], public) == 0 && memcmp(made[1], given[2], secret) == 0);
}

static void encaps(const char *name, char *const *words) {
  const ringwork_kem *kem = ringwork_kem_by_name(name);
  CHECK(kem != NULL);
  CHECK(of_hex(given[0], words[0]) == ringwork_kem_length_public_key(kem));
  CHECK(of_hex(given[1], words[1]) == ringwork_kem_length_encaps_seed(kem));
  CHECK(of_hex(given[2], words[2]) == ringwork_kem_length_ciphertext(kem));
  CHECK(of_hex(given[3], words[3]) == ringwork_kem_length_shared_secret(kem));
  CHECK(ringwork_kem_encaps_derand(kem, made[0], made[1], given[0], given[1]) == RINGWORK_OK);
  CHECK(memcmp(made[0], given[2], ringwork_kem_length_ciphertext(kem)) == 0);
  CHECK(memcmp(made[1], given[3], 32) == 0);
}

static void decaps(const char *name, char *const *words) {
  const ringwork_kem *kem = ringwork_kem_by_name(name);
  CHECK(kem != NULL);
  CHECK(of_hex(given[0], words[0]) == ringwork_kem_length_secret_key(kem));
  CHECK(of_hex(given[1], words[1]) == ringwork_kem_length_ciphertext(kem));
  CHECK(of_hex(given[2], words[2]) == 32);
  CHECK(ringwork_kem_decaps(kem, made[0], given[1], given[0]) == RINGWORK_OK);
  CHECK(memcmp(made[0], given[2], 32) == 0);
}

static size_t known_answers(const char *path) {
  FILE *file = fopen(path, "r");
  CHECK(file != NULL);
  static char line[1 << 16];
  size_t cases = 0;
  while (fgets(line, sizeof line, file) != NULL) {
    char *words[8] = {0};
    size_t count = 0;
    for (char *word = strtok(line, " \n"); word != NULL && count < 8; word = strtok(NULL, " \n")) words[count++] = word;
    if (strcmp(words[0], "keygen") == 0 && count == 5) keygen(words[1], words + 2);
    else if (strcmp(words[0], "encaps") == 0 && count == 6) encaps(words[1], words + 2);
    else if (strcmp(words[0], "decaps") == 0 && count == 5) decaps(words[1], words + 2);
    else CHECK(!"a line of known answers");
    cases++;
  }
  fclose(file);
  return cases;
}

static void kems(void) {
  CHECK(ringwork_kem_count() == 4 && ringwork_kem_name(4) == NULL);
  CHECK(ringwork_kem_by_name("ML-KEM-7") == NULL && ringwork_kem_by_name(NULL) == NULL);
  for (size_t i = 0; i < ringwork_kem_count(); i++) {
    const ringwork_kem *kem = ringwork_kem_by_name(ringwork_kem_name(i));
    CHECK(kem != NULL);
    const size_t public = ringwork_kem_length_public_key(kem), secret = ringwork_kem_length_secret_key(kem);
    const size_t ciphertext = ringwork_kem_length_ciphertext(kem);
    uint8_t *pk = (uint8_t *)room(public, 1), *sk = (uint8_t *)room(secret, 1), *ct = (uint8_t *)room(ciphertext, 1);
    uint8_t shared[32], again[32];
    CHECK(ringwork_kem_keypair(kem, pk, sk) == RINGWORK_OK);
    CHECK(ringwork_kem_encaps(kem, ct, shared, pk) == RINGWORK_OK);
    CHECK(ringwork_kem_decaps(kem, again, ct, sk) == RINGWORK_OK);
    CHECK(memcmp(shared, again, 32) == 0);
    ct[7] ^= 1;
    CHECK(ringwork_kem_decaps(kem, again, ct, sk) == RINGWORK_OK && memcmp(shared, again, 32) != 0);
    uint8_t *same = (uint8_t *)room(public, 1);
    CHECK(ringwork_kem_public_key(kem, same, sk) == RINGWORK_OK && memcmp(same, pk, public) == 0);
    REFUSED(ringwork_kem_public_key(NULL, same, sk), RINGWORK_NULL, "kem");
    REFUSED(ringwork_kem_public_key(kem, NULL, sk), RINGWORK_NULL, "public_key");
    REFUSED(ringwork_kem_public_key(kem, same, NULL), RINGWORK_NULL, "secret_key");
    free(same);
    REFUSED(ringwork_kem_keypair(kem, pk, pk), RINGWORK_OVERLAP, "public_key overlaps secret_key");
    REFUSED(ringwork_kem_keypair(NULL, pk, sk), RINGWORK_NULL, "kem");
    REFUSED(ringwork_kem_keypair(kem, NULL, sk), RINGWORK_NULL, "public_key");
    REFUSED(ringwork_kem_keypair(kem, pk, NULL), RINGWORK_NULL, "secret_key");
    REFUSED(ringwork_kem_keypair_derand(kem, pk, sk, NULL), RINGWORK_NULL, "seed");
    REFUSED(ringwork_kem_encaps(kem, NULL, shared, pk), RINGWORK_NULL, "ciphertext");
    REFUSED(ringwork_kem_encaps(kem, ct, NULL, pk), RINGWORK_NULL, "shared_secret");
    REFUSED(ringwork_kem_encaps(kem, ct, shared, NULL), RINGWORK_NULL, "public_key");
    REFUSED(ringwork_kem_decaps(kem, NULL, ct, sk), RINGWORK_NULL, "shared_secret");
    REFUSED(ringwork_kem_decaps(kem, shared, NULL, sk), RINGWORK_NULL, "ciphertext");
    REFUSED(ringwork_kem_decaps(kem, shared, ct, NULL), RINGWORK_NULL, "secret_key");
    if (i < 3) {
      /* A coefficient beyond q, and a secret key that is not of its public key. */
      memset(pk, 255, 3);
      REFUSED(ringwork_kem_encaps(kem, ct, shared, pk), RINGWORK_KEY, "3329");
      sk[secret - 100] ^= 1;
      CHECK(ringwork_kem_decaps(kem, shared, ct, sk) == RINGWORK_KEY);
    }
    free(pk), free(sk), free(ct);
  }
  CHECK(ringwork_kem_length_public_key(NULL) == 0 && ringwork_kem_length_shared_secret(NULL) == 0);
}

/* Every form of a message. The digest is SHA-256 of "a message". */
static void forms(const ringwork_sig *sig, const uint8_t *pk, const uint8_t *sk, uint8_t *s, uint8_t *t) {
  static const uint8_t text[] = "a message", context[] = "a context", formatted[] = "\0\11a contexta message", zeros[64];
  size_t length = 0, same = 0;
  ringwork_message message = {sizeof message, RINGWORK_PURE, 0, text, 9, context, 9};
  CHECK(ringwork_sig_sign_message(sig, s, &length, &message, sk, zeros) == RINGWORK_OK);
  CHECK(ringwork_sig_sign_derand(sig, t, &same, text, 9, context, 9, sk, zeros) == RINGWORK_OK);
  CHECK(length == same && memcmp(s, t, length) == 0);
  CHECK(ringwork_sig_verify_message(sig, &message, s, length, pk) == RINGWORK_OK);
  const ringwork_message all = {sizeof all, RINGWORK_FORMATTED, 0, formatted, 20, NULL, 0};
  CHECK(ringwork_sig_sign_message(sig, t, &same, &all, sk, zeros) == RINGWORK_OK && memcmp(s, t, length) == 0);
  CHECK(ringwork_sig_sign_message(sig, t, &same, &message, sk, NULL) == RINGWORK_OK && memcmp(s, t, length) != 0);
  CHECK(ringwork_sig_verify_message(sig, &all, t, length, pk) == RINGWORK_OK);
  ringwork_message mu = {sizeof mu, RINGWORK_MU, 0, zeros, 64, NULL, 0};
  CHECK(ringwork_sig_sign_message(sig, s, &length, &mu, sk, zeros) == RINGWORK_OK);
  CHECK(ringwork_sig_verify_message(sig, &mu, s, length, pk) == RINGWORK_OK);
  REFUSED(ringwork_sig_verify_message(sig, &message, s, length, pk), RINGWORK_SIGNATURE, "not made for");
  message.form = RINGWORK_HASHED, message.hash = 1, message.message = zeros, message.message_len = 32;
  CHECK(ringwork_sig_sign_message(sig, s, &length, &message, sk, zeros) == RINGWORK_OK);
  CHECK(ringwork_sig_verify_message(sig, &message, s, length, pk) == RINGWORK_OK);
  message.hash = 8;
  CHECK(ringwork_sig_verify_message(sig, &message, s, length, pk) == RINGWORK_SIGNATURE);
  message.hash = 13;
  REFUSED(ringwork_sig_verify_message(sig, &message, s, length, pk), RINGWORK_PLAN, "hash 13");
  message.hash = 2;
  REFUSED(ringwork_sig_verify_message(sig, &message, s, length, pk), RINGWORK_LENGTH, "48 bytes");
  message.form = 4;
  REFUSED(ringwork_sig_verify_message(sig, &message, s, length, pk), RINGWORK_PLAN, "form 4");
  mu.message_len = 63;
  REFUSED(ringwork_sig_sign_message(sig, s, &length, &mu, sk, zeros), RINGWORK_LENGTH, "64 bytes");
  mu.message_len = 64, mu.context = context, mu.context_len = 9;
  REFUSED(ringwork_sig_sign_message(sig, s, &length, &mu, sk, zeros), RINGWORK_LENGTH, "context");
  mu.size = 8;
  REFUSED(ringwork_sig_sign_message(sig, s, &length, &mu, sk, zeros), RINGWORK_LENGTH, "message.size is 8");
  REFUSED(ringwork_sig_sign_message(sig, s, &length, NULL, sk, zeros), RINGWORK_NULL, "message");
}

static void signatures(void) {
  CHECK(ringwork_sig_count() == 3 && ringwork_sig_name(3) == NULL && ringwork_sig_by_name("RSA") == NULL);
  static const uint8_t message[] = "a message", context[] = "a context", zeros[32];
  for (size_t i = 0; i < ringwork_sig_count(); i++) {
    const ringwork_sig *sig = ringwork_sig_by_name(ringwork_sig_name(i));
    CHECK(sig != NULL);
    const size_t room_for = ringwork_sig_length_signature(sig);
    uint8_t *pk = (uint8_t *)room(ringwork_sig_length_public_key(sig), 1);
    uint8_t *sk = (uint8_t *)room(ringwork_sig_length_secret_key(sig), 1);
    uint8_t *s = (uint8_t *)room(room_for, 1), *t = (uint8_t *)room(room_for, 1);
    size_t length = 0;
    CHECK(ringwork_sig_keypair(sig, pk, sk) == RINGWORK_OK);
    CHECK(ringwork_sig_sign(sig, s, &length, message, 9, sk) == RINGWORK_OK && length == room_for);
    CHECK(ringwork_sig_verify(sig, message, 9, s, length, pk) == RINGWORK_OK);
    CHECK(ringwork_sig_verify_with_ctx_str(sig, message, 9, s, length, NULL, 0, pk) == RINGWORK_OK);
    REFUSED(ringwork_sig_verify(sig, message, 8, s, length, pk), RINGWORK_SIGNATURE, "not made for");
    REFUSED(ringwork_sig_verify(sig, message, 9, s, length - 1, pk), RINGWORK_SIGNATURE, "bytes");
    REFUSED(ringwork_sig_verify_with_ctx_str(sig, message, 9, s, length, context, 9, pk), RINGWORK_SIGNATURE, "");
    CHECK(ringwork_sig_sign_with_ctx_str(sig, s, &length, message, 9, context, 9, sk) == RINGWORK_OK);
    CHECK(ringwork_sig_verify_with_ctx_str(sig, message, 9, s, length, context, 9, pk) == RINGWORK_OK);
    s[5] ^= 1;
    CHECK(ringwork_sig_verify_with_ctx_str(sig, message, 9, s, length, context, 9, pk) == RINGWORK_SIGNATURE);
    CHECK(ringwork_sig_sign_derand(sig, s, &length, message, 9, context, 9, sk, zeros) == RINGWORK_OK);
    CHECK(ringwork_sig_sign_derand(sig, t, &length, message, 9, context, 9, sk, zeros) == RINGWORK_OK);
    CHECK(memcmp(s, t, length) == 0);
    CHECK(ringwork_sig_sign(sig, s, &length, NULL, 0, sk) == RINGWORK_OK);
    CHECK(ringwork_sig_verify(sig, NULL, 0, s, length, pk) == RINGWORK_OK);
    static const uint8_t large[256];
    REFUSED(ringwork_sig_sign_with_ctx_str(sig, s, &length, message, 9, large, 256, sk), RINGWORK_LENGTH, "255");
    REFUSED(ringwork_sig_sign(sig, s, NULL, message, 9, sk), RINGWORK_NULL, "signature_len");
    REFUSED(ringwork_sig_sign(sig, NULL, &length, message, 9, sk), RINGWORK_NULL, "signature");
    REFUSED(ringwork_sig_sign(sig, s, &length, NULL, 9, sk), RINGWORK_NULL, "message");
    REFUSED(ringwork_sig_verify(sig, message, 9, NULL, length, pk), RINGWORK_NULL, "signature");
    REFUSED(ringwork_sig_verify(NULL, message, 9, s, length, pk), RINGWORK_NULL, "sig");
    uint8_t *public = (uint8_t *)room(ringwork_sig_length_public_key(sig), 1);
    CHECK(ringwork_sig_public_key(sig, public, sk) == RINGWORK_OK);
    CHECK(memcmp(public, pk, ringwork_sig_length_public_key(sig)) == 0);
    REFUSED(ringwork_sig_public_key(sig, NULL, sk), RINGWORK_NULL, "public_key");
    REFUSED(ringwork_sig_public_key(sig, public, NULL), RINGWORK_NULL, "secret_key");
    forms(sig, pk, sk, s, t);
    free(pk), free(sk), free(s), free(t), free(public);
  }
}

/* A program written for liboqs. */
static void as_liboqs(void) {
  OQS_KEM *kem = OQS_KEM_new(OQS_KEM_alg_ml_kem_768);
  CHECK(kem != NULL && kem->length_public_key == 1184 && strcmp(kem->method_name, "ML-KEM-768") == 0);
  uint8_t *pk = (uint8_t *)room(kem->length_public_key, 1), *sk = (uint8_t *)room(kem->length_secret_key, 1);
  uint8_t *ct = (uint8_t *)room(kem->length_ciphertext, 1), shared[32], again[32];
  CHECK(OQS_KEM_keypair(kem, pk, sk) == OQS_SUCCESS && OQS_KEM_encaps(kem, ct, shared, pk) == OQS_SUCCESS);
  CHECK(OQS_KEM_decaps(kem, again, ct, sk) == OQS_SUCCESS && memcmp(shared, again, 32) == 0);
  free(pk), free(sk), free(ct);
  OQS_KEM_free(kem);
  CHECK(OQS_KEM_new("Kyber512") == NULL);

  OQS_SIG *sig = OQS_SIG_new(OQS_SIG_alg_ml_dsa_65);
  CHECK(sig != NULL && sig->length_signature == 3309);
  pk = (uint8_t *)room(sig->length_public_key, 1), sk = (uint8_t *)room(sig->length_secret_key, 1);
  uint8_t *signature = (uint8_t *)room(sig->length_signature, 1);
  static const uint8_t message[] = "a message";
  size_t length = 0;
  CHECK(OQS_SIG_keypair(sig, pk, sk) == OQS_SUCCESS);
  CHECK(OQS_SIG_sign(sig, signature, &length, message, 9, sk) == OQS_SUCCESS);
  CHECK(OQS_SIG_verify(sig, message, 9, signature, length, pk) == OQS_SUCCESS);
  CHECK(OQS_SIG_verify(sig, message, 8, signature, length, pk) == OQS_ERROR);
  free(pk), free(sk), free(signature);
  OQS_SIG_free(sig);
}

int main(int count, char **arguments) {
  kems();
  signatures();
  as_liboqs();
  const size_t cases = count > 1 ? known_answers(arguments[1]) : 0;
  printf("schemes: passed, with %u known answers\n", (unsigned)cases);
  return count > 1 && cases == 0;
}
