// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Property: sum and difference of operands in [0, Q) are in [0, Q), and right modulo Q.

module addsub_range #(
    parameter Q = 7681,
    parameter WIDTH = $clog2(Q)
) (
    input logic clk_i,
    input logic [WIDTH-1:0] a_i,
    input logic [WIDTH-1:0] b_i,
    input logic [WIDTH-1:0] c_i,
    input logic [WIDTH-1:0] d_i
);

  logic [WIDTH-1:0] sum, difference;
  logic [WIDTH-1:0] a, b, c, d;
  logic started = 0;

  ringwork_addsub #(
      .Q(Q)
  ) addsub (
      .clk_i(clk_i),
      .a_i(a_i),
      .b_i(b_i),
      .c_i(c_i),
      .d_i(d_i),
      .sum_o(sum),
      .difference_o(difference)
  );

  always @(posedge clk_i) begin
    started <= 1'b1;
    {a, b, c, d} <= {a_i, b_i, c_i, d_i};
  end

  wire [WIDTH:0] whole = {1'b0, a} + {1'b0, b};
  wire [WIDTH:0] back = {1'b0, difference} + {1'b0, d};

  always @* begin
    assume (a_i < Q && b_i < Q && c_i < Q && d_i < Q);
    if (started) begin
      assert (sum < Q && difference < Q);
      assert (whole == sum || whole == sum + Q);
      assert (back == c || back == c + Q);
    end
  end

endmodule
