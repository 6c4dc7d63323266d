// expect: anachron: T cannot be encoded, because Part .* refers to memory of this process
// expect: Part = std::basic_string_view<char>
// expect: T = Greeting
// An LP type asks for events that can be sent to another process; this one has a view into memory.
#include <string>
#include <string_view>

#include <anachron/anachron.hpp>
namespace an = anachron;

struct Greeting {
#ifdef FIXED
  std::string text;
#else
  std::string_view text;
#endif
};

struct Host {
  static constexpr bool encodable_events = true;
  void start(an::Context<Host>& cx) { cx.send(cx.self(), 1, Greeting{"hello"}); }
  void on(an::Context<Host>&, const Greeting&) {}
};

void simulate() { an::Simulation<Host>().run(); }
