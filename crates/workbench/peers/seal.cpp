// Products of ciphertexts and switches of keys by SEAL (BFV), of the shape that the example bfv_times of ringwork-ntt has.
//
// c++ -O3 -march=native -std=c++17 seal.cpp -o seal -lseal-4.4 -pthread, with SEAL's headers and library
// (https://github.com/microsoft/SEAL), which are not part of Ringwork. Medians of as many calls as take a second.

#include <seal/seal.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <vector>

static double median(const std::function<void()> &run) {
    using Clock = std::chrono::steady_clock;
    const auto begin = Clock::now();
    std::vector<double> times;
    while (times.size() < 11 || Clock::now() - begin < std::chrono::seconds(1)) {
        const auto start = Clock::now();
        run();
        times.push_back(std::chrono::duration<double, std::micro>(Clock::now() - start).count());
    }
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

int main() {
    using namespace seal;
    const size_t n = 8192;
    EncryptionParameters parameters(scheme_type::bfv);
    parameters.set_poly_modulus_degree(n);
    // The last prime is that of keys alone. SEAL's own limit for 128 bits of security is 218 bits; nothing is checked here.
    parameters.set_coeff_modulus(CoeffModulus::Create(n, {55, 55, 55, 55}));
    parameters.set_plain_modulus(65537);
    const SEALContext context(parameters, true, sec_level_type::none);
    KeyGenerator generator(context);
    PublicKey public_key;
    RelinKeys keys;
    generator.create_public_key(public_key);
    generator.create_relin_keys(keys);
    BatchEncoder encoder(context);
    std::vector<uint64_t> message(n);
    for (size_t i = 0; i < n; i++) message[i] = i % 65537;
    Plaintext plain;
    encoder.encode(message, plain);
    Encryptor encryptor(context, public_key);
    Ciphertext x, y, xy, out;
    encryptor.encrypt(plain, x);
    encryptor.encrypt(plain, y);
    Evaluator evaluator(context);
    evaluator.multiply(x, y, xy);
    std::printf("SEAL %s\n", SEAL_VERSION);
    std::printf("relinearisation: %.0f µs\n", median([&] { evaluator.relinearize(xy, keys, out); }));
    std::printf("product: %.0f µs\n", median([&] { evaluator.multiply(x, y, out); }));
    std::printf("product and relinearisation: %.0f µs\n", median([&] {
        evaluator.multiply(x, y, out);
        evaluator.relinearize_inplace(out, keys);
    }));
    // What is measured must be a product.
    Decryptor decryptor(context, generator.secret_key());
    decryptor.decrypt(out, plain);
    std::vector<uint64_t> squares;
    encoder.decode(plain, squares);
    for (size_t i = 0; i < n; i++)
        if (squares[i] != message[i] * message[i] % 65537) return std::printf("wrong\n"), 1;
    return 0;
}
