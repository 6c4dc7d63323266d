// expect: anachron: T cannot be encoded: what members Part has .* is not known
// expect: Part = Route
// expect: T = Packet
// Its members are private, and no `serialize` names them.
#include <vector>

#include <anachron/anachron.hpp>
namespace an = anachron;

class Route {
 public:
#ifdef FIXED
  template <class Archive>
  void serialize(Archive& ar) {
    ar(hops_);
  }
#endif
  void add(int hop) { hops_.push_back(hop); }

 private:
  std::vector<int> hops_;
};

struct Packet {
  std::vector<Route> routes;
};

void check() { an::check_encodable<Packet>(); }
