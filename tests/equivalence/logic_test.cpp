// Circuits: values and inertia gate by gate, and that nothing depends on how gates are dealt to LPs.

#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdio>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <anachron/anachron.hpp>

#include "logic/model.hpp"
#include "logic/read.hpp"
#include "logic/settling.hpp"
#include "logic/value.hpp"
#include "support/error_of.hpp"

namespace anachron::models::logic {
namespace {

namespace fs = std::filesystem;

class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / fs::path("logic_test_" + std::to_string(::getpid()))) {
    fs::create_directories(path_);
  }
  ~Folder() { fs::remove_all(path_); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name) << text;
    return (path_ / name).string();
  }
  std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

std::string read(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

/// The changes of each net in a VCD file: "TIME:VALUE ...".
std::map<std::string, std::string> changes(const std::string& path) {
  std::istringstream in(read(path));
  std::map<std::string, std::vector<std::string>> names;
  std::map<std::string, std::string> all, last;
  std::string time;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string word;
    words >> word;
    if (word == "$var") {
      std::string kind, width, id, name;
      words >> kind >> width >> id >> name;
      names[id].push_back(name);
    } else if (word.starts_with('#')) {
      time = word.substr(1);
    } else if (!word.empty() && !word.starts_with('$') && last[word.substr(1)] != word) {
      last[word.substr(1)] = word;
      for (const auto& name : names[word.substr(1)]) {
        std::string& of_net = all[name];
        of_net += (of_net.empty() ? "" : " ") + time + ':' + word[0];
      }
    }
  }
  return all;
}

struct Outcome {
  Report report;
  std::map<std::string, std::string> nets;
  std::string vcd;
};

Outcome run(const Folder& folder, Params params, Sync sync = Sync::sequential) {
  Simulation<Gates> simulation;
  params.vcd = folder.file("out.vcd");
  simulation.params<Params>() = params;
  simulation.config.sync = sync;
  if (sync != Sync::sequential) {
    simulation.config.workers = 2;
    simulation.config.pes = 3;
    simulation.config.mapping = Mapping::fixed;
  }
  Outcome result{simulation.run(), changes(params.vcd), read(params.vcd)};
  return result;
}

Outcome run(const Folder& folder, const std::string& circuit, const std::string& stimuli) {
  Params params;
  params.circuit = folder.write("c.v", circuit);
  params.stimuli = folder.write("s.txt", stimuli);
  return run(folder, params);
}

std::string complaint(const std::string& text, bool is_bench = false) {
  return test::error_of(
      [&] { is_bench ? parse_bench(text, "f", Delays("1")) : parse_verilog(text, "f", Delays("1")); });
}

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

TEST(LogicReader, WhatIsWrittenIsReadAgain) {
  const Folder folder;
  Params params;
  params.gates = 200;
  params.delays = "2,nor=3:5";
  params.verilog = folder.file("again.v");
  const Outcome before = run(folder, params);
  params.circuit = params.verilog;
  params.verilog.clear();
  EXPECT_EQ(run(folder, params).nets, before.nets);
}

TEST(LogicReader, Bench) {
  const Netlist c17 = parse_bench(
      "# c17\nINPUT(1)\nINPUT(2)\nINPUT(3)\nINPUT(6)\nINPUT(7)\nOUTPUT(22)\nOUTPUT(23)\n"
      "10 = NAND(1, 3)\n11 = nand(3, 6)\n16 = NAND(2, 11)\n19 = NAND(11, 7)\n22 = NAND(10, 16)\n23 = "
      "NAND(16, 19)\n",
      "c17", Delays("1,nand=3"));
  EXPECT_EQ(c17.gates().size(), 6u);
  EXPECT_EQ(c17.inputs().size(), 5u);
  EXPECT_EQ(c17.gates()[0].delay, (Delay{3, 3}));
  EXPECT_EQ(c17.net_name(c17.input(c17.gates()[5], 1)), "19");
  const Netlist toggle = parse_bench("OUTPUT(q)\nq = DFF(d)\nd = NOT(q)\n", "t", Delays("1"));
  EXPECT_EQ(toggle.net_name(toggle.inputs().at(0)), kBenchClock);
}

