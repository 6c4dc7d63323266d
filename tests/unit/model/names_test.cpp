// What types are called: by themselves, or by the compiler.
#include <anachron/model/names.hpp>

#include <cstdint>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include <anachron/anachron.hpp>

namespace names_models {

struct Plain {};
struct Named {
  static constexpr std::string_view name = "city::Link<4>";
};
struct NamedByLiteral {
  static constexpr char name[] = "Link";
};
struct NamedByPointer {
  static constexpr const char* name = "Link";
};
struct WithData {
  std::string name;
};
struct WithAccessor {
  std::string name() const { return "none"; }
};
struct WithType {
  enum class name {};
};

/// A ring of tokens. The number and the flag are of the implementation.
template <int kVersion>
struct Token {
  static constexpr std::string_view name = "ring::Token";
  std::uint8_t hops = 0;
};
template <int kVersion, bool kNamed>
struct Ring {
  static constexpr std::string_view name = "ring::Ring";
  void start(anachron::Context<Ring>& cx) { cx.send(cx.self(), 1, Token<kVersion>{}); }
  void on(anachron::Context<Ring>& cx, const Token<kVersion>& token) {
    if (token.hops == 100) throw std::runtime_error("tired");
    cx.send(cx.id((cx.self().index() + 1) % cx.lp_count()), cx.rng().exponential(1),
            Token<kVersion>{static_cast<std::uint8_t>(token.hops + 1)});
  }
};
template <int kVersion>
struct Ring<kVersion, false> {
  void start(anachron::Context<Ring>& cx) { cx.send(cx.self(), 1, Token<kVersion>{}); }
  void on(anachron::Context<Ring>&, const Token<kVersion>&) {}
};

}  // namespace names_models

namespace anachron {
namespace {

using namespace names_models;

template <class T>
void expect_names(std::string_view full, std::string_view brief) {
  EXPECT_EQ(detail::full_name<T>(), full);
  EXPECT_EQ(detail::short_name<T>(), brief);
}

TEST(Names, AreTheTypesOwnWhereItHasOne) {
  expect_names<Plain>("names_models::Plain", "Plain");
  expect_names<int>("int", "int");
  expect_names<Named>("city::Link<4>", "Link");
  expect_names<NamedByLiteral>("Link", "Link");
  expect_names<NamedByPointer>("Link", "Link");
}

TEST(Names, OtherMembersCalledNameAreNone) {
  expect_names<WithData>("names_models::WithData", "WithData");
  expect_names<WithAccessor>("names_models::WithAccessor", "WithAccessor");
  expect_names<WithType>("names_models::WithType", "WithType");
}

template <class Lp>
std::uint64_t digest(Time until) {
  Simulation<Lp> simulation;
  simulation.template lps<Lp>(5);
  simulation.config.until = until;
  simulation.config.sync = Sync::sequential;
  return simulation.run().digest;
}

TEST(Names, DecideTheDigest) {
  const auto expected = digest<Ring<1, true>>(20);
  EXPECT_EQ(expected, (digest<Ring<2, true>>(20)));
  const auto unnamed = digest<Ring<1, false>>(20);
  EXPECT_NE(unnamed, (digest<Ring<2, false>>(20)));
}

struct Beat {};
template <int kVersion>
struct Cell {
  void start(Context<Cell>& cx) { cx.send(cx.self(), 1, Beat{}); }
  void on(Context<Cell>&, const Beat&) {
    if (kVersion == 2) throw std::runtime_error("tired");
  }
};

template <class... Lps>
std::string failure() {
  Simulation<Lps...> simulation;
  (simulation.template lps<Lps>(1), ...);
  simulation.config.sync = Sync::sequential;
  try {
    simulation.run();
  } catch (const SimulationError& error) {
    return error.what();
  }
  return "none";
}

TEST(Names, HaveTemplateArgumentsOnlyWhereTypesAreNotToldApartWithout) {
  EXPECT_EQ(failure<Cell<2>>(), "Cell 0: event Beat at time 1: threw: tired");
  const std::string both = failure<Cell<1>, Cell<2>>();
  EXPECT_NE(both.find("Cell<2> 0: event Beat at time 1: threw: tired"), std::string::npos) << both;
}

TEST(Names, AreWhatMessagesSay) {
  try {
    digest<Ring<1, true>>(1000);
    FAIL();
  } catch (const SimulationError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("Token"), std::string::npos) << text;
    EXPECT_EQ(text.find("Token<"), std::string::npos) << text;
    EXPECT_NE(text.find("Ring"), std::string::npos) << text;
    EXPECT_EQ(text.find("Ring<"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace anachron
