// Reads road networks and trip tables in the TNTP format (Transportation Networks for Research Core Team,
// github.com/bstabler/TransportationNetworks).
//
// Metadata lines `<KEY> value` go up to `<END OF METADATA>`. Then a network has a line for each link, which
// ends with `;`:
//
//     init node, term node, capacity, length, free-flow time, b, power, further columns (speed, toll, type)
//
// Each row has as many columns. Nodes are numbers from 1 to NUMBER OF NODES, or larger ones, which are names
// then. A trip table has `Origin i`, followed by pairs `j : trips;`, several on a line. `~` begins a comment.
// Blanks or tabs part columns. Empty lines, trailing blanks, CRLF, a missing last line end and the byte order
// mark of UTF-8 are taken as they come. No line has more than 4 MiB.
#pragma once

#include <cstdint>
#include <istream>
#include <string>
#include <vector>

#include "traffic/network.hpp"

namespace anachron::models::traffic {

/// Demand as given: fractional trips per pair of zones.
struct TripTable {
  struct Pair {
    ZoneIndex origin = 0, destination = 0;
    double trips = 0;  ///< >= 0, finite

    friend bool operator==(const Pair&, const Pair&) = default;
  };
  std::uint32_t zones = 0;
  std::vector<Pair> pairs;  ///< each pair once, by origin, then by destination; none with 0 trips
  std::vector<std::uint32_t> zone_ids{};  ///< ascending, at most `zones`; empty: 1, 2, ..
};

/// What a trip table calls its zones.
enum class ZoneIds {
  numbers,  ///< 1 to NUMBER OF ZONES
  names,    ///< any numbers, at most NUMBER OF ZONES different ones; 1 to NUMBER OF ZONES if none is larger
};

/// Whether the ninth column of a network, the toll, is read. A user who needs no toll can read networks that
/// have none, or none that is a number.
enum class Tolls { ignored, read };

/// What becomes of links that have no capacity.
enum class Closed { refused, left_out };

/// The ids of nodes are names, in RoadPlan::node_ids, as soon as one is larger than NUMBER OF NODES. `zones`
/// is what the metadata say.
///
/// Throw InputError "FILE:LINE: expected ..., found ..." for a file that cannot be opened or is malformed. So
/// do they for one that ends before the metadata do, inside a row or pair, or before all NUMBER OF LINKS.
/// Less demand than TOTAL OD FLOW promises is an error, too (to one part in 10,000, since files give rounded
/// demand). `minutes_per_unit` converts the file's times to minutes.
RoadPlan read_tntp_network(const std::string& path, double minutes_per_unit = 1, Tolls tolls = Tolls::ignored,
                           Closed closed = Closed::refused);
TripTable read_tntp_trips(const std::string& path, ZoneIds ids = ZoneIds::numbers);

/// The same from a stream; `name` stands for the path in messages.
RoadPlan read_tntp_network(std::istream& in, const std::string& name, double minutes_per_unit = 1,
                           Tolls tolls = Tolls::ignored, Closed closed = Closed::refused);
TripTable read_tntp_trips(std::istream& in, const std::string& name, ZoneIds ids = ZoneIds::numbers);

}  // namespace anachron::models::traffic