/// The last value of each output, by name.
std::map<std::string, std::string> outputs(const std::string& file_name, const std::string& text,
                                           const std::string& stimuli) {
  const Folder folder;
  Params params;
  params.circuit = folder.write(file_name, text);
  params.stimuli = folder.write("s.txt", stimuli);
  std::map<std::string, std::string> values;
  const Outcome outcome = run(folder, params);
  const auto& table = outcome.report.results.tables().at("outputs");
  for (const auto& row : table.rows) values[std::get<std::string>(row[0])] = std::get<std::string>(row[1]);
  return values;
}
using Values = std::map<std::string, std::string>;

TEST(LogicReader, AnEscapedNameIsNoBitOfAVector) {
  EXPECT_EQ(
      outputs("c.v",
              "module m (a, y, z);\n input a;\n output y, z;\n wire [1:0] n;\n wire \\n[0] ;\n not g1(n[0], "
              "a);\n buf g2(y, n[0]);\n buf g3(z, \\n[0] );\nendmodule\n",
              "0 a=0\n"),
      (Values{{"y", "1"}, {"z", "x"}}));
  EXPECT_EQ(
      outputs("c.v",
              "module m (input [1:0] n, input \\n[0] , output y, z);\n not g1(y, n[0]);\n not g2(z, \\n[0] "
              ");\nendmodule\n",
              "0 n[0]=0 \\n[0]=1\n"),
      (Values{{"y", "1"}, {"z", "0"}}));
  EXPECT_EQ(
      outputs("c.v",
              "module m (\\bus.x , y, z);\n input [1:0] \\bus.x ;\n output y, z;\n not g1(y, \\bus.x [1]);\n"
              " not g2(z, \\bus.x\n   [0]);\nendmodule\n",
              "0 bus.x[1]=0 bus.x[0]=1\n"),
      (Values{{"y", "1"}, {"z", "0"}}));
  EXPECT_EQ(outputs("c.v", "module m (input [1:0] \\bus , output y);\n buf g(y, bus[1]);\nendmodule\n",
                    "0 bus[1]=1\n"),
            (Values{{"y", "1"}}));
}

TEST(LogicReader, DirectivesAreObeyed) {
  const auto gates = [](const std::string& items) {
    return parse_verilog("module m (input a, output x, y);\n" + items + "\nendmodule\n", "f", Delays("1"))
        .gates()
        .size();
  };
  const std::string x = "buf g(x, a);", y = "buf h(y, a);";
  EXPECT_EQ(gates(x + "\n`ifdef NEVER\n" + y + "\n`endif"), 1u);
  EXPECT_EQ(gates(x + "\n`ifndef NEVER\n" + y + "\n`endif"), 2u);
  EXPECT_EQ(gates("`define A\n`ifdef A\n" + x + "\n`else\n" + y + "\n`endif"), 1u);
  EXPECT_EQ(gates("`define A 1 \\\n `else 2\n`undef A\n`ifdef A\n`else\n" + x + y + "\n`endif"), 2u);
  EXPECT_EQ(gates("`ifdef A\n`ifndef B\n" + x + "`else\n" + y + "\n`endif `elsif B " + y + " `else " + x +
                  "`endif"),
            1u);
  EXPECT_EQ(gates("`ifdef A // `endif\n /* `endif */ \\`endif  \n`endif " + x), 1u);
  EXPECT_EQ(gates(x + " `celldefine " + y + "\n`endcelldefine"), 2u);
  EXPECT_EQ(gates("`timescale 1 ns / 100ps " + x + " `default_nettype none " + y), 2u);
  EXPECT_EQ(parse_verilog("`timescale 10ps/1ps module m (input a); `resetall endmodule", "f", Delays("1"))
                .timescale,
            "10ps");
}

TEST(LogicReader, DirectivesThatDoNotMatchAreNamedByLine) {
  const auto verilog = [](const std::string& items) {
    return complaint("module m (input a, output y);\n" + items + "endmodule\n");
  };
  EXPECT_EQ(verilog("`ifdef A\n"), "f:4: expected `endif for the conditional of line 2, found the end");
  EXPECT_EQ(verilog("`endif\n"), "f:2: expected `ifdef or `ifndef before `endif");
  EXPECT_EQ(verilog("`ifdef A\n`else\n`else\n`endif\n"), "f:4: expected `endif behind `else, found `else");
  EXPECT_EQ(verilog("`define W 3\nwire [`W:0] w;\n"),
            "f:3: expected a text without macros, found `W, which is not expanded");
  EXPECT_EQ(verilog("`nothing\n"), "f:2: expected a directive or a macro that is defined, found `nothing");
  EXPECT_EQ(verilog("`include \"b.v\"\n"), "f:2: expected one file with all of the circuit, found `include");
}

