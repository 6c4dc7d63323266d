// expect: anachron: T cannot be encoded, because Part .* refers to memory of this process
// expect: T = int\*
// What `serialize` names must be encodable as well.
#include <vector>

#include <anachron/anachron.hpp>
namespace an = anachron;

class Place {
 public:
  template <class Archive>
  void serialize(Archive& ar) {
#ifdef FIXED
    ar(index_);
#else
    ar(where_);
#endif
  }

 private:
  int index_ = 0;
  int* where_ = nullptr;
};

std::vector<std::byte> send(const Place& place) { return an::encode(place); }
