// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// FAST: Cooley-Tukey forward, Gentleman-Sande backward with halving, MULTIPLY-ADD, and sampling beside
// transforms. One multiplier; one word read and written in each cycle of a transform.
//
// Two engines. The input engine writes words for LOAD, and samples in the background; the other one
// issues slots, one a cycle, into this pipeline (a slot issued in cycle t):
//   t+1   the read address            t+2   words of the banks
//   t+3   (high, low); the multiplier takes high, or in MULTIPLY-ADD a coefficient of the word before
//   t+9   product, and low delayed    t+10  sum and difference
//   t+11  the same in [0, Q); or, backward, product and delayed sum, both of them begun at t+5, behind the
//         adder and the subtracter
//   t+12  the word is written
// As in Algorithm 2 of the paper a word is the pair of one butterfly, and the results of slots t (even) and
// t+1 are exchanged on the way: {sum of t+1, sum of t} goes to the first address, {difference of t+1,
// difference of t} to the second.
//
// Cycles: FNTT, INTT I*(N/2)*log2 N + LATENCY; MULTIPLY-ADD N + LATENCY; READ N/2 + READ_LATENCY; LOAD N/2 + 1;
// GAUSSIAN-LOAD steps of the sampler + 2, in the background; zeroization 1024 + LATENCY.