TEST(LogicReader, ConstantsAndConcatenations) {
  EXPECT_EQ(
      outputs("c.v",
              "module synthesised(a, b, w, x, y, z);\n input a, b;\n output w, x, y, z;\n assign w = 1'h0;\n"
              " assign x = 1'b1;\n assign {y, z} = {a, b};\nendmodule\n",
              "0 a=1 b=0\n"),
      (Values{{"w", "0"}, {"x", "1"}, {"y", "1"}, {"z", "0"}}));
  EXPECT_EQ(
      outputs("c.v",
              "module m (input [3:0] a, output [9:0] y, output p);\n assign y = {{2{a[1:0]}}, 4 'hA, 2'd1};\n"
              " assign p = 0;\nendmodule\n",
              "0 a[0]=1 a[1]=0\n"),
      (Values{{"y[9]", "0"},
              {"y[8]", "1"},
              {"y[7]", "0"},
              {"y[6]", "1"},
              {"y[5]", "1"},
              {"y[4]", "0"},
              {"y[3]", "1"},
              {"y[2]", "0"},
              {"y[1]", "0"},
              {"y[0]", "1"},
              {"p", "0"}}));
  const auto verilog = [](const std::string& items) {
    return complaint("module m (input [1:0] a, output [1:0] y);\n" + items + "endmodule\n");
  };
  EXPECT_EQ(verilog("assign y = 3'b101;\n"),
            "f:2: expected as many bits on both sides of '=', found 2 and 3");
  EXPECT_EQ(verilog("assign y = {a[0], 2'b10};\n"),
            "f:2: expected as many bits on both sides of '=', found 2 and 3");
  EXPECT_EQ(verilog("assign y = 4;\n"), "f:2: expected a constant that fits into 2 bits");
  EXPECT_EQ(verilog("assign y = 2'b2;\n"), "f:2: expected digits of base 'b', found '2'");
  EXPECT_EQ(verilog("assign y = 2'h7;\n"), "f:2: expected a constant that fits into 2 bits, found '7'");
  EXPECT_EQ(verilog("assign y = 2'bx1;\n"),
            "f:2: expected a constant of 0s and 1s, found 'x1': nets without a driver are z, not constants");
  EXPECT_EQ(verilog("assign y = {a[0], 1};\n"),
            "f:2: expected a constant with a size, as 1'b0, found one without");
  EXPECT_EQ(verilog("not g(y[0], a);\n"), "f:2: expected a single bit, found the 2 bits of 'a'");
  EXPECT_EQ(verilog("wire and;\n"), "f:2: expected a net, which is no keyword, found 'and'");
}

TEST(LogicReader, WhatYosysWrites) {
  const std::string counter =
      "/* Generated by Yosys */\n(* src = \"cnt.v:1\" *)\nmodule cnt(clk, a, q, y);\n  input clk;\n  wire "
      "clk;\n"
      "  input a;\n  wire a;\n  output [1:0] q;\n  reg [1:0] q;\n  output y;\n  wire y;\n  wire _00_;\n"
      "  assign _00_ = ~q[0];\n  assign y = a ? q[1] & ~q[0] : q[1] | q[0] ^ q[1];\n"
      "  always @(posedge clk)\n    q[0] <= a & _00_;\n"
      "  always @(posedge clk) begin\n    q[1] <= a & (q[1] ^ q[0]);\n  end\nendmodule\n";
  const std::string start = "0 clk=0 a=0\n5 clk=1\n10 clk=0 a=1\n";
  EXPECT_EQ(outputs("c.v", counter, start), (Values{{"q[1]", "0"}, {"q[0]", "0"}, {"y", "0"}}));
  EXPECT_EQ(outputs("c.v", counter, start + "15 clk=1\n"),
            (Values{{"q[1]", "0"}, {"q[0]", "1"}, {"y", "0"}}));
  EXPECT_EQ(outputs("c.v", counter, start + "15 clk=1\n20 clk=0\n25 clk=1\n"),
            (Values{{"q[1]", "1"}, {"q[0]", "0"}, {"y", "1"}}));
  EXPECT_EQ(outputs("c.v", counter, start + "15 clk=1\n20 clk=0\n25 clk=1\n30 clk=0 a=0\n"),
            (Values{{"q[1]", "1"}, {"q[0]", "0"}, {"y", "1"}}));
}

