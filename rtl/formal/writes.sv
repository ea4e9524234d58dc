// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// A machine with its commands, whatever comes in, from a reset and its zeroization on: memory is written in blocks
// that a running instruction names as its results, or that are being sampled, and in nothing else; never in a READ,
// never before a START is taken however many commands are refused, and never when neither busy nor sampling.

module writes #(
    parameter FAST = 0,
    parameter N = 16,
    parameter Q = 97,
    parameter H = 3,
    parameter SPLIT = 5,
    parameter WIDTH = $clog2(Q)
) (
    input logic clk_i,
    input logic reset_i,
    input logic [7:0] cmd_i,
    input logic cmd_valid_i,
    input logic [2*WIDTH-1:0] data_i,
    input logic data_valid_i,
    input logic bit_i,
    input logic bit_valid_i,
    input logic [8:0] random_i,
    input logic random_valid_i,
    input logic [4*WIDTH-1:0] read_data_i
);

  localparam K = $clog2(N);
  localparam [3:0] LOAD = 0, ENCODE_LOAD = 1, GAUSSIAN_LOAD = 2, FNTT = 3, INTT = 4, REARRANGE = 7, READ = 8,
      GAUSSIAN_ENCODE_LOAD = 10;

  logic never_reset = 1'b1;
  wire clear = never_reset || reset_i;
  logic start, busy, sampling, out_of_range;
  logic [3:0] opcode;
  logic [8:0] reads, targets;
  logic [1:0] last;
  logic [2:0] error;
  logic [1:0] write;
  logic [17:0] write_address;

  always @(posedge clk_i) never_reset <= 1'b0;

  ringwork_commands #(
      .FAST (FAST),
      .BLOCKS_PER_BANK(4)
  ) commands (
      .clk_i(clk_i),
      .clear_i(clear),
      .cmd_i(cmd_i),
      .cmd_valid_i(cmd_valid_i && !clear),
      .busy_i(busy),
      .sampling_i(sampling),
      .out_of_range_i(out_of_range),
      .start_o(start),
      .opcode_o(opcode),
      .reads_o(reads),
      .writes_o(targets),
      .last_o(last),
      .error_o(error)
  );

  generate
    if (FAST) begin : g_fast
      ringwork_fast #(
          .N(N),
          .Q(Q),
          .H(H),
          .SPLIT(SPLIT)
      ) machine (
          .clk_i(clk_i),
          .clear_i(clear),
          .start_i(start),
          .opcode_i(opcode),
          .reads_i(reads),
          .writes_i(targets),
          .last_i(last),
          .busy_o(busy),
          .sampling_o(sampling),
          .out_of_range_o(out_of_range),
          .data_i(data_i),
          .data_valid_i(data_valid_i),
          .bit_i(bit_i),
          .bit_valid_i(bit_valid_i),
          .random_i(random_i),
          .random_valid_i(random_valid_i),
          .read_data_i(read_data_i),
          .write_o(write),
          .write_address_o(write_address)
      );
    end else begin : g_paper
      ringwork_paper #(
          .N(N),
          .Q(Q),
          .H(H),
          .SPLIT(SPLIT)
      ) machine (
          .clk_i(clk_i),
          .clear_i(clear),
          .start_i(start),
          .opcode_i(opcode),
          .reads_i(reads),
          .writes_i(targets),
          .last_i(last),
          .busy_o(busy),
          .sampling_o(sampling),
          .out_of_range_o(out_of_range),
          .data_i(data_i),
          .data_valid_i(data_valid_i),
          .bit_i(bit_i),
          .bit_valid_i(bit_valid_i),
          .random_i(random_i),
          .random_valid_i(random_valid_i),
          .read_data_i(read_data_i),
          .write_o(write),
          .write_address_o(write_address)
      );
    end
  endgenerate

  // Until the first instruction that is taken after a reset nothing is named. Zeroization writes everything.
  logic zeroizing = 1'b1;
  // The blocks that the instruction names, bit by bit; and those that the sampler fills.
  logic [7:0] named, sampled;

  function [7:0] block(input [2:0] index);
    block = 8'b1 << index;
  endfunction

  function [7:0] blocks(input [8:0] indexes);
    blocks = block(indexes[2:0]) | (last >= 1 ? block(indexes[5:3]) : 8'b0) | (last >= 2 ? block(indexes[8:6]) : 8'b0);
  endfunction

  always @(posedge clk_i) begin
    if (clear) begin
      zeroizing <= 1'b1;
      named <= 0;
      sampled <= 0;
    end else begin
      if (!busy) zeroizing <= 1'b0;
      if (start) begin
        if (FAST && (opcode == GAUSSIAN_LOAD || opcode == GAUSSIAN_ENCODE_LOAD)) begin
          named <= 0;
          sampled <= blocks(targets);
        end else
          case (opcode)
            READ: named <= 0;
            FNTT, INTT: named <= blocks(reads);
            REARRANGE: named <= block(reads[2:0]);
            default: named <= block(targets[2:0]);
          endcase
      end
    end
  end

  genvar i;
  generate
    for (i = 0; i < 2; i = i + 1) begin : g_bank
      // The block: its place in the bank is above the word's address.
      wire [2:0] written = {write_address[9*i+K-:2], 1'(i)};
      always @* begin
        if (!never_reset && !(zeroizing && busy) && write[i]) begin
          assert (named[written] && busy || sampled[written] && sampling);
        end
      end
    end
  endgenerate
  always @* if (start) assert (!busy);

endmodule
