// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// FAST: Cooley-Tukey forward, Gentleman-Sande backward with halving, MULTIPLY-ADD, and sampling beside
// transforms. One multiplier; one word read and written in each cycle of a transform.
//
// Two engines. The input engine writes words for LOAD, and samples in the background; the other one
// issues slots, one a cycle, into this pipeline (a slot issued in cycle t; a multiplier of DEPTH = 6 stages):
//   t+1   the read address    t+2   words of the banks    t+3   the same in registers    t+4   (high, low)
//   forward: the multiplier takes high at t+4 and gives the product at t+10, beside low; their sum and
//     difference follow at t+11, in [0, Q) at t+12
//   backward: sum and difference of high and low at t+5, where the multiplier takes half the difference;
//     half the sum is there at t+6; product and delayed half at t+11, the same at t+12
//   MULTIPLY-ADD: as forward, with a coefficient of the word before in the place of a twiddle
//   t+13  the word is written
// As in Algorithm 2 of the paper a word is the pair of one butterfly, and the results of slots t (even) and
// t+1 are exchanged on the way: {sum of t+1, sum of t} goes to the first address, {difference of t+1,
// difference of t} to the second.
//
// Cycles: FNTT, INTT I*(N/2)*log2 N + LATENCY + 1; MULTIPLY-ADD N + LATENCY + 1; READ N/2 + READ_LATENCY + 1;
// LOAD N/2 + 2; GAUSSIAN-LOAD one cycle, then steps of the sampler + 2 in the background; zeroization 1024 + LATENCY.
// LATENCY = DEPTH + 7 = 13, READ_LATENCY = 4.

