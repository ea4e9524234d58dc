// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Cycles from a module's inputs to its outputs. A module that uses others adds them up. MODMUL is what the parameter
// DEPTH is unless a processor is given another one.

`default_nettype none

package ringwork_latency;
  localparam ADDSUB = 1;
  localparam MODMUL = 6;
  localparam RAM = 1;
endpackage

`default_nettype wire
