/* A product modulo X^1024 + 1 and 12289.   cc product.c $(pkg-config --cflags --libs ringwork) */
#include <ringwork.h>
#include <stdio.h>

int main(void) {
  ringwork_request request = {0};
  request.size = sizeof request;
  request.n = 1024;
  request.q = 12289;
  request.bits = 16;

  ringwork_plan *plan;
  if (ringwork_plan_new(&request, &plan) != RINGWORK_OK) {
    fprintf(stderr, "%s\n", ringwork_error_message());
    return 1;
  }
  static int16_t a[1024], b[1024], c[1024];
  for (int i = 0; i < 1024; i++) a[i] = 1, b[i] = 2;
  if (ringwork_multiply_i16(plan, c, a, b, 1) != RINGWORK_OK) {
    fprintf(stderr, "%s\n", ringwork_error_message());
    return 1;
  }
  printf("the last coefficient is %d\n", c[1023]); /* 2048 */
  ringwork_plan_free(plan);
  return 0;
}
