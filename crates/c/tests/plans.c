/* Plans: products against those by hand, transforms against values at roots, layouts, refusals, threads. */
#include "check.h"

#include <pthread.h>

static ringwork_plan *plan_of(ringwork_request request) {
  ringwork_plan *plan = NULL;
  request.size = sizeof request;
  CHECK(ringwork_plan_new(&request, &plan) == RINGWORK_OK);
  CHECK(ringwork_plan_n(plan) == request.n && ringwork_plan_q(plan) == request.q);
  CHECK(request.bits == 0 || ringwork_plan_bits(plan) == request.bits);
  return plan;
}

static uint64_t add_mod(uint64_t a, uint64_t b, uint64_t q) { return a >= q - b ? a - (q - b) : a + b; }

static uint64_t mul_mod(uint64_t a, uint64_t b, uint64_t q) {
  uint64_t sum = 0;
  for (; b != 0; b >>= 1) {
    if (b & 1) sum = add_mod(sum, a, q);
    a = add_mod(a, a, q);
  }
  return sum;
}

/* The product modulo X^n + 1, X^n - 1 or X^n - X^(n/2) + 1. */
static void by_hand(uint64_t *c, const uint64_t *a, const uint64_t *b, size_t n, uint64_t q, uint32_t ring) {
  uint64_t *all = (uint64_t *)room(2 * n, sizeof *all);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) all[i + j] = add_mod(all[i + j], mul_mod(a[i], b[j], q), q);
  for (size_t i = 2 * n; i-- > n;) {
    uint64_t top = all[i], minus = top == 0 ? 0 : q - top;
    all[i] = 0;
    if (ring == RINGWORK_CYCLIC) all[i - n] = add_mod(all[i - n], top, q);
    else all[i - n] = add_mod(all[i - n], minus, q);
    if (ring == RINGWORK_TRINOMIAL) all[i - n / 2] = add_mod(all[i - n / 2], top, q);
  }
  memcpy(c, all, n * sizeof *c);
  free(all);
}

