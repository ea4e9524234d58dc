// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// A word, DEPTH cycles later, one a cycle. Without a reset, so that it becomes shift registers in look-up tables.

`default_nettype none

module ringwork_delay #(
    parameter WIDTH = 1,
    parameter DEPTH = 1
) (
    input  logic clk_i,
    input  logic [WIDTH-1:0] data_i,
    output logic [WIDTH-1:0] data_o
);

  localparam LATENCY = DEPTH;

  logic [WIDTH-1:0] stages[0:DEPTH-1];
  integer i;
  always_ff @(posedge clk_i) begin
    stages[0] <= data_i;
    for (i = 1; i < DEPTH; i = i + 1) stages[i] <= stages[i-1];
  end
  assign data_o = stages[DEPTH-1];

endmodule

`default_nettype wire
