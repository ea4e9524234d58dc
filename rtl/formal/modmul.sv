// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Property: LATENCY cycles after operands in [0, Q) the product is in [0, Q).

module modmul_range #(
    parameter Q = 7681,
    parameter H = 15,
    parameter SPLIT = 9,
    parameter WIDTH = $clog2(Q)
) (
    input logic clk_i,
    input logic [WIDTH-1:0] a_i,
    input logic [WIDTH-1:0] b_i
);

  logic [WIDTH-1:0] product;
  localparam LATENCY = ringwork_latency::MODMUL;
  logic [2:0] age = 0;

  ringwork_modmul #(
      .Q(Q),
      .H(H),
      .SPLIT(SPLIT)
  ) modmul (
      .clk_i(clk_i),
      .a_i(a_i),
      .b_i(b_i),
      .product_o(product)
  );

  always @(posedge clk_i) if (age < LATENCY) age <= age + 1'b1;

  always @* begin
    assume (a_i < Q && b_i < Q);
    if (age == LATENCY) assert (product < Q);
  end

endmodule
