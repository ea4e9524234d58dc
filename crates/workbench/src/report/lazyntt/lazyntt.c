/* The algorithms of LazyNTT in C, as the paper prints them, and Falcon's loop: timed in turns, times as JSON.
 *
 *     cc -O0 lazyntt.c -o lazyntt && ./lazyntt 500
 *
 * The argument is milliseconds for each ring. Words have 64 bits; twiddles have 16 and jumps 8, as in section 3.4. q
 * and R are known to the compiler. R and offsets are those that were proved to suffice (`condition` of the textbook),
 * not the paper's. Products with a reduction, sums and differences modulo q are functions, as in Falcon's code, which the
 * paper started from; products without one are written where they stand. Before anything is timed, each slot of each
 * variant is compared with the value at its root.
 *
 * Source: Kim, Seo, Lee, Kim, No, Lazy Modular Reduction for NTT, Electronics 13(24):4887, 2024: Algorithms 1 to 4,
 * section 3.3. Falcon's loop: Falcon's specification (2020), section 3.7.
 */

#ifndef Q /* What does not depend on the modulus; then the rest of this file, for each of the two. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LARGEST = 1024, BATCHES = 1 << 14 };

static uint16_t G[LARGEST], G_bar[LARGEST][3]; /* powers of psi; the same times each R */
static uint8_t J_m[LARGEST], J_s[LARGEST], class_of[LARGEST];
static unsigned trips_m[16], trips_s[16];
static uint64_t a[LARGEST];
static uint16_t b[LARGEST];
static uint64_t offsets[3];

static uint64_t power(uint64_t x, uint64_t e, uint64_t q) {
    uint64_t y = 1;
    for (; e; e >>= 1, x = x * x % q)
        if (e & 1) y = y * x % q;
    return y;
}

/* The smallest primitive root of unity of order 2n. */
static uint64_t root(unsigned n, uint64_t q) {
    uint64_t psi = 2;
    while (power(psi, n, q) != q - 1) psi++;
    return psi;
}

static unsigned reversed(unsigned i, unsigned n) {
    unsigned r = 0;
    for (; n > 1; n >>= 1, i >>= 1) r = r << 1 | (i & 1);
    return r;
}

static unsigned weight(unsigned p) {
    unsigned w = 0;
    for (; p; p &= p - 1) w++;
    return w;
}

/* Section 3.3, for one product reduced of t in a row. */
static void jumps(unsigned n, unsigned t) {
    unsigned m = 0, s = 0, last_m = 0, last_s = 1, stage = 0;
    for (unsigned p = 0; p < n / 2; p++) {
        unsigned c = (t - weight(p) % t) % t;
        if (c == 0) {
            if (m) J_m[m - 1] = p - last_m;
            last_m = p, m++;
        } else {
            if (s) J_s[s - 1] = p - last_s;
            last_s = p, class_of[s++] = c;
        }
    }
    if (m) J_m[m - 1] = n / 2 - last_m;
    if (s) J_s[s - 1] = n / 2 - last_s;
    for (unsigned half = n / 2; half; half /= 2, stage++) {
        trips_m[stage] = trips_s[stage] = 0;
        for (unsigned p = 0; p < half; p++) weight(p) % t ? trips_s[stage]++ : trips_m[stage]++;
    }
}

