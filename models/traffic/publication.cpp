#include "traffic/publication.hpp"

namespace anachron::models::traffic {

std::unique_ptr<QuickestSearch> SearchPool::take() {
  {
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      auto search = std::move(idle_.back());
      idle_.pop_back();
      return search;
    }
  }
  return std::make_unique<QuickestSearch>(network_);
}

void SearchPool::put_back(std::unique_ptr<QuickestSearch> search) {
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(search));
}

/// Whoever comes while another thread is at it waits, which is at most as long as doing it again.
void Publication::grow(const Tree& tree, ZoneIndex to, SearchPool& searches) const {
  for (auto stage = Stage::missing; !tree.stage.compare_exchange_strong(stage, Stage::growing);
       stage = Stage::missing) {
    if (stage == Stage::ready) return;
    tree.stage.wait(Stage::growing);
  }
  try {
    const Network& network = searches.network();
    auto search = searches.take();
    search->run(to, times_);
    tree.choice.resize(network.nodes());
    for (NodeIndex node = 0; node < network.nodes(); ++node)
      if (const auto next = search->next(node))
        tree.choice[node] = static_cast<std::uint16_t>(*next - network.first_out(node));
    searches.put_back(std::move(search));
  } catch (...) {  // no memory: the next one may try
    tree.stage.store(Stage::missing);
    tree.stage.notify_all();
    throw;
  }
  tree.stage.store(Stage::ready, std::memory_order_release);
  tree.stage.notify_all();
}

}  // namespace anachron::models::traffic
