// An LP type that is sent events was forgotten in the list: not linked, with a sentence.
#include <anachron/anachron.hpp>
namespace an = anachron;

#ifdef UNNAMED
namespace {
#endif

struct Parcel {};
struct Office {
  static std::uint64_t count(const an::NoParams&) { return 3; }
  void on(an::Context<Office>&, const Parcel&) {}
};
struct Hub {
  static std::uint64_t count(const an::NoParams&) { return 2; }
  void start(an::Context<Hub>& cx) { cx.send(cx.id<Office>(1), 1.0, Parcel{}); }
};

#ifdef UNNAMED
}  // namespace
#endif

int main(int argc, char** argv) {
#ifdef FIXED
  return an::cli<Hub, Office>(argc, argv);
#else
  return an::cli<Hub>(argc, argv);
#endif
}
