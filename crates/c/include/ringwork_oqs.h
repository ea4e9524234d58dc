/* For programs that were written for liboqs: its names for key encapsulation and signatures, on ringwork.h. They are
 * functions of this header, so that a program may be linked with liboqs as well, if no file includes both headers.
 *
 * Known are the schemes of ringwork.h. What liboqs has besides, such as its random generator and its function pointers, is not
 * here. */
#ifndef RINGWORK_OQS_H
#define RINGWORK_OQS_H

#include "ringwork.h"

#include <stdlib.h>

typedef enum { OQS_ERROR = -1, OQS_SUCCESS = 0 } OQS_STATUS;

#define OQS_KEM_alg_ml_kem_512 "ML-KEM-512"
#define OQS_KEM_alg_ml_kem_768 "ML-KEM-768"
#define OQS_KEM_alg_ml_kem_1024 "ML-KEM-1024"
#define OQS_SIG_alg_ml_dsa_44 "ML-DSA-44"
#define OQS_SIG_alg_ml_dsa_65 "ML-DSA-65"
#define OQS_SIG_alg_ml_dsa_87 "ML-DSA-87"

typedef struct OQS_KEM {
  const char *method_name;
  size_t length_public_key, length_secret_key, length_ciphertext, length_shared_secret;
  const ringwork_kem *ringwork;
} OQS_KEM;

typedef struct OQS_SIG {
  const char *method_name;
  size_t length_public_key, length_secret_key, length_signature;
  const ringwork_sig *ringwork;
} OQS_SIG;

static inline OQS_STATUS ringwork_oqs_status(ringwork_status status) {
  return status == RINGWORK_OK ? OQS_SUCCESS : OQS_ERROR;
}

static inline OQS_KEM *OQS_KEM_new(const char *method_name) {
  const ringwork_kem *found = ringwork_kem_by_name(method_name);
  OQS_KEM *kem = found == NULL ? NULL : (OQS_KEM *)malloc(sizeof *kem);
  if (kem != NULL) {
    kem->method_name = method_name;
    for (size_t i = 0; i < ringwork_kem_count(); i++)
      if (ringwork_kem_by_name(ringwork_kem_name(i)) == found) kem->method_name = ringwork_kem_name(i);
    kem->length_public_key = ringwork_kem_length_public_key(found);
    kem->length_secret_key = ringwork_kem_length_secret_key(found);
    kem->length_ciphertext = ringwork_kem_length_ciphertext(found);
    kem->length_shared_secret = ringwork_kem_length_shared_secret(found);
    kem->ringwork = found;
  }
  return kem;
}

static inline void OQS_KEM_free(OQS_KEM *kem) { free(kem); }

static inline OQS_STATUS OQS_KEM_keypair(const OQS_KEM *kem, uint8_t *public_key, uint8_t *secret_key) {
  return ringwork_oqs_status(ringwork_kem_keypair(kem == NULL ? NULL : kem->ringwork, public_key, secret_key));
}

static inline OQS_STATUS OQS_KEM_encaps(const OQS_KEM *kem, uint8_t *ciphertext, uint8_t *shared_secret,
                                        const uint8_t *public_key) {
  return ringwork_oqs_status(
      ringwork_kem_encaps(kem == NULL ? NULL : kem->ringwork, ciphertext, shared_secret, public_key));
}

static inline OQS_STATUS OQS_KEM_decaps(const OQS_KEM *kem, uint8_t *shared_secret, const uint8_t *ciphertext,
                                        const uint8_t *secret_key) {
  return ringwork_oqs_status(
      ringwork_kem_decaps(kem == NULL ? NULL : kem->ringwork, shared_secret, ciphertext, secret_key));
}

static inline OQS_SIG *OQS_SIG_new(const char *method_name) {
  const ringwork_sig *found = ringwork_sig_by_name(method_name);
  OQS_SIG *sig = found == NULL ? NULL : (OQS_SIG *)malloc(sizeof *sig);
  if (sig != NULL) {
    sig->method_name = method_name;
    for (size_t i = 0; i < ringwork_sig_count(); i++)
      if (ringwork_sig_by_name(ringwork_sig_name(i)) == found) sig->method_name = ringwork_sig_name(i);
    sig->length_public_key = ringwork_sig_length_public_key(found);
    sig->length_secret_key = ringwork_sig_length_secret_key(found);
    sig->length_signature = ringwork_sig_length_signature(found);
    sig->ringwork = found;
  }
  return sig;
}

static inline void OQS_SIG_free(OQS_SIG *sig) { free(sig); }

static inline OQS_STATUS OQS_SIG_keypair(const OQS_SIG *sig, uint8_t *public_key, uint8_t *secret_key) {
  return ringwork_oqs_status(ringwork_sig_keypair(sig == NULL ? NULL : sig->ringwork, public_key, secret_key));
}

static inline OQS_STATUS OQS_SIG_sign(const OQS_SIG *sig, uint8_t *signature, size_t *signature_len,
                                      const uint8_t *message, size_t message_len, const uint8_t *secret_key) {
  return ringwork_oqs_status(ringwork_sig_sign(sig == NULL ? NULL : sig->ringwork, signature, signature_len, message,
                                               message_len, secret_key));
}

static inline OQS_STATUS OQS_SIG_verify(const OQS_SIG *sig, const uint8_t *message, size_t message_len,
                                        const uint8_t *signature, size_t signature_len, const uint8_t *public_key) {
  return ringwork_oqs_status(ringwork_sig_verify(sig == NULL ? NULL : sig->ringwork, message, message_len, signature,
                                                 signature_len, public_key));
}

#endif
