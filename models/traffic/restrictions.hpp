// Roads that for a while are closed, or let fewer vehicles pass.
#pragma once

#include <cstdint>
#include <istream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "traffic/network.hpp"

namespace anachron::models::traffic {

struct Restriction {
  LinkIndex link = 0;
  double begin = 0, end = 0;  ///< minutes
  double factor = 0;          ///< of the capacity, what is left; 0: closed, nobody enters
};

/// Of five words `FROM TO BEGIN END FACTOR`: the nodes of a link by their ids, minutes, and the factor, which
/// may have another name. Throws InputError that names what is wrong and what is valid. O(nodes + links of
/// the node).
Restriction parse_restriction(std::span<const std::string> words, const Network& network,
                              const std::string& factor = "FACTOR");

/// All restrictions of a run, by link.
class Restrictions {
 public:
  Restrictions() = default;
  /// Reads rows of such words; what follows a `#` does not count. Throws InputError that names file and line,
  /// also where two restrictions of a link overlap.
  static Restrictions read(const std::string& path, const Network& network);
  Restrictions(std::istream& in, const std::string& name, const Network& network);

  /// In the order of time.
  std::span<const Restriction> of(LinkIndex link) const;

 private:
  std::vector<Restriction> all_;  // by link, then by time
};

}  // namespace anachron::models::traffic
