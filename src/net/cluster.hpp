// The ranks that a program was started as, to be used by one run after the other.
#pragma once

#include "net/exchange.hpp"
#include "net/hub.hpp"
#include "net/transport.hpp"

namespace anachron::net {

/// This rank's end. As the ranks go from one run to the next each at its own time, what belongs to the next
/// one may come early: so all of them have the same hub.
class Cluster {
 public:
  explicit Cluster(Transport& transport) : transport_(transport), hub_(transport), exchange_(hub_) {}

  unsigned rank() const { return transport_.rank(); }
  unsigned ranks() const { return transport_.ranks(); }
  Transport& transport() { return transport_; }
  Hub& hub() { return hub_; }
  Exchange& exchange() { return exchange_; }

 private:
  Transport& transport_;
  Hub hub_;
  Exchange exchange_;
};

}  // namespace anachron::net
