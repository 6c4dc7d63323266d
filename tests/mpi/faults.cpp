#include "mpi/faults.hpp"

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>

#include <anachron/anachron.hpp>

namespace anachron::test {
namespace {

struct Lesson {};

struct Pupil {
  struct Params {
    std::string fault;
    static void describe(Describe<Params>& d) { d(&Params::fault, "Where pupils throw"); }
  };
  static std::uint64_t count(const Params&) { return 8; }
  static constexpr Time until = 10;
  std::uint64_t lessons = 0;

  void start(Context<Pupil>& cx) {
    const std::string& fault = cx.params().fault;
    if (cx.self().index() == 7 && (fault == "start" || fault == "both"))
      throw std::runtime_error("overslept");
    if (cx.self().index() == 1 && fault == "both") throw std::runtime_error("missed the bus");
    cx.send(cx.self(), 1, Lesson{});
  }
  void on(Context<Pupil>& cx, const Lesson&) {
    ++lessons;
    cx.send(cx.id((cx.self().index() + 3) % cx.lp_count()), 1, Lesson{});
  }
  void finish(Results& results, const Finish<Pupil>& cx) const {
    results.count("lessons", static_cast<std::int64_t>(lessons));
    if (cx.params().fault == "finish" && cx.self().index() == 7) throw std::runtime_error("lost the report");
  }
};

}  // namespace

int run_with_fault(const std::string& role) {
  std::string name = "mpi_tests", workers = "--workers=1", partition = "--partition=block",
              fault = "--fault=" + role;
  std::array arguments{name.data(), workers.data(), partition.data(), fault.data()};
  return cli<Pupil>(static_cast<int>(arguments.size()), arguments.data());
}

}  // namespace anachron::test