`default_nettype none

module ringwork_fast #(
    parameter N = 256,
    parameter Q = 7681,
    parameter H = 15,
    parameter SPLIT = 9,
    parameter WIDTH = $clog2(Q),
    parameter BANKS = 2,
    parameter SLOTS = 4,
    parameter TWIDDLES = 0,
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
    input  logic clear_i,
    input  logic start_i,
    input  logic [3:0] opcode_i,
    input  logic [8:0] reads_i,
    input  logic [8:0] writes_i,
    input  logic [1:0] last_i,
    output logic busy_o,
    output logic sampling_o,
    output logic out_of_range_o,
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
    output logic [1:0] bits_o,
    output logic [9*BANKS-1:0] read_address_o,
    input  logic [2*WIDTH*BANKS-1:0] read_data_i,
    output logic [BANKS-1:0] write_o,
    output logic [9*BANKS-1:0] write_address_o,
    output logic [2*WIDTH*BANKS-1:0] write_data_o
);

  localparam W = WIDTH;
  // Bits of a word's address in its block, and of a block in its bank.
  localparam A = $clog2(N / 2);
  localparam S = 9 - A;

  localparam MUL_LATENCY = 6;
  // From the issue of a slot to the words in (high, low), and to the result.
  localparam READ_LATENCY = 3;
  localparam RESULT = READ_LATENCY + MUL_LATENCY + 2;
  localparam LATENCY = RESULT + 1;

  localparam [3:0] LOAD = 0, GAUSSIAN_LOAD = 2, FNTT = 3, INTT = 4, READ = 8, MULTIPLY_ADD = 9,
      GAUSSIAN_ENCODE_LOAD = 10;

  function [2:0] bank(input [2:0] index);
    bank = SLOTS == 4 ? {2'b0, index[0]} : SLOTS == 2 ? {1'b0, index[2:1]} : index;
  endfunction

  // Addresses have nine bits: the block in its bank, then the word.
  function [8:0] address(input [2:0] index, input [A-1:0] word);
    address = SLOTS == 4 ? 9'({index[2:1], word}) : SLOTS == 2 ? 9'({index[0], word}) : 9'(word);
  endfunction

  // ---- Issue of slots ----

  localparam [2:0] IDLE = 0, TRANSFORM = 1, MULTIPLY = 2, READING = 3, ZEROING = 4, DRAIN = 5;
  logic [2:0] state;
  logic zeroing;  // until the end of DRAIN
  logic backward;
  logic multiplying;  // until the next instruction
  logic fresh;  // no slot of the block was issued
  logic [9:0] count;
  // Bit j: j < p, for a layer of distance 2^p.
  logic [A-1:0] layer;
  logic [8:0] reads;
  logic [2:0] target;
  logic [1:0] last;

  logic [2:0] pending;  // bit i: block i of `writes` is being sampled, or will be
  logic [8:0] writes;
  logic conflict;
  wire is_last_layer = backward ? layer[A-1] : !layer[0];
  wire is_last_word = &count[A-1:0];
  wire is_issuing = state != IDLE && state != DRAIN && !(fresh && conflict);

  integer b;
  always @* begin
    conflict = sampling_o && state != TRANSFORM;
    for (b = 0; b < 3; b = b + 1)
      if (pending[b] && bank(writes[3*b+:3]) == bank(reads[2:0])) conflict = 1'b1;
    if (state == ZEROING) conflict = 1'b0;
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      state <= ZEROING;
      zeroing <= 1'b1;
      multiplying <= 1'b0;
      fresh <= 1'b0;
      count <= 0;
    end else if (start_i) begin
      case (opcode_i)
        FNTT, INTT: state <= TRANSFORM;
        MULTIPLY_ADD: state <= MULTIPLY;
        READ: state <= READING;
        default: state <= IDLE;
      endcase
      backward <= opcode_i == INTT;
      multiplying <= opcode_i == MULTIPLY_ADD;
      fresh <= 1'b1;
      count <= 0;
      layer <= {A{opcode_i == FNTT || opcode_i == MULTIPLY_ADD}};
      reads <= reads_i;
      target <= writes_i[2:0];
      last <= last_i;
    end else if (state == DRAIN) begin
      count <= count + 1'b1;
      if (count[3:0] == LATENCY - 1) begin
        state <= IDLE;
        zeroing <= 1'b0;
      end
    end else if (is_issuing) begin
      fresh <= 1'b0;
      count <= count + 1'b1;
      case (state)
        TRANSFORM:
        if (is_last_word) begin
          count <= 0;
          layer <= is_last_layer ? {A{!backward}} : backward ? {layer[A-2:0], 1'b1} : layer >> 1;
          if (is_last_layer) begin
            fresh <= 1'b1;
            reads <= {3'b0, reads[8:3]};
            last <= last - 1'b1;
            if (last == 0) state <= DRAIN;
          end
        end
        MULTIPLY:
        if (&count[A:0]) begin
          count <= 0;
          state <= DRAIN;
        end
        READING:
        if (is_last_word) begin
          count <= LATENCY - READ_LATENCY;
          state <= DRAIN;
        end
        default:
        if (&count) begin
          count <= 0;
          state <= DRAIN;
        end
      endcase
    end
  end

  // The word of a slot: in a transform the lowest bit of the count becomes the bit in which the words of
  // an exchange differ, below which the count is shifted.
  logic [A:0] shifted;
  logic [A-1:0] word;
  integer j;
  always @* begin
    shifted[A] = state == MULTIPLY;
    for (j = 0; j < A; j = j + 1)
      shifted[j] = !backward ? layer[j] : !layer[A-1] && (j == 0 || layer[(j+A-1)%A]);
    for (j = 0; j < A; j = j + 1) word[j] = shifted[j+1] ? count[j+1] : shifted[j] ? count[0] : count[j];
  end

  // ---- Stages 1 and 2: addresses ----

  localparam [1:0] PLAIN = 0, SUMS = 1, DIFFERENCES = 2;
  wire phase = count[0];
  wire [2:0] swept = S == 2 ? {count[8:7], 1'b0} : {2'b0, count[8]};
  wire [2:0] source = state == MULTIPLY && phase ? reads[5:3] : state == ZEROING ? swept : reads[2:0];

  logic [A-1:0] word_1;
  logic [A-1:0] layer_1;
  logic [2:0] source_1, source_2;
  logic [2:0] target_1;
  logic write_1;
  logic [1:0] form_1;
  logic phase_1, phase_2, phase_3;
  logic read_1, read_2, read_3;

  always_ff @(posedge clk_i) begin
    word_1 <= word;
    layer_1 <= layer;
    source_1 <= source;
    source_2 <= source_1;
    target_1 <= state == MULTIPLY ? target : source;
    write_1 <= is_issuing && (state == TRANSFORM || state == MULTIPLY && phase || state == ZEROING);
    form_1 <= state == MULTIPLY || state == TRANSFORM && !is_last_layer && !phase ? SUMS :
        state == TRANSFORM && !is_last_layer ? DIFFERENCES : PLAIN;
    phase_1 <= phase;
    phase_2 <= phase_1;
    phase_3 <= phase_2;
    read_1 <= is_issuing && state == READING && !clear_i;
    read_2 <= read_1 && !clear_i;
    read_3 <= read_2 && !clear_i;
  end

  // In the second phase of MULTIPLY-ADD the summand is read as well, from another bank.
  wire [2:0] summand = reads[8:6];
  genvar g;
  generate
    for (g = 0; g < BANKS; g = g + 1) begin : g_read
      assign read_address_o[9*g+:9] =
          address(phase_1 && multiplying && bank(summand) == g ? summand : source_1, word_1);
    end
  endgenerate

  // ---- Twiddles ----

  // Number 2^s + b has its bits in the order in which a layer has them at hand: b, 1, then p zeros.
  function [W*N-1:0] arranged(input integer unused);
    integer i, p, e;
    begin
      arranged = 0;
      for (i = 1; i < N; i = i + 1) begin
        p = 0;
        e = i;
        while (e % 2 == 0) begin
          p = p + 1;
          e = e / 2;
        end
        arranged[W*i+:W] = TWIDDLES[W*((N>>(p+1))+(e/2))+:W];
      end
    end
  endfunction
  localparam [W*N-1:0] ARRANGED = arranged(0);

  logic [W-1:0] twiddles[0:N-1];
  integer i;
  initial for (i = 0; i < N; i = i + 1) twiddles[i] = ARRANGED[W*i+:W];

  logic [A:0] number, number_2, number_3, number_4;
  logic [W-1:0] twiddle;
  always @* begin
    number[0] = !layer_1[0];
    for (j = 1; j <= A; j = j + 1)
      number[j] = !(j < A && layer_1[j%A]) && (layer_1[j-1] || (word_1[j-1] ^ backward));
  end
  always_ff @(posedge clk_i) begin
    number_2 <= number;
    number_3 <= number_2;
    number_4 <= number_3;
    twiddle <= twiddles[backward?number_4 : number_2];
  end

  // ---- Datapath ----

  logic [2*W-1:0] read_word, summand_word;
  always @* begin
    read_word = 0;
    summand_word = 0;
    for (b = 0; b < BANKS; b = b + 1) begin
      if (bank(source_2) == b) read_word = read_word | read_data_i[2*W*b+:2*W];
      if (bank(summand) == b) summand_word = summand_word | read_data_i[2*W*b+:2*W];
    end
  end

  logic [W-1:0] high, low;
  // MULTIPLY-ADD: the first factor, the upper half of the second, the summand.
  logic [2*W-1:0] factor, addend;
  logic [W-1:0] high_before;
  always_ff @(posedge clk_i) begin
    {high, low} <= read_word;
    if (!phase_3) factor <= {high, low};
    if (phase_2) addend <= summand_word;
    high_before <= high;
  end

  logic [W-1:0] sum, difference;
  logic [W-1:0] product;
  logic [W-1:0] delayed;

  function [W-1:0] half(input [W-1:0] x);
    half = W'(({1'b0, x} + (x[0] ? (W + 1)'(Q) : {W + 1{1'b0}})) >> 1);
  endfunction

  wire [W-1:0] multiplicand =
      multiplying ? (phase_3 ? factor[W-1:0] : factor[2*W-1:W]) : backward ? half(difference) : high;
  wire [W-1:0] multiplier = multiplying ? (phase_3 ? low : high_before) : twiddle;
  wire [W-1:0] kept = multiplying ? (phase_3 ? addend[W-1:0] : addend[2*W-1:W]) : backward ? half(sum) : low;

  ringwork_modmul #(
      .Q(Q),
      .H(H),
      .SPLIT(SPLIT),
      .WIDTH(W)
  ) modmul (
      .clk_i(clk_i),
      .a_i(multiplicand),
      .b_i(multiplier),
      .product_o(product)
  );

  ringwork_delay #(
      .WIDTH(W),
      .DEPTH(MUL_LATENCY)
  ) keep (
      .clk_i(clk_i),
      .data_i(kept),
      .data_o(delayed)
  );

  // Forward u + t and u - t; backward v + u and v - u.
  wire [W-1:0] x = backward ? high : delayed;
  wire [W-1:0] y = backward ? low : product;
  logic [W:0] raw_sum, raw_difference;
  wire [W:0] less_q = raw_sum - (W + 1)'(Q);
  always_ff @(posedge clk_i) begin
    raw_sum <= {1'b0, x} + {1'b0, y};
    raw_difference <= {1'b0, x} - {1'b0, y};
    sum <= less_q[W] ? raw_sum[W-1:0] : less_q[W-1:0];
    difference <= raw_difference[W-1:0] + (raw_difference[W] ? W'(Q) : {W{1'b0}});
  end

  // The registers R1 to R5 of the paper: a slot's results, those of the slot before, and its difference
  // once more.
  wire [W-1:0] first = backward ? delayed : sum;
  wire [W-1:0] second = backward ? product : difference;
  logic [W-1:0] first_before, second_before, second_before_that;
  always_ff @(posedge clk_i) begin
    first_before <= first;
    second_before <= second;
    second_before_that <= second_before;
  end

  // ---- Write ----

  logic [A-1:0] result_word;
  logic [2:0] result_target;
  logic result_write;
  logic [1:0] result_form;
  ringwork_delay #(
      .WIDTH(A + 6),
      .DEPTH(RESULT)
  ) results (
      .clk_i(clk_i),
      .data_i({word_1, target_1, write_1, form_1}),
      .data_o({result_word, result_target, result_write, result_form})
  );
  wire [2*W-1:0] result = {
    result_form == SUMS ? first : second_before, result_form == DIFFERENCES ? second_before_that : first_before
  };

  // ---- Input engine: LOAD and sampling ----

  logic loading, sampling, encoding;
  logic [A-1:0] input_count;
  logic upper;
  logic [2*W-1:0] input_word;
  logic input_write;
  logic [A-1:0] input_at;
  logic [2:0] input_target;

  logic [W-1:0] sample;
  logic sample_valid;
  wire encodes = encoding && !pending[1];
  wire takes_sample = sample_valid && (!encodes || bit_valid_i);
  wire is_last_input = &input_count;
  wire is_last_sample = is_last_input && upper && !pending[1];
  wire takes_word = loading && data_valid_i || takes_sample && upper;

  assign bit_ready_o = sample_valid && encodes;
  assign data_ready_o = loading;
  assign sampling_o = sampling || input_write && !loading && !was_loading;

  ringwork_sampler #(
      .Q(Q),
      .WIDTH(W),
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
  ) sampler (
      .clk_i(clk_i),
      .rst_i(1'b0),
      .zeroize_i(clear_i),
      .run_i(sampling && !(sample_valid && is_last_sample)),
      .encode_i(encodes && bit_i),
      .random_i(random_i),
      .random_valid_i(random_valid_i),
      .random_ready_o(random_ready_o),
      .value_o(sample),
      .valid_o(sample_valid),
      .ready_i(takes_sample)
  );

  wire [W-1:0] high_in = data_i[2*W-1:W];
  wire [W-1:0] low_in = data_i[W-1:0];
  wire high_fits = high_in < Q;
  wire low_fits = low_in < Q;
  assign out_of_range_o = loading && data_valid_i && !(high_fits && low_fits);

  logic was_loading;
  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      loading <= 1'b0;
      sampling <= 1'b0;
      input_write <= 1'b0;
      pending <= 0;
      input_word <= 0;
      was_loading <= 1'b0;
    end else begin
      was_loading <= loading;
      input_write <= takes_word;
      if (start_i && (opcode_i == LOAD || opcode_i == GAUSSIAN_LOAD || opcode_i == GAUSSIAN_ENCODE_LOAD)) begin
        loading <= opcode_i == LOAD;
        sampling <= opcode_i != LOAD;
        encoding <= opcode_i == GAUSSIAN_ENCODE_LOAD;
        pending <= opcode_i == LOAD ? 3'b0 : {last_i == 2, last_i != 0, 1'b1};
        writes <= writes_i;
        input_count <= 0;
        upper <= 1'b0;
      end else begin
        if (takes_sample) upper <= !upper;
        if (takes_word) begin
          input_count <= input_count + 1'b1;
          if (is_last_input) begin
            loading <= 1'b0;
            if (!pending[1]) sampling <= 1'b0;
            pending <= pending >> 1;
            writes <= writes >> 3;
          end
        end
      end
      if (loading) input_word <= {high_fits ? high_in : {W{1'b0}}, low_fits ? low_in : {W{1'b0}}};
      else if (takes_sample) input_word <= {sample, upper ? input_word[W-1:0] : sample};
    end
    input_at <= input_count;
    input_target <= writes[2:0];
  end

  // ---- Ports ----

  generate
    for (g = 0; g < BANKS; g = g + 1) begin : g_write
      wire from_input = input_write && bank(input_target) == g;
      assign write_o[g] = zeroing || from_input || result_write && bank(result_target) == g;
      assign write_address_o[9*g+:9] =
          from_input ? address(input_target, input_at) : address(result_target, result_word);
      assign write_data_o[2*W*g+:2*W] = zeroing ? {2 * W{1'b0}} : from_input ? input_word : result;
    end
  endgenerate

  // The decoder: one where Q/4 < c < 3Q/4.
  localparam QUARTER = Q / 4;
  function decoded(input [W-1:0] c);
    decoded = c > QUARTER && c < Q - QUARTER;
  endfunction

  assign busy_o = state != IDLE || loading || input_write && was_loading;
  assign data_valid_o = read_3;
  assign data_o = read_3 ? {high, low} : {2 * W{1'b0}};
  assign bits_o = read_3 ? {decoded(high), decoded(low)} : 2'b0;

endmodule

`default_nettype wire
