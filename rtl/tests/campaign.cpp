// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Plays programs with the inputs of the model and compares what it says: words that are read and cycles of each
// instruction. Again, where inputs stall and refused commands come in between. Then three times until zeroization stops
// it somewhere, behind which a block is read, which has to be zero. And once more as at first.
// Prints what was done as one line of JSON.
//
// Usage: campaign SEED < PROGRAMS, numbers with their count before them: bytes, words, bits, random words, words that
// are read (with two bits above), cycles of each instruction.
// Compiled with RW_HEADER, RW_TOP, RW_N, RW_WIDTH and RW_FAST.

#include RW_HEADER
#include <verilated.h>
#if VM_COVERAGE
#include <verilated_cov.h>
#endif
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

using Numbers = std::vector<uint32_t>;

constexpr unsigned kLoad = 0x80, kGaussianLoad = 0x82, kRead = 0x88, kGaussianEncodeLoad = 0x8a;
constexpr unsigned kDefined = RW_FAST ? 0x071d : 0x01ff;  // opcodes, bit by bit
// An input may come in one cycle of 256 only.
constexpr uint64_t kPatience = 20000000, kNever = UINT64_MAX;

struct Program {
  Numbers bytes, data, bits, random, read, cycles;
  bool scan() { return scan(bytes) && scan(data) && scan(bits) && scan(random) && scan(read) && scan(cycles); }
  static bool scan(Numbers& numbers) {
    unsigned count;
    if (std::scanf("%u", &count) != 1) return false;
    numbers.resize(count);
    for (uint32_t& number : numbers)
      if (std::scanf("%u", &number) != 1) return false;
    return true;
  }
};

struct Stopped {};

class Player {
 public:
  explicit Player(uint64_t seed) : state_(seed) {
    top_.rst_i = 1;
    clock();
    top_.rst_i = 0;
    wait(false);
  }

  // Gives the cycles that it took; is_disturbed: inputs stall, and commands are refused in between.
  uint64_t play(const Program& program, bool is_disturbed, uint64_t stop_at) {
    program_ = &program;
    next_data_ = next_bit_ = next_random_ = 0;
    out_.clear();
    stall_ = is_disturbed ? below(256) : 0;
    const uint64_t since = now_;
    stop_at_ = stop_at == kNever ? kNever : now_ + stop_at;
    spent_.clear();
    running_ = sampling_ = 0;
    for (unsigned byte : program.bytes) {
      const bool starts = byte >> 4 == 8, samples = byte == kGaussianLoad || byte == kGaussianEncodeLoad;
      if (starts) wait(byte == kLoad || byte == kRead || samples);
      command(byte);
      expect(top_.error_o == 0, "an error");
      if (!starts) continue;
      (RW_FAST && samples ? sampling_ : running_) = spent_.size();
      first_ = true;
      spent_.push_back(0);
      starts_++;
      if (is_disturbed) disturb();
    }
    wait(true);
    for (int i = 0; i < 8; i++) clock();
    stop_at_ = kNever;
    expect(out_ == program.read, "other words were read");
    expect(next_data_ == program.data.size() && next_bit_ == program.bits.size(), "inputs were not used");
    expect(next_random_ == program.random.size(), "another number of random words");
    expect(is_disturbed || spent_ == program.cycles, "other cycles");
    words_ += out_.size();
    program_ = nullptr;
    return now_ - since;
  }

  void zeroize(const Program& program, uint64_t at) {
    try {
      play(program, false, at);
      expect(false, "no end by zeroization");
    } catch (Stopped&) {
    }
    stop_at_ = kNever;
    program_ = nullptr;
    out_.clear();
    top_.zeroize_i = 1;
    top_.cmd_i = static_cast<uint8_t>(below(256));
    top_.cmd_valid_i = 1;
    clock();
    top_.zeroize_i = top_.cmd_valid_i = 0;
    out_.clear();
    expect(top_.busy_o && !top_.sampling_o && !top_.error_o, "zeroization does not run");
    wait(true);
    expect(out_.empty(), "a word was read in zeroization");
    command(0x10 | below(6));
    command(kRead);
    wait(true);
    for (int i = 0; i < 8; i++) clock();
    expect(out_ == Numbers(RW_N / 2), "a word is not zero after zeroization");
    zeroizations_++;
  }