static uint64_t nanoseconds(void) {
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static int compare(const void *x, const void *y) {
    double d = *(const double *)x - *(const double *)y;
    return (d > 0) - (d < 0);
}

struct variant {
    const char *name;
    unsigned t;
    void (*run)(unsigned n);
    uint64_t offsets[3];
    unsigned size, count;
    double *samples;
};

static uint64_t batch(const struct variant *v, unsigned n, unsigned size) {
    jumps(n, v->t);
    memcpy(offsets, v->offsets, sizeof offsets);
    uint64_t start = nanoseconds();
    for (unsigned i = 0; i < size; i++) v->run(n);
    return nanoseconds() - start;
}

static void fill(unsigned n, uint64_t q) {
    for (unsigned i = 0; i < n; i++) a[i] = b[i] = (uint16_t)((uint64_t)i * i % q);
}

/* Times of all variants in turns: each warm, in batches of 50 microseconds at least. */
static void measure(
    unsigned table, unsigned n, uint64_t q, struct variant *v, unsigned variants, unsigned milliseconds) {
    for (unsigned i = 0; i < variants; i++) {
        v[i].size = 1, v[i].count = 0;
        while (batch(v + i, n, v[i].size) < 50000) v[i].size *= 2;
    }
    uint64_t end = nanoseconds() + milliseconds * UINT64_C(1000000);
    do
        for (unsigned i = 0; i < variants; i++)
            if (v[i].count < BATCHES) {
                batch(v + i, n, 1);
                v[i].samples[v[i].count++] = (double)batch(v + i, n, v[i].size) / v[i].size;
            }
    while (nanoseconds() < end);
    for (unsigned i = 0; i < variants; i++) {
        static int rows;
        qsort(v[i].samples, v[i].count, sizeof(double), compare);
        double *s = v[i].samples;
        unsigned last = v[i].count - 1;
        printf("%s{\"table\":%u,\"q\":%u,\"n\":%u,", rows++ ? ",\n" : "", table, (unsigned)q, n);
        printf("\"variant\":\"%s\",\"nanoseconds\":%.2f,", v[i].name, s[last / 2]);
        printf("\"low_quartile\":%.2f,\"high_quartile\":%.2f}", s[last / 4], s[last * 3 / 4]);
    }
}

/* The value of slot j is that at psi^(2·brv(j)+1); all variants must have it. */
static void check(unsigned n, uint64_t q, const struct variant *v) {
    uint64_t psi = root(n, q);
    fill(n, q);
    batch(v, n, 1);
    int small = strcmp(v->name, "Falcon") == 0;
    for (unsigned j = 0; j < n; j++) {
        uint64_t x = power(psi, 2 * reversed(j, n) + 1, q), value = 0;
        for (unsigned i = n; i-- > 0;) value = (value * x + (uint64_t)i * i % q) % q;
        if (value != (small ? b[j] : a[j])) {
            fprintf(stderr, "%s is wrong for n = %u, q = %u, in slot %u\n", v->name, n, (unsigned)q, j);
            exit(1);
        }
    }
}

#define JOINED(x, y) x##y
#define NAMED(x, y) JOINED(x, y)
#define OF(name) NAMED(name, Q)

#ifndef LOG_R_SM_12289
#define LOG_R_SM_12289 31
#endif

#define Q 12289
#define LOG_R_SM LOG_R_SM_12289
#define LOG_R_SSM 47
#include __FILE__
#undef Q
#undef LOG_R_SM
#undef LOG_R_SSM
#define Q 3329
#define LOG_R_SM 26
#define LOG_R_SSM 40
#include __FILE__
#undef Q

int main(int count, char **arguments) {
    unsigned milliseconds = count > 1 ? (unsigned)strtoul(arguments[1], NULL, 10) : 500;
    printf("{\"results\":[");
    for (unsigned n = 64; n <= 1024; n *= 2) all_12289(2, n, milliseconds);
    for (unsigned n = 32; n <= 128; n *= 2) all_3329(3, n, milliseconds);
    printf("]}\n");
    return 0;
}

#else

/* Algorithm 1, lines 7 and 8: x - y, plus the offset where that is negative; without a branch, as in Falcon's code. */
static inline uint64_t OF(subtract_)(uint64_t x, uint64_t y, uint64_t offset) {
    uint64_t d = x - y;
    return d + (offset & -(d >> 63));
}

/* q^-1 modulo 2^64. */
#define X0 ((uint64_t)Q)
#define STEP(x) ((x) * (2 - (uint64_t)Q * (x)))
#define Q_PRIME STEP(STEP(STEP(STEP(STEP(X0)))))

/* Algorithm 1. */
#define PRODUCT(name, log_r) \
    static inline uint64_t OF(name)(uint64_t x, uint64_t y) { \
        static const uint64_t q_prime = Q_PRIME & ((UINT64_C(1) << log_r) - 1); \
        uint64_t z = x * y, m = (z * q_prime) & ((UINT64_C(1) << log_r) - 1); \
        return OF(subtract_)(z >> log_r, (m * Q) >> log_r, Q); \
    }
PRODUCT(product_, 16)
PRODUCT(product_sm_, LOG_R_SM)
PRODUCT(product_ssm_, LOG_R_SSM)

static inline uint64_t OF(add_)(uint64_t x, uint64_t y) {
    return OF(subtract_)(x + y, Q, Q);
}

#define MONTGOMERY(product, v, w, g) \
    do { \
        uint64_t x = a[v], y = OF(product)(a[w], g); \
        a[v] = OF(add_)(x, y); \
        a[w] = OF(subtract_)(x, y, Q); \
    } while (0)
#define STANDARD(v, w, g, offset) \
    do { \
        uint64_t x = a[v], y = a[w] * (g); \
        a[v] = x + y; \
        a[w] = OF(subtract_)(x, y, offset); \
    } while (0)

/* Algorithm 2. */
static void OF(ntt_)(unsigned n) {
    unsigned t = n;
    for (unsigned m = 1; m < n; m *= 2) {
        unsigned h = t / 2;
        for (unsigned u = 0; u < m; u++)
            for (unsigned v = u * t; v < u * t + h; v++) MONTGOMERY(product_, v, v + h, G_bar[m + u][0]);
        t = h;
    }
}

/* The last stages of Algorithms 3 and 4: pairs of an M and an S, then M alone. */
#define LAST_STAGES(product, row, m, offset) \
    do { \
        unsigned v = 0; \
        for (unsigned u = 0; u < m; u++) { \
            MONTGOMERY(product, v, v + 2, G_bar[m + u][row]); \
            STANDARD(v + 1, v + 3, G[m + u], offset); \
            v += 4; \
        } \
        m *= 2, v = 0; \
        for (unsigned u = 0; u < m; u++) { \
            MONTGOMERY(product, v, v + 1, G_bar[m + u][row]); \
            v += 2; \
        } \
    } while (0)

/* Algorithm 3. */
static void OF(sm_)(unsigned n) {
    unsigned bound = n / 4, m = 1;
    for (; m < bound; m *= 2) {
        unsigned t = n / 2, h = t / 2;
        for (unsigned u = 0; u < m; u++) {
            unsigned v = u * n;
            for (unsigned d = 0; d < h; d++) {
                MONTGOMERY(product_sm_, v, v + t, G_bar[m + u][1]);
                v += 4 - J_s[d];
            }
            v = u * n;
            for (unsigned d = 0; d < h; d++) {
                STANDARD(v + 1, v + 1 + t, G[m + u], offsets[1]);
                v += J_s[d];
            }
        }
        n = t;
    }
    LAST_STAGES(product_sm_, 1, m, offsets[1]);
}

/* Algorithm 4. */
static void OF(ssm_)(unsigned n) {
    unsigned bound = n / 8, m = 1;
    for (unsigned stage = 0; m < bound; m *= 2, stage++) {
        unsigned t = n / 2;
        for (unsigned u = 0; u < m; u++) {
            unsigned v = u * n;
            for (unsigned d = 0; d < trips_m[stage]; d++) {
                MONTGOMERY(product_ssm_, v, v + t, G_bar[m + u][2]);
                v += J_m[d];
            }
            v = u * n;
            for (unsigned d = 0; d < trips_s[stage]; d++) {
                STANDARD(v + 1, v + 1 + t, G[m + u], offsets[class_of[d]]);
                v += J_s[d];
            }
        }
        n = t;
    }
    unsigned v = 0;
    for (unsigned u = 0; u < m; u++) {
        MONTGOMERY(product_ssm_, v, v + 4, G_bar[m + u][2]);
        STANDARD(v + 1, v + 5, G[m + u], offsets[2]);
        STANDARD(v + 2, v + 6, G[m + u], offsets[2]);
        STANDARD(v + 3, v + 7, G[m + u], offsets[1]);
        v += 8;
    }
    m *= 2;
    LAST_STAGES(product_ssm_, 2, m, offsets[2]);
}

/* Falcon's own words: 16 bits in memory, 32 in registers. */
static inline uint32_t OF(falcon_subtract_)(uint32_t x, uint32_t y) {
    uint32_t d = x - y;
    return d + (Q & -(d >> 31));
}

static inline uint32_t OF(falcon_product_)(uint32_t x, uint32_t y) {
    static const uint32_t minus_q_prime = -(uint32_t)Q_PRIME & 0xFFFF;
    uint32_t z = x * y, m = ((z * minus_q_prime) & 0xFFFF) * Q;
    return OF(falcon_subtract_)((z + m) >> 16, Q);
}

static inline uint32_t OF(falcon_add_)(uint32_t x, uint32_t y) {
    return OF(falcon_subtract_)(x + y, Q);
}

static void OF(falcon_)(unsigned n) {
    unsigned t = n;
    for (unsigned m = 1; m < n; m *= 2) {
        unsigned h = t / 2;
        for (unsigned u = 0; u < m; u++) {
            uint32_t g = G_bar[m + u][0];
            for (unsigned v = u * t; v < u * t + h; v++) {
                uint32_t x = b[v], y = OF(falcon_product_)(b[v + h], g);
                b[v] = (uint16_t)OF(falcon_add_)(x, y);
                b[v + h] = (uint16_t)OF(falcon_subtract_)(x, y);
            }
        }
        t = h;
    }
}

/* The textbook's bounds: what a word of each class can be before each stage, and the offsets that follow. */
static void OF(derive_)(unsigned n, unsigned t, uint64_t *offset) {
    uint64_t bound[17];
    unsigned k = 0;
    while (n >> k > 1) k++;
    for (unsigned l = 0; l <= k; l++) bound[l] = Q - 1;
    offset[0] = Q;
    for (unsigned s = 1; s < t; s++) {
        unsigned active = k + s - t;
        uint64_t y[16], largest = 0;
        for (unsigned l = 0; l < active; l++) largest = y[l] = bound[l] * (Q - 1);
        offset[s] = (largest + Q - 1) / Q * Q;
        bound[0] = Q - 1;
        for (unsigned l = 0; l < k; l++) {
            bound[l + 1] = l < active ? bound[l] + y[l] : bound[l];
            if (l < active && bound[l + 1] < offset[s] - 1) bound[l + 1] = offset[s] - 1;
        }
    }
}

static void OF(all_)(unsigned table, unsigned n, unsigned milliseconds) {
    static double samples[4][BATCHES];
    struct variant variants[] = {
        { .name = "Original", .t = 1, .run = OF(ntt_) },
        { .name = "SM-LazyNTT", .t = 2, .run = OF(sm_) },
        { .name = "SSM-LazyNTT", .t = 3, .run = OF(ssm_) },
        { .name = "Falcon", .t = 1, .run = OF(falcon_) },
    };
    unsigned count = sizeof variants / sizeof *variants;
    static const unsigned log_r[3] = { 16, LOG_R_SM, LOG_R_SSM };
    uint64_t psi = root(n, Q);
    for (unsigned j = 0; j < n; j++) {
        G[j] = (uint16_t)power(psi, reversed(j, n), Q);
        for (unsigned r = 0; r < 3; r++) G_bar[j][r] = (uint16_t)(G[j] * ((UINT64_C(1) << log_r[r]) % Q) % Q);
    }
    for (unsigned i = 0; i < count; i++) {
        OF(derive_)(n, variants[i].t, variants[i].offsets);
        variants[i].samples = samples[i];
        check(n, Q, variants + i);
    }
    fill(n, Q);
    measure(table, n, Q, variants, count, milliseconds);
}

#undef X0
#undef STEP
#undef Q_PRIME
#undef PRODUCT
#undef MONTGOMERY
#undef STANDARD
#undef LAST_STAGES
#endif