TEST(LogicReader, ExpressionsHaveVerilogsPrecedenceAndValues) {
  const auto value = [](const std::string& expression, const std::string& stimuli) {
    return outputs("c.v", "module m (input a, b, c, output y);\n assign y = " + expression + ";\nendmodule\n",
                   stimuli)["y"];
  };
  for (unsigned row = 0; row < 8; ++row) {
    const bool a = row & 1, b = row & 2, c = row & 4;
    const auto bit = [](bool x) { return std::string(x ? "1" : "0"); };
    const std::string stimuli = "0 a=" + bit(a) + " b=" + bit(b) + " c=" + bit(c) + "\n";
    EXPECT_EQ(value("a | b & c", stimuli), bit(a || (b && c))) << row;
    EXPECT_EQ(value("a ^ b & c | ~a", stimuli), bit((a != (b && c)) || !a)) << row;
    EXPECT_EQ(value("~(a & b & c)", stimuli), bit(!(a && b && c))) << row;
    EXPECT_EQ(value("a ~^ b ^ c", stimuli), bit((a == b) != c)) << row;
    EXPECT_EQ(value("a ? b : c ? 1'b0 : ~b", stimuli), bit(a ? b : c ? false : !b)) << row;
  }
  EXPECT_EQ(value("a ? b : c", "0 b=1 c=1\n"), "1") << "an unknown condition between equal values";
  EXPECT_EQ(value("a ? b : c", "0 b=0 c=0\n"), "0");
  EXPECT_EQ(value("a ? b : c", "0 b=0 c=1\n"), "x");
  const auto verilog = [](const std::string& items) {
    return complaint("module m (input c, d, output reg q, output [1:0] y);\n" + items + "endmodule\n");
  };
  EXPECT_EQ(verilog("assign y = {c, d} & d;\n"),
            "f:2: expected as many bits on both sides of an operator, found 2 and 1");
  EXPECT_EQ(verilog("always @(posedge c, posedge d) q <= d;\n"),
            "f:2: expected one clock, found another event: a flip-flop has neither set nor reset here");
  EXPECT_EQ(verilog("always @(posedge c) if (d) q <= d;\n"),
            "f:2: expected q <= d (a flip-flop with enable or reset is for a synthesiser to take apart), "
            "found 'if'");
  EXPECT_EQ(verilog("reg r = 1'b0;\n"),
            "f:2: expected no value to begin with, which flip-flops do not have here");
}

TEST(LogicReader, WhatAbcWrites) {
  EXPECT_EQ(
      outputs("mapped.bench",
              "INPUT(a)\nINPUT(b)\nOUTPUT(n1)\nOUTPUT(n2)\nOUTPUT(n3)\nn1 = LUT 0x7 ( a, b )\nn2 = gnd\n"
              "n3 = vdd()\n",
              "0 a=1 b=1\n"),
      (Values{{"n1", "0"}, {"n2", "0"}, {"n3", "1"}}));
  // All tables of three inputs, for all their values.
  for (unsigned table = 0; table < 256; ++table) {
    char text[100];
    std::snprintf(text, sizeof text, "INPUT(a)\nINPUT(b)\nINPUT(c)\nOUTPUT(y)\ny = LUT 0x%x (a, b, c)\n",
                  table);
    const Netlist netlist = parse_bench(text, "f", Delays("3"));
    for (unsigned row = 0; row < 8; ++row) {
      std::map<NetIndex, Value> values{{Netlist::kZero, Value::zero}, {Netlist::kOne, Value::one}};
      for (unsigned k = 0; k < 3; ++k) values[netlist.inputs()[k]] = row >> k & 1 ? Value::one : Value::zero;
      for (const std::uint32_t g : settling_order(netlist)) {
        const Gate& gate = netlist.gates()[g];
        values[gate.output] =
            evaluate(gate.op, gate.inputs, [&](std::uint32_t k) { return values[netlist.input(gate, k)]; });
      }
      ASSERT_EQ(values[netlist.same(netlist.find("y"))], table >> row & 1 ? Value::one : Value::zero)
          << table << ' ' << row;
    }
  }
  EXPECT_EQ(complaint("INPUT(a)\ny = LUT 0x5 (a)\n", true), "f:2: expected a table of 2 bits, found '0X5'");
  EXPECT_EQ(complaint("INPUT(a)\ny = LUT 7 (a)\n", true),
            "f:2: expected 1 hexadecimal digits behind LUT 0x for 1 inputs, found '7'");
}

