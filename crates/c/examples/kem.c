/* Key encapsulation by ML-KEM-768.   cc kem.c $(pkg-config --cflags --libs ringwork) */
#include <ringwork.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  const ringwork_kem *kem = ringwork_kem_by_name("ML-KEM-768");
  if (kem == NULL) return 1;
  static uint8_t public_key[1184], secret_key[2400], ciphertext[1088];
  uint8_t sent[32], received[32];
  if (ringwork_kem_keypair(kem, public_key, secret_key) != RINGWORK_OK ||
      ringwork_kem_encaps(kem, ciphertext, sent, public_key) != RINGWORK_OK ||
      ringwork_kem_decaps(kem, received, ciphertext, secret_key) != RINGWORK_OK) {
    fprintf(stderr, "%s\n", ringwork_error_message());
    return 1;
  }
  puts(memcmp(sent, received, sizeof sent) == 0 ? "both sides have the same key" : "a fault");
  return 0;
}
