// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// sum_o = a_i + b_i mod Q and difference_o = c_i - d_i mod Q.
//
// Range: everything in [0, Q). Latency: LATENCY. Throughput: one of each a cycle. Constant time.

`default_nettype none

module ringwork_addsub #(
    parameter Q = 7681,
    parameter WIDTH = $clog2(Q)
) (
    input  logic clk_i,
    input  logic [WIDTH-1:0] a_i,
    input  logic [WIDTH-1:0] b_i,
    input  logic [WIDTH-1:0] c_i,
    input  logic [WIDTH-1:0] d_i,
    output logic [WIDTH-1:0] sum_o,
    output logic [WIDTH-1:0] difference_o
);

  localparam LATENCY = ringwork_latency::ADDSUB;

  logic [WIDTH:0] sum, less, difference;

  assign sum = {1'b0, a_i} + {1'b0, b_i};
  assign less = sum - (WIDTH + 1)'(Q);
  assign difference = {1'b0, c_i} - {1'b0, d_i};

  always_ff @(posedge clk_i) begin
    sum_o <= less[WIDTH] ? sum[WIDTH-1:0] : less[WIDTH-1:0];
    difference_o <= difference[WIDTH-1:0] + (difference[WIDTH] ? WIDTH'(Q) : {WIDTH{1'b0}});
  end

endmodule

`default_nettype wire
