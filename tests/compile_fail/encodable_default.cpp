// expect: anachron: T cannot be encoded: Part .* must be default-constructible
// expect: Part = Order
// A decoded object is made before its members are read.
#include <anachron/anachron.hpp>
namespace an = anachron;

struct Order {
  int number;
#ifdef FIXED
  Order() = default;
#endif
  explicit Order(int n) : number(n) {}
  template <class Archive>
  void serialize(Archive& ar) {
    ar(number);
  }
};

void check() { an::check_encodable<Order>(); }
