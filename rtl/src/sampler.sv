// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Discrete Gaussian samples modulo Q by Knuth and Yao's walk through the probability matrix: two
// look-ups, then a bit scan.
//
// A step takes one cycle. What a step does with the random word r, by state:
//   LOOK1   index r[7:0] in FIRST: a sample, or a distance d and on to LOOK2.
//   LOOK2   index {d, r[4:0]} in SECOND: a sample, or a distance d and on to COLUMN.
//   COLUMN  d = 2d + r[0] - (number of ones in the column). If d >= 0: the next column; behind the last
//           one all starts again. Else on to ROW with row 0.
//   ROW     d = d + digit(row, column). If that makes d zero, the row is the sample; else the next row.
// So a scan of rows takes sample + 1 steps. Every column from FIRST_COLUMN on has a one.
// The step that ends a sample also takes its sign from r[8], one for minus. In FIRST and SECOND the
// highest bit of an entry says that the rest is a distance.
//
// Range: value_o in [0, Q): a sample x < 0 is Q + x, and 0 has no sign; with encode_i it is x + (Q-1)/2.
// Handshakes: random_ready_o is high in each cycle in which a step may be made, which is when run_i is
// high and no value waits; a step is made when random_valid_i is high too. A value stays until ready_i.
// Latency: valid_o is high in the cycle after the last step of a sample, and the first step of the next
// one may be made in that cycle. Throughput: one sample a cycle as long as LOOK1 ends them.
// Variable time: the number of steps depends on the samples.

`default_nettype none

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
    parameter DIGITS = 0,
    // Columns and rows of a piece of the table of digits, as powers of two: they only change the area.
    parameter COLUMN_BITS = 4,
    parameter ROW_BITS = 4
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

  localparam SCANNED = COLUMNS - FIRST_COLUMN;

  // The most inner nodes in a level of the tree behind FIRST_COLUMN: a distance is less.
  function integer inner_nodes(input integer unused);
    integer c, nodes, entry;
    begin
      nodes = 0;
      for (c = 0; c < SECOND_ENTRIES; c = c + 1) begin
        entry = 32'(SECOND[SECOND_WIDTH*c+:SECOND_WIDTH-1]);
        if (SECOND[SECOND_WIDTH*c+SECOND_WIDTH-1] && entry >= nodes) nodes = entry + 1;
      end
      inner_nodes = nodes;
      for (c = 0; c < SCANNED; c = c + 1) begin
        nodes = 2 * nodes - 32'(WEIGHTS[WEIGHT_WIDTH*c+:WEIGHT_WIDTH]);
        if (nodes > inner_nodes) inner_nodes = nodes;
      end
    end
  endfunction

  // Bits of a row, of a distance before its column is taken off, of a column, and of an index into
  // SECOND.
  localparam RW = $clog2(ROWS + 2);
  localparam DW = $clog2(2 * inner_nodes(0));
  localparam CW = $clog2(SCANNED + 1);
  localparam SW = $clog2(SECOND_ENTRIES);

  localparam [1:0] LOOK1 = 0, LOOK2 = 1, COLUMN = 2, ROW = 3;

  // A column without a one would never end.
  function is_scannable(input integer unused);
    integer c;
    begin
      is_scannable = 1'b1;
      for (c = 0; c < SCANNED; c = c + 1)
        if (WEIGHTS[WEIGHT_WIDTH*c+:WEIGHT_WIDTH] == 0) is_scannable = 1'b0;
    end
  endfunction

`ifndef __ICARUS__  // which has no tasks of elaboration
  generate
    if (!is_scannable(0)) begin : g_scannable
      $error("each column from FIRST_COLUMN on needs a one");
    end
    if (RW <= ROW_BITS || ((Q - 1) / 2) % (1 << RW) != 0) begin : g_rows
      $error("there are too few or too many rows for Q");
    end
  endgenerate
