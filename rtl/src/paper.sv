// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// PAPER: the sequencer and the arithmetic unit of the paper. One word read and one word written in a cycle.
//
// A block is a polynomial: N/2 words {high, low} of coefficients in [0, Q). Instructions, with the read queue
// r0, r1, r2 and the newest entry w of the write queue, and I = last_i + 1:
//   0 LOAD           w := words from data_i; a coefficient >= Q becomes 0 and sets out_of_range_o
//   1 ENCODE-LOAD    w := (Q-1)/2 times bits, low and high half of word 0 first
//   2 GAUSSIAN-LOAD  w := samples, low and high half of word 0 first
//   3 FNTT, 4 INTT   I blocks from r0 on, in place: A[j] = sum a[i] psi^((2j+1) i), and its inverse
//   5 ADD            w := r0 + r1
//   6 CMULT          w := r0 * r1 / R, coefficient by coefficient
//   7 REARRANGE      words i and bitreverse(i) of r0 change places
//   8 READ           data_o := words of r0; bits_o says for each half whether it is in [Q/4, 3Q/4)
//
// Transforms read words {a[r + N/2], a[r]} at bitreverse(r) and leave words {A[j + N/2], A[j]} at j. They are
// Algorithm 2 of the paper: loops m = 2, 4 .. N over butterflies (L + w H, L - w H); two butterflies exchange
// halves, so that the partners of the next loop share a word. TABLE twiddle factors are held; for each loop
//   FILL       table[i] = w_m^i                     TABLE slots, R empty cycles (TABLE = 8: in two halves)
//   FACTOR     table[i] = table[i] w_2m             TABLE slots, R empty cycles, FNTT only
//   GROUP      the butterflies of TABLE factors, all blocks with one factor before the next factor
//   INTERRUPT  table[i] = table[i] w_m^TABLE        between groups; max(R, TABLE) cycles
//   DRAIN      R + 4 empty cycles
// with R = DEPTH + 1, 7 for a multiplier of 6 stages. INTT ends with one cycle TURN and a round for the products with
// psi^-i / N: FILL with psi^-1, FACTOR by 1/N in max(R, TABLE) cycles, groups with one product a slot, DRAIN.
//
// Latency of a slot: its word is in operand registers 3 cycles later (READ_LATENCY), its product MULTIPLY
// cycles after that, sum and difference one later; the word of a butterfly is at the memory's write port in
// cycle R + 5 after its slot. Cycles with busy_o, TABLE = 4, DEPTH = 6, K = log2 N; for other depths see the model's
// crates/processor/src/depth.rs:
//   FNTT 26 K + 7 (N/4 + 1) + 2 + I K N/2;  INTT 15 K + 7 (N/4 + 1) + 7 N/4 + 25 + I K N/2 + I N;
//   LOAD N/2 + 2; ENCODE-LOAD N + 2; GAUSSIAN-LOAD steps of the sampler + 3 (each plus the cycles that it waits);
//   ADD N + 8; CMULT N + 13; READ N/2 + 4; REARRANGE N/2 + exchanges + 2; zeroization 512 + 32.

