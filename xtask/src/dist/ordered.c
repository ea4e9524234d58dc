/* Loaded by `dist` on Linux before the C library into cargo and all that it starts: without random numbers the hash maps
 * of the compiler, and of macros, have the same order in every run. No program of a release is linked with it, and none is
 * run with it. */
#include <string.h>
#include <sys/types.h>

ssize_t getrandom(void *bytes, size_t length, unsigned flags) {
    (void)flags;
    memset(bytes, 0, length);
    return (ssize_t)length;
}
