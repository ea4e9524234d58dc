// The same in C++, with a handle that frees itself.   c++ product.cpp $(pkg-config --cflags --libs ringwork)
#include <ringwork.h>

#include <cstdio>
#include <memory>
#include <stdexcept>
#include <vector>

static void check(ringwork_status status) {
  if (status != RINGWORK_OK) throw std::runtime_error(ringwork_error_message());
}

struct Free {
  void operator()(ringwork_plan *plan) const { ringwork_plan_free(plan); }
};

int main() {
  ringwork_request request{};
  request.size = sizeof request;
  request.n = 1024;
  request.q = 12289;
  request.bits = 16;

  ringwork_plan *made = nullptr;
  check(ringwork_plan_new(&request, &made));
  const std::unique_ptr<ringwork_plan, Free> plan(made);

  const std::vector<std::int16_t> a(1024, 1), b(1024, 2);
  std::vector<std::int16_t> c(1024);
  check(ringwork_multiply_i16(plan.get(), c.data(), a.data(), b.data(), 1));
  std::printf("the last coefficient is %d\n", c[1023]);

  try {
    std::vector<std::int16_t> large(1024, 12289);
    check(ringwork_forward_i16(plan.get(), large.data(), 1));
    return 1;
  } catch (const std::runtime_error &error) {
    std::printf("refused: %s\n", error.what());
  }
}