`default_nettype none

module ringwork_fast #(
    parameter N = 256,
    parameter Q = 7681,
    parameter H = 15,
    parameter SPLIT = 9,
    parameter WIDTH = $clog2(Q),
    parameter BANKS = 2,
    parameter BLOCKS_PER_BANK = 4,
    parameter DEPTH = ringwork_latency::MODMUL,
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

  localparam MUL_LATENCY = DEPTH;
  // From the issue of a slot to the word in (high, low), and to its result at the memory.
  // Address register, bank, register behind the banks, operand register.
  localparam READ_LATENCY = 1 + ringwork_latency::RAM + 2;
  // Then the product, sum and difference, the same in [0, Q), the results of the slot before.
  localparam LATENCY = READ_LATENCY + MUL_LATENCY + 3;

  localparam [3:0] LOAD = 0, GAUSSIAN_LOAD = 2, FNTT = 3, INTT = 4, READ = 8, MULTIPLY_ADD = 9,
      GAUSSIAN_ENCODE_LOAD = 10;

  function [2:0] bank(input [2:0] index);
    bank = BLOCKS_PER_BANK == 4 ? {2'b0, index[0]} : BLOCKS_PER_BANK == 2 ? {1'b0, index[2:1]} : index;
  endfunction

  // Addresses have nine bits: the block in its bank, then the word.
  function [8:0] address(input [2:0] index, input [A-1:0] word);
    address = BLOCKS_PER_BANK == 4 ? 9'({index[2:1], word}) : BLOCKS_PER_BANK == 2 ? 9'({index[0], word}) : 9'(word);
  endfunction

  // A START is taken one cycle after it was accepted; until then its operands stay as they are.
  logic start;
  logic [3:0] opcode;
  always_ff @(posedge clk_i) begin
    start <= start_i;
    opcode <= opcode_i;
  end
  wire starts_input = start && (opcode == LOAD || opcode == GAUSSIAN_LOAD || opcode == GAUSSIAN_ENCODE_LOAD);

  // ---- Issue of slots ----

  localparam [2:0] IDLE = 0, TRANSFORM = 1, MULTIPLY = 2, READING = 3, ZEROING = 4, DRAIN = 5;
  logic [2:0] state;
  logic zeroing;  // until the end of DRAIN
  logic backward;
  logic multiplying;  // until the next instruction
  logic fresh;  // no slot of the block was issued
  logic [9:0] count;
  // Which bits of a word's address are those of the count shifted, below the bit that is the lowest of the
  // count. A layer of distance 2^p has p ones forward; backward p + 1, or none if it is the last one.
  logic [A-1:0] shifted;
  logic [8:0] reads;
  logic [2:0] target;
  logic [1:0] last;

  logic [2:0] pending;  // bit i: block i of `writes` is being sampled, or will be
  logic [8:0] writes;
  logic conflict;
  wire is_last_layer = !shifted[0];
  wire is_last_word = &count[A-1:0];
  wire is_issuing = state != IDLE && state != DRAIN && !(fresh && conflict);

  always @* begin : conflicts
    integer b;
    conflict = sampling_o && state != TRANSFORM;
    for (b = 0; b < 3; b = b + 1)
      if (pending[b] && bank(writes[3*b+:3]) == bank(reads[2:0])) conflict = 1'b1;
    if (state == ZEROING) conflict = 1'b0;
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      state <= ZEROING;
      zeroing <= 1'b1;
      backward <= 1'b0;
      multiplying <= 1'b0;
      fresh <= 1'b0;
      count <= 0;
      shifted <= 0;  // so that the sweep goes over every word
    end else if (start) begin
      case (opcode)
        FNTT, INTT: state <= TRANSFORM;
        MULTIPLY_ADD: state <= MULTIPLY;
        READ: state <= READING;
        default: state <= IDLE;
      endcase
      backward <= opcode == INTT;
      multiplying <= opcode == MULTIPLY_ADD;
      fresh <= 1'b1;
      count <= 0;
      shifted <= opcode == FNTT || opcode == MULTIPLY_ADD ? {A{1'b1}} :
          opcode == INTT ? {{A - 1{1'b0}}, 1'b1} : {A{1'b0}};
      reads <= reads_i;
      target <= writes_i[2:0];
      last <= last_i;
    end else if (state == DRAIN) begin
      count <= count + 1'b1;
      if (count[3:0] == 4'(LATENCY - 1)) begin
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
          if (backward) shifted <= shifted[A-1] ? {A{1'b0}} : {shifted[A-2:0], 1'b1};
          else shifted <= is_last_layer ? {A{1'b1}} : shifted >> 1;
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
          count <= 10'(LATENCY - READ_LATENCY);
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
  logic [A-1:0] word;
  wire [A:0] shifted_below = {state == MULTIPLY, shifted};
  always @* begin : words_of_slots
    integer j;
    for (j = 0; j < A; j = j + 1) word[j] = shifted_below[j+1] ? count[j+1] : shifted[j] ? count[0] : count[j];
  end

  // ---- Stages 1 and 2: addresses ----

  // What is written: results of one slot, or of two, the sums or the differences.
  localparam [1:0] PLAIN = 2'b00, SUMS = 2'b01, DIFFERENCES = 2'b10;
  wire phase = count[0];
  wire [2:0] swept = S == 2 ? {count[8:7], 1'b0} : {2'b0, count[8]};
  wire [2:0] source = state == MULTIPLY && phase ? reads[5:3] : state == ZEROING ? swept : reads[2:0];

  logic [A-1:0] word_1;
  logic [A-1:0] shifted_1;
  logic [2:0] source_1, source_2, source_3;
  logic [2:0] target_1;
  logic write_1;
  logic [1:0] form_1;
  logic phase_1, phase_2, phase_3;
  logic read_1, read_2, read_3;

  always_ff @(posedge clk_i) begin
    word_1 <= word;
    shifted_1 <= shifted;
    source_1 <= source;
    source_2 <= source_1;
    source_3 <= source_2;
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

  // Bit by bit, so that synthesis makes of each the shortest form.
  function [N-1:0] twiddle_bits(input integer position);
    integer e;
    for (e = 0; e < N; e = e + 1) twiddle_bits[e] = ARRANGED[W*e+position];
  endfunction

  // Backward the bits of b are complemented: -(entry 2^(s+1) - 1 - b) is the inverse of entry 2^s + b.
  logic [A:0] number, number_2, number_3;
  logic [W-1:0] entry, twiddle, twiddle_before;
  // Bit j: j < p.
  wire [A-1:0] layer_1 = backward ? shifted_1 >> 1 | {A{!shifted_1[0]}} : shifted_1;
  always @* begin : numbers
    integer j;
    number[0] = !layer_1[0];
    for (j = 1; j <= A; j = j + 1)
      number[j] = !(j < A && layer_1[j%A]) && (layer_1[j-1] || (word_1[j-1] ^ backward));
  end
  generate
    for (g = 0; g < W; g = g + 1) begin : g_twiddle
      ringwork_table #(
          .INPUTS(A + 1),
          .TABLE (twiddle_bits(g))
      ) rom (
          .index_i(number_3),
          .bit_o  (entry[g])
      );
    end
  endgenerate
  always_ff @(posedge clk_i) begin
    number_2 <= number;
    number_3 <= number_2;
    twiddle <= entry;
    twiddle_before <= twiddle;
  end

  // ---- Datapath ----

  // A memory is slow to answer: what it says goes to a register first.
  logic [2*W*BANKS-1:0] words;
  always_ff @(posedge clk_i) words <= read_data_i;

  logic [2*W-1:0] read_word, summand_word;
  always @* begin : banks
    integer b;
    read_word = 0;
    summand_word = 0;
    for (b = 0; b < BANKS; b = b + 1) begin
      if (bank(source_3) == 3'(b)) read_word = read_word | words[2*W*b+:2*W];
      if (bank(summand) == 3'(b)) summand_word = summand_word | words[2*W*b+:2*W];
    end
  end

  // What the multiplier takes: FORWARD high and a twiddle, BACKWARD half a difference and a twiddle, LOW and
  // HIGH coefficients of factor and of the word behind it.
  localparam [1:0] FORWARD = 0, BACKWARD = 1, LOW = 2, HIGH = 3;
  logic [1:0] operands;
  logic [W-1:0] high, low;
  // MULTIPLY-ADD: the first factor, the upper half of the second, the summand.
  logic [2*W-1:0] factor, addend;
  logic [W-1:0] high_before;
  always_ff @(posedge clk_i) begin
    operands <= multiplying ? (phase_3 ? LOW : HIGH) : backward ? BACKWARD : FORWARD;
    // In zeroization zeros go through the whole pipeline.
    if (zeroing) {high, low} <= 0;
    else {high, low} <= read_word;
    if (operands == LOW) factor <= factor;
    else factor <= {high, low};
    if (zeroing) addend <= 0;
    else if (phase_3) addend <= summand_word;
    high_before <= high;
  end

  logic [W-1:0] multiplicand, multiplier, kept;
  logic [W-1:0] product;
  logic [W-1:0] half_sum, half_difference;
  always @* begin
    case (operands)
      FORWARD: {multiplicand, multiplier, kept} = {high, twiddle, low};
      BACKWARD: {multiplicand, multiplier, kept} = {half_difference, twiddle_before, half_sum};
      LOW: {multiplicand, multiplier, kept} = {factor[W-1:0], low, addend[W-1:0]};
      default: {multiplicand, multiplier, kept} = {factor[2*W-1:W], high_before, addend[2*W-1:W]};
    endcase
  end

  ringwork_modmul #(
      .Q(Q),
      .H(H),
      .SPLIT(SPLIT),
      .WIDTH(W),
      .DEPTH(DEPTH)
  ) modmul (
      .clk_i(clk_i),
      .a_i(multiplicand),
      .b_i(multiplier),
      .product_o(product)
  );

  // Backward half the sum comes one cycle behind half the difference.
  logic [W-1:0] delayed_less, delayed;
  ringwork_delay #(
      .WIDTH(W),
      .DEPTH(MUL_LATENCY - 1)
  ) keep (
      .clk_i(clk_i),
      .data_i(kept),
      .data_o(delayed_less)
  );

  // Forward u + t and u - t; backward v + u and v - u.
  wire [W-1:0] x = backward ? high : delayed;
  wire [W-1:0] y = backward ? low : product;
  logic [W:0] sum, difference, sum_before;
  logic less, less_before;
  logic [W-1:0] less_q;
  assign {less, less_q} = sum - (W + 1)'(Q);

  // x / 2 = (x - 1)/2 + (Q + 1)/2 for odd x; a sum of Q or more is then too great by Q.
  localparam [W-1:0] HALF = (Q + 1) / 2;
  localparam [W-1:0] HALF_LESS = W'((Q + 1) / 2 - Q);
  wire [W-1:0] for_half_sum = !sum_before[0] ? {W{1'b0}} : less_before ? HALF : HALF_LESS;
  wire [W-1:0] for_half_difference = difference[0] ? HALF : difference[W] ? W'(Q) : {W{1'b0}};
  wire [W-1:0] for_difference = difference[W] && !backward ? W'(Q) : {W{1'b0}};
  assign half_sum = for_half_sum + sum_before[W:1];
  assign half_difference = for_half_difference + difference[W:1];

  // The registers R1 to R5 of the paper: a slot's results, those of the slot before, and its difference
  // once more.
  logic [W-1:0] first, second, first_before, second_before, second_before_that;
  always_ff @(posedge clk_i) begin
    delayed <= delayed_less;
    sum <= {1'b0, x} + {1'b0, y};
    difference <= {1'b0, x} - {1'b0, y};
    sum_before <= sum;
    less_before <= less;
    first <= backward ? delayed_less : less ? sum[W-1:0] : less_q;
    second <= for_difference + (backward ? product : difference[W-1:0]);
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
      .DEPTH(LATENCY - 1)
  ) results (
      .clk_i(clk_i),
      .data_i({word_1, target_1, write_1, form_1}),
      .data_o({result_word, result_target, result_write, result_form})
  );
  wire [2*W-1:0] result = {
    result_form[0] ? first : second_before, result_form[1] ? second_before_that : first_before
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
  // Q has ones above SPLIT, and a one in bit 0.
  wire high_fits = !(&high_in[W-1:SPLIT] && |high_in[SPLIT-1:0]);
  wire low_fits = !(&low_in[W-1:SPLIT] && |low_in[SPLIT-1:0]);
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
      input_count <= 0;  // how many samples a stop has cut short is a secret
      upper <= 1'b0;
    end else begin
      was_loading <= loading;
      input_write <= takes_word;
      if (starts_input) begin
        loading <= opcode == LOAD;
        sampling <= opcode != LOAD;
        encoding <= opcode == GAUSSIAN_ENCODE_LOAD;
        pending <= opcode == LOAD ? 3'b0 : {last_i == 2, last_i != 0, 1'b1};
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
      if (loading || takes_sample) input_word[2*W-1:W] <= !loading ? sample : high_fits ? high_in : {W{1'b0}};
      if (loading || takes_sample && !upper)
        input_word[W-1:0] <= !loading ? sample : low_fits ? low_in : {W{1'b0}};
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
      assign write_data_o[2*W*g+:2*W] = from_input ? input_word : result;
    end
  endgenerate

  // The decoder: one where Q/4 < c < 3Q/4. With t = floor(c / 2^(SPLIT-2)) and a remainder r this is
  // H < t + (r > 0) <= 3H + (r > 0), in other words H <= t < 3H if r > 0, else H < t <= 3H.
  function decoded(input [W-1:0] c);
    decoded = |c[SPLIT-3:0] ? c[W-1:SPLIT-2] >= H && c[W-1:SPLIT-2] < 3 * H :
        c[W-1:SPLIT-2] > H && c[W-1:SPLIT-2] <= 3 * H;
  endfunction

  // Not what other instructions have in (high, low).
  always_ff @(posedge clk_i) begin
    data_valid_o <= read_3 && !clear_i;
    if (clear_i || !read_3) data_o <= 0;
    else data_o <= read_word;
  end
  assign busy_o = start || state != IDLE || loading || input_write && was_loading;
  assign bits_o = {decoded(data_o[2*W-1:W]), decoded(data_o[W-1:0])};

endmodule

`default_nettype wire
