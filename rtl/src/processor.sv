// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The ring-LWE cryptoprocessor: commands, six blocks of memory, and one of two machines, FAST or (FAST = 0)
// PAPER. What commands, ports and layouts of words mean stands in rtl/README.md. CPA-secure research material; the
// sampler is not constant time.
//
// A word is a pair of coefficients in [0, Q), the upper half {high, low} first. A block has N/2 words; a bank
// has 512 words, and so 1024/N blocks. Latency, throughput and cycles of the instructions: see the machines.

`default_nettype none

module ringwork_processor #(
    parameter N = 256,
    parameter Q = 7681,
    parameter H = 15,
    parameter SPLIT = 9,
    parameter FAST = 1,
    parameter TABLE = 4,
    // Stages of the multiplier, 2 to 8.
    parameter DEPTH = ringwork_latency::MODMUL,
    parameter TWIDDLES = 0,
    parameter ROOTS = 0,
    parameter INVERSE_ROOTS = 0,
    parameter N_INVERSE = 0,
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
    parameter DIGITS = 0,
    parameter WIDTH = $clog2(Q)
) (
    input  logic clk_i,
    input  logic rst_i,
    input  logic zeroize_i,
    input  logic [7:0] cmd_i,
    input  logic cmd_valid_i,
    output logic busy_o,
    output logic sampling_o,
    output logic [2:0] error_o,
    input  logic [2*WIDTH-1:0] data_i,
    input  logic data_valid_i,
    output logic data_ready_o,
    input  logic bit_i,
    input  logic bit_valid_i,
    output logic bit_ready_o,
    input  logic [8:0] random_i,
    input  logic random_valid_i,
    output logic random_ready_o,
    output logic [2*WIDTH-1:0] data_o,
    output logic data_valid_o,
    output logic [1:0] bits_o
);

  localparam BLOCKS_PER_BANK = 1024 / N;
  localparam BANKS = BLOCKS_PER_BANK == 4 ? 2 : 6 / BLOCKS_PER_BANK;

`ifndef __ICARUS__  // which has no tasks of elaboration
  generate
    if (N != 256 && N != 512 && N != 1024) begin : g_degree
      $error("N has to be 256, 512 or 1024: a bank holds 512 words");
    end
    if (Q != H * 2 ** SPLIT + 1) begin : g_modulus
      $error("Q has to be H * 2^SPLIT + 1");
    end
    if (H < 3 || 2 ** $clog2(H + 1) != H + 1) begin : g_factor
      $error("H has to be 2^t - 1, at least 3: the reduction shifts by t");
    end
    if (Q >= 2 ** 14 || WIDTH > 2 * SPLIT) begin : g_width
      $error("Q has to be below 2^14 and 2^(2*SPLIT)");
    end
    if (TABLE != 1 && TABLE != 2 && TABLE != 4 && TABLE != 8) begin : g_table
      $error("TABLE has to be 1, 2, 4 or 8");
    end
    if (DEPTH < 2 || DEPTH > 8) begin : g_depth
      $error("DEPTH has to be 2 to 8: the stages into which modmul.sv splits");
    end
  endgenerate
