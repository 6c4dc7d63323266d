// The trace's options and files.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <string>
#include <vector>

#include <anachron/anachron.hpp>

#include "base/traced_lps.hpp"
#include "run/fake_model.hpp"
#include "run/files/output_file.hpp"
#include "run/traces/trace_file.hpp"

namespace anachron::test {
namespace {

TEST(TracedLps, AreReadAndWritten) {
  for (const char* text : {"Hub:3", "Hub:3-7", "Hub", "Hub:3,Office,Player<0>:17", "Pair<int, Hub>:2-4,Hub:1",
                           "city::Hub,a::Pair<a::Hub>,city::Hub:7", ""})
    EXPECT_EQ(format_traced_lps(parse_traced_lps(text)), text);
  const auto lps = parse_traced_lps("Pair<int, a::Hub>,Hub:5-6");
  ASSERT_EQ(lps.size(), 2u);
  EXPECT_EQ(lps[0].type, "Pair<int, a::Hub>");
  EXPECT_EQ(lps[1].first, 5u);
  EXPECT_EQ(lps[1].last, 6u);
}

TEST(TracedLps, WhatIsNoneIsNamed) {
  for (const std::string text : {":3", "Hub:", "Hub:x", "Hub:3-", "Hub:7-3", "Hub:1,", "Hub:-1"}) {
    try {
      parse_traced_lps(text);
      ADD_FAILURE() << text;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("expected TYPE, TYPE:NUMBER or TYPE:FIRST-LAST"),
                std::string::npos)
          << error.what();
    }
  }
}

const CommittedEvent kEvent{1.5, "Hub", 3, "Parcel", "Office", 0, "{to: 4, label: \"a, b\"}"};
const CommittedEvent kFromOutside{2, "Hub", 4, "Parcel", {}, 0, "{}"};

TEST(TraceFile, IsNotNamedAsJson) {
  const TemporaryFolder folder;
  for (const char* name : {"trace.json", "trace.jsonl", "trace.ndjson"}) {
    EXPECT_THROW(TraceFile(folder.file(name)), InputError) << name;
    EXPECT_NE(::access(folder.file(name).c_str(), F_OK), 0) << name;
  }
}

TEST(TraceFile, IsTextOrCsv) {
  const TemporaryFolder folder;
  for (const char* name : {"trace.txt", "trace.csv"}) {
    TraceFile file(folder.file(name));
    file.show(kEvent);
    file.show(kFromOutside);
    file.close();
  }
  EXPECT_EQ(read_all(folder.file("trace.txt")),
            "1.5  Hub 3  Parcel {to: 4, label: \"a, b\"}  from Office 0\n2  Hub 4  Parcel {}  "
            "from outside\n");
  EXPECT_EQ(read_all(folder.file("trace.csv")),
            "time,lp_type,lp,event,sender_type,sender,payload\n"
            "1.5,Hub,3,Parcel,Office,0,\"{to: 4, label: \"\"a, b\"\"}\"\n2,Hub,4,Parcel,,,{}\n");
}

TEST(TraceFile, ErrorsNameTheFile) {
  EXPECT_THROW(TraceFile("/none/trace.txt"), InputError);
  EXPECT_THROW(
      {
        TraceFile full("/dev/full");
        full.show(kEvent);
        full.close();
      },
      std::runtime_error);
}

TEST(TraceFile, IsThereAsAWholeWhenItIsClosed) {
  const TemporaryFolder folder;
  const std::string path = folder.write("trace.txt", "an older one\n");
  {
    TraceFile file(path);
    for (int i = 0; i < 10'000; ++i) file.show(kEvent);
    EXPECT_EQ(read_all(path), "an older one\n");
    file.close();
    EXPECT_EQ(read_all(path).size(),
              10'000 * std::string("1.5  Hub 3  Parcel {to: 4, label: \"a, b\"}  from Office 0\n").size());
  }
  {
    TraceFile(folder.file("other.txt")).show(kEvent);
  }
  EXPECT_EQ(folder.names(), (std::vector<std::string>{"trace.txt"}))
      << "one that was not closed leaves nothing";
}

TEST(TraceFile, OfAFailedRunIsWhatItHadShown) {
  const TemporaryFolder folder;
  const std::string old = folder.write("old.txt", "old\n");
  TraceFile nothing(old);
  nothing.close_after_failure();
  EXPECT_EQ(read_all(old), "old\n");
  TraceFile some(old);
  some.show(kFromOutside);
  some.close_after_failure();
  EXPECT_EQ(read_all(old), "2  Hub 4  Parcel {}  from outside\n");
}

TEST(TraceFile, IsFollowedInAPipe) {
  const TemporaryFolder folder;
  const std::string path = folder.file("pipe");
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  const int reader = open(path.c_str(), O_RDONLY | O_NONBLOCK);
  TraceFile file(path);
  const std::string line = "1.5  Hub 3  Parcel {to: 4, label: \"a, b\"}  from Office 0\n";
  for (std::size_t i = 0; i < (std::size_t{1} << 14) / line.size(); ++i) file.show(kEvent);
  std::string seen(line.size(), ' ');
  EXPECT_EQ(read(reader, seen.data(), seen.size()), static_cast<ssize_t>(line.size())) << "it is not closed";
  EXPECT_EQ(seen, line);
  file.close();
  close(reader);
}

// Under whatever name: what is redirected to a file stays the file that it was redirected to.
TEST(TraceFile, AndReportsGoToStandardOutput) {
  for (const char* name : {"-", "/dev/stdout"}) {
    SCOPED_TRACE(name);
    const Outcome out = captured([&] {
      TraceFile trace(name);
      trace.show(kFromOutside);
      trace.close();
      std::fputs("then this\n", stdout);
      OutputFile("report", "/dev/stdout").write("a report\n");
      return 0;
    });
    EXPECT_EQ(out.out, "2  Hub 4  Parcel {}  from outside\nthen this\na report\n");
  }
}

TEST(TraceOptions, ReachTheRun) {
  const TemporaryFolder folder;
  FakeModel model;
  const Outcome outcome =
      run_fake(model, {"--trace", folder.file("t.txt"), "--trace-lp", "Hub:1", "--trace-lp=Hub:4-5,Office",
                       "--trace-from", "2", "--trace-to", "3", "--quiet"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  const Trace& trace = model.seen->trace;
  EXPECT_EQ(format_traced_lps(trace.lps), "Hub:1,Hub:4-5,Office");
  EXPECT_EQ(trace.from, 2);
  EXPECT_EQ(trace.to, 3);
  EXPECT_TRUE(trace.show);
}

TEST(TraceOptions, AreCheckedBeforeTheRun) {
  const auto message = [](const std::vector<std::string>& words) {
    FakeModel model;
    const Outcome outcome = run_fake(model, words);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_FALSE(model.seen);
    return outcome.err;
  };
  EXPECT_EQ(message({"--trace-from", "3", "--trace-to", "2"}),
            "prog: --trace-to: '2' is not valid: expected a time after --trace-from (3)\n");
  EXPECT_EQ(message({"--trace-lp", "Hub:x"}),
            "prog: --trace-lp: 'Hub:x' is not valid: expected TYPE, TYPE:NUMBER or TYPE:FIRST-LAST, e.g. "
            "Player:17\n");
  EXPECT_NE(message({"--trace", "/none/t"}).find("--trace: cannot write '/none/t'"), std::string::npos);
  FakeModel model;
  EXPECT_NE(run_fake(model, {"--trace-lp", "Hub:1"}).err.find("--trace-lp has no effect without --trace"),
            std::string::npos);
}

}  // namespace
}  // namespace anachron::test
