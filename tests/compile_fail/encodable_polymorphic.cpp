// expect: anachron: T cannot be encoded: a std::unique_ptr to Part .* may point to an object of a derived
// class expect: Part = Shape What the pointer points to may be more than a Shape.
#include <memory>
#include <variant>
#include <vector>

#include <anachron/anachron.hpp>
namespace an = anachron;

struct Shape {
  virtual ~Shape() = default;
  template <class Archive>
  void serialize(Archive&) {}
};
struct Circle final : Shape {
  template <class Archive>
  void serialize(Archive&) {}
};
struct Square final : Shape {
  template <class Archive>
  void serialize(Archive&) {}
};

struct Drawing {
#ifdef FIXED
  std::vector<std::variant<Circle, Square>> shapes;
#else
  std::vector<std::unique_ptr<Shape>> shapes;
#endif
};

void check() { an::check_encodable<Drawing>(); }
