// What a user reads of LP types and event types is their short names: in traces, tables and error messages.
#include <gtest/gtest.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include <anachron/anachron.hpp>

#include "run/fake_model.hpp"

namespace anachron::test {
namespace {

// The names that the compiler spells have namespaces, unnamed ones too, and template arguments.
namespace town {

struct Params {
  bool fails = false;
  static void describe(Describe<Params>& d) { d(&Params::fails, "The calls fail"); }
};

struct Analog {};
template <class Line>
struct Exchange;
struct Phone;

template <class Line>
struct Call {
  AnyId<Exchange<Line>, Phone> from;
  enum class Kind : std::uint8_t { local, far } kind = Kind::far;
};

/// Calls the phone, which calls back.
template <class Line>
struct Exchange {
  using Params = town::Params;
  static std::uint64_t count(const Params&) { return 2; }
  void start(Context<Exchange>& cx) {
    cx.send(cx.template id<Phone>(0), 1 + cx.self().index(), Call<Line>{cx.self()});
  }
  void on(Context<Exchange>& cx, const Call<Line>&) {
    if (cx.params().fails) throw std::runtime_error("engaged");
  }
};
struct Phone {
  using Params = town::Params;
  static std::uint64_t count(const Params&) { return 1; }
  void on(Context<Phone>& cx, const Call<Analog>& call) {
    cx.send(call.from, 1, Call<Analog>{cx.self(), Call<Analog>::Kind::local});
  }
};

}  // namespace town

Outcome run_town(std::vector<std::string> words) {
  words.insert(words.begin(), "town");
  return captured([&] {
    return cli<town::Exchange<town::Analog>, town::Phone>(static_cast<int>(words.size()),
                                                          pointers(words).data());
  });
}

TEST(TypeNames, AreShortInTracesAndTables) {
  const TemporaryFolder folder;
  const Outcome outcome = run_town({"--sync", "sequential", "--profile-lps", "3", "--trace-lp",
                                    "Exchange:1,Phone", "--trace", folder.file("trace.csv")});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(read_all(folder.file("trace.csv")),
            "time,lp_type,lp,event,sender_type,sender,payload\n"
            "1,Phone,0,Call,Exchange,0,\"{from: Exchange 0, kind: 1}\"\n"
            "2,Phone,0,Call,Exchange,1,\"{from: Exchange 1, kind: 1}\"\n"
            "3,Exchange,1,Call,Phone,0,\"{from: Phone 0, kind: 0}\"\n");
  EXPECT_EQ(outcome.out.find("Exchange  "), 0u) << outcome.out;
  EXPECT_NE(outcome.out.find("Exchange 1"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("Phone 0"), std::string::npos) << outcome.out;
  EXPECT_EQ(outcome.out.find("town"), std::string::npos) << outcome.out;
  EXPECT_EQ(outcome.out.find("::"), std::string::npos) << outcome.out;
  EXPECT_EQ(outcome.out.find('<'), std::string::npos) << outcome.out;
}

TEST(TypeNames, AreShortInMessages) {
  EXPECT_EQ(run_town({"--fails", "--sync", "sequential"}).err,
            "town: Exchange 0: event Call at time 2: threw: engaged\n");
  EXPECT_EQ(run_town({"--trace", "-", "--trace-lp", "Telex"}).err,
            "town: --trace-lp: 'Telex' is not valid: expected an LP type: one of Exchange, Phone\n");
}

}  // namespace
}  // namespace anachron::test
