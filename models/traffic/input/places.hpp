// Where the nodes of a road network are, to draw it.
#pragma once

#include <istream>
#include <string>
#include <vector>

#include "traffic/network.hpp"

namespace anachron::models::traffic {

/// In whatever unit the source has: kilometres, feet, degrees.
struct NodePlace {
  double x = 0, y = 0;
  friend bool operator==(const NodePlace&, const NodePlace&) = default;
};

/// Reads the file of node coordinates that goes with a TNTP network: a line of headings, then `node x y ;`, a
/// line for each. `~` begins a comment. Returns the places by NodeIndex; nodes that the network has not are
/// passed over. Throws InputError "FILE:LINE: expected ..., found ..." for a file that cannot be opened or is
/// malformed, for a node that is there twice, and for a missing one of the network.
std::vector<NodePlace> read_tntp_nodes(const std::string& path, const Network& network);
/// The same from a stream; `name` stands for the path in messages.
std::vector<NodePlace> read_tntp_nodes(std::istream& in, const std::string& name, const Network& network);

}  // namespace anachron::models::traffic
