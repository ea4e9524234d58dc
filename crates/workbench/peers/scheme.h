// Key encapsulation and signatures from bytes to bytes, on the keys and messages that src/standards has. A digest is of
// what an operation gives of all samples: bytes, followed by zeros up to the length of a key pair and a ciphertext or
// signature together. In the place of a degree stands how many messages are signed in turn, or 1.

#pragma once

#include "serve.h"

#include <algorithm>
#include <array>
#include <cstdlib>

using Bytes = std::vector<uint8_t>;
using Operation = std::function<void(const struct Sample &, Bytes &out)>;

// Keys, a message, and what was made of them.
struct Sample {
    std::array<uint8_t, 64> seed;
    std::array<uint8_t, 32> message;
    // An expanded secret key, its public key, and a ciphertext or a signature.
    Bytes secret, public_key, made;
    Bytes place() const { return Bytes(secret.size() + public_key.size() + made.size()); }
};

// Numbers of bytes.
struct Sizes {
    size_t secret, public_key, made;
};

// Operations by name. Keys are made by `keygen`, and what stands in `made` by `second`.
struct Scheme {
    Sizes sizes;
    Operation keygen;
    const char *second_name, *third_name;
    Operation second, third;
};

// A function that refuses what was just made ends the program.
inline void good(int status) {
    if (status != 0) std::abort();
}

inline Sample sample_of(const Scheme &scheme, uint8_t number) {
    Sample sample;
    sample.seed.fill(number);
    sample.message.fill(number ^ 9);
    sample.secret.resize(scheme.sizes.secret);
    sample.public_key.resize(scheme.sizes.public_key);
    sample.made.resize(scheme.sizes.made);
    Bytes out = sample.place();
    scheme.keygen(sample, out);
    std::copy_n(out.begin(), sample.secret.size(), sample.secret.begin());
    std::copy_n(out.begin() + sample.secret.size(), sample.public_key.size(), sample.public_key.begin());
    scheme.second(sample, out);
    std::copy_n(out.begin(), sample.made.size(), sample.made.begin());
    return sample;
}

inline int serve_scheme(const Scheme &scheme) {
    return serve_works([&](const std::string &work, size_t messages, uint64_t, std::string &) -> Made {
        Operation run;
        if (work == "keygen") run = scheme.keygen;
        if (work == scheme.second_name) run = scheme.second;
        if (work == scheme.third_name) run = scheme.third;
        if (!run) return {};
        Bytes all;
        for (uint8_t number = 0; number < 4; number++) {
            const Sample sample = sample_of(scheme, number);
            Bytes out = sample.place();
            run(sample, out);
            all.insert(all.end(), out.begin(), out.end());
        }
        Sample sample = sample_of(scheme, 0);
        Bytes out = sample.place();
        return {[=]() mutable {
                    for (size_t number = 0; number < messages; number++) {
                        if (messages > 1) sample.message.fill((uint8_t)number);
                        run(sample, out);
                    }
                },
                digest(all)};
    });
}

// ML-KEM by functions of that form, which draw nothing.
template <typename Keypair, typename Encapsulate, typename Decapsulate>
int serve_kem(Sizes sizes, Keypair keypair, Encapsulate encapsulate, Decapsulate decapsulate) {
    return serve_scheme({
        sizes,
        [=](const Sample &s, Bytes &out) { good(keypair(&out[sizes.secret], &out[0], s.seed.data())); },
        "encaps",
        "decaps",
        [=](const Sample &s, Bytes &out) {
            good(encapsulate(&out[0], &out[sizes.made], s.public_key.data(), s.message.data()));
        },
        [=](const Sample &s, Bytes &out) { good(decapsulate(&out[0], s.made.data(), s.secret.data())); },
    });
}
