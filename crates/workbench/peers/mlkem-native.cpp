// ML-KEM by mlkem-native (https://github.com/pq-code-package/mlkem-native), which is not part of Ringwork. It is built
// for one parameter set, with functions whose names begin with `theirs`.

#include "scheme.h"

#include "mlkem_native.h"

int main() {
    const Sizes sizes = {
        MLKEM_SECRETKEYBYTES(MLK_CONFIG_PARAMETER_SET),
        MLKEM_PUBLICKEYBYTES(MLK_CONFIG_PARAMETER_SET),
        MLKEM_CIPHERTEXTBYTES(MLK_CONFIG_PARAMETER_SET),
    };
    return serve_kem(sizes, theirs_keypair_derand, theirs_enc_derand, theirs_dec);
}