`endif

  logic [1:0] state;
  // Counted from FIRST_COLUMN on; -1 before.
  logic [CW-1:0] column;
  // The row that is read, two before it is added; at the end the absolute value plus two.
  logic [RW-1:0] row;
  // Modulo 2^DW.
  logic [DW-1:0] distance;
  logic [DW-1:0] addend;
  logic sign;

  logic [FIRST_WIDTH-1:0] first_entry;
  logic [SECOND_WIDTH-1:0] second_entry;
  logic [DW-1:0] minus_weight;
  logic row_zero;
  // The digit of row 0 in the column in work, and, for each piece of columns, that of the row before the one
  // that is read.
  logic row_zero_late;
  logic [(1<<(CW-COLUMN_BITS))-1:0] digits_late;

  // Tables, bit by bit. An entry of a sample holds the sample plus two, for which it has room.
  function [255:0] first_bits(input integer position);
    integer e;
    logic [FIRST_WIDTH-1:0] entry;
    for (e = 0; e < 256; e = e + 1) begin
      entry = FIRST[FIRST_WIDTH*e+:FIRST_WIDTH];
      if (!entry[FIRST_WIDTH-1]) entry = entry + FIRST_WIDTH'(2);
      first_bits[e] = 1'(entry >> position);
    end
  endfunction

  // Behind SECOND_ENTRIES anything may stand.
  function [(1<<SW)-1:0] second_bits(input integer position);
    integer e;
    logic [SECOND_WIDTH-1:0] entry;
    for (e = 0; e < 1 << SW; e = e + 1) begin
      entry = SECOND[SECOND_WIDTH*(e<SECOND_ENTRIES?e : e-(1<<(SW-1)))+:SECOND_WIDTH];
      if (!entry[SECOND_WIDTH-1]) entry = entry + SECOND_WIDTH'(2);
      second_bits[e] = 1'(entry >> position);
    end
  endfunction

  // The weight of column c stands at c - 1: it is read one step ahead.
  function [(1<<CW)-1:0] weight_bits(input integer position);
    integer c;
    logic [DW-1:0] minus;
    begin
      weight_bits = 0;
      for (c = 0; c < SCANNED; c = c + 1) begin
        // Not -DW'(...): Yosys 0.70 reads that as (-DW)'(...), and so without the minus.
        minus = DW'(0) - DW'(WEIGHTS[WEIGHT_WIDTH*c+:WEIGHT_WIDTH]);
        weight_bits[(c+(1<<CW)-1)%(1<<CW)] = 1'(minus >> position);
      end
    end
  endfunction

  // Likewise the digits of row 0.
  function [(1<<CW)-1:0] row_zero_bits(input integer unused);
    integer c;
    begin
      row_zero_bits = 0;
      for (c = 0; c < SCANNED; c = c + 1) row_zero_bits[(c+(1<<CW)-1)%(1<<CW)] = DIGITS[ROWS*c];
    end
  endfunction

  // A cell has the digits of 2^COLUMN_BITS columns and 2^ROW_BITS rows, those of row 0 left out.
  function [(1<<(COLUMN_BITS+ROW_BITS))-1:0] digit_bits(input integer first_column, input integer first_row);
    integer c, r;
    begin
      digit_bits = 0;
      for (c = 0; c < 1 << COLUMN_BITS; c = c + 1)
        for (r = 0; r < 1 << ROW_BITS; r = r + 1)
          if (first_column + c < SCANNED && first_row + r > 0 && first_row + r < ROWS)
            digit_bits[(c<<ROW_BITS)+r] = DIGITS[ROWS*(first_column+c)+first_row+r];
    end
  endfunction

  genvar i, j;
  generate
    for (j = 0; j < FIRST_WIDTH; j = j + 1) begin : g_first
      ringwork_table #(.INPUTS(8), .TABLE(first_bits(j))) rom (.index_i(random_i[7:0]), .bit_o(first_entry[j]));
    end
    for (j = 0; j < SECOND_WIDTH; j = j + 1) begin : g_second
      ringwork_table #(.INPUTS(SW), .TABLE(second_bits(j))) rom (
          .index_i({distance[SW-6:0], random_i[4:0]}), .bit_o(second_entry[j]));
    end
    for (j = 0; j < DW; j = j + 1) begin : g_weight
      ringwork_table #(.INPUTS(CW), .TABLE(weight_bits(j))) rom (.index_i(column), .bit_o(minus_weight[j]));
    end
  endgenerate

  ringwork_table #(.INPUTS(CW), .TABLE(row_zero_bits(0))) row_zero_rom (.index_i(column), .bit_o(row_zero));

  logic [(1<<(CW-COLUMN_BITS))-1:0] digits;
  generate
    for (i = 0; i < 1 << (CW - COLUMN_BITS); i = i + 1) begin : g_columns
      logic [(1<<(RW-ROW_BITS))-1:0] cell_digits;
      assign digits[i] = cell_digits[row[RW-1:ROW_BITS]];
      for (j = 0; j < 1 << (RW - ROW_BITS); j = j + 1) begin : g_rows
        if (digit_bits(i << COLUMN_BITS, j << ROW_BITS) == 0) begin : g_zero
          assign cell_digits[j] = 1'b0;
        end else begin : g_cell
          ringwork_table #(.INPUTS(COLUMN_BITS + ROW_BITS), .TABLE(digit_bits(i << COLUMN_BITS, j << ROW_BITS))) rom (
              .index_i({column[COLUMN_BITS-1:0], row[ROW_BITS-1:0]}), .bit_o(cell_digits[j]));
        end
      end
    end
  endgenerate

  // Small counters are shorter without a carry chain.
  logic [RW-1:0] next_row;
  logic [CW-1:0] next_column;
  generate
    assign next_row[0] = !row[0];
    for (j = 1; j < RW; j = j + 1) begin : g_next_row
      assign next_row[j] = row[j] ^ (&row[j-1:0]);
    end
    assign next_column[0] = !column[0];
    for (j = 1; j < CW; j = j + 1) begin : g_next_column
      assign next_column[j] = column[j] ^ (&column[j-1:0]);
    end
  endgenerate

  logic clear;
  logic step;
  logic [DW-1:0] base;
  logic [DW:0] sum;
  logic carry;
  logic last;
  logic to_row;
  logic distance_found;
  logic found;

  assign clear = rst_i || zeroize_i;
  assign random_ready_o = run_i && (ready_i || !valid_o);
  assign step = random_ready_o && random_valid_i;
  assign base = state == COLUMN ? {distance[DW-2:0], random_i[0]} : distance;
  assign sum = {1'b0, base} + {1'b0, addend};
  // In COLUMN the walk goes beyond the column, in ROW the sample is found.
  assign carry = sum[DW];
  assign last = (column & (SCANNED - 1)) == SCANNED - 1;
  assign to_row = state == ROW || state == COLUMN && !carry;
  assign distance_found = state == LOOK1 ? first_entry[FIRST_WIDTH-1] : second_entry[SECOND_WIDTH-1];
  assign found = state[1] ? state[0] && carry : !distance_found;

  always_ff @(posedge clk_i) begin
    if (clear) begin
      state <= LOOK1;
      sign <= 1'b0;
      distance <= 0;
    end else if (step) begin
      sign <= random_i[8];
      case (state)
        LOOK1: state <= distance_found ? LOOK2 : LOOK1;
        LOOK2: state <= distance_found ? COLUMN : LOOK1;
        COLUMN: state <= !carry ? ROW : last ? LOOK1 : COLUMN;
        default: state <= carry ? LOOK1 : ROW;
      endcase
      case (state)
        LOOK1: distance <= DW'(first_entry[FIRST_WIDTH-2:0]);
        LOOK2: distance <= DW'(second_entry[SECOND_WIDTH-2:0]);
        default: distance <= sum[DW-1:0];
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (clear || step && state == LOOK2 && distance_found) row <= 1;
    else if (step && !(state[1] && carry)) begin
      case (state)
        LOOK1: row <= RW'(first_entry[FIRST_WIDTH-2:0]);
        LOOK2: row <= RW'(second_entry[SECOND_WIDTH-2:0]);
        default: row <= next_row;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (clear || state == LOOK1) column <= {CW{1'b1}};
    else if (step && (state == LOOK2 || state == COLUMN && carry)) column <= next_column;
  end

  always_ff @(posedge clk_i) begin
    if (clear || step && to_row) addend[DW-1:1] <= 0;
    else if (step) addend[DW-1:1] <= minus_weight[DW-1:1];
    if (clear) addend[0] <= 1'b0;
    else if (step) addend[0] <= state == ROW ? digits_late[column[CW-1:COLUMN_BITS]] : to_row ? row_zero_late : minus_weight[0];
    if (clear) {digits_late, row_zero_late} <= 0;
    else if (step) {digits_late, row_zero_late} <= {digits, row_zero};
  end

  always_ff @(posedge clk_i) begin
    if (clear) valid_o <= 1'b0;
    else valid_o <= step ? found : valid_o && !ready_i;
  end

  // With bit 1 of a message (Q-1)/2 + x, else x or Q + x. Q - 1 and (Q-1)/2 have no bits where a sample has,
  // so that only the bits of -x, or of 1 - x, are computed.
  localparam [WIDTH-RW-1:0] FULL = (WIDTH - RW)'((Q - 1) >> RW);
  localparam [WIDTH-RW-1:0] HALF = (WIDTH - RW)'((Q - 1) >> (RW + 1));
  logic negative;
  logic [RW-1:0] magnitude;
  logic [RW:0] below;
  logic [RW-1:0] low;
  wire [WIDTH-RW-1:0] from = encode_i ? HALF : negative ? FULL : {WIDTH - RW{1'b0}};
  wire borrow = negative && below[RW];

  assign negative = sign && row != 2;
  assign magnitude[0] = row[0];
  assign below[0] = 1'b0;
  assign below[1] = encode_i && magnitude[0];
  assign low[0] = magnitude[0] ^ (negative && !encode_i);
  generate
    for (j = 1; j < RW; j = j + 1) begin : g_low
      assign magnitude[j] = row[j] ^ (j == 1 || (row[j-1:0] >> 1) == 0);
      assign below[j+1] = below[1] || magnitude[j:1] != 0;
      assign low[j] = magnitude[j] ^ (negative && below[j]);
    end
  endgenerate
  assign value_o = {from - {{WIDTH - RW - 1{1'b0}}, borrow}, low};

endmodule

// bit_o = TABLE[index_i]. Combinational. Synthesis finds the shortest form of a table if it is kept from
// sharing between tables.
(* keep_hierarchy *)
module ringwork_table #(
    parameter INPUTS = 6,
    parameter [(1<<INPUTS)-1:0] TABLE = 0
) (
    input  logic [INPUTS-1:0] index_i,
    output logic bit_o
);

  logic [(1<<INPUTS)-1:0] bits;
  assign bits = TABLE;
  assign bit_o = bits[index_i];

endmodule

`default_nettype wire
