// Netlists and stimuli as files: what is read, and how mistakes are named.

#include <cstdio>
#include <map>
#include <string>
#include <variant>

#include <gtest/gtest.h>

#include "logic/input/read.hpp"
#include "logic/settling.hpp"
#include "logic/value.hpp"
#include "support/error_of.hpp"
#include "support/logic_runs.hpp"

namespace anachron::models::logic {
namespace {

std::string complaint(const std::string& text, bool is_bench = false) {
  return test::error_of(
      [&] { is_bench ? parse_bench(text, "f", Delays("1")) : parse_verilog(text, "f", Delays("1")); });
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
  EXPECT_EQ(verilog("assign #2 y = a;\n"),
            "f:2: expected a single bit to be assigned with a delay, found 2 bits, which Verilog makes wait "
            "for each other");
  EXPECT_EQ(verilog("assign #0 y = a;\n"), "no error");
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
