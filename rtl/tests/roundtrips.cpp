// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Key generation once, then many encryptions and decryptions on the RTL, with inputs from a small
// generator. Prints one line of JSON: a digest of every word that was read, failed decryptions, and
// cycles. `ringwork processor rounds` computes the same with the model.
//
// Usage: roundtrips ROUNDS SEED KEYGEN ENCRYPT DECRYPT, the programs as bytes in hexadecimal.
// Compiled with RW_HEADER, RW_TOP, RW_N, RW_Q, RW_R = 2^(2w) mod q, and RW_PAPER: whether transforms leave words in
// another order than they take them.

#include RW_HEADER
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace {

constexpr unsigned N = RW_N, Q = RW_Q, R = RW_R;
constexpr bool kPaper = RW_PAPER != 0;
constexpr unsigned kLoad = 0x80, kEncodeLoad = 0x81, kGaussianLoad = 0x82, kRead = 0x88, kGaussianEncodeLoad = 0x8a;
constexpr unsigned kWidth = Q == 7681 ? 13 : 14;
constexpr unsigned kMask = (1U << kWidth) - 1;
// More cycles than any program takes, the rarest scans included.
constexpr uint64_t kPatience = 1000000;

using Word = uint32_t;  // the high coefficient above the low one
using Words = std::vector<Word>;

// SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
struct Random {
  uint64_t state;
  uint64_t next() {
    state += 0x9e3779b97f4a7c15;
    uint64_t z = (state ^ (state >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  uint64_t below(uint64_t bound) { return static_cast<uint64_t>((static_cast<unsigned __int128>(next()) * bound) >> 64); }
};

// FNV-1a, 64 bits, byte by byte from the lowest.
struct Digest {
  uint64_t value = 0xcbf29ce484222325;
  void word(Word word) {
    for (int i = 0; i < 4; i++) value = (value ^ (word >> (8 * i) & 0xff)) * 0x100000001b3;
  }
};

unsigned scaled(unsigned a, unsigned by) { return static_cast<unsigned>(static_cast<uint64_t>(a) * by % Q); }

Words times(const Words& words, unsigned by) {
  Words result;
  for (Word word : words) result.push_back(scaled(word >> kWidth, by) << kWidth | scaled(word & kMask, by));
  return result;
}

class Processor {
 public:
  explicit Processor(uint64_t seed) : random_{seed} {
    top_.rst_i = 1;
    clock();
    top_.rst_i = 0;
    wait(false);
  }

  // Runs a program on words and bits; gives the words that were read and their decoded bits, and
  // counts the cycles between the loads and the reads.
  Words run(const std::string& program, const Words& data, std::vector<unsigned>* bits, uint64_t* cycles) {
    data_.assign(data.begin(), data.end());
    if (bits) bits_.assign(bits->begin(), bits->end());
    out_.clear();
    decoded_.clear();
    uint64_t begin = 0, end = 0;
    for (size_t i = 0; i + 1 < program.size(); i += 2) {
      unsigned byte = static_cast<unsigned>(std::stoul(program.substr(i, 2), nullptr, 16));
      if (byte >> 4 == 8) {
        bool reads = byte == kRead;
        wait(reads || byte == kLoad || byte == kGaussianLoad || byte == kGaussianEncodeLoad);
        if (byte != kLoad && byte != kEncodeLoad && !reads && begin == 0) begin = now_;
        if (reads && end == 0) end = now_;
      }
      top_.cmd_i = static_cast<uint8_t>(byte);
      top_.cmd_valid_i = 1;
      clock();
      top_.cmd_valid_i = 0;
    }
    wait(true);
    for (int i = 0; i < 4; i++) clock();  // a word that is read may come behind the end
    if (top_.error_o) fail("an error", top_.error_o);
    if (!data_.empty() || !bits_.empty()) fail("inputs were not used", data_.size() + bits_.size());
    if (cycles) *cycles = end - begin;
    if (bits) *bits = decoded_;
    return out_;
  }

 private:
  // Waits for the end of the instruction, and of sampling.
  void wait(bool sampling) {
    uint64_t limit = now_ + kPatience;
    while (top_.busy_o || (sampling && top_.sampling_o)) {
      clock();
      if (now_ > limit) fail("no end after cycles", kPatience);
    }
  }

  void clock() {
    top_.data_valid_i = !data_.empty();
    top_.data_i = data_.empty() ? 0 : data_.front();
    top_.bit_valid_i = !bits_.empty();
    top_.bit_i = bits_.empty() ? 0 : bits_.front();
    top_.random_valid_i = 1;
    top_.random_i = word_;
    top_.clk_i = 0;
    top_.eval();
    if (top_.data_valid_i && top_.data_ready_o) data_.pop_front();
    if (top_.bit_valid_i && top_.bit_ready_o) bits_.pop_front();
    if (top_.random_ready_o) word_ = random_.next() >> 55;
    if (top_.data_valid_o) {
      out_.push_back(top_.data_o);
      decoded_.push_back(top_.bits_o & 1);
      decoded_.push_back(top_.bits_o >> 1);
    }
    top_.clk_i = 1;
    top_.eval();
    now_++;
  }

  [[noreturn]] void fail(const char* what, uint64_t number) {
    std::fprintf(stderr, "cycle %llu: %s: %llu\n", static_cast<unsigned long long>(now_), what,
                 static_cast<unsigned long long>(number));
    std::exit(1);
  }

  RW_TOP top_;
  Random random_;
  uint16_t word_ = static_cast<uint16_t>(random_.next() >> 55);
  uint64_t now_ = 0;
  std::deque<Word> data_;
  std::deque<unsigned> bits_;
  Words out_;
  std::vector<unsigned> decoded_;
};

// The bits that the decoder gives for a message: those of word i in word i, or of PAPER in word
// bit reversal of i.
std::vector<unsigned> decoded(const std::vector<unsigned>& message) {
  if (!kPaper) return message;
  std::vector<unsigned> bits(N);
  for (unsigned i = 0; i < N / 2; i++) {
    unsigned j = 0;
    for (unsigned b = 1; b < N / 2; b <<= 1) j = j << 1 | (i & b ? 1 : 0);
    bits[2 * j] = message[2 * i];
    bits[2 * j + 1] = message[2 * i + 1];
  }
  return bits;
}

struct Spread {
  uint64_t sum = 0, least = UINT64_MAX, most = 0, runs = 0;
  void add(uint64_t cycles) {
    sum += cycles;
    least = cycles < least ? cycles : least;
    most = cycles > most ? cycles : most;
    runs++;
  }
  std::string json() const {
    char text[160];
    std::snprintf(text, sizeof text, "{\"sum\": %llu, \"least\": %llu, \"most\": %llu, \"runs\": %llu}",
                  static_cast<unsigned long long>(sum), static_cast<unsigned long long>(least),
                  static_cast<unsigned long long>(most), static_cast<unsigned long long>(runs));
    return text;
  }
};

Words concatenated(std::initializer_list<Words> parts) {
  Words all;
  for (const Words& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 6) {
    std::fprintf(stderr, "usage: roundtrips ROUNDS SEED KEYGEN ENCRYPT DECRYPT\n");
    return 2;
  }
  const uint64_t rounds = std::strtoull(arguments[1], nullptr, 0), seed = std::strtoull(arguments[2], nullptr, 0);
  const std::string keygen = arguments[3], encrypt = arguments[4], decrypt = arguments[5];
  // Three streams: random words of the sampler, keys, messages.
  auto processor = std::make_unique<Processor>(seed);
  Random keys{seed ^ 1ULL << 62}, messages{seed ^ 1ULL << 63};
  Digest digest;
  auto note = [&digest](const Words& words) {
    for (Word word : words) digest.word(word);
  };

  Words minus_a, r2;
  for (unsigned i = 0; i < N / 2; i++) {
    unsigned low = static_cast<unsigned>(keys.below(Q)), high = static_cast<unsigned>(keys.below(Q));
    minus_a.push_back(high << kWidth | low);
  }
  for (unsigned i = 0; i < N / 2; i++) {
    unsigned low = keys.next() >> 63 ? R : 0, high = keys.next() >> 63 ? R : 0;
    r2.push_back(high << kWidth | low);
  }
  Words read = processor->run(keygen, concatenated({minus_a, r2}), nullptr, nullptr);
  note(read);
  const Words p(read.begin(), read.begin() + N / 2), secret(read.begin() + N / 2, read.end());
  const Words public_key = concatenated({times(minus_a, Q - R), times(p, R)});

  Spread of_encryption, of_decryption;
  uint64_t failures = 0;
  for (uint64_t round = 0; round < rounds; round++) {
    std::vector<unsigned> message(N);
    for (unsigned& bit : message) bit = messages.next() >> 63;
    uint64_t cycles;
    std::vector<unsigned> bits = message;
    Words ciphertext = processor->run(encrypt, public_key, &bits, &cycles);
    of_encryption.add(cycles);
    note(ciphertext);
    bits.clear();
    Words decrypted = processor->run(decrypt, concatenated({ciphertext, secret}), &bits, &cycles);
    of_decryption.add(cycles);
    note(decrypted);
    failures += bits != decoded(message);
  }
  std::printf("{\"digest\": \"%016llx\", \"failures\": %llu, \"encrypt\": %s, \"decrypt\": %s}\n",
              static_cast<unsigned long long>(digest.value), static_cast<unsigned long long>(failures),
              of_encryption.json().c_str(), of_decryption.json().c_str());
}
