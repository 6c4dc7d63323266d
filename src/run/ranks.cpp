#include <anachron/run/ranks.hpp>

#include <stdexcept>

#include "comm/transport/cluster.hpp"
#include "run/rank.hpp"

namespace anachron {
namespace {

/// Called by all ranks, when there are several.
transport::Exchange& exchange_of(transport::Cluster* given) {
  transport::Cluster& cluster = given ? *given : cluster_of_launch();
  if (cluster.is_running())
    throw std::logic_error(
        "anachron: an::Ranks: ranks tell each other something between runs, not during one");
  return cluster.exchange();
}

}  // namespace

unsigned Ranks::rank() const { return cluster_ ? cluster_->rank() : own_rank(); }
unsigned Ranks::count() const { return cluster_ ? cluster_->ranks() : rank_count(); }

void Ranks::barrier() const {
  if (count() > 1) exchange_of(cluster_).sum(0);
}

std::vector<Ranks::Bytes> Ranks::gather_bytes(Bytes own) const {
  return exchange_of(cluster_).gather_for_all(std::move(own));
}

Ranks::Bytes Ranks::broadcast_bytes(Bytes from_first) const {
  return exchange_of(cluster_).broadcast(std::move(from_first));
}

}  // namespace anachron
