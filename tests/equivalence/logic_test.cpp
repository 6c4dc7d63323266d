// Circuits: values and inertia gate by gate, and that nothing depends on how gates are dealt to LPs.

#include <map>
#include <string>

#include <gtest/gtest.h>

#include "logic/input/read.hpp"
#include "logic/settling.hpp"
#include "logic/value.hpp"
#include "support/error_of.hpp"
#include "support/logic_runs.hpp"

namespace anachron::models::logic {
namespace {

// IEEE 1364-2005, tables 7-3 and 7-4, with values in the order 0 1 x z.
TEST(LogicValues, GatesAreThoseOfTheStandard) {
  const Value values[] = {Value::zero, Value::one, Value::x, Value::z};
  const std::map<Op, std::string> tables{{Op::and_,
                                          "0000"
                                          "01xx"
                                          "0xxx"
                                          "0xxx"},
                                         {Op::nand,
                                          "1111"
                                          "10xx"
                                          "1xxx"
                                          "1xxx"},
                                         {Op::or_,
                                          "01xx"
                                          "1111"
                                          "x1xx"
                                          "x1xx"},
                                         {Op::nor,
                                          "10xx"
                                          "0000"
                                          "x0xx"
                                          "x0xx"},
                                         {Op::xor_,
                                          "01xx"
                                          "10xx"
                                          "xxxx"
                                          "xxxx"},
                                         {Op::xnor,
                                          "10xx"
                                          "01xx"
                                          "xxxx"
                                          "xxxx"}};
  for (const auto& [op, table] : tables)
    for (std::size_t a = 0; a < 4; ++a)
      for (std::size_t b = 0; b < 4; ++b)
        EXPECT_EQ(to_char(evaluate(op, 2, [&](std::uint32_t k) { return values[k ? b : a]; })),
                  table[4 * a + b])
            << kOpNames[static_cast<std::size_t>(op)] << ' ' << to_char(values[a]) << ' '
            << to_char(values[b]);
  for (std::size_t a = 0; a < 4; ++a) {
    EXPECT_EQ(to_char(evaluate(Op::buf, 1, [&](std::uint32_t) { return values[a]; })), "01xx"[a]);
    EXPECT_EQ(to_char(evaluate(Op::not_, 1, [&](std::uint32_t) { return values[a]; })), "10xx"[a]);
  }
}

// Up to five inputs are a table, more are looked at one by one.
TEST(LogicValues, AWideGateIsLikeANarrowOne) {
  for (const std::string op : {"and", "nand", "or", "nor"}) {
    const Folder folder;
    const Outcome result =
        run(folder,
            "module m (input a, b, c, output n, w, u);\n wire d;\n buf #1 (d, c);\n " + op +
                " #2 (n, a, b, d);\n " + op + " #2 (w, a, b, d, a, b, d, a);\n " + op +
                " #2 (u, d, a, a, b, b);\nendmodule\n",
            "0 a=0 b=1\n5 c=1\n9 a=1\n13 b=x\n17 a=0\n20 c=0 b=0\n22 a=z\n30 b=1\n33 c=z a=1\n");
    EXPECT_EQ(result.nets.at("w"), result.nets.at("n")) << op;
    EXPECT_EQ(result.nets.at("u"), result.nets.at("n")) << op;
    EXPECT_GT(result.nets.at("n").size(), 12u) << op;
  }
}

TEST(LogicBlocks, AreAQuarterOfTheCircuitIfNeitherSmallNorLarge) {
  const auto blocks = [](std::uint32_t gates, std::uint32_t per_lp) {
    Params params;
    params.gates = gates;
    params.gates_per_lp = per_lp;
    return Circuit(params).blocks();
  };
  EXPECT_EQ(blocks(1, 0), 1u);
  EXPECT_EQ(blocks(9'999, 0), 1u);
  EXPECT_EQ(blocks(10'000, 0), 2u);
  EXPECT_EQ(blocks(24'001, 0), 4u);
  EXPECT_EQ(blocks(160'001, 0), 5u);
  EXPECT_EQ(blocks(10'000, 2'000), 5u);
}

TEST(LogicDelays, APulseShorterThanTheDelayIsSuppressed) {
  const Folder folder;
  const Outcome result = run(folder, "module m (input a, output y);\n buf #5 g(y, a);\nendmodule\n",
                             "0 a=0\n10 a=1\n14 a=0\n20 a=1\n25 a=0\n");
  EXPECT_EQ(result.nets.at("y"), "0:x 5:0 25:1 30:0");
  EXPECT_EQ(result.report.results.value("suppressed"), 1);
}

TEST(LogicDelays, RiseAndFallDiffer) {
  const Folder folder;
  const Outcome result = run(folder, "module m (input a, output y);\n not #(3, 7) g(y, a);\nendmodule\n",
                             "0 a=0\n10 a=1\n20 a=0\n30 a=x\n40 a=1\n");
  EXPECT_EQ(result.nets.at("y"), "0:x 3:1 17:0 23:1 33:x 47:0");
}

TEST(LogicFlipFlop, TakesOverWhatWasThereBeforeTheEdge) {
  const Folder folder;
  const Outcome result =
      run(folder, "module m (input c, d, output q);\n dff #1 f(q, c, d);\nendmodule\n",
          "0 c=0 d=0\n10 c=1\n20 c=0\n30 c=1 d=1\n40 c=0\n50 c=1\n60 c=x\n70 c=1 d=0\n80 c=0\n90 c=x\n");
  EXPECT_EQ(result.nets.at("q"), "0:x 11:0 51:1 91:x");
}

TEST(LogicFlipFlop, ARegisterTakesOverDataWhenItsClockMayHaveRisen) {
  const Folder folder;
  const Outcome result =
      run(folder, "module m (input c, d, output reg q);\n always @(posedge c) q <= #1 d;\nendmodule\n",
          "0 c=0 d=1\n10 c=x\n20 d=z\n30 c=1\n40 c=0\n50 d=0\n60 c=1\n70 c=z\n80 d=1\n90 c=1\n");
  EXPECT_EQ(result.nets.at("q"), "0:x 11:1 31:z 61:0 91:1");
}

TEST(LogicNets, AssignmentsHandOnZ) {
  const Folder folder;
  const Outcome result = run(folder,
                             "module m (input a, c, output p, q, r, s);\n assign #(3, 5) p = a;\n"
                             " assign q = c ? a : 1'b0;\n assign r = p;\n buf #1 (s, r);\nendmodule\n",
                             "0 a=0 c=1\n10 a=z\n20 c=x\n30 a=1 c=0\n");
  EXPECT_EQ(result.nets.at("p"), "0:x 5:0 13:z 33:1");
  EXPECT_EQ(result.nets.at("r"), result.nets.at("p"));
  EXPECT_EQ(result.nets.at("q"), "0:x 0:0 10:z 20:x 30:0");
  EXPECT_EQ(result.nets.at("s"), "0:x 6:0 14:x 34:1") << "a gate takes z for x";
}

TEST(LogicNets, ConstantsNamesAndUndrivenNets) {
  const Folder folder;
  const Outcome result =
      run(folder,
          "module m (a, y, z);\n input a;\n output [1:0] y;\n output z;\n wire w, open;\n supply1 vdd;\n"
          " assign w = y[0], z = w;\n and #2 (y[0], a, vdd);\n or #2 g(y[1], 1'b0, open);\nendmodule\n",
          "4 a=1\n");
  for (const char* name : {"y[0]", "w", "z"}) EXPECT_EQ(result.nets.at(name), "0:x 6:1") << name;
  EXPECT_EQ(result.nets.at("open"), "0:z");
  EXPECT_EQ(result.report.results.value("undriven_nets"), 1);
}

TEST(LogicSettling, WhatTakesNoTimeHappensAtTheTimeOfItsCause) {
  const Folder folder;
  const Outcome result =
      run(folder,
          "module m (input a, b, output x, y, z);\n wire n;\n not g1(n, a);\n and g2(x, n, b);\n"
          " and g3(y, a, n);\n buf #2 g4(z, y);\nendmodule\n",
          "0 a=0 b=1\n10 a=1\n20 a=0\n");
  EXPECT_EQ(result.nets.at("n"), "0:x 0:1 10:0 20:1");
  EXPECT_EQ(result.nets.at("x"), "0:x 0:1 10:0 20:1");
  EXPECT_EQ(result.nets.at("y"), "0:x 0:0") << "no glitch, whichever of its inputs is first";
  EXPECT_EQ(result.nets.at("z"), "0:x 2:0");
}

// A shift register, a counter that ripples, a clock behind a gate.
TEST(LogicSettling, FlipFlopsSeeDataAsTheyWereBeforeTheirClockRose) {
  const Folder folder;
  const Outcome result = run(
      folder,
      "module m (input c, d, e, output q1, q2, r1, r2, g);\n wire n1, n2, gated;\n dff f1(q1, c, d);\n"
      " dff f2(q2, c, q1);\n dff f3(r1, c, n1);\n not i1(n1, r1);\n dff f4(r2, n1, n2);\n not i2(n2, r2);\n"
      " and a1(gated, c, e);\n dff f5(g, gated, q1);\nendmodule\n",
      "0 c=0 d=1 e=1\n10 c=1\n20 c=0 d=0\n30 c=1\n40 c=0\n50 c=1\n60 c=0 d=1 e=0\n70 c=1 d=0\n");
  EXPECT_EQ(result.nets.at("q1"), "0:x 10:1 30:0 70:1") << "the data before the clock at 70";
  EXPECT_EQ(result.nets.at("q2"), "0:x 30:1 50:0");
  EXPECT_EQ(result.nets.at("g"), "0:x 30:1 50:0") << "at 10 it sees q1 as before, and at 70 its clock rests";
}

TEST(LogicSettling, ALoopWithoutDelayIsNamed) {
  EXPECT_EQ(
      test::error_of([&] {
        const Netlist loop = parse_verilog(
            "module m (input a, output y);\n wire p, q;\n and g1(p, a, q);\n buf g2(q, y);\n"
            " not g3(y, p);\nendmodule\n",
            "f", Delays("0"));
        settling_order(loop);
      }),
      "f:3: expected a delay of some gate of each loop, found none in 'p' <- 'q' <- 'y' <- 'p'; --delays "
      "gives gates one");
  // With a delay somewhere it is none, nor where a flip-flop is in it, but for its clock.
  const auto order = [](const std::string& items) {
    return settling_order(
        parse_verilog("module m (input c, output q);\n wire n;\n" + items + "endmodule\n", "f", Delays("0")));
  };
  EXPECT_EQ(order("not #1 g(n, q);\n buf h(q, n);\n").size(), 2u);
  EXPECT_EQ(order("not g(n, q);\n dff h(q, c, n);\n").size(), 2u);
  EXPECT_THROW(order("not g(n, q);\n dff h(q, n, c);\n"), InputError);
}

TEST(LogicSettling, DoesNotDependOnModesOrHowGatesAreDealt) {
  const Folder folder;
  for (const char* delays : {"0", "0,nand=3,xor=2:0", "3,not=0,dff=0,or=0:2"}) {
    for (const double flops : {0.0, 0.2}) {
      Params params;
      params.gates = 300;
      params.inputs = 12;
      params.flops = flops;
      params.vectors = 8;
      params.delays = delays;
      const Outcome one = run(folder, params);
      EXPECT_GT(one.report.results.value("changes"), 200);
      for (const std::uint32_t size : {1u, 10u, 77u}) {
        params.gates_per_lp = size;
        const Outcome alone = run(folder, params);
        EXPECT_EQ(alone.nets, one.nets) << size << ' ' << delays;
        for (const Sync sync : {Sync::optimistic, Sync::conservative})
          EXPECT_EQ(run(folder, params, sync).vcd, alone.vcd) << size << ' ' << delays;
      }
    }
  }
}

// Changes do not depend on LPs and modes; the file is the same to the last byte in each mode.
TEST(LogicVcd, IsTheSameInEveryMode) {
  const Folder folder;
  Params params;
  params.gates = 300;
  params.inputs = 12;
  params.vectors = 5;
  params.delays = "2,nand=3:5";
  const Outcome one = run(folder, params);
  for (const std::uint32_t size : {1u, 10u, 77u}) {
    params.gates_per_lp = size;
    const Outcome alone = run(folder, params);
    EXPECT_EQ(alone.nets, one.nets) << size;
    for (const Sync sync : {Sync::optimistic, Sync::conservative})
      EXPECT_EQ(run(folder, params, sync).vcd, alone.vcd);
  }
}

}  // namespace
}  // namespace anachron::models::logic
