/* What the tests in C share. */
#ifndef CHECK_H
#define CHECK_H

#include "ringwork.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                                   \
  do {                                                                                     \
    if (!(condition)) {                                                                    \
      fprintf(stderr, "%s:%d: %s\nlast message: %s\n", __FILE__, __LINE__, #condition,     \
              ringwork_error_message());                                                   \
      exit(1);                                                                             \
    }                                                                                      \
  } while (0)

/* The call fails with this status, and its message has these words. */
#define REFUSED(call, expected, words)                                                     \
  do {                                                                                     \
    CHECK((call) == (expected));                                                           \
    CHECK(strstr(ringwork_error_message(), (words)) != NULL);                              \
  } while (0)

static inline uint64_t random_word(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

static inline void *room(size_t count, size_t size) {
  void *memory = calloc(count, size);
  if (memory == NULL) exit(2);
  return memory;
}

#endif
