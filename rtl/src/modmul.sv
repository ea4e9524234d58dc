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
// Stages: DEPTH, from 2 to 8. One ends at product_o; the others come, one by one as DEPTH grows, behind the product,
// the first step, the operands and the second step, behind the product once more (for the DSP's own register), and
// within the first and the second step.
// Latency: DEPTH. Throughput: one product a cycle. Constant time.

`default_nettype none

module ringwork_modmul #(
    parameter Q = 7681,
    parameter H = 15,
    parameter SPLIT = 9,
    parameter WIDTH = $clog2(Q),
    parameter DEPTH = ringwork_latency::MODMUL
) (
    input  logic clk_i,
    input  logic [WIDTH-1:0] a_i,
    input  logic [WIDTH-1:0] b_i,
    output logic [WIDTH-1:0] product_o
);

  localparam LATENCY = DEPTH;

  // log2(H + 1), and bits of the two steps with their signs.
  localparam T = $clog2(H + 1);
  localparam FIRST = 2 * WIDTH - SPLIT + 1;
  localparam SECOND = WIDTH + 1;

  // The registers of six stages; which of them are taken says DEPTH.
  logic [WIDTH-1:0] a, b;
  (* use_dsp = "yes" *) logic [2*WIDTH-1:0] product, x;
  logic signed [FIRST-1:0] y;
  logic signed [SECOND-1:0] z;
  logic [WIDTH-1:0] a_taken, b_taken;
  logic [2*WIDTH-1:0] x_taken;
  logic signed [FIRST-1:0] y_taken;
  logic signed [SECOND-1:0] z_taken;

  wire [FIRST-1:0] x_high = {1'b0, x_taken[2*WIDTH-1:SPLIT]};
  wire [FIRST-1:0] x_low = {{FIRST - SPLIT{1'b0}}, x_taken[SPLIT-1:0]};
  wire [SECOND-1:0] y_high = {{SECOND + SPLIT - FIRST{y_taken[FIRST-1]}}, y_taken[FIRST-1:SPLIT]};
  wire [SECOND-1:0] y_low = {{SECOND - SPLIT{1'b0}}, y_taken[SPLIT-1:0]};

  always_ff @(posedge clk_i) begin
    a <= a_i;
    b <= b_i;
    product <= a_taken * b_taken;
    x <= product;
    y <= x_high + x_low - (x_low << T);
    z <= y_high + y_low - (y_low << T);
    product_o <= z_taken[SECOND-1] ? z_taken[WIDTH-1:0] + WIDTH'(Q) : z_taken[WIDTH-1:0];
  end

  generate
    if (DEPTH >= 4) begin : g_operands
      assign a_taken = a;
      assign b_taken = b;
    end else begin : g_no_operands
      assign a_taken = a_i;
      assign b_taken = b_i;
    end

    if (DEPTH >= 6) begin : g_product
      assign x_taken = x;
    end else begin : g_no_product
      assign x_taken = product;
    end

    if (DEPTH >= 7) begin : g_half_first
      logic [FIRST-1:0] y_sum, y_less;
      always_ff @(posedge clk_i) begin
        y_sum <= x_high + x_low;
        y_less <= x_low << T;
        y_taken <= y_sum - y_less;
      end
    end else if (DEPTH >= 3) begin : g_first
      assign y_taken = y;
    end else begin : g_no_first
      assign y_taken = x_high + x_low - (x_low << T);
    end

    if (DEPTH >= 8) begin : g_half_second
      logic [SECOND-1:0] z_sum, z_less;
      always_ff @(posedge clk_i) begin
        z_sum <= y_high + y_low;
        z_less <= y_low << T;
        z_taken <= z_sum - z_less;
      end
    end else if (DEPTH >= 5) begin : g_second
      assign z_taken = z;
    end else begin : g_no_second
      assign z_taken = y_high + y_low - (y_low << T);
    end
  endgenerate

endmodule

`default_nettype wire