`endif

  wire clear = rst_i || zeroize_i;

  logic start;
  logic [3:0] opcode;
  logic [8:0] reads, writes;
  logic [1:0] last;
  logic out_of_range;

  ringwork_commands #(
      .FAST (FAST),
      .BLOCKS_PER_BANK(BLOCKS_PER_BANK)
  ) commands (
      .clk_i(clk_i),
      .clear_i(clear),
      .cmd_i(cmd_i),
      .cmd_valid_i(cmd_valid_i && !clear),
      .busy_i(busy_o),
      .sampling_i(sampling_o),
      .out_of_range_i(out_of_range),
      .start_o(start),
      .opcode_o(opcode),
      .reads_o(reads),
      .writes_o(writes),
      .last_o(last),
      .error_o(error_o)
  );

  logic [9*BANKS-1:0] read_address, write_address;
  logic [2*WIDTH*BANKS-1:0] read_data, write_data;
  logic [BANKS-1:0] write;

  genvar i;
  generate
    for (i = 0; i < BANKS; i = i + 1) begin : g_bank
      ringwork_ram #(
          .WIDTH(2 * WIDTH),
          .WORDS(512)
      ) ram (
          .clk_i(clk_i),
          .read_address_i(read_address[9*i+:9]),
          .read_data_o(read_data[2*WIDTH*i+:2*WIDTH]),
          .write_i(write[i]),
          .write_address_i(write_address[9*i+:9]),
          .write_data_i(write_data[2*WIDTH*i+:2*WIDTH])
      );
    end

    if (FAST) begin : g_fast
      ringwork_fast #(
          .N(N),
          .Q(Q),
          .H(H),
          .SPLIT(SPLIT),
          .WIDTH(WIDTH),
          .BANKS(BANKS),
          .BLOCKS_PER_BANK(BLOCKS_PER_BANK),
          .DEPTH(DEPTH),
          .TWIDDLES(TWIDDLES),
          .FIRST_WIDTH(FIRST_WIDTH),
          .FIRST(FIRST),
          .SECOND_WIDTH(SECOND_WIDTH),
          .SECOND_ENTRIES(SECOND_ENTRIES),
          .SECOND(SECOND),
          .ROWS(ROWS),
          .FIRST_COLUMN(FIRST_COLUMN),
          .COLUMNS(COLUMNS),
          .WEIGHT_WIDTH(WEIGHT_WIDTH),
          .WEIGHTS(WEIGHTS),
          .DIGITS(DIGITS)
      ) machine (
          .clk_i(clk_i),
          .clear_i(clear),
          .start_i(start),
          .opcode_i(opcode),
          .reads_i(reads),
          .writes_i(writes),
          .last_i(last),
          .busy_o(busy_o),
          .sampling_o(sampling_o),
          .out_of_range_o(out_of_range),
          .data_i(data_i),
          .data_valid_i(data_valid_i),
          .data_ready_o(data_ready_o),
          .bit_i(bit_i),
          .bit_valid_i(bit_valid_i),
          .bit_ready_o(bit_ready_o),
          .random_i(random_i),
          .random_valid_i(random_valid_i),
          .random_ready_o(random_ready_o),
          .data_o(data_o),
          .data_valid_o(data_valid_o),
          .bits_o(bits_o),
          .read_address_o(read_address),
          .read_data_i(read_data),
          .write_o(write),
          .write_address_o(write_address),
          .write_data_o(write_data)
      );
    end else begin : g_paper
      ringwork_paper #(
          .N(N),
          .Q(Q),
          .H(H),
          .SPLIT(SPLIT),
          .WIDTH(WIDTH),
          .BANKS(BANKS),
          .BLOCKS_PER_BANK(BLOCKS_PER_BANK),
          .TABLE(TABLE),
          .DEPTH(DEPTH),
          .ROOTS(ROOTS),
          .INVERSE_ROOTS(INVERSE_ROOTS),
          .N_INVERSE(N_INVERSE),
          .FIRST_WIDTH(FIRST_WIDTH),
          .FIRST(FIRST),
          .SECOND_WIDTH(SECOND_WIDTH),
          .SECOND_ENTRIES(SECOND_ENTRIES),
          .SECOND(SECOND),
          .ROWS(ROWS),
          .FIRST_COLUMN(FIRST_COLUMN),
          .COLUMNS(COLUMNS),
          .WEIGHT_WIDTH(WEIGHT_WIDTH),
          .WEIGHTS(WEIGHTS),
          .DIGITS(DIGITS)
      ) machine (
          .clk_i(clk_i),
          .clear_i(clear),
          .start_i(start),
          .opcode_i(opcode),
          .reads_i(reads),
          .writes_i(writes),
          .last_i(last),
          .busy_o(busy_o),
          .sampling_o(sampling_o),
          .out_of_range_o(out_of_range),
          .data_i(data_i),
          .data_valid_i(data_valid_i),
          .data_ready_o(data_ready_o),
          .bit_i(bit_i),
          .bit_valid_i(bit_valid_i),
          .bit_ready_o(bit_ready_o),
          .random_i(random_i),
          .random_valid_i(random_valid_i),
          .random_ready_o(random_ready_o),
          .data_o(data_o),
          .data_valid_o(data_valid_o),
          .bits_o(bits_o),
          .read_address_o(read_address),
          .read_data_i(read_data),
          .write_o(write),
          .write_address_o(write_address),
          .write_data_o(write_data)
      );
    end
  endgenerate

endmodule

`default_nettype wire
