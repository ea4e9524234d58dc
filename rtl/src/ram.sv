// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// A bank of memory: one read and one write a cycle, from and to any two words.
//
// Latency: read_data_o is the word at read_address_i one cycle later. In the cycle of a write to the same word it
// is undefined, as in the memories of some devices: simulation gives the complement.

`default_nettype none

module ringwork_ram #(
    parameter WIDTH = 26,
    parameter WORDS = 512
) (
    input  logic clk_i,
    input  logic [$clog2(WORDS)-1:0] read_address_i,
    output logic [WIDTH-1:0] read_data_o,
    input  logic write_i,
    input  logic [$clog2(WORDS)-1:0] write_address_i,
    input  logic [WIDTH-1:0] write_data_i
);

  localparam LATENCY = ringwork_latency::RAM;

  (* ram_style = "block", no_rw_check *) logic [WIDTH-1:0] words[0:WORDS-1];

  always_ff @(posedge clk_i) begin
    read_data_o <= words[read_address_i];
`ifndef SYNTHESIS
    if (write_i && write_address_i == read_address_i) read_data_o <= ~words[read_address_i];
`endif
    if (write_i) words[write_address_i] <= write_data_i;
  end

endmodule

`default_nettype wire