`default_nettype none

module ringwork_paper #(
    parameter N = 256,
    parameter Q = 7681,
    parameter H = 15,
    parameter SPLIT = 9,
    parameter WIDTH = $clog2(Q),
    parameter BANKS = 2,
    parameter BLOCKS_PER_BANK = 4,
    parameter TABLE = 4,
    parameter DEPTH = ringwork_latency::MODMUL,
    // Entry i: R w_(2^i), i = 0 .. log2 N + 1, and the inverses.
    parameter ROOTS = 0,
    parameter INVERSE_ROOTS = 0,
    // R / N.
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
    // Of zeroization: all words, then what is on its way.
    parameter ZERO_CYCLES = 512 + 32
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
  localparam K = $clog2(N);
  localparam MULTIPLY = DEPTH;

  // The bank of a block, and the address of a word in the bank: the block's place there, then the word's.
  function [2:0] bank(input [2:0] block);
    bank = BLOCKS_PER_BANK == 4 ? {2'b0, block[0]} : BLOCKS_PER_BANK == 2 ? {1'b0, block[2:1]} : block;
  endfunction

  function [8:0] address(input [2:0] block, input [K-2:0] word);
    address = BLOCKS_PER_BANK == 4 ? 9'({block[2:1], word}) : BLOCKS_PER_BANK == 2 ? 9'({block[0], word}) : 9'(word);
  endfunction

  // Address register, bank, operand register.
  localparam READ_LATENCY = 1 + ringwork_latency::RAM + 1;
  // From a slot to its product, and to its word before the write register.
  localparam LATENCY_PRODUCT = READ_LATENCY + MULTIPLY;
  // A sum: operands, the adder, and the sum before it.
  localparam LATENCY_ADD = READ_LATENCY + 1 + ringwork_latency::ADDSUB + 1;
  localparam LATENCY = LATENCY_PRODUCT + ringwork_latency::ADDSUB + 1;

  localparam KT = $clog2(TABLE);
  localparam TW = KT == 0 ? 1 : KT;
  // A factor that a slot of cycle 0 writes can be used by a slot of this cycle.
  localparam REUSE = LATENCY_PRODUCT + 1 - READ_LATENCY;
  localparam FILL_SLOTS = TABLE > 4 ? 4 : TABLE;
  // A table of more than four is filled in two halves, the second one by the first.
  localparam HALF = REUSE > 4 ? REUSE : 4;
  localparam FILL_CYCLES = TABLE > 4 ? HALF + 4 + REUSE : TABLE + REUSE;
  localparam PASS_CYCLES = TABLE > REUSE ? TABLE : REUSE;

  localparam [3:0] LOAD = 0, ENCODE_LOAD = 1, GAUSSIAN_LOAD = 2, FNTT = 3, INTT = 4, ADD = 5, CMULT = 6,
      REARRANGE = 7, READ = 8;
  localparam [3:0] IDLE = 0, DECODE = 1, INPUT = 2, LINEAR = 3, PAIRS = 4, EXCHANGE = 5, FILL = 6, FACTOR = 7,
      GROUP = 8, INTERRUPT = 9, DRAIN = 10, TURN = 11, LAST = 12, ZERO = 13;

  logic [3:0] state;
  logic [3:0] opcode;
  logic [2:0] read0, read1, read2, write;
  logic [1:0] last;
  logic [4:0] count;
  // Bit i is m = 2^i; bit K + 1 is the round of products behind INTT.
  logic [K+1:1] m;
  logic [3:0] log_m;
  logic [K-2:0] base;
  logic [K-1:0] index;
  logic [1:0] round;
  logic half;
  logic [9:0] zeroed;

  // Of the opcode: ADD; CMULT; one of them.
  logic adds, multiplies, pairs;
  logic scaling;
  logic last_loop;
  assign scaling = m[K+1];
  assign last_loop = m[K];

  // What comes in.
  logic sampler_run;
  logic sample_valid;
  logic [W-1:0] sample;
  logic take;
  logic input_word;
  logic [W-1:0] low_input;
  logic [W-1:0] input_coefficient;
  logic [2*W-1:0] checked;
  logic [1:0] too_large;
  logic last_input;

  assign data_ready_o = state == INPUT && opcode == LOAD;
  assign bit_ready_o = state == INPUT && opcode == ENCODE_LOAD;
  assign sampler_run = state == INPUT && opcode == GAUSSIAN_LOAD && !(last_input && sample_valid);
  assign take = state == INPUT && (opcode == LOAD ? data_valid_i : opcode == ENCODE_LOAD ? bit_valid_i : sample_valid);
  assign input_word = take && (opcode == LOAD || half);
  assign last_input = &index[K-2:0] && (opcode == LOAD || half);
  assign input_coefficient = opcode == ENCODE_LOAD ? (bit_i ? W'((Q - 1) / 2) : {W{1'b0}}) : sample;
  assign too_large = {data_i[2*W-1:W] >= Q, data_i[W-1:0] >= Q};
  assign checked = data_i & ~{{W{too_large[1]}}, {W{too_large[0]}}};
  assign out_of_range_o = data_ready_o && data_valid_i && too_large != 0;

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
      .run_i(sampler_run),
      .encode_i(1'b0),
      .random_i(random_i),
      .random_valid_i(random_valid_i),
      .random_ready_o(random_ready_o),
      .value_o(sample),
      .valid_o(sample_valid),
      .ready_i(1'b1)
  );

  // Sequencer.
  logic [K:0] next_index;
  logic [K-1:0] next_base;
  logic last_half, last_round, last_base, last_factor, last_of_group;
  logic [K-2:0] reversed;
  logic exchanged;

  assign next_index = {1'b0, index} + 1'b1;
  assign next_base = {1'b0, base} + {1'b0, m[K-2:1], 1'b0};
  assign last_half = scaling || last_loop || half;
  assign last_round = round == last;
  assign last_base = scaling || last_loop || m[K-1] || next_base[K-1];
  assign last_factor = (next_index & m) != 0;
  assign last_of_group = (32'(next_index) & (TABLE - 1)) == 0;
  genvar i;
  generate
    for (i = 0; i < K - 1; i = i + 1) begin : g_reversed
      assign reversed[i] = index[K-2-i];
    end
  endgenerate
  assign exchanged = index[K-2:0] < reversed;

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      state <= ZERO;
      zeroed <= 0;
      opcode <= LOAD;
      {adds, multiplies, pairs} <= 0;
      {read2, read1, read0, write, last} <= 0;
      count <= 0;
      m <= 0;
      log_m <= 0;
      base <= 0;
      index <= 0;
      round <= 0;
      half <= 1'b0;
    end else begin
      count <= count + 1'b1;
      case (state)
        IDLE:
        if (start_i) begin
          state <= DECODE;
          opcode <= opcode_i;
          adds <= opcode_i == ADD;
          multiplies <= opcode_i == CMULT;
          pairs <= opcode_i == ADD || opcode_i == CMULT;
          {read2, read1, read0} <= reads_i;
          write <= writes_i[2:0];
          last <= last_i;
          m <= 1;
          log_m <= 1;
        end
        DECODE: begin
          count <= 0;
          case (opcode)
            FNTT, INTT: state <= FILL;
            ADD, CMULT: state <= PAIRS;
            REARRANGE: state <= EXCHANGE;
            READ: state <= LINEAR;
            default: state <= INPUT;
          endcase
        end
        INPUT:
        if (take) begin
          half <= opcode != LOAD && !half;
          if (input_word) index <= {1'b0, next_index[K-2:0]};
          if (last_input) state <= LAST;
        end
        LINEAR: begin
          count <= 0;
          index <= {1'b0, next_index[K-2:0]};
          if (&index[K-2:0]) state <= DRAIN;
        end
        PAIRS: begin
          count <= 0;
          index <= next_index[K-1:0];
          if (&index) state <= DRAIN;
        end
        EXCHANGE: begin
          half <= exchanged && !half;
          if (!exchanged || half) begin
            index <= {1'b0, next_index[K-2:0]};
            if (&index[K-2:0]) state <= LAST;
          end
        end
        FILL:
        if (count == 5'(FILL_CYCLES - 1)) begin
          count <= 0;
          state <= opcode == FNTT || scaling ? FACTOR : GROUP;
        end
        FACTOR:
        if (count == 5'(scaling ? PASS_CYCLES - 1 : TABLE + REUSE - 1)) begin
          count <= 0;
          state <= GROUP;
        end
        GROUP: begin
          count <= 0;
          half <= !last_half;
          if (last_half) begin
            round <= last_round ? 2'd0 : round + 1'b1;
            if (last_round) begin
              base <= last_base ? {K - 1{1'b0}} : next_base[K-2:0];
              if (last_base) begin
                index <= last_factor ? {K{1'b0}} : next_index[K-1:0];
                if (last_factor) state <= DRAIN;
                else if (last_of_group) state <= INTERRUPT;
              end
            end
          end
        end
        INTERRUPT:
        if (count == 5'(PASS_CYCLES - 1)) begin
          count <= 0;
          state <= GROUP;
        end
        DRAIN:
        case (opcode)
          FNTT, INTT:
          if (count == 5'(LATENCY - 1)) begin
            count <= 0;
            if (scaling || last_loop && opcode == FNTT) state <= LAST;
            else if (last_loop) state <= TURN;
            else state <= FILL;
            m <= m << 1;
            log_m <= log_m + 1'b1;
          end
          ADD: if (count == LATENCY_ADD - 1) state <= LAST;
          CMULT: if (count == 5'(LATENCY - 1)) state <= LAST;
          default: if (count == READ_LATENCY - 2) state <= LAST;
        endcase
        TURN: begin
          count <= 0;
          state <= FILL;
        end
        ZERO: begin
          zeroed <= zeroed + 1'b1;
          if (zeroed == ZERO_CYCLES - 1) state <= IDLE;
        end
        default: state <= IDLE;
      endcase
    end
  end

  assign sampling_o = 1'b0;
  assign busy_o = state != IDLE;

  // A slot: what it reads, and where its word goes.
  logic slot_writes;
  logic slot_half;
  logic [K-2:0] slot_address;
  logic [2:0] slot_block;
  logic slot_swap;
  logic [K-2:0] slot_target;
  logic [2:0] slot_target_block;

  always @* begin
    slot_writes = 1'b0;
    slot_half = half;
    slot_address = index[K-2:0];
    slot_block = read0;
    slot_swap = 1'b0;
    case (state)
      PAIRS: begin
        slot_writes = index[0];
        slot_address = index[K-1:1];
        slot_block = index[0] ? read1 : read0;
      end
      EXCHANGE: begin
        slot_writes = exchanged;
        slot_address = half ? reversed : index[K-2:0];
      end
      GROUP: begin
        slot_writes = 1'b1;
        slot_half = scaling ? index[K-1] : half;
        slot_address = index[K-2:0] | base | (half ? m[K-1:1] : {K - 1{1'b0}});
        slot_block = round[1] ? read2 : round[0] ? read1 : read0;
        slot_swap = scaling && !index[K-1];
      end
      default: ;
    endcase
  end

  generate
    for (i = 0; i < K - 1; i = i + 1) begin : g_target
      assign slot_target[i] = state == EXCHANGE ? slot_address[K-2-i] : slot_address[i];
    end
  endgenerate
  assign slot_target_block = state == PAIRS ? write : slot_block;

  // A twiddle slot: table[slot_entry] = ROM entry slot_a times ROM entry slot_b or table[slot_factor].
  logic twiddle;
  logic from_rom;
  logic [3:0] slot_a, slot_b;
  logic [TW-1:0] slot_entry, slot_factor;
  localparam [3:0] ENTRY_N = 15;

  always @* begin
    twiddle = 1'b0;
    from_rom = 1'b0;
    slot_a = log_m;
    slot_b = count[1] ? log_m - 1'b1 : 4'd0;
    slot_entry = TW'(count);
    slot_factor = TW'(count);
    case (state)
      FILL: begin
        twiddle = count < 5'(FILL_SLOTS);
        from_rom = 1'b1;
        slot_a = count[0] ? log_m : 4'd0;
        if (TABLE > 4 && count >= 5'(HALF)) begin
          twiddle = count < 5'(HALF + 4);
          from_rom = 1'b0;
          slot_a = log_m - 4'd2;
          slot_factor = TW'(count - 5'(HALF));
          slot_entry = TW'(count - 5'(HALF - 4));
        end
      end
      FACTOR: begin
        twiddle = count < 5'(TABLE);
        slot_a = scaling ? ENTRY_N : log_m + 1'b1;
      end
      INTERRUPT: begin
        twiddle = count < 5'(TABLE);
        slot_a = log_m - 4'(KT);
      end
      GROUP: slot_factor = TW'(index & (TABLE - 1));
      default: ;
    endcase
  end

  function [32*W-1:0] rom(input integer unused);
    integer e;
    begin
      rom = 0;
      for (e = 0; e < K + 2; e = e + 1) begin
        rom[W*e+:W] = ROOTS[W*e+:W];
        rom[W*(16+e)+:W] = INVERSE_ROOTS[W*e+:W];
      end
      rom[W*31+:W] = N_INVERSE;
    end
  endfunction
  localparam [32*W-1:0] ROM = rom(0);

  logic [4:0] rom_index_a, rom_index_b;
  logic [W-1:0] rom_a, rom_a_late, rom_b, rom_b_late;
  logic inverse;
  logic [W-1:0] rom_words[0:31];
  assign inverse = opcode == INTT;
  generate
    for (i = 0; i < 32; i = i + 1) begin : g_rom
      assign rom_words[i] = ROM[W*i+:W];
    end
  endgenerate

  // Slots on their way. Bit d of a `..._at` stands for the slot d cycles ago.
  logic [LATENCY_PRODUCT:1] twiddle_at;
  logic [READ_LATENCY:1] from_rom_at;
  logic [READ_LATENCY:1] swap_at;
  logic [READ_LATENCY:1] reads_at;
  logic [LATENCY:1] writes_at;
  logic [LATENCY:1] half_at;
  logic [TW-1:0] factor_at[1:LATENCY];
  logic [TW-1:0] entry_at[1:LATENCY];
  logic [K+1:0] target_at[1:LATENCY];
  always_ff @(posedge clk_i) begin
    twiddle_at <= {twiddle_at[LATENCY_PRODUCT-1:1], twiddle};
    from_rom_at <= {from_rom_at[READ_LATENCY-1:1], from_rom};
    swap_at <= {swap_at[READ_LATENCY-1:1], slot_swap};
    reads_at <= {reads_at[READ_LATENCY-1:1], state == LINEAR};
    writes_at <= {writes_at[LATENCY-1:1], slot_writes};
    half_at <= {half_at[LATENCY-1:1], slot_half};
    // What was written is not written again.
    if (opcode == REARRANGE) writes_at[READ_LATENCY+1] <= 1'b0;
    if (opcode == ADD) writes_at[LATENCY_ADD+1] <= 1'b0;
    // A stopped processor writes nothing more.
    if (clear_i) begin
      twiddle_at <= 0;
      reads_at <= 0;
      writes_at <= 0;
    end
  end

  generate
    for (i = 1; i <= LATENCY; i = i + 1) begin : g_slot
      if (i == 1) begin : g_first
        always_ff @(posedge clk_i) begin
          factor_at[1] <= slot_factor;
          entry_at[1] <= slot_entry;
          target_at[1] <= {slot_target_block, slot_target};
        end
      end else begin : g_later
        always_ff @(posedge clk_i) begin
          factor_at[i] <= factor_at[i-1];
          entry_at[i] <= entry_at[i-1];
          target_at[i] <= target_at[i-1];
        end
      end
    end
  endgenerate

  // Operands: the word {high_word, low_word} READ_LATENCY cycles after its slot, and older ones.
  logic [W-1:0] high_word, high_word1;
  logic [W-1:0] low_word, low_word1, low_word2;
  localparam LAST_LOW = MULTIPLY > 4 ? MULTIPLY : 4;
  logic [W-1:0] low_words[3:LAST_LOW];
  logic [W-1:0] low_before, low_now;
  logic [W-1:0] entries[0:TABLE-1];
  logic second;
  logic [W-1:0] factor_a, factor_b, product;

  // A word: address register, register of the bank, operand register.
  logic [8:0] read_address;
  logic [2:0] read_bank1, read_bank2;
  logic [2*W-1:0] read_words[0:7];
  logic [2*W-1:0] read_word;

  always_ff @(posedge clk_i) begin
    read_address <= address(slot_block, slot_address);
    read_bank1 <= bank(slot_block);
    read_bank2 <= read_bank1;
  end
  assign read_address_o = {BANKS{read_address}};
  generate
    for (i = 0; i < 8; i = i + 1) begin : g_read
      assign read_words[i] = read_data_i[2*W*(i%BANKS)+:2*W];
    end
  endgenerate
  assign read_word = read_words[read_bank2];

  always_ff @(posedge clk_i) begin
    rom_index_a <= {inverse, slot_a};
    rom_index_b <= {inverse, slot_b};
    rom_a <= rom_words[rom_index_a];
    rom_a_late <= rom_a;
    rom_b <= rom_words[rom_index_b];
    rom_b_late <= rom_b;
    {high_word, low_word} <= read_word;
    high_word1 <= high_word;
    low_word1 <= swap_at[READ_LATENCY] ? high_word : low_word;
    low_word2 <= low_word1;
    low_words[3] <= low_word2;
    if (twiddle_at[LATENCY_PRODUCT]) entries[entry_at[LATENCY_PRODUCT]] <= product;
  end

  generate
    for (i = 4; i <= LAST_LOW; i = i + 1) begin : g_low
      always_ff @(posedge clk_i) low_words[i] <= low_words[i-1];
    end
    // The low half beside a product, and one cycle before.
    if (MULTIPLY == 2) begin : g_low_2
      assign low_before = low_word1;
      assign low_now = low_word2;
    end else if (MULTIPLY == 3) begin : g_low_3
      assign low_before = low_word2;
      assign low_now = low_words[3];
    end else begin : g_low_4
      assign low_before = low_words[MULTIPLY-1];
      assign low_now = low_words[MULTIPLY];
    end
  endgenerate

  // ADD and CMULT: high halves when the second word is there, then low halves.
  assign second = pairs && !writes_at[READ_LATENCY];
  // The product behind INTT may be of the low half; the other one goes beside it.
  assign factor_a = twiddle_at[READ_LATENCY] ? rom_a_late : second ? low_word1 :
      swap_at[READ_LATENCY] ? low_word : high_word;
  assign factor_b = pairs ? (second ? low_word2 : high_word1) :
      from_rom_at[READ_LATENCY] ? rom_b_late : entries[factor_at[READ_LATENCY]];

  ringwork_modmul #(
      .Q(Q),
      .H(H),
      .SPLIT(SPLIT),
      .WIDTH(W),
      .DEPTH(DEPTH)
  ) modmul (
      .clk_i(clk_i),
      .a_i(factor_a),
      .b_i(factor_b),
      .product_o(product)
  );

  // Adder and subtracter, and the registers R1 .. R5 of the paper.
  logic [W-1:0] add_a, add_b, addend, subtrahend;
  logic [W-1:0] r1, r2, r3, r4, r5;

  always_ff @(posedge clk_i) begin
    add_a <= adds ? factor_a : multiplies || scaling ? {W{1'b0}} : low_before;
    addend <= factor_b;
  end
  assign add_b = adds ? addend : product;
  assign subtrahend = scaling ? {W{1'b0}} : product;

  ringwork_addsub #(
      .Q(Q),
      .WIDTH(W)
  ) addsub (
      .clk_i(clk_i),
      .a_i(add_a),
      .b_i(add_b),
      .c_i(low_now),
      .d_i(subtrahend),
      .sum_o(r4),
      .difference_o(r1)
  );

  always_ff @(posedge clk_i) begin
    r5 <= r4;
    r2 <= r1;
    r3 <= r2;
  end

  // Write port.
  logic result_valid;
  logic [K+1:0] result_target;
  logic [2*W-1:0] result;

  assign result_valid = opcode == ADD ? writes_at[LATENCY_ADD] :
      opcode == REARRANGE ? writes_at[READ_LATENCY] : writes_at[LATENCY];
  assign result_target = opcode == ADD ? target_at[LATENCY_ADD] :
      opcode == REARRANGE ? target_at[READ_LATENCY] : target_at[LATENCY];

  always @* begin
    case (opcode)
      ADD, CMULT: result = {r5, r4};
      REARRANGE: result = {high_word, low_word};
      default:
      if (scaling) result = half_at[LATENCY] ? {r5, r2} : {r2, r5};
      else if (last_loop) result = {r2, r5};
      else result = half_at[LATENCY] ? {r2, r3} : {r4, r5};
    endcase
  end

  logic write_valid;
  logic [2:0] write_bank;
  logic [8:0] write_address;
  logic [2*W-1:0] write_word;
  logic zeroing, write_zero;

  assign zeroing = state == ZERO;
  always_ff @(posedge clk_i) begin
    if (clear_i) low_input <= 0;
    else if (take && !half) low_input <= input_coefficient;
    write_zero <= zeroing && !clear_i && !zeroed[9];
    write_valid <= !clear_i && (input_word || result_valid);
    write_bank <= bank(state == INPUT ? write : result_target[K+1-:3]);
    write_address <= zeroing ? zeroed[8:0] :
        state == INPUT ? address(write, index[K-2:0]) : address(result_target[K+1-:3], result_target[K-2:0]);
    write_word <= zeroing ? {2 * W{1'b0}} :
        state != INPUT ? result : opcode == LOAD ? checked : {input_coefficient, low_input};
  end

  generate
    for (i = 0; i < BANKS; i = i + 1) begin : g_write
      assign write_o[i] = write_zero || write_valid && write_bank == i;
    end
  endgenerate
  assign write_address_o = {BANKS{write_address}};
  assign write_data_o = {BANKS{write_word}};

  // READ.
  localparam LEAST = (Q + 3) / 4;
  localparam MOST = 3 * Q / 4;
  assign data_valid_o = reads_at[READ_LATENCY];
  assign data_o = data_valid_o ? {high_word, low_word} : {2 * W{1'b0}};
  assign bits_o = {
    data_o[2*W-1:W] >= LEAST && data_o[2*W-1:W] <= MOST, data_o[W-1:0] >= LEAST && data_o[W-1:0] <= MOST
  };

endmodule

`default_nettype wire