#define TEST_WORDS(suffix, word, is_signed)                                                                            \
  static void products_##suffix(size_t n, uint64_t q, uint32_t ring, uint32_t bits) {                                 \
    enum { COUNT = 3 };                                                                                                \
    ringwork_request request = {0};                                                                                    \
    uint64_t state = q + n;                                                                                            \
    request.n = n, request.q = q, request.ring = ring, request.bits = bits;                                           \
    ringwork_plan *plan = plan_of(request);                                                                            \
    CHECK(ringwork_plan_is_signed(plan) == (is_signed));                                                              \
    uint64_t *wide = (uint64_t *)room(3 * n, sizeof *wide);                                                            \
    word *a = (word *)room(COUNT * n, sizeof *a), *b = (word *)room(COUNT * n, sizeof *b);                             \
    word *c = (word *)room(COUNT * n, sizeof *c), *d = (word *)room(COUNT * n, sizeof *d);                             \
    for (size_t i = 0; i < COUNT * n; i++) {                                                                           \
      a[i] = (word)(random_word(&state) % q);                                                                          \
      b[i] = (word)(i % 5 == 0 ? q - 1 : random_word(&state) % q);                                                     \
    }                                                                                                                  \
    CHECK(ringwork_multiply_##suffix(plan, c, a, b, COUNT) == RINGWORK_OK);                                            \
    for (size_t k = 0; k < COUNT; k++) {                                                                               \
      for (size_t i = 0; i < n; i++) wide[n + i] = (uint64_t)a[k * n + i], wide[2 * n + i] = (uint64_t)b[k * n + i];   \
      by_hand(wide, wide + n, wide + 2 * n, n, q, ring);                                                               \
      for (size_t i = 0; i < n; i++) CHECK((uint64_t)c[k * n + i] == wide[i]);                                         \
    }                                                                                                                  \
    memcpy(d, a, COUNT * n * sizeof *d);                                                                               \
    CHECK(ringwork_add_##suffix(plan, d, b, COUNT) == RINGWORK_OK);                                                    \
    CHECK(ringwork_subtract_##suffix(plan, d, b, COUNT) == RINGWORK_OK);                                               \
    CHECK(memcmp(d, a, COUNT * n * sizeof *d) == 0);                                                                   \
    if (ringwork_plan_words(plan) == n && ringwork_plan_root(plan) != 0) {                                             \
      word *f = (word *)room(COUNT * n, sizeof *f), *g = (word *)room(COUNT * n, sizeof *g);                           \
      memcpy(f, b, COUNT * n * sizeof *f);                                                                             \
      CHECK(ringwork_forward_##suffix(plan, d, COUNT) == RINGWORK_OK);                                                 \
      CHECK(ringwork_forward_##suffix(plan, f, COUNT) == RINGWORK_OK);                                                 \
      CHECK(ringwork_pointwise_##suffix(plan, g, d, f, COUNT) == RINGWORK_OK);                                         \
      CHECK(ringwork_inverse_##suffix(plan, g, COUNT) == RINGWORK_OK);                                                 \
      CHECK(memcmp(g, c, COUNT * n * sizeof *g) == 0);                                                                 \
      /* The same transforms, with the polynomials side by side. */                                                    \
      for (size_t k = 0; k < COUNT; k++)                                                                               \
        for (size_t i = 0; i < n; i++) g[i * COUNT + k] = a[k * n + i];                                                \
      CHECK(ringwork_forward_batch_##suffix(plan, g, COUNT, 1, COUNT) == RINGWORK_OK);                                 \
      for (size_t k = 0; k < COUNT; k++)                                                                               \
        for (size_t i = 0; i < n; i++) CHECK(g[i * COUNT + k] == d[k * n + i]);                                        \
      CHECK(ringwork_inverse_batch_##suffix(plan, g, COUNT, 1, COUNT) == RINGWORK_OK);                                 \
      for (size_t k = 0; k < COUNT; k++)                                                                               \
        for (size_t i = 0; i < n; i++) CHECK(g[i * COUNT + k] == a[k * n + i]);                                        \
      free(f), free(g);                                                                                                \
    }                                                                                                                  \
    free(wide), free(a), free(b), free(c), free(d);                                                                    \
    ringwork_plan_free(plan);                                                                                          \
  }

TEST_WORDS(i16, int16_t, 1)
TEST_WORDS(i32, int32_t, 1)
TEST_WORDS(i64, int64_t, 1)
TEST_WORDS(u32, uint32_t, 0)
TEST_WORDS(u64, uint64_t, 0)

static void slots_are_values(void) {
  enum { N = 16 };
  const uint64_t q = 12289;
  ringwork_request request = {0};
  request.n = N, request.q = q, request.bits = 32;
  ringwork_plan *plan = plan_of(request);
  const uint64_t root = ringwork_plan_root(plan);
  int32_t a[N];
  uint64_t state = 7, x = root;
  for (size_t i = 0; i < N; i++) a[i] = (int32_t)(random_word(&state) % q);
  int32_t slots[N];
  memcpy(slots, a, sizeof a);
  CHECK(ringwork_forward_i32(plan, slots, 1) == RINGWORK_OK);
  for (size_t i = 0; i < N; i++) {
    uint64_t value = 0;
    for (size_t k = N; k-- > 0;) value = (value * x + (uint64_t)a[k]) % q;
    CHECK(value == (uint64_t)slots[i]);
    x = x * root % q * root % q;
  }
  ringwork_plan_free(plan);
}

static void refusals(void) {
  ringwork_request request = {0};
  ringwork_plan *plan = NULL;
  request.size = sizeof request, request.n = 8, request.q = 12289, request.bits = 16;
  REFUSED(ringwork_plan_new(NULL, &plan), RINGWORK_NULL, "NULL");
  REFUSED(ringwork_plan_new(&request, NULL), RINGWORK_NULL, "NULL");
  ringwork_request other = request;
  other.size = 8;
  REFUSED(ringwork_plan_new(&other, &plan), RINGWORK_LENGTH, "request.size is 8");
  other = request, other.ring = 9;
  REFUSED(ringwork_plan_new(&other, &plan), RINGWORK_PLAN, "ring 9");
  other = request, other.order = 9;
  REFUSED(ringwork_plan_new(&other, &plan), RINGWORK_PLAN, "order 9");
  other = request, other.n = 0;
  REFUSED(ringwork_plan_new(&other, &plan), RINGWORK_PLAN, "n = 0");
  other = request, other.q = 0;
  REFUSED(ringwork_plan_new(&other, &plan), RINGWORK_PLAN, "q = 0");
  other = request, other.bits = 17;
  REFUSED(ringwork_plan_new(&other, &plan), RINGWORK_PLAN, "17");
  other = request, other.depth = 60;
  REFUSED(ringwork_plan_new(&other, &plan), RINGWORK_PLAN, "");
  other = request, other.root = 3;
  REFUSED(ringwork_plan_new(&other, &plan), RINGWORK_PLAN, "root");
  CHECK(plan == NULL);
  CHECK(ringwork_plan_new(&request, &plan) == RINGWORK_OK);

  int16_t a[16] = {0}, b[16] = {0}, c[16] = {0};
  int32_t wide[8] = {0};
  REFUSED(ringwork_multiply_i16(NULL, c, a, b, 1), RINGWORK_NULL, "plan");
  REFUSED(ringwork_multiply_i16(plan, NULL, a, b, 1), RINGWORK_NULL, "c is NULL");
  REFUSED(ringwork_multiply_i16(plan, c, NULL, b, 1), RINGWORK_NULL, "a is NULL");
  REFUSED(ringwork_multiply_i16(plan, c, a, NULL, 1), RINGWORK_NULL, "b is NULL");
  REFUSED(ringwork_multiply_i16(plan, a, a, b, 1), RINGWORK_OVERLAP, "c overlaps a");
  REFUSED(ringwork_multiply_i16(plan, b + 7, a, b, 1), RINGWORK_OVERLAP, "c overlaps b");
  REFUSED(ringwork_multiply_i16(plan, c, a, b, SIZE_MAX / 2), RINGWORK_LENGTH, "polynomials");
  REFUSED(ringwork_multiply_i16(plan, c, a, b, SIZE_MAX / 16), RINGWORK_LENGTH, "memory");
  REFUSED(ringwork_multiply_i32(plan, wide, wide, wide, 1), RINGWORK_WORD, "16 bits");
  REFUSED(ringwork_forward_i16(plan, (int16_t *)(void *)((char *)a + 1), 1), RINGWORK_ALIGNMENT, "aligned");
  REFUSED(ringwork_forward_i16(plan, NULL, 1), RINGWORK_NULL, "a is NULL");
  a[3] = 12289, c[0] = 5;
  REFUSED(ringwork_multiply_i16(plan, c, a, b, 1), RINGWORK_RANGE, "word 3");
  REFUSED(ringwork_multiply_i16(plan, c, b, a, 1), RINGWORK_RANGE, "word 3");
  CHECK(c[0] == 5);
  REFUSED(ringwork_forward_i16(plan, a, 2), RINGWORK_RANGE, "word 3");
  REFUSED(ringwork_inverse_i16(plan, a, 2), RINGWORK_RANGE, "word 3");
  REFUSED(ringwork_pointwise_i16(plan, c, a, b, 2), RINGWORK_RANGE, "word 3");
  REFUSED(ringwork_add_i16(plan, a, b, 1), RINGWORK_RANGE, "word 3");
  REFUSED(ringwork_subtract_i16(plan, b, a, 1), RINGWORK_RANGE, "word 3");
  REFUSED(ringwork_forward_batch_i16(plan, a, 2, 8, 1), RINGWORK_RANGE, "polynomial 0: word 3");
  REFUSED(ringwork_forward_batch_i16(plan, a, 2, 4, 1), RINGWORK_LENGTH, "overlap");
  REFUSED(ringwork_forward_batch_i16(plan, a, 2, 1, 0), RINGWORK_LENGTH, "overlap");
  REFUSED(ringwork_forward_batch_i16(plan, a, 2, SIZE_MAX, 1), RINGWORK_LENGTH, "memory");
  CHECK(a[3] == 12289);
  CHECK(ringwork_multiply_i16(plan, NULL, NULL, NULL, 0) == RINGWORK_OK);
  CHECK(ringwork_forward_i16(plan, NULL, 0) == RINGWORK_OK);
  CHECK(ringwork_forward_batch_i16(plan, NULL, 0, 0, 0) == RINGWORK_OK);
  ringwork_plan_free(plan);
  ringwork_plan_free(NULL);
  CHECK(ringwork_plan_n(NULL) == 0 && ringwork_plan_q(NULL) == 0 && ringwork_plan_words(NULL) == 0);
  CHECK(ringwork_plan_bits(NULL) == 0 && ringwork_plan_root(NULL) == 0 && ringwork_plan_is_signed(NULL) == 0);
}

static void residues(void) {
  enum { N = 8, LIMBS = 3 };
  ringwork_rns *rns = NULL;
  CHECK(ringwork_rns_new(N, RINGWORK_NEGACYCLIC, NULL, 0, 400, &rns) == RINGWORK_OK);
  const size_t primes = ringwork_rns_primes(rns), limbs = ringwork_rns_limbs(rns);
  CHECK(ringwork_rns_n(rns) == N && primes >= 7 && limbs >= 7);
  CHECK(ringwork_rns_prime(rns, primes) == 0 && ringwork_rns_prime(rns, 0) > 1);
  uint64_t integers[N * LIMBS], state = 3;
  for (size_t i = 0; i < N * LIMBS; i++) integers[i] = random_word(&state);
  int64_t *a = (int64_t *)room(3 * primes * N, sizeof *a), *b = a + primes * N, *c = b + primes * N;
  uint64_t *again = (uint64_t *)room(N * limbs, sizeof *again);
  CHECK(ringwork_rns_decompose(rns, a, integers, LIMBS) == RINGWORK_OK);
  CHECK(ringwork_rns_recompose(rns, again, a, 1) == RINGWORK_OK);
  for (size_t i = 0; i < N; i++)
    for (size_t k = 0; k < limbs; k++) {
      uint64_t sign = integers[i * LIMBS + LIMBS - 1] >> 63 ? UINT64_MAX : 0;
      CHECK(again[i * limbs + k] == (k < LIMBS ? integers[i * LIMBS + k] : sign));
    }
  /* X times a polynomial. */
  memset(integers, 0, sizeof integers);
  integers[LIMBS] = 1;
  CHECK(ringwork_rns_decompose(rns, b, integers, LIMBS) == RINGWORK_OK);
  CHECK(ringwork_rns_multiply(rns, c, a, b) == RINGWORK_OK);
  for (size_t p = 0; p < primes; p++)
    for (size_t i = 0; i < N; i++) {
      const int64_t q = (int64_t)ringwork_rns_prime(rns, p), x = a[p * N + (i + N - 1) % N];
      CHECK(c[p * N + i] == (i == 0 && x != 0 ? q - x : x));
    }
  memcpy(b, c, primes * N * sizeof *b);
  CHECK(ringwork_rns_forward(rns, c) == RINGWORK_OK && ringwork_rns_inverse(rns, c) == RINGWORK_OK);
  CHECK(memcmp(b, c, primes * N * sizeof *b) == 0);
  REFUSED(ringwork_rns_multiply(rns, a, a, b), RINGWORK_OVERLAP, "overlaps");
  REFUSED(ringwork_rns_decompose(rns, a, integers, 0), RINGWORK_LENGTH, "0 limbs");
  REFUSED(ringwork_rns_decompose(rns, (int64_t *)(void *)again, again, 1), RINGWORK_OVERLAP, "residues overlaps");
  REFUSED(ringwork_rns_recompose(rns, (uint64_t *)(void *)a, a, 1), RINGWORK_OVERLAP, "integers overlaps");
  a[N] = (int64_t)ringwork_rns_prime(rns, 1);
  REFUSED(ringwork_rns_forward(rns, a), RINGWORK_RANGE, "modulo");
  REFUSED(ringwork_rns_recompose(rns, again, a, 0), RINGWORK_RANGE, "word 0");
  REFUSED(ringwork_rns_forward(NULL, a), RINGWORK_NULL, "rns");
  ringwork_rns *none = NULL;
  const uint64_t twice[2] = {97, 97};
  REFUSED(ringwork_rns_new(N, 0, twice, 2, 0, &none), RINGWORK_PLAN, "97");
  REFUSED(ringwork_rns_new(N, 0, twice, 0, 0, &none), RINGWORK_PLAN, "");
  REFUSED(ringwork_rns_new(N, 0, NULL, 0, 0, &none), RINGWORK_PLAN, "");
  REFUSED(ringwork_rns_new(N, 0, NULL, 0, UINT32_MAX, &none), RINGWORK_PLAN, "at most");
  REFUSED(ringwork_rns_new(N, 0, NULL, 0, 100, NULL), RINGWORK_NULL, "rns");
  free(a), free(again);
  ringwork_rns_free(rns);
  ringwork_rns_free(NULL);
}

static const ringwork_plan *shared;
static const char *messages[8];

static void *of_thread(void *argument) {
  const size_t number = *(const size_t *)argument;
  int16_t a[1024], b[1024], c[1024], d[1024];
  for (size_t i = 0; i < 1024; i++) a[i] = (int16_t)((i * 7 + number) % 12289), b[i] = (int16_t)(i % 12289);
  CHECK(ringwork_multiply_i16(shared, c, a, b, 1) == RINGWORK_OK);
  for (int round = 0; round < 50; round++) {
    CHECK(ringwork_multiply_i16(shared, d, a, b, 1) == RINGWORK_OK);
    CHECK(memcmp(c, d, sizeof c) == 0);
  }
  a[number] = INT16_MAX;
  CHECK(ringwork_multiply_i16(shared, c, a, b, 1) == RINGWORK_RANGE);
  char expected[16];
  snprintf(expected, sizeof expected, "word %u ", (unsigned)number);
  CHECK(strstr(ringwork_error_message(), expected) != NULL);
  messages[number] = "own";
  return NULL;
}

static void threads(void) {
  ringwork_request request = {0};
  request.n = 1024, request.q = 12289, request.bits = 16;
  ringwork_plan *plan = plan_of(request);
  shared = plan;
  pthread_t ids[8];
  size_t numbers[8];
  for (size_t i = 0; i < 8; i++) {
    numbers[i] = i;
    CHECK(pthread_create(&ids[i], NULL, of_thread, &numbers[i]) == 0);
  }
  for (size_t i = 0; i < 8; i++) {
    CHECK(pthread_join(ids[i], NULL) == 0);
    CHECK(messages[i] != NULL);
  }
  ringwork_plan_free(plan);
}

int main(void) {
  CHECK(ringwork_abi() == RINGWORK_ABI && strlen(ringwork_version()) >= 5);
  products_i16(16, 12289, RINGWORK_NEGACYCLIC, 16);
  products_i16(12, 3457, RINGWORK_CYCLIC, 16);
  products_i16(24, 7681, RINGWORK_TRINOMIAL, 16);
  products_i32(32, 8380417, RINGWORK_NEGACYCLIC, 32);
  products_i32(10, 1000003, RINGWORK_CYCLIC, 32);
  products_i64(16, 1099511603713, RINGWORK_NEGACYCLIC, 64);
  products_i64(7, 1000000000039, RINGWORK_NEGACYCLIC, 64);
  products_u32(16, 4293918721, RINGWORK_NEGACYCLIC, 32);
  products_u64(16, 18446744069414584321u, RINGWORK_CYCLIC, 64);
  slots_are_values();
  refusals();
  residues();
  threads();
  puts("plans: passed");
  return 0;
}
