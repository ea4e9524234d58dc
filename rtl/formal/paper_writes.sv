// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Properties of PAPER with its commands, whatever comes in, from a reset on: memory is written in blocks that the
// running instruction names as its results, and in nothing else; never in a READ, and never before a START is
// taken, however many commands are refused.

module paper_writes #(
    parameter N = 256,
    parameter Q = 7681,
    parameter WIDTH = $clog2(Q)
) (
    input logic clk_i,
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

  localparam [3:0] READ = 8;

  logic clear = 1'b1;
  logic start, busy, out_of_range;
  logic [3:0] opcode;
  logic [8:0] reads, writes;
  logic [1:0] last;
  logic [2:0] error;
  logic [1:0] write;
  logic [17:0] write_address;

  always @(posedge clk_i) clear <= 1'b0;

  ringwork_commands #(
      .FAST (0),
      .SLOTS(4)
  ) commands (
      .clk_i(clk_i),
      .clear_i(clear),
      .cmd_i(cmd_i),
      .cmd_valid_i(cmd_valid_i && !clear),
      .busy_i(busy),
      .sampling_i(1'b0),
      .out_of_range_i(out_of_range),
      .start_o(start),
      .opcode_o(opcode),
      .reads_o(reads),
      .writes_o(writes),
      .last_o(last),
      .error_o(error)
  );

  // Zeroization is cut short: what is on its way after a reset writes nothing.
  ringwork_paper #(
      .N(N),
      .Q(Q),
      .ZERO_CYCLES(1),
      .SECOND_ENTRIES(32),
      .SECOND_WIDTH(6),
      .SECOND({32{6'd32}}),
      .FIRST({256{5'd1}}),
      .COLUMNS(14),
      .WEIGHTS(6'd1),
      .DIGITS(4'd1),
      .ROWS(4)
  ) machine (
      .clk_i(clk_i),
      .clear_i(clear),
      .start_i(start),
      .opcode_i(opcode),
      .reads_i(reads),
      .writes_i(writes),
      .last_i(last),
      .busy_o(busy),
      .sampling_o(),
      .out_of_range_o(out_of_range),
      .data_i(data_i),
      .data_valid_i(data_valid_i),
      .data_ready_o(),
      .bit_i(bit_i),
      .bit_valid_i(bit_valid_i),
      .bit_ready_o(),
      .random_i(random_i),
      .random_valid_i(random_valid_i),
      .random_ready_o(),
      .data_o(),
      .data_valid_o(),
      .bits_o(),
      .read_address_o(),
      .read_data_i(read_data_i),
      .write_o(write),
      .write_address_o(write_address),
      .write_data_o()
  );

  // The operands of the running instruction.
  logic [3:0] running;
  logic [8:0] from;
  logic [2:0] to;
  logic [1:0] count;
  logic started = 1'b0;
  // Zeroization of one word.
  logic [2:0] age = 0;

  always @(posedge clk_i) begin
    if (age != 7) age <= age + 1'b1;
    if (start) begin
      started <= 1'b1;
      running <= opcode;
      from <= reads;
      to <= writes[2:0];
      count <= last;
    end
  end

  wire is_transform = running == 3 || running == 4;
  wire in_place = is_transform || running == 7;

  function allowed(input [2:0] block);
    allowed = started && running != READ && (in_place ?
        block == from[2:0] || is_transform && count >= 1 && block == from[5:3] ||
        is_transform && count >= 2 && block == from[8:6] : block == to);
  endfunction

  always @* begin
    if (age > 3 || started) begin
      if (write[0]) assert (allowed({write_address[8:7], 1'b0}));
      if (write[1]) assert (allowed({write_address[17:16], 1'b1}));
      if (write != 0) assert (busy);
    end
    if (start) assert (!busy);
  end

endmodule