  uint64_t below(uint64_t bound) {  // SplitMix64 (Steele, Lea, Flood, OOPSLA 2014)
    state_ += 0x9e3779b97f4a7c15;
    uint64_t z = (state_ ^ (state_ >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return static_cast<uint64_t>(static_cast<unsigned __int128>(z ^ (z >> 31)) * bound >> 64);
  }

  void print(unsigned programs) const {
    std::printf("{\"programs\": %u, \"cycles\": %llu, \"starts\": %u, \"refused\": %u, \"zeroizations\": %u, \"words\": %u}\n",
                programs, static_cast<unsigned long long>(now_), starts_, refused_, zeroizations_, words_);
  }

 private:
  void clock() {
    if (now_ == stop_at_) throw Stopped{};
    auto input = [this](const Numbers& numbers, size_t next, uint64_t bound, auto& valid, auto& value) {
      valid = next < numbers.size() && (stall_ == 0 || below(256) >= stall_);
      value = valid ? numbers[next] : static_cast<uint32_t>(below(bound));
    };
    static const Numbers none;
    input(program_ ? program_->data : none, next_data_, 1ULL << (2 * RW_WIDTH), top_.data_valid_i, top_.data_i);
    input(program_ ? program_->bits : none, next_bit_, 2, top_.bit_valid_i, top_.bit_i);
    input(program_ ? program_->random : none, next_random_, 512, top_.random_valid_i, top_.random_i);
    top_.clk_i = 0;
    top_.eval();
    next_data_ += top_.data_valid_i && top_.data_ready_o;
    next_bit_ += top_.bit_valid_i && top_.bit_ready_o;
    next_random_ += top_.random_valid_i && top_.random_ready_o;
    if (top_.data_valid_o) out_.push_back(top_.data_o | static_cast<uint32_t>(top_.bits_o) << (2 * RW_WIDTH));
    else expect(top_.data_o == 0 && top_.bits_o == 0, "a word that is not valid");
    if (top_.busy_o && !spent_.empty()) spent_[first_ ? spent_.size() - 1 : running_]++;
    if (top_.sampling_o && !spent_.empty()) spent_[sampling_]++;
    first_ = false;
    top_.clk_i = 1;
    top_.eval();
    now_++;
  }

  void command(unsigned byte) {
    top_.cmd_i = static_cast<uint8_t>(byte);
    top_.cmd_valid_i = 1;
    clock();
    top_.cmd_valid_i = 0;
    top_.cmd_i = static_cast<uint8_t>(below(256));
  }

  void wait(bool sampling) {
    for (const uint64_t since = now_; top_.busy_o || (sampling && top_.sampling_o); clock())
      expect(now_ - since < kPatience, "no end");
  }

  // Commands that are refused. Both queues are empty, so that every start is one of them.
  void disturb() {
    unsigned error = 0;
    bool is_dirty = false;
    if (RW_FAST && below(2)) {  // second factor and summand of MULTIPLY-ADD in one bank
      for (unsigned byte : {0x13, 0x13, 0x10, 0x20}) command(byte);
      error = top_.busy_o ? 4 : 5;
      command(0x89);
      expect(top_.error_o == error, "another error of MULTIPLY-ADD");
      refused_++;
    }
    for (uint64_t i = below(60); i > 0; i--) {
      if (below(3) != 0) {
        clock();
        continue;
      }
      const unsigned kind = static_cast<unsigned>(below(5));
      unsigned byte = static_cast<unsigned>(below(256)), now = 1;
      if (kind == 0) byte = (byte & 0x0f) | (byte & 0x80 ? 0x10 : 0x20);
      if (kind == 1) byte = 0x80 | (byte & 0x0f);
      if (kind >= 3) byte = byte & 0x80 ? kLoad : kGaussianLoad;
      const unsigned low = byte & 0x0f;
      const bool is_start = byte >> 4 == 8;
      if (byte == 0xf0 || (byte >> 4 == 3 && low < 3) || (is_start && is_dirty)) continue;
      if (byte == 0) now = 0;
      if (byte >> 4 == 1 || byte >> 4 == 2) now = low < 6 ? 0 : 3;
      if (byte >> 4 == 3) now = 6;
      const bool is_input = byte == kLoad || byte == kGaussianLoad || byte == kGaussianEncodeLoad;
      if (is_start && kDefined >> low & 1) now = top_.busy_o || (RW_FAST && top_.sampling_o && is_input) ? 4 : 2;
      is_dirty = now == 0 && (is_dirty || byte != 0);
      command(byte);
      error = error ? error : now;
      refused_ += now != 0;
      expect(top_.error_o == error, "another error");
    }
    command(0xf0);
    expect(top_.error_o == 0, "an error after CLEAR");
  }

  void expect(bool is_so, const char* otherwise) {
    if (is_so) return;
    std::fprintf(stderr, "cycle %llu: %s\n", static_cast<unsigned long long>(now_), otherwise);
    std::exit(1);
  }

  RW_TOP top_;
  uint64_t state_, now_ = 0, stop_at_ = kNever, stall_ = 0;
  const Program* program_ = nullptr;
  size_t next_data_ = 0, next_bit_ = 0, next_random_ = 0, running_ = 0, sampling_ = 0;
  bool first_ = false;
  Numbers out_, spent_;
  unsigned starts_ = 0, refused_ = 0, zeroizations_ = 0, words_ = 0;
};

}  // namespace

int main(int, char** arguments) {
  Player player(std::strtoull(arguments[1], nullptr, 0));
  Program program;
  unsigned programs = 0;
  for (; program.scan(); programs++) {
    const uint64_t cycles = player.play(program, false, kNever);
    player.play(program, true, kNever);
    for (uint64_t within : {cycles - 10, cycles - 10, uint64_t{3 * RW_N}})  // the last one while words are read
      player.zeroize(program, cycles - 10 - player.below(within));
    player.play(program, false, kNever);
  }
  player.print(programs);
#if VM_COVERAGE
  Verilated::threadContextp()->coveragep()->write();
#endif
}
