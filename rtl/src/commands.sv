// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Command bytes: the read and the write queue of block indexes, the iteration register, and what is
// refused.
//
// A queue has three entries, the newest first. A command is taken at the edge at the end of a cycle with
// cmd_valid_i. start_o is high in the cycle of a START that is not refused, with its opcode and its operands
// beside it: whoever runs it takes them at that edge, at which both queues become empty.
// error_o is the first error since CLEAR:
//   1 undefined   2 too few operands   3 index of 6 or more   4 START while busy   5 RdQ1 and RdQ2 of
//   MULTIPLY-ADD in one bank   6 more than three polynomials   7 a coefficient of Q or more was loaded
// Latency: none for start_o, one cycle for the rest. Throughput: a command a cycle.

`default_nettype none

module ringwork_commands #(
    parameter FAST = 1,
    parameter BLOCKS_PER_BANK = 4
) (
    input  logic clk_i,
    input  logic clear_i,
    input  logic [7:0] cmd_i,
    input  logic cmd_valid_i,
    input  logic busy_i,
    input  logic sampling_i,
    input  logic out_of_range_i,
    output logic start_o,
    output logic [3:0] opcode_o,
    output logic [8:0] reads_o,
    output logic [8:0] writes_o,
    output logic [1:0] last_o,
    output logic [2:0] error_o
);

  localparam [3:0] LOAD = 0, ENCODE_LOAD = 1, GAUSSIAN_LOAD = 2, FNTT = 3, INTT = 4, ADD = 5, CMULT = 6,
      REARRANGE = 7, READ = 8, MULTIPLY_ADD = 9, GAUSSIAN_ENCODE_LOAD = 10;

  // The bank of a block: the remainder of its index if there are two banks, else a quotient.
  function [2:0] bank(input [2:0] index);
    bank = BLOCKS_PER_BANK == 4 ? {2'b0, index[0]} : BLOCKS_PER_BANK == 2 ? {1'b0, index[2:1]} : index;
  endfunction

  logic [2:0] read_valid, write_valid;
  // I - 1: how many polynomials an instruction works on.
  logic [1:0] last;
  logic [2:0] error;

  wire [3:0] kind = cmd_i[7:4];
  wire is_start = cmd_valid_i && kind == 8;
  wire is_input = opcode_o == LOAD || opcode_o == GAUSSIAN_LOAD || opcode_o == GAUSSIAN_ENCODE_LOAD;
  wire several = read_valid[last];

  logic defined, supplied;

  assign opcode_o = cmd_i[3:0];
  assign last_o = last;

  always @* begin
    case (opcode_o)
      LOAD, GAUSSIAN_LOAD, FNTT, INTT, READ: defined = 1'b1;
      ENCODE_LOAD, ADD, CMULT, REARRANGE: defined = !FAST;
      MULTIPLY_ADD, GAUSSIAN_ENCODE_LOAD: defined = FAST;
      default: defined = 1'b0;
    endcase
    case (opcode_o)
      LOAD, ENCODE_LOAD: supplied = write_valid[0];
      GAUSSIAN_LOAD, GAUSSIAN_ENCODE_LOAD: supplied = FAST ? write_valid[last] : write_valid[0];
      FNTT, INTT: supplied = several;
      ADD, CMULT: supplied = read_valid[1] && write_valid[0];
      MULTIPLY_ADD: supplied = read_valid[2] && write_valid[0];
      default: supplied = read_valid[0];
    endcase
  end

  always @* begin
    error = 0;
    case (kind)
      0: if (cmd_i[3:0] != 0) error = 1;
      1, 2: if (cmd_i[3:0] >= 6) error = 3;
      3: if (cmd_i[3:0] > 2) error = 6;
      8:
      if (!defined) error = 1;
      else if (busy_i || FAST && is_input && sampling_i) error = 4;
      else if (!supplied) error = 2;
      else if (FAST && opcode_o == MULTIPLY_ADD && bank(reads_o[5:3]) == bank(reads_o[8:6])) error = 5;
      15: if (cmd_i[3:0] != 0) error = 1;
      default: error = 1;
    endcase
  end

  wire refused = cmd_valid_i && error != 0;
  wire clears = cmd_valid_i && kind == 15 && cmd_i[3:0] == 0;
  wire empties = clear_i || refused || clears || start_o;
  assign start_o = is_start && error == 0;

  always_ff @(posedge clk_i) begin
    if (empties) begin
      read_valid <= 0;
      write_valid <= 0;
    end else if (cmd_valid_i) begin
      if (kind == 1) read_valid <= {read_valid[1:0], 1'b1};
      if (kind == 2) write_valid <= {write_valid[1:0], 1'b1};
    end
    if (cmd_valid_i) begin
      if (kind == 1) reads_o <= {reads_o[5:0], cmd_i[2:0]};
      if (kind == 2) writes_o <= {writes_o[5:0], cmd_i[2:0]};
    end
    if (clear_i) last <= 0;
    else if (cmd_valid_i && kind == 3 && !refused) last <= cmd_i[1:0];
    if (clear_i || clears) error_o <= 0;
    else if (error_o == 0) error_o <= refused ? error : out_of_range_i ? 3'd7 : 3'd0;
  end

endmodule

`default_nettype wire
