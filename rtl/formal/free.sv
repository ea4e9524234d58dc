// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Stand-ins: a sampler that finds any value at any step, a table with any contents.

module ringwork_sampler #(
    parameter Q = 7681,
    parameter WIDTH = $clog2(Q),
    parameter FIRST_WIDTH = 5,
    parameter FIRST = 0,
    parameter SECOND_WIDTH = 6,
    parameter SECOND_ENTRIES = 32,
    parameter SECOND = 0,
    parameter ROWS = 1,
    parameter FIRST_COLUMN = 13,
    parameter COLUMNS = 109,
    parameter WEIGHT_WIDTH = 6,
    parameter WEIGHTS = 0,
    parameter DIGITS = 0
) (
    input  logic clk_i,
    input  logic rst_i,
    input  logic zeroize_i,
    input  logic run_i,
    input  logic encode_i,
    input  logic [8:0] random_i,
    input  logic random_valid_i,
    output logic random_ready_o,
    output logic [WIDTH-1:0] value_o,
    output logic valid_o,
    input  logic ready_i
);

  (* anyseq *) logic [WIDTH-1:0] value;
  (* anyseq *) logic found;
  assign value_o = value;
  // The handshake is that of the sampler.
  assign random_ready_o = run_i && (ready_i || !valid_o);
  always @(posedge clk_i)
    if (rst_i || zeroize_i) valid_o <= 1'b0;
    else valid_o <= random_ready_o && random_valid_i ? found : valid_o && !ready_i;

endmodule

module ringwork_table #(
    parameter INPUTS = 4,
    parameter TABLE = 0
) (
    input  logic [INPUTS-1:0] index_i,
    output logic bit_o
);

  (* anyseq *) logic free;
  assign bit_o = free;

endmodule