TEST(LogicReader, LinesMayEndInCarriageReturns) {
  const Values expected{{"y", "0"}};
  EXPECT_EQ(outputs("c.v", "module m (input a, output y); // one\rnot g(y, a);\rendmodule\r", "0 a=1\r"),
            expected);
  EXPECT_EQ(outputs("c.bench", "# one\rINPUT(a)\rOUTPUT(y)\ry = NOT(a)\r", "0 a=1\r"), expected);
}

TEST(LogicReader, MistakesAreNamedByLine) {
  const auto verilog = [](const std::string& items) {
    return complaint("module m (input a, output y);\n" + items + "endmodule\n");
  };
  EXPECT_EQ(verilog("bufif1 g(y, a, a);\n").substr(0, 23), "f:2: expected input, ou");
  EXPECT_EQ(verilog("not g(y, a);\nnot h(y, a);\n"),
            "f:3: expected one driver for each net, found a second one of 'y': the other one is on line 2");
  EXPECT_EQ(verilog("not g(a, y);\n"),
            "f:2: expected one driver for each net, found a second one of 'a': the other one is on line 1");
  EXPECT_EQ(verilog("not #1.5 g(y, a);\n"),
            "f:2: expected a delay: whole ticks from 0 to 1000000000, found '1.5'");
  EXPECT_EQ(verilog("wire [3:0] w;\nnot g(w[4], a);\n"), "f:3: expected a bit of 'w' from 0 to 3, found 4");
  EXPECT_EQ(verilog("wire v, w;\nassign v = w;\nassign w = v;\n"),
            "f:3: expected a driver, found 'v' assigned to itself");
  EXPECT_EQ(verilog("dff f(y, a);\n"), "f:2: expected dff (q, clk, d), found 2 nets");
  EXPECT_EQ(complaint("module m (a);\nendmodule\n"),
            "f:1: expected a declaration as input or output of the port 'a'");
  EXPECT_EQ(complaint("module m (input a);\n"),
            "f:2: expected a gate, a declaration or 'endmodule', found the end");
  EXPECT_NE(complaint("primitive dff (q, d, clk);\nendprimitive\n").find("f:1: expected the primitive dff"),
            std::string::npos);
  EXPECT_EQ(
      complaint("a = FOO(b)\n", true),
      "f:1: expected one of AND, NAND, OR, NOR, XOR, XNOR, BUFF, NOT, DFF, LUT 0x.., gnd, vdd, found 'FOO'");
  EXPECT_EQ(complaint("INPUT(a)\nb = AND(a, c)\n", true),
            "f:2: expected an input or the output of a gate, found 'c'");
  EXPECT_EQ(complaint("\nb = NOT(a, c)\n", true), "f:2: expected one input of NOT, found 2");
}

TEST(LogicReader, MistakesInStimuliAreNamedByLine) {
  const Folder folder;
  const auto refused = [&](const std::string& stimuli) -> std::string {
    try {
      run(folder, "module m (input a, output y);\n not g(y, a);\nendmodule\n", stimuli);
    } catch (const InputError& error) {
      const std::string what = error.what();
      return what.substr(what.find("s.txt"));
    }
    return "none";
  };
  EXPECT_EQ(refused("0 a=2\n"), "s.txt:1: expected INPUT=VALUE, with a value of 0, 1, x or z, found 'a=2'");
  EXPECT_EQ(refused("0 a=0\n\n5 y=1\n"), "s.txt:3: expected an input of the circuit, found 'y'");
  EXPECT_EQ(refused("5 a=0\n4 a=1\n"), "s.txt:2: expected a time of at least 5, as before, found 4");
  EXPECT_EQ(refused("a=0\n"),
            "s.txt:1: expected TIME INPUT=VALUE..., with whole ticks up to 2^50, found 'a=0'");
}

}  // namespace
}  // namespace anachron::models::logic
