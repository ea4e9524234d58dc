// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Modular product: product_o = a_i * b_i * R^-1 mod Q, with R = 2^(2*SPLIT) and Q = H * 2^SPLIT + 1.
//
// Two steps x -> (x >> SPLIT) - H * (x mod 2^SPLIT), each of which divides by 2^SPLIT modulo Q, since
// H * 2^SPLIT = -1; and one addition of Q to what is negative. H + 1 is a power of two, so that H * x
// is a shift and a subtraction.
//
// Range: a_i, b_i and product_o in [0, Q). The first step is in [-H*2^SPLIT, Q^2 / 2^SPLIT), the second in
// (-Q, Q).
// Latency: LATENCY. Throughput: one product a cycle. Constant time.

`default_nettype none

module ringwork_modmul #(
    parameter Q = 7681,
    parameter H = 15,
    parameter SPLIT = 9,
    parameter WIDTH = $clog2(Q)
) (
    input  logic clk_i,
    input  logic [WIDTH-1:0] a_i,
    input  logic [WIDTH-1:0] b_i,
    output logic [WIDTH-1:0] product_o
);

  localparam LATENCY = ringwork_latency::MODMUL;

  // log2(H + 1), and bits of the two steps with their signs.
  localparam T = $clog2(H + 1);
  localparam FIRST = 2 * WIDTH - SPLIT + 1;
  localparam SECOND = WIDTH + 1;

  logic [WIDTH-1:0] a, b;
  (* use_dsp = "yes" *) logic [2*WIDTH-1:0] product, x;
  logic signed [FIRST-1:0] y;
  logic signed [SECOND-1:0] z;

  wire [FIRST-1:0] x_high = {1'b0, x[2*WIDTH-1:SPLIT]};
  wire [FIRST-1:0] x_low = {{FIRST - SPLIT{1'b0}}, x[SPLIT-1:0]};
  wire [SECOND-1:0] y_high = {{SECOND + SPLIT - FIRST{y[FIRST-1]}}, y[FIRST-1:SPLIT]};
  wire [SECOND-1:0] y_low = {{SECOND - SPLIT{1'b0}}, y[SPLIT-1:0]};

  always_ff @(posedge clk_i) begin
    a <= a_i;
    b <= b_i;
    product <= a * b;
    x <= product;
    y <= x_high + x_low - (x_low << T);
    z <= y_high + y_low - (y_low << T);
    product_o <= z[SECOND-1] ? z[WIDTH-1:0] + WIDTH'(Q) : z[WIDTH-1:0];
  end

endmodule

`default_nettype wire
